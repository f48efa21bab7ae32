# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.backend: the session behind models, the learning phase, names of layers, and functions of tensors."""

import builtins
import contextlib

import numpy as np

from .. import array_ops, control_flow, dtypes, graph as graph_lib, linalg, loops, math_ops, nn, nn_conv, ops, random_ops
from .. import session as session_lib, sparse as sparse_lib, state_ops, variables
from ..graph import Tensor, get_default_graph, name_scope
from ..ops import convert_to_tensor

_settings = {"floatx": "float32", "epsilon": 1e-7, "image_data_format": "channels_last"}
_session = [None]
_manual = [False]


def floatx():
    return _settings["floatx"]


def set_floatx(value):
    if value not in ("float16", "float32", "float64"):
        raise ValueError("Unknown floatx type: " + str(value))
    _settings["floatx"] = str(value)


def epsilon():
    return _settings["epsilon"]


def set_epsilon(value):
    _settings["epsilon"] = value


def image_data_format():
    return _settings["image_data_format"]


def set_image_data_format(data_format):
    if data_format not in ("channels_last", "channels_first"):
        raise ValueError("Unknown data_format: " + str(data_format))
    _settings["image_data_format"] = str(data_format)


def backend():
    return "tensorflow"


def cast_to_floatx(x):
    return np.asarray(x, dtype=floatx())


# -- names

def _counts():
    return get_default_graph()._memo.setdefault("layer names", {})


def get_uid(prefix=""):
    counts = _counts()
    key = ("uid", prefix)
    counts[key] = counts.get(key, 0) + 1
    return counts[key]


def unique_name(base, avoid=()):
    """base, base_1, base_2: a layer's name."""
    counts = _counts()
    while True:
        number = counts.get(base, 0)
        counts[base] = number + 1
        name = "%s_%d" % (base, number) if number else base
        if name not in avoid:
            return name


def reset_uids():
    get_default_graph()._memo.pop("layer names", None)


# -- the learning phase

def _new_phase():
    with name_scope(""):
        return array_ops.placeholder_with_default(False, shape=(), name="keras_learning_phase")


def learning_phase():
    with graph_lib.init_scope():
        memo = get_default_graph()._memo
        if "learning phase" not in memo:
            memo["learning phase"] = _new_phase()
        return memo["learning phase"]


def is_symbolic_phase():
    return isinstance(get_default_graph()._memo.get("learning phase"), Tensor)


def set_learning_phase(value):
    if value not in (0, 1):
        raise ValueError("Expected learning phase to be 0 or 1.")
    get_default_graph()._memo["learning phase"] = value


@contextlib.contextmanager
def learning_phase_scope(value):
    memo = get_default_graph()._memo
    before = memo.get("learning phase")
    set_learning_phase(value)
    try:
        yield
    finally:
        if before is None:
            memo.pop("learning phase", None)
        else:
            memo["learning phase"] = before


def in_train_phase(x, alt, training=None):
    if training is None:
        training = learning_phase()
    if training == 1 or training is True:
        return x() if callable(x) else x
    if training == 0 or training is False:
        return alt() if callable(alt) else alt
    return switch(training, x, alt)


def in_test_phase(x, alt, training=None):
    return in_train_phase(alt, x, training=training)


# -- sessions

def track_variable(variable):
    """The session of the models gives it its first value when it is used."""
    variable.graph._memo.setdefault("keras variables", []).append(variable)


def track_optimizer(optimizer):
    get_default_graph()._memo.setdefault("keras optimizers", []).append(optimizer)


def _initialize_variables(session):
    memo = get_default_graph()._memo
    known = list(memo.get("keras variables", []))
    for optimizer in memo.get("keras optimizers", []):
        known.extend(optimizer.variables())
    candidates = []
    for v in known:
        if not getattr(v, "_keras_initialized", False) and not builtins.any(v is c for c in candidates):
            candidates.append(v)
    if not candidates:
        return
    flags = session.run([variables.is_variable_initialized(v) for v in candidates])
    missing = [v for v, flag in zip(candidates, flags) if not flag]
    for v in candidates:
        v._keras_initialized = True
    if missing:
        session.run(variables.variables_initializer(missing))


