"""Films with a voice: every sentence is spoken once, normalized, when it is shown."""

import io
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest

from clockhead.clips.sealed import speech_in
from clockhead.commands.check import check
from clockhead.commands.options import parse_voice
from clockhead.look import FilmLook, Wish
from clockhead.production.join import join, voice_samples
from clockhead.production.manifest import describe_recipe
from clockhead.production.timeline import Chapter
from clockhead.release import install_command
from clockhead.scenes.stage import LEAD, CaptionLine
from clockhead.storyboard.films import load_films
from clockhead.storyboard.problems import StoryboardError
from clockhead.voice import speakers, speech
from clockhead.voice.speakers import Speaker, VoiceError, open_speaker
from clockhead.voice.speech import ShotSpeech, speak
from tests.pipeline import fake_stages
from tests.pipeline.footage import FPS, clip

RATE = 24000
HEAD = "version: 1\ntitle: T\nvoice: true\nshots:\n- stage: fake.grid\n"


class Humming(Speaker):
    """A tenth of a second of a note for each letter; longer words are louder."""

    id, language, rate = "hum", "en", RATE

    def __init__(self):
        self.asked = []

    def say(self, words, speed):
        self.asked.append(words)
        length = round(RATE * len(words) / 10 / speed)
        tone = 0.001 * len(words) * np.sin(np.arange(length) * 0.2)
        return np.pad(tone, RATE // 2).astype(np.float32)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    fake_stages.install(monkeypatch, tmp_path)
    return tmp_path


@pytest.fixture
def humming(monkeypatch):
    pytest.importorskip("pyloudnorm")
    speaker = Humming()
    monkeypatch.setattr(speech, "open_speaker", lambda _: speaker)
    return speaker


def load(here, text=HEAD, **options):
    (here / "f.yaml").write_text(text)
    [film] = load_films(["f.yaml"], **options)
    return film


class TestSpeaking:
    def test_each_sentence_is_spoken_once(self, here, humming):
        store, news = speech_in(here), []
        film, [sounds] = speak(load(here), store, news.append)
        said = ["Where does the query look?", "Token 1 gets 90.0 percent."]
        assert humming.asked == said
        again, [same] = speak(load(here), store, news.append)
        assert humming.asked == said
        assert news == ["f: speaking"]
        assert film.shots[0].shot.spoken == again.shots[0].shot.spoken
        for text, sound in sounds.sounds.items():
            np.testing.assert_array_equal(sound, same.sounds[text])

    def test_the_shot_knows_how_long_each_is_without_the_silence_around_it(self, here, humming):
        film, _ = speak(load(here), speech_in(here), print)
        seconds = film.shots[0].shot.spoken.seconds
        assert seconds == pytest.approx([2.6 + 0.06, 2.6 + 0.06], abs=0.02)

    def test_a_slow_film_is_spoken_slowly_and_a_quick_one_as_usual(self, here, humming):
        lengths = {}
        for pace in (0.5, 1.0, 2.0):
            film = load(here, wish=Wish(pace=pace))
            spoken, _ = speak(film, speech_in(here), print)
            lengths[pace] = sum(spoken.shots[0].shot.spoken.seconds)
        assert lengths[0.5] == pytest.approx(2 * lengths[1.0], rel=0.03)
        assert lengths[2.0] == lengths[1.0]

    def test_the_spoken_sentence_may_differ_from_the_one_on_screen(self, here, humming):
        text = HEAD + "  say: {caption: 'It gets {mass:.0%}, $x^2$', question: 'Where?'}\n"
        film, [sounds] = speak(load(here, text), speech_in(here), print)
        assert humming.asked == ["Where?", "It gets 90 percent, X squared"]
        assert list(sounds.sounds) == ["Where does the query look?", "Token 1 gets 90.0%."]
        assert film.shots[0].shot.caption == "Token 1 gets 90.0%."

    def test_a_silent_film_is_left_alone(self, here):
        film = load(here, HEAD, wish=Wish(voice=False))
        assert speak(film, speech_in(here), print) == (film, [])

    def test_the_voice_must_have_the_language_of_the_film(self, here, humming):
        humming.language = "de"
        with pytest.raises(VoiceError, match="speaks de and the film en; give a Piper voice"):
            speak(load(here), speech_in(here), print)

    def test_it_is_refused_before_the_voice_is_opened(self, here, monkeypatch):
        monkeypatch.setattr(speech, "open_speaker", lambda _: pytest.fail("opened"))
        film = load(here)
        for voice, language, why in (
            (True, "en", ""),
            (False, "de", ""),
            (True, "de", "this voice speaks en and the film de; give a Piper voice"),
            ("no.onnx", "de", "there is no file no.onnx"),
        ):
            found = speech.refusal(replace(film, look=FilmLook(language=language, voice=voice)))
            assert found.startswith(why)
            assert bool(found) == bool(why)

    def test_another_voice_makes_another_clip(self, here, humming):
        film, _ = speak(load(here), speech_in(here), print)
        shot = film.shots[0].shot
        other = replace(shot, spoken=replace(shot.spoken, voice="another"))
        mute = replace(shot, spoken=None)
        keys = {describe(s) for s in (shot, other, mute)}
        assert len(keys) == 3


def describe(shot):
    from clockhead.clips.fingerprint import shot_data

    return repr(shot_data("fake.grid", shot))


class TestWhatIsWrong:
    def test_without_the_packages_the_error_says_how_to_install_them(self, monkeypatch):
        monkeypatch.setattr(speakers, "_is_installed", lambda _: False)
        with pytest.raises(VoiceError) as error:
            open_speaker(True)
        assert "hibari-tts and pyloudnorm" in str(error.value)
        assert install_command("voice") in str(error.value)

    def test_a_piper_voice_is_two_files(self, tmp_path):
        (tmp_path / "v.onnx").write_bytes(b"")
        with pytest.raises(VoiceError, match=r"there is no file .*v\.onnx\.json; a Piper voice is"):
            open_speaker(str(tmp_path / "v.onnx"))

    @pytest.mark.parametrize(
        ("line", "said"),
        [
            ("  say: {1: Hm}", "there is no sentence '1'"),
            ("  say: {captoin: Hm}", "there is no sentence 'captoin'; did you mean caption?"),
            ("  say: {caption: 'so {mas}'}", "there is no fact {mas}; did you mean {mass}?"),
        ],
    )
    def test_an_unspeakable_film_is_refused_before_rendering(self, here, line, said):
        with pytest.raises(StoryboardError) as error:
            load(here, HEAD + line)
        [problem] = str(error.value).splitlines()
        assert problem.startswith("f.yaml:6:")
        assert said in problem

    def test_a_voice_is_true_or_a_file_for_piper(self, here):
        with pytest.raises(
            StoryboardError, match=r"f\.yaml:3:8: voice: .*heart.* is no voice; true"
        ):
            load(here, HEAD.replace("true", "heart"))


class TestTheLook:
    def test_a_film_that_speaks_has_a_folder_of_its_own(self, here):
        assert load(here).look.folder == "720p30-voice"
        assert load(here, wish=Wish(voice=False)).look.folder == "720p30"
        assert FilmLook(voice="x/de_DE-thor sten.onnx").folder == "720p30-voice-de_DE-thor_sten"

    def test_a_relative_voice_is_beside_the_storyboard(self, here):
        (here / "b").mkdir()
        (here / "b/f.yaml").write_text(HEAD.replace("true", "v.onnx"))
        [film] = load_films(["b/f.yaml"])
        assert Path(film.look.voice) == Path("b/v.onnx")

    def test_the_manifest_has_a_storyboard_with_the_same_speech(self, here):
        text = HEAD.replace("true", "v.onnx") + "  say: {caption: 'It gets {mass:.0%}.'}\n"
        found = describe_recipe(load(here, text), ["k"])
        assert found["look"]["voice"] == found["storyboard"]["voice"] == "v.onnx"
        assert found["storyboard"]["shots"][0]["say"] == {"caption": "It gets 90%."}
        assert found["shots"][0]["plain"]["caption"] == "Token 1 gets 90.0%."

    @pytest.mark.parametrize(
        ("args", "voice", "films"),
        [
            (["--voice", "a", "b"], True, ("a", "b")),
            (["a", "--voice"], True, ("a",)),
            (["--voice", "-ql", "a"], True, ("a",)),
            (["--voice", "v.onnx", "a"], "v.onnx", ("a",)),
            (["--voice=v.onnx", "a"], "v.onnx", ("a",)),
            (["--voice", "--no-voice", "a"], False, ("a",)),
            (["a"], None, ("a",)),
        ],
    )
    def test_the_option_does_not_take_a_film_for_a_voice(self, args, voice, films):
        found = {}
        bare = check.callback
        check.callback = lambda **options: found.update(options)
        try:
            context = check.make_context("check", list(args))
        finally:
            check.callback = bare
        assert context.params["films"] == films
        assert parse_voice(context.params["voice"], context.params["silent"]) == voice


def tone(seconds, pitch):
    return (8000 * np.sin(np.arange(round(seconds * RATE)) * pitch)).astype(np.int16)


QUESTION = ShotSpeech(
    RATE, "Why?", {"Why?": tone(0.5, 0.3), "One.": tone(0.7, 0.1), "Two.": tone(1, 0.2)}
)
LINES = (CaptionLine("One.", 30), CaptionLine("Two.", 75))


@pytest.fixture(scope="module")
def spoken_film(tmp_path_factory):
    """Three chapters with odd numbers of frames and the same sentences."""
    chapters = [
        Chapter(f"{n}", replace(clip(n, 127, lines=LINES), opened=2 * n), QUESTION)
        for n in range(3)
    ]
    path = tmp_path_factory.mktemp("spoken") / "film.mp4"
    join(chapters, FPS, path, {"title": "T"})
    return path, chapters


def listen(path):
    """Its samples at the times at which a player plays them."""
    with av.open(str(path)) as film:
        stream = film.streams.audio[0]
        assert (stream.rate, stream.codec_context.name) == (RATE, "aac")
        samples = np.zeros(round(127 * 3 / FPS * RATE) + 4096)
        for frame in film.decode(stream):
            start = round(frame.pts * stream.time_base * RATE)
            samples[start : start + frame.samples] = frame.to_ndarray()[0]
        return samples


class TestTheFilm:
    def test_every_sentence_sounds_when_it_is_shown_with_silence_between(self, spoken_film):
        samples = np.abs(listen(spoken_film[0]))
        for n in range(3):
            for frame, seconds in ((2 * n, 0.5), (30, 0.7), (75, 1.0)):
                start = (127 * n + frame) / FPS + LEAD
                at = [round(RATE * (start + offset)) for offset in (0.03, seconds - 0.03)]
                assert samples[at[0] : at[1]].max() > 0.2
                edges = (
                    [start - 0.05, start - 0.03],
                    [start + seconds + 0.05, start + seconds + 0.1],
                )
                for begin, end in edges:
                    assert samples[round(RATE * begin) : round(RATE * end)].max() < 0.01

    def test_sound_and_pictures_are_as_long_as_each_other(self, spoken_film):
        with av.open(str(spoken_film[0])) as film:
            ends = [
                float(s.duration * s.time_base) for s in (*film.streams.video, *film.streams.audio)
            ]
            assert film.streams.audio[0].metadata["language"] == "eng"
        assert ends == pytest.approx([127 * 3 / FPS] * 2, abs=0.05)

    def test_the_pictures_are_the_same_without_sound(self, spoken_film, tmp_path):
        path, chapters = spoken_film
        join([replace(c, speech=None) for c in chapters], FPS, tmp_path / "mute.mp4", {})
        assert _pictures(tmp_path / "mute.mp4") == _pictures(path)

    def test_a_sentence_that_does_not_fit_is_an_error(self):
        short = clip(0, 20, lines=(CaptionLine("Two.", 0),))
        with pytest.raises(ValueError, match="broadcast"):
            voice_samples(short, QUESTION, FPS, 20 * RATE // FPS)


def _pictures(path):
    with av.open(io.BytesIO(path.read_bytes())) as film:
        return [bytes(packet) for packet in film.demux(video=0)]


class TestRealVoices:
    TEXTS = [
        "Zeros: no hand ever touches the numbers of another.",
        "Two.",
        "Greedy decoding takes the largest, always mat.",
    ]

    def test_the_built_in_voice_is_normalized_and_always_the_same(self):
        pytest.importorskip("hibari")
        self.examine(open_speaker(True))

    def test_a_piper_voice_is_normalized_and_always_the_same(self, tmp_path):
        pytest.importorskip("piper")
        pytest.importorskip("onnx")
        from tests.pipeline.humming_voice import make

        make(tmp_path / "hum.onnx", "en-us")
        speaker = open_speaker(str(tmp_path / "hum.onnx"))
        assert (speaker.language, speaker.rate) == ("en", 22050)
        self.examine(speaker)

    def examine(self, speaker):
        pytest.importorskip("pyloudnorm")
        from clockhead.voice.speakers import PEAK, TARGET, loudness, normalize

        for text in self.TEXTS:
            once, again, slow = (speaker.say(text, speed) for speed in (1.0, 1.0, 0.5))
            np.testing.assert_array_equal(once, again)
            assert 1.6 < len(slow) / len(once) < 2.4
            even = normalize(once, speaker.rate)
            assert loudness(even, speaker.rate) == pytest.approx(TARGET, abs=0.1)
            assert np.abs(even).max() <= PEAK + 1e-6
            assert np.abs(even[: round(0.1 * speaker.rate)]).max() > 0.001, "no silence before it"
