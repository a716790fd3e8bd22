"""The previous-token head: a constant key, a query turned back by one step, and softmax.

After Chris Wendler's construction of a RoPE transformer, section 3. Attention depends on positions
alone: every token has the same key, RoPE turns it by n steps at position n, and the query at m is
turned by m - 1 steps.
"""
