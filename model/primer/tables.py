"""The tables that the primer prints for "the cat sat", and the cells that are wrong in them.

The printed numbers are in `model.primer.printed`, under the primer's names. Section 5 prints its
weights; what is true in section 6 is what the weights of `model.primer.weights` give.
Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, sections 5 and 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal, get_args

import numpy as np

from clockhead.model.arrays import Bools, Floats, sealed, whole
from clockhead.model.attention.pattern import causal_mask, softmax
from clockhead.model.primer.printed import SECTION_5, SECTION_6
from clockhead.model.primer.weights import (
    LOGITS_5,
    RESID_5,
    RESID_6,
    VOCABULARY,
    primer_head,
    primer_transformer,
    written,
)
from clockhead.model.transformer.transformer import TransformerPass
from clockhead.model.units import Count, Difference, Doc

Section = Literal[5, 6]
_SLACK = 1e-9
"""What float64 may add to half a unit of the last printed decimal."""


@dataclass(frozen=True, eq=False)
class PrintedTable:
    """A table as printed: `rows` (n, m), -inf where a score is masked.

    Raises ValueError for decimals below 0.
    """

    name: Annotated[str, Doc("what the primer calls the table")]
    rows: Floats
    decimals: Annotated[Count, Doc("decimals that the table has")]

    def __post_init__(self) -> None:
        whole("decimals", self.decimals, at_least=0)
        sealed(self.rows)


@dataclass(frozen=True, eq=False)
class Compared:
    """A printed table beside the true values (n, m); ValueError for another shape."""

    printed: PrintedTable
    true: Floats

    def __post_init__(self) -> None:
        if np.shape(self.true) != self.printed.rows.shape:
            raise ValueError(
                f"true must have shape {self.printed.rows.shape}, got {np.shape(self.true)}"
            )

    @cached_property
    def errors(self) -> Floats:
        """How far each printed number is from the true one, 0 where both are masked; (n, m)."""
        printed, true = self.printed.rows, self.true
        same = printed == true  # -inf and -inf too, whose difference is NaN
        return sealed(np.abs(np.where(same, 0.0, printed) - np.where(same, 0.0, true)))

    @cached_property
    def wrong(self) -> Bools:
        """The cells that are not the true value to the printed decimal; shape (n, m)."""
        return np.asarray(self.errors > 0.5 * 10.0**-self.printed.decimals + _SLACK)

    @property
    def n_wrong(self) -> Count:
        """How many printed numbers are wrong."""
        return int(self.wrong.sum())

    @property
    def n_numbers(self) -> Count:
        """How many numbers the table has, masked cells not counted."""
        return int(np.isfinite(self.printed.rows).sum())

    @property
    def largest_error(self) -> Difference:
        """The largest distance of a printed number from the true one."""
        return float(self.errors.max())


@dataclass(frozen=True)
class PrintedSection:
    """All printed tables of a section beside the true values; ValueError for another section."""

    section: Annotated[Section, Doc("which section of the primer, 5 or 6")]

    def __post_init__(self) -> None:
        if self.section not in get_args(Section):
            raise ValueError(f"section must be one of {get_args(Section)}, got {self.section!r}")

    @cached_property
    def tables(self) -> dict[str, Compared]:
        """The tables by name, in the order of the primer."""
        if self.section == 5:
            return compared_5()
        return compared_6(primer_transformer().on(RESID_6))

    def table(self, name: str) -> Compared:
        """The table `name`; ValueError for one that the section does not have."""
        if name not in self.tables:
            raise ValueError(f"name must be one of {list(self.tables)}, got {name!r}")
        return self.tables[name]

    @property
    def n_numbers(self) -> Count:
        """How many numbers the tables of the section have."""
        return sum(table.n_numbers for table in self.tables.values())

    @property
    def n_wrong(self) -> Count:
        """How many printed numbers of the section are wrong."""
        return sum(table.n_wrong for table in self.tables.values())

    @property
    def n_right(self) -> Count:
        """How many printed numbers of the section are right to their last decimal."""
        return self.n_numbers - self.n_wrong


def compared_5() -> dict[str, Compared]:
    """The tables of section 5 beside what its head computes, by name.

    `probs` are those of mat, floor and on; the logits are the printed ones.
    """
    found = primer_head().on(RESID_5)
    likely = [VOCABULARY.index(word) for word in ("mat", "floor", "on")]
    return _compared(
        SECTION_5,
        {
            "Q": found.queries,
            "K": found.keys,
            "V": found.values,
            "QK^T": found.dots,
            "scaled": found.scores,
            "weights": found.pattern,
            "attention_output": found.head_out,
            "h_last": found.resid_post[-1:],
            "probs": softmax(LOGITS_5)[None, likely],
        },
    )


def compared_6(found: TransformerPass) -> dict[str, Compared]:
    """The tables of section 6 beside what `found` has, by name.

    Raises ValueError unless it has the shapes of section 6, two layers of two heads.
    """
    n_heads = [len(block.head_passes) for block in found.block_passes]
    if n_heads != [2, 2]:
        raise ValueError(f"found must have two layers of 2 heads, got heads {n_heads}")
    one, two = found.block_passes
    scores = np.where(causal_mask(len(found.resid_pre)), one.scores[0], -np.inf)  # (T, T)
    return _compared(
        SECTION_6,
        {
            "Q": one.queries,
            "scores_1": scores,
            "weights_1": one.patterns[0],
            "head_1_out": one.z[0],
            "weights_2": one.patterns[1],
            "head_2_out": one.z[1],
            "concat": one.concat,
            "attn": one.attn_out,
            "h_mid": one.resid_mid,
            "pre": one.pre,
            "act": one.act,
            "mlp": one.mlp_out,
            "h_1": one.resid_post,
            "attn_2": two.attn_out,
            "h_mid_2": two.resid_mid,
            "mlp_2": two.mlp_out,
            "h_2": two.resid_post,
            "logits": found.last_logits[None],
            "probs": found.probabilities[None],
        },
    )


def _compared(printed: dict[str, str], true: dict[str, Floats]) -> dict[str, Compared]:
    return {name: Compared(_table(name, text), true[name]) for name, text in printed.items()}


def _table(name: str, text: str) -> PrintedTable:
    """The table of `text`, with as many decimals as its last number has."""
    return PrintedTable(name, written(text), decimals=len(text.rpartition(".")[2]))
