"""Which projects may run their stages: those that the user trusts and that nobody else can change.

A folder `stages` is a program, and it may have arrived together with a storyboard. Its modules are
imported only if the user has trusted the project, if the project and all of its stages belong to
the user, and if nobody else can change or replace them.
"""

from __future__ import annotations

import errno
import grp
import json
import os
import pwd
import secrets
import shlex
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from clockhead import atomic
from clockhead.places import clockhead_command

TRUST = "CLOCKHEAD_TRUST"
"""The environment variable with the full paths of trusted projects, for CI."""
STAGES = "stages"
_TOKEN = "user.clockhead.trusted"
"""The extended attribute that identifies a trusted folder, on file systems that have them."""
_ACL = "system.posix_acl_access"
_OTHERS, _GROUP = stat.S_IWOTH, stat.S_IWGRP
_trusted_here: set[str] = set()
"""Homes that are trusted in this process only."""


def reason_to_refuse(project: Path) -> str:
    """Why the stages of a project may not run, and how to allow it; empty if they may."""
    named = os.environ.get(TRUST, "")
    # The studio stays open while the user repairs this, so judge again every second.
    return _judge(os.path.realpath(project), named, record_file(), int(time.monotonic()))


def trust(project: Path) -> None:
    """Record that the user trusts the stages in a project.

    Raises:
        PermissionError: if somebody else could change them; the text says how to prevent it.
        OSError: if it cannot be recorded.
    """
    path = os.path.realpath(project)
    if weakness := _find_weakness(path):
        raise PermissionError(errno.EPERM, weakness, path)
    with suppress(OSError, AttributeError):  # only on Linux, and not on every file system
        os.setxattr(path, _TOKEN, secrets.token_hex(16).encode())
    with _edit_record() as record:
        record[path] = _identity(path)
    _judge.cache_clear()


def forget(project: Path) -> bool:
    """Stop trusting a project; False if it was not recorded.

    Raises:
        OSError: if it cannot be recorded.
    """
    with _edit_record() as record:
        found = record.pop(os.path.realpath(project), None)
    _judge.cache_clear()
    return found is not None


def trusted_projects() -> dict[Path, str]:
    """The projects that are recorded, or named by the environment, and what is wrong with each."""
    named = [
        name for name in os.environ.get(TRUST, "").split(os.pathsep) if Path(name).is_absolute()
    ]
    every = dict.fromkeys([*_read_record(record_file()), *map(os.path.realpath, named)])
    return {Path(path): reason_to_refuse(Path(path)) for path in every}


def trust_in_process(project: Path) -> None:
    """Trust a project in this process: for its tests, or when another process has judged it."""
    _trusted_here.add(os.path.realpath(project))
    _judge.cache_clear()


@contextmanager
def private_umask() -> Iterator[None]:
    """In this block, make files that nobody else can write to: stages and their bytecode."""
    before = os.umask(0o077)
    os.umask(before | _OTHERS | _GROUP)
    try:
        yield
    finally:
        os.umask(before)


def record_file() -> Path | None:
    """The file that lists the trusted projects; None for a user without a home directory."""
    config_home = os.environ.get("XDG_CONFIG_HOME", "")
    if Path(config_home).is_absolute():
        return Path(config_home, "clockhead/trusted.json")
    try:
        user = Path.home()
    except RuntimeError:
        return None
    config = "Library/Application Support" if sys.platform == "darwin" else ".config"
    return user / config / "clockhead/trusted.json"


@lru_cache(maxsize=16)
def _judge(path: str, named: str, file: Path | None, _: int) -> str:
    # The second is there so that a cached judgement expires.
    if path in _trusted_here:
        return ""
    command = clockhead_command("trust", path)
    names = named.split(os.pathsep)
    if path not in [os.path.realpath(name) for name in names if Path(name).is_absolute()]:
        recorded = _read_record(file).get(path)
        if recorded is None:
            message = f"{path} is not trusted; if you trust the author of its stages: {command}"
            relative = any(name and not Path(name).is_absolute() for name in names)
            return f"{message} ({TRUST} takes full paths)" if relative else message
        if recorded != _identity(path):
            return f"{path} is not the folder that you trusted; to trust this one: {command}"
    return _find_weakness(path)


# --- What is recorded ---


