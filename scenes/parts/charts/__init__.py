"""Bars, curves and arrows, and the stories they tell."""
