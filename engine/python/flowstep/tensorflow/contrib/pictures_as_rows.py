# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.layers: pictures as sequences of their columns and back, and gradients that are scaled on the way."""

from ..control import defun
from ..framework.graph import name_scope
from ..framework.ops import convert_to_tensor
from ..operators import array_ops
from . import layers_util as util
from .arg_scopes import add_arg_scope


@add_arg_scope
def images_to_sequence(inputs, data_format="NHWC", outputs_collections=None, scope=None):
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    with name_scope(scope, "ImagesToSequence", [inputs]) as opened:
        inputs = convert_to_tensor(inputs)
        if data_format == "NCHW":
            inputs = array_ops.transpose(inputs, [0, 2, 3, 1])
        _, _, width, depth = inputs.shape.as_list()
        shape = array_ops.shape(inputs)
        count, height = shape[0], shape[1]
        columns = array_ops.transpose(inputs, [2, 0, 1, 3])
        return util.collect_named_outputs(outputs_collections, opened,
                                          array_ops.reshape(columns, [width, count * height, depth]))


@add_arg_scope
def sequence_to_images(inputs, height, output_data_format="channels_last", outputs_collections=None, scope=None):
    with name_scope(scope, "SequenceToImages", [inputs]) as opened:
        inputs = convert_to_tensor(inputs)
        width, rows, depth = inputs.shape.as_list()
        columns = array_ops.reshape(inputs, [width, -1 if rows is None else rows // height, height, depth])
        order = [1, 3, 2, 0] if output_data_format == "channels_first" else [1, 2, 0, 3]
        return util.collect_named_outputs(outputs_collections, opened, array_ops.transpose(columns, order))


@defun.Defun(python_grad_func=lambda op, grad: [grad * op.inputs[1], None], shape_func=lambda op: [op.inputs[0].shape])
def scale_gradient(inputs, gradient_multiplier):
    """inputs, whose gradient is multiplied."""
    return inputs
