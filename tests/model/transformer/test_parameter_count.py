import numpy as np
import pytest

from clockhead.model.transformer.parameter_count import GPT_2, LLAMA_7B, PRIMER_7B, parameter_count
from clockhead.model.transformer.transformer import random_transformer


def test_gpt_2_in_all_its_arrays():
    d, d_ff = 768, 3072
    layer = {
        "ln_1": [(d,), (d,)],
        "attn": [(d, 3 * d), (3 * d,), (d, d), (d,)],
        "ln_2": [(d,), (d,)],
        "mlp": [(d, d_ff), (d_ff,), (d_ff, d), (d,)],
    }
    shapes = [shape for arrays in layer.values() for shape in arrays] * 12
    shapes += [(50_257, d), (1024, d), (d,), (d,)]
    assert GPT_2.total == sum(int(np.prod(shape)) for shape in shapes) == 124_439_808
    assert GPT_2.by_rule == GPT_2.in_layers == 84_934_656
    assert GPT_2.by_rule_over_true == 1


def test_the_row_of_7b_has_fewer_than_the_rule_says():
    assert PRIMER_7B.by_rule == LLAMA_7B.by_rule == 6_442_450_944
    assert PRIMER_7B.in_layers == 5_033_164_800
    assert PRIMER_7B.by_rule_over_true == pytest.approx(1.28)


def test_a_gated_mlp_makes_up_for_it():
    assert LLAMA_7B.in_layers == 6_476_005_376
    assert LLAMA_7B.total == 6_738_415_616
    assert LLAMA_7B.total - LLAMA_7B.in_layers == 2 * 32_000 * 4096 + 65 * 4096


def test_heads_that_share_keys_and_values_need_fewer_weights_for_them():
    eight = parameter_count(126, 16_384, 53_248, 128_256, n_mlp_matrices=3, d_keys=8 * 128)
    own = parameter_count(126, 16_384, 53_248, 128_256, n_mlp_matrices=3)
    assert own.total - eight.total == 126 * 2 * 16_384 * (16_384 - 1024)


@pytest.mark.parametrize("sizes", [(1, 2, 1, 3, 5), (3, 6, 2, 8, 10), (2, 8, 4, 32, 7)])
def test_the_matrices_of_a_model_are_what_is_counted(sizes):
    n_layers, d_model, _, d_ff, n_vocab = sizes
    count = parameter_count(n_layers, d_model, d_ff, n_vocab)
    assert count.total == random_transformer(*sizes, seed=0).n_parameters
    assert (count.by_rule == count.in_layers) == (d_ff == 4 * d_model)


def test_each_part_by_hand():
    count = parameter_count(
        2,
        3,
        5,
        7,
        d_heads=4,
        n_mlp_matrices=3,
        n_positions=11,
        tied=False,
        biases=True,
        norm="scale and shift",
    )
    assert count.by_rule == 12 * 2 * 9
    assert count.in_attention == 3 * 3 * 4 + 4 * 3
    assert count.in_mlp == 3 * 3 * 5
    assert count.in_layers == 2 * (48 + 45)
    assert count.in_embeddings == (7 + 7 + 11) * 3
    assert count.in_biases == 2 * (4 + 4 + 4 + 3 + 5 + 5 + 3)
    assert count.in_norms == 5 * 2 * 3
    assert count.total == 186 + 75 + 56 + 30


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_layers": 0}, "n_layers must be a whole number of at least 1, got 0"),
        ({"d_ff": 2.5}, "d_ff must be a whole number of at least 1, got 2.5"),
        ({"d_keys": 0}, "d_keys must be a whole number of at least 1, got 0"),
        ({"d_heads": 0}, "d_heads must be a whole number of at least 1, got 0"),
        ({"n_positions": -1}, "n_positions must be a whole number of at least 0, got -1"),
        ({"n_mlp_matrices": 4}, "n_mlp_matrices must be 2 or 3, got 4"),
        ({"norm": "rms"}, r"norm must be one of \('none', 'scale', 'scale and shift'\)"),
    ],
)
def test_bad_sizes_are_refused(options, message):
    sizes = {"n_layers": 1, "d_model": 2, "d_ff": 3, "n_vocab": 4}
    with pytest.raises(ValueError, match=message):
        parameter_count(**{**sizes, **options})
