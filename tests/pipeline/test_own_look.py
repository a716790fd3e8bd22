"""A look.yaml beside the storyboards: colours, font and name of all films of a home."""

import asyncio
import io
import json
import pickle
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import av
import numpy as np
import pytest
from PIL import Image

from clockhead.clips.clip import ClipJob
from clockhead.clips.fingerprint import clip_key
from clockhead.clips.stills import draw_stills
from clockhead.export.pages import own_font_files
from clockhead.libraries import PROJECT
from clockhead.look import DEFAULT_WISH, QUALITIES, Wish
from clockhead.production.manifest import describe_recipe
from clockhead.scenes.stage import find_stage
from clockhead.scenes.style.fonts import Font, drawing_with, read_font, scale_of
from clockhead.scenes.style.theme import CHALK, PAPER, rgb
from clockhead.scenes.style.type import advance, outline
from clockhead.storyboard.films import Film, load_films, read_film
from clockhead.storyboard.own_look import look_schema
from clockhead.storyboard.problems import StoryboardError
from clockhead.studio.following import follow_look
from clockhead.studio.session import Session
from clockhead.testing import problems_of
from clockhead.trust import trust_in_process
from tests.fonts import HEBREW, JAPANESE
from tests.pipeline.browser import Browser
from tests.pipeline.project import output

SHOT = "previous_token.sub_diagonal"
FILM = f"version: 1\ntitle: T\ncredit: After nobody\nshots:\n- stage: {SHOT}\n"
BLUE = """\
name: Prof. Ada Blau, University of Exampleton
colors:
  accent: "#0B5CAD"
  chalk: {ground: "#0B1A2B", accent: "#6FB7F2"}
  paper: {ground: "#F3F8FE", ink: "#12263D"}
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A trusted home with a film in it, in which the user is."""
    monkeypatch.setenv(PROJECT, "")
    folder = tmp_path / "home"
    (folder / "storyboards").mkdir(parents=True)
    (folder / "storyboards/f.yaml").write_text(FILM)
    (folder / "fonts").mkdir()
    shutil.copy(JAPANESE, folder / "fonts/jp.otf")
    monkeypatch.chdir(folder)
    monkeypatch.delenv(PROJECT)
    trust_in_process(folder)
    return folder


def load(look: str, wish: Wish = DEFAULT_WISH, film: str = "f") -> Film:
    Path("look.yaml").write_text(look, encoding="utf-8")
    [found] = load_films([film], wish=wish)
    return found


def problems(look: str, wish: Wish = DEFAULT_WISH) -> list[str]:
    with pytest.raises(StoryboardError) as error:
        load(look, wish)
    return [str(problem) for problem in error.value.problems]


def job_of(film: Film) -> ClipJob:
    shot = film.shots[0]
    return ClipJob(shot.stage, shot.shot, replace(film.look, quality=QUALITIES["l"]))


def pixels(color: str) -> np.ndarray:
    return np.array([round(255 * channel) for channel in rgb(color)])


def test_colors_and_name_are_those_of_every_film_of_the_home():
    film = load(BLUE)
    assert film.look.colors.ground == "#0B1A2B"
    assert film.credit == "Prof. Ada Blau, University of Exampleton. After nobody"
    assert film.shots[0].shot.film.credit == film.credit
    ours = load(BLUE, Wish(theme="paper"), film="rope")
    assert (ours.look.colors.ground, ours.look.colors.token) == ("#F3F8FE", "#12263D")
    assert ours.shots[0].shot.own == ours.look.own
    assert load("", film="f").look.colors == CHALK
    assert load("# name: nobody\n").credit == "After nobody"


def test_an_option_names_another_look_or_none(home: Path, tmp_path: Path):
    other = tmp_path / "elsewhere/green.yaml"
    other.parent.mkdir()
    other.write_text('colors: {chalk: {ground: "#001A0D"}}\n')
    film = load(BLUE, Wish(look_file=str(other)))
    assert (film.look.colors.ground, film.credit) == ("#001A0D", "After nobody")
    assert film.look.folder == "720p30-look-green"
    plain = load(BLUE, Wish(look_file=""))
    assert (plain.look.colors, plain.look.folder) == (CHALK, "720p30-no-look")
    assert load(BLUE).look.folder == "720p30"
    assert "no such file" in problems(BLUE, Wish(look_file="gone.yaml"))[0]


