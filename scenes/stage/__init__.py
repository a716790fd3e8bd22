"""Everything that an author of stages imports, in one place."""

from clockhead.scenes.spelling import said
from clockhead.scenes.stage.beats import CAPTION, Steps, beat
from clockhead.scenes.stage.claims import Claim, Handle
from clockhead.scenes.stage.contract import (
    Beat,
    CaptionLine,
    EvenInt,
    FilmCredits,
    Finding,
    Predecessor,
    Shot,
    Spoken,
    StageInputs,
    Words,
)
from clockhead.scenes.stage.data_files import DataName, data_of
from clockhead.scenes.stage.find import (
    BrokenStage,
    UnknownStage,
    broken_stages,
    class_name,
    find_stage,
    stage_names,
)
from clockhead.scenes.stage.layout import (
    Alternatives,
    Box,
    Column,
    Layers,
    Room,
    Row,
    Size,
    beside,
    fit,
    stack,
    wide_or_tall,
)
from clockhead.scenes.stage.paths import Derived
from clockhead.scenes.stage.rhythm import BREATH, LEAD, LONGEST, READING_SPEED, REST, SHORTEST
from clockhead.scenes.stage.shown import Linked, Passage, Picture, Reading, Value
from clockhead.scenes.stage.stage import Stage
from clockhead.scenes.style.motion import FadeIn, FadeOut, together

__all__ = [
    "BREATH",
    "CAPTION",
    "LEAD",
    "LONGEST",
    "READING_SPEED",
    "REST",
    "SHORTEST",
    "Alternatives",
    "Beat",
    "Box",
    "BrokenStage",
    "CaptionLine",
    "Claim",
    "Column",
    "DataName",
    "Derived",
    "EvenInt",
    "FadeIn",
    "FadeOut",
    "FilmCredits",
    "Finding",
    "Handle",
    "Layers",
    "Linked",
    "Passage",
    "Picture",
    "Predecessor",
    "Reading",
    "Room",
    "Row",
    "Shot",
    "Size",
    "Spoken",
    "Stage",
    "StageInputs",
    "Steps",
    "UnknownStage",
    "Value",
    "Words",
    "beat",
    "beside",
    "broken_stages",
    "class_name",
    "data_of",
    "find_stage",
    "fit",
    "said",
    "stack",
    "stage_names",
    "together",
    "wide_or_tall",
]
