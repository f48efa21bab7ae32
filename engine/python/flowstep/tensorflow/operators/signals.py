# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.signal: Fourier transforms of real values, frames and their sums, windows, spectra over time, cosine transforms, mels."""

import math

import numpy as np

from .. import dtypes
from ..control import control_flow, loops
from ..framework import ops
from ..framework.graph import name_scope
from ..framework.ops import apply_op, convert_to_tensor
from . import array_ops, math_ops

fft, ifft, fft2d, ifft2d, fft3d, ifft3d = [ops.wrapper(kind) for kind in "FFT IFFT FFT2D IFFT2D FFT3D IFFT3D".split()]


# -- real values

def _own_length(values, rank, inverse):
    """How long the transform is where nobody says."""
    inner = values.shape[-rank:]
    if not inner.is_fully_defined():
        length = array_ops.shape(values)[-rank:]
        if not inverse:
            return length
        parts = array_ops.unstack(length)
        parts[-1] = math_ops.maximum(0, 2 * (parts[-1] - 1))
        return array_ops.stack(parts)
    dims = inner.as_list()
    if inverse and dims:
        dims[-1] = max(0, 2 * (dims[-1] - 1))
    return convert_to_tensor(dims, dtypes.int32)


def _filled_up(values, rank, length, inverse):
    """The values with zeros behind them, up to the length; an inverse one needs half of it and one more."""
    wanted = ops.constant_value_as_shape(length)
    if values.shape.ndims is not None and 0 in values.shape.as_list():
        return values
    if wanted.is_fully_defined() and values.shape.ndims is not None:
        sizes = wanted.as_list()
        inner = values.shape[-len(sizes):]
        if inner.is_fully_defined():
            if inverse:
                sizes[-1] = sizes[-1] // 2 + 1
            paddings = [[0, max(want - have, 0)] for want, have in zip(sizes, inner.as_list())]
            if all(pad == 0 for _, pad in paddings):
                return values
            return array_ops.pad(values, [[0, 0]] * max(values.shape.ndims - len(sizes), 0) + paddings)
    count = array_ops.rank(values)
    inner = array_ops.shape(values)[-rank:]
    outer = array_ops.zeros([math_ops.maximum(0, count - rank)], length.dtype)
    if inverse:
        length = array_ops.concat([length[:-1], length[-1:] // 2 + 1], 0)
    paddings = array_ops.concat([outer, math_ops.maximum(0, length - inner)], 0)
    return array_ops.pad(values, array_ops.stack([array_ops.zeros_like(paddings), paddings], axis=1))


def _of_reals(op_type, rank, inverse):
    kind = dtypes.complex64 if inverse else dtypes.float32

    def transform(input_tensor, fft_length=None, name=None):
        with name_scope(name, op_type.lower(), [input_tensor, fft_length]) as name:
            values = convert_to_tensor(input_tensor, kind)
            values.shape.with_rank_at_least(rank)
            if fft_length is None:
                fft_length = _own_length(values, rank, inverse)
            else:
                fft_length = convert_to_tensor(fft_length, dtypes.int32)
            values = _filled_up(values, rank, fft_length, inverse)
            return apply_op(op_type, input=values, fft_length=fft_length, name=name)
    transform.__name__ = op_type.lower()
    return transform


rfft, rfft2d, rfft3d = _of_reals("RFFT", 1, False), _of_reals("RFFT2D", 2, False), _of_reals("RFFT3D", 3, False)
irfft, irfft2d, irfft3d = _of_reals("IRFFT", 1, True), _of_reals("IRFFT2D", 2, True), _of_reals("IRFFT3D", 3, True)


def _shifted(x, axes, default_name, name, by):
    with name_scope(name, default_name) as name:
        x = convert_to_tensor(x)
        if axes is None:
            axes = tuple(range(x.shape.ndims))
        shift = by(int(x.shape[axes])) if isinstance(axes, int) else [by(int(x.shape[axis])) for axis in axes]
        return apply_op("Roll", input=x, shift=shift, axis=axes, name=name)


def fftshift(x, axes=None, name=None):
    """The zero frequency in the middle."""
    return _shifted(x, axes, "fftshift", name, lambda size: size // 2)


def ifftshift(x, axes=None, name=None):
    return _shifted(x, axes, "ifftshift", name, lambda size: -(size // 2))


# -- frames

def gcd(a, b, name=None):
    with name_scope(name, "gcd", [a, b]):
        a, b = convert_to_tensor(a), convert_to_tensor(b)
        for tensor in (a, b):
            tensor.shape.assert_has_rank(0)
        for tensor, label in ((a, "a"), (b, "b")):
            if not tensor.dtype.is_integer:
                raise ValueError("%s must be an integer type. Got: %s" % (label, tensor.dtype))
        known = ops.constant_value(a), ops.constant_value(b)
        if None not in known:
            return convert_to_tensor(math.gcd(*[int(k) for k in known]))
        return loops.while_loop(lambda _, y: math_ops.greater(y, array_ops.zeros_like(y)),
                                lambda x, y: [y, math_ops.mod(x, y)], [a, b], back_prop=False)[0]


def _set_framed_shape(result, signal, frame_length, frame_step, pad_end, axis):
    """What is known of the frames while building."""
    axis = ops.constant_value(axis)
    if signal.shape.ndims is None or axis is None:
        return
    dims = signal.shape.as_list()
    axis = int(axis) % len(dims)
    length, step = ops.constant_value(frame_length), ops.constant_value(frame_step)
    count = None
    if dims[axis] is not None and length is not None and step is not None:
        size, length, step = dims[axis], int(length), int(step)
        count = -(-size // step) if pad_end else max(0, (size - length + step) // step)
    result.set_shape(dims[:axis] + [count, None if length is None else int(length)] + dims[axis + 1:])


def frame(signal, frame_length, frame_step, pad_end=False, pad_value=0, axis=-1, name=None):
    """Overlapping windows along an axis, which becomes two."""
    with name_scope(name, "frame", [signal, frame_length, frame_step, pad_value]):
        signal = convert_to_tensor(signal, name="signal")
        frame_length = convert_to_tensor(frame_length, name="frame_length")
        frame_step = convert_to_tensor(frame_step, name="frame_step")
        axis = convert_to_tensor(axis, name="axis")
        signal.shape.with_rank_at_least(1)
        frame_length.shape.assert_has_rank(0)
        frame_step.shape.assert_has_rank(0)
        axis.shape.assert_has_rank(0)
        result = _frames(signal, frame_length, frame_step, pad_end, pad_value, axis)
        return result


def _frames(signal, frame_length, frame_step, pad_end, pad_value, given_axis):
    rank = array_ops.rank(signal)
    axis = math_ops.range(rank)[given_axis]
    shape = array_ops.shape(signal)
    outer, length, inner = array_ops.split(shape, [axis, 1, rank - 1 - axis])
    length = array_ops.reshape(length, [])
    outer_count, inner_count = array_ops.size(outer), array_ops.size(inner)
    whole = signal
    if pad_end:
        pad_value = convert_to_tensor(pad_value, signal.dtype)
        count = -(-length // frame_step)
        added = math_ops.maximum(0, frame_length + frame_step * (count - 1) - length)
        paddings = array_ops.concat([array_ops.zeros([outer_count, 2], dtype=added.dtype), [[0, added]],
                                     array_ops.zeros([inner_count, 2], dtype=added.dtype)], 0)
        whole = array_ops.pad(signal, paddings, constant_values=pad_value)
        shape = array_ops.shape(whole)
        length = shape[axis]
    else:
        count = math_ops.maximum(0, 1 + (length - frame_length) // frame_step)
    part = gcd(frame_length, frame_step)
    parts_a_frame = frame_length // part
    parts_a_step = frame_step // part
    parts = length // part
    cut = array_ops.concat([outer, [parts * part], inner], 0)
    in_parts = array_ops.concat([outer, [parts, part], inner], 0)
    begin = array_ops.zeros_like(shape)
    pieces = array_ops.reshape(array_ops.strided_slice(
        whole, begin, cut, array_ops.ones_like(begin)), in_parts)
    first = array_ops.reshape(math_ops.range(count) * parts_a_step, [count, 1])
    inside = array_ops.reshape(math_ops.range(parts_a_frame), [1, parts_a_frame])
    framed = array_ops.reshape(array_ops.gather(pieces, first + inside, axis=axis),
                               array_ops.concat([outer, [count, frame_length], inner], 0))
    _set_framed_shape(framed, signal, frame_length, frame_step, pad_end, given_axis)
    return framed


def overlap_and_add(signal, frame_step, name=None):
    """What frames were cut from: they are added where they overlap."""
    with name_scope(name, "overlap_and_add", [signal, frame_step]):
        signal = convert_to_tensor(signal, name="signal")
        signal.shape.with_rank_at_least(2)
        frame_step = convert_to_tensor(frame_step, name="frame_step")
        frame_step.shape.assert_has_rank(0)
        if not frame_step.dtype.is_integer:
            raise ValueError("frame_step must be an integer. Got %s" % frame_step.dtype)
        shape = array_ops.shape(signal)
        outer = shape[:-2]
        outer_count = array_ops.size(outer)
        length = shape[-1]
        frames = shape[-2]
        output_length = length + frame_step * (frames - 1)
        # Each frame as so many pieces of a step; then a frame's pieces are moved apart by as many rows as there are.
        pieces = -(-length // frame_step)
        missing = pieces * frame_step - length
        paddings = array_ops.concat([array_ops.zeros([outer_count, 2], dtype=missing.dtype),
                                     [[0, pieces], [0, missing]]], 0)
        signal = array_ops.pad(signal, paddings)
        signal = array_ops.reshape(signal, array_ops.concat([outer, [frames + pieces, pieces, frame_step]], 0))
        order = array_ops.concat([math_ops.range(outer_count), outer_count + [1, 0, 2]], 0)
        signal = array_ops.transpose(signal, order)
        signal = array_ops.reshape(signal, array_ops.concat([outer, [(frames + pieces) * pieces, frame_step]], 0))
        signal = signal[..., :(frames + pieces - 1) * pieces, :]
        signal = array_ops.reshape(signal, array_ops.concat([outer, [pieces, frames + pieces - 1, frame_step]], 0))
        signal = math_ops.reduce_sum(signal, -3)
        signal = array_ops.reshape(signal, array_ops.concat([outer, [(frames + pieces - 1) * frame_step]], 0))
        return signal[..., :output_length]


# -- windows

def _cosine_window(name, default_name, window_length, periodic, dtype, a, b):
    if not dtype.is_floating:
        raise ValueError("dtype must be a floating point type. Found %s" % dtype)
    with name_scope(name, default_name, [window_length, periodic]):
        window_length = convert_to_tensor(window_length, dtype=dtypes.int32, name="window_length")
        window_length.shape.assert_has_rank(0)
        known = ops.constant_value(window_length)
        if known is not None and known == 1:
            return array_ops.ones([1], dtype=dtype)
        periodic = math_ops.cast(convert_to_tensor(periodic, dtype=dtypes.bool, name="periodic"), dtypes.int32)
        periodic.shape.assert_has_rank(0)
        even = 1 - math_ops.mod(window_length, 2)
        n = math_ops.cast(window_length + periodic * even - 1, dtype=dtype)
        count = math_ops.cast(math_ops.range(window_length), dtype)
        angle = ops.constant(2 * np.pi, dtype=dtype) * count / n

        def window():
            return math_ops.cast(a - b * math_ops.cos(angle), dtype=dtype)
        if known is not None:
            return window()
        return control_flow.cond(math_ops.equal(window_length, 1), lambda: array_ops.ones([1], dtype=dtype), window)


def hann_window(window_length, periodic=True, dtype=dtypes.float32, name=None):
    return _cosine_window(name, "hann_window", window_length, periodic, dtype, 0.5, 0.5)


def hamming_window(window_length, periodic=True, dtype=dtypes.float32, name=None):
    return _cosine_window(name, "hamming_window", window_length, periodic, dtype, 0.54, 0.46)


# -- spectra over time

def _transform_length(fft_length, frame_length):
    """The length that is asked for, or the power of two that is not below a frame's."""
    if fft_length is not None:
        return convert_to_tensor(fft_length, name="fft_length")
    known = ops.constant_value(frame_length)
    if known is not None:
        return ops.constant(np.array(2 ** np.ceil(np.log(known) / np.log(2.0)), known.dtype))
    exponent = math_ops.ceil(math_ops.log(math_ops.cast(frame_length, dtypes.float32)) / math_ops.log(2.0))
    return math_ops.cast(math_ops.pow(2.0, exponent), frame_length.dtype)


def stft(signals, frame_length, frame_step, fft_length=None, window_fn=hann_window, pad_end=False, name=None):
    """Windowed frames, each transformed."""
    with name_scope(name, "stft", [signals, frame_length, frame_step]):
        signals = convert_to_tensor(signals, name="signals")
        signals.shape.with_rank_at_least(1)
        frame_length = convert_to_tensor(frame_length, name="frame_length")
        frame_length.shape.assert_has_rank(0)
        frame_step = convert_to_tensor(frame_step, name="frame_step")
        frame_step.shape.assert_has_rank(0)
        fft_length = _transform_length(fft_length, frame_length)
        framed = frame(signals, frame_length, frame_step, pad_end=pad_end)
        if window_fn is not None:
            framed *= window_fn(frame_length, dtype=framed.dtype)
        return rfft(framed, [fft_length])


def inverse_stft_window_fn(frame_step, forward_window_fn=hann_window, name=None):
    """The window with which inverse_stft() gives back what stft() was given."""
    with name_scope(name, "inverse_stft_window_fn", [forward_window_fn]):
        frame_step = convert_to_tensor(frame_step, name="frame_step")
        frame_step.shape.assert_has_rank(0)

    def window(frame_length, dtype):
        with name_scope(name, "inverse_stft_window_fn", [forward_window_fn]):
            frame_length = convert_to_tensor(frame_length, name="frame_length")
            frame_length.shape.assert_has_rank(0)
            forward = forward_window_fn(frame_length, dtype=dtype)
            total = math_ops.square(forward)
            overlaps = -(-frame_length // frame_step)
            total = array_ops.pad(total, [[0, overlaps * frame_step - frame_length]])
            total = array_ops.reshape(total, [overlaps, frame_step])
            total = array_ops.tile(math_ops.reduce_sum(total, 0, keepdims=True), [overlaps, 1])
            total = array_ops.reshape(total, [overlaps * frame_step])
            return forward / total[:frame_length]
    return window


def inverse_stft(stfts, frame_length, frame_step, fft_length=None, window_fn=hann_window, name=None):
    """The signal of windowed spectra."""
    with name_scope(name, "inverse_stft", [stfts]):
        stfts = convert_to_tensor(stfts, name="stfts")
        stfts.shape.with_rank_at_least(2)
        frame_length = convert_to_tensor(frame_length, name="frame_length")
        frame_length.shape.assert_has_rank(0)
        frame_step = convert_to_tensor(frame_step, name="frame_step")
        frame_step.shape.assert_has_rank(0)
        fft_length = _transform_length(fft_length, frame_length)
        known, wanted = ops.constant_value(fft_length), ops.constant_value(frame_length)
        real = _to_frame_length(irfft(stfts, [fft_length]), frame_length, known, wanted)
        if window_fn is not None:
            real *= window_fn(frame_length, dtype=real.dtype)
        return overlap_and_add(real, frame_step)


def _to_frame_length(real, frame_length, known, wanted):
    if known is not None and wanted is not None:
        if known > wanted:
            return real[..., :wanted]
        if known < wanted:
            added = array_ops.concat([array_ops.zeros([array_ops.rank(real) - 1, 2], dtypes.int32),
                                      [[0, wanted - array_ops.shape(real)[-1]]]], 0)
            return array_ops.pad(real, added)
        return real
    if real.shape.ndims is not None:
        real = real[..., :frame_length]
    real_length = array_ops.shape(real)[-1]
    added = array_ops.concat([array_ops.zeros([array_ops.rank(real) - 1, 2], dtypes.int32),
                              [[0, math_ops.maximum(0, frame_length - real_length)]]], 0)
    return array_ops.pad(real, added)


# -- cosines

def _check_dct(values, kind, n, axis, norm):
    if axis != -1:
        raise NotImplementedError("axis must be -1. Got: %s" % axis)
    if n is not None and n < 1:
        raise ValueError("n should be a positive integer or None")
    if kind not in (1, 2, 3):
        raise ValueError("Only Types I, II and III (I)DCT are supported.")
    if kind == 1:
        if norm == "ortho":
            raise ValueError("Normalization is not supported for the Type-I DCT.")
        if values.shape[-1] is not None and values.shape[-1] < 2:
            raise ValueError("Type-I DCT requires the dimension to be greater than one.")
    if norm not in (None, "ortho"):
        raise ValueError("Unknown normalization. Expected None or 'ortho', got: %s" % norm)


def _turns(sign, count, values):
    """exp(i pi k / 2n) twice, of one sign."""
    zero = 0.0
    angle = math_ops.range(values)
    angle = (-angle if sign < 0 else angle) * np.pi * 0.5 / values
    return 2.0 * math_ops.exp(math_ops.complex(zero, angle))


def _first_other(first, rest, count):
    """A row: the first factor, then the rest's, count in all."""
    return array_ops.pad(array_ops.expand_dims(first, 0), [[0, count - 1]], constant_values=rest)


def _last_size(values):
    return array_ops.shape(values)[-1]


def dct(input, type=2, n=None, axis=-1, norm=None, name=None):
    """Cosine transforms of the first, second or third type."""
    _check_dct(input, type, n, axis, norm)
    with name_scope(name, "dct", [input]):
        input = convert_to_tensor(input, dtype=dtypes.float32)
        if n is not None:
            size = input.shape[-1].value
            if n <= size:
                input = input[..., 0:n]
            else:
                rank = len(input.shape)
                paddings = [[0, 0] for _ in range(rank)]
                paddings[-1] = [0, n - size]
                input = array_ops.pad(input, ops.constant(paddings))
        if input.shape[-1:].is_fully_defined():
            count = input.shape[-1].value
        else:
            _last_size(input)   # TF: asked for twice, used once
            count = _last_size(input)
        size = math_ops.cast(count, dtypes.float32)
        if type == 1:
            whole = array_ops.concat([input, input[..., -2:0:-1]], axis=-1)
            return apply_op("Real", input=rfft(whole))
        if type == 2:
            turns = _turns(-1, count, size)
            spectrum = rfft(input, fft_length=[2 * count])[..., :count]
            result = math_ops.real(spectrum * turns)
            if norm == "ortho":
                first = 0.5 * math_ops.rsqrt(size)
                result *= _first_other(first, first * math_ops.sqrt(2.0), count)
            return result
        if norm == "ortho":
            first = math_ops.sqrt(size)
            input *= _first_other(first, first * math_ops.sqrt(0.5), count)
        else:
            input *= size
        turns = _turns(1, count, size)
        return irfft(turns * math_ops.complex(input, 0.0), fft_length=[2 * count])[..., :count]


def idct(input, type=2, n=None, axis=-1, norm=None, name=None):
    """The inverse: the second type for the third, the third for the second."""
    _check_dct(input, type, n, axis, norm)
    return dct(input, type={1: 1, 2: 3, 3: 2}[type], n=n, axis=axis, norm=norm, name=name)


# -- mels

def _to_mel(hertz, name=None):
    with name_scope(name, "hertz_to_mel", [hertz]):
        hertz = convert_to_tensor(hertz)
        return 1127.0 * math_ops.log(1.0 + (hertz / 700.0))


def _check_mel(num_mel_bins, sample_rate, lower_edge_hertz, upper_edge_hertz, dtype):
    if num_mel_bins <= 0:
        raise ValueError("num_mel_bins must be positive. Got: %s" % num_mel_bins)
    if lower_edge_hertz < 0.0:
        raise ValueError("lower_edge_hertz must be non-negative. Got: %s" % lower_edge_hertz)
    if lower_edge_hertz >= upper_edge_hertz:
        raise ValueError("lower_edge_hertz %.1f >= upper_edge_hertz %.1f" % (lower_edge_hertz, upper_edge_hertz))
    if not ops.is_tensor_like(sample_rate):
        if sample_rate <= 0.0:
            raise ValueError("sample_rate must be positive. Got: %s" % sample_rate)
        if upper_edge_hertz > sample_rate / 2:
            raise ValueError("upper_edge_hertz must not be larger than the Nyquist frequency (sample_rate / 2). Got %s for "
                             "sample_rate: %s" % (upper_edge_hertz, sample_rate))
    if not dtype.is_floating:
        raise ValueError("dtype must be a floating point type. Got: %s" % dtype)


def linear_to_mel_weight_matrix(num_mel_bins=20, num_spectrogram_bins=129, sample_rate=8000, lower_edge_hertz=125.0,
                                upper_edge_hertz=3800.0, dtype=dtypes.float32, name=None):
    """Triangles of the mel scale over the bins of a spectrum."""
    with name_scope(name, "linear_to_mel_weight_matrix") as name:
        if ops.is_tensor_like(sample_rate):
            known = ops.constant_value(sample_rate)
            sample_rate = sample_rate if known is None else known
        _check_mel(num_mel_bins, sample_rate, lower_edge_hertz, upper_edge_hertz, dtype)
        sample_rate = math_ops.cast(sample_rate, dtype, name="sample_rate") if ops.is_tensor_like(sample_rate) else \
            convert_to_tensor(sample_rate, dtype, name="sample_rate")
        lower = convert_to_tensor(lower_edge_hertz, dtype, name="lower_edge_hertz")
        upper = convert_to_tensor(upper_edge_hertz, dtype, name="upper_edge_hertz")
        zero = convert_to_tensor(0.0, dtype)
        nyquist = sample_rate / 2.0
        bins = math_ops.linspace(zero, nyquist, num_spectrogram_bins)[1:]
        bins = array_ops.expand_dims(_to_mel(bins), 1)
        edges = frame(math_ops.linspace(_to_mel(lower), _to_mel(upper), num_mel_bins + 2), frame_length=3, frame_step=1)
        low, middle, high = [array_ops.reshape(edge, [1, num_mel_bins]) for edge in array_ops.split(edges, 3, axis=1)]
        rising = (bins - low) / (middle - low)
        falling = (high - bins) / (high - middle)
        weights = math_ops.maximum(zero, math_ops.minimum(rising, falling))
        return array_ops.pad(weights, [[1, 0], [0, 0]], name=name)


def mfccs_from_log_mel_spectrograms(log_mel_spectrograms, name=None):
    """Cepstra of log mel spectra."""
    with name_scope(name, "mfccs_from_log_mel_spectrograms", [log_mel_spectrograms]):
        log_mel_spectrograms = convert_to_tensor(log_mel_spectrograms)
        if log_mel_spectrograms.shape.ndims and log_mel_spectrograms.shape.dims[-1].value is not None:
            count = log_mel_spectrograms.shape.dims[-1].value
            if count == 0:
                raise ValueError("num_mel_bins must be positive. Got: %s" % log_mel_spectrograms)
        else:
            count = array_ops.shape(log_mel_spectrograms)[-1]
        spectra = dct(log_mel_spectrograms, type=2)
        return spectra * math_ops.rsqrt(math_ops.cast(count, dtypes.float32) * 2.0)


SIGNAL = """dct fft fft2d fft3d fftshift frame hamming_window hann_window idct ifft ifft2d ifft3d ifftshift inverse_stft
    inverse_stft_window_fn irfft irfft2d irfft3d linear_to_mel_weight_matrix mfccs_from_log_mel_spectrograms
    overlap_and_add rfft rfft2d rfft3d stft""".split()
SPECTRAL = "dct fft fft2d fft3d idct ifft ifft2d ifft3d irfft irfft2d irfft3d rfft rfft2d rfft3d".split()
