"""Two matrices and their product, side by side; letters that are lit as right."""

import numpy as np
import pytest

from clockhead.model.caesar.cryptogram import cryptogram
from clockhead.scenes.caesar.ciphertext import Ciphertext
from clockhead.scenes.caesar.factors import Factors, bound
from clockhead.scenes.caesar.how_much_text import HowMuchText
from clockhead.scenes.stage import Size, Stage, Value
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.shape import fill_of
from tests.scenes.staging import is_right, play

WIDE = Region(-6.5, -2.5, 6.5, 2.5)


def factors(width: int) -> Factors:
    rng = np.random.default_rng(0)
    e, u = rng.normal(size=(27, width)), rng.normal(size=(width, 26))
    return Factors(Value("e", e), Value("u", u), Value("p", e @ u))


@pytest.mark.parametrize("width", [27, 64])
def test_factors_have_cells_of_one_size_and_stay_in_their_region(width: int) -> None:
    picture = factors(width)
    least: Size = picture.least
    region = Region(-1.0, -1.0, 0.5 + least.width, least.height)
    picture.place(region)
    sizes = [(m.lattice.cell_width, m.lattice.cell_height) for m in picture.matrices]
    np.testing.assert_allclose(sizes, [sizes[0]] * 3)
    points = picture.get_all_points()
    assert points[:, 0].min() > region.left - 0.05
    assert points[:, 0].max() < region.right + 0.05
    assert points[:, 1].min() > region.bottom - 0.05
    assert points[:, 1].max() < region.top + 0.05


def test_shades_are_full_at_the_largest_value_of_either_sign() -> None:
    assert bound(Value("v", np.array([[0.5, -2.0]]))) == 2.0
    picture = factors(27)
    picture.place(WIDE)
    for matrix in picture.matrices:
        values = matrix.state
        for reading in matrix.readings():
            assert float(reading.says) == pytest.approx(
                float(reading.meant.content), abs=np.abs(values).max() / 60
            )


def test_a_product_of_other_factors_is_found() -> None:
    picture = factors(32)
    picture.place(WIDE)

    def wrong() -> int:
        readings = list(picture.readings())
        return sum(abs(float(r.says) - float(r.meant.content)) > r.within for r in readings)

    assert len(list(picture.readings())) == 27 + 26 - 1
    assert wrong() == 0
    picture.unembed.set_to(Value("u", picture.unembed.state[::-1]))
    assert wrong() == 52


# Letters that are lit as right

SHORT = cryptogram("to be", 3)


def painted(rotation: int) -> Ciphertext:
    """A message turned back by a rotation, its second word lit as right."""
    message = Ciphertext(Value("turned_back", SHORT.turned_back)[rotation])
    message.place(WIDE)
    message.paint(Value("text", SHORT.text), [3, 4])._show(np.asarray(1.0))
    return message


def test_a_letter_that_is_lit_as_right_and_is_not_is_noticed() -> None:
    assert is_right(painted(3).readings())
    assert len(list(painted(3).readings())) == 4 + 2
    assert not is_right(painted(2).readings())
    plain = painted(2)
    plain.tint([3, 4], "token")._show(np.asarray(1.0))
    assert is_right(plain.readings())


def test_a_letter_that_is_lit_as_right_must_be_held_against_something() -> None:
    message = Ciphertext(Value("text", SHORT.text))
    message.place(WIDE)
    message.tint([0], "right")._show(np.asarray(1.0))
    assert not is_right(message.readings())


@pytest.mark.parametrize(
    ("text", "rotation", "green"), [("to be", 3, "tobe"), ("a bay", 3, ""), ("an", 7, "")]
)
def test_a_short_message_turns_green_only_when_it_is_read(
    text: str, rotation: int, green: str
) -> None:
    seen: dict[str, str] = {}

    def look(stage: Stage) -> None:
        assert isinstance(stage, HowMuchText)
        labels = [label for _, label in sorted(stage.message.labels.items())]
        is_green = [fill_of(label) == stage.theme.right for label in labels]
        if stage.beats:
            lit = [label.text for label, so in zip(labels, is_green, strict=True) if so]
            seen[stage.beats[-1].name] = "".join(lit)

    inputs = HowMuchText.Inputs(short_text=text, short_rotation=rotation)
    play(HowMuchText, HowMuchText.shot(inputs), on_play=look)
    assert (seen["few"], seen["truth"]) == ("", green)
