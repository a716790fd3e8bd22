"""The induction circuit: after A B ... A, predict B. Layer 0 takes notes, layer 1 compares them.

After Chris Wendler's construction of a RoPE transformer, sections 4 and 5, with the repairs that
make it work: separate subspaces for word and note, a QK circuit of full rank, and BOS in front.
"""
