"""Read data files of the user's: attention patterns in `.npz` or `.safetensors`, with bounds.

Such a file may come from anywhere and may lie: about shapes, sizes, offsets, types and meaning. It
is read as bytes, at most `MAX_DATA_MB`; every size is compared with the bytes that are there before
an array is made; and nothing is unpickled. NumPy parses the headers of its own format. The format
safetensors is a JSON header before plain numbers, and is read here: its library cannot give
bfloat16 to NumPy, and reads headers of up to 100 MB.

What a file holds, in both formats: `tokens` (T), `patterns` (L, H, T, T), and perhaps `scores`
(L, H, T, T), `logits` (T, V) and `vocabulary` (V). In safetensors, tokens and vocabulary are lists
in JSON in its metadata. Other names are left alone.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import struct
import sys
import tokenize
import warnings
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clockhead.model.heads.patterns import MAX_TOKEN, AttentionPatterns, attention_patterns
from clockhead.model.heads.token_labels import escape, shorten
from clockhead.scenes.stage.data_files import DATA_FILES, DataFile
from clockhead.scenes.style.files import UnreadableFile, read_bounded
from clockhead.scenes.style.type import MissingGlyph, advance
from clockhead.storyboard.problems import join_names, nearest_name, show

MAX_DATA_MB = 256
"""Of a file, and of what is unpacked of it."""
MAX_HEADER_MB = 8
"""Of the header of a .safetensors file, which has the vocabulary."""
MAX_ARRAYS = 64
"""Arrays in a file."""
_DIRECTORY = 46 + 1024
"""Bytes of an entry in the directory of a .zip file: 46 and its name, at most."""
_END_OF_ZIP = 22
_ZIP64_LOCATOR = 20
_NPY_HEADER = 10_000
_NUMBERS = ("patterns", "scores", "logits")
_TEXTS = ("tokens", "vocabulary")
_SAFE_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}
_MAX_AXES = 8
_MOST_NAMED = 8
_MOST_PARSED = 2
_parsed: dict[tuple[str, str], AttentionPatterns] = {}
"""Patterns that were read, by digest and ending: the shots of a film show the same file."""


class DataError(ValueError):
    """A data file that cannot be used; the message says why, and what would do."""


def read_data(file: Path) -> tuple[DataFile, AttentionPatterns]:
    """The patterns in a data file, with labels of its tokens that the fonts in use can draw.

    Raises:
        DataError: for a file that is not there or too large, and for one with other content.
    """
    ending = file.suffix.lower()
    if ending not in DATA_FILES:
        raise DataError(f"a data file ends in {' or '.join(DATA_FILES)}")
    try:
        data = read_bounded(file, MAX_DATA_MB, "a data file")
    except UnreadableFile as error:
        raise DataError(str(error)) from None
    digest = hashlib.sha256(data).hexdigest()
    patterns = _parsed.pop((digest, ending), None) or _parse(ending, data)
    _parsed[digest, ending] = patterns  # the last one in order is the last one used
    for unused in list(_parsed)[:-_MOST_PARSED]:
        del _parsed[unused]
    labels = tuple(map(drawable_label, patterns.labels))
    return DataFile(file.name, digest), replace(patterns, labels=labels)


def drawable_label(label: str) -> str:
    """A label with escapes in place of letters that the fonts in use cannot draw."""
    try:
        advance(label)
    except MissingGlyph:
        return shorten(escape(label, drawable="".join(filter(_is_drawable, label))))
    return label


def _is_drawable(character: str) -> bool:
    try:
        advance(character)
    except MissingGlyph:
        return False
    return True


def _parse(ending: str, data: bytes) -> AttentionPatterns:
    found = _read_npz(data) if ending == ".npz" else _read_safetensors(data)
    for needed in ("tokens", "patterns"):
        if needed not in found:
            names = join_names(map(show, list(found)[:_MOST_NAMED]))
            near = nearest_name(needed, list(filter(str.isidentifier, found)))
            hint = f"; if {near!r} is meant, call it {needed!r}" if near else ""
            raise DataError(f"there is no array {needed!r} in this file{hint} (arrays: {names})")
    known = {name: found[name] for name in (*_NUMBERS, *_TEXTS) if name in found}
    try:
        return attention_patterns(**known)
    except ValueError as error:
        raise DataError(str(error)) from None


# --- .npz ---


def _read_npz(data: bytes) -> dict[str, Any]:
    """The arrays of an .npz file by name; those that are not needed are None."""
    if data[:2] != b"PK":
        hint = "; np.save writes this, np.savez writes .npz" if data[:6] == b"\x93NUMPY" else ""
        raise DataError(f"this is not an .npz file{hint}")
    _check_directory(data)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            names = [entry.filename.removesuffix(".npy") for entry in entries]
            if len(names) > MAX_ARRAYS:
                raise DataError(f"a data file has at most {MAX_ARRAYS} arrays, got {len(names)}")
            if twice := next((name for name in names if names.count(name) > 1), None):
                raise DataError(f"the array {show(twice)} is in this file twice")
            needed = {n: e for n, e in zip(names, entries, strict=True) if n in _NUMBERS + _TEXTS}
            if sum(entry.file_size for entry in needed.values()) > MAX_DATA_MB << 20:
                raise DataError(f"unpacked, its arrays have more than {MAX_DATA_MB} MB")
            found: dict[str, Any] = dict.fromkeys(names)
            for name, entry in needed.items():
                raw = _unpack(archive, entry, name)
                array = _npy_array(name, raw)
                found[name] = array if name in _NUMBERS else _texts(name, array)
            return found
    except DataError:
        raise
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError,
            ValueError) as error:  # fmt: skip
        raise DataError(f"this .npz file is damaged: {show(str(error))}") from None


def _check_directory(data: bytes) -> None:
    """Refuse a directory that would take long to read, before the library reads it.

    NumPy's files end with the record that says how long it is: no comment follows, and nothing
    about files of more than 4 GB comes before it.
    """
    end = data[-_END_OF_ZIP:]
    before = data[-_END_OF_ZIP - _ZIP64_LOCATOR : -_END_OF_ZIP]
    if end[:4] != b"PK\x05\x06" or end[-2:] != b"\0\0" or before[:4] == b"PK\x06\x07":
        raise DataError("this .npz file is cut off, or was not written by np.savez")
    if int.from_bytes(end[12:16], "little") > MAX_ARRAYS * _DIRECTORY:
        raise DataError(f"a data file has at most {MAX_ARRAYS} arrays, and this has more")


def _unpack(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str) -> bytes:
    if entry.flag_bits & 1:
        raise DataError("this .npz file is encrypted")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise DataError("this .npz file is packed in a way that np.savez does not use")
    with archive.open(entry) as stream:
        raw = stream.read(entry.file_size + 1)
    if len(raw) != entry.file_size:
        raise DataError(f"the array {name!r} has {len(raw):,} bytes, not {entry.file_size:,}")
    return raw


def _npy_array(name: str, raw: bytes) -> NDArray[Any]:
    """An array in NumPy's format whose header fits the bytes that are there."""
    stream = io.BytesIO(raw)
    try:
        with warnings.catch_warnings():  # headers of Python 2
            warnings.simplefilter("ignore")
            version = np.lib.format.read_magic(stream)
            if version == (1, 0):
                read_header = np.lib.format.read_array_header_1_0
            elif version == (2, 0):
                read_header = np.lib.format.read_array_header_2_0
            else:
                raise ValueError(f"version {version} of NumPy's format")
            shape, is_fortran, kind = read_header(stream, max_header_size=_NPY_HEADER)
    except (ValueError, SyntaxError, TypeError, OverflowError, RecursionError, MemoryError,
            tokenize.TokenError) as error:  # fmt: skip
        reason = str(error).split("\n")[0][:100]
        raise DataError(f"the array {name!r} cannot be read: {show(reason)}") from None
    if kind.hasobject:
        raise DataError(
            f"the array {name!r} holds Python objects, which can run programs and are not read; "
            f"write np.array({name}) of plain {'texts' if name in _TEXTS else 'numbers'}"
        )
    if name in _NUMBERS:
        _check_number_type(name, kind)
    elif kind.kind not in "US":
        raise DataError(f"the array {name!r} must hold texts, got {kind}")
    elif kind.itemsize > 4 * MAX_TOKEN:
        raise DataError(f"{name} must have at most {MAX_TOKEN} characters each, got {kind}")
    _check_shape(name, shape)
    expected, there = math.prod(shape) * kind.itemsize, len(raw) - stream.tell()
    if expected != there or not kind.itemsize:
        raise DataError(
            f"the array {name!r} says that it has shape {shape} of {kind}, which is {expected:,} "
            f"bytes, and has {there:,}"
        )
    array = np.frombuffer(raw, kind, offset=stream.tell())
    return array.reshape(shape, order="F" if is_fortran else "C")


