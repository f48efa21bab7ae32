# cases_json_example.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Examples from JSON."""

import numpy as np

from record_ops import Case


def cases():
    def case(*texts):
        return Case('DecodeJSONExample', [np.array(texts if len(texts) > 1 else texts[0], object)])

    def of(value):
        return '{"features":{"feature":{"a":%s}}}' % value

    yield case('{}')
    yield case('{"features":{}}', '{"features": null}', ' { } ')
    yield Case('DecodeJSONExample', [np.array([], object)])
    yield Case('DecodeJSONExample', [np.array([[b'{}'], [b'{"features":{"feature":{}}}']], object)])
    yield case(of('{"floatList":{"value":[1,2.5,"NaN","-Infinity","Infinity",-0.125,1e-3,"1.5"]}}'))
    yield case(of('{"float_list":{"value":[1,2.5]}},"b":{"int64List":{"value":["5",-6,7.0,"-9223372036854775808"]}},'
                  '"c":{"bytesList":{"value":["aGk=","aGk","_-8=","/+8=",""]}},"d":{}'))
    for value in ('{"floatList":{}}', '{"floatList":null}', 'null', '{"int64List":{"value":5}}',
                  '{"int64List":{"value":[[1],[2,[3]]]}}', '{"int64List":{"value":[]}}'):
        yield case(of(value))
    for text in ('{features:{}}', "{'features':{}}", '{"features":{},}', '{"features":{"feature":{"a\\u00e9\\n\\t\\"\\ud83d\\ude00":{}}}}',
                 '{"features":{"feature":{"":{"int64List":{"value":["9223372036854775807"]}}}}}'):
        yield case(text)
    for value in ('{"floatList":{"value":["x"]}}', '{"floatList":{"value":[1,1e40]}}', '{"int64List":{"value":[1.5]}}',
                  '{"int64List":{"value":["9223372036854775808"]}}', '{"int64List":{"value":[true]}}',
                  '{"floatList":{"value":["1.5"," 2"]}}', '{"bytesList":{"value":["!!"]}}', '5',
                  '{"floatList":{"value":[]},"int64List":{"value":[1]}}', '{},"a":{}'):
        yield case(of(value))
    for text in ('', '[]', 'null', '{"x":1}', '{"features":{"feature":[]}}', '{} x', '{"features"', '{"features" 5',
                 '{"features":{} "x"', '{"features":{"feature":{"a', '{5:{}}'):
        yield case(text)
    for text in ('{"features": 3', '{"features":{"feature":{"a":{"floatList":{"value":["x"]}}}', '{"x":1', '{"features":{"feature":[]},',
                 '[1, 2', '{"features":{"feature":{"a":{"int64List":{"value":[true, 23', '{"x":"abc"', '{"x":true', '{"x":1} 5'):
        yield case(text)
