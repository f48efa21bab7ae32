# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.estimator.inputs: arrays and tables, batch by batch, through a queue that threads fill."""

import random

import numpy as np

from .. import dtypes, errors, summary
from ..framework.graph import name_scope
from ..inputs import data_flow
from ..operators import array_ops, math_ops
from ..sessions import runners


class _Rows:
    """Numbers of the rows of each batch, over and over or for so many epochs."""

    def __init__(self, count, batch_size, random_start, num_epochs):
        self._count, self._batch_size, self._num_epochs, self._epoch = count, batch_size, num_epochs, 0
        random.seed(None)
        self._at = random.randrange(count) if random_start else 0
        self._last = (self._at - 1) % count

    def next(self):
        if self._num_epochs is not None and self._epoch >= self._num_epochs:
            raise errors.OutOfRangeError(None, None, "Already emitted %s epochs." % self._epoch)
        rows = []
        for _ in range(self._batch_size):
            rows.append(self._at)
            self._at = (self._at + 1) % self._count
            if rows[-1] == self._last:
                self._epoch += 1
                if self._epoch == self._num_epochs:
                    break
        return rows


def _enqueue(index_type, columns, rows_of, capacity, shuffle, min_after_dequeue, count, batch_size, num_epochs, num_threads):
    """A queue of (index, column, ...); columns are (dtype, shape of a row), rows_of gives their values for row numbers."""
    with name_scope("enqueue_input"):
        types = [index_type] + [kind for kind, _ in columns]
        shapes = [()] + [shape for _, shape in columns]
        if shuffle:
            kept = int(capacity / 4 if min_after_dequeue is None else min_after_dequeue)
            queue = data_flow.RandomShuffleQueue(capacity, kept, dtypes=types, shapes=shapes)
        else:
            kept = 0
            queue = data_flow.FIFOQueue(capacity, dtypes=types, shapes=shapes)
        given = []
        for _ in range(num_threads):
            placeholders = [array_ops.placeholder(t) for t in types]
            given.append((placeholders, queue.enqueue_many(placeholders), _Rows(count, batch_size, shuffle, num_epochs)))
        for placeholders, op, rows in given[:1]:
            runners.add_queue_runner(runners.FeedingQueueRunner(
                queue, [op], feed_fns=[lambda: dict(zip(placeholders, rows_of(rows.next())))]))
        filled = math_ops.cast(math_ops.maximum(0, queue.size() - kept), dtypes.float32) * (1. / (capacity - kept))
        summary.scalar("queue/%sfraction_over_%d_of_%d_full" % (queue.name, kept, capacity - kept), filled)
        return queue


def _check_shuffle(shuffle):
    if not isinstance(shuffle, bool):
        raise ValueError("shuffle must be provided and explicitly set as boolean (it is recommended to set it as True for "
                         "training); got {}".format(shuffle))


def _ordered(x):
    if isinstance(x, dict):
        if not x:
            raise ValueError("x cannot be an empty dict")
        return {key: x[key] for key in sorted(x)}
    if not isinstance(x, np.ndarray):
        raise TypeError("x must be a dict or array; got {}".format(type(x).__name__))
    if x.size == 0:
        raise ValueError("x cannot be an empty array")
    return {"__direct_np_input__": x}


def _add_targets(arrays, y):
    """The names of the targets, which join the arrays."""
    if y is None:
        return None
    if not isinstance(y, dict):
        name = "__target_key__"
        while name in arrays:
            name += "_n"
        arrays[name] = y
        return name
    if not y:
        raise ValueError("y cannot be empty dict, use None instead.")
    both = set(arrays) & set(y)
    if both:
        raise ValueError("{} duplicate keys are found in both x and y: {}".format(len(both), both))
    arrays.update({key: y[key] for key in sorted(y)})
    return sorted(y)


def _check_lengths(arrays, features, targets, y):
    if len({v.shape[0] for v in arrays.values()}) == 1:
        return
    of_y = None if targets is None else y.shape if isinstance(targets, str) else {k: arrays[k].shape for k in targets}
    raise ValueError("Length of tensors in x and y is mismatched. All elements in x and y must have the same length.\nShapes "
                     "in x: {}\nShapes in y: {}\n".format({k: arrays[k].shape for k in features}, of_y))


def numpy_input_fn(x, y=None, batch_size=128, num_epochs=1, shuffle=None, queue_capacity=1000, num_threads=1):
    """An input function of arrays."""
    _check_shuffle(shuffle)

    def input_fn():
        arrays = _ordered(x)
        features = list(arrays)
        targets = _add_targets(arrays, y)
        _check_lengths(arrays, features, targets, y)
        columns = [(dtypes.as_dtype(v.dtype), v.shape[1:]) for v in arrays.values()]
        queue = _enqueue(dtypes.int64, columns, lambda rows: [rows] + [v[rows] for v in arrays.values()], queue_capacity,
                         shuffle, None, len(next(iter(arrays.values()))), batch_size, num_epochs, num_threads)
        batch = queue.dequeue_many(batch_size) if num_epochs is None else queue.dequeue_up_to(batch_size)
        found = dict(zip(arrays, batch[1:]))
        given = batch[1] if isinstance(x, np.ndarray) else {k: found[k] for k in features}
        if targets is None:
            return given
        return given, found[targets] if isinstance(targets, str) else {k: found[k] for k in targets}
    return input_fn


def pandas_input_fn(x, y=None, batch_size=128, num_epochs=1, shuffle=None, queue_capacity=1000, num_threads=1,
                    target_column="target"):
    """An input function of a pandas.DataFrame."""
    _check_shuffle(shuffle)
    if not isinstance(target_column, str):
        raise TypeError("target_column must be a string type")
    x = x.copy()
    if y is not None:
        if target_column in x:
            raise ValueError("Cannot use name %s for target column: DataFrame already has a column with that name: %s" %
                             (target_column, x.columns))
        if not np.array_equal(x.index, y.index):
            raise ValueError("Index for x and y are mismatched.\nIndex for x: %s\nIndex for y: %s\n" % (x.index, y.index))
        x[target_column] = y
    if queue_capacity is None:
        queue_capacity = 4 * len(x) if shuffle else len(x)

    def rows_of(rows):
        part = x.iloc[rows]
        return [part.index.values] + [part[c].values for c in part.columns]

    def input_fn():
        columns = [(dtypes.as_dtype(t), ()) for t in x.dtypes]
        queue = _enqueue(dtypes.as_dtype(x.index.dtype), columns, rows_of, queue_capacity, shuffle,
                         max(queue_capacity / 4, 1), len(x), batch_size, num_epochs, num_threads)
        batch = queue.dequeue_many(batch_size) if num_epochs is None else queue.dequeue_up_to(batch_size)
        features = dict(zip(list(x.columns), batch[1:]))
        return features if y is None else (features, features.pop(target_column))
    return input_fn
