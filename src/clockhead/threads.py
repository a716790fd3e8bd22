"""One thread for each process: matrices are small here, and workers are as many as cores.

NumPy's and Typst's helpers would wait for each other on the cores that other workers need, with up
to four times the processor time for the same numbers.
"""

from __future__ import annotations

import os

_LIBRARIES = ("OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "RAYON_NUM_THREADS")


def one_thread() -> dict[str, str]:
    """The variables that say so to a process about to begin; what a user has set stays."""
    return {name: os.environ.get(name, "1") for name in _LIBRARIES}
