/* flow-kernels-array_diag_v2.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Bands of diagonals of matrices. A band from k[0] to k[1] is packed as rows, the highest diagonal first, each from its
 * upper left end; shorter ones are filled up at the end or, as the third version's align says, at the beginning.
 */

#include "config.h"

#include "flow-array-private.h"

#include <string.h>

typedef struct {
  gint64 lower;
  gint64 upper;
  gint64 longest;              /* cells of the longest diagonal */
  gint64 rows;
  gint64 columns;
  gboolean right_super;        /* shorter diagonals above the main one end where the longest ends */
  gboolean right_sub;
} Band;

static gint64
length_of (const Band *band,
           gint64      d)
{
  return MIN (band->rows + MIN (0, d), band->columns - MAX (0, d));
}

/* Where diagonal @d begins in its packed row. */
static gint64
offset_of (const Band *band,
           gint64      d)
{
  gboolean left = (d >= 0 && !band->right_super) || (d <= 0 && !band->right_sub);

  return left ? 0 : band->longest - length_of (band, d);
}

static void
read_align (FlowKernelContext *c,
            Band              *band)
{
  const char *align = flow_kernel_attr (c, "align") != NULL ? flow_kernel_attr_string (c, "align") : "LEFT_LEFT";

  band->right_super = g_str_has_prefix (align, "RIGHT_");
  band->right_sub = g_str_has_suffix (align, "_RIGHT");
}

static gboolean
is_third (FlowKernelContext *c)
{
  return g_str_has_suffix (c->signature->name, "V3");
}

static gboolean
read_index (FlowKernelContext  *c,
            guint               i,
            Band               *band,
            GError            **error)
{
  FlowTensor *index = flow_kernel_input (c, i);

  if (FLOW_RANK (index) > 1)
    return _flow_refuse_shapes (error, index, NULL, "diag_index must be a scalar or vector, received shape: %s");
  read_align (c, band);
  if (index->n_elements == 0 && is_third (c))
    return _flow_refuse (error, strcmp (c->signature->name, "MatrixSetDiagV3") == 0 ? "diag_index must have at least one element"
                                                                      : "Expected diag_index to have at least 1 element");
  if (index->n_elements < 1 || index->n_elements > 2)
    return _flow_refuse (error, "diag_index must have only one or two elements, received %" G_GINT64_FORMAT " elements.",
                         index->n_elements);
  band->lower = FLOW_DATA (gint32, index)[0];
  band->upper = FLOW_DATA (gint32, index)[index->n_elements - 1];
  return TRUE;
}

#define BOUND_WORDS(which, stop)                                                                    \
  which "_diag_index is out of bound: %" G_GINT64_FORMAT stop " It must be between %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT

static gboolean
check_bound (gint64       d,
             const Band  *band,
             const char  *words,
             GError     **error)
{
  if ((-band->rows < d && d < band->columns) || d == 0)
    return TRUE;
  return _flow_refuse (error, words, d, -band->rows, band->columns);
}

static gboolean
check_band (Band      *band,
            gboolean   is_part,
            GError   **error)
{
  /* TF: the full stop stands in one of the four. */
  if (!check_bound (band->lower, band, is_part ? BOUND_WORDS ("lower", ".") : BOUND_WORDS ("lower", ""), error)
      || !check_bound (band->upper, band, BOUND_WORDS ("upper", ""), error))
    return FALSE;
  if (band->lower > band->upper)
    return _flow_refuse (error, "lower_diag_index must not be larger than upper_diag_index: %" G_GINT64_FORMAT " > %"
                         G_GINT64_FORMAT, band->lower, band->upper);
  band->longest = MIN (band->rows + MIN (band->upper, 0), band->columns - MAX (band->lower, 0));
  return TRUE;
}

