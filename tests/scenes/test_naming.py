"""Words and units that belong to another value are noticed, whatever the inputs."""

from __future__ import annotations

from functools import cache

import pytest

from clockhead.scenes.stage import Stage, find_stage
from tests.scenes.naming import fits, misunited_facts
from tests.scenes.staging import play


@cache
def stage_of(name: str) -> Stage:
    return play(find_stage(name))


@pytest.mark.parametrize(
    ("name", "words", "right", "wrong"),
    [
        ("vectors.keys", "cosine", "dots 0", "dots -1"),
        ("vectors.cosine", "dot product", "dots", "cosines"),
        ("caesar.how_much_text", "dot products, at 16", "dot", "log_likelihood"),
        ("tour.line", "the least a row gives to the token before", "worst_weight", "leads 0"),
        ("kv_cache.again", "No cache", "recomputed_growth", "cached_growth"),
        ("kv_cache.again", "The KV cache", "both_to_doubled 0 1", "both_to_doubled 0 0"),
        ("kv_cache.memory", "weights", "sums 1", "sums 0"),
        ("tour.line", "α = …", "alphas", "leads"),
        ("tour.line", "lead over “the” at 4", "leads 0", "weights 0"),
        ("transformer_block.lanes", "3 × 6", "resid_pre", "lane_queries"),
        ("attention.ask", "field …", "first.weights 1", "first.weights 2"),
        ("trained.side_by_side", "what followed", "built_second", "built_first"),
    ],
)
def test_words_are_about_one_value_and_not_about_the_other(
    name: str, words: str, right: str, wrong: str
):
    scene = stage_of(name)
    for place, is_right in ((right, True), (wrong, False)):
        path, *index = place.split()
        value = scene[path]
        for step in index:
            value = value[int(step)]
        assert fits(scene, words, value) == is_right


@pytest.mark.parametrize(
    ("name", "sentence", "is_right"),
    [
        ("rope.aliasing", "It gets {weight:.1%}.", True),
        ("rope.aliasing", "It gets {alias_score:.1%}.", False),
        ("rope.frequencies", "It turns by {fast_degrees:.1f} degrees.", True),
        ("rope.frequencies", "It turns by {fastest_period:.1f} degrees.", False),
        ("kv_cache.memory", "That is {sizes.mb_per_token:.3g} MB.", True),
        ("kv_cache.memory", "That is {sizes.mb_per_token:.3g} GB.", False),
        ("kv_cache.again", "It takes {cached_growth:.1f} times as many.", True),
        ("caesar.wheel", "Rotation {found} it is.", True),
    ],
)
def test_a_unit_in_a_sentence_is_that_of_the_fact(name: str, sentence: str, is_right: bool):
    scene = stage_of(name)
    facts = type(scene).facts_of(scene.inputs, scene.values)
    assert (list(misunited_facts(sentence, facts)) == []) == is_right
