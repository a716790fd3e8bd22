"""The colours and logos of a user's look.yaml.

It is plain data that workers get with a shot, as fonts are. The fonts of a look are part of the
shot's fonts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from clockhead.scenes.style.looks import ThemeName
from clockhead.scenes.style.pictures import PictureFile
from clockhead.scenes.style.theme import CHALK, PAPER, Theme


@dataclass(frozen=True, slots=True)
class OwnLook:
    """Both themes with the user's colours, and a logo for each."""

    chalk: Theme = CHALK
    paper: Theme = PAPER
    chalk_logo: PictureFile | None = None
    paper_logo: PictureFile | None = None

    def theme(self, name: ThemeName) -> Theme:
        """The colours of a theme."""
        return self.chalk if name == "chalk" else self.paper

    def logo(self, name: ThemeName) -> PictureFile | None:
        """The logo in a theme, if there is one."""
        return self.chalk_logo if name == "chalk" else self.paper_logo

    def data(self, name: ThemeName) -> dict[str, Any]:
        """The differences from Clockhead's own look in a theme, for the keys of clips."""
        ours, used, logo = OwnLook().theme(name), self.theme(name), self.logo(name)
        found = {
            color: getattr(used, color)
            for color in Theme.__slots__
            if getattr(used, color) != getattr(ours, color)
        }
        return found | ({"logo": logo.digest} if logo else {})


CLOCKHEAD_LOOK = OwnLook()
"""The look without a look.yaml."""
