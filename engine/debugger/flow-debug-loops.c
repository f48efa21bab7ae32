/* flow-debug-loops.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-debug-core-private.h"

#include <string.h>

/* TensorFlow: a frame is its parent's name, the iteration it opens in, and the loop's own name. */
const char *
_flow_frame_get_name (const char *frame)
{
  const char *last = strrchr (frame, ';');

  return last != NULL ? last + 1 : frame;
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

      g_variant_builder_add (&builder, "(sxx)", names->pdata[i], row[0], row[1]);
    }
  return _flow_reply (g_variant_new ("(@a(sxx))", g_variant_builder_end (&builder)));
}
