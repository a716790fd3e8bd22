"""`clockhead films`, `stages` and `schema`: which films and stages there are."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clockhead.commands.completion import ShotEntry, complete_stages, listable_names, shots_of
from clockhead.commands.options import has_display, need_writable, output_option, write_error
from clockhead.places import clockhead_command
from clockhead.storyboard.problems import count, did_you_mean, nearest_name, show

if TYPE_CHECKING:
    from clockhead.scenes.stage import Stage
    from clockhead.scenes.stage.paths import Facts


@click.command()
def films() -> None:
    """List the storyboards that can be rendered."""
    from clockhead.storyboard.find import known_films

    found = known_films()
    width = max(map(len, found), default=0)
    for name, file in found.items():
        click.echo(f"{name:{width}}  {_film_summary(file)}")
    if not found:
        click.echo("no storyboards here; write one into ./storyboards", err=True)


def _film_summary(file: Path) -> str:
    from clockhead.storyboard.models import read_draft
    from clockhead.storyboard.problems import StoryboardError
    from clockhead.storyboard.yaml_reader import parse_file

    try:
        draft, problems = read_draft(parse_file(file))
    except StoryboardError as error:
        problems = list(error.problems)
    if problems:
        check = clockhead_command("check", str(file))
        return f"({count(len(problems), 'problem')}: `{check}` says what is wrong)"
    return f"{draft.title} ({count(len(draft.shots), 'shot')}, {file})"


@click.command()
@click.option("--look", "of_look", is_flag=True, help="Print the schema of look.yaml instead.")
def schema(of_look: bool) -> None:
    """Print the JSON Schema of storyboards, for editors.

    Save it beside your storyboards as storyboard.schema.json, and start them with the line
    "# yaml-language-server: $schema=storyboard.schema.json".
    """
    if of_look:
        from clockhead.storyboard.own_look import look_schema

        click.echo(json.dumps(look_schema(), indent=2, ensure_ascii=False))
        return
    from clockhead.storyboard.models import storyboard_schema

    _report_broken()
    click.echo(json.dumps(storyboard_schema(), indent=2, ensure_ascii=False))


@click.command()
@click.argument("name", required=False, metavar="[STAGE_OR_FILM]", shell_complete=complete_stages)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--gallery", is_flag=True, help="Show the last picture of each stage, on a page in the browser."
)
@output_option
@click.pass_context
def stages(
    context: click.Context, /, name: str | None, as_json: bool, gallery: bool, media: Path
) -> None:
    """List all stages, those of a film, or the inputs of one.

    With a stage, such as previous_token.sub_diagonal: its beats, its inputs with bounds and
    defaults, and the facts that captions may use. With a film, by name or file: the stages of its
    shots, in order. With a folder of scenes that is not a film, such as onehot: the stages in it.
    """
    if as_json and gallery:
        raise click.UsageError("--json and --gallery are two ways to list stages: choose one")
    given = context.get_parameter_source("media") is click.core.ParameterSource.COMMANDLINE
    if given and not gallery:
        raise click.UsageError("-o DIR is where --gallery writes its page")
    names = _stages_to_list(name)
    found = _import_stages(name, names)
    single = name is not None and list(names) == [name]
    if single:
        _check_stages(found.values())
    elif name is None:
        _report_broken()
    if gallery:
        file = _write_gallery({n: stage for n, stage in found.items() if _is_sound(stage)}, media)
        if has_display():
            click.launch(str(file))
        click.echo(str(file))
        return
    if as_json and not single:
        found = {n: stage for n, stage in found.items() if _is_sound(stage)}
    if as_json:
        from clockhead.storyboard.numbers import to_json

        described = [_as_json(*stage) for stage in found.items()]
        click.echo(to_json(described[0] if single else described))
    elif single:
        for line in _details(*found.popitem()):
            click.echo(line)
    else:
        from clockhead.plain import summary

        width = max(map(len, names), default=0)
        for label, stage_name in names.items():
            click.echo(f"{label:{width}}  {summary(found[stage_name])}")


def _write_gallery(stages: Mapping[str, type[Stage]], media: Path) -> Path:
    """Draw the stages' pictures and write the page `media/stages.html`."""
    from clockhead import atomic
    from clockhead.clips.clip import CrewError
    from clockhead.export.gallery import draw_cards, gallery_page

    need_writable(media)
    file = media / "stages.html"
    try:
        page = gallery_page(draw_cards(stages, media))
        atomic.write(file, page)
    except CrewError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise write_error(media, error) from error
    return file


def _stages_to_list(name: str | None) -> dict[str, str]:
    """The stages to list, each by the text that it is listed under."""
    from clockhead.scenes.stage import stage_names

    if name is None:
        return {stage: stage for stage in stage_names()}
    if _is_film(name):
        return {_label(shot): shot.stage for shot in shots_of(name)}
    if "." in name:
        return {name: name}
    inside = [stage for stage in stage_names() if stage.startswith(f"{name}.")]
    if not inside:
        hint = did_you_mean(nearest_name(name, listable_names()))
        raise click.UsageError(f"there is no stage, film or folder of scenes {show(name)}{hint}")
    return {stage: stage for stage in inside}


