/* flow-trees-proto.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * An ensemble of boosted trees as bytes.
 */

#include "config.h"

#include "flow-trees-private.h"

#include "flow-proto-writer.h"

#include <string.h>

/* Fields of boosted_trees.proto. */
enum { ENSEMBLE_TREES = 1, ENSEMBLE_WEIGHTS, ENSEMBLE_METADATA, ENSEMBLE_GROWING };
enum { TREE_NODES = 1 };
enum { NODE_LEAF = 1, NODE_BUCKETIZED, NODE_CATEGORICAL, NODE_DENSE, NODE_METADATA = 777 };
enum { LEAF_VECTOR = 1, LEAF_SCALAR = 3 };
enum { SPLIT_FEATURE = 1, SPLIT_THRESHOLD, SPLIT_LEFT, SPLIT_RIGHT, SPLIT_DIMENSION, SPLIT_DIRECTION };
enum { METADATA_GAIN = 1, METADATA_ORIGINAL };
enum { TREE_METADATA_LAYERS = 2, TREE_METADATA_FINALIZED, TREE_METADATA_PRUNED };
enum { PRUNED_ID = 1, PRUNED_CHANGES };
enum { GROWING_TREES = 1, GROWING_LAYERS, GROWING_BEGIN, GROWING_END };

/* --- reading ------------------------------------------------------------------------------------------------ */

static void
read_floats (FlowProtoReader  *r,
             GArray          **to)
{
  float value;

  if (*to == NULL)
    *to = g_array_new (FALSE, TRUE, sizeof (float));
  while (flow_proto_reader_each_float (r, &value))
    g_array_append_val (*to, value);
}

static void
read_leaf (FlowProtoReader *r,
           FlowTreeLeaf    *leaf)
{
  FlowProtoReader sub;

  while (flow_proto_reader_next (r))
    {
      if (r->field == LEAF_SCALAR)
        {
          flow_proto_reader_get_float (r, &leaf->scalar);
        }
      else if (r->field == LEAF_VECTOR && flow_proto_reader_enter (r, &sub))
        {
          if (leaf->vector == NULL)
            leaf->vector = g_array_new (FALSE, TRUE, sizeof (float));
          while (flow_proto_reader_next (&sub))
            if (sub.field == 1)
              read_floats (&sub, &leaf->vector);
        }
    }
}

static void
read_split (FlowProtoReader *r,
            FlowTreeNode    *node)
{
  while (flow_proto_reader_next (r))
    switch (r->field)
      {
      case SPLIT_FEATURE: flow_proto_reader_get_int32 (r, &node->feature_id); break;
      case SPLIT_THRESHOLD:
        if (node->kind == FLOW_TREE_DENSE)
          flow_proto_reader_get_float (r, &node->dense_threshold);
        else
          flow_proto_reader_get_int32 (r, &node->threshold);
        break;
      case SPLIT_LEFT: flow_proto_reader_get_int32 (r, &node->left_id); break;
      case SPLIT_RIGHT: flow_proto_reader_get_int32 (r, &node->right_id); break;
      case SPLIT_DIMENSION: flow_proto_reader_get_int32 (r, &node->dimension_id); break;
      case SPLIT_DIRECTION: flow_proto_reader_get_int32 (r, &node->default_direction); break;
      }
}

static void
read_node (FlowProtoReader *r,
           FlowTreeNode    *node)
{
  FlowProtoReader sub;
  FlowProtoReader leaf;

  while (flow_proto_reader_next (r))
    {
      if (r->field == NODE_LEAF && flow_proto_reader_enter (r, &sub))
        {
          node->kind = FLOW_TREE_LEAF;
          read_leaf (&sub, &node->leaf);
        }
      else if (r->field >= NODE_BUCKETIZED && r->field <= NODE_DENSE && flow_proto_reader_enter (r, &sub))
        {
          node->kind = (FlowTreeKind) r->field;
          read_split (&sub, node);
        }
      else if (r->field == NODE_METADATA && flow_proto_reader_enter (r, &sub))
        {
          node->has_metadata = TRUE;
          while (flow_proto_reader_next (&sub))
            if (sub.field == METADATA_GAIN)
              {
                flow_proto_reader_get_float (&sub, &node->gain);
              }
            else if (sub.field == METADATA_ORIGINAL && flow_proto_reader_enter (&sub, &leaf))
              {
                node->has_original = TRUE;
                read_leaf (&leaf, &node->original);
              }
        }
    }
}

