# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What all linear operators have in common: hints, shapes, and answers by way of the dense matrix where there is no better."""

import contextlib
import itertools

import numpy as np

from .. import dtypes
from ..framework import ops, tensor_shape, tf_logging as logging
from ..framework.graph import name_scope
from ..framework.ops import convert_to_tensor
from ..operators import array_ops, check_ops, linalg, math_ops
from ..state import variables
from . import batches

_SLOW = "Using (possibly slow) default implementation of %s.  Requires conversion to a dense matrix%s."


def _warn(what, cubic=True):
    logging.warn(_SLOW % (what, " and O(N^3) operations" if cubic else ""))


# How operators are combined: (operation, class[, class]) -> function
RULES = {}


def rule(operation, *classes):
    """@rule("adjoint", A): what the operation makes of an A."""
    def keep(function):
        RULES[(operation,) + classes] = function
        return function
    return keep


def _combined(operation, scope, *operators):
    ways = itertools.product(*[enumerate(type(operator).__mro__) for operator in operators])
    found = [(sum(far for far, _ in way), RULES[key]) for way in ways
             for key in [(operation,) + tuple(cls for _, cls in way)] if key in RULES]
    if not found:
        raise ValueError("No %s registered for %s" % (operation, ".%s(" % operation.join(str(type(o)) for o in operators)))
    with name_scope(scope):
        return min(found, key=lambda pair: pair[0])[1](*operators)


