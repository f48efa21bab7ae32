# cases_reader.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Readers and files. The files are written by the cases themselves: names are relative, and each
case's chain begins with the WriteFile nodes it needs, here and where the cases are replayed."""

import gzip
import io
import os
import struct
import tempfile
import zlib

import numpy as np

from record_ops import Case, Out
from samples import values

os.chdir(tempfile.mkdtemp())


def crc32c(data):
    table = []
    for i in range(256):
        c = i
        for _ in range(8):
            c = (c >> 1) ^ (0x82F63B78 if c & 1 else 0)
        table.append(c)
    c = 0xFFFFFFFF
    for b in bytearray(data):
        c = table[(c ^ b) & 255] ^ (c >> 8)
    return c ^ 0xFFFFFFFF


def masked(data):
    c = crc32c(data)
    return struct.pack('<I', (((c >> 15) | (c << 17)) + 0xa282ead8) & 0xFFFFFFFF)


def record_file(*records):
    out = b''
    for r in records:
        length = struct.pack('<Q', len(r))
        out += length + masked(length) + r + masked(r)
    return out


def zipped(data, kind):
    if kind == 'ZLIB':
        return zlib.compress(data)
    raw = io.BytesIO()
    with gzip.GzipFile(filename='', mode='wb', fileobj=raw, mtime=0) as f:
        f.write(data)
    return raw.getvalue()


# Before the ops without V2 were taken out.
OLD = 20


class Chain(object):
    """Nodes one after the other; a node that was added can be named as an input."""

    def __init__(self):
        self.nodes = []

    def add(self, op, inputs=(), **attrs):
        self.nodes.append((op, list(inputs), attrs))
        return Out(len(self.nodes) - 1)

    def file(self, name, contents):
        self.add('WriteFile', [np.array(name, object), np.array(contents, object)])

    def queue(self, *names, **more):
        q = self.add('FIFOQueue' + more.get('v', 'V2'), component_types=['string'], shapes=[[]],
                     shared_name=more.get('shared_name', ''))
        if names:
            self.add('QueueEnqueueMany' + more.get('v', 'V2'), [q, [np.array(names, object)]],
                     Tcomponents=['string'])
        if more.get('close', True):
            self.add('QueueClose' + more.get('v', 'V2'), [q])
        return q

    def case(self, **more):
        op, inputs, attrs = self.nodes[-1]
        return Case(op, inputs, attrs=attrs, nodes=self.nodes[:-1], **more)


FILES = {
    'lines.txt': b'one\ntwo\r\n\nfour\nlast without end',
    'empty.txt': b'',
    'more.txt': b'five\nsix\n',
    'blank.txt': b'\n\n',
    'cr.txt': b'a\rb\r\n\r\n',
    'crs.txt': b'a\r\r\n\rb\n\rc\r',
    'fixed.bin': b'HH' + bytes(bytearray(range(20))) + b'F',
    'r.tfrecord': record_file(b'alpha', b'', b'gamma' * 9),
    's.tfrecord': record_file(b'delta'),
    'cut.tfrecord': record_file(b'alpha', b'beta')[:-3],
    'cut_head.tfrecord': record_file(b'alpha') + b'\x05\x00\x00',
    'bad_length.tfrecord': b'\x01' + record_file(b'alpha')[1:],
    'bad_data.tfrecord': record_file(b'alpha') + record_file(b'beta')[:-5] + b'X' + record_file(b'beta')[-4:],
    'z.tfrecord': zipped(record_file(b'alpha', b'beta'), 'ZLIB'),
    'g.tfrecord': zipped(record_file(b'alpha', b'beta'), 'GZIP'),
    'fixed.gz': zipped(b'HH' + bytes(bytearray(range(20))) + b'F', 'GZIP'),
    'fixed.z': zipped(b'HH' + bytes(bytearray(range(20))) + b'F', 'ZLIB'),
}


def reading(kind, names, reads, up_to=None, v='V2', shared_name='', after=(), **attrs):
    c = Chain()
    for name in names:
        if name in FILES:
            c.file(name, FILES[name])
    q = c.queue(*names, v=v, shared_name='queue_%s_%s' % (shared_name, v) if not v else '')
    r = c.add(kind + v, shared_name=shared_name, **attrs)
    for _ in range(reads):
        if up_to is None:
            c.add('ReaderRead' + v, [r, q])
        else:
            c.add('ReaderReadUpTo' + v, [r, q, np.array(up_to, 'int64')])
    for op in after:
        c.add(op + v, [r])
    return c.case(producer=None if v else OLD)


