"""The row of clocks over a text: what its hands say before and while it moves."""

import numpy as np
import pytest

from clockhead.scenes.parts.clock_row import Clocks
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.stage import Value
from clockhead.scenes.style.layout import Region
from tests.scenes.parts.pictures import done, wrong

TOKENS = Value("tokens", ("BOS", "the", "cat", "sat"))
SPEEDS = np.array([1.0, 0.3, 0.1])
KEYS = Value("keys", np.arange(4)[:, None] * SPEEDS)
QUERIES = Value("queries", (np.arange(4) - 1)[:, None] * SPEEDS)
PAGES = [Region(-6.0, -2.6, 6.0, 2.6), Region(-1.6, -4.5, 1.6, 4.5)]


@pytest.fixture(params=PAGES, ids=["one line", "two lines"])
def clocks(request) -> Clocks:
    strip = Strip(TOKENS, notes=TOKENS)
    strip.place(request.param)
    part = Clocks(strip, KEYS, QUERIES)
    part.place(request.param)
    return part


def test_all_hands_say_their_time_and_queries_end_on_the_clock_before(clocks):
    done(clocks.rise())
    assert wrong(clocks.dials, *clocks.submobjects[1:]) == []
    assert not any(list(ask.readings()) for ask in clocks.asks)
    for motion in (clocks.ask, clocks.turn_back, clocks.step_left):
        done(motion())
        assert wrong(clocks.dials, *clocks.submobjects[1:]) == []
    for m, ask in enumerate(clocks.asks, start=1):
        assert ask.lane == m - 1
        assert np.allclose(ask.bases().centers, clocks.dials.centers[m - 1])
        assert len(list(ask.readings())) == clocks.dials.shown_rows


def test_no_more_dials_than_hands():
    strip = Strip(TOKENS)
    strip.place(PAGES[0])
    part = Clocks(strip, Value("keys", KEYS.array[:, :1]), Value("queries", QUERIES.array[:, :1]))
    part.place(PAGES[0])
    done(part.rise())
    assert part.dials.shown_rows == 1
