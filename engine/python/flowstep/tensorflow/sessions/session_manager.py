# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Sessions that begin with a checkpoint or with initializers (tf.train.SessionManager)."""

import time

import numpy as np

from .. import errors
from ..framework import tf_logging as logging
from ..framework.graph import get_default_graph
from ..saving import checkpoint_state
from . import session as session_lib


def _name(obj):
    if obj is None:
        return "None"
    return obj.name if hasattr(obj, "name") else "<no name for %s>" % type(obj)


def _ready(op, sess, text):
    """(True, None), or (False, why not)."""
    if op is None:
        return True, None
    try:
        value = sess.run(op)
    except errors.FailedPreconditionError as error:
        if "uninitialized" not in str(error):
            logging.warning("%s : error [%s]", text, str(error))
            raise
        return False, str(error)
    if value is None or np.asarray(value).dtype == np.int32 or np.size(value) == 0:
        return True, None
    return False, "Variables not initialized: " + ", ".join(i.decode("utf-8") for i in value)


class SessionManager:
    def __init__(self, local_init_op=None, ready_op=None, ready_for_local_init_op=None, graph=None,
                 recovery_wait_secs=30, local_init_run_options=None):
        self._local_init_op, self._ready_op = local_init_op, ready_op
        self._ready_for_local_init_op = ready_for_local_init_op
        self._graph = get_default_graph() if graph is None else graph
        self._recovery_wait_secs, self._local_init_run_options = recovery_wait_secs, local_init_run_options
        if ready_for_local_init_op is not None and local_init_op is None:
            raise ValueError("If you pass a ready_for_local_init_op you must also pass a local_init_op , "
                             "ready_for_local_init_op [%s]" % ready_for_local_init_op)

    def _restore_checkpoint(self, master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint,
                            max_wait_secs, config):
        sess = session_lib.Session(master, graph=self._graph, config=config)
        if checkpoint_dir and checkpoint_filename_with_path:
            raise ValueError("Can not provide both checkpoint_dir and checkpoint_filename_with_path.")
        if not saver or not (checkpoint_dir or checkpoint_filename_with_path):
            return sess, False
        if checkpoint_filename_with_path:
            saver.restore(sess, checkpoint_filename_with_path)
            return sess, True
        waited = 0
        state = checkpoint_state.get_checkpoint_state(checkpoint_dir)
        while not state or not state.model_checkpoint_path:
            if not wait_for_checkpoint or waited >= max_wait_secs:
                return sess, False
            logging.info("Waiting for checkpoint to be available.")
            time.sleep(self._recovery_wait_secs)
            waited += self._recovery_wait_secs
            state = checkpoint_state.get_checkpoint_state(checkpoint_dir)
        saver.restore(sess, state.model_checkpoint_path)
        saver.recover_last_checkpoints(state.all_model_checkpoint_paths)
        return sess, True

    def prepare_session(self, master, init_op=None, saver=None, checkpoint_dir=None, checkpoint_filename_with_path=None,
                        wait_for_checkpoint=False, max_wait_secs=7200, config=None, init_feed_dict=None, init_fn=None):
        sess, restored = self._restore_checkpoint(master, saver, checkpoint_dir, checkpoint_filename_with_path,
                                                  wait_for_checkpoint, max_wait_secs, config)
        if not restored:
            if init_op is None and not init_fn and self._local_init_op is None:
                raise RuntimeError("Model is not initialized and no init_op or init_fn or local_init_op was given")
            if init_op is not None:
                sess.run(init_op, feed_dict=init_feed_dict)
            if init_fn:
                init_fn(sess)
        done, text = self._try_local_init(sess)
        if not done:
            raise RuntimeError("Init operations did not make model ready for local_init.  Init op: %s, init fn: %s, "
                               "error: %s" % (_name(init_op), init_fn, text))
        done, text = _ready(self._ready_op, sess, "Model not ready")
        if not done:
            raise RuntimeError("Init operations did not make model ready.  Init op: %s, init fn: %s, local_init_op: %s, "
                               "error: %s" % (_name(init_op), init_fn, self._local_init_op, text))
        return sess

    def recover_session(self, master, saver=None, checkpoint_dir=None, checkpoint_filename_with_path=None,
                        wait_for_checkpoint=False, max_wait_secs=7200, config=None):
        sess, restored = self._restore_checkpoint(master, saver, checkpoint_dir, checkpoint_filename_with_path,
                                                  wait_for_checkpoint, max_wait_secs, config)
        local_done, local_text = self._try_local_init(sess)
        if not restored:
            return sess, False
        source = checkpoint_dir or checkpoint_filename_with_path
        if not local_done:
            logging.info("Restoring model from %s did not make model ready for local init: %s", source, local_text)
            return sess, False
        done, text = _ready(self._ready_op, sess, "Model not ready")
        if not done:
            logging.info("Restoring model from %s did not make model ready: %s", source, text)
            return sess, False
        logging.info("Restored model from %s", source)
        return sess, True

    def wait_for_session(self, master, config=None, max_wait_secs=float("Inf")):
        max_wait_secs = float("Inf") if max_wait_secs is None else max_wait_secs
        end = time.time() + max_wait_secs
        while True:
            sess = session_lib.Session(master, graph=self._graph, config=config)
            done, local_text = self._try_local_init(sess)
            text = None
            if done:
                done, text = _ready(self._ready_op, sess, "Model not ready")
                if done:
                    return sess
            sess.close()
            if end - time.time() < self._recovery_wait_secs:
                raise errors.DeadlineExceededError(
                    None, None, "Session was not ready after waiting %d secs." % (max_wait_secs,))
            logging.info("Waiting for model to be ready.  Ready_for_local_init_op:  %s, ready: %s", local_text, text)
            time.sleep(self._recovery_wait_secs)

    def _try_local_init(self, sess):
        if self._local_init_op is None:
            return True, None
        done, text = _ready(self._ready_for_local_init_op, sess, "Model not ready for local init")
        if not done:
            return False, text
        logging.info("Running local_init_op.")
        sess.run(self._local_init_op, options=self._local_init_run_options)
        logging.info("Done running local_init_op.")
        return True, None
