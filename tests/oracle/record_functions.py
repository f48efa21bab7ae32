#!/usr/bin/env python3
# record_functions.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Records small graphs that call functions, and what TensorFlow 1.15.5 computes or says of them.

record_functions.py FOLDER     writes FOLDER/NAME.pb and FOLDER/functions.json

Run with TensorFlow 1.15.5. Grappler is off, because what it inlines is not there any more to be named.
"""

import json
import pathlib
import re
import sys

import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.core.framework import attr_value_pb2
from tensorflow.python.framework import function
from tensorflow.python.eager import wrap_function
from tensorflow.python.ops import control_flow_v2_toggles
from tensorflow.python.ops import functional_ops
from tensorflow.python.ops import gen_batch_ops
from tensorflow.python.ops import gen_functional_ops

tf.disable_v2_behavior()
CASES = []
f32, i32 = tf.float32, tf.int32


def case(build):
    CASES.append((build.__name__.replace("_", "-"), build))
    return build


def scalar(name="x", dtype=f32):
    return tf.placeholder(dtype, [], name=name)


# --- calls ---------------------------------------------------------------------------------------------


@case
def call():
    @function.Defun(f32, f32, func_name="blend")
    def blend(a, b):
        return a * 0.25 + b * 0.75, a - b

    x = tf.placeholder(f32, [2], name="x")
    one, two = blend(x, x + 1.0, name="b")
    return [tf.identity(one, "one"), tf.identity(two, "two")], [{"x:0": [1.0, 2.0]}, {"x:0": [-3.0, 0.5]}]


@case
def call_twice():
    @function.Defun(f32, func_name="inner")
    def inner(a):
        return tf.square(a)

    @function.Defun(f32, func_name="outer")
    def outer(a):
        return inner(a, name="first") + inner(a + 1.0, name="second")

    x = scalar()
    return [tf.identity(outer(x, name="c") * outer(x * 2.0, name="d"), "y")], [{"x:0": 3.0}]


@case
def call_identity():
    @function.Defun(f32, f32, func_name="swap")
    def swap(a, b):
        return b, a

    x = scalar()
    a, b = swap(x, x + 1.0, name="s")
    return [tf.identity(a, "a"), tf.identity(b, "b")], [{"x:0": 3.0}]


@case
def call_of_lists():
    @function.Defun(f32, f32, f32, func_name="pile")
    def pile(a, b, c):
        parts = tf.split(tf.concat([tf.stack([a, b]), tf.stack([b, c])], 0), [1, 2, 1])
        return parts[1], tf.unstack(tf.concat(parts, 0), 4)[3]

    x = scalar()
    a, b = pile(x, x + 1.0, x + 2.0, name="p")
    return [tf.identity(a, "a"), tf.identity(b, "b")], [{"x:0": 3.0}]


@case
def partitioned_call():
    @tf.function
    def f(a):
        return tf.nn.relu(a) + 1.0

    x = tf.placeholder(f32, [3], name="x")
    return [tf.identity(f(x), "y")], [{"x:0": [1.0, -2.0, 0.0]}]


@case
def stateful_call():
    with tf.variable_scope("v", use_resource=True):
        v = tf.get_variable("w", initializer=2.0)

    @tf.function
    def f(a):
        v.assign_add(a)
        return v.read_value() * a

    x = scalar()
    y = tf.identity(f(x), "y")
    with tf.control_dependencies([y]):
        after = tf.identity(v.read_value(), "after")
    return [y, after], [{"x:0": 1.0}, {"x:0": 3.0}], tf.global_variables_initializer()


@case
def remote_call():
    @function.Defun(f32, func_name="twice")
    def twice(a):
        return a * 2.0

    x = scalar()
    y = functional_ops.remote_call(args=[x], Tout=[f32], f=twice, target="/job:localhost/replica:0/task:0/cpu:0")
    return [tf.identity(y[0], "y")], [{"x:0": 2.0}]


@case
def loop_in_function():
    @function.Defun(f32, func_name="power")
    def power(a):
        a.set_shape([])
        return tf.while_loop(lambda i, b: i < 5, lambda i, b: (i + 1, b * a), [0, 1.0], name="w")[1]

    x = scalar()
    return [tf.identity(power(x, name="p"), "y")], [{"x:0": 2.0}, {"x:0": -1.5}]


@case
def cond_in_function():
    @function.Defun(f32, func_name="choose")
    def choose(a):
        return tf.cond(a > 0.0, lambda: a * 2.0, lambda: a - 1.0)

    x = scalar()
    return [tf.identity(choose(x, name="c"), "y")], [{"x:0": 2.0}, {"x:0": -1.5}]


@case
def random_in_function():
    @function.Defun(f32, func_name="noise")
    def noise(a):
        return a + tf.random_uniform([3], seed=7)

    x = scalar()
    tf.set_random_seed(5)
    return [tf.identity(noise(x, name="n"), "y")], [{"x:0": 0.0}, {"x:0": 0.0}, {"x:0": 1.0}]


@case
def random_called_twice():
    @function.Defun(f32, func_name="noise")
    def noise(a):
        return a + tf.random_uniform([2], seed=7)

    x = scalar()
    first = noise(x, name="first")
    with tf.control_dependencies([first]):
        second = noise(x, name="second")
    return [tf.identity(first, "a"), tf.identity(second, "b")], [{"x:0": 0.0}, {"x:0": 0.0}]


# --- If, Case, While, For ------------------------------------------------------------------------------


def branches():
    @function.Defun(f32, f32, func_name="add_up")
    def then_branch(a, b):
        return a + b, a

    @function.Defun(f32, f32, func_name="take_off")
    def else_branch(a, b):
        return a - b, b * 2.0

    return then_branch, else_branch


@case
def if_():
    p = tf.placeholder(tf.bool, [], name="p")
    x = scalar()
    a, b = functional_ops.If(p, [x, x * 3.0], *branches(), name="choose")
    return [tf.identity(a, "a"), tf.identity(b, "b")], [{"p:0": True, "x:0": 2.0}, {"p:0": False, "x:0": 2.0}]


@case
def if_of_number():
    p = tf.placeholder(f32, name="p")
    x = scalar()
    a, b = functional_ops.If(p, [x, x * 3.0], *branches(), name="choose")
    return [tf.identity(a, "a")], [{"p:0": 0.5, "x:0": 2.0}, {"p:0": 0.0, "x:0": 2.0}, {"p:0": [0.0], "x:0": 2.0},
                                   {"p:0": [], "x:0": 2.0}]


@case
def if_of_string():
    p = tf.placeholder(tf.string, [], name="p")
    x = scalar()
    a, b = functional_ops.If(p, [x, x * 3.0], *branches(), name="choose")
    return [tf.identity(a, "a")], [{"p:0": "yes", "x:0": 2.0}, {"p:0": "", "x:0": 2.0}]


def while_parts():
    @function.Defun(i32, f32, func_name="more")
    def more(i, a):
        return i < 4

    @function.Defun(i32, f32, func_name="again")
    def again(i, a):
        return i + 1, a * 1.5 + tf.cast(i, f32)

    return more, again


@case
def while_():
    x = scalar()
    i, a = functional_ops.While([tf.constant(0), x], *while_parts(), name="loop")
    return [tf.identity(i, "i"), tf.identity(a, "a")], [{"x:0": 2.0}, {"x:0": -1.0}]


@case
def while_never():
    x = scalar()
    i, a = functional_ops.While([tf.constant(9), x], *while_parts(), name="loop")
    return [tf.identity(i, "i"), tf.identity(a, "a")], [{"x:0": 2.0}]


def lowered(op, inputs, dtypes, name, **attrs):
    """An op that TensorFlow's optimizer writes, and Python has no function for."""
    def attr(value):
        if isinstance(value, list):
            return attr_value_pb2.AttrValue(list=attr_value_pb2.AttrValue.ListValue(type=[t.as_datatype_enum for t in value]))
        if isinstance(value, tf.DType):
            return attr_value_pb2.AttrValue(type=value.as_datatype_enum)
        value.add_to_graph(tf.get_default_graph())
        return attr_value_pb2.AttrValue(func=attr_value_pb2.NameAttrList(name=value.name))
    graph = tf.get_default_graph()
    return graph.create_op(op, inputs, dtypes, name=name, attrs={k: attr(v) for k, v in attrs.items()}).outputs


