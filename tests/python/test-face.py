# test-face.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The TensorFlow-1 face: graphs, values and errors as TensorFlow 1.15.5 has them."""

import functools
import importlib
import os
import subprocess
import sys
import tempfile
import traceback

import numpy as np

import flowstep.script

flowstep.script.install()
import tensorflow as tf  # noqa: E402
import tensorflow.compat.v1 as v1  # noqa: E402
from flowstep.tensorflow.framework import _engine  # noqa: E402
from flowstep.tensorflow import dtypes  # noqa: E402


def names():
    return [op.name for op in tf.get_default_graph().get_operations()]


def raised(kind, function, *arguments, **keywords):
    try:
        function(*arguments, **keywords)
    except kind as error:
        return str(error)
    raise AssertionError("no %s" % kind.__name__)


def test_modules():
    assert v1.Graph is tf.Graph and v1.float32 is tf.float32


def test_where_ops_were_made():
    made = [tf.raw_ops.Neg(x=tf.constant(1.)).op, tf.add(1., 2.).op]
    for op in made:
        assert [frame[2] for frame in op.traceback][-1] == "test_where_ops_were_made", op.traceback


def test_names():
    a = tf.constant(1., name="X")
    tf.constant(2., name="x")
    with tf.name_scope("s") as scope:
        a + 1.
    with tf.name_scope(scope):
        a * 2.
    assert names() == ["X", "x_1", "s/add/y", "s/add", "s/mul/y", "s/mul"], names()


def test_public_names():
    """The package's own modules are not tf's, whenever they are loaded; scripts find them where TensorFlow has them."""
    for name in ("framework", "operators", "sessions", "control", "ops", "session"):
        assert not hasattr(tf, name) and name not in dir(tf), name
    assert "python" not in dir(tf) and "betainc" in dir(tf)
    importlib.import_module(tf.__name__ + ".testing.benchmarks")
    assert not hasattr(tf, "benchmarks") and not hasattr(tf, "testing")


def test_refusals():
    """What no session on a CPU can do says so, and nothing is done in its place."""
    assert "Flowstep shows graphs" in raised(RuntimeError, tf.enable_eager_execution)
    assert raised(RuntimeError, tf.enable_v2_tensorshape).startswith("tf.enable_v2_tensorshape: ")
    for path in ("tpu.rewrite", "lite.TFLiteConverter", "xla.experimental.compile", "distribute.MirroredStrategy",
                 "saved_model.save", "vectorized_map"):
        function = functools.reduce(getattr, path.split("."), tf)
        assert raised(NotImplementedError, function).startswith("tf.%s: " % path), path
    assert not tf.distribute.has_strategy() and not tf.distribute.in_cross_replica_context()


def test_import_told():
    """What fails while the face is loaded is told as it is."""
    code = ("import sys, flowstep.script; flowstep.script.install()\n"
            "sys.modules['numpy'] = None\nimport tensorflow")
    run = subprocess.run([sys.executable, "-c", code], capture_output=True)
    assert run.returncode == 1 and b"'tensorflow'" not in run.stderr and b"numpy" in run.stderr, run.stderr


def test_variables():
    with tf.variable_scope("v"):
        w = tf.get_variable("w", [2], initializer=tf.zeros_initializer())
    with tf.variable_scope("v", reuse=True):
        assert tf.get_variable("w", [2]) is w
        text = raised(ValueError, tf.get_variable, "u", [2])
    assert text.startswith("Variable v/u does not exist"), text
    assert names()[:4] == ["v/w/Initializer/zeros", "v/w", "v/w/Assign", "v/w/read"], names()


def test_run():
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    w = tf.Variable([[1.], [2.], [3.]], name="w")
    y = tf.matmul(x, w)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        got = session.run({"y": y, "both": [x, (w, y.op)]}, {x: np.eye(3)})
        assert got["y"].tolist() == [[1.], [2.], [3.]] and got["both"][1][1] is None
        text = raised(ValueError, session.run, y, {x: np.ones([2, 2])})
    assert text == "Cannot feed value of shape (2, 2) for Tensor 'x:0', which has shape '(?, 3)'", text


def test_no_copies():
    array = np.arange(6, dtype=np.float32)
    tensor = _engine.to_tensor(array, dtypes.float32)
    assert tensor.get_address() == array.ctypes.data
    back = _engine.to_numpy(tensor)
    assert back.ctypes.data == array.ctypes.data and back.tolist() == array.tolist()
    strings = _engine.to_tensor(np.array([b"a\0b", b""], object), dtypes.string)
    assert _engine.to_numpy(strings).tolist() == [b"a\0b", b""]


def test_errors():
    a = tf.placeholder(tf.float32, [2, 3], name="a")
    text = raised(ValueError, tf.matmul, a, a)
    assert text == ("Dimensions must be equal, but are 3 and 2 for 'MatMul' (op: 'MatMul') with input shapes: [2,3], "
                    "[2,3]."), text
    before = names()
    raised(ValueError, tf.matmul, a, a)
    assert names() == before
    text = raised(TypeError, tf.add, a, tf.placeholder(tf.int32, [2], name="b"))
    assert text == "Input 'y' of 'Add' Op has type int32 that does not match type float32 of argument 'x'.", text


def test_messages():
    graph = tf.GraphDef()
    node = graph.node.add(name="n", op="NoOp")
    node.attr["T"].type = 1
    node.input.append("^m")
    copy = tf.GraphDef.FromString(graph.SerializeToString())
    assert copy == graph and copy.node[0].attr["T"].type == 1 and list(copy.node[0].input) == ["^m"]


def test_edits_of_later_graphs():
    """What the window adds to a file that a later release wrote leaves the attrs that only that one knows."""
    x = tf.placeholder(tf.float32, [2], name="x")
    with tf.name_scope("model"):
        tf.nn.relu(x, name="y")
    graph = tf.get_default_graph().as_graph_def()
    graph.node[1].attr["slope"].f = 0.25
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("given.pb", "made.meta")]
        with open(paths[0], "wb") as file:
            file.write(graph.SerializeToString())
        subprocess.run([sys.executable, "-m", "flowstep.edits", *paths, "clone", "copy", "model"], check=True, capture_output=True)
        with open(paths[1], "rb") as file:
            made = {n.name: n for n in tf.MetaGraphDef.FromString(file.read()).graph_def.node}
    assert sorted(made) == ["copy/model/y", "model/y", "x"], sorted(made)
    assert made["model/y"].attr["slope"].f == 0.25 and "slope" not in made["copy/model/y"].attr


tests = [v for k, v in sorted(globals().items()) if k.startswith("test_")]
print("1..%d" % len(tests))
failed = 0
for i, test in enumerate(tests, 1):
    tf.reset_default_graph()
    try:
        test()
        print("ok %d %s" % (i, test.__name__))
    except Exception:
        failed += 1
        print("not ok %d %s" % (i, test.__name__))
        print("".join("# " + line + "\n" for line in traceback.format_exc().splitlines()), end="")
sys.exit(failed != 0)
