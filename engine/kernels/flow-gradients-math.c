/* flow-gradients-math.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-gradients-private.h"

#include <math.h>

/* Gradients of operators of two operands that are spread to each other: what they make, and in which
 * order, is TensorFlow 1.15.5's. */

static gboolean
all_equal (FlowGradient *g)
{
  return g->error == NULL && flow_gradient_is_known (g, X (0)) && flow_gradient_is_known (g, X (1))
         && flow_gradient_is_known (g, DY (0))
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
                  FlowSpread   *b)
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
broadcast (FlowGradient *g,
           FlowSpread   *b)
{
  FlowEndpoint args;

  if (g->error != NULL)
    return;
  if (flow_gradient_is_rows (g, DY (0)))
    {
      _flow_gradients_spread (g, b, X (0), X (1));
      return;
    }
  if (flow_gradient_is_known (g, X (0)) && flow_gradient_is_known (g, X (1)))
    {
      broadcast_static (g, b);
      return;
    }
  b->shape[0] = flow_gradient_shape (g, X (0), NULL, FLOW_DTYPE_INT32, FALSE);
  b->shape[1] = flow_gradient_shape (g, X (1), NULL, FLOW_DTYPE_INT32, FALSE);
  args = OP2 ("BroadcastGradientArgs", NULL, b->shape[0], b->shape[1]);
  b->axes[0] = args;
  b->axes[1] = SLOT (args, 1);
  b->must_reduce[0] = b->must_reduce[1] = TRUE;
}

static void
broadcast_clear (FlowSpread *b)
{
  for (guint i = 0; i < 2; i++)
    g_clear_pointer (&b->dims[i], g_array_unref);
}

#define UNSPREAD(i, value) _flow_gradients_unspread (g, &b, i, value)

static gboolean
is_skipped (FlowGradient *g,
            guint         i)
{
  return (g->skipped & (1u << i)) != 0;
}

/* TF: a number whose gradient nobody reads is not looked at. */
static gboolean
is_skipped_number (FlowGradient *g)
{
  return is_skipped (g, 1) && _flow_gradients_n_dims (g, X (1)) == 0;
}

static void
grad_add (FlowGradient *g)
{
  FlowSpread b = { 0 };

  SET (0, DY (0));
  SET (1, DY (0));
  if (is_skipped_number (g) || all_equal (g))
    return;
  broadcast (g, &b);
  if (!is_skipped (g, 0))
    SET (0, UNSPREAD (0, DY (0)));
  if (!is_skipped (g, 1))
    SET (1, UNSPREAD (1, DY (0)));
  broadcast_clear (&b);
}

static void
grad_sub (FlowGradient *g)
{
  FlowSpread b = { 0 };

  SET (0, DY (0));
  if (is_skipped_number (g))
    return;
  if (all_equal (g))
    {
      SET (1, NEG (DY (0)));
      return;
    }
  broadcast (g, &b);
  if (!is_skipped (g, 0))
    SET (0, UNSPREAD (0, DY (0)));
  if (!is_skipped (g, 1))
    SET (1, UNSPREAD (1, NEG (DY (0))));
  broadcast_clear (&b);
}

static void
grad_mul (FlowGradient *g)
{
  FlowSpread b = { 0 };
  int dtype = DTYPE (X (0));
  FlowEndpoint x;
  FlowEndpoint y;

  if (is_skipped_number (g))
    {
      SET (0, OP2 ("Mul", NULL, DY (0), CONJ (X (1))));
      return;
    }
  if (all_equal (g) && (dtype == FLOW_DTYPE_FLOAT || dtype == FLOW_DTYPE_INT32))
    {
      SET (0, OP2 ("Mul", NULL, DY (0), X (1)));
      SET (1, OP2 ("Mul", NULL, DY (0), X (0)));
      return;
    }
  broadcast (g, &b);
  x = CONJ (X (0));
  y = CONJ (X (1));
  if (!is_skipped (g, 0))
    SET (0, UNSPREAD (0, OP2 ("Mul", NULL, DY (0), y)));
  if (!is_skipped (g, 1))
    SET (1, UNSPREAD (1, OP2 ("Mul", NULL, x, DY (0))));
  broadcast_clear (&b);
}

static void
grad_mul_no_nan (FlowGradient *g)
{
  FlowSpread b = { 0 };

  if (!all_equal (g))
    _flow_gradients_spread (g, &b, X (0), X (1));
  SET (0, UNSPREAD (0, OP2 ("MulNoNan", NULL, DY (0), X (1))));
  SET (1, UNSPREAD (1, OP2 ("MulNoNan", NULL, X (0), DY (0))));
}

