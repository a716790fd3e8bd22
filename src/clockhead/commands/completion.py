"""Shell completion: the command that turns it on, and the words that it offers.

Click does the work. Names come from storyboards and from the JSON Schemas beside them, so
completing imports neither Manim nor a stage.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    split_arg_string,
)

from clockhead.libraries import BUILT_IN, STAGE_NAME, Library, stage_libraries
from clockhead.places import NAME

if TYPE_CHECKING:
    from clockhead.storyboard.problems import Place

COMPLETE_VARIABLE = "_CLOCKHEAD_COMPLETE"
"""The environment variable by which a shell asks click for completions."""
SCHEMA = "storyboard.schema.json"
"""The JSON Schema beside storyboards: it has every stage, and the inputs of each."""


# --- Shells ---


def _patch(script: str, *changes: tuple[str, str]) -> str:
    """Click's script with parts replaced.

    Click looks for the program on the PATH, where ./clockhead is not, so ours run what was typed.
    They also leave out the space after `input=`, where the value follows.
    """
    for old, new in changes:
        if old not in script:
            raise RuntimeError(f"this version of click completes otherwise: no {old!r}")
        script = script.replace(old, new)
    return script


class _Quiet(ShellComplete):
    """Offers nothing if something is wrong: a message would break the line that is being typed."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[str]]:
        """The completions as whole words: for `--set=te`, that is `--set=text=`."""
        try:
            items = super().get_completions(args, incomplete)
        except Exception:
            return []
        option = re.match(r"--[\w-]+=", incomplete)
        for item in items:
            if option and item.type == "plain":
                item.value = option[0] + item.value
        return items


class _Bash(_Quiet, BashComplete):
    source_template: ClassVar[str] = _patch(
        BashComplete.source_template,
        ("bash_complete $1)", 'bash_complete "${1/#\\~/$HOME}" 2>/dev/null)'),
        ("+=($value)", "+=($value)\n            [[ $value != *= ]] || compopt -o nospace"),
    )
    _known = 0
    """Number of characters before the part of the word that Bash completes."""

    def get_completion_args(self) -> tuple[list[str], str]:
        # Bash makes words of their own of = and :, which click does not expect.
        pieces = os.environ["COMP_WORDS"].split("\n")[: int(os.environ["COMP_CWORD"]) + 1]
        line = re.sub(r"\n([=:]+)(\n|$)", r"\1", "\n".join(pieces))
        *args, incomplete = split_arg_string(f"{line}.")[1:]  # the dot makes an empty word visible
        incomplete = incomplete[:-1]
        completed = pieces[-1].strip("=:")
        self._known = max(0, len(incomplete) - len(completed)) if len(pieces) > 1 else 0
        return args, incomplete

    def format_completion(self, item: CompletionItem[Any]) -> str:
        return f"{item.type},{item.value[self._known :]}"


class _Zsh(_Quiet, ZshComplete):
    source_template: ClassVar[str] = _patch(
        ZshComplete.source_template,
        ("(( ! $+commands[%(prog_name)s] )) && return 1", "local -a suffix"),
        ("zsh_complete %(prog_name)s)", 'zsh_complete "${(Q)words[1]/#\\~/$HOME}" 2>/dev/null)'),
        ("in ${response}; do", 'in ${response}; do\n        [[ $key != *= ]] || suffix=(-S "")'),
        ("descriptions -U", 'descriptions -U "${suffix[@]}"'),
        ("_path_files", 'compset -P "--*="; _path_files'),
        (
            "    compdef %(complete_func)s",
            "    (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }\n"
            "    compdef %(complete_func)s",
        ),
    )


class _Fish(_Quiet, FishComplete):
    source_template: ClassVar[str] = _patch(
        FishComplete.source_template,
        (
            "(commandline -t) %(prog_name)s)",
            "(commandline -t) (string replace -r '^~' $HOME -- (commandline -opc)[1]) 2>/dev/null)",
        ),
        ('string split ","', 'string split -m 1 ","'),
    )


SHELLS: dict[str, type[ShellComplete]] = {"bash": _Bash, "zsh": _Zsh, "fish": _Fish}
for _name, _class in SHELLS.items():
    add_completion_class(_class, _name)


