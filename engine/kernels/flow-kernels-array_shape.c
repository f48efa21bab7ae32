/* flow-kernels-array_shape.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shapes as values, and the same cells in another shape.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-value-list-private.h"

#include <string.h>

/* --- Shape, ShapeN, Size, Rank ------------------------------------------------------------------ */

static gboolean
shape_infer (FlowInferContext *c,
             GError          **error)
{
  for (guint i = 0; i < c->n_inputs && i < c->n_outputs; i++)
    flow_infer_take_output (c, i, flow_shape_new_vector (flow_infer_input (c, i)->rank));
  return TRUE;
}

static gboolean
put_shape (FlowKernelContext *c,
           guint              i,
           GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, i);
  gint64 rank = FLOW_RANK (x);
  FlowTensor *out = flow_kernel_allocate_dims (c, i, 1, &rank, error);

  if (out == NULL)
    return FALSE;
  for (int d = 0; d < rank; d++)
    {
      gint64 dim = FLOW_DIMS (x)[d];

      if (out->dtype == FLOW_DTYPE_INT64)
        FLOW_WRITABLE (gint64, out)[d] = dim;
      else if (dim < G_MAXINT32)
        FLOW_WRITABLE (gint32, out)[d] = (gint32) dim;
      else
        return _flow_refuse (error, "Shape output type is 32-bit  but dim %d is %" G_GINT64_FORMAT, d, dim);
    }
  return TRUE;
}

static gboolean
shape_compute (FlowKernelContext *c,
               GError           **error)
{
  for (guint i = 0; i < c->n_outputs; i++)
    if (!put_shape (c, i, error))
      return FALSE;
  return TRUE;
}

static gboolean
put_count (FlowKernelContext *c,
           gint64             count,
           GError           **error)
{
  FlowTensor *out = flow_kernel_allocate_dims (c, 0, 0, NULL, error);

  if (out == NULL)
    return FALSE;
  if (out->dtype == FLOW_DTYPE_INT64)
    *FLOW_WRITABLE (gint64, out) = count;
  else if (count <= G_MAXINT32)
    *FLOW_WRITABLE (gint32, out) = (gint32) count;
  else
    return _flow_refuse (error, "Number of elements was larger than representable by 32-bit output type");
  return TRUE;
}

static gboolean
size_compute (FlowKernelContext *c,
              GError           **error)
{
  return put_count (c, flow_kernel_input (c, 0)->n_elements, error);
}

static gboolean
rank_compute (FlowKernelContext *c,
              GError           **error)
{
  return put_count (c, FLOW_RANK (flow_kernel_input (c, 0)), error);
}

/* --- Reshape ------------------------------------------------------------------------------------ */

/* The count of elements of the known dims; FALSE where it does not fit. */
static gboolean
known_elements (const FlowShape *shape,
                gint64          *n,
                int             *unknown,
                int             *n_unknown)
{
  *n = 1;
  *unknown = -1;
  *n_unknown = 0;
  for (int i = 0; i < shape->rank; i++)
    {
      if (shape->dims[i] == FLOW_DIM_UNKNOWN)
        {
          *unknown = i;
          (*n_unknown)++;
        }
      else if (!flow_mul_int64 (*n, shape->dims[i], n))
        {
          return FALSE;
        }
    }
  return TRUE;
}

/* The one size of the input that is not known follows from a shape that is. */
static gboolean
check_missing_size (const FlowShape *in,
                    const FlowShape *out,
                    GError         **error)
{
  gint64 n_in;
  gint64 n_out;
  int unknown;
  int n_unknown;

  if (!known_elements (in, &n_in, &unknown, &n_unknown) || n_unknown != 1 || n_in == 0 ||
      !flow_shape_n_elements (out, &n_out))
    return TRUE;
  if (n_out % n_in != 0)
    return _flow_refuse (error, "Dimension size must be evenly divisible by %" G_GINT64_FORMAT " but is %"
                         G_GINT64_FORMAT, n_in, n_out);
  return TRUE;
}

