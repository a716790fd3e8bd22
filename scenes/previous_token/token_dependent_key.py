"""The key takes in some of its word: clocks bend, and row by row the token before is lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any

import numpy as np
from manim import FadeIn, FadeOut
from numpy.typing import NDArray
from pydantic import Field

from model.arrays import Floats
from model.previous_token import PreviousTokenHead
from model.token_dependent_key import TokenDependentKeyHead
from model.tokens import LETTERS, named, spread_over_vocabulary
from model.units import Doc, Length
from scenes.facts import format_fact
from scenes.parts.bars import Bars
from scenes.parts.chart import Chart
from scenes.parts.dial import Dials
from scenes.parts.dial_hands import Hands
from scenes.parts.figures import Readout
from scenes.parts.scale import Scale, slots
from scenes.previous_token.inputs import HeadInputs
from scenes.previous_token.table import Table, room_beside
from scenes.previous_token.winners import Winners
from scenes.stage import CAPTION, Claim, Column, Derived, Row, Stage, Steps, beat, fit
from scenes.style.motion import Drive
from scenes.style.text import text_width
from scenes.style.type import SMALL

_STEPS = 60
"""Strengths on the way from one to another."""
_AROUND = (0.96, 1.04)
"""Where the strength rests before and after the first row is lost, as a share of the tie."""
_FROM_LABEL = 0.02
"""The radius of a dial that has not left its word yet."""


@dataclass(frozen=True, eq=False)
class Leaking:
    """A strength on its way, (S,), and what the head makes of it on the way."""

    strengths: Annotated[Floats, Doc("how much of its word every key takes in, (S,)")]
    pairs: Annotated[Floats, Doc("the hand that bends most, for every key, (S, T, 2)")]
    patterns: Annotated[Floats, Doc("attention, (S, T, T)")]
    looks_at: Annotated[Floats, Doc("the position that gets most of each row, (S, T)")]

    @classmethod
    def through(cls, head: TokenDependentKeyHead, *stops: float) -> Leaking:
        """From stop to stop, in equal steps."""
        count = _STEPS // (len(stops) - 1)
        ways = [np.linspace(a, b, count + 1) for a, b in pairwise(stops)]
        strengths = np.concatenate([ways[0], *(way[1:] for way in ways[1:])])  # (S,)
        patterns = head.patterns_over(strengths)  # (S, T, T)
        looks_at = patterns.argmax(axis=-1).astype(float)  # (S, T)
        return cls(strengths, head.bent_pairs_over(strengths), patterns, looks_at)


@dataclass(frozen=True, eq=False)
class Leak:
    """A head whose keys take in some of their words, and the ways of the strength in this story."""

    tokens: tuple[str, ...]
    torn: TokenDependentKeyHead
    leak: Leaking
    first: Leaking
    rest: Leaking
    back: Leaking

    @classmethod
    def into(cls, head: PreviousTokenHead, tokens: tuple[str, ...], strength: float) -> Leak:
        torn = TokenDependentKeyHead(head, spread_over_vocabulary(tokens, len(LETTERS)), strength)
        near, past = (min(share * torn.first_loss_at, strength) for share in _AROUND)
        return cls(
            tokens,
            torn,
            leak=Leaking.through(torn, 0.0, near),
            first=Leaking.through(torn, near, past),
            rest=Leaking.through(torn, past, strength),
            back=Leaking.through(torn, strength, 0.0),
        )

    @property
    def is_torn(self) -> bool:
        """Whether a row loses its target on the way to the strength."""
        return not self.torn.finds_target and self.torn.first_loss_at < self.torn.strength

    @property
    def goes_on(self) -> bool:
        """Whether the strength goes on after the first row has lost its target."""
        return self.is_torn and bool(self.first.strengths[-1] < self.torn.strength)

    @property
    def longest(self) -> Length:
        """The longest hand that is shown."""
        return float(np.linalg.norm(self.back.pairs, axis=-1).max())

    @property
    def asker(self) -> str:
        """The token whose row loses its target first, as it is named in this text."""
        return named(self.tokens, self.torn.first_loss_row)

    @property
    def target(self) -> str:
        """The token that it should look at."""
        return named(self.tokens, self.torn.first_loss_target)

    @property
    def rival(self) -> str:
        """The token to which it turns instead."""
        return named(self.tokens, self.torn.first_loss_rival)

    @property
    def leads(self) -> Floats:
        """What position gives the target over the rival, and words the rival; shape (2,)."""
        return np.array([self.torn.position_lead, self.torn.token_lead])

    @property
    def most_lead(self) -> float:
        """The larger of the two leads."""
        return float(self.leads.max())


def _bending(values: Leak) -> str:
    if len(set(values.tokens)) == 1:
        return "One clock for all. One word everywhere bends them all alike."
    return "One clock for all. Now let every word bend its own."


def _first_loss(values: Leak) -> str:
    if not values.is_torn:
        return "Even at {torn.strength:g}, every row still finds the token before."
    torn = values.torn
    spec = _apart(torn.first_loss_at, torn.strength, (".2g", ".3g", ".5g"))
    turns = "itself" if torn.rival_is_itself else "{rival}"
    return (
        f"Just past {{torn.first_loss_at:{spec}}}, {{asker}} stops looking at {{target}} "
        f"and turns to {turns}."
    )


def _others(values: Leak) -> str:
    if values.torn.n_missed == 1:
        return "Go on to {torn.strength:g}, and it is still the only row."
    return (
        "Go on to {torn.strength:g}, and {torn.n_missed} of {torn.n_targets} rows look elsewhere."
    )


def _apart(low: float, high: float, specs: Sequence[str]) -> str:
    """The shortest format in which the two read differently."""
    return next((s for s in specs if format_fact(low, s) != format_fact(high, s)), specs[-1])


def _lead_spec(values: Leak) -> str:
    low, high = sorted(values.leads)
    return _apart(low, high, (".1f", ".2f", ".3f", ".2g", ".4g") if low >= 0.1 else (".2g", ".4g"))


def _why(values: Leak) -> str:
    spec = _lead_spec(values)
    return (
        f"By position, {{target}} led by {{torn.position_lead:{spec}}}. "
        f"Bent by its word, {{rival}} gains {{torn.token_lead:{spec}}} on it."
    )


def _moral(values: Leak) -> str:
    if values.is_torn:
        return "So the key must not know its word: only where it stands."
    return "This text can bear it. A key that knows only where it stands bears any text."


def _worst_story(values: Leak) -> str:
    """Which row keeps least on its target, how much, and where it looks."""
    torn, tokens = values.torn, values.tokens
    m, n = torn.worst_row, int(torn.looks_at[torn.worst_row])
    kept = format_fact(torn.worst_mass, ".1%")
    if n == m - 1:
        return f"{named(tokens, m)} keeps least, {kept}, and still looks at {named(tokens, n)}."
    given = format_fact(float(torn.pattern[m, n]), ".1%")
    return f"{named(tokens, m)} keeps {kept} and gives {given} to {named(tokens, n)}."


class TokenDependentKey(Stage):
    """The key takes in some of its word: clocks bend, and rows turn to other tokens."""

    class Inputs(HeadInputs):
        strength: float = Field(
            0.2, ge=0.001, le=10.0, description="how much of the token's vector the key takes in"
        )

    title = "What if the key knew its token?"
    question = "All tokens share one key. Let some of the word in."
    caption = "{moral}"
    opens = ("tiles", "askers", "grid")
    leaves = ("tiles", "askers", "grid")
    claims = (
        Claim(
            "with one key for all, every row but the first finds the token before it",
            lambda values: values.torn.constant.always_strict,
            "{torn.constant.n_missed} rows look elsewhere",
        ),
    )
    derived = {
        "moral": Derived("what follows for the key", _moral),
        "worst_word": Derived(
            "the token whose row keeps least", lambda v: v.tokens[v.torn.worst_row]
        ),
        "looks_at": Derived(
            "where that row looks", lambda v: int(v.torn.looks_at[v.torn.worst_row]), "position"
        ),
        "outcome": Derived(
            "what becomes of the rows",
            lambda v: "and the band tears" if v.torn.n_missed else "and the band still holds",
        ),
        "worst_story": Derived("the row that keeps least, in a sentence", _worst_story),
    }
    renamed = {
        "n_tokens": "torn.constant.n_tokens",
        "strength": "torn.strength",
        "n_rows": "torn.n_targets",
        "n_torn": "torn.n_missed",
        "worst_mass": "torn.worst_mass",
        "worst_row": "torn.worst_row",
        "largest_loss": "torn.largest_loss",
        "constant_worst_mass": "torn.constant.worst_mass",
    }

    values: Leak

    @classmethod
    def compute(cls, inputs: Inputs) -> Leak:
        return Leak.into(inputs.head(), inputs.tokens, inputs.strength)

    @classmethod
    def arrays(cls, values: Leak) -> dict[str, NDArray[Any]]:
        """All but the strengths that are infinite, of rows that never lose their target."""
        found = super().arrays(values)
        return {path: array for path, array in found.items() if np.isfinite(array).all()}

    def layout(self) -> None:
        tokens = self["tokens"]
        self.grid = Table(self["torn.constant.pattern"], tokens)
        self.tiles, self.askers = self.grid.tiles, self.grid.askers
        self.strength = Readout(
            self["leak.strengths"][0],
            self._strength_spec,
            words="how much of its word each key takes in",
        )
        below: list[Readout | Chart] = [self.strength, *self._contest()]
        weights = (1.0, *[0.0] * len(below))
        everyone = Dials(len(tokens), labels=tokens, largest=0.75)
        four, two = (
            Dials(len(tokens), labels=tokens, most=2 * n, columns=n, largest=0.75) for n in (2, 1)
        )
        stacked = (everyone, four, two)
        chosen = fit(
            room_beside(self.canvas, self.grid),
            Column(everyone, Row(*below, gap=0.7), weights=(1.0, 0.0)),
            *(Column(dials, *below, gap=0.2, weights=weights) for dials in stacked),
        )
        self.dials = (everyone, *stacked)[chosen]
        self.hands = Hands(self["leak.pairs"][0], self.dials, "key", unit=self.values.longest)
        self.winners = Winners(
            self["leak.looks_at"][0], self.grid, self["torn.target_rows"], self["torn.targets"]
        )

    def _contest(self) -> list[Chart]:
        """Two bars for the row that is lost first, if one is."""
        if not self.values.is_torn:
            return []
        names = (self.say_of("position: {target}"), self.say_of("words: {rival}"))
        self.contest = Chart(
            Scale(0.0, self.values.most_lead, line=False),
            slots(names, down=True, above=True),
            least=(max(text_width(name, SMALL) for name in names), 1.2),
            most=(3.4, 1.8),
        )
        spec = _lead_spec(self.values)
        self.bars = Bars(self["leads"], self.contest, "position", spec=spec, grown=False)
        return [self.contest]

    @property
    def _strength_spec(self) -> str:
        """Places enough for two digits of the strength at which the first row is lost."""
        least = float(self.values.leak.strengths[-1])
        return f".{max(2, 1 - int(np.floor(np.log10(least))))}f"

    def _run(self, way: str, **options: float) -> list[Drive]:
        """Everything that follows the strength, on one of its ways."""
        parts = (self.strength, self.hands, self.grid, self.winners)
        names = ("strengths", "pairs", "patterns", "looks_at")
        return [
            part.through(self[f"{way}.{name}"], **options)
            for part, name in zip(parts, names, strict=True)
            if part in self.mobjects
        ]

    @beat(_bending)
    def bend(self) -> Steps:
        yield self._out_of_the_labels(), FadeIn(self.strength), FadeIn(self.winners)
        yield self._run("leak", run_time=4.0)

    @beat(_first_loss, ask="How much of its word can a key take in?")
    def first(self) -> Steps:
        if self.values.is_torn:
            yield self._run("first", run_time=2.4)
        else:
            yield self.winners.kept.trace(run_time=self.reading)

    @beat(_others, when=lambda values: values.goes_on)
    def rest(self) -> Steps:
        yield self._run("rest", run_time=3.0)

    @beat(_why, when=lambda values: values.is_torn)
    def why(self) -> Steps:
        row = self.grid.frame_row(self.values.torn.first_loss_row)
        yield FadeIn(self.contest), FadeIn(row), self.bars.recolor(1, "wrong", run_time=0.6)
        yield self.bars.grow([0], run_time=1.2)
        yield self.bars.grow([1], run_time=1.8)
        yield FadeOut(row, run_time=0.6)

    @beat(CAPTION)
    def heal(self) -> Steps:
        gone = [FadeOut(self.contest, self.bars)] if self.values.is_torn else []
        yield [*self._run("back", run_time=2.6), *gone]

    def _out_of_the_labels(self) -> Drive:
        """Every word over a column drops a copy, which becomes its clock."""
        home, radius = self.dials.centers, self.dials.radius
        words = [self.tiles.labels[k] for k in self.dials.indices]
        self.dials.place_at([word.anchor for word in words], _FROM_LABEL)
        below = self.dials.under(0, -1) - words[0].anchor
        self.dials.place_at([word.anchor - below for word in words], _FROM_LABEL)
        self.add(self.dials, self.hands)
        return self.dials.go_to(home, radius, run_time=1.5)
