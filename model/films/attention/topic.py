"""A hand-built head that finds out which kind of mouse is meant, with named features.

The embedding of a word has four features. Two of them, nature and technology, span a plane in which
words and next words are arrows; “mouse” is exactly in the middle. Only the head reads the other
two: the query of an `undecided` word looks for a topic, and an `article` has none.
All topics have nearly the same key, because W_K adds nature and technology: the key says that there
is a topic, and the value says which. So with another topic, queries, keys and weights stay the
same; only a value changes, and with it the next word. The head has no position encoding and no
scale, and writes its values into the plane.
The construction is our own; the idea of an arrow that attention moves is Grant Sanderson's
(3Blue1Brown, Attention in transformers, 2024).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, get_args

import numpy as np

from clockhead.model.arrays import Floats, Values, check_float
from clockhead.model.attention.head import AttentionHead
from clockhead.model.attention.next_word import NextWord, next_word
from clockhead.model.units import Difference, Doc, Factor, Share, Shares, Unit

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
"""Embedding of each word: its amount of each feature."""

W_Q = ((0.0, 0.0), (0.0, 0.0), (1.0, -0.3), (0.0, 0.0))
"""From features to queries, whose two coordinates look for a topic and for grammar."""
W_K = ((1.8, 0.3), (1.8, 0.3), (-1.3, 0.1), (0.1, 1.0))
"""From features to keys. Both topics have the same key."""
W_V = ((1.5, -0.2), (-0.2, 1.5), (-0.55, -1.15), (-0.5, 0.25))
"""From features to values in the plane: more nature, or more technology.

