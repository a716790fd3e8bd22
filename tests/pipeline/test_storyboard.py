"""The storyboard language: what its models accept, and what they say of the rest."""

import json

import pytest
from pydantic import BaseModel, Field, ValidationError

from clockhead.storyboard.expect import parse_expectation
from clockhead.storyboard.models import MAX_CAPTION, MAX_SHOTS, MAX_TITLE, Storyboard, read_draft
from clockhead.storyboard.problems import nearest_name, show, unknown_name
from clockhead.storyboard.validation import describe, explain_error
from clockhead.storyboard.yaml_reader import parse_yaml
from tests.pipeline.fake_stages import Grid, Narrow
from tests.pipeline.saying import assert_said

HEAD = "version: 1\ntitle: T\n"
WORDS = (
    "words separated by single spaces, one token each; any letters, digits and signs except "
    "$ # { } and \\"
)


def said(text):
    """Every problem with a storyboard, in order."""
    _, problems = read_draft(parse_yaml(text, "f.yaml"))
    return [str(problem) for problem in sorted(problems)]


def of_shot(line):
    return said(f"{HEAD}shots:\n- stage: a.b\n  {line}\n")


def test_a_whole_storyboard_is_read():
    text = (
        HEAD
        + "credit: >\n  After\n  someone\ninputs: {text: the cat, d_head: 32}\nshots:\n"
        + "- {stage: a.b, inputs: {m: 5}, caption: 'So {x}', expect: {x: '>= 1'}, hold: 2}\n"
        + "- {stage: a.c, id: again, title: ' Two\n  lines '}\n"
    )
    draft, problems = read_draft(parse_yaml(text, "f.yaml"))
    assert problems == []
    assert (draft.title, draft.credit) == ("T", "After someone")
    assert draft.inputs == {"text": "the cat", "d_head": 32}
    assert [(index, spec.stage, spec.id) for index, spec in draft.shots] == [
        (0, "a.b", ""),
        (1, "a.c", "again"),
    ]
    assert draft.shots[1][1].title == "Two lines"
    assert draft.shots[0][1].hold == 2
    assert draft.complete


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [" this file is empty; a storyboard starts with `version: 1`, a title and shots"]),
        ("- a", ["1:1: this is a list of 1 thing; a storyboard starts with `version: 1`…"]),
        ("title: T", ["1:1: shots: shots is missing", "1:1: version: version is missing"]),
        ("version: 2\ntitle: T\nshots: []", ["1:10: version: this needs a newer Clockhead…"]),
        (
            "version: 0\ntitle: T\nshots: []",
            ["1:10: version: version must be 1, not the number 0", "3:8: shots: an empty list…"],
        ),
        (
            HEAD + "shot:\n- stage: a.b",
            [
                "1:1: shots: shots is missing",
                "3:1: shot: there is no key 'shot'; did you mean shots? (keys: version, title, …)",
            ],
        ),
        (
            HEAD + "shots:\n- 5\n- id: x",
            ["4:3: shots[0]: shots[0] must be a map of keys…", "5:3: shots[1].stage: …missing"],
        ),
        (
            f"version: 1\ntitle: {'x' * 81}\ncredit: 5\ninputs: [1]\nshots: [{{stage: 7}}]",
            [
                "2:8: title: 81 characters here; title must be text of 1 to 80 characters",
                '3:9: credit: credit must be text of…, not the number 5: write credit: "5"',
                "4:9: inputs: inputs must be a map of keys, not a list of 1 thing",
                "5:17: shots[0].stage: stage must be text of…, not the number 7",
            ],
        ),
        (HEAD + "shots: [*a]", ["3:9: shots[0]: aliases are refused: write the value out…"]),
    ],
)
def test_films_that_are_refused(text, lines):
    assert_said(lines, said(text))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("capton: x", "5:3: …capton: there is no key 'capton'; did you mean caption? (keys: …)"),
        ("id: ../../x", "5:7: …id: '../../x' will not do as the name of a file: …"),
        ("id: Grid", "5:7: …id: 'Grid' will not do as the name of a file: …"),
        ("title: 2024", '5:10: …title: …, not the number 2024: write title: "2024"'),
        ("caption:", "5:11: …caption: nothing is given; caption is left out, or text of…"),
        ("caption: ''", "5:12: …caption: no text here; caption must be text of 1 to 300…"),
        ("caption: '  '", "5:12: …caption: nothing but blanks; leave the key out, or write a text"),
        (f"caption: {'x' * 301}", "5:12: …caption: 301 characters here; …of 1 to 300 characters"),
        ("caption: {m}", '5:12: …caption: …not a map of keys: write caption: "{m}"'),
        ("hold: 61", "5:9: …hold: 61 is too large; hold must be a number from 0 to 60"),
        ("hold: -1", "5:9: …hold: -1 is too small; hold must be a number from 0 to 60"),
        ("hold: .nan", "5:9: …hold: nan is not finite; hold must be a number from 0 to 60"),
        ("hold: '2'", "5:9: …hold: …, not the text '2': write hold: 2"),
        ("hold: true", "5:9: …hold: hold must be a number from 0 to 60, not true"),
        ("expect: {x: 5}", '5:15: …x: x must be a comparison in quotes…: write x: "== 5"'),
        ("expect: {x: about 5}", "5:15: …x: 'about 5' is no comparison, for it lacks a sign; …"),
        ("expect: {x: '> mat'}", "5:15: …x: 'mat' is no number; > compares numbers"),
        ("expect: {x: == .nan}", "5:15: …x: …, for '.nan' is nothing to compare with; …"),
        ("inputs: 5", "5:11: …inputs: inputs must be a map of keys, not the number 5"),
    ],
)
def test_shots_that_are_refused(line, message):
    assert_said([message], of_shot(line))


