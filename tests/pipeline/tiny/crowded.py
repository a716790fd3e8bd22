"""Its title does not fit."""

from scenes.tiny.moving import Moving


class Crowded(Moving):
    title = "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm"
