"""The user's data files that stages show: attention patterns of trained models.

A stage lists the inputs that name such files in `data_files`. Resolving a shot reads the files and
computes the stage's values inside `using_data`. This module reads nothing: a stage gets the content
by the name of the file, and workers get the computed values with the shot.
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
"""The extensions of data files."""
_SHAPE = "|".join(ending.removeprefix(".") for ending in DATA_FILES)
DataName: TypeAlias = Annotated[
    str,
    Field(
        max_length=300,
        pattern=rf"^$|\.({_SHAPE})$",
        description="a file with attention patterns of your own model, .npz or .safetensors: its "
        "path in the folder that contains `storyboards`",
    ),
]
"""The type of an input that names a data file; empty for none."""


@dataclass(frozen=True, slots=True)
class DataFile:
    """A data file that a shot was computed with: its name, and the SHA-256 of its content."""

    name: str
    digest: str


_loaded: ContextVar[Mapping[str, AttentionPatterns]] = ContextVar(
    "_loaded", default=MappingProxyType({})
)


@contextmanager
def using_data(files: Mapping[str, AttentionPatterns]) -> Iterator[None]:
    """Within this block, stages find these patterns under the names of their files."""
    token = _loaded.set(files)
    try:
        yield
    finally:
        _loaded.reset(token)


def data_of(name: str) -> AttentionPatterns | None:
    """The patterns of a data file, for a stage's `compute`; None if no file is named.

    Raises:
        ValueError: if the file has not been read.
    """
    if not name:
        return None
    try:
        return _loaded.get()[name]
    except KeyError:
        raise ValueError(f"the data file {name!r} was not read") from None
