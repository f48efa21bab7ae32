/* flow-gradients-sparse.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-gradients-private.h"

/* Gradients of sparse tensors: what comes back is for the values. */

static void
grad_reorder (FlowGradient *g)
{
  FlowEndpoint n = _flow_gradients_item (g, SHAPE (X (0)), 0);
  FlowEndpoint order = flow_gradient_range (g, n);
  FlowTensor *shape = _flow_gradients_value (g, X (2));

  /* Two sparse tensors are made of it, the second of the shape as far as it is known. */
  OPEN ("SparseTensor");
  LEAVE ();
  order = OP3 ("SparseReorder", NULL, X (0), order, X (2));
  if (shape != NULL)
    {
      gint64 dims[FLOW_SHAPE_MAX_RANK];
      gint64 rank = MIN (flow_tensor_get_n_elements (shape), FLOW_SHAPE_MAX_RANK);

      for (gint64 i = 0; i < rank; i++)
        dims[i] = flow_tensor_get_int (shape, i);
      OPEN ("SparseTensor");
      flow_gradient_ints (g, "dense_shape", FLOW_DTYPE_INT64, dims, (guint) rank);
      LEAVE ();
    }
  else
    OP1 ("Identity", NULL, X (2));
  order = OP1 ("InvertPermutation", NULL, SLOT (order, 1));
  SET (1, GATHER (DY (1), order));
}

static void
grad_add (FlowGradient *g)
{
  FlowEndpoint made = OP ("SparseAddGrad", NULL, DY (1), X (0), X (3), Y (0));

  SET (1, made);
  SET (4, SLOT (made, 1));
}

static void
grad_dense_add (FlowGradient *g)
{
  SET (1, OP2 ("GatherNd", NULL, DY (0), X (0)));
  SET (3, DY (0));
}

static void
grad_reduce_sum (FlowGradient *g)
{
  FlowEndpoint kept = _flow_gradients_reduced_shape (g, CAST (X (2), FLOW_DTYPE_INT32), X (3));
  FlowEndpoint value = RESHAPE (DY (0), kept);

  kept = CAST (kept, FLOW_DTYPE_INT64);
  kept = FLOORDIV (X (2), kept);
  kept = FLOORDIV (X (0), kept);
  SET (1, OP2 ("GatherNd", NULL, value, kept));
}

static void
grad_slice (FlowGradient *g)
{
  SET (1, OP ("SparseSliceGrad", NULL, DY (1), X (0), X (3), Y (0)));
}

/* x[:, at] */
static FlowEndpoint
column (FlowGradient *g,
        FlowEndpoint  x,
        gint64        at)
{
  FlowAttrList *attrs = flow_attr_list_new ();
  FlowEndpoint inputs[4];

  OPEN ("strided_slice");
  inputs[0] = x;
  inputs[1] = INTS ("stack", 0, at);
  inputs[2] = INTS ("stack", 0, at + 1);
  inputs[3] = INTS ("stack", 1, 1);
  _flow_gradients_set_int (attrs, "begin_mask", 1);
  _flow_gradients_set_int (attrs, "end_mask", 1);
  _flow_gradients_set_int (attrs, "shrink_axis_mask", 2);
  return flow_gradient_close (g, "StridedSlice", attrs, 4, inputs);
}

static void
grad_dense_matmul (FlowGradient *g)
{
  gboolean adj_a = _flow_gradients_get_bool (g, "adjoint_a");
  gboolean adj_b = _flow_gradients_get_bool (g, "adjoint_b");
  FlowEndpoint b;
  FlowEndpoint rows;
  FlowEndpoint columns;
  FlowEndpoint parts[2];

  if (flow_dtype_is_complex (DTYPE (X (1))))
    {
      if (g->error == NULL)
        g_set_error_literal (&g->error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION,
                             "SparseTensorDenseMatMul op does not support complex gradients.");
      return;
    }
  b = OP_ATTRS ("SparseTensorDenseMatMul", NULL, _flow_gradients_bool_attr ("adjoint_a", !adj_a), X (0), X (1), X (2), DY (0));
  b = adj_b ? _flow_gradients_flip (g, b) : b;
  rows = column (g, X (0), 0);
  columns = column (g, X (0), 1);
  parts[0] = GATHER (DY (0), adj_a ? columns : rows);
  parts[1] = adj_b ? _flow_gradients_flip (g, X (3)) : X (3);
  parts[1] = GATHER (parts[1], adj_a ? rows : columns);
  parts[0] = MUL (parts[0], parts[1]);
  SET (1, _flow_gradients_sum_axis (g, parts[0], 1, FALSE, FALSE));
  SET (3, b);
}

