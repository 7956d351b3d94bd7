"""The syntax pass of make check: clang's own warnings, and machines of 32 bits."""
import os
import platform
import shutil
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
from steps import syntax  # noqa: E402

NARROWS = """#include <stdint.h>
enum kind { ONE, TWO };
struct lease { uint8_t kind : 2; };
void set(struct lease *l, enum kind k);
void set(struct lease *l, enum kind k) { l->kind = k; }
"""
NEEDS_64_BITS = '#include <stdint.h>\n_Static_assert(sizeof(void *) == 8, "padded");\n'
FLAGS = ("clang", "-std=c11", "-Wall", "-Wconversion", "-Werror")

pytestmark = pytest.mark.skipif(not shutil.which("clang"), reason="no clang")


def files(folder, **texts):
    for name, text in texts.items():
        (folder / f"{name}.c").write_text(text)
    return [str(folder / f"{name}.c") for name in texts]


def test_a_file_that_clang_refuses_counts(tmp_path):
    names = files(tmp_path, good="int one(void);\n", bad=NARROWS)
    r = syntax.pass_over("x", FLAGS, names)
    assert (r.passed, r.failed) == (1, 1) and "implicit-int-conversion" in r.outputs[0][1]


@pytest.mark.skipif(platform.machine() != "x86_64", reason="not x86-64")
def test_pointers_of_4_bytes(tmp_path):
    names = files(tmp_path, padded=NEEDS_64_BITS)
    assert syntax.pass_over("x", FLAGS, names).failed == 0
    assert "padded" in syntax.pass_over("x", syntax.for_32_bits(FLAGS, names), names).outputs[0][1]
