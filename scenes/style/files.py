"""Read files that a user names: fonts, pictures and data, with a bound on their size.

A path may lead to a folder, a FIFO or a device, which are not opened: that could block for ever.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path


class UnreadableFile(ValueError):
    """A file that is not there, is no ordinary file, or is too large; the message says which."""


def read_bounded(file: Path, most_mb: int, noun: str) -> bytes:
    """The content of an ordinary file of at most `most_mb` megabytes.

    `noun` is what has this bound: "a font has at most 64 MB".

    Raises:
        UnreadableFile: for all other files, and those that may not be read.
    """
    try:
        status = file.stat()
        if not stat.S_ISREG(status.st_mode):
            message = "this is a folder" if file.is_dir() else "this is not an ordinary file"
            raise UnreadableFile(message)
        with file.open("rb") as stream:
            # As much memory as this is taken at once, whatever the file has.
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
