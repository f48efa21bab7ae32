/* flow-forest-params.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What attrs of the forests' ops say: how trees grow, and which columns there are.
 */

#include "config.h"

#include "flow-forest-private.h"

#include "flow-array-private.h"

#include <math.h>
#include <string.h>

/* --- how trees grow -------------------------------------------------------------------------------------------------- */

/* Fields of tensor_forest_params.proto. */
enum {
  PARAMS_LEAF = 1, PARAMS_STATS, PARAMS_COLLECTION, PARAMS_PRUNING, PARAMS_FINISH, PARAMS_MAX_NODES = 7, PARAMS_REGRESSION,
  PARAMS_COLLATE = 10, PARAMS_CHECKPOINT, PARAMS_OUTPUTS, PARAMS_SPLITS, PARAMS_SPLIT_AFTER, PARAMS_DOMINATE,
  PARAMS_MIN_SAMPLES = 18, PARAMS_INEQUALITY, PARAMS_RUNNING, PARAMS_FEATURES, PARAMS_AVERAGE, PARAMS_PATHS, PARAMS_TRACK,
};
enum { CONFIG_EVERY = 1, CONFIG_TYPE };

/* Outputs beyond this are a mistake. */
#define MAX_OUTPUTS (1 << 24)

static FlowForestParam
read_param (FlowProtoReader *r)
{
  FlowForestParam param = { FLOW_FOREST_UNSET };
  FlowProtoReader sub;
  FlowProtoReader curve;

  if (!flow_proto_reader_enter (r, &sub))
    return param;
  while (flow_proto_reader_next (&sub))
    {
      if (sub.field < FLOW_FOREST_CONSTANT || sub.field > FLOW_FOREST_THRESHOLD)
        continue;
      param = (FlowForestParam) { (FlowForestCurve) sub.field };
      if (sub.field == FLOW_FOREST_CONSTANT)
        flow_proto_reader_get_float (&sub, &param.numbers[0]);
      else if (flow_proto_reader_enter (&sub, &curve))
        while (flow_proto_reader_next (&curve))
          if (curve.field >= 1 && curve.field <= G_N_ELEMENTS (param.numbers))
            flow_proto_reader_get_float (&curve, &param.numbers[curve.field - 1]);
    }
  return param;
}

static void
read_config (FlowProtoReader *r,
             FlowForestParam *every,
             int             *type)
{
  FlowProtoReader sub;

  if (!flow_proto_reader_enter (r, &sub))
    return;
  while (flow_proto_reader_next (&sub))
    if (sub.field == CONFIG_EVERY)
      *every = read_param (&sub);
    else if (sub.field == CONFIG_TYPE)
      flow_proto_reader_get_int32 (&sub, type);
}

static void
read_field (FlowProtoReader  *r,
            FlowForestParams *self)
{
  switch (r->field)
    {
    case PARAMS_LEAF: flow_proto_reader_get_int32 (r, &self->leaf_type); break;
    case PARAMS_STATS: flow_proto_reader_get_int32 (r, &self->stats_type); break;
    case PARAMS_COLLECTION: flow_proto_reader_get_int32 (r, &self->collection_type); break;
    case PARAMS_PRUNING: read_config (r, &self->prune_every, &self->prune_type); break;
    case PARAMS_FINISH: read_config (r, &self->check_every, &self->finish_type); break;
    case PARAMS_MAX_NODES: flow_proto_reader_get_int32 (r, &self->max_nodes); break;
    case PARAMS_REGRESSION: flow_proto_reader_get_bool (r, &self->is_regression); break;
    case PARAMS_COLLATE: flow_proto_reader_get_bool (r, &self->collates); break;
    case PARAMS_CHECKPOINT: flow_proto_reader_get_bool (r, &self->saves_stats); break;
    case PARAMS_OUTPUTS: flow_proto_reader_get_int32 (r, &self->n_outputs); break;
    case PARAMS_SPLITS: self->n_splits = read_param (r); break;
    case PARAMS_SPLIT_AFTER: self->split_after = read_param (r); break;
    case PARAMS_DOMINATE: self->dominate = read_param (r); break;
    case PARAMS_MIN_SAMPLES: self->min_samples = read_param (r); break;
    case PARAMS_INEQUALITY: flow_proto_reader_get_int32 (r, &self->inequality_type); break;
    case PARAMS_RUNNING: flow_proto_reader_get_bool (r, &self->keeps_scores); break;
    case PARAMS_FEATURES: flow_proto_reader_get_int32 (r, &self->n_features); break;
    case PARAMS_AVERAGE: flow_proto_reader_get_bool (r, &self->averages); break;
    case PARAMS_PATHS: flow_proto_reader_get_bool (r, &self->tells_paths); break;
    case PARAMS_TRACK: flow_proto_reader_get_int32 (r, &self->n_tracked); break;
    }
}

