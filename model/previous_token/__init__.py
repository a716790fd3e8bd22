"""The previous-token head, by clock hands."""
