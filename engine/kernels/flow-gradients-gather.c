/* flow-gradients-gather.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-gradients-private.h"

/* Gradients of what picks and places by index: rows where that is all there is. */

static FlowEndpoint
shape_with (FlowGradient *g,
            FlowEndpoint  params)
{
  FlowEndpoint shape;

  flow_gradient_with (g, params);
  shape = flow_gradient_shape (g, params, NULL, FLOW_DTYPE_INT64, TRUE);
  shape = CAST (shape, FLOW_DTYPE_INT32);
  LEAVE ();
  return shape;
}

static void
set_rows (FlowGradient *g,
          FlowEndpoint  shape,
          FlowEndpoint  size)
{
  FlowEndpoint values = _flow_gradients_range_of (g, shape, 1, FLOW_END_OF_SLICE);
  FlowEndpoint indices;

  values = JOIN (0, size, values);
  values = RESHAPE (DY (0), values);
  indices = RESHAPE (X (1), size);
  flow_gradient_set_rows (g, 0, values, indices, shape);
}

static void
grad_gather (FlowGradient *g)
{
  FlowEndpoint shape = shape_with (g, X (0));
  FlowEndpoint size = _flow_gradients_expand (g, SIZE (X (1)), 0);

  set_rows (g, shape, size);
}

/* TF: the shape of a variable that the program made itself is known to it. */
static FlowEndpoint
variable_shape (FlowGradient *g,
                FlowEndpoint  handle)
{
  g_autofree char *key = g_strdup_printf (FLOW_GRADIENT_VARIABLE_KEY, handle.node);
  FlowShape *shape = g->error == NULL ? g_hash_table_lookup (g->maker->memo, key) : NULL;

  return shape != NULL && flow_shape_is_known (shape)
         ? flow_gradient_ints (g, "Const", FLOW_DTYPE_INT32, shape->dims, (guint) shape->rank)
         : OP1 ("VariableShape", NULL, handle);
}

static void
grad_resource_gather (FlowGradient *g)
{
  FlowEndpoint shape = variable_shape (g, X (0));
  FlowEndpoint size = _flow_gradients_expand (g, SIZE (X (1)), 0);

  set_rows (g, shape, size);
}

/* x[:at], x[at:] and x[at], the place being an output. */
static FlowEndpoint
slice_at (FlowGradient *g,
          FlowEndpoint  x,
          FlowEndpoint  at,
          gboolean      before)
{
  FlowAttrList *attrs = flow_attr_list_new ();
  FlowEndpoint inputs[4];

  OPEN ("strided_slice");
  inputs[0] = x;
  inputs[1] = before ? INTS ("stack", 0) : OP1 ("Pack", "stack", at);
  inputs[2] = before ? OP1 ("Pack", "stack", at) : INTS ("stack", 0);
  inputs[3] = INTS ("stack", 1);
  _flow_gradients_set_int (attrs, before ? "begin_mask" : "end_mask", 1);
  return flow_gradient_close (g, "StridedSlice", attrs, 4, inputs);
}

static FlowEndpoint
item_at (FlowGradient *g,
         FlowEndpoint  x,
         FlowEndpoint  at)
{
  FlowAttrList *attrs = flow_attr_list_new ();
  FlowEndpoint end = BY_NUMBER ("AddV2", "add", at, 1);
  FlowEndpoint inputs[4];

  OPEN ("strided_slice");
  inputs[0] = x;
  inputs[1] = OP1 ("Pack", "stack", at);
  inputs[2] = OP1 ("Pack", "stack", end);
  inputs[3] = INTS ("stack", 1);
  _flow_gradients_set_int (attrs, "shrink_axis_mask", 1);
  return flow_gradient_close (g, "StridedSlice", attrs, 4, inputs);
}

static FlowEndpoint
range_between (FlowGradient *g,
               double        start,
               FlowEndpoint  from,
               FlowEndpoint  limit,
               double        to)
{
  FlowEndpoint delta;

  OPEN ("range");
  if (from.node == FLOW_NODE_NONE)
    from = NUMBER ("start", FLOW_DTYPE_INT32, start);
  if (limit.node == FLOW_NODE_NONE)
    limit = NUMBER ("limit", FLOW_DTYPE_INT32, to);
  delta = NUMBER ("delta", FLOW_DTYPE_INT32, 1);
  return CLOSE ("Range", from, limit, delta);
}

/* ones or zeros of no dimensions. */
static FlowEndpoint
scalar (FlowGradient *g,
        const char   *name,
        int           dtype,
        double        value)
{
  return NUMBER (name, dtype, value);
}

