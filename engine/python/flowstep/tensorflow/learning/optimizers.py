# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Optimizers: gradients, slots and the ops that apply them."""

from .. import dtypes
from .. import nest
from ..control import control_flow
from ..differentiation import gradients as gradients_lib
from ..framework import graph as graph_lib
from ..framework import ops
from ..framework.graph import GraphKeys, Tensor, get_default_graph, name_scope
from ..framework.ops import IndexedSlices, convert_to_tensor
from ..operators import array_ops, math_ops
from ..operators import state_ops
from ..state import initializers
from ..state import partitioned_variables, variables
from . import slots


def _var_key(variable):
    return variable.graph, variable._shared_name if hasattr(variable, "_shared_name") else variable.op.name


def _check_target(v):
    if not isinstance(v, (variables.Variable, Tensor)):
        v.op  # TF: what has no op is refused by its class
        raise NotImplementedError("Trying to optimize unsupported type ", v)


def note_train_op(op):
    """The op, which the collection of train ops has now."""
    op = op.op if isinstance(op, Tensor) else op
    known = graph_lib.get_collection_ref(GraphKeys.TRAIN_OP)
    if op not in known:
        known.append(op)
    return op


class Optimizer:
    """Base of all optimizers."""

    GATE_NONE, GATE_OP, GATE_GRAPH = 0, 1, 2

    def __init__(self, use_locking, name):
        if not name:
            raise ValueError("Must specify the optimizer name")
        self._use_locking, self._name = use_locking, name
        self._slots, self._non_slot, self._deferred = {}, {}, {}

    def get_name(self):
        return self._name

    def minimize(self, loss, global_step=None, var_list=None, gate_gradients=GATE_OP, aggregation_method=None,
                 colocate_gradients_with_ops=False, name=None, grad_loss=None):
        grads_and_vars = self.compute_gradients(loss, var_list, gate_gradients, aggregation_method,
                                                colocate_gradients_with_ops, grad_loss)
        with_grad = [v for g, v in grads_and_vars if g is not None]
        if not with_grad:
            raise ValueError("No gradients provided for any variable, check your graph for ops that do not support "
                             "gradients, between variables %s and loss %s." % ([str(v) for _, v in grads_and_vars], loss))
        return self.apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def compute_gradients(self, loss, var_list=None, gate_gradients=GATE_OP, aggregation_method=None,
                          colocate_gradients_with_ops=False, grad_loss=None):
        if callable(loss):
            loss = loss()
        if gate_gradients not in (Optimizer.GATE_NONE, Optimizer.GATE_OP, Optimizer.GATE_GRAPH):
            raise ValueError("gate_gradients must be one of: Optimizer.GATE_NONE, Optimizer.GATE_OP, "
                             "Optimizer.GATE_GRAPH.  Not %s" % gate_gradients)
        self._assert_dtypes([loss])
        if grad_loss is not None:
            self._assert_dtypes([grad_loss])
        if var_list is None:
            var_list = variables.trainable_variables() + graph_lib.get_collection(GraphKeys.TRAINABLE_RESOURCE_VARIABLES)
        var_list = [v for item in nest.flatten(var_list)
                    for v in (item if isinstance(item, partitioned_variables.PartitionedVariable) else [item])]
        var_list += graph_lib.get_collection(GraphKeys._STREAMING_MODEL_PORTS)
        if not var_list:
            raise ValueError("No variables to optimize.")
        for v in var_list:
            _check_target(v)
        grads = gradients_lib.gradients(loss, var_list, grad_ys=grad_loss, gate_gradients=gate_gradients == self.GATE_OP,
                                        aggregation_method=aggregation_method,
                                        colocate_gradients_with_ops=colocate_gradients_with_ops)
        if gate_gradients == self.GATE_GRAPH:
            grads = control_flow.gated(grads)
        grads_and_vars = list(zip(grads, var_list))
        self._assert_dtypes([v for g, v in grads_and_vars if g is not None and v.dtype != dtypes.resource])
        return grads_and_vars

    def _assert_dtypes(self, tensors):
        valid = (dtypes.float32, dtypes.float64, dtypes.float16, dtypes.bfloat16)
        for t in tensors:
            if t.dtype.base_dtype not in valid:
                raise ValueError("Invalid type %r for %s, expected: %s." % (t.dtype.base_dtype, t.name, list(valid)))

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        grads_and_vars = tuple(grads_and_vars)
        if not grads_and_vars:
            raise ValueError("No variables provided.")
        converted = []
        for g, v in grads_and_vars:
            if g is not None:
                try:
                    g = ops.internal_convert_to_tensor_or_indexed_slices(g)
                except TypeError:
                    raise TypeError("Gradient must be convertible to a Tensor or IndexedSlices, or None: %s" % g) from None
            _check_target(v)
            converted.append((g, v))
        var_list = [v for g, v in converted if g is not None]
        if not var_list:
            raise ValueError("No gradients provided for any variable: %s." % ([str(v) for _, v in converted],))
        with graph_lib.init_scope():
            self._create_slots(var_list)
        update_ops = []
        with name_scope(name, self._name) as name:
            self._prepare()
            for grad, var in converted:
                if grad is None:
                    continue
                scope_name = var.op.name
                with name_scope("update_" + scope_name), graph_lib.colocate_with(var):
                    update_ops.append(self._update(grad, var))
            if global_step is None:
                apply_updates = self._finish(update_ops, name)
            else:
                with graph_lib.control_dependencies([self._finish(update_ops, "update")]):
                    with graph_lib.colocate_with(global_step):
                        if isinstance(global_step, variables.ResourceVariable):
                            apply_updates = ops.make_op("AssignAddVariableOp", resource=global_step.handle,
                                                        value=ops.constant(1, dtype=global_step.dtype), name=name)
                        else:
                            apply_updates = state_ops.assign_add(global_step, 1, name=name)
            return note_train_op(apply_updates)

    def _update(self, grad, var):
        if isinstance(var, Tensor):
            raise NotImplementedError("Trying to update a Tensor ", var)
        resource = isinstance(var, variables.ResourceVariable)
        if isinstance(grad, IndexedSlices):
            if var.constraint is not None:
                raise RuntimeError("Cannot use a constraint function on a sparse variable.")
            if resource:
                return self._resource_apply_sparse_duplicate_indices(grad.values, var, grad.indices)
            return self._apply_sparse_duplicate_indices(grad, var)
        update = self._resource_apply_dense(grad, var) if resource else self._apply_dense(grad, var)
        if var.constraint is not None:
            with graph_lib.control_dependencies([update]):
                return var.assign(var.constraint(var))
        return update

    # -- slots

    def get_slot(self, var, name):
        return self._slots.get(name, {}).get(_var_key(var))

    def get_slot_names(self):
        return sorted(self._slots)

    def _trackable_children(self):
        graph = get_default_graph()
        return [(name, v) for (name, home), v in sorted(self._non_slot.items(), key=lambda item: item[0][0]) if home is graph]

    def variables(self):
        found = list(self._non_slot.values()) + [v for slot in self._slots.values() for v in slot.values()]
        graph = get_default_graph()
        return sorted([v for v in found if v.graph is graph], key=lambda v: v.name)

    def _create_non_slot_variable(self, initial_value, name, colocate_with):
        key = name, colocate_with.graph
        v = self._non_slot.get(key)
        if v is None:
            with graph_lib.colocate_with(colocate_with):
                v = variables.Variable(initial_value, name=name, trainable=False,
                                       use_resource=isinstance(colocate_with, variables.ResourceVariable) or None)
            self._non_slot[key] = v
        return v

    def _get_non_slot_variable(self, name, graph=None):
        return self._non_slot.get((name, graph or get_default_graph()))

    def _slot_dict(self, name):
        return self._slots.setdefault(name, {})

    def _get_or_make_slot(self, var, val, slot_name, op_name):
        named = self._slot_dict(slot_name)
        if _var_key(var) not in named:
            named[_var_key(var)] = slots.create_slot(var, val, op_name)
        return named[_var_key(var)]

    def _get_or_make_slot_with_initializer(self, var, initializer, shape, dtype, slot_name, op_name):
        named = self._slot_dict(slot_name)
        if _var_key(var) not in named:
            named[_var_key(var)] = slots.create_slot_with_initializer(var, initializer, shape, dtype, op_name)
        return named[_var_key(var)]

    def _zeros_slot(self, var, slot_name, op_name):
        named = self._slot_dict(slot_name)
        if _var_key(var) not in named:
            named[_var_key(var)] = slots.create_zeros_slot(var, op_name)
        return named[_var_key(var)]

    # -- what an optimizer fills

    def _create_slots(self, var_list):
        pass

    def _prepare(self):
        pass

    def _finish(self, update_ops, name_scope):
        return control_flow.group(*update_ops, name=name_scope)

    def _apply_dense(self, grad, var):
        raise NotImplementedError()

    def _resource_apply_dense(self, grad, handle):
        raise NotImplementedError()

    def _apply_sparse(self, grad, var):
        raise NotImplementedError()

    def _apply_sparse_duplicate_indices(self, grad, var):
        """Rows may come twice; whoever can do with that says so here."""
        return self._apply_sparse(_deduplicated(grad), var)

    def _resource_apply_sparse_duplicate_indices(self, grad, handle, indices):
        grad = _deduplicated(IndexedSlices(grad, indices))
        return self._resource_apply_sparse(grad.values, handle, grad.indices)

    def _resource_apply_sparse(self, grad, handle, indices):
        raise NotImplementedError()

    def _call_if_callable(self, param):
        return param() if callable(param) else param

    def _tensor(self, value, name):
        return convert_to_tensor(self._call_if_callable(value), name=name)


