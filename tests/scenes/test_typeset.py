"""Typst's closed room: what goes in as text comes out as text, and nothing else gets in."""

import pytest
import typst

from clockhead.scenes.style.typeset import escape, typeset


def draw(markup, **options):
    return typeset(markup, size_px=20, color="#ECE7DB", **options)


def glyphs(svg):
    return svg.count(b"<use ")


def test_a_formula_becomes_a_drawing_in_the_given_colour():
    svg = draw("$x^2$")
    assert svg.startswith(b"<svg")
    assert glyphs(svg) == 2
    assert b'fill="#ece7db"' in svg


def test_lines_break_at_the_width():
    wide, narrow = draw(escape("one two three")), draw(escape("one two three"), width_px=50)
    assert b'width="50pt"' in narrow
    assert height(narrow) > 2 * height(wide)


def height(svg):
    return float(svg.split(b'height="', 1)[1].split(b"pt", 1)[0])


@pytest.mark.parametrize(
    "text",
    ['#read("x")', "$x$", "*bold* _it_", "= Title", "- item", "1. one", "`raw`", "a // b", "/* */"],
)
def test_escaped_text_shows_every_character(text):
    assert_shown(text)


@pytest.mark.parametrize(
    "text", ["https://a.b", "<a> @b", "\\", '"', '\\"; #panic("x")', "[]{}()", "~", "--", "'t"]
)
def test_escaped_punctuation_shows_every_character(text):
    assert_shown(text)


def assert_shown(text):
    letters = "".join(text.split())
    assert glyphs(draw(escape(letters))) == len(letters)


def test_escaped_text_keeps_its_spaces_beside_a_formula():
    joined = draw(f"{escape('so')}$x${escape('holds')}")
    apart = draw(f"{escape('so ')}$x${escape(' holds')}")
    assert width(apart) > width(joined) + 5


def width(svg):
    return float(svg.split(b'width="', 1)[1].split(b"pt", 1)[0])


@pytest.mark.parametrize("door", ["std.read", "std.image", "std.plugin", "std.eval", "read"])
def test_mathematics_cannot_reach_the_standard_library(door):
    with pytest.raises(typst.TypstError, match=r"read|image|plugin|eval"):
        draw(f'${door}("/etc/passwd")$')


@pytest.mark.parametrize("path", ["/etc/passwd", "../etc/passwd", "../../../../etc/passwd"])
def test_no_file_can_be_read(path):
    with pytest.raises(typst.TypstError, match=r"not found|escape|denied"):
        draw(f'#read("{path}")')


def test_a_second_page_is_refused():
    with pytest.raises(ValueError, match="more than one page"):
        draw("a #pagebreak() b")