/* Indices into params whose batch dimensions were made one. */
static FlowEndpoint
batch_indices (FlowGradient *g,
               FlowEndpoint  params_shape,
               FlowEndpoint  indices,
               gint64        batch_dims)
{
  int n_dims = _flow_gradients_n_dims (g, indices);
  int dtype = DTYPE (indices);
  FlowEndpoint shape = CAST (params_shape, dtype);
  FlowEndpoint n = scalar (g, "ones", dtype, 1);

  for (gint64 dim = batch_dims; dim > 0 && g->error == NULL; dim--)
    {
      g_autofree FlowEndpoint *parts = g_new (FlowEndpoint, (gsize) MAX (n_dims, (int) dim) + 1);
      FlowEndpoint length = _flow_gradients_item (g, shape, dim - 1);
      FlowEndpoint numbers[2];
      FlowEndpoint value = _flow_gradients_item (g, shape, dim);
      guint n_parts = 0;

      n = MUL (n, value);
      numbers[0] = scalar (g, "zeros", dtype, 0);
      numbers[1] = scalar (g, "ones", dtype, 1);
      value = OP3 ("Range", "range", numbers[0], length, numbers[1]);
      value = MUL (value, n);
      OPEN ("stack");
      for (int i = 0; i < n_dims; i++)
        {
          g_autofree char *name = g_strdup_printf ("%d", i);

          parts[n_parts++] = i == dim - 1 ? length : NUMBER (name, dtype, 1);
        }
      numbers[0] = flow_gradient_close (g, "Pack", NULL, n_parts, parts);
      value = RESHAPE (value, numbers[0]);
      indices = ADD (indices, value);
    }
  return indices;
}

/* The sum of values at indices, the axis being the first after the batch dimensions. */
static FlowEndpoint
batch_gather (FlowGradient *g,
              FlowEndpoint  params_shape,
              FlowEndpoint  values,
              FlowEndpoint  indices,
              gint64        batch_dims,
              FlowEndpoint  n)
{
  FlowEndpoint size = _flow_gradients_expand (g, SIZE (indices), 0);
  FlowEndpoint outer = FLOW_NO_ENDPOINT;
  FlowEndpoint flat = FLOW_NO_ENDPOINT;
  FlowEndpoint value;

  if (batch_dims != 0)
    {
      FlowEndpoint one;

      value = SHAPE (values);
      outer = _flow_gradients_range_of (g, value, 0, batch_dims);
      flat = _flow_gradients_range_of (g, value, batch_dims, FLOW_END_OF_SLICE);
      flat = _flow_gradients_range_of (g, flat, 1, FLOW_END_OF_SLICE);
      OPEN ("Prod");
      one = INTS ("reduction_indices", 0);
      value = CLOSE ("Prod", outer, one);
      OPEN ("concat");
      one = INTS ("values_0", -1);
      flat = flow_gradient_close (g, "ConcatV2", NULL, 3, (FlowEndpoint[3]) { one, flat, NUMBER ("axis", FLOW_DTYPE_INT32, 0) });
      n = MUL (n, value);
      indices = batch_indices (g, params_shape, indices, batch_dims);
      values = RESHAPE (values, flat);
    }
  indices = RESHAPE (indices, size);
  value = OP3 ("UnsortedSegmentSum", NULL, values, indices, n);
  if (batch_dims != 0)
    {
      flat = JOIN (0, outer, flat);
      value = RESHAPE (value, flat);
    }
  return value;
}

/* Along another axis: it is made the first, and moved back. */
static void
gather_along (FlowGradient *g,
              FlowEndpoint  shape,
              gint64        batch_dims)
{
  FlowEndpoint outer = slice_at (g, shape, X (2), TRUE);
  FlowEndpoint inner = slice_at (g, shape, X (2), FALSE);
  FlowEndpoint dims;
  FlowEndpoint n_dims;
  FlowEndpoint n_axis;
  FlowEndpoint before;
  FlowEndpoint batch;
  FlowEndpoint after;
  FlowEndpoint value;
  FlowEndpoint axis;

  inner = _flow_gradients_range_of (g, inner, 1, FLOW_END_OF_SLICE);
  OPEN ("concat");
  dims = INTS ("values_1", -1);
  axis = NUMBER ("axis", FLOW_DTYPE_INT32, 0);
  dims = CLOSE ("ConcatV2", outer, dims, inner, axis);
  n_dims = SIZE (dims);
  n_axis = SIZE (outer);
  before = range_between (g, 0, FLOW_NO_ENDPOINT, FLOW_NO_ENDPOINT, (double) batch_dims);
  batch = range_between (g, (double) batch_dims, FLOW_NO_ENDPOINT, n_axis, 0);
  after = BY_NUMBER ("AddV2", "add", n_axis, 1);
  after = range_between (g, 0, after, n_dims, 0);
  value = RESHAPE (DY (0), dims);
  OPEN ("concat");
  dims = OP1 ("Pack", "values_1", n_axis);
  axis = NUMBER ("axis", FLOW_DTYPE_INT32, 0);
  dims = flow_gradient_close (g, "ConcatV2", NULL, 5, (FlowEndpoint[5]) { before, dims, batch, after, axis });
  value = OP2 ("Transpose", "transpose", value, dims);
  value = batch_gather (g, shape, value, X (1), batch_dims, item_at (g, shape, X (2)));
  batch = BY_NUMBER ("AddV2", "add", batch, 1);
  OPEN ("concat");
  dims = INTS ("values_2", batch_dims);
  axis = NUMBER ("axis", FLOW_DTYPE_INT32, 0);
  dims = flow_gradient_close (g, "ConcatV2", NULL, 5, (FlowEndpoint[5]) { before, batch, dims, after, axis });
  SET (0, OP2 ("Transpose", "transpose", value, dims));
}

