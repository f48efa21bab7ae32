/* flow-gradients-reduce.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-gradients-private.h"

#include <math.h>

/* Gradients of reductions and of running sums. */

/* The shape of the input with 1 for every reduced axis, and what to tile by. */
static gboolean
reduced_dims (FlowGradient *g,
              gint64       *reduced,
              gint64       *tiles)
{
  FlowShape *shape = flow_gradient_get_shape (g, X (0));
  FlowTensor *axes = _flow_gradients_value (g, X (1));

  if (axes == NULL)
    return FALSE;
  for (int i = 0; i < shape->rank; i++)
    {
      reduced[i] = shape->dims[i];
      tiles[i] = 1;
    }
  for (gint64 i = 0; i < flow_tensor_get_n_elements (axes); i++)
    {
      gint64 axis = flow_tensor_get_int (axes, i);

      axis = axis < 0 ? axis + shape->rank : axis;
      if (axis < 0 || axis >= shape->rank)
        return FALSE;
      tiles[axis] = shape->dims[axis];
      reduced[axis] = 1;
    }
  return TRUE;
}

/* What the cache of static shapes leaves behind the first time: the same nodes over constants. */
static void
leave_reduced_shape (FlowGradient *g,
                     FlowTensor   *axes)
{
  FlowShape *shape = flow_gradient_get_shape (g, X (0));
  g_autoptr (GString) key = g_string_new ("reduced ");
  g_autofree char *text = flow_shape_to_string (shape);
  g_autofree gint64 *numbers = NULL;
  gint64 n = flow_tensor_get_n_elements (axes);
  FlowEndpoint input_shape;
  FlowEndpoint axes_in;
  FlowEndpoint kept;

  g_string_append (key, text);
  numbers = g_new0 (gint64, MAX (n, 1));
  for (gint64 i = 0; i < n; i++)
    {
      numbers[i] = flow_tensor_get_int (axes, i);
      g_string_append_printf (key, " %" G_GINT64_FORMAT, numbers[i]);
    }
  if (!flow_gradient_first_time (g, g_strdup (key->str)))
    return;
  OPEN ("Cast");
  input_shape = flow_gradient_ints (g, "x", FLOW_DTYPE_INT32, shape->dims, (guint) shape->rank);
  flow_gradient_leave (g);
  OPEN ("Cast");
  if (n > 0)
    {
      axes_in = flow_gradient_ints (g, "x", FLOW_DTYPE_INT32, numbers, (guint) n);
      flow_gradient_leave (g);
    }
  else
    {
      FlowAttrList *attrs = flow_attr_list_new ();

      /* An empty list of Python's is one of floats. */
      _flow_gradients_set_type (attrs, "DstT", FLOW_DTYPE_INT32);
      axes_in = flow_gradient_ints (g, "x", FLOW_DTYPE_FLOAT, numbers, 0);
      axes_in = flow_gradient_close (g, "Cast", attrs, 1, &axes_in);
    }
  kept = _flow_gradients_reduced_shape (g, input_shape, axes_in);
  OPEN ("Maximum");
  {
    FlowEndpoint x = FLOW_NO_ENDPOINT;
    FlowEndpoint y;
    gint64 reduced[FLOW_SHAPE_MAX_RANK];
    gint64 tiles[FLOW_SHAPE_MAX_RANK];

    reduced_dims (g, reduced, tiles);
    x = flow_gradient_ints (g, "x", FLOW_DTYPE_INT32, reduced, (guint) shape->rank);
    y = NUMBER ("y", FLOW_DTYPE_INT32, 1);
    kept = CLOSE ("Maximum", x, y);
    OPEN ("floordiv");
    x = flow_gradient_ints (g, "x", FLOW_DTYPE_INT32, shape->dims, (guint) shape->rank);
    CLOSE ("FloorDiv", x, kept);
  }
}

static FlowEndpoint
tile (FlowGradient *g,
      FlowEndpoint  value,
      FlowEndpoint  multiples)
{
  return OP ("Tile", NULL, value, multiples);
}

