#!/usr/bin/env python3
"""Edits the last third of the gauntlet's motion and compares replanning with planning from scratch.

    cargo build --release && python3 tools/replan.py [SEED...]

For each seed, plans the gauntlet, then makes three edits: forbids a hold that the motion uses, pins a hold that it skips, and
adds a milestone. Plans each edit twice: keeping the valid parts of the motion (`--from`), and from scratch. Exits with 1 unless
every replan is valid, takes less than half the time, and leaves the first half of the motion unchanged. `*` marks plans from
scratch that fail.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
SCENE = ROOT / "scenes" / "gauntlet.toml"

# A crouch on the upper floor, between the last wall and the goal.
MILESTONE = """\
[[passage]]
name = "crouch"
postures = [{ position = [26.3, 5.2], facing = "left", contacts = { left_foot = [26.0, 4.6], right_foot = [26.4, 4.6] }, \
angles = { left_hip = 80, right_hip = 60, left_knee = -90, right_knee = -90 }, mode = "walking" }]

"""


def plan(scene, out, *options):
    """Plans a scene; returns the `--json` report, with the motion if it was solved."""
    command = [TARGET / "release" / "clamber", "plan", scene, "-o", out, "--json", "--no-picture", *options]
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True)
    if done.returncode == 2:
        sys.exit(done.returncode)
    report = json.loads(done.stdout)
    if report["solved"]:
        report["motion"] = json.loads(pathlib.Path(out).read_text())
    return report


def is_goal_hold(hold, motion):
    """Returns whether the hold is still held in the last frame."""
    last = len(motion["frames"]) - 1
    return any(contact["hold"] == hold and contact["last"] == last for contact in motion["contacts"])


def hold_to_forbid(motion):
    """Returns the first hold that is taken in the last sixth and does not belong to the goal."""
    late = len(motion["frames"]) * 5 // 6
    taken = [contact["hold"] for contact in motion["contacts"] if contact["first"] >= late]
    return next(hold for hold in taken if not is_goal_hold(hold, motion))


def hold_to_pin(motion):
    """Returns the first hold that the last third skips: unused, but numbered between used holds of its obstacle."""
    late = len(motion["frames"]) * 2 // 3
    held = {contact["hold"] for contact in motion["contacts"]}
    taken = {}
    for contact in motion["contacts"]:
        if contact["first"] >= late:
            obstacle, number = contact["hold"].rsplit(" ", 1)
            taken.setdefault(obstacle, set()).add(int(number))
    for obstacle, numbers in taken.items():
        for number in range(min(numbers), max(numbers)):
            if f"{obstacle} {number}" not in held:
                return f"{obstacle} {number}"
    sys.exit("the last third of the motion skips no hold")


def with_milestone(folder):
    """Writes a copy of the scene with a milestone before the goal."""
    text = SCENE.read_text().replace('"../', f'"{ROOT.as_posix()}/')
    before, goal, after = text.partition("[goal]\n")
    scene = folder / "milestone.toml"
    scene.write_text(before + MILESTONE + goal + after)
    return scene


def unchanged_frames(before, after):
    """Returns the number of leading frames that are identical."""
    pairs = zip(before["frames"], after["frames"])
    return next((index for index, (a, b) in enumerate(pairs) if a != b), len(before["frames"]))


def main():
    seeds = sys.argv[1:] or ["1"]
    is_ok = True
    print(f"{'seed':>4}  {'edit':<28}{'scratch (s)':>11}{'replanned (s)':>15}{'share':>7}{'unchanged':>11}{'of':>6}  valid")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        milestone = with_milestone(folder)
        for seed in seeds:
            first = folder / "first.json"
            motion = plan(SCENE, first, "--seed", seed).get("motion")
            if motion is None:
                sys.exit(f"seed {seed}: the unedited gauntlet was not solved")
            forbidden, pinned = hold_to_forbid(motion), hold_to_pin(motion)
            edits = [
                (f"forbid {forbidden}", SCENE, ["--forbid", forbidden]),
                (f"pin {pinned}", SCENE, ["--pin", pinned]),
                ("milestone", milestone, []),
            ]
            for edit, scene, options in edits:
                options += ["--seed", seed]
                replanned = plan(scene, folder / "replanned.json", "--from", first, *options)
                scratch = plan(scene, folder / "scratch.json", *options)
                share = replanned["seconds"] / scratch["seconds"]
                frames = len(motion["frames"])
                same = unchanged_frames(motion, replanned["motion"]) if replanned["solved"] else 0
                is_ok &= replanned["valid"] and share < 0.5 and 2 * same >= frames
                mark = " " if scratch["solved"] else "*"
                figures = f"{scratch['seconds']:>10.2f}{mark}{replanned['seconds']:>15.2f}{share:>7.2f}{same:>11}{frames:>6}"
                print(f"{seed:>4}  {edit:<28}{figures}  {'yes' if replanned['valid'] else 'no'}", flush=True)
    sys.exit(0 if is_ok else 1)


if __name__ == "__main__":
    main()
