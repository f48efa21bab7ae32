/* flow-debug-loops.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-debug-core-private.h"

#include "flow-function.h"

#include <string.h>

/* TensorFlow: a frame is its parent's name, the iteration it opens in, and the loop's own name. */
const char *
_flow_frame_get_name (const char *frame)
{
  const char *last = strrchr (frame, ';');

  return last != NULL ? last + 1 : frame;
}

/* The frame of a call is named after its caller; of those, these come round. */
static gboolean
is_loop (FlowGraph  *graph,
         const char *frame)
{
  static const char *const types[] = { "While", "StatelessWhile", "For", NULL };
  guint32 node = flow_graph_find_node (graph, frame);

  return node == FLOW_NODE_NONE || g_strv_contains (types, flow_graph_get_node_type (graph, node));
}

/* A loop's name may come up again and again: in each iteration of one around it. The last counts. */
FlowDebuggerReply *
_flow_core_loops (FlowDebugCore *core,
                  GVariant      *arguments,
                  GPtrArray     *tensors,
                  GError       **error)
{
  guint64 position = core->stepper != NULL ? flow_stepper_get_position (core->stepper) : 0;
  FlowListedRun *run =
    core->stepper != NULL ? flow_run_list_get_run (flow_stepper_get_list (core->stepper),
                                                   flow_stepper_run_at (core->stepper, position)) : NULL;
  g_autoptr(GHashTable) rows = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_autoptr(GPtrArray) names = g_ptr_array_new ();
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(sxx)"));
  for (guint64 k = run != NULL ? run->start : 0; run != NULL && k < flow_stepper_get_n_events (core->stepper); k++)
    {
      const FlowEvent *event = flow_stepper_get_event (core->stepper, k);
      const char *name = _flow_frame_get_name (event->frame);
      gint64 *row = NULL;

      if (event->run != run->number || *name == '\0')
        continue;
      row = g_hash_table_lookup (rows, name);
      if (row == NULL)
        {
          row = g_new0 (gint64, 2);
          row[0] = -1;
          g_hash_table_insert (rows, (gpointer) name, row);
          g_ptr_array_add (names, (gpointer) name);
        }
      if (k < position)
        row[0] = event->iteration;
      row[1] = MAX (row[1], (gint64) event->iteration);
    }
  for (guint i = 0; i < names->len; i++)
    {
      const gint64 *row = g_hash_table_lookup (rows, names->pdata[i]);

      if (row[1] > 0 || is_loop (core->graph, names->pdata[i]))
        g_variant_builder_add (&builder, "(sxx)", names->pdata[i], row[0], row[1]);
    }
  return _flow_reply (g_variant_new ("(@a(sxx))", g_variant_builder_end (&builder)));
}

/* --- ops of functions' bodies ------------------------------------------------------------------------ */

/* What has executed of the bodies in the run at hand: node -> FlowNodeState. */
static GHashTable *
list_body_states (FlowDebugCore *core)
{
  GHashTable *states = g_hash_table_new (NULL, NULL);
  guint64 position = flow_stepper_get_position (core->stepper);
  FlowListedRun *run =
    flow_run_list_get_run (flow_stepper_get_list (core->stepper), flow_stepper_run_at (core->stepper, position));
  guint32 next = FLOW_NODE_NONE;

  for (guint64 k = run != NULL ? run->start : 0; run != NULL && k < position; k++)
    {
      const FlowEvent *event = flow_stepper_get_event (core->stepper, k);

      if (event->run == run->number && flow_node_is_in_body (event->node) && event->phase != FLOW_CALL_ENTER
          && event->phase != FLOW_CALL_TURN)
        g_hash_table_insert (states, GUINT_TO_POINTER (event->node),
                             GUINT_TO_POINTER (event->dead ? FLOW_NODE_DEAD : FLOW_NODE_DONE));
    }
  if (run != NULL && run->run != NULL && !run->ended && flow_run_peek_next (run->run, &next, NULL, NULL, NULL))
    g_hash_table_insert (states, GUINT_TO_POINTER (next), GUINT_TO_POINTER (FLOW_NODE_NEXT));
  if (core->failed_node != FLOW_NODE_NONE)
    g_hash_table_insert (states, GUINT_TO_POINTER (core->failed_node), GUINT_TO_POINTER (FLOW_NODE_FAILED));
  return states;
}

FlowDebuggerReply *
_flow_core_body_states (FlowDebugCore *core,
                        GVariant      *arguments,
                        GPtrArray     *tensors,
                        GError       **error)
{
  g_autofree const char **names = NULL;
  g_autoptr(GHashTable) states = NULL;
  GVariantBuilder rows;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  g_variant_get (arguments, "(^a&s)", &names);
  states = core->stepper != NULL ? list_body_states (core) : g_hash_table_new (NULL, NULL);
  g_variant_builder_init (&rows, G_VARIANT_TYPE ("a(yu)"));
  for (guint i = 0; names[i] != NULL; i++)
    {
      guint32 node = flow_graph_find_node (core->graph, names[i]);
      guint8 state = FLOW_NODE_PENDING;

      if (node != FLOW_NODE_NONE && g_hash_table_contains (states, GUINT_TO_POINTER (node)))
        state = (guint8) GPOINTER_TO_UINT (g_hash_table_lookup (states, GUINT_TO_POINTER (node)));
      else if (node != FLOW_NODE_NONE && strcmp (flow_graph_get_node_type (core->graph, node), "_Arg") == 0)
        state = FLOW_NODE_FED;
      g_variant_builder_add (&rows, "(yu)", state, node);
    }
  return _flow_reply (g_variant_new ("(@a(yu))", g_variant_builder_end (&rows)));
}
