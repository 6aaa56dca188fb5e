#!/usr/bin/env bash
# tools/demo.sh: the paper's experiment on real pictures, then a sparse classifier of the same data.
# Each command is shown before it is run; what they leave is in demo/.
set -euo pipefail
cd "$(dirname "$0")/.."

asynprox=build/release/asynprox
fashion=/usr/share/datasets/fashion-mnist
pictures=$fashion/train-images-idx3-ubyte.gz

say() {
  echo
  printf '%s\n' "$@"
}
show() {
  printf '\n$ %s\n' "$*"
  "$@"
}

# The non-negative principal component of DATA: first exactly, then by Algorithm 1.
component() {
  local data=$1 picture=("${@:2}")
  local problem=(--loss pca --regularizer nonneg-ball:1 --normalize rows)
  local run=("${problem[@]}" --batch-size 8192 --steps 24 --trace-every 1 --quiet --force)

  say "1. The answer to compare with, by proximal gradient on all the data at every step."
  show "$asynprox" train "$data" "${problem[@]}" --method prox-gd --steps 60 --quiet --force \
    --out demo/reference

  say "2. Algorithm 1 with 1 and with 8 workers: each sums the gradients of its samples at the model" \
    "it last saw, the server steps once 8,192 have come. With 8 workers most are computed at a" \
    "model that is one step old."
  show "$asynprox" train "$data" "${run[@]}" --workers 1 --out demo/workers-1
  show "$asynprox" train "$data" "${run[@]}" --workers 8 --out demo/workers-8 "${picture[@]}"
  table
}

# Psi(x_k) - Psi* of the two runs, side by side, from the traces they left.
table() {
  say "   How far from the optimum, Psi(x_k) - Psi*, after k steps:"
  printf '\n   %6s %8s %14s %14s\n' steps epochs '1 worker' '8 workers'
  awk -F, '
    FNR == 1 { file++; next }
    file == 1 { best = $5; next }
    file == 2 { one[$2] = $5; next }
    $2 % 4 == 0 { printf "   %6d %8.2f %14.2e %14.2e\n", $2, $4, one[$2] - best, $5 - best }
  ' demo/reference/trace.csv demo/workers-1/trace.csv demo/workers-8/trace.csv
}

# Pictures of one kind against all others, by few pixels.
classifier() {
  say "3. A sparse classifier of the same pictures: sneakers (label 7) against the rest, logistic loss" \
    "and l1, every other choice left to the program."
  show "$asynprox" train "$pictures" --positive-label 7 --regularizer l1:1e-3 --normalize rows \
    --epochs 20 --test "$fashion/t10k-images-idx3-ubyte.gz" --out demo/sneakers --force
}

if [[ -r $pictures ]]; then
  say "Non-negative PCA of 60,000 pictures of clothes, as in the paper's experiments:" \
    "  minimise -(1/n) sum_i (z_i'x)^2 / 2  over x >= 0, |x| <= 1.  It is not convex."
  component "$pictures" --picture demo/component.pgm
  say "   The component itself is a picture: demo/component.pgm"
  classifier
else
  say "The pictures of the Debian package dataset-fashion-mnist are not there: a generated data set" \
    "with a planted non-negative component takes their place."
  component generate:nn-pca:n=60000,d=784
fi

say "Each folder of demo/ holds run.json (all settings and results), trace.csv, model.json and events.log." \
  "Next: $asynprox train --help"
