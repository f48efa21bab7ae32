# cases_trial.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The ops that TensorFlow tries its own machinery with."""

from cases_reader import Chain
from record_ops import Case
from samples import tensor


def resources():
    """Looked up before it is made, made, made again, and of another name."""
    for last in ('ResourceUsingOp', 'ResourceInitializedOp', 'ResourceCreateOp'):
        for made in (0, 1):
            c = Chain()
            stub = c.add('StubResourceHandleOp', container='a', shared_name='b')
            for _ in range(made):
                c.add('ResourceCreateOp', [stub])
            c.add(last, [stub])
            yield c.case()


def cases():
    for op in ('KernelLabel', 'Fact', 'DevicePlacementOp', 'ConstructionFails'):
        yield Case(op)
    yield Case('GraphDefVersion')
    for shape in ([], [1], [2, 1]):
        yield Case('KernelLabelRequired', [tensor('int32', shape, [1] * (2 if len(shape) == 2 else 1))])
    for label in ('overload_1', 'overload_2', 'nope', ''):
        yield Case('KernelLabel', _kernel=label)
        yield Case('KernelLabelRequired', [tensor('int32', [1], [1])], _kernel=label)
    for label in ('Sergey', 'sergey'):
        yield Case('Fact', _kernel=label)
    yield Case('Abs', [tensor('int32', [], [-1])], _kernel='nope')
    for dtype in ('float32', 'float64'):
        yield Case('TestAttr', T=dtype)
    yield from resources()
