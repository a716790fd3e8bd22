"""What exported pages share: templates, files, fonts, texts of their own, and a security policy."""

from __future__ import annotations

import io
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path, PurePath
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from PIL import Image

from clockhead import atomic
from clockhead.look import FilmLook
from clockhead.places import PACKAGE
from clockhead.scenes.style.face import FONT_DIR
from clockhead.scenes.style.fonts import Font, may_be_embedded, single_font

FACES = {400: "SourceSansPro-Regular.otf", 600: "SourceSansPro-Semibold.otf"}
"""Files of the films' font, by weight."""
FONT_LICENCE = "LICENSE.txt"
"""The font's licence asks that this goes with every copy."""
_LANGUAGES = ("en", "de")
_MEDIA_TYPES = {
    ".csv": "text/csv",
    ".json": "application/json",
    ".mp4": "video/mp4",
    ".otf": "font/otf",
    ".ttf": "font/ttf",
    ".vtt": "text/vtt",
    ".webp": "image/webp",
}
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
    return (PACKAGE / "export/assets" / path).read_bytes()


_TEMPLATES = templates("clockhead.export", "assets")
_TEMPLATES.globals["asset"] = lambda path: Markup(read_asset(path).decode())


def render_page(
    template: str,
    look: FilmLook,
    texts: Mapping[str, tuple[str, str]],
    *,
    policy: Mapping[str, str] = {},
    **values: Any,
) -> str:
    """A page made of a template in `assets/`, in the colours and the language of a look.

    `texts` are the page's own, in English and German; `policy` are arguments of `add_policy`.
    """
    language, chosen = select_texts(texts, look.language)
    page = _TEMPLATES.get_template(template).render(
        look=look,
        colors=look.colors,
        paper=look.own.paper,
        texts=chosen,
        # The attribute of elements with texts in another language than the page.
        own=Markup(f' lang="{language}"') if language != look.language else "",
        **values,
    )
    return add_policy(page, **policy)


class PageFiles:
    """The files of a page by their addresses: beside it, or inside it as `data:` addresses."""

    def __init__(self, *, inside: bool = False) -> None:
        self.inside = inside
        self.beside: dict[str, bytes] = {}

    def add(self, name: str, content: bytes) -> str:
        """Add a file; return its address."""
        if self.inside:
            return data_address(name, content)
        self.beside[name] = content
        return name

    def add_fonts(self, own: Sequence[Font], above: str = "") -> dict[str, Any]:
        """Add the films' font, its licence and the user's `own` font.

        Returns addresses as templates take them; they begin with `above`.
        """
        if not self.inside:  # a page with everything inside has the licence in its style
            self.add(f"fonts/{FONT_LICENCE}", (FONT_DIR / FONT_LICENCE).read_bytes())
        faces = {w: (f"fonts/{name}", (FONT_DIR / name).read_bytes()) for w, name in FACES.items()}
        return {
            name: {weight: above + self.add(*file) for weight, file in files.items()}
            for name, files in (("faces", faces), ("own_faces", own_font_files(own)))
        }

    def write(self, page: Path, html: str) -> Iterator[Path]:
        """Write a page and the files beside it; return their paths, the page first."""
        for name, content in {**self.beside, page.name: html.encode()}.items():
            atomic.write(page.parent / name, content)
        yield page
        yield from (page.parent / name for name in self.beside)


def data_address(name: str, content: bytes) -> str:
    """A file as a `data:` address."""
    return f"data:{_MEDIA_TYPES[PurePath(name).suffix]};base64,{b64encode(content).decode()}"


def to_webp(picture: Image.Image, **options: Any) -> bytes:
    """A picture as WebP."""
    file = io.BytesIO()
    picture.save(file, "webp", **options)
    return file.getvalue()


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
