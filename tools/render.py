"""Renders one frame of an exported .glb with Blender.

    $(tools/blender_python.sh) tools/render.py climb.glb climb.png --mode climbing
    $(tools/blender_python.sh) tools/render.py climb.glb climb.png --at 3.5 --width 6

Without `--at`, renders the middle of the longest span of the mode, or the middle of the motion.
The camera looks from the side, from the direction in which the level hides least of the body.
"""

import argparse
import json
import math
import pathlib
import struct

import bpy
from mathutils import Vector

# Candidate camera directions, in degrees about the vertical (positive: from farther right) and above the horizon. The first
# one that sees at least this share of the most visible body points wins.
VIEWS = [
    (28, 12), (-28, 12), (24, 2), (-24, 2), (20, 20), (-20, 20), (38, 24), (-38, 24), (24, -8), (-24, -8), (0, 10), (0, 28),
]
VISIBLE_SHARE = 0.97


def arguments():
    parser = argparse.ArgumentParser(description="Renders one frame of an exported .glb with Blender.")
    parser.add_argument("glb", type=pathlib.Path)
    parser.add_argument("png", type=pathlib.Path)
    parser.add_argument("--at", type=float, metavar="SECONDS", help="time of the frame")
    parser.add_argument("--mode", help="render the middle of the longest span of this mode")
    parser.add_argument("--width", type=float, default=6.5, metavar="METERS", help="width of the view at the body")
    parser.add_argument("--samples", type=int, default=24, metavar="N", help="light paths per pixel")
    parser.add_argument("--size", type=int, nargs=2, default=[1280, 720], metavar="PIXELS", help="width and height")
    return parser.parse_args()


def mode_spans(glb):
    """Returns the mode spans stored in the animation's extras."""
    content = glb.read_bytes()
    length, _ = struct.unpack_from("<II", content, 12)
    document = json.loads(content[20 : 20 + length])
    return document["animations"][0]["extras"]["modes"]


def frame_time(options):
    """Returns the time to render, in seconds."""
    spans = mode_spans(options.glb)
    if options.at is not None:
        return options.at
    chosen = [span for span in spans if options.mode in (None, span["mode"])]
    if not chosen:
        modes = ", ".join(sorted({span["mode"] for span in spans}))
        raise SystemExit(f"{options.glb}: no mode `{options.mode}`; the modes are {modes}")
    if options.mode is None:
        return 0.5 * (spans[0]["first"] + spans[-1]["last"])
    longest = max(chosen, key=lambda span: span["last"] - span["first"])
    return 0.5 * (longest["first"] + longest["last"])


def body_points(body):
    """Returns a few hundred vertices of the posed skin."""
    graph = bpy.context.evaluated_depsgraph_get()
    shown = body.evaluated_get(graph)
    return [shown.matrix_world @ vertex.co for vertex in list(shown.data.vertices)[::17]]


def place_camera(scene, body, level, options):
    """Places the camera and returns the chosen direction."""
    points = body_points(body)
    center = sum(points, Vector()) / len(points)
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.data.lens = 50
    scene.collection.objects.link(camera)
    scene.camera = camera
    distance = 0.5 * options.width / math.tan(0.5 * camera.data.angle_x)
    graph = bpy.context.evaluated_depsgraph_get()

    def position(view):
        about, above = map(math.radians, view)
        toward = Vector((math.sin(about) * math.cos(above), -math.cos(about) * math.cos(above), math.sin(above)))
        return center + distance * toward

    def count_visible(view):
        eye = position(view)
        visible = 0
        for point in points:
            ray = point - eye
            is_hit, _, _, _, hit_object, _ = scene.ray_cast(graph, eye, ray.normalized(), distance=ray.length)
            visible += not (is_hit and hit_object.original in level)
        return visible

    counts = [count_visible(view) for view in VIEWS]
    best = next(view for view, count in zip(VIEWS, counts) if count >= VISIBLE_SHARE * max(counts))
    camera.location = position(best)
    # Slightly above the center: the space over a body shows more than the space under it.
    camera.rotation_euler = (center + Vector((0, 0, 0.12)) - camera.location).to_track_quat("-Z", "Y").to_euler()
    return best


