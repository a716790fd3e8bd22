"""Part of the token's vector is mixed into its key, and rows lose the token before them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from manim import DOWN, DashedLine, VGroup
from numpy.typing import NDArray
from pydantic import Field

from clockhead.model.films.previous_token.token_dependent_key import TokenLeak, token_leak
from clockhead.scenes.parts.dial import Dials
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.figures import Figure, Readout
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.table import Table, room_beside
from clockhead.scenes.previous_token.balance import Balance
from clockhead.scenes.previous_token.inputs import HeadInputs
from clockhead.scenes.spelling import said, told_apart
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Column,
    Derived,
    FadeIn,
    FadeOut,
    Handle,
    Picture,
    Reading,
    Stage,
    Steps,
    Value,
    beat,
    fit,
    together,
)
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.motion import Moves
from clockhead.scenes.style.text import Label, text_width

_BESIDE, _APART = 0.4, 0.5
"""Extra space for names beside the large clock, and least distance between two names, in units."""
_NAME = 32.0
"""Letter size of these names, in pixels."""
_UNDER = 0.2
"""Free space under the title, in units."""
_HARDLY = 0.1
"""Strength up to which the clocks hardly change."""


def _percent_format(share: float) -> str:
    """Format of a share in percent, without decimals if they are zero."""
    return ".0%" if abs(100 * share - round(100 * share)) < 1e-9 else ".1%"


def _mixture(leak: TokenLeak) -> str:
    if leak.halts[1] > _HARDLY:
        return "Let us mix some of each word into its key, before RoPE. Every clock bends with it."
    return "Let us mix some of each word into its key, before RoPE. The clocks hardly bend."


def _first_loss(leak: TokenLeak) -> str:
    if not leak.is_torn:
        return (
            f"Even with {{strength:{_percent_format(leak.strength)}}} of it, no row loses its word."
        )
    spec = told_apart([leak.first_loss_at, leak.strength], (".1%", ".2%", ".4%"))
    at = f"No. With only {{first_loss_at:{spec}}} of the word, {{asker}} loses {{target}}"
    return f"{at}, and looks at {'itself' if leak.rival_is_itself else '{rival}'} instead."


def _other_rows(leak: TokenLeak) -> str:
    at = f"With {{strength:{_percent_format(leak.strength)}}}"
    if leak.n_missed == 1:
        return f"{at}, it is still the only row that is lost."
    return f"{at}, {{n_missed}} of the {{head.n_targets}} rows with a word before them miss it."


def _one_hand(leak: TokenLeak) -> str:
    words = f"{{strength:{_percent_format(leak.strength)}}} of the words"
    return f"Why? Take one hand, as {{asker}} sees it: with {words}, {{rival}} is higher up."


def _all_gains(leak: TokenLeak) -> str:
    if (leak.gains < 0).any():
        return "All in all, the words give {rival} more than {target}: here, hand by hand."
    return "So it is with every hand: the words give {rival} a little more than {target}."


def _total_gain(leak: TokenLeak) -> str:
    total = f"Together they come to {{gain:{_number_format(leak)}}}."
    return f"Each of them is small. {total}" if leak.gains.max() < leak.lead / 2 else total


def _lead(leak: TokenLeak) -> str:
    lead = f"by {{lead:{_number_format(leak)}}} only"
    return f"By its position, {{target}} leads {lead}. So {{asker}} must lose it."


def _moral(leak: TokenLeak) -> str:
    if leak.is_torn:
        return (
            "The less a key knows of its word, the better. For this head, the best key knows only "
            "its position."
        )
    return "This text can bear it. A key that knows only its position can bear any text."


def _number_format(leak: TokenLeak) -> str:
    both = [leak.lead, leak.gain]
    fixed = (".1f", ".2f", ".3f") if min(both) >= 0.1 else ()
    return told_apart(both, (*fixed, ".2g", ".4g"))


class Winners(Picture):
    """An outline around each row's largest attention weight, at the columns `looks_at` (T,).

    It is red if the column is not the row's target; rows without a target have none.
    """

    def __init__(self, looks_at: Value, table: Matrix, rows: Value, targets: Value) -> None:
        super().__init__(looks_at)
        self._targets = np.full(len(looks_at), np.nan)  # (T,)
        self._targets[list(rows.content)] = targets.array
        self.kept = table.outline(looks_at)
        self.lost = table.outline(looks_at, role="wrong")
        self.add(self.kept, self.lost)
        self.show(looks_at.array)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw an outline around the cell in this column of each row, (T,)."""
        away = np.abs(state - self._targets)  # (T,); NaN without a target
        for outline, is_mine in ((self.kept, away < 0.5), (self.lost, away >= 0.5)):
            outline.shown = self.shown
            outline.show(np.where(is_mine, state, np.nan))

    def readings(self) -> Iterator[Reading]:
        """Nothing: the outlines are pictures in the scene, with readings of their own."""
        return iter(())


