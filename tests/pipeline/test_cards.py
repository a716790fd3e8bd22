"""Cards in storyboards: their texts are checked, their pictures come from the home, they render."""

import io
import json
import pickle
import shutil
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image

from clockhead.clips.clip import ClipJob
from clockhead.clips.fingerprint import clip_key
from clockhead.clips.stills import Paper, draw_stills
from clockhead.libraries import PROJECT
from clockhead.look import QUALITIES, Wish
from clockhead.storyboard.films import Film, load_films
from clockhead.storyboard.problems import StoryboardError
from clockhead.trust import trust_in_process

HEAD = "version: 1\ntitle: Talk\nshots:\n"
CARD = """\
- stage: card.text
  id: questions
  title: Two questions
  inputs:
    lines:
      - "Where is $query(q_m)^top key(k_n)$ largest?"
      - "Why {braces} and 5 \\\\$ stay as they are."
    picture: pictures/blue.png
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A trusted home with a picture, in which the user is."""
    monkeypatch.setenv(PROJECT, "")
    folder = tmp_path / "home"
    (folder / "storyboards").mkdir(parents=True)
    (folder / "pictures").mkdir()
    Image.new("RGB", (400, 300), "#3366CC").save(folder / "pictures/blue.png")
    monkeypatch.chdir(folder)
    monkeypatch.delenv(PROJECT)
    trust_in_process(folder)
    return folder


def load(text: str, wish: Wish = Wish(QUALITIES["l"]), **options) -> Film:  # noqa: B008
    Path("storyboards/talk.yaml").write_text(HEAD + text, encoding="utf-8")
    [film] = load_films(["talk"], wish=wish, **options)
    return film


def problems(text: str, **options) -> list[str]:
    with pytest.raises(StoryboardError) as error:
        load(text, **options)
    return [str(problem) for problem in error.value.problems]


def job_of(film: Film) -> ClipJob:
    shot = film.shots[0]
    return ClipJob(shot.stage, shot.shot, film.look)


def test_a_card_says_its_lines_and_travels_with_its_picture(home: Path):
    film = load(CARD)
    [shot] = film.shots
    assert shot.script == (
        "",
        "Where is $query(q_m)^top key(k_n)$ largest?",
        "Why {braces} and 5 \\$ stay as they are.",
    )
    sent = pickle.dumps(job_of(film))
    shutil.rmtree(home / "pictures")
    papers = (Paper(), Paper("svg"), Paper("pdf"))
    drawn = draw_stills(pickle.loads(sent), papers=papers)
    assert [still.beat for still in drawn[papers[0]]] == ["line 1", "last"]
    for still in drawn[papers[0]]:
        pixels = np.asarray(Image.open(io.BytesIO(still.picture)).convert("RGB"))
        assert (pixels == (0x33, 0x66, 0xCC)).all(axis=2).mean() > 0.1


def test_another_picture_and_another_line_render_anew(home: Path):
    key = clip_key(job_of(load(CARD)))
    assert clip_key(job_of(load(CARD.replace("Two questions", "Two  questions")))) == key
    assert clip_key(job_of(load(CARD.replace("stay as", "remain as")))) != key
    (home / "pictures/blue.png").rename(home / "pictures/other.png")
    assert clip_key(job_of(load(CARD.replace("blue.png", "other.png")))) != key  # another input
    Image.new("RGB", (400, 300), "#CC6633").save(home / "pictures/blue.png")
    assert clip_key(job_of(load(CARD))) != key


