"""A shot that several workers draw is what one would have drawn."""

from concurrent.futures import Future
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clockhead.clips import parts
from clockhead.clips.clip import Clip, ClipJob, Failure
from clockhead.clips.jobs import Crew
from clockhead.clips.parts import (
    PartsProgress,
    joined,
    render_in_parts,
    shares,
    split,
)
from clockhead.clips.render import perform, project_fingerprint, render_clip
from clockhead.look import Making
from clockhead.scenes.stage import find_stage
from tests.pipeline.one_clip import GROUP, LOOK, STAGE, shot_of, the_clip, the_job

pytestmark = pytest.mark.xdist_group(GROUP)


@pytest.fixture
def job() -> ClipJob:
    return the_job()


@pytest.fixture
def whole() -> Clip:
    return the_clip()


@pytest.fixture(scope="module")
def halves() -> list[Clip]:
    return [render_clip(part) for part in split(the_job(), 2)]


class Alone(Crew):
    """Does every job at once, here."""

    size = 2

    def __init__(self, progress: PartsProgress) -> None:
        self.progress = progress
        self.names: list[str] = []

    def submit(self, name: str, packed: bytes) -> Future:
        self.names.append(name)
        future: Future = Future()
        report = self.progress
        future.set_result(perform(packed, project_fingerprint(), lambda n: report(name, n)))
        return future

    def check(self) -> None: ...

    def close(self) -> None: ...


def rendered(*jobs: ClipJob):
    """What comes of jobs, what was given out, and what was said of them."""
    outcomes, told = {}, []
    crew = Alone(PartsProgress(lambda name, frames: told.append((name, frames))))
    named = {f"{n}": job for n, job in enumerate(jobs)}
    render_in_parts(crew, named, dict.fromkeys(named, 100), outcomes.__setitem__)
    return outcomes, crew.names, told


def test_halves_are_the_clip_to_the_byte(job, whole, halves):
    assert [half.frames for half in halves] != [whole.frames] * 2
    assert sum(half.frames for half in halves) == whole.frames
    assert joined(halves, job) == whole


def test_with_more_care_too():
    job = ClipJob(STAGE, shot_of(STAGE), replace(LOOK, theme="paper", making=Making(small=True)))
    assert joined([render_clip(part) for part in split(job, 3)], job) == render_clip(job)


def test_the_beats_of_parts_are_those_of_the_shot(job, whole):
    for n in (2, 3, 4, 50):
        edges = [part.beats for part in split(job, n)]
        assert edges[0][0] == 0
        assert edges[-1][1] is None
        assert all(end == first > 0 for (_, end), (first, _) in pairwise(edges))
        assert 1 < len(edges) <= min(n, len(whole.beats))
    assert [part.beats for part in split(job, 1)] == [(0, None)]


def test_halves_have_about_as_much_to_say(job):
    told = find_stage(STAGE).length_of_beats(job.shot)
    [(_, cut), _] = [part.beats for part in split(job, 2)]
    apart = [abs(sum(told[:n]) - sum(told[n:])) for n in range(1, len(told))]
    assert apart[cut - 1] == min(apart)


@pytest.mark.parametrize("change", [{"before": "another state"}, {"frames": 1}])
def test_parts_that_do_not_fit_are_none(job, halves, change):
    first, second = halves
    n = len(first.takes)
    of_first = change.keys() == {"frames"}
    place = 0 if of_first else n
    takes = [*second.takes[:place], replace(second.takes[place], **change)]
    other = replace(second, takes=(*takes, *second.takes[place + 1 :]))
    assert joined([first, other], job) is None


def test_what_workers_make_is_handed_in_once_and_told_as_one(job, whole):
    outcomes, names, told = rendered(job)
    assert outcomes == {"0": whole}
    assert names == ["0/0", "0/1"]
    assert told[0] == ("0", 0)
    assert [frames for _, frames in told].count(0) == 1
    assert max(frames for _, frames in told) <= whole.frames


def test_a_part_begins_once(job):
    """Whatever of the shot it leaves to others."""
    told: list[int] = []
    render_clip(split(job, 2)[1], told.append)
    assert told.count(0) == 1


def test_a_part_that_begins_again_is_told():
    told: list[tuple[str, int]] = []
    progress = PartsProgress(lambda name, frames: told.append((name, frames)))
    for name, frames in (("a/0", 0), ("a/1", 0), ("a/0", 9), ("a/1", 0)):
        progress(name, frames)
    assert told == [("a", 0), ("a", 9), ("a", 0), ("a", 9)]


def test_a_shot_whose_parts_do_not_fit_is_drawn_whole(job, whole, monkeypatch):
    monkeypatch.setattr(parts, "joined", lambda found, _: found[0] if len(found) == 1 else None)
    outcomes, names, _ = rendered(job)
    assert outcomes == {"0": whole}
    assert names == ["0/0", "0/1", "0"]


def test_of_a_shot_that_fails_one_reason_is_told(job):
    calls = []
    work = parts._Work(
        {"a": job}, {"a": {"a/0": job, "a/1": job}}, lambda *told: calls.append(told)
    )
    work.take("a/0", Failure("it cannot be drawn"))
    work.take("a/1", Failure("nor can this"))
    assert calls == [("a", Failure("it cannot be drawn"))]


def test_what_is_there_already_and_what_manim_draws_are_not_cut(job, whole):
    stock = replace(job, look=replace(LOOK, making=Making(stock=True)))
    known = replace(job, earlier=whole)
    cut = parts._cut({"a": stock, "b": known}, {"a": 9, "b": 9}, 8)
    assert cut == {"a": {"a/0": stock}, "b": {"b/0": known}}


@given(st.lists(st.integers(1, 400), min_size=1, max_size=30), st.integers(1, 16))
def test_cutting_never_keeps_workers_waiting_for_longer(lengths, workers):
    found = shares(lengths, workers)
    whole = [1] * len(lengths)
    assert len(found) == len(lengths)
    assert all(1 <= n <= 4 for n in found)
    time = parts._time(lengths, found, workers)
    assert time <= parts._time(lengths, whole, workers)
    assert time * workers >= sum(lengths) * (1 - 1e-9)
    if found != whole:
        assert time < parts._time(lengths, whole, workers)


@pytest.mark.parametrize(
    ("lengths", "workers", "expected"),
    [
        ([10], 1, [1]),
        ([10], 2, [2]),
        ([10, 10], 2, [1, 1]),
        ([10, 10, 10], 2, [2, 1, 1]),
        ([30, 10, 10], 2, [2, 1, 1]),
        ([10] * 10, 2, [1] * 10),
        ([10], 8, [4]),
    ],
)
def test_as_few_as_keep_workers_busy(lengths, workers, expected):
    assert shares(lengths, workers) == expected
