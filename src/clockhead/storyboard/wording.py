"""Write out all words of a film in its storyboard, ready to be edited."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

import yaml

from clockhead.scenes.language import speaking, translated
from clockhead.scenes.stage import find_stage
from clockhead.scenes.stage.beats import beats_of
from clockhead.scenes.stage.flaws import TEXTS
from clockhead.storyboard.films import Film
from clockhead.storyboard.resolved import ResolvedShot
from clockhead.storyboard.rewrite import RewriteError, end_of_value, yaml_nodes
from clockhead.storyboard.scalars import quote_text
from clockhead.storyboard.yaml_reader import parse_yaml

CHOSEN = "  # chosen"
"""After a sentence that the stage has chosen by its values."""
_LINES = ("beats", "asks")
Edit = tuple[int, int, str]
"""Start and end of a piece of a text, and what to write there instead."""


def write_out_words(text: str, film: Film) -> str:
    """The storyboard of a film with everything that its shots say, as templates.

    Words that it has already stay, and so do its comments. Sentences that a stage chooses by its
    values are those for the inputs at hand, marked with a comment.

    Raises:
        RewriteError: if its shots are written in an unusual way.
    """
    root, given = yaml_nodes(text), cast("dict[str, Any]", parse_yaml(text, "").value)
    assert isinstance(root, yaml.MappingNode)
    shots = next(value for key, value in root.value if key.value == "shots")
    edits: list[Edit] = []
    for shot in film.shots:
        if shot.card_place is not None:
            continue
        node, own = shots.value[shot.number - 1], given["shots"][shot.number - 1]
        if shots.flow_style:
            raise RewriteError("the words need room: begin each shot on a line of its own, with -")
        edits += _edits(text, node, words_of(shot, own), own)
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def words_of(shot: ResolvedShot, own: Mapping[str, Any]) -> dict[str, Any]:
    """Everything that a shot says, by the keys of a storyboard; `own` is what it has already.

    Of `beats` and `asks`, each text comes with whether the stage has chosen it by its values.
    """
    stage = find_stage(shot.stage)
    given = {f"{kind}.{name}": text for kind in _LINES for name, text in own.get(kind, {}).items()}
    found: dict[str, dict[str, tuple[str, bool]]] = {kind: {} for kind in _LINES}
    with speaking(shot.shot.language):
        texts = {name: translated(getattr(stage, name)) for name in TEXTS}
        told = iter(stage.templates_of(shot.values, given))
        for spec in beats_of(stage):
            asked, said = next(told) if spec.told(shot.values) else ("", "")
            for kind, text in (("asks", asked), ("beats", said)):
                path = f"{kind}.{spec.key}"
                if text := given.get(path, text):
                    own_text = spec.ask if kind == "asks" else spec.sentence
                    found[kind][spec.key] = text, path not in given and callable(own_text)
    return {name: text for name, text in {**texts, **found}.items() if text}


def _edits(
    text: str, node: yaml.Node, words: Mapping[str, Any], own: Mapping[str, Any]
) -> Iterator[Edit]:
    """What to change of the entry of a shot."""
    assert isinstance(node, yaml.MappingNode)
    nodes = {key.value: (key, value) for key, value in node.value}
    column = node.start_mark.column
    new = {name: found for name, found in words.items() if name not in own}
    if node.flow_style:
        kept = [
            f"{key.value}: {text[value.start_mark.index : end_of_value(text, value)]}"
            for key, value in nodes.values()
            if key.value not in _LINES
        ]
        new |= {name: words[name] for name in _LINES if name in own and name in words}
        lines = [*kept, *_lines(new)]
        whole = f"\n{' ' * column}".join(lines)
        yield node.start_mark.index, end_of_value(text, node), whole
        return
    for name in _LINES:
        if name in own and name in words:
            key, value = nodes[name]
            below = f"\n{' ' * column}".join(list(_lines({name: words[name]}))[1:])
            start = text.index(":", key.end_mark.index) + 1
            yield start, end_of_value(text, value), f"\n{' ' * column}{below}"
    last = end_of_value(text, node.value[-1][1])
    end = text.find("\n", last)
    end = len(text) if end < 0 else end
    added = "".join(f"\n{' ' * column}{line}" for line in _lines(new))
    yield end, end, added


def _lines(words: Mapping[str, Any]) -> Iterator[str]:
    for name in ("title", "question", *reversed(_LINES), "caption"):
        found = words.get(name)
        if isinstance(found, str):
            yield f"{name}: {quote_text(found)}"
        elif found:
            yield f"{name}:"
            for beat, (text, is_chosen) in found.items():
                yield f"  {beat}: {quote_text(text)}{CHOSEN if is_chosen else ''}"
