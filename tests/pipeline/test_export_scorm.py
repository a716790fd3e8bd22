"""`clockhead export --to scorm`: the package in a learning platform, and opened alone, in Chromium.

The platform is a page with a strict SCORM 1.2 interface. With `CLOCKHEAD_SCORM`, a folder with
`scorm12.js` of scorm-again and the schemas of SCORM 1.2, there is that interface too, and the
manifest is validated.
"""

import os
import re
import threading
import zipfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

pytestmark = pytest.mark.xdist_group("scorm")

CONTENT = "{http://www.imsproject.org/xsd/imscp_rootv1p1p2}"
SCORM = "{http://www.adlnet.org/xsd/adlcp_rootv1p2}"
VIDEO = "document.querySelector('video')"
BEATS = 5
START = "index.html?whole"
"""The address with which a platform opens the page, as the manifest says."""
LMS = """<!doctype html><meta charset="utf-8"><title>LMS</title><link rel="icon" href="data:,">
<script>
const told = [];
const data = {};
const wrong = [];
const texts = {
  'cmi.core.lesson_status': /^(passed|completed|failed|incomplete|browsed|not attempted)$/,
  'cmi.core.lesson_location': /^.{0,255}$/,
  'cmi.core.session_time': /^\\d{2,4}:\\d\\d:\\d\\d(\\.\\d{1,2})?$/,
  'cmi.core.exit': /^(time-out|suspend|logout|)$/,
  'cmi.suspend_data': /^[^]{0,4096}$/,
};
let state = 'before';
function during(name, ok, answer) {
  told.push(name);
  if (!ok) wrong.push(name);
  return ok ? answer : 'false';
}
window.API = {
  LMSInitialize(empty) {
    const ok = empty === '' && state !== 'running';
    state = 'running';
    return during('initialize', ok, 'true');
  },
  LMSGetValue(name) {
    const known = name in texts && name !== 'cmi.core.session_time' && name !== 'cmi.core.exit';
    const first = name === 'cmi.core.lesson_status' ? 'not attempted' : '';
    return during(`get ${name}`, state === 'running' && known, data[name] ?? first);
  },
  LMSSetValue(name, value) {
    const ok = state === 'running' && texts[name]?.test(value) && typeof value === 'string';
    if (ok) data[name] = value;
    return during(`set ${name}`, ok, 'true');
  },
  LMSCommit(empty) { return during('commit', state === 'running' && empty === '', 'true'); },
  LMSFinish(empty) {
    const ok = state === 'running' && empty === '';
    state = 'after';
    return during('finish', ok, 'true');
  },
  LMSGetLastError() { return '0'; },
};
</script>
<iframe src="PAGE" width="940" height="560" allow="fullscreen" title="The film"></iframe>
"""
AGAIN = """<!doctype html><meta charset="utf-8"><title>LMS</title><link rel="icon" href="data:,">
<script src="scorm12.js"></script>
<script>
const wrong = [];
window.API = new Scorm12API({autocommit: false, logLevel: 5});
API.on('LMSSetValue', () => {
  if (API.lmsGetLastError() !== '0') wrong.push(API.lmsGetLastError());
});
</script>
<iframe src="package/index.html" width="940" height="560" title="The film"></iframe>
"""


def exported(asking, *choices):
    done = asking.run("export", "film", "-ql", "--to", "scorm", *choices)
    assert done.returncode == 0, done.stderr
    return asking.root / done.stdout.strip()


@pytest.fixture(scope="module")
def package(asking):
    return exported(asking, "-o", "moodle")


@pytest.fixture(scope="module")
def unpacked(package, tmp_path_factory):
    folder = tmp_path_factory.mktemp("lms")
    with zipfile.ZipFile(package) as archive:
        archive.extractall(folder / "package")
    return folder


class Silent(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def sites(unpacked):
    """Two servers of the same files, which browsers take for two sites: their addresses."""
    (unpacked / "lms.html").write_text(LMS.replace("PAGE", f"package/{START}"))
    servers = [
        ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=unpacked)) for _ in range(2)
    ]
    for server in servers:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    yield [f"http://127.0.0.1:{server.server_port}" for server in servers]
    for server in servers:
        server.shutdown()
        server.server_close()


