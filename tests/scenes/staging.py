"""Plays a stage to its end without drawing its frames."""

from collections.abc import Callable

from manim import tempconfig

from scenes.stage import Shot, Stage

FRAMES = {"16:9": (160, 90), "4:3": (120, 90), "1:1": (90, 90), "9:16": (90, 160)}
"""Pixels. What is measured is measured in units, so few of them will do."""


def play(
    stage: type[Stage],
    shot: Shot | None = None,
    *,
    aspect: str = "16:9",
    on_play: Callable[[Stage], None] | None = None,
) -> Stage:
    """Run every play of `stage` to its end; `on_play` sees each of those moments."""
    width, height = FRAMES[aspect]
    options = {
        "dry_run": True,
        "pixel_width": width,
        "pixel_height": height,
        "frame_width": 8 * width / min(width, height),
        "frame_height": 8 * height / min(width, height),
        "frame_rate": 15,
    }
    with tempconfig(options):
        scene = stage(shot, on_play=on_play, skip_animations=True)
        scene.render()
    return scene
