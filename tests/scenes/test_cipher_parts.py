"""The parts that the Caesar film brings: wheel, long text, guesses, growing matrices."""

import numpy as np
import pytest

from model.caesar import ENGLISH, N_TOKENS, SPACE, encode, encrypt
from model.caesar_transformer import CaesarTransformer, triangular_mean
from scenes.parts.charts.rotation_race import RotationRace
from scenes.parts.matrices.arrivals import GrowingPattern, OneHotRoll
from scenes.parts.matrices.intake import Intake
from scenes.parts.tokens.alphabet_wheel import AlphabetWheel
from scenes.parts.tokens.guess_strip import GuessStrip
from scenes.parts.tokens.lined_text import LinedText, blanks, broken, evened
from scenes.parts.tokens.read_text import ReadText, height_of
from scenes.style.layout import Region
from scenes.style.theme import theme

REGION = Region(-3.0, -2.0, 3.0, 2.0)
TEXT = "the shift hides every word but not how often each letter is needed to write it"


@pytest.mark.parametrize("per_line", [1, 2, 5, 12, 40, 100])
@pytest.mark.parametrize("text", [TEXT, "a", "a b", "abcdefghij", "ab abcdefgh a", "m " * 30 + "m"])
def test_lines_are_the_text_and_as_long_as_allowed(text: str, per_line: int):
    for lines in (broken(text, per_line), evened(text, per_line)):
        assert "".join(lines) == text
        assert max(len(line.rstrip()) for line in lines) <= per_line
    assert len(evened(text, per_line)) == len(broken(text, per_line))


def test_a_long_text_stays_in_its_region_cell_by_cell():
    lined = LinedText(TEXT, REGION, rows=(1.2, 1.0), hanging=False)
    for k in range(len(TEXT)):
        for row in (0, 1):
            box = lined.box(k, row)
            assert REGION.left <= box.left + 1e-9
            assert box.right <= REGION.right + 1e-9
            assert REGION.bottom <= box.bottom + 1e-9
            assert box.top <= REGION.top + 1e-9
    assert lined.box(0, 0).bottom == pytest.approx(lined.box(0, 1).top)


def test_blanks_stand_in_the_cells_they_are_for():
    lined = LinedText(TEXT, REGION, rows=(1.2, 1.0))
    places = [0, 5, len(TEXT) - 1]
    dashes = blanks(lined, places).get_subpaths()
    assert len(dashes) == len(places)
    for k, dash in zip(places, dashes, strict=True):
        box = lined.box(k)
        assert dash[:, 0].mean() == pytest.approx(lined.at(k)[0])
        assert box.bottom < dash[:, 1].min()
        assert box.left < dash[:, 0].min() < dash[:, 0].max() < box.right


@pytest.mark.parametrize("rotation", [0, 1, 7, 25])
def test_the_wheel_shows_what_the_cipher_does(rotation: int):
    """The outer letter over each inner one is the one it is encrypted as."""
    wheel = AlphabetWheel(np.zeros(3), 2.4)
    wheel.show(rotation)
    outer = np.array([wheel.outer_place(letter) for letter in range(26)])
    for letter in range(26):
        place = AlphabetWheel(np.zeros(3), 2.4).outer_place(letter)
        nearest = int(np.linalg.norm(outer - place, axis=1).argmin())
        assert chr(ord("a") + nearest) == encrypt(chr(ord("a") + letter), rotation)
        assert np.allclose(outer[nearest], place)


@pytest.mark.parametrize("target", [(5.0, 1.0), (5.0, -2.3), (0.5, -3.5), (-3.0, -4.0)])
def test_a_letter_leaves_the_wheel_without_crossing_it(target: tuple[float, float]):
    wheel, end = AlphabetWheel(np.zeros(3), 2.4), np.array([*target, 0.0])
    wheel.show(7)
    for letter in range(26):
        way = wheel.way_out(letter, end)
        assert way[0] == pytest.approx(wheel.outer_place(letter))
        assert way[-1] == pytest.approx(end)
        from_hub = np.linalg.norm(way, axis=1)
        assert from_hub.min() == pytest.approx(from_hub[0])
        steps = np.linalg.norm(np.diff(way, axis=0), axis=1)
        assert steps.max() < 0.3


def test_the_window_goes_the_shorter_way_around():
    wheel = AlphabetWheel(np.zeros(3), 2.4)
    wheel.open(25)
    move = wheel.point_to(1)
    move.interpolate_mobject(1.0)
    assert wheel.place == 27


def test_equal_guesses_share_a_box_and_say_it_once():
    lined = LinedText("abcdef", REGION, rows=(1.0, 1.0))
    strip = GuessStrip(lined, [3, 3, 7, 7, 3, 7], 7, row=1, size=20)
    assert [number.text for number in strip.numbers] == ["3", "7", "3", "7"]
    assert [box.get_fill_opacity() for box in strip.boxes] == [0, 1, 0, 1]
    assert len(strip.submobjects) == 0
    strip.show(3)
    assert [m.text for m in strip.submobjects if m in strip.numbers] == ["3", "7"]
    assert strip.boxes[1].width == pytest.approx(lined.cell, abs=0.05)


