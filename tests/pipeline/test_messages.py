"""Messages that say what to write: whoever writes just that is understood."""

import re
import shlex

import pytest

from clockhead.pipeline.storyboard.films import load_films
from clockhead.pipeline.storyboard.formulas import FormulaChecker
from clockhead.pipeline.storyboard.latex import is_latex, translations
from clockhead.pipeline.storyboard.problems import StoryboardError
from clockhead.pipeline.storyboard.scalars import (
    in_quotes_like,
    plain_value,
    quoted,
    setting,
    written,
)
from clockhead.pipeline.storyboard.yaml_reader import parse
from clockhead.scenes.stage import find_stage, stage_names

SHOT = "shots:\n- stage: {stage}\n"
SUB_DIAGONAL, LOOK_BACK = "previous_token.sub_diagonal", "previous_token.look_back"
OFFER = re.compile(r"(?:: |; it holds with |dollar sign )(?:write )?(?P<line>[\w.]+: .*)$")
SETTING = re.compile(r"--set ('[^']*'|\"[^\"]*\"|\S+)(?: \(for .*\))?$")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def film(here, stage, *lines, settings=(), title="T"):
    (here / "f.yaml").write_text(
        f"version: 1\ntitle: {title}\n{SHOT.format(stage=stage)}"
        + "".join(f"  {line}\n" for line in lines)
    )
    [found] = load_films(["f.yaml"], settings=settings)
    return found


def said(here, stage, *lines, **options):
    with pytest.raises(StoryboardError) as error:
        film(here, stage, *lines, **options)
    return [problem.message for problem in error.value.problems]


def offered(message):
    """The line that a message tells one to write."""
    return OFFER.search(message)["line"]


@pytest.mark.parametrize(
    ("stage", "line", "words", "offer"),
    [
        (
            SUB_DIAGONAL,
            "text: The {Cat} sat on 2 mats",
            "'{', '}' cannot stand in 'The {Cat} sat on 2 mats'; text must be 2 to 12 words",
            "text: The Cat sat on 2 mats",
        ),
        (
            "caesar.histogram",
            "text: Élan, l'été!",
            "'É', ',', \"'\", 'é', '!' cannot stand in",
            "text: elan lete",
        ),
        (SUB_DIAGONAL, "text: the  cat", "has two spaces in a row", "text: the cat"),
        (SUB_DIAGONAL, "text:", "nothing is given; text is left out, or 2 to 12 words", "text: "),
        (
            LOOK_BACK,
            "look_backs: 1, 2",
            "look_backs must be a list of 1 to 4 things",
            "look_backs: [1, 2]",
        ),
        (LOOK_BACK, "look_backs: 2", "or left out, not the number 2", "look_backs: [2]"),
        (SUB_DIAGONAL, "m: '2'", "or left out, not the text '2'", "m: 2"),
        (SUB_DIAGONAL, "m: 2.0", "or left out, not the number 2.0", "m: 2"),
        ("caesar.wheel", "example: CAESAR", "'C', 'A', 'E', 'S', 'R' can", "example: caesar"),
        ("onehot.answer", "text: ABACB", "text must be 1 to 9 letters a to z", "text: abacb"),
    ],
)
def test_inputs(here, stage, line, words, offer):
    lines = ["inputs:", f"  {line}"]
    [message] = said(here, stage, *lines)
    assert words in message
    assert offered(message).startswith(offer)
    film(here, stage, "inputs:", f"  {offered(message)}")


@pytest.mark.parametrize(
    ("stage", "given", "offer"),
    [
        (LOOK_BACK, "look_backs=1,2", '--set "look_backs=[1, 2]"'),
        (SUB_DIAGONAL, "text=The #1 cat", '--set "text=The 1 cat"'),
        (SUB_DIAGONAL, "sub_diagonal.text=Sat {CAT}", '--set "sub_diagonal.text=Sat CAT"'),
        (SUB_DIAGONAL, "text=null", '--set "text=the cat sat on the mat and ran"'),
        ("caesar.wheel", "example=J", "--set example=j"),
    ],
)
def test_settings(here, stage, given, offer):
    [message] = said(here, stage, settings=[given])
    assert message.endswith(f": write {offer}")
    film(here, stage, settings=[shlex.split(offer)[1]])


