/* flow-kernels-matmul.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-blas-private.h"
#include "flow-elementwise-private.h"
#include "flow-tensor-cast.h"
#include "flow-util.h"

#include <string.h>

/* --- MatMul ------------------------------------------------------------------------------------- */

static gboolean
require_matrix (FlowInferContext  *c,
                guint              i,
                GError           **error)
{
  FlowShape *shape = flow_infer_input (c, i);
  g_autoptr (FlowShape) checked = NULL;

  if (c->running && shape->rank != 2)
    {
      g_autofree char *text = flow_shape_to_string (shape);

      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "In[%u] is not a matrix. Instead it has shape %s", i, text);
      return FALSE;
    }
  return flow_infer_with_rank (c, shape, 2, &checked, error);
}

static gint64
matrix_dim (FlowShape *shape,
            gboolean   transposed,
            int        i)
{
  return shape->rank == FLOW_RANK_UNKNOWN ? FLOW_DIM_UNKNOWN : shape->dims[transposed ? 1 - i : i];
}

static gboolean
matmul_infer (FlowInferContext  *c,
              GError           **error)
{
  FlowShape *a = flow_infer_input (c, 0);
  FlowShape *b = flow_infer_input (c, 1);
  gboolean ta = flow_infer_attr_bool (c, "transpose_a");
  gboolean tb = flow_infer_attr_bool (c, "transpose_b");
  gint64 k_a;
  gint64 k_b;
  gint64 merged;

  if (!require_matrix (c, 0, error) || !require_matrix (c, 1, error))
    return FALSE;
  k_a = matrix_dim (a, ta, 1);
  k_b = matrix_dim (b, tb, 0);
  if (c->running && k_a != k_b)
    {
      g_autofree char *text_a = flow_shape_to_string (a);
      g_autofree char *text_b = flow_shape_to_string (b);

      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "Matrix size-incompatible: In[0]: %s, In[1]: %s", text_a, text_b);
      return FALSE;
    }
  if (!flow_infer_merge_dim (c, k_a, k_b, &merged, error))
    return FALSE;
  flow_infer_take_output (c, 0, flow_shape_new_matrix (matrix_dim (a, ta, 0),
                                                       matrix_dim (b, tb, 1)));
  return TRUE;
}

/* The job that multiplies two stored matrices; the caller sets a, b, c and dtype. */
static FlowGemm
gemm_form (const FlowKernelContext *c,
           const gint64            *a_dims,
           const gint64            *b_dims,
           FlowBlasRead             read_a,
           FlowBlasRead             read_b)
{
  gboolean ta = read_a != FLOW_BLAS_PLAIN;
  gboolean tb = read_b != FLOW_BLAS_PLAIN;
  FlowGemm job = {
    .read_a = read_a,
    .read_b = read_b,
    .m = a_dims[ta ? 1 : 0],
    .k = a_dims[ta ? 0 : 1],
    .n = b_dims[tb ? 0 : 1],
    .lda = MAX (a_dims[1], 1),
    .ldb = MAX (b_dims[1], 1),
    .release = flow_kernel_release (c),
  };

  job.ldc = MAX (job.n, 1);
  return job;
}

static gboolean
matmul_compute (FlowKernelContext  *c,
                GError            **error)
{
  const FlowTensor *a = flow_kernel_input (c, 0);
  const FlowTensor *b = flow_kernel_input (c, 1);
  FlowGemm job = gemm_form (c, FLOW_DIMS (a), FLOW_DIMS (b),
                            flow_kernel_attr_bool (c, "transpose_a") ? FLOW_BLAS_TRANSPOSED
                                                                     : FLOW_BLAS_PLAIN,
                            flow_kernel_attr_bool (c, "transpose_b") ? FLOW_BLAS_TRANSPOSED
                                                                     : FLOW_BLAS_PLAIN);
  FlowTensor *product = flow_kernel_allocate_inferred (c, 0, error);

  if (product == NULL)
    return FALSE;
  job.dtype = a->dtype;
  job.cuts = a->dtype == FLOW_DTYPE_BFLOAT16;
  job.a = a->data;
  job.b = b->data;
  job.c = product->data;
  return flow_blas_gemm (&job, error);
}

