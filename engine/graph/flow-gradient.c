/* flow-gradient.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-gradient.h"

#include <string.h>

/* The table of gradient rules, and the small language they are written in: made of the nodes that
 * TensorFlow's array and math functions make, under their names. */

static GHashTable *registry;   /* op type -> FlowGradientFunc; filled once, by kernels/ */

static void
no_gradient (FlowGradient *g)
{
}

/**
 * flow_gradient_registry_add: (skip)
 * @defs: rows
 * @n_defs: how many
 *
 * Called once at start, before other threads.
 */
void
flow_gradient_registry_add (const FlowGradientDef *defs,
                            guint                  n_defs)
{
  if (registry == NULL)
    registry = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < n_defs; i++)
    {
      g_auto (GStrv) types = g_strsplit_set (defs[i].types, " ", -1);

      for (guint k = 0; types[k] != NULL; k++)
        if (*types[k] != '\0')
          g_hash_table_insert (registry, g_strdup (types[k]),
                               (gpointer) (defs[i].rule != NULL ? defs[i].rule : no_gradient));
    }
}

/**
 * flow_gradient_registry_lookup: (skip)
 * @type: an op type
 * @rule: (out): its rule, %NULL for an op that is known to have no gradient
 *
 * Returns: whether there is a row for that type
 */
gboolean
flow_gradient_registry_lookup (const char       *type,
                               FlowGradientFunc *rule)
{
  gpointer found = registry != NULL ? g_hash_table_lookup (registry, type) : NULL;

  *rule = found != (gpointer) no_gradient ? (FlowGradientFunc) found : NULL;
  return found != NULL;
}

/* --- The op --- */

FlowEndpoint
flow_gradient_x (FlowGradient *g,
                 guint         i)
{
  return g->maker->get_input (g->maker->self, g->node, i);
}

FlowEndpoint
flow_gradient_y (FlowGradient *g,
                 guint         i)
{
  return (FlowEndpoint) { g->node, (gint32) i };
}

/* What stands for rows until an op reads them: no node has this index. */
#define ROWS_NODE (FLOW_NODE_NONE - 1)

/**
 * flow_gradient_is_rows: (skip)
 * @g: a call of a rule
 * @x: an output, or what flow_gradient_dy() gave
 *
 * Returns: whether @x stands for rows of a tensor. An op that reads it gets the dense tensor, made under the op's
 *   own name as TensorFlow's conversion does it.
 */
gboolean
flow_gradient_is_rows (FlowGradient *g,
                       FlowEndpoint  x)
{
  return x.node == ROWS_NODE;
}

FlowEndpoint
flow_gradient_dy (FlowGradient *g,
                  guint         i)
{
  if (i >= g->n_outputs)
    return FLOW_NO_ENDPOINT;
  if (g->out_grads[i].values.node != FLOW_NODE_NONE && g->out_grads[i].indices.node != FLOW_NODE_NONE)
    return (FlowEndpoint) { ROWS_NODE, (gint32) i };
  return g->out_grads[i].values;
}

/* The output itself, of rows their values. */
static FlowEndpoint
values_of (FlowGradient *g,
           FlowEndpoint  x)
{
  return x.node == ROWS_NODE ? g->out_grads[x.slot].values : x;
}

void
flow_gradient_set (FlowGradient *g,
                   guint         i,
                   FlowEndpoint  value)
{
  if (value.node == ROWS_NODE)
    {
      g->in_grads[i] = g->out_grads[value.slot];
      return;
    }
  g->in_grads[i] = FLOW_NO_GRAD;
  g->in_grads[i].values = value;
}

void
flow_gradient_set_rows (FlowGradient *g,
                        guint         i,
                        FlowEndpoint  values,
                        FlowEndpoint  indices,
                        FlowEndpoint  dense_shape)
{
  g->in_grads[i] = (FlowGrad) { values, indices, dense_shape };
}

