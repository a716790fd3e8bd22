"""The user's own stages: this package is the folder `stages` of the current project, if trusted.

`stages/clocks/height.py` is the module `clockhead.own.clocks.height`, and modules in one folder
import each other with `from .inputs import ...`. Nothing is added to Python's path.
"""

from clockhead.libraries import own_path

__path__ = own_path()
