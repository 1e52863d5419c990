#!/bin/bash -eu
# Builds one program with all targets, under the name of each, with its seeds and dictionary.
Fuzz/run build
Fuzz/run dictionaries
for target in $(Fuzz/run list); do
  cp .build/fuzz/fuzz-all "$OUT/fuzz-$target"
  patchelf --set-rpath '$ORIGIN/lib' "$OUT/fuzz-$target"
  folders=()
  for folder in "Fuzz/Seeds/$target" "Fuzz/Regressions/$target"; do
    if [[ -d $folder ]]; then folders+=("$folder"); fi
  done
  if ((${#folders[@]})); then zip -q -r -j "$OUT/fuzz-${target}_seed_corpus.zip" "${folders[@]}"; fi
  if [[ -f .build/fuzz/dictionaries/$target.dict ]]; then
    cp ".build/fuzz/dictionaries/$target.dict" "$OUT/fuzz-$target.dict"
  fi
done
# The libraries that the image for running does not have.
mkdir -p "$OUT/lib"
ldd .build/fuzz/fuzz-all | awk '/libxml2|libarchive|libsqlite3|libswift|libFoundation|lib_Foundation|libdispatch|libBlocks/ {print $3}' |
  xargs -I{} cp {} "$OUT/lib/"
