"""Storyboards, settings and bytes as strangers may send them: by grammar, and by mutation."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from clockhead.places import PACKAGE

HUNT = int(os.environ.get("CLOCKHEAD_FUZZ", "0"))
"""As many cases of each kind are tried, others each time; if 0, a few that stay the same."""
SHIPPED = sorted((PACKAGE / "storyboards").glob("*.yaml"))

SIGNS = [
    *("", " ", "#", " #x", ": ", "- ", "? ", "&a", "*a", "!x", "<<", "|", ">", "%", "@", "`", "\t"),
    *("'", '"', "\\", "[", "]", "{", "}", "{{", "[" * 20, "{a: " * 20, "\n", "\r", "\n---\n"),
    *("{m}", "{n:.99f}", "{n!r}", "{inputs.alpha:.1%-}", "{m.__class__}", "{}", "{0}"),
    *("$", "$x$", "$x_most$", "\\$", "$#read(1)$", "$\\frac{1}{2}$", "$" + "sqrt(" * 40 + "$"),
    *("$QK^T$", "$\\alpha x_10$", "$a_ij$", "$$x$$", "\\(x_{i}\\)", "5$", "**b**", "<b>b</b>"),
    *(
        "$\\left(",
        "\\frac{m}",
        "$x_{m}$",
        "\\text{",
        "^{",
        "$\\sqrt{{m}}$",
        "\\\\",
        "\\begin{cases}",
    ),
    *("null", "true", ".nan", "-.inf", "1e999", "9" * 99, "0x1", "-0", "1.5", "3", "é漢", "🙂"),
    *(">= 0.5", ">=", "<> 1", "== =", "> 1,000", "k" * 400, "\u202e", "\u2028", "\xa0", "\ufeff"),
    *("\u2029", "\x85", "\r\r", "# \u2028", "# \u2067"),
    *("\x1b[31m", "\x07", "\ud800", "\x00", "fake.grid", "rope.matrix", "__init__", "../x"),
]
KEYS = [
    *("version", "title", "credit", "theme", "aspect", "captions", "pace", "language", "voice"),
    *("inputs", "shots", "stage", "id", "caption", "say", "expect", "hold", "text", "m", "alpha"),
    *("d_head", "mode", "pair", "bold", "k", "mass", "row.head.worst_weight", "question", "1"),
]

words = st.one_of(
    st.sampled_from(SIGNS),
    st.sampled_from(SIGNS),
    st.text(st.characters(exclude_categories=["C"]), max_size=12),
    st.text(max_size=3),
)
scalars = (
    words
    | st.lists(words, min_size=2, max_size=4).map("".join)
    | st.none()
    | st.booleans()
    | st.integers(-3, 12)
    | st.floats()
)
keys = st.sampled_from(KEYS) | words
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=8,
)


def tries(usual: int) -> Callable[[Any], Any]:
    """So many cases, the same in every run; or as many as are asked for, others each time."""
    return settings(
        max_examples=HUNT or usual,
        derandomize=not HUNT,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


def _often(sound: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.integers(0, 11).flatmap(lambda die: values if die == 11 else sound)


def _named(*names: str) -> st.SearchStrategy[str]:
    return st.integers(0, 9).flatmap(lambda die: keys if die == 9 else st.sampled_from(names))


_FORMATS = st.sampled_from([*("", "", "s", "d", ".2f", ".1%", ".1%-", ".3g", "+,.1f+", ".99f")])
"""How a fact may be written, whatever it is."""


def fields(*names: str) -> st.SearchStrategy[str]:
    """Facts by these names in a sentence, in all formats."""
    return st.builds("{{{}:{}}}".format, st.sampled_from(names), _FORMATS)


_SENTENCE = st.lists(
    st.sampled_from(["So {m}", "is {mass:.1%-}", "$x^2$", "and it", "{n}", "costs \\$5"])
    | fields("n", "mass", "who", "ok", "gap", "token", "size", "share", "whole", "inputs.name")
    | words,
    min_size=1,
    max_size=3,
).map(" ".join)
_INPUTS = st.fixed_dictionaries(
    {},
    optional={
        "text": _often(st.sampled_from(["the cat sat", "a b"])),
        "d_head": _often(st.sampled_from([2, 64, 65, 256])),
        "m": _often(st.integers(-1, 4)),
        "alpha": _often(st.floats(0, 20)),
        "mode": _often(st.sampled_from(["soft", "hard", "sotf"])),
        "pair": _often(st.lists(st.integers(0, 9), max_size=3)),
        "bold": _often(st.booleans()),
        "length": _often(st.sampled_from([4, 5, 8])),
        "name": _often(st.sampled_from(["sat", "Sat", "two words", None])),
        "words": _often(st.lists(st.sampled_from(["a", "é", ""]), max_size=5)),
        "rows": _often(st.lists(st.lists(st.floats(), max_size=2), max_size=2) | st.none()),
        "either": _often(st.sampled_from([2, 3, "sat", "Sat", 2.0])),
        "seed": _often(st.integers(-1, 100) | st.none()),
        "levels": _often(st.lists(st.integers(-4, 4), max_size=3)),
    },
)
_EXPECTATIONS = st.dictionaries(
    _named("n", "mass", "who", "ok", "gap", "inputs.alpha", "token", "size", "whole"),
    _often(st.builds("{} {}".format, st.sampled_from([">=", "<", "==", "!=", "="]), scalars)),
    max_size=3,
)
_WORDS_OF_BEATS = st.dictionaries(_named("look", "caption"), _often(_SENTENCE), max_size=3)
_SHOT = st.fixed_dictionaries(
    {"stage": _often(st.sampled_from(["fake.grid", "fake.narrow", "fake.choice", "fake.gird"]))},
    optional={
        "id": _often(st.sampled_from(["a", "b", "c"])),
        "title": _often(_SENTENCE),
        "caption": _often(_SENTENCE),
        "inputs": _often(_INPUTS),
        "expect": _often(_EXPECTATIONS),
        "say": _often(
            st.dictionaries(_named("question", "caption"), _often(_SENTENCE), max_size=3)
        ),
        "question": _often(_SENTENCE),
        **dict.fromkeys(("beats", "asks"), _often(_WORDS_OF_BEATS)),
        "notes": _often(_SENTENCE | _WORDS_OF_BEATS),
        "quiz": _often(
            st.dictionaries(
                _named("look", "caption"),
                _often(
                    st.fixed_dictionaries(
                        {
                            "answers": _often(st.lists(_often(_SENTENCE), max_size=7)),
                            "right": _often(st.integers(0, 7)),
                        }
                    )
                ),
                max_size=2,
            )
        ),
        "hold": _often(st.floats(-1, 61)),
    },
)
_FILM = st.fixed_dictionaries(
    {
        "version": _often(st.just(1)),
        "title": _often(st.just("A film")),
        "shots": _often(st.lists(_often(_SHOT), min_size=1, max_size=4)),
    },
    optional={
        "inputs": _often(_INPUTS),
        "credit": _often(_SENTENCE),
        "theme": _often(st.sampled_from(["paper", "dark"])),
        "aspect": _often(st.sampled_from(["1:1", "2:1"])),
        "captions": _often(st.sampled_from(["off", "of"])),
        "pace": _often(st.floats(0, 4)),
        "language": _often(st.sampled_from(["en", "de", "dee"])),
        "voice": _often(st.sampled_from([True, "x.onnx"])),
    },
)


def around(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values of an input with this JSON schema: what fits, what nearly does, and other things."""
    near: list[st.SearchStrategy[Any]] = [values]
    if "enum" in schema:
        choices = st.sampled_from(schema["enum"])
        near += [choices, choices.map(str), choices.map(lambda one: one * 2), st.integers(-1, 130)]
    for choice in schema.get("anyOf", ()):
        near.append(around(choice))
    match schema.get("type"):
        case "integer" | "number":
            ends = [schema[end] for end in ("minimum", "maximum") if end in schema] or [0]
            steps = [end + step for end in ends for step in (-1, 0, 1)]
            near += [st.sampled_from(steps), st.sampled_from(steps).map(float)]
            near += [st.integers(-2, 40), st.floats(), st.integers(0, 40).map(str)]
        case "string":
            near += [
                st.sampled_from(["a", "sat", "the cat sat", "The Cat", "two  blanks", "x" * 99])
            ]
        case "array":
            items = schema.get("items") or schema["prefixItems"][0]
            near += [st.lists(around(items), max_size=4), around(items)]
    return st.one_of(near)


