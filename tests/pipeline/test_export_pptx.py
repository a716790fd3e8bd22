"""`clockhead export --to pptx`: decks read with python-pptx and displayed by LibreOffice."""

import io
import re
import shutil

import numpy as np
import pytest
from PIL import Image

from clockhead.clips.stream import count_frames, decode_pictures, open_video
from clockhead.export import pptx as module
from clockhead.export.edition import Edition, ExportError
from clockhead.export.formats import Choices
from clockhead.release import install_command
from tests.pipeline.project import output

pptx = pytest.importorskip("pptx", reason="decks are written and read with python-pptx")
pytestmark = pytest.mark.xdist_group("pptx")

FPS = 15
PAPER = (0xFB, 0xFA, 0xF6)


def exported(asking, *choices):
    done = asking.run("export", "film", "-ql", "--to", "pptx", *choices)
    assert done.returncode == 0, done.stderr
    return asking.root / done.stdout.strip()


@pytest.fixture(scope="module")
def beats(asking):
    return exported(asking, "-o", "beats")


@pytest.fixture(scope="module")
def shots(asking):
    """Light, and 4:3."""
    return exported(asking, "--per", "shot", "--theme", "paper", "--aspect", "4:3", "-o", "shots")


def slides(file):
    """The slides of a deck without the title, and the movie or picture that fills each."""
    _, *others = pptx.Presentation(str(file)).slides
    filling = [[s for s in slide.shapes if s.element.xpath("p:blipFill")] for slide in others]
    return [(slide, shape) for slide, [shape] in zip(others, filling, strict=True)]


def film_in(slide):
    """Number of frames of the movie on a slide, and the last frame in grey."""
    [part] = {r.target_part for r in slide.part.rels.values() if r.reltype.endswith("/media")}
    with open_video(part.blob) as film:
        [*_, last] = decode_pictures(film)
    return last.end, grey(last.pixels.to_image())


def poster_of(slide, shape):
    [name] = shape.element.xpath("p:blipFill/a:blip/@r:embed")
    return grey(Image.open(io.BytesIO(slide.part.related_part(name).blob)))


def grey(image):
    return np.asarray(image.convert("L"), int)


def notes(slide):
    return slide.notes_slide.notes_text_frame.text


class TestBeats:
    def test_the_segments_make_up_the_film(self, asking, beats):
        found = slides(beats)
        assert [slide.shapes.title.text for slide, _ in found] == [
            *(f"Is 1 < 2 & 3? ({number})" for number in (1, 2, 3, 4)),
            *(f"To 20 ({number})" for number in (1, 2)),
        ]
        frames = sum(film_in(slide)[0] for slide, _ in found)
        assert frames == asking.manifest("film")["frames"]

    def test_the_poster_is_the_end_of_the_movie(self, beats):
        for slide, shape in slides(beats):
            poster = poster_of(slide, shape)
            assert np.abs(poster - film_in(slide)[1]).mean() < 0.5
            assert poster.max() > 100

    def test_a_movie_fills_its_slide_and_starts_by_itself(self, beats):
        deck = pptx.Presentation(str(beats))
        assert (deck.slide_width, deck.slide_height) == (12_192_000, 6_858_000)
        for slide, movie in slides(beats):
            assert (movie.left, movie.top) == (0, 0)
            assert (movie.width, movie.height) == (deck.slide_width, deck.slide_height)
            command = "p:timing//p:cTn[@nodeType='afterEffect']//p:cmd[@cmd='playFrom(0.0)']"
            assert slide.element.xpath(f"{command}//p:spTgt/@spid") == [str(movie.shape_id)]
            [lasts] = slide.element.xpath(f"{command}//p:cTn/@dur")
            assert int(lasts) == pytest.approx(1000 * film_in(slide)[0] / FPS, abs=1)

    def test_notes_have_the_sentences_and_at_the_shot_s_end_their_numbers(self, beats):
        told = [notes(slide) for slide, _ in slides(beats)]
        assert told[1] == "How often will it move?"
        assert told[2].startswith("It moved 3 times, 5 < 6.")
        assert "How often it moves: 3" not in told[2]
        assert "How often it moves: 3" in told[3].splitlines()

    def test_alternative_texts_do_not_give_answers_away(self, beats):
        alts = [shape.element.nvPicPr.cNvPr.get("descr") for _, shape in slides(beats)]
        assert alts[0] == "Is 1 < 2 & 3? It comes & goes."
        assert alts[1] == "Is 1 < 2 & 3? How often will it move?"
        assert alts[2].startswith("Is 1 < 2 & 3? It moved 3 times")

    def test_the_first_slide_has_title_and_credit(self, beats):
        deck = pptx.Presentation(str(beats))
        texts = [shape.text_frame.text for shape in deck.slides[0].shapes]
        assert texts == ["The tiny film", "Nobody in particular"]
        assert deck.core_properties.title == "The tiny film"
        assert notes(deck.slides[0]).splitlines() == ["Is 1 < 2 & 3?", "To 20"]


