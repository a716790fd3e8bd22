"""One cryptogram and everything that is computed to solve it.

Source: Dan Wilhelm, LLM Foundations, chapter 1. A histogram of few letters is
unreliable: the chapter's own four-letter example, `d edb` for `a bay`, comes out as rotation 25
and not 3. Which rotation scores most, and in which place the true one is, follow from whole
numbers: counts times frequencies in units of 1e-5. So equals are equal, whatever rounding does.
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
    SquaredError,
    SquaredLength,
)

COMMONEST = int(ENGLISH_UNITS.argmax())
"""Index of the letter that is commonest in English, e."""

MOST_NAMED = 3
"""More rotations that share first place are counted and not named."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Cryptogram(Values):
    """A text that was turned, its histogram, and the scores of all rotations."""

    text: Annotated[str, Doc("the plaintext")]
    rotation: Annotated[Rotation, Doc("how far every letter is turned forward, the true rotation")]
    tokens: Annotated[Ints, Doc("the ciphertext, a to z = 0 to 25 and space = 26; (T,)")]
    ciphertext: Annotated[str, Doc("the ciphertext, which the solver is given")]
    turns: Annotated[Ints, Doc("every rotation from 0 to the true one; (rotation + 1,)")]
    n_tokens: Annotated[Characters, Doc("how many characters there are, letters and spaces")]
    n_letters: Annotated[Letters, Doc("how many characters are letters")]

    # What is counted
    alphabet: Annotated[tuple[str, ...], Doc("the letters a to z, the order of all counts")]
    counts: Annotated[Ints, Doc("how often a to z come in the ciphertext; (26,)")]
    histogram: Annotated[Floats, Doc("the share of a to z among all tokens, spaces too; (26,)")]
    histograms: Annotated[
        Floats, Doc("the histogram as it is counted, after 0, 1 .. T tokens; (T + 1, 26)")
    ]
    english_commonest: Annotated[str, Doc("the commonest letter of English")]
    english_commonest_share: Annotated[
        Share, Doc("how often the commonest letter of English comes")
    ]
    english_rarest: Annotated[str, Doc("the rarest letter of English")]

    # Dot products
    templates: Annotated[Floats, Doc("row r is English after rotation r; (26, 26)")]
    products: Annotated[
        Floats, Doc("height of the text times height of the template, rotation by letter; (26, 26)")
    ]
    dot_products: Annotated[Floats, Doc("the sums of `products`, a score a rotation; (26,)")]
    exact_scores: Annotated[Ints, Doc("1e5 T times the dot products, in whole numbers; (26,)")]
    ranking: Annotated[Ints, Doc("rotations by falling dot product, equals in order; (26,)")]
    leaders: Annotated[Ints, Doc("the rotations that share the largest dot product; (k,)")]
    n_leaders: Annotated[Count, Doc("how many rotations share the largest dot product")]
    is_tied: Annotated[bool, Doc("whether several rotations share the largest dot product")]
    found: Annotated[Rotation, Doc("the rotation with the largest dot product")]
    runner_up: Annotated[Rotation, Doc("the rotation with the second largest dot product")]
    best: Annotated[DotProduct, Doc("the largest dot product")]
    true_score: Annotated[DotProduct, Doc("the dot product of the true rotation")]
    lead: Annotated[DotProduct, Doc("the lead of the largest dot product")]
    place: Annotated[Rank, Doc("the place of the true rotation, by score")]
    shares_place: Annotated[
        Count, Doc("how many other rotations score exactly what the true one does")
    ]
    is_read: Annotated[
        bool, Doc("whether the true rotation, and no other, has the largest dot product")
    ]

    # The way back
    decoded: Annotated[str, Doc("the ciphertext turned back by the rotation that was found")]
    turns_back: Annotated[
        Ints, Doc("every rotation from 0 to the one that was found; (found + 1,)")
    ]
    turned_back: Annotated[
        tuple[str, ...], Doc("the ciphertext turned back by 0, 1 .. to the rotation that was found")
    ]
    corrections: Annotated[
        tuple[str, ...], Doc("from what the rotation that was found makes of it to the plaintext")
    ]
    hero: Annotated[Letter, Doc("where English, turned by `found`, has its commonest letter")]
    hero_letter: Annotated[str, Doc("that letter by name")]
    hero_is: Annotated[str, Doc("the plaintext letter behind it")]

    # Squared errors
    squared_errors: Annotated[
        Floats, Doc("the squared distance of the histogram from each template; (26,)")
    ]
    least_error: Annotated[
        SquaredError, Doc("the smallest squared error, that of the largest dot product")
    ]
    own_square: Annotated[SquaredLength, Doc("the squared length of the histogram")]
    length_squared: Annotated[SquaredLength, Doc("the squared length that all templates have")]
    level: Annotated[
        SquaredLength, Doc("both squared lengths: what error and twice the dot product add up to")
    ]
    twice: Annotated[Floats, Doc("twice every dot product; (26,)")]


def cryptogram(text: str, rotation: int) -> Cryptogram:
    """`text`, of a to z and spaces, turned forward by `rotation`, and solved.

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
