"""Where the storyboards that come with Clockhead are."""

from pathlib import Path

_HERE = Path(__file__).resolve().parent


def installed_storyboards() -> Path:
    """The folder of the storyboards that come with this copy of Clockhead.

    A wheel carries them inside this package; a checkout has them beside it.
    """
    inside = _HERE / "storyboards"
    return inside if inside.is_dir() else _HERE.parent / "storyboards"
