# snippets_signal.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Programs of sound: frames, spectra over time, windows, cosine transforms, mels."""

import tensorflow.compat.v1 as tf


def signal_stft():
    x = tf.placeholder(tf.float32, [None, 4000], name='x')
    s = tf.signal.stft(x, frame_length=256, frame_step=128)
    m = tf.abs(s)
    inv = tf.signal.inverse_stft(s, 256, 128, window_fn=tf.signal.inverse_stft_window_fn(128))
    s2 = tf.signal.stft(x, 200, 100, fft_length=512, pad_end=True, window_fn=None, name='mine')


def signal_stft_unknown():
    x = tf.placeholder(tf.float32, [None, None])
    n = tf.placeholder(tf.int32, [])
    tf.signal.stft(x, n, n, pad_end=True)
    y = tf.placeholder(tf.float32)
    tf.signal.frame(y, 10, 5)
    tf.signal.frame(y, 10, 5, axis=0, pad_end=True, pad_value=1.0)


def signal_frames():
    x = tf.placeholder(tf.float32, [2, 100, 3])
    f = tf.signal.frame(x, 20, 10, axis=1)
    g = tf.signal.frame(x, 20, 7, pad_end=True, axis=-2)
    h = tf.signal.frame(tf.placeholder(tf.float32, [None, 30]), 8, 4, name='fr')
    o = tf.signal.overlap_and_add(h, 4)
    o2 = tf.signal.overlap_and_add(tf.placeholder(tf.float32, [3, 5, 10]), 3)
    o3 = tf.signal.overlap_and_add(tf.placeholder(tf.float32), 3)


def signal_windows():
    tf.signal.hann_window(256)
    tf.signal.hann_window(255, periodic=False)
    tf.signal.hamming_window(tf.placeholder(tf.int32, []), dtype=tf.float64)
    tf.signal.hamming_window(16, periodic=True, name='ham')
    tf.signal.hann_window(16, periodic=tf.placeholder(tf.bool, []))


def signal_mfcc():
    x = tf.placeholder(tf.float32, [None, 16000])
    st = tf.signal.stft(x, frame_length=1024, frame_step=256, fft_length=1024)
    sp = tf.abs(st)
    w = tf.signal.linear_to_mel_weight_matrix(80, sp.shape[-1].value, 16000.0, 80.0, 7600.0)
    mel = tf.tensordot(sp, w, 1)
    mel.set_shape(sp.shape[:-1].concatenate(w.shape[-1:]))
    lm = tf.log(mel + 1e-6)
    mf = tf.signal.mfccs_from_log_mel_spectrograms(lm)[..., :13]


def signal_dct():
    x = tf.placeholder(tf.float32, [3, 16])
    tf.signal.dct(x)
    tf.signal.dct(x, type=1)
    tf.signal.dct(x, type=3, norm='ortho', name='d3')
    tf.signal.dct(x, norm='ortho')
    tf.signal.idct(x)
    tf.signal.idct(x, type=3, norm='ortho')
    tf.signal.idct(x, type=1)
    tf.signal.dct(x, n=8)
    tf.signal.dct(x, n=20)
    tf.signal.dct(x, type=3)
    tf.signal.dct(tf.placeholder(tf.float32))


def signal_rfft():
    x = tf.placeholder(tf.float32, [3, 16, 16])
    r = tf.signal.rfft(x)
    tf.signal.irfft(r)
    tf.signal.rfft(x, [32])
    tf.signal.rfft(x, [8], name='short')
    r2 = tf.signal.rfft2d(x)
    tf.signal.irfft2d(r2, [16, 16])
    tf.signal.irfft2d(r2)
    tf.signal.rfft3d(x)
    c = tf.signal.fft(tf.cast(x, tf.complex64))
    tf.signal.fftshift(c)
    tf.signal.fftshift(c, axes=1)
    tf.signal.ifftshift(c, axes=[0, 1])
    u = tf.placeholder(tf.float32)
    tf.signal.rfft(u)
    tf.signal.rfft(u, tf.placeholder(tf.int32, [1]), name='un')
    tf.gradients(tf.abs(r2), x)
    tf.gradients(tf.abs(r), x)
    tf.gradients(tf.signal.irfft(r), x)
