"""Text stands on its baseline and fits its width, and numbers keep their value."""

import numpy as np
import pytest

from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.text import Formula, Label, Number, Paragraph, text_width, wrap
from clockhead.scenes.style.theme import CHALK
from clockhead.scenes.style.type import MissingGlyph


def test_letters_in_a_row_share_a_baseline():
    labels = [Label(letter).center_on(np.array([k, 1.0, 0])) for k, letter in enumerate("ahpgx")]
    assert np.ptp([label.anchor[1] for label in labels]) < 1e-9


def test_a_label_knows_its_size_after_scaling():
    label = Label("the cat", size=30)
    assert label.em == pytest.approx(30 * PX)
    label.scale(0.5).shift([3, 2, 0])
    assert label.em == pytest.approx(15 * PX)


def test_a_glyph_that_the_face_lacks_is_an_error():
    with pytest.raises(MissingGlyph, match="cannot draw"):
        Label("snow \u2603 \U0001f600")


def test_a_space_that_is_meant_to_be_seen_stands_between_its_neighbours():
    label, plain = Label("a␣b"), Label("ab")
    assert text_width("a␣b", 20) == pytest.approx(text_width("ab", 20) + 10 * PX, rel=0.05)
    assert label.width > plain.width
    below = Label("␣").get_bottom()[1]
    assert -0.21 < below / Label("␣").em < 0


@pytest.mark.parametrize(("align", "share"), [("left", 0.0), ("center", 0.5), ("right", 1.0)])
def test_a_number_keeps_its_anchor_and_its_value(align: str, share: float):
    place = np.array([1.0, -2.0, 0.0])
    number = Number(9.5, ".1f", align=align).put(place)
    number.set_value(-12345.25)
    assert number.text == "−12345.2"
    assert number.value == -12345.25
    assert number.anchor == pytest.approx(place)


def test_a_number_that_reads_the_same_is_not_drawn_again():
    number = Number(0.1234, ".2f")
    points = number.points
    number.set_value(0.1239)
    assert number.value == 0.1239
    assert number.points is points


def test_wrapped_lines_fit_and_keep_every_word():
    text = "every row but the first puts its attention on the token before it"
    lines = wrap(text, 3.0, 26)
    assert " ".join(lines) == text
    assert len(lines) > 1
    assert all(text_width(line, 26) <= 3.0 for line in lines)


def test_a_paragraph_with_mathematics_is_typeset_at_the_same_width():
    paragraph = Paragraph("the score $q_m^top k_n$ is a sum of cosines", width=3.0)
    assert paragraph.width <= 3.0
    assert len(paragraph.family_members_with_points()) >= 1


def test_formula_roles_have_their_colours():
    formula = Formula("query(q_m)^top key(k_n) = 1/2")
    colors = [piece.get_fill_color().to_hex().upper() for piece in formula]
    query, key = CHALK.text_color("query"), CHALK.text_color("key")
    assert (colors.count(query), colors.count(key)) == (1, 1)
    assert formula[colors.index(query)].get_x() < formula[colors.index(key)].get_x()
    assert CHALK.text_color("wrong") not in colors
