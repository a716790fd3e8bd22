"""What a user's look.yaml changes in every picture: colours and a logo.

It is plain data that goes with a shot to the workers, as fonts do. The fonts of a look are among
those of the shot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from clockhead.scenes.style.looks import ThemeName
from clockhead.scenes.style.pictures import PictureFile
from clockhead.scenes.style.theme import CHALK, PAPER, Theme


@dataclass(frozen=True, slots=True)
class OwnLook:
    """Both themes, in the user's colours where look.yaml gives any, and a logo for each."""

    chalk: Theme = CHALK
    paper: Theme = PAPER
    chalk_logo: PictureFile | None = None
    paper_logo: PictureFile | None = None

    def theme(self, name: ThemeName) -> Theme:
        """The colours of a theme."""
        return self.chalk if name == "chalk" else self.paper

    def logo(self, name: ThemeName) -> PictureFile | None:
        """What stands in the corner of every picture in a theme, if anything."""
        return self.chalk_logo if name == "chalk" else self.paper_logo

    def data(self, name: ThemeName) -> dict[str, Any]:
        """What a picture in a theme depends on, for keys of clips: what is not Clockhead's."""
        ours, used, logo = OwnLook().theme(name), self.theme(name), self.logo(name)
        found = {
            color: getattr(used, color)
            for color in Theme.__slots__
            if getattr(used, color) != getattr(ours, color)
        }
        return found | ({"logo": logo.digest} if logo else {})


CLOCKHEAD_LOOK = OwnLook()
"""The look of a film without a look.yaml."""
