"""Heads of trained models: of the small one that comes with Clockhead, or of the user's."""