def test_the_longest_texts_and_the_most_shots_are_accepted():
    shots = f"- {{stage: a.b, caption: {'x' * MAX_CAPTION}}}\n" * MAX_SHOTS
    assert said(f"version: 1\ntitle: {'x' * MAX_TITLE}\nshots:\n{shots}") == []


def test_one_shot_too_many_is_refused_once():
    lines = said(f"{HEAD}shots:\n" + "- stage: a.b\n" * (MAX_SHOTS + 1))
    assert_said(["4:1: shots: 65 things here; shots must be a list of 1 to 64 things…"], lines)


def test_one_problem_does_not_hide_others():
    draft, problems = read_draft(
        parse_yaml(f"{HEAD}shots:\n- stage: a.b\n  hold: x\n  inputs: {{m: 5}}\n- id: y\n", "f")
    )
    assert len(problems) == 2
    assert [(index, spec.inputs) for index, spec in draft.shots] == [(0, {"m": 5})]
    assert not draft.complete


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"d_head": 31}, "31 is odd; d_head must be an even number from 2 to 256"),
        ({"d_head": 0}, "0 is too small; d_head must be an even number from 2 to 256"),
        ({"d_head": 10**40}, "100000000000000000000000000000000000000… is too large; "
                             "d_head must be an even number from 2 to 256"),
        ({"d_head": "32"}, "d_head must be an even number from 2 to 256, "
                           "not the text '32'"),
        ({"d_head": "wide"}, "d_head must be an even number from 2 to 256, not the text 'wide'"),
        ({"d_head": 32.0}, "d_head must be an even number from 2 to 256, "
                           "not the number 32.0"),
        ({"d_head": 32.5}, "d_head must be an even number from 2 to 256, not the number 32.5"),
        ({"d_head": True}, "d_head must be an even number from 2 to 256, not true"),
        ({"d_head": None}, "nothing is given; d_head is left out, or an even number from 2 to 256"),
        ({"d_head": [32]}, "d_head must be an even number from 2 to 256, not a list of 1 thing"),
        ({"alpha": 0}, "0 is too small; alpha must be a number above 0 and up to 10,000"),
        ({"alpha": 1e5}, "100000.0 is too large; alpha must be a number above 0 and up to 10,000"),
        ({"alpha": float("nan")}, "nan is not finite; "
                                  "alpha must be a number above 0 and up to 10,000"),
        ({"alpha": float("inf")}, "inf is not finite; "
                                  "alpha must be a number above 0 and up to 10,000"),
        ({"text": ""}, f"no text here; text must be {WORDS}"),
        ({"text": "a" * 161}, f"161 characters here; text must be {WORDS}"),
        ({"text": "5$ cät#"}, f"'$', '#' cannot stand in '5$ cät#'; text must be {WORDS}"),
        ({"text": "the  cat"}, f"'the  cat' has two spaces in a row; text must be {WORDS}"),
        ({"text": "the cat "}, f"'the cat ' begins or ends with a space; text must be {WORDS}"),
        ({"text": 5}, f"text must be {WORDS}, not the number 5"),
        ({"mode": "sotf"}, "mode must be one of soft, hard, not 'sotf'"),
        ({"mode": 1}, "mode must be one of soft, hard, not the number 1"),
        ({"pair": [1, "2"]}, "pair[1] must be a whole number, "
                             "not the text '2'"),
        ({"pair": 1}, "pair must be a list of 2 things, each a whole number, not the number 1"),
        ({"pair": [1]}, "pair[1] is missing"),
        ({"pair": [1, 2, 3]}, "3 things here; "
                              "pair must be a list of 2 things, each a whole number"),
        ({"bold": "yes"}, "bold must be true or false, not the text 'yes'"),
        ({"bold": 1}, "bold must be true or false, not the number 1"),
    ],
)  # fmt: skip
def test_inputs_that_are_refused(given, message):
    assert explained(Grid.Inputs, given) == [message]


