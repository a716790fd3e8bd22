"""What of a film's look is chosen by name."""

from typing import Literal

ThemeName = Literal["chalk", "paper"]
"""Light on dark, or dark on light."""
Captions = Literal["burnt", "off", "track"]
"""In the picture; or not, and the picture has their room; or in a track, shown over that room."""
FONT_FILES = (".ttf", ".otf", ".ttc", ".otc")
"""The endings of font files. Of a collection, the first font is used."""