FlowForestParams *
_flow_forest_params_read (FlowKernelConstruction  *c,
                          GError                 **error)
{
  gsize size;
  const char *bytes = flow_attr_get_string (flow_construction_attr (c, "params"), &size);
  g_autofree FlowForestParams *self = g_new0 (FlowForestParams, 1);
  FlowProtoReader r;

  flow_proto_reader_init (&r, bytes, size);
  while (flow_proto_reader_next (&r))
    read_field (&r, self);
  /* TF: takes what it understood of them. */
  if (self->n_outputs < 0 || self->n_outputs > MAX_OUTPUTS || self->n_features < 0 || self->n_features > MAX_OUTPUTS)
    _flow_refuse (error, "params: num_outputs is %d and num_features %d", self->n_outputs, self->n_features);
  else if (self->leaf_type < 0 || self->leaf_type > FLOW_FOREST_LEAF_EITHER)
    _flow_refuse (error, "Unknown model operator: %d", self->leaf_type);
  else
    return g_steal_pointer (&self);
  return NULL;
}

float
_flow_forest_param_resolve (const FlowForestParam *self,
                            gint32                 depth)
{
  const float *n = self->numbers;

  switch (self->curve)
    {
    case FLOW_FOREST_CONSTANT: return n[0];
    case FLOW_FOREST_LINEAR: return MIN (MAX ((float) depth * n[0] + n[1], n[2]), n[3]);
    case FLOW_FOREST_EXPONENTIAL: return n[0] + n[2] * powf (n[1], n[3] * (float) depth);
    case FLOW_FOREST_THRESHOLD: return (float) depth >= n[2] ? n[0] : n[1];
    case FLOW_FOREST_UNSET: break;
    }
  return 0;
}

/* --- columns --------------------------------------------------------------------------------------------------------- */

void
_flow_forest_spec_free (FlowForestSpec *self)
{
  g_array_unref (self->types);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowForestSpec, _flow_forest_spec_free)

static gboolean
read_number (const char *text,
             gint32     *number)
{
  gint64 value;

  if (text == NULL || !g_ascii_string_to_signed (text, 10, G_MININT32, G_MAXINT32, &value, NULL))
    return FALSE;
  *number = (gint32) value;
  return TRUE;
}

/* "{name: NAME original_type: TYPE size: SIZE}" and so on. */
static gboolean
read_columns (const char *text,
              GArray     *columns)
{
  g_auto (GStrv) parts = g_strsplit_set (text, "{}", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (parts[i], " ", -1);
      gint32 column[2];

      if (*parts[i] == '\0')
        continue;
      if (g_strv_length (words) != 6 || !read_number (words[3], &column[0]) || !read_number (words[5], &column[1]))
        return FALSE;
      g_array_append_val (columns, column);
    }
  return TRUE;
}

static gboolean
read_spec (FlowForestSpec *self,
           const char     *text)
{
  g_auto (GStrv) parts = g_strsplit_set (text, "[]", -1);
  g_auto (GStrv) words = g_strv_length (parts) >= 4 ? g_strsplit (parts[0], " ", -1) : NULL;
  g_autoptr (GArray) dense = g_array_new (FALSE, FALSE, 2 * sizeof (gint32));
  g_autoptr (GArray) sparse = g_array_new (FALSE, FALSE, 2 * sizeof (gint32));

  if (words == NULL || g_strv_length (words) < 2 || !read_number (words[1], &self->n_dense) ||
      !read_columns (parts[1], dense) || !read_columns (parts[3], sparse))
    return FALSE;
  for (guint i = 0; i < dense->len; i++)
    {
      const gint32 *column = (const gint32 *) (gpointer) dense->data + 2 * i;

      if (column[1] > MAX_OUTPUTS - (gint32) self->types->len)
        return FALSE;
      for (gint32 k = 0; k < column[1]; k++)
        g_array_append_val (self->types, column[0]);
    }
  self->has_sparse = sparse->len > 0;
  self->sparse_type = self->has_sparse ? *(const gint32 *) (gpointer) sparse->data : 0;
  return TRUE;
}

FlowForestSpec *
_flow_forest_spec_read (FlowKernelConstruction  *c,
                        GError                 **error)
{
  const char *text = flow_attr_get_string (flow_construction_attr (c, "input_spec"), NULL);
  g_autoptr (FlowForestSpec) self = g_new0 (FlowForestSpec, 1);

  self->types = g_array_new (FALSE, FALSE, sizeof (gint32));
  if (read_spec (self, text))
    return g_steal_pointer (&self);
  /* TF: ends itself. */
  _flow_refuse (error, "input_spec is no list of columns: %s", text);
  return NULL;
}
