"""Whatever a stranger sends is a film or a list of problems: short, harmless, and never an error.

A few hundred cases, the same in every run. `CLOCKHEAD_FUZZ=10000 python -m pytest
tests/pipeline/test_strangers.py -n 2` tries ten thousand others of each kind.
"""

import hashlib
import json
import re
import signal
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clockhead.clips.clip import Clip
from clockhead.clips.store import ClipStore
from clockhead.production.manifest import (
    file_hash,
    frames_by_shot,
    is_current,
    manifest_text,
    read_manifest,
)
from clockhead.scenes.stage import Beat, CaptionLine, find_stage, stage_names
from clockhead.storyboard.films import Film, load_films, read_film
from clockhead.storyboard.models import inputs_schema
from clockhead.storyboard.problems import LONGEST_MESSAGE, MOST_PROBLEMS, Problems, StoryboardError
from tests.pipeline import fake_stages
from tests.pipeline.strangers import (
    SHIPPED,
    around,
    fields,
    mutants,
    one_shot,
    storyboards,
    tries,
    values,
    words,
)

FILE = Path("f.yaml")
LONGEST_LINE = 1000
"""A message, and before it where it is."""
PATIENCE = 60
"""Seconds after which a case is taken for one without end."""
ONE = one_shot(SHIPPED[0], 0)
CHOSEN = fake_stages.Choice.Inputs.model_json_schema()["properties"]


def as_text(value):
    """A value as YAML that a storyboard or `--set` may hold."""
    return json.dumps(value, ensure_ascii=False)


@pytest.fixture(scope="module", autouse=True)
def _nothing_without_end():
    def give_up(*_):
        raise TimeoutError("this has no end")

    before = signal.signal(signal.SIGALRM, give_up)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def fakes(monkeypatch, tmp_path):
    """Stages that draw nothing, and no others."""
    monkeypatch.chdir(tmp_path)
    fake_stages.install(monkeypatch, tmp_path, fake_stages.ALL)


def is_harmless(text):
    return not any(unicodedata.category(one)[0] == "C" or one in "\u2028\u2029" for one in text)


def look_over(problems):
    """What is said of a file is short, for people, and encodable; so is all of it together."""
    for problem in problems:
        assert len(problem.message) <= LONGEST_MESSAGE
        assert problem.message.strip()
        assert is_harmless(f"{problem.path}{problem.message}")
    lines = str(Problems(problems)).split("\n")
    assert len(lines) <= MOST_PROBLEMS + 1
    for line in lines:
        assert len(line) <= LONGEST_LINE
        assert is_harmless(line)
        line.encode()


def look_at(data):
    signal.alarm(PATIENCE)
    reading = read_film(FILE, data)
    signal.alarm(0)
    assert reading.problems or isinstance(reading.film, Film)
    look_over(reading.problems)
    if reading.film is not None:
        look_over([*reading.film.failures, *reading.film.warnings])


@pytest.mark.usefixtures("fakes")
class TestGrammar:
    @tries(80)
    @given(data=storyboards())
    def test_storyboards(self, data):
        look_at(data)

    @tries(40)
    @given(data=storyboards().flatmap(mutants))
    def test_mutants(self, data):
        look_at(data)

    @tries(80)
    @given(
        given=st.lists(
            st.builds(
                "{}{}={}".format,
                st.sampled_from(["", "", "", "grid.", "a."]) | words,
                st.sampled_from(["alpha", "m", "text", "pair", "mode", *CHOSEN]) | words,
                words | values.map(lambda value: json.dumps(value, ensure_ascii=False)),
            )
            | st.sampled_from(sorted(CHOSEN)).flatmap(
                lambda name: around(CHOSEN[name]).map(lambda value: f"{name}={as_text(value)}")
            )
            | words,
            min_size=1,
            max_size=3,
        )
    )
    def test_settings(self, given):
        shots = "".join(f"- stage: {stage}\n" for stage in ("fake.grid", "fake.choice"))
        FILE.write_text(f"version: 1\ntitle: A film\nshots:\n{shots}")
        signal.alarm(PATIENCE)
        try:
            [film] = load_films([str(FILE)], settings=given)
        except StoryboardError as error:
            look_over(error.problems)
        else:
            look_over(film.failures)
            assert "\n" not in film.name
            assert len(film.name) <= 40
        signal.alarm(0)


@pytest.mark.usefixtures("fakes")
@pytest.mark.parametrize(
    "line",
    [
        *("inputs: {length: 5}", "inputs: {length: true}", "inputs: {length: '8'}"),
        *("inputs: {name: Sat}", "inputs: {words: [a, B]}", "inputs: {either: Sat}"),
        *("inputs: {either: 3}", "inputs: {either: [1]}", "caption: 'It is {token:.2f}.'"),
    ],
)
def test_wrong_values_are_reported_at_their_place(line):
    """Each was an error of ours; what is offered instead is taken."""
    head = "version: 1\ntitle: A film\nshots:\n- stage: fake.choice\n"
    reading = read_film(FILE, f"{head}  {line}\n".encode())
    [problem] = reading.problems
    assert (problem.line, problem.path.partition("[")[0]) == (5, "shots")
    offer = re.search(r": write (.*)$", problem.message)
    assert offer or "length" not in line or "true" in line
    if offer:
        mended = f"{head}  inputs: {{{offer[1]}}}\n"
        assert not read_film(FILE, mended.encode()).problems


