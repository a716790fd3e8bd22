"""Titles, questions and what is said stand on the same heights in every stage."""

import pytest

from clockhead.scenes.stage.furniture import Furniture, too_large
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


TALL = [
    "$sum_(j=1)^n a_j v_j$",
    "so $sum_(j=1)^n a_j v_j$ and $frac(1, 2)$",
    r"$\frac{1}{\sqrt{d}}$",
    r"as $QK^T$ and $\alpha_{ij}$",
    r"$\begin{pmatrix} a \\ b \\ c \\ d \end{pmatrix}$",
    "a long sentence that takes two lines " * 3
    + r"and ends in $\frac{\frac{a}{b}}{\sum_{i=1}^{n} i}$",
]


@pytest.mark.parametrize("sides", [(128 / 9, 8), (32 / 3, 8), (8, 8), (8, 128 / 9)])
@pytest.mark.parametrize("sentence", TALL)
def test_formulas_that_are_not_too_large_stay_within_the_margins(sentence: str, sides):
    frame = Region.frame(*sides)
    page = frame.inset(MARGIN - 0.02)
    furniture = Furniture(f"T {sentence}"[:60], sentence, ["ace", sentence, "long " * 60], frame)
    assert not too_large(sentence, "caption", frame)
    for text in furniture.sentences.values():
        assert text.get_bottom()[1] >= page.bottom
        assert text.get_top()[1] < furniture.canvas.bottom - 0.2
        assert page.left <= text.get_left()[0] <= text.get_right()[0] <= page.right


@pytest.mark.parametrize("part", ["title", "question", "caption"])
def test_what_reaches_outside_the_margins_is_too_large(part):
    wide = "$" + " ".join(["bold(x)"] * 90).replace(" ", "") + "$"
    assert too_large(f"$sqrt({wide[1:-1]})$", part, FRAME)
    assert not too_large("a sentence without formulas " * 20, part, FRAME)


def test_without_a_question_the_title_is_small_and_gives_its_room_to_the_canvas():
    asked, unasked = (Furniture("Title", q, ["S."], FRAME) for q in ("Q?", ""))
    assert unasked.canvas.top > asked.canvas.top + 0.6
    assert unasked.heading.get_bottom()[1] > unasked.canvas.top
    assert unasked.heading.height < 0.75 * asked.heading[0].height
