# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Sessions with hooks, initialized or restored before the first run (tf.train.MonitoredTrainingSession)."""

import inspect

from .. import errors
from .. import summary
from ..control import control_flow
from ..framework import graph as graph_lib, proto
from ..framework import tf_logging as logging
from ..framework.graph import GraphKeys, get_default_graph
from ..operators import array_ops, lookup
from ..saving import saver as saver_lib
from ..state import resources, variables
from . import hooks as hooks_lib, runners
from . import session_manager

_PREEMPTION = (errors.AbortedError, errors.UnavailableError)
USE_DEFAULT = object()


def _default_saver():
    savers = graph_lib.get_collection(GraphKeys.SAVERS)
    if len(savers) > 1:
        raise RuntimeError("More than one item in collection {}. Please indicate which one to use by passing it to the "
                           "constructor.".format(GraphKeys.SAVERS))
    if savers:
        return savers[0]
    saver = saver_lib.Saver(sharded=True, allow_empty=True)
    graph_lib.add_to_collection(GraphKeys.SAVERS, saver)
    return saver


class Scaffold:
    """The ops that a training begins with; those that are not given are made when it is finalized."""

    def __init__(self, init_op=None, init_feed_dict=None, init_fn=None, ready_op=None, ready_for_local_init_op=None,
                 local_init_op=None, summary_op=None, saver=None, copy_from_scaffold=None):
        given = dict(init_op=init_op, init_feed_dict=init_feed_dict, init_fn=init_fn, ready_op=ready_op,
                     ready_for_local_init_op=ready_for_local_init_op, local_init_op=local_init_op,
                     summary_op=summary_op, saver=saver)
        if copy_from_scaffold is not None:
            if not isinstance(copy_from_scaffold, Scaffold):
                raise TypeError("copy_from_scaffold is not a Scaffold instance.")
            for key, value in given.items():
                if value is None:
                    given[key] = copy_from_scaffold._user_init_fn if key == "init_fn" else getattr(copy_from_scaffold, key)
        self._user_init_fn = given.pop("init_fn")
        self._given = given

    init_op = property(lambda self: self._given["init_op"])
    init_feed_dict = property(lambda self: self._given["init_feed_dict"])
    ready_op = property(lambda self: self._given["ready_op"])
    ready_for_local_init_op = property(lambda self: self._given["ready_for_local_init_op"])
    local_init_op = property(lambda self: self._given["local_init_op"])
    summary_op = property(lambda self: self._given["summary_op"])
    saver = property(lambda self: self._given["saver"])

    @property
    def init_fn(self):
        return (lambda sess: self._user_init_fn(self, sess)) if self._user_init_fn else None

    def _default(self, name, key, make):
        if self._given[name] is None:
            self._given[name] = Scaffold.get_or_default(name, key, make)

    def finalize(self):
        shared = resources.shared_resources()
        self._default("init_op", GraphKeys.INIT_OP, lambda: control_flow.group(
            variables.global_variables_initializer(), resources.initialize_resources(shared)))
        self._default("ready_op", GraphKeys.READY_OP, lambda: array_ops.concat(
            [variables.report_uninitialized_variables(), resources.report_uninitialized_resources()], 0))
        self._default("ready_for_local_init_op", GraphKeys.READY_FOR_LOCAL_INIT_OP, lambda: array_ops.concat(
            [variables.report_uninitialized_variables(variables.global_variables()),
             resources.report_uninitialized_resources(shared)], 0))
        self._default("local_init_op", GraphKeys.LOCAL_INIT_OP, Scaffold.default_local_init_op)
        self._default("summary_op", GraphKeys.SUMMARY_OP, summary.merge_all)
        if self.saver is None:
            self._given["saver"] = _default_saver()
        self.saver.build()
        get_default_graph().finalize()
        logging.info("Graph was finalized.")
        return self

    @staticmethod
    def get_or_default(arg_name, collection_key, default_constructor):
        elements = graph_lib.get_collection(collection_key)
        if len(elements) > 1:
            raise RuntimeError("More than one item in the collection \"%s\". Please indicate which one to use by passing "
                               "it to the tf.Scaffold constructor as:  tf.Scaffold(%s=item to use)", collection_key,
                               arg_name)
        if elements:
            return elements[0]
        op = default_constructor()
        if op is not None:
            graph_lib.add_to_collection(collection_key, op)
        return op

    @staticmethod
    def default_local_init_op():
        return control_flow.group(variables.local_variables_initializer(), lookup.tables_initializer(),
                                  resources.initialize_resources(resources.local_resources()))


