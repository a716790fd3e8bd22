"""The induction circuit on texts with one follower, several, none, and without BOS.

All texts share one vocabulary, so that their outputs can be compared.
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
from clockhead.model.units import Difference, Doc, Share, Unit

NEW_WORDS = ("dax", "fep", "gorm", "zib", "tulf", "nolk", "prin", "sked", "mip", "vorn", "lurb")
"""New words: one more than a text of 11 words with a repetition can have."""
MADE_UP = frozenset(("zorp", "blick", "wug", *NEW_WORDS))
"""Words of no language."""
_EVEN = 0.01


@dataclass(frozen=True, kw_only=True, eq=False)
class OtherTexts(Values):
    """A text, and three texts made of its words, with one vocabulary."""

    new_word: Annotated[str, Doc("first of `NEW_WORDS` that is not in the text")]
    vocabulary: Annotated[
        Vocabulary, Doc("BOS, the words in order of first appearance, and the new one; V of them")
    ]
    often: Annotated[str, Doc("word that followed the last one twice in the torn text")]
    main: Annotated[Induction, Doc("the circuit on the text after BOS")]
    torn: Annotated[
        Induction,
        Doc(
            "the circuit on a text in which one word follows the last one twice, the new word once"
        ),
    ]
    without_bos: Annotated[Induction, Doc("the circuit on the torn text without BOS")]
    new: Annotated[Induction, Doc("the circuit on the text with the new word as its last")]
    outputs: Annotated[
        Floats,
        Unit("attention, added up by token"),
        Doc("outputs of the four, in the order of the fields; (4, V)"),
    ]
    expected: Annotated[
        Floats, Doc("distributions by the induction rule: of followers, or of all tokens; (4, V)")
    ]
    often_share: Annotated[Share, Doc("attention weight on the word that followed twice")]
    once_share: Annotated[Share, Doc("attention weight on the word that followed once")]
    itself_share: Annotated[Share, Doc("attention weight on the last word itself, without BOS")]
    worst_error: Annotated[
        Difference,
        Doc("largest difference of an output from the distribution of tokens at matches"),
    ]
    least_match_weight: Annotated[
        Share, Doc("smallest attention weight on all matches, in the texts that have some")
    ]
    is_even: Annotated[bool, Doc("whether attention is uniform to 1% if the last word is new")]

    @property
    def heads(self) -> dict[str, Induction]:
        """The four passes by the names of their fields, in the order of the outputs."""
        return {name: getattr(self, name) for name in ("main", "torn", "without_bos", "new")}


def other_texts(words: tuple[str, ...], alpha: float, beta: float) -> OtherTexts:
    """Run the circuit on texts made of `words`.

    The last word must occur before and be followed by another word. Raises ValueError if it does
    not, or if the words include all of `NEW_WORDS`.
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
