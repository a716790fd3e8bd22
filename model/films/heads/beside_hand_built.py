"""A trained head compared with the hand-built head that it is most like, on the same text.

The hand-built heads ("ours") are the previous-token head (`model.previous_token.head`) and the
induction head of the induction circuit (`model.induction.circuit`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np

from clockhead.model.arrays import Bools, Floats, Ints, Values
from clockhead.model.films.heads.one_head import best_part, check_head, clearest_cell
from clockhead.model.heads.head_scores import TARGETS, detection_patterns, head_scores
from clockhead.model.heads.patterns import (
    AttentionPatterns,
    OffsetMeans,
    attention_patterns,
    means_by_offset,
)
from clockhead.model.induction.circuit import induction
from clockhead.model.previous_token.head import previous_token_head
from clockhead.model.rope.rotation import kernel, rope_frequencies
from clockhead.model.tokens import Vocabulary, token_name
from clockhead.model.units import Correlation, Count, Doc, Position, Share, Shares, Tokens

FURTHEST = 6
"""Largest offset at which mean attention is compared."""
FURTHEST_SCORE, FEWEST_SCORES = 12, 4
"""Largest offset at which scores are compared, and smallest number of offsets for that."""
ALPHA, D_HEAD = 10.0, 32
"""Scale of the scores and width of our previous-token head."""
TINY = 1e-9
Built: TypeAlias = Literal["previous", "induction"]


@dataclass(frozen=True, kw_only=True, eq=False)
class BesideHandBuilt(Values):
    """A trained head and ours: patterns of W tokens of a text, and means over all T tokens."""

    layer: Annotated[Count, Doc("layer of the trained head, from 0")]
    head: Annotated[Count, Doc("number of the trained head in its layer, from 0")]
    built: Annotated[Built, Doc("kind of our head")]
    n_layers: Annotated[Count, Doc("number of layers of the model")]
    n_tokens: Annotated[Tokens, Doc("length of the text")]
    first: Annotated[Position, Doc("position of the first row that is shown")]
    last: Annotated[Position, Doc("position of the last row that is shown")]
    askers: Annotated[tuple[str, ...], Doc("tokens of the shown rows; W of them")]
    keys: Annotated[tuple[str, ...], Doc("tokens of the shown columns; W of them")]
    hidden: Annotated[Bools, Doc("whether a cell of this part is masked; (W, W)")]
    trained: Annotated[Floats, Doc("this part of the trained head's pattern; (W, W)")]
    ours: Annotated[Floats, Doc("this part of our head's pattern; (W, W)")]

    asks: Annotated[
        Position, Doc("row of the part with the trained head's clearest attention weight")
    ]
    target: Annotated[Position, Doc("column of the part with that attention weight")]
    asker: Annotated[str, Doc("token of that row")]
    asked: Annotated[str, Doc("token of that column")]
    weight: Annotated[Share, Doc("attention weight of the row on the column, in the trained head")]
    our_weight: Annotated[Share, Doc("attention weight of the row on the column, in our head")]

    overlap: Annotated[
        Share, Doc("overlap of the rows of both heads, on average: the sum of the smaller weights")
    ]
    looks: Annotated[
        Shares, Doc("mean attention of the trained head on each of the five targets; (5,)")
    ]
    our_looks: Annotated[
        Shares, Doc("mean attention of our head on each of the five targets; (5,)")
    ]
    aim: Annotated[
        Share, Doc("mean attention of the trained head on the target that our head is built for")
    ]
    our_aim: Annotated[Share, Doc("mean attention of our head on that target")]
    extra_at: Annotated[
        Count, Doc("index of the other target that the trained head attends to most more than ours")
    ]
    extra: Annotated[Share, Doc("mean attention of the trained head on this other target")]
    our_extra: Annotated[Share, Doc("mean attention of our head on this other target")]
    offsets: Annotated[Ints, Doc("offsets of mean attention, from 0 to at most 6; (D,)")]
    by_offset: Annotated[Shares, Doc("mean attention of the trained head at each offset; (D,)")]
    our_offsets: Annotated[Shares, Doc("mean attention of our head at each offset; (D,)")]

    has_scores: Annotated[bool, Doc("whether scores by offset can be compared")]
    distances: Annotated[
        Ints, Doc("offsets of mean scores, from 0 to at most 12; none without scores")
    ]
    mean_scores: Annotated[
        Floats, Doc("mean scores of the trained head at each offset, in nats; (S,)")
    ]
    clock_scores: Annotated[
        Floats, Doc("scores of our previous-token head, scaled and shifted to fit these; (S,)")
    ]
    correlation: Annotated[Correlation, Doc("correlation of the two, 0 without scores")]

    @property
    def does_more(self) -> bool:
        """Whether the trained head has at least 5 percent more on another target than ours."""
        return self.extra - self.our_extra >= 0.05


def beside_hand_built(
    patterns: AttentionPatterns, layer: int, head: int, first: int | None, length: int
) -> BesideHandBuilt:
    """Compare a head with ours, and show `length` tokens of the text.

    Raises ValueError for a head that does not exist, and for a `first` after the end.
    """
    check_head(patterns, layer, head)
    looks = head_scores(patterns).on_target[layer, head]  # (5,)
    at = {target: k for k, target in enumerate(TARGETS)}
    built: Built = "previous" if looks[at["previous"]] >= looks[at["induction"]] else "induction"
    weights, ours = patterns.patterns[layer, head], hand_built(patterns, built)  # (T, T)
    mask = detection_patterns(patterns.tokens)[built]  # (T, T)
    rows, columns = best_part(patterns, weights * mask, first, length)
    asks, target = clearest_cell(patterns, weights, mask, rows, columns)
    ours_seen = attention_patterns(patterns.tokens, ours[None, None])
    our_looks = head_scores(ours_seen).on_target[0, 0]  # (5,)
    more = np.where(np.arange(len(TARGETS)) == at[built], -1.0, looks - our_looks)  # (5,)
    extra_at = int(more.argmax())
    has_choice = patterns.visible.sum(axis=1) > 1  # (T,)
    common = np.minimum(weights, ours).sum(axis=1)  # (T,)
    offsets, our_offsets = (
        means_by_offset(one, *which)
        for one, which in ((patterns, (layer, head)), (ours_seen, (0, 0)))
    )
    back = [(one.offsets >= 0) & (one.offsets <= FURTHEST) for one in (offsets, our_offsets)]
    return BesideHandBuilt(
        layer=layer,
        head=head,
        built=built,
        n_layers=patterns.n_layers,
        n_tokens=patterns.n_tokens,
        first=rows.start,
        last=rows.stop - 1,
        askers=patterns.labels[rows],
        keys=patterns.labels[columns],
        hidden=~patterns.visible[rows, columns],
        trained=weights[rows, columns].copy(),
        ours=ours[rows, columns].copy(),
        asks=asks,
        target=target,
        asker=token_name(patterns.labels, rows.start + asks),
        asked=token_name(patterns.labels, columns.start + target),
        weight=float(weights[rows, columns][asks, target]),
        our_weight=float(ours[rows, columns][asks, target]),
        overlap=float(common[has_choice].mean()),
        looks=looks.copy(),
        our_looks=our_looks.copy(),
        aim=float(looks[at[built]]),
        our_aim=float(our_looks[at[built]]),
        extra_at=extra_at,
        extra=float(looks[extra_at]),
        our_extra=float(our_looks[extra_at]),
        offsets=offsets.offsets[back[0]],
        by_offset=offsets.attention[back[0]],
        our_offsets=our_offsets.attention[back[1]],
        **_scores_by_distance(offsets),
    )


def _scores_by_distance(means: OffsetMeans) -> dict[str, Any]:
    """Mean scores of a head by offset, and those of our previous-token head fitted to them."""
    near = (means.offsets >= 0) & (means.offsets <= FURTHEST_SCORE)
    distances = means.offsets[near]  # (S,)
    scores = np.zeros(0) if means.scores is None else means.scores[near]  # (S,)
    clocks = ALPHA * kernel(distances - 1, rope_frequencies(D_HEAD))  # (S,)
    if len(scores) < FEWEST_SCORES or not np.isfinite(scores).all() or np.ptp(scores) < TINY:
        return {
            "has_scores": False,
            "distances": np.zeros(0, dtype=np.int64),
            "mean_scores": np.zeros(0),
            "clock_scores": np.zeros(0),
            "correlation": 0.0,
        }
    slope, start = np.polyfit(clocks, scores, 1)
    return {
        "has_scores": True,
        "distances": distances,
        "mean_scores": scores.copy(),
        "clock_scores": slope * clocks + start,
        "correlation": float(np.corrcoef(clocks, scores)[0, 1]),
    }


def hand_built(patterns: AttentionPatterns, built: Built) -> Floats:
    """The pattern of one of our heads on the same text; (T, T)."""
    if built == "previous":
        head = previous_token_head(patterns.n_tokens, D_HEAD, ALPHA, causal=patterns.is_causal)
        return np.asarray(head.pattern)
    circuit = induction(patterns.tokens, Vocabulary.of(patterns.tokens))
    return np.asarray(circuit.forward.head_1.pattern)