static gint64
matmul_flops (FlowInferContext *c)
{
  gint64 n = flow_flops_output (c);
  gint64 k = matrix_dim (c->input_shapes[0], flow_infer_attr_bool (c, "transpose_a"), 1);
  gint64 flops;

  return n < 0 || k < 0 || !flow_mul_int64 (n, 2 * k, &flops) ? -1 : flops;
}

/* --- SparseMatMul: dense operands of float or bfloat16, the result is float --------------------- */

static FlowTensor *
as_float (FlowKernelContext  *c,
          const FlowTensor   *t,
          GError            **error)
{
  FlowTensor *copy;

  if (t->dtype == FLOW_DTYPE_FLOAT)
    return flow_tensor_ref (t);
  copy = flow_tensor_new (FLOW_DTYPE_FLOAT, t->shape, c->budget, error);
  if (copy != NULL)
    flow_to_float (t->dtype, t->data, FLOW_WRITABLE (float, copy), t->n_elements);
  return copy;
}

static gboolean
sparse_matmul_infer (FlowInferContext  *c,
                     GError           **error)
{
  if (c->running)
    for (guint i = 0; i < 2; i++)
      FLOW_REQUIRE (flow_infer_input (c, i)->rank == 2, error, INVALID_ARGUMENT, "%c is not a matrix",
                    "ab"[i]);
  if (c->running)
    {
      gint64 k_a = matrix_dim (flow_infer_input (c, 0), flow_infer_attr_bool (c, "transpose_a"), 1);
      gint64 k_b = matrix_dim (flow_infer_input (c, 1), flow_infer_attr_bool (c, "transpose_b"), 0);

      g_autofree char *text_a = flow_shape_to_string (flow_infer_input (c, 0));
      g_autofree char *text_b = flow_shape_to_string (flow_infer_input (c, 1));

      FLOW_REQUIRE (k_a == k_b, error, INVALID_ARGUMENT,
                    "Matrix size incompatible: a: %s, b: %s", text_a, text_b);
    }
  return matmul_infer (c, error);
}

static gboolean
sparse_matmul_compute (FlowKernelContext  *c,
                       GError            **error)
{
  g_autoptr (FlowTensor) a = as_float (c, flow_kernel_input (c, 0), error);
  g_autoptr (FlowTensor) b = NULL;
  FlowTensor *product;
  FlowGemm job;

  if (a == NULL || (b = as_float (c, flow_kernel_input (c, 1), error)) == NULL)
    return FALSE;
  product = flow_kernel_allocate_inferred (c, 0, error);
  if (product == NULL)
    return FALSE;
  job = gemm_form (c, FLOW_DIMS (a), FLOW_DIMS (b),
                   flow_kernel_attr_bool (c, "transpose_a") ? FLOW_BLAS_TRANSPOSED : FLOW_BLAS_PLAIN,
                   flow_kernel_attr_bool (c, "transpose_b") ? FLOW_BLAS_TRANSPOSED : FLOW_BLAS_PLAIN);
  job.dtype = FLOW_DTYPE_FLOAT;
  job.a = a->data;
  job.b = b->data;
  job.c = product->data;
  return flow_blas_gemm (&job, error);
}

/* --- BatchMatMul, BatchMatMulV2 ----------------------------------------------------------------- */

/* The kernel's own checks, which TensorFlow words otherwise than the shape function. V1 wants equal
 * batch dims, V2 broadcasts them. */
