"""What the film about zeros and ones points at: frames, colours of tiles, cells that ride.

Pictures read their own numbers back (`test_readings`). Which of them is framed, painted or sent is
held here against the text alone, and so is which table stands there, and under which sign.
"""

import sys
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from clockhead.scenes.onehot.answer import Mini
from clockhead.scenes.parts.block_moves import send_cells
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.stage import Stage, find_stage
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.shape import stroke_of
from clockhead.scenes.style.text import Formula
from clockhead.scenes.style.theme import theme
from tests.scenes.showing import drawn_rows, seen
from tests.scenes.staging import play
from tests.scenes.truths_onehot import (
    Skipped,
    Told,
    causal,
)

TOKEN, POSITION, PREVIOUS = "token", "position", "previous token"
TEXTS = ["!abacb", "no a no ", "abc"]
"""One answer, several, and none."""


@dataclass
class Pointed:
    """All that a beat points at: frames, (place, role) of tiles, (start, end) of rides."""

    frames: set[Any] = field(default_factory=set)
    painted: set[tuple[int, str]] = field(default_factory=set)
    rides: list[tuple[Any, Any]] = field(default_factory=list)


def around(*regions: Region) -> set[Any]:
    return {place(region) for region in regions}


def place(end: Any) -> Any:
    """A region, rounded, or a cell by its name, to be compared."""
    if not isinstance(end, Region):
        return end
    return tuple(round(float(x), 2) + 0.0 for x in (end.left, end.bottom, end.right, end.top))


def embedding(stage: Stage, text: Told) -> dict[str, Pointed]:
    rows, n = stage.rows, text.n
    answered = {(n - 1, "query"), *((k, "correct") for k in text.matches)}
    twice = [k for k in range(n) if text.tokens[k] in text.tokens[:k]]
    same = [text.tokens.index(text.tokens[twice[-1]]), twice[-1]] if twice else range(n)
    empty = [text.kinds.index(token) for token in text.absent]
    return {
        "ask": Pointed(painted=answered),
        "position": Pointed(
            rides=[(place(number(stage, i)), (i, POSITION, i)) for i in range(n)],
        ),
        "width": Pointed(around(*(rows.part(TOKEN, j=j) for j in empty))),
        "same": Pointed(around(*(rows.row(k) for k in same))),
    }


def number(stage: Stage, i: int) -> Region:
    points = stage.tiles.tiles[i].number.points
    (left, bottom, _), (right, top, _) = points.min(axis=0), points.max(axis=0)
    return Region(left, bottom, right, top)


def previous(stage: Stage, text: Told) -> dict[str, Pointed]:
    rows, grid, k, n = stage.rows, stage.grid, text.followed, text.n
    block = stage.weights.block(POSITION, POSITION)
    asks = [rows.part(POSITION, i=k), block.row(k)]
    last = max(i for i in range(n) if i != k)
    met = [cell for j in (0, n - 1) for cell in (rows.cell(j, POSITION, j), block.cell(k, j))]
    painted = {(k, "query")}
    ride = (k, POSITION, k), place(block.cell(k, 0))
    return {
        "walk": Pointed(around(*asks, block.cell(k, 0)), painted, [ride]),
        "meet": Pointed(around(*asks, *met), painted),
        "all": Pointed(around(rows.part(POSITION, i=last), block.row(last))),
        "say": Pointed(around(grid.cell(0, 0), grid.cell(n - 1, n - 2))),
    }


def write(stage: Stage, text: Told) -> dict[str, Pointed]:
    rows, grid, k, n = stage.rows, stage.grid, text.followed, text.n
    second, j, painted = rows.across[1].name, text.places[text.followed - 1], {(k, "query")}
    found = [grid.cell(k, k - 1), rows.part(TOKEN, i=k - 1), rows.cell(k, second, j)]
    before = [0, *range(n - 1)]
    sent = [((i, TOKEN, text.places[i]), text.places[i]) for i in before]
    return {
        "value": Pointed(around(*found), painted, [((k - 1, TOKEN, j), (k, POSITION, j))]),
        "h": Pointed(around(found[0], found[2]), painted),
        "keep": Pointed(around(found[0], found[2]), painted),
        "all": Pointed(
            around(grid.cell(n - 1, n - 2), found[2]),
            rides=[(start, (i, PREVIOUS, j)) for i, (start, j) in enumerate(sent)],
        ),
    }


def match(stage: Stage, text: Told) -> dict[str, Pointed]:
    rows, grid, last = stage.rows, stage.masked, text.n - 1
    asks, before = text.places[-1], [text.places[0], *text.places[:-1]]
    block, asker = stage.weights.block(PREVIOUS, TOKEN), rows.cell(last, TOKEN, asks)
    keys = [rows.cell(i, PREVIOUS, before[i]) for i in (0, last)]
    entries = [block.cell(asks, before[i]) for i in (0, last)]
    painted = {(last, "query")}
    ride = (last, TOKEN, asks), place(block.cell(asks, 0))
    found = [c for m in text.matches for c in (grid.cell(last, m), cell_of(stage, text, m))]
    return {
        "block": Pointed(around(rows.part(TOKEN), rows.part(PREVIOUS))),
        "score": Pointed(around(asker, block.row(asks), *keys, *entries), painted, [ride]),
        "all": Pointed(around(asker), painted),
        "mask": Pointed(around(asker), painted),
        "there": Pointed(
            around(asker, grid.row(last), *found),
            painted | {(m, "correct") for m in text.matches},
        ),
    }


