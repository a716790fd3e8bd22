"""Numbers on screen are facts: the digits that templates have of their own are few, and told here.

All texts of the films are read from their sources: sentences, labels, claims, what storyboards say,
and the catalogues of other languages. A digit outside a `{fact}` has to be part of one of
`MAY_STAND`; any other number belongs into the model, from where a template takes it.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml

from clockhead.libraries import BUILT_IN
from clockhead.scenes.stage import stage_names

MAY_STAND = {
    r"\b([Ll]ayer|[Hh]ead|attention|MLP|Schicht|Kopf) \d\b": "the name of a layer, or of a head",
    r"\b[A-Zkq]_\d\b|\btheta_0\b": "the name of a matrix, of the first number, or hand's angle",
    r"\bGPT-2\b|\bLLaMA 7B\b": "the name of a model",
    r"\(\d{4}\)": "the year of a publication",
    r"\^2\b": "a square, in a formula",
    r"ε/4|epsilon/4|2 ln 2": "theorems: two triangles, beside a sigmoid",
    r"2 \"message\"": "a theorem: the square of a difference",
    r"(?<![\w.,])[−-]?[01](?![\w%]|[.,]\d)": (
        "zero and one: what is set, what shares add up to, the first position, the ends of cosines"
    ),
    r"\b26\b": "the letters of the alphabet, and so the rotations of a Caesar cipher",
}
"""Which digits may be written in a sentence, and why they can be true of all inputs."""
FILMS = sorted({name.partition(".")[0] for name in stage_names([BUILT_IN])})
_FIELD = re.compile(r"\{[^{}]*\}")
_CHOICE = re.compile(r"\{[^{}:]*:([^{}|]*\|[^{}]*)\}")
"""A field that says one thing or another by a fact: its words are seen."""
_WORD = re.compile(r"[^\W\d_]{2}")
_NAME = re.compile(r"#?[\w.]+")
"""What a source calls a value or a colour."""
_NOT_SEEN = {"description", "pattern"}
"""Keywords whose texts are for authors: of inputs."""
_FOR_AUTHORS = {"Derived", "Doc", "ValueError", "AttributeError", "RuntimeError", "TypeError"}


def texts_of(source: str) -> Iterator[tuple[int, str]]:
    """The texts of a source that may be seen, and their lines; what is filled in is `{}`.

    A text has a word. Docstrings, descriptions and errors are for authors.
    """
    yield from _texts(ast.parse(source))


def _texts(node: ast.AST) -> Iterator[tuple[int, str]]:
    if isinstance(node, ast.Constant | ast.JoinedStr):
        text = _joined(node)
        if _WORD.search(_FIELD.sub("", text)) and not _NAME.fullmatch(text):
            yield node.lineno, text
        return
    for child in ast.iter_child_nodes(node):
        if not _is_for_authors(child):
            yield from _texts(child)


def _joined(node: ast.Constant | ast.JoinedStr) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    pieces = (_joined(p) if isinstance(p, ast.Constant) else "{}" for p in node.values)
    return re.sub(r"\{([^{}]*)\{\}\}", r"{\1}", "".join(pieces))


def _is_for_authors(node: ast.AST) -> bool:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.keyword):
        return node.arg in _NOT_SEEN
    # The first argument of these is for authors; a template may be another.
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") in _FOR_AUTHORS


def typed(text: str) -> list[str]:
    """The numbers of a template that are no facts and may not stand there."""
    rest = _FIELD.sub("{}", _CHOICE.sub(r"\1", text))
    for pattern in MAY_STAND:
        rest = re.sub(pattern, "", rest)
    return re.findall(r"\d+(?:[.,]\d+)*", rest)


def sources(film: str) -> Iterator[Path]:
    """The sources of a film's stages."""
    yield from sorted((BUILT_IN.stages / film).glob("*.py"))


@cache
def storyboards() -> dict[str, dict[str, str]]:
    """Of every shipped storyboard, the texts that are seen, by where they stand."""
    found = {}
    for file in sorted(BUILT_IN.storyboards.glob("*.yaml")):
        film = yaml.safe_load(file.read_text(encoding="utf-8"))
        texts = {name: film[name] for name in ("title", "credit") if name in film}
        for shot in film["shots"]:
            own = {name: shot[name] for name in ("title", "question", "caption") if name in shot}
            texts |= {f"{shot['stage']} {name}": text for name, text in own.items()}
        found[file.name] = texts
    return found


def catalogues() -> Iterator[tuple[Path, str, str]]:
    """Every text of a catalogue, in English and in its own language."""
    for file in sorted(BUILT_IN.stages.rglob("*.toml")):
        for table, texts in tomllib.loads(file.read_text(encoding="utf-8")).items():
            if table != "language":
                yield from ((file, english, text) for english, text in texts.items())


def in_sources(folder: Iterator[Path]) -> list[str]:
    return [
        f"{file.parent.name}/{file.name}:{line}: {text!r} says {', '.join(numbers)}"
        for file in folder
        for line, text in texts_of(file.read_text(encoding="utf-8"))
        if (numbers := typed(text))
    ]


@pytest.mark.parametrize("film", FILMS)
def test_no_number_is_typed_into_the_sentences_of_a_film(film: str):
    assert in_sources(sources(film)) == []


def test_no_number_is_typed_into_what_films_share():
    assert in_sources(iter(sorted((BUILT_IN.stages / "parts").glob("*.py")))) == []


def test_no_number_is_typed_into_a_storyboard():
    told = [
        (file, where, numbers)
        for file, texts in storyboards().items()
        for where, text in texts.items()
        if (numbers := typed(text))
    ]
    assert told == []


def test_a_translation_says_no_numbers_but_those_of_the_english():
    def numbers(text: str) -> Counter[str]:
        return Counter(re.findall(r"\d+", _FIELD.sub("", text)))

    more = [(file.name, text) for file, en, text in catalogues() if numbers(text) - numbers(en)]
    typed_in = [
        (file.name, text) for file, en, text in catalogues() if typed(text) and not typed(en)
    ]
    assert (more, typed_in) == ([], [])


@pytest.mark.parametrize("pattern", MAY_STAND)
def test_what_may_stand_stands_somewhere(pattern: str):
    python = [BUILT_IN.stages.rglob("*.py")]
    seen = (
        text
        for files in python
        for file in files
        for _, text in texts_of(file.read_text(encoding="utf-8"))
    )
    written = (text for texts in storyboards().values() for text in texts.values())
    assert any(re.search(pattern, _FIELD.sub("{}", text)) for text in [*seen, *written])


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("{share:.1%} is less than 99%", ["99"]),
        ("A lead of 0.7 makes a share twice as large", ["0.7"]),
        ("α = 10 with {beta:g}", ["10"]),
        ("50.0% of 1.5", ["50.0", "1.5"]),
        ("1,000 rows, 1% and 0.5", ["1,000", "1", "0.5"]),
        ("Layer 0 and head 1 of $W_1$ are 0, row 1 adds up to 1.", []),
        ("position 44", ["44"]),
        ("{n:it is 3|they are 4} or so", ["3", "4"]),
    ],
)
def test_digits_are_told_from_facts_and_names(text: str, numbers: list[str]):
    assert typed(text) == numbers
