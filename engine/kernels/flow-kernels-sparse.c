/* flow-kernels-sparse.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-elementwise-private.h"
#include "flow-sparse-private.h"
#include "flow-util.h"

#include <stdlib.h>
#include <string.h>

/* Sparse tensors: three dense ones, the indices (n x rank), the values (n) and the dense shape (rank).
 * Nothing in them is trusted: every index is compared with the shape before it is used. */

/* --- what many ops check ------------------------------------------------------------------------- */

static gboolean
fail_shape (GError          **error,
            const char       *words,
            const FlowShape  *shape)
{
  g_autofree char *text = flow_shape_to_string (shape);

  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "%s%s", words, text);
  return FALSE;
}

static gboolean
dense_size (const FlowTensor  *shape,
            gint64            *size,
            GError           **error)
{
  *size = 1;
  for (gint64 i = 0; i < shape->n_elements; i++)
    {
      gint64 d = flow_tensor_get_int (shape, i);

      FLOW_REQUIRE (d >= 0, error, INVALID_ARGUMENT, "Dimension %" G_GINT64_FORMAT " must be >= 0", d);
      FLOW_REQUIRE (flow_mul_int64 (*size, d, size), error, INVALID_ARGUMENT,
                    "Shape of a sparse tensor has too many elements");
    }
  return TRUE;
}

/* --- SparseReshape --------------------------------------------------------------------------------- */

static gboolean
reshape_infer (FlowInferContext  *c,
               GError           **error)
{
  FlowShape *indices = flow_infer_input (c, 0);
  FlowShape *shape = flow_infer_input (c, 1);
  FlowShape *target = flow_infer_input (c, 2);
  g_autoptr (FlowShape) matrix = NULL;
  g_autoptr (FlowShape) vector = NULL;
  g_autoptr (FlowShape) new_vector = NULL;

  if (c->running)
    {
      if (indices->rank != 2)
        return fail_shape (error, "Input indices should be a matrix but received shape ", indices);
      if (shape->rank != 1)
        return fail_shape (error, "Input shape should be a vector but received shape ", shape);
      if (target->rank != 1)
        return fail_shape (error, "Target shape should be a vector but received shape ", target);
    }
  if (!flow_infer_with_rank (c, indices, 2, &matrix, error) ||
      !flow_infer_with_rank (c, shape, 1, &vector, error) ||
      !flow_infer_with_rank (c, target, 1, &new_vector, error))
    return FALSE;
  flow_infer_take_output (c, 0, flow_shape_new_matrix (matrix->dims[0], new_vector->dims[0]));
  flow_infer_set_output (c, 1, new_vector);
  return TRUE;
}

/* The new shape with its -1 filled in. */
static gboolean
resolve_target (const FlowTensor  *shape,
                const FlowTensor  *target,
                gint64             size,
                gint64            *out,
                GError           **error)
{
  gint64 unknown = -1;
  gint64 product = 1;

  for (gint64 i = 0; i < target->n_elements; i++)
    {
      gint64 d = FLOW_DATA (gint64, target)[i];

      out[i] = d;
      if (d == -1)
        {
          FLOW_REQUIRE (unknown == -1, error, INVALID_ARGUMENT,
                        "only one output dimension may be -1, not both %" G_GINT64_FORMAT " and %"
                        G_GINT64_FORMAT, unknown, i);
          unknown = i;
          out[i] = 1;
          continue;
        }
      FLOW_REQUIRE (d >= 0, error, INVALID_ARGUMENT,
                    "size %" G_GINT64_FORMAT " must be non-negative, not %" G_GINT64_FORMAT, i, d);
      FLOW_REQUIRE (flow_mul_int64 (product, d, &product), error, INVALID_ARGUMENT,
                    "Shape of a sparse tensor has too many elements");
    }
  if (unknown >= 0)
    {
      g_autofree char *text_in = NULL;
      g_autofree char *text_out = flow_dims_to_string ((int) target->n_elements, out);

      FLOW_REQUIRE (product > 0, error, INVALID_ARGUMENT,
                    "reshape cannot infer the missing input size for an empty tensor unless all "
                    "specified input sizes are non-zero");
      text_in = flow_dims_to_string ((int) shape->n_elements, FLOW_DATA (gint64, shape));
      FLOW_REQUIRE (size % product == 0, error, INVALID_ARGUMENT,
                    "Input to reshape is a SparseTensor with %" G_GINT64_FORMAT
                    " dense values, but the requested shape requires a multiple of %"
                    G_GINT64_FORMAT ". input_shape=%s output_shape=%s", size, product, text_in,
                    text_out);
      out[unknown] = size / product;
      product = size;
    }
  if (product != size)
    {
      g_autofree char *text_in = flow_dims_to_string ((int) shape->n_elements,
                                                      FLOW_DATA (gint64, shape));
      g_autofree char *text_out = flow_dims_to_string ((int) target->n_elements, out);

      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "Input to reshape is a tensor with %" G_GINT64_FORMAT
                   " dense values, but the requested shape has %" G_GINT64_FORMAT
                   ". input_shape=%s output_shape=%s", size, product, text_in, text_out);
      return FALSE;
    }
  return TRUE;
}

