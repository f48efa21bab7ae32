/* flow-sparse-rows.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-sparse-rows-private.h"

#include "flow-array-private.h"

#include <string.h>

void
_flow_sparse_row_clear (FlowSparseRow *row)
{
  g_clear_pointer (&row->indices, flow_tensor_unref);
  g_clear_pointer (&row->values, flow_tensor_unref);
  g_clear_pointer (&row->shape, flow_tensor_unref);
}

static void
clear_row (gpointer data)
{
  _flow_sparse_row_clear (data);
}

gboolean
_flow_sparse_row_read (FlowKernelContext  *c,
                       guint               first,
                       FlowSparseRow      *row,
                       GError            **error)
{
  FlowTensor *indices = flow_kernel_input (c, first);
  FlowTensor *values = flow_kernel_input (c, first + 1);
  FlowTensor *shape = flow_kernel_input (c, first + 2);

  if (FLOW_RANK (indices) != 2)
    return _flow_refuse_shapes (error, indices, NULL, "Input indices should be a matrix but received shape %s");
  if (!flow_is_vector (values))
    return _flow_refuse_shapes (error, values, NULL, "Input values should be a vector but received shape %s");
  if (!flow_is_vector (shape))
    return _flow_refuse_shapes (error, shape, NULL, "Input shape should be a vector but received shape %s");
  row->indices = flow_tensor_ref (indices);
  row->values = flow_tensor_ref (values);
  row->shape = flow_tensor_ref (shape);
  return TRUE;
}

/* Entries [@begin, @end) of a sparse tensor, without the first index. */
static gboolean
cut_row (FlowKernelContext  *c,
         const FlowSparse   *sparse,
         gint64              begin,
         gint64              end,
         FlowTensor         *shape,
         FlowSparseRow      *row,
         GError            **error)
{
  int rank = sparse->rank - 1;
  g_autoptr (FlowShape) matrix = flow_shape_new_matrix (end - begin, rank);
  g_autoptr (FlowShape) vector = flow_shape_new_vector (end - begin);

  row->shape = flow_tensor_ref (shape);
  row->indices = flow_kernel_allocate_temp (c, FLOW_DTYPE_INT64, matrix, error);
  row->values = row->indices != NULL ? flow_kernel_allocate_temp (c, sparse->values->dtype, vector, error) : NULL;
  if (row->values == NULL)
    return FALSE;
  for (gint64 i = begin; i < end; i++)
    {
      memcpy (FLOW_WRITABLE (gint64, row->indices) + (i - begin) * rank, sparse->indices + i * sparse->rank + 1,
              sizeof (gint64) * (gsize) rank);
      _flow_copy_cell (row->values, i - begin, sparse->values, i);
    }
  return TRUE;
}

static gboolean
cut_rows (FlowKernelContext  *c,
          const FlowSparse   *sparse,
          FlowTensor         *shape,
          GArray             *rows,
          GError            **error)
{
  gint64 n = sparse->dims[0];
  gint64 at = 0;

  for (gint64 b = 0; b < n; b++)
    {
      gint64 begin = at;
      FlowSparseRow row = { NULL };
      gboolean ok;

      while (at < sparse->n && sparse->indices[at * sparse->rank] == b)
        at++;
      ok = cut_row (c, sparse, begin, at, shape, &row, error);
      g_array_append_val (rows, row);
      if (!ok)
        return FALSE;
    }
  if (at < sparse->n)
    return _flow_refuse (error, "Received unexpected column 0 value in input SparseTensor: %" G_GINT64_FORMAT
                         " < 0 or >= N (= %" G_GINT64_FORMAT ")", sparse->indices[at * sparse->rank], n);
  return TRUE;
}

