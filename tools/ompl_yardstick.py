#!/usr/bin/env python3
"""Flies scenes with RRT-Connect of the Open Motion Planning Library, beside Clamber's flight planner.

    cargo build --release -p clamber --example validity_server
    python3 -m venv venv && venv/bin/pip install ompl
    venv/bin/python tools/ompl_yardstick.py scenes/{flight,cave,flight-human,flight-insect}.toml --seeds 20

Both planners ask the same code whether a motion is free (`crates/clamber/examples/validity_server.rs`) and work until the same number of
configurations has been checked: the median that Clamber's search took over the seeds, times --times. Smoothing is left out on both sides.

RRT-Connect plans in position x orientation x hinges. Distances are in meters: what a radian counts is the farthest that it can move a point of
the body. --hinges lists shares of the way from start and goal to the hinges' limits within which hinges are sampled: 1 is all of it. Where the
sampled bodies fold up or spread, they rarely fit anywhere, so small shares favor RRT-Connect. --range lists lengths of its steps in meters; 0 is
its own choice, a fifth of the greatest distance. Clamber's checker judges the paths. Not part of CI.
"""

import argparse
import json
import math
import multiprocessing
import pathlib
import statistics
import struct
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).parent.parent
SERVER = ROOT / "target/release/examples/validity_server"
# Paths are judged as motions whose frames are this far apart, in meters as the planner measures them.
FRAME_STEP = 0.02


class Server:
    """Clamber's checks of one scene, in another process."""

    def __init__(self, binary, scene):
        self.process = subprocess.Popen([binary, scene], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"{binary} does not read {scene}")
        self.problem = json.loads(line)
        self.format = f"<{len(self.problem['start'])}f"
        self.checks, self.seconds = 0, 0.0

    def close(self):
        self.process.stdin.close()
        self.process.wait()

    def request(self, data, answers):
        """Sends a request and returns the answers; notes the work."""
        self.process.stdin.write(data)
        self.process.stdin.flush()
        reply = self.process.stdout.read(answers + 16)
        self.checks, self.seconds = struct.unpack("<Qd", reply[answers:])
        return reply[:answers]

    def is_free(self, configuration):
        return self.request(b"f" + struct.pack("<I", 1) + struct.pack(self.format, *configuration), 1) == b"\1"

    def is_motion_free(self, begin, end):
        packed = struct.pack(self.format, *begin) + struct.pack(self.format, *end)
        return self.request(b"m" + struct.pack("<I", 1) + packed, 1) == b"\1"

    def is_valid(self, frames):
        """Whether Clamber's checker accepts a motion."""
        packed = b"".join(struct.pack(self.format, *frame) for frame in frames)
        return self.request(b"v" + struct.pack("<I", len(frames)) + packed, 1) == b"\1"

    def plan(self, seed):
        """Plans with Clamber: whether a path was found, the configurations checked and the seconds."""
        solved = self.request(b"p" + struct.pack("<Q", seed), 1) == b"\1"
        return solved, self.checks, self.seconds


def multiply(a, b):
    """The product of two quaternions x, y, z, w."""
    (ax, ay, az, aw), (bx, by, bz, bw) = a, b
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


class Space:
    """The character's configurations as a state space of OMPL: position, orientation, hinges."""

    def __init__(self, problem, hinge_share):
        from ompl import base

        self.problem = problem
        self.axes = 2 if problem["is_planar"] else 3
        start, goal = problem["start"], problem["goal"]
        self.space = base.CompoundStateSpace()
        low, high = problem["bounds"]
        self.space.addSubspace(box(list(zip(low, high))[: self.axes]), 1.0)
        orientation = base.SO2StateSpace() if problem["is_planar"] else base.SO3StateSpace()
        self.space.addSubspace(orientation, problem["root_reach"])
        # The coordinate of a hinge is its angle times the farthest that a radian moves a point.
        self.reaches = [max(hinge["reach"], 1e-3) for hinge in problem["hinges"]]
        ranges = []
        for hinge, reach, ends in zip(problem["hinges"], self.reaches, zip(start[7:], goal[7:])):
            least = min(ends) - hinge_share * (min(ends) - hinge["min"])
            most = max(ends) + hinge_share * (hinge["max"] - max(ends))
            # Hinges that may not turn need a range that is not empty.
            ranges.append((reach * (least - 1e-6), reach * (most + 1e-6)))
        self.space.addSubspace(box(ranges), 1.0)

    def state(self, configuration):
        state = self.space.allocState()
        for axis in range(self.axes):
            state[0][axis] = configuration[axis]
        if self.problem["is_planar"]:
            x, y, z, w = multiply(configuration[3:7], conjugate(self.problem["start"][3:7]))
            state[1].value = math.remainder(2 * math.atan2(z, w), math.tau)
        else:
            # OMPL skips ends whose quaternions are only as long as single precision has them.
            length = math.hypot(*configuration[3:7])
            state[1].x, state[1].y, state[1].z, state[1].w = (part / length for part in configuration[3:7])
        for index, reach in enumerate(self.reaches):
            state[2][index] = configuration[7 + index] * reach
        return state

    def configuration(self, state):
        position = [state[0][axis] for axis in range(self.axes)]
        if self.problem["is_planar"]:
            position.append(self.problem["start"][2])
            half = state[1].value / 2
            turn = multiply((0.0, 0.0, math.sin(half), math.cos(half)), self.problem["start"][3:7])
        else:
            turn = (state[1].x, state[1].y, state[1].z, state[1].w)
        return [*position, *turn, *(state[2][index] / reach for index, reach in enumerate(self.reaches))]

    def pieces(self, begin, end):
        """Configurations on the way between two states, FRAME_STEP apart."""
        count = max(1, math.ceil(self.space.distance(begin, end) / FRAME_STEP))
        between = self.space.allocState()
        for piece in range(1, count + 1):
            self.space.interpolate(begin, end, piece / count, between)
            yield self.configuration(between)


