#!/usr/bin/env bash
# Draws the shipped scenes for the documentation into docs/pictures: filmstrips, some animations and contact sheets, and two
# Blender renderings.
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
    # For comparison: paths of the published planner before filtering.
    case $name in
        walk | swing | climb | crawl | gauntlet)
            "$clamber" plan "$scene" --planner rpp --raw -o "$folder/raw.json"
            "$clamber" draw "$scene" "$folder/raw.json" -o "docs/pictures/$name-raw.png" "${size[@]}"
            ;;
    esac
done
"$clamber" draw scenes/flight.toml "$folder/flight.json" -o docs/pictures/flight.gif --width 480 --whole

# In space, from above.
for name in duct-human furnished-room insect-rubble; do
    "$clamber" plan "scenes/space/$name.toml" --refine -o "$folder/$name.json"
    "$clamber" draw "scenes/space/$name.toml" "$folder/$name.json" -o "docs/pictures/$name.png" \
        --width 1000 --view 60,35 --poses 14 --no-holds
done

# In space, climbing and hanging.
"$clamber" plan scenes/space/climb-human.toml --seed 2 -o "$folder/climb-human.json"
"$clamber" draw scenes/space/climb-human.toml "$folder/climb-human.json" -o docs/pictures/climb-human.png \
    --width 1000 --view 50,20 --poses 12 --no-holds
"$clamber" plan scenes/space/bars-human.toml --seed 1 -o "$folder/bars-human.json"
"$clamber" draw scenes/space/bars-human.toml "$folder/bars-human.json" -o docs/pictures/bars-human.png \
    --width 1000 --view 30,10 --poses 14 --no-holds
"$clamber" plan scenes/space/insect-wall.toml --seed 1 -o "$folder/insect-wall.json"
"$clamber" draw scenes/space/insect-wall.toml "$folder/insect-wall.json" -o docs/pictures/insect-wall.png \
    --width 1000 --view 50,20 --poses 12 --no-holds

# Contact sheets, and an animation of the gauntlet from just before its first swing.
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

# Exports rendered in Blender.
python=$(tools/blender_python.sh)
for name in climb gauntlet; do
    "$clamber" convert "scenes/$name.toml" "$folder/$name.json" -o "$folder/$name.glb"
done
"$python" tools/render.py "$folder/climb.glb" docs/pictures/climb-blender.png --mode climbing --width 6 >/dev/null
"$python" tools/render.py "$folder/gauntlet.glb" docs/pictures/gauntlet-blender.png --mode swinging --width 8 >/dev/null
