# differ_graphs_data.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Random input pipelines for differ_graphs.py: a source, stages one behind the other, and functions of a few ops each.

A pipeline is described as (source, [stage], [end]); a source and a stage as (name, argument...); a function as
([(op, i, j, c)], [output]), where i, j and outputs count the values there are, round and round, so that whatever is
left out of the lists another function remains. What does not suit the values there are is passed over."""

import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python.data.experimental.ops import grouping, scan_ops, take_while_ops, unique

from differ_values import pick

D = tf.data.Dataset
X = tf.data.experimental
TOLERANCE = 2e-5
MOST = 12
NUMBERS = (tf.int32, tf.int64, tf.float32, tf.float64)


# --- functions --------------------------------------------------------------------------------------

def number(t):
    return t if t.dtype in NUMBERS else tf.cast(t, tf.int32) if t.dtype == tf.bool else tf.strings.length(t)


def scalar(t):
    return tf.reduce_sum(number(t))


def float_of(t):
    return tf.cast(number(t), tf.float32)


def text(t):
    return t if t.dtype == tf.string else tf.as_string(t)


def like(a, b):
    """b as one number of a's dtype."""
    return tf.cast(scalar(b), number(a).dtype)


def while_of(a, b, c):
    n = tf.cast(scalar(a), tf.int32) % (c + 2)
    return tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s + tf.cast(i, s.dtype)), [tf.constant(0), scalar(b)])[1]


def checked(a, b, c):
    with tf.control_dependencies([tf.Assert(tf.reduce_any(tf.not_equal(scalar(a), tf.cast(c, number(a).dtype))), [scalar(a), 'sum'])]):
        return tf.identity(b)


OPS = {
    'add': lambda a, b, c: number(a) + like(a, b),
    'plus': lambda a, b, c: number(a) + tf.cast(c, number(a).dtype),
    'mul': lambda a, b, c: number(a) * like(a, b),
    'neg': lambda a, b, c: -number(a),
    'mod': lambda a, b, c: tf.mod(number(a), tf.cast(c + 1, number(a).dtype)),
    'div': lambda a, b, c: tf.floordiv(number(a), tf.cast(c, number(a).dtype)),
    'inverse': lambda a, b, c: tf.check_numerics(1 / (float_of(a) - c), 'odd'),
    'sum': lambda a, b, c: scalar(a),
    'mean': lambda a, b, c: tf.reduce_mean(float_of(a)),
    'float': lambda a, b, c: float_of(a),
    'double': lambda a, b, c: tf.cast(number(a), tf.float64),
    'int': lambda a, b, c: tf.cast(number(a), tf.int32),
    'bool': lambda a, b, c: number(a) > tf.cast(c, number(a).dtype),
    'text': lambda a, b, c: text(a),
    'shape': lambda a, b, c: tf.shape(a),
    'rank': lambda a, b, c: tf.rank(a),
    'flat': lambda a, b, c: tf.reshape(a, [-1]),
    'expand': lambda a, b, c: tf.expand_dims(a, 0),
    'pair': lambda a, b, c: tf.stack([a, a]),
    'repeat': lambda a, b, c: tf.fill([tf.cast(tf.abs(scalar(b)), tf.int32) % (c + 2)], scalar(a)),
    'range': lambda a, b, c: tf.range(tf.cast(tf.abs(scalar(a)), tf.int32) % (c + 3)),
    'first': lambda a, b, c: tf.reshape(a, [-1])[0],
    'at': lambda a, b, c: tf.gather(tf.reshape(a, [-1]), c),
    'back': lambda a, b, c: tf.reshape(a, [-1])[::-1],
    'where': lambda a, b, c: tf.where(number(a) > tf.cast(c, number(a).dtype)),
    'mask': lambda a, b, c: tf.boolean_mask(tf.reshape(a, [-1]), tf.reshape(number(a), [-1]) > tf.cast(c, number(a).dtype)),
    'unique': lambda a, b, c: tf.unique(tf.reshape(a, [-1]))[0],
    'cond': lambda a, b, c: tf.cond(scalar(a) > tf.cast(c, number(a).dtype), lambda: scalar(b) * 2, lambda: -scalar(b)),
    'while': while_of,
    'assert': checked,
    'join': lambda a, b, c: tf.strings.join([text(a), tf.as_string(scalar(b))], '/'),
    'substr': lambda a, b, c: tf.strings.substr(text(a), c, 1),
    'parse': lambda a, b, c: tf.strings.to_number(text(a)),
    'split': lambda a, b, c: tf.string_split([tf.strings.reduce_join(tf.reshape(text(a), [-1]))], '.').values,
    'hash': lambda a, b, c: tf.strings.to_hash_bucket_fast(text(a), 7 + c),
    'random': lambda a, b, c: tf.random.uniform([c + 1], seed=c),
    'constant': lambda a, b, c: tf.constant([c, 1, 2]),
    'many': lambda a, b, c: tf.map_fn(lambda x: x + 1, tf.reshape(number(a), [-1])),
}
NAMES = sorted(OPS)