def _deduplicated(grad):
    """Rows of equal index are added up first."""
    unique, position = ops.apply_op("Unique", x=grad.indices)
    values = ops.apply_op("UnsortedSegmentSum", data=grad.values, segment_ids=position,
                          num_segments=array_ops.shape(unique)[0])
    return IndexedSlices(values, unique, grad.dense_shape)


class _Rule(Optimizer):
    """An optimizer of one apply op a variable: DENSE and SPARSE name the ops, SLOTS their slots, SCALARS their numbers."""

    DENSE = SPARSE = None
    SLOTS = ()
    SCALARS = ()

    def __init__(self, name, use_locking, **numbers):
        super().__init__(use_locking, name)
        self._numbers = numbers

    def _prepare(self):
        self._tensors = {key: self._tensor(self._numbers[key], key) for key in self.SCALARS}

    def _scalars(self, dtype):
        return {key: math_ops.cast(self._tensors[key], dtype) for key in self.SCALARS}

    def _arguments(self, var, scalars):
        raise NotImplementedError

    def _apply(self, kind, var, more):
        resource = isinstance(var, variables.ResourceVariable)
        arguments = self._arguments(var, self._scalars(var.dtype.base_dtype))
        values = {}
        for key, value in list(arguments.items()) + [("var", var)]:
            if isinstance(value, variables.Variable):
                value = value.handle if resource else value._variable
            values[key] = value
        values.update(more)
        op_type = ("Resource" if resource else "") + (self.DENSE if kind == "dense" else self.SPARSE)
        known = {a.name for a in ops.op_info(op_type).inputs} | {a.name for a in ops.op_info(op_type).attrs}
        values = {k: v for k, v in values.items() if k in known}
        return ops.make_op(op_type, use_locking=self._use_locking, **values)

    def _apply_dense(self, grad, var):
        made = self._apply("dense", var, {"grad": grad})
        return made.outputs[0].op if made.outputs else made

    _resource_apply_dense = _apply_dense

    def _apply_sparse(self, grad, var):
        return self._apply("sparse", var, {"grad": grad.values, "indices": grad.indices})

    def _resource_apply_sparse(self, grad, var, indices):
        return self._apply("sparse", var, {"grad": grad, "indices": indices})

    def _create_slots(self, var_list):
        for v in var_list:
            for slot in self.SLOTS:
                self._zeros_slot(v, slot, self._name)


