"""The previous-token head: a constant key, a query turned back one step, and softmax.

After Chris Wendler's construction of a RoPE transformer, section 3. Position alone decides: every
token gives the same key, position n turns it n steps, and the query at m is turned m - 1 steps.
"""
