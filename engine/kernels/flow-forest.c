/* flow-forest.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Rows of features go through the trees of a forest.
 */

#include "config.h"

#include "flow-forest-private.h"

#include "flow-array-private.h"

/* --- features -------------------------------------------------------------------------------------------------------- */

gboolean
_flow_forest_data_init (FlowForestData        *self,
                        const FlowForestSpec  *spec,
                        FlowKernelContext     *c,
                        guint                  first,
                        GError               **error)
{
  const FlowTensor *dense = flow_kernel_input (c, first);
  const FlowTensor *indices = flow_kernel_input (c, first + 1);
  const FlowTensor *values = flow_kernel_input (c, first + 2);
  const FlowTensor *shape = flow_kernel_input (c, first + 3);

  *self = (FlowForestData) { .spec = spec };
  if (FLOW_RANK (dense) == 2)
    self->dense = dense;
  if (FLOW_RANK (indices) == 2)
    {
      /* TF: trusts them. */
      FLOW_REQUIRE (FLOW_DIMS (indices)[1] == 2 && flow_is_vector (values) && flow_is_vector (shape) &&
                    values->n_elements == FLOW_DIMS (indices)[0] && shape->n_elements > 0, error, INVALID_ARGUMENT,
                    "indices, values and shape of the sparse input do not fit each other");
      self->indices = indices;
      self->values = values;
    }
  if (self->dense != NULL)
    self->n = FLOW_DIMS (dense)[0];
  else if (self->indices != NULL)
    self->n = FLOW_DATA (gint64, shape)[0];
  FLOW_REQUIRE (self->n >= 0 && self->n <= G_MAXINT32, error, INVALID_ARGUMENT,
                "the sparse input has %" G_GINT64_FORMAT " rows", self->n);
  return TRUE;
}

/* The first sparse entry that is not before @row and @column. */
static gint64
find_sparse (const FlowForestData *self,
             gint64                row,
             gint64                column)
{
  const gint64 *cells = FLOW_DATA (gint64, self->indices);
  gint64 low = 0;
  gint64 high = FLOW_DIMS (self->indices)[0];

  while (low < high)
    {
      const gint64 middle = low + (high - low) / 2;

      if (cells[2 * middle] < row || (cells[2 * middle] == row && cells[2 * middle + 1] < column))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

gint64
_flow_forest_data_sparse (const FlowForestData *self,
                          gint64                row,
                          gint64               *n)
{
  const gint64 begin = find_sparse (self, row, G_MININT64);

  *n = find_sparse (self, row + 1, G_MININT64) - begin;
  return begin;
}

gboolean
_flow_forest_data_value (const FlowForestData  *self,
                         gint64                 row,
                         gint32                 feature,
                         float                 *value,
                         GError               **error)
{
  gint64 at;

  if (feature < self->spec->n_dense)
    {
      /* TF: reads elsewhere. */
      FLOW_REQUIRE (self->dense != NULL && row >= 0 && row < FLOW_DIMS (self->dense)[0] && feature >= 0 &&
                    feature < FLOW_DIMS (self->dense)[1], error, INVALID_ARGUMENT,
                    "the dense input has no feature %d of example %" G_GINT64_FORMAT, feature, row);
      *value = FLOW_DATA (float, self->dense)[row * FLOW_DIMS (self->dense)[1] + feature];
      return TRUE;
    }
  FLOW_REQUIRE (self->indices != NULL, error, INVALID_ARGUMENT, "there is no sparse input that feature %d is in", feature);
  at = find_sparse (self, row, feature);
  *value = 0;
  if (at < FLOW_DIMS (self->indices)[0] && FLOW_DATA (gint64, self->indices)[2 * at] == row &&
      FLOW_DATA (gint64, self->indices)[2 * at + 1] == feature)
    *value = FLOW_DATA (float, self->values)[at];
  return TRUE;
}

/* --- tests ----------------------------------------------------------------------------------------------------------- */

static gboolean
decide_oblique (const FlowForestSplit  *split,
                const FlowForestData   *data,
                gint64                  row,
                gboolean               *left,
                GError                **error)
{
  float sum = 0;

  FLOW_REQUIRE (split->weights->len >= split->features->len, error, INVALID_ARGUMENT, "a test has %u features and %u weights",
                split->features->len, split->weights->len);
  for (guint i = 0; i < split->features->len; i++)
    {
      float value;

      if (!_flow_forest_data_value (data, row, g_array_index (split->features, gint32, i), &value, error))
        return FALSE;
      sum += g_array_index (split->weights, float, i) * value;
    }
  *left = sum <= split->threshold.number;
  return TRUE;
}

gboolean
_flow_forest_decide (const FlowForestSplit  *split,
                     const FlowForestData   *data,
                     gint64                  row,
                     gboolean               *left,
                     GError                **error)
{
  float value;

  FLOW_REQUIRE (split->test != FLOW_FOREST_NO_TEST, error, INVALID_ARGUMENT, "Unknown split test");
  if (split->test == FLOW_FOREST_OBLIQUE)
    return decide_oblique (split, data, row, left, error);
  if (!_flow_forest_data_value (data, row, split->feature, &value, error))
    return FALSE;
  if (split->test == FLOW_FOREST_INEQUALITY)
    {
      const float bound = split->threshold.number;

      *left = value < bound || (split->order == 0 && value == bound);
      return TRUE;
    }
  *left = split->is_inverse;
  for (guint i = 0; split->values != NULL && i < split->values->len; i++)
    if (g_array_index (split->values, FlowForestValue, i).number == value)
      *left = !split->is_inverse;
  return TRUE;
}

gboolean
_flow_forest_traverse (const GArray          *tree,
                       const FlowForestData  *data,
                       gint64                 row,
                       gint32                *leaf,
                       GArray                *path,
                       GError               **error)
{
  gint32 at = 0;

  /* TF: trusts the tree to have an end, and children that are there. */
  for (guint steps = 0; steps <= tree->len; steps++)
    {
      const FlowForestNode *node = _flow_forest_node (tree, at);
      const FlowForestNode *child;
      gboolean left;

      FLOW_REQUIRE (node != NULL && (node->is_leaf || node->split != NULL), error, INVALID_ARGUMENT,
                    "the tree has no node %d, or it is neither a leaf nor a test", at);
      if (path != NULL)
        g_array_append_val (path, at);
      if (node->is_leaf)
        {
          *leaf = at;
          return TRUE;
        }
      if (!_flow_forest_decide (node->split, data, row, &left, error))
        return FALSE;
      child = _flow_forest_node (tree, left ? node->left.number : node->right.number);
      FLOW_REQUIRE (child != NULL, error, INVALID_ARGUMENT, "node %d of the tree has children that are not there", at);
      at = child->id.number;
    }
  return _flow_refuse (error, "the tree goes round in a circle");
}
