# cases_proto.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Messages taken apart and put together. The nodes hold the description of the messages themselves."""

import numpy as np

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, text_format

from record_ops import Case

F = descriptor_pb2.FieldDescriptorProto
KINDS = ['double', 'float', 'int64', 'uint64', 'int32', 'fixed64', 'fixed32', 'bool', 'string', 'group', 'message', 'bytes',
         'uint32', 'enum', 'sfixed32', 'sfixed64', 'sint32', 'sint64']
WIDE = {'float': 'float64', 'int32': 'int64', 'fixed32': 'uint64', 'uint32': 'uint64', 'sfixed32': 'int64', 'sint32': 'int64'}
OWN = {'double': 'float64', 'float': 'float32', 'int64': 'int64', 'uint64': 'uint64', 'int32': 'int32', 'fixed64': 'uint64',
       'fixed32': 'uint32', 'bool': 'bool', 'string': 'string', 'group': 'string', 'message': 'string', 'bytes': 'string',
       'uint32': 'uint32', 'enum': 'int32', 'sfixed32': 'int32', 'sfixed64': 'int64', 'sint32': 'int32', 'sint64': 'int64'}
DEFAULTS = {'double': '-1.5', 'float': 'inf', 'int64': '-3', 'uint64': '18446744073709551615', 'int32': '-5', 'fixed64': '6',
            'fixed32': '4294967295', 'bool': 'true', 'string': 'a word', 'bytes': 'a\\001\\xff\\n', 'uint32': '9',
            'enum': 'GREEN', 'sfixed32': '-10', 'sfixed64': '11', 'sint32': '-12', 'sint64': '13'}


def add_field(message, name, number, kind, label=F.LABEL_OPTIONAL, **more):
    field = message.field.add(name=name, number=number, type=KINDS.index(kind) + 1, label=label)
    if kind in ('message', 'group'):
        field.type_name = more.pop('type_name', '.pkg.Inner')
    if kind == 'enum':
        field.type_name = '.pkg.Color'
    packed = more.pop('packed', None)
    if packed is not None:
        field.options.packed = packed
    for k, v in more.items():
        setattr(field, k, v)
    return field


def describe():
    files = descriptor_pb2.FileDescriptorSet()
    f = files.file.add(name='t.proto', package='pkg', syntax='proto2')
    color = f.enum_type.add(name='Color')
    for name, number in (('BLUE', 3), ('RED', 0), ('GREEN', -2)):
        color.value.add(name=name, number=number)
    inner = f.message_type.add(name='Inner')
    add_field(inner, 'x', 1, 'int32')
    add_field(inner, 'y', 2, 'string', F.LABEL_REPEATED)
    add_field(inner, 'again', 3, 'message')
    for name, packed in (('Many', None), ('Packed', True)):
        many = f.message_type.add(name=name)
        for i, kind in enumerate(KINDS):
            if kind == 'group':
                continue
            add_field(many, kind + '_value', i + 1, kind, F.LABEL_REPEATED,
                      packed=packed if kind not in ('string', 'bytes', 'message') else None)
        many.extension_range.add(start=100, end=200)
    one = f.message_type.add(name='One')
    for i, kind in enumerate(KINDS):
        if kind == 'group':
            continue
        field = add_field(one, kind + '_value', 40 - i, kind)
        if kind in DEFAULTS:
            add_field(one, kind + '_default', 100 + i, kind, default_value=DEFAULTS[kind])
    grouped = f.message_type.add(name='Grouped')
    part = grouped.nested_type.add(name='Part')
    add_field(part, 'z', 4, 'int32')
    add_field(grouped, 'part', 2, 'group', F.LABEL_REPEATED, type_name='.pkg.Grouped.Part')
    add_field(grouped, 'last', 9, 'int32')
    need = f.message_type.add(name='Need')
    add_field(need, 'must', 1, 'int32', F.LABEL_REQUIRED)
    choice = f.message_type.add(name='Choice')
    choice.oneof_decl.add(name='which')
    add_field(choice, 'a', 1, 'int32', oneof_index=0)
    add_field(choice, 'b', 2, 'string', oneof_index=0)
    extension = f.extension.add(name='more', number=100, type=F.TYPE_MESSAGE, label=F.LABEL_REPEATED,
                                type_name='.pkg.Inner', extendee='.pkg.Many')
    g = files.file.add(name='u.proto', package='pkg3', syntax='proto3')
    new = g.message_type.add(name='New')
    add_field(new, 'x', 1, 'int32')
    add_field(new, 'xs', 2, 'sint64', F.LABEL_REPEATED)
    add_field(new, 'text', 3, 'string')
    return files


