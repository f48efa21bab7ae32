# cases_dataset_sql.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Rows that a query finds. TensorFlow ends itself where a file cannot be opened."""

import os
import sqlite3

import numpy as np

from cases_dataset import Pipe
from cases_reader import Chain  # noqa: F401  goes to a folder of its own


def s(x):
    return np.array(x, object)


def database():
    db = sqlite3.connect('made.db')
    db.execute('pragma page_size = 512')
    db.execute('create table t(a integer, b text, c real, d blob)')
    db.execute("insert into t values (1, 'one', 1.5, x'00ff')")
    db.execute("insert into t values (-300, NULL, 2e300, NULL)")
    db.execute("insert into t values ('abc', 7, 'x', 9223372036854775807)")
    db.commit()
    db.close()
    with open('made.db', 'rb') as f:
        data = f.read()
    os.remove('made.db')
    # Which release of SQLite wrote it matters to nobody.
    return data[:96] + b'\0\0\0\0' + data[100:]


def cases():
    data = database()

    def query(q, types, n, op='SqlDataset', file='a.db', content=data, driver='sqlite', shapes=None):
        p = Pipe()
        p.file(file, content)
        d = p.ds(op, [s(driver), s('%s' % file), s(q)], types, shapes or [[]] * len(types))
        return p.run(d, n)
    for dtype in ('int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'bool', 'double', 'string'):
        yield query('select a from t', [dtype], 3)
        yield query('select d from t', [dtype], 3)
    yield query('select a, b, c, d from t order by c', ['int64', 'string', 'double', 'string'], 3, op='ExperimentalSqlDataset')
    for n in (1, 3, 4):
        yield query('select a, b from t', ['int32', 'string'], n)
    yield query('select count(*), sum(c) from t where a < 5', ['int64', 'double'], 2)
    yield query('select a from t where a = 5', ['int64'], 1)
    yield query('select 1; select 2', ['int64'], 2)
    for q in ('select a, b from t', 'select x from t', 'select a from nowhere', 'insert into t values(1, 2, 3, 4)', '',
              'select abs(-9223372036854775808)'):
        yield query(q, ['int64'], 1)
    yield query('select a from t', ['int64'], 1, file='b.db', content=b'not a database at all, certainly not one' * 30)
    yield query('select a from t', ['float32'], 1)
    yield query('select a from t', ['int64'], 1, driver='mysql')
    yield query('select a from t', ['int64'], 1, shapes=[[1]])
    yield query('select a from t', ['int64'], 1, shapes=[None])
    p = Pipe()
    yield p.run(p.ds('SqlDataset', [s('sqlite'), s(['a.db']), s('select 1')], ['int64'], [[]]), 1)
