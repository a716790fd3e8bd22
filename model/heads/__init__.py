"""Attention heads of trained models: their patterns, and what each of them looks at."""
