"""Where the page finds what it shows: in files beside it, or inside itself."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, field
from pathlib import PurePath

_KINDS = {
    ".csv": "text/csv",
    ".json": "application/json",
    ".mp4": "video/mp4",
    ".otf": "font/otf",
    ".vtt": "text/vtt",
    ".webp": "image/webp",
}


@dataclass(frozen=True)
class Beside:
    """Files that lie beside the page."""

    files: dict[str, bytes] = field(default_factory=dict)
    """By the names by which the page knows them."""
    single: bool = False

    def link(self, name: str, content: bytes) -> str:
        """Lay something down: the address under which the page finds it."""
        self.files[name] = content
        return name


class Inside(Beside):
    """No files: what the page shows is written into it."""

    def __init__(self) -> None:
        super().__init__(single=True)

    def link(self, name: str, content: bytes) -> str:
        """The content itself, as an address."""
        return as_address(name, content)


def as_address(name: str, content: bytes) -> str:
    """What is in a file as a `data:` address, which needs no file."""
    return f"data:{_KINDS[PurePath(name).suffix]};base64,{b64encode(content).decode()}"
