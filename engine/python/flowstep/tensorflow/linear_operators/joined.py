# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Operators made of others: composed, side by side, multiplied as Kronecker does, adjoint, inverse, and of low rank beside."""

from .. import dtypes, errors
from ..control import control_flow
from ..framework import tensor_shape
from ..framework.graph import name_scope
from ..framework.ops import apply_op, convert_to_tensor
from ..names import aliases
from ..operators import array_ops, check_ops, linalg, math_ops
from . import batches
from .base import LinearOperator, kept
from .plain import LinearOperatorDiag, LinearOperatorIdentity


class _Several(LinearOperator):
    """Operators in a row. _KIND: what they make, _HINTS: which hints follow where all have them."""

    _EMPTY = "Expected a non-empty list of operators. Found: %s"
    operators = property(lambda self: self._operators)

    def _keep(self, operators, hints, kind, followed, name, joint, is_square):
        check_ops.assert_proper_iterable(operators)
        operators = self._operators = list(operators)
        if not operators:
            raise ValueError(self._EMPTY % operators)
        for operator in operators:
            if operator.dtype != operators[0].dtype:
                raise TypeError("Expected all operators to have the same dtype.  Found %s" % "   ".join(
                    str((o.name, o.dtype)) for o in operators))
        for key, words in followed:
            if all(getattr(operator, key) for operator in operators):
                if hints[key] is False:
                    raise ValueError("The %s of %s operators is always %s." % (kind, words, words))
                hints[key] = True
        if kind == "direct sum":
            if not (is_square and all(operator.is_square for operator in operators)):
                raise ValueError("Can only represent a block diagonal of square matrices.")
        parents = [parent for operator in operators for parent in operator.graph_parents]
        name = joint.join(operator.name for operator in operators) if name is None else name
        with name_scope(name, values=parents):
            LinearOperator.__init__(self, operators[0].dtype, parents, is_square=is_square, name=name, **hints)

    def _known_batch(self):
        batch = self.operators[0].batch_shape
        for operator in self.operators[1:]:
            batch = aliases.broadcast_static_shape(batch, operator.batch_shape)
        return batch

    def _batch_by_zeros(self):
        zeros = array_ops.zeros(shape=self.operators[0].batch_shape_tensor())
        for operator in self.operators[1:]:
            zeros += array_ops.zeros(shape=operator.batch_shape_tensor())
        return array_ops.shape(zeros)

    def _joined(self, function, combine):
        result = function(self.operators[0])
        for operator in self.operators[1:]:
            result = combine(result, function(operator))
        return result

    def _determinant(self):
        return self._joined(lambda o: o.determinant(), lambda x, y: x * y)

    def _log_abs_determinant(self):
        return self._joined(lambda o: o.log_abs_determinant(), lambda x, y: x + y)


_ALL = (("is_non_singular", "non-singular"), ("is_self_adjoint", "self-adjoint"), ("is_positive_definite", "positive definite"))


class LinearOperatorComposition(_Several):
    def __init__(self, operators, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=None,
                 name=None):
        self._keep(operators, dict(is_non_singular=is_non_singular, is_self_adjoint=is_self_adjoint,
                                   is_positive_definite=is_positive_definite), "composition", _ALL[:1], name, "_o_", is_square)

    def _shape(self):
        domain = self.operators[0].domain_dimension
        for operator in self.operators[1:]:
            domain.assert_is_compatible_with(operator.range_dimension)
            domain = operator.domain_dimension
        matrix = tensor_shape.TensorShape([self.operators[0].range_dimension, self.operators[-1].domain_dimension])
        return self._known_batch().concatenate(matrix)

    def _shape_tensor(self):
        if self.shape.is_fully_defined():
            return convert_to_tensor(self.shape.as_list(), dtype=dtypes.int32, name="shape")
        rows = self.operators[0].range_dimension_tensor()
        matrix = array_ops.stack([rows, self.operators[-1].domain_dimension_tensor()])
        return array_ops.concat((self._batch_by_zeros(), matrix), 0)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        order = self.operators if adjoint else self.operators[::-1]
        result = order[0].matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)
        for operator in order[1:]:
            result = operator.matmul(result, adjoint=adjoint)
        return result

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        order = self.operators[::-1] if adjoint else self.operators
        solution = order[0].solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)
        for operator in order[1:]:
            solution = operator.solve(solution, adjoint=adjoint)
        return solution


