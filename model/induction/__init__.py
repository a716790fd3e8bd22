"""The induction circuit, by clock hands and one-hot."""
