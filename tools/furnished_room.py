#!/usr/bin/env python3
"""Writes scenes/space/furnished-room.glb: a room with furniture, a corridor and a door between them.

    tools/furnished_room.py [-o FILE]

The room is 7 m long (x) and 5 m wide (z), with its floor at y = 0. A corridor is beyond the wall at x = 0. Each node becomes an obstacle
of scenes/space/furnished-room.toml. Nodes are marked in all ways that the format has: by the end of their name, by a table in their extras
and by flat extras, as Blender exports custom properties. The output depends on nothing but this file.
"""

import argparse
import json
import math
import pathlib
import struct

OUTPUT = pathlib.Path(__file__).parent.parent / "scenes/space/furnished-room.glb"

LENGTH, WIDTH, HEIGHT = 7.0, 5.0, 2.6  # of the room
CORRIDOR = 1.5  # width
WALL = 0.1  # thickness
DOOR = (3.2, 4.15, 2.05)  # from z to z, and its height
STAGE, STEP = 4.8, 0.15  # from this x on, the floor is higher by a step

COLORS = {
    "wood": (0.55, 0.38, 0.22), "wall": (0.85, 0.83, 0.78), "floor": (0.62, 0.52, 0.42), "cloth": (0.35, 0.42, 0.55),
    "carpet": (0.6, 0.25, 0.22), "metal": (0.3, 0.3, 0.32), "white": (0.93, 0.93, 0.9), "leaf": (0.3, 0.5, 0.25),
}


