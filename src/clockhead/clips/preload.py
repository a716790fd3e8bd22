"""Imported once by the fork server, so that no worker has to: Manim, our side of it, and stages.

A worker imports what else it needs. What is broken is left for the worker that needs it, which can
say what is wrong; here it would take the server with it.
"""

from __future__ import annotations

import gc
import os
import signal
from contextlib import suppress
from importlib import import_module
from types import FrameType

_MODULES = (
    "clockhead.clips.examine",
    "clockhead.scenes.stage.layout_check",
    "clockhead.scenes.stage.translations",
    "numpy.random",
    "scipy.ndimage",
)
"""What every worker needs that draws a shot or examines one."""
_INTERVAL = 1.0
"""Seconds between two checks whether the parent is there."""


def _follow(parent: int) -> None:
    """End with the process that started this one.

    A fork server does so by itself once it has imported everything; but an import may never return.
    """

    def check(_: int, __: FrameType | None) -> None:
        if os.getppid() != parent:
            os._exit(1)

    signal.signal(signal.SIGALRM, check)
    signal.setitimer(signal.ITIMER_REAL, _INTERVAL, _INTERVAL)


def _import_all() -> None:
    import_module("clockhead.startup").isolate_manim()
    import_module("clockhead.clips.drawing").library_defaults()
    for module in _MODULES:
        import_module(module)
    first = os.environ.pop(import_module("clockhead.libraries").STAGES_FIRST, None)
    stages = import_module("clockhead.scenes.stage")
    for name in stages.stage_names() if first is None else first.split():
        with suppress(BaseException):
            stages.find_stage(name)
    import_module("clockhead.clips.fingerprint").sources_fingerprint()


_parent = os.environ.pop("CLOCKHEAD_PARENT", "")  # it is not meant for the processes of this one
if _parent:
    _follow(int(_parent))
with suppress(BaseException):
    _import_all()
gc.freeze()  # what is imported stays, and workers need not look at it again
if _parent:
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
