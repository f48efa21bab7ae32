/* flow-kernels-periodic_resample.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Cells of one dimension dealt out to the others, as subpixel convolutions do, and back.
 */

#include "config.h"

#include "flow-array-private.h"

#include <string.h>

/* Where each cell of the result comes from. */
typedef struct {
  int rank;
  int adjustable;
  gint64 n_cells;
  gint64 *target;              /* the result's dims */
  gint64 *ceilings;            /* how many steps of the result are one of the input, by dimension */
  gint64 *weights;             /* of the steps in between */
  gint64 *strides;             /* of the input */
} Plan;

static void
plan_clear (Plan *self)
{
  g_free (self->target);
  g_free (self->ceilings);
  g_free (self->weights);
  g_free (self->strides);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Plan, plan_clear)

static gboolean
read_shape (Plan             *self,
            const FlowShape  *from,
            const FlowShape  *to,
            gint64            n_elements,
            GError          **error)
{
  gint64 others = 1;

  self->adjustable = -1;
  for (int i = 0; i < self->rank; i++)
    {
      self->target[i] = to->dims[i];
      if (to->dims[i] < 1)
        {
          if (self->adjustable >= 0)
            return _flow_refuse (error, "periodic_resample expects only one index to be marked as adjustable.");
          self->adjustable = i;
          continue;
        }
      if (to->dims[i] < from->dims[i])
        return _flow_refuse (error, "periodic_resample expects the size of non-adjustable dimensions be at least as large as "
                             "size of input tensor. Dimension %d input tensor has size %" G_GINT64_FORMAT
                             ", desired shape has size %" G_GINT64_FORMAT ".", i, from->dims[i], to->dims[i]);
      FLOW_REQUIRE (flow_mul_int64 (others, to->dims[i], &others), error, INVALID_ARGUMENT, "the shape is too large");
    }
  if (self->adjustable < 0)
    return _flow_refuse (error, "periodic_resample expects at least one index to be marked as adjustable.");
  self->target[self->adjustable] = n_elements / others;
  if (self->target[self->adjustable] <= 0)
    return _flow_refuse (error, "periodic_resample found that the adjustable dimension, %d, isn't greater than zero, %"
                         G_GINT64_FORMAT ".", self->adjustable, self->target[self->adjustable]);
  self->n_cells = others * self->target[self->adjustable];
  return TRUE;
}

static gboolean
plan_init (Plan             *self,
           const FlowShape  *from,
           const FlowShape  *to,
           int               rank,
           gint64            n_elements,
           GError          **error)
{
  if (rank != to->rank)
    return _flow_refuse (error, "periodic_resample expects the rank of the input tensor, %d, to be the same as the length of "
                         "the desired shape, %d.", rank, to->rank);
  FLOW_REQUIRE (from->rank == rank, error, INVALID_ARGUMENT, "original_shape must be of rank %d", rank);
  self->rank = rank;
  self->target = g_new0 (gint64, (gsize) rank + 1);
  self->ceilings = g_new0 (gint64, (gsize) rank + 1);
  self->weights = g_new0 (gint64, (gsize) rank + 1);
  self->strides = g_new0 (gint64, (gsize) rank + 1);
  if (!read_shape (self, from, to, n_elements, error))
    return FALSE;
  for (int i = 0; i < rank; i++)
    {
      self->ceilings[i] = (self->target[i] - 1) / from->dims[i] + 1;
      self->weights[i] = i == 0 ? 1 : 0;
      FLOW_REQUIRE (i == 0 || flow_mul_int64 (self->weights[i - 1], self->ceilings[i - 1], &self->weights[i]), error,
                    INVALID_ARGUMENT, "the shape is too large");
    }
  _flow_row_major_strides (rank, from->dims, self->strides);
  return TRUE;
}

/* The cell of the input that cell @i of the result is; -1 beyond it, where sizes are no multiples. */
static gint64
find_cell (const Plan *self,
           gint64      i,
           gint64      n_elements)
{
  gint64 in_between = 0;
  gint64 at = 0;
  gint64 last = 0;

  for (int r = self->rank; r-- > 0;)
    {
      const gint64 index = i % self->target[r];

      i /= self->target[r];
      if (r == self->adjustable)
        {
          last = index;
          continue;
        }
      in_between += self->weights[r] * (index % self->ceilings[r]);
      at += self->strides[r] * (index / self->ceilings[r]);
    }
  at += self->strides[self->adjustable] * (in_between * self->target[self->adjustable] + last);
  return at >= 0 && at < n_elements ? at : -1;
}

