# cases_microfrontend.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The bands of sound as small processors hear them. What TensorFlow ends itself at is not here."""

import numpy as np

from record_ops import Case


def sound(n, kind):
    random = np.random.RandomState(n)
    t = np.arange(n)
    if kind == 'tone':
        x = 9000 * np.sin(t * 0.31) + 4000 * np.sin(t * 0.05)
    elif kind == 'noise':
        x = random.uniform(-32768, 32767, n)
    elif kind == 'quiet':
        x = random.uniform(-3, 3, n)
    elif kind == 'clipped':
        x = np.where(t // 37 % 2, 32767, -32768)
    else:
        x = np.zeros(n)
    return x.astype(np.int16)


def cases():
    def hear(audio, **attrs):
        return Case('AudioMicrofrontend', [audio], **attrs)
    for kind in ('tone', 'noise', 'quiet', 'clipped', 'silence'):
        for gain in (False, True):
            for log in (False, True):
                yield hear(sound(2000, kind), enable_pcan=gain, enable_log=log)
    tone = sound(1500, 'tone')
    for n in (0, 10, 399, 400, 401, 560):
        yield hear(sound(n, 'noise'))
    yield hear(tone, out_type='float32', out_scale=3)
    yield hear(tone, out_scale=5)
    yield hear(tone, num_channels=1)
    yield hear(tone, num_channels=60)
    yield hear(tone, num_channels=7, upper_band_limit=3000.0, lower_band_limit=300.0)
    yield hear(tone, sample_rate=8000, upper_band_limit=3500.0)
    yield hear(tone, window_size=30, window_step=20, smoothing_bits=4, even_smoothing=0.5, odd_smoothing=0.9)
    yield hear(tone, window_size=10, window_step=5, min_signal_remaining=0.5, num_channels=12, upper_band_limit=5000.0)
    yield hear(tone, enable_pcan=True, pcan_strength=0.5, pcan_offset=3.0, gain_bits=16, smoothing_bits=12)
    yield hear(tone, scale_shift=3)
    for zero_padding in (False, True):
        for left, right, stride in ((1, 0, 1), (0, 2, 1), (2, 1, 3), (9, 9, 2)):
            yield hear(tone, left_context=left, right_context=right, frame_stride=stride, zero_padding=zero_padding,
                       num_channels=4)
    yield hear(tone, upper_band_limit=9000.0)
    yield hear(tone.reshape(2, 750))
    yield hear(np.array(3, np.int16))
