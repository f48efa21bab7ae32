/* flow-gradients-segment.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-gradients-private.h"

/* Gradients of what sums, picks or spreads rows by segments and partitions. */

static void
grad_segment_sum (FlowGradient *g)
{
  SET (0, GATHER (DY (0), X (1)));
}

static void
grad_segment_mean (FlowGradient *g)
{
  FlowEndpoint rank = RANK (X (0));
  FlowEndpoint shape;
  FlowEndpoint ones;

  shape = SHAPE (X (1));
  ones = BY_NUMBER ("Sub", "sub", rank, 1);
  ones = _flow_gradients_expand (g, ones, 0);
  OPEN ("Fill");
  rank = NUMBER ("value", FLOW_DTYPE_INT32, 1);
  ones = CLOSE ("Fill", ones, rank);
  shape = JOIN (0, shape, ones);
  ones = NUMBER (NULL, DTYPE (DY (0)), 1);
  ones = OP2 ("Fill", NULL, shape, ones);
  ones = OP2 ("SegmentSum", NULL, ones, X (1));
  SET (0, GATHER (DIV (DY (0), ones), X (1)));
}

static void
grad_segment_extreme (FlowGradient *g)
{
  FlowEndpoint zeros = ZEROS_LIKE (X (0));
  FlowEndpoint is_it = GATHER (Y (0), X (1));
  FlowEndpoint value;

  is_it = OP2 ("Equal", NULL, X (0), is_it);
  value = CAST (is_it, DTYPE (DY (0)));
  value = OP2 ("SegmentSum", NULL, value, X (1));
  value = GATHER (DIV (DY (0), value), X (1));
  SET (0, SELECT (is_it, value, zeros));
}

/* The indices with 0 for those below it. */
static FlowEndpoint
clipped (FlowGradient *g,
         FlowEndpoint  ids)
{
  return OP2 ("Maximum", NULL, ids, ZEROS_LIKE (ids));
}

/* Rows of params by ids, 0 where an id is negative. What is made on the way may be used again. */
static FlowEndpoint
gather_drop_negatives (FlowGradient *g,
                       FlowEndpoint  params,
                       FlowEndpoint  ids,
                       FlowEndpoint *indices,
                       FlowEndpoint *is_positive)
{
  FlowEndpoint rows;

  if (indices->node == FLOW_NODE_NONE)
    *indices = clipped (g, ids);
  rows = GATHER (params, *indices);
  if (is_positive->node == FLOW_NODE_NONE)
    {
      int n;

      *is_positive = BY_NUMBER ("GreaterEqual", "GreaterEqual", ids, 0);
      n = _flow_gradients_n_dims (g, rows) - _flow_gradients_n_dims (g, *is_positive);
      if (g->error == NULL && (_flow_gradients_n_dims (g, rows) < 0 || _flow_gradients_n_dims (g, *is_positive) < 0))
        {
          g_set_error_literal (&g->error, FLOW_ERROR, FLOW_ERROR_INTERNAL,
                               "unsupported operand type(s) for -: 'NoneType' and 'NoneType'");
          return FLOW_NO_ENDPOINT;
        }
      for (int i = 0; i < n; i++)
        *is_positive = _flow_gradients_expand_last (g, *is_positive);
      *is_positive = OP2 ("LogicalAnd", "and", *is_positive, _flow_gradients_ones_like (g, rows, FLOW_DTYPE_BOOL));
    }
  return SELECT (*is_positive, rows, ZEROS_LIKE (rows));
}

static void
grad_unsorted_sum (FlowGradient *g)
{
  FlowEndpoint indices = FLOW_NO_ENDPOINT;
  FlowEndpoint is_positive = FLOW_NO_ENDPOINT;

  SET (0, gather_drop_negatives (g, DY (0), X (1), &indices, &is_positive));
}

static void
grad_unsorted_extreme (FlowGradient *g)
{
  FlowEndpoint indices = FLOW_NO_ENDPOINT;
  FlowEndpoint is_positive = FLOW_NO_ENDPOINT;
  FlowEndpoint is_it = gather_drop_negatives (g, Y (0), X (1), &indices, &is_positive);
  FlowEndpoint value;

  is_it = OP2 ("Equal", NULL, X (0), is_it);
  is_it = OP2 ("LogicalAnd", NULL, is_it, is_positive);
  value = CAST (is_it, DTYPE (DY (0)));
  value = OP3 ("UnsortedSegmentSum", NULL, value, X (1), X (2));
  value = DIV (DY (0), value);
  value = gather_drop_negatives (g, value, X (1), &indices, &is_positive);
  SET (0, SELECT (is_it, value, ZEROS_LIKE (value)));
}

