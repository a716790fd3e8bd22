"""Its title does not fit."""

from clockhead.scenes.tiny.moving import Moving


class Crowded(Moving):
    title = "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm"
