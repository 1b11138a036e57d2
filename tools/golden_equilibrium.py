"""Writes reference values for the equilibrium tests, computed by the conic solver Clarabel.

    pip install clarabel numpy scipy
    python3 tools/golden_equilibrium.py

Draws random stances of a rigid body and computes how far its center of mass must move for the contacts to carry it: once with the
declared force model (docs of clamber_model::contact), once with the quadratic friction cones and round grips that the
model's polyhedra approximate from inside. Writes crates/clamber-posture/tests/golden/equilibrium.json, which is all that the test
crates/clamber-posture/tests/golden_equilibrium.rs needs. Distances are in meters; a stance that carries the body nowhere
has no distance (null).
"""

import itertools
import json
import math
from pathlib import Path

import clarabel
import numpy as np
from scipy import sparse

REPOSITORY = Path(__file__).resolve().parent.parent
CASES = 400
GRAVITY = 9.81
SIDES = 8
DIRECTIONS = 16
UP = np.array([0.0, 1.0, 0.0])


def unit(vector):
    return vector / np.linalg.norm(vector)


def tangent_of(normal):
    axis = np.array([0.0, 1.0, 0.0]) if abs(normal[0]) > 0.9 else np.array([1.0, 0.0, 0.0])
    return unit(axis - normal * normal.dot(axis))


def rounded(vector):
    """Single precision, as the Rust test reads it."""
    return np.asarray(vector, dtype=np.float32).astype(float)


def random_contact(generator, is_planar):
    def direction(scale):
        off = generator.normal(size=3) * scale
        if is_planar:
            off[2] = 0.0
        return off

    hold = generator.choice(["load-bearing", "hybrid", "pendent"], p=[0.6, 0.2, 0.2])
    base = {"load-bearing": UP, "pendent": -UP, "hybrid": np.array([generator.choice([-1.0, 1.0]), 0.0, 0.0])}[hold]
    normal = rounded(unit(base + direction(0.35)))
    point = generator.uniform(-0.5, 0.5, 3)
    if is_planar:
        point[2] = 0.0
    contact = {
        "hold": str(hold),
        "point": rounded(point).tolist(),
        "normal": normal.tolist(),
        "friction": float(np.float32(generator.uniform(0.2, 1.2))),
        "max_push": float(np.float32(generator.uniform(100, 1500))),
    }
    if generator.random() < 0.5:
        forward = rounded(tangent_of(normal) if is_planar else unit(np.cross(normal, generator.normal(size=3))))
        front, back, width = (float(np.float32(size)) for size in generator.uniform(0.02, 0.15, 3))
        contact["patch"] = {"forward": forward.tolist(), "front": front, "back": back, "width": width}
    if generator.random() < 0.7:
        axis = rounded([0, 0, 1] if is_planar else unit(generator.normal(size=3)))
        width, force = float(np.float32(generator.uniform(0.0, 0.1))), float(np.float32(generator.uniform(100, 900)))
        contact["grip"] = {"axis": axis.tolist(), "width": width, "max_force": force}
    return contact


def points_of(contact):
    """Returns the pressing points and the grip points."""
    point, normal = np.array(contact["point"]), np.array(contact["normal"])
    press, grip = [], []
    if contact["hold"] != "pendent":
        press = [point]
        if "patch" in contact:
            patch = contact["patch"]
            forward = np.array(patch["forward"])
            forward = unit(forward - normal * normal.dot(forward))
            side = np.cross(normal, forward) * (0.5 * patch["width"])
            ends = [point + forward * patch["front"], point - forward * patch["back"]]
            press = [end + sign * side for end in ends for sign in (1.0, -1.0)]
    if contact["hold"] != "load-bearing" and "grip" in contact:
        half = np.array(contact["grip"]["axis"]) * (0.5 * contact["grip"]["width"])
        grip = [point + half, point - half]
    return press, grip


class Program:
    """Forces as variables, with the wrench of each, and the cones and limits that they are in."""

    def __init__(self, is_planar):
        self.wrenches, self.costs = [], []
        self.rows = [0, 1, 5] if is_planar else range(6)
        self.limits, self.cones = [], []

    def add(self, point, force, cost=0.0):
        self.wrenches.append(np.concatenate([force, np.cross(point, force)])[self.rows])
        self.costs.append(cost)
        return len(self.costs) - 1

    def solve(self, carried):
        """Returns the least cost, or None if nothing is feasible."""
        count = len(self.costs)
        blocks = [(np.array(self.wrenches).T, carried[self.rows], clarabel.ZeroConeT(len(self.rows)))]
        for columns, limit in self.limits:
            row = np.zeros((1, count))
            row[0, columns] = 1.0
            blocks.append((row, [limit], clarabel.NonnegativeConeT(1)))
        for matrix, bound, cone in self.cones:
            full = np.zeros((len(bound), count))
            full[:, : matrix.shape[1]] = matrix
            blocks.append((full, bound, cone))
        matrix = sparse.csc_matrix(np.vstack([block[0] for block in blocks]))
        bound = np.concatenate([np.asarray(block[1], dtype=float) for block in blocks])
        settings = clarabel.DefaultSettings()
        settings.verbose = False
        settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-10
        quadratic = sparse.csc_matrix((count, count))
        solver = clarabel.DefaultSolver(
            quadratic, np.array(self.costs), matrix, bound, [block[2] for block in blocks], settings
        )
        solution = solver.solve()
        if solution.status in (clarabel.SolverStatus.PrimalInfeasible, clarabel.SolverStatus.AlmostPrimalInfeasible):
            return None
        assert solution.status in (clarabel.SolverStatus.Solved, clarabel.SolverStatus.AlmostSolved), solution.status
        return max(solution.obj_val, 0.0)