static FlowEndpoint
sum_dynamic (FlowGradient *g)
{
  FlowEndpoint input_shape = flow_gradient_shape (g, X (0), NULL, FLOW_DTYPE_INT32, TRUE);
  FlowEndpoint kept;
  FlowEndpoint tiles;
  FlowEndpoint value;

  flow_gradient_with (g, input_shape);
  kept = _flow_gradients_reduced_shape (g, input_shape, X (1));
  value = _flow_gradients_with_number (g, "Maximum", "Maximum", kept, 1, FALSE);
  tiles = OP ("FloorDiv", "floordiv", input_shape, value);
  flow_gradient_leave (g);
  value = OP ("Reshape", NULL, DY (0), kept);
  return tile (g, value, tiles);
}

static FlowEndpoint
sum_all (FlowGradient *g)
{
  FlowShape *shape = flow_gradient_get_shape (g, X (0));
  g_autofree gint64 *ones = g_new (gint64, MAX (shape->rank, 1));
  FlowEndpoint value;
  FlowEndpoint input_shape;

  for (int i = 0; i < shape->rank; i++)
    ones[i] = 1;
  OPEN ("Reshape");
  value = flow_gradient_ints (g, "shape", FLOW_DTYPE_INT32, ones, (guint) shape->rank);
  value = CLOSE ("Reshape", DY (0), value);
  input_shape = flow_shape_is_known (shape)
                ? flow_gradient_ints (g, "Const", FLOW_DTYPE_INT32, shape->dims, (guint) shape->rank)
                : flow_gradient_shape (g, X (0), NULL, FLOW_DTYPE_INT32, TRUE);
  return tile (g, value, input_shape);
}

static gboolean
reduces_all (FlowGradient *g,
             FlowTensor   *axes)
{
  FlowShape *shape = flow_gradient_get_shape (g, X (0));

  if (axes == NULL || shape->rank < 0 || flow_tensor_get_n_elements (axes) != shape->rank
      || flow_tensor_get_rank (axes) != 1)
    return FALSE;
  for (int i = 0; i < shape->rank; i++)
    if (flow_tensor_get_int (axes, i) != i)
      return FALSE;
  return TRUE;
}

static FlowEndpoint
sum_rule (FlowGradient *g)
{
  FlowShape *shape;
  FlowTensor *axes;
  gint64 reduced[FLOW_SHAPE_MAX_RANK];
  gint64 tiles[FLOW_SHAPE_MAX_RANK];
  FlowEndpoint value;
  FlowEndpoint numbers;

  if (g->error != NULL)
    return FLOW_NO_ENDPOINT;
  shape = flow_gradient_get_shape (g, X (0));
  axes = _flow_gradients_value (g, X (1));
  if (reduces_all (g, axes))
    return sum_all (g);
  if (axes == NULL || !flow_shape_is_known (shape) || !reduced_dims (g, reduced, tiles))
    return sum_dynamic (g);
  leave_reduced_shape (g, axes);
  OPEN ("Reshape");
  numbers = flow_gradient_ints (g, "shape", FLOW_DTYPE_INT32, reduced, (guint) shape->rank);
  value = CLOSE ("Reshape", DY (0), numbers);
  OPEN ("Tile");
  numbers = flow_gradient_ints (g, "multiples", FLOW_DTYPE_INT32, tiles, (guint) shape->rank);
  return CLOSE ("Tile", value, numbers);
}

static void
grad_sum (FlowGradient *g)
{
  flow_gradient_set (g, 0, sum_rule (g));
}

