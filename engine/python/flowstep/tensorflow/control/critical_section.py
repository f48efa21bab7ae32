# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.CriticalSection: parts of a graph of which only one runs at a time."""

import collections

from .. import dtypes, nest
from ..framework import graph as graph_lib
from ..framework.graph import Operation, get_default_graph, name_scope
from ..framework.ops import apply_op
from ..operators import array_ops
from . import control_flow
from .tensor_array import TensorArray

SECTIONS, EXECUTIONS = "critical_sections", "critical_section_executions"


class ExecutionSignature(collections.namedtuple("_ExecutionSignature", "op handle resources exclusive_resource_access")):
    """A part that runs alone: its lock, whose it is, and which resources it reads."""


ExecutionSignature.__name__ = "_ExecutionSignature"


def _passed_on(value):
    if isinstance(value, TensorArray):
        return value.identity()
    if isinstance(value, Operation):
        return control_flow.group(value)
    return array_ops.identity(value)


def _inputs_from_outside(made, lock):
    """The ops that what was made inside reads, and that the lock does not wait for yet."""
    found = {}
    for op in made:
        for other in [t.op for t in op.inputs] + list(op.control_inputs):
            found[other._index] = other
    known = list(made) + list(lock.control_inputs) + [t.op for t in lock.inputs] + [lock]
    for op in known:
        found.pop(op._index, None)
    return list(found.values())


class CriticalSection:
    """A resource that one execution after the other holds."""

    def __init__(self, name=None, shared_name=None, critical_section_def=None, import_scope=None):
        if critical_section_def and name is not None:
            raise ValueError("critical_section_def and shared_name are mutually exclusive.")
        if critical_section_def:
            raise NotImplementedError("Not yet implemented")
        with name_scope(name, "CriticalSection", []) as scope:
            with graph_lib.init_scope():
                self._handle = apply_op("MutexV2", shared_name=scope if shared_name is None else shared_name, container="",
                                        name=scope)
        graph_lib.add_to_collections(SECTIONS, self)

    name = property(lambda self: self._handle.op.name)

    def execute(self, fn, exclusive_resource_access=True, name=None):
        """What fn () gives, with nothing else of this section running beside it."""
        with name_scope(name, "critical_section_execute", []):
            lock = apply_op("MutexLock", mutex=self._handle)
            result, resources = self._run(fn, lock, exclusive_resource_access)
            flat = [_passed_on(value) for value in nest.flatten(result)]
            with graph_lib.control_dependencies(flat):
                with graph_lib.colocate_with(self._handle):
                    released = apply_op("ConsumeMutexLock", mutex_lock=lock)
                result = nest.pack_sequence_as(result, control_flow.gated(nest.flatten(result)))
            with graph_lib.control_dependencies([released]):
                outputs = nest.map_structure(_passed_on, result)
            graph_lib.add_to_collections(EXECUTIONS, ExecutionSignature(
                lock.op, self._handle, list(resources), exclusive_resource_access))
            return outputs

    def _run(self, fn, lock, exclusive):
        graph = get_default_graph()
        first = len(graph.get_operations())
        with graph_lib.control_dependencies([lock]):
            result = fn()
        made = graph.get_operations()[first:]
        outside = _inputs_from_outside(made, lock.op)
        if outside:
            # The lock comes after them, so that nobody holds it while waiting for what another one has to make.
            lock.op._add_control_input(control_flow.group(*outside))
        resources = []
        for tensor in (t for op in made for t in op.inputs):
            if tensor.dtype == dtypes.resource and not any(tensor is known for known in resources):
                resources.append(tensor)
        if any(self._is_own(t) for t in resources):
            raise ValueError("The function fn attempts to directly access the CriticalSection in which it would be running.  "
                             "This is illegal and would cause deadlocks.")
        self._check_others(resources, exclusive)
        return result, resources

    def _is_own(self, handle):
        op, own = handle.op, self._handle.op
        if op.type != "MutexV2" or not op.get_attr("shared_name"):
            return False
        same_place = op.device == own.device or op.colocation_groups() == own.colocation_groups()
        return op.get_attr("shared_name") == own.get_attr("shared_name") and same_place

    def _check_others(self, resources, exclusive):
        for other in graph_lib.get_collection(EXECUTIONS):
            if self._is_own(other.handle) or not (exclusive or other.exclusive_resource_access):
                continue
            both = [t for t in resources if any(t is held for held in other.resources)]
            if both:
                told = ", ".join("<_ObjectIdentityWrapper wrapping %r>" % t for t in both)
                raise ValueError(
                    "This execution would access resources: [%s].  Either this lock (CriticalSection: %s) or lock '%s' "
                    "(CriticalSection: %s) requested exclusive resource access of this resource.  Did you mean to call "
                    "execute with keyword argument exclusive_resource_access=False?" % (
                        told, self._handle, other, other.handle))