@case
def lowered_if():
    p = tf.placeholder(f32, name="p")
    x = scalar()
    then_branch, else_branch = branches()
    a, b = lowered("_If", [p, x, x * 3.0], [f32, f32], "choose", Tcond=f32, Tin=[f32, f32], Tout=[f32, f32],
                   then_branch=then_branch, else_branch=else_branch)
    return [tf.identity(a, "a"), tf.identity(b, "b")], [{"p:0": 0.5, "x:0": 2.0}, {"p:0": 0.0, "x:0": 2.0},
                                                      {"p:0": [], "x:0": 2.0}]


@case
def lowered_while():
    x = scalar()
    more, again = while_parts()
    i, a = lowered("_While", [tf.constant(0), x], [i32, f32], "loop", T=[i32, f32], cond=more, body=again)
    return [tf.identity(i, "i"), tf.identity(a, "a")], [{"x:0": 2.0}, {"x:0": -1.0}]


@case
def while_in_if():
    more, again = while_parts()

    @function.Defun(f32, func_name="long_way")
    def long_way(a):
        return functional_ops.While([tf.constant(0), a], more, again, name="inner")[1]

    @function.Defun(f32, func_name="short_way")
    def short_way(a):
        return -a

    x = scalar()
    a = functional_ops.If(x > 0.0, [x], long_way, short_way, name="choose")[0]
    return [tf.identity(a, "a")], [{"x:0": 2.0}, {"x:0": -2.0}]


