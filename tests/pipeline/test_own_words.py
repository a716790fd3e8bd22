"""Words of a storyboard in place of a stage's: sentences and questions of beats."""

import json
from pathlib import Path

import av
import pytest
import webvtt
import yaml
from lxml import html

from clockhead.look import Wish
from clockhead.scenes.stage import find_stage
from clockhead.scenes.stage.beats import beats_of
from clockhead.storyboard.films import Film, load_films
from clockhead.storyboard.problems import StoryboardError
from tests.pipeline.project import Project
from tests.pipeline.saying import assert_said

HEAD = "version: 1\ntitle: T\nshots:\n- stage: previous_token.sub_diagonal\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def film(text: str, **options) -> Film:
    Path("f.yaml").write_text(text)
    [found] = load_films(["f.yaml"], **options)
    return found


def wrong(text: str) -> list[str]:
    with pytest.raises(StoryboardError) as refused:
        film(text)
    return [str(problem) for problem in refused.value.problems]


OWN = """\
  question: "Where do {row.head.n_tokens} tokens look?"
  beats:
    rows: "With $alpha = {row.head.alpha}$, at least {row.head.worst_weight:.1%-} go there."
  asks:
    diagonal: Where would a token see itself?
"""


def test_own_words_stand_in_their_places_with_the_facts_in_them():
    own, usual = film(HEAD + OWN).shots[0], film(HEAD).shots[0]
    assert own.shot.question == "Where do 8 tokens look?"
    assert own.shot.lines[1] == ("", "With $alpha = 10$, at least 99.7% go there.")
    [said] = {text for _, text in usual.shot.lines[2:3]}
    assert own.shot.lines[2] == ("Where would a token see itself?", said)
    others = [n for n in range(len(own.shot.lines)) if n not in (1, 2)]
    assert [own.shot.lines[n] for n in others] == [usual.shot.lines[n] for n in others]
    assert own.fact_names[:3] == ("row.head.n_tokens", "row.head.alpha", "row.head.worst_weight")


def test_an_own_sentence_is_said_whatever_the_values_are():
    """The stage has two sentences for this beat, one for a line and one for none."""
    flat = ["previous_token.sub_diagonal", "base=1"]
    beats = "  beats: {rows: Row by row.}\n"
    for settings in ([], [flat[1]]):
        assert film(HEAD + beats, settings=settings).shots[0].shot.lines[1][1] == "Row by row."


def test_say_counts_own_sentences_too():
    shot = film(HEAD + OWN + "  say: {2: two, 3: three, 4: four}\n").shots[0]
    assert shot.script[2:5] == ("two", "three", "four")
    assert len(shot.script) == len(shot.shot.sentences) + 2


def test_all_mistakes_in_own_words_are_found_at_once_where_they_are():
    text = HEAD + (
        "  question: Who is {nobody}?\n"
        "  beats:\n"
        "    dagonal: On it.\n"
        '    rows: "At least {row.head.worst_wieght:.1%-}."\n'
        "    row: The weight $alpha\n"
        "    first: At itself.\n"
        "    below: わ\n"
        "  asks:\n"
        "    below: '  '\n"
        "    diagonal: Is it $alhpa$?\n"
    )
    assert_said(
        [
            "5:13: shots[0].question: there is no fact {nobody}…",
            "7:5: shots[0].beats.dagonal: there is no beat 'dagonal'; did you mean diagonal?…",
            "8:11: shots[0].beats.rows: …did you mean {row.head.worst_weight}?…",
            "9:10: shots[0].beats.row: a $ is opened and not closed…",
            "10:5: shots[0].beats.first: this beat says the caption: give it as `caption`…",
            "11:12: shots[0].beats.below: …わ…",
            "13:12: shots[0].asks.below: nothing but blanks…",
            "14:15: shots[0].asks.diagonal: the formula…alhpa…",
        ],
        wrong(text),
    )


def test_a_sentence_is_bounded_before_and_after_its_facts_are_in():
    assert_said(
        ["5:17: shots[0].beats.rows: 301 characters here; …"],
        wrong(HEAD + f"  beats: {{rows: {'x' * 301}}}\n"),
    )
    text = f"{HEAD}  beats: {{rows: '{'x' * 280}{{inputs.text}}'}}\n"
    assert_said(
        ["5:17: shots[0].beats.rows: 310 characters once the facts are in; at most 300 fit"],
        wrong(text),
    )


