/* flow-gradients-array.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-gradients-private.h"

/* Gradients of what moves elements without changing them: shapes, slices, joins, rows. */

static void
grad_pass (FlowGradient *g)
{
  g->in_grads[0] = g->out_grads[0];
}

static void
grad_reshape (FlowGradient *g)
{
  FlowEndpoint shape = SHAPE (X (0));

  flow_gradient_set (g, 0, OP ("Reshape", NULL, DY (0), shape));
}

static void
grad_transpose (FlowGradient *g)
{
  FlowEndpoint perm = OP ("InvertPermutation", NULL, X (1));

  flow_gradient_set (g, 0, OP ("Transpose", "transpose", DY (0), perm));
}

static void
set_int (FlowAttrList *attrs,
         const char   *name,
         gint64        value)
{
  FlowAttr *attr = flow_attr_new_int (value);

  flow_attr_list_set (attrs, name, attr);
  flow_attr_unref (attr);
}

static void
grad_pack (FlowGradient *g)
{
  FlowAttrList *attrs = flow_gradient_copy_attrs (g, "axis");
  FlowEndpoint parts;

  set_int (attrs, "num", g->n_inputs);
  parts = OP_ATTRS ("Unpack", "unstack", attrs, DY (0));
  for (guint i = 0; i < g->n_inputs; i++)
    flow_gradient_set (g, i, SLOT (parts, (gint32) i));
}

static void
grad_unpack (FlowGradient *g)
{
  g_autofree FlowEndpoint *parts = g_new (FlowEndpoint, MAX (g->n_outputs, 1));

  for (guint i = 0; i < g->n_outputs; i++)
    parts[i] = DY (i);
  flow_gradient_set (g, 0, flow_gradient_add (g, "Pack", "stack", flow_gradient_copy_attrs (g, "axis"), g->n_outputs, parts));
}

static void
grad_split (FlowGradient *g)
{
  g_autofree FlowEndpoint *parts = g_new (FlowEndpoint, g->n_outputs + 1);

  for (guint i = 0; i < g->n_outputs; i++)
    parts[i] = DY (i);
  parts[g->n_outputs] = X (0);
  flow_gradient_set (g, 1, flow_gradient_add (g, "ConcatV2", "concat", NULL, g->n_outputs + 1, parts));
}

/* Up to 16 inputs, as ConcatOffset and a Slice each. */
static void
grad_concat (FlowGradient *g)
{
  guint n = g->n_inputs - 1;
  g_autofree FlowEndpoint *parts = g_new (FlowEndpoint, n + 1);
  FlowEndpoint offsets;
  FlowEndpoint rank;
  gboolean known = TRUE;

  if (n == 1)
    {
      flow_gradient_set (g, 0, DY (0));
      return;
    }
  rank = flow_gradient_rank (g, X (0));
  parts[0] = OP ("FloorMod", "mod", X (n), rank);
  for (guint i = 0; i < n && known && g->error == NULL; i++)
    {
      known = flow_gradient_is_known (g, X (i));
      parts[i + 1] = SHAPE (X (i));
    }
  if (!known && g->error == NULL)
    {
      g_autofree FlowEndpoint *inputs = g_new (FlowEndpoint, n);
      FlowEndpoint shapes;

      for (guint i = 0; i < n; i++)
        inputs[i] = X (i);
      shapes = flow_gradient_add (g, "ShapeN", NULL, NULL, n, inputs);
      for (guint i = 0; i < n; i++)
        parts[i + 1] = SLOT (shapes, (gint32) i);
    }
  offsets = flow_gradient_add (g, "ConcatOffset", NULL, NULL, n + 1, parts);
  for (guint i = 0; i < n; i++)
    flow_gradient_set (g, i, OP ("Slice", NULL, DY (0), SLOT (offsets, (gint32) i), parts[i + 1]));
}

static FlowEndpoint
pack_number_and (FlowGradient *g,
                 FlowEndpoint  x,
                 gint64        number)
{
  FlowEndpoint one;
  FlowEndpoint parts[2];

  OPEN ("stack");
  one = NUMBER ("1", FLOW_DTYPE_INT32, (double) number);
  parts[0] = x;
  parts[1] = one;
  return flow_gradient_close (g, "Pack", NULL, 2, parts);
}

