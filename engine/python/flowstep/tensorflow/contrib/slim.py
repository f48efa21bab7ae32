# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.slim: layers, arg_scope, variables, losses, metrics and learning under one name."""

from . import layers_util as utils, learning, losses, metrics, slim_summaries as summaries  # noqa: F401
from .framework import *  # noqa: F401,F403
from .layers import *  # noqa: F401,F403
