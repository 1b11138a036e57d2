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
    # Long courses need more room, and more poses.
    case $name in
        gauntlet) size=(--width 2400 --poses 60) ;;
        *) size=(--width 1000) ;;
    esac
    "$clamber" draw "$scene" "$folder/$name.json" -o "docs/pictures/$name.png" "${size[@]}"
    # How the published planner's ways look before the filters, to compare.
    case $name in
        walk | swing | climb | crawl | gauntlet)
            "$clamber" plan "$scene" --planner rpp --raw -o "$folder/raw.json"
            "$clamber" draw "$scene" "$folder/raw.json" -o "docs/pictures/$name-raw.png" "${size[@]}"
            ;;
    esac
done
"$clamber" draw scenes/flight.toml "$folder/flight.json" -o docs/pictures/flight.gif --width 480
