"""The induction head: A B ... A, so B. One layer notes who came before, the other matches.

After Chris Wendler's construction of a RoPE transformer, sections 4 and 5, with the repairs that
make it work: places of their own for word and note, a match of full rank, and BOS in front.
"""
