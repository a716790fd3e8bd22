"""What several stages of this film share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from model.continuation import HeadCase
from model.induction import Induction
from model.prompts import prompt, prompt_vocabulary
from scenes.facts import Fact, fill
from scenes.spelling import kind, listed, named
from scenes.stage import StageInputs

MOST_CHARACTERS = 23
"""With BOS in front, as many tokens as can be read along the side of a matrix."""
_ALIKE = 5e-5
"""Outputs closer than this read the same."""

PromptText = Annotated[
    str, Field(min_length=1, max_length=MOST_CHARACTERS + 1, pattern=r"^!?[a-z ]{1,23}$")
]


class PromptInputs(StageInputs):
    """A text that the head is to continue."""

    text: PromptText = Field(
        "the cat sat on the c",
        description=f"1 to {MOST_CHARACTERS} letters a to z and spaces; one character is one token",
    )
    bos: bool = Field(
        True, description="whether BOS, the beginning of the sequence, stands in front of the text"
    )

    @property
    def tokens(self) -> tuple[str, ...]:
        """The text and what stands in front of it.

        Raises ValueError unless there is a token before the last.
        """
        tokens = prompt(self.text, self.bos)
        if len(tokens) < 2:
            raise ValueError("text must have 2 tokens or more, BOS counted")
        return tokens


class InductionInputs(PromptInputs):
    """The two layers over that text."""

    alpha: float = Field(
        10.0, ge=0.01, le=1e4, description="scale of the scores of layer 0, the previous-token head"
    )
    beta: float = Field(
        10.0, ge=0.01, le=1e4, description="scale of the scores of layer 1, the match"
    )

    def induction(self, **changes: Any) -> Induction:
        """The head over this text; `changes` are further arguments, such as `look_back`."""
        tokens = self.tokens
        scales = {"alpha": self.alpha, "beta": self.beta}
        return Induction(tokens, prompt_vocabulary(tokens), **{**scales, **changes})


def induction_facts(head: Induction) -> dict[str, Fact]:
    """What every stage about a text can say of it. Positions count from 0."""
    text = head.text
    return {
        "n_tokens": len(head.tokens),
        "n_vocab": len(head.vocabulary),
        "last": len(head.tokens) - 1,
        "case": head.case,
        "query": named(text.query_token),
        "query_kind": kind(text.query_token),
        "n_earlier": len(text.earlier),
        "n_followers": len(text.followers),
        "expected": listed([named(token) for token in text.best], "or"),
        "expected_kind": listed([kind(token) for token in text.best], "or"),
        "prediction": named(head.prediction),
        "output": float(head.output.max()),
        "follower_mass": head.follower_mass,
        "error": head.error,
        "is_right": head.is_right,
        "alpha": head.alpha,
        "beta": head.beta,
    }


def of_each(head: Induction) -> tuple[str, str]:
    """What stands before and after the largest output, if several lead: ≤ 0.0421 each."""
    lead = head.leaders
    if len(lead) < 2:
        return "", ""
    return "" if np.ptp(head.output[lead]) < _ALIKE else "≤ ", " each"


def told(case: HeadCase, facts: Mapping[str, Fact], **tales: str) -> str:
    """The sentence for this case of a text, filled with facts: unique, several, none or first."""
    return fill(tales[case], facts)
