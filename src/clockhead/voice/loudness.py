"""Every sentence as loud as every other, as EBU R 128 and ITU-R BS.1770 measure it."""

from __future__ import annotations

import numpy as np

from clockhead.voice.speakers import Samples

TARGET = -18.0
"""LUFS, which AES TD1008 recommends for speech."""
PEAK = 10 ** (-1 / 20)
"""No sample is larger: one decibel below the most that there is."""
_ROUNDS = 4
"""What is turned down around peaks is a little less loud, so it is measured again."""
_TURN = 0.005
"""Seconds before and after a peak in which it is turned down."""
_BLOCK = 0.4
"""Seconds that the measurement needs at least."""
_SILENT = 10 ** (-50 / 20)
"""Below this share of the loudest sample, a beginning or an end is silence."""
_EDGE = 0.03
"""Seconds of that silence that stay."""


def loudness(samples: Samples, rate: int) -> float:
    """Integrated loudness in LUFS; of less than a block, as if silence followed."""
    from pyloudnorm import Meter

    short = max(0, int(np.ceil(_BLOCK * rate)) + 1 - len(samples))
    return float(Meter(rate).integrated_loudness(np.pad(samples, (0, short)).astype(np.float64)))


def evened(samples: Samples, rate: int) -> Samples:
    """The same words without silence around them, at the common loudness, with no peak cut off."""
    even = _trimmed(samples, rate)
    for _ in range(_ROUNDS):
        gain = np.float32(10 ** ((TARGET - loudness(even, rate)) / 20))
        even = _limited(even * gain, rate)
    return even


def _limited(samples: Samples, rate: int) -> Samples:
    """Turned down around peaks, slowly enough that it is not heard.

    The gain at each moment is a mean of smallest gains around it, so it is never too large there.
    """
    from scipy.ndimage import minimum_filter1d, uniform_filter1d

    gain = PEAK / np.maximum(np.abs(samples), PEAK)
    window = 2 * round(_TURN * rate) + 1
    lowest = minimum_filter1d(gain.astype(np.float64), window)
    limited: Samples = (samples * uniform_filter1d(lowest, window)).astype(np.float32)
    return limited


def _trimmed(samples: Samples, rate: int) -> Samples:
    loud = np.flatnonzero(np.abs(samples) > _SILENT * np.abs(samples).max())
    edge = round(_EDGE * rate)
    return samples[max(0, loud[0] - edge) : loud[-1] + 1 + edge]
