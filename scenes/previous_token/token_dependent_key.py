"""The key takes in some of its word: clocks bend, and row by row the token before is lost."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from clockhead.model.films.previous_token.token_dependent_key import TokenLeak, token_leak
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.dial import Dials
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.dial_numbers import DialNumbers
from clockhead.scenes.parts.figures import Figure, Readout
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.table import Table, room_beside
from clockhead.scenes.previous_token.heights import Heights
from clockhead.scenes.previous_token.inputs import HeadInputs
from clockhead.scenes.spelling import said, told_apart
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Column,
    Derived,
    FadeIn,
    FadeOut,
    Layers,
    Picture,
    Reading,
    Row,
    Stage,
    Steps,
    Value,
    beat,
    fit,
    together,
)
from clockhead.scenes.style.motion import Moves
from clockhead.scenes.style.text import text_width
from clockhead.scenes.style.type import SMALL


def _bending(leak: TokenLeak) -> str:
    if len(set(leak.tokens)) == 1:
        return "One clock for all. One word everywhere bends them all alike."
    return "One clock for all. Now let every word bend its own."


def _first_loss(leak: TokenLeak) -> str:
    if not leak.is_torn:
        return "Even at {strength:g}, every row still finds the token before."
    spec = told_apart([leak.first_loss_at, leak.strength], (".2g", ".3g", ".5g"))
    past = f"Just past {{first_loss_at:{spec}}} of a word"
    if leak.rival_is_itself:
        return f"{past}, {{asker}} turns from {{target}} to itself."
    return f"{past}, {{asker}} turns from {{target}} to {{rival}}."


def _others(leak: TokenLeak) -> str:
    if leak.n_missed == 1:
        return "At {strength:g}, it is still the only row."
    return (
        "Of the {head.n_targets} rows with a token before them, {n_missed} look elsewhere "
        "at {strength:g}."
    )


def _moral(leak: TokenLeak) -> str:
    if leak.is_torn:
        return "The less a key knows of its word, the safer. Where it stands is all it needs."
    return "This text can bear it. A key that knows only where it stands bears any text."


def _lead_spec(leak: TokenLeak) -> str:
    fixed = (".1f", ".2f", ".3f") if leak.leads.min() >= 0.1 else ()
    return told_apart(leak.leads.tolist(), (*fixed, ".2g", ".4g"))


class Winners(Picture):
    """An outline in each row that has a target, around the cell that gets most; (T,)."""

    def __init__(self, looks_at: Value, table: Matrix, rows: Value, targets: Value) -> None:
        super().__init__(looks_at)
        self._targets = np.full(len(looks_at), np.nan)  # (T,)
        self._targets[list(rows.content)] = targets.array
        self.kept = table.outline(looks_at)
        self.lost = table.outline(looks_at, role="wrong")
        self.add(self.kept, self.lost)
        self.show(looks_at.array)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw the outlines around these columns, (T,)."""
        away = np.abs(state - self._targets)  # (T,), not a number without a target
        for outline, is_mine in ((self.kept, away < 0.5), (self.lost, away >= 0.5)):
            outline.shown = self.shown
            outline.show(np.where(is_mine, state, np.nan))

    def readings(self) -> Iterator[Reading]:
        """Both kinds of outline tell for themselves where they stand; they are in the scene."""
        return iter(())


class Side:
    """What stands beside the table, arranged in a `box`: dials, and below them what is told.

    `two` are the dials of target and rival of the row that is lost first, and a `contest` of two
    `bars` says why. A `brief` one names tokens by their positions.
    """

    def __init__(
        self,
        stage: TokenDependentKey,
        most: int,
        columns: int | None,
        *,
        abreast: bool = False,
        brief: bool = False,
    ) -> None:
        leak, tokens = stage.values, stage["tokens"]
        names, n = "{}" if brief else tokens, len(tokens)
        self.dials = Dials(n, labels=names, most=most, columns=columns, largest=0.75)
        layers, below = [self.dials], list[Readout | Chart]([stage.strength])
        if leak.is_torn:
            both = [leak.first_loss_target, leak.first_loss_rival]
            self.two = Dials(n, labels=names, chosen=both, columns=2, lines_under=1)
            layers.append(self.two)
            below.append(self._contest(stage, brief))
        rest = [Row(*below, gap=0.7)] if abreast else below
        weights = (0.0, 1.0, *[0.0] * len(rest))
        self.box = Column(stage.hand, Layers(*layers), *rest, gap=0.2, weights=weights)

    def _contest(self, stage: TokenDependentKey, brief: bool) -> Chart:
        """A bar for the target and one for the rival."""
        names = stage.say_of("position: for {target}"), stage.say_of("words: for {rival}")
        if brief:
            names = said("position"), said("words")
        self.contest = Chart(
            Scale(0.0, float(stage.values.leads.max()), line=False),
            slots(names, down=True, above=True),
            least=(max(text_width(name, SMALL) for name in names), 1.2),
            most=(3.4, 1.8),
        )
        spec = _lead_spec(stage.values)
        self.bars = Bars(stage["leads"], self.contest, "position", spec=spec, grown=False)
        return self.contest


