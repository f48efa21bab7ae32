/* flow-kernels-factorization.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What factorizes a matrix of which few cells are known: normal equations of weighted least squares, row by row,
 * and a product of matrices where a mask asks for it.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- WALSComputePartialLhsAndRhs ------------------------------------------------------------------------------ */

enum { FACTORS, FACTOR_WEIGHTS, UNOBSERVED, INPUT_WEIGHTS, INDICES, VALUES, ENTRY_WEIGHTS, BLOCK_SIZE, IS_TRANSPOSE };

typedef struct {
  const float *factors;
  gint64 n_factors;
  gint64 n_dims;
  const float *factor_weights;
  const float *input_weights;
  const float *entry_weights;  /* nullable: products of the two others */
  const gint64 *indices;
  const float *values;
  float unobserved;
  guint row_column;            /* which of an entry's indices is its row's */
  gint64 *order;               /* entries by row */
  gint64 n;
  gint64 *starts;              /* of each row that has entries, in @order; one more for the end */
  gint64 n_rows;
  float *lhs;
  float *rhs;
} Equations;

static void
equations_clear (Equations *self)
{
  g_free (self->order);
  g_free (self->starts);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Equations, equations_clear)

static gboolean
check_inputs (FlowKernelContext  *c,
              GError            **error)
{
  static const struct { guint input; int rank; const char *words; } wanted[] = {
    { FACTORS, 2, "Input factors should be a matrix." },
    { FACTOR_WEIGHTS, 1, "Input factor_weights should be a vector." },
    { UNOBSERVED, 0, "Input unobserved_weights should be a scalar." },
    { INPUT_WEIGHTS, 1, "Input input_weights should be a vector." },
    { INDICES, 2, "Input input_indices should be a matrix." },
  };
  static const struct { guint input; int rank; const char *words; } rest[] = {
    { VALUES, 1, "Input input_values should be a vector" },
    { ENTRY_WEIGHTS, 1, "Input entry_weights should be a vector" },
  };
  const gint64 n = FLOW_RANK (flow_kernel_input (c, INDICES)) > 0 ? FLOW_DIMS (flow_kernel_input (c, INDICES))[0] : 0;

  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    FLOW_REQUIRE (FLOW_RANK (flow_kernel_input (c, wanted[i].input)) == wanted[i].rank, error, INVALID_ARGUMENT, "%s",
                  wanted[i].words);
  FLOW_REQUIRE (FLOW_DIMS (flow_kernel_input (c, INDICES))[1] == 2, error, INVALID_ARGUMENT,
                "Input input_indices should have shape (?, 2).");
  for (guint i = 0; i < G_N_ELEMENTS (rest); i++)
    FLOW_REQUIRE (FLOW_RANK (flow_kernel_input (c, rest[i].input)) == rest[i].rank, error, INVALID_ARGUMENT, "%s",
                  rest[i].words);
  FLOW_REQUIRE (flow_kernel_input (c, VALUES)->n_elements == n, error, INVALID_ARGUMENT,
                "Input input_values' length should match the first dimension of Input input_indices ");
  FLOW_REQUIRE (flow_is_scalar (flow_kernel_input (c, BLOCK_SIZE)), error, INVALID_ARGUMENT,
                "Input input_block_size should be a scalar.");
  FLOW_REQUIRE (flow_is_scalar (flow_kernel_input (c, IS_TRANSPOSE)), error, INVALID_ARGUMENT,
                "Input input_is_transpose should be a scalar.");
  return TRUE;
}

/* Weights are of entries, or of rows and columns. */
static gboolean
read_weights (FlowKernelContext  *c,
              Equations          *self,
              GError            **error)
{
  const FlowTensor *inputs = flow_kernel_input (c, INPUT_WEIGHTS);
  const FlowTensor *factors = flow_kernel_input (c, FACTOR_WEIGHTS);
  const FlowTensor *entries = flow_kernel_input (c, ENTRY_WEIGHTS);
  const gboolean by_line = inputs->n_elements > 0 && factors->n_elements == self->n_factors && entries->n_elements == 0;
  const gboolean by_entry = inputs->n_elements == 0 && factors->n_elements == 0 && entries->n_elements == self->n;

  FLOW_REQUIRE (by_line || by_entry, error, INVALID_ARGUMENT,
                "To specify the weights for observed entries, either (1) entry_weights must be set or (2) input_weights "
                "and factor_weights must be set, but not both.");
  self->factor_weights = factors->data;
  self->input_weights = inputs->data;
  self->entry_weights = entries->n_elements > 0 ? entries->data : NULL;
  return TRUE;
}

