# cases_dataset_csv.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from cases_dataset import I64, i64, take

CSV = {
    'plain.csv': b'1,x,2.5\n2,y,3\n',
    'crlf.csv': b'1,x,2.5\r\n2,"y\r\nz",3\r\n',
    'cr.csv': b'1,x,2.5\r2,y,3',
    'quotes.csv': b'1,"a,b",2\n2,"say ""x""",3\n3,"two\nlines",4',
    'open.csv': b'1,"abc,2\n',
    'inside.csv': b'1,a"b,2\n',
    'after.csv': b'1,"a"b,2\n',
    'few.csv': b'1,x\n',
    'many.csv': b'1,x,2,3\n',
    'blank.csv': b'1,x,2\n\n2,y,3\n',
    'missing.csv': b'1,,2\n,y,\n',
    'na.csv': b'NA,x,NA\n',
    'number.csv': b'1,x,abc\n',
    'big.csv': b'99999999999,x,1\n',
    'spaces.csv': b' 1 ,x, 2.5 \n',
    'tabs.csv': b'1\tx\t2\n',
    'empty.csv': b'',
}


def s(x):
    return np.array(x, object)


def csv(name, op='CSVDataset', header=False, delimiter=',', quotes=True, na='', columns=(), defaults=None, buffer_size=100,
        compression=''):
    if defaults is None:
        defaults = [np.zeros(0, 'int32'), s(['d']), np.array([-1], 'float32')]

    def make(p):
        for n in name if isinstance(name, list) else [name]:
            p.file(n, CSV[n])
        types = ['string' if d.dtype == object else d.dtype.name for d in defaults]
        return p.ds(op, [s(name), s(compression), i64(buffer_size), np.array(header), s(delimiter), np.array(quotes), s(na),
                         np.array(columns, I64), list(defaults)], types)
    return make


def cases():
    for name in sorted(CSV):
        yield from take(csv(name), 1, 2, 3)
    yield from take(csv('plain.csv', op='ExperimentalCSVDataset'), 2, 3)
    yield from take(csv('plain.csv', header=True), 1, 2)
    yield from take(csv(['plain.csv', 'empty.csv', 'crlf.csv'], header=True), 2, 3)
    yield from take(csv('tabs.csv', delimiter='\t'), 1, 2)
    yield from take(csv('quotes.csv', quotes=False), 1)
    yield from take(csv('na.csv', na='NA', defaults=[np.array([7], 'int32'), np.zeros(0, object), np.array([1], 'float64')]), 1)
    yield from take(csv('missing.csv', defaults=[np.array([7], I64), np.zeros(0, object), np.array([1], 'float32')]), 1, 2)
    two = [np.zeros(0, 'int32'), np.array([5], 'float32')]
    for columns in ([0, 2], [0, 5], [2, 0], [-1, 2], [0, 1, 2]):
        yield from take(csv('plain.csv', columns=columns, defaults=two), 1)
    yield from take(csv('few.csv', columns=[0, 1], defaults=[two[0], np.zeros(0, object)]), 1)
    yield from take(csv('many.csv', columns=[0, 3], defaults=two), 1)
    yield from take(csv('plain.csv', delimiter=''), 1)
    yield from take(csv('plain.csv', delimiter=', '), 1)
    yield from take(csv('plain.csv', buffer_size=0), 1)
    yield from take(csv('plain.csv', compression='X'), 1)
    yield from take(csv('plain.csv', defaults=[np.zeros((1, 1), 'int32'), np.zeros(0, object), two[1]]), 1)
    yield from take(csv('plain.csv', defaults=[np.zeros(2, 'int32'), np.zeros(0, object), two[1]]), 1)