/* Moves diagonals between matrix @m of @matrices and packed band @m. */
static void
move_band (const Band *band,
           gsize       cell,
           guint8     *matrix,
           guint8     *packed,
           gboolean    to_matrix)
{
  for (gint64 d = band->upper; d >= band->lower; d--)
    {
      gint64 row = MAX (0, -d);
      gint64 column = MAX (0, d);
      guint8 *line = packed + (gsize) ((band->upper - d) * band->longest + offset_of (band, d)) * cell;
      guint8 *first = matrix + (gsize) (row * band->columns + column) * cell;
      gint64 step = band->columns + 1;

      if (to_matrix)
        _flow_copy_strided (cell, 1, (gint64[]) { length_of (band, d) }, first, &step, line, (gint64[]) { 1 });
      else
        _flow_copy_strided (cell, 1, (gint64[]) { length_of (band, d) }, line, (gint64[]) { 1 }, first, &step);
    }
}

/* --- MatrixDiagV2 --------------------------------------------------------------------------------------------------------- */

static gboolean
unknown_infer (FlowInferContext  *c,
               GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return flow_infer_unknown_shape (c, error);
}

static gboolean
read_size (FlowKernelContext  *c,
           guint               i,
           gint64             *size,
           GError            **error)
{
  FlowTensor *tensor = flow_kernel_input (c, i);

  if (tensor->n_elements != 1)
    {
      if (is_third (c))
        return _flow_refuse (error, "%s must be a scalar", i == 2 ? "num_rows" : "num_cols");
      return _flow_refuse_shapes (error, tensor, NULL, "Expected a scalar, received shape: %s");
    }
  *size = FLOW_DATA (gint32, tensor)[0];
  return TRUE;
}

/* The sizes that are not given are the smallest that hold the diagonals. */
static gboolean
find_sizes (FlowKernelContext  *c,
            Band               *band,
            GError            **error)
{
  gint64 min_rows = band->longest - MIN (band->upper, 0);
  gint64 min_columns = band->longest + MAX (band->lower, 0);

  if (!read_size (c, 2, &band->rows, error) || !read_size (c, 3, &band->columns, error))
    return FALSE;
  if (band->rows != -1 && band->rows < min_rows)
    return _flow_refuse (error, "The number of rows is too small.");
  if (band->columns != -1 && band->columns < min_columns)
    return _flow_refuse (error, "The number of columns is too small.");
  if (band->rows == -1 && band->columns == -1)
    band->rows = band->columns = MAX (min_rows, min_columns);
  else if (band->rows == -1)
    band->rows = min_rows;
  else if (band->columns == -1)
    band->columns = min_columns;
  if (band->rows != min_rows && band->columns != min_columns)
    return _flow_refuse (error, "The number of rows or columns is not consistent with the specified d_lower, d_upper, and "
                         "diagonal.");
  return TRUE;
}

static gboolean
read_diagonals (FlowKernelContext  *c,
                Band               *band,
                gint64             *n_matrices,
                GError            **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  int rank = FLOW_RANK (x);
  gint64 n_diagonals;

  if (rank < 1)
    return _flow_refuse_shapes (error, x, NULL, "diagonal must be at least 1-dim, received shape: %s");
  if (!read_index (c, 1, band, error))
    return FALSE;
  if (band->lower > band->upper)
    return _flow_refuse (error, "lower_diag_index must not be larger than upper_diag_index: %" G_GINT64_FORMAT " > %"
                         G_GINT64_FORMAT, band->lower, band->upper);
  n_diagonals = band->upper - band->lower + 1;
  if (n_diagonals > 1 && (rank < 2 || FLOW_DIMS (x)[rank - 2] != n_diagonals))
    return _flow_refuse (error, "The number of diagonals provided in the input does not match the lower_diag_index and "
                         "upper_diag_index range.");
  band->longest = FLOW_DIMS (x)[rank - 1];
  *n_matrices = 1;
  for (int i = 0; i < rank - (n_diagonals > 1 ? 2 : 1); i++)
    *n_matrices *= FLOW_DIMS (x)[i];
  return find_sizes (c, band, error);
}

