"""Imported first by the fork server: it ends with the process that started it.

Once it has imported everything it notices that by itself; but what it imports may never return.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
from types import FrameType

_PARENT, _MAIN = "CLOCKHEAD_PARENT", "main"
_SECONDS = 1.0
"""Between two looks whether the parent is there."""
_PR_SET_PDEATHSIG = 1


def environment() -> dict[str, str]:
    """What tells a process that is started now, and that imports this, whose child it is."""
    # Linux takes the end of the thread that has started a process for the end of its parent.
    is_main = threading.current_thread() is threading.main_thread()
    return {_PARENT: f"{os.getpid()} {_MAIN if is_main else 'other'}"}


def loosen() -> None:
    """Look no more: everything is imported."""
    if _told:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def _follow(parent: int, thread: str) -> None:
    if thread == _MAIN and sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)

    def look(_: int, __: FrameType | None) -> None:
        if os.getppid() != parent:
            os._exit(1)

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, _SECONDS, _SECONDS)


_told = os.environ.pop(_PARENT, "")  # it is not meant for the processes of this one
if _told:
    _pid, _thread = _told.split()
    _follow(int(_pid), _thread)
