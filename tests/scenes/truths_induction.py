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
_BLIND, _TRAINED = 0.02, 4.4
"""Scales where both heads begin to learn, and about where the first of them ends."""
_NEW = "dax fep gorm zib tulf nolk prin sked mip vorn lurb"
_MADE_UP = {"zorp", "blick", "wug", *_NEW.split()}


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

    def scaled(self, scale: float) -> Head:
        """The head over the text with both scales alike."""
        return Head(self.tokens, scale, scale)

    # A head that looks for its own token

    def echo(self, beta: float | None = None) -> float:
        """What it gives that token, all of them together."""
        beta = self.beta if beta is None else beta
        row = softmax(beta * np.array([float(word == self.typed) for word in self.tokens]))
        return float(sum(row[k] for k, word in enumerate(self.tokens) if word == self.typed))

    @property
    def stood(self) -> list[int]:
        """Where the typed word stood before."""
        return [k for k, word in enumerate(self.tokens[:-1]) if word == self.typed]

    @property
    def is_made_up(self) -> bool:
        return set(self.words) <= _MADE_UP

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
    def new(self) -> list[str]:
        return [*self.words[:-1], next(w for w in _NEW.split() if w not in self.words)]

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
    """The least that goes to matching notes, in the text, the torn one, and that without BOS."""
    return min(head.mass for head in (text.head, torn(text), bare(text)))


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


def bare(text: Told) -> Head:
    """The head over that text without BOS."""
    return text.head_over(torn(text).tokens[1:])


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


def _end_share(text: Told) -> float:
    """What the end on its side gets from the word that asks."""
    x = line(len(text.kinds))
    return float(softmax(text.beta * x[_asker(text)] * x).max())


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


# Other words in the same places


def _is_the_same_for_any_words(text: Told) -> bool:
    """Whether attention is the same when every word is another one."""
    other = [f"w{text.kinds.index(token)}" for token in text.tokens]
    same = text.head_over(other)
    return bool(
        np.allclose(same.layer_0, text.head.layer_0, atol=1e-12)
        and np.allclose(same.row, text.head.row, atol=1e-12)
    )


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


def _nothing_agrees(text: Told) -> bool:
    """Whether nothing was noted as the new word; if attention is even, all get a share of it."""
    new = text.head_over(["BOS", *text.new])
    is_new = new.typed not in text.tokens and not new.matches
    return is_new and (min(new.out.values()) > 0 or not _is_even(text))


def _first_notes_itself(text: Told) -> bool:
    """Whether position 0 gets about as much attention as any other match."""
    head = bare(text)
    notes_itself = head.layer_0[0, 0] == 1 and head.matches[0] == 0
    return bool(notes_itself and head.row[0] >= 0.9 / len(head.matches))


def _made_lead(text: Told, gamma: float) -> float:
    return _lead(text, text.head, gamma)


def _is_flat(text: Told) -> bool:
    """Whether the lead falls, and no token is more than e times as likely as another."""
    found = made(text, text.head, 1)
    left, given = _made_lead(text, 1), sum(text.head.out[word] for word in text.head.best)
    return left < given and max(found.values()) <= (math.e + 1e-9) * min(found.values())


