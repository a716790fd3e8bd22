"""What is installed goes together, and what of it draws is known by its version or its bytes."""

import shutil
import sys
from importlib.resources import files
from pathlib import Path

import cairo
import manimpango
import numpy as np
import pytest
from manim import ImageMobject
from manim.camera.camera import Camera

from clockhead.clips import fingerprint
from clockhead.scenes.style.face import FONT_DIR


def test_manim_draws_pictures_with_the_pillow_there_is():
    camera = Camera(pixel_width=32, pixel_height=18, frame_width=16, frame_height=9)
    picture = ImageMobject(np.full((2, 2, 4), (200, 100, 50, 255), np.uint8))
    picture.height = 4
    camera.capture_mobjects([picture])
    assert tuple(camera.pixel_array[9, 16]) == (200, 100, 50, 255)
    assert tuple(camera.pixel_array[0, 0]) == (0, 0, 0, 255)


def test_the_libraries_that_draw_and_encode_are_known_by_their_versions():
    known = fingerprint.versions()
    assert fingerprint.ABSENT not in known.values()
    assert known["cairo"] == cairo.cairo_version_string()
    assert known["pango"] == str(manimpango.pango_version())
    assert known["x264"].startswith("core ")
    assert known["libavcodec"].count(".") == 2
    assert {"pillow", "manimpango"} <= known.keys()


def test_a_library_that_is_not_there_is_said_to_be_absent(monkeypatch):
    monkeypatch.setitem(sys.modules, "cairo", None)
    assert fingerprint.versions.__wrapped__()["cairo"] == fingerprint.ABSENT


@pytest.fixture
def other_fonts(monkeypatch, tmp_path) -> Path:
    """A copy of the fonts, where they are looked for."""
    shutil.copytree(str(files("font_source_sans_pro")), tmp_path / "fonts")
    monkeypatch.setattr(fingerprint, "files", lambda _: tmp_path / "fonts")
    return tmp_path / "fonts/files"


def test_every_face_is_known_by_its_bytes(other_fonts):
    known = fingerprint.fonts.__wrapped__()
    assert set(known) == {file.name for file in FONT_DIR.iterdir() if file.suffix != ".txt"}
    face = other_fonts / "SourceSansPro-Regular.ttf"
    face.write_bytes(face.read_bytes() + b"\0")
    changed = fingerprint.fonts.__wrapped__()
    assert {name for name in known if known[name] != changed[name]} == {face.name}