class LinearOperatorBlockDiag(_Several):
    def __init__(self, operators, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=True,
                 name=None):
        self._keep(operators, dict(is_non_singular=is_non_singular, is_self_adjoint=is_self_adjoint,
                                   is_positive_definite=is_positive_definite), "direct sum", _ALL, name, "_ds_", is_square)

    def _shape(self):
        domain = self._joined(lambda o: o.domain_dimension, lambda x, y: x + y)
        rows = self._joined(lambda o: o.range_dimension, lambda x, y: x + y)
        return self._known_batch().concatenate(tensor_shape.TensorShape([domain, rows]))

    def _shape_tensor(self):
        if self.shape.is_fully_defined():
            return convert_to_tensor(self.shape.as_list(), dtype=dtypes.int32, name="shape")
        domain, rows = self.operators[0].domain_dimension_tensor(), self.operators[0].range_dimension_tensor()
        for operator in self.operators[1:]:
            domain += operator.domain_dimension_tensor()
            rows += operator.range_dimension_tensor()
        matrix = array_ops.stack([domain, rows])
        return array_ops.concat((self._batch_by_zeros(), matrix), 0)

    def _blockwise(self, function, x, adjoint, adjoint_arg):
        if self.shape.is_fully_defined():
            sizes = [operator.domain_dimension.value for operator in self.operators]
        else:
            sizes = [operator.domain_dimension_tensor() for operator in self.operators]
        parts = array_ops.split(x, sizes, axis=-1 if adjoint_arg else -2)
        made = [function(operator, part, adjoint=adjoint, adjoint_arg=adjoint_arg)
                for operator, part in zip(self.operators, parts)]
        return array_ops.concat(batches.broadcast_matrix_batch_dims(made), axis=-2)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._blockwise(LinearOperator.matmul, x, adjoint, adjoint_arg)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._blockwise(LinearOperator.solve, rhs, adjoint, adjoint_arg)

    def _diag_part(self):
        parts = batches.broadcast_matrix_batch_dims([operator.diag_part()[..., None] for operator in self.operators])
        return array_ops.squeeze(array_ops.concat(parts, axis=-2), axis=-1)

    def _trace(self):
        return self._joined(lambda o: o.trace(), lambda x, y: x + y)

    def _to_dense(self):
        blocks = batches.broadcast_matrix_batch_dims([operator.to_dense() for operator in self.operators])
        columns, rows = 0, []
        for block in blocks:
            batch = array_ops.shape(block)[:-1]
            before = array_ops.zeros(shape=array_ops.concat([batch, [columns]], axis=-1), dtype=block.dtype)
            columns += array_ops.shape(block)[-1]
            after = array_ops.zeros(shape=array_ops.concat([batch, [self.domain_dimension_tensor() - columns]], axis=-1),
                                    dtype=block.dtype)
            rows.append(array_ops.concat([before, block, after], axis=-1))
        matrix = array_ops.concat(rows, axis=-2)
        matrix.set_shape(self.shape)
        return matrix

    def _assert_non_singular(self):
        return control_flow.group([operator.assert_non_singular() for operator in self.operators])

    def _assert_self_adjoint(self):
        return control_flow.group([operator.assert_self_adjoint() for operator in self.operators])

    def _assert_positive_definite(self):
        return control_flow.group([operator.assert_positive_definite() for operator in self.operators])


def _turned(x, right=False):
    """The last dimension first, or the first one last."""
    rank = array_ops.rank(x)
    order = array_ops.concat([[rank - 1], math_ops.range(0, rank - 1)] if right else [math_ops.range(1, rank), [0]], axis=0)
    return array_ops.transpose(x, order)


def _vec(x):
    turned = linalg.matrix_transpose(x)
    return array_ops.reshape(turned, array_ops.concat([array_ops.shape(x)[:-2], [-1]], axis=0))


