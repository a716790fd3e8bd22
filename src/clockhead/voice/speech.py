"""Speaks the sentences of a film before it is drawn, so that its pictures last long enough."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from clockhead.clips.sealed import SealedStore
from clockhead.scenes.language import DEFAULT_LANGUAGE
from clockhead.scenes.stage.contract import Spoken
from clockhead.storyboard.films import Film
from clockhead.voice.speakers import (
    TARGET,
    VoiceError,
    normalize,
    open_speaker,
    piper_files,
)
from clockhead.voice.words import spoken_form

Sound = NDArray[np.int16]
"""A spoken sentence, (n,), normalized."""
_MAX_SAMPLE = 32767
"""Of 16 bits."""


@dataclass(frozen=True)
class ShotSpeech:
    """The sound of a shot: its sentences and its title's question."""

    rate: int
    """Samples per second."""
    question: str
    sounds: Mapping[str, Sound]
    """By the sentence on screen, which may be worded differently."""


def speak(
    film: Film, store: SealedStore, say: Callable[[str], None]
) -> tuple[Film, list[ShotSpeech]]:
    """Speak a film: return it with shots that last as long as their sentences, and their sounds.

    A film without a voice is returned unchanged, with no sounds.

    Raises:
        VoiceError: if the voice is missing, or cannot speak the film.
    """
    if not film.look.voice:
        return film, []
    speaker = open_speaker(film.look.voice)
    _check_language(speaker.language, film)
    speed = min(film.look.pace, 1.0)
    voice = f"{speaker.id}, {speed:g}"
    is_announced = False

    def sound_of(text: str) -> Sound:
        nonlocal is_announced
        if not text:  # a title without a question
            return np.zeros(0, np.int16)
        words = spoken_form(text, speaker.language)
        key = hashlib.sha256(json.dumps([voice, TARGET, words]).encode()).hexdigest()
        stored = store.read(key)
        if stored is not None:
            return np.frombuffer(stored[1], np.int16)
        if not is_announced:
            say(f"{film.name}: speaking")
            is_announced = True
        samples = normalize(speaker.say(words, speed), speaker.rate)
        sound = np.round(samples * _MAX_SAMPLE).astype(np.int16)
        store.write(key, {}, sound.tobytes())
        return sound

    shots, speech = [], []
    for shot in film.shots:
        sounds = [sound_of(text) for text in shot.script]
        seconds = tuple(round(len(sound) / speaker.rate, 3) for sound in sounds)
        shots.append(replace(shot, shot=replace(shot.shot, spoken=Spoken(voice, seconds))))
        texts = (shot.shot.question, *shot.shot.sentences, shot.shot.caption)
        by_text = dict(zip(texts, sounds, strict=True))
        speech.append(ShotSpeech(speaker.rate, shot.shot.question, by_text))
    store.prune()
    return replace(film, shots=tuple(shots)), speech


def refusal(film: Film) -> str:
    """Why a film cannot be spoken, as far as this is known without its voice; empty if it can."""
    voice = film.look.voice
    try:
        if voice is True:
            _check_language(DEFAULT_LANGUAGE, film)
        elif voice:
            piper_files(Path(voice))
    except VoiceError as error:
        return str(error)
    return ""


def _check_language(language: str, film: Film) -> None:
    if language != film.look.language:
        raise VoiceError(
            f"this voice speaks {language} and the film {film.look.language}; give a Piper voice "
            f"of that language, --voice FILE.onnx, or none, --no-voice"
        )
