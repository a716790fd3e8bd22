"""The constructions, computed in NumPy: weights, scores, patterns and outputs of hand-built heads.

Nothing here depends on video. Every module names the source of its construction; where a source
prints or claims something false, the module gives the true value and says so.
"""
