"""The Content-Security-Policy of exported pages: nothing runs but what was written into them."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256

PLACE = "<!-- Content-Security-Policy -->"
"""Where a page's template wants it: before all that it is about."""
_INLINE = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)


def with_policy(page: str, *, scripts: str = "", frames: str = "", others: Iterable[str] = ()) -> str:
    """A page that allows its own inline scripts and styles, by their hashes, and its own files.

    `scripts` and `frames` are further sources of these, and `others` texts with inline scripts and
    styles of windows that the page opens: these have its policy, too.
    """
    hashes: dict[str, list[str]] = {"script": [], "style": []}
    for kind, content in (found for text in (page, *others) for found in _INLINE.findall(text)):
        hashes[kind].append(f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'")
    allowed = {
        "default-src": "'none'",
        "script-src": " ".join([*hashes["script"], scripts]).strip(),
        "style-src": " ".join([*hashes["style"], scripts]).strip(),
        "img-src": "'self' data:",
        "media-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self'",
        "frame-src": frames or "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    policy = "; ".join(f"{name} {sources}" for name, sources in allowed.items())
    tag = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    return page.replace(PLACE, tag, 1)
