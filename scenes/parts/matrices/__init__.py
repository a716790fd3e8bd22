"""Matrices as cells: weights, patterns, streams, and what is done with them."""
