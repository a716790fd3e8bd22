"""The studio's editor: values and shots are written into a text, and words are completed in it."""

import pytest
import yaml

from clockhead.storyboard.rewrite import RewriteError, add_shot, set_handle, set_value
from tests.pipeline.studio import SQUARES as FILM

pytest.importorskip("sse_starlette", reason="the studio is an extra")

from clockhead.studio.completion import complete
from clockhead.studio.messages import (
    HelpEntry,
    InputControl,
    ShotReport,
    StageHelp,
    StoryboardReport,
)


class TestRewriting:
    """A value is changed where it is written, and comments stay."""

    def test_a_value_in_a_block(self):
        text = set_value(FILM, ("shots", 1, "inputs", "moves"), 5)
        assert text == FILM.replace("moves: 3 ", "moves: 5 ")

    def test_a_value_in_braces(self):
        text = set_value(FILM, ("shots", 0, "inputs", "moves"), 7)
        assert text == FILM.replace("{moves: 2}", "{moves: 7}")

    def test_a_value_that_is_not_there_yet(self):
        first = set_value(FILM, ("shots", 0, "inputs", "most"), 4)
        assert first == FILM.replace("{moves: 2}", "{moves: 2, most: 4}")
        second = set_value(FILM, ("shots", 1, "inputs", "most"), 4)
        assert second == FILM.replace("# three of them\n", "# three of them\n      most: 4\n")

    def test_inputs_that_are_not_there_yet(self):
        text = "shots:\n  - stage: a.b  # why\n    hold: 1\n  - {stage: c.d}"
        block = set_value(text, ("shots", 0, "inputs", "m"), 0.5)
        assert block == text.replace("# why\n", "# why\n    inputs: {m: 0.5}\n")
        braces = set_value(text, ("shots", 1, "inputs", "m"), True)
        assert braces == text.replace("c.d", "c.d, inputs: {m: true}")
        last = set_value("shots:\n  - stage: a.b", ("shots", 0, "inputs", "m"), 1)
        assert last == "shots:\n  - stage: a.b\n    inputs: {m: 1}"

    @pytest.mark.parametrize(
        ("before", "value", "after"),
        [
            ("a:\n  - 1 # one\n  - [2, 3]\n# end\nb: 1\n", [4, 5], "a: [4, 5]\n# end\nb: 1\n"),
            ("a: 'it''s'  # said\n", "that's", "a: 'that''s'  # said\n"),
            ('a: "x" # y\n', "no: more", 'a: "no: more" # y\n'),
            ("a: plain\n", "true", 'a: "true"\n'),
            ("a: |\n  long\n  text\nb: 2\n", "short", "a: short\nb: 2\n"),
            ("a:  # nothing yet\nb: 2\n", 3, "a: 3  # nothing yet\nb: 2\n"),
            ("a: []\n", None, "a: null\n"),
        ],
    )
    def test_a_value_of_every_kind_is_written(self, before, value, after):
        assert set_value(before, ("a",), value) == after
        assert yaml.safe_load(after)["a"] == value

    def test_a_text_that_is_not_yaml_is_not_changed(self):
        with pytest.raises(RewriteError, match="correct the storyboard first: line 1"):
            set_value("a: [1, 2", ("a",), 3)
        with pytest.raises(RewriteError, match="there is no"):
            set_value("shots: []\n", ("shots", 3, "inputs"), 3)


class TestAddingShots:
    """A shot more is written into the list of shots, and nothing else changes."""

    @pytest.mark.parametrize(
        ("before", "after", "wanted"),
        [
            (FILM, None, f"{FILM}  - stage: a.new\n"),
            (FILM, 0, FILM.replace("{moves: 2}\n", "{moves: 2}\n  - stage: a.new\n")),
            ("shots:  # none\ntitle: x\n", None, "shots:\n  - stage: a.new  # none\ntitle: x\n"),
            ("shots: []\ntitle: x\n", None, "shots:\n  - stage: a.new\ntitle: x\n"),
            ("title: x\n", None, "title: x\nshots:\n  - stage: a.new\n"),
            ("shots: [{stage: b}]\n", 0, "shots: [{stage: b}, {stage: a.new}]\n"),
            ("shots:\n- stage: b\n- {}", 0, "shots:\n- stage: b\n- stage: a.new\n- {}"),
        ],
    )
    def test_a_shot_is_added_at_its_place(self, before, after, wanted):
        assert add_shot(before, "a.new", after) == wanted

    def test_a_second_shot_of_a_stage_gets_an_id(self):
        text = add_shot("shots:\n  - stage: a.b\n  - {stage: c.d, id: b_2}\n", "a.b")
        assert yaml.safe_load(text)["shots"][-1] == {"stage": "a.b", "id": "b_3"}

    @pytest.mark.parametrize("text", ["a: [", "shots: 3\n", "- 1\n", ""])
    def test_a_text_that_is_no_storyboard_is_not_changed(self, text):
        with pytest.raises(RewriteError):
            add_shot(text, "a.b")


