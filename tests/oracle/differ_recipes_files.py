# differ_recipes_files.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Recipes of the ops that save and restore: tensors of all dtypes, whole or in slices, in files of both kinds, in one
or in several that are merged or found by a pattern, and read again whole, in other slices or as another dtype."""

import numpy as np

from differ_recipes import recipe
from differ_values import COMPLEX, FLOATS, QUANTIZED, SIGNED, UNSIGNED, draw, draw_shape, pick
from record_ops import Case

NAMES = ['a', 'b', 'b/c', 'w_1', 'model/dense/kernel', 'model/dense/kernel/Adam', 'Z', '\xe9t', 'a b', '-', 'ab']
PREFIXES = ['m', 'model.ckpt-7', 'x', 'ckpt/model', 'ckpt/']
DTYPES = ['float32'] * 6 + ['string', 'bool'] + FLOATS + SIGNED + UNSIGNED + COMPLEX + QUANTIZED
# Where a word does not fit: dims and pairs that are none, and ranks that differ.
ODD_SPECS = ['A', ' ', '- -', '2 -', '2 2 -', '2 x', 'a -:-', '2 0,3', '2 1,2', '2 0,0', '2 -1,1', '3 0:1', '2  -', '2 - ', '4 0,2,1']


def words(*items):
    return np.array(list(items), object)


def spec_of(whole, starts, lengths):
    parts = ['-' if s == 0 and n == d and (s + n) % 2 else '%d,%d' % (s, n) for d, s, n in zip(whole, starts, lengths)]
    return ' '.join(['%d' % d for d in whole] + [':'.join(parts)])


class Saved(object):
    """A tensor by name, of which a slice may be all that is saved."""

    def __init__(self, r, name):
        self.name = name
        self.dtype = pick(r, DTYPES)
        self.shape = draw_shape(r, max_rank=3)
        self.value = draw(r, self.dtype, self.shape, 'plain')
        self.whole = self.shape
        self.spec = ''
        if self.shape and 0 not in self.shape and r.randint(3) == 0:
            self.whole = tuple(d + int(r.randint(0, 3)) for d in self.shape)
            self.starts = [int(r.randint(0, w - d + 1)) for w, d in zip(self.whole, self.shape)]
            self.spec = spec_of(self.whole, self.starts, self.shape)
        if r.randint(60) == 0:
            self.spec = pick(r, ODD_SPECS)

    def asked(self, r):
        """A spec to read by: often none, else a part of what was saved, seldom of what was not."""
        if self.spec == '' and r.randint(3) or not self.shape or 0 in self.shape:
            return '' if r.randint(80) else pick(r, ODD_SPECS)
        if self.spec and r.randint(2):
            return self.spec
        starts, lengths = [], []
        offsets = self.starts if self.spec and self.whole != self.shape else [0] * len(self.shape)
        for d, at in zip(self.shape, offsets):
            n = int(r.randint(1, d + 1))
            starts.append(at + int(r.randint(0, d - n + 1)))
            lengths.append(n)
        if r.randint(30) == 0:
            starts[0] = max(0, starts[0] + int(r.randint(-2, 3)))
        return spec_of(self.whole, starts, lengths)


def save(r, op, prefix, saved):
    names, specs, data = words(*[s.name for s in saved]), words(*[s.spec for s in saved]), [s.value for s in saved]
    if op == 'Save':
        return ('Save', [prefix, names, data], {})
    return (op, [prefix, names, specs, data], {})


def draw_saved(r):
    names = [NAMES[i] for i in r.permutation(len(NAMES))[:r.randint(1, 5)]]
    saved = [Saved(r, name) for name in names]
    if r.randint(60) == 0:
        saved.append(Saved(r, saved[0].name))
    return saved


def restore(r, op, prefix, saved):
    """What reads some of it again."""
    chosen = [saved[i] for i in r.permutation(len(saved))[:1 if op != 'RestoreV2' else r.randint(1, len(saved) + 1)]]
    names = [s.name if r.randint(30) else pick(r, NAMES) for s in chosen]
    types = [s.dtype if r.randint(30) else pick(r, DTYPES) for s in chosen]
    specs = [s.asked(r) for s in chosen]
    if op == 'RestoreV2':
        if r.randint(60) == 0:
            specs = specs[1:]
        return Case(op, [prefix, words(*names), words(*specs)], {'dtypes': types})
    attrs = {'dt': types[0]}
    if r.randint(6) == 0:
        attrs['preferred_shard'] = int(r.randint(-2, 3))
    return Case(op, [prefix, names[0]] + ([specs[0]] if op == 'RestoreSlice' else []), attrs)


def after(case, nodes):
    return Case(case.op, case.nodes[-1][1], case.nodes[-1][2], nodes=nodes)


@recipe('SaveV2', 'RestoreV2')
def bundle(r, op):
    saved = draw_saved(r)
    prefix = pick(r, PREFIXES)
    nodes = [save(r, 'SaveV2', prefix, saved)]
    if r.randint(12) == 0:
        # Written over.
        nodes.append(save(r, 'SaveV2', prefix, draw_saved(r)))
    reader = pick(r, ['RestoreV2'] * 8 + ['Restore'])
    return after(restore(r, reader, prefix if r.randint(40) else pick(r, PREFIXES), saved), nodes)


@recipe('Save', 'SaveSlices', 'Restore', 'RestoreSlice')
def old(r, op):
    writer = pick(r, ['Save', 'SaveSlices', 'SaveSlices'])
    saved = draw_saved(r)
    prefix = pick(r, PREFIXES[:3])
    nodes, asked = [], prefix
    if r.randint(4) == 0:
        # In several files, found by a pattern.
        half = max(1, len(saved) // 2)
        for i, part in enumerate((saved[:half], saved[half:])):
            if part:
                nodes.append(save(r, writer, '%s-%05d-of-00002' % (prefix, i), part))
        asked = pick(r, [prefix, prefix + '-?????-of-00002', prefix + '-*', prefix + '-00000-of-00002'])
    else:
        nodes.append(save(r, writer, prefix, saved))
        if r.randint(6) == 0:
            asked = pick(r, [prefix + '*', prefix[:-1] + '?', prefix + 'x', '*'])
    if writer == 'Save':
        for s in saved:
            s.spec, s.whole = '', s.shape
    reader = op if op.startswith('Restore') else pick(r, ['Restore', 'RestoreSlice', 'RestoreV2'])
    return after(restore(r, reader, asked, saved), nodes)


@recipe('MergeV2Checkpoints')
def merge(r, op):
    saved = draw_saved(r)
    half = max(1, len(saved) // 2)
    parts = [p for p in (saved[:half], saved[half:]) if p]
    folder = pick(r, ['', 'm_temp/', 'ckpt/'])
    prefixes = ['%spart-%05d-of-%05d' % (folder, i, len(parts)) for i in range(len(parts))]
    nodes = [save(r, 'SaveV2', p, s) for p, s in zip(prefixes, parts)]
    given = prefixes if r.randint(30) else prefixes + [pick(r, prefixes + ['nowhere'])]
    nodes.append(('MergeV2Checkpoints', [words(*given), 'm'], {'delete_old_dirs': bool(r.randint(2))}))
    return after(restore(r, 'RestoreV2', 'm' if r.randint(30) else prefixes[0], saved), nodes)


@recipe('ShardedFilename', 'ShardedFilespec')
def names_of_shards(r, op):
    name = pick(r, PREFIXES + ['', 'a b', '/x/y', b'\xff'])
    numbers = [np.array(int(pick(r, [0, 1, 2, 7, 99999, 100000, -1])), np.int32) for _ in range(2)]
    inputs = [name] + numbers[:1 if op == 'ShardedFilespec' else 2]
    if r.randint(20) == 0:
        i = r.randint(len(inputs))
        inputs[i] = np.array([inputs[i]] * int(r.randint(0, 3)), object if i == 0 else np.int32)
    return Case(op, inputs)
