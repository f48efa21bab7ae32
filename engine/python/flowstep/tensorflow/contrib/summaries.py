# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.layers: summaries of tensors, activations and collections."""

import functools
import re

from .. import dtypes, summary
from ..framework import graph as graph_lib
from ..framework.graph import GraphKeys
from ..operators import math_ops


def _scalar(tensor, tag=None):
    tensor.shape.assert_has_rank(0)
    return summary.scalar(tag or "%s_summary" % tensor.op.name, tensor)


def _share(test, tensor, bound, tag):
    bound = math_ops.cast(bound, tensor.dtype)
    _scalar(math_ops.reduce_mean(math_ops.to_float(test(tensor, bound))), tag)


def summarize_activation(op):
    if op.op.type in ("Relu", "Softplus", "Relu6"):
        _share(math_ops.less, op.op.inputs[0], 0.0, "%s/zeros" % op.op.name)
    if op.op.type == "Relu6":
        _share(math_ops.greater, op.op.inputs[0], 6.0, "%s/sixes" % op.op.name)
    return summary.histogram("%s/activation" % op.op.name, op)


def summarize_tensor(tensor, tag=None):
    if tensor.dtype.base_dtype in (dtypes.string, dtypes.bool):
        return None
    if tensor.shape.ndims == 0:
        return _scalar(tensor, tag)
    return summary.histogram(tag or "%s_summary" % tensor.op.name, tensor)


def summarize_tensors(tensors, summarizer=summarize_tensor):
    return [summarizer(tensor) for tensor in tensors]


def summarize_collection(collection, name_filter=None, summarizer=summarize_tensor):
    chosen = [item for item in graph_lib.get_collection(collection)
              if name_filter is None or re.match(name_filter, item.op.name)]
    return summarize_tensors(chosen, summarizer)


summarize_variables = functools.partial(summarize_collection, GraphKeys.GLOBAL_VARIABLES)
summarize_weights = functools.partial(summarize_collection, GraphKeys.WEIGHTS)
summarize_biases = functools.partial(summarize_collection, GraphKeys.BIASES)


def summarize_activations(name_filter=None, summarizer=summarize_activation):
    return summarize_collection(GraphKeys.ACTIVATIONS, name_filter, summarizer)
