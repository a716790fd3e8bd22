"""What the film `ablation` draws, held against formulas of its own.

A picture that was given the wrong value is right about that one: `misread` finds nothing. Here
numbers, and the words at them, are compared with `truths_ablation`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from clockhead.scenes.parts.flow import Ribbons
from clockhead.scenes.stage import find_stage
from tests.scenes.showing import Meant, same_table, seen, watch
from tests.scenes.truths_ablation import (
    FILM,
    WORDS,
    Exchange,
    Heads,
    exchange_of,
    heads_of,
    many_agree,
)

SILENCE, ONE_BY_ONE, ISOLATION, LOOKS = FILM.names


def heads_in(name: str) -> Heads:
    """The heads that a stage is about, unless it is told otherwise."""
    return heads_of(find_stage(name).Inputs())


HEADS, SEEN = heads_in(ONE_BY_ONE), heads_in(LOOKS)
EXCHANGE: Exchange = exchange_of(find_stage(ISOLATION).Inputs())


# What all values are


def tables_of(heads: Heads) -> dict[str, Any]:
    """The numbers of the stages about heads, by their paths."""
    h, found = heads.n_heads, heads.found
    each = {name: rows[1:-1].reshape(2, h, *rows.shape[1:]) for name, rows in found.items()}
    blends, first = heads.with_all_on("blends")[0], heads.layers[0]["w_o"]
    silent = first.copy()
    silent[: heads.d_head] = 0.0
    return {
        "patterns": heads.patterns,
        "silenced_patterns": each["patterns"],
        "off_patterns": heads.patterns_in(-1),
        "first.concat": blends,
        "first.block.w_o": first,
        "first.attn_out": heads.with_all_on("written")[0],
        "first_silenced.block.w_o": silent,
        "first_silenced.attn_out": found["written"][1][0],
    }


def tables_of_exchange(one: Exchange) -> dict[str, Any]:
    """The numbers of the stage about two texts."""
    on, off = one.after(on=True), one.after(on=False)
    return {
        "before.patterns": one.heads.patterns,
        "after.patterns": on["patterns"],
        "alone_before.resids": one.before(on=False),
        "before.run.resids": one.before(on=True),
        "alone_after.resids": off["streams"],
        "after.run.resids": on["streams"],
        "moves_alone": one.moves(on=False),
        "moves": one.moves(on=True),
    }


def tables_of_many(heads: Heads) -> dict[str, Any]:
    """In which of many models the busiest head moves most, forty models to a column."""
    agree = many_agree(tuple(heads.tokens), heads.n_heads).astype(float)
    ordered = np.sort(agree)[::-1]
    return {
        "agrees_in_columns": agree.reshape(-1, 40).T,
        "agrees_first": ordered.reshape(-1, 40).T,
    }


AXES = {
    "tokens": "T",
    "patterns": "--TT",
    "off_patterns": "--TT",
    "silenced_patterns": "----TT",
    "before.patterns": "--TT",
    "after.patterns": "--TT",
    "vocabulary": "V",
    "run.probabilities": "V",
    "off.probabilities": "V",
    "silenced_probabilities": "--V",
    "kept_probabilities": "--V",
    "kept_off": "V",
    **dict.fromkeys(("busy_row", "kept_row", "even_row"), "T"),
}
"""Along which axes of a value there are tokens, T, or the words that may come next, V."""


def names_in(heads: Heads) -> Callable[[str, int, int], Sequence[str] | None]:
    names: dict[str, Sequence[str]] = {"T": heads.tokens, "V": WORDS}
    return lambda path, axis, n_axes: names.get(AXES.get(path, "").ljust(n_axes, "-")[axis])


MEANT = {
    SILENCE: Meant(tables_of(HEADS), names_in(HEADS), is_whole=True),
    ONE_BY_ONE: Meant(tables_of(HEADS), names_in(HEADS), is_whole=True),
    ISOLATION: Meant(tables_of_exchange(EXCHANGE), names_in(EXCHANGE.heads), is_whole=True),
    LOOKS: Meant(tables_of(SEEN) | tables_of_many(SEEN), names_in(SEEN), is_whole=True),
}


@pytest.mark.parametrize("name", FILM.names)
def test_every_word_stands_at_what_is_its_own_and_every_number_is_true(name: str) -> None:
    assert MEANT[name].never_misplaced(name) == []


def test_bars_of_what_is_kept_are_in_front_of_those_that_move_and_of_those_that_were() -> None:
    def order(scene: Any) -> list[int]:
        bars = [scene.before, scene.after, scene.kept]
        return [scene.mobjects.index(one) for one in bars if one in scene.mobjects]

    found = [one for several in watch("ablation", "one_by_one", order).values() for one in several]
    assert max(map(len, found)) == 3
    assert all(one == sorted(one) for one in found)


def test_ribbons_are_shares_of_the_text_on_the_tiles() -> None:
    """From the foot up; so even are these patterns that no picture would look wrong."""
    found = watch("ablation", "isolation", lambda s: [r.state.copy() for r in seen(s, Ribbons)])
    on = EXCHANGE.after(on=True)["patterns"]
    for beat, patterns in (("switch on", EXCHANGE.heads.patterns), ("exchange on", on)):
        for ribbons, head in zip(found[beat][-1], EXCHANGE.heads.heads, strict=True):
            assert same_table(ribbons, patterns[head]), (beat, head)
