#!/usr/bin/env python3
# record_python_errors.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What TensorFlow says to the wrong scripts of cases_python_errors.py: ../golden/python/errors.json.gz.

    python tests/oracle/record_python_errors.py        (TensorFlow 1.15.5)

The file: {"prelude": text that stands before every case, "cases": [{"name", "source", "class", "message"}]}.
Positions in files, stacks and addresses are cut as tests/python/test-errors.py cuts them.
"""

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
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'python')]

import cases_python_errors
from error_cases import run_in_child
import tensorflow.compat.v1 as tf

OUT = os.path.join(HERE, '..', 'golden', 'python', 'errors.json.gz')


def main():
    tf.logging.set_verbosity(tf.logging.FATAL)
    with open(cases_python_errors.__file__) as f:
        prelude = f.read().split('\n# -- ')[0].split('"""')[2].strip() + '\n'
    cases = []
    for name, function in list(vars(cases_python_errors).items()):
        if not inspect.isfunction(function) or name.startswith('_'):
            continue
        source = inspect.getsource(function)
        kind, text = run_in_child(prelude, source, name)
        if kind is None:
            sys.exit('%s: no error' % name)
        cases.append({'name': name, 'source': source, 'class': kind, 'message': text})
    data = json.dumps({'prelude': prelude, 'cases': cases}, indent=1).encode()
    with open(OUT, 'wb') as f:
        with gzip.GzipFile(filename='', mode='wb', fileobj=f, mtime=0) as z:
            z.write(data)
    print('%d cases' % len(cases))


main()
