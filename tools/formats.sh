#!/usr/bin/env bash
# Opens what Clamber exports with the programs that others use: Blender, USD and the glTF validator. What they need is put
# under the target folder when it is not there yet. `tools/formats.sh` tries a few scenes, `tools/formats.sh SCENE...` those.
set -euo pipefail
cd "$(dirname "$0")/.."

folder="${CARGO_TARGET_DIR:-target}/formats"
python=$(tools/blender_python.sh)
if [ ! -d "$folder/node_modules/gltf-validator" ]; then
    npm install --silent --no-audit --no-fund --prefix "$folder" gltf-validator@2.0.0-dev.3.10
fi
cargo build --release --locked --quiet -p clamber-cli
exec "$python" tools/formats.py "$@"
