"""The one-hot induction circuit: two layers whose matrices are written down by hand.

After lecture slides on a one-hot induction head, which do not name their author.
"""
