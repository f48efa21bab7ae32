/* flow-forest-proto.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * The trees of forests, and as bytes.
 */

#include "config.h"

#include "flow-forest-private.h"

#include <string.h>

/* Fields of generic_tree_model.proto and what belongs to it. */
enum { MODEL_TREE = 1 };
enum { TREE_NODES = 1 };
enum { NODE_ID = 1, NODE_BINARY = 4, NODE_LEAF };
enum { BINARY_LEFT = 1, BINARY_RIGHT, BINARY_DIRECTION, BINARY_INEQUALITY, BINARY_CUSTOM };
enum { LEAF_VECTOR = 1, LEAF_SPARSE };
enum { INEQUALITY_FEATURE = 1, INEQUALITY_TYPE, INEQUALITY_THRESHOLD, INEQUALITY_OBLIQUE };
enum { OBLIQUE_FEATURES = 1, OBLIQUE_WEIGHTS };
enum { MATCHING_FEATURE = 1, MATCHING_VALUE, MATCHING_INVERSE };
enum { ANY_URL = 1, ANY_VALUE };
enum { ENTRY_KEY = 1, ENTRY_VALUE };
enum { PATH_NODES = 1 };
/* Of every message that wraps one value, of Vector, SparseVector, FeatureId, and the float among Values. */
enum { ONLY = 1 };

#define MATCHING_URL "type.googleapis.com/tensorflow.decision_trees.MatchingValuesTest"

/* --- shared parts --------------------------------------------------------------------------------------------------- */

