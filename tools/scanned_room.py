#!/usr/bin/env python3
"""Writes the room of scenes/poses/sofa.toml as a scanner delivers it: one noisy mesh of a million triangles, and a scene with it.

    tools/scanned_room.py [--triangles NUMBER] -o FOLDER

The mesh is one closed shell: floor, four walls and the sofa, each vertex off by up to 1.5 mm along each axis, and a smooth outside
that no limb reaches. The human starts as in the sofa's scene, so that contact queries in both can be compared:

    cargo bench -p clamber --bench contact_queries -- sofa --scene FOLDER/scanned-room.toml
"""

import argparse
import array
import itertools
import json
import pathlib
import random
import struct
import sys
import tomllib

SOFA = pathlib.Path(__file__).parent.parent / "scenes/poses/sofa.toml"
NOISE = 0.0015  # greatest error of a vertex along each axis, in meters
WALL = 0.2  # thickness of the shell, in meters
MAX_TRIANGLES = 1_000_000  # of a scene


class Room:
    """The air of a room between axis-aligned boxes, on a grid whose lines include the sides of the boxes."""

    def __init__(self, boxes, low, high, cell):
        self.low, self.high = low, high
        sides = [sorted({low[axis], high[axis], *(corner[axis] for box in boxes for corner in box)}) for axis in range(3)]
        self.lines = []  # along each axis, the coordinates of all lines
        self.blocks = []  # along each axis, the ranges of lines between the sides of boxes
        for axis in range(3):
            lines, blocks = [sides[axis][0]], []
            for start, end in itertools.pairwise(sides[axis]):
                count = max(1, round((end - start) / cell))
                blocks.append((len(lines) - 1, len(lines) - 1 + count))
                lines += [start + (end - start) * (k + 1) / count for k in range(count)]
            self.lines.append(lines)
            self.blocks.append(blocks)
        self.boxes = boxes
        self.middles = [[(a + b) / 2 for a, b in itertools.pairwise(sides[axis])] for axis in range(3)]

    def is_solid(self, block):
        if not all(0 <= k < len(middles) for k, middles in zip(block, self.middles)):
            return True
        point = [middles[k] for k, middles in zip(block, self.middles)]
        return any(all(a < x < b for a, x, b in zip(low, point, high)) for low, high in self.boxes)

    def faces(self):
        """Rectangles between air and solid: the axis of the normal, whether it points along it, the line there and the other blocks."""
        counts = [len(blocks) for blocks in self.blocks]
        for block in itertools.product(*map(range, counts)):
            if self.is_solid(block):
                continue
            for axis, along in itertools.product(range(3), (False, True)):
                beside = [k + (1 if along else -1) * (other == axis) for other, k in enumerate(block)]
                is_ceiling = axis == 1 and along and block[1] + 1 == counts[1]
                if self.is_solid(beside) and not is_ceiling:
                    u, v = (axis + 1) % 3, (axis + 2) % 3
                    yield axis, not along, self.blocks[axis][block[axis]][along], self.blocks[u][block[u]], self.blocks[v][block[v]]

    def rim(self):
        """The upper border of the walls, around the room."""
        (x, y, z) = (len(lines) - 1 for lines in self.lines)
        there = [(i, y, 0) for i in range(x)] + [(x, y, k) for k in range(z)]
        return there + [(i, y, z) for i in range(x, 0, -1)] + [(0, y, k) for k in range(z, 0, -1)]

    def triangle_count(self):
        squares = sum((b - a) * (d - c) for _, _, _, (a, b), (c, d) in self.faces())
        return 2 * squares + 5 * len(self.rim())


class Mesh:
    def __init__(self):
        self.vertices, self.triangles = array.array("f"), array.array("I")

    def add_vertex(self, point):
        self.vertices.extend(point)
        return len(self.vertices) // 3 - 1


def room_of_triangles(boxes, low, high, triangles):
    """The room with the smallest cells that have at most this many triangles."""
    fine, coarse = 0.001, 1.0
    for _ in range(40):
        cell = 0.5 * (fine + coarse)
        fine, coarse = (fine, cell) if Room(boxes, low, high, cell).triangle_count() <= triangles else (cell, coarse)
    return Room(boxes, low, high, coarse)


