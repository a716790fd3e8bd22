"""The constructions, computed in NumPy: weights, scores, patterns and outputs of hand-built heads.

Nothing here knows of video. Every module names the document its construction comes from; where a
document prints or claims something false, the module gives the true value and says so.
"""
