"""Legal values for the inputs of the films that ship, drawn as lecturers might give them.

Texts are sentences, lists of words, one word, or what a pattern asks for. Numbers lie within their
bounds: anywhere, near the default, or at a bound. A list has the default's length. A value is legal
if every stage that takes the input accepts the value itself; lists have to fit the other inputs too
(as many rows as words), for no bound can say so.

`python -m benchmarks.inputs` prints what becomes of many draws.
"""

from __future__ import annotations

import json
import math
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

from pydantic import ValidationError

from clockhead.scenes.stage import Stage, find_stage
from clockhead.storyboard.films import Film, load_films
from clockhead.storyboard.problems import StoryboardError
from clockhead.storyboard.resolved import ResolvedShot
from clockhead.storyboard.scalars import set_option
from clockhead.storyboard.validation import Schema, without_null
from tests.shipped import shipped

SENTENCES = (
    "the quick brown fox jumps over the lazy dog",
    "a rose is a rose is a rose",
    "Hello world",
    "to be or not to be",
    "the dog barked loudly",
    "attention is all you need",
    "I think therefore I am",
    "she sells sea shells by the sea shore",
    "all happy families are alike",
    "one two three one two",
    "it was the best of times",
    "no man is an island",
)
WORDS = [
    *("the", "a", "cat", "dog", "man", "bird", "sat", "ran", "saw", "bit"),
    *("mat", "house", "tree", "old", "big", "red", "and", "or", "on", "in"),
    *("over", "under", "to", "of", "we", "she", "they", "like", "love", "make"),
    *("time", "year", "never", "queens", "attention", "heads", "rotate", "quickly", "zebra"),
]
TRIES = 60


@dataclass(frozen=True)
class Outcome:
    """What became of a film with drawn inputs."""

    settings: tuple[str, ...]
    film: Film | None
    refusals: tuple[str, ...]
    """What was said, if it was refused."""


def inputs_of(name: str) -> dict[str, list[ResolvedShot]]:
    """The inputs that a film offers, and the shots that take each."""
    shots: dict[str, list[ResolvedShot]] = {}
    for shot in shipped(name).shots:
        for field in find_stage(shot.stage).Inputs.model_fields:
            shots.setdefault(field, []).append(shot)
    return shots


def draws(name: str, n: int, random: Random, *, most: int = 1) -> Iterator[tuple[str, ...]]:
    """`n` times `--set` for a film: each input in turn, with up to `most - 1` others."""
    offered = inputs_of(name)
    names = list(offered)
    for index in range(n):
        first = names[index % len(names)]
        others = [one for one in names if one != first]
        n_more = min(random.randint(1, most - 1), len(others)) if most > 1 else 0
        chosen = [first, *random.sample(others, n_more)]
        given = [drawn_setting(one, offered[one], random) for one in chosen]
        yield tuple(line for line in given if line)


def drawn_setting(field: str, shots: Sequence[ResolvedShot], random: Random) -> str | None:
    """A legal value for all shots that take an input; None if none is found."""
    stages = [find_stage(shot.stage) for shot in shots]
    stage, shot = stages[0], shots[0]
    part = without_null(stage.Inputs.model_json_schema()["properties"][field])
    now = getattr(shot.shot.inputs, field)
    for _ in range(TRIES):
        value = _value(part, now, shot, random)
        if all(_is_legal(s, one, field, value) for s, one in zip(stages, shots, strict=True)):
            [line] = shlex.split(set_option(field, value)[len("--set ") :])
            return line
    return None


def tried(name: str, settings: Sequence[str]) -> Outcome:
    """A film with these settings."""
    try:
        [film] = load_films([name], settings=settings)
    except StoryboardError as error:
        return Outcome(tuple(settings), None, tuple(map(str, error.problems)))
    return Outcome(tuple(settings), film, tuple(map(str, film.failures)))


def offered_settings(refusals: Sequence[str]) -> list[str]:
    """The `--set` lines with which refusals say that it would work."""
    lines = []
    for refusal in refusals:
        found = re.search(r"; it (?:works|holds) with (--set .+?)(?: \(for .*\))?$", refusal)
        words = shlex.split(found[1]) if found else []
        lines += [line for flag, line in pairwise(words) if flag == "--set"]
    return list(dict.fromkeys(lines))