def nonnegative(program, first):
    columns = range(first, len(program.costs))
    matrix = np.zeros((len(columns), len(program.costs)))
    for row, column in enumerate(columns):
        matrix[row, column] = -1.0
    program.cones.append((matrix, np.zeros(len(columns)), clarabel.NonnegativeConeT(len(columns))))


def declared_distance(case):
    """The least displacement with the declared polyhedra."""
    program = Program(case["planar"])
    weight = case["mass"] * GRAVITY
    for contact in case["contacts"]:
        normal = np.array(contact["normal"])
        tangent = tangent_of(normal)
        frame = [normal, tangent, np.cross(normal, tangent)]
        press, grip = points_of(contact)
        first = len(program.costs)
        for point, side in itertools.product(press, range(SIDES)):
            angle = 2.0 * math.pi * side / SIDES
            along = math.cos(angle) * frame[1] + math.sin(angle) * frame[2]
            program.add(point, normal + contact["friction"] * along)
        if press:
            program.limits.append((list(range(first, len(program.costs))), contact["max_push"] / weight))
        first = len(program.costs)
        for point, steps in itertools.product(grip, itertools.product((-1, 0, 1), repeat=3)):
            if steps != (0, 0, 0):
                program.add(point, sum(step * axis for step, axis in zip(unit(np.array(steps)), frame)))
        if grip:
            program.limits.append((list(range(first, len(program.costs))), contact["grip"]["max_force"] / weight))
    if not program.costs:
        return None
    for direction in range(2 if case["planar"] else DIRECTIONS):
        angle = 2.0 * math.pi * direction / (2 if case["planar"] else DIRECTIONS)
        program.wrenches.append(displaced(np.array([math.cos(angle), 0.0, math.sin(angle)]))[program.rows])
        program.costs.append(1.0)
    nonnegative(program, 0)
    return program.solve(carried(case))


def round_distance(case):
    """The least displacement with friction cones, round grips and a Euclidean displacement."""
    program = Program(case["planar"])
    weight = case["mass"] * GRAVITY
    axes = np.eye(3)
    for contact in case["contacts"]:
        normal = np.array(contact["normal"])
        tangent = tangent_of(normal)
        frame = [normal, tangent, np.cross(normal, tangent)]
        press, grip = points_of(contact)
        pushes = []
        for point in press:
            columns = [program.add(point, axis) for axis in frame]
            matrix = np.zeros((3, columns[-1] + 1))
            matrix[0, columns[0]] = -contact["friction"]
            matrix[1, columns[1]] = matrix[2, columns[2]] = -1.0
            program.cones.append((matrix, np.zeros(3), clarabel.SecondOrderConeT(3)))
            pushes.append(columns[0])
        if pushes:
            program.limits.append((pushes, contact["max_push"] / weight))
        sizes = []
        for point in grip:
            columns = [program.add(point, axis) for axis in axes]
            size = program.add(point, np.zeros(3))
            matrix = np.zeros((4, size + 1))
            matrix[0, size] = -1.0
            for row, column in enumerate(columns):
                matrix[row + 1, column] = -1.0
            program.cones.append((matrix, np.zeros(4), clarabel.SecondOrderConeT(4)))
            sizes.append(size)
        if sizes:
            program.limits.append((sizes, contact["grip"]["max_force"] / weight))
    if not program.costs:
        return None
    columns = []
    for axis in (axes[0], axes[2]):
        program.wrenches.append(displaced(axis)[program.rows])
        program.costs.append(0.0)
        columns.append(len(program.costs) - 1)
    size = program.add(np.zeros(3), np.zeros(3), cost=1.0)
    matrix = np.zeros((3, size + 1))
    matrix[0, size] = matrix[1, columns[0]] = matrix[2, columns[1]] = -1.0
    program.cones.append((matrix, np.zeros(3), clarabel.SecondOrderConeT(3)))
    return program.solve(carried(case))


def carried(case):
    return np.concatenate([UP, np.cross(np.array(case["center"]), UP)])


def displaced(direction):
    return np.concatenate([np.zeros(3), -np.cross(direction, UP)])


def main():
    generator = np.random.default_rng(1)
    cases = []
    for number in range(CASES):
        is_planar = number % 2 == 0
        contacts = [random_contact(generator, is_planar) for _ in range(generator.integers(1, 5))]
        center = generator.uniform(-0.5, 0.5, 3)
        if is_planar:
            center[2] = 0.0
        mass = float(np.float32(generator.uniform(5, 100)))
        case = {"planar": is_planar, "mass": mass, "center": rounded(center).tolist(), "contacts": contacts}
        case["distance"], case["round_distance"] = declared_distance(case), round_distance(case)
        cases.append(case)
    carried_cases = sum(case["distance"] is not None and case["distance"] < 1e-6 for case in cases)
    nowhere = sum(case["distance"] is None for case in cases)
    path = REPOSITORY / "crates" / "clamber-posture" / "tests" / "golden" / "equilibrium.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n")
    print(f"{CASES} stances: {carried_cases} carry the body, {nowhere} carry it nowhere")


if __name__ == "__main__":
    main()
