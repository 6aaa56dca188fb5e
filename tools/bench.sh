#!/usr/bin/env bash
# tools/bench.sh: runs every benchmark of the release build, one after the other, and leaves
#
#   build/bench/NAME.json    the figures
#   docs/benchmarks.md       the tables, with the machine they are of
#
# Real data comes from ASYNPROX_DATA_DIR.
set -euo pipefail
cd "$(dirname "$0")/.."

benchmarks=(rows threads sparse classes lock reading)
out=build/bench
page=$out/benchmarks.md

if [[ -z ${ASYNPROX_DATA_DIR-} ]]; then
  echo "bench: ASYNPROX_DATA_DIR: expected a folder with a9a.xz and mnist.xz, got nothing" >&2
  exit 2
fi

describe_machine() {
  local doctor
  doctor=$(build/release/asynprox doctor)
  grep -E '^(processor|kernels|compiled by|libm)' <<<"$doctor" | sed -E 's/^/    /'
}

mkdir -p "$out"
{
  echo "# Benchmarks"
  echo
  echo "Written by \`make bench\`. Variants take turns within one run, and the best turn of each counts;"
  echo "what to look at are the ratios. One run of a shared machine: others gave ratios 5 to 20 % off, and"
  echo "where the ceiling of two threads is well below 2 the cores were not free, which flatters what"
  echo "stands beside it. All figures are of this machine:"
  echo
  describe_machine
  echo
} >"$page"
for name in "${benchmarks[@]}"; do
  echo "bench: $name" >&2
  "build/release/benchmarks/bench_$name" --json "$out/$name.json" | tee -a "$page"
done
echo "bench: pushes" >&2
benchmarks/pushes.py --json "$out/pushes.json" | tee -a "$page"
cp "$page" docs/benchmarks.md
echo "bench: wrote docs/benchmarks.md and $out/*.json" >&2
