"""`clockhead export --to beamer`: compiled with pdflatex, alone and in other decks."""

import re
import shutil
import subprocess
import unicodedata

import numpy as np
import pytest
from PIL import Image
from pypdf import PdfReader

from clockhead.export.tex import LETTER, spoken_tex, visible_tex
from tests.pipeline.project import Project, output

pytestmark = pytest.mark.xdist_group("beamer")

TITLE = "50% & more_or_less #1 ~x ^2 < 3 | 1--2 ,,z"
needs_tex = pytest.mark.skipif(
    not (shutil.which("pdflatex") and shutil.which("pdftoppm")),
    reason="decks are compiled with pdflatex and looked at with poppler",
)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    project = Project.make(tmp_path_factory.mktemp("beamer"))
    asks = "stage: tiny.asking\nid: asks\ninputs: {moves: 3}\ntitle: Is 1 < 2 & 3?"
    asks += "\nnotes: {move: 'Let them guess: 50%.'}"
    project.write("film", asks, f'stage: tiny.told\nid: goes_on\ntitle: "{TITLE}"')
    return project


def exported(project, folder, *choices):
    done = project.run("export", "film", "--to", "beamer,figures", "-o", folder, *choices)
    assert done.returncode == 0, done.stderr
    return project.root / folder / "beamer"


@pytest.fixture(scope="module")
def burnt(project):
    return exported(project, "burnt")


@pytest.fixture(scope="module")
def track(project):
    """Light and 4:3, with the sentences below the pictures."""
    look = ("--captions", "track", "--theme", "paper", "--aspect", "4:3")
    return exported(project, "track", *look)


def compiled(deck, text=None):
    """Compile a deck twice, of other contents if given; its pages as a reader sees them."""
    if text is not None:
        deck.write_text(text)
    command = ["pdflatex", "-interaction=nonstopmode", "-file-line-error", "-no-shell-escape"]
    for _ in range(2):
        done = subprocess.run([*command, deck.name], cwd=deck.parent, capture_output=True)
        said = done.stdout.decode("latin-1")
        assert done.returncode == 0, said[-3000:]
    assert not re.findall(r"^.*(?:Overfull|Warning|undefined).*$", said, re.M)
    return PdfReader(deck.with_suffix(".pdf"))


def words(page):
    return " ".join(page.extract_text().split())


def looks(pdf, width=240):
    """The pages of a PDF, (pages, height, width, 3)."""
    made = pdf.with_name(f"{pdf.stem}-looks")
    size = ("-scale-to-x", str(width), "-scale-to-y", "-1")
    output("pdftoppm", "-png", *size, pdf, made)
    pages = sorted(pdf.parent.glob(f"{made.name}-*.png"))
    found = [np.asarray(Image.open(page).convert("RGB")).astype(int) for page in pages]
    for page in pages:
        page.unlink()
    return found


def notes_of(deck):
    """The deck's text with notes beside the slides."""
    return deck.read_text().replace(r"% \setbeameroption", r"\setbeameroption")


