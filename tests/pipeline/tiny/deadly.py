"""Kills its worker, as long as there is a file called `kill`."""

import os
import signal
from pathlib import Path

from scenes.tiny.moving import Moving


class Deadly(Moving):
    def construct(self) -> None:
        if (Path(os.environ["MARKS"]) / "kill").exists():
            os.kill(os.getpid(), signal.SIGKILL)
        super().construct()