class TokenDependentKey(Stage[TokenLeak]):
    """Part of the token's vector is mixed into its key, and rows lose the token before them."""

    class Inputs(HeadInputs):
        strength: float = Field(
            0.2,
            ge=0.001,
            le=10.0,
            description="factor of the token's vector that is added to its key",
        )

    title = "What if the key knew its word?"
    caption = "{moral}"
    opens = ("tiles", "askers", "grid", "dials", "hands", "hand")
    leaves = ("tiles", "askers", "grid")
    claims = (
        Claim(
            "with one key for all, every row but the first attends most to the token before it",
            lambda leak: leak.head.always_strict,
            "{head.n_missed} rows attend most to another token",
        ),
    )
    derived = {
        "moral": Derived(
            "the conclusion about keys, in a sentence", lambda leak: said(_moral(leak))
        )
    }

    handles = (
        Handle("strength", "0.01,0.03,0.06,0.07,0.1,0.15,0.2,0.3,0.5,1,2", beat=("rest", "first")),
    )

    compute = token_leak

    def layout(self) -> None:
        leak, tokens = self.values, self["tokens"]
        self.grid = Table(self["patterns"][0], tokens)
        self.tiles, self.askers = self.grid.tiles, self.grid.askers
        self.strength = Readout(
            self["strengths"][0],
            ".1%" if leak.halts[1] >= 0.001 else ".3%",
            words=said("how much of its word each key takes in"),
        )
        of_all = f" {said('of {n}', n=leak.n_hands)}"
        self.hand = Figure(self["telling_hand"], "d", prefix=f"{said('hand')} ", suffix=of_all)
        room = room_beside(self.canvas, self.grid)
        ways = [
            Dials(len(leak.tokens), labels=names, most=most, columns=columns, largest=0.75)
            for names, most, columns in (
                (tokens, 8, None), (tokens, 8, 4), (tokens, 4, 2), (tokens, 2, 1),
                ("{}", 8, 8), ("{}", 4, 2),
            )
        ]  # fmt: skip
        boxes = [
            Column(self.hand, dials, self.strength, gap=0.2, weights=(0.0, 1.0, 0.0))
            for dials in ways
        ]
        self.dials = ways[fit(replace(room, top=room.top - _UNDER), *boxes)]
        self.hands = Hands(self["pairs"][0], self.dials, "key", unit=leak.longest)
        self.hands.set_z_index(1)
        self.winners = Winners(
            self["looks_at"][0], self.grid, self["head.target_rows"], self["head.targets"]
        )
        if leak.is_torn:
            names = self.say_of("position, for {target}"), self.say_of("words, for {rival}")
            hands = said("hand" if leak.n_groups == leak.n_hands else "group of hands")
            self.balance = Balance(
                self["gains"], self["lead"], self["gain"], names, _number_format(leak), hands
            )
            fit(self.canvas, self.balance)
            self._lay_tips()

    def _lay_tips(self) -> None:
        """Lay out a large clock with both keys' most telling hand, and its heights."""
        leak, page = self.values, self.canvas
        up, names = self["pairs"][0][:1], (self.say_of("{target}"), self.say_of("{rival}"))
        gap = Figure(
            self["tip_gain"], ".2f", size=_NAME, align="left", prefix=f"{said('gap')} × α = "
        )
        beside = max(gap.number.width, *(text_width(name, _NAME) for name in names)) + _BESIDE
        face = Dials(1, labels=None, largest=2.4)
        face.place(replace(page, left=page.left + beside * page.wide, right=page.right - beside))
        query = Hands(up, face, "query", unit=leak.longest)
        keys = [Hands(self["tips"][k : k + 1], face, "key", unit=leak.longest) for k in (0, 1)]
        tips = [key.tip(0) for key in keys]
        apart = max(0.0, _APART - abs(float(tips[1][1] - tips[0][1]))) / 2
        x = float(face.centers[0, 0, 0]) + face.radius + 0.2
        self.levels = VGroup()
        for k, (name, tip) in enumerate(zip(names, tips, strict=True)):
            ink = self.theme.text_color("wrong" if k else "key")
            end = np.array([x, tip[1] + (apart if k else -apart), 0.0])
            label = Label(name, size=_NAME, color=ink).put(end + np.array([0.1, -0.1, 0.0]))
            self.levels.add(DashedLine(tip, end, stroke_color=ink, stroke_width=3), label)
        low = min(float(tips[1][1]), float(tips[0][1]) - apart)
        self.gap = gap.put(np.array([x + 0.1, low - 0.75, 0.0]))
        self.clock = VGroup(face, query, *keys)
        which = Figure(self["telling_hand"], "d", size=_NAME, prefix=f"{said('hand')} ")
        below = face.centers[0, 0] + (face.radius + 0.3) * DOWN
        self.clock.add(which.put(below))

    def _change_strength(self, start: int, end: int) -> Moves:
        """Animate everything that depends on the strength, from one of its halts to another."""
        way = self.values.between(start, end)
        followers = (self.strength, self.hands, self.grid, self.winners)
        paths = zip(followers, ("strengths", "pairs", "patterns", "looks_at"), strict=True)
        return together(*(part.through(self[path][way]) for part, path in paths))

    @beat(
        _mixture,
        ask="So far, the key ignores its word. Would it not be better if it knew both?",
        focus="grid",
    )
    def bend(self) -> Steps:
        yield FadeIn(self.strength, self.winners)
        yield together(self._change_strength(0, 1), run_time=max(3.0, self.reading - 1.0))

    @beat(_first_loss, rest=REST, focus="grid")
    def first(self) -> Steps:
        if self.values.is_torn:
            yield together(self._change_strength(1, 2), run_time=1.6)
        else:
            yield 1 * together(self.winners.kept.trace())

    @beat(_other_rows, when=lambda leak: leak.goes_on, focus="grid")
    def rest(self) -> Steps:
        yield together(self._change_strength(2, 3), run_time=4.0)

    @beat(_one_hand, when=lambda leak: leak.is_torn and leak.rival_is_higher, rest=REST)
    def hand_(self) -> Steps:
        yield self.screen(self.clock, run_time=0.8)
        yield FadeIn(self.levels)
        yield 0.8
        yield FadeIn(self.gap)

    @beat(_all_gains, when=lambda leak: leak.is_torn, focus="balance")
    def each(self) -> Steps:
        balance = self.balance
        yield self.screen(balance, balance.marks, run_time=0.5)
        yield balance.grow(run_time=max(3.0, self.reading - 0.5))

    @beat(_total_gain, when=lambda leak: leak.is_torn, focus="balance")
    def sum_(self) -> Steps:
        balance = self.balance
        yield balance.lie_down(run_time=3.6), FadeOut(balance.marks, run_time=0.6)
        yield FadeIn(balance.total_number, balance.names[1], run_time=0.5)

    @beat(_lead, when=lambda leak: leak.is_torn, rest=REST, focus="balance")
    def lead(self) -> Steps:
        balance = self.balance
        yield FadeIn(balance.names[0], run_time=0.5)
        yield balance.grow_lead()
        yield FadeIn(balance.lead_number, run_time=0.5)

    @beat(CAPTION, focus="grid")
    def heal(self) -> Steps:
        if self.values.is_torn:
            table = self.tiles, self.askers, self.grid, self.winners
            clocks = self.hand, self.dials, self.hands, self.strength
            yield self.screen(*table, *clocks, run_time=0.8)
        yield together(self._change_strength(3, 0), run_time=3.0)
