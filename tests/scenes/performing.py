"""Every stage with its default inputs, played once a look, for whatever is asked of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import pytest

from clockhead.scenes.stage import Stage, find_stage
from clockhead.scenes.stage.layout_check import LayoutChecker
from clockhead.scenes.stage.shown import is_visible, misread
from clockhead.scenes.style.text import Number
from clockhead.scenes.style.theme import ThemeName
from tests.scenes.naming import misnamed, misunited
from tests.scenes.ordering import all_disordered
from tests.scenes.staging import play, shown_labels

LOOKS: list[tuple[ThemeName, str]] = [
    ("chalk", "16:9"),
    ("paper", "4:3"),
    ("chalk", "1:1"),
    ("paper", "9:16"),
]
"""Every aspect once: where things stand does not depend on the theme, nor colours on the aspect."""


def on_each(names: list[str]) -> pytest.MarkDecorator:
    """Parametrize by stage; all tests of one are done by one worker, which plays it once a look."""
    cases = [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in names]
    return pytest.mark.parametrize("name", cases)


@dataclass(frozen=True)
class Performance:
    """A stage with its default inputs, played once, and what was on screen at the end of plays.

    What the layout check finds, and what is not as the model has it, is kept in words. All else is
    the same in every look, and is looked for in the first alone.
    """

    scene: Stage
    own_texts: tuple[str, ...]
    labels: set[str]
    seconds: float
    first_pieces: int
    """How many pieces are to be seen before anything moves, but for the title."""
    crowded: list[str]
    wrong: list[str]
    wrong_on_the_way: dict[str, None]
    """What is not as the model has it while it moves."""
    misnamed: dict[str, None]
    """Words, and signs of units, that are not of what they stand at."""
    disordered: dict[str, None]
    """Words that stand in the order of nothing that is drawn."""


def performance(name: str, look: tuple[ThemeName, str] = LOOKS[0]) -> Performance:
    return _performance(name, look)


@cache
def _performance(name: str, look: tuple[ThemeName, str]) -> Performance:
    stage = find_stage(name)
    theme, aspect = look
    shot = stage.shot(stage.Inputs(), theme=theme)
    checker, wrong, disordered = LayoutChecker(), list[str](), dict[str, None]()
    misnamings = dict[str, None]()
    labels: set[str] = set()
    is_first = look == LOOKS[0]

    def see(scene: Stage) -> None:
        checker(scene)
        wrong.extend(misread(scene))
        if not is_first:
            return
        misnamings.update(dict.fromkeys((*misnamed(scene), *misunited(scene))))
        disordered.update(dict.fromkeys(all_disordered(scene)))
        shown = shown_labels(scene)
        labels.update(label.text for label in shown if not isinstance(label, Number))

    on_the_way: dict[str, None] = {}

    def see_it_move(scene: Stage) -> None:
        where = scene.beats[-1].name if scene.beats else "the opening"
        on_the_way.update(dict.fromkeys(f"{where}: {problem}" for problem in misread(scene)))

    opening: list[int] = []
    setup = stage.setup

    def see_the_opening(scene: Stage) -> None:
        setup(scene)
        pieces = [p for m in scene.mobjects[1:] for p in m.family_members_with_points()]
        opening.append(sum(map(is_visible, pieces)))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stage, "setup", see_the_opening)
        on_moment = see_it_move if is_first else None
        scene = play(stage, shot, aspect=aspect, on_play=see, on_moment=on_moment)
    texts = (shot.title, shot.question, shot.caption, *shot.sentences)
    return Performance(
        scene=scene,
        own_texts=texts,
        labels=labels,
        seconds=scene.renderer.time,
        first_pieces=opening[0],
        crowded=checker.problems,
        wrong=wrong,
        wrong_on_the_way=on_the_way,
        misnamed=misnamings,
        disordered=disordered,
    )
