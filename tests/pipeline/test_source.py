"""Reading YAML with care: what it means, where it stands, and what is refused."""

import errno
import json
import math
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clockhead.storyboard.problems import StoryboardError
from clockhead.storyboard.scalars import plain_value
from clockhead.storyboard.yaml_reader import (
    MAX_BYTES,
    MAX_NODES,
    dotted_path,
    parse_file,
    parse_value,
    parse_yaml,
)


def messages(text):
    """Everything that is said about a text, whether or not it can be read."""
    try:
        return [str(problem) for problem in parse_yaml(text, "f.yaml").problems]
    except StoryboardError as error:
        return [str(problem) for problem in error.problems]


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("no", "no"),
        ("on", "on"),
        ("Yes", "Yes"),
        ("012", "012"),
        ("1:30", "1:30"),
        ("1_000", "1_000"),
        ("0x1F", "0x1F"),
        ("2020-01-01", "2020-01-01"),
        ("=", "="),
        ("inf", "inf"),
        ("1e", "1e"),
        ("the cat", "the cat"),
        ("true", True),
        ("False", False),
        ("", None),
        ("~", None),
        ("null", None),
        ("0", 0),
        ("-7", -7),
        ("+7", 7),
        ("10", 10),
        ("1.5", 1.5),
        ("1.", 1.0),
        (".5", 0.5),
        ("1e4", 1e4),
        ("-2.5E-3", -2.5e-3),
        ("-.inf", -math.inf),
        ("9" * 101, "9" * 101),
    ],
)
def test_plain_words_mean_what_they_look_like(word, value):
    assert plain_value(word) == value
    assert type(plain_value(word)) is type(value)
    assert parse_yaml(f"a: {word}", "f.yaml").value == {"a": value}


def test_nan_is_a_number():
    assert math.isnan(plain_value(".nan"))


def test_quotes_make_texts():
    assert parse_yaml("a: '12'\nb: \"true\"\nc: |\n  1\n", "f").value == {
        "a": "12",
        "b": "true",
        "c": "1\n",
    }


def test_keys_are_texts():
    assert parse_yaml("no: 1\n1: 2\ntrue: 3", "f").value == {"no": 1, "1": 2, "true": 3}


def test_values_and_keys_know_where_they_are():
    tree = parse_yaml("version: 1\nshots:\n  - stage: a.b\n    inputs: {m: [5, 6]}\n", "f.yaml")
    assert str(tree.place(("shots", 0, "inputs", "m", 1))) == "f.yaml:4:21: shots[0].inputs.m[1]: "
    assert str(tree.key_place(("shots", 0, "inputs", "m"))) == "f.yaml:4:14: shots[0].inputs.m: "
    assert str(tree.place(("shots", 0, "id"))) == "f.yaml:3:5: shots[0].id: "


def test_columns_count_characters():
    assert str(parse_yaml("é: [漢, x]", "f").place(("é", 1))) == "f:1:8: é[1]: "


