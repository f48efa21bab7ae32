/* flow-shape.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-shape.h"

#include "flow-util.h"

#include <string.h>

FLOW_DEFINE_SHARED_BOXED_TYPE (FlowShape, flow_shape)

/**
 * flow_shape_new:
 * @rank: number of dimensions, 0 to %FLOW_SHAPE_MAX_RANK, or %FLOW_RANK_UNKNOWN
 * @dims: (array length=rank) (nullable): the dimensions, each >= 0 or -1 for unknown; %NULL leaves
 *   all unknown
 *
 * Returns: (transfer full): a shape
 */
FlowShape *
flow_shape_new (int           rank,
                const gint64 *dims)
{
  FlowShape *self;

  g_return_val_if_fail (rank >= FLOW_RANK_UNKNOWN && rank <= FLOW_SHAPE_MAX_RANK, NULL);

  self = g_malloc (sizeof (FlowShape) + sizeof (gint64) * (gsize) MAX (rank, 0));
  g_atomic_ref_count_init (&self->ref_count);
  self->rank = rank;
  for (int i = 0; i < rank; i++)
    self->dims[i] = dims != NULL ? dims[i] : FLOW_DIM_UNKNOWN;
  return self;
}

/**
 * flow_shape_new_unknown:
 *
 * Returns: (transfer full): the shape of unknown rank
 */
FlowShape *
flow_shape_new_unknown (void)
{
  return flow_shape_new (FLOW_RANK_UNKNOWN, NULL);
}

/**
 * flow_shape_new_of_rank:
 * @rank: number of dimensions
 *
 * Returns: (transfer full): a shape with that many unknown dimensions
 */
FlowShape *
flow_shape_new_of_rank (int rank)
{
  return flow_shape_new (rank, NULL);
}

/**
 * flow_shape_new_scalar:
 *
 * Returns: (transfer full): the shape without dimensions
 */
FlowShape *
flow_shape_new_scalar (void)
{
  return flow_shape_new (0, NULL);
}

/**
 * flow_shape_new_vector:
 * @size: the dimension, -1 for unknown
 *
 * Returns: (transfer full): a shape of rank 1
 */
FlowShape *
flow_shape_new_vector (gint64 size)
{
  return flow_shape_new (1, &size);
}

/**
 * flow_shape_new_matrix:
 * @rows: the first dimension, -1 for unknown
 * @columns: the second dimension, -1 for unknown
 *
 * Returns: (transfer full): a shape of rank 2
 */
FlowShape *
flow_shape_new_matrix (gint64 rows,
                       gint64 columns)
{
  return flow_shape_new (2, (gint64[]) { rows, columns });
}

/**
 * flow_shape_ref:
 * @self: a shape
 *
 * Returns: (transfer full): @self; shapes never change, so a const one may be shared
 */
FlowShape *
flow_shape_ref (const FlowShape *self)
{
  FlowShape *shared = (FlowShape *) (gpointer) self;

  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&shared->ref_count);
  return shared;
}

/**
 * flow_shape_unref:
 * @self: (transfer full): a shape
 */
void
flow_shape_unref (const FlowShape *self)
{
  FlowShape *shared = (FlowShape *) (gpointer) self;

  g_return_if_fail (self != NULL);

  if (g_atomic_ref_count_dec (&shared->ref_count))
    g_free (shared);
}

/**
 * flow_shape_get_rank:
 * @self: a shape
 *
 * Returns: the number of dimensions, or %FLOW_RANK_UNKNOWN
 */
int
flow_shape_get_rank (const FlowShape *self)
{
  g_return_val_if_fail (self != NULL, FLOW_RANK_UNKNOWN);

  return self->rank;
}

/**
 * flow_shape_get_dim:
 * @self: a shape
 * @i: index, from 0 to the rank less one
 *
 * Returns: the dimension, -1 when it or the rank is unknown
 */
