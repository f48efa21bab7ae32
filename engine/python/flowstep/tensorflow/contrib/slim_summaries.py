# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.slim.summaries: summaries under the names of the tensors."""

from .. import nn, summary
from ..framework import graph as graph_lib
from ..framework.graph import GraphKeys
from ..operators.printing import Print


def _name(tensor, name, prefix=None, postfix=None):
    return "/".join(part for part in (prefix, name or tensor.op.name, postfix) if part)


def _told(made, tensor, name, print_summary):
    """The summary, which a Print stands for in the collection when it is to be printed."""
    if print_summary:
        made = Print(made, [tensor], name)
        graph_lib.add_to_collection(GraphKeys.SUMMARIES, made)
    return made


def add_histogram_summary(tensor, name=None, prefix=None):
    return summary.histogram(_name(tensor, name, prefix), tensor)


def add_image_summary(tensor, name=None, prefix=None, print_summary=False):
    name = _name(tensor, name, prefix)
    made = summary.image(name=name, tensor=tensor, collections=[] if print_summary else None)
    return _told(made, tensor, name, print_summary)


def add_scalar_summary(tensor, name=None, prefix=None, print_summary=False):
    name = _name(tensor, name, prefix)
    made = summary.scalar(name=name, tensor=tensor, collections=[] if print_summary else None)
    return _told(made, tensor, name, print_summary)


def add_zero_fraction_summary(tensor, name=None, prefix=None, print_summary=False):
    name = _name(tensor, name, prefix, "Fraction_of_Zero_Values")
    return add_scalar_summary(nn.zero_fraction(tensor), name, print_summary=print_summary)


def _of_each(add):
    def add_summaries(tensors, prefix=None):
        return [add(tensor, prefix=prefix) for tensor in tensors]
    return add_summaries


add_histogram_summaries, add_image_summaries = _of_each(add_histogram_summary), _of_each(add_image_summary)
add_zero_fraction_summaries = _of_each(add_zero_fraction_summary)


def add_scalar_summaries(tensors, prefix=None, print_summary=False):
    return [add_scalar_summary(tensor, prefix=prefix, print_summary=print_summary) for tensor in tensors]
