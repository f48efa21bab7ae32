# differ_oracle.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What differ.py asks TensorFlow, and what it asks our engine.

TensorFlow runs in a child process, forked anew after it has ended itself (a failed CHECK) or hung.
Ops without state are executed eagerly first, some thousand a second; what then differs from ours is
asked again in a session, by record_ops' own Runner, whose answer alone counts.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

import tensorflow.compat.v1 as tf
from tensorflow.python import pywrap_tensorflow
from tensorflow.python.eager import context, core
from tensorflow.python.framework import constant_op, dtypes, errors_impl

import record_ops
from record_ops import Ref, Runner, clean, encode_tensor, op_def_of, tensor_dtype

# Seconds without an answer after which a child is taken to hang.
PATIENCE = 6
# Errors that a session has when the graph is made: their words depend on how it is made.
AT_BUILD = re.compile(r'Value for attr|AttrValue|NodeDef|was expected to be a|Could not find valid device|'
                      r'Length for attr|no attr named|must be at least minimum|expected \d+ inputs')
DEVICE = '/job:localhost/replica:0/task:0/device:CPU:0'


# A run that waits for what never comes is left out.
WAITS_MS = 700
DEADLINE_EXCEEDED = 4


class NeedsSession(Exception):
    """Eager execution does not serve this case."""


def attr_value(attr):
    """An AttrValue as TFE_Py_Execute takes it."""
    kind = attr.WhichOneof('value')
    if kind == 'shape':
        return shape_value(attr.shape)
    if kind in ('tensor', 'func', 'placeholder', None):
        raise NeedsSession(kind)
    if kind != 'list':
        return getattr(attr, kind)
    for field, values in attr.list.ListFields():
        if field.name in ('tensor', 'func'):
            raise NeedsSession(field.name)
        return [shape_value(v) for v in values] if field.name == 'shape' else list(values)
    return []


def shape_value(proto):
    return None if proto.unknown_rank else [d.size if d.size >= 0 else None for d in proto.dim]


def is_eager(case):
    if case.runs > 1 or case.producer:
        return False
    for op, inputs, _ in case.nodes:
        definition = op_def_of(op)
        if definition is None or definition.is_stateful:
            return False
        for value in inputs:
            if any(isinstance(v, Ref) for v in (value if isinstance(value, list) else [value])):
                return False
    return True


class EagerRunner(Runner):
    """A Runner that executes node after node; same records."""

    def execute(self, record):
        tensors = {}
        k = 0
        for node in self.graph_def.node:
            if node.op == 'Placeholder':
                array = self.feeds[node.name + ':0']
                tensors[node.name + ':0'] = constant_op.constant(array, tensor_dtype(array))
                continue
            self.execute_node(k, node, tensors)
            k += 1

    def execute_node(self, k, node, tensors):
        attrs = []
        for name, value in node.attr.items():
            attrs.extend((str(name), attr_value(value)))
        inputs = [tensors[name] for name in node.input if not name.startswith('^')]
        n_outputs = len(self.out_types[k])
        try:
            out = pywrap_tensorflow.TFE_Py_Execute(context.context()._handle, DEVICE, str(node.op), inputs,
                                                   tuple(attrs), n_outputs)
        except core._NotOkStatusException as e:
            message = re.sub(r' \[Op:\w+\]$', '', e.message)
            if AT_BUILD.search(message):
                raise ValueError(message)
            raise errors_impl.exception_type_from_error_code(e.code)(None, None, message)
        except (TypeError, ValueError, AttributeError) as e:
            raise NeedsSession(str(e))
        record = self.records[k]
        record['outputs'] = []
        unset = self.case.meaningless
        for slot, t in enumerate(out or []):
            tensors['%s:%d' % (node.name, slot)] = t
            last = k == len(self.records) - 1
            hidden = (last and slot in unset) or (node.name, slot) in unset
            if hidden or t.dtype in (dtypes.resource, dtypes.variant):
                record['outputs'].append(None)
            else:
                record['outputs'].append(encode_tensor(t.numpy(), t.dtype))


class SessionRunner(Runner):
    timeout_ms = WAITS_MS


class StaticRunner(SessionRunner):
    static_shapes = True


# How a case is asked: eagerly where that serves, in a session, or in one whose graph knows the shapes.
EAGER, SESSION, STATIC = range(3)


def answer(case, how):
    if how == EAGER and is_eager(case):
        try:
            with context.eager_mode():
                return EagerRunner(case).run()
        except NeedsSession:
            pass
    record = (StaticRunner if how == STATIC else SessionRunner)(case).run()
    if record.get('error', {}).get('code') == DEADLINE_EXCEEDED:
        raise RuntimeError('waits')
    return record


def clear(folder):
    """Each case finds an empty folder, as ours does."""
    for entry in os.scandir(folder):
        if entry.is_dir():
            shutil.rmtree(entry.path, ignore_errors=True)
        else:
            os.unlink(entry.path)


