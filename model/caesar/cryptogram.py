"""One cryptogram and its solution.

Source: Dan Wilhelm, LLM Foundations, chapter 1. A histogram of few letters is unreliable: the
chapter's own four-letter example, `d edb` for `a bay`, is solved with rotation 25 instead of 3. The
best rotation and the rank of the true one are decided on whole numbers, counts times frequencies in
units of 1e-5, so that ties are exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.caesar.cipher import (
    ENGLISH,
    ENGLISH_UNITS,
    N_ROTATIONS,
    PER_UNIT,
    counts,
    decode,
    encode,
    rotate,
    rotation_number,
    templates,
    turn_back,
    unit_templates,
)
from clockhead.model.caesar.scores import squared_errors
from clockhead.model.tokens import LETTERS
from clockhead.model.units import (
    Characters,
    Count,
    Doc,
    DotProduct,
    Letter,
    Letters,
    Rank,
    Rotation,
    Share,
    Shares,
    SquaredError,
    SquaredLength,
)

COMMONEST = int(ENGLISH_UNITS.argmax())
"""Index of the most common letter of English, e."""

MOST_NAMED = 3
"""Largest number of tied rotations that a sentence lists; of more, only the number is given."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Cryptogram(Values):
    """A ciphertext, its histogram, and the scores of all rotations."""

    text: Annotated[str, Doc("the plaintext")]
    rotation: Annotated[
        Rotation, Doc("the true rotation, by which every letter is rotated forward")
    ]
    tokens: Annotated[Ints, Doc("the ciphertext, a to z = 0 to 25 and space = 26; (T,)")]
    ciphertext: Annotated[str, Doc("the ciphertext, which the solver is given")]
    turns: Annotated[Ints, Doc("every rotation from 0 to the true one; (rotation + 1,)")]
    n_tokens: Annotated[Characters, Doc("number of characters, letters and spaces")]
    n_letters: Annotated[Letters, Doc("number of letters")]

    # Counts
    alphabet: Annotated[tuple[str, ...], Doc("letters a to z, in the order of all counts")]
    counts: Annotated[Ints, Doc("counts of a to z in the ciphertext; (26,)")]
    histogram: Annotated[
        Shares, Doc("frequencies of a to z among all characters, spaces included; (26,)")
    ]
    histograms: Annotated[
        Floats, Doc("the histogram while it is counted, after 0, 1 .. T characters; (T + 1, 26)")
    ]
    english_commonest: Annotated[str, Doc("most common letter of English")]
    english_commonest_share: Annotated[Share, Doc("frequency of the most common letter of English")]
    english_rarest: Annotated[str, Doc("rarest letter of English")]

    # Dot products
    templates: Annotated[Floats, Doc("the templates, row r is English after rotation r; (26, 26)")]
    products: Annotated[
        Floats, Doc("histogram times template, letter by letter, a row per rotation; (26, 26)")
    ]
    dot_products: Annotated[
        Floats, Doc("score of each rotation, the dot product of histogram and template; (26,)")
    ]
    exact_scores: Annotated[Ints, Doc("1e5 T times the dot products, as whole numbers; (26,)")]
    ranking: Annotated[Ints, Doc("rotations by decreasing dot product, ties in order; (26,)")]
    leaders: Annotated[Ints, Doc("rotations with the largest dot product; (k,)")]
    n_leaders: Annotated[Count, Doc("number of rotations with the largest dot product")]
    is_tied: Annotated[bool, Doc("whether several rotations share the largest dot product")]
    found: Annotated[Rotation, Doc("the rotation with the largest dot product")]
    runner_up: Annotated[Rotation, Doc("the rotation with the second largest dot product")]
    best: Annotated[DotProduct, Doc("the largest dot product")]
    true_score: Annotated[DotProduct, Doc("the dot product of the true rotation")]
    lead: Annotated[DotProduct, Doc("lead of the largest dot product over the second largest")]
    place: Annotated[Rank, Doc("rank of the true rotation by score")]
    shares_place: Annotated[
        Count, Doc("number of other rotations with exactly the score of the true one")
    ]
    is_read: Annotated[
        bool, Doc("whether the true rotation, and no other, has the largest dot product")
    ]

    # Decoding
    decoded: Annotated[str, Doc("the ciphertext rotated back by the rotation that was found")]
    turns_back: Annotated[
        Ints, Doc("every rotation from 0 to the one that was found; (found + 1,)")
    ]
    turned_back: Annotated[
        tuple[str, ...], Doc("the ciphertext rotated back by 0, 1 .. the rotation that was found")
    ]
    corrections: Annotated[
        tuple[str, ...], Doc("texts from the decoded one to the plaintext, one rotation at a time")
    ]
    hero: Annotated[
        Letter, Doc("ciphertext letter of the most common letter of English, by the rotation found")
    ]
    hero_letter: Annotated[str, Doc("the same letter by name")]
    hero_is: Annotated[str, Doc("its true plaintext letter")]

    # Squared errors
    squared_errors: Annotated[
        Floats, Doc("squared error of the histogram and each template; (26,)")
    ]
    least_error: Annotated[SquaredError, Doc("smallest squared error, for the largest dot product")]
    own_square: Annotated[SquaredLength, Doc("the squared length of the histogram")]
    length_squared: Annotated[SquaredLength, Doc("the squared length that all templates have")]
    level: Annotated[
        SquaredLength,
        Doc("sum of both squared lengths, equal to squared error plus twice the dot product"),
    ]
    twice: Annotated[Floats, Doc("twice every dot product; (26,)")]


