"""Fails half way, as long as there is a file called `fail`."""

import os
from pathlib import Path

from clockhead.scenes.tiny.moving import Moving

from clockhead.scenes.stage import Steps, beat


class Broken(Moving):
    @beat()
    def move(self) -> Steps:
        yield from super().move()
        if (Path(os.environ["MARKS"]) / "fail").exists():
            raise RuntimeError("the square got lost")
