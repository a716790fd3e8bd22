"""A whole transformer: blocks, forward passes, the key-value cache and parameter counts."""