def _is_legal(stage: type[Stage], shot: ResolvedShot, field: str, value: Any) -> bool:
    given = {name: getattr(shot.shot.inputs, name) for name in shot.shot.inputs.model_fields_set}
    plain = {**json.loads(shot.shot.inputs.model_dump_json(include=set(given))), field: value}
    try:
        inputs = stage.Inputs.model_validate_json(json.dumps(plain), strict=True)
    except ValidationError as error:
        of_field = any(one["loc"][:1] == (field,) for one in error.errors())
        return not (of_field or isinstance(value, list))
    if isinstance(value, list):
        try:
            stage.compute(inputs)
        except ValueError:
            return False
    return True


def _value(part: Schema, now: Any, shot: ResolvedShot, random: Random) -> Any:
    if "enum" in part:
        return random.choice(part["enum"])
    match part.get("type"):
        case "boolean":
            return random.random() < 0.5
        case "integer":
            step = part.get("multipleOf", 1)
            return step * round(_number(part, now, random) / step)
        case "number":
            return float(f"{_number(part, now, random):.3g}")
        case "array":
            return _list(part, now, shot, random)
    return _text(part, random)


def _number(part: Schema, now: Any, random: Random) -> float:
    """Anywhere within the bounds, at a bound, or between half and twice the default."""
    low = part.get("minimum", part.get("exclusiveMinimum", 0))
    high = part.get("maximum", part.get("exclusiveMaximum", low + 1000))
    way = random.random()
    if way < 0.4:
        return random.uniform(low, high)
    if way < 0.5:
        return random.choice([low, high])
    near = random.uniform(low, high) if now is None else now * 2 ** random.uniform(-1, 1)
    return min(max(near, low), high)


def _list(part: Schema, now: Any, shot: ResolvedShot, random: Random) -> list[Any]:
    """As long as the default, and in order if that is; a row for each word if there is none."""
    words = getattr(shot.shot.inputs, "text", "a b c").split()
    n = len(words) if now is None else len(now)
    inner = [now[k] if now is not None else None for k in range(n)]
    values = [_value(without_null(part["items"]), one, shot, random) for one in inner]
    if "maxItems" in part and now is None:
        values = values[: part["maxItems"]]
    plain = [v for v in inner if isinstance(v, int | float)]
    in_order = len(plain) == n > 1 and plain == sorted(plain)
    return sorted(values) if in_order else values


def _text(part: Schema, random: Random) -> str:
    """Something that the pattern takes, or a sentence where there is none that does."""
    pattern, longest = part.get("pattern", ".*"), part.get("maxLength", 1000)
    makers: list[Callable[[Random], str]] = [_sentence, _sentence, _word_list, _word, _code, _image]
    random.shuffle(makers)
    for make in makers:
        for _ in range(5):
            text = make(random)
            for one in (text, text.lower(), re.sub("[^a-z]", "", text.lower())[:8]):
                if len(one) <= longest and re.search(pattern, one):
                    return one
    return _sentence(random)


def _sentence(random: Random) -> str:
    return random.choice(SENTENCES)


def _word_list(random: Random) -> str:
    vocabulary = random.sample(WORDS, random.randint(2, 8))
    return " ".join(random.choice(vocabulary) for _ in range(random.randint(2, 9)))


def _word(random: Random) -> str:
    return random.choice(WORDS)


def _code(random: Random) -> str:
    return "".join(random.choice("abc") for _ in range(random.randint(2, 6)))


def _image(random: Random) -> str:
    """Strokes or any shades, 5 to 9 pixels wide and high."""
    n_rows, n_columns = random.randint(5, 9), random.randint(5, 9)
    share, shades = random.uniform(0.1, 0.6), random.choice(["1", "123456789"])
    rows = (
        "".join(random.choice(shades) if random.random() < share else "0" for _ in range(n_columns))
        for _ in range(n_rows)
    )
    if random.random() < 0.5:  # one stroke
        column, slope = random.randrange(n_columns), random.choice([-1, 0, 1])
        middle = math.ceil(n_rows / 2)
        places = [column + slope * (row - middle) for row in range(n_rows)]
        rows = ("".join("1" if k == place else "0" for k in range(n_columns)) for place in places)
    return " ".join(rows)