class LinearOperatorKronecker(_Several):
    _EMPTY = "Expected a list of >=1 operators. Found: %s"

    def __init__(self, operators, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=None,
                 name=None):
        self._keep(operators, dict(is_non_singular=is_non_singular, is_self_adjoint=is_self_adjoint,
                                   is_positive_definite=is_positive_definite), "Kronecker product",
                   _ALL[:2] + (("is_positive_definite", "positive-definite"),), name, "_x_", is_square)

    def _shape(self):
        domain = self._joined(lambda o: o.domain_dimension, lambda x, y: x * y)
        rows = self._joined(lambda o: o.range_dimension, lambda x, y: x * y)
        return self._known_batch().concatenate(tensor_shape.TensorShape([rows, domain]))

    def _shape_tensor(self):
        domain = self._joined(lambda o: o.domain_dimension_tensor(), lambda x, y: x * y)
        rows = self._joined(lambda o: o.range_dimension_tensor(), lambda x, y: x * y)
        batch = self._joined(lambda o: o.batch_shape_tensor(), lambda x, y: apply_op("BroadcastArgs", s0=x, s1=y))
        return array_ops.concat((batch, [rows, domain]), 0)

    def _factorwise(self, function, of_vector, x, adjoint, adjoint_arg):
        if adjoint_arg:
            x = linalg.adjoint(x)
        batch = array_ops.concat([array_ops.ones_like(self.batch_shape_tensor()), [1, 1]], 0)
        x += array_ops.zeros(batch, dtype=x.dtype.base_dtype)
        output = _turned(x, True)[None, ...]
        for operator in self.operators[:-1]:
            size = operator.range_dimension_tensor() if adjoint else operator.domain_dimension_tensor()
            shape = array_ops.concat([array_ops.shape(output)[:-1], [size, -1]], axis=0)
            output = linalg.matrix_transpose(linalg.matrix_transpose(array_ops.reshape(output, shape)))
            output = linalg.matrix_transpose(function(operator, output, adjoint=adjoint, adjoint_arg=False))
            output = _turned(_vec(_turned(output)), True)
        output = of_vector(self.operators[-1], output, adjoint=adjoint)
        output = _turned(_vec(_turned(output)))
        if x.shape.is_fully_defined():
            rows = self.domain_dimension if adjoint else self.range_dimension
            output.set_shape(aliases.broadcast_static_shape(x.shape[:-2], self.batch_shape).concatenate([rows, x.shape[-1]]))
        return output

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._factorwise(LinearOperator.matmul, LinearOperator.matvec, x, adjoint, adjoint_arg)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._factorwise(LinearOperator.solve, LinearOperator.solvevec, rhs, adjoint, adjoint_arg)

    def _powers(self):
        """Each operator with how often its determinant counts."""
        total = self.domain_dimension_tensor()
        for operator in self.operators:
            yield operator, lambda: math_ops.cast(total / operator.domain_dimension_tensor(), dtype=operator.dtype)  # noqa: B023

    def _determinant(self):
        found = 1.
        for operator, power in self._powers():
            found *= operator.determinant() ** power()
        return found

    def _log_abs_determinant(self):
        found = 0.
        for operator, power in self._powers():
            found += operator.log_abs_determinant() * power()
        return found

    def _trace(self):
        found = 1.
        for operator in self.operators:
            found *= operator.trace()
        return found

    def _diag_part(self):
        found = self.operators[0].diag_part()
        for operator in self.operators[1:]:
            found = found[..., :, None]
            found *= operator.diag_part()[..., None, :]
            found = array_ops.reshape(found, shape=array_ops.concat([array_ops.shape(found)[:-2], [-1]], axis=0))
        size = self.domain_dimension if self.range_dimension > self.domain_dimension else self.range_dimension
        found.set_shape(self.batch_shape.concatenate(size))
        return found

    def _to_dense(self):
        product = self.operators[0].to_dense()
        for operator in self.operators[1:]:
            product = product[..., :, None, :, None]
            product *= operator.to_dense()[..., None, :, None, :]
            batch = array_ops.shape(product)[:-4]
            rows = array_ops.shape(product)[-4] * array_ops.shape(product)[-3]
            columns = array_ops.shape(product)[-2] * array_ops.shape(product)[-1]
            product = array_ops.reshape(product, shape=array_ops.concat([batch, [rows, columns]], axis=0))
        product.set_shape(self.shape)
        return product

    def _of_each(self, check, words):
        if not all(operator.is_square for operator in self.operators):
            raise errors.InvalidArgumentError(
                None, None, "All Kronecker factors must be square for the product to be %s." % words)
        return control_flow.group([check(operator) for operator in self.operators])

    def _assert_non_singular(self):
        return self._of_each(lambda o: o.assert_non_singular(), "invertible")

    def _assert_self_adjoint(self):
        return self._of_each(lambda o: o.assert_self_adjoint(), "self adjoint")


