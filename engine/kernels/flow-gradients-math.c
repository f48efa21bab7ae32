/* flow-gradients-math.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-gradients-private.h"

#include <math.h>

/* Gradients of arithmetic and reductions: what they make, and in which order, is TensorFlow 1.15.5's. */

FlowEndpoint
_flow_gradients_with_number (FlowGradient *g,
                             const char   *type,
                             const char   *name,
                             FlowEndpoint  x,
                             double        number,
                             gboolean      number_first)
{
  FlowEndpoint c;

  OPEN (name);
  c = NUMBER (number_first ? "x" : "y", DTYPE (x), number);
  return number_first ? CLOSE (type, c, x) : CLOSE (type, x, c);
}

FlowAttrList *
_flow_gradients_bool_attr (const char *name,
                           gboolean    value)
{
  FlowAttrList *attrs = flow_attr_list_new ();
  FlowAttr *attr = flow_attr_new_bool (value);

  flow_attr_list_set (attrs, name, attr);
  flow_attr_unref (attr);
  return attrs;
}

FlowEndpoint
_flow_gradients_expand_last (FlowGradient *g,
                             FlowEndpoint  x)
{
  FlowEndpoint dim;

  OPEN ("ExpandDims");
  dim = NUMBER ("dim", FLOW_DTYPE_INT32, -1);
  return CLOSE ("ExpandDims", x, dim);
}

FlowEndpoint
_flow_gradients_sum_axis (FlowGradient *g,
                          FlowEndpoint  x,
                          gint64        axis,
                          gboolean      as_list,
                          gboolean      keep)
{
  FlowEndpoint axes;
  FlowEndpoint inputs[2];

  OPEN ("Sum");
  axes = as_list ? flow_gradient_ints (g, "reduction_indices", FLOW_DTYPE_INT32, &axis, 1)
                 : NUMBER ("reduction_indices", FLOW_DTYPE_INT32, (double) axis);
  inputs[0] = x;
  inputs[1] = axes;
  return flow_gradient_close (g, "Sum", _flow_gradients_bool_attr ("keep_dims", keep), 2, inputs);
}

/* --- Broadcasting --- */

typedef struct {
  FlowEndpoint shape[2];
  FlowEndpoint axes[2];
  gboolean must_reduce[2];
  gboolean is_static;
  GArray *dims[2];             /* of gint64: the axes, where they are known */
} Broadcast;

static gboolean
all_known (FlowGradient *g)
{
  return flow_gradient_is_known (g, X (0)) && flow_gradient_is_known (g, X (1)) && flow_gradient_is_known (g, DY (0));
}

static gboolean
all_equal (FlowGradient *g)
{
  return g->error == NULL && all_known (g)
         && flow_shape_equal (flow_gradient_get_shape (g, X (0)), flow_gradient_get_shape (g, X (1)))
         && flow_shape_equal (flow_gradient_get_shape (g, X (0)), flow_gradient_get_shape (g, DY (0)));
}

/* The axes along which an operand of that shape was spread to the other's. */
static GArray *
spread_axes (const FlowShape *self,
             const FlowShape *other)
{
  GArray *axes = g_array_new (FALSE, FALSE, sizeof (gint64));
  int rank = MAX (self->rank, other->rank);

  for (int i = 0; i < rank; i++)
    {
      gint64 a = i - (rank - self->rank) >= 0 ? self->dims[i - (rank - self->rank)] : 1;
      gint64 b = i - (rank - other->rank) >= 0 ? other->dims[i - (rank - other->rank)] : 1;
      gint64 axis = i;

      if (a == 1 && (b != 1 || i < rank - self->rank || b == 1))
        g_array_append_val (axes, axis);
    }
  return axes;
}