class GradientDescentOptimizer(_Rule):
    DENSE, SCALARS = "ApplyGradientDescent", ("learning_rate",)

    def __init__(self, learning_rate, use_locking=False, name="GradientDescent"):
        super().__init__(name, use_locking, learning_rate=learning_rate)

    def _arguments(self, var, s):
        return {"alpha": s["learning_rate"]}

    def _apply_dense(self, grad, var):
        made = ops.make_op("ResourceApplyGradientDescent" if isinstance(var, variables.ResourceVariable)
                           else "ApplyGradientDescent",
                           var=var.handle if isinstance(var, variables.ResourceVariable) else var._variable,
                           alpha=math_ops.cast(self._tensors["learning_rate"], var.dtype.base_dtype), delta=grad,
                           use_locking=self._use_locking)
        return made

    _resource_apply_dense = _apply_dense

    def _update(self, grad, var):
        if not isinstance(grad, IndexedSlices):
            return super()._update(grad, var)
        if isinstance(var, variables.ResourceVariable):
            # TF: the number itself, not the tensor that was made of it.
            rate = self._call_if_callable(self._numbers["learning_rate"])
            return ops.make_op("ResourceScatterAdd", resource=var.handle, indices=grad.indices, updates=-grad.values * rate)
        rate = math_ops.cast(self._tensors["learning_rate"], var.dtype.base_dtype)
        delta = IndexedSlices(grad.values * rate, grad.indices, grad.dense_shape)
        return var.scatter_sub(delta, use_locking=self._use_locking)


