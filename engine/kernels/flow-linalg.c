/* flow-linalg.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-linalg-private.h"

#include <string.h>

/* --- Shapes ------------------------------------------------------------------------------------ */

gboolean
_flow_linalg_check_batches (FlowInferContext  *c,
                            guint              n,
                            GError           **error)
{
  const FlowShape *first = flow_infer_input (c, 0);

  if (!c->running)
    return TRUE;
  FLOW_REQUIRE (first->rank >= 2, error, INVALID_ARGUMENT, "Input tensor 0 must have rank >= 2, got %d", first->rank);
  for (guint i = 1; i < n; i++)
    {
      const FlowShape *shape = flow_infer_input (c, i);

      FLOW_REQUIRE (shape->rank == first->rank, error, INVALID_ARGUMENT, "All input tensors must have the same rank.");
      for (int d = 0; d < first->rank - 2; d++)
        FLOW_REQUIRE (shape->dims[d] == first->dims[d], error, INVALID_ARGUMENT,
                      "All input tensors must have the same outer dimensions.");
    }
  return TRUE;
}

gboolean
_flow_linalg_matrix_input (FlowInferContext  *c,
                           guint              i,
                           FlowShape        **out,
                           GError           **error)
{
  const FlowShape *shape = flow_infer_input (c, i);

  if (c->running)
    FLOW_REQUIRE (shape->rank >= 2, error, INVALID_ARGUMENT, "Input tensor %u must have rank >= 2, got %d", i, shape->rank);
  if (!flow_infer_with_rank_at_least (c, shape, 2, out, error))
    return FALSE;
  if (c->running)
    FLOW_REQUIRE (shape->dims[shape->rank - 1] <= G_MAXINT && shape->dims[shape->rank - 2] <= G_MAXINT, error,
                  INVALID_ARGUMENT, "Matrix dimensions must fit 32 bits");
  return TRUE;
}

gboolean
_flow_linalg_square_input (FlowInferContext  *c,
                           guint              i,
                           const char        *words,
                           FlowShape        **out,
                           GError           **error)
{
  const FlowShape *shape = flow_infer_input (c, i);
  g_autoptr (FlowShape) matrix = NULL;
  gint64 side;

  if (!_flow_linalg_matrix_input (c, i, &matrix, error))
    return FALSE;
  if (shape->rank == FLOW_RANK_UNKNOWN)
    {
      *out = g_steal_pointer (&matrix);
      return TRUE;
    }
  if (c->running)
    FLOW_REQUIRE (shape->dims[shape->rank - 1] == shape->dims[shape->rank - 2], error, INVALID_ARGUMENT,
                  "%s", words);
  if (!flow_infer_merge_dim (c, shape->dims[shape->rank - 2], shape->dims[shape->rank - 1], &side, error))
    return FALSE;
  *out = flow_shape_new (shape->rank, shape->dims);
  (*out)->dims[shape->rank - 2] = (*out)->dims[shape->rank - 1] = side;
  return TRUE;
}

/* TF: an output that is not wanted is an empty vector to the shape function; its kernel never makes
 * it, and what is fetched is a scalar without meaning. */
void
_flow_linalg_take_unwanted (FlowInferContext *c,
                            guint             i)
{
  flow_infer_take_output (c, i, c->running ? flow_shape_new_scalar () : flow_shape_new_vector (0));
}

/* The batch dimensions of @matrix, then up to two more. */
FlowShape *
_flow_linalg_batch_with (const FlowShape *matrix,
                         int              n_more,
                         gint64           first,
                         gint64           second)
{
  FlowShape *shape;

  if (matrix->rank == FLOW_RANK_UNKNOWN)
    return flow_shape_new_unknown ();
  shape = flow_shape_new (matrix->rank - 2 + n_more, matrix->dims);
  if (n_more > 0)
    shape->dims[matrix->rank - 2] = first;
  if (n_more > 1)
    shape->dims[matrix->rank - 1] = second;
  return shape;
}

gint64
_flow_linalg_rows_of (const FlowShape *matrix)
{
  return matrix->rank == FLOW_RANK_UNKNOWN ? FLOW_DIM_UNKNOWN : matrix->dims[matrix->rank - 2];
}

gint64
_flow_linalg_columns_of (const FlowShape *matrix)
{
  return matrix->rank == FLOW_RANK_UNKNOWN ? FLOW_DIM_UNKNOWN : matrix->dims[matrix->rank - 1];
}

