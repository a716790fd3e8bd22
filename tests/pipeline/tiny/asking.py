"""A square moves once viewers have guessed how often."""

from clockhead.scenes.tiny.moving import Moving

from clockhead.scenes.stage import Steps, beat


class Asking(Moving):
    @beat("It comes & goes.")
    def appear(self) -> Steps:
        yield from super().appear()

    @beat("It moved {moves} times, 5 < 6.", ask="How often will it move?")
    def move(self) -> Steps:
        yield from super().move()