def _read_record(file: Path | None) -> dict[str, Any]:
    """The recorded projects by path; none if somebody else could have written the record."""
    try:
        if file is None or _weakness_of(os.path.realpath(file)):
            return {}
        record = json.loads(file.read_bytes())["homes"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return record if isinstance(record, dict) else {}


@contextmanager
def _edit_record() -> Iterator[dict[str, Any]]:
    """The recorded projects, to be changed in this block, in which no other process changes them.

    Raises:
        OSError: if the record cannot be written; the old one stays.
    """
    file = record_file()
    if file is None:
        message = f"there is no home folder to remember it in; set {TRUST} to the folder instead"
        raise OSError(errno.ENOENT, message)
    place = Path(os.path.realpath(file))  # some users keep their settings elsewhere, behind a link
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with atomic.lock_folder(place.parent):
        yield (record := _read_record(file))
        atomic.write(place, json.dumps({"homes": record}, indent=2), mode=0o600)


def _identity(path: str) -> list[Any]:
    """What distinguishes a folder from a later one at its path, which may get the same inode."""
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


def _find_weakness(project: str) -> str:
    """How somebody else could change the stages of a project, and how to prevent it, or "".

    It follows links among the stages, as Python's imports do.
    """
    above: set[str] = set()
    seen: set[str] = set()
    waiting = [os.path.join(project, STAGES), project]  # noqa: PTH118 # of many files
    while waiting:
        path = os.path.realpath(waiting.pop())
        if path in seen:
            continue
        seen.add(path)
        parents = set(map(str, Path(path).parents)) - above - seen
        above |= parents
        try:
            if weakness := next(
                filter(None, [_weakness_of(path, project), *map(_weakness_above, parents)]), ""
            ):
                return weakness
            if path != project and os.path.isdir(path):  # noqa: PTH112
                waiting += [os.path.join(path, name) for name in os.listdir(path)]  # noqa: PTH118, PTH208
        except FileNotFoundError:
            continue  # there are no stages, or a file has just been removed
        except OSError as error:
            if error.errno != errno.ELOOP:  # a link to itself cannot be imported either
                return f"{error.filename} cannot be read: {error.strerror}"
    return ""


def _weakness_of(path: str, project: str = "") -> str:
    """Who else can change a file or folder; empty if only the user can."""
    status = os.stat(path)  # noqa: PTH116
    if status.st_uid != os.geteuid():
        whose = f"{_user(status.st_uid)} and not to you, {_user(os.geteuid())}"
        return f"{path} belongs to {whose}; make your own copy"
    if not _open_to_others(path, status):
        return ""
    stages = os.path.join(project, STAGES)  # noqa: PTH118
    every = ["-R", stages] if Path(path).is_relative_to(stages) else [path]
    return f"others can write to {path}; to prevent it: {shlex.join(['chmod', 'go-w', *every])}"


def _weakness_above(folder: str) -> str:
    """How somebody else could replace something in a folder; empty if nobody can."""
    status = os.stat(folder)  # noqa: PTH116
    if status.st_uid not in (0, os.geteuid()):
        return f"{folder} belongs to {_user(status.st_uid)}; move what is in it to your own folder"
    if status.st_mode & stat.S_ISVTX or not _open_to_others(folder, status):
        return ""
    return f"others can replace what is in {folder}; move it to your own folder"


def _open_to_others(path: str, status: os.stat_result) -> bool:
    """Whether anybody else may write; a group with no other members does not count."""
    mode = status.st_mode
    return bool(mode & _OTHERS) or bool(
        mode & _GROUP and not (_is_private(status.st_gid) and not _has_list(path))
    )


@lru_cache(maxsize=8)
def _is_private(group: int) -> bool:
    """Whether a group is the user's own: it has the user's name and no other members.

    Root's group does not count: in many containers every user is a member.
    """
    try:
        user, members = pwd.getpwuid(os.geteuid()), grp.getgrgid(group)
    except KeyError:
        return False
    alone = user.pw_gid == group and set(members.gr_mem) <= {user.pw_name}
    same_group = (other for other in pwd.getpwall() if other.pw_gid == group)
    sharing = (other.pw_uid != user.pw_uid for other in same_group)
    return user.pw_uid != 0 and members.gr_name == user.pw_name and alone and not any(sharing)


def _has_list(path: str) -> bool:
    """Whether an access control list names more users; the group's mode bits cover them."""
    with suppress(OSError, AttributeError):
        return _ACL in os.listxattr(path)
    return False


def _user(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"user {uid}"
