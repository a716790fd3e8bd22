"""`clockhead stages`: what there is to show."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from clockhead.commands import glance, suggest
from clockhead.storyboard.wording import described, nearest, show

if TYPE_CHECKING:
    from clockhead.commands.glance import Shot
    from clockhead.scenes.stage import Stage, UnknownStage
    from clockhead.scenes.stage.paths import Facts


@click.command()
@click.argument("name", required=False, metavar="[STAGE_OR_FILM]", shell_complete=suggest.stages)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(name: str | None, as_json: bool) -> None:
    """List what there is to show, what a film shows, or what one stage takes.

    With a stage, such as previous_token.sub_diagonal: its inputs with bounds and defaults, and the
    facts that its captions may use. With a film, by name or file: the stages of its shots, in
    order. With a folder of scenes that is no film, such as onehot: the stages in it.
    """
    listed = _listed(name)
    stages = _found(name, listed)
    one = name is not None and list(listed) == [name]
    if one:
        _look_over(stages.values())
    elif name is None:
        _tell_broken()
    if as_json and not one:
        stages = {n: stage for n, stage in stages.items() if _is_sound(stage)}
    if as_json:
        from clockhead.storyboard.numbers import to_json

        found = [_as_json(*stage) for stage in stages.items()]
        click.echo(to_json(found[0] if one else found))
        return
    lines = _details(*stages.popitem()) if one else _overview(listed, stages)
    for line in lines:
        click.echo(line)


def _listed(name: str | None) -> dict[str, str]:
    """The names of the stages that are asked for, by how each is listed."""
    if name is None:
        from clockhead.scenes.stage import stage_names

        return {stage: stage for stage in stage_names()}
    if _is_film(name):
        return {_as_shown(shot): shot.stage for shot in glance.shots_of(name)}
    if "." in name:
        return {name: name}
    inside = [stage for stage in glance.stage_names() if stage.startswith(f"{name}.")]
    if not inside:
        meant = nearest(name, suggest.listable())
        hint = f"; did you mean {meant}?" if meant else ""
        raise click.UsageError(f"there is no stage, film or folder of scenes {show(name)}{hint}")
    return {stage: stage for stage in inside}


def _is_film(name: str) -> bool:
    from clockhead.storyboard.find import known_films

    return name.endswith((".yaml", ".yml")) or "/" in name or name in known_films()


def _as_shown(shot: Shot) -> str:
    """A stage, and what the shot is called if it has a name of its own."""
    own = shot.id != shot.stage.rpartition(".")[2]
    return f"{shot.stage} as {shot.id}" if own else shot.stage


def _found(wanted: str | None, listed: dict[str, str]) -> dict[str, type[Stage]]:
    """The stages that are listed, by name.

    Raises:
        StoryboardError: with all that a film asks for in vain, and where.
        UsageError: when a stage that was asked for by name is not there.
    """
    from clockhead.scenes.stage import BrokenStage, UnknownStage, find_stage

    found: dict[str, type[Stage]] = {}
    wrong: dict[str, str] = {}
    for name in listed.values():
        try:
            found[name] = find_stage(name)
        except UnknownStage as error:
            wrong[name] = _unknown_stage(error)
        except BrokenStage as error:
            wrong[name] = str(error)
    if wrong and wanted is not None and _is_film(wanted):
        from clockhead.storyboard.problems import Problem, StoryboardError

        shots = glance.shots_of(wanted)
        raise StoryboardError(
            Problem.at(s.place, wrong[s.stage]) for s in shots if s.stage in wrong
        )
    if wrong:
        raise click.UsageError("\n".join(wrong.values()))
    return found


def _unknown_stage(error: UnknownStage) -> str:
    from clockhead.storyboard.older_names import suggestion

    meant = suggestion(error)
    return f"there is no stage {show(error.name)}" + (f"; did you mean {meant}?" if meant else "")


def _look_over(stages: Iterable[type[Stage]]) -> None:
    """Raise all that is wrong with stages, for their default inputs, as one error."""
    from clockhead.scenes.stage import flaws
    from clockhead.storyboard.problems import Problem, StoryboardError

    found: list[flaws.Flaw] = []
    for stage in stages:
        try:
            inputs = stage.Inputs()
            found.extend(flaws.flaws_of(stage, inputs, stage.compute(inputs)))
        except Exception as error:
            flaw = flaws.blame(error, stage)
            if flaw is None:
                raise
            found.append(flaw)
    if found:
        raise StoryboardError(map(Problem.of, found))


def _tell_broken() -> None:
    from clockhead.scenes.stage import broken_stages

    for broken in broken_stages():
        click.echo(f"left out: {broken}", err=True)


def _is_sound(stage: type[Stage]) -> bool:
    """Whether nothing is wrong with a stage; says what is."""
    from clockhead.storyboard.problems import StoryboardError

    try:
        _look_over([stage])
    except StoryboardError as error:
        click.echo(f"left out: {error}", err=True)
        return False
    return True


def _overview(listed: dict[str, str], stages: dict[str, type[Stage]]) -> Iterator[str]:
    width = max(map(len, listed), default=0)
    for shown, name in listed.items():
        yield f"{shown:{width}}  {_summary(stages[name])}"


def _details(name: str, stage: type[Stage]) -> Iterator[str]:
    from clockhead.storyboard.explain import describe
    from clockhead.storyboard.schema import inputs_schema

    yield f"{name}: {_summary(stage)}"
    yield f"  title: {stage.title}"
    yield f"  question: {stage.question}"
    yield f"  caption: {stage.caption}"
    yield "  inputs:"
    for key, part in inputs_schema(name)["properties"].items():
        yield f"    {key} = {json.dumps(part['default'])}: {describe(part)}"
        yield f"      {part.get('description', '')}"
    yield "  facts, for these inputs:"
    facts = default_facts(stage)
    for key, fact in facts.items():
        yield f"    {key} = {fact}{described(key, facts)}"


def _as_json(name: str, stage: type[Stage]) -> dict[str, Any]:
    from clockhead.storyboard.schema import inputs_schema

    return {
        "name": name,
        "summary": _summary(stage),
        "title": stage.title,
        "question": stage.question,
        "caption": stage.caption,
        "inputs": inputs_schema(name),
        "facts": dict(facts := default_facts(stage)),
        "about": {name: _about(name, facts) for name in facts},
    }


def _summary(stage: type[Stage]) -> str:
    return (inspect.getdoc(stage) or "").partition("\n\n")[0].replace("\n", " ")


def default_facts(stage: type[Stage]) -> Facts:
    """What a stage's sentences may say, for its default inputs."""
    inputs = stage.Inputs()
    return stage.facts_of(inputs, stage.compute(inputs))


def _about(name: str, facts: Facts) -> dict[str, str | None]:
    known = facts.about[name]
    return {"description": known.description, "unit": known.unit}
