"""Arrows, their lengths and angles."""
