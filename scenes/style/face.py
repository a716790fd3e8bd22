"""The text face, Source Sans Pro: where its files are, and its proportions.

It comes from a package and never from the system, so that a film looks the same everywhere.
"""

from importlib.resources import files
from pathlib import Path

FONT_DIR = Path(str(files("font_source_sans_pro"))) / "files"

LINE_HEIGHT = 1.28
"""From baseline to baseline, in ems."""
X_HEIGHT = 0.486
CAP_HEIGHT = 0.66
ASCENT = 0.71
DESCENT = 0.21
"""Of the face, in ems."""
