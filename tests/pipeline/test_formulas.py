"""Formulas from strangers: what is said of the bad ones, and that the hostile ones get nowhere."""

import re
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from clockhead.storyboard import formulas
from clockhead.storyboard.formulas import FormulaChecker
from clockhead.workers import Worker
from tests.pipeline.project import is_alive, wait_until

pytestmark = pytest.mark.xdist_group("formulas")

PROC = Path("/proc")
needs_proc = pytest.mark.skipif(not PROC.exists(), reason="reads Linux's /proc")


@pytest.fixture(scope="module")
def checker():
    with closing(FormulaChecker()) as shared:
        yield shared


@pytest.fixture(scope="module")
def compiler():
    """What is left when a formula's words have got past the first look: half a second each."""
    with closing(FormulaChecker(seconds=0.5)) as shared:
        yield shared._typeset


def test_the_sandbox_imports_nothing_that_draws():
    """Every `check` waits for it."""
    modules = "clockhead.storyboard.formulas, sys; print(*sys.modules)"
    imported = subprocess.check_output([sys.executable, "-c", f"import {modules}"], text=True)
    assert {"manim", "numpy", "pydantic", "uharfbuzz"}.isdisjoint(imported.split())


@pytest.mark.parametrize(
    "math",
    [
        "x^2",
        "f(Delta) = sum_(i=0)^(d/2-1) cos(Delta theta_i)",
        "query(q_m)^top key(k_n)",
        "mat(cos theta, -sin theta; sin theta, cos theta)",
        'x "if" alpha > 1',
        "RR → ∞",
        r"5 \$ \# \/\/ \"",
        '"# // std read(1)"',
        "r e a d",
        "x\ny",
    ],
)
def test_honest_formulas_are_accepted(checker, math):
    assert checker.problem(math) is None


CODE = (
    " is code, and a formula is mathematics alone: it reads no files, fetches no packages and runs "
    "no loops"
)


@pytest.mark.parametrize(
    ("math", "said"),
    [
        ("frac(1,", "unclosed delimiter"),
        ("x^", "expected expression"),
        (
            "alpha betta",
            'unknown variable: betta (a word goes in quotes: "betta"; '
            "letters of a product go apart: b e t t a)",
        ),
        ("sqrt()", "missing argument: radicand"),
        ("x^(" * 200 + "x" + ")" * 200, "maximum parsing depth exceeded"),
        ('"abc', "a quote mark is opened and not closed"),
        ("a // b", "// starts a comment; put a space or a backslash between its signs"),
        ("a /* b */", "/* starts a comment; put a space or a backslash between its signs"),
        ("a \\\\$ b", "a dollar sign within a formula; write \\$ for the sign"),
        ("漢", "no font can draw '漢'"),
        ('x "🎉"', "no font can draw '🎉'"),
        ('#read("/etc/passwd")', "'#read'" + CODE),
        ('#include "/etc/passwd"', "'#include'" + CODE),
        ('#import "@preview/cetz:0.3.0"', "'#import'" + CODE),
        ("#for i in range(999999999) {}", "'#for'" + CODE),
        ("#{while true {}}", "'#'" + CODE),
        ('x^#image("a.png")', "'#image'" + CODE),
        (
            'std.read("/etc/passwd")',
            'std is out of reach of a formula; a word goes in quotes: "std"',
        ),
        ('sqrt(std.eval("1"))', 'std is out of reach of a formula; a word goes in quotes: "std"'),
        ('read("/etc/passwd")', "read is out of reach: a formula reads no files"),
        ('plugin ("a.wasm")', "plugin is out of reach: a formula reads no files"),
        ('image("a.png")', "image is out of reach: a formula reads no files"),
    ],
)
def test_bad_formulas_are_explained(checker, math, said):
    assert checker.problem(math) == said


@pytest.mark.parametrize(
    ("math", "said"),
    [
        ("#for i in range(100) { for j in range(10000000) {} }", "not typeset within 0.5 seconds"),
        ('#{let a = "a"; for i in range(99) { a += a }}', None),
        ('#("a" * 100000000000)', None),
        ("#range(1000000000)", None),
        ("#{while true {}}", "condition is always true"),
        ("#{let f(x) = f(x); f(1)}", "maximum function call depth exceeded"),
    ],
)
def test_a_program_that_slips_through_ends(compiler, math, said):
    started = time.monotonic()
    found = compiler(math)
    assert time.monotonic() - started < 10
    if said is not None:
        assert found == said
    else:
        assert found.startswith(("not typeset within", "too large to be typeset"))
    assert compiler("x^2") is None


@pytest.mark.parametrize(
    ("math", "word"),
    [
        ('#read("/etc/passwd")', "not found"),
        ('#read("../../../etc/passwd")', "not found|escape|denied"),
        ('#image("/etc/hostname")', "not found"),
        ('#plugin("/bin/true")', "not found"),
        ('#include "/etc/passwd";', "not found"),
        ('#import "@preview/cetz:0.3.0";', "failed to download|not found"),
        ('#import "@local/a:0.1.0";', "not found"),
        ('std.read("/etc/passwd")', "no method"),
    ],
)
def test_a_program_that_slips_through_reads_nothing(compiler, math, word):
    assert re.search(word, compiler(math))


def test_one_process_typesets_all_formulas_and_ends(monkeypatch):
    started = []

    class Counted(Worker):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            started.append(self)

    monkeypatch.setattr(formulas, "Worker", Counted)
    with closing(FormulaChecker()) as checker:
        assert checker.problem("#read") is not None
        assert started == []
        assert [checker.problem(f"x_{i}") for i in range(20)] == [None] * 20
        assert started[0].is_alive
    assert len(started) == 1
    assert not started[0].is_alive


@needs_proc
def test_the_process_can_open_nothing():
    with closing(FormulaChecker()) as checker:
        checker.problem("x")
        limits = (PROC / str(checker._worker.pid) / "limits").read_text()
    assert "Max open files            0                    0" in limits


@needs_proc
def test_the_sandbox_ends_when_its_owner_is_killed():
    code = (
        "import sys, time; from clockhead.storyboard.formulas import FormulaChecker\n"
        "checker = FormulaChecker(seconds=1)\n"
        "checker.problem('x')\n"
        "print(checker._worker.pid, flush=True)\n"
        "checker._typeset('#for i in range(100) { for j in range(10000000) {} }')\n"
    )
    master = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    child = int(master.stdout.readline())
    time.sleep(0.2)
    master.send_signal(signal.SIGKILL)
    master.communicate()
    wait_until(lambda: not is_alive(child))