def cell_of(stage: Stage, text: Told, i: int) -> Region:
    return stage.rows.cell(i, TOKEN, text.places[i])


def answer(stage: Stage, text: Told) -> dict[str, Pointed]:
    last, row = text.n - 1, stage.grid.row(text.n - 1)
    painted = {(last, "query"), *((m, "correct") for m in text.matches)}
    found = text.matches or range(text.n)
    first = stage.rows.across[0].name
    rides = [((m, TOKEN, text.places[m]), (last, TOKEN, text.places[m])) for m in found]
    return {
        "value": Pointed(around(row), painted, rides),
        "keep": Pointed(around(row), painted),
        "bars": Pointed(around(row, stage.rows.part(first, i=last)), painted),
        "say": Pointed(painted=painted),
        "name": Pointed(painted=painted),
    }


def skip(stage: Stage, text: Told) -> dict[str, Pointed]:
    text, rows, grid, last = two_back(text), stage.rows, stage.grid, text.n - 1
    asker, row = rows.cell(last, TOKEN, text.places[-1]), grid.row(last)
    found = [grid.cell(last, m) for m in text.found]
    there = [rows.cell(m, TOKEN, text.places[m]) for m in text.found]
    is_noted = "two before" in {block.name for block in rows.across}
    noted = [rows.cell(m, "two before", text.places[-1]) for m in text.found if is_noted]
    kept = stage.weights.block(POSITION, POSITION).cell(1, 0)
    asked = {(last, "query")}
    painted = asked | {(m, "correct") for m in text.found}
    second = [(k, text.places[k]) for k in (max(i - 2, 0) for i in range(text.n))]
    return {
        "lower": Pointed(around(kept)),
        "note": Pointed(
            around(kept),
            rides=[((k, TOKEN, j), (i, "two before", j)) for i, (k, j) in enumerate(second)],
        ),
        "match": Pointed(around(asker, row, *found, *there, *noted), painted),
        "say": Pointed(painted=painted),
        "end": Pointed(around(*(found or [row])), painted),
    }


DUE: dict[str, Callable[[Stage, Told], dict[str, Pointed]]] = {
    "embedding": embedding,
    "previous": previous,
    "write": write,
    "match": match,
    "answer": answer,
    "skip": skip,
}


def _causal(text: Told) -> np.ndarray:
    return causal(text.scores_1)


def _minis(text: Told) -> dict[str, np.ndarray]:
    parts = {"A_0": text.a_0, "V_0": text.v_0, "W_0": text.w_0, "A_1": text.a_1, "V_1": text.v_1}
    return {f"${sign}$": matrix for sign, matrix in parts.items()}


def two_back(text: Told) -> Skipped:
    """The same text, read by the head that looks two back."""
    return Skipped("".join(text.tokens[1:]).replace("␣", " "))


TABLES: dict[str, dict[str, dict[str, Callable[[Told], Any]]]] = {
    "embedding": {"same": {"rows": lambda text: text.y_0}},
    "previous": {
        "block": {"weights": lambda text: text.a_0, "sign": lambda _: "$A_0$"},
        "meet": {"scores": lambda text: text.scores_0},
        "mask": {"grid": lambda text: text.attention_0},
    },
    "write": {
        "value": {"moves": lambda text: text.v_0, "signs": lambda _: ["$V_0$", "$W_0$"]},
        "keep": {"keeps": lambda text: text.w_0, "grid": lambda text: text.attention_0},
        "all": {"rows": lambda text: text.y_1},
    },
    "match": {
        "block": {"weights": lambda text: text.a_1, "sign": lambda _: "$A_1$"},
        "all": {"scores": lambda text: text.scores_1, "rows": lambda text: text.y_1},
        "mask": {"masked": _causal},
    },
    "answer": {
        "value": {"grid": _causal, "moves": lambda text: text.v_1},
        "keep": {"keeps": lambda text: 0 * text.v_1},
        "bars": {"bars": lambda text: text.out, "signs": lambda _: ["$V_1$", "$W_1$"]},
        "name": {"minis": _minis},
    },
    "skip": {
        "diagonal": {"weights": lambda text: text.a_0, "grid": lambda text: text.attention_0},
        "lower": {
            "weights": lambda text: two_back(text).a_0,
            "grid": lambda text: two_back(text).attention_0,
            "sign": lambda _: "$A_0$",
        },
        "note": {"rows": lambda text: two_back(text).y_1},
        "match": {"grid": lambda text: _causal(two_back(text))},
    },
}
"""What tables and signs show at the end of a beat."""


