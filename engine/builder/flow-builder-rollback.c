/* flow-builder-rollback.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder-private.h"

/* Many nodes at once, all or none: what fails half-way leaves the graph as it was. */

typedef struct {
  char *key;
  int count;                   /* what it was before; 0 where the name was free */
} NameBefore;

struct _FlowBuildMark {
  guint32 n_nodes;
  GArray *names;               /* of NameBefore, in the order of the changes */
};

static void
name_clear (gpointer data)
{
  g_free (((NameBefore *) data)->key);
}

/**
 * flow_builder_begin:
 * @self: a builder
 *
 * What is added from now on can be taken back as a whole by flow_builder_roll_back(), until flow_builder_commit().
 * There is no second beginning within the first: that one begins where the first did.
 */
void
flow_builder_begin (FlowBuilder *self)
{
  g_return_if_fail (FLOW_IS_BUILDER (self));

  if (self->mark != NULL)
    return;
  self->mark = g_new0 (FlowBuildMark, 1);
  self->mark->n_nodes = self->nodes->len;
  self->mark->names = g_array_new (FALSE, FALSE, sizeof (NameBefore));
  g_array_set_clear_func (self->mark->names, name_clear);
}

/**
 * flow_builder_commit:
 * @self: a builder
 *
 * Keeps what was added since flow_builder_begin().
 */
void
flow_builder_commit (FlowBuilder *self)
{
  g_return_if_fail (FLOW_IS_BUILDER (self));

  if (self->mark == NULL)
    return;
  g_array_unref (self->mark->names);
  g_clear_pointer (&self->mark, g_free);
}

/* A name's count is about to change. */
void
_flow_builder_note_name (FlowBuilder *self,
                         const char  *key,
                         int          count)
{
  NameBefore before = { g_strdup (key), count };

  g_array_append_val (self->mark->names, before);
}

static void
restore_names (FlowBuilder *self)
{
  for (guint i = self->mark->names->len; i > 0; i--)
    {
      NameBefore *before = &g_array_index (self->mark->names, NameBefore, i - 1);

      if (before->count == 0)
        g_hash_table_remove (self->names_in_use, before->key);
      else
        g_hash_table_insert (self->names_in_use, g_strdup (before->key), GINT_TO_POINTER (before->count));
    }
}

/* --- What of the graph before knows the nodes that go --- */

static gboolean
is_gone_node (gpointer key,
              gpointer value,
              gpointer first)
{
  return GPOINTER_TO_UINT (key) >= GPOINTER_TO_UINT (first);
}

static gboolean
is_gone_output (gpointer key,
                gpointer value,
                gpointer first)
{
  return FLOW_OUTPUT_NODE ((guint64) *(const gint64 *) key) >= GPOINTER_TO_UINT (first);
}

static gboolean
is_gone_external (gpointer key,
                  gpointer value,
                  gpointer first)
{
  return is_gone_output (key, NULL, first) || ((const FlowEndpoint *) value)->node >= GPOINTER_TO_UINT (first);
}

static void
drop_endpoints (GArray  *endpoints,
                guint32  first)
{
  for (guint i = endpoints->len; i > 0; i--)
    if (g_array_index (endpoints, FlowEndpoint, i - 1).node >= first)
      g_array_remove_index (endpoints, i - 1);
}

static void
drop_endpoint (FlowEndpoint *at,
               guint32       first)
{
  if (at->node >= first)
    *at = FLOW_NO_ENDPOINT;
}

static void
forget_in_context (FlowContext *context,
                   guint32      first)
{
  g_hash_table_foreach_remove (context->values, is_gone_output, GUINT_TO_POINTER (first));
  g_hash_table_foreach_remove (context->external, is_gone_external, GUINT_TO_POINTER (first));
  drop_endpoint (&context->pivot, first);
  drop_endpoint (&context->pred, first);
  drop_endpoint (&context->pivot_for_pred, first);
  drop_endpoint (&context->pivot_for_body, first);
  drop_endpoint (&context->maximum_iterations, first);
  if (!context->is_while)
    return;
  drop_endpoints (context->enters, first);
  drop_endpoints (context->merges, first);
  drop_endpoints (context->switches, first);
  drop_endpoints (context->exits, first);
}

/* Readers stand in the order in which they came. */
static void
drop_readers (FlowBuilder   *self,
              FlowBuildNode *reader,
              guint32        first)
{
  for (guint i = 0; i < reader->inputs->len; i++)
    {
      guint32 source = g_array_index (reader->inputs, FlowEndpoint, i).node;
      GArray *consumers = source < first ? _flow_builder_node (self, source)->consumers : NULL;

      while (consumers != NULL && consumers->len > 0 && g_array_index (consumers, guint32, consumers->len - 1) >= first)
        g_array_set_size (consumers, consumers->len - 1);
    }
}

/**
 * flow_builder_roll_back:
 * @self: a builder
 *
 * Takes back every node added since flow_builder_begin(), their names, and what the graph from before knew of them.
 * Functions of the library stay, as they do in TensorFlow when an import fails. Indices of the nodes are given anew.
 */
void
flow_builder_roll_back (FlowBuilder *self)
{
  guint32 first;

  g_return_if_fail (FLOW_IS_BUILDER (self));

  if (self->mark == NULL)
    return;
  first = self->mark->n_nodes;
  self->settles_later = FALSE;
  restore_names (self);
  flow_builder_commit (self);
  if (first == self->nodes->len)
    return;
  for (guint32 i = first; i < self->nodes->len; i++)
    {
      FlowBuildNode *node = _flow_builder_node (self, i);

      drop_readers (self, node, first);
      g_hash_table_remove (self->by_name, node->name);
    }
  for (guint i = 0; i < self->controllers->len; i++)
    g_hash_table_foreach_remove (((FlowController *) g_ptr_array_index (self->controllers, i))->made, is_gone_node,
                                 GUINT_TO_POINTER (first));
  for (guint i = 0; i < self->contexts->len; i++)
    forget_in_context (g_ptr_array_index (self->contexts, i), first);
  g_hash_table_foreach_remove (self->constants, is_gone_output, GUINT_TO_POINTER (first));
  _flow_builder_touch (self, first);
  g_ptr_array_set_size (self->nodes, (gint) first);
}
