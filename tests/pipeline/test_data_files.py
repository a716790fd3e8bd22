"""Data files: what NumPy and safetensors write is read, and files that lie are refused.

A file that lies costs neither memory nor time: what it tells is compared with what is there first.
"""

import io
import json
import os
import pickle
import re
import signal
import struct
import tracemalloc
import zipfile
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.attention.pattern import pattern_from_scores
from clockhead.scenes.style.fonts import drawing_with, read_font
from clockhead.storyboard import data_files
from clockhead.storyboard.data_files import DataError, drawable_label, read_data
from tests.fonts import HEBREW

TOKENS = ["<s>", "▁the", "▁cat", "\n", "א"]
SCORES = np.random.default_rng(3).normal(size=(2, 3, 5, 5))
PATTERNS = pattern_from_scores(SCORES)
MASKED = np.where(np.tri(5, dtype=bool), SCORES, -np.inf)
WHOLE = {
    "tokens": np.array(TOKENS),
    "patterns": PATTERNS.astype(np.float32),
    "scores": MASKED.astype(np.float32),
    "logits": np.arange(10, dtype=np.float16).reshape(5, 2),
    "vocabulary": np.array(["yes", "no"]),
}


def npy(header: dict | str | bytes, body: bytes = b"", version: tuple[int, int] = (1, 0)) -> bytes:
    """An array in NumPy's format with any header."""
    text = header if isinstance(header, bytes) else str(header).encode() + b"\n"
    length = struct.pack("<H" if version == (1, 0) else "<I", len(text))
    return b"\x93NUMPY" + bytes(version) + length + text + body


def told(shape: object, kind: object = "<f8", order: object = False) -> dict:
    return {"descr": kind, "fortran_order": order, "shape": shape}


