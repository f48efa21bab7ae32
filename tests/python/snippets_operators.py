# snippets_operators.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.linalg.LinearOperator and its kinds: what each answers, and what they make of each other."""

import tensorflow as tf

L = tf.linalg
_METHODS = """shape_tensor batch_shape_tensor tensor_rank_tensor domain_dimension_tensor range_dimension_tensor
    determinant log_abs_determinant to_dense diag_part trace assert_non_singular assert_positive_definite assert_self_adjoint""".split()


def _ask(o, x, vector=None, tensor=None):
    """Everything an operator answers."""
    def said(function, name):
        try:
            return function()
        except (NotImplementedError, ValueError) as error:
            tf.no_op(name='no_' + name + '_' + ''.join(c for c in str(error) if c.isalnum())[:20])
    for name in _METHODS:
        said(getattr(o, name), name)
    said(lambda: (o.matmul(x), o.matmul(x, adjoint=True)), 'matmul')
    said(lambda: o.matmul(tf.transpose(x), adjoint_arg=True), 'adjoint_arg')
    said(lambda: (o.solve(x), o.solve(x, adjoint=True)), 'solve')
    if vector is not None:
        said(lambda: (o.matvec(vector), o.solvevec(vector)), 'vector')
    if tensor is not None:
        said(lambda: o.add_to_tensor(tensor), 'add')
    tf.constant(str([o.is_square, o.is_non_singular, o.is_self_adjoint, o.is_positive_definite, o.name, str(o.shape), o.dtype.name]))
    for made in (lambda: o.adjoint(), lambda: o.H, lambda: o.inverse(), lambda: o.cholesky()):
        other = said(made, 'other')
        if other is not None:
            said(other.to_dense, 'dense')


def _floats(name, *shape):
    return tf.placeholder(tf.float32, shape or None, name=name)


def diagonals():
    _ask(L.LinearOperatorDiag([1., 2., 3.], is_positive_definite=True), tf.ones([3, 2]), tf.ones([3]), tf.ones([3, 3]))
    _ask(L.LinearOperatorDiag(_floats('d', None, 3)), _floats('x', 3, 2))
    _ask(L.LinearOperatorDiag(_floats('e', None)), _floats('y', None, 2))
    _ask(L.LinearOperatorDiag(tf.constant([1. + 1j, 2.]), is_self_adjoint=False), tf.constant([[1. + 0j], [2.]]))



def full_matrices():
    _ask(L.LinearOperatorFullMatrix([[2., 1.], [1., 3.]], is_self_adjoint=True, is_positive_definite=True), tf.ones([2, 2]), tf.ones([2]))
    _ask(L.LinearOperatorFullMatrix(_floats('m', 4, 3, 3)), _floats('x', 3, 2))
    _ask(L.LinearOperatorFullMatrix(_floats('n', 3, 2), name='wide'), _floats('y', 2, 2))


def triangles():
    _ask(L.LinearOperatorLowerTriangular([[2., 1.], [1., 3.]]), tf.ones([2, 2]), tf.ones([2]), tf.ones([2, 2]))
    _ask(L.LinearOperatorLowerTriangular(_floats('m', None, None, None)), _floats('x', None, None))
    L.LinearOperatorLowerTriangular(_floats('t', 3, 3)).solve(_floats('b', 5, 3, 2)), L.LinearOperatorLowerTriangular(_floats('u', 2, 2)).solve(_floats('c', 5, 2, 1), adjoint=True)


def identities():
    _ask(L.LinearOperatorIdentity(3), tf.ones([3, 2]), tf.ones([3]), tf.ones([3, 3]))
    _ask(L.LinearOperatorIdentity(2, batch_shape=[4], assert_proper_shapes=True), _floats('x', 2, 2))
    _ask(L.LinearOperatorIdentity(tf.placeholder(tf.int32, [], name='n'), batch_shape=tf.placeholder(tf.int32, [1]), dtype=tf.float32), _floats('y', 2, 2))


