"""The Caesar cipher and the transformer that solves it."""
