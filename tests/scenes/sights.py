"""What a scene points at, names, colours and sends, read off the picture in words and paths.

`misread` compares numbers. Here it is read which words stand at which value, what a frame stands
around, which colour a value has, between what a line runs, from where to where words fly, and in
which order frames step and rows open.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from manim import DashedVMobject, Mobject, VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.cells import Hatching
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import Picture, Shot, Stage, find_stage
from clockhead.scenes.stage.carry import BlindRenderer
from clockhead.scenes.stage.shown import Passing, has_ink
from clockhead.scenes.style.shape import fill_of, stroke_of
from clockhead.scenes.style.text import Formula, Label, Number, Paragraph, TypesetText
from clockhead.scenes.style.theme import ROLES, theme
from tests.scenes.staging import play

Text = Label | Formula | TypesetText | Paragraph
_WHOLE = 0.12
"""How far a frame may be from the edges of cells, as a share of a cell."""
_NEAR = 0.6
"""How far, in units, something may be from what it starts or ends at."""
_MOVED = 0.5
_DIM = 0.7
"""The opacity below which words are dimmed."""


@dataclass
class Sight:
    """What is there to be pointed at: pictures with their values, cells, and words."""

    pictures: list[Picture]
    matrices: list[Matrix]
    words: list[Text]
    free: list[VMobject]
    """Pieces that belong to no picture and are no words."""
    owners: dict[int, Picture]
    """The picture that a piece belongs to, by its id."""


def look(scene: Stage) -> Sight:
    """All that can be seen, but for the stage's title and subtitles."""
    found = Sight([], [], [], [], {})
    furniture = scene._furniture
    aside = (furniture.opening, furniture._covers, *furniture.sentences.values())
    known = {id(part) for part in aside}

    def walk(mobject: Mobject, owner: Picture | None) -> None:
        if id(mobject) in known:
            return
        known.add(id(mobject))
        if isinstance(mobject, Picture):
            if owner is not None:
                found.owners[id(mobject)] = owner
            owner = owner or mobject
            if is_seen(mobject):
                found.pictures.append(mobject)
                if isinstance(mobject, Matrix) and mobject.placed and mobject.opened.any():
                    found.matrices.append(mobject)
        elif isinstance(mobject, Text):
            if is_seen(mobject):
                found.words.append(mobject)
                if owner is not None:
                    found.owners[id(mobject)] = owner
            return
        elif isinstance(mobject, CellFrame | DashedVMobject):
            if is_seen(mobject):
                found.free.append(mobject)
            return
        elif owner is None and isinstance(mobject, VMobject) and has_ink(mobject, 0.05):
            found.free.append(mobject)
        for part in mobject.submobjects:
            walk(part, owner)

    for mobject in scene.mobjects:
        walk(mobject, None)
    return found


def is_seen(mobject: Mobject) -> bool:
    return any(has_ink(piece, 0.05) for piece in mobject.get_family())


def box(mobject: Any) -> NDArray[np.float64]:
    """Left, bottom, right and top of all that is drawn."""
    points = [p.points[:, :2] for p in mobject.get_family() if len(p.points)]
    if not points:
        return np.full(4, np.nan)
    low = np.min([p.min(axis=0) for p in points], axis=0)
    high = np.max([p.max(axis=0) for p in points], axis=0)
    return np.array([*low, *high])


