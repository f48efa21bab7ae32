/* flow-kernels-ragged_variant.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Ragged tensors put away in variants, whole or row by row, and put together again. A ragged tensor is a vector
 * of variants: its row splits from the outermost in, then its values.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-tensor-variant-private.h"

#include <string.h>

typedef struct {
  FlowTensor **splits;         /* borrowed or owned, as the function says */
  guint n_splits;
  FlowTensor *values;
} Ragged;

/* --- RaggedTensorToVariant ------------------------------------------------------------------------------------ */

static gboolean
to_variant_infer (FlowInferContext  *c,
                  GError           **error)
{
  guint n = c->n_inputs - 1;
  gint64 rows;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  for (guint i = 0; i <= n; i++)
    {
      g_autoptr (FlowShape) shape = NULL;

      if (i < n ? !flow_infer_with_rank (c, flow_infer_input (c, i), 1, &shape, error)
                : !flow_infer_with_rank_at_least (c, flow_infer_input (c, i), 1, &shape, error))
        return FALSE;
    }
  rows = flow_shape_get_dim (flow_infer_input (c, 0), 0);
  flow_infer_take_output (c, 0, !flow_infer_attr_bool (c, "batched_input") ? flow_shape_new_scalar ()
                                : flow_shape_new_vector (rows > 0 ? rows - 1 : FLOW_DIM_UNKNOWN));
  return TRUE;
}

/* Splits that rise from 0 to as many rows as the next level has. TF takes them as they are. */
static gboolean
check_splits (FlowKernelContext  *c,
              GError            **error)
{
  const guint n = c->n_inputs - 1;

  for (guint i = 0; i < n; i++)
    {
      const FlowTensor *splits = flow_kernel_input (c, i);
      const FlowTensor *next = flow_kernel_input (c, i + 1);
      gint64 members;

      if (!flow_is_vector (splits))
        return _flow_refuse_shapes (error, splits, NULL, "Ragged splits must have rank 1, but have shape %s");
      if (splits->n_elements == 0 || flow_index_at (splits, 0) != 0)
        return _flow_refuse (error, "Ragged splits must begin with 0");
      if (FLOW_RANK (next) < 1)
        return _flow_refuse (error, "Ragged values must have rank >= 1");
      members = i + 1 < n ? FLOW_DIMS (next)[0] - 1 : FLOW_DIMS (next)[0];
      for (gint64 k = 1; k < splits->n_elements; k++)
        if (flow_index_at (splits, k) < flow_index_at (splits, k - 1) || flow_index_at (splits, k) > members)
          return _flow_refuse (error, "Ragged splits must not fall and must not go beyond %" G_GINT64_FORMAT
                               ", but splits %u hold %" G_GINT64_FORMAT " at %" G_GINT64_FORMAT, members, i,
                               flow_index_at (splits, k), k);
    }
  return TRUE;
}

/* A vector of variants: the splits, then the values. All are borrowed. */
static FlowTensor *
pack (FlowKernelContext  *c,
      const Ragged       *ragged,
      GError            **error)
{
  g_autoptr (FlowShape) shape = flow_shape_new_vector ((gint64) ragged->n_splits + 1);
  g_autoptr (FlowTensor) out = flow_tensor_new_zeros (FLOW_DTYPE_VARIANT, shape, c->budget, error);

  for (guint i = 0; out != NULL && i <= ragged->n_splits; i++)
    {
      FlowVariant *cell = _flow_tensor_variant_new (i < ragged->n_splits ? ragged->splits[i] : ragged->values, error);

      if (cell == NULL)
        return NULL;
      FLOW_WRITABLE (FlowVariant *, out)[i] = cell;
    }
  return g_steal_pointer (&out);
}

static gboolean
put_packed (FlowKernelContext  *c,
            const Ragged       *ragged,
            FlowTensor         *out,
            gint64              i,
            GError            **error)
{
  g_autoptr (FlowTensor) packed = pack (c, ragged, error);

  if (packed == NULL)
    return FALSE;
  FLOW_WRITABLE (FlowVariant *, out)[i] = _flow_tensor_variant_new (packed, error);
  return FLOW_DATA (FlowVariant *, out)[i] != NULL;
}

