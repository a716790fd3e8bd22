"""Which homes may run the stages in them: those that the user trusts and nobody else can change.

A folder `stages` is a program, and a storyboard that came by mail may lie beside one. Its modules
are imported only if the user has said once that the home is trusted, if the home and all of its
stages belong to the user, and if nobody else can write to them or put others in their place.
"""

from __future__ import annotations

import errno
import fcntl
import grp
import json
import os
import pwd
import secrets
import shlex
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from clockhead.places import clockhead_command

TRUST = "CLOCKHEAD_TRUST"
"""The environment variable that names trusted homes by their full paths, as CI does."""
STAGES = "stages"
_TOKEN = "user.clockhead.trusted"
"""The extended attribute by which a trusted folder is known again, where it can have one."""
_ACL = "system.posix_acl_access"
_OTHERS, _GROUP = stat.S_IWOTH, stat.S_IWGRP
_ADMITTED: set[str] = set()
"""Homes that are trusted in this process alone."""


def distrust(home: Path) -> str:
    """Why the stages of a home are not imported, and the command for it; empty when they are."""
    file = record_file()
    state = None
    with suppress(OSError):
        state = os.stat(file).st_mtime_ns if file else None  # noqa: PTH116 # asked very often
    named = os.environ.get(TRUST, "")
    # What is wrong may be mended while the studio is open, so it is judged again every second.
    return _judgement(os.path.realpath(home), named, file, state, int(time.monotonic()))


def trust(home: Path) -> None:
    """Record that the user trusts the stages in a home.

    Raises:
        PermissionError: when somebody else could change them; the text says what mends it.
        OSError: when it cannot be recorded.
    """
    path = os.path.realpath(home)
    if weakness := _weakness(path):
        raise PermissionError(errno.EPERM, weakness, path)
    with suppress(OSError, AttributeError):  # of Linux, and not of every file system
        os.setxattr(path, _TOKEN, secrets.token_hex(16).encode())
    with _record() as record:
        record[path] = _identity(path)
    _judgement.cache_clear()


def forget(home: Path) -> bool:
    """Take back that a home is trusted; False if it was not recorded.

    Raises:
        OSError: when it cannot be recorded.
    """
    with _record() as record:
        found = record.pop(os.path.realpath(home), None)
    _judgement.cache_clear()
    return found is not None


def trusted_homes() -> dict[Path, str]:
    """The homes that are recorded or named by the environment, and why some do not count."""
    named = [
        name for name in os.environ.get(TRUST, "").split(os.pathsep) if Path(name).is_absolute()
    ]
    every = dict.fromkeys([*_recorded(record_file()), *map(os.path.realpath, named)])
    return {Path(path): distrust(Path(path)) for path in every}


def admit(home: Path) -> None:
    """Trust a home in this process alone: a test in it runs already, or it was judged elsewhere."""
    _ADMITTED.add(os.path.realpath(home))
    _judgement.cache_clear()


@contextmanager
def closed_to_others() -> Iterator[None]:
    """Let nobody else write to what is made meanwhile, be it a stage or what Python keeps of it."""
    before = os.umask(0o077)
    os.umask(before | _OTHERS | _GROUP)
    try:
        yield
    finally:
        os.umask(before)


def record_file() -> Path | None:
    """The file that lists the trusted homes; None for a user without a folder of their own."""
    told = os.environ.get("XDG_CONFIG_HOME", "")
    if Path(told).is_absolute():
        return Path(told, "clockhead/trusted.json")
    try:
        user = Path.home()
    except RuntimeError:
        return None
    config = "Library/Application Support" if sys.platform == "darwin" else ".config"
    return user / config / "clockhead/trusted.json"


@lru_cache(maxsize=16)
def _judgement(path: str, named: str, file: Path | None, state: int | None, second: int) -> str:
    if path in _ADMITTED:
        return ""
    command = clockhead_command("trust", path)
    names = named.split(os.pathsep)
    if path not in [os.path.realpath(name) for name in names if Path(name).is_absolute()]:
        recorded = _recorded(file).get(path)
        if recorded is None:
            told = f"{path} is not trusted; if you trust whoever wrote its stages: {command}"
            in_full = any(name and not Path(name).is_absolute() for name in names)
            return f"{told} ({TRUST} takes full paths)" if in_full else told
        if recorded != _identity(path):
            return f"{path} is another folder than the one that you trusted; trust it: {command}"
    return _weakness(path)


# --- What is recorded ---


