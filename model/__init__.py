"""The constructions, computed in NumPy: weights, scores, patterns and outputs of hand-built heads.

Nothing here knows of video. Each module names the document it comes from; `CONSTRUCTIONS` errata
are followed, so where a source prints a wrong number these modules give the true one.
"""