class Lesson:
    """The page in the frame of a platform."""

    def __init__(self, browser, address):
        self.browser = browser
        browser.open(address)
        self.enter()

    def enter(self):
        self.browser.driver.switch_to.default_content()
        self.browser.driver.switch_to.frame(0)
        self.browser.wait(f"{VIDEO} ? {VIDEO}.readyState >= 3 : document.readyState == 'complete'")

    def reload(self):
        """Leave the page, and come back to it."""
        self.browser.driver.switch_to.default_content()
        self.browser.run("const f = frames[0].frameElement; f.src = 'about:blank';")
        self.browser.wait("state == 'after'")
        self.browser.run("frames[0].frameElement.src = 'package/index.html?whole';")
        self.browser.wait("frames[0].document.readyState == 'complete' && state == 'running'")
        self.enter()

    def known(self, expression):
        """What the platform knows."""
        return self.browser.run(f"return parent.eval({expression!r})")

    def status(self):
        return self.known("data['cmi.core.lesson_status']")

    def seen(self):
        return self.known("data['cmi.suspend_data'] ?? ''")

    def play_to_the_end(self):
        self.browser.run(f"{VIDEO}.playbackRate = 4")
        self.browser.click("#play")
        self.browser.wait(f"{VIDEO}.ended")


@pytest.fixture
def lesson(browser, sites):
    return Lesson(browser, f"{sites[0]}/lms.html")


class TestThePackage:
    def test_its_manifest_lists_all_of_its_files(self, package):
        with zipfile.ZipFile(package) as archive:
            names = set(archive.namelist())
            root = ElementTree.fromstring(archive.read("imsmanifest.xml"))
        [page] = root.iter(f"{CONTENT}resource")
        listed = [unquote(file.get("href")) for file in page.iter(f"{CONTENT}file")]
        assert sorted([*listed, "imsmanifest.xml"]) == sorted(names)
        assert page.get(f"{SCORM}scormtype") == "sco"
        [item] = root.iter(f"{CONTENT}item")
        assert item.get("identifierref") == page.get("identifier")
        assert f"{page.get('href')}{item.get('parameters')}" == START
        assert item.findtext(f"{CONTENT}title") == "The tiny film"
        assert root.findtext(f"{CONTENT}metadata/{CONTENT}schemaversion") == "1.2"

    @pytest.mark.skipif("CLOCKHEAD_SCORM" not in os.environ, reason="CLOCKHEAD_SCORM is not set")
    def test_its_manifest_is_valid(self, unpacked):
        etree = pytest.importorskip("lxml.etree")
        schema = Path(os.environ["CLOCKHEAD_SCORM"]) / "adlcp_rootv1p2.xsd"
        manifest = etree.parse(str(unpacked / "package/imsmanifest.xml"))
        etree.XMLSchema(etree.parse(str(schema))).assertValid(manifest)

    def test_the_same_film_makes_the_same_bytes(self, asking, package):
        assert exported(asking, "-o", "again").read_bytes() == package.read_bytes()

    def test_it_can_be_packed_with_other_formats(self, asking):
        done = asking.run("export", "film", "-ql", "--to", "scorm,numbers,zip", "-o", "all")
        assert done.returncode == 0, done.stderr
        with zipfile.ZipFile(asking.root / "all/film.zip") as archive:
            assert "film-scorm.zip" in archive.namelist()


