# differ_make.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Makes the random graphs of differ.py.

A graph is one of three kinds: made by the op's recipe (differ_recipes.py), a recorded case
(cases_*.py) with something changed, or either of these with ops put before or behind it.
"""

import glob
import importlib
import os
import pickle
import re
import tempfile
import zlib

import numpy as np
from tensorflow.core.framework import types_pb2
from tensorflow.python.framework import dtypes

import differ_recipes
import differ_recipes_array  # noqa: F401 (registers its recipes)
import differ_recipes_files  # noqa: F401
import differ_recipes_nn  # noqa: F401
import differ_recipes_training  # noqa: F401
from differ_shrink import clone, get, places, put
from differ_values import FLOATS, cast, draw, draw_shape, pick, special
from record_ops import Case, Out, Ref, op_def_of, tensor_dtype, to_array

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, '..', '..', 'engine', 'kernels')
# Recorded cases with more elements than this are left as they are: they were made for their size.
MAX_ELEMENTS = 4000
# Cases whose words or values hang on what a session did before, on what is on the disk, or on threads.
UNSTEADY = {'Print', 'PrintV2'}


def families():
    """{family: [op]}, by the file whose table has the op."""
    tables = {}
    for path in sorted(glob.glob(os.path.join(KERNELS, 'flow-kernels-*.c'))):
        text = open(path).read()
        at = text.find('FlowOpDef ops[]')
        if at >= 0:
            tables[os.path.basename(path)[len('flow-kernels-'):-2]] = (text, text[at:])
    found = {}
    owned = set()
    # A row says its type as a text, or a macro's argument is made one.
    for pattern in (r'"([A-Z_]\w+)"', r'\b([A-Z]\w+)\b'):
        for name, (text, table) in sorted(tables.items()):
            first = re.findall(r'\.name = "(\w+)"', text)
            for op in first + re.findall(pattern, table if pattern[0] == '"' else re.sub(r'"[^"]*"', '', table)):
                if op not in owned and op_def_of(op) is not None:
                    owned.add(op)
                    found.setdefault(name, []).append(op)
    return found


_corpus = {}


def cases_of(module, path):
    """Its cases; those that ask TensorFlow for values are made in a child, because a process that has
    run a session cannot be forked."""
    if 'Session(' not in open(path).read():
        return list(module.cases() or ())
    with tempfile.NamedTemporaryFile(suffix='.cases') as f:
        pid = os.fork()
        if pid == 0:
            try:
                pickle.dump(list(module.cases()), f, -1)
                f.flush()
            finally:
                os._exit(0)
        os.waitpid(pid, 0)
        f.seek(0)
        return pickle.load(f)


def corpus():
    """{op: [Case]} of all recorded cases, by the last op."""
    if not _corpus:
        for path in sorted(glob.glob(os.path.join(HERE, 'cases_*.py'))):
            # What was found before would change what the seeds that found it give.
            if os.path.basename(path).startswith('cases_differ'):
                continue
            module = importlib.import_module(os.path.basename(path)[:-3])
            if getattr(module, 'TENSORFLOW', '1.15') != '1.15' or not hasattr(module, 'cases'):
                continue
            for case in cases_of(module, path):
                _corpus.setdefault(case.op, []).append(case)
    return _corpus


# --- changes ----------------------------------------------------------------------------------------

def some_place(r, case):
    where = list(places(case))
    return pick(r, where) if where else None


def change_values(r, case):
    place = some_place(r, case)
    if place is None:
        return
    array = get(case, place).copy()
    kind = r.randint(5)
    if array.size == 0:
        return
    if kind == 0:
        flat = array.reshape(-1)
        for _ in range(1 + r.randint(2)):
            i = r.randint(array.size)
            dtype = tensor_dtype(array)
            # Sizes and indices at the edge of their dtype overflow in TensorFlow: nothing to agree with.
            flat[i:i + 1] = to_array([pick(r, [-1, -2, 0, 7, 40])], dtype) if array.dtype.kind == 'i' else \
                special(r, dtype, 1)
    elif kind == 1:
        flat = array.reshape(-1)
        flat[:] = flat[r.permutation(array.size)]
    elif kind == 2:
        array = draw(r, tensor_dtype(array).name, array.shape)
    elif kind == 3 and array.dtype.kind in 'if' and not tensor_dtype(array).is_quantized:
        flat = array.reshape(-1)
        i = r.randint(array.size)
        with np.errstate(all='ignore'):
            flat[i] = flat[i] + pick(r, [-1, 1, 2, -2])
    elif array.dtype.kind in 'iufcb':
        array = array[..., ::-1].copy() if array.ndim else array
    put(case, place, array)


def change_shape(r, case):
    """One input's shape, or a length wherever it stands."""
    where = list(places(case))
    if not where:
        return
    kind = r.randint(6)
    place = pick(r, where)
    array = get(case, place)
    if kind <= 2:
        lengths = sorted({d for p in where for d in get(case, p).shape})
        if not lengths:
            return
        old = pick(r, lengths)
        new = pick(r, [0, 1, old + 1, max(0, old - 1), old * 2, 2, 3])
        for p in where:
            a = get(case, p)
            if kind == 2 and r.randint(3) == 0:
                continue
            for axis in range(a.ndim):
                if a.shape[axis] == old and a.size * (new + 1) < MAX_ELEMENTS:
                    a = resized(r, a, axis, new)
            put(case, p, a)
        return
    if kind == 3 and array.ndim:
        axis = r.randint(array.ndim)
        array = resized(r, array, axis, pick(r, [0, 1, array.shape[axis] + 1, max(0, array.shape[axis] - 1)]))
    elif kind == 4:
        array = array.reshape(array.shape[:1] + (1,) + array.shape[1:] if r.randint(2) else (1,) + array.shape)
    elif array.ndim:
        array = array[0] if array.shape[0] else array.reshape(array.shape[1:]) if array.ndim == 1 and array.size == 1 \
            else array
    put(case, place, np.asarray(array))


