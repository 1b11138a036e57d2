"""Compares joint positions in Clamber's exports, as Blender and USD compute them, with the motion file.

    tools/formats.sh [SCENE...]

Plans each scene and writes the motion as .json, .bvh, .glb and .usda. Computes every joint position in every frame from the
character file and the motion file, without Clamber's code, and compares it with Blender and USD. The .glb must pass the
glTF validator without errors or warnings. Exits with 1 if a joint is off by more than a millimeter or a comparison fails.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import tomllib

import numpy as np
from pxr import Usd, UsdGeom, UsdSkel

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
SCENES = ["walk", "climb", "gauntlet", "walk-human", "flight-insect"]
# In meters.
TOLERANCE = 1e-3


def about(axis, angles):
    """Returns one rotation matrix about x, y or z per angle, in degrees."""
    sin, cos = np.sin(np.radians(angles)), np.cos(np.radians(angles))
    k = "xyz".index(axis)
    matrices = np.zeros((len(angles), 3, 3))
    matrices[:, k, k] = 1
    i, j = (k + 1) % 3, (k + 2) % 3
    matrices[:, i, i], matrices[:, j, j] = cos, cos
    matrices[:, i, j], matrices[:, j, i] = -sin, sin
    return matrices


def from_quaternions(q):
    x, y, z, w = (q / np.linalg.norm(q, axis=1, keepdims=True)).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def joints_of(character, motion):
    """Computes the positions of all joints in every frame from the character and motion files."""
    frames = motion["frames"]
    angles = np.array([frame["angles"] for frame in frames])
    columns = {name: angles[:, index] for index, name in enumerate(motion["hinges"])}
    one = np.ones(len(frames))
    rotations, positions = {}, {}
    for link in character["link"]:
        name = link["name"]
        if "parent" in link:
            turn = link.get("turn", {})
            parent = rotations[link["parent"]]
            positions[name] = positions[link["parent"]] + parent @ np.array(link.get("at", [0, 0, 0]), dtype=float)
            rotation = parent
            for key, axis in (("heading", "y"), ("pitch", "z"), ("roll", "x")):
                rotation = rotation @ about(axis, turn.get(key, 0) * one)
        else:
            positions[name] = np.array([frame["position"] for frame in frames])
            rotation = from_quaternions(np.array([frame["rotation"] for frame in frames]))
        for hinge in link.get("hinges", []):
            rotation = rotation @ about(hinge["axis"], columns[hinge["name"]])
        rotations[name] = rotation
    # Exports add hands and feet; each starts at the center of its effector.
    effectors = {effector["name"]: effector for effector in character.get("effector", [])}
    for extremity in character.get("extremity", []):
        effector = effectors[extremity["effector"]]
        positions[effector["name"]] = positions[effector["link"]] + rotations[effector["link"]] @ np.array(effector["center"], dtype=float)
    return positions


def tips_of(character):
    """Returns the toe and finger joints. No motion file has their angles, so exports are compared with each other."""
    return {f"{extremity['effector']}_{tip}" for extremity in character.get("extremity", []) for tip in ("toes", "fingers")}


def character_of(scene, motion):
    """Returns the entries of the file of the motion's character: the scene's character, or one in the same folder."""
    named = scene.parent / tomllib.loads(scene.read_text())["character"]
    for file in [named, *sorted(named.parent.glob("*.toml"))]:
        entries = tomllib.loads(file.read_text())
        if entries.get("name") == motion["character"] and "link" in entries:
            return entries
    sys.exit(f"{scene}: no file defines the character `{motion['character']}`")


def joints_in_blender(file, times, folder):
    np.save(folder / "times.npy", times)
    script = ROOT / "tools" / "blender_joints.py"
    command = [sys.executable, script, file, folder / "times.npy", folder / "seen.npz"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{file}: Blender cannot open it\n{done.stdout}{done.stderr}")
    seen = np.load(folder / "seen.npz")
    positions = {str(name): seen["positions"][:, index] for index, name in enumerate(seen["names"])}
    return positions, {str(name) for name in seen["meshes"]}


def joints_in_usd(file, times):
    stage = Usd.Stage.Open(str(file))
    assert UsdGeom.GetStageUpAxis(stage) == "Y" and UsdGeom.GetStageMetersPerUnit(stage) == 1
    [skeleton] = [UsdSkel.Skeleton(prim) for prim in stage.Traverse() if prim.IsA(UsdSkel.Skeleton)]
    [root] = [UsdSkel.Root(prim) for prim in stage.Traverse() if prim.IsA(UsdSkel.Root)]
    cache = UsdSkel.Cache()
    cache.Populate(root, Usd.PrimDefaultPredicate)
    query = cache.GetSkelQuery(skeleton)
    assert query.HasBindPose() and query.HasRestPose()
    bindings = cache.ComputeSkelBindings(root, Usd.PrimDefaultPredicate)
    assert sum(len(binding.GetSkinningTargets()) for binding in bindings) == 1, "no mesh is skinned"
    samples = query.GetAnimQuery().GetJointTransformTimeSamples()
    assert len(samples) == len(times), f"{len(samples)} samples for {len(times)} frames"
    rate = stage.GetTimeCodesPerSecond()
    off = np.max(np.abs(np.array(samples) / rate - times))
    assert off < 1e-3, f"a sample is off by {off} s"
    positions = np.array([
        [transform.ExtractTranslation() for transform in query.ComputeJointSkelTransforms(code)] for code in samples
    ])
    names = [str(joint).split("/")[-1] for joint in query.GetJointOrder()]
    meshes = {str(prim.GetDisplayName()) for prim in stage.Traverse() if prim.IsA(UsdGeom.Mesh)}
    return {name: positions[:, index] for index, name in enumerate(names)}, meshes


def bvh_times(file):
    """Returns the frame times of a BVH file, which are evenly spaced."""
    with open(file) as lines:
        words = dict(line.split(":", 1) for line in lines if line.startswith(("Frames:", "Frame Time:")))
    return np.arange(int(words["Frames"])) * float(words["Frame Time"])


def largest_error(ours, seen, tips):
    """Returns the largest joint error in meters. Both must have the same joints, apart from tips, and the same frames."""
    assert set(ours) == set(seen) - tips, f"joints differ: {sorted(set(ours) ^ (set(seen) - tips))}"
    assert all(ours[name].shape == seen[name].shape for name in ours), "frames differ"
    return max(np.max(np.linalg.norm(ours[name] - seen[name], axis=1)) for name in ours)


def missing(obstacles, meshes):
    """Returns the obstacles without a mesh. The objects of a mesh file have names such as `level/step`."""
    return {name for name in obstacles if not any(mesh == name or mesh.startswith(f"{name}/") for mesh in meshes)}


def check_scene(scene, folder):
    """Compares one scene's exports; returns whether all joints are within tolerance, and the .glb."""
    names = {ending: folder / f"{scene.stem}.{ending}" for ending in ("json", "bvh", "glb", "usda")}
    clamber = TARGET / "release" / "clamber"
    plan = [clamber, "plan", scene, "--no-picture", "-o", names["json"], "-o", names["glb"]]
    subprocess.run(list(map(str, plan)), check=True, stdout=subprocess.DEVNULL)
    convert = [clamber, "convert", scene, names["json"]]
    convert += [word for ending in ("bvh", "usda") for word in ("-o", names[ending])]
    subprocess.run(list(map(str, convert)), check=True)

    motion = json.loads(names["json"].read_text())
    times = np.array([frame["time"] for frame in motion["frames"]])
    times -= times[0]
    character = character_of(scene, motion)
    ours, tips = joints_of(character, motion), tips_of(character)
    obstacles = {obstacle["name"] for obstacle in tomllib.loads(scene.read_text()).get("obstacle", [])}
    results = {}
    seen, meshes = joints_in_blender(names["glb"], times, folder)
    assert not missing(obstacles, meshes), f"Blender lacks obstacles: {missing(obstacles, meshes)}"
    in_glb = {name: positions for name, positions in seen.items() if name in tips}
    results["glb in Blender"] = largest_error(ours, seen, tips)
    seen, meshes = joints_in_usd(names["usda"], times)
    assert not missing(obstacles, meshes), f"USD lacks obstacles: {missing(obstacles, meshes)}"
    results["usda in USD"] = largest_error(ours, seen, tips)
    if in_glb:
        results["toes and fingers"] = largest_error(in_glb, {name: seen[name] for name in seen if name in tips}, set())
    in_bvh = bvh_times(names["bvh"])
    is_even = len(in_bvh) == len(times) and np.max(np.abs(in_bvh - times)) < 2e-3
    # BVH resamples a motion with uneven frame times; compare at the times of the BVH frames.
    expected = ours if is_even else joints_of(character, resampled(motion, in_bvh))
    seen, _ = joints_in_blender(names["bvh"], in_bvh, folder)
    results["bvh in Blender"] = largest_error(expected, seen, tips)
    errors = ", ".join(f"{name} {1e6 * error:.1f} µm" for name, error in results.items())
    print(f"{scene.stem}: {len(times)} frames, {len(ours)} joints; largest error: {errors}", flush=True)
    # NaN must fail.
    return all(error < TOLERANCE for error in results.values()), names["glb"]