def shown(part: Any) -> Any:
    """The numbers of a picture, the words of a label, or of several, or matrices by their signs."""
    if isinstance(part, dict):
        return [sheet.matrix.state for sheet in part.values()]
    if isinstance(part, list) and isinstance(part[0], Mini):
        return {mini.sign.text: mini.grid.state for mini in part}
    if isinstance(part, list):
        return [shown(one) for one in part]
    if isinstance(part, Strip):
        return part.tiles[0].label.text
    return part.text if isinstance(part, Formula) else part.state


@pytest.mark.parametrize(
    ("name", "given"),
    [(name, text) for name in DUE for text in TEXTS],
)
def test_what_is_pointed_at_is_what_is_spoken_of(
    name: str, given: str, monkeypatch: pytest.MonkeyPatch
):
    kind, text = find_stage(f"onehot.{name}"), Told(given)
    found: dict[str, Pointed] = defaultdict(Pointed)
    due: dict[str, Pointed] = {}
    stands: dict[tuple[str, str], Any] = {}
    rides: list[tuple[Any, Any]] = []

    def sending(blocks: Any, ways: Any, *more: Any, **options: Any) -> Any:
        rides.extend((place(a), place(b)) for a, b in ways)
        return send_cells(blocks, ways, *more, **options)

    def look(stage: Stage) -> None:
        beat = stage.beats[-1].name
        seen = found[beat]
        seen.frames |= around(*(f.region for f in frames(stage)))
        seen.painted |= painted(stage, text.n)
        seen.rides += rides
        rides.clear()
        due[beat] = DUE[name](stage, text).get(beat, Pointed())
        stands.update({(beat, k): shown(getattr(stage, k)) for k in TABLES[name].get(beat, {})})

    monkeypatch.setattr(sys.modules[kind.__module__], "send_cells", sending, raising=False)
    play(kind, kind.shot(kind.Inputs(text=given)), on_play=look)
    assert dict(found) == due
    for beat, parts in TABLES[name].items():
        for part, shows in parts.items():
            np.testing.assert_equal(
                rounded(stands[beat, part]), rounded(shows(text)), f"{beat} {part}"
            )


@pytest.mark.parametrize("name", ["embedding", "write"])
def test_the_rulers_are_as_wide_as_the_halves(name: str):
    stage = play(find_stage(f"onehot.{name}"))
    wide = {round(stage.rows.part(block.name).width, 6) for block in stage.rows.across}
    for ruler in stage.widths:
        assert ruler.state == Told("abacb").h
        assert round(ruler.line.width, 6) in wide


@pytest.mark.parametrize("name", ["embedding", "answer"])
@pytest.mark.parametrize(("given", "says"), [("abacb", "a"), ("no a no ", "?")])
def test_the_answer_is_what_came_before(name: str, given: str, says: str):
    kind, said = find_stage(f"onehot.{name}"), list[str]()

    def look(stage: Stage) -> None:
        label = stage.tiles.tiles[-1].label
        if stage.beats[-1].name in ("ask", "say") and is_visible(label):
            said.append(label.text)

    play(kind, kind.shot(kind.Inputs(text=given)), on_play=look)
    assert said[-1] == says


def rounded(value: Any) -> Any:
    """Numbers without what is lost in rounding; words as they are."""
    if isinstance(value, list):
        return [rounded(one) for one in value]
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    return np.round(value, 9) + 0.0 if isinstance(value, np.ndarray) else value


def frames(stage: Stage) -> list[CellFrame]:
    family = [m for mobject in stage.mobjects for m in mobject.get_family()]
    return [m for m in family if isinstance(m, CellFrame) and is_visible(m)]


def painted(stage: Stage, n: int) -> set[tuple[int, str]]:
    """The tiles with the colour of a role, by their edges."""
    roles = {theme().query.upper(): "query", theme().right.upper(): "correct"}
    tiles = stage.tiles.tiles if hasattr(stage, "tiles") else []
    edges = [(k, stroke_of(tile.box)) for k, tile in enumerate(tiles)]
    return {(k, roles[edge]) for k, edge in edges[:n] if edge in roles}


def numbered_cells(name: str, aspect: str) -> dict[str, set[str]]:
    """For every value that cells show in a stage, what is written in them."""
    found: dict[str, set[str]] = {}

    def look(scene: Any) -> None:
        for matrix in seen(scene, Matrix):
            if matrix.placed and matrix.opened.all():
                rows = drawn_rows(matrix)
                texts = {text for row in rows for text in row if text}
                found.setdefault(matrix.value.path, set()).update(texts)

    play(find_stage(name), aspect=aspect, on_play=look)
    return found


@pytest.mark.parametrize("aspect", ["16:9", "9:16"])
@pytest.mark.parametrize(
    ("name", "path", "written"),
    [
        ("onehot.previous", "weights.w_qk_0", {"100", "−100"}),
        ("onehot.previous", "scores_0", {"100", "−100"}),
        ("onehot.match", "scores_1", {"100", "0"}),
        ("onehot.answer", "weights.w_ov_1", {"100", "0"}),
    ],
)
def test_cells_say_the_numbers_that_sentences_speak_of(
    name: str, path: str, written: set[str], aspect: str
) -> None:
    assert numbered_cells(name, aspect)[path] == written