class MomentumOptimizer(_Rule):
    DENSE, SPARSE, SLOTS, SCALARS = "ApplyMomentum", "SparseApplyMomentum", ("momentum",), ("learning_rate", "momentum")

    def __init__(self, learning_rate, momentum, use_locking=False, name="Momentum", use_nesterov=False):
        super().__init__(name, use_locking, learning_rate=learning_rate, momentum=momentum)
        self._use_nesterov = use_nesterov

    def _arguments(self, var, s):
        return {"accum": self.get_slot(var, "momentum"), "lr": s["learning_rate"], "momentum": s["momentum"],
                "use_nesterov": self._use_nesterov}


class AdamOptimizer(_Rule):
    DENSE, SLOTS, SCALARS = "ApplyAdam", ("m", "v"), ("learning_rate", "beta1", "beta2", "epsilon")

    def __init__(self, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-8, use_locking=False, name="Adam"):
        super().__init__(name, use_locking, learning_rate=learning_rate, beta1=beta1, beta2=beta2, epsilon=epsilon)

    def _get_beta_accumulators(self, graph=None):
        return self._get_non_slot_variable("beta1_power", graph), self._get_non_slot_variable("beta2_power", graph)

    def _create_slots(self, var_list):
        first = min(var_list, key=lambda v: v.name)
        for key, name in (("beta1", "beta1_power"), ("beta2", "beta2_power")):
            self._create_non_slot_variable(self._call_if_callable(self._numbers[key]), name, first)
        super()._create_slots(var_list)

    def _apply(self, kind, var, more):
        first, second = self._get_beta_accumulators(var.graph)
        dtype = var.dtype.base_dtype
        resource = isinstance(var, variables.ResourceVariable)
        s = self._tensors
        return ops.make_op(
            "ResourceApplyAdam" if resource else "ApplyAdam",
            var=var.handle if resource else var._variable,
            m=self.get_slot(var, "m").handle if resource else self.get_slot(var, "m")._variable,
            v=self.get_slot(var, "v").handle if resource else self.get_slot(var, "v")._variable,
            beta1_power=math_ops.cast(first, dtype), beta2_power=math_ops.cast(second, dtype),
            lr=math_ops.cast(s["learning_rate"], dtype), beta1=math_ops.cast(s["beta1"], dtype),
            beta2=math_ops.cast(s["beta2"], dtype), epsilon=math_ops.cast(s["epsilon"], dtype),
            use_locking=self._use_locking, **more)

    def _sparse(self, grad, var, indices, scatter_add):
        dtype = var.dtype.base_dtype
        first, second = self._get_beta_accumulators(var.graph)
        first, second = math_ops.cast(first, dtype), math_ops.cast(second, dtype)
        s = {k: math_ops.cast(t, dtype) for k, t in self._tensors.items()}
        lr = s["learning_rate"] * math_ops.sqrt(1 - second) / (1 - first)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        m_scaled = grad * (1 - s["beta1"])
        m_t = state_ops.assign(m, m * s["beta1"], use_locking=self._use_locking)
        with graph_lib.control_dependencies([m_t]):
            m_t = scatter_add(m, indices, m_scaled)
        v_scaled = (grad * grad) * (1 - s["beta2"])
        v_t = state_ops.assign(v, v * s["beta2"], use_locking=self._use_locking)
        with graph_lib.control_dependencies([v_t]):
            v_t = scatter_add(v, indices, v_scaled)
        v_sqrt = math_ops.sqrt(v_t)
        update = state_ops.assign_sub(var, lr * m_t / (v_sqrt + s["epsilon"]), use_locking=self._use_locking)
        return control_flow.group(update, m_t, v_t)

    def _apply_sparse(self, grad, var):
        return self._sparse(grad.values, var, grad.indices,
                            lambda x, i, v: state_ops.scatter_add(x, i, v, use_locking=self._use_locking))

    def _resource_apply_sparse(self, grad, var, indices):
        def scatter(x, i, v):
            with graph_lib.control_dependencies([ops.make_op("ResourceScatterAdd", resource=x.handle, indices=i, updates=v)]):
                return x.value()
        return self._sparse(grad, var, indices, scatter)

    def _finish(self, update_ops, name_scope):
        with graph_lib.control_dependencies(update_ops):
            first, second = self._get_beta_accumulators()
            with graph_lib.colocate_with(first):
                update_first = first.assign(first * self._tensors["beta1"], use_locking=self._use_locking)
                update_second = second.assign(second * self._tensors["beta2"], use_locking=self._use_locking)
        return control_flow.group(*update_ops + [update_first, update_second], name=name_scope)


