"""Drawing only what changed gives the pixels that Manim's own renderer gives, for every stage."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from manim import Annulus, Circle, Line, Square, VMobject
from manim.renderer.cairo_renderer import CairoRenderer
from scipy import ndimage

from clockhead.clips.areas import Area, boxes_in, merge_areas, widen_areas
from clockhead.clips.drawing import ClipRenderer, manim_options
from clockhead.clips.repaint import RepaintCamera
from clockhead.scenes.stage import find_stage, stage, stage_names
from clockhead.scenes.stage.camera import StageCamera
from tests.shipped import FILMS, shipped

WIDTH, HEIGHT = 192, 108
COLORS = ["#ff0000", "#00ff00", "#0000ff", "#ffff00", "#ff00ff"]
OPTIONS = {
    "pixel_width": WIDTH,
    "pixel_height": HEIGHT,
    "frame_width": 8 * WIDTH / HEIGHT,
    "frame_height": 8.0,
    "frame_rate": 1,
    "dry_run": False,
}


class ManimCamera(StageCamera):
    """Manim's own, which builds the outline of a piece that stays as it is only once."""

    def __init__(self, **options):
        super().__init__(**options)
        self._outlines = {}

    def set_cairo_context_path(self, ctx, vmobject):
        seen = self.transform_points_pre_display(vmobject, vmobject.points).tobytes()
        if seen in self._outlines:
            ctx.new_path()
            ctx.append_path(self._outlines[seen])
        else:
            super().set_cairo_context_path(ctx, vmobject)
            self._outlines[seen] = ctx.copy_path()
        return self


class Witness(ClipRenderer):
    """Lets Manim draw every frame too, whole, and compares."""

    def __init__(self, **options):
        self.seen = 0
        self.wrong = []
        super().__init__(self, lambda _: None)
        self.manim = CairoRenderer(camera_class=ManimCamera)

    def init_scene(self, scene, session, settings):
        super().init_scene(scene, session, settings)
        self.manim.camera.background_color = self.camera.background_color

    def save_static_frame_data(self, scene, static_mobjects):
        super().save_static_frame_data(scene, static_mobjects)
        self._follow()
        self.manim.save_static_frame_data(scene, static_mobjects)

    def update_frame(self, scene, mobjects=None, **_):
        super().update_frame(scene, mobjects)
        self._follow()
        self.manim.update_frame(scene, mobjects)
        self.seen += 1
        if not np.array_equal(self.camera.pixel_array, self.manim.camera.pixel_array):
            self.wrong.append(self.seen)

    def _follow(self):
        """Look at what our camera looks at."""
        camera, ours = self.manim.camera, self.camera
        camera.view, camera.middle = ours.view, ours.middle
        if camera.background_color != ours.background_color:
            camera.background_color = ours.background_color

    # What a writer needs of an encoder.
    frames = 0

    def begin_beat(self):
        pass

    def write(self, pixels, repeat=1, changed=None):
        self.frames += repeat


def test_every_stage_is_in_a_film():
    shown = {shot.stage for film in map(shipped, FILMS) for shot in film.shots}
    own = {name for name in stage_names() if name.startswith(("card.", "heads."))}
    assert shown == {*stage_names()} - own  # which are for films of the user's


@pytest.mark.parametrize("name", FILMS)
def test_every_frame_is_that_of_manim(name, monkeypatch):
    """What comes before a shot has a say in its first frames: there it is as it was drawn."""
    wrong, before = [], None
    monkeypatch.setattr(stage, "_play_blindly", lambda _: before)
    for shot in shipped(name).shots:
        with manim_options(**OPTIONS):
            witness = Witness()
            before = find_stage(shot.stage)(shot.shot, renderer=witness)
            before.render()
        assert witness.seen > 10
        wrong += [(shot.id, frame) for frame in witness.wrong]
    assert wrong == []


def piece(rng):
    """A form of any kind, somewhere, perhaps over the edge of the frame."""
    kind = rng.choice([Circle, Square, Line, Annulus])
    mobject = kind(stroke_width=float(rng.choice([0, 1, 4, 20]))).scale(rng.uniform(0.1, 2))
    color = rng.choice(["#ff0000", "#00ff7f", "#3366ff"])
    mobject.set_fill(color, float(rng.choice([0, 0.4, 1])))
    return mobject.shift([*rng.uniform(-8, 8, 2), 0])


def change(rng, shown):
    """One of the ways in which a frame differs from the one before."""
    at = int(rng.integers(len(shown)))
    match int(rng.integers(9)):
        case 0:
            shown[at].shift([*rng.normal(0, 0.4, 2), 0])
        case 1:
            shown[at].set_fill("#ffffff", float(rng.uniform(0, 1)))
        case 2:
            shown[at].set_stroke("#ffcc00", float(rng.choice([0, 2, 9])))
        case 3 if len(shown) > 1:
            shown.pop(at)
        case 4:
            shown.insert(at, piece(rng))
        case 5:
            shown.append(shown.pop(at))
        case 6:
            shown[at].set_z_index(int(rng.integers(-1, 2)))
        case 7:
            shown[at].add(piece(rng))
        case 8:
            shown[at].set_color_by_gradient("#ff0000", "#0000ff")


