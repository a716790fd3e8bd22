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
from clockhead.scenes.stage.shown import is_visible
from tests.scenes.staging import play

SHOWN: dict[str, dict[str, str]] = {
    "idea": {
        "typed": "text.tokens",
        "recall": "says:text.tokens[3] text.tokens",
        "parrot": "echo.head.pattern[9] says:echo.prediction says:text.tokens[3] text.tokens",
        "joke": "says:echo.prediction text.tokens",
        "card": "says:echo.prediction text.tokens",
    },
    "lanes": {
        "clocks": "head.key_phases head.tokens",
        "ask": "head.key_phases head.key_phases[3] head.query_phases[3] head.tokens",
        "all": (
            "head.key_phases head.key_phases[1] head.key_phases[2] head.key_phases[4] "
            "head.key_phases[5] head.key_phases[6] head.key_phases[7] head.key_phases[8] "
            "head.key_phases[9] head.query_phases[1] head.query_phases[2] head.query_phases[3] "
            "head.query_phases[4] head.query_phases[5] head.query_phases[6] "
            "head.query_phases[7] head.query_phases[8] head.query_phases[9] head.tokens"
        ),
        "notes": (
            "head.key_phases head.query_phases[1] head.query_phases[2] "
            "head.query_phases[3] head.query_phases[4] head.query_phases[5] "
            "head.query_phases[6] head.query_phases[7] head.query_phases[8] "
            "head.query_phases[9] head.stored_tokens head.stored_weights "
            "head.tokens"
        ),
        "where": (
            "head.stored_tokens head.stored_weights head.tokens orders.apart_in_one "
            "orders.one_subspace orders.own_subspaces[0] orders.own_subspaces[1]"
        ),
        "own": (
            "head.stored_tokens head.stored_weights head.tokens orders.apart "
            "orders.own_subspaces[0] orders.own_subspaces[1]"
        ),
    },
    "match": {
        "ask": "stored_tokens stored_weights tokens",
        "score": "inputs.beta scores "
        + " ".join(f"scores[{k}]" for k in range(10))
        + " stored_tokens stored_weights tokens",
        "share": "inputs.beta row row[3] scores stored_tokens stored_weights tokens",
        "take": "row row[3] says:tokens[3] stored_tokens stored_weights tokens",
    },
    "forward_pass": {
        "unfold": "forward.resid_pre tokens",
        "constant": "forward.resid_pre tokens",
        "layer 0": "forward.head_0.pattern forward.resid_mid forward.resid_pre tokens",
        "find": "forward.head_0.pattern forward.head_1.pattern forward.resid_mid matches tokens",
        "out": "forward.head_1.pattern matches resid_asked tokens",
        "stream": "forward.head_1.pattern resid_asked tokens",
    },
    "prediction": {
        "main": (
            "expected[0] main.stored_tokens main.stored_weights main.tokens "
            "outputs[0,3] outputs[0] vocabulary.tokens"
        ),
        "other": (
            "expected[1] main.stored_tokens main.stored_weights main.tokens "
            "other.stored_tokens other.stored_weights other.tokens outputs[1,2] "
            "outputs[1,5] outputs[1] vocabulary.tokens"
        ),
        "new": (
            "new.stored_tokens new.stored_weights new.tokens other.stored_tokens "
            "other.stored_weights other.tokens outputs[2,0] outputs[2,1] "
            "outputs[2,2] outputs[2,3] outputs[2,4] outputs[2,5] outputs[2,6] "
            "outputs[2,7] outputs[2] vocabulary.tokens"
        ),
        "without bos": (
            "expected[3] new.stored_tokens new.stored_weights new.tokens "
            "outputs[3,1] outputs[3] vocabulary.tokens without_bos.stored_tokens "
            "without_bos.stored_weights without_bos.tokens"
        ),
        "back": (
            "expected[0] main.stored_tokens main.stored_weights main.tokens "
            "outputs[0,3] outputs[0] vocabulary.tokens without_bos.stored_tokens "
            "without_bos.stored_weights without_bos.tokens"
        ),
    },
    "probabilities": {
        "flat": (
            "gammas[0] main.stored_tokens main.stored_weights main.tokens sure.flat "
            "sure.flat[3] sure.flat[7] sure.shares sure.shares[3] "
            "texts.vocabulary.tokens"
        ),
        "scale": (
            "gammas[0] gammas[60] main.stored_tokens main.stored_weights "
            "main.tokens probabilities[60,3] probabilities[60] sure.flat "
            "sure.shares texts.vocabulary.tokens"
        ),
        "split": (
            "gammas[60] main.tokens split.shares split.shares[3] split.shares[7] "
            "texts.vocabulary.tokens torn.stored_tokens torn.stored_weights "
            "torn.tokens"
        ),
        "ends": (
            "gammas[60] more_gammas[60] more_probabilities[60,3] "
            "more_probabilities[60,7] more_probabilities[60] same same[3] same[7] "
            "split.shares texts.vocabulary.tokens torn.stored_tokens "
            "torn.stored_weights torn.tokens"
        ),
        "back": (
            "main.stored_tokens main.stored_weights main.tokens more_gammas[60] "
            "more_probabilities[60] split.shares sure.shares sure.shares[3] "
            "texts.vocabulary.tokens torn.stored_tokens torn.stored_weights "
            "torn.tokens"
        ),
    },
    "ablate": {
        "layer 0 off": "both.tokens both_card both_share frequent_card nothing_card says_card",
        "says what is frequent": (
            "both.tokens both_card both_share frequent_card frequent_share no_layer_0.row "
            "no_layer_0.row[1] no_layer_0.row[5] no_layer_0.row[8] nothing_card says_card"
        ),
        "layer 1 off": (
            "both.stored_tokens both.stored_weights both.tokens both_card "
            "both_share frequent_card frequent_share nothing_card says_card"
        ),
        "says nothing": (
            "both.stored_tokens both.stored_weights both.tokens both_card "
            "both_share frequent_card frequent_share nothing_card nothing_share "
            "says_card"
        ),
        "two back": (
            "both.tokens both_card both_share frequent_card frequent_share "
            "nothing_card nothing_share says_card two_back.stored_tokens "
            "two_back.stored_weights"
        ),
        "says two ahead": (
            "both.tokens both_card both_share frequent_card frequent_share "
            "nothing_card nothing_share says_card says_share two_back.row "
            "two_back.row[4] two_back.stored_tokens two_back.stored_weights"
        ),
        "whole": (
            "both.row both.stored_tokens both.stored_weights both.tokens both_card "
            "both_share frequent_card frequent_share nothing_card nothing_share "
            "says_card says_share two_back.row two_back.stored_tokens "
            "two_back.stored_weights"
        ),
    },
    "rank_one": {
        "drop": "bent.curve[0]",
        "asks": "bent.curve[0]",
        "shout": "bent.codes[0,2] bent.curve[0] bent.line_shares[2,0] bent.line_shares[2]",
        "along": (
            "bent.codes[0,0] bent.codes[0,6] bent.curve[0] bent.line_shares[0] bent.line_shares[6]"
        ),
        "found": "bent.curve[0] bent.looks_at[0] bent.n_found[0]",
    },
    "rank": {
        "bend": (
            "bent.curve[0] bent.curve[80] bent.looks_at[0] bent.looks_at[80] bent.n_found[0] "
            "bent.n_found[80]"
        ),
        "two": (
            "bent.circle_shares[2] bent.codes[80,2,0] bent.codes[80,2,1] bent.codes[80,2] "
            "bent.curve[80] bent.own inputs.beta"
        ),
        "crowd": (
            "bent.circle_shares[2] bent.curve[80] bent.own crowd.filling_own[93] "
            "crowd.filling_shares[93] crowd.sizes[0] crowd.sizes[93] inputs.beta"
        ),
        "price": (
            "bent.curve[80] crowd.beta_large crowd.beta_one_hot crowd.sizes[93] "
            "crowd.turned_own[59] crowd.turned_shares[59]"
        ),
        "back": "bent.curve[80] crowd.sizes[0]",
    },
    "nonsense": {
        "typed": "head.stored_tokens head.stored_weights head.tokens told",
        "ask": "head.stored_tokens head.stored_weights head.tokens says:head.tokens[2]",
        "hops": (
            "head.forward.head_0.pattern[2] head.forward.head_1.pattern[4] "
            "head.stored_tokens head.stored_weights head.tokens says:head.tokens[2]"
        ),
        "next": (
            "head.forward.head_0.pattern[2] head.forward.head_1.pattern[4] "
            "head.stored_tokens head.stored_weights head.tokens says:head.tokens[2]"
        ),
        "name": (
            "head.forward.head_0.pattern[2] head.forward.head_1.pattern[4] "
            "head.stored_tokens head.stored_weights head.tokens says:head.tokens[2]"
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


# Arcs between lines of tiles


def covered_arcs(scene: Any) -> list[str]:
    """The names of arcs that lie flat, or of which more than an end is behind tiles and names."""
    hops = [hop for hop in (scene.hop_0, scene.hop_1) if is_visible(hop.label)]
    over = [tile.box for tile in scene.words.tiles] + [hop.plate for hop in hops]
    corners = [(box.points.min(axis=0)[:2], box.points.max(axis=0)[:2]) for box in over]
    found = []
    for hop in hops:
        points = hop.path.points[:, :2]
        behind = [((low < points) & (points < high)).all(axis=1) for low, high in corners]
        if np.ptp(points[:, 1]) < 0.5 or np.any(behind, axis=0).mean() > 0.05:
            found.append(hop.label.text)
    return found


@pytest.mark.parametrize("aspect", ["16:9", "1:1", "9:16"])
def test_both_hops_can_be_seen(aspect: str) -> None:
    found: list[str] = []
    play(
        find_stage("induction.nonsense"),
        aspect=aspect,
        on_play=lambda scene: found.extend(covered_arcs(scene)),
    )
    assert found == []