static void
read_tree (FlowProtoReader *r,
           GArray          *nodes)
{
  FlowProtoReader sub;

  while (flow_proto_reader_next (r))
    if (r->field == TREE_NODES && flow_proto_reader_enter (r, &sub))
      {
        g_array_set_size (nodes, nodes->len + 1);
        read_node (&sub, &g_array_index (nodes, FlowTreeNode, nodes->len - 1));
      }
}

GArray *
_flow_tree_parse (gconstpointer data,
                  gsize         size)
{
  g_autoptr (GArray) nodes = _flow_tree_new_nodes ();
  FlowProtoReader r;

  flow_proto_reader_init (&r, data, size);
  read_tree (&r, nodes);
  return flow_proto_reader_failed (&r) ? NULL : g_steal_pointer (&nodes);
}

static void
read_metadata (FlowProtoReader  *r,
               FlowTreeMetadata *metadata)
{
  FlowProtoReader sub;

  while (flow_proto_reader_next (r))
    if (r->field == TREE_METADATA_LAYERS)
      {
        flow_proto_reader_get_int32 (r, &metadata->n_layers);
      }
    else if (r->field == TREE_METADATA_FINALIZED)
      {
        flow_proto_reader_get_bool (r, &metadata->is_finalized);
      }
    else if (r->field == TREE_METADATA_PRUNED && flow_proto_reader_enter (r, &sub))
      {
        FlowTreePruned pruned = { 0 };

        if (metadata->pruned == NULL)
          metadata->pruned = _flow_tree_new_pruned ();
        while (flow_proto_reader_next (&sub))
          if (sub.field == PRUNED_ID)
            flow_proto_reader_get_int32 (&sub, &pruned.new_id);
          else if (sub.field == PRUNED_CHANGES)
            read_floats (&sub, &pruned.changes);
        g_array_append_val (metadata->pruned, pruned);
      }
}

static void
read_growing (FlowProtoReader *r,
              FlowEnsemble    *self)
{
  self->has_growing = TRUE;
  while (flow_proto_reader_next (r))
    switch (r->field)
      {
      case GROWING_TREES: flow_proto_reader_get_int64 (r, &self->n_trees_attempted); break;
      case GROWING_LAYERS: flow_proto_reader_get_int64 (r, &self->n_layers_attempted); break;
      case GROWING_BEGIN: flow_proto_reader_get_int32 (r, &self->last_layer_begin); break;
      case GROWING_END: flow_proto_reader_get_int32 (r, &self->last_layer_end); break;
      }
}

FlowEnsemble *
_flow_ensemble_parse (gconstpointer data,
                      gsize         size)
{
  g_autoptr (FlowEnsemble) self = _flow_ensemble_new ();
  FlowProtoReader r;
  FlowProtoReader sub;

  flow_proto_reader_init (&r, data, size);
  while (flow_proto_reader_next (&r))
    {
      if (r.field == ENSEMBLE_WEIGHTS)
        {
          read_floats (&r, &self->weights);
        }
      else if (r.field <= ENSEMBLE_GROWING && flow_proto_reader_enter (&r, &sub))
        {
          if (r.field == ENSEMBLE_TREES)
            {
              g_ptr_array_add (self->trees, _flow_tree_new_nodes ());
              read_tree (&sub, self->trees->pdata[self->trees->len - 1]);
            }
          else if (r.field == ENSEMBLE_METADATA)
            {
              g_array_set_size (self->metadata, self->metadata->len + 1);
              read_metadata (&sub, &g_array_index (self->metadata, FlowTreeMetadata, self->metadata->len - 1));
            }
          else
            {
              read_growing (&sub, self);
            }
        }
    }
  return flow_proto_reader_failed (&r) ? NULL : g_steal_pointer (&self);
}

/* --- writing ------------------------------------------------------------------------------------------------ */

/* Packed, and nothing where there are none. */
static void
write_floats (FlowProtoWriter *w,
              guint32          field,
              const GArray    *values)
{
  if (values == NULL || values->len == 0)
    return;
  flow_proto_writer_begin (w, field);
  for (guint i = 0; i < values->len; i++)
    {
      guint32 bits;

      memcpy (&bits, &g_array_index (values, float, i), sizeof bits);
      bits = GUINT32_TO_LE (bits);
      flow_proto_writer_append (w, &bits, sizeof bits);
    }
  flow_proto_writer_end (w);
}

static void
write_leaf (FlowProtoWriter    *w,
            guint32             field,
            const FlowTreeLeaf *leaf)
{
  flow_proto_writer_begin (w, field);
  if (leaf->vector != NULL)
    {
      flow_proto_writer_begin (w, LEAF_VECTOR);
      write_floats (w, 1, leaf->vector);
      flow_proto_writer_end (w);
    }
  flow_proto_writer_set_float (w, LEAF_SCALAR, leaf->scalar);
  flow_proto_writer_end (w);
}

