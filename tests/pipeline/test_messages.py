"""Messages that say what to write: exactly that is understood."""

import re
import shlex

import pytest

from clockhead.scenes.stage import find_stage, stage_names
from clockhead.storyboard.films import load_films
from clockhead.storyboard.problems import Place, Problem, StoryboardError, problem_lines
from clockhead.storyboard.scalars import plain_value, quote_like, quote_text, set_option, yaml_text
from clockhead.storyboard.yaml_reader import parse_yaml
from tests.pipeline import fake_stages

SHOT = "shots:\n- stage: {stage}\n"
SUB_DIAGONAL, LOOK_BACK = "previous_token.sub_diagonal", "previous_token.look_back"
OFFER = re.compile(r"(?:: |; it holds with |dollar sign )(?:write )?(?P<line>[\w.]+: .*)$")


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


def errors_of(here, stage, *lines, **options):
    with pytest.raises(StoryboardError) as error:
        film(here, stage, *lines, **options)
    return [problem.message for problem in error.value.problems]


def suggested_line(message):
    """The line that a message suggests."""
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
def test_wrong_inputs(here, stage, line, words, offer):
    lines = ["inputs:", f"  {line}"]
    [message] = errors_of(here, stage, *lines)
    assert words in message
    assert suggested_line(message).startswith(offer)
    film(here, stage, "inputs:", f"  {suggested_line(message)}")


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
def test_wrong_settings(here, stage, given, offer):
    [message] = errors_of(here, stage, settings=[given])
    assert message.endswith(f": write {offer}")
    film(here, stage, settings=[shlex.split(offer)[1]])


@pytest.mark.parametrize("text", ["Attention is all you need!", "It's 7 o'clock", "Ça va, Øre?"])
def test_tokens_may_have_capitals_and_signs(here, text):
    [shot] = film(here, SUB_DIAGONAL, settings=[f"text={text}"]).shots
    assert shot.shot.inputs.text == text


def test_letters_that_the_font_lacks_are_refused(here):
    [message] = errors_of(here, SUB_DIAGONAL, settings=["text=das 漢 ist 漢 א"])
    assert message.count("'漢'") == message.count("'א'") == 1
    assert "--font" in message
    assert "`font:" in message


def test_no_suggestion_is_refused_by_the_next_message(here):
    [message] = errors_of(here, "caesar.angle", settings=["x=J"])
    assert message.startswith("'J' does not fit; x must be the letter of the first axis, a to z; ")
    assert message.endswith(": write --set x=j")
    film(here, "caesar.angle", settings=["x=j"])
    [message] = errors_of(here, SUB_DIAGONAL, "inputs: {text: the cat sat, m: 20}")
    assert message.startswith("20 is too large; m must be")
    film(here, SUB_DIAGONAL, "inputs: {text: the cat sat, m: 11}")
    [message] = errors_of(here, "induction.idea", "inputs: {text: 'Cat#'}")
    assert "; nor would 'Cat' do: 1 word; a text has 3 to 11, such as “" in message


def test_a_list_is_suggested_only_if_all_of_it_is_repaired(here, monkeypatch):
    fake_stages.install(monkeypatch, here, fake_stages.ALL)
    [message] = errors_of(here, "fake.choice", "inputs: {words: [a, 'u#', no]}")
    assert message.endswith(": write words: [a, u, no]")
    film(here, "fake.choice", f"inputs: {{{suggested_line(message)}}}")
    messages = errors_of(here, "fake.choice", "inputs: {words: [a, 'u#', '##########']}")
    assert len(messages) == 2
    assert not any("write" in message for message in messages)


def test_for_a_position_beyond_the_text_its_last_one_is_suggested(here):
    beyond = film(here, SUB_DIAGONAL, "inputs: {text: the cat sat, m: 7}")
    last = film(here, SUB_DIAGONAL, "inputs: {text: the cat sat, m: 2}")
    assert beyond.shots[0].shot.sentences == last.shots[0].shot.sentences


def test_a_text_that_is_too_long_is_counted_as_its_description_counts(here):
    [message] = errors_of(here, "onehot.answer", "inputs: {text: abcdefghij}")
    assert message.startswith("'abcdefghij', with 10 characters, does not fit; text must be 1 to 9")
    film(here, "onehot.answer", "inputs: {text: '!abcdabcda'}")


@pytest.mark.parametrize("name", stage_names())
def test_texts_with_a_pattern_name_their_form(name):
    for part in find_stage(name).Inputs.model_json_schema()["properties"].values():
        for text in (part, part.get("items", {})):
            form = r"a to z|letters|digits|\.(png|npz)\b"
            assert "pattern" not in text or re.search(form, text["description"])


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
def test_an_expectation_without_a_comparison(here, bound, offer):
    mass = "row.head.worst_weight"
    [message] = errors_of(here, SUB_DIAGONAL, f"expect: {{{mass}: {bound}}}")
    assert suggested_line(message) == f"{mass}: {offer}"
    film(here, SUB_DIAGONAL, f"expect: {{{suggested_line(message)}}}")


