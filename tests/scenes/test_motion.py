"""How parts change without being copied: straight to their ends, in turn, along a series."""

import manim
import numpy as np
import pytest
from manim import Circle, Line, Scene, Square, VGroup

from clockhead.clips.drawing import manim_options
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut, along, fly, in_turn, recolor
from clockhead.scenes.style.text import Number
from clockhead.scenes.style.theme import theme


def test_what_flies_arrives_in_its_new_size_by_the_straight_way():
    part = Square(2.0).shift([1, 0, 0])
    flight = fly(part, [3, 2, 0], scale=0.5)
    flight.begin()
    flight.interpolate(0.5)
    assert part.get_center() == pytest.approx([2, 1, 0])
    assert part.width == pytest.approx(1.5)
    flight.finish()
    assert part.get_center() == pytest.approx(np.array([3, 2, 0]))
    assert part.width == pytest.approx(1.0)


def test_a_drive_ends_on_the_very_number():
    number = Number(0.0, ".3f")
    drive = Drive(number, lambda x: number.set_value(float(x)), 0.0, 0.1)
    drive.begin()
    drive.interpolate(0.5)
    assert 0 < number.value < 0.1
    drive.finish()
    assert number.value == 0.1


def test_recolouring_keeps_what_is_not_filled_unfilled():
    hand = VGroup(Line())
    drive = recolor(hand, theme().muted)
    drive.begin()
    drive.finish()
    assert hand[0].get_stroke_color().to_hex().upper() == theme().muted
    assert hand[0].get_fill_opacity() == 0


def test_a_series_is_exact_at_whole_places_and_straight_between_them():
    series = np.array([[0.1, 0.2], [0.3, 0.6]])
    assert (along(series, 1.0) == series[1]).all()
    assert along(series, 0.25) == pytest.approx([0.15, 0.3])


@pytest.mark.parametrize("n", [1, 2, 30])
def test_those_that_go_in_turn_all_arrive_and_never_turn_back(n: int):
    shares = np.array([in_turn(t, n, 0.2) for t in np.linspace(0, 1, 101)])
    assert not shares[0].any()
    assert (shares[-1] == 1).all()
    assert (np.diff(shares, axis=0) >= 0).all()
    assert (np.diff(shares, axis=1) <= 0).all()


COLORS = ("fill_rgbas", "stroke_rgbas", "background_stroke_rgbas")


def picture() -> VGroup:
    """A filled piece, a drawn one, and one that covers what lies behind it."""
    ring = Circle(color="#123456", stroke_width=3, stroke_opacity=0.5)
    word = Square(fill_color="#ABCDEF", fill_opacity=0.8, stroke_width=0)
    word.set_background_stroke(color="#FF0000", width=4, opacity=0.9)
    return VGroup(ring, VGroup(word))


def colors_of(part: VGroup) -> list[np.ndarray]:
    return [getattr(piece, name) for piece in part.family_members_with_points() for name in COLORS]


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
@pytest.mark.parametrize(("ours", "theirs"), [(FadeIn, manim.FadeIn), (FadeOut, manim.FadeOut)])
def test_fades_look_as_manims_do(ours, theirs, share):
    seen = []
    for fade in (ours, theirs):
        part = picture()
        animation = fade(part)
        animation.begin()
        animation.interpolate(share)
        seen.append(np.concatenate(colors_of(part))[:, 3])
    assert np.allclose(*seen, atol=1e-9)
    assert seen[0].any() or share == (0 if ours is FadeIn else 1)


def test_what_has_gone_comes_again_as_it_was_and_nothing_is_copied():
    class Shown(Scene):
        def construct(self):
            part = picture()
            before, pieces = [c.copy() for c in colors_of(part)], part.get_family()
            self.play(FadeIn(part))
            self.there = list(self.mobjects)
            self.play(FadeOut(part))
            self.gone = list(self.mobjects)
            self.same = all(map(np.array_equal, before, colors_of(part)))
            self.whole = pieces == part.get_family()

    with manim_options(dry_run=True, frame_rate=5):
        scene = Shown()
        scene.render()
    assert len(scene.there) == 1
    assert scene.gone == []
    assert scene.same
    assert scene.whole


def test_several_fade_together_and_nothing_cannot():
    first, second = picture(), picture()
    animation = FadeOut(first, second, run_time=0.5)
    animation.begin()
    animation.interpolate(1)
    assert not any(colors[:, 3].any() for colors in colors_of(first) + colors_of(second))
    with pytest.raises(ValueError, match="nothing is given that fades"):
        FadeIn()
