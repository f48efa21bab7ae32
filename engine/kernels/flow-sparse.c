/* flow-sparse.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-sparse-private.h"

#include "flow-array-private.h"

#include <string.h>

gboolean
_flow_read_sparse (FlowKernelContext  *c,
                   guint               first,
                   FlowSparse         *out,
                   GError            **error)
{
  FlowTensor *indices = flow_kernel_input (c, first);
  FlowTensor *values = flow_kernel_input (c, first + 1);
  FlowTensor *shape = flow_kernel_input (c, first + 2);
  g_autofree char *indices_text = flow_shape_to_string (indices->shape);
  g_autofree char *values_text = flow_shape_to_string (values->shape);
  g_autofree char *shape_text = flow_shape_to_string (shape->shape);

  FLOW_REQUIRE (FLOW_RANK (indices) == 2, error, INVALID_ARGUMENT,
                "Input indices should be a matrix but received shape %s", indices_text);
  FLOW_REQUIRE (FLOW_RANK (values) == 1, error, INVALID_ARGUMENT,
                "Input values should be a vector but received shape %s", values_text);
  FLOW_REQUIRE (FLOW_RANK (shape) == 1, error, INVALID_ARGUMENT,
                "Input shape should be a vector but received shape %s", shape_text);
  FLOW_REQUIRE (FLOW_DIMS (indices)[0] == values->n_elements && FLOW_DIMS (indices)[1] == shape->n_elements &&
                shape->n_elements <= FLOW_SHAPE_MAX_RANK, error, INVALID_ARGUMENT,
                "Indices %s, values %s and shape %s do not belong together", indices_text, values_text, shape_text);
  *out = (FlowSparse) {
    .n = values->n_elements,
    .rank = (int) shape->n_elements,
    .indices = FLOW_DATA (gint64, indices),
    .values = values,
    .dims = FLOW_DATA (gint64, shape),
    .shape = shape,
  };
  for (gint64 i = 0; i < out->n; i++)
    for (int d = 0; d < out->rank; d++)
      FLOW_REQUIRE (out->indices[i * out->rank + d] >= 0 && out->indices[i * out->rank + d] < out->dims[d], error,
                    INVALID_ARGUMENT, "Index %" G_GINT64_FORMAT " of element %" G_GINT64_FORMAT
                    " is out of bounds: need 0 <= index < %" G_GINT64_FORMAT, out->indices[i * out->rank + d], i,
                    out->dims[d]);
  return TRUE;
}

int
_flow_compare_indices (const gint64 *a,
                       const gint64 *b,
                       int           rank)
{
  for (int d = 0; d < rank; d++)
    if (a[d] != b[d])
      return a[d] < b[d] ? -1 : 1;
  return 0;
}

/* Numbers of any dtype: integers exactly (modulo 2^64), the rest in double. */
void
_flow_put_double (FlowTensor *tensor,
                  gint64      i,
                  double      value)
{
  switch ((int) tensor->dtype)
    {
    case FLOW_DTYPE_DOUBLE:
      FLOW_WRITABLE (double, tensor)[i] = value;
      break;
    case FLOW_DTYPE_FLOAT:
      FLOW_WRITABLE (float, tensor)[i] = (float) value;
      break;
    case FLOW_DTYPE_HALF:
      FLOW_WRITABLE (guint16, tensor)[i] = flow_half_from_float ((float) value);
      break;
    default:
      FLOW_WRITABLE (guint16, tensor)[i] = flow_bfloat16_from_float ((float) value);
      break;
    }
}

void
_flow_put_int (FlowTensor *tensor,
               gint64      i,
               gint64      value)
{
  switch (flow_dtype_size (tensor->dtype))
    {
    case 1:
      FLOW_WRITABLE (guint8, tensor)[i] = (guint8) value;
      break;
    case 2:
      FLOW_WRITABLE (guint16, tensor)[i] = (guint16) value;
      break;
    case 4:
      FLOW_WRITABLE (guint32, tensor)[i] = (guint32) value;
      break;
    default:
      FLOW_WRITABLE (gint64, tensor)[i] = value;
      break;
    }
}

void
_flow_add_cell (FlowTensor *out,
                gint64      i,
                FlowTensor *from,
                gint64      j)
{
  if (out->dtype == FLOW_DTYPE_COMPLEX64)
    FLOW_WRITABLE (float _Complex, out)[i] += FLOW_DATA (float _Complex, from)[j];
  else if (out->dtype == FLOW_DTYPE_COMPLEX128)
    FLOW_WRITABLE (double _Complex, out)[i] += FLOW_DATA (double _Complex, from)[j];
  else if (flow_dtype_is_integer (out->dtype))
    _flow_put_int (out, i, (gint64) ((guint64) flow_tensor_get_int (out, i) + (guint64) flow_tensor_get_int (from, j)));
  else
    _flow_put_double (out, i, flow_tensor_get_double (out, i) + flow_tensor_get_double (from, j));
}

/* One step of a merge: which of the two comes next, -1 a, 1 b, 0 both. */
int
_flow_sparse_next (const FlowSparse *a,
                   gint64            i,
                   const FlowSparse *b,
                   gint64            j)
{
  if (i == a->n)
    return 1;
  if (j == b->n)
    return -1;
  return _flow_compare_indices (a->indices + i * a->rank, b->indices + j * b->rank, a->rank);
}

/* Which dimensions go. */
gboolean
_flow_sparse_axes (const FlowTensor  *axes,
                   int                rank,
                   gboolean          *reduced,
                   GError           **error)
{
  for (int d = 0; d < rank; d++)
    reduced[d] = FALSE;
  for (gint64 i = 0; i < axes->n_elements; i++)
    {
      gint64 axis = flow_tensor_get_int (axes, i);
      int d;

      FLOW_REQUIRE (flow_canonical_axis (axis, rank, &d), error, INVALID_ARGUMENT,
                    "Invalid reduction dimension %" G_GINT64_FORMAT ", for input with %d dimensions.", axis, rank);
      reduced[d] = TRUE;
    }
  return TRUE;
}

void
_flow_copy_cell (FlowTensor       *to,
                 gint64            i,
                 const FlowTensor *from,
                 gint64            k)
{
  gsize size = flow_dtype_size (from->dtype);
  guint8 *cell = (guint8 *) to->data + (gsize) i * size;

  memcpy (cell, (const guint8 *) from->data + (gsize) k * size, size);
  _flow_adopt_cells (from->dtype, cell, 1);
}
