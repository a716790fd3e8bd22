"""The key of a clip: another one for whatever makes another picture, the same one for all else."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from clockhead.clips import fingerprint
from clockhead.clips.clip import ClipJob
from clockhead.clips.fingerprint import clip_key
from clockhead.look import FilmLook, Quality
from clockhead.scenes.stage import FilmCredits, Predecessor, Shot, find_stage
from clockhead.scenes.style.fonts import Font

pytestmark = pytest.mark.xdist_group("fingerprint")

STAGE, BEFORE, OTHER = (
    "previous_token.sub_diagonal",
    "previous_token.score_as_clock_sum",
    "previous_token.look_back",
)
ROOT = Path(__file__).parents[2]


def shot_of(stage: str, **changes: object) -> Shot:
    found = find_stage(stage)
    return found.shot(found.Inputs(), **changes)


@pytest.fixture(scope="module")
def job() -> ClipJob:
    before = Predecessor(BEFORE, shot_of(BEFORE))
    shot = shot_of(STAGE, after=before, film=FilmCredits("A film", "after somebody"))
    return ClipJob(STAGE, shot, FilmLook())


def with_shot(**changes: object) -> Callable[[ClipJob], ClipJob]:
    return lambda job: replace(job, shot=replace(job.shot, **changes))


def with_before(**changes: object) -> Callable[[ClipJob], ClipJob]:
    def change(job: ClipJob) -> ClipJob:
        assert job.shot.after is not None
        before = replace(job.shot.after, shot=replace(job.shot.after.shot, **changes))
        return replace(job, shot=replace(job.shot, after=before))

    return change


def with_inputs(**given: object) -> Callable[[ClipJob], ClipJob]:
    return with_shot(inputs=find_stage(STAGE).Inputs(**given))


OTHER_PICTURES = {
    "another stage": lambda job: replace(job, stage=OTHER),
    "theme": with_shot(theme="paper"),
    "aspect": lambda job: replace(job, look=replace(job.look, aspect="9:16")),
    "pixels": lambda job: replace(job, look=replace(job.look, quality=Quality(1080, 30))),
    "frames per second": lambda job: replace(job, look=replace(job.look, quality=Quality(720, 60))),
    "quality": lambda job: replace(job, look=replace(job.look, quality=Quality(480, 15))),
    "title": with_shot(title="Another title"),
    "question": with_shot(question="Another question?"),
    "caption": with_shot(caption="Another caption."),
    "a sentence": lambda job: with_shot(lines=(("", "Another."), *job.shot.lines[1:]))(job),
    "no sentence": lambda job: with_shot(lines=(("", ""), *job.shot.lines[1:]))(job),
    "a question in its place": lambda job: with_shot(
        lines=(job.shot.lines[0][::-1], *job.shot.lines[1:])
    )(job),
    "hold": with_shot(hold=1.0),
    "a font of the user's": with_shot(fonts=(Font("a.ttf", "0", b""),)),
    "an input": with_inputs(alpha=12.0),
    "a text": with_inputs(text="to be or not to be or"),
    "the film's credit": with_shot(film=FilmCredits("A film", "after nobody")),
    "the film's title": with_shot(film=FilmCredits("Another film", "after somebody")),
    "the last shot of its film": with_shot(is_last=True),
    "nothing before it": with_shot(after=None),
    "another stage before it": lambda job: with_shot(after=Predecessor(OTHER, shot_of(OTHER)))(job),
    "another caption before it": with_before(caption="What stood there."),
    "other inputs before it": with_before(inputs=find_stage(BEFORE).Inputs(text="to be or not to")),
    "another title before it": with_before(title="What was called so."),
}


@pytest.mark.parametrize("what", OTHER_PICTURES)
def test_a_change_of_the_picture_changes_the_key(job: ClipJob, what: str):
    assert clip_key(OTHER_PICTURES[what](job)) != clip_key(job)


SAME_PICTURES = {
    "the same shot made anew": lambda job: replace(job, shot=replace(job.shot)),
    "values that are worked out already": with_shot(values=object()),
    "values before it": with_before(values=object()),
    "a hold of whole seconds": with_shot(hold=0),
    "an alpha written as a whole number": with_inputs(alpha=10.0),
}


@pytest.mark.parametrize("what", SAME_PICTURES)
def test_equal_pictures_have_equal_keys(job: ClipJob, what: str):
    assert clip_key(SAME_PICTURES[what](job)) == clip_key(job)


@pytest.mark.parametrize(
    "package",
    [
        *("manim", "numpy", "typst", "font-source-sans-pro", "pycairo", "av", "uharfbuzz"),
        *("pillow", "manimpango", "cairo", "pango", "x264", "libavcodec", "libswscale"),
    ],
)
def test_another_version_of_a_library_changes_the_key(
    job: ClipJob, package: str, monkeypatch: pytest.MonkeyPatch
):
    before = clip_key(job)
    known = fingerprint.versions()
    assert package in known
    monkeypatch.setattr(fingerprint, "versions", lambda: {**known, package: "99.9"})
    assert clip_key(job) != before


def test_another_font_file_changes_the_key(job: ClipJob, monkeypatch: pytest.MonkeyPatch):
    before = clip_key(job)
    known = fingerprint.fonts()
    changed = {**known, "SourceSansPro-Regular.ttf": "another hash"}
    assert changed.keys() == known.keys()
    monkeypatch.setattr(fingerprint, "fonts", lambda: changed)
    assert clip_key(job) != before


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("copied")
    shutil.copytree(ROOT / "src", root / "src", ignore=shutil.ignore_patterns("__pycache__"))
    return root


@pytest.fixture
def edited(copied: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Have the sources read from a copy of the project, in which a file has one more line."""
    before: dict[Path, str] = {}

    def edit(file: str) -> None:
        before[copied / file] = (copied / file).read_text()
        (copied / file).write_text(before[copied / file] + "# another line\n")
        monkeypatch.setattr(fingerprint, "PACKAGE", copied / "src/clockhead")
        fingerprint._hash.cache_clear()

    yield edit
    for file, text in before.items():
        file.write_text(text)
    fingerprint._hash.cache_clear()


