/* flow-value-list.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-value-list-private.h"

#include "flow-util.h"

FlowShape *
flow_value_list_shape (FlowInferContext *c,
                       guint             i)
{
  const FlowShape *shape = flow_infer_input (c, i);

  return shape->rank != FLOW_RANK_UNKNOWN ? flow_shape_ref (shape) : NULL;
}

FlowShape *
flow_value_list_size (FlowInferContext *c,
                      guint             i)
{
  gint64 n;

  return flow_shape_n_elements (flow_infer_input (c, 0), &n) ? flow_shape_new_vector (n) : NULL;
}

FlowShape *
flow_value_list_rank (FlowInferContext *c,
                      guint             i)
{
  int rank = flow_infer_input (c, 0)->rank;

  return rank != FLOW_RANK_UNKNOWN ? flow_shape_new_vector (rank) : NULL;
}

FlowShape *
flow_value_list_same (FlowInferContext *c,
                      guint             i)
{
  FlowShape *list = flow_infer_value_list (c, 0);

  return list != NULL ? flow_shape_ref (list) : NULL;
}

/* Inputs first to last, each as many numbers as it holds; one of unknown length spoils all. */
static FlowShape *
join (FlowInferContext *c,
      guint             first,
      guint             count,
      gboolean          scalars)
{
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  int n = 0;

  for (guint k = first; k < first + count; k++)
    {
      FlowShape *list = flow_infer_value_list (c, k);
      const FlowShape *shape = flow_infer_input (c, k);
      gint64 length = list != NULL ? list->rank : scalars ? 1 : shape->rank == 1 ? shape->dims[0] : -1;

      if (length < 0 || length > FLOW_SHAPE_MAX_RANK - n || (scalars && length != 1))
        return NULL;
      for (int d = 0; d < (int) length; d++)
        dims[n++] = list != NULL ? list->dims[d] : FLOW_DIM_UNKNOWN;
    }
  return flow_shape_new (n, dims);
}

FlowShape *
flow_value_list_pack (FlowInferContext *c,
                      guint             i)
{
  for (guint k = 0; k < c->n_inputs; k++)
    if (flow_infer_input (c, k)->rank > 0)
      return NULL;
  return join (c, 0, c->n_inputs, TRUE);
}

FlowShape *
flow_value_list_concat_v2 (FlowInferContext *c,
                           guint             i)
{
  return c->n_inputs > 1 ? join (c, 0, c->n_inputs - 1, FALSE) : NULL;
}

FlowShape *
flow_value_list_concat (FlowInferContext *c,
                        guint             i)
{
  return c->n_inputs > 1 ? join (c, 1, c->n_inputs - 1, FALSE) : NULL;
}

FlowShape *
flow_value_list_slice (FlowInferContext *c,
                       guint             i)
{
  FlowShape *list = flow_infer_value_list (c, 0);
  gint64 begin;
  gint64 size;

  if (list == NULL || flow_infer_input (c, 0)->rank != 1
      || !flow_infer_scalar_value (c, 1, &begin) || !flow_infer_scalar_value (c, 2, &size))
    return NULL;
  if (size == -1)
    size = list->rank - begin;
  if (begin < 0 || size < 0 || begin > list->rank || size > list->rank - begin)
    return NULL;
  return flow_shape_new ((int) size, list->dims + begin);
}

static gboolean
only_element (FlowInferContext *c,
              guint             i,
              gint64           *value)
{
  FlowTensor *tensor = flow_infer_input_value (c, i);

  if (tensor == NULL || tensor->n_elements != 1)
    return FALSE;
  *value = flow_tensor_get_int (tensor, 0);
  return TRUE;
}

/* One index into a vector: v[a:b:s] or v[a]. */
FlowShape *
flow_value_list_strided_slice (FlowInferContext *c,
                               guint             i)
{
  FlowShape *list = flow_infer_value_list (c, 0);
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  gint64 begin;
  gint64 end;
  gint64 stride;
  int n = 0;

  if (list == NULL || flow_infer_input (c, 0)->rank != 1 || flow_infer_attr_int (c, "ellipsis_mask") != 0
      || flow_infer_attr_int (c, "new_axis_mask") != 0 || !only_element (c, 3, &stride) || stride == 0
      || stride < -FLOW_SHAPE_MAX_RANK || stride > FLOW_SHAPE_MAX_RANK)
    return NULL;
  if (!only_element (c, 1, &begin))
    return NULL;
  if (flow_infer_attr_int (c, "shrink_axis_mask") & 1)
    {
      if (begin < 0)
        begin += list->rank;
      return begin >= 0 && begin < list->rank ? flow_shape_new_vector (list->dims[begin]) : NULL;
    }
  if (!only_element (c, 2, &end))
    return NULL;
  if (flow_infer_attr_int (c, "begin_mask") & 1)
    begin = stride > 0 ? 0 : list->rank - 1;
  else
    begin = CLAMP (begin < 0 ? begin + list->rank : begin, stride > 0 ? 0 : -1, stride > 0 ? list->rank : list->rank - 1);
  if (flow_infer_attr_int (c, "end_mask") & 1)
    end = stride > 0 ? list->rank : -1;
  else
    end = CLAMP (end < 0 ? end + list->rank : end, stride > 0 ? 0 : -1, list->rank);
  for (gint64 at = begin; stride > 0 ? at < end : at > end; at += stride)
    dims[n++] = list->dims[at];
  return flow_shape_new (n, dims);
}

