"""The store of rendered clips, by key."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated

from pydantic import BaseModel, Field, ValidationError

from clockhead.clips.clip import Clip
from clockhead.clips.sealed import CLIP, SealedStore
from clockhead.scenes.stage import Beat, CaptionLine

Frame = Annotated[int, Field(ge=0)]


@dataclass(frozen=True)
class ClipStore(SealedStore):
    """Rendered clips, by key."""

    kind: str = CLIP

    def get(self, key: str) -> Clip | None:
        """The clip with this key, or None if it is missing or damaged."""
        found = self.read(key)
        if found is None:
            return None
        about, video = found
        try:
            return Clip(video=video, **dict(_About.model_validate(about)))
        except ValidationError:
            self.remove(key)
            return None

    def put(self, key: str, clip: Clip) -> None:
        """Store a clip.

        Raises:
            DiskFull: if there is no room; nothing is left behind.
            OSError: if it cannot be stored for another reason.
        """
        about = asdict(clip)
        self.write(key, about, about.pop("video"))


class _About(BaseModel):
    """A clip without its video, as JSON."""

    frames: Frame
    beats: tuple[Beat, ...]
    lines: tuple[CaptionLine, ...]
    opened: Frame
    poster: Frame
    richness: float
