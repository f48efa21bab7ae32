# cases_parsing_sequence.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""SequenceExamples: features of a context and lists of them."""

import numpy as np
import tensorflow.compat.v1 as tf

from record_ops import Case


def feature(*values, **more):
    out = tf.train.Feature()
    kind = more.get('kind') or ('bytes' if isinstance(values[0], bytes) else 'float' if isinstance(values[0], float) else 'int64')
    getattr(out, kind + '_list').value.extend(values)
    if not values:
        getattr(out, kind + '_list').SetInParent()
    return out


def example(context=None, lists=None):
    e = tf.train.SequenceExample()
    for key, value in (context or {}).items():
        e.context.feature[key].CopyFrom(value)
    for key, rows in (lists or {}).items():
        e.feature_lists.feature_list[key].feature.extend(rows)
        e.feature_lists.feature_list[key].SetInParent()
    return e.SerializeToString()


FULL = example({'n': feature(7), 'tags': feature(b'x', b'y'), 'w': feature(1.5, 2.5)},
               {'words': [feature(b'a'), feature(b'bb'), feature(b'')], 'ids': [feature(1, 2), feature(3), feature(kind='int64')],
                'vec': [feature(1.0, 2.0), feature(3.0, 4.0)]})
SHORT = example({'n': feature(8)}, {'words': [feature(b'z')], 'ids': [], 'vec': [feature(5.0, 6.0)]})


def scalar(x):
    return np.array(x, object)


def strings(*v):
    return np.array(list(v), object)


TYPES = dict(context_sparse_types=['string'], Tcontext_dense=['int64', 'float32'], context_dense_shapes=[[], [2]],
             feature_list_sparse_types=['int64'], feature_list_dense_types=['string', 'float32'],
             feature_list_dense_shapes=[[], [2]])


def single(data, missing=strings(), defaults=(np.zeros([0], np.int64), np.array([9, 9], np.float32)), keys=None, **more):
    k = dict(cs=['tags'], cd=['n', 'w'], ls=['ids'], ld=['words', 'vec'])
    k.update(keys or {})
    attrs = dict(TYPES, Ncontext_sparse=1, Ncontext_dense=2, Nfeature_list_sparse=1, Nfeature_list_dense=2)
    attrs.update(more)
    to = lambda names: [scalar(n.encode()) for n in names]
    return Case('ParseSingleSequenceExample', [scalar(data), missing, to(k['cs']), to(k['cd']), to(k['ls']), to(k['ld']),
                                               list(defaults), scalar(b'name')], attrs)


def batch(data, defaults=(np.zeros([0], np.int64), np.array([9, 9], np.float32)), names=strings(), **more):
    attrs = dict(TYPES, Ncontext_sparse=1, Ncontext_dense=2, Nfeature_list_sparse=1, Nfeature_list_dense=2,
                 context_sparse_keys=['tags'], context_dense_keys=['n', 'w'], feature_list_sparse_keys=['ids'],
                 feature_list_dense_keys=['words', 'vec'], feature_list_dense_missing_assumed_empty=[])
    attrs.update(more)
    return Case('ParseSequenceExample', [data, names, list(defaults)], attrs)


def cases():
    yield single(FULL)
    yield single(SHORT)
    yield single(example({'n': feature(1)}), missing=strings(b'words', b'vec'))
    yield single(example({'n': feature(1)}), missing=strings(b'words'))
    yield single(example({}, {'words': [], 'vec': []}))
    yield single(example({'n': feature(1, 2)}, {'words': [], 'vec': []}))
    yield single(example({'n': feature(1)}, {'words': [feature(b'a', b'b')], 'vec': []}))
    yield single(example({'n': feature(1)}, {'words': [feature(b'a')], 'vec': [feature(1.0, 2.0), feature(1.0)]}))
    yield single(FULL, keys=dict(cs=['nothing'], ls=['nothing']))
    yield single(b'', missing=strings(b'words', b'vec'), defaults=(np.array(3, np.int64), np.array([9, 9], np.float32)))
    yield single(FULL, defaults=(np.array([3], np.int64), np.array([9, 9], np.float32)))
    empty = dict((k, []) for k in TYPES)
    yield single(FULL, defaults=(), keys=dict(cs=[], cd=[], ls=[], ld=[]), Ncontext_sparse=0, Ncontext_dense=0,
                 Nfeature_list_sparse=0, Nfeature_list_dense=0, **empty)
    yield batch(strings(FULL, SHORT))
    yield batch(strings(SHORT, FULL, SHORT), names=strings(b'a', b'b', b'c'))
    yield batch(strings(FULL))
    yield batch(strings(FULL, example({'n': feature(1)})), feature_list_dense_missing_assumed_empty=['words', 'vec'])
    yield batch(strings(example({}, {}), FULL), feature_list_dense_missing_assumed_empty=['words', 'vec'],
                defaults=(np.array(3, np.int64), np.array([9, 9], np.float32)))
