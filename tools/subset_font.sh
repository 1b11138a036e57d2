#!/usr/bin/env bash
# Writes the font of pictures: DejaVu Sans (npm package dejavu-fonts-ttf) reduced to Latin, Greek, Cyrillic, punctuation, arrows
# and some mathematical signs, without hints and layout tables. Needs npm and fonttools (pip).
set -euo pipefail
folder=$(cd "$(dirname "$0")/../crates/clamber-draw/font" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm pack --silent dejavu-fonts-ttf@2.37.3 >/dev/null
tar xzf dejavu-fonts-ttf-2.37.3.tgz

letters=U+0020-007E,U+00A0-024F,U+02BC,U+02C6,U+02C7,U+02D8-02DD,U+0300-0304,U+0306-030C,U+0327,U+0328,U+0370-03FF,U+0400-052F
letters+=,U+1E00-1EFF
signs=U+2010-2015,U+2018-201E,U+2020-2022,U+2026,U+2030,U+2032,U+2033,U+2039,U+203A,U+2044,U+20AC,U+2116,U+2122,U+2190-21FF
signs+=,U+2202,U+2206,U+2211,U+2212,U+221A,U+221E,U+2248,U+2260,U+2264,U+2265
pyftsubset package/ttf/DejaVuSans.ttf --unicodes="$letters,$signs" --no-hinting --layout-features= \
    --drop-tables+=GPOS,GSUB,GDEF,kern,FFTM --no-recalc-timestamp --output-file="$folder/DejaVuSans-subset.ttf"
cp package/LICENSE "$folder/LICENSE"