static gboolean
diag_compute (FlowKernelContext  *c,
              GError            **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *padding = flow_kernel_input (c, 4);
  gsize cell = _flow_cell_size (x->dtype);
  gint64 dims[FLOW_SHAPE_MAX_RANK + 2];
  gint64 n_matrices = 0;
  gint64 packed;
  int n_lead;
  Band band = { 0 };
  FlowTensor *out;

  if (!read_diagonals (c, &band, &n_matrices, error))
    return FALSE;
  if (padding->n_elements != 1)
    return _flow_refuse_shapes (error, padding, NULL, "padding_value must be a scalar, received shape: %s");
  n_lead = FLOW_RANK (x) - (band.upper > band.lower ? 2 : 1);
  if (n_lead + 2 > FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "too many dimensions");
  memcpy (dims, FLOW_DIMS (x), sizeof (gint64) * (gsize) n_lead);
  dims[n_lead] = band.rows;
  dims[n_lead + 1] = band.columns;
  out = flow_kernel_allocate_dims (c, 0, n_lead + 2, dims, error);
  if (out == NULL)
    return FALSE;
  _flow_fill_cells (cell, out->data, out->n_elements, padding->data);
  packed = (band.upper - band.lower + 1) * band.longest;
  for (gint64 m = 0; m < n_matrices && out->n_elements > 0; m++)
    move_band (&band, cell, (guint8 *) out->data + (gsize) (m * band.rows * band.columns) * cell,
               (guint8 *) x->data + (gsize) (m * packed) * cell, TRUE);
  return TRUE;
}

/* --- MatrixDiagPartV2 ------------------------------------------------------------------------------------------------------ */

static gboolean
read_matrix (FlowKernelContext  *c,
             guint               index,
             Band               *band,
             gint64             *n_matrices,
             GError            **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  int rank = FLOW_RANK (x);

  if (rank < 2)
    return _flow_refuse_shapes (error, x, NULL, "input must be at least 2-dim, received shape: %s");
  if (!read_index (c, index, band, error))
    return FALSE;
  band->rows = FLOW_DIMS (x)[rank - 2];
  band->columns = FLOW_DIMS (x)[rank - 1];
  *n_matrices = 1;
  for (int i = 0; i < rank - 2; i++)
    *n_matrices *= FLOW_DIMS (x)[i];
  return check_band (band, c->n_inputs == 3 && index == 1, error);
}

/* The shape of the packed band of @x. */
static FlowShape *
packed_shape (const FlowTensor *x,
              const Band       *band)
{
  int n_lead = FLOW_RANK (x) - 2;
  gboolean many = band->upper > band->lower;
  FlowShape *shape = flow_shape_new_of_rank (n_lead + (many ? 2 : 1));

  memcpy (shape->dims, FLOW_DIMS (x), sizeof (gint64) * (gsize) n_lead);
  if (many)
    shape->dims[n_lead] = band->upper - band->lower + 1;
  shape->dims[n_lead + (many ? 1 : 0)] = band->longest;
  return shape;
}

static gboolean
diag_part_compute (FlowKernelContext  *c,
                   GError            **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *padding = flow_kernel_input (c, 2);
  gsize cell = _flow_cell_size (x->dtype);
  g_autoptr (FlowShape) shape = NULL;
  gint64 n_matrices = 0;
  gint64 packed;
  Band band = { 0 };
  FlowTensor *out;

  if (!read_matrix (c, 1, &band, &n_matrices, error))
    return FALSE;
  if (padding->n_elements != 1)
    {
      if (is_third (c))
        return _flow_refuse (error, "Padding must be scalar.");
      return _flow_refuse_shapes (error, padding, NULL, "padding_value must be a scalar, received shape: %s");
    }
  shape = packed_shape (x, &band);
  out = flow_kernel_allocate (c, 0, shape, error);
  if (out == NULL)
    return FALSE;
  _flow_fill_cells (cell, out->data, out->n_elements, padding->data);
  packed = (band.upper - band.lower + 1) * band.longest;
  for (gint64 m = 0; m < n_matrices && out->n_elements > 0; m++)
    move_band (&band, cell, (guint8 *) x->data + (gsize) (m * band.rows * band.columns) * cell,
               (guint8 *) out->data + (gsize) (m * packed) * cell, FALSE);
  return TRUE;
}

/* --- MatrixSetDiagV2 ---------------------------------------------------------------------------------------------------------- */

static gboolean
set_diag_infer (FlowInferContext  *c,
                GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_set_output (c, 0, flow_infer_input (c, 0));
  return TRUE;
}

