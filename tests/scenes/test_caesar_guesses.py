"""Ones that pile up in bins, and guesses: mistakes are noticed."""

from collections.abc import Callable

import numpy as np
import pytest

from clockhead.model.caesar.cryptogram import cryptogram
from clockhead.model.films.caesar.guesses import running_guesses
from clockhead.model.films.caesar.transformer import counted_letters
from clockhead.scenes.caesar.bins import Bins
from clockhead.scenes.caesar.ciphertext import Ciphertext, place_message
from clockhead.scenes.caesar.guesses import ceilings
from clockhead.scenes.caesar.scores import score_bars, score_chart
from clockhead.scenes.caesar.verdicts import GUTTER, Guess, Turns, Verdicts
from clockhead.scenes.parts.stacks import Stacks
from clockhead.scenes.stage import Picture, Value
from clockhead.scenes.stage.paths import look_up
from clockhead.scenes.stage.shown import misread
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.theme import theme

DEFAULT = "the shift hides every word but not how often each letter is needed to write it"
FRAME = Region(-6.0, -2.5, 6.0, 2.5)
CELLS = 16
"""Points of a mark, a dash, a bar."""


class Screen:
    """A stage as far as pictures and `misread` ask for one."""

    def __init__(self, text: str = "an err", rotation: int = 2) -> None:
        message = cryptogram(text, rotation)
        self.values = running_guesses(message)
        self.counted = counted_letters(message)
        self.mobjects: list[Picture] = []

    def __getitem__(self, path: str) -> Value:
        values = self.counted if path.startswith("first.") else self.values
        return Value(path, look_up(values, path))

    def shows(self, *pictures: Picture) -> list[str]:
        self.mobjects = list(pictures)
        return misread(self)


@pytest.fixture
def screen() -> Screen:
    return Screen()


@pytest.fixture
def bins(screen) -> Bins:
    made = Bins(screen, screen["first.mean"], high=1.0, rows=True)
    made.place(FRAME)
    return made


def move(picture: Picture, k: int, change: Callable[[np.ndarray], np.ndarray], path: int = 0):
    """Change the points of piece k of a path."""
    points = picture.family_members_with_points()[path].points
    points[CELLS * k : CELLS * (k + 1)] = change(points[CELLS * k : CELLS * (k + 1)])


def piled(screen, bins) -> Stacks:
    pile = Stacks(screen["first.marks"], bins.chart, role="residual")
    pile.redraw()
    return pile


def test_ones_pile_up_to_the_bars_of_the_histogram(screen, bins):
    pile = piled(screen, bins)
    assert screen.shows(pile, bins.counted) == []
    boxes, bars = (path.points.reshape(-1, CELLS, 3) for path in (pile.tops, bins.counted.paths[0]))
    for bar in bars:
        left, right = bar[:, 0].min(), bar[:, 0].max()
        inside = [box for box in boxes if left - 1e-6 < box[:, 0].mean() < right + 1e-6]
        top = max((box[:, 1].max() for box in inside), default=bins.chart.area.bottom)
        assert top == pytest.approx(bar[:, 1].max())


def test_a_one_of_another_height_is_noticed(screen, bins):
    pile = piled(screen, bins)
    floor = bins.chart.area.bottom
    pile.tops.points = pile.tops.points * [1, 1.1, 1] - [0, 0.1 * floor, 0]
    assert screen.shows(pile)


@pytest.fixture
def message(screen) -> Ciphertext:
    made = Ciphertext(screen["cryptogram.ciphertext"], gutter=GUTTER)
    place_message(FRAME, made)
    return made


def test_dashes_say_whether_guesses_were_right(screen, message):
    verdicts = Verdicts(screen["is_right"], message)
    assert screen.shows(verdicts) == []
    verdicts.read_to(len(screen.values.is_right))
    assert screen.shows(verdicts) == []
    letters = screen.values.cryptogram.n_letters
    pieces = verdicts.family_members_with_points()
    assert sum(len(path.points) for path in pieces) == CELLS * letters


@pytest.mark.parametrize("change", ["colour", "height", "place", "missing"])
def test_a_wrong_dash_is_noticed(screen, message, change):
    verdicts = Verdicts(screen["is_right"], message)
    verdicts.read_to(len(screen.values.is_right))
    path = verdicts.family_members_with_points()[0]
    if change == "colour":
        other = theme().right if not screen.values.is_right[0] else theme().wrong
        path.set_fill(other)
    elif change == "height":
        move(verdicts, 0, lambda points: points + 2 * (points - points.mean(axis=0)) * [0, 1, 0])
    elif change == "place":
        move(verdicts, 0, lambda points: points + np.array([message.cell / 2, 0.0, 0.0]))
    else:
        path.points = path.points[CELLS:]
    assert screen.shows(verdicts)


def test_the_guess_stands_over_its_bar(screen):
    chart = score_chart(screen, "transformer.logits")
    bars = score_bars(screen["transformer.logits"][0], chart)
    guess = Guess(screen["transformer.predictions"], screen["is_right"], bars)
    chart.place(FRAME)
    assert screen.shows(guess) == []
    bars.set_to(screen["transformer.logits"][5])
    guess.read_to(6)
    assert guess.figure.number.text == f"rotation {screen.values.transformer.predictions[5]}"
    assert screen.shows(guess, bars) == []
    guess.shift([chart.x.pitch, 0.0, 0.0])
    assert screen.shows(guess)
    guess.read_to(6)
    guess.figure.set_to(screen["transformer.predictions"][0])
    assert screen.shows(guess)
    guess.read_to(6)
    was_right = bool(screen.values.is_right[5])
    guess.figure.number.set_fill(theme().text_color("wrong" if was_right else "right"))
    assert screen.shows(guess)


def test_frames_stand_around_the_characters_after_which_the_guess_is_new(screen, message):
    turns = Turns(screen["turns"], screen["transformer.predictions"], screen["is_right"], message)
    assert screen.shows(turns) == []
    n = len(screen.values.turns)
    turns.read_to(n)
    assert screen.shows(turns) == []
    last = turns.path.points.reshape(n - 1, -1, 3)[-1]
    middle = message.middle(screen.values.transformer.settled_after - 1)
    assert np.allclose((last.min(axis=0) + last.max(axis=0)) / 2, middle, atol=1e-6)
    turns.path.shift([message.cell, 0.0, 0.0])
    assert screen.shows(turns)


def test_charts_are_as_tall_as_what_is_still_to_come():
    shares = np.array([[1.0, 0.0], [0.5, 0.5], [0.25, 0.75]])
    assert ceilings(shares).tolist() == [1.0, 0.75, 0.75]