static void
row_strides (const gint64 *dims,
             gint64        rank,
             gint64       *strides)
{
  gint64 stride = 1;

  for (gint64 i = rank - 1; i >= 0; i--)
    {
      strides[i] = stride;
      stride *= dims[i];
    }
}

static gboolean
reshape_compute (FlowKernelContext  *c,
                 GError            **error)
{
  const FlowTensor *indices = flow_kernel_input (c, 0);
  const FlowTensor *shape = flow_kernel_input (c, 1);
  const FlowTensor *target = flow_kernel_input (c, 2);
  gint64 in_rank = shape->n_elements;
  gint64 out_rank = target->n_elements;
  g_autofree gint64 *dims = g_try_new (gint64, (gsize) MAX (out_rank, 1));
  g_autofree gint64 *in_strides = g_try_new (gint64, (gsize) MAX (in_rank, 1));
  g_autofree gint64 *out_strides = g_try_new (gint64, (gsize) MAX (out_rank, 1));
  FlowTensor *out_indices;
  FlowTensor *out_shape;
  gint64 size;

  FLOW_REQUIRE (dims != NULL && in_strides != NULL && out_strides != NULL, error, RESOURCE_EXHAUSTED,
                "OOM when reshaping");
  FLOW_REQUIRE (in_rank <= FLOW_SHAPE_MAX_RANK && out_rank <= FLOW_SHAPE_MAX_RANK, error,
                INVALID_ARGUMENT, "Shape must have at most %d dims", FLOW_SHAPE_MAX_RANK);
  if (!dense_size (shape, &size, error) || !resolve_target (shape, target, size, dims, error))
    return FALSE;
  /* TF 1.15 reads beside the indices. */
  FLOW_REQUIRE (FLOW_DIMS (indices)[1] == in_rank, error, INVALID_ARGUMENT, "Input tensor rank must match input shape length.");
  /* TF: what keeps its shape keeps its indices, whatever they are. */
  if (in_rank == out_rank && memcmp (dims, FLOW_DATA (gint64, shape), sizeof (gint64) * (gsize) in_rank) == 0)
    {
      flow_kernel_set_output (c, 0, flow_kernel_input (c, 0));
      flow_kernel_set_output (c, 1, flow_kernel_input (c, 1));
      return TRUE;
    }
  row_strides (FLOW_DATA (gint64, shape), in_rank, in_strides);
  row_strides (dims, out_rank, out_strides);
  /* TF divides by them. */
  for (gint64 k = 0; k < out_rank; k++)
    FLOW_REQUIRE (out_strides[k] != 0 || FLOW_DIMS (indices)[0] == 0, error, INVALID_ARGUMENT,
                  "a sparse tensor of an empty shape has values");
  out_indices = flow_kernel_allocate_inferred (c, 0, error);
  out_shape = out_indices != NULL ? flow_kernel_allocate_inferred (c, 1, error) : NULL;
  if (out_shape == NULL)
    return FALSE;
  if (out_rank > 0)
    memcpy (out_shape->data, dims, sizeof (gint64) * (gsize) out_rank);
  for (gint64 i = 0; i < FLOW_DIMS (indices)[0]; i++)
    {
      const gint64 *index = FLOW_DATA (gint64, indices) + i * in_rank;
      gint64 *out = FLOW_WRITABLE (gint64, out_indices) + i * out_rank;
      guint64 at = 0;
      gint64 rest;

      /* TF: indices outside the shape go through the same arithmetic. */
      for (gint64 k = 0; k < in_rank; k++)
        at += (guint64) index[k] * (guint64) in_strides[k];
      rest = (gint64) at;
      for (gint64 k = 0; k < out_rank; k++)
        {
          out[k] = rest / out_strides[k];
          rest %= out_strides[k];
        }
    }
  return TRUE;
}