static gboolean
reshape_infer (FlowInferContext *c,
               GError          **error)
{
  FlowShape *in = flow_infer_input (c, 0);
  g_autoptr (FlowShape) out = NULL;
  gint64 n_in;
  gint64 n_out;
  int unknown;
  int n_unknown;
  g_autoptr (FlowShape) inferred = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_shape_from_value (c, 1, &out, error))
    return FALSE;
  flow_infer_set_output (c, 0, out);
  if (out->rank == FLOW_RANK_UNKNOWN || in->rank == FLOW_RANK_UNKNOWN)
    return TRUE;
  if (!flow_shape_n_elements (in, &n_in))
    return check_missing_size (in, out, error);
  if (!known_elements (out, &n_out, &unknown, &n_unknown))
    return _flow_refuse (error, "Requested shape has too many elements");
  if (n_unknown > 1)
    return TRUE;
  if (n_unknown == 0)
    {
      g_autofree char *text = flow_shape_to_string (out);

      if (n_in == n_out)
        return TRUE;
      return _flow_refuse (error, "Cannot reshape a tensor with %" G_GINT64_FORMAT " elements to shape %s (%"
                           G_GINT64_FORMAT " elements)", n_in, text, n_out);
    }
  if (n_out == 0)
    return TRUE;
  if (n_in % n_out != 0)
    return _flow_refuse (error, "Dimension size must be evenly divisible by %" G_GINT64_FORMAT " but is %"
                         G_GINT64_FORMAT, n_out, n_in);
  inferred = flow_shape_new (out->rank, out->dims);
  inferred->dims[unknown] = n_in / n_out;
  flow_infer_set_output (c, 0, inferred);
  return TRUE;
}

/* Reads the requested sizes; -1 stands as 1 in @dims and is @unknown. */
static gboolean
read_sizes (const FlowTensor *sizes,
            gint64           *dims,
            gint64           *product,
            int              *unknown,
            gboolean         *has_zero,
            GError          **error)
{
  *product = 1;
  *unknown = -1;
  *has_zero = FALSE;
  if (sizes->n_elements > FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "too many dimensions: %" G_GINT64_FORMAT, sizes->n_elements);
  for (int d = 0; d < sizes->n_elements; d++)
    {
      gint64 size = flow_index_at (sizes, d);

      dims[d] = size;
      if (size == -1)
        {
          if (*unknown != -1)
            return _flow_refuse (error, "Only one input size may be -1, not both %d and %d", *unknown, d);
          *unknown = d;
          dims[d] = 1;
          continue;
        }
      if (size < 0)
        return _flow_refuse (error, "Size %d must be non-negative, not %" G_GINT64_FORMAT, d, size);
      /* A zero later on does not excuse a product that is too large before it. */
      if (size == 0)
        *has_zero = TRUE;
      else if (!flow_mul_int64 (*product, size, product))
        return _flow_refuse (error, "The requested shape has too many elements");
    }
  return TRUE;
}

gboolean
_flow_reshape_compute (FlowKernelContext  *c,
                       GError            **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *sizes = flow_kernel_input (c, 1);
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  gint64 product;
  int unknown;
  gboolean has_zero;
  g_autoptr (FlowShape) shape = NULL;

  if (!flow_is_vector (sizes))
    return _flow_refuse_shapes (error, sizes, NULL, "sizes input must be 1-D, not %s");
  if (!read_sizes (sizes, dims, &product, &unknown, &has_zero, error))
    return FALSE;
  if (unknown >= 0)
    {
      /* TF: zeros of the input count only where the request has none, so that [0,3] to [0,-1] is [0,3];
       * what is missing then need not come out even. */
      gint64 n = 1;
      gboolean skipped = FALSE;

      for (int d = 0; d < FLOW_RANK (x); d++)
        {
          if (FLOW_DIMS (x)[d] == 0 && has_zero)
            skipped = TRUE;
          else if (!flow_mul_int64 (n, FLOW_DIMS (x)[d], &n))
            return _flow_refuse (error, "The requested shape has too many elements");
        }
      dims[unknown] = n / product;
      if (!skipped && product * dims[unknown] != n)
        return _flow_refuse (error, "Input to reshape is a tensor with %" G_GINT64_FORMAT
                             " values, but the requested shape requires a multiple of %" G_GINT64_FORMAT,
                             x->n_elements, product);
      product *= dims[unknown];
    }
  if (has_zero)
    product = 0;
  if (product != x->n_elements)
    return _flow_refuse (error, "Input to reshape is a tensor with %" G_GINT64_FORMAT
                         " values, but the requested shape has %" G_GINT64_FORMAT,
                         x->n_elements, product);
  shape = flow_shape_new ((int) sizes->n_elements, dims);
  return _flow_take_reshaped (c, 0, x, shape, error);
}

