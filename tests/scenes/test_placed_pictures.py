"""Pictures of the user's: which files are taken, and that their pixels are where they should be."""

import io
from dataclasses import replace
from pathlib import Path

import cairo
import numpy as np
import pytest
from manim import Square
from PIL import Image

from clockhead.clips.drawing import manim_options
from clockhead.clips.examine import layout_problems
from clockhead.clips.repaint import RepaintCamera
from clockhead.look import QUALITIES, FilmLook
from clockhead.scenes.stage import Stage, StageInputs, beat, find_stage
from clockhead.scenes.stage.camera import StageCamera, StillCamera
from clockhead.scenes.stage.layout_check import LayoutChecker
from clockhead.scenes.style import pictures
from clockhead.scenes.style.fonts import read_font
from clockhead.scenes.style.layout import MARGIN, Region
from clockhead.scenes.style.own_look import OwnLook
from clockhead.scenes.style.pictures import PictureError, pixels_of, read_picture, seen_on
from clockhead.scenes.style.placed_picture import PlacedPicture
from clockhead.scenes.style.text import Label
from tests.fonts import JAPANESE
from tests.scenes.staging import play

OPTIONS = {
    "pixel_width": 160,
    "pixel_height": 80,
    "frame_width": 16.0,
    "frame_height": 8.0,
    "frame_rate": 1,
}
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}">{2}</svg>'
HALVES = SVG.format(40, 20, '<rect width="20" height="20" fill="#ff0000"/>'
                    '<rect x="20" width="20" height="20" fill="#0000ff"/>')  # fmt: skip


@pytest.fixture
def halves(tmp_path: Path):
    """A picture twice as wide as high, red on the left and blue on the right."""
    (tmp_path / "halves.svg").write_text(HALVES)
    return read_picture(tmp_path / "halves.svg")


@pytest.mark.parametrize(("name", "format"), [("a.png", "PNG"), ("a.jpg", "JPEG")])
def test_pixels_are_read_as_they_are(name: str, format: str, tmp_path: Path):
    image = Image.new("RGB", (300, 100), "#3366CC")
    image.save(tmp_path / name, format)
    picture = read_picture(tmp_path / name)
    assert picture.ratio == 3
    pixels = pixels_of(picture, 4096)
    assert pixels.shape == (100, 300, 4)
    assert np.abs(pixels[50, 150].astype(int) - (0x33, 0x66, 0xCC, 255)).max() <= 3
    assert pixels_of(picture, 60).shape == (20, 60, 4)


def test_a_photograph_stands_upright(tmp_path: Path):
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a camera that was held upright
    Image.new("RGB", (300, 100), "#3366CC").save(tmp_path / "a.jpg", exif=exif)
    picture = read_picture(tmp_path / "a.jpg")
    assert picture.ratio == pytest.approx(1 / 3)
    assert pixels_of(picture, 4096).shape == (300, 100, 4)


def test_what_shines_through_is_multiplied_for_cairo(tmp_path: Path):
    Image.new("RGBA", (8, 8), (200, 100, 0, 128)).save(tmp_path / "a.png")
    assert pixels_of(read_picture(tmp_path / "a.png"), 8)[4, 4].tolist() == [100, 50, 0, 128]


