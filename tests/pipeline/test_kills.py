"""Renders killed at random, their files damaged at random; hundreds: python -m benchmarks.kills."""

import os
import signal

import pytest

from clockhead.production.manifest import file_hash, read_manifest
from tests.pipeline.kills import Trial

pytestmark = pytest.mark.xdist_group("kills")


@pytest.fixture(scope="module")
def trial(tmp_path_factory):
    return Trial.make(tmp_path_factory.mktemp("kills") / "project")


@pytest.mark.parametrize("seed", [1, 2])
def test_the_next_run_after_a_kill_makes_the_film(trial, seed):
    trial.play(seed)


@pytest.mark.parametrize("turn", [0, 4])
def test_the_next_run_after_damage_makes_the_film(trial, turn):
    trial.ruin(turn)


@pytest.fixture
def impatient():
    """Nobody is waited for."""

    def give_up(*_):
        pytest.fail("it was waited for")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, 10)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def test_a_pipe_in_place_of_a_film_or_its_manifest_does_not_block(tmp_path, impatient):
    os.mkfifo(tmp_path / "pipe")
    assert file_hash(tmp_path / "pipe") is None
    assert read_manifest(tmp_path / "pipe") == {}
