"""Requests to end: Ctrl-C gives one line and exit code 130, at any moment.

A command that has nothing to put in order ends on the spot: an exception would come out of whatever
is being imported or computed just then, as a traceback or not at all. Where there are workers, or
files on their way, the request becomes an exception, and leaves nothing behind.
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
_AGAIN = 0.2
"""Seconds until a request that was dropped is made again."""
_farewells: list[Callable[[], None]] = []
"""What is put in order even when the process ends on the spot."""
_asked: list[int] = []
"""The request that is being followed."""


class Asked(SystemExit):
    """Somebody wants the process to end; the code is 128 and the number of the signal."""


def end_at_once() -> None:
    """Have Ctrl-C end this process on the spot, but for what is done in an orderly way."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _end)


def on_leaving(farewell: Callable[[], None]) -> None:
    """Have something quick done before Ctrl-C ends this process on the spot."""
    if farewell not in _farewells:
        _farewells.append(farewell)


@contextmanager
def left_to_itself() -> Iterator[None]:
    """For what deals with Ctrl-C itself: it is `KeyboardInterrupt`, as Python has it."""
    with _handling({signal.SIGINT: signal.default_int_handler} if _is_ours() else {}):
        yield


@contextmanager
def orderly() -> Iterator[None]:
    """Turn requests to end into `Asked`, so that everything is left in order.

    Python drops what is raised while a destructor runs, so it is raised until it is on its way.
    """
    if threading.current_thread() is not threading.main_thread() or _is_orderly():
        yield
        return
    names = ("SIGTERM", "SIGHUP", *(["SIGINT"] if _is_ours() else []))
    requests = [getattr(signal, name) for name in names if hasattr(signal, name)]
    hook, sys.unraisablehook = sys.unraisablehook, _without_ours(sys.unraisablehook)
    try:
        with _handling(dict.fromkeys(requests, _ask) | {signal.SIGALRM: _ask_again}):
            try:
                yield
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
                _asked.clear()
    finally:
        sys.unraisablehook = hook


@contextmanager
def postponed() -> Iterator[None]:
    """For what must not be cut short, nor meet an exception: requests are made when it is over."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: dict[int, None] = {}
    names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGALRM")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    ours = [number for number in numbers if callable(signal.getsignal(number))]
    try:
        with _handling(dict.fromkeys(ours, lambda number, _: came.setdefault(number))):
            yield
    finally:
        for number in came:
            signal.raise_signal(number)


def _end(_: int, __: FrameType | None) -> NoReturn:
    with suppress(OSError):
        os.write(2, _LINE)
    for farewell in _farewells:
        with suppress(Exception):
            farewell()
    os._exit(INTERRUPTED)


def _ask(number: int, _: FrameType | None) -> None:
    if not _asked:
        _asked.append(number)
        signal.setitimer(signal.ITIMER_REAL, _AGAIN, _AGAIN)
        raise Asked(128 + number)


def _ask_again(_: int, __: FrameType | None) -> None:
    if _asked and not isinstance(sys.exc_info()[1], Asked):
        raise Asked(128 + _asked[0])


@contextmanager
def _handling(handlers: dict[signal.Signals, Any]) -> Iterator[None]:
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _is_ours() -> bool:
    return signal.getsignal(signal.SIGINT) is _end


def _is_orderly() -> bool:
    return signal.getsignal(signal.SIGTERM) is _ask


def _without_ours(hook: Any) -> Any:
    def tell(lost: Any) -> None:
        if not isinstance(lost.exc_value, Asked):
            hook(lost)

    return tell
