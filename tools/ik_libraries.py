#!/usr/bin/env python3
"""Solves the stances of `postures_from_rest` with other inverse kinematics libraries: Pink, mink and PlaCo.

    cargo bench -p clamber --bench postures_from_rest -- human-4 --stances 300 --export stances.json
    python3 -m venv venv && venv/bin/pip install pin-pink mink placo
    venv/bin/python tools/ik_libraries.py stances.json

Each library gets the same contacts and the same start, the rest posture moved and turned to fit the contacts, and only has to
meet the contacts, lay patches flat and keep hinge limits. That is less than Clamber solves: no equilibrium and no self-collision.
Steps are repeated until that is so or MAX_STEPS are taken. Models are built from the character's file. A library that is not
installed is left out. Not part of CI.
"""

import argparse
import json
import math
import os
import pathlib
import sys
import tempfile
import time
import tomllib

# The libraries' linear algebra must not use other cores.
os.environ.setdefault("OMP_NUM_THREADS", "1")

MAX_STEPS = 200
# Steps that do not reduce the worst miss by a tenth end an attempt.
PATIENCE = 30
LIMIT_TOLERANCE = 1e-4
# A radian of a tilted patch weighs as much as this many meters.
FACING_WEIGHT = 0.3

AXES = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}


class Character:
    """The tree of links, hinges and effectors of a character's file."""

    def __init__(self, name):
        file = pathlib.Path(__file__).parent.parent / "characters" / f"{name}.toml"
        data = tomllib.loads(file.read_text())
        self.links, self.effectors = data["link"], data["effector"]
        for link in self.links:
            if "turn" in link or any(not isinstance(hinge["axis"], str) for hinge in link.get("hinges", [])):
                sys.exit(f"{file}: turned joints and slanted axes are not supported here")
        hinges = [hinge for link in self.links for hinge in link.get("hinges", [])]
        self.limits = {hinge["name"]: (math.radians(hinge["min"]), math.radians(hinge["max"])) for hinge in hinges}

    def urdf(self):
        """Returns the character as URDF: a hinge is a revolute joint, an effector a fixed link at its center."""
        lines = [f'<robot name="character">', link_element(self.links[0])]
        for link in self.links[1:]:
            parent, hinges = link["parent"], link.get("hinges", [])
            origin = link.get("at", [0, 0, 0])
            for index, hinge in enumerate(hinges):
                is_last = index + 1 == len(hinges)
                child = link["name"] if is_last else f"{hinge['name']}_part"
                lines.append(link_element(link) if is_last else f'<link name="{child}"/>')
                low, high = self.limits[hinge["name"]]
                lines.append(
                    f'<joint name="{hinge["name"]}" type="revolute"><parent link="{parent}"/><child link="{child}"/>'
                    f'<origin xyz="{text(origin)}"/><axis xyz="{text(AXES[hinge["axis"]])}"/>'
                    f'<limit lower="{low}" upper="{high}" effort="1000" velocity="1000"/></joint>'
                )
                parent, origin = child, [0, 0, 0]
        for effector in self.effectors:
            name = f"at_{effector['name']}"
            lines.append(
                f'<link name="{name}"/><joint name="{name}_joint" type="fixed"><parent link="{effector["link"]}"/>'
                f'<child link="{name}"/><origin xyz="{text(effector["center"])}"/></joint>'
            )
        return "\n".join([*lines, "</robot>"])

    def mjcf(self):
        """Returns the character as MJCF, with a site per effector."""

        def body(link):
            name = link["name"]
            joints = "".join(
                f'<joint name="{hinge["name"]}" axis="{text(AXES[hinge["axis"]])}" limited="true" '
                f'range="{text(self.limits[hinge["name"]])}"/>'
                for hinge in link.get("hinges", [])
            )
            if "parent" not in link:
                joints = '<freejoint name="root"/>'
            sites = "".join(
                f'<site name="at_{effector["name"]}" pos="{text(effector["center"])}"/>'
                for effector in self.effectors
                if effector["link"] == name
            )
            children = "".join(body(child) for child in self.links if child.get("parent") == name)
            inertial = f'<inertial pos="{text(link["center_of_mass"])}" mass="{link["mass"]}" diaginertia="0.1 0.1 0.1"/>'
            return f'<body name="{name}" pos="{text(link.get("at", [0, 0, 0]))}">{joints}{inertial}{sites}{children}</body>'

        return (
            '<mujoco><compiler angle="radian"/><option gravity="0 0 0"/>'
            f"<worldbody>{body(self.links[0])}</worldbody></mujoco>"
        )


def text(numbers):
    return " ".join(str(number) for number in numbers)


def link_element(link):
    return (
        f'<link name="{link["name"]}"><inertial><origin xyz="{text(link["center_of_mass"])}"/><mass value="{link["mass"]}"/>'
        '<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
    )