def test_a_beat_that_is_left_out_keeps_its_words_for_other_inputs():
    """Its facts may be missing then; names of facts that there never are count as mistakes."""
    stage = find_stage("caesar.message")
    values = stage.compute(stage.Inputs())
    name = next(spec.key for spec in beats_of(stage) if not spec.told(values))
    head = "version: 1\ntitle: T\nshots:\n- stage: caesar.message\n"
    assert film(f"{head}  beats: {{{name}: Not now.}}\n").shots[0].shot == film(head).shots[0].shot
    [problem] = wrong(f'{head}  beats: {{{name}: "{{no_such_fact}}"}}\n')
    assert "there is no fact {no_such_fact}" in problem


def test_in_another_language_own_words_stay_and_nothing_is_missed_of_what_they_replace():
    german = film(HEAD + OWN, wish=Wish(language="de")).shots[0]
    assert german.shot.lines[1][1] == "With $alpha = 10$, at least 99,7\u00a0% go there."
    assert german.shot.lines[0][1] != film(HEAD).shots[0].shot.lines[0][1]
    assert german.warnings == ()


def test_stages_lists_the_names_of_beats_and_what_they_say(run):
    listed = run("stages", "previous_token.sub_diagonal")[1].splitlines()
    beats = listed[listed.index("  beats, for these inputs:") + 1 : listed.index("  inputs:")]
    names = [line.partition(":")[0].strip() for line in beats]
    assert names == ["row", "rows", "diagonal", "below", "first asks", "first"]
    stage = find_stage("previous_token.sub_diagonal")
    said = stage.sentences(stage.Inputs(), stage.compute(stage.Inputs()))
    assert [line.partition(": ")[2] for line in beats[:-1]] == list(said)
    as_json = json.loads(run("stages", "previous_token.sub_diagonal", "--json")[1])
    assert [beat["name"] for beat in as_json["beats"]] == [*names[:4], "first"]


SENTENCE = "Now it moves, and this sentence is so long that it needs some seconds to be read."


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A film of a stage with a beat that says nothing and one that asks, as it is and reworded."""
    project = Project.make(tmp_path_factory.mktemp("own"))
    project.write("usual", "stage: tiny.moving", "stage: tiny.asking")
    project.write(
        "own",
        f"stage: tiny.moving\nbeats: {{move: '{SENTENCE}'}}",
        "stage: tiny.asking\nquestion: And now?\nbeats: {move: 'Just {moves} of $n$.'}\n"
        "asks: {move: 'How often?', appear: 'Who comes?'}",
    )
    done = project.run("render", "usual", "own", "-ql")
    assert done.returncode == 0, done.stderr
    return project


@pytest.mark.slow
class TestRendered:
    """A film of a stage with a beat that says nothing and one that asks."""

    def test_subtitles_chapters_and_transcript_follow(self, project: Project):
        folder = project.folder("own")
        said = [cue.text.replace("\n", " ") for cue in webvtt.read(folder / "own.vtt")]
        assert said == [
            *("Here comes n.", SENTENCE, "It moved 2 times."),
            *(
                "Who comes?",
                "It comes &amp; goes.",
                "How often?",
                "Just 2 of n.",
                "It moved 2 times.",
            ),
        ]
        transcript = (folder / "own.txt").read_text()
        assert "And now?" in transcript
        assert SENTENCE in transcript

    def test_a_longer_sentence_takes_longer(self, project: Project):
        def seconds(name: str) -> float:
            with av.open(str(project.folder(name) / f"{name}.mp4")) as video:
                return video.duration / av.time_base

        assert seconds("own") > seconds("usual") + 4

    def test_the_manifest_renders_the_same_film_again(self, project: Project):
        storyboard = project.manifest("own")["storyboard"]
        (project.root / "storyboards/again.yaml").write_text(yaml.safe_dump(storyboard))
        done = project.run("render", "again", "-ql")
        assert done.returncode == 0, done.stderr
        clips = [
            [shot["key"] for shot in project.manifest(name)["shots"]] for name in ("own", "again")
        ]
        assert clips[0] == clips[1]

    def test_the_same_words_at_another_beat_make_another_clip(self, project: Project):
        shots = [f"stage: tiny.moving\n{kind}: {{move: Go.}}" for kind in ("beats", "asks")]
        keys = []
        for number, shot in enumerate(shots):
            project.write(f"other{number}", shot)
            assert project.run("render", f"other{number}", "-ql").returncode == 0
            keys += [one["key"] for one in project.manifest(f"other{number}")["shots"]]
        assert len(set(keys)) == 2


class TestNotes:
    """What a storyboard tells the speaker."""

    NOTES = """\
  notes:
    row: |
      Wait until all have found "mat": 日本語, *really*.

      {row.head.n_tokens} tokens; $alpha$ is {row.head.alpha}.
    caption: Ask who is bored.
