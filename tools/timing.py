"""Compares how long a refined motion takes with the least time that toppra finds on the same way.

    tools/timing.sh [SCENE...]

makes a clip of each scene that is to go 20 times its natural pace, so that nothing but the character's limits of speed and
acceleration slows it down. The way through its frames, a spline over the root's place, heading and pitch and all hinge
angles, is cut where the clip comes to rest, and toppra times each piece anew from rest to rest within the same limits. Prints
both durations, and how much of the limits the clip uses at most. Ends with 1 when a clip takes more than three times as long,
or exceeds a limit of speed by more than a twentieth, or when a piece could not be timed. For planar characters.
"""

import json
import logging
import os
import pathlib
import subprocess
import sys
import tempfile
import tomllib

import numpy as np
import toppra
from toppra.algorithm import TOPPRA
from toppra.constraint import JointAccelerationConstraint, JointVelocityConstraint

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
SCENES = ["walk", "swing", "climb", "crawl", "gauntlet"]

# A radian counts as so many metres of the way.
RADIAN = 0.3
# Frames that are nearer to each other than this along the way, in metres, are one: at rest there are many.
THIN = 0.004
# toppra looks at the way so often, in metres.
GRID = 0.004
# The clip rests where nothing is faster than this share of its limit.
REST = 0.002

# Of the character's file, when it says nothing; `schemas/character.schema.json` has them too.
ROOT_LIMITS = {"speed": 6.0, "acceleration": 6.0, "turn_speed": 400.0, "turn_acceleration": 4000.0}
HINGE_LIMITS = {"speed": 700.0, "acceleration": 20_000.0}

MOST = 3.0
MOST_SPEED = 1.05