def child(cases, first, path, how):
    """Writes one line a case; does not return."""
    tf.logging.set_verbosity(tf.logging.ERROR)
    # What tf.enable_eager_execution () does, but after graphs were made (some cases make them).
    config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    context._set_context(context.Context(config))
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    os.dup2(null, 1)
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    with open(path, 'w') as f:
        for i in range(first, len(cases)):
            clear(folder)
            try:
                line = json.dumps(answer(cases[i], how), allow_nan=False)
            except Exception as e:
                line = json.dumps({'failed': '%s: %s' % (type(e).__name__, str(e)[:300])})
            f.write(line + '\n')
            f.flush()
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)


def wait_for(pid, path):
    """Until the child ends, or hangs and is killed."""
    size = -1
    since = time.monotonic()
    pause = 0.002
    while True:
        if os.waitpid(pid, os.WNOHANG)[0] == pid:
            return
        now = os.path.getsize(path) if os.path.exists(path) else 0
        if now != size:
            size = now
            since = time.monotonic()
        elif time.monotonic() - since > PATIENCE:
            os.kill(pid, signal.SIGKILL)
        time.sleep(pause)
        pause = min(0.05, pause * 1.5)


def ask_tensorflow(cases, how=EAGER):
    """A record for each case; None where TensorFlow ended itself, hung, or took no such case."""
    records = []
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, 'answers')
    while len(records) < len(cases):
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            try:
                child(cases, len(records), path, how)
            except BaseException:
                traceback.print_exc()
            os._exit(1)
        wait_for(pid, path)
        lines = []
        if os.path.exists(path):
            with open(path) as f:
                lines = f.read().split('\n')
        for line in lines[:-1]:
            record = json.loads(line)
            records.append(None if 'failed' in record else record)
            if 'failed' in record and os.environ.get('DIFFER_VERBOSE'):
                print('   no case:', cases[len(records) - 1].op, record['failed'])
        if len(records) < len(cases):
            if os.environ.get('DIFFER_VERBOSE'):
                print('   TensorFlow ended at', cases[len(records)].op)
            records.append(None)
        # The next child must not be taken for the last.
        if os.path.exists(path):
            os.unlink(path)
    if os.path.exists(path):
        os.unlink(path)
    os.rmdir(folder)
    return records


class Engine(object):
    """Our side: tests/kernels/check-cases of a build."""

    def __init__(self, program):
        self.program = program
        self.environment = dict(os.environ, OMP_NUM_THREADS='1', GIO_USE_VFS='local')

    def check(self, records):
        """What differs, by index of the record (None: not looked at); a crash is a difference."""
        problems = {}
        there = [(i, dict(r, name='%s/%d' % (r['op'], i))) for i, r in enumerate(records) if r is not None]
        if not there:
            return problems
        with tempfile.NamedTemporaryFile('w', suffix='.json', delete=False) as f:
            json.dump({'cases': [r for _, r in there]}, f)
        first = 0
        while first < len(there):
            run = subprocess.run([self.program, f.name, str(first)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 env=self.environment)
            at = first
            for line in run.stdout.decode('utf-8', 'replace').split('\n'):
                if line.startswith('> '):
                    at = int(line[2:])
                elif line.startswith('! '):
                    problems[there[at][0]] = line[2:]
            if run.returncode == 0:
                break
            words = run.stderr.decode('utf-8', 'replace')
            found = re.search(r'ERROR: AddressSanitizer.*|runtime error.*|ERROR:.*|CRITICAL.*', words)
            problems[there[at][0]] = 'CRASH (%d) %s' % (run.returncode, found.group(0) if found else '')
            first = at + 1
        os.unlink(f.name)
        return problems


def describe(record):
    """The record as a person reads it."""
    import numpy as np

    def tensor(t):
        if 'strings' in t:
            return 'string%s %s' % (t['shape'], [record_ops.base64.b64decode(s) for s in t['strings']])
        data = record_ops.base64.b64decode(t['data'])
        dtype = dtypes.as_dtype(t['dtype'])
        array = np.frombuffer(data, dtype.as_numpy_dtype).reshape(t['shape'])
        if dtype == dtypes.bfloat16:
            array = array.astype(np.float32)
        return '%s%s %s' % (t['dtype'], t['shape'], np.array2string(array, threshold=40).replace('\n', ''))

    lines = []
    for k, node in enumerate(record['nodes']):
        attrs = ', '.join('%s=%s' % (key, short_attr(v)) for key, v in sorted(node['attrs'].items()))
        lines.append('  %d %s (%s)' % (k, node['op'], attrs))
        for i in node['inputs']:
            lines.append('      in  ' + (tensor(i) if 'shape' in i else json.dumps(i)))
        for o in node.get('outputs') or []:
            lines.append('      out ' + ('-' if o is None else tensor(o)))
    if 'error' in record:
        lines.append('      error %(code)d (%(at)s) %(message)s' % record['error'])
    return '\n'.join(lines)


def short_attr(attr):
    if 'list' in attr:
        return '[%s]' % ', '.join(short_attr(a) for a in attr['list'])
    (kind, value), = attr.items()
    return repr(record_ops.base64.b64decode(value)) if kind == 'string' else str(value)
