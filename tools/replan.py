#!/usr/bin/env python3
"""Edits the last third of a gauntlet's motion and compares replanning with planning afresh.

    cargo build --release && python3 tools/replan.py [SEED...]

For each seed the gauntlet is planned; then a hold that the motion makes use of is forbidden, one that it passes by is pinned,
and a milestone is put on its way. Each edit is planned twice: keeping of the motion what is still good (`--from`), and from
the start. Ends with 1 unless every replan is valid, took less than half the time, and left the first half of the motion as it was.
A plan from the start that finds nothing is marked with `*`.
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

# A crouch on the upper floor, on the way from the last wall to the goal.
MILESTONE = """\
[[passage]]
name = "crouch"
postures = [{ position = [26.3, 5.2], facing = "left", contacts = { left_foot = [26.0, 4.6], right_foot = [26.4, 4.6] }, \
angles = { left_hip = 80, right_hip = 60, left_knee = -90, right_knee = -90 }, mode = "walking" }]

"""


def plan(scene, out, *options):
    """Plans; what `--json` tells, with the motion if there is one."""
    command = [TARGET / "release" / "clamber", "plan", scene, "-o", out, "--json", "--no-picture", *options]
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True)
    if done.returncode == 2:
        sys.exit(done.returncode)
    told = json.loads(done.stdout)
    if told["solved"]:
        told["motion"] = json.loads(pathlib.Path(out).read_text())
    return told


def is_of_goal(hold, motion):
    last = len(motion["frames"]) - 1
    return any(contact["hold"] == hold and contact["last"] == last for contact in motion["contacts"])


def hold_to_forbid(motion):
    """The first hold that is taken in the last sixth and is not the goal's."""
    late = len(motion["frames"]) * 5 // 6
    taken = [contact["hold"] for contact in motion["contacts"] if contact["first"] >= late]
    return next(hold for hold in taken if not is_of_goal(hold, motion))


def hold_to_pin(motion):
    """In the last third, the first hold that is passed by: by their numbers, some on both sides of it are taken."""
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
    sys.exit("the motion takes every hold of its last third")


def with_milestone(folder):
    """The scene with a milestone before the goal, in a file of its own."""
    text = SCENE.read_text().replace('"../', f'"{ROOT.as_posix()}/')
    before, goal, after = text.partition("[goal]\n")
    scene = folder / "milestone.toml"
    scene.write_text(before + MILESTONE + goal + after)
    return scene


def untouched(before, after):
    """How many frames two motions begin with that are the same."""
    pairs = zip(before["frames"], after["frames"])
    return next((index for index, (a, b) in enumerate(pairs) if a != b), len(before["frames"]))


def main():
    seeds = sys.argv[1:] or ["1"]
    all_well = True
    print(f"{'seed':>4}  {'edit':<28}{'afresh (s)':>11}{'replanned (s)':>15}{'share':>7}{'untouched':>11}{'of':>6}  valid")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        milestone = with_milestone(folder)
        for seed in seeds:
            first = folder / "first.json"
            motion = plan(SCENE, first, "--seed", seed).get("motion")
            if motion is None:
                sys.exit(f"seed {seed}: the gauntlet itself was not solved")
            forbidden, pinned = hold_to_forbid(motion), hold_to_pin(motion)
            edits = [
                (f"forbid {forbidden}", SCENE, ["--forbid", forbidden]),
                (f"pin {pinned}", SCENE, ["--pin", pinned]),
                ("milestone", milestone, []),
            ]
            for edit, scene, options in edits:
                options += ["--seed", seed]
                replanned = plan(scene, folder / "replanned.json", "--from", first, *options)
                afresh = plan(scene, folder / "afresh.json", *options)
                share = replanned["seconds"] / afresh["seconds"]
                frames = len(motion["frames"])
                same = untouched(motion, replanned["motion"]) if replanned["solved"] else 0
                all_well &= replanned["valid"] and share < 0.5 and 2 * same >= frames
                mark = " " if afresh["solved"] else "*"
                figures = f"{afresh['seconds']:>10.2f}{mark}{replanned['seconds']:>15.2f}{share:>7.2f}{same:>11}{frames:>6}"
                print(f"{seed:>4}  {edit:<28}{figures}  {'yes' if replanned['valid'] else 'no'}", flush=True)
    sys.exit(0 if all_well else 1)


if __name__ == "__main__":
    main()
