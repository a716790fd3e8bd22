"""Two small stages that draw nothing, for tests of everything that happens before drawing."""

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

import pipeline.storyboard.schema
import pipeline.storyboard.shots
import scenes.stage.find
from scenes.stage import Finding, Slide, StageInputs, UnknownStage, Words

Even = Annotated[int, Field(multiple_of=2)]


@dataclass(frozen=True)
class Values:
    n: int
    mass: float
    pattern: np.ndarray  # (n, n)


class Grid(Slide):
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

    @classmethod
    def compute(cls, inputs):
        n = len(inputs.text.split())
        if inputs.m >= n:
            raise ValueError(f"m = {inputs.m} is outside the text, which has {n} tokens")
        return Values(n, 1 - 1 / inputs.alpha, np.eye(n))

    @classmethod
    def facts(cls, values):
        return {"n": values.n, "m": 1, "mass": np.float64(values.mass), "who": "cat", "ok": True}

    @classmethod
    def checks(cls, values):
        holds = values.mass >= 0.5
        return [Finding("token m gets at least half", holds, f"it gets {values.mass:.3g}")]


class Narrow(Slide):
    """Takes smaller heads than the grid does."""

    class Inputs(StageInputs):
        k: int = Field(1, ge=1, le=9, description="how far back")
        d_head: Even = Field(32, ge=2, le=64, description="width of the head")

    title = "Narrow"
    question = "How far back?"
    caption = "Back by {k}: $q_m$."

    @classmethod
    def compute(cls, inputs):
        return Values(inputs.k, float("inf"), np.array([[np.nan, 0.1], [-np.inf, 1 / 3]]))

    @classmethod
    def facts(cls, values):
        return {"k": values.n, "gap": values.mass}


STAGES = {"fake.grid": Grid, "fake.narrow": Narrow}


def install(monkeypatch):
    """Have the pipeline find these stages and no others."""
    for module in (
        scenes.stage,
        scenes.stage.find,
        pipeline.storyboard.schema,
        pipeline.storyboard.shots,
    ):
        monkeypatch.setattr(module, "find_stage", find)
        monkeypatch.setattr(module, "stage_names", lambda: list(STAGES), raising=False)


def find(name):
    if name not in STAGES:
        raise UnknownStage(name)
    return STAGES[name]
