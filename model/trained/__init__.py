"""A small trained transformer, at twelve checkpoints of its training."""
