"""Errata: tables of the sources that are not what they should be, and how one sees it by eye.

After the lecture slides on a one-hot induction head, Dan Wilhelm's LLM Foundations and Luca
Erzegovesi's Transformers and QKV Attention: A Primer, each of which has what is shown here.
"""
