"""A head built by hand that finds out which mouse is meant, over features that have names.

A word's row says how much it has of four features. Two of them, nature and technology, span a plane
in which words and next words are arrows; “mouse” lies exactly between. The other two are read by
the head alone: a word that is `undecided` asks for a topic, and an `article` has none to offer.

Whatever speaks of a topic has the same key, since W_K adds nature and technology up: a key says
that there is a topic. Which one, the value says. So with another topic no query, no key and no
weight changes, but one value, and with it the next word. The head is that of `model.attention.head`
without positions; dot products are the scores, and values are written into the plane.
The construction is our own; the idea of an arrow that attention moves is Grant Sanderson's
(3Blue1Brown, Attention in transformers, 2024).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, get_args

import numpy as np

from clockhead.model.arrays import Floats, Values, real
from clockhead.model.attention.head import AttentionHead
from clockhead.model.attention.next_word import NextWord, next_word
from clockhead.model.units import Difference, Doc, Factor, Share

Article = Literal["the", "a", "my", "this"]
Natural = Literal["field", "forest", "garden", "barn"]
Technical = Literal["computer", "laptop", "office", "gaming"]

FEATURES = ("nature", "technology", "undecided", "article")
WORDS: dict[str, tuple[float, float, float, float]] = {
    "field": (1.0, 0.0, 0.0, 0.0),
    "forest": (1.0, 0.0, 0.0, 0.0),
    "garden": (0.9, 0.1, 0.0, 0.0),
    "barn": (0.8, 0.2, 0.0, 0.0),
    "computer": (0.0, 1.0, 0.0, 0.0),
    "laptop": (0.0, 1.0, 0.0, 0.0),
    "gaming": (0.1, 0.9, 0.0, 0.0),
    "office": (0.2, 0.8, 0.0, 0.0),
    "mouse": (0.5, 0.5, 1.0, 0.0),
} | dict.fromkeys(get_args(Article), (0.0, 0.0, 0.0, 1.0))
"""How much each word has of each feature."""

W_Q = ((0.0, 0.0), (0.0, 0.0), (1.0, -0.3), (0.0, 0.0))
"""From features to what a word looks for: a topic, or grammar."""
W_K = ((1.8, 0.3), (1.8, 0.3), (-1.3, 0.1), (0.1, 1.0))
"""From features to what a word offers. Both topics offer the same."""
W_V = ((1.5, -0.2), (-0.2, 1.5), (-0.55, -1.15), (-0.5, 0.25))
"""From features to what a word hands over: more nature, or more technology.

