"""Writes the figures that the kinematics are tested against, computed by another library.

    pip install pin numpy
    python3 tools/golden_kinematics.py

builds each shipped character in Pinocchio (a free-flyer and one revolute joint a hinge), evaluates it in double
precision at random configurations and writes crates/clamber-io/tests/golden/<character>.bin. The test
crates/clamber-io/tests/golden_kinematics.rs needs these files alone. Run this again whenever a character's links,
hinges, masses or effectors change.

The layout, all little-endian and without gaps; vectors are in world axes:

    u32 x 6                 version of this layout (1), configurations, links, hinges, effectors, velocities
    f32 x 1                 for each velocity, for each degree of freedom
    for each configuration i:
        f32 x 3, f32 x 4    the root's place and its rotation as a quaternion x, y, z, w
        i16 x 1             for each hinge its angle, in units of 2^-12 radians
        f32 x 6             the centre of mass, and its velocity
        f32 x 6             for each effector its centre, and that centre's velocity
        f32 x 3             for each link its probe i mod 4: the origin, then the ends of its axes (see PROBES)

Configurations are in the file so that no random generator has to agree. They are rounded before Pinocchio sees them:
angles to multiples of 2^-12, which single and double precision both hold exactly, the root to single precision.

Jacobians are in the file as velocities J v, at row i mod `velocities` of v (root moves, root turns about the root's
origin, hinges; a planar root moves along x and y and turns about z). Whole Jacobians would take forty times the room
and tell no more: an entry of v is between 0.5 and 1 in size, so an error in one column shows at no less than half its
size in every configuration, and a column with the wrong sign at its full length. Signs are random, so of any two
columns half the rows weigh one against the other by a difference of at least 1, which shows it if they are swapped.
Errors that cancel for one row of v do not for the others: there are more rows than degrees of freedom. Hinges that
carry no effector (a neck) show in the velocity of the centre of mass.
"""

import argparse
import math
import struct
import tomllib
from pathlib import Path

import numpy as np
import pinocchio as pin

REPOSITORY = Path(__file__).resolve().parent.parent
CHARACTERS = ["figure", "human", "insect"]
VERSION = 1
VELOCITIES = 64
ANGLE_UNIT = 2.0**-12
ROOT_RANGE_M = 2.0
# Points of every link, in its frame: where it is, and how it is turned.
PROBES = [(0.0, 0.0, 0.0), (0.25, 0.0, 0.0), (0.0, 0.25, 0.0), (0.0, 0.0, 0.25)]
JOINTS = {"x": pin.JointModelRX, "y": pin.JointModelRY, "z": pin.JointModelRZ}
ROOT_AXES = {"planar": [0, 1, 5], "free": [0, 1, 2, 3, 4, 5]}


class Reference:
    """A character as Pinocchio sees it."""

    def __init__(self, entries):
        self.is_planar = entries["root"] == "planar"
        self.root_axes = ROOT_AXES[entries["root"]]
        self.limits = []
        self.links = []
        self.model = pin.Model()
        placed = {}
        for link in entries["link"]:
            placed[link["name"]] = self._add_link(link, placed)
        self.effectors = []
        for effector in entries["effector"]:
            joint, joint_from_link = placed[effector["link"]]
            self.effectors.append(self._add_frame(effector["name"], joint, joint_from_link, effector["center"]))
        self.data = self.model.createData()

    def _add_link(self, link, placed):
        """Adds a link's joints, mass and probes; returns the joint that carries it and where it is in that joint."""
        name = link["name"]
        if "parent" in link:
            joint, joint_from_parent = placed[link["parent"]]
            joint_from_link = joint_from_parent * placement(link)
        else:
            joint = self.model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "root")
            joint_from_link = pin.SE3.Identity()
        # Several hinges at one joint are a chain: the bodies between have no mass and no length.
        for hinge in link.get("hinges", []):
            joint = self.model.addJoint(joint, JOINTS[hinge["axis"]](), joint_from_link, hinge["name"])
            joint_from_link = pin.SE3.Identity()
            self.limits.append((math.radians(hinge["min"]), math.radians(hinge["max"])))
        center = np.array(link.get("center_of_mass", [0.0, 0.0, 0.0]))
        inertia = pin.Inertia(link["mass"], center, np.zeros((3, 3)))
        self.model.appendBodyToJoint(joint, inertia, joint_from_link)
        self.links.append([self._add_frame(f"{name}:{i}", joint, joint_from_link, p) for i, p in enumerate(PROBES)])
        return joint, joint_from_link

    def _add_frame(self, name, joint, joint_from_link, point):
        at = joint_from_link * pin.SE3(np.eye(3), np.array(point, dtype=float))
        return self.model.addFrame(pin.Frame(f"point:{name}", joint, 0, at, pin.FrameType.OP_FRAME))

    def evaluate(self, place, rotation, angles, velocity, probe):
        """The figures of one configuration, in the order of the file."""
        model, data = self.model, self.data
        quaternion = pin.Quaternion(rotation[3], rotation[0], rotation[1], rotation[2]).normalized()
        q = np.concatenate([place, quaternion.coeffs(), angles])
        # Pinocchio's free-flyer moves and turns along its own axes, ours along the world's.
        moves_and_turns = np.zeros(6)
        moves_and_turns[self.root_axes] = velocity[: len(self.root_axes)]
        to_local = quaternion.toRotationMatrix().T
        root = [to_local @ moves_and_turns[:3], to_local @ moves_and_turns[3:]]
        v = np.concatenate([*root, velocity[len(self.root_axes) :]])

        pin.computeJointJacobians(model, data, q)
        pin.updateFramePlacements(model, data)
        figures = [pin.centerOfMass(model, data, q).copy(), pin.jacobianCenterOfMass(model, data, q) @ v]
        for effector in self.effectors:
            jacobian = pin.getFrameJacobian(model, data, effector, pin.LOCAL_WORLD_ALIGNED)
            figures += [data.oMf[effector].translation.copy(), jacobian[:3] @ v]
        figures += [data.oMf[probes[probe]].translation.copy() for probes in self.links]
        return np.concatenate(figures)


