/* flow-kernels-ragged_fill.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * TensorFlow 2: ragged tensors whose empty rows get a value.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-sparse-private.h"

#include <string.h>

static gboolean
fill_infer (FlowInferContext  *c,
            GError           **error)
{
  const FlowShape *rows = flow_infer_input (c, 0);

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  flow_infer_take_output (c, 1, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  flow_infer_take_output (c, 2, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  flow_infer_take_output (c, 3, flow_shape_new_vector (flow_shape_get_rank (rows) == 1 ? flow_shape_get_dim (rows, 0)
                                                                                       : FLOW_DIM_UNKNOWN));
  return TRUE;
}

static gboolean
check_fill (FlowKernelContext  *c,
            gint64             *n_rows,
            GError            **error)
{
  const FlowTensor *rows = flow_kernel_input (c, 0);
  const FlowTensor *values = flow_kernel_input (c, 1);

  if (!flow_is_vector (rows))
    return _flow_refuse_shapes (error, rows, NULL, "value_rowids must be a vector, saw: %s");
  if (!flow_is_vector (values))
    return _flow_refuse_shapes (error, values, NULL, "values must be a vector, saw: %s");
  FLOW_REQUIRE (rows->n_elements == values->n_elements, error, INVALID_ARGUMENT,
                "The length of `values` (%" G_GINT64_FORMAT ") must match the first dimension of `value_rowids` (%"
                G_GINT64_FORMAT ").", values->n_elements, rows->n_elements);
  if (!flow_is_scalar (flow_kernel_input (c, 3)))
    return _flow_refuse_shapes (error, flow_kernel_input (c, 3), NULL, "default_value must be a scalar, saw: %s");
  if (!flow_is_scalar (flow_kernel_input (c, 2)))
    return _flow_refuse_shapes (error, flow_kernel_input (c, 2), NULL, "nrows must be a scalar, saw: %s");
  *n_rows = *FLOW_DATA (gint64, flow_kernel_input (c, 2));
  FLOW_REQUIRE (*n_rows >= 0, error, INVALID_ARGUMENT, "Expected shape dimensions to be non-negative, got %" G_GINT64_FORMAT,
                *n_rows);
  FLOW_REQUIRE (*n_rows > 0 || rows->n_elements == 0, error, INVALID_ARGUMENT,
                "Received SparseTensor with dense_shape[0] = 0 but indices.shape[0] = %" G_GINT64_FORMAT, rows->n_elements);
  for (gint64 i = 0; i < rows->n_elements; i++)
    {
      const gint64 row = FLOW_DATA (gint64, rows)[i];

      FLOW_REQUIRE (row >= 0 && row < *n_rows, error, INVALID_ARGUMENT,
                    "indices(%" G_GINT64_FORMAT ", 0) is invalid: %" G_GINT64_FORMAT " >= %" G_GINT64_FORMAT, i, row, *n_rows);
    }
  return TRUE;
}

/* Puts rows in order: each value goes behind those of its row that came before, a row without any gets one.
 * @next is where the next of each row goes. */
static gboolean
put_rows (FlowKernelContext  *c,
          gint64              n_rows,
          gint64             *next,
          gint64              n,
          GError            **error)
{
  const FlowTensor *rows = flow_kernel_input (c, 0);
  FlowTensor *values = flow_kernel_input (c, 1);
  const guint8 *is_empty = c->outputs[2].tensor->data;
  /* TF: without rows the row numbers are left a matrix. */
  FlowTensor *out_rows = flow_kernel_allocate_dims (c, 0, n_rows == 0 ? 2 : 1, (gint64[]) { n, 1 }, error);
  FlowTensor *out_values = out_rows != NULL ? flow_kernel_allocate_dims (c, 1, 1, &n, error) : NULL;
  FlowTensor *map = out_values != NULL ? flow_kernel_allocate_dims (c, 3, 1, &rows->n_elements, error) : NULL;

  if (map == NULL)
    return FALSE;
  for (gint64 row = 0; row < n_rows; row++)
    if (is_empty[row])
      {
        FLOW_WRITABLE (gint64, out_rows)[next[row]] = row;
        _flow_copy_cell (out_values, next[row], flow_kernel_input (c, 3), 0);
      }
  for (gint64 i = 0; i < rows->n_elements; i++)
    {
      const gint64 row = FLOW_DATA (gint64, rows)[i];
      const gint64 to = next[row]++;

      FLOW_WRITABLE (gint64, out_rows)[to] = row;
      _flow_copy_cell (out_values, to, values, i);
      FLOW_WRITABLE (gint64, map)[i] = to;
    }
  return TRUE;
}