def test_the_look_is_seen_in_the_clip(run, home: Path):
    (home / "look.yaml").write_text(BLUE)
    code, _, err = run("render", "f", "-ql", "--theme", "paper")
    assert code == 0, err
    folder = home / "media/f/480p15-paper"
    with av.open(folder / "f.mp4") as video:
        first = next(video.decode(video=0)).to_ndarray(format="rgb24")
    assert np.abs(first[3, 3].astype(int) - pixels("#F3F8FE")).max() <= 3
    manifest = json.loads((folder / "f.json").read_text())
    assert manifest["look"]["own"]["colors"]["paper"]["ground"] == "#F3F8FE"
    assert manifest["storyboard"]["credit"].startswith("Prof. Ada Blau")
    assert "0 of 1 shot" in run("render", "f", "-ql", "--theme", "paper")[2]


def test_a_changed_color_of_the_theme_renders_anew_and_a_comment_does_not():
    key = clip_key(job_of(load(BLUE)))
    assert clip_key(job_of(load(f"# mine\n{BLUE}"))) == key
    assert clip_key(job_of(load(BLUE.replace("#F3F8FE", "#F5F9FF")))) == key  # of the other theme
    assert clip_key(job_of(load(BLUE.replace("#0B1A2B", "#0B1A2C")))) != key
    assert clip_key(job_of(load("font: fonts/jp.otf\n"))) != clip_key(job_of(load("")))


def test_a_font_replaces_the_text_face_where_it_has_the_letters_and_travels(home: Path):
    film = load("font: fonts/jp.otf\n")
    [font] = film.shots[0].shot.fonts
    assert font.replaces == ("regular", "semibold", "italic")
    sent = pickle.dumps(job_of(film))
    shutil.rmtree(home / "fonts")
    stills = draw_stills(pickle.loads(sent))
    plain = draw_stills(job_of(load("")))
    for drawn, ours in zip(stills.values(), plain.values(), strict=True):
        assert all(a.picture != b.picture for a, b in zip(drawn, ours, strict=True))
    with drawing_with((font,)):
        assert advance("Haus") != pytest.approx(advance_without_fonts("Haus"), rel=1e-3)
        assert advance("漢") == pytest.approx(scale_of(font), rel=0.01)
        lacks = next(c for c in "ўєѣ" if c not in read_letters(JAPANESE))
        assert advance(lacks) == advance_without_fonts(lacks)  # from the text face
        high = [float(np.ptp(outline(letter).points[:, 1])) for letter in "xH"]
    ours = [float(np.ptp(outline(letter).points[:, 1])) for letter in "xH"]
    assert np.prod(high) == pytest.approx(np.prod(ours), rel=0.02)  # as large as before


def advance_without_fonts(text: str) -> float:
    with drawing_with(()):
        return advance(text)


def read_letters(file: Path) -> set[str]:
    import uharfbuzz as hb

    return {chr(code) for code in hb.Face(hb.Blob(file.read_bytes())).unicodes}


def test_weights_have_files_of_their_own_and_gaps_are_still_filled(home: Path):
    shutil.copy(HEBREW, home / "fonts/he.ttf")
    text = "font: {regular: fonts/jp.otf, italic: fonts/he.ttf}\n"
    film = load(text, Wish(font=("fonts/he.ttf",)))
    found = [(font.name, font.replaces) for font in film.shots[0].shot.fonts]
    assert found == [
        ("jp.otf", ("regular", "semibold")),
        ("he.ttf", ("italic",)),
        ("he.ttf", ()),
    ]
    with drawing_with(film.shots[0].shot.fonts):
        assert advance("שלום")


@pytest.mark.parametrize("aspect", ["16:9", "9:16"])
def test_everything_can_still_be_read_in_another_font(aspect, home: Path):
    font = replace(read_font(JAPANESE), replaces=("regular", "semibold", "italic"))
    with drawing_with((font,)):
        assert problems_of(find_stage(SHOT), aspect=aspect) == []


