"""Modules inside TensorFlow that scripts import: those that are there, those that are not, and what they have."""
import importlib

import tensorflow as tf

THERE = """
tensorflow.python.keras tensorflow.python.keras.layers tensorflow.python.keras.layers.core tensorflow.python.keras.engine.base_layer
tensorflow.python.keras.backend tensorflow.python.keras.utils.np_utils tensorflow.python.keras.models
tensorflow.python.ops.gradient_checker tensorflow.python.ops.list_ops tensorflow.python.ops.ragged.ragged_factory_ops
tensorflow.python.ops.signal.fft_ops tensorflow.python.ops.distributions.normal tensorflow.python.ops.op_selector
tensorflow.python.training.server_lib tensorflow.python.training.tracking.util tensorflow.python.training.device_setter
tensorflow.python.feature_column.feature_column_v2 tensorflow.python.eager.context tensorflow.python.data.util.nest
tensorflow.python.framework.test_util tensorflow.python.util.tf_inspect tensorflow.python.saved_model.loader_impl
tensorflow.contrib.layers.python.layers tensorflow.contrib.layers.python.layers.layers tensorflow.contrib.rnn.python.ops.rnn_cell
tensorflow.contrib.rnn.python.ops.core_rnn_cell tensorflow.contrib.framework.python.ops.variables
tensorflow.contrib.seq2seq.python.ops.attention_wrapper tensorflow.contrib.training.python.training.hparam
tensorflow.contrib.slim.python.slim.nets.resnet_v1 tensorflow.contrib.metrics.python.ops.metric_ops
tensorflow.contrib.legacy_seq2seq.python.ops.seq2seq tensorflow.contrib.crf.python.ops.crf
tensorflow.python.ops.nothing tensorflow.python.nothing.at_all tensorflow.contrib.rnn.python.ops.core_rnn_cell_impl
tensorflow.python.keras.layers.nothing
"""
NAMES = """
tensorflow.python.keras.layers.core:Dense tensorflow.python.keras.models:Sequential tensorflow.python.keras.backend:floatx
tensorflow.python.keras.engine.base_layer:Layer tensorflow.python.keras.utils.np_utils:to_categorical
tensorflow.python.ops.init_ops:Zeros tensorflow.python.ops.init_ops:Orthogonal tensorflow.python.ops.gradient_checker:compute_gradient
tensorflow.python.ops.signal.fft_ops:rfft tensorflow.python.ops.ragged.ragged_factory_ops:constant
tensorflow.python.ops.sort_ops:argsort tensorflow.python.ops.map_fn:map_fn tensorflow.python.framework.test_util:run_v1_only
tensorflow.python.framework.test_util:TensorFlowTestCase tensorflow.contrib.layers.python.layers.layers:fully_connected
tensorflow.contrib.layers.python.layers:batch_norm tensorflow.contrib.layers.python.layers.utils:collect_named_outputs
tensorflow.contrib.framework.python.ops:add_arg_scope tensorflow.contrib.framework.python.ops.variables:get_model_variables
tensorflow.contrib.rnn.python.ops.rnn_cell:LayerNormBasicLSTMCell tensorflow.contrib.rnn.python.ops.core_rnn_cell:_linear
tensorflow.contrib.seq2seq.python.ops.attention_wrapper:BahdanauAttention
tensorflow.contrib.seq2seq.python.ops.attention_wrapper:_BaseAttentionMechanism
tensorflow.contrib.training.python.training.hparam:HParams tensorflow.python.util.tf_inspect:getargspec
tensorflow.python.ops.variables:VariableV1 tensorflow.python.framework.dtypes:float32_ref
tensorflow.python.ops.rnn:_best_effort_input_batch_size tensorflow.python.ops.rnn:_transpose_batch_time
tensorflow.python.lib.io.file_io:read_file_to_string tensorflow.python.ops.control_flow_ops:WhileContext
tensorflow.python.data.ops.dataset_ops:get_legacy_output_types tensorflow.python.framework.ops:IndexedSlicesValue
tensorflow.python.ops.math_ops:nothing tensorflow.contrib.layers.python.layers.layers:nothing
"""
for name in THERE.split():
    try:
        importlib.import_module(name)
        print(name)
    except ImportError as error:
        print(type(error).__name__, error)
for entry in NAMES.split():
    name, _, wanted = entry.partition(":")
    print(entry, hasattr(importlib.import_module(name), wanted))

from tensorflow.contrib.rnn.python.ops.core_rnn_cell import _linear  # noqa: E402

with tf.variable_scope("both"):
    made = _linear([tf.ones([2, 3]), tf.ones([2, 4])], 5, True, bias_initializer=tf.ones_initializer())
print(made.name, made.shape, [(v.name, v.shape.as_list()) for v in tf.global_variables()])
with tf.variable_scope("one"):
    print(_linear(tf.ones([2, 3]), 5, False).name)

from tensorflow.core.framework import types_pb2  # noqa: E402
from tensorflow.python.lib.io import file_io  # noqa: E402
from tensorflow.python.util import tf_inspect  # noqa: E402

print(types_pb2.DT_FLOAT, types_pb2.DT_STRING_REF, types_pb2.DataType.Name(3), types_pb2.DataType.Value("DT_HALF"))
print(list(types_pb2.DataType.keys()))
print(tf_inspect.getargspec(lambda a, b=1, *c, **d: a)[:3], tf.test.mock.Mock(return_value=3)())
file_io.write_string_to_file("one.txt", "some words")
file_io.atomic_write_string_to_file("two.txt", "some words")
print(file_io.read_file_to_string("two.txt"), file_io.filecmp("one.txt", "two.txt"), file_io.file_crc32("one.txt"),
      file_io.read_file_to_string("one.txt", binary_mode=True))
from tensorflow.python.client import device_lib  # noqa: E402
from tensorflow.python.estimator.export import export  # noqa: E402

print([line for line in str(device_lib.list_local_devices()[0]).split("\n") if not line.startswith("incarnation")])
receiver = export.build_raw_serving_input_receiver_fn({"x": tf.placeholder(tf.float32, [None, 2])})()
print(sorted(receiver.features), sorted(receiver.receiver_tensors))
with tf.Graph().as_default(), tf.Session() as session:
    tf.Variable(1.0)
    session.run(tf.global_variables_initializer())
    builder = tf.saved_model.builder.SavedModelBuilder(b"saved")
    builder.add_meta_graph_and_variables(session, ["serve"])
    print(builder.save())
print(hasattr(tf, "optimizers"), hasattr(tf, "activations"), hasattr(tf.keras, "optimizers"))
