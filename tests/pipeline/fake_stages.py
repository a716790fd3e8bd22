"""Small stages that draw nothing, for tests of everything that happens before drawing."""

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

import clockhead.new  # noqa: F401 # first imported later, it keeps the fakes
from clockhead import libraries
from clockhead.libraries import Library
from clockhead.model.characters import TokenName
from clockhead.model.units import Doc, Share
from clockhead.scenes import stage
from clockhead.scenes.stage import Claim, Stage, StageInputs, UnknownStage, Words
from clockhead.scenes.stage import find as finding
from clockhead.storyboard import shots

Even = Annotated[int, Field(multiple_of=2)]
Word = Annotated[str, Field(pattern="^[a-z]{1,9}$")]


@dataclass(frozen=True)
class Pattern:
    """What a grid shows."""

    n: Annotated[int, Doc("number of tokens")]
    m: Annotated[int, Doc("the token that asks")]
    mass: Annotated[Share, Doc("what it gets")]
    who: Annotated[str, Doc("the token by name")]
    ok: Annotated[bool, Doc("whether all is well")]
    pattern: Annotated[np.ndarray, Doc("the shares; shape (n, n)")]


@dataclass(frozen=True)
class Distance:
    """How far back somebody looks."""

    k: Annotated[int, Doc("how far back")]
    gap: Annotated[float, Doc("how clear it is")]
    pattern: Annotated[np.ndarray, Doc("numbers of all kinds; shape (2, 2)")]


class Grid(Stage):
    """A grid that looks at token m."""

    class Inputs(StageInputs):
        text: Words = "the cat sat"
        d_head: Even = Field(32, ge=2, le=256, description="width of the head")
        m: int = Field(1, ge=0, le=1000, description="the token that asks")
        alpha: float = Field(10, gt=0, le=1e4, description="scale of the scores")
        mode: Literal["soft", "hard"] = Field("soft", description="how the scores are turned")
        pair: tuple[int, int] = Field((5, 3), description="two positions")
        bold: bool = Field(False, description="thick lines")

    title = "A grid of {n}"
    question = "Where does the query look?"
    caption = "Token {m} gets {mass:.1%}."
    claims = (Claim("token m gets at least half", lambda v: v.mass >= 0.5, "it gets {mass:.3g}"),)

    @classmethod
    def compute(cls, inputs):
        n = len(inputs.text.split())
        if inputs.m >= n:
            raise ValueError(f"m = {inputs.m} is outside the text, which has {n} tokens")
        return Pattern(n, 1, np.float64(1 - 1 / inputs.alpha), "cat", True, np.eye(n))


class Narrow(Stage):
    """Takes smaller heads than the grid does."""

    class Inputs(StageInputs):
        k: int = Field(1, ge=1, le=9, description="how far back")
        d_head: Even = Field(32, ge=2, le=64, description="width of the head")

    title = "Narrow"
    question = "How far back?"
    caption = "Back by {k}: $q_m$."

    @classmethod
    def compute(cls, inputs):
        return Distance(inputs.k, float("inf"), np.array([[np.nan, 0.1], [-np.inf, 1 / 3]]))


@dataclass(frozen=True)
class Chosen:
    """Facts and numbers of all the other kinds that there are."""

    token: Annotated[TokenName, Doc("a token by its place")]
    size: Annotated[np.float64, Doc("a number of NumPy's")]
    share: Annotated[Share, Doc("a share")]
    whole: Annotated[np.bool_, Doc("whether it is whole")]


class Choice(Stage):
    """Takes inputs of all the other kinds that there are."""

    class Inputs(StageInputs):
        length: Literal[4, 8, 16] = Field(8, description="how many letters")
        name: Word | None = Field(None, description="a word, or none")
        words: tuple[Word, ...] = Field(("a", "b"), min_length=1, max_length=4, description="words")
        rows: tuple[tuple[float, ...], ...] | None = Field(None, description="rows of numbers")
        either: Even | Word = Field(2, description="an even number or a word")
        seed: int | None = Field(None, ge=0, le=99, description="what is drawn")
        levels: tuple[Annotated[int, Field(ge=-3, le=3)], ...] = Field((1, 2), min_length=1)

    title = "A choice"
    question = "Which one?"
    caption = "It is {token}."

    @classmethod
    def compute(cls, inputs):
        token = TokenName(inputs.name or inputs.words[0], 1)
        return Chosen(token, np.float64(inputs.length), 0.25, np.bool_(inputs.seed is None))


STAGES = {"fake.grid": Grid, "fake.narrow": Narrow}
ALL = {**STAGES, "fake.choice": Choice}


def install(monkeypatch, home, stages=STAGES):
    """Have the pipeline find these stages and no others, and films in `home` or its `installed`."""

    def find(name):
        if name not in stages:
            raise UnknownStage(name)
        return stages[name]

    none = Library("none", home / "none", home / "installed")
    monkeypatch.setattr(libraries, "BUILT_IN", none)
    monkeypatch.setenv(libraries.PROJECT, str(home))
    for module in (stage, finding, shots):
        monkeypatch.setattr(module, "find_stage", find)
        monkeypatch.setattr(module, "stage_names", lambda: list(stages), raising=False)
