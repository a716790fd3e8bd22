"""Edit a storyboard's text: change a value, add a shot or a handle; the rest stays as written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from textwrap import indent
from typing import Any

import yaml

from clockhead.storyboard.problems import StoryboardError
from clockhead.storyboard.scalars import Value, quote_like, yaml_text
from clockhead.storyboard.yaml_reader import KeyPath, dotted_path, parse_yaml


class RewriteError(Exception):
    """A text cannot be changed at this place; the message says why."""


def set_value(text: str, at: KeyPath, value: Value) -> str:
    """The text with a value at a path; if the path is new, with another line.

    Raises:
        RewriteError: if the text is not YAML, or has nothing around that path.
    """
    root = yaml_nodes(text)
    changed = text if root is None else _change(text, root, at, value)
    if _value_at(changed, at) != value:
        raise RewriteError(f"{dotted_path(at)} has to be written by hand here")
    return changed


def add_shot(text: str, stage: str, after: int | None = None) -> str:
    """The text with a new shot of a stage: after another shot, or as the last one.

    If another shot has the name of the stage, the new one gets an id.

    Raises:
        RewriteError: if the text is not YAML, or its list of shots is written in an unusual way.
    """
    root = yaml_nodes(text)
    given = parse_yaml(text, "").value
    if not isinstance(root, yaml.MappingNode) or not isinstance(given, dict):
        raise RewriteError("begin with `version: 1`, a title and `shots:`")
    shots = given.get("shots") or []
    if not isinstance(shots, list):
        raise RewriteError("shots must be a list")
    place = len(shots) if after is None else min(after + 1, len(shots))
    entry = {"stage": stage, **_new_id(stage, shots)}
    found = _find(root, "shots")
    if found is None:
        changed = f"{text.rstrip()}\nshots:\n{_item_lines(entry, 2)}\n"
    else:
        changed = _insert_item(text, *found, place, entry)
    wanted = {**given, "shots": [*shots[:place], entry, *shots[place:]]}
    if parse_yaml(changed, "").value != wanted:
        raise RewriteError("the shot has to be written by hand here")
    return changed


def set_handle(text: str, shot: int, name: str, stops: Value, own: Mapping[str, Value]) -> str:
    """The text in which a shot has a handle with these `stops`, or if they are null, has it not.

    `own` are the handles of its stage, which the shot has if its storyboard does not choose any.

    Raises:
        RewriteError: if the text is not YAML, or its handles are written in an unusual way.
    """
    at: KeyPath = ("shots", shot, "handles")
    yaml_nodes(text)
    written = _value_at(text, at)
    before = written if isinstance(written, dict) else own
    after = {other: before[other] for other in before if other != name}
    if stops is not None:
        after[name] = before.get(name, stops)
    if after == own:
        return text if written is NotImplemented else _remove_key(text, at)
    if not isinstance(written, dict) or not after:
        return set_value(text, at, after)
    if stops is not None:
        return set_value(text, (*at, name), after[name])
    return _remove_key(text, (*at, name)) if name in written else text


def _remove_key(text: str, at: KeyPath) -> str:
    """The text without a key of a map that has others, and without its value.

    Raises:
        RewriteError: if it is written in an unusual way.
    """
    node = yaml_nodes(text)
    for step in at[:-1]:
        found = None if node is None else _find(node, step)
        node = found[1] if found else None
    if not isinstance(node, yaml.MappingNode):
        raise RewriteError(f"{dotted_path(at)} has to be removed by hand here")
    place = next(n for n, (key, _) in enumerate(node.value) if key.value == at[-1])
    key, value = node.value[place]
    start, end = key.start_mark.index, end_of_value(text, value)
    line = text.rfind("\n", 0, start) + 1
    if not node.flow_style and not text[line:start].strip():
        start, end = line, text.find("\n", end) + 1 or len(text)
    elif place + 1 < len(node.value):
        end = node.value[place + 1][0].start_mark.index
    elif place:
        start = end_of_value(text, node.value[place - 1][1])
    changed = text[:start] + text[end:]
    wanted = parse_yaml(text, "").value
    inner: Any = wanted
    for step in at[:-1]:
        inner = inner[step]
    del inner[at[-1]]
    if parse_yaml(changed, "").value != wanted:
        raise RewriteError(f"{dotted_path(at)} has to be removed by hand here")
    return changed


def _new_id(stage: str, shots: Sequence[Any]) -> dict[str, str]:
    """The id that a shot needs if another shot has the name of its stage."""
    taken = {
        str(shot.get("id") or str(shot.get("stage")).rpartition(".")[2])
        for shot in shots
        if isinstance(shot, dict)
    }
    own = stage.rpartition(".")[2]
    if own not in taken:
        return {}
    return {"id": next(name for n in count(2) if (name := f"{own}_{n}") not in taken)}


def _insert_item(
    text: str, key: yaml.Node | None, shots: yaml.Node, place: int, entry: Mapping[str, str]
) -> str:
    """The text with another item in its list of shots."""
    assert key is not None
    if not isinstance(shots, yaml.SequenceNode) or not shots.value:
        start = text.index(":", key.end_mark.index) + 1
        end = max(start, end_of_value(text, shots))
        below = "\n" + _item_lines(entry, key.start_mark.column + 2)
        return text[:start] + below + text[end:]
    before = shots.value[max(place - 1, 0)]
    if shots.flow_style:
        at = end_of_value(text, before) if place else before.start_mark.index
        new = yaml_text(entry)
        return text[:at] + (f", {new}" if place else f"{new}, ") + text[at:]
    new = _item_lines(entry, shots.start_mark.column)
    end = text.find("\n", end_of_value(text, before))
    return f"{text}\n{new}\n" if end < 0 else f"{text[:end]}\n{new}{text[end:]}"


def _item_lines(entry: Mapping[str, str], column: int) -> str:
    """The lines of a list item, with its dash at this column."""
    lines = "\n  ".join(f"{name}: {yaml_text(value)}" for name, value in entry.items())
    return indent(f"- {lines}", " " * column)


def yaml_nodes(text: str) -> yaml.Node | None:
    """The nodes of a text, with their positions.

    Raises:
        RewriteError: if it is not YAML.
    """
    try:
        parse_yaml(text, "")  # which refuses texts on which PyYAML itself would crash
    except StoryboardError as error:
        first = error.problems[0]
        raise RewriteError(
            f"correct the storyboard first: line {first.line}: {first.message}"
        ) from None
    root: yaml.Node | None = yaml.compose(text, yaml.SafeLoader)
    return root


def _change(text: str, node: yaml.Node, at: KeyPath, value: Value) -> str:
    key: yaml.Node | None = None
    for depth, step in enumerate(at):
        entry = _find(node, step)
        if entry is None:
            return _add_keys(text, node, key, at[depth:], value)
        key, node = entry
    return _replace(text, node, key, value)


def _find(node: yaml.Node, step: str | int) -> tuple[yaml.Node | None, yaml.Node] | None:
    """The nodes of the key and the value at a step of a path."""
    if isinstance(node, yaml.MappingNode):
        return next(((key, item) for key, item in node.value if key.value == step), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return None, node.value[step]
    return None


def _replace(text: str, node: yaml.Node, key: yaml.Node | None, value: Value) -> str:
    start, end = node.start_mark.index, end_of_value(text, node)
    style = node.style if isinstance(node, yaml.ScalarNode) else None
    new = quote_like(style, value) if isinstance(value, str) and style in ("'", '"') else ""
    new = new or yaml_text(value)
    if key is not None and (start == end or _is_block(node)):
        start = text.index(":", key.end_mark.index) + 1
        new, end = f" {new}", max(start, end)
    return text[:start] + new + text[end:]


def _add_keys(
    text: str, node: yaml.Node, key: yaml.Node | None, path: Sequence[str | int], value: Value
) -> str:
    """The text with new keys, in one line."""
    whole: Any = value
    for step in reversed(path):
        whole = {step: whole}
    if not isinstance(node, yaml.MappingNode):
        if isinstance(node, yaml.ScalarNode) and not node.value.strip("~"):
            return _replace(text, node, key, whole)
        raise RewriteError(f"there is no {path[0]} to write to")
    new = yaml_text(whole)[1:-1]
    if node.flow_style:
        if not node.value:
            return _replace(text, node, key, whole)
        end = end_of_value(text, node.value[-1][1])
        return f"{text[:end]}, {new}{text[end:]}"
    first, _ = node.value[0]
    items = {k.value: item for k, item in node.value}
    # In a shot after its stage, in a film after its title, and elsewhere last.
    before = items.get("stage") or items.get("title") or node.value[-1][1]
    end = text.find("\n", end_of_value(text, before))
    end = len(text) if end < 0 else end
    return f"{text[:end]}\n{' ' * first.start_mark.column}{new}{text[end:]}"


def _is_block(node: yaml.Node) -> bool:
    """Whether it is a list or a map without brackets; PyYAML puts its end after blank lines."""
    return isinstance(node, yaml.CollectionNode) and not node.flow_style


def end_of_value(text: str, node: yaml.Node) -> int:
    """The index after a value, without the blanks and comments that follow."""
    if _is_block(node) and node.value:
        last = node.value[-1]
        return end_of_value(text, last[1] if isinstance(last, tuple) else last)
    start, end = node.start_mark.index, node.end_mark.index
    return start + len(text[start:end].rstrip()) if start < end else end


def _value_at(text: str, at: KeyPath) -> Any:
    """The value at a path of a text; `NotImplemented` if there is none."""
    found: Any = parse_yaml(text, "").value
    try:
        for step in at:
            found = found[step]
    except (KeyError, IndexError, TypeError):
        return NotImplemented
    return found
