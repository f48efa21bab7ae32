# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.framework."""

from .. import nest  # noqa: F401
from ..control.control_flow import smart_case, smart_cond, smart_constant_value, with_dependencies  # noqa: F401
from ..framework.graph import get_default_graph
from ..framework.ops import graph_of as get_graph_from_inputs  # noqa: F401
from ..learning.training_util import assert_global_step, create_global_step, get_global_step
from ..learning.training_util import get_or_create_global_step
from ..operators.check_ops import assert_same_float_dtype, assert_scalar, is_numeric_tensor  # noqa: F401
from ..saving.checkpoint_state import list_variables, load_checkpoint, load_variable  # noqa: F401
from ..saving.warm_start import init_from_checkpoint  # noqa: F401
from .arg_scopes import add_arg_scope, arg_scope, arg_scope_func_key, arg_scoped_arguments, current_arg_scope
from .arg_scopes import has_arg_scope
from .model_variables import add_model_variable, assert_or_get_global_step, assign_from_checkpoint
from .model_variables import assign_from_checkpoint_fn, assign_from_values, assign_from_values_fn, filter_variables
from .model_variables import get_local_variables, get_model_variables, get_trainable_variables, get_unique_variable
from .model_variables import get_variable_full_name, get_variables, get_variables_by_name, get_variables_by_suffix
from .model_variables import get_variables_to_restore, global_variable, local_variable, model_variable, variable
from .shapes import with_same_shape, with_shape  # noqa: F401


def get_name_scope():
    return get_default_graph().get_name_scope()


def is_tensor(x):
    from ..framework.graph import Tensor
    from ..state.variables import Variable
    return isinstance(x, (Tensor, Variable))