static void
broadcast_static (FlowGradient *g,
                  Broadcast    *b)
{
  FlowShape *shapes[2] = { flow_gradient_get_shape (g, X (0)), flow_gradient_get_shape (g, X (1)) };
  g_autofree char *first = flow_shape_to_string (shapes[0]);
  g_autofree char *second = flow_shape_to_string (shapes[1]);

  b->is_static = TRUE;
  for (guint i = 0; i < 2; i++)
    {
      b->must_reduce[i] = !flow_shape_equal (shapes[i], flow_gradient_get_shape (g, DY (0)));
      b->dims[i] = spread_axes (shapes[i], shapes[1 - i]);
    }
  if (flow_gradient_first_time (g, g_strdup_printf ("broadcast %s %s", first, second)))
    {
      FlowEndpoint s0;
      FlowEndpoint s1;

      OPEN ("BroadcastGradientArgs");
      s0 = flow_gradient_ints (g, "s0", FLOW_DTYPE_INT32, shapes[0]->dims, (guint) shapes[0]->rank);
      s1 = flow_gradient_ints (g, "s1", FLOW_DTYPE_INT32, shapes[1]->dims, (guint) shapes[1]->rank);
      CLOSE ("BroadcastGradientArgs", s0, s1);
    }
}

static void
broadcast_dynamic (FlowGradient *g,
                   Broadcast    *b,
                   gboolean      fold)
{
  FlowEndpoint args;

  b->shape[0] = flow_gradient_shape (g, X (0), NULL, FLOW_DTYPE_INT32, fold);
  b->shape[1] = flow_gradient_shape (g, X (1), NULL, FLOW_DTYPE_INT32, fold);
  args = OP ("BroadcastGradientArgs", NULL, b->shape[0], b->shape[1]);
  b->axes[0] = args;
  b->axes[1] = SLOT (args, 1);
  b->must_reduce[0] = b->must_reduce[1] = TRUE;
}

static void
broadcast (FlowGradient *g,
           Broadcast    *b)
{
  if (g->error != NULL)
    return;
  if (all_known (g))
    broadcast_static (g, b);
  else
    broadcast_dynamic (g, b, FALSE);
}

static FlowEndpoint
reduce_to (FlowGradient *g,
           Broadcast    *b,
           guint         i,
           FlowEndpoint  value)
{
  FlowEndpoint axes;
  FlowEndpoint sum;
  FlowShape *shape;

  if (g->error != NULL || !b->must_reduce[i])
    return value;
  if (!b->is_static)
    {
      sum = OP_ATTRS ("Sum", NULL, _flow_gradients_bool_attr ("keep_dims", FALSE), value, b->axes[i]);
      return OP ("Reshape", NULL, sum, b->shape[i]);
    }
  shape = flow_gradient_get_shape (g, X (i));
  OPEN ("Sum");
  axes = flow_gradient_ints (g, "reduction_indices", FLOW_DTYPE_INT32, (gint64 *) (gpointer) b->dims[i]->data, b->dims[i]->len);
  sum = CLOSE ("Sum", value, axes);
  OPEN ("Reshape");
  axes = flow_gradient_ints (g, "shape", FLOW_DTYPE_INT32, shape->dims, (guint) shape->rank);
  return CLOSE ("Reshape", sum, axes);
}

static void
broadcast_clear (Broadcast *b)
{
  for (guint i = 0; i < 2; i++)
    g_clear_pointer (&b->dims[i], g_array_unref);
}

static void
grad_add (FlowGradient *g)
{
  Broadcast b = { 0 };

  flow_gradient_set (g, 0, DY (0));
  flow_gradient_set (g, 1, DY (0));
  if (all_equal (g))
    return;
  broadcast (g, &b);
  flow_gradient_set (g, 0, reduce_to (g, &b, 0, DY (0)));
  flow_gradient_set (g, 1, reduce_to (g, &b, 1, DY (0)));
  broadcast_clear (&b);
}

static void
grad_sub (FlowGradient *g)
{
  Broadcast b = { 0 };

  if (all_equal (g))
    {
      flow_gradient_set (g, 0, DY (0));
      flow_gradient_set (g, 1, OP ("Neg", NULL, DY (0)));
      return;
    }
  broadcast (g, &b);
  flow_gradient_set (g, 0, reduce_to (g, &b, 0, DY (0)));
  flow_gradient_set (g, 1, reduce_to (g, &b, 1, OP ("Neg", NULL, DY (0))));
  broadcast_clear (&b);
}

static void
grad_mul (FlowGradient *g)
{
  Broadcast b = { 0 };
  int dtype = DTYPE (X (0));

  if (all_equal (g) && (dtype == FLOW_DTYPE_FLOAT || dtype == FLOW_DTYPE_INT32))
    {
      flow_gradient_set (g, 0, OP ("Mul", NULL, DY (0), X (1)));
      flow_gradient_set (g, 1, OP ("Mul", NULL, DY (0), X (0)));
      return;
    }
  broadcast (g, &b);
  flow_gradient_set (g, 0, reduce_to (g, &b, 0, OP ("Mul", NULL, DY (0), X (1))));
  flow_gradient_set (g, 1, reduce_to (g, &b, 1, OP ("Mul", NULL, X (0), DY (0))));
  broadcast_clear (&b);
}

