"""Everything that was asked for in one archive, as a learning platform takes it."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from pathlib import Path

from clockhead.clips import atomic
from clockhead.export.edition import Edition

_STORED = {".mp4", ".webm", ".webp", ".gif", ".png", ".pdf", ".pptx", ".npz"}
"""Packed already: deflating them again costs time and gains nothing."""


def pack_up(edition: Edition, folder: Path, files: Iterable[Path]) -> Path:
    """Pack files of `folder`, keeping their places in it. The same files make the same bytes."""
    target = folder / f"{edition.name}.zip"
    with atomic.replacing(target) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        for file in sorted(file for file in set(files) if file.is_file()):
            how = zipfile.ZIP_STORED if file.suffix in _STORED else zipfile.ZIP_DEFLATED
            about = zipfile.ZipInfo(file.relative_to(folder).as_posix())
            about.external_attr = 0o644 << 16
            archive.writestr(about, file.read_bytes(), how)
    return target
