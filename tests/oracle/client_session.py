# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""TensorFlow's own Python client over our sessions: graphs are built by TensorFlow 1.15.5, every Session.run is libflow's.

    python tests/oracle/client_session.py build/engine/libflow-1.so.0 SCRIPT.py [ARGUMENT...]

runs a script so (a file of unittest cases too); from Python it is client_session.install(LIBRARY). After that tf.Session is
as before, but what it runs, it runs here: feeds, fetches and targets go by name, the graph by what was added to it since the
run before, and an error comes back as tf.errors has it. Functions of the script (PyFunc) are called where the op runs. Runs
in parts, metadata of runs and handles of resources as values are not there.
"""

import ctypes
import os
import runpy
import sys
import threading

import numpy as np
from tensorflow.core.framework import graph_pb2
from tensorflow.core.protobuf import config_pb2
from tensorflow.python.client import session as session_lib
from tensorflow.python.eager import context
from tensorflow.python.framework import dtypes, errors_impl, ops
from tensorflow.python.ops import script_ops

_P, _Q = ctypes.c_void_p, ctypes.c_int64
# What is called of libflow and the GLib that it brings along: result, arguments.
_CALLS = {
    "flow_kernels_register": (None, []),
    "flow_graph_new": (_P, []),
    "flow_graph_extend_from_bytes": (ctypes.c_int, [_P, _P, _P, _P]),
    "flow_session_new": (_P, [_P, _P]),
    "flow_session_set_folder": (None, [_P, ctypes.c_char_p]),
    "flow_session_allow_folder": (None, [_P, ctypes.c_char_p]),
    "flow_session_set_print": (None, [_P, _P, _P, _P]),
    "flow_session_set_script": (None, [_P, _P, _P, _P]),
    "flow_session_run": (_P, [_P, _P, _P, _P, _P, _Q, _P, _P]),
    "flow_shape_new": (_P, [ctypes.c_int, _P]),
    "flow_shape_get_rank": (ctypes.c_int, [_P]),
    "flow_shape_get_dim": (_Q, [_P, ctypes.c_int]),
    "flow_tensor_new_from_bytes": (_P, [ctypes.c_int, _P, _P, _P]),
    "flow_tensor_new_strings": (_P, [_P, _P, _P]),
    "flow_tensor_get_shape": (_P, [_P]),
    "flow_tensor_get_dtype": (ctypes.c_int, [_P]),
    "flow_tensor_get_n_elements": (_Q, [_P]),
    "flow_tensor_get_n_bytes": (ctypes.c_size_t, [_P]),
    "flow_tensor_get_data": (_P, [_P]),
    "flow_tensor_get_string": (_P, [_P, _Q, _P]),
    "flow_tensor_unref": (None, [_P]),
    "flow_script_call_get_token": (ctypes.c_char_p, [_P]),
    "flow_script_call_dup_inputs": (_P, [_P]),
    "flow_script_call_get_n_outputs": (ctypes.c_int, [_P]),
    "flow_script_call_get_output_dtype": (ctypes.c_int, [_P, ctypes.c_int]),
    "flow_script_call_add_output": (None, [_P, _P]),
    "flow_script_call_fail": (None, [_P, ctypes.c_int, ctypes.c_char_p]),
    "g_bytes_new": (_P, [ctypes.c_char_p, ctypes.c_size_t]),
    "g_bytes_unref": (None, [_P]),
    "g_ptr_array_new": (_P, []),
    "g_ptr_array_add": (None, [_P, _P]),
    "g_ptr_array_unref": (None, [_P]),
    "g_object_unref": (None, [_P]),
    "g_error_free": (None, [_P]),
    "g_cancellable_new": (_P, []),
    "g_cancellable_cancel": (None, [_P]),
}
_c = None
# Guards which of our sessions is whose: the first runs of a session may come from several threads.
_beginning = threading.Lock()
_Print = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_char_p, _P)
_Script = ctypes.CFUNCTYPE(None, _P, _P)


class _Library:
    """The functions of _CALLS, each declared once."""

    def __init__(self, path):
        library = ctypes.CDLL(path)
        for name, (result, arguments) in _CALLS.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)


class _Array(ctypes.Structure):
    _fields_ = [("data", ctypes.POINTER(_P)), ("length", ctypes.c_uint)]


class _Error(ctypes.Structure):
    _fields_ = [("domain", ctypes.c_uint32), ("code", ctypes.c_int), ("message", ctypes.c_char_p)]


def _items(array):
    array = _Array.from_address(array)
    return [array.data[i] for i in range(array.length)]


def _checked(function, *arguments):
    """Calls what has an error as its last argument."""
    error = _P()
    result = function(*arguments, ctypes.byref(error))
    if error.value:
        told = _Error.from_address(error.value)
        code, message = told.code, told.message.decode("utf-8", "replace")
        _c.g_error_free(error)
        raise errors_impl.exception_type_from_error_code(code if 0 < code < 17 else 2)(None, None, message)
    return result


def _bytes(data):
    return _c.g_bytes_new(data, len(data))


def _as_bytes(value):
    return value.encode("utf-8") if isinstance(value, str) else bytes(value)


def _to_tensor(array, dtype):
    array = np.asarray(array)
    shape = _c.flow_shape_new(array.ndim, (ctypes.c_int64 * max(array.ndim, 1))(*array.shape))
    if dtype != dtypes.string:
        data = _bytes(np.ascontiguousarray(array).tobytes())
        try:
            return _checked(_c.flow_tensor_new_from_bytes, dtype.as_datatype_enum, shape, data)
        finally:
            _c.g_bytes_unref(data)
    values = _c.g_ptr_array_new()
    for value in array.ravel():
        _c.g_ptr_array_add(values, _bytes(_as_bytes(value)))
    return _checked(_c.flow_tensor_new_strings, shape, values)


def _to_numpy(tensor):
    shape = _c.flow_tensor_get_shape(tensor)
    dims = [_c.flow_shape_get_dim(shape, i) for i in range(_c.flow_shape_get_rank(shape))]
    dtype = dtypes.as_dtype(_c.flow_tensor_get_dtype(tensor))
    if dtype in (dtypes.string, dtypes.resource, dtypes.variant):
        array = np.empty(dims, object)
        if dtype == dtypes.string:
            flat, size = array.reshape(-1), ctypes.c_size_t()
            for i in range(flat.size):
                text = _c.flow_tensor_get_string(tensor, i, ctypes.byref(size))
                flat[i] = ctypes.string_at(text, size.value) if text else b""
            array = flat.reshape(dims)
    else:
        # Not string_at(), which takes no more than two gigabytes.
        size = _c.flow_tensor_get_n_bytes(tensor)
        data = (ctypes.c_char * size).from_address(_c.flow_tensor_get_data(tensor)) if size > 0 else b""
        # TF: a fetched tensor of a quantized dtype is an array of the integers behind it.
        kind = np.dtype(dtype.as_numpy_dtype)
        array = np.frombuffer(bytearray(data), kind[0] if dtype.is_quantized else kind).reshape(dims)
    return array[()] if array.ndim == 0 else array


@_Print
def _print(stream, text, _):
    os.write(1 if stream == b"stdout" else 2, text)


def _called(token, inputs):
    """What a function of the script gives, as a list of arrays."""
    function = script_ops._py_funcs._funcs.get(token, None)
    if not isinstance(function, script_ops.EagerFunc):
        found = script_ops._py_funcs(token, None, inputs)
        return found if isinstance(found, (list, tuple)) else [found]
    with context.eager_mode():
        found = script_ops._py_funcs(token, None, [ops.convert_to_tensor(value) for value in inputs])
        return [value.numpy() for value in (found if isinstance(found, (list, tuple)) else [found])]


@_Script
def _answer(call, _):
    """Runs a function of the script, as the op that calls it asks."""
    try:
        inputs = [_to_numpy(tensor) for tensor in _items(_c.flow_script_call_dup_inputs(call))]
        found = _called(_c.flow_script_call_get_token(call).decode(), inputs)
        for i in range(_c.flow_script_call_get_n_outputs(call)):
            dtype = dtypes.as_dtype(_c.flow_script_call_get_output_dtype(call, i))
            value = np.asarray(found[i])
            _c.flow_script_call_add_output(
                call, _to_tensor(value, dtype if dtype == dtypes.string else dtypes.as_dtype(value.dtype)))
    except Exception as error:
        codes = ((StopIteration, 11), ((ValueError, TypeError), 3), (MemoryError, 8), (NotImplementedError, 12))
        code = next((code for kind, code in codes if isinstance(error, kind)), 2)
        _c.flow_script_call_fail(call, code, ("%s: %s" % (type(error).__name__, error)).encode())


class _Session:
    """One of our sessions, and how much of TensorFlow's graph it has."""

    def __init__(self, graph):
        self._graph, self._version, self._functions = graph, 0, set()
        self._lock = threading.Lock()
        self._flow_graph = _c.flow_graph_new()
        self._problems = _c.g_ptr_array_new()
        self._cancellable = _c.g_cancellable_new()
        self._session = _c.flow_session_new(self._flow_graph, None)
        _c.flow_session_set_folder(self._session, os.getcwd().encode())
        _c.flow_session_allow_folder(self._session, b"/")
        _c.flow_session_set_print(self._session, _print, None, None)
        _c.flow_session_set_script(self._session, _answer, None, None)

    def _extend(self):
        graph = self._graph
        with self._lock, graph._lock:
            if graph.version == self._version and len(graph._functions) == len(self._functions):
                return
            added = graph_pb2.GraphDef()
            added.versions.CopyFrom(graph.graph_def_versions)
            for name, function in graph._functions.items():
                if name not in self._functions:
                    added.library.function.extend([function.definition])
                    if getattr(function, "grad_func_name", None):
                        added.library.gradient.add(function_name=name, gradient_func=function.grad_func_name)
                    self._functions.add(name)
            added.node.extend(graph._nodes_by_id[i].node_def for i in range(self._version + 1, graph.version + 1)
                              if i in graph._nodes_by_id)
            self._version = graph.version
            data = _bytes(added.SerializeToString())
            try:
                _checked(_c.flow_graph_extend_from_bytes, self._flow_graph, data, self._problems)
            finally:
                _c.g_bytes_unref(data)

    def run(self, feeds, fetches, targets, timeout_ms=0):
        """Values of the fetches; feeds are pairs of a tensor's name and an array."""
        self._extend()
        values = _c.g_ptr_array_new()
        for name, array in feeds:
            _c.g_ptr_array_add(values, _to_tensor(array, self._graph.get_tensor_by_name(name).dtype.base_dtype))
        lists = [(ctypes.c_char_p * (len(names) + 1))(*[n.encode() for n in names], None)
                 for names in ([name for name, _ in feeds], fetches, targets)]
        try:
            got = _checked(_c.flow_session_run, self._session, lists[0], values, lists[1], lists[2], timeout_ms,
                           self._cancellable)
        finally:
            for tensor in _items(values):
                _c.flow_tensor_unref(tensor)
            _c.g_ptr_array_unref(values)
        tensors = _items(got)
        return [_to_numpy(tensor) for tensor in tensors]

    def close(self):
        _c.g_cancellable_cancel(self._cancellable)


