#!/usr/bin/env bash
# Compares the duration of refined motions with the time-optimal parameterization that toppra computes for the same path.
# Installs toppra under the target folder if it is missing. `tools/timing.sh` measures the hold courses,
# `tools/timing.sh SCENE...` the given scenes.
set -euo pipefail
cd "$(dirname "$0")/.."

venv="${CARGO_TARGET_DIR:-target}/timing/venv"
if ! "$venv/bin/python" -c "import numpy, scipy, toppra" >/dev/null 2>&1; then
    python3 -m venv "$venv" >&2
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check toppra numpy scipy >&2
fi
cargo build --release --locked --quiet -p clamber-cli
exec "$venv/bin/python" tools/timing.py "$@"
