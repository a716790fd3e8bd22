"""A user's look.yaml: read, checked, and made into what shots and pages take."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any, Literal, cast, get_args

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema, create_model

from clockhead.home import HomeError, find_look_file, path_inside, reason_to_read_nothing
from clockhead.look import THEME_NAMES, Wish
from clockhead.places import relative_path
from clockhead.scenes.style.fonts import Font, FontError, Weight, read_font
from clockhead.scenes.style.looks import FONT_FILES, ThemeName
from clockhead.scenes.style.own_look import CLOCKHEAD_LOOK, OwnLook
from clockhead.scenes.style.palette import COLORS, color_flaws, offer, recolor
from clockhead.scenes.style.pictures import (
    PICTURE_FILES,
    PictureError,
    PictureFile,
    read_picture,
    seen_on,
)
from clockhead.scenes.style.theme import LEGEND, THEMES
from clockhead.storyboard.models import Normalize, OneLine, StrictModel, whole_number
from clockhead.storyboard.problems import Problem, StoryboardError, kind, show
from clockhead.storyboard.scalars import yaml_text
from clockhead.storyboard.validation import complaints_of, explain_error, remove_paths, suggest
from clockhead.storyboard.yaml_reader import KeyPath, Tree, parse_file

MAX_NAME = 120
MAX_CARD_TITLE, MAX_CARD_LINE, MAX_CARD_LINES = 80, 120, 6
CARD_STAGE = "card.text"
CARDS = ("intro", "end")
"""The keys of cards, which are also the ids of their shots."""
MAX_FILE_NAME = 300
_LEAST_SEEN = 0.5
"""The share of a logo's ink that has to be seen."""
_COLOR = re.compile(r"#[0-9A-Fa-f]{6}")
COLOR_MEANINGS: dict[str, str] = {
    **{str(role): meaning for role, meaning in LEGEND.items()},
    "attention_text": "words about attention, where its own colour is too bright to be read",
    "ink": "words",
    "muted": "words that matter less",
    "ground": "what lies behind everything",
    "panel": "plates behind parts of a picture",
    "hairline": "thin lines",
    "accent": "the colour of your house; marks lines on cards",
}
"""What each colour of a theme means."""


def _color(value: Any) -> Any:
    if isinstance(value, str) and _COLOR.fullmatch(value):
        return value.upper()
    meant = f"#{value:06}" if isinstance(value, int) and 0 <= value <= 999999 else f"#{value}"
    if isinstance(value, str) and re.fullmatch(r"#?[0-9A-Fa-f]{3}", value):
        meant = "#" + "".join(2 * digit for digit in value.removeprefix("#"))
    hint = f': write "{meant.upper()}"' if _COLOR.fullmatch(meant) else ""
    what = "nothing is given" if value is None else f"{show(value)} is no colour"
    raise ValueError(f'{what}; a colour is # and six digits in quotes, such as "#0A6BA8"{hint}')


def _file(value: str, *, endings: tuple[str, ...], noun: str) -> str:
    if not value.lower().endswith(endings):
        raise ValueError(f"{show(value)} is no {noun}: such a file ends in {', '.join(endings)}")
    return value


Color = Annotated[
    Any,
    AfterValidator(_color),
    WithJsonSchema({"type": "string", "pattern": f"^{_COLOR.pattern}$"}),
]
FontFile = Annotated[
    str,
    Field(min_length=1, max_length=MAX_FILE_NAME),
    AfterValidator(partial(_file, endings=FONT_FILES, noun="font file")),
    Normalize,
]
CardTitle = Annotated[str, Field(min_length=1, max_length=MAX_CARD_TITLE), OneLine, Normalize]
CardLine = Annotated[str, Field(min_length=1, max_length=MAX_CARD_LINE), OneLine, Normalize]
PictureName = Annotated[
    str,
    Field(min_length=1, max_length=MAX_FILE_NAME),
    AfterValidator(partial(_file, endings=PICTURE_FILES, noun="picture")),
    Normalize,
]


class FontSpec(StrictModel):
    """Font files by weight."""

    regular: FontFile = Field(description="the font of words and numbers")
    semibold: FontFile | None = Field(None, description="the font of titles")
    italic: FontFile | None = Field(None, description="the font of what is set in italics")


