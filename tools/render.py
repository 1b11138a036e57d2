"""Renders one moment of an exported .glb with Blender.

    $(tools/blender_python.sh) tools/render.py climb.glb climb.png --mode climbing
    $(tools/blender_python.sh) tools/render.py climb.glb climb.png --at 3.5 --width 6

Without `--at` it is the middle of the longest span of the mode, or of the motion. The
camera looks from the side, and stands where the body is hidden least.
"""

import argparse
import json
import math
import pathlib
import struct

import bpy
from mathutils import Vector

# From where the camera may look, as degrees about the vertical (positive: from farther right) and above the horizon: the
# first that sees nearly as much of the body as any.
VIEWS = [
    (28, 12), (-28, 12), (24, 2), (-24, 2), (20, 20), (-20, 20), (38, 24), (-38, 24), (24, -8), (-24, -8), (0, 10), (0, 28),
]
NEARLY = 0.97


def arguments():
    parser = argparse.ArgumentParser(description="Renders one moment of an exported .glb with Blender.")
    parser.add_argument("glb", type=pathlib.Path)
    parser.add_argument("png", type=pathlib.Path)
    parser.add_argument("--at", type=float, metavar="SECONDS", help="the moment")
    parser.add_argument("--mode", help="the middle of the longest span of this mode")
    parser.add_argument("--width", type=float, default=6.5, metavar="METRES", help="how much is seen at the body")
    parser.add_argument("--samples", type=int, default=24, metavar="N", help="light paths a pixel")
    parser.add_argument("--size", type=int, nargs=2, default=[1280, 720], metavar="PIXELS", help="width and height")
    return parser.parse_args()


def spans_of(glb):
    """The modes that the animation is marked with."""
    content = glb.read_bytes()
    length, _ = struct.unpack_from("<II", content, 12)
    document = json.loads(content[20 : 20 + length])
    return document["animations"][0]["extras"]["modes"]


def moment(options):
    spans = spans_of(options.glb)
    if options.at is not None:
        return options.at
    chosen = [span for span in spans if options.mode in (None, span["mode"])]
    if not chosen:
        modes = ", ".join(sorted({span["mode"] for span in spans}))
        raise SystemExit(f"{options.glb}: there is no mode `{options.mode}`; there are {modes}")
    if options.mode is None:
        return 0.5 * (spans[0]["first"] + spans[-1]["last"])
    longest = max(chosen, key=lambda span: span["last"] - span["first"])
    return 0.5 * (longest["first"] + longest["last"])


def body_points(body):
    """A few hundred points of the skin, at the moment."""
    graph = bpy.context.evaluated_depsgraph_get()
    shown = body.evaluated_get(graph)
    return [shown.matrix_world @ vertex.co for vertex in list(shown.data.vertices)[::17]]


def place_camera(scene, body, level, options):
    points = body_points(body)
    middle = sum(points, Vector()) / len(points)
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.data.lens = 50
    scene.collection.objects.link(camera)
    scene.camera = camera
    distance = 0.5 * options.width / math.tan(0.5 * camera.data.angle_x)
    graph = bpy.context.evaluated_depsgraph_get()

    def position(view):
        about, above = map(math.radians, view)
        toward = Vector((math.sin(about) * math.cos(above), -math.cos(about) * math.cos(above), math.sin(above)))
        return middle + distance * toward

    def seen(view):
        eye = position(view)
        free = 0
        for point in points:
            way = point - eye
            is_hit, _, _, _, thing, _ = scene.ray_cast(graph, eye, way.normalized(), distance=way.length)
            free += not (is_hit and thing.original in level)
        return free

    counts = [seen(view) for view in VIEWS]
    best = next(view for view, count in zip(VIEWS, counts) if count >= NEARLY * max(counts))
    camera.location = position(best)
    # A little above the middle: there is more to see over a body than under it.
    camera.rotation_euler = (middle + Vector((0, 0, 0.12)) - camera.location).to_track_quat("-Z", "Y").to_euler()
    return best


def light(scene, view):
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.data.energy, sun.data.angle, sun.data.color = 4.2, math.radians(1.5), (1.0, 0.93, 0.82)
    # Over the camera's shoulder, from farther round: so the sides that are seen are lit, and not alike.
    side = 1 if view[0] >= 0 else -1
    sun.rotation_euler = Vector((-side * 0.9, 0.45, -0.9)).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(sun)

    scene.world = bpy.data.worlds.new("sky")
    scene.world.use_nodes = True
    nodes, links = scene.world.node_tree.nodes, scene.world.node_tree.links
    nodes.clear()
    place, apart = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeSeparateXYZ")
    ramp, background = nodes.new("ShaderNodeValToRGB"), nodes.new("ShaderNodeBackground")
    half = nodes.new("ShaderNodeMapRange")
    half.inputs["From Min"].default_value = -0.35
    half.inputs["From Max"].default_value = 0.6
    colors = [(0.0, (0.36, 0.46, 0.58, 1)), (0.36, (0.80, 0.88, 0.95, 1)), (1.0, (0.12, 0.34, 0.80, 1))]
    ramp.color_ramp.elements.new(0.5)
    for element, (position, color) in zip(ramp.color_ramp.elements, colors):
        element.position, element.color = position, color
    background.inputs["Strength"].default_value = 0.85
    links.new(place.outputs["Generated"], apart.inputs[0])
    links.new(apart.outputs["Z"], half.inputs["Value"])
    links.new(half.outputs[0], ramp.inputs[0])
    links.new(ramp.outputs[0], background.inputs["Color"])
    links.new(background.outputs[0], nodes.new("ShaderNodeOutputWorld").inputs[0])


def weather(material):
    """Gives the level some grain: plain grey has no size."""
    nodes, links = material.node_tree.nodes, material.node_tree.links
    surface = next(node for node in nodes if node.type == "BSDF_PRINCIPLED")
    noise, mix, place = nodes.new("ShaderNodeTexNoise"), nodes.new("ShaderNodeMix"), nodes.new("ShaderNodeTexCoord")
    noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = 2.2, 9
    mix.data_type = "RGBA"
    color = list(surface.inputs["Base Color"].default_value)
    mix.inputs["A"].default_value = [0.6 * part for part in color[:3]] + [1]
    mix.inputs["B"].default_value = [min(1, 1.35 * part) for part in color[:3]] + [1]
    links.new(place.outputs["Object"], noise.inputs["Vector"])
    links.new(noise.outputs["Fac"], mix.inputs["Factor"])
    links.new(mix.outputs["Result"], surface.inputs["Base Color"])
    surface.inputs["Roughness"].default_value = 0.9


def main():
    options = arguments()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = 120
    bpy.ops.import_scene.gltf(filepath=str(options.glb))
    frame = moment(options) * scene.render.fps
    scene.frame_set(math.floor(frame), subframe=frame % 1)

    meshes = [thing for thing in scene.objects if thing.type == "MESH"]
    [body] = [mesh for mesh in meshes if any(modifier.type == "ARMATURE" for modifier in mesh.modifiers)]
    level = [mesh for mesh in meshes if mesh is not body]
    for index, mesh in enumerate(level):
        # Obstacles may have sides in one plane, which would shade each other: each is smaller by a little more.
        mesh.modifiers.new("apart", "DISPLACE").strength = -0.00015 * index
        mesh.modifiers["apart"].mid_level = 0
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
