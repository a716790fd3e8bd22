r"""Slides for Beamer: a frame for each shot, with its beats as overlays, from vector pictures.

`NAME-frames.tex` has the frames, to `\input` into any deck; `NAME.tex` is a deck of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from clockhead import atomic
from clockhead.clips.stills import Paper, Still
from clockhead.export.alt import alt_of_still, describe_values
from clockhead.export.edition import Edition, EditionShot, slug
from clockhead.export.formats import Choices
from clockhead.export.quiz import answer_lines
from clockhead.export.segments import notes_by_beat
from clockhead.export.tex import LETTER, spoken_tex, visible_tex
from clockhead.plain import plain_text
from clockhead.scenes.style.theme import Theme

_VECTORS = Paper("pdf")
_ASPECTS = {"4:3": "43"}
"""Shapes of slides, as Beamer names them; other films than wide ones are fitted into 16:9."""
_MACROS = rf"""% Alternative texts go into tagged PDFs; older versions of graphicx do not know them.
\makeatletter
\@ifundefined{{KV@Gin@alt}}{{\define@key{{Gin}}{{alt}}{{}}}}{{}}
\makeatother
% Write \newcommand{{\clockheadpath}}{{...}} before \input if the pictures are in another folder.
\providecommand{{\clockheadpath}}{{}}
{LETTER}
% \clockheadshow{{picture}}{{alternative text}}{{sentence below, or nothing}}, in each overlay. The
% picture is the background, which Beamer draws last, when it counts overlays of the next slide.
\providecommand{{\clockheadshow}}[3]{{%
  \gdef\clockheadcanvas{{\clockheadstill{{#1}}{{#2}}}}%
  {{\color{{clockheadink}}\small\centering#3\par\vspace{{.035\paperheight}}}}}}
\providecommand{{\clockheadstill}}[2]{{%
  \color{{clockheadground}}\rlap{{\rule{{\paperwidth}}{{\paperheight}}}}%
  \vbox to\paperheight{{\vfil\hbox to\paperwidth{{\hfil
    \includegraphics[width=\paperwidth,height=\paperheight,keepaspectratio,alt={{#2}}]%
      {{\clockheadpath#1}}\hfil}}\vfil}}}}
"""


@dataclass(frozen=True, slots=True)
class Overlay:
    """What a frame shows at a time."""

    picture: str
    """The file, relative to the folder of the deck."""
    alt: str
    sentence: str
    """What is printed below; empty if it is in the picture."""
    notes: list[str]


def write(edition: Edition, target: Path, _: Choices) -> Iterator[Path]:
    """Write `beamer/NAME.tex`, `beamer/NAME-frames.tex`, and their pictures in `beamer/NAME/`.

    Raises:
        ExportError: if a shot cannot be drawn.
    """
    folder = target / "beamer"
    frames: list[str] = []
    pictures: dict[str, bytes] = {}
    drawn = edition.stills([_VECTORS])
    for shot in edition.shots:
        stills = drawn[shot.id][_VECTORS]
        names = [
            f"{edition.name}/{shot.stem}-{number}-{slug(still.beat)}.pdf"
            for number, still in enumerate(stills, 1)
        ]
        pictures |= {name: still.picture for name, still in zip(names, stills, strict=True)}
        frames += _frame(edition, shot, list(_overlays(edition, shot, names, stills)))
    deck = folder / f"{edition.name}.tex"
    atomic.write(deck, _deck(edition))
    yield deck
    fragment = folder / f"{edition.name}-frames.tex"
    atomic.write(fragment, _fragment(edition, frames))
    yield fragment
    for name, picture in pictures.items():
        atomic.write(folder / name, picture)
        yield folder / name


def _overlays(
    edition: Edition, shot: EditionShot, names: Sequence[str], stills: Sequence[Still]
) -> Iterator[Overlay]:
    """The beats of a shot. A question is in the notes of the overlay on which it is asked."""
    # The caption is a beat of its own in stages that do not place it.
    asks = [*(plain_text(ask) for ask, _ in shot.resolved.shot.lines), *([""] * len(stills))]
    beats = [still.beat for still in stills]
    notes = notes_by_beat(shot, beats)
    quizzes = [shot.resolved.quizzes.get(beat.replace(" ", "_")) for beat in beats]
    has_room = edition.film.look.captions == "track"
    is_credited = shot.resolved.shot.is_last and edition.film.credit
    before = ""
    for number, (name, still) in enumerate(zip(names, stills, strict=True), 1):
        sentence = plain_text(still.sentence)
        is_last = number == len(stills)
        lines = [
            *notes.pop(still.beat, ()),
            *([asks[0], *answer_lines(quizzes[0])] if number == 1 else []),
        ]
        lines += [sentence] if sentence not in (before, *lines) else []
        lines += describe_values(still)
        if is_last:
            lines += shot.mentioned_numbers
        elif asks[number]:
            lines += [*notes.pop(beats[number], ()), asks[number], *answer_lines(quizzes[number])]
        yield Overlay(
            name,
            alt_of_still(shot.title, still),
            sentence if has_room and not (is_last and is_credited) else "",
            [line for line in lines if line],
        )
        before = sentence


def _frame(edition: Edition, shot: EditionShot, overlays: Sequence[Overlay]) -> list[str]:
    """The lines of a frame. In Beamer's handouts it has its last overlay alone."""
    label = f"{edition.name}-{shot.id}".replace("_", "-")
    specs = [f"<{n}|handout:{int(n == len(overlays))}>" for n in range(1, len(overlays) + 1)]
    lines = [rf"\begin{{frame}}[plain,b,label={label}]"]
    lines.append(rf"  \only<1>{{\pdfbookmark[2]{{{spoken_tex(shot.title)}}}{{{label}}}}}%")
    for number, (spec, overlay) in enumerate(zip(specs, overlays, strict=True), 1):
        shown = (overlay.picture, spoken_tex(overlay.alt), visible_tex(overlay.sentence))
        lines.append(rf"  \only{spec}{{\clockheadshow{''.join(f'{{{one}}}' for one in shown)}}}%")
        notes = r"\par ".join(map(visible_tex, overlay.notes))
        lines.append(rf"  \note<{number}>{{{notes}}}%")
    return [*lines, r"\end{frame}", ""]


def _fragment(edition: Edition, frames: Sequence[str]) -> str:
    return "\n".join(
        [
            rf"% Put this file and the folder {edition.name} beside your deck, and write",
            rf"% \input{{{edition.name}-frames}} where its slides belong.",
            r"% For pdflatex, letters with accents need \usepackage[T1]{fontenc} in the deck.",
            _MACROS.rstrip(),
            *_colors(edition.film.look.colors),
            "",
            r"\begingroup",
            r"\setbeamertemplate{background canvas}{\clockheadcanvas}",
            *frames,
            r"\endgroup",
            "",
        ]
    )


def _colors(theme: Theme) -> list[str]:
    return [
        rf"\definecolor{{clockhead{name}}}{{HTML}}{{{color.removeprefix('#').upper()}}}"
        for name, color in (("ground", theme.ground), ("ink", theme.ink))
    ]


def _deck(edition: Edition) -> str:
    look = edition.film.look
    titles = r"\par ".join(visible_tex(shot.title) for shot in edition.shots)
    return "\n".join(
        [
            r"% Compile this with pdflatex, or with lualatex or xelatex.",
            rf"\documentclass[aspectratio={_ASPECTS.get(look.aspect, '169')}]{{beamer}}",
            r"\ifdefined\pdftexversion",
            r"  \usepackage[T1]{fontenc}",
            r"  \IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}",
            r"\fi",
            r"% Notes for the speaker, for pdfpc, pympress and other programs with two screens:",
            r"% \setbeameroption{show notes on second screen=right}",
            r"\setbeamertemplate{navigation symbols}{}",
            *_colors(look.colors),
            r"\setbeamercolor{background canvas}{bg=clockheadground}",
            r"\setbeamercolor{normal text}{fg=clockheadink}\usebeamercolor*{normal text}",
            r"\setbeamercolor{title}{fg=clockheadink}\setbeamercolor{author}{fg=clockheadink}",
            LETTER,
            rf"\title{{{visible_tex(edition.title)}}}",
            rf"\author{{{visible_tex(edition.credit)}}}",
            r"\date{}",
            rf"\hypersetup{{pdftitle={{{spoken_tex(edition.title)}}},pdflang={{{look.language}}}}}",
            r"\begin{document}",
            rf"\begin{{frame}}[plain]\titlepage\note{{{titles}}}\end{{frame}}",
            rf"\input{{{edition.name}-frames}}",
            r"\end{document}",
            "",
        ]
    )