def test_odd_keys_are_quoted_in_paths():
    assert dotted_path(("shots", 0, "a\nb", "x" * 99)) == f"shots[0].'a\\nb'.'{'x' * 39}…'"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: *b", ["f.yaml:1:4: a: aliases are refused: write the value out in place of *b"]),
        ("a: &b 1", ["f.yaml:1:4: a: anchors are refused: leave out &b"]),
        ("a: !x 1", ["f.yaml:1:4: a: tags are refused: leave out '!x'"]),
        (
            "a: !!python/object/apply:os.system [ls]",
            ["f.yaml:1:4: a: tags are refused: leave out '!!python/object/apply:os.system'"],
        ),
        ("! a: 1", ["f.yaml:1:1: a: tags are refused: leave out '!'"]),
        (
            "a: {<<: {b: 1}}",
            ["f.yaml:1:5: a.'<<': merge keys (<<) are refused: write the keys out"],
        ),
        ("a: 1\nb: 2\na: 3", ["f.yaml:3:1: a: given twice; the first is in line 1"]),
        ("? [a]\n: 1", ["f.yaml:1:3: '?': a key is a plain word"]),
        ('a: "\\e[31m"', ["f.yaml:1:4: a: the text holds the hidden character U+001B"]),
        ('a: "\\ud800"', ["f.yaml:1:4: a: the text holds the hidden character U+D800"]),
        ("a: x\u200by", ["f.yaml:1:4: a: the text holds the hidden character U+200B"]),
        ('a: "x\\Ly"', ["f.yaml:1:4: a: the text holds the hidden character U+2028"]),
        ("a: 1\n---\nb: 2", ["f.yaml:2:1: a second document: a file is one storyboard"]),
        (
            "a: &x 1\na: *x\nb: !y z",
            [
                "f.yaml:1:4: a: anchors are refused: leave out &x",
                "f.yaml:2:1: a: given twice; the first is in line 1",
                "f.yaml:2:4: a: aliases are refused: write the value out in place of *x",
                "f.yaml:3:4: b: tags are refused: leave out '!y'",
            ],
        ),
    ],
)
def test_yaml_beyond_plain_values_is_refused(text, said):
    assert messages(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "a: So: this",
            '1:6: a text that has a colon and a space in it goes in quotes: write a: "So: this"',
        ),
        (
            "a: {m} is",
            '1:8: a text that starts with { goes in quotes as a whole: write a: "{m} is"',
        ),
        (
            "a: [m] is",
            '1:8: a text that starts with [ goes in quotes as a whole: write a: "[m] is"',
        ),
        (
            "a: 'm' is",
            "1:8: a text that starts with ' goes in quotes as a whole: write a: \"'m' is\"",
        ),
        ("a: @m", '1:4: a text cannot start with @: put it in quotes: write a: "@m"'),
        ("a: `m`", '1:4: a text cannot start with `: put it in quotes: write a: "`m`"'),
        ("a: %m", '1:4: a text cannot start with %: put it in quotes: write a: "%m"'),
        ("a:\n\tb: 1", "2:1: a tab: indent with spaces"),
        ("a: 'x\nb: 1", '1:4: a quote mark is opened here and not closed: write a: "x"'),
        ('a: "x', '1:4: a quote mark is opened here and not closed: write a: "x"'),
        ("a: [1, 2", "1:4: a list is opened here and not closed: ] or a comma is missing"),
        ("a: {b: 1\nc: 2", "1:4: a map is opened here and not closed: } or a comma is missing"),
        ("a: {b: c?}", "1:9: a text with a ? in it stands in quotes within brackets"),
        ("{{{\n", "2:1: a list or a map is opened and not closed"),
        ("a: [1]]", "1:7: ] closes nothing"),
        ("a: - b", "1:4: a list starts on a line of its own"),
        ("a: 1\n- b", "2:1: the indentation does not fit the lines above"),
        ("a:\n - b: 1\n  c: 2", "3:3: the indentation does not fit the lines above"),
        ("? 'a' b", "1:7: the indentation does not fit the lines above: write \"? 'a' b\""),
        (
            "a:1\nb: 2",
            "2:2: a colon where none can stand: one before it lacks a space, or the indentation "
            "does not fit the lines above",
        ),
        ('a: "\\q"', r"1:6: \q means nothing in double quotes: write a: '\q'"),
        ('a: "\\UFFFFFFFF"', "1:7: an escape that stands for no character"),
        ("a: 1\nb", "2:2: a key without a colon: write `key: value`"),
        ("a: |x\n b", "1:5: not YAML: expected chomping or indentation indicators, but found 'x'"),
    ],
)
def test_mistakes_of_syntax_are_explained(text, said):
    assert messages(text) == [f"f.yaml:{said}"]


LAUGHS = "a: &a [x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("bomb", "said"),
    [
        ("a: " + "[" * 100_000, "f.yaml:1:20: nested more than 16 levels deep"),
        ("a: " + "{b: " * 20_000, "f.yaml:1:68: nested more than 16 levels deep"),
        ("- " * 30_000, "f.yaml:1:35: nested more than 16 levels deep"),
        ("a: [" + "1," * 40_000 + "]", "f.yaml:1:20001: more than 10,000 values"),
        ("? " * 30_000, "f.yaml:1:35: nested more than 16 levels deep"),
    ],
    ids=["brackets", "braces", "dashes", "many values", "question marks"],
)
def test_bombs_are_refused_before_they_are_built(bomb, said):
    assert said in messages(bomb)


def test_a_billion_laughs_stay_small():
    tree = parse_yaml(LAUGHS, "f.yaml")
    assert tree.value["i"] == [None] * 9
    assert len(tree.problems) == 9 + 8 * 9
    assert len(tree.values_at) < MAX_NODES


texts = st.text(st.characters(exclude_categories=["C"]), max_size=8)
trees = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


@given(trees)
def test_json_reads_as_itself(value):
    assert parse_yaml(json.dumps(value, ensure_ascii=False), "f").value == value


@given(st.text(st.sampled_from("ab12 -?:,[]{}&*!|>'\"%@`#\n\t<~\\\u2028é"), max_size=60))
def test_any_text_is_read_or_refused_with_a_position(text):
    for line in messages(text):
        assert line.startswith("f.yaml:")
        assert line.split(":")[1].isdigit()


