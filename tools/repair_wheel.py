#!/usr/bin/env python3
"""Makes a wheel of build/wheels complete, in dist/, and tries it in an empty virtual environment.

auditwheel copies the libraries that the engine needs into the wheel, but not those that every Linux is supposed to
have. Of these all but glibc's, libstdc++ and libgcc are copied here too, such as libz, which libarchive needs. Then
the wheel is installed and fits a model, and /proc/self/maps must show no library from elsewhere that the
interpreter does not load for itself.
"""

import hashlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = Path(sys.executable).parent
GLIBC = {"libc", "libm", "libdl", "libpthread", "librt", "libresolv", "libutil", "ld-linux-x86-64", "ld-linux-aarch64"}
SYSTEM = GLIBC | {"libstdc++", "libgcc_s"}

FIT = """
import sys
import numpy, scipy.sparse
{0}
outside = {{line.split(maxsplit=5)[5].strip() for line in open("/proc/self/maps") if ".so" in line}}
print("\\n".join(sorted(outside)))
"""
RUN = """
import asynprox
X = scipy.sparse.random_array((60, 8), density=0.5, format="csr", rng=numpy.random.default_rng(0))
result = asynprox.minimize(X, numpy.sign(X @ numpy.arange(-4, 4) + 0.1), regularizer=asynprox.L1(0.01))
assert result.stop_reason == "converged", result
"""


def run(*command):
    return subprocess.run([str(part) for part in command], check=True, stdout=subprocess.PIPE, text=True).stdout


def stem(name):
    """libz of libz.so.1.2.13"""
    return Path(name).name.partition(".so")[0]


def needed(library):
    return run(TOOLS / "patchelf", "--print-needed", library).split()


def place_of(name):
    """Where the dynamic linker finds a library."""
    listed = run("/sbin/ldconfig", "-p")
    found = re.search(rf"^\s+{re.escape(name)} .*=> (\S+)$", listed, re.MULTILINE)
    if found is None:
        sys.exit(f"repair_wheel: {name}: ldconfig -p does not list it")
    return Path(found[1]).resolve()


def graft(folder):
    """Copies what is still needed from the system into the wheel, and lets its libraries need the copies."""
    libraries = next(folder.glob("*.libs"))
    waiting = [*libraries.glob("*.so*"), *folder.glob("asynprox/*.so")]
    copies = {}
    while waiting:
        library = waiting.pop()
        for name in needed(library):
            if stem(name) in SYSTEM or (libraries / name).exists():
                continue
            if name not in copies:
                source = place_of(name)
                digest = hashlib.sha256(source.read_bytes()).hexdigest()[:8]
                copies[name] = libraries / name.replace(".so", f"-{digest}.so", 1)
                shutil.copy(source, copies[name])
                run(TOOLS / "patchelf", "--set-soname", copies[name].name, "--set-rpath", "$ORIGIN", copies[name])
                waiting.append(copies[name])
            run(TOOLS / "patchelf", "--replace-needed", name, copies[name].name, library)
    return sorted(copies)


def check(wheel, folder):
    """Exits with a message unless a fit in an empty environment takes all its libraries from the wheel."""
    run(sys.executable, "-m", "venv", folder)
    python = folder / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", wheel)
    # What Python, NumPy and SciPy load, with the modules of the standard library that asynprox uses.
    standard = "import ctypes, hashlib, html, inspect, json, tempfile, threading, zlib"
    without = set(run(python, "-c", FIT.format(standard)).splitlines())
    mapped = set(run(python, "-c", FIT.format(standard + RUN)).splitlines())
    strange = {
        path for path in mapped - without if stem(path) not in SYSTEM and not Path(path).is_relative_to(folder.resolve())
    }
    if strange:
        sys.exit(f"repair_wheel: expected a fit to load libraries of the wheel only, got {', '.join(sorted(strange))}")
    return sorted(Path(path).name for path in mapped if "asynprox" in path)


def main():
    (built,) = (ROOT / "build" / "wheels").glob("*.whl")
    dist = ROOT / "dist"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(TOOLS / "auditwheel", "repair", "-w", folder / "repaired", built)
        (repaired,) = (folder / "repaired").glob("*.whl")
        run(sys.executable, "-m", "wheel", "unpack", "-d", folder / "unpacked", repaired)
        (unpacked,) = (folder / "unpacked").iterdir()
        # STABLE_ABI would need Python 3.12: the module is of the Python that built it, and so is the wheel's tag.
        (engine,) = unpacked.glob("asynprox/_engine*.so")
        if engine.name != "_engine" + sysconfig.get_config_var("EXT_SUFFIX"):
            sys.exit(f"repair_wheel: expected a module for this Python, got {engine.name}")
        copied = graft(unpacked)
        dist.mkdir(exist_ok=True)
        run(sys.executable, "-m", "wheel", "pack", "-d", dist, unpacked)
        wheel = dist / repaired.name
        loaded = check(wheel, folder / "environment")
    print(f"{wheel.relative_to(ROOT)}: copied {', '.join(copied) or 'nothing'} beside what auditwheel does")
    print(f"a fit in an empty environment loads from it {', '.join(loaded)}; from elsewhere nothing of ours")


if __name__ == "__main__":
    main()
