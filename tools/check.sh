#!/usr/bin/env bash
# tools/check.sh [PART...]: what a change must pass beside its tests. Without a PART, all of them,
# and each is run even where one before it failed:
#
#   format      clang-format would change nothing
#   tree        tools/tidy.py finds nothing
#   clang_tidy  clang-tidy finds nothing in the library and the program; headers are read along
#   asan        everything compiles with clang, without a warning, and the tests pass under the
#               address and undefined behaviour sanitizers
#   tsan        the tests of the runtimes pass under the thread sanitizer
#   fuzz        only where it is named: 20 seconds of fuzzing find nothing in each reader (FUZZ_SECONDS)
set -euo pipefail
cd "$(dirname "$0")/.."

jobs=${JOBS:-2}
usual_parts=(format tree clang_tidy asan tsan)
all_parts=("${usual_parts[@]}" fuzz)

# Files of these patterns that git knows, or would take.
cpp_files() { git ls-files -co --exclude-standard -- "$@"; }

configure() { cmake --preset "$1" --log-level=WARNING >/dev/null; }

compile() { configure "$1" && cmake --build --preset "$1" -j "$jobs"; }

check_format() { cpp_files '*.h' '*.cc' | xargs clang-format-19 --dry-run -Werror; }

check_tree() { python3 tools/tidy.py; }

# The library's and the program's sources; of them, if TIDY_NEWEST says so, only as many as that, those
# that were touched last.
tidy_files() {
  local sources=('src/*.cc' 'cli/*.cc' 'reproduce/*.cc')
  if [[ -z ${TIDY_NEWEST:-} ]]; then
    cpp_files "${sources[@]}"
  else
    git log --name-only --pretty=format: -- "${sources[@]}" | awk 'NF && !seen[$0]++' |
      while read -r file; do if [[ -f $file ]]; then echo "$file"; fi; done
  fi | grep -v '_test\.cc$' | awk -v most="${TIDY_NEWEST:-0}" '!most || NR <= most'
}

# Tests are left out: clang-tidy is slow, and what it finds in them matters least. The lines that
# count suppressed warnings of other people's headers are noise.
check_clang_tidy() {
  configure clang &&
    tidy_files |
    xargs -P "$jobs" -n 1 clang-tidy-19 -p build/clang --quiet 2>&1 |
      { grep -v '^[0-9]* warnings\? generated\.$' || true; }
}

# Figures on real data are hundreds of runs of code that other tests have run: make test has them.
check_asan() {
  compile asan && ctest --test-dir build/asan --output-on-failure -j "$jobs" -LE figures
}

check_tsan() {
  local tests=(runtimes_test transports_test threads_test loopback_run_test replay_test resume_test pacing_test newton_test)
  configure tsan && cmake --build --preset tsan -j "$jobs" --target "${tests[@]}" || return
  for test in "${tests[@]}"; do
    "$(find build/tsan -name "$test" -type f)" --gtest_brief=1 || return
  done
}

check_fuzz() { compile fuzz && tools/fuzz.sh "${FUZZ_SECONDS:-20}"; }

main() {
  local parts=("$@") failed=() part start
  ((${#parts[@]})) || parts=("${usual_parts[@]}")
  for part in "${parts[@]}"; do
    if [[ " ${all_parts[*]} " != *" $part "* ]]; then
      echo "check: no part '$part'; there are: ${all_parts[*]}" >&2
      return 2
    fi
    echo "check: $part"
    start=$SECONDS
    "check_$part" || failed+=("$part")
    echo "check: $part took $((SECONDS - start)) s"
  done
  if ((${#failed[@]})); then
    echo "check: failed: ${failed[*]}" >&2
    return 1
  fi
  echo "check: all passed"
}

main "$@"
