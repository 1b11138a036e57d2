#!/usr/bin/env bash
# Prints the path of a Python with Blender, USD and NumPy. Creates the environment under the target folder if it is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

venv="${CARGO_TARGET_DIR:-target}/formats/venv"
if ! "$venv/bin/python" -c "import bpy, numpy, pxr" >/dev/null 2>&1; then
    # The Blender module is built for this Python version only.
    python3.11 -m venv "$venv" >&2
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "bpy==4.5.*" usd-core numpy >&2
fi
echo "$venv/bin/python"
