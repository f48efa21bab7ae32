# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Graph over the engine's FlowBuilder, which knows TensorFlow's rules of naming and scoping; the stack of default graphs."""

import contextlib
import os
import re
import sys
import threading
import weakref

from .. import errors
from . import devices, removed_ops
from ._engine import Flow, InTurns, NODE_NONE
from .graph_keys import GraphKeys  # noqa: F401
from .operation import Operation, Tensor, device_text

# Where the lines of the face are, which are nobody's script.
_PACKAGE = os.path.abspath(os.path.join(os.path.dirname(__file__), os.pardir, os.pardir))

OUTPUT_NONE = (1 << 64) - 1
# The version of the graphs that are made here: TensorFlow 1.15's.
PRODUCER = 134


def as_name(name):
    """TF: names may be given as bytes; what is false is no name."""
    if isinstance(name, (str, bytes)):
        return name.decode() if isinstance(name, bytes) else name
    if not name:
        return None
    # TF: the last letter of a name is looked at first.
    name[-1]
    raise TypeError("%r has type %s, but expected one of: bytes, unicode" % (name, type(name)))


def as_scope_name(name):
    if name and not isinstance(name, (str, bytes)):
        raise TypeError("expected string or bytes-like object")
    return as_name(name)


def script_stack():
    """Where the script is: (file, line, function) of frames outside this package, innermost first."""
    frames = []
    frame = sys._getframe(1)
    while frame is not None and len(frames) < 16:
        code = frame.f_code
        if not code.co_filename.startswith(_PACKAGE) and not code.co_filename.startswith("<frozen"):
            frames.append((code.co_filename, frame.f_lineno, code.co_name))
        frame = frame.f_back
    return frames


class _Surroundings(threading.local):
    """What stands around the ops that one thread makes."""

    def __init__(self):
        self.creators, self.n_roots = [], 0
        # None: those of all threads.
        self.device_functions = None


