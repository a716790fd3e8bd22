"""How much attention each layer gives to five places, and where one token looks in each layer."""

from __future__ import annotations

from typing import Any, ClassVar

from manim import Create
from pydantic import Field

from clockhead.model.films.heads.over_layers import OverLayers, over_layers
from clockhead.model.heads.head_scores import TARGETS, Target
from clockhead.model.heads.patterns import AttentionPatterns
from clockhead.scenes.heads.inputs import ModelInputs, load_patterns, spoken_places
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import (
    CAPTION,
    REST,
    Derived,
    FadeOut,
    Handle,
    Stage,
    Steps,
    beat,
    fit,
    said,
)


def layers_of_heads(
    data: AttentionPatterns | None, text: str, moment: int, at: int | None
) -> OverLayers:
    """The layers of the data file's model or of the small transformer."""
    return over_layers(load_patterns(data, text, moment), at)


class Layers(Stage[OverLayers]):
    """What each layer looks at on average, and where one token looks in each layer."""

    class Inputs(ModelInputs):
        """The model, its text, and one token."""

        at: int | None = Field(
            None,
            ge=0,
            le=511,
            description="position of the token whose row is shown; default: the last",
        )

    title = "Layer by layer"
    caption = "Means over the {n_heads} {n_heads:head|heads} of a layer: the brighter, the more."
    opens = ("table",)
    leaves = ("table",)
    handles = (Handle("moment", (0, 150, 350, 400, 500, 800, 2000), beat="induction"),)
    derived = {
        "five": Derived(
            "the names of the five places that heads may look at", lambda _: spoken_places()
        ),
        "columns": Derived(
            "the tokens that get most attention, and “others”",
            lambda layers: (*layers.keys, said("others")),
        ),
    }
    data_files: ClassVar = ("data",)
    compute = layers_of_heads

    marked: CellFrame

    def layout(self) -> None:
        many = self.values.n_layers > 12
        look: dict[str, Any] = {"low": 0.0, "high": 1.0, "spec": (".0%",), "most_number": 30.0}
        self.table = Matrix(
            self["looks"],
            rows=self["five"],
            columns=self["layers"],
            least_cell=0.06 if many else 0.3,
            most_cell=2.4,
            aspect=(0.35, 5.0),
            turns=(0.0,),
            **look,
        )
        fit(self.canvas, self.table)
        self.table.empty()
        self.walk = Matrix(
            self["walk"],
            rows=self["layers"],
            columns=self["columns"],
            least_cell=0.06 if many else 0.3,
            most_cell=1.4,
            aspect=(0.1 if many else 0.35, 1.5),
            **look,
        )
        fit(self.canvas, self.walk)
        self.walk.empty()

    @beat(
        "Each column is a layer: what its heads give on average to each of five places.", rest=REST
    )
    def all_(self) -> Steps:
        yield 0.7 * self.table.fill_columns()

    @beat("The token before gets most in layer {previous_layer}: {previous:.0%}.")
    def previous(self) -> Steps:
        yield self._mark("previous", self.values.previous_layer)

    @beat(
        "And what came after the same token in layer {induction_layer}: {induction:.0%}.",
        when=lambda layers: layers.induction > 0,
        rest=REST,
    )
    def induction(self) -> Steps:
        yield FadeOut(self.marked, run_time=0.3)
        yield self._mark("induction", self.values.induction_layer)

    @beat(
        "An induction circuit needs this order: first look one token back, then find the match.",
        when=lambda layers: layers.in_order,
    )
    def order(self) -> Steps:
        yield 1.0

    @beat("Now one token, {asker}. Each row is a layer, and shows where the token looks.")
    def row(self) -> Steps:
        yield self.screen(self.walk, run_time=0.8)
        yield 0.6 * self.walk.fill_rows()

    @beat("Of single tokens, {most_asked} gets most: {most:.0%} in layer {most_layer}.", rest=REST)
    def most(self) -> Steps:
        cell = self.walk.cell(self.values.most_layer, self.values.most_key)
        self.marked = CellFrame(cell)
        yield Create(self.marked)

    @beat(CAPTION)
    def end(self) -> Steps:
        yield FadeOut(self.marked, run_time=0.4)

    def _mark(self, target: Target, layer: int) -> Create:
        """Frame the cell of a target in a layer."""
        self.marked = CellFrame(self.table.cell(TARGETS.index(target), layer))
        return Create(self.marked)