static gboolean
fill_compute (FlowKernelContext  *c,
              GError            **error)
{
  const FlowTensor *rows = flow_kernel_input (c, 0);
  g_autofree gint64 *next = NULL;
  FlowTensor *empty;
  gint64 n_rows;
  gint64 n = 0;

  if (!check_fill (c, &n_rows, error) || (empty = flow_kernel_allocate_dims (c, 2, 1, &n_rows, error)) == NULL)
    return FALSE;
  next = g_try_new0 (gint64, (gsize) n_rows + 1);
  FLOW_REQUIRE (next != NULL, error, RESOURCE_EXHAUSTED, "OOM when filling rows");
  for (gint64 i = 0; i < rows->n_elements; i++)
    next[FLOW_DATA (gint64, rows)[i]]++;
  for (gint64 row = 0; row < n_rows; row++)
    {
      const gint64 count = MAX (next[row], 1);

      FLOW_WRITABLE (guint8, empty)[row] = next[row] == 0;
      next[row] = n;
      n += count;
    }
  return put_rows (c, n_rows, next, n, error);
}

/* --- gradient ------------------------------------------------------------------------------------------------- */

static gboolean
fill_grad_infer (FlowInferContext  *c,
                 GError           **error)
{
  g_autoptr (FlowShape) map = NULL;
  g_autoptr (FlowShape) gradient = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 1, &map, error)
      || !flow_infer_with_rank (c, flow_infer_input (c, 1), 1, &gradient, error))
    return FALSE;
  flow_infer_set_output (c, 0, map);
  flow_infer_take_output (c, 1, flow_shape_new_scalar ());
  return TRUE;
}

/* Values get the gradients of where they went, the value of empty rows the sum of the rest. */
static gboolean
fill_grad_compute (FlowKernelContext  *c,
                   GError            **error)
{
  const FlowTensor *map = flow_kernel_input (c, 0);
  FlowTensor *gradient = flow_kernel_input (c, 1);
  g_autofree guint8 *seen = NULL;
  FlowTensor *values;
  FlowTensor *rest;

  if (!flow_is_vector (map))
    return _flow_refuse_shapes (error, map, NULL, "reverse_index_map must be a vector, saw: %s");
  if (!flow_is_vector (gradient))
    return _flow_refuse_shapes (error, gradient, NULL, "grad_values must be a vector, saw: %s");
  for (gint64 i = 0; i < map->n_elements; i++)
    FLOW_REQUIRE (FLOW_DATA (gint64, map)[i] >= 0 && FLOW_DATA (gint64, map)[i] < gradient->n_elements, error,
                  INVALID_ARGUMENT, "Elements in reverse index must be in [0, %" G_GINT64_FORMAT ") but got %"
                  G_GINT64_FORMAT, gradient->n_elements, FLOW_DATA (gint64, map)[i]);
  seen = g_try_new0 (guint8, (gsize) gradient->n_elements + 1);
  FLOW_REQUIRE (seen != NULL, error, RESOURCE_EXHAUSTED, "OOM when summing gradients");
  values = flow_kernel_allocate (c, 0, map->shape, error);
  rest = values != NULL ? flow_kernel_allocate_dims (c, 1, 0, NULL, error) : NULL;
  if (rest == NULL)
    return FALSE;
  memset (rest->data, 0, rest->n_bytes);
  for (gint64 i = 0; i < map->n_elements; i++)
    {
      _flow_copy_cell (values, i, gradient, FLOW_DATA (gint64, map)[i]);
      seen[FLOW_DATA (gint64, map)[i]] = TRUE;
    }
  for (gint64 i = 0; i < gradient->n_elements; i++)
    if (!seen[i])
      _flow_add_cell (rest, 0, gradient, i);
  return TRUE;
}

#define NUMBERS "bfloat16 half float double int8 uint8 int16 uint16 int32 int64 uint32 uint64 complex64 complex128"

static const FlowOpDef ops[] = {
  { .name = "RaggedFillEmptyRows",
    .inputs = "value_rowids: int64; values: T; nrows: int64; default_value: T",
    .outputs = "output_value_rowids: int64; output_values: T; empty_row_indicator: bool; reverse_index_map: int64",
    .attrs = "T: type", .summary = "A ragged tensor whose empty rows get a value", .family = FLOW_OP_FAMILY_ARRAY,
    .infer = fill_infer,
    .kernels = (const FlowKernelDef[]) { { "T: bool string resource variant " NUMBERS, fill_compute }, { NULL } } },
  { .name = "RaggedFillEmptyRowsGrad", .inputs = "reverse_index_map: int64; grad_values: T",
    .outputs = "d_values: T; d_default_value: T", .attrs = "T: type", .summary = "Gradient of RaggedFillEmptyRows",
    .family = FLOW_OP_FAMILY_GRADIENT, .infer = fill_grad_infer,
    .kernels = (const FlowKernelDef[]) { { "T: " NUMBERS, fill_grad_compute }, { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (ragged_fill, ops)