def shortest_turn(start, end):
    """Returns the rotation matrix of the shortest turn of one unit vector into another."""
    import numpy

    axis, cosine = numpy.cross(start, end), float(numpy.dot(start, end))
    if cosine < -0.9999:
        axis = numpy.cross(start, [1, 0, 0] if abs(start[0]) < 0.9 else [0, 1, 0])
        axis /= numpy.linalg.norm(axis)
        return 2 * numpy.outer(axis, axis) - numpy.eye(3)
    x, y, z = axis
    skew = numpy.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return numpy.eye(3) + skew + skew @ skew / (1 + cosine)


class Library:
    """One library. A subclass keeps a configuration, steps toward the contacts and tells where effectors are."""

    def __init__(self, character, data):
        self.character, self.data = character, data
        self.facings = {effector["name"]: effector.get("facing") for effector in character.effectors}

    def errors(self, contacts):
        """Returns the worst miss in tolerances: below 1, every contact is met and every patch lies flat."""
        import numpy

        worst = 0.0
        for contact in contacts:
            place, rotation = self.effector_frame(contact["effector"])
            miss = numpy.linalg.norm(place - contact["center"])
            worst = max(worst, miss / (self.data["contact_tolerance"] * self.data["body_size"]))
            if contact["facing"]:
                facing = rotation @ numpy.array(self.facings[contact["effector"]])
                tilt = math.atan2(numpy.linalg.norm(numpy.cross(facing, contact["facing"])), facing @ contact["facing"])
                worst = max(worst, tilt / self.data["tilt_tolerance"])
        return worst

    def is_within_limits(self):
        limits = self.character.limits
        angles = {name: self.angle(name) for name in limits}
        return all(
            limits[name][0] - LIMIT_TOLERANCE <= angle <= limits[name][1] + LIMIT_TOLERANCE for name, angle in angles.items()
        )

    def wanted_rotation(self, contact):
        """Returns the rotation nearest to the present one with which a patch lies flat."""
        import numpy

        _, rotation = self.effector_frame(contact["effector"])
        facing = rotation @ numpy.array(self.facings[contact["effector"]])
        return shortest_turn(facing, numpy.array(contact["facing"])) @ rotation

    def solve(self, stance):
        self.begin(stance)
        best, since_best = math.inf, 0
        for _ in range(MAX_STEPS):
            worst = self.errors(stance["contacts"])
            if worst <= 1.0 or since_best >= PATIENCE:
                break
            best, since_best = (worst, 0) if worst < 0.9 * best else (best, since_best + 1)
            try:
                self.step(stance["contacts"])
            except Exception:  # A solver that gives up is a failure of this stance alone.
                break
        return self.errors(stance["contacts"]) <= 1.0 and self.is_within_limits()


class Pinocchio(Library):
    """What Pink and PlaCo share: the model and where effectors are."""

    def load(self):
        import pinocchio

        self.model = pinocchio.buildModelFromXML(self.character.urdf(), pinocchio.JointModelFreeFlyer())
        self.order = {name: self.model.joints[self.model.getJointId(name)].idx_q for name in self.character.limits}

    def start(self, stance):
        import numpy

        start = stance["start"]
        q = numpy.zeros(self.model.nq)
        q[0:3], q[3:7] = start["position"], start["rotation_xyzw"]
        for name, angle in zip(self.data["hinges"], start["angles"]):
            q[self.order[name]] = angle
        return q


class Pink(Pinocchio):
    name, leaves_out = "Pink", "equilibrium, self-collision"

    def __init__(self, character, data):
        super().__init__(character, data)
        import pink

        self.pink = pink
        self.load()

    def begin(self, stance):
        self.configuration = self.pink.Configuration(self.model, self.model.createData(), self.start(stance))
        self.tasks = {}
        for contact in stance["contacts"]:
            # About the facing, a patch may turn: the wanted rotation follows the present one.
            cost = FACING_WEIGHT if contact["facing"] else 0.0
            name = f"at_{contact['effector']}"
            self.tasks[contact["effector"]] = self.pink.FrameTask(name, position_cost=1.0, orientation_cost=cost, lm_damping=1e-3)

    def step(self, contacts):
        import numpy
        import pinocchio

        for contact in contacts:
            rotation = self.wanted_rotation(contact) if contact["facing"] else numpy.eye(3)
            self.tasks[contact["effector"]].set_target(pinocchio.SE3(rotation, numpy.array(contact["center"])))
        velocity = self.pink.solve_ik(self.configuration, self.tasks.values(), 1.0, solver="daqp", damping=1e-6)
        self.configuration.integrate_inplace(velocity, 1.0)

    def effector_frame(self, name):
        frame = self.configuration.get_transform_frame_to_world(f"at_{name}")
        return frame.translation, frame.rotation

    def angle(self, name):
        return self.configuration.q[self.order[name]]


