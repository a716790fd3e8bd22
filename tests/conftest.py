"""Stages are drawn only where Manim is there before them, and one's own films stay out of it."""

import os

import manim  # noqa: F401

from clockhead.libraries import HOME

os.environ[HOME] = ""
