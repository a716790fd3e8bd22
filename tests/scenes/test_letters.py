"""Letters of any script: the right glyphs in the right order, or a refusal that names them all."""

import random
import unicodedata

import cairo
import numpy as np
import pytest
import uharfbuzz as hb
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont, features

from clockhead.scenes.facts import fill
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_typing import type_in
from clockhead.scenes.stage import Value
from clockhead.scenes.style.face import FONT_DIR
from clockhead.scenes.style.fonts import FontError, drawing_with, font_at, read_font
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.text import Label, Paragraph, TypesetText
from clockhead.scenes.style.type import (
    WEIGHTS,
    MissingGlyph,
    Outline,
    Weight,
    advance,
    letters_of,
    outline,
)
from tests.fonts import ARABIC, DEVANAGARI, HEBREW, JAPANESE, TEXTS

EM = 600
WORDS = {
    HEBREW: ("שלום", "שָׁלוֹם"),
    ARABIC: ("السلام", "بِسْمِ", "لله", "می\u200cخواهم"),
    DEVANAGARI: ("क्षेत्र", "हिन्दी", "श्री", "र्किं"),
    JAPANESE: ("日本語", "がぎ"),
}


@pytest.fixture(scope="module", autouse=True)
def all_fonts():
    with drawing_with(tuple(map(read_font, WORDS))):
        yield


def glyphs(*outlines: Outline) -> NDArray[np.float64]:
    """Outlines side by side."""
    at, points = 0.0, []
    for one in outlines:
        points.append(one.points + np.array([at, 0, 0]))
        at += one.advance
    return np.concatenate(points)


def same(one: Outline, *others: Outline) -> bool:
    shape = glyphs(*others)
    return one.points.shape == shape.shape and bool(np.allclose(one.points, shape))


