"""A slider or field for every input of a stage, with a still that follows them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from clockhead.notebook.display import refusal
from clockhead.notebook.films import NotebookShot, stage
from clockhead.notebook.request import ClockheadError

if TYPE_CHECKING:
    from ipywidgets import DOMWidget, Widget

    from clockhead.notebook.request import FontFiles

_WIDTH = 854
_FEW = 60
"""Largest range of whole numbers for a slider that can also leave the input out."""
_MANY = 1000
"""Largest range of whole numbers for a slider; larger ranges get a field."""
_FAR = 1000.0
"""Ratio of the largest to the smallest value from which a slider is logarithmic."""
_LEFT_OUT = "(left out)"

Schema = Mapping[str, Any]


def sliders(
    name: str,
    *,
    beat: str | int | None = None,
    theme: str | None = None,
    font: FontFiles = None,
    **inputs: Any,
) -> Sliders:
    """A stage to play with: a control for each input, and the picture at the end of a beat.

    Inputs that are not given start at their defaults.

    Raises:
        ClockheadError: if ipywidgets is not installed, with the command that installs it, or if
            something is wrong with the inputs.
    """
    from importlib.util import find_spec

    from clockhead.release import install_command

    if find_spec("ipywidgets") is None:
        raise ClockheadError(
            f"sliders need ipywidgets; install it with: {install_command('notebook')}"
        )
    shown = stage(name, theme=theme, font=font, **inputs)
    return Sliders(name, shown, theme, font, dict(inputs), beat)


@dataclass
class Sliders:
    """Controls and a picture: `stage` has the current inputs, `widget` shows everything."""

    name: str
    stage: NotebookShot
    _theme: str | None
    _font: FontFiles
    _given: dict[str, Any]
    """The inputs that the user has set; others adjust to them."""
    _beat: str | int | None
    controls: dict[str, Any] = field(default_factory=dict)
    """The control of each input, by its name."""
    widget: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        import ipywidgets as widgets

        from clockhead.storyboard.models import inputs_schema

        self._picture = widgets.HTML()
        self._trouble = widgets.HTML()
        initial = self.stage.inputs
        for name, part in inputs_schema(self.name)["properties"].items():
            control = control_for(name, part, initial[name])
            control.observe(self._follow(name, reader_for(part)), names="value")
            self.controls[name] = control
        self.widget = widgets.VBox([*self.controls.values(), self._trouble, self._picture])
        self._draw()

    def _follow(self, name: str, read: Callable[[Any], Any]) -> Callable[[Any], None]:
        def follow(change: Any) -> None:
            self._given[name] = read(change["new"])
            self._draw()

        return follow

    def _draw(self) -> None:
        """Draw the stage with the values of the controls, or show what is wrong with them."""
        try:
            # Empty fields, and sliders that leave their input out, give nothing.
            given = {k: value for k, value in self._given.items() if value not in (None, "")}
            self.stage = stage(self.name, theme=self._theme, font=self._font, **given)
            still = self.stage.still(self._beat, width=_WIDTH)
        except ClockheadError as error:
            self._trouble.value = refusal([str(error)])
            return
        self._trouble.value = ""
        self._picture.value = still._repr_html_()

    def _repr_mimebundle_(self, **options: Any) -> Any:
        return self.widget._repr_mimebundle_(**options)


def control_for(name: str, part: Schema, value: Any) -> Widget:
    """A control that suits an input's schema."""
    import ipywidgets as widgets

    from clockhead.storyboard.scalars import yaml_text

    kind = _kind(part)
    low, high, step = kind.get("minimum"), kind.get("maximum"), kind.get("multipleOf", 1)
    labels: dict[str, Any] = {
        "description": name,
        "tooltip": part.get("description", ""),
        "style": {"description_width": "9em"},
        "layout": {"width": "36em"},
    }
    later = {"continuous_update": False}
    if "enum" in kind:
        return widgets.Dropdown(options=kind["enum"], value=value, **labels)
    if kind.get("type") == "boolean":
        return widgets.Checkbox(value=value, **labels)
    if kind.get("type") == "integer" and low is not None and high is not None:
        if "anyOf" in part and high - low <= _FEW:
            options = [(_LEFT_OUT, ""), *((str(n), n) for n in range(low, high + 1, step))]
            return widgets.SelectionSlider(
                options=options, value="" if value is None else value, **later, **labels
            )
        if "anyOf" not in part and high - low > _MANY:
            return widgets.BoundedIntText(value=value, min=low, max=high, step=step, **labels)
        if "anyOf" not in part:
            return widgets.IntSlider(value=value, min=low, max=high, step=step, **later, **labels)
    if (
        kind.get("type") == "number"
        and "anyOf" not in part
        and low is not None
        and high is not None
    ):
        return _number_slider(low, high, value, later | labels)
    if not isinstance(value, str):
        value = "" if value is None else yaml_text(value)
    return widgets.Text(value=value, **later, **labels)


def reader_for(part: Schema) -> Callable[[Any], Any]:
    """A function from a control's value to the input: lists in fields are written as in YAML."""
    from clockhead.storyboard.problems import StoryboardError
    from clockhead.storyboard.yaml_reader import parse_value

    def read(value: Any) -> Any:
        if not isinstance(value, str) or _kind(part).get("type") == "string":
            return value
        try:
            return parse_value(value, "")
        except StoryboardError:
            return value  # the stage has a better message for it

    return read


def _kind(part: Schema) -> Schema:
    """The schema of an input when it is given; empty if there are several."""
    kinds = [kind for kind in part.get("anyOf", [part]) if kind.get("type") != "null"]
    return kinds[0] if len(kinds) == 1 else {}


def _number_slider(low: float, high: float, value: float, options: dict[str, Any]) -> DOMWidget:
    import ipywidgets as widgets

    options = options | {"readout_format": ".5g"}
    if low > 0 and high / low >= _FAR:
        ends = {"min": math.log10(low), "max": math.log10(high)}
        return widgets.FloatLogSlider(value=value, **ends, step=0.05, **options)
    step = (high - low) / 200
    return widgets.FloatSlider(value=value, min=low, max=high, step=step, **options)