FLOW_ONE_KERNEL (reshape, NULL)

/* --- SparseFillEmptyRows ----------------------------------------------------------------------------- */

static gboolean
fill_infer (FlowInferContext  *c,
            GError           **error)
{
  FlowShape *indices = flow_infer_input (c, 0);
  FlowShape *values = flow_infer_input (c, 1);
  FlowShape *shape = flow_infer_input (c, 2);
  FlowShape *fallback = flow_infer_input (c, 3);
  g_autoptr (FlowShape) vector = flow_shape_new_vector (FLOW_DIM_UNKNOWN);
  g_autoptr (FlowShape) dense = NULL;

  if (c->running)
    {
      if (shape->rank != 1)
        return fail_shape (error, "dense_shape must be a vector, saw: ", shape);
      if (indices->rank != 2)
        return fail_shape (error, "indices must be a matrix, saw: ", indices);
      if (values->rank != 1)
        return fail_shape (error, "values must be a vector, saw: ", values);
      if (fallback->rank != 0)
        return fail_shape (error, "default_value must be a scalar, saw: ", fallback);
      FLOW_REQUIRE (indices->dims[1] == shape->dims[0] && shape->dims[0] >= 1, error, INVALID_ARGUMENT,
                    "indices have %" G_GINT64_FORMAT " columns, dense_shape has %" G_GINT64_FORMAT
                    " elements", indices->dims[1], shape->dims[0]);
      FLOW_REQUIRE (indices->dims[0] == values->dims[0], error, INVALID_ARGUMENT,
                    "indices have %" G_GINT64_FORMAT " rows, values %" G_GINT64_FORMAT " elements",
                    indices->dims[0], values->dims[0]);
    }
  flow_infer_take_output (c, 0, flow_shape_new_matrix (FLOW_DIM_UNKNOWN,
                                                       shape->rank == 1 ? shape->dims[0]
                                                                        : FLOW_DIM_UNKNOWN));
  flow_infer_set_output (c, 1, vector);
  if (!c->running && !flow_infer_shape_from_value (c, 2, &dense, error))
    return FALSE;
  flow_infer_take_output (c, 2, flow_shape_new_vector (dense != NULL && dense->rank > 0 ? dense->dims[0]
                                                                                        : FLOW_DIM_UNKNOWN));
  flow_infer_take_output (c, 3, flow_shape_new_vector (indices->rank == 2 ? indices->dims[0]
                                                                          : FLOW_DIM_UNKNOWN));
  return TRUE;
}

static FlowTensor *
allocate_vector (FlowKernelContext  *c,
                 guint               i,
                 gint64              n,
                 GError            **error)
{
  g_autoptr (FlowShape) shape = flow_shape_new_vector (n);

  return flow_kernel_allocate (c, i, shape, error);
}

/* Where each row starts in the output: counts of its values, at least one each. */
static gint64 *
place_rows (const FlowTensor  *indices,
            gint64             rows,
            gint64             rank,
            guint8            *empty,
            gint64            *total,
            GError           **error)
{
  g_autofree gint64 *starts = g_try_new0 (gint64, (gsize) rows + 1);

  if (starts == NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "OOM when counting rows");
      return NULL;
    }
  for (gint64 i = 0; i < FLOW_DIMS (indices)[0]; i++)
    {
      gint64 row = FLOW_DATA (gint64, indices)[i * rank];

      if (row < 0 || row >= rows)
        {
          g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                       "indices(%" G_GINT64_FORMAT ", 0) is invalid: %" G_GINT64_FORMAT " >= %"
                       G_GINT64_FORMAT, i, row, rows);
          return NULL;
        }
      starts[row]++;
    }
  *total = 0;
  for (gint64 r = 0; r < rows; r++)
    {
      gint64 count = MAX (starts[r], 1);

      empty[r] = starts[r] == 0;
      starts[r] = *total;
      *total += count;
    }
  return g_steal_pointer (&starts);
}

