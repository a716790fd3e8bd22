"""`clockhead schema`: what an editor needs to help with storyboards."""

from __future__ import annotations

import json

import click


@click.command()
def command() -> None:
    """Print the JSON Schema of storyboards, for editors.

    Save it beside your storyboards as storyboard.schema.json, and start them with the line
    "# yaml-language-server: $schema=storyboard.schema.json".
    """
    from clockhead.scenes.stage import broken_stages
    from clockhead.storyboard.schema import storyboard_schema

    for broken in broken_stages():
        click.echo(f"left out: {broken}", err=True)
    click.echo(json.dumps(storyboard_schema(), indent=2, ensure_ascii=False))