@needs_tex
class TestTheDeck:
    def test_every_beat_is_a_page_that_its_picture_fills(self, burnt):
        reader = compiled(burnt / "film.tex")
        figures = sorted((burnt / "film").glob("*.pdf"))
        assert len(reader.pages) == 1 + len(figures)
        shown = looks(burnt / "film.pdf")[1:]
        for page, figure in zip(shown, figures, strict=True):
            [alone] = looks(figure)
            # Slides are as wide and high as whole millimetres, pictures as pixels.
            assert abs(len(page) - len(alone)) <= 1
            assert np.abs(page[:134] - alone[:134]).mean() < 2
            assert page.max() > 100

    def test_pictures_are_the_figures(self, burnt):
        ours = {file.name: file.read_bytes() for file in (burnt / "film").iterdir()}
        figures = {file.name: file for file in (burnt.parent / "figures").glob("*.pdf")}
        assert ours.keys() == figures.keys()

    def test_it_has_title_credit_and_bookmarks(self, burnt):
        reader = compiled(burnt / "film.tex")
        assert words(reader.pages[0]) == "The tiny film Nobody in particular"
        assert reader.metadata.title == "The tiny film"
        assert [mark.title for mark in reader.outline] == ["Is 1 < 2 & 3?", TITLE]
        starts = [reader.get_destination_page_number(mark) for mark in reader.outline]
        assert starts == [1, 1 + len(list((burnt / "film").glob("01-*")))]

    def test_nothing_is_printed_over_burnt_in_sentences(self, burnt):
        reader = compiled(burnt / "film.tex")
        assert [words(page) for page in reader.pages[1:]] == [""] * (len(reader.pages) - 1)

    def test_notes_ask_before_they_answer(self, burnt):
        notes = burnt / "notes.tex"
        told = [words(page) for page in compiled(notes, notes_of(burnt / "film.tex")).pages]
        assert "Is 1 < 2 & 3?" in told[0]
        assert TITLE in told[0].replace("\N{MODIFIER LETTER CIRCUMFLEX ACCENT}", "^")
        [before] = [n for n, text in enumerate(told) if "How often will it move?" in text]
        [after] = [n for n, text in enumerate(told) if "It moved 3 times, 5 < 6." in text]
        assert after == before + 1
        assert "Let them guess: 50%. How often" in told[before]
        assert "It comes & goes." in told[before]

    def test_a_handout_has_the_last_picture_of_each_shot(self, burnt):
        handout = burnt / "handout.tex"
        text = (burnt / "film.tex").read_text().replace("{beamer}", "{beamer}", 1)
        compiled(handout, text.replace(r"\documentclass[", r"\documentclass[handout,"))
        whole, short = looks(burnt / "film.pdf"), looks(burnt / "handout.pdf")
        figures = sorted((burnt / "film").glob("*.pdf"))
        ends = [n for n, f in enumerate(figures, 1) if n == len(figures) or f.name[:2] == "01"]
        assert len(short) == 3
        assert (short[1] == whole[max(n for n in ends if n < len(figures))]).all()
        assert (short[2] == whole[-1]).all()

    @pytest.mark.skipif(not shutil.which("lualatex"), reason="decks are compiled with lualatex too")
    def test_lualatex_compiles_it(self, burnt, tmp_path):
        shutil.copytree(burnt, tmp_path / "deck")
        done = subprocess.run(
            ["lualatex", "-interaction=nonstopmode", "film.tex"],
            cwd=tmp_path / "deck",
            capture_output=True,
        )
        assert done.returncode == 0, done.stdout[-2000:]


@needs_tex
class TestATrack:
    def test_the_sentence_is_printed_below_the_picture(self, track):
        reader = compiled(track / "film.tex")
        told = [words(page) for page in reader.pages[1:]]
        assert told[0] == "It comes & goes."
        assert told[1].startswith("It moved 3 times")
        assert told[-1] == "", "the credit stands there"
        page = looks(track / "film.pdf", 480)[2]
        ground = page[2, 2]
        written = np.flatnonzero((np.abs(page - ground).max(axis=2) > 90).any(axis=1))
        low = written[written > 0.8 * len(page)]
        assert len(low)
        assert low.min() > 0.86 * len(page)
        assert low.max() < 0.985 * len(page)

    def test_it_has_the_film_s_shape_and_ground(self, track):
        page = looks(track / "film.pdf")[1]
        assert page.shape[1] / page.shape[0] == pytest.approx(4 / 3, rel=0.01)
        assert page[2, 2].min() > 240