def explained(model, given):
    with pytest.raises(ValidationError) as error:
        model.model_validate_json(json.dumps(given), strict=True)
    return [explain_error(item, model.model_json_schema()) for item in error.value.errors()]


@pytest.mark.parametrize("model", [Grid.Inputs, Narrow.Inputs, Storyboard])
def test_no_sentence_is_pydantics_own(model):
    for value in ["x", 5, -1, 1.5, None, True, [], {}, [[]], "x" * 999, 10**30]:
        for name in model.model_fields:
            try:
                model.model_validate({name: value}, strict=True)
            except ValidationError as error:
                for item in error.errors():
                    line = explain_error(item, model.model_json_schema())
                    assert "valid" not in line
                    assert "nput should" not in line
                    assert "http" not in line


class Shapes(BaseModel):
    steps: list[int] = Field(min_length=1, max_length=3)
    names: list[str]
    mixed: tuple[int, str]
    maybe: int | None
    third: int = Field(multiple_of=3, ge=0)
    word: str = Field(min_length=4, max_length=4)
    least: float = Field(gt=-1)
    most: float = Field(lt=0.5)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("steps", "a list of 1 to 3 things, each a whole number"),
        ("names", "a list, each text"),
        ("mixed", "a list of a whole number and text"),
        ("maybe", "a whole number, or left out"),
        ("third", "a whole number of at least 0"),
        ("word", "text of 4 characters"),
        ("least", "a number above -1"),
        ("most", "a number below 0.5"),
    ],
)
def test_bounds_are_described(name, text):
    assert describe(Shapes.model_json_schema()["properties"][name]) == text


@pytest.mark.parametrize(
    ("text", "fact", "holds"),
    [
        (">= 0.99", 0.99, True),
        (">= 0.99", 0.9899, False),
        (">0.5", 1, True),
        ("< 1", 1, False),
        ("<= 1e-3", 0.001, True),
        ("== 5", 5, True),
        ("== 5", 5.0 + 1e-12, True),
        ("== 5", 5.001, False),
        ("!= 5", 5.0, False),
        ("!= 5", 6, True),
        ("== mat", "mat", True),
        ("== the mat", "the mat", True),
        ("!= mat", "cat", True),
        ("== true", True, True),
        ("!= true", True, False),
        ("> 0", float("nan"), False),
        ("!= 0", float("nan"), False),
        ("< .inf", 1e300, True),
    ],
)
def test_expectations(text, fact, holds):
    assert parse_expectation(text).holds(fact, {}) is holds