static FlowEndpoint
join (FlowGradient *g,
      FlowEndpoint  a,
      FlowEndpoint  b,
      gint64        axis)
{
  FlowEndpoint c;

  OPEN ("concat");
  c = NUMBER ("axis", FLOW_DTYPE_INT32, (double) axis);
  return CLOSE ("ConcatV2", a, b, c);
}

static void
grad_slice (FlowGradient *g)
{
  FlowEndpoint rank = flow_gradient_rank (g, X (0));
  FlowEndpoint size = SHAPE (Y (0));
  FlowEndpoint shape = pack_number_and (g, rank, 1);
  FlowEndpoint before = OP ("Reshape", NULL, X (1), shape);
  FlowEndpoint input = SHAPE (X (0));
  FlowEndpoint after = OP ("Sub", "sub", input, size);

  after = OP ("Sub", "sub", after, X (1));
  after = OP ("Reshape", NULL, after, shape);
  flow_gradient_set (g, 0, OP ("Pad", NULL, DY (0), join (g, before, after, 1)));
}

static void
grad_strided_slice (FlowGradient *g)
{
  FlowEndpoint shape = flow_gradient_shape (g, X (0), NULL, DTYPE (X (1)), TRUE);
  FlowAttrList *attrs = flow_gradient_copy_attrs (g, "begin_mask end_mask ellipsis_mask new_axis_mask shrink_axis_mask");

  flow_gradient_set (g, 0, OP_ATTRS ("StridedSliceGrad", NULL, attrs, shape, X (1), X (2), X (3), DY (0)));
}

static void
grad_pad (FlowGradient *g)
{
  FlowEndpoint rank = flow_gradient_rank (g, X (0));
  FlowEndpoint size = pack_number_and (g, rank, 1);
  FlowEndpoint begin;
  gint64 zeros[2] = { 0, 0 };
  gint64 flat = -1;

  OPEN ("Slice");
  begin = flow_gradient_ints (g, "begin", FLOW_DTYPE_INT32, zeros, 2);
  begin = CLOSE ("Slice", X (1), begin, size);
  OPEN ("Reshape");
  size = flow_gradient_ints (g, "shape", FLOW_DTYPE_INT32, &flat, 1);
  begin = CLOSE ("Reshape", begin, size);
  size = SHAPE (X (0));
  flow_gradient_set (g, 0, OP ("Slice", NULL, DY (0), begin, size));
}

/* Interleaves multiples and shape, and sums over what was repeated. */
static void
grad_tile (FlowGradient *g)
{
  FlowEndpoint input = SHAPE (X (0));
  FlowEndpoint split = OP ("Pack", "stack", X (1), input);
  FlowEndpoint value;
  FlowEndpoint start;
  FlowEndpoint size;
  FlowEndpoint axes;
  gint64 flat = -1;
  gint64 swap[2] = { 1, 0 };

  OPEN ("transpose");
  start = flow_gradient_ints (g, "perm", FLOW_DTYPE_INT32, swap, 2);
  value = CLOSE ("Transpose", split, start);
  OPEN ("Reshape");
  start = flow_gradient_ints (g, "shape", FLOW_DTYPE_INT32, &flat, 1);
  split = CLOSE ("Reshape", value, start);
  size = flow_gradient_size (g, split);
  OPEN ("range");
  start = NUMBER ("start", FLOW_DTYPE_INT32, 0);
  axes = NUMBER ("delta", FLOW_DTYPE_INT32, 2);
  axes = CLOSE ("Range", start, size, axes);
  value = OP ("Reshape", NULL, DY (0), split);
  flow_gradient_set (g, 0, OP ("Sum", NULL, value, axes));
}

static FlowEndpoint
tail_of (FlowGradient *g,
         FlowEndpoint  shape)
{
  FlowEndpoint begin;
  FlowEndpoint end;
  FlowEndpoint step;
  FlowAttrList *attrs = flow_attr_list_new ();
  gint64 one = 1;
  gint64 zero = 0;
  FlowEndpoint inputs[4];

  OPEN ("strided_slice");
  begin = flow_gradient_ints (g, "stack", FLOW_DTYPE_INT32, &one, 1);
  end = flow_gradient_ints (g, "stack", FLOW_DTYPE_INT32, &zero, 1);
  step = flow_gradient_ints (g, "stack", FLOW_DTYPE_INT32, &one, 1);
  set_int (attrs, "end_mask", 1);
  inputs[0] = shape;
  inputs[1] = begin;
  inputs[2] = end;
  inputs[3] = step;
  return flow_gradient_close (g, "StridedSlice", attrs, 4, inputs);
}

