"""The previous-token head with RoPE."""
