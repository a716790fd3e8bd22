"""The same logits at several temperatures, on the way from one to the next, and words drawn.

Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, sections 4 and 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.attention.next_word import NextWord, next_word, probabilities_at
from clockhead.model.films.attention.topic import Article, Natural, Technical, TwoTopics, two_topics
from clockhead.model.units import Count, Doc

_STEPS = 60
"""Steps from one temperature to the next."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Draws(Values):
    """Words drawn one after another, each by its probability."""

    places: Annotated[Ints, Doc("the place of every word drawn, in order; (n_draws,)")]
    shares: Annotated[Floats, Doc("what share of the draws each word got; (V,)")]
    n_greedy: Annotated[Count, Doc("how often the likeliest word was drawn")]


def draw_words(source: NextWord, n_draws: int, seed: int) -> Draws:
    """`n_draws` words with the seed `seed`, which makes them repeatable."""
    edges = np.cumsum(source.probabilities)  # (V,)
    at = np.random.default_rng(seed).random(n_draws) * edges[-1]
    places = np.searchsorted(edges, at, side="right").astype(np.int64)  # (n_draws,)
    counts = np.bincount(places, minlength=len(source.words))  # (V,)
    return Draws(places=places, shares=counts / n_draws, n_greedy=int(counts[source.greedy]))


@dataclass(frozen=True, kw_only=True, eq=False)
class TemperatureWalk(Values):
    """The same logits at several temperatures; words are drawn at the first two and at the last."""

    words: Annotated[tuple[str, ...], Doc("the words there are; V of them")]
    n_words: Annotated[Count, Doc("how many words there are")]
    logits: Annotated[Floats, Doc("a number for each word; (V,)")]
    temperatures: Annotated[tuple[float, ...], Doc("the temperatures, in order; S of them")]
    first: Annotated[NextWord, Doc("what comes next at the first temperature")]
    final: Annotated[NextWord, Doc("what comes next at the last temperature")]
    first_draws: Annotated[Draws, Doc("words drawn at the first temperature")]
    second_draws: Annotated[Draws, Doc("words drawn at the second, with the same seed")]
    final_draws: Annotated[Draws, Doc("words drawn at the last temperature, with the same seed")]
    n_draws: Annotated[Count, Doc("how many words are drawn at a temperature")]
    probabilities: Annotated[Floats, Doc("the probability of each word at each; (S, V)")]
    way_temperatures: Annotated[
        Floats, Doc("temperatures from each to the next, equal factors apart; (S - 1, steps)")
    ]
    way_probabilities: Annotated[
        Floats, Doc("the probability of each word on these ways; (S - 1, steps, V)")
    ]


def temperature_walk(
    words: tuple[str, ...],
    logits: Floats,
    temperatures: tuple[float, ...],
    n_draws: int = 20,
    seed: int = 0,
) -> TemperatureWalk:
    """The logits on their way; at least two temperatures, all above 0, or ValueError is raised."""
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
    """The head over its two texts, and what comes after the first at several temperatures."""

    walk: Annotated[TemperatureWalk, Doc("what comes next, hot and cold")]


def heated_topic(
    article: Article,
    topic: Natural,
    other: Technical,
    strength: float,
    temperatures: tuple[float, ...],
    n_draws: int,
    draw_seed: int,
) -> HeatedTopic:
    """The logits of the first text, from temperature 1 on to others."""
    both = two_topics(article, topic, other, strength)
    logits = both.first.next.logits
    return HeatedTopic(
        **vars(both),
        walk=temperature_walk(both.next_words, logits, (1.0, *temperatures), n_draws, draw_seed),
    )