int
flow_gradient_dtype (FlowGradient *g,
                     FlowEndpoint  x)
{
  x = values_of (g, x);
  return x.node == FLOW_NODE_NONE ? FLOW_DTYPE_INVALID : (int) flow_dtype_base (g->maker->get_dtype (g->maker->self, x));
}

FlowShape *
flow_gradient_get_shape (FlowGradient *g,
                         FlowEndpoint  x)
{
  return g->maker->get_shape (g->maker->self, values_of (g, x));
}

gboolean
flow_gradient_is_known (FlowGradient *g,
                        FlowEndpoint  x)
{
  return x.node != FLOW_NODE_NONE && x.node != ROWS_NODE && flow_shape_is_known (g->maker->get_shape (g->maker->self, x));
}

FlowAttr *
flow_gradient_attr (FlowGradient *g,
                    const char   *name)
{
  return g->maker->get_attr (g->maker->self, g->node, name);
}

/**
 * flow_gradient_type: (skip)
 * @g: a call of a rule
 *
 * Returns: the op type whose rule is called: the op's own, where gradient_override_map() names no other
 */
const char *
flow_gradient_type (FlowGradient *g)
{
  FlowAttr *other = flow_gradient_attr (g, "_gradient_op_type");

  return other != NULL ? flow_attr_get_string (other, NULL) : g->maker->get_type (g->maker->self, g->node);
}

FlowAttrList *
flow_gradient_copy_attrs (FlowGradient *g,
                          const char   *names)
{
  FlowAttrList *attrs = flow_attr_list_new ();
  g_auto (GStrv) each = g_strsplit (names, " ", -1);

  for (guint i = 0; each[i] != NULL; i++)
    {
      FlowAttr *value = flow_gradient_attr (g, each[i]);

      if (value != NULL)
        flow_attr_list_set (attrs, each[i], value);
    }
  return attrs;
}

/* Whether nothing was noted under @key in this graph; takes @key. */
gboolean
flow_gradient_first_time (FlowGradient *g,
                          char         *key)
{
  if (g_hash_table_contains (g->maker->memo, key))
    {
      g_free (key);
      return FALSE;
    }
  g_hash_table_insert (g->maker->memo, key, GINT_TO_POINTER (1));
  return TRUE;
}

/* --- Making --- */

/* Names of a list's members are counted. */
static char *
name_input (const FlowOpSignature *signature,
            guint                  n_inputs,
            guint                  at)
{
  guint n_lists = 0;
  guint n_single = 0;
  guint passed = 0;

  if (signature == NULL)
    return g_strdup ("input");
  for (guint i = 0; i < signature->n_inputs; i++)
    if (signature->inputs[i].number_attr != NULL || signature->inputs[i].type_list_attr != NULL)
      n_lists++;
    else
      n_single++;
  for (guint i = 0; i < signature->n_inputs; i++)
    {
      gboolean is_list = signature->inputs[i].number_attr != NULL || signature->inputs[i].type_list_attr != NULL;
      guint n = is_list ? (n_inputs - MIN (n_single, n_inputs)) / MAX (n_lists, 1) : 1;

      if (at < passed + n)
        return is_list ? g_strdup_printf ("%s_%u", signature->inputs[i].name, at - passed) : g_strdup (signature->inputs[i].name);
      passed += n;
    }
  return g_strdup ("input");
}

/**
 * flow_gradient_densify: (skip)
 * @g: a call of a rule
 * @rows: rows of a tensor
 * @name: the name of the sum
 *
 * Makes the tensor that @rows stand for.
 *
 * Returns: the sum of the rows at each index
 */