def placement(link):
    """Where a link's joint is in its parent: turned by roll about x, then pitch about z, then heading about y."""
    turn = {key: math.radians(link.get("turn", {}).get(key, 0.0)) for key in ("heading", "pitch", "roll")}
    about = pin.utils.rotate
    rotation = about("y", turn["heading"]) @ about("z", turn["pitch"]) @ about("x", turn["roll"])
    return pin.SE3(rotation, np.array(link.get("at", [0.0, 0.0, 0.0]), dtype=float))


def random_root(reference, generator, looks_right):
    """A place and a quaternion, rounded to single precision."""
    place = generator.uniform(-ROOT_RANGE_M, ROOT_RANGE_M, 3)
    rotation = generator.normal(size=4)
    rotation /= np.linalg.norm(rotation)
    if reference.is_planar:
        place[2] = 0.0
        half_pitch = 0.5 * generator.uniform(-math.pi, math.pi)
        sin, cos = math.sin(half_pitch), math.cos(half_pitch)
        # To look left is a half turn about y after the pitch about z: (0, 1, 0, 0) times (0, 0, sin, cos).
        rotation = np.array([0.0, 0.0, sin, cos] if looks_right else [sin, cos, 0.0, 0.0])
    return place.astype("<f4"), rotation.astype("<f4")


def write_golden(name, configurations, seed):
    with open(REPOSITORY / "characters" / f"{name}.toml", "rb") as file:
        reference = Reference(tomllib.load(file))
    # A generator a character, so that a change in one leaves the others' files as they are.
    generator = np.random.default_rng([seed, *name.encode()])
    hinges = len(reference.limits)
    size = (VELOCITIES, len(reference.root_axes) + hinges)
    velocities = (generator.uniform(0.5, 1.0, size) * generator.choice([-1.0, 1.0], size)).astype("<f4")
    counts = [VERSION, configurations, len(reference.links), hinges, len(reference.effectors), VELOCITIES]
    chunks = [struct.pack("<6I", *counts), velocities.tobytes()]
    lowest = [math.ceil(low / ANGLE_UNIT) for low, _ in reference.limits]
    highest = [math.floor(high / ANGLE_UNIT) for _, high in reference.limits]
    for i in range(configurations):
        place, rotation = random_root(reference, generator, looks_right=2 * i < configurations)
        angles = generator.integers(lowest, highest, endpoint=True).astype("<i2")
        velocity = velocities[i % VELOCITIES].astype(float)
        arguments = [place.astype(float), rotation.astype(float), angles * ANGLE_UNIT, velocity]
        figures = reference.evaluate(*arguments, probe=i % len(PROBES))
        chunks += [place.tobytes(), rotation.tobytes(), angles.tobytes(), figures.astype("<f4").tobytes()]
    path = REPOSITORY / "crates" / "clamber-io" / "tests" / "golden" / f"{name}.bin"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"".join(chunks))
    print(f"{path.relative_to(REPOSITORY)}: {configurations} configurations, {path.stat().st_size} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--configurations", type=int, default=1000, help="a character; default 1000")
    parser.add_argument("--seed", type=int, default=1, help="default 1")
    arguments = parser.parse_args()
    for name in CHARACTERS:
        write_golden(name, arguments.configurations, arguments.seed)


if __name__ == "__main__":
    main()