class LogoSpec(StrictModel):
    """Logos by theme."""

    chalk: PictureName | None = Field(None, description="the logo on the dark ground")
    paper: PictureName | None = Field(None, description="the logo on the light ground")


def _logos(value: Any) -> Any:
    """One file, or files by theme, as a map by theme."""
    if isinstance(value, str):
        value = dict.fromkeys(THEME_NAMES, _file(value, endings=PICTURE_FILES, noun="picture"))
    if not isinstance(value, dict):
        raise ValueError(f"logo must be a file, or a map with chalk and paper, not {kind(value)}")
    return value


def _fonts(value: Any) -> Any:
    """One file, or files by weight, as a map by weight."""
    if isinstance(value, str):
        value = {"regular": _file(value, endings=FONT_FILES, noun="font file")}
    if not isinstance(value, dict):
        raise ValueError(
            f"font must be a file, or a map with regular, semibold and italic, not {kind(value)}"
        )
    return value


_ThemeColors: Any = create_model(
    "ThemeColors",
    __base__=StrictModel,
    __doc__="Colours of one theme, by role.",
    **cast(
        "Any", {name: (Color, Field(None, description=COLOR_MEANINGS[name])) for name in COLORS}
    ),
)
_Colors: Any = create_model(
    "Colors",
    __base__=_ThemeColors,
    __doc__="Colours by role, for both themes or for one.",
    **cast(
        "Any",
        {
            name: (_ThemeColors | None, Field(None, description=f"colours of {name} alone"))
            for name in THEME_NAMES
        },
    ),
)


class CardSpec(StrictModel):
    """A card before or after every film. Texts may name {title}, {credit} and {name}."""

    title: CardTitle = Field("{title}", description="its title; the film's, unless it is given")
    lines: list[CardLine] = Field(
        ["{name}"],
        min_length=1,
        max_length=MAX_CARD_LINES,
        description="its lines; one of which nothing is left is left out",
    )
    picture: PictureName | None = Field(None, description="a PNG, JPEG or SVG beside the lines")
    hold: float = Field(
        0, ge=0, le=60, allow_inf_nan=False, description="seconds of rest at its end"
    )


class LookSpec(StrictModel):
    """A look of the user's: colours, font, logo, name, cards; every key may be left out."""

    version: Annotated[Literal[1], BeforeValidator(whole_number)] = Field(
        1, description="version of the language of looks"
    )
    name: Annotated[str, Field(min_length=1, max_length=MAX_NAME), OneLine, Normalize] = Field(
        "", description="who made the film, in the credit at its end"
    )
    colors: _Colors | None = Field(None, description="colours by role")
    font: Annotated[FontSpec | None, BeforeValidator(_fonts)] = Field(
        None, description="the font of words and numbers, in place of Source Sans Pro"
    )
    logo: Annotated[LogoSpec | None, BeforeValidator(_logos)] = Field(
        None, description="a PNG, JPEG or SVG for the corner at the top right"
    )
    intro: CardSpec | None = Field(None, description="a card before every film")
    end: CardSpec | None = Field(None, description="a card after every film")


@dataclass(frozen=True, slots=True)
class LookFile:
    """What a look.yaml says."""

    file: Path | None = None
    name: str = ""
    own: OwnLook = CLOCKHEAD_LOOK
    fonts: tuple[Font, ...] = field(default=(), repr=False)
    cards: Mapping[str, CardSpec] = field(default_factory=dict)
    """By their keys."""
    pictures: Mapping[str, PictureFile] = field(default_factory=dict)
    """The pictures of cards, by their keys."""
    tree: Tree = field(default_factory=lambda: Tree(""), repr=False, compare=False)

    def credit(self, credit: str) -> str:
        """The credit of a film: who made it, and whom it is owed to."""
        if not self.name or credit.startswith(self.name):
            return credit
        return f"{self.name.rstrip('.')}. {credit}" if credit else self.name

    def describe(self) -> dict[str, Any]:
        """What manifests say about it; empty without a look.yaml."""
        if self.file is None:
            return {}
        colors = {name: self.own.data(name) for name in THEME_NAMES}
        return {
            "file": self.file.name,
            "name": self.name,
            "colors": {name: found for name, found in colors.items() if found},
            "logos": {
                name: {"file": logo.name, "sha256": logo.digest}
                for name in THEME_NAMES
                if (logo := self.own.logo(name))
            },
            "fonts": {font.name: font.digest for font in self.fonts},
            "cards": {name: card.model_dump(mode="json") for name, card in self.cards.items()},
        }


