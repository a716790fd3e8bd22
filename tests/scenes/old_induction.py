"""What every sentence of the film `induction` asserts, held against formulas written once more.

Nothing that is asserted is asked of `model` or a stage. The tokens are BOS and the words; hand i of
16 turns by 10000^(-i/16) in a position. Layer 0, looking `back` steps, gives query m and key n the
score alpha sum_i cos((n - m + back) theta_i); a note is the mixture of tokens that this attention
gives. Layer 1 scores beta times the share that a note has of the last token; `out` is the mixture
of tokens that its attention gives.

In a sentence of the tables, `{name}` stands for what is filled in.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from tests.scenes.old_telling import Check, Inputs, Said, is_share, nothing_to_check

Floats = NDArray[np.float64]

_THETA = 10000.0 ** (-np.arange(16) / 16)
_NEARLY_ALL, _LITTLE, _OFF, _TIE = 0.9, 0.1, 0.01, 0.02
_NEW = "dog fish tree bird moon rain boat lamp leaf song wind"


# Numbers and lists as they are written


def is_number(text: str, value: float) -> bool:
    """Whether this is a number with six digits at least, or with all that it has."""
    plain = text.replace(",", "")
    return bool(re.fullmatch(r"\d+(\.\d+)?", plain)) and math.isclose(
        float(plain), value, rel_tol=5e-6
    )


def quoted(words: Sequence[str], last: str = "and") -> str:
    """Words in quotes, as a sentence lists them."""
    *rest, final = (f"“{word}”" for word in words)
    return f"{', '.join(rest)} {last} {final}" if rest else final


def few(words: Sequence[str], many: str, last: str = "and") -> str:
    """Up to three words in quotes, or how many there are."""
    return quoted(words, last) if len(words) <= 3 else many.format(n=len(words))


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
    def two_back(self) -> Head:
        return self.head_over(self.tokens, back=2)


def told(check: Callable[[Told, Said], bool]) -> Check:
    """A check of the text and what the head makes of it; whoever is called typed is so."""
    return lambda inputs, said: (
        said.get("typed") in (None, inputs.text.split()[-1]) and check(Told(inputs), said)
    )


typed = told(lambda text, said: True)
"""Nothing but which word is typed."""


# Claims, and what is said where they fail


@dataclass(frozen=True)
class Promise:
    """What a claim says, held against the formulas, and how its refusal reads."""

    holds: Callable[[Told], bool]
    refusal: str
    value: Callable[[Told, Said], bool]
    """Whether what the refusal tells is so, besides the scales and that 10 works."""


def as_given(inputs: Inputs, said: Mapping[str, str]) -> bool:
    """Whether the scales that are told are those of the inputs."""
    return all(is_number(said[k], getattr(inputs, k)) for k in ("alpha", "beta") if k in said)


def with_tens(inputs: Inputs) -> Inputs:
    """The same with the scales that are said to work for every text."""
    scales = {"alpha": 10.0, "beta": 10.0}
    return inputs.model_copy(update={k: v for k, v in scales.items() if hasattr(inputs, k)})


_SAYS = "it says {words} with alpha {alpha} and beta {beta}"
_OFF_BY = "off by {error} with alpha {alpha} and beta {beta}"


def _too_small(share: str) -> Callable[[Told, Said], bool]:
    """The least note is so bad, and alpha is below one that works."""
    return lambda text, said: (
        is_share(said[share], text.head.worst) and text.head.worst < 0.95 and text.alpha < 10
    )


def is_error(text: str, error: float) -> bool:
    """Whether a percentage is an error, which may be all."""
    return is_share(text, error) or (text == "100%" and error > 1 - 1e-12)


_NOTES_HOLD = Promise(
    lambda text: text.head.worst >= _NEARLY_ALL,
    "a note holds only {worst} of the token before: alpha {alpha} is too small",
    _too_small("worst"),
)


# 1. The riddle

IDEA: dict[str, Check] = {
    "What follows “{typed}”?": typed,
    "BOS marks the start. “{typed}” has come before.": told(
        lambda text, said: text.words[:-1].count(said["typed"]) > 0
    ),
    "What would you say comes next?": nothing_to_check("question"),
    "You look back: {followers} came after “{typed}” before.": told(
        lambda text, said: said["followers"] == few(text.head.followers, "{n} different words")
    ),
    "A head that looks for “{typed}” finds it, and says “{again}” again.": told(
        lambda text, said: text.echo() >= _NEARLY_ALL and said["again"] == text.typed
    ),
    "It takes two heads, one after the other: an induction circuit. The second is the induction "
    "head.": nothing_to_check("definition"),
}


# 2. The notes


def _pair(text: Told, a: str, b: str) -> bool:
    """Whether b is the first other word that came after the typed one, a."""
    after = [y for x, y in itertools.pairwise(text.words) if x == text.typed]
    return (a, b) == (text.typed, next(word for word in after if word != text.typed))


def _all_find_the_token_before(text: Told, _: Said) -> bool:
    return all(int(text.head.sums[m].argmax()) == m - 1 for m in range(1, text.head.n))


LANES: dict[str, Check] = {
    "A note of the previous token": nothing_to_check("heading"),
    "How can “{b}” know what came before it?": told(
        lambda text, said: _pair(text, text.typed, said["b"])
    ),
    "Layer 0 is the previous-token head: clocks tell positions.": nothing_to_check("definition"),
    "“{b}” turns its query back a step, to fit the clocks of “{a}”.": told(
        lambda text, said: _pair(text, said["a"], said["b"])
    ),
    "All ask like this, and each finds the one before it.": told(_all_find_the_token_before),
    "Each gets a note of it. BOS has none before it: it notes itself.": told(
        lambda text, _: text.head.worst >= _NEARLY_ALL and text.head.layer_0[0, 0] == 1
    ),
    "And where in its vector does the note go?": nothing_to_check("question"),
    "Added to the word, the two orders would hardly differ.": told(
        lambda text, _: text.apart <= _LITTLE
    ),
    "So each has its own place: cur for the token, prev for the one before it.": (
        nothing_to_check("definition")
    ),
}


# 3. The match


def _scores_tell(text: Told, said: Said) -> bool:
    """Whether those that match come near beta, and no other near them."""
    head, others = text.head, np.delete(text.head.scores, text.head.matches)
    near = head.scores[head.matches].min() >= _NEARLY_ALL * text.beta
    return bool(is_number(said["beta"], text.beta) and near and others.max() <= _LITTLE * text.beta)


MATCH: dict[str, Check] = {
    "Who noted “{typed}”?": typed,
    "In layer 1, the last token asks the notes.": nothing_to_check("definition"),
    "The query is cur of the last token; the keys are the notes, in prev.": nothing_to_check(
        "definition"
    ),
    "β scales the scores: a note that agrees gets nearly β, here {beta}; all others, "
    "far less.": told(_scores_tell),
    "Softmax makes shares of them, sharper with a larger β: whoever noted “{typed}” gets "
    "{mass} in all.": told(
        lambda text, said: (
            is_share(said["mass"], text.head.mass)
            and text.head.scores[text.head.matches].min()
            > np.delete(text.head.scores, text.head.matches).max()
        )
    ),
    "Every word goes into out with its share of attention. That is what the head has to say.": told(
        lambda text, _: (
            min(text.head.out.values()) >= 0 and math.isclose(sum(text.head.out.values()), 1)
        )
    ),
}


# 4. In numbers


def _looks_there(text: Told) -> bool:
    return text.head.mass >= _NEARLY_ALL


FORWARD_PASS: dict[str, Check] = {
    "The same in numbers": nothing_to_check("heading"),
    "{n} rows of {d} numbers. Who moves what?": told(
        lambda text, said: (
            (said["n"], said["d"]) == (str(len(text.tokens)), str(3 * len(text.kinds) + 1))
        )
    ),
    "Each token is a row: a 1 in cur says which word it is.": nothing_to_check("definition"),
    "The last number, always 1, is for layer 0's clocks.": nothing_to_check("definition"),
    "Layer 0 sends cur one row down, into prev; BOS, the first, keeps its own.": told(
        lambda text, _: text.head.worst >= _NEARLY_ALL
    ),
    "Where does “{typed}” stand in prev?": told(lambda text, _: len(text.head.matches) > 0),
    "In layer 1, cur of the last row asks, and looks there.": told(
        lambda text, _: _looks_there(text)
    ),
    "From there, cur goes into out of the last row: {mass} of all it gets.": told(
        lambda text, said: is_share(said["mass"], text.head.mass)
    ),
    "These rows are the residual stream: heads add to them, and overwrite nothing.": (
        nothing_to_check("definition")
    ),
}


# 5. Other texts


def _goes_there(head: Head, followers: str) -> bool:
    """Whether they have nearly all together."""
    nearly_all = sum(head.out[word] for word in head.followers) >= _NEARLY_ALL - 1e-12
    return nearly_all and followers == few(head.followers, "{n} different words")


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


def _stopped(text: Told, said: Said) -> bool:
    """A beginning of the text is told that is of the other case."""
    other = text.other
    if other is None or other[-1] != said["stop"]:
        return False
    head = text.head_over(["BOS", *other])
    return head.is_several != text.head.is_several and _goes_there(head, said["followers"])


def _all_get_a_share(text: Told, said: Said) -> bool:
    """Nothing was noted as the new word, and all have what they are due."""
    new = text.head_over(["BOS", *text.new])
    is_new = said["new"] == new.typed and said["new"] not in text.tokens and not new.matches
    return is_new and _is_even(text) and min(new.out.values()) > 0


def _is_even(text: Told) -> bool:
    """Whether all get what they are due once the last word is new."""
    return text.head_over(["BOS", *text.new]).error < _OFF


def _answers_too(text: Told, said: Said) -> bool:
    """Position 0 notes itself, and gets about as much attention as any other match."""
    if text.bare is None or said["first"] != text.words[0]:
        return False
    bare = text.head_over(text.bare)
    notes_itself = bare.layer_0[0, 0] == 1 and bare.matches[0] == 0
    return bool(notes_itself and bare.row[0] >= 0.9 / len(bare.matches))


PREDICTION: dict[str, Check] = {
    "One answer, several, none": nothing_to_check("heading"),
    "Bars: what the head says. Rings: what followed.": nothing_to_check("legend"),
    "After “{typed}” came {followers}: the output goes there.": told(
        lambda text, said: _goes_there(text.head, said["followers"])
    ),
    "Stop at “{stop}”: {followers} came next, so the output goes there.": told(_stopped),
    "“{new}” is new: no note agrees, so attention is spread evenly over all.": told(
        _all_get_a_share
    ),
    "“{new}” is new: no note agrees. Traces in the notes make attention uneven.": told(
        lambda text, said: (
            [said["new"]] == text.new[-1:] and said["new"] not in text.tokens and not _is_even(text)
        )
    ),
    "Without BOS, the first “{first}” notes itself, and so it counts as a match.": told(
        _answers_too
    ),
    "With BOS, it says what followed, and how often; if nothing did, it spreads evenly.": told(
        lambda text, _: _in_order(text.head) and _is_even(text)
    ),
    "With BOS, it says what followed, and how often; if nothing did, traces in the notes "
    "decide.": told(lambda text, _: _in_order(text.head) and not _is_even(text)),
}


# 6. Softmax of the shares


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


def _is_flat(text: Told, said: Said) -> bool:
    """It is less than the share, and no token is more than e times as likely as another."""
    best, found = text.head.best, made(text, text.head, 1)
    given, left = (sum(shares[word] for word in best) for shares in (text.head.out, found))
    named = said["words"] == few(best, "{n} words")
    told = left < given and is_share(said["given"], given) and is_share(said["left"], left)
    return named and told and max(found.values()) <= (math.e + 1e-9) * min(found.values())


def _reaches(text: Told, said: Said) -> bool:
    return _is_least(said["gamma"], lambda gamma: _lead(text, text.head, gamma), 0.1)


def _reach_together(text: Told, said: Said) -> bool:
    found = made(text, text.head, float(said["gamma"]))
    return _reaches(text, said) and is_share(said["likeliest"], max(found.values()))


def _two_and_one(text: Told, said: Said) -> bool:
    """One word came twice and the new one once; these are the shares they get."""
    head = torn(text)
    counts = [head.counted[said[name]] * 3 for name in ("often", "once")]
    return (
        [round(count) for count in counts] == [2, 1]
        and said["once"] == text.new[-1]
        and is_share(said["two"], head.out[said["often"]])
        and is_share(said["one"], head.out[said["once"]])
    )


def _has_become(text: Told, said: Said, gamma: float) -> bool:
    head = torn(text)
    found = made(text, head, gamma)
    odds = found[head.best[0]] / found[text.new[-1]]
    counts = (said["two"], said["one"]) == ("2", "1")
    return counts and abs(float(said["odds"].replace(",", "")) - odds) <= 0.5 + 1e-6 * odds


def _goes_on(text: Told, said: Said) -> bool:
    """It takes more than for the text itself, and this is the least of it."""
    gamma, head = float(said["gamma"]), torn(text)
    least = _is_least(said["gamma"], lambda gamma: _lead(text, head, gamma), 0.1)
    more = gamma > _least_gamma(text, text.head) and [said["often"]] == head.best
    return least and more and _has_become(text, said, gamma)


def _is_enough(text: Told, said: Said) -> bool:
    """It takes no more than for the text itself."""
    gamma = _least_gamma(text, text.head)
    return gamma >= _least_gamma(text, torn(text)) and _has_become(text, said, gamma)


def _keeps_order_only(text: Told, _: Said) -> bool:
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


PROBABILITIES: dict[str, Check] = {
    "From shares to probabilities": nothing_to_check("heading"),
    '$W_"out"$ copies shares (dots) as logits. And softmax?': nothing_to_check("definition"),
    "Of {given} for {words}, only {left} is left: logits from 0 to 1 make at most a factor e.": (
        told(_is_flat)
    ),
    '$W_"out"$ may scale them: with γ = {gamma}, “{top}” reaches {goal}.': told(
        lambda text, said: (
            [said["top"]] == text.head.best and _reaches(text, said) and said["goal"] == "99%"
        )
    ),
    '$W_"out"$ may scale them: γ = {gamma} makes it {goal} in all, {likeliest} for the '
    "likeliest.": told(
        lambda text, said: (
            len(text.head.best) > 1 and _reach_together(text, said) and said["goal"] == "99%"
        )
    ),
    "Another text: “{often}” came twice, “{once}” once: {two} and {one}.": told(_two_and_one),
    "At γ = {gamma}, “{often}” has {goal}: {two} to {one} has become {odds} to 1.": told(
        lambda text, said: said["goal"] == "99%" and _goes_on(text, said)
    ),
    "At that γ, {two} to {one} has become {odds} to 1.": told(_is_enough),
    "Softmax keeps the order, not the shares; as logits, their logarithms would give them "
    "back.": told(_keeps_order_only),
}


# 7. What is left without a layer


def _frequent(text: Told, said: Said) -> bool:
    """All have the same share, so that these are the words that stand most often."""
    many = "one of the {n} words that stand there most"
    return said["words"] == few(text.frequent, many, "or")


def _says_best(head: Head) -> bool:
    """Whether those that lead, but for what is called a tie, stand there most often."""
    top = max(head.out.values())
    return {word for word, share in head.out.items() if share > top - _TIE} == set(head.best)


def _named_best(head: Head) -> str:
    return few(head.best, "one of {n} words", "or")


def _leads(head: Head, words: str) -> bool:
    """Whether the words that are said are those that lead, and stand there most often."""
    least = min(head.out[word] for word in head.best)
    others = [share for word, share in head.out.items() if word not in head.best]
    return words == _named_best(head) and least > max(others)


ABLATE: dict[str, Check] = {
    "Break it, and see": nothing_to_check("heading"),
    "What is left if one layer is switched off?": nothing_to_check("question"),
    "Layer 0 off, so there are no notes. And now?": nothing_to_check("question"),
    "Every token gets the same attention, so only frequency counts: it says {words}.": told(
        _frequent
    ),
    "Layer 1 off, with the notes back in place?": nothing_to_check("question"),
    "The notes are there, but no one reads them: out stays 0.": nothing_to_check("definition"),
    "Both on, but layer 0 looks two steps back?": nothing_to_check("question"),
    "Now it says {words}: what most often stood two after “{typed}”.": told(
        lambda text, said: _leads(text.two_back, said["words"])
    ),
    "Layer 0 writes the notes, layer 1 reads them: neither can answer without the other.": told(
        lambda text, _: not set(text.frequent) & set(text.head.best)
    ),
    "Layer 0 writes the notes, layer 1 reads them. Without notes, {words} came up only by being "
    "frequent.": told(
        lambda text, said: (
            said["words"]
            == few([word for word in text.frequent if word in text.head.best], "{n} words")
        )
    ),
}


# 8. One number


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


def _side_decides(text: Told, _: Said) -> bool:
    ends = [0 if x < 0 else len(text.kinds) - 1 for x in line(len(text.kinds))]
    return _looks(text) == ends and set(ends) == {0, len(text.kinds) - 1}


RANK_ONE: dict[str, Check] = {
    "Is one number enough?": nothing_to_check("question"),
    "{n} different tokens, {again} numbers each. So many?": told(
        lambda text, said: said["n"] == said["again"] == str(len(text.kinds))
    ),
    "Suppose layer 1 compares one number a token: its place on a line.": (
        nothing_to_check("definition")
    ),
    "“{asker}” asks, with β at {beta}. Who gets the attention?": told(
        lambda text, said: (
            said["asker"] == text.kinds[_asker(text)] and is_number(said["beta"], text.beta)
        )
    ),
    "An end: a query can only call “left!” or “right!”, and the ends hear it best.": told(
        lambda text, _: (
            _looks(text)[_asker(text)] in (0, len(text.kinds) - 1) and _side_decides(text, _)
        )
    ),
    "Whoever asks: who gets most depends only on the side of 0 it stands on.": told(_side_decides),
    (
        "A note is found if the word it names gives it the most attention: "
        "on a line, only the ends are."
    ): told(lambda text, _: finders(bent(line(len(text.kinds)), 0)) == [0, len(text.kinds) - 1]),
}


# 9. Two numbers


def on_circle(n: int, beta: float) -> float:
    """What each of n tokens on a circle gives itself."""
    others = np.exp(beta * (np.cos(2 * np.pi * np.arange(1, n) / n) - 1))
    return float(1 / (1 + others.sum()))


def one_hot(n: int, beta: float) -> float:
    """The same with a number of its own for each of them."""
    return 1 / (1 + (n - 1) * math.exp(-beta))


def _more_and_more(text: Told, _: Said) -> bool:
    """None is lost on the way, and from two they become all."""
    x = line(len(text.kinds))
    found = [len(finders(bent(x, b))) for b in np.linspace(0, 1, 33)]
    return found[0] == 2 and found[-1] == len(x) and sorted(found) == found


def _is_least(text: str, reached: Callable[[float], float], step: float) -> bool:
    """Whether 99 % is reached at this number, and not a step before."""
    beta = float(text.replace(",", ""))
    slack = 1e-9 * beta
    return reached(beta + slack) >= 0.99 and (
        beta <= step or reached(beta - step - slack) < 0.99 + 1e-9
    )


def _keeps(text: Told, said: Said) -> bool:
    own = on_circle(text.inputs.n_large, text.beta)
    fuller = own <= on_circle(len(text.kinds), text.beta)
    return fuller and said["asker"] == text.kinds[_asker(text)] and is_share(said["own"], own)


def _price(text: Told, said: Said) -> bool:
    n = text.inputs.n_large
    least = _is_least(said["circle"], lambda beta: on_circle(n, beta), 1)
    return least and _is_least(said["one"], lambda beta: one_hot(n, beta), 0.1)


RANK: dict[str, Check] = {
    "A line has two ends, a circle has none": nothing_to_check("geometry"),
    "What do two numbers buy?": nothing_to_check("question"),
    "What if the line is bent into a circle?": nothing_to_check("question"),
    "As it bends, ever more notes are farthest out in their own direction: found.": told(
        _more_and_more
    ),
    "Two numbers a token: with β at {beta}, “{asker}” gives the note “{named}” {own}.": told(
        lambda text, said: (
            is_number(said["beta"], text.beta)
            and said["asker"] == said["named"] == text.kinds[_asker(text)]
            and is_share(said["own"], on_circle(len(text.kinds), text.beta))
        )
    ),
    "And with {n} tokens on the circle?": told(
        lambda text, said: said["n"] == str(text.inputs.n_large)
    ),
    "Neighbours are close now: the note “{asker}” gets {own}.": told(
        lambda text, said: on_circle(text.inputs.n_large, text.beta) < 0.99 and _keeps(text, said)
    ),
    "Neighbours are close now, but with so large a β the note “{asker}” still gets {own}.": told(
        lambda text, said: on_circle(text.inputs.n_large, text.beta) >= 0.99 and _keeps(text, said)
    ),
    "For {goal}, β must be {circle} or more. With a number for every token, {one} is enough.": told(
        lambda text, said: said["goal"] == "99%" and _price(text, said)
    ),
    "Two numbers find every note, but crowd them; one for every token keeps them apart.": told(
        lambda text, _: (
            len(finders(bent(line(len(text.kinds)), 1))) == len(text.kinds)
            and one_hot(text.inputs.n_large, 20) > 0.99 > on_circle(text.inputs.n_large, 20)
        )
    ),
}


# 10. Words that nobody has used


def unheard(text: Told) -> Head:
    """The head over them."""
    return text.head_over(["BOS", *text.inputs.nonsense.split()])


def _says_it(text: Told, said: Said) -> bool:
    """One word followed; it gets nearly all, and the note of each is the query."""
    head = unheard(text)
    notes = [head.notes[k] for k in head.matches]
    one = [said["follower"]] == head.followers and said["query"] == head.typed
    return one and head.out[said["follower"]] >= _NEARLY_ALL and min(notes) >= _NEARLY_ALL


NONSENSE: dict[str, Check] = {
    "Words nobody has used": nothing_to_check("so are the words it has by itself; any are legal"),
    "The head is untrained. What words does it know?": nothing_to_check("definition"),
    "None. It compares and copies, and any word will do that has a place of its own.": (
        nothing_to_check("all tokens are alike to the formulas")
    ),
    "What comes next?": nothing_to_check("question"),
    "“{follower}”, because its note says “{query}”.": told(_says_it),
    (
        "First hop: “{follower}” notes “{query}”. Second hop: the last “{again}” looks for that "
        "note."
    ): told(lambda text, said: said["query"] == said["again"] and _says_it(text, said)),
    "Another film writes down every number of such a head.": (nothing_to_check("outlook")),
    "One head notes the token before, the induction head finds that note: an induction circuit.": (
        nothing_to_check("definition")
    ),
}


TRUTHS: dict[str, dict[str, Check]] = {
    "induction.idea": IDEA,
    "induction.lanes": LANES,
    "induction.match": MATCH,
    "induction.forward_pass": FORWARD_PASS,
    "induction.prediction": PREDICTION,
    "induction.probabilities": PROBABILITIES,
    "induction.ablate": ABLATE,
    "induction.rank_one": RANK_ONE,
    "induction.rank": RANK,
    "induction.nonsense": NONSENSE,
}

PROMISES: dict[str, dict[str, Promise]] = {
    "induction.idea": {
        "a head that looks for its own token finds it": Promise(
            lambda text: text.echo() >= _NEARLY_ALL,
            "“{typed}” gives itself only {own}: beta {beta} is too small",
            lambda text, said: (
                said["typed"] == text.typed
                and is_share(said["own"], text.echo())
                and text.beta < 10
            ),
        )
    },
    "induction.lanes": {
        "every note holds the token before it": _NOTES_HOLD,
        "with both in one place, two words would hardly differ from the same exchanged": Promise(
            lambda text: text.apart <= _LITTLE,
            "they differ by {apart}: alpha {alpha} is too small",
            lambda text, said: (
                abs(float(said["apart"]) - text.apart) <= 5.01e-4 and text.alpha < 10
            ),
        ),
    },
    "induction.match": {
        "every note holds little else than the token before it": Promise(
            lambda text: text.head.worst >= _NEARLY_ALL,
            "one holds only {worst} of it: alpha {alpha} is too small",
            _too_small("worst"),
        ),
        "the matching notes get nearly all of the attention": Promise(
            lambda text: text.head.mass >= _NEARLY_ALL,
            "they get {mass} with beta {beta}",
            lambda text, said: is_share(said["mass"], text.head.mass),
        ),
    },
    "induction.forward_pass": {
        "every row gets the token before it into prev, at least nine tenths of it": Promise(
            lambda text: text.head.worst >= 0.9,
            "a row gets only {worst} of it: alpha {alpha} is too small",
            _too_small("worst"),
        ),
        "the last row looks where its token stands in prev": Promise(
            _looks_there,
            "only {mass} of its attention goes there: beta {beta} does not fit alpha {alpha}",
            lambda text, said: is_share(said["mass"], text.head.mass),
        ),
    },
    "induction.prediction": {
        "where something followed, nearly all of the attention goes there": Promise(
            lambda text: _least_mass(text) >= _NEARLY_ALL,
            "only {mass} goes there with alpha {alpha} and beta {beta}",
            lambda text, said: is_share(said["mass"], _least_mass(text)),
        )
    },
    "induction.probabilities": {
        "each text gets about the shares that its matching notes say": Promise(
            lambda text: (
                max(text.head.error, torn(text).error) < 0.1
                and _says_best(text.head)
                and _says_best(torn(text))
            ),
            "one is " + _OFF_BY,
            lambda text, said: is_error(said["error"], max(text.head.error, torn(text).error)),
        )
    },
    "induction.ablate": {
        "both layers on, the head says what the text says": Promise(
            lambda text: _says_best(text.head),
            _SAYS,
            lambda text, said: bool(said["words"]),
        ),
        "with notes of the token two back, it says what most often stood two after": Promise(
            lambda text: _says_best(text.two_back),
            _SAYS,
            lambda text, said: bool(said["words"]),
        ),
    },
    "induction.rank_one": {},
    "induction.rank": {},
    "induction.nonsense": {
        "every note holds the token before it": Promise(
            lambda text: unheard(text).worst >= _NEARLY_ALL,
            _NOTES_HOLD.refusal,
            lambda text, said: is_share(said["worst"], unheard(text).worst) and text.alpha < 10,
        ),
        "the attention goes to the notes that match": Promise(
            lambda text: unheard(text).mass >= _NEARLY_ALL,
            "only {mass} of it does: beta {beta} is too small for alpha {alpha}",
            lambda text, said: is_share(said["mass"], unheard(text).mass),
        ),
    },
}
