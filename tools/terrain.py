#!/usr/bin/env python3
"""Writes a terrain of half a million triangles and, for the figure and for the human, a scene on it and one on a plain floor.

    tools/terrain.py FOLDER [TRIANGLES]

The terrain is level along the course and has hills beside it, so that both scenes of a character have the same holds and the same
course, and differ only in the number of triangles. Used by the benchmark "Large worlds" in benchmarks/README.md.
"""

import math
import pathlib
import sys

SIDE = 10.0  # of the square terrain, in meters
LEVEL = 1.6  # half width of the level strip, in meters

SCENES = {
    "figure": ("[-1, -1], max = [9, 4]", "[{x}, 0.91]", "left_foot = [{a}, 0], right_foot = [{b}, 0]"),
    "human": (
        "[-1, -0.2, -1.5], max = [9, 2.5, 1.5]",
        "[{x}, 0.95, 0]",
        "left_heel = [{h}, 0, -0.09], right_heel = [{h}, 0, 0.09]",
    ),
}


def height(x, z):
    beside = max(0.0, abs(z) - LEVEL)
    return 0.15 * beside * (1.0 + math.sin(1.7 * x) * math.cos(2.3 * z))


def write_terrain(path, triangles):
    cells = max(1, math.isqrt(triangles // 2))
    with path.open("w") as file:
        for i in range(cells + 1):
            for j in range(cells + 1):
                x, z = SIDE * i / cells - 1.0, SIDE * j / cells - 0.5 * SIDE
                file.write(f"v {x:.5f} {height(x, z):.5f} {z:.5f}\n")
        for i in range(cells):
            for j in range(cells):
                a = i * (cells + 1) + j + 1
                b, c, d = a + 1, a + cells + 1, a + cells + 2
                file.write(f"f {a} {b} {d}\nf {a} {d} {c}\n")
    return 2 * cells * cells


def write_scene(folder, character, ground, shape):
    bounds, position, contacts = SCENES[character]

    def posture(x):
        places = {"x": x, "a": round(x - 0.15, 3), "b": round(x + 0.15, 3), "h": round(x - 0.035, 3)}
        return f"position = {position.format(**places)}\ncontacts = {{ {contacts.format(**places)} }}\nmode = \"walking\"\n"

    goal = 7.0 if character == "figure" else 3.0
    text = f"""version = 1
name = "{character} on {ground}"
character = "{character}"
bounds = {{ min = {bounds} }}

[[obstacle]]
name = "ground"
{shape}
holds = {{ every = 0.3, types = ["load-bearing"] }}

[start]
{posture(0.5)}
[goal]
{posture(goal)}"""
    (folder / f"{character}-{ground}.toml").write_text(text)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    count = write_terrain(folder / "terrain.obj", int(sys.argv[2]) if len(sys.argv) == 3 else 500_000)
    for character in SCENES:
        box = f"box = {{ center = [{0.5 * SIDE - 1}, -0.5, 0], size = [{SIDE}, 1, {SIDE}] }}"
        write_scene(folder, character, "floor", box)
        write_scene(folder, character, "terrain", 'mesh = { file = "terrain.obj" }')
    print(f"{folder}: {count} triangles")


main()
