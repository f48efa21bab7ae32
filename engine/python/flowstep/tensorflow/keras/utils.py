# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.utils: labels as rows of zeros and a one, arrays of length one, files, sequences of batches."""

import numpy as np

from .callbacks import Progbar  # noqa: F401
from .files import get_file  # noqa: F401
from .histories import sources as get_source_inputs  # noqa: F401
from .serialization import CustomObjectScope, custom_object_scope, deserialize_keras_object, get_custom_objects
from .serialization import serialize_keras_object
from .sources import Sequence  # noqa: F401


def to_categorical(y, num_classes=None, dtype="float32"):
    y = np.array(y, dtype="int")
    shape = y.shape[:-1] if y.shape and y.shape[-1] == 1 and y.ndim > 1 else y.shape
    flat = y.ravel()
    num_classes = num_classes or np.max(flat) + 1
    result = np.zeros((flat.shape[0], num_classes), dtype=dtype)
    result[np.arange(flat.shape[0]), flat] = 1
    return np.reshape(result, shape + (num_classes,))


def normalize(x, axis=-1, order=2):
    norms = np.atleast_1d(np.linalg.norm(x, order, axis))
    norms[norms == 0] = 1
    return x / np.expand_dims(norms, axis)