def draw_function(r, n=None):
    n = r.randint(0, 5) if n is None else n
    body = [(pick(r, NAMES), int(r.randint(9)), int(r.randint(9)), int(r.randint(4))) for _ in range(n)]
    return (body, [int(r.randint(9)) for _ in range(pick(r, [1, 1, 1, 2, 3]))])


def values_of(args):
    found = [t for t in tf.nest.flatten(args) if isinstance(t, tf.Tensor) and t.dtype in NUMBERS + (tf.string, tf.bool)]
    return found or [tf.constant(3)]


def apply(function, args, captured):
    pool = values_of(args) + list(captured)
    for op, i, j, c in function[0]:
        a, b = pool[-1 - i % len(pool)], pool[-1 - j % len(pool)]
        try:
            pool.append(OPS[op](a, b, c))
        except (ValueError, TypeError):
            continue
    found = [pool[-1 - o % len(pool)] for o in function[1]] or pool[-1:]
    return found


def as_element(found):
    return found[0] if len(found) == 1 else tuple(found)


def function_of(description, captured):
    return lambda *args: as_element(apply(description, args, captured))


def predicate_of(description, captured):
    def f(*args):
        found = apply(description, args, captured)[0]
        return scalar(found) > tf.cast(1, number(found).dtype)
    return f


def key_of(description, captured):
    def f(*args):
        found = apply(description, args, captured)[0]
        return tf.cast(scalar(found), tf.int64) % 3
    return f


def inner_of(kind, description, captured):
    """A dataset for each element."""
    def f(*args):
        found = apply(description, args, captured)
        if kind == 'repeat':
            return D.from_tensors(as_element(found)).repeat(2)
        if kind == 'slices':
            return D.from_tensor_slices(tf.reshape(found[0], [-1]))
        if kind == 'range':
            return D.range(tf.cast(scalar(found[0]), tf.int64) % 4)
        if kind == 'map':
            return D.range(2).map(lambda x: tuple([x] + found))
        return D.range(5).skip(tf.cast(scalar(found[0]), tf.int64) % 5).batch(2)
    return f


# --- sources ----------------------------------------------------------------------------------------

