"""A deck for PowerPoint, Keynote and Impress: movies that start by themselves, and notes."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clockhead import atomic
from clockhead.export.edition import Edition, ExportError
from clockhead.export.formats import Choices
from clockhead.export.pages import read_asset
from clockhead.export.segments import Segment, divide, movie, pictures
from clockhead.release import install_command
from clockhead.scenes.style.theme import Theme
from clockhead.scenes.style.typeset import family_of

if TYPE_CHECKING:
    from pptx.presentation import Presentation
    from pptx.slide import Slide

_SHORT_SIDE = 6_858_000
"""Short side of a slide in PowerPoint's units: 7.5 inches."""
_FACE, _PANOSE = "Source Sans Pro", "020B0503030403020204"
"""The films' font, and its PANOSE number, by which programs find a similar one."""
_TITLE, _TITLE_ONLY = 0, 5
"""Numbers of layouts in python-pptx's template."""


def write(edition: Edition, target: Path, choices: Choices) -> Iterator[Path]:
    """Write `NAME.pptx`: a title slide, and a slide for each shot or beat.

    A movie plays once when its slide appears, and stops at its end. In print, and where it cannot
    be played, the slide shows the movie's end, or the shot's poster if it is a whole shot. With
    `reduced_motion` there are only these pictures.

    Raises:
        ExportError: if python-pptx is not installed, or a shot cannot be drawn.
    """
    if find_spec("pptx") is None:
        raise ExportError(
            f"slides for PowerPoint need python-pptx; install it with: {install_command('export')}"
        )
    deck = _empty_deck(edition)
    _add_title(deck, edition)
    for segments in divide(edition, choices.per):
        clip = segments[0].shot.clip
        assert clip is not None
        posters = [segment.last if segment.name else clip.poster for segment in segments]
        drawn = pictures(segments[0].shot, posters)
        for segment, poster in zip(segments, posters, strict=True):
            film = None if choices.reduced_motion else movie(edition, segment)
            _add_segment(deck, edition, segment, drawn[poster], film)
    file = target / f"{edition.name}.pptx"
    content = io.BytesIO()
    deck.save(content)
    atomic.write(file, content.getvalue())
    yield file


def _empty_deck(edition: Edition) -> Presentation:
    """A deck with the film's aspect ratio and colours, which slides added later have too."""
    import pptx
    from pptx.util import Emu

    deck = pptx.Presentation()
    look = edition.film.look
    # The exact ratio; that of a film's pixels is rounded.
    sides = [int(side) for side in look.aspect.split(":")]
    width, height = (Emu(round(side * _SHORT_SIDE / min(sides))) for side in sides)
    assert deck.slide_width is not None
    assert deck.slide_height is not None
    across, down = width / deck.slide_width, height / deck.slide_height
    for page in (*deck.slide_layouts, deck.slide_master):
        own = [shape for shape in page.shapes if shape.element.xpath("p:spPr/a:xfrm")]
        for shape in own:
            shape.left, shape.width = round(shape.left * across), round(shape.width * across)
            shape.top, shape.height = round(shape.top * down), round(shape.height * down)
    deck.slide_width, deck.slide_height = width, height
    fonts = edition.film.look_file.fonts
    families = [family_of(font) for font in fonts if "regular" in font.replaces]
    _apply_theme(deck, look.colors, next(iter(families), ""))
    about = deck.core_properties
    about.title, about.author = edition.title, edition.credit
    about.language = look.language
    return deck


