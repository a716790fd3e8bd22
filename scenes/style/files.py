"""Read files named by users (fonts, pictures and data), with a limit on their size.

Folders, FIFOs and devices are not opened, because reading them could block forever.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path


class UnreadableFile(ValueError):
    """A file that does not exist, is not a regular file, or is too large, as the message says."""


def read_bounded(file: Path, most_mb: int, noun: str) -> bytes:
    """The content of a regular file of at most `most_mb` megabytes.

    `noun` is used in the message about the limit: "a font has at most 64 MB".

    Raises:
        UnreadableFile: for any other file, and without permission to read it.
    """
    try:
        status = file.stat()
        if not stat.S_ISREG(status.st_mode):
            message = "this is a folder" if file.is_dir() else "this is not an ordinary file"
            raise UnreadableFile(message)
        with file.open("rb") as stream:
            # At most this much memory is allocated, whatever the size of the file.
            data = stream.read(min(status.st_size, most_mb << 20) + 1)
    except FileNotFoundError:
        raise UnreadableFile("there is no such file") from None
    except PermissionError:
        raise UnreadableFile("there is no permission to read this file") from None
    except OSError as error:
        raise UnreadableFile(f"cannot be read: {os.strerror(error.errno or 0)}") from None
    except UnreadableFile:
        raise
    except ValueError as error:  # a name with a null character
        raise UnreadableFile(f"cannot be read: {error}") from None
    if len(data) > most_mb << 20:
        raise UnreadableFile(f"this file is too large; {noun} has at most {most_mb} MB")
    return data
