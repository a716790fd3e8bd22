"""Two matrices and their product, side by side."""

import numpy as np
import pytest

from scenes.caesar.factors import Factors, bound
from scenes.stage import Size, Value
from scenes.style.layout import Region

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