static gint64
row_of (const Equations *self,
        gint64           entry)
{
  return self->indices[2 * entry + self->row_column];
}

static gint64
factor_of (const Equations *self,
           gint64           entry)
{
  return self->indices[2 * entry + 1 - self->row_column];
}

static float
weight_of (const Equations *self,
           gint64           entry)
{
  return self->entry_weights != NULL ? self->entry_weights[entry]
                                     : self->input_weights[row_of (self, entry)]
                                       * self->factor_weights[factor_of (self, entry)];
}

/* TF: trusts the indices, and ends at a negative weight. */
static gboolean
check_entries (FlowKernelContext  *c,
               const Equations    *self,
               gint64              n_rows,
               GError            **error)
{
  const gint64 n_weights = self->entry_weights != NULL || self->n == 0 ? n_rows : flow_kernel_input (c, INPUT_WEIGHTS)->n_elements;

  for (gint64 i = 0; i < self->n; i++)
    {
      const gint64 row = row_of (self, i);
      const gint64 factor = factor_of (self, i);

      FLOW_REQUIRE (row >= 0 && row < MIN (n_rows, n_weights), error, INVALID_ARGUMENT,
                    "input_indices[%" G_GINT64_FORMAT "] has row %" G_GINT64_FORMAT ", which is not in [0, %"
                    G_GINT64_FORMAT ")", i, row, MIN (n_rows, n_weights));
      FLOW_REQUIRE (factor >= 0 && factor < self->n_factors, error, INVALID_ARGUMENT,
                    "input_indices[%" G_GINT64_FORMAT "] has factor %" G_GINT64_FORMAT ", which is not in [0, %"
                    G_GINT64_FORMAT ")", i, factor, self->n_factors);
      FLOW_REQUIRE (weight_of (self, i) >= 0, error, INVALID_ARGUMENT,
                    "The weight of entry %" G_GINT64_FORMAT " is negative", i);
    }
  return TRUE;
}

static int
compare_rows (gconstpointer a,
              gconstpointer b,
              gpointer      data)
{
  const gint64 i = *(const gint64 *) a;
  const gint64 k = *(const gint64 *) b;
  const gint64 x = row_of (data, i);
  const gint64 y = row_of (data, k);

  if (x != y)
    return x < y ? -1 : 1;
  return i < k ? -1 : i > k;
}

static gboolean
order_entries (Equations  *self,
               GError    **error)
{
  self->order = g_try_new (gint64, (gsize) self->n + 1);
  self->starts = g_try_new (gint64, (gsize) self->n + 1);
  FLOW_REQUIRE (self->order != NULL && self->starts != NULL, error, RESOURCE_EXHAUSTED, "OOM when ordering entries");
  for (gint64 i = 0; i < self->n; i++)
    self->order[i] = i;
  qsort_r (self->order, (gsize) self->n, sizeof (gint64), compare_rows, self);
  for (gint64 i = 0; i < self->n; i++)
    if (i == 0 || row_of (self, self->order[i]) != row_of (self, self->order[i - 1]))
      self->starts[self->n_rows++] = i;
  self->starts[self->n_rows] = self->n;
  return TRUE;
}

/* The left side is the sum of w f f', the right one that of (w0 + w) v f. */
static void
sum_rows (gint64   begin,
          gint64   end,
          gpointer data)
{
  const Equations *self = data;
  const gint64 d = self->n_dims;

  for (gint64 r = begin; r < end; r++)
    {
      const gint64 row = row_of (self, self->order[self->starts[r]]);
      float *lhs = self->lhs + row * d * d;
      float *rhs = self->rhs + row * d;

      for (gint64 p = self->starts[r]; p < self->starts[r + 1]; p++)
        {
          const gint64 entry = self->order[p];
          const float *factor = self->factors + factor_of (self, entry) * d;
          const float weight = weight_of (self, entry);
          const float value = self->values[entry] * (self->unobserved + weight);
          const float root = sqrtf (weight);

          for (gint64 i = 0; i < d; i++)
            {
              const float scaled = factor[i] * root;

              for (gint64 k = 0; k <= i; k++)
                lhs[i * d + k] += scaled * (factor[k] * root);
              rhs[i] += value * factor[i];
            }
        }
      for (gint64 i = 0; i < d; i++)
        for (gint64 k = i + 1; k < d; k++)
          lhs[i * d + k] = lhs[k * d + i];
    }
}