FlowShape *
flow_value_list_gather (FlowInferContext *c,
                        guint             i)
{
  FlowShape *list = flow_infer_value_list (c, 0);
  FlowShape *indices = flow_infer_value_list (c, 1);
  FlowShape *out;

  if (list == NULL || indices == NULL || flow_infer_input (c, 0)->rank != 1)
    return NULL;
  out = flow_shape_new_of_rank (indices->rank);
  for (int k = 0; k < indices->rank; k++)
    if (indices->dims[k] >= 0 && indices->dims[k] < list->rank)
      out->dims[k] = list->dims[indices->dims[k]];
  return out;
}

FlowShape *
flow_value_list_fill (FlowInferContext *c,
                      guint             i)
{
  FlowShape *dims = flow_infer_value_list (c, 0);
  FlowShape *out;
  gint64 value;

  if (dims == NULL || dims->rank != 1 || dims->dims[0] < 0 || dims->dims[0] > FLOW_SHAPE_MAX_RANK)
    return NULL;
  if (!flow_infer_scalar_value (c, 1, &value))
    value = FLOW_DIM_UNKNOWN;
  out = flow_shape_new_of_rank ((int) dims->dims[0]);
  for (int k = 0; k < out->rank; k++)
    out->dims[k] = value;
  return out;
}

FlowShape *
flow_value_list_prod (FlowInferContext *c,
                      guint             i)
{
  FlowShape *list = flow_infer_value_list (c, 0);
  gint64 product = 1;

  if (list == NULL || flow_infer_input (c, 0)->rank != 1 || flow_infer_input_value (c, 1) == NULL
      || flow_infer_input_value (c, 1)->n_elements != 1)
    return NULL;
  for (int k = 0; k < list->rank; k++)
    if (list->dims[k] < 0 || !flow_mul_int64 (product, list->dims[k], &product))
      return NULL;
  return flow_shape_new_vector (product);
}

typedef gboolean (*Arithmetic) (gint64 a, gint64 b, gint64 *out);

static gboolean
add (gint64 a, gint64 b, gint64 *out)
{
  return flow_add_int64 (a, b, out);
}

static gboolean
sub (gint64 a, gint64 b, gint64 *out)
{
  return !__builtin_sub_overflow (a, b, out);
}

static gboolean
mul (gint64 a, gint64 b, gint64 *out)
{
  return flow_mul_int64 (a, b, out);
}

static gboolean
floor_div (gint64 a, gint64 b, gint64 *out)
{
  if (b <= 0)
    return FALSE;
  *out = a / b;
  return TRUE;
}

static gboolean
maximum (gint64 a, gint64 b, gint64 *out)
{
  *out = MAX (a, b);
  return TRUE;
}

static gboolean
minimum (gint64 a, gint64 b, gint64 *out)
{
  *out = MIN (a, b);
  return TRUE;
}

/* Scalars broadcast; known numbers are never negative here, so -1 stays free for "unknown". */
static FlowShape *
combine (FlowInferContext *c,
         Arithmetic        what)
{
  FlowShape *a = flow_infer_value_list (c, 0);
  FlowShape *b = flow_infer_value_list (c, 1);
  FlowShape *out;
  int n;

  if (a == NULL || b == NULL || (a->rank != b->rank && a->rank != 1 && b->rank != 1))
    return NULL;
  n = a->rank == 1 ? b->rank : a->rank;
  out = flow_shape_new_of_rank (n);
  for (int k = 0; k < n; k++)
    {
      gint64 x = a->dims[a->rank == 1 ? 0 : k];
      gint64 y = b->dims[b->rank == 1 ? 0 : k];
      gint64 value;

      if (x >= 0 && y >= 0 && what (x, y, &value) && value >= 0)
        out->dims[k] = value;
    }
  return out;
}

FlowShape *
flow_value_list_add (FlowInferContext *c,
                     guint             i)
{
  return combine (c, add);
}

FlowShape *
flow_value_list_sub (FlowInferContext *c,
                     guint             i)
{
  return combine (c, sub);
}

FlowShape *
flow_value_list_mul (FlowInferContext *c,
                     guint             i)
{
  return combine (c, mul);
}

FlowShape *
flow_value_list_floor_div (FlowInferContext *c,
                           guint             i)
{
  return combine (c, floor_div);
}

FlowShape *
flow_value_list_maximum (FlowInferContext *c,
                         guint             i)
{
  return combine (c, maximum);
}

FlowShape *
flow_value_list_minimum (FlowInferContext *c,
                         guint             i)
{
  return combine (c, minimum);
}
