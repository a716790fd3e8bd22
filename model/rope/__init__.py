"""Rotary position embedding: rotations, and pairs of positions."""