def drawn(points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Where an outline in ems has ink, from its own corner on."""
    curves = (points[:, :2] - points[:, :2].min(axis=0)).reshape(-1, 4, 2) * EM
    width, height = np.ceil(curves.reshape(-1, 2).max(axis=0)).astype(int) + 2
    surface = cairo.ImageSurface(cairo.FORMAT_A8, int(width), int(height))
    context = cairo.Context(surface)
    last = None
    for start, one, two, end in curves:
        if last is None or not np.allclose(last, start):
            context.move_to(*start)
        context.curve_to(*one, *two, *end)
        last = end
    context.fill()
    surface.flush()
    pixels = np.frombuffer(surface.get_data(), np.uint8).reshape(height, surface.get_stride())
    return cropped(pixels[::-1, :width] > 127)


def cropped(ink: NDArray[np.bool_]) -> NDArray[np.bool_]:
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def has_all(face: hb.Font, letters: str) -> bool:
    return all(face.get_nominal_glyph(ord(letter)) for letter in letters)


@pytest.mark.skipif(not features.check("raqm"), reason="Pillow without raqm shapes no scripts")
@pytest.mark.parametrize("weight", ["regular", "semibold"])
@pytest.mark.parametrize(("file", "word"), [(f, word) for f in WORDS for word in WORDS[f]])
def test_the_ink_is_what_raqm_and_freetype_draw_with_the_font(file, word, weight):
    """Another shaper's order, another rasteriser; ours comes by HarfBuzz and cairo."""
    font = ImageFont.truetype(str(file), EM, layout_engine=ImageFont.Layout.RAQM)
    if file != JAPANESE:
        axes = [WEIGHTS[weight] if axis["name"] == b"Weight" else axis["default"]
                for axis in font.get_variation_axes()]  # fmt: skip
        font.set_variation_by_axes(axes)
    box = font.getbbox(word)
    page = Image.new("L", (int(box[2] - box[0]) + 8, int(box[3] - box[1]) + 8))
    ImageDraw.Draw(page).text((4 - box[0], 4 - box[1]), word, 255, font)
    theirs, ours = cropped(np.asarray(page) > 127), drawn(outline(word, weight).points)
    assert np.abs(np.subtract(theirs.shape, ours.shape)).max() <= 0.01 * EM
    height, width = np.minimum(theirs.shape, ours.shape)
    theirs, ours = theirs[:height, :width], ours[:height, :width]
    assert (theirs & ours).sum() > 0.93 * (theirs | ours).sum()
    assert advance(word, weight) == pytest.approx(font.getlength(word) / EM, abs=0.01)


@pytest.mark.parametrize("weight", WEIGHTS)
def test_greek_and_cyrillic_need_no_font_and_no_digit_changes(weight: Weight):
    before = outline("the cat, 12.5%", weight)
    with drawing_with(()):
        assert advance("ο λόγος", weight) > 0
        assert advance("мама", weight) > 0
        assert same(outline("the cat, 12.5%", weight), before)


def test_an_italic_word_is_of_one_face():
    """The italic has Ω and μ as signs, and no other Greek letter."""
    assert same(outline("Ωμέγα", "italic"), outline("Ωμέγα"))
    assert not same(outline("Omega", "italic"), outline("Omega"))


def test_arabic_letters_are_joined():
    alone = sum(outline(letter).advance for letter in "سلام")
    assert outline("سلام").advance < 0.9 * alone


def test_words_stand_in_the_order_in_which_they_are_read():
    word, other = outline("שלום"), outline("עולם")
    space = outline(" ")
    assert same(outline("to שלום!"), outline("to "), word, outline("!"))
    assert same(outline("שלום עולם"), other, space, word)
    assert same(outline("שלום 12, 34 to"), outline("to"), space, outline("34 ,12"), space, word)
    assert same(outline("(שלום)"), outline("("), word, outline(")"))
    assert same(outline("to (שלום) עולם"), outline("to ("), word, outline(")"), space, other)
    assert same(outline("to שלום", rtl=True), word, space, outline("to"))


def test_words_of_the_viewer_keep_their_places_in_a_sentence():
    said = fill("“{a}”, “{b}” 5", {"a": "שלום", "b": "עולם"})
    parts = (outline("“"), outline("שלום"), outline("”, “"), outline("עולם"), outline("” 5"))
    assert same(outline(said), *parts)


def test_what_cannot_be_drawn_is_named_all_at_once():
    with drawing_with(()), pytest.raises(MissingGlyph) as refused:
        outline("a שלום ש 中")
    assert refused.value.letters == ("ש", "ל", "ו", "ם", "中")
    assert all(repr(letter) in str(refused.value) for letter in refused.value.letters)


def test_no_box_is_ever_drawn_in_place_of_a_letter():
    """Every letter is drawn by a face that has it, or refused by name."""
    faces = [hb.Font(hb.Face(hb.Blob.from_file_path(str(FONT_DIR / "SourceSansPro-Regular.ttf"))))]
    faces += [font_at(read_font(file), 400) for file in WORDS]
    draw = random.Random(7)
    codes = [draw.randrange(0x20, 0xFFFF) for _ in range(300)]
    codes += [draw.randrange(first, first + 0x80) for first in (0x900, 0x600, 0x590) * 20]
    letters = [chr(code) for code in codes if unicodedata.category(chr(code))[0] in "LNPS"]
    refused = []
    for letter in letters:
        spellings = {letter, *(unicodedata.normalize(form, letter) for form in ("NFC", "NFD"))}
        if any(has_all(face, spelling) for face in faces for spelling in spellings):
            assert len(outline(letter).points) > 0
            continue
        refused.append(letter)
        with pytest.raises(MissingGlyph) as error:
            outline(letter)
        assert error.value.letters == (letter,)
    assert 0 < len(refused) < len(letters)


def test_a_line_ends_between_ideographs_and_no_line_begins_with_a_stop():
    text = "位置は回転で表されるので、相対的な距離だけで決まります。"
    for width in np.arange(2.0, 6.0, 0.25):
        lines = [str(label.text) for label in Paragraph(text, width=width, size=26)]
        assert "".join(lines) == text
        assert len(lines) > 1
        assert not any(line[0] in "、。ー" for line in lines)


def test_lines_are_broken_before_they_are_ordered():
    text = "הראש מסתכל צעד אחד אחורה and then ולכן הכול נכון"
    lines = list(Paragraph(text, width=3.0, size=26))
    assert " ".join(label.text for label in lines) == text
    assert len(lines) > 2
    ends = [label.get_right()[0] for label in lines]
    assert max(ends) - min(ends) < 0.1  # aligned where such a line begins


def test_words_beside_mathematics_are_drawn_alike():
    """Typst sets them; one word alone and the same with a formula have the same shape."""
    for file, text in TEXTS.items():
        word = text.split()[0]
        [beside] = Paragraph(f"{word} $x$", width=9, size=26)
        assert isinstance(beside, TypesetText)
        label = Label(word, size=26)
        xs = beside.get_all_points()[:, 0]
        widths = label.width, float(np.ptp(xs))
        assert widths[0] < widths[1] < widths[0] + 30 * PX, file.name
        assert beside.height == pytest.approx(label.height, rel=0.25)


def test_a_letter_is_typed_with_its_marks():
    assert letters_of("क्षे\u0301a\u0301b") == ["क्षे\u0301", "a\u0301", "b"]


def test_a_word_that_is_read_from_the_right_grows_to_the_left():
    strip = Strip(Value("words", ("to", "שלום")))
    strip.place(Region(-4, -1, 4, 1))
    move = type_in(strip, 1, run_time=1)
    move.begin()
    rights = []
    for share in (0.55, 0.7, 0.85):
        move.interpolate(share)
        ink = strip.tiles[1].label.points[:, 0]
        rights.append((ink.max(), ink.min(), strip.caret.points[:, 0].max()))
    assert np.ptp([right for right, _, _ in rights]) < 0.03
    assert rights[0][1] > rights[1][1] > rights[2][1]
    assert all(caret <= left for _, left, caret in rights)


@pytest.mark.parametrize("n_bytes", [0, 11, 400, 60_000])
def test_a_font_that_is_cut_off_is_refused(tmp_path, n_bytes):
    cut = tmp_path / "cut.ttf"
    cut.write_bytes(HEBREW.read_bytes()[:n_bytes])
    with pytest.raises(FontError):
        read_font(cut)


def test_a_variable_font_is_regular_where_its_first_weight_is_thin():
    """Noto Sans Hebrew begins with the weight 100."""
    assert outline("שלום").advance != outline("שלום", "semibold").advance
    thin = hb.Font(hb.Face(hb.Blob(HEBREW.read_bytes())))
    buffer = hb.Buffer()
    buffer.add_str("שלום")
    buffer.guess_segment_properties()
    hb.shape(thin, buffer)
    assert sum(p.x_advance for p in buffer.glyph_positions) / 1000 < outline("שלום").advance