def _name(output):
    return "%s:%d" % (session_lib.tf_session.TF_OperationName(output.oper), output.index)


def _ours(session):
    with _beginning:
        if not hasattr(session, "_flowstep"):
            session._flowstep = _Session(session.graph)
    if session._closed:
        raise errors_impl.CancelledError(None, None, "Session has been closed.")
    return session._flowstep


def _run(self, options, feed_dict, fetch_list, target_list, run_metadata):
    timeout = 0
    if options is not None:
        timeout = config_pb2.RunOptions.FromString(session_lib.tf_session.TF_GetBuffer(options)).timeout_in_ms
    timeout = timeout or (self._config.operation_timeout_in_ms if self._config is not None else 0)
    return _ours(self).run([(_name(t), value) for t, value in feed_dict.items()], [_name(t) for t in fetch_list],
                           [session_lib.tf_session.TF_OperationName(op) for op in target_list], timeout)


class _Callable:
    def __init__(self, session, options):
        self._session, self._options = session, options

    def __call__(self, *values, **_):
        options = self._options
        feeds = [name if ":" in name else name + ":0" for name in options.feed]
        fetches = [name if ":" in name else name + ":0" for name in options.fetch]
        return _ours(self._session).run(list(zip(feeds, values)), fetches, list(options.target))


def install(path):
    """From now on tf.Session runs with the libflow at this path."""
    global _c
    _c = _Library(path)
    _c.flow_kernels_register()
    base, close = session_lib.BaseSession, session_lib.BaseSession.close

    def close_both(self):
        if hasattr(self, "_flowstep"):
            self._flowstep.close()
        close(self)

    base._call_tf_sessionrun = _run
    base._extend_graph = lambda self: None
    base._Callable = _Callable
    base.close = close_both


if __name__ == "__main__":
    install(sys.argv[1])
    sys.argv = sys.argv[2:]
    runpy.run_path(sys.argv[0], run_name="__main__")