/* RealDiv, Div and DivNoNan, each by its own kind of division. */
static void
divide (FlowGradient *g,
        const char   *type,
        const char   *name)
{
  FlowSpread b = { 0 };
  FlowEndpoint x;
  FlowEndpoint y;

  _flow_gradients_spread (g, &b, X (0), X (1));
  x = CONJ (X (0));
  y = CONJ (X (1));
  SET (0, UNSPREAD (0, OP2 (type, name, DY (0), y)));
  x = NEG (x);
  x = OP2 (type, name, x, y);
  x = OP2 (type, name, x, y);
  SET (1, UNSPREAD (1, MUL (DY (0), x)));
}

static void
grad_real_div (FlowGradient *g)
{
  divide (g, "RealDiv", "RealDiv");
}

static void
grad_div (FlowGradient *g)
{
  divide (g, "RealDiv", "truediv");
}

static void
grad_div_no_nan (FlowGradient *g)
{
  divide (g, "DivNoNan", "div_no_nan");
}

static void
grad_floor_mod (FlowGradient *g)
{
  FlowSpread b = { 0 };
  FlowEndpoint floor;

  _flow_gradients_spread (g, &b, X (0), X (1));
  floor = OP2 ("FloorDiv", NULL, X (0), X (1));
  SET (0, UNSPREAD (0, DY (0)));
  SET (1, UNSPREAD (1, MUL (DY (0), NEG (floor))));
}

static void
grad_squared_difference (FlowGradient *g)
{
  FlowSpread b = { 0 };
  FlowEndpoint value;

  AFTER (DY (0));
  value = NUMBER ("scalar", DTYPE (X (0)), 2);
  value = OP2 ("Mul", NULL, value, DY (0));
  value = MUL (value, SUB (X (0), X (1)));
  LEAVE ();
  if (all_equal (g))
    {
      SET (0, value);
      SET (1, NEG (value));
      return;
    }
  broadcast (g, &b);
  SET (0, UNSPREAD (0, value));
  SET (1, NEG (UNSPREAD (1, value)));
  broadcast_clear (&b);
}

static void
grad_pow (FlowGradient *g)
{
  FlowSpread b = { 0 };
  FlowEndpoint x;
  FlowEndpoint y;
  FlowEndpoint z;
  FlowEndpoint value;
  FlowEndpoint mask;

  broadcast (g, &b);
  x = CONJ (X (0));
  y = CONJ (X (1));
  value = MUL (DY (0), y);
  value = MUL (value, OP2 ("Pow", NULL, x, BY_NUMBER ("Sub", "sub", y, 1)));
  SET (0, UNSPREAD (0, value));
  z = CONJ (Y (0));
  mask = flow_dtype_is_complex (DTYPE (x)) ? BY_NUMBER ("NotEqual", "NotEqual", x, 0) : BY_NUMBER ("Greater", "Greater", x, 0);
  value = SELECT (mask, x, _flow_gradients_ones_like (g, x, DTYPE (x)));
  value = OP1 ("Log", NULL, value);
  value = SELECT (mask, value, ZEROS_LIKE (x));
  z = MUL (DY (0), z);
  SET (1, UNSPREAD (1, MUL (z, value)));
  broadcast_clear (&b);
}

static void
choose (FlowGradient *g,
        const char   *compare)
{
  FlowSpread b = { .must_reduce = { TRUE, TRUE } };
  FlowEndpoint zeros;
  FlowEndpoint mask;
  FlowEndpoint args;

  b.shape[0] = SHAPE (X (0));
  b.shape[1] = SHAPE (X (1));
  zeros = SHAPE (DY (0));
  zeros = ZEROS (zeros, DTYPE (DY (0)));
  mask = OP2 (compare, NULL, X (0), X (1));
  args = OP2 ("BroadcastGradientArgs", NULL, b.shape[0], b.shape[1]);
  b.axes[0] = args;
  b.axes[1] = SLOT (args, 1);
  SET (0, UNSPREAD (0, SELECT (mask, DY (0), zeros)));
  SET (1, UNSPREAD (1, SELECT (mask, zeros, DY (0))));
}

static void
grad_maximum (FlowGradient *g)
{
  choose (g, "GreaterEqual");
}

static void
grad_minimum (FlowGradient *g)
{
  choose (g, "LessEqual");
}

/* Of partial derivatives times what comes back, each over its own axes. */
static void
set_partials (FlowGradient *g,
              FlowSpread   *spread,
              FlowEndpoint  x,
              FlowEndpoint  y)
{
  FlowSpread b = *spread;

  if (x.node != FLOW_NODE_NONE)
    SET (0, UNSPREAD (0, MUL (x, DY (0))));
  SET (1, UNSPREAD (1, MUL (y, DY (0))));
}

