"""Writes the joint positions that Blender computes for a .glb or .bvh file, frame by frame. Called by tools/formats.py.

    python tools/blender_joints.py FILE TIMES OUT

TIMES is a .npy of times in seconds. OUT becomes a .npz with `names`, `positions` (frame, joint, xyz, y up) and `meshes` (the
names of all meshes). Runs in the Python environment that has `bpy`.
"""

import math
import sys

import bpy
import numpy as np


def main(file, times_file, out):
    times = np.load(times_file)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    # Motion frames should fall on or near Blender frames: Blender stores key times as single-precision frame numbers.
    rate = max(1, round(1 / np.median(np.diff(times)))) if len(times) > 1 else 30
    scene.render.fps, scene.render.fps_base = rate, 1.0
    first = 0
    if file.endswith(".bvh"):
        # The BVH importer starts at frame 1.
        first = 1
        done = bpy.ops.import_anim.bvh(filepath=file, frame_start=first, use_fps_scale=True, update_scene_fps=False)
    else:
        done = bpy.ops.import_scene.gltf(filepath=file)
    assert done == {"FINISHED"}, done
    [armature] = [item for item in scene.objects if item.type == "ARMATURE"]
    meshes = [item for item in scene.objects if item.type == "MESH"]
    names = [mesh.name for mesh in meshes]
    # Meshes slow down frame changes and are not needed.
    for mesh in meshes:
        bpy.data.objects.remove(mesh)

    bones = list(armature.pose.bones)
    positions = np.empty((len(times), len(bones), 3))
    for index, time in enumerate(times):
        frame = first + time * rate
        # Times are in single precision: round frames that are nearly whole.
        frame = round(frame) if abs(frame - round(frame)) < 1e-3 else frame
        whole = math.floor(frame)
        scene.frame_set(whole, subframe=frame - whole)
        for bone, position in zip(bones, positions[index]):
            position[:] = armature.matrix_world @ bone.head
    # Blender is z up; convert to y up.
    positions = np.stack([positions[..., 0], positions[..., 2], -positions[..., 1]], axis=-1)
    np.savez(out, names=[bone.name for bone in bones], positions=positions, meshes=names)


if __name__ == "__main__":
    main(*sys.argv[-3:])
