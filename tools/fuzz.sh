#!/usr/bin/env bash
# tools/fuzz.sh SECONDS [TARGET...]: fuzzes each target (all of them) for so long, and prints how many
# inputs it was run on. The programs are those of the preset `fuzz`, already built.
#
# FUZZ_RUNS=N ends a target after N inputs instead, FUZZ_JOBS=J runs J targets at a time (2).
#
# Inputs that reach new code are collected in build/fuzz/corpus, beside the seeds of fuzz/corpus. An
# input that is a finding is left in build/fuzz/findings, and its output is printed:
# build/fuzz/fuzz/fuzz_TARGET FILE runs it again.
set -euo pipefail
cd "$(dirname "$0")/.."

programs=build/fuzz/fuzz
work=build/fuzz
all_targets=(messages run_record model libsvm csv idx binary_form specs config events checkpoints)

# Inputs are small where a form is: an input that is long is slow, and hides less.
max_len() {
  case $1 in
    specs) echo 256 ;;
    messages | idx | libsvm | csv | config) echo 1024 ;;
    *) echo 4096 ;;
  esac
}

# fuzz_one TARGET SECONDS: one line with what came of it; fails for a finding.
fuzz_one() {
  local target=$1 limit="-max_total_time=$2" status=0 log executions
  if [[ -n ${FUZZ_RUNS:-} ]]; then limit="-runs=$FUZZ_RUNS"; fi
  mkdir -p "$work/corpus/$target" "$work/findings"
  log=$work/findings/$target.log
  local options=("$limit" "-max_len=$(max_len "$target")" -timeout=10 -rss_limit_mb=512
    -print_final_stats=1 -verbosity=0 "-artifact_prefix=$work/findings/$target-")
  if [[ -f fuzz/dictionaries/$target.dict ]]; then
    options+=("-dict=fuzz/dictionaries/$target.dict")
  fi
  # The freed memory that the sanitizer keeps back would count as memory of the target.
  ASAN_OPTIONS=quarantine_size_mb=32 "$programs/fuzz_$target" "${options[@]}" \
    "$work/corpus/$target" "fuzz/corpus/$target" >"$log" 2>&1 || status=$?
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  if [[ $status != 0 ]]; then
    cat "$log" >&2
    echo "fuzz: $target: a finding after ${executions:-?} inputs; see $work/findings" >&2
    return 1
  fi
  echo "fuzz: $target: $executions inputs, no finding"
}

main() {
  local seconds=${1:?expected a number of seconds} jobs=${FUZZ_JOBS:-2} failed=0
  shift
  local targets=("$@") target
  ((${#targets[@]})) || targets=("${all_targets[@]}")
  for target in "${targets[@]}"; do
    while (($(jobs -rp | wc -l) >= jobs)); do wait -n || failed=1; done
    fuzz_one "$target" "$seconds" &
  done
  while (($(jobs -p | wc -l) > 0)); do
    wait -n || failed=1
    jobs >/dev/null
  done
  return "$failed"
}

main "$@"