def clip_of(scene, folder):
    """The clip of a scene, and whether it is valid."""
    out = folder / "clip.json"
    command = [TARGET / "release" / "clamber", "plan", scene, "--refine", "--speed", "20", "-o", out, "--no-picture"]
    done = subprocess.run(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode > 1:
        sys.exit(done.stderr)
    return json.loads(out.read_text()), done.returncode == 0


def limits_of(scene, hinges):
    """The greatest speed and acceleration of each number of a row, in radians where it is an angle."""
    file = scene.parent / tomllib.loads(scene.read_text())["character"]
    character = tomllib.loads(file.read_text())
    if character["root"] != "planar":
        sys.exit(f"{file}: its root is not planar; choose a scene of a planar character")
    root = ROOT_LIMITS | character.get("limits", {})
    by_name = {hinge["name"]: HINGE_LIMITS | hinge for link in character["link"] for hinge in link.get("hinges", [])}

    def limits(key):
        turn = np.radians(root[f"turn_{key}"])
        return np.array([root[key]] * 3 + [turn] * 2 + [np.radians(by_name[name][key]) for name in hinges])

    return limits("speed"), limits("acceleration")


def rows_of(motion):
    """The times of the frames, and a row for each: x, y, z, heading, pitch, hinge angles."""
    frames = motion["frames"]
    x, y, z, w = np.array([frame["rotation"] for frame in frames]).T
    # First a pitch about z, then a heading about y: of the turned axes, z has the heading and y the pitch.
    heading = np.unwrap(np.arctan2(2 * (x * z + w * y), 1 - 2 * (x * x + y * y)))
    pitch = np.unwrap(np.arctan2(2 * (x * y + w * z), 1 - 2 * (x * x + z * z)))
    places = np.array([frame["position"] for frame in frames])
    angles = np.radians([frame["angles"] for frame in frames])
    return np.array([frame["time"] for frame in frames]), np.column_stack([places, heading, pitch, angles])


def lengths(rows):
    """From each row to the next, how far it is."""
    weights = np.array([1.0] * 3 + [RADIAN] * (rows.shape[1] - 3))
    return np.linalg.norm(np.diff(rows, axis=0) * weights, axis=1)


def pieces_of(times, rows, speeds):
    """What is between the rests, each as a first and a last frame."""
    steps = np.diff(times)[:, None]
    rests = np.max(np.abs(np.diff(rows, axis=0)) / steps / speeds, axis=1) < REST
    moving = np.flatnonzero(~rests)
    breaks = np.flatnonzero(np.diff(moving) > 1)
    firsts = np.concatenate([moving[:1], moving[breaks + 1]])
    lasts = np.concatenate([moving[breaks], moving[-1:]]) + 1
    return list(zip(firsts, lasts))


def thinned(rows):
    """Rows that are apart; the first and the last stay."""
    kept = [0]
    along = np.concatenate([[0.0], np.cumsum(lengths(rows))])
    for index in range(1, len(rows) - 1):
        if along[index] - along[kept[-1]] >= THIN and along[-1] - along[index] >= THIN:
            kept.append(index)
    return rows[kept + [len(rows) - 1]]


def fastest(rows, speeds, accelerations):
    """The least time for the way through rows, from rest to rest; `None` where toppra finds none."""
    rows = thinned(rows)
    along = np.concatenate([[0.0], np.cumsum(lengths(rows))])
    if len(rows) < 3 or along[-1] <= 0.0:
        return 0.0
    path = toppra.SplineInterpolator(along, rows)
    grid = np.linspace(0.0, along[-1], max(int(along[-1] / GRID), 50) + 1)
    limits = [
        JointVelocityConstraint(np.column_stack([-speeds, speeds])),
        JointAccelerationConstraint(np.column_stack([-accelerations, accelerations])),
    ]
    instance = TOPPRA(limits, path, gridpoints=grid, solver_wrapper="seidel")
    _, speed, _ = instance.compute_parameterization(0.0, 0.0)
    if speed is None or not np.all(np.isfinite(speed)):
        return None
    return float(np.sum(2.0 * np.diff(grid) / np.maximum(speed[1:] + speed[:-1], 1e-9)))


def use(times, rows, speeds, accelerations):
    """The most of the limits of speed and of acceleration that the frames use, as shares."""
    steps = np.diff(times)[:, None]
    velocities = np.diff(rows, axis=0) / steps
    between = 0.5 * (steps[1:] + steps[:-1])
    # Frames of passages may be so near to others that differences are rounding alone.
    even = (np.minimum(steps[1:], steps[:-1]) > 0.006).ravel()
    changes = (np.diff(velocities, axis=0) / between)[even]
    return np.max(np.abs(velocities) / speeds), np.max(np.abs(changes) / accelerations)


def main():
    logging.getLogger("toppra").setLevel(logging.ERROR)
    scenes = [pathlib.Path(name) for name in sys.argv[1:]] or [ROOT / "scenes" / f"{name}.toml" for name in SCENES]
    all_well = True
    print(f"{'scene':<12}{'pieces':>7}{'clip (s)':>10}{'at rest (s)':>13}{'toppra (s)':>12}{'ratio':>7}{'speed':>7}{'acceleration':>14}  valid")
    with tempfile.TemporaryDirectory() as name:
        for scene in scenes:
            motion, valid = clip_of(scene, pathlib.Path(name))
            speeds, accelerations = limits_of(scene, motion["hinges"])
            times, rows = rows_of(motion)
            pieces = pieces_of(times, rows, speeds)
            least = [fastest(rows[first : last + 1], speeds, accelerations) for first, last in pieces]
            if None in least:
                print(f"{scene.stem:<12}toppra finds no way to time {least.count(None)} of {len(pieces)} pieces")
                all_well = False
                continue
            clip, total = times[-1] - times[0], sum(least)
            rest = clip - sum(times[last] - times[first] for first, last in pieces)
            most_speed, most_acceleration = use(times, rows, speeds, accelerations)
            ratio = clip / total
            all_well &= ratio <= MOST and most_speed <= MOST_SPEED
            figures = f"{clip:>10.2f}{rest:>13.2f}{total:>12.2f}{ratio:>7.2f}{most_speed:>7.2f}{most_acceleration:>14.2f}"
            print(f"{scene.stem:<12}{len(pieces):>7}{figures}  {'yes' if valid else 'no'}", flush=True)
    sys.exit(0 if all_well else 1)


if __name__ == "__main__":
    main()
