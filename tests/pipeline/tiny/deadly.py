"""Kills its worker, as long as there is a file called `kill`."""

import os
import signal
from pathlib import Path

from clockhead.scenes.tiny.moving import Moving

from clockhead.scenes.stage import Steps, beat


class Deadly(Moving):
    @beat()
    def move(self) -> Steps:
        if (Path(os.environ["MARKS"]) / "kill").exists():
            os.kill(os.getpid(), signal.SIGKILL)
        yield from super().move()
