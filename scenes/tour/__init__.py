"""The tour: one text from clocks through notes and letters to the idea of attention.

Most of its stages are short versions of stages of other films, with this text and with sentences
that need no other film; `code` and `attention` are its own.
"""
