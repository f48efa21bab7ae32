#!/usr/bin/env python3
# differ_graphs.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The differential tester of whole graphs: random input pipelines and random functions, made by TensorFlow 1.15.5's
own Python, run there and in our engine (through tests/session/check-graphs, which meson builds).

    python tests/oracle/differ_graphs.py --family dataset [--count N] [--seed S]

Families: `dataset` (differ_graphs_data.py) and `functional` (differ_graphs_functional.py). Each graph is made of a
description, which is drawn from (family, seed, number) alone: tuples, and lists any item of which may be left out. What
differs is shrunk by leaving items out, and printed.

    --first N    number of the first graph: a long run in parts
    --checker P  check-graphs of a build (default: build/ of this tree)
    --shrink S   seconds given to shrinking one finding
    --keep       put what was found among the descriptions of ../golden/graphs/FAMILY.txt
    --record     record ../golden/graphs/FAMILY.json.gz from FAMILY.txt, and find nothing
    --write      write the row of this family in differ.counts

It needs TensorFlow 1.15.5; no test needs it."""

import argparse
import ast
import base64
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import traceback
import zlib

os.environ.setdefault('TF_CPP_MIN_LOG_LEVEL', '3')
os.environ.setdefault('CUDA_VISIBLE_DEVICES', '')
os.environ['TZ'] = 'UTC'

import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.core.protobuf import rewriter_config_pb2
from tensorflow.python.framework import error_interpolation

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import differ_graphs_data
import differ_graphs_functional
import differ_oracle
from differ import signature, write_counts
from record_ops import clean, encode_tensor

# Messages as TensorFlow's runtime has them, with the functions they come from.
error_interpolation.interpolate = lambda message, graph: message
# Of functions with such names the front end takes the marks away.
MARKS = re.compile(r'{{function_node ([A-Za-z0-9_.][A-Za-z0-9_.\-/]*)}} {{function_node \1}} ')
FAMILIES = {'dataset': differ_graphs_data, 'functional': differ_graphs_functional}
FILES = os.path.join(HERE, '..', 'golden', 'datasets')
GRAPHS = os.path.join(HERE, '..', 'golden', 'graphs')
BATCH = 200
# How often TensorFlow is asked again for a graph that differs.
AGAIN = 12
# Graphs take longer to be made than cases.
differ_oracle.PATIENCE = 20
# Of one graph in base64: larger ones are left out.
MAX_BYTES = 400000


# --- TensorFlow -------------------------------------------------------------------------------------

def record(module, description):
    """Builds and runs; `module.build` gives [(feeds {tensor: value}, fetches, targets)], and after how many errors they end."""
    graph = tf.Graph()
    with graph.as_default():
        tf.set_random_seed(87654321)
        runs, most_ends = module.build(description)
    config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=4)
    config.operation_timeout_in_ms = 3000
    config.graph_options.optimizer_options.opt_level = -1
    rewrites = config.graph_options.rewrite_options
    rewrites.disable_meta_optimizer = True
    rewrites.constant_folding = rewriter_config_pb2.RewriterConfig.OFF
    entries = []
    ends = 0
    with tf.Session(graph=graph, config=config) as session:
        for feeds, fetches, targets in runs:
            entry = {'feeds': [t.name for t in feeds], 'values': [encode_tensor(np.asarray(v), t.dtype) for t, v in feeds.items()],
                     'fetches': [t.name for t in fetches], 'targets': [t.name for t in targets]}
            entries.append(entry)
            try:
                values = session.run(list(fetches) + list(targets), feeds)
                entry['outputs'] = [None if t.dtype in (tf.resource, tf.variant) else encode_tensor(v, t.dtype)
                                    for t, v in zip(fetches, values)]
            except tf.errors.OpError as e:
                if e.error_code == differ_oracle.DEADLINE_EXCEEDED:
                    raise RuntimeError('waits')
                entry['error'] = {'code': e.error_code, 'message': MARKS.sub('  ', clean(e.message))}
                if entry['error']['code'] == 8:
                    raise RuntimeError('memory')
                ends += 1
                if ends == most_ends or not fetches:
                    break
    return {'graph': base64.b64encode(graph.as_graph_def().SerializeToString(deterministic=True)).decode(), 'runs': entries,
            'tolerance': module.TOLERANCE}


def child(module, descriptions, first, path):
    tf.logging.set_verbosity(tf.logging.ERROR)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    os.dup2(null, 1)
    os.chdir(FILES)
    with open(path, 'w') as f:
        for i in range(first, len(descriptions)):
            try:
                line = json.dumps(record(module, descriptions[i]), allow_nan=False)
                if len(line) > MAX_BYTES:
                    line = json.dumps({'failed': 'too large'})
            except Exception as e:
                where = traceback.extract_tb(e.__traceback__)[-1]
                line = json.dumps({'failed': '%s: %s (%s:%d)' % (type(e).__name__, str(e)[:300], os.path.basename(where[0]), where[1])})
            f.write(line + '\n')
            f.flush()
    os._exit(0)


def ask_tensorflow(module, descriptions):
    """A record for each; None where TensorFlow ended itself, hung, or makes no such graph."""
    records = []
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, 'answers')
    while len(records) < len(descriptions):
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            try:
                child(module, descriptions, len(records), path)
            finally:
                os._exit(1)
        differ_oracle.wait_for(pid, path)
        lines = open(path).read().split('\n')[:-1] if os.path.exists(path) else []
        for line in lines:
            r = json.loads(line)
            if 'failed' in r and os.environ.get('DIFFER_VERBOSE'):
                print('   no graph:', r['failed'])
            records.append(None if 'failed' in r else r)
        if len(records) < len(descriptions):
            if os.environ.get('DIFFER_VERBOSE'):
                print('   TensorFlow ended at', descriptions[len(records)])
            records.append(None)
        if os.path.exists(path):
            os.unlink(path)
    os.rmdir(folder)
    return records


# --- ours -------------------------------------------------------------------------------------------

class Engine(object):
    def __init__(self, program):
        self.program = os.path.abspath(program)
        self.environment = dict(os.environ, OMP_NUM_THREADS='1', GIO_USE_VFS='local')

    def check(self, records):
        """What differs, by index of the record; a crash is a difference."""
        problems = {}
        there = [(i, dict(r, name='graph %d' % i)) for i, r in enumerate(records) if r is not None]
        with tempfile.NamedTemporaryFile('w', suffix='.json', delete=False) as f:
            json.dump({'graphs': [r for _, r in there]}, f)
        first = 0
        while first < len(there):
            run = subprocess.run([self.program, f.name, FILES, str(first)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 env=self.environment)
            at = first
            for line in run.stdout.decode('utf-8', 'replace').split('\n'):
                if line.startswith('> '):
                    at = int(line[2:])
                elif line.startswith('! '):
                    problems[there[at][0]] = re.sub(r'\\n', '\n', line[2:])
            if run.returncode == 0:
                break
            words = re.search(r'ERROR: .*|runtime error.*|CRITICAL.*', run.stderr.decode('utf-8', 'replace'))
            problems[there[at][0]] = 'CRASH (%d) %s' % (run.returncode, words.group(0) if words else '')
            first = at + 1
        os.unlink(f.name)
        return problems


# --- smaller descriptions ---------------------------------------------------------------------------

def without(description):
    """Each description that lacks one item of one list of this one."""
    if isinstance(description, list):
        for i in range(len(description)):
            yield description[:i] + description[i + 1:]
    if isinstance(description, (list, tuple)):
        for i, item in enumerate(description):
            for less in without(item):
                yield description[:i] + type(description)([less]) + description[i + 1:]


def shrink(engine, module, description, wanted, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        candidates = sorted(without(description), key=lambda d: len(repr(d)))
        better = None
        for start in range(0, len(candidates), 24):
            some = candidates[start:start + 24]
            records = ask_tensorflow(module, some)
            problems = engine.check(records)
            found = [i for i in sorted(problems) if wanted(problems[i])]
            if found:
                better = some[found[0]]
                break
            if time.monotonic() > end:
                break
        if better is None:
            break
        description = better
    return description


# --- the hunt ---------------------------------------------------------------------------------------

class Last(object):
    """What signature () wants of a case."""
    op = ''


def key_of(problem):
    text = re.sub(r'^run \d+: ', '', problem)
    text = re.sub(r'^[\w/]+:\d+: ', '', text)
    return signature(Last, text)


def describe(record):
    lines = []
    for k, run in enumerate(record['runs']):
        if 'error' in run:
            lines.append('      run %d: error %d %s' % (k, run['error']['code'], run['error']['message'][:300]))
        else:
            lines.append('      run %d: %s' % (k, ' '.join('-' if o is None else '%s%s' % (o['dtype'], o['shape']) for o in run['outputs'])))
    return '\n'.join(lines)


class Hunt(object):
    def __init__(self, engine, family, seed, seconds, shown):
        self.engine = engine
        self.family = family
        self.module = FAMILIES[family]
        self.seed = seed
        self.seconds = seconds
        self.shown = shown
        self.findings = {}
        self.n_run = self.n_errors = self.n_skipped = self.n_accepted = 0

    def draw(self, number):
        r = np.random.RandomState(zlib.crc32(repr((self.family, self.seed, number)).encode()) & 0x7fffffff)
        return self.module.draw(r)

    def run(self, first, count):
        for start in range(first, first + count, BATCH):
            descriptions = [self.draw(i) for i in range(start, min(start + BATCH, first + count))]
            records = ask_tensorflow(self.module, descriptions)
            self.n_skipped += sum(r is None for r in records)
            self.n_run += sum(r is not None for r in records)
            self.n_errors += sum(r is not None and any('error' in e for e in r['runs']) for r in records)
            problems = self.engine.check(records)
            for i in sorted(problems):
                if self.module.accepted(descriptions[i], problems[i]) or self.is_race(descriptions[i]):
                    self.n_accepted += 1
                    continue
                key = key_of(problems[i])
                if key in self.findings:
                    self.findings[key][2] += 1
                else:
                    self.findings[key] = [descriptions[i], problems[i], 1]
                    if len(self.findings) <= self.shown:
                        self.show(key)

    def is_race(self, description):
        """Whether TensorFlow itself, asked again, gives what we give: which of several ops that fail is told, and which of
        several calls at once comes first, hangs on its threads. What it never gives in so many runs is a difference."""
        records = ask_tensorflow(self.module, [description] * AGAIN)
        return len(self.engine.check(records)) < sum(r is not None for r in records)

    def show(self, key):
        description = shrink(self.engine, self.module, self.findings[key][0], lambda p: key_of(p) == key, self.seconds)
        record = ask_tensorflow(self.module, [description])[0]
        self.findings[key][0] = description
        if record is not None:
            problem = self.engine.check([record]).get(0)
            print('--- %s' % problem)
            print(describe(record))
        print('   %r' % (description,))
        sys.stdout.flush()


def keep(family, descriptions):
    path = os.path.join(GRAPHS, family + '.txt')
    there = open(path).read() if os.path.exists(path) else ''
    with open(path, 'a') as f:
        for d in descriptions:
            if repr(d) + '\n' not in there:
                f.write(repr(d) + '\n')


def record_golden(family):
    module = FAMILIES[family]
    lines = [line for line in open(os.path.join(GRAPHS, family + '.txt')) if line.strip() and line[0] != '#']
    descriptions = [ast.literal_eval(line) for line in lines]
    records = ask_tensorflow(module, descriptions)
    graphs = [dict(r, name='%s/%d' % (family, i)) for i, r in enumerate(records) if r is not None]
    text = json.dumps({'tensorflow': tf.__version__, 'recorded_by': 'tests/oracle/differ_graphs.py', 'graphs': graphs},
                      sort_keys=True, separators=(',', ':'), allow_nan=False)
    with open(os.path.join(GRAPHS, family + '.json.gz'), 'wb') as raw:
        with gzip.GzipFile(filename='', mode='wb', fileobj=raw, mtime=0) as f:
            f.write(text.encode('utf-8'))
    print('%s: %d graphs, %d not recorded' % (family, len(graphs), len(records) - len(graphs)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--family', action='append', default=[], choices=sorted(FAMILIES))
    parser.add_argument('--count', type=int, default=5000)
    parser.add_argument('--first', type=int, default=0)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--shrink', type=float, default=20)
    parser.add_argument('--shown', type=int, default=12)
    parser.add_argument('--keep', action='store_true')
    parser.add_argument('--record', action='store_true')
    parser.add_argument('--write', action='store_true')
    parser.add_argument('--checker', default=os.path.join(HERE, '..', '..', 'build', 'tests', 'session', 'check-graphs'))
    options = parser.parse_args()
    engine = Engine(options.checker)
    worst = 0
    for family in options.family or sorted(FAMILIES):
        if options.record:
            record_golden(family)
            continue
        start = time.monotonic()
        hunt = Hunt(engine, family, options.seed, options.shrink, options.shown)
        hunt.run(options.first, options.count)
        print('%s: %d of %d graphs compared (%d with errors), %d left out, %d differ as known, %d findings in %.0f s'
              % (family, hunt.n_run, options.count, hunt.n_errors, hunt.n_skipped, hunt.n_accepted, len(hunt.findings),
                 time.monotonic() - start))
        for key, (description, problem, n) in sorted(hunt.findings.items()):
            print('  %5d times %s' % (n, re.sub(r'\n *', ' | ', problem)[:240]))
        worst = max(worst, len(hunt.findings))
        if options.keep:
            keep(family, [f[0] for _, f in sorted(hunt.findings.items())])
        if options.write:
            hunt.family = 'graphs_' + family
            write_counts(hunt, options.seed, options.count, len(hunt.findings))
    return 1 if worst else 0


if __name__ == '__main__':
    sys.modules.setdefault('record_ops', differ_oracle.record_ops)
    tf.disable_v2_behavior()
    sys.exit(main())
