# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.graph_editor: views, copies and other connections of graphs that are made already."""

from .edit import bypass, connect, detach, detach_control_inputs, detach_control_outputs, detach_inputs  # noqa: F401
from .edit import detach_outputs  # noqa: F401
from .reroute import add_control_inputs, remove_control_inputs, reroute_inputs, reroute_ios, reroute_outputs
from .reroute import reroute_ts, swap_inputs, swap_ios, swap_outputs, swap_ts
from .select import can_be_regex, check_cios, compute_boundary_ts, filter_ops, filter_ops_from_regex, filter_ts
from .select import filter_ts_from_regex, get_backward_walk_ops, get_forward_walk_ops, get_name_scope_ops, get_ops_ios
from .select import get_walks_intersection_ops, get_walks_union_ops, get_within_boundary_ops, make_regex, select_ops
from .select import select_ops_and_ts, select_ts
from .subgraph import SubGraphView, make_view, make_view_from_scope  # noqa: F401
from .transform import Transformer, TransformerInfo, assign_renamed_collections_handler, clone, copy, copy_op_handler
from .transform import copy_with_input_replacements, graph_replace, keep_t_if_possible_handler
from .transform import replace_t_with_placeholder_handler, transform_op_if_inside_handler
from .util import ControlOutputs, find_corresponding, find_corresponding_elem, get_consuming_ops, get_generating_ops
from .util import get_tensors, get_unique_graph, make_list_of_op, make_list_of_t
from .util import make_placeholder_from_dtype_and_shape, make_placeholder_from_tensor, placeholder_name

ph = make_placeholder_from_dtype_and_shape
sgv = make_view
sgv_scope = make_view_from_scope
