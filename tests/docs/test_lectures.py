"""docs/lectures.md: its commands are understood, and its embeds show the film in Chromium.

The line for Quarto is converted by pandoc, which Quarto is built on. `CLOCKHEAD_BOOK` names the
program jupyter-book of version 1, which builds a book with the lines for it.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from clockhead.cli import cli
from clockhead.export.formats import FORMATS
from tests.pipeline.browser import chromium
from tests.pipeline.project import run_module

pytestmark = pytest.mark.xdist_group("lectures")

PAGE = (Path(__file__).parents[2] / "docs/lectures.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"\./clockhead (export [^`#\n]+(?:\n +--[^`#\n]+)?)", PAGE)


def block(kind):
    """The block of the page with this info string."""
    [found] = re.findall(rf"^(`{{3,}}){re.escape(kind)}\n(.*?)^\1$", PAGE, re.M | re.S)
    return found[1]


@pytest.fixture(scope="module")
def single(tmp_path_factory):
    """The page that the blocks embed."""
    folder = tmp_path_factory.mktemp("page")
    done = run_module(
        *("clockhead", "export", "previous_token", "--to", "html", "--single-file", "-ql"),
        *("--shot", "sub_diagonal", "-o", "."),
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    return folder / "previous_token.html"


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_is_understood(line):
    words = line.replace("FORMAT", "html").split()
    command = cli.commands[words[0]]
    context = command.make_context("export", words[1:], resilient_parsing=False)
    known = {choice for name in context.params["formats"] for choice in FORMATS[name].choices}
    given = {w[2:].replace("-", "_") for w in words if w.startswith("--")}
    assert given - {"to", "shot", "captions"} <= known


def test_every_program_of_the_page_has_a_section():
    named = "PowerPoint,Keynote,Google Slides,reveal.js,Beamer,Moodle,Quarto,Jupyter Book,OBS,Zoom"
    assert re.findall(r"^## (.+)$", PAGE, re.M)[:10] == named.split(",")


def shows(page):
    """Check that a page shows the film and its handles in frames in which nothing is cut off."""
    with chromium() as browser:
        driver = browser.driver
        browser.open(page, width=1100, height=1500)
        assert browser.run("return document.querySelectorAll('iframe').length") == 2
        driver.switch_to.frame(0)
        browser.wait("document.querySelector('video').readyState >= 3")
        fits = "document.documentElement.scrollHeight <= innerHeight"
        fits += " && document.documentElement.scrollWidth <= innerWidth"
        browser.wait(fits)
        browser.click(".begin")
        browser.wait("document.querySelector('video').currentTime > 0.3")
        assert browser.run("return getComputedStyle(document.querySelector('header')).display") == (
            "none"
        )
        driver.switch_to.default_content()
        driver.switch_to.frame(1)
        browser.wait("document.querySelector('.handles.alone svg.turned path')")
        browser.wait(fits)
        assert browser.run("return document.querySelector('.theatre').offsetHeight") == 0
        before = browser.run("return document.querySelector('svg.turned').innerHTML")
        driver.find_element("css selector", ".turn input[type=range]").send_keys("\ue012" * 3)
        browser.wait("document.querySelector('.handles .reset:not(:disabled)')")
        assert browser.run("return document.querySelector('svg.turned').innerHTML") != before


@pytest.mark.skipif(not shutil.which("pandoc"), reason="documents for Quarto are tried with pandoc")
def test_the_lines_for_quarto_embed_the_film(single, tmp_path):
    shutil.copy(single, tmp_path)
    (tmp_path / "lecture.qmd").write_text(block("markdown quarto"))
    command = ["pandoc", "-s", "--from", "markdown", "lecture.qmd", "-o", "lecture.html"]
    subprocess.run(command, cwd=tmp_path, check=True)
    shows(tmp_path / "lecture.html")


@pytest.mark.skipif("CLOCKHEAD_BOOK" not in os.environ, reason="CLOCKHEAD_BOOK is not set")
def test_the_lines_for_jupyter_book_embed_the_film(single, tmp_path):
    (tmp_path / "_static").mkdir()
    shutil.copy(single, tmp_path / "_static")
    (tmp_path / "_config.yml").write_text('title: Lecture\nexecute: {execute_notebooks: "off"}\n')
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: lecture\n")
    (tmp_path / "lecture.md").write_text(f"# Attention\n\n{block('markdown jupyter-book')}")
    done = subprocess.run(
        [os.environ["CLOCKHEAD_BOOK"], "build", tmp_path], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-2000:]
    shows(tmp_path / "_build/html/lecture.html")
