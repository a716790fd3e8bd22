"""A whole transformer: blocks, passes, the key-value cache, effects of heads."""
