import pkgutil
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from importlib import import_module
from typing import Annotated, get_origin, get_type_hints

import numpy as np
import pytest

from clockhead import model
from clockhead.model.arrays import Floats, Values
from clockhead.model.units import Description, Doc, Share, Unit, descriptions


def results() -> list[type]:
    """Every dataclass of the model that facts can come from."""
    modules = [info.name for info in pkgutil.walk_packages(model.__path__, "clockhead.model.")]
    classes = (kind for name in modules for kind in vars(import_module(name)).values())
    found = {kind for kind in classes if isinstance(kind, type) and is_dataclass(kind)}
    ours = (kind for kind in found if kind.__module__.startswith("clockhead.model."))
    return sorted(set(ours) - {Unit, Doc, Description}, key=lambda kind: kind.__qualname__)


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
    found = descriptions(Result)
    assert {name: (d.text, d.unit) for name, d in found.items()} == {
        "count": ("How many there are", "tokens"),
        "shown": ("What is shown, 0 .. 1 of it", "share"),
        "array": ("An array over two lines; shape (T,)", ""),
    }
    assert found["count"].type is int
    assert found["shown"].type is float


def test_only_classes_are_described():
    with pytest.raises(ValueError, match="kind must be a class, got 3"):
        descriptions(3)


@pytest.mark.parametrize("kind", results(), ids=lambda kind: kind.__qualname__)
def test_every_value_is_described_and_counts_have_a_unit(kind):
    for name, value in descriptions(kind).items():
        assert value.text or name in UNDESCRIBED, f"{kind.__name__}.{name}"
        if value.type in (bool, int, float, str):
            assert value.text, f"{kind.__name__}.{name}"
            assert len(value.text) < 90, f"{kind.__name__}.{name}"
            assert "shape" not in value.text, f"{kind.__name__}.{name}"
        if value.type in (int, float) and name not in UNITLESS:
            assert value.unit, f"{kind.__name__}.{name}"


@pytest.mark.parametrize("kind", results(), ids=lambda kind: kind.__qualname__)
def test_fields_that_hold_arrays_are_read_only(kind):
    types = [get_type_hints(kind)[field.name] for field in fields(kind)]
    if any(get_origin(one) is np.ndarray for one in types):
        assert issubclass(kind, Values) or kind.__name__ in SEALED


def test_values_seal_their_arrays():
    found = Sealed(np.zeros(3), 1)
    with pytest.raises(ValueError, match="read-only"):
        found.array[0] = 1


@dataclass(frozen=True)
class Sealed(Values):
    array: Floats
    count: int


SEALED = ("AttentionHead", "Transformer", "TransformerBlock", "TwoLayerWeights")
"""Weights, which seal their arrays once they are checked."""
UNDESCRIBED = (
    *("w_q", "w_k", "w_v", "w_o", "w_1", "w_2", "w_out", "frequencies", "embedding", "unembedding"),
    *("block", "blocks", "head", "head_0", "head_1", "net", "nets", "transformer", "vocabulary"),
    *("resid_pre", "row", "words", "swapped", "swapped_and_shifted", "tokens", "widths"),
    *("direction", "readings"),
)
"""Weights, and values that are described where they come from."""
UNITLESS = (
    "base",
    "low_base",
    "high_base",
    "best",
    "condition",
    "gamma",
    "gain",
    "first",
    "second",
    "hero",
    "opposite",
    "seed",
)
