# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
# Modules below tensorflow.python whose functions have other names than tf's.
import glob
import os
import tempfile
import numpy as np
import tensorflow as tf
from tensorflow.python import tf2
from tensorflow.python.framework import tensor_shape, tensor_spec, tensor_util, constant_op
from tensorflow.python.ops import array_ops, data_flow_ops, init_ops, list_ops, logging_ops, state_ops, string_ops

def tell(label, call):
    try:
        print(label, call())
    except Exception as error:
        print(label, type(error).__name__, error)

print(tf2.enabled())
proto = tensor_util.make_tensor_proto([[1, 2], [3, 4]], shape=[2, 2])
print(tensor_util.MakeNdarray(proto), tensor_util.ShapeEquals(proto, [2, 2]), tensor_util.ShapeEquals(proto, [4]))
tell("shape", lambda: tensor_util.ShapeEquals([1], [4]))
print(tensor_spec.BoundedTensorSpec([2], tf.int32, 0, 4))
h = list_ops.tensor_list_reserve([None, 2], 3, tf.float32)
h = list_ops.tensor_list_set_item(h, 0, [[1., 2.]])
h = list_ops.tensor_list_set_item(h, 1, [[3., 4.]])
got = list_ops.tensor_list_get_item(h, 0, tf.float32)
e = list_ops.empty_tensor_list(tensor_shape.TensorShape([2]), tf.float32)
e = list_ops.tensor_list_push_back(e, [5., 6.])
e, last = list_ops.tensor_list_pop_back(e, tf.float32)
st = list_ops.tensor_list_from_tensor([[1., 2.], [3., 4.]], element_shape=[tf.Dimension(2)])
whole = list_ops.tensor_list_stack(st, element_dtype=tf.float32)
some = list_ops.tensor_list_gather(input_handle=st, indices=[1], element_dtype=tf.float32)
text = string_ops.string_format("{} and {}", (tf.constant(1), tf.constant([2, 3])))
v = state_ops.variable_op([2], tf.float32)
w = state_ops.variable_op([2], tf.float32, set_shape=False, name="open")
u = state_ops.variable_op_v2([2], tf.float32)
print(v, w, u)
init = tf.assign(v, [1., 2.])
ident = init_ops.identity_initializer(gain=2.)([2, 2])
orth = init_ops.convolutional_orthogonal_1d(seed=1)([1, 2, 2])
const = constant_op.constant_v1([1, 2], shape=[3])
for op in tf.get_default_graph().get_operations():
    if "convolutional" not in op.name and "Orthogonal" not in op.name:
        print(op.name, op.type, [i.name for i in op.inputs], [str(o.shape) for o in op.outputs])
with tf.Session() as s:
    print(s.run([got, last, whole, some, text, init, ident, const]))
d = tempfile.mkdtemp()
for i in range(3):
    with tf.python_io.TFRecordWriter(os.path.join(d, "r%d" % i)) as f:
        for j in range(4):
            f.write(b"%d-%d" % (i, j))
with tf.Graph().as_default():
    one = data_flow_ops.RecordInput(os.path.join(d, "r*"), batch_size=12, buffer_size=4, parallelism=1, name="all").get_yield_op()
    two = tf.contrib.framework.RecordInput(os.path.join(d, "r*"), batch_size=2, batches=2, buffer_size=4, name="two").get_yield_op()
    for op in tf.get_default_graph().get_operations():
        print(op.name, op.type, [i.name for i in op.inputs], [str(o.shape) for o in op.outputs])
    print([len(x) for x in two], two[0][0].shape)
    with tf.Session() as s:
        print(sorted(s.run(one)))
        print([[len(x) for x in y] for y in s.run(two)])
