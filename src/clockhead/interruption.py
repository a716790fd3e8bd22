"""Signals that ask the process to exit: Ctrl-C prints one line and exits with code 130, always.

A command without workers or unfinished files exits at once: an exception would surface in whatever
is being imported or computed, as a traceback or not at all. Where there are workers or unfinished
files, the signal raises `ExitRequested`, so that they are cleaned up.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NoReturn

INTERRUPTED = 130
_LINE = b"interrupted\n"
_RETRY_INTERVAL = 0.2
"""Seconds until an exception that Python has dropped is raised again."""
_exit_callbacks: list[Callable[[], None]] = []
"""Called even if the process exits at once."""
_requested: list[int] = []
"""The number of the signal that asked to exit, if one did."""


class ExitRequested(SystemExit):
    """The process was asked to exit; the code is 128 plus the number of the signal."""


def exit_on_interrupt() -> None:
    """Have Ctrl-C exit this process at once, except within `exit_by_exception`."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _exit_at_once)


def call_before_exit(callback: Callable[[], None]) -> None:
    """Have Ctrl-C call a quick function before it exits this process at once."""
    if callback not in _exit_callbacks:
        _exit_callbacks.append(callback)


@contextmanager
def default_interrupts() -> Iterator[None]:
    """Have Ctrl-C raise `KeyboardInterrupt`, for libraries that handle it."""
    with _handlers({signal.SIGINT: signal.default_int_handler} if _exits_at_once() else {}):
        yield


@contextmanager
def exit_by_exception() -> Iterator[None]:
    """Have signals raise `ExitRequested`, so that workers and files are cleaned up.

    Python drops exceptions that are raised in a destructor, so it is raised again until it is
    being handled.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGTERM) is _raise:
        yield
        return
    requests = [signal.SIGTERM, signal.SIGHUP, *([signal.SIGINT] if _exits_at_once() else [])]
    hook = sys.unraisablehook

    def report(lost: Any) -> None:
        if not isinstance(lost.exc_value, ExitRequested):
            hook(lost)

    sys.unraisablehook = report
    try:
        with _handlers(dict.fromkeys(requests, _raise) | {signal.SIGALRM: _raise_again}):
            try:
                yield
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
                _requested.clear()
    finally:
        sys.unraisablehook = hook


def _exit_at_once(_: int, __: FrameType | None) -> NoReturn:
    with suppress(OSError):
        os.write(2, _LINE)
    for callback in _exit_callbacks:
        with suppress(Exception):
            callback()
    os._exit(INTERRUPTED)


def _raise(number: int, _: FrameType | None) -> None:
    if not _requested:
        _requested.append(number)
        signal.setitimer(signal.ITIMER_REAL, _RETRY_INTERVAL, _RETRY_INTERVAL)
        raise ExitRequested(128 + number)


def _raise_again(_: int, __: FrameType | None) -> None:
    if _requested and not isinstance(sys.exc_info()[1], ExitRequested):
        raise ExitRequested(128 + _requested[0])


@contextmanager
def _handlers(handlers: dict[signal.Signals, Any]) -> Iterator[None]:
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _exits_at_once() -> bool:
    return signal.getsignal(signal.SIGINT) is _exit_at_once