def refusal(file):
    with pytest.raises(StoryboardError) as error:
        parse_file(file)
    return str(error.value).replace(f"{file.parent}/", "")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"a: \xff\n", "f.yaml:1:4: byte 0xFF is not UTF-8 text"),
        (b"ok: 1\nb: caf\xe9", "f.yaml:2:7: byte 0xE9 is not UTF-8 text"),
        ("a: 1".encode("utf-16"), "f.yaml: this file is UTF-16; save it as UTF-8"),
        (b"a: \x00\n", "f.yaml:1:4: the control character U+0000: this is not a text file"),
        (b"\x7fELF\x02\x01", "f.yaml:1:1: the control character U+007F: this is not a text file"),
        (
            b"#" * 10_000_000,
            "f.yaml: 10,000,000 bytes are too many; a storyboard has at most 131,072",
        ),
    ],
    ids=["byte", "latin-1", "utf-16", "nul", "elf", "large"],
)
def test_files_that_are_not_text_are_refused(tmp_path, data, said):
    file = tmp_path / "f.yaml"
    file.write_bytes(data)
    assert refusal(file) == said


@pytest.mark.parametrize(
    "sign",
    [
        *("\r", "\x85", "\u2028", "\u2029", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x00"),
        *("\u202a", "\u202e", "\u2066", "\u2067", "\u2069"),
    ],
)
@pytest.mark.parametrize("text", ["a: 1 # x{}    b: 2\n", "a: x{}y\n", "'a{}': 1\n", "{}a: 1\n"])
def test_lines_are_what_an_editor_shows_even_in_comments(tmp_path, sign, text):
    file = tmp_path / "f.yaml"
    file.write_text(f"# é\n{text.format(sign)}", encoding="utf-8", newline="")
    said = refusal(file)
    assert said.startswith(f"f.yaml:2:{text.index('{') + 1}: ")
    assert f"U+{ord(sign):04X}" in said


def test_the_largest_file_is_read(tmp_path):
    file = tmp_path / "f.yaml"
    file.write_bytes(b"a: 1 #" + b"x" * (MAX_BYTES - 6))
    assert parse_file(file).value == {"a": 1}


def test_a_byte_order_mark_and_windows_lines_do_no_harm(tmp_path):
    file = tmp_path / "f.yaml"
    file.write_bytes(b"\xef\xbb\xbfa: 1\r\nb: x\r\n")
    assert parse_file(file).value == {"a": 1, "b": "x"}


def test_folders_and_pipes_are_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "loop.yaml").symlink_to("loop.yaml")
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "plain").write_text("")
    said = {
        "none.yaml": "there is no such file",
        "folder.yaml": "this is a folder; a storyboard is a file",
        "pipe.yaml": "this is not an ordinary file",
        "loop.yaml": f"cannot be read: {os.strerror(errno.ELOOP)}",
        "plain/x.yaml": f"cannot be read: {os.strerror(errno.ENOTDIR)}",
        f"{'x' * 300}.yaml": f"cannot be read: {os.strerror(errno.ENAMETOOLONG)}",
    }
    for name, message in said.items():
        file = tmp_path / name
        assert refusal(file) == f"{file.name}: {message}"


def test_without_permission_it_says_so(tmp_path):
    file = tmp_path / "f.yaml"
    file.write_text("a: 1")
    file.chmod(0)
    privileged = os.geteuid() == 0
    if privileged:
        os.seteuid(65534)
    try:
        assert refusal(file) == "f.yaml: there is no permission to read this file"
    finally:
        if privileged:
            os.seteuid(0)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("31", 31),
        (" the cat: sat # on ", "the cat: sat # on"),
        ("no", "no"),
        ("*x", "*x"),
        ("", ""),
        ("null", None),
        ("'31'", "31"),
        ("[1, [2, x]]", [1, [2, "x"]]),
        ("{a: 1}", {"a": 1}),
        ('"a\\tb"', "a\tb"),
    ],
)
def test_values_on_the_command_line(text, value):
    assert parse_value(text, "--set x") == value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[1", "--set x: a list is opened here and not closed: ] or a comma is missing"),
        ("[&a 1]", "--set x: anchors are refused: leave out &a"),
        ("'a' b", "--set x: a text that starts with ' goes in quotes as a whole: write \"'a' b\""),
        ("a\x1b[31m", "--set x: the value holds the hidden character U+001B"),
        ("caf\udce9", "--set x: the value holds the hidden character U+DCE9"),
        ("[" * 100, "--set x: nested more than 16 levels deep"),
    ],
)
def test_values_on_the_command_line_that_are_refused(text, said):
    with pytest.raises(StoryboardError) as error:
        parse_value(text, "--set x")
    assert str(error.value) == said
