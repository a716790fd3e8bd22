"""A deck for PowerPoint, Keynote and Impress: movies that play by themselves, with their notes."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clockhead.clips import atomic
from clockhead.export.edition import Edition, ExportError, Part
from clockhead.export.formats import Choices
from clockhead.export.stretches import Stretch, movie, pictures, stretches
from clockhead.release import install_command
from clockhead.scenes.style.theme import THEMES, Theme

if TYPE_CHECKING:
    from pptx.presentation import Presentation
    from pptx.slide import Slide

_SHORT_SIDE = 6_858_000
"""Of a slide, in PowerPoint's units: 7.5 inches."""
_FACE, _PANOSE = "Source Sans Pro", "020B0503030403020204"
"""The films' letters, and what letters they are like, for where they are not installed."""
_TITLE, _TITLE_ONLY = 0, 5
"""Layouts of python-pptx's own template."""


def write(edition: Edition, target: Path, choices: Choices) -> Iterator[Path]:
    """Write `NAME.pptx`: a title slide, and a slide for each shot or beat.

    A movie plays once when its slide comes, and stands at its end. Printed, or where it cannot be
    played, the slide has its end picture; that of a whole shot, the shot's poster. With
    `reduced_motion` there are only these.

    Raises:
        ExportError: when python-pptx is not there, or a shot cannot be drawn.
    """
    if find_spec("pptx") is None:
        raise ExportError(
            f"slides for PowerPoint need python-pptx; install it with: {install_command('export')}"
        )
    deck = _empty_deck(edition)
    _add_title(deck, edition)
    told = groupby(stretches(edition, choices.per), key=lambda stretch: stretch.part.id)
    for shot in (list(group) for _, group in told):
        for stretch, picture in zip(shot, _posters(shot), strict=True):
            film = None if choices.reduced_motion else movie(edition, stretch)
            _add_stretch(deck, edition, stretch, picture, film)
    file = target / f"{edition.name}.pptx"
    content = io.BytesIO()
    deck.save(content)
    atomic.write(file, content.getvalue())
    yield file


def _posters(shot: Sequence[Stretch]) -> Iterator[bytes]:
    """What a slide shows where nothing plays."""
    part = shot[0].part
    frames = [_poster(part, stretch) for stretch in shot]
    drawn = pictures(part, frames)
    return (drawn[frame] for frame in frames)


def _poster(part: Part, stretch: Stretch) -> int:
    assert part.clip is not None
    return stretch.last if stretch.name else part.clip.poster


def _empty_deck(edition: Edition) -> Presentation:
    """A deck of the film's shape, in its colours: slides that are added get them too."""
    import pptx

    deck = pptx.Presentation()
    look = edition.film.look
    # As wide as 16:9 is, to the point, which the pixels of a film are not.
    across, down = map(int, look.aspect.split(":"))
    unit = _SHORT_SIDE / min(across, down)
    _reshape(deck, round(across * unit), round(down * unit))
    _dress(deck, THEMES[look.theme])
    about = deck.core_properties
    about.title, about.author = edition.title, edition.credit
    about.language = look.language
    return deck


def _reshape(deck: Presentation, width: int, height: int) -> None:
    """Give slides another size, and with them what stands on the layouts."""
    from pptx.util import Emu

    assert deck.slide_width is not None
    assert deck.slide_height is not None
    across, down = width / deck.slide_width, height / deck.slide_height
    for page in (*deck.slide_layouts, deck.slide_master):
        own = [shape for shape in page.shapes if shape.element.xpath("p:spPr/a:xfrm")]
        for shape in own:
            shape.left, shape.width = round(shape.left * across), round(shape.width * across)
            shape.top, shape.height = round(shape.top * down), round(shape.height * down)
    deck.slide_width, deck.slide_height = Emu(width), Emu(height)


def _dress(deck: Presentation, theme: Theme) -> None:
    """Put the film's colours and letters in place of the template's."""
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
        latin.set("typeface", _FACE)
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
    _note(slide, [part.title for part in edition.parts])


