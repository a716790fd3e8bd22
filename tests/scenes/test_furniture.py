"""Titles, questions and what is said stand on the same heights in every stage."""

import pytest

from clockhead.scenes.stage.furniture import Furniture
from clockhead.scenes.style.layout import MARGIN, Region
from clockhead.scenes.style.text import Label, Paragraph

FRAME = Region.frame(128 / 9, 8)


def texts(furniture: Furniture) -> list[Paragraph]:
    return [m for m in furniture.opening.get_family() if isinstance(m, Paragraph)]


@pytest.mark.parametrize("title", ["Ace", "ace", "gypsy", "26 (x)"])
def test_baselines_do_not_depend_on_the_letters(title: str):
    plain, other = (Furniture(t, "Why?", ["One."], FRAME) for t in ("Ace", title))
    for a, b in zip(texts(plain), texts(other), strict=True):
        assert a[0].anchor[1] == pytest.approx(b[0].anchor[1])
        assert b.get_left()[0] == pytest.approx(FRAME.left + MARGIN)
    assert plain.canvas.top == pytest.approx(other.canvas.top)


def test_sentences_of_as_many_lines_share_their_baselines():
    long = "a sentence that is far too long for one line and goes on and on " * 3
    furniture = Furniture("T", "Q?", ["ace", "gypsy.", "$x$ is math", long, long + "g"], FRAME)
    ace, gypsy, maths, first, second = furniture.sentences.values()
    assert isinstance(ace[0], Label)
    assert ace[0].anchor[1] == pytest.approx(gypsy[0].anchor[1])
    assert first[0].anchor[1] == pytest.approx(second[0].anchor[1])
    assert first[0].anchor[1] > ace[0].anchor[1] > first[-1].anchor[1]
    assert abs(maths.get_center()[1] - ace.get_center()[1]) < 0.1


def test_sentences_stay_between_the_rule_and_the_margin():
    furniture = Furniture("T", "Q?", ["ace", "gypsy $Q^2_g$", "long words " * 30], FRAME)
    for sentence in furniture.sentences.values():
        assert sentence.get_bottom()[1] >= FRAME.bottom + MARGIN - 0.02
        assert sentence.get_top()[1] < furniture.canvas.bottom - 0.2


def test_a_stage_without_a_question_has_a_larger_canvas_or_the_same():
    asked, unasked = (Furniture("T", q, ["S."], FRAME) for q in ("Q?", ""))
    assert unasked.canvas.top >= asked.canvas.top