def source_of(description, captured):
    kind, n, c = description
    if kind == 'range':
        return D.range(n)
    if kind == 'step':
        return D.range(c, c + 3 * n, 3)
    if kind == 'down':
        return D.range(n, c, -1)
    if kind == 'slices':
        return D.from_tensor_slices(np.arange(n * (c + 1), dtype='float32').reshape(n, c + 1) - 2)
    if kind == 'two':
        return D.from_tensor_slices((np.arange(n, dtype='int32'), np.arange(n * 2.0).reshape(n, 2)))
    if kind == 'named':
        return D.from_tensor_slices({'x': np.arange(n, dtype='float64'), 'b': np.array([b'w%d' % i for i in range(n)])})
    if kind == 'words':
        return D.from_tensor_slices(np.array([b'1', b'a.b', b'', b'22', b'x.1.y', b'3'][:n]))
    if kind == 'tensors':
        return D.from_tensors(np.arange(n * 2, dtype='int64').reshape(n, 2))
    if kind == 'lines':
        return tf.data.TextLineDataset(['lines.txt', 'more.txt'][:1 + c % 2])
    if kind == 'records':
        return tf.data.TFRecordDataset('a.tfrecord')
    if kind == 'csv':
        return X.CsvDataset('table.csv', [tf.int32, tf.string, tf.constant([2.5])][:3], header=True, select_cols=[0, 1, 2])
    if kind == 'generator':
        return D.from_tensor_slices(list(range(n))).map(lambda x: tf.random.uniform([], maxval=10, dtype=tf.int32, seed=c))
    if kind == 'choose':
        return X.choose_from_datasets([D.range(n), D.range(10, 10 + c)], D.range(2).repeat(4))
    if kind == 'sample':
        return X.sample_from_datasets([D.range(n), D.range(10, 15)], [0.25, 0.75], seed=c)
    if kind == 'missing':
        return tf.data.TextLineDataset('nowhere%d' % c)
    return X.RandomDataset(seed=c).take(n)


SOURCES = ['range', 'range', 'range', 'step', 'down', 'slices', 'slices', 'two', 'two', 'named', 'words', 'tensors', 'lines',
           'records', 'csv', 'generator', 'choose', 'sample', 'random', 'missing']


def draw_source(r):
    kind = pick(r, SOURCES)
    if kind == 'missing' and r.randint(4):
        kind = 'range'
    return (kind, int(r.randint(0, 7) if r.randint(8) == 0 else r.randint(2, 7)), int(r.randint(4)))


# --- stages -----------------------------------------------------------------------------------------

def window_batches(d, size, shift, stride, drop):
    def join(*parts):
        flat = tf.nest.flatten(parts)
        return D.zip(tuple(p.batch(9) for p in flat)) if len(flat) > 1 else flat[0].batch(9)
    return d.window(size, shift, stride, drop).flat_map(join)


def padded(d, n, drop, fixed):
    shapes = tf.nest.map_structure(lambda s: [fixed if fixed else None] * (s.ndims or 0), tf.data.get_output_shapes(d))
    return d.padded_batch(n, shapes, drop_remainder=drop)


def start_of(d):
    return tf.constant(0, tf.int64)


def scanned(d, f, captured):
    def step(state, *args):
        found = apply(f, (state,) + args, captured)
        return state + tf.cast(scalar(found[0]), tf.int64), as_element(found)
    return d.apply(scan_ops.scan(tf.constant(0, tf.int64), step))


def reducer_of(f, captured):
    return lambda key, rows: rows.batch(3).map(function_of(f, captured))


def bucketed(d, c):
    return d.map(lambda *a: tf.reshape(values_of(a)[0], [-1])).apply(
        grouping.bucket_by_sequence_length(lambda x: tf.size(x), [1, 3], [2, c + 1, 2]))


