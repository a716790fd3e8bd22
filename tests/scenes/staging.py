"""Plays a stage to its end without drawing its frames."""

from collections.abc import Callable

from manim import tempconfig

from scenes.stage import Shot, Stage

FRAMES = {"16:9": (1280, 720), "4:3": (960, 720), "1:1": (720, 720), "9:16": (720, 1280)}


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
