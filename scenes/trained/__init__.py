"""What trained heads look for: a small transformer that learned, from its first step to its last.

Everything that is shown comes from `model/trained`: a transformer of two layers of four heads that
learned made-up words, and its weights at twelve moments of the training. Heads by their names:
Elhage et al., A Mathematical Framework for Transformer Circuits (2021), and Olsson et al.,
In-context Learning and Induction Heads (2022).
"""