"""

    def test_they_have_lines_and_facts_and_any_letters(self):
        shot = film(HEAD + self.NOTES).shots[0]
        assert shot.notes == {
            "row": 'Wait until all have found "mat": 日本語, *really*.\n\n8 tokens; α is 10.',
            "caption": "Ask who is bored.",
        }
        assert film(HEAD + "  notes: Hello.\n").shots[0].notes == {"": "Hello."}

    def test_they_change_no_picture(self):
        assert film(HEAD + self.NOTES).shots[0].shot == film(HEAD).shots[0].shot

    def test_mistakes_in_notes_are_found_at_once_where_they_are(self):
        text = HEAD + (
            "  notes:\n    rwo: X\n    row: 'It costs $5 and {nothing}'\n    below: '{nobody}'\n"
        )
        assert_said(
            [
                "6:5: shots[0].notes.rwo: there is no beat 'rwo'; did you mean row?…",
                "7:10: shots[0].notes.row: a $ is opened and not closed…",
                "7:10: shots[0].notes.row: there is no fact {nothing}…",
                "8:12: shots[0].notes.below: there is no fact {nobody}…",
            ],
            wrong(text),
        )

    @pytest.mark.parametrize(
        ("notes", "said"),
        [
            ("5", "the number 5 here; notes are a text, or a text for each beat"),
            ("{row: ' '}", "notes of row: the text ' ' here; notes are a text…"),
            ("x" * 2001, "2,001 characters here; at most 2,000 fit"),
            (f"{{row: {'x' * 2001}}}", "notes of row: 2,001 characters here; at most 2,000 fit"),
            ("[a]", "a list of 1 thing here; notes are a text…"),
            (
                "{" + ", ".join(f"a{n}: x" for n in range(65)) + "}",
                "65 beats here; at most 64 have notes",
            ),
        ],
    )
    def test_they_are_bounded(self, notes: str, said: str):
        assert_said([f"5:10: shots[0].notes: {said}"], wrong(f"{HEAD}  notes: {notes}\n"))

    @pytest.mark.slow
    def test_slides_show_them_to_the_speaker(self, project: Project):
        pptx = pytest.importorskip("pptx")
        shots = [
            "stage: tiny.moving\nnotes: |\n  One.\n\n  Two < {moves}.",
            "stage: tiny.asking\nnotes: {move: Before they guess., caption: At the end.}",
            "stage: tiny.told",
        ]
        project.write("noted", *shots)
        done = project.run("export", "noted", "-ql", "--to", "reveal,pptx", "-o", "noted")
        assert done.returncode == 0, done.stderr
        reveal, slides = (project.root / line for line in done.stdout.split())
        in_pptx = [
            slide.notes_slide.notes_text_frame.text.split("\n\n")
            for slide in list(pptx.Presentation(str(slides)).slides)[1:]
        ]
        page = html.fromstring(reveal.read_text())
        in_reveal = [
            [one.text_content() for one in aside]
            for aside in page.xpath("//section[@class='clockhead']/aside")
        ]
        assert len(in_pptx) == len(in_reveal) == 9
        assert in_pptx[0] == ["One.", "Two < 2.", "Here comes n."]
        assert in_reveal[0] == ["One.", "Two < 2.", "", "Here comes n."]
        [asks] = [n for n, notes in enumerate(in_pptx) if notes[0] == "Before they guess."]
        assert in_pptx[asks][1] == "How often will it move?"
        assert in_reveal[asks][:1] == ["Before they guess."]
        assert in_pptx[asks + 2][0] == in_reveal[asks + 2][0] == "At the end."
        others = {*range(9)} - {0, asks, asks + 2}
        own = ("One", "Two", "Before", "At the")
        assert not [n for n in others if in_pptx[n][0].startswith(own)]
        whole = project.run(
            *("export", "noted", "-ql", "--to", "pptx", "--per", "shot", "-o", "whole")
        )
        deck = pptx.Presentation(str(project.root / whole.stdout.strip()))
        assert deck.slides[2].notes_slide.notes_text_frame.text.startswith(
            "Before they guess.\nAt the end.\n\nIt comes & goes."
        )