class Graph:
    """A graph in the making."""

    def __init__(self):
        self._builder = InTurns(Flow.Builder.new())
        self._ops = {}
        self._is_open = False
        self._stacks = {}
        self._collections, self._of_thread = {}, _Surroundings()
        self._lock = threading.RLock()
        self._seed = None
        self._unfeedable = set()
        self._unfetchable = set()
        self._stack_state_is_thread_local, self._common_device_functions = False, []
        self._attr_functions, self._n_marked = {}, 0
        self._functions = {}
        self._memo = {}
        self._contexts = {}
        self._inside = 0
        _count_graph(self)

    def __del__(self):
        if not sys.is_finalizing() and hasattr(self, "_builder"):
            _count_gone(self)

    # -- nodes

    def _op(self, index):
        op = self._ops.get(index)
        if op is None:
            op = self._ops[index] = Operation(self, index)
        return op

    def _tensor(self, output):
        return self._op(output >> 32)._outputs[output & 0xFFFFFFFF]

    def _add(self, op_type, inputs, attr_list, name):
        """A new operation; name as create_op takes it."""
        _, index = errors.build(self._builder.add_node, op_type, as_name(name), [t._output for t in inputs], attr_list)
        return self._made(index)

    def _made(self, index):
        self._stacks[index] = script_stack()
        op = self._op(index)
        if self._device_functions and any(map(callable, self._device_functions)):
            self._place_made(op)
        if self._attr_functions:
            self._mark_made()
        if self._inside:
            self._note_made(index + 1)
        if _watcher is not None and not self._is_open:
            _watcher.op_made(self)
        return op

    @contextlib.contextmanager
    def all_or_nothing(self):
        """What is added in here is there as a whole or, after an exception, not at all."""
        with self._builder.turn:
            first, self._is_open = self._builder.get_n_nodes(), True
            self._builder.begin()
            try:
                yield
            except BaseException:
                self._builder.roll_back()
                for index in [i for i in self._ops if i >= first]:
                    del self._ops[index]
                for index in [i for i in self._stacks if i >= first]:
                    del self._stacks[index]
                raise
            finally:
                self._builder.commit()
                self._is_open = False
        if _watcher is not None:
            _watcher.op_made(self)

    @contextlib.contextmanager
    def settled_together(self):
        """What is added in here is led into the branch or loop around it when all of it is there."""
        first = self._builder.get_n_nodes()
        self._builder.settle_later()
        yield
        made = self._builder.get_n_nodes()
        errors.build(self._builder.settle, first)
        self._note_made(made)

    def _place(self, op):
        """The device scopes from the innermost on: a function's word counts as it is, a name fills in what is open."""
        op._set_device("")
        for wanted in reversed(self._device_functions):
            if wanted is None:
                break
            if callable(wanted):
                op._set_device(device_text(wanted(op)) or "")
            else:
                spec = devices.DeviceSpec.from_string(wanted)
                spec.merge_from(devices.DeviceSpec.from_string(op.device))
                op._set_device(spec.to_string())

    def _note_made(self, first):
        """Nodes that the engine made on its own, from that number on."""
        last = self._builder.get_n_nodes()
        if first < last:
            stack = script_stack()
            for index in range(first, last):
                self._stacks[index] = stack
                if any(map(callable, self._device_functions)):
                    self._place_made(self._op(index))

    def _place_made(self, op):
        """What is made beside another op stands where that one stands, whatever the scopes say."""
        others = []
        if self._builder.get_node_attrs(op._index).get("_class") is not None:
            found = [self._builder.find_node(group[5:].decode()) for group in op.colocation_groups()]
            others = [beside for beside in found if beside not in (NODE_NONE, op._index)]
        if not others:
            self._place(op)
            return
        op._set_device(next(filter(None, map(self._builder.get_node_device, others)), ""))

    def create_op(self, op_type, inputs, dtypes=None, input_types=None, name=None, attrs=None, op_def=None,
                  compute_shapes=True, compute_device=True):
        from . import attrs as attrs_lib
        values = Flow.AttrList.new()
        for key, value in (attrs or {}).items():
            values.set(key, attrs_lib.from_message(value))
        removed = removed_ops.message(op_type, PRODUCER)
        if removed is not None:
            raise errors.UnimplementedError(None, None, removed)
        return self._add(op_type, list(inputs), values, name)

    @property
    def version(self):
        return self._builder.get_n_nodes()

    @property
    def _last_id(self):
        return self._builder.get_n_nodes()

    def get_operations(self):
        return [self._op(i) for i in range(self._builder.get_n_nodes())]

    def finalize(self):
        self._builder.finalize()

    @property
    def finalized(self):
        return self._builder.is_finalized()

    def _unsafe_unfinalize(self):
        self._builder.unfinalize()

    def _check_not_finalized(self):
        if self.finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")

    @property
    def graph_def_versions(self):
        return self.as_graph_def().versions

    @property
    def seed(self):
        return self._seed

    @seed.setter
    def seed(self, value):
        self._seed = value

    building_function = False

    def stand_in(self, tensor):
        """What stands in here for a tensor of another graph, or None: only a function's body reads such."""
        return tensor if tensor.graph is self else None

    # -- looking up

    def as_graph_element(self, obj, allow_tensor=True, allow_operation=True):
        if allow_tensor and allow_operation:
            types_str = "Tensor or Operation"
        else:
            if not allow_tensor and not allow_operation:
                raise ValueError("allow_tensor and allow_operation can't both be False.")
            types_str = "Tensor" if allow_tensor else "Operation"
        element = getattr(obj, "_as_graph_element", None)
        if element is not None:
            obj = element()
        if isinstance(obj, bytes):
            obj = obj.decode()
        if isinstance(obj, str):
            return self._named(obj, allow_tensor, allow_operation, types_str)
        if isinstance(obj, Tensor) and allow_tensor:
            if obj.graph is not self:
                raise ValueError("Tensor %s is not an element of this graph." % obj)
            return obj
        if isinstance(obj, Operation) and allow_operation:
            if obj.graph is not self:
                raise ValueError("Operation %s is not an element of this graph." % obj)
            return obj
        raise TypeError("Can not convert a %s into a %s." % (type(obj).__name__, types_str))

    def _named(self, name, allow_tensor, allow_operation, types_str):
        if ":" in name and allow_tensor:
            try:
                op_name, out_n = name.split(":")
                out_n = int(out_n)
            except ValueError:
                raise ValueError("The name %s looks a like a Tensor name, but is not a valid one. Tensor names must be "
                                 'of the form "<op_name>:<output_index>".' % repr(name)) from None
            index = self._builder.find_node(op_name)
            if index == NODE_NONE:
                raise KeyError("The name %s refers to a Tensor which does not exist. The operation, %s, does not exist "
                               "in the graph." % (repr(name), repr(op_name)))
            op = self._op(index)
            try:
                return op.outputs[out_n]
            except IndexError:
                raise KeyError("The name %s refers to a Tensor which does not exist. The operation, %s, exists but "
                               "only has %s outputs." % (repr(name), repr(op_name), len(op.outputs))) from None
        if ":" in name:
            raise ValueError("Name %s appears to refer to a Tensor, not a %s." % (repr(name), types_str))
        index = self._builder.find_node(name)
        if not allow_operation:
            if index != NODE_NONE:
                raise ValueError("The name %s refers to an Operation, not a %s. Tensor names must be of the form "
                                 '"<op_name>:<output_index>".' % (repr(name), types_str))
            raise ValueError("The name %s looks like an (invalid) Operation name, not a %s. Tensor names must be of the "
                             'form "<op_name>:<output_index>".' % (repr(name), types_str))
        if index == NODE_NONE:
            raise KeyError("The name %s refers to an Operation not in the graph." % repr(name))
        return self._op(index)

    def get_operation_by_name(self, name):
        if not isinstance(name, str):
            raise TypeError("Operation names are strings (or similar), not %s." % type(name).__name__)
        return self.as_graph_element(name, allow_tensor=False, allow_operation=True)

    def get_tensor_by_name(self, name):
        if not isinstance(name, str):
            raise TypeError("Tensor names are strings (or similar), not %s." % type(name).__name__)
        return self.as_graph_element(name, allow_tensor=True, allow_operation=False)

    def is_feedable(self, tensor):
        return tensor not in self._unfeedable and tensor.graph._builder.is_feedable(tensor.op._index)

    def prevent_feeding(self, tensor):
        self._unfeedable.add(tensor)

    def is_fetchable(self, tensor_or_op):
        op = tensor_or_op.op if isinstance(tensor_or_op, Tensor) else tensor_or_op
        return op not in self._unfetchable and op.graph._builder.is_fetchable(op._index)

    def prevent_fetching(self, op):
        self._unfetchable.add(op)

    # -- branches and loops

    def _get_control_flow_context(self):
        from ..control import contexts
        return contexts.context_of(self, self._builder.get_context())

    def _set_control_flow_context(self, context):
        self._inside += context is not None
        self._builder.set_context(0 if context is None else context._index)

    # -- names and scopes

    def switch_to_thread_local(self):
        """From now on devices, colocations and control dependencies too are each thread's own."""
        self._stack_state_is_thread_local = True
        self._builder.switch_to_thread_local()

    @property
    def _creators(self):
        return self._of_thread.creators

    @_creators.setter
    def _creators(self, creators):
        self._of_thread.creators = creators

    @property
    def _device_functions(self):
        if not self._stack_state_is_thread_local:
            return self._common_device_functions
        if self._of_thread.device_functions is None:
            self._of_thread.device_functions = list(self._common_device_functions)
        return self._of_thread.device_functions

    @_device_functions.setter
    def _device_functions(self, functions):
        if self._stack_state_is_thread_local:
            self._of_thread.device_functions = functions
        else:
            self._common_device_functions = functions

    def unique_name(self, name, mark_as_used=True):
        name.lower      # TF: what is no text has no small letters
        return self._builder.unique_name(name, mark_as_used)

    @contextlib.contextmanager
    def _within(self, enter, *arguments):
        result = errors.build(enter, *arguments)
        depth = self._builder.get_depth()
        try:
            yield result
        finally:
            while self._builder.get_depth() >= depth:
                self._builder.leave()

    @contextlib.contextmanager
    def name_scope(self, name):
        """TF: who went back to the root by None or "" is in no scope, who never left it is in the scope ""."""
        self._of_thread.n_roots += not name
        try:
            with self._within(self._builder.enter_name_scope, as_scope_name(name)) as scope:
                # TF: a slash alone is the root too, and says so.
                yield scope or ("/" if name else scope)
        finally:
            self._of_thread.n_roots -= not name

    def get_name_scope(self):
        return self._builder.get_name_scope() or (None if self._of_thread.n_roots else "")

    @contextlib.contextmanager
    def device(self, device_name_or_function):
        device = device_name_or_function
        wanted = device if callable(device) else device_text(device)
        if wanted is not None and not callable(wanted):
            from .devices import DeviceSpec
            DeviceSpec.from_string(wanted)
        self._device_functions.append(wanted)
        depth = len(self._device_functions)
        try:
            if callable(device):
                yield
            else:
                with self._within(self._builder.enter_device, wanted):
                    yield
        finally:
            if len(self._device_functions) != depth:
                raise RuntimeError("Exiting device scope without proper scope nesting.")
            self._device_functions.pop()

    def control_dependencies(self, control_inputs):
        if control_inputs is None:
            return self._within(self._builder.clear_control_dependencies)
        nodes = []
        for item in control_inputs:
            # Waiting for a variable that was assigned to is waiting for that, and reads nothing.
            if type(item).__name__ == "IndexedSlices" or hasattr(item, "handle") and hasattr(item, "op"):
                item = item.op
            item = self.as_graph_element(item)
            nodes.append((item.op if isinstance(item, Tensor) else item)._index)
        return self._within(self._builder.enter_control_dependencies, nodes)

    @contextlib.contextmanager
    def colocate_with(self, op, ignore_existing=False):
        if op is None and not ignore_existing:
            raise ValueError("Trying to reset colocation (op is None) but ignore_existing is not True")
        if op is not None and not isinstance(op, Operation):
            from . import ops
            op = ops.internal_convert_to_tensor_or_indexed_slices(op, as_ref=True).op
        if op is not None and op.graph is not self:
            with self._colocate_outside(op, ignore_existing):
                yield
            return
        functions, self._device_functions = self._device_functions, []
        try:
            with self._within(self._builder.enter_colocation, NODE_NONE if op is None else op._index, ignore_existing):
                yield
        finally:
            self._device_functions = functions

    @contextlib.contextmanager
    def _colocate_outside(self, op, ignore_existing):
        """In the groups of an op of another graph, by their names."""
        from . import attrs
        groups = attrs.from_python(attrs.STRING, True, sorted(op.colocation_groups()))
        with self._within(self._builder.enter_colocation, NODE_NONE, ignore_existing), self._attr_scope({"_class": groups}):
            yield

    def _mark_made(self):
        """What functions say of the ops since the last time: one op may have brought others, as Enters of a loop are."""
        first, self._n_marked = self._n_marked, self._builder.get_n_nodes()
        for index in range(first, self._n_marked):
            for key, function in self._attr_functions.items():
                self._op(index)._set_attr_unless_there(key, function)

    @contextlib.contextmanager
    def _attr_scope(self, values):
        """Attrs of the ops that are made within; a function says an op's by its NodeDef."""
        from . import attrs
        outer = self._attr_functions
        self._attr_functions = {key: f for key, f in outer.items() if key not in values}
        self._attr_functions.update((key, value) for key, value in values.items() if callable(value))
        self._n_marked = self._builder.get_n_nodes()
        try:
            with contextlib.ExitStack() as stack:
                for key, value in values.items():
                    value = None if value is None or callable(value) else attrs.from_message(value)
                    stack.enter_context(self._within(self._builder.enter_attr, key, value))
                yield
        finally:
            self._attr_functions = outer

    @contextlib.contextmanager
    def _variable_creator_scope(self, creator, priority=100):
        old = self._creators
        # The last one is asked first.
        self._creators = new = sorted(old + [(priority, creator)], key=lambda item: item[0])
        try:
            yield
        finally:
            if self._creators is not new:
                raise RuntimeError("Exiting variable_creator_scope without proper nesting.")
            self._creators = old

    def _node_bytes(self, index):
        """A node as it is written; all are written once, until the graph is another one."""
        stamp = (self._builder.get_n_nodes(), self._builder.get_n_changes())
        known, nodes = self._memo.get("node bytes", (None, None))
        if known != stamp:
            from . import proto
            data = errors.build(self._builder.to_bytes, 0, False).get_data()
            nodes = [value for number, value in proto.split(data) if number == 1]
            self._memo["node bytes"] = stamp, nodes
        return nodes[index]

    @contextlib.contextmanager
    def _within_marks(self, name, key, marks):
        """In it each op of a type of marks gets the text that marks has for it, as attr key."""
        if not isinstance(marks, dict) or not all(isinstance(text, str) for pair in marks.items() for text in pair):
            raise TypeError("%s must be a dictionary mapping strings to strings" % name)
        with contextlib.ExitStack() as stack:
            for op_type, text in marks.items():
                stack.enter_context(self._within(self._builder.enter_op_attr, op_type, key, Flow.Attr.new_string(text, -1)))
            yield

    def gradient_override_map(self, op_type_map):
        return self._within_marks("op_type_map", "_gradient_op_type", op_type_map)

    def _kernel_label_map(self, op_to_kernel_label_map):
        return self._within_marks("op_to_kernel_label_map", "_kernel", op_to_kernel_label_map)

    def container(self, container_name):
        return self._within(self._builder.enter_container, container_name)

    @contextlib.contextmanager
    def as_default(self):
        _stack().append(self)
        if _watcher is not None:
            _watcher.stack_changed()
        try:
            yield self
        finally:
            if _stack()[-1] is not self:
                raise AssertionError("Nesting violated for default stack of %s objects" % type(self))
            _stack().pop()
            if _watcher is not None:
                _watcher.stack_changed()

    # -- collections

    def add_to_collection(self, name, value):
        self._check_not_finalized()
        self._collections.setdefault(name, []).append(value)

    def add_to_collections(self, names, value):
        names = (names,) if isinstance(names, str) else set(names)
        for name in names:
            self.add_to_collection(name, value)

    def get_collection_ref(self, name):
        return self._collections.setdefault(name, [])

    def get_collection(self, name, scope=None):
        items = self._collections.get(name)
        if items is None:
            return []
        if scope is None:
            return list(items)
        pattern = re.compile(scope)
        return [i for i in items if hasattr(i, "name") and pattern.match(i.name)]

    def get_all_collection_keys(self):
        return [k for k in self._collections if isinstance(k, str)]

    @property
    def collections(self):
        return list(self._collections)

    def clear_collection(self, name):
        self._collections.pop(name, None)

    # -- out of it

    def as_graph_def(self, from_version=None, add_shapes=False):
        from . import proto
        data = errors.build(self._builder.to_bytes, from_version or 0, add_shapes).get_data()
        return proto.GraphDef.FromString(data)


