"""What trained heads look for: a small transformer from its first training step to its last.

Everything is computed in `model/trained`: a transformer with two layers of four heads, trained on
made-up words, with its weights at twelve steps. The kinds of heads follow Elhage et al., A
Mathematical Framework for Transformer Circuits (2021), and Olsson et al., In-context Learning and
Induction Heads (2022).
"""
