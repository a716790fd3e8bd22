"""`clockhead test`, where the launcher is not: it runs the tests, and is in a checkout alone."""

from __future__ import annotations

import shlex

import click


@click.command(context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
def command() -> None:
    """Run Clockhead's own tests, with ./clockhead in its repository.

    What follows goes to pytest.
    """
    from clockhead.release import ROOT, is_checkout

    if is_checkout():
        launcher = shlex.quote(str(ROOT / "clockhead"))
        raise click.UsageError(f"the launcher runs the tests: {launcher} test")
    raise click.UsageError(
        "the tests are not installed; they are in the repository, and in the source distribution "
        "(clockhead-VERSION.tar.gz). In the folder of either, run: ./clockhead test; or, in an "
        "environment of your own: python -m pip install '.[dev]' && python -m pytest"
    )
