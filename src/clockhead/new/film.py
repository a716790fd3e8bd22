"""The storyboard of a new film: a small one that explains itself, or a copy of another film's."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from jinja2 import Environment, PackageLoader, StrictUndefined

from clockhead.scenes.stage import find_stage
from clockhead.storyboard.models import inputs_schema
from clockhead.storyboard.problems import Problem, StoryboardError
from clockhead.storyboard.scalars import plain_value
from clockhead.storyboard.validation import describe, schema_at
from clockhead.storyboard.yaml_reader import parse_file

EXPECTED = {
    "previous_token.constant_key": {"reader.keys.error": "== 0"},
    "previous_token.sub_diagonal": {"row.head.worst_weight": ">= 0.99"},
}
"""The shots of the small film, and what each could expect."""
_CREDIT = "After a construction by Chris Wendler"
_SCHEMA_LINE = "# yaml-language-server: $schema=storyboard.schema.json"
_ANY_SCHEMA_LINE = re.compile(r"# yaml-language-server:.*")


_FILES = Environment(
    loader=PackageLoader("clockhead"),
    undefined=StrictUndefined,
    keep_trailing_newline=True,
    trim_blocks=True,
)


@dataclass(frozen=True)
class _Input:
    """An input in a storyboard, with its description and bounds."""

    name: str
    value: str
    about: str
    is_given: bool
    """Whether it has a default value."""


def first_storyboard(name: str) -> str:
    """A storyboard of two shots."""
    return storyboard_of_stages(title_from_name(name), EXPECTED, credit=_CREDIT)


def storyboard_of_stages(
    title: str, shots: Mapping[str, Mapping[str, str]], *, credit: str = ""
) -> str:
    """A storyboard of these stages and what each could expect; the inputs that they share first.

    Of a single stage, all inputs are the film's.
    """
    takes = {stage: _inputs_of(stage) for stage in shots}
    inputs = {key: one for taken in takes.values() for key, one in taken.items()}
    shared = {
        key: one
        for key, one in inputs.items()
        if len(shots) == 1 or sum(key in taken for taken in takes.values()) > 1
    }
    return render_template(
        "storyboard.yaml",
        title=_scalar(title),
        credit=credit,
        inputs=shared.values(),
        shots=[_shot(stage, shots[stage], takes[stage], shared) for stage in shots],
    )


def copy_storyboard(file: Path, name: str) -> str:
    """The storyboard in a file, with its comments, and with the title of a new film.

    Raises:
        StoryboardError: when it cannot be read, or has no title that could be another.
    """
    tree = parse_file(file)
    text = file.read_text(encoding="utf-8-sig")
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    keys = root.value if isinstance(root, yaml.MappingNode) else []
    node = next((value for key, value in keys if key.value == "title"), None)
    if node is None:
        raise StoryboardError([Problem.at(tree.place(()), "this storyboard has no title to copy")])
    start, end = node.start_mark.index, node.end_mark.index
    after = "\n" if text[start:end].endswith("\n") else ""
    copied = f"{text[:start]}{_scalar(title_from_name(name))}{after}{text[end:]}"
    first, _, rest = copied.partition("\n")
    body = rest if _ANY_SCHEMA_LINE.fullmatch(first) else copied
    return f"{_SCHEMA_LINE}\n# Begun as a copy of {file.name}.\n{body}"


def render_template(template: str, **values: Any) -> str:
    """The text of a template in `templates`, with these values."""
    return _FILES.get_template(f"{template}.jinja").render(values)


def title_from_name(name: str) -> str:
    """`my_lecture` as the title `My lecture`."""
    words = " ".join(re.split(r"[_-]+", name)).strip()
    return words[:1].upper() + words[1:]


def _inputs_of(stage: str) -> dict[str, _Input]:
    schema = inputs_schema(stage)
    return {key: _input(key, schema) for key in schema["properties"]}


def _input(name: str, schema: Mapping[str, Any]) -> _Input:
    part = schema_at(schema, (name,))
    default, may = part["default"], describe(part)
    about = f"{part['description']} ({may})" if part.get("description") else may
    value = _written(_least(part) if default is None else default)
    return _Input(name, value, about, default is not None)


def _least(part: Mapping[str, Any]) -> Any:
    """The least number that an input without a default could be."""
    return next((one["minimum"] for one in part.get("anyOf", ()) if "minimum" in one), None)


def _written(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return _scalar(value) if isinstance(value, str) else json.dumps(value)


def _scalar(text: str) -> str:
    """A text as YAML, in quotes where it needs them."""
    plain = plain_value(text) == text and re.fullmatch(r"[\w ]*\w", text)
    return text if plain else json.dumps(text, ensure_ascii=False)


def _shot(
    stage: str, expected: Mapping[str, str], takes: Mapping[str, _Input], shared: Mapping[str, Any]
) -> dict[str, Any]:
    own: Sequence[_Input] = [one for key, one in takes.items() if key not in shared]
    shown = own or [one for one in takes.values() if one.is_given]
    found = find_stage(stage)
    return {
        "stage": stage,
        "id": stage.partition(".")[2],
        "title": json.dumps(found.title, ensure_ascii=False),
        "caption": json.dumps(found.caption, ensure_ascii=False),
        "expect": _map({key: f'"{must}"' for key, must in expected.items()}),
        "inputs": own,
        "given": _map({one.name: one.value for one in shown if one.is_given}),
    }


def _map(values: Mapping[str, str]) -> str:
    inside = ", ".join(f"{key}: {value}" for key, value in values.items())
    return f"{{{inside}}}"