# -- the numbers that TensorFlow gives out, one to each graph and tensor and to what asks for one

_numbers = {"graphs": weakref.WeakSet(), "given": 0}


def uid():
    """The next number: function names end with one."""
    made = sum(graph._builder.get_n_outputs() for graph in _numbers["graphs"])
    number = made + _numbers["given"]
    _numbers["given"] += 1
    return number


def _count_graph(graph):
    _numbers["graphs"].add(graph)
    _numbers["given"] += 1


def _count_gone(graph):
    """A graph goes, the numbers of its tensors do not come again."""
    _numbers["given"] += graph._builder.get_n_outputs()


# Who looks at graphs as they grow: flowstep.debug sets it.
_watcher = None


# -- the stack of default graphs

# The script's own default graph.
_global = [None]


class _OfThread(threading.local):
    """TF: every thread has a default graph of its own, and its own stack of those that it opened."""

    def __init__(self):
        self.graphs = []
        self.first = _global if threading.current_thread() is threading.main_thread() else [None]


_local = _OfThread()


def _stack():
    return _local.graphs


def get_default_graph():
    if _stack():
        return _stack()[-1]
    if _local.first[0] is None:
        _local.first[0] = Graph()
    return _local.first[0]


def reset_default_graph():
    if _stack():
        raise AssertionError("Do not use tf.reset_default_graph() to clear nested graphs. If you need a cleared graph, "
                             "exit the nesting and create a new graph.")
    _local.first[0] = Graph()
    if _watcher is not None:
        _watcher.graph_reset()