@pytest.mark.parametrize("version", ["true", "1.0", '"1"', "2", "0", "[1]", "null", "'1.0'"])
def test_no_other_version_is_read(version):
    said = f"version: {version}\ntitle: A film\nshots:\n- stage: vectors.keys\n"
    [problem] = read_film(FILE, said.encode()).problems
    assert (problem.line, problem.path) == (1, "version")


@tries(60)
@given(data=st.data())
def test_inputs_and_facts_of_shipped_stages(data):
    """A stage with an input that nearly fits, and a caption of its facts in any format."""
    name = data.draw(st.sampled_from(stage_names()))
    stage = find_stage(name)
    schemas = inputs_schema(name)["properties"] or {"none": {"type": "integer"}}
    given = data.draw(
        st.sampled_from(sorted(schemas)).flatmap(
            lambda key: st.fixed_dictionaries({key: around(schemas[key])})
        )
    )
    inputs = stage.Inputs()
    facts = list(stage.facts_of(inputs, stage.compute(inputs)))
    caption = data.draw(st.lists(fields(*facts), min_size=1, max_size=3).map(" ".join))
    shot = {"stage": name, "inputs": given, "caption": caption}
    film = {"version": 1, "title": "A film", "shots": [shot]}
    look_at(as_text(film).encode(errors="replace"))


@tries(50)
@given(data=st.data())
def test_mutants_of_shipped_films(data):
    origin = one_shot(data.draw(st.sampled_from(SHIPPED)), data.draw(st.integers(0, 9)))
    look_at(data.draw(mutants(origin)))


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A folder with two files, and a manifest of them as it is written."""
    folder = tmp_path_factory.mktemp("finished")
    names = {"f.mp4", "clips/01-a.mp4"}
    (folder / "clips").mkdir()
    for name in names:
        (folder / name).write_text(name)
    recipe = {"manifest": 1, "film": "f", "shots": [{"id": "a", "inputs": {"alpha": 1.5}}]}
    timing = [{"shot": "a", "frames": 30, "lines": [], "beats": [{"name": "x", "frame": 3}]}]
    files = {name: file_hash(folder / name) for name in names}
    return folder, names, recipe, {**recipe, "frames": 30, "timing": timing, "files": files}


manifests = st.dictionaries(
    st.sampled_from(["manifest", "film", "shots", "timing", "files", "frames"]) | words,
    st.recursive(
        values | st.just([{"shot": "a", "frames": 2}]),
        lambda inner: st.lists(inner) | st.dictionaries(st.just("f.mp4") | words, inner),
        max_leaves=6,
    ),
)


@tries(80)
@given(data=st.data())
def test_manifests(data, finished):
    folder, names, recipe, manifest = finished
    if data.draw(st.booleans()):
        written = data.draw(mutants(manifest_text(manifest).encode()))
    else:
        strange = {**data.draw(st.sampled_from([{}, manifest])), **data.draw(manifests)}
        written = json.dumps(strange).encode()
    (folder / "f.json").write_bytes(written)
    read = read_manifest(folder / "f.json")
    told = frames_by_shot(read)
    assert all(isinstance(shot, str) and frames > 0 for shot, frames in told.items())
    if is_current(folder, read, recipe, names):
        assert read["files"] == manifest["files"]
        assert {name: read[name] for name in recipe} == recipe


CLIP = Clip(b"video", 30, (Beat("x", 3),), (CaptionLine("So it is.", 2, asks=False),), 1, 29, 0.5)


@tries(50)
@given(data=st.data())
def test_store_entries(data, tmp_path_factory):
    store = ClipStore(tmp_path_factory.getbasetemp() / "store")
    store.put("k", CLIP)
    [entry] = store.directory.glob("k.*")
    seal, _, body = entry.read_bytes().partition(b"\n")
    about = json.loads(body.partition(b"\n")[0])
    if data.draw(st.booleans()):
        strange = data.draw(mutants(entry.read_bytes()))
    else:
        other = data.draw(values | st.dictionaries(st.sampled_from(sorted(about)), values))
        line = {**about, **other} if isinstance(other, dict) else other
        body = json.dumps(line).encode() + b"\nvideo"
        whole = hashlib.sha256(body).hexdigest().encode()
        strange = seal.rpartition(b" ")[0] + b" " + whole + b"\n" + body
    entry.write_bytes(strange)
    found = store.get("k")
    if found is None:
        store.put("k", CLIP)
        assert store.get("k") == CLIP
    else:
        assert found.video == b"video"
        assert found.frames > 0


def test_whole_shipped_films():
    @tries(5)
    @given(data=st.data())
    def hunt(data):
        look_at(data.draw(mutants(data.draw(st.sampled_from(SHIPPED)).read_bytes())))

    hunt()