/* Splits [begin, end] of @splits, from 0 on. */
static FlowTensor *
cut_splits (FlowKernelContext  *c,
            const FlowTensor   *splits,
            gint64              begin,
            gint64              end,
            GError            **error)
{
  g_autoptr (FlowShape) shape = flow_shape_new_vector (end - begin + 1);
  FlowTensor *out = flow_tensor_new (splits->dtype, shape, c->budget, error);
  gint64 first = flow_index_at (splits, begin);

  for (gint64 i = 0; out != NULL && i < out->n_elements; i++)
    if (splits->dtype == FLOW_DTYPE_INT32)
      FLOW_WRITABLE (gint32, out)[i] = (gint32) (flow_index_at (splits, begin + i) - first);
    else
      FLOW_WRITABLE (gint64, out)[i] = flow_index_at (splits, begin + i) - first;
  return out;
}

static gboolean
put_row (FlowKernelContext  *c,
         gint64              row,
         FlowTensor         *out,
         GError            **error)
{
  const guint n = c->n_inputs - 1;
  g_autoptr (GPtrArray) splits = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_tensor_unref);
  g_autoptr (FlowTensor) values = NULL;
  gint64 begin = flow_index_at (flow_kernel_input (c, 0), row);
  gint64 end = flow_index_at (flow_kernel_input (c, 0), row + 1);

  for (guint i = 1; i < n; i++)
    {
      FlowTensor *part = cut_splits (c, flow_kernel_input (c, i), begin, end, error);

      if (part == NULL)
        return FALSE;
      g_ptr_array_add (splits, part);
      begin = flow_index_at (flow_kernel_input (c, i), begin);
      end = flow_index_at (flow_kernel_input (c, i), end);
    }
  values = flow_tensor_slice_rows (flow_kernel_input (c, n), begin, end);
  return put_packed (c, &(Ragged) { (FlowTensor **) splits->pdata, splits->len, values }, out, row, error);
}

static gboolean
to_variant_compute (FlowKernelContext  *c,
                    GError            **error)
{
  const guint n = c->n_inputs - 1;
  g_autofree FlowTensor **splits = g_new (FlowTensor *, n);
  g_autoptr (FlowShape) shape = NULL;
  FlowTensor *out;

  for (guint i = 0; i < n; i++)
    splits[i] = flow_kernel_input (c, i);
  if (!flow_kernel_attr_bool (c, "batched_input"))
    {
      shape = flow_shape_new_scalar ();
      out = flow_kernel_allocate (c, 0, shape, error);
      return out != NULL && put_packed (c, &(Ragged) { splits, n, flow_kernel_input (c, n) }, out, 0, error);
    }
  if (!check_splits (c, error))
    return FALSE;
  shape = flow_shape_new_vector (splits[0]->n_elements - 1);
  out = flow_kernel_allocate (c, 0, shape, error);
  for (gint64 i = 0; out != NULL && i < out->n_elements; i++)
    if (!put_row (c, i, out, error))
      return FALSE;
  return out != NULL;
}

/* --- RaggedTensorFromVariant ------------------------------------------------------------------------------------ */

