/* flow-sparse.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-sparse-private.h"

#include "flow-array-private.h"

#include <string.h>

char *
_flow_sparse_spell (int            rank,
                    const gint64  *numbers)
{
  g_autoptr (GString) text = g_string_new ("[");

  for (int d = 0; d < rank; d++)
    g_string_append_printf (text, d > 0 ? ",%" G_GINT64_FORMAT : "%" G_GINT64_FORMAT, numbers[d]);
  g_string_append_c (text, ']');
  return g_string_free (g_steal_pointer (&text), FALSE);
}

gboolean
_flow_sparse_make (FlowTensor  *indices,
                   FlowTensor  *values,
                   FlowTensor  *shape,
                   FlowSparse  *out,
                   GError     **error)
{
  gint64 rows = FLOW_RANK (indices) > 0 ? FLOW_DIMS (indices)[0] : -1;

  if (!flow_is_vector (values))
    return _flow_refuse_shapes (error, values, NULL, "vals must be a vec, but got: %s");
  if (rows != values->n_elements)
    return _flow_refuse (error, "indices and values rows (indexing dimension) must match. (indices = %" G_GINT64_FORMAT
                         ", values = %" G_GINT64_FORMAT ")", rows, values->n_elements);
  if (FLOW_RANK (indices) != 2)
    return _flow_refuse_shapes (error, indices, NULL, "indices must be a matrix, but got: %s");
  if (FLOW_DIMS (indices)[1] != shape->n_elements || shape->n_elements > FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "Order length must be SparseTensor rank.");
  *out = (FlowSparse) {
    .n = values->n_elements,
    .rank = (int) shape->n_elements,
    .indices = FLOW_DATA (gint64, indices),
    .values = values,
    .dims = FLOW_DATA (gint64, shape),
    .shape = shape,
  };
  return TRUE;
}

gboolean
_flow_sparse_check_dims (const FlowTensor  *shape,
                         GError           **error)
{
  for (gint64 d = 0; d < shape->n_elements; d++)
    if (FLOW_DATA (gint64, shape)[d] < 0)
      return _flow_refuse (error, "Dimension %" G_GINT64_FORMAT " must be >= 0", FLOW_DATA (gint64, shape)[d]);
  return TRUE;
}

static gboolean
is_inside (const FlowSparse *sparse,
           const gint64     *row)
{
  for (int d = 0; d < sparse->rank; d++)
    if (row[d] < 0 || row[d] >= sparse->dims[d])
      return FALSE;
  return TRUE;
}

gboolean
_flow_sparse_check_order (const FlowSparse  *sparse,
                          GError           **error)
{
  for (gint64 i = 0; i < sparse->n; i++)
    {
      const gint64 *row = sparse->indices + i * sparse->rank;
      gboolean inside = is_inside (sparse, row);
      int order = i > 0 ? _flow_compare_indices (row - sparse->rank, row, sparse->rank) : -1;
      g_autofree char *place = NULL;
      g_autofree char *whole = NULL;

      if (inside && order < 0)
        continue;
      place = _flow_sparse_spell (sparse->rank, row);
      whole = _flow_sparse_spell (sparse->rank, sparse->dims);
      if (!inside)
        return _flow_refuse (error, "indices[%" G_GINT64_FORMAT "] = %s is out of bounds: need 0 <= index < %s", i, place,
                             whole);
      if (order == 0)
        return _flow_refuse (error, "indices[%" G_GINT64_FORMAT "] = %s is repeated", i, place);
      return _flow_refuse (error, "indices[%" G_GINT64_FORMAT "] = %s is out of order. Many sparse ops require sorted "
                           "indices.\n    Use `tf.sparse.reorder` to create a correctly ordered copy.\n\n", i, place);
    }
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

gboolean
_flow_sparse_check_bounds (const FlowSparse  *sparse,
                           const gboolean    *reduced,
                           GError           **error)
{
  for (gint64 i = 0; i < sparse->n; i++)
    for (int d = 0; d < sparse->rank; d++)
      {
        gint64 index = sparse->indices[i * sparse->rank + d];

        if ((reduced == NULL || !reduced[d]) && (index < 0 || index >= sparse->dims[d]))
          return _flow_refuse (error, "Index %" G_GINT64_FORMAT " of element %" G_GINT64_FORMAT
                               " is out of bounds: need 0 <= index < %" G_GINT64_FORMAT, index, i, sparse->dims[d]);
      }
  return TRUE;
}

/* Which dimensions go. */
static gboolean
read_axes (const FlowTensor  *axes,
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

gboolean
_flow_sparse_infer_reduced (FlowInferContext  *c,
                            GError           **error)
{
  FlowTensor *shape = flow_infer_input_value (c, 2);
  FlowTensor *axes = flow_infer_input_value (c, 3);
  gboolean is_reduced[FLOW_SHAPE_MAX_RANK] = { FALSE };
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  int rank = 0;

  if (c->running || shape == NULL || axes == NULL || shape->n_elements < 1 || shape->n_elements > FLOW_SHAPE_MAX_RANK)
    return flow_infer_unknown_shape (c, error);
  for (gint64 i = 0; i < axes->n_elements; i++)
    {
      /* TF: without a look at whether there is such an axis. */
      gint64 axis = (flow_tensor_get_int (axes, i) + shape->n_elements) % shape->n_elements;

      if (axis >= 0)
        is_reduced[axis] = TRUE;
    }
  for (gint64 d = 0; d < shape->n_elements; d++)
    if (!is_reduced[d])
      dims[rank++] = MAX (flow_tensor_get_int (shape, d), FLOW_DIM_UNKNOWN);
    else if (flow_infer_attr_bool (c, "keep_dims"))
      dims[rank++] = 1;
  flow_infer_take_output (c, 0, flow_shape_new (rank, dims));
  return TRUE;
}

gboolean
_flow_sparse_read_reduced (FlowKernelContext  *c,
                           FlowSparse         *out,
                           gboolean           *reduced,
                           GError            **error)
{
  FlowTensor *shape = flow_kernel_input (c, 2);
  FlowTensor *axes = flow_kernel_input (c, 3);

  if (!flow_is_vector (shape))
    return _flow_refuse_shapes (error, shape, NULL, "Expected input_shape to be a vector; got shape: %s");
  if (FLOW_RANK (axes) > 1)
    return _flow_refuse_shapes (error, axes, NULL, "Expected reduction_axes to be a scalar or a vector; got shape: %s");
  if (shape->n_elements > FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "Too many dimensions in tensor");
  return read_axes (axes, (int) shape->n_elements, reduced, error) && _flow_sparse_check_dims (shape, error)
         && _flow_sparse_make (flow_kernel_input (c, 0), flow_kernel_input (c, 1), shape, out, error);
}

static char *
spell_shape (const FlowTensor *shape)
{
  GString *text = g_string_new (NULL);

  for (gint64 d = 0; d < MIN (shape->n_elements, 10); d++)
    g_string_append_printf (text, d > 0 ? " %" G_GINT64_FORMAT : "%" G_GINT64_FORMAT, FLOW_DATA (gint64, shape)[d]);
  if (shape->n_elements > 10)
    g_string_append (text, "...");
  return g_string_free (text, FALSE);
}

static gboolean
check_same_dims (const FlowTensor  *a,
                 const FlowTensor  *b,
                 GError           **error)
{
  if (a->n_elements != b->n_elements)
    {
      g_autofree char *a_text = spell_shape (a);
      g_autofree char *b_text = spell_shape (b);

      return _flow_refuse (error, "Operands do not have the same ranks; got shapes: %s and %s", a_text, b_text);
    }
  for (gint64 d = 0; d < a->n_elements; d++)
    if (FLOW_DATA (gint64, a)[d] != FLOW_DATA (gint64, b)[d])
      return _flow_refuse (error, "Operands' shapes do not match: got %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT
                           " for dimension %" G_GINT64_FORMAT, FLOW_DATA (gint64, a)[d], FLOW_DATA (gint64, b)[d], d);
  return TRUE;
}

/* TF: does not ask whether the indices lie within the shape; a merge has no need to. */
gboolean
_flow_sparse_read_pair (FlowKernelContext  *c,
                        gboolean            is_sum,
                        FlowSparse         *a,
                        FlowSparse         *b,
                        GError            **error)
{
  FlowTensor *in[6];

  for (guint i = 0; i < 6; i++)
    in[i] = flow_kernel_input (c, i);
  if (FLOW_RANK (in[0]) != 2 || FLOW_RANK (in[3]) != 2)
    return _flow_refuse_shapes (error, in[0], in[3], is_sum
                                ? "Input indices should be matrices but received shapes: %s and %s"
                                : "Inputs a_indices and b_indices should be matrices but received shapes: %s, %s");
  if (!flow_is_vector (in[1]) || !flow_is_vector (in[4]))
    return _flow_refuse_shapes (error, in[1], in[4], is_sum
                                ? "Input values should be vectors but received shapes: %s and %s"
                                : "Inputs a_values and b_values should be vectors but received shapes: %s and %s");
  if (in[1]->n_elements != FLOW_DIMS (in[0])[0] || in[4]->n_elements != FLOW_DIMS (in[3])[0])
    return _flow_refuse (error, "Expected %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT " non-empty input values, got %"
                         G_GINT64_FORMAT " and %" G_GINT64_FORMAT, FLOW_DIMS (in[0])[0], FLOW_DIMS (in[3])[0],
                         in[1]->n_elements, in[4]->n_elements);
  if (!flow_is_vector (in[2]) || !flow_is_vector (in[5]))
    return _flow_refuse_shapes (error, in[2], in[5], "Input shapes should be a vector but received shapes %s and %s");
  return check_same_dims (in[2], in[5], error) && _flow_sparse_make (in[0], in[1], in[2], a, error)
         && _flow_sparse_make (in[3], in[4], in[5], b, error);
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
