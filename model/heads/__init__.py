"""Attention heads of trained models: their patterns, scores and kinds."""
