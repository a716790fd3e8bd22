"""The film, rendered by the usual command while the page shows how it goes on."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from clockhead.pipeline.look import Wish
from clockhead.places import PACKAGE

_PATIENCE = 10.0
"""Seconds in which a render that is called off may put things in order."""


class Rendering:
    """One `clockhead render` at a time."""

    def __init__(self, media: Path) -> None:
        self.film: Path | None = None
        """The film that was made last."""
        self._media = media
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def is_running(self) -> bool:
        """Whether a film is being rendered."""
        return self._task is not None and not self._task.done()

    def start(
        self,
        file: Path,
        quality: str,
        wish: Wish,
        say: Callable[[str], None],
        over: Callable[[Path | None], None],
    ) -> None:
        """Render a film; `say` takes every line that the command says, `over` the film, if any."""
        looks = {"--theme": wish.theme, "--aspect": wish.aspect, "--lang": wish.language}
        options = [part for name, said in looks.items() if said for part in (name, said)]
        command = ["render", _as_path(file), f"-q{quality}", "-o", str(self._media), *options]

        async def render() -> None:
            made = await self._run(command, say)
            self.film = made or self.film
            over(made)

        self._task = asyncio.create_task(render())

    async def stop(self) -> None:
        """Call it off, and wait until everything is in order."""
        if not self.is_running or self._task is None:
            return
        if self._process is None:
            self._task.cancel()
        else:
            self._process.terminate()
        done, _ = await asyncio.wait([self._task], timeout=_PATIENCE)
        if not done and self._process is not None:
            self._process.kill()

    async def _run(self, arguments: Sequence[str], say: Callable[[str], None]) -> Path | None:
        paths = os.pathsep.join(filter(None, [str(PACKAGE.parent), os.environ.get("PYTHONPATH")]))
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-W", "ignore", "-m", "clockhead", *arguments),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths},
            start_new_session=True,  # Ctrl-C is for us; we end it ourselves
        )
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        try:
            made = asyncio.ensure_future(self._process.stdout.read())
            async for line in self._process.stderr:
                say(line.decode(errors="replace").rstrip())
            files = (await made).decode(errors="replace").split("\n")
            code = await self._process.wait()
        finally:
            self._process = None
        return Path(files[0]).resolve() if code == 0 and files[0] else None


def _as_path(file: Path) -> str:
    """A name without a folder would be looked for among the films."""
    return str(file) if file.parent != Path() else f"./{file}"
