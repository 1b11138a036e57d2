#!/usr/bin/env python3
"""Checks the dependencies of the crates: layers, order of modules, licenses and banned crates.

Reads `cargo metadata` and the sources; changes nothing. Prints each violation; exits with 1 if there is any.
"""

import json
import pathlib
import re
import subprocess
import sys

# The workspace crates that each crate may use. Above all, `clamber-check` must not see the planner: its verdict is
# independent only if it cannot share the planner's mistakes.
LAYERS = {
    "clamber-model": set(),
    "clamber-posture": {"clamber-model"},
    "clamber-check": {"clamber-model"},
    "clamber-io": {"clamber-model", "clamber-posture"},
    "clamber-draw": {"clamber-model"},
    "clamber-plan": {"clamber-model", "clamber-posture"},
    "clamber-clip": {"clamber-model", "clamber-posture"},
    "clamber-testing": {"clamber-model", "clamber-io"},
    "clamber": {
        "clamber-model", "clamber-posture", "clamber-plan", "clamber-clip", "clamber-check", "clamber-io", "clamber-draw",
    },
    "clamber-cli": {"clamber"},
    "clamber-wasm": {"clamber"},
}

# Tests may also use these, to read scenes and to check results.
FOR_TESTS = {"clamber-model", "clamber-io", "clamber-check", "clamber-testing"}

# `Bitstream-Vera` is the license of the font that clamber-draw embeds; it allows use, copies and changes in any software.
LICENSES = {
    "0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "Bitstream-Vera",
    "CC0-1.0", "ISC", "MIT", "MIT-0", "Unicode-3.0", "Unlicense", "Zlib",
}

BANNED = {
    "bincode": "abandoned; use postcard",
    "serde_yaml": "deprecated; files are TOML or JSON",
    "openssl-sys": "nothing here needs a network",
    "rand": "its distributions change between releases; use clamber_model::rng",
}

violations = []


def license_is_allowed(expression: str) -> bool:
    """Returns whether an SPDX expression is allowed: any side of an OR, every side of an AND."""
    expression = expression.replace("/", " OR ").strip()
    if expression in LICENSES:
        return True
    while expression.startswith("(") and expression.endswith(")") and "(" not in expression[1:-1]:
        expression = expression[1:-1].strip()
    for operator, holds in (("AND", all), ("OR", any)):
        parts = split_outside_brackets(expression, operator)
        if len(parts) > 1:
            return holds(license_is_allowed(part) for part in parts)
    return expression in LICENSES


def split_outside_brackets(expression: str, operator: str) -> list[str]:
    parts, depth = [""], 0
    for word in re.findall(r"\(|\)|[^\s()]+", expression):
        depth += (word == "(") - (word == ")")
        if word == operator and depth == 0:
            parts.append("")
        else:
            parts[-1] = f"{parts[-1]} {word}".strip()
    return [part.replace("( ", "(").replace(" )", ")") for part in parts]


def check_layers(package: dict) -> None:
    name = package["name"]
    if name not in LAYERS:
        violations.append(f"{name}: not listed in tools/dependencies.py; list the crates it may use there")
        return
    for dependency in package["dependencies"]:
        used = dependency["name"]
        if used not in LAYERS:
            continue
        allowed = LAYERS[name] | (FOR_TESTS if dependency["kind"] == "dev" else set())
        if used not in allowed:
            violations.append(f"{name}: must not use {used} (kind: {dependency['kind'] or 'normal'})")


def check_module_order(package: dict) -> None:
    """Checks that a module of a library uses only modules that lib.rs lists before it."""
    source = pathlib.Path(package["manifest_path"]).parent / "src"
    root = source / "lib.rs"
    if not root.exists():
        return
    modules = re.findall(r"^(?:pub(?:\(crate\))? )?mod (\w+);", root.read_text(), re.M)
    for position, module in enumerate(modules):
        files = [source / f"{module}.rs", *sorted((source / module).glob("**/*.rs"))]
        for file in filter(pathlib.Path.exists, files):
            for number, line in enumerate(file.read_text().splitlines(), 1):
                code = line.split("//")[0]
                for used in re.findall(r"\bcrate::(\w+)", code):
                    if used in modules and modules.index(used) > position:
                        violations.append(f"{file}:{number}: `{module}` uses `{used}`, which lib.rs lists after it")
                    if used not in modules and used[0].isupper():
                        violations.append(f"{file}:{number}: import `crate::{used}` from its module")


def main() -> int:
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    metadata = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    members = set(metadata["workspace_members"])
    for package in metadata["packages"]:
        if package["id"] in members:
            check_layers(package)
            check_module_order(package)
        if package["name"] in BANNED:
            violations.append(f"{package['name']}: banned: {BANNED[package['name']]}")
        if not license_is_allowed(package["license"] or ""):
            violations.append(f"{package['name']}: license {package['license']!r} is not in the list of allowed licenses")
    for violation in violations:
        print(violation, file=sys.stderr)
    print(f"{len(metadata['packages'])} packages, {len(members)} of them in the workspace, {len(violations)} violations")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
