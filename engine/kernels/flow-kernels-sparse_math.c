/* flow-kernels-sparse_math.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-nn-private.h"
#include "flow-sparse-private.h"

#include <complex.h>
#include <math.h>
#include <string.h>

/* Arithmetic on sparse tensors: sums, products with a dense side, reductions, softmax. */

/* --- A sparse and a dense side ----------------------------------------------------------------------- */

typedef enum {
  CWISE_ADD,
  CWISE_MUL,
  CWISE_DIV,
} Cwise;

static gboolean
infer_values (FlowInferContext  *c,
              GError           **error)
{
  g_autoptr (FlowShape) indices = NULL;

  if (c->running && flow_infer_input (c, 0)->rank != 2)
    {
      g_autofree char *text = flow_shape_to_string (flow_infer_input (c, 0));

      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "Input sp_indices should be a matrix but received shape: %s", text);
      return FALSE;
    }
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 2, &indices, error))
    return FALSE;
  flow_infer_take_output (c, 0, flow_shape_new_vector (flow_shape_get_dim (indices, 0)));
  return TRUE;
}

/* The three inputs of a sparse side whose rank TensorFlow's shape function knows. */
static gboolean
check_vectors (FlowKernelContext  *c,
               GError            **error)
{
  if (!flow_is_vector (flow_kernel_input (c, 1)) || !flow_is_vector (flow_kernel_input (c, 2)))
    return _flow_refuse_shapes (error, flow_kernel_input (c, 1), flow_kernel_input (c, 2),
                                "Inputs sp_values and sp_shape should be vectors but received shapes: %s and %s");
  return TRUE;
}

/* Only the dense side may be broadcast; @strides say how its cells follow the sparse dimensions. Of a dimension without
 * cells TF makes one without, whichever side has it. */
static gboolean
broadcast_dense (const FlowTensor  *shape,
                 const FlowTensor  *dense,
                 gint64            *strides,
                 GError           **error)
{
  gint64 stride = 1;
  int rank = (int) shape->n_elements;
  gboolean fits = FLOW_RANK (dense) <= rank;

  for (int d = 0; d < rank; d++)
    strides[d] = 0;
  for (int k = FLOW_RANK (dense) - 1; k >= 0 && fits; k--)
    {
      int d = k + rank - FLOW_RANK (dense);

      fits = FLOW_DIMS (dense)[k] == FLOW_DATA (gint64, shape)[d]
             || (FLOW_DIMS (dense)[k] == 1 && FLOW_DATA (gint64, shape)[d] > 0)
             || (FLOW_DIMS (dense)[k] == 0 && FLOW_DATA (gint64, shape)[d] == 1);
      strides[d] = FLOW_DIMS (dense)[k] == 1 ? 0 : stride;
      stride *= FLOW_DIMS (dense)[k];
    }
  if (!fits)
    {
      g_autofree char *sparse_text = _flow_sparse_spell (rank, FLOW_DATA (gint64, shape));
      g_autofree char *dense_text = flow_shape_to_string (dense->shape);

      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "SparseDenseBinaryOpShared broadcasts dense to sparse only; got incompatible shapes: %s vs. %s",
                   sparse_text, dense_text);
    }
  return fits;
}

static gboolean
cwise (FlowKernelContext  *c,
       Cwise               op,
       GError            **error)
{
  FlowTensor *shape = flow_kernel_input (c, 2);
  FlowTensor *dense = flow_kernel_input (c, 3);
  gboolean is_int = flow_dtype_is_integer (dense->dtype);
  gint64 strides[FLOW_SHAPE_MAX_RANK];
  FlowSparse sparse;
  FlowTensor *out;

  if (!check_vectors (c, error))
    return FALSE;
  if (shape->n_elements > FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "Too many dimensions in tensor");
  if (!_flow_sparse_check_dims (shape, error) || !broadcast_dense (shape, dense, strides, error))
    return FALSE;
  if (shape->n_elements < 1 || shape->n_elements > 5)
    return _flow_refuse (error, "Only tensors with ranks between 1 and 5 are currently supported.  Tensor rank: %d",
                         (int) shape->n_elements);
  if (!_flow_sparse_make (flow_kernel_input (c, 0), flow_kernel_input (c, 1), shape, &sparse, error))
    return FALSE;
  if ((sparse.n > 0 && dense->n_elements == 0) || !_flow_sparse_check_bounds (&sparse, NULL, NULL))
    return _flow_refuse (error, "Provided indices are out-of-bounds w.r.t. dense side with broadcasted shape");
  if ((out = flow_kernel_allocate_inferred (c, 0, error)) == NULL)
    return FALSE;
  for (gint64 i = 0; i < sparse.n; i++)
    {
      gint64 at = 0;

      for (int d = 0; d < sparse.rank; d++)
        at += sparse.indices[i * sparse.rank + d] * strides[d];
      if (is_int)
        {
          gint64 a = flow_tensor_get_int (sparse.values, i);
          gint64 b = flow_tensor_get_int (dense, at);

          FLOW_REQUIRE (op != CWISE_DIV || b != 0, error, INVALID_ARGUMENT, "Integer division by zero");
          _flow_put_int (out, i, op == CWISE_ADD ? (gint64) ((guint64) a + (guint64) b) :
                   op == CWISE_MUL ? (gint64) ((guint64) a * (guint64) b) :
                   b == -1 ? (gint64) (0 - (guint64) a) : a / b);
        }
      else
        {
          double a = flow_tensor_get_double (sparse.values, i);
          double b = flow_tensor_get_double (dense, at);

          _flow_put_double (out, i, op == CWISE_ADD ? a + b : op == CWISE_MUL ? a * b : a / b);
        }
    }
  return TRUE;
}