def mesh_of(room, triangles):
    mesh, known, stream = Mesh(), {}, random.Random(1)

    def noisy(point):
        return mesh.add_vertex([x + stream.uniform(-NOISE, NOISE) for x in point])

    def vertex(at):
        if at not in known:
            known[at] = noisy([lines[k] for lines, k in zip(room.lines, at)])
        return known[at]

    # Squares with a vertex in the middle have two triangles more.
    missing = (triangles - room.triangle_count()) // 2
    for axis, is_positive, line, us, vs in room.faces():
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for i, j in itertools.product(range(*us), range(*vs)):
            corners = []
            for du, dv in ((0, 0), (1, 0), (1, 1), (0, 1)) if is_positive else ((0, 0), (0, 1), (1, 1), (1, 0)):
                at = [line] * 3
                at[u], at[v] = i + du, j + dv
                corners.append(vertex(tuple(at)))
            a, b, c, d = corners
            if missing > 0:
                missing -= 1
                places = [mesh.vertices[3 * corner : 3 * corner + 3] for corner in corners]
                m = mesh.add_vertex([sum(values) / 4 for values in zip(*places)])
                mesh.triangles.extend((a, b, m, b, c, m, c, d, m, d, a, m))
            else:
                # Diagonals alternate.
                mesh.triangles.extend((a, b, c, a, c, d) if (i + j) % 2 == 0 else (a, b, d, b, c, d))
    close_outside(mesh, room, [vertex(at) for at in room.rim()])
    return mesh


def close_outside(mesh, room, rim):
    """Joins the rim of the walls with a box around the room."""
    middle = [(a + b) / 2 for a, b in zip(room.low, room.high)]
    stretch = [1 + 2 * WALL / (b - a) for a, b in zip(room.low, room.high)]
    rings = [rim]
    for height in (room.high[1], room.low[1] - WALL):
        out = lambda x, axis: middle[axis] + (x - middle[axis]) * stretch[axis]
        ring = [(out(room.lines[0][i], 0), height, out(room.lines[2][k], 2)) for i, _, k in room.rim()]
        rings.append([mesh.add_vertex(point) for point in ring])
    for inner, outer in itertools.pairwise(rings):
        for k in range(len(rim)):
            a, b, c, d = inner[k - 1], inner[k], outer[k], outer[k - 1]
            mesh.triangles.extend((a, b, c, a, c, d))
    center = mesh.add_vertex([middle[0], room.low[1] - WALL, middle[2]])
    for k in range(len(rim)):
        mesh.triangles.extend((rings[-1][k - 1], rings[-1][k], center))


def write_glb(path, mesh):
    if sys.byteorder == "big":
        mesh.vertices.byteswap()
        mesh.triangles.byteswap()
    positions, indices = mesh.vertices.tobytes(), mesh.triangles.tobytes()
    count = len(mesh.vertices) // 3
    corner = lambda choose: [choose(mesh.vertices[axis::3]) for axis in range(3)]
    document = {
        "asset": {"version": "2.0", "generator": "tools/scanned_room.py"},
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "room", "mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": count, "type": "VEC3", "min": corner(min), "max": corner(max)},
            {"bufferView": 1, "componentType": 5125, "count": len(mesh.triangles), "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": len(positions)},
            {"buffer": 0, "byteOffset": len(positions), "byteLength": len(indices)},
        ],
        "buffers": [{"byteLength": len(positions) + len(indices)}],
    }
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    data = positions + indices
    with path.open("wb") as file:
        file.write(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(data)))
        file.write(struct.pack("<I4s", len(text), b"JSON") + text)
        file.write(struct.pack("<I4s", len(data), b"BIN\0") + data)


def write_scene(path, sofa, start):
    low, high = sofa["bounds"]["min"], sofa["bounds"]["max"]
    path.write_text(f"""# Written by tools/scanned_room.py.

version = 2
name = "scanned room"
character = "human"
bounds = {{ min = {low}, max = {high} }}
contact_tolerance = {2 * NOISE}

[[obstacle]]
name = "room"
mesh = {{ file = "room.glb" }}
holds = {{ everywhere = true }}

{start}""")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--triangles", type=int, default=MAX_TRIANGLES, help="from 10,000 to 1,000,000")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True, help="the folder of the mesh and the scene")
    args = parser.parse_args()
    if not 10_000 <= args.triangles <= MAX_TRIANGLES:
        parser.error(f"--triangles {args.triangles}: the number of triangles is from 10,000 to {MAX_TRIANGLES:,}")
    text = SOFA.read_text()
    sofa = tomllib.loads(text)
    floor, *furniture = (obstacle["box"] for obstacle in sofa["obstacle"])
    sides = lambda box: [[c + sign * s / 2 for c, s in zip(box["center"], box["size"])] for sign in (-1, 1)]
    low, high = sides(floor)
    # The room stands on the upper side of the floor and has no ceiling.
    low[1], high[1] = high[1], sofa["bounds"]["max"][1]
    boxes = [[[round(x, 6) for x in corner] for corner in sides(box)] for box in furniture]
    room = room_of_triangles(boxes, low, high, args.triangles)
    mesh = mesh_of(room, args.triangles)
    args.output.mkdir(parents=True, exist_ok=True)
    write_glb(args.output / "room.glb", mesh)
    write_scene(args.output / "scanned-room.toml", sofa, text[text.index("[start]") :])
    print(f"{args.output}: {len(mesh.triangles) // 3} triangles, about {room.lines[0][1] - room.lines[0][0]:.4f} m wide")


main()
