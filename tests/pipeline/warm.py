"""Start commands quickly: fork them from a server process that has imported Manim.

A forked command behaves like one that is typed: it is a process of its own that leads a process
group, imports Clockhead anew from the given folder, and starts its workers as usual. Its fork
server is forked as well. This file, run as a program, is the server; it ends with the process that
started it.
"""

from __future__ import annotations

import atexit
import dataclasses
import gc
import json
import os
import resource
import selectors
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import warnings
import weakref
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from fcntl import F_DUPFD, fcntl
from functools import cache
from importlib import import_module
from multiprocessing import util
from pathlib import Path
from runpy import run_module
from select import select
from types import ModuleType
from typing import Any, NoReturn

IMPORTED = (
    *("clockhead", "manim", "numpy", "click", "rich.progress", "av", "yaml", "jinja2", "filelock"),
    *("pydantic.main", "pydantic.types", "pydantic.functional_validators", "pydantic.type_adapter"),
    *("pydantic.plugin._loader", "tomllib", "encodings.utf_8_sig"),
    *("rapidfuzz", "grimp", "packaging.version", "typst", "uharfbuzz", "tqdm", "cairo"),
    *("pylatexenc.latex2text", "pylatexenc.latexencode", "svgelements", "font_source_sans_pro"),
    *("PIL.PngImagePlugin", "PIL.JpegImagePlugin", "PIL.GifImagePlugin", "rich._emoji_codes"),
    *("concurrent.futures.thread", "multiprocessing.popen_forkserver"),
    *("multiprocessing.forkserver", "multiprocessing.resource_tracker"),
    *("clockhead.cli", "clockhead.commands.render"),
    *("clockhead.commands.export", "clockhead.commands.studio"),
    *("clockhead.production.publish", "clockhead.production.produce"),
    *("clockhead.clips.drawing", "clockhead.scenes.stage.layout_check"),
    *("clockhead.scenes.stage.translations", "clockhead.model.units"),
)
"""Modules that the server imports: packages of others, and ours for what they import. Ours are
removed from `sys.modules` again, so that each command imports its own."""
_OURS = "clockhead"
_NUMBER = struct.Struct("i")
_REQUEST = 1 << 20


class Warm:
    """A forked command, with as much of the interface of `subprocess.Popen` as tests need."""

    def __init__(
        self,
        args: Sequence[str],
        cwd: Path,
        env: Mapping[str, str],
        *,
        module: str = "",
        code: str = "",
        limit: int | None = None,
    ) -> None:
        """Run `python -m` of a module, `python -c` of code, or else the installed command.

        `limit` bounds the size of the files that the command writes, in bytes.
        """
        self.args = args
        self.returncode: int | None = None
        self._lock = threading.Lock()
        (out, theirs_out), (err, theirs_err), (self._status_pipe, pipe) = (
            os.pipe() for _ in range(3)
        )
        weakref.finalize(self, os.close, self._status_pipe)
        request = {"args": list(args), "cwd": str(cwd), "env": dict(env)}
        packed = json.dumps(request | {"module": module, "code": code, "limit": limit}).encode()
        socket.send_fds(_server(), [packed], [theirs_out, theirs_err, pipe])
        for theirs in (theirs_out, theirs_err, pipe):
            os.close(theirs)
        self.stdout, self.stderr = open(out), open(err)  # noqa: PTH123, SIM115
        self.pid = self._number()

    def poll(self) -> int | None:
        """The exit code, or None while it runs."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it ends; return the exit code."""
        if self.returncode is None:
            with selectors.DefaultSelector() as selector:
                selector.register(self._status_pipe, selectors.EVENT_READ)
                if not selector.select(timeout):
                    raise subprocess.TimeoutExpired(self.args, timeout or 0)
            with self._lock:
                if self.returncode is None:
                    self.returncode = self._number()
        return self.returncode

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Read its output and error output until it ends."""
        with ThreadPoolExecutor(2) as readers, self.stdout, self.stderr:
            said = [readers.submit(stream.read) for stream in (self.stdout, self.stderr)]
            try:
                self.wait(timeout)
                out, err = (reader.result(timeout) for reader in said)
            except BaseException:
                with suppress(ProcessLookupError):
                    os.killpg(self.pid, signal.SIGKILL)
                raise
        return out, err

    def send_signal(self, number: int) -> None:
        """Send a signal if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it."""
        self.send_signal(signal.SIGKILL)

    def _number(self) -> int:
        data = os.read(self._status_pipe, _NUMBER.size)
        assert data, "the server of commands is gone"
        [number] = _NUMBER.unpack(data)
        return int(number)


@cache
def _server() -> socket.socket:
    """Start the server once; return the socket for requests."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-P", str(Path(__file__)), str(theirs.fileno())]
    process = subprocess.Popen(command, cwd="/", pass_fds=[theirs.fileno()], start_new_session=True)
    theirs.close()

    @atexit.register
    def end() -> None:
        ours.close()
        process.wait(10)

    return ours


