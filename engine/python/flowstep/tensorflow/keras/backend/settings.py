# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What tf.keras goes by: the dtype of layers, the small number, where channels are."""

import numpy as np

_settings = {"floatx": "float32", "epsilon": 1e-7, "image_data_format": "channels_last"}


def floatx():
    return _settings["floatx"]


def set_floatx(value):
    if value not in ("float16", "float32", "float64"):
        raise ValueError("Unknown floatx type: " + str(value))
    _settings["floatx"] = str(value)


def epsilon():
    return _settings["epsilon"]


def set_epsilon(value):
    _settings["epsilon"] = value


def image_data_format():
    return _settings["image_data_format"]


def set_image_data_format(data_format):
    if data_format not in ("channels_last", "channels_first"):
        raise ValueError("Unknown data_format: " + str(data_format))
    _settings["image_data_format"] = str(data_format)


def backend():
    return "tensorflow"


def cast_to_floatx(x):
    return np.asarray(x, dtype=floatx())