def test_unknown_facts_are_reported_with_everything_else(here):
    messages = errors_of(
        here, SUB_DIAGONAL, "expect: {row.head.wurst_mass: 0.99, n: '> 0'}", "hold: 99"
    )
    assert [message for message in messages if "wurst" in message and "did you mean" in message]
    assert len(messages) == 4


@pytest.mark.parametrize("more", [["long=50"], []])
def test_a_failed_claim_names_an_input_with_which_it_holds(here, more):
    settings = ["d_head=4", "base=1000000", *more]
    broken = film(here, "rope.aliasing", settings=settings).failures
    assert broken
    for failure in broken:
        assert failure.message.endswith("; it holds with --set base=10000")
    assert not film(here, "rope.aliasing", settings=[*settings, "base=10000"]).failures


def test_problems_with_one_remedy_are_one_line(here):
    found = load_films(["previous_token"], settings=["alpha=1"])[0].failures
    causes = {failure.remedy for failure in found}
    lines = [*problem_lines(found)]
    assert len(found) > 2
    assert causes == {"; it holds with --set alpha=10"}
    first, *others = found
    shots = dict.fromkeys(failure.path.partition(".")[0] for failure in others)
    assert lines == [f"{first} (and so do {len(others)} more, in {', '.join(shots)})"]


def test_remedies_in_several_films_and_shots():
    def broken(file, shot, remedy="; it holds with a: 1"):
        return Problem.at(Place(file, shot, 1, f"shots[{shot}].stage"), "no", remedy)

    many = [broken("f", shot) for shot in range(1, 12)]
    assert [*problem_lines([*many, broken("g", 1), broken("f", 1, ""), broken("f", 2, "")])] == [
        "f:1:1: shots[1].stage: no; it holds with a: 1 (and so do 10 more, in 10 shots)",
        "g:1:1: shots[1].stage: no; it holds with a: 1",
        "f:1:1: shots[1].stage: no",
        "f:2:1: shots[2].stage: no",
    ]
    [line] = problem_lines(many[:2])
    assert line.endswith("(and so does 1 more, in shots[2])")


