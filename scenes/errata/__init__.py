"""Errata: wrong tables in the sources, and how to notice them by eye.

The tables are from the lecture slides on a one-hot induction head, Dan Wilhelm's LLM Foundations
and Luca Erzegovesi's Transformers and QKV Attention: A Primer.
"""