static FlowEndpoint
as_vector (FlowGradient *g,
           FlowEndpoint  x)
{
  FlowEndpoint dim;

  OPEN ("ExpandDims");
  dim = NUMBER ("dim", FLOW_DTYPE_INT32, 0);
  return CLOSE ("ExpandDims", x, dim);
}

/* Rows for axis 0; other axes by sorting are not differentiated here. */
static void
grad_gather (FlowGradient *g)
{
  FlowTensor *axis = g->n_inputs > 2 ? g->maker->get_value (g->maker->self, X (2)) : NULL;
  FlowEndpoint shape;
  FlowEndpoint size;
  FlowEndpoint values;
  FlowEndpoint indices;

  if (g->n_inputs > 2 && (axis == NULL || flow_tensor_get_int (axis, 0) != 0))
    {
      g_set_error (&g->error, FLOW_ERROR, FLOW_ERROR_UNIMPLEMENTED,
                   "No gradient defined for operation '%s' (op type: GatherV2) along an axis other than 0",
                   g->maker->get_name (g->maker->self, g->node));
      return;
    }
  flow_gradient_with (g, X (0));
  shape = flow_gradient_shape (g, X (0), NULL, FLOW_DTYPE_INT64, TRUE);
  shape = flow_gradient_cast (g, shape, FLOW_DTYPE_INT32);
  flow_gradient_leave (g);
  size = as_vector (g, flow_gradient_size (g, X (1)));
  values = join (g, size, tail_of (g, shape), 0);
  values = OP ("Reshape", NULL, DY (0), values);
  indices = OP ("Reshape", NULL, X (1), size);
  flow_gradient_set_rows (g, 0, values, indices, shape);
}

static void
grad_resource_gather (FlowGradient *g)
{
  FlowEndpoint shape = OP ("VariableShape", NULL, X (0));
  FlowEndpoint size = as_vector (g, flow_gradient_size (g, X (1)));
  FlowEndpoint values = join (g, size, tail_of (g, shape), 0);
  FlowEndpoint indices;

  values = OP ("Reshape", NULL, DY (0), values);
  indices = OP ("Reshape", NULL, X (1), size);
  flow_gradient_set_rows (g, 0, values, indices, shape);
}

static void
grad_gather_nd (FlowGradient *g)
{
  FlowEndpoint shape = flow_gradient_shape (g, X (0), NULL, DTYPE (X (1)), TRUE);

  flow_gradient_set (g, 0, OP ("ScatterNd", NULL, X (1), DY (0), shape));
}

static void
grad_roll (FlowGradient *g)
{
  FlowEndpoint back = OP ("Neg", NULL, X (1));

  flow_gradient_set (g, 0, OP ("Roll", NULL, DY (0), back, X (2)));
}

static const FlowGradientDef defs[] = {
  { "Identity RefIdentity ReadVariableOp PlaceholderWithDefault", grad_pass },
  { "Reshape Squeeze ExpandDims", grad_reshape },
  { "Transpose", grad_transpose },
  { "Pack", grad_pack },
  { "Unpack", grad_unpack },
  { "Split", grad_split },
  { "ConcatV2", grad_concat },
  { "Slice", grad_slice },
  { "StridedSlice", grad_strided_slice },
  { "Pad", grad_pad },
  { "Tile", grad_tile },
  { "Gather GatherV2", grad_gather },
  { "ResourceGather", grad_resource_gather },
  { "GatherNd", grad_gather_nd },
  { "Roll", grad_roll },
  { "StopGradient Shape ShapeN Size Rank ZerosLike OnesLike OneHot ConcatOffset InvertPermutation BroadcastGradientArgs "
    "Variable VariableV2 VarHandleOp Placeholder Assign IsVariableInitialized VarIsInitializedOp VariableShape", NULL },
};

void
_flow_gradients_add_array (void)
{
  flow_gradient_registry_add (defs, G_N_ELEMENTS (defs));
}