GArray *
_flow_sparse_rows_split (FlowKernelContext  *c,
                         guint               first,
                         GError            **error)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, TRUE, sizeof (FlowSparseRow));
  g_autoptr (FlowShape) vector = NULL;
  g_autoptr (FlowTensor) shape = NULL;
  FlowSparseRow whole = { NULL };
  FlowSparse sparse;

  g_array_set_clear_func (rows, clear_row);
  if (!_flow_sparse_row_read (c, first, &whole, error))
    return NULL;
  _flow_sparse_row_clear (&whole);
  if (flow_kernel_input (c, first + 2)->n_elements <= 1)
    {
      _flow_refuse (error, "Rank of input SparseTensor should be > 1, but saw rank: %" G_GINT64_FORMAT,
                    flow_kernel_input (c, first + 2)->n_elements);
      return NULL;
    }
  if (!_flow_sparse_check_dims (flow_kernel_input (c, first + 2), error)
      || !_flow_sparse_make (flow_kernel_input (c, first), flow_kernel_input (c, first + 1), flow_kernel_input (c, first + 2),
                             &sparse, error)
      || !_flow_sparse_check_order (&sparse, error))
    return NULL;
  /* One row costs some hundred bytes whatever is in it. */
  if (sparse.dims[0] < 0 || sparse.dims[0] > 1 << 24)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "OOM when making %" G_GINT64_FORMAT " sparse tensors",
                   sparse.dims[0]);
      return NULL;
    }
  vector = flow_shape_new_vector (sparse.rank - 1);
  shape = flow_kernel_allocate_temp (c, FLOW_DTYPE_INT64, vector, error);
  if (shape == NULL)
    return NULL;
  memcpy (shape->data, sparse.dims + 1, shape->n_bytes);
  return cut_rows (c, &sparse, shape, rows, error) ? g_steal_pointer (&rows) : NULL;
}

static gboolean
check_column_count (const FlowSparseRow  *row,
                    gint64                i,
                    GError              **error)
{
  if (FLOW_DIMS (row->indices)[1] != row->shape->n_elements)
    return _flow_refuse (error, "Expected column counts of SparseTensor[%" G_GINT64_FORMAT
                         "].indices to match size of SparseTensor[%" G_GINT64_FORMAT "].shape but they do not: %" G_GINT64_FORMAT
                         " vs. %" G_GINT64_FORMAT, i, i, FLOW_DIMS (row->indices)[1], row->shape->n_elements);
  return TRUE;
}

gboolean
_flow_sparse_row_check (const FlowSparseRow  *row,
                        gint64                i,
                        int                   dtype,
                        const char           *what,
                        gboolean              are_variants,
                        GError              **error)
{
  g_autofree char *indices = flow_tensor_shape_text (row->indices);
  g_autofree char *values = flow_tensor_shape_text (row->values);
  g_autofree char *shape = flow_tensor_shape_text (row->shape);
  g_autofree char *place = g_strdup_printf ("%s[%" G_GINT64_FORMAT, what, i);
  gboolean is_matrix = row->indices->dtype == FLOW_DTYPE_INT64 && FLOW_RANK (row->indices) == 2;

  if (!is_matrix)
    return _flow_refuse (error, "Expected %s, 0] to represent an index matrix but received shape %s", place, indices);
  if (!flow_is_vector (row->values))
    return _flow_refuse (error, "Expected %s, 1] to represent a values vector but received shape %s", place, values);
  if (row->shape->dtype != FLOW_DTYPE_INT64 || !flow_is_vector (row->shape))
    return _flow_refuse (error, "Expected %s, 1] to be a shape vector but its shape is %s", place, shape);
  if (are_variants && !check_column_count (row, i, error))
    return FALSE;
  if ((int) row->values->dtype != dtype)
    return _flow_refuse (error, "Requested SparseTensor of type %s but SparseTensor[%" G_GINT64_FORMAT "].values.dtype() == %s",
                         flow_dtype_string (dtype), i, flow_dtype_string (row->values->dtype));
  if (FLOW_DIMS (row->indices)[0] != row->values->n_elements)
    return _flow_refuse (error, "Expected row counts of SparseTensor[%" G_GINT64_FORMAT "].indices and SparseTensor[%"
                         G_GINT64_FORMAT "].values to match but they do not: %" G_GINT64_FORMAT " vs. %" G_GINT64_FORMAT, i, i,
                         FLOW_DIMS (row->indices)[0], row->values->n_elements);
  return are_variants || check_column_count (row, i, error);
}