def _check_number_type(name: str, kind: np.dtype[Any]) -> None:
    if kind.kind == "f" and kind.itemsize in (2, 4, 8):
        return
    hint = "; .npz has no bfloat16: write them as float32" if kind == np.dtype("V2") else ""
    raise DataError(f"the array {name!r} must hold float16, float32 or float64, got {kind}{hint}")


def _check_shape(name: str, shape: Sequence[Any]) -> None:
    whole = all(isinstance(n, int) and not isinstance(n, bool) and n > 0 for n in shape)
    if len(shape) > _MAX_AXES or not whole:
        raise DataError(f"the array {name!r} has no shape that can be: {show(str(shape)[:60])}")


def _texts(name: str, array: NDArray[Any]) -> list[str]:
    """The texts of an array (T,) of text, or of bytes in UTF-8."""
    if array.ndim != 1:
        raise DataError(f"the array {name!r} must have one axis, got shape {array.shape}")
    if array.dtype.kind == "U":  # NumPy makes texts of anything
        codes = array.view(np.dtype("u4").newbyteorder(array.dtype.byteorder))
        if codes.max() > sys.maxunicode:
            raise DataError(f"the array {name!r} has numbers that are no characters")
    try:
        found = array.tolist()
        texts = [text if isinstance(text, str) else text.decode() for text in found]
    except (UnicodeDecodeError, ValueError):
        raise DataError(f"the array {name!r} has texts that are not UTF-8") from None
    return _checked_texts(name, texts)


