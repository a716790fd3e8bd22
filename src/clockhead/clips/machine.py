"""The cores and the memory that this process may use; in a container, less than the machine has."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_ROOT = Path("/")
_GROUPS = Path("sys/fs/cgroup")
_UNLIMITED = 1 << 60
"""Control groups of version 1 write a larger number where there is no limit."""


def cores() -> int:
    """Number of cores, at least 1."""
    affinity = hasattr(os, "sched_getaffinity")
    here = len(os.sched_getaffinity(0)) if affinity else os.cpu_count() or 1
    return max(1, min([here, *_quotas()]))


def memory() -> int:
    """Free memory in bytes; where that is unknown, all memory."""
    return max(0, min([_free_memory(), *_memory_limits()]))


def _free_memory() -> int:
    with suppress(OSError, ValueError, StopIteration):
        lines = (_ROOT / "proc/meminfo").read_text().splitlines()
        return 1024 * int(next(line.split()[1] for line in lines if line.startswith("MemAvail")))
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _memory_limits() -> Iterator[int]:
    """Bytes that are left under each limit of the control groups of this process."""
    for group in _groups("memory"):
        for limit, used, cached in (
            ("memory.max", "memory.current", "inactive_file"),
            ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
        ):
            most = _number(group / limit)
            if most is not None and most < _UNLIMITED:
                # The file cache is freed when memory is needed.
                yield most - (_number(group / used) or 0) + _stat(group, cached)


def _quotas() -> Iterator[int]:
    """Cores granted by each control group of this process, rounded up."""
    for group in _groups("cpu"):
        with suppress(OSError, ValueError, ZeroDivisionError):
            granted, period = (group / "cpu.max").read_text().split()
            yield math.ceil(int(granted) / int(period))
        quota, each = _number(group / "cpu.cfs_quota_us"), _number(group / "cpu.cfs_period_us")
        if quota and each and quota > 0:
            yield math.ceil(quota / each)


def _groups(controller: str) -> Iterator[Path]:
    """The folders of the control groups of this process, of both versions, innermost first."""
    try:
        lines = (_ROOT / "proc/self/cgroup").read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers and controller not in controllers.split(","):
            continue
        top = _ROOT / _GROUPS / controllers if controllers else _ROOT / _GROUPS
        innermost = top / path.strip("/")
        yield from (group for group in (innermost, *innermost.parents) if group.is_relative_to(top))


def _number(file: Path) -> int | None:
    try:
        return int(file.read_text())
    except (OSError, ValueError):
        return None


def _stat(group: Path, name: str) -> int:
    try:
        rows = (line.split() for line in (group / "memory.stat").read_text().splitlines())
        return next((int(value) for key, value in rows if key == name), 0)
    except (OSError, ValueError):
        return 0
