"""The weights of the primer's two worked examples for "the cat sat".

Weights multiply rows. Section 5 prints all of its numbers: one head of width 5 in a stream of width
5, no MLP, and 20 logits that its unembedding "might" give. Section 6 prints its input and its
results, but not its weights. The weights here are those of `random_transformer` with seed 7, found
by search. They reproduce 289 of the 290 printed numbers (`model.primer.tables`), which is the only
evidence that they are the author's.
Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, sections 5 and 6.
"""

from __future__ import annotations

import math

import numpy as np

from clockhead.model.arrays import Floats, read_only
from clockhead.model.attention.head import AttentionHead
from clockhead.model.transformer.block import TransformerBlock
from clockhead.model.transformer.transformer import Transformer


def parse_matrix(rows: str) -> Floats:
    """Parse a matrix from text, a line for each row; read-only.

    Raises ValueError for rows of different lengths and for anything that is not a number.
    """
    cells = [line.split() for line in rows.strip().splitlines()]
    if len({len(line) for line in cells}) != 1:
        raise ValueError(f"rows must be equally long, got {[len(line) for line in cells]} cells")
    return read_only(np.array(cells, dtype=np.float64))


SENTENCE = ("the", "cat", "sat")
_WORDS = "the cat dog sat ran on mat floor big small red blue fast slow a and . is was .EOS"
VOCABULARY = tuple(_WORDS.split())
"""The 20 tokens of section 5. Section 6 has ten logits and does not name their tokens."""

# Section 5

RESID_5 = parse_matrix("""
     .10 -.20  .05  .40  .15
     .30  .50 -.10  .20  .00
    -.40  .10  .60 -.30  .20""")
"""Embedding of `SENTENCE` in section 5; shape (3, 5)."""

W_Q_5 = parse_matrix("""
    1.0  .0  .0  .5  .0
     .0 1.0  .0  .0  .5
     .0  .0 1.0  .0  .0
     .5  .0  .0 1.0  .0
     .0  .5  .0  .0 1.0""")

W_K_5 = parse_matrix("""
     .8  .2  .0  .0  .0
     .2  .8  .0  .0  .0
     .0  .0  .9  .1  .0
     .0  .0  .1  .9  .0
     .0  .0  .0  .0 1.0""")

W_V_5 = parse_matrix("""
     .5  .5  .0  .0  .0
     .5 -.5  .0  .0  .0
     .0  .0 1.0  .0  .0
     .0  .0  .0 1.0  .0
     .0  .0  .0  .0 1.0""")

W_O_5 = read_only(np.eye(5))

LOGITS_5 = read_only(
    parse_matrix("""
     -.8  -.2   .1   .5  1.2  2.4  3.1  2.8   .4  -.1
     -.3   .0  -.5  -.4   .6   .2  1.0  -.2   .3 -1.5""").ravel()
)
"""Logits of all `VOCABULARY` after "sat", which the primer gives without computing; (20,)."""

# Section 6

RESID_6 = parse_matrix("""
     .10 -.10  .05  .30  .15 -.05
     .40  .50 -.20  .20  .10  .25
    -.50  .15  .65 -.20  .15  .05""")
"""Embedding plus position of `SENTENCE` in section 6; shape (3, 6)."""

