"""The same induction head after other last words: one follower, several, none, and without BOS.

All texts share one vocabulary, so that their outputs stand side by side.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.induction.circuit import Induction, induction
from clockhead.model.induction.continuation import Continuation, continuation
from clockhead.model.induction.prompts import BOS_TOKEN
from clockhead.model.tokens import Vocabulary
from clockhead.model.units import Difference, Doc, Share

NEW_WORDS = ("dog", "fish", "tree", "bird", "moon", "rain", "boat", "lamp", "leaf", "song", "wind")
"""One more than a text of 11 words can hold beside a word that comes twice."""
_EVEN = 0.01


@dataclass(frozen=True, kw_only=True, eq=False)
class OtherTexts(Values):
    """A text, and K - 1 texts made of it, side by side over one vocabulary."""

    new_word: Annotated[str, Doc("the first of `NEW_WORDS` that the text does not have")]
    vocabulary: Annotated[
        Vocabulary, Doc("BOS, the words in order of first appearance, and the new one; V of them")
    ]
    main: Annotated[Induction, Doc("the text itself, after BOS")]
    other: Annotated[
        Induction | None, Doc("the longest beginning of the text that is of the other case, if any")
    ]
    new: Annotated[Induction, Doc("the text with a word at its end that it does not have")]
    without_bos: Annotated[
        Induction | None, Doc("the other text, or the text, without BOS, if it ends as it begins")
    ]
    names: Annotated[
        tuple[str, ...], Doc("which texts there are, by the names above and in this order")
    ]
    heads: Annotated[tuple[Induction, ...], Doc("the head over each of them; K of them")]
    has_other: Annotated[bool, Doc("whether a beginning of the text is of the other case")]
    has_without_bos: Annotated[
        bool, Doc("whether one of the texts ends as it begins, so that BOS makes a difference")
    ]
    outputs: Annotated[Floats, Doc("what each head says of every token; (K, V)")]
    expected: Annotated[
        Floats, Doc("what each text says, shares of what followed or of all tokens; (K, V)")
    ]
    worst_error: Annotated[
        Difference, Doc("how far an output is at most from the shares of what stores its query")
    ]
    least_match_weight: Annotated[
        Share, Doc("the least attention on positions that match, after a word that stood before")
    ]
    is_even: Annotated[
        bool, Doc("whether attention after the new word is spread evenly, but for a hundredth")
    ]


def other_texts(words: tuple[str, ...], alpha: float = 10.0, beta: float = 10.0) -> OtherTexts:
    """A text of `words` without BOS, and texts made of it.

    The other case is several followers if the text has one, and one if it has several. Raises
    ValueError unless its last word stood before and another word followed it, and for a text that
    holds all of `NEW_WORDS`.
    """
    if not words or not _counted(words).says_more_than_copying:
        raise ValueError(
            "words must end in a word that stood before and was followed by another one, "
            f"such as “the cat sat on the”, got {' '.join(words)!r}"
        )
    unused = [word for word in NEW_WORDS if word not in words]
    if not unused:
        raise ValueError(
            f"words must leave out at least one of {', '.join(NEW_WORDS)}, got {' '.join(words)!r}"
        )
    vocabulary = Vocabulary.of((BOS_TOKEN, *words, unused[0]))
    head = partial(induction, vocabulary=vocabulary, alpha=alpha, beta=beta)

    main = head((BOS_TOKEN, *words))
    parts = (_counted(words[:length]) for length in reversed(range(1, len(words))))
    unlike = (part for part in parts if part.says_more_than_copying and part.case != main.case)
    part = next(unlike, None)
    other = None if part is None else head((BOS_TOKEN, *part.tokens))
    new = head((BOS_TOKEN, *words[:-1], unused[0]))
    asked = [text for text in (other, main) if text is not None]
    round_again = (text.tokens[1:] for text in asked if text.tokens[1] == text.tokens[-1])
    bare = next(round_again, None)
    without_bos = None if bare is None else head(bare)

    known = {"main": main, "other": other, "new": new, "without_bos": without_bos}
    there = {name: text for name, text in known.items() if text is not None}
    return OtherTexts(
        new_word=unused[0],
        vocabulary=vocabulary,
        main=main,
        other=other,
        new=new,
        without_bos=without_bos,
        names=tuple(there),
        heads=tuple(there.values()),
        has_other=other is not None,
        has_without_bos=without_bos is not None,
        outputs=np.stack([text.output for text in there.values()]),
        expected=np.stack([text.text.expected for text in there.values()]),
        worst_error=max(text.match_error for text in there.values()),
        least_match_weight=min(text.match_weight for text in asked),
        is_even=new.match_error < _EVEN,
    )


def _counted(words: tuple[str, ...]) -> Continuation:
    return continuation(words, Vocabulary.of(words))
