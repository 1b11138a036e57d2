#!/usr/bin/env python3
"""Checks the structure of the code: long functions, long files, import circles between files.

Reads the Rust sources as text; changes nothing. Prints each violation; exits with 1 if there is any.
`--lines` prints the lines of code per crate instead.
"""

import argparse
import pathlib
import re
import sys

MAX_FUNCTION_LINES = 70
MAX_FILE_LINES = 700

FUNCTION = re.compile(r"^(\s*)(?:pub(?:\([^)]*\))? )?(?:const |async |unsafe |extern \"C\" )*fn (\w+)")
PATH = re.compile(r"\b((?:crate|super|self)(?:::\w+)+)")
USE = re.compile(r"^\s*(?:pub(?:\([^)]*\))? )?use ([^;]+);", re.M | re.S)
MODULE = re.compile(r"^\s*(?:pub(?:\([^)]*\))? )?mod (\w+);", re.M)


def sources(root: pathlib.Path) -> list[pathlib.Path]:
    return sorted(file for file in root.glob("crates/*/**/*.rs") if "target" not in file.parts)


def long_functions(file: pathlib.Path) -> list[str]:
    """Returns violations of the length limit. A function ends at the closing brace with its indentation."""
    violations = []
    lines = file.read_text().splitlines()
    for first, line in enumerate(lines):
        match = FUNCTION.match(line)
        if not match:
            continue
        indent = match.group(1)
        last = first
        while last < len(lines) and lines[last] != f"{indent}}}":
            if lines[last].startswith(indent) and lines[last].rstrip().endswith((";", "}")) and last == first:
                break
            last += 1
        length = last - first + 1
        if length > MAX_FUNCTION_LINES:
            violations.append(f"{file}:{first + 1}: `{match.group(2)}` has {length} lines; at most {MAX_FUNCTION_LINES}")
    return violations


def without_tests(text: str) -> str:
    """Returns the text without comments and without its test modules, which come last."""
    text = re.split(r"^#\[cfg\((?:all\()?test[^\n]*\n(?:pub(?:\([^)]*\))? )?mod \w+ \{", text, maxsplit=1, flags=re.M)[0]
    return re.sub(r"//[^\n]*", "", text)


def expand(use: str) -> list[str]:
    """Expands `a::{b, c::{d}}` to `a::b` and `a::c::d`."""
    use = re.sub(r"\s+as \w+", "", re.sub(r"\s+", " ", use)).strip()
    match = re.match(r"^(.*?)\{(.*)\}$", use)
    if not match:
        return [use.replace(" ", "")]
    prefix, inner = match.groups()
    parts, depth, start = [], 0, 0
    for index, character in enumerate(inner + ","):
        depth += (character == "{") - (character == "}")
        if character == "," and depth == 0:
            parts.append(inner[start:index].strip())
            start = index + 1
    return [path for part in parts if part for path in expand(prefix + part)]


class Crate:
    """The files of a crate by module path, with the imports of each."""

    def __init__(self, source: pathlib.Path):
        self.modules = {}
        for file in sorted(source.glob("**/*.rs")):
            parts = list(file.relative_to(source).with_suffix("").parts)
            if parts[-1] in ("mod", "lib", "main"):
                parts.pop()
            self.modules[tuple(parts)] = file
        self.texts = {module: without_tests(file.read_text()) for module, file in self.modules.items()}
        self.children = {module: set(MODULE.findall(text)) for module, text in self.texts.items()}
        self.exports = {module: self.re_exports(module) for module in self.modules}

    def re_exports(self, module: tuple) -> dict[str, tuple]:
        """Returns the names that a module re-exports, each with its original path."""
        exports = {}
        for match in re.finditer(r"^\s*pub(?:\([^)]*\))? use ([^;]+);", self.texts[module], re.M | re.S):
            for path in expand(match.group(1)):
                resolved = self.absolute(module, path)
                if resolved:
                    exports[resolved[-1]] = resolved
        return exports

    def absolute(self, module: tuple, path: str) -> tuple | None:
        """Resolves a path from the crate's root; `None` for other crates."""
        parts = path.split("::")
        if parts[0] == "crate":
            return tuple(parts[1:])
        if parts[0] in ("super", "self"):
            base = list(module)
            while parts and parts[0] in ("super", "self"):
                if parts.pop(0) == "super":
                    if not base:
                        return None
                    base.pop()
            return tuple(base + parts)
        if parts[0] in self.children[module]:
            return module + tuple(parts)
        return None

    def owner(self, path: tuple, depth: int = 0) -> tuple:
        """Returns the module whose file defines a path, through re-exports."""
        module = path
        while module not in self.modules:
            module = module[:-1]
        rest = path[len(module):]
        if rest and depth < 8 and rest[0] in self.exports[module]:
            target = self.exports[module][rest[0]] + rest[1:]
            if target != path:
                return self.owner(target, depth + 1)
        return module

    def imports(self, module: tuple) -> set[tuple]:
        text = self.texts[module]
        paths = [path for use in USE.findall(text) for path in expand(use)]
        body = USE.sub("", text)
        paths += PATH.findall(body)
        paths += [f"{child}::{name}" for child in self.children[module]
                  for name in re.findall(rf"(?<![\w:]){child}::(\w+)", body)]
        resolved = (self.absolute(module, path) for path in paths)
        owners = {self.owner(path) for path in resolved if path}
        # A re-exported name counts as an import of the module that defines it, not of the root or mod.rs.
        return owners - {module}


def circles(graph: dict) -> list[list]:
    """Returns the strongly connected components of more than one file (Tarjan)."""
    index, low, stack, on_stack, found = {}, {}, [], set(), []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        on_stack.add(node)
        for following in sorted(graph[node]):
            if following not in index:
                visit(following)
                low[node] = min(low[node], low[following])
            elif following in on_stack:
                low[node] = min(low[node], index[following])
        if low[node] == index[node]:
            component = []
            while True:
                member = stack.pop()
                on_stack.discard(member)
                component.append(member)
                if member == node:
                    break
            if len(component) > 1:
                found.append(sorted(component))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def import_circles(root: pathlib.Path) -> list[str]:
    violations = []
    for source in sorted(root.glob("crates/*/src")):
        crate = Crate(source)
        graph = {module: crate.imports(module) for module in crate.modules}
        for circle in circles(graph):
            names = ", ".join(str(crate.modules[module]) for module in circle)
            violations.append(f"import circle: {names}")
    return violations


def print_lines(root: pathlib.Path) -> None:
    print("| crate | source | tests, benches, examples |\n|---|---:|---:|")
    for crate in sorted(root.glob("crates/*")):
        count = lambda files: sum(len(file.read_text().splitlines()) for file in files)
        source = count(crate.glob("src/**/*.rs"))
        other = count(file for folder in ("tests", "benches", "examples") for file in crate.glob(f"{folder}/**/*.rs"))
        print(f"| `{crate.name}` | {source:,} | {other:,} |")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", action="store_true", help="print the lines of code per crate")
    root = pathlib.Path(".")
    if parser.parse_args().lines:
        print_lines(root)
        return 0
    violations = [violation for file in sources(root) for violation in long_functions(file)]
    for file in sources(root):
        lines = len(file.read_text().splitlines())
        if lines > MAX_FILE_LINES:
            violations.append(f"{file}: {lines} lines; at most {MAX_FILE_LINES}")
    violations += import_circles(root)
    for violation in violations:
        print(violation, file=sys.stderr)
    print(f"{len(sources(root))} files, {len(violations)} violations")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
