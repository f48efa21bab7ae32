#!/usr/bin/env python3
# record_ops.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Asks TensorFlow what ops give for small inputs and keeps the answers as golden files.

    python tests/oracle/record_ops.py FAMILY...        (no name: every cases_*.py beside this file)

FAMILY has its cases in cases_FAMILY.py: a function `cases ()` that yields `Case`s. They are run
with whatever TensorFlow the interpreter has: 1.15.5 for all but families whose module says
`TENSORFLOW = "2.15"`, which only a 2.15 interpreter records (and no other does). The result is
../golden/kernels/FAMILY.json.gz, byte for byte the same when nothing changed.

A case (see `Case` below): one node, or a chain of nodes executed in order in one session, whose
inputs are
  * a numpy array (or number, string, list thereof): fed through a Placeholder of unknown shape, so
    that shape errors come from kernels;
  * Ref (value): a reference variable (VariableV2 of unknown shape) assigned before; Ref (None,
    dtype) is not initialised. Its value after the run is recorded;
  * Var (value): the handle of a resource variable, likewise;
  * Out (node, slot): an output of an earlier node of the chain;
  * a python list of these: an input argument that is a list (N * T or a type list).
Two inputs that are the same Ref or Var object are one variable.

The file: {"tensorflow": version, "family": name, "cases": [case]}; a case is
  {"name": "Abs/3", "op": type of the last node,
   "nodes": [{"op": type, "attrs": {name: ATTR}, "inputs": [INPUT], "outputs": [TENSOR or null]}],
   "runs": n,                  present if > 1: "outputs" then holds the outputs of all runs in a row
   "variables": [{"name", "kind": "ref"|"resource", "dtype", "initial": TENSOR or null,
                  "final": TENSOR or null}],
   "tolerance": x,             present if the case says so: |a - b| <= x * (1 + |b|)
   "relative": x,              likewise: |a - b| <= x * |b|, where both count as 0 if not normal; of complex numbers
                              |b| is the whole number's
   "error": {"code": n, "message": text, "at": "build"|"run"},
   "checks": "shape"}          present if only dtype and shape can be compared
ATTR: {"type": "float32"} {"int": n} {"float": x} {"bool": b} {"string": base64} {"shape": [..]|null}
{"tensor": TENSOR} {"func": name} or {"list": [ATTR], "of": kind}. INPUT: TENSOR, {"variable": i} or
{"from": [node, slot]}. TENSOR: {"dtype", "shape", "data": base64 of the little-endian cells} or,
for strings, "strings": [base64]. Floats that JSON lacks stand as "NaN", "Infinity", "-Infinity".
null stands for an output that cannot be fetched (resource, variant), was dead, or is never set.
"""

import base64
import glob
import gzip
import importlib
import json
import os
import re
import sys

os.environ.setdefault('TF_CPP_MIN_LOG_LEVEL', '3')
os.environ.setdefault('TF_ENABLE_ONEDNN_OPTS', '0')
os.environ.setdefault('CUDA_VISIBLE_DEVICES', '')

import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.core.framework import graph_pb2, op_def_pb2, types_pb2
from tensorflow.core.protobuf import rewriter_config_pb2
from tensorflow.python.framework import op_def_registry, dtypes

HERE = os.path.dirname(os.path.abspath(__file__))
NODE = 'op'


class Ref(object):
    """A reference variable; value None: not initialised."""
    kind = 'ref'

    def __init__(self, value, dtype=None):
        self.value = None if value is None else to_array(value, dtype)
        self.dtype = dtypes.as_dtype(dtype if dtype is not None else tensor_dtype(self.value))


class Var(Ref):
    """A resource variable; value None: not initialised."""
    kind = 'resource'


class Out(object):
    """Output `slot` of node `node` (an index, negative from the end) of a chain."""

    def __init__(self, node, slot=0):
        self.node = node
        self.slot = slot


class Case(object):
    """One case: Case ('Add', [x, y], T=..., ...), attrs by keyword or in `attrs`.

    `nodes` is a list of (op, inputs, attrs) executed before, for what needs a chain. Type attrs and
    counts that follow from the inputs need not be given. `producer` is the GraphDef version, for ops
    that newer graphs may not have. `meaningless` names outputs whose value TensorFlow never sets
    (of earlier nodes by (name, slot)).
    """

    def __init__(self, op, inputs=(), attrs=None, nodes=(), runs=1, tolerance=None, checks=None,
                 relative=None, note=None, producer=None, meaningless=(), **more):
        self.op = op
        self.nodes = [tuple(n) + ({},) * (3 - len(n)) for n in nodes]
        self.nodes.append((op, list(inputs), dict(attrs or {}, **more)))
        self.runs = runs
        self.tolerance = tolerance
        self.relative = relative
        self.checks = checks
        self.note = note
        self.producer = producer
        self.meaningless = meaningless


# --- values -------------------------------------------------------------------------------------

QUANTIZED = {'qint8': np.int8, 'quint8': np.uint8, 'qint16': np.int16, 'quint16': np.uint16,
             'qint32': np.int32}


def to_array(value, dtype=None):
    """numpy array of `value`; dtype a name of TensorFlow's (also bfloat16, qint8, string)."""
    if dtype is None:
        if isinstance(value, np.ndarray) or isinstance(value, np.generic):
            return np.asarray(value)
        array = np.array(value)
        if array.dtype.kind in 'US':
            return np.array(value, dtype=object)
        if array.dtype == np.int64:
            return array.astype(np.int32)
        if array.dtype == np.float64:
            return array.astype(np.float32)
        return array
    dtype = dtypes.as_dtype(dtype)
    if dtype == dtypes.string:
        return np.array(value, dtype=object)
    if dtype.is_quantized:
        return np.array(value).astype(QUANTIZED[dtype.name]).astype(dtype.as_numpy_dtype)
    if dtype == dtypes.bfloat16:
        return np.array(value, np.float32).astype(dtype.as_numpy_dtype)
    return np.array(value).astype(dtype.as_numpy_dtype)