STAGES = {
    'map': lambda d, cap, f, c: d.map(function_of(f, cap), num_parallel_calls=[None, None, 2][c % 3]),
    'filter': lambda d, cap, f, c: d.filter(predicate_of(f, cap)),
    'flat_map': lambda d, cap, f, c: d.flat_map(inner_of(KINDS[c % len(KINDS)], f, cap)),
    'interleave': lambda d, cap, f, c: d.interleave(inner_of(KINDS[c % len(KINDS)], f, cap), c % 4 + 1, c % 3 + 1,
                                                    num_parallel_calls=[None, 2][c % 2]),
    'batch': lambda d, cap, f, c: d.batch(c - 1 if c < 2 else c, drop_remainder=c % 2 == 1),
    'padded': lambda d, cap, f, c: padded(d, c % 3 + 1, c % 2 == 1, [None, None, 3][c % 3]),
    'shuffle': lambda d, cap, f, c: d.shuffle(c, seed=c, reshuffle_each_iteration=[None, True, False][c % 3]),
    'repeat': lambda d, cap, f, c: d.repeat(c - 1),
    'take': lambda d, cap, f, c: d.take(c - 1),
    'skip': lambda d, cap, f, c: d.skip(c - 1),
    'shard': lambda d, cap, f, c: d.shard(c % 3 + 1, c % 4),
    'zip': lambda d, cap, f, c: D.zip((d, D.range(c))),
    'zip_self': lambda d, cap, f, c: D.zip((d, d.skip(c % 2))),
    'concat': lambda d, cap, f, c: d.concatenate(d.take(c)),
    'cache': lambda d, cap, f, c: d.cache(),
    'prefetch': lambda d, cap, f, c: d.prefetch(c - 1),
    'window': lambda d, cap, f, c: window_batches(d, c % 4 + 1, [None, 1, 2, 3][c % 4], c % 2 + 1, c % 3 == 1),
    'unbatch': lambda d, cap, f, c: d.apply(X.unbatch()),
    'scan': lambda d, cap, f, c: scanned(d, f, cap),
    'take_while': lambda d, cap, f, c: d.apply(take_while_ops.take_while(predicate_of(f, cap))),
    'group': lambda d, cap, f, c: d.apply(grouping.group_by_window(key_of(f, cap), lambda k, rows: rows.batch(3), c)),
    'bucket': lambda d, cap, f, c: bucketed(d, c),
    'ignore': lambda d, cap, f, c: d.apply(X.ignore_errors()),
    'enumerate': lambda d, cap, f, c: d.apply(X.enumerate_dataset(c)),
    'unique': lambda d, cap, f, c: d.map(lambda *a: values_of(a)[0]).apply(unique.unique()),
    'map_batch': lambda d, cap, f, c: d.apply(X.map_and_batch(function_of(f, cap), c, drop_remainder=c % 2 == 0)),
    'shuffle_repeat': lambda d, cap, f, c: d.apply(X.shuffle_and_repeat(c, c % 3, seed=c)),
    'sparse': lambda d, cap, f, c: d.map(lambda *a: tf.reshape(values_of(a)[0], [-1])).apply(X.dense_to_sparse_batch(c % 3 + 1, [c + 2])),
    'get': lambda d, cap, f, c: D.from_tensors(as_element(tf.nest.flatten(X.get_single_element(d.take(c))))),
    'reduce': lambda d, cap, f, c: D.from_tensors(d.reduce(tf.constant(1.0), lambda s, *a: s + tf.cast(scalar(values_of(a)[0]), tf.float32))),
    'count': lambda d, cap, f, c: D.from_tensors(X.cardinality(d)),
    'options': lambda d, cap, f, c: d.with_options(options_of(c)),
}
KINDS = ['repeat', 'slices', 'range', 'map', 'batches']
STAGE_NAMES = sorted(STAGES) + ['map'] * 4 + ['batch', 'batch', 'filter', 'flat_map', 'repeat', 'shuffle', 'take', 'interleave']


def options_of(c):
    options = tf.data.Options()
    options.experimental_deterministic = True
    options.experimental_optimization.apply_default_optimizations = c % 2 == 0
    options.experimental_optimization.map_and_batch_fusion = c > 1
    return options


def draw(r):
    stages = [(pick(r, STAGE_NAMES), draw_function(r), int(pick(r, [0, 1, 2, 2, 3, 3, 4, 5]))) for _ in range(pick(r, [1, 2, 2, 3, 3, 4, 5]))]
    return (draw_source(r), stages, (pick(r, ['iterator', 'iterator', 'iterator', 'one_shot', 'optional', 'twice', 'structure']), int(r.randint(2))))