static gboolean
fill_compute (FlowKernelContext  *c,
              GError            **error)
{
  const FlowTensor *indices = flow_kernel_input (c, 0);
  const FlowTensor *values = flow_kernel_input (c, 1);
  gint64 rows = FLOW_DATA (gint64, flow_kernel_input (c, 2))[0];
  gint64 rank = FLOW_DIMS (indices)[1];
  gint64 n = FLOW_DIMS (indices)[0];
  g_autofree gint64 *starts = NULL;
  g_autoptr (FlowShape) shape = NULL;
  FlowTensor *out_indices;
  FlowTensor *out_values;
  FlowTensor *empty;
  FlowTensor *map;
  gint64 total;

  FLOW_REQUIRE (rows > 0 || n == 0, error, INVALID_ARGUMENT,
                "Received SparseTensor with dense_shape[0] = 0 but indices.shape[0] = %"
                G_GINT64_FORMAT, n);
  FLOW_REQUIRE (rows >= 0, error, INVALID_ARGUMENT, "Dimension %" G_GINT64_FORMAT " must be >= 0", rows);
  empty = allocate_vector (c, 2, rows, error);
  map = empty != NULL ? allocate_vector (c, 3, n, error) : NULL;
  if (map == NULL || (starts = place_rows (indices, rows, rank, empty->data, &total, error)) == NULL)
    return FALSE;
  shape = flow_shape_new_matrix (total, rank);
  out_indices = flow_kernel_allocate (c, 0, shape, error);
  out_values = out_indices != NULL ? allocate_vector (c, 1, total, error) : NULL;
  if (out_values == NULL)
    return FALSE;
  for (gint64 r = 0; r < rows; r++)
    if (FLOW_DATA (guint8, empty)[r])
      {
        gint64 *index = FLOW_WRITABLE (gint64, out_indices) + starts[r] * rank;

        memset (index, 0, sizeof (gint64) * (gsize) rank);
        index[0] = r;
        _flow_copy_cell (out_values, starts[r], flow_kernel_input (c, 3), 0);
      }
  for (gint64 i = 0; i < n; i++)
    {
      const gint64 *index = FLOW_DATA (gint64, indices) + i * rank;
      gint64 at = starts[index[0]]++;

      memcpy (FLOW_WRITABLE (gint64, out_indices) + at * rank, index, sizeof (gint64) * (gsize) rank);
      _flow_copy_cell (out_values, at, values, i);
      FLOW_WRITABLE (gint64, map)[i] = at;
    }
  return TRUE;
}

#define ANY_VALUES "T: bfloat16 half float double int8 uint8 int16 uint16 int32 int64 " \
                   "complex64 complex128 bool string resource variant"
FLOW_ONE_KERNEL (fill, ANY_VALUES)

static gboolean
fill_grad_infer (FlowInferContext  *c,
                 GError           **error)
{
  FlowShape *map = flow_infer_input (c, 0);
  g_autoptr (FlowShape) vector = NULL;
  g_autoptr (FlowShape) grad = NULL;

  if (c->running)
    {
      if (map->rank != 1)
        return fail_shape (error, "reverse_index_map must be a vector, saw: ", map);
      if (flow_infer_input (c, 1)->rank != 1)
        return fail_shape (error, "grad_values must be a vector, saw: ", flow_infer_input (c, 1));
    }
  if (!flow_infer_with_rank (c, map, 1, &vector, error) ||
      !flow_infer_with_rank (c, flow_infer_input (c, 1), 1, &grad, error))
    return FALSE;
  flow_infer_set_output (c, 0, vector);
  flow_infer_take_output (c, 1, flow_shape_new_scalar ());
  return TRUE;
}