def tensor_dtype(array):
    if array.dtype.kind in 'OUS':
        return dtypes.string
    return dtypes.as_dtype(array.dtype)


def b64(data):
    return base64.b64encode(data).decode('ascii')


def encode_tensor(array, dtype=None):
    # numpy's own string dtype would drop zero bytes at the end.
    array = np.asarray(array, object) if isinstance(array, bytes) else np.asarray(array)
    dtype = dtypes.as_dtype(dtype) if dtype is not None else tensor_dtype(array)
    out = {'dtype': dtype.base_dtype.name, 'shape': list(array.shape)}
    if dtype.base_dtype == dtypes.string:
        out['strings'] = [b64(s if isinstance(s, bytes) else str(s).encode('utf-8'))
                          for s in array.ravel().tolist()]
    else:
        out['data'] = b64(np.ascontiguousarray(array).tobytes())
    return out


# --- attrs --------------------------------------------------------------------------------------

def number(x):
    x = float(x)
    if x != x:
        return 'NaN'
    if x in (float('inf'), float('-inf')):
        return 'Infinity' if x > 0 else '-Infinity'
    return x


def to_bytes(x):
    return x if isinstance(x, bytes) else str(x).encode('utf-8')


def set_attr(attr, kind, value):
    """Fills an AttrValue and returns how the golden file says it."""
    if kind.startswith('list('):
        item = kind[5:-1]
        attr.list.SetInParent()
        out = []
        for v in value:
            if item == 'type':
                attr.list.type.append(dtypes.as_dtype(v).as_datatype_enum)
                out.append({'type': dtypes.as_dtype(v).name})
            elif item == 'int':
                attr.list.i.append(int(v))
                out.append({'int': int(v)})
            elif item == 'float':
                attr.list.f.append(float(v))
                out.append({'float': number(v)})
            elif item == 'bool':
                attr.list.b.append(bool(v))
                out.append({'bool': bool(v)})
            elif item == 'string':
                attr.list.s.append(to_bytes(v))
                out.append({'string': b64(to_bytes(v))})
            elif item == 'shape':
                attr.list.shape.add().CopyFrom(tf.TensorShape(v).as_proto())
                out.append({'shape': None if v is None else [-1 if d is None else d for d in v]})
            else:
                raise TypeError(kind)
        return {'list': out, 'of': item}
    if kind == 'type':
        attr.type = dtypes.as_dtype(value).as_datatype_enum
        return {'type': dtypes.as_dtype(value).name}
    if kind == 'int':
        attr.i = int(value)
        return {'int': int(value)}
    if kind == 'float':
        attr.f = float(value)
        return {'float': number(value)}
    if kind == 'bool':
        attr.b = bool(value)
        return {'bool': bool(value)}
    if kind == 'string':
        attr.s = to_bytes(value)
        return {'string': b64(to_bytes(value))}
    if kind == 'shape':
        attr.shape.CopyFrom(tf.TensorShape(value).as_proto())
        return {'shape': None if value is None else [-1 if d is None else d for d in value]}
    if kind == 'tensor':
        array = to_array(value)
        attr.tensor.CopyFrom(tf.make_tensor_proto(array))
        return {'tensor': encode_tensor(array)}
    if kind == 'func':
        attr.func.name = value
        return {'func': value}
    raise TypeError(kind)


