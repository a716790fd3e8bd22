"""What the stages of this film take: a text of words with BOS in front, and two scales."""

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
_FEW = 3
"""So many words are named in a sentence."""
_MOST_LETTERS = 10
"""More or wider words are not legible on tiles, or along the side of a matrix on a phone."""


def _riddle(text: str) -> str:
    """The text, with its first word again if the last one is new.

    Raises ValueError unless the text is legible, and another word followed its last one before.
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
            f"“{query}” stands here for the first time, so nothing can have followed it: "
            f"end the text with a word that stood before, such as “{USUAL_TEXT}”"
        )
    if not said.says_more_than_copying:
        raise ValueError(
            f"“{query}” was only ever followed by itself, so copying and continuing say the same: "
            f"let another word follow it, as in “{query} {_another(query)} {query}”"
        )
    return " ".join(found)


def _another(word: str) -> str:
    return "b" if word != "b" else "a"


def named(words: Sequence[str], many: str, last: str = "and") -> str:
    """Up to three words in quotes, as a sentence lists them; of more, how many, as `many` says."""
    if len(words) > _FEW:
        return many.format(n=len(words))
    return listed((f"“{word}”" for word in words), last)


_SUCH_A_TEXT = (
    f"{words_said(3, _MOST_WORDS, _MOST_LETTERS)}. The last word stood before, and another word "
    "followed it; after a new one comes the first word of the text again"
)
RiddleText = Annotated[Words, AfterValidator(_riddle)]


class MatchInputs(StageInputs):
    """A text whose last word stood before, followed by another one, and how sharply it looks."""

    text: RiddleText = Field(USUAL_TEXT, description=_SUCH_A_TEXT)
    beta: float = Field(10.0, ge=5, le=1e4, description="scale of the scores of layer 1, the match")

    @property
    def tokens(self) -> tuple[str, ...]:
        """BOS and the words."""
        return word_prompt(self.text)

    @property
    def vocabulary(self) -> Vocabulary:
        """BOS and the different words, in order of first appearance."""
        return Vocabulary.of(self.tokens)


class InductionInputs(MatchInputs):
    """The two layers over that text."""

    alpha: float = Field(
        10.0, ge=5, le=1e4, description="scale of the scores of layer 0, the previous-token head"
    )

    @property
    def head(self) -> Induction:
        """The head over this text."""
        return induction(self.tokens, self.vocabulary, alpha=self.alpha, beta=self.beta)


class CrowdInputs(MatchInputs):
    """A text of more words, for a line that bends into a circle, and a fuller circle."""

    text: RiddleText = Field(MANY_WORDS, description=_SUCH_A_TEXT)
    n_large: int = Field(100, ge=28, le=400, description="tokens on the full circle")