/* The default value's gradient: what no input row took. Sums wrap for integers. */
static void
add_cell (FlowDType     dtype,
          gpointer      sum,
          gconstpointer cell)
{
  switch ((int) dtype)
    {
    case FLOW_DTYPE_FLOAT:
      *(float *) sum += *(const float *) cell;
      break;
    case FLOW_DTYPE_DOUBLE:
      *(double *) sum += *(const double *) cell;
      break;
    case FLOW_DTYPE_COMPLEX64:
      *(FlowComplex64 *) sum += *(const FlowComplex64 *) cell;
      break;
    case FLOW_DTYPE_COMPLEX128:
      *(FlowComplex128 *) sum += *(const FlowComplex128 *) cell;
      break;
    case FLOW_DTYPE_INT8:
    case FLOW_DTYPE_UINT8:
      *(guint8 *) sum = (guint8) (*(guint8 *) sum + *(const guint8 *) cell);
      break;
    case FLOW_DTYPE_INT16:
    case FLOW_DTYPE_UINT16:
      *(guint16 *) sum = (guint16) (*(guint16 *) sum + *(const guint16 *) cell);
      break;
    case FLOW_DTYPE_INT32:
      *(guint32 *) sum += *(const guint32 *) cell;
      break;
    default:
      *(guint64 *) sum += *(const guint64 *) cell;
      break;
    }
}

static gboolean
fill_grad_compute (FlowKernelContext  *c,
                   GError            **error)
{
  const FlowTensor *map = flow_kernel_input (c, 0);
  g_autoptr (FlowTensor) grad = flow_widen (c, flow_kernel_input (c, 1), TRUE, error);
  gint64 n = grad != NULL ? grad->n_elements : 0;
  g_autofree guint8 *taken = g_try_malloc0 ((gsize) n + 1);
  g_autoptr (FlowTensor) sum = NULL;
  FlowTensor *out;
  FlowTensor *rest;

  if (grad == NULL)
    return FALSE;
  FLOW_REQUIRE (taken != NULL, error, RESOURCE_EXHAUSTED, "OOM when marking rows");
  for (gint64 i = 0; i < map->n_elements; i++)
    FLOW_REQUIRE (FLOW_DATA (gint64, map)[i] >= 0 && FLOW_DATA (gint64, map)[i] < n, error,
                  INVALID_ARGUMENT, "Elements in reverse index must be in [0, %" G_GINT64_FORMAT
                  ") but got %" G_GINT64_FORMAT, n, FLOW_DATA (gint64, map)[i]);
  out = flow_kernel_allocate_inferred (c, 0, error);
  rest = out != NULL ? flow_kernel_allocate_inferred (c, 1, error) : NULL;
  if (rest == NULL || (sum = flow_widen (c, rest, FALSE, error)) == NULL)
    return FALSE;
  memset (sum->data, 0, sum->n_bytes);
  for (gint64 i = 0; i < map->n_elements; i++)
    {
      taken[FLOW_DATA (gint64, map)[i]] = 1;
      _flow_copy_cell (out, i, flow_kernel_input (c, 1), FLOW_DATA (gint64, map)[i]);
    }
  for (gint64 i = 0; i < n; i++)
    if (!taken[i])
      add_cell (grad->dtype, sum->data,
                (const guint8 *) grad->data + (gsize) i * flow_dtype_size (grad->dtype));
  flow_narrow (sum, rest);
  return TRUE;
}

FLOW_ONE_KERNEL (fill_grad, "T: bfloat16 half float double int8 uint8 int16 uint16 int32 int64 "
                            "complex64 complex128")

/* --- SparseTensorDenseMatMul ------------------------------------------------------------------------- */

