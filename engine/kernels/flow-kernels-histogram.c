/* flow-kernels-histogram.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-elementwise-private.h"
#include "flow-summarize-private.h"
#include "flow-util.h"

#include <math.h>
#include <string.h>

/* Values sorted into bins: of equal width, or between boundaries. */

/* --- HistogramFixedWidth --------------------------------------------------------------------------- */

static gboolean
histogram_infer (FlowInferContext  *c,
                 GError           **error)
{
  FlowShape *range = flow_infer_input (c, 1);
  FlowShape *bins = flow_infer_input (c, 2);
  g_autoptr (FlowShape) vector = NULL;
  g_autoptr (FlowShape) scalar = NULL;
  gint64 n = FLOW_DIM_UNKNOWN;

  if (c->running)
    {
      FlowTensor *ends = flow_infer_input_value (c, 1);

      FLOW_REQUIRE (range->rank == 1, error, INVALID_ARGUMENT, "value_range should be a vector.");
      FLOW_REQUIRE (range->dims[0] == 2, error, INVALID_ARGUMENT,
                    "value_range should be a vector of 2 elements.");
      FLOW_REQUIRE (bins->rank == 0, error, INVALID_ARGUMENT, "nbins should be a scalar.");
      FLOW_REQUIRE (flow_tensor_get_double (ends, 0) < flow_tensor_get_double (ends, 1), error,
                    INVALID_ARGUMENT,
                    "value_range should satisfy value_range[0] < value_range[1], but got '[%s, %s]'",
                    _flow_number_text ((int) ends->dtype, flow_tensor_get_double (ends, 0)).text,
                    _flow_number_text ((int) ends->dtype, flow_tensor_get_double (ends, 1)).text);
    }
  if (!flow_infer_with_rank (c, range, 1, &vector, error) ||
      !_flow_infer_with_value (vector->dims[0], 2, error) ||
      !flow_infer_with_rank (c, bins, 0, &scalar, error))
    return FALSE;
  if (flow_infer_scalar_value (c, 2, &n))
    FLOW_REQUIRE (n > 0, error, INVALID_ARGUMENT,
                  c->running ? "nbins should be a positive number, but got '%" G_GINT64_FORMAT "'"
                             : "Requires nbins > 0: %" G_GINT64_FORMAT, n);
  flow_infer_take_output (c, 0, flow_shape_new_vector (n));
  return TRUE;
}

static gboolean
histogram_compute (FlowKernelContext  *c,
                   GError            **error)
{
  const FlowTensor *values = flow_kernel_input (c, 0);
  const FlowTensor *range = flow_kernel_input (c, 1);
  double low = flow_tensor_get_double (range, 0);
  double high = flow_tensor_get_double (range, 1);
  gint64 n = flow_tensor_get_int (flow_kernel_input (c, 2), 0);
  double step = (high - low) / (double) n;
  FlowTensor *out;

  for (gint64 i = 0; i < values->n_elements; i++)
    FLOW_REQUIRE (!isnan (flow_tensor_get_double (values, i)), error, INVALID_ARGUMENT,
                  "values must not contain NaN");
  out = flow_kernel_allocate_inferred (c, 0, error);
  if (out == NULL)
    return FALSE;
  memset (out->data, 0, out->n_bytes);
  for (gint64 i = 0; i < values->n_elements; i++)
    {
      double bin = (MAX (flow_tensor_get_double (values, i), low) - low) / step;
      gint64 at = bin < (double) n ? (gint64) bin : n - 1;

      at = CLAMP (at, 0, n - 1);
      if (out->dtype == FLOW_DTYPE_INT32)
        FLOW_WRITABLE (guint32, out)[at]++;
      else
        FLOW_WRITABLE (guint64, out)[at]++;
    }
  return TRUE;
}

FLOW_ONE_KERNEL (histogram, "T: float double int32 int64; dtype: int32 int64")

/* --- Bucketize -------------------------------------------------------------------------------------- */

typedef struct {
  gsize n;
  float boundaries[];
} Buckets;

static gpointer
bucketize_construct (FlowKernelConstruction  *c,
                     GError                 **error)
{
  FlowAttr *list = flow_construction_attr (c, "boundaries");
  gsize n = flow_attr_get_length (list);
  g_autofree Buckets *self = g_try_malloc (sizeof (Buckets) + n * sizeof (float));

  if (self == NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "OOM when reading boundaries");
      return NULL;
    }
  self->n = n;
  for (gsize i = 0; i < n; i++)
    {
      self->boundaries[i] = flow_attr_get_float (flow_attr_get_item (list, i));
      if (i > 0 && !(self->boundaries[i - 1] <= self->boundaries[i]))
        {
          g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Expected sorted boundaries");
          return NULL;
        }
    }
  return g_steal_pointer (&self);
}

static gboolean
bucketize_compute (FlowKernelContext  *c,
                   GError            **error)
{
  const FlowTensor *x = flow_kernel_input (c, 0);
  const Buckets *buckets = flow_kernel_data (c);
  FlowTensor *out = flow_kernel_allocate (c, 0, x->shape, error);

  if (out == NULL)
    return FALSE;
  for (gint64 i = 0; i < x->n_elements; i++)
    {
      double v = flow_tensor_get_double (x, i);
      gsize low = 0;
      gsize high = buckets->n;

      /* The first boundary that is greater; NaN stands after all. */
      while (low < high)
        {
          gsize middle = (low + high) / 2;

          if (v < (double) buckets->boundaries[middle])
            high = middle;
          else
            low = middle + 1;
        }
      FLOW_WRITABLE (gint32, out)[i] = (gint32) low;
    }
  return TRUE;
}

static const FlowKernelDef bucketize_kernels[] = {
  { "T: float double int32 int64", bucketize_compute, bucketize_construct, g_free },
  { NULL },
};

/* --- the table ---------------------------------------------------------------------------------------- */

static const FlowOpDef ops[] = {
  { .name = "Bucketize", .inputs = "input: T", .outputs = "output: int32",
    .attrs = "T: {int32, int64, float, double}; boundaries: list(float)",
    .summary = "Number of the interval that each value falls into",
    .family = FLOW_OP_FAMILY_MATH, .infer = flow_infer_unchanged_shape,
    .kernels = bucketize_kernels },
  { .name = "HistogramFixedWidth", .inputs = "values: T; value_range: T; nbins: int32",
    .outputs = "out: dtype",
    .attrs = "T: {int32, int64, float, double}; dtype: {int32, int64} = DT_INT32",
    .summary = "How many values fall into each of nbins equal intervals",
    .family = FLOW_OP_FAMILY_MATH, .infer = histogram_infer, .kernels = histogram_kernels },
};

FLOW_DEFINE_OP_FAMILY (histogram, ops)