@needs_tex
class TestTheFragment:
    def test_it_goes_into_any_deck(self, burnt, tmp_path):
        """Without T1, with a theme, with other slides around it, and with pictures elsewhere."""
        shutil.copytree(burnt / "film", tmp_path / "pictures/film")
        shutil.copy(burnt / "film-frames.tex", tmp_path)
        deck = tmp_path / "lecture.tex"
        own = r"\begin{frame}{Mine}Words of mine.\end{frame}"
        reader = compiled(
            deck,
            r"\documentclass[aspectratio=169]{beamer}\usetheme{Madrid}"
            r"\newcommand{\clockheadpath}{pictures/}\begin{document}"
            rf"{own}\input{{film-frames}}{own}\end{{document}}",
        )
        assert "Words of mine." in words(reader.pages[-1])
        shown, alone = looks(deck.with_suffix(".pdf")), looks(burnt / "film.pdf")
        assert np.abs(shown[1] - alone[1]).mean() < 1
        assert shown[-1][100, 100].min() > 240, "its own background"
        assert len(shown) == len(alone) + 1

    def test_two_films_go_into_one_deck(self, burnt, project, tmp_path):
        light = exported(project, "light", "--theme", "paper", "--name", "other")
        for folder, name in ((burnt, "film"), (light, "other")):
            shutil.copytree(folder / name, tmp_path / name)
            shutil.copy(folder / f"{name}-frames.tex", tmp_path)
        deck = tmp_path / "both.tex"
        compiled(
            deck,
            r"\documentclass[aspectratio=169]{beamer}\begin{document}"
            r"\input{film-frames}\input{other-frames}\end{document}",
        )
        grounds = [page[3, 3].max() > 128 for page in looks(deck.with_suffix(".pdf"))]
        half = len(grounds) // 2
        assert grounds == [False] * half + [True] * half

    def test_a_tall_film_is_fitted_into_the_slide(self, project):
        folder = exported(project, "tall", "--aspect", "9:16", "--theme", "paper")
        compiled(folder / "film.tex")
        page = looks(folder / "film.pdf")[1]
        assert page.shape[1] / page.shape[0] == pytest.approx(16 / 9, rel=0.01)
        assert (page[:-1, 2] == page[2, 2]).all()


def test_pictures_have_alternative_texts(burnt):
    """One for each picture, in which braces are balanced and every sign is escaped."""
    frames = (burnt / "film-frames.tex").read_text()
    found = re.findall(r"\\clockheadshow\{(film/[^{}]+)\}\{((?:[^{}]|\{\}|\\[{}])*)\}", frames)
    assert [name for name, _ in found] == [
        f"film/{file.name}" for file in sorted((burnt / "film").iterdir())
    ]
    assert found[0][1] == r"Is 1 < 2 \& 3? It comes \& goes."
    assert all(re.search(r"(?<!\\)[%&#$^_~]", alt) is None for _, alt in found)


def _printable():
    """Letters and signs of the blocks that films may use, and some that no font has."""
    blocks = [(33, 127), (0xA1, 0x250), (0x370, 0x460), (0x5D0, 0x5EB), (0x1D2C, 0x1D6B)]
    blocks += [(0x2010, 0x2028), (0x2030, 0x205F), (0x2070, 0x2400), (0x25A0, 0x2600)]
    blocks += [(0x27C0, 0x2800), (0x2900, 0x2B00), (0x4E2D, 0x4E2E), (0x1D400, 0x1D800)]
    letters = (chr(code) for first, end in blocks for code in range(first, end))
    return [letter for letter in letters if unicodedata.category(letter)[0] not in "CMZ"]


@needs_tex
def test_pdflatex_sets_or_replaces_every_letter(tmp_path):
    letters = _printable()
    pages = [letters[at : at + 40] for at in range(0, len(letters), 40)]
    frames = [
        rf"\begin{{frame}}{' '.join(map(visible_tex, page))}"
        rf"\pdfbookmark{{{spoken_tex(''.join(page))}}}{{p{number}}}\end{{frame}}"
        for number, page in enumerate(pages)
    ]
    deck = tmp_path / "letters.tex"
    head = rf"\documentclass{{beamer}}\usepackage[T1]{{fontenc}}{LETTER}\begin{{document}}"
    deck.write_text("\n".join([head, *frames, r"\end{document}"]))
    command = ["pdflatex", "-interaction=nonstopmode", "-file-line-error", deck.name]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True)
    assert done.returncode == 0, done.stdout[-2000:]
    first = words(PdfReader(tmp_path / "letters.pdf").pages[0])
    assert first.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split()[:33] == [
        chr(code) for code in range(33, 66)
    ]


@pytest.mark.parametrize(
    ("text", "tex"),
    [
        ("a_b {c} \\d", r"a\_b \{c\} \textbackslash{}d"),
        ("1--2 and 3---4", r"1-{}-2 and 3-{}-{}-4"),
        (
            "x₁² ≤ √2",
            r"x\ensuremath{_{\mathrm{1}}}\ensuremath{^{\mathrm{2}}} \ensuremath{\leq} "
            r"\ensuremath{\surd}2",
        ),
        ("α\n ß", r"\ensuremath{\alpha} ß"),
        ("א", r"\clockheadletter{א}"),
    ],
)
def test_a_text_becomes_latex(text, tex):
    assert visible_tex(text) == tex
