"""Rotary position embedding: a vector's pairs are clock hands, and a position turns them.

After Chris Wendler's construction of a RoPE transformer, sections 1 and 2. RoPE is by Su et al.
(RoFormer, 2021).
"""
