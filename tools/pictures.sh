#!/usr/bin/env bash
# Draws the shipped scenes for the documentation: docs/pictures/NAME.png, some as animations and contact sheets, and two
# with Blender.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --locked --quiet --release
clamber="${CARGO_TARGET_DIR:-target}/release/clamber"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p docs/pictures

for scene in scenes/*.toml; do
    name=$(basename "$scene" .toml)
    "$clamber" plan "$scene" --refine -o "$folder/$name.json"
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
"$clamber" draw scenes/flight.toml "$folder/flight.json" -o docs/pictures/flight.gif --width 480 --whole

# Contact sheets, and of the gauntlet the way up to the bars and along them, wherever in the clip that is.
for name in climb gauntlet; do
    "$clamber" draw "scenes/$name.toml" "$folder/$name.json" --sheet -o "docs/pictures/$name-sheet.png"
done
swing=$(python3 - "$folder/gauntlet.json" <<'END'
import json, sys

clip = json.load(open(sys.argv[1], encoding="utf-8"))
first = next(span["first"] for span in clip["spans"] if span["mode"] == "swinging")
print(int(clip["frames"][first]["time"]))
END
)
"$clamber" draw scenes/gauntlet.toml "$folder/gauntlet.json" -o docs/pictures/gauntlet.gif \
    --from $((swing - 4)) --to $((swing + 11)) --width 640

# As Blender shows what was exported.
python=$(tools/blender_python.sh)
for name in climb gauntlet; do
    "$clamber" convert "scenes/$name.toml" "$folder/$name.json" -o "$folder/$name.glb"
done
"$python" tools/render.py "$folder/climb.glb" docs/pictures/climb-blender.png --mode climbing --width 6 >/dev/null
"$python" tools/render.py "$folder/gauntlet.glb" docs/pictures/gauntlet-blender.png --mode swinging --width 8 >/dev/null
