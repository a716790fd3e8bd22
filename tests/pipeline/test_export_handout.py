"""The handout: a PDF that is read back with poppler, and with pypdf where it is installed."""

import io
import re
from shutil import which

import pytest
from PIL import Image

from clockhead.export.handout import _TEXTS, list_parts
from clockhead.export.pages import select_texts
from tests.fonts import HEBREW
from tests.pipeline.project import Project, output

pytestmark = [
    pytest.mark.xdist_group("handout"),
    pytest.mark.skipif(not which("pdftotext"), reason="poppler-utils are not installed"),
]

ONE = 'stage: tiny.asking\nid: one\ntitle: "The square of $x^2$"\ninputs: {moves: 2}'
TWO = 'stage: tiny.moving\nid: two\ncaption: "It made {share:.1%} of three, at most {most}: שלום."'
LETTERS = ("--font", str(HEBREW))


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    project = Project.make(tmp_path_factory.mktemp("handout"))
    project.write("film", ONE, TWO)
    done = project.run("export", "film", "--to", "handout", "-o", "out", *LETTERS)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "out/film-handout.pdf\n"
    return project


@pytest.fixture(scope="module")
def pdf(project):
    return project.root / "out/film-handout.pdf"


def words(pdf, *options: str) -> str:
    """Its text, with single blanks."""
    return re.sub(r"\s+", " ", output("pdftotext", *options, pdf, "-"))


def test_it_has_titles_questions_and_every_sentence(pdf):
    said = words(pdf)
    for text in (
        *("The tiny film", "Nobody in particular", "A square, moved", "How often does it move?"),
        *("It comes & goes.", "How often will it move?", "It moved 2 times, 5 < 6."),
        *("It moved 2 times.", "Here comes"),
    ):
        assert text in said
    assert said.index("How often will it move?") < said.index("It moved 2 times, 5 < 6.")


def test_it_has_the_numbers_that_sentences_mention_and_no_others(pdf):
    rows = words(pdf, "-layout")
    assert "The share of three moves 66.67%" in rows
    assert "How often it may move 9" in rows
    one, two = rows.split(" A square, moved ")
    assert "How often it moves 2 " in one
    assert "The share of three moves" not in one
    assert "it made 66.7% of three" in two.lower()


def test_it_lists_the_inputs(pdf):
    rows = words(pdf, "-layout")
    assert "most 9 how often it may move all parts" in rows


def test_pages_are_a4_and_numbered(pdf):
    told = output("pdfinfo", pdf)
    assert "A4" in told
    pages = int(re.findall(r"Pages:\s+(\d+)", told)[0])
    assert all(f"{page}/{pages}" in words(pdf) for page in range(1, pages + 1))
    assert re.search(r"Title:\s+The tiny film\n", told)
    assert re.search(r"Author:\s+Nobody in particular\n", told)
    assert re.search(r"Tagged:\s+yes\n", told)


def test_it_is_dark_on_white_in_every_theme(pdf, tmp_path):
    output("pdftoppm", "-png", "-singlefile", "-r", "40", pdf, tmp_path / "page")
    with Image.open(io.BytesIO((tmp_path / "page.png").read_bytes())) as page:
        colors = {color: n for n, color in page.convert("RGB").getcolors(1 << 20)}
    assert max(colors, key=colors.get) == (255, 255, 255)
    assert any(
        max(abs(c - q) for c, q in zip(color, (0x9A, 0x5B, 0), strict=True)) < 60
        for color in colors
    ), "the square in the query's colour, as paper has it"
    assert (0x11, 0x15, 0x1B) not in colors


def test_letters_that_the_text_font_lacks_use_the_users_font(pdf):
    assert "NotoSansHebrew" in output("pdffonts", pdf)
    assert "שלום" in words(pdf)


def test_pictures_are_vectors(pdf):
    listed = output("pdfimages", "-list", pdf)
    assert len(listed.splitlines()) == 2, "nothing under the head of the list"


def test_every_picture_has_an_alternative_text_and_nothing_is_linked(pdf):
    pypdf = pytest.importorskip("pypdf")
    reader = pypdf.PdfReader(pdf)
    objects = [reader.get_object(number) for number in range(1, len(reader.xref[0]) + 1)]
    tags = [o for o in objects if isinstance(o, dict) and "/S" in o]
    alts = [str(o["/Alt"]) for o in tags if "/Alt" in o]
    figures = [o for o in tags if o["/S"] == "/Figure"]
    assert figures
    assert all("/Alt" in o for o in figures)
    assert any(alt.startswith("A square, moved. Here comes n.") for alt in alts)
    assert "x²" in alts
    assert str(reader.trailer["/Root"]["/Lang"]).startswith("en")
    assert not any("/URI" in o for o in objects if isinstance(o, dict))


def test_the_same_film_makes_the_same_file(project, pdf):
    before = pdf.read_bytes()
    assert project.run("export", "film", "--to", "handout", "-o", "again", *LETTERS).returncode == 0
    assert (project.root / "again/film-handout.pdf").read_bytes() == before


@pytest.mark.parametrize(
    ("numbers", "told"),
    [([2], "part 2"), ([2, 3, 4], "parts 2\N{EN DASH}4"), ([1, 3], "parts 1, 3")],
)
def test_consecutive_shots_are_listed_as_a_range(numbers: list[int], told: str):
    assert list_parts(numbers, select_texts(_TEXTS, "en")[1]) == told
