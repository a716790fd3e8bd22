"""Text to speech without a network: the built-in voice or a Piper voice, and their loudness.

The packages are optional; `open_speaker` says how to install what is missing.
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
TARGET = -18.0
"""Loudness in LUFS, as AES TD1008 recommends for speech."""
PEAK = 10 ** (-1 / 20)
"""Largest sample: one decibel below full scale."""
_ROUNDS = 4
"""Limiting peaks lowers the loudness a little, so the gain is computed again."""
_FADE = 0.005
"""Seconds before and after a peak in which it is turned down."""
_BLOCK = 0.4
"""Shortest sound that can be measured, in seconds."""
_SILENCE = 10 ** (-50 / 20)
"""Relative to the loudest sample, the level below which a beginning or an end is silence."""
_EDGE = 0.03
"""Seconds of that silence to keep."""


class VoiceError(Exception):
    """A film cannot be spoken."""


class Speaker(ABC):
    """A voice."""

    id: str
    """Name and version, for the keys of spoken sentences."""
    language: str
    """Code of its language, such as `en`."""
    rate: int
    """Samples per second."""

    @abstractmethod
    def say(self, words: str, speed: float) -> Samples:
        """Speak some words, always in the same way; slower if `speed` is below 1.

        Raises:
            VoiceError: if the result is silent.
        """


def open_speaker(voice: Voice) -> Speaker:
    """Load the voice of a film.

    Raises:
        VoiceError: if it or a package is missing; the message has the command that installs it.
    """
    return _HibariSpeaker() if voice is True else _PiperSpeaker(*piper_files(Path(str(voice))))


class _HibariSpeaker(Speaker):
    """The English voice of the package hibari-tts."""

    language = DEFAULT_LANGUAGE

    def __init__(self) -> None:
        _require("voice", "the voice", "hibari-tts", "pyloudnorm")
        from hibari import SAMPLE_RATE, Hibari

        self._speech = Hibari()
        self.rate = int(SAMPLE_RATE)
        self.id = f"hibari-tts {version('hibari-tts')}"

    def say(self, words: str, speed: float) -> Samples:
        return _check_audible(self._speech(words, speed=speed, seed=0), words)


class _PiperSpeaker(Speaker):
    """A Piper voice: FILE.onnx, and its description FILE.onnx.json."""

    def __init__(self, file: Path, config: Path) -> None:
        _require("piper", "a Piper voice", "piper-tts", "pyloudnorm")
        from piper import PiperVoice

        try:
            self._speech = PiperVoice.load(file, config_path=config)
        except Exception as error:
            raise VoiceError(f"{file} cannot be loaded as a Piper voice: {error}") from error
        self.rate = int(self._speech.config.sample_rate)
        self.language = str(self._speech.config.espeak_voice or "en").split("-")[0]
        content = hashlib.sha256(file.read_bytes() + config.read_bytes()).hexdigest()
        self.id = f"{file.name} {content[:16]}, piper-tts {version('piper-tts')}"

    def say(self, words: str, speed: float) -> Samples:
        from piper import SynthesisConfig

        own = self._speech.config
        # Without noise, the same words always take the same time.
        settings = SynthesisConfig(
            length_scale=own.length_scale / speed, noise_scale=0.0, noise_w_scale=0.0
        )
        spoken = [chunk.audio_float_array for chunk in self._speech.synthesize(words, settings)]
        return _check_audible(np.concatenate(spoken) if spoken else np.zeros(0), words)


def piper_files(file: Path) -> tuple[Path, Path]:
    """The two files of a Piper voice: the model and its description.

    Raises:
        VoiceError: if one of them is missing.
    """
    config = file.with_name(f"{file.name}.json")
    for needed in (file, config):
        if not needed.is_file():
            raise VoiceError(
                f"there is no file {needed}; a Piper voice is two files, "
                f"NAME.onnx and NAME.onnx.json beside it"
            )
    return file, config


def _require(extra: str, what: str, *packages: str) -> None:
    """Raise an error that says how to install the packages that are missing."""
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


def _check_audible(spoken: Any, words: str) -> Samples:
    """The sound of some words; an error if it is silent."""
    samples = np.asarray(spoken, np.float32)
    if not np.abs(samples).max(initial=0.0) > 0:
        raise VoiceError(f"the voice says nothing for “{words}”; give it other words with `say:`")
    return samples


def loudness(samples: Samples, rate: int) -> float:
    """Integrated loudness in LUFS (ITU-R BS.1770); short sounds are padded with silence."""
    from pyloudnorm import Meter

    missing = max(0, int(np.ceil(_BLOCK * rate)) + 1 - len(samples))
    return float(Meter(rate).integrated_loudness(np.pad(samples, (0, missing)).astype(np.float64)))


def normalize(samples: Samples, rate: int) -> Samples:
    """The same words at the `TARGET` loudness, without silence around them and without clipping."""
    audible = np.flatnonzero(np.abs(samples) > _SILENCE * np.abs(samples).max())
    edge = round(_EDGE * rate)
    even = samples[max(0, audible[0] - edge) : audible[-1] + 1 + edge]
    for _ in range(_ROUNDS):
        gain = np.float32(10 ** ((TARGET - loudness(even, rate)) / 20))
        even = _limit(even * gain, rate)
    return even


def _limit(samples: Samples, rate: int) -> Samples:
    """Turn peaks down, slowly enough not to be heard.

    The gain at each moment is a mean of minima around it, so it is never too large at a peak.
    """
    from scipy.ndimage import minimum_filter1d, uniform_filter1d

    gain = PEAK / np.maximum(np.abs(samples), PEAK)
    window = 2 * round(_FADE * rate) + 1
    lowest = minimum_filter1d(gain.astype(np.float64), window)
    limited: Samples = (samples * uniform_filter1d(lowest, window)).astype(np.float32)
    return limited
