# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.autograph.experimental."""

import enum
import functools

from .calls import UNCONVERTED


class Feature(enum.Enum):
    """What conversion may do beside control flow; here it is asked for in vain."""

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"


def do_not_convert(func=None):
    """The function stays as it was written, whoever calls it."""
    if func is None:
        return do_not_convert

    @functools.wraps(func)
    def unconverted(*arguments, **keywords):
        return func(*arguments, **keywords)

    setattr(unconverted, UNCONVERTED, True)
    return unconverted


def set_loop_options(**options):
    """Options of the loop that it stands in; loops go by their defaults."""