FILES = describe()
SOURCE = b'bytes://' + FILES.SerializeToString()
POOL = descriptor_pool.DescriptorPool()
for _file in FILES.file:
    POOL.Add(_file)


def make(name, text):
    message = message_factory.MessageFactory(POOL).GetPrototype(POOL.FindMessageTypeByName(name))()
    text_format.Merge(text, message, descriptor_pool=POOL)
    return message.SerializeToString()


MANY = '''double_value: 1.5 double_value: -inf float_value: 0.25 int64_value: -1 int64_value: 9223372036854775807
 uint64_value: 18446744073709551615 int32_value: -7 int32_value: 8 int32_value: 2147483647 fixed64_value: 5 fixed32_value: 6
 bool_value: true bool_value: false string_value: "one" string_value: "" bytes_value: "\\000\\377"
 message_value { x: 4 y: "a" y: "b" } uint32_value: 4294967295 enum_value: GREEN enum_value: BLUE sfixed32_value: -9
 sfixed64_value: -10 sint32_value: -11 sint32_value: 12 sint64_value: -13'''
ONE = ' '.join('%s_value: %s' % (k, v) for k, v in (
    ('double', '2.5'), ('float', '-0.5'), ('int64', '-4'), ('uint64', '7'), ('int32', '-3'), ('fixed64', '9'), ('bool', 'true'),
    ('string', '"s"'), ('bytes', '"b"'), ('uint32', '11'), ('enum', 'RED'), ('sfixed32', '-1'), ('sfixed64', '-2'),
    ('sint32', '-3'), ('sint64', '-4'), ('int32_default'[:-8] + '', '5')) if k != 'int32' or v != '5')


def decode(name, bufs, fields, dtypes, **more):
    return Case('DecodeProtoV2', [np.array(bufs, object)], message_type=name, field_names=fields, output_types=dtypes,
                descriptor_source=more.pop('descriptor_source', SOURCE), **more)


# The default of an enum is whatever was in TensorFlow's memory.
def fields_of(name, wide=False, enums=False):
    fields, dtypes = [], []
    for field in POOL.FindMessageTypeByName(name).fields:
        kind = KINDS[field.type - 1]
        if kind == 'enum' and not enums:
            continue
        fields.append(field.name)
        dtypes.append(WIDE.get(kind, OWN[kind]) if wide else OWN[kind])
    return fields, dtypes


