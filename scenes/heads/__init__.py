"""Heads of trained models: the small transformer included in Clockhead, or the user's model."""