/* --- Matrices one by one ----------------------------------------------------------------------- */


void
_flow_linalg_batch_of (FlowTensor   *tensor,
                       FlowMatrices *batch)
{
  int rank = FLOW_RANK (tensor);
  gint64 count = 1;

  batch->dtype = tensor->dtype;
  batch->lapack = _flow_lapack_for_dtype (tensor->dtype);
  batch->element = flow_dtype_size (tensor->dtype);
  batch->m = (int) FLOW_DIMS (tensor)[rank - 2];
  batch->n = (int) FLOW_DIMS (tensor)[rank - 1];
  for (int i = 0; i < rank - 2; i++)
    count *= FLOW_DIMS (tensor)[i];
  batch->count = count;
}

gpointer
_flow_linalg_scratch (FlowKernelContext  *c,
                      FlowDType           dtype,
                      gint64              count,
                      FlowTensor        **owner,
                      GError            **error)
{
  g_autoptr (FlowShape) shape = flow_shape_new_vector (MAX (count, 1));

  *owner = flow_kernel_allocate_temp (c, dtype, shape, error);
  return *owner != NULL ? (*owner)->data : NULL;
}

/* Row-major to column-major or back: @rows x @columns as the reader of @from sees it. */
void
_flow_linalg_transpose (gconstpointer from,
                        gpointer      to,
                        gint64        rows,
                        gint64        columns,
                        gsize         element)
{
  const guint8 *source = from;
  guint8 *target = to;

  for (gint64 r = 0; r < rows; r++)
    for (gint64 k = 0; k < columns; k++)
      memcpy (target + (gsize) (k * rows + r) * element, source + (gsize) (r * columns + k) * element, element);
}

void
_flow_linalg_conjugate (gpointer  data,
                        gint64    count,
                        FlowDType dtype)
{
  if (dtype == FLOW_DTYPE_COMPLEX64)
    for (gint64 i = 0; i < count; i++)
      ((float *) data)[2 * i + 1] = -((float *) data)[2 * i + 1];
  else if (dtype == FLOW_DTYPE_COMPLEX128)
    for (gint64 i = 0; i < count; i++)
      ((double *) data)[2 * i + 1] = -((double *) data)[2 * i + 1];
}

double complex
_flow_linalg_get_element (gconstpointer data,
                          gint64        i,
                          FlowDType     dtype)
{
  switch ((int) dtype)
    {
    case FLOW_DTYPE_FLOAT: return (double) ((const float *) data)[i];
    case FLOW_DTYPE_DOUBLE: return ((const double *) data)[i];
    case FLOW_DTYPE_COMPLEX64: return (double complex) ((const float complex *) data)[i];
    default: return ((const double complex *) data)[i];
    }
}

void
_flow_linalg_set_element (gpointer       data,
                          gint64         i,
                          FlowDType      dtype,
                          double complex value)
{
  switch ((int) dtype)
    {
    case FLOW_DTYPE_FLOAT: ((float *) data)[i] = (float) creal (value); break;
    case FLOW_DTYPE_DOUBLE: ((double *) data)[i] = creal (value); break;
    case FLOW_DTYPE_COMPLEX64: ((float complex *) data)[i] = (float complex) value; break;
    default: ((double complex *) data)[i] = value; break;
    }
}

FlowDType
_flow_linalg_real_dtype (FlowDType dtype)
{
  if (dtype == FLOW_DTYPE_COMPLEX64)
    return FLOW_DTYPE_FLOAT;
  return dtype == FLOW_DTYPE_COMPLEX128 ? FLOW_DTYPE_DOUBLE : dtype;
}

gboolean
_flow_linalg_check_info (int      info,
                         GError **error)
{
  FLOW_REQUIRE (info != FLOW_LAPACK_NO_MEMORY, error, RESOURCE_EXHAUSTED, "OOM when allocating LAPACK work space");
  return TRUE;
}

gboolean
_flow_linalg_square_infer (FlowInferContext  *c,
                           GError           **error)
{
  FlowShape *shape;

  if (!_flow_linalg_square_input (c, 0, "Input matrix must be square.", &shape, error))
    return FALSE;
  flow_infer_take_output (c, 0, shape);
  return TRUE;
}
