#!/usr/bin/env bash
# Compares the public API of every library with the listings in docs/public-api/. `--update` rewrites the listings.
set -euo pipefail
cd "$(dirname "$0")/.."

version=0.52.0
cargo public-api --version 2>/dev/null | grep -q "$version" || cargo install --locked cargo-public-api --version "$version"

# A separate target folder: the variable below changes the build, so sharing a folder would recompile everything.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/public-api

changed=0
for crate in clamber clamber-model clamber-posture clamber-check clamber-io clamber-draw clamber-plan clamber-clip; do
    # The JSON output of rustdoc is unstable; the variable lets a stable compiler write it.
    RUSTC_BOOTSTRAP=1 cargo rustdoc --quiet --locked -p "$crate" --lib -- -Z unstable-options --output-format json --cap-lints allow
    listing=docs/public-api/$crate.txt
    new=$(mktemp)
    cargo public-api --rustdoc-json "$CARGO_TARGET_DIR/doc/${crate//-/_}.json" -sss --color=never >"$new"
    if [ "${1:-}" = --update ]; then
        mkdir -p "$(dirname "$listing")"
        mv "$new" "$listing"
    elif ! diff -u "$listing" "$new"; then
        changed=1
    fi
done
if [ "$changed" = 1 ]; then
    echo "The public API changed. Review the difference above, then run tools/public_api.sh --update." >&2
    exit 1
fi
