"""What tests of many commands share."""

from collections.abc import Callable

import pytest

from clockhead import cli


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run a command in this process: (exit code, standard output, standard error)."""

    def command(*args: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            cli.main(args)
        return int(ended.value.code or 0), *capsys.readouterr()

    return command