def plain():
    text = ['lines.txt', 'empty.txt', 'more.txt']
    counts = ('ReaderNumRecordsProduced', 'ReaderNumWorkUnitsCompleted')
    for reads in (1, 5, 6, 7, 8):
        yield reading('TextLineReader', text, reads)
    for count in counts:
        for reads in (0, 5, 6, 7):
            yield reading('TextLineReader', text, reads, after=[count])
    for skip in (1, 2, 5, 9):
        yield reading('TextLineReader', text, 1, skip_header_lines=skip)
    for up_to in (1, 2, 4, 7, 0):  # -1 ends TensorFlow
        yield reading('TextLineReader', text, 2, up_to)
    yield reading('TextLineReader', text, 3, 10)
    yield reading('TextLineReader', ['cr.txt', 'blank.txt'], 4)
    for reads in (1, 2, 3, 4):
        yield reading('TextLineReader', ['crs.txt'], reads)
    yield reading('TextLineReader', ['nowhere.txt'], 1)
    yield reading('TextLineReader', ['empty.txt'], 1)
    yield reading('WholeFileReader', ['more.txt', 'empty.txt'], 1)
    yield reading('WholeFileReader', ['more.txt', 'empty.txt'], 2)
    yield reading('WholeFileReader', ['more.txt', 'empty.txt'], 3)
    yield reading('WholeFileReader', ['more.txt', 'empty.txt'], 2, 5)
    yield reading('WholeFileReader', ['nowhere.txt'], 1)
    yield reading('IdentityReader', ['a', '', 'c'], 2)
    yield reading('IdentityReader', ['a', '', 'c'], 2, 2)
    for count in counts:
        yield reading('IdentityReader', ['a', 'b', 'c'], 2, after=[count])
        yield reading('WholeFileReader', ['more.txt', 'empty.txt'], 1, after=[count])


def records():
    for reads in (1, 2, 3, 4, 5):
        yield reading('TFRecordReader', ['r.tfrecord', 's.tfrecord'], reads)
    for up_to in (2, 3, 9):
        yield reading('TFRecordReader', ['r.tfrecord', 's.tfrecord'], 2, up_to)
    for name in sorted(FILES):
        if name.endswith('.tfrecord') and len(name) > len('r.tfrecord'):
            for reads in (1, 2):
                yield reading('TFRecordReader', [name], reads)
    yield reading('TFRecordReader', ['lines.txt'], 1)
    yield reading('TFRecordReader', ['empty.txt', 'r.tfrecord'], 1)
    for kind in 'ZLIB', 'GZIP':
        name = kind[0].lower() + '.tfrecord'
        for reads in (1, 2):
            yield reading('TFRecordReader', [name], reads, compression_type=kind)
        yield reading('TFRecordReader', [name, name], 2, 5, compression_type=kind)
    for record, header, footer, hop in ((5, 2, 1, 0), (4, 0, 0, 0), (4, 2, 1, 2), (4, 2, 0, 7), (23, 0, 0, 0),
                                        (24, 0, 0, 0), (1, 22, 0, 0), (2, 30, 0, 0), (0, 0, 0, 0), (4, -1, 0, 0),
                                        (4, 0, -1, 0), (4, 0, 0, -1), (-4, 0, 0, 0)):
        for reads in (1, 3):
            yield reading('FixedLengthRecordReader', ['fixed.bin'], reads, record_bytes=record, header_bytes=header,
                          footer_bytes=footer, hop_bytes=hop)
    for kind, name in (('GZIP', 'fixed.gz'), ('ZLIB', 'fixed.z')):
        for reads in (1, 4, 5):
            yield reading('FixedLengthRecordReader', [name], reads, record_bytes=5, header_bytes=2, footer_bytes=1,
                          encoding=kind)
    yield reading('FixedLengthRecordReader', ['fixed.bin'], 2, 3, record_bytes=4, header_bytes=2, footer_bytes=1)


def state():
    for kind in ('IdentityReader', 'WholeFileReader', 'TextLineReader', 'TFRecordReader'):
        for reads in (0, 1):
            yield reading(kind, ['more.txt', 's.tfrecord'], reads if kind != 'TFRecordReader' else 0,
                          after=['ReaderSerializeState'])
    for saved in (b'\x08\x02\x10\x01\x18\x01\x22\x01x', b'\x08\x01\x10\x02', b'\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01',
                  b'garbage', b''):
        c = Chain()
        q = c.queue('a', 'b')
        r = c.add('IdentityReaderV2')
        c.add('ReaderRestoreStateV2', [r, np.array(saved, object)])
        c.add('ReaderReadV2', [r, q])
        c.add('ReaderNumWorkUnitsCompletedV2', [r])
        yield c.case()
    c = Chain()
    r = c.add('TextLineReaderV2')
    c.add('ReaderRestoreStateV2', [r, np.array(b'', object)])
    yield c.case()
    c = Chain()
    r = c.add('IdentityReaderV2')
    c.add('ReaderRestoreStateV2', [r, np.array([b'', b''], object)])
    yield c.case()
    for count in ('ReaderNumRecordsProducedV2', 'ReaderNumWorkUnitsCompletedV2', 'ReaderReadV2'):
        c = Chain()
        c.file('lines.txt', FILES['lines.txt'])
        q = c.queue('lines.txt', 'lines.txt')
        r = c.add('TextLineReaderV2')
        c.add('ReaderReadV2', [r, q])
        c.add('ReaderReadV2', [r, q])
        c.add('ReaderResetV2', [r])
        c.add(count, [r, q] if count == 'ReaderReadV2' else [r])
        yield c.case()
    yield reading('TextLineReader', ['lines.txt'], 1, shared_name='_x')