@case
def for_():
    @function.Defun(i32, f32, func_name="round")
    def one_round(i, a):
        return a * 2.0 + tf.cast(i, f32)

    x = scalar()
    n = scalar("n", i32)
    d = scalar("d", i32)
    a = functional_ops.For(1, n, d, [x], one_round, name="loop")[0]
    return [tf.identity(a, "a")], [{"x:0": 2.0, "n:0": 5, "d:0": 1}, {"x:0": 2.0, "n:0": 1, "d:0": 1},
                                   {"x:0": 2.0, "n:0": 6, "d:0": 2}, {"x:0": 2.0, "n:0": -3, "d:0": -2},
                                   {"x:0": 2.0, "n:0": 6, "d:0": -1}, {"x:0": 2.0, "n:0": 1, "d:0": 0}]


@case
def case_():
    def branch(k):
        @function.Defun(f32, func_name="branch_%d" % k)
        def of_k(a):
            return a * k + 1.0

        return of_k

    k = scalar("k", i32)
    x = scalar()
    made = [branch(i) for i in range(3)]
    for one in made:
        one.add_to_graph(tf.get_default_graph())
    a = gen_functional_ops.case(k, [x], [f32], [attr_value_pb2.NameAttrList(name=b.name) for b in made], name="pick")[0]
    return [tf.identity(a, "a")], [{"k:0": k, "x:0": 2.0} for k in (0, 1, 2, 3, -1)]


@case
def measured_filter():
    dataset = tf.data.Dataset.range(9).filter(lambda x: tf.equal(x % 3, 0))
    options = tf.data.Options()
    options.experimental_stats.aggregator = tf.data.experimental.StatsAggregator()
    options.experimental_optimization.apply_default_optimizations = False
    options.experimental_optimization.autotune = False
    iterator = tf.data.make_initializable_iterator(dataset.with_options(options))
    x = tf.identity(iterator.get_next(), "x")
    with tf.control_dependencies([x]):
        told = options.experimental_stats.aggregator.get_summary()
    # As numbers: what is told has no other text.
    return [x, tf.identity(tf.io.decode_raw(told, tf.uint8), "told")], [{}, {}], iterator.initializer


