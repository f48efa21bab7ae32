# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.Model and tf.keras.Sequential."""

from .network import Network, _SequentialCalls
from .training import Training


class Model(Training, Network):
    """A network that can be trained."""


class Sequential(_SequentialCalls, Model):
    """Layers one after another."""