/* Where a row's entries go. */
static void
put_row (FlowTensor          *indices,
         FlowTensor          *values,
         gint64               at,
         const FlowSparseRow *row,
         gint64               place,
         int                  n_lead,
         const gint64        *lead)
{
  gint64 rank = FLOW_DIMS (row->indices)[1];

  for (gint64 k = 0; k < row->values->n_elements; k++)
    {
      gint64 *to = FLOW_WRITABLE (gint64, indices) + (at + k) * (n_lead + rank);
      gint64 rest = place;

      for (int d = n_lead - 1; d >= 0; d--)
        {
          to[d] = rest % lead[d];
          rest /= lead[d];
        }
      memcpy (to + n_lead, FLOW_DATA (gint64, row->indices) + k * rank, sizeof (gint64) * (gsize) rank);
      _flow_copy_cell (values, at + k, row->values, k);
    }
}

gboolean
_flow_sparse_rows_check_ranks (const GArray  *rows,
                               const char    *what,
                               gint64         n_lead,
                               GError       **error)
{
  gint64 rank = g_array_index (rows, FlowSparseRow, 0).shape->n_elements;

  for (guint i = 0; i < rows->len; i++)
    {
      gint64 found = g_array_index (rows, FlowSparseRow, i).shape->n_elements;

      if (found != rank)
        return _flow_refuse (error, "Inconsistent %s across SparseTensors: rank prior to SparseTensor[%u] was: %"
                             G_GINT64_FORMAT " but rank of SparseTensor[%u] is: %" G_GINT64_FORMAT, what, i,
                             n_lead + rank, i, n_lead + found);
    }
  return TRUE;
}

static gint64
count_values (const GArray *rows)
{
  gint64 n = 0;

  for (guint i = 0; i < rows->len; i++)
    n += g_array_index (rows, FlowSparseRow, i).values->n_elements;
  return n;
}

/* TF: numbers the rows in one dimension and parts that after, so that an index outside of its dimension goes to another
 * row. */
static void
carry_over (gint64       *indices,
            gint64        n,
            const gint64 *dims,
            gint64        rank)
{
  gint64 size = 1;

  for (gint64 d = 0; d < rank; d++)
    if (!flow_mul_int64 (size, dims[d], &size) || size == 0)
      return;
  for (gint64 i = 0; i < n; i++)
    {
      gint64 *row = indices + i * rank;
      gint64 stride = size;
      guint64 at = 0;
      gint64 rest;

      for (gint64 d = 0; d < rank; d++)
        {
          stride /= dims[d];
          at += (guint64) row[d] * (guint64) stride;
        }
      rest = (gint64) at;
      stride = size;
      for (gint64 d = 0; d < rank; d++)
        {
          stride /= dims[d];
          row[d] = rest / stride;
          rest %= stride;
        }
    }
}

gboolean
_flow_sparse_rows_join (FlowKernelContext  *c,
                        const GArray       *rows,
                        int                 n_lead,
                        const gint64       *lead,
                        GError            **error)
{
  gint64 n = count_values (rows);
  gint64 at = 0;
  gint64 rank = n_lead + g_array_index (rows, FlowSparseRow, 0).shape->n_elements;
  FlowTensor *indices;
  FlowTensor *values;
  FlowTensor *shape;

  indices = flow_kernel_allocate_dims (c, 0, 2, (gint64[]) { n, rank }, error);
  values = flow_kernel_allocate_dims (c, 1, 1, (gint64[]) { n }, error);
  shape = flow_kernel_allocate_dims (c, 2, 1, (gint64[]) { rank }, error);
  if (indices == NULL || values == NULL || shape == NULL)
    return FALSE;
  memset (shape->data, 0, shape->n_bytes);
  memcpy (shape->data, lead, sizeof (gint64) * (gsize) n_lead);
  for (guint i = 0; i < rows->len; i++)
    {
      const FlowSparseRow *row = &g_array_index (rows, FlowSparseRow, i);

      put_row (indices, values, at, row, i, n_lead, lead);
      at += row->values->n_elements;
      for (gint64 d = n_lead; d < rank; d++)
        FLOW_WRITABLE (gint64, shape)[d] = MAX (FLOW_WRITABLE (gint64, shape)[d], FLOW_DATA (gint64, row->shape)[d - n_lead]);
    }
  if (n_lead > 1)
    carry_over (FLOW_WRITABLE (gint64, indices), n, FLOW_DATA (gint64, shape), rank);
  return TRUE;
}