_op_defs = {}
# How many ops were registered when TensorFlow was last asked for all.
_n_registered = [0]


def all_ops():
    from tensorflow.python import pywrap_tensorflow    # of 1.15, which alone asks for this

    ops = op_def_pb2.OpList()
    ops.ParseFromString(pywrap_tensorflow.TF_GetBuffer(pywrap_tensorflow.TF_GetAllOpList()))
    return ops.op


def op_def_of(name):
    # TensorFlow 1.15 makes its whole table anew for each question, and leaves out what its optimizer alone writes.
    if name not in _op_defs and hasattr(op_def_registry, 'get_registered_ops'):
        registered = op_def_registry.get_registered_ops()
        _op_defs.update(registered)
        if name not in _op_defs and len(registered) != _n_registered[0]:
            _n_registered[0] = len(registered)
            _op_defs.update((op.name, op) for op in all_ops())
    if _op_defs:
        return _op_defs.get(name)
    return op_def_registry.get(name)


# --- running ------------------------------------------------------------------------------------

class Runner(object):
    # Milliseconds a run may take; 0: any number.
    timeout_ms = 0
    # What a placeholder says of its array's shape: nothing, so that errors come from kernels.
    static_shapes = False

    def __init__(self, case):
        self.case = case
        self.graph_def = graph_pb2.GraphDef()
        self.graph_def.versions.producer = case.producer or tf.GraphDef.FromString(
            tf.Graph().as_graph_def(add_shapes=False).SerializeToString()).versions.producer
        self.variables = []
        self.feeds = {}
        self.records = []
        self.out_types = []

    def node(self, name, op, **attrs):
        n = self.graph_def.node.add(name=name, op=op)
        for k, (kind, v) in attrs.items():
            set_attr(n.attr[k], kind, v)
        return n

    def variable(self, v):
        for i, known in enumerate(self.variables):
            if known is v:
                return i
        self.variables.append(v)
        i = len(self.variables) - 1
        if v.kind == 'ref':
            self.node('v%d' % i, 'VariableV2', dtype=('type', v.dtype), shape=('shape', None),
                      container=('string', ''), shared_name=('string', ''))
        else:
            self.node('v%d' % i, 'VarHandleOp', dtype=('type', v.dtype), shape=('shape', None),
                      container=('string', ''), shared_name=('string', 'v%d' % i))
        if v.value is not None:
            self.node('v%d_value' % i, 'Placeholder', dtype=('type', v.dtype),
                      shape=('shape', None))
            assign = self.node('v%d_assign' % i,
                               'Assign' if v.kind == 'ref' else 'AssignVariableOp')
            assign.input.extend(['v%d' % i, 'v%d_value' % i])
            if v.kind == 'ref':
                set_attr(assign.attr['T'], 'type', v.dtype)
                set_attr(assign.attr['validate_shape'], 'bool', False)
            else:
                set_attr(assign.attr['dtype'], 'type', v.dtype)
        if v.kind == 'resource':
            read = self.node('v%d_read' % i, 'ReadVariableOp', dtype=('type', v.dtype))
            read.input.append('v%d' % i)
        return i

    def add_input(self, k, value):
        """(input name, dtype, record) of one tensor that goes into node k."""
        if isinstance(value, Ref):
            i = self.variable(value)
            return ('v%d:0' % i, value.dtype if value.kind == 'ref' else dtypes.resource,
                    {'variable': i})
        if isinstance(value, Out):
            node = value.node if value.node >= 0 else k + value.node
            return ('%s:%d' % (self.name(node), value.slot), self.out_types[node][value.slot],
                    {'from': [node, value.slot]})
        array = to_array(value)
        dtype = tensor_dtype(array)
        name = 'x%d' % len(self.feeds)
        self.node(name, 'Placeholder', dtype=('type', dtype),
                  shape=('shape', array.shape if self.static_shapes else None))
        self.feeds[name + ':0'] = array
        return (name + ':0', dtype, encode_tensor(array, dtype))

    def name(self, k):
        return NODE if k == len(self.case.nodes) - 1 else '%s%d' % (NODE, k)

    def add_node(self, k, op, inputs, attrs):
        op_def = op_def_of(op)
        if op_def is None:
            raise KeyError('no op %s here' % op)
        attrs = dict(attrs)
        flat = []
        inferred = {}
        for arg, value in zip(op_def.input_arg, inputs):
            items = value if isinstance(value, list) and (arg.number_attr or arg.type_list_attr) \
                else [value]
            got = [self.add_input(k, v) for v in items]
            flat.extend(got)
            if arg.type_attr and got:
                inferred.setdefault(arg.type_attr, got[0][1])
            if arg.number_attr:
                inferred.setdefault(arg.number_attr, len(got))
            if arg.type_list_attr:
                inferred.setdefault(arg.type_list_attr, [g[1] for g in got])
        for extra in inputs[len(op_def.input_arg):]:
            flat.append(self.add_input(k, extra))
        for key, value in inferred.items():
            attrs.setdefault(key, value)
        node = self.graph_def.node.add(name=self.name(k), op=op)
        node.input.extend(f[0] for f in flat)
        if k > 0:
            node.input.append('^' + self.name(k - 1))
        kinds = {a.name: a.type for a in op_def.attr}
        record = {'op': op, 'attrs': {}, 'inputs': [f[2] for f in flat]}
        for key in sorted(attrs):
            # A name that begins so is of the node, not of the op: which kernel it wants.
            kind = 'string' if key == '_kernel' else kinds.get(key)
            if kind is None:
                raise KeyError('%s has no attr %s' % (op, key))
            record['attrs'][key] = set_attr(node.attr[key], kind, attrs[key])
        self.records.append(record)
        self.out_types.append(output_types(op_def, attrs))

    def run(self):
        case = self.case
        for k, (op, inputs, attrs) in enumerate(case.nodes):
            self.add_node(k, op, inputs, attrs)
        record = {'op': case.op, 'nodes': self.records}
        if case.runs > 1:
            record['runs'] = case.runs
        if case.tolerance is not None:
            record['tolerance'] = case.tolerance
        if case.relative is not None:
            record['relative'] = case.relative
        if case.checks:
            record['checks'] = case.checks
        if case.note:
            record['note'] = case.note
        try:
            self.execute(record)
        except tf.errors.OpError as e:
            record['error'] = {'code': e.error_code, 'message': clean(e.message), 'at': 'run'}
            for r in self.records:
                r.pop('outputs', None)
        except (ValueError, TypeError) as e:
            record['error'] = {'code': 3, 'message': clean(str(e)), 'at': 'build'}
        if self.variables and 'variables' not in record:
            record['variables'] = [self.untouched(i, v) for i, v in enumerate(self.variables)]
        return record

    def untouched(self, i, v):
        initial = None if v.value is None else encode_tensor(v.value, v.dtype)
        return {'name': 'v%d' % i, 'kind': v.kind, 'dtype': v.dtype.name, 'initial': initial, 'final': initial}

    def execute(self, record):
        graph = tf.Graph()
        for node in self.graph_def.node:
            # Without it what the CPU has no kernel for would be compiled by XLA_CPU.
            node.device = '/device:CPU:0'
        with graph.as_default():
            tf.import_graph_def(self.graph_def, name='')
        config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
        config.operation_timeout_in_ms = self.timeout_ms
        config.graph_options.optimizer_options.opt_level = -1
        rewrites = config.graph_options.rewrite_options
        rewrites.disable_meta_optimizer = True
        rewrites.constant_folding = rewriter_config_pb2.RewriterConfig.OFF
        with tf.Session(graph=graph, config=config) as session:
            given = [(i, v.value) for i, v in enumerate(self.variables) if v.value is not None]
            if given:
                session.run(['v%d_assign' % i for i, _ in given], {'v%d_value:0' % i: value for i, value in given})
            fetches = []
            places = []
            for k in range(len(self.records)):
                op = graph.get_operation_by_name(self.name(k))
                self.records[k]['outputs'] = []
                for slot, t in enumerate(op.outputs):
                    unset = (op.name == NODE and slot in self.case.meaningless
                             or (op.name, slot) in self.case.meaningless)
                    if unset or t.dtype.base_dtype in (dtypes.resource, dtypes.variant):
                        places.append((k, slot, None))
                    else:
                        places.append((k, slot, len(fetches)))
                        fetches.append(t)
            target = graph.get_operation_by_name(NODE)
            try:
                for _ in range(self.case.runs):
                    values = session.run(fetches + [target], self.feeds)
                    for k, slot, f in places:
                        self.records[k]['outputs'].append(
                            None if f is None else encode_tensor(values[f], fetches[f].dtype))
            finally:
                if self.variables:
                    record['variables'] = self.finals(session)

    def finals(self, session):
        names = ['v%d:0' % i if v.kind == 'ref' else 'v%d_read:0' % i for i, v in enumerate(self.variables)]
        try:
            values = session.run(names)
        except tf.errors.OpError:
            values = [self.final(session, name) for name in names]
        return [{'name': 'v%d' % i, 'kind': v.kind, 'dtype': v.dtype.name,
                 'initial': None if v.value is None else encode_tensor(v.value, v.dtype),
                 'final': None if value is None else encode_tensor(value, v.dtype)}
                for i, (v, value) in enumerate(zip(self.variables, values))]

    def final(self, session, name):
        try:
            return session.run(name)
        except tf.errors.OpError:
            return None