static FlowEndpoint
is_not_zero (FlowGradient *g,
             FlowEndpoint  x)
{
  FlowEndpoint zero;

  /* A number of Python's, cast to what it is compared with. */
  OPEN ("Cast");
  zero = NUMBER ("x", FLOW_DTYPE_FLOAT, 0);
  if (DTYPE (x) == FLOW_DTYPE_FLOAT || g->error != NULL)
    LEAVE ();
  else
    {
      FlowAttrList *attrs = flow_attr_list_new ();

      _flow_gradients_set_type (attrs, "DstT", DTYPE (x));
      zero = flow_gradient_close (g, "Cast", attrs, 1, &zero);
    }
  x = OP2 ("NotEqual", NULL, x, zero);
  return CAST (x, DTYPE (X (0)));
}

static void
grad_xlogy (FlowGradient *g)
{
  FlowSpread b = { 0 };
  FlowEndpoint x;
  FlowEndpoint y;

  _flow_gradients_spread (g, &b, X (0), X (1));
  AFTER (DY (0));
  x = OP2 ("Xlogy", NULL, is_not_zero (g, X (0)), X (1));
  y = OP2 ("Xdivy", NULL, X (0), X (1));
  set_partials (g, &b, x, y);
  LEAVE ();
}

static void
grad_xdivy (FlowGradient *g)
{
  FlowSpread b = { 0 };
  FlowEndpoint x;
  FlowEndpoint y;

  _flow_gradients_spread (g, &b, X (0), X (1));
  AFTER (DY (0));
  x = OP2 ("Xdivy", NULL, is_not_zero (g, X (0)), X (1));
  y = NEG (X (0));
  y = OP2 ("Xdivy", NULL, y, BY_NUMBER ("Pow", "pow", X (1), 2));
  set_partials (g, &b, x, y);
  LEAVE ();
}

static void
grad_next_after (FlowGradient *g)
{
  FlowSpread b = { 0 };
  FlowEndpoint x;
  FlowEndpoint y;

  _flow_gradients_spread (g, &b, X (0), X (1));
  AFTER (DY (0));
  x = _flow_gradients_ones (g, b.shape[0], DTYPE (X (0)));
  y = ZEROS (b.shape[1], DTYPE (X (1)));
  set_partials (g, &b, x, y);
  LEAVE ();
}

static void
grad_atan2 (FlowGradient *g)
{
  FlowEndpoint value;

  AFTER (DY (0));
  value = OP1 ("Square", NULL, X (1));
  value = ADD (value, OP1 ("Square", NULL, X (0)));
  value = DIV (DY (0), value);
  SET (0, MUL (X (1), value));
  SET (1, MUL (NEG (X (0)), value));
  LEAVE ();
}

static void
igamma (FlowGradient *g,
        FlowEndpoint *a,
        FlowEndpoint *x)
{
  FlowSpread b = { 0 };
  FlowEndpoint value;
  FlowEndpoint log;

  _flow_gradients_spread (g, &b, X (0), X (1));
  AFTER (DY (0));
  *a = OP2 ("IgammaGradA", NULL, X (0), X (1));
  value = NEG (X (1));
  log = BY_NUMBER ("Sub", "sub", X (0), 1);
  log = MUL (log, OP1 ("Log", NULL, X (1)));
  value = ADD (value, log);
  value = SUB (value, OP1 ("Lgamma", NULL, X (0)));
  *x = OP1 ("Exp", NULL, value);
  *a = UNSPREAD (0, MUL (*a, DY (0)));
  *x = UNSPREAD (1, MUL (*x, DY (0)));
  LEAVE ();
}

static void
grad_igamma (FlowGradient *g)
{
  FlowEndpoint a;
  FlowEndpoint x;

  igamma (g, &a, &x);
  SET (0, a);
  SET (1, x);
}

static void
grad_igammac (FlowGradient *g)
{
  FlowEndpoint a;
  FlowEndpoint x;

  igamma (g, &a, &x);
  SET (0, NEG (a));
  SET (1, NEG (x));
}

