"""What a film of other inputs is called, so that it lies beside the film as it was."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable

from clockhead.storyboard.inputs import Setting

LONGEST = 40
_DIGITS = 6
"""Of the hash that stands for what a name cannot hold."""


def variant(name: str, settings: Iterable[Setting]) -> str:
    """`rope` with `d_head=64` is `rope-d_head-64`; what is too long or odd ends in a hash."""
    parts = [_written(setting) for setting in settings]
    whole = "-".join([name, *parts])
    plain = re.sub(r"[^a-z0-9_]+", "-", whole.lower().replace(".", "_")).strip("-")
    if len(plain) <= LONGEST and all(re.fullmatch(r"[a-z0-9_. -]*", part) for part in parts):
        return plain
    digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:_DIGITS]
    return f"{plain[: LONGEST - _DIGITS - 1].rstrip('-')}-{digest}"


def _written(setting: Setting) -> str:
    value = setting.given.value
    text = value if isinstance(value, str) else json.dumps(value)
    return "-".join(part for part in (setting.shot, setting.name, text) if part)