FlowEndpoint
flow_gradient_densify (FlowGradient *g,
                       FlowGrad      rows,
                       const char   *name)
{
  static const gint64 bounds[] = { 0, 1, 1 };
  FlowEndpoint inputs[4];
  FlowAttrList *attrs = flow_attr_list_new ();
  FlowAttr *mask = flow_attr_new_int (1);
  FlowEndpoint size;

  flow_attr_list_set (attrs, "shrink_axis_mask", mask);
  flow_attr_unref (mask);
  flow_gradient_open (g, "strided_slice");
  inputs[0] = rows.dense_shape;
  for (guint i = 0; i < 3; i++)
    inputs[i + 1] = flow_gradient_ints (g, "stack", FLOW_DTYPE_INT32, &bounds[i], 1);
  size = flow_gradient_close (g, "StridedSlice", attrs, 4, inputs);
  return FLOW_GRADIENT_OP (g, "UnsortedSegmentSum", name, rows.values, rows.indices, size);
}

/* @x, made dense under @name in the current scope where it is rows. */
FlowEndpoint
flow_gradient_dense (FlowGradient *g,
                     FlowEndpoint  x,
                     const char   *name)
{
  return x.node == ROWS_NODE ? flow_gradient_densify (g, g->out_grads[x.slot], name) : x;
}

/* Takes @attrs. */
static FlowEndpoint
add_over_rows (FlowGradient       *g,
               const char         *type,
               const char         *name,
               FlowAttrList       *attrs,
               guint               n_inputs,
               const FlowEndpoint *inputs)
{
  g_autofree FlowEndpoint *dense = g_memdup2 (inputs, n_inputs * sizeof *inputs);
  const FlowOpSignature *signature = flow_op_registry_lookup (type);
  gboolean is_open = g_str_has_suffix (name, "/");
  FlowEndpoint made;

  if (!is_open)
    flow_gradient_open (g, name);
  for (guint i = 0; i < n_inputs; i++)
    if (inputs[i].node == ROWS_NODE)
      {
        g_autofree char *input = name_input (signature, n_inputs, i);

        dense[i] = flow_gradient_dense (g, inputs[i], input);
      }
  if (!is_open)
    return flow_gradient_close (g, type, attrs, n_inputs, dense);
  made = flow_gradient_add (g, type, name, attrs, n_inputs, dense);
  return made;
}

/* Takes @attrs. */
FlowEndpoint
flow_gradient_add (FlowGradient       *g,
                   const char         *type,
                   const char         *name,
                   FlowAttrList       *attrs,
                   guint               n_inputs,
                   const FlowEndpoint *inputs)
{
  guint32 node = FLOW_NODE_NONE;

  for (guint i = 0; i < n_inputs && g->error == NULL; i++)
    if (inputs[i].node == ROWS_NODE)
      return add_over_rows (g, type, name != NULL ? name : type, attrs, n_inputs, inputs);
  if (g->error == NULL)
    g->maker->add (g->maker->self, type, name != NULL ? name : type, inputs, n_inputs, attrs, &node, &g->error);
  if (attrs != NULL)
    flow_attr_list_unref (attrs);
  return g->error == NULL ? (FlowEndpoint) { node, 0 } : FLOW_NO_ENDPOINT;
}

/* A scope of an op's own name, in which constants that are its inputs are made before it. */
void
flow_gradient_open (FlowGradient *g,
                    const char   *name)
{
  if (g->error == NULL && !g->maker->enter_scope (g->maker->self, name, &g->error))
    return;
}

/* The op of the scope that was opened, under exactly its name; leaves the scope. */
FlowEndpoint
flow_gradient_close (FlowGradient       *g,
                     const char         *type,
                     FlowAttrList       *attrs,
                     guint               n_inputs,
                     const FlowEndpoint *inputs)
{
  g_autofree char *name = NULL;
  FlowEndpoint made;

  if (g->error != NULL)
    {
      g_clear_pointer (&attrs, flow_attr_list_unref);
      return FLOW_NO_ENDPOINT;
    }
  name = g_strconcat (g->maker->get_scope (g->maker->self), "/", NULL);
  made = flow_gradient_add (g, type, name, attrs, n_inputs, inputs);
  flow_gradient_leave (g);
  return made;
}

