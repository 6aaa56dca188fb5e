#!/usr/bin/env bash
# tools/setup.sh LEVEL: installs what is missing, and says nothing when nothing is.
#
#   build   what the program needs
#   demo    build, and a data set of pictures if it can be had
#   test    build, and what the tests need
#   python  what the Python package needs to be built
#   check   test, and clang 19 with its tidy, format, sanitizers and fuzzer
#
# On Debian as root it installs with apt-get. Elsewhere it installs nothing: it prints what is
# needed, and fails.
set -euo pipefail

library_packages=(g++ cmake ninja-build libfmt-dev nlohmann-json3-dev libarchive-dev
  libfast-float-dev libhwy-dev libeigen3-dev)
build_packages=("${library_packages[@]}" libcli11-dev libcurl4-openssl-dev)
python_packages=("${library_packages[@]}" python3-venv python3-dev iproute2)
demo_packages=(dataset-fashion-mnist)
# Open MPI is for the runtime mpi, without which the program is complete.
test_packages=(libgtest-dev python3 pkg-config ccache libopenmpi-dev openmpi-bin)
check_packages=(clang-19 clang-tidy-19 clang-format-19 libclang-rt-19-dev)

has_command() { command -v "$1" >/dev/null 2>&1; }

has_header() { printf '#include <%s>\n' "$1" | c++ -std=c++20 -E -x c++ - >/dev/null 2>&1; }

has_sanitizers() {
  printf 'extern "C" int LLVMFuzzerTestOneInput(const char*, long) { return 0; }' |
    clang++-19 -fsanitize=address,fuzzer -x c++ -o /dev/null - 2>/dev/null
}

has_python_headers() {
  local folder
  folder=$(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))' 2>/dev/null) &&
    test -f "$folder/Python.h"
}

# What a package is for, however it came here: from another package, from source, from pyenv.
works_anyway() {
  case $1 in
    ninja-build) has_command ninja ;;
    libcli11-dev) has_header CLI/CLI.hpp ;;
    libfmt-dev) has_header fmt/format.h ;;
    nlohmann-json3-dev) has_header nlohmann/json.hpp ;;
    libarchive-dev) has_header archive.h ;;
    libcurl4-openssl-dev) has_header curl/curl.h ;;
    libfast-float-dev) has_header fast_float/fast_float.h ;;
    libhwy-dev) has_header hwy/highway.h ;;
    libeigen3-dev) has_header eigen3/Eigen/SVD || has_header Eigen/SVD ;;
    python3-venv) python3 -c 'import ensurepip, venv' 2>/dev/null ;;
    python3-dev) has_python_headers ;;
    iproute2) has_command ss && has_command ip ;;
    libgtest-dev) has_header gtest/gtest.h ;;
    libopenmpi-dev) has_command mpicxx ;;
    openmpi-bin) has_command mpirun ;;
    libclang-rt-19-dev) has_sanitizers ;;
    dataset-fashion-mnist) test -d /usr/share/datasets/fashion-mnist ;;
    *) has_command "$1" ;;
  esac
}

is_installed() {
  has_command dpkg-query &&
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# Prints those of its arguments that are not there, on one line.
missing_of() {
  local missing=()
  for package in "$@"; do
    is_installed "$package" || works_anyway "$package" || missing+=("$package")
  done
  echo "${missing[*]-}"
}

install_packages() {
  echo "setup: installing $* (a minute or two)" >&2
  export DEBIAN_FRONTEND=noninteractive
  apt-get -qq update || echo "setup: the package lists could not be refreshed" >&2
  apt-get -qq install -y --no-install-recommends -o DPkg::Lock::Timeout=300 \
    -o Dpkg::Use-Pty=0 "$@" >/dev/null
}

# Installs its arguments, or says how to and fails.
obtain() {
  if ! has_command apt-get; then
    echo "setup: these are needed, by the names Debian has for them: $*" >&2
    return 1
  elif [[ $(id -u) != 0 ]]; then
    printf 'setup: these are missing; please run\n\n  sudo apt-get install %s\n\n' "$*" >&2
    return 1
  else
    install_packages "$@"
  fi
}

main() {
  local level=${1-} needed=("${build_packages[@]}") wanted=() missing
  case $level in
    build) ;;
    demo) wanted=("${demo_packages[@]}") ;;
    test) needed+=("${test_packages[@]}") ;;
    python) needed=("${python_packages[@]}") ;;
    check) needed+=("${test_packages[@]}" "${check_packages[@]}") ;;
    *)
      echo "setup: expected build, demo, test, python or check, got '$level'" >&2
      return 2
      ;;
  esac
  read -ra missing <<<"$(missing_of "${needed[@]}")"
  if ((${#missing[@]})); then obtain "${missing[@]}"; fi
  read -ra missing <<<"$(missing_of "${wanted[@]}")"
  if ((${#missing[@]})); then obtain "${missing[@]}" || echo "setup: going on without" >&2; fi
}

main "$@"
