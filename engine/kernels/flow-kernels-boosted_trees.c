/* flow-kernels-boosted_trees.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What boosted trees do to features before they look at them.
 */

#include "config.h"

#include "flow-array-private.h"

static gboolean
bucketize_infer (FlowInferContext  *c,
                 GError           **error)
{
  gint64 n = flow_infer_attr_int (c, "num_features");

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  for (gint64 i = 0; i < n; i++)
    {
      g_autoptr (FlowShape) values = NULL;
      g_autoptr (FlowShape) boundaries = NULL;

      if (!flow_infer_with_rank (c, flow_infer_input (c, (guint) i), 1, &values, error)
          || !flow_infer_with_rank (c, flow_infer_input (c, (guint) (n + i)), 1, &boundaries, error))
        return FALSE;
      flow_infer_set_output (c, (guint) i, values);
    }
  return TRUE;
}

/* The first boundary that is not below @value. TF: what lies beyond all goes into the last bucket; where there is
 * none yet, all is in the first. */
static gint32
find_bucket (const FlowTensor *boundaries,
             float             value)
{
  const float *cells = FLOW_DATA (float, boundaries);
  gint64 low = 0;
  gint64 high = boundaries->n_elements;

  while (low < high)
    {
      gint64 middle = low + (high - low) / 2;

      if (cells[middle] < value)
        low = middle + 1;
      else
        high = middle;
    }
  return (gint32) MAX (MIN (low, boundaries->n_elements - 1), 0);
}

static gboolean
bucketize_compute (FlowKernelContext  *c,
                   GError            **error)
{
  guint n = c->n_outputs;

  for (guint i = 0; i < n; i++)
    {
      const FlowTensor *values = flow_kernel_input (c, i);
      const FlowTensor *boundaries = flow_kernel_input (c, n + i);
      gint64 rows = FLOW_RANK (values) > 0 ? FLOW_DIMS (values)[0] : 0;
      FlowTensor *out;

      if (!flow_is_vector (boundaries))
        return _flow_refuse (error, "Buckets should be flat vectors.");
      if (FLOW_RANK (values) == 0 || rows > values->n_elements)
        return _flow_refuse_shapes (error, values, boundaries, "Values of shape %s do not fall into buckets of shape %s");
      out = flow_kernel_allocate_dims (c, i, 1, &rows, error);
      if (out == NULL)
        return FALSE;
      /* TF: as many values as there are rows, from the beginning. */
      for (gint64 k = 0; k < rows; k++)
        FLOW_WRITABLE (gint32, out)[k] = find_bucket (boundaries, FLOW_DATA (float, values)[k]);
    }
  return TRUE;
}

static const FlowOpDef ops[] = {
  {
    .name = "BoostedTreesBucketize",
    .inputs = "float_values: num_features * float; bucket_boundaries: num_features * float",
    .outputs = "buckets: num_features * int32",
    .attrs = "num_features: int >= 0",
    .summary = "The bucket of each value, by each feature's boundaries",
    .family = FLOW_OP_FAMILY_MATH,
    .infer = bucketize_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, bucketize_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (boosted_trees, ops)
