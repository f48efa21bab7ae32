/* flow-forest-leaves.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * The leaves of a tree that grows, and the resource that keeps them beside it.
 */

#include "config.h"

#include "flow-forest-leaves-private.h"

#include "flow-array-private.h"

/* --- leaves ---------------------------------------------------------------------------------------------------------- */

static void
slot_unref (gpointer slot)
{
  _flow_forest_slot_unref (slot);
}

FlowForestLeaves *
_flow_forest_leaves_new (void)
{
  FlowForestLeaves *self = g_new (FlowForestLeaves, 1);

  self->order = _flow_int_map_new ();
  self->slots = g_hash_table_new_full (NULL, NULL, NULL, slot_unref);
  return self;
}

void
_flow_forest_leaves_free (gpointer data)
{
  FlowForestLeaves *self = data;

  _flow_int_map_free (self->order);
  g_hash_table_unref (self->slots);
  g_free (self);
}

/* Takes @slot. */
void
_flow_forest_leaves_put (FlowForestLeaves         *self,
            gint32          node,
            FlowForestSlot *slot)
{
  _flow_int_map_set (self->order, node, 0);
  g_hash_table_replace (self->slots, GINT_TO_POINTER (node), slot);
}

void
_flow_forest_leaves_remove (FlowForestLeaves *self,
               gint32  node)
{
  _flow_int_map_remove (self->order, node);
  g_hash_table_remove (self->slots, GINT_TO_POINTER (node));
}

FlowForestSlot *
_flow_forest_leaves_find (const FlowForestLeaves  *self,
             gint32         node,
             GError       **error)
{
  FlowForestSlot *slot = g_hash_table_lookup (self->slots, GINT_TO_POINTER (node));

  /* TF: ends itself. */
  if (slot == NULL)
    _flow_refuse (error, "nothing is known of node %d: it is no leaf that grows", node);
  return slot;
}

FlowForestLeaves *
_flow_forest_leaves_copy (const FlowForestLeaves *self)
{
  FlowForestLeaves *copy = g_new (FlowForestLeaves, 1);
  GHashTableIter iter;
  gpointer node;
  gpointer slot;

  copy->order = _flow_int_map_copy (self->order);
  copy->slots = g_hash_table_new_full (NULL, NULL, NULL, slot_unref);
  g_hash_table_iter_init (&iter, self->slots);
  while (g_hash_table_iter_next (&iter, &node, &slot))
    g_hash_table_insert (copy->slots, node, _flow_forest_slot_ref (slot));
  return copy;
}

GBytes *
_flow_forest_leaves_write (const FlowForestLeaves  *self,
              GError       **error)
{
  FlowProtoWriter w;
  gint32 at = -1;
  gint32 node;

  flow_proto_writer_init (&w);
  while (_flow_int_map_next (self->order, &at, &node, NULL))
    _flow_forest_slot_write (g_hash_table_lookup (self->slots, GINT_TO_POINTER (node)), &w, node);
  return flow_proto_writer_finish (&w, error);
}

/* Node and depth of a slot, which stand behind what depends on them. */
static void
read_place (FlowProtoReader  r,
            gint32          *node,
            gint32          *depth)
{
  enum { SLOT_NODE = 5, SLOT_DEPTH = 7 };

  while (flow_proto_reader_next (&r))
    if (r.field == SLOT_NODE)
      flow_proto_reader_get_int32 (&r, node);
    else if (r.field == SLOT_DEPTH)
      flow_proto_reader_get_int32 (&r, depth);
}

gboolean
_flow_forest_leaves_parse (FlowForestLeaves                  *leaves,
              const FlowForestParams  *params,
              Text                     text,
              GError                 **error)
{
  FlowProtoReader r;
  FlowProtoReader slot;

  flow_proto_reader_init (&r, text.bytes, text.length);
  while (flow_proto_reader_next (&r))
    {
      g_autoptr (FlowForestSlot) made = NULL;
      gint32 node = 0;
      gint32 depth = 0;

      if (r.field != 1 || !flow_proto_reader_enter (&r, &slot))
        continue;
      read_place (slot, &node, &depth);
      if (!_flow_forest_slot_check (params, depth, error))
        return FALSE;
      made = _flow_forest_slot_new (params, depth);
      if (!_flow_forest_slot_parse (made, &slot))
        return _flow_refuse (error, "Unable to parse stats config.");
      _flow_forest_leaves_put (leaves, node, g_steal_pointer (&made));
    }
  return !flow_proto_reader_failed (&r) || _flow_refuse (error, "Unable to parse stats config.");
}

static void
stats_finalize (FlowResource *resource)
{
  /* A resource that is only a name has neither. */
  g_clear_pointer (&((FlowForestStats *) resource)->leaves, _flow_forest_leaves_free);
  g_clear_pointer (&((FlowForestStats *) resource)->params, g_free);
}

static gpointer
stats_save (FlowResource *resource)
{
  return _flow_forest_leaves_copy (((FlowForestStats *) resource)->leaves);
}

static void
stats_restore (FlowResource  *resource,
               gconstpointer  saved)
{
  FlowForestStats *self = (FlowForestStats *) resource;
  FlowForestLeaves *leaves = _flow_forest_leaves_copy (saved);

  _flow_forest_leaves_free (self->leaves);
  self->leaves = leaves;
}

static gsize
saved_bytes (gconstpointer saved)
{
  GHashTableIter iter;
  gpointer slot;
  gsize n = 0;

  g_hash_table_iter_init (&iter, ((const FlowForestLeaves *) saved)->slots);
  while (g_hash_table_iter_next (&iter, NULL, &slot))
    n += _flow_forest_slot_bytes (slot);
  return n;
}

static void
stats_visit (FlowResource        *resource,
             FlowResourceVisitor  visitor,
             gpointer             data)
{
  _flow_named_visit_text ("leaves", _flow_forest_leaves_write (((FlowForestStats *) resource)->leaves, NULL), visitor,
                          data);
}

static char *
stats_describe (FlowResource *resource)
{
  return g_strdup_printf ("Leaves[size=%u]", g_hash_table_size (((FlowForestStats *) resource)->leaves->slots));
}

const FlowResourceClass _flow_forest_stats_class = {
  .type_name = "N10tensorflow12tensorforest20FertileStatsResourceE",
  .finalize = stats_finalize,
  .save = stats_save,
  .restore = stats_restore,
  .saved_free = _flow_forest_leaves_free,
  .saved_bytes = saved_bytes,
  .visit = stats_visit,
  .describe = stats_describe,
};

/* Takes @leaves. */
void
_flow_forest_stats_replace (FlowKernelContext *c,
               FlowForestStats             *self,
               FlowForestLeaves            *leaves)
{
  flow_kernel_will_write (c, self);
  _flow_forest_leaves_free (self->leaves);
  self->leaves = leaves;
  flow_kernel_wrote (c, self);
}
