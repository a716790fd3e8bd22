import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.attention.head import (
    AttentionHead,
    ResidualStream,
    masked_pattern,
)
from clockhead.model.rope.rotation import rope_frequencies
from tests.model import second_opinion

seeds = st.integers(0, 2**32 - 1)
STREAM = ResidualStream.of(token=3, prev=3, one=1)


def random_head(seed, rotary=True, **options):
    """A head of 4 in a stream of 5, whose values are 3 wide for odd seeds and the stream's else."""
    rng = np.random.default_rng(seed)
    w_q, w_k = rng.normal(size=(2, 4, 5))
    w_v, w_o = rng.normal(size=(5, 5)), None
    if seed % 2:
        w_v, w_o = rng.normal(size=(3, 5)), rng.normal(size=(5, 3))
    frequencies = rope_frequencies(4) if rotary else None
    return AttentionHead(w_q, w_k, w_v, w_o, frequencies=frequencies, **options)


# The stream


def test_subspaces_lie_side_by_side():
    assert STREAM.d_model == 7
    assert STREAM.subspaces == {"token": slice(0, 3), "prev": slice(3, 6), "one": slice(6, 7)}
    x = np.arange(7.0)
    assert_array_equal(STREAM.projection("prev") @ x, [3, 4, 5])
    assert_array_equal(STREAM.copy_matrix("token", "prev") @ x, [0, 0, 0, 0, 1, 2, 0])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ResidualStream(()), "widths must hold different names"),
        (lambda: ResidualStream((("a", 1), ("a", 2))), "widths must hold different names"),
        (lambda: ResidualStream.of(a=0), "width of a must be a whole number of at least 1"),
        (lambda: STREAM.projection("next"), r"name must be one of \['token', 'prev', 'one'\]"),
        (
            lambda: STREAM.copy_matrix("token", "one"),
            "target must be as wide as token, 3, got one of 1",
        ),
    ],
)
def test_bad_streams_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


# One head


scales = st.sampled_from([1.0, 0.5])


@given(seeds, st.integers(1, 8), st.booleans(), st.sampled_from(["before softmax", "none"]), scales)
def test_any_head_written_in_plain_loops_agrees(seed, n_tokens, rotary, mask, scale):
    head = random_head(seed, rotary, mask=mask, scale=scale)
    x = np.random.default_rng(seed + 1).normal(size=(n_tokens, 5))
    found = head.run(x)
    rates = second_opinion.hands(4)

    def placed(weights, m):
        vector = [second_opinion.dot(row, x[m].tolist()) for row in weights.tolist()]
        return second_opinion.rotate(vector, m, rates) if rotary else vector

    queries = [placed(head.w_q, m) for m in range(n_tokens)]
    keys = [placed(head.w_k, n) for n in range(n_tokens)]
    scores = [[scale * second_opinion.dot(q, k) for k in keys] for q in queries]
    pattern = np.array(second_opinion.head_pattern(scores, head.causal))
    assert_allclose(found.queries, queries, atol=1e-10)
    assert_allclose(found.keys, keys, atol=1e-10)
    assert_allclose(found.scores, scores, atol=1e-9)
    assert_allclose(found.pattern, pattern, atol=1e-8)
    moved = np.array([[second_opinion.dot(row, v) for row in head.w_ov.tolist()] for v in x])
    assert_allclose(found.head_out, pattern @ moved, atol=1e-7)
    assert_allclose(found.resid_post, x + pattern @ moved, atol=1e-7)


def test_without_a_rotation_scores_are_the_bilinear_form_of_w_qk():
    head, x = random_head(3, rotary=False), np.random.default_rng(4).normal(size=(6, 5))
    assert_allclose(head.run(x).scores, x @ head.w_qk @ x.T, atol=1e-12)
    joined = AttentionHead.from_qk(head.w_qk, head.w_ov)
    assert head.w_ov.shape == (5, 5)
    assert_allclose(joined.run(x).scores, head.run(x).scores, atol=1e-12)
    assert_allclose(joined.run(x).head_out, head.run(x).head_out, atol=1e-12)


def test_a_mask_after_the_softmax_loses_what_later_keys_got():
    scores = np.zeros((3, 3))
    assert_allclose(masked_pattern(scores, "after softmax"), np.tri(3) / 3)
    assert_allclose(masked_pattern(scores), np.tri(3) / [[1], [2], [3]])
    assert_allclose(masked_pattern(scores, "none"), 1 / 3)
    assert not random_head(0, mask="none").causal
    assert random_head(0, mask="after softmax").causal


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"w_k": np.ones((3, 5))}, r"w_k must have shape \(4, 5\), got \(3, 5\)"),
        ({"w_v": np.ones((5, 4))}, r"w_v must have shape \(5, 5\), got \(5, 4\)"),
        ({"w_o": np.ones((4, 5))}, r"w_o must have shape \(5, 5\), got \(4, 5\)"),
        ({"w_v": np.ones((2, 5)), "w_o": np.ones((5, 5))}, r"w_o must have shape \(5, 2\)"),
        ({"scale": 0.0}, "scale must be a finite number above 0, got 0"),
        ({"w_q": np.full((4, 5), np.nan)}, "w_q must be finite"),
        ({"frequencies": np.ones(3)}, "frequencies must be 2, one for two rows of w_q, got 3"),
        ({"frequencies": np.zeros(2)}, "frequencies must be at least one, each above 0"),
        ({"mask": "late"}, "mask must be one of .* got 'late'"),
    ],
)
def test_bad_heads_are_refused(options, message):
    weights = {"w_q": np.ones((4, 5)), "w_k": np.ones((4, 5)), "w_v": np.ones((5, 5))}
    with pytest.raises(ValueError, match=message):
        AttentionHead(**{**weights, **options})


@pytest.mark.parametrize("resid_pre", [np.ones((2, 4)), np.ones((0, 5)), np.ones(5)])
def test_a_stream_must_fit_the_head(resid_pre):
    with pytest.raises(ValueError, match="resid_pre must"):
        random_head(0).run(resid_pre)
    with pytest.raises(ValueError, match="mask must be one of"):
        masked_pattern(np.zeros((1, 1)), "late")


def test_what_a_head_holds_and_computes_is_read_only():
    head = random_head(0)
    found = head.run(np.ones((2, 5)))
    for array in (head.w_q, head.w_v, head.w_ov, found.keys, found.pattern, found.head_out):
        assert not array.flags.writeable