class RMSPropOptimizer(_Rule):
    SCALARS = ("learning_rate", "decay", "momentum", "epsilon")

    def __init__(self, learning_rate, decay=0.9, momentum=0.0, epsilon=1e-10, use_locking=False, centered=False,
                 name="RMSProp"):
        super().__init__(name, use_locking, learning_rate=learning_rate, decay=decay, momentum=momentum, epsilon=epsilon)
        self._centered = centered
        self.DENSE = "ApplyCenteredRMSProp" if centered else "ApplyRMSProp"
        self.SPARSE = "SparseApplyCenteredRMSProp" if centered else "SparseApplyRMSProp"

    def _create_slots(self, var_list):
        for v in var_list:
            init = initializers.Ones(dtype=v.dtype.base_dtype) if v.shape.is_fully_defined() else array_ops.ones_like(v)
            self._get_or_make_slot_with_initializer(v, init, v.shape, v.dtype.base_dtype, "rms", self._name)
            if self._centered:
                self._zeros_slot(v, "mg", self._name)
            self._zeros_slot(v, "momentum", self._name)

    def _arguments(self, var, s):
        return {"ms": self.get_slot(var, "rms"), "mom": self.get_slot(var, "momentum"), "mg": self.get_slot(var, "mg"),
                "lr": s["learning_rate"], "rho": s["decay"], "momentum": s["momentum"], "epsilon": s["epsilon"]}


class AdagradOptimizer(_Rule):
    DENSE, SPARSE, SCALARS = "ApplyAdagrad", "SparseApplyAdagrad", ("learning_rate",)

    def __init__(self, learning_rate, initial_accumulator_value=0.1, use_locking=False, name="Adagrad"):
        if initial_accumulator_value <= 0.0:
            raise ValueError("initial_accumulator_value must be positive: %s" % initial_accumulator_value)
        super().__init__(name, use_locking, learning_rate=learning_rate)
        self._initial = initial_accumulator_value

    def _create_slots(self, var_list):
        for v in var_list:
            dtype = v.dtype.base_dtype
            if v.shape.is_fully_defined():
                initial = initializers.Constant(self._initial, dtype=dtype)
            else:
                def initial(v=v, dtype=dtype):
                    return math_ops.cast(array_ops.fill(array_ops.shape(v), self._initial), dtype)
            self._get_or_make_slot_with_initializer(v, initial, v.shape, dtype, "accumulator", self._name)

    def _arguments(self, var, s):
        return {"accum": self.get_slot(var, "accumulator"), "lr": s["learning_rate"]}


