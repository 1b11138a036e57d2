"""Writes reference values for the kinematics tests, computed by Pinocchio.

    pip install pin numpy
    python3 tools/golden_kinematics.py

Builds each shipped character in Pinocchio (a free-flyer and one revolute joint per hinge), evaluates it in double
precision at random configurations and writes crates/clamber-io/tests/golden/<character>.bin. The test
crates/clamber-io/tests/golden_kinematics.rs needs only these files. Run this again after changing a character's links,
hinges, masses or effectors.

File layout (little-endian, no padding, vectors in world axes):

    u32 x 6                 layout version (1), configurations, links, hinges, effectors, velocities
    f32 x 1                 for each velocity, for each degree of freedom
    for each configuration i:
        f32 x 3, f32 x 4    root position, and rotation as a quaternion x, y, z, w
        i16 x 1             for each hinge, its angle in units of 2^-12 radians
        f32 x 6             center of mass, and its velocity
        f32 x 6             for each effector, its center and the velocity of the center
        f32 x 3             for each link, its probe i mod 4: the origin or the end of an axis (see PROBES)

The file stores the configurations, so the test needs no matching random generator. They are rounded before Pinocchio
evaluates them: angles to multiples of 2^-12, which are exact in single and double precision, the root to single precision.

Jacobians are stored as velocities J v, with row i mod `velocities` of v (root translation, root rotation about the
root's origin, hinges; a planar root translates along x and y and rotates about z). Whole Jacobians would take forty
times the space and detect no more errors. Entries of v have magnitudes from 0.5 to 1, so an error in one column appears
with at least half its size in every configuration, and a wrong sign with at least the full column. Signs are random, so
in half the rows any two columns have weights that differ by at least 1, which reveals swapped columns. Errors that
cancel for one row of v do not cancel for all: there are more rows than degrees of freedom. Hinges that carry no effector
(a neck) appear in the velocity of the center of mass.
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
# Points in the frame of every link, in meters; they determine its position and rotation.
PROBES = [(0.0, 0.0, 0.0), (0.25, 0.0, 0.0), (0.0, 0.25, 0.0), (0.0, 0.0, 0.25)]
JOINTS = {"x": pin.JointModelRX, "y": pin.JointModelRY, "z": pin.JointModelRZ}
ROOT_AXES = {"planar": [0, 1, 5], "free": [0, 1, 2, 3, 4, 5]}


class Reference:
    """A character as a Pinocchio model."""

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
        """Adds a link's joints, mass and probes; returns its joint and the placement of the link in that joint."""
        name = link["name"]
        if "parent" in link:
            joint, joint_from_parent = placed[link["parent"]]
            joint_from_link = joint_from_parent * placement(link)
        else:
            joint = self.model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "root")
            joint_from_link = pin.SE3.Identity()
        # Several hinges at one joint form a chain of bodies without mass and length.
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

    def evaluate(self, position, rotation, angles, velocity, probe):
        """Returns the values of one configuration in file order."""
        model, data = self.model, self.data
        quaternion = pin.Quaternion(rotation[3], rotation[0], rotation[1], rotation[2]).normalized()
        q = np.concatenate([position, quaternion.coeffs(), angles])
        # Pinocchio's free-flyer velocity is in local axes, ours in world axes.
        root_velocity = np.zeros(6)
        root_velocity[self.root_axes] = velocity[: len(self.root_axes)]
        to_local = quaternion.toRotationMatrix().T
        root = [to_local @ root_velocity[:3], to_local @ root_velocity[3:]]
        v = np.concatenate([*root, velocity[len(self.root_axes) :]])

        pin.computeJointJacobians(model, data, q)
        pin.updateFramePlacements(model, data)
        values = [pin.centerOfMass(model, data, q).copy(), pin.jacobianCenterOfMass(model, data, q) @ v]
        for effector in self.effectors:
            jacobian = pin.getFrameJacobian(model, data, effector, pin.LOCAL_WORLD_ALIGNED)
            values += [data.oMf[effector].translation.copy(), jacobian[:3] @ v]
        values += [data.oMf[probes[probe]].translation.copy() for probes in self.links]
        return np.concatenate(values)


def placement(link):
    """Returns the placement of a link in its parent: roll about x, then pitch about z, then heading about y."""
    turn = {key: math.radians(link.get("turn", {}).get(key, 0.0)) for key in ("heading", "pitch", "roll")}
    about = pin.utils.rotate
    rotation = about("y", turn["heading"]) @ about("z", turn["pitch"]) @ about("x", turn["roll"])
    return pin.SE3(rotation, np.array(link.get("at", [0.0, 0.0, 0.0]), dtype=float))


def random_root(reference, generator, faces_right):
    """Returns a random position and quaternion, rounded to single precision."""
    position = generator.uniform(-ROOT_RANGE_M, ROOT_RANGE_M, 3)
    rotation = generator.normal(size=4)
    rotation /= np.linalg.norm(rotation)
    if reference.is_planar:
        position[2] = 0.0
        half_pitch = 0.5 * generator.uniform(-math.pi, math.pi)
        sin, cos = math.sin(half_pitch), math.cos(half_pitch)
        # Facing left is a half turn about y after the pitch about z: (0, 1, 0, 0) times (0, 0, sin, cos).
        rotation = np.array([0.0, 0.0, sin, cos] if faces_right else [sin, cos, 0.0, 0.0])
    return position.astype("<f4"), rotation.astype("<f4")


def write_golden(name, configurations, seed):
    with open(REPOSITORY / "characters" / f"{name}.toml", "rb") as file:
        reference = Reference(tomllib.load(file))
    # One generator per character: a change to one character leaves the other files unchanged.
    generator = np.random.default_rng([seed, *name.encode()])
    hinges = len(reference.limits)
    size = (VELOCITIES, len(reference.root_axes) + hinges)
    velocities = (generator.uniform(0.5, 1.0, size) * generator.choice([-1.0, 1.0], size)).astype("<f4")
    counts = [VERSION, configurations, len(reference.links), hinges, len(reference.effectors), VELOCITIES]
    chunks = [struct.pack("<6I", *counts), velocities.tobytes()]
    lowest = [math.ceil(low / ANGLE_UNIT) for low, _ in reference.limits]
    highest = [math.floor(high / ANGLE_UNIT) for _, high in reference.limits]
    for i in range(configurations):
        position, rotation = random_root(reference, generator, faces_right=2 * i < configurations)
        angles = generator.integers(lowest, highest, endpoint=True).astype("<i2")
        velocity = velocities[i % VELOCITIES].astype(float)
        arguments = [position.astype(float), rotation.astype(float), angles * ANGLE_UNIT, velocity]
        values = reference.evaluate(*arguments, probe=i % len(PROBES))
        chunks += [position.tobytes(), rotation.tobytes(), angles.tobytes(), values.astype("<f4").tobytes()]
    path = REPOSITORY / "crates" / "clamber-io" / "tests" / "golden" / f"{name}.bin"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"".join(chunks))
    print(f"{path.relative_to(REPOSITORY)}: {configurations} configurations, {path.stat().st_size} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--configurations", type=int, default=1000, help="number per character (default 1000)")
    parser.add_argument("--seed", type=int, default=1, help="random seed (default 1)")
    arguments = parser.parse_args()
    for name in CHARACTERS:
        write_golden(name, arguments.configurations, arguments.seed)


if __name__ == "__main__":
    main()
