"""Cards: words and a picture of the user's, in every shape, line by line."""

from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from clockhead.clips.drawing import manim_options
from clockhead.clips.examine import layout_problems
from clockhead.look import ASPECTS, QUALITIES, THEME_NAMES, FilmLook
from clockhead.scenes.card.text import MAX_LINE, MAX_LINES, Text
from clockhead.scenes.stage import FilmCredits, Shot
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.own_look import OwnLook
from clockhead.scenes.style.pictures import PictureFile, read_picture
from tests.scenes.staging import play
from tests.scenes.test_repaint import OPTIONS, Witness

SENTENCE = "Where does the query of this token find the key of the token that came right before it?"
QUESTIONS = ("What is a key?", "Where is $query(q_m)^top key(k_n)$ largest?", SENTENCE)


def card(*lines: str, **changes: object) -> Shot:
    shot = Text.shot(Text.Inputs(lines=lines))
    return replace(shot, **changes)


@pytest.fixture
def picture(tmp_path: Path) -> PictureFile:
    Image.new("RGB", (400, 300), "#3366CC").save(tmp_path / "blue.png")
    return read_picture(tmp_path / "blue.png")


@pytest.mark.parametrize("aspect", ASPECTS)
@pytest.mark.parametrize("ratio", [0, 0.2, 5.0])
def test_everything_can_be_read_in_every_shape(aspect: str, ratio: float, picture: PictureFile):
    """Beside a picture, too, whatever its shape is."""
    pictures = (replace(picture, ratio=ratio),) if ratio else ()
    credit = FilmCredits("A film", "Prof. Ada Blau, University of Exampleton")
    for theme in THEME_NAMES:
        look = FilmLook(QUALITIES["l"], theme, aspect)
        own = OwnLook(chalk_logo=picture, paper_logo=picture)
        shot = card(*QUESTIONS, title="Three questions before we go on", theme=theme, own=own)
        shot = replace(shot, pictures=pictures, film=credit, is_last=True)
        assert Text.refusal(shot, Region.of(look.width, look.height)) == ""
        assert layout_problems(Text, shot, look) == ((), ())


@pytest.mark.parametrize("aspect", ASPECTS)
def test_long_cards_fit_or_are_refused(aspect: str, picture: PictureFile):
    look = FilmLook(QUALITIES["l"], aspect=aspect)
    frame = Region.of(look.width, look.height)
    longest = [SENTENCE] * MAX_LINES, ["W" * 30 + " " + "m" * (MAX_LINE - 31)] * MAX_LINES
    for lines in ([SENTENCE], [SENTENCE] * 3, *longest):
        for pictures in ((), (picture,)):
            shot = card(*lines, title="T" + "o" * 20 + " long" * 11, pictures=pictures)
            refusal = Text.refusal(shot, frame)
            if refusal:
                assert "fewer or shorter lines" in refusal
            else:
                assert layout_problems(Text, shot, look) == ((), ())
    assert Text.refusal(card(*longest[1], pictures=(picture,)), frame)
    assert not Text.refusal(card(SENTENCE, SENTENCE), frame)


def test_lines_come_one_by_one_and_stand_on_the_card_alone():
    seen: list[tuple[str, int, str]] = []

    def look(scene: Text) -> None:
        there = sum(line.family_members_with_points()[0] in scene.get_mobject_family_members()
                    for line in scene.block.lines)  # fmt: skip
        seen.append((scene.beats[-1].name, there, scene.lines[-1].text))

    shot = card(*QUESTIONS)
    scene = play(Text, shot, on_beat=look)
    assert seen == [
        ("line 1", 1, QUESTIONS[0]),
        ("line 2", 2, QUESTIONS[1]),
        ("last", 3, QUESTIONS[2]),
    ]
    assert Text.in_band(shot) == []
    assert scene.block.bar.height > sum(line.height for line in scene.block.lines)
    told = replace(shot, caption="Talk to your neighbour.")
    assert Text.in_band(told) == ["Talk to your neighbour."]
    assert Text.in_band(replace(shot, captions="track")) == list(QUESTIONS)


def test_one_line_is_enough_and_braces_and_dollars_are_what_they_are():
    shot = card(r"{not a fact} costs 5 \$")
    assert shot.caption == r"{not a fact} costs 5 \$"
    scene = play(Text, shot)
    assert [line.text for line in scene.block.lines] == [r"{not a fact} costs 5 \$"]


def test_lines_from_right_to_left_are_not_said_twice():
    from clockhead.scenes.style.fonts import drawing_with, read_font
    from tests.fonts import HEBREW

    with drawing_with((read_font(HEBREW),)):
        assert Text.in_band(card("שלום", "שלום 12 and עולם")) == []


def test_every_frame_of_a_card_is_that_of_manim(picture: PictureFile):
    shot = card(*QUESTIONS, pictures=(picture,), own=OwnLook(chalk_logo=picture))
    with manim_options(**OPTIONS):
        witness = Witness()
        Text(shot, renderer=witness).render()
    assert witness.seen > 5
    assert witness.wrong == []