@case
def batch_function():
    @function.Defun(f32, f32, func_name="scaled")
    def scaled(a, c):
        return a * 2.0 + c, tf.check_numerics(a, "a")

    @function.Defun(f32, func_name="summed")
    def summed(a):
        return tf.reduce_sum(a)

    @function.Defun(f32, func_name="doubled")
    def doubled(a):
        return tf.concat([a, a], 0)

    x = tf.placeholder(f32, name="x")
    which = scalar("which", i32)
    common = {"num_batch_threads": 1, "batch_timeout_micros": 1000}
    many = gen_batch_ops.batch_function([x], [tf.constant(5.0)], f=scaled, Tout=[f32, f32], max_batch_size=10,
                                        allowed_batch_sizes=[4, 10], name="many", **common)
    with tf.control_dependencies(many):
        one = tf.cond(which < 1, lambda: tf.constant([0.0]), lambda: tf.cond(
            which < 2,
            lambda: gen_batch_ops.batch_function([x], [], f=summed, Tout=[f32], max_batch_size=10, name="sum", **common)[0],
            lambda: gen_batch_ops.batch_function([x], [], f=doubled, Tout=[f32], max_batch_size=10, name="twice",
                                                 **common)[0]))
    return ([tf.identity(many[0], "a"), tf.identity(many[1], "b"), tf.identity(one, "c")],
            [{"which:0": 0, "x:0": v} for v in ([1.0, 2.0], [1.0] * 5, [1.0] * 11, 1.0, [])]
            + [{"which:0": k, "x:0": [1.0, 2.0]} for k in (1, 2)] + [{"which:0": 0, "x:0": [float("inf")]}])


# --- control flow as TensorFlow 2 writes it ------------------------------------------------------------


def v2(build):
    def built():
        control_flow_v2_toggles.enable_control_flow_v2()
        try:
            return build()
        finally:
            control_flow_v2_toggles.disable_control_flow_v2()

    built.__name__ = build.__name__
    return case(built)


@v2
def v2_cond():
    x = scalar()
    y = tf.cond(x > 1.0, lambda: x * 2.0, lambda: tf.square(x) - 1.0, name="choose")
    return [tf.identity(y, "y"), tf.identity(tf.gradients(y, x)[0], "dx")], [{"x:0": 3.0}, {"x:0": -0.5}]


@v2
def v2_while():
    x = scalar()
    n = scalar("n", i32)
    i, y = tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, tf.tanh(a) * x), [0, x], name="loop")
    return [tf.identity(y, "y"), tf.identity(i, "i")], [{"x:0": 1.5, "n:0": 3}, {"x:0": 1.5, "n:0": 0}]


@v2
def v2_while_gradient():
    x = scalar()
    n = scalar("n", i32)
    y = tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, tf.tanh(a) * x), [0, x], name="loop")[1]
    return [tf.identity(y, "y"), tf.identity(tf.gradients(y, x)[0], "dx")], [{"x:0": 1.5, "n:0": 3}, {"x:0": 0.5, "n:0": 1}]


@v2
def v2_nested():
    x = scalar()

    def body(i, a):
        return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: a * x, lambda: tf.sin(a))

    y = tf.while_loop(lambda i, a: i < 4, body, [0, x], name="loop")[1]
    return [tf.identity(y, "y"), tf.identity(tf.gradients(y, x)[0], "dx")], [{"x:0": 1.5}]


@v2
def v2_switch_case():
    x = scalar()
    k = scalar("k", i32)
    y = tf.switch_case(k, [lambda: x * 2.0, lambda: tf.exp(x), lambda: x - 1.0], name="pick")
    return [tf.identity(y, "y"), tf.identity(tf.gradients(y, x)[0], "dx")], [{"x:0": 1.5, "k:0": k} for k in (0, 1, 2, 5)]


@v2
def v2_variable():
    with tf.variable_scope("v", use_resource=True):
        v = tf.get_variable("w", initializer=2.0)
    x = scalar()
    y = tf.cond(x > 0.0, lambda: v.assign_add(x), lambda: v.assign_sub(1.0), name="choose")
    return [tf.identity(y, "y")], [{"x:0": 3.0}, {"x:0": -3.0}, {"x:0": 1.0}], tf.global_variables_initializer()


@v2
def v2_random():
    tf.set_random_seed(3)
    x = scalar()
    y = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a + tf.random_uniform([], seed=4)), [0, x], name="loop")[1]
    return [tf.identity(y, "y")], [{"x:0": 0.0}, {"x:0": 0.0}]


@v2
def v2_map():
    x = tf.placeholder(f32, [None], name="x")
    y = tf.map_fn(lambda a: a * a + 1.0, x, name="each")
    return [tf.identity(y, "y"), tf.identity(tf.gradients(y, x)[0], "dx")], [{"x:0": [1.0, 2.0, 3.0]}]


# --- gradients of functions ----------------------------------------------------------------------------


def as_array(value):
    """Numbers as TensorFlow takes those of Python: float32 and int32."""
    array = np.array(value)
    given = isinstance(value, np.ndarray)
    return array if given or array.dtype == bool else array.astype(np.float32 if array.dtype.kind == "f" else np.int32)