def gap(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """How far two boxes are apart."""
    between = np.maximum(np.maximum(a[:2] - b[2:], b[:2] - a[2:]), 0.0)
    return float(np.hypot(*between))


def value_name(picture: Picture) -> str:
    """The path of what a picture shows."""
    shown = picture.shown
    value = shown.end if isinstance(shown, Passing) else shown
    return value.path + "".join(f"[{_step(step)}]" for step in value.index)


def _step(step: int | slice) -> str:
    if not isinstance(step, slice):
        return str(step)
    start, stop, pace = ("" if n is None else str(n) for n in (step.start, step.stop, step.step))
    return f"{start}:{stop}" + f":{pace}" * bool(pace)


def text_of(word: Text) -> str:
    """What words say; a paragraph in one line, a number by what stands around it."""
    if isinstance(word, Paragraph):
        return " ".join(line.text for line in word if isinstance(line, Text))
    return f"{word.prefix}…{word.suffix}" if isinstance(word, Number) else word.text


# What is at a point, or in a frame


def cells(sight: Sight, edges: NDArray[np.float64]) -> str | None:
    """The cells of a matrix that a box stands around, if it is around whole ones."""
    found = []
    for matrix in sight.matrices:
        lattice = matrix.lattice
        left, top = (lattice.region.left, lattice.region.top)
        columns = (edges[[0, 2]] - left) / lattice.cell_width
        rows = (top - edges[[3, 1]]) / lattice.cell_height
        both = np.concatenate([rows, columns])
        whole = np.rint(both)
        sizes = np.array([lattice.n_rows, lattice.n_rows, lattice.n_columns, lattice.n_columns])
        i, k, j, m = whole.astype(int).tolist()
        is_inside = (whole >= 0).all() and (whole <= sizes).all() and i < k and j < m
        if is_inside and (np.abs(both - whole) < _WHOLE).all():
            found.append(f"{value_name(matrix)} rows {i}:{k} columns {j}:{m}")
    return min(found, default=None)


def inside(sight: Sight, edges: NDArray[np.float64]) -> str | None:
    """The words whose middles are in a box, or else the pictures that it covers."""

    def holds(part: Any) -> bool:
        low, high = box(part).reshape(2, 2)
        middle = (low + high) / 2
        return bool((edges[:2] <= middle).all() and (middle <= edges[2:]).all())

    words = [word for word in sight.words if holds(word)]
    if words:
        words.sort(key=lambda word: (-round(float(box(word)[1]), 1), float(box(word)[0])))
        return " ".join(f"“{text_of(word)}”" for word in words)
    names = sorted({value_name(part) for part in sight.pictures if holds(part)})
    return ", ".join(names) or None


def place(sight: Sight, point: NDArray[np.float64], but: int = 0) -> str:
    """What is at a point: a cell, a word, or a picture."""
    for matrix in sight.matrices:
        area = matrix.lattice.region
        if area.left <= point[0] <= area.right and area.bottom <= point[1] <= area.top:
            i, j = matrix.lattice.nearest(np.array([*point[:2], 0.0]))
            return f"{value_name(matrix)} ({i}, {j})"
    edges = np.array([*point[:2], *point[:2]])
    words = [word for word in sight.words if id(word) != but]
    near = [(round(gap(box(word), edges), 2), k) for k, word in enumerate(words)]
    if near and min(near)[0] < _NEAR:
        word = words[min(near)[1]]
        owner = sight.owners.get(id(word))
        return f"“{text_of(word)}”" + (f" of {value_name(owner)}" if owner else "")
    parts = sorted((round(gap(box(part), edges), 2), value_name(part)) for part in sight.pictures)
    return parts[0][1] if parts and parts[0][0] < _NEAR else "nothing"


# What is read


def roles_of(part: Mobject, *, is_text: bool = False) -> list[str]:
    """The roles whose colours a part has; of text, but for that of tokens, its usual ink."""
    colors: set[str] = set()
    for piece in part.get_family():
        if not isinstance(piece, VMobject) or not len(piece.points):
            continue
        if piece.get_fill_opacity() > 0.3:
            colors.add(fill_of(piece).upper())
        if piece.get_stroke_width() > 0 and piece.get_stroke_opacity() > 0.3:
            colors.add(stroke_of(piece).upper())
    known = {theme().text_color(role).upper(): role for role in ROLES}
    return sorted(known[c] for c in colors if c in known and not (is_text and known[c] == "token"))


def frames(sight: Sight) -> Iterator[tuple[VMobject, str]]:
    """Frames, and what they stand around."""
    for piece in sight.free:
        if not isinstance(piece, CellFrame) and not _is_frame(piece):
            continue
        edges = box(piece)
        around = cells(sight, edges) or inside(sight, edges)
        role = " ".join(roles_of(piece)) or "plain"
        yield piece, f"{role} frame around {around or 'nothing'}"


def _is_frame(piece: VMobject) -> bool:
    if isinstance(piece, DashedVMobject):
        return False
    points = piece.points
    is_empty = piece.get_fill_opacity() < 0.3 and piece.get_stroke_width() > 1.5
    low, high = points.min(axis=0)[:2], points.max(axis=0)[:2]
    at_corner = np.isclose(points[:, :2], low, atol=0.12) | np.isclose(
        points[:, :2], high, atol=0.12
    )
    is_closed = np.allclose(points[0], points[-1], atol=1e-3)
    return bool(is_empty and is_closed and (high - low).min() > 0.1 and at_corner.any(axis=1).all())


def lines(sight: Sight) -> Iterator[str]:
    """Open lines that belong to no picture, and between what they run."""
    for piece in sight.free:
        parts = [p for p in piece.get_family() if len(p.points)]
        if isinstance(piece, CellFrame) or not parts or piece.get_stroke_width() == 0:
            continue
        start, end = parts[0].points[0], parts[-1].points[-1]
        if np.allclose(start, end, atol=1e-2):
            continue
        role = " ".join(roles_of(piece)) or "plain"
        yield f"{role} line from {place(sight, start)} to {place(sight, end)}"


def words_at(sight: Sight) -> Iterator[str]:
    """Words, their colour, and the value that they stand at."""
    boxes = [(box(part), value_name(part)) for part in sight.pictures]
    for word in sight.words:
        owner = sight.owners.get(id(word))
        role = " ".join(roles_of(word, is_text=True))
        if max(piece.get_fill_opacity() for piece in word.family_members_with_points()) < _DIM:
            role = f"{role} dimmed".strip()
        text = text_of(word)
        if text == "…" and not role:
            continue
        if owner is not None:
            where = value_name(owner)
        else:
            here = box(word)
            near = sorted((round(gap(b, here), 1), name) for b, name in boxes)
            where = near[0][1] if near and near[0][0] < 2 else "nothing"
        yield f"“{text}” {role + ' ' if role else ''}at {where}"


def colors(sight: Sight) -> Iterator[str]:
    for part in sight.pictures:
        if sight.owners.get(id(part)) is None and (roles := roles_of(part)):
            yield f"{value_name(part)} in {' '.join(roles)}"
    for matrix in sight.matrices:
        if any(isinstance(part, Hatching) and is_seen(part) for part in matrix.get_family()):
            yield f"{value_name(matrix)} is hatched"


def readings(scene: Stage) -> set[str]:
    """All that is to be seen at a moment."""
    sight = look(scene)
    found = {said for _, said in frames(sight)}
    return found | {*lines(sight), *words_at(sight), *colors(sight)}


@dataclass
class Motion:
    """Where frames rest, where words go, and in which order rows open, in a play."""

    starts: dict[int, tuple[Any, NDArray[np.float64], str]] = field(default_factory=dict)
    lasts: dict[int, NDArray[np.float64]] = field(default_factory=dict)
    """Where words have been seen last; those that land may be gone in the end."""
    rests: dict[int, list[str]] = field(default_factory=dict)
    opened: dict[int, tuple[Matrix, list[int]]] = field(default_factory=dict)
    sizes: dict[int, NDArray[np.float64]] = field(default_factory=dict)

    def moment(self, scene: Stage) -> None:
        sight = look(scene)
        for piece, said in frames(sight):
            stops = self.rests.setdefault(id(piece), [])
            if " rows " in said and stops[-1:] != [said]:
                stops.append(said)
        for word in sight.words:
            middle = box(word).reshape(2, 2).mean(axis=0)
            self.lasts[id(word)] = middle
            if id(word) not in self.starts:
                self.starts[id(word)] = word, middle, place(sight, middle, id(word))
        for matrix in sight.matrices:
            rows = self.opened.setdefault(id(matrix), (matrix, []))[1]
            is_open = matrix.opened > 0.5
            before = self.sizes.get(id(matrix))
            if before is not None and before.shape == is_open.shape:
                rows += [
                    k for k in np.flatnonzero((is_open & ~before).any(axis=1)) if k not in rows
                ]
            self.sizes[id(matrix)] = is_open

    def end(self, scene: Stage) -> set[str]:
        self.moment(scene)
        sight = look(scene)
        found = set()
        for stops in self.rests.values():
            if len(stops) > 1:
                found.add(" > ".join([stops[0], *(s.partition("around ")[2] for s in stops[1:])]))
        for key, (word, start, home) in self.starts.items():
            middle = self.lasts[key]
            if np.hypot(*(middle - start)) > _MOVED:
                found.add(f"“{text_of(word)}” goes from {home} to {place(sight, middle, key)}")
        for matrix, rows in self.opened.values():
            if rows:
                found.add(f"{value_name(matrix)} opens rows {_in_short(rows)}")
        return found


def _in_short(rows: list[int]) -> str:
    """Numbers, where they run on as their first and last: 0-3 5."""
    runs: list[list[int]] = []
    for row in rows:
        if runs and row == runs[-1][-1] + 1:
            runs[-1].append(row)
        else:
            runs.append([row])
    return " ".join(f"{r[0]}-{r[-1]}" if len(r) > 1 else str(r[0]) for r in runs)


def watch_sights(name: str, *, aspect: str = "16:9", **inputs: Any) -> dict[str, set[str]]:
    """By beat, what is seen at the ends of its plays, and what moves in them."""
    stage = find_stage(name)
    found: dict[str, set[str]] = {}
    motion = [Motion()]

    def see(scene: Stage) -> None:
        beat = scene.beats[-1].name if scene.beats else "opening"
        found.setdefault(beat, set()).update(readings(scene), motion[0].end(scene))
        motion[0] = Motion()

    play(
        stage,
        stage.shot(stage.Inputs(**inputs)),
        aspect=aspect,
        on_play=see,
        on_moment=lambda scene: motion[0].moment(scene),
    )
    return found


def carried(stage: type[Stage], shot: Shot) -> Iterator[str]:
    """What becomes of pictures that a shot takes over from the one before, but those that stay."""
    scene = stage(shot, renderer=BlindRenderer())
    scene.setup()
    before = scene._shot_before
    assert before is not None
    left = before.left_attributes()
    for name, part in scene._opening.items():
        if name not in left or not hasattr(before, left[name]):
            continue
        old, new = _shown(getattr(before, left[name])), _shown(part)
        if len(old) != len(new):
            yield f"{name}: {len(old)} pictures become {len(new)}"
        for (path, content), (other, follows) in zip(old, new, strict=False):
            if not _is_equal(content, follows):
                yield f"{name}: {path or 'words'} becomes {other or 'words'}"


def _is_equal(a: NDArray[Any], b: NDArray[Any]) -> bool:
    """Whether values are equal, but for rounding, which differs from processor to processor."""
    if a.dtype.kind == "f" and b.dtype.kind == "f":
        return a.shape == b.shape and np.allclose(a, b, rtol=1e-9, atol=1e-12, equal_nan=True)
    return np.array_equal(a, b)


def _shown(part: Mobject) -> list[tuple[str, NDArray[Any]]]:
    """The path and the content of each picture in a part."""
    pictures = [one for one in part.get_family() if isinstance(one, Picture)]
    values = [p.shown.end if isinstance(p.shown, Passing) else p.shown for p in pictures]
    paths = [value_name(picture) for picture in pictures]
    return [(path, np.asarray(v.content)) for path, v in zip(paths, values, strict=True)]
