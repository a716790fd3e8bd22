"""The truths of the film `trained`.

The transformer is computed once more, head by head, from the file that the training wrote.
"""

from __future__ import annotations

import re
from functools import cache, cached_property
from itertools import pairwise

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.trained.texts import texts_said_twice, texts_to_learn
from clockhead.scenes.stage import StageInputs, find_stage
from tests.model.plain_trained import LETTERS, Reading, kept, tokens
from tests.scenes.telling import FilmTruths, Inputs, Truths, legal, those_taken
from tests.scenes.trained_by_hand import TRUTHS
from tests.scenes.trained_hops import HOPS

Floats = NDArray[np.float64]
STEPS = (0, 50, 150, 300, 350, 400, 450, 500, 600, 800, 1200, 2000)
HEADS = [f"{layer}.{head}" for layer in range(2) for head in range(4)]


@cache
def reading(step: int, text: str) -> Reading:
    return Reading(step, tokens(text))


@cache
def sample() -> str:
    """Some letters of a text from the training."""
    text = texts_to_learn(np.random.default_rng(1), 40)[1]
    return "".join(LETTERS[token] for token in text[3:35])


def written(letter: str) -> str:
    return "␣" if letter == " " else letter


def again(step: int) -> float:
    """The loss on letters that come a second time, as the training measured it."""
    return float(kept()["repeated"][kept()["seen"].tolist().index(step)])


def new(step: int) -> float:
    """The same on letters that come for the first time."""
    return float(kept()["new"][kept()["seen"].tolist().index(step)])


@cache
def english() -> Floats:
    """How often each letter follows each in the sample of English, in which none is impossible."""
    text = " ".join(re.sub("[^a-z]", " ", SAMPLE_ENGLISH.lower()).split())
    counts = np.full((27, 27), 0.3)
    for a, b in pairwise(text):
        counts[LETTERS.index(a), LETTERS.index(b)] += 1
    counts[26, 26] = 0
    return counts / counts.sum(axis=1)[:, None]


@cache
def said_twice() -> NDArray[np.int64]:
    """The texts on which losses are measured: 24 letters, twice, after the start; (64, 49)."""
    return texts_said_twice(9, 64, 24)


@cache
def without(step: int, silent: tuple[int, int] | None) -> float:
    """The loss on letters that come a second time, with one head silent or none."""
    heads = [] if silent is None else [silent]
    return float(Reading(step, said_twice(), heads).losses[:, 25:].mean())


@cache
def length(what: str) -> float:
    """The mean length of the vector of a letter, or of what the head adds that does so most."""
    found = Reading(2000, said_twice())
    vectors = found.streams[0] if what == "letter" else found.added[0, most(what)]
    return float(np.sqrt((vectors**2).sum(axis=-1))[:, 2:].mean())


@cache
def attention(step: int, at: tuple[int, int], what: str) -> float:
    """How much a head gives the letter before, the same letters, or what followed then.

    The mean over all letters but the first; for what followed, over those that come again.
    """
    texts = said_twice()
    pattern = Reading(step, texts).patterns[at]  # (64, 49, 49)
    if what == "before":
        return float(np.mean([pattern[:, m, m - 1] for m in range(2, 49)]))
    if what == "followed":
        return float(np.mean([pattern[:, m, m - 23] for m in range(25, 49)]))
    same = texts[:, :, None] == texts[:, None, :]
    return float(np.where(same, pattern, 0.0).sum(axis=-1)[:, 2:].mean())


@cache
def most(what: str) -> int:
    """The head of layer 0 that does so most at the end."""
    return max(range(4), key=lambda head: attention(2000, (0, head), what))