class TestHandles:
    """Handles are written into a shot, and what its stage turns by itself is written only then."""

    OWN = {"alpha": "1:20"}
    FIRST = FILM.replace("# the first\n", "# the first\n    handles: {%s}\n")

    @pytest.mark.parametrize(
        ("own", "name", "stops", "written"),
        [
            ({}, "moves", "0:9", 'moves: "0:9"'),
            ({}, "moves", [0, 5], "moves: [0, 5]"),
            (OWN, "moves", "1,2", 'alpha: "1:20", moves: "1,2"'),
            (OWN, "alpha", None, ""),
        ],
    )
    def test_the_first_change_writes_all_handles_of_the_shot(self, own, name, stops, written):
        text = set_handle(FILM, 0, name, stops, own)
        assert text == self.FIRST % written
        back = set_handle(text, 0, name, None if stops else own[name], own)
        assert back == FILM, "with the stage's own handles again, there is nothing to say"

    def test_what_needs_no_change_stays(self):
        assert set_handle(FILM, 0, "alpha", "1:5", self.OWN) == FILM
        assert set_handle(FILM, 0, "moves", None, self.OWN) == FILM
        text = self.FIRST % "moves: [0, 5]  "
        assert set_handle(text, 0, "most", None, {}) == text

    @pytest.mark.parametrize(
        ("before", "name", "stops", "after"),
        [
            ("{a: 1, b: [2, 3]}  # why", "c", "1:3", '{a: 1, b: [2, 3], c: "1:3"}  # why'),
            ("{a: 1, b: [2, 3]}  # why", "b", None, "{a: 1}  # why"),
            ("{a: 1, b: [2, 3]}  # why", "a", None, "{b: [2, 3]}  # why"),
            ("\n      a: 1  # one\n      b: 2", "a", None, "\n      b: 2"),
            ("\n      a: 1  # one\n      b:\n      - 2", "b", None, "\n      a: 1  # one"),
            (
                "\n      a: 1  # one\n      b: 2",
                "c",
                3,
                "\n      a: 1  # one\n      b: 2\n      c: 3",
            ),
            ("{}", "a", 1, "{a: 1}"),
            ("~", "a", 1, "{own: 1, a: 1}"),
        ],
    )
    def test_the_others_stay_as_they_are_written(self, before, name, stops, after):
        text = f"shots:\n  - stage: x\n    handles: {before}\n    hold: 1\n"
        changed = set_handle(text, 0, name, stops, {"own": 1})
        assert changed == f"shots:\n  - stage: x\n    handles: {after}\n    hold: 1\n"

    def test_the_last_one_is_taken_away(self):
        text = "shots:\n  - handles: {a: 1}\n    stage: x\n"
        assert set_handle(text, 0, "a", None, {}) == "shots:\n  - stage: x\n"
        none = set_handle(text, 0, "a", None, self.OWN)
        assert none == "shots:\n  - handles: {}\n    stage: x\n"

    @pytest.mark.parametrize("text", ["a: [", "shots: 3\n", "- 1\n", "", "shots: [{stage: x}]\n"])
    def test_a_text_without_that_shot_is_not_changed(self, text):
        with pytest.raises(RewriteError):
            set_handle(text, 1, "a", 1, {})


WORDS = (
    StageHelp("previous_token.riddle", "who came before?", (HelpEntry("alpha", "how strong"),)),
    StageHelp("rope.matrix", "clock hands", (HelpEntry("m", "position"),)),
    StageHelp(
        "rope.turn", "one hand", (HelpEntry("theta", "speed"),), (HelpEntry("rise", "It rises."),)
    ),
)


def latest_report() -> StoryboardReport:
    """The latest report of a film of two shots."""
    control = InputControl(
        *("scale", "how it is shown", "", "choice", "log", "log", (), ""),
        choices=("log", "linear"),
        offered="1:20",
    )
    facts = (HelpEntry("row.head.alpha", "how strong"), HelpEntry("row.worst", "the least"))
    one = ShotReport(0, "one", "rope.matrix", 5, "", "", (control,), None, ())
    two = ShotReport(1, "two", "previous_token.riddle", 8, "", "", (), None, facts)
    return StoryboardReport(1, (), shots=(one, two))