@pytest.mark.parametrize(
    ("text", "fact"),
    [("== 5", "five"), ("== five", 5), ("== 1", True), ("> 0", "x"), ("> 0", True)],
)
def test_incomparable_values_are_refused(text, fact):
    with pytest.raises(ValueError, match="cannot be compared"):
        parse_expectation(text).holds(fact, {})


@pytest.mark.parametrize(
    ("line", "at", "offer"),
    [
        ("hold: 1,5", "f.yaml:5:9: shots[0].hold", "hold: 1.5"),
        ("hold: 0,125", "f.yaml:5:9: shots[0].hold", "hold: 0.125"),
        ('expect: {mass: ">= 0,99"}', "f.yaml:5:18: shots[0].expect.mass", 'mass: ">= 0.99"'),
        ('expect: {mass: ">= 99,5 %"}', "f.yaml:5:18: shots[0].expect.mass", 'mass: ">= 0.995"'),
        ("inputs: {alpha: 12,5, n: 3}", "f.yaml:5:19: shots[0].inputs.alpha", "alpha: 12.5"),
        ("inputs: {n: 3, alpha: 0,25}", "f.yaml:5:25: shots[0].inputs.alpha", "alpha: 0.25"),
    ],
)
def test_a_decimal_comma_is_reported_with_the_number(line, at, offer):
    [message] = of_shot(line)
    assert message.startswith(at)
    assert "point" in message
    assert message.endswith(f"write {offer}")
    key = line.partition(":")[0]
    again = offer if key == "hold" else f"{key}: {{{offer}}}"
    assert of_shot(again) == []


@pytest.mark.parametrize("line", ["inputs: {a: [1,2], b: 1}", "inputs: {text: 'a 1,5 b'}"])
def test_other_commas_are_not_decimal_commas(line):
    assert of_shot(line) == []


@pytest.mark.parametrize(
    ("text", "place", "names"),
    [
        ("shots:\n- stage: a.b\n  inputs:\n  n: 3\n  text: a b\n", "shots[0].inputs", "n, text"),
        ("shots:\n- stage: a.b\n  expect:\n  n: '> 3'\n  hold: 1\n", "shots[0].expect", "n"),
        ("inputs:\nn: 3\nshots:\n- stage: a.b\n", "inputs", "n"),
    ],
)
def test_keys_that_are_not_indented_belong_to_the_map_above(text, place, names):
    [message] = said(HEAD + text)
    assert f": {place}: " in message
    assert message.endswith(f"indent {names} further")


def test_an_expectation_may_name_another_fact():
    leads = parse_expectation("> {runner_up}")
    assert leads.holds(2, {"runner_up": 1.5})
    assert not leads.holds(2, {"runner_up": 2})
    assert not leads.holds(2, {"runner_up": float("nan")})
    assert parse_expectation("== {asked.token}").holds("mat", {"asked.token": "mat"})
    with pytest.raises(ValueError, match="cannot be compared"):
        leads.holds(2, {"runner_up": "mat"})


def test_values_are_shown_short_and_harmless():
    assert show("x" * 100) == repr("x" * 39 + "…")
    assert show("\x1b[31m\n") == r"'\x1b[31m\n'"
    assert show("\u202e") == r"'\u202e'"


def test_names_are_suggested():
    assert nearest_name("D_haed", ["text", "d_head"]) == "d_head"
    assert nearest_name("colour", ["text", "d_head"]) is None
    assert nearest_name("prev", ["rope", "previous_token"]) == "previous_token"
    assert nearest_name("ca", ["caesar", "rope"]) is None, "two letters may begin anything"
    assert unknown_name("input", "zzz", []) == "there is no input 'zzz' (inputs: none)"
    assert unknown_name("input", "a1", [f"a{i}x" for i in range(30)]) == (
        "there is no input 'a1'; did you mean a1x?"
    )
