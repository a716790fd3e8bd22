"""`clockhead stages`: what there is to show."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from pipeline.storyboard.wording import described

if TYPE_CHECKING:
    from scenes.stage import Stage, UnknownStage
    from scenes.stage.paths import Facts


@click.command()
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(name: str | None, as_json: bool) -> None:
    """List what there is to show, or what one stage takes.

    With NAME, such as previous_token.sub_diagonal: its inputs with bounds and defaults, and the
    facts that its captions may use.
    """
    from scenes.stage import BrokenStage, UnknownStage, find_stage, stage_names

    try:
        stages = {n: find_stage(n) for n in ([name] if name else stage_names())}
    except UnknownStage as error:
        raise _unknown_stage(error) from None
    except BrokenStage as error:
        raise click.UsageError(str(error)) from None
    if name or as_json:
        _look_over(stages.values())
    if as_json:
        from pipeline.storyboard.numbers import to_json

        described = [_as_json(n, stage) for n, stage in stages.items()]
        click.echo(to_json(described[0] if name else described))
        return
    lines = _details(name, stages[name]) if name else _overview(stages)
    for line in lines:
        click.echo(line)


def _unknown_stage(error: UnknownStage) -> click.UsageError:
    from pipeline.storyboard.older_names import suggestion
    from pipeline.storyboard.wording import show

    meant = suggestion(error)
    hint = f"; did you mean {meant}?" if meant else ""
    return click.UsageError(f"there is no stage {show(error.name)}{hint}")


def _look_over(stages: Iterable[type[Stage]]) -> None:
    """Raise all that is wrong with stages, for their default inputs, as one error."""
    from pipeline.storyboard.problems import Problem, StoryboardError
    from scenes.stage import flaws

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


def _overview(stages: dict[str, type[Stage]]) -> Iterator[str]:
    width = max(map(len, stages), default=0)
    for name, stage in stages.items():
        yield f"{name:{width}}  {_summary(stage)}"


def _details(name: str, stage: type[Stage]) -> Iterator[str]:
    from pipeline.storyboard.explain import describe
    from pipeline.storyboard.schema import inputs_schema

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
    from pipeline.storyboard.schema import inputs_schema

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
