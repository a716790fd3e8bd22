"""The last row of a worked head read out, with the embedding as unembedding.

Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, section 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from clockhead.model.arrays import Floats
from clockhead.model.attention.next_word import next_word
from clockhead.model.attention.worked_head import WorkedHead
from clockhead.model.units import Doc, Share


@dataclass(frozen=True, kw_only=True, eq=False)
class TiedHead(WorkedHead):
    """A worked head whose last row meets the rows of the words."""

    tied_terms: Annotated[
        Floats, Doc("the products that add up to the logit of each different word; (W, d_model)")
    ]
    tied_logits: Annotated[Floats, Doc("the last row times the row of every different word; (W,)")]
    tied_kept: Annotated[Floats, Doc("what the last token's own row alone gives to these; (W,)")]
    tied_taken: Annotated[Floats, Doc("what attention gives to them; (W,)")]
    tied_probabilities: Annotated[Floats, Doc("the softmax of these logits; (W,)")]
    tied_word: Annotated[str, Doc("the word that comes out first")]
    tied_share: Annotated[Share, Doc("its probability")]


def tied_head(head: WorkedHead) -> TiedHead:
    """The same head, read out."""
    last, rows = head.last, head.embedding
    logits = head.resid_post[last] @ rows.T  # (W,)
    word = next_word(head.vocabulary.tokens, logits)
    return TiedHead(
        **vars(head),
        tied_terms=head.resid_post[last] * rows,
        tied_logits=logits,
        tied_kept=head.resid_pre[last] @ rows.T,
        tied_taken=head.z[last] @ rows.T,
        tied_probabilities=word.probabilities,
        tied_word=word.greedy_word,
        tied_share=word.greedy_share,
    )
