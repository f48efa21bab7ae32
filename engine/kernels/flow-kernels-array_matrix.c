/* flow-kernels-array_matrix.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Diagonals and bands of matrices.
 */

#include "config.h"

#include "flow-array-private.h"

#include <string.h>

/* --- Diag, DiagPart ----------------------------------------------------------------------------------- */

static gboolean
diag_infer (FlowInferContext *c,
            GError          **error)
{
  g_autoptr (FlowShape) in = NULL;
  g_autoptr (FlowShape) out = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank_at_least (c, flow_infer_input (c, 0), 1, &in, error) ||
      !flow_infer_concatenate (c, in, in, &out, error))
    return FALSE;
  flow_infer_set_output (c, 0, out);
  return TRUE;
}

static gboolean
diag_compute (FlowKernelContext *c,
              GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  int rank = FLOW_RANK (x);
  gint64 n = x->n_elements;
  gint64 dims[2 * FLOW_SHAPE_MAX_RANK];
  gint64 one = 1;
  gint64 step = n + 1;
  FlowTensor *out;

  if (rank < 1)
    return _flow_refuse (error, "Input must be at least rank 1, got 0");
  if (2 * rank > FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "too many dimensions");
  memcpy (dims, FLOW_DIMS (x), sizeof (gint64) * (gsize) rank);
  memcpy (dims + rank, FLOW_DIMS (x), sizeof (gint64) * (gsize) rank);
  out = flow_kernel_allocate_dims (c, 0, 2 * rank, dims, error);
  if (out == NULL)
    return FALSE;
  memset (out->data, 0, out->n_bytes);
  _flow_copy_strided (_flow_cell_size (x->dtype), 1, &n, out->data, &step, x->data, &one);
  return TRUE;
}

static gboolean
diag_part_infer (FlowInferContext *c,
                 GError          **error)
{
  FlowShape *in = flow_infer_input (c, 0);
  g_autoptr (FlowShape) out = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (in->rank == FLOW_RANK_UNKNOWN)
    return flow_infer_unknown_shape (c, error);
  if (in->rank % 2 != 0 || in->rank <= 0)
    return _flow_refuse (error, "Input must have even and non-zero rank, input rank is %d", in->rank);
  out = flow_shape_new_of_rank (in->rank / 2);
  for (int i = 0; i < out->rank; i++)
    {
      if (!flow_infer_merge_dim (c, in->dims[i], in->dims[i + out->rank], &out->dims[i], error))
        return FALSE;
    }
  flow_infer_set_output (c, 0, out);
  return TRUE;
}

static gboolean
diag_part_compute (FlowKernelContext *c,
                   GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  int half = FLOW_RANK (x) / 2;
  gint64 one = 1;
  gint64 step;
  FlowTensor *out;

  if (FLOW_RANK (x) % 2 != 0)
    return _flow_refuse_shapes (error, x, NULL, "The rank of the tensor should be                                  "
                                "        even and positive, got shape %s");
  for (int i = 0; i < half; i++)
    if (FLOW_DIMS (x)[i] != FLOW_DIMS (x)[i + half])
      {
        g_autofree char *text = flow_tensor_shape_text (x);

        return _flow_refuse (error, "Invalid shape %s: dimensions %d and %d do not match.", text, i, i + half);
      }
  out = flow_kernel_allocate_dims (c, 0, half, FLOW_DIMS (x), error);
  if (out == NULL)
    return FALSE;
  step = out->n_elements + 1;
  _flow_copy_strided (_flow_cell_size (x->dtype), 1, &out->n_elements, out->data, &one, x->data, &step);
  return TRUE;
}

/* --- MatrixDiag, MatrixDiagPart, MatrixSetDiag ----------------------------------------------------------- */

static gboolean
matrix_diag_infer (FlowInferContext *c,
                   GError          **error)
{
  g_autoptr (FlowShape) in = NULL;
  g_autoptr (FlowShape) last = NULL;
  g_autoptr (FlowShape) out = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank_at_least (c, flow_infer_input (c, 0), 1, &in, error))
    return FALSE;
  if (in->rank == FLOW_RANK_UNKNOWN)
    return flow_infer_unknown_shape (c, error);
  last = flow_shape_new_vector (in->dims[in->rank - 1]);
  if (!flow_infer_concatenate (c, in, last, &out, error))
    return FALSE;
  flow_infer_set_output (c, 0, out);
  return TRUE;
}

