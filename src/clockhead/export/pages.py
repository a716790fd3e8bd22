"""What exported pages share: templates, letters, texts of their own, and a security policy."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib import resources

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from clockhead.scenes.style.face import FONT_DIR
from clockhead.scenes.style.fonts import Font, may_be_embedded, single_font

FACES = {400: "SourceSansPro-Regular.otf", 600: "SourceSansPro-Semibold.otf"}
"""Files of the films' font, by weight."""
FONT_LICENCE = "LICENSE.txt"
"""The font's licence asks that this goes with every copy."""
_LANGUAGES = ("en", "de")
_POLICY_PLACE = "<!-- Content-Security-Policy -->"
"""In templates, before everything that the policy applies to."""
_INLINE = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)


def templates(package: str, folder: str) -> Environment:
    """The Jinja templates of pages in a folder of a package."""
    return Environment(
        loader=PackageLoader(package, folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def read_asset(path: str) -> bytes:
    """A file in `assets/`."""
    return resources.files("clockhead.export").joinpath("assets", path).read_bytes()


def read_font_file(name: str) -> bytes:
    """One of `FACES`, or `FONT_LICENCE`."""
    return (FONT_DIR / name).read_bytes()


def own_font_files(fonts: Sequence[Font]) -> dict[int, tuple[str, bytes]]:
    """The user's font in place of the films' font, by weight: names and contents of its files.

    It is empty if there is none, or its licence does not allow that pages carry it.
    """
    found = {}
    for weight, name in ((400, "regular"), (600, "semibold")):
        font = next((one for one in fonts if name in one.replaces), None)
        if font is not None and may_be_embedded(font):
            content = single_font(font, weight)
            ending = "otf" if content.startswith(b"OTTO") else "ttf"
            found[weight] = (f"fonts/own-{weight}.{ending}", content)
    return found


def select_texts(texts: Mapping[str, tuple[str, str]], language: str) -> tuple[str, dict[str, str]]:
    """The language of a document's own texts, and the texts: English if it has no others.

    `texts` are in English and German.
    """
    column = _LANGUAGES.index(language) if language in _LANGUAGES else 0
    return _LANGUAGES[column], {name: forms[column] for name, forms in texts.items()}


def mark_language(language: str, around: str) -> Markup:
    """The `lang` attribute of texts in one language on a page in another; else nothing."""
    return Markup(f' lang="{language}"') if language != around else Markup()


def add_policy(page: str, *, window: str = "", styles: str = "", own: str = "") -> str:
    """The page with a Content-Security-Policy: it loads its own media and runs its own scripts.

    Inline scripts and styles are allowed by their hashes. `window` is the text of a window that the
    page opens, which has the same policy; `styles` are sources of styles instead of hashes; `own`
    is the source of further scripts and of frames.
    """
    hashes: dict[str, list[str]] = {"script": [], "style": []}
    for kind, content in _INLINE.findall(page + window):
        hashes[kind].append(f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'")
    allowed = {
        "default-src": "'none'",
        "script-src": " ".join([*hashes["script"], own]).strip(),
        "style-src": styles or " ".join(hashes["style"]),
        "img-src": "'self' data:",
        "media-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self'",
        "frame-src": own or "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    policy = "; ".join(f"{name} {sources}" for name, sources in allowed.items())
    tag = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    return page.replace(_POLICY_PLACE, tag, 1)