@pytest.mark.parametrize("text", ["Attention is all you need!", "It's 7 o'clock", "Ça va, Øre?"])
def test_where_words_are_tokens_capitals_and_signs_are_taken(here, text):
    [shot] = film(here, SUB_DIAGONAL, settings=[f"text={text}"]).shots
    assert shot.shot.inputs.text == text


def test_letters_that_the_face_lacks_are_refused(here):
    [message] = said(here, SUB_DIAGONAL, settings=["text=das 漢 ist 漢 א"])
    assert message.count("'漢'") == message.count("'א'") == 1
    assert "--font" in message
    assert "`font:" in message


def test_a_letter_is_named_with_the_form_that_is_allowed(here):
    [message] = said(here, "caesar.angle", settings=["x=J", "y=e"])
    assert message.startswith("'J' does not fit; x must be one of the letters a to z, ")
    assert message.endswith(": write --set x=j")
    film(here, "caesar.angle", settings=["x=j", "y=e"])


def test_nothing_is_offered_that_the_next_message_refuses(here):
    [message] = said(here, "caesar.angle", settings=["x=J"])
    assert "; nor would 'j' do: x needs y beside it: give both, such as y: " in message
    letter = re.search(r"such as y: (\w)", message)[1]
    film(here, "caesar.angle", settings=["x=j", f"y={letter}"])
    [message] = said(here, SUB_DIAGONAL, "inputs: {text: the cat sat, m: 20}")
    assert message.endswith(
        "; nor would 11 do: m must be 1 to 2 in this text, where a token stands 1 before it, got 11"
    )
    [message] = said(here, "induction.idea", "inputs: {text: 'Cat#'}")
    assert "; nor would 'Cat' do: 1 word; a text has 3 to 11, such as “" in message


def test_lists_are_offered_whole_and_only_where_all_of_them_is_mended(here):
    stage = "attention.temperature"
    [message] = said(here, stage, "inputs: {words: [a, 'u#', No], logits: [1, 2, 3]}")
    assert message.endswith(": write words: [a, u, No]")
    film(here, stage, f"inputs: {{{offered(message)}, logits: [1, 2, 3]}}")
    messages = said(here, stage, "inputs: {words: [a, 'u#', '##########'], logits: [1, 2, 3]}")
    assert len(messages) == 2
    assert not any("write" in message for message in messages)


def test_positions_are_those_of_the_text(here):
    [message] = said(here, SUB_DIAGONAL, "inputs: {text: the cat sat, m: 7}")
    refusal = "m must be 1 to 2 in this text, where a token stands 1 before it, got 7"
    assert message == f"{refusal}; it works with no m"
    film(here, SUB_DIAGONAL, "inputs: {text: the cat sat}")
    film(here, SUB_DIAGONAL, "inputs: {text: the cat sat, m: 2}")


def test_too_long_a_text_is_counted_as_its_description_counts(here):
    [message] = said(here, "onehot.answer", "inputs: {text: abcdefghij}")
    assert message.startswith("'abcdefghij', with 10 characters, does not fit; text must be 1 to 9")
    film(here, "onehot.answer", "inputs: {text: '!abcdabcda'}")


@pytest.mark.parametrize("name", stage_names())
def test_texts_with_a_pattern_tell_their_form(name):
    for part in find_stage(name).Inputs.model_json_schema()["properties"].values():
        for text in (part, part.get("items", {})):
            assert "pattern" not in text or re.search("a to z|letters|digits", text["description"])


@pytest.mark.parametrize(
    ("bound", "offer"),
    [
        ("0.99", '">= 0.99"'),
        ("'0.99'", '">= 0.99"'),
        ("=> 0.5", '">= 0.5"'),
        ("= 1", '"== 1"'),
        ("1", '"== 1"'),
    ],
)
def test_expectations_without_a_comparison(here, bound, offer):
    mass = "row.head.worst_mass"
    [message] = said(here, SUB_DIAGONAL, f"expect: {{{mass}: {bound}}}")
    assert offered(message) == f"{mass}: {offer}"
    film(here, SUB_DIAGONAL, f"expect: {{{offered(message)}}}")


