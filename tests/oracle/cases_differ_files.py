# cases_differ_files.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What differ.py found of readers, files and checkpoints, smallest form."""

import numpy as np

from cases_reader import OLD, Chain
from record_ops import Case


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


def cases():
    for part in (unparsed, nameless, zero_bytes, made_first, merged_twice):
        yield from part()