void
flow_gradient_leave (FlowGradient *g)
{
  g->maker->leave (g->maker->self);
}

/* Until it is left, what is made runs after that output's op. */
void
flow_gradient_after (FlowGradient *g,
                     FlowEndpoint  output)
{
  output = values_of (g, output);
  if (g->error == NULL)
    g->maker->enter_control (g->maker->self, &output.node, 1);
}

void
flow_gradient_with (FlowGradient *g,
                    FlowEndpoint  output)
{
  output = values_of (g, output);
  if (g->error == NULL)
    g->maker->enter_colocation (g->maker->self, output.node, FALSE);
}

void
flow_gradient_enter_device (FlowGradient *g,
                            const char   *device)
{
  if (g->error == NULL)
    g->maker->enter_device (g->maker->self, device, &g->error);
}

/* Of any numeric dtype. */
void
flow_gradient_put_number (FlowTensor *tensor,
                          gint64      i,
                          double      value)
{
  gpointer data = flow_tensor_get_writable (tensor);

  switch ((int) flow_tensor_get_dtype (tensor))
    {
    case FLOW_DTYPE_DOUBLE: ((double *) data)[i] = value; break;
    case FLOW_DTYPE_FLOAT: ((float *) data)[i] = (float) value; break;
    case FLOW_DTYPE_HALF: ((guint16 *) data)[i] = flow_half_from_float ((float) value); break;
    case FLOW_DTYPE_INT64: ((gint64 *) data)[i] = (gint64) value; break;
    case FLOW_DTYPE_INT32: ((gint32 *) data)[i] = (gint32) value; break;
    case FLOW_DTYPE_INT16: ((gint16 *) data)[i] = (gint16) value; break;
    case FLOW_DTYPE_INT8: ((gint8 *) data)[i] = (gint8) value; break;
    case FLOW_DTYPE_UINT8: ((guint8 *) data)[i] = (guint8) value; break;
    case FLOW_DTYPE_BOOL: ((guint8 *) data)[i] = value != 0; break;
    case FLOW_DTYPE_COMPLEX64: ((float *) data)[2 * i] = (float) value; break;
    case FLOW_DTYPE_COMPLEX128: ((double *) data)[2 * i] = value; break;
    default: break;
    }
}

static FlowEndpoint
add_constant (FlowGradient *g,
              FlowTensor   *value,
              const char   *name)
{
  guint32 node = FLOW_NODE_NONE;

  if (g->error == NULL && value != NULL)
    g->maker->add_constant (g->maker->self, value, NULL, name != NULL ? name : "Const", &node, &g->error);
  if (value != NULL)
    flow_tensor_unref (value);
  return g->error == NULL ? (FlowEndpoint) { node, 0 } : FLOW_NO_ENDPOINT;
}

/* TF: what stands for an op whose result is known is made in the op's scope, as is what leads its control edges into a
 * loop. */
static FlowEndpoint
add_in_scope (FlowGradient     *g,
              const FlowTensor *value,
              const FlowShape  *shape,
              const char       *name)
{
  guint32 node = FLOW_NODE_NONE;

  flow_gradient_open (g, name);
  if (g->error == NULL)
    {
      g_autofree char *own = g_strconcat (g->maker->get_scope (g->maker->self), "/", NULL);

      g->maker->add_constant (g->maker->self, value, shape, own, &node, &g->error);
      flow_gradient_leave (g);
    }
  return g->error == NULL ? (FlowEndpoint) { node, 0 } : FLOW_NO_ENDPOINT;
}

