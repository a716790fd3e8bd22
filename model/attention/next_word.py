"""From logits to a word: softmax at a temperature, its entropy, the likeliest word and a draw.

Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, sections 4 and 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, finite, real, sealed, sealed_ints, whole
from clockhead.model.attention.pattern import softmax
from clockhead.model.units import Count, Doc, Nats, Place, Share, Temperature

_ALMOST_ALL = float(np.nextafter(1.0, 0.0))
"""The largest number below 1."""
_WAY = 60
"""Steps from one temperature to the next."""


@dataclass(frozen=True, eq=False)
class NextWord:
    """What comes next: a logit for each of `words`, taken at a temperature.

    Raises ValueError unless there is one finite logit for each word and the temperature is above 0.
    """

    words: Annotated[tuple[str, ...], Doc("the words there are; V of them")]
    logits: Annotated[Floats, Doc("one number for each word, of any size and sign")]
    temperature: Annotated[Temperature, Doc("what the logits are divided by")] = 1.0

    def __post_init__(self) -> None:
        if finite("logits", self.logits).shape != (len(self.words),):
            raise ValueError(
                f"logits must be {len(self.words)} numbers, one for each word, "
                f"got shape {np.shape(self.logits)}"
            )
        real("temperature", self.temperature, above=0)
        sealed(self.logits)

    @cached_property
    def probabilities(self) -> Floats:
        """The softmax of the logits divided by the temperature; shape (V,)."""
        return sealed(_shares(self.logits / self.temperature))

    @cached_property
    def order(self) -> Ints:
        """The words' places from the likeliest to the least likely; shape (V,)."""
        return sealed_ints(np.argsort(-self.logits, kind="stable"))

    @property
    def greedy(self) -> Place:
        """The place of the likeliest word, the first if several are."""
        return int(self.order[0])

    @property
    def greedy_word(self) -> str:
        """The likeliest word."""
        return self.words[self.greedy]

    @property
    def n_likeliest(self) -> Count:
        """How many words share the largest logit."""
        return int((self.logits == self.logits.max()).sum())

    @property
    def greedy_share(self) -> Share:
        """The probability of the likeliest word."""
        return float(self.probabilities[self.greedy])

    @property
    def entropy(self) -> Nats:
        """How undecided it is, -sum p ln p: 0 for certainty, ln V for all alike."""
        return float(_entropy(self.probabilities))

    @property
    def most_entropy(self) -> Nats:
        """ln V, the entropy of V words that are all alike."""
        return float(np.log(len(self.words)))

    def at(self, temperature: float) -> NextWord:
        """The same logits at another temperature."""
        return NextWord(self.words, self.logits, temperature)

    def drawn(self, n_draws: int, seed: int) -> Draws:
        """Words drawn one after another, each by its probability."""
        return Draws(self, n_draws, seed)


@dataclass(frozen=True, eq=False)
class Draws:
    """`n_draws` words drawn by their probabilities with the seed `seed`.

    Raises ValueError for no draw or a negative seed.
    """

    source: Annotated[NextWord, Doc("what is drawn from")]
    n_draws: Annotated[Count, Doc("how many words are drawn")]
    seed: Annotated[int, Doc("what makes the draws repeatable")]

    def __post_init__(self) -> None:
        whole("n_draws", self.n_draws, at_least=1)
        whole("seed", self.seed, at_least=0)

    @cached_property
    def places(self) -> Ints:
        """The place of every word drawn, in order; shape (n_draws,)."""
        edges = np.cumsum(self.source.probabilities)  # (V,)
        at = np.random.default_rng(self.seed).random(self.n_draws) * edges[-1]
        return sealed_ints(np.searchsorted(edges, at, side="right").astype(np.int64))

    @cached_property
    def counts(self) -> Ints:
        """How often each word was drawn; shape (V,)."""
        return sealed_ints(np.bincount(self.places, minlength=len(self.source.words)))

    @cached_property
    def shares(self) -> Floats:
        """What share of the draws each word got; shape (V,)."""
        return sealed(self.counts / self.n_draws)

    @property
    def n_greedy(self) -> Count:
        """How often the likeliest word was drawn."""
        return int(self.counts[self.source.greedy])

    @property
    def n_different(self) -> Count:
        """How many different words were drawn."""
        return int((self.counts > 0).sum())


