"""The store of rendered clips, by key."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from clockhead.clips.clip import Clip
from clockhead.clips.sealed import CLIP, SealedStore
from clockhead.scenes.stage import Beat, Line

Frame = Annotated[int, Field(ge=0)]


class ClipStore(SealedStore):
    """Rendered clips, by key."""

    kind = CLIP

    def get(self, key: str) -> Clip | None:
        """The clip with this key, or None if it is missing or damaged."""
        found = self.read(key)
        if found is None:
            return None
        try:
            return _About.model_validate(found[0]).clip(found[1])
        except ValidationError:
            self.remove(key)
            return None

    def put(self, key: str, clip: Clip) -> None:
        """Store a clip.

        Raises:
            DiskFull: if there is no room; nothing is left behind.
            OSError: if it cannot be stored for another reason.
        """
        about = _About(
            frames=clip.frames,
            beats=[(beat.name, beat.frame) for beat in clip.beats],
            lines=[(line.text, line.frame, line.asks) for line in clip.lines],
            opened=clip.opened,
            poster=clip.poster,
            richness=clip.richness,
        )
        self.write(key, about.model_dump(), clip.video)


class _About(BaseModel):
    """A clip without its video, as JSON."""

    model_config = ConfigDict(extra="ignore")

    frames: Frame
    beats: list[tuple[str, Frame]]
    lines: list[tuple[str, Frame, bool]]
    opened: Frame
    poster: Frame
    richness: float

    def clip(self, video: bytes) -> Clip:
        return Clip(
            video=video,
            frames=self.frames,
            beats=tuple(Beat(name, frame) for name, frame in self.beats),
            lines=tuple(Line(text, frame, asks) for text, frame, asks in self.lines),
            opened=self.opened,
            poster=self.poster,
            richness=self.richness,
        )
