"""Compares what other programs see in Clamber's exports with the motion file, joint by joint and frame by frame.

    tools/formats.sh [SCENE...]

plans each scene, writes the motion as .json, .bvh, .glb and .usda, works out from the character's file and the motion file
alone where every joint is (nothing of this is Clamber's own code), and asks Blender and USD where they put it. The
.glb must pass the glTF validator without an error or a warning. Ends with 1 when a joint is off by more than a millimetre,
or when something could not be compared.
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
# In metres.
TOLERANCE = 1e-3


def about(axis, angles):
    """Rotation matrices about x, y or z, an angle each, in degrees."""
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
    """The places of all joints, frame by frame, from the files alone."""
    frames = motion["frames"]
    angles = np.array([frame["angles"] for frame in frames])
    columns = {name: angles[:, index] for index, name in enumerate(motion["hinges"])}
    one = np.ones(len(frames))
    turns, places = {}, {}
    for link in character["link"]:
        name = link["name"]
        if "parent" in link:
            turn = link.get("turn", {})
            parent = turns[link["parent"]]
            places[name] = places[link["parent"]] + parent @ np.array(link.get("at", [0, 0, 0]), dtype=float)
            rotation = parent
            for key, axis in (("heading", "y"), ("pitch", "z"), ("roll", "x")):
                rotation = rotation @ about(axis, turn.get(key, 0) * one)
        else:
            places[name] = np.array([frame["position"] for frame in frames])
            rotation = from_quaternions(np.array([frame["rotation"] for frame in frames]))
        for hinge in link.get("hinges", []):
            rotation = rotation @ about(hinge["axis"], columns[hinge["name"]])
        turns[name] = rotation
    # Hands and feet are added to exports: where they begin follows from the effectors that they are at.
    effectors = {effector["name"]: effector for effector in character.get("effector", [])}
    for extremity in character.get("extremity", []):
        effector = effectors[extremity["effector"]]
        places[effector["name"]] = places[effector["link"]] + turns[effector["link"]] @ np.array(effector["center"], dtype=float)
    return places


def tips_of(character):
    """The joints of toes and fingers: their angles are in no motion file, so exports are compared with each other."""
    return {f"{extremity['effector']}_{tip}" for extremity in character.get("extremity", []) for tip in ("toes", "fingers")}


def character_of(scene, motion):
    """The file of the motion's character: the scene's, or one beside it."""
    named = scene.parent / tomllib.loads(scene.read_text())["character"]
    for file in [named, *sorted(named.parent.glob("*.toml"))]:
        entries = tomllib.loads(file.read_text())
        if entries.get("name") == motion["character"] and "link" in entries:
            return entries
    sys.exit(f"{scene}: there is no file of the character `{motion['character']}`")


def seen_by_blender(file, moments, folder):
    np.save(folder / "moments.npy", moments)
    script = ROOT / "tools" / "blender_joints.py"
    command = [sys.executable, script, file, folder / "moments.npy", folder / "seen.npz"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{file}: Blender did not open it\n{done.stdout}{done.stderr}")
    seen = np.load(folder / "seen.npz")
    places = {str(name): seen["places"][:, index] for index, name in enumerate(seen["names"])}
    return places, {str(name) for name in seen["meshes"]}


def seen_by_usd(file, moments):
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
    assert len(samples) == len(moments), f"{len(samples)} samples for {len(moments)} frames"
    rate = stage.GetTimeCodesPerSecond()
    off = np.max(np.abs(np.array(samples) / rate - moments))
    assert off < 1e-3, f"a sample is off by {off} s"
    places = np.array([
        [transform.ExtractTranslation() for transform in query.ComputeJointSkelTransforms(code)] for code in samples
    ])
    names = [str(joint).split("/")[-1] for joint in query.GetJointOrder()]
    meshes = {str(prim.GetDisplayName()) for prim in stage.Traverse() if prim.IsA(UsdGeom.Mesh)}
    return {name: places[:, index] for index, name in enumerate(names)}, meshes


def bvh_moments(file):
    """When the frames of a BVH file are: it has evenly timed ones only."""
    with open(file) as lines:
        words = dict(line.split(":", 1) for line in lines if line.startswith(("Frames:", "Frame Time:")))
    return np.arange(int(words["Frames"])) * float(words["Frame Time"])


def worst(ours, seen, tips):
    """How far the joint that is off the most is off; all of ours must have been seen, on every frame, and no others but tips."""
    assert set(ours) == set(seen) - tips, f"joints differ: {sorted(set(ours) ^ (set(seen) - tips))}"
    assert all(ours[name].shape == seen[name].shape for name in ours), "frames differ"
    return max(np.max(np.linalg.norm(ours[name] - seen[name], axis=1)) for name in ours)


def try_scene(scene, folder):
    """Compares one scene's exports; returns whether all is well, and the .glb."""
    names = {ending: folder / f"{scene.stem}.{ending}" for ending in ("json", "bvh", "glb", "usda")}
    clamber = TARGET / "release" / "clamber"
    plan = [clamber, "plan", scene, "--no-picture", "-o", names["json"], "-o", names["glb"]]
    subprocess.run(list(map(str, plan)), check=True, stdout=subprocess.DEVNULL)
    convert = [clamber, "convert", scene, names["json"]]
    convert += [word for ending in ("bvh", "usda") for word in ("-o", names[ending])]
    subprocess.run(list(map(str, convert)), check=True)

    motion = json.loads(names["json"].read_text())
    moments = np.array([frame["time"] for frame in motion["frames"]])
    moments -= moments[0]
    character = character_of(scene, motion)
    ours, tips = joints_of(character, motion), tips_of(character)
    obstacles = {obstacle["name"] for obstacle in tomllib.loads(scene.read_text()).get("obstacle", [])}
    results = {}
    seen, meshes = seen_by_blender(names["glb"], moments, folder)
    assert obstacles <= meshes, f"Blender has not all of the level: {obstacles - meshes}"
    in_glb = {name: places for name, places in seen.items() if name in tips}
    results["glb in Blender"] = worst(ours, seen, tips)
    seen, meshes = seen_by_usd(names["usda"], moments)
    assert obstacles <= meshes, f"USD has not all of the level: {obstacles - meshes}"
    results["usda in USD"] = worst(ours, seen, tips)
    if in_glb:
        results["toes and fingers"] = worst(in_glb, {name: seen[name] for name in seen if name in tips}, set())
    in_bvh = bvh_moments(names["bvh"])
    is_even = len(in_bvh) == len(moments) and np.max(np.abs(in_bvh - moments)) < 2e-3
    # Frames that are not evenly timed are others in BVH: the motion itself is then compared at those times.
    expected = ours if is_even else joints_of(character, resampled(motion, in_bvh))
    seen, _ = seen_by_blender(names["bvh"], in_bvh, folder)
    results["bvh in Blender"] = worst(expected, seen, tips)
    told = ", ".join(f"{what} {1e6 * off:.1f} µm" for what, off in results.items())
    print(f"{scene.stem}: {len(moments)} frames, {len(ours)} joints; at worst {told}", flush=True)
    # Written so that what is not a number is no pass.
    return all(off < TOLERANCE for off in results.values()), names["glb"]