static gboolean
cwise_add_compute (FlowKernelContext  *c,
                   GError            **error)
{
  return cwise (c, CWISE_ADD, error);
}

static gboolean
cwise_div_compute (FlowKernelContext  *c,
                   GError            **error)
{
  return cwise (c, CWISE_DIV, error);
}

static gboolean
cwise_mul_compute (FlowKernelContext  *c,
                   GError            **error)
{
  return cwise (c, CWISE_MUL, error);
}

/* --- SparseAdd --------------------------------------------------------------------------------------- */

static gboolean
infer_sparse (FlowInferContext  *c,
              GError           **error)
{
  g_autoptr (FlowShape) shape = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 2), 1, &shape, error))
    return FALSE;
  flow_infer_take_output (c, 0, flow_shape_new_matrix (FLOW_DIM_UNKNOWN, flow_shape_get_dim (shape, 0)));
  flow_infer_take_output (c, 1, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  flow_infer_take_output (c, 2, g_steal_pointer (&shape));
  return TRUE;
}

static gboolean
reaches (FlowTensor *tensor,
         gint64      i,
         double      threshold)
{
  if (tensor->dtype == FLOW_DTYPE_COMPLEX64)
    return cabsf (FLOW_DATA (complex float, tensor)[i]) >= threshold;
  if (tensor->dtype == FLOW_DTYPE_COMPLEX128)
    return cabs (FLOW_DATA (complex double, tensor)[i]) >= threshold;
  return fabs (flow_tensor_get_double (tensor, i)) >= threshold;
}

/* TF: takes the threshold's bytes for a number of the kind that T's absolute values are, whatever Treal says. */
static double
read_threshold (const FlowTensor *threshold,
                int               dtype)
{
  g_autoptr (FlowTensor) cell = NULL;
  g_autoptr (FlowShape) scalar = flow_shape_new_scalar ();

  if (flow_dtype_is_complex (dtype) || flow_dtype_size (threshold->dtype) < flow_dtype_size (dtype))
    return flow_tensor_get_double (threshold, 0);
  cell = flow_tensor_new (dtype, scalar, NULL, NULL);
  memcpy (cell->data, threshold->data, flow_dtype_size (dtype));
  return flow_tensor_get_double (cell, 0);
}

