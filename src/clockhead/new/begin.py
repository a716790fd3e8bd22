"""Begin a new film or stage: check its name and write its files."""

from __future__ import annotations

import ast
import json
import keyword
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from clockhead.clips import atomic
from clockhead.libraries import home, untrusted, use_home
from clockhead.new.film import (
    copy_storyboard,
    first_storyboard,
    render_template,
    storyboard_of_stages,
    title_from_name,
)
from clockhead.places import display_path, is_ours, relative_path
from clockhead.scenes.stage import class_name, stage_names
from clockhead.storyboard.find import NAME, find_film, known_films
from clockhead.storyboard.models import NO_FILE_NAME, storyboard_schema
from clockhead.storyboard.problems import Place, Problem, StoryboardError, show
from clockhead.trust import private_umask, reason_to_refuse, trust

_STAGE = re.compile(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*")
_EXPECTED = {"last": "< 0.1"}
"""What the film of a new stage could expect."""


def begin_film(name: str, source: str | None) -> list[Path]:
    """Write a storyboard, of a small film or of one like `source`; returns the files.

    A home that is made by this is trusted, where it can be.

    Raises:
        StoryboardError: when the name will not do, or there is no such source.
    """
    _refuse_film(name)
    is_new, folder = home() is None, _home()
    text = first_storyboard(name) if source is None else copy_storyboard(find_film(source), name)
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
    code = render_template("stage.py", **called)
    _refuse_namesake(name, code)
    for file in (stage, test):
        if (folder / file).exists():
            raise _refusal(
                name, f"{relative_path(folder / file)} is there already; choose another name"
            )
    _trust(folder, name)
    with private_umask():
        files = _write(folder, {stage: code, test: render_template("test_stage.py", **called)})
    use_home(folder)
    text = storyboard_of_stages(title_from_name(name.partition(".")[2]), {name: _EXPECTED})
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