static void
grad_betainc (FlowGradient *g)
{
  FlowSpread b = { 0 };
  FlowEndpoint beta;
  FlowEndpoint value;
  FlowEndpoint log;

  _flow_gradients_spread (g, &b, X (0), X (2));
  beta = OP1 ("Lgamma", NULL, X (0));
  beta = ADD (beta, OP1 ("Lgamma", NULL, X (1)));
  value = ADD (X (0), X (1));
  beta = SUB (beta, OP1 ("Lgamma", NULL, value));
  value = BY_NUMBER ("Sub", "sub", X (1), 1);
  log = NUMBER_BY ("Sub", "sub", 1, X (2));
  value = MUL (value, OP1 ("Log", NULL, log));
  log = BY_NUMBER ("Sub", "sub", X (0), 1);
  log = MUL (log, OP1 ("Log", NULL, X (2)));
  value = ADD (value, log);
  value = SUB (value, beta);
  value = OP1 ("Exp", NULL, value);
  SET (2, UNSPREAD (1, MUL (value, DY (0))));
}

static void
grad_zeta (FlowGradient *g)
{
  FlowSpread b = { 0 };
  FlowEndpoint value;

  _flow_gradients_spread (g, &b, X (0), X (1));
  AFTER (DY (0));
  value = NEG (X (0));
  value = MUL (value, OP2 ("Zeta", NULL, BY_NUMBER ("AddV2", "add", X (0), 1), X (1)));
  set_partials (g, &b, FLOW_NO_ENDPOINT, value);
  LEAVE ();
}

static void
grad_polygamma (FlowGradient *g)
{
  FlowSpread b = { 0 };
  FlowEndpoint value;

  _flow_gradients_spread (g, &b, X (0), X (1));
  AFTER (DY (0));
  value = OP2 ("Polygamma", NULL, BY_NUMBER ("AddV2", "add", X (0), 1), X (1));
  set_partials (g, &b, FLOW_NO_ENDPOINT, value);
  LEAVE ();
}

static void
grad_complex (FlowGradient *g)
{
  FlowSpread b = { 0 };

  _flow_gradients_spread (g, &b, X (0), X (1));
  SET (0, UNSPREAD (0, _flow_gradients_part (g, "Real", DY (0))));
  SET (1, UNSPREAD (1, _flow_gradients_part (g, "Imag", DY (0))));
}

static void
grad_select (FlowGradient *g)
{
  FlowEndpoint zeros = ZEROS_LIKE (X (1));

  SET (1, SELECT (X (0), DY (0), zeros));
  SET (2, SELECT (X (0), zeros, DY (0)));
}

static void
grad_select_v2 (FlowGradient *g)
{
  FlowEndpoint zero = NUMBER ("zeros", DTYPE (DY (0)), 0);
  FlowEndpoint shapes[2];
  FlowEndpoint value;
  FlowEndpoint axes;

  for (guint i = 0; i < 2; i++)
    {
      FlowEndpoint operands[2] = { i == 0 ? DY (0) : zero, i == 0 ? zero : DY (0) };

      value = OP3 ("SelectV2", NULL, X (0), operands[0], operands[1]);
      shapes[0] = SHAPE (X (i + 1));
      if (i == 0)
        shapes[1] = SHAPE (Y (0));
      axes = OP2 ("BroadcastGradientArgs", NULL, shapes[0], shapes[1]);
      value = OP_ATTRS ("Sum", NULL, _flow_gradients_bool_attr ("keep_dims", TRUE), value, axes);
      SET (i + 1, RESHAPE (value, shapes[0]));
    }
}

static void
grad_add_n (FlowGradient *g)
{
  for (guint i = 0; i < g->n_inputs; i++)
    SET (i, DY (0));
}

static const FlowGradientDef defs[] = {
  { "Add AddV2", grad_add },
  { "Sub", grad_sub },
  { "Mul", grad_mul },
  { "MulNoNan", grad_mul_no_nan },
  { "RealDiv", grad_real_div },
  { "Div", grad_div },
  { "DivNoNan", grad_div_no_nan },
  { "FloorMod", grad_floor_mod },
  { "SquaredDifference", grad_squared_difference },
  { "Pow", grad_pow },
  { "Maximum", grad_maximum },
  { "Minimum", grad_minimum },
  { "Xlogy", grad_xlogy },
  { "Xdivy", grad_xdivy },
  { "NextAfter", grad_next_after },
  { "Atan2", grad_atan2 },
  { "Igamma", grad_igamma },
  { "Igammac", grad_igammac },
  { "Betainc", grad_betainc },
  { "Zeta", grad_zeta },
  { "Polygamma", grad_polygamma },
  { "Complex", grad_complex },
  { "Select", grad_select },
  { "SelectV2", grad_select_v2 },
  { "AddN AccumulateNV2", grad_add_n },
};

void
_flow_gradients_add_math (void)
{
  flow_gradient_registry_add (defs, G_N_ELEMENTS (defs));
}