class _Commands:
    """The running commands, each with a pipe for its process id and exit code."""

    def __init__(self) -> None:
        self._pipes: dict[int, int] = {}
        self.ended, self._wakes = os.pipe()  # readable when one may have ended
        os.set_blocking(self._wakes, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wakes)

    def add(self, pid: int, pipe: int) -> None:
        self._pipes[pid] = pipe

    def report_ended(self, *, wait: bool) -> None:
        """Report the exit codes of commands that have ended; with `wait`, of all commands."""
        if not wait:
            os.read(self.ended, _REQUEST)
        with suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, 0 if wait else os.WNOHANG)
                if not pid:
                    break
                pipe = self._pipes.pop(pid)
                with suppress(OSError):
                    os.write(pipe, _NUMBER.pack(os.waitstatus_to_exitcode(status)))
                os.close(pipe)

    def close_all(self) -> None:
        """Close what belongs to the server, in a process that was forked from it."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for fd in (self.ended, self._wakes, *self._pipes.values()):
            os.close(fd)


def _serve(requests: socket.socket) -> tuple[str, str]:
    """Fork for each request. Returns in the forked process only: the module or the code to run."""
    commands = _Commands()
    while True:
        ready, _, _ = select([requests, commands.ended], [], [])
        if commands.ended in ready:
            commands.report_ended(wait=False)
        if requests not in ready:
            continue
        packed, fds, _, _ = socket.recv_fds(requests, _REQUEST, 3)
        if not packed:
            commands.report_ended(wait=True)
            os._exit(0)
        pipe = fds.pop(2)
        pid = os.fork()
        if pid == 0:
            requests.close()
            commands.close_all()
            return _set_up_process(json.loads(packed), pipe, *fds)
        commands.add(pid, pipe)
        for fd in fds:
            os.close(fd)


def _set_up_process(request: dict[str, Any], pipe: int, *fds: int) -> tuple[str, str]:
    """Set up the forked process, report its id, and return the module or the code to run."""
    os.setsid()
    _set_up_python(request, *fds)
    os.write(pipe, _NUMBER.pack(os.getpid()))
    os.close(pipe)
    util.spawnv_passfds = _Spare().spawn
    return str(request["module"]), str(request["code"])


def _set_up_python(request: dict[str, Any], out: int, err: int) -> None:
    """Set up what Python reads at its start: streams, folder, environment, paths."""
    given = os.open(os.devnull, os.O_RDONLY)
    for theirs, fd in ((given, 0), (out, 1), (err, 2)):
        os.dup2(theirs, fd)
    for fd in (given, out, err):
        os.close(fd)
    sys.stdout = sys.__stdout__ = open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = sys.__stderr__ = open(  # noqa: SIM115
        2, "w", buffering=1, errors="backslashreplace", closefd=False
    )
    if request["limit"] is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (request["limit"], request["limit"]))
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    tempfile.tempdir = None
    safe = bool(os.environ.get("PYTHONSAFEPATH"))
    paths = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    sys.path[:0] = [*([] if safe else [""]), *paths]
    sys.argv = ["-c", *request["args"]]
    sys.dont_write_bytecode = bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))
    sys.modules["__main__"] = ModuleType("__main__")


class _Spare:
    """A process forked before the command starts, which becomes its fork server if it needs one.

    Forked later, it would copy the locks of threads that the command's libraries have started.
    """

    def __init__(self) -> None:
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._spawn = util.spawnv_passfds
        self._pid = os.fork()
        if self._pid == 0:
            self._ours.close()
            _serve_as_fork_server(theirs)
        theirs.close()

    def spawn(self, program: str, args: Sequence[str], passed: Sequence[int]) -> int:
        """Replace `multiprocessing.util.spawnv_passfds`."""
        if "forkserver" not in args[-1] or self._pid == 0:
            return int(self._spawn(program, args, passed))
        pid, self._pid = self._pid, 0
        request = {"code": args[-1], "fds": list(passed), "env": dict(os.environ)}
        try:
            socket.send_fds(self._ours, [json.dumps(request).encode()], list(passed))
        except OSError:  # the spare process was killed
            return int(self._spawn(program, args, passed))
        return pid


def _serve_as_fork_server(requests: socket.socket) -> NoReturn:
    """Wait for the request to become the fork server, or for the end of the command."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    packed, fds, _, _ = socket.recv_fds(requests, _REQUEST, 2)
    if not packed:
        os._exit(0)
    requests.close()
    request = json.loads(packed)
    for wanted, fd in zip(request["fds"], _move_descriptors(fds, max(request["fds"])), strict=True):
        os.dup2(fd, wanted)
        os.close(fd)
    os.environ.clear()
    os.environ.update(request["env"])
    if os.environ.get("PYTHONSAFEPATH"):
        sys.path[:] = filter(None, sys.path)
    try:
        exec(request["code"], {"__name__": "__main__"})
    except SystemExit:
        os._exit(0)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    os._exit(1)


