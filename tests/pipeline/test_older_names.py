"""Names of earlier versions: storyboards that use them still work, or are told what to write."""

import pytest

from clockhead.scenes.stage import UnknownStage, find_stage, stage_names
from clockhead.storyboard import older_names
from clockhead.storyboard.films import load_films
from clockhead.storyboard.older_names import History, OlderNames, StoryboardFacts, history
from clockhead.storyboard.problems import StoryboardError
from tests.pipeline import fake_stages

HISTORY = History(
    {"fake.net": "fake.narrow"},
    {"fake.grid": OlderNames({"old_mass": "mass"}, {"size": "write d_head", "best": "write mass"})},
)


@pytest.fixture
def load(tmp_path, monkeypatch):
    """Load a film of fake stages that were called otherwise before."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(older_names, "history", lambda: HISTORY)
    fake_stages.install(monkeypatch, tmp_path)

    def load(shot):
        (tmp_path / "f.yaml").write_text(f"version: 1\ntitle: T\nshots:\n- {{{shot}}}\n")
        [film] = load_films(["f.yaml"])
        return film

    return load


def said(load, shot):
    with pytest.raises(StoryboardError) as error:
        load(shot)
    return str(error.value)


def test_facts_by_their_earlier_names_are_said_and_expected(load):
    film = load("stage: fake.grid, caption: '{old_mass:.1%}', expect: {old_mass: '>= 1'}")
    [shot] = film.shots
    assert shot.shot.caption == "90.0%"
    assert [failure.message for failure in film.failures] == ["old_mass is 0.9, not >= 1"]
    assert shot.facts["old_mass"] == shot.facts["mass"]
    assert "old_mass" not in list(shot.facts)


def test_what_is_gone_says_what_to_write_instead(load):
    text = said(
        load, "stage: fake.grid, caption: '{best}', inputs: {size: 1}, expect: {best: '> 1'}"
    )
    assert [line.partition(": ")[2] for line in text.splitlines()] == [
        "shots[0].caption: there is no fact {best} any more: write mass",
        "shots[0].inputs.size: there is no input 'size' any more: write d_head",
        "shots[0].expect.best: there is no fact 'best' any more: write mass",
    ]


def test_a_stage_that_is_told_elsewhere_names_the_one_that_tells_it(load):
    assert "no stage 'fake.net'; did you mean fake.narrow? (" in said(load, "stage: fake.net")


def test_other_names_are_unknown_as_ever(load):
    text = said(load, "stage: fake.narrow, caption: '{old_mass}'")
    assert "there is no fact {old_mass} (facts: gap, inputs.d_head, inputs.k, k)" in text


def test_a_file_with_an_unknown_table_is_refused(tmp_path):
    file = tmp_path / "names.toml"
    file.write_text('["a.b".fact]\nx = "y"\n')
    with pytest.raises(TypeError, match="fact"):
        History.read(file)


# The list that ships


def test_every_stage_of_the_list_is_there_and_every_other_one_is_gone():
    known = set(stage_names())
    assert set(history().names) <= known
    assert set(history().stages.values()) <= known
    assert not set(history().stages) & known
    for gone, here in history().stages.items():
        assert older_names.suggestion(UnknownStage(gone)) == here


@pytest.mark.parametrize("name", history().names)
def test_earlier_names_lead_to_facts_and_hide_none(name):
    stage, older = find_stage(name), history().names[name]
    inputs = stage.Inputs()
    facts = stage.facts_of(inputs, stage.compute(inputs))
    paths = set(facts) | set(facts.about)
    assert [path for path in older.facts.values() if path not in facts] == []
    assert not set(older.facts) & paths
    assert not set(older.gone) & (paths | set(stage.Inputs.model_fields))
    storyboards = StoryboardFacts(facts, older)
    assert dict(storyboards) == dict(facts)
    for old, path in older.facts.items():
        assert storyboards.get(old) == facts.get(path)
        assert storyboards.unit(old) == storyboards.unit(path)