static gboolean
set_diag_compute (FlowKernelContext  *c,
                  GError            **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *diagonal = flow_kernel_input (c, 1);
  gsize cell = _flow_cell_size (x->dtype);
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (FlowTensor) out = NULL;
  gint64 n_matrices = 0;
  gint64 packed;
  Band band = { 0 };

  if (FLOW_RANK (x) >= 2 && FLOW_RANK (diagonal) < 1)
    return _flow_refuse_shapes (error, diagonal, NULL, "diagonal must be at least 1-dim, received shape: %s");
  if (!read_matrix (c, 2, &band, &n_matrices, error))
    return FALSE;
  if (band.upper > band.lower && FLOW_RANK (diagonal) > FLOW_RANK (x) - 2
      && FLOW_DIMS (diagonal)[FLOW_RANK (x) - 2] != band.upper - band.lower + 1)
    return _flow_refuse (error, "The number of diagonals provided in `diag` is not consistent with `lower_diag_index` and "
                         "`upper_diag_index`");
  shape = packed_shape (x, &band);
  if (!flow_shape_equal (shape, diagonal->shape))
    {
      g_autofree char *a = flow_tensor_shape_text (x);
      g_autofree char *b = flow_tensor_shape_text (diagonal);
      g_autofree char *e = flow_shape_to_string (shape);

      return _flow_refuse (error, "Either first dimensions of diagonal don't match input.shape[:-2], or "
                           "diagonal.shape[:-1] is not equal to the longests diagonal in range "
                           "[lower_diag_index:upper_diag_index].\nInput shape: %s\nDiagonal shape: %s\n"
                           "Expected diagonal shape: %s", a, b, e);
    }
  out = flow_tensor_copy (x, c->budget, error);
  if (out == NULL)
    return FALSE;
  packed = (band.upper - band.lower + 1) * band.longest;
  for (gint64 m = 0; m < n_matrices && out->n_elements > 0; m++)
    move_band (&band, cell, (guint8 *) out->data + (gsize) (m * band.rows * band.columns) * cell,
               (guint8 *) diagonal->data + (gsize) (m * packed) * cell, TRUE);
  flow_kernel_take_output (c, 0, g_steal_pointer (&out));
  return TRUE;
}

#define DIAG_TYPES "T: bfloat16 bool complex128 complex64 double float half int16 int32 int64 int8 uint16 uint8"
/* TF 2: the other unsigned types as well. */
#define DIAG_TYPES_V3 DIAG_TYPES " uint32 uint64"
#define ALIGN "; align: {'LEFT_RIGHT', 'RIGHT_LEFT', 'LEFT_LEFT', 'RIGHT_RIGHT'} = 'RIGHT_LEFT'"
#define DIAG_OP(op, in, out, more, types, infer_func, compute, text)                                \
  { .name = op, .inputs = in, .outputs = out, .attrs = "T: type" more, .summary = text,             \
    .family = FLOW_OP_FAMILY_ARRAY, .infer = infer_func,                                            \
    .kernels = (const FlowKernelDef[]) { { types, compute }, { NULL } } }
#define DIAG_OPS(op, in, out, infer_func, compute, text)                                            \
  DIAG_OP (op "V2", in, out, "", DIAG_TYPES, infer_func, compute, text),                            \
  DIAG_OP (op "V3", in, out, ALIGN, DIAG_TYPES_V3, infer_func, compute, text)

static const FlowOpDef ops[] = {
  DIAG_OPS ("MatrixDiagPart", "input: T; k: int32; padding_value: T", "diagonal: T", unknown_infer, diag_part_compute,
            "A band of diagonals of matrices"),
  DIAG_OPS ("MatrixDiag", "diagonal: T; k: int32; num_rows: int32; num_cols: int32; padding_value: T", "output: T",
            unknown_infer, diag_compute, "Matrices from a band of diagonals"),
  DIAG_OPS ("MatrixSetDiag", "input: T; diagonal: T; k: int32", "output: T", set_diag_infer, set_diag_compute,
            "Matrices with a band of diagonals replaced"),
};

FLOW_DEFINE_OP_FAMILY (array_diag_v2, ops)
