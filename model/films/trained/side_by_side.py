"""Two heads that were set by hand, and the two that training found, over the same text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.films.trained.comeback import Comeback, comeback, next_letter
from clockhead.model.films.trained.differences import built_weights
from clockhead.model.heads.head_scores import TARGETS, Target, detection_patterns, head_scores
from clockhead.model.induction.two_layers import two_layers
from clockhead.model.trained.texts import START
from clockhead.model.trained.transformer import Head, tokens_of, trained_patterns
from clockhead.model.units import Count, Doc, Rows, Share, Tokens


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadPairs(Values):
    """The previous-token head and the induction head, by hand and trained; T tokens."""

    riddle: Annotated[Comeback, Doc("the end of the text, and where it stood before")]
    share: Annotated[Share, Doc("what the letter that came before gets, once trained")]
    is_right: Annotated[bool, Doc("whether no other letter gets more")]

    tokens: Annotated[tuple[str, ...], Doc("the text, with the start; T tokens")]
    n_tokens: Annotated[Tokens, Doc("length of the text, the start counted")]

    built_first: Annotated[Floats, Doc("the previous-token head by hand; (T, T)")]
    learned_first: Annotated[Floats, Doc("the trained previous-token head; (T, T)")]
    built_second: Annotated[Floats, Doc("the induction head by hand; (T, T)")]
    learned_second: Annotated[Floats, Doc("the trained induction head; (T, T)")]
    heads: Annotated[tuple[Head, Head], Doc("the trained ones of these: layer and number of each")]
    names: Annotated[Floats, Doc("these as they are written, with a point between; (2,)")]

    before: Annotated[
        Ints, Doc("the place before each, where the head by hand looks; -1 for the start; (T,)")
    ]
    n_rows: Annotated[Rows, Doc("how many letters there are: each has a token before it")]
    n_alike: Annotated[Count, Doc("how many of them the trained head lets look there most, too")]
    amiss_before: Annotated[
        Ints, Doc("`before` in rows in which the trained head looks elsewhere most; -1; (T,)")
    ]
    followers: Annotated[
        Ints,
        Doc("where the head by hand looks most, in rows that have something to find; -1; (T,)"),
    ]
    amiss_followers: Annotated[
        Ints, Doc("`followers` in rows in which the trained head looks elsewhere most; -1; (T,)")
    ]
    n_finding: Annotated[Rows, Doc("how many letters stood before, and have something to find")]
    n_found: Annotated[
        Count, Doc("how many of them look most at what followed, in the trained head")
    ]


def side_by_side(text: str, moment: int) -> HeadPairs:
    """Both pairs of heads over a text, after so many steps of training.

    The trained ones are those that do it best in this text: of layer 0 and of layer 1. Raises
    ValueError for a text that `tokens_of` refuses, and a moment that was not kept.
    """
    found = trained_patterns(text, moment)
    scores, masks = head_scores(found), detection_patterns(found.tokens)
    built = two_layers(built_weights(), tokens_of(text))

    def best(layer: int, target: Target) -> int:
        return int(scores.on_target[layer, :, TARGETS.index(target)].argmax())

    first, second = best(0, "previous"), best(1, "induction")
    learned_first, learned_second = found.patterns[0, first], found.patterns[1, second]
    places = np.arange(found.n_tokens)  # (T,)
    follows = masks["induction"]  # (T, T)
    finds = follows.any(axis=1)  # (T,)
    looks = learned_second.argmax(axis=1)  # (T,)
    followers = np.where(finds, built.head_1.pattern.argmax(axis=1), -1)  # (T,)
    is_before, is_found = learned_first.argmax(axis=1) == places - 1, follows[places, looks]
    riddle, guess = comeback(text), next_letter(text, moment)
    return HeadPairs(
        riddle=riddle,
        share=float(guess[riddle.answer_index]),
        is_right=int(guess.argmax()) == riddle.answer_index,
        tokens=(START, *riddle.shown),
        n_tokens=found.n_tokens,
        built_first=built.head_0.pattern,
        learned_first=learned_first.copy(),
        built_second=built.head_1.pattern,
        learned_second=learned_second.copy(),
        names=np.array([first / 10, 1 + second / 10]),
        heads=((0, first), (1, second)),
        before=places - 1,
        n_rows=found.n_tokens - 1,
        amiss_before=np.where(is_before, -1, places - 1),
        n_alike=int(is_before.sum()),
        followers=followers,
        amiss_followers=np.where(is_found, -1, followers),
        n_finding=int(finds.sum()),
        n_found=int(is_found.sum()),
    )