def output_types(op_def, attrs):
    defaults = {a.name: a.default_value for a in op_def.attr if a.HasField('default_value')}
    out = []
    for arg in op_def.output_arg:
        if arg.type_list_attr:
            out.extend(dtypes.as_dtype(t) for t in attrs.get(arg.type_list_attr, []))
            continue
        dtype = arg.type
        if arg.type_attr:
            dtype = attrs[arg.type_attr] if arg.type_attr in attrs else \
                defaults[arg.type_attr].type
        count = 1
        if arg.number_attr:
            count = attrs[arg.number_attr] if arg.number_attr in attrs else \
                defaults[arg.number_attr].i
        out.extend([dtypes.as_dtype(dtype)] * count)
    return out


def clean(message):
    """The status text alone: without node, place and the front end's frame."""
    if 'no supported kernel for CPU devices' in message:
        return 'No OpKernel was registered to support Op'
    message = re.sub(r'^Graph execution error:\n\n(?:.*\n)*?Node: \S+\n', '', message)
    message = message.split('\n\t [[')[0]
    # TensorFlow counts in the process what we count in the run or name after the node.
    message = re.sub(r'(TensorArray |Stack\[)([\w/.\-]+?)_\d+(?![\w/])', r'\1\2_0', message)
    message = re.sub(r"'_\d+_", "'_0_", message)
    return re.sub(r' used by (?:{{)?node \S+.*? with these attrs.*', '', message, flags=re.S).strip('\n')