def light(scene, view):
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.data.energy, sun.data.angle, sun.data.color = 4.2, math.radians(1.5), (1.0, 0.93, 0.82)
    # Over the camera's shoulder and farther to the side, so that visible faces are lit and differ in brightness.
    side = 1 if view[0] >= 0 else -1
    sun.rotation_euler = Vector((-side * 0.9, 0.45, -0.9)).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(sun)

    scene.world = bpy.data.worlds.new("sky")
    scene.world.use_nodes = True
    nodes, links = scene.world.node_tree.nodes, scene.world.node_tree.links
    nodes.clear()
    coordinates, split = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeSeparateXYZ")
    ramp, background = nodes.new("ShaderNodeValToRGB"), nodes.new("ShaderNodeBackground")
    half = nodes.new("ShaderNodeMapRange")
    half.inputs["From Min"].default_value = -0.35
    half.inputs["From Max"].default_value = 0.6
    colors = [(0.0, (0.36, 0.46, 0.58, 1)), (0.36, (0.80, 0.88, 0.95, 1)), (1.0, (0.12, 0.34, 0.80, 1))]
    ramp.color_ramp.elements.new(0.5)
    for element, (position, color) in zip(ramp.color_ramp.elements, colors):
        element.position, element.color = position, color
    background.inputs["Strength"].default_value = 0.85
    links.new(coordinates.outputs["Generated"], split.inputs[0])
    links.new(split.outputs["Z"], half.inputs["Value"])
    links.new(half.outputs[0], ramp.inputs[0])
    links.new(ramp.outputs[0], background.inputs["Color"])
    links.new(background.outputs[0], nodes.new("ShaderNodeOutputWorld").inputs[0])


def weather(material):
    """Adds noise to the level's material: plain gray gives no sense of scale."""
    nodes, links = material.node_tree.nodes, material.node_tree.links
    surface = next(node for node in nodes if node.type == "BSDF_PRINCIPLED")
    noise, mix = nodes.new("ShaderNodeTexNoise"), nodes.new("ShaderNodeMix")
    coordinates = nodes.new("ShaderNodeTexCoord")
    noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = 2.2, 9
    mix.data_type = "RGBA"
    color = list(surface.inputs["Base Color"].default_value)
    mix.inputs["A"].default_value = [0.6 * part for part in color[:3]] + [1]
    mix.inputs["B"].default_value = [min(1, 1.35 * part) for part in color[:3]] + [1]
    links.new(coordinates.outputs["Object"], noise.inputs["Vector"])
    links.new(noise.outputs["Fac"], mix.inputs["Factor"])
    links.new(mix.outputs["Result"], surface.inputs["Base Color"])
    surface.inputs["Roughness"].default_value = 0.9


def main():
    options = arguments()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = 120
    bpy.ops.import_scene.gltf(filepath=str(options.glb))
    frame = frame_time(options) * scene.render.fps
    scene.frame_set(math.floor(frame), subframe=frame % 1)

    meshes = [item for item in scene.objects if item.type == "MESH"]
    [body] = [mesh for mesh in meshes if any(modifier.type == "ARMATURE" for modifier in mesh.modifiers)]
    level = [mesh for mesh in meshes if mesh is not body]
    for index, mesh in enumerate(level):
        # Coplanar sides of different obstacles would cause shading artifacts, so each obstacle shrinks by a little more.
        mesh.modifiers.new("shrink", "DISPLACE").strength = -0.00015 * index
        mesh.modifiers["shrink"].mid_level = 0
    for name in {slot.material.name for mesh in level for slot in mesh.material_slots if slot.material}:
        weather(bpy.data.materials[name])
    light(scene, place_camera(scene, body, level, options))

    scene.render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples, scene.cycles.use_denoising = "CPU", options.samples, True
    scene.cycles.seed, scene.cycles.max_bounces = 1, 4
    scene.render.resolution_x, scene.render.resolution_y = options.size
    scene.render.resolution_percentage = 100
    scene.view_settings.view_transform, scene.view_settings.look = "AgX", "AgX - Medium High Contrast"
    scene.render.image_settings.file_format, scene.render.image_settings.color_mode = "PNG", "RGB"
    scene.render.image_settings.compression = 100
    scene.render.filepath = str(options.png.resolve())
    bpy.ops.render.render(write_still=True)


if __name__ == "__main__":
    main()