static void
grad_gather_v2 (FlowGradient *g)
{
  FlowEndpoint shape = shape_with (g, X (0));
  FlowEndpoint size = _flow_gradients_expand (g, SIZE (X (1)), 0);
  FlowTensor *axis = _flow_gradients_value (g, X (2));
  gint64 batch_dims = _flow_gradients_get_int (g, "batch_dims");

  if (g->error != NULL)
    return;
  if (batch_dims < 0)
    batch_dims += _flow_gradients_n_dims (g, X (1));
  if (axis != NULL && flow_tensor_get_int (axis, 0) == 0)
    set_rows (g, shape, size);
  else
    gather_along (g, shape, CLAMP (batch_dims, 0, FLOW_SHAPE_MAX_RANK));
}

static void
gather_nd (FlowGradient *g,
           FlowEndpoint  shape)
{
  FlowShape *indices = g->error == NULL ? flow_gradient_get_shape (g, X (1)) : NULL;

  if (indices != NULL && indices->rank == 2 && indices->dims[1] == 1 && !flow_gradient_is_rows (g, DY (0)))
    {
      FlowAttrList *attrs = flow_attr_list_new ();
      gint64 last = -1;
      FlowAttr *dims = flow_attr_new_int_list (&last, 1);

      flow_attr_list_set (attrs, "squeeze_dims", dims);
      flow_attr_unref (dims);
      flow_gradient_set_rows (g, 0, DY (0), OP_ATTRS ("Squeeze", NULL, attrs, X (1)), shape);
    }
  else
    SET (0, OP3 ("ScatterNd", NULL, X (1), DY (0), shape));
}

static void
grad_gather_nd (FlowGradient *g)
{
  gather_nd (g, flow_gradient_shape (g, X (0), NULL, DTYPE (X (1)), TRUE));
}

static void
grad_resource_gather_nd (FlowGradient *g)
{
  FlowAttrList *attrs = flow_attr_list_new ();

  _flow_gradients_set_type (attrs, "out_type", DTYPE (X (1)));
  gather_nd (g, OP_ATTRS ("VariableShape", NULL, attrs, X (0)));
}

static void
grad_scatter_nd (FlowGradient *g)
{
  SET (1, OP2 ("GatherNd", NULL, DY (0), X (0)));
}

static void
grad_scatter_update (FlowGradient *g)
{
  FlowEndpoint value;
  FlowEndpoint identity;

  SET (2, OP2 ("GatherNd", NULL, DY (0), X (1)));
  identity = OP1 ("Identity", NULL, DY (0));
  value = ZEROS_LIKE (X (2));
  SET (0, OP3 ("TensorScatterUpdate", NULL, identity, X (1), value));
}

static void
grad_scatter_add (FlowGradient *g)
{
  SET (2, OP2 ("GatherNd", NULL, DY (0), X (1)));
  SET (0, OP1 ("Identity", NULL, DY (0)));
}

static void
grad_scatter_sub (FlowGradient *g)
{
  FlowEndpoint updates = OP2 ("GatherNd", NULL, DY (0), X (1));

  SET (0, OP1 ("Identity", NULL, DY (0)));
  SET (2, NEG (updates));
}

static void
grad_scatter_nd_add (FlowGradient *g)
{
  SET (2, OP2 ("GatherNd", NULL, DY (0), X (1)));
  SET (0, DY (0));
}

static const FlowGradientDef defs[] = {
  { "Gather", grad_gather },
  { "GatherV2", grad_gather_v2 },
  { "ResourceGather", grad_resource_gather },
  { "GatherNd", grad_gather_nd },
  { "ResourceGatherNd", grad_resource_gather_nd },
  { "ScatterNd", grad_scatter_nd },
  { "ScatterNdNonAliasingAdd", grad_scatter_nd_add },
  { "TensorScatterUpdate", grad_scatter_update },
  { "TensorScatterAdd", grad_scatter_add },
  { "TensorScatterSub", grad_scatter_sub },
};

void
_flow_gradients_add_gather (void)
{
  flow_gradient_registry_add (defs, G_N_ELEMENTS (defs));
}