def _is_film(name: str) -> bool:
    from clockhead.storyboard.find import known_films

    return name.endswith((".yaml", ".yml")) or "/" in name or name in known_films()


def _label(shot: ShotEntry) -> str:
    """The stage of a shot, and the shot's id if that is not the stage's name."""
    own = shot.id != shot.stage.rpartition(".")[2]
    return f"{shot.stage} as {shot.id}" if own else shot.stage


def _import_stages(wanted: str | None, names: dict[str, str]) -> dict[str, type[Stage]]:
    """The stages to list, by name.

    Raises:
        StoryboardError: with all stages of a film that are missing or broken, and where.
        UsageError: if a stage that was asked for by name is missing or broken.
    """
    from clockhead.scenes.stage import BrokenStage, UnknownStage, find_stage
    from clockhead.storyboard.problems import unknown_stage

    found: dict[str, type[Stage]] = {}
    wrong: dict[str, str] = {}
    for name in names.values():
        try:
            found[name] = find_stage(name)
        except UnknownStage as error:
            wrong[name] = unknown_stage(error)
        except BrokenStage as error:
            wrong[name] = str(error)
    if wrong and wanted is not None and _is_film(wanted):
        from clockhead.storyboard.problems import Problem, StoryboardError

        shots = shots_of(wanted)
        raise StoryboardError(
            Problem.at(s.place, wrong[s.stage]) for s in shots if s.stage in wrong
        )
    if wrong:
        raise click.UsageError("\n".join(wrong.values()))
    return found


def _check_stages(stages: Iterable[type[Stage]]) -> None:
    """Raise everything that is wrong with stages, for their default inputs, as one error."""
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


def _report_broken() -> None:
    from clockhead.scenes.stage import broken_stages

    for broken in broken_stages():
        click.echo(f"left out: {broken}", err=True)


def _is_sound(stage: type[Stage]) -> bool:
    """Whether a stage is in order; prints what is wrong."""
    from clockhead.storyboard.problems import StoryboardError

    try:
        _check_stages([stage])
    except StoryboardError as error:
        click.echo(f"left out: {error}", err=True)
        return False
    return True


def _details(name: str, stage: type[Stage]) -> Iterator[str]:
    from clockhead.plain import summary
    from clockhead.storyboard.models import inputs_schema
    from clockhead.storyboard.numbers import describe_fact
    from clockhead.storyboard.validation import describe

    yield f"{name}: {summary(stage)}"
    yield f"  title: {stage.title}"
    yield f"  question: {stage.question}"
    yield f"  caption: {stage.caption}"
    beats = list(_beats(stage))
    if beats:
        yield "  beats, for these inputs:"
    for beat in beats:
        if beat["ask"]:
            yield f"    {beat['name']} asks: {beat['ask']}"
        yield f"    {beat['name']}: {beat['sentence'] or beat['about']}"
    yield "  inputs:"
    for key, part in inputs_schema(name)["properties"].items():
        yield f"    {key} = {json.dumps(part['default'])}: {describe(part)}"
        yield f"      {part.get('description', '')}"
    yield "  facts, for these inputs:"
    facts = default_facts(stage)
    for key, fact in facts.items():
        yield f"    {key} = {fact}{describe_fact(key, facts)}"


def _as_json(name: str, stage: type[Stage]) -> dict[str, Any]:
    from clockhead.plain import summary
    from clockhead.storyboard.models import inputs_schema

    return {
        "name": name,
        "summary": summary(stage),
        "title": stage.title,
        "question": stage.question,
        "caption": stage.caption,
        "beats": list(_beats(stage)),
        "inputs": inputs_schema(name),
        "facts": dict(facts := default_facts(stage)),
        "about": {
            path: {"description": about.description, "unit": about.unit}
            for path in facts
            for about in [facts.about[path]]
        },
    }


def _beats(stage: type[Stage]) -> Iterator[dict[str, str]]:
    """Name, question and sentence of each beat for the default inputs, as a storyboard has them."""
    from clockhead.scenes.stage.beats import beats_of

    values = stage.compute(stage.Inputs())
    for spec in beats_of(stage):
        ask, sentence = spec.lines(values) if spec.told(values) else ("", "")
        about = "(says nothing)"
        if not spec.told(values):
            about = "(left out for these inputs)"
        elif spec.says_caption:
            about = "(says the caption)"
        yield {"name": spec.key, "ask": ask, "sentence": sentence, "about": about}


def default_facts(stage: type[Stage]) -> Facts:
    """The facts of a stage for its default inputs."""
    inputs = stage.Inputs()
    return stage.facts_of(inputs, stage.compute(inputs))