static void
grad_mean (FlowGradient *g)
{
  FlowEndpoint sum = sum_rule (g);
  FlowShape *in;
  FlowShape *out;
  gint64 n_in;
  gint64 n_out;
  FlowEndpoint factor;
  FlowEndpoint size;

  if (g->error != NULL)
    return;
  in = flow_gradient_get_shape (g, X (0));
  out = flow_gradient_get_shape (g, Y (0));
  if (flow_shape_is_known (in) && flow_shape_is_known (out) && flow_shape_n_elements (in, &n_in)
      && flow_shape_n_elements (out, &n_out))
    factor = NUMBER (NULL, DTYPE (sum), (double) (n_in / MAX (n_out, 1)));
  else
    {
      FlowEndpoint input_shape = SHAPE (X (0));
      FlowEndpoint output_shape = SHAPE (Y (0));
      gint64 zero = 0;

      factor = flow_gradient_ints (g, "Const", FLOW_DTYPE_INT32, &zero, 1);
      factor = OP ("Prod", NULL, input_shape, factor);
      size = flow_gradient_ints (g, "Const", FLOW_DTYPE_INT32, &zero, 1);
      size = OP ("Prod", NULL, output_shape, size);
      size = _flow_gradients_with_number (g, "Maximum", "Maximum", size, 1, FALSE);
      factor = OP ("FloorDiv", "floordiv", factor, size);
      factor = flow_gradient_cast (g, factor, DTYPE (sum));
    }
  flow_gradient_set (g, 0, OP ("RealDiv", "truediv", sum, factor));
}

/* Max and Min: equally to all that are it. */
static void
grad_extreme (FlowGradient *g)
{
  FlowEndpoint input_shape = SHAPE (X (0));
  FlowEndpoint kept = _flow_gradients_reduced_shape (g, input_shape, X (1));
  FlowEndpoint y = OP ("Reshape", NULL, Y (0), kept);
  FlowEndpoint dy = OP ("Reshape", NULL, DY (0), kept);
  FlowEndpoint is_it = OP ("Equal", NULL, y, X (0));
  FlowEndpoint count;

  is_it = flow_gradient_cast (g, is_it, DTYPE (dy));
  count = OP ("Sum", NULL, is_it, X (1));
  count = OP ("Reshape", NULL, count, kept);
  flow_gradient_set (g, 0, OP ("Mul", "mul", OP ("RealDiv", "truediv", is_it, count), dy));
}


static void
grad_prod (FlowGradient *g)
{
  FlowEndpoint input_shape = SHAPE (X (0));
  FlowEndpoint indices = RESHAPE_TO (X (1), -1);
  FlowEndpoint kept = _flow_gradients_reduced_shape (g, input_shape, X (1));
  FlowEndpoint tiles = BY_NUMBER ("Maximum", "Maximum", kept, 1);
  FlowEndpoint dy;
  FlowEndpoint rank;
  FlowEndpoint other;
  FlowEndpoint perm;
  FlowEndpoint numbers[2];
  FlowEndpoint permuted;
  FlowEndpoint permuted_shape;
  FlowEndpoint left;
  FlowEndpoint right;
  FlowEndpoint axis;
  FlowAttrList *attrs = NULL;

  tiles = FLOORDIV (input_shape, tiles);
  dy = RESHAPE (DY (0), kept);
  dy = tile (g, dy, tiles);
  flow_gradient_enter_device (g, "/cpu:0");
  rank = RANK (X (0));
  indices = ADD (indices, rank);
  indices = CAST (MOD (indices, rank), FLOW_DTYPE_INT32);
  OPEN ("range");
  numbers[0] = NUMBER ("start", FLOW_DTYPE_INT32, 0);
  numbers[1] = NUMBER ("delta", FLOW_DTYPE_INT32, 1);
  other = CLOSE ("Range", numbers[0], rank, numbers[1]);
  attrs = flow_attr_list_new ();
  _flow_gradients_set_type (attrs, "out_idx", FLOW_DTYPE_INT32);
  other = OP_ATTRS ("ListDiff", NULL, attrs, other, indices);
  perm = JOIN (0, indices, other);
  numbers[0] = _flow_gradients_reduce_all (g, "Prod", GATHER (input_shape, indices));
  numbers[1] = _flow_gradients_reduce_all (g, "Prod", GATHER (input_shape, other));
  LEAVE ();
  permuted = OP2 ("Transpose", "transpose", X (0), perm);
  permuted_shape = SHAPE (permuted);
  OPEN ("Reshape");
  left = OP2 ("Pack", "shape", numbers[0], numbers[1]);
  left = CLOSE ("Reshape", permuted, left);
  permuted = left;
  OPEN ("Cumprod");
  axis = NUMBER ("axis", FLOW_DTYPE_INT32, 0);
  attrs = _flow_gradients_bool_attr ("exclusive", TRUE);
  left = flow_gradient_close (g, "Cumprod", attrs, 2, (FlowEndpoint[2]) { permuted, axis });
  OPEN ("Cumprod");
  axis = NUMBER ("axis", FLOW_DTYPE_INT32, 0);
  attrs = _flow_gradients_bool_attr ("exclusive", TRUE);
  _flow_gradients_set_bool (attrs, "reverse", TRUE);
  right = flow_gradient_close (g, "Cumprod", attrs, 2, (FlowEndpoint[2]) { permuted, axis });
  left = CONJ (left);
  right = CONJ (right);
  left = MUL (left, right);
  left = RESHAPE (left, permuted_shape);
  perm = OP1 ("InvertPermutation", NULL, perm);
  left = OP2 ("Transpose", "transpose", left, perm);
  left = MUL (dy, left);
  SET (0, RESHAPE (left, input_shape));
}

