"""Films: clips joined packet by packet, read back with PyAV."""

import io
from itertools import pairwise

import av
import pytest

from clockhead.production.join import JoinError, frame_at, frames_at, join
from clockhead.production.timeline import Chapter, starts
from clockhead.scenes.stage import CaptionLine
from tests.pipeline.footage import FPS, clip, index_in_front, read

pytestmark = pytest.mark.xdist_group("film")

LENGTHS = [1, 40, 2, 300, 17]


@pytest.fixture(scope="module")
def chapters():
    return [
        Chapter(f"Chapter {n}", clip(n, length, lines=_lines(n, length)))
        for n, length in enumerate(LENGTHS)
    ]


@pytest.fixture(scope="module")
def film(chapters, tmp_path_factory):
    path = tmp_path_factory.mktemp("film") / "film.mp4"
    join(chapters, FPS, path, {"title": "The film", "artist": "Nobody"})
    return path


def test_every_frame_of_every_clip_is_there_once_in_order_and_on_time(film):
    with av.open(str(film)) as container:
        frames = list(container.decode(video=0))
    expected = [(shot, number) for shot, n in enumerate(LENGTHS) for number in range(n)]
    assert [read(frame.to_image()) for frame in frames] == [(s, n % 256) for s, n in expected]
    assert [round(frame.time * FPS, 6) for frame in frames] == list(range(sum(LENGTHS)))


def test_nothing_is_encoded_again(film, chapters):
    ours = [
        bytes(p) for c in chapters for p in _packets(av.open(io.BytesIO(c.clip.video)), "video")
    ]
    with av.open(str(film)) as container:
        assert [bytes(packet) for packet in _packets(container, "video")] == ours


def test_length_and_frame_rate_are_exact(film):
    with av.open(str(film)) as container:
        stream = container.streams.video[0]
        assert stream.average_rate == FPS
        assert stream.duration * stream.time_base * FPS == sum(LENGTHS)


def test_each_shot_is_a_chapter(film, chapters):
    edges = starts(chapters)
    with av.open(str(film)) as container:
        found = container.chapters()
    assert [chapter["metadata"]["title"] for chapter in found] == [c.title for c in chapters]
    for chapter, (start, end) in zip(found, pairwise(edges), strict=True):
        assert chapter["start"] * chapter["time_base"] == pytest.approx(start / FPS, abs=0.001)
        assert chapter["end"] * chapter["time_base"] == pytest.approx(end / FPS, abs=0.001)


def test_captions_are_a_soft_track_that_stays_off_until_asked_for(film, chapters):
    with av.open(str(film)) as container:
        stream = container.streams.subtitles[0]
        assert stream.codec_context.name == "mov_text"
        assert not stream.disposition & av.stream.Disposition.default
        assert stream.time_base * FPS == 1
        found = [
            (
                packet.pts * stream.time_base * FPS,
                (packet.pts + packet.duration) * stream.time_base * FPS,
                text,
            )
            for packet in _packets(container, "subtitles")
            if (text := _text(packet))
        ]
    edges = starts(chapters)
    assert found == [
        (0, 1, "Caption 0, ≥ 0"),
        *(
            cue
            for n, (start, end) in enumerate(pairwise(edges))
            if n > 0
            for cue in (
                (start, start + (end - start) // 2, f"Note {n}"),
                (start + (end - start) // 2, end, f"Caption {n}, ≥ {n}"),
            )
        ),
    ]


def test_the_index_is_in_front(film):
    assert index_in_front(film)


def test_the_film_has_title_and_artist(film):
    with av.open(str(film)) as container:
        assert container.metadata["title"] == "The film"
        assert container.metadata["artist"] == "Nobody"


def test_the_colours_are_tagged(film):
    with av.open(str(film)) as container:
        context = container.streams.video[0].codec_context
        assert (context.colorspace, context.color_range, context.color_primaries) == (1, 1, 1)


def test_one_frame_can_be_taken_out(chapters):
    assert read(frame_at(chapters[3].clip.video, 280)) == (3, 280 % 256)


def test_several_frames_can_be_taken_out_and_some_twice(chapters):
    wanted = [0, 5, 5, 251, 299]
    found = [read(picture) for picture in frames_at(chapters[3].clip.video, wanted)]
    assert found == [(3, number % 256) for number in wanted]


def test_a_missing_frame_is_an_error(chapters):
    with pytest.raises(JoinError, match="no frame 40"):
        frame_at(chapters[1].clip.video, 40)


def test_a_film_without_captions_has_no_subtitles(tmp_path):
    path = tmp_path / "film.mp4"
    join([Chapter("Silent", clip(1, 5))], FPS, path, {})
    with av.open(str(path)) as container:
        assert len(container.streams.subtitles) == 0


def test_a_film_of_one_shot_has_no_list_of_chapters(tmp_path):
    """MoviePy opens no file that has one."""
    path = tmp_path / "film.mp4"
    join([Chapter("Alone", clip(1, 5))], FPS, path, {})
    with av.open(str(path)) as container:
        assert container.chapters() == []
        assert [stream.type for stream in container.streams] == ["video"]


def test_clips_of_different_sizes_are_refused(tmp_path, chapters):
    other = Chapter("Other", clip(1, 5, width=128))
    with pytest.raises(JoinError, match="'Other' is encoded unlike"):
        join([chapters[0], other], FPS, tmp_path / "film.mp4", {})


def _lines(shot, frames):
    """A note at the start, and the caption in the middle."""
    return CaptionLine(f"Note ${shot}$", 0), CaptionLine(
        f"Caption {shot}, $>= {shot}$", frames // 2
    )


def _packets(container, kind):
    [stream] = getattr(container.streams, kind)
    return [packet for packet in container.demux(stream) if packet.dts is not None]


def _text(packet):
    data = bytes(packet)
    assert int.from_bytes(data[:2], "big") == len(data) - 2
    return data[2:].decode().replace("\n", " ")
