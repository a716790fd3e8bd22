"""Every public value of the Caesar results is described, and every number has a unit."""

import pytest

from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.caesar.transformer import CaesarTransformer
from clockhead.model.films.caesar.angle import Shadows
from clockhead.model.films.caesar.arbitrary_embedding import RandomVectors
from clockhead.model.films.caesar.folded import FoldedHead
from clockhead.model.films.caesar.guesses import RunningGuesses
from clockhead.model.films.caesar.how_much_text import TextNeeded
from clockhead.model.films.caesar.learned import Weights
from clockhead.model.films.caesar.message import PhraseCounts
from clockhead.model.films.caesar.posterior import Belief
from clockhead.model.films.caesar.printed import PrintedCode
from clockhead.model.films.caesar.theorem import EqualLengths, TwoRules
from clockhead.model.films.caesar.transformer import CountedLetters, FirstCharacters
from clockhead.model.films.caesar.wheel import CipherWheel
from clockhead.model.units import described

RESULTS = [
    Belief,
    CaesarTransformer,
    CipherWheel,
    CountedLetters,
    Cryptogram,
    EqualLengths,
    FirstCharacters,
    FoldedHead,
    PhraseCounts,
    PrintedCode,
    RandomVectors,
    RunningGuesses,
    Shadows,
    TextNeeded,
    TwoRules,
    Weights,
]


@pytest.mark.parametrize("kind", RESULTS)
def test_every_value_is_described_and_every_number_has_a_unit(kind):
    for name, value in described(kind).items():
        assert value.text, f"{kind.__name__}.{name}"
        assert len(value.text) < 100, f"{kind.__name__}.{name}"
        if value.type in (int, float):
            assert value.unit, f"{kind.__name__}.{name}"
            assert "shape" not in value.text, f"{kind.__name__}.{name}"