@click.command()
@click.argument("shell", type=click.Choice(list(SHELLS)))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print a script that enables shell completion.

    It works for an installed clockhead and for ./clockhead. In ~/.bashrc or ~/.zshrc (fish: in
    ~/.config/fish/config.fish, piped into source), with the path of your clockhead:

    \b
      eval "$(clockhead completion bash)"
      eval "$(clockhead completion zsh)"
      clockhead completion fish | source
    """
    script = SHELLS[shell](context.find_root().command, {}, NAME, COMPLETE_VARIABLE)
    click.echo(script.source(), nl=False)


# --- What is offered ---


def complete_films(
    context: click.Context, _: click.Parameter, incomplete: str
) -> list[CompletionItem[str]]:
    """Names of films that are not on the line yet; files if none fits."""
    from clockhead.storyboard.find import known_films

    named = _films_on_line(context)
    return _items([name for name in known_films() if name not in named], incomplete)


def complete_shots(context: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """Shots of the films on the line; another one after a comma."""
    others, comma, last = incomplete.rpartition(",")
    ids = dict.fromkeys(shot.id for shot in _shots_on_line(context))
    return [f"{others}{comma}{id}" for id in ids if id.startswith(last)]


def complete_inputs(
    context: click.Context, _: click.Parameter, incomplete: str
) -> list[CompletionItem[str]]:
    """Inputs of the films on the line as `input=`; those of one shot after its id and a dot."""
    if "=" in incomplete:
        return []
    only, dot, _name = incomplete.rpartition(".")
    known: dict[str, dict[str, str]] = {}
    for library in stage_libraries():  # without a project that is not trusted
        known = _schema_inputs(library) | known
    found: dict[str, str] = {}
    for shot in _shots_on_line(context):
        if not dot or shot.id == only:
            for name, description in known.get(shot.stage, {}).items():
                found.setdefault(f"{only}{dot}{name}=", description)
    return [CompletionItem(k, help=text) for k, text in found.items() if k.startswith(incomplete)]


def complete_stages(
    _: click.Context, __: click.Parameter, incomplete: str
) -> list[CompletionItem[str]]:
    """Films, folders of stages and stages; files if none fits."""
    return _items(listable_names(), incomplete)


def _items(names: Iterable[str], incomplete: str) -> list[CompletionItem[str]]:
    """The names that begin like this; files if none does."""
    found = [CompletionItem(name) for name in names if name.startswith(incomplete)]
    return found or [CompletionItem(incomplete, type="file")]


def complete_languages(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """Codes of the languages that there are texts in."""
    from clockhead.scenes.catalogues import languages

    return [code for code in languages() if code.startswith(incomplete)]


def listable_names() -> list[str]:
    """Everything that `clockhead stages` takes: films, folders of stages, and stages."""
    from clockhead.storyboard.find import known_films

    stages = quick_stage_names()
    folders = (name.partition(".")[0] for name in stages)
    return list(dict.fromkeys([*known_films(), *folders, *stages]))


def quick_stage_names() -> list[str]:
    """The stages, found without importing any: ours in the schema, others by their files.

    A module counts as a stage if it has a class of its name.
    """
    names = list(_schema_inputs(BUILT_IN))
    for library in stage_libraries():
        if library != BUILT_IN:
            for film in library.films:
                for module in library.modules(film):
                    text = library.file(film, module).read_text(encoding="utf-8", errors="replace")
                    if f"class {module.title().replace('_', '')}(" in text:
                        names.append(f"{film}.{module}")
    return list(dict.fromkeys(names))


@dataclass(frozen=True, slots=True)
class ShotEntry:
    """A shot as a storyboard names it."""

    id: str
    stage: str
    place: Place
    """Where the stage is named."""


def shots_of(film: str) -> list[ShotEntry]:
    """The shots of a film, given by name or path, in order.

    Raises:
        StoryboardError: if there is no such film, or something is wrong with its storyboard.
    """
    from clockhead.storyboard.find import find_film
    from clockhead.storyboard.models import read_draft
    from clockhead.storyboard.problems import StoryboardError
    from clockhead.storyboard.yaml_reader import parse_file

    tree = parse_file(find_film(film))
    draft, problems = read_draft(tree)
    if problems:
        raise StoryboardError(problems)
    return [
        ShotEntry(spec.shot_id, spec.stage, tree.place(("shots", index, "stage")))
        for index, spec in draft.shots
    ]


def _films_on_line(context: click.Context) -> tuple[str, ...]:
    """The films before the cursor.

    After an option that still lacks its value, click leaves them among the unparsed arguments.
    """
    given = context.params.get("films") or context.params.get("film") or context.args
    return (given,) if isinstance(given, str) else tuple(given)


def _shots_on_line(context: click.Context) -> Iterator[ShotEntry]:
    for film in _films_on_line(context):
        yield from shots_of(film)


def _schema_inputs(library: Library) -> dict[str, dict[str, str]]:
    """The inputs of each stage with their descriptions, from the schema beside a library's films.

    In a project of the user's, `clockhead new` writes it; without it there is nothing.
    """
    file = library.storyboards / SCHEMA
    definitions = json.loads(file.read_bytes())["$defs"] if file.is_file() else {}
    return {
        stage: {
            name: part.get("description", "") for name, part in definition["properties"].items()
        }
        for stage, definition in definitions.items()
        if STAGE_NAME.fullmatch(stage)
    }
