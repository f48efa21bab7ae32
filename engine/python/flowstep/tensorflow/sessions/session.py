# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Session.run: fetches and feeds of any structure over the engine."""

import collections
import contextlib
import re
import sys
import threading
import warnings
import weakref

import numpy as np

from .. import dtypes, errors
from ..framework import devices, proto
from ..framework._engine import NODE_NONE, Flow, GLib, as_bytes, to_numpy, to_tensor
from ..framework.graph import Graph, Operation, Tensor, get_default_graph
from . import conversions, partial_runs, placements, servers, session_handles
from .conversions import IndexedSlicesValue, register_session_run_conversion_functions  # noqa: F401

_local = threading.local()
# Who does the runs in place of the engine alone: flowstep.debug sets it.
_runner = None


def _stack():
    if not hasattr(_local, "sessions"):
        _local.sessions = []
    return _local.sessions


def get_default_session():
    return _stack()[-1] if _stack() else None


def eval_using_default_session(tensors, feed_dict, graph, session=None):
    if session is None:
        session = get_default_session()
        if session is None:
            raise ValueError("Cannot evaluate tensor using `eval()`: No default session is registered. Use `with "
                             "sess.as_default()` or pass an explicit session to `eval(session=sess)`")
        if session.graph is not graph:
            raise ValueError("Cannot use the default session to evaluate tensor: the tensor's graph is different from "
                             "the session's graph. Pass an explicit session to `eval(session=sess)`.")
    elif session.graph is not graph:
        raise ValueError("Cannot use the given session to evaluate tensor: the tensor's graph is different from the "
                         "session's graph.")
    return session.run(tensors, feed_dict)


def run_using_default_session(operation, feed_dict, graph, session=None):
    if session is None:
        session = get_default_session()
        if session is None:
            raise ValueError("Cannot execute operation using `run()`: No default session is registered. Use `with "
                             "sess.as_default():` or pass an explicit session to `run(session=sess)`")
        if session.graph is not graph:
            raise ValueError("Cannot use the default session to execute operation: the operation's graph is different "
                             "from the session's graph. Pass an explicit session to run(session=sess).")
    elif session.graph is not graph:
        raise ValueError("Cannot use the given session to execute operation: the operation's graph is different from "
                         "the session's graph.")
    session.run(operation, feed_dict)


def _resolve(graph, fetch):
    try:
        element = graph.as_graph_element(fetch, allow_tensor=True, allow_operation=True)
    except TypeError as error:
        raise TypeError("Fetch argument %r has invalid type %r, must be a string or Tensor. (%s)" %
                        (fetch, type(fetch), error)) from None
    except ValueError as error:
        raise ValueError("Fetch argument %r cannot be interpreted as a Tensor. (%s)" % (fetch, error)) from None
    except KeyError as error:
        raise ValueError("Fetch argument %r cannot be interpreted as a Tensor. (%s)" % (fetch, error)) from None
    if not graph.is_fetchable(element):
        op = element.op if isinstance(element, Tensor) else element
        raise errors.InaccessibleTensorError(
            "Operation %r has been marked as not fetchable. Typically this happens when it is defined in another "
            "function or code block. Use return values,explicit Python locals or TensorFlow collections to access "
            "it." % op.name)
    return element


def _sent(function, *arguments):
    """What was built may be refused where it is to run."""
    try:
        return function(*arguments)
    except GLib.Error as error:
        raise errors.of(error) from None


def _print(stream, text):
    """What Print and PrintV2 say: in order with what the script itself prints."""
    to = sys.stdout if stream == "stdout" else sys.stderr
    to.write(text)
    to.flush()


class _DeviceAttributes(collections.namedtuple("_DeviceAttributes", [
        "name", "device_type", "memory_limit_bytes", "incarnation"])):
    def __new__(cls, name, *attributes):
        return super().__new__(cls, devices.canonical_name(name), *attributes)

    def __repr__(self):
        return "_DeviceAttributes(%s, %s, %d, %d)" % tuple(self)


