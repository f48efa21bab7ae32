# cases_word2vec.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Words and their neighbours, as graphs of 2015 learned them."""

import os
import tempfile

import numpy as np

from record_ops import Case, Ref
from samples import values

PRODUCER = 18


def neg_train(w_in, w_out, examples, labels, rate=0.25, counts=(0, 0, 7, 0), n=3, **more):
    return Case('NegTrain', [w_in, w_out, np.array(examples, np.int32), np.array(labels, np.int32), np.array(rate, np.float32)],
                vocab_count=list(counts), num_negative_samples=n, producer=PRODUCER, tolerance=1e-6, **more)


def ref(shape):
    return Ref(values('float32', shape))


def training():
    for n in (0, 1, 3):
        for dims in (1, 5, 17):
            yield neg_train(ref([4, dims]), Ref(values('float32', [4, dims]) * 0.5), [0, 3, 1, 0], [1, 2, 2, 3], n=n)
    both = ref([4, 6])
    yield neg_train(both, both, [0, 1], [1, 3])
    yield neg_train(ref([4, 3]), ref([4, 3]), [], [])
    yield neg_train(ref([4, 3]), ref([4, 3]), [2, 2], [2, 0], runs=2)
    for bad in ((ref([4]), ref([4]), [0], [1]), (ref([4, 2]), ref([4, 3]), [0], [1]), (ref([4, 2]), ref([4, 2]), [[0]], [[1]]),
                (ref([4, 2]), ref([4, 2]), [0], [1, 2]), (ref([3, 2]), ref([3, 2]), [0], [1])):
        yield neg_train(*bad)
    yield neg_train(ref([4, 2]), ref([4, 2]), [0], [1], rate=[0.1])
    yield neg_train(Ref(None, 'float32'), ref([4, 2]), [0], [1])


def text():
    """Words, each of which is there a number of times of its own."""
    names = ['alpha', 'beta', 'gamma', 'delta', 'eps', 'zeta', 'eta', 'theta']
    words = [name for i, name in enumerate(names) for _ in range(60 - 6 * i)] + ['rare', 'rare', 'once']
    np.random.RandomState(4).shuffle(words)
    return '\n '.join(' '.join(words[i:i + 12]) for i in range(0, len(words), 12)) + '\n'


def pairs():
    # TensorFlow reads the file before anything of a graph runs: here it is written as well.
    os.chdir(tempfile.mkdtemp())

    def read(content=text(), batch=50, **more):
        with open('words.txt', 'w') as out:
            out.write(content)
        file = ('WriteFile', [np.array('words.txt', object), np.array(content, object)])
        return Case('Skipgram', [], filename='words.txt', batch_size=batch, nodes=[file], producer=PRODUCER, **more)
    yield read(runs=3)
    yield read(window_size=2, min_count=1000, subsample=0.0)
    yield read(window_size=3, min_count=3, subsample=0.05)
    yield read(window_size=1, min_count=40, batch=7000, subsample=0.01)
    yield read(batch=0)
    yield read(batch=3000, runs=2)
    yield read('too little')
    yield read('')
    yield read(window_size=100)
    yield Case('Skipgram', [], filename='nowhere.txt', batch_size=1, producer=PRODUCER)


def cases():
    for part in (training, pairs):
        for case in part():
            yield case