static gboolean
from_variant_infer (FlowInferContext  *c,
                    GError           **error)
{
  for (guint i = 0; i + 1 < c->n_outputs; i++)
    flow_infer_take_output (c, i, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  flow_infer_take_output (c, c->n_outputs - 1, flow_shape_new_unknown ());
  return TRUE;
}

static const char *
describe_cell (const FlowTensor *tensor,
               gint64            i)
{
  FlowVariant *variant = flow_tensor_get_variant (tensor, i);

  return variant != NULL ? flow_variant_get_type_name (variant) : "";
}

/* Splits @j of the ragged tensor in cell @i. */
static FlowTensor *
unpack_splits (const FlowTensor  *packed,
               gint64             i,
               gint64             j,
               int                dtype,
               GError           **error)
{
  FlowTensor *splits = _flow_tensor_variant_at (packed, j);

  if (splits == NULL)
    _flow_refuse (error, "Encoded scalar element at index %" G_GINT64_FORMAT " doesn't have a splits Tensor at split_index %"
                  G_GINT64_FORMAT ": %s", i, j, describe_cell (packed, j));
  else if ((int) splits->dtype != dtype)
    _flow_refuse (error, "Expected splits Tensor dtype: %d, found: %d", dtype, (int) splits->dtype);
  else if (FLOW_RANK (splits) != 1 || splits->n_elements == 0)
    _flow_refuse (error, "Ragged splits must have rank 1; encoded scalar element at index %" G_GINT64_FORMAT
                  " has splits Tensor at split_index %" G_GINT64_FORMAT, i, j);
  else
    return splits;
  return NULL;
}

/* What cell @i holds, borrowed; the array of splits is the caller's. */
static gboolean
unpack (const FlowTensor  *encoded,
        gint64             i,
        guint              rank,
        int                splits_dtype,
        int                values_dtype,
        Ragged            *out,
        GError           **error)
{
  FlowTensor *packed = _flow_tensor_variant_at (encoded, i);

  if (packed == NULL)
    return _flow_refuse (error, "Input Variant element at index %" G_GINT64_FORMAT " doesn't hold a Tensor: %s", i,
                         describe_cell (encoded, i));
  if (FLOW_RANK (packed) != 1)
    return _flow_refuse (error, "Encoded input Variant must have rank 1, but found rank: %d", FLOW_RANK (packed));
  if (packed->dtype != FLOW_DTYPE_VARIANT || packed->n_elements != (gint64) rank + 1)
    return _flow_refuse (error, "Encoded input Variant must hold either input_ragged_rank + 1 Tensors or an empty Tensor (zero "
                         "splits Tensors, 1 values Tensor), input_ragged_rank: %u", rank);
  out->n_splits = rank;
  for (guint j = 0; j < rank; j++)
    if ((out->splits[j] = unpack_splits (packed, i, j, splits_dtype, error)) == NULL)
      return FALSE;
  out->values = _flow_tensor_variant_at (packed, rank);
  if (out->values == NULL)
    return _flow_refuse (error, "Encoded scalar element at index %" G_GINT64_FORMAT " doesn't have a values Tensor: %s", i,
                         describe_cell (packed, rank));
  if ((int) out->values->dtype != values_dtype)
    return _flow_refuse (error, "Expected values Tensor dtype: %d, found: %d", values_dtype, (int) out->values->dtype);
  if (FLOW_RANK (out->values) < 1)
    return _flow_refuse (error, "Ragged values must have rank >= 1; encoded scalar element at index %" G_GINT64_FORMAT, i);
  return TRUE;
}

static void
put_split (FlowTensor *splits,
           gint64      i,
           gint64      value)
{
  if (splits->dtype == FLOW_DTYPE_INT32)
    FLOW_WRITABLE (gint32, splits)[i] = (gint32) value;
  else
    FLOW_WRITABLE (gint64, splits)[i] = value;
}

static gint64
count_members (const Ragged *part)
{
  return part->n_splits > 0 ? part->splits[0]->n_elements - 1 : FLOW_DIMS (part->values)[0];
}

/* The splits above the parts' own: one level for each dimension of the input. */
static gboolean
stack_outer (FlowKernelContext  *c,
             const Ragged       *parts,
             GError            **error)
{
  const FlowTensor *encoded = flow_kernel_input (c, 0);
  gint64 members = 0;

  for (int d = 0; d < FLOW_RANK (encoded); d++)
    {
      gboolean last = d + 1 == FLOW_RANK (encoded);
      gint64 n = (last ? encoded->n_elements : FLOW_DIMS (encoded)[d]) + 1;
      FlowTensor *splits = flow_kernel_allocate_dims (c, (guint) d, 1, &n, error);

      if (splits == NULL)
        return FALSE;
      for (gint64 i = 0; i < n; i++)
        {
          put_split (splits, i, last ? members : i * FLOW_DIMS (encoded)[d + 1]);
          /* Rows without elements may be more than can be counted: that is told where values are put together. */
          if (last && i + 1 < n)
            members = (gint64) ((guint64) members + (guint64) count_members (&parts[i]));
        }
    }
  return TRUE;
}

/* Level @level of the parts' own splits, one behind the other. */
static gboolean
stack_inner (FlowKernelContext  *c,
             const Ragged       *parts,
             gint64              n_parts,
             guint               level,
             guint               output,
             GError            **error)
{
  gint64 n = 1;
  gint64 at = 1;
  gint64 before = 0;
  FlowTensor *out;

  for (gint64 i = 0; i < n_parts; i++)
    n += parts[i].splits[level]->n_elements - 1;
  out = flow_kernel_allocate_dims (c, output, 1, &n, error);
  if (out == NULL)
    return FALSE;
  put_split (out, 0, 0);
  for (gint64 i = 0; i < n_parts; i++)
    {
      const FlowTensor *splits = parts[i].splits[level];

      for (gint64 k = 1; k < splits->n_elements; k++)
        put_split (out, at++, (gint64) ((guint64) before + (guint64) flow_index_at (splits, k)));
      before = flow_index_at (out, at - 1);
    }
  return TRUE;
}

static gboolean
stack_values (FlowKernelContext  *c,
              const Ragged       *parts,
              gint64              n_parts,
              GError            **error)
{
  const FlowTensor *first = parts[0].values;
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  FlowTensor *out;
  char *to;

  memcpy (dims, FLOW_DIMS (first), sizeof (gint64) * (gsize) FLOW_RANK (first));
  for (gint64 i = 1; i < n_parts; i++)
    {
      const FlowTensor *values = parts[i].values;
      g_autofree char *a = flow_tensor_shape_text (first);
      g_autofree char *b = flow_tensor_shape_text (values);

      if (FLOW_RANK (values) != FLOW_RANK (first))
        return _flow_refuse (error, "Rank of values must match for all components; values shape at index 0: %s, values shape "
                             "at index %" G_GINT64_FORMAT ": %s", a, i, b);
      if (memcmp (FLOW_DIMS (values) + 1, dims + 1, sizeof (gint64) * (gsize) (FLOW_RANK (first) - 1)) != 0)
        return _flow_refuse (error, "Shapes of values must match for all components but in the first dimension; values shape "
                             "at index 0: %s, values shape at index %" G_GINT64_FORMAT ": %s", a, i, b);
      if (!flow_add_int64 (dims[0], FLOW_DIMS (values)[0], &dims[0]))
        return _flow_refuse (error, "Values of all components together have too many rows; values shape at index %"
                             G_GINT64_FORMAT ": %s", i, b);
    }
  out = flow_kernel_allocate_dims (c, c->n_outputs - 1, FLOW_RANK (first), dims, error);
  if (out == NULL)
    return FALSE;
  to = out->data;
  for (gint64 i = 0; i < n_parts; to += parts[i++].values->n_bytes)
    if (parts[i].values->n_bytes > 0)
      memcpy (to, parts[i].values->data, parts[i].values->n_bytes);
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

static gboolean
check_ranks (int      dims,
             gint64   given,
             gint64   rank,
             gint64   output_rank,
             GError **error)
{
  if (given == -1 && rank < 0)
    return _flow_refuse (error, "Inferred input_ragged_rank (output_ragged_rank - encoded_variant.dims()) must be >= 0, found "
                         "output_ragged_rank: %" G_GINT64_FORMAT ", encoded_variant.dims(): %d, inferred input_ragged_rank: %"
                         G_GINT64_FORMAT, output_rank, dims, rank);
  if (output_rank != dims + rank)
    return _flow_refuse (error, "output_ragged_rank must be equal to input_ragged_rank + encoded_ragged.dims(); "
                         "output_ragged_rank: %" G_GINT64_FORMAT ", input_ragged_rank: %" G_GINT64_FORMAT
                         ", encoded_variant.dims(): %d.", output_rank, rank, dims);
  return TRUE;
}

static gboolean
from_variant_compute (FlowKernelContext  *c,
                      GError            **error)
{
  const FlowTensor *encoded = flow_kernel_input (c, 0);
  const int dims = FLOW_RANK (encoded);
  const gint64 given = flow_kernel_attr_int (c, "input_ragged_rank");
  const gint64 output_rank = (gint64) c->n_outputs - 1;
  const gint64 rank = given == -1 ? output_rank - dims : given;
  const int values_dtype = c->output_dtypes[output_rank];
  g_autofree Ragged *parts = NULL;
  g_autofree FlowTensor **splits = NULL;

  if (!check_ranks (dims, given, rank, output_rank, error))
    return FALSE;
  parts = g_try_new0 (Ragged, (gsize) encoded->n_elements);
  splits = g_try_new0 (FlowTensor *, (gsize) encoded->n_elements * (gsize) rank + 1);
  FLOW_REQUIRE ((parts != NULL || encoded->n_elements == 0) && splits != NULL, error, RESOURCE_EXHAUSTED,
                "no memory for %" G_GINT64_FORMAT " ragged tensors", encoded->n_elements);
  for (gint64 i = 0; i < encoded->n_elements; i++)
    {
      parts[i].splits = splits + i * rank;
      if (!unpack (encoded, i, (guint) rank, c->output_dtypes[0], values_dtype, &parts[i], error))
        return FALSE;
    }
  if (encoded->n_elements == 0)
    return _flow_refuse (error, "Cannot put together a ragged tensor of no parts");
  if (dims == 0)
    {
      for (guint i = 0; i < (guint) rank; i++)
        flow_kernel_set_output (c, i, parts[0].splits[i]);
      flow_kernel_set_output (c, (guint) rank, parts[0].values);
      return TRUE;
    }
  if (!stack_outer (c, parts, error))
    return FALSE;
  for (guint i = 0; i < (guint) rank; i++)
    if (!stack_inner (c, parts, encoded->n_elements, i, (guint) dims + i, error))
      return FALSE;
  return stack_values (c, parts, encoded->n_elements, error);
}

#define TYPES                                                                                                   \
  "Tvalues: bool string half bfloat16 float double int8 int16 int32 int64 uint8 uint16 uint32 uint64 "           \
  "complex64 complex128 qint8 quint8 qint16 quint16 qint32; Tsplits: int32 int64"

static const FlowOpDef ops[] = {
  {
    .name = "RaggedTensorFromVariant",
    .inputs = "encoded_ragged: variant",
    .outputs = "output_nested_splits: output_ragged_rank * Tsplits; output_dense_values: Tvalues",
    .attrs = "input_ragged_rank: int >= -1; output_ragged_rank: int >= 1; Tvalues: type; Tsplits: {int32, int64} = DT_INT64",
    .summary = "A ragged tensor from variants that hold it or its rows",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = from_variant_infer,
    .kernels = (const FlowKernelDef[]) { { TYPES, from_variant_compute }, { NULL } },
  },
  {
    .name = "RaggedTensorToVariant",
    .inputs = "rt_nested_splits: RAGGED_RANK * Tsplits; rt_dense_values: Tvalues",
    .outputs = "encoded_ragged: variant",
    .attrs = "RAGGED_RANK: int >= 1; Tvalues: type; Tsplits: {int32, int64} = DT_INT64; batched_input: bool",
    .summary = "A ragged tensor, or each of its rows, as a variant",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = to_variant_infer,
    .kernels = (const FlowKernelDef[]) { { TYPES, to_variant_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (ragged_variant, ops)
