"""Attention: patterns, heads, embeddings, constant keys and linear probes."""
