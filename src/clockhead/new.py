"""`clockhead new`: begin a film, a stage or a look of the user's own.

A film is a small storyboard that explains itself, a copy of another film's, or shows the heads in a
data file. A stage comes with a film of it and a test. All names are checked before anything is
written.
"""

from __future__ import annotations

import ast
import json
import keyword
import re
from collections import Counter
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from clockhead import atomic
from clockhead.home import LOOK_FILE
from clockhead.libraries import project_folder, untrusted_library, use_project
from clockhead.look import Wish
from clockhead.places import display_path, is_ours, relative_path
from clockhead.scenes.stage import class_name, find_stage, stage_names
from clockhead.scenes.style.palette import COLORS
from clockhead.scenes.style.theme import PAPER
from clockhead.storyboard.find import NAME, NO_FILE_NAME, find_film, known_films
from clockhead.storyboard.models import inputs_schema, storyboard_schema
from clockhead.storyboard.own_look import COLOR_MEANINGS, look_schema
from clockhead.storyboard.problems import Place, StoryboardError, did_you_mean, show
from clockhead.storyboard.rewrite import RewriteError, set_value
from clockhead.storyboard.scalars import yaml_text
from clockhead.storyboard.validation import describe, schema_at
from clockhead.storyboard.yaml_reader import parse_file
from clockhead.trust import private_umask, reason_to_refuse, trust

if TYPE_CHECKING:
    from clockhead.model.heads.patterns import AttentionPatterns