class AdadeltaOptimizer(_Rule):
    DENSE, SPARSE, SLOTS = "ApplyAdadelta", "SparseApplyAdadelta", ("accum", "accum_update")
    SCALARS = ("lr", "rho", "epsilon")

    def __init__(self, learning_rate=0.001, rho=0.95, epsilon=1e-8, use_locking=False, name="Adadelta"):
        super().__init__(name, use_locking, lr=learning_rate, rho=rho, epsilon=epsilon)

    def _arguments(self, var, s):
        return {"accum": self.get_slot(var, "accum"), "accum_update": self.get_slot(var, "accum_update"), **s}


class FtrlOptimizer(_Rule):
    SCALARS = ("learning_rate", "l1_regularization_strength", "l2_regularization_strength",
               "l2_shrinkage_regularization_strength", "learning_rate_power")

    def __init__(self, learning_rate, learning_rate_power=-0.5, initial_accumulator_value=0.1,
                 l1_regularization_strength=0.0, l2_regularization_strength=0.0, use_locking=False, name="Ftrl",
                 accum_name=None, linear_name=None, l2_shrinkage_regularization_strength=0.0):
        super().__init__(name, use_locking, learning_rate=learning_rate, learning_rate_power=learning_rate_power,
                         l1_regularization_strength=l1_regularization_strength,
                         l2_regularization_strength=l2_regularization_strength,
                         l2_shrinkage_regularization_strength=l2_shrinkage_regularization_strength)
        self._initial, self._accum_name, self._linear_name = initial_accumulator_value, accum_name, linear_name
        if learning_rate_power > 0.0:
            raise ValueError("learning_rate_power %f needs to be negative or zero" % learning_rate_power)
        for name, value in (("initial_accumulator_value", initial_accumulator_value),
                            ("l1_regularization_strength", l1_regularization_strength),
                            ("l2_regularization_strength", l2_regularization_strength),
                            ("l2_shrinkage_regularization_strength", l2_shrinkage_regularization_strength)):
            if value < 0.0:
                raise ValueError("%s %f needs to be positive or zero" % (name, value))
        shrink = l2_shrinkage_regularization_strength > 0
        self.DENSE = "ApplyFtrlV2" if shrink else "ApplyFtrl"
        self.SPARSE = "SparseApplyFtrlV2" if shrink else "SparseApplyFtrl"

    def _create_slots(self, var_list):
        for v in var_list:
            with graph_lib.colocate_with(v):
                val = ops.constant(self._initial, dtype=v.dtype.base_dtype, shape=v.shape)
                self._get_or_make_slot(v, val, "accum", self._accum_name or self._name)
                self._zeros_slot(v, "linear", self._linear_name or self._name)

    def _scalars(self, dtype):
        keys = [k for k in self.SCALARS if self.DENSE == "ApplyFtrlV2" or k != "l2_shrinkage_regularization_strength"]
        return {key: math_ops.cast(self._tensors[key], dtype) for key in keys}

    def _arguments(self, var, s):
        return {"accum": self.get_slot(var, "accum"), "linear": self.get_slot(var, "linear"), "lr": s["learning_rate"],
                "l1": s["l1_regularization_strength"], "l2": s["l2_regularization_strength"],
                "l2_shrinkage": s.get("l2_shrinkage_regularization_strength"), "lr_power": s["learning_rate_power"]}