def build(description):
    source, stages, (end, capture) = description
    captured = [tf.constant([1, 5], tf.int64, name='captured')] if capture and end != 'one_shot' else []
    d = source_of(source, captured)
    for name, f, c in stages:
        d = STAGES[name](d, captured, f, c)
    if end == 'one_shot':
        it = tf.data.make_one_shot_iterator(d)
        start = []
    elif end == 'structure':
        it = tf.data.Iterator.from_structure(tf.data.get_output_types(d), tf.data.get_output_shapes(d), output_classes=tf.data.get_output_classes(d))
        start = [it.make_initializer(d)]
    else:
        it = tf.data.make_initializable_iterator(d)
        start = [it.initializer]
    if end == 'optional':
        optional = X.get_next_as_optional(it)
        there = optional.has_value()
        got = [there] + [t for t in flat(tf.cond(there, lambda: [tf.cast(scalar(t), tf.float64) for t in flat(optional.get_value())],
                                                 lambda: [tf.zeros([], tf.float64) for _ in flat(it.get_next())]))]
    else:
        got = flat(it.get_next())
    got = [t for t in got if t.dtype != tf.variant]
    once = [({}, [], start)] if start else []
    runs = once + [({}, got, [])] * MOST
    if end == 'twice':
        runs = once + [({}, got, [])] * 3 + once + [({}, got, [])] * 5
    # TensorFlow goes on with what a function failed on beside the next element, and behind what was not taken.
    return runs, 1 if any(name in ('flat_map', 'interleave', 'group', 'window', 'bucket', 'take_while') for name, _, _ in stages) else 2


def flat(structure):
    found = []
    for t in tf.nest.flatten(structure, expand_composites=True):
        found.append(t)
    return found


def draws(source, stages):
    return source[0] == 'generator' or any(op[0] == 'random' for _, f, _ in stages for op in f[0])


def draws_for_nobody(source, stages):
    """Whether what is drawn ahead, on threads of a stage's own, is cut off behind it and then begun anew."""
    for k, (name, _, c) in enumerate(stages):
        behind = [n for n, _, _ in stages[k + 1:]]
        if at_once(name, c) and draws(source, stages[:k + 1]) and 'take' in behind and \
                any(n in ('repeat', 'shuffle_repeat') for n in behind[behind.index('take') + 1:]):
            return True
    return False


def at_once(name, c):
    """Whether a stage takes elements on threads of its own, before they are asked for."""
    return name == 'map' and c % 3 == 2 or name == 'interleave' and c % 2 == 1 or name in ('map_batch', 'prefetch')


def accepted(description, problem):
    if 'StringToNumberOp' in problem and '\\' in problem:
        # Bytes that are no text are shown as escapes.
        return True
    stages = description[1]
    names = [name for name, _, _ in stages]
    if 'take_while' in names and any(name == 'map_batch' or name == 'interleave' and c % 2
                                     for name, _, c in stages[names.index('take_while'):]):
        # What makes several calls at once asks again behind an end, how often hangs on its threads, and take_while then
        # goes on.
        return True
    if draws_for_nobody(description[0], stages) and 'element' in problem:
        # How many numbers were drawn for elements that nobody took hangs on the threads, and the next pass goes on behind
        # them: TensorFlow gave three answers in thirty runs.
        return True
    if draws(description[0], stages) and 'zip_self' in names and any(at_once(name, c) for name, _, c in stages[:names.index('zip_self')]):
        # Two iterators draw from one generator, and each runs ahead on threads of its own.
        return True
    # Which of several calls at once draws first.
    return any(name in ('map', 'map_batch') and (c % 3 == 2 or name != 'map') and any(op[0] == 'random' for op in f[0])
               for name, f, c in stages)
