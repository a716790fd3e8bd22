"""The Content-Security-Policy of exported pages: nothing runs but what was written into them."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

PLACE = "<!-- Content-Security-Policy -->"
"""Where a page's template wants it: before all that it is about."""
_INLINE = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)


def with_policy(page: str, *, window: str = "", styles: str = "", own: str = "") -> str:
    """A page that allows its inline scripts and styles, by their hashes, and its own media.

    `own` is where other scripts and frames of its own come from, `window` the text of a window that
    it opens, which has the same policy, and `styles` are sources of styles in place of hashes.
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
    return page.replace(PLACE, tag, 1)