def test_unknown_facts_are_told_along_with_everything_else(here):
    messages = said(here, SUB_DIAGONAL, "expect: {row.head.wurst_mass: 0.99, n: '> 0'}", "hold: 99")
    assert [message for message in messages if "wurst" in message and "did you mean" in message]
    assert len(messages) == 4


@pytest.mark.parametrize(
    ("stage", "settings", "remedy"),
    [
        ("rope.aliasing", ["theta=0.05"], "--set theta=1"),
        ("rope.aliasing", ["alpha=0.1", "short=30"], "--set alpha=40"),
        ("rope.aliasing", ["d_head=2"], "--set d_head=8"),
    ],
)
def test_broken_claims_name_an_input_with_which_they_hold(here, stage, settings, remedy):
    broken = film(here, stage, settings=settings).failures
    assert broken
    for failure in broken:
        assert failure.message.endswith(f"; it holds with {remedy}")
    assert not film(here, stage, settings=[*settings, shlex.split(remedy)[1]]).failures


@pytest.mark.parametrize(
    ("given", "words", "offer"),
    [
        (
            "'the model's head'",
            "an apostrophe ends a text in single quotes",
            '"the model\'s head"',
        ),
        (
            '"the "best" head"',
            "a quote mark ends a text in double quotes",
            "'the \"best\" head'",
        ),
        (
            "'the model's head'  # ours",
            "an apostrophe ends a text in single quotes",
            '"the model\'s head"',
        ),
        ("So: this", "a text that has a colon and a space in it goes in quotes", '"So: this"'),
        ('"5\\$ each"', r"\$ means nothing in double quotes", r"'5\$ each'"),
        ("Head #1", "'#1' is read as a comment, and left out", '"Head #1"'),
    ],
)
def test_lines_of_yaml(here, given, words, offer):
    [message] = said(here, SUB_DIAGONAL, title=given)
    assert message.startswith(words)
    assert f": write title: {offer}" in message
    assert film(here, SUB_DIAGONAL, title=offer).title == parse(offer, "f").value


def test_an_apostrophe_within_a_map_on_one_line(here):
    text = "shots: [{stage: a.b, title: 'the model's head'}]"
    with pytest.raises(StoryboardError) as error:
        parse(text, "f")
    assert 'title: "the model\'s head"' in str(error.value)


def test_comments_are_comments_where_they_look_like_it():
    for text in ("a: 5 #five", "a: text # a comment", "a: |  # a block\n  text", "# b\na: text"):
        assert parse(text, "f").problems == ()
    [problem] = parse("stage: a.b #grid", "f").problems
    assert problem.message == "'#grid' is read as a comment, and left out: write a.b  # grid"


@pytest.mark.parametrize(
    ("given", "offer"),
    [
        ("It costs 5$ each", r"caption: It costs 5\$ each"),
        ("'It costs 5$ each'", r"caption: 'It costs 5\$ each'"),
        ('"It costs 5$ each"', r'caption: "It costs 5\\$ each"'),
        ('"With $alpha$ it costs $5"', r'caption: "With $alpha$ it costs \\$5"'),
        ("'$x_#1$ is it'", r"caption: '$x_\#1$ is it'"),
        ('"$x_#1$ is it"', r'caption: "$x_\\#1$ is it"'),
        ('"$x_most$ isn\'t"', 'caption: "$x_\\"most\\"$ isn\'t"'),
        ("'$x_most$ isn''t'", "caption: '$x_\"most\"$ isn''t'"),
    ],
)
def test_signs_in_the_quotes_that_the_line_has(here, given, offer):
    [message] = said(here, SUB_DIAGONAL, f"caption: {given}")
    assert message.endswith(offer)
    film(here, SUB_DIAGONAL, offer)