def gradient_of(op, attrs, inputs, types):
    """A SymbolicGradient of an op that is no function."""
    func = attr_value_pb2.NameAttrList(name=op)
    for key, value in attrs.items():
        attr = func.attr[key]
        if isinstance(value, bool):
            attr.b = value
        elif isinstance(value, tf.DType):
            attr.type = value.as_datatype_enum
        elif isinstance(value, int):
            attr.i = value
        elif isinstance(value, str):
            attr.s = value.encode()
        elif value and isinstance(value[0], tf.DType):
            attr.list.type.extend(v.as_datatype_enum for v in value)
        else:
            attr.list.i.extend(value)
            if not value:
                attr.list.SetInParent()
    return gen_functional_ops.symbolic_gradient([tf.constant(as_array(i)) for i in inputs], types, f=func, name="gradient_of_" + op)


@case
def gradients_of_unary_ops():
    x, dy = [0.3, -0.6, 0.8], [1.5, -2.0, 0.25]
    ops = ("Abs Acos Asin Asinh Atan Atanh Cos Cosh Exp Expm1 Identity Inv Neg Reciprocal Relu Relu6 Sigmoid Sign Sin Sinh Square"
           " Squeeze Tan Tanh")
    out = [gradient_of(op, {"T": f32}, [x, dy], [f32])[0] for op in ops.split()]
    positive = [1.3, 2.5, 7.0]
    out += [gradient_of(op, {"T": f32}, [positive, dy], [f32])[0] for op in "Acosh Log Log1p Rsqrt Sqrt".split()]
    out += [gradient_of(op, {"T": f32}, [[x, positive], [dy, x]], [f32])[0] for op in ("Softmax", "LogSoftmax")]
    out += [gradient_of("Cast", {"SrcT": f32, "DstT": tf.float64}, [x, np.float64(dy)], [f32])[0]]
    return out, [{}]


@case
def gradients_of_binary_ops():
    x, y, dz = [[0.5, -1.5, 2.0], [3.0, 0.0, -1.0]], [2.0, -0.5, 3.0], [[1.0, 2.0, -1.0], [0.5, 1.5, 4.0]]
    ops = "Add AddV2 Sub Mul MulNoNan Div RealDiv DivNoNan Maximum Minimum SquaredDifference Xdivy"
    out = []
    for op in ops.split():
        out += gradient_of(op, {"T": f32}, [x, y, dz], [f32, f32])
    positive = [[0.5, 1.5, 2.0], [3.0, 0.25, 1.0]]
    for op in ("Pow", "Xlogy"):
        out += gradient_of(op, {"T": f32}, [positive, [2.0, 0.5, 3.0], dz], [f32, f32])
    out += gradient_of("Select", {"T": f32}, [[[True, False, True]] * 2, x, dz, dz], [tf.bool, f32, f32])[1:]
    return out, [{}]


@case
def gradients_of_reductions():
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4) % 7
    out = []
    for op in ("Sum", "Mean", "Max", "Min"):
        for axes, dy in (([1], np.ones([2, 4], np.float32) * 3), ([0, -1], np.float32([1, 2, 3]))):
            if op != "Sum" or -1 not in axes:
                axes = [a % 3 for a in axes]
            out.append(gradient_of(op, {"T": f32, "Tidx": i32, "keep_dims": False}, [x, axes, dy], [f32, i32])[0])
    return out, [{}]


@case
def gradients_of_products():
    x = np.float32([[1, 2, 3], [4, 5, 6]])
    y = np.float32([[1, -1], [2, 0.5], [0, 3]])
    dz = np.float32([[1, 2], [3, -4]])
    out = []
    for a in (False, True):
        for b in (False, True):
            p, q = (x.T if a else x), (y.T if b else y)
            out += gradient_of("MatMul", {"T": f32, "transpose_a": a, "transpose_b": b}, [p, q, dz], [f32, f32])
            out += gradient_of("BatchMatMul", {"T": f32, "adj_x": a, "adj_y": b}, [[p, p], [q, -q], [dz, dz]], [f32, f32])
            out += gradient_of("BatchMatMulV2", {"T": f32, "adj_x": a, "adj_y": b}, [[p, p], q, [dz, dz]], [f32, f32])
    return out, [{}]


