"""Attention: patterns, heads, keys, and what can be read off them."""
