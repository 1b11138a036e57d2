#!/usr/bin/env bash
# Draws the postures of docs/postures.md into docs/pictures/postures, each from two sides. `CLAMBER` names a command that is built already.
set -euo pipefail
cd "$(dirname "$0")/.."

[ -n "${CLAMBER:-}" ] || cargo build --locked --quiet --release
clamber="${CLAMBER:-${CARGO_TARGET_DIR:-target}/release/clamber}"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
pictures=docs/pictures/postures
mkdir -p "$pictures"

# draw NAME SCENE ARGUMENT...: a posture from two sides.
draw() {
    local name=$1 scene=scenes/poses/$2.toml
    shift 2
    echo "$name: $("$clamber" pose "$scene" "$@" -o "$folder/$name.json" | tail -1)"
    "$clamber" draw "$scene" "$folder/$name.json" --view=-40,20 --width 900 -o "$pictures/$name-1.png"
    "$clamber" draw "$scene" "$folder/$name.json" --view=140,20 --width 900 -o "$pictures/$name-2.png"
}

draw sofa sofa --task up
draw chair chair --task up
draw push push --task forward --push --object cupboard
draw push-wall push-wall --task forward --push --object cupboard
draw pull pull --task backward --object handle
draw pull-wall pull-wall --task backward --object handle
draw pull-rope pull-rope --task backward --object rope
draw books books --task forward
draw reach reach --reach cup
draw lean lean --lean forward
draw lean-wall lean-wall --lean forward

# The climbing wall is seen from the front, in eight directions.
number=0
for direction in 0,1,0 0,1,1 0,0,1 0,-1,1 0,-1,0 0,-1,-1 0,0,-1 0,1,-1; do
    number=$((number + 1))
    "$clamber" pose scenes/poses/climbing-wall.toml --task "$direction" -o "$folder/climb.json" | tail -1
    "$clamber" draw scenes/poses/climbing-wall.toml "$folder/climb.json" --view=155,10 --width 500 --no-holds \
        -o "$pictures/climbing-wall-$number.png"
done

# Along a path.
"$clamber" pose scenes/poses/books.toml --through 0.15,0.3,0 --through 1,0.32,0 --through 1.8,0.3,0 -o "$folder/path.json" | tail -1
"$clamber" draw scenes/poses/books.toml "$folder/path.json" --sheet --poses 8 -o "$pictures/books-path.png"
"$clamber" pose scenes/poses/climbing-wall.toml --through 0,2.35,0 -o "$folder/path.json" | tail -1
"$clamber" draw scenes/poses/climbing-wall.toml "$folder/path.json" --sheet --poses 8 --view=-60,10 -o "$pictures/climbing-wall-path.png"
