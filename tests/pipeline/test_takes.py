"""What a shot has in common with what it was is not drawn again; the clip is the same."""

import json
import pickle
from concurrent.futures import Future
from contextlib import nullcontext
from dataclasses import dataclass, replace

import pytest

from clockhead.clips import render, takes
from clockhead.clips.clip import Clip, ClipJob, Failure
from clockhead.clips.drawing import ClipWriter
from clockhead.clips.fingerprint import clip_key, likeness
from clockhead.clips.jobs import Crew
from clockhead.clips.render import render_clip
from clockhead.clips.store import ClipStore
from clockhead.production import RenderOptions, produce
from clockhead.production.manifest import keys_by_shot
from clockhead.production.progress import ShotProgress
from clockhead.scenes.stage import Predecessor, find_stage
from clockhead.storyboard.films import load_films
from tests.pipeline.one_clip import BEFORE, GROUP, LOOK, STAGE, the_clip, the_job

pytestmark = pytest.mark.xdist_group(GROUP)


@dataclass
class Drawn:
    """The frames that are drawn and encoded."""

    frames: int = 0


@pytest.fixture
def drawn(monkeypatch) -> Drawn:
    found, write = Drawn(), ClipWriter.write_frame

    def count(writer, pixels, *, repeat=1, changed=None):
        found.frames += repeat
        write(writer, pixels, repeat=repeat, changed=changed)

    monkeypatch.setattr(ClipWriter, "write_frame", count)
    return found


@pytest.fixture
def job() -> ClipJob:
    return the_job()


@pytest.fixture
def clip() -> Clip:
    return the_clip()


def again(job: ClipJob, clip: Clip, **changes) -> tuple[Clip, Clip]:
    """The clip of a changed shot, with what there is of it already, and without."""
    changed = replace(job, shot=replace(job.shot, **changes))
    return render_clip(replace(changed, earlier=clip)), render_clip(changed)


def lengths(clip: Clip) -> list[int]:
    return [take.frames for take in clip.takes]


def drawn_of(drawn: Drawn, whole: Clip) -> int:
    """The frames that were drawn of the first of two clips; the second was drawn whole."""
    return drawn.frames - whole.frames


def test_there_is_a_take_for_every_beat(clip: Clip):
    ends = [*(beat.frame for beat in clip.beats[1:]), clip.frames]
    assert lengths(clip) == [end - beat.frame for beat, end in zip(clip.beats, ends, strict=True)]
    assert len(lengths(clip)) > 3


def test_with_another_caption_its_beat_alone_is_drawn(job, clip, drawn):
    caption = "The query is turned before the clocks see it, and the rest is as it was."
    made, cold = again(job, clip, caption=caption)
    assert made == cold != clip
    assert drawn_of(drawn, cold) == lengths(cold)[-1]


def test_held_for_longer_only_the_end_is_drawn(job, clip, drawn):
    made = render_clip(replace(job, shot=replace(job.shot, hold=1.0), earlier=clip))
    assert drawn.frames == lengths(made)[-1] == lengths(clip)[-1] + LOOK.fps


def test_after_another_shot_only_the_beginning_is_drawn(job, clip, drawn):
    other = Predecessor(BEFORE, replace(job.shot.after.shot, caption="Something else was said."))
    made, cold = again(job, clip, after=other)
    assert made == cold != clip
    assert drawn_of(drawn, cold) == lengths(cold)[0]


def test_where_another_sentence_is_said_that_beat_is_drawn_and_the_next(job, clip, drawn):
    """The next begins with its words, which go."""
    told = list(job.shot.notes)
    told[1] = f"{told[1][:-1]}, and so on."
    made, cold = again(job, clip, notes=tuple(told))
    assert made == cold != clip
    changed = [here != there for here, there in zip(cold.takes, clip.takes, strict=True)]
    assert changed.count(True) == 2
    assert drawn_of(drawn, cold) == sum(
        take.frames for take, is_new in zip(cold.takes, changed, strict=True) if is_new
    )


def test_a_question_that_is_gone_when_its_beat_ends_is_seen_all_the_same(job, clip, drawn):
    [place] = [n for n, note in enumerate(job.shot.notes) if note.endswith("match now?")]
    told = list(job.shot.notes)
    told[place] = told[place].replace("match", "catch")
    made = render_clip(replace(job, shot=replace(job.shot, notes=tuple(told)), earlier=clip))
    [beat] = [n for n, beat in enumerate(clip.beats) if beat.name == "match"]
    assert drawn.frames == lengths(made)[beat]


@pytest.mark.parametrize(
    "changes",
    [{"theme": "paper"}, {"inputs": find_stage(STAGE).Inputs(d_head=16), "values": None}],
    ids=["theme", "inputs"],
)
def test_of_another_look_or_other_inputs_nothing_is_taken(job, clip, changes):
    changed = replace(job, shot=replace(job.shot, **changes), earlier=clip)
    assert likeness(changed) != clip.likeness
    assert render._known(changed) == {}


def test_a_take_that_turns_out_another_is_drawn_after_all(job, clip, drawn, monkeypatch):
    found = takes.known_takes

    def wrong(*args):
        known = found(*args)
        first = min(known)
        return known | {first: replace(known[first], take=replace(known[first].take, after="x"))}

    monkeypatch.setattr(takes, "known_takes", wrong)
    assert render_clip(replace(job, earlier=clip)) == clip
    assert drawn.frames >= clip.frames


class Asked(Crew):
    """Takes down what it is to do, and does nothing."""

    size = 2

    def __init__(self) -> None:
        self.jobs: list[ClipJob] = []

    def submit(self, name: str, packed: bytes) -> Future:
        *_, inner = pickle.loads(packed)
        self.jobs.append(pickle.loads(inner)[1])
        future: Future = Future()
        future.set_result(Failure("not now"))
        return future

    def check(self) -> None: ...

    def close(self) -> None: ...


@pytest.mark.parametrize("place", ["film", "shot"])
def test_what_a_film_was_made_of_last_is_the_earlier_clip(tmp_path, monkeypatch, clip, place):
    crew, films = Asked(), load_films(["previous_token"])
    film = replace(films[0], shots=films[0].shots[:2])
    monkeypatch.setattr(produce, "open_crew", lambda *_: nullcontext(crew))
    first = ClipJob(film.shots[0].stage, film.shots[0].shot, film.look)
    ClipStore(tmp_path / ".clips").put(clip_key(first), replace(clip, likeness=likeness(first)))
    folder = tmp_path / film.name / film.look.folder
    file = folder / ("shots/01-riddle.json" if place == "shot" else f"{film.name}.json")
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"shots": [{"id": "riddle", "key": clip_key(first)}]}))
    caption = replace(film.shots[0], shot=replace(film.shots[0].shot, caption="Another."))
    changed = replace(film, shots=(caption, film.shots[1]))
    with ShotProgress() as progress:
        produce.produce([changed], RenderOptions(tmp_path), progress)
    earlier = {job.stage: job.earlier and job.earlier.video for job in crew.jobs}
    assert earlier == {film.shots[0].stage: clip.video, film.shots[1].stage: None}


def test_what_a_manifest_of_another_shape_calls_a_key_is_none():
    key = "0123456789abcdef" * 4
    shots = [{"id": "a", "key": key}, {"id": "b", "key": "../../x"}, {"id": 1, "key": key}, 3, None]
    assert keys_by_shot({"shots": shots}) == {"a": key}
    assert keys_by_shot({"shots": 5}) == keys_by_shot({}) == {}
