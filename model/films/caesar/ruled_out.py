"""Why logarithms: in a product of frequencies, one rare letter rules a rotation out.

If letters are drawn independently with the frequencies of English, the probability of a text is the
product of these frequencies. A dot product adds them instead, and one near 0 hardly changes a sum.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.caesar.cipher import ENGLISH, encode
from clockhead.model.caesar.cryptogram import Cryptogram, cryptogram
from clockhead.model.units import Doc, Factor, Place, Share, Shares

TEXT = "cloth it"
"""Words of the sample text that dot products get wrong and products of frequencies get right."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TwoReadings(Values):
    """A short message rotated back by its rotation, and by that of the largest dot product."""

    message: Annotated[Cryptogram, Doc("the message, its ciphertext and its rotation")]
    names: Annotated[tuple[str, ...], Doc("the right and the wrong reading")]
    right_letters: Annotated[tuple[str, ...], Doc("letters of the right reading; n of them")]
    wrong_letters: Annotated[tuple[str, ...], Doc("letters of the wrong reading; n of them")]
    right_shares: Annotated[
        Shares, Doc("English frequency of each letter of the right reading; (n,)")
    ]
    wrong_shares: Annotated[
        Shares, Doc("English frequency of each letter of the wrong reading; (n,)")
    ]
    right_logs: Annotated[Floats, Doc("logarithms of the frequencies of the right reading; (n,)")]
    wrong_logs: Annotated[Floats, Doc("logarithms of the frequencies of the wrong reading; (n,)")]
    sums: Annotated[
        Floats, Doc("sums of both readings' frequencies after 0, 1 .. n letters; (n + 1, 2)")
    ]
    odds: Annotated[
        Shares, Doc("products of both readings' frequencies, as fractions of their sum; (n + 1, 2)")
    ]
    rarest: Annotated[str, Doc("rarest letter of the wrong reading")]
    rarest_place: Annotated[Place, Doc("index of this letter in the reading")]
    rarest_share: Annotated[Share, Doc("English frequency of this letter")]
    n_times: Annotated[
        Factor, Doc("product of the right reading over that of the wrong one, at the end")
    ]


def two_readings(short_rotation: int) -> TwoReadings:
    """Both readings of a few words, encrypted with `short_rotation`."""
    message = cryptogram(TEXT, short_rotation)
    right, wrong = (encode(text.replace(" ", "")) for text in (message.text, message.decoded))
    shares = ENGLISH[np.stack([right, wrong])].T  # (n, 2)
    start, logs = np.zeros((1, 2)), np.log(shares)
    products = np.exp(np.vstack([start, logs.cumsum(axis=0)]))  # (n + 1, 2)
    rarest = int(shares[:, 1].argmin())
    return TwoReadings(
        message=message,
        names=(message.text, message.decoded),
        right_letters=tuple(message.text.replace(" ", "")),
        wrong_letters=tuple(message.decoded.replace(" ", "")),
        right_shares=shares[:, 0],
        wrong_shares=shares[:, 1],
        right_logs=logs[:, 0],
        wrong_logs=logs[:, 1],
        sums=np.vstack([start, shares.cumsum(axis=0)]),
        odds=products / products.sum(axis=1, keepdims=True),
        rarest=message.decoded.replace(" ", "")[rarest],
        rarest_place=rarest,
        rarest_share=float(shares[rarest, 1]),
        n_times=float(products[-1, 0] / products[-1, 1]),
    )
