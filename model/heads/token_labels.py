r"""Readable labels of tokens, with a sign for each space.

Tokenizers spell the space before a word in different ways: GPT-2 and its descendants as `Ġ` (they
spell every byte as a letter, so that "é" is `Ã©`), SentencePiece as `▁`, and the byte 10 as
`<0x0A>`. The labels are `␣the`, `é` and `\n`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from clockhead.model.characters import hidden_character

MAX_LABEL = 20
"""Largest number of characters of a label; longer ones are cut in the middle."""
SPACE = "␣"
_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")
_FORMULA_SIGNS = re.compile(r"\\(?=[()\[\]$*_`<~]|$)")
"""A backslash that a sentence would read as markup together with the next character."""


def _byte_letters() -> dict[str, int]:
    """The byte of each letter in GPT-2's spelling.

    Printable bytes are spelled as themselves, all others as characters from 256 on.
    """
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(0x100) if byte not in printable]
    letters = {chr(byte): byte for byte in printable}
    return letters | {chr(0x100 + number): byte for number, byte in enumerate(others)}


_BYTES = _byte_letters()
_SPACE_LETTER, _NEWLINE_LETTER = "Ġ", "Ċ"


def token_labels(tokens: Sequence[str]) -> tuple[str, ...]:
    """A readable label for each token, of at most `MAX_LABEL` characters; `""` for an empty token.

    Tokens are decoded from GPT-2's spelling only if one of them has `Ġ` or `Ċ`, because the same
    letters may also occur in other spellings.
    """
    in_bytes = any(sign in token for token in tokens for sign in (_SPACE_LETTER, _NEWLINE_LETTER))
    return tuple(shorten(escape(_text(token, in_bytes))) or '""' for token in tokens)


def escape(text: str, drawable: str | None = None) -> str:
    r"""`text` with a sign for each space and escapes (`\n`, `\u200b`) for invisible characters.

    With `drawable`, all characters outside it are escaped as well.
    """
    shown = _FORMULA_SIGNS.sub(r"\\x5c", text).replace(" ", SPACE)
    is_hidden = hidden_character(shown) is not None
    return "".join(
        _escape(character)
        if (is_hidden and _is_control(character))
        or (unicodedata.category(character)[0] == "Z")
        or character in "\t\n\r"
        or (not at and unicodedata.combining(character))
        or (drawable is not None and character not in drawable)
        else character
        for at, character in enumerate(shown)
    )


def shorten(label: str) -> str:
    """Replace the middle of a label by an ellipsis if it is longer than `MAX_LABEL`."""
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


def _escape(character: str) -> str:
    known = {"\n": r"\n", "\t": r"\t", "\r": r"\r"}
    number = ord(character)
    if character in known:
        return known[character]
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