def resized(r, array, axis, n):
    """With another length along an axis: cut, or repeated."""
    old = array.shape[axis]
    if old == 0:
        return draw(r, tensor_dtype(array).name, array.shape[:axis] + (n,) + array.shape[axis + 1:])
    return np.take(array, np.arange(n) % old, axis=axis)


def type_attrs(op_def):
    return [a for a in op_def.attr if a.type == 'type']


def change_dtype(r, case):
    """Another allowed dtype for one type attr of the last node, and all inputs of it."""
    op, inputs, attrs = case.nodes[-1]
    op_def = op_def_of(op)
    attr = pick(r, type_attrs(op_def)) if type_attrs(op_def) else None
    if attr is None:
        return
    allowed = [dtypes.as_dtype(t).name for t in attr.allowed_values.list.type] or \
        FLOATS + ['int32', 'int64', 'uint8', 'bool', 'string', 'complex64', 'int8', 'uint16']
    known = differ_recipes.kernel_dtypes(op, attr.name)
    if known and r.randint(8):
        allowed = [d for d in allowed if d in known] or allowed
    new = pick(r, allowed)
    for j, arg in enumerate(op_def.input_arg):
        if arg.type_attr != attr.name or j >= len(inputs):
            continue
        v = inputs[j]
        for i, x in enumerate(v) if isinstance(v, list) else [(None, v)]:
            if isinstance(x, Out):
                return
            if isinstance(x, Ref):
                x.dtype = dtypes.as_dtype(new)
                if x.value is not None:
                    x.value = cast(x.value, new)
            else:
                put(case, (len(case.nodes) - 1, j, i), cast(to_array(x), new))
    if attr.name in attrs or not any(a.type_attr == attr.name for a in op_def.input_arg):
        attrs[attr.name] = new


def change_attr(r, case):
    op, _, attrs = case.nodes[-1]
    op_def = op_def_of(op)
    inferred = {a.number_attr for a in op_def.input_arg} | {a.type_list_attr for a in op_def.input_arg} | \
        {a.type_attr for a in op_def.input_arg} | {a.number_attr for a in op_def.output_arg}
    free = [a for a in op_def.attr if a.name not in inferred and a.type in
            ('int', 'float', 'bool', 'string', 'list(int)', 'list(float)', 'shape')]
    if not free:
        return
    attr = pick(r, free)
    old = attrs.get(attr.name)
    if attr.name in ('container', 'shared_name', 'seed', 'seed2', 'T_threshold') or 'file' in attr.name:
        return
    if attr.type == 'bool':
        attrs[attr.name] = bool(r.randint(2))
    elif attr.type == 'int':
        base = int(old if old is not None else attr.default_value.i)
        attrs[attr.name] = int(pick(r, [base + 1, base - 1, 0, 1, 2, -1, 3, base * 2, -base]))
    elif attr.type == 'float':
        base = float(old if old is not None else attr.default_value.f)
        attrs[attr.name] = float(pick(r, [base * 2, base / 2, 0.0, 1.0, -1.0, 0.25, 2.0]))
    elif attr.type == 'string':
        values = list(attr.allowed_values.list.s)
        if values:
            attrs[attr.name] = pick(r, values)
    elif attr.type == 'list(int)' and old is not None and len(old):
        old = [int(x) for x in old]
        i = r.randint(len(old))
        if r.randint(8):
            old[i] = int(pick(r, [old[i] + 1, max(0, old[i] - 1), 1, 2, 3, 0, -1]))
        elif r.randint(2):
            old.append(1)
        else:
            old.pop()
        attrs[attr.name] = old
    elif attr.type == 'list(float)' and old is not None and len(old):
        old = [float(x) for x in old]
        old[r.randint(len(old))] = float(pick(r, [0.0, 1.0, -1.0, 0.5, 3.0]))
        attrs[attr.name] = old
    elif attr.type == 'shape' and old is not None:
        old = [d for d in old]
        if old and r.randint(2):
            old[r.randint(len(old))] = pick(r, [-1, 1, 2, 3])
        elif r.randint(2):
            old = old + [1]
        attrs[attr.name] = old


