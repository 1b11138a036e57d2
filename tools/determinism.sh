#!/usr/bin/env bash
# Checks that a seed always gives the same motion file, byte for byte: in repeated runs, in debug and release builds, with
# one and two threads, in one call and in slices. Prints the digest of each scene's motion.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --locked --quiet
cargo build --locked --quiet --release
target="${CARGO_TARGET_DIR:-target}"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# A seed without a solution (status 3) must give the same partial motion every time.
plan() {
    local build=$1 scene=$2 name=$3
    "$target/$build/clamber" plan "$scene" --seed 3 --partial --no-picture -o "$folder/$name.json" \
        >"$folder/$name.txt" 2>&1 || [ $? -eq 3 ]
}

for scene in scenes/*.toml; do
    name=$(basename "$scene" .toml)
    # Long courses get fewer seeds.
    case $name in
        climb | crawl | fork | gauntlet) seeds=2 ;;
        *) seeds=4 ;;
    esac
    plan debug "$scene" debug &
    plan release "$scene" release
    wait $!
    plan release "$scene" again
    cmp "$folder/debug.json" "$folder/release.json"
    cmp "$folder/release.json" "$folder/again.json"
    for threads in 1 2; do
        { "$target/release/clamber" bench "$scene" --seeds $seeds --threads $threads --json || [ $? -eq 3 ]; } |
            grep '"digest"' >"$folder/threads-$threads.txt"
    done
    cmp "$folder/threads-1.txt" "$folder/threads-2.txt"
    echo "$name: $(sha256sum "$folder/release.json" | cut -c1-16)"
done

# In one call and in slices.
for scene in scenes/walk.toml scenes/swing.toml scenes/climb.toml; do
    bench=("$target/release/clamber" bench "$scene" --planner stance --seeds 2 --json)
    "${bench[@]}" | grep '"digest"' >"$folder/at-once.txt"
    "${bench[@]}" --slices 1 | grep '"digest"' >"$folder/slices.txt"
    cmp "$folder/at-once.txt" "$folder/slices.txt"
done

# Clips must be deterministic too.
for scene in scenes/walk.toml scenes/climb.toml; do
    for build in debug release; do
        "$target/$build/clamber" plan "$scene" --seed 3 --refine -o "$folder/clip-$build.json" >/dev/null
    done
    cmp "$folder/clip-debug.json" "$folder/clip-release.json"
done
