"""Inputs of the stages of this film: a text of words, with BOS in front, and two scales."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import AfterValidator, Field

from clockhead.model.induction.circuit import Induction, induction
from clockhead.model.induction.continuation import continuation
from clockhead.model.induction.prompts import word_prompt
from clockhead.model.tokens import Vocabulary, words
from clockhead.scenes.spelling import listed
from clockhead.scenes.stage import StageInputs, Words
from clockhead.scenes.texts import too_wide, words_said

USUAL_TEXT = "zorp blick wug zorp"
MANY_WORDS = "zorp blick wug dax fep gorm zorp"
_MOST_WORDS = 11
"""Longest text: more words are not legible along the side of a matrix on a phone."""
_FEW = 3
"""Largest number of words that a sentence lists."""
_MOST_LETTERS = 10
"""Widest word, in usual letters, that is legible on a tile."""


def _complete_text(text: str) -> str:
    """The text, ending with its first word once more if its last word is new.

    Raises ValueError if the text is not legible, or if no other word followed an earlier copy of
    the last one.
    """
    found = words(text)
    if 2 <= len(found) < _MOST_WORDS and found[-1] not in found[:-1]:
        found += found[:1]
    if not 3 <= len(found) <= _MOST_WORDS:
        count = "1 word" if len(found) == 1 else f"{len(found)} words"
        raise ValueError(f"{count}; a text has 3 to {_MOST_WORDS}, such as “{USUAL_TEXT}”")
    too_wide(found, _MOST_LETTERS)
    said = continuation(found, Vocabulary.of(found))
    query = said.query_token
    if not said.n_earlier:
        raise ValueError(
            f"“{query}” has not appeared before, so nothing can have followed it: "
            f"end the text with a word that stood before, such as “{USUAL_TEXT}”"
        )
    if not said.says_more_than_copying:
        raise ValueError(
            f"“{query}” was only ever followed by itself, so copying and continuing say the same: "
            f"let another word follow it, as in “{query} {_another_word(query)} {query}”"
        )
    return " ".join(found)


def _another_word(word: str) -> str:
    return "b" if word != "b" else "a"


def quote_words(words: Sequence[str], many: str, last: str = "and") -> str:
    """Up to three words as a list in quotes; else `many` with their number, such as "{n} words"."""
    if len(words) > _FEW:
        return many.format(n=len(words))
    return listed((f"“{word}”" for word in words), last)


_TEXT_DESCRIPTION = (
    f"{words_said(3, _MOST_WORDS, _MOST_LETTERS)}. The last word appears earlier in the text, "
    "followed by another word; if it does not, the first word of the text is added at the end"
)
RiddleText = Annotated[Words, AfterValidator(_complete_text)]


class MatchInputs(StageInputs):
    """A text whose last word appeared before, and the scale of layer 1."""

    text: RiddleText = Field(USUAL_TEXT, description=_TEXT_DESCRIPTION)
    beta: float = Field(
        10.0, ge=5, le=1e4, description="scale of the scores of layer 1, the induction head"
    )

    @property
    def tokens(self) -> tuple[str, ...]:
        """BOS and the words."""
        return word_prompt(self.text)

    @property
    def vocabulary(self) -> Vocabulary:
        """BOS and the different words, in order of first appearance."""
        return Vocabulary.of(self.tokens)


class InductionInputs(MatchInputs):
    """A text and the scales of both layers."""

    alpha: float = Field(
        10.0, ge=5, le=1e4, description="scale of the scores of layer 0, the previous-token head"
    )

    @property
    def head(self) -> Induction:
        """Both layers, run over this text."""
        return induction(self.tokens, self.vocabulary, alpha=self.alpha, beta=self.beta)


class CrowdInputs(MatchInputs):
    """A text with more words for the line and the circle, and the size of a fuller circle."""

    text: RiddleText = Field(MANY_WORDS, description=_TEXT_DESCRIPTION)
    n_large: int = Field(100, ge=28, le=400, description="number of tokens on the fuller circle")