def _blocks(text: Told) -> list[float]:
    """e to each share, of the words of the text and the new one."""
    return [math.exp(text.head.out.get(word, 0.0)) for word in [*text.kinds, text.new[-1]]]


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
    "asker": lambda t: t.pair[1],
    "before": lambda t: t.pair[0],
    "match_weight": lambda t: t.head.mass,
    "least_stored": lambda t: t.head.worst,
    "head.text.query_token": lambda t: t.typed,
    "head.least_stored": lambda t: t.head.worst,
    "head.match_weight": lambda t: t.head.mass,
    "echo.own_share": lambda t: t.echo(),
    "echo.prediction": lambda t: t.typed if t.echo() > 0.5 else str,
    "orders.apart_in_one": lambda t: t.apart,
    "least_match_weight": _least_mass,
    "worst_error": lambda t: t.head.error,
    "query": lambda t: t.typed,
    "new_word": lambda t: t.new[-1],
    "often": lambda t: torn(t).best[0],
    "often_share": lambda t: torn(t).out[torn(t).best[0]],
    "once_share": lambda t: torn(t).out[t.new[-1]],
    "itself_share": lambda t: bare(t).out[t.typed],
    "leaders_listed": lambda t: few(t.head.best, "{n} words"),
    "sure.lead": lambda t: sum(t.head.out[word] for word in t.head.best),
    "sure.flat_lead": lambda t: _made_lead(t, 1),
    "sure.gamma": lambda t: _least_gamma(t, t.head),
    "sure.goal": lambda t: 0.99,
    "lead_block": lambda t: max(_blocks(t)),
    "least_block": lambda t: min(_blocks(t)),
    "frequent_said": lambda t: few(t.frequent, "one of the {n} words that stand there most", "or"),
    "both.text.query_token": lambda t: t.typed,
    "says_said": lambda t: few(t.two_back.best, "one of {n} words", "or"),
    "learned": _learned,
    "none": lambda t: Variant(0 if _is_even(t) else 1),
    "bent.n_vocab": lambda t: len(t.kinds),
    "bent.n_found_on_line": lambda t: len(finders(bent(line(len(t.kinds)), 0))),
    "bent.asker_name": lambda t: t.kinds[_asker(t)],
    "end_share": lambda t: _end_share(t),
    "bent.own": lambda t: on_circle(len(t.kinds), t.beta),
    "crowd.n_large": lambda t: t.inputs.n_large,
    "crowd.own_large": lambda t: on_circle(t.inputs.n_large, t.beta),
    "crowd.mass": lambda t: 0.99,
    "crowd.beta_large": lambda t: _gives_99(lambda beta: on_circle(t.inputs.n_large, beta)),
    "crowd.beta_one_hot": lambda t: _gives_99(lambda beta: one_hot(t.inputs.n_large, beta)),
}
STAGES = {
    "idea": Truths(
        choices={"typed": lambda t: not t.is_made_up},
        claims={
            "guess": lambda t: t.is_made_up,
            "parrot": lambda t: t.echo() >= _NEARLY_ALL,
            "further": lambda t: {t.tokens[k + 1] for k in t.stood} == set(t.head.followers),
        },
        needs={0: _works_with_tens(lambda t: t.echo() >= _NEARLY_ALL)},
    ),
    "lanes": Truths(
        claims={
            "all": _all_find_the_token_before,
            "notes": lambda t: _notes_hold(t) and t.head.layer_0[0, 0] == 1,
        },
        needs={0: _works_with_tens(_notes_hold)},
    ),
    "match": Truths(
        choices={
            "noted": lambda t: t.head.is_several,
            "take": lambda t: t.head.is_several,
        },
        claims={
            "found": lambda t: len(t.head.matches) > 0 and _looks_there(t),
            "score": _scores_tell,
            "share": _matches_score_most,
            "take": lambda t: math.isclose(sum(t.head.out.values()), 1),
        },
        needs={0: _works_with_tens(_notes_hold), 1: _works_with_tens(_looks_there)},
    ),
    "forward_pass": Truths(
        claims={
            "added": lambda t: t.apart <= _LITTLE,
            "layer_0": _notes_hold,
            "find ask": lambda t: len(t.head.matches) > 0,
            "find": _looks_there,
        },
        needs={
            0: _works_with_tens(lambda t: t.apart <= _LITTLE),
            1: _works_with_tens(_notes_hold),
            2: _works_with_tens(_looks_there),
        },
    ),
    "prediction": Truths(
        claims={
            "torn ask": lambda t: torn(t).counted[torn(t).best[0]] * 3 == 2,
            "torn": lambda t: _goes_there(torn(t)) and _in_order(torn(t)),
            "bare": lambda t: bare(t).noted[0] == t.typed,
            "without_bos": _first_notes_itself,
            "caption": _nothing_agrees,
        },
        needs={0: _works_with_tens(lambda t: _least_mass(t) >= _NEARLY_ALL)},
    ),
    "probabilities": Truths(
        choices={
            "blocks": lambda t: len(t.head.best) == 1,
            "flat": lambda t: len(t.head.best) == 1,
        },
        claims={"flat": _is_flat},
        needs={
            0: _works_with_tens(lambda t: t.head.error < 0.1 and _says_best(t.head)),
        },
    ),
    "ablate": Truths(
        claims={"says_two_ahead": lambda t: _leads_clearly(t.two_back)},
        needs={
            0: _works_with_tens(lambda t: _says_best(t.head)),
            1: _works_with_tens(lambda t: _says_best(t.two_back)),
        },
    ),
    "rank": Truths(
        choices={"crowd": lambda t: on_circle(t.inputs.n_large, t.beta) < 0.99},
        claims={
            "shout": lambda t: _looks(t)[_asker(t)] in (0, len(t.kinds) - 1),
            "ends": lambda t: (
                _side_decides(t) and finders(bent(line(len(t.kinds)), 0)) == [0, len(t.kinds) - 1]
            ),
            "bend": _more_and_more,
            "farthest": lambda t: len(finders(bent(line(len(t.kinds)), 1))) == len(t.kinds),
            "crowd": lambda t: (
                on_circle(t.inputs.n_large, t.beta) <= on_circle(len(t.kinds), t.beta)
            ),
            "caption": lambda t: (
                one_hot(t.inputs.n_large, 20) > 0.99 > on_circle(t.inputs.n_large, 20)
            ),
        },
    ),
    "nonsense": Truths(
        choices={"again": lambda t: not t.is_made_up},
        claims={
            "sung": _is_the_same_for_any_words,
            "named": _is_the_same_for_any_words,
            "untrained": lambda t: bool(np.ptp(t.scaled(_BLIND).row) < 0.02),
            "trained": lambda t: t.scaled(_TRAINED).mass >= 0.8,
        },
        needs={
            0: _works_with_tens(_notes_hold),
            1: _works_with_tens(_looks_there),
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
    "dax fep gorm zib tulf nolk prin sked mip vorn dax",
    "zorp blick zorp wug zorp",
    "abcdefghij bcdefghija abcdefghij",
    "the cat sat on the mat and the",
]
"""The shortest and the longest; one, two, three and more that followed, at once and often."""

SCALES: list[dict[str, Any]] = [
    *({"alpha": alpha} for alpha in (0.01, 1.0, 4.0, 4.25, 4.5, 5.0, 100.0, 1e4)),
    *({"beta": beta} for beta in (0.01, 1.0, 4.0, 5.5, 100.0, 1000.0, 1e4)),
    {"alpha": 8.5, "beta": 30.0},
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
        *({"n_large": 28, "text": text} for text in TEXTS),
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
    }
    known = {field: fields[field] for field in kind.model_fields}
    return st.fixed_dictionaries(known).map(lambda given: legal(kind, given))


FILM = FilmTruths(
    "induction",
    Told,
    FACTS,
    STAGES,
    examples,
    drawn,
    lambda name: 12 if name == "induction.rank" else 60,
)
