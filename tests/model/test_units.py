from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import pytest

from clockhead.model.arrays import Floats
from clockhead.model.attention.constant_key import TextKeys
from clockhead.model.attention.dot_spread import DotSpread
from clockhead.model.attention.embedding import DemoEmbedding
from clockhead.model.attention.head import AttentionHead, ResidualStream
from clockhead.model.attention.linear_probe import LinearReader
from clockhead.model.attention.next_word import Draws, NextWord, TemperatureWalk
from clockhead.model.attention.worked_head import WorkedHead
from clockhead.model.caesar.transformer import CaesarTransformer
from clockhead.model.films.ablation.head_effects import HeadEffects, HeadPair
from clockhead.model.films.ablation.isolation import WordExchange
from clockhead.model.films.ablation.looks import BusiestHeads
from clockhead.model.films.attention.lookup import VocabularyRows
from clockhead.model.films.attention.printed import PrintedExample
from clockhead.model.films.attention.scale import ScaledHead
from clockhead.model.films.attention.softmax import WorkedSoftmax
from clockhead.model.films.convolution.content import Reach, TwoReaches
from clockhead.model.films.convolution.shifted import CopyReader, MovedPicture
from clockhead.model.films.induction.ablate import Ablations
from clockhead.model.films.induction.lanes import TwoOrders
from clockhead.model.films.induction.probabilities import ShareExamples, ShareLogits
from clockhead.model.films.one_layer.any_function import CurvePieces
from clockhead.model.films.one_layer.bend import OneNeuron
from clockhead.model.films.one_layer.block import ChangedWord, WaveBlock
from clockhead.model.films.one_layer.sigmoid import SigmoidWave, Steepening
from clockhead.model.films.onehot.onehot_tables import PrintedAttention, PrintedSlides, PrintedTable
from clockhead.model.films.previous_token.constant_key import TurningReader
from clockhead.model.films.previous_token.look_back import LookBackWalk
from clockhead.model.films.previous_token.token_dependent_key import TokenLeak
from clockhead.model.films.rope.frequencies import Schedule
from clockhead.model.films.rope.matrix import RotatedVector
from clockhead.model.films.rope.pair_series import PairSeries
from clockhead.model.films.rope.position_pair import PositionPair, RotatedDotProduct
from clockhead.model.films.rope.relative_offset import DraggedPair
from clockhead.model.films.rope.word_scores import WordOrders, WordScores
from clockhead.model.films.vectors.drawn_ratings import DrawnRatings, Moved
from clockhead.model.films.vectors.keys import TokenMatches
from clockhead.model.induction.bent_line import BentLine, Crowd
from clockhead.model.induction.circuit import Induction
from clockhead.model.induction.continuation import Continuation
from clockhead.model.induction.echo import Echo
from clockhead.model.induction.onehot_layers import OneHotBlocks, OneHotLayers
from clockhead.model.induction.other_texts import OtherTexts
from clockhead.model.induction.two_layers import TwoLayerPass, TwoLayerWeights
from clockhead.model.networks.filters import FilterNet, FilterPass
from clockhead.model.networks.relu_wave import Narrowing, ReluWave
from clockhead.model.networks.step_function import StepFunction
from clockhead.model.previous_token.alpha_sweep import AlphaSweep, ScaledRow
from clockhead.model.previous_token.copied_values import CopiedValues
from clockhead.model.previous_token.head import PreviousTokenHead
from clockhead.model.previous_token.score_row import ScoreRow
from clockhead.model.previous_token.second_look import SecondLook
from clockhead.model.previous_token.token_dependent_key import TokenDependentKeyHead
from clockhead.model.primer.tables import Compared, PrintedSection
from clockhead.model.primer.tables import PrintedTable as PrimerTable
from clockhead.model.rope.aliases import Rival
from clockhead.model.transformer.block import BlockPass, TransformerBlock
from clockhead.model.transformer.cache_sizes import CacheSizes, ScoreCounts
from clockhead.model.transformer.kv_cache import CachedBlockPass, CachedPass, LayerCache
from clockhead.model.transformer.parameter_count import ParameterCount
from clockhead.model.transformer.transformer import Transformer, TransformerPass
from clockhead.model.units import Doc, Share, Unit, described

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
        "count": ("How many there are", "tokens"),
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