/* RealDiv, Div and DivNoNan, each by its own kind of division. */
static void
grad_div (FlowGradient *g,
          const char   *type,
          const char   *name)
{
  Broadcast b = { 0 };
  FlowEndpoint value;

  broadcast_dynamic (g, &b, TRUE);
  flow_gradient_set (g, 0, reduce_to (g, &b, 0, OP (type, name, DY (0), X (1))));
  value = OP ("Neg", NULL, X (0));
  value = OP (type, name, value, X (1));
  value = OP (type, name, value, X (1));
  flow_gradient_set (g, 1, reduce_to (g, &b, 1, OP ("Mul", "mul", DY (0), value)));
}

static void
grad_real_div (FlowGradient *g)
{
  grad_div (g, "RealDiv", "RealDiv");
}

static void
grad_div_no_nan (FlowGradient *g)
{
  grad_div (g, "DivNoNan", "div_no_nan");
}

static void
grad_floor_mod (FlowGradient *g)
{
  Broadcast b = { 0 };
  FlowEndpoint floor;

  broadcast_dynamic (g, &b, TRUE);
  floor = OP ("FloorDiv", NULL, X (0), X (1));
  flow_gradient_set (g, 0, reduce_to (g, &b, 0, DY (0)));
  flow_gradient_set (g, 1, reduce_to (g, &b, 1, OP ("Mul", "mul", DY (0), OP ("Neg", NULL, floor))));
}

static void
grad_squared_difference (FlowGradient *g)
{
  Broadcast b = { 0 };
  FlowEndpoint scale;
  FlowEndpoint value;
  FlowEndpoint difference;

  flow_gradient_after (g, DY (0));
  scale = NUMBER ("scalar", DTYPE (X (0)), 2);
  value = OP ("Mul", NULL, scale, DY (0));
  difference = OP ("Sub", "sub", X (0), X (1));
  value = OP ("Mul", "mul", value, difference);
  flow_gradient_leave (g);
  if (all_equal (g))
    {
      flow_gradient_set (g, 0, value);
      flow_gradient_set (g, 1, OP ("Neg", NULL, value));
      return;
    }
  if (g->error != NULL)
    return;
  broadcast_dynamic (g, &b, FALSE);
  flow_gradient_set (g, 0, reduce_to (g, &b, 0, value));
  flow_gradient_set (g, 1, OP ("Neg", NULL, reduce_to (g, &b, 1, value)));
}

static void
grad_pow (FlowGradient *g)
{
  Broadcast b = { 0 };
  FlowEndpoint value;
  FlowEndpoint is_positive;
  FlowEndpoint safe;
  FlowEndpoint zeros;

  broadcast (g, &b);
  value = OP ("Mul", "mul", DY (0), X (1));
  value = OP ("Mul", "mul", value, OP ("Pow", NULL, X (0), _flow_gradients_with_number (g, "Sub", "sub", X (1), 1, FALSE)));
  flow_gradient_set (g, 0, reduce_to (g, &b, 0, value));
  is_positive = _flow_gradients_with_number (g, "Greater", "Greater", X (0), 0, FALSE);
  OPEN ("ones_like");
  safe = SHAPE (X (0));
  zeros = NUMBER ("Const", DTYPE (X (0)), 1);
  safe = CLOSE ("Fill", safe, zeros);
  safe = OP ("Select", NULL, is_positive, X (0), safe);
  safe = OP ("Log", NULL, safe);
  zeros = flow_gradient_zeros_like (g, X (0), TRUE);
  safe = OP ("Select", NULL, is_positive, safe, zeros);
  value = OP ("Mul", "mul", DY (0), Y (0));
  flow_gradient_set (g, 1, reduce_to (g, &b, 1, OP ("Mul", "mul", value, safe)));
  broadcast_clear (&b);
}