static gboolean
matmul_check (FlowInferContext  *c,
              GError           **error)
{
  FlowShape *indices = flow_infer_input (c, 0);
  FlowShape *values = flow_infer_input (c, 1);
  FlowShape *shape = flow_infer_input (c, 2);
  FlowShape *b = flow_infer_input (c, 3);
  gboolean adj_a = flow_infer_attr_bool (c, "adjoint_a");
  gboolean adj_b = flow_infer_attr_bool (c, "adjoint_b");
  g_autofree char *text_b = flow_shape_to_string (b);
  const gint64 *dims;

  FLOW_REQUIRE (b->rank == 2, error, INVALID_ARGUMENT, "Tensor 'b' is not a matrix");
  FLOW_REQUIRE (shape->rank == 1, error, INVALID_ARGUMENT, "Tensor 'a_shape' is not a vector");
  FLOW_REQUIRE (shape->dims[0] == 2, error, INVALID_ARGUMENT, "Tensor 'a_shape' must have 2 elements");
  FLOW_REQUIRE (values->rank == 1, error, INVALID_ARGUMENT, "Tensor 'a_values' is not a vector");
  FLOW_REQUIRE (indices->rank == 2, error, INVALID_ARGUMENT, "Tensor 'a_indices' is not a matrix");
  FLOW_REQUIRE (indices->dims[0] == values->dims[0], error, INVALID_ARGUMENT,
                "Number of rows of a_indices does not match number of entries in a_values");
  FLOW_REQUIRE (indices->dims[1] == 2, error, INVALID_ARGUMENT,
                "Number of columns of a_indices does not match number of entries in a_shape");
  dims = FLOW_DATA (gint64, flow_infer_input_value (c, 2));
  FLOW_REQUIRE (dims[adj_a ? 0 : 1] == b->dims[adj_b ? 1 : 0], error, INVALID_ARGUMENT,
                "Cannot multiply A and B because inner dimension does not match: %" G_GINT64_FORMAT
                " vs. %" G_GINT64_FORMAT ".  Did you forget a transpose?  Dimensions of A: [%"
                G_GINT64_FORMAT ", %" G_GINT64_FORMAT ").  Dimensions of B: %s",
                dims[adj_a ? 0 : 1], b->dims[adj_b ? 1 : 0], dims[0], dims[1], text_b);
  FLOW_REQUIRE (dims[0] >= 0 && dims[1] >= 0, error, INVALID_ARGUMENT,
                "Dimensions of A must be >= 0: [%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT "]", dims[0],
                dims[1]);
  return TRUE;
}

static gboolean
matmul_infer (FlowInferContext  *c,
              GError           **error)
{
  gboolean adj_a = flow_infer_attr_bool (c, "adjoint_a");
  gboolean adj_b = flow_infer_attr_bool (c, "adjoint_b");
  g_autoptr (FlowShape) given = NULL;
  g_autoptr (FlowShape) a = NULL;
  g_autoptr (FlowShape) b = NULL;
  gint64 inner;

  if (c->running && !matmul_check (c, error))
    return FALSE;
  if (!flow_infer_shape_from_value (c, 2, &given, error) || !flow_infer_with_rank (c, given, 2, &a, error)
      || !flow_infer_with_rank (c, flow_infer_input (c, 3), 2, &b, error)
      || !flow_infer_merge_dim (c, a->dims[adj_a ? 0 : 1], b->dims[adj_b ? 1 : 0], &inner, error))
    return FALSE;
  flow_infer_take_output (c, 0, flow_shape_new_matrix (a->dims[adj_a ? 1 : 0], b->dims[adj_b ? 0 : 1]));
  return TRUE;
}

static inline gint64
index_at (const FlowTensor *t,
          gint64            i)
{
  return t->dtype == FLOW_DTYPE_INT32 ? FLOW_DATA (gint32, t)[i] : FLOW_DATA (gint64, t)[i];
}

/* Row m of the product gets a times row k of b, or column k of its adjoint. TF: adjoint_a transposes
 * a without conjugating it. */
#define ADD_ROWS(type, CONJ)                                                           \
  for (gint64 i = 0; i < n; i++)                                                       \
    {                                                                                  \
      gint64 m = index_at (indices, 2 * i + (adj_a ? 1 : 0));                          \
      gint64 k = index_at (indices, 2 * i + (adj_a ? 0 : 1));                          \
      type v = ((const type *) a->data)[i];                                            \
      type *row = (type *) product->data + m * columns;                                \
      const type *from = (const type *) b->data + (adj_b ? k : k * columns);           \
      gint64 step = adj_b ? FLOW_DIMS (b)[1] : 1;                                      \
                                                                                       \
      if (adj_b)                                                                       \
        for (gint64 j = 0; j < columns; j++)                                           \
          row[j] += v * CONJ (from[j * step]);                                         \
      else                                                                             \
        for (gint64 j = 0; j < columns; j++)                                           \
          row[j] += v * from[j];                                                       \
    }
#define SAME(v) (v)

