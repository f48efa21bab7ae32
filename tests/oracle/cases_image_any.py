# cases_image_any.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Pictures of any format, as TensorFlow 2 reads them with one op."""

import numpy as np
import tensorflow.compat.v1 as tf

from cases_image_files import bmp, file, gif, gif_frame, jpeg, picture
from record_ops import Case
from samples import rng

TENSORFLOW = '2.15'


def png(cells):
    with tf.Graph().as_default(), tf.Session() as session:
        return session.run(tf.image.encode_png(cells))


def cases():
    cells = rng('gif').randint(0, 4, [5, 6])
    whole = gif_frame(cells)
    words = rng('words').randint(0, 65536, [4, 3, 3]).astype(np.uint16)
    pictures = [jpeg(17, 22, 3), jpeg(9, 9, 1), png(picture(5, 7, 3)), png(picture(5, 7, 4)), png(picture(5, 7, 1)), png(words),
                gif(6, 5, [whole]), gif(6, 5, [whole, gif_frame(cells[:3, :2], 1, 1)])]
    for data in pictures:
        for dtype in ('uint8', 'uint16', 'float32'):
            yield Case('DecodeImage', [file(data)], dtype=dtype, tolerance=0.0)
            yield Case('DecodeImage', [file(data)], dtype=dtype, expand_animations=False, tolerance=0.0)
        # A JPEG with four channels, ends TensorFlow.
        is_jpeg = data[:2] == b'\xff\xd8'
        for channels in (1, 3) if is_jpeg else (1, 3, 4):
            yield Case('DecodeImage', [file(data)], channels=channels)
    # TensorFlow ends where a bitmap is asked for in any other way.
    for data in (bmp(5, 4, 24), bmp(5, -4, 32)):
        yield Case('DecodeImage', [file(data)])
    yield Case('DecodeImage', [file(b'')])
    yield Case('DecodeImage', [file(b'what is this')])
    yield Case('DecodeImage', [file(pictures[0])], channels=2)