class Placo(Pinocchio):
    name, leaves_out = "PlaCo", "equilibrium, self-collision"

    def __init__(self, character, data):
        super().__init__(character, data)
        import placo

        self.placo = placo
        self.load()
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "robot.urdf").write_text(character.urdf())
            self.robot = placo.RobotWrapper(folder, placo.Flags.ignore_collisions)

    def begin(self, stance):
        q = self.start(stance)
        self.robot.state.q[:7] = q[:7]
        for name in self.character.limits:
            self.robot.set_joint(name, q[self.order[name]])
        self.robot.update_kinematics()
        self.solver = self.placo.KinematicsSolver(self.robot)
        self.solver.enable_joint_limits(True)
        self.solver.enable_velocity_limits(False)
        import numpy

        for contact in stance["contacts"]:
            name = f"at_{contact['effector']}"
            task = self.solver.add_position_task(name, numpy.array(contact["center"]))
            task.configure(name, "soft", 1.0)
            if contact["facing"]:
                facing = numpy.array(self.facings[contact["effector"]], dtype=float)
                task = self.solver.add_axisalign_task(name, facing, numpy.array(contact["facing"]))
                task.configure(f"{name}_facing", "soft", FACING_WEIGHT**2)
        self.solver.add_regularization_task(1e-6)

    def step(self, _contacts):
        self.solver.solve(True)
        self.robot.update_kinematics()

    def effector_frame(self, name):
        frame = self.robot.get_T_world_frame(f"at_{name}")
        return frame[:3, 3], frame[:3, :3]

    def angle(self, name):
        return self.robot.get_joint(name)


class Mink(Library):
    name, leaves_out = "mink", "equilibrium, self-collision"

    def __init__(self, character, data):
        super().__init__(character, data)
        import mink
        import mujoco

        self.mink = mink
        self.model = mujoco.MjModel.from_xml_string(character.mjcf())
        self.order = {name: self.model.joint(name).qposadr[0] for name in character.limits}
        self.sites = {effector["name"]: self.model.site(f"at_{effector['name']}").id for effector in character.effectors}
        self.configuration = mink.Configuration(self.model)
        self.limits = [mink.ConfigurationLimit(self.model)]

    def begin(self, stance):
        import numpy

        start = stance["start"]
        q = numpy.zeros(self.model.nq)
        x, y, z, w = start["rotation_xyzw"]
        q[0:3], q[3:7] = start["position"], [w, x, y, z]
        for name, angle in zip(self.data["hinges"], start["angles"]):
            q[self.order[name]] = angle
        self.configuration.update(q)
        self.tasks = {}
        for contact in stance["contacts"]:
            cost = FACING_WEIGHT if contact["facing"] else 0.0
            name = f"at_{contact['effector']}"
            self.tasks[contact["effector"]] = self.mink.FrameTask(
                name, "site", position_cost=1.0, orientation_cost=cost, lm_damping=1e-3
            )

    def step(self, contacts):
        import numpy

        for contact in contacts:
            rotation = self.wanted_rotation(contact) if contact["facing"] else numpy.eye(3)
            target = self.mink.SE3.from_rotation_and_translation(
                self.mink.SO3.from_matrix(rotation), numpy.array(contact["center"])
            )
            self.tasks[contact["effector"]].set_target(target)
        tasks = list(self.tasks.values())
        velocity = self.mink.solve_ik(self.configuration, tasks, 1.0, "daqp", damping=1e-6, limits=self.limits)
        self.configuration.integrate_inplace(velocity, 1.0)

    def effector_frame(self, name):
        site = self.sites[name]
        return self.configuration.data.site_xpos[site], self.configuration.data.site_xmat[site].reshape(3, 3)

    def angle(self, name):
        return self.configuration.q[self.order[name]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("stances", type=pathlib.Path, help="the file that postures_from_rest exported")
    arguments = parser.parse_args()
    if not arguments.stances.is_file():
        sys.exit(f"{arguments.stances} does not exist; see the command in the docs of this script")
    data = json.loads(arguments.stances.read_text())
    character = Character(data["character"])
    print(f"{'library':<10}{'stances':>8}{'met':>9}{'median (ms)':>13}{'90% (ms)':>10}  leaves out")
    for library in [Pink, Mink, Placo]:
        try:
            solver = library(character, data)
        except ImportError as error:
            print(f"{library.name:<10}is not installed ({error})")
            continue
        times, met = [], 0
        for stance in data["stances"]:
            began = time.process_time()
            met += solver.solve(stance)
            times.append(1e3 * (time.process_time() - began))
        times.sort()
        count = len(times)
        share = 100 * met / max(count, 1)
        median, most = times[count // 2], times[(9 * count) // 10]
        print(f"{library.name:<10}{count:>8}{share:>8.1f}%{median:>13.1f}{most:>10.1f}  {library.leaves_out}", flush=True)


if __name__ == "__main__":
    main()
