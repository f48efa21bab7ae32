#!/usr/bin/env python3
# record_engine_errors.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What the engine of TensorFlow 1.15.5 says to the runs of engine_errors_*.py: ../golden/errors/engine.json.gz.

    python tests/oracle/record_engine_errors.py        (TensorFlow 1.15.5)

The file: {"cases": [{"name", "graph": base64 of a GraphDef, "runs": [{"fetches", "targets", "feeds": {tensor: value}}],
"code", "message"}]}. All runs but the last succeed; of its message the first line is kept. Each case has a process
of its own, so that queues and arrays are numbered from 0.
"""

import base64
import gzip
import inspect
import json
import os
import sys
import warnings

os.environ.setdefault('TF_CPP_MIN_LOG_LEVEL', '3')
os.environ['CUDA_VISIBLE_DEVICES'] = ''
warnings.filterwarnings('ignore')
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import numpy as np
import tensorflow.compat.v1 as tf

import engine_errors_more  # noqa: F401, its cases stand in engine_errors_ops.CASES
import engine_errors_ops
import engine_errors_first
import engine_errors_state

OUT = os.path.join(HERE, '..', 'golden', 'errors', 'engine.json.gz')


def names(fetches):
    fetches = fetches if isinstance(fetches, (list, tuple)) else [fetches]
    return [f if isinstance(f, str) else f.name for f in fetches]


class Case:
    """What a case runs things with."""

    def __init__(self):
        self.runs, self.session, self.message = [], None, None

    def run(self, fetches, feeds=None):
        ends = names(fetches)
        self.runs.append({'fetches': [e for e in ends if ':' in e], 'targets': [e for e in ends if ':' not in e],
                          'feeds': {k: plain(v) for k, v in (feeds or {}).items()}})
        if self.session is None:
            config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=2,
                                    operation_timeout_in_ms=20000)
            config.graph_options.rewrite_options.disable_meta_optimizer = True
            config.graph_options.optimizer_options.opt_level = -1
            self.session = tf.Session(config=config)
        try:
            return self.session.run(fetches, feeds)
        except tf.errors.OpError as error:      # the engine's own words are in the exception below it
            self.message = (error.__context__ or error).message
            raise


def plain(value):
    """A value as JSON; None where JSON cannot say it."""
    array = np.asarray(value, object if isinstance(value, bytes) else None)
    flat = [v.decode('latin1') if isinstance(v, bytes) else v for v in array.ravel().tolist()]
    odd = [v for v in flat if isinstance(v, complex) or isinstance(v, float) and not np.isfinite(v)
           or isinstance(v, str) and any(ord(letter) > 127 for letter in v)]
    if odd or not array.size:
        return None
    return np.array(flat, object).reshape(array.shape).tolist() if array.shape else flat[0]


def record(name, function):
    case = Case()
    try:
        function(case)
    except tf.errors.OpError as error:
        if any(v is None for run in case.runs for v in run['feeds'].values()):
            return None
        graph = tf.get_default_graph().as_graph_def().SerializeToString(deterministic=True)
        return {'name': name, 'graph': base64.b64encode(graph).decode(), 'runs': case.runs, 'code': error.error_code,
                'message': case.message.strip().split('\n')[0]}
    except Exception as error:
        print('%s: refused while it was built: %s' % (name, str(error)[:100]))
    return None


def in_child(name, function):
    source, sink = os.pipe()
    if os.fork() == 0:
        with tf.Graph().as_default():
            answer = record(name, function)
        with os.fdopen(sink, 'w') as f:
            json.dump(answer, f)
        os._exit(0)
    os.close(sink)
    with os.fdopen(source) as f:
        answer = json.loads(f.read() or 'null')
    os.wait()
    return answer


def main():
    tf.logging.set_verbosity(tf.logging.FATAL)
    functions = dict(engine_errors_ops.CASES)
    for module in (engine_errors_state, engine_errors_first):
        functions.update({n: f for n, f in vars(module).items() if inspect.isfunction(f) and n[0] != '_'})
    cases = [c for c in (in_child(n, f) for n, f in functions.items()) if c]
    text = json.dumps({'cases': cases}, indent=0, sort_keys=True) + '\n'
    with open(OUT, 'wb') as f:
        with gzip.GzipFile(filename='', mode='wb', fileobj=f, mtime=0) as z:
            z.write(text.encode())
    print('%d of %d cases' % (len(cases), len(functions)))


if __name__ == '__main__':
    main()
