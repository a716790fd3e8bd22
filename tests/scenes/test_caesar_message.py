"""The message and the rings: read back, and spoilt, and noticed."""

import numpy as np
import pytest

from clockhead.model.caesar.cryptogram import cryptogram
from clockhead.scenes.caesar.ciphertext import Ciphertext, place_message
from clockhead.scenes.caesar.histogram import Histogram
from clockhead.scenes.caesar.how_much_text import HowMuchText
from clockhead.scenes.caesar.message import Message
from clockhead.scenes.caesar.message_lines import MessageLines
from clockhead.scenes.caesar.rings import N, RingBend, Rings, place_rings
from clockhead.scenes.caesar.wheel import Wheel
from clockhead.scenes.stage import Stage, Value
from clockhead.scenes.stage.shown import misread
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.shape import fill_of
from tests.scenes.parts.pictures import exchange
from tests.scenes.staging import is_right, play

CRYPTOGRAM = cryptogram("meet me under the old oak tree", 5)
REGION = Region(-6.0, -2.0, 6.0, 2.4)
WIDE = Region(-6.5, -2.5, 6.5, 2.5)
TALL = Region(-3.0, -5.0, 3.0, 5.0)


def value(path: str, of: object = CRYPTOGRAM) -> Value:
    return Value(path, getattr(of, path))


# The message


@pytest.fixture(params=[REGION, TALL])
def message(request: pytest.FixtureRequest) -> Ciphertext:
    made = Ciphertext(value("ciphertext"), gutter=0.3)
    made.place(request.param)
    return made


def test_the_letters_of_a_message_are_read_in_their_order(message: Ciphertext):
    readings = list(message.readings())
    assert len(readings) == CRYPTOGRAM.n_letters
    assert is_right(readings)


@pytest.mark.parametrize(("one", "other"), [(0, 1), (3, 20), (10, 29)])
def test_letters_in_each_others_places_are_noticed(message: Ciphertext, one: int, other: int):
    assert message.labels[one].text != message.labels[other].text
    exchange(message.labels[one], message.labels[other])
    assert not is_right(message.readings())


def test_a_message_turned_back_too_far_is_noticed(message: Ciphertext):
    texts = value("turned_back")
    turn = message.turn(texts)
    for place in (0.0, 1.3, 2.5, 4.0, 5.0):
        turn._show(np.asarray(place))
        assert is_right(message.readings())
    assert message.text == CRYPTOGRAM.text
    message.labels[0].text = "x"
    assert not is_right(message.readings())


def test_a_message_keeps_its_size_whatever_else_is_on_the_canvas():
    tops = []
    for bottom in (-2.0, -1.2):
        message = Ciphertext(value("ciphertext"))
        rest = place_message(Region(-6.5, bottom, 6.5, 2.5), message)
        assert rest.top < message.region.bottom
        tops.append(message.middle(3))
    np.testing.assert_allclose(*tops)


def test_letters_on_their_way_arrive_in_other_lines(message: Ciphertext):
    lines = MessageLines.fit_region(message.text, TALL, most=60, gutter=0.0)
    way = message.go_to(lines)
    way._show(np.asarray(0.4))
    assert not list(message.readings())
    way._show(np.asarray(1.0))
    assert is_right(message.readings())


def test_words_are_not_broken_where_there_is_room():
    lines = MessageLines.fit_region("neverending stories", TALL, most=80, gutter=0.0)
    first, last = lines.middles[[0, 10]]
    assert first[1] == last[1]
    assert lines.middles[12][1] < first[1]


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


# The rings


@pytest.fixture
def rings() -> Rings:
    made = Rings(value("turns")[5])
    place_rings(REGION, made)
    return made


def test_which_letter_stands_under_which_is_read(rings: Rings):
    readings = list(rings.readings())
    assert len(readings) == N
    assert is_right(readings)
    assert is_right(rings.readings())


def test_a_ring_that_is_turned_too_far_is_noticed(rings: Rings):
    rings._turn(6.0, 0.0)
    assert not is_right(rings.readings())


def test_a_ring_that_is_turned_the_wrong_way_is_noticed(rings: Rings):
    rings._turn(-5.0, 0.0)
    assert not is_right(rings.readings())


def test_both_rings_turned_alike_say_the_same(rings: Rings):
    rings._turn(8.5, 3.5)
    assert is_right(rings.readings())


def test_letters_of_a_ring_in_each_others_places_are_noticed(rings: Rings):
    exchange(rings.inner.labels[2], rings.inner.labels[9])
    assert not is_right(rings.readings())


def test_rings_that_are_rolled_out_stand_on_the_rows():
    rings = Rings(value("turns")[0])
    place_rings(REGION, rings)
    rows = [Rings(value("turns")[0]).outer.labels for _ in range(2)]
    for k, row in enumerate(rows):
        for letter, label in enumerate(row):
            label.center_on(np.array([0.4 * letter - 5.0, -0.5 * k, 0.0]))
    rings.turn_to_cut()._show(np.asarray(-12.5))
    rings.unroll(*rows)._show(np.asarray(1.0))
    for ring, row in ((rings.outer, rows[0]), (rings.inner, rows[1])):
        for label, goal in zip(ring.labels, row, strict=True):
            assert np.abs(label.middle - goal.middle).max() < 0.02


def test_a_ring_on_its_way_to_a_row_keeps_its_length():
    places = np.linspace(-N / 2, N / 2, 4001)
    for straight in (0.0, 0.4, 1.0):
        points = RingBend(np.zeros(3), 0.3, straight, 0.2, 20).at(places)
        length = np.linalg.norm(np.diff(points, axis=0), axis=1).sum()
        assert length == pytest.approx(0.3 * N, rel=1e-5)


# The stages


def test_the_wheel_writes_the_example():
    stage = play(Wheel, Wheel.shot(Wheel.Inputs(example="bay", example_rotation=25)))
    assert misread(stage) == []
    assert stage.cipher.text == "azx"
    assert float(stage.rings.state) % N == 0


@pytest.mark.parametrize("rotation", [0, 1, 25])
def test_english_slides_to_where_it_fits(rotation: int):
    stage = play(Histogram, Histogram.shot(Histogram.Inputs(rotation=rotation)))
    assert misread(stage) == []
    assert stage.english.place == rotation
    assert stage.counted.shown.path == "histogram"


@pytest.mark.parametrize("phrase", ["letter word", "q", "zebra crossing"])
def test_a_phrase_that_the_message_does_not_say_stands_under_its_bars(phrase: str):
    stage = play(Message, Message.shot(Message.Inputs(phrase=phrase)))
    assert misread(stage) == []
    assert stage.phrase.text == phrase
    assert stage.phrase in stage.mobjects
