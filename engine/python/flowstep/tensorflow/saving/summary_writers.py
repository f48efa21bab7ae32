# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.summary: summaries that ops write to files while the graph runs."""

import contextlib
import os

from .. import dtypes, summary as plain
from ..control import control_flow
from ..framework import graph as graph_lib, tf_logging
from ..framework.graph import get_default_graph, name_scope
from ..framework.ops import apply_op, constant, convert_to_tensor, make_op
from ..learning import training_util
from ..operators import array_ops, math_ops
from ..sessions.session import get_default_session

_INITIALIZERS = "_SUMMARY_WRITER_V2"
_WRITTEN = "_SUMMARY_V2"


class _State:
    """The writer that summaries go to, and whether they are written at all."""

    writer = None
    recording = None


_state = _State()


def _resolved(value):
    return value() if callable(value) else value


def should_record_summaries():
    recording = _resolved(_state.recording)
    return math_ops.logical_and(True, False if recording is None else recording)


@contextlib.contextmanager
def _record_if(condition):
    before, _state.recording = _state.recording, condition
    try:
        yield
    finally:
        _state.recording = before


def record_summaries_every_n_global_steps(n, global_step=None):
    if global_step is None:
        global_step = training_util.get_or_create_global_step()
    with graph_lib.device("cpu:0"):
        return _record_if(math_ops.equal(global_step % n, 0))


def always_record_summaries():
    return _record_if(True)


def never_record_summaries():
    return _record_if(False)


# -- writers

class SummaryWriter:
    """A writer known by the name of its resource."""

    def __init__(self, shared_name, init_op_fn, name=None):
        self._resource = apply_op("SummaryWriter", shared_name=shared_name, name=name)
        self._init_op_fn = init_op_fn
        graph_lib.add_to_collection(_INITIALIZERS, init_op_fn(self._resource))

    def set_as_default(self):
        _state.writer = self

    @contextlib.contextmanager
    def as_default(self):
        before, _state.writer = _state.writer, self
        try:
            yield self
            self.flush()
        finally:
            _state.writer = before

    def init(self):
        return self._init_op_fn(self._resource)

    def flush(self):
        return flush(writer=self)

    def close(self):
        with graph_lib.control_dependencies([self.flush()]), graph_lib.device("cpu:0"):
            return make_op("CloseSummaryWriter", writer=self._resource)


class _NoWriter(SummaryWriter):
    """Where there is no folder."""

    def __init__(self):
        pass

    def set_as_default(self):
        pass

    @contextlib.contextmanager
    def as_default(self):
        yield

    def init(self):
        pass

    flush = close = init


def create_file_writer(logdir, max_queue=None, flush_millis=None, filename_suffix=None, name=None):
    if logdir is None:
        return _NoWriter()
    logdir = str(logdir)
    with graph_lib.device("cpu:0"):
        options = dict(max_queue=constant(10) if max_queue is None else max_queue,
                       flush_millis=constant(2 * 60 * 1000) if flush_millis is None else flush_millis,
                       filename_suffix=constant(".v2") if filename_suffix is None else filename_suffix)

        def init(writer):
            return make_op("CreateSummaryFileWriter", writer=writer, logdir=logdir, **options)
        return SummaryWriter("logdir:" + logdir if name is None else name, init)


def create_summary_file_writer(*arguments, **keywords):
    tf_logging.warning("Deprecation Warning: create_summary_file_writer was renamed to create_file_writer")
    return create_file_writer(*arguments, **keywords)


def flush(writer=None, name=None):
    writer = _state.writer if writer is None else writer
    if writer is None:
        return control_flow.no_op()
    with graph_lib.device("cpu:0"):
        return make_op("FlushSummaryWriter", writer=getattr(writer, "_resource", writer), name=name)


def eval_dir(model_dir, name=None):
    return os.path.join(model_dir, "eval" if not name else "eval_" + name)


def summary_writer_initializer_op():
    return graph_lib.get_collection(_INITIALIZERS)


def all_summary_ops():
    return graph_lib.get_collection(_WRITTEN)


def _serialized(graph):
    graph_def = graph.as_graph_def(add_shapes=True) if isinstance(graph, graph_lib.Graph) else graph
    return graph_def.SerializeToString()


