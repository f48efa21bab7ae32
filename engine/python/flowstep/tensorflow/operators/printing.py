# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.print: tensors and Python values in one text."""

import os
import pprint
import random
import sys

from .. import nest
from ..framework import tf_logging
from ..framework.ops import apply_op
from ..names.aliases import is_tensor, string_format
from .sparse import SparseTensor

# By TensorFlow's numbers, by absl's, and by the functions that log at the level.
_LEVELS = {tf_logging.INFO: "log(info)", tf_logging.WARN: "log(warning)", tf_logging.ERROR: "log(error)",
           0: "log(info)", -1: "log(warning)", -2: "log(error)"}
_LOGS = {"info": "log(info)", "warn": "log(warning)", "warning": "log(warning)", "error": "log(error)"}


def _stream(output_stream):
    """The op's word for where it goes."""
    if output_stream is sys.stdout or output_stream is sys.stderr:
        return "stdout" if output_stream is sys.stdout else "stderr"
    if isinstance(output_stream, int) and output_stream in _LEVELS:
        return _LEVELS[output_stream]
    if callable(output_stream) and output_stream.__module__ in (tf_logging.__name__, "absl.logging") and \
            output_stream.__name__ in _LOGS:
        return _LOGS[output_stream.__name__]
    if isinstance(output_stream, str) and output_stream.startswith("file://"):
        return output_stream
    raise ValueError("Unsupported output stream, logging level, or file." + str(output_stream) + ". Supported streams are "
                     "sys.stdout, sys.stderr, tf.logging.info, tf.logging.warning, tf.logging.error. File needs to be in the "
                     "form of 'file://<filepath>'.")


def _placeholder(text):
    """What stands for a tensor: nothing that the text has already."""
    result, numbers = "{}", random.Random(5)
    while result in text:
        result += str(numbers.randint(0, 9))
    return result


def _part(value, placeholder, tensors):
    """The template of one value; its tensors go to the others."""
    leaves = []
    for leaf in nest.flatten(value):
        if isinstance(leaf, SparseTensor):
            tensors.extend([leaf.indices, leaf.values, leaf.dense_shape])
            leaves.append("SparseTensor(indices={}, values={}, shape={})".format(*[placeholder] * 3))
        elif is_tensor(leaf):
            tensors.append(leaf)
            leaves.append(placeholder)
        else:
            leaves.append(leaf)
    return value if isinstance(value, str) else pprint.pformat(nest.pack_sequence_as(value, leaves))


def Print(input_, data, message=None, first_n=None, summarize=None, name=None):
    """The input, printed with data when it is computed."""
    return apply_op("Print", input=input_, data=data, message=message, first_n=first_n, summarize=summarize, name=name)


def print_v2(*inputs, output_stream=sys.stderr, summarize=3, sep=" ", end=os.linesep, name=None, **kwargs):
    if kwargs:
        raise ValueError("Unrecognized keyword arguments for tf.print: %s" % kwargs)
    stream = _stream(output_stream)
    if len(inputs) == 1 and is_tensor(inputs[0]) and not isinstance(inputs[0], SparseTensor) \
            and inputs[0].shape.ndims == 0 and inputs[0].dtype == "string":
        text = inputs[0]
    else:
        tensors = []
        plain = nest.map_structure(lambda x: "" if is_tensor(x) else x, inputs)
        placeholder = _placeholder(" ".join(pprint.pformat(x) for x in plain))
        template = sep.join([_part(value, placeholder, tensors) for value in inputs])
        template = template.replace("'" + placeholder + "'", placeholder)
        text = string_format(template, tensors, placeholder, summarize, name + "_format" if name else None)
    return apply_op("PrintV2", input=text, output_stream=stream, name=name, end=end)
