"""The softmax of the same logits at several temperatures, and random words drawn from it.

Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, sections 4 and 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.attention.next_word import NextWord, next_word, probabilities_at
from clockhead.model.films.attention.topic import Article, Natural, Technical, TwoTopics, two_topics
from clockhead.model.units import Count, Doc, Shares

_STEPS = 60
"""Number of steps from one temperature to the next."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Draws(Values):
    """Random words, drawn with their probabilities."""

    places: Annotated[Ints, Doc("index of every drawn word, in order; (n_draws,)")]
    shares: Annotated[Floats, Doc("frequency of each word among the draws; (V,)")]
    n_greedy: Annotated[Count, Doc("number of draws of the likeliest word")]


def draw_words(source: NextWord, n_draws: int, seed: int) -> Draws:
    """Draw `n_draws` words from the distribution of `source`."""
    edges = np.cumsum(source.probabilities)  # (V,)
    at = np.random.default_rng(seed).random(n_draws) * edges[-1]
    places = np.searchsorted(edges, at, side="right").astype(np.int64)  # (n_draws,)
    counts = np.bincount(places, minlength=len(source.words))  # (V,)
    return Draws(places=places, shares=counts / n_draws, n_greedy=int(counts[source.greedy]))


@dataclass(frozen=True, kw_only=True, eq=False)
class TemperatureWalk(Values):
    """The same logits at S temperatures; words are drawn at the first two and at the last."""

    words: Annotated[tuple[str, ...], Doc("words that the logits are for; V of them")]
    n_words: Annotated[Count, Doc("number of words")]
    logits: Annotated[Floats, Doc("logit of each word; (V,)")]
    temperatures: Annotated[tuple[float, ...], Doc("temperatures, in order; S of them")]
    first: Annotated[NextWord, Doc("distribution of the next word at the first temperature")]
    final: Annotated[NextWord, Doc("distribution of the next word at the last temperature")]
    first_draws: Annotated[Draws, Doc("words drawn at the first temperature")]
    second_draws: Annotated[Draws, Doc("words drawn at the second temperature, with the same seed")]
    final_draws: Annotated[Draws, Doc("words drawn at the last temperature, with the same seed")]
    n_draws: Annotated[Count, Doc("number of words drawn at a temperature")]
    probabilities: Annotated[Shares, Doc("probability of each word at each temperature; (S, V)")]
    way_temperatures: Annotated[
        Floats, Doc("intermediate temperatures, in equal ratios; (S - 1, steps)")
    ]
    way_probabilities: Annotated[
        Shares, Doc("probability of each word at each intermediate temperature; (S - 1, steps, V)")
    ]


def temperature_walk(
    words: tuple[str, ...],
    logits: Floats,
    temperatures: tuple[float, ...],
    n_draws: int = 20,
    seed: int = 0,
) -> TemperatureWalk:
    """The softmax of `logits` (V,) at the temperatures, and between them.

    Raises ValueError for fewer than two temperatures, and for one that is not above 0.
    """
    if len(temperatures) < 2:
        raise ValueError(f"a walk needs at least two temperatures, got {len(temperatures)}")
    stops = [next_word(words, logits, t) for t in temperatures]
    ends = np.array(temperatures)  # (S,)
    way = np.geomspace(ends[:-1], ends[1:], _STEPS + 1, axis=1)  # (S - 1, steps)
    flat = probabilities_at(logits, way.ravel())
    on_way = flat.reshape(*way.shape, len(words))  # (S - 1, steps, V)
    return TemperatureWalk(
        words=words,
        n_words=len(words),
        logits=logits,
        temperatures=temperatures,
        first=stops[0],
        final=stops[-1],
        first_draws=draw_words(stops[0], n_draws, seed),
        second_draws=draw_words(stops[1], n_draws, seed),
        final_draws=draw_words(stops[-1], n_draws, seed),
        n_draws=n_draws,
        probabilities=np.stack([stop.probabilities for stop in stops]),
        way_temperatures=way,
        way_probabilities=on_way,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class HeatedTopic(TwoTopics):
    """The topic head on two texts, and the next word of the first at several temperatures."""

    walk: Annotated[TemperatureWalk, Doc("distribution of the next word at several temperatures")]


def heated_topic(
    article: Article,
    topic: Natural,
    other: Technical,
    strength: float,
    temperatures: tuple[float, ...],
    n_draws: int,
    draw_seed: int,
) -> HeatedTopic:
    """The logits of the first text at temperature 1, and then at `temperatures`."""
    both = two_topics(article, topic, other, strength)
    logits = both.first.next.logits
    return HeatedTopic(
        **vars(both),
        walk=temperature_walk(both.next_words, logits, (1.0, *temperatures), n_draws, draw_seed),
    )
