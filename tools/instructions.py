#!/usr/bin/env python3
"""Compares the instruction counts of two builds of `clamber` when they plan the shipped scenes.

    python3 tools/instructions.py OLD_BINARY NEW_BINARY [SCENE...]

Valgrind counts instructions, so other load on the machine does not matter. Plans each scene with the seeds 1 to 3. Prints a
table and the geometric mean of the ratios. Needs valgrind.
"""

import math
import pathlib
import re
import subprocess
import sys
import tempfile

SCENES = ["walk", "swing", "climb", "crawl", "overhang", "gauntlet", "fork", "flight", "cave"]
SEEDS = [1, 2, 3]


def instructions(binary: str, scene: str, seed: int) -> int:
    """Returns the instruction count of one `clamber plan`, including reading the scene."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            "valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out",
            binary, "plan", f"scenes/{scene}.toml", "--seed", str(seed), "--no-picture",
        ]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", run.stderr).group(1))


def main() -> int:
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    old, new, *scenes = sys.argv[1:]
    ratios = []
    print("| scene | old (million) | new (million) | ratio |\n|---|---:|---:|---:|", flush=True)
    for scene in scenes or SCENES:
        counts = [sum(instructions(binary, scene, seed) for seed in SEEDS) / len(SEEDS) for binary in (old, new)]
        ratios.append(counts[1] / counts[0])
        print(f"| {scene} | {counts[0] / 1e6:,.0f} | {counts[1] / 1e6:,.0f} | {ratios[-1]:.3f} |", flush=True)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"\nGeometric mean of the ratios: {mean:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
