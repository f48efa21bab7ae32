# cases_dataset_lmdb.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Keys and values of LMDB files, as a dataset and from a reader. The files are made here, page by page. TensorFlow's
reader ends itself where a file is none."""

import struct

import numpy as np

from cases_dataset import Pipe
from cases_reader import Chain

PAGE = 4096
NO_PAGE = 2 ** 64 - 1


def header(number, kind, lower, upper):
    return struct.pack('<QHHHH', number, 0, kind, lower, upper)


def node(low, flags, key, data):
    n = struct.pack('<HHHH', low & 0xffff, low >> 16, flags, len(key)) + key + data
    return n + b'\0' * (len(n) % 2)


def page(number, kind, nodes):
    upper = PAGE
    places = []
    room = b''
    for n in nodes:
        upper -= len(n)
        places.append(upper)
        room = n + room
    lower = 16 + 2 * len(nodes)
    head = header(number, kind, lower, upper) + b''.join(struct.pack('<H', at) for at in places)
    return head + b'\0' * (upper - lower) + room


def meta(number, transaction, depth, pages, entries, root, last):
    def db(pad, flags, depth, branch, leaf, overflow, entries, root):
        return struct.pack('<IHHQQQQQ', pad, flags, depth, branch, leaf, overflow, entries, root)
    branch, leaf, overflow = pages
    body = struct.pack('<IIQQ', 0xbeefc0de, 1, 0, 1 << 20) + db(PAGE, 8, 0, 0, 0, 0, 0, NO_PAGE)
    body += db(0, 0, depth, branch, leaf, overflow, entries, root) + struct.pack('<QQ', last, transaction)
    return (header(number, 8, 0, 0) + body).ljust(PAGE, b'\0')


def lmdb(items, leaf_size=3):
    """The bytes of a file with these keys and values, in order: as many leaves as it takes and one branch."""
    number = 2
    body = b''
    leaves = []
    n_overflow = 0
    for i in range(0, len(items), leaf_size):
        nodes = []
        for key, value in items[i:i + leaf_size]:
            if len(value) <= 1000:
                nodes.append(node(len(value), 0, key, value))
                continue
            n = (16 + len(value) + PAGE - 1) // PAGE
            body += (struct.pack('<QHHI', number, 0, 4, n) + value).ljust(n * PAGE, b'\0')
            nodes.append(node(len(value), 1, key, struct.pack('<Q', number)))
            number += n
            n_overflow += n
        body += page(number, 2, nodes)
        leaves.append((items[i][0] if i > 0 else b'', number))
        number += 1
    root = leaves[0][1] if leaves else NO_PAGE
    depth = 1 if leaves else 0
    if len(leaves) > 1:
        nodes = [struct.pack('<HHHH', at & 0xffff, at >> 16, 0, len(key)) + key + b'\0' * (len(key) % 2) for key, at in leaves]
        body += page(number, 1, nodes)
        root = number
        depth = 2
        number += 1
    pages = (depth // 2, len(leaves), n_overflow)
    return (meta(0, 0, 0, (0, 0, 0), 0, NO_PAGE, 1) + meta(1, 1, depth, pages, len(items), root, number - 1) + body)


FILES = {
    'empty.mdb': lmdb([]),
    'one.mdb': lmdb([(b'k', b'v')]),
    'two.mdb': lmdb([(b'a', b''), (b'bb', b'\0x\xff')]),
    'many.mdb': lmdb([(b'%02d' % i, b'value %d' % i * i) for i in range(11)]),
    'long.mdb': lmdb([(b'l', b'long' * 300), (b'm', b'm' * 5000), (b'n', b'short')]),
}


def cases():
    def dataset(op, names, n):
        p = Pipe()
        for name in names:
            p.file(name, FILES[name])
        d = p.ds(op, [np.array(names if len(names) != 1 else names[0], object)], ['string', 'string'], [[], []])
        return p.run(d, n)
    for op in ('LMDBDataset', 'ExperimentalLMDBDataset'):
        for names, n in ((['one.mdb'], 1), (['one.mdb'], 2), (['two.mdb'], 2), (['many.mdb'], 11), (['long.mdb'], 3), (['long.mdb'], 4),
                         (['two.mdb', 'one.mdb'], 3)):
            yield dataset(op, names, n)
    p = Pipe()
    yield p.run(p.ds('LMDBDataset', [np.array([['a']], object)], ['string', 'string'], [[], []]), 1)
    for name, n in (('one.mdb', 1), ('two.mdb', 2), ('many.mdb', 11), ('long.mdb', 3)):
        c = Chain()
        c.file(name, FILES[name])
        q = c.queue(name, v='', shared_name='queue_' + name)
        r = c.add('LMDBReader', [], shared_name='reader_' + name)
        for _ in range(n):
            c.add('ReaderRead', [r, q])
        c.add('ReaderNumRecordsProduced', [r])
        yield c.case()
    c = Chain()
    c.file('one.mdb', FILES['one.mdb'])
    c.file('many.mdb', FILES['many.mdb'])
    q = c.queue('one.mdb', 'many.mdb', v='', shared_name='queue')
    r = c.add('LMDBReader', [], shared_name='reader')
    c.add('ReaderReadUpTo', [r, q, np.int64(5)])
    c.add('ReaderReadUpTo', [r, q, np.int64(20)])
    c.add('ReaderNumWorkUnitsCompleted', [r])
    yield c.case()
    c = Chain()
    c.file('one.mdb', FILES['one.mdb'])
    r = c.add('LMDBReader', [], shared_name='other_reader')
    c.add('ReaderSerializeState', [r])
    yield c.case()
