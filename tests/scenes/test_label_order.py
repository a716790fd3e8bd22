"""Words at the rows and columns of a matrix, and at bars, stand in the order of what they name."""

from clockhead.scenes.stage import stage_names
from tests.scenes.performing import on_each, performance


@on_each(stage_names())
def test_words_are_in_the_order_of_what_they_name(name: str) -> None:
    assert list(performance(name).disordered) == []