static gboolean
matmul_compute (FlowKernelContext  *c,
                GError            **error)
{
  const FlowTensor *indices = flow_kernel_input (c, 0);
  g_autoptr (FlowTensor) a = flow_widen (c, flow_kernel_input (c, 1), TRUE, error);
  const gint64 *dims = FLOW_DATA (gint64, flow_kernel_input (c, 2));
  g_autoptr (FlowTensor) b = a != NULL ? flow_widen (c, flow_kernel_input (c, 3), TRUE, error) : NULL;
  gboolean adj_a = flow_kernel_attr_bool (c, "adjoint_a");
  gboolean adj_b = flow_kernel_attr_bool (c, "adjoint_b");
  g_autoptr (FlowTensor) product = NULL;
  FlowTensor *out;
  gint64 columns;
  gint64 n;

  if (b == NULL)
    return FALSE;
  /* TF: where there is nothing to multiply by, or nothing to give, it looks at no index. */
  n = b->n_elements > 0 && dims[adj_a ? 1 : 0] > 0 ? a->n_elements : 0;
  for (gint64 i = 0; i < n; i++)
    {
      gint64 m = index_at (indices, 2 * i + (adj_a ? 1 : 0));
      gint64 k = index_at (indices, 2 * i + (adj_a ? 0 : 1));

      FLOW_REQUIRE (k >= 0 && k < dims[adj_a ? 0 : 1], error, INVALID_ARGUMENT,
                    "k (%" G_GINT64_FORMAT ") from index[%" G_GINT64_FORMAT
                    ",%d] out of bounds (>=%" G_GINT64_FORMAT ")", k, i, adj_a ? 0 : 1,
                    dims[adj_a ? 0 : 1]);
      FLOW_REQUIRE (m >= 0 && m < dims[adj_a ? 1 : 0], error, INVALID_ARGUMENT,
                    "m (%" G_GINT64_FORMAT ") from index[%" G_GINT64_FORMAT
                    ",%d] out of bounds (>=%" G_GINT64_FORMAT ")", m, i, adj_a ? 1 : 0,
                    dims[adj_a ? 1 : 0]);
    }
  out = flow_kernel_allocate_inferred (c, 0, error);
  if (out == NULL || (product = flow_widen (c, out, FALSE, error)) == NULL)
    return FALSE;
  if (product->n_bytes > 0)
    memset (product->data, 0, product->n_bytes);
  columns = FLOW_DIMS (out)[1];
  switch ((int) product->dtype)
    {
    case FLOW_DTYPE_FLOAT:
      ADD_ROWS (float, SAME)
      break;
    case FLOW_DTYPE_DOUBLE:
      ADD_ROWS (double, SAME)
      break;
    case FLOW_DTYPE_COMPLEX64:
      ADD_ROWS (FlowComplex64, conjf)
      break;
    case FLOW_DTYPE_COMPLEX128:
      ADD_ROWS (FlowComplex128, conj)
      break;
    default:
      ADD_ROWS (guint32, SAME)
      break;
    }
  flow_narrow (product, out);
  return TRUE;
}

FLOW_ONE_KERNEL (matmul, "T: bfloat16 float double int32 complex64 complex128; "
                         "Tindices: int32 int64")

/* --- SparseReorder ------------------------------------------------------------------------------------- */

static gboolean
reorder_infer (FlowInferContext  *c,
               GError           **error)
{
  FlowShape *indices = flow_infer_input (c, 0);
  FlowShape *values = flow_infer_input (c, 1);
  FlowShape *shape = flow_infer_input (c, 2);

  if (c->running)
    {
      if (indices->rank != 2)
        return fail_shape (error, "Input indices should be a matrix but received shape ", indices);
      if (values->rank != 1)
        return fail_shape (error, "Input values should be a vector but received shape ", values);
      if (shape->rank != 1)
        return fail_shape (error, "Input shape should be a vector but received shape ", shape);
      FLOW_REQUIRE (indices->dims[0] == values->dims[0], error, INVALID_ARGUMENT,
                    "indices and values rows (indexing dimension) must match. (indices = %"
                    G_GINT64_FORMAT ", values = %" G_GINT64_FORMAT ")", indices->dims[0],
                    values->dims[0]);
      FLOW_REQUIRE (indices->dims[1] == shape->dims[0], error, INVALID_ARGUMENT,
                    "Order length must be SparseTensor rank.");
    }
  flow_infer_set_output (c, 0, indices);
  flow_infer_set_output (c, 1, values);
  return TRUE;
}

