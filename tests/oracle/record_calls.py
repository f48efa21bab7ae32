# record_calls.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Writes what TensorFlow 1.15 raises for each of the wrong calls of golden/python/calls.json.gz: [call, class, text].

usage: python record_calls.py           the calls that are there, again
       python record_calls.py < CALLS   other calls, one on a line; those that raise nothing are left out"""

import gzip
import json
import logging
import os
import sys
import warnings

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden", "python", "calls.json.gz")


def outcome(call, tf, np):
    """Class and text of what a call raises in a graph of its own; None where it does not."""
    with tf.Graph().as_default():
        try:
            exec(call, {"tf": tf, "np": np, "P": lambda dtype, shape: tf.placeholder(dtype, shape)})
        except Exception as error:
            return [type(error).__name__, error.message if isinstance(error, tf.errors.OpError) else str(error)]
    return None


def main():
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    import numpy as np
    import tensorflow as tf
    if sys.stdin.isatty():
        with gzip.open(GOLDEN) as file:
            calls = [entry[0] for entry in json.load(file)]
    else:
        calls = sys.stdin.read().splitlines()
    found = [[call] + result for call, result in ((c, outcome(c, tf, np)) for c in calls) if result is not None]
    with open(GOLDEN, "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as packed:
        packed.write(json.dumps(found, indent=0).encode())
    print("%d calls" % len(found))


if __name__ == "__main__":
    main()
