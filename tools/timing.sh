#!/usr/bin/env bash
# Compares how fast refined motions are with the fastest that toppra finds on the same way. What it needs is put under the
# target folder when it is not there yet. `tools/timing.sh` tries the courses on holds, `tools/timing.sh SCENE...` those.
set -euo pipefail
cd "$(dirname "$0")/.."

venv="${CARGO_TARGET_DIR:-target}/timing/venv"
if ! "$venv/bin/python" -c "import numpy, scipy, toppra" >/dev/null 2>&1; then
    python3 -m venv "$venv" >&2
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check toppra numpy scipy >&2
fi
cargo build --release --locked --quiet -p clamber-cli
exec "$venv/bin/python" tools/timing.py "$@"
