import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.attention.pattern import pattern_from_scores
from clockhead.model.heads.head_scores import (
    CLEAR,
    KINDS,
    TARGETS,
    head_scores,
    interesting_part,
)
from clockhead.model.heads.patterns import AttentionPatterns, attention_patterns
from clockhead.model.induction.circuit import induction
from clockhead.model.previous_token.head import previous_token_head
from clockhead.model.tokens import Vocabulary
from tests.model.heads import plain_head_scores

TEXT = tuple("abcabcaab")


def random_patterns(
    tokens: tuple[str, ...], seed: int = 0, *, causal: bool = True
) -> AttentionPatterns:
    scores = 3 * np.random.default_rng(seed).normal(size=(2, 3, len(tokens), len(tokens)))
    return attention_patterns(tokens, pattern_from_scores(scores, causal))


def of(tokens: tuple[str, ...] | str, *patterns: np.ndarray) -> AttentionPatterns:
    """One layer with these heads."""
    return attention_patterns(tuple(tokens), np.array(patterns)[None])


def looking_at(*columns: int) -> np.ndarray:
    """A head whose row m looks at one column only."""
    return np.eye(len(columns))[list(columns)]


@given(
    st.text("abc", min_size=2, max_size=12), st.integers(0, 99), st.booleans(), st.booleans(),
    st.booleans(),
)  # fmt: skip
def test_scores_are_those_of_transformer_lens(text, seed, bos, current, causal):
    tokens = tuple(text)
    patterns = random_patterns(tokens, seed, causal=causal)
    found = head_scores(patterns, exclude_bos=bos, exclude_current_token=current)
    for layer, head in np.ndindex(2, 3):
        pattern = patterns.patterns[layer, head].tolist()
        for number, kind in enumerate(TARGETS[:3]):
            plain = plain_head_scores.score(pattern, tokens, kind, bos, current)
            assert found.scores_for(kind)[layer, head] == pytest.approx(plain, abs=1e-12)
            mean = plain_head_scores.mean_on_target(pattern, tokens, kind)
            assert found.on_target[layer, head, number] == pytest.approx(mean, abs=1e-12)


def test_a_pattern_by_hand():
    # a b a b: row 2 can find b at 1 by induction and a at 0 as a duplicate, row 3 a at 2, b at 1.
    pattern = np.array([[1, 0, 0, 0], [0.25, 0.75, 0, 0], [0.5, 0.3, 0.2, 0], [0.1, 0.2, 0.3, 0.4]])
    found = head_scores(of("abab", pattern))
    assert_allclose(found.previous, [[(0.25 + 0.3 + 0.3) / 4]])
    assert_allclose(found.induction, [[(0.3 + 0.3) / 4]])
    assert_allclose(found.duplicate, [[(0.5 + 0.2) / 4]])
    assert_allclose(found.first, [[1.85 / 4]])
    assert_allclose(found.own, [[(1 + 0.75 + 0.2 + 0.4) / 4]])
    assert_array_equal(found.rows, [3, 2, 2, 3, 3])
    assert_allclose(found.on_target[0, 0], [0.85 / 3, 0.3, 0.35, 0.85 / 3, 1.35 / 3])
    without = head_scores(of("abab", pattern), exclude_bos=True, exclude_current_token=True)
    assert_allclose(without.previous, [[(0.3 + 0.3) / 0.8]])
    assert_allclose(without.first, 0)


def test_nothing_left_is_no_share():
    only_first = of("ab", looking_at(0, 0))
    assert_allclose(head_scores(only_first, exclude_bos=True).previous, 0)


def test_heads_are_named_by_what_they_look_at():
    heads = {
        "previous": looking_at(0, 0, 1, 2, 3, 4),
        "induction": looking_at(0, 1, 0, 1, 2, 3),
        "duplicate": looking_at(0, 1, 2, 0, 1, 2),
        "first": looking_at(0, 0, 0, 0, 0, 0),
        "own": np.eye(6),
        "mixed": np.tri(6) / np.arange(1, 7)[:, None],
    }
    names = list(heads)[::-1]
    found = head_scores(of("abcabc", *(heads[name] for name in names)))
    assert found.kinds == (tuple(names),)
    assert_array_equal(found.order, [(0, names.index(kind)) for kind in KINDS])
    assert found.best("induction") == (0, names.index("induction"))


def test_a_head_just_below_the_bound_is_mixed():
    before, own = np.eye(9, k=-1), np.eye(9)
    first = np.zeros((9, 9))
    first[:, 0] = 1
    for share, kind in ((CLEAR, "previous"), (CLEAR - 0.01, "mixed")):
        pattern = share * before + (1 - share) / 2 * (own + first)
        pattern[0] = first[0]
        pattern[1, :2] = share, 1 - share  # here the token before is the first one
        assert head_scores(of("abcdefghi", pattern)).kinds[0][0] == kind


def test_a_text_without_repeats_has_nothing_to_find():
    found = head_scores(random_patterns(tuple("abcdef")))
    assert found.n_induction_rows == 0
    assert_allclose(found.induction, 0)
    assert not {"induction", "duplicate"} & {kind for layer in found.kinds for kind in layer}


def test_the_hand_built_previous_token_head_is_one():
    head = previous_token_head(12, alpha=20)
    found = head_scores(of("abcdefghijkl", head.pattern))
    assert found.kinds == (("previous",),)
    assert found.on_target[0, 0, 0] == pytest.approx(head.target_weights.mean())
    assert found.previous[0, 0] == pytest.approx(head.target_weights.sum() / 12)


def test_the_hand_built_induction_head_is_one():
    text = ("<bos>", *"zorpzorpzorp")
    circuit = induction(text, Vocabulary.of(text), alpha=1000, beta=1000)
    first, second = circuit.forward.head_0.pattern, circuit.forward.head_1.pattern
    found = head_scores(attention_patterns(text, [[first], [second]]))
    assert found.kinds == (("previous",), ("induction",))
    assert found.on_target[1, 0, TARGETS.index("induction")] == pytest.approx(1)
    assert found.n_induction_rows == 8


@pytest.mark.parametrize("length", [1, 3, 8, 20, 30])
def test_the_interesting_part_has_what_the_head_looks_at(length):
    text = tuple("qwertbuiopasdf" + "xyzxyz")
    columns = list(range(20))
    columns[17:] = [15, 16, 17]
    patterns = of(text, looking_at(*columns), looking_at(0, *range(19)))
    assert head_scores(patterns).kinds == (("induction", "previous"),)
    first, last = interesting_part(patterns, length, [(0, 0)])
    assert last - first + 1 == min(length, 20)
    assert 0 <= first <= last < 20
    if length in (8, 20, 30):
        assert first <= 15
        assert last == 19
    assert interesting_part(patterns, length, [(0, 1)])[0] == 0
    assert interesting_part(patterns, length)[1] < 20