/* What is known of a shape, as whole numbers: @rank is that of what is made. */
static FlowEndpoint
add_known (FlowGradient *g,
           const char   *name,
           int           dtype,
           const gint64 *values,
           guint         n,
           int           rank)
{
  const gint64 dims[] = { n };
  g_autoptr (FlowShape) shape = flow_shape_new (rank, dims);
  g_autoptr (FlowTensor) tensor = NULL;

  if (g->error == NULL)
    tensor = flow_tensor_new_zeros ((FlowDType) dtype, shape, NULL, &g->error);
  for (guint i = 0; tensor != NULL && i < n; i++)
    flow_gradient_put_number (tensor, i, (double) values[i]);
  return tensor != NULL ? add_in_scope (g, tensor, NULL, name) : FLOW_NO_ENDPOINT;
}

FlowEndpoint
flow_gradient_number (FlowGradient *g,
                      const char   *name,
                      int           dtype,
                      double        value)
{
  g_autoptr (FlowShape) shape = flow_shape_new_scalar ();
  FlowTensor *tensor = NULL;

  if (g->error == NULL)
    tensor = flow_tensor_new_zeros ((FlowDType) dtype, shape, NULL, &g->error);
  if (tensor != NULL)
    flow_gradient_put_number (tensor, 0, value);
  return add_constant (g, tensor, name);
}

FlowEndpoint
flow_gradient_ints (FlowGradient *g,
                    const char   *name,
                    int           dtype,
                    const gint64 *values,
                    guint         n)
{
  g_autoptr (FlowShape) shape = flow_shape_new_vector (n);
  FlowTensor *tensor = NULL;

  if (g->error == NULL)
    tensor = flow_tensor_new_zeros ((FlowDType) dtype, shape, NULL, &g->error);
  for (guint i = 0; tensor != NULL && i < n; i++)
    flow_gradient_put_number (tensor, i, (double) values[i]);
  return add_constant (g, tensor, name);
}

static FlowAttrList *
out_type (int dtype)
{
  FlowAttrList *attrs = flow_attr_list_new ();
  FlowAttr *value = flow_attr_new_type (dtype);

  flow_attr_list_set (attrs, "out_type", value);
  flow_attr_unref (value);
  return attrs;
}

/* Shape: a constant where it is known and may be folded. */
FlowEndpoint
flow_gradient_shape (FlowGradient *g,
                     FlowEndpoint  x,
                     const char   *name,
                     int           dtype,
                     gboolean      fold)
{
  FlowShape *shape;

  if (g->error != NULL)
    return FLOW_NO_ENDPOINT;
  shape = flow_gradient_get_shape (g, x);
  if (fold && flow_shape_is_known (shape))
    return add_known (g, name != NULL ? name : "Shape", dtype, shape->dims, (guint) shape->rank, 1);
  return FLOW_GRADIENT_OP_ATTRS (g, "Shape", name != NULL ? name : "Shape", out_type (dtype), x);
}

FlowEndpoint
flow_gradient_size (FlowGradient *g,
                    FlowEndpoint  x)
{
  gint64 n;

  if (g->error == NULL && flow_gradient_is_known (g, x) && flow_shape_n_elements (flow_gradient_get_shape (g, x), &n))
    return add_known (g, "Size", FLOW_DTYPE_INT32, &n, 1, 0);
  return FLOW_GRADIENT_OP (g, "Size", NULL, x);
}

FlowEndpoint
flow_gradient_rank (FlowGradient *g,
                    FlowEndpoint  x)
{
  gint64 rank = g->error == NULL ? flow_gradient_get_shape (g, x)->rank : -1;

  if (rank >= 0)
    return add_known (g, "Rank", FLOW_DTYPE_INT32, &rank, 1, 0);
  return FLOW_GRADIENT_OP (g, "Rank", NULL, x);
}

/* zeros (shape): a Fill, for a shape that is no list of numbers. */
FlowEndpoint
flow_gradient_zeros (FlowGradient *g,
                     FlowEndpoint  shape,
                     int           dtype)
{
  FlowEndpoint zero;

  flow_gradient_open (g, "zeros");
  zero = flow_gradient_number (g, "Const", dtype, 0);
  return FLOW_GRADIENT_CLOSE (g, "Fill", shape, zero);
}

