/* flow-index.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-index-private.h"

#include "flow-array-private.h"

char *
_flow_place_text (int           rank,
                  const gint64 *dims,
                  gint64        flat)
{
  GString *text;
  gint64 index[FLOW_SHAPE_MAX_RANK];

  if (rank == 0)
    return g_strdup ("");
  text = g_string_new ("[");
  for (int i = rank - 1; i >= 0; i--)
    {
      gint64 dim = MAX (dims[i], 1);

      index[i] = flat % dim;
      flat /= dim;
    }
  for (int i = 0; i < rank; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? "," : "", index[i]);
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

gboolean
_flow_check_indices (const FlowTensor *indices,
                     gint64            limit,
                     const char       *name,
                     GError          **error)
{
  gint64 bad = -1;

  if (indices->dtype == FLOW_DTYPE_INT32)
    {
      const gint32 *values = indices->data;

      for (gint64 i = 0; i < indices->n_elements && bad < 0; i++)
        if (values[i] < 0 || values[i] >= limit)
          bad = i;
    }
  else
    {
      const gint64 *values = indices->data;

      for (gint64 i = 0; i < indices->n_elements && bad < 0; i++)
        if (values[i] < 0 || values[i] >= limit)
          bad = i;
    }
  if (bad >= 0)
    {
      g_autofree char *place = _flow_place_text (FLOW_RANK (indices), FLOW_DIMS (indices), bad);

      return _flow_refuse (error, "%s%s = %" G_GINT64_FORMAT " is not in [0, %" G_GINT64_FORMAT ")",
                           name, place, flow_index_at (indices, bad), limit);
    }
  return TRUE;
}

gboolean
_flow_check_nd_indices (const FlowTensor *indices,
                        int               depth,
                        const gint64     *dims,
                        const char       *what,
                        const FlowShape  *shape,
                        FlowBadRow        told,
                        GError          **error)
{
  gint64 n_rows = depth > 0 ? indices->n_elements / depth : 0;

  for (gint64 k = 0; k < n_rows; k++)
    for (int d = 0; d < depth; d++)
      {
        gint64 i = told == FLOW_BAD_ROW_FIRST ? k : n_rows - 1 - k;
        gint64 index = flow_index_at (indices, i * depth + d);
        g_autofree char *place = NULL;
        g_autofree char *shape_text = NULL;
        g_autoptr (GString) row = NULL;

        if (index >= 0 && index < dims[d])
          continue;
        place = _flow_place_text (MAX (FLOW_RANK (indices) - 1, 0), FLOW_DIMS (indices), i);
        shape_text = flow_shape_to_string (shape);
        row = g_string_new (NULL);
        for (int e = 0; e < depth; e++)
          g_string_append_printf (row, "%s%" G_GINT64_FORMAT, e > 0 ? ", " : "", flow_index_at (indices, i * depth + e));
        return _flow_refuse (error, "indices%s = [%s] does not index into %s %s", place, row->str, what, shape_text);
      }
  return TRUE;
}

gint64
_flow_nd_row (const FlowTensor *indices,
              gint64            i,
              int               depth,
              const gint64     *dims)
{
  gint64 row = 0;

  for (int d = 0; d < depth; d++)
    row = row * dims[d] + flow_index_at (indices, i * depth + d);
  return row;
}

gboolean
_flow_infer_scatter_nd (FlowInferContext *c,
                        const FlowShape  *target,
                        const FlowShape  *indices,
                        const FlowShape  *updates,
                        const char       *what,
                        GError          **error)
{
  g_autofree char *shown = flow_shape_to_string (indices);
  g_autofree char *written = flow_shape_to_string (updates);
  g_autofree char *into = flow_shape_to_string (target);
  g_autoptr (FlowShape) a = NULL;
  g_autoptr (FlowShape) b = NULL;
  g_autoptr (FlowShape) x = NULL;
  g_autoptr (FlowShape) y = NULL;
  g_autoptr (FlowShape) merged = NULL;
  g_autoptr (FlowShape) rest = NULL;
  g_autoptr (GError) why = NULL;
  int outer = indices->rank - 1;

  if (indices->rank == 0 || updates->rank == 0)
    return _flow_refuse (error, "Shape must be at least rank 1 but is rank 0");
  if (indices->rank < 1 || updates->rank < 1 || indices->dims[outer] == FLOW_DIM_UNKNOWN)
    return TRUE;
  if (!flow_infer_subshape (c, indices, 0, outer, &a, error) || !flow_infer_subshape (c, updates, 0, outer, &b, error))
    return FALSE;
  if (!flow_infer_merge (c, a, b, &merged, &why))
    return _flow_refuse (error, "The outer %d dimensions of indices.shape=%s must match the outer %d dimensions of "
                         "updates.shape=%s: %s", outer, shown, outer, written, why->message);
  if (indices->dims[outer] > FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "Shape has too many dimensions: %" G_GINT64_FORMAT, indices->dims[outer]);
  if (!flow_infer_subshape (c, target, (int) indices->dims[outer], G_MAXINT, &x, error)
      || !flow_infer_subshape (c, updates, outer, G_MAXINT, &y, error))
    return FALSE;
  if (!flow_infer_merge (c, x, y, &rest, &why))
    return _flow_refuse (error, "The inner %" G_GINT64_FORMAT " dimensions of %s.shape=%s must match the inner %d "
                         "dimensions of updates.shape=%s: %s", target->rank - indices->dims[outer], what, into, y->rank, written, why->message);
  return TRUE;
}
