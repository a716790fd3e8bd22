r"""How tokens are shown: as text that can be read, with a sign for each space.

Tokenizers write a space before a word in different ways: GPT-2 and its heirs as `Ġ` (they write
every byte as a letter, so that "é" is `Ã©`), SentencePiece as `▁`, and `<0x0A>` for the byte 10.
Shown are `␣the`, `é` and `\n`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from clockhead.model.characters import hidden_character

MAX_LABEL = 20
"""The most characters of a label; longer ones lose their middle."""
SPACE = "␣"
_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")
_FORMULA_SIGNS = re.compile(r"\\(?=[()\[\]$*_`<~]|$)")
"""A backslash that a sentence would read together with the sign after it."""


def _byte_letters() -> dict[str, int]:
    """The letter of each byte, as GPT-2's tokenizer chose them.

    Bytes that can be printed stand for themselves, all others for the letters from 256 on.
    """
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(0x100) if byte not in printable]
    letters = {chr(byte): byte for byte in printable}
    return letters | {chr(0x100 + number): byte for number, byte in enumerate(others)}


_BYTES = _byte_letters()
_SPACED, _BROKEN = "Ġ", "Ċ"


def token_labels(tokens: Sequence[str]) -> tuple[str, ...]:
    """The text that shows each token, at most `MAX_LABEL` characters long; quotes for an empty one.

    The letters of bytes are read as such if any token has `Ġ` or `Ċ`, since words of a text that is
    not written in bytes may have the same letters.
    """
    in_bytes = any(sign in token for token in tokens for sign in (_SPACED, _BROKEN))
    return tuple(shorten(escape(_text(token, in_bytes))) or '""' for token in tokens)


def escape(text: str, drawable: str | None = None) -> str:
    r"""A text with a sign for each space and an escape (`\n`, `\u200b`) for what cannot be seen.

    With `drawable`, all characters that are not in it are escaped as well.
    """
    shown = _FORMULA_SIGNS.sub(r"\\x5c", text).replace(" ", SPACE)
    is_hidden = hidden_character(shown) is not None
    return "".join(
        _escaped(character)
        if (is_hidden and _is_control(character))
        or (unicodedata.category(character)[0] == "Z")
        or character in "\t\n\r"
        or (not at and unicodedata.combining(character))
        or (drawable is not None and character not in drawable)
        else character
        for at, character in enumerate(shown)
    )


def shorten(label: str) -> str:
    """A label without its middle if it is too long."""
    if len(label) <= MAX_LABEL:
        return label
    end = MAX_LABEL // 3
    return f"{label[: MAX_LABEL - end - 1]}…{label[-end:]}"


def _text(token: str, in_bytes: bool) -> str:
    if in_bytes and token and all(character in _BYTES for character in token):
        return bytes(_BYTES[character] for character in token).decode(errors="backslashreplace")
    if byte := _BYTE.fullmatch(token):
        return bytes([int(byte[1], 16)]).decode(errors="backslashreplace")
    return token.replace("▁", " ")


def _is_control(character: str) -> bool:
    return unicodedata.category(character)[0] == "C"


def _escaped(character: str) -> str:
    known = {"\n": r"\n", "\t": r"\t", "\r": r"\r"}
    number = ord(character)
    if character in known:
        return known[character]
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
