"""The truths of the tour, most of which are those of the films that it is a tour of."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
from hypothesis import strategies as st

from clockhead.scenes.stage import StageInputs, find_stage
from tests.model.riddles import riddles
from tests.scenes import truths_caesar as caesar
from tests.scenes import truths_induction as induction
from tests.scenes import truths_previous_token as clocks
from tests.scenes.telling import (
    FilmTruths,
    Inputs,
    Truths,
    Variant,
    legal,
    plural,
    those_taken,
)

_NEARLY_ALL = 0.9


class Tour:
    """A text with BOS, as clocks, as notes and as a message in code."""

    def __init__(self, inputs: Inputs) -> None:
        self.inputs = inputs
        self.words = inputs.text.split()
        self.alpha, self.beta = (getattr(inputs, name, 10.0) for name in ("alpha", "beta"))

    @cached_property
    def clocks(self) -> clocks.Told:
        """The text read by a head of width 32; the first word that followed the last one asks."""
        last = self.words[-1]
        m = next(k + 2 for k, (a, b) in enumerate(pairwise(self.words)) if a == last != b)
        alpha = float(getattr(self.inputs, "alpha", 1.0))
        text = f"BOS {self.inputs.text}"
        return clocks.Told(SimpleNamespace(text=text, m=m, alpha=alpha, d_head=32, base=1e4))

    @cached_property
    def head(self) -> induction.Head:
        return induction.Head(["BOS", *self.words], self.alpha, self.beta)

    @cached_property
    def message(self) -> caesar.Told:
        return caesar.told(self.inputs)

    @property
    def rotation(self) -> int:
        return int(self.inputs.rotation)

    # Notes

    def echo(self) -> bool:
        """Whether a head that looks for its own token finds it."""
        return induction.Told(self.inputs).echo() >= _NEARLY_ALL

    def notes(self) -> bool:
        return self.head.worst >= _NEARLY_ALL

    def finds(self) -> bool:
        return self.head.mass >= _NEARLY_ALL

    def coded(self, rotation: int) -> induction.Head:
        """The same head over the words in code."""
        words = [caesar.turned(word, rotation) for word in self.words]
        return induction.Head(["BOS", *words], self.alpha, self.beta)

    def finds_in_code(self) -> bool:
        """Whether it finds the same in code, whatever the rotation."""
        rotations = (self.rotation,) if self.rotation else (1, 13, 25)
        heads = {r: self.coded(r) for r in rotations}
        return all(
            head.mass >= _NEARLY_ALL
            and head.followers == [caesar.turned(word, r) for word in self.head.followers]
            for r, head in heads.items()
        )

    def counts(self) -> bool:
        """Whether with all scores alike what comes out are the shares of all tokens."""
        tokens = ["BOS", *self.words]
        out = induction.Head(tokens, self.alpha, 1e-9).out
        return all(abs(out[w] - n / len(tokens)) < 1e-6 for w, n in Counter(tokens).items())

    # Clocks

    @property
    def lead(self) -> float:
        """How far the target is ahead at alpha 1."""
        best, second = sorted(self.clocks.sums(self.clocks.m).tolist())[:-3:-1]
        return float(best - second)

    def slow_hands_hardly_move(self) -> bool:
        """And the fastest hand is upright again within seven steps."""
        speeds = self.clocks.theta
        return bool(2 * np.pi / speeds[0] < 7 and len(self.words) * speeds[-1] < 0.01)

    # Code

    @cached_property
    def misled(self) -> int:
        """The most first characters for which another rotation scores no less than the true one."""
        cipher = self.message.cipher
        leaders = [caesar.firsts(caesar.scores_of(cipher[:k])) for k in range(1, len(cipher) + 1)]
        return max((k for k, r in enumerate(leaders, 1) if r != [self.rotation]), default=0)

    def limit(self) -> Variant:
        """Whether too short a text misleads, and how; or what another rotation scores."""
        found, *others = self.message.leaders
        if not self.message.is_read:
            if found == self.rotation:
                return Variant((2,), others[0])
            return Variant((3, self.rotation not in others), self.rotation)
        if not self.misled:
            return Variant((0,))
        first = self.message.cipher[: self.misled]
        leaders = caesar.firsts(caesar.scores_of(first))
        rival = next(r for r in leaders if r != self.rotation)
        n, no_worse = len(first.replace(" ", "")), self.rotation in leaders
        return Variant((1, n > 1, no_worse), *([n] * (n > 1)), rival)


def _copied(t: Tour) -> Variant:
    if len(t.head.followers) == 1:
        return Variant(0, t.head.followers[0])
    return Variant(1)


FACTS = {
    "text.query_token": lambda t: t.words[-1],
    "followers_listed": lambda t: induction.few(t.head.followers, "{n} different words"),
    "match_weight": lambda t: t.head.mass,
    "head.match_weight": lambda t: t.head.mass,
    "plain.match_weight": lambda t: t.head.mass,
    "least_stored": lambda t: t.head.worst,
    "plain.least_stored": lambda t: t.head.worst,
    "copied.worst_share": lambda t: t.head.worst,
    "echo.own_share": lambda t: induction.Told(t.inputs).echo(),
    "copied": _copied,
    "query_named": lambda t: t.clocks.asker,
    "target_named": lambda t: t.clocks.target,
    "row.query_named": lambda t: t.clocks.asker,
    "row.target_named": lambda t: t.clocks.target,
    "at_one.gap": lambda t: t.lead,
    "factor": lambda t: np.exp(t.lead),
    "places": lambda t: plural(t.rotation, "place"),
    "typed": lambda t: t.coded(t.rotation).typed,
    "answer": lambda t: t.coded(t.rotation).followers[0],
    "lesson": lambda t: Variant(t.rotation > 0),
    "moved": lambda t: Variant(t.rotation > 0),
    "n_tokens": lambda t: t.message.n,
    "n_rotations": lambda t: 26,
    "largest": lambda t: caesar.FACTS["largest"](t.message),
    **{
        name: caesar.FACTS[name]
        for name in ("english_commonest", "english_rarest", "english_commonest_share")
    },
    "found": lambda t: t.message.leaders[0],
    "limit": Tour.limit,
}
STAGES = {
    "riddle": Truths(
        claims={"question": lambda t: t.words[-1] in t.words[:-1], "parrot": Tour.echo},
        needs={0: Tour.echo},
    ),
    "clocks": Truths(
        claims={
            "match": lambda t: clocks._hand_for_hand(t.clocks),
            "caption": lambda t: t.clocks.all_find(),
        },
    ),
    "stacks": Truths(
        claims={
            "walk": Tour.slow_hands_hardly_move,
            "caption": lambda t: clocks._all_upright(t.clocks),
        },
    ),
    "line": Truths(
        facts={"found": lambda t: Variant(clocks.line(t.clocks.least()))},
        claims={
            "shift": lambda t: clocks.STAGES["sub_diagonal"].claims["rows"](t.clocks),
            "caption": lambda t: t.clocks.all_find(),
        },
    ),
    "notes": Truths(
        choices={"hero": lambda t: clocks.STAGES["copy_value"].choices["hero"](t.clocks)},
        claims={
            "hero": lambda t: clocks.STAGES["copy_value"].claims["hero"](t.clocks),
            "everyone": Tour.notes,
        },
        needs={0: Tour.notes},
    ),
    "answer": Truths(
        claims={
            "ask": Tour.echo,
            "score": lambda t: induction._scores_tell(induction.Told(t.inputs)),
        },
        needs={0: Tour.notes, 1: Tour.finds},
    ),
    "code": Truths(
        choices={
            "turn": lambda t: t.rotation > 0,
            "hops": lambda t: 0 if t.rotation == 0 else 1 if len(t.head.followers) == 1 else 2,
        },
        claims={"hops": Tour.finds_in_code, "caption": Tour.finds_in_code},
        needs={1: Tour.notes, 2: Tour.finds},
    ),
    "letters": Truths(claims={"usual": caesar.STAGES["histogram"].claims["usual"]}),
    "alphabets": Truths(
        choices={"rise": lambda t: (t.message.is_tied, t.message.leaders[0] > 0)},
    ),
    "attention": Truths(
        choices={"sharp": lambda t: len(t.head.matches) > 1},
        claims={"sharp": Tour.finds, "even": Tour.counts},
        needs={0: Tour.finds},
    ),
}

_SCALES: list[dict[str, Any]] = [
    *({"alpha": alpha} for alpha in (0.01, 1.0, 3.0, 4.5, 1e4)),
    *({"beta": beta} for beta in (0.01, 4.0, 1e4)),
]
_ROTATIONS: list[dict[str, Any]] = [{"rotation": r} for r in (0, 1, 25)]
_LETTERS = [*(text for text in induction.TEXTS if text.replace(" ", "").isalpha()), "e d e"]
_TIED = [{"text": "e r r e", "rotation": r} for r in (0, 1, 13, 14)]
"""Two rotations score the same, the true one the first of them or not."""
_MISREAD = [
    {"text": text, "rotation": r}
    for r, text in ((5, "on i on"), (5, "an e on an"), (0, "the be o is the"))
]
_MISLEADING = [
    {"text": text, "rotation": r}
    for r, text in ((13, "at he e at"), (5, "i no we it i"), (0, "e at no e"))
]


def examples(name: str) -> list[StageInputs]:
    blurred = {"text": "q q b b q", "alpha": 4.0}
    return those_taken(
        name,
        [
            {},
            blurred,
            *_SCALES,
            *_ROTATIONS,
            *_TIED,
            *_MISREAD,
            *_MISLEADING,
            *({"text": text} for text in _LETTERS),
        ],
    )


def drawn(name: str) -> st.SearchStrategy[StageInputs | None]:
    kind = find_stage(name).Inputs
    fields = {
        "text": riddles().map(" ".join),
        "rotation": st.integers(0, 25),
        "alpha": st.sampled_from([4.0, 10.0, 100.0]),
        "beta": st.sampled_from([5.0, 10.0, 100.0]),
    }
    known = {key: value for key, value in fields.items() if key in kind.model_fields}
    return st.fixed_dictionaries(known).map(lambda given: legal(kind, given))


FILM = FilmTruths("tour", Tour, FACTS, STAGES, examples, drawn, lambda _: 30)
