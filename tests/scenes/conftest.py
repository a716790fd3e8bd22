"""Stages are drawn here, so Manim is imported before anything of `scenes` is."""

from collections.abc import Iterator

import manim
import pytest

from clockhead.clips.drawing import manim_options
from clockhead.scenes.style.theme import use_theme


@pytest.fixture(scope="session")
def media(tmp_path_factory) -> str:
    """A folder for all that is drawn."""
    return str(tmp_path_factory.mktemp("media"))


@pytest.fixture(autouse=True, scope="module")
def quiet(media) -> Iterator[None]:
    """Draw small, in a folder apart."""
    manim.logger.setLevel("ERROR")
    options = {"media_dir": media, "disable_caching": True, "progress_bar": "none"}
    with manim_options(**options, verbosity="ERROR"):
        yield


@pytest.fixture(autouse=True)
def usual_theme() -> Iterator[None]:
    """Draw in the usual theme, whatever was drawn in before."""
    use_theme("chalk")
    yield
    use_theme("chalk")