/* zeros or ones of a known shape: a constant, what is large a Fill. */
FlowEndpoint
flow_gradient_filled (FlowGradient *g,
                      const char   *name,
                      const gint64 *dims,
                      guint         n_dims,
                      int           dtype,
                      double        value)
{
  g_autoptr (FlowShape) shape = NULL;
  gint64 n = 0;

  if (g->error != NULL)
    return FLOW_NO_ENDPOINT;
  shape = flow_shape_new ((int) n_dims, dims);
  if (flow_shape_n_elements (shape, &n) && n < 1000)
    {
      g_autoptr (FlowShape) scalar = flow_shape_new_scalar ();
      g_autoptr (FlowTensor) number = flow_tensor_new_zeros ((FlowDType) dtype, scalar, NULL, &g->error);

      if (number != NULL)
        flow_gradient_put_number (number, 0, value);
      return number != NULL ? add_in_scope (g, number, shape, name) : FLOW_NO_ENDPOINT;
    }
  {
    FlowEndpoint size;
    FlowEndpoint number;

    flow_gradient_open (g, name);
    size = flow_gradient_ints (g, "shape_as_tensor", FLOW_DTYPE_INT32, dims, n_dims);
    number = flow_gradient_number (g, "Const", dtype, value);
    return FLOW_GRADIENT_CLOSE (g, "Fill", size, number);
  }
}

FlowEndpoint
flow_gradient_zeros_like (FlowGradient *g,
                          FlowEndpoint  x,
                          gboolean      fold)
{
  FlowShape *shape;

  if (g->error != NULL)
    return FLOW_NO_ENDPOINT;
  shape = flow_gradient_get_shape (g, x);
  if (x.node == ROWS_NODE)
    {
      flow_gradient_open (g, "zeros_like");
      x = flow_gradient_dense (g, x, "tensor");
      shape = g->error == NULL ? flow_gradient_get_shape (g, x) : NULL;
      if (shape != NULL && fold && flow_shape_is_known (shape))
        {
          g_autofree char *name = g_strconcat (g->maker->get_scope (g->maker->self), "/", NULL);

          x = flow_gradient_filled (g, name, shape->dims, (guint) shape->rank, flow_gradient_dtype (g, x), 0);
          flow_gradient_leave (g);
          return x;
        }
      return flow_gradient_close (g, "ZerosLike", NULL, 1, &x);
    }
  if (fold && flow_shape_is_known (shape))
    return flow_gradient_filled (g, "zeros_like", shape->dims, (guint) shape->rank, flow_gradient_dtype (g, x), 0);
  return FLOW_GRADIENT_OP (g, "ZerosLike", "zeros_like", x);
}

FlowEndpoint
flow_gradient_range (FlowGradient *g,
                     FlowEndpoint  limit)
{
  FlowEndpoint start;
  FlowEndpoint delta;

  flow_gradient_open (g, "range");
  start = flow_gradient_number (g, "start", FLOW_DTYPE_INT32, 0);
  delta = flow_gradient_number (g, "delta", FLOW_DTYPE_INT32, 1);
  return FLOW_GRADIENT_CLOSE (g, "Range", start, limit, delta);
}

FlowEndpoint
flow_gradient_cast (FlowGradient *g,
                    FlowEndpoint  x,
                    int           dtype)
{
  FlowAttrList *attrs;
  FlowAttr *value;

  if (g->error != NULL || flow_gradient_dtype (g, x) == dtype)
    return x;
  attrs = flow_attr_list_new ();
  value = flow_attr_new_type (dtype);
  flow_attr_list_set (attrs, "DstT", value);
  flow_attr_unref (value);
  return FLOW_GRADIENT_OP_ATTRS (g, "Cast", NULL, attrs, x);
}