def get_session(op_input_list=()):
    session = session_lib.get_default_session()
    if session is None:
        if _session[0] is None or _session[0].graph is not get_default_graph():
            _session[0] = session_lib.Session()
        session = _session[0]
    if not _manual[0]:
        with session.graph.as_default():
            _initialize_variables(session)
    return session


def set_session(session):
    _session[0] = session


def manual_variable_initialization(value):
    _manual[0] = value


def clear_session():
    graph_lib.reset_default_graph()
    _session[0] = None
    get_default_graph()._memo["learning phase"] = _new_phase()


# -- values

def variable(value, dtype=None, name=None, constraint=None):
    v = variables.Variable(value, dtype=dtypes.as_dtype(dtype or floatx()), name=name, constraint=constraint,
                           use_resource=True)
    track_variable(v)
    return v


def constant(value, dtype=None, shape=None, name=None):
    return ops.constant(value, dtype=dtype or floatx(), shape=shape, name=name or "Const")


def placeholder(shape=None, ndim=None, dtype=None, sparse=False, name=None, ragged=False):
    if not shape and ndim:
        shape = (None,) * ndim
    kind = sparse_lib.sparse_placeholder if sparse else array_ops.placeholder
    return kind(dtypes.as_dtype(dtype or floatx()), shape=shape, name=name)


def is_placeholder(x):
    return isinstance(x, Tensor) and x.op.type == "Placeholder"


def is_keras_tensor(x):
    if not isinstance(x, (Tensor, variables.Variable, sparse_lib.SparseTensor)):
        raise ValueError("Unexpectedly found an instance of type `" + str(type(x)) + "`. Expected a symbolic tensor "
                         "instance.")
    return hasattr(x, "_keras_history")


def is_sparse(tensor):
    return isinstance(tensor, sparse_lib.SparseTensor)


def to_dense(tensor):
    return sparse_lib.sparse_tensor_to_dense(tensor) if is_sparse(tensor) else tensor


def get_value(x):
    if not isinstance(x, (Tensor, variables.Variable)):
        return x
    with x.graph.as_default():
        return x.eval(session=get_session((x,)))


def batch_get_value(tensors):
    return get_session(tensors).run(list(tensors)) if tensors else []


def eval(x):
    return get_value(to_dense(x))


def _assigner(x):
    """The placeholder and the assignment that a variable is set by, made once."""
    if not hasattr(x, "_assign_op"):
        shape = x.shape
        x._assign_placeholder = array_ops.placeholder(x.dtype.base_dtype, shape=[None] * shape.ndims
                                                      if shape.ndims is not None else None)
        x._assign_op = x.assign(x._assign_placeholder)
    return x._assign_placeholder, x._assign_op


def set_value(x, value):
    batch_set_value([(x, value)])


def batch_set_value(tuples):
    if not tuples:
        return
    with tuples[0][0].graph.as_default():
        feeds, assigned = {}, []
        for x, value in tuples:
            value = np.asarray(value, dtype=x.dtype.base_dtype.as_numpy_dtype)
            given, op = _assigner(x)
            assigned.append(op)
            feeds[given] = value
        get_session().run(assigned, feed_dict=feeds)


def print_tensor(x, message=""):
    from ..printing import print_v2
    with graph_lib.control_dependencies([print_v2(message, x)]):
        return array_ops.identity(x)


# -- shapes

def shape(x):
    return array_ops.shape(x)


def int_shape(x):
    dims = x.shape
    return None if dims.ndims is None else tuple(dims.as_list())


def ndim(x):
    return x.shape.ndims


def dtype(x):
    return x.dtype.base_dtype.name


def count_params(x):
    return int(np.prod(x.shape.as_list()))


def _made(function):
    def make(shape, dtype=None, name=None):
        return variable(function(shape, dtypes.as_dtype(dtype or floatx())), dtype=dtype, name=name)
    return make


zeros, ones = _made(array_ops.zeros), _made(array_ops.ones)


def zeros_like(x, dtype=None, name=None):
    return array_ops.zeros_like(x, dtype=dtype, name=name)


def ones_like(x, dtype=None, name=None):
    return array_ops.ones_like(x, dtype=dtype, name=name)