_STAGE = re.compile(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*")
_EXPECTED = {"last": "< 0.1"}
"""What the film of a new stage could expect."""
SMALL_FILM = {
    "previous_token.constant_key": {"error": "== 0"},
    "previous_token.sub_diagonal": {"row.head.worst_weight": ">= 0.99"},
}
"""The shots of the small film, and what each could expect."""
_MOST_STOPS = 16
"""Of a handle in a new film: every stop is drawn."""
_CREDIT = "After a construction by Chris Wendler"
_SCHEMA_LINE = "# yaml-language-server: $schema=storyboard.schema.json"
_ABOUT_WORDS = """\
# All of its words are here. Where it says "chosen", the stage has several sentences, and chooses
# one by its values; written here, this one is always said. Delete a line, and the stage speaks
# for itself again.
"""
_ANY_SCHEMA_LINE = re.compile(r"# yaml-language-server:.*")
_FILES = Environment(
    loader=PackageLoader("clockhead"),
    undefined=StrictUndefined,
    keep_trailing_newline=True,
    trim_blocks=True,
)


def begin_film(
    name: str, source: str | None, *, words: bool = False, language: str | None = None
) -> list[Path]:
    """Write a storyboard, of a small film or of one like `source`; returns the files.

    With `words`, it has all that its shots say, in a language if one is given. If this makes a new
    project, it is trusted, if possible.

    Raises:
        StoryboardError: if the name is not allowed or not free, or there is no such source.
    """
    _refuse_film(name)
    is_new, folder = project_folder() is None, own_folder()
    if source is None:
        text = _storyboard_of_stages(title_from_name(name), SMALL_FILM, credit=_CREDIT)
    else:
        text = copy_storyboard(find_film(source), name)
        if words:
            text = _write_out(text, source, language)
    use_project(folder)
    files = _write(folder, {_film_file(name): text, **_schema()})
    if is_new:
        with suppress(OSError):
            trust(folder)
    return files


def begin_film_of_data(name: str, data: Path) -> list[Path]:
    """Write a storyboard about the heads in a data file, and a copy of that file; returns both.

    The copy is in the folder `data`, unless the file is in the project already. The project is
    trusted, so that it is read.

    Raises:
        StoryboardError: if the name is not allowed or not free, there is no such file or it cannot
            be used, another file has its place, or the project is not trusted.
    """
    from clockhead.storyboard.data_files import DataError, read_data

    _refuse_film(name)
    folder = own_folder()
    try:
        _, patterns = read_data(data)
    except DataError as error:
        raise refusal(str(data), str(error)) from None
    content, home = data.read_bytes(), folder.resolve()
    inside = data.resolve().is_relative_to(home) and data.suffix.islower()
    copied = f"data/{data.stem}{data.suffix.lower()}"
    place = str(data.resolve().relative_to(home)) if inside else copied
    if not inside and (folder / place).exists() and (folder / place).read_bytes() != content:
        there = relative_path(folder / place)
        raise refusal(str(data), f"{there} is there already, and is another; rename yours first")
    _trust(folder, name)
    text = _storyboard_of_heads(name, place, patterns)
    use_project(folder)
    files = _write(folder, {_film_file(name): text, **_schema()})
    if inside:
        return files
    atomic.write(folder / place, content)
    return [*files, relative_path(folder / place)]


def begin_look() -> list[Path]:
    """Write a look.yaml that explains itself, and its schema; returns the files.

    The folder gets `storyboards`, which makes it the home of a look. If it is new, it is trusted,
    if possible, so that a font or a logo in it is read.

    Raises:
        StoryboardError: if there is a look.yaml.
    """
    is_new, folder = project_folder() is None, own_folder()
    if (folder / LOOK_FILE).exists():
        file = relative_path(folder / LOOK_FILE)
        raise refusal("look", f"{file} is there already; it is the look of all films here")
    use_project(folder)
    look = _render(LOOK_FILE, colors=COLORS, about=COLOR_MEANINGS, theme=asdict(PAPER))
    schema = json.dumps(look_schema(), indent=2, ensure_ascii=False)
    films = _schema() if is_new else {}
    files = _write(folder, {LOOK_FILE: look, "look.schema.json": f"{schema}\n", **films})
    if is_new:
        with suppress(OSError):
            trust(folder)
    return files


def begin_stage(name: str) -> list[Path]:
    """Write a stage, a film of it and a test, and trust the project; returns the files.

    Raises:
        StoryboardError: if the name is not allowed or not free, or the project is not trusted.
    """
    _refuse_stage(name)
    folder, film = own_folder(), name.replace(".", "_")
    _refuse_film(film)
    stage, test = f"stages/{name.replace('.', '/')}.py", f"tests/test_{film}.py"
    own = class_name(name.partition(".")[2])
    values = {"name": name, "film": film, "test": test, "class_name": own}
    code = _render("stage.py", **values)
    _refuse_namesake(name, own, code)
    for file in (stage, test):
        if (folder / file).exists():
            raise refusal(
                name, f"{relative_path(folder / file)} is there already; choose another name"
            )
    _trust(folder, name)
    with private_umask():
        files = _write(folder, {stage: code, test: _render("test_stage.py", **values)})
    use_project(folder)
    text = _storyboard_of_stages(title_from_name(name.partition(".")[2]), {name: _EXPECTED})
    return [*files, *_write(folder, {_film_file(film): text, **_schema()})]


def own_folder() -> Path:
    """The folder that has, or will have, the user's storyboards and stages.

    Raises:
        StoryboardError: if it is inside Clockhead.
    """
    folder = project_folder() or Path.cwd()
    if is_ours(folder.resolve()):
        raise refusal(str(folder), "this is inside Clockhead; go to a folder of your own first")
    return folder


def _trust(folder: Path, name: str) -> None:
    """Trust the project, so that the new stage runs.

    Raises:
        StoryboardError: if the project has stages already that are not trusted, or others can write
            to it.
    """
    if (unused := untrusted_library()) is not None:
        raise refusal(name, f"the stages in {unused.stages} are not run: {unused.refusal}")
    if reason_to_refuse(folder):
        try:
            trust(folder)
        except PermissionError as error:
            raise refusal(name, f"it would not be run: {error.strerror}") from None


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
        raise refusal(name, message + _hint(meant, name, NAME))
    if file := known_films().get(name):
        message = f"there is a film of this name, {display_path(file)}; choose another name"
        raise refusal(name, message)
    if (file := own_folder() / _film_file(name)).exists():
        raise refusal(name, f"{relative_path(file)} is there already; choose another name")


def _refuse_stage(name: str) -> None:
    if not _STAGE.fullmatch(name) or any(map(keyword.iskeyword, name.split("."))):
        message = (
            "a stage's name is FOLDER.NAME, such as clocks.height, each of a-z, 0-9 and _, a "
            "letter first, and no word of Python's own"
        )
        meant = re.sub(r"[^a-z0-9_.]+", "_", name.lower()).strip("_.")
        raise refusal(name, message + _hint(meant, name, _STAGE))
    if name in stage_names():
        raise refusal(name, "there is a stage of this name; choose another name")


def _refuse_namesake(name: str, own: str, code: str) -> None:
    """Refuse a stage whose class, `own`, has the name of something else in its module."""
    names = []
    for statement in ast.parse(code).body:
        if isinstance(statement, ast.ImportFrom):
            names += [alias.name for alias in statement.names]
        elif isinstance(statement, ast.ClassDef):
            names.append(statement.name)
    if names.count(own) > 1:
        raise refusal(name, f"its class would be {own}, which it uses; choose another name")


def _hint(meant: str, name: str, pattern: re.Pattern[str]) -> str:
    return did_you_mean(meant if meant != name and pattern.fullmatch(meant) else None)


def refusal(name: str, message: str) -> StoryboardError:
    return StoryboardError.at(Place(show(name)), message)


# The text of a storyboard


def _storyboard_of_stages(
    title: str, expectations: Mapping[str, Mapping[str, str]], *, credit: str = ""
) -> str:
    """A storyboard with a shot of each stage, and what it could expect.

    The inputs that several stages share come first; of a single stage, all of them.
    """
    inputs = {stage: _inputs_of(stage) for stage in expectations}
    uses = Counter(name for found in inputs.values() for name in found)
    shared = {name for name in uses if len(inputs) == 1 or uses[name] > 1}
    known = {name: found[name] for found in inputs.values() for name in found if name in shared}
    return _render(
        "storyboard.yaml",
        title=yaml_text(title),
        credit=credit,
        inputs=known.values(),
        shots=[_shot(stage, expectations[stage], inputs[stage], shared) for stage in inputs],
    )


def _storyboard_of_heads(name: str, data: str, patterns: AttentionPatterns) -> str:
    """A storyboard about the heads in a data file, two of which it shows large.

    These are the heads that are most like a previous-token and an induction head; without a token
    that stood before, only the first.
    """
    from clockhead.model.heads.head_scores import TARGETS, Target, head_scores

    scores = head_scores(patterns)
    targets: list[Target] = ["previous"]
    if scores.n_induction_rows:
        targets.append("induction")
    heads = []
    for target in targets:
        layer, head = scores.best(target)
        share = float(scores.on_target[layer, head, TARGETS.index(target)])
        heads.append({"target": target, "layer": layer, "head": head, "share": f"{share:.0%}"})
    counts = {"layer": patterns.n_layers, "head": patterns.n_heads}
    handles = {}
    for noun, count in counts.items():
        step = -(-count // _MOST_STOPS)
        if count > 1:
            handles[noun] = f"0:{count - 1}" + (f":{step}" if step > 1 else "")
    return _render(
        "heads.yaml",
        title=yaml_text(title_from_name(name)),
        data=yaml_text(data),
        patterns=patterns,
        heads=heads,
        handles=yaml_text(handles) if handles else "",
    )


def copy_storyboard(file: Path, name: str) -> str:
    """The storyboard in a file, with its comments, and with the title of a new film.

    Raises:
        StoryboardError: if it cannot be read, or has no title that can be replaced.
    """
    tree = parse_file(file)
    text = file.read_text(encoding="utf-8-sig")
    if not isinstance(tree.value, dict) or "title" not in tree.value:
        raise StoryboardError.at(tree.place(()), "this storyboard has no title to copy")
    try:
        copied = set_value(text, ("title",), title_from_name(name))
    except RewriteError as error:
        raise StoryboardError.at(tree.place(("title",)), str(error)) from None
    first, _, rest = copied.partition("\n")
    body = rest if _ANY_SCHEMA_LINE.fullmatch(first) else copied
    return f"{_SCHEMA_LINE}\n# Begun as a copy of {file.name}.\n{body}"


def _write_out(text: str, source: str, language: str | None) -> str:
    """The copy of a film's storyboard with all of its words.

    Raises:
        StoryboardError: if there are mistakes in the storyboard, or it has no room for the words.
    """
    from clockhead.storyboard.films import load_films
    from clockhead.storyboard.wording import write_out_words

    [film] = load_films([source], wish=Wish(language=language))
    try:
        begun, line_end, rest = write_out_words(text, film).partition(f"{film.file.name}.\n")
        text = f"{begun}{line_end}{_ABOUT_WORDS}{rest}"
        if language is not None:
            text = set_value(text, ("language",), language)
    except RewriteError as error:
        raise StoryboardError.at(Place(str(film.file)), str(error)) from None
    return text


def _render(template: str, **values: Any) -> str:
    """The text of a template in `templates`, with these values."""
    return _FILES.get_template(f"{template}.jinja").render(values)


def title_from_name(name: str) -> str:
    """`my_lecture` as the title `My lecture`."""
    words = " ".join(re.split(r"[_-]+", name)).strip()
    return words[:1].upper() + words[1:]


def _inputs_of(stage: str) -> dict[str, dict[str, Any]]:
    """The inputs of a stage by name, as the template shows them.

    `value` is the default in YAML, or the least value of an input without one (`is_given` is False
    then); `about` is the description with the bounds.
    """
    schema = inputs_schema(stage)
    found = {}
    for name in schema["properties"]:
        part = schema_at(schema, (name,))
        default, bounds = part["default"], describe(part)
        about = f"{part['description']} ({bounds})" if part.get("description") else bounds
        kinds = part.get("anyOf", ())
        least = next((kind["minimum"] for kind in kinds if "minimum" in kind), None)
        value = yaml_text(least if default is None else default)
        is_given = default is not None
        found[name] = {"name": name, "value": value, "about": about, "is_given": is_given}
    return found


def _shot(
    stage: str,
    expected: Mapping[str, str],
    inputs: Mapping[str, Mapping[str, Any]],
    shared: Collection[str],
) -> dict[str, Any]:
    """A shot as the template shows it."""
    own = [found for name, found in inputs.items() if name not in shared]
    with_default = [found for found in own or inputs.values() if found["is_given"]]
    known = find_stage(stage)
    given = ", ".join(f"{found['name']}: {found['value']}" for found in with_default)
    return {
        "stage": stage,
        "id": stage.partition(".")[2],
        "title": json.dumps(known.title, ensure_ascii=False),
        "caption": json.dumps(known.caption, ensure_ascii=False),
        "expect": yaml_text(expected),
        "inputs": own,
        "given": f"{{{given}}}",
    }