def box(low, high):
    """The corners and triangles of a box, which face outward."""
    corners = [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners, [triangle for a, b, c, d in sides for triangle in ((a, b, c), (a, c, d))]


def cylinder(radius, low, high, sides=12):
    """An upright cylinder around the y axis."""
    circle = [(radius * math.cos(k * math.tau / sides), radius * math.sin(k * math.tau / sides)) for k in range(sides)]
    corners = [(x, y, z) for y in (low, high) for x, z in circle] + [(0, low, 0), (0, high, 0)]
    triangles = []
    for k in range(sides):
        a, b = k, (k + 1) % sides
        triangles += [(a, sides + a, b), (b, sides + a, sides + b), (2 * sides, a, b), (2 * sides + 1, sides + b, sides + a)]
    return corners, triangles


def joined(*solids):
    corners, triangles = [], []
    for more, faces in solids:
        triangles += [tuple(len(corners) + corner for corner in face) for face in faces]
        corners += more
    return corners, triangles


def table():
    legs = [box((x - 0.03, 0, z - 0.03), (x + 0.03, 0.71, z + 0.03)) for x in (-0.65, 0.65) for z in (-0.35, 0.35)]
    return joined(box((-0.7, 0.71, -0.4), (0.7, 0.75, 0.4)), *legs)


def chair():
    """Its back is at -x: it faces along x, as a character at rest does."""
    legs = [box((x - 0.02, 0, z - 0.02), (x + 0.02, 0.42, z + 0.02)) for x in (-0.18, 0.18) for z in (-0.18, 0.18)]
    return joined(box((-0.2, 0.42, -0.2), (0.2, 0.45, 0.2)), box((-0.2, 0.45, -0.2), (-0.17, 0.9, 0.2)), *legs)


def sofa():
    """Its back is at +z."""
    seat, back = box((-1.0, 0, -0.4), (1.0, 0.42, 0.4)), box((-1.0, 0.42, 0.2), (1.0, 0.8, 0.4))
    arms = [box((x - 0.1, 0.42, -0.4), (x + 0.1, 0.6, 0.2)) for x in (-0.9, 0.9)]
    return joined(seat, back, *arms)


def shelf():
    sides = [box((x - 0.01, 0, 0), (x + 0.01, 1.9, 0.3)) for x in (-0.59, 0.59)]
    boards = [box((-0.58, y, 0), (0.58, y + 0.02, 0.3)) for y in (0.1, 0.5, 0.9, 1.3, 1.7)]
    return joined(*sides, *boards)


def bed():
    return joined(box((-1.0, 0, -0.5), (1.0, 0.45, 0.5)), box((1.0, 0, -0.5), (1.05, 0.9, 0.5)))


def lamp():
    return joined(cylinder(0.15, 0, 0.03), cylinder(0.02, 0.03, 1.4), cylinder(0.18, 1.4, 1.7))


def plant():
    return joined(cylinder(0.12, 0, 0.25), cylinder(0.25, 0.25, 0.9, 6))


class Gltf:
    """Collects meshes and nodes."""

    def __init__(self):
        self.binary = bytearray()
        self.colors = list(COLORS)
        materials = [
            {"name": name, "pbrMetallicRoughness": {"baseColorFactor": [*color, 1], "metallicFactor": 0, "roughnessFactor": 0.9}}
            for name, color in COLORS.items()
        ]
        self.json = {
            "asset": {"version": "2.0", "generator": "tools/furnished_room.py"}, "scene": 0, "scenes": [{"nodes": []}],
            "nodes": [], "meshes": [], "materials": materials, "accessors": [], "bufferViews": [], "buffers": [],
        }

    def accessor(self, data, target, **keys):
        self.binary += b"\0" * (-len(self.binary) % 4)
        self.json["bufferViews"].append(
            {"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data), "target": target})
        self.json["accessors"].append({"bufferView": len(self.json["bufferViews"]) - 1, **keys})
        self.binary += data
        return len(self.json["accessors"]) - 1

    def mesh(self, name, color, solid):
        corners, triangles = solid
        # As single precision, so that the bounds equal those of the data.
        single = [struct.unpack("<3f", struct.pack("<3f", *corner)) for corner in corners]
        positions = self.accessor(
            b"".join(struct.pack("<3f", *corner) for corner in single), 34962, componentType=5126, count=len(single), type="VEC3",
            min=[min(axis) for axis in zip(*single)], max=[max(axis) for axis in zip(*single)])
        indices = self.accessor(
            b"".join(struct.pack("<3H", *triangle) for triangle in triangles), 34963, componentType=5123,
            count=3 * len(triangles), type="SCALAR")
        primitive = {"attributes": {"POSITION": positions}, "indices": indices, "material": self.colors.index(color)}
        self.json["meshes"].append({"name": name, "primitives": [primitive]})
        return len(self.json["meshes"]) - 1

    def node(self, name, mesh=None, at=None, turn=None, scale=None, extras=None, parent=None):
        """Adds a node, turned about the vertical by an angle in degrees."""
        node = {"name": name}
        if mesh is not None:
            node["mesh"] = mesh
        if at:
            node["translation"] = list(at)
        if turn:
            node["rotation"] = [0, round(math.sin(math.radians(turn) / 2), 9), 0, round(math.cos(math.radians(turn) / 2), 9)]
        if scale:
            node["scale"] = list(scale)
        if extras:
            node["extras"] = extras
        self.json["nodes"].append(node)
        index = len(self.json["nodes"]) - 1
        siblings = self.json["scenes"][0]["nodes"] if parent is None else self.json["nodes"][parent].setdefault("children", [])
        siblings.append(index)
        return index

    def solid(self, name, color, solid, **keys):
        return self.node(name, self.mesh(name, color, solid), **keys)

    def to_glb(self):
        self.binary += b"\0" * (-len(self.binary) % 4)
        self.json["buffers"] = [{"byteLength": len(self.binary)}]
        text = json.dumps(self.json, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(self.binary), b"BIN\0") + self.binary
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def add_walls(gltf):
    """Walls have no holds: nobody walks on top of them."""
    first, last, lintel = DOOR
    west = -CORRIDOR - 2 * WALL
    gltf.solid("floor", "floor", box((west, -0.2, -WALL), (LENGTH + WALL, 0, WIDTH + WALL)))
    gltf.solid("stage", "floor", box((STAGE, 0, 0), (LENGTH, STEP, WIDTH)))
    walls = gltf.node("walls-noholds")
    for name, low, high in [
        ("north wall", (west, 0, -WALL), (LENGTH + WALL, HEIGHT, 0)),
        ("south wall", (west, 0, WIDTH), (LENGTH + WALL, HEIGHT, WIDTH + WALL)),
        ("east wall", (LENGTH, 0, 0), (LENGTH + WALL, HEIGHT, WIDTH)),
        ("corridor wall", (west, 0, 0), (west + WALL, HEIGHT, WIDTH)),
    ]:
        gltf.solid(name, "wall", box(low, high), parent=walls)
    beside = [box((-WALL, 0, 0), (0, HEIGHT, first)), box((-WALL, 0, last), (0, HEIGHT, WIDTH))]
    gltf.solid("door wall", "wall", joined(*beside, box((-WALL, lintel, first), (0, HEIGHT, last))), parent=walls)


def add_furniture(gltf):
    gltf.solid("carpet", "carpet", box((-1.0, 0, -0.6), (1.0, 0.01, 0.6)), at=(2.4, 0, 3.3))
    group = gltf.node("dining", at=(2.4, 0, 1.6))
    gltf.solid("table", "wood", table(), parent=group)
    mesh = gltf.mesh("chair", "wood", chair())
    for name, x, z, turn in [
        ("chair", -0.35, 0.62, 90), ("chair.001", 0.35, 0.62, 90), ("chair.002", -0.35, -0.62, -90), ("chair.003", 0.35, -0.62, -90),
    ]:
        gltf.node(name, mesh, at=(x, 0, z), turn=turn, parent=group)
    gltf.solid("sofa", "cloth", sofa(), at=(2.4, 0, WIDTH - 0.42), extras={"clamber": {"friction": 0.6}})
    gltf.solid("shelf", "wood", shelf(), at=(2.4, 0, 0.01), extras={"clamber_holds": False})
    gltf.solid("bed", "white", bed(), at=(LENGTH - 1.07, STEP, 0.52), extras={"clamber_friction": 0.5})
    gltf.solid("nightstand", "wood", box((-0.2, 0, -0.2), (0.2, 0.5, 0.2)), at=(LENGTH - 0.22, STEP, 1.25), scale=(-1, 1, 1))
    gltf.solid("lamp", "metal", lamp(), at=(0.4, 0, 0.4), extras={"clamber_holds": False})
    gltf.solid("box", "wood", box((-0.2, 0, -0.2), (0.2, 0.35, 0.2)), at=(4.1, 0, 2.75), turn=20)
    gltf.solid("plant-ignore", "leaf", plant(), at=(LENGTH - 0.35, STEP, WIDTH - 0.35))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=pathlib.Path, default=OUTPUT, help="the file to write")
    output = parser.parse_args().output
    gltf = Gltf()
    add_walls(gltf)
    add_furniture(gltf)
    output.write_bytes(gltf.to_glb())


if __name__ == "__main__":
    main()