/* By whether a segment has no zero, one or more. */
static void
grad_unsorted_prod (FlowGradient *g)
{
  FlowEndpoint is_zero = BY_NUMBER ("Equal", "Equal", X (0), 0);
  FlowEndpoint is_positive = FLOW_NO_ENDPOINT;
  FlowEndpoint n_zeros;
  FlowEndpoint dy;
  FlowEndpoint prod;
  FlowEndpoint indices;
  FlowEndpoint all;

  n_zeros = CAST (is_zero, FLOW_DTYPE_INT32);
  n_zeros = OP3 ("UnsortedSegmentSum", NULL, n_zeros, X (1), X (2));
  n_zeros = BY_NUMBER ("Greater", "Greater", n_zeros, 1);
  dy = SELECT (n_zeros, ZEROS_LIKE (DY (0)), DY (0));
  prod = _flow_gradients_ones_like (g, X (0), DTYPE (X (0)));
  prod = SELECT (is_zero, prod, X (0));
  prod = OP3 ("UnsortedSegmentProd", NULL, prod, X (1), X (2));
  indices = clipped (g, X (1));
  all = GATHER (Y (0), indices);
  prod = GATHER (prod, indices);
  all = DIV (all, X (0));
  prod = SELECT (is_zero, prod, all);
  dy = gather_drop_negatives (g, dy, X (1), &indices, &is_positive);
  SET (0, MUL (dy, prod));
}

static FlowEndpoint
n_rows (FlowGradient *g)
{
  return _flow_gradients_item (g, SHAPE (X (0)), 0);
}

static void
grad_sparse_sum (FlowGradient *g)
{
  FlowEndpoint n = n_rows (g);

  SET (0, OP3 ("UnsortedSegmentSum", NULL, GATHER (DY (0), X (2)), X (1), n));
}

static void
grad_sparse_mean (FlowGradient *g)
{
  FlowEndpoint n = n_rows (g);

  SET (0, OP ("SparseSegmentMeanGrad", NULL, DY (0), X (1), X (2), n));
}

static void
grad_sparse_sqrt_n (FlowGradient *g)
{
  FlowEndpoint n = n_rows (g);

  SET (0, OP ("SparseSegmentSqrtNGrad", NULL, DY (0), X (1), X (2), n));
}

static void
grad_dynamic_partition (FlowGradient *g)
{
  FlowEndpoint shape = SHAPE (X (1));
  FlowEndpoint indices = _flow_gradients_reduce_all (g, "Prod", shape);
  g_autofree FlowEndpoint *parts = g_new (FlowEndpoint, 2 * g->n_outputs);
  FlowAttrList *attrs = flow_attr_list_new ();

  indices = flow_gradient_range (g, indices);
  indices = RESHAPE (indices, shape);
  indices = OP_ATTRS ("DynamicPartition", NULL, ATTRS ("num_partitions"), indices, X (1));
  for (guint i = 0; i < g->n_outputs; i++)
    {
      parts[i] = SLOT (indices, (gint32) i);
      parts[g->n_outputs + i] = DY (i);
    }
  _flow_gradients_set_int (attrs, "N", g->n_outputs);
  indices = flow_gradient_add (g, "DynamicStitch", NULL, attrs, 2 * g->n_outputs, parts);
  SET (0, RESHAPE (indices, SHAPE (X (0))));
}

static void
grad_dynamic_stitch (FlowGradient *g)
{
  guint n = g->n_inputs / 2;
  FlowEndpoint dy = DY (0);

  if (g->error == NULL && flow_gradient_is_rows (g, dy))
    {
      FlowEndpoint rows = _flow_gradients_item (g, SHAPE (Y (0)), 0);

      dy = OP3 ("UnsortedSegmentSum", NULL, g->out_grads[0].values, g->out_grads[0].indices, rows);
    }
  for (guint i = 0; i < n; i++)
    SET (n + i, GATHER (dy, X (i)));
}

static const FlowGradientDef defs[] = {
  { "SegmentSum", grad_segment_sum },
  { "SegmentMean", grad_segment_mean },
  { "SegmentMax SegmentMin", grad_segment_extreme },
  { "UnsortedSegmentSum", grad_unsorted_sum },
  { "UnsortedSegmentMax UnsortedSegmentMin", grad_unsorted_extreme },
  { "UnsortedSegmentProd", grad_unsorted_prod },
  { "SparseSegmentSum SparseSegmentSumWithNumSegments", grad_sparse_sum },
  { "SparseSegmentMean SparseSegmentMeanWithNumSegments", grad_sparse_mean },
  { "SparseSegmentSqrtN SparseSegmentSqrtNWithNumSegments", grad_sparse_sqrt_n },
  { "DynamicPartition", grad_dynamic_partition },
  { "DynamicStitch ParallelDynamicStitch", grad_dynamic_stitch },
};

void
_flow_gradients_add_segment (void)
{
  flow_gradient_registry_add (defs, G_N_ELEMENTS (defs));
}
