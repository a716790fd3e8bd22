"""A stranger's file fills no terminal and commands none, and what it costs grows as it does."""

import os
import sys
import unicodedata
from pathlib import Path

import pytest

from clockhead.storyboard import formulas as checking
from clockhead.storyboard.films import read_film
from clockhead.storyboard.problems import LONGEST_MESSAGE, MOST_PROBLEMS, Place, Problem, Problems
from clockhead.storyboard.yaml_reader import parse_yaml
from tests.pipeline import fake_stages
from tests.pipeline.test_source import LAUGHS

HEAD = "version: 1\ntitle: T\n"
SHOTS = "shots:\n- stage: fake.grid\n"


@pytest.fixture(autouse=True)
def here(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    fake_stages.install(monkeypatch, tmp_path)
    (tmp_path / "storyboards").mkdir()
    return tmp_path


@pytest.fixture
def run(run):
    """Run a command: exit code, standard output, and the lines of standard error."""

    def command(*args):
        code, out, err = run(*args)
        return code, out, err.splitlines()

    return command


def check(run, text):
    """What `check` says of a file: never much, and nothing but text."""
    Path("storyboards/f.yaml").write_text(text)
    code, out, lines = run("check", "f")
    assert (code, out) == (2, "")
    assert len(lines) <= MOST_PROBLEMS + 1
    for line in lines:
        assert len(line) <= LONGEST_MESSAGE + 200
        assert not any(unicodedata.category(one)[0] == "C" for one in line)
    return [line.removeprefix("storyboards/f.yaml:") for line in lines]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (HEAD + '"K": 1\n' + SHOTS, "3:1: {}: "),
        (HEAD + 'inputs: {"K": 1}\n' + SHOTS, "3:10: inputs.{}: "),
        (HEAD + SHOTS + '  "K": 1\n', "5:3: shots[0].{}: "),
        (HEAD + SHOTS + '  inputs: {"K": 1}\n', "5:12: shots[0].inputs.{}: "),
        (HEAD + SHOTS + '  expect: {"K": ">= 1"}\n', "5:12: shots[0].expect.{}: "),
        (HEAD + SHOTS + '  say: {"K": "so"}\n', "5:9: shots[0].say.{}: "),
        (HEAD + SHOTS + '  id: [{"K": 1}]\n', "5:9: shots[0].id[0].{}: "),
    ],
)
@pytest.mark.parametrize(
    ("key", "shown", "character"),
    [
        ("\\ud800", r"'\ud800'", "U+D800"),
        ("a\\e[31m", r"'a\x1b[31m'", "U+001B"),
        ("a\\u202e", r"'a\u202e'", "U+202E"),
    ],
)
def test_keys_with_hidden_characters_are_refused(run, text, where, key, shown, character):
    message = f"{where.format(shown)}the key holds the hidden character {character}"
    assert message in check(run, text.replace("K", key))


def test_films_are_listed_whatever_is_in_their_keys(run, here):
    (here / "storyboards/a.yaml").write_text(HEAD + SHOTS + '  "\\ud800": 1\n')
    (here / "storyboards/b.yaml").write_text(HEAD + SHOTS)
    code, out, err = run("films")
    assert (code, err) == (0, [])
    assert out.startswith("a  (1 problem: ")
    assert out.splitlines()[1] == "b  T (1 shot, storyboards/b.yaml)"


@pytest.mark.parametrize("shot", ["id: x", "5", "{stage: fake.grid, hold: x}", "{stage: 5}", "{}"])
def test_of_too_many_shots_the_last_may_be_anything(run, shot):
    shots = "".join(f"- {{stage: fake.grid, id: a{n}}}\n" for n in range(66))
    [line] = check(run, f"{HEAD}shots:\n{shots}- {shot}\n")
    assert line.startswith("4:1: shots: 67 things here; ")


def test_of_too_many_shots_the_first_are_looked_at(run):
    shots = "".join(f"- {{stage: fake.grid, id: a{n}}}\n" for n in range(66))
    lines = check(run, f"{HEAD}shots:\n- {{stage: fake.grid, hold: 99}}\n{shots}")
    assert len(lines) == 2
    assert lines[1].startswith("4:28: shots[0].hold: 99 is too large")


