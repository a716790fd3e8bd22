"""Stages are drawn here, so Manim is imported before anything of `scenes` is."""

from collections.abc import Iterator

import manim
import pytest

from clockhead.pipeline.clips.drawing import manim_options
from clockhead.scenes.style.theme import use_theme


@pytest.fixture(autouse=True)
def quiet(tmp_path) -> Iterator[None]:
    """Draw small, in a folder of one's own, and leave the theme as it was."""
    manim.logger.setLevel("ERROR")
    options = {"media_dir": str(tmp_path), "disable_caching": True, "progress_bar": "none"}
    with manim_options(**options, verbosity="ERROR"):
        yield
    use_theme("chalk")