static gboolean
matrix_diag_compute (FlowKernelContext *c,
                     GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  int rank = FLOW_RANK (x);
  gint64 dims[FLOW_SHAPE_MAX_RANK + 1];
  gint64 n;
  FlowTensor *out;

  if (rank < 1)
    return _flow_refuse_shapes (error, x, NULL, "diagonal must be at least 1-dim, received shape: %s");
  if (rank == FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "too many dimensions");
  n = FLOW_DIMS (x)[rank - 1];
  memcpy (dims, FLOW_DIMS (x), sizeof (gint64) * (gsize) rank);
  dims[rank] = n;
  out = flow_kernel_allocate_dims (c, 0, rank + 1, dims, error);
  if (out == NULL)
    return FALSE;
  memset (out->data, 0, out->n_bytes);
  if (n > 0)
    _flow_copy_strided (_flow_cell_size (x->dtype), 2, (gint64[]) { x->n_elements / n, n }, out->data,
                        (gint64[]) { n * n, n + 1 }, x->data, (gint64[]) { n, 1 });
  return TRUE;
}

static gboolean
matrix_diag_part_infer (FlowInferContext *c,
                        GError          **error)
{
  g_autoptr (FlowShape) in = NULL;
  g_autoptr (FlowShape) out = NULL;
  gint64 rows;
  gint64 columns;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank_at_least (c, flow_infer_input (c, 0), 2, &in, error))
    return FALSE;
  if (in->rank == FLOW_RANK_UNKNOWN)
    return flow_infer_unknown_shape (c, error);
  if (!flow_infer_subshape (c, in, 0, in->rank - 1, &out, error))
    return FALSE;
  rows = in->dims[in->rank - 2];
  columns = in->dims[in->rank - 1];
  {
    g_autoptr (FlowShape) own = flow_shape_new (out->rank, out->dims);

    own->dims[own->rank - 1] = rows == 0 || columns == 0 ? 0 : (rows < 0 || columns < 0 ? -1 : MIN (rows, columns));
    flow_infer_set_output (c, 0, own);
  }
  return TRUE;
}

static gboolean
matrix_diag_part_compute (FlowKernelContext *c,
                          GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  int rank = FLOW_RANK (x);
  gint64 rows;
  gint64 columns;
  gint64 n;
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  FlowTensor *out;

  if (rank < 2)
    return _flow_refuse_shapes (error, x, NULL, "input must be at least 2-dim, received shape: %s");
  rows = FLOW_DIMS (x)[rank - 2];
  columns = FLOW_DIMS (x)[rank - 1];
  n = MIN (rows, columns);
  memcpy (dims, FLOW_DIMS (x), sizeof (gint64) * (gsize) (rank - 2));
  dims[rank - 2] = n;
  out = flow_kernel_allocate_dims (c, 0, rank - 1, dims, error);
  if (out == NULL)
    return FALSE;
  if (out->n_elements > 0)
    _flow_copy_strided (_flow_cell_size (x->dtype), 2, (gint64[]) { out->n_elements / n, n }, out->data,
                        (gint64[]) { n, 1 }, x->data, (gint64[]) { rows * columns, columns + 1 });
  return TRUE;
}

static gboolean
matrix_set_diag_infer (FlowInferContext *c,
                       GError          **error)
{
  g_autoptr (FlowShape) in = NULL;
  g_autoptr (FlowShape) diagonal = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank_at_least (c, flow_infer_input (c, 0), 2, &in, error) ||
      !flow_infer_with_rank_at_least (c, flow_infer_input (c, 1), 1, &diagonal, error))
    return FALSE;
  flow_infer_set_output (c, 0, in);
  return TRUE;
}