static void
cwise (FlowGradient *g,
       gboolean      is_mul)
{
  FlowEndpoint shape = CAST (SHAPE (X (3)), FLOW_DTYPE_INT64);
  FlowEndpoint sizes[2];
  FlowEndpoint n;
  FlowEndpoint at;
  FlowEndpoint dense;
  FlowEndpoint value;
  FlowEndpoint axis;

  sizes[0] = SIZE (X (2));
  sizes[1] = SIZE (shape);
  n = SUB (sizes[0], sizes[1]);
  n = _flow_gradients_expand (g, n, 0);
  at = _flow_gradients_ones (g, n, FLOW_DTYPE_INT64);
  at = JOIN (0, at, shape);
  at = FLOORDIV (X (2), at);
  at = FLOORDIV (X (0), at);
  OPEN ("concat");
  value = INTS ("values_0", 0);
  axis = NUMBER ("axis", FLOW_DTYPE_INT32, 0);
  value = CLOSE ("ConcatV2", value, n, axis);
  OPEN ("Slice");
  axis = INTS ("size", -1, -1);
  at = CLOSE ("Slice", at, value, axis);
  dense = OP2 ("GatherNd", NULL, X (3), at);
  if (is_mul)
    {
      SET (1, MUL (DY (0), dense));
      value = MUL (DY (0), X (1));
    }
  else
    {
      SET (1, DIV (DY (0), dense));
      value = NEG (X (1));
      value = DIV (value, OP1 ("Square", NULL, dense));
      value = MUL (DY (0), value);
    }
  dense = ZEROS_LIKE (X (3));
  SET (3, OP ("SparseTensorDenseAdd", NULL, at, value, shape, dense));
}

static void
grad_cwise_mul (FlowGradient *g)
{
  cwise (g, TRUE);
}

static void
grad_cwise_div (FlowGradient *g)
{
  cwise (g, FALSE);
}

static void
grad_softmax (FlowGradient *g)
{
  FlowEndpoint value = MUL (Y (0), DY (0));
  FlowEndpoint axes;

  OPEN ("SparseReduceSum");
  axes = INTS ("reduction_axes", -1);
  value = flow_gradient_close (g, "SparseReduceSum", _flow_gradients_bool_attr ("keep_dims", TRUE), 4,
                               (FlowEndpoint[4]) { X (0), value, X (2), axes });
  value = NEG (value);
  value = OP ("SparseDenseCwiseAdd", NULL, X (0), DY (0), X (2), value);
  SET (1, MUL (value, Y (0)));
}

static void
refuse (FlowGradient *g)
{
  if (g->error == NULL)
    g_set_error (&g->error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION, "Gradient for %s is currently not implemented yet.",
                 g->maker->get_type (g->maker->self, g->node));
}

static void
grad_fill_empty_rows (FlowGradient *g)
{
  FlowEndpoint made = OP2 ("SparseFillEmptyRowsGrad", NULL, Y (3), DY (1));

  SET (1, made);
  SET (3, SLOT (made, 1));
}

static void
grad_to_dense (FlowGradient *g)
{
  FlowEndpoint values = OP2 ("GatherNd", NULL, DY (0), X (0));
  FlowEndpoint sums[2];

  sums[0] = _flow_gradients_reduce_all (g, "Sum", DY (0));
  sums[1] = _flow_gradients_reduce_all (g, "Sum", values);
  SET (3, SUB (sums[0], sums[1]));
  SET (0, ZEROS_LIKE (X (0)));
  SET (1, ZEROS_LIKE (X (1)));
  SET (2, values);
}

static const FlowGradientDef defs[] = {
  { "SparseReorder", grad_reorder },
  { "SparseAdd", grad_add },
  { "SparseTensorDenseAdd", grad_dense_add },
  { "SparseReduceSum", grad_reduce_sum },
  { "SparseSlice", grad_slice },
  { "SparseTensorDenseMatMul", grad_dense_matmul },
  { "SparseDenseCwiseMul", grad_cwise_mul },
  { "SparseDenseCwiseDiv", grad_cwise_div },
  { "SparseDenseCwiseAdd SparseSparseMaximum SparseSparseMinimum", refuse },
  { "SparseSoftmax", grad_softmax },
  { "SparseFillEmptyRows", grad_fill_empty_rows },
  { "SparseToDense", grad_to_dense },
};

void
_flow_gradients_add_sparse (void)
{
  flow_gradient_registry_add (defs, G_N_ELEMENTS (defs));
}