def _check_target(target, config):
    """Sessions run in this process; those of a server's address do as well."""
    target = target.decode() if isinstance(target, bytes) else target or ""
    if target and "://" not in target:
        raise errors.NotFoundError(None, None, 'No session factory registered for the given session options: {target: "%s" '
                                   'config: %s} Registered factories are {DIRECT_SESSION, GRPC_SESSION}.' % (
                                       target, " ".join(str(config or "").split())))


def _ended():
    return errors.CancelledError(None, None, "Session has been closed.")


# All that there are, for Session.reset().
_sessions = weakref.WeakSet()


class BaseSession:
    """What Session and InteractiveSession share."""

    def __init__(self, target="", graph=None, config=None):
        if graph is None:
            self._graph = get_default_graph()
        else:
            if not isinstance(graph, Graph):
                raise TypeError("graph must be a tf.Graph, but got %s" % type(graph))
            self._graph = graph
        if target is not None and not isinstance(target, (str, bytes)):
            raise TypeError("target must be a string, but got %s" % type(target))
        if config is not None and type(config).__name__ != "ConfigProto":
            raise TypeError("config must be a tf.ConfigProto, but got %s" % type(config))
        _check_target(target, config)
        self._config, self._target = config, target
        self._closed = self._was_reset = False
        self._partial_runs, self._n_partial_runs = {}, 0
        # TF: runs in parts are cancelled by what cancels the session, so that an op that fails in one does that too.
        self._part_failed = False
        self._cancellable = None
        self._engine = None
        self._server = servers.at(target)
        self._lock = self._server.lock if self._server else threading.Lock()
        self._with = None
        self._placements = placements.PlacementLog(config) if getattr(config, "log_device_placement", False) else None
        _sessions.add(self)
        if _runner is not None:
            _runner.session_made(self)

    graph = property(lambda self: self._graph)
    # TF: with the shapes of outputs where the configuration asks for them.
    graph_def = property(lambda self: self._graph.as_graph_def(
        add_shapes=self._config is not None and self._config.graph_options.infer_shapes))
    sess_str = property(lambda self: as_bytes(self._target or ""))

    def close(self):
        self._closed = True
        if self._cancellable is not None:
            self._cancellable.cancel()
        if _runner is not None:
            _runner.session_closed(self)

    def _end(self):
        self._was_reset = True
        if self._cancellable is not None:
            self._cancellable.cancel()

    def list_devices(self):
        self._check_open()
        if self._server:
            return [_DeviceAttributes(name, "CPU", 1 << 28, 1) for name in self._server.devices]
        return [_DeviceAttributes("/job:localhost/replica:0/task:0" + d.name, d.device_type, d.memory_limit, d.incarnation)
                for d in devices.list_local_devices(self._config)]

    def _check_open(self):
        if self._closed:
            raise _ended()

    def as_default(self):
        return _default_session(self)

    def _new_engine(self, flow_graph):
        from ..operators import script_ops
        engine = Flow.Session.new(flow_graph, None)
        engine.set_folder(_folder())
        engine.allow_folder("/")
        script_ops.attach(engine)
        engine.set_print(_print)
        if _merges(self._config):
            engine.merge_duplicates()
        if _rewrites(self._config):
            engine.multiply_by_reciprocals()
        # The devices of a server are those of its cluster.
        if not self._server:
            engine.set_placement(devices.placement(self._config), devices.n_processors(self._config))
        return flow_graph, engine

    def _extend(self):
        if self._was_reset:
            raise _ended()
        with self._lock:
            builder = self._graph._builder
            if self._engine is None:
                from gi.repository import Gio
                self._cancellable = Gio.Cancellable.new()
                shared = self._server.engines if self._server else {}
                if self._graph not in shared:
                    shared[self._graph] = self._new_engine(_sent(builder.get_graph))
                else:
                    _sent(builder.extend_graph, shared[self._graph][0])
                self._flow_graph, self._engine = shared[self._graph]
                if _runner is not None:
                    _runner.session_made(self)
            else:
                _sent(builder.extend_graph, self._flow_graph)
            if self._placements is not None:
                self._placements.tell(self._graph)
        return self._engine

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        return self._evaluate(fetches, feed_dict, options, run_metadata, self._error)

    def _evaluate(self, fetches, feed_dict, options, run_metadata, raised_for):
        """What a run gives; raised_for() makes an exception of what the engine says."""
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        if self._graph.version == 0:
            raise RuntimeError("The Session graph is empty.  Add operations to the graph before calling run().")
        feeds = self._feeds(feed_dict)
        leaves, build = conversions.fetched(fetches)
        elements = [_resolve(self._graph, leaf) for leaf in leaves]
        wanted, targets = [], []
        for element in elements:
            if isinstance(element, Operation):
                if element not in targets:
                    targets.append(element)
            elif element not in feeds and element not in wanted:
                wanted.append(element)
        if options is not None and not hasattr(options, "SerializeToString"):
            raise AttributeError("%r object has no attribute 'SerializeToString'" % type(options).__name__)
        values = {}
        if wanted or targets:
            if self._part_failed:
                self._extend()
                raise errors.CancelledError(None, None, "Run call was cancelled")
            values = self._run(feeds, wanted, targets, options, run_metadata, raised_for)
        results = []
        for element in elements:
            if isinstance(element, Operation):
                results.append(None)
            elif element in feeds:
                results.append(feeds[element])
            else:
                results.append(session_handles.fetched(element, values[element], self))
        return build(results)

    def _run(self, feeds, wanted, targets, options, run_metadata, raised_for):
        engine = self._extend()
        names = [t.name for t in feeds]
        tensors = [to_tensor(_own(value), t.dtype.base_dtype) for t, value in feeds.items()]
        fetch_names = [t.name for t in wanted]
        target_names = [op.name for op in targets]
        config = self._config or self._server and self._server.server_def.default_session_config
        timeout = getattr(options, "timeout_in_ms", 0) or getattr(config, "operation_timeout_in_ms", 0)
        try:
            if _runner is not None:
                fetched = _runner.run(self, engine, names, tensors, fetch_names, target_names, int(timeout or 0))
            else:
                fetched = engine.run(names, tensors, fetch_names, target_names, int(timeout or 0), self._cancellable)
        except GLib.Error as error:
            raise raised_for(error) from None
        if run_metadata is not None:
            _fill_metadata(run_metadata, options, self._flow_graph, names, fetch_names, target_names, self._graph,
                           list(feeds.values()), _merges(self._config))
        return {t: _value(to_numpy(v), t.dtype) for t, v in zip(wanted, fetched)}

    def _error(self, error):
        if (self._closed or self._was_reset) and error.code == 1 and "Run call" in error.message:
            return _ended()
        op, text = _shown(self._graph, error.message)
        if self._server:
            text = self._server.told(text, op)
        raised = errors.of(error, op)
        raised._message = text
        return raised

    def _feeds(self, feed_dict):
        feeds = {}
        if not feed_dict:
            return feeds
        if not isinstance(feed_dict, collections.abc.Mapping):
            raise TypeError("input must be a dictionary")
        for key, value in conversions.fed(feed_dict):
            try:
                tensor = self._graph.as_graph_element(key, allow_tensor=True, allow_operation=False)
            except Exception as error:
                text = error.args[0] if error.args else str(error)
                raise TypeError("Cannot interpret feed_dict key as Tensor: %s" % text) from None
            feeds[tensor] = self._feed_value(tensor, value, key)
        return feeds

    def _feed_value(self, tensor, value, key):
        if isinstance(value, Tensor):
            raise TypeError("The value of a feed cannot be a tf.Tensor object. Acceptable feed values include Python "
                            "scalars, strings, lists, numpy ndarrays, or TensorHandles. For reference, the tensor object "
                            "was %s which was passed to the feed with key %s." % (value, key))
        if isinstance(value, session_handles.TensorHandle):
            value = value.handle if tensor.dtype == dtypes.string else value.eval()
        kind = tensor.dtype.base_dtype.as_numpy_dtype
        if isinstance(value, int) and not isinstance(value, bool):
            try:
                changed = kind is object or np.asarray(value).astype(kind) != value
            except OverflowError:
                changed = True
            if changed:
                raise TypeError("Type of feed value %s with type %s is not compatible with Tensor type %s. Try "
                                "explicitly setting the type of the feed tensor to a larger type (e.g. int64)." %
                                (value, type(value), kind))
        array = _feed_array(value, tensor.dtype.base_dtype)
        if not tensor.shape.is_compatible_with(array.shape):
            raise ValueError("Cannot feed value of shape %r for Tensor %r, which has shape %r" %
                             (array.shape, tensor.name, str(tensor.shape)))
        if not self._graph.is_feedable(tensor):
            raise ValueError("Tensor %s may not be fed." % tensor)
        return array

    # -- a run in parts

    def partial_run_setup(self, fetches, feeds=None):
        """A handle of a run whose feeds come one after the other; what it computed it does not compute again."""
        leaves, _ = conversions.fetched(fetches)
        elements = [_resolve(self._graph, leaf) for leaf in leaves]
        feeds = feeds or []
        tensors = []
        for feed in feeds if isinstance(feeds, (list, tuple)) else [feeds]:
            try:
                tensors.append(self._graph.as_graph_element(feed, allow_tensor=True, allow_operation=False))
            except Exception as error:
                # TF: the error gets a longer message, and has none to begin with.
                error.message = "Cannot interpret feed_list key as Tensor: " + error.message
                raise
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        self._extend()
        number = self._n_partial_runs
        self._n_partial_runs += 1
        run = partial_runs.PartialRun(elements, tensors)
        handle = "%s;%d" % (run.key(), number)
        self._partial_runs[handle] = run
        return handle

    def partial_run(self, handle, fetches, feed_dict=None):
        leaves, build = conversions.fetched(fetches)
        elements = [_resolve(self._graph, leaf) for leaf in leaves]
        feeds = self._feeds(feed_dict)
        if not elements and not feeds:
            return build([])
        if any(isinstance(e, Operation) for e in elements):
            raise RuntimeError("partial_run() requires empty target_list.")
        run = self._partial_runs.get(handle)
        if run is None:
            raise errors.InvalidArgumentError(None, None, "Must run 'setup' before performing partial runs!")
        try:
            values = run.go_on(self, elements, feeds)
        except errors.OpError:
            if run.failed:
                self._part_failed = True
                del self._partial_runs[handle]
            raise
        if run.is_done():
            del self._partial_runs[handle]
        return build([values[e] for e in elements])

    def make_callable(self, fetches, feed_list=None, accept_options=False):
        if feed_list is not None and not isinstance(feed_list, (list, tuple)):
            raise TypeError("`feed_list` must be a list or tuple.")
        # TF: with feeds the callable is a run and all else is looked at then.
        if not feed_list:
            for leaf in conversions.fetched(fetches)[0]:
                _resolve(self._graph, leaf)

        # TF: the functions are told by these names, and without feeds an error is the engine's, which knows of no op.
        def _generic_run(*values, **options):
            return self.run(fetches, dict(zip(feed_list, values)), **options)

        def _untold(options=None, run_metadata=None):
            self._check_open()
            return self._evaluate(fetches, None, options, run_metadata, _untold_error)

        def _single_operation_run():
            _untold()

        def _single_tensor_run():
            return _untold()

        def _fetch_handler_run():
            return _untold()

        if feed_list:
            return _generic_run
        if accept_options:
            return _untold
        if isinstance(fetches, Operation):
            return _single_operation_run
        return _single_tensor_run if isinstance(fetches, Tensor) else _fetch_handler_run


