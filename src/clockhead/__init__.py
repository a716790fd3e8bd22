"""Clockhead: explainer films of transformers that people built by hand."""
