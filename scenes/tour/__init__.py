"""The tour: one text through clocks, notes and letters, to what all of it is called: attention.

Most of its stages tell one of another film's in short, over this text and in words that need no
other film; `code` and `attention` are its own.
"""