# TensorFlow's front end takes what stands in the first double brackets of a text for the op that failed, whatever it is.
_FAILED_OP = re.compile(r"\[\[(?:Node: )?(?:\{\{node )?([^} ]*)")
_TAG_NAME = r"[A-Za-z0-9_.][A-Za-z0-9_.\-/]*"
_TAG = re.compile(r"\{\{(%s) (%s)\}\}" % (_TAG_NAME, _TAG_NAME))


def _without_inputs(text):
    """The engine tells of the failed op's inputs as well, which TensorFlow does not."""
    return re.sub("\n\t input \\d+: [^\n]*", "", text)


def _untold_error(error):
    """What the engine says, which the front end has not looked at."""
    raised = errors.of(error)
    raised._message = _without_inputs(error.message)
    return raised


def _shown(graph, text):
    """The op that an engine's error is about, and the text as TensorFlow's front end shows it: where the ops were made."""
    text = _without_inputs(text)
    found = _FAILED_OP.search(text)
    index = graph._builder.find_node(found.group(1)) if found is not None else NODE_NONE
    op = graph._op(index) if index != NODE_NONE else None
    return op, _TAG.sub(lambda tag: _told(graph, tag), text)


def _told(graph, tag):
    """What stands for a tag {{kind name}}: functions are not told, nor is a node that the graph lacks."""
    if tag.group(1) == "function_node":
        return ""
    index = graph._builder.find_node(tag.group(2))
    if index == NODE_NONE or tag.group(1) != "node":
        return tag.group(0)
    stack = graph._stacks.get(index, [])
    return "node %s%s" % (tag.group(2), " (defined at %s:%d) " % stack[0][:2] if stack else "")