def has_default_graph():
    """Whether one was opened."""
    return bool(_stack())


def get_name_scope():
    return get_default_graph().get_name_scope()


def device(device_name_or_function):
    return get_default_graph().device(device_name_or_function)


def container(container_name):
    return get_default_graph().container(container_name)


def control_dependencies(control_inputs):
    return get_default_graph().control_dependencies(control_inputs)


def colocate_with(op, ignore_existing=False):
    return get_default_graph().colocate_with(op, ignore_existing)


@contextlib.contextmanager
def init_scope():
    """Outside of all functions, loops and control dependencies, in the same name scope."""
    graph = get_default_graph()
    scope = graph.get_name_scope()
    with contextlib.ExitStack() as stack:
        if graph.building_function:
            while graph.building_function:
                graph = graph.outer_graph
            stack.enter_context(graph.as_default())
            stack.enter_context(graph.name_scope(scope + "/" if scope else None))
        stack.enter_context(graph._within(graph._builder.enter_init_scope))
        yield


def add_to_collection(name, value):
    get_default_graph().add_to_collection(name, value)


def add_to_collections(names, value):
    get_default_graph().add_to_collections(names, value)


def get_collection(key, scope=None):
    return get_default_graph().get_collection(key, scope)


def get_collection_ref(key):
    return get_default_graph().get_collection_ref(key)


def get_all_collection_keys():
    return get_default_graph().get_all_collection_keys()


class name_scope:
    """tf.name_scope(name, default_name=None, values=None)."""

    def __init__(self, name, default_name=None, values=None):
        name = as_scope_name(name)
        self._name = default_name if name is None else name
        self._given, self._default, self._values = name, default_name, values

    name = property(lambda self: self._name)

    def __enter__(self):
        from . import ops
        if self._name is None and self._values is not None:
            raise ValueError("At least one of name (%s) and default_name (%s) must be provided." %
                             (self._given, self._default))
        self._stack = contextlib.ExitStack()
        graph = ops.graph_of(self._values or [])
        try:
            if graph is not get_default_graph():
                self._stack.enter_context(graph.as_default())
            return self._stack.enter_context(graph.name_scope(self._name))
        except BaseException:
            self._stack.close()
            raise

    def __exit__(self, *info):
        return self._stack.__exit__(*info)