def _recorded(file: Path | None) -> dict[str, Any]:
    """What the user trusts, by path; nothing if somebody else could have written it."""
    try:
        if file is None or _flaw(os.path.realpath(file)):
            return {}
        record = json.loads(file.read_bytes())["homes"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return record if isinstance(record, dict) else {}


@contextmanager
def _record() -> Iterator[dict[str, Any]]:
    """What the user trusts, to be changed; nobody else changes it meanwhile.

    Raises:
        OSError: when it cannot be written; what was recorded stays.
    """
    file = record_file()
    if file is None:
        message = f"there is no home folder to remember it in; set {TRUST} to the folder instead"
        raise OSError(errno.ENOENT, message)
    place = Path(os.path.realpath(file))  # a link, as some keep their settings elsewhere
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = os.open(place.parent, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield (record := _recorded(file))
        handle, temporary = tempfile.mkstemp(dir=place.parent, prefix=".trusted-")  # mode 600
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as out:
                json.dump({"homes": record}, out, indent=2)
                out.flush()
                os.fsync(out.fileno())
            Path(temporary).replace(place)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    finally:
        os.close(lock)


def _identity(path: str) -> list[Any]:
    """What tells a folder from another in its place; a file system uses an inode's number again."""
    try:
        status = Path(path).stat()
    except OSError:
        return []
    return [status.st_ino, getattr(status, "st_birthtime", 0), _token(path)]


def _token(path: str) -> str:
    with suppress(OSError, AttributeError):
        return os.getxattr(path, _TOKEN).hex()
    return ""


# --- Who else could change it ---


def _weakness(home: str) -> str:
    """How somebody else could change the stages of a home, and what mends it; empty if nobody.

    Links among the stages are followed, as Python's imports follow them.
    """
    above: set[str] = set()
    seen: set[str] = set()
    waiting = [os.path.join(home, STAGES), home]  # noqa: PTH118 # of many files
    while waiting:
        path = os.path.realpath(waiting.pop())
        if path in seen:
            continue
        seen.add(path)
        parents = set(map(str, Path(path).parents)) - above - seen
        above |= parents
        try:
            if flaw := next(filter(None, [_flaw(path, home), *map(_flaw_above, parents)]), ""):
                return flaw
            if path != home and os.path.isdir(path):  # noqa: PTH112
                waiting += [os.path.join(path, name) for name in os.listdir(path)]  # noqa: PTH118, PTH208
        except FileNotFoundError:
            continue  # there are no stages, or a file has gone meanwhile
        except OSError as error:
            if error.errno != errno.ELOOP:  # what links to itself cannot be imported either
                return f"{error.filename} cannot be looked at: {error.strerror}"
    return ""


def _flaw(path: str, home: str = "") -> str:
    """Why a file or folder is not the user's alone; empty if it is."""
    status = os.stat(path)  # noqa: PTH116
    if status.st_uid != os.geteuid():
        whose = f"{_user(status.st_uid)} and not to you, {_user(os.geteuid())}"
        return f"{path} belongs to {whose}; make a copy of your own"
    if not _open_to_others(path, status):
        return ""
    stages = os.path.join(home, STAGES)  # noqa: PTH118
    every = ["-R", stages] if Path(path).is_relative_to(stages) else [path]
    return f"others can write to {path}; take that away: {shlex.join(['chmod', 'go-w', *every])}"


def _flaw_above(folder: str) -> str:
    """How somebody could put another folder in the place of one inside; empty if nobody can."""
    status = os.stat(folder)  # noqa: PTH116
    if status.st_uid not in (0, os.geteuid()):
        return (
            f"{folder}, around it, belongs to {_user(status.st_uid)}; move it to a folder of yours"
        )
    if status.st_mode & stat.S_ISVTX or not _open_to_others(folder, status):
        return ""
    return f"others can replace what is in {folder}; move it to a folder of yours"


def _open_to_others(path: str, status: os.stat_result) -> bool:
    """Whether somebody else may write; a group that has no other member is nobody else."""
    mode = status.st_mode
    return bool(mode & _OTHERS) or bool(
        mode & _GROUP and not (_is_private(status.st_gid) and not _has_list(path))
    )


@lru_cache(maxsize=8)
def _is_private(group: int) -> bool:
    """Whether a group is the user's own: of the same name, and of nobody besides.

    Root's is not: in many containers every user is a member of it.
    """
    try:
        user, members = pwd.getpwuid(os.geteuid()), grp.getgrgid(group)
    except KeyError:
        return False
    alone = user.pw_gid == group and set(members.gr_mem) <= {user.pw_name}
    sharing = (one for one in pwd.getpwall() if one.pw_gid == group and one.pw_uid != user.pw_uid)
    return user.pw_uid != 0 and members.gr_name == user.pw_name and alone and not any(sharing)


def _has_list(path: str) -> bool:
    """Whether a list of access rights names more users, for whom the group's bits stand."""
    with suppress(OSError, AttributeError):
        return _ACL in os.listxattr(path)
    return False


def _user(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"user {uid}"
