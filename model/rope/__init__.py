"""Rotary position embedding (RoPE)."""
