/* flow-kernels-sparse_math.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-nn-private.h"

#include <complex.h>
#include <math.h>
#include <string.h>

/* Arithmetic on sparse tensors: sums, products with a dense side, reductions, softmax. */

/* A sparse tensor of three inputs, checked: every index lies within the shape. */
typedef struct {
  gint64 n;
  int rank;
  const gint64 *indices;
  FlowTensor *values;
  const gint64 *dims;
  FlowTensor *shape;
} Sparse;

static gboolean
read_sparse (FlowKernelContext  *c,
             guint               first,
             Sparse             *out,
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
  *out = (Sparse) {
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

static int
compare_indices (const gint64 *a,
                 const gint64 *b,
                 int           rank)
{
  for (int d = 0; d < rank; d++)
    if (a[d] != b[d])
      return a[d] < b[d] ? -1 : 1;
  return 0;
}

/* Numbers of any dtype: integers exactly (modulo 2^64), the rest in double. */
static void
put_double (FlowTensor *tensor,
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

static void
put_int (FlowTensor *tensor,
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

static void
add_to (FlowTensor *out,
        gint64      i,
        FlowTensor *from,
        gint64      j)
{
  if (out->dtype == FLOW_DTYPE_COMPLEX64)
    FLOW_WRITABLE (float _Complex, out)[i] += FLOW_DATA (float _Complex, from)[j];
  else if (out->dtype == FLOW_DTYPE_COMPLEX128)
    FLOW_WRITABLE (double _Complex, out)[i] += FLOW_DATA (double _Complex, from)[j];
  else if (flow_dtype_is_integer (out->dtype))
    put_int (out, i, (gint64) ((guint64) flow_tensor_get_int (out, i) + (guint64) flow_tensor_get_int (from, j)));
  else
    put_double (out, i, flow_tensor_get_double (out, i) + flow_tensor_get_double (from, j));
}

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

/* Only the dense side may be broadcast; @strides say how its cells follow the sparse dimensions. */
static gboolean
broadcast_dense (const Sparse      *sparse,
                 const FlowTensor  *dense,
                 gint64            *strides,
                 GError           **error)
{
  gint64 stride = 1;
  gboolean fits = FLOW_RANK (dense) <= sparse->rank;

  for (int d = 0; d < sparse->rank; d++)
    strides[d] = 0;
  for (int k = FLOW_RANK (dense) - 1; k >= 0 && fits; k--)
    {
      int d = k + sparse->rank - FLOW_RANK (dense);

      fits = FLOW_DIMS (dense)[k] == sparse->dims[d] || FLOW_DIMS (dense)[k] == 1;
      strides[d] = FLOW_DIMS (dense)[k] == 1 ? 0 : stride;
      stride *= FLOW_DIMS (dense)[k];
    }
  if (!fits)
    {
      g_autofree char *sparse_text = flow_dims_to_string (sparse->rank, sparse->dims);
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
  FlowTensor *dense = flow_kernel_input (c, 3);
  gboolean is_int = flow_dtype_is_integer (dense->dtype);
  gint64 strides[FLOW_SHAPE_MAX_RANK];
  Sparse sparse;
  FlowTensor *out;

  if (!read_sparse (c, 0, &sparse, error) || !broadcast_dense (&sparse, dense, strides, error))
    return FALSE;
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
          put_int (out, i, op == CWISE_ADD ? (gint64) ((guint64) a + (guint64) b) :
                   op == CWISE_MUL ? (gint64) ((guint64) a * (guint64) b) :
                   b == -1 ? (gint64) (0 - (guint64) a) : a / b);
        }
      else
        {
          double a = flow_tensor_get_double (sparse.values, i);
          double b = flow_tensor_get_double (dense, at);

          put_double (out, i, op == CWISE_ADD ? a + b : op == CWISE_MUL ? a * b : a / b);
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
  /* TF 1.15 keeps complex sums whatever the threshold. */
  if (flow_dtype_is_complex (tensor->dtype))
    return TRUE;
  return fabs (flow_tensor_get_double (tensor, i)) >= threshold;
}

/* One step of a merge: which of the two comes next, -1 a, 1 b, 0 both. */
static int
next_of (const Sparse *a,
         gint64        i,
         const Sparse *b,
         gint64        j)
{
  if (i == a->n)
    return 1;
  if (j == b->n)
    return -1;
  return compare_indices (a->indices + i * a->rank, b->indices + j * b->rank, a->rank);
}

static gboolean
add_compute (FlowKernelContext  *c,
             GError            **error)
{
  FlowTensor *threshold = flow_kernel_input (c, 6);
  Sparse a;
  Sparse b;
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

  if (!read_sparse (c, 0, &a, error) || !read_sparse (c, 3, &b, error))
    return FALSE;
  FLOW_REQUIRE (FLOW_RANK (threshold) == 0, error, INVALID_ARGUMENT, "The magnitude threshold must be a scalar");
  FLOW_REQUIRE (a.rank == b.rank, error, INVALID_ARGUMENT,
                "Operands do not have the same ranks; got shapes of rank %d and %d", a.rank, b.rank);
  for (int d = 0; d < a.rank; d++)
    FLOW_REQUIRE (a.dims[d] == b.dims[d], error, INVALID_ARGUMENT,
                  "Operands' shapes do not match: got %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT " for dimension %d",
                  a.dims[d], b.dims[d], d);
  all_shape = flow_shape_new_vector (a.n + b.n);
  if ((sums = flow_tensor_new_zeros (a.values->dtype, all_shape, c->budget, error)) == NULL)
    return FALSE;
  while (i < a.n || j < b.n)
    {
      int which = next_of (&a, i, &b, j);
      gint64 from = which <= 0 ? i : -1 - j;

      if (which <= 0)
        add_to (sums, n, a.values, i++);
      if (which >= 0)
        add_to (sums, n, b.values, j++);
      if (reaches (sums, n, flow_tensor_get_double (threshold, 0)))
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
infer_unknown (FlowInferContext  *c,
               GError           **error)
{
  flow_infer_take_output (c, 0, flow_shape_new_unknown ());
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
  Sparse sparse;

  if (!read_sparse (c, 0, &sparse, error) || !read_axes (flow_kernel_input (c, 3), sparse.rank, reduced, error))
    return FALSE;
  for (int d = 0; d < sparse.rank; d++)
    {
      FLOW_REQUIRE (sparse.dims[d] >= 0, error, INVALID_ARGUMENT, "Dimension %" G_GINT64_FORMAT " must be >= 0",
                    sparse.dims[d]);
      if (keep || !reduced[d])
        dims[n_dims++] = reduced[d] ? 1 : sparse.dims[d];
    }
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
      add_to (out, at, sparse.values, i);
    }
  flow_kernel_take_output (c, 0, g_steal_pointer (&out));
  return TRUE;
}

/* --- SparseSoftmax ----------------------------------------------------------------------------------- */

static gboolean
softmax_compute (FlowKernelContext  *c,
                 GError            **error)
{
  Sparse sparse;
  FlowTensor *out;

  if (!read_sparse (c, 0, &sparse, error))
    return FALSE;
  FLOW_REQUIRE (sparse.rank >= 2, error, INVALID_ARGUMENT, "Input should have rank >= 2, but received rank %d",
                sparse.rank);
  if ((out = flow_kernel_allocate_inferred (c, 0, error)) == NULL)
    return FALSE;
  /* A group is what has all indices but the last in common; the indices are sorted. */
  for (gint64 begin = 0, end; begin < sparse.n; begin = end)
    {
      double max = -INFINITY;
      double sum = 0;

      for (end = begin; end < sparse.n && compare_indices (sparse.indices + begin * sparse.rank,
                                                           sparse.indices + end * sparse.rank, sparse.rank - 1) == 0;
           end++)
        max = MAX (max, flow_tensor_get_double (sparse.values, end));
      for (gint64 i = begin; i < end; i++)
        sum += exp (flow_tensor_get_double (sparse.values, i) - max);
      for (gint64 i = begin; i < end; i++)
        put_double (out, i, exp (flow_tensor_get_double (sparse.values, i) - max) / sum);
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
    .infer = infer_unknown,
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
