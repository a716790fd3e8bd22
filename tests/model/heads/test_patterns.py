import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.attention.pattern import pattern_from_scores
from clockhead.model.heads.patterns import (
    MAX_HEADS,
    MAX_LAYERS,
    MAX_TOKENS,
    AttentionPatterns,
    attention_patterns,
    check_size,
    means_by_offset,
)
from clockhead.model.heads.token_labels import MAX_LABEL, escape, token_labels
from clockhead.model.previous_token.head import previous_token_head

TEXT = tuple("abcde")
SCORES = 2 * np.random.default_rng(1).normal(size=(2, 3, 5, 5))
PATTERNS = pattern_from_scores(SCORES)
MASKED = np.where(np.tri(5, dtype=bool), SCORES, -np.inf)


def test_what_is_brought_is_kept():
    logits = np.arange(10.0).reshape(5, 2)
    found = attention_patterns(
        TEXT, PATTERNS, scores=MASKED, logits=logits, vocabulary=("yes", "no")
    )
    assert (found.n_layers, found.n_heads, found.n_tokens) == (2, 3, 5)
    assert found.tokens == found.labels == TEXT
    assert_allclose(found.patterns, PATTERNS, atol=1e-15)
    assert_array_equal(found.scores, MASKED)
    assert_array_equal(found.logits, logits)
    assert found.vocabulary == ("yes", "no")
    assert found.is_causal
    assert found.row_error < 1e-12
    assert_array_equal(found.visible, np.tri(5, dtype=bool))


def test_patterns_that_look_ahead():
    found = attention_patterns(TEXT, pattern_from_scores(SCORES, causal=False), scores=SCORES)
    assert not found.is_causal
    assert found.visible.all()
    assert_array_equal(found.scores, SCORES)


@pytest.mark.parametrize("kind", [np.float16, np.float32, ">f4", ">f8", np.longdouble])
def test_every_float_is_read_and_rows_sum_to_1(kind):
    found = attention_patterns(TEXT, np.asfortranarray(PATTERNS.astype(kind)))
    assert found.patterns.dtype == np.float64
    assert_allclose(found.patterns.sum(axis=-1), 1, atol=1e-15)
    assert_allclose(found.patterns, PATTERNS, atol=1e-3)
    assert found.row_error < 2e-3


@pytest.mark.parametrize("mask", [-np.inf, -1e10, np.finfo(np.float32).min, np.nan, np.inf, 7.0])
def test_masked_scores_may_be_anything(mask):
    scores = np.where(np.tri(5, dtype=bool), SCORES, mask)
    assert_array_equal(attention_patterns(TEXT, PATTERNS, scores=scores).scores, MASKED)


def changed(**places: float) -> np.ndarray:
    """The patterns with other weights in row 3 of head 1.2."""
    patterns = PATTERNS.copy()
    for column, weight in places.items():
        patterns[1, 2, 3, int(column[1:])] = weight
    return patterns