static gboolean
wals_compute (FlowKernelContext  *c,
              GError            **error)
{
  g_auto (Equations) self = { 0 };
  const FlowTensor *factors = flow_kernel_input (c, FACTORS);
  gint64 n_rows;
  FlowTensor *lhs;
  FlowTensor *rhs;

  if (!check_inputs (c, error))
    return FALSE;
  self.factors = factors->data;
  self.n_factors = FLOW_DIMS (factors)[0];
  self.n_dims = FLOW_DIMS (factors)[1];
  self.n = FLOW_DIMS (flow_kernel_input (c, INDICES))[0];
  self.indices = flow_kernel_input (c, INDICES)->data;
  self.values = flow_kernel_input (c, VALUES)->data;
  self.unobserved = *FLOW_DATA (float, flow_kernel_input (c, UNOBSERVED));
  self.row_column = *FLOW_DATA (guint8, flow_kernel_input (c, IS_TRANSPOSE)) != 0;
  n_rows = *FLOW_DATA (gint64, flow_kernel_input (c, BLOCK_SIZE));
  FLOW_REQUIRE (n_rows >= 0, error, INVALID_ARGUMENT, "Input input_block_size must not be negative: %" G_GINT64_FORMAT, n_rows);
  if (!read_weights (c, &self, error) || !check_entries (c, &self, n_rows, error) || !order_entries (&self, error))
    return FALSE;
  lhs = flow_kernel_allocate_dims (c, 0, 3, (gint64[]) { n_rows, self.n_dims, self.n_dims }, error);
  rhs = lhs != NULL ? flow_kernel_allocate_dims (c, 1, 2, (gint64[]) { n_rows, self.n_dims }, error) : NULL;
  if (rhs == NULL)
    return FALSE;
  memset (lhs->data, 0, (gsize) lhs->n_elements * sizeof (float));
  memset (rhs->data, 0, (gsize) rhs->n_elements * sizeof (float));
  self.lhs = lhs->data;
  self.rhs = rhs->data;
  if (self.n_dims > 0)
    flow_parallel_for (self.n_rows, 1 + 4096 / (1 + self.n_dims * self.n_dims), sum_rows, &self);
  return TRUE;
}

/* --- MaskedMatmul --------------------------------------------------------------------------------------------- */

typedef struct {
  const float *a;
  const float *b;
  gint64 a_step;               /* from one line to the next, and from one cell of a line to the next */
  gint64 a_stride;
  gint64 b_step;
  gint64 b_stride;
  gint64 n;
  const gint64 *indices;
  float *out;
} Masked;

static void
multiply_masked (gint64   begin,
                 gint64   end,
                 gpointer data)
{
  const Masked *job = data;

  for (gint64 i = begin; i < end; i++)
    {
      const float *x = job->a + job->indices[2 * i] * job->a_step;
      const float *y = job->b + job->indices[2 * i + 1] * job->b_step;
      float sum = 0;

      for (gint64 k = 0; k < job->n; k++)
        sum += x[k * job->a_stride] * y[k * job->b_stride];
      job->out[i] = sum;
    }
}

static gboolean
check_mask (const FlowTensor  *mask,
            gint64             n_rows,
            gint64             n_columns,
            GError           **error)
{
  for (gint64 i = 0; i < FLOW_DIMS (mask)[0]; i++)
    {
      const gint64 *at = FLOW_DATA (gint64, mask) + 2 * i;

      FLOW_REQUIRE (at[0] >= 0 && at[0] < n_rows, error, INVALID_ARGUMENT,
                    "In mask_indices[%" G_GINT64_FORMAT ", :], the row index %" G_GINT64_FORMAT " is out of bounds [0, %"
                    G_GINT64_FORMAT ").", i, at[0], n_rows);
      FLOW_REQUIRE (at[1] >= 0 && at[1] < n_columns, error, INVALID_ARGUMENT,
                    "In mask_indices[%" G_GINT64_FORMAT ", :], the column index %" G_GINT64_FORMAT " is out of bounds [0, %"
                    G_GINT64_FORMAT ").", i, at[1], n_columns);
    }
  return TRUE;
}

