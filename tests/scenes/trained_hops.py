"""The truths of the stages of `trained` about heads that look at what came before."""

from __future__ import annotations

from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from clockhead.model.trained.texts import texts_said_twice
from tests.model.plain_trained import LETTERS, Reading, normed, tokens, turned, weights
from tests.scenes.telling import Inputs, Truths, Variant

Floats = NDArray[np.float64]


@cache
def reading(step: int, text: str) -> Reading:
    return Reading(step, tokens(text))


def written(letter: str) -> str:
    return "␣" if letter == " " else letter


@cache
def mean_looks(step: int) -> Floats:
    """What heads give to the letter before, and to what followed, in texts said twice; (2, 2, 4).

    As the film `without` has them: 64 texts of 24 letters.
    """
    n = 24
    patterns = Reading(step, texts_said_twice(9, 64, n)).patterns
    found = np.zeros((2, 2, 4))
    for at, pattern in patterns.items():  # (64, 49, 49)
        found[0, *at] = np.mean([pattern[:, m, m - 1] for m in range(2, 2 * n + 1)])
        found[1, *at] = np.mean([pattern[:, m, m - n + 1] for m in range(n + 1, 2 * n + 1)])
    return found


class Heads:
    """All heads at a moment, and at the one before the fall; what is clear is at least 40 %."""

    clear = 0.4

    def __init__(self, inputs: Inputs) -> None:
        self.inputs, self.text = inputs, str(inputs.text)
        size = next(k for k in range(len(self.text) - 1, 0, -1) if self.text[-k:] in self.text[:-1])
        end = self.text[:-1].rindex(self.text[-size:]) + size
        self.answer = self.text[end]

    @property
    def step(self) -> int:
        return int(self.inputs.moment)

    @property
    def first_step(self) -> int:
        return min(self.step, 150)

    def pattern(self, layer: int, head: int, step: int | None = None) -> Floats:
        step = self.step if step is None else step
        return np.asarray(reading(step, self.text).patterns[layer, head])

    def before(self, layer: int, head: int, step: int | None = None) -> float:
        """What letters give the one before them, on average."""
        pattern = self.pattern(layer, head, step)
        return sum(float(pattern[m, m - 1]) for m in range(1, len(pattern))) / (len(pattern) - 1)

    @cached_property
    def followers(self) -> dict[int, list[int]]:
        """For each letter that stood before, the places after it, up to its own."""
        found = {
            m: [n + 1 for n in range(m) if n and self.text[n - 1] == self.text[m - 1]]
            for m in range(1, len(self.text) + 1)
        }
        return {m: places for m, places in found.items() if places}

    def after(self, layer: int, head: int, step: int | None = None) -> list[float]:
        """What letters that stood before give what followed them, for each."""
        pattern = self.pattern(layer, head, step)
        return [float(pattern[m, places].sum()) for m, places in self.followers.items()]

    @property
    def previous(self) -> int:
        return int(np.argmax(mean_looks(self.step)[0, 0]))

    @property
    def induction(self) -> int:
        return int(np.argmax([np.mean(self.after(1, head)) for head in range(4)]))

    def kind(self, layer: int, head: int) -> int:
        """1 for heads that look at the letter before, 2 for those at what followed, or 0."""
        before, after = mean_looks(self.step)[:, layer, head]
        if before >= self.clear and before >= after:
            return 1
        return 2 * int(after >= self.clear)

    @property
    def n_found(self) -> int:
        return sum(share > 0.5 for share in self.after(1, self.induction))

    def how_much_follows(self) -> int:
        if not self.n_found:
            return 0
        return 1 if self.kind(1, self.induction) == 2 else 2

    def both(self) -> Variant:
        kinds = {self.kind(*at) for at in np.ndindex(2, 4)}
        return Variant(0) if {1, 2} <= kinds else Variant(1, f"{self.step:,}")


