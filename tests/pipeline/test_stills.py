"""Stills are the pictures of the film, drawn without it, as pixels or as vectors."""

import io
from dataclasses import replace
from shutil import which

import numpy as np
import pytest
from PIL import Image

from clockhead.clips.clip import Clip, ClipJob
from clockhead.clips.render import render_clip
from clockhead.clips.stills import Paper, Still, draw_stills
from clockhead.look import QUALITIES, FilmLook
from clockhead.production.join import frames_at
from clockhead.scenes.catalogues import language_of
from clockhead.scenes.stage import find_stage
from tests.pipeline.project import output

pytestmark = pytest.mark.xdist_group("stills")

LOOK = FilmLook(QUALITIES["l"], theme="paper")
PIXELS, WIDE = Paper(), Paper(width=1000)
CLEAR, SVG, PDF = Paper(transparent=True), Paper("svg"), Paper("pdf")
ENCODED = 1.75
"""Levels of 255 by which an encoded frame differs from what was drawn, on average."""


@pytest.fixture(scope="module")
def job() -> ClipJob:
    stage = find_stage("previous_token.second_look")
    return ClipJob("previous_token.second_look", stage.shot(stage.Inputs(), theme="paper"), LOOK)


@pytest.fixture(scope="module")
def clip(job: ClipJob) -> Clip:
    return render_clip(job)


@pytest.fixture(scope="module")
def drawn(job: ClipJob) -> dict[Paper, list[Still]]:
    return draw_stills(job, papers=(PIXELS, WIDE, CLEAR, SVG, PDF))


def pixels(picture: bytes, mode: str = "RGB") -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(picture)).convert(mode)).astype(float)


def test_there_is_a_still_for_every_beat(clip, drawn):
    ends = [*(beat.frame for beat in clip.beats[1:]), clip.frames]
    told = [(still.beat, still.first, still.last + 1) for still in drawn[PIXELS]]
    assert told == [
        (beat.name, beat.frame, end) for beat, end in zip(clip.beats, ends, strict=True)
    ]


def test_a_still_equals_the_frame_of_the_film(clip, drawn):
    stills = drawn[PIXELS]
    frames = frames_at(clip.video, [still.last for still in stills])
    for still, frame in zip(stills, frames, strict=True):
        assert np.abs(pixels(still.picture) - np.asarray(frame)).mean() < ENCODED
    first, last = (pixels(stills[at].picture) for at in (0, -1))
    assert np.abs(first - last).mean() > 2 * ENCODED, "no two of them would be told apart"


def test_a_still_has_its_sentence_and_its_values(clip, drawn):
    said = {line.text for line in clip.lines}
    assert {still.sentence for still in drawn[PIXELS]} <= said
    assert drawn[PIXELS][-1].sentence == clip.lines[-1].text
    shown = {sight.path for sight in drawn[PIXELS][0].shows}
    assert shown


def test_stills_of_other_languages_have_no_english_descriptions(job):
    stage = find_stage(job.stage)
    german = stage.shot(stage.Inputs(), language=language_of("de", "previous_token", "second_look"))
    stills = draw_stills(replace(job, shot=german))[PIXELS]
    assert stills[0].sentence
    assert all(still.shows == () for still in stills)


def test_a_still_can_have_any_width(drawn):
    sizes = {Image.open(io.BytesIO(still.picture)).size for still in drawn[WIDE]}
    assert sizes == {(1000, round(1000 * LOOK.height / LOOK.width))}


def test_a_transparent_still_changes_only_the_background(drawn):
    clear, whole = (drawn[paper][-1].picture for paper in (CLEAR, PIXELS))
    image = Image.open(io.BytesIO(clear)).convert("RGBA")
    assert image.getpixel((1, 1))[3] == 0
    ground = Image.new("RGBA", image.size, tuple(pixels(whole)[1, 1].astype(int)))
    again = np.asarray(Image.alpha_composite(ground, image).convert("RGB")).astype(float)
    assert np.abs(again - pixels(whole)).mean() < 0.5


def test_vectors_have_outlines_for_letters_and_no_pixels(drawn):
    for still in drawn[SVG]:
        svg = still.picture.decode()
        assert svg.count("<path") > 25
        assert "<text" not in svg
        assert "<image" not in svg
    assert all(still.picture.startswith(b"%PDF") for still in drawn[PDF])


@pytest.mark.skipif(not which("pdftoppm"), reason="pdftoppm (poppler-utils) is not installed")
def test_a_vector_still_is_the_same_picture(drawn, tmp_path):
    (tmp_path / "still.pdf").write_bytes(drawn[PDF][-1].picture)
    command = ["pdftoppm", "-png", "-singlefile", "-scale-to-x", str(LOOK.width)]
    command += ["-scale-to-y", str(LOOK.height), "still.pdf", "still"]
    output(*command, cwd=tmp_path)
    drawn_by_poppler = pixels((tmp_path / "still.png").read_bytes())
    assert np.abs(drawn_by_poppler - pixels(drawn[PIXELS][-1].picture)).mean() < ENCODED


def test_plates_in_the_background_colour_are_transparent_too():
    stage = find_stage("previous_token.riddle")
    shot = stage.shot(stage.Inputs(), theme="paper")
    job = ClipJob("previous_token.riddle", shot, LOOK)
    drawn = draw_stills(job, papers=(PIXELS, CLEAR))
    for whole, clear in zip(drawn[PIXELS], drawn[CLEAR], strict=True):
        ground = (np.abs(pixels(whole.picture) - pixels(whole.picture)[1, 1]) < 1).all(axis=2)
        cover = pixels(clear.picture, "RGBA")[..., 3]
        assert (cover[ground] > 20).mean() < 0.001