static gboolean
masked_compute (FlowKernelContext  *c,
                GError            **error)
{
  static const char *const matrices[] = { "a", "b", "mask_indices" };
  static const char *const flags[] = { "transpose_a", "transpose_b" };
  const FlowTensor *a = flow_kernel_input (c, 0);
  const FlowTensor *b = flow_kernel_input (c, 1);
  const FlowTensor *mask = flow_kernel_input (c, 2);
  gboolean turned[2];
  FlowTensor *out;
  Masked job;

  for (guint i = 0; i < 3; i++)
    FLOW_REQUIRE (FLOW_RANK (flow_kernel_input (c, i)) == 2, error, INVALID_ARGUMENT, "Input %s should be a matrix.",
                  matrices[i]);
  for (guint i = 0; i < 2; i++)
    {
      FLOW_REQUIRE (flow_is_scalar (flow_kernel_input (c, 3 + i)), error, INVALID_ARGUMENT, "Input %s should be a scalar.",
                    flags[i]);
      turned[i] = *FLOW_DATA (guint8, flow_kernel_input (c, 3 + i)) != 0;
    }
  if (FLOW_DIMS (a)[turned[0] ? 0 : 1] != FLOW_DIMS (b)[turned[1] ? 1 : 0])
    return _flow_refuse_shapes (error, a, b, "Matrix shapes are incompatible: a has shape %s, while b has shape %s.");
  FLOW_REQUIRE (FLOW_DIMS (mask)[1] == 2, error, INVALID_ARGUMENT,
                "mask_indices should be a matrix of shape [nnz 2], where nnz is the number of non-zero elements.");
  if (!check_mask (mask, FLOW_DIMS (a)[turned[0] ? 1 : 0], FLOW_DIMS (b)[turned[1] ? 0 : 1], error))
    return FALSE;
  out = flow_kernel_allocate_dims (c, 0, 1, FLOW_DIMS (mask), error);
  if (out == NULL)
    return FALSE;
  job = (Masked) { .a = a->data, .b = b->data, .n = FLOW_DIMS (a)[turned[0] ? 0 : 1], .indices = mask->data, .out = out->data };
  job.a_step = turned[0] ? 1 : FLOW_DIMS (a)[1];
  job.a_stride = turned[0] ? FLOW_DIMS (a)[1] : 1;
  job.b_step = turned[1] ? FLOW_DIMS (b)[1] : 1;
  job.b_stride = turned[1] ? 1 : FLOW_DIMS (b)[1];
  flow_parallel_for (out->n_elements, 1 + 16384 / (1 + job.n), multiply_masked, &job);
  return TRUE;
}

/* A product and a sum of each pair of cells, for what the mask asks for. */
static gint64
masked_flops (FlowInferContext *c)
{
  const FlowShape *a = flow_infer_input (c, 0);
  const FlowShape *mask = flow_infer_input (c, 2);
  const FlowTensor *turned = flow_infer_input_value (c, 3);
  gint64 n;

  if (flow_shape_get_rank (a) != 2 || flow_shape_get_rank (mask) != 2 || turned == NULL || turned->n_elements != 1
      || flow_shape_get_dim (mask, 0) < 0)
    return -1;
  n = flow_shape_get_dim (a, *FLOW_DATA (guint8, turned) != 0 ? 0 : 1);
  return n >= 0 && flow_mul_int64 (n, 2 * flow_shape_get_dim (mask, 0), &n) ? n : -1;
}

static const FlowOpDef ops[] = {
  { .name = "MaskedMatmul",
    .inputs = "a: float; b: float; mask_indices: int64; transpose_a: bool; transpose_b: bool",
    .outputs = "prod_values: float", .summary = "A product of matrices where a mask asks for it",
    .family = FLOW_OP_FAMILY_LINEAR, .infer = flow_infer_unknown_shape, .flops = masked_flops,
    .kernels = (const FlowKernelDef[]) { { NULL, masked_compute }, { NULL } } },
  { .name = "WALSComputePartialLhsAndRhs",
    .inputs = "factors: float; factor_weights: float; unobserved_weights: float; input_weights: float; input_indices: "
              "int64; input_values: float; entry_weights: float; input_block_size: int64; input_is_transpose: bool",
    .outputs = "partial_lhs: float; partial_rhs: float",
    .summary = "Normal equations of weighted least squares, for the rows of a matrix", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = flow_infer_unknown_shape, .kernels = (const FlowKernelDef[]) { { NULL, wals_compute }, { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (factorization, ops)