@case
def gradients_of_arrays():
    x = np.float32([[1, 2, 3], [4, 5, 6]])
    v = np.float32([1, 2, 3, 4])
    T = {"T": f32}
    masks = {"begin_mask": 0, "end_mask": 0, "ellipsis_mask": 0, "new_axis_mask": 0, "shrink_axis_mask": 0}
    out = gradient_of("Reshape", dict(T, Tshape=i32), [x, [6], np.arange(6, dtype=np.float32)], [f32, i32])
    out += gradient_of("ExpandDims", dict(T, Tdim=i32), [v, 0, [v]], [f32, i32])
    out += gradient_of("Transpose", dict(T, Tperm=i32), [x, [1, 0], x.T * 2], [f32, i32])
    out += gradient_of("GatherNd", {"Tparams": f32, "Tindices": i32}, [v, [[0], [2], [0]], [1.0, 2.0, 4.0]], [f32, i32])
    out += gradient_of("Fill", dict(T, index_type=i32), [[2, 3], 1.0, x], [i32, f32])
    out += gradient_of("ReverseV2", dict(T, Tidx=i32), [x, [1], x], [f32, i32])
    out += gradient_of("SplitV", dict(T, Tlen=i32, num_split=2), [v, [1, 3], 0, [1.0], [2.0, 3.0, 4.0]], [f32, i32, i32])
    out += gradient_of("Split", dict(T, num_split=2), [0, v, [1.0, 5.0], [2.0, 3.0]], [i32, f32])
    out += gradient_of("Pack", dict(T, N=2, axis=1), [v, v, np.stack([v, v * 2], 1)], [f32, f32])
    out += gradient_of("Unpack", dict(T, num=2, axis=0), [x, [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [f32])
    out += gradient_of("Concat", dict(T, N=2), [1, x, x, np.arange(12, dtype=np.float32).reshape(2, 6)], [i32, f32, f32])
    out += gradient_of("ConcatV2", dict(T, N=3, Tidx=i32), [x, x, x, 0, np.arange(18, dtype=np.float32).reshape(6, 3)],
                       [f32, f32, f32, i32])
    out += gradient_of("Slice", dict(T, Index=i32), [x, [0, 1], [2, 1], [[5.0], [7.0]]], [f32, i32, i32])
    out += gradient_of("StridedSlice", dict(T, Index=i32, **masks), [v, [0], [4], [2], [5.0, 7.0]], [f32, i32, i32, i32])
    out += gradient_of("StridedSliceGrad", dict(T, Index=i32, **masks), [[4], [0], [4], [2], [5.0, 7.0], v], [i32] * 4 + [f32])
    out += gradient_of("BroadcastTo", dict(T, Tidx=i32), [[1.0], [4], v], [f32, i32])
    return out, [{}]


@case
def gradients_of_layers():
    x = np.arange(32, dtype=np.float32).reshape(1, 4, 4, 2) % 5
    k = np.arange(16, dtype=np.float32).reshape(2, 2, 2, 2) % 3
    window = {"T": f32, "strides": [1, 2, 2, 1], "padding": "SAME", "data_format": "NHWC"}
    out = gradient_of("Conv2D", dict(window, strides=[1, 1, 1, 1], use_cudnn_on_gpu=True, dilations=[1, 1, 1, 1], explicit_paddings=[]),
                      [x, k, x * 0.5], [f32, f32])
    small = np.arange(8, dtype=np.float32).reshape(1, 2, 2, 2)
    out += gradient_of("MaxPool", dict(window, ksize=[1, 2, 2, 1]), [x, small], [f32])
    out += gradient_of("AvgPool", dict(window, ksize=[1, 2, 2, 1]), [x, small], [f32])
    out += gradient_of("BiasAdd", {"T": f32, "data_format": "NHWC"}, [x, [1.0, 2.0], x], [f32, f32])
    return out, [{}]


@case
def gradient_of_function():
    @function.Defun(f32, f32, f32, func_name="layer")
    def layer(x, w, b):
        h = tf.nn.relu(tf.nn.bias_add(tf.matmul(x, w), b))
        return tf.nn.softmax(h), tf.reduce_mean(tf.square(h))

    x = tf.placeholder(f32, [2, 3], name="x")
    w = tf.constant([[0.5, -0.25], [1.0, 0.75], [-0.5, 0.125]])
    b = tf.constant([0.1, -0.1])
    y, z = layer(x, w, b, name="call")
    loss = tf.reduce_sum(y * [[1.0, 2.0], [3.0, 4.0]]) + z
    return [tf.identity(loss, "loss")] + tf.gradients(loss, [x, w, b]), [{"x:0": [[1.0, 2.0, 3.0], [-1.0, 0.5, 2.0]]}]


@case
def gradient_of_nested_functions():
    @function.Defun(f32, func_name="inner")
    def inner(a):
        return tf.tanh(a) * a

    @function.Defun(f32, f32, func_name="outer")
    def outer(a, b):
        return inner(a) + inner(a * b), tf.stop_gradient(a) * b

    x = scalar()
    y, z = outer(x, x * 2.0, name="call")
    return [tf.identity(y + z, "y"), tf.gradients(y + z, x)[0]], [{"x:0": 0.7}, {"x:0": -1.2}]


@case
def gradient_of_one_result():
    @function.Defun(f32, func_name="two")
    def two(a):
        return tf.sin(a), tf.cast(a > 0.0, f32), tf.exp(a)

    x = scalar()
    a, b, c = two(x, name="call")
    return [tf.gradients(a, x)[0], tf.gradients(c * b, x)[0]], [{"x:0": 0.7}]


@case
def gradient_of_ones_own():
    @function.Defun(f32, f32, func_name="cube_gradient")
    def cube_gradient(a, dy):
        return 100.0 * dy * a

    @function.Defun(f32, func_name="cube", grad_func=cube_gradient)
    def cube(a):
        return a * a * a

    @function.Defun(f32, func_name="uses")
    def uses(a):
        return cube(a, name="c") + a

    x = scalar()
    y = uses(x, name="u") + cube(x, name="v")
    return [tf.identity(y, "y"), tf.gradients(y, x)[0]], [{"x:0": 2.0}]


@case
def gradient_of_gradient():
    @function.Defun(f32, func_name="f")
    def f(a):
        return a * a * a

    x = scalar()
    y = f(x, name="c")
    return [tf.gradients(y, x)[0]], [{"x:0": 2.0}]


@case
def error_no_gradient():
    @function.Defun(f32, func_name="tiled")
    def tiled(a):
        return tf.tile(tf.reshape(a, [1]), [3])

    x = scalar()
    return [tf.gradients(tiled(x, name="c"), x)[0]], [{"x:0": 2.0}]


@case
def error_gradient_is_zero():
    return [gradient_of("Floor", {"T": f32}, [1.0, 2.0], [f32])[0]], [{}]


@case
def error_gradient_of_gradient():
    return [gradient_of("SymbolicGradient", {"T": f32}, [1.0, 2.0], [f32])[0]], [{}]


# --- errors --------------------------------------------------------------------------------------------


def check(a):
    return tf.check_numerics(a * 2.0, "bad", name="check")


@case
def cond_in_wrapped_function():
    """Of a cond that is lowered within a function that may run on several devices what leads to its outputs alone is run."""
    counter = tf.Variable(0.0, use_resource=True, name="counter")

    def body(x):
        def then():
            counter.assign_add(x)
            with tf.control_dependencies([counter.assign_add(10.0 * x)]):
                return x + 1.0
        return tf.cond(x > 0.0, then, lambda: -x)

    result = wrap_function.wrap_function(body, [tf.TensorSpec([], f32)])(scalar())
    with tf.control_dependencies([result]):
        value = counter.read_value()
    return [tf.identity(result, "result"), tf.identity(value, "value")], [{"x:0": 2.0}, {"x:0": -1.0}], counter.initializer


@case
def error_in_call():
    @function.Defun(f32, func_name="blend")
    def blend(a):
        return check(a) + 1.0

    x = scalar()
    return [tf.identity(blend(x, name="call_it"), "y")], [{"x:0": float("inf")}, {"x:0": 1.0}]


@case
def error_in_nested_call():
    @function.Defun(f32, func_name="inner")
    def inner(a):
        return check(a) + 1.0

    @function.Defun(f32, func_name="outer")
    def outer(a):
        return inner(a, name="call_inner") * 3.0

    x = scalar()
    return [tf.identity(outer(x, name="call_it"), "y")], [{"x:0": float("inf")}]


@case
def error_in_partitioned_call():
    @tf.function
    def f(a):
        return check(a) + 1.0

    x = scalar()
    return [tf.identity(f(x), "y")], [{"x:0": float("inf")}]


@case
def error_in_while():
    @function.Defun(i32, f32, func_name="more")
    def more(i, a):
        return i < 4

    @function.Defun(i32, f32, func_name="again")
    def again(i, a):
        return i + 1, check(a) * 1e30

    x = scalar()
    a = functional_ops.While([tf.constant(0), x], more, again, name="loop")[1]
    return [tf.identity(a, "a")], [{"x:0": 2.0}]


@case
def error_in_if():
    @function.Defun(f32, func_name="then")
    def then_branch(a):
        return check(a) * 2.0

    @function.Defun(f32, func_name="otherwise")
    def else_branch(a):
        return a

    x = scalar()
    a = functional_ops.If(x > 0.0, [x], then_branch, else_branch, name="choose")[0]
    return [tf.identity(a, "a")], [{"x:0": float("inf")}, {"x:0": float("-inf")}]


@v2
def v2_error_in_cond():
    x = scalar()
    y = tf.cond(x > 0.0, lambda: check(x) * 2.0, lambda: x, name="choose")
    return [tf.identity(y, "y")], [{"x:0": float("inf")}]


@v2
def v2_error_in_while():
    x = scalar()
    y = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, check(a) * 1e30), [0, x], name="loop")[1]
    return [tf.identity(y, "y")], [{"x:0": 2.0}]