class TestInAPlatform:
    def test_a_film_that_was_seen_to_its_end_is_completed(self, lesson):
        assert lesson.status() == "incomplete"
        lesson.play_to_the_end()
        assert lesson.status() == "completed"
        assert lesson.seen() == "1" * BEATS
        assert lesson.known("wrong") == []
        assert lesson.browser.console() == []

    def test_the_whole_page_is_the_lesson(self, lesson):
        hidden = lesson.browser.run(
            "return ['header', '.transcript', '.shot', 'footer']"
            ".filter(one => !document.querySelector(one).offsetHeight)"
        )
        assert hidden == []

    def test_a_jump_to_the_end_is_not_enough(self, lesson):
        lesson.browser.run(f"{VIDEO}.currentTime = {VIDEO}.duration - 0.5")
        lesson.browser.click("#play")
        lesson.browser.wait(f"{VIDEO}.ended")
        assert lesson.status() == "incomplete"
        assert lesson.seen() == "0" * (BEATS - 1) + "1"

    def test_step_by_step_it_is_completed_at_the_last_step(self, lesson):
        browser = lesson.browser
        browser.click("button[data-mode=steps]")
        browser.run(f"{VIDEO}.playbackRate = 4")
        steps = BEATS + 1
        for number in range(1, steps + 1):
            assert lesson.status() == "incomplete"
            browser.press("PageDown")
            browser.wait(
                f"{VIDEO}.paused && document.getElementById('place').firstChild.textContent"
                f" == '{number} / {steps}'"
            )
        browser.wait("parent.eval(\"data['cmi.core.lesson_status']\") == 'completed'")

    def test_stills_count_when_they_are_shown(self, lesson):
        browser = lesson.browser
        browser.click("button[data-mode=stills]")
        for number in range(1, BEATS):
            browser.wait(f"parent.eval(\"data['cmi.suspend_data']\") == '{'1' * number:0<{BEATS}}'")
            browser.press("Right")
        browser.wait("parent.eval(\"data['cmi.core.lesson_status']\") == 'completed'")

    def test_a_learner_who_comes_back_goes_on_where_they_stopped(self, lesson):
        browser = lesson.browser
        browser.click("button[data-mode=steps]")
        browser.press("PageDown")
        browser.wait(f"{VIDEO}.paused && location.hash == '#asks/appear'")
        browser.wait("parent.eval(\"data['cmi.suspend_data']\")")
        lesson.reload()
        assert re.fullmatch(r"00:00:\d\d", lesson.known("data['cmi.core.session_time']"))
        assert lesson.known("data['cmi.core.exit']") == "suspend"
        assert browser.run("return location.hash") == "#asks/appear"
        assert lesson.seen() == "1" + "0" * (BEATS - 1)
        lesson.play_to_the_end()
        assert lesson.status() == "completed"
        lesson.reload()
        assert lesson.status() == "completed", "and stays so"
        assert lesson.known("data['cmi.core.exit']") == ""
        assert lesson.known("wrong") == []

    def test_what_was_seen_of_another_version_does_not_count(self, lesson):
        lesson.known("data['cmi.suspend_data'] = '11'")
        lesson.reload()
        lesson.browser.run(f"{VIDEO}.currentTime = {VIDEO}.duration - 0.5")
        lesson.browser.click("#play")
        lesson.browser.wait(f"{VIDEO}.ended")
        assert lesson.seen() == "0" * (BEATS - 1) + "1"

    def test_a_page_of_stills_is_completed_too(self, asking, browser, sites, unpacked):
        with zipfile.ZipFile(exported(asking, "--reduced-motion", "-o", "calm")) as archive:
            assert not [name for name in archive.namelist() if name.endswith(".mp4")]
            archive.extractall(unpacked / "calm")
        (unpacked / "calm.html").write_text(LMS.replace("PAGE", "calm/index.html"))
        Lesson(browser, f"{sites[0]}/calm.html")
        for _ in range(BEATS - 1):
            browser.click("#next")
        browser.wait("parent.eval(\"data['cmi.core.lesson_status']\") == 'completed'")

    @pytest.mark.skipif("CLOCKHEAD_SCORM" not in os.environ, reason="CLOCKHEAD_SCORM is not set")
    def test_another_implementation_of_the_interface_accepts_it(self, browser, sites, unpacked):
        script = Path(os.environ["CLOCKHEAD_SCORM"]) / "scorm12.js"
        (unpacked / "scorm12.js").write_bytes(script.read_bytes())
        (unpacked / "again.html").write_text(AGAIN)
        lesson = Lesson(browser, f"{sites[0]}/again.html")
        lesson.play_to_the_end()
        assert lesson.known("API.cmi.core.lesson_status") == "completed"
        assert lesson.known("API.cmi.suspend_data") == "1" * BEATS
        assert lesson.known("wrong") == []


class TestWithoutAPlatform:
    def test_it_opens_from_a_file_and_asks_for_nothing_else(self, browser, unpacked):
        browser.open(unpacked / "package/index.html")
        browser.wait(f"{VIDEO}.readyState >= 3")
        browser.run(f"{VIDEO}.playbackRate = 4")
        browser.click("#play")
        browser.wait(f"{VIDEO}.currentTime > 1")
        assert browser.console() == []
        assert browser.requests() <= {"file", "data", "blob"}

    def test_in_a_page_of_another_site_it_only_plays(self, browser, sites, unpacked):
        foreign = f"{sites[1]}/package/index.html"
        (unpacked / "other.html").write_text(LMS.replace("PAGE", foreign))
        browser.open(f"{sites[0]}/other.html")
        browser.driver.switch_to.frame(0)
        browser.wait(f"{VIDEO}.readyState >= 3")
        browser.click("#play")
        browser.wait(f"{VIDEO}.currentTime > 0.5")
        browser.driver.switch_to.default_content()
        assert browser.run("return told") == []
        assert browser.console() == []

    def test_only_exported_scripts_run(self, browser, unpacked):
        browser.open(unpacked / "package/index.html")
        browser.run(
            "const own = document.createElement('script'); own.textContent = 'window.own = 1';"
            "document.head.append(own)"
        )
        assert browser.run("return window.own") is None