CHANGES = [change_values, change_values, change_shape, change_shape, change_dtype, change_attr]


def changed(r, case):
    copy = clone(case)
    n = sum(get(copy, p).size for p in places(copy))
    if n <= MAX_ELEMENTS:
        for _ in range(1 + r.randint(3)):
            pick(r, CHANGES)(r, copy)
    loosen(copy)
    return copy


ROUGH = {'float32': 2e-5, 'half': 8e-3, 'bfloat16': 3e-2, 'float64': 1e-11, 'complex64': 3e-5, 'complex128': 1e-11}


def loosen(case):
    """Changed cases sum what they like: their tolerance is that of the roughest dtype there."""
    if case.relative is not None:
        return
    found = [ROUGH[d] for d in all_dtypes(case) if d in ROUGH]
    if found:
        case.tolerance = max([case.tolerance or 0] + found)


def all_dtypes(case):
    """Their names, as ROUGH has them."""
    found = [tensor_dtype(get(case, place)).name for place in places(case)]
    for _, _, attrs in case.nodes:
        found += [v.name if isinstance(v, dtypes.DType) else v for v in attrs.values()
                  if isinstance(v, (str, dtypes.DType))]
    return ['half' if name == 'float16' else name for name in found]


# --- chains -----------------------------------------------------------------------------------------

BEFORE = ['Identity', 'Neg', 'Abs', 'Square', 'ZerosLike', 'Snapshot', 'Reverse', 'Add', 'Mul']


def chained(r, case):
    """One array input of the last node comes from an op (or two) that is put before it."""
    if len(case.nodes) > 1 or case.producer:
        return case
    where = [p for p in places(case) if not isinstance(case.nodes[0][1][p[1]], Ref)]
    where = [p for p in where if p[2] is None]
    if not where:
        return case
    copy = clone(case)
    place = pick(r, where)
    array = get(copy, place)
    dtype = tensor_dtype(array).name
    op, inputs, attrs = copy.nodes[-1]
    before = 'Identity'
    more = []
    if dtype in ('float32', 'float64', 'int32', 'int64', 'half', 'complex64'):
        before = pick(r, ['Identity', 'Neg', 'Square', 'Add', 'Mul', 'Sub', 'Snapshot'])
        if before in ('Add', 'Mul', 'Sub'):
            more = [draw(r, dtype, pick(r, [(), array.shape]), 'plain')]
    elif dtype == 'bool':
        before = pick(r, ['Identity', 'LogicalNot'])
    nodes = [(before, [array] + more, {})]
    inputs = list(inputs)
    inputs[place[1]] = Out(0)
    if r.randint(3) == 0:
        # The same tensor twice, so that it must not be written in place.
        for j in range(len(inputs)):
            if j != place[1] and not isinstance(inputs[j], (list, Ref, Out)) and r.randint(2):
                if tensor_dtype(to_array(inputs[j])) == tensor_dtype(array):
                    inputs[j] = Out(0)
    return Case(op, inputs, attrs, nodes=nodes, tolerance=case.tolerance, relative=case.relative, checks=case.checks,
                meaningless=case.meaningless)


# --- the maker --------------------------------------------------------------------------------------

class Maker(object):
    def __init__(self, family, seed, only=None):
        self.family = family
        self.seed = seed
        self.ops = [op for op in families()[family] if only is None or op == only]
        self.recorded = {op: [c for c in corpus().get(op, []) if sizes_ok(c)] for op in self.ops}

    def case(self, number):
        """Case `number` of the family: the same for the same seed."""
        r = np.random.RandomState(zlib.crc32(repr((self.family, self.seed, number)).encode()) & 0x7fffffff)
        op = pick(r, self.ops)
        recipe = differ_recipes.recipe_of(op)
        case = None
        if recipe is not None and (r.randint(4) or not self.recorded[op]):
            case = recipe(r, op)
        elif self.recorded[op]:
            case = changed(r, pick(r, self.recorded[op]))
        if case is not None and r.randint(12) == 0:
            case = chained(r, case)
        if case is not None and case.op.startswith('BatchMatrix') and not case.producer:
            # Removed in version 14 of the GraphDef.
            case.producer = 13
        return case


def sizes_ok(case):
    return all(op not in UNSTEADY for op, _, _ in case.nodes)
