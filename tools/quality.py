#!/usr/bin/env python3
"""Measures how the body carries itself in clips of the shipped courses, and fails where it does so worse than allowed.

Run: tools/quality.py [CLAMBER]
The limits are a little above what the planner reaches: lower them when it improves.
"""
import json
import subprocess
import sys

COURSES = ["walk", "swing", "climb", "crawl", "overhang", "gauntlet", "fork"]
SEEDS = 3
# Seconds, meters and ratios, summed over the courses.
LIMITS = {
    "crawling": 45,
    "hand_raised": 3,
    "leaning_back": 3,
    "hip_over_120": 6,
    "backwards_m": 3,
    "off_support_20cm": 2,
    "worst_margin_m": 0.3,
    "stops_10cm": 75,
    "com_path_ratio": 1.9,
    "frozen_6deg": 70,
    "effort_rms": 3.3,
}


def main():
    clamber = [sys.argv[1]] if len(sys.argv) > 1 else ["cargo", "run", "--release", "--locked", "--quiet", "--"]
    command = [*clamber, "bench", *COURSES, "--quality", "--seeds", str(SEEDS), "--threads", "2", "--json"]
    rows = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    total = rows[-1]["bearing"]
    worse = {name for name, limit in LIMITS.items() if abs(total[name]) > limit}
    for name, value in total.items():
        limit = f"at most {LIMITS[name]}" if name in LIMITS else ""
        print(f"{name:18}{value:10.2f}  {limit}{'  EXCEEDED' if name in worse else ''}")
    sys.exit(1 if worse else 0)


main()