typedef struct {
  const gint64 *indices;
  gint64 rank;
} Order;

/* By index, then by place, so that equal indices keep their order. */
static int
compare_rows (gconstpointer pa,
              gconstpointer pb,
              gpointer      data)
{
  const Order *order = data;
  gint64 a = *(const gint64 *) pa;
  gint64 b = *(const gint64 *) pb;

  for (gint64 k = 0; k < order->rank; k++)
    {
      gint64 x = order->indices[a * order->rank + k];
      gint64 y = order->indices[b * order->rank + k];

      if (x != y)
        return x < y ? -1 : 1;
    }
  return a < b ? -1 : a > b;
}

static gboolean
reorder_compute (FlowKernelContext  *c,
                 GError            **error)
{
  const FlowTensor *indices = flow_kernel_input (c, 0);
  const FlowTensor *values = flow_kernel_input (c, 1);
  Order order = { FLOW_DATA (gint64, indices), FLOW_DIMS (indices)[1] };
  gint64 n = values->n_elements;
  g_autofree gint64 *rows = g_try_new (gint64, (gsize) MAX (n, 1));
  FlowTensor *out_indices;
  FlowTensor *out_values;

  FLOW_REQUIRE (rows != NULL && n <= G_MAXINT, error, RESOURCE_EXHAUSTED, "OOM when sorting rows");
  out_indices = flow_kernel_allocate (c, 0, indices->shape, error);
  out_values = out_indices != NULL ? flow_kernel_allocate (c, 1, values->shape, error) : NULL;
  if (out_values == NULL)
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    rows[i] = i;
  g_qsort_with_data (rows, (int) n, sizeof (gint64), compare_rows, &order);
  for (gint64 i = 0; i < n; i++)
    {
      for (gint64 k = 0; k < order.rank; k++)
        FLOW_WRITABLE (gint64, out_indices)[i * order.rank + k] = order.indices[rows[i] * order.rank + k];
      _flow_copy_cell (out_values, i, values, rows[i]);
    }
  return TRUE;
}

FLOW_ONE_KERNEL (reorder, ANY_VALUES)

/* --- the table ------------------------------------------------------------------------------------------- */

static const FlowOpDef ops[] = {
  { .name = "SparseFillEmptyRows",
    .inputs = "indices: int64; values: T; dense_shape: int64; default_value: T",
    .outputs = "output_indices: int64; output_values: T; empty_row_indicator: bool; "
               "reverse_index_map: int64",
    .attrs = "T: type", .summary = "A sparse tensor whose empty rows get a default value",
    .family = FLOW_OP_FAMILY_ARRAY, .infer = fill_infer, .kernels = fill_kernels },
  { .name = "SparseFillEmptyRowsGrad", .inputs = "reverse_index_map: int64; grad_values: T",
    .outputs = "d_values: T; d_default_value: T", .attrs = "T: type",
    .summary = "Gradient of SparseFillEmptyRows", .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = fill_grad_infer, .kernels = fill_grad_kernels },
  { .name = "SparseReorder", .inputs = "input_indices: int64; input_values: T; input_shape: int64",
    .outputs = "output_indices: int64; output_values: T", .attrs = "T: type",
    .summary = "A sparse tensor in row-major order", .family = FLOW_OP_FAMILY_ARRAY,
    .infer = reorder_infer, .kernels = reorder_kernels },
  { .name = "SparseReshape", .inputs = "input_indices: int64; input_shape: int64; new_shape: int64",
    .outputs = "output_indices: int64; output_shape: int64", .attrs = "",
    .summary = "A sparse tensor under another shape", .family = FLOW_OP_FAMILY_ARRAY,
    .infer = reshape_infer, .kernels = reshape_kernels },
  { .name = "SparseTensorDenseMatMul",
    .inputs = "a_indices: Tindices; a_values: T; a_shape: int64; b: T", .outputs = "product: T",
    .attrs = "T: type; Tindices: {int32, int64} = DT_INT64; adjoint_a: bool = false; "
             "adjoint_b: bool = false",
    .summary = "Product of a sparse and a dense matrix", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = matmul_infer, .kernels = matmul_kernels },
};

FLOW_DEFINE_OP_FAMILY (sparse, ops)