@st.composite
def storyboards(draw: st.DrawFn) -> bytes:
    """Files that are made as storyboards are, with something strange here and there."""
    film = draw(_FILM)
    if isinstance(film["shots"], list) and draw(st.integers(0, 20)) == 20:
        film["shots"] = [*(film["shots"][:1] * draw(st.integers(60, 66))), *film["shots"]]
    if draw(st.booleans()):
        return json.dumps(film, ensure_ascii=draw(st.booleans())).encode(errors="replace")
    text: str = yaml.dump(film, sort_keys=False, allow_unicode=draw(st.booleans()), width=200)
    return text.encode(errors="replace")


@st.composite
def mutants(draw: st.DrawFn, origin: bytes) -> bytes:
    """Bytes with a few pieces taken out, put in, said twice or overwritten."""
    data = bytearray(origin)
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 40)))
        strange = draw(words.map(lambda word: word.encode("utf-8", "surrogatepass")))
        match draw(st.sampled_from(["out", "in", "twice", "over", "line"])):
            case "out":
                del data[start:end]
            case "in":
                data[start:start] = strange
            case "twice":
                data[start:start] = data[start:end] * draw(st.sampled_from([1, 1, 1, 300]))
            case "over":
                data[start:end] = strange
            case "line":
                at = data.find(b"\n", start) + 1
                data[at:at] = draw(st.sampled_from([b"  ", b"- ", b"shots:\n", b"    x: 1\n"]))
    return bytes(data)


def one_shot(file: Path, number: int) -> bytes:
    """A shipped film with but one of its shots, as it is written."""
    head, *shots = re.split(
        r"^(?=  - stage:)", file.read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    return f"{head}{shots[number % len(shots)]}".encode()