class SessionCreator:
    def create_session(self):
        raise NotImplementedError("create_session is not implemented for {}.".format(self))


class ChiefSessionCreator(SessionCreator):
    def __init__(self, scaffold=None, master="", config=None, checkpoint_dir=None, checkpoint_filename_with_path=None):
        self._scaffold, self._master, self._config = scaffold or Scaffold(), master, config
        self._checkpoint_dir, self._checkpoint_path = checkpoint_dir, checkpoint_filename_with_path

    def _manager(self):
        return session_manager.SessionManager(
            local_init_op=self._scaffold.local_init_op, ready_op=self._scaffold.ready_op,
            ready_for_local_init_op=self._scaffold.ready_for_local_init_op, graph=get_default_graph())

    def create_session(self):
        self._scaffold.finalize()
        return self._manager().prepare_session(
            self._master, saver=self._scaffold.saver, checkpoint_dir=self._checkpoint_dir,
            checkpoint_filename_with_path=self._checkpoint_path, config=self._config, init_op=self._scaffold.init_op,
            init_feed_dict=self._scaffold.init_feed_dict, init_fn=self._scaffold.init_fn)


class WorkerSessionCreator(ChiefSessionCreator):
    def __init__(self, scaffold=None, master="", config=None, max_wait_secs=30 * 60):
        super().__init__(scaffold, master, config)
        self._max_wait_secs = max_wait_secs

    def create_session(self):
        self._scaffold.finalize()
        return self._manager().wait_for_session(self._master, config=self._config, max_wait_secs=self._max_wait_secs)


# -- what stands around a session

class _Wrapped:
    def __init__(self, sess):
        self._sess = sess

    graph = property(lambda self: self._sess.graph)
    sess_str = property(lambda self: self._sess.sess_str)

    def should_stop(self):
        if self._check_stop():
            return True
        if self._sess:
            return isinstance(self._sess, _Wrapped) and self._sess.should_stop()
        return True

    def _check_stop(self):
        return False

    def close(self):
        if self._sess:
            try:
                self._sess.close()
            except _PREEMPTION as error:
                logging.warning("An error occurred when attempting to close the session. Error: %s", error)
            finally:
                self._sess = None

    def run(self, *arguments, **keywords):
        return self._sess.run(*arguments, **keywords)

    def run_step_fn(self, step_fn, raw_session, run_with_hooks):
        return step_fn(StepContext(raw_session, run_with_hooks or self.run))


class _Recoverable(_Wrapped):
    """Begins anew where the session was lost."""

    def __init__(self, creator):
        self._creator = creator
        super().__init__(self._create())

    def _create(self):
        while True:
            try:
                return self._creator.create_session()
            except _PREEMPTION as error:
                logging.info("An error was raised while a session was being created. A new session will be created. "
                             "Error: %s", error)

    def _check_stop(self):
        try:
            return self._sess._check_stop() if self._sess else True
        except _PREEMPTION:
            self.close()
            self._sess = self._create()
            return False
        except Exception:
            return True

    def _again(self, function):
        while True:
            try:
                if not self._sess:
                    self._sess = self._create()
                return function()
            except _PREEMPTION as error:
                logging.info("An error was raised. The current session will be closed and a new session will be created. "
                             "Error: %s", error)
                self.close()

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        return self._again(lambda: self._sess.run(fetches, feed_dict=feed_dict, options=options,
                                                  run_metadata=run_metadata))

    def run_step_fn(self, step_fn, raw_session, run_with_hooks):
        return self._again(lambda: self._sess.run_step_fn(step_fn, raw_session, self._sess.run))


class _Coordinated(_Wrapped):
    def __init__(self, sess, coord, stop_grace_period_secs):
        super().__init__(sess)
        self._coord, self._grace = coord, stop_grace_period_secs

    def _check_stop(self):
        self._coord.raise_requested_exception()
        return self._coord.should_stop()

    def close(self):
        self._coord.request_stop()
        try:
            self._coord.join(stop_grace_period_secs=self._grace, ignore_live_threads=True)
        finally:
            try:
                super().close()
            except Exception as error:
                logging.debug("closing: %s", error)

    def run(self, *arguments, **keywords):
        try:
            return self._sess.run(*arguments, **keywords)
        except _PREEMPTION:
            raise
        except Exception as original:
            try:
                self._coord.raise_requested_exception()
            except _PREEMPTION:
                raise
            except Exception:
                raise original from None
            raise