static void
write_split (FlowProtoWriter    *w,
             const FlowTreeNode *node)
{
  flow_proto_writer_begin (w, (guint32) node->kind);
  flow_proto_writer_set_int (w, SPLIT_FEATURE, node->feature_id);
  if (node->kind == FLOW_TREE_DENSE)
    flow_proto_writer_set_float (w, SPLIT_THRESHOLD, node->dense_threshold);
  else
    flow_proto_writer_set_int (w, SPLIT_THRESHOLD, node->threshold);
  flow_proto_writer_set_int (w, SPLIT_LEFT, node->left_id);
  flow_proto_writer_set_int (w, SPLIT_RIGHT, node->right_id);
  flow_proto_writer_set_int (w, SPLIT_DIMENSION, node->dimension_id);
  flow_proto_writer_set_int (w, SPLIT_DIRECTION, node->default_direction);
  flow_proto_writer_end (w);
}

static void
write_node (FlowProtoWriter    *w,
            const FlowTreeNode *node)
{
  flow_proto_writer_begin (w, TREE_NODES);
  if (node->kind == FLOW_TREE_LEAF)
    write_leaf (w, NODE_LEAF, &node->leaf);
  else if (node->kind != FLOW_TREE_NONE)
    write_split (w, node);
  if (node->has_metadata)
    {
      flow_proto_writer_begin (w, NODE_METADATA);
      flow_proto_writer_set_float (w, METADATA_GAIN, node->gain);
      if (node->has_original)
        write_leaf (w, METADATA_ORIGINAL, &node->original);
      flow_proto_writer_end (w);
    }
  flow_proto_writer_end (w);
}

static void
write_nodes (FlowProtoWriter *w,
             const GArray    *nodes)
{
  for (guint i = 0; i < nodes->len; i++)
    write_node (w, &g_array_index (nodes, FlowTreeNode, i));
}

GBytes *
_flow_tree_write (const GArray  *nodes,
                  GError       **error)
{
  FlowProtoWriter w;

  flow_proto_writer_init (&w);
  write_nodes (&w, nodes);
  return flow_proto_writer_finish (&w, error);
}

static void
write_metadata (FlowProtoWriter        *w,
                const FlowTreeMetadata *metadata)
{
  flow_proto_writer_begin (w, ENSEMBLE_METADATA);
  flow_proto_writer_set_int (w, TREE_METADATA_LAYERS, metadata->n_layers);
  flow_proto_writer_set_int (w, TREE_METADATA_FINALIZED, metadata->is_finalized);
  for (guint i = 0; metadata->pruned != NULL && i < metadata->pruned->len; i++)
    {
      const FlowTreePruned *pruned = &g_array_index (metadata->pruned, FlowTreePruned, i);

      flow_proto_writer_begin (w, TREE_METADATA_PRUNED);
      flow_proto_writer_set_int (w, PRUNED_ID, pruned->new_id);
      write_floats (w, PRUNED_CHANGES, pruned->changes);
      flow_proto_writer_end (w);
    }
  flow_proto_writer_end (w);
}

GBytes *
_flow_ensemble_write (const FlowEnsemble  *self,
                      GError             **error)
{
  FlowProtoWriter w;

  flow_proto_writer_init (&w);
  for (guint i = 0; i < self->trees->len; i++)
    {
      flow_proto_writer_begin (&w, ENSEMBLE_TREES);
      write_nodes (&w, self->trees->pdata[i]);
      flow_proto_writer_end (&w);
    }
  write_floats (&w, ENSEMBLE_WEIGHTS, self->weights);
  for (guint i = 0; i < self->metadata->len; i++)
    write_metadata (&w, &g_array_index (self->metadata, FlowTreeMetadata, i));
  if (self->has_growing)
    {
      flow_proto_writer_begin (&w, ENSEMBLE_GROWING);
      flow_proto_writer_set_int (&w, GROWING_TREES, self->n_trees_attempted);
      flow_proto_writer_set_int (&w, GROWING_LAYERS, self->n_layers_attempted);
      flow_proto_writer_set_int (&w, GROWING_BEGIN, self->last_layer_begin);
      flow_proto_writer_set_int (&w, GROWING_END, self->last_layer_end);
      flow_proto_writer_end (&w);
    }
  return flow_proto_writer_finish (&w, error);
}