What an article and “mouse” hand over is of no use, and their weights are small.
"""
NEXT_WORDS = {
    "squeaks": (2.0, -1.0),
    "eats": (1.2, -0.2),
    "clicks": (-1.0, 2.0),
    "scrolls": (-0.2, 1.2),
}
"""The direction of every next word in the plane: a column of the unembedding for each."""
NOUN = "mouse"


@dataclass(frozen=True, kw_only=True)
class TopicHead(Values):
    """The head over one text, whose last word asks. An arrow is a foot and a tip, (2, 2)."""

    tokens: Annotated[tuple[str, ...], Doc("the text; T tokens")]
    topic: Annotated[str, Doc("the word before the last, which tells the topic")]
    rows: Annotated[Floats, Doc("how much each token has of each feature; (T, 4)")]
    query: Annotated[Floats, Doc("what the last token looks for; (2,)")]
    keys: Annotated[Floats, Doc("what each token offers; (T, 2)")]
    values: Annotated[Floats, Doc("what each token hands over; (T, 2)")]
    scores: Annotated[Floats, Doc("dot product of the query with every key; (T,)")]
    angles: Annotated[Floats, Doc("the angle between the query and every key, in degrees; (T,)")]
    raised: Annotated[Floats, Doc("e to the score of every token; (T,)")]
    total: Annotated[Factor, Doc("the sum of these, by which each is divided")]
    weights: Annotated[Floats, Doc("the attention weight of every token; (T,)")]
    after: Annotated[Floats, Doc("the last token's place in the plane after attention; (2,)")]

    words: Annotated[Floats, Doc("the tokens in the plane; (T, 2, 2)")]
    query_arrow: Annotated[Floats, Doc("the query from zero; (2, 2)")]
    key_arrows: Annotated[Floats, Doc("the keys from zero; (T, 2, 2)")]
    value_arrows: Annotated[Floats, Doc("the values from zero; (T, 2, 2)")]
    scaled: Annotated[Floats, Doc("the values times their weights, from zero; (T, 2, 2)")]
    chain: Annotated[
        Floats, Doc("the same, tip to tail from the last token's tip, the largest first; (T, 2, 2)")
    ]
    moved: Annotated[Floats, Doc("the last token after attention; (2, 2)")]
    next: Annotated[NextWord, Doc("which word comes next")]

    topic_weight: Annotated[Share, Doc("the attention weight of the topic")]


@dataclass(frozen=True, kw_only=True)
class TwoTopics(Values):
    """The same head over two texts that differ in one word, and what it knows without attention."""

    first: Annotated[TopicHead, Doc("the head over the text")]
    other: Annotated[TopicHead, Doc("the head over the text with the other topic")]
    widest: Annotated[tuple[str, ...], Doc("of the words at every place the longer one")]
    features: Annotated[tuple[str, ...], Doc("the names of the features")]
    next_words: Annotated[tuple[str, ...], Doc("the words that can come next; V of them")]
    directions: Annotated[Floats, Doc("their directions in the plane; (V, 2)")]
    alone: Annotated[NextWord, Doc("which word comes next without attention")]
    article: Annotated[str, Doc("the first word")]
    noun: Annotated[str, Doc("the last word")]
    key_change: Annotated[Difference, Doc("by how much a key changes with the topic, at most")]
    value_change: Annotated[Difference, Doc("by how much a value changes with the topic, at most")]
    guesses: Annotated[Floats, Doc("the topic's key, shorter, turned either way; (2, 2, 2)")]
    wished: Annotated[Floats, Doc("the last word, a little nearer to the topic; (2, 2)")]
    asker: Annotated[Floats, Doc("the last word in the plane before attention; (2, 2)")]
    nouns: Annotated[tuple[str, ...], Doc("the two topics and the last word")]
    places: Annotated[Floats, Doc("how much nature and technology these have; (3, 2)")]
    noun_arrows: Annotated[Floats, Doc("the same as arrows from zero; (3, 2, 2)")]


def two_topics(article: Article, topic: Natural, other: Technical, strength: float) -> TwoTopics:
    """Both texts; the query is `strength` times as long as W_Q makes it.

    Raises:
        ValueError: when the strength is not above 0.
    """
    first, second = (_head((article, word, NOUN), strength) for word in (topic, other))
    start, goal = first.words[-1, 1], first.words[1, 1]  # (2,) each
    places = np.array([WORDS[word][:2] for word in (topic, other, NOUN)])  # (3, 2)
    return TwoTopics(
        first=first,
        other=second,
        widest=(article, max(topic, other, key=len), NOUN),
        features=FEATURES,
        next_words=tuple(NEXT_WORDS),
        directions=np.array(list(NEXT_WORDS.values())),
        alone=_next(start),
        article=article,
        noun=NOUN,
        key_change=float(np.abs(second.keys - first.keys).max()),
        value_change=float(np.abs(second.values - first.values).max()),
        guesses=_from_zero(np.stack([_turned(0.55 * first.keys[1], angle) for angle in (52, -45)])),
        wished=_from_zero(start + 0.4 * (goal - start)),
        asker=_from_zero(start),
        nouns=(topic, other, NOUN),
        places=places,
        noun_arrows=_from_zero(places),
    )


def _head(tokens: tuple[str, ...], strength: float) -> TopicHead:
    rows = np.array([WORDS[token] for token in tokens])  # (T, 4)
    w_q = real("strength", strength, above=0) * np.array(W_Q)
    w_q, w_k, w_v = w_q.T.copy(), np.array(W_K).T.copy(), np.array(W_V).T.copy()  # (2, 4) each
    plane = np.eye(len(FEATURES), 2)  # W_O: into nature and technology; (4, 2)
    at_work = AttentionHead(w_q, w_k, w_v, w_o=plane).on(rows)
    query, keys, values = at_work.queries[-1], at_work.keys, at_work.values
    scores, weights = at_work.scores[-1], at_work.pattern[-1]  # (T,)
    lengths = np.linalg.norm(query) * np.linalg.norm(keys, axis=1)  # (T,)
    words = rows[:, :2]  # (T, 2)
    taken = weights[:, None] * values  # (T, 2)
    order = np.argsort(-weights)  # (T,)
    chain = np.empty((len(tokens), 2, 2))
    chain[order, 1] = words[-1] + np.cumsum(taken[order], axis=0)
    chain[order, 0] = chain[order, 1] - taken[order]
    after = words[-1] + taken.sum(axis=0)  # (2,)
    topic = len(tokens) - 2
    angles = np.degrees(np.arccos(np.clip(scores / lengths, -1, 1)))  # (T,)
    return TopicHead(
        tokens=tokens,
        topic=tokens[topic],
        rows=rows,
        query=query.copy(),
        keys=keys,
        values=values,
        scores=scores.copy(),
        angles=angles,
        raised=np.exp(scores),
        total=float(np.exp(scores).sum()),
        weights=weights.copy(),
        after=after,
        words=_from_zero(words),
        query_arrow=_from_zero(query),
        key_arrows=_from_zero(keys),
        value_arrows=_from_zero(values),
        scaled=_from_zero(taken),
        chain=chain,
        moved=_from_zero(after),
        next=_next(after),
        topic_weight=float(weights[topic]),
    )


def _next(place: Floats) -> NextWord:
    """Which word comes next at a place of the plane."""
    directions = np.array(list(NEXT_WORDS.values()))  # (V, 2)
    return next_word(tuple(NEXT_WORDS), directions @ place)


def _from_zero(tips: Floats) -> Floats:
    """Arrows from zero to tips: (..., 2) to (..., 2, 2)."""
    return np.stack([np.zeros_like(tips), tips], axis=-2)


def _turned(vector: Floats, degrees: float) -> Floats:
    """A vector (2,), turned counter-clockwise."""
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[cos, -sin], [sin, cos]]) @ vector