class _Hooked(_Wrapped):
    def __init__(self, sess, hooks):
        super().__init__(sess)
        self._hooks, self._should_stop = hooks, False

    def _check_stop(self):
        return self._should_stop

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        if self.should_stop():
            raise RuntimeError("Run called even after should_stop requested.")
        wanted = {"caller": fetches}
        context = hooks_lib.SessionRunContext(hooks_lib.SessionRunArgs(fetches, feed_dict), self._sess)
        options = options or proto.RunOptions()
        feed_dict = self._before(context, wanted, feed_dict, options)
        run_metadata = run_metadata if run_metadata is not None else proto.RunMetadata()
        outputs = self._sess.run(wanted, feed_dict=feed_dict, options=options, run_metadata=run_metadata)
        for hook in self._hooks:
            hook.after_run(context, hooks_lib.SessionRunValues(outputs.get(hook), options, run_metadata))
        self._should_stop = self._should_stop or context.stop_requested
        return outputs["caller"]

    def _before(self, context, wanted, user_feeds, options):
        feeds = {}
        for hook in self._hooks:
            request = hook.before_run(context)
            if request is None:
                continue
            if request.fetches is not None:
                wanted[hook] = request.fetches
            if request.feed_dict:
                _check_apart(feeds, request.feed_dict, "Same tensor is fed by two hooks.")
                feeds.update(request.feed_dict)
            if request.options:
                _merge_options(options, request.options)
        if not feeds:
            return user_feeds
        if user_feeds:
            _check_apart(user_feeds, feeds, "Same tensor is fed by a SessionRunHook and user.")
            feeds.update(user_feeds)
        return feeds


def _merge_options(options, asked):
    """Of what several ask of one run the most is done."""
    for name in ("trace_level", "timeout_in_ms", "inter_op_thread_pool", "output_partition_graphs"):
        setattr(options, name, max(getattr(options, name), getattr(asked, name)))
    options.debug_options.debug_tensor_watch_opts.extend(asked.debug_options.debug_tensor_watch_opts)
    options.debug_options.reset_disk_byte_usage = (options.debug_options.reset_disk_byte_usage or
                                                   asked.debug_options.reset_disk_byte_usage)
    options.report_tensor_allocations_upon_oom = (options.report_tensor_allocations_upon_oom or
                                                  asked.report_tensor_allocations_upon_oom)


def _check_apart(first, second, text):
    both = set(first) & set(second)
    if both:
        raise RuntimeError(text + " Conflict(s): " + str(list(both)))


class StepContext:
    """What a step function gets."""

    def __init__(self, session, run_with_hooks_fn):
        self._session, self._run_with_hooks_fn = session, run_with_hooks_fn

    session = property(lambda self: self._session)

    def run_with_hooks(self, *arguments, **keywords):
        return self._run_with_hooks_fn(*arguments, **keywords)

    def request_stop(self):
        raise StopIteration("step_fn has requested the iterations to stop.")


class _Creator(SessionCreator):
    """Makes the session, starts its queue runners and tells the hooks."""

    def __init__(self, creator, hooks, stop_grace_period_secs):
        self._creator, self._hooks, self._grace = creator, hooks, stop_grace_period_secs
        self.coord = self.tf_sess = None

    def create_session(self):
        self.tf_sess = self._creator.create_session()
        self.coord = runners.Coordinator(clean_stop_exception_types=[])
        if graph_lib.get_collection(GraphKeys.QUEUE_RUNNERS):
            runners.start_queue_runners(sess=self.tf_sess, coord=self.coord)
        for hook in self._hooks:
            hook.after_create_session(self.tf_sess, self.coord)
        return _Coordinated(_Hooked(self.tf_sess, self._hooks), self.coord, self._grace)


