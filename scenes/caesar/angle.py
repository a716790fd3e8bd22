"""A dot product is a shadow: how far an arrow reaches along the ciphertext's."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from manim import FadeIn, FadeOut, VGroup
from numpy.typing import NDArray
from pydantic import Field

from model.caesar import N_ROTATIONS
from model.caesar_geometry import LetterPlane
from model.caesar_shadows import Shadows, telling_plane
from scenes.caesar.common import CryptogramInputs, cryptogram_facts, unrivalled
from scenes.facts import Fact, fill
from scenes.parts.charts.letter_bars import LetterBars, quiet, rotation_names
from scenes.parts.charts.shadow_picture import ShadowPicture
from scenes.stage import Finding, Slide
from scenes.style.motion import along, follow, recolor
from scenes.style.text import Number
from scenes.style.theme import Role, faint

Axis = Annotated[str, Field(pattern=r"^[a-z]?$")]


class Angle(Slide):
    """A dot product is a shadow: how far an arrow reaches along the ciphertext's."""

    class Inputs(CryptogramInputs):
        x: Axis = Field(
            "",
            description="the letter of the ciphertext along the first axis; with none, the two "
            "letters that show best that shadow and angle differ",
        )
        y: Axis = Field("", description="the letter along the second axis")

    title = "The smallest angle"
    question = "What does a dot product measure?"
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
            "n_alphabet": N_ROTATIONS,
        }
        facts["two_letters"] = fill(_two_letters(facts), facts)
        facts["moral"] = fill(_moral(facts), facts)
        return facts

    @classmethod
    def checks(cls, values: Shadows) -> list[Finding]:
        found, last = values.plane.cryptogram.found, values.angles[-1]
        spread = float(np.ptp(values.lengths[-1]))
        return [
            unrivalled(values.plane.cryptogram),
            Finding(
                "with all letters, the arrows are equally long",
                spread < 1e-12,
                f"lengths that differ by {spread:.3g}",
            ),
            Finding(
                "the largest dot product is the smallest angle",
                int(last.argmin()) == found,
                f"rotation {found} for the one, {int(last.argmin())} for the other",
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
        share = min(0.66, 5.9 / self.canvas.width) if self.canvas.wide else 0.62
        place, right = self.canvas.beside(share, 1 - share, gap=0.5)
        self.right = right.inset(0.06, 0.0)
        self.picture = ShadowPicture(self.values, place, followed=self.followed)
        self._plane()
        self._shadows()
        self._two_letters()
        self._all_letters()

    def _plane(self) -> None:
        """With two letters as axes, every rotation is an arrow, and the ciphertext is one too."""
        self.beat("plane")
        picture = self.picture
        table = picture.table(self.right)
        self.plane = VGroup(picture.axes, picture.title)
        named = VGroup(picture.title)
        if table.width < self.right.width:
            self.plane.add(table)
            named.add(table)
        self.play(FadeIn(picture.axes), self.say(0), run_time=0.8)
        self.play(picture.spread())
        self.play(picture.aim(), FadeIn(named))
        self.let_read()

    def _shadows(self) -> None:
        """Lay the ciphertext's arrow on the ground; the others cast shadows on it."""
        self.beat("shadow")
        picture = self.picture
        self.play(FadeOut(self.plane, run_time=0.6), self.say(1))
        self.play(picture.lie_down())
        self.shade = picture.cast()
        self._lay_bars()
        self.play(
            FadeIn(VGroup(self.shade.cast, picture.title)),
            FadeIn(VGroup(self.bars, self.heading)),
            run_time=0.8,
        )
        self.play(self.bars.to(self.values.dot_products[0]), run_time=1.2)
        self.let_read()

    def _lay_bars(self) -> None:
        most = float(self.values.dot_products[-1].max())
        self.bars = LetterBars(
            0 * self.values.dot_products[0],
            self.right,
            high=most,
            color=quiet(),
            names=rotation_names(self.right.width / N_ROTATIONS),
            room=0.95,
        )
        for r in self.followed:
            self.bars.bars[r].set_fill(self.theme.attention)
        self.heading = self.bars.heading("dot products")

    def _two_letters(self) -> None:
        """The longest shadow need not be at the smallest angle."""
        self.beat("two letters")
        self.play(self.say(2), FadeIn(self.shade.turns))
        self.let_read()

    def _all_letters(self) -> None:
        """Letter after letter joins, until all arrows are equally long."""
        self.beat("all letters")
        ink = self.theme.key
        self.counter = Number(
            2, "d", suffix=" letters", size=28, weight="semibold", align="left", color=ink
        )
        level = self.heading.anchor[1] if self.canvas.wide else self.canvas.top - 0.28
        self.counter.put(np.array([self.canvas.left, level, 0.0]))
        self.play(FadeIn(self.counter), self.say(3), run_time=0.6)
        moved = VGroup(self.picture, self.shade, self.bars, self.counter)
        self.play(follow(moved, self._join, 0, N_ROTATIONS - 2, run_time=4.5))
        self._win()
        self.let_read()

    def _join(self, place: float) -> None:
        """Show what is seen with 2 + `place` letters."""
        self.picture.show(place)
        self.bars.show(along(self.values.dot_products, place))
        self.counter.set_value(2 + int(place))

    def _win(self) -> None:
        """The arrow of the smallest angle has the longest shadow."""
        role: Role = "value" if self.values.plane.cryptogram.is_solved else "wrong"
        color, ink = str(getattr(self.theme, role)), self.theme.text_color(role)
        best = self.values.dot_products[-1, self.found]
        number = self.bars.number(self.found, best, ".4f", size=26, weight="semibold", color=ink)
        arrows = self.picture.fan.arrows
        others = [r for r in self.followed if r != self.found]
        dimmed = VGroup(*(VGroup(arrows[r], self.shade.bar(r)) for r in others))
        self.play(
            FadeIn(self.picture.rim()),
            recolor(VGroup(arrows[self.found], self.shade.bar(self.found)), color),
            recolor(self.shade.words(self.found), ink),
            recolor(dimmed, faint(self.theme.attention)),
            self.bars.light([self.found], color),
            self.bars.light(others, quiet()),
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
        "With all {n_alphabet} letters, the largest dot product is the smallest angle: "
        "rotation {found}, {angle:.1f}° away"
    )
    return start + ("." if facts["is_solved"] else "; the true rotation is {rotation}.")
