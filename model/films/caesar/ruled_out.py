"""Why logarithms: one letter that English hardly has rules a rotation out in a product of shares.

If letters are drawn one by one, each as often as English uses it, how likely a text is, is the
product of their shares. A dot product adds the shares, and a share near 0 hardly changes a sum.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.caesar.cipher import ENGLISH, encode
from clockhead.model.caesar.cryptogram import Cryptogram, cryptogram
from clockhead.model.units import Doc, Factor, Place, Share

TEXT = "cloth it"
"""Words of the sample text that dot products misread and products of shares read."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TwoReadings(Values):
    """A short message turned back by its rotation, and by the one of the largest dot product."""

    message: Annotated[Cryptogram, Doc("the message, its ciphertext and its rotation")]
    names: Annotated[tuple[str, ...], Doc("what is read in it: rightly and wrongly")]
    right_letters: Annotated[tuple[str, ...], Doc("the letters that are rightly read; n of them")]
    wrong_letters: Annotated[tuple[str, ...], Doc("the letters that are wrongly read; n of them")]
    right_shares: Annotated[Floats, Doc("how often English uses each letter rightly read; (n,)")]
    wrong_shares: Annotated[Floats, Doc("how often English uses each letter wrongly read; (n,)")]
    right_logs: Annotated[Floats, Doc("logarithms of the shares rightly read; (n,)")]
    wrong_logs: Annotated[Floats, Doc("logarithms of the shares wrongly read; (n,)")]
    sums: Annotated[Floats, Doc("both sums of shares after 0, 1 .. n letters; (n + 1, 2)")]
    odds: Annotated[
        Floats, Doc("both products of shares, as parts of the two together; (n + 1, 2)")
    ]
    rarest: Annotated[str, Doc("the rarest letter that is wrongly read")]
    rarest_place: Annotated[Place, Doc("where it comes among the letters")]
    rarest_share: Annotated[Share, Doc("how often English uses it")]
    n_times: Annotated[
        Factor, Doc("how many times as large the right product is in the end as the wrong one")
    ]


def two_readings(short_rotation: int) -> TwoReadings:
    """Both readings of a few words, turned by a rotation."""
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
