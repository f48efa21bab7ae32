# cases_string_unicode.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Strings as code points and back."""

import numpy as np

from record_ops import Case

WORDS = [u'', u'abc', u'\xe4\u20ac\U0001f600x', u'\x00\x1f\x7f', u'\u05d0\u0939\u4e2d']
BROKEN = [b'a\xffb', b'\xc3', b'\xe2\x82', b'\xe2\x82x', b'\xf0\x9f\x98', b'\xed\xa0\x80', b'\xc0\x80', b'\xf5\x80\x80\x80',
          b'\xf4\x90\x80\x80', b'\x80\x80', b'ok\x02\xe0\x80\x80']


def text(values):
    return np.array(list(values), object)


def cases():
    codecs = {'UTF-8': 'utf-8', 'UTF-16-BE': 'utf-16-be', 'UTF-32-BE': 'utf-32-be'}
    for name, codec in sorted(codecs.items()):
        data = text(w.encode(codec) for w in WORDS)
        for errors in ('strict', 'replace', 'ignore'):
            for controls in (False, True):
                attrs = dict(input_encoding=name, errors=errors, replace_control_characters=controls)
                for kind in ('int32', 'int64'):
                    yield Case('UnicodeDecode', [data], Tsplits=kind, **attrs)
                yield Case('UnicodeDecodeWithOffsets', [data], **attrs)
                for output in sorted(codecs):
                    yield Case('UnicodeTranscode', [data], output_encoding=output, **attrs)
    for errors in ('strict', 'replace', 'ignore'):
        for bad in BROKEN:
            attrs = dict(input_encoding='UTF-8', errors=errors)
            yield Case('UnicodeDecodeWithOffsets', [text([b'x', bad])], **attrs)
            yield Case('UnicodeTranscode', [text([bad])], output_encoding='UTF-8', replacement_char=63, **attrs)
        for name, bad in (('UTF-16-BE', b'\x00a\xd8\x3d'), ('UTF-16-BE', b'\xd8\x3d\x00a'), ('UTF-16-BE', b'\x00a\x00'),
                          ('UTF-16-BE', b'\xde\x00\x00a'), ('UTF-32-BE', b'\x00\x11\x00\x00\x00\x00\x00a'),
                          ('UTF-32-BE', b'\x00\x00\xd8\x00\x00\x00\x00a'), ('US-ASCII', b'a\x80b'), ('ISO-8859-1', b'a\xe4b')):
            yield Case('UnicodeDecodeWithOffsets', [text([bad])], input_encoding=name, errors=errors)
    yield Case('UnicodeDecode', [np.array(b'ab', object)], input_encoding='UTF-8')
    yield Case('UnicodeDecode', [text([b'ab', b'c', b'', b'd']).reshape(2, 2)], input_encoding='UTF-8')
    yield Case('UnicodeDecode', [text([])], input_encoding='UTF-8')
    yield Case('UnicodeDecode', [text([b'a'])], input_encoding='no such')
    yield Case('UnicodeDecode', [text([b'a'])], input_encoding='UTF-8', replacement_char=0xd800)
    yield Case('UnicodeTranscode', [np.array(b'ab', object)], input_encoding='UTF-8', output_encoding='UTF-16-BE')
    points = np.array([0x61, 0xe4, 0x20ac, 0x1f600, 0xfffd, 1], np.int32)
    wrong = np.array([0x61, 0xd800, -1, 0x110000, 0xffff, 0xfdd0], np.int32)
    for output in sorted(codecs):
        for errors in ('strict', 'replace', 'ignore'):
            for kind in ('int32', 'int64'):
                splits = np.array([0, 2, 2, 6], kind)
                yield Case('UnicodeEncode', [points, splits], output_encoding=output, errors=errors)
                yield Case('UnicodeEncode', [wrong, splits], output_encoding=output, errors=errors, replacement_char=63)
    for splits in ([0], [0, 2, 1], [1, 3]):
        yield Case('UnicodeEncode', [points, np.array(splits, np.int64)], output_encoding='UTF-8')
    yield Case('UnicodeScript', [np.array([0x61, 0x3b1, 0x430, 0x5d0, 0x627, 0x939, 0x4e2d, 0x3042, 0x30a2, 0xac00, 0x20, 0x300,
                                           0xe000, 0x378, 0x10ffff, -1, 0x110000, 0x1780, 0x1230, 0x13a0], np.int32)])
    yield Case('UnicodeScript', [np.arange(0x20, 0x250, 7, dtype=np.int32).reshape(-1, 1)])
    # Encodings that tell their order of bytes, and those of tables, by some of their names.
    marked16 = [b'\xfe\xff\x00*', b'\xff\xfe*\x00', b'*\x00', b'\x00<\xfe\xff\x00>', b'\xff', b'\xff\xfe\x00\xd8*\x00', b'']
    marked32 = [b'\x00\x00\xfe\xff\x00\x00\x00*', b'\xff\xfe\x00\x00*\x00\x00\x00', b'\x00\x00\x00*', b'*\x00\x00\x00']
    upper = [bytes(range(0x80, 0x100))]
    texts = [('UTF-16', marked16), ('utf_32', marked32), ('UTF-08', [b'a'])]
    texts += [(name, upper) for name in ('ISO-8859-2', 'iso8859_05', 'Latin-9', 'KOI8-R', 'koi8-u', 'ISO-8859-13', 'ISO-8859-6',
                                         'windows-1250', 'CP1251', 'Windows-1252', 'windows-1254', 'windows-1256')]
    texts += [('SHIFT-JIS', ['\u3053\u3093\u306b\u3061'.encode('shift-jis'), b'\x5c\x7e', b'a\x82', b'\x82\xff a', b'\x80a\xa0', b'\x81\x00b', b'\xb1']),
              ('euc_jp', ['\u3053\u4f60'.encode('euc-jp'), b'\x8e\xb1', b'\xa4 ', b'\xffa\xa4']), ('EUC-KR', ['\uc548\ub155'.encode('euc-kr'), b'\xa4']),
              ('GBK', ['\u4f60a'.encode('gbk'), b'\x80\xc4 \xc4']), ('gb18030', ['\u4f60\xe9'.encode('gb18030'), b'\x81\x30\x81']),
              ('Big5', ['\u4f60\u597d'.encode('big5'), b'\xa4']), ('GB2312', ['\u4f60'.encode('gb2312')])]
    for encoding, strings in texts:
        for errors in ('replace', 'ignore', 'strict'):
            yield Case('UnicodeDecodeWithOffsets', [np.array(strings, object)], input_encoding=encoding, errors=errors)
        yield Case('UnicodeTranscode', [np.array(strings, object)], input_encoding=encoding, output_encoding='UTF-8')
    yield Case('UnicodeDecode', [np.array([b'a'], object)], input_encoding='no-such-8')