def _checked_texts(name: str, texts: Any) -> list[str]:
    """Texts that can be written: no halves of a character."""
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise DataError(f"{name} must be a list of texts")
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        raise DataError(f"{name} must be texts, and one of them has half a character") from None
    return texts


# --- .safetensors ---


def _read_safetensors(data: bytes) -> dict[str, Any]:
    """The arrays of a .safetensors file by name; those that are not needed are None."""
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or length > len(data) - 8:
        raise DataError("this is not a .safetensors file, or it is cut off")
    if length > MAX_HEADER_MB << 20:
        raise DataError(f"the header of a data file has at most {MAX_HEADER_MB} MB")
    try:
        header = json.loads(data[8 : 8 + length].decode(), object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, DataError) else "its header is not JSON"
        raise DataError(f"this is not a .safetensors file: {reason}") from None
    if not isinstance(header, dict):
        raise DataError("this is not a .safetensors file: its header is no map")
    metadata = header.pop("__metadata__", {})
    if not isinstance(metadata, dict) or not all(isinstance(v, str) for v in metadata.values()):
        raise DataError("the metadata of this file must be texts by name")
    if len(header) > MAX_ARRAYS:
        raise DataError(f"a data file has at most {MAX_ARRAYS} arrays, got {len(header)}")
    content = memoryview(data)[8 + length :]
    places = {name: _place(name, told, len(content)) for name, told in header.items()}
    end = 0
    for name, (first, last) in sorted(places.items(), key=lambda one: one[1]):
        if first != end:
            what = "overlaps with another one" if first < end else "comes after a gap"
            raise DataError(f"the array {show(name)} {what}, which this format does not allow")
        end = last
    if end != len(content):
        raise DataError(f"this file has {len(content):,} bytes of numbers, and tells of {end:,}")
    found: dict[str, Any] = dict.fromkeys(header)
    for name in _NUMBERS:
        if name in header:
            found[name] = _safe_array(name, header[name], content[slice(*places[name])])
    for name in _TEXTS:
        if name in metadata:
            found[name] = _metadata_texts(name, metadata[name])
        else:
            found.pop(name, None)
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise DataError(f"it has {show(twice)} twice")
    return found


def _place(name: str, told: Any, size: int) -> tuple[int, int]:
    """Where an array lies, inside of the numbers."""
    offsets = told.get("data_offsets") if isinstance(told, dict) else None
    match offsets:
        case [int(first), int(last)] if 0 <= first <= last <= size:
            return first, last
    raise DataError(f"the array {show(name)} lies outside of the file, or nowhere")


def _safe_array(name: str, told: Mapping[str, Any], raw: memoryview) -> NDArray[Any]:
    kind, shape = told.get("dtype"), told.get("shape")
    if not isinstance(kind, str) or kind not in _SAFE_TYPES:
        types = join_names(_SAFE_TYPES)
        raise DataError(f"the array {name!r} must hold {types}, got {show(kind)}")
    if not isinstance(shape, list):
        raise DataError(f"the array {name!r} has no shape")
    _check_shape(name, shape)
    stored = np.dtype(_SAFE_TYPES[kind])
    if math.prod(shape) * stored.itemsize != len(raw):
        raise DataError(
            f"the array {name!r} says that it has shape {tuple(shape)} of {kind}, which is "
            f"{math.prod(shape) * stored.itemsize:,} bytes, and has {len(raw):,}"
        )
    array = np.frombuffer(raw, stored).reshape(shape)
    # A bfloat16 is the upper half of a float32.
    return (array.astype("<u4") << 16).view("<f4") if kind == "BF16" else array


def _metadata_texts(name: str, text: str) -> list[str]:
    try:
        return _checked_texts(name, json.loads(text))
    except (ValueError, RecursionError) as error:
        reason = f": {error}" if isinstance(error, DataError) else ""
        raise DataError(f"{name} in the metadata must be a list of texts in JSON{reason}") from None
