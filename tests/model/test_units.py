from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import pytest

from clockhead.model.ablations import Ablations
from clockhead.model.aliases import Rival
from clockhead.model.alpha_sweep import AlphaSweep, ScaledRow
from clockhead.model.arrays import Floats
from clockhead.model.bent_line import BentLine, Crowd
from clockhead.model.busiest_heads import BusiestHeads
from clockhead.model.cache_sizes import CacheSizes, ScoreCounts
from clockhead.model.caesar_transformer import CaesarTransformer
from clockhead.model.constant_key import TextKeys
from clockhead.model.continuation import Continuation
from clockhead.model.copied_values import CopiedValues
from clockhead.model.curve_pieces import CurvePieces
from clockhead.model.dot_spread import DotSpread
from clockhead.model.dragged_pair import DraggedPair
from clockhead.model.drawn_ratings import DrawnRatings, Moved
from clockhead.model.echo import Echo
from clockhead.model.embedding import DemoEmbedding
from clockhead.model.filters import FilterNet, FilterPass
from clockhead.model.head import AttentionHead, ResidualStream
from clockhead.model.head_effects import HeadEffects, HeadPair
from clockhead.model.induction import Induction
from clockhead.model.kv_cache import CachedBlockPass, CachedPass, LayerCache
from clockhead.model.linear_reader import LinearReader
from clockhead.model.look_back_walk import LookBackWalk
from clockhead.model.moved_picture import CopyReader, MovedPicture
from clockhead.model.next_word import Draws, NextWord, TemperatureWalk
from clockhead.model.one_neuron import OneNeuron
from clockhead.model.onehot_layers import OneHotBlocks, OneHotLayers
from clockhead.model.onehot_tables import PrintedAttention, PrintedSlides, PrintedTable
from clockhead.model.other_texts import OtherTexts
from clockhead.model.pair_series import PairSeries
from clockhead.model.parameter_count import ParameterCount
from clockhead.model.position_pair import PositionPair, RotatedDotProduct
from clockhead.model.previous_token import PreviousTokenHead
from clockhead.model.primer_tables import Compared, PrintedSection
from clockhead.model.primer_tables import PrintedTable as PrimerTable
from clockhead.model.printed_example import PrintedExample
from clockhead.model.relu_wave import Narrowing, ReluWave
from clockhead.model.rotated_vector import RotatedVector
from clockhead.model.scaled_head import ScaledHead
from clockhead.model.schedule import Schedule
from clockhead.model.score_row import ScoreRow
from clockhead.model.second_look import SecondLook
from clockhead.model.share_logits import ShareExamples, ShareLogits
from clockhead.model.sigmoid_wave import SigmoidWave, Steepening
from clockhead.model.step_function import StepFunction
from clockhead.model.token_dependent_key import TokenDependentKeyHead
from clockhead.model.token_leak import TokenLeak
from clockhead.model.token_matches import TokenMatches
from clockhead.model.transformer import Transformer, TransformerPass
from clockhead.model.transformer_block import BlockPass, TransformerBlock
from clockhead.model.turning_reader import TurningReader
from clockhead.model.two_layers import TwoLayerPass, TwoLayerWeights
from clockhead.model.two_orders import TwoOrders
from clockhead.model.two_reaches import Reach, TwoReaches
from clockhead.model.units import Doc, Share, Unit, described
from clockhead.model.vocabulary_rows import VocabularyRows
from clockhead.model.wave_block import ChangedWord, WaveBlock
from clockhead.model.word_exchange import WordExchange
from clockhead.model.word_scores import WordOrders, WordScores
from clockhead.model.worked_head import WorkedHead
from clockhead.model.worked_softmax import WorkedSoftmax

RESULTS = [
    Ablations,
    AlphaSweep,
    AttentionHead,
    BentLine,
    BlockPass,
    BusiestHeads,
    CacheSizes,
    CachedBlockPass,
    CachedPass,
    CaesarTransformer,
    Compared,
    Continuation,
    ChangedWord,
    CopiedValues,
    CopyReader,
    Crowd,
    CurvePieces,
    DemoEmbedding,
    DotSpread,
    DraggedPair,
    DrawnRatings,
    Draws,
    Echo,
    FilterNet,
    FilterPass,
    HeadEffects,
    HeadPair,
    Induction,
    LayerCache,
    LinearReader,
    LookBackWalk,
    MovedPicture,
    Narrowing,
    NextWord,
    OneHotBlocks,
    OneHotLayers,
    OneNeuron,
    OtherTexts,
    PairSeries,
    ParameterCount,
    PositionPair,
    PreviousTokenHead,
    PrimerTable,
    PrintedAttention,
    PrintedExample,
    PrintedSection,
    PrintedSlides,
    PrintedTable,
    Reach,
    ReluWave,
    ResidualStream,
    Rival,
    RotatedDotProduct,
    RotatedVector,
    ScaledHead,
    ScaledRow,
    Schedule,
    ScoreCounts,
    ScoreRow,
    SecondLook,
    SigmoidWave,
    Steepening,
    StepFunction,
    ShareExamples,
    ShareLogits,
    TemperatureWalk,
    TextKeys,
    TokenDependentKeyHead,
    TokenLeak,
    TokenMatches,
    Moved,
    Transformer,
    TransformerBlock,
    TransformerPass,
    TurningReader,
    TwoLayerPass,
    TwoLayerWeights,
    TwoOrders,
    TwoReaches,
    VocabularyRows,
    WaveBlock,
    WordExchange,
    WordOrders,
    WordScores,
    WorkedHead,
    WorkedSoftmax,
]


class Base:
    @property
    def count(self) -> int:
        """Replaced by a field below."""
        return 0

    @property
    def shown(self) -> Share:
        """What is shown, 0 .. 1 of it. More about it."""
        return 0.5


@dataclass(frozen=True)
class Result(Base):
    count: Annotated[int, Doc("how many there are"), Unit("tokens")] = 3
    _hidden: int = 0

    @cached_property
    def array(self) -> Floats:
        """An array
        over two lines; shape (T,).

        And a paragraph.
        """
        raise NotImplementedError

    @property
    def _private(self) -> int:
        return 0


def test_fields_and_properties_say_what_they_are():
    found = described(Result)
    assert {name: (d.text, d.unit) for name, d in found.items()} == {
        "count": ("how many there are", "tokens"),
        "shown": ("What is shown, 0 .. 1 of it", "share"),
        "array": ("An array over two lines; shape (T,)", ""),
    }
    assert found["count"].type is int
    assert found["shown"].type is float


def test_only_classes_are_described():
    with pytest.raises(ValueError, match="kind must be a class, got 3"):
        described(3)


@pytest.mark.parametrize("kind", RESULTS)
def test_every_scalar_of_a_result_is_described_and_counts_have_a_unit(kind):
    for name, value in described(kind).items():
        if value.type in (bool, int, float, str):
            assert value.text, f"{kind.__name__}.{name}"
            assert len(value.text) < 90, f"{kind.__name__}.{name}"
            assert "shape" not in value.text, f"{kind.__name__}.{name}"
        if value.type in (int, float) and name not in UNITLESS:
            assert value.unit, f"{kind.__name__}.{name}"


UNITLESS = ("base", "condition", "gamma", "gain", "first", "second", "hero", "opposite", "seed")
