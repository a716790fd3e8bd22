"""The pictures in docs/parts.md, each drawn by the code that stands below it.

After a change that is meant, `python -m tests.docs.gallery` draws them anew.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import manim
import numpy as np
from manim import ManimColor, config, tempconfig
from PIL import Image

from clockhead.scenes.stage import Stage
from clockhead.scenes.stage.paths import Facts
from clockhead.scenes.style.layout import MARGIN, PX, Region
from clockhead.scenes.style.theme import use_theme

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "parts.md"
WIDTH, HEIGHT = 640, 360
"""Pixels, of which there are as many to a unit as in a film at 720p."""
COLORS = 256
"""So many colours are kept of a picture."""
_VALUES = re.compile(r"^```python values\n(.*?)^```$", re.M | re.S)
_EXAMPLE = re.compile(r"^!\[(.+?)\]\(parts/(\w+)\.png\)\n+```python\n(.*?)^```$", re.M | re.S)


@dataclass(frozen=True)
class Example:
    """A part as the page shows it."""

    title: str
    name: str
    code: str

    @property
    def picture(self) -> Path:
        """The kept picture."""
        return DOCS / "parts" / f"{self.name}.png"


class Page(Stage):
    """A stage without title and sentences, on which an example plays."""

    title = question = caption = ""

    def setup(self) -> None:
        self.theme = use_theme("chalk")
        self.camera.background_color = ManimColor(self.theme.ground)
        self.values = self.compute(self.inputs)
        self._facts = Facts(self.inputs, self.values, {})
        frame = Region.frame(config.frame_width, config.frame_height)
        self.canvas = frame.inset(MARGIN - 0.15)

    def play(self, *animations: Any, **options: Any) -> None:
        """Play, with no furniture to uncover."""
        manim.Scene.play(self, *animations, **options)


def examples() -> Iterator[Example]:
    """Those of the page, in order."""
    for title, name, code in _EXAMPLE.findall(PAGE.read_text()):
        yield Example(title, name, code)


def page_for(example: Example) -> Stage:
    """The stage of an example, played to its end."""
    [values] = _VALUES.findall(PAGE.read_text())
    known: dict[str, Any] = {"__name__": __name__}
    exec(compile(values, str(PAGE), "exec"), known)
    code = compile(example.code, f"{PAGE}: {example.name}", "exec")

    class Shown(Page):
        @classmethod
        def compute(cls, inputs: Any) -> Any:
            return known["Values"]()

        def construct(self) -> None:
            exec(code, {"self": self, "np": np})

    options = {
        "dry_run": True,
        "verbosity": "ERROR",
        "progress_bar": "none",
        "pixel_width": WIDTH,
        "pixel_height": HEIGHT,
        "frame_width": WIDTH * PX,
        "frame_height": HEIGHT * PX,
    }
    with tempconfig(options):
        stage = Shown(skip_animations=True)
        stage.render()
        stage.renderer.static_image = None
        stage.renderer.update_frame(stage)
        return stage


def draw(example: Example) -> np.ndarray:
    """The picture of an example, (height, width, 3) bytes."""
    return page_for(example).renderer.get_frame()[..., :3]


if __name__ == "__main__":
    manim.logger.setLevel("ERROR")
    (DOCS / "parts").mkdir(exist_ok=True)
    for one in examples():
        drawn = Image.fromarray(draw(one))
        drawn.quantize(COLORS, dither=Image.Dither.NONE).save(one.picture, optimize=True)
        print(one.picture.stat().st_size, one.name)