def record(family):
    module = importlib.import_module('cases_' + family)
    wanted = getattr(module, 'TENSORFLOW', '1.15')
    if not tf.__version__.startswith(wanted):
        print('%s: needs TensorFlow %s, this is %s' % (family, wanted, tf.__version__))
        return
    counts = {}
    cases = []
    errors = 0
    for case in module.cases():
        try:
            r = Runner(case).run()
        except Exception:
            print('in a case of %s: inputs %r attrs %r' % (case.op, case.nodes[-1][1],
                                                          case.nodes[-1][2]))
            raise
        n = counts.get(case.op, 0)
        counts[case.op] = n + 1
        r['name'] = '%s/%d' % (case.op, n)
        errors += 'error' in r
        cases.append(r)
    document = {'tensorflow': tf.__version__, 'family': family,
                'recorded_by': 'tests/oracle/record_ops.py', 'cases': cases}
    text = json.dumps(document, sort_keys=True, separators=(',', ':'), allow_nan=False)
    path = os.path.join(HERE, '..', 'golden', 'kernels', family + '.json.gz')
    with open(path, 'wb') as raw:
        with gzip.GzipFile(filename='', mode='wb', fileobj=raw, mtime=0) as f:
            f.write(text.encode('utf-8'))
    print('%s: %d cases, %d of them errors, %d ops' % (family, len(cases), errors, len(counts)))


def main(names):
    sys.path.insert(0, HERE)
    # The cases import this module for Case and its kind: one copy, whatever it was started as.
    sys.modules.setdefault('record_ops', sys.modules[__name__])
    names = names or sorted(os.path.basename(p)[6:-3]
                            for p in glob.glob(os.path.join(HERE, 'cases_*.py')))
    for name in names:
        record(name)


if __name__ == '__main__':
    main(sys.argv[1:])
