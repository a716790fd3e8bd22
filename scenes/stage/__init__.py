"""The language of a stage: what an author of stages imports, in one place."""

from scenes.stage.beats import CAPTION, Steps, beat
from scenes.stage.claims import Claim
from scenes.stage.contract import (
    READING_SPEED,
    Beat,
    EvenInt,
    Film,
    Finding,
    Line,
    Predecessor,
    Shot,
    StageInputs,
    Words,
)
from scenes.stage.find import BrokenStage, UnknownStage, find_stage, stage_names
from scenes.stage.layout import Column, Layers, Row, Size, fit
from scenes.stage.paths import Derived
from scenes.stage.shown import Passage, Picture, Reading, Value
from scenes.stage.stage import Stage

__all__ = [
    "CAPTION",
    "READING_SPEED",
    "Beat",
    "BrokenStage",
    "Claim",
    "Column",
    "Derived",
    "EvenInt",
    "Film",
    "Finding",
    "Layers",
    "Line",
    "Passage",
    "Picture",
    "Predecessor",
    "Reading",
    "Row",
    "Shot",
    "Size",
    "Stage",
    "StageInputs",
    "Steps",
    "UnknownStage",
    "Value",
    "Words",
    "beat",
    "find_stage",
    "fit",
    "stage_names",
]
