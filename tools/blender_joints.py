"""Where Blender puts the joints of a .glb or .bvh file, frame by frame: the other side of tools/formats.py.

    python tools/blender_joints.py FILE FRAMES OUT

FRAMES is a .npy of moments in seconds. OUT becomes a .npz of `names`, `places` (frame, joint, x y z, in our axes) and
`meshes` (the names of what is not the character). Runs in the Python that has `bpy`.
"""

import math
import sys

import bpy
import numpy as np


def main(file, moments, out):
    moments = np.load(moments)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    # A frame of the motion is a frame of Blender, or near one: its keys are at frames in single precision.
    rate = max(1, round(1 / np.median(np.diff(moments)))) if len(moments) > 1 else 30
    scene.render.fps, scene.render.fps_base = rate, 1.0
    first = 0
    if file.endswith(".bvh"):
        # Its importer begins no earlier.
        first = 1
        done = bpy.ops.import_anim.bvh(filepath=file, frame_start=first, use_fps_scale=True, update_scene_fps=False)
    else:
        done = bpy.ops.import_scene.gltf(filepath=file)
    assert done == {"FINISHED"}, done
    [armature] = [thing for thing in scene.objects if thing.type == "ARMATURE"]
    meshes = [thing for thing in scene.objects if thing.type == "MESH"]
    names = [mesh.name for mesh in meshes]
    # They take time to move and are not asked for.
    for mesh in meshes:
        bpy.data.objects.remove(mesh)

    bones = list(armature.pose.bones)
    places = np.empty((len(moments), len(bones), 3))
    for index, moment in enumerate(moments):
        frame = first + moment * rate
        # Times are in single precision; a frame that is meant to be whole is.
        frame = round(frame) if abs(frame - round(frame)) < 1e-3 else frame
        whole = math.floor(frame)
        scene.frame_set(whole, subframe=frame - whole)
        for bone, place in zip(bones, places[index]):
            place[:] = armature.matrix_world @ bone.head
    # Blender has z up, and looks along y.
    places = np.stack([places[..., 0], places[..., 2], -places[..., 1]], axis=-1)
    np.savez(out, names=[bone.name for bone in bones], places=places, meshes=names)


if __name__ == "__main__":
    main(*sys.argv[-3:])
