"""docs/gallery.md and its pictures: the last picture of every stage, with its default inputs.

After a change that is meant, `python -m tests.docs.stages` draws them anew.
"""

from itertools import groupby

import yaml

from clockhead.export.gallery import Card, draw_cards
from clockhead.export.numbers import escape_markdown
from clockhead.libraries import BUILT_IN
from clockhead.scenes.stage import find_stage, stage_names
from tests.docs.gallery import DOCS

PAGE = DOCS / "gallery.md"
PICTURES = DOCS / "gallery"
_IN_A_ROW = 3
_HEAD = """\
# All stages in pictures

The last picture of each stage, drawn with its default inputs, without title and sentences. Stages
that belong to one film stand in the film's order. `clockhead stages previous_token.sub_diagonal`
lists what a stage takes and says, and `clockhead stages --gallery` shows this page with the stages
of your own, large and with a search.
"""


def ours() -> list[str]:
    """The names of Clockhead's own stages: by folder, and there in the order of the film."""
    told = [
        shot["stage"]
        for file in sorted(BUILT_IN.storyboards.glob("*.yaml"))
        for shot in yaml.safe_load(file.read_text(encoding="utf-8"))["shots"]
    ]
    order = {name: place for place, name in reversed([*enumerate(told)])}

    def place(name: str) -> tuple[str, int, str]:
        return name.partition(".")[0], order.get(name, len(told)), name

    known = (name for name in stage_names() if name.partition(".")[0] in BUILT_IN.films)
    return sorted(known, key=place)


def page(cards: list[Card]) -> str:
    """The page in Markdown."""
    blocks = [_HEAD]
    for folder, group in groupby(cards, lambda card: card.name.partition(".")[0]):
        found = list(group)
        rows = [found[at : at + _IN_A_ROW] for at in range(0, len(found), _IN_A_ROW)]
        cells = [" | ".join(map(_cell, row)) + " | " * (_IN_A_ROW - len(row)) for row in rows]
        lines = [f"| {row} |" for row in cells]
        blocks.append("\n".join([f"## {folder}\n", "| | | |", "|---|---|---|", *lines]) + "\n")
    return "\n".join(blocks)


def _cell(card: Card) -> str:
    title = escape_markdown(card.title)
    picture = f"![{title}](gallery/{card.name}.webp)"
    return f"{picture}<br>**{title}**<br>`{card.name}`"


if __name__ == "__main__":
    drawn = draw_cards({name: find_stage(name) for name in ours()}, DOCS.parent / "media")
    PICTURES.mkdir(exist_ok=True)
    for old in PICTURES.iterdir():
        old.unlink()
    for card in drawn:
        assert card.picture, f"{card.name}: {card.alt}"
        (PICTURES / f"{card.name}.webp").write_bytes(card.picture)
    PAGE.write_text(page(drawn), encoding="utf-8")
    print(sum(file.stat().st_size for file in PICTURES.iterdir()))
