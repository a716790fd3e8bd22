"""The page as a SCORM 1.2 package, for Moodle and other learning platforms.

`assets/scorm/scorm.js` tells the platform which beats a learner has seen. SCORM, and not H5P: a
SCORM package is a web page with a list of its files, so that it opens without a platform too; an
H5P package is data for programs that each platform has to have installed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree
from xml.etree.ElementTree import SubElement

from clockhead.export.edition import Edition
from clockhead.export.folder import pack
from clockhead.export.formats import Choices
from clockhead.export.html import make_page

_CONTENT = "http://www.imsproject.org/xsd/imscp_rootv1p1p2"
_SCORM = "http://www.adlnet.org/xsd/adlcp_rootv1p2"
_PAGE = "index.html"


def write(edition: Edition, target: Path, choices: Choices) -> Iterator[Path]:
    """Write `NAME-scorm.zip`. The same film makes the same bytes.

    Raises:
        ExportError: if a shot cannot be drawn.
    """
    page = make_page(edition, replace(choices, single_file=False), script="scorm/scorm")
    files = {_PAGE: page.html.encode(), **dict(sorted(page.files.beside.items()))}
    files = {"imsmanifest.xml": _manifest(edition, list(files)), **files}
    file = target / f"{edition.name}-scorm.zip"
    pack(file, {name: partial(bytes, content) for name, content in files.items()})
    yield file


def _manifest(edition: Edition, files: Iterable[str]) -> bytes:
    """The list of what is in the package: one learning object, the page.

    Source: SCORM 1.2 Content Aggregation Model, section 2.3.
    """
    manifest = ElementTree.Element(
        "manifest",
        {
            "identifier": f"clockhead-{edition.name}",
            "version": "1.2",
            "xmlns": _CONTENT,
            "xmlns:adlcp": _SCORM,
        },
    )
    about = SubElement(manifest, "metadata")
    SubElement(about, "schema").text = "ADL SCORM"
    SubElement(about, "schemaversion").text = "1.2"
    organizations = SubElement(manifest, "organizations", default="film")
    organization = SubElement(organizations, "organization", identifier="film")
    SubElement(organization, "title").text = edition.title
    item = SubElement(organization, "item", identifier="item", identifierref="page")
    item.set("parameters", "?whole")  # platforms show it in frames in which it is the lesson
    SubElement(item, "title").text = edition.title
    resources = SubElement(manifest, "resources")
    page = SubElement(resources, "resource", identifier="page", type="webcontent", href=_PAGE)
    page.set("adlcp:scormtype", "sco")
    for name in files:
        SubElement(page, "file", href=quote(name))
    ElementTree.indent(manifest)
    text: bytes = ElementTree.tostring(manifest, encoding="utf-8", xml_declaration=True)
    return text
