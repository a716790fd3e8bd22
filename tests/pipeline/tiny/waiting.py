"""Says which process draws it, and holds still while it is told to."""

import os
import time
from pathlib import Path

from clockhead.scenes.tiny.moving import Moving

from clockhead.scenes.stage import Steps, beat


class Waiting(Moving):
    @beat()
    def move(self) -> Steps:
        marks = Path(os.environ["MARKS"])
        (marks / f"pid-{os.getpid()}").touch()
        while (marks / "wait").exists():
            time.sleep(0.02)
        yield from super().move()
