"""The truths of the film `induction`.

The tokens are BOS and the words; hand i of 16 turns by 10000^(-i/16) in a position. Layer 0,
looking `back` steps, gives query m and key n the score alpha sum_i cos((n - m + back) theta_i); a
note is the mixture of tokens that this attention gives. Layer 1 scores beta times the share that a
note has of the last token; `out` is the mixture of tokens that its attention gives.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from clockhead.scenes.stage import StageInputs, find_stage
from tests.model.riddles import riddles
from tests.scenes.telling import (
    FilmTruths,
    Inputs,
    Truths,
    Variant,
    legal,
    listed,
    those_taken,
)

Floats = NDArray[np.float64]

_THETA = 10000.0 ** (-np.arange(16) / 16)
_NEARLY_ALL, _LITTLE, _OFF, _TIE = 0.9, 0.1, 0.01, 0.02
_NEW = "dog fish tree bird moon rain boat lamp leaf song wind"


def few(words: Sequence[str], many: str, last: str = "and") -> str:
    """Up to three words in quotes, or how many there are."""
    if len(words) > 3:
        return many.format(n=len(words))
    return listed((f"“{word}”" for word in words), last)


def softmax(scores: Floats) -> Floats:
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


# The head once more


class Head:
    """Both layers over some tokens, the last of which asks."""

    def __init__(self, tokens: Sequence[str], alpha: float, beta: float, back: int = 1) -> None:
        self.tokens, self.beta, self.back = list(tokens), beta, back
        self.n, self.typed = len(tokens), tokens[-1]
        kinds = list(dict.fromkeys(tokens))
        hot = np.array([[float(kind == token) for kind in kinds] for token in tokens])
        m, n = np.indices((self.n, self.n))
        sums = np.cos((n - m + back)[..., None] * _THETA).sum(axis=-1)
        self.sums: Floats = np.where(n <= m, sums, -np.inf)
        self.layer_0 = softmax(alpha * self.sums)
        self.noted = [self.tokens[max(k - back, 0)] for k in range(self.n)]
        notes = self.layer_0 @ hot
        self.notes = np.array([notes[k, kinds.index(word)] for k, word in enumerate(self.noted)])
        self.scores: Floats = beta * notes[:, kinds.index(self.typed)]
        self.row = softmax(self.scores)
        self.out = dict(zip(kinds, (self.row @ hot).tolist(), strict=True))

    @property
    def worst(self) -> float:
        """The least that a note has of the token that it is of."""
        return float(self.notes.min())

    @cached_property
    def matches(self) -> list[int]:
        """The positions whose note is of the last token."""
        return [k for k, word in enumerate(self.noted) if word == self.typed]

    @property
    def followers(self) -> list[str]:
        """The different tokens that stand there."""
        return list(dict.fromkeys(self.tokens[k] for k in self.matches))

    @property
    def is_several(self) -> bool:
        return len(self.followers) > 1

    @property
    def mass(self) -> float:
        return float(self.row[self.matches].sum())

    @cached_property
    def counted(self) -> dict[str, float]:
        """The shares of those tokens, or of all so far if there are none."""
        places = self.matches or range(self.n)
        counts = Counter(self.tokens[k] for k in places)
        return {word: counts[word] / len(places) for word in self.out}

    @property
    def best(self) -> list[str]:
        """The tokens with the largest of these shares."""
        most = max(self.counted.values())
        return [word for word, share in self.counted.items() if share == most]

    @property
    def error(self) -> float:
        return float(max(abs(self.out[word] - share) for word, share in self.counted.items()))


@lru_cache(maxsize=64)
def _head(text: tuple[str, ...], alpha: float, beta: float, back: int = 1) -> Head:
    return Head(text, alpha, beta, back)


class Told:
    """The text of the film, and the head over it with what is asked for."""

    def __init__(self, inputs: Inputs) -> None:
        self.inputs = inputs
        self.words: list[str] = inputs.text.split()
        self.tokens = ["BOS", *self.words]
        self.kinds = list(dict.fromkeys(self.tokens))
        self.typed = self.words[-1]
        self.alpha, self.beta = float(getattr(inputs, "alpha", 10.0)), float(inputs.beta)

    def head_over(self, tokens: Sequence[str], back: int = 1) -> Head:
        return _head(tuple(tokens), self.alpha, self.beta, back)

    @property
    def head(self) -> Head:
        return self.head_over(self.tokens)

    # A head that looks for its own token

    def echo(self, beta: float | None = None) -> float:
        """What it gives that token, all of them together."""
        beta = self.beta if beta is None else beta
        row = softmax(beta * np.array([float(word == self.typed) for word in self.tokens]))
        return float(sum(row[k] for k, word in enumerate(self.tokens) if word == self.typed))

    # Two words alone

    @property
    def apart(self) -> float:
        """How far the sums of a word and its note are apart, in the two orders.

        At position 1 the note has w of the token before: e_b + w e_a + (1 - w) e_b, or the same
        with a and b exchanged.
        """
        w = self.head_over(["a", "b"]).layer_0[1, 0]
        return float(2 * (1 - w))

    # Other texts

    @property
    def other(self) -> list[str] | None:
        """The longest beginning whose last word was followed by another, in the other case."""
        for n in reversed(range(3, len(self.words))):
            part = self.words[:n]
            after = {b for a, b in itertools.pairwise(part) if a == part[-1]}
            if after - {part[-1]} and (len(after) > 1) != self.head.is_several:
                return part
        return None

    @property
    def new(self) -> list[str]:
        return [*self.words[:-1], next(w for w in _NEW.split() if w not in self.words)]

    @property
    def bare(self) -> list[str] | None:
        """A text that is told without BOS, as it ends with the word that it begins with."""
        texts = (self.other, self.words)
        return next((text for text in texts if text and text[0] == text[-1]), None)

    @property
    def all_texts(self) -> list[list[str]]:
        """All that are told, with or without BOS."""
        told = [self.tokens, ["BOS", *self.new]]
        if self.other:
            told.append(["BOS", *self.other])
        return [*told, self.bare] if self.bare else told

    @property
    def frequent(self) -> list[str]:
        counts = Counter(self.tokens)
        return [word for word in self.kinds if counts[word] == max(counts.values())]

    @property
    def pair(self) -> tuple[str, str]:
        """The typed word and the first other one that came after it."""
        after = (b for a, b in itertools.pairwise(self.words) if a == self.typed != b)
        return self.typed, next(after)

    @property
    def with_tens(self) -> Told:
        """The same with the scales that work for every text."""
        scales = {"alpha": 10.0, "beta": 10.0}
        known = {k: v for k, v in scales.items() if hasattr(self.inputs, k)}
        return Told(self.inputs.model_copy(update=known))

    @property
    def two_back(self) -> Head:
        return self.head_over(self.tokens, back=2)


def _all_find_the_token_before(text: Told) -> bool:
    return all(int(text.head.sums[m].argmax()) == m - 1 for m in range(1, text.head.n))


# In numbers


def _looks_there(text: Told) -> bool:
    return text.head.mass >= _NEARLY_ALL


def _least_mass(text: Told) -> float:
    """The least that goes to matching notes, in the text and in a beginning of the other case."""
    texts = [["BOS", *text.words], *([["BOS", *text.other]] if text.other else [])]
    return min(text.head_over(one).mass for one in texts)


def _in_order(head: Head) -> bool:
    """Whether what followed more often gets more."""
    words = sorted(head.counted, key=head.counted.__getitem__)
    return all(
        head.out[a] < head.out[b]
        for a, b in itertools.combinations(words, 2)
        if head.counted[a] < head.counted[b]
    )


def _is_even(text: Told) -> bool:
    """Whether all get what they are due once the last word is new."""
    return text.head_over(["BOS", *text.new]).error < _OFF


# Softmax of the shares


def torn(text: Told) -> Head:
    """The head over a text in which a word came twice after the last one, and a new word once."""
    a = next(b for q, b in itertools.pairwise(text.words) if q == text.typed != b)
    q, new = text.typed, text.new[-1]
    return text.head_over(["BOS", q, a, q, a, q, new, q])


def made(text: Told, head: Head, gamma: float) -> dict[str, float]:
    """The probabilities of all tokens, those of the text and the new one, at a gamma."""
    tokens = [*text.kinds, text.new[-1]]
    logits = gamma * np.array([head.out.get(token, 0.0) for token in tokens])
    return dict(zip(tokens, softmax(logits).tolist(), strict=True))


def _lead(text: Told, head: Head, gamma: float) -> float:
    """What those have together that followed most often."""
    return sum(made(text, head, gamma)[word] for word in head.best)


def _least_gamma(text: Told, head: Head) -> float:
    """The least gamma, in tenths, at which that is 99 %."""
    tenths = itertools.count(1)
    return next(k / 10 for k in tenths if _lead(text, head, k / 10) >= 0.99)


def _keeps_order_only(text: Told) -> bool:
    """What gets more is likelier, no share is kept, and softmax of their logarithms gives them."""
    for head in (text.head, torn(text)):
        found = made(text, head, _least_gamma(text, head))
        pairs = itertools.combinations([word for word in found if word in head.out], 2)
        if any((head.out[a] - head.out[b]) * (found[a] - found[b]) < 0 for a, b in pairs):
            return False
        shares = np.array([share for share in head.out.values() if share > 0])
        if not np.allclose(softmax(np.log(shares)), shares, rtol=1e-9, atol=0):
            return False
    return True


def _says_best(head: Head) -> bool:
    """Whether those that lead, but for what is called a tie, stand there most often."""
    top = max(head.out.values())
    return {word for word, share in head.out.items() if share > top - _TIE} == set(head.best)


# One number


def line(n: int) -> Floats:
    """The places of n tokens on a line: even steps of a whole turn together, none at 0."""
    return np.asarray((np.arange(n) + 0.5 - math.ceil(n / 2)) * 2 * np.pi / n)


def bent(x: Floats, b: float) -> Floats:
    """A line bent by b, 0 straight and 1 a circle, about the origin that moves to its middle."""
    if b == 0:
        return np.stack([x, 0 * x], axis=1)
    return np.stack([np.sin(b * x) / b, (1 - np.cos(b * x)) / b - b], axis=1)


def finders(codes: Floats) -> list[int]:
    """The tokens that score themselves higher than any other."""
    scores = codes @ codes.T
    tops = [np.delete(row, k).max() for k, row in enumerate(scores)]
    return [k for k, top in enumerate(tops) if scores[k, k] - top > 1e-12 * abs(scores[k, k])]


def _looks(text: Told) -> list[int]:
    """Whom every token on the line looks at."""
    x = line(len(text.kinds))
    return [int(row.argmax()) for row in text.beta * np.outer(x, x)]


def _asker(text: Told) -> int:
    """The typed word, or the first inner one if that stands at an end."""
    k = text.kinds.index(text.typed)
    return k if 0 < k < len(text.kinds) - 1 else 1


def _side_decides(text: Told) -> bool:
    ends = [0 if x < 0 else len(text.kinds) - 1 for x in line(len(text.kinds))]
    return _looks(text) == ends and set(ends) == {0, len(text.kinds) - 1}


# Two numbers


def on_circle(n: int, beta: float) -> float:
    """What each of n tokens on a circle gives itself."""
    others = np.exp(beta * (np.cos(2 * np.pi * np.arange(1, n) / n) - 1))
    return float(1 / (1 + others.sum()))


def one_hot(n: int, beta: float) -> float:
    """The same with a number of its own for each of them."""
    return 1 / (1 + (n - 1) * math.exp(-beta))


def _more_and_more(text: Told) -> bool:
    """None is lost on the way, and from two they become all."""
    x = line(len(text.kinds))
    found = [len(finders(bent(x, b))) for b in np.linspace(0, 1, 33)]
    return found[0] == 2 and found[-1] == len(x) and sorted(found) == found


# Words that nobody has used


def unheard(text: Told) -> Head:
    """The head over them."""
    return text.head_over(["BOS", *text.inputs.nonsense.split()])


# What the film says


def _works_with_tens(check: Callable[[Told], bool]) -> Callable[[Told], bool]:
    """A check that scales of 10 always pass."""

    def holds(text: Told) -> bool:
        assert check(text.with_tens)
        return check(text)

    return holds


def _notes_hold(text: Told) -> bool:
    return text.head.worst >= _NEARLY_ALL


def _scores_tell(text: Told) -> bool:
    """Whether those that match come near beta, and no other near them."""
    head, others = text.head, np.delete(text.head.scores, text.head.matches)
    near = head.scores[head.matches].min() >= _NEARLY_ALL * text.beta
    return bool(near and others.max() <= _LITTLE * text.beta)


def _matches_score_most(text: Told) -> bool:
    scores, matches = text.head.scores, text.head.matches
    return bool(scores[matches].min() > np.delete(scores, matches).max())


def _goes_there(head: Head) -> bool:
    """Whether those that followed have nearly all together."""
    return sum(head.out[word] for word in head.followers) >= _NEARLY_ALL - 1e-12


def _other(text: Told) -> Head:
    """The head over a beginning of the text that is of the other case."""
    assert text.other is not None
    return text.head_over(["BOS", *text.other])


def _nothing_agrees(text: Told) -> bool:
    """Whether nothing was noted as the new word; if attention is even, all get a share of it."""
    new = text.head_over(["BOS", *text.new])
    is_new = new.typed not in text.tokens and not new.matches
    return is_new and (min(new.out.values()) > 0 or not _is_even(text))


def _first_notes_itself(text: Told) -> bool:
    """Whether position 0 gets about as much attention as any other match."""
    bare = text.head_over(text.bare or [])
    notes_itself = bare.layer_0[0, 0] == 1 and bare.matches[0] == 0
    return bool(notes_itself and bare.row[0] >= 0.9 / len(bare.matches))


def _made_lead(text: Told, gamma: float) -> float:
    return _lead(text, text.head, gamma)


def _is_flat(text: Told) -> bool:
    """Whether the lead falls, and no token is more than e times as likely as another."""
    found = made(text, text.head, 1)
    left, given = _made_lead(text, 1), sum(text.head.out[word] for word in text.head.best)
    return left < given and max(found.values()) <= (math.e + 1e-9) * min(found.values())


def _gammas(text: Told) -> tuple[float, float]:
    """What the text and the other one take."""
    return _least_gamma(text, text.head), _least_gamma(text, torn(text))


def _odds(text: Told) -> float:
    """How many times as likely the word that came twice is, at the larger gamma."""
    found = made(text, torn(text), max(_gammas(text)))
    return found[torn(text).best[0]] / found[text.new[-1]]


def _leads_clearly(head: Head) -> bool:
    others = [share for word, share in head.out.items() if word not in head.best]
    return min(head.out[word] for word in head.best) > max(others)


def _learned(text: Told) -> Variant:
    right = [word for word in text.frequent if word in text.head.best]
    return Variant(1, few(right, "{n} words")) if right else Variant(0)


def _gives_99(share: Callable[[float], float]) -> Callable[[float], bool]:
    return lambda beta: math.isclose(share(beta), 0.99, abs_tol=1e-7)


FACTS = {
    "text.query_token": lambda t: t.typed,
    "followers_listed": lambda t: few(t.head.followers, "{n} different words"),
    "asked": lambda t: Variant(0, t.pair[1]),
    "asker": lambda t: t.pair[1],
    "before": lambda t: t.pair[0],
    "match_weight": lambda t: t.head.mass,
    "least_stored": lambda t: t.head.worst,
    "head.least_stored": lambda t: t.head.worst,
    "echo.own_share": lambda t: t.echo(),
    "orders.apart_in_one": lambda t: t.apart,
    "least_match_weight": _least_mass,
    "worst_error": lambda t: max(t.head.error, torn(t).error),
    "n_tokens": lambda t: len(t.tokens),
    "d_model": lambda t: 3 * len(t.kinds) + 1,
    "main.text.query_token": lambda t: t.typed,
    "main_followers": lambda t: few(t.head.followers, "{n} different words"),
    "other.text.query_token": lambda t: t.other[-1],
    "other_followers": lambda t: few(_other(t).followers, "{n} different words"),
    "new_word": lambda t: t.new[-1],
    "first": lambda t: t.words[0],
    "rule": lambda t: Variant(not _is_even(t)),
    "leading": lambda t: few(t.head.best, "{n} words"),
    "sure.lead": lambda t: sum(t.head.out[word] for word in t.head.best),
    "sure.flat_lead": lambda t: _made_lead(t, 1),
    "sure.gamma": lambda t: _gammas(t)[0],
    "sure.goal": lambda t: 0.99,
    "sure.likeliest": lambda t: max(made(t, t.head, _gammas(t)[0]).values()),
    "often": lambda t: torn(t).best[0],
    "once": lambda t: t.new[-1],
    "often_share": lambda t: torn(t).out[torn(t).best[0]],
    "once_share": lambda t: torn(t).out[t.new[-1]],
    "n_often": lambda t: 2,
    "n_once": lambda t: 1,
    "last_gamma": lambda t: max(_gammas(t)),
    "last_odds": _odds,
    "split.goal": lambda t: 0.99,
    "frequent_said": lambda t: few(t.frequent, "one of the {n} words that stand there most", "or"),
    "both.text.query_token": lambda t: t.typed,
    "says_said": lambda t: few(t.two_back.best, "one of {n} words", "or"),
    "learned": _learned,
    "bent.n_vocab": lambda t: len(t.kinds),
    "bent.asker_name": lambda t: t.kinds[_asker(t)],
    "bent.own": lambda t: on_circle(len(t.kinds), t.beta),
    "crowd.n_large": lambda t: t.inputs.n_large,
    "crowd.own_large": lambda t: on_circle(t.inputs.n_large, t.beta),
    "crowd.mass": lambda t: 0.99,
    "crowd.beta_large": lambda t: _gives_99(lambda beta: on_circle(t.inputs.n_large, beta)),
    "crowd.beta_one_hot": lambda t: _gives_99(lambda beta: one_hot(t.inputs.n_large, beta)),
    "query": lambda t: unheard(t).typed,
    "follower": lambda t: unheard(t).followers[0],
}
STAGES = {
    "idea": Truths(
        claims={
            "question": lambda t: t.typed in t.words[:-1],
            "parrot": lambda t: t.echo() >= _NEARLY_ALL,
        },
        needs={0: _works_with_tens(lambda t: t.echo() >= _NEARLY_ALL)},
    ),
    "lanes": Truths(
        claims={
            "all": _all_find_the_token_before,
            "notes": lambda t: _notes_hold(t) and t.head.layer_0[0, 0] == 1,
            "where": lambda t: t.apart <= _LITTLE,
        },
        needs={
            0: _works_with_tens(_notes_hold),
            1: _works_with_tens(lambda t: t.apart <= _LITTLE),
        },
    ),
    "match": Truths(
        claims={
            "score": _scores_tell,
            "share": _matches_score_most,
            "caption": lambda t: math.isclose(sum(t.head.out.values()), 1),
        },
        needs={0: _works_with_tens(_notes_hold), 1: _works_with_tens(_looks_there)},
    ),
    "forward_pass": Truths(
        claims={
            "layer_0": _notes_hold,
            "find ask": lambda t: len(t.head.matches) > 0,
            "find": _looks_there,
        },
        needs={0: _works_with_tens(_notes_hold), 1: _works_with_tens(_looks_there)},
    ),
    "prediction": Truths(
        choices={"new": lambda t: not _is_even(t)},
        claims={
            "main": lambda t: _goes_there(t.head),
            "other": lambda t: _goes_there(_other(t)),
            "new": _nothing_agrees,
            "without_bos": _first_notes_itself,
            "caption": lambda t: _in_order(t.head),
        },
        needs={0: _works_with_tens(lambda t: _least_mass(t) >= _NEARLY_ALL)},
    ),
    "probabilities": Truths(
        choices={
            "scale": lambda t: len(t.head.best) == 1,
            "ends": lambda t: _gammas(t)[1] > _gammas(t)[0],
        },
        claims={
            "flat": _is_flat,
            "split": lambda t: torn(t).counted[torn(t).best[0]] * 3 == 2,
            "caption": _keeps_order_only,
        },
        needs={
            0: _works_with_tens(
                lambda t: all(head.error < 0.1 and _says_best(head) for head in (t.head, torn(t)))
            ),
        },
    ),
    "ablate": Truths(
        claims={"says_two_ahead": lambda t: _leads_clearly(t.two_back)},
        needs={
            0: _works_with_tens(lambda t: _says_best(t.head)),
            1: _works_with_tens(lambda t: _says_best(t.two_back)),
        },
    ),
    "rank_one": Truths(
        claims={
            "shout": lambda t: _looks(t)[_asker(t)] in (0, len(t.kinds) - 1),
            "along": _side_decides,
            "caption": lambda t: finders(bent(line(len(t.kinds)), 0)) == [0, len(t.kinds) - 1],
        },
    ),
    "rank": Truths(
        choices={"crowd": lambda t: on_circle(t.inputs.n_large, t.beta) < 0.99},
        claims={
            "bend": _more_and_more,
            "crowd": lambda t: (
                on_circle(t.inputs.n_large, t.beta) <= on_circle(len(t.kinds), t.beta)
            ),
            "caption": lambda t: (
                len(finders(bent(line(len(t.kinds)), 1))) == len(t.kinds)
                and one_hot(t.inputs.n_large, 20) > 0.99 > on_circle(t.inputs.n_large, 20)
            ),
        },
    ),
    "nonsense": Truths(
        facts={
            "head.least_stored": lambda t: unheard(t).worst,
            "head.match_weight": lambda t: unheard(t).mass,
        },
        claims={
            "ask": lambda t: len(unheard(t).followers) == 1 and _goes_there(unheard(t)),
            "hops": lambda t: min(unheard(t).notes[unheard(t).matches]) >= _NEARLY_ALL,
        },
        needs={
            0: _works_with_tens(lambda t: unheard(t).worst >= _NEARLY_ALL),
            1: _works_with_tens(lambda t: unheard(t).mass >= _NEARLY_ALL),
        },
    ),
}

_FEW = ("a", "b", "c")
_MANY = ("the", "cat", "dog", "fish", "on", "wonderful", "abcdefghij", "i")

TEXTS = [
    "a b a",
    "a b a a",
    "a a b a",
    "a b b a",
    "a b a b a",
    "a b a c a",
    "a b a b a c a",
    "b a n a n a b",
    "x a y a z a w a",
    "x a y a z a w a v a",
    "a b a c a d a e a f a",
    "a b a b a b a b a b a",
    "a b c a b d a",
    "a x c a y c a z d a",
    "a a b b c c d d e e a",
    "b b c c d d e e f a f",
    "a b c d e f g h i j a",
    "b c d e f g h i j a j",
    "dog fish tree bird moon rain boat lamp leaf song dog",
    "abcdefghij bcdefghija abcdefghij",
    "the cat sat on the mat and the",
]
"""The shortest and the longest; one, two, three and more that followed, at once and often."""

SCALES: list[dict[str, Any]] = [
    *({"alpha": alpha} for alpha in (0.01, 1.0, 4.0, 4.25, 4.5, 5.0, 100.0, 1e4)),
    *({"beta": beta} for beta in (0.01, 1.0, 4.0, 5.5, 100.0, 1000.0, 1e4)),
    {"alpha": 4.5, "beta": 30.0},
    {"alpha": 6.0, "beta": 100.0},
    {"alpha": 100.0, "beta": 1e4},
    {"alpha": 1e4, "beta": 1e4},
    {"alpha": 12.345678, "beta": 9.8765432},
]

OTHERS: dict[str, list[dict[str, Any]]] = {
    "rank": [
        {"n_large": 400},
        {"n_large": 28, "beta": 300.0},
        {"n_large": 28, "beta": 0.01},
        {"n_large": 28, "beta": 1e4, "text": "a b a"},
        {"n_large": 33, "beta": 2345.678},
        *({"n_large": 28, "text": " ".join("abcdefghij"[:n]) + " a"} for n in range(2, 11)),
    ],
    "nonsense": [
        *({"nonsense": text} for text in ("a b a", "a b a b a", "c a b a")),
        {"nonsense": "a b c d e a", "beta": 5.0},
        {"nonsense": "abcdefghij bcdefghija abcdefghij"},
        {"nonsense": "a b b a", "alpha": 3.0},
    ],
}


def examples(name: str) -> list[StageInputs]:
    """Inputs picked by hand, those that the stage takes."""
    shot = name.partition(".")[2]
    given = [{}, *({"text": text} for text in TEXTS), *SCALES]
    if shot == "rank":
        given = [{}]
    return those_taken(name, [*given, *OTHERS.get(shot, [])])


def drawn(name: str) -> st.SearchStrategy[StageInputs | None]:
    """Legal inputs: any scales, most of them near those where a film begins to be refused."""
    kind = find_stage(name).Inputs
    decades = st.floats(-2, 4).map(lambda power: 10.0**power)
    text = st.sampled_from([_FEW, _MANY]).flatmap(riddles).map(" ".join)
    fields = {
        "text": text,
        "alpha": st.one_of(st.just(10.0), st.floats(4.0, 12.0), decades),
        "beta": st.one_of(st.just(10.0), st.floats(0.5, 3).map(lambda x: 10.0**x), decades),
        "n_large": st.integers(28, 60),
        "nonsense": st.builds(_one_follower, st.permutations(_MANY), st.integers(0, 5)),
    }
    known = {field: fields[field] for field in kind.model_fields}
    return st.fixed_dictionaries(known).map(lambda given: legal(kind, given))


def _one_follower(words: list[str], k: int) -> str:
    """A text whose last word was followed by one other, once or more."""
    shapes = ("010", "01210", "20130", "012330", "01010", "120310")
    return " ".join(words[int(place)] for place in shapes[k])


FILM = FilmTruths(
    "induction",
    Told,
    FACTS,
    STAGES,
    examples,
    drawn,
    lambda name: 12 if name == "induction.rank" else 60,
)
