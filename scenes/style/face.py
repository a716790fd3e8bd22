"""The text face, Source Sans Pro: the folder of its files, and its metrics.

It comes from a package and not from the system, so that a film looks the same on every machine.
"""

from importlib.resources import files
from pathlib import Path

FONT_DIR = Path(str(files("font_source_sans_pro"))) / "files"

LINE_HEIGHT = 1.28
"""Distance between baselines, in ems."""
X_HEIGHT = 0.486
CAP_HEIGHT = 0.66
ASCENT = 0.71
DESCENT = 0.21
"""Metrics of the face, in ems."""
