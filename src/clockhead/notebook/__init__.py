"""Films and stages in a notebook: `clockhead.film`, `clockhead.stage` and `clockhead.sliders`.

They take what the commands take, say what is wrong in the same words, and need no notebook: in a
plain Python session the same objects have their paths, facts, arrays and pictures.
"""

from warnings import warn

from clockhead.libraries import tell_notices
from clockhead.notebook.controls import sliders
from clockhead.notebook.errors import ClockheadError
from clockhead.notebook.films import Film, film
from clockhead.notebook.shots import Shot, stage

tell_notices(warn)
__all__ = ["ClockheadError", "Film", "Shot", "film", "sliders", "stage"]
