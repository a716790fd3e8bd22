"""Stages are drawn only where Manim is there before them."""

import manim  # noqa: F401