static gboolean
deal (const Plan        *plan,
      const FlowTensor  *from,
      FlowTensor        *to,
      gboolean           back,
      GError           **error)
{
  const gsize cell = _flow_cell_size (from->dtype);
  const gint64 n = back ? to->n_elements : from->n_elements;

  for (gint64 i = 0; i < plan->n_cells; i++)
    {
      const gint64 at = find_cell (plan, i, n);

      FLOW_REQUIRE (at >= 0, error, INVALID_ARGUMENT, "periodic_resample needs cells beyond the input: sizes are no multiples");
      if (back)
        memcpy ((char *) to->data + (gsize) at * cell, (const char *) from->data + (gsize) i * cell, cell);
      else
        memcpy ((char *) to->data + (gsize) i * cell, (const char *) from->data + (gsize) at * cell, cell);
    }
  return TRUE;
}

static gboolean
check_dtype (const FlowTensor  *tensor,
             GError           **error)
{
  const int dtype = tensor->dtype;

  return dtype == FLOW_DTYPE_FLOAT || dtype == FLOW_DTYPE_DOUBLE || dtype == FLOW_DTYPE_INT32 || dtype == FLOW_DTYPE_INT64 ||
         _flow_refuse (error, "Unsuppored tensor elements type");
}

static gboolean
resample_compute (FlowKernelContext  *c,
                  GError            **error)
{
  const FlowTensor *values = flow_kernel_input (c, 0);
  g_auto (Plan) plan = { 0 };
  FlowTensor *out;

  if (!check_dtype (values, error)
      || !plan_init (&plan, values->shape, flow_attr_get_shape (flow_kernel_attr (c, "shape")), FLOW_RANK (values),
                     values->n_elements, error))
    return FALSE;
  out = flow_kernel_allocate_dims (c, 0, plan.rank, plan.target, error);
  return out != NULL && deal (&plan, values, out, FALSE, error);
}

static gboolean
gradient_compute (FlowKernelContext  *c,
                  GError            **error)
{
  const FlowTensor *grad = flow_kernel_input (c, 0);
  const FlowShape *original = flow_attr_get_shape (flow_kernel_attr (c, "original_shape"));
  g_auto (Plan) plan = { 0 };
  gint64 n_elements;
  FlowTensor *out;

  FLOW_REQUIRE (flow_shape_is_known (original) && flow_shape_n_elements (original, &n_elements), error, INVALID_ARGUMENT,
                "original_shape must be known");
  if (!check_dtype (grad, error)
      || !plan_init (&plan, original, flow_attr_get_shape (flow_kernel_attr (c, "desired_shape")), FLOW_RANK (grad), n_elements,
                     error))
    return FALSE;
  FLOW_REQUIRE (grad->n_elements >= plan.n_cells, error, INVALID_ARGUMENT, "grad has %" G_GINT64_FORMAT " cells, not %"
                G_GINT64_FORMAT, grad->n_elements, plan.n_cells);
  out = flow_kernel_allocate (c, 0, original, error);
  if (out == NULL)
    return FALSE;
  if (out->n_bytes > 0)
    memset (out->data, 0, out->n_bytes);
  return deal (&plan, grad, out, TRUE, error);
}

static gboolean
resample_infer (FlowInferContext  *c,
                GError           **error)
{
  const FlowShape *input = flow_infer_input (c, 0);
  const FlowShape *asked = flow_infer_attr_shape (c, "shape");
  g_autofree gint64 *dims = NULL;
  gint64 others = 1;
  gint64 n;
  int adjustable = 0;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_shape_is_known (input) || !flow_shape_n_elements (input, &n) || asked->rank != input->rank || input->rank == 0)
    {
      flow_infer_set_output (c, 0, asked);
      return TRUE;
    }
  dims = g_memdup2 (asked->dims, (gsize) asked->rank * sizeof (gint64));
  for (int i = 0; i < asked->rank; i++)
    if (dims[i] < 1)
      adjustable = i;
    else
      FLOW_REQUIRE (flow_mul_int64 (others, dims[i], &others), error, INVALID_ARGUMENT, "the shape is too large");
  dims[adjustable] = n / others;
  flow_infer_take_output (c, 0, flow_shape_new (asked->rank, dims));
  return TRUE;
}

static gboolean
gradient_infer (FlowInferContext  *c,
                GError           **error)
{
  flow_infer_set_output (c, 0, flow_infer_attr_shape (c, "original_shape"));
  return TRUE;
}

#define NUMBERS "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, uint16, " \
                "complex128, half, uint32, uint64}"

static const FlowOpDef ops[] = {
  { .name = "PeriodicResample", .inputs = "values: T", .outputs = "output: T", .attrs = NUMBERS "; shape: shape",
    .summary = "Cells of one dimension dealt out to the others", .family = FLOW_OP_FAMILY_ARRAY, .infer = resample_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, resample_compute }, { NULL } } },
  { .name = "PeriodicResampleOpGrad", .inputs = "grad: T", .outputs = "grad_values: T",
    .attrs = NUMBERS "; original_shape: shape; desired_shape: shape", .summary = "Gradient of PeriodicResample",
    .family = FLOW_OP_FAMILY_GRADIENT, .infer = gradient_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, gradient_compute }, { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (periodic_resample, ops)