static gboolean
batch_check (FlowInferContext  *c,
             gboolean           broadcasts,
             GError           **error)
{
  FlowShape *x = flow_infer_input (c, 0);
  FlowShape *y = flow_infer_input (c, 1);
  g_autofree char *text_x = flow_shape_to_string (x);
  g_autofree char *text_y = flow_shape_to_string (y);
  gboolean adj_x = flow_infer_attr_bool (c, "adj_x");
  gboolean adj_y = flow_infer_attr_bool (c, "adj_y");
  gint64 k_x;
  gint64 k_y;

  if (broadcasts)
    {
      FLOW_REQUIRE (x->rank >= 2, error, INVALID_ARGUMENT, "In[0] ndims must be >= 2: %d", x->rank);
      FLOW_REQUIRE (y->rank >= 2, error, INVALID_ARGUMENT, "In[1] ndims must be >= 2: %d", y->rank);
    }
  else
    {
      FLOW_REQUIRE (x->rank == y->rank, error, INVALID_ARGUMENT,
                    "In[0] and In[1] has different ndims: %s vs. %s", text_x, text_y);
      FLOW_REQUIRE (x->rank >= 2, error, INVALID_ARGUMENT,
                    "In[0] and In[1] ndims must be >= 2: %d", x->rank);
      for (int i = 0; i < x->rank - 2; i++)
        FLOW_REQUIRE (x->dims[i] == y->dims[i], error, INVALID_ARGUMENT,
                      "In[0].dim(%d) and In[1].dim(%d) must be the same: %s vs %s", i, i, text_x,
                      text_y);
    }
  for (int i = 0; broadcasts && i < MIN (x->rank, y->rank) - 2; i++)
    {
      gint64 a = x->dims[x->rank - 3 - i];
      gint64 b = y->dims[y->rank - 3 - i];

      FLOW_REQUIRE (a == b || a == 1 || b == 1, error, INVALID_ARGUMENT,
                    "In[0] and In[1] must have compatible batch dimensions: %s vs. %s", text_x,
                    text_y);
    }
  k_x = x->dims[x->rank - (adj_x ? 2 : 1)];
  k_y = y->dims[y->rank - (adj_y ? 1 : 2)];
  FLOW_REQUIRE (k_x == k_y || strcmp (c->signature->name, "BatchMatMulV3") != 0, error, INVALID_ARGUMENT,
                "Matrix size-incompatible: In[0]: %s, In[1]: %s", text_x, text_y);
  FLOW_REQUIRE (k_x == k_y, error, INVALID_ARGUMENT,
                "In[0] mismatch In[1] shape: %" G_GINT64_FORMAT " vs. %" G_GINT64_FORMAT
                ": %s %s %d %d", k_x, k_y, text_x, text_y, adj_x, adj_y);
  return TRUE;
}

static gboolean
batch_infer (FlowInferContext  *c,
             gboolean           broadcasts,
             GError           **error)
{
  g_autoptr (FlowShape) x = NULL;
  g_autoptr (FlowShape) y = NULL;
  g_autoptr (FlowShape) batch_x = NULL;
  g_autoptr (FlowShape) batch_y = NULL;
  g_autoptr (FlowShape) batch = NULL;
  g_autoptr (FlowShape) matrix = NULL;
  gboolean adj_x = flow_infer_attr_bool (c, "adj_x");
  gboolean adj_y = flow_infer_attr_bool (c, "adj_y");
  FlowShape *output;
  gint64 merged;

  if (c->running && !batch_check (c, broadcasts, error))
    return FALSE;
  if (!flow_infer_with_rank_at_least (c, flow_infer_input (c, 0), 2, &x, error) ||
      !flow_infer_with_rank_at_least (c, flow_infer_input (c, 1), 2, &y, error))
    return FALSE;
  if (x->rank == FLOW_RANK_UNKNOWN || y->rank == FLOW_RANK_UNKNOWN)
    {
      flow_infer_take_output (c, 0, flow_shape_new_unknown ());
      return TRUE;
    }
  if (!flow_infer_subshape (c, x, 0, -2, &batch_x, error) ||
      !flow_infer_subshape (c, y, 0, -2, &batch_y, error) ||
      !(broadcasts ? flow_infer_broadcast (c, batch_x, batch_y, &batch, error)
                   : flow_infer_merge (c, batch_x, batch_y, &batch, error)) ||
      !flow_infer_merge_dim (c, x->dims[x->rank - (adj_x ? 2 : 1)],
                             y->dims[y->rank - (adj_y ? 1 : 2)], &merged, error))
    return FALSE;
  matrix = flow_shape_new_matrix (x->dims[x->rank - (adj_x ? 1 : 2)],
                                  y->dims[y->rank - (adj_y ? 2 : 1)]);
  if (!flow_infer_concatenate (c, batch, matrix, &output, error))
    return FALSE;
  flow_infer_take_output (c, 0, output);
  return TRUE;
}

