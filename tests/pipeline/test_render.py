"""Rendering a shot: the same frames as stock Manim, counted, in one stream."""

import json
from fractions import Fraction

import av
import numpy as np
import pytest
from av.video.reformatter import Colorspace, VideoReformatter
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.encoder import record_shot
from benchmarks.ghosts import encode, measure_ghosts
from clockhead.clips.areas import Area
from clockhead.clips.encoder import AreaConverter, ClipEncoder
from clockhead.clips.stream import (
    count_frames,
    decode_pictures,
    frame_rate,
    open_video,
    x264_options,
)
from clockhead.look import Quality
from clockhead.scenes.stage import READING_SPEED, REST
from clockhead.scenes.stage.rhythm import FIRST_LOOK, PAUSE
from tests.pipeline.project import ROOT, Project

pytestmark = pytest.mark.xdist_group("render")

FPS = 20


@pytest.fixture(scope="module")
def trial(tmp_path_factory):
    project = Project.make(tmp_path_factory.mktemp("trial"))
    (project.root / "manim.cfg").write_text(
        "[CLI]\nbackground_color = WHITE\nframe_rate = 3\nformat = gif\nupto_animation_number = 1\n"
    )
    media = project.root / "stock"
    return json.loads(project.python(ROOT / "tests/pipeline/drawing_trial.py", str(media)))


def test_every_frame_equals_manims_own(trial):
    assert [c["largest_difference"] for c in trial["comparisons"]] == [0, 0]
    assert all(c["same_count"] for c in trial["comparisons"])


def test_the_stream_equals_x264s_output_for_these_frames(trial):
    assert all(c["same_packets"] for c in trial["comparisons"])


def test_the_stock_renderer_makes_the_same_clip(trial):
    assert trial["stock"] == trial["clip"]


def test_every_frame_is_encoded(trial):
    assert trial["clip"]["pictures"] == trial["clip"]["frames"]


def test_plays_and_waits_last_a_whole_number_of_frames(trial):
    move, last, pause, first = (round(t * FPS) for t in (0.21, 0.2, PAUSE, FIRST_LOOK))
    moves = round((len("How often does it move?") + len("Here comes $n$.")) / READING_SPEED * FPS)
    caption = moves + 2 * move + last + pause
    assert trial["clip"]["beats"] == [["appear", 0], ["move", moves], ["caption", caption]]
    assert trial["clip"]["lines"] == [["Here comes $n$.", first], ["It moved 2 times.", caption]]
    assert trial["clip"]["frames"] == caption + round(0.8 * FPS) + round(REST * FPS)


def test_hold_adds_its_seconds_at_the_end(trial):
    assert trial["held"]["frames"] == trial["clip"]["frames"] + round(1.5 * FPS)
    assert trial["held"]["lines"] == trial["clip"]["lines"]


def test_a_clip_does_not_depend_on_manims_settings(trial):
    assert trial["in_odd_settings"] == trial["clip"]


def test_progress_is_reported_and_ends_near_the_last_frame(trial):
    assert trial["reports"] == sorted(set(trial["reports"]))
    assert trial["reports"][0] == 0
    assert trial["reports"][-1] == trial["clip"]["frames"]


def test_the_poster_shows_everything(trial):
    _, (_, caption) = trial["clip"]["lines"]
    assert caption < trial["clip"]["poster"] < trial["clip"]["frames"]
    assert 0 < trial["clip"]["richness"] < 1


def test_the_layout_check_finds_crowded_text_only(trial):
    assert trial["layout"]["moving"] == []
    assert any("margins" in problem for problem in trial["layout"]["crowded"])


def test_no_temporary_files_remain(trial):
    assert trial["left"] == []


places = st.lists(
    st.tuples(st.integers(0, 99), st.integers(0, 99), st.integers(1, 40), st.integers(1, 30)),
    max_size=4,
)