class TestShots:
    def test_each_is_its_clip_with_its_poster(self, asking, shots):
        found = slides(shots)
        assert [slide.shapes.title.text for slide, _ in found] == ["Is 1 < 2 & 3?", "To 20"]
        [clips] = (asking.root / "media/film").glob("*paper*/clips")
        for (slide, shape), clip in zip(found, sorted(clips.glob("*.mp4")), strict=True):
            with open_video(clip.read_bytes()) as film:
                assert film_in(slide)[0] == count_frames(film)
            with Image.open(clip.with_suffix(".png")) as poster:
                assert (poster_of(slide, shape) == grey(poster)).all()

    def test_all_sentences_are_in_its_notes(self, shots):
        told = notes(slides(shots)[0][0])
        for said in (
            "It comes & goes.",
            "How often will it move?",
            "It moved 3 times.",
            "it moves: 3",
        ):
            assert said in told

    def test_added_slides_have_the_film_s_look(self, shots):
        deck = pptx.Presentation(str(shots))
        assert deck.slide_width / deck.slide_height == pytest.approx(4 / 3, rel=0.002)
        for layout in deck.slide_layouts:
            for shape in layout.placeholders:
                assert shape.left + shape.width <= deck.slide_width
                assert shape.top + shape.height <= deck.slide_height
        theme = deck.slide_master.part.part_related_by(pptx.opc.constants.RELATIONSHIP_TYPE.THEME)
        assert b'<a:lt1><a:srgbClr val="FBFAF6"/></a:lt1>' in theme.blob


def test_stills_are_pictures_with_alternative_texts(asking):
    file = exported(asking, "--reduced-motion", "--aspect", "9:16", "-o", "stills")
    deck = pptx.Presentation(str(file))
    assert deck.slide_width / deck.slide_height == pytest.approx(9 / 16, rel=0.003)
    assert not any(part.partname.endswith(".mp4") for part in deck.part.package.iter_parts())
    for _, picture in slides(file):
        assert picture.shape_type == pptx.enum.shapes.MSO_SHAPE_TYPE.PICTURE
        assert picture.element.nvPicPr.cNvPr.get("descr")


def test_sentences_of_a_track_are_text_boxes(asking):
    file = exported(asking, "--captions", "track", "-o", "track")
    said = [
        [s.text_frame.text for s in slide.shapes if s.has_text_frame and s != slide.shapes.title]
        for slide, _ in slides(file)
    ]
    assert [texts[-1:] for texts in said[:2]] == [["It comes & goes."], ["How often will it move?"]]
    # The credit, which is in the picture, has taken the place of the last one.
    assert not any("It is at 20." in texts for texts in said)


def test_without_python_pptx_the_error_says_how_to_install_it(monkeypatch, tmp_path):
    monkeypatch.setattr(module, "find_spec", lambda _: None)
    with pytest.raises(ExportError, match=re.escape(install_command("export"))):
        list(module.write(Edition(None), tmp_path, Choices()))


@pytest.mark.skipif(
    not (shutil.which("soffice") and shutil.which("pdftoppm")),
    reason="decks are opened with LibreOffice, and their pages looked at with poppler",
)
def test_libreoffice_shows_every_slide(shots, tmp_path):
    home = f"-env:UserInstallation=file://{tmp_path}/home"
    output("soffice", home, "--headless", "--convert-to", "pdf", "--outdir", tmp_path, shots)
    output("pdftoppm", "-r", "30", "-png", "film.pdf", "page", cwd=tmp_path)
    pages = [Image.open(page).convert("RGB") for page in sorted(tmp_path.glob("page*.png"))]
    assert len(pages) == 3
    for page in pages:
        pixels = np.asarray(page, int)
        assert np.abs(pixels[2, 2] - PAPER).max() < 8
        assert pixels.min() < 60
