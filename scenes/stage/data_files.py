"""Data of the user's that stages show: files with attention patterns of trained models.

A stage names the inputs that are such files as its `data_files`. Whoever resolves a shot reads them
and computes the stage with `using_data`. Nothing is read here: a stage gets what was read, by the
name of the file, and the shot takes the values that were computed with it to workers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, TypeAlias

from pydantic import Field

from clockhead.model.heads.patterns import AttentionPatterns

DATA_FILES = (".npz", ".safetensors")
"""The endings of data files."""
_SHAPE = "|".join(ending.removeprefix(".") for ending in DATA_FILES)
DataName: TypeAlias = Annotated[
    str,
    Field(
        max_length=300,
        pattern=rf"^$|\.({_SHAPE})$",
        description="a file with attention patterns of a model of yours: letters, digits and signs "
        "that end in .npz or .safetensors, its path in the folder around `storyboards`",
    ),
]
"""The type of an input that names a data file; empty for none."""


@dataclass(frozen=True, slots=True)
class DataFile:
    """A data file that a shot was computed with: its name, and the SHA-256 of its content."""

    name: str
    digest: str


_read: ContextVar[Mapping[str, AttentionPatterns]] = ContextVar(
    "_read", default=MappingProxyType({})
)


@contextmanager
def using_data(files: Mapping[str, AttentionPatterns]) -> Iterator[None]:
    """In this block, stages find these patterns under the names of their files."""
    token = _read.set(files)
    try:
        yield
    finally:
        _read.reset(token)


def data_of(name: str) -> AttentionPatterns | None:
    """The patterns of a data file, for a stage that computes; None if no file is named.

    Raises:
        ValueError: if this file was not read.
    """
    if not name:
        return None
    try:
        return _read.get()[name]
    except KeyError:
        raise ValueError(f"the data file {name!r} was not read") from None
