import pytest
from numpy.testing import assert_allclose

from clockhead.model.films.transformer_block.stack import stacked_layers
from clockhead.model.primer.worked_block import worked_block
from clockhead.model.transformer.parameter_count import parameter_count


def stacked(**sizes):
    return stacked_layers(worked_block(("the", "cat", "sat"), **sizes))


PRIMER = stacked()


def test_a_layer_of_the_example_holds_144_and_96_numbers():
    assert (PRIMER.count.in_attention, PRIMER.count.in_mlp) == (144, 96)


@pytest.mark.parametrize("sizes", [{}, {"n_heads": 3}, {"seed": 5, "d_ff": 4, "n_heads": 1}])
def test_areas_are_sizes_in_squares(sizes):
    layers = stacked(**sizes)
    block, square = layers.second.block, layers.d_model**2
    matrices = (block.w_q, block.w_k, block.w_v, block.w_o, block.w_1, block.w_2)
    assert_allclose(layers.areas, [matrix.size / square for matrix in matrices])
    assert layers.areas.sum() * square == pytest.approx(layers.n_in_layer)
    assert layers.count.total == layers.transformer.n_parameters


def test_the_usual_layer_has_the_twelve_squares_of_the_rule():
    squares = PRIMER.squares_of_attention, PRIMER.squares_of_mlp, PRIMER.n_squares
    assert squares == (4, 8, 12)
    rule = parameter_count(n_layers=1, d_model=7, d_ff=28, n_vocab=1)
    assert rule.in_layers == rule.by_rule == PRIMER.n_squares * 7**2
    assert_allclose(PRIMER.usual_areas * 7**2, [49, 49, 49, 49, 7 * 28, 28 * 7])


def test_gpt_2_in_millions():
    # 50257 rows of 768 numbers, and 1024 more for positions, biases and layer norms
    assert PRIMER.budget.tolist() == pytest.approx([84.934656, 38.597376, 0.907776])
    assert PRIMER.budget_names == ("12 layers", "token table", "all else")