def scaled_identities():
    _ask(L.LinearOperatorScaledIdentity(3, 2., is_positive_definite=True), tf.ones([3, 2]), tf.ones([3]), tf.ones([3, 3]))
    _ask(L.LinearOperatorScaledIdentity(2, _floats('s', None), assert_proper_shapes=True), _floats('x', 2, 2))


def compositions():
    _ask(L.LinearOperatorComposition([L.LinearOperatorDiag([1., 2.]), L.LinearOperatorFullMatrix([[1., 2.], [3., 4.]])]), tf.ones([2, 2]))
    _ask(L.LinearOperatorComposition([L.LinearOperatorFullMatrix(_floats('m', None, 3, 3)), L.LinearOperatorIdentity(3)], is_square=True), _floats('x', 3, 3))


def blocks():
    _ask(L.LinearOperatorBlockDiag([L.LinearOperatorDiag([1., 2.], is_positive_definite=True), L.LinearOperatorIdentity(1)]), tf.ones([3, 3]), tf.ones([3]))
    _ask(L.LinearOperatorBlockDiag([L.LinearOperatorFullMatrix(_floats('m', 4, 2, 2)), L.LinearOperatorLowerTriangular(_floats('t', 3, 3))]), _floats('x', 5, 5))


def kroneckers():
    _ask(L.LinearOperatorKronecker([L.LinearOperatorDiag([1., 2.], is_positive_definite=True), L.LinearOperatorIdentity(2)]), tf.ones([4, 4]), tf.ones([4]))
    _ask(L.LinearOperatorKronecker([L.LinearOperatorFullMatrix(_floats('m', 2, 2)), L.LinearOperatorFullMatrix(_floats('n', 3, 3))]), _floats('x', 6, 6))


def low_ranks():
    base = L.LinearOperatorDiag([1., 2., 3.], is_positive_definite=True)
    _ask(L.LinearOperatorLowRankUpdate(base, tf.ones([3, 1])), tf.ones([3, 2]), tf.ones([3]))
    _ask(L.LinearOperatorLowRankUpdate(base, _floats('u', 3, 2), diag_update=_floats('d', 2), v=_floats('v', 3, 2)), _floats('x', 3, 3))


def products():
    diag, scaled = L.LinearOperatorDiag([1., 2.]), L.LinearOperatorScaledIdentity(2, 3.)
    identity, full = L.LinearOperatorIdentity(2), L.LinearOperatorFullMatrix(_floats('m', 2, 2))
    tril = L.LinearOperatorLowerTriangular(_floats('t', 2, 2))
    for a, b in ((diag, diag), (diag, scaled), (scaled, diag), (identity, full), (full, identity), (diag, tril), (tril, diag), (full, tril)):
        a.matmul(b).to_dense(), a.matmul(b, adjoint=True, adjoint_arg=True)
    for a, b in ((diag, diag), (diag, scaled), (scaled, diag), (identity, full), (full, tril)):
        a.solve(b).to_dense()


def functions_of_operators():
    o = L.LinearOperatorFullMatrix([[2., 1.], [1., 3.]], is_self_adjoint=True, is_positive_definite=True)
    tf.matmul(o, tf.ones([2, 2])), tf.matmul(tf.ones([2, 2]), o), tf.linalg.trace(o), tf.linalg.det(o), tf.linalg.logdet(o)
    tf.linalg.solve(o, tf.ones([2, 1])), tf.linalg.cholesky(o).to_dense(), tf.linalg.adjoint(o), tf.linalg.inv(o).to_dense(), tf.linalg.diag_part(o)


def of_variables():
    v = tf.get_variable('v', [3])
    o = L.LinearOperatorDiag(tf.exp(v), is_positive_definite=True)
    tf.train.GradientDescentOptimizer(0.1).minimize(o.log_abs_determinant() + tf.reduce_sum(o.solve(tf.ones([3, 1]))))