def eye(size, dtype=None, name=None):
    return variable(linalg.eye(size, dtype=dtypes.as_dtype(dtype or floatx())), dtype, name)


def identity(x, name=None):
    return array_ops.identity(x, name=name)


def cast(x, dtype):
    return math_ops.cast(x, dtype)


def reshape(x, shape):
    return array_ops.reshape(x, shape)


def transpose(x):
    return array_ops.transpose(x)


def permute_dimensions(x, pattern):
    return array_ops.transpose(x, perm=pattern)


def expand_dims(x, axis=-1):
    return array_ops.expand_dims(x, axis)


def squeeze(x, axis):
    return array_ops.squeeze(x, [axis])


def flatten(x):
    return array_ops.reshape(x, [-1])


def batch_flatten(x):
    return array_ops.reshape(x, array_ops.stack([-1, math_ops.reduce_prod(array_ops.shape(x)[1:])]))


def concatenate(tensors, axis=-1):
    if axis < 0:
        rank = ndim(tensors[0])
        axis = axis % rank if rank else 0
    return array_ops.concat([to_dense(x) for x in tensors], axis)


def stack(x, axis=0):
    return array_ops.stack(x, axis=axis)


def repeat(x, n):
    x = array_ops.expand_dims(x, 1)
    return array_ops.tile(x, array_ops.stack([1, n, 1]))


def repeat_elements(x, rep, axis):
    size = x.shape.as_list()[axis]
    parts = array_ops.split(value=x, num_or_size_splits=size, axis=axis)
    return concatenate([s for s in parts for _ in range(rep)], axis)


def tile(x, n):
    return array_ops.tile(x, [n] if isinstance(n, int) else n)


def reverse(x, axes):
    return array_ops.reverse(x, [axes] if isinstance(axes, int) else axes)


def gather(reference, indices):
    return array_ops.gather(reference, indices)


def one_hot(indices, num_classes):
    return array_ops.one_hot(indices, depth=num_classes, axis=-1)


def arange(start, stop=None, step=1, dtype="int32"):
    if stop is None and start < 0:
        start = 0
    result = math_ops.range(start, limit=stop, delta=step, name="arange")
    return result if dtype == "int32" else cast(result, dtype)


def temporal_padding(x, padding=(1, 1)):
    return array_ops.pad(x, [[0, 0], list(padding), [0, 0]])


def spatial_2d_padding(x, padding=((1, 1), (1, 1)), data_format=None):
    sides = [list(padding[0]), list(padding[1])]
    first = (data_format or image_data_format()) == "channels_first"
    return array_ops.pad(x, [[0, 0], [0, 0]] + sides if first else [[0, 0]] + sides + [[0, 0]])


# -- arithmetic

def _reduction(function, of_bool=False):
    def reduce(x, axis=None, keepdims=False):
        if of_bool and x.dtype.base_dtype == dtypes.bool:
            x = math_ops.cast(x, floatx())
        return function(x, axis, keepdims)
    return reduce


sum, prod = _reduction(math_ops.reduce_sum), _reduction(math_ops.reduce_prod)
max, min = _reduction(math_ops.reduce_max), _reduction(math_ops.reduce_min)
mean = _reduction(math_ops.reduce_mean, True)
var = _reduction(math_ops.reduce_variance, True)
std = _reduction(math_ops.reduce_std, True)
logsumexp = _reduction(math_ops.reduce_logsumexp)


def any(x, axis=None, keepdims=False):
    return math_ops.reduce_any(math_ops.cast(x, dtypes.bool), axis, keepdims)


def all(x, axis=None, keepdims=False):
    return math_ops.reduce_all(math_ops.cast(x, dtypes.bool), axis, keepdims)


def argmax(x, axis=-1):
    return math_ops.argmax(x, axis)


def argmin(x, axis=-1):
    return math_ops.argmin(x, axis)


def cumsum(x, axis=0):
    return math_ops.cumsum(x, axis=axis)


def cumprod(x, axis=0):
    return math_ops.cumprod(x, axis=axis)


def _one(name):
    function = getattr(math_ops, name)

    def apply(x):
        return function(x)
    return apply


for _name in "square abs exp log round sign sin cos sigmoid tanh".split():
    globals()[_name] = _one(_name) if hasattr(math_ops, _name) else (lambda f: lambda x: f(x))(getattr(nn, _name))


