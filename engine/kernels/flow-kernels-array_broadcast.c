/* flow-kernels-array_broadcast.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tensors repeated to larger shapes, and what two shapes come to.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-elementwise-private.h"

#include <string.h>

static gboolean
broadcast_to_infer (FlowInferContext *c,
                    GError          **error)
{
  FlowShape *in = flow_infer_input (c, 0);
  g_autoptr (FlowShape) vector = NULL;
  g_autoptr (FlowShape) out = NULL;
  g_autoptr (FlowShape) both = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 1), 1, &vector, error) ||
      !flow_infer_shape_from_value (c, 1, &out, error))
    return FALSE;
  flow_infer_set_output (c, 0, out);
  if (in->rank == FLOW_RANK_UNKNOWN || out->rank == FLOW_RANK_UNKNOWN)
    return TRUE;
  if (in->rank > out->rank)
    return _flow_refuse (error, "Shape must be at most rank %d but is rank %d", out->rank, in->rank);
  both = flow_shape_new (out->rank, out->dims);
  for (int i = 1; i <= in->rank; i++)
    if (in->dims[in->rank - i] > 1
        && !flow_infer_merge_dim (c, in->dims[in->rank - i], both->dims[out->rank - i], &both->dims[out->rank - i], error))
      return FALSE;
  flow_infer_set_output (c, 0, both);
  return TRUE;
}

static gboolean
check_broadcast_to (const FlowShape  *in,
                    const FlowShape  *out,
                    GError          **error)
{
  g_autoptr (FlowShape) both = flow_broadcast_shape (in, out, error);
  g_autofree char *a = NULL;
  g_autofree char *b = NULL;

  if (both == NULL || flow_shape_equal (both, out))
    return both != NULL;
  a = flow_shape_to_string (in);
  b = flow_shape_to_string (out);
  return _flow_refuse (error, "Unable to broadcast tensor of shape %s to tensor of shape %s", a, b);
}

static gboolean
broadcast_to_compute (FlowKernelContext *c,
                      GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  g_autoptr (FlowShape) shape = flow_kernel_shape_from_tensor (flow_kernel_input (c, 1), error);
  gint64 x_strides[FLOW_SHAPE_MAX_RANK];
  gint64 src_strides[FLOW_SHAPE_MAX_RANK];
  gint64 dst_strides[FLOW_SHAPE_MAX_RANK];
  int lead;
  FlowTensor *out;

  if (shape == NULL)
    return FALSE;
  if (flow_shape_equal (shape, x->shape))
    {
      flow_kernel_set_output (c, 0, x);
      return TRUE;
    }
  if (FLOW_RANK (x) > shape->rank)
    return _flow_refuse (error, "Rank of input (%d) must be no greater than rank of output shape (%d).",
                         FLOW_RANK (x), shape->rank);
  lead = shape->rank - FLOW_RANK (x);
  _flow_row_major_strides (FLOW_RANK (x), FLOW_DIMS (x), x_strides);
  out = flow_kernel_allocate (c, 0, shape, error);
  if (out == NULL)
    return FALSE;
  /* TF: what comes to nothing is not compared. */
  if (out->n_elements == 0)
    return TRUE;
  if (!check_broadcast_to (x->shape, shape, error))
    return FALSE;
  for (int i = 0; i < shape->rank; i++)
    src_strides[i] = i < lead || FLOW_DIMS (x)[i - lead] == 1 ? 0 : x_strides[i - lead];
  _flow_row_major_strides (shape->rank, shape->dims, dst_strides);
  _flow_copy_strided (_flow_cell_size (out->dtype), shape->rank, shape->dims, out->data, dst_strides,
                      x->data, src_strides);
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