def resampled(motion, new_times):
    """Resamples the motion: linear in positions and angles, spherical linear in rotations."""
    frames = motion["frames"]
    times = np.array([frame["time"] for frame in frames]) - frames[0]["time"]
    after = np.clip(np.searchsorted(times, new_times, side="right"), 1, len(times) - 1)
    share = np.clip((new_times - times[after - 1]) / (times[after] - times[after - 1]), 0, 1)[:, None]

    def between(key):
        values = np.array([frame[key] for frame in frames])
        return values[after - 1], values[after]

    (position, next_position), (angles, next_angles) = between("position"), between("angles")
    turn, next_turn = between("rotation")
    dot = np.sum(turn * next_turn, axis=1, keepdims=True)
    next_turn, angle = np.where(dot < 0, -next_turn, next_turn), np.arccos(np.clip(np.abs(dot), 0, 1))
    sine = np.where(angle < 1e-6, 1, np.sin(angle))
    weights = [np.where(angle < 1e-6, s, np.sin(s * angle) / sine) for s in (1 - share, share)]
    columns = [
        new_times, position + (next_position - position) * share, weights[0] * turn + weights[1] * next_turn,
        angles + (next_angles - angles) * share,
    ]
    keys = ("time", "position", "rotation", "angles")
    return {**motion, "frames": [dict(zip(keys, values)) for values in zip(*columns)]}


def main(scenes):
    scenes = [pathlib.Path(scene) for scene in scenes] or [ROOT / "scenes" / f"{name}.toml" for name in SCENES]
    with tempfile.TemporaryDirectory() as folder:
        results = [check_scene(scene, pathlib.Path(folder)) for scene in scenes]
        command = ["node", ROOT / "tools" / "validate_glb.cjs", TARGET / "formats", *(glb for _, glb in results)]
        is_valid = subprocess.run(list(map(str, command))).returncode == 0
    if not all(is_ok for is_ok, _ in results):
        print(f"a joint is off by more than {1e3 * TOLERANCE} mm", file=sys.stderr)
        return 1
    return 0 if is_valid else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
