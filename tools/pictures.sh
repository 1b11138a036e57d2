#!/usr/bin/env bash
# Draws the shipped scenes for the documentation: docs/pictures/NAME.png, and the first as an animation.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --locked --quiet --release
clamber="${CARGO_TARGET_DIR:-target}/release/clamber"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p docs/pictures

for scene in scenes/*.toml; do
    name=$(basename "$scene" .toml)
    "$clamber" plan "$scene" -o "$folder/$name.json"
    "$clamber" draw "$scene" "$folder/$name.json" -o "docs/pictures/$name.png" --width 1000
done
"$clamber" draw scenes/flight.toml "$folder/flight.json" -o docs/pictures/flight.gif --width 480