def test_newlines_in_keys_are_no_new_lines(run):
    lines = check(run, HEAD + SHOTS + '  "a\\nb": 1\n  expect: {"c\\nerror: x": 5}\n')
    assert lines[0].startswith(r"5:3: shots[0].'a\nb': there is no key 'a\nb'")
    assert all(line[0].isdigit() for line in lines)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("? " + "k" * 100_000 + "\n  : 1", f"there is no key '{'k' * 39}…'"),
        ("inputs: {m: &" + "k" * 100_000 + " 1}", f"leave out &{'k' * 39}…"),
        ("inputs: {m: *" + "k" * 100_000 + " }", f"in place of *{'k' * 39}…"),
        ("inputs: {m: !" + "k" * 100_000 + " 1}", f"leave out '!{'k' * 38}…'"),
        ("expect:\n    ? " + "k" * 100_000 + "\n    : 5", f"'{'k' * 39}…' must be a comparison"),
        ("stage: " + "k" * 100_000, "given twice"),
    ],
)
def test_long_values_are_shortened(run, line, said):
    assert any(said in one for one in check(run, f"{HEAD}{SHOTS}  {line}\n"))


def test_the_name_of_a_voice_is_no_longer_than_a_name(run):
    [line] = check(run, f"{HEAD}voice: {'k' * 100_000}.onnx\n{SHOTS}")
    assert line.startswith("3:8: voice: 100,005 characters here; ")


def test_the_first_problems_are_listed_and_the_others_counted(run):
    lines = check(run, HEAD + SHOTS + f"  inputs: {{{', '.join(['m: 1'] * 4902)}}}\n")
    assert lines[0] == "5:18: shots[0].inputs.m: given twice; the first is in line 5"
    assert len(lines) == MOST_PROBLEMS + 1
    assert lines[-1] == "and 4,881 more"


def test_a_full_list_of_problems_counts_no_others():
    problems = [Problem.at(Place("f", line), "no") for line in range(1, MOST_PROBLEMS + 2)]
    assert str(Problems(problems[:-1])).split("\n")[-1] == f"f:{MOST_PROBLEMS}:0: no"
    assert str(Problems(problems)).split("\n")[-1] == "and 1 more"


def test_a_bomb_has_a_short_message(run):
    assert sum(map(len, check(run, LAUGHS))) < 2500


def test_an_offer_that_is_too_long_is_left_out():
    fits, long = (f"no: write title: {'x' * size}" for size in (100, LONGEST_MESSAGE))
    assert Problem.at(Place("f"), fits).message == fits
    assert Problem.at(Place("f"), long).message == "no"


def test_places_are_sanitized():
    problem = Problem.at(Place("a\x1b\n.yaml", 1, 2, "x" * 999), "\x1b[2J\r\n\u202e\u2028\ud800")
    line = str(problem)
    assert line.startswith(r"'a\x1b\n.yaml':1:2: xxx")
    assert line.endswith(r": \x1b[2J  \u202e \ud800")
    assert len(line) < 300


def test_odd_keys_are_offered_in_quotes(run):
    lines = check(run, HEAD + SHOTS + '  expect: {"a: b": 5}\n')
    assert lines[1].endswith(': write "a: b": "== 5"')


def test_formulas_in_double_quotes_are_reported_without_a_process(monkeypatch):
    monkeypatch.setattr(checking, "Worker", lambda: pytest.fail("a process was started"))
    tree = parse_yaml("a:\n" + "".join(f'- "$\\frac{{1}}{{{n}}}$"\n' for n in range(60)), "f")
    assert len(tree.problems) == 60
    assert tree.problems[59].message.endswith(r"write '$\frac{1}{59}$'")