@pytest.mark.parametrize(
    "file",
    [
        "src/clockhead/scenes/previous_token/sub_diagonal.py",
        "src/clockhead/scenes/previous_token/inputs.py",
        "src/clockhead/scenes/parts/table.py",
        "src/clockhead/scenes/parts/matrix.py",
        "src/clockhead/scenes/parts/stacks.py",
        "src/clockhead/scenes/previous_token/score_as_clock_sum.py",
        "src/clockhead/scenes/previous_token/__init__.py",
        "src/clockhead/scenes/style/theme.py",
        "src/clockhead/scenes/style/text.py",
        "src/clockhead/scenes/stage/stage.py",
        "src/clockhead/scenes/stage/carry.py",
        "src/clockhead/scenes/stage/camera.py",
        "src/clockhead/scenes/facts.py",
        "src/clockhead/model/previous_token/head.py",
        "src/clockhead/model/rope/rotation.py",
        "src/clockhead/clips/encoder.py",
        "src/clockhead/clips/drawing.py",
        "src/clockhead/startup.py",
    ],
)
def test_an_edit_of_a_drawing_module_changes_the_key(job: ClipJob, file: str, edited):
    before = clip_key(job)
    edited(file)
    assert clip_key(job) != before


@pytest.mark.parametrize(
    "file",
    [
        "src/clockhead/scenes/previous_token/look_back.py",
        "src/clockhead/scenes/caesar/wheel.py",
        "src/clockhead/model/caesar/cipher.py",
        "src/clockhead/production/join.py",
        "src/clockhead/commands/render.py",
        "src/clockhead/storyboard/shots.py",
    ],
)
def test_an_edit_of_other_modules_keeps_the_key(job: ClipJob, file: str, edited):
    before = clip_key(job)
    edited(file)
    assert clip_key(job) == before
