"""Progress: a bar for each running shot on a terminal, lines of text elsewhere."""

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from clockhead.production.progress import ShotProgress


def shown(*, terminal):
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=100, color_system=None)
    with ShotProgress(console) as progress:
        progress.expect("a", "film: first", 40)
        progress.expect("b", "film: second", None)
        progress("a", 10)
        progress._bars.refresh()
        early = words(out)
        progress("b", 7)
        progress("a", 40)
        progress.done("a")
        progress.say("film: something [worth] saying")
        progress._bars.refresh()
    return early, words(out)


def words(out):
    return " ".join(out.getvalue().split())


def test_on_a_terminal_running_shots_have_bars():
    early, whole = shown(terminal=True)
    assert "film: first" in early
    assert "10/40 frames" in early
    assert "film: second" not in early
    assert "0/2 shots" in early
    assert "7/? frames" in whole
    assert "1/2 shots" in whole


def test_elsewhere_there_is_a_line_when_a_shot_begins_and_ends():
    early, whole = shown(terminal=False)
    assert early == ""
    assert whole == "film: first: done (1/2) film: something [worth] saying"


RENDERING = """
import sys
from clockhead.cli import _discard_output
from clockhead.production.progress import ShotProgress
with ShotProgress() as progress:
    progress.expect("a", "film: first", 40)
    progress.expect("b", "film: second", None)
    for name in "ab":
        progress(name, 0)
        progress(name, 20)
        progress._bars.refresh()
        sys.stdin.readline()
    progress.done("a")
    progress.done("b", failed=True)
    progress("b", 40)
_discard_output(sys.stderr)
"""
"""Ends as every command does, whether Python buffers the output or not."""


def start(stderr, **env):
    return subprocess.Popen(
        [sys.executable, "-c", RENDERING],
        cwd=Path(__file__).parents[2],
        env=os.environ | env,
        stdin=subprocess.PIPE,
        stderr=stderr,
    )


@pytest.mark.parametrize("env", [{}, {"FORCE_COLOR": "1", "TERM": "xterm-256color"}])
def test_a_pipe_gets_every_line_at_once_and_no_control_character(env):
    process = start(subprocess.PIPE, **env)
    assert process.stderr.readline() == b"film: first: rendering\n"
    process.stdin.write(b"\n")
    process.stdin.flush()
    assert process.stderr.readline() == b"film: second: rendering\n"
    _, rest = process.communicate(b"\n")
    assert rest == b"film: first: done (1/2)\nfilm: second: failed (2/2)\n"
    assert process.returncode == 0


def test_a_closed_pipe_does_not_stop_rendering():
    process = start(subprocess.PIPE)
    process.stderr.readline()
    process.stderr.close()
    process.communicate(b"\n\n")
    assert process.returncode == 0


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
def test_a_terminal_gets_bars_if_it_can_move_its_cursor(term):
    ours, its = pty.openpty()
    process = start(its, TERM=term)
    os.close(its)
    process.communicate(b"\n\n")
    shown = bytearray()
    try:
        while data := os.read(ours, 65536):
            shown += data
    except OSError:  # Linux says so when the other end is closed
        pass
    os.close(ours)
    assert (b"20/40" in shown) == (b"\x1b" in shown) == (term != "dumb")
    assert (b"film: first: rendering" in shown) == (term == "dumb")