def test_every_mistake_is_said_with_its_place():
    found = problems(
        "nam: x\n"
        "colors:\n"
        "  query: #0A6BA8\n"
        '  key: "#00f"\n'
        '  chalk: {ground: "#FFFFFF", qury: "#123456"}\n'
        '  paper: {query: "#0A6BA8", wrong: "#BBBBFF"}\n'
        "font: {semibold: fonts/jp.otf}\n"
        "version: 1.0\n"
    )
    for start, words in {
        "look.yaml:1:1: nam": "did you mean name?",
        "look.yaml:3:9: colors.query": "comment",
        "look.yaml:4:8: colors.key": '"#0000FF"',
        "look.yaml:5:19: colors.chalk.ground": "more because of this colour",
        "look.yaml:5:30: colors.chalk.qury": "did you mean query?",
        "look.yaml:6:18: colors.paper.query": "key",
        "look.yaml:6:36: colors.paper.wrong": "write wrong: ",
        "look.yaml:7:7: font.regular": "regular is missing",
        "look.yaml:8:10: version": "write version: 1",
    }.items():
        [one] = [line for line in found if line.startswith(f"{start}:")]
        assert words in one


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("/etc/font.ttf", "leads out"),
        ("../x.otf", "leads out"),
        ("fonts/../../x.otf", "leads out"),
        ("~/x.otf", "leads out"),
        ("fonts/link.otf", "a link"),
        ("fonts/gone.otf", "no such file"),
        ("fonts", "no font file"),
        ("fonts/broken.otf", "font"),
    ],
)
def test_a_font_comes_from_the_home_alone(name: str, words: str, home: Path):
    (home / "fonts/link.otf").symlink_to(JAPANESE)
    (home / "fonts/broken.otf").write_bytes(b"OTTO and nothing more")
    [problem] = problems(f"font: {name}\n")
    assert "look.yaml:1:7: font" in problem
    assert words in problem


def test_a_home_that_is_not_trusted_gives_colors_and_no_files(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    stranger = tmp_path / "stranger"
    (stranger / "storyboards").mkdir(parents=True)
    (stranger / "storyboards/s.yaml").write_text(FILM)
    (stranger / "look.yaml").write_text(BLUE)
    [film] = load_films([str(stranger / "storyboards/s.yaml")])
    assert film.look.colors.ground == "#0B1A2B"
    shutil.copy(JAPANESE, stranger / "jp.otf")
    (stranger / "look.yaml").write_text("font: jp.otf\n")
    with pytest.raises(StoryboardError, match="clockhead trust"):
        load_films([str(stranger / "storyboards/s.yaml")])


def test_pages_have_the_colors_and_the_font_of_the_look(run, home: Path, browser: Browser):
    (home / "look.yaml").write_text(BLUE + "font: fonts/jp.otf\nintro: {lines: [Hello]}\n")
    (home / "logo.svg").write_text(LOGO.format("#FF0000"))
    args = ("export", "f", "-ql", "--theme", "paper", "--to", "html,reveal,pptx,handout")
    code, _, err = run(*args, "--reduced-motion")
    assert code == 0, err
    folder = home / "media/f/480p15-paper/export"
    for page in ("html/index.html", "reveal/index.html"):
        text = (folder / page).read_text()
        assert "#F3F8FE" in text
        assert PAPER.ground not in text
        assert (folder / page).with_name("fonts").joinpath("own-400.otf").is_file()
        browser.open(folder / page)
        browser.wait("document.fonts.status == 'loaded'")
        style = "return getComputedStyle(document.querySelector('h1')).fontFamily"
        assert browser.run(style).startswith('"Clockhead own"')
        assert browser.run("return document.fonts.check('16px \"Clockhead own\"')")
        assert browser.console() == []
    theme = zipfile.ZipFile(folder / "f.pptx").read("ppt/theme/theme1.xml").decode()
    assert 'typeface="Noto Sans JP"' in theme
    assert "F3F8FE" in theme
    printed = output("pdftotext", folder / "f-handout.pdf", "-")
    assert "Hello" not in printed
    assert "NotoSansJP" in output("pdffonts", folder / "f-handout.pdf")


def test_a_font_that_may_not_be_embedded_stays_out_of_pages():
    font = replace(read_font(JAPANESE), replaces=("regular",))
    assert list(own_font_files([font])) == [400]
    data = bytearray(font.data)
    at = data.index(b"OS/2")
    start = int.from_bytes(data[at + 8 : at + 12], "big")
    data[start + 8 : start + 10] = b"\x00\x02"
    restricted = Font("r.otf", "1", bytes(data), ("regular",))
    assert own_font_files([restricted]) == {}
    assert own_font_files([read_font(HEBREW)]) == {}


def test_a_new_look_explains_itself_and_its_examples_work(run, tmp_path: Path, monkeypatch):
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    code, out, _ = run("new", "look")
    written = ["look.yaml", "look.schema.json", "storyboards/storyboard.schema.json"]
    assert (code, out.split()) == (0, written)
    look = Path("look.yaml")
    assert json.loads(Path("look.schema.json").read_text()) == look_schema()
    assert load_films(["rope"])[0].look.colors == CHALK
    switched_on = {"# name:", "# colors:", '#   accent: "#0B', "#   chalk:", "#   paper:"}
    lines = [
        line[1 if line.startswith("#  ") else 2 :] if any(map(line.startswith, switched_on))
        else line
        for line in look.read_text().splitlines()
    ]  # fmt: skip
    look.write_text("\n".join(lines))
    assert load_films(["rope"])[0].look.colors.accent == "#6FB7F2"
    code, _, err = run("new", "look")
    assert (code, "is there already" in err) == (2, True)
    assert run("schema", "--look")[1] == Path("look.schema.json").read_text()


LOGO = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20">'
    '<rect width="40" height="20" fill="{}"/></svg>'
)