static FlowEndpoint
run_back (FlowGradient *g,
          const char   *type,
          FlowEndpoint  x)
{
  FlowAttrList *attrs = ATTRS ("exclusive");

  _flow_gradients_set_bool (attrs, "reverse", !_flow_gradients_get_bool (g, "reverse"));
  return OP_ATTRS (type, NULL, attrs, x, X (1));
}

static void
grad_cumsum (FlowGradient *g)
{
  SET (0, run_back (g, "Cumsum", DY (0)));
}

static void
grad_cumprod (FlowGradient *g)
{
  FlowEndpoint value = OP_ATTRS ("Cumprod", NULL, ATTRS ("exclusive reverse"), X (0), X (1));

  value = MUL (value, DY (0));
  value = run_back (g, "Cumsum", value);
  SET (0, DIV (value, X (0)));
}

/* The logarithm of what of @dy is on one side of 0, the least number elsewhere. */
static FlowEndpoint
log_of_side (FlowGradient *g,
             const char   *compare,
             gboolean      negate)
{
  FlowEndpoint is_side = BY_NUMBER (compare, compare, DY (0), 0);
  FlowEndpoint value = negate ? NEG (DY (0)) : DY (0);
  FlowEndpoint least;
  int dtype = DTYPE (DY (0));

  value = OP1 ("Log", NULL, value);
  OPEN ("SelectV2");
  least = NUMBER ("e", dtype, dtype == FLOW_DTYPE_DOUBLE ? -G_MAXDOUBLE : dtype == FLOW_DTYPE_HALF ? -65504 : -G_MAXFLOAT);
  return CLOSE ("SelectV2", is_side, value, least);
}

static void
grad_cumulative_logsumexp (FlowGradient *g)
{
  FlowEndpoint sides[2];

  sides[0] = log_of_side (g, "Greater", FALSE);
  sides[1] = log_of_side (g, "Less", TRUE);
  for (guint i = 0; i < 2; i++)
    {
      sides[i] = SUB (sides[i], Y (0));
      sides[i] = run_back (g, "CumulativeLogsumexp", sides[i]);
      sides[i] = ADD (sides[i], X (0));
      sides[i] = OP1 ("Exp", NULL, sides[i]);
    }
  SET (0, SUB (sides[0], sides[1]));
}

static const FlowGradientDef defs[] = {
  { "Sum", grad_sum },
  { "Mean", grad_mean },
  { "Prod", grad_prod },
  { "Max Min", grad_extreme },
  { "Cumsum", grad_cumsum },
  { "Cumprod", grad_cumprod },
  { "CumulativeLogsumexp", grad_cumulative_logsumexp },
};

void
_flow_gradients_add_reduce (void)
{
  flow_gradient_registry_add (defs, G_N_ELEMENTS (defs));
}