def cryptogram(text: str, rotation: int) -> Cryptogram:
    """Encrypt `text`, of a to z and spaces, by `rotation`, and solve it.

    Raises ValueError for another character, a text without letters, a rotation not from 0 to 25.
    """
    tokens = rotate(encode(text), rotation_number("rotation", rotation))  # (T,)
    n, counted = len(tokens), counts(tokens)[:N_ROTATIONS]  # (26,)
    if not counted.any():
        raise ValueError(f"text must hold at least one letter, got {text!r}")
    steps = np.eye(N_ROTATIONS + 1, N_ROTATIONS)[tokens].cumsum(axis=0)  # (T, 26)
    histogram, english = counted / n, templates()  # (26,), (26, 26)
    products = histogram * english  # (26, 26)
    scores = products.sum(axis=1)  # (26,)

    exact = unit_templates() @ counted  # (26,)
    ranking = np.argsort(-exact, kind="stable")
    leaders = np.flatnonzero(exact == exact.max())
    first, second = exact[ranking[:2]]
    found = int(leaders[0])
    is_tied = len(leaders) > 1

    hero = (COMMONEST + found) % N_ROTATIONS
    errors = squared_errors(histogram, english)  # (26,)
    own_square, length_squared = float(histogram @ histogram), float(ENGLISH @ ENGLISH)
    return Cryptogram(
        text=text,
        rotation=rotation,
        tokens=tokens,
        ciphertext=decode(tokens),
        turns=np.arange(rotation + 1),
        n_tokens=n,
        n_letters=int(counted.sum()),
        alphabet=LETTERS.tokens,
        counts=counted,
        histogram=histogram,
        histograms=np.vstack([np.zeros(N_ROTATIONS), steps]) / n,
        english_commonest=LETTERS.tokens[COMMONEST],
        english_commonest_share=float(ENGLISH[COMMONEST]),
        english_rarest=LETTERS.tokens[int(ENGLISH_UNITS.argmin())],
        templates=english,
        products=products,
        dot_products=scores,
        exact_scores=exact,
        ranking=ranking,
        leaders=leaders,
        n_leaders=len(leaders),
        is_tied=is_tied,
        found=found,
        runner_up=int(ranking[1]),
        best=float(scores[found]),
        true_score=float(scores[rotation]),
        lead=int(first - second) / (PER_UNIT * n),
        place=1 + int((exact > exact[rotation]).sum()),
        shares_place=int((exact == exact[rotation]).sum()) - 1,
        is_read=not is_tied and found == rotation,
        decoded=decode(rotate(tokens, -found)),
        turns_back=np.arange(found + 1),
        turned_back=turn_back(tokens, 0, found),
        corrections=turn_back(tokens, found, rotation),
        hero=hero,
        hero_letter=LETTERS.tokens[hero],
        hero_is=LETTERS.tokens[(hero - rotation) % N_ROTATIONS],
        squared_errors=errors,
        least_error=float(errors[found]),
        own_square=own_square,
        length_squared=length_squared,
        level=own_square + length_squared,
        twice=2 * scores,
    )
