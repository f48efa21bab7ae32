#!/usr/bin/env python3
# record_real.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What TensorFlow 1.15.5 computes in training graphs that other people made, loops and all.

    python tests/oracle/record_real.py FOLDER [SET...]

FOLDER has the graphs (the shared fixtures' `real`). Writes ../golden/real/SET.json. Weights and feeds
are not kept: both sides make them of a name, a shape and a range (`noise` below), so that a file holds
only what came out: of each fetch and, at the end, of each variable dtype, shape, statistics in float64
and a few cells.

    {"graph": path below FOLDER, "strip": [nodes that are fed, whose inputs TensorFlow 1.15 does not know],
     "variables": [{"name", "dtype", "shape", "low", "high"}],
     "functions": {token: [{"dtype", "shape", "low", "high"}]},    what PyFunc gives at call k, names with "@k"
      behind them; -1 is the size of its first input
     "runs": [{"feeds": [{"name", "dtype", "shape", "low", "high"}], "fetches": [], "targets": [],
               "expected": [STAT]}],
     "final": {variable: STAT}, "tolerance": x}

Run with TensorFlow 1.15.5, and with 2.15.1 for the set that 1.15 cannot open.
"""

import json
import os
import sys
import zlib

os.environ.setdefault('TF_CPP_MIN_LOG_LEVEL', '3')
os.environ.setdefault('TF_ENABLE_ONEDNN_OPTS', '0')
os.environ.setdefault('CUDA_VISIBLE_DEVICES', '')

import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.core.protobuf import rewriter_config_pb2
from tensorflow.python.framework import op_def_registry
from tensorflow.python.ops import gen_resource_variable_ops, script_ops

tf.disable_v2_behavior()
HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, '..', 'golden', 'real')


def noise(name, dtype, shape, low, high):
    """Numbers in [low, high) that any language makes alike: each cell mixes the name's CRC with its index."""
    n = int(np.prod(shape)) if shape else 1
    x = (np.uint64(zlib.crc32(name.encode())) + np.arange(n, dtype=np.uint64) * np.uint64(2654435761)) & np.uint64(0xffffffff)
    x ^= x >> np.uint64(16)
    x = (x * np.uint64(2246822519)) & np.uint64(0xffffffff)
    x ^= x >> np.uint64(13)
    value = low + (high - low) * ((x >> np.uint64(8)).astype(np.float64) / 16777216.0)
    dtype = np.dtype(dtype)
    if dtype.kind in 'iu':
        value = np.floor(value)
    if dtype.kind == 'b':
        value = value >= 0.5
    return value.astype(dtype).reshape(shape)


def short(x):
    return float('%.9g' % x)


def stat(value, n_cells=8):
    value = np.asarray(value)
    out = {'dtype': str(value.dtype) if value.dtype != object else 'string', 'shape': list(value.shape)}
    if value.dtype == object or value.dtype.kind in 'SU':
        out['dtype'] = 'string'
        return out
    x = value.astype(np.float64).ravel()
    if x.size:
        at = sorted(set(k * (x.size - 1) // (n_cells - 1) for k in range(n_cells)))
        out.update(mean=short(x.mean()), abs=short(np.abs(x).mean()), min=short(x.min()), max=short(x.max()), at=at,
                   cells=[short(x[k]) for k in at])
    return out


# --- the sets -----------------------------------------------------------------------------------

def entry(name, dtype, shape, low, high):
    return {'name': name, 'dtype': dtype, 'shape': list(shape), 'low': low, 'high': high}


def value(name, dtype, v):
    """One number."""
    return entry(name, dtype, [], v, v)


def weight_range(name, dtype, shape):
    last = name.rsplit('/', 1)[-1]
    if dtype.startswith('int') or dtype == 'bool':
        return 0, 0
    if 'power' in last:
        return 0.6, 0.9
    # Second moments and variances are positive.
    if last.endswith('_1') or 'variance' in last or 'accumulator' in name.lower():
        return 0.02, 0.5
    if 'gamma' in last:
        return 0.8, 1.2
    fan = shape[-2] if len(shape) > 1 else 10
    return -1.0 / fan ** 0.5, 1.0 / fan ** 0.5


def cond_test():
    return {'graph': 'scisharp-small/cond_test.meta', 'strip': [], 'runs': [
        {'feeds': [], 'fetches': ['cond/Merge:0', 'cond/Merge:1'], 'targets': []},
        {'feeds': [value('Const:0', 'int32', 50)], 'fetches': ['cond/Merge:0', 'cond/Merge:1'], 'targets': []}]}


def lstm_crf():
    b, t, w = 3, 6, 5
    feeds = [entry('word_ids:0', 'int32', [b, t], 0, 20), entry('sequence_lengths:0', 'int32', [b], 2, t + 1),
             entry('char_ids:0', 'int32', [b, t, w], 0, 15), entry('word_lengths:0', 'int32', [b, t], 1, w + 1),
             entry('labels:0', 'int32', [b, t], 0, 5), value('dropout:0', 'float32', 1.0), value('lr:0', 'float32', 0.01)]
    return {'graph': 'lstm-crf-ner-while/lstm_crf_ner.meta', 'strip': [], 'runs': [
        {'feeds': feeds, 'fetches': ['Mean:0', 'loss:0'], 'targets': ['train_step/Adam']} for _ in range(3)]}


def vdcnn():
    feeds = [entry('x:0', 'int32', [2, 1014], 0, 69), entry('y:0', 'int32', [2], 0, 14)]
    runs = [{'feeds': feeds + [entry('is_training:0', 'bool', [], 1, 1)], 'fetches': ['loss/value:0', 'accuracy/value:0'],
             'targets': ['loss/optimizer']} for _ in range(2)]
    runs.append({'feeds': feeds + [entry('is_training:0', 'bool', [], 0, 0)], 'fetches': ['loss/value:0', 'fc-3/ArgMax:0'],
                 'targets': []})
    return {'graph': 'vdcnn-bn-updateops/vd_cnn.meta', 'strip': [], 'runs': runs}


def rex_ppo():
    flags = lambda train, report: [entry('is_training:0', 'bool', [], train, train), entry('should_log:0', 'bool', [], 1, 1),
                                   entry('do_report:0', 'bool', [], report, report), entry('force_reset:0', 'bool', [], 0, 0)]
    sample = ('perform/cond/perform_network_MultivariateNormalDiag/sample/perform_network_MultivariateNormalDiag_Normal/sample/'
              'random_normal/RandomStandardNormal:0')
    runs = [{'feeds': flags(1, k == 2) + ([entry(sample, 'float32', [25], -1, 1)]), 'fetches': ['cond_1/Merge:0', 'simulate/Identity:0'],
             'targets': ['Identity']} for k in range(3)]
    return {'graph': 'rex-ppo-while/model.ckpt-2000000.meta', 'strip': [], 'runs': runs,
            'ranges': {'memory/Variable': [20, 60], 'ppo_temporary/episodes/Variable': [3, 20], 'Variable': [24, 24],
                       'normalize_observ/Variable': [7, 7], 'normalize_reward/Variable': [7, 7],
                       'normalize_observ/Variable_2': [1, 3], 'normalize_reward/Variable_2': [1, 3], 'Variable_1': [0.5, 0.5]},
            'functions': {'pyfunc_0': [entry('reset', 'float32', [-1, 4], -1, 1)],
                          'pyfunc_1': [entry('observ', 'float32', [25, 4], -1, 1), entry('reward', 'float32', [25], -1, 1),
                                       entry('done', 'bool', [25], 0, 1)]}}


def tfx_taxi():
    # In the order of IteratorGetNext's outputs; the labels are 0 or 1 as all categories here.
    floats = (5, 11, 12)
    feeds = [entry('IteratorGetNext:%d' % i, 'float32' if i in floats else 'int64', [40], -1 if i in floats else 0,
                   1 if i in floats else 2) for i in range(17)]
    fetches = ['head/losses/weighted_loss/value:0', 'dnn/zero_fraction/fraction:0']
    # Its segment ids are int64, which 1.15 does not know.
    rates = {'training/%s/learning_rate' % o: [0.05, 0.05] for o in ('Ftrl', 'Adagrad')}
    rates['training/Ftrl/decay'] = rates['training/Adagrad/decay'] = rates['training/Ftrl/beta'] = [0, 0]
    rates['training/Ftrl/learning_rate_power'] = [-0.5, -0.5]
    for k in ('l1', 'l2'):
        rates['training/Ftrl/%s_regularization_strength' % k] = [0.01, 0.01]
    return {'tensorflow': '2.15', 'ranges': rates, 'graph': 'tfx-taxi-estimator/model.ckpt-1000.meta', 'strip': ['IteratorGetNext'], 'runs': [
        {'feeds': feeds, 'fetches': fetches, 'targets': ['training/group_deps']} for _ in range(3)]}


SETS = {'scisharp-cond': cond_test, 'lstm-crf-ner-while': lstm_crf, 'vdcnn-bn-updateops': vdcnn, 'rex-ppo-while': rex_ppo,
        'tfx-taxi-estimator': tfx_taxi}


# --- running ------------------------------------------------------------------------------------

def read_graph(path):
    meta = tf.MetaGraphDef()
    with open(path, 'rb') as f:
        meta.ParseFromString(f.read())
    return meta.graph_def


def clean(node):
    """Without what this TensorFlow does not know, and without ties to nodes that are left out."""
    op = (op_def_registry.get_registered_ops().get(node.op) if hasattr(op_def_registry, 'get_registered_ops')
          else op_def_registry.get(node.op))
    known = set(a.name for a in op.attr) if op is not None else None
    for key in list(node.attr):
        if key == '_class' or (known is not None and key not in known and not key.startswith('_')):
            del node.attr[key]


def functions_of(nodes):
    for node in nodes:
        for attr in node.attr.values():
            if attr.func.name:
                yield attr.func.name
            for f in attr.list.func:
                yield f.name


def add_functions(graph_def, out):
    library = {f.signature.name: f for f in graph_def.library.function}
    wanted = [n.op for n in out.node] + list(functions_of(out.node))
    seen = set()
    while wanted:
        name = wanted.pop()
        if name in seen or name not in library:
            continue
        seen.add(name)
        kept = out.library.function.add()
        kept.CopyFrom(library[name])
        for node in kept.node_def:
            clean(node)
        wanted.extend([n.op for n in kept.node_def] + list(functions_of(kept.node_def)))


def prune(graph_def, setup):
    """The nodes that the runs need."""
    cut = set(e['name'].split(':')[0] for run in setup['runs'] for e in run['feeds'])
    wanted = [n.split(':')[0] for run in setup['runs'] for n in run['fetches'] + run['targets']] + list(cut)
    nodes = {n.name: n for n in graph_def.node}
    out = tf.GraphDef()
    out.versions.CopyFrom(graph_def.versions)
    if setup['strip']:
        out.node.add(name='stripped', op='Placeholder').attr['dtype'].type = tf.resource.as_datatype_enum
    seen = set()
    while wanted:
        name = wanted.pop()
        if name in seen:
            continue
        seen.add(name)
        if name in setup['strip']:
            nodes[name].input[:] = ['stripped']
        else:
            wanted.extend(i.lstrip('^').split(':')[0] for i in nodes[name].input)
    for node in graph_def.node:
        if node.name in seen:
            kept = out.node.add()
            kept.CopyFrom(node)
            kept.device = ''
            clean(kept)
    add_functions(graph_def, out)
    return out


def assigners(graph, setup):
    """(entry, placeholder, op) of each variable."""
    out = []
    for op in graph.get_operations():
        if op.type not in ('VariableV2', 'Variable', 'VarHandleOp'):
            continue
        shape = tf.TensorShape(op.get_attr('shape')).as_list()
        dtype = tf.as_dtype(op.get_attr('dtype')).name
        low, high = setup.get('ranges', {}).get(op.name) or weight_range(op.name, dtype, shape)
        feed = tf.placeholder(dtype, shape)
        with tf.control_dependencies(None):
            if op.type == 'VarHandleOp':
                assign = gen_resource_variable_ops.assign_variable_op(op.outputs[0], feed)
                read = gen_resource_variable_ops.read_variable_op(op.outputs[0], op.get_attr('dtype'))
            else:
                assign = tf.raw_ops.Assign(ref=op.outputs[0], value=feed).op
                read = op.outputs[0]
        out.append((entry(op.name, dtype, shape, low, high), feed, assign, read))
    return sorted(out, key=lambda x: x[0]['name'])


def make(e, salt=''):
    return noise(e['name'] + salt, e['dtype'], e['shape'], e['low'], e['high'])


def function_of(entries):
    calls = [0]

    def call(*inputs):
        calls[0] += 1
        out = [make(dict(e, shape=[inputs[0].size if d < 0 else d for d in e['shape']]), '@%d' % calls[0]) for e in entries]
        return out if len(out) > 1 else out[0]
    return call


def record(name, folder):
    setup = SETS[name]()
    wanted = setup.get('tensorflow', '1.15')
    if not tf.__version__.startswith(wanted):
        print('%s: needs TensorFlow %s, this is %s' % (name, wanted, tf.__version__))
        return
    setup.setdefault('tolerance', 2e-4)
    graph = tf.Graph()
    # TensorFlow keeps weak references to them.
    functions = {token: function_of(entries) for token, entries in setup.get('functions', {}).items()}
    for token in functions:
        script_ops._py_funcs._funcs[token] = functions[token]
    with graph.as_default():
        tf.import_graph_def(prune(read_graph(os.path.join(folder, setup['graph'])), setup), name='')
        variables = assigners(graph, setup)
        config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
        config.graph_options.rewrite_options.disable_meta_optimizer = True
        config.graph_options.optimizer_options.opt_level = -1
        with tf.Session(config=config) as session:
            for e, feed, assign, _ in variables:
                session.run(assign, {feed: make(e)})
            for i, run in enumerate(setup['runs']):
                feeds = {e['name']: make(e, '#%d' % i) for e in run['feeds']}
                got = session.run(run['fetches'] + [graph.get_operation_by_name(t) for t in run['targets']], feeds)
                run['expected'] = [stat(v) for v in got[:len(run['fetches'])]]
                print(name, i, [(f, e.get('cells', ['-'])[0]) for f, e in zip(run['fetches'], run['expected'])])
            setup['final'] = {e['name']: stat(session.run(read), 3) for e, _, _, read in variables}
    setup['variables'] = [v[0] for v in variables]
    setup.pop('ranges', None)
    setup['tensorflow'] = tf.__version__
    setup['recorded_by'] = 'tests/oracle/record_real.py'
    if not os.path.isdir(OUT):
        os.makedirs(OUT)
    with open(os.path.join(OUT, name + '.json'), 'w') as f:
        json.dump(setup, f, sort_keys=True, separators=(',', ':'), allow_nan=False)
        f.write('\n')


def main(folder, names):
    for name in names or sorted(SETS):
        record(name, folder)


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2:])