def test_an_svg_has_as_many_pixels_as_are_needed(halves):
    assert halves.ratio == 2
    for side in (100, 1000):
        pixels = pixels_of(halves, side)
        assert pixels.shape == (side // 2, side, 4)
        assert pixels[side // 4, side // 4].tolist() == [255, 0, 0, 255]
        assert pixels[side // 4, 3 * side // 4].tolist() == [0, 0, 255, 255]


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        ("<script>x</script>", "runs nothing"),
        ('<rect onclick="x"/>', "runs nothing"),
        ("<foreignObject/>", "runs nothing"),
        ('\n<image href="/etc/passwd"/>', "line 2: '/etc/passwd'"),
        ('<image href="https://example.org/x.png"/>', "loads nothing"),
        ('<image xlink:href="file:///x" xmlns:xlink="http://www.w3.org/1999/xlink"/>', "loads"),
        ('<use href="other.svg#a"/>', "loads nothing"),
        ('<image href="data:image/svg+xml;base64,AAAA"/>', "loads nothing"),
        ('<image href="data:image/png;base64,AAAA"/>', "inside of it"),
        ('<rect fill="url(http://example.org/#a)"/>', "loads nothing"),
        ("<rect style=\"fill: url( 'x.svg#a')\"/>", "loads nothing"),
        ('<style>@import "x.css";</style>', "loads nothing"),
        ("<style>rect { fill: url(x.svg#a) }</style>", "loads nothing"),
        ("<g>" * 100 + "</g>" * 100, "deep"),
        ("<g/>" * 30_000, "elements"),
        ("<g>", "not SVG"),
    ],
)
def test_an_svg_that_loads_or_runs_something_is_refused(inside: str, words: str, tmp_path: Path):
    (tmp_path / "a.svg").write_text(SVG.format(2, 2, inside))
    with pytest.raises(PictureError, match=words):
        read_picture(tmp_path / "a.svg")


def test_small_files_do_not_become_large(tmp_path: Path, monkeypatch):
    svg, png = tmp_path / "a.svg", tmp_path / "a.png"
    svg.write_text('<!DOCTYPE svg [<!ENTITY a "bbbb">]>' + SVG.format(2, 2, "&a;"))
    with pytest.raises(PictureError, match="entity"):
        read_picture(svg)
    groups = ((f'<g id="a{k}">', 10 * f'<use href="#a{k - 1}"/>', "</g>") for k in range(1, 12))
    nested = '<g id="a0"><rect width="1" height="1"/></g>' + "".join(map("".join, groups))
    svg.write_text(SVG.format(2, 2, nested))
    with pytest.raises(PictureError, match="limit"):
        read_picture(svg)
    Image.new("1", (12_000, 12_000)).save(png)
    with pytest.raises(PictureError, match="12,000 by 12,000"):
        read_picture(png)
    monkeypatch.setattr(pictures, "MAX_PICTURE_MB", 0)
    with pytest.raises(PictureError, match="too large"):
        read_picture(png)


def test_other_files_are_no_pictures(tmp_path: Path):
    whole = io.BytesIO()
    Image.effect_noise((64, 64), 50).save(whole, "PNG")
    wrong = {
        "text.png": b"hello",
        "gif.png": b"GIF89a" + bytes(40),
        "cut.png": whole.getvalue()[:-200],
        "html.svg": b"<html/>",
        "latin.svg": SVG.format(1, 1, "\xe9").encode("latin-1"),
        "empty.svg": b"<svg xmlns='http://www.w3.org/2000/svg' width='0' height='0'/>",
        "line.svg": SVG.format(400, 2, "").encode(),
    }
    for name, data in wrong.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "folder.png").mkdir()
    for name in (*wrong, "folder.png", "gone.png"):
        with pytest.raises(PictureError):
            read_picture(tmp_path / name)
    (tmp_path / "doctype.svg").write_text(
        '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd">' + HALVES
    )
    assert read_picture(tmp_path / "doctype.svg").ratio == 2


def test_a_logo_that_has_the_colour_of_the_ground_is_not_seen(tmp_path: Path):
    Image.new("RGB", (8, 8), "#FFFFFF").save(tmp_path / "white.png")
    Image.new("RGBA", (8, 8), (0, 0, 0, 0)).save(tmp_path / "nothing.png")
    white = read_picture(tmp_path / "white.png")
    assert (seen_on(white, "#FBFAF6"), seen_on(white, "#11151B")) == (0, 1)
    assert seen_on(read_picture(tmp_path / "nothing.png"), "#11151B") == 0