/* Numbers as they are, negative ones too. */
static char *
spell_vector (const FlowTensor *vector)
{
  g_autoptr (GString) text = g_string_new ("[");

  for (gint64 i = 0; i < vector->n_elements; i++)
    g_string_append_printf (text, i > 0 ? ",%" G_GINT64_FORMAT : "%" G_GINT64_FORMAT, flow_index_at (vector, i));
  g_string_append_c (text, ']');
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Both shapes of values, padded with ones at the front to one rank of at most the sum of both. */
typedef struct {
  int rank;
  gint64 *a;
  gint64 *b;
} ShapePair;

static void
shape_pair_clear (ShapePair *pair)
{
  g_free (pair->a);
  g_free (pair->b);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ShapePair, shape_pair_clear)

static gboolean
read_shape_pair (FlowKernelContext *c,
                 ShapePair         *pair,
                 GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *y = flow_kernel_input (c, 1);

  if (!flow_is_vector (x))
    return _flow_refuse_shapes (error, x, NULL, "In[0] must be a vector.%s");
  if (!flow_is_vector (y))
    return _flow_refuse_shapes (error, y, NULL, "In[1] must be a vector.%s");
  if (MAX (x->n_elements, y->n_elements) > FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "too many dimensions");
  pair->rank = (int) MAX (x->n_elements, y->n_elements);
  pair->a = g_new (gint64, (gsize) pair->rank + 1);
  pair->b = g_new (gint64, (gsize) pair->rank + 1);
  for (int i = 0; i < pair->rank; i++)
    {
      gint64 ia = i - (pair->rank - x->n_elements);
      gint64 ib = i - (pair->rank - y->n_elements);

      pair->a[i] = ia < 0 ? 1 : flow_index_at (x, ia);
      pair->b[i] = ib < 0 ? 1 : flow_index_at (y, ib);
    }
  for (int i = 0; i < pair->rank; i++)
    if (pair->a[i] != pair->b[i] && pair->a[i] != 1 && pair->b[i] != 1)
      {
        g_autofree char *a = spell_vector (x);
        g_autofree char *b = spell_vector (y);

        return _flow_refuse (error, "Incompatible shapes: %s vs. %s", a, b);
      }
  return TRUE;
}

static gboolean
put_vector (FlowKernelContext *c,
            guint              i,
            const gint64      *values,
            gint64             n,
            GError           **error)
{
  FlowTensor *out = flow_kernel_allocate_dims (c, i, 1, &n, error);

  if (out == NULL)
    return FALSE;
  for (gint64 k = 0; k < n; k++)
    {
      if (out->dtype == FLOW_DTYPE_INT32)
        FLOW_WRITABLE (gint32, out)[k] = (gint32) values[k];
      else
        FLOW_WRITABLE (gint64, out)[k] = values[k];
    }
  return TRUE;
}

static gboolean
broadcast_args_infer (FlowInferContext *c,
                      GError          **error)
{
  FlowShape *x = flow_infer_input (c, 0);
  FlowShape *y = flow_infer_input (c, 1);
  g_autoptr (FlowShape) vector_x = NULL;
  g_autoptr (FlowShape) vector_y = NULL;
  gint64 size = FLOW_DIM_UNKNOWN;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, x, 1, &vector_x, error) || !flow_infer_with_rank (c, y, 1, &vector_y, error))
    return FALSE;
  if (vector_x->dims[0] >= 0 && vector_y->dims[0] >= 0)
    size = MAX (vector_x->dims[0], vector_y->dims[0]);
  flow_infer_take_output (c, 0, flow_shape_new_vector (size));
  return TRUE;
}

static gboolean
broadcast_args_compute (FlowKernelContext *c,
                        GError           **error)
{
  g_auto (ShapePair) pair = { 0 };

  if (!read_shape_pair (c, &pair, error))
    return FALSE;
  for (int i = 0; i < pair.rank; i++)
    if (pair.a[i] == 1)
      pair.a[i] = pair.b[i];
  return put_vector (c, 0, pair.a, pair.rank, error);
}

static gboolean
broadcast_gradient_args_compute (FlowKernelContext *c,
                                 GError           **error)
{
  g_auto (ShapePair) pair = { 0 };
  gint64 reduce_a[FLOW_SHAPE_MAX_RANK];
  gint64 reduce_b[FLOW_SHAPE_MAX_RANK];
  int n_a = 0;
  int n_b = 0;
  gboolean same;

  if (!read_shape_pair (c, &pair, error))
    return FALSE;
  /* TF: two equal shapes reduce nothing, even where both have ones; otherwise a pair of ones reduces on
   * both sides. */
  same = flow_kernel_input (c, 0)->n_elements == flow_kernel_input (c, 1)->n_elements &&
         memcmp (pair.a, pair.b, sizeof (gint64) * (gsize) pair.rank) == 0;
  for (int i = 0; i < pair.rank && !same; i++)
    {
      if (pair.a[i] == 1)
        reduce_a[n_a++] = i;
      if (pair.b[i] == 1)
        reduce_b[n_b++] = i;
    }
  return put_vector (c, 0, reduce_a, n_a, error) && put_vector (c, 1, reduce_b, n_b, error);
}
static const FlowOpDef ops[] = {
  {
    .name = "BroadcastArgs",
    .inputs = "s0: T; s1: T",
    .outputs = "r0: T",
    .attrs = "T: {int32, int64} = DT_INT32",
    .summary = "The shape to which two shapes broadcast",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = broadcast_args_infer,
    .kernels = (const FlowKernelDef[]) { { "T: int32 int64", broadcast_args_compute }, { NULL } },
  },
  {
    .name = "BroadcastGradientArgs",
    .inputs = "s0: T; s1: T",
    .outputs = "r0: T; r1: T",
    .attrs = "T: {int32, int64} = DT_INT32",
    .summary = "Which dimensions the gradient of a broadcast operation sums over",
    .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = _flow_infer_two_vectors,
    .kernels = (const FlowKernelDef[]) { { "T: int32 int64", broadcast_gradient_args_compute }, { NULL } },
  },
  {
    .name = "BroadcastTo",
    .inputs = "input: T; shape: Tidx",
    .outputs = "output: T",
    .attrs = "T: type; Tidx: {int32, int64} = DT_INT32",
    .summary = "A tensor repeated to a larger shape",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = broadcast_to_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string resource variant",
        broadcast_to_compute },
      { NULL },
    },
  },
};

FLOW_DEFINE_OP_FAMILY (array_broadcast, ops)
