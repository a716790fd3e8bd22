"""The primer's tables: what is printed, and what should be."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from clockhead.model.films.errata.ratios import printed_ratio
from clockhead.model.films.errata.rounding import rounded_shares
from clockhead.model.films.errata.sums import printed_sum
from clockhead.model.films.errata.tables import printed_example
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


def test_what_is_true_is_what_the_film_works_out():
    head = worked_head(EXAMPLE.tokens)
    for name in ("queries", "keys", "values", "dots", "scores", "pattern", "z"):
        np.testing.assert_allclose(getattr(EXAMPLE, name).true, getattr(head, name), atol=1e-15)
    np.testing.assert_allclose(EXAMPLE.last_row.true[0], head.resid_post[-1], atol=1e-15)


def test_a_sum_on_paper():
    found = printed_sum()
    np.testing.assert_allclose(found.total, [-0.422, 0.006, 0.862, -0.361, 0.332])


def test_a_step_is_a_factor():
    found = printed_ratio()
    assert found.due == pytest.approx(0.276 * 1.267441, abs=1e-6)


def test_one_of_290_is_wrong_in_a_row_that_adds_up():
    found = rounded_shares()
    assert found.wall.shape == (29, 10)
    assert_array_equal(found.wall[-1], found.shares)
    assert found.place == 0
    assert_array_equal(found.shares[1:], found.rounded[1:])
    np.testing.assert_allclose(found.rounded + found.cut, found.true)
    assert found.ends[-1] == found.missing
