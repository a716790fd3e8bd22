"""What the shell offers when somebody presses Tab: films, shots, inputs and stages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from clockhead.commands import glance

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem
    from pydantic.fields import FieldInfo


def films(context: click.Context, _: click.Parameter, typed: str) -> list[CompletionItem[str]]:
    """Films by name that were not named yet; where none fits, files."""
    from click.shell_completion import CompletionItem

    from clockhead.storyboard.find import known_films

    named = _named(context)
    found = [name for name in known_films() if name.startswith(typed) and name not in named]
    return [CompletionItem(name) for name in found] or [CompletionItem(typed, type="file")]


def shots(context: click.Context, _: click.Parameter, typed: str) -> list[str]:
    """Shots of the films named before; after a comma, another one."""
    others, comma, last = typed.rpartition(",")
    ids = dict.fromkeys(shot.id for shot in _shots(context))
    return [f"{others}{comma}{id}" for id in ids if id.startswith(last)]


def inputs(context: click.Context, _: click.Parameter, typed: str) -> list[CompletionItem[str]]:
    """Inputs of the films named before, `input=`; those of one shot after its name and a dot."""
    from click.shell_completion import CompletionItem

    if "=" in typed:
        return []
    only, dot, _name = typed.rpartition(".")
    found: dict[str, str | None] = {}
    for stage in dict.fromkeys(s.stage for s in _shots(context) if not dot or s.id == only):
        for name, field in _inputs(stage):
            found.setdefault(f"{only}{dot}{name}=", field.description)
    return [CompletionItem(k, help=text) for k, text in found.items() if k.startswith(typed)]


def stages(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem[str]]:
    """Films, folders and stages; where none fits, files."""
    from click.shell_completion import CompletionItem

    names = [name for name in listable() if name.startswith(typed)]
    return [CompletionItem(name) for name in names] or [CompletionItem(typed, type="file")]


def languages(_: click.Context, __: click.Parameter, typed: str) -> list[str]:
    """The codes of the languages there are."""
    from clockhead.scenes.catalogues import languages

    return [code for code in languages() if code.startswith(typed)]


def listable() -> list[str]:
    """All that `clockhead stages` takes: films, folders of stages, and stages."""
    from clockhead.storyboard.find import known_films

    stages = glance.stage_names()
    folders = (name.partition(".")[0] for name in stages)
    return list(dict.fromkeys([*known_films(), *folders, *stages]))


def _named(context: click.Context) -> tuple[str, ...]:
    """The films that stand before the cursor.

    Behind an option that still lacks its value, click leaves them among what it has not parsed.
    """
    given = context.params.get("films") or context.params.get("film") or context.args
    return (given,) if isinstance(given, str) else tuple(given)


def _shots(context: click.Context) -> Iterator[glance.Shot]:
    for film in _named(context):
        yield from glance.shots_of(film)


def _inputs(stage: str) -> Iterable[tuple[str, FieldInfo]]:
    """The inputs of a stage; none of one that is not there."""
    from clockhead.scenes.stage import BrokenStage, UnknownStage, find_stage

    try:
        return find_stage(stage).Inputs.model_fields.items()
    except (BrokenStage, UnknownStage):
        return ()
