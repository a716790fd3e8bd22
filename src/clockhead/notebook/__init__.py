"""Films and stages in a notebook: `clockhead.film`, `clockhead.stage` and `clockhead.sliders`.

They take the options of the commands and give the same messages. They work in a plain Python
session too, where the objects have the same paths, facts, arrays and pictures.
"""

from warnings import warn

from clockhead.libraries import show_notices_with
from clockhead.notebook.controls import sliders
from clockhead.notebook.films import NotebookFilm, NotebookShot, film, stage
from clockhead.notebook.request import ClockheadError

show_notices_with(warn)
__all__ = ["ClockheadError", "NotebookFilm", "NotebookShot", "film", "sliders", "stage"]
