# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras in graph mode."""

import sys
import types

from ..learning import activations as _activations
from . import applications as _applications, backend, callbacks, configs, datasets, layers, losses, metrics
from . import model_configs, optimizers, preprocessing, saving
from . import schedules, serialization, utils
from .input_layers import Input  # noqa: F401
from .models import Model, Sequential

__version__ = "2.2.4-tf"


def _module(tf, name, members):
    module = types.ModuleType(tf.__name__ + ".keras." + name)
    module.__dict__.update(members)
    sys.modules[module.__name__] = module
    if "." not in name:
        setattr(tf.keras, name, module)
    return module


def install(tf, submodule):
    """Puts tf.keras and its modules where scripts look for them."""
    me = sys.modules[__name__]
    tf.keras = me
    for name in ("backend", "callbacks", "layers", "losses", "metrics", "optimizers", "utils"):
        sys.modules["%s.keras.%s" % (tf.__name__, name)] = getattr(me, name)
    for module in [preprocessing, preprocessing.sequence, preprocessing.text, datasets] + datasets.SETS:
        sys.modules[module.__name__.replace(__name__, tf.__name__ + ".keras")] = module
    _module(tf, "models", dict(saving.FUNCTIONS, Model=Model, Sequential=Sequential, Input=Input))
    optimizers.schedules = _module(tf, "optimizers.schedules", dict(
        schedules.SCHEDULES, **serialization.pair(schedules.SCHEDULES, "decay")))
    _module(tf, "experimental", schedules.EXPERIMENTAL)
    _module(tf, "activations", dict(_activations._NAMED, get=_activations.get, serialize=_activations.serialize,
                                    deserialize=_activations.deserialize))
    for name, known, get in (("initializers", configs.INITIALIZERS, configs.initializer),
                             ("regularizers", configs.REGULARIZERS, configs.regularizer),
                             ("constraints", configs.CONSTRAINTS, configs.constraint)):
        _module(tf, name, dict(known, get=get, **serialization.pair(known, name[:-1])))
    found = _module(tf, "applications", _applications.MODELS)
    for name, members in _applications.MODULES.items():
        setattr(found, name, _module(tf, "applications." + name, members))
    for module, what in ((losses, "loss function"), (metrics, "metric function")):
        for name, function in serialization.pair(vars(module), what).items():
            setattr(module, name, function)
    layers.serialize, layers.deserialize = serialization.serialize_keras_object, model_configs.deserialize_layer