@pytest.mark.parametrize(
    ("latex", "typst"),
    [
        (r"\frac{1}{\sqrt{d}}", "frac(1, sqrt(d))"),
        (r"\frac12", "frac(1, 2)"),
        (r"\alpha", "alpha"),
        (r"x_{i}", "x_i"),
        (r"x_{ij}^2", "x_(i j)^2"),
        (r"q \cdot k \le \text{much}", 'q dot k <= "much"'),
        (r"\text{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V",
         '"softmax" (frac(Q K^top, sqrt(d_k))) V'),
        (r"\sum_{i=0}^{n-1} x_i", "sum_(i = 0)^(n - 1) x_i"),
        (r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}", "mat(a, b; c, d)"),
        (r"x \in \mathbb{R}^{d \times d}", "x in RR^(d times d)"),
        (r"\mathbf{W}_Q \lfloor x \rfloor", "bold(W)_Q ⌊ x ⌋"),
        (r"\sqrt[3]{a,b} \to \infty", r"root(3, a\, b) -> oo"),
        (r"\alpha = {row.head.alpha:.1f}", "alpha = {row.head.alpha:.1f}"),
        (r"e^{-x} \foo", None),
        (r"\frac{1", None),
    ],
)  # fmt: skip
def test_latex_in_typst_notation(checker, latex, typst):
    assert list(translations(f"so ${latex}$", {"row.head.alpha"}, checker)) == [(latex, typst)]


@pytest.fixture(scope="module")
def checker():
    with FormulaChecker() as shared:
        yield shared


@pytest.mark.parametrize(
    "math", ["x_{m}", "frac(1, sqrt(d))", r"5 \$", "alpha = {head.x:.2f}", "x^2"]
)
def test_what_is_no_latex(math):
    assert not is_latex(math, {"m", "head.x"})


@pytest.mark.parametrize(
    ("given", "offer"),
    [
        (r"'It is $\frac{1}{\sqrt{d}}$'", "'It is $frac(1, sqrt(d))$'"),
        (r"It is $\alpha \le x_{i}$", "It is $alpha <= x_i$"),
        (r'"It is $\\alpha \\text{of}$"', r'"It is $alpha \"of\"$"'),
        (r'"It is $\frac{1}{\theta}$"', '"It is $frac(1, theta)$"'),
        (r'"It is $\sqrt{\theta}$"', '"It is $sqrt(theta)$"'),
        (r'"It is $x \times \text{it}$"', r'"It is $x times \"it\"$"'),
    ],
)
def test_latex_is_answered_with_the_line_as_it_would_work(here, given, offer):
    [message] = said(here, SUB_DIAGONAL, f"caption: {given}")
    assert "is LaTeX; mathematics goes in Typst's notation" in message
    assert message.endswith(f": write caption: {offer}")
    film(here, SUB_DIAGONAL, f"caption: {offer}")


@pytest.mark.parametrize(
    "text", ["a b", "it's", 'say "so"', r"\frac", "a: b", "5", "true", "x #1", " x", "{m}", "- a"]
)
def test_texts_are_written_so_that_they_are_read_as_themselves(text):
    for form in (written(text), quoted(text), *(in_quotes_like(mark, text) for mark in "'\"")):
        assert parse(f"a: {form}", "f").value == {"a": text}
    assert parse(f"[{written(text)}, 1]", "f").value == [text, 1]


@pytest.mark.parametrize("value", ["the cat", "a$b", "it's", 5, [1, 2], 1.5, ["a", 'b"c']])
def test_settings_are_written_for_a_shell(value):
    flag, argument = shlex.split(setting("x", value))
    name, _, text = argument.partition("=")
    assert (flag, name) == ("--set", "x")
    read = parse(text, "f").value if text[:1] in "[\"'" else plain_value(text)
    assert read == value


def test_latex_in_a_map_on_one_line():
    [problem] = parse(r'shots: [{caption: "so $\frac{1}{2}$", id: x}]', "f").problems
    assert problem.message.endswith(': write caption: "so $frac(1, 2)$"')
