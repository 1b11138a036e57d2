#!/usr/bin/env python3
"""Compares the instruction counts of two builds of `clamber` when they plan the shipped scenes.

    python3 tools/instructions.py OLD_BINARY[@FOLDER] NEW_BINARY[@FOLDER] [--planning] [SCENE...]

Valgrind counts instructions, so other load on the machine does not matter. Plans each scene with the seeds 1 to 3, from the folder
`scenes` in the current folder or in a build's own: earlier builds do not read later files. Prints a table and the geometric mean of
the ratios. `--planning` counts the search alone, without reading and checking; the builds need symbols for that. Needs valgrind.
"""

import math
import pathlib
import re
import subprocess
import sys
import tempfile

SCENES = ["walk", "swing", "climb", "crawl", "overhang", "gauntlet", "fork", "flight", "cave"]
SEEDS = [1, 2, 3]
SEARCH = "clamber_plan::run_search::Search::run"


def instructions(build: str, scene: str, seed: int, options: list[str]) -> int:
    """Returns the instruction count of one `clamber plan`."""
    binary, _, checkout = build.partition("@")
    with tempfile.TemporaryDirectory() as folder:
        command = [
            "valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", *options,
            pathlib.Path(binary).resolve(), "plan", f"scenes/{scene}.toml", "--seed", str(seed),
        ]
        run = subprocess.run(command, capture_output=True, text=True, check=True, cwd=checkout or None)
    return int(re.search(r"Collected : (\d+)", run.stderr).group(1))


def main() -> int:
    words = [word for word in sys.argv[1:] if word != "--planning"]
    if len(words) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    options = [f"--toggle-collect={SEARCH}"] if "--planning" in sys.argv else []
    old, new, *scenes = words
    ratios = []
    print("| scene | old (million) | new (million) | ratio |\n|---|---:|---:|---:|", flush=True)
    for scene in scenes or SCENES:
        counts = [sum(instructions(build, scene, seed, options) for seed in SEEDS) / len(SEEDS) for build in (old, new)]
        ratios.append(counts[1] / counts[0])
        print(f"| {scene} | {counts[0] / 1e6:,.0f} | {counts[1] / 1e6:,.0f} | {ratios[-1]:.3f} |", flush=True)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"\nGeometric mean of the ratios: {mean:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
