/* flow-builder-library.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder-private.h"

#include "flow-model.h"

/* The functions that nodes of a graph in the making call. They come as TensorFlow writes them. */

/* What a consumer of a graph with functions has to know (TF: ops.Graph._add_function). */
#define FUNCTIONS_MIN_CONSUMER 12

/**
 * flow_builder_add_library:
 * @self: a builder
 * @graph_def: a GraphDef whose function library is taken; it has no nodes
 * @error: where to put an error
 *
 * Adds functions to the graph. Of a name that it has already the first function stays.
 *
 * Returns: %FALSE with %FLOW_ERROR_INVALID_ARGUMENT where @graph_def cannot be read, %FLOW_ERROR_FAILED_PRECONDITION
 *   where the graph is finalized
 */
gboolean
flow_builder_add_library (FlowBuilder  *self,
                          GBytes       *graph_def,
                          GError      **error)
{
  g_return_val_if_fail (FLOW_IS_BUILDER (self) && graph_def != NULL, FALSE);

  if (self->finalized)
    {
      g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION,
                           "Graph is finalized and cannot be modified.");
      return FALSE;
    }
  if (self->library == NULL)
    self->library = flow_graph_new ();
  if (!flow_graph_extend_from_bytes (self->library, graph_def, NULL, error))
    return FALSE;
  flow_graph_set_versions (self->library, FLOW_BUILDER_PRODUCER, FUNCTIONS_MIN_CONSUMER, NULL, 0);
  return TRUE;
}

/* Gives @graph, which came from this builder, the functions that it has not got. */
gboolean
_flow_builder_write_library (FlowBuilder  *self,
                             FlowGraph    *graph,
                             GError      **error)
{
  g_autoptr (GBytes) bytes = NULL;

  if (self->library == NULL
      || flow_graph_get_n_functions (graph) >= flow_graph_get_n_functions (self->library))
    return TRUE;
  bytes = flow_graph_to_bytes (self->library, error);
  return bytes != NULL && flow_graph_extend_from_bytes (graph, bytes, NULL, error);
}