def wrong_queues():
    for dtype, shape, value in (('int32', [], np.arange(2, dtype='int32')),
                                ('string', [2], np.array([['a', 'b']], object))):
        c = Chain()
        q = c.add('FIFOQueueV2', component_types=[dtype], shapes=[shape])
        c.add('QueueEnqueueManyV2', [q, [value]], Tcomponents=[dtype])
        r = c.add('IdentityReaderV2')
        c.add('ReaderReadV2', [r, q])
        yield c.case()
    c = Chain()
    q = c.add('FIFOQueueV2', component_types=['string', 'string'], shapes=[[], []])
    c.add('QueueEnqueueV2', [q, [np.array('a', object), np.array('b', object)]], Tcomponents=['string', 'string'])
    r = c.add('IdentityReaderV2')
    c.add('ReaderReadV2', [r, q])
    yield c.case()


def old():
    for kind in ('TextLineReader', 'WholeFileReader', 'IdentityReader'):
        yield reading(kind, ['lines.txt', 'more.txt'], 2, v='', shared_name='old_' + kind)
        yield reading(kind, ['lines.txt', 'more.txt'], 2, 3, v='', shared_name='old_up_to_' + kind)
        for op in ('ReaderNumRecordsProduced', 'ReaderNumWorkUnitsCompleted', 'ReaderSerializeState'):
            if op != 'ReaderSerializeState' or kind != 'TextLineReader':
                yield reading(kind, ['lines.txt', 'more.txt'], 1, v='', shared_name='old_%s_%s' % (op, kind), after=[op])
    yield reading('TFRecordReader', ['r.tfrecord'], 2, v='', shared_name='old_records')
    yield reading('FixedLengthRecordReader', ['fixed.bin'], 2, v='', shared_name='old_fixed', record_bytes=4)
    c = Chain()
    r = c.add('IdentityReader', shared_name='old_state')
    c.add('ReaderRestoreState', [r, np.array(b'\x08\x02\x10\x02\x18\x01', object)])
    c.add('ReaderNumWorkUnitsCompleted', [r])
    yield c.case(producer=OLD)
    c = Chain()
    r = c.add('IdentityReader', shared_name='old_reset')
    c.add('ReaderReset', [r])
    c.add('ReaderNumRecordsProduced', [r])
    yield c.case(producer=OLD)


def files():
    for pattern in ('m/*.txt', 'm/a*', 'm/?.txt', 'm/[ab].txt', 'm/b.txt', 'm/*/*.txt', 'm/n/d.txt', 'm/none*', 'm/*',
                    './m/*.txt', ['m/b*', 'm/a*'], [], 'nowhere/*.txt', 'nowhere', [['m/*']], 'm/\\a.txt', 'm//*.txt'):
        c = Chain()
        for name in ('m/a.txt', 'm/b.txt', 'm/ab.txt', 'm/n/d.txt', 'm/x.bin'):
            c.file(name, b'x')
        c.add('MatchingFiles', [np.array(pattern, object)])
        yield c.case()
    c = Chain()
    c.file('w/new/deep.txt', b'hello \x00 there')
    c.add('ReadFile', [np.array('w/new/deep.txt', object)])
    yield c.case()
    c = Chain()
    c.file('w.txt', b'long contents')
    c.file('w.txt', b'short')
    c.add('ReadFile', [np.array('w.txt', object)])
    yield c.case()
    yield Case('WriteFile', [np.array(['a'], object), np.array('x', object)])
    yield Case('WriteFile', [np.array('a', object), np.array(['x'], object)])
    yield Case('WriteFile', [np.array('w2.txt', object), np.array('x', object)])
    for dtype in ('float32', 'float64', 'int32', 'int64', 'uint8', 'bool', 'string', 'complex64', 'half', 'int8'):
        for shape in ((), (3,), (2, 0), (2, 2)):
            value = values(dtype, list(shape))
            yield Case('SerializeTensor', [value])
            c = Chain()
            s = c.add('SerializeTensor', [value])
            c.nodes[-1][2]['T'] = 'string' if dtype == 'string' else dtype
            c.add('ParseTensor', [s], out_type=dtype)
            yield c.case()
    for text, dtype in ((b'', 'float32'), (b'garbage', 'float32'), (b'\x08\x01\x12\x00\x2a\x04\x00\x00\x80\x3f', 'int32'),
                        (b'\x08\x01\x12\x00\x2a\x04\x00\x00\x80\x3f', 'float32'), (b'\x08\x01\x12\x04\x12\x02\x08\x02', 'float32')):
        yield Case('ParseTensor', [np.array(text, object)], out_type=dtype)
    yield Case('ParseTensor', [np.array([b'', b''], object)], out_type='float32')


def cases():
    for group in (plain, records, state, wrong_queues, old, files):
        for case in group():
            yield case
