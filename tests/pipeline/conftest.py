"""What tests of many commands share."""

from collections.abc import Callable, Iterator

import pytest

from clockhead import cli
from tests.pipeline.browser import Browser, chromium
from tests.pipeline.project import Project


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run a command in this process: (exit code, standard output, standard error)."""

    def command(*args: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            cli.main(args)
        return int(ended.value.code or 0), *capsys.readouterr()

    return command


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for all tests of a module."""
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project with a film of two shots, of which the first asks before it answers."""
    project = Project.make(tmp_path_factory.mktemp("asking"))
    asks = "stage: tiny.asking\nid: asks\ninputs: {moves: 3}\ntitle: Is 1 < 2 & 3?"
    project.write("film", asks, "stage: tiny.told\nid: goes")
    return project