class Hop(Heads):
    """What the last letter finds, whole and with keys from which heads' notes are taken."""

    @cached_property
    def weights(self) -> dict[str, Floats]:
        return weights(self.step)

    def read(self, *without: int) -> tuple[Floats, Floats]:
        """The last rows of layer 1, (4, T), and how likely each letter is, (27,)."""
        first, w = reading(self.step, self.text), self.weights
        stream = first.streams[1]
        noted = normed(stream - sum(first.added[0, head] for head in without))
        rows, out = [], stream[-1].copy()
        for head in range(4):
            query = turned(normed(stream) @ w["w_q"][1, head])[-1]
            scores = np.real(turned(noted @ w["w_k"][1, head]) @ query.conj()) / 4
            row = np.exp(scores) / np.exp(scores).sum()
            out += row @ normed(stream) @ w["w_v"][1, head] @ w["w_o"][1, head]
            rows.append(row)
        likely = np.exp(normed(out) @ w["unembedding"])
        return np.array(rows), likely / likely.sum()

    @cached_property
    def whole(self) -> tuple[Floats, Floats]:
        return self.read()

    @cached_property
    def found(self) -> tuple[int, int]:
        """The head and the place that gets most, of those where the answer followed."""
        last = self.text[-1]
        places = [
            k + 1 for k in range(1, len(self.text))
            if self.text[k - 1] == last and self.text[k] == self.answer
        ]  # fmt: skip
        heads = range(4) if self.inputs.reader is None else [self.inputs.reader]
        return max(((h, n) for h in heads for n in places), key=lambda at: self.whole[0][at])

    @cached_property
    def other(self) -> int:
        others = [head for head in range(4) if head != self.previous]
        return min(others, key=lambda head: self.read(self.previous, head)[0][self.found])

    def attention(self, *without: int) -> float:
        return float(self.read(*without)[0][self.found])

    def other_note(self, place: int) -> str:
        """What the other head looks at most."""
        return f"^{self.text}"[int(self.pattern(0, self.other)[place].argmax())]

    def how_much_is_left(self) -> int:
        left = self.attention(self.previous)
        return 0 if left >= self.attention() else 1 if left >= self.attention() / 2 else 2

    @property
    def is_guessed(self) -> bool:
        return LETTERS[int(self.whole[1].argmax())] == self.answer

    @property
    def instead(self) -> str:
        """What gets most without both notes."""
        row = self.read(self.previous, self.other)[0][self.found[0]]
        return written(f"^{self.text}"[int(row.argmax())])

    @property
    def is_where_it_was(self) -> bool:
        row = self.read(self.previous, self.other)[0][self.found[0]]
        return int(row.argmax()) == self.found[1]

    def how_it_ends(self) -> int:
        return 1 if not self.is_guessed else 0 if self.is_looked_at_most() else 2

    def what_it_was(self) -> Variant:
        if not self.is_guessed or not self.is_looked_at_most():
            return Variant(0)
        left = self.attention(self.previous, self.other)
        return Variant(1 if left >= self.attention() / 2 else 2)

    def is_looked_at_most(self) -> bool:
        head, place = self.found
        return int(self.whole[0][head].argmax()) == place


HOPS = {
    "heads": Truths(
        world=Heads,
        facts={
            "previous_name": lambda t: f"0.{t.previous}",
            "previous_share": lambda t: t.before(0, t.previous),
            "induction_name": lambda t: f"1.{t.induction}",
            "previous_number": lambda t: t.previous,
            "n_found": lambda t: t.n_found,
            "n_again": lambda t: len(t.followers),
            "ending": lambda t: t.both(),
        },
        choices={
            "share": lambda t: t.kind(0, t.previous) != 1,
            "stripe": lambda t: t.how_much_follows(),
        },
    ),
    "second_hop": Truths(
        world=Hop,
        facts={
            "riddle.last": lambda t: t.text[-1],
            "reader_name": lambda t: f"1.{t.found[0]}",
            "share": lambda t: t.attention(),
            "share_without": lambda t: t.attention(t.previous),
            "share_without_both": lambda t: t.attention(t.previous, t.other),
            "guess": lambda t: float(t.whole[1][LETTERS.index(t.answer)]),
            "writer_name": lambda t: f"0.{t.previous}",
            "other_name": lambda t: f"0.{t.other}",
            "instead": lambda t: t.instead,
            "other_note": lambda t: written(t.other_note(t.found[1])),
            "top": lambda t: written(LETTERS[int(t.whole[1].argmax())]),
            "ending": lambda t: t.what_it_was(),
        },
        choices={
            "asks": lambda t: not t.is_looked_at_most(),
            "note ask": lambda t: not t.is_looked_at_most(),
            "gone": lambda t: t.is_where_it_was,
            "back": lambda t: t.how_it_ends(),
            "without": lambda t: t.how_much_is_left(),
            "other": lambda t: t.other_note(t.found[1]) == t.text[-2],
        },
    ),
}