def _move_descriptors(fds: Sequence[int], beyond: int) -> list[int]:
    """Duplicate descriptors to numbers above `beyond`, and close the originals."""
    moved = [fcntl(fd, F_DUPFD, beyond + 1) for fd in fds]
    for fd in fds:
        os.close(fd)
    return moved


def _cache_dataclass_code() -> None:
    """Cache the compiled methods of dataclasses, for every command defines the same ones."""
    compiled = cache(compile)

    def run(source: str, *names: Any) -> None:
        exec(compiled(source, "<string>", "exec"), *names)

    vars(dataclasses)["exec"] = run


def _unload_ours() -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == _OURS]:
        del sys.modules[name]
    sys.meta_path[:] = [one for one in sys.meta_path if type(one).__module__[:9] != _OURS]


def main(requests: socket.socket) -> NoReturn:
    """Import what commands need, then serve requests."""
    _cache_dataclass_code()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import_module("clockhead.startup").isolate_manim()
        for name in IMPORTED:
            with suppress(ImportError):
                import_module(name)
        with suppress(ImportError):  # with its first model it looks for plugins in all packages
            import_module("pydantic").create_model("First")
    _unload_ours()
    gc.collect()
    gc.freeze()  # pages that are never written to stay shared
    code = _run(*_serve(requests))
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush(), sys.stderr.flush()
    os._exit(code)  # skips the slow teardown of all modules


def _run(module: str, code: str) -> int:
    """Run a module, code, or the command, with `sys.argv`; return the exit code."""
    try:
        if code:
            exec(code, {"__name__": "__main__"})
        elif module:
            run_module(module, run_name="__main__", alter_sys=True)
        else:
            from clockhead.__main__ import main

            main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
