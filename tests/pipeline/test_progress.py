"""Progress bars: on a terminal one for each running shot, elsewhere nothing."""

import io

from rich.console import Console

from pipeline.film.progress import ShotProgress


def shown(*, terminal):
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=100, color_system=None)
    with ShotProgress(console) as progress:
        progress.expect("a", "film: first", 40)
        progress.expect("b", "film: second", None)
        progress("a", 10)
        progress.refresh()
        early = words(out)
        progress("b", 7)
        progress("a", 40)
        progress.done("a")
        progress.say("film: something [worth] saying")
        progress.refresh()
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


def test_elsewhere_nothing_is_shown_but_what_is_said():
    early, whole = shown(terminal=False)
    assert early == ""
    assert whole == "film: something [worth] saying"
