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
    back = _engine.view(tensor)
    assert back.ctypes.data == array.ctypes.data and back.tolist() == array.tolist()
    assert not back.flags.writeable
    sole = _engine.Flow.Tensor.new_zeros(_engine.Flow.DType(1), _engine.shape([2]), None)
    address, mine = sole.get_address(), _engine.to_numpy(sole)
    assert mine.ctypes.data == address and mine.flags.writeable
    strings = _engine.to_tensor(np.array([b"a\0b", b""], object), dtypes.string)
    assert _engine.to_numpy(strings).tolist() == [b"a\0b", b""]


def test_old_names():
    """A script of TensorFlow 1's time finds the names that numpy and Python have no more."""
    program = """import collections, inspect, time
import numpy as np
import tensorflow as tf
from tensorflow.python.layers import convolutional
print(np.zeros(2, np.int).dtype, np.float(1) + np.asscalar(np.ones(1)), np.array([1], np.bool), np.object is object)
print(issubclass(list, collections.Iterable), inspect.getargspec(lambda a, b=1: a).args, time.clock() >= 0)
print(convolutional.Convolution2D is tf.layers.Conv2D, tf.keras.__version__)
"""
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "old.py")
        with open(script, "w") as file:
            file.write(program)
        done = subprocess.run([sys.executable, "-W", "error::FutureWarning", "-m", "flowstep", script], capture_output=True,
                              text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[:3] == ["int64 2.0 [ True] True", "True ['a', 'b'] True", "True 2.2.4-tf"], done.stdout


def test_wrapped_sessions():
    """Sessions and hooks of TensorFlow's own debugger run what they are around."""
    from flowstep.tensorflow.sessions import tfdbg
    with tf.Graph().as_default():
        doubled = tf.placeholder(tf.float32, [], name="x") * 2.0
        with tfdbg.LocalCLIDebugWrapperSession(tf.Session()) as sess:
            sess.add_tensor_filter("has_inf_or_nan", tfdbg.has_inf_or_nan)
            assert sess.run(doubled, {"x:0": 3.0}) == 6.0 and sess.graph is doubled.graph
            assert sess.make_callable(doubled, ["x:0"])(4.0) == 8.0 and sess.run_call_count == 2
            assert doubled.eval({"x:0": 1.0}) == 2.0
        tf.train.create_global_step()
        with tf.train.MonitoredSession(hooks=[tfdbg.LocalCLIDebugHook()]) as sess:
            assert sess.run(doubled, {"x:0": 3.0}) == 6.0
        try:
            tfdbg.TensorBoardDebugWrapperSession(sess, "localhost:6064")
        except NotImplementedError as error:
            assert "Flowstep's window" in str(error)
        else:
            raise AssertionError("tensors went somewhere")


def _iterator_in_a_graph(make):
    graph = tf.Graph()
    with graph.as_default():
        iterator = tf.data.make_initializable_iterator(make())
        saveable = tf.data.experimental.make_saveable_from_iterator(iterator)
        return graph, iterator, iterator.get_next(), tf.train.Saver([saveable])


def _rest(sess, element, n=100):
    out = []
    for _ in range(n):
        try:
            out.append(sess.run(element).tolist())
        except tf.errors.OutOfRangeError:
            break
    return out


def _rest_after_saving(make, n, path):
    """What follows n elements, and what follows a restore of that place: in the session, and twice in another."""
    graph, iterator, element, saver = _iterator_in_a_graph(make)
    with tf.Session(graph=graph) as sess:
        sess.run(iterator.initializer)
        _rest(sess, element, n)
        saver.save(sess, path, write_meta_graph=False)
        found = [_rest(sess, element)]
        saver.restore(sess, path)
        found.append(_rest(sess, element))
    graph, iterator, element, saver = _iterator_in_a_graph(make)
    with tf.Session(graph=graph) as sess:
        sess.run(iterator.initializer)
        for _ in range(2):
            saver.restore(sess, path)
            found.append(_rest(sess, element))
    return found


def test_iterators_saved():
    """The same follows a restore as would have followed without it, in any session; lists worked out by hand."""
    made, experimental = tf.data.Dataset, tf.data.experimental
    kinds = [
        (lambda: made.range(9).batch(2).map(lambda x: x * 2), 2, [[8, 10], [12, 14], [16]]),
        (lambda: made.range(12).shuffle(5, seed=7), 0, None),
        (lambda: made.range(4).shuffle(3, seed=7).repeat(3), 5, None),
        (lambda: made.range(1, 6).flat_map(made.range), 5, [2, 0, 1, 2, 3, 0, 1, 2, 3, 4]),
        (lambda: made.range(1, 6).interleave(lambda x: made.from_tensors(x).repeat(x), 3, 2), 5,
         [4, 4, 3, 4, 4, 5, 5, 5, 5, 5]),
        (lambda: made.range(4).concatenate(made.range(10, 16)), 3, [3, 10, 11, 12, 13, 14, 15]),
        (lambda: made.range(3).cache().repeat(3), 4, [1, 2, 0, 1, 2]),
        (lambda: made.range(10).batch(4).apply(experimental.unbatch()), 5, [5, 6, 7, 8, 9]),
        (lambda: made.range(8).window(3).flat_map(lambda x: x.batch(3)), 1, [[3, 4, 5], [6, 7]]),
        (lambda: made.range(12).apply(experimental.group_by_window(lambda x: x % 2, lambda k, w: w.batch(3), window_size=3)),
         1, [[1, 3, 5], [6, 8, 10], [7, 9, 11]]),
        (lambda: made.range(3), 100, []),
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "state")
        for i, (make, n, expected) in enumerate(kinds):
            found = _rest_after_saving(make, n, path)
            assert all(rest == found[0] for rest in found), (i, found)
            assert expected is None or found[0] == expected, (i, found[0])
        graph, iterator, element, saver = _iterator_in_a_graph(lambda: made.range(3).map(lambda x: tf.random_uniform([])))
        with tf.Session(graph=graph) as sess:
            text = raised(tf.errors.FailedPreconditionError, saver.save, sess, path)
            assert "Save() failed because the iterator has not been initialized" in text, text
            sess.run(iterator.initializer)
            text = raised(tf.errors.FailedPreconditionError, saver.save, sess, path)
            assert "RandomUniform is stateful." in text, text
        graph, iterator, element, saver = _iterator_in_a_graph(lambda: made.range(9).shuffle(5))
        with tf.Session(graph=graph) as sess:
            sess.run(iterator.initializer)
            sess.run(element)
            assert "without a seed" in raised(tf.errors.UnimplementedError, saver.save, sess, path)


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
