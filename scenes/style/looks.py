"""Named choices of a film's look."""

from typing import Literal

ThemeName = Literal["chalk", "paper"]
"""Light on dark, or dark on light."""
Captions = Literal["burnt", "off", "track"]
"""Sentences in the picture; or none, and a higher canvas; or a track shown in their room."""
FONT_FILES = (".ttf", ".otf", ".ttc", ".otc")
"""The extensions of font files. Of a collection, the first font is used."""
