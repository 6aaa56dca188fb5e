#!/usr/bin/env bash
# tools/accuracy.sh [OPTION...]: how long asynprox and packages from PyPI take to the optimum. Leaves
#
#   build/accuracy/venv      the packages, as benchmarks/accuracy/requirements.txt pins them
#   build/accuracy/*.json    the figures
#   docs/accuracy.md         the tables, with the machine they are of
#
# Options are those of benchmarks/accuracy/compare.py. Real data comes from ASYNPROX_DATA_DIR.
set -euo pipefail
cd "$(dirname "$0")/.."

out=build/accuracy
venv=$out/venv
here=benchmarks/accuracy

if [[ -z ${ASYNPROX_DATA_DIR-} ]]; then
  echo "accuracy: ASYNPROX_DATA_DIR: expected a folder with a9a.xz, mushrooms.xz and mnist.xz, got nothing" >&2
  exit 2
fi

# One package at a time where not all can be had: the tables say which are missing.
install_packages() {
  if cmp -s "$here/requirements.txt" "$venv/requirements.txt"; then return; fi
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --requirement "$here/requirements.txt" ||
    while read -r package; do
      "$venv/bin/pip" install --quiet "$package" || echo "accuracy: $package cannot be had here" >&2
    done < <(grep -v '^#' "$here/requirements.txt")
  cp "$here/requirements.txt" "$venv/requirements.txt"
}

describe_machine() {
  local doctor
  doctor=$(build/release/asynprox doctor)
  grep -E '^(processor|kernels|compiled by|libm)' <<<"$doctor"
}

mkdir -p "$out"
install_packages
"$venv/bin/python" "$here/compare.py" --program build/release/benchmarks/bench_accuracy \
  --cli build/release/asynprox --data "$ASYNPROX_DATA_DIR" --out "$out" "$@"
"$venv/bin/python" "$here/page.py" "$out" --machine "$(describe_machine)" >"$out/accuracy.md"
cp "$out/accuracy.md" docs/accuracy.md
echo "accuracy: wrote docs/accuracy.md and $out/*.json" >&2
