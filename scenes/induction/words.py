"""What the stages of this film take: a text of words with BOS in front, and two scales."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field

from model.bent_line import BentLine, Crowd
from model.continuation import Continuation
from model.echo import Echo
from model.induction import Induction
from model.other_texts import OtherTexts
from model.prompts import word_prompt
from model.tokens import Vocabulary, words
from model.two_orders import TwoOrders
from scenes.stage import StageInputs, Words

USUAL_TEXT = "the cat sat on the mat and the cat"
USUAL_NONSENSE = "zorp blick wug zorp"
_MOST_WORDS = 11
_MOST_NONSENSE = 6
_MOST_LETTERS = 10
"""More or longer words are not legible on tiles, or along the side of a matrix on a phone."""


def _continued(text: str, most: int, such_as: str) -> Continuation:
    """What the text says about its next word.

    Raises ValueError unless the text is legible, and another word followed its last one before.
    """
    found = words(text)
    if not 3 <= len(found) <= most:
        count = "1 word" if len(found) == 1 else f"{len(found)} words"
        raise ValueError(f"{count}; a text has 3 to {most}, such as “{such_as}”")
    longest = max(found, key=len)
    if len(longest) > _MOST_LETTERS:
        raise ValueError(
            f"“{longest}” has {len(longest)} letters; at most {_MOST_LETTERS} fit into a tile, "
            f"as in “{such_as}”"
        )
    said = Continuation(found, Vocabulary.of(found))
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
    _continued(text, _MOST_WORDS, USUAL_TEXT)
    return text


def _nonsense(text: str) -> str:
    said = _continued(text, _MOST_NONSENSE, USUAL_NONSENSE)
    if said.n_followed_by > 1:
        raise ValueError(
            f"“{said.query_token}” was followed by different words; let one word follow it, "
            f"as in “{USUAL_NONSENSE}”"
        )
    return text


RiddleText = Annotated[Words, AfterValidator(_riddle)]
NonsenseText = Annotated[Words, AfterValidator(_nonsense)]


class RiddleInputs(StageInputs):
    """A text whose last word stood before, and was followed by another one."""

    text: RiddleText = Field(
        USUAL_TEXT,
        description=f"3 to {_MOST_WORDS} words of letters a to z; the last one stood before, and "
        "another word followed it",
    )

    @property
    def tokens(self) -> tuple[str, ...]:
        """BOS and the words."""
        return word_prompt(self.text)

    @property
    def vocabulary(self) -> Vocabulary:
        """BOS and the different words, in order of first appearance."""
        return Vocabulary.of(self.tokens)


class MatchInputs(RiddleInputs):
    """How sharply that text's last word looks for itself."""

    beta: float = Field(
        10.0, ge=0.01, le=1e4, description="scale of the scores of layer 1, the match"
    )

    def echo(self) -> Echo:
        """The head of one layer that finds its own token."""
        return Echo(self.tokens, self.vocabulary, self.beta)

    def line(self) -> BentLine:
        """The different tokens of this text on a line that bends into a circle."""
        return BentLine.of(self.tokens, self.beta)


class InductionInputs(MatchInputs):
    """The two layers over that text."""

    alpha: float = Field(
        10.0, ge=0.01, le=1e4, description="scale of the scores of layer 0, the previous-token head"
    )

    def induction(self, **changes: Any) -> Induction:
        """The head over this text; `changes` are further arguments, such as `look_back`."""
        scales: dict[str, Any] = {"alpha": self.alpha, "beta": self.beta}
        return Induction(self.tokens, self.vocabulary, **{**scales, **changes})

    def orders(self) -> TwoOrders:
        """Two tokens alone, in either order, after the same layer 0."""
        return TwoOrders(alpha=self.alpha, beta=self.beta)

    def other_texts(self) -> OtherTexts:
        """The same head after other last words."""
        return OtherTexts(self.tokens[1:], alpha=self.alpha, beta=self.beta)


class CrowdInputs(MatchInputs):
    """The circle of that text's tokens, and a fuller one."""

    n_large: int = Field(100, ge=28, le=400, description="tokens on the full circle")

    def crowd(self) -> Crowd:
        """The circle made fuller, until `n_large` tokens stand on it."""
        return Crowd(len(self.vocabulary), self.n_large, self.beta)


class NonsenseInputs(InductionInputs):
    """A text of words that nobody has used, over the same two layers."""

    nonsense: NonsenseText = Field(
        USUAL_NONSENSE,
        description=f"3 to {_MOST_NONSENSE} words of letters a to z; the last one stood before, "
        "and one other word followed it",
    )

    @property
    def nonsense_tokens(self) -> tuple[str, ...]:
        """BOS and the words that nobody has used."""
        return word_prompt(self.nonsense)

    def nonsense_induction(self) -> Induction:
        """The head over those words."""
        tokens = self.nonsense_tokens
        return Induction(tokens, Vocabulary.of(tokens), alpha=self.alpha, beta=self.beta)