@pytest.mark.parametrize(
    ("given", "words", "offer"),
    [
        ("'the model's head'", "an apostrophe ends a text in single quotes", '"the model\'s head"'),
        ('"the "best" head"', "a quote mark ends a text in double quotes", "'the \"best\" head'"),
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
def test_broken_lines_of_yaml(here, given, words, offer):
    [message] = errors_of(here, SUB_DIAGONAL, title=given)
    assert message.startswith(words)
    assert f": write title: {offer}" in message
    assert film(here, SUB_DIAGONAL, title=offer).title == parse_yaml(offer, "f").value


def test_an_apostrophe_within_a_map_on_one_line(here):
    text = "shots: [{stage: a.b, title: 'the model's head'}]"
    with pytest.raises(StoryboardError) as error:
        parse_yaml(text, "f")
    assert 'title: "the model\'s head"' in str(error.value)


def test_comments_that_look_like_comments():
    for text in ("a: 5 #five", "a: text # a comment", "a: |  # a block\n  text", "# b\na: text"):
        assert parse_yaml(text, "f").problems == []
    [problem] = parse_yaml("stage: a.b #grid", "f").problems
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
def test_signs_within_quotes(here, given, offer):
    [message] = errors_of(here, SUB_DIAGONAL, f"caption: {given}")
    assert message.endswith(offer)
    film(here, SUB_DIAGONAL, offer)


@pytest.mark.parametrize(
    "text",
    [
        r"'It is $\frac{1}{\sqrt{d}}$'",
        r"It is $\alpha \le x_{i}$ and $QK^T$",
        r'"It is $\\alpha$, \\(x^2\\), $$y$$"',
        r"'A 3$\times$3 kernel, in 2017 $x$, for \$5 and 6\$'",
        r"'2 * 3 * 4, C:\\Users, <bos> and <s>, W_out, \*so\*, 5 < 6 > 3, __, ** and `'",
        r"'Scores are $sum_(j=1)^n a_j v_j$ and $frac(1,2)$: {row.head.alpha} $n$'",
    ],
)
def test_texts_without_problems(here, text):
    film(here, SUB_DIAGONAL, f"caption: {text}", "say:", f"  1: {text}")
    if "{row" not in text:
        film(here, SUB_DIAGONAL, title=f"{text}\ncredit: {text}")


@pytest.mark.parametrize(
    "typed",
    [
        *("5$ and 6$ million", "$5 and $6", "$5 and 6$", "5 $ and 6 $ more", "100$-200$ each"),
        *("5$ and $6", "US$ and A$", "**bold**", "*it*", "_it_", "__bold__", "***both***"),
        *("`code`", "~~gone~~"),
        *("<b>bold</b>", "<i>it</i> so", "one<br>two", "[here](https://a.b)", "**bold $x$**"),
    ],
)
def test_markup_of_other_languages_is_refused_with_a_line_that_works(here, typed):
    messages = errors_of(here, SUB_DIAGONAL, f"caption: 'so {typed} so'")
    offers = {suggested_line(message) for message in messages}
    assert len(offers) == 1
    film(here, SUB_DIAGONAL, offers.pop())


@pytest.mark.parametrize("typed", [r"\alpha is", r"\textbf{x}", r"\( x", "$$", "$ $"])
def test_latex_outside_formulas_and_empty_formulas_are_refused(here, typed):
    assert errors_of(here, SUB_DIAGONAL, f"caption: 'so {typed}'")


@pytest.mark.parametrize(
    ("key", "typed"),
    [
        ("caption", r"$\alpha x_10$"),
        ("caption", r"$\alpha = {row.head.alpha} x_10$"),
        ("caption", "$a_ij$"),
        ("caption", "$2 ab$"),
        ("title", "$W_QK$"),
        ("say", "$XX^T$"),
    ],
)
def test_both_readings_are_suggested_and_work(here, key, typed):
    def line(text):
        return f"say: {{1: 'so {text}'}}" if key == "say" else f"{key}: 'so {text}'"

    [message] = errors_of(here, SUB_DIAGONAL, line(typed))
    one, other = re.search(r"write (\$.*\$) or (\$.*\$)$", message).groups()
    assert one != other
    for reading in (one, other):
        film(here, SUB_DIAGONAL, line(reading))


@pytest.mark.parametrize("key", ["title", "credit"])
def test_the_title_and_credit_of_a_film_are_checked(here, key):
    texts = {"title": "T", "credit": "C", key: r"'so $\foo$'"}
    (here / "f.yaml").write_text(
        "version: 1\n"
        + "".join(f"{name}: {text}\n" for name, text in texts.items())
        + SHOT.format(stage=SUB_DIAGONAL)
    )
    with pytest.raises(StoryboardError) as error:
        load_films(["f.yaml"])
    [problem] = error.value.problems
    assert (problem.line, problem.path) == (2 if key == "title" else 3, key)
    assert r"\foo" in problem.message


@pytest.mark.parametrize("typed", [r"$\frac{1}{\sqrt{d}}$", r"$\alpha \text{of}$", r"$x \times y$"])
def test_latex_in_double_quotes_gets_a_line_that_works(here, typed):
    [message] = errors_of(here, SUB_DIAGONAL, f'caption: "It is {typed}"')
    found = film(here, SUB_DIAGONAL, suggested_line(message))
    assert found.shots[0].shot.caption == f"It is {typed}"


def test_formulas_that_cannot_fit_are_refused_at_their_line(here):
    column = r" \\\\ ".join("1" * 24)
    text = rf"'$\begin{{pmatrix}} {column} \end{{pmatrix}}$'".replace("\\\\", "\\")
    [message] = errors_of(here, SUB_DIAGONAL, f"caption: {text}")
    assert "16:9" in message
    assert errors_of(here, SUB_DIAGONAL, title=f"T\ncredit: {text}") == [message]


@pytest.mark.parametrize(
    "text", ["a b", "it's", 'say "so"', r"\frac", "a: b", "5", "true", "x #1", " x", "{m}", "- a"]
)
def test_written_texts_read_back_the_same(text):
    for form in (yaml_text(text), quote_text(text), *(quote_like(mark, text) for mark in "'\"")):
        assert parse_yaml(f"a: {form}", "f").value == {"a": text}
    assert parse_yaml(f"[{yaml_text(text)}, 1]", "f").value == [text, 1]


@pytest.mark.parametrize("value", ["the cat", "a$b", "it's", 5, [1, 2], 1.5, ["a", 'b"c']])
def test_suggested_settings_can_be_pasted_into_a_shell(value):
    flag, argument = shlex.split(set_option("x", value))
    name, _, text = argument.partition("=")
    assert (flag, name) == ("--set", "x")
    read = parse_yaml(text, "f").value if text[:1] in "[\"'" else plain_value(text)
    assert read == value


def test_latex_in_a_map_on_one_line():
    [problem] = parse_yaml(r'shots: [{caption: "so $\frac{1}{2}$", id: x}]', "f").problems
    assert problem.message.endswith(r": write caption: 'so $\frac{1}{2}$'")
