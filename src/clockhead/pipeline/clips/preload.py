"""Imported once by the fork server, so that no worker has to: Manim, our side of it, the stages.

What is broken is left for the worker that needs it, which can say what is wrong; here it would take
the server with it.
"""

from __future__ import annotations

import gc
from contextlib import suppress
from importlib import import_module

from clockhead.pipeline.clips import tether

with suppress(BaseException):
    import_module("clockhead.pipeline.clips.drawing")
    import_module("clockhead.scenes.stage").stage_names()
    import_module("clockhead.pipeline.clips.fingerprint").project_fingerprint()
gc.freeze()  # what is imported stays, and is not to be looked at again by every worker
tether.loosen()