class Told:
    """A text, where its end stood before, and what is guessed after it."""

    def __init__(self, inputs: Inputs) -> None:
        self.inputs = inputs
        self.text: str = inputs.text
        whole = len(self.text)
        self.size = next(k for k in range(whole - 1, 0, -1) if self.text[-k:] in self.text[:-1])
        starts = [k for k in range(whole - self.size) if self.text[k:].startswith(self.piece)]
        self.source = starts[-1]
        self.answer = self.text[self.source + self.size]

    @property
    def piece(self) -> str:
        return self.text[-self.size :]

    @property
    def first(self) -> str:
        return self.text[: -self.size]

    def likely(self, step: int) -> Floats:
        """How likely each letter is to come next, after so many steps."""
        return np.asarray(reading(step, self.text).likely[-1])

    def share(self, step: int) -> float:
        """What the letter that came before gets."""
        return float(self.likely(step)[LETTERS.index(self.answer)])

    def top(self, step: int) -> str:
        return LETTERS[int(np.argmax(self.likely(step)))]

    def likeness(self, step: int) -> float:
        """How much a guess is like what follows the last letter in English: a correlation."""
        due = english()[LETTERS.index(self.text[-1])]
        if np.ptp(due) < 1e-9:
            return 0.0
        return float(np.corrcoef(self.likely(step), due)[0, 1])

    @cached_property
    def how_typed(self) -> int:
        """A name and its beginning, a piece of what stands before, or one that overlaps itself."""
        if self.source == 0 and self.first.endswith(" ") and " " not in self.first[:-1]:
            return 0
        return 1 if self.piece in self.first else 2


# The film

FACTS = {
    "riddle.first": lambda t: t.first.strip(),
    "riddle.piece": lambda t: t.piece.strip(),
    "riddle.answer": lambda t: written(t.answer),
    "riddle.last": lambda t: written(t.text[-1]),
}

STAGES = {
    "untrained": Truths(
        facts={
            "top": lambda t: written(t.top(0)),
            "top_share": lambda t: float(np.max(t.likely(0))),
            "share": lambda t: t.share(0),
            "steps": lambda t: 50,
            "later_share": lambda t: t.share(50),
            "n_numbers": lambda t: sum(
                int(np.prod(kept()[f"w_{name}"].shape[1:])) for name in "qkvo"
            ),
        },
        choices={
            "typed": lambda t: t.how_typed,
            "guess": lambda t: t.top(0) != t.answer,
            "later": lambda t: t.share(50) <= t.share(0),
        },
        claims={
            "heads": lambda t: kept()["w_q"].shape[1:3] == (2, 4),
            "numbers": lambda t: abs(np.mean(kept()["w_q"][0])) < 0.01,
            "read": lambda t: sample()[6:15] == sample()[23:32],
            "nudge": lambda t: bool((np.diff(kept()["w_q"][:2].astype(float), axis=0) != 0).any()),
        },
    ),
    "losses": Truths(
        facts={
            "first_share": lambda t: t.share(0),
            "first_loss": lambda t: -np.log(t.share(0)),
            "early_at": lambda t: 150,
            "before_at": lambda t: 300,
            "after_at": lambda t: 600,
            "start": lambda t: again(0),
            "early": lambda t: again(150),
            "end": lambda t: again(2000),
            "late_share": lambda t: t.share(2000),
        },
        choices={
            "learned": lambda t: t.likeness(150) <= 0.6,
            "recalled": lambda t: t.share(2000) < 2 * t.share(150),
        },
        claims={
            "stands": lambda t: again(150) - again(300) < 0.15 * (again(0) - again(150)),
            "fresh": lambda t: abs(new(2000) - new(150)) < 0.05 * again(150),
            "recalled": lambda t: again(2000) < 0.2 * again(150),
            "when": lambda t: again(300) - again(600) > 0.6 * (again(300) - again(2000)),
        },
    ),
    "without": Truths(
        facts={
            "whole": lambda t: without(2000, None),
            "upper": lambda t: max(without(2000, (1, head)) for head in range(4)),
            "previous_name": lambda t: f"0.{most('before')}",
            "previous_loss": lambda t: without(2000, (0, most("before"))),
            "own_name": lambda t: f"0.{most('same')}",
            "own_loss": lambda t: without(2000, (0, most("same"))),
        },
        claims={
            "upper": lambda t: min(attention(2000, (1, h), "followed") for h in range(4)) > 0.4,
            "lower": lambda t: 0.9 * again(150) < without(2000, (0, most("before"))) < again(150),
            "own": lambda t: without(2000, (0, most("same"))) > without(2000, (0, most("before"))),
        },
    ),
    "repeats": Truths(
        facts={
            "own_name": lambda t: f"0.{most('same')}",
            "own_share": lambda t: attention(2000, (0, most("same")), "same"),
            "letter_length": lambda t: length("letter"),
            "note_length": lambda t: length("before"),
            "copy_length": lambda t: length("same"),
        },
        claims={
            "itself": lambda t: attention(2000, (0, most("same")), "same") > 0.95,
            "faint": lambda t: 2 * length("letter") < length("before"),
            "loud": lambda t: abs(length("same") - length("before")) < 0.2,
            "caption": lambda t: most("same") != most("before"),
        },
    ),
    "division": Truths(
        facts={
            "own_name": lambda t: f"0.{most('same')}",
            "previous_name": lambda t: f"0.{most('before')}",
            "shared_at": lambda t: min(STEPS, key=lambda step: without(step, (0, most("before")))),
            "lowest": lambda t: min(without(step, (0, most("before"))) for step in STEPS),
            "risen": lambda t: without(2000, (0, most("before"))),
            "alone": lambda t: attention(2000, (0, most("before")), "before"),
        },
        claims={
            "silent": lambda t: all(
                without(150, (0, most("same"))) - without(step, (0, most("same")))
                < 0.2 * (again(150) - again(2000))
                for step in STEPS
            ),
            "shared": lambda t: (
                sum(attention(600, (0, head), "before") > 0.25 for head in range(4)) == 3
            ),
            "alone": lambda t: (
                sum(attention(2000, (0, head), "before") > 0.2 for head in range(4)) == 1
            ),
        },
    ),
    **HOPS,
    **TRUTHS,
}

