#!/usr/bin/env bash
# Opens Clamber's exports in Blender, USD and the glTF validator. Installs them under the target folder if they are missing.
# `tools/formats.sh` checks a few scenes, `tools/formats.sh SCENE...` checks the given ones.
set -euo pipefail
cd "$(dirname "$0")/.."

folder="${CARGO_TARGET_DIR:-target}/formats"
python=$(tools/blender_python.sh)
if [ ! -d "$folder/node_modules/gltf-validator" ]; then
    npm install --silent --no-audit --no-fund --prefix "$folder" gltf-validator@2.0.0-dev.3.10
fi
cargo build --release --locked --quiet -p clamber-cli
exec "$python" tools/formats.py "$@"