@case
def error_uninitialized():
    with tf.variable_scope("v", use_resource=True):
        v = tf.get_variable("w", initializer=2.0)

    @tf.function
    def f(a):
        return v.read_value() * a

    x = scalar()
    return [tf.identity(f(x), "y")], [{"x:0": 1.0}]


@case
def error_while_not_bool():
    @function.Defun(f32, func_name="more")
    def more(a):
        return tf.complex(a, a)

    @function.Defun(f32, func_name="again")
    def again(a):
        return a + 1.0

    x = scalar()
    a = functional_ops.While([x], more, again, name="loop")[0]
    return [tf.identity(a, "a")], [{"x:0": 2.0}]


# --- recording -----------------------------------------------------------------------------------------


def plain(value):
    value = np.asarray(value)
    return {"dtype": str(value.dtype), "shape": list(value.shape), "values": [repr_of(v) for v in value.ravel().tolist()]}


def repr_of(v):
    if isinstance(v, float) and not np.isfinite(v):
        return {float("inf"): "Infinity", float("-inf"): "-Infinity"}.get(v, "NaN")
    return v


def feed_of(value):
    if isinstance(value, list):
        return [feed_of(v) for v in value]
    if isinstance(value, float) and not np.isfinite(value):
        return repr_of(value)
    return value