def _folder():
    import os
    return os.getcwd()


def _own(array):
    """Feeds are taken as they are now: a script may change its array later, while a variable holds it."""
    return np.array(array, copy=True) if isinstance(array, np.ndarray) and array.dtype != object else array


def _value(array, dtype):
    if array.ndim == 0:
        return array[()] if array.dtype != object else array.item()
    return array


def _feed_array(value, dtype):
    if dtype == dtypes.string:
        array = np.array(value, dtype=object) if not isinstance(value, np.ndarray) else value
        return array.astype(object)
    try:
        return np.asarray(value, dtype=dtype.as_numpy_dtype)
    except ValueError as error:
        if "inhomogeneous" in str(error):
            raise ValueError("setting an array element with a sequence.") from None
        raise


def _merges(config):
    """Whether a configuration asks that what is computed twice is computed once."""
    if config is None:
        return False
    return config.graph_options.optimizer_options.do_common_subexpression_elimination is True


_OFF = 2


def _rewrites(config):
    """Whether a configuration leaves TensorFlow's rewriting of constants on, as sessions without one do."""
    if config is None:
        return True
    options = config.graph_options.rewrite_options
    return not options.disable_meta_optimizer and options.constant_folding != _OFF


def _fill_metadata(metadata, options, graph, feeds, fetches, targets, made_of, values, merges):
    metadata.Clear()
    if options is None:
        return
    traced = getattr(options, "trace_level", 0) and options.trace_level > 0
    if not traced and not getattr(options, "output_partition_graphs", False):
        return
    prune = Flow.Prune.new(graph, feeds, fetches, targets)
    kept = [i for i in range(graph.get_n_nodes()) if prune.contains(i)]
    if merges:
        plan = Flow.Plan.new_merged(graph, feeds, fetches, targets)
        kept = sorted(plan.get_node(i) for i in range(plan.get_n_items()))
    if traced:
        from . import profile_report
        metadata.__dict__["_shapes"] = profile_report.shapes_of_run(
            made_of, {name: value.shape for name, value in zip(feeds, values)}, [graph.get_node_name(i) for i in kept])
        _fill_step_stats(metadata, graph, kept)
    if not getattr(options, "output_partition_graphs", False):
        return
    # A feed that nothing reads is pruned like any other node.
    read = {prune.get_feed(i, k) for i in kept for k in range(graph.get_n_inputs(i))}
    order = sorted(feeds)
    for i in kept:
        for k in range(graph.get_n_control_inputs(i)):
            if prune.control_is_fed(i, k):
                source = graph.get_node_name(graph.get_control_input(i, k))
                read |= {n for n, name in enumerate(order) if name.partition(":")[0] == source}
    nodes = [{"name": graph.get_node_name(i), "op": graph.get_node_type(i)} for i in kept]
    for kind, items in (("_arg", feeds), ("_retval", fetches)):
        for i, name in enumerate(sorted(items)):
            node, _, slot = name.partition(":")
            if kind == "_retval" or i in read:
                nodes.append({"name": "%s_%s_%s_%d" % (kind, node, slot or 0, i), "op": kind.title()})
    metadata.partition_graphs.append(proto.GraphDef(node=nodes))


