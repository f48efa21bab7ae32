# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.logging: the logger named tensorflow, on standard error."""

import logging
import sys

DEBUG, INFO, WARN, ERROR, FATAL = logging.DEBUG, logging.INFO, logging.WARN, logging.ERROR, logging.FATAL
_counters = {}


def get_logger():
    logger = logging.getLogger("tensorflow")
    if not logger.handlers and not logging.getLogger().handlers:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("%(levelname)s:%(name)s:%(message)s"))
        logger.addHandler(handler)
    return logger


def log(level, msg, *args, **keywords):
    get_logger().log(level, msg, *args, **keywords)


def debug(msg, *args, **keywords):
    log(DEBUG, msg, *args, **keywords)


def info(msg, *args, **keywords):
    log(INFO, msg, *args, **keywords)


def warn(msg, *args, **keywords):
    log(WARN, msg, *args, **keywords)


warning = warn


def error(msg, *args, **keywords):
    log(ERROR, msg, *args, **keywords)


def fatal(msg, *args, **keywords):
    log(FATAL, msg, *args, **keywords)


vlog = log


def get_verbosity():
    return get_logger().getEffectiveLevel()


def set_verbosity(value):
    get_logger().setLevel(value)


def log_if(level, msg, condition, *args):
    if condition:
        log(level, msg, *args)


def log_every_n(level, msg, n, *args):
    """Every so many times that this line of the script is come to."""
    log_if(level, msg, not _count() % n, *args)


def log_first_n(level, msg, n, *args):
    log_if(level, msg, _count() < n, *args)


def _count():
    frame = sys._getframe(2)
    key = (frame.f_code.co_filename, frame.f_lineno)
    _counters[key] = _counters.get(key, -1) + 1
    return _counters[key]


def flush():
    for handler in get_logger().handlers:
        handler.flush()


class TaskLevelStatusMessage:
    """tf.logging.TaskLevelStatusMessage(text)."""

    def __new__(cls, msg):
        error(msg)
