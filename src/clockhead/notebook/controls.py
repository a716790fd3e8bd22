"""A slider or field for every input of a stage, and a still that follows them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

from clockhead.notebook.display import picture
from clockhead.notebook.errors import ClockheadError
from clockhead.notebook.shots import Shot, stage

if TYPE_CHECKING:
    from ipywidgets import DOMWidget, Widget

    from clockhead.notebook.asked import FontFiles

_WIDTH = 854
_FEW = 60
"""As many whole numbers can be stepped through with one that stands for none of them."""
_MANY = 1000
"""As many can be found with a slider; more, in a field."""
_FAR = 1000.0
"""How many times its least value the greatest is, for a scale that multiplies."""
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

    Other inputs than these begin with their defaults.

    Raises:
        ClockheadError: when ipywidgets are not installed, with the command that installs them;
            and for what is wrong with the inputs.
    """
    _need_widgets()
    shown = stage(name, theme=theme, font=font, **inputs)
    return Sliders(name, shown, theme, font, dict(inputs), beat)


@dataclass
class Sliders:
    """Controls and a picture; `stage` is the stage as they have it now, `widget` all of them."""

    name: str
    stage: Shot
    _theme: str | None
    _font: FontFiles
    _given: dict[str, Any]
    """What somebody has set; everything else gives way to it."""
    _beat: str | int | None
    controls: dict[str, Any] = field(default_factory=dict)
    """The control of each input, by its name."""
    widget: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        import ipywidgets as widgets

        from clockhead.storyboard.schema import inputs_schema

        self._picture = widgets.HTML()
        self._trouble = widgets.HTML()
        begun = self.stage.inputs
        for name, part in inputs_schema(self.name)["properties"].items():
            control = control_for(name, part, begun[name])
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
        """Draw the stage as the controls have it, or say why it cannot be."""
        try:
            given = _meant(self._given)
            self.stage = stage(self.name, theme=self._theme, font=self._font, **given)
            still = self.stage.still(self._beat, width=_WIDTH)
        except ClockheadError as error:
            self._trouble.value = f'<pre role="alert">{escape(str(error))}</pre>'
            return
        self._trouble.value = ""
        self._picture.value = picture(still)

    def _repr_mimebundle_(self, **options: Any) -> Any:
        return self.widget._repr_mimebundle_(**options)


def control_for(name: str, part: Schema, value: Any) -> Widget:
    """A control for an input, as its schema has it."""
    import ipywidgets as widgets

    kind = _kind(part)
    low, high, step = kind.get("minimum"), kind.get("maximum"), kind.get("multipleOf", 1)
    said: dict[str, Any] = {
        "description": name,
        "tooltip": part.get("description", ""),
        "style": {"description_width": "9em"},
        "layout": {"width": "36em"},
    }
    later = {"continuous_update": False}
    if "enum" in kind:
        return widgets.Dropdown(options=kind["enum"], value=value, **said)
    if kind.get("type") == "boolean":
        return widgets.Checkbox(value=value, **said)
    if kind.get("type") == "integer" and low is not None and high is not None:
        if "anyOf" in part and high - low <= _FEW:
            options = [(_LEFT_OUT, ""), *((str(n), n) for n in range(low, high + 1, step))]
            return widgets.SelectionSlider(
                options=options, value="" if value is None else value, **later, **said
            )
        if "anyOf" not in part and high - low > _MANY:
            return widgets.BoundedIntText(value=value, min=low, max=high, step=step, **said)
        if "anyOf" not in part:
            return widgets.IntSlider(value=value, min=low, max=high, step=step, **later, **said)
    if (
        kind.get("type") == "number"
        and "anyOf" not in part
        and low is not None
        and high is not None
    ):
        return _for_number(low, high, value, later | said)
    return widgets.Text(value=_written(value), **later, **said)


def reader_for(part: Schema) -> Callable[[Any], Any]:
    """What a control's value means: in a field, a list is written as in a storyboard."""
    from clockhead.storyboard.problems import StoryboardError
    from clockhead.storyboard.source import value_of

    def read(value: Any) -> Any:
        if not isinstance(value, str) or _kind(part).get("type") == "string":
            return value
        try:
            return value_of(value, "")
        except StoryboardError:
            return value  # which the stage refuses in better words

    return read


def _kind(part: Schema) -> Schema:
    """What an input is where it is not left out; nothing where it may be several things."""
    kinds = [kind for kind in part.get("anyOf", [part]) if kind.get("type") != "null"]
    return kinds[0] if len(kinds) == 1 else {}


def _for_number(low: float, high: float, value: float, options: dict[str, Any]) -> DOMWidget:
    import math

    import ipywidgets as widgets

    options = options | {"readout_format": ".5g"}
    if low > 0 and high / low >= _FAR:
        ends = {"min": math.log10(low), "max": math.log10(high)}
        return widgets.FloatLogSlider(value=value, **ends, step=0.05, **options)
    step = (high - low) / 200
    return widgets.FloatSlider(value=value, min=low, max=high, step=step, **options)


def _written(value: Any) -> str:
    from clockhead.storyboard.scalars import written

    return "" if value is None else value if isinstance(value, str) else written(value)


def _meant(given: Mapping[str, Any]) -> dict[str, Any]:
    """What was set; a field that is empty, or a slider that says so, leaves an input out."""
    return {name: value for name, value in given.items() if value not in (None, "")}


def _need_widgets() -> None:
    from importlib.util import find_spec

    from clockhead.release import install_command

    if find_spec("ipywidgets") is None:
        raise ClockheadError(
            f"sliders need ipywidgets; install it with: {install_command('notebook')}"
        )
