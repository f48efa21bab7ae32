# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tensorflow.python.debug: sessions and hooks that open TensorFlow's command line debugger run as they are, since whoever
debugs does so in Flowstep's window; what writes or sends tensors says that it is not there."""

import numpy as np

from . import hooks
from .monitored_session import MonitoredSession
from .session import BaseSession


class DebugTensorDatum:
    """What is told to a filter beside a tensor's value."""


def has_inf_or_nan(datum, tensor):
    """The filter that everybody adds: whether a value holds an infinity or what is no number."""
    del datum
    array = np.asarray(tensor)
    if array.dtype.kind not in "fc":
        return False
    return not np.isfinite(array).all()


class _Filters:
    def __init__(self):
        self._tensor_filters = {}

    def add_tensor_filter(self, filter_name, tensor_filter):
        self._tensor_filters[filter_name] = tensor_filter


class BaseDebugWrapperSession:
    """A session around another one, which does all the work."""

    def __init__(self, sess, thread_name_filter=None, pass_through_operrors=False):
        kinds = (BaseSession, MonitoredSession)
        if not isinstance(sess, kinds):
            raise TypeError("Expected type %s; got type %s" % (kinds, type(sess)))
        self._sess, self._run_call_count = sess, 0

    graph = property(lambda self: self._sess.graph)
    graph_def = property(lambda self: self._sess.graph_def)
    sess_str = property(lambda self: self._sess.sess_str)
    session = property(lambda self: self._sess)
    run_call_count = property(lambda self: self._run_call_count)

    def increment_run_call_count(self):
        self._run_call_count += 1

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None, callable_runner=None, callable_runner_args=None,
            callable_options=None):
        if callable_runner is not None and (fetches or feed_dict):
            raise ValueError("callable_runner and fetches/feed_dict are mutually exclusive, but are used simultaneously.")
        self.increment_run_call_count()
        if callable_runner is not None:
            return callable_runner(*(callable_runner_args or ()))
        return self._sess.run(fetches, feed_dict=feed_dict, options=options, run_metadata=run_metadata)

    def run_step_fn(self, step_fn):
        return self._sess.run_step_fn(step_fn)

    def partial_run_setup(self, fetches, feeds=None):
        raise NotImplementedError("partial_run_setup is not implemented for debug-wrapper sessions.")

    def partial_run(self, handle, fetches, feed_dict=None):
        raise NotImplementedError("partial_run is not implemented for debug-wrapper sessions.")

    def list_devices(self, *args, **kwargs):
        return self._sess.list_devices(*args, **kwargs)

    def reset(self, *args, **kwargs):
        return self._sess.reset(*args, **kwargs)

    def make_callable(self, *args, **kwargs):
        runner = self._sess.make_callable(*args, **kwargs)
        return lambda *given: self.run(None, callable_runner=runner, callable_runner_args=given)

    def should_stop(self):
        return self._sess.should_stop()

    def as_default(self):
        return self._sess.as_default()

    def close(self):
        self._sess.close()

    def __enter__(self):
        self._sess.__enter__()
        return self

    def __exit__(self, *error):
        return self._sess.__exit__(*error)


class LocalCLIDebugWrapperSession(BaseDebugWrapperSession, _Filters):
    def __init__(self, sess, dump_root=None, log_usage=True, ui_type="curses", thread_name_filter=None, config_file_path=False):
        _Filters.__init__(self)
        BaseDebugWrapperSession.__init__(self, sess, thread_name_filter)


class LocalCLIDebugHook(_Filters, hooks.SessionRunHook):
    def __init__(self, ui_type="curses", dump_root=None, thread_name_filter=None, config_file_path=None):
        super().__init__()


def _not_here(name, why):
    def __init__(self, *args, **kwargs):
        raise NotImplementedError("tensorflow.python.debug.%s: %s" % (name, why))
    return type(name, (), {"__init__": __init__, "__module__": __name__})


_DUMPS = "tensors are not written to files here; Flowstep's window shows every one, and flowstep-cli step --json prints them"
_SENDS = "tensors are not sent anywhere; open the script in Flowstep's window"
for _name in ("DumpingDebugWrapperSession", "DumpingDebugHook", "DebugDumpDir", "WatchOptions", "GradientsDebugger",
              "watch_graph", "watch_graph_with_blacklists", "add_debug_tensor_watch", "load_tensor_from_event_file",
              "load_tensor_from_event", "reconstruct_non_debug_graph_def"):
    globals()[_name] = _not_here(_name, _DUMPS)
for _name in ("GrpcDebugWrapperSession", "GrpcDebugHook", "TensorBoardDebugWrapperSession", "TensorBoardDebugHook"):
    globals()[_name] = _not_here(_name, _SENDS)
