"""Captions off or in a track, and another pace: what changes on screen and in time."""

import pytest

from clockhead.scenes.stage import READING_SPEED, find_stage
from tests.scenes.staging import play

FPS = 15

STAGE = find_stage("previous_token.sub_diagonal")


def played(**changes):
    return play(STAGE, STAGE.shot(STAGE.Inputs(), **changes))


@pytest.fixture(scope="module")
def usual():
    return played()


def test_without_captions_the_picture_has_their_room_and_nothing_is_written(usual):
    silent = played(captions="off")
    assert silent.canvas.height > usual.canvas.height + 0.5
    assert not silent._furniture.sentences
    assert [line.frame for line in silent.lines] == [line.frame for line in usual.lines]


def test_a_track_leaves_the_room_free_and_the_frames_as_they_are(usual):
    track = played(captions="track")
    assert track.canvas == usual.canvas
    assert not track._furniture.sentences
    assert track.lines == usual.lines
    assert track.frame == usual.frame


@pytest.mark.parametrize("pace", [0.5, 0.8, 1.5, 2.0])
def test_at_another_pace_the_film_is_longer_or_shorter_and_can_be_read(usual, pace):
    other = played(pace=pace)
    assert other.frame / usual.frame == pytest.approx(1 / pace, rel=0.02) if pace < 1 else True
    assert (other.frame < usual.frame) == (pace > 1)
    frames = [*(line.frame for line in other.lines[1:]), other.frame]
    for line, end in zip(other.lines, frames, strict=True):
        seconds = (end - line.frame) / FPS
        assert len(line.text) / seconds <= READING_SPEED * min(pace, 1.0) + 0.5


def test_the_last_sentence_is_a_beat_like_the_others(usual):
    caption = usual.lines[-1]
    assert max(beat.frame for beat in usual.beats) <= caption.frame
