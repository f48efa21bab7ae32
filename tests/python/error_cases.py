# error_cases.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Runs a wrong script and gives the class and text of what it raises: under TensorFlow when it is recorded, under our
face in the test."""

import json
import os
import re
import signal

SECONDS = 60


def clean(text):
    """Without what depends on the machine: stacks, positions in files, folders, addresses."""
    text = re.split(r"\n*Original stack trace for ", text)[0]
    text = re.sub(r"defined at [^()\n]*?:\d+\)", "defined at FILE:LINE)", text)
    text = re.sub(r'\n  File "[^"]*", line \d+.*(\n    .*)?', "", text)
    text = re.sub(r"(/[\w.\-]+)+/(?=[\w.\-]+\.py:\d)", "", text)
    return re.sub(r"0x[0-9a-f]{6,}", "ADDRESS", text)


class Case:
    """What a script uses to run things."""

    def __init__(self, tf):
        self._tf, self._graph, self._session = tf, tf.get_default_graph(), None

    def open(self):
        if self._session is None:
            self._session = self._tf.Session(graph=self._graph)
        return self._session

    def run(self, fetches, feeds=None, timeout_ms=None):
        options = None if timeout_ms is None else self._tf.RunOptions(timeout_in_ms=timeout_ms)
        return self.open().run(fetches, feeds or {}, options=options)

    def save(self, prefix, **values):
        """A checkpoint made with another graph."""
        tf = self._tf
        if not os.path.isdir("ckpt"):
            os.makedirs("ckpt")
        with tf.Graph().as_default(), tf.Session() as session:
            variables = {k: tf.Variable(v) for k, v in values.items()}
            session.run(tf.global_variables_initializer())
            tf.train.Saver(variables).save(session, "ckpt/" + prefix, write_meta_graph=False, write_state=False)
        return "ckpt/" + prefix


def run(prelude, source, name):
    """(class, text) of what the function `name` of the source raises, (None, "") where it raises nothing."""
    import tensorflow.compat.v1 as tf
    scope = {}
    exec(compile(prelude + "\n" + source, "case.py", "exec"), scope)
    with tf.Graph().as_default():
        case = Case(tf)
        try:
            scope[name](case)
        except Exception as error:
            if isinstance(error, tf.errors.OpError):
                return type(error).__name__, clean(error.message)
            text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
            return type(error).__name__, clean(text)
    return None, ""


def run_in_child(prelude, source, name):
    """run() in a process of its own, so that numbers that are given out begin anew."""
    source_end, sink = os.pipe()
    pid = os.fork()
    if pid == 0:
        signal.alarm(SECONDS)
        result = run(prelude, source, name)
        with os.fdopen(sink, "w") as file:
            json.dump(result, file)
        os._exit(0)
    os.close(sink)
    with os.fdopen(source_end) as file:
        text = file.read()
    os.waitpid(pid, 0)
    return tuple(json.loads(text)) if text else ("ended", "the process ended")