def conjugate(quaternion):
    x, y, z, w = quaternion
    return (-x, -y, -z, w)


def box(ranges):
    """A space of real vectors with these ranges."""
    from ompl import base

    space, bounds = base.RealVectorStateSpace(len(ranges)), base.RealVectorBounds(len(ranges))
    for index, (low, high) in enumerate(ranges):
        bounds.setLow(index, low)
        bounds.setHigh(index, high)
    space.setBounds(bounds)
    return space


def connect(task):
    """Runs RRT-Connect once, in a process of its own: its random numbers can be seeded once only."""
    from ompl import base, geometric, util

    util.noOutputHandler()
    util.RNG.setSeed(task["seed"])
    server = Server(task["server"], task["scene"])
    space = Space(server.problem, task["hinges"])
    information = base.SpaceInformation(space.space)

    class Motions(base.MotionValidator):
        def checkMotion(self, begin, end):
            return server.is_motion_free(space.configuration(begin), space.configuration(end))

    information.setStateValidityChecker(lambda state: server.is_free(space.configuration(state)))
    motions = Motions(information)
    information.setMotionValidator(motions)
    information.setup()
    definition = base.ProblemDefinition(information)
    start, goal = (space.state(server.problem[end]) for end in ("start", "goal"))
    if not all(map(space.space.satisfiesBounds, (start, goal))):
        raise ValueError(f"{task['scene']}: start or goal is outside of the space; OMPL would wait for another one")
    definition.setStartAndGoalStates(start, goal)
    planner = geometric.RRTConnect(information)
    planner.setRange(task["range"])
    planner.setProblemDefinition(definition)
    planner.setup()
    begin = time.perf_counter()
    planner.solve(base.PlannerTerminationCondition(lambda: server.checks >= task["budget"]))
    seconds, checks, check_seconds = time.perf_counter() - begin, server.checks, server.seconds
    # A path that was completed by the check that spent the budget counts.
    solved = definition.hasExactSolution()
    result = {"solved": solved, "checks": checks, "seconds": seconds, "check_seconds": check_seconds}
    result["valid"] = solved and is_path_valid(server, space, definition.getSolutionPath())
    server.close()
    return result


def is_path_valid(server, space, path):
    """Asks Clamber's checker, which shares no code with its planner, to judge a path."""
    states = [path.getState(index) for index in range(path.getStateCount())]
    frames = [server.problem["start"]]
    for begin, end in zip(states, states[1:]):
        frames += space.pieces(begin, end)
    return server.is_valid(frames)


def median(values):
    return statistics.median(values) if values else math.nan


def report(name, planner, results, checks_of):
    """Prints a row."""
    solved = [result for result in results if result["solved"]]
    seconds = median([result["seconds"] for result in results])
    check_seconds = [result["check_seconds"] for result in results if result["check_seconds"] is not None]
    in_checks = f"{median(check_seconds):.2f}" if check_seconds else "-"
    is_judged = all(result["valid"] is not None for result in solved)
    valid = sum(result["valid"] for result in solved) if is_judged else "-"
    checks = median([result["checks"] for result in results])
    print(
        f"{name:<15}{planner:<34}{len(solved):>4} of {len(results):<4}{valid:>6}{checks_of:>11}{checks:>11.0f}"
        f"{seconds:>9.2f}{in_checks:>11}",
        flush=True,
    )


def clamber(server, scene, seeds):
    """Plans with Clamber and returns the results. Its paths are not judged here; `clamber bench` does."""
    process = Server(server, scene)
    results = []
    for seed in seeds:
        solved, checks, seconds = process.plan(seed)
        results.append(
            {"solved": solved, "valid": None, "checks": checks, "seconds": seconds, "check_seconds": None}
        )
    name = process.problem["scene"]
    print(f"{name}: {process.problem['degrees_of_freedom']} degrees of freedom", flush=True)
    process.close()
    return name, results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenes", nargs="+")
    parser.add_argument("--seeds", type=int, default=20, help="number of seeds, from 1")
    parser.add_argument("--times", type=float, nargs="+", default=[1.0], help="budgets, as multiples of Clamber's checks")
    parser.add_argument("--hinges", type=float, nargs="+", default=[1.0], help="shares of the hinges' ranges")
    parser.add_argument("--range", type=float, nargs="+", default=[0.0], help="lengths of steps in meters")
    parser.add_argument("--server", default=str(SERVER), help="the program that checks")
    arguments = parser.parse_args()
    seeds = range(1, arguments.seeds + 1)
    header = f"{'scene':<15}{'planner':<34}{'solved':>12}{'valid':>6}{'budget':>11}{'checks':>11}{'seconds':>9}{'in checks':>11}"
    print(header)
    # One process at a time, and a new one for each run.
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for scene in arguments.scenes:
            name, own = clamber(arguments.server, scene, seeds)
            report(name, "Clamber", own, "-")
            median_checks = median([result["checks"] for result in own])
            for times in arguments.times:
                for hinges in arguments.hinges:
                    for length in arguments.range:
                        budget = round(times * median_checks)
                        fixed = {"server": arguments.server, "scene": scene, "budget": budget}
                        tasks = [{**fixed, "seed": seed, "hinges": hinges, "range": length} for seed in seeds]
                        planner = f"RRT-Connect, hinges {hinges:g}, range {length:g}"
                        report(name, planner, pool.map(connect, tasks, chunksize=1), budget)


if __name__ == "__main__":
    main()
