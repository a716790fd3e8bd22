"""`clockhead films`: the storyboards there are."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
def command() -> None:
    """List the storyboards there are."""
    from clockhead.storyboard.find import known_films

    films = known_films()
    width = max(map(len, films), default=0)
    for name, file in films.items():
        click.echo(f"{name:{width}}  {_summary(file)}")
    if not films:
        click.echo("no storyboards here; write one into ./storyboards", err=True)


def _summary(file: Path) -> str:
    from clockhead.places import clockhead_command
    from clockhead.storyboard.models import read_draft
    from clockhead.storyboard.problems import StoryboardError
    from clockhead.storyboard.source import read_source
    from clockhead.storyboard.wording import count

    try:
        draft, problems = read_draft(read_source(file))
    except StoryboardError as error:
        problems = list(error.problems)
    if problems:
        check = clockhead_command("check", str(file))
        return f"({count(len(problems), 'problem')}: `{check}` says what is wrong)"
    return f"{draft.title} ({count(len(draft.shots), 'shot')}, {file})"