def test_a_picture_is_where_its_corners_are_in_films_and_stills(halves):
    placed = PlacedPicture(halves).fit_into(Region(-8, 0, 0, 4))  # the upper left quarter
    with manim_options(**OPTIONS):
        camera = StageCamera()
        camera.capture_mobjects([placed])
        pixels = camera.pixel_array
        assert pixels[20, 20, :3].tolist() == [255, 0, 0]
        assert pixels[20, 60, :3].tolist() == [0, 0, 255]
        assert pixels[60, 20, :3].tolist() == pixels[20, 100, :3].tolist() == [0, 0, 0]
        placed.set_fill(opacity=0.5)
        camera.reset()
        camera.capture_mobjects([placed])
        assert abs(int(camera.pixel_array[20, 20, 0]) - 128) <= 1

        surface = cairo.ImageSurface(cairo.FORMAT_ARGB32, 160, 80)
        context = cairo.Context(surface)
        context.set_matrix(cairo.Matrix(10, 0, 0, -10, 80, 40))
        still = StillCamera()
        still.display_vectorized(placed.set_fill(opacity=1), context)
        blue_first = np.ndarray((80, 160, 4), np.uint8, surface.get_data())
        assert blue_first[20, 20].tolist() == [0, 0, 255, 255]


def test_every_frame_of_a_moving_picture_is_that_of_manim(halves):
    with manim_options(**OPTIONS):
        ours, manim = RepaintCamera(), StageCamera()
        shown = [PlacedPicture(halves, height=3), Square(fill_opacity=0.5).shift([1, 0, 0])]
        changes = [
            lambda: shown[0].shift([0.13, 0.2, 0]),
            lambda: shown[0].set_fill(opacity=0.3),
            lambda: shown[1].shift([0.5, 0, 0]),
            lambda: shown[0].scale(1.7),
            lambda: shown.reverse(),
        ]
        for step in range(20):
            ours.repaint([], shown)
            manim.reset()
            manim.capture_mobjects(shown)
            assert np.array_equal(ours.pixel_array, manim.pixel_array), step
            changes[step % len(changes)]()


@pytest.mark.parametrize("aspect", ["16:9", "4:3", "1:1", "9:16"])
def test_a_logo_stands_beside_the_title_in_every_shape(aspect: str, halves):
    look = FilmLook(QUALITIES["l"], aspect=aspect)
    stage = find_stage("rope.matrix")
    title = "A title that is as long as titles may be, which is about eighty letters in it"
    for shape in (0.5, 1.0, 8.0):
        logo = replace(halves, ratio=shape)
        shot = replace(stage.shot(stage.Inputs()), own=OwnLook(chalk_logo=logo), title=title)
        problems, _ = layout_problems(stage, shot, look)
        assert not problems


class Covered(Stage):
    """A stage that writes where the logo is."""

    class Inputs(StageInputs):
        """Nothing."""

    title = "Covered"
    caption = "Covered."

    @classmethod
    def compute(cls, inputs):
        return None

    @beat("It writes into the corner.")
    def write(self):
        label = Label("corner", size=24).move_to([6.4, 3.45, 0])
        self.add(label)
        yield 0.1


def test_the_layout_check_finds_words_over_a_logo(halves):
    seen: list[str] = []
    shot = replace(Covered.shot(Covered.Inputs()), own=OwnLook(chalk_logo=halves))
    checker = LayoutChecker()
    play(Covered, shot, on_play=checker)
    seen += checker.problems
    assert any("lies over the picture halves.svg" in problem for problem in seen)


class AtTheEdge(Stage):
    """A stage whose label reaches a little into the margin."""

    class Inputs(StageInputs):
        """Nothing."""

    title = "At the edge"
    caption = "At the edge."

    @classmethod
    def compute(cls, inputs):
        return None

    @beat("It writes up to the edge.")
    def write(self):
        label = Label("edge", size=24)
        edge = Region.frame(128 / 9, 8).inset(MARGIN).right
        self.add(label.shift([edge + 0.08 - label.get_right()[0], 0, 0]))
        yield 0.1


def test_digits_of_another_font_may_reach_a_little_into_the_margin():
    font = replace(read_font(JAPANESE), replaces=("regular", "semibold", "italic"))
    found = {}
    for name, chosen in {"ours": (), "filling gaps": (replace(font, replaces=()),),
                         "another": (font,)}.items():  # fmt: skip
        checker = LayoutChecker()
        shot = replace(AtTheEdge.shot(AtTheEdge.Inputs()), fonts=chosen)
        play(AtTheEdge, shot, on_play=checker)
        found[name] = any("outside the margins" in problem for problem in checker.problems)
    assert found == {"ours": True, "filling gaps": True, "another": False}
