"""The files in `templates`, filled in."""

from __future__ import annotations

from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

_FILES = Environment(
    loader=PackageLoader("clockhead"),
    undefined=StrictUndefined,
    keep_trailing_newline=True,
    trim_blocks=True,
)


def render_template(template: str, **values: Any) -> str:
    """The text of a template with these values in it."""
    return _FILES.get_template(f"{template}.jinja").render(values)