def test_a_film_with_cards_is_rendered_with_chapters_and_subtitles(run, home: Path):
    film = CARD + "- stage: previous_token.sub_diagonal\n" + CARD.replace("questions", "again")
    Path("storyboards/talk.yaml").write_text(HEAD + film)
    code, _, err = run("render", "talk", "-ql", "--shot", "questions,sub_diagonal")
    assert code == 0, err
    code, _, err = run("render", "talk", "-ql")
    assert code == 0, err
    folder = home / "media/talk/480p15"
    with av.open(folder / "talk.mp4") as video:
        titles = [chapter["metadata"]["title"] for chapter in video.chapters()]
        pixels = next(video.decode(video=0)).to_ndarray(format="rgb24")
    assert [title for title in titles if "Two" in title]
    blue = np.abs(pixels.astype(int) - (0x33, 0x66, 0xCC)).max(axis=2) < 12
    assert blue.mean() > 0.1  # from the first frame on
    captions = (folder / "talk.vtt").read_text()
    assert "stay as they are." in captions
    manifest = json.loads((folder / "talk.json").read_text())
    assert manifest["shots"][0]["inputs"]["picture"] == "pictures/blue.png"
    assert manifest["shots"][0]["pictures"]["blue.png"]


@pytest.mark.parametrize(
    ("old", "new", "place", "words"),
    [
        ("key(k_n)$", "key(k_n)", "9:9", "not closed"),
        ("key(k_n)$", "kez(k_n)$", "9:9", "kez"),
        ("Why", "**Why**", "10:9", "one face"),
        ("Why", "漢字", "10:9", "font"),
        ("blue.png", "red.png", "11:14", "no such file"),
        ("pictures/blue.png", "/etc/blue.png", "11:14", "leads out"),
        ("pictures/blue.png", "../blue.png", "11:14", "leads out"),
        ("pictures/blue.png", "pictures/link.png", "11:14", "leads out"),
        ("blue.png", "broken.png", "11:14", "PNG, JPEG or SVG"),
        ("blue.png", "blue.gif", "11:14", ".png, .jpg or .svg"),
        ('"Why', '"' + 130 * "x" + "Why", "10:9", "1 to 120"),
        ("lines:", "line:", "8:5", "lines"),
    ],
)
def test_mistakes_are_said_at_their_lines(old, new, place, words, home: Path, tmp_path: Path):
    Image.new("RGB", (4, 4)).save(tmp_path / "outside.png")
    (home / "pictures/link.png").symlink_to(tmp_path / "outside.png")
    (home / "pictures/broken.png").write_bytes(b"nothing")
    found = problems(CARD.replace(old, new))
    assert any(f"talk.yaml:{place}:" in line and words in line for line in found), found


def test_words_that_do_not_fit_are_refused_before_anything_is_drawn():
    long = "\n".join(f'      - "{"W" * 30} {"m" * 85}"' for _ in range(6))
    card = f"- stage: card.text\n  inputs:\n    lines:\n{long}\n"
    [problem] = problems(card, wish=Wish(QUALITIES["l"], aspect="1:1"))
    assert "fewer or shorter lines" in problem


def test_a_strangers_storyboard_reads_no_picture(home: Path, tmp_path: Path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    alone, stranger = tmp_path / "alone.yaml", tmp_path / "stranger"
    alone.write_text(HEAD + CARD)
    (stranger / "storyboards").mkdir(parents=True)
    shutil.copytree(home / "pictures", stranger / "pictures")
    (stranger / "storyboards/s.yaml").write_text(HEAD + CARD)
    for file, words in ((alone, "in no such folder"), (stranger / "storyboards/s.yaml", "trust")):
        with pytest.raises(StoryboardError, match=words):
            load_films([str(file)])
        monkeypatch.setenv(PROJECT, str(home))


def test_the_voice_reads_lines_and_other_words_in_their_place():
    film = load(CARD + '  say: {1: "Where is it largest?", caption: "The rest stays."}\n')
    [shot] = film.shots
    assert shot.script == ("", "Where is it largest?", "The rest stays.")
    mine = load(CARD + "  caption: Talk to your neighbour.\n")
    assert mine.shots[0].shot.caption == "Talk to your neighbour."


def test_a_card_is_german_in_a_german_film(home: Path):
    film = load(CARD, wish=replace(Wish(QUALITIES["l"]), language="de"))
    assert film.warnings == ()
    untitled = load("- stage: card.text\n", wish=replace(Wish(QUALITIES["l"]), language="de"))
    assert untitled.shots[0].shot.title == "Mit eigenen Worten"
