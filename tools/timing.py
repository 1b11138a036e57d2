"""Compares the duration of refined motions with the time-optimal parameterization that toppra computes for the same path.

    tools/timing.sh [SCENE...]

Makes a clip of each scene at 20 times its natural speed, so that only the character's speed and acceleration limits slow it
down. Fits a spline path through its frames (root position, heading, pitch and all hinge angles), splits it where the clip
rests, and lets toppra time each segment from rest to rest within the same limits. Prints both durations and the largest shares
of the limits that the clip uses. Exits with 1 if a clip takes more than three times as long, exceeds a speed limit by more
than 5%, or if toppra fails on a segment. Planar characters only.
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

# Path length of one radian, in meters.
RADIAN = 0.3
# Least path length between spline knots, in meters; frames at rest lie closer together.
THIN = 0.004
# Path length between toppra grid points, in meters.
GRID = 0.004
# The clip rests where every coordinate is slower than this share of its speed limit.
REST = 0.002

# Defaults of the character file, as in `schemas/character.schema.json`.
ROOT_LIMITS = {"speed": 6.0, "acceleration": 5.0, "turn_speed": 400.0, "turn_acceleration": 4000.0}
HINGE_LIMITS = {"speed": 700.0, "acceleration": 25_000.0}

# Largest ratio of the clip's duration to the optimal one.
MAX_RATIO = 3.0
# Largest share of a speed limit.
MAX_SPEED_SHARE = 1.05


def clip_of(scene, folder):
    """Plans a scene; returns its clip and whether the clip is valid."""
    out = folder / "clip.json"
    command = [TARGET / "release" / "clamber", "plan", scene, "--refine", "--speed", "20", "-o", out, "--no-picture"]
    done = subprocess.run(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode > 1:
        sys.exit(done.stderr)
    return json.loads(out.read_text()), done.returncode == 0


def limits_of(scene, hinges):
    """Returns the speed and acceleration limits of each coordinate, in meters or radians."""
    file = scene.parent / tomllib.loads(scene.read_text())["character"]
    character = tomllib.loads(file.read_text())
    if character["root"] != "planar":
        sys.exit(f"{file}: the root is not planar; choose a scene with a planar character")
    root = ROOT_LIMITS | character.get("limits", {})
    by_name = {hinge["name"]: HINGE_LIMITS | hinge for link in character["link"] for hinge in link.get("hinges", [])}

    def limits(key):
        turn = np.radians(root[f"turn_{key}"])
        return np.array([root[key]] * 3 + [turn] * 2 + [np.radians(by_name[name][key]) for name in hinges])

    return limits("speed"), limits("acceleration")


def rows_of(motion):
    """Returns the frame times, and a row per frame: x, y, z, heading, pitch, hinge angles."""
    frames = motion["frames"]
    x, y, z, w = np.array([frame["rotation"] for frame in frames]).T
    # The rotation is a pitch about z, then a heading about y: the rotated z axis gives the heading, the y axis the pitch.
    heading = np.unwrap(np.arctan2(2 * (x * z + w * y), 1 - 2 * (x * x + y * y)))
    pitch = np.unwrap(np.arctan2(2 * (x * y + w * z), 1 - 2 * (x * x + z * z)))
    positions = np.array([frame["position"] for frame in frames])
    angles = np.radians([frame["angles"] for frame in frames])
    return np.array([frame["time"] for frame in frames]), np.column_stack([positions, heading, pitch, angles])


def lengths(rows):
    """Returns the path length from each row to the next, in meters."""
    weights = np.array([1.0] * 3 + [RADIAN] * (rows.shape[1] - 3))
    return np.linalg.norm(np.diff(rows, axis=0) * weights, axis=1)


def segments_of(times, rows, speeds):
    """Returns the first and last frame of each segment between rests."""
    steps = np.diff(times)[:, None]
    rests = np.max(np.abs(np.diff(rows, axis=0)) / steps / speeds, axis=1) < REST
    moving = np.flatnonzero(~rests)
    breaks = np.flatnonzero(np.diff(moving) > 1)
    firsts = np.concatenate([moving[:1], moving[breaks + 1]])
    lasts = np.concatenate([moving[breaks], moving[-1:]]) + 1
    return list(zip(firsts, lasts))


def thinned(rows):
    """Drops rows that are too close together; keeps the first and the last."""
    kept = [0]
    along = np.concatenate([[0.0], np.cumsum(lengths(rows))])
    for index in range(1, len(rows) - 1):
        if along[index] - along[kept[-1]] >= THIN and along[-1] - along[index] >= THIN:
            kept.append(index)
    return rows[kept + [len(rows) - 1]]


def fastest(rows, speeds, accelerations):
    """Returns the optimal duration of the path through the rows, from rest to rest; `None` if toppra fails."""
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


def limit_use(times, rows, speeds, accelerations):
    """Returns the largest used shares of the speed and acceleration limits."""
    steps = np.diff(times)[:, None]
    velocities = np.diff(rows, axis=0) / steps
    between = 0.5 * (steps[1:] + steps[:-1])
    # Skip frames so close together in time that differences are mostly rounding.
    even = (np.minimum(steps[1:], steps[:-1]) > 0.006).ravel()
    changes = (np.diff(velocities, axis=0) / between)[even]
    return np.max(np.abs(velocities) / speeds), np.max(np.abs(changes) / accelerations)


def main():
    logging.getLogger("toppra").setLevel(logging.ERROR)
    scenes = [pathlib.Path(name) for name in sys.argv[1:]] or [ROOT / "scenes" / f"{name}.toml" for name in SCENES]
    is_ok = True
    print(f"{'scene':<12}{'segments':>9}{'clip (s)':>10}{'at rest (s)':>13}{'toppra (s)':>12}{'ratio':>7}{'speed':>7}{'acceleration':>14}  valid")
    with tempfile.TemporaryDirectory() as name:
        for scene in scenes:
            motion, valid = clip_of(scene, pathlib.Path(name))
            speeds, accelerations = limits_of(scene, motion["hinges"])
            times, rows = rows_of(motion)
            segments = segments_of(times, rows, speeds)
            least = [fastest(rows[first : last + 1], speeds, accelerations) for first, last in segments]
            if None in least:
                print(f"{scene.stem:<12}toppra fails on {least.count(None)} of {len(segments)} segments")
                is_ok = False
                continue
            clip, total = times[-1] - times[0], sum(least)
            rest = clip - sum(times[last] - times[first] for first, last in segments)
            speed_share, acceleration_share = limit_use(times, rows, speeds, accelerations)
            ratio = clip / total
            is_ok &= ratio <= MAX_RATIO and speed_share <= MAX_SPEED_SHARE
            figures = f"{clip:>10.2f}{rest:>13.2f}{total:>12.2f}{ratio:>7.2f}{speed_share:>7.2f}{acceleration_share:>14.2f}"
            print(f"{scene.stem:<12}{len(segments):>9}{figures}  {'yes' if valid else 'no'}", flush=True)
    sys.exit(0 if is_ok else 1)


if __name__ == "__main__":
    main()