def decoding():
    for name in ('pkg.Many', 'pkg.Packed'):
        full, empty = make(name, MANY), make(name, 'int32_value: [1, 2, 3, 4, 5]')
        for wide in (False, True):
            fields, dtypes = fields_of(name, wide)
            for sanitize in (False, True):
                yield decode(name, [full], fields, dtypes, sanitize=sanitize)
                yield decode(name, [[full, b''], [empty, full + empty]], fields, dtypes, sanitize=sanitize)
            yield decode(name, [MANY, '# nothing'], fields, dtypes, message_format='text')
        numbers = make(name, 'enum_value: [GREEN, BLUE, RED]')
        yield decode(name, [numbers, numbers], ['enum_value'], ['int32'])
        yield decode(name, ['enum_value: [-2, BLUE]'], ['enum_value'], ['int32'], message_format='text')
        # The other way to write them is read too.
        other = 'pkg.Packed' if name == 'pkg.Many' else 'pkg.Many'
        yield decode(other, [full], *fields_of(other))
        yield decode(other, [full], *fields_of(other), sanitize=True)
    fields, dtypes = fields_of('pkg.One')
    for bufs in ([make('pkg.One', ONE)], [b''], [make('pkg.One', ONE), b'', make('pkg.One', 'int32_default: 77')]):
        for sanitize in (False, True):
            yield decode('pkg.One', bufs, fields, dtypes, sanitize=sanitize)
    yield decode('pkg.One', [make('pkg.One', ONE)], *fields_of('pkg.One', True))
    yield decode('pkg.One', [make('pkg.One', ONE)], fields[::-3], dtypes[::-3])
    # One value, written as many: it is counted, and is not looked at.
    packed = make('pkg.Packed', 'int32_value: [1, 2]')
    number = POOL.FindMessageTypeByName('pkg.One').fields_by_name['int32_value'].number
    yield decode('pkg.One', [bytes(bytearray([number * 8 % 128 + 128 + 2, number * 8 // 128])) + packed[1:]], ['int32_value'],
                 ['int32'])
    group = make('pkg.Grouped', 'Part { z: 5 } Part { } last: 3')
    for sanitize in (False, True):
        yield decode('pkg.Grouped', [group, b''], ['part', 'last'], ['string', 'int32'], sanitize=sanitize)
    yield decode('pkg.Grouped', ['Part { z: 5 } Part { } last: 3'], ['part', 'last'], ['string', 'int32'],
                 message_format='text')
    more = make('pkg.Many', '[pkg.more] { x: 1 } [pkg.more] { y: "q" }')
    yield decode('pkg.Many', [more], ['pkg.more'], ['string'])
    yield decode('pkg.Many', ['[pkg.more] { x: 1 } [pkg.more] < y: "q" >'], ['pkg.more'], ['string'], message_format='text')
    for buf in (b'\x08\x05\x12\x01k', b'\x12\x01k\x08\x05'):
        for sanitize in (False, True):
            yield decode('pkg.Choice', [buf], ['a', 'b'], ['int32', 'string'], sanitize=sanitize)
    for buf in (b'\x08\x00\x1a\x00', b'\x08\x07\x12\x03\x01\x02\x03', b'\x10\x05\x10\x06\x1a\x01z'):
        for sanitize in (False, True):
            yield decode('pkg3.New', [buf], ['x', 'xs', 'text'], ['int32', 'int64', 'string'], sanitize=sanitize)
    yield decode('pkg3.New', [b'\x1a\x01\xff'], ['text'], ['string'], sanitize=True)
    yield decode('pkg.Inner', [make('pkg.Inner', 'x: 1 again { x: 2 again { y: "deep" } }')], ['again', 'x'],
                 ['string', 'int32'], sanitize=True)
    # Parts of one message are merged where they are made clean.
    yield decode('pkg.Inner', [b'\x1a\x02\x08\x01\x1a\x03\x12\x01q'], ['again'], ['string'], sanitize=True)
    yield decode('pkg.Inner', [b'\x1a\x02\x08\x01\x1a\x03\x12\x01q'], ['again'], ['string'])


def wrong():
    yield decode('pkg.Nothing', [b''], ['x'], ['int32'])
    yield decode('pkg.Inner', [b''], ['nothing'], ['int32'])
    yield decode('pkg.Inner', [b''], ['x'], ['float32'])
    yield decode('pkg.Inner', [b''], ['y'], ['int64'])
    yield decode('pkg.Inner', [b''], ['x', 'y'], ['int32'])
    yield decode('pkg.Inner', [b''], ['x'], ['int32'], message_format='xml')
    yield decode('pkg.Inner', np.zeros([0, 2], object), ['x'], ['int32'])
    yield decode('pkg.Inner', [b''], ['x'], ['int32'], descriptor_source=b'bytes://\xff\xff')
    yield decode('pkg.Inner', [b''], ['x'], ['int32'], descriptor_source=b'no such file')
    for sanitize in (False, True):
        for buf in (b'\x08', b'\x12\x05ab', b'\x0a\x03\x01\x02\x83', b'\x0d\x01\x00', b'\x09\x01', b'\x22\x04ab', b'\x1c',
                    b'\x0c', b'\x07', b'\x00', b'\x23\x08\x01\x24', b'\x23\x08\x01', b'\x0d\x01\x00\x00\x00',
                    b'\x0a\x7f\x01', b'\x08' + b'\xff' * 10 + b'\x01'):
            yield decode('pkg.Inner', [buf], ['x', 'y'], ['int32', 'string'], sanitize=sanitize)
        yield decode('pkg.Packed', [b'\x0a\x03abc'], ['double_value'], ['float64'], sanitize=sanitize)
        yield decode('pkg.Packed', [b'\x2a\x02\x01\x81'], ['int32_value'], ['int32'], sanitize=sanitize)
    yield decode('pkg.Need', [b''], ['must'], ['int32'])
    yield decode('pkg.Need', [b''], ['must'], ['int32'], sanitize=True)
    for text in ('x: 1 x: 2', 'x: "a"', 'x 1', 'nothing: 1', 'x: 99999999999', 'y: [', 'again { x: 1', 'y: "a', 'x: 0x1F',
                 'y: ["p", \'q\' "r"] x: 017;', 'again: { x: 3 }', 'again < y: "\\x41\\n\\u0041" >, x: -1', ''):
        yield decode('pkg.Inner', [text], ['x', 'y', 'again'], ['int32', 'string', 'string'], message_format='text')
    yield decode('pkg.Many', ['enum_value: NOTHING'], ['enum_value'], ['int32'], message_format='text')
    yield decode('pkg.Many', ['enum_value: -2 bool_value: 1 float_value: 1e50 float_value: nan double_value: 5f'],
                 ['enum_value', 'bool_value', 'float_value', 'double_value'], ['int32', 'bool', 'float32', 'float64'],
                 message_format='text')


def encode(name, sizes, fields, tensors, **more):
    return Case('EncodeProto', [np.array(sizes, 'int32'), tensors], message_type=name, field_names=fields,
                descriptor_source=more.pop('descriptor_source', SOURCE), **more)


VALUES = {'float64': [1.5, -2.25], 'float32': [0.5, 3], 'int64': [-1, 2 ** 40], 'uint64': [2 ** 63, 1], 'int32': [-5, 6],
          'uint32': [2 ** 32 - 1, 2], 'bool': [True, False], 'string': [b'ab\0', b'']}


def encoding():
    for name in ('pkg.Many', 'pkg.Packed'):
        for wide in (False, True):
            fields, dtypes = fields_of(name, wide, True)
            tensors = [np.array([VALUES[d], VALUES[d][::-1]], object if d == 'string' else d) for d in dtypes]
            sizes = np.array([[2] * len(fields), [1, 0] * (len(fields) // 2) + [1] * (len(fields) % 2)])
            yield encode(name, sizes, fields, tensors)
            yield encode(name, sizes[:, ::-1], fields[::-1], tensors[::-1])
    yield encode('pkg.Grouped', [[2, 1]], ['part', 'last'], [np.array([[b'\x20\x05', b'']], object), np.array([[7]], 'int32')])
    yield encode('pkg.Inner', np.ones([2, 1, 1], 'int32'), ['x'], [np.array([[[3]], [[-3]]], 'int32')])
    x, y = np.array([[1, 2]], 'int32'), np.array([[b'a']], object)
    for case in (([[1, 1]], ['x', 'y'], [x, y]), ([[0, 0]], ['x', 'y'], [x, y]), ([[3, 1]], ['x', 'y'], [x, y]),
                 ([[1]], ['x', 'y'], [x, y]), ([[1, 1]], ['x', 'no'], [x, y]), ([[1, 1]], ['x'], [x, y]),
                 ([[1, 1]], ['y', 'x'], [x, y]), ([1, 1], ['x', 'y'], [x[0], y[0]]),
                 ([[1, 1]], ['x', 'y'], [x, np.array([[b'a'], [b'b']], object)])):
        yield encode('pkg.Inner', *case)
    yield encode('pkg.Nothing', [[1]], ['x'], [x])


def cases():
    for part in (decoding, wrong, encoding):
        for case in part():
            yield case
