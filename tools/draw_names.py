#!/usr/bin/env python3
"""Draws public names and file names for a guessing test, seeded with the commit.

    python3 tools/draw_names.py [COUNT]

In the test, an engineer who knows the field but not this project guesses the meaning of each name from the name alone. Half
of the names are public items (types, functions, methods, fields and variants) in docs/public-api/, half are source files.
"""

import pathlib
import random
import re
import subprocess
import sys


def public_names() -> list[str]:
    names = set()
    for listing in pathlib.Path("docs/public-api").glob("*.txt"):
        for line in listing.read_text().splitlines():
            if line.startswith("impl"):
                continue
            match = re.search(r"\b(clamber\w*(?:::\w+)+)", line)
            # Skip methods of foreign traits.
            if match and not re.search(r"::(fmt|from|into|default|clone|eq|cmp|partial_cmp|hash|index|index_mut|source)$", match.group(1)):
                names.add(match.group(1))
    return sorted(names)


def file_names() -> list[str]:
    files = subprocess.run(["git", "ls-files", ":(glob)crates/*/src/**/*.rs"],
                           check=True, capture_output=True, text=True).stdout.splitlines()
    return sorted(file for file in files if not file.endswith(("lib.rs", "main.rs", "mod.rs")))


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    commit = subprocess.run(["git", "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    draw = random.Random(commit)
    names = draw.sample(public_names(), count // 2) + draw.sample(file_names(), count - count // 2)
    print(f"commit {commit}")
    for number, name in enumerate(names, 1):
        print(f"{number:2}. {name}")


if __name__ == "__main__":
    main()
