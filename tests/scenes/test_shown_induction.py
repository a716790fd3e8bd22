"""Which values the film `induction` shows in each beat, over its usual text.

A picture of the wrong value is right about that one: `misread` cannot find it, and this does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.stage import Picture, Stage, Value, find_stage
from tests.scenes.staging import play

SHOWN: dict[str, dict[str, str]] = {
    "idea": {
        "typed": ("text.tokens[slice(1,None,None)]"),
        "recall": ("says:text.tokens[2] text.tokens[slice(1,None,None)]"),
        "guess": ("says:text.tokens[2] text.tokens[slice(1,None,None)]"),
        "look": (
            "echo.head.pattern[4,slice(1,None,None)] says:text.tokens[2] "
            "text.tokens[slice(1,None,None)]"
        ),
        "parrot": (
            "echo.head.pattern[4,slice(1,None,None)] says:echo.prediction "
            "text.tokens[slice(1,None,None)]"
        ),
        "further": "echo.head.pattern[4,slice(1,None,None)] text.tokens[slice(1,None,None)]",
        "card": ("text.tokens[slice(1,None,None)]"),
    },
    "lanes": {
        "positions": ("head.tokens"),
        "clocks": ("head.key_phases head.tokens"),
        "ask": ("head.key_phases head.key_phases[2] head.query_phases[2] head.tokens"),
        "all": (
            "head.key_phases head.key_phases[1] head.key_phases[3] head.key_phases[4] "
            "head.query_phases[1] head.query_phases[2] head.query_phases[3] "
            "head.query_phases[4] head.tokens"
        ),
        "notes": (
            "head.key_phases head.query_phases[1] head.query_phases[2] head.query_phases[3] "
            "head.query_phases[4] head.stored_tokens head.stored_weights head.tokens"
        ),
        "named": ("head.stored_tokens head.stored_weights head.tokens"),
    },
    "match": {
        "ask": ("stored_tokens stored_weights tokens"),
        "noted": ("forward.head_0.pattern[2] stored_tokens stored_weights tokens"),
        "found": ("forward.head_0.pattern[2] row stored_tokens stored_weights tokens"),
        "score": (
            "forward.head_0.pattern[2] row scores scores[0] scores[1] scores[2] scores[3] "
            "scores[4] stored_tokens stored_weights tokens"
        ),
        "share": (
            "forward.head_0.pattern[2] row row[2] scores stored_tokens stored_weights tokens"
        ),
        "take": (
            "forward.head_0.pattern[2] row row[2] says:tokens[2] stored_tokens stored_weights "
            "tokens"
        ),
        "again": (
            "forward.head_0.pattern[2] row says:tokens[2] stored_tokens stored_weights tokens"
        ),
    },
    "ablate": {
        "layer 0 off": ("both.row both.stored_tokens both.stored_weights both.tokens"),
        "says what is frequent": (
            "both.tokens no_layer_0.row no_layer_0.row[1] no_layer_0.row[4] says:frequent[0]"
        ),
        "layer 1 off": (
            "both.forward.head_0.pattern[2] both.stored_tokens both.stored_weights "
            "both.tokens no_layer_0.row says:frequent[0]"
        ),
        "says nothing": (
            "both.forward.head_0.pattern[2] both.stored_tokens both.stored_weights both.tokens"
        ),
        "two back": (
            "both.stored_tokens both.stored_weights both.tokens two_back.stored_tokens "
            "two_back.stored_weights"
        ),
        "says two ahead": (
            "both.tokens says:says[0] two_back.row two_back.row[3] two_back.stored_tokens "
            "two_back.stored_weights"
        ),
        "whole": (
            "both.forward.head_0.pattern[2] both.row both.row[2] both.stored_tokens "
            "both.stored_weights both.tokens says:both.says[0] says:says[0] two_back.row "
            "two_back.row[3] two_back.stored_tokens two_back.stored_weights"
        ),
    },
    "prediction": {
        "torn": (
            "outputs[1,2] outputs[1,4] outputs[1] torn.stored_tokens torn.stored_weights "
            "torn.tokens vocabulary.tokens"
        ),
        "bare": (
            "outputs[1,2] outputs[1,4] outputs[1] torn.stored_tokens torn.stored_weights "
            "torn.tokens vocabulary.tokens without_bos.stored_tokens "
            "without_bos.stored_weights without_bos.tokens"
        ),
        "without bos": (
            "outputs[2,1] outputs[2,2] outputs[2,4] outputs[2] vocabulary.tokens "
            "without_bos.stored_tokens without_bos.stored_weights without_bos.tokens"
        ),
        "new": (
            "new.stored_tokens new.stored_weights new.tokens outputs[2,1] outputs[2,2] "
            "outputs[2,4] outputs[2] outputs[3,0] outputs[3,1] outputs[3,2] outputs[3,3] "
            "outputs[3,4] outputs[3] vocabulary.tokens without_bos.stored_tokens "
            "without_bos.stored_weights without_bos.tokens"
        ),
    },
    "forward_pass": {
        "both": (
            "head.stored_tokens head.stored_weights head.tokens orders.own_subspaces[0] "
            "orders.own_subspaces[1]"
        ),
        "added": (
            "orders.apart_in_one orders.one_subspace orders.own_subspaces[0] "
            "orders.own_subspaces[1]"
        ),
        "own": ("orders.apart orders.one_subspace orders.own_subspaces[0] orders.own_subspaces[1]"),
        "unfold": ("head.forward.resid_pre head.tokens"),
        "layer 0": ("head.forward.resid_mid head.tokens"),
        "find": ("head.forward.resid_mid head.tokens"),
        "out": ("head.resid_asked head.tokens"),
        "stream": ("head.resid_asked head.tokens"),
    },
    "probabilities": {
        "logits": (
            "texts.main.stored_tokens texts.main.stored_weights texts.main.tokens "
            "texts.outputs[0,0] texts.outputs[0,1] texts.outputs[0,2] texts.outputs[0,3] "
            "texts.outputs[0,4] texts.outputs[0] texts.vocabulary.tokens"
        ),
        "blocks": (
            "blocks blocks[0] blocks[1] blocks[2] blocks[3] blocks[4] "
            "texts.main.stored_tokens texts.main.stored_weights texts.main.tokens "
            "texts.outputs[0,0] texts.outputs[0,1] texts.outputs[0,2] texts.outputs[0,3] "
            "texts.outputs[0,4] texts.outputs[0] texts.vocabulary.tokens"
        ),
        "flat": (
            "blocks sure.flat sure.flat_lead texts.main.stored_tokens "
            "texts.main.stored_weights texts.main.tokens texts.vocabulary.tokens"
        ),
        "scale": (
            "gammas[0] gammas[60] leading[60] probabilities[60] sure.flat sure.flat_lead "
            "texts.main.stored_tokens texts.main.stored_weights texts.main.tokens"
        ),
    },
    "rank": {
        "drop": ("bent.codes[0,1] bent.curve[0] bent.names"),
        "shout": ("bent.codes[0,1] bent.curve[0] bent.line_shares[1,0] bent.line_shares[1]"),
        "ends": ("bent.curve[0] bent.looks_at[0] bent.n_found[0]"),
        "bend": (
            "bent.curve[0] bent.curve[80] bent.looks_at[0] bent.looks_at[80] bent.n_found[0] "
            "bent.n_found[80]"
        ),
        "farthest": ("bent.codes[80,1] bent.curve[80] outward"),
        "two": ("bent.codes[80,1,0] bent.codes[80,1,1] bent.codes[80,1] bent.curve[80]"),
        "crowd": (
            "bent.circle_shares[1] bent.codes[80,1,0] bent.codes[80,1,1] bent.codes[80,1] "
            "bent.curve[80] bent.own crowd.filling_own[93] crowd.filling_shares[93] "
            "crowd.sizes[0] crowd.sizes[93]"
        ),
        "price": (
            "crowd.betas[slice(0,1,None),0] crowd.betas[slice(0,1,None)] "
            "crowd.betas[slice(1,2,None),0] crowd.betas[slice(1,2,None)]"
        ),
    },
    "nonsense": {
        "again": (
            "head.forward.head_0.pattern[2] head.row head.stored_tokens head.stored_weights "
            "head.tokens says:head.tokens[2]"
        ),
        "sung": (
            "head.forward.head_0.pattern[2] head.row head.stored_tokens head.stored_weights "
            "head.tokens says:head.tokens[2] says:sung.tokens[2] sung.stored_tokens "
            "sung.stored_weights sung.tokens"
        ),
        "named": (
            "named.stored_tokens named.stored_weights named.tokens says:named.tokens[2] "
            "says:sung.tokens[2] sung.forward.head_0.pattern[2] sung.row sung.stored_tokens "
            "sung.stored_weights sung.tokens"
        ),
        "untrained": (
            "head.stored_tokens head.stored_weights head.tokens named.stored_tokens "
            "named.stored_weights named.tokens says:head.tokens[2] says:named.tokens[2] "
            "trained.rows[0] trained.steps[0]"
        ),
        "trained": (
            "head.stored_tokens head.tokens says:head.tokens[2] "
            "trained.layer_0[2,100] trained.rows[0] trained.rows[100] trained.steps[0] "
            "trained.steps[100] trained.stored[0] trained.stored[100]"
        ),
        "name": (
            "head.stored_tokens head.tokens says:head.tokens[2] trained.layer_0[2,100] "
            "trained.rows[100] trained.stored[100]"
        ),
    },
}
"""What can be read at the end of the plays of each beat."""


def shown(scene: Stage) -> Iterator[str]:
    """The values of all pictures that can be read, except of scales; and what is answered."""
    for part in (m for mobject in scene.mobjects for m in mobject.get_family()):
        if isinstance(part, Strip) and part.answer_value is not None:
            yield f"says:{part.answer_value.name}"
        value = part.shown if isinstance(part, Picture) else None
        if isinstance(value, Value) and value.path and any(True for _ in part.readings()):
            yield value.name.replace(", ", ",")


@pytest.mark.parametrize("name", SHOWN)
def test_each_beat_shows_the_values_that_it_is_about(name: str) -> None:
    found: dict[str, set[str]] = {}

    def look(scene: Stage) -> None:
        beat = scene.beats[-1].name if scene.beats else "opening"
        found.setdefault(beat, set()).update(shown(scene))

    play(find_stage(f"induction.{name}"), on_play=look)
    assert {beat: " ".join(sorted(values)) for beat, values in found.items()} == SHOWN[name]


# Arrows between words and notes


def covered_arrows(scene: Any) -> list[str]:
    """The names of arrows of which more than an end is behind tiles and notes."""
    tiles = scene.tiles.tiles
    over = [tile.box for tile in tiles] + [tile.note.frame for tile in tiles if tile.note]
    corners = [(box.points.min(axis=0)[:2], box.points.max(axis=0)[:2]) for box in over]
    found = []
    for hop in (*scene.first, *scene.second):
        points = hop.line.points[:, :2]
        behind = [((low < points) & (points < high)).all(axis=1) for low, high in corners]
        if len(points) and np.any(behind, axis=0).mean() > 0.05:
            found.append(hop.label.text)
    return found


@pytest.mark.parametrize("aspect", ["16:9", "1:1", "9:16"])
@pytest.mark.parametrize("name", ["match", "nonsense"])
def test_both_hops_can_be_seen(name: str, aspect: str) -> None:
    found: list[str] = []
    scene = play(
        find_stage(f"induction.{name}"),
        aspect=aspect,
        on_play=lambda scene: found.extend(covered_arrows(scene)),
    )
    assert found == []
    assert all(len(hop.line.points) for hop in (*scene.first, *scene.second))