def _to_tensor(x, dtype):
    return convert_to_tensor(x, dtype=dtype)


def sqrt(x):
    zero = _to_tensor(0.0, x.dtype.base_dtype)
    inf = _to_tensor(np.inf, x.dtype.base_dtype)
    return math_ops.sqrt(math_ops.clip_by_value(x, zero, inf))


def pow(x, a):
    return math_ops.pow(x, a)


def clip(x, min_value, max_value):
    if max_value is not None and max_value < min_value:
        max_value = min_value
    dtype = x.dtype.base_dtype
    min_value = ops.constant(min_value, dtype=dtype)
    return math_ops.clip_by_value(x, min_value, ops.constant(np.inf if max_value is None else max_value, dtype=dtype))


def _comparison(name):
    function = getattr(math_ops, name)
    return lambda x, y: function(x, y)


for _name in "equal not_equal greater greater_equal less less_equal maximum minimum".split():
    globals()[_name] = _comparison(_name)


def update(x, new_x):
    return state_ops.assign(x, new_x)


def update_add(x, increment):
    return state_ops.assign_add(x, increment)


def update_sub(x, decrement):
    return state_ops.assign_sub(x, decrement)


def dot(x, y):
    if ndim(x) is not None and (ndim(x) > 2 or ndim(y) > 2):
        def sizes(t):
            found = array_ops.unstack(array_ops.shape(t))
            return tuple(known if known is not None else at for known, at in zip(int_shape(t), found))
        x_shape, y_shape = sizes(x), sizes(y)
        order = list(range(ndim(y)))
        order = [order.pop(-2)] + order
        xt = array_ops.reshape(x, [-1, x_shape[-1]])
        yt = array_ops.reshape(array_ops.transpose(y, perm=order), [y_shape[-2], -1])
        return array_ops.reshape(math_ops.matmul(xt, yt), x_shape[:-1] + y_shape[:-2] + y_shape[-1:])
    if is_sparse(x):
        return sparse_lib.sparse_tensor_dense_matmul(x, y)
    return math_ops.matmul(x, y)


def batch_dot(x, y, axes=None):
    x_rank, y_rank = ndim(x), ndim(y)
    if isinstance(axes, int):
        axes = (axes, axes)
    if axes is None:
        axes = [x_rank - 1, y_rank - 1] if y_rank == 2 else [x_rank - 1, y_rank - 2]
    diff = 0
    if x_rank > y_rank:
        diff = x_rank - y_rank
        y = array_ops.reshape(y, array_ops.concat([array_ops.shape(y), [1] * diff], axis=0))
    elif y_rank > x_rank:
        diff = y_rank - x_rank
        x = array_ops.reshape(x, array_ops.concat([array_ops.shape(x), [1] * diff], axis=0))
    if ndim(x) == 2 and ndim(y) == 2:
        if axes[0] == axes[1]:
            out = math_ops.reduce_sum(math_ops.multiply(x, y), axes[0])
        else:
            out = math_ops.reduce_sum(math_ops.multiply(array_ops.transpose(x, [1, 0]), y), axes[1])
    else:
        out = math_ops.matmul(x, y, adjoint_a=axes[0] != ndim(x) - 1, adjoint_b=axes[1] == ndim(y) - 1)
    if diff:
        at = x_rank + y_rank - 3 if x_rank > y_rank else x_rank - 1
        out = array_ops.squeeze(out, list(range(at, at + diff)))
    return expand_dims(out, 1) if ndim(out) == 1 else out


# -- networks

def relu(x, alpha=0.0, max_value=None, threshold=0):
    if alpha != 0.0:
        if max_value is None and threshold == 0:
            return nn.leaky_relu(x, alpha=alpha)
        negative = nn.relu(-x + threshold) if threshold != 0 else nn.relu(-x)
    capped = max_value is not None
    if threshold != 0:
        x = x * math_ops.cast(math_ops.greater(x, threshold), floatx())
    elif max_value == 6:
        x, capped = nn.relu6(x), False
    else:
        x = nn.relu(x)
    if capped:
        high = ops.constant(max_value, dtype=x.dtype.base_dtype)
        x = math_ops.clip_by_value(x, ops.constant(0.0, dtype=x.dtype.base_dtype), high)
    return x - _to_tensor(alpha, x.dtype.base_dtype) * negative if alpha != 0.0 else x