static gboolean
batch_matmul_infer (FlowInferContext  *c,
                    GError           **error)
{
  return batch_infer (c, FALSE, error);
}

static gboolean
batch_matmul_v2_infer (FlowInferContext  *c,
                       GError           **error)
{
  return batch_infer (c, TRUE, error);
}

/* Where the matrices of an operand start, in the order of the output's batches. */
static void
fill_offsets (const FlowShape *operand,
              const FlowShape *output,
              gint64           matrix_size,
              gint64           n_batches,
              gint64          *offsets)
{
  int rank = output->rank - 2;
  gint64 strides[FLOW_SHAPE_MAX_RANK + 1];
  gint64 stride = matrix_size;

  for (int i = 0; i < rank; i++)
    {
      int at = operand->rank - 3 - i;
      gint64 d = at >= 0 ? operand->dims[at] : 1;

      strides[rank - 1 - i] = d == 1 ? 0 : stride;
      stride *= d;
    }
  for (gint64 k = 0; k < n_batches; k++)
    {
      gint64 rest = k;
      gint64 offset = 0;

      for (int i = rank - 1; i >= 0; i--)
        {
          offset += rest % output->dims[i] * strides[i];
          rest /= output->dims[i];
        }
      offsets[k] = offset;
    }
}

static gboolean
multiply_batches (FlowKernelContext  *c,
                  const FlowTensor   *x,
                  const FlowTensor   *y,
                  GError            **error)
{
  const gint64 *x_dims = FLOW_DIMS (x) + FLOW_RANK (x) - 2;
  const gint64 *y_dims = FLOW_DIMS (y) + FLOW_RANK (y) - 2;
  FlowGemm job = gemm_form (c, x_dims, y_dims,
                            flow_kernel_attr_bool (c, "adj_x") ? FLOW_BLAS_ADJOINT : FLOW_BLAS_PLAIN,
                            flow_kernel_attr_bool (c, "adj_y") ? FLOW_BLAS_ADJOINT
                                                               : FLOW_BLAS_PLAIN);
  FlowTensor *z = flow_kernel_allocate_inferred (c, 0, error);
  g_autofree gint64 *a_offsets = NULL;
  g_autofree gint64 *b_offsets = NULL;
  gint64 n_batches;

  if (z == NULL)
    return FALSE;
  if (z->n_elements == 0)
    return TRUE;
  n_batches = z->n_elements / (job.m * job.n);
  a_offsets = g_try_new (gint64, (gsize) n_batches);
  b_offsets = g_try_new (gint64, (gsize) n_batches);
  FLOW_REQUIRE (a_offsets != NULL && b_offsets != NULL, error, RESOURCE_EXHAUSTED,
                "OOM when listing %" G_GINT64_FORMAT " matrices", n_batches);
  fill_offsets (x->shape, z->shape, job.m * job.k, n_batches, a_offsets);
  fill_offsets (y->shape, z->shape, job.k * job.n, n_batches, b_offsets);
  job.dtype = x->dtype;
  job.a = x->data;
  job.b = y->data;
  job.c = z->data;
  return flow_blas_gemm_many (&job, n_batches, a_offsets, b_offsets, job.m * job.n, error);
}

static gboolean
batch_matmul_compute (FlowKernelContext  *c,
                      GError            **error)
{
  return multiply_batches (c, flow_kernel_input (c, 0), flow_kernel_input (c, 1), error);
}

/* TF 2: operands may be of another dtype than what comes out; they are widened first. */
static gboolean
batch_matmul_v3_compute (FlowKernelContext  *c,
                         GError            **error)
{
  FlowTensor *operands[2] = { flow_kernel_input (c, 0), flow_kernel_input (c, 1) };
  g_autoptr (FlowTensor) x = NULL;
  g_autoptr (FlowTensor) y = NULL;

  if ((int) operands[0]->dtype == c->output_dtypes[0] && (int) operands[1]->dtype == c->output_dtypes[0])
    return multiply_batches (c, operands[0], operands[1], error);
  x = flow_tensor_cast (operands[0], (FlowDType) c->output_dtypes[0], c->budget, error);
  y = x != NULL ? flow_tensor_cast (operands[1], (FlowDType) c->output_dtypes[0], c->budget, error) : NULL;
  return y != NULL && multiply_batches (c, x, y, error);
}

