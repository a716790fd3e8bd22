"""The tables that the primer prints for "the cat sat", compared with the true values.

The printed numbers are in `model.primer.printed`, under the primer's names. The primer prints the
weights of section 5; the true values of section 6 are those of the weights in
`model.primer.weights`.
Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, sections 5 and 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, get_args

import numpy as np

from clockhead.model.arrays import Bools, Floats, Values
from clockhead.model.attention.pattern import causal_mask, softmax
from clockhead.model.primer.printed import SECTION_5, SECTION_6
from clockhead.model.primer.weights import (
    LOGITS_5,
    RESID_5,
    RESID_6,
    VOCABULARY,
    parse_matrix,
    primer_head,
    primer_transformer,
)
from clockhead.model.transformer.transformer import TransformerPass
from clockhead.model.units import Count, Difference, Doc

Section = Literal[5, 6]
_SLACK = 1e-9
"""Allowance for float64 rounding, added to half a unit of the last printed decimal."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PrintedTable(Values):
    """A table as the primer prints it."""

    name: Annotated[str, Doc("the primer's name of the table")]
    rows: Annotated[Floats, Doc("printed numbers, -inf for masked scores; (n, m)")]
    decimals: Annotated[Count, Doc("number of printed decimals")]


@dataclass(frozen=True, kw_only=True, eq=False)
class Compared(Values):
    """A printed table beside the true values."""

    printed: Annotated[PrintedTable, Doc("the table as printed")]
    true: Annotated[Floats, Doc("the true values; (n, m)")]
    errors: Annotated[
        Floats,
        Doc("absolute error of each printed number, 0 where both are masked; (n, m)"),
    ]
    wrong: Annotated[
        Bools,
        Doc("whether a cell differs from the true value rounded to the printed decimals; (n, m)"),
    ]
    n_wrong: Annotated[Count, Doc("number of wrong printed numbers")]
    n_numbers: Annotated[Count, Doc("number of numbers in the table, without masked cells")]
    largest_error: Annotated[Difference, Doc("largest absolute error of a printed number")]


def compare_table(name: str, text: str, true: Floats, decimals: int | None = None) -> Compared:
    """Compare the table in `text` with the true values (n, m).

    By default, `decimals` is that of the last number. Raises ValueError for another shape, and like
    `parse_matrix`.
    """
    printed = parse_matrix(text)
    if true.shape != printed.shape:
        raise ValueError(f"true must have shape {printed.shape}, got {true.shape}")
    decimals = len(text.rpartition(".")[2]) if decimals is None else decimals
    same = printed == true  # -inf and -inf too, whose difference is NaN
    errors = np.abs(np.where(same, 0.0, printed) - np.where(same, 0.0, true))
    wrong = errors > 0.5 * 10.0**-decimals + _SLACK
    return Compared(
        printed=PrintedTable(name=name, rows=printed, decimals=decimals),
        true=true.copy(),
        errors=errors,
        wrong=wrong,
        n_wrong=int(wrong.sum()),
        n_numbers=int(np.isfinite(printed).sum()),
        largest_error=float(errors.max()),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class PrintedSection:
    """All printed tables of a section, compared with the true values."""

    tables: Annotated[dict[str, Compared], Doc("the tables by name, in the order of the primer")]
    n_numbers: Annotated[Count, Doc("number of numbers in the tables of the section")]
    n_wrong: Annotated[Count, Doc("number of wrong printed numbers in the section")]
    n_right: Annotated[Count, Doc("number of printed numbers that are right to their last decimal")]


def printed_section(section: Section) -> PrintedSection:
    """Compare the tables of section 5 or 6; ValueError for another section."""
    if section not in get_args(Section):
        raise ValueError(f"section must be one of {get_args(Section)}, got {section!r}")
    tables = (
        compare_section_5()
        if section == 5
        else compare_section_6(primer_transformer().run(RESID_6))
    )
    n_numbers = sum(table.n_numbers for table in tables.values())
    n_wrong = sum(table.n_wrong for table in tables.values())
    return PrintedSection(
        tables=tables, n_numbers=n_numbers, n_wrong=n_wrong, n_right=n_numbers - n_wrong
    )


def compare_section_5() -> dict[str, Compared]:
    """Compare the tables of section 5 with its head's values, by name.

    `probs` are those of mat, floor and on; the logits are the printed ones.
    """
    found = primer_head().run(RESID_5)
    likely = [VOCABULARY.index(word) for word in ("mat", "floor", "on")]
    return _compare(
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


def compare_section_6(found: TransformerPass) -> dict[str, Compared]:
    """Compare the tables of section 6 with the forward pass `found`, by name.

    Raises ValueError unless it has the shapes of section 6, two layers of two heads.
    """
    n_heads = [len(block.head_passes) for block in found.block_passes]
    if n_heads != [2, 2]:
        raise ValueError(f"found must have two layers of 2 heads, got heads {n_heads}")
    one, two = found.block_passes
    scores = np.where(causal_mask(len(found.resid_pre)), one.scores[0], -np.inf)  # (T, T)
    return _compare(
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


def _compare(printed: dict[str, str], true: dict[str, Floats]) -> dict[str, Compared]:
    return {name: compare_table(name, text, true[name]) for name, text in printed.items()}