def words(message):
    """The C API's message: Python names the line that made a node."""
    return re.sub(r"\[\[node (\S+) \(defined at [^)]*\) ?\]\]", r"[[{{node \1}}]]", message.split("\n\nOriginal stack")[0])


def record(name, build, folder):
    with tf.Graph().as_default() as graph:
        fetches, feeds, *init = build()
        text = {"name": name, "fetches": [t.name for t in fetches], "init": init[0].name if init else None, "runs": []}
        (folder / (name + ".pb")).write_bytes(graph.as_graph_def(add_shapes=False).SerializeToString())
        config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
        config.graph_options.rewrite_options.disable_meta_optimizer = True
        config.graph_options.optimizer_options.opt_level = -1
        with tf.Session(config=config) as session:
            if init:
                session.run(init[0])
            for feed in feeds:
                run = {"feeds": {k: feed_of(v) for k, v in feed.items()}}
                try:
                    run["values"] = [plain(v) for v in session.run(fetches, feed)]
                except tf.errors.OpError as e:
                    run["error"] = {"code": e.error_code, "message": words(e.message)}
                text["runs"].append(run)
    return text


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    doc = {"recorded_with": tf.version.VERSION, "cases": [record(n.rstrip("-"), b, folder) for n, b in CASES]}
    (folder / "functions.json").write_text(json.dumps(doc, indent=1) + "\n")


if __name__ == "__main__":
    main()
