"""Plain text as LaTeX, for any engine and any deck: nothing in it is taken for markup."""

from __future__ import annotations

import re
import unicodedata

from pylatexenc.latexencode import unicode_to_latex

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "#": r"\#",
    "$": r"\$",
    "%": r"\%",
    "&": r"\&",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_VISIBLE = _SPECIAL | {
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    '"': r"{\char34}",
    "√": r"\ensuremath{\surd}",
}
"""Without what old encodings show as other characters, and what languages of babel redefine."""
_LIGATURE = re.compile(r"([-,'])(?=\1)")
"""What fonts draw as one: `--`, `,,`, `''`."""
_INDEX = {"<super>": "^", "<sub>": "_"}
_ODD = frozenset("↜↝⇅⇵∟∯∰∱∻∾≆≋≌≙≛≸≹⊧⊨⊫⊶⊷⊹⊾⋘⋙⋨⋰⌆⌕⨏⨖")
"""Signs for which pylatexenc has commands that neither LaTeX nor amssymb has."""
_LAST_LATIN = "\u00ff"
"""All engines can set letters up to this one."""
LETTER = r"""\providecommand{\clockheadletter}[1]{%
  \ifdefined\pdftexversion\ifcsname u8:\detokenize{#1}\endcsname#1\else?\fi\else#1\fi}"""
"""What visible texts need: pdflatex shows `?` for a letter that it has no font for."""


def visible_tex(text: str) -> str:
    """A text on one line that LaTeX sets. Letters stay letters, signs become formulas."""
    return "".join(map(_visible, _parted(text))).replace("\0", "{}")


def spoken_tex(text: str) -> str:
    """A text on one line that LaTeX only hands on: for alternative texts and bookmarks."""
    return "".join(_SPECIAL.get(letter, letter) for letter in _parted(text)).replace("\0", "{}")


def _parted(text: str) -> str:
    """The text on one line, with a NUL between letters that would become one."""
    return _LIGATURE.sub("\\1\0", " ".join(text.split()))


def _visible(letter: str) -> str:
    if letter in _VISIBLE or letter.isascii():
        return _VISIBLE.get(letter, letter)
    kind, _, code = unicodedata.decomposition(letter).partition(" ")
    if kind in _INDEX and " " not in code:
        base = chr(int(code, 16))
        return rf"\ensuremath{{{_INDEX[kind]}{{\mathrm{{{_visible(base)}}}}}}}"
    options = {"unknown_char_policy": "keep", "unknown_char_warning": False}
    sign = str(unicode_to_latex(letter, **options))
    if sign.startswith(r"\ensuremath") and letter not in _ODD and r"\mathscr" not in sign:
        return sign
    if letter <= _LAST_LATIN:
        return letter
    return rf"\clockheadletter{{{letter}}}"