def _add_stretch(
    deck: Presentation, edition: Edition, stretch: Stretch, picture: bytes, film: bytes | None
) -> None:
    """A slide that the stretch fills. Its title stands above it, for lists and screen readers."""
    slide = deck.slides.add_slide(deck.slide_layouts[_TITLE_ONLY])
    width, height = deck.slide_width or 0, deck.slide_height or 0
    title = slide.shapes.title
    assert title is not None
    title.text_frame.text = stretch.title
    title.left, title.width, title.height = 0, width, round(height * 0.1)
    title.top = -round(height * 0.12)
    place, poster = (0, 0, width, height), io.BytesIO(picture)
    shape: Any = (
        slide.shapes.add_picture(poster, *place)
        if film is None
        else slide.shapes.add_movie(io.BytesIO(film), *place, poster, "video/mp4")
    )
    shape.name = stretch.id
    shape.element.nvPicPr.cNvPr.set("descr", stretch.alt)
    if film is not None:
        seconds = stretch.part.seconds(stretch.last + 1 - stretch.first)
        _play_at_once(slide, shape.shape_id, round(1000 * seconds))
    if edition.film.look.captions == "track" and stretch.name and stretch.stands:
        _say(slide, stretch.stands, width, height)
    _note(slide, [*stretch.said, "", *stretch.numbers] if stretch.numbers else stretch.said)


def _say(slide: Slide, said: str, width: int, height: int) -> None:
    """The sentence, in the room that a film without burnt captions keeps for it."""
    from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
    from pptx.util import Emu, Pt

    left, top, across, down = (
        Emu(round(share * side))
        for share, side in ((0.06, width), (0.86, height), (0.88, width), (0.11, height))
    )
    box = slide.shapes.add_textbox(left, top, across, down)
    box.text_frame.text = said
    box.text_frame.word_wrap = True
    box.text_frame.vertical_anchor = MSO_ANCHOR.MIDDLE
    [paragraph] = box.text_frame.paragraphs
    paragraph.alignment, paragraph.font.size = PP_ALIGN.CENTER, Pt(20)


def _note(slide: Slide, lines: Sequence[str]) -> None:
    frame = slide.notes_slide.notes_text_frame
    assert frame is not None
    frame.text = "\n".join(lines)


def _play_at_once(slide: Slide, shape_id: int, milliseconds: int) -> None:
    """Let a movie play as soon as its slide is there, not when it is clicked on."""
    from pptx.oxml import parse_xml
    from pptx.oxml.ns import qn

    timing = slide.element.find(qn("p:timing"))
    assert timing is not None
    timing.getparent().replace(
        timing, parse_xml(_TIMING.format(shape=shape_id, milliseconds=milliseconds))
    )


_TIMING = """\
<p:timing xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main">
<p:tnLst><p:par><p:cTn id="1" dur="indefinite" restart="never" nodeType="tmRoot"><p:childTnLst>
<p:seq concurrent="1" nextAc="seek">
<p:cTn id="2" dur="indefinite" nodeType="mainSeq"><p:childTnLst>
<p:par><p:cTn id="3" fill="hold">
<p:stCondLst><p:cond delay="indefinite"/>
<p:cond evt="onBegin" delay="0"><p:tn val="2"/></p:cond></p:stCondLst><p:childTnLst>
<p:par><p:cTn id="4" fill="hold">
<p:stCondLst><p:cond delay="0"/></p:stCondLst><p:childTnLst>
<p:par><p:cTn id="5" presetID="1" presetClass="mediacall" presetSubtype="0" fill="hold" \
nodeType="afterEffect">
<p:stCondLst><p:cond delay="0"/></p:stCondLst><p:childTnLst>
<p:cmd type="call" cmd="playFrom(0.0)"><p:cBhvr>
<p:cTn id="6" dur="{milliseconds}" fill="hold"/>
<p:tgtEl><p:spTgt spid="{shape}"/></p:tgtEl></p:cBhvr></p:cmd>
</p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:par>
</p:childTnLst></p:cTn>
<p:prevCondLst>\
<p:cond evt="onPrev" delay="0"><p:tgtEl><p:sldTgt/></p:tgtEl></p:cond></p:prevCondLst>
<p:nextCondLst>\
<p:cond evt="onNext" delay="0"><p:tgtEl><p:sldTgt/></p:tgtEl></p:cond></p:nextCondLst>
</p:seq>
<p:video><p:cMediaNode vol="80000"><p:cTn id="7" fill="hold" display="0">
<p:stCondLst><p:cond delay="indefinite"/></p:stCondLst></p:cTn>
<p:tgtEl><p:spTgt spid="{shape}"/></p:tgtEl></p:cMediaNode></p:video>
</p:childTnLst></p:cTn></p:par></p:tnLst></p:timing>"""
"""What PowerPoint itself writes for a movie that starts automatically."""