def test_a_guess_is_said_again_on_a_new_line():
    lined = LinedText("abc abc", Region(-0.7, -2.0, 0.7, 2.0), rows=(1.0, 1.0))
    assert len(lined.lines) == 2
    strip = GuessStrip(lined, [5] * 7, 5, row=1, size=20)
    assert [number.text for number in strip.numbers] == ["5", "5"]


def test_a_roll_has_one_cell_a_token_in_its_row():
    tokens = [0, 14, SPACE, 14, 3]
    roll = OneHotRoll(tokens, REGION, n_rows=N_TOKENS, color=theme().key)
    roll.show(5)
    cells = roll.cells.points.reshape(-1, 16, 3)
    rows = (REGION.top - cells[..., 1].mean(axis=1)) / roll.row - 0.5
    assert np.allclose(rows, tokens)
    assert cells[..., 0].max() <= REGION.right + 1e-9
    roll.fit(Region(0.0, 0.0, 1.0, 1.0))
    assert roll.cells.points[:, :2].min() >= -1e-9
    assert roll.cells.points[:, :2].max() <= 1 + 1e-9


@pytest.mark.parametrize("n", [1, 4, 30])
def test_a_pattern_grows_by_rows_and_always_fills_its_region(n: int):
    pattern = GrowingPattern(triangular_mean(30), REGION)
    pattern.show(n)
    assert [bool(row.has_points()) for row in pattern.rows] == [m < n for m in range(30)]
    wide, high = pattern.step
    last = pattern.rows[n - 1]
    assert last.get_right()[0] == pytest.approx(REGION.left + n * wide, abs=0.05)
    assert last.get_bottom()[1] == pytest.approx(REGION.top - n * high, abs=0.05)


def test_what_comes_in_says_the_share_of_its_last_row_and_moves_as_one():
    halves = REGION.columns(1.0, 1.0)
    intake = Intake([3, SPACE, 4], triangular_mean(3), halves, halves[0])
    intake.show(2)
    assert intake.each.value == 0.5
    intake.show(3)
    assert intake.each.value == pytest.approx(1 / 3)
    intake.move_aside().interpolate_mobject(1.0)
    assert intake.get_right()[0] <= halves[0].right + 1e-9
    assert intake.pattern.region.top <= intake.roll.region.bottom


@pytest.mark.parametrize("width", [5.0, 9.0])
def test_the_marked_bar_is_the_tallest_wherever_the_race_is(width: float):
    model = CaesarTransformer(encode(encrypt(TEXT, 7)))
    region = Region(0.0, 0.0, width, 3.0)
    race = RotationRace(model.head_out, model.logits, 7, region, template=ENGLISH)
    for n in (1.0, 2.0, 2.6, 3.0, 13.0, 13.5, float(len(TEXT))):
        race.show_histogram(n)
        race.show_logits(n)
        race.show_guess(n)
        assert race.guess.value == race.logits.values.argmax()
        if n == int(n):
            assert race.guess.value == model.predictions[int(n) - 1]
            assert race.value.value == model.logits[int(n) - 1].max()
        assert race.logits.values.max() == 1
        assert race.value.get_right()[0] <= race.logits.area.right + 1e-9


def test_the_template_slides_to_the_scale_of_the_histogram_and_brings_out_the_logits():
    model = CaesarTransformer(encode(encrypt(TEXT, 7)))
    region = Region(0.0, 0.0, 9.0, 3.0)
    race = RotationRace(model.head_out, model.logits, 7, region, template=ENGLISH)
    race.show_histogram(4)
    sweep = race.sweep(4, run_time=1.0)
    assert race.template.zero == race.histogram.zero
    per_share = race.histogram.unit / model.head_out[3].max()
    assert race.template.values * race.template.unit == pytest.approx(ENGLISH * per_share)
    sweep.interpolate_mobject(11 / 26)
    assert race.template.turned == 10
    assert (race.logits.values > 0).tolist() == [r <= 10 for r in range(26)]
    sweep.interpolate_mobject(1.0)
    assert race.logits.values == pytest.approx(model.logits[3] / model.logits[3].max())


def test_a_read_text_lights_up_and_hides_its_plain_letters():
    cipher = encrypt(TEXT, 7)
    wide = Region(-6.0, -1.0, 6.0, 1.0)
    read = ReadText(cipher, TEXT, [7] * len(TEXT), 7, wide)
    assert "".join(letter.text for letter in read) == cipher.replace(" ", "")
    assert "".join(letter.text for letter in read.decoded) == TEXT.replace(" ", "")
    for letter, clear in zip(read, read.decoded, strict=True):
        assert letter.anchor[1] == pytest.approx(clear.anchor[1])
    read.light(5)
    lit = [letter.get_fill_color().to_hex()[:7].lower() for letter in read]
    assert lit[:4] == [theme().text_color("key").lower()] * 4
    assert set(lit[4:]) == {theme().muted.lower()}
    assert height_of(cipher, wide, 1.0) == pytest.approx(read.lined.region.height)
