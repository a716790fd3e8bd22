"""The primer's second example as it is printed, beside a worked block.

Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, section 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.primer.tables import PrintedSection, printed_section
from clockhead.model.primer.weights import RESID_6, SENTENCE, primer_transformer
from clockhead.model.primer.worked_block import WorkedBlock
from clockhead.model.units import Doc, Place, Share


@dataclass(frozen=True, kw_only=True, eq=False)
class PrintedBlock(WorkedBlock):
    """A worked block, and what the primer prints of its own."""

    is_primer: Annotated[
        bool, Doc("whether it has the primer's sentence, its stream and its weights")
    ]
    printed: Annotated[
        PrintedSection, Doc("what the primer prints of its example, beside the true values")
    ]
    misprinted_place: Annotated[
        Place, Doc("which token has a wrong probability in the primer's table")
    ]
    misprinted: Annotated[str, Doc("this token")]
    misprint: Annotated[Share, Doc("its probability as the primer prints it")]
    corrected: Annotated[Share, Doc("its true probability in the primer's example")]


def printed_block(block: WorkedBlock) -> PrintedBlock:
    """The same block, beside the primer's tables."""
    section = printed_section(6)
    table = section.tables["probs"]
    place = int(table.wrong[0].argmax())
    return PrintedBlock(
        **vars(block),
        is_primer=is_primer(block),
        printed=section,
        misprinted_place=place,
        misprinted=block.vocabulary[place],
        misprint=float(table.printed.rows[0, place]),
        corrected=float(table.true[0, place]),
    )


def is_primer(block: WorkedBlock) -> bool:
    """Whether a worked block is the primer's: its sentence, its stream and its weights."""
    mine, primer = block.transformer, primer_transformer()
    names = ("w_q", "w_k", "w_v", "w_o", "w_1", "w_2", "n_heads", "mask")
    return (
        block.tokens == SENTENCE
        and np.array_equal(block.resid_pre, RESID_6)
        and np.array_equal(mine.unembedding, primer.unembedding)
        and all(
            np.array_equal(getattr(layer, name), getattr(other, name))
            for layer, other in zip(mine.blocks, primer.blocks, strict=True)
            for name in names
        )
    )
