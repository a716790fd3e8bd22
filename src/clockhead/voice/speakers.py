"""Voices that speak on this machine, without a network: the one that comes, or one of the user's.

What they are made of is installed only where films speak; without it, `open_speaker` says how to.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clockhead.look import Voice
from clockhead.release import install_command
from clockhead.scenes.language import DEFAULT_LANGUAGE

Samples = NDArray[np.float32]
"""One channel of sound, (n,), from -1 to 1."""


class VoiceError(Exception):
    """A film cannot be spoken."""


class Speaker(ABC):
    """A voice."""

    id: str
    """Tells it from every other voice, and from its other versions."""
    language: str
    """The code of the language that it speaks, such as `en`."""
    rate: int
    """Samples in a second."""

    @abstractmethod
    def say(self, words: str, speed: float) -> Samples:
        """Some words, the same each time; slower where `speed` is below 1.

        Raises:
            VoiceError: when there is nothing to be heard.
        """


def open_speaker(voice: Voice) -> Speaker:
    """The voice that a film asks for, ready to speak.

    Raises:
        VoiceError: when it, or what it needs, is not here; with the command that installs it.
    """
    return _HibariSpeaker() if voice is True else _PiperSpeaker(*piper_files(Path(str(voice))))


class _HibariSpeaker(Speaker):
    """The English voice that comes in the package hibari-tts."""

    language = DEFAULT_LANGUAGE

    def __init__(self) -> None:
        _need("voice", "the voice", "hibari-tts", "pyloudnorm")
        from hibari import SAMPLE_RATE, Hibari

        self._speech = Hibari()
        self.rate = int(SAMPLE_RATE)
        self.id = f"hibari-tts {version('hibari-tts')}"

    def say(self, words: str, speed: float) -> Samples:
        return _heard(self._speech(words, speed=speed, seed=0), words)


class _PiperSpeaker(Speaker):
    """A voice for Piper: a file FILE.onnx, and FILE.onnx.json beside it that describes it."""

    def __init__(self, file: Path, config: Path) -> None:
        _need("piper", "a Piper voice", "piper-tts", "pyloudnorm")
        from piper import PiperVoice

        try:
            self._speech = PiperVoice.load(file, config_path=config)
        except Exception as error:
            raise VoiceError(f"{file} is no Piper voice that can be loaded: {error}") from error
        self.rate = int(self._speech.config.sample_rate)
        self.language = str(self._speech.config.espeak_voice or "en").split("-")[0]
        content = hashlib.sha256(file.read_bytes() + config.read_bytes()).hexdigest()
        self.id = f"{file.name} {content[:16]}, piper-tts {version('piper-tts')}"

    def say(self, words: str, speed: float) -> Samples:
        from piper import SynthesisConfig

        own = self._speech.config
        # Without noise, the same words always take as long.
        settings = SynthesisConfig(
            length_scale=own.length_scale / speed, noise_scale=0.0, noise_w_scale=0.0
        )
        spoken = [chunk.audio_float_array for chunk in self._speech.synthesize(words, settings)]
        return _heard(np.concatenate(spoken) if spoken else np.zeros(0), words)


def piper_files(file: Path) -> tuple[Path, Path]:
    """The two files of a Piper voice: what speaks, and what describes it.

    Raises:
        VoiceError: when one of them is not there.
    """
    config = file.with_name(f"{file.name}.json")
    for needed in (file, config):
        if not needed.is_file():
            raise VoiceError(
                f"there is no file {needed}; a Piper voice is two files, "
                f"NAME.onnx and NAME.onnx.json beside it"
            )
    return file, config


def _need(extra: str, what: str, *packages: str) -> None:
    """Say how to install what is missing."""
    missing = [package for package in packages if not _is_installed(package)]
    if missing:
        raise VoiceError(
            f"{what} needs {' and '.join(missing)}; install it with: {install_command(extra)}"
        )


@cache
def _is_installed(package: str) -> bool:
    try:
        return bool(version(package))
    except PackageNotFoundError:
        return False


def _heard(spoken: Any, words: str) -> Samples:
    samples = np.asarray(spoken, np.float32)
    if not np.abs(samples).max(initial=0.0) > 0:
        raise VoiceError(f"the voice says nothing for “{words}”; give it other words with `say:`")
    return samples
