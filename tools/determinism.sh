#!/usr/bin/env bash
# The same seed gives the same motion file, byte for byte: twice in a row, from a debug and a release build, beside
# another plan and alone, at once and in slices. Prints the digest of each scene's motion.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --locked --quiet
cargo build --locked --quiet --release
target="${CARGO_TARGET_DIR:-target}"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for scene in scenes/*.toml; do
    name=$(basename "$scene" .toml)
    "$target/debug/clamber" plan "$scene" --seed 3 -o "$folder/debug.json" >"$folder/debug.txt" &
    "$target/release/clamber" plan "$scene" --seed 3 -o "$folder/release.json" >"$folder/release.txt"
    wait $!
    "$target/release/clamber" plan "$scene" --seed 3 -o "$folder/again.json" >"$folder/again.txt"
    cmp "$folder/debug.json" "$folder/release.json"
    cmp "$folder/release.json" "$folder/again.json"
    for threads in 1 2; do
        "$target/release/clamber" bench "$scene" --seeds 4 --threads $threads --json |
            grep '"digest"' >"$folder/threads-$threads.txt"
    done
    cmp "$folder/threads-1.txt" "$folder/threads-2.txt"
    echo "$name: $(sha256sum "$folder/release.json" | cut -c1-16)"
done

# At once and in slices.
for scene in scenes/walk.toml scenes/swing.toml; do
    bench=("$target/release/clamber" bench "$scene" --planner stance --seeds 2 --json)
    "${bench[@]}" | grep '"digest"' >"$folder/at-once.txt"
    "${bench[@]}" --slices 1 | grep '"digest"' >"$folder/slices.txt"
    cmp "$folder/at-once.txt" "$folder/slices.txt"
done