class TokenDependentKey(Stage[TokenLeak]):
    """The key takes in some of its word: clocks bend, and rows turn to other tokens."""

    class Inputs(HeadInputs):
        strength: float = Field(
            0.2, ge=0.001, le=10.0, description="how much of the token's vector the key takes in"
        )

    title = "What if the key knew its token?"
    question = "How much of its word can a key take in?"
    caption = "{moral}"
    opens = ("tiles", "askers", "grid", "hand", "dials", "hands")
    leaves = ("tiles", "askers", "grid")
    claims = (
        Claim(
            "with one key for all, every row but the first finds the token before it",
            lambda leak: leak.head.always_strict,
            "{head.n_missed} rows look elsewhere",
        ),
    )
    derived = {"moral": Derived("what follows for the key", lambda leak: said(_moral(leak)))}

    compute = token_leak

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
        of_all = f" {said('of {n}', n=leak.head.n_pairs)}"
        self.hand = Figure(self["telling_pair"], "d", prefix=f"{said('hand')} ", suffix=of_all)
        ways = [
            Side(self, 8, None, abreast=True),
            Side(self, 8, 4, abreast=True),
            Side(self, 8, None),
            Side(self, 4, 2),
            Side(self, 2, 1),
            Side(self, 8, 8, abreast=True, brief=True),
            Side(self, 4, 2, brief=True),
        ]
        self.side = ways[fit(room_beside(self.canvas, self.grid), *(way.box for way in ways))]
        self.dials = self.side.dials
        self.hands = Hands(self["pairs"][0], self.dials, "key", unit=leak.longest)
        self.hands.set_z_index(1)
        self.winners = Winners(
            self["looks_at"][0], self.grid, self["head.target_rows"], self["head.targets"]
        )
        if leak.is_torn:
            two = self.side.two
            self.bent = Hands(self["pairs"][-1], two, "key", unit=leak.longest).set_z_index(1)
            self.asking = Hands(self["pairs"][0], two, "query", unit=leak.longest)
            self.heights = Heights(self["reaches"], self.bent, ())
            self.reaches = DialNumbers(self["reaches"], two, ".2f")

    def _run(self, start: int, end: int) -> Moves:
        """Everything that follows the strength, from one of its halts to another."""
        way = self.values.between(start, end)
        followers = (self.strength, self.hands, self.grid, self.winners)
        paths = zip(followers, ("strengths", "pairs", "patterns", "looks_at"), strict=True)
        return together(*(part.through(self[path][way]) for part, path in paths))

    @beat(_bending)
    def bend(self) -> Steps:
        yield FadeIn(self.strength, self.winners, run_time=0.6)
        yield 1 * self._run(0, 1)

    @beat(_first_loss)
    def first(self) -> Steps:
        if self.values.is_torn:
            yield together(self._run(1, 2), run_time=1.6)
        else:
            yield 1 * together(self.winners.kept.trace())

    @beat(_others, when=lambda leak: leak.goes_on)
    def rest(self) -> Steps:
        yield together(self._run(2, 3), run_time=5.0)

    @beat(
        "Why? With the query of {asker} upright, each hand adds its height.",
        when=lambda leak: leak.is_torn,
    )
    def reach(self) -> Steps:
        two = self.side.two
        home, radius = two.centers, two.radius
        near = np.abs(self.dials.indices[:, None] - two.indices).argmin(axis=0)
        two.place_at(self.dials.centers[0, near], self.dials.radius)
        self.row = self.grid.frame_row(self.values.first_loss_row)
        self.add(two, self.bent)
        yield two.go_to(home, radius), FadeOut(self.dials, self.hands), FadeIn(self.row)
        turn = self.bent.turn_to(self["seen_pairs"], self.values.seen_turns)
        self.add(self.heights)
        yield FadeIn(self.asking, run_time=0.6), turn
        yield self.heights.grow(), FadeIn(self.reaches)

    @beat(
        "Over all hands, times α, the words outweigh the position.", when=lambda leak: leak.is_torn
    )
    def why(self) -> Steps:
        bars = self.side.bars
        yield FadeIn(self.side.contest), bars.recolor(1, "wrong", run_time=0.6)
        yield bars.grow([0], run_time=1.2)
        yield bars.grow([1], run_time=1.8)

    @beat(CAPTION)
    def heal(self) -> Steps:
        if self.values.is_torn:
            stay = self.tiles, self.askers, self.grid, self.winners, self.hand, self.strength
            yield self.screen(*stay, self.dials, self.hands, run_time=0.6)
        yield together(self._run(3, 0), run_time=2.6)