static void
grad_max_min (FlowGradient *g,
              const char   *compare)
{
  FlowEndpoint shapes[3];
  FlowEndpoint zeros;
  FlowEndpoint mask;
  FlowEndpoint args;
  FlowEndpoint value;

  shapes[0] = SHAPE (X (0));
  shapes[1] = SHAPE (X (1));
  shapes[2] = SHAPE (DY (0));
  zeros = flow_gradient_zeros (g, shapes[2], DTYPE (DY (0)));
  mask = OP (compare, NULL, X (0), X (1));
  args = OP ("BroadcastGradientArgs", NULL, shapes[0], shapes[1]);
  value = OP ("Select", NULL, mask, DY (0), zeros);
  value = OP ("Sum", NULL, value, args);
  flow_gradient_set (g, 0, OP ("Reshape", NULL, value, shapes[0]));
  value = OP ("Select", NULL, mask, zeros, DY (0));
  value = OP ("Sum", NULL, value, SLOT (args, 1));
  flow_gradient_set (g, 1, OP ("Reshape", NULL, value, shapes[1]));
}

static void
grad_maximum (FlowGradient *g)
{
  grad_max_min (g, "GreaterEqual");
}

static void
grad_minimum (FlowGradient *g)
{
  grad_max_min (g, "LessEqual");
}

/* --- Elementwise --- */

/* OpGrad (y, dy) of the same name with Grad. */
static void
grad_by_output (FlowGradient *g)
{
  g_autofree char *type = g_strconcat (g->maker->get_type (g->maker->self, g->node), "Grad", NULL);

  flow_gradient_set (g, 0, OP (type, NULL, Y (0), DY (0)));
}

static void
grad_by_output_after (FlowGradient *g)
{
  flow_gradient_after (g, DY (0));
  grad_by_output (g);
  flow_gradient_leave (g);
}

static void
grad_square (FlowGradient *g)
{
  FlowEndpoint two;

  flow_gradient_after (g, DY (0));
  two = NUMBER (NULL, DTYPE (X (0)), 2);
  flow_gradient_set (g, 0, OP ("Mul", NULL, DY (0), OP ("Mul", NULL, X (0), two)));
  flow_gradient_leave (g);
}

static void
grad_exp (FlowGradient *g)
{
  flow_gradient_after (g, DY (0));
  flow_gradient_set (g, 0, OP ("Mul", "mul", DY (0), Y (0)));
  flow_gradient_leave (g);
}

static void
grad_log (FlowGradient *g)
{
  flow_gradient_after (g, DY (0));
  flow_gradient_set (g, 0, OP ("Mul", "mul", DY (0), OP ("Reciprocal", NULL, X (0))));
  flow_gradient_leave (g);
}

static void
grad_log1p (FlowGradient *g)
{
  FlowEndpoint value;

  flow_gradient_after (g, DY (0));
  value = _flow_gradients_with_number (g, "AddV2", "add", X (0), 1, TRUE);
  flow_gradient_set (g, 0, OP ("Mul", "mul", DY (0), OP ("Reciprocal", NULL, value)));
  flow_gradient_leave (g);
}

static void
grad_sin (FlowGradient *g)
{
  flow_gradient_after (g, DY (0));
  flow_gradient_set (g, 0, OP ("Mul", "mul", DY (0), OP ("Cos", NULL, X (0))));
  flow_gradient_leave (g);
}

static void
grad_cos (FlowGradient *g)
{
  FlowEndpoint minus;

  flow_gradient_after (g, DY (0));
  minus = OP ("Neg", NULL, DY (0));
  flow_gradient_set (g, 0, OP ("Mul", "mul", minus, OP ("Sin", NULL, X (0))));
  flow_gradient_leave (g);
}

static void
grad_abs (FlowGradient *g)
{
  flow_gradient_set (g, 0, OP ("Mul", "mul", DY (0), OP ("Sign", NULL, X (0))));
}

static void
grad_neg (FlowGradient *g)
{
  flow_gradient_set (g, 0, OP ("Neg", NULL, DY (0)));
}

static void
grad_sign (FlowGradient *g)
{
  FlowEndpoint shape = SHAPE (X (0));

  flow_gradient_set (g, 0, flow_gradient_zeros (g, shape, DTYPE (X (0))));
}

static void
grad_erf (FlowGradient *g)
{
  FlowEndpoint factor = NUMBER (NULL, DTYPE (DY (0)), 2 / sqrt (G_PI));
  FlowEndpoint exp;

  flow_gradient_after (g, DY (0));
  factor = OP ("Mul", "mul", DY (0), factor);
  exp = OP ("Exp", NULL, OP ("Neg", NULL, OP ("Square", NULL, X (0))));
  flow_gradient_set (g, 0, OP ("Mul", "mul", factor, exp));
  flow_gradient_leave (g);
}