/* --- ExpandDims, Squeeze ------------------------------------------------------------------------- */

static gboolean
expand_dims_infer (FlowInferContext *c,
                   GError          **error)
{
  FlowShape *in = flow_infer_input (c, 0);
  FlowTensor *value = flow_infer_input_value (c, 1);
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  gint64 dim;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (value != NULL && value->n_elements != 1)
    return _flow_refuse (error, "'dim' input must be a tensor with a single value");
  if (in->rank == FLOW_RANK_UNKNOWN || value == NULL)
    return flow_infer_unknown_shape (c, error);
  if (in->rank >= FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "too many dimensions");
  dim = flow_index_at (value, 0);
  if (dim < -in->rank - 1 || dim > in->rank)
    return _flow_refuse (error, "dim %" G_GINT64_FORMAT " not in the interval [%d, %d].", dim, -in->rank - 1, in->rank);
  if (dim < 0)
    dim += in->rank + 1;
  for (int i = 0, j = 0; i <= in->rank; i++)
    dims[i] = i == dim ? 1 : in->dims[j++];
  flow_infer_take_output (c, 0, flow_shape_new (in->rank + 1, dims));
  return TRUE;
}

static gboolean
expand_dims_compute (FlowKernelContext *c,
                     GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *value = flow_kernel_input (c, 1);
  int rank = FLOW_RANK (x);
  g_autoptr (FlowShape) shape = NULL;
  gint64 dim;

  if (value->n_elements != 1)
    return _flow_refuse (error, "'dim' must be a tensor with a single value");
  dim = flow_index_at (value, 0);
  if (dim < -rank - 1 || dim > rank)
    return _flow_refuse (error, "Tried to expand dim index %" G_GINT64_FORMAT " for tensor with %d dimensions.", dim, rank);
  if (rank >= FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "too many dimensions");
  if (dim < 0)
    dim += rank + 1;
  shape = flow_shape_new_of_rank (rank + 1);
  for (int i = 0, j = 0; i <= rank; i++)
    shape->dims[i] = i == dim ? 1 : FLOW_DIMS (x)[j++];
  return _flow_take_reshaped (c, 0, x, shape, error);
}

/* Marks the dims that the attr names; @words has the op's complaint about one outside. */
static gboolean
mark_squeezed (FlowAttr   *list,
               int         rank,
               gboolean   *squeezed,
               gboolean    running,
               GError    **error)
{
  gsize n = list != NULL ? flow_attr_get_length (list) : 0;

  memset (squeezed, 0, sizeof (gboolean) * (gsize) MAX (rank, 1));
  for (gsize i = 0; i < n; i++)
    {
      gint64 dim = flow_attr_get_int (flow_attr_get_item (list, i));
      int axis = 0;

      if (flow_canonical_axis (dim, rank, &axis))
        squeezed[axis] = TRUE;
      else if (running)
        return _flow_refuse (error, "Tried to squeeze dim index %" G_GINT64_FORMAT
                             " for tensor with %d dimensions.", dim, rank);
      else
        return _flow_refuse (error, "squeeze_dims[%" G_GSIZE_FORMAT "] not in [%d,%d).", i, -rank, rank);
    }
  return TRUE;
}

static gboolean
squeeze_dims (FlowAttr      *list,
              int            rank,
              const gint64  *dims,
              gboolean       running,
              int           *out_rank,
              gint64        *out_dims,
              GError       **error)
{
  gboolean squeezed[FLOW_SHAPE_MAX_RANK];
  gboolean all = list == NULL || flow_attr_get_length (list) == 0;

  if (!mark_squeezed (list, rank, squeezed, running, error))
    return FALSE;
  *out_rank = 0;
  for (int i = 0; i < rank; i++)
    {
      if (all ? dims[i] == 1 : squeezed[i] && (dims[i] == 1 || dims[i] == FLOW_DIM_UNKNOWN))
        continue;
      if (squeezed[i])
        return _flow_refuse (error, "Can not squeeze dim[%d], expected a dimension of 1, got %" G_GINT64_FORMAT,
                             i, dims[i]);
      out_dims[(*out_rank)++] = dims[i];
    }
  return TRUE;
}

