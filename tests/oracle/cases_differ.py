# cases_differ.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What differ.py found and has been mended: one case each, as it shrank it."""

from record_ops import Case, Out, Ref, Var
from samples import INF, NAN, tensor


def cases():
    yield Case('ArgMax', [tensor('float64', [2], [NAN, 0.0]), tensor('int32', [], [0])], {})
    yield Case('ArgMin', [tensor('float64', [2], [NAN, 0.0]), tensor('int64', [], [0])], {})
    yield Case('Concat', [Out(0, 0), [tensor('bfloat16', [1], [0.8671875]), tensor('bfloat16', [], [-1.265625]), tensor('bfloat16', [2, 0], [])]], {}, nodes=[('Sub', [tensor('int32', [], [0]), tensor('int32', [], [3])], {})], tolerance=0.03)
    yield Case('ConcatV2', [[tensor('float32', [1], [0.0]), tensor('float32', [1, 1], [0.0])], tensor('int32', [], [2147483647])], {}, tolerance=2e-05)
    yield Case('ConcatV2', [[tensor('string', [1, 2], [b''] * 2), tensor('string', [1, 1], [b'']), tensor('string', [1, 1, 0], [])], tensor('int32', [], [2])], {})
    yield Case('GatherNd', [tensor('uint8', [1], [0]), tensor('int32', [2, 1], [3, 1])], {})
    yield Case('FakeQuantWithMinMaxVars', [tensor('float32', [0], []), tensor('float32', [1], [0.0]), tensor('float32', [], [0.0])], {}, tolerance=2e-05)
    yield Case('FakeQuantWithMinMaxVarsPerChannel', [tensor('float32', [1], [0.0]), tensor('float32', [2], [0.0] * 2), tensor('float32', [], [0.0])], {'num_bits': 1}, tolerance=2e-05)
    yield Case('FakeQuantWithMinMaxArgsGradient', [tensor('float32', [], [0.0]), tensor('float32', [1], [0.0])], {}, tolerance=2e-05)
    yield Case('FakeQuantWithMinMaxVarsGradient', [tensor('float32', [1], [0.0]), tensor('float32', [], [0.0]), tensor('float32', [], [0.0]), tensor('float32', [], [0.0])], {'num_bits': -1}, tolerance=2e-05)
    yield Case('FakeQuantWithMinMaxVars', [tensor('float32', [], [0.0]), tensor('float32', [], [0.0]), tensor('float32', [1], [0.0])], {'num_bits': -8}, tolerance=2e-05)
    yield Case('FakeQuantWithMinMaxVarsPerChannelGradient', [tensor('float32', [1, 1], [0.0]), tensor('float32', [1], [0.0]), tensor('float32', [1], [0.0]), tensor('float32', [1], [0.0])], {'narrow_range': True, 'num_bits': -8}, tolerance=2e-05)
    yield Case('FakeQuantWithMinMaxVarsGradient', [tensor('float32', [], [0.0]), tensor('float32', [], [0.0]), tensor('float32', [], [0.0]), tensor('float32', [1], [0.0])], {}, tolerance=2e-05)
    yield Case('FakeQuantWithMinMaxVarsPerChannelGradient', [tensor('float32', [2, 0, 2, 2], []), tensor('float32', [2, 0, 2, 2], []), tensor('float32', [1, 1], [0.0]), tensor('float32', [], [0.0])], {}, tolerance=2e-05)
    yield Case('FakeQuantWithMinMaxArgsGradient', [tensor('float32', [], [0.0]), tensor('float32', [1], [0.0])], {'num_bits': -1}, tolerance=2e-05)
    yield Case('FakeQuantWithMinMaxArgsGradient', [tensor('float32', [1], [INF]), tensor('float32', [1], [4.0])], {'max': 2.0}, tolerance=2e-05)
    yield Case('FakeQuantWithMinMaxVarsPerChannel', [tensor('float32', [1], [0.0]), tensor('float32', [1], [0.0]), tensor('float32', [1], [-2.0])], {}, tolerance=2e-05)
    yield Case('FakeQuantWithMinMaxVarsGradient', [tensor('float32', [], [0.0]), tensor('float32', [], [0.0]), tensor('float32', [1], [0.0]), tensor('float32', [], [0.0])], {}, tolerance=2e-05)
    yield Case('FakeQuantWithMinMaxVarsPerChannelGradient', [Out(0, 0), Out(0, 0), tensor('float32', [2], [0.0] * 2), Out(0, 0)], {}, nodes=[('Add', [tensor('float32', [1, 2], [0.0] * 2), tensor('float32', [], [0.0])], {})], tolerance=2e-05)
    yield Case('FakeQuantWithMinMaxVarsPerChannel', [tensor('float32', [1, 2], [0.14832331240177155, -0.35011160373687744]), tensor('float32', [], [-6.0]), tensor('float32', [2], [6.0, 3.700000047683716])], {'narrow_range': True}, tolerance=2e-05)
    yield Case('FakeQuantWithMinMaxVars', [tensor('float32', [], [0.0]), tensor('float32', [], [1.0]), tensor('float32', [], [0.0])], {}, tolerance=2e-05)
    yield Case('FakeQuantWithMinMaxVars', [tensor('float32', [], [0.0]), tensor('float32', [], [0.0]), tensor('float32', [1], [0.0])], {}, tolerance=2e-05)
    yield Case('FakeQuantWithMinMaxArgs', [tensor('float32', [], [NAN])], {}, tolerance=2e-05)
    yield Case('HistogramFixedWidth', [tensor('float64', [], [0.0]), tensor('float64', [2], [0.0, -2.145583980932961]), tensor('int32', [], [0])], {})
    yield Case('SampleDistortedBoundingBox', [tensor('uint8', [3], [0] * 3), Out(0, 0)], {}, nodes=[('Snapshot', [tensor('float32', [1, 1, 4], [0.0, 0.0, 0.0, -0.3472602963447571])], {})], tolerance=2e-05)
    yield Case('SampleDistortedBoundingBoxV2', [tensor('int32', [3], [0] * 3), tensor('float32', [1, 1, 4], [0.0, 0.0, 0.0, 1.9541635513305664]), tensor('float32', [], [0.0])], {}, runs=3, tolerance=2e-05)
    yield Case('DecodePng', [tensor('string', [], [b'\xe2\x82\xac'])], {})
    yield Case('DecodeJpeg', [tensor('string', [], [b'\xff\x00z'])], {})
    yield Case('NonMaxSuppressionV2', [tensor('float32', [1, 4], [0.0] * 4), tensor('float32', [1], [0.0]), tensor('int32', [], [-1]), tensor('float32', [], [0.0])], {}, tolerance=2e-05)
    yield Case('Cholesky', [tensor('float16', [], [0.0])], {}, tolerance=1e-10)
    yield Case('CholeskyGrad', [tensor('float32', [0, 0], []), tensor('float32', [1, 0, 0], [])], {}, tolerance=0.0001, producer=10)
    yield Case('CholeskyGrad', [tensor('float64', [1, 1], [0.0]), tensor('float64', [], [0.0])], {}, tolerance=1e-09, producer=10)
    yield Case('ParseSingleExample', [tensor('string', [], [b'\n<\n\x11\n\x01x\x12\x0c\x12\n\n\x08\x00\x00\x80?\x00\x00\x00@\n\r\n\x01s\x12\x08\n\x06\n\x02ab\n\x00\n\x0c\n\x01v\x12\x07\x1a\x05\n\x03\x03\x04\x05\n\n\n\x01n\x12\x05\x1a\x03\n\x01\x07']), [tensor('float32', [0], []), tensor('int64', [1], [0])]], {'dense_keys': ['x', 'n'], 'dense_shapes': [[2], []], 'num_sparse': 2, 'sparse_keys': [b's', b'v'], 'sparse_types': ['string', 'int64']}, tolerance=2e-05)
    yield Case('ParseExample', [tensor('string', [1], [b'\n\x19\n\x0b\n\x01x\x12\x06\x1a\x04\n\x02\x01\x02\n\n\n\x01n\x12\x05\x1a\x03\n\x01\x07']), tensor('string', [0], []), [tensor('string', [], [b'']), tensor('string', [], [b'v'])], [tensor('string', [1], [b'x']), tensor('string', [], [b'n'])], [tensor('float32', [0], []), tensor('int64', [0], [])]], {'dense_shapes': [[2], []], 'sparse_types': ['string', 'int64']}, tolerance=2e-05)
    yield Case('ParseSingleExample', [tensor('string', [], [b'\n\x19\n\x0b\n\x01x\x12\x06\x1a\x04\n\x02\x01\x02\n\n\n\x01n\x12\x05\x1a\x03\n\x01\x07']), [tensor('float32', [0], []), tensor('int64', [1], [0])]], {'dense_keys': ['x', 'n'], 'dense_shapes': [[2], []], 'num_sparse': 2, 'sparse_keys': [b's', b'v'], 'sparse_types': ['string', 'int64']}, tolerance=2e-05)
    yield Case('ParseExample', [tensor('string', [1], [b'']), tensor('string', [0], []), [], [tensor('string', [], [b'a'])], [tensor('float32', [0], [])]], {'Ndense': 1, 'Nsparse': 0, 'Tdense': ['float32'], 'dense_shapes': [[0]], 'sparse_types': []}, tolerance=2e-05)
    yield Case('ParseExample', [tensor('string', [3], [b''] * 3), tensor('string', [0], []), [], [tensor('string', [], [b'z']), tensor('string', [], [b'c'])], [tensor('float32', [1], [9.0]), tensor('string', [0], [])]], {'Ndense': 2, 'Nsparse': 0, 'Tdense': ['float32', 'string'], 'dense_shapes': [[1], [None]], 'sparse_types': []}, tolerance=2e-05)
    yield Case('ParseExample', [tensor('string', [1], [b'']), tensor('string', [0], []), [], [tensor('string', [], [b''])], [tensor('float32', [1], [0.0])]], {'Ndense': 1, 'Nsparse': 0, 'Tdense': ['float32'], 'dense_shapes': [[]], 'sparse_types': []}, tolerance=2e-05)
    yield Case('ParseExample', [tensor('string', [1], [b'\n<\n\n\n\x01b\x12\x05\x1a\x03\n\x01\x03\n\x0c\n\x01c\x12\x07\n\x05\n\x01x\n\x00\n\r\n\x01z\x12\x08\x12\x06\n\x04\x00\x00\xc0?\n\x11\n\x01a\x12\x0c\x12\n\n\x08\x00\x00\x80?\x00\x00\x00@']), tensor('string', [0], []), [], [tensor('string', [], [b'b'])], [tensor('float32', [], [0.0])]], {'Ndense': 1, 'Nsparse': 0, 'Tdense': ['float32'], 'dense_shapes': [[1]], 'sparse_types': []}, tolerance=2e-05)
    yield Case('ParseSingleExample', [tensor('string', [], [b'a']), [tensor('float32', [1, 2], [0.0] * 2), tensor('int64', [], [0])]], {'dense_keys': ['x', 'n'], 'dense_shapes': [[2], []], 'num_sparse': 2, 'sparse_keys': [b's', b'v'], 'sparse_types': ['string', 'int64']}, tolerance=2e-05)
    yield Case('ParseSingleExample', [tensor('string', [], [b'\n\x1b\n\r\n\x01x\x12\x08\x12\x06\n\x04\x00\x00\x80?\n\n\n\x01n\x12\x05\x1a\x03\n\x01\x07']), [tensor('float32', [2], [0.0] * 2), tensor('int64', [1], [0])]], {'dense_keys': ['x', 'n'], 'dense_shapes': [[2], []], 'num_sparse': 2, 'sparse_keys': [b's', b'v'], 'sparse_types': ['string', 'int64']}, tolerance=2e-05)
    yield Case('ParseSequenceExample', [tensor('string', [1], [b'']), Out(0, 0), [tensor('int64', [], [0]), tensor('float32', [1], [0.0])]], {'Ncontext_dense': 2, 'Ncontext_sparse': 1, 'Nfeature_list_dense': 2, 'Nfeature_list_sparse': 1, 'Tcontext_dense': ['int64', 'float32'], 'context_dense_keys': ['n', 'w'], 'context_dense_shapes': [[], [2]], 'context_sparse_keys': ['tags'], 'context_sparse_types': ['string'], 'feature_list_dense_keys': ['words', 'vec'], 'feature_list_dense_missing_assumed_empty': ['words', 'vec'], 'feature_list_dense_shapes': [[], [2]], 'feature_list_dense_types': ['string', 'float32'], 'feature_list_sparse_keys': ['ids'], 'feature_list_sparse_types': ['int64']}, nodes=[('Identity', [tensor('string', [0], [])], {})], tolerance=2e-05)