def test_a_logo_is_in_the_corner_of_every_shot_and_in_its_key(home: Path):
    (home / "logo.svg").write_text(LOGO.format("#FF0000"))
    film = load("logo: logo.svg\n")
    assert film.look.own.logo("chalk") == film.look.own.logo("paper")
    job = pickle.loads(pickle.dumps(job_of(film)))
    (home / "logo.svg").write_text(LOGO.format("#00FF00"))
    [stills] = draw_stills(job).values()
    for still in stills:
        picture = np.asarray(Image.open(io.BytesIO(still.picture)).convert("RGB"))
        corner = picture[: picture.shape[0] // 8, -picture.shape[1] // 5 :].reshape(-1, 3)
        assert (corner == (255, 0, 0)).all(axis=1).mean() > 0.1
    green, plain = job_of(load("logo: logo.svg\n")), job_of(load(""))
    assert len({clip_key(job), clip_key(green), clip_key(plain)}) == 3
    for_paper = job_of(load("logo: {paper: logo.svg}\n"))
    assert clip_key(for_paper) == clip_key(plain)


def test_a_logo_is_named_in_the_manifest_and_has_to_be_seen(home: Path):
    (home / "logo.svg").write_text(LOGO.format("#1A2028"))
    [problem] = problems("logo: logo.svg\n")
    assert "look.yaml:1:7: logo" in problem
    assert "chalk: FILE" in problem
    paper = load("logo: logo.svg\n", Wish(theme="paper"))
    keys = ["0" * 64 for _ in paper.shots]
    logos = describe_recipe(paper, keys)["look"]["own"]["logos"]
    assert logos["paper"]["file"] == "logo.svg"
    assert problems("logo: {chalk: gone.svg, paper: logo.txt}\n") == [
        "look.yaml:1:15: logo.chalk: 'gone.svg': there is no such file",
        "look.yaml:1:32: logo.paper: 'logo.txt' is no picture: such a file ends in "
        ".png, .jpg, .jpeg, .svg",
    ]
    (home / "logo.svg").write_text(LOGO.format("#1A2028").replace("<rect", "<script/><rect"))
    assert "runs nothing" in problems("logo: logo.svg\n")[0]


CARDS = """\
name: Prof. Blau
intro: {lines: ["Machine learning", "{name}", "{credit}"], hold: 1}
end: {title: "Thank you for {title}", lines: ["$e^(i phi)$ and more"], picture: blue.png}
"""


def test_cards_stand_before_and_after_every_film(home: Path):
    Image.new("RGB", (400, 300), "#3366CC").save(home / "blue.png")
    film = load(CARDS)
    assert [(shot.id, shot.number, shot.stage) for shot in film.shots] == [
        ("intro", 0, "card.text"),
        ("sub_diagonal", 1, SHOT),
        ("end", 2, "card.text"),
    ]
    intro, shot, end = film.shots
    assert (intro.shot.title, intro.shot.hold) == ("T", 1)
    assert intro.script[1:] == (
        "Machine learning",
        "Prof. Blau",
        "Prof. Blau. After nobody",
    )
    assert end.shot.title == "Thank you for T"
    assert [picture.name for picture in end.shot.pictures] == ["blue.png"]
    assert shot.shot.after is not None
    assert shot.shot.after.stage == "card.text"
    assert [one.shot.is_last for one in film.shots] == [False, False, True]
    [only] = load_films(["f"], only=["sub_diagonal"])
    assert [one.id for one in only.shots] == ["sub_diagonal"]
    [only] = load_films(["f"], only=["end"])
    assert [one.id for one in only.shots] == ["end"]
    assert len(load(CARDS, Wish(look_file="")).shots) == 1
    german = load(CARDS, Wish(language="de"), film="rope")
    assert (german.shots[0].id, german.warnings) == ("intro", ())


def test_a_storyboard_in_the_manifest_gets_its_cards_from_the_look_again(home: Path):
    Image.new("RGB", (400, 300), "#3366CC").save(home / "blue.png")
    film = load(CARDS)
    recipe = describe_recipe(film, ["0" * 64 for _ in film.shots])
    assert [shot["id"] for shot in recipe["shots"]] == ["intro", "sub_diagonal", "end"]
    again = home / "storyboards/again.yaml"
    again.write_text(json.dumps(recipe["storyboard"]))
    [second] = load_films(["again"])
    assert [clip_key(ClipJob(s.stage, s.shot, film.look)) for s in second.shots] == [
        clip_key(ClipJob(s.stage, s.shot, film.look)) for s in film.shots
    ]


def test_the_studio_shows_the_shots_of_the_storyboard_alone(home: Path):
    Image.new("RGB", (400, 300), "#3366CC").save(home / "blue.png")
    Path("look.yaml").write_text(CARDS)
    file = Path("storyboards/f.yaml")
    reading = read_film(file, file.read_bytes())
    assert reading.problems == ()
    assert reading.film is not None
    assert [shot.id for shot in reading.film.shots] == ["sub_diagonal"]


def test_a_shot_of_the_film_keeps_its_name():
    film = FILM + f"- {{stage: {SHOT}, id: intro}}\n"
    Path("storyboards/g.yaml").write_text(film)
    found = load("intro: {lines: [Hello]}\n", film="g")
    assert [shot.id for shot in found.shots] == ["intro_card", "sub_diagonal", "intro"]


@pytest.mark.parametrize(
    ("text", "start", "words"),
    [
        ("intro: {line: [a]}", "1:9: intro.line", "did you mean lines?"),
        ('intro: {lines: ["{nam}"]}', "1:17: intro.lines[0]", "did you mean {name}?"),
        ('end: {lines: ["a", "$x"]}', "1:20: end.lines[1]", "not closed"),
        ('end: {title: "$kez(x)$"}', "1:14: end.title", "kez"),
        ("intro: {}", "1:8: intro", "nothing is left"),
        (f"end: {{lines: [{'x' * 130}]}}", "1:15: end.lines[0]", "1 to 120"),
        ("end: {lines: [a], picture: gone.png}", "1:28: end.picture", "no such file"),
        ("end: {lines: [a], hold: 100}", "1:25: end.hold", "0 to 60"),
        ("intro: {lines: [a, b, c, d, e, f, g]}", "1:16: intro.lines", "7 things"),
    ],
)
def test_mistakes_in_cards_are_said_at_their_place(text: str, start: str, words: str):
    found = problems(f"{text}\n")
    assert any(line.startswith(f"look.yaml:{start}:") and words in line for line in found), found


def test_the_studio_draws_again_when_the_look_is_saved(home: Path):
    looked = asyncio.Event()
    session = SimpleNamespace(file=home / "storyboards/f.yaml", look=looked.set)

    async def save_a_look() -> None:
        following = asyncio.create_task(follow_look(cast("Session", session)))
        while not looked.is_set():  # the folder is followed a moment after it begins
            await asyncio.sleep(0.2)
            (home / "other.txt").write_text("nothing")
            (home / "look.yaml").write_text(BLUE)
        following.cancel()

    asyncio.run(asyncio.wait_for(save_a_look(), 20))
    [film] = load_films(["f"])
    assert film.look.colors.ground == "#0B1A2B"