class ProximalGradientDescentOptimizer(_Rule):
    DENSE, SPARSE = "ApplyProximalGradientDescent", "SparseApplyProximalGradientDescent"
    SCALARS = ("learning_rate", "l1_regularization_strength", "l2_regularization_strength")

    def __init__(self, learning_rate, l1_regularization_strength=0.0, l2_regularization_strength=0.0, use_locking=False,
                 name="ProximalGradientDescent"):
        super().__init__(name, use_locking, learning_rate=learning_rate,
                         l1_regularization_strength=l1_regularization_strength,
                         l2_regularization_strength=l2_regularization_strength)

    def _arguments(self, var, s):
        return {"alpha": s["learning_rate"], "l1": s["l1_regularization_strength"], "l2": s["l2_regularization_strength"]}

    def _apply_dense(self, grad, var):
        made = self._apply("dense", var, {"delta": grad})
        return made.outputs[0].op if made.outputs else made

    _resource_apply_dense = _apply_dense


class ProximalAdagradOptimizer(_Rule):
    DENSE, SPARSE = "ApplyProximalAdagrad", "SparseApplyProximalAdagrad"
    SCALARS = ("learning_rate", "l1_regularization_strength", "l2_regularization_strength")

    def __init__(self, learning_rate, initial_accumulator_value=0.1, l1_regularization_strength=0.0,
                 l2_regularization_strength=0.0, use_locking=False, name="ProximalAdagrad"):
        if initial_accumulator_value <= 0.0:
            raise ValueError("initial_accumulator_value must be positive: %s" % initial_accumulator_value)
        super().__init__(name, use_locking, learning_rate=learning_rate,
                         l1_regularization_strength=l1_regularization_strength,
                         l2_regularization_strength=l2_regularization_strength)
        self._initial = initial_accumulator_value

    def _create_slots(self, var_list):
        for v in var_list:
            with graph_lib.colocate_with(v):
                val = ops.constant(self._initial, shape=v.shape, dtype=v.dtype.base_dtype)
            self._get_or_make_slot(v, val, "accumulator", self._name)

    def _arguments(self, var, s):
        return {"accum": self.get_slot(var, "accumulator"), "lr": s["learning_rate"],
                "l1": s["l1_regularization_strength"], "l2": s["l2_regularization_strength"]}


class AdagradDAOptimizer(_Rule):
    DENSE, SPARSE, SCALARS = "ApplyAdagradDA", "SparseApplyAdagradDA", ("learning_rate",)

    def __init__(self, learning_rate, global_step, initial_gradient_squared_accumulator_value=0.1,
                 l1_regularization_strength=0.0, l2_regularization_strength=0.0, use_locking=False, name="AdagradDA"):
        if initial_gradient_squared_accumulator_value <= 0.0:
            raise ValueError("initial_gradient_squared_accumulator_value must be positive: %s" %
                             initial_gradient_squared_accumulator_value)
        super().__init__(name, use_locking, learning_rate=learning_rate)
        self._initial, self._global_step = initial_gradient_squared_accumulator_value, global_step
        self._l1, self._l2 = l1_regularization_strength, l2_regularization_strength

    def _create_slots(self, var_list):
        for v in var_list:
            dtype = v.dtype.base_dtype
            with graph_lib.colocate_with(v):
                first = ops.constant(0.0, shape=v.shape, dtype=dtype)
                second = ops.constant(self._initial, shape=v.shape, dtype=dtype)
            self._get_or_make_slot(v, first, "gradient_accumulator", self._name)
            self._get_or_make_slot(v, second, "gradient_squared_accumulator", self._name)

    def _prepare(self):
        super()._prepare()
        with graph_lib.colocate_with(self._tensors["learning_rate"]):
            self._step = array_ops.identity(self._global_step) + 1

    def _arguments(self, var, s):
        with graph_lib.device(var.device):
            step = array_ops.identity(self._step)
        dtype = var.dtype.base_dtype
        return {"gradient_accumulator": self.get_slot(var, "gradient_accumulator"),
                "gradient_squared_accumulator": self.get_slot(var, "gradient_squared_accumulator"),
                "lr": s["learning_rate"], "l1": math_ops.cast(self._l1, dtype), "l2": math_ops.cast(self._l2, dtype),
                "global_step": step}
