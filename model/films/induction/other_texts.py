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
from clockhead.model.induction.continuation import continuation
from clockhead.model.induction.prompts import BOS_TOKEN
from clockhead.model.tokens import Vocabulary
from clockhead.model.units import Difference, Doc, Share

NEW_WORDS = ("dax", "fep", "gorm", "zib", "tulf", "nolk", "prin", "sked", "mip", "vorn", "lurb")
"""One more than a text of 11 words can hold beside a word that comes twice."""
MADE_UP = frozenset(("zorp", "blick", "wug", *NEW_WORDS))
"""Words that no language has."""
_EVEN = 0.01


@dataclass(frozen=True, kw_only=True, eq=False)
class OtherTexts(Values):
    """A text, and three other ones made of its words, side by side over one vocabulary."""

    new_word: Annotated[str, Doc("the first of `NEW_WORDS` that the text does not have")]
    vocabulary: Annotated[
        Vocabulary, Doc("BOS, the words in order of first appearance, and the new one; V of them")
    ]
    often: Annotated[str, Doc("the word that followed the last one twice in the torn text")]
    main: Annotated[Induction, Doc("the text itself, after BOS")]
    torn: Annotated[
        Induction, Doc("the last word over and over, followed twice by one, once by the new word")
    ]
    without_bos: Annotated[Induction, Doc("the torn text without BOS")]
    new: Annotated[Induction, Doc("the text with the new word at its end")]
    outputs: Annotated[Floats, Doc("what the heads say, in the order of the fields; (4, V)")]
    expected: Annotated[
        Floats, Doc("what the texts say: shares of what followed or of all tokens; (4, V)")
    ]
    often_share: Annotated[Share, Doc("what attention gives the word that followed twice")]
    once_share: Annotated[Share, Doc("what attention gives the word that followed once")]
    itself_share: Annotated[Share, Doc("what attention gives the last word without BOS")]
    worst_error: Annotated[
        Difference, Doc("how far an output is at most from the shares of what stores its query")
    ]
    least_match_weight: Annotated[
        Share, Doc("the least attention on positions that match, after a word that stood before")
    ]
    is_even: Annotated[bool, Doc("whether the attention is even to 1% once the last word is new")]

    @property
    def heads(self) -> dict[str, Induction]:
        """The heads by the names of their fields, in the order of the outputs."""
        return {name: getattr(self, name) for name in ("main", "torn", "without_bos", "new")}


def other_texts(words: tuple[str, ...], alpha: float, beta: float) -> OtherTexts:
    """Texts made of `words`, whose last one stood before and was followed by another word.

    Raises ValueError if it was not, or if the words leave out none of `NEW_WORDS`.
    """
    if not words or not continuation(words, Vocabulary.of(words)).says_more_than_copying:
        raise ValueError(
            "words must end in a word that stood before and was followed by another one, "
            f"such as “the cat sat on the”, got {' '.join(words)!r}"
        )
    unused = [word for word in NEW_WORDS if word not in words]
    if not unused:
        raise ValueError(
            f"words must leave out at least one of {', '.join(NEW_WORDS)}, got {' '.join(words)!r}"
        )
    query, once = words[-1], unused[0]
    vocabulary = Vocabulary.of((BOS_TOKEN, *words, once))
    head = partial(induction, vocabulary=vocabulary, alpha=alpha, beta=beta)

    main = head((BOS_TOKEN, *words))
    often = main.tokens[main.text.other_follower]
    said = (query, often, query, often, query, once, query)
    torn, without_bos = head((BOS_TOKEN, *said)), head(said)
    heads = main, torn, without_bos, head((BOS_TOKEN, *words[:-1], once))
    outputs = np.stack([one.output for one in heads])  # (4, V)
    twice, single, asked = (vocabulary.tokens.index(word) for word in (often, once, query))
    return OtherTexts(
        new_word=once,
        vocabulary=vocabulary,
        often=often,
        main=main,
        torn=torn,
        without_bos=without_bos,
        new=heads[3],
        outputs=outputs,
        expected=np.stack([one.text.expected for one in heads]),
        often_share=float(outputs[1, twice]),
        once_share=float(outputs[1, single]),
        itself_share=float(outputs[2, asked]),
        worst_error=max(one.match_error for one in heads),
        least_match_weight=min(one.match_weight for one in heads[:3]),
        is_even=heads[3].match_error < _EVEN,
    )
