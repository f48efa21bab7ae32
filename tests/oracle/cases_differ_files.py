# cases_differ_files.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What differ.py found of readers, files, checkpoints and what holds an element, smallest form."""

import numpy as np

from cases_reader import OLD, Chain
from record_ops import Case, Out


def unparsed():
    """An error names the node that made the reader, whatever name that shares."""
    for kind in ('IdentityReader', 'WholeFileReader'):
        for v in ('', 'V2'):
            for name in ('', 'shared_' + kind + v):
                # Not a message; finished before begun; before the beginning.
                for state in (b'ab', b'\x08\x03\x10\x01', b'\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01', '\u20ac'.encode()):
                    c = Chain()
                    reader = c.add(kind + v, shared_name=name)
                    c.add('ReaderRestoreState' + v, [reader, np.array(state, object)])
                    c.add('ReaderNumWorkUnitsCompleted' + v, [reader])
                    yield c.case(producer=None if v else OLD)


def nameless():
    """A file without a name is not there, though the folder is."""
    for kind, attrs in (('TextLineReaderV2', {}), ('WholeFileReaderV2', {}), ('TFRecordReaderV2', {}), ('IdentityReaderV2', {}),
                        ('FixedLengthRecordReaderV2', {'record_bytes': 2})):
        c = Chain()
        queue = c.queue('')
        reader = c.add(kind, **attrs)
        c.add('ReaderReadV2', [reader, queue])
        yield c.case()
    yield Case('ReadFile', [np.array('', object)])
    yield Case('WriteFile', [np.array('', object), np.array('x', object)])


def zero_bytes():
    """What a reader takes from its queue may have any bytes."""
    for op in ('ReaderReadV2', 'ReaderSerializeStateV2', 'ReaderNumWorkUnitsCompletedV2'):
        c = Chain()
        queue = c.queue(b'\xff\x00z', b'a\x00', b'')
        reader = c.add('IdentityReaderV2')
        c.add('ReaderReadV2', [reader, queue])
        c.add('ReaderReadV2', [reader, queue])
        c.add(op, [reader, queue] if op == 'ReaderReadV2' else [reader])
        yield c.case()


def made_first():
    """All kernels are made before the first op runs: what one refuses comes before what an earlier op would say."""
    for attrs in ({'hop_bytes': -1}, {'header_bytes': -1}):
        c = Chain()
        queue = c.add('FIFOQueueV2', component_types=['string'], shapes=[[]])
        c.add('QueueEnqueueManyV2', [queue, [np.array([['a']], object)]], Tcomponents=['string'])
        reader = c.add('FixedLengthRecordReaderV2', record_bytes=4, **attrs)
        c.add('ReaderReadV2', [reader, queue])
        yield c.case()


    x = np.zeros([], np.uint32)
    for op, more in (('Restore', []), ('RestoreSlice', [np.array('', object)])):
        c = Chain()
        c.add('Save', ['unsaved', np.array(['a'], object), [x]])
        c.add(op, ['unsaved', 'a'] + more, dt='uint32', preferred_shard=-2)
        yield c.case()


def merged_twice():
    """An error names a tensor as it is named, whatever letters that has."""
    x, name = np.ones([2], np.float32), np.array(['\u00e9t'], object)
    for spec in ('', '4 0,2'):
        c = Chain()
        c.add('SaveV2', ['one', name, np.array([spec], object), [x]])
        c.add('SaveV2', ['two', name, np.array([''], object), [x]])
        c.add('MergeV2Checkpoints', [np.array(['one', 'two'], object), 'both'])
        yield c.case()


def contradicting_files():
    """Files that do not agree on one tensor give none of the others either."""
    x, y = np.ones([2], np.float32), np.ones([5, 1], np.float32)
    for first, second in ((x, y), (x, x.astype(np.int32)), (x, x)):
        for op, more, attrs in (('Restore', [], {'dt': 'bool'}), ('RestoreSlice', [np.array('', object)], {'dt': 'bool'}),
                                ('RestoreV2', [np.array([''], object)], {'dtypes': ['bool']})):
            c = Chain()
            c.add('Save', ['many-0-of-2', np.array(['k', 'other'], object), [first, np.ones([3], np.bool_)]])
            c.add('Save', ['many-1-of-2', np.array(['k'], object), [second]])
            c.add(op, ['many-?-of-2', np.array(['other'], object) if op == 'RestoreV2' else 'other'] + more, **attrs)
            yield c.case()


def optionals():
    """Zeros and sums of what may hold an element."""
    def held(*values):
        return ('OptionalFromValue', [list(values)], {'Toutput_types': [v.dtype.name for v in values]})

    f, i, b = np.array(2.5, np.float32), np.array([3, 4], np.int32), np.array(True)
    text, nothing = ('OptionalFromValue', [[np.array('a', object)]], {'Toutput_types': ['string']}), ('OptionalNone', [], {})
    for made in (held(f, i), held(b), text, nothing):
        zeros = [made, ('ZerosLike', [Out(0, 0)], {'T': 'variant'})]
        yield Case('OptionalHasValue', [Out(1, 0)], {}, nodes=zeros)
        if made is not nothing:
            types = made[2]['Toutput_types']
            yield Case('OptionalGetValue', [Out(1, 0)], {'output_types': types, 'output_shapes': [None] * len(types)}, nodes=zeros)
    for one, other in ((held(f, i), held(f, i)), (held(f), held(i)), (held(f), nothing), (nothing, nothing), (held(f), held(f, f)),
                       (held(b), held(b)), (held(i), held(i[:1])), (text, text)):
        nodes = [one, other, ('AddN', [[Out(0, 0), Out(1, 0)]], {'T': 'variant'})]
        yield Case('OptionalHasValue', [Out(2, 0)], {}, nodes=nodes)
        if one is not nothing:
            types = one[2]['Toutput_types']
            yield Case('OptionalGetValue', [Out(2, 0)], {'output_types': types, 'output_shapes': [None] * len(types)}, nodes=nodes)


def cases():
    for part in (unparsed, nameless, zero_bytes, made_first, merged_twice, contradicting_files, optionals):
        yield from part()