/* TF: adj_x is not looked at; the count is right for plain products alone. */
static gint64
batch_matmul_flops (FlowInferContext *c)
{
  const FlowShape *x = c->input_shapes[0];
  gint64 n = flow_flops_output (c);
  gint64 k = x->rank > 0 ? x->dims[x->rank - 1] : -1;
  gint64 flops;

  return n < 0 || k < 0 || !flow_mul_int64 (n, 2 * k, &flops) ? -1 : flops;
}

/* --- the table ---------------------------------------------------------------------------------- */

static const FlowKernelDef matmul_kernels[] = {
  { "T: bfloat16 half float double int32 int64 complex64 complex128", matmul_compute },
  { NULL },
};
static const FlowKernelDef batch_matmul_kernels[] = {
  { "T: half float double int32 int64 complex64 complex128", batch_matmul_compute },
  { NULL },
};
static const FlowKernelDef batch_matmul_v3_kernels[] = {
  { "Ta: float; Tb: float; Tout: float", batch_matmul_v3_compute },
  { "Ta: double; Tb: double; Tout: double", batch_matmul_v3_compute },
  { "Ta: int32; Tb: int32; Tout: int32", batch_matmul_v3_compute },
  { "Ta: int64; Tb: int64; Tout: int64", batch_matmul_v3_compute },
  { "Ta: complex64; Tb: complex64; Tout: complex64", batch_matmul_v3_compute },
  { "Ta: complex128; Tb: complex128; Tout: complex128", batch_matmul_v3_compute },
  { "Ta: int8 uint8; Tb: int8 uint8; Tout: int32", batch_matmul_v3_compute },
  { NULL },
};
static const FlowKernelDef sparse_matmul_kernels[] = {
  { "Ta: float bfloat16; Tb: float bfloat16", sparse_matmul_compute },
  { NULL },
};

#define TYPES "{bfloat16, half, float, double, int32, int64, complex64, complex128}"
#define TYPES_V3 "{bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128}"

static const FlowOpDef ops[] = {
  { .name = "BatchMatMul", .inputs = "x: T; y: T", .outputs = "output: T",
    .attrs = "T: " TYPES "; adj_x: bool = false; adj_y: bool = false",
    .summary = "Matrix products over equal batch dimensions", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = batch_matmul_infer, .kernels = batch_matmul_kernels, .flops = batch_matmul_flops },
  { .name = "BatchMatMulV2", .inputs = "x: T; y: T", .outputs = "output: T",
    .attrs = "T: " TYPES "; adj_x: bool = false; adj_y: bool = false",
    .summary = "Matrix products, batch dimensions broadcast", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = batch_matmul_v2_infer, .kernels = batch_matmul_kernels },
  { .name = "BatchMatMulV3", .inputs = "x: Ta; y: Tb", .outputs = "output: Tout",
    .attrs = "Ta: " TYPES_V3 "; Tb: " TYPES_V3 "; Tout: {bfloat16, half, float, double, int16, int32, int64, complex64, "
             "complex128}; adj_x: bool = false; adj_y: bool = false",
    .summary = "Matrix products, batch dimensions broadcast, of operands of several dtypes", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = batch_matmul_v2_infer, .kernels = batch_matmul_v3_kernels },
  { .name = "MatMul", .inputs = "a: T; b: T", .outputs = "product: T",
    .attrs = "transpose_a: bool = false; transpose_b: bool = false; T: " TYPES,
    .summary = "Matrix product", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = matmul_infer, .kernels = matmul_kernels, .flops = matmul_flops },
  { .name = "SparseMatMul", .inputs = "a: Ta; b: Tb", .outputs = "product: float",
    .attrs = "transpose_a: bool = false; transpose_b: bool = false; a_is_sparse: bool = false; "
             "b_is_sparse: bool = false; Ta: {float, bfloat16} = DT_FLOAT; "
             "Tb: {float, bfloat16} = DT_FLOAT",
    .summary = "Matrix product for operands with many zeros", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = sparse_matmul_infer, .kernels = sparse_matmul_kernels },
};

FLOW_DEFINE_OP_FAMILY (matmul, ops)
