# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.summary: ops whose value is a serialized Summary, and the files they go to."""

import contextlib
import json
import re

from .framework import graph as graph_lib, ops, proto
from .framework.graph import GraphKeys, name_scope
from .framework.ops import apply_op


# What pixels that are no numbers are painted in: red, in the encoding of the op's definition.
_BAD_COLOR = proto.message_class("TensorProto")(dtype=4, tensor_shape={"dim": [{"size": 4}]}, int_val=[255, 0, 0, 255])


def _clean(name):
    return re.sub(r"[^-/\w\.]", "_", name).lstrip("/") if name is not None else None


@contextlib.contextmanager
def _scope(name, family=None, default_name=None, values=None):
    name, family = _clean(name), _clean(family)
    base = name if family is None else "%s/%s" % (family, name)
    with name_scope(base, default_name, values) as scope:
        yield scope[:-1] if family is None else "%s/%s" % (family, scope[:-1]), scope


def _collect(value, collections):
    for key in collections if collections is not None else [GraphKeys.SUMMARIES]:
        graph_lib.add_to_collection(key, value)
    return value


def scalar(name, tensor, collections=None, family=None):
    with _scope(name, family, values=[tensor]) as (tag, scope):
        return _collect(apply_op("ScalarSummary", tags=tag, values=tensor, name=scope), collections)


def histogram(name, values, collections=None, family=None):
    with _scope(name, family, default_name="HistogramSummary", values=[values]) as (tag, scope):
        return _collect(apply_op("HistogramSummary", tag=tag, values=values, name=scope), collections)


def image(name, tensor, max_outputs=3, collections=None, family=None):
    with _scope(name, family, values=[tensor]) as (tag, scope):
        return _collect(apply_op("ImageSummary", tag=tag, tensor=tensor, max_images=max_outputs, name=scope,
                                 bad_color=_BAD_COLOR), collections)


def audio(name, tensor, sample_rate, max_outputs=3, collections=None, family=None):
    from . import dtypes
    with _scope(name, family=family, values=[tensor]) as (tag, scope):
        sample_rate = ops.convert_to_tensor(sample_rate, dtype=dtypes.float32, name="sample_rate")
        return _collect(apply_op("AudioSummaryV2", tag=tag, tensor=tensor, max_outputs=max_outputs,
                                 sample_rate=sample_rate, name=scope), collections)


def tensor_summary(name, tensor, summary_description=None, collections=None, summary_metadata=None, family=None,
                   display_name=None):
    metadata = summary_metadata or proto.message_class("SummaryMetadata")()
    if display_name is not None:
        metadata.display_name = display_name
    if summary_description is not None:
        metadata.summary_description = summary_description
    with _scope(name, family, values=[tensor]) as (tag, scope):
        made = apply_op("TensorSummaryV2", tensor=tensor, tag=tag, name=scope,
                        serialized_summary_metadata=metadata.SerializeToString())
        return _collect(made, collections)


def text(name, tensor, collections=None):
    from . import dtypes
    if tensor.dtype != dtypes.string:
        raise ValueError("Expected tensor %s to have dtype string, got %s" % (tensor.name, tensor.dtype))
    metadata = proto.message_class("SummaryMetadata")()
    metadata.plugin_data.plugin_name = "text"
    return tensor_summary(name, tensor, collections=collections, summary_metadata=metadata)


def merge(inputs, collections=None, name=None):
    if not isinstance(inputs, (list, tuple)):
        raise TypeError("Expected list for 'inputs' argument to 'merge_summary' Op, not %r." % (inputs,))
    with name_scope(name, "Merge", inputs):
        made = apply_op("MergeSummary", inputs=list(inputs), name=name)
        for key in collections or []:
            graph_lib.add_to_collection(key, made)
        return made


def merge_all(key=GraphKeys.SUMMARIES, scope=None, name=None):
    found = graph_lib.get_collection(key, scope=scope)
    return merge(found, name=name) if found else None




def get_summary_description(node_def):
    """What a node that makes a summary was described as."""
    if node_def.op != "TensorSummary":
        raise ValueError("Can't get_summary_description on %s" % node_def.op)
    described = json.loads(node_def.attr["description"].s.decode())
    unknown = [key for key in described if key not in ("typeHint", "type_hint")]
    if unknown:
        raise ValueError('Message type "tensorflow.SummaryDescription" has no field named "%s".' % unknown[0])
    hint = described.get("typeHint", described.get("type_hint", ""))
    return proto.message_class("SummaryDescription")(type_hint=hint)