def elu(x, alpha=1.0):
    result = nn.elu(x)
    return result if alpha == 1 else array_ops.where_v2(math_ops.greater(x, 0), result, alpha * result)


def softmax(x, axis=-1):
    return nn.softmax(x, axis=axis)


def softplus(x):
    return nn.softplus(x)


def softsign(x):
    return nn.softsign(x)


def hard_sigmoid(x):
    from .. import activations
    return activations.hard_sigmoid(x)


def l2_normalize(x, axis=None):
    return nn.l2_normalize(x, axis=axis)


def dropout(x, level, noise_shape=None, seed=None):
    seed = np.random.randint(10000000) if seed is None else seed
    return nn.dropout(x, rate=level, noise_shape=noise_shape, seed=seed)


def bias_add(x, bias, data_format=None):
    return nn.bias_add(x, bias, data_format="NCHW" if data_format == "channels_first" else "NHWC")


def conv2d(x, kernel, strides=(1, 1), padding="valid", data_format=None, dilation_rate=(1, 1)):
    first = (data_format or image_data_format()) == "channels_first"
    return nn_conv.convolution(x, kernel, padding.upper(), strides=strides, dilation_rate=dilation_rate,
                               data_format="NCHW" if first else "NHWC")


def pool2d(x, pool_size, strides=(1, 1), padding="valid", data_format=None, pool_mode="max"):
    first = (data_format or image_data_format()) == "channels_first"
    sizes, steps = ((1, 1) + tuple(v) if first else (1,) + tuple(v) + (1,) for v in (pool_size, strides))
    pool = nn_conv.max_pool if pool_mode == "max" else nn_conv.avg_pool
    return pool(x, sizes, steps, padding.upper(), data_format="NCHW" if first else "NHWC")


def random_normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None):
    seed = np.random.randint(10000000) if seed is None else seed
    return random_ops.random_normal(shape, mean=mean, stddev=stddev, dtype=dtypes.as_dtype(dtype or floatx()), seed=seed)


def random_uniform(shape, minval=0.0, maxval=1.0, dtype=None, seed=None):
    seed = np.random.randint(10000000) if seed is None else seed
    return random_ops.random_uniform(shape, minval=minval, maxval=maxval, dtype=dtypes.as_dtype(dtype or floatx()),
                                     seed=seed)


def truncated_normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None):
    seed = np.random.randint(10000000) if seed is None else seed
    return random_ops.truncated_normal(shape, mean, stddev, dtype=dtypes.as_dtype(dtype or floatx()), seed=seed)


def in_top_k(predictions, targets, k):
    return nn.in_top_k(predictions, targets, k)


def switch(condition, then_expression, else_expression):
    if condition.dtype != dtypes.bool:
        condition = math_ops.cast(condition, "bool")
    if not ndim(condition):
        then = then_expression if callable(then_expression) else lambda: then_expression
        other = else_expression if callable(else_expression) else lambda: else_expression
        return control_flow.cond(condition, then, other)
    then = then_expression() if callable(then_expression) else then_expression
    other = else_expression() if callable(else_expression) else else_expression
    missing = ndim(then) - ndim(condition)
    if missing > 0:
        shape_ = array_ops.concat([array_ops.shape(condition), [1] * missing], axis=0)
        condition = array_ops.reshape(condition, shape_)
        tiles = array_ops.where_v2(math_ops.greater(array_ops.shape(then)[-missing:], 1), array_ops.shape(then)[-missing:],
                                   array_ops.ones_like(array_ops.shape(then)[-missing:]))
        condition = array_ops.tile(condition, array_ops.concat([[1] * (ndim(then) - missing), tiles], axis=0))
    return array_ops.where(condition, then, other)


def _unscaled(output):
    """The logits below an activation, or None."""
    return output.op.inputs[0] if output.op.type in ("Softmax", "Sigmoid") else None