BLOCKS_6 = (
    TransformerBlock(
        w_q=parse_matrix("""
              .00   .15  -.14  -.45  -.23  -.50
              .03   .67  -.25  -.31   .24   .18
              .05  -.47  -.01   .35  -.67  -.23
             -.95  -.64  -.92  -.12  -.63   .14
              .08  -.09 -1.26  -.27  -.02   .06
             -.77  -.24  -.49  -.40   .53  -.40"""),
        w_k=parse_matrix("""
             -.02   .44  -.29  -.06   .06   .03
             -.61   .04   .68  -.77   .43   .06
             -.32  1.00   .38  -.60   .04   .29
             -.09   .34  -.03   .33   .72  -.34
              .10  -.23   .06  -.59  -.29  -.10
              .45   .57  -.66  -.40   .32 -1.00"""),
        w_v=parse_matrix("""
             -.23  -.05   .63   .34  -.16  -.18
             -.13   .76  -.21  -.15   .18  -.06
             -.10  -.56  -.01  -.22   .58   .33
             -.01   .33  -.17   .53   .00   .29
             -.65   .17  -.84 -1.02  -.15  -.45
              .08  1.12  -.42  -.31   .10   .25"""),
        w_o=parse_matrix("""
             -.09  -.10   .35   .26  -.52  -.04
              .02  -.53   .13  -.43   .49   .10
              .04  -.30  -.06 -1.00  -.57   .18
            -1.06   .42  -.87   .38  -.42   .39
              .07  -.77   .62   .72  -.03  -.14
             -.08  -.49   .55  -.27  -.03  -.40"""),
        w_1=parse_matrix("""
            -.31 -.64  .63 -.08  .48  .01 -.35 -.16
            -.28  .00 -.19 -.15 -.69 -.40  .83 -.34
            -.53  .17  .70 -.73 -.10 -.32 -.88  .37
            -.01  .04 -.38  .23 -.27 -.07 -.55 -.61
             .67 -.25  .15 -.02 -.22 -.25  .32 -.15
            -.08  .01  .59  .34  .19 -.28 -.69  .47"""),
        w_2=parse_matrix("""
              .48  -.07   .27   .39   .42   .46
             -.23   .76  -.62   .43   .25   .44
              .94   .74  -.57  -.84   .41  -.51
             -.01   .42  -.82 -1.05   .13   .02
             -.12   .02  -.43  -.76  -.08  -.49
             -.82   .25  -.03   .20  -.49  -.33
             -.50  -.44   .10  -.39   .18   .17
             1.01  -.70   .44  -.04  -.01  -.72"""),
        n_heads=2,
    ),
    TransformerBlock(
        w_q=parse_matrix("""
             -.23   .37  -.04   .04  -.15   .58
             -.01 -1.10  -.35  -.98 -1.63  -.27
              .67   .02  -.59  -.47   .57   .08
              .02  -.03   .02   .40   .28   .11
             -.52   .26  -.34   .55  -.64  -.07
              .00  -.66   .86   .73  -.23   .39"""),
        w_k=parse_matrix("""
              .19 -1.31   .13  -.03   .04  -.54
             -.13  -.09   .59   .17   .00   .76
             -.28  -.19  -.91   .78   .48   .46
              .33   .06   .11  -.13  -.10   .03
              .76   .28  -.03  -.29  -.32   .80
              .25   .03  -.17  -.55  -.03   .44"""),
        w_v=parse_matrix("""
            -.20 -.11 -.11  .05 -.80 -.12
            -.43  .44 -.39  .29  .76 -.16
            -.30  .10  .00 -.50  .23 1.01
            -.13 -.10 -.52  .16 -.62 -.55
             .64 -.45  .54  .76  .13  .28
             .98 -.10 -.30 -.68  .02  .74"""),
        w_o=parse_matrix("""
             .48 -.47 -.43 -.25  .15 -.10
             .11  .15 -.15 -.02  .10 -.04
             .25  .94  .30  .03 -.84  .19
            -.97 -.70  .43  .35 -.07 -.86
            -.19 -.34  .32 1.13  .11 -.39
            -.59 -.03 -.09 -.58  .06 -.58"""),
        w_1=parse_matrix("""
             .56  .53  .54 -.24  .26 -.07 -.19 -.17
            -.65 -.72  .40 -.10  .11  .50 -.87 -.39
             .09  .20 -.19  .51  .11 -.61 -.47  .40
             .23 -.95  .67  .30  .67 -.19 -.15 -.56
            1.27 -.09  .79 -.32  .08 -.84 -.19  .49
            -.63  .54  .17 -.52 -.25 -.23 -.02 -.27"""),
        w_2=parse_matrix("""
            -.41 -.15 -.51 -.64 -.02  .44
            -.76  .00 -.32 -.49  .43 -.26
             .75 -.39  .19 -.11 -.38  .29
            -.08  .30 -.02 -.54 -.05  .03
             .48 -.45 -.02 -.86  .33 -.54
            -.90 -.03  .55 -.76 -.54 -.37
            -.56  .19 -.40 -.36  .29 -.38
             .22 -.49 -.61 -.92  .93 -.16"""),
        n_heads=2,
    ),
)
"""Two layers of two heads, with an MLP of 8."""

UNEMBEDDING_6 = parse_matrix("""
      .15  -.02   .10   .03  1.14  -.62  -.93  -.61  -.80   .45
      .49  -.58  -.83  -.21   .83 -1.69   .32  -.65   .62  -.65
     -.17  -.90  -.59   .83   .49  -.24  -.52 -1.14  -.24  -.02
     -.05  -.06  -.67  -.04  -.02   .77  1.12  -.08  -.46  -.04
     -.36  -.45  -.04  -.63   .36  -.06   .15  -.11  -.44  -.57
     -.14  -.33   .14   .00  -.82   .04  -.81  -.37  -.18 -1.25""")
"""Unembedding of section 6; shape (6, 10)."""


def primer_head() -> AttentionHead:
    """The head of section 5: W_Q, W_K, W_V, W_O = I, scores over sqrt(5), causal."""
    return AttentionHead(W_Q_5.T, W_K_5.T, W_V_5.T, W_O_5.T, scale=1 / math.sqrt(W_Q_5.shape[1]))


def primer_transformer() -> Transformer:
    """The model of section 6: two layers of two heads, d_model 6, d_ff 8, ten tokens."""
    return Transformer(BLOCKS_6, UNEMBEDDING_6)
