import numpy as np
from numpy.testing import assert_array_equal

from clockhead.model.films.attention.printed import printed_example
from clockhead.model.primer.example import worked_head
from clockhead.model.primer.tables import printed_section

EXAMPLE = printed_example()


def test_the_tables_are_those_of_the_section_in_its_order():
    section = printed_section(5)
    assert EXAMPLE.tables[0] is EXAMPLE.queries
    for mine, theirs in zip(EXAMPLE.tables, section.tables.values(), strict=True):
        assert_array_equal(mine.printed.rows, theirs.printed.rows)
        assert_array_equal(mine.true, theirs.true)
    assert (EXAMPLE.n_numbers, EXAMPLE.n_wrong) == (section.n_numbers, section.n_wrong)


def test_so_many_of_its_numbers_differ():
    # Errata E33 to E41, counted cell by cell.
    assert_array_equal(EXAMPLE.running, np.cumsum([2, 3, 0, 9, 9, 5, 10, 5, 2]))
    assert (EXAMPLE.n_numbers, EXAMPLE.n_wrong, EXAMPLE.n_right) == (95, 45, 50)


def test_what_is_true_is_what_the_film_works_out():
    head = worked_head(EXAMPLE.tokens)
    for name in ("queries", "keys", "values", "dots", "scores", "pattern", "z"):
        np.testing.assert_allclose(getattr(EXAMPLE, name).true, getattr(head, name), atol=1e-15)
    np.testing.assert_allclose(EXAMPLE.last_row.true[0], head.resid_post[-1], atol=1e-15)
    assert EXAMPLE.printed_share == 0.276
    assert round(EXAMPLE.true_share, 6) == 0.285987
    assert EXAMPLE.least_looked_at == 1
