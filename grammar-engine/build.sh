#!/usr/bin/env bash
# Compiles the engine to WebAssembly and writes src/grammar/engine/engine.wasm; with --check it compares instead of writing.
#
# Debian's own compiler has no standard library for WebAssembly, so that is compiled too, from Debian's source. The same
# toolchain gives the same bytes: toolchain.txt says which it was. With another one --check says so and ends with 3.
set -euo pipefail
cd "$(dirname "$0")"
out=../src/grammar/engine/engine.wasm
version=../src/grammar/engine/engine-version.ts
linker=/usr/bin/wasm-ld-19

# ends a check that cannot be made here, with the reason
skip() { echo "1 skipped, whether engine.wasm is what its sources give: $1"; exit 3; }

if ! dpkg -s rustc-web cargo-web rust-web-src lld-19 >/dev/null 2>&1; then
  if [ "${1:-}" = --check ]; then skip 'rustc-web, cargo-web, rust-web-src or lld-19 is not installed'; fi
  apt-get install -y -qq --no-install-recommends rustc-web cargo-web rust-web-src lld-19
fi
toolchain=$(dpkg-query -W -f '${Package} ${Version}\n' rustc-web cargo-web rust-web-src lld-19 | sort)
if [ "${1:-}" = --check ] && [ "$toolchain" != "$(cat toolchain.txt)" ]; then
  skip "it was compiled by $(paste -sd, toolchain.txt), and here is $(paste -sd, <<<"$toolchain")"
fi

# so that no path of this machine comes into the bytes
mkdir -p "${CARGO_HOME:-$HOME/.cargo}"
home=$(cd "${CARGO_HOME:-$HOME/.cargo}" && pwd)
source=$(/usr/bin/rustc --print sysroot)
export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1
# llguidance is linked by itself on the way, without what platform.rs gives it: hence --import-undefined
export RUSTFLAGS="-C linker=$linker -C link-arg=--import-undefined -Zunstable-options -Cpanic=immediate-abort \
-C target-feature=+bulk-memory,+sign-ext,+nontrapping-fptoint --cfg=getrandom_backend=\"custom\" \
--remap-path-prefix=$home=/cargo --remap-path-prefix=$PWD=/engine --remap-path-prefix=$source=/rust"
options=(--target wasm32-unknown-unknown -Z build-std=std,panic_abort)
host=$(/usr/bin/rustc -vV | sed -n 's/^host: //p') # macros are compiled for it
/usr/bin/cargo metadata --quiet --no-deps --offline --format-version 1 >/dev/null # the manifest itself is right
if ! error=$(/usr/bin/cargo fetch --quiet --target "$host" "${options[@]}" 2>&1); then
  if [ "${1:-}" = --check ]; then skip "its crates cannot be fetched: $(head -n 1 <<<"$error")"; fi
  echo "$error" >&2; exit 1
fi
nice -n 10 /usr/bin/cargo build --quiet --release --offline "${options[@]}"

folder=${CARGO_TARGET_DIR:-target}/wasm32-unknown-unknown/release
made=$folder/engine.wasm
exports=$(sed -nE 's/^pub (unsafe )?extern "C" fn ([a-z_]+).*/--export=\2/p' src/lib.rs)
# shellcheck disable=SC2086
$linker -flavor wasm --no-entry --gc-sections --strip-all -O2 --stack-first -z stack-size=4194304 $exports \
  "$folder/liblockstep_grammar.a" -o "$made"

if [ "${1:-}" = --check ]; then
  node stamp.mjs "$made"
  cmp "$made" "$out" && echo "src/grammar/engine/engine.wasm is what this toolchain makes of grammar-engine/"
else
  mkdir -p "$(dirname "$out")"
  node stamp.mjs "$made" "$version"
  cp "$made" "$out"
  printf '%s\n' "$toolchain" > toolchain.txt
  # what it was made of and what came out: a test looks whether they still belong together
  sha256sum Cargo.toml src/*.rs "$out" > built.txt
  printf '%s bytes, %s gzip\n' "$(wc -c < "$out")" "$(gzip -9 -n -c "$out" | wc -c)"
fi