BUSY = {
    "repeated keys": lambda n: f"  inputs: {{{'m: 1, ' * n}}}\n",
    "unknown inputs": lambda n: f"  inputs: {{{''.join(f'k{i}: 1, ' for i in range(n))}}}\n",
    "unknown keys": lambda n: "".join(f"  k{i}: a #b\n" for i in range(n)),
    "wrong parts of a list": lambda n: f"  inputs: {{pair: [{'a, ' * n}]}}\n",
    "wrong comparisons": lambda n: f"  expect: {{{''.join(f'k{i}: ≥ 5, ' for i in range(n))}}}\n",
    "wrong sentences": lambda n: f"  say: {{{''.join(f'k{i}: 5, ' for i in range(n))}}}\n",
    "aliases and tags": lambda n: f"  hold: [{'*a, !b 1, ' * n}]\n",
    "shots of one name": lambda n: "- stage: fake.narrow\n" * n,
    "wrong shots": lambda n: "- {stage: fake.grid, hold: x}\n" * n,
    "formulas to be settled": lambda n: f"  caption: '{'$a_ij$ ' * (n // 6)}'\n",
    "LaTeX in double quotes": lambda n: '  - "$\\frac{1}{2}$"\n' * n,
}


@pytest.mark.parametrize("kind", BUSY)
def test_the_work_grows_as_the_file_does(kind):
    """Counted in calls of functions: of four times the file, hardly more than four times that."""
    once, again, often = (_calls(BUSY[kind](n)) for n in (60, 60, 240))
    assert often < 6 * min(once, again)


def _calls(text):
    count = 0

    def on_event(_, event, __):
        nonlocal count
        count += event == "call"

    sys.setprofile(on_event)
    try:
        read_film(Path("f.yaml"), f"{HEAD}{SHOTS}{text}".encode())
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(
    ("bound", "lacks"),
    [
        (">=", 'for it lacks what to compare with; write such as ">= 0.99"'),
        ("> ", 'for it lacks what to compare with; write such as "> 0"'),
        ("=<", 'for it lacks what to compare with; write such as "<= 1"'),
        ("==", 'for it lacks what to compare with; write such as "== 5"'),
        ("≥", 'for it lacks what to compare with; write such as ">= 0.99"'),
        ("", "for it is empty; write "),
        ("about 5", "for it lacks a sign; write "),
        ("0.99 >=", "for its sign comes last; write "),
        (">> 5", "for >> is no sign; write "),
        ("! 5", "for ! is no sign; write "),
        ("> =", "for it has more than one sign; write "),
        (">= >= 5", "for it has more than one sign; write "),
        ("0 < x < 1", "for it has more than one sign; write "),
        ("=> ", "for it lacks what to compare with; write "),
        ("== null", "for 'null' is nothing to compare with; write "),
        (">= .nan", "for '.nan' is nothing to compare with; write "),
    ],
)
def test_expectations_say_what_they_lack(run, bound, lacks):
    [line] = check(run, f"{HEAD}{SHOTS}  expect: {{mass: '{bound}'}}\n")
    assert f"is no comparison, {lacks}" in line


@pytest.mark.parametrize(
    ("bound", "offer"),
    [
        ("<> 5", "!= 5"),
        ("=== 5", "== 5"),
        (">= 5%", ">= 0.05"),
        ("> 1,000", "> 1000"),
        ("33%", ">= 0.33"),
        ("≈ 2", "== 2"),
        ("=5", "== 5"),
        ("~ 5", "== 5"),
    ],
)
def test_expectations_in_other_signs_and_figures_are_understood(run, bound, offer):
    [line] = check(run, f"{HEAD}{SHOTS}  expect: {{mass: '{bound}'}}\n")
    assert line.endswith(f': write mass: "{offer}"')


def test_characters_that_cannot_be_encoded_are_escaped(run, here, monkeypatch):
    odd = here / os.fsdecode(b"caf\xe9")
    (odd / "storyboards").mkdir(parents=True)
    (odd / "storyboards/a.yaml").write_text(HEAD + SHOTS)
    monkeypatch.setenv("CLOCKHEAD_PROJECT", str(odd))
    code, out, _ = run("films")
    assert code == 0
    assert r"caf\udce9/storyboards/a.yaml" in out
