"""The training from its beginning, in a few steps. Without the extra `train` this skips."""

import importlib.util
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from clockhead.model.trained.texts import texts_said_twice
from clockhead.model.trained.transformer import moments, run

jax = pytest.importorskip("jax", reason="needs the extra `train`: ./clockhead add train")


@pytest.fixture(scope="module")
def training():
    file = Path(__file__).parents[2] / "training/train.py"
    if not file.is_file():
        pytest.skip("needs a checkout, with training/train.py")
    found = importlib.util.spec_from_file_location("train", file)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def begun(training):
    return [
        (step, loss, measured)
        for step, _, loss, measured in islice(training.train(training.SEED, 100), 31)
    ]


def test_its_first_steps_are_those_of_the_weights_that_were_kept(begun):
    losses = [loss for _, loss, _ in begun]
    assert_allclose(losses, moments().losses[: len(losses)], rtol=2e-3)
    measured = [found for step, _, found in begun if step % 10 == 0]
    assert_allclose(measured, np.stack([moments().new, moments().repeated], axis=1)[:4], rtol=2e-3)


def test_a_second_run_is_equal_to_the_last_bit(training, begun):
    second = islice(training.train(training.SEED, 100), 31)
    assert [(step, loss, measured) for step, _, loss, measured in second] == begun


def test_another_seed_is_another_training(training, begun):
    losses = [loss for _, _, loss, _ in islice(training.train(training.SEED + 1, 10), 5)]
    assert losses != [loss for _, loss, _ in begun[:5]]


def test_the_model_computes_what_the_library_computes(training):
    weights, texts = moments().weights[-1], texts_said_twice(3, 4, 20)
    with jax.enable_x64(True):
        arrays = {name: jax.numpy.asarray(getattr(weights, name)) for name in training.SHAPES}
        logits, patterns = training.logits_and_patterns(arrays, jax.numpy.asarray(texts))
    found = run(weights, texts)
    assert_allclose(found.logits, logits, rtol=1e-5, atol=1e-5)
    assert_allclose(found.patterns, patterns, rtol=1e-5, atol=1e-6)