class TestCompletion:
    """Completions at | in a text."""

    @pytest.mark.parametrize(
        ("text", "first", "typed"),
        [
            ("ti|", "title", "ti"),
            ("theme: pa|", "paper", "pa"),
            ("version: 1\nasp|\nshots: []", "aspect", "asp"),
            ("shots:\n  - stage: prev|", "previous_token.riddle", "prev"),
            ("shots:\n  - stage: matr|", "rope.matrix", "matr"),
            ("shots:\n  - stage: rope.matirx|", "rope.matrix", "rope.matirx"),
            ("shots:\n- {stage: ro|", "rope.matrix", "ro"),
            ("shots: [{stage: x}, {id: two, cap|", "caption", "cap"),
            ("shots:\n  - stage: rope.matrix\n    ho|", "hold", "ho"),
            ("shots:\n  - stage: rope.matrix\n    inputs:\n      sc|", "scale", "sc"),
            ("shots:\n  - stage: rope.matrix\n    inputs: {sc|", "scale", "sc"),
            ("shots:\n  - stage: rope.matrix\n    inputs: {scale: li|}", "linear", "li"),
            ("inputs:\n  sc|", "scale", "sc"),
            ("shots:\n  - stage: rope.matrix\n    handles:\n      sc|", "scale", "sc"),
            ("shots:\n  - stage: rope.matrix\n    handles: {|", "scale", ""),
            ("shots:\n  - stage: rope.matrix\n    handles: {scale: |", '"1:20"', ""),
            ("shots: [{}, {stage: rope.turn, handles: {th|", "theta", "th"),
            ("shots:\n  - a: 1\n  - b: 2\n  - stage: rope.turn\n    inputs: {th|", "theta", "th"),
            (
                'shots:\n  - stage: previous_token.riddle\n    caption: "With {row.w|',
                "row.worst",
                "row.w",
            ),
            ("shots:\n  - a: 1\n  - caption: With {worst|", "row.worst", "worst"),
            ('shots: [{}, {caption: "With {row.|', "row.head.alpha", "row."),
            ("shots:\n  - a: 1\n  - caption: |\n      With\n      {row.w|", "row.worst", "row.w"),
            ('shots:\n  - a: 1\n  - say: {1: "{row.w|', "row.worst", "row.w"),
            ("shots:\n  - a: 1\n  - expect: {row.w|", "row.worst", "row.w"),
            ("shots:\n  - a: 1\n  - expect:\n      row.head.a|", "row.head.alpha", "row.head.a"),
            ("shots: [{}, {stage: rope.turn, inputs: {th|", "theta", "th"),
            ("shots:\n  - stage: rope.turn\n    beats:\n      ri|", "rise", "ri"),
            ("shots:\n  - stage: rope.turn\n    asks: {ri|", "rise", "ri"),
            ("shots: [{}, {beats: {x: 'With {row.|", "row.head.alpha", "row."),
            ("shots:\n  - stage: rope.turn\n    quiz: {ri|", "rise", "ri"),
            ("shots:\n  - stage: rope.turn\n    quiz: {rise: {an|", "answers", "an"),
            ('shots: [{}, {quiz: {rise: {answers: ["{row.w|', "row.worst", "row.w"),
        ],
    )
    def test_the_first_choice_of_each_place(self, text, first, typed):
        # A block text has a bar too; the place is the last one.
        at = text.rindex("|")
        found = complete(text[:at] + text[at + 1 :], at, latest_report(), WORDS)
        assert found is not None
        assert (found.choices[0].name, found.typed) == (first, typed)

    @pytest.mark.parametrize(
        "text",
        [
            "title: ti|",
            "# ti|",
            "shots:\n  - stage: rope.matrix|",
            "shots:\n  - stage: rope.matrix  # ro|",
            'shots:\n  - caption: "With row.w|',
            "shots:\n  - title:|",
            "shots:\n  - caption: |\n      ti|",
            "zzzzqqq|",
        ],
    )
    def test_places_without_choices(self, text):
        at = text.rindex("|")
        assert complete(text[:at] + text[at + 1 :], at, latest_report(), WORDS) is None

    def test_completion_never_fails(self):
        for text in (FILM, "{[\"'|:\n- - {a: [", "\t\n  -\n -", "a: |\n\n b"):
            for at in range(len(text) + 1):
                complete(text, at, latest_report(), WORDS)