class _Of(LinearOperator):
    """The adjoint or inverse of an operator; its hints are the operator's own."""

    operator = property(lambda self: self._operator)

    def _keep(self, operator, hints, words, name):
        self._operator = operator
        for key, hint in hints.items():
            own, text = getattr(operator, key), words(key)
            if own is False and hint or own and hint is False:
                raise ValueError(text)
            hints[key] = True if own or hint else False if own is False or hint is False else None
        with name_scope(name, values=operator.graph_parents):
            LinearOperator.__init__(self, operator.dtype, operator.graph_parents, name=name, **hints)

    def _assert_non_singular(self):
        return self.operator.assert_non_singular()

    def _assert_positive_definite(self):
        return self.operator.assert_positive_definite()

    def _assert_self_adjoint(self):
        return self.operator.assert_self_adjoint()


_WORDS = {"is_square": "square", "is_non_singular": "non-singular", "is_self_adjoint": "self-adjoint",
          "is_positive_definite": "positive-definite"}


class LinearOperatorAdjoint(_Of):
    def __init__(self, operator, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=None,
                 name=None):
        self._keep(operator, dict(is_square=is_square, is_non_singular=is_non_singular, is_self_adjoint=is_self_adjoint,
                                  is_positive_definite=is_positive_definite),
                   lambda key: "An operator is %s if and only if its adjoint is %s." % (_WORDS[key], _WORDS[key]),
                   operator.name + "_adjoint" if name is None else name)

    def _shape(self):
        shape = self.operator.shape
        return shape[:-2].concatenate([shape[-1], shape[-2]])

    def _shape_tensor(self):
        shape = self.operator.shape_tensor()
        return array_ops.concat([shape[:-2], [shape[-1], shape[-2]]], axis=-1)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self.operator.matmul(x, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _matvec(self, x, adjoint=False):
        return self.operator.matvec(x, adjoint=not adjoint)

    def _determinant(self):
        found = self.operator.determinant()
        return found if self.is_self_adjoint else math_ops.conj(found)

    def _log_abs_determinant(self):
        return self.operator.log_abs_determinant()

    def _trace(self):
        found = self.operator.trace()
        return found if self.is_self_adjoint else math_ops.conj(found)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self.operator.solve(rhs, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _to_dense(self):
        dense = self.operator.to_dense()
        return dense if self.is_self_adjoint else linalg.adjoint(dense)


class LinearOperatorInversion(_Of):
    def __init__(self, operator, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=None,
                 name=None):
        if operator.is_square is False or is_square is False:
            raise ValueError("operator must be square")
        for given in (operator.is_non_singular, is_non_singular):
            if given is False:
                raise ValueError("operator and supplied hints must have `is_non_singular` equal to `True` or `None`.")
        self._keep(operator, dict(is_square=True, is_non_singular=True, is_self_adjoint=is_self_adjoint,
                                  is_positive_definite=is_positive_definite),
                   lambda key: "An operator is %s if and only if its inverse is %s." % (_WORDS[key], _WORDS[key]),
                   operator.name + "_inv" if name is None else name)

    def _shape(self):
        return self.operator.shape

    def _shape_tensor(self):
        return self.operator.shape_tensor()

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self.operator.solve(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _determinant(self):
        return 1. / self.operator.determinant()

    def _log_abs_determinant(self):
        return -1. * self.operator.log_abs_determinant()

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self.operator.matmul(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)


class LinearOperatorLowRankUpdate(LinearOperator):
    def __init__(self, base_operator, u, diag_update=None, v=None, is_diag_update_positive=None, is_non_singular=None,
                 is_self_adjoint=None, is_positive_definite=None, is_square=None, name="LinearOperatorLowRankUpdate"):
        if diag_update is None:
            if is_diag_update_positive is False:
                raise ValueError("Default diagonal is the identity, which is positive.  However, user set "
                                 "'is_diag_update_positive' to False.")
            is_diag_update_positive = True
        self._use_cholesky = (base_operator.is_positive_definite and base_operator.is_self_adjoint and
                              is_diag_update_positive and v is None)
        if base_operator.is_self_adjoint and v is None and not base_operator.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError("A = L + UDU^H, with L self-adjoint and D real diagonal.  Since UDU^H is self-adjoint, this "
                                 "must be a self-adjoint operator.")
            is_self_adjoint = True
        if self._use_cholesky:
            if False in (is_positive_definite, is_self_adjoint, is_non_singular):
                raise ValueError("Arguments imply this is self-adjoint positive-definite operator.")
            is_positive_definite = is_self_adjoint = True
        with name_scope(name, values=base_operator.graph_parents + [u, diag_update, v]):
            self._u = kept(u, "u")
            self._v = self._u if v is None else kept(v, "v")
            self._diag_update = None if diag_update is None else kept(diag_update, "diag_update")
            self._base_operator, self._is_diag_update_positive = base_operator, is_diag_update_positive
            parents = [p for p in base_operator.graph_parents + [self._u, self._diag_update, self._v] if p is not None]
            super().__init__(base_operator.dtype, parents, is_non_singular, is_self_adjoint, is_positive_definite, is_square,
                             name)
            self._set_diag_operator(is_diag_update_positive)
            self._check_shapes()

    u = property(lambda self: self._u)
    v = property(lambda self: self._v)
    is_diag_update_positive = property(lambda self: self._is_diag_update_positive)
    diag_update = property(lambda self: self._diag_update)
    diag_operator = property(lambda self: self._diag_operator)
    base_operator = property(lambda self: self._base_operator)

    def _set_diag_operator(self, is_positive):
        if self._diag_update is not None:
            self._diag_operator = LinearOperatorDiag(self._diag_update, is_positive_definite=is_positive)
            return
        rank = tensor_shape.dimension_value(self.u.shape[-1])
        self._diag_operator = LinearOperatorIdentity(num_rows=array_ops.shape(self.u)[-1] if rank is None else rank,
                                                     dtype=self.dtype)

    def _check_shapes(self):
        shape = aliases.broadcast_static_shape(self.u.shape, self.v.shape)
        batch = aliases.broadcast_static_shape(self.base_operator.batch_shape, shape[:-2])
        self.base_operator.domain_dimension.assert_is_compatible_with(shape[-2])
        if self._diag_update is not None:
            shape[-1].assert_is_compatible_with(self._diag_update.shape[-1])
            aliases.broadcast_static_shape(batch, self._diag_update.shape[:-1])

    def _shape(self):
        batch = aliases.broadcast_static_shape(self.base_operator.batch_shape, self.u.shape[:-2])
        return batch.concatenate(self.base_operator.shape[-2:])

    def _shape_tensor(self):
        batch = self.base_operator.batch_shape_tensor()
        batch = apply_op("BroadcastArgs", s0=batch, s1=array_ops.shape(self.u)[:-2])
        return array_ops.concat([batch, self.base_operator.shape_tensor()[-2:]], axis=0)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        first, last = (self.u, self.v) if adjoint else (self.v, self.u)
        leading = self.base_operator.matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)
        inner = math_ops.matmul(first, x, adjoint_a=True, adjoint_b=adjoint_arg)
        return leading + math_ops.matmul(last, self.diag_operator.matmul(inner, adjoint=adjoint))

    def _determinant(self):
        if self.is_positive_definite:
            return math_ops.exp(self.log_abs_determinant())
        of_capacitance = linalg.matrix_determinant(self._capacitance())
        of_diagonal = self.diag_operator.determinant()
        of_base = self.base_operator.determinant()
        return of_capacitance * of_diagonal * of_base

    def _log_abs_determinant(self):
        of_diagonal = self.diag_operator.log_abs_determinant()
        of_base = self.base_operator.log_abs_determinant()
        if self._use_cholesky:
            diagonal = array_ops.matrix_diag_part(linalg.cholesky(self._capacitance()))
            of_capacitance = 2 * math_ops.reduce_sum(math_ops.log(diagonal), axis=[-1])
        else:
            of_capacitance = math_ops.log(math_ops.abs(linalg.matrix_determinant(self._capacitance())))
            if self.dtype.is_complex:
                of_capacitance = math_ops.cast(of_capacitance, dtype=self.dtype)
        return of_capacitance + of_diagonal + of_base

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        if self.base_operator.is_non_singular is False:
            raise ValueError("Solve not implemented unless this is a perturbation of a non-singular LinearOperator.")
        base = self.base_operator
        v, u = (self.u, self.v) if adjoint else (self.v, self.u)
        solved = base.solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)
        inner = math_ops.matmul(v, solved, adjoint_a=True)
        if self._use_cholesky:
            inner = batches.cholesky_solve(linalg.cholesky(self._capacitance()), inner)
        else:
            inner = batches.matrix_solve(self._capacitance(), inner, adjoint=adjoint)
        return solved - base.solve(math_ops.matmul(u, inner), adjoint=adjoint)

    def _capacitance(self):
        solved = self.base_operator.solve(self.u)
        inner = math_ops.matmul(self.v, solved, adjoint_a=True)
        return self._diag_operator.inverse().add_to_tensor(inner)