class _MonitoredSession:
    StepContext = StepContext

    def __init__(self, session_creator, hooks, should_recover, stop_grace_period_secs=120):
        self._graph_was_finalized = get_default_graph().finalized
        self._hooks = hooks or []
        for hook in self._hooks:
            hook.begin()
        self._creator = _Creator(session_creator or ChiefSessionCreator(), self._hooks, stop_grace_period_secs)
        self._sess = _Recoverable(self._creator) if should_recover else self._creator.create_session()

    @property
    def graph(self):
        return None if self._tf_sess() is None else self._tf_sess().graph

    def _tf_sess(self):
        return self._creator.tf_sess

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        return self._sess.run(fetches, feed_dict=feed_dict, options=options, run_metadata=run_metadata)

    def run_step_fn(self, step_fn):
        names = tuple(inspect.signature(step_fn).parameters)
        if inspect.ismethod(step_fn):
            names = ("self",) + names
        if names not in (("step_context",), ("self", "step_context")):
            raise ValueError("`step_fn` may either have one `step_context` argument, or `self` and `step_context` "
                             "arguments if it's an instance method. Got {} instead.".format(names))
        return self._sess.run_step_fn(step_fn, self._tf_sess(), run_with_hooks=None)

    def should_stop(self):
        return self._sess is None or self._sess.should_stop()

    def close(self):
        self._close()

    def __enter__(self):
        return self

    def __exit__(self, exception_type, exception_value, traceback):
        if exception_type in (errors.OutOfRangeError, StopIteration):
            exception_type = None
        self._close(exception_type)
        return exception_type is None

    def _close(self, exception_type=None):
        try:
            if not exception_type:
                for hook in self._hooks:
                    hook.end(self._creator.tf_sess)
        finally:
            try:
                if self._sess is None:
                    raise RuntimeError("Session is already closed.")
                self._sess.close()
            finally:
                self._sess = self._creator.tf_sess = self._creator.coord = None
                if not self._graph_was_finalized:
                    get_default_graph()._unsafe_unfinalize()


class MonitoredSession(_MonitoredSession):
    def __init__(self, session_creator=None, hooks=None, stop_grace_period_secs=120):
        super().__init__(session_creator, hooks, True, stop_grace_period_secs)


class SingularMonitoredSession(_MonitoredSession):
    def __init__(self, hooks=None, scaffold=None, master="", config=None, checkpoint_dir=None, stop_grace_period_secs=120,
                 checkpoint_filename_with_path=None):
        creator = ChiefSessionCreator(scaffold, master, config, checkpoint_dir, checkpoint_filename_with_path)
        super().__init__(creator, hooks, False, stop_grace_period_secs)

    def raw_session(self):
        return self._tf_sess()


def _either(steps, secs, default_steps, default_secs):
    """One of the two; the defaults where neither was given."""
    if steps is USE_DEFAULT and secs is USE_DEFAULT:
        return default_steps, default_secs
    return None if steps is USE_DEFAULT else steps, None if secs is USE_DEFAULT else secs


def MonitoredTrainingSession(master="", is_chief=True, checkpoint_dir=None, scaffold=None, hooks=None,
                             chief_only_hooks=None, save_checkpoint_secs=USE_DEFAULT, save_summaries_steps=USE_DEFAULT,
                             save_summaries_secs=USE_DEFAULT, config=None, stop_grace_period_secs=120,
                             log_step_count_steps=100, max_wait_secs=7200, save_checkpoint_steps=USE_DEFAULT,
                             summary_dir=None):
    """A session that saves checkpoints and summaries by itself."""
    summary_steps, summary_secs = _either(save_summaries_steps, save_summaries_secs, 100, None)
    checkpoint_steps, checkpoint_secs = _either(save_checkpoint_steps, save_checkpoint_secs, None, 600)
    scaffold = scaffold or Scaffold()
    if not is_chief:
        creator = WorkerSessionCreator(scaffold=scaffold, master=master, config=config, max_wait_secs=max_wait_secs)
        return MonitoredSession(creator, hooks or [], stop_grace_period_secs)
    all_hooks = list(chief_only_hooks or [])
    creator = ChiefSessionCreator(scaffold=scaffold, checkpoint_dir=checkpoint_dir, master=master, config=config)
    summary_dir = summary_dir or checkpoint_dir
    if summary_dir:
        if log_step_count_steps and log_step_count_steps > 0:
            all_hooks.append(hooks_lib.StepCounterHook(output_dir=summary_dir, every_n_steps=log_step_count_steps))
        if summary_steps and summary_steps > 0 or summary_secs and summary_secs > 0:
            all_hooks.append(hooks_lib.SummarySaverHook(scaffold=scaffold, save_steps=summary_steps,
                                                        save_secs=summary_secs, output_dir=summary_dir))
    if checkpoint_dir and (checkpoint_secs and checkpoint_secs > 0 or checkpoint_steps and checkpoint_steps > 0):
        all_hooks.append(hooks_lib.CheckpointSaverHook(checkpoint_dir, save_steps=checkpoint_steps,
                                                       save_secs=checkpoint_secs, scaffold=scaffold))
    all_hooks.extend(hooks or [])
    return MonitoredSession(creator, all_hooks, stop_grace_period_secs)
