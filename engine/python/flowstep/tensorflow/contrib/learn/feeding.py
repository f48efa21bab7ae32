# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Arrays given to tf.contrib.learn's estimators: placeholders, and what each step feeds them."""

import numpy as np

from ... import dtypes
from ...framework import tf_logging as logging
from ...framework.graph import Graph, Tensor
from ...operators.array_ops import placeholder
from ..real_valued import infer_real_valued_columns


def _array(values):
    if isinstance(values, dict):
        return {key: _array(value) for key, value in values.items()}
    values = np.array(values)
    if values.dtype == np.float64:
        logging.warning("float64 is not supported by many models, consider casting to float32.")
    return values


def _each(function, values):
    if isinstance(values, dict):
        return {key: function(value, "_" + key) for key, value in values.items()}
    return function(values, "")


class DataFeeder:
    """Rows of x and y in batches, over and over or for some epochs; shuffled anew in each."""

    def __init__(self, x, y, n_classes=None, batch_size=None, shuffle=True, random_state=None, epochs=None):
        self._x, self._y = _array(x), None if y is None else _array(y)
        self._rows = len(next(iter(self._x.values())) if isinstance(self._x, dict) else self._x)
        if batch_size is not None and batch_size <= 0:
            raise ValueError("Invalid batch_size %d." % batch_size)
        self.batch_size, self.shuffle, self.max_epochs = batch_size or self._rows, shuffle, epochs
        self.random_state = random_state or np.random.RandomState(42)
        self._offset = self._epoch = 0
        self._order = self._new_order()

    def _new_order(self):
        return self.random_state.permutation(self._rows) if self.shuffle else np.arange(self._rows)

    def input_builder(self):
        """The placeholders of features and labels."""
        def of_features(values, name):
            return placeholder(dtypes.as_dtype(values.dtype), [None] + list(values.shape[1:] or [1]), name="input" + name)

        def of_labels(values, name):
            return placeholder(dtypes.as_dtype(values.dtype), [None] + self._label_shape(values), name="output" + name)
        self._features = _each(of_features, self._x)
        self._labels = None if self._y is None else _each(of_labels, self._y)
        return self._features, self._labels

    @staticmethod
    def _label_shape(values):
        shape = list(values.shape[1:])
        return shape[1:] if shape[:1] == [1] else shape

    @staticmethod
    def _fed(tensors, values, rows):
        pairs = [(tensors[key], values[key]) for key in values] if isinstance(values, dict) else [(tensors, values)]
        return {tensor.name: rows(value) for tensor, value in pairs}

    def get_feed_dict_fn(self):
        def feed():
            if self.max_epochs is not None and self._epoch + 1 > self.max_epochs:
                raise StopIteration
            chosen = self._order[self._offset:self._offset + self.batch_size]
            fed = self._fed(self._features, self._x,
                            lambda values: values[chosen].reshape(-1, 1) if values.ndim == 1 else values[chosen])
            if self._y is not None:
                fed.update(self._fed(self._labels, self._y, lambda values: values[chosen].reshape(
                    [len(chosen)] + self._label_shape(values))))
            self._offset += self.batch_size
            if self._offset >= self._rows:
                self._order, self._offset, self._epoch = self._new_order(), 0, self._epoch + 1
            return fed
        return feed


def setup_train_data_feeder(x, y, n_classes=None, batch_size=None, shuffle=True, epochs=None):
    return DataFeeder(x, y, n_classes, batch_size, shuffle=shuffle, epochs=epochs)


def check(x, y, input_fn, batch_size=None):
    if input_fn is not None:
        if x is not None or y is not None:
            raise ValueError("Can not provide both input_fn and x or y.")
        if batch_size is not None:
            raise ValueError("Can not provide both input_fn and batch_size.")
    elif x is None:
        raise ValueError("Either x or input_fn must be provided.")
    elif isinstance(x, Tensor) or isinstance(y, Tensor):
        raise ValueError("Inputs cannot be tensors. Please provide input_fn.")


def functions(x, y, batch_size, shuffle=False, epochs=1):
    """(input function, function of what to feed) of arrays."""
    check(x, y, None, batch_size)
    feeder = setup_train_data_feeder(x, y, None, batch_size, shuffle, epochs)
    return feeder.input_builder, feeder.get_feed_dict_fn()


def infer_real_valued_columns_from_input_fn(input_fn):
    with Graph().as_default():
        features, _ = input_fn()
        return infer_real_valued_columns(features)


def infer_real_valued_columns_from_input(x):
    return infer_real_valued_columns_from_input_fn(functions(x, None, None)[0])