gint64
flow_shape_get_dim (const FlowShape *self,
                    int              i)
{
  g_return_val_if_fail (self != NULL, FLOW_DIM_UNKNOWN);

  if (self->rank == FLOW_RANK_UNKNOWN)
    return FLOW_DIM_UNKNOWN;
  g_return_val_if_fail (i >= 0 && i < self->rank, FLOW_DIM_UNKNOWN);
  return self->dims[i];
}

/**
 * flow_shape_is_known:
 * @self: a shape
 *
 * Returns: whether rank and all dimensions are known
 */
gboolean
flow_shape_is_known (const FlowShape *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  if (self->rank == FLOW_RANK_UNKNOWN)
    return FALSE;
  for (int i = 0; i < self->rank; i++)
    if (self->dims[i] < 0)
      return FALSE;
  return TRUE;
}

/**
 * flow_shape_equal:
 * @a: a shape
 * @b: another
 *
 * Returns: whether they say the same, unknown parts included
 */
gboolean
flow_shape_equal (const FlowShape *a,
                  const FlowShape *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);

  if (a == b)
    return TRUE;
  return a->rank == b->rank
         && (a->rank <= 0 || memcmp (a->dims, b->dims, sizeof (gint64) * (gsize) a->rank) == 0);
}

/**
 * flow_shape_is_compatible:
 * @a: a shape
 * @b: another
 *
 * Returns: whether some fully known shape fits both
 */
gboolean
flow_shape_is_compatible (const FlowShape *a,
                          const FlowShape *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);

  if (a->rank == FLOW_RANK_UNKNOWN || b->rank == FLOW_RANK_UNKNOWN)
    return TRUE;
  if (a->rank != b->rank)
    return FALSE;
  for (int i = 0; i < a->rank; i++)
    if (a->dims[i] >= 0 && b->dims[i] >= 0 && a->dims[i] != b->dims[i])
      return FALSE;
  return TRUE;
}

/**
 * flow_shape_n_elements:
 * @self: a fully known shape
 * @n_elements: (out): the product of its dimensions, 1 for a scalar
 *
 * Returns: %FALSE if the shape is not fully known or the product does not fit a #gint64. The
 *   dimensions other than 0 must fit as well, so that strides never overflow.
 */
gboolean
flow_shape_n_elements (const FlowShape *self,
                       gint64          *n_elements)
{
  gint64 product = 1;
  gboolean empty = FALSE;

  g_return_val_if_fail (self != NULL && n_elements != NULL, FALSE);

  if (!flow_shape_is_known (self))
    return FALSE;
  for (int i = 0; i < self->rank; i++)
    {
      if (self->dims[i] == 0)
        empty = TRUE;
      else if (!flow_mul_int64 (product, self->dims[i], &product))
        return FALSE;
    }
  *n_elements = empty ? 0 : product;
  return TRUE;
}

/**
 * flow_dims_to_string:
 * @rank: number of dimensions, or %FLOW_RANK_UNKNOWN
 * @dims: (array length=rank) (nullable): the dimensions
 *
 * Returns: (transfer full): as TensorFlow prints shapes: `[2,?,3]`, `[]`, `<unknown>`
 */
char *
flow_dims_to_string (int           rank,
                     const gint64 *dims)
{
  GString *text;

  if (rank == FLOW_RANK_UNKNOWN)
    return g_strdup ("<unknown>");
  text = g_string_new ("[");
  for (int i = 0; i < rank; i++)
    {
      if (i > 0)
        g_string_append_c (text, ',');
      if (dims[i] < 0)
        g_string_append_c (text, '?');
      else
        g_string_append_printf (text, "%" G_GINT64_FORMAT, dims[i]);
    }
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

/**
 * flow_shape_to_string:
 * @self: a shape
 *
 * Returns: (transfer full): as TensorFlow prints shapes: `[2,?,3]`, `[]`, `<unknown>`
 */
char *
flow_shape_to_string (const FlowShape *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return flow_dims_to_string (self->rank, self->dims);
}