def initialize(graph=None, session=None):
    if _state.writer is None:
        raise RuntimeError("No default tf.contrib.summary.SummaryWriter found")
    session = session or get_default_session()
    if session is None:
        raise ValueError("session must be passed if no default session exists")
    session.run(summary_writer_initializer_op())
    if graph is not None:
        data = _serialized(graph)
        given = array_ops.placeholder(dtypes.string)
        session.run(_graph_op(given, 0, None), feed_dict={given: data})


# -- what is written

def _step(step):
    if step is None:
        return training_util.get_or_create_global_step()
    return step if isinstance(step, graph_lib.Tensor) else convert_to_tensor(step, dtypes.int64)


def _write(name, tensor, function, family=None):
    scope_now = get_default_graph().get_name_scope()
    scope_now = scope_now + "/" if scope_now else ""

    def record():
        with name_scope(scope_now or None), plain._scope(name, family, values=[tensor]) as (tag, scope):
            with graph_lib.control_dependencies([function(tag, scope)]):
                return constant(True)
    if _state.writer is None:
        return control_flow.no_op()
    with graph_lib.device("cpu:0"):
        op = control_flow.smart_cond(should_record_summaries(), record, lambda: constant(False), name="")
        graph_lib.add_to_collection(_WRITTEN, op)
    return op


def _writes(op_type, value, name, tensor, family, step, **more):
    def function(tag, scope):
        given = {"writer": _state.writer._resource, "step": _step(step), "tag": tag}
        return make_op(op_type, **given, **{value: array_ops.identity(tensor)}, **more, name=scope)
    return _write(name, tensor, function, family)


def generic(name, tensor, metadata=None, family=None, step=None):
    def serialized():
        if metadata is None:
            return constant("")
        return constant(metadata.SerializeToString()) if hasattr(metadata, "SerializeToString") else metadata

    def function(tag, scope):
        about = serialized()
        return make_op("WriteSummary", writer=_state.writer._resource, step=_step(step), tensor=array_ops.identity(tensor),
                       tag=tag, summary_metadata=about, name=scope)
    return _write(name, tensor, function, family)


def scalar(name, tensor, family=None, step=None):
    return _writes("WriteScalarSummary", "value", name, tensor, family, step)


def histogram(name, tensor, family=None, step=None):
    return _writes("WriteHistogramSummary", "values", name, tensor, family, step)


def image(name, tensor, bad_color=None, max_images=3, family=None, step=None):
    def function(tag, scope):
        color = constant([255, 0, 0, 255], dtype=dtypes.uint8) if bad_color is None else bad_color
        return make_op("WriteImageSummary", writer=_state.writer._resource, step=_step(step), tag=tag,
                       tensor=array_ops.identity(tensor), bad_color=color, max_images=max_images, name=scope)
    return _write(name, tensor, function, family)


def audio(name, tensor, sample_rate, max_outputs, family=None, step=None):
    return _writes("WriteAudioSummary", "tensor", name, tensor, family, step, sample_rate=sample_rate,
                   max_outputs=max_outputs)


def _graph_op(tensor, step, name):
    return make_op("WriteGraphSummary", writer=_state.writer._resource, step=_step(step), tensor=array_ops.identity(tensor),
                   name=name)


def graph(param, step=None, name=None):
    if not isinstance(param, graph_lib.Tensor) and not isinstance(param, (graph_lib.Graph,)) and \
            not hasattr(param, "SerializeToString"):
        raise TypeError("graph() needs a tf.Graph (e.g. tf.get_default_graph()) or a tf.GraphDef")
    if _state.writer is None:
        return control_flow.no_op()
    with graph_lib.device("cpu:0"):
        tensor = param if isinstance(param, graph_lib.Tensor) else convert_to_tensor(_serialized(param), dtypes.string)
        return _graph_op(tensor, step, name)


def import_event(tensor, name=None):
    return make_op("ImportEvent", writer=_state.writer._resource, event=tensor, name=name)


NAMES = """SummaryWriter all_summary_ops always_record_summaries audio create_file_writer create_summary_file_writer eval_dir
    flush generic graph histogram image import_event initialize never_record_summaries record_summaries_every_n_global_steps
    scalar should_record_summaries summary_writer_initializer_op""".split()
