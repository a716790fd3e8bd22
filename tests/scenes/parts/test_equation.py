"""Equations: the line is that of the whole formula, terms move, and numbers can be read back."""

import numpy as np
import pytest
from manim import VGroup

from clockhead.scenes.parts.equation import Equation, become
from clockhead.scenes.parts.terms import TypesetNumber
from clockhead.scenes.stage import Value
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.text import Formula
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import MIN_SIZE
from tests.scenes.parts.pictures import at, done

WIDE, TALL = Region(-6, 1, 6, 2), Region(-3.4, 1, 3.4, 2)
MOVED = [
    ("q", "query(q)"),
    ("top", "^top"),
    ("back", "R"),
    ("m", "_m"),
    ("turned", "^top"),
    ("on", "R_n"),
    ("k", "key(k)"),
]


def fused():
    return Equation([("q", "query(q)"), ("top", "^top"), ("one", "R_(n-m)"), ("k", "key(k)")])


def placed(terms=MOVED, region=WIDE, **options):
    equation = Equation(terms, **options)
    equation.place(region)
    return equation


def score(text="s = {s:+.2f}", value=4.686):
    value = Value("score", value)
    return placed([("name", text)], values={"s": value})


def numbers(equation):
    return [m for m in equation.get_family() if isinstance(m, TypesetNumber)]


def said(equation):
    return [reading.says for number in numbers(equation) for reading in number.readings()]


def test_terms_stand_as_in_the_whole_formula():
    equation = placed([("a", "(R_m query(q))"), ("t", "^top"), ("is", "="), ("b", "- x")])
    whole = Formula("(R_m query(q))^top = - x")
    group = VGroup(*equation.terms.values())
    assert group.width == pytest.approx(whole.width, abs=1e-9)
    assert group.height == pytest.approx(whole.height, abs=1e-9)


def test_an_index_and_an_exponent_of_one_letter_stand_over_each_other():
    equation = placed()
    index, exponent = equation.term("m"), equation.term("turned")
    assert exponent.get_bottom()[1] > index.get_top()[1]
    assert exponent.get_left()[0] < index.get_right()[0]


def test_every_term_rests_on_one_baseline():
    equation = placed()
    levels = [term.anchor[1] for term in equation.terms.values()]
    assert np.ptp(levels) < 1e-9
    assert equation.term("q").get_bottom()[1] < levels[0] - 0.05  # q has a tail
    assert equation.term("k").get_bottom()[1] == pytest.approx(levels[0], abs=0.02)


def test_roles_have_their_colours():
    equation = placed()
    assert equation.term("q").pieces[0].get_fill_color().to_hex() == theme().query
    assert equation.term("k").pieces[0].get_fill_color().to_hex() == theme().key
    assert equation.term("on").pieces[0].get_fill_color().to_hex() == theme().ink


def test_a_number_inside_a_role_has_its_colour_and_its_own_path():
    value = Value("m", 5)
    equation = placed([("q", "query(q_{m:d})")], values={"m": value})
    (number,) = numbers(equation)
    assert number.submobjects[0].get_fill_color().to_hex() == theme().query
    assert said(equation) == [5]


def test_nothing_is_there_before_it_is_placed():
    equation = Equation(MOVED)
    assert not equation.get_all_points().size


@pytest.mark.parametrize("region", [WIDE, TALL])
def test_it_is_as_large_as_fits_and_no_larger_than_it_is_typeset(region):
    long = [*MOVED, ("is", "="), *[(f"x{k}", "x_1 + y^2 + ") for k in range(4)]]
    equation = placed(long, region)
    group = VGroup(*equation.terms.values())
    assert group.width <= region.width + 1e-9
    em = equation.term("q").em / PX
    assert em == pytest.approx(min(40, 40 * region.width / equation.most.width), abs=1e-6)
    assert equation.least.width <= region.width


def test_an_index_is_never_smaller_than_text_may_be():
    equation = Equation(MOVED)
    equation.place(Region(0, 0, 0.5, 0.1))
    assert equation.term("q").em / PX * 0.7 == pytest.approx(MIN_SIZE)
    whole = VGroup(*equation.terms.values())
    assert whole.width == pytest.approx(equation.least.width)
    assert whole.height == pytest.approx(equation.least.height)


def test_a_number_says_its_value():
    assert said(score()) == [4.686]
    assert said(score(value=-0.04)) == [-0.04]
    assert said(score("x_{s:.1%}", 0.424)) == [0.424]
    assert said(score("x_(y_{s:,.2f})", 6283.1)) == [6283.1]


def test_a_number_that_was_typeset_from_another_value_is_noticed():
    equation = score()
    numbers(equation)[0].shown = Value("score", 4.5)
    assert said(equation) == ["+4.69"]


def test_a_number_whose_drawing_is_another_is_noticed():
    equation, other = score(), score(value=4.5)
    path = numbers(equation)[0].submobjects[0]
    path.set_points(numbers(other)[0].submobjects[0].points)
    assert said(equation) == ["?"]


def test_a_number_gives_way_to_another_one_slowly():
    equation, value = score(), Value("score", 4.5)
    other = Equation([("name", "s = {s:+.2f}")], values={"s": value})
    animation = become(equation, other)
    at(animation, 0.2)
    assert said(equation) == [4.686]
    animation.finish()
    assert said(equation) == [4.5]


def test_a_hidden_number_says_nothing():
    assert said(score().hide()) == []


def test_a_number_can_be_read_wherever_it_is_and_however_large():
    equation = score()
    equation.shift([1.0, -2.0, 0.0]).scale(1.7)
    assert said(equation) == [4.686]


def test_it_ends_exactly_as_the_other_equation_stands():
    other = fused()
    other.place(Region(-6, -2, 6, -1))
    wanted = other.get_all_points().copy()
    equation = placed()
    done(become(equation, other, hops={"k": 0.5}), 0.3)
    assert np.allclose(equation.get_all_points(), wanted, atol=1e-12)


def test_two_terms_of_one_name_and_an_empty_term_are_refused():
    with pytest.raises(ValueError, match="one name"):
        Equation([("a", "x"), ("a", "y")])
    with pytest.raises(ValueError, match="draws nothing"):
        Equation([("a", "x"), ("b", "thin")])
