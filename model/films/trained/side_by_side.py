"""The two heads of the induction circuit, hand-built and trained, on the same text."""

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
from clockhead.model.trained.transformer import Head, encode_text, trained_patterns
from clockhead.model.units import Count, Doc, Rows, Share, Tokens


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadPairs(Values):
    """The previous-token head and the induction head, hand-built and trained; T tokens."""

    riddle: Annotated[Comeback, Doc("the repeated end of the text, and its earlier occurrence")]
    share: Annotated[Share, Doc("trained: probability of the letter that followed before")]
    is_right: Annotated[bool, Doc("trained: whether that letter is the likeliest")]

    tokens: Annotated[tuple[str, ...], Doc("the text, with the start; T tokens")]
    n_tokens: Annotated[Tokens, Doc("length of the text, the start counted")]

    built_first: Annotated[
        Floats, Doc("attention weights of the hand-built previous-token head; (T, T)")
    ]
    learned_first: Annotated[
        Floats, Doc("attention weights of the trained previous-token head; (T, T)")
    ]
    built_second: Annotated[
        Floats, Doc("attention weights of the hand-built induction head; (T, T)")
    ]
    learned_second: Annotated[
        Floats, Doc("attention weights of the trained induction head; (T, T)")
    ]
    heads: Annotated[tuple[Head, Head], Doc("layer and number of both trained heads")]
    names: Annotated[Floats, Doc("both trained heads as decimal numbers layer.head; (2,)")]

    before: Annotated[
        Ints, Doc("position before each, the hand-built head's target; -1 for the start; (T,)")
    ]
    n_rows: Annotated[Rows, Doc("number of letters, each of which has a token before it")]
    n_alike: Annotated[
        Count,
        Doc("number of letters that attend most to the token before in the trained head, too"),
    ]
    amiss_before: Annotated[
        Ints,
        Doc("`before` in rows in which the trained head has another target, else -1; (T,)"),
    ]
    followers: Annotated[
        Ints,
        Doc("target of the hand-built head in rows that have one, else -1; (T,)"),
    ]
    amiss_followers: Annotated[
        Ints,
        Doc("`followers` in rows in which the trained head has another target, else -1; (T,)"),
    ]
    n_finding: Annotated[
        Rows, Doc("number of letters that occurred before, with a follower to attend to")
    ]
    n_found: Annotated[
        Count, Doc("number of these that attend most to a follower in the trained head")
    ]


def side_by_side(text: str, moment: int) -> HeadPairs:
    """Compare both pairs of heads on a text, after `moment` steps of training.

    The trained heads are the clearest of their kind in this text, in layer 0 and layer 1. Raises
    ValueError for a text that `encode_text` refuses, and a step without a checkpoint.
    """
    found = trained_patterns(text, moment)
    scores, masks = head_scores(found), detection_patterns(found.tokens)
    built = two_layers(built_weights(), encode_text(text))

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