static void
grad_tanh_grad (FlowGradient *g)
{
  FlowEndpoint value;

  flow_gradient_after (g, DY (0));
  value = _flow_gradients_with_number (g, "Mul", "mul", DY (0), -2, FALSE);
  value = OP ("Mul", "mul", value, X (1));
  flow_gradient_set (g, 0, OP ("Mul", "mul", value, X (0)));
  flow_gradient_set (g, 1, OP ("TanhGrad", NULL, X (0), DY (0)));
  flow_gradient_leave (g);
}

static void
grad_select (FlowGradient *g)
{
  FlowEndpoint zeros = flow_gradient_zeros_like (g, X (1), TRUE);

  flow_gradient_set (g, 1, OP ("Select", NULL, X (0), DY (0), zeros));
  flow_gradient_set (g, 2, OP ("Select", NULL, X (0), zeros, DY (0)));
}

static void
grad_add_n (FlowGradient *g)
{
  for (guint i = 0; i < g->n_inputs; i++)
    flow_gradient_set (g, i, DY (0));
}

static void
grad_cast (FlowGradient *g)
{
  int from = DTYPE (X (0));
  int to = DTYPE (Y (0));

  if ((flow_dtype_is_floating (from) || flow_dtype_is_complex (from))
      && (flow_dtype_is_floating (to) || flow_dtype_is_complex (to)))
    flow_gradient_set (g, 0, flow_gradient_cast (g, DY (0), from));
}

/* --- Products --- */

static FlowEndpoint
product (FlowGradient *g,
         FlowEndpoint  a,
         gboolean      ta,
         FlowEndpoint  b,
         gboolean      tb)
{
  FlowAttrList *attrs = _flow_gradients_bool_attr ("transpose_a", ta);
  FlowAttr *attr = flow_attr_new_bool (tb);

  flow_attr_list_set (attrs, "transpose_b", attr);
  flow_attr_unref (attr);
  return OP_ATTRS ("MatMul", NULL, attrs, a, b);
}

static void
grad_matmul (FlowGradient *g)
{
  gboolean ta = flow_attr_get_bool (flow_gradient_attr (g, "transpose_a"));
  gboolean tb = flow_attr_get_bool (flow_gradient_attr (g, "transpose_b"));

  if (!ta && !tb)
    {
      flow_gradient_set (g, 0, product (g, DY (0), FALSE, X (1), TRUE));
      flow_gradient_set (g, 1, product (g, X (0), TRUE, DY (0), FALSE));
    }
  else if (!ta)
    {
      flow_gradient_set (g, 0, product (g, DY (0), FALSE, X (1), FALSE));
      flow_gradient_set (g, 1, product (g, DY (0), TRUE, X (0), FALSE));
    }
  else if (!tb)
    {
      flow_gradient_set (g, 0, product (g, X (1), FALSE, DY (0), TRUE));
      flow_gradient_set (g, 1, product (g, X (0), FALSE, DY (0), FALSE));
    }
  else
    {
      flow_gradient_set (g, 0, product (g, X (1), TRUE, DY (0), TRUE));
      flow_gradient_set (g, 1, product (g, DY (0), TRUE, X (0), TRUE));
    }
}

static void
grad_cumsum (FlowGradient *g)
{
  FlowAttrList *attrs = flow_gradient_copy_attrs (g, "exclusive");
  FlowAttr *reverse = flow_attr_new_bool (!flow_attr_get_bool (flow_gradient_attr (g, "reverse")));

  flow_attr_list_set (attrs, "reverse", reverse);
  flow_attr_unref (reverse);
  flow_gradient_set (g, 0, OP_ATTRS ("Cumsum", NULL, attrs, DY (0), X (1)));
}

/* --- Reductions --- */

static FlowTensor *
value_of (FlowGradient *g,
          FlowEndpoint  at)
{
  return g->error == NULL ? g->maker->get_value (g->maker->self, at) : NULL;
}