static gboolean
squeeze_infer (FlowInferContext *c,
               GError          **error)
{
  FlowShape *in = flow_infer_input (c, 0);
  FlowAttr *list = flow_infer_attr (c, "squeeze_dims");
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  int rank;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (in->rank == FLOW_RANK_UNKNOWN)
    return flow_infer_unknown_shape (c, error);
  if (flow_attr_get_length (list) == 0 && !flow_shape_is_known (in))
    return flow_infer_unknown_shape (c, error);
  if (!squeeze_dims (list, in->rank, in->dims, FALSE, &rank, dims, error))
    return FALSE;
  flow_infer_take_output (c, 0, flow_shape_new (rank, dims));
  return TRUE;
}

static gboolean
squeeze_compute (FlowKernelContext *c,
                 GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  g_autoptr (FlowShape) shape = NULL;
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  int rank;

  if (!squeeze_dims (flow_kernel_attr (c, "squeeze_dims"), FLOW_RANK (x), FLOW_DIMS (x), TRUE, &rank, dims, error))
    return FALSE;
  shape = flow_shape_new (rank, dims);
  return _flow_take_reshaped (c, 0, x, shape, error);
}
static const FlowOpDef ops[] = {
  {
    .name = "ExpandDims",
    .inputs = "input: T; dim: Tdim",
    .outputs = "output: T",
    .attrs = "T: type; Tdim: {int32, int64} = DT_INT32",
    .summary = "The same elements with a dimension of size 1 put in",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = expand_dims_infer,
    .kernels = (const FlowKernelDef[]) { { "Tdim: int32 int64", expand_dims_compute }, { NULL } },
    .value_list = flow_value_list_same,
  },
  {
    .name = "Rank",
    .inputs = "input: T",
    .outputs = "output: int32",
    .attrs = "T: type",
    .summary = "How many dimensions a tensor has",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, rank_compute }, { NULL } },
    .value_list = flow_value_list_rank,
  },
  {
    .name = "Reshape",
    .inputs = "tensor: T; shape: Tshape",
    .outputs = "output: T",
    .attrs = "T: type; Tshape: {int32, int64} = DT_INT32",
    .summary = "The same elements in another shape",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = reshape_infer,
    .kernels = (const FlowKernelDef[]) { { "Tshape: int32 int64", _flow_reshape_compute }, { NULL } },
    .value_list = flow_value_list_same,
  },
  {
    .name = "Shape",
    .inputs = "input: T",
    .outputs = "output: out_type",
    .attrs = "T: type; out_type: {int32, int64} = DT_INT32",
    .summary = "The shape of a tensor, as a vector",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = shape_infer,
    .kernels = (const FlowKernelDef[]) { { "out_type: int32 int64", shape_compute }, { NULL } },
    .value_list = flow_value_list_shape,
  },
  {
    .name = "ShapeN",
    .inputs = "input: N * T",
    .outputs = "output: N * out_type",
    .attrs = "N: int >= 1; T: type; out_type: {int32, int64} = DT_INT32",
    .summary = "The shapes of tensors, as vectors",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = shape_infer,
    .kernels = (const FlowKernelDef[]) { { "out_type: int32 int64", shape_compute }, { NULL } },
    .value_list = flow_value_list_shape,
  },
  {
    .name = "Size",
    .inputs = "input: T",
    .outputs = "output: out_type",
    .attrs = "T: type; out_type: {int32, int64} = DT_INT32",
    .summary = "How many elements a tensor has",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { "out_type: int32 int64", size_compute }, { NULL } },
    .value_list = flow_value_list_size,
  },
  {
    .name = "Squeeze",
    .inputs = "input: T",
    .outputs = "output: T",
    .attrs = "T: type; squeeze_dims: list(int) >= 0 = []",
    .summary = "The same elements without dimensions of size 1",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = squeeze_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, squeeze_compute }, { NULL } },
    .value_list = flow_value_list_same,
  },
};

FLOW_DEFINE_OP_FAMILY (array_shape, ops)
