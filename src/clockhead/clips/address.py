"""What a scheduler's address looks like, known without Dask and before anything is connected."""

from __future__ import annotations

import re

_ADDRESS = re.compile(
    r"(?:(?P<protocol>\w+)://)?(?P<host>\[[^\]]+\]|[^:/\s]+)(?::(?P<port>\d+))?/?"
)
_PROTOCOLS = ("tcp", "tls", "ws", "wss")
_USUAL = 8786
"""Where a scheduler listens if it was told nothing else."""


def wrong_address(address: str) -> str:
    """What is wrong with a scheduler's address, and what was probably meant; or nothing."""
    match = _ADDRESS.fullmatch(address.strip())
    if match is None or (match["protocol"] or "tcp") not in _PROTOCOLS:
        return f"write tcp://HOST:PORT, or tls://HOST:PORT; {_USUAL} is the usual port"
    host = f"{match['protocol'] or 'tcp'}://{match['host']}"
    if match["port"] is None:
        return f"the port is missing; a scheduler that was told no other has {host}:{_USUAL}"
    if not 0 < int(match["port"]) < 65536:
        return f"there is no port {match['port']}; a port is a number from 1 to 65535"
    if match["protocol"] is None:
        return f"write {host}:{match['port']}, or tls:// where it takes certificates"
    return ""
