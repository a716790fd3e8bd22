"""One value of a storyboard's text changed where it is written, and nothing else: comments stay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import yaml

from clockhead.pipeline.storyboard.problems import StoryboardError
from clockhead.pipeline.storyboard.scalars import Value, in_quotes_like, written
from clockhead.pipeline.storyboard.tree import At, dotted
from clockhead.pipeline.storyboard.yaml_reader import parse


class NotRewritten(Exception):
    """The text cannot be changed in this place; the message says why."""


def with_value(text: str, at: At, value: Value) -> str:
    """The text with another value at a path; where there is none yet, with a line more.

    Raises:
        NotRewritten: when the text is not YAML, or has nothing around that place.
    """
    try:
        parse(text, "")  # which refuses what PyYAML's own tree would choke on
    except StoryboardError as error:
        first = error.problems[0]
        raise NotRewritten(
            f"mend the storyboard first: line {first.line}: {first.message}"
        ) from None
    root = yaml.compose(text, yaml.SafeLoader)
    changed = text if root is None else _changed(text, root, at, value)
    if _at(changed, at) != value:
        raise NotRewritten(f"{dotted(at)} has to be written by hand here")
    return changed


def _changed(text: str, node: yaml.Node, at: At, value: Value) -> str:
    key: yaml.Node | None = None
    for depth, step in enumerate(at):
        entry = _entry(node, step)
        if entry is None:
            return _added(text, node, key, at[depth:], value)
        key, node = entry
    return _replaced(text, node, key, value)


def _entry(node: yaml.Node, step: str | int) -> tuple[yaml.Node | None, yaml.Node] | None:
    """The key and the value that a step leads to."""
    if isinstance(node, yaml.MappingNode):
        return next(((key, item) for key, item in node.value if key.value == step), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return None, node.value[step]
    return None


def _replaced(text: str, node: yaml.Node, key: yaml.Node | None, value: Value) -> str:
    start, end = node.start_mark.index, _end(text, node)
    style = node.style if isinstance(node, yaml.ScalarNode) else None
    new = in_quotes_like(style, value) if isinstance(value, str) and style in ("'", '"') else ""
    new = new or written(value)
    if key is not None and (start == end or _is_block(node)):
        start = text.index(":", key.end_mark.index) + 1
        new, end = f" {new}", max(start, end)
    return text[:start] + new + text[end:]


def _added(
    text: str, node: yaml.Node, key: yaml.Node | None, path: Sequence[str | int], value: Value
) -> str:
    """The text with keys that were not there, in one line."""
    whole: Any = value
    for step in reversed(path):
        whole = {step: whole}
    if not isinstance(node, yaml.MappingNode):
        if isinstance(node, yaml.ScalarNode) and not node.value.strip("~"):
            return _replaced(text, node, key, whole)
        raise NotRewritten(f"there is no {path[0]} to write to")
    new = written(whole)[1:-1]
    if node.flow_style:
        if not node.value:
            return _replaced(text, node, key, whole)
        end = _end(text, node.value[-1][1])
        return f"{text[:end]}, {new}{text[end:]}"
    first, _ = node.value[0]
    before = next((item for k, item in node.value if k.value == "stage"), node.value[-1][1])
    end = text.find("\n", _end(text, before))
    end = len(text) if end < 0 else end
    return f"{text[:end]}\n{' ' * first.start_mark.column}{new}{text[end:]}"


def _is_block(node: yaml.Node) -> bool:
    """Whether it is a list or a map without brackets: what follows belongs to its mark's end."""
    return isinstance(node, yaml.CollectionNode) and not node.flow_style


def _end(text: str, node: yaml.Node) -> int:
    """Where a value's last character is, without the blanks and comments after it."""
    if _is_block(node) and node.value:
        last = node.value[-1]
        return _end(text, last[1] if isinstance(last, tuple) else last)
    start, end = node.start_mark.index, node.end_mark.index
    return start + len(text[start:end].rstrip()) if start < end else end


def _at(text: str, at: At) -> Any:
    """What a reader finds at a path."""
    found: Any = parse(text, "").value
    try:
        for step in at:
            found = found[step]
    except (KeyError, IndexError, TypeError):
        return NotImplemented
    return found
