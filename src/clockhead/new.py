"""`clockhead new`: begin a film or a stage of the user's own.

A film is a small storyboard that explains itself, or a copy of another film's. A stage comes with a
film of it and a test. All names are checked before anything is written.
"""

from __future__ import annotations

import ast
import json
import keyword
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from jinja2 import Environment, PackageLoader, StrictUndefined

from clockhead.clips import atomic
from clockhead.libraries import home, untrusted, use_home
from clockhead.places import display_path, is_ours, relative_path
from clockhead.scenes.stage import class_name, find_stage, stage_names
from clockhead.storyboard.find import NAME, find_film, known_films
from clockhead.storyboard.models import NO_FILE_NAME, inputs_schema, storyboard_schema
from clockhead.storyboard.problems import Place, Problem, StoryboardError, show
from clockhead.storyboard.scalars import plain_value
from clockhead.storyboard.validation import describe, schema_at
from clockhead.storyboard.yaml_reader import parse_file
from clockhead.trust import private_umask, reason_to_refuse, trust

_STAGE = re.compile(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*")
_EXPECTED = {"last": "< 0.1"}
"""What the film of a new stage could expect."""
SMALL_FILM = {
    "previous_token.constant_key": {"error": "== 0"},
    "previous_token.sub_diagonal": {"row.head.worst_weight": ">= 0.99"},
}
"""The shots of the small film, and what each could expect."""
_CREDIT = "After a construction by Chris Wendler"
_SCHEMA_LINE = "# yaml-language-server: $schema=storyboard.schema.json"
_ANY_SCHEMA_LINE = re.compile(r"# yaml-language-server:.*")
_FILES = Environment(
    loader=PackageLoader("clockhead"),
    undefined=StrictUndefined,
    keep_trailing_newline=True,
    trim_blocks=True,
)


@dataclass(frozen=True)
class _Input:
    """An input in a storyboard, with its description and bounds."""

    name: str
    value: str
    about: str
    is_given: bool
    """Whether it has a default value."""


def begin_film(name: str, source: str | None) -> list[Path]:
    """Write a storyboard, of a small film or of one like `source`; returns the files.

    A home that is made by this is trusted, where it can be.

    Raises:
        StoryboardError: when the name will not do, or there is no such source.
    """
    _refuse_film(name)
    is_new, folder = home() is None, _home()
    if source is None:
        text = _storyboard_of_stages(title_from_name(name), SMALL_FILM, credit=_CREDIT)
    else:
        text = copy_storyboard(find_film(source), name)
    use_home(folder)
    files = _write(folder, {_film_file(name): text, **_schema()})
    if is_new:
        with suppress(OSError):
            trust(folder)
    return files


def begin_stage(name: str) -> list[Path]:
    """Write a stage, a film of it and a test, and trust the home; returns the files.

    Raises:
        StoryboardError: when the name will not do, or the home has stages and is not trusted.
    """
    _refuse_stage(name)
    folder, film = _home(), name.replace(".", "_")
    _refuse_film(film)
    stage, test = f"stages/{name.replace('.', '/')}.py", f"tests/test_{film}.py"
    called = {"name": name, "film": film, "test": test, "class_name": _class_of(name)}
    code = _render("stage.py", **called)
    _refuse_namesake(name, code)
    for file in (stage, test):
        if (folder / file).exists():
            raise _refusal(
                name, f"{relative_path(folder / file)} is there already; choose another name"
            )
    _trust(folder, name)
    with private_umask():
        files = _write(folder, {stage: code, test: _render("test_stage.py", **called)})
    use_home(folder)
    text = _storyboard_of_stages(title_from_name(name.partition(".")[2]), {name: _EXPECTED})
    return [*files, *_write(folder, {_film_file(film): text, **_schema()})]


def _home() -> Path:
    """The folder that `storyboards` is, or will be, in.

    Raises:
        StoryboardError: when that would be in Clockhead itself.
    """
    folder = home() or Path.cwd()
    if is_ours(folder.resolve()):
        raise _refusal(str(folder), "this is inside Clockhead; go to a folder of your own first")
    return folder


def _trust(folder: Path, name: str) -> None:
    """Have the stage that is about to be written run.

    Raises:
        StoryboardError: when others could change it, or have perhaps written what is there.
    """
    if (unused := untrusted()) is not None:
        raise _refusal(name, f"the stages in {unused.stages} are not run: {unused.refusal}")
    if reason_to_refuse(folder):
        try:
            trust(folder)
        except PermissionError as error:
            raise _refusal(name, f"it would not be run: {error.strerror}") from None


def _film_file(film: str) -> str:
    return f"storyboards/{film}.yaml"


def _schema() -> dict[str, str]:
    schema = json.dumps(storyboard_schema(), indent=2, ensure_ascii=False)
    return {"storyboards/storyboard.schema.json": f"{schema}\n"}


def _write(folder: Path, files: Mapping[str, str]) -> list[Path]:
    for file, text in files.items():
        atomic.write(folder / file, text)
    return [relative_path(folder / file) for file in files]


def _refuse_film(name: str) -> None:
    if not NAME.fullmatch(name):
        message = f"this {NO_FILE_NAME}"
        stem = Path(name).name.lower().removesuffix(".yaml")
        meant = re.sub(r"[^a-z0-9_-]+", "_", stem).strip("_-")[:40]
        raise _refusal(name, message + _hint(meant, name, NAME))
    if file := known_films().get(name):
        message = f"there is a film of this name, {display_path(file)}; choose another name"
        raise _refusal(name, message)
    if (file := _home() / _film_file(name)).exists():
        raise _refusal(name, f"{relative_path(file)} is there already; choose another name")


def _refuse_stage(name: str) -> None:
    if not _STAGE.fullmatch(name) or any(map(keyword.iskeyword, name.split("."))):
        message = (
            "a stage's name is FOLDER.NAME, such as clocks.height, each of a-z, 0-9 and _, a "
            "letter first, and no word of Python's own"
        )
        meant = re.sub(r"[^a-z0-9_.]+", "_", name.lower()).strip("_.")
        raise _refusal(name, message + _hint(meant, name, _STAGE))
    if name in stage_names():
        raise _refusal(name, "there is a stage of this name; choose another name")


def _refuse_namesake(name: str, code: str) -> None:
    """Refuse a class that is called like something that its module imports or has already."""
    called = _class_of(name)
    statements = ast.parse(code).body
    imported = [one for s in statements if isinstance(s, ast.ImportFrom) for one in s.names]
    classes = [s.name for s in statements if isinstance(s, ast.ClassDef)]
    if called in [one.name for one in imported] or classes.count(called) > 1:
        raise _refusal(name, f"its class would be {called}, which it uses; choose another name")


def _class_of(name: str) -> str:
    return class_name(name.partition(".")[2])


def _hint(meant: str, name: str, pattern: re.Pattern[str]) -> str:
    return f"; did you mean {meant}?" if meant != name and pattern.fullmatch(meant) else ""


def _refusal(name: str, message: str) -> StoryboardError:
    return StoryboardError([Problem.at(Place(show(name)), message)])


# The text of a storyboard


def _storyboard_of_stages(
    title: str, shots: Mapping[str, Mapping[str, str]], *, credit: str = ""
) -> str:
    """A storyboard of these stages and what each could expect; the inputs that they share first.

    Of a single stage, all inputs are the film's.
    """
    takes = {stage: _inputs_of(stage) for stage in shots}
    inputs = {key: one for taken in takes.values() for key, one in taken.items()}
    shared = {
        key: one
        for key, one in inputs.items()
        if len(shots) == 1 or sum(key in taken for taken in takes.values()) > 1
    }
    return _render(
        "storyboard.yaml",
        title=_scalar(title),
        credit=credit,
        inputs=shared.values(),
        shots=[_shot(stage, shots[stage], takes[stage], shared) for stage in shots],
    )


def copy_storyboard(file: Path, name: str) -> str:
    """The storyboard in a file, with its comments, and with the title of a new film.

    Raises:
        StoryboardError: when it cannot be read, or has no title that could be another.
    """
    tree = parse_file(file)
    text = file.read_text(encoding="utf-8-sig")
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    keys = root.value if isinstance(root, yaml.MappingNode) else []
    node = next((value for key, value in keys if key.value == "title"), None)
    if node is None:
        raise StoryboardError([Problem.at(tree.place(()), "this storyboard has no title to copy")])
    start, end = node.start_mark.index, node.end_mark.index
    after = "\n" if text[start:end].endswith("\n") else ""
    copied = f"{text[:start]}{_scalar(title_from_name(name))}{after}{text[end:]}"
    first, _, rest = copied.partition("\n")
    body = rest if _ANY_SCHEMA_LINE.fullmatch(first) else copied
    return f"{_SCHEMA_LINE}\n# Begun as a copy of {file.name}.\n{body}"


def _render(template: str, **values: Any) -> str:
    """The text of a template in `templates`, with these values."""
    return _FILES.get_template(f"{template}.jinja").render(values)


def title_from_name(name: str) -> str:
    """`my_lecture` as the title `My lecture`."""
    words = " ".join(re.split(r"[_-]+", name)).strip()
    return words[:1].upper() + words[1:]


def _inputs_of(stage: str) -> dict[str, _Input]:
    schema = inputs_schema(stage)
    return {key: _input(key, schema) for key in schema["properties"]}


def _input(name: str, schema: Mapping[str, Any]) -> _Input:
    part = schema_at(schema, (name,))
    default, may = part["default"], describe(part)
    about = f"{part['description']} ({may})" if part.get("description") else may
    value = _written(_least(part) if default is None else default)
    return _Input(name, value, about, default is not None)


def _least(part: Mapping[str, Any]) -> Any:
    """The least number that an input without a default could be."""
    return next((one["minimum"] for one in part.get("anyOf", ()) if "minimum" in one), None)


def _written(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return _scalar(value) if isinstance(value, str) else json.dumps(value)


def _scalar(text: str) -> str:
    """A text as YAML, in quotes where it needs them."""
    plain = plain_value(text) == text and re.fullmatch(r"[\w ]*\w", text)
    return text if plain else json.dumps(text, ensure_ascii=False)


def _shot(
    stage: str, expected: Mapping[str, str], takes: Mapping[str, _Input], shared: Mapping[str, Any]
) -> dict[str, Any]:
    own: Sequence[_Input] = [one for key, one in takes.items() if key not in shared]
    shown = own or [one for one in takes.values() if one.is_given]
    found = find_stage(stage)
    return {
        "stage": stage,
        "id": stage.partition(".")[2],
        "title": json.dumps(found.title, ensure_ascii=False),
        "caption": json.dumps(found.caption, ensure_ascii=False),
        "expect": _map({key: f'"{must}"' for key, must in expected.items()}),
        "inputs": own,
        "given": _map({one.name: one.value for one in shown if one.is_given}),
    }


def _map(values: Mapping[str, str]) -> str:
    inside = ", ".join(f"{key}: {value}" for key, value in values.items())
    return f"{{{inside}}}"