@dataclass(frozen=True, eq=False)
class TemperatureWalk:
    """The same logits at several temperatures, and on the way from one to the next.

    Words are drawn at the first and at the last of them. Raises ValueError for no temperature, one
    that is not above 0, no draw, or what is no `NextWord`.
    """

    words: Annotated[tuple[str, ...], Doc("the words there are; V of them")]
    logits: Annotated[Floats, Doc("one number for each word")]
    temperatures: Annotated[tuple[float, ...], Doc("the temperatures, in order; S of them")]
    n_draws: Annotated[Count, Doc("how many words are drawn at a temperature")] = 20
    seed: Annotated[int, Doc("what makes the draws repeatable")] = 0

    def __post_init__(self) -> None:
        if not self.temperatures:
            raise ValueError("temperatures must be at least one, got none")
        _ = self.stops, self.first_draws, self.final_draws

    @property
    def n_words(self) -> Count:
        """How many words there are."""
        return len(self.words)

    @cached_property
    def stops(self) -> tuple[NextWord, ...]:
        """What comes next at each of the temperatures, in their order."""
        return tuple(NextWord(self.words, self.logits, t) for t in self.temperatures)

    @property
    def first(self) -> NextWord:
        """What comes next at the first temperature."""
        return self.stops[0]

    @property
    def final(self) -> NextWord:
        """What comes next at the last temperature."""
        return self.stops[-1]

    @cached_property
    def first_draws(self) -> Draws:
        """Words drawn at the first temperature."""
        return self.first.drawn(self.n_draws, self.seed)

    @cached_property
    def final_draws(self) -> Draws:
        """Words drawn at the last temperature, with the same seed."""
        return self.final.drawn(self.n_draws, self.seed)

    @cached_property
    def probabilities(self) -> Floats:
        """The probability of each word at each temperature; shape (S, V)."""
        return sealed(np.stack([stop.probabilities for stop in self.stops]))

    @cached_property
    def entropies(self) -> Floats:
        """The entropy at each temperature, in nats; shape (S,)."""
        return sealed(np.array([stop.entropy for stop in self.stops]))

    @cached_property
    def way_temperatures(self) -> Floats:
        """Temperatures from each stop to the next, equal factors apart; shape (S - 1, steps)."""
        ends = np.array(self.temperatures)
        return sealed(np.geomspace(ends[:-1], ends[1:], _WAY + 1, axis=1))

    @cached_property
    def way_probabilities(self) -> Floats:
        """The probability of each word on these ways; shape (S - 1, steps, V)."""
        flat = probabilities_at(self.logits, self.way_temperatures.ravel())
        return sealed(flat.reshape(*self.way_temperatures.shape, self.n_words))

    @cached_property
    def way_entropies(self) -> Floats:
        """The entropy on these ways, in nats; shape (S - 1, steps)."""
        return sealed(_entropy(self.way_probabilities))


def probabilities_at(logits: ArrayLike, temperatures: Sequence[float] | Floats) -> Floats:
    """The softmax of `logits` (V,) at every temperature (S,); shape (S, V)."""
    scales = finite("temperatures", temperatures, n_axes=1)  # (S,)
    if (scales <= 0).any():
        raise ValueError(f"temperatures must be above 0, got {scales.min():g}")
    return _shares(finite("logits", logits, n_axes=1) / scales[:, None])


def _shares(logits: Floats) -> Floats:
    """Softmax over the last axis; of several none is 1, however near it comes."""
    shares = softmax(logits)
    return np.minimum(shares, _ALMOST_ALL) if shares.shape[-1] > 1 else shares


def _entropy(shares: Floats) -> Floats:
    """-sum p ln p over the last axis, in nats, what is 0 left out; (..., V) to (...)."""
    logs = np.log(np.where(shares > 0, shares, 1.0))
    return np.asarray(-(shares * logs).sum(axis=-1) + 0.0)