NO_LOOK_FILE = LookFile()


def read_look(film: Path, wish: Wish, theme: ThemeName) -> tuple[LookFile, list[Problem]]:
    """The look for a film's storyboard, as far as it is valid, and what is wrong with the rest.

    A logo has to be seen in the theme of the film.
    """
    if wish.look_file == "":
        return NO_LOOK_FILE, []
    found = Path(wish.look_file) if wish.look_file else find_look_file(film)
    if found is None:
        return NO_LOOK_FILE, []
    file, home = relative_path(found), found.resolve().parent
    if not wish.look_file:  # a look.yaml may be a link to one that homes share
        home = found.parent.resolve()
    try:
        tree = parse_file(file)
    except StoryboardError as error:
        return NO_LOOK_FILE, list(error.problems)
    refusal = "" if wish.look_file else reason_to_read_nothing(home)
    return _LookReader(file, tree, home, refusal).read(theme)


class _LookReader:
    """Reads one look.yaml and collects its problems."""

    def __init__(self, file: Path, tree: Tree, home: Path, refusal: str) -> None:
        self._file, self._tree, self._home, self._refusal = file, tree, home, refusal
        self._problems = list(tree.problems)

    def read(self, theme: ThemeName) -> tuple[LookFile, list[Problem]]:
        """The valid parts, and all problems."""
        value = {} if self._tree.value is None else self._tree.value
        if not isinstance(value, dict):
            message = f"this is {kind(value)}; a look starts with keys such as `name:`"
            self._report((), message)
            return LookFile(self._file), self._problems
        version = value.get("version")
        if type(version) is int and version > 1:
            self._report(("version",), "this needs a newer Clockhead; this one reads version 1")
            return LookFile(self._file), self._problems
        sound = self._without_wrong_parts(value)
        spec = LookSpec.model_validate(sound)
        own = self._with_logos(self._recolored(spec.colors), spec.logo, theme)
        fonts = tuple(self._read_fonts(spec.font))
        self._check_name(spec.name, fonts)
        cards = {name: card for name in CARDS if (card := getattr(spec, name)) is not None}
        pictures = {
            name: picture
            for name, card in cards.items()
            if card.picture
            and (picture := self.read_picture((name, "picture"), card.picture)) is not None
        }
        found = LookFile(self._file, spec.name, own, fonts, cards, pictures, self._tree)
        return found, self._problems

    def _without_wrong_parts(self, value: dict[str, Any]) -> dict[str, Any]:
        """The file without paths that are wrong, which are reported."""
        wrong: set[KeyPath] = set()
        known = {problem.place for problem in self._problems}
        complaints = partial(complaints_of, LookSpec)
        for error in complaints(value):
            at, is_key = error["loc"], error["type"] == "extra_forbidden"
            items = [index for index, step in enumerate(at) if isinstance(step, int)]
            wrong.add(at[: items[0]] if items else at[:-1] if error["type"] == "missing" else at)
            place = self._tree.key_place(at) if is_key else self._tree.place(at)
            if self._tree.is_broken(at) or place in known:
                continue
            message = explain_error(error, look_schema())
            made = None if is_key else suggest(error, look_schema(), value, complaints)
            if made is not None and not made.refusal and isinstance(at[-1], str):
                message += f": write {at[-1]}: {yaml_text(made.value)}"
            self._problems.append(Problem.at(place, message))
        return cast("dict[str, Any]", remove_paths(value, wrong))

    def _recolored(self, colors: Any) -> OwnLook:
        """Both themes with the colours that are given, which are checked."""
        if colors is None:
            return CLOCKHEAD_LOOK
        for_both = _given(colors)
        found = {}
        for name in THEME_NAMES:
            own = _given(getattr(colors, name))
            theme = recolor(THEMES[name], {**for_both, **own})
            found[name] = theme
            places: dict[str, KeyPath] = {color: ("colors", color) for color in for_both}
            places |= {color: ("colors", name, color) for color in own}
            reported: set[str] = set()
            for flaw in color_flaws(theme):
                given = [color for color in flaw.colors if color in places]
                culprit = given[0] if given else "ground" if "ground" in places else "ink"
                if culprit in reported:
                    continue
                reported.add(culprit)
                message = f"in {name}, {flaw.message}"
                better = offer(theme, culprit)
                if better:
                    message += f': write {culprit}: "{better}"'
                elif others := sum(culprit in one.colors for one in color_flaws(theme)) - 1:
                    message += f" (and {others} more because of this colour)"
                self._report(places[culprit], message)
        return OwnLook(chalk=found["chalk"], paper=found["paper"])

    def _with_logos(self, own: OwnLook, spec: LogoSpec | None, theme: ThemeName) -> OwnLook:
        if spec is None:
            return own
        is_map = isinstance(cast("dict[str, Any]", self._tree.value)["logo"], dict)
        logos = {
            file: self.read_picture(("logo", name) if is_map else ("logo",), file)
            for name in THEME_NAMES
            if (file := getattr(spec, name)) is not None
        }
        chalk, paper = logos.get(spec.chalk), logos.get(spec.paper)
        own = replace(own, chalk_logo=chalk, paper_logo=paper)
        logo, ground = own.logo(theme), own.theme(theme).ground
        if logo is not None and seen_on(logo, ground) < _LEAST_SEEN:
            other = "" if is_map else "; give one for each theme: logo: {chalk: FILE, paper: FILE}"
            message = f"{logo.name} is hardly seen on the ground of {theme}, {ground}{other}"
            self._report(("logo", theme) if is_map else ("logo",), message)
        return own

    def read_picture(self, at: KeyPath, name: str) -> PictureFile | None:
        """The picture in a file of the home; None, and a problem, if it may not be used."""
        path = self._path(at, name)
        try:
            return None if path is None else read_picture(path)
        except PictureError as error:
            self._report(at, f"{show(name)}: {error}")
            return None

    def _read_fonts(self, spec: FontSpec | None) -> Iterator[Font]:
        if spec is None:
            return
        weights: tuple[Weight, ...] = get_args(Weight)
        files: dict[Weight, str | None] = {weight: getattr(spec, weight) for weight in weights}
        is_map = isinstance(cast("dict[str, Any]", self._tree.value)["font"], dict)
        for weight, name in files.items():
            if name is None:
                continue
            at: KeyPath = ("font", weight) if is_map else ("font",)
            path = self._path(at, name)
            if path is None:
                continue
            missing = tuple(w for w, other in files.items() if other is None)
            replaces: tuple[Weight, ...] = (weight, *missing) if weight == "regular" else (weight,)
            try:
                yield replace(read_font(path), replaces=replaces)
            except FontError as error:
                self._report(at, f"{show(name)}: {error}")

    def _path(self, at: KeyPath, name: str) -> Path | None:
        """The path of a file that may be read; None, and a problem, for another."""
        if self._refusal:
            self._report(at, f"{show(name)} is not read: {self._refusal}")
            return None
        try:
            return path_inside(self._home, name)
        except HomeError as error:
            self._report(at, f"{show(name)}: {error}")
            return None

    def _check_name(self, name: str, fonts: tuple[Font, ...]) -> None:
        from clockhead.scenes.style.fonts import drawing_with
        from clockhead.storyboard.texts import TextChecker  # which imports NumPy

        with drawing_with(fonts):
            for message in TextChecker(line=partial(self._tree.line, ("name",))).problems(name):
                self._report(("name",), message)

    def _report(self, at: KeyPath, message: str) -> None:
        self._problems.append(Problem.at(self._tree.place(at), message))


def _given(colors: Any) -> dict[str, str]:
    """The colours that a model has, by name."""
    found = {} if colors is None else {name: getattr(colors, name) for name in COLORS}
    return {name: color for name, color in found.items() if color is not None}


@cache
def look_schema() -> Mapping[str, Any]:
    """The JSON Schema of look.yaml, for editors and messages."""
    schema = LookSpec.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