FlowForestSplit *
_flow_forest_split_new (FlowForestTest test)
{
  FlowForestSplit *self = g_new0 (FlowForestSplit, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->test = test;
  return self;
}

FlowForestSplit *
_flow_forest_split_ref (FlowForestSplit *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
_flow_forest_split_unref (FlowForestSplit *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_clear_pointer (&self->features, g_array_unref);
  g_clear_pointer (&self->weights, g_array_unref);
  g_clear_pointer (&self->values, g_array_unref);
  g_free (self);
}

void
_flow_forest_leaf_clear (FlowForestLeaf *self)
{
  g_clear_pointer (&self->dense, g_array_unref);
  g_clear_pointer (&self->sparse, g_array_unref);
  self->kind = FLOW_FOREST_NO_LEAF;
}

static void
node_clear (gpointer data)
{
  FlowForestNode *node = data;

  _flow_forest_leaf_clear (&node->leaf);
  g_clear_pointer (&node->split, _flow_forest_split_unref);
}

GArray *
_flow_forest_tree_new (void)
{
  GArray *tree = g_array_new (FALSE, TRUE, sizeof (FlowForestNode));

  g_array_set_clear_func (tree, node_clear);
  return tree;
}

GArray *
_flow_forest_tree_copy (const GArray *tree)
{
  GArray *copy = _flow_forest_tree_new ();

  if (tree->len > 0)
    g_array_append_vals (copy, tree->data, tree->len);
  for (guint i = 0; i < copy->len; i++)
    {
      FlowForestNode *node = _flow_forest_node (copy, i);

      if (node->leaf.dense != NULL)
        g_array_ref (node->leaf.dense);
      if (node->leaf.sparse != NULL)
        g_array_ref (node->leaf.sparse);
      if (node->split != NULL)
        _flow_forest_split_ref (node->split);
    }
  return copy;
}

gsize
_flow_forest_tree_bytes (const GArray *tree)
{
  gsize n = tree->len * sizeof (FlowForestNode);

  for (guint i = 0; i < tree->len; i++)
    {
      const FlowForestLeaf *leaf = &_flow_forest_node (tree, i)->leaf;

      n += leaf->dense != NULL ? leaf->dense->len * sizeof (FlowForestValue) : 0;
      n += leaf->sparse != NULL ? leaf->sparse->len * sizeof (FlowForestPair) : 0;
    }
  return n;
}

/* --- reading trees --------------------------------------------------------------------------------------------------- */

static FlowForestId
read_id (FlowProtoReader *r)
{
  FlowForestId id = { TRUE, 0 };
  FlowProtoReader sub;

  if (flow_proto_reader_enter (r, &sub))
    while (flow_proto_reader_next (&sub))
      if (sub.field == ONLY)
        flow_proto_reader_get_int32 (&sub, &id.number);
  return id;
}

static FlowForestValue
read_value (FlowProtoReader *r)
{
  FlowForestValue value = { 0, FALSE };
  FlowProtoReader sub;

  if (flow_proto_reader_enter (r, &sub))
    while (flow_proto_reader_next (&sub))
      if (sub.field == ONLY)
        value.is_set = flow_proto_reader_get_float (&sub, &value.number);
  return value;
}

/* A feature's name is its number. */
static gint32
read_feature (FlowProtoReader *r)
{
  FlowProtoReader sub;
  FlowProtoReader text;
  gint64 number = -1;

  if (!flow_proto_reader_enter (r, &sub))
    return -1;
  while (flow_proto_reader_next (&sub))
    if (sub.field == ONLY && flow_proto_reader_enter (&sub, &text))
      while (flow_proto_reader_next (&text))
        {
          g_autofree char *name = NULL;

          if (text.field == ONLY && flow_proto_reader_dup_string (&text, &name) &&
              !g_ascii_string_to_signed (name, 10, G_MININT32, G_MAXINT32, &number, NULL))
            number = -1;
        }
  return (gint32) number;
}

static GArray *
append_value (GArray          *values,
              FlowForestValue  value)
{
  if (values == NULL)
    values = g_array_new (FALSE, TRUE, sizeof (FlowForestValue));
  g_array_append_val (values, value);
  return values;
}

static void
read_oblique (FlowProtoReader *r,
              FlowForestSplit *split)
{
  split->test = FLOW_FOREST_OBLIQUE;
  split->features = g_array_new (FALSE, FALSE, sizeof (gint32));
  split->weights = g_array_new (FALSE, FALSE, sizeof (float));
  while (flow_proto_reader_next (r))
    if (r->field == OBLIQUE_FEATURES)
      {
        const gint32 feature = read_feature (r);

        g_array_append_val (split->features, feature);
      }
    else if (r->field == OBLIQUE_WEIGHTS)
      {
        float weight;

        while (flow_proto_reader_each_float (r, &weight))
          g_array_append_val (split->weights, weight);
      }
}

static void
read_inequality (FlowProtoReader *r,
                 FlowForestSplit *split)
{
  FlowProtoReader sub;

  split->test = FLOW_FOREST_INEQUALITY;
  while (flow_proto_reader_next (r))
    if (r->field == INEQUALITY_FEATURE)
      split->feature = read_feature (r);
    else if (r->field == INEQUALITY_TYPE)
      flow_proto_reader_get_int32 (r, &split->order);
    else if (r->field == INEQUALITY_THRESHOLD)
      split->threshold = read_value (r);
    else if (r->field == INEQUALITY_OBLIQUE && split->features == NULL && flow_proto_reader_enter (r, &sub))
      read_oblique (&sub, split);
}

static void
read_matching (FlowProtoReader *r,
               FlowForestSplit *split)
{
  while (flow_proto_reader_next (r))
    if (r->field == MATCHING_FEATURE)
      split->feature = read_feature (r);
    else if (r->field == MATCHING_VALUE)
      split->values = append_value (split->values, read_value (r));
    else if (r->field == MATCHING_INVERSE)
      flow_proto_reader_get_bool (r, &split->is_inverse);
}

/* The only test of another kind that is known. */
static void
read_custom (FlowProtoReader *r,
             FlowForestSplit *split)
{
  g_autofree char *url = NULL;
  FlowProtoReader sub;

  while (flow_proto_reader_next (r))
    if (r->field == ANY_URL && url == NULL)
      flow_proto_reader_dup_string (r, &url);
    else if (r->field == ANY_VALUE && g_strcmp0 (url, MATCHING_URL) == 0 && flow_proto_reader_enter (r, &sub))
      read_matching (&sub, split);
  if (g_strcmp0 (url, MATCHING_URL) == 0)
    split->test = FLOW_FOREST_MATCHING;
}

static FlowForestSplit *
read_binary (FlowProtoReader *r,
             FlowForestId    *left,
             FlowForestId    *right)
{
  FlowForestSplit *split = _flow_forest_split_new (FLOW_FOREST_NO_TEST);
  FlowProtoReader sub;

  while (flow_proto_reader_next (r))
    switch (r->field)
      {
      case BINARY_LEFT: *left = read_id (r); break;
      case BINARY_RIGHT: *right = read_id (r); break;
      case BINARY_DIRECTION: flow_proto_reader_get_int32 (r, &split->direction); break;
      case BINARY_INEQUALITY:
      case BINARY_CUSTOM:
        if (split->test == FLOW_FOREST_NO_TEST && flow_proto_reader_enter (r, &sub))
          (r->field == BINARY_INEQUALITY ? read_inequality : read_custom) (&sub, split);
        break;
      }
  return split;
}

FlowForestSplit *
_flow_forest_split_parse (FlowProtoReader *r)
{
  FlowForestId ignored;

  return read_binary (r, &ignored, &ignored);
}

static void
read_pair (FlowProtoReader *r,
           GArray          *pairs)
{
  FlowForestPair pair = { 0 };
  FlowProtoReader sub;
  gint64 label = 0;

  if (!flow_proto_reader_enter (r, &sub))
    return;
  while (flow_proto_reader_next (&sub))
    if (sub.field == ENTRY_KEY)
      flow_proto_reader_get_int64 (&sub, &label);
    else if (sub.field == ENTRY_VALUE)
      pair.value = read_value (&sub);
  pair.label = (gint32) label;
  g_array_append_val (pairs, pair);
}

GArray *
_flow_forest_vector_parse (FlowProtoReader *r)
{
  GArray *values = g_array_new (FALSE, TRUE, sizeof (FlowForestValue));
  FlowProtoReader sub;

  if (flow_proto_reader_enter (r, &sub))
    while (flow_proto_reader_next (&sub))
      if (sub.field == ONLY)
        append_value (values, read_value (&sub));
  return values;
}

void
_flow_forest_leaf_parse (FlowProtoReader *r,
                         FlowForestLeaf  *leaf)
{
  FlowProtoReader sub;

  while (flow_proto_reader_next (r))
    if (r->field == LEAF_VECTOR)
      {
        leaf->kind = FLOW_FOREST_DENSE_LEAF;
        g_clear_pointer (&leaf->dense, g_array_unref);
        leaf->dense = _flow_forest_vector_parse (r);
      }
    else if (r->field == LEAF_SPARSE && flow_proto_reader_enter (r, &sub))
      {
        leaf->kind = FLOW_FOREST_SPARSE_LEAF;
        if (leaf->sparse == NULL)
          leaf->sparse = g_array_new (FALSE, TRUE, sizeof (FlowForestPair));
        while (flow_proto_reader_next (&sub))
          if (sub.field == ONLY)
            read_pair (&sub, leaf->sparse);
      }
}

static void
read_node (FlowProtoReader *r,
           FlowForestNode  *node)
{
  FlowProtoReader sub;

  while (flow_proto_reader_next (r))
    if (r->field == NODE_ID)
      {
        node->id = read_id (r);
      }
    else if (r->field == NODE_BINARY && flow_proto_reader_enter (r, &sub))
      {
        g_clear_pointer (&node->split, _flow_forest_split_unref);
        node->split = read_binary (&sub, &node->left, &node->right);
        node->is_leaf = FALSE;
      }
    else if (r->field == NODE_LEAF && flow_proto_reader_enter (r, &sub))
      {
        node->is_leaf = TRUE;
        _flow_forest_leaf_parse (&sub, &node->leaf);
      }
}

GArray *
_flow_forest_tree_parse (gconstpointer data,
                         gsize         size)
{
  g_autoptr (GArray) tree = _flow_forest_tree_new ();
  FlowProtoReader r;
  FlowProtoReader nodes;
  FlowProtoReader node;

  flow_proto_reader_init (&r, data, size);
  while (flow_proto_reader_next (&r))
    if (r.field == MODEL_TREE && flow_proto_reader_enter (&r, &nodes))
      while (flow_proto_reader_next (&nodes))
        if (nodes.field == TREE_NODES && flow_proto_reader_enter (&nodes, &node))
          {
            g_array_set_size (tree, tree->len + 1);
            read_node (&node, _flow_forest_node (tree, (gint64) tree->len - 1));
          }
  return flow_proto_reader_failed (&r) ? NULL : g_steal_pointer (&tree);
}

/* --- writing trees --------------------------------------------------------------------------------------------------- */

static void
write_id (FlowProtoWriter *w,
          guint32          field,
          FlowForestId     id)
{
  if (!id.is_set)
    return;
  flow_proto_writer_begin (w, field);
  flow_proto_writer_set_int (w, ONLY, id.number);
  flow_proto_writer_end (w);
}

static void
write_value (FlowProtoWriter *w,
             guint32          field,
             FlowForestValue  value)
{
  flow_proto_writer_begin (w, field);
  if (value.is_set)
    flow_proto_writer_add_float (w, ONLY, value.number);
  flow_proto_writer_end (w);
}

static void
write_feature (FlowProtoWriter *w,
               guint32          field,
               gint32           feature)
{
  char name[16];

  g_snprintf (name, sizeof name, "%d", feature);
  flow_proto_writer_begin (w, field);
  flow_proto_writer_begin (w, ONLY);
  flow_proto_writer_set_string (w, ONLY, name);
  flow_proto_writer_end (w);
  flow_proto_writer_end (w);
}

static void
write_oblique (FlowProtoWriter       *w,
               const FlowForestSplit *split)
{
  flow_proto_writer_begin (w, INEQUALITY_OBLIQUE);
  for (guint i = 0; i < split->features->len; i++)
    write_feature (w, OBLIQUE_FEATURES, g_array_index (split->features, gint32, i));
  if (split->weights->len > 0)
    {
      flow_proto_writer_begin (w, OBLIQUE_WEIGHTS);
      for (guint i = 0; i < split->weights->len; i++)
        {
          guint32 bits;

          memcpy (&bits, &g_array_index (split->weights, float, i), sizeof bits);
          bits = GUINT32_TO_LE (bits);
          flow_proto_writer_append (w, &bits, sizeof bits);
        }
      flow_proto_writer_end (w);
    }
  flow_proto_writer_end (w);
}

static void
write_inequality (FlowProtoWriter       *w,
                  const FlowForestSplit *split)
{
  flow_proto_writer_begin (w, BINARY_INEQUALITY);
  if (split->test == FLOW_FOREST_INEQUALITY)
    write_feature (w, INEQUALITY_FEATURE, split->feature);
  flow_proto_writer_set_int (w, INEQUALITY_TYPE, split->order);
  write_value (w, INEQUALITY_THRESHOLD, split->threshold);
  if (split->test == FLOW_FOREST_OBLIQUE)
    write_oblique (w, split);
  flow_proto_writer_end (w);
}

static void
write_matching (FlowProtoWriter       *w,
                const FlowForestSplit *split)
{
  flow_proto_writer_begin (w, BINARY_CUSTOM);
  flow_proto_writer_set_string (w, ANY_URL, MATCHING_URL);
  flow_proto_writer_begin (w, ANY_VALUE);
  write_feature (w, MATCHING_FEATURE, split->feature);
  for (guint i = 0; split->values != NULL && i < split->values->len; i++)
    write_value (w, MATCHING_VALUE, g_array_index (split->values, FlowForestValue, i));
  flow_proto_writer_set_int (w, MATCHING_INVERSE, split->is_inverse);
  flow_proto_writer_end (w);
  flow_proto_writer_end (w);
}

static void
write_binary (FlowProtoWriter       *w,
              guint32                field,
              const FlowForestSplit *split,
              FlowForestId           left,
              FlowForestId           right)
{
  flow_proto_writer_begin (w, field);
  write_id (w, BINARY_LEFT, left);
  write_id (w, BINARY_RIGHT, right);
  flow_proto_writer_set_int (w, BINARY_DIRECTION, split->direction);
  if (split->test == FLOW_FOREST_MATCHING)
    write_matching (w, split);
  else if (split->test != FLOW_FOREST_NO_TEST)
    write_inequality (w, split);
  flow_proto_writer_end (w);
}

void
_flow_forest_split_write (FlowProtoWriter       *w,
                          guint32                field,
                          const FlowForestSplit *split)
{
  write_binary (w, field, split, (FlowForestId) { FALSE, 0 }, (FlowForestId) { FALSE, 0 });
}

void
_flow_forest_vector_write (FlowProtoWriter *w,
                           guint32          field,
                           const GArray    *values)
{
  flow_proto_writer_begin (w, field);
  for (guint i = 0; values != NULL && i < values->len; i++)
    write_value (w, ONLY, g_array_index (values, FlowForestValue, i));
  flow_proto_writer_end (w);
}

void
_flow_forest_leaf_write (FlowProtoWriter      *w,
                         const FlowForestLeaf *leaf)
{
  if (leaf->kind == FLOW_FOREST_DENSE_LEAF)
    _flow_forest_vector_write (w, LEAF_VECTOR, leaf->dense);
  if (leaf->kind != FLOW_FOREST_SPARSE_LEAF)
    return;
  flow_proto_writer_begin (w, LEAF_SPARSE);
  for (guint i = 0; leaf->sparse != NULL && i < leaf->sparse->len; i++)
    {
      const FlowForestPair *pair = &g_array_index (leaf->sparse, FlowForestPair, i);

      flow_proto_writer_begin (w, ONLY);
      flow_proto_writer_add_int (w, ENTRY_KEY, pair->label);
      write_value (w, ENTRY_VALUE, pair->value);
      flow_proto_writer_end (w);
    }
  flow_proto_writer_end (w);
}

static void
write_node (FlowProtoWriter      *w,
            guint32               field,
            const FlowForestNode *node)
{
  flow_proto_writer_begin (w, field);
  write_id (w, NODE_ID, node->id);
  if (node->is_leaf)
    {
      flow_proto_writer_begin (w, NODE_LEAF);
      _flow_forest_leaf_write (w, &node->leaf);
      flow_proto_writer_end (w);
    }
  else if (node->split != NULL)
    {
      write_binary (w, NODE_BINARY, node->split, node->left, node->right);
    }
  flow_proto_writer_end (w);
}

GBytes *
_flow_forest_tree_write (const GArray  *tree,
                         GError       **error)
{
  FlowProtoWriter w;

  flow_proto_writer_init (&w);
  flow_proto_writer_begin (&w, MODEL_TREE);
  for (guint i = 0; i < tree->len; i++)
    write_node (&w, TREE_NODES, _flow_forest_node (tree, i));
  flow_proto_writer_end (&w);
  return flow_proto_writer_finish (&w, error);
}

GBytes *
_flow_forest_path_write (const GArray  *tree,
                         const GArray  *path,
                         GError       **error)
{
  FlowProtoWriter w;

  flow_proto_writer_init (&w);
  for (guint i = 0; i < path->len; i++)
    write_node (&w, PATH_NODES, _flow_forest_node (tree, g_array_index (path, gint32, i)));
  return flow_proto_writer_finish (&w, error);
}
