/* flow-run-entry.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * One run of a run file, or one restore.
 */

#include "config.h"

#include "flow-run-file.h"

#include "flow-util.h"

#include <string.h>

G_DEFINE_BOXED_TYPE (FlowRunEntry, flow_run_entry, flow_run_entry_copy, flow_run_entry_free)

/**
 * flow_run_entry_new:
 * @name: what it is called
 *
 * Returns: (transfer full): an entry that happens once and asks for nothing yet
 */
FlowRunEntry *
flow_run_entry_new (const char *name)
{
  FlowRunEntry *self = g_new0 (FlowRunEntry, 1);

  self->name = g_strdup (name);
  self->repeat = 1;
  self->fetches = g_new0 (char *, 1);
  self->targets = g_new0 (char *, 1);
  self->feed_names = g_new0 (char *, 1);
  self->feeds = g_new0 (char *, 1);
  return self;
}

/**
 * flow_run_entry_copy:
 * @self: an entry
 *
 * Returns: (transfer full): a copy
 */
FlowRunEntry *
flow_run_entry_copy (const FlowRunEntry *self)
{
  FlowRunEntry *copy = g_memdup2 (self, sizeof *self);

  copy->name = g_strdup (self->name);
  copy->fetches = g_strdupv (self->fetches);
  copy->targets = g_strdupv (self->targets);
  copy->feed_names = g_strdupv (self->feed_names);
  copy->feeds = g_strdupv (self->feeds);
  copy->expect_error = g_strdup (self->expect_error);
  copy->restore = g_strdup (self->restore);
  copy->map_new = g_strdupv (self->map_new);
  copy->map_old = g_strdupv (self->map_old);
  copy->only = g_strdupv (self->only);
  return copy;
}

/**
 * flow_run_entry_free:
 * @self: (transfer full) (nullable): an entry
 */
void
flow_run_entry_free (FlowRunEntry *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_strfreev (self->fetches);
  g_strfreev (self->targets);
  g_strfreev (self->feed_names);
  g_strfreev (self->feeds);
  g_free (self->expect_error);
  g_free (self->restore);
  g_strfreev (self->map_new);
  g_strfreev (self->map_old);
  g_strfreev (self->only);
  g_free (self);
}

static void
strv_append (char     ***strv,
             const char *text)
{
  guint n = g_strv_length (*strv);

  *strv = g_renew (char *, *strv, n + 2);
  (*strv)[n] = g_strdup (text);
  (*strv)[n + 1] = NULL;
}

/**
 * flow_run_entry_set_feed:
 * @self: an entry
 * @tensor: the tensor fed
 * @json: (nullable): its feed, %NULL for no feed
 */
void
flow_run_entry_set_feed (FlowRunEntry *self,
                         const char   *tensor,
                         const char   *json)
{
  for (guint i = 0; self->feed_names[i] != NULL; i++)
    if (strcmp (self->feed_names[i], tensor) == 0)
      {
        if (json != NULL)
          {
            flow_set_str (&self->feeds[i], json);
            return;
          }
        g_free (self->feed_names[i]);
        g_free (self->feeds[i]);
        for (; self->feed_names[i] != NULL; i++)
          {
            self->feed_names[i] = self->feed_names[i + 1];
            self->feeds[i] = self->feeds[i + 1];
          }
        return;
      }
  if (json == NULL)
    return;
  strv_append (&self->feed_names, tensor);
  strv_append (&self->feeds, json);
}

/**
 * flow_run_entry_add_fetch:
 * @self: an entry
 * @tensor: a tensor wanted
 */
void
flow_run_entry_add_fetch (FlowRunEntry *self,
                          const char   *tensor)
{
  strv_append (&self->fetches, tensor);
}

/**
 * flow_run_entry_add_target:
 * @self: an entry
 * @node: an op to run
 */
void
flow_run_entry_add_target (FlowRunEntry *self,
                           const char   *node)
{
  strv_append (&self->targets, node);
}
