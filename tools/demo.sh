#!/usr/bin/env bash
# tools/demo.sh: two short runs, each command shown before it is run. What they leave is in demo/.
set -euo pipefail
cd "$(dirname "$0")/.."

asynprox=build/release/asynprox
pictures=/usr/share/datasets/fashion-mnist
generated=generate:sparse-logistic:n=100000,d=1000,nonzeros=50,seed=7

say() { printf '\n%s\n' "$*"; }

show() {
  printf '\n$ %s\n' "$*"
  "$@"
}

say "A sparse classifier: logistic loss and l1 on 100,000 generated samples of 1,000 features, of" \
  "which 50 matter."
show "$asynprox" train "$generated" --loss logistic --regularizer l1:1e-3 --epochs 10 \
  --out demo/sparse --force
show "$asynprox" evaluate demo/sparse/model.json "$generated"

if [[ -d $pictures ]]; then
  say "The paper's problem: non-negative PCA, on 60,000 pictures of clothes. It is not convex."
  show "$asynprox" train "$pictures/train-images-idx3-ubyte.gz" --loss pca \
    --regularizer nonneg-ball:radius=1 --normalize rows --epochs 10 --out demo/pictures --force
else
  say "The second run needs pictures (the Debian package dataset-fashion-mnist): left out."
fi

say "Each folder of demo/ holds run.json (all settings and results), trace.csv and model.json."