EXAMPLES = [
    {},
    {"text": "banana ban"},
    {"text": "hello world hello w"},
    {"text": "aaaa"},
    {"text": "attention at"},
    {"text": "abracadabra abr"},
    {"text": "a b a b"},
    {"text": "hello world hello w", "moment": 600},
    {"moment": 0},
    {"moment": 2000, "reader": 3},
    {"text": "mz mz"},
    {"text": "abcdabcdefghijabcdab"},
]
_WORD = st.text("abcdefghijklmnopqrstuvwxyz", min_size=2, max_size=9)
TEXTS = st.one_of(
    st.builds(lambda word, k: f"{word} {word[:k]}", _WORD, st.integers(2, 8)),
    st.builds(lambda word, other: f"{word}{other}{word}"[:20], _WORD, _WORD),
    st.text("ab ", min_size=3, max_size=20),
)


def drawn(name: str) -> st.SearchStrategy[StageInputs | None]:
    """Legal inputs: texts whose end comes again, moments and heads."""
    kind = find_stage(name).Inputs
    known = {"text": TEXTS, "moment": st.sampled_from(STEPS), "head": st.sampled_from(HEADS)}
    known |= {
        "late_moment": st.sampled_from((600, 800, 1200, 2000)),
        "position_head": st.sampled_from(("0.0", "0.1", "0.3")),
        "reader": st.sampled_from([None, 0, 1, 2, 3]),
    }
    fields = {field: known[field] for field in kind.model_fields}
    return st.fixed_dictionaries(fields).map(lambda given: legal(kind, given))


FILM = FilmTruths(
    "trained",
    Told,
    FACTS,
    STAGES,
    lambda name: those_taken(name, EXAMPLES),
    drawn,
    lambda _: 40,
)