def written(array: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def npz(**arrays: bytes | np.ndarray) -> bytes:
    """An .npz file of these arrays, or of other bytes in their place."""
    whole = {"tokens": WHOLE["tokens"], "patterns": WHOLE["patterns"]} | arrays
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in whole.items():
            raw = content if isinstance(content, bytes) else written(content)
            archive.writestr(f"{name}.npy", raw)
    return stream.getvalue()


def safe(header: object, body: bytes = b"") -> bytes:
    """A .safetensors file with any header."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + body


def safetensors(kind: str = "F32", tokens: object = TOKENS, **changes: object) -> bytes:
    """A .safetensors file with patterns and tokens, and changes to what it tells of patterns."""
    stored = {"F16": "<f2", "F32": "<f4", "F64": "<f8"}
    if kind == "BF16":
        body = ((PATTERNS.astype("<f4").view("<u4") + 0x8000) >> 16).astype("<u2").tobytes()
    else:
        body = PATTERNS.astype(stored.get(kind, "<f4")).tobytes()
    patterns = {"dtype": kind, "shape": PATTERNS.shape, "data_offsets": [0, len(body)]}
    names = tokens if isinstance(tokens, str) else json.dumps(tokens)
    return safe({"__metadata__": {"tokens": names}, "patterns": patterns | changes}, body)


@contextmanager
def bounded(megabytes: int = 48, seconds: int = 20):
    """A block that needs little memory, and ends."""

    def give_up(*_):
        raise AssertionError("this has no end")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(seconds)
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < megabytes << 20
    finally:
        tracemalloc.stop()
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def refusal(tmp_path: Path, content: bytes, ending: str) -> str:
    file = tmp_path / f"heads.{ending}"
    file.write_bytes(content)
    with bounded(), pytest.raises(DataError) as error:
        read_data(file)
    message = str(error.value)
    assert len(message) < 600
    assert message.isprintable()
    return message


# --- What libraries write ---


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_what_numpy_writes_is_read(tmp_path, save):
    save(tmp_path / "heads.npz", **WHOLE, other=np.array(["not read", {}], dtype=object))
    file, found = read_data(tmp_path / "heads.npz")
    assert (file.name, len(file.digest)) == ("heads.npz", 64)
    assert found.tokens == tuple(TOKENS)
    assert_allclose(found.patterns, PATTERNS, atol=1e-6)
    assert_allclose(found.scores, MASKED, atol=1e-6)
    assert_array_equal(found.logits, WHOLE["logits"])
    assert found.vocabulary == ("yes", "no")


@pytest.mark.parametrize("kind", ["<f2", "<f4", "<f8", ">f2", ">f4", ">f8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_every_float_in_every_order(tmp_path, kind, order):
    patterns = np.array(PATTERNS, dtype=kind, order=order)
    np.savez(tmp_path / "heads.npz", tokens=np.array(TOKENS, dtype=">U9"), patterns=patterns)
    assert_allclose(read_data(tmp_path / "heads.npz")[1].patterns, PATTERNS, atol=1e-3)


def test_tokens_may_be_bytes(tmp_path):
    tokens = np.array([token.encode() for token in TOKENS])
    np.savez(tmp_path / "heads.npz", tokens=tokens, patterns=PATTERNS)
    assert read_data(tmp_path / "heads.npz")[1].tokens == tuple(TOKENS)


@pytest.mark.parametrize("kind", ["F64", "F32", "F16", "BF16"])
def test_what_safetensors_writes_is_read(tmp_path, kind):
    (tmp_path / "heads.safetensors").write_bytes(safetensors(kind))
    found = read_data(tmp_path / "heads.safetensors")[1]
    assert found.tokens == tuple(TOKENS)
    assert_allclose(found.patterns, PATTERNS, atol=4e-3)
    assert found.row_error < 5e-3


def test_a_file_of_the_library_itself():
    # safetensors 0.8.0 wrote it: save_file({"patterns": ..., "ids": ...}, metadata={"tokens": ...})
    file = Path(__file__).with_name("heads.safetensors")
    found = read_data(file)[1]
    assert found.tokens == ("a", "Ġb", "a")
    assert_allclose(found.patterns, [[[[1, 0, 0], [0.25, 0.75, 0], [0.5, 0, 0.5]]]], atol=1e-3)
    assert found.labels == ("a", "␣b", "a")


def test_scores_and_logits_in_safetensors(tmp_path):
    places, body, header = 0, b"", {}
    arrays = {name: WHOLE[name].astype("<f4") for name in ("scores", "patterns", "logits")}
    for name, array in arrays.items():
        end = places + array.nbytes
        header[name] = {"dtype": "F32", "shape": array.shape, "data_offsets": [places, end]}
        places, body = end, body + array.tobytes()
    header["__metadata__"] = {"tokens": json.dumps(TOKENS), "vocabulary": '["yes", "no"]'}
    (tmp_path / "heads.safetensors").write_bytes(safe(header, body))
    found = read_data(tmp_path / "heads.safetensors")[1]
    assert_allclose(found.scores, MASKED, atol=1e-6)
    assert_array_equal(found.logits, WHOLE["logits"])


def test_the_same_file_is_read_once_and_a_new_one_anew(tmp_path):
    file = tmp_path / "heads.npz"
    np.savez(file, tokens=WHOLE["tokens"], patterns=PATTERNS)
    first = read_data(file)
    assert read_data(file)[1].patterns is first[1].patterns
    np.savez(file, tokens=WHOLE["tokens"], patterns=PATTERNS[:1])
    second = read_data(file)
    assert second[0] != first[0]
    assert second[1].n_layers == 1


def test_labels_are_what_the_fonts_can_draw():
    assert drawable_label("␣the") == "␣the"
    assert drawable_label("a中") == r"a\u4e2d"
    assert drawable_label("א" * 9).startswith(r"\u05d0")
    assert len(drawable_label("א" * 9)) <= 20
    with drawing_with((read_font(HEBREW),)):
        assert drawable_label("א中") == r"א\u4e2d"


# --- Files that lie ---

ROWS = (2, 3, 5, 5)
BODY = PATTERNS.tobytes()


class Bomb:
    def __reduce__(self):
        return os.mkdir, ("/tmp/clockhead-was-unpickled",)


LIARS = {
    "larger than it is": (npz(patterns=npy(told((2, 3, 500, 500)), BODY)), "which is"),
    "much larger": (npz(patterns=npy(told((48, 64, 512, 512)), BODY)), "which is"),
    "without end": (npz(patterns=npy(told((2**62, 2**62, 2**62, 2**62)), BODY)), "which is"),
    "smaller than it is": (npz(patterns=npy(told((1, 3, 5, 5)), BODY)), "which is"),
    "negative": (npz(patterns=npy(told((-2, -3, 5, 5)), BODY)), "no shape"),
    "empty": (npz(patterns=npy(told((0, 2**60, 2**60, 5)))), "no shape"),
    "true": (npz(patterns=npy(told((True, 6, 5, 5)), BODY)), "shape"),
    "many axes": (npz(patterns=npy(told((1,) * 60 + ROWS), BODY)), "no shape"),
    "no tuple": (npz(patterns=npy(told([2, 3, 5, 5]), BODY)), "cannot be read"),
    "no floats": (npz(patterns=npy(told(ROWS, "<i8"), BODY)), "float32"),
    "no numbers": (npz(patterns=npy(told(ROWS, "<U2"), BODY)), "float32"),
    "complex": (npz(patterns=npy(told((2, 3, 5, 5), "<c16"), BODY * 2)), "float32"),
    "structures": (npz(patterns=npy(told(ROWS, [("a", "<f8")]), BODY)), "float32"),
    "a huge type": (npz(patterns=npy(told((1,), ("<f8", (2**31 - 1,))), BODY)), "array"),
    "an unknown type": (npz(patterns=npy(told(ROWS, "<q9"), BODY)), "cannot be read"),
    "bfloat16": (npz(patterns=npy(told(ROWS, "|V2"), BODY[: len(BODY) // 4])), "bfloat16"),
    "objects": (npz(patterns=npy(told(ROWS, "|O"), pickle.dumps(Bomb()))), "Python objects"),
    "objects inside": (npz(patterns=npy(told((1,), [("a", "|O")]), BODY)), "Python objects"),
    "objects as tokens": (npz(tokens=np.array(TOKENS, dtype=object)), r"np\.array\(tokens\)"),
    "a pickle": (npz(patterns=pickle.dumps(Bomb())), "cannot be read"),
    "no keys": (npz(patterns=npy({"descr": "<f8"}, BODY)), "cannot be read"),
    "more keys": (npz(patterns=npy(told(ROWS) | {"x": 1}, BODY)), "cannot be read"),
    "a program": (npz(patterns=npy("__import__('os').mkdir('/tmp/clockhead-was-run')")), "cannot"),
    "deep": (npz(patterns=npy("(" * 4000 + ")" * 4000)), "cannot be read"),
    "a long header": (npz(patterns=npy(b"{" + b" " * 60_000 + b"}", BODY)), "cannot be read"),
    "a longer header": (npz(patterns=npy(b" " * 9_000_000, BODY, (2, 0))), "cannot be read"),
    "a half header": (npz(patterns=npy(told(ROWS))[:30]), "cannot be read"),
    "no UTF-8": (npz(patterns=npy(b"\xff\xfe{", BODY)), "cannot be read"),
    "a new version": (npz(patterns=npy(told(ROWS), BODY, (3, 0))), "cannot be read"),
    "an old header": (npz(patterns=npy("{'descr': '<f8', 'shape': (2L, 3L", BODY)), "cannot be"),
    "nothing": (npz(patterns=b""), "cannot be read"),
    "tokens that are numbers": (npz(tokens=np.arange(5)), "texts"),
    "tokens in two axes": (npz(tokens=np.array([TOKENS])), "one axis"),
    "one token": (npz(tokens=np.array("a")), "one axis"),
    "tokens without letters": (npz(tokens=npy(told((5,), "<U0"))), "which is"),
    "wide tokens": (npz(tokens=npy(told((5,), "<U999999"), b"a")), "256 characters"),
    "no characters": (npz(tokens=npy(told((5,), "<U1"), b"\xff" * 20)), "no characters"),
    "half characters": (npz(tokens=npy(told((5,), "<U1"), b"\0\xd8\0\0" * 5)), "half a character"),
    "no UTF-8 tokens": (npz(tokens=npy(told((5,), "|S1"), b"\xff" * 5)), "UTF-8"),
    "another number of tokens": (npz(tokens=np.array(TOKENS[:4])), "each of the 4 tokens"),
    "not a distribution": (npz(patterns=PATTERNS * 2), "row 0 of head 0.0 sums to 2"),
    "not known": (npz(patterns=PATTERNS * np.nan), "row 0 of head 0.0"),
    "no patterns": (npz()[:0] + npz(pattern=PATTERNS).replace(b"patterns", b"ignored1"),
                    "if 'pattern' is meant, call it 'patterns'"),
    "an odd name": (npz(**{"patterns\x01": PATTERNS}).replace(b"patterns.npy", b"ignored1.npy"),
                    "no array 'patterns'"),
    "no zip": (b"PK" + b"\0" * 99, "cut off"),
    "not even that": (b"", "not an .npz"),
    "an .npy": (written(PATTERNS), r"np\.savez"),
    "cut off": (npz()[:-30], "cut off"),
    "cut off at the start": (b"PK" + npz()[99:], "damaged"),
}  # fmt: skip


@pytest.mark.parametrize("case", LIARS)
def test_an_npz_that_lies_is_refused(tmp_path, case):
    content, named = LIARS[case]
    assert re.search(named, refusal(tmp_path, content, "npz"))
    assert not list(Path("/tmp").glob("clockhead-was-*"))


def test_a_bomb_is_not_unpacked(tmp_path):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("tokens.npy", written(WHOLE["tokens"]))
        with archive.open("patterns.npy", "w", force_zip64=True) as entry:
            for _ in range(300):
                entry.write(bytes(1 << 20))
    content = stream.getvalue()
    assert len(content) < 1 << 20
    assert "more than 256 MB" in refusal(tmp_path, content, "npz")


def test_a_bomb_that_tells_of_less_is_not_unpacked_either(tmp_path):
    content = bytearray(npz(patterns=bytes(100 << 20)))
    place = content.rindex(b"patterns.npy") - 46  # in the directory
    for at in (place + 24, content.index(b"patterns.npy") - 8):
        content[at : at + 4] = struct.pack("<I", 1000)
    assert "damaged" in refusal(tmp_path, bytes(content), "npz")


def test_a_directory_of_very_many_entries_is_not_read(tmp_path):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for number in range(3000):
            archive.writestr(f"{number}" * 20, b"")
    assert "at most 64 arrays" in refusal(tmp_path, stream.getvalue(), "npz")
    few = io.BytesIO()
    with zipfile.ZipFile(few, "w") as archive:
        for number in range(65):
            archive.writestr(f"{number}.npy", b"")
    assert "at most 64 arrays" in refusal(tmp_path, few.getvalue(), "npz")


@pytest.mark.parametrize("pack", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_other_packings_are_refused(tmp_path, pack):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", pack) as archive:
        archive.writestr("patterns.npy", written(PATTERNS))
    assert "packed" in refusal(tmp_path, stream.getvalue(), "npz")


def test_an_encrypted_one_and_a_double_are_refused(tmp_path):
    content = bytearray(npz())
    for sign, at in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        start = -1
        while (start := content.find(sign, start + 1)) >= 0:
            content[start + at] |= 1
    assert "encrypted" in refusal(tmp_path, bytes(content), "npz")
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("patterns.npy", written(PATTERNS))
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("patterns.npy", written(PATTERNS))
    assert "twice" in refusal(tmp_path, stream.getvalue(), "npz")


NAMED = {"__metadata__": {"tokens": json.dumps(TOKENS)}}
FOUR = {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}
SAFE_LIARS = {
    "outside": (safetensors(data_offsets=[0, 10**9]), "outside"),
    "before": (safetensors(data_offsets=[-4, 600]), "outside"),
    "backwards": (safetensors(data_offsets=[600, 0]), "outside"),
    "nowhere": (safetensors(data_offsets=None), "outside"),
    "three offsets": (safetensors(data_offsets=[0, 1, 2]), "outside"),
    "broken offsets": (safetensors(data_offsets=[0, 1.5]), "outside"),
    "not the whole file": (safetensors(data_offsets=[0, 400]), "bytes of numbers"),
    "after a gap": (safetensors(data_offsets=[200, 600]), "gap"),
    "overlap": (safe(NAMED | {"a": FOUR, "b": FOUR | {"data_offsets": [2, 6]}}, b"123456"),
                "overlaps"),
    "the same place": (safe(NAMED | {"a": FOUR, "b": FOUR}, b"1234"), "overlaps"),
    "larger than it is": (safetensors(shape=[2, 3, 500, 500]), "which is"),
    "without end": (safetensors(shape=[2**62] * 4), "which is"),
    "empty": (safetensors(shape=[0, 2**62, 2**62, 2**62]), "no shape"),
    "negative": (safetensors(shape=[-2, -3, 5, 5]), "no shape"),
    "true": (safetensors(shape=[True, 6, 5, 5]), "no shape"),
    "no shape": (safetensors(shape="2,3"), "no shape"),
    "many axes": (safetensors(shape=[1] * 60 + [2, 3, 5, 5]), "no shape"),
    "whole numbers": (safetensors(dtype="I32"), "must hold F64"),
    "no type": (safetensors(dtype=["F32"]), "must hold F64"),
    "no map": (safe([1]), "no map"),
    "no arrays": (safe({}), "no array 'tokens'"),
    "an array that is a number": (safe(NAMED | {"patterns": 3}), "outside"),
    "names twice": (safe(b'{"a": {}, "a": {}}'), "twice"),
    "no JSON": (safe(b"{patterns"), "not JSON"),
    "no UTF-8": (safe(b'{"\xff": 1}'), "not JSON"),
    "deep": (safe(b"[" * 100_000), "not JSON"),
    "a long number": (safe(b'{"a": ' + b"9" * 100_000 + b"}"), "not JSON"),
    "a huge header": (struct.pack("<Q", 2**63) + b"{}", "cut off"),
    "a large header": (struct.pack("<Q", 9 << 20) + bytes(9 << 20), "at most 8 MB"),
    "cut off": (safetensors()[:-7], "outside"),
    "nothing": (b"", "cut off"),
    "many arrays": (safe({f"a{n}": FOUR for n in range(99)}), "at most 64"),
    "no metadata": (safe({"__metadata__": 3}), "texts by name"),
    "metadata of lists": (safe({"__metadata__": {"tokens": TOKENS}}), "texts by name"),
    "tokens that are no list": (safetensors(tokens='"abc"'), "list of texts"),
    "tokens that are numbers": (safetensors(tokens=[1, 2, 3, 4, 5]), "list of texts"),
    "tokens that are no JSON": (safetensors(tokens="a b c"), "list of texts"),
    "deep tokens": (safetensors(tokens="[" * 99_999), "list of texts"),
    "half characters": (safetensors(tokens='["\\ud800", "a", "a", "a", "a"]'), "half a character"),
    "without tokens": (safe({"patterns": FOUR}, b"1234"), "no array 'tokens'"),
}  # fmt: skip


@pytest.mark.parametrize("case", SAFE_LIARS)
def test_safetensors_that_lie_are_refused(tmp_path, case):
    content, named = SAFE_LIARS[case]
    assert named in refusal(tmp_path, content, "safetensors")


def test_what_is_no_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe.npz")
    (tmp_path / "folder.npz").mkdir()
    (tmp_path / "link.npz").symlink_to(tmp_path / "link.npz")
    for name, named in (
        ("pipe.npz", "not an ordinary file"),
        ("folder.npz", "folder"),
        ("link.npz", "cannot be read"),
        ("none.npz", "no such file"),
        ("heads.pt", r"\.npz or \.safetensors"),
    ):
        with bounded(), pytest.raises(DataError, match=named):
            read_data(tmp_path / name)


def test_a_file_that_is_too_large_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(data_files, "MAX_DATA_MB", 1)
    assert "at most 1 MB" in refusal(tmp_path, bytes(2 << 20), "npz")


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data(), st.sampled_from(["npz", "safetensors"]))
def test_a_damaged_file_is_read_or_refused(tmp_path, data, ending):
    content = bytearray(npz() if ending == "npz" else safetensors())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at] = data.draw(st.integers(0, 255))
    file = tmp_path / f"heads.{ending}"
    file.write_bytes(bytes(content))
    with bounded(), suppress(DataError):
        assert_allclose(read_data(file)[1].patterns.sum(axis=-1), 1)