@settings(max_examples=30, deadline=None)
@given(st.lists(places, min_size=1, max_size=5), st.sampled_from([(60, 100), (34, 90)]))
def test_converting_areas_equals_converting_whole_frames(frames, size):
    width, height = size
    noise = np.random.default_rng(0)
    pixels = noise.integers(0, 256, (height, width, 4), np.uint8)
    converter = AreaConverter(width, height)
    converter.convert(pixels, [Area(0, 0, width, height)])
    for frame in frames:
        areas = []
        for left, top, wide, tall in frame:
            area = Area(left % width, top % height, left % width + wide, top % height + tall)
            even = Area(*(edge // 2 * 2 for edge in area[:2]), *(-(-e // 2) * 2 for e in area[2:]))
            areas.append(even.within(width, height))
            part = pixels[areas[-1].slices]
            part[:] = noise.integers(0, 256, part.shape, np.uint8)
        converter.convert(pixels, areas)
        assert np.array_equal(converter.picture().to_ndarray(), yuv(pixels).to_ndarray())


def yuv(pixels):
    """All of a frame, as libswscale converts it."""
    return VideoReformatter().reformat(
        av.VideoFrame.from_ndarray(pixels, format="rgba"),
        format="yuv420p",
        dst_colorspace=Colorspace.ITU709,
    )


def written(shades, **options):
    """A clip of some frames of one shade each, every one shown as often as it says."""
    encoder = ClipEncoder(64, 48, 10, **options)
    for shade, repeat in shades:
        encoder.write(np.full((48, 64, 4), shade, np.uint8), repeat)
    return encoder.finish()


def pictures(video):
    with open_video(video) as film:
        assert frame_rate(film) == 10
        return [(p.start, p.end, p.key) for p in decode_pictures(film)]


def test_a_written_frame_may_be_drawn_over():
    reused = ClipEncoder(64, 48, 10)
    buffer = np.zeros((48, 64, 4), np.uint8)
    for shade in range(0, 250, 10):
        buffer[:] = shade
        reused.write(buffer)
    assert reused.finish() == written((shade, 1) for shade in range(0, 250, 10))


STAYS = [(0, 25), (0, 3), (255, 1), (9, 4), (9, 5)]


def test_a_still_picture_is_encoded_once_a_frame():
    assert pictures(written(STAYS)) == [(n, n + 1, n == 0) for n in range(38)]


@pytest.mark.parametrize("options", [{}, {"small": True}])
def test_a_clip_has_as_many_frames_as_were_written(options):
    with open_video(written(STAYS, **options)) as film:
        assert count_frames(film) == 38
        stream = film.streams.video[0]
        assert stream.duration * stream.time_base == Fraction(38, 10)


@pytest.mark.parametrize("options", [{}, {"small": True}])
def test_a_still_picture_does_not_twitch(options):
    """However long: a picture to jump to in the middle of it would be encoded otherwise."""
    noise = np.random.default_rng(0).integers(0, 256, (48, 64, 4), np.uint8)
    encoder = ClipEncoder(64, 48, 10, **options)
    encoder.write(noise, 600)
    encoder.write(noise // 2, 600)
    with open_video(encoder.finish()) as film:
        shown = [(p.start, p.key, p.pixels.to_ndarray().tobytes()) for p in decode_pictures(film)]
    assert [start for start, key, _ in shown if key] == [0, 600]
    settled = [pixels for start, _, pixels in shown if start % 600 > 60]
    assert len(set(settled)) == 2


def test_a_beat_begins_with_a_key_frame_even_if_nothing_changes():
    encoder = ClipEncoder(64, 48, 10)
    still = np.zeros((48, 64, 4), np.uint8)
    encoder.write(still, 7)
    encoder.begin_beat()
    encoder.write(still, 5)
    assert [start for start, _, key in pictures(encoder.finish()) if key] == [0, 7]


def test_a_frame_of_the_wrong_size_is_refused():
    encoder = ClipEncoder(64, 48, 10)
    with pytest.raises(ValueError, match=r"shape \(48, 60, 4\) instead of \(48, 64, 4\)"):
        encoder.write(np.zeros((48, 60, 4), np.uint8))
    encoder.abort()


def test_faded_pictures_leave_no_ghosts():
    """A real shot whose tables fade; with x264's own dead zones 4 % of the picture stays."""
    quality = Quality(240, 10)
    source = record_shot("errata:tables", quality)
    videos = [encode(source, x264_options(small=small)) for small in (False, True)]
    assert [bright < 0.002 for bright, _ in measure_ghosts(source, videos, quality.fps)] == [
        True,
        True,
    ]
