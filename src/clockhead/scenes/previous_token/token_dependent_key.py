"""The key takes in some of its word: clocks bend, and row by row the token before is lost."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import FadeIn, FadeOut
from numpy.typing import NDArray
from pydantic import Field

from clockhead.model.token_leak import TokenLeak
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.dial import Dials
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.dial_numbers import DialNumbers
from clockhead.scenes.parts.figures import Figure, Readout
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.table import Table, room_beside
from clockhead.scenes.previous_token.heights import Heights
from clockhead.scenes.previous_token.inputs import HeadInputs
from clockhead.scenes.previous_token.winners import Winners
from clockhead.scenes.spelling import said, told_apart
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Column,
    Derived,
    Layers,
    Row,
    Stage,
    Steps,
    beat,
    fit,
)
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.text import text_width
from clockhead.scenes.style.type import SMALL


def _bending(leak: TokenLeak) -> str:
    if len(set(leak.tokens)) == 1:
        return "One clock for all. One word everywhere bends them all alike."
    return "One clock for all. Now let every word bend its own."


def _first_loss(leak: TokenLeak) -> str:
    torn = leak.torn
    if not leak.is_torn:
        return "Even at {torn.strength:g}, every row still finds the token before."
    spec = told_apart([torn.first_loss_at, torn.strength], (".2g", ".3g", ".5g"))
    at = f"{{torn.first_loss_at:{spec}}}"
    if torn.rival_is_itself:
        return (
            f"Just past {at} of a word, {{asker}} stops looking at {{target}} and turns to itself."
        )
    return (
        f"Just past {at} of a word, {{asker}} stops looking at {{target}} and turns to {{rival}}."
    )


def _others(leak: TokenLeak) -> str:
    if leak.torn.n_missed == 1:
        return "Go on to {torn.strength:g}, and it is still the only row."
    return (
        "Go on to {torn.strength:g}, and {torn.n_missed} of the {torn.n_targets} rows that have a "
        "token before them look elsewhere."
    )


def _why(leak: TokenLeak) -> str:
    spec = _lead_spec(leak)
    position, words = (f"{{torn.{who}_lead:{spec}}}" for who in ("position", "token"))
    ahead = f"Over all hands, times α, position favours {{target}} by {position}. "
    return f"{ahead}Words favour {{rival}} by {words}: more."


def _moral(leak: TokenLeak) -> str:
    if leak.is_torn:
        return "The less a key knows of its word, the safer. Where it stands is all it needs."
    return "This text can bear it. A key that knows only where it stands bears any text."


def _lead_spec(leak: TokenLeak) -> str:
    fixed = (".1f", ".2f", ".3f") if leak.leads.min() >= 0.1 else ()
    return told_apart(leak.leads.tolist(), (*fixed, ".2g", ".4g"))


class TokenDependentKey(Stage):
    """The key takes in some of its word: clocks bend, and rows turn to other tokens."""

    class Inputs(HeadInputs):
        strength: float = Field(
            0.2, ge=0.001, le=10.0, description="how much of the token's vector the key takes in"
        )

    title = "What if the key knew its token?"
    question = "All tokens share one key. Let some of the word in."
    caption = "{moral}"
    opens = ("tiles", "askers", "grid", "hand", "dials", "hands")
    leaves = ("tiles", "askers", "grid")
    claims = (
        Claim(
            "with one key for all, every row but the first finds the token before it",
            lambda leak: leak.torn.constant.always_strict,
            "{torn.constant.n_missed} rows look elsewhere",
        ),
    )
    derived = {"moral": Derived("what follows for the key", lambda leak: said(_moral(leak)))}

    values: TokenLeak

    @classmethod
    def compute(cls, inputs: Inputs) -> TokenLeak:
        return TokenLeak.into(inputs.head(), inputs.tokens, inputs.strength)

    @classmethod
    def arrays(cls, values: TokenLeak) -> dict[str, NDArray[Any]]:
        """All but the strengths that are infinite, of rows that never lose their target."""
        found = super().arrays(values)
        return {path: array for path, array in found.items() if np.isfinite(array).all()}

    def layout(self) -> None:
        leak, tokens = self.values, self["tokens"]
        self.grid = Table(self["patterns"][0], tokens)
        self.tiles, self.askers = self.grid.tiles, self.grid.askers
        digits = max(2, 1 - int(np.floor(np.log10(leak.halts[1]))))
        self.strength = Readout(
            self["strengths"][0],
            f".{digits}f",
            words=said("how much of its word each key takes in"),
        )
        below: list[Readout | Chart] = [self.strength]
        if leak.is_torn:
            below.append(self._contest())
        of_all = f", {said('one of {n}', n=leak.torn.constant.n_pairs)}"
        self.hand = Figure(self["telling_pair"], "d", prefix=f"{said('hand')} ", suffix=of_all)
        self.two = self._two_dials() if leak.is_torn else []
        faces = [
            Dials(len(tokens), labels=tokens, most=most, columns=columns, largest=0.75)
            for most, columns in ((8, None), (8, None), (4, 2), (2, 1))
        ]
        first, *others = (Layers(dials, *self.two) for dials in faces)
        weights = (0.0, 1.0, *[0.0] * len(below))
        chosen = fit(
            room_beside(self.canvas, self.grid),
            Column(self.hand, first, Row(*below, gap=0.7), gap=0.2, weights=weights[:3]),
            *(Column(self.hand, few, *below, gap=0.2, weights=weights) for few in others),
        )
        self.dials = faces[chosen]
        self.hands = Hands(self["pairs"][0], self.dials, "key", unit=leak.longest)
        self.hands.set_z_index(1)
        self.winners = Winners(
            self["looks_at"][0], self.grid, self["torn.target_rows"], self["torn.targets"]
        )

    def _two_dials(self) -> list[Dials]:
        """The dials of target and rival, and what will lie on them."""
        torn, tokens, unit = self.values.torn, self["tokens"], self.values.longest
        both = [torn.first_loss_target, torn.first_loss_rival]
        dials = Dials(len(tokens), labels=tokens, chosen=both, columns=2, lines_under=1)
        self.bent = Hands(self["pairs"][-1], dials, "key", unit=unit).set_z_index(1)
        self.asking = Hands(self["pairs"][0], dials, "query", unit=unit)
        self.heights = Heights(self["reaches"], self.bent, ())
        self.reaches = DialNumbers(self["reaches"], dials, ".2f")
        return [dials]

    def _contest(self) -> Chart:
        """Two bars for the row that is lost first."""
        names = (self.say_of("position: for {target}"), self.say_of("words: for {rival}"))
        self.contest = Chart(
            Scale(0.0, self.values.most_lead, line=False),
            slots(names, down=True, above=True),
            least=(max(text_width(name, SMALL) for name in names), 1.2),
            most=(3.4, 1.8),
        )
        spec = _lead_spec(self.values)
        self.bars = Bars(self["leads"], self.contest, "position", spec=spec, grown=False)
        return self.contest

    def _run(self, start: int, end: int, run_time: float) -> list[Drive]:
        """Everything that follows the strength, from one of its halts to another."""
        way = self.values.between(start, end)
        followers = (self.strength, self.hands, self.grid, self.winners)
        paths = zip(followers, ("strengths", "pairs", "patterns", "looks_at"), strict=True)
        return [part.through(self[path][way], run_time=run_time) for part, path in paths]

    @beat(_bending)
    def bend(self) -> Steps:
        yield FadeIn(self.strength, self.winners, run_time=0.6)
        yield self._run(0, 1, run_time=self.reading)

    @beat(_first_loss, ask="How much of its word can a key take in?")
    def first(self) -> Steps:
        if self.values.is_torn:
            yield self._run(1, 2, run_time=1.6)
        else:
            yield self.winners.kept.trace(run_time=self.reading)

    @beat(_others, when=lambda leak: leak.goes_on)
    def rest(self) -> Steps:
        yield self._run(2, 3, run_time=5.0)

    @beat(
        "Why? Hold the query of {asker} upright again: each hand adds its height.",
        when=lambda leak: leak.is_torn,
    )
    def reach(self) -> Steps:
        [two] = self.two
        home, radius = two.centers, two.radius
        near = np.abs(self.dials.indices[:, None] - two.indices).argmin(axis=0)
        two.place_at(self.dials.centers[0, near], self.dials.radius)
        self.row = self.grid.frame_row(self.values.torn.first_loss_row)
        self.add(two, self.bent)
        yield two.go_to(home, radius), FadeOut(self.dials, self.hands), FadeIn(self.row)
        turn = self.bent.turn_to(self["seen_pairs"], self.values.seen_turns)
        self.add(self.heights)
        yield FadeIn(self.asking, run_time=0.6), turn
        yield self.heights.grow(), FadeIn(self.reaches)

    @beat(_why, when=lambda leak: leak.is_torn)
    def why(self) -> Steps:
        yield FadeIn(self.contest), self.bars.recolor(1, "wrong", run_time=0.6)
        yield self.bars.grow([0], run_time=1.2)
        yield self.bars.grow([1], run_time=1.8)

    @beat(CAPTION)
    def heal(self) -> Steps:
        if self.values.is_torn:
            marks = [self.asking, self.heights, self.bent, self.reaches]
            gone = [*self.two, *marks, self.contest, self.bars, self.row]
            yield FadeOut(*gone, run_time=0.6), FadeIn(self.dials, self.hands, run_time=0.6)
        yield self._run(3, 0, run_time=2.6)
