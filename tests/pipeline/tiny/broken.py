"""Fails half way, as long as there is a file called `fail`."""

import os
from pathlib import Path

from scenes.tiny.moving import Moving


class Broken(Moving):
    def construct(self) -> None:
        super().construct()
        if (Path(os.environ["MARKS"]) / "fail").exists():
            raise RuntimeError("the square got lost")
