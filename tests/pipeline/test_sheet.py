"""What is written under the stills of a contact sheet."""

import pytest

from pipeline.film.sheet import _fitting, _font


@pytest.mark.parametrize("width", [90, 120, 180, 400])
def test_a_label_stays_under_its_own_still_and_keeps_the_time(width: int):
    label = "random heads: middle, 21.1 s"
    shown = _fitting(label, width)
    assert _font(17).getlength(shown) <= width
    assert shown.endswith("21.1 s")
    assert (shown == label) == (_font(17).getlength(label) <= width - 8)