WRONG = {
    "NaN": (changed(c0=np.nan), "row 3 of head 1.2"),
    "inf": (changed(c0=np.inf), "row 3 of head 1.2"),
    "negative": (changed(c0=-0.1), "before the softmax"),
    "too much": (changed(c0=0.9, c1=0.9), "row 3 of head 1.2"),
    "too little": (changed(c0=0, c1=0, c2=0, c3=0), "padding"),
    "columns": (PATTERNS.swapaxes(-1, -2), "swap the last two axes"),
    "a batch": (PATTERNS[None], "batch"),
    "one head": (PATTERNS[0, 0], "layers, heads"),
    "a cache": (PATTERNS[:, :, -1:], "without a key-value cache"),
    "another text": (np.eye(4)[None, None], "each of the 5 tokens"),
    "no layers": (np.zeros((0, 3, 5, 5)), "layers, heads"),
    "words": (np.full((1, 1, 5, 5), "a"), "numbers"),
    "complex": (PATTERNS.astype(complex), "numbers"),
    "dates": (np.zeros((1, 1, 5, 5), dtype="datetime64[s]"), "numbers"),
    "booleans": (np.eye(5, dtype=bool)[None, None], "numbers"),
    "objects": (np.full((1, 1, 5, 5), None), "numbers"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_patterns_are_refused_and_named(case):
    patterns, named = WRONG[case]
    with pytest.raises(ValueError, match=named):
        attention_patterns(TEXT, patterns)


def test_wrong_scores_are_refused():
    scaled = MASKED * 4  # before 1/sqrt(16)
    holes = MASKED.copy()
    holes[0, 1, 2, 1] = np.nan
    empty = MASKED.copy()
    empty[0, 1, 2] = -np.inf
    for scores, named in (
        (scaled, "sqrt"),
        (holes, r"row 2 of head 0\.1"),
        (empty, r"row 2 of head 0\.1"),
        (MASKED[:1], "shape of patterns"),
        (np.full(MASKED.shape, "a"), "numbers"),
    ):
        with pytest.raises(ValueError, match=named):
            attention_patterns(TEXT, PATTERNS, scores=scores)


def test_wrong_logits_are_refused():
    for logits, vocabulary, named in (
        (np.zeros((5, 2)), None, "vocabulary"),
        (np.zeros((5, 2)), ("a",), "column"),
        (np.zeros((4, 2)), ("a", "b"), "row"),
        (np.full((5, 2), np.nan), ("a", "b"), "finite"),
        (np.zeros((5, 0)), (), "column"),
    ):
        with pytest.raises(ValueError, match=named):
            attention_patterns(TEXT, PATTERNS, logits=logits, vocabulary=vocabulary)


def test_sizes_are_bounded():
    for size, named in (
        ((MAX_LAYERS + 1, 1, 2), "layers"),
        ((1, MAX_HEADS + 1, 2), "heads"),
        ((1, 1, MAX_TOKENS + 1), "tokens"),
        ((12, 12, 300), "at most 241 tokens"),
        ((10**9, 10**9, 10**9), "layers"),
    ):
        with pytest.raises(ValueError, match=named):
            check_size(*size)
    check_size(12, 12, 241)
    with pytest.raises(ValueError, match="at least 2"):
        attention_patterns(("a",), [[[[1.0]]]])
    with pytest.raises(ValueError, match="at most 256 characters"):
        attention_patterns(("a", "b" * 257), [[np.eye(2)]])
    for tokens in ("ab", [1, 2], [b"a", b"b"]):
        with pytest.raises(ValueError, match="list of texts"):
            attention_patterns(tokens, [[np.eye(2)]])


def test_means_by_offset():
    head = previous_token_head(6, alpha=5)
    masked = np.where(np.tri(6, dtype=bool), head.scores, -np.inf)
    found = means_by_offset(
        attention_patterns(tuple("abcdef"), [[head.pattern]], scores=[[masked]]), 0, 0
    )
    assert_array_equal(found.offsets, range(6))
    assert_array_equal(found.n_pairs, [6, 5, 4, 3, 2, 1])
    assert_allclose(found.scores, head.scores[:, 0])  # the same along each diagonal
    assert found.attention[1] == pytest.approx(head.target_weights.mean())
    assert found.attention @ found.n_pairs == pytest.approx(6)


def test_means_by_offset_of_patterns_that_look_ahead():
    found = means_by_offset(attention_patterns(("a", "b"), [[[[0.2, 0.8], [0.7, 0.3]]]]), 0, 0)
    assert_array_equal(found.offsets, [-1, 0, 1])
    assert_allclose(found.attention, [0.8, 0.25, 0.7])
    assert found.scores is None


@pytest.mark.parametrize(
    ("tokens", "labels"),
    [
        (["<|end|>", "The", "Ġcat", "Ċ", "ĊĊ"], ["<|end|>", "The", "␣cat", "\\n", "\\n\\n"]),
        (["Ġcaf", "Ã©", "âĢľ", "âĢ", "ĉ"], ["␣caf", "é", "“", "\\xe2\\x80", "\\t"]),
        (["Ã©", "caf"], ["Ã©", "caf"]),
        (["<s>", "▁the", "▁", "<0x0A>", "<0xC3>"], ["<s>", "␣the", "␣", "\\n", "\\xc3"]),
        (["[CLS]", "play", "##ing"], ["[CLS]", "play", "##ing"]),
        ([" the", "a b", "\x00", "\u202e", "\u200b", "\xa0"],
         ["␣the", "a␣b", "\\x00", "\\u202e", "\\u200b", "\\xa0"]),
        (["\u0301", "e\u0301", "\U000e0001"], ["\\u0301", "e\u0301", "\\U000e0001"]),
        (["\\frac", "\\", "\\(", "\\$"], ["\\frac", "\\x5c", "\\x5c(", "\\x5c$"]),
        ([""], ['""']),
    ],
)  # fmt: skip
def test_tokens_are_shown_as_what_they_are(tokens, labels):
    assert list(token_labels(tokens)) == labels


def test_long_tokens_are_shortened():
    [label] = token_labels([" " * 200 + "end"])
    assert len(label) == MAX_LABEL
    assert label.endswith("end")


def test_letters_that_cannot_be_drawn_are_escaped():
    assert escape("aא中", "abc") == r"a\u05d0\u4e2d"


def test_values_are_read_only():
    found: AttentionPatterns = attention_patterns(TEXT, PATTERNS, scores=MASKED)
    for array in (found.patterns, found.scores):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0, 0, 0] = 1
