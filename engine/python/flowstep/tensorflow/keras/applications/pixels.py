# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Pixels as the models of tf.keras.applications take them, and their predictions in words."""

import json

import numpy as np

from .. import backend
from ..files import get_file

_WORDS = "https://storage.googleapis.com/download.tensorflow.org/data/imagenet_class_index.json"
_CAFFE = [103.939, 116.779, 123.68]
_TORCH, _TORCH_SPREAD = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]
_known = {}


def _reversed(x, data_format):
    if data_format == "channels_last":
        return x[..., ::-1]
    return x[::-1, ...] if len(x.shape) == 3 else x[:, ::-1, ...]


def _of_array(x, data_format, mode):
    if not issubclass(x.dtype.type, np.floating):
        x = x.astype(backend.floatx(), copy=False)
    if mode == "tf":
        x /= 127.5
        x -= 1.
        return x
    if mode == "torch":
        x /= 255.
    else:
        x = _reversed(x, data_format)
    by_channel = np.moveaxis(x, -1 if data_format == "channels_last" else -3, 0)
    for i in range(3):
        by_channel[i] -= _CAFFE[i] if mode == "caffe" else _TORCH[i]
        if mode == "torch":
            by_channel[i] /= _TORCH_SPREAD[i]
    return x


def _of_tensor(x, data_format, mode):
    if mode == "tf":
        x /= 127.5
        x -= 1.
        return x
    if mode == "torch":
        x /= 255.
    else:
        x = _reversed(x, data_format)
    mean = backend.constant(-np.array(_CAFFE if mode == "caffe" else _TORCH))
    if x.dtype != mean.dtype:
        mean = backend.cast(mean, x.dtype.name)
    x = backend.bias_add(x, mean, data_format)
    return x / _TORCH_SPREAD if mode == "torch" else x


def preprocess_input(x, data_format=None, mode="caffe"):
    """Pixels of 0 to 255 as a model was trained with them."""
    data_format = data_format or backend.image_data_format()
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError("Unknown data_format " + str(data_format))
    return (_of_array if isinstance(x, np.ndarray) else _of_tensor)(x, data_format, mode)


def preprocess_in(mode):
    def preprocess(x, data_format=None):
        return preprocess_input(x, data_format, mode)
    preprocess.__name__ = "preprocess_input"
    return preprocess


def decode_predictions(preds, top=5):
    """For each row the likeliest classes: (number in WordNet, word, probability)."""
    if len(preds.shape) != 2 or preds.shape[1] != 1000:
        raise ValueError("`decode_predictions` expects a batch of predictions (i.e. a 2D array of shape (samples, 1000)). Found "
                         "array with shape: " + str(preds.shape))
    if "words" not in _known:
        with open(get_file("imagenet_class_index.json", _WORDS, cache_subdir="models")) as file:
            _known["words"] = json.load(file)
    found = ([tuple(_known["words"][str(i)]) + (row[i],) for i in row.argsort()[-top:][::-1]] for row in preds)
    return [sorted(row, key=lambda words: words[2], reverse=True) for row in found]