/* The shape of the input with 1 for every reduced axis, and what to tile by. */
static gboolean
reduced_dims (FlowGradient *g,
              gint64       *reduced,
              gint64       *tiles)
{
  FlowShape *shape = flow_gradient_get_shape (g, X (0));
  FlowTensor *axes = value_of (g, X (1));

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

/* reduced_shape (input_shape, axes), node for node. */
static FlowEndpoint
reduced_shape (FlowGradient *g,
               FlowEndpoint  input_shape,
               FlowEndpoint  axes)
{
  FlowEndpoint rank;
  FlowEndpoint value;
  FlowEndpoint axes_shape;
  FlowEndpoint all;
  FlowEndpoint ones;
  FlowEndpoint pair[4];
  FlowAttrList *attrs = NULL;
  FlowAttr *n = NULL;

  rank = flow_gradient_size (g, input_shape);
  value = OP ("AddV2", "add", axes, rank);
  value = OP ("FloorMod", "mod", value, rank);
  axes_shape = SHAPE (value);
  all = flow_gradient_range (g, rank);
  OPEN ("Fill");
  ones = NUMBER ("value", FLOW_DTYPE_INT32, 1);
  ones = CLOSE ("Fill", axes_shape, ones);
  attrs = flow_attr_list_new ();
  n = flow_attr_new_int (2);
  flow_attr_list_set (attrs, "N", n);
  flow_attr_unref (n);
  pair[0] = all;
  pair[1] = value;
  pair[2] = input_shape;
  pair[3] = ones;
  return flow_gradient_add (g, "DynamicStitch", NULL, attrs, 4, pair);
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
  axes_in = flow_gradient_ints (g, "x", FLOW_DTYPE_INT32, numbers, (guint) n);
  flow_gradient_leave (g);
  kept = reduced_shape (g, input_shape, axes_in);
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
  kept = reduced_shape (g, input_shape, X (1));
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
  axes = value_of (g, X (1));
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
  FlowEndpoint kept = reduced_shape (g, input_shape, X (1));
  FlowEndpoint y = OP ("Reshape", NULL, Y (0), kept);
  FlowEndpoint dy = OP ("Reshape", NULL, DY (0), kept);
  FlowEndpoint is_it = OP ("Equal", NULL, y, X (0));
  FlowEndpoint count;

  is_it = flow_gradient_cast (g, is_it, DTYPE (dy));
  count = OP ("Sum", NULL, is_it, X (1));
  count = OP ("Reshape", NULL, count, kept);
  flow_gradient_set (g, 0, OP ("Mul", "mul", OP ("RealDiv", "truediv", is_it, count), dy));
}

static const FlowGradientDef defs[] = {
  { "Add AddV2", grad_add },
  { "Sub", grad_sub },
  { "Mul", grad_mul },
  { "RealDiv", grad_real_div },
  { "DivNoNan", grad_div_no_nan },
  { "FloorMod", grad_floor_mod },
  { "SquaredDifference", grad_squared_difference },
  { "Pow", grad_pow },
  { "Maximum", grad_maximum },
  { "Minimum", grad_minimum },
  { "Sqrt Rsqrt Reciprocal Inv", grad_by_output },
  { "Tanh Sigmoid", grad_by_output_after },
  { "TanhGrad", grad_tanh_grad },
  { "Square", grad_square },
  { "Exp", grad_exp },
  { "Log", grad_log },
  { "Log1p", grad_log1p },
  { "Sin", grad_sin },
  { "Cos", grad_cos },
  { "Abs", grad_abs },
  { "Neg", grad_neg },
  { "Sign", grad_sign },
  { "Erf", grad_erf },
  { "Select", grad_select },
  { "AddN", grad_add_n },
  { "Cast", grad_cast },
  { "MatMul", grad_matmul },
  { "Cumsum", grad_cumsum },
  { "Sum", grad_sum },
  { "Mean", grad_mean },
  { "Max Min", grad_extreme },
  { "Less LessEqual Greater GreaterEqual Equal NotEqual ApproximateEqual LogicalAnd LogicalOr LogicalNot All Any Floor Ceil "
    "Round Rint FloorDiv TruncateDiv ArgMax ArgMin Range LinSpace IsNan IsInf IsFinite Const RandomUniform "
    "RandomStandardNormal TruncatedNormal RandomUniformInt Multinomial", NULL },
};

void
_flow_gradients_add_math (void)
{
  flow_gradient_registry_add (defs, G_N_ELEMENTS (defs));
}
