# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""How gradients travel between ranks."""

import flowstep.tensorflow as tf


class NoneCompressor:
    """As they are."""

    @staticmethod
    def compress(tensor):
        return tensor, None

    @staticmethod
    def decompress(tensor, ctx):
        return tensor


class FP16Compressor:
    """As halves."""

    @staticmethod
    def compress(tensor):
        small = tf.cast(tensor, dtype=tf.float16) if tensor.dtype.is_floating else tensor
        return small, tensor.dtype

    @staticmethod
    def decompress(tensor, ctx):
        return tf.cast(tensor, dtype=ctx) if ctx.is_floating else tensor


class Compression:
    none = NoneCompressor
    fp16 = FP16Compressor
