# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.compat: text and bytes in each other's place, kinds of numbers, and until when graphs have to be read by older programs."""

import contextlib
import datetime
import numbers

import numpy as np

bytes_or_text_types = (bytes, str)
complex_types = (numbers.Complex, np.number)
integral_types = (numbers.Integral, np.integer)
real_types = (numbers.Real, np.integer, np.floating)

# The day of TensorFlow 1.15's last change that older programs do not know.
_horizon = [datetime.date(2019, 8, 21)]


def as_bytes(bytes_or_text, encoding="utf-8"):
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text
    raise TypeError("Expected binary or unicode string, got %r" % (bytes_or_text,))


def as_text(bytes_or_text, encoding="utf-8"):
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text.decode(encoding)
    raise TypeError("Expected binary or unicode string, got %r" % bytes_or_text)


as_str = as_text


def as_str_any(value):
    return as_str(value) if isinstance(value, bytes) else str(value)


def path_to_str(path):
    return as_str_any(path.__fspath__()) if hasattr(path, "__fspath__") else path


def forward_compatible(year, month, day):
    """Whether what came that day may be used."""
    return _horizon[0] > datetime.date(year, month, day)


@contextlib.contextmanager
def forward_compatibility_horizon(year, month, day):
    """Within it that day is the last one."""
    before, _horizon[0] = _horizon[0], datetime.date(year, month, day)
    try:
        yield
    finally:
        _horizon[0] = before


NAMES = """as_bytes as_str as_str_any as_text bytes_or_text_types complex_types forward_compatibility_horizon
    forward_compatible integral_types path_to_str real_types""".split()