static gboolean
add_compute (FlowKernelContext  *c,
             GError            **error)
{
  FlowTensor *threshold = flow_kernel_input (c, 6);
  double limit;
  FlowSparse a;
  FlowSparse b;
  g_autoptr (FlowShape) all_shape = NULL;
  g_autoptr (FlowTensor) sums = NULL;
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (FlowShape) values_shape = NULL;
  g_autoptr (FlowShape) indices_shape = NULL;
  FlowTensor *indices;
  FlowTensor *values;
  gint64 i = 0;
  gint64 j = 0;
  gint64 n = 0;

  if (!_flow_sparse_read_pair (c, TRUE, &a, &b, error))
    return FALSE;
  if (FLOW_RANK (threshold) != 0)
    return _flow_refuse_shapes (error, threshold, NULL, "The magnitude threshold must be a scalar: got shape %s");
  limit = read_threshold (threshold, a.values->dtype);
  all_shape = flow_shape_new_vector (a.n + b.n);
  if ((sums = flow_tensor_new_zeros (a.values->dtype, all_shape, c->budget, error)) == NULL)
    return FALSE;
  while (i < a.n || j < b.n)
    {
      int which = _flow_sparse_next (&a, i, &b, j);
      gint64 from = which <= 0 ? i : -1 - j;

      if (which <= 0)
        _flow_add_cell (sums, n, a.values, i++);
      if (which >= 0)
        _flow_add_cell (sums, n, b.values, j++);
      /* TF: what stands on one side alone is kept however small it is. */
      if (which != 0 || reaches (sums, n, limit))
        {
          g_array_append_val (order, from);
          n++;
        }
      else
        memset ((char *) sums->data + (gsize) n * flow_dtype_size (sums->dtype), 0, flow_dtype_size (sums->dtype));
    }
  indices_shape = flow_shape_new_matrix (n, a.rank);
  values_shape = flow_shape_new_vector (n);
  if ((indices = flow_kernel_allocate (c, 0, indices_shape, error)) == NULL ||
      (values = flow_kernel_allocate (c, 1, values_shape, error)) == NULL)
    return FALSE;
  if (n > 0)
    memcpy (values->data, sums->data, values->n_bytes);
  for (gint64 k = 0; k < n; k++)
    {
      gint64 from = g_array_index (order, gint64, k);
      const gint64 *row = from >= 0 ? a.indices + from * a.rank : b.indices + (-1 - from) * b.rank;

      if (a.rank > 0)
        memcpy (FLOW_WRITABLE (gint64, indices) + k * a.rank, row, (gsize) a.rank * sizeof (gint64));
    }
  flow_kernel_set_output (c, 2, a.shape);
  return TRUE;
}

/* --- SparseReduceSum --------------------------------------------------------------------------------- */

static gboolean
reduce_compute (FlowKernelContext  *c,
                GError            **error)
{
  gboolean keep = flow_kernel_attr_bool (c, "keep_dims");
  gboolean reduced[FLOW_SHAPE_MAX_RANK];
  gint64 strides[FLOW_SHAPE_MAX_RANK];
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  int n_dims = 0;
  gint64 stride = 1;
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (FlowTensor) out = NULL;
  FlowSparse sparse;

  if (!_flow_sparse_read_reduced (c, &sparse, reduced, error) || !_flow_sparse_check_bounds (&sparse, reduced, error))
    return FALSE;
  for (int d = 0; d < sparse.rank; d++)
    if (keep || !reduced[d])
      dims[n_dims++] = reduced[d] ? 1 : sparse.dims[d];
  shape = flow_shape_new (n_dims, dims);
  if ((out = flow_tensor_new_zeros (sparse.values->dtype, shape, c->budget, error)) == NULL)
    return FALSE;
  for (int d = sparse.rank - 1; d >= 0; d--)
    {
      strides[d] = reduced[d] ? 0 : stride;
      stride *= reduced[d] ? 1 : MAX (sparse.dims[d], 1);
    }
  for (gint64 i = 0; i < sparse.n; i++)
    {
      gint64 at = 0;

      for (int d = 0; d < sparse.rank; d++)
        at += sparse.indices[i * sparse.rank + d] * strides[d];
      _flow_add_cell (out, at, sparse.values, i);
    }
  flow_kernel_take_output (c, 0, g_steal_pointer (&out));
  return TRUE;
}

/* --- SparseSoftmax ----------------------------------------------------------------------------------- */

static int
compare_rows (gconstpointer a,
              gconstpointer b,
              gpointer      data)
{
  const FlowSparse *sparse = data;

  return _flow_compare_indices (sparse->indices + *(const gint64 *) a * sparse->rank,
                                sparse->indices + *(const gint64 *) b * sparse->rank, sparse->rank);
}

