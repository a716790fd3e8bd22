"""The instruments in `benchmarks/`: tables in the README, and pictures compared with a commit."""

import json
import subprocess
import sys

import pytest

from benchmarks.pictures import PLAYER, ROOT, compare_plays, films_of
from benchmarks.readme import README, row_names, write_table

TABLE = "2 cores.\n\n| film | s |\n|---|---:|\n| rope | 1 |\n| vectors | 2 |"


@pytest.fixture
def readme(tmp_path):
    """A README with one table."""
    file = tmp_path / "README.md"
    file.write_text(f"# Words\n\n<!-- render -->\n{TABLE}\n<!-- end of render -->\n\nMore words.\n")
    return file


def test_a_whole_table_is_replaced(readme):
    new = TABLE.replace("| 1 |", "| 3 |") + "\n| tour | 4 |"
    write_table("render", new, readme)
    assert readme.read_text() == (
        f"# Words\n\n<!-- render -->\n{new}\n<!-- end of render -->\n\nMore words.\n"
    )


def test_a_partial_table_replaces_nothing(readme, capsys):
    before = readme.read_text()
    write_table("render", TABLE.replace("\n| vectors | 2 |", ""), readme)
    assert readme.read_text() == before
    assert "no row for vectors" in capsys.readouterr().err


def test_a_new_table_comes_last(readme):
    write_table("shares", TABLE, readme)
    assert readme.read_text().endswith(f"<!-- shares -->\n{TABLE}\n<!-- end of shares -->\n")


def test_every_table_of_the_readme_has_rows():
    tables = README.read_text(encoding="utf-8").split("<!-- ")[1::2]
    assert tables
    assert all(row_names(table) for table in tables)


def test_plays_that_differ_are_listed():
    before = [[10, "a"], [20, "b"], [30, "c"], [40, "d"]]
    assert list(compare_plays("x", before, before)) == []
    now = [[12, "a"], [22, "B"], [32, "c"]]
    assert list(compare_plays("x", now, before)) == [
        "x: play 1, to frame 12, takes 12 frames, in the commit 10",
        "x: play 2, to frame 22, looks different",
        "x: play 4, to frame 40, is only in the commit",
    ]
    assert (
        list(compare_plays("x", before, now))[-1] == "x: play 4, to frame 40, is not in the commit"
    )


def test_the_pictures_of_a_film_are_digested_at_every_play():
    looks = [[], ["--theme", "paper"]]
    by_look = [_shots_of("convolution", *options) for options in looks]
    assert [len(shots) for shots in by_look] == [6, 6]
    for chalk, paper in zip(*by_look, strict=True):
        assert chalk["shot"] == paper["shot"]
        assert chalk["shot"].startswith("convolution.")
        for (frame, picture), (same_frame, other_picture) in zip(
            chalk["plays"], paper["plays"], strict=True
        ):
            assert frame == same_frame
            assert picture != other_picture
        frames = [frame for frame, _ in chalk["plays"]]
        assert frames == sorted(set(frames))


def _shots_of(film, *options):
    command = [sys.executable, "-P", PLAYER, "--play", *options, film]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_films_are_those_under_version_control():
    if not (ROOT / ".git").exists():
        pytest.skip("this is no checkout")
    assert "rope" in films_of(None)
    assert "rope" in films_of("HEAD")


def test_what_cannot_be_compared_is_no_difference():
    if not (ROOT / ".git").exists():
        pytest.skip("this is no checkout")
    command = [sys.executable, "-P", PLAYER, "--against", "no-such-commit"]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == 2