static gboolean
matrix_set_diag_compute (FlowKernelContext *c,
                         GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *diagonal = flow_kernel_input (c, 1);
  int rank = FLOW_RANK (x);
  gint64 expected[FLOW_SHAPE_MAX_RANK];
  gint64 rows;
  gint64 columns;
  gint64 n;
  FlowTensor *out;

  if (rank < 2)
    return _flow_refuse_shapes (error, x, NULL, "input must be at least 2-dim, received shape: %s");
  if (FLOW_RANK (diagonal) < 1)
    return _flow_refuse_shapes (error, diagonal, NULL, "diagonal must be at least 1-dim, received shape: %s");
  rows = FLOW_DIMS (x)[rank - 2];
  columns = FLOW_DIMS (x)[rank - 1];
  n = MIN (rows, columns);
  memcpy (expected, FLOW_DIMS (x), sizeof (gint64) * (gsize) (rank - 2));
  expected[rank - 2] = n;
  if (FLOW_RANK (diagonal) != rank - 1 ||
      memcmp (expected, FLOW_DIMS (diagonal), sizeof (gint64) * (gsize) (rank - 1)) != 0)
    {
      g_autofree char *a = flow_tensor_shape_text (x);
      g_autofree char *b = flow_tensor_shape_text (diagonal);
      g_autofree char *e = flow_dims_to_string (rank - 1, expected);

      return _flow_refuse (error, "Either first dimensions of diagonal don't match input.shape[:-2], or "
                           "diagonal.shape[:-1] is not equal to the longests diagonal in range "
                           "[lower_diag_index:upper_diag_index].\nInput shape: %s\nDiagonal shape: %s\n"
                           "Expected diagonal shape: %s", a, b, e);
    }
  out = flow_tensor_copy (x, c->budget, error);
  if (out == NULL)
    return FALSE;
  if (diagonal->n_elements > 0)
    _flow_copy_strided (_flow_cell_size (x->dtype), 2, (gint64[]) { diagonal->n_elements / n, n }, out->data,
                        (gint64[]) { rows * columns, columns + 1 }, diagonal->data, (gint64[]) { n, 1 });
  flow_kernel_take_output (c, 0, out);
  return TRUE;
}

/* --- MatrixBandPart --------------------------------------------------------------------------------------- */

static gboolean
matrix_band_part_compute (FlowKernelContext *c,
                          GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *lower_tensor = flow_kernel_input (c, 1);
  FlowTensor *upper_tensor = flow_kernel_input (c, 2);
  gsize cell = _flow_cell_size (x->dtype);
  int rank = FLOW_RANK (x);
  gint64 rows;
  gint64 columns;
  gint64 lower;
  gint64 upper;
  FlowTensor *out;

  if (rank < 2)
    return _flow_refuse_shapes (error, x, NULL, "input must be at least 2-dim, received shape: %s");
  rows = FLOW_DIMS (x)[rank - 2];
  columns = FLOW_DIMS (x)[rank - 1];
  if (!flow_is_scalar (lower_tensor))
    return _flow_refuse_shapes (error, lower_tensor, NULL, "num_lower must be scalar, got shape %s");
  lower = flow_index_at (lower_tensor, 0);
  if (lower > rows)
    return _flow_refuse (error, "num_lower must be negative or less or equal to number of rows (%" G_GINT64_FORMAT
                         ") got: %" G_GINT64_FORMAT, rows, lower);
  if (!flow_is_scalar (upper_tensor))
    return _flow_refuse_shapes (error, upper_tensor, NULL, "num_upper must be scalar, got shape %s");
  upper = flow_index_at (upper_tensor, 0);
  if (upper > columns)
    return _flow_refuse (error, "num_upper must be negative or less or equal to number of columns (%"
                         G_GINT64_FORMAT ") got: %" G_GINT64_FORMAT, columns, upper);
  /* TF: goes on with an int of each: numbers below all ints may be above zero then. */
  lower = (gint32) lower;
  upper = (gint32) upper;
  out = flow_kernel_allocate (c, 0, x->shape, error);
  if (out == NULL)
    return FALSE;
  memset (out->data, 0, out->n_bytes);
  for (gint64 i = 0; columns > 0 && i < x->n_elements / columns; i++)
    {
      gint64 row = i % rows;
      gint64 begin = lower < 0 ? 0 : MAX (0, row - lower);
      gint64 end = upper < 0 ? columns : MIN (columns, row + upper + 1);

      if (begin < end)
        memcpy ((char *) out->data + (gsize) (i * columns + begin) * cell,
                (const char *) x->data + (gsize) (i * columns + begin) * cell, (gsize) (end - begin) * cell);
    }
  return TRUE;
}

