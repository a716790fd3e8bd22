"""The guide, followed from the first line to the last: files are written and commands are run."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.pipeline.project import run_module

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs/guide.md").read_text()
REFUSED = "  # refused"


@dataclass(frozen=True)
class Block:
    """A block of code: its language, the file that it belongs into, and its text."""

    language: str
    file: str
    text: str


def blocks(text: str) -> Iterator[Block]:
    for found in re.finditer(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", text, re.M | re.S):
        yield Block(found[1], found[2] or "", found[3])


def run(line: str, home: Path) -> str:
    """What a command prints, as an installed Clockhead does it; it must end as it should."""
    program, *words = shlex.split(line, comments=True)
    if program == "python":
        [switch, program, *words] = words
        assert switch == "-m"
    done = run_module(program, *words, cwd=home)
    assert done.returncode == (1 if line.endswith(REFUSED) else 0), done.stdout + done.stderr
    return done.stdout + done.stderr


def test_whoever_follows_the_guide_has_a_stage_a_film_and_a_test(tmp_path: Path):
    begun, said = set[str](), ""
    for block in blocks(GUIDE):
        if block.language == "sh":
            said = "".join(run(line, tmp_path) for line in block.text.splitlines())
        elif block.language == "text":
            assert block.text in said
        else:
            file = tmp_path / block.file
            before = file.read_text() if block.file in begun else ""
            file.write_text(before + block.text)
            begun.add(block.file)
    assert (tmp_path / "media/clocks_height/480p15/clocks_height.mp4").is_file()
    assert begun == {
        "stages/clocks/de.toml",
        "stages/clocks/height.py",
        "storyboards/clocks_height.yaml",
        "storyboards/noon.yaml",
        "tests/test_clocks_height.py",
    }
    assert_the_lie_is_found(tmp_path)


def assert_the_lie_is_found(home: Path) -> None:
    """What the guide says at its end."""
    lie, found = re.findall(r"`(self\.aside.+?)` before.+`(Readout says.+?)`", GUIDE, re.DOTALL)[0]
    stage = home / "stages/clocks/height.py"
    before, _, after = stage.read_text().rpartition("yield")
    stage.write_text(f"{before}{lie}\n        yield{after}")
    assert found in run(f"python -m pytest tests -k any_ground{REFUSED}", home)


def test_every_block_is_of_a_kind_that_is_run():
    assert GUIDE.count("```") == 2 * len(list(blocks(GUIDE)))
    for block in blocks(GUIDE):
        assert (block.language in ("sh", "text")) == (block.file == "")


def test_what_the_guide_points_to_is_there():
    for link in re.findall(r"\]\(([^)#:]+)\)", GUIDE):
        assert (ROOT / "docs" / link).exists(), link
