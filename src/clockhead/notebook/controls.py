"""A slider or field for every input of a stage, and a picture that follows them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

from clockhead.notebook.display import refusal
from clockhead.notebook.films import NotebookFilm, NotebookShot, stage
from clockhead.notebook.request import ClockheadError, in_project, plain_inputs

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
    of: str | NotebookShot,
    *,
    beat: str | int | None = None,
    theme: str | None = None,
    font: FontFiles = None,
    handles_only: bool = False,
    **inputs: Any,
) -> Sliders:
    """A stage, or a shot of a film, to play with: a control for each input, and a picture.

    Handles come first, the inputs that readers of an exported page can turn; their controls stop
    where the page's do. `handles_only` leaves out all other inputs. Inputs that are not given
    start as in the stage or the film. The picture is that at the end of `beat`; by
    default, the one that the page shows.

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
    if isinstance(of, str):
        of = stage(of, theme=theme, font=font)
    elif isinstance(of, NotebookFilm):
        raise ClockheadError(f'sliders take one shot of a film, such as film["{next(iter(of))}"]')
    elif font is not None:
        raise ClockheadError("the shot has the fonts of its film; give them to `film`")
    shot = of._shot
    if handles_only and not shot.handles:
        raise ClockheadError(f"{shot.stage} has no handles; leave out handles_only for all inputs")
    return Sliders(of, plain_inputs(inputs), beat, theme, handles_only)


@dataclass
class Sliders:
    """Controls and a picture: `stage` has the current inputs, `widget` shows everything."""

    _base: NotebookShot
    """The shot before any input is given."""
    _given: dict[str, Any]
    """The inputs that the user has set; others adjust to them."""
    _beat: str | int | None
    _theme: str | None
    _handles_only: bool
    stage: NotebookShot = field(init=False)
    controls: dict[str, Any] = field(init=False, default_factory=dict)
    """The control of each input, by its name; those of handles come first."""
    widget: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        import ipywidgets as widgets

        from clockhead.storyboard.models import inputs_schema

        self._picture = widgets.HTML()
        self._trouble = widgets.HTML()
        shot = self._base._shot
        handles = {handle.input: handle for handle in shot.handles}
        # As on a page, the first handle that names beats says which one is shown.
        self._handle_beats = next((handle.beats for handle in shot.handles if handle.beats), ())
        self._draw()
        with in_project(self._base._home):
            parts = inputs_schema(shot.stage)["properties"]
        others = [] if self._handles_only else [name for name in parts if name not in handles]
        initial = self.stage._shot.shot.inputs.model_dump(mode="json")
        for name in (*handles, *others):
            handle, part = handles.get(name), parts[name]
            control = control_for(name, part, initial[name], handle.stops if handle else ())
            control.observe(self._follow(name, reader_for(part)), names="value")
            self.controls[name] = control
        first, rest = ([self.controls[name] for name in names] for names in (handles, others))
        shown = [self._trouble, self._picture]
        self.widget = widgets.VBox([*first, *shown, *rest] if first else [*rest, *shown])

    def _follow(self, name: str, read: Callable[[Any], Any]) -> Callable[[Any], None]:
        def follow(change: Any) -> None:
            self._given[name] = read(change["new"])
            try:
                self._draw()
            except ClockheadError as error:
                self._trouble.value = refusal([str(error)])

        return follow

    def _draw(self) -> None:
        """Draw the shot with the values of the controls, its sentence below the picture.

        What does not hold stands above it. Where a claim fails, the sentence goes: it is not true.

        Raises:
            ClockheadError: if there is no such shot, or no such beat.
        """
        # Empty fields, and sliders that leave their input out, give nothing.
        given = {name: value for name, value in self._given.items() if value not in (None, "")}
        found, refusals, is_untrue = self._base._turn(given)
        if found is None:
            raise ClockheadError("\n".join(refusals))
        still = found._picture(self._beat, self._theme, usual=self._handle_beats)
        self.stage = found
        language = escape(found._shot.shot.language.code)
        said = "" if is_untrue else f'<p lang="{language}" dir="auto">{escape(still.sentence)}</p>'
        changed = found._shot.adjustments
        if adjusted := ", ".join(f"{one.name} = {_label(one.value)}" for one in changed):
            said += f"<p>To fit, also: {escape(adjusted)}</p>"
        self._trouble.value = refusal(refusals) if refusals else ""
        self._picture.value = f'{still._repr_html_()}<div role="status">{said}</div>'

    def _repr_mimebundle_(self, **options: Any) -> Any:
        return self.widget._repr_mimebundle_(**options)


def control_for(name: str, part: Schema, value: Any, stops: Sequence[Any] = ()) -> Widget:
    """A control that suits an input's schema; that of a handle has its stops."""
    import ipywidgets as widgets

    kind = _kind(part)
    low, high, step = kind.get("minimum"), kind.get("maximum"), kind.get("multipleOf", 1)
    labels: dict[str, Any] = {
        "description": name,
        "tooltip": part.get("description", ""),
        "style": {"description_width": "9em"},
        "layout": {"width": "36em"},
    }
    later = {"continuous_update": False}
    if stops and kind.get("type") != "boolean":
        return _handle_control(stops, value, kind, later | labels)
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
    return widgets.Text(value=_label(value), **later, **labels)


def _handle_control(
    stops: Sequence[Any], value: Any, kind: Schema, options: dict[str, Any]
) -> Widget:
    """A slider over the stops if they are numbers, or a list of them; texts may be others too."""
    import ipywidgets as widgets

    every = list(stops) if value in stops else [*stops, value]
    if all(isinstance(stop, int | float) for stop in every):
        numbers = [(f"{stop:g}", stop) for stop in sorted(every)]
        return widgets.SelectionSlider(options=numbers, value=value, **options)
    if "enum" in kind:
        del options["continuous_update"]
        return widgets.Dropdown(options=every, value=value, **options)
    offered = [label for stop in every if (label := _label(stop))]
    return widgets.Combobox(options=offered, value=_label(value), **options)


def _label(value: Any) -> str:
    """A value as it is written in a field: a text as it is, and anything else as in YAML."""
    from clockhead.storyboard.scalars import yaml_text

    if isinstance(value, str):
        return value
    return "" if value is None else yaml_text(value)


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