static const FlowOpDef ops[] = {
  {
    .name = "BatchMatrixBandPart",
    .inputs = "input: T; num_lower: int64; num_upper: int64",
    .outputs = "band: T",
    .attrs = "T: type",
    .summary = "Old name of MatrixBandPart",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { "T: bfloat16 complex128 complex64 double float half int16 int32 int64 int8 uint16 uint8",
                                           matrix_band_part_compute }, { NULL } },
  },
  {
    .name = "BatchMatrixDiag",
    .inputs = "diagonal: T",
    .outputs = "output: T",
    .attrs = "T: type",
    .summary = "Old name of MatrixDiag",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = matrix_diag_infer,
    .kernels = (const FlowKernelDef[]) { { "T: bfloat16 bool complex128 complex64 double float half int16 int32 int64 int8 uint16 uint8",
                                           matrix_diag_compute }, { NULL } },
  },
  {
    .name = "BatchMatrixDiagPart",
    .inputs = "input: T",
    .outputs = "diagonal: T",
    .attrs = "T: type",
    .summary = "Old name of MatrixDiagPart",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = matrix_diag_part_infer,
    .kernels = (const FlowKernelDef[]) { { "T: bfloat16 bool complex128 complex64 double float half int16 int32 int64 int8 uint16 uint8",
                                           matrix_diag_part_compute }, { NULL } },
  },
  {
    .name = "BatchMatrixSetDiag",
    .inputs = "input: T; diagonal: T",
    .outputs = "output: T",
    .attrs = "T: type",
    .summary = "Old name of MatrixSetDiag",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = matrix_set_diag_infer,
    .kernels = (const FlowKernelDef[]) { { "T: bfloat16 bool complex128 complex64 double float half int16 int32 int64 int8 uint16 uint8",
                                           matrix_set_diag_compute }, { NULL } },
  },
  {
    .name = "Diag",
    .inputs = "diagonal: T",
    .outputs = "output: T",
    .attrs = "T: {bfloat16, half, float, double, int32, int64, complex64, complex128}",
    .summary = "A tensor of twice the rank with these values on its diagonal",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = diag_infer,
    .kernels = (const FlowKernelDef[]) { { "T: float double int32 int64 complex64 complex128", diag_compute }, { NULL } },
  },
  {
    .name = "DiagPart",
    .inputs = "input: T",
    .outputs = "diagonal: T",
    .attrs = "T: {bfloat16, half, float, double, int32, int64, complex64, complex128}",
    .summary = "The diagonal of a tensor",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = diag_part_infer,
    .kernels = (const FlowKernelDef[]) { { "T: float double int32 int64 complex64 complex128", diag_part_compute }, { NULL } },
  },
  {
    .name = "MatrixBandPart",
    .inputs = "input: T; num_lower: Tindex; num_upper: Tindex",
    .outputs = "band: T",
    .attrs = "T: type; Tindex: {int32, int64} = DT_INT64",
    .summary = "Matrices of which all but a band is zero",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool",
        matrix_band_part_compute },
      { NULL },
    },
  },
  {
    .name = "MatrixDiag",
    .inputs = "diagonal: T",
    .outputs = "output: T",
    .attrs = "T: type",
    .summary = "Matrices with these diagonals",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = matrix_diag_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool",
        matrix_diag_compute },
      { NULL },
    },
  },
  {
    .name = "MatrixDiagPart",
    .inputs = "input: T",
    .outputs = "diagonal: T",
    .attrs = "T: type",
    .summary = "The diagonals of matrices",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = matrix_diag_part_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool",
        matrix_diag_part_compute },
      { NULL },
    },
  },
  {
    .name = "MatrixSetDiag",
    .inputs = "input: T; diagonal: T",
    .outputs = "output: T",
    .attrs = "T: type",
    .summary = "Matrices with other diagonals",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = matrix_set_diag_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool",
        matrix_set_diag_compute },
      { NULL },
    },
  },
};

FLOW_DEFINE_OP_FAMILY (array_matrix, ops)
