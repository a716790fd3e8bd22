"""The scripts in docs/scripts say what their films say, sentence by sentence."""

import re
from pathlib import Path

import pytest

from clockhead.scenes.facts import fill
from clockhead.scenes.language import ENGLISH, speaking
from tests.shipped import FILMS, shipped

SCRIPTS = Path(__file__).parents[2] / "docs" / "scripts"
_LINE = re.compile(r"- \[[^]]*\] (.+)")
"""What is seen, in brackets, and what is said."""


@pytest.mark.parametrize("path", sorted(SCRIPTS.glob("*.md")), ids=lambda path: path.stem)
def test_a_script_says_what_its_film_says(path: Path) -> None:
    assert path.stem in FILMS
    _, *parts = re.split(r"^## (\w+)$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    told = {name: _LINE.findall(part) for name, part in zip(parts[::2], parts[1::2], strict=True)}
    shots = shipped(path.stem).shots
    assert [*told] == [shot.id for shot in shots]
    for shot in shots:
        with speaking(ENGLISH):
            sentences = [fill(sentence, shot.facts) for sentence in told[shot.id]]
        question = [shot.shot.question] if shot.shot.question else []
        assert sentences == [*question, *shot.shot.sentences, shot.shot.caption]
