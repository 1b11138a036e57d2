#!/usr/bin/env bash
# Checks that the WebAssembly build, run in Node, writes the same motions, clips and postures as the native build, byte for byte.
# `tools/wasm.sh` checks all built-in scenes, `tools/wasm.sh NAME...` the given ones. Installs what is missing: the compiler's
# standard library for WebAssembly, from rustup or else Debian's packages, and Node.
set -euo pipefail
cd "$(dirname "$0")/.."

triple=wasm32-unknown-unknown
target="${CARGO_TARGET_DIR:-target}"

install() {
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends "$@"
}

has_standard_library() {
    compgen -G "$(rustc --print target-libdir --target "$triple")/libstd-*.rlib" >/dev/null
}

# Line tables would triple the size of the module. A folder of its own: another compiler may build there.
build() {
    CARGO_PROFILE_RELEASE_DEBUG=false "$@" build --release --locked --quiet --target "$triple" --target-dir "$target/wasm" -p clamber-wasm
}

# Debian's compiler has no standard library for WebAssembly, but can build one from its source.
build_with_debian_compiler() {
    local packages=(rustc-web cargo-web rust-web-src libstd-rust-web-dev lld-19)
    dpkg --status "${packages[@]}" &>/dev/null || install "${packages[@]}"
    export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld-19
    build /usr/bin/cargo -Zbuild-std=std,panic_abort
}

command -v node >/dev/null || install nodejs
cargo build --release --locked --quiet -p clamber-cli
if has_standard_library || { timeout 120 rustup target add "$triple" && has_standard_library; }; then
    build cargo
else
    (build_with_debian_compiler)
fi
exec node tools/wasm.mjs "$target/wasm/$triple/release/clamber_wasm.wasm" "$target/release/clamber" "$@"