def _fill_step_stats(metadata, graph, kept):
    """What was run; how long each op took is the debugger's to tell."""
    device = metadata.step_stats.dev_stats.add(device="/job:localhost/replica:0/task:0/device:CPU:0")
    for i in kept:
        name, op = graph.get_node_name(i), graph.get_node_type(i)
        device.node_stats.add(node_name=name, timeline_label="%s = %s()" % (name, op))


@contextlib.contextmanager
def _default_session(session):
    _stack().append(session)
    try:
        yield session
    finally:
        if session in _stack():
            if _stack()[-1] is not session:
                raise AssertionError("Nesting violated for default stack of %s objects" % type(session))
            _stack().pop()


class Session(BaseSession):
    """tf.Session."""

    @staticmethod
    def reset(target, containers=None, config=None):
        """TF: empties a server's containers; without a server whatever sessions there are come to their end, also where
        their variables are in other containers."""
        for name in containers or ():
            as_bytes(name)
        if not target:
            for session in list(_sessions):
                session._end()
        elif servers.at(target):
            servers.at(target).engines.clear()

    def __enter__(self):
        if self._with is not None:
            raise RuntimeError("Session context managers are not re-entrant. Use `Session.as_default()` if you want to "
                               "enter a session multiple times.")
        self._with = contextlib.ExitStack()
        self._with.enter_context(self._graph.as_default())
        self._with.enter_context(self.as_default())
        return self

    def __exit__(self, *info):
        stack, self._with = self._with, None
        stack.close()
        self.close()


class InteractiveSession(BaseSession):
    """tf.InteractiveSession: default from the start."""

    _count_lock, _active_session_count = threading.Lock(), 0

    def __init__(self, target="", graph=None, config=None):
        config = config or proto.ConfigProto(gpu_options=proto.GPUOptions(allow_growth=True))
        config.graph_options.place_pruned_graph = True
        super().__init__(target, graph, config)
        with InteractiveSession._count_lock:
            if InteractiveSession._active_session_count > 0:
                warnings.warn("An interactive session is already active. This can cause out-of-memory errors in some cases. "
                              "You must explicitly call `InteractiveSession.close()` to release resources held by the other "
                              "session(s).")
            InteractiveSession._active_session_count += 1
        self._with = [context for context in (self.as_default(), graph and graph.as_default()) if context is not None]
        for context in self._with:
            context.__enter__()

    def close(self):
        super().close()
        with InteractiveSession._count_lock:
            contexts, self._with = self._with, []
            InteractiveSession._active_session_count -= bool(contexts)
        for context in reversed(contexts):
            context.__exit__(None, None, None)