The values of an article and of “mouse” are useless, but their attention weights are small.
"""
NEXT_WORDS = {
    "squeaks": (2.0, -1.0),
    "eats": (1.2, -0.2),
    "clicks": (-1.0, 2.0),
    "scrolls": (-0.2, 1.2),
}
"""Direction of every next word in the plane, its column of the unembedding."""
NOUN = "mouse"


@dataclass(frozen=True, kw_only=True)
class TopicHead(Values):
    """One pass of the head; its last word makes the query. An arrow is a tail and a tip, (2, 2)."""

    tokens: Annotated[tuple[str, ...], Doc("the text; T tokens")]
    topic: Annotated[str, Doc("the word before the last, which has the topic")]
    rows: Annotated[Floats, Doc("embedding of each token, its amount of each feature; (T, 4)")]
    query: Annotated[Floats, Doc("query of the last token; (2,)")]
    keys: Annotated[Floats, Doc("keys of all tokens; (T, 2)")]
    values: Annotated[Floats, Doc("values of all tokens; (T, 2)")]
    scores: Annotated[
        Floats, Doc("attention scores, dot products of the query and every key; (T,)")
    ]
    angles: Annotated[
        Floats, Unit("degrees"), Doc("angle between the query and every key, in degrees; (T,)")
    ]
    raised: Annotated[Floats, Doc("exponential of every score; (T,)")]
    total: Annotated[Factor, Doc("sum of the exponentials, by which each is divided")]
    weights: Annotated[Shares, Doc("attention weight of every token; (T,)")]
    after: Annotated[Floats, Doc("the last token as a point of the plane after attention; (2,)")]

    words: Annotated[Floats, Doc("arrows of the tokens in the plane; (T, 2, 2)")]
    query_arrow: Annotated[Floats, Doc("arrow of the query, from zero; (2, 2)")]
    key_arrows: Annotated[Floats, Doc("arrows of the keys, from zero; (T, 2, 2)")]
    value_arrows: Annotated[Floats, Doc("arrows of the values, from zero; (T, 2, 2)")]
    scaled: Annotated[Floats, Doc("arrows of the weighted values, from zero; (T, 2, 2)")]
    chain: Annotated[
        Floats,
        Doc(
            "weighted values tip to tail from the last token's tip, largest weight first; (T, 2, 2)"
        ),
    ]
    moved: Annotated[Floats, Doc("arrow of the last token after attention; (2, 2)")]
    next: Annotated[NextWord, Doc("distribution of the next word")]

    topic_weight: Annotated[Share, Doc("attention weight of the topic")]


@dataclass(frozen=True, kw_only=True)
class TwoTopics(Values):
    """The same head on two texts that differ in one word, and the prediction without attention."""

    first: Annotated[TopicHead, Doc("the head on the text")]
    other: Annotated[TopicHead, Doc("the head on the text with the other topic")]
    widest: Annotated[tuple[str, ...], Doc("the longer of both texts' words at each position")]
    features: Annotated[tuple[str, ...], Doc("names of the features")]
    next_words: Annotated[tuple[str, ...], Doc("possible next words; V of them")]
    directions: Annotated[Floats, Doc("direction of each next word in the plane; (V, 2)")]
    alone: Annotated[NextWord, Doc("distribution of the next word without attention")]
    article: Annotated[str, Doc("the first word")]
    noun: Annotated[str, Doc("the last word")]
    key_change: Annotated[Difference, Doc("largest change of a key's coordinate with the topic")]
    value_change: Annotated[
        Difference, Doc("largest change of a value's coordinate with the topic")
    ]
    guesses: Annotated[
        Floats,
        Doc("two wrong guesses of the topic's key: shorter, and turned to either side; (2, 2, 2)"),
    ]
    wished: Annotated[
        Floats, Doc("arrow of the last word if it moved part of the way to the topic; (2, 2)")
    ]
    asker: Annotated[Floats, Doc("arrow of the last word before attention; (2, 2)")]
    nouns: Annotated[tuple[str, ...], Doc("the two topics and the last word")]
    places: Annotated[Floats, Doc("nature and technology of these three words; (3, 2)")]
    noun_arrows: Annotated[Floats, Doc("arrows of these three words, from zero; (3, 2, 2)")]


def two_topics(article: Article, topic: Natural, other: Technical, strength: float) -> TwoTopics:
    """Run the head on both texts, with queries multiplied by `strength`.

    Raises ValueError for a strength that is not above 0.
    """
    first, second = (_run_head((article, word, NOUN), strength) for word in (topic, other))
    start, goal = first.words[-1, 1], first.words[1, 1]  # (2,) each
    places = np.array([WORDS[word][:2] for word in (topic, other, NOUN)])  # (3, 2)
    return TwoTopics(
        first=first,
        other=second,
        widest=(article, max(topic, other, key=len), NOUN),
        features=FEATURES,
        next_words=tuple(NEXT_WORDS),
        directions=np.array(list(NEXT_WORDS.values())),
        alone=_predict(start),
        article=article,
        noun=NOUN,
        key_change=float(np.abs(second.keys - first.keys).max()),
        value_change=float(np.abs(second.values - first.values).max()),
        guesses=_arrows(np.stack([_rotate(0.55 * first.keys[1], angle) for angle in (52, -45)])),
        wished=_arrows(start + 0.4 * (goal - start)),
        asker=_arrows(start),
        nouns=(topic, other, NOUN),
        places=places,
        noun_arrows=_arrows(places),
    )


def _run_head(tokens: tuple[str, ...], strength: float) -> TopicHead:
    rows = np.array([WORDS[token] for token in tokens])  # (T, 4)
    w_q = check_float("strength", strength, above=0) * np.array(W_Q)
    w_q, w_k, w_v = w_q.T.copy(), np.array(W_K).T.copy(), np.array(W_V).T.copy()  # (2, 4) each
    plane = np.eye(len(FEATURES), 2)  # W_O: into nature and technology; (4, 2)
    at_work = AttentionHead(w_q, w_k, w_v, w_o=plane).run(rows)
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
        words=_arrows(words),
        query_arrow=_arrows(query),
        key_arrows=_arrows(keys),
        value_arrows=_arrows(values),
        scaled=_arrows(taken),
        chain=chain,
        moved=_arrows(after),
        next=_predict(after),
        topic_weight=float(weights[topic]),
    )


def _predict(place: Floats) -> NextWord:
    """The distribution of the next word at a point of the plane."""
    directions = np.array(list(NEXT_WORDS.values()))  # (V, 2)
    return next_word(tuple(NEXT_WORDS), directions @ place)


def _arrows(tips: Floats) -> Floats:
    """Arrows from zero to tips: (..., 2) to (..., 2, 2)."""
    return np.stack([np.zeros_like(tips), tips], axis=-2)


def _rotate(vector: Floats, degrees: float) -> Floats:
    """Rotate a vector (2,) counter-clockwise."""
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[cos, -sin], [sin, cos]]) @ vector
