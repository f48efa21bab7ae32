# cases_string_parse.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case


def text(*v):
    return np.array(list(v), object)


def one(v):
    return np.array(v, object)


def patterns():
    words = text(b'abc', b'', b'a1b22', b'xx\nyy', b'abcabc', b'\x00a', u'\u00e9t\u00e9'.encode('utf-8'))
    for pattern in (b'[a-z]+', b'.*', b'a.*', b'(a|b)*c?', b'\\d', b'', b'x+\ny+', b'^abc$', b'...'):
        yield Case('RegexFullMatch', [words, one(pattern)])
        yield Case('StaticRegexFullMatch', [words], pattern=pattern.decode())
        for rewrite in (b'-', b'<\\0>', b''):
            for every in (True, False):
                yield Case('RegexReplace', [words, one(pattern), one(rewrite)], replace_global=every)
        yield Case('StaticRegexReplace', [words], pattern=pattern.decode(), rewrite='#')
    yield Case('StaticRegexReplace', [words], pattern='([a-z])([0-9]*)', rewrite='\\2\\1')
    yield Case('StaticRegexReplace', [words], pattern='b*', rewrite='x')
    yield Case('RegexFullMatch', [words, text(b'a', b'b')])
    yield Case('RegexReplace', [words, one(b'a'), text(b'a', b'b')])
    for pattern in [b'(a', b'a)', b'[a', b'x[a-', b'[b-a]', b'*a', b'a**', b'a+?', b'a{2', b'a{3,2}', b'a{2000}', b'\\', b'\\q', b'(?P<n',
                    b'(?P<n>a)', b'(?P<n->a)', b'(?z)', b'(?i', b'(?i)A', b'(?i:A)', b'a|*', b'(?=a)', b'+', b'[]', b'[]a]', b'(?P=n)', b'a++',
                    b'(((', b'x{1001}', b'\\Qab', b'[\\q]', b'ab)c', b'[z-a]q', b'\\8', b'(a)\\1', b'[[:digit:]]', b'a{1,2}{3}', b'(*a)',
                    b'(|*)', b'a*?', b'[a-c-e]', b'\\x{41}', b'{', b'a{,2}', b'\\pL']:
        yield Case('RegexReplace', [words, one(pattern), one(b'#')])


def bytes_and_rows():
    data = text(b'', b'a', b'ab', b'abc', b'\xff\xfe\xfd\xfc', b'hello world')
    for pad in (True, False):
        yield Case('EncodeBase64', [data], pad=pad)
    yield Case('DecodeBase64', [text(b'', b'YQ', b'YWI', b'YWJj', b'__79_A', b'YQ==')])
    for bad in (b'Y', b'Y+==', b'YWJ!', b'YQ='):
        yield Case('DecodeBase64', [text(bad)])
    raw = text(b'\x01\x02\x03\x04\x05\x06\x07\x08' * 2, b'\x00' * 16)
    for out in ('half', 'float32', 'float64', 'int32', 'uint16', 'uint8', 'int16', 'int8', 'int64', 'complex64', 'complex128',
                'bool'):
        for little in (True, False):
            if out != 'bool':
                yield Case('DecodeRaw', [raw], out_type=out, little_endian=little)
    yield Case('DecodeRaw', [text(b'\x01\x00')], out_type='bool')
    yield Case('DecodeRaw', [text(b'12345')], out_type='int32')
    yield Case('DecodeRaw', [np.zeros([0], object)], out_type='int32')
    yield Case('DecodeRaw', [text(b'', b'')], out_type='int32')
    defaults = [np.int32([0]), np.float32([]), text(b'none'), np.float64([2]), np.int64([])]
    rows = text(b'1,2.5,x,3,4', b' 7 ,1e3,"a ""b"", c",,5\n', b',0,,,6')
    yield Case('DecodeCSV', [rows, defaults])
    for row in (b'1,2', b'1,2,3,4,5,6', b'x,1,a,1,1', b'1,,a,1,1', b'1,1,a,1,', b'1,1,a"b,1,1', b'1,1,"ab,1,1', b'1,1,"a"b",1,1',
                b'1,1,a\nb,1,1', b'1,1,a,1,9223372036854775808', b'1,nan,a,1,2'):
        yield Case('DecodeCSV', [text(row), defaults])
    yield Case('DecodeCSV', [text(b'1;2', b'3;'), [np.int32([9]), np.int32([8])]], field_delim=';')
    yield Case('DecodeCSV', [text(b'"1";x"y'), [text(), text()]], field_delim=';', use_quote_delim=False)
    yield Case('DecodeCSV', [text(b'NA,2'), [np.int32([9]), np.int32([8])]], na_value='NA')
    yield Case('DecodeCSV', [text(b'1,2,3,4'), [np.int32([9]), np.int32([8])]], select_cols=[1, 3])
    yield Case('DecodeCSV', [text(b'1,2'), [np.int32([9, 1]), np.int32([8])]])
    yield Case('DecodeCSV', [one(b'1,2'), [np.int32(9), np.int32(8)]])


def cases():
    for group in (patterns, bytes_and_rows):
        for case in group():
            yield case