def categorical_crossentropy(target, output, from_logits=False, axis=-1):
    if not from_logits:
        if not isinstance(output, Tensor) or output.op.type != "Softmax":
            output = output / math_ops.reduce_sum(output, axis, True)
            small = _to_tensor(epsilon(), output.dtype.base_dtype)
            output = math_ops.clip_by_value(output, small, 1.0 - small)
            return -math_ops.reduce_sum(target * math_ops.log(output), axis)
        output = _unscaled(output)
    return nn.softmax_cross_entropy_with_logits_v2(labels=target, logits=output, axis=axis)


def sparse_categorical_crossentropy(target, output, from_logits=False, axis=-1):
    if not from_logits:
        if not isinstance(output, Tensor) or output.op.type != "Softmax":
            small = _to_tensor(epsilon(), output.dtype.base_dtype)
            output = math_ops.log(math_ops.clip_by_value(output, small, 1 - small))
        else:
            output = _unscaled(output)
    rank = output.shape.ndims
    axis %= rank
    if axis != rank - 1:
        order = [i for i in range(rank) if i != axis] + [axis]
        output = array_ops.transpose(output, perm=order)
    target = cast(target, "int64")
    shape_ = array_ops.shape(output)
    target_rank = target.shape.ndims
    flatten_both = rank is not None and target_rank is not None and target_rank != rank - 1
    if flatten_both:
        target = flatten(target)
        output = array_ops.reshape(output, [-1, shape_[-1]])
    result = nn.sparse_softmax_cross_entropy_with_logits(labels=target, logits=output)
    return array_ops.reshape(result, shape_[:-1]) if flatten_both and rank >= 3 else result


def binary_crossentropy(target, output, from_logits=False):
    if not from_logits:
        if not isinstance(output, Tensor) or output.op.type != "Sigmoid":
            small = _to_tensor(epsilon(), output.dtype.base_dtype)
            output = math_ops.clip_by_value(output, small, 1.0 - small)
            result = target * math_ops.log(output + epsilon())
            result += (1 - target) * math_ops.log(1 - output + epsilon())
            return -result
        output = _unscaled(output)
    return nn.sigmoid_cross_entropy_with_logits(labels=target, logits=output)


def gradients(loss, variables):
    from .. import gradients as gradients_lib
    return gradients_lib.gradients(loss, variables)


def stop_gradient(variables):
    if isinstance(variables, (list, tuple)):
        return [array_ops.stop_gradient(v) for v in variables]
    return array_ops.stop_gradient(variables)


def map_fn(fn, elems, name=None, dtype=None):
    return loops.map_fn(fn, elems, name=name, dtype=dtype)


def foldl(fn, elems, initializer=None, name=None):
    return loops.foldl(fn, elems, initializer=initializer, name=name)


def foldr(fn, elems, initializer=None, name=None):
    return loops.foldr(fn, elems, initializer=initializer, name=name)


# -- functions

class Function:
    """Runs outputs and updates for values of inputs."""

    def __init__(self, inputs, outputs, updates=None, name=None, **session_keywords):
        from .. import nest
        self.inputs, self._structure = list(inputs or []), outputs
        self.outputs = nest.flatten(outputs) if not isinstance(outputs, (Tensor, variables.Variable)) else [outputs]
        with graph_lib.control_dependencies([self.outputs[0]] if self.outputs else []):
            made = []
            for update in updates or []:
                made.append(state_ops.assign(*update) if isinstance(update, tuple) else update)
            self.updates_op = control_flow.group(*made)
        self.feed_dict = session_keywords.pop("feed_dict", None) or {}
        self.fetches = session_keywords.pop("fetches", [])

    def __call__(self, inputs):
        from .. import nest
        session = get_session(inputs)
        feeds = dict(self.feed_dict)
        for given, value in zip(self.inputs, inputs or []):
            if value is not None:
                feeds[given] = value
        found = session.run(self.outputs + [self.updates_op] + list(self.fetches), feed_dict=feeds)[:len(self.outputs)]
        if isinstance(self._structure, (list, tuple, dict)):
            return nest.pack_sequence_as(self._structure, found)
        return found[0]


def function(inputs, outputs, updates=None, name=None, **keywords):
    return Function(inputs, outputs, updates=updates, name=name, **keywords)


def rnn(*arguments, **keywords):
    from . import recurrence
    return recurrence.rnn(*arguments, **keywords)