static gboolean
softmax_compute (FlowKernelContext  *c,
                 GError            **error)
{
  FlowTensor *shape = flow_kernel_input (c, 2);
  g_autofree gint64 *order = NULL;
  FlowSparse sparse;
  FlowTensor *out;

  if (!check_vectors (c, error))
    return FALSE;
  if (shape->n_elements < 2)
    {
      g_autofree char *text = shape->n_elements > 0 ? g_strdup_printf ("%" G_GINT64_FORMAT, FLOW_DATA (gint64, shape)[0])
                                                    : g_strdup ("");

      return _flow_refuse (error, "Input should have rank >= 2, but received shape: %s", text);
    }
  if (!_flow_sparse_check_dims (shape, error)
      || !_flow_sparse_make (flow_kernel_input (c, 0), flow_kernel_input (c, 1), shape, &sparse, error))
    return FALSE;
  if ((out = flow_kernel_allocate_inferred (c, 0, error)) == NULL)
    return FALSE;
  order = g_try_new (gint64, (gsize) MAX (sparse.n, 1));
  FLOW_REQUIRE (order != NULL && sparse.n <= G_MAXINT, error, RESOURCE_EXHAUSTED, "OOM when sorting a sparse tensor");
  for (gint64 i = 0; i < sparse.n; i++)
    order[i] = i;
  /* TF: sorts the indices, and leaves the results in that order. */
  g_qsort_with_data (order, (int) sparse.n, sizeof (gint64), compare_rows, &sparse);
  for (gint64 begin = 0, end; begin < sparse.n; begin = end)
    {
      const gint64 *first = sparse.indices + order[begin] * sparse.rank;
      double max = -INFINITY;
      double sum = 0;

      /* A group is what has all indices but the last in common. */
      for (end = begin; end < sparse.n
           && _flow_compare_indices (first, sparse.indices + order[end] * sparse.rank, sparse.rank - 1) == 0; end++)
        max = MAX (max, flow_tensor_get_double (sparse.values, order[end]));
      for (gint64 i = begin; i < end; i++)
        sum += exp (flow_tensor_get_double (sparse.values, order[i]) - max);
      for (gint64 i = begin; i < end; i++)
        _flow_put_double (out, i, exp (flow_tensor_get_double (sparse.values, order[i]) - max) / sum);
    }
  return TRUE;
}

#define REALS "T: bfloat16 double float half int16 int32 int64 int8 uint16 uint8"

static const FlowKernelDef add_kernels[] = { { "T: complex128 complex64 double float int16 int32 int64 int8", add_compute }, { NULL } };
static const FlowKernelDef cwise_add_kernels[] = { { REALS, cwise_add_compute }, { NULL } };
static const FlowKernelDef cwise_div_kernels[] = { { REALS, cwise_div_compute }, { NULL } };
static const FlowKernelDef cwise_mul_kernels[] = { { REALS, cwise_mul_compute }, { NULL } };
static const FlowKernelDef reduce_kernels[] = { { REALS " complex128 complex64", reduce_compute }, { NULL } };
static const FlowKernelDef softmax_kernels[] = { { "T: double float", softmax_compute }, { NULL } };

#define CWISE_OP(op_name, kernel, text)                                                       \
  { .name = op_name, .inputs = "sp_indices: int64; sp_values: T; sp_shape: int64; dense: T",  \
    .outputs = "output: T", .attrs = "T: " FLOW_NUMBER_TYPES, .summary = text,                \
    .family = FLOW_OP_FAMILY_MATH, .infer = infer_values, .kernels = kernel }

static const FlowOpDef ops[] = {
  {
    .name = "SparseAdd",
    .inputs = "a_indices: int64; a_values: T; a_shape: int64; b_indices: int64; b_values: T; b_shape: int64; "
              "thresh: Treal",
    .outputs = "sum_indices: int64; sum_values: T; sum_shape: int64",
    .attrs = "T: " FLOW_NUMBER_TYPES "; Treal: " FLOW_REAL_TYPES,
    .summary = "Sum of two sparse tensors",
    .family = FLOW_OP_FAMILY_MATH,
    .infer = infer_sparse,
    .kernels = add_kernels,
  },
  CWISE_OP ("SparseDenseCwiseAdd", cwise_add_kernels, "Adds a dense tensor at the places of a sparse one"),
  CWISE_OP ("SparseDenseCwiseDiv", cwise_div_kernels, "Divides a sparse tensor by a dense one"),
  CWISE_OP ("SparseDenseCwiseMul", cwise_mul_kernels, "Multiplies a sparse tensor by a dense one"),
  {
    .name = "SparseReduceSum",
    .inputs = "input_indices: int64; input_values: T; input_shape: int64; reduction_axes: int32",
    .outputs = "output: T",
    .attrs = "keep_dims: bool = false; T: " FLOW_NUMBER_TYPES,
    .summary = "Sums of a sparse tensor along axes, as a dense one",
    .family = FLOW_OP_FAMILY_MATH,
    .infer = _flow_sparse_infer_reduced,
    .kernels = reduce_kernels,
  },
  {
    .name = "SparseSoftmax",
    .inputs = "sp_indices: int64; sp_values: T; sp_shape: int64",
    .outputs = "output: T",
    .attrs = "T: {float, double}",
    .summary = "Softmax over what is present of each row",
    .family = FLOW_OP_FAMILY_MATH,
    .infer = infer_values,
    .kernels = softmax_kernels,
  },
};

FLOW_DEFINE_OP_FAMILY (sparse_math, ops)
