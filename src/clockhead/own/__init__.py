"""Stages of one's own: this package is the folder `stages` of the home in use, if it is trusted.

`stages/clocks/height.py` is the module `clockhead.own.clocks.height`, and modules beside each other
find each other by `from .inputs import ...`. Nothing of one's own is put on Python's path.
"""

from clockhead.libraries import own_path

__path__ = own_path()
