"""Every kernel of rows still asks for its rows ahead: prefetch_test.py OBJECT-FILE.

A compiler may drop a prefetch without a word (GCC 12 does, from a helper that has a loop), and
nothing but speed would tell. So this looks at the machine code.
"""

import re
import shutil
import subprocess
import sys
import unittest
from collections import Counter

FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")
# The level of vector instructions, the form of the rows, the kernel; also in the name of a lambda
# within it.
KERNEL = re.compile(
    r"::(N_\w+)::.*?Kernels<asynprox::RowAccess<(.*?)> >::.*?(dots|scatter|add_products)\(")
OBJECT_FILE = sys.argv.pop() if len(sys.argv) > 1 else ""


def prefetches_by_kernel(disassembly):
    counts, kernel = Counter(), None
    for line in disassembly.splitlines():
        function = FUNCTION.match(line)
        if function:
            match = KERNEL.search(function[1])
            kernel = match.groups() if match else None
            counts[kernel] += 0
        elif "prefetch" in line:
            counts[kernel] += 1
    del counts[None]
    return counts


@unittest.skipUnless(shutil.which("objdump"), "needs objdump")
class Prefetch(unittest.TestCase):
    def test_every_kernel_prefetches(self):
        command = ["objdump", "--disassemble", "--demangle", "--no-show-raw-insn", OBJECT_FILE]
        output = subprocess.run(command, capture_output=True, check=True, text=True).stdout
        counts = prefetches_by_kernel(output)
        self.assertGreaterEqual(len(counts), 90, "kernels were not found")  # 30 forms, 3 kernels
        for kernel, count in counts.items():
            # offsets, except for slots and dense; columns, except for dense; values, except for ones
            form = kernel[1]
            slots, dense = "RowLayout)2" in form, "RowLayout)3" in form
            expected = (not slots and not dense) + (not dense) + ("Ones" not in form)
            self.assertGreaterEqual(count, expected, kernel)


if __name__ == "__main__":
    unittest.main()