class LinearOperator:
    def __init__(self, dtype, graph_parents=None, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None,
                 is_square=None, name=None):
        if is_positive_definite:
            if is_non_singular is False:
                raise ValueError("A positive definite matrix is always non-singular.")
            is_non_singular = True
        for given, what in ((is_non_singular, "non-singular"), (is_self_adjoint, "self-adjoint")):
            if given:
                if is_square is False:
                    raise ValueError("A %s matrix is always square." % what)
                is_square = True
        graph_parents = [] if graph_parents is None else graph_parents
        for i, parent in enumerate(graph_parents):
            if parent is None or not ops.is_tensor_like(parent):
                raise ValueError("Graph parent item %d is not a Tensor; %s." % (i, parent))
        self._dtype = dtypes.as_dtype(dtype).base_dtype if dtype else dtype
        self._graph_parents, self._is_square_hint, self._is_non_singular = graph_parents, is_square, is_non_singular
        self._is_self_adjoint, self._is_positive_definite = is_self_adjoint, is_positive_definite
        self._name = name or type(self).__name__

    dtype = property(lambda self: self._dtype)
    name = property(lambda self: self._name)
    graph_parents = property(lambda self: self._graph_parents)
    is_non_singular = property(lambda self: self._is_non_singular)
    is_self_adjoint = property(lambda self: self._is_self_adjoint)
    is_positive_definite = property(lambda self: self._is_positive_definite)
    shape = property(lambda self: self._shape())
    batch_shape = property(lambda self: self.shape[:-2])

    @contextlib.contextmanager
    def _name_scope(self, name=None):
        with name_scope(self._name if name is None else self._name + "/" + name) as scope:
            yield scope

    @property
    def is_square(self):
        found = self.domain_dimension == self.range_dimension
        if self._is_square_hint is False and found:
            raise ValueError("User set is_square hint to False, but the operator was square.")
        return found if self._is_square_hint is None else self._is_square_hint

    def _can_use_cholesky(self):
        return self.is_self_adjoint and self.is_positive_definite

    # -- shapes

    @property
    def domain_dimension(self):
        return tensor_shape.Dimension(None) if self.shape.ndims is None else self.shape.dims[-1]

    @property
    def range_dimension(self):
        return self.shape.dims[-2] if self.shape.dims else tensor_shape.Dimension(None)

    def shape_tensor(self, name="shape_tensor"):
        with self._name_scope(name):
            return batches.shape_tensor(self.shape.as_list()) if self.shape.is_fully_defined() else self._shape_tensor()

    def batch_shape_tensor(self, name="batch_shape_tensor"):
        with self._name_scope(name):
            if self.batch_shape.is_fully_defined():
                return batches.shape_tensor(self.batch_shape.as_list(), name="batch_shape")
            return self.shape_tensor()[:-2]

    @property
    def tensor_rank(self):
        with self._name_scope("tensor_rank"):
            return self.shape.ndims

    def tensor_rank_tensor(self, name="tensor_rank_tensor"):
        with self._name_scope(name):
            rank = self.tensor_rank
            if rank is None:
                return array_ops.size(self.shape_tensor())
            return convert_to_tensor(self.tensor_rank)

    def _dimension_tensor(self, name, dimension, at):
        with self._name_scope(name):
            known = tensor_shape.dimension_value(dimension)
            return self.shape_tensor()[at] if known is None else convert_to_tensor(known)

    def domain_dimension_tensor(self, name="domain_dimension_tensor"):
        return self._dimension_tensor(name, self.domain_dimension, -1)

    def range_dimension_tensor(self, name="range_dimension_tensor"):
        return self._dimension_tensor(name, self.range_dimension, -2)

    # -- checks within the graph

    def assert_non_singular(self, name="assert_non_singular"):
        with self._name_scope(name):
            return self._assert_non_singular()

    def assert_positive_definite(self, name="assert_positive_definite"):
        with self._name_scope(name):
            return self._assert_positive_definite()

    def assert_self_adjoint(self, name="assert_self_adjoint"):
        with self._name_scope(name):
            return self._assert_self_adjoint()

    def _assert_non_singular(self):
        _warn("assert_non_singular")
        if self._can_use_cholesky():
            return self.assert_positive_definite()
        values = linalg.svd(self.to_dense(), compute_uv=False)
        cond = math_ops.reduce_max(values, axis=-1) / math_ops.reduce_min(values, axis=-1)
        with name_scope("max_nonsingular_condition_number"):
            eps = np.finfo(self.dtype.as_numpy_dtype).eps
            largest = math_ops.reduce_max([100., math_ops.cast(self.range_dimension_tensor(), self.dtype),
                                           math_ops.cast(self.domain_dimension_tensor(), self.dtype)])
            limit = 1. / (math_ops.cast(largest, self.dtype) * eps)
        return check_ops.assert_less(cond, limit, message="Singular matrix up to precision epsilon.")

    def _assert_positive_definite(self):
        _warn("assert_positive_definite")
        if not self.is_self_adjoint:
            raise NotImplementedError("assert_positive_definite is not implemented.")
        return check_ops.assert_positive(array_ops.matrix_diag_part(linalg.cholesky(self.to_dense())),
                                         message="Matrix was not positive definite.")

    def _assert_self_adjoint(self):
        dense = self.to_dense()
        _warn("assert_self_adjoint", False)
        return check_ops.assert_equal(dense, linalg.adjoint(dense), message="Matrix was not equal to its adjoint.")

    # -- products and solutions

    def _checked(self, x, name):
        x = convert_to_tensor(x, name=name)
        if x.dtype.base_dtype != self.dtype:
            raise TypeError("Expected argument to have dtype %s.  Found: %s in tensor %s" % (self.dtype, x.dtype, x))
        return x

    def _fits(self, own, x, at):
        shape = self.shape
        dimension = tensor_shape.Dimension(None) if shape.ndims is None else shape.dims[own]
        dimension.assert_is_compatible_with(tensor_shape.Dimension(None) if x.shape.ndims is None else x.shape.dims[at])

    def _with_operator(self, operation, scope, x, adjoint, adjoint_arg, name, word):
        left = self.adjoint() if adjoint else self
        right = x.adjoint() if adjoint_arg else x
        if right.range_dimension is not None and left.domain_dimension is not None and \
                right.range_dimension != left.domain_dimension:
            raise ValueError("Operators are incompatible. Expected `%s` to have dimension %s but got %s." % (
                word, left.domain_dimension, right.range_dimension))
        with self._name_scope(name):
            return _combined(operation, scope, left, right)

    def matmul(self, x, adjoint=False, adjoint_arg=False, name="matmul"):
        if isinstance(x, LinearOperator):
            return self._with_operator("matmul", "Matmul", x, adjoint, adjoint_arg, name, "x")
        with self._name_scope(name):
            x = self._checked(x, "x")
            self._fits(-2 if adjoint else -1, x, -1 if adjoint_arg else -2)
            return self._matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def __matmul__(self, other):
        return self.matmul(other)

    def matvec(self, x, adjoint=False, name="matvec"):
        with self._name_scope(name):
            x = self._checked(x, "x")
            self._fits(-2 if adjoint else -1, x, -1)
            return self._matvec(x, adjoint=adjoint)

    def _matvec(self, x, adjoint=False):
        return array_ops.squeeze(self.matmul(array_ops.expand_dims(x, axis=-1), adjoint=adjoint), axis=-1)

    def solve(self, rhs, adjoint=False, adjoint_arg=False, name="solve"):
        for is_so, word in ((self.is_non_singular, "be singular"), (self.is_square, "not be square")):
            if is_so is False:
                raise NotImplementedError("Exact solve not implemented for an operator that is expected to %s." % word)
        if isinstance(rhs, LinearOperator):
            return self._with_operator("solve", "Solve", rhs, adjoint, adjoint_arg, name, "rhs")
        with self._name_scope(name):
            rhs = self._checked(rhs, "rhs")
            self._fits(-1 if adjoint else -2, rhs, -1 if adjoint_arg else -2)
            return self._solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        if self.is_square is False:
            raise NotImplementedError("Solve is not yet implemented for non-square operators.")
        _warn("solve")
        rhs = linalg.adjoint(rhs) if adjoint_arg else rhs
        if self._can_use_cholesky():
            return batches.cholesky_solve(linalg.cholesky(self.to_dense()), rhs)
        return batches.matrix_solve(self.to_dense(), rhs, adjoint=adjoint)

    def solvevec(self, rhs, adjoint=False, name="solve"):
        with self._name_scope(name):
            rhs = self._checked(rhs, "rhs")
            self._fits(-1 if adjoint else -2, rhs, -1)
            return array_ops.squeeze(self.solve(array_ops.expand_dims(rhs, axis=-1), adjoint=adjoint), axis=-1)

    # -- other operators

    def adjoint(self, name="adjoint"):
        if self.is_self_adjoint is True:
            return self
        with self._name_scope(name):
            return _combined("adjoint", "Adjoint", self)

    H = property(adjoint)

    def inverse(self, name="inverse"):
        for is_so, word in ((self.is_square, "non square"), (self.is_non_singular, "singular")):
            if is_so is False:
                raise ValueError("Cannot take the Inverse: This operator represents a %s matrix." % word)
        with self._name_scope(name):
            return _combined("inverse", "Inverse", self)

    def cholesky(self, name="cholesky"):
        if not self._can_use_cholesky():
            raise ValueError("Cannot take the Cholesky decomposition: Not a positive definite self adjoint matrix.")
        with self._name_scope(name):
            return _combined("cholesky", "Cholesky", self)

    # -- numbers of the matrix

    def _of_square(self):
        if self.is_square is False:
            raise NotImplementedError("Determinant not implemented for an operator that is expected to not be square.")

    def determinant(self, name="det"):
        self._of_square()
        with self._name_scope(name):
            return self._determinant()

    def _determinant(self):
        _warn("determinant")
        if self._can_use_cholesky():
            return math_ops.exp(self.log_abs_determinant())
        return linalg.matrix_determinant(self.to_dense())

    def log_abs_determinant(self, name="log_abs_det"):
        self._of_square()
        with self._name_scope(name):
            return self._log_abs_determinant()

    def _log_abs_determinant(self):
        _warn("determinant")
        if self._can_use_cholesky():
            diagonal = array_ops.matrix_diag_part(linalg.cholesky(self.to_dense()))
            return 2 * math_ops.reduce_sum(math_ops.log(diagonal), axis=[-1])
        return linalg.slogdet(self.to_dense())[1]

    def to_dense(self, name="to_dense"):
        with self._name_scope(name):
            return self._to_dense()

    def _to_dense(self):
        batch = self.batch_shape if self.batch_shape.is_fully_defined() else self.batch_shape_tensor()
        rows = tensor_shape.dimension_value(self.domain_dimension)
        rows = self.domain_dimension_tensor() if rows is None else rows
        return self.matmul(linalg.eye(num_rows=rows, batch_shape=batch, dtype=self.dtype))

    def diag_part(self, name="diag_part"):
        with self._name_scope(name):
            return self._diag_part()

    def _diag_part(self):
        return array_ops.matrix_diag_part(self.to_dense())

    def trace(self, name="trace"):
        with self._name_scope(name):
            return self._trace()

    def _trace(self):
        return math_ops.reduce_sum(self.diag_part(), axis=-1)

    def add_to_tensor(self, x, name="add_to_tensor"):
        with self._name_scope(name):
            return self._add_to_tensor(self._checked(x, "x"))

    def _add_to_tensor(self, x):
        return self.to_dense() + x


def kept(value, name):
    """A tensor of the value; a variable stays one, and is read where it is used."""
    return value if isinstance(value, variables.Variable) else convert_to_tensor(value, name=name)
