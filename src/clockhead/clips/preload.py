"""Imported once by the fork server, so that no worker has to: Manim, our side of it, and stages.

It is told of which; a worker imports what it needs besides. What is broken is left for the worker
that needs it, which can say what is wrong; here it would take the server with it.
"""

from __future__ import annotations

import gc
import os
from contextlib import suppress
from importlib import import_module

from clockhead.clips import tether
from clockhead.libraries import STAGES_FIRST

_MODULES = (
    "clockhead.clips.render",
    "clockhead.clips.takes",
    "clockhead.scenes.stage.layout_check",
    "clockhead.scenes.stage.translations",
    "numpy.random",
)
"""What every worker needs that draws a shot or examines one."""

with suppress(BaseException):
    import_module("clockhead.clips.drawing").library_defaults()
    for _module in _MODULES:
        import_module(_module)
    _stages, _told = import_module("clockhead.scenes.stage"), os.environ.pop(STAGES_FIRST, None)
    for _name in _stages.stage_names() if _told is None else _told.split():
        with suppress(BaseException):
            _stages.find_stage(_name)
    import_module("clockhead.clips.fingerprint").project_fingerprint()
gc.freeze()  # what is imported stays, and is not to be looked at again by every worker
tether.loosen()