@pytest.mark.parametrize("seed", range(6))
def test_whatever_changes_the_frame_is_that_of_manim(seed):
    rng = np.random.default_rng(seed)
    with manim_options(**OPTIONS):
        ours, manim = RepaintCamera(), StageCamera()
        shown = [piece(rng) for _ in range(8)]
        for step in range(50):
            before = ours.pixel_array.copy()
            areas = ours.repaint([], shown)
            manim.reset()
            manim.capture_mobjects(shown)
            assert np.array_equal(ours.pixel_array, manim.pixel_array), f"step {step}"
            for area in areas:
                before[area.slices] = ours.pixel_array[area.slices]
            assert np.array_equal(before, ours.pixel_array), f"step {step} changed more than said"
            change(rng, shown)


def test_nothing_is_drawn_where_nothing_changed():
    with manim_options(**OPTIONS):
        camera, forms = RepaintCamera(), [Square(), Circle().shift([4, 0, 0])]
        assert camera.repaint([], forms) == [Area(0, 0, WIDTH, HEIGHT)]
        assert camera.repaint([], forms) == []
        forms[1].shift([0.1, 0, 0])
        [area] = camera.repaint([], forms)
    assert WIDTH / 2 < area.left < area.right <= WIDTH


def test_what_is_frozen_stays_as_it_looked():
    with manim_options(**OPTIONS):
        camera, square, circle = RepaintCamera(), Square(fill_opacity=1), Circle()
        frozen = camera.freeze([square])
        camera.repaint(frozen, [circle])
        before = camera.pixel_array.copy()
        square.set_fill("#00ff00")
        circle.shift([0.1, 0, 0])
        camera.repaint(frozen, [circle])
        circle.shift([-0.1, 0, 0])
        camera.repaint(frozen, [circle])
    assert np.array_equal(camera.pixel_array, before)


areas = st.builds(
    lambda left, top, wide, tall: Area(left, top, left + wide, top + tall).within(400, 300),
    st.integers(0, 399),
    st.integers(0, 299),
    st.integers(1, 200),
    st.integers(1, 200),
)


@given(st.lists(areas, max_size=30))
def test_gathered_areas_cover_all_and_have_even_edges(given):
    found = merge_areas(given, 400, 300)
    for area in given:
        assert any(_holds(one, area) for one in found)
    assert len(found) <= 12
    assert all(edge % 2 == 0 for area in found for edge in area)


@given(st.lists(areas, max_size=12))
def test_areas_are_gathered_by_tiles_that_touch(given):
    touched = np.zeros((10, 13), bool)
    for area in given:
        if not area.is_empty:
            tiles = (
                slice(area.top // 32, -(-area.bottom // 32)),
                slice(area.left // 32, -(-area.right // 32)),
            )
            touched[tiles] = True
    numbered, count = ndimage.label(touched, structure=np.ones((3, 3)))
    assume(count <= 12)
    found = [(y.start, y.stop, x.start, x.stop) for y, x in ndimage.find_objects(numbered)]
    expected = [Area(32 * x, 32 * y, 32 * right, 32 * low) for y, low, x, right in found]
    assert merge_areas(given, 400, 300) == [area.within(400, 300) for area in expected]


@given(st.lists(areas, max_size=4), st.lists(areas, max_size=30))
def test_areas_lie_apart_and_cut_no_box_but_with_their_lower_edges(given, boxes):
    table = np.array(boxes, int).reshape(-1, 4)
    changed = merge_areas(given, 400, 300)
    found = widen_areas(changed, table, 400)
    for area in changed:
        assert any(_holds(one, area) for one in found)
    for one, other in combinations(found, 2):
        assert not one.overlaps(other)
    for area in found:
        assert area.left % 2 == area.top % 2 == area.right % 2 == 0
        for index in boxes_in(area, table):
            assert area.left <= boxes[index].left
            assert area.top <= boxes[index].top
            assert boxes[index].right <= area.right


def dials(radius, top):
    """Two rows of rings, which are one form."""
    form = VMobject(stroke_width=1.5).set_fill("#303030", 1)
    for row, column in product(range(2), range(6)):
        middle = [column * (2 * radius + 0.06) - 5, top - row * (2 * radius + 0.1), 0]
        form.append_points(Circle(radius).shift(middle).points)
    return form


@pytest.mark.parametrize(
    ("radius", "top"), [(0.7025, 1.90859), (0.73751, -0.43163), (0.74337, 0.47533)]
)
def test_what_is_cut_is_rounded_as_if_it_were_not(radius, top):
    """Cairo rounds a row of thin rings by the rows above, which may lie outside what changed."""
    with manim_options(**OPTIONS):
        ours, manim = RepaintCamera(), StageCamera()
        shown = [dials(radius, top), Square(0.3, stroke_width=0, fill_opacity=1)]
        for y in (0.5, -0.4, -1.2, -2.2):
            shown[1].move_to([-4, y, 0])
            ours.repaint([], shown)
            manim.reset()
            manim.capture_mobjects(shown)
            assert np.array_equal(ours.pixel_array, manim.pixel_array)


@given(st.permutations(range(5)), st.sets(st.integers(0, 4)))
def test_shapes_that_change_places_come_and_go_are_drawn_as_manim_draws_them(order, left_out):
    with manim_options(**OPTIONS):
        ours, manim = RepaintCamera(), StageCamera()
        shapes = [
            Square(1 + n, fill_opacity=1, fill_color=COLORS[n]).shift([n / 3, 0, 0])
            for n in range(5)
        ]
        for shown in (shapes, [shapes[n] for n in order if n not in left_out], shapes[1:]):
            ours.repaint([], shown)
            manim.reset()
            manim.capture_mobjects(shown)
            assert np.array_equal(ours.pixel_array, manim.pixel_array)


def _holds(outer, inner):
    across = outer.left <= inner.left and inner.right <= outer.right
    return across and outer.top <= inner.top and inner.bottom <= outer.bottom