def resampled(motion, moments):
    """The motion at other moments: places and angles change evenly, rotations the short way."""
    frames = motion["frames"]
    times = np.array([frame["time"] for frame in frames]) - frames[0]["time"]
    after = np.clip(np.searchsorted(times, moments, side="right"), 1, len(times) - 1)
    share = np.clip((moments - times[after - 1]) / (times[after] - times[after - 1]), 0, 1)[:, None]

    def between(key):
        values = np.array([frame[key] for frame in frames])
        return values[after - 1], values[after]

    (place, next_place), (angles, next_angles) = between("position"), between("angles")
    turn, next_turn = between("rotation")
    dot = np.sum(turn * next_turn, axis=1, keepdims=True)
    next_turn, angle = np.where(dot < 0, -next_turn, next_turn), np.arccos(np.clip(np.abs(dot), 0, 1))
    sine = np.where(angle < 1e-6, 1, np.sin(angle))
    weights = [np.where(angle < 1e-6, s, np.sin(s * angle) / sine) for s in (1 - share, share)]
    columns = [
        moments, place + (next_place - place) * share, weights[0] * turn + weights[1] * next_turn,
        angles + (next_angles - angles) * share,
    ]
    keys = ("time", "position", "rotation", "angles")
    return {**motion, "frames": [dict(zip(keys, values)) for values in zip(*columns)]}


def main(scenes):
    scenes = [pathlib.Path(scene) for scene in scenes] or [ROOT / "scenes" / f"{name}.toml" for name in SCENES]
    with tempfile.TemporaryDirectory() as folder:
        tried = [try_scene(scene, pathlib.Path(folder)) for scene in scenes]
        command = ["node", ROOT / "tools" / "validate_glb.cjs", TARGET / "formats", *(glb for _, glb in tried)]
        is_valid = subprocess.run(list(map(str, command))).returncode == 0
    if not all(is_near for is_near, _ in tried):
        print(f"a joint is off by more than {1e3 * TOLERANCE} mm", file=sys.stderr)
        return 1
    return 0 if is_valid else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
