"""What the stages of this film take: a text of words with BOS in front, and two scales."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import AfterValidator, Field

from clockhead.model.induction.bent_line import BentLine, bent_line
from clockhead.model.induction.circuit import Induction, induction
from clockhead.model.induction.continuation import Continuation, continuation
from clockhead.model.induction.prompts import word_prompt
from clockhead.model.tokens import Vocabulary, words
from clockhead.scenes.spelling import listed
from clockhead.scenes.stage import StageInputs, Words
from clockhead.scenes.texts import too_wide, words_said

USUAL_TEXT = "the cat sat on the mat and the cat"
USUAL_NONSENSE = "zorp blick wug zorp"
_MOST_WORDS = 11
_MOST_NONSENSE = 6
_FEW = 3
"""So many words are named in a sentence."""
_MOST_LETTERS = 10
"""More or wider words are not legible on tiles, or along the side of a matrix on a phone."""


def _continued(text: str, most: int, such_as: str) -> Continuation:
    """What the text says about its next word; with its first word again if the last one is new.

    Raises ValueError unless the text is legible, and another word followed its last one before.
    """
    found = words(text)
    if 2 <= len(found) < most and found[-1] not in found[:-1]:
        found += found[:1]
    if not 3 <= len(found) <= most:
        count = "1 word" if len(found) == 1 else f"{len(found)} words"
        raise ValueError(f"{count}; a text has 3 to {most}, such as “{such_as}”")
    too_wide(found, _MOST_LETTERS)
    said = continuation(found, Vocabulary.of(found))
    query = said.query_token
    if not said.n_earlier:
        raise ValueError(
            f"“{query}” stands here for the first time, so nothing can have followed it: "
            f"end the text with a word that stood before, such as “{such_as}”"
        )
    if not said.says_more_than_copying:
        raise ValueError(
            f"“{query}” was only ever followed by itself, so copying and continuing say the same: "
            f"let another word follow it, as in “{query} {_another(query)} {query}”"
        )
    return said


def _another(word: str) -> str:
    return "b" if word != "b" else "a"


def _riddle(text: str) -> str:
    return " ".join(_continued(text, _MOST_WORDS, USUAL_TEXT).tokens)


def _nonsense(text: str) -> str:
    said = _continued(text, _MOST_NONSENSE, USUAL_NONSENSE)
    if said.n_followed_by > 1:
        raise ValueError(
            f"“{said.query_token}” was followed by different words; let one word follow it, "
            f"as in “{USUAL_NONSENSE}”"
        )
    return " ".join(said.tokens)


def named(words: Sequence[str], many: str, last: str = "and") -> str:
    """Up to three words in quotes, as a sentence lists them; of more, how many, as `many` says."""
    if len(words) > _FEW:
        return many.format(n=len(words))
    return listed((f"“{word}”" for word in words), last)


RiddleText = Annotated[Words, AfterValidator(_riddle)]
NonsenseText = Annotated[Words, AfterValidator(_nonsense)]


class MatchInputs(StageInputs):
    """A text whose last word stood before, followed by another one, and how sharply it looks."""

    text: RiddleText = Field(
        USUAL_TEXT,
        description=f"{words_said(3, _MOST_WORDS, _MOST_LETTERS)}. The last word stood before, and "
        "another word followed it; after a new one comes the first word of the text again",
    )
    beta: float = Field(10.0, ge=1, le=1e4, description="scale of the scores of layer 1, the match")

    @property
    def tokens(self) -> tuple[str, ...]:
        """BOS and the words."""
        return word_prompt(self.text)

    @property
    def vocabulary(self) -> Vocabulary:
        """BOS and the different words, in order of first appearance."""
        return Vocabulary.of(self.tokens)

    def line(self) -> BentLine:
        """The different tokens of this text on a line that bends into a circle."""
        return bent_line(self.tokens, self.beta)


class InductionInputs(MatchInputs):
    """The two layers over that text."""

    alpha: float = Field(
        10.0, ge=1, le=1e4, description="scale of the scores of layer 0, the previous-token head"
    )

    def induction(self) -> Induction:
        """The head over this text."""
        return induction(self.tokens, self.vocabulary, alpha=self.alpha, beta=self.beta)


class CrowdInputs(MatchInputs):
    """The circle of that text's tokens, and a fuller one."""

    n_large: int = Field(100, ge=28, le=400, description="tokens on the full circle")


class NonsenseInputs(InductionInputs):
    """A text of words that nobody has used, over the same two layers."""

    nonsense: NonsenseText = Field(
        USUAL_NONSENSE,
        description=f"{words_said(3, _MOST_NONSENSE, _MOST_LETTERS)}. The last word stood before, "
        "and one other word followed it; after a new one comes the first word again",
    )
