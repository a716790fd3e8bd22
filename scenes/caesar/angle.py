"""A dot product is a shadow: how far an arrow reaches along the ciphertext's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from model.caesar import N_ROTATIONS
from model.caesar_geometry import LetterPlane
from model.caesar_shadows import Shadows, telling_plane
from scenes.caesar.common import CryptogramInputs, cryptogram_facts
from scenes.facts import Claim, Fact, fill
from scenes.stage import DRAWING, Stage

if TYPE_CHECKING or DRAWING:
    from manim import Arc, FadeIn, FadeOut, VGroup

    from scenes.parts.fan import Arrow, Coordinates, Fan, PlaneAxes, Shade
    from scenes.parts.letter_bars import LetterBars
    from scenes.parts.motion import Drive, recolor
    from scenes.parts.pattern import along, follow
    from scenes.parts.text import Label, Number
    from scenes.style.theme import Role, mix


Axis = Annotated[str, Field(pattern=r"^[a-z]?$")]
_ROOMY = 6.8
"""Bars in a region as wide as this have room for the number of every rotation."""
_OVER, _LEFT, _NAME = 0.6, 0.7, 1.6
"""Room over the longest arrow, left of the axes, and right of it for the ciphertext's name."""
_BEYOND = 1.04
"""A ciphertext's arrow longer than this, in lengths of the longest rotation's, is cut off."""


