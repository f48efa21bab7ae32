# cases_einsum.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Sums of products by equations."""

import numpy as np

from record_ops import Case
from samples import values

EQUATIONS = [('ij,jk->ik', [2, 3], [3, 4]), ('bij,bjk->bik', [2, 3, 4], [2, 4, 5]), ('ij,jk->ki', [2, 3], [3, 4]),
             ('i,j->ij', [3], [4]), ('i,i->', [5], [5]), ('ij->ji', [2, 3]), ('ij->', [2, 3]), ('ii->i', [3, 3]),
             ('ii->', [3, 3]), ('i->ii', [3]), ('ijk->kj', [2, 3, 4]), ('ab,cd->adbc', [2, 3], [4, 5]),
             ('abc,cd->d', [2, 3, 4], [4, 5]), ('...ij,...jk->...ik', [2, 1, 3, 4], [5, 4, 2]),
             ('i...,...j->...ij', [2, 3, 4], [3, 4, 5]), ('...->...', [2, 3]), ('...ab->...b', [4, 2, 3]),
             ('aab,bc->ac', [2, 2, 3], [3, 4]), ('ij,ij->ij', [2, 3], [2, 3]), ('a,->a', [3], []), (',->', [], []),
             ('abcd,cbe->ade', [2, 3, 4, 5], [4, 3, 2]), ('ij,jk->ik', [2, 0], [0, 4]), ('ij,jk->ik', [0, 3], [3, 4]),
             ('Ab,bC->AC', [2, 3], [3, 4])]


def cases():
    for equation, *shapes in EQUATIONS:
        for dtype in ('float32', 'double', 'complex64', 'complex128'):
            yield Case('Einsum', [[values(dtype, s, key=k) for k, s in enumerate(shapes)]], equation=equation,
                       tolerance=1e-5 if dtype in ('float32', 'complex64') else 1e-12)
    f = lambda *s: np.ones(s, np.float32)
    for equation, inputs in (('ij,jk->ik', [f(2, 3), f(4, 4)]), ('ij->i', [f(2)]), ('ij,jk', [f(2, 3), f(3, 4)]),
                             ('ij,jk->il', [f(2, 3), f(3, 4)]), ('ij,jk->ik', [f(2, 3)]), ('i,j,k->ijk', [f(2), f(2), f(2)]),
                             ('...ij->...i', [f(2)])):
        yield Case('Einsum', [inputs], equation=equation)
    # Dims under the dots: that do not go together, and that the output leaves out.
    for equation, *shapes in (('...ij,...jk->...ik', (5, 2, 3), (7, 3, 4)), ('...ji,...jk->...ik', (5, 3, 2), (7, 3, 4)),
                              ('...ij,...kj->...ik', (5, 2, 3), (7, 4, 3)), ('b...ij,...bjk->...bik', (6, 5, 2, 3), (7, 6, 3, 4)),
                              ('...ijl,...jlk->...ik', (5, 2, 3, 8), (7, 3, 8, 4)), ('i...j,...jk->...ik', (2, 5, 3), (7, 3, 4)),
                              ('...ij,...k->...k', (5, 2, 3), (7, 4)), ('...i,...i->...', (5, 3), (7, 3)), ('...,...->...', (5,), (7,)),
                              ('...ij,...jk->ik', (1, 2, 3), (3, 4)), ('...->', (2, 3)), ('i...,i...->i', (2, 1), (2, 1)),
                              ('...ij,...jk->ik', (5, 2, 3), (7, 4, 4))):
        yield Case('Einsum', [[f(*shape) for shape in shapes]], equation=equation)
