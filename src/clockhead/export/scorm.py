"""The page as a SCORM 1.2 package, for Moodle and other learning platforms.

`assets/scorm/scorm.js` tells the platform which beats a learner has seen. SCORM, and not H5P: a
SCORM package is a web page with a list of its files, so that it opens without a platform too; an
H5P package is data for programs that each platform has to have installed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree
from xml.etree.ElementTree import SubElement

from clockhead.clips.scratch import scratch_directory
from clockhead.export import html
from clockhead.export.edition import Edition
from clockhead.export.folder import pack
from clockhead.export.formats import Choices
from clockhead.export.pages import add_script, read_asset

_CONTENT = "http://www.imsproject.org/xsd/imscp_rootv1p1p2"
_SCORM = "http://www.adlnet.org/xsd/adlcp_rootv1p2"
_PAGE = "index.html"


def write(edition: Edition, target: Path, choices: Choices) -> Iterator[Path]:
    """Write `NAME-scorm.zip`. The same film makes the same bytes.

    Raises:
        ExportError: if a shot cannot be drawn.
    """
    with scratch_directory() as folder:
        page, *others = html.write(edition, folder, replace(choices, single_file=False))
        script = read_asset("scorm/scorm.js").decode()
        reporting = add_script(page.read_text(encoding="utf-8"), script).encode()
        files = {file.relative_to(page.parent).as_posix(): file.read_bytes for file in others}
        manifest = _manifest(edition, [_PAGE, *sorted(files)])
        file = target / f"{edition.name}-scorm.zip"
        made = {"imsmanifest.xml": lambda: manifest, _PAGE: lambda: reporting}
        pack(file, made | {name: files[name] for name in sorted(files)})
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
    SubElement(item, "title").text = edition.title
    resources = SubElement(manifest, "resources")
    page = SubElement(resources, "resource", identifier="page", type="webcontent", href=_PAGE)
    page.set("adlcp:scormtype", "sco")
    for name in files:
        SubElement(page, "file", href=quote(name))
    ElementTree.indent(manifest)
    text: bytes = ElementTree.tostring(manifest, encoding="utf-8", xml_declaration=True)
    return text
