"""The stills on a contact sheet, and their labels."""

import io
from dataclasses import replace

import pytest
from PIL import Image

from clockhead.production.sheet import _cells, _font, _shorten, draw_sheet
from clockhead.production.timeline import BeatSpan, beat_spans
from clockhead.scenes.stage import Beat, CaptionLine, find_stage
from clockhead.scenes.style.theme import THEMES, ThemeName, rgb
from clockhead.storyboard.resolved import ResolvedShot
from tests.pipeline import footage


@pytest.mark.parametrize("width", [90, 120, 180, 400])
def test_a_label_fits_under_its_still_and_keeps_the_time(width: int):
    label = "random heads: middle, 21.1 s"
    shown = _shorten(label, width)
    assert _font(17).getlength(shown) <= width
    assert shown.endswith("21.1 s")
    assert (shown == label) == (_font(17).getlength(label) <= width - 8)


def story(*lines: CaptionLine):
    """A clip of two beats, of 40 frames."""
    return replace(footage.clip(3, 40), beats=(Beat("first", 0), Beat("second", 10)), lines=lines)


def test_the_caption_is_a_beat():
    clip = story(CaptionLine("One.", 0), CaptionLine("Two.", 10), CaptionLine("So.", 30))
    steps = [BeatSpan("first", 0, 9), BeatSpan("second", 10, 29), BeatSpan("caption", 30, 39)]
    assert list(beat_spans(clip)) == steps


def test_a_question_has_a_still_before_its_answer():
    clip = story(
        CaptionLine("One.", 0),
        CaptionLine("Two?", 12, asks=True),
        CaptionLine("Two.", 20),
        CaptionLine("So.", 30),
    )
    assert list(beat_spans(clip))[1] == BeatSpan("second", 20, 29, 19)
    cells = _cells(clip, footage.FPS)
    assert [cell and cell[1].partition(",")[0] for cell in cells] == [
        *("first: start", "first: middle", "first: end"),
        *(None, None, "second: question"),
        *("second: start", "second: middle", "second: end"),
        *("caption: start", "caption: middle", "caption: end"),
    ]
    shown = [footage.read(cell[0]) for cell in cells if cell]
    assert shown == [(3, frame) for frame in (0, 4, 9, 19, 20, 24, 29, 30, 34, 39)]


def test_a_question_may_be_answered_by_the_caption():
    clip = story(CaptionLine("One.", 0), CaptionLine("So?", 12, asks=True), CaptionLine("So.", 30))
    steps = [BeatSpan("first", 0, 9), BeatSpan("second", 10, 29), BeatSpan("caption", 30, 39, 29)]
    assert list(beat_spans(clip)) == steps


@pytest.mark.parametrize("theme", ["chalk", "paper"])
def test_a_sheet_is_in_the_theme_of_its_shots(theme: ThemeName):
    stage = find_stage("previous_token.sharpness")
    shot = stage.shot(stage.Inputs(), theme=theme)
    resolved = ResolvedShot("id", 1, "previous_token.sharpness", shot, {}, None)
    png = draw_sheet([(resolved, story(CaptionLine("So.", 0)))], footage.FPS, beats=1, width=600)
    colors = {color for _, color in Image.open(io.BytesIO(png)).getcolors(1 << 20) or []}
    grounds = {
        name: tuple(round(255 * channel) for channel in rgb(each.hairline))
        for name, each in THEMES.items()
    }
    assert [name for name, ground in grounds.items() if ground in colors] == [theme]
