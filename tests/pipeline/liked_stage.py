"""How much a row of a head gives its favourite token."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from clockhead.model.arrays import Floats, Values
from clockhead.model.heads.patterns import AttentionPatterns, attention_patterns
from clockhead.model.tokens import TokenName
from clockhead.model.units import Doc, Share
from clockhead.scenes.parts.figures import Readout
from clockhead.scenes.stage import (
    CAPTION,
    DataName,
    FadeIn,
    Handle,
    Stage,
    StageInputs,
    Steps,
    beat,
)


@dataclass(frozen=True, kw_only=True)
class Favourite(Values):
    """The last row of a head."""

    row: Annotated[Floats, Doc("the last row; (T,)")]
    most: Annotated[Share, Doc("the largest weight")]
    who: Annotated[str, Doc("the token that gets it")]


def favourite(data: AttentionPatterns | None, layer: int) -> Favourite:
    """Compute the values for these inputs."""
    if data is None:
        data = attention_patterns(("a", "b"), [[[[1, 0], [0.5, 0.5]]]])
    if layer >= data.n_layers:
        raise ValueError(f"layer must be 0 to {data.n_layers - 1}, got {layer}")
    row = data.patterns[layer, 0, -1]
    best = int(row.argmax())
    return Favourite(row=row, most=float(row[best]), who=TokenName(data.labels[best]))


class Liked(Stage[Favourite]):
    """The favourite of the last row."""

    class Inputs(StageInputs):
        """A file, and where to look in it."""

        data: DataName = ""
        layer: int = Field(0, ge=0, le=47, description="the layer, from 0")

    title = "The favourite"
    caption = "{who} gets {most:.1%} of the last row."
    data_files = ("data",)
    handles = (Handle("layer", (0, 1)),)
    compute = favourite

    def layout(self) -> None:
        self.number = Readout(self["most"], ".0%")
        self.number.place(self.canvas)

    @beat(CAPTION)
    def end(self) -> Steps:
        yield FadeIn(self.number)