class Angle(Stage):
    """A dot product is a shadow: how far an arrow reaches along the ciphertext's."""

    class Inputs(CryptogramInputs):
        x: Axis = Field(
            "",
            description="the letter of the ciphertext along the first axis; with none, the two "
            "letters that show best that shadow and angle differ",
        )
        y: Axis = Field("", description="the letter along the second axis")

    title = "The smallest angle"
    subtitle = "What does a dot product measure?"
    caption = "{moral}"
    notes = (
        "Keep two letters, “{x}” and “{y}”: the ciphertext is an arrow, and so is every rotation.",
        "The longer an arrow's shadow on the ciphertext's, the larger the dot product.",
        "{two_letters}",
        "Add the other letters: all arrows become equally long. Now only the angle counts.",
    )

    inputs: Inputs
    values: Shadows

    @classmethod
    def compute(cls, inputs: Inputs) -> Shadows:
        cryptogram = inputs.cryptogram()
        if not inputs.x and not inputs.y:
            return Shadows(telling_plane(cryptogram))
        if not inputs.x or not inputs.y:
            raise ValueError(f"x and y must both be letters, or none, got {inputs.x + inputs.y!r}")
        return Shadows(LetterPlane(cryptogram, inputs.x, inputs.y))

    @classmethod
    def facts(cls, values: Shadows) -> dict[str, Fact]:
        longest, rival = values.longest, values.rival
        found = values.plane.cryptogram.found
        degrees = np.rad2deg(values.angles)
        facts = {
            **cryptogram_facts(values.plane.cryptogram),
            "x": values.plane.x,
            "y": values.plane.y,
            "longest": longest,
            "longest_angle": float(degrees[0, longest]),
            "rival": rival,
            "rival_angle": float(degrees[0, rival]),
            "rules_differ": rival != longest,
            "angle": float(degrees[-1, found]),
            "narrowest": int(degrees[-1].argmin()),
            "next_angle": float(np.sort(degrees[-1])[1]),
        }
        facts["two_letters"] = fill(_two_letters(facts), facts)
        facts["moral"] = fill(_moral(facts), facts)
        return facts

    @classmethod
    def claims(cls, values: Shadows) -> list[Claim]:
        found, last = values.plane.cryptogram.found, values.angles[-1]
        spread = float(np.ptp(values.lengths[-1]))
        lead = values.plane.cryptogram.lead
        return [
            Claim(
                "with all letters, the arrows are equally long",
                spread < 1e-12,
                f"lengths that differ by {spread:.3g}",
            ),
            Claim(
                "the largest dot product is the smallest angle",
                int(last.argmin()) == found,
                f"rotation {found} for the one, {int(last.argmin())} for the other",
            ),
            Claim(
                "one rotation alone has the largest dot product",
                lead > 1e-12,
                f"a lead of {lead:.3g}",
            ),
        ]

    @classmethod
    def arrays(cls, values: Shadows) -> dict[str, NDArray[Any]]:
        return {
            "rotations": np.arange(N_ROTATIONS),
            "n_letters_so_far": np.arange(2, N_ROTATIONS + 1),
            "order": values.order,
            "arrows": values.plane.arrows,
            "arrow": values.plane.arrow,
            "dot_products": values.dot_products,
            "lengths": values.lengths,
            "shadows": values.shadows,
            "degrees": np.rad2deg(values.angles),
        }

    def construct(self) -> None:
        self.found = self.values.plane.cryptogram.found
        named = (self.values.longest, self.values.rival, self.found)
        self.followed = tuple(dict.fromkeys(named))
        self.faint = mix(self.theme.ground, self.theme.attention, 0.45)
        self._lay()
        self._plane()
        self._shadows()
        self._two_letters()
        self._all_letters()

    def _lay(self) -> None:
        """The arrows in a square, and bars beside or below it."""
        share = min(0.66, 5.9 / self.canvas.width) if self.canvas.wide else 0.62
        picture, right = self.canvas.beside(share, 1 - share, gap=0.5)
        self.right = right.inset(0.06, 0.0)
        ground = Shade.depth(len(self.followed))
        self.radius = min(picture.width - _LEFT - _NAME, picture.height - ground - _OVER)
        spare = picture.width - _LEFT - _NAME - self.radius
        self.origin = picture.point(0, 0) + np.array([_LEFT + spare / 2, ground, 0.0])
        self.units = self.radius / self.values.lengths.max(axis=1)  # (25,)
        own = np.minimum(self.values.own_lengths * self.units, _BEYOND * self.radius)
        self.own_lengths = own  # (25,), on screen
        self.slope = float(np.arctan2(*self.values.plane.arrow[::-1]))

    # Two letters as axes

    def _plane(self) -> None:
        """Every rotation is an arrow, and the ciphertext is one too."""
        self.beat("plane")
        flat = self.values.plane.arrows * self.units[0]
        self.axes = PlaneAxes(
            self.origin,
            self.radius,
            float(self.units[0]),
            (self.values.plane.x, self.values.plane.y),
        )
        self.fan = Fan(flat, self.origin, followed=self.followed)
        self.own = Arrow(self.theme.key, width=8)
        self.play(FadeIn(self.axes), self.say(0), run_time=0.8)
        self.play(Drive(self.fan, self.fan.show, 0.001 * flat, flat, run_time=1.4))
        size = float(self.own_lengths[0])
        table = self._coordinates()
        self.table = table if table.width < self.right.width else VGroup()
        self.name = Label("ciphertext", size=24, weight="semibold", color=self.theme.key)
        aside = [0.16, 0.12, 0.0] if self.slope > 0.4 else [0.0, 0.3, 0.0]
        self.name.put(self._own_end(self.slope, size) + np.array(aside))
        aim = Drive(self.own, lambda x: self._aim(self.slope, float(x)), 0.001, size)
        self.play(aim, FadeIn(VGroup(self.name, self.table)))
        self.let_read()

    def _coordinates(self) -> Coordinates:
        """What the axes say of the ciphertext and of the rotations that are followed."""
        plane, look = self.values.plane, self.theme
        names = [Label("ciphertext", size=26, weight="semibold", color=look.key)]
        yellow = look.text_color("attention")
        names += [
            Number(r, "d", prefix="rotation ", size=26, align="left", color=yellow)
            for r in self.followed
        ]
        shares = np.vstack([plane.arrow, plane.arrows[list(self.followed)]])  # (1 + followed, 2)
        table = Coordinates((plane.x, plane.y), names, shares, self.right.point(0, 1))
        return table.move_to(self.right.center)

    def _own_end(self, direction: float, length: float) -> NDArray[np.float64]:
        return np.array(
            self.origin + length * np.array([np.cos(direction), np.sin(direction), 0.0])
        )

    def _aim(self, direction: float, length: float) -> None:
        self.own.point(self.origin, self._own_end(direction, length))

    # Shadows on the ciphertext's arrow

    def _shadows(self) -> None:
        """Lay the ciphertext's arrow on the ground; the others cast shadows on it."""
        self.beat("shadow")
        self.play(FadeOut(VGroup(self.axes, self.name, self.table), run_time=0.6), self.say(1))
        self.play(self._turn())
        self.shade = Shade(self.fan, self.values.angles[0])
        size = float(self.own_lengths[0])
        self.name.put(self._own_end(0.0, max(size, self.radius)) + np.array([0.2, -0.08, 0.0]))
        self._lay_bars()
        self.play(
            FadeIn(VGroup(self.shade, self.name)),
            FadeIn(VGroup(self.bars, self.heading)),
            run_time=0.8,
        )
        self.play(self.bars.to(self.values.dot_products[0]), run_time=1.2)
        self.let_read()

    def _turn(self) -> Drive:
        """Lay the ciphertext's arrow flat, all others to one side: an angle has no side."""
        arrows = self.values.plane.arrows
        lengths = self.values.lengths[0] * self.units[0]  # (26,)
        directions = np.append(np.arctan2(arrows[:, 1], arrows[:, 0]), self.slope)  # (27,)

        def show(turned: NDArray[np.float64]) -> None:
            ways = np.column_stack([np.cos(turned), np.sin(turned)])  # (27, 2)
            self.fan.show(lengths[:, None] * ways[:-1])
            self._aim(float(turned[-1]), float(self.own_lengths[0]))

        moved = VGroup(self.fan, self.own)
        end = np.append(self.values.angles[0], 0.0)
        return Drive(moved, show, directions, end, run_time=1.6)

    def _lay_bars(self) -> None:
        most = float(self.values.dot_products[-1].max())
        every = 1 if self.right.width > _ROOMY else 5
        self.bars = LetterBars(
            0 * self.values.dot_products[0],
            self.right,
            high=most,
            color=self.faint,
            names=[str(r) if r % every == 0 else " " for r in range(N_ROTATIONS)],
            room=0.95,
        )
        for r in self.followed:
            self.bars.bars[r].set_fill(self.theme.attention)
        self.heading = self.bars.heading("dot products")

    # Length and angle

    def _two_letters(self) -> None:
        """The longest shadow need not be at the smallest angle."""
        self.beat("two letters")
        self.play(self.say(2))
        self.let_read()

    def _all_letters(self) -> None:
        """Letter after letter joins, until all arrows are equally long."""
        self.beat("all letters")
        ink = self.theme.key
        self.counter = Number(
            2, "d", suffix=" letters", size=28, weight="semibold", align="left", color=ink
        )
        self.counter.put(self.canvas.point(0, 1) - np.array([0.0, 0.28, 0.0]))
        self.play(FadeIn(self.counter), self.say(3), run_time=0.6)
        moved = VGroup(self.fan, self.own, self.shade, self.bars, self.counter)
        self.play(follow(moved, self._join, 0, N_ROTATIONS - 2, run_time=4.5))
        self._win()
        self.let_read()

    def _join(self, place: float) -> None:
        """Show what is seen with 2 + `place` letters."""
        values, unit = self.values, along(self.units, place)
        steps = np.column_stack([along(values.shadows, place), along(values.heights, place)])
        self.fan.show(steps * unit)
        self._aim(0.0, float(along(self.own_lengths, place)))
        self.shade.show(along(values.angles, place))
        self.bars.show(along(values.dot_products, place))
        self.counter.set_value(2 + int(place))

    def _win(self) -> None:
        """The arrow of the smallest angle has the longest shadow."""
        solved = self.values.plane.cryptogram.is_solved
        role: Role = "value" if solved else "wrong"
        color = str(getattr(self.theme, role))
        arc = Arc(self.radius, 0, np.pi / 2, arc_center=self.origin, stroke_width=2)
        best = self.values.dot_products[-1, self.found]
        number = self.bars.number(
            self.found, best, ".4f", size=26, weight="semibold", color=self.theme.text_color(role)
        )
        winner = VGroup(self.fan.arrows[self.found], self.shade.bar(self.found))
        others = [r for r in self.followed if r != self.found]
        self.play(
            FadeIn(arc.set_stroke(self.theme.muted)),
            recolor(winner, color),
            recolor(self.shade.words(self.found), self.theme.text_color(role)),
            self.bars.light([self.found], color),
            self.bars.light(others, self.faint),
            *(recolor(self.fan.arrows[r], self.faint) for r in others),
            *(recolor(self.shade.bar(r), self.faint) for r in others),
            FadeIn(number),
        )


def _two_letters(facts: dict[str, Fact]) -> str:
    if facts["rules_differ"]:
        return (
            "Rotation {rival} points closer, {rival_angle:.1f}° away, but is short here: "
            "{longest} casts the longer shadow."
        )
    return "With these two letters, no arrow points closer than rotation {longest}."


def _moral(facts: dict[str, Fact]) -> str:
    start = (
        "With all 26 letters, the largest dot product is the smallest angle: "
        "rotation {found}, {angle:.1f}° away"
    )
    return start + ("." if facts["is_solved"] else "; the true rotation is {rotation}.")