def _apply_theme(deck: Presentation, theme: Theme, own_face: str) -> None:
    """Replace the template's colours and fonts by the film's; a deck names fonts, and has none."""
    from lxml import etree
    from pptx.opc.constants import RELATIONSHIP_TYPE
    from pptx.oxml.ns import qn

    colors = {
        "dk1": theme.ink,
        "lt1": theme.ground,
        "dk2": theme.muted,
        "lt2": theme.panel,
        "accent1": theme.query,
        "accent2": theme.key,
        "accent3": theme.value,
        "accent4": theme.attention,
        "accent5": theme.position,
        "accent6": theme.wrong,
        "hlink": theme.key,
        "folHlink": theme.position,
    }
    part = deck.slide_master.part.part_related_by(RELATIONSHIP_TYPE.THEME)
    root = etree.fromstring(part.blob)
    for name, color in colors.items():
        [place] = root.iter(qn(f"a:{name}"))
        place[:] = [etree.Element(qn("a:srgbClr"), val=color.removeprefix("#"))]
    for fonts in ("majorFont", "minorFont"):
        [latin] = root.iterfind(f".//{qn(f'a:{fonts}')}/{qn('a:latin')}")
        latin.set("typeface", own_face or _FACE)
        latin.attrib.pop("panose", None)
        if not own_face:
            latin.set("panose", _PANOSE)
    part.blob = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def _add_title(deck: Presentation, edition: Edition) -> None:
    from pptx.enum.dml import MSO_THEME_COLOR
    from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
    from pptx.util import Pt

    width, height = deck.slide_width or 0, deck.slide_height or 0
    slide = deck.slides.add_slide(deck.slide_layouts[_TITLE])
    title, credit = slide.placeholders
    for shape, text, size in ((title, edition.title, 44), (credit, edition.credit, 18)):
        shape.left, shape.width = round(width * 0.08), round(width * 0.84)
        shape.text_frame.text = text
        shape.text_frame.word_wrap = True
        [paragraph] = shape.text_frame.paragraphs
        paragraph.alignment, paragraph.font.size = PP_ALIGN.LEFT, Pt(size)
    title.top, title.height = round(height * 0.2), round(height * 0.34)
    title.text_frame.vertical_anchor = MSO_ANCHOR.BOTTOM
    title.text_frame.paragraphs[0].font.bold = True
    credit.top, credit.height = round(height * 0.58), round(height * 0.2)
    credit.text_frame.vertical_anchor = MSO_ANCHOR.TOP
    credit.text_frame.paragraphs[0].font.color.theme_color = MSO_THEME_COLOR.TEXT_2
    if not edition.credit:
        credit.element.getparent().remove(credit.element)
    _add_notes(slide, [shot.title for shot in edition.shots])


def _add_segment(
    deck: Presentation, edition: Edition, segment: Segment, picture: bytes, film: bytes | None
) -> None:
    """Add a slide. Its title is above the visible area, for outlines and screen readers."""
    slide = deck.slides.add_slide(deck.slide_layouts[_TITLE_ONLY])
    width, height = deck.slide_width or 0, deck.slide_height or 0
    title = slide.shapes.title
    assert title is not None
    title.text_frame.text = segment.title
    title.left, title.width, title.height = 0, width, round(height * 0.1)
    title.top = -round(height * 0.12)
    place, poster = (0, 0, width, height), io.BytesIO(picture)
    shape: Any = (
        slide.shapes.add_picture(poster, *place)
        if film is None
        else slide.shapes.add_movie(io.BytesIO(film), *place, poster, "video/mp4")
    )
    shape.name = segment.id
    shape.element.nvPicPr.cNvPr.set("descr", segment.alt)
    if film is not None:
        frames = segment.last + 1 - segment.first
        _autoplay(slide, shape.shape_id, round(1000 * frames / edition.fps))
    if edition.film.look.captions == "track" and segment.name and segment.last_sentence:
        _add_sentence(slide, segment.last_sentence, width, height)
    parts = [lines for lines in (segment.notes, segment.sentences, segment.numbers) if lines]
    _add_notes(slide, "\n\n".join(map("\n".join, parts)).split("\n"))


def _add_sentence(slide: Slide, sentence: str, width: int, height: int) -> None:
    """Add a sentence where the picture has room for it when captions are a track."""
    from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
    from pptx.util import Emu, Pt

    left, top, across, down = (
        Emu(round(share * side))
        for share, side in ((0.06, width), (0.86, height), (0.88, width), (0.11, height))
    )
    box = slide.shapes.add_textbox(left, top, across, down)
    box.text_frame.text = sentence
    box.text_frame.word_wrap = True
    box.text_frame.vertical_anchor = MSO_ANCHOR.MIDDLE
    [paragraph] = box.text_frame.paragraphs
    paragraph.alignment, paragraph.font.size = PP_ALIGN.CENTER, Pt(20)


def _add_notes(slide: Slide, lines: Sequence[str]) -> None:
    frame = slide.notes_slide.notes_text_frame
    assert frame is not None
    frame.text = "\n".join(lines)


def _autoplay(slide: Slide, shape_id: int, milliseconds: int) -> None:
    """Start a movie when its slide appears, not on a click."""
    from pptx.oxml import parse_xml
    from pptx.oxml.ns import qn

    timing = slide.element.find(qn("p:timing"))
    assert timing is not None
    # As PowerPoint writes it for a movie that starts automatically.
    template = read_asset("pptx/timing.xml").decode()
    filled = template.format(shape=shape_id, milliseconds=milliseconds)
    timing.getparent().replace(timing, parse_xml(filled))
