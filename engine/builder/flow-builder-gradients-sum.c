/* flow-builder-gradients-sum.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder-private.h"

#include <string.h>

/* Several gradients of one tensor become one; the gradients of one op wait for each other. */

static FlowGrad
dense (FlowEndpoint values)
{
  FlowGrad grad = FLOW_NO_GRAD;

  grad.values = values;
  return grad;
}

static FlowEndpoint
concat (FlowGradient *g,
        GArray       *grads,
        gboolean      indices)
{
  g_autofree FlowEndpoint *parts = g_new (FlowEndpoint, grads->len + 1);

  for (guint i = 0; i < grads->len; i++)
    parts[i] = indices ? g_array_index (grads, FlowGrad, i).indices : g_array_index (grads, FlowGrad, i).values;
  flow_gradient_open (g, "concat");
  parts[grads->len] = flow_gradient_number (g, "axis", FLOW_DTYPE_INT32, 0);
  return flow_gradient_close (g, "ConcatV2", NULL, grads->len + 1, parts);
}

/* TF: row numbers of both kinds become int64 before they are joined. */
static void
widen_indices (FlowGradient *g,
               GArray       *grads)
{
  guint n_narrow = 0;

  for (guint i = 0; i < grads->len; i++)
    n_narrow += flow_gradient_dtype (g, g_array_index (grads, FlowGrad, i).indices) == FLOW_DTYPE_INT32;
  if (n_narrow == 0 || n_narrow == grads->len)
    return;
  for (guint i = 0; i < grads->len; i++)
    {
      FlowGrad *grad = &g_array_index (grads, FlowGrad, i);

      if (flow_gradient_dtype (g, grad->indices) == FLOW_DTYPE_INT32)
        grad->indices = flow_gradient_cast (g, grad->indices, FLOW_DTYPE_INT64);
    }
}

static FlowEndpoint
add_n (FlowGradient       *g,
       const FlowEndpoint *parts,
       guint               n)
{
  return n == 1 ? parts[0] : flow_gradient_add (g, "AddN", NULL, NULL, n, parts);
}

/* Per device first, each sum beside its first summand. */
static FlowEndpoint
sum_by_device (FlowGradient *g,
               GArray       *grads)
{
  g_autoptr (GPtrArray) devices = g_ptr_array_new ();
  g_autofree FlowEndpoint *sums = g_new (FlowEndpoint, grads->len);
  g_autofree FlowEndpoint *parts = g_new (FlowEndpoint, grads->len);
  guint n_sums = 0;

  for (guint i = 0; i < grads->len; i++)
    {
      const char *device = g->maker->get_device (g->maker->self, g_array_index (grads, FlowGrad, i).values.node);
      gboolean seen = FALSE;

      for (guint k = 0; k < devices->len && !seen; k++)
        seen = strcmp (g_ptr_array_index (devices, k), device) == 0;
      if (!seen)
        g_ptr_array_add (devices, (gpointer) device);
    }
  g_ptr_array_sort (devices, flow_compare_texts);
  for (guint k = 0; k < devices->len; k++)
    {
      guint n = 0;

      for (guint i = 0; i < grads->len; i++)
        {
          FlowEndpoint values = g_array_index (grads, FlowGrad, i).values;

          if (strcmp (g->maker->get_device (g->maker->self, values.node), g_ptr_array_index (devices, k)) == 0)
            parts[n++] = values;
        }
      g->maker->enter_colocation (g->maker->self, parts[0].node, TRUE);
      sums[n_sums++] = add_n (g, parts, n);
      g->maker->leave (g->maker->self);
    }
  return add_n (g, sums, n_sums);
}

static FlowEndpoint
sum_as_tree (FlowGradient *g,
             GArray       *grads,
             guint32       node)
{
  g_autofree char *scope = g_strconcat (g->maker->get_name (g->maker->self, node), "_gradient_sum", NULL);
  FlowEndpoint sum = g_array_index (grads, FlowGrad, 0).values;

  flow_gradient_open (g, scope);
  for (guint i = 1; i < grads->len; i++)
    sum = FLOW_GRADIENT_OP (g, "AddN", NULL, sum, g_array_index (grads, FlowGrad, i).values);
  flow_gradient_leave (g);
  return sum;
}

/* The shape of all of them, where one has it whole. */
static FlowShape *
known_shape (FlowGradient *g,
             GArray       *grads)
{
  for (guint i = 0; i < grads->len; i++)
    if (flow_gradient_is_known (g, g_array_index (grads, FlowGrad, i).values))
      return flow_gradient_get_shape (g, g_array_index (grads, FlowGrad, i).values);
  return NULL;
}

static FlowEndpoint
accumulate (FlowGradient *g,
            GArray       *grads)
{
  g_autofree FlowEndpoint *parts = g_new (FlowEndpoint, grads->len);
  FlowAttrList *attrs = flow_attr_list_new ();
  FlowAttr *shape = flow_attr_new_shape (known_shape (g, grads));

  for (guint i = 0; i < grads->len; i++)
    parts[i] = g_array_index (grads, FlowGrad, i).values;
  flow_attr_list_set (attrs, "shape", shape);
  flow_attr_unref (shape);
  return flow_gradient_add (g, "AccumulateNV2", NULL, attrs, grads->len, parts);
}

static FlowGrad
sum_mixed (FlowGradient *g,
           GArray       *grads)
{
  g_autofree FlowEndpoint *parts = g_new (FlowEndpoint, grads->len);

  flow_gradient_open (g, "AddN");
  for (guint i = 0; i < grads->len; i++)
    {
      FlowGrad grad = g_array_index (grads, FlowGrad, i);
      g_autofree char *name = g_strdup_printf ("inputs_%u", i);

      parts[i] = grad.indices.node == FLOW_NODE_NONE ? grad.values : flow_gradient_densify (g, grad, name);
    }
  return dense (flow_gradient_close (g, "AddN", NULL, grads->len, parts));
}

FlowGrad
_flow_builder_sum_gradients (FlowGradient *g,
                             GArray       *grads,
                             guint32       node,
                             guint         flags)
{
  guint n_rows = 0;
  FlowGrad rows;

  if (grads == NULL || grads->len == 0)
    return FLOW_NO_GRAD;
  if (grads->len == 1)
    return g_array_index (grads, FlowGrad, 0);
  for (guint i = 0; i < grads->len; i++)
    n_rows += g_array_index (grads, FlowGrad, i).indices.node != FLOW_NODE_NONE;
  if (n_rows == grads->len)
    {
      widen_indices (g, grads);
      rows.values = concat (g, grads, FALSE);
      rows.indices = concat (g, grads, TRUE);
      rows.dense_shape = g_array_index (grads, FlowGrad, 0).dense_shape;
      return rows;
    }
  if (n_rows > 0)
    return sum_mixed (g, grads);
  if ((flags & FLOW_GRADIENT_ACCUMULATE) != 0 && grads->len > 2 && known_shape (g, grads) != NULL)
    return dense (accumulate (g, grads));
  if ((flags & (FLOW_GRADIENT_TREE | FLOW_GRADIENT_ACCUMULATE)) != 0)
    return dense (sum_as_tree (g, grads, node));
  return dense (sum_by_device (g, grads));
}

static int
compare_nodes (gconstpointer a,
               gconstpointer b)
{
  guint32 left = *(const guint32 *) a;
  guint32 right = *(const guint32 *) b;

  return left < right ? -1 : left > right;
}

static FlowEndpoint
wait_for (FlowGradient *g,
          FlowEndpoint  output,
          guint32       gate)
{
  FlowEndpoint made;

  flow_gradient_open (g, "control_dependency");
  g->maker->enter_colocation (g->maker->self, output.node, FALSE);
  g->maker->enter_control (g->maker->self, &gate, 1);
  {
    g_autofree char *name = g_strconcat (g->maker->get_scope (g->maker->self), "/", NULL);

    made = flow_gradient_add (g, "Identity", name, NULL, 1, &output);
  }
  g->maker->leave (g->maker->self);
  g->maker->leave (g->maker->self);
  flow_gradient_leave (g);
  return made;
}

static FlowEndpoint
add_gate (FlowGradient  *g,
          const char    *name,
          const char    *device,
          const guint32 *nodes,
          guint          n)
{
  FlowBuilder *builder = g->maker->self;
  FlowEndpoint gate;
  gboolean placed;

  g->maker->enter_control (g->maker->self, nodes, n);
  placed = device != NULL && g->error == NULL && flow_builder_enter_device (builder, device, &g->error);
  gate = flow_gradient_add (g, "NoOp", name, NULL, 0, NULL);
  if (placed)
    g->maker->leave (g->maker->self);
  g->maker->leave (g->maker->self);
  return gate;
}

static int
compare_devices (gconstpointer a,
                 gconstpointer b,
                 gpointer      maker)
{
  FlowNodeMaker *self = maker;

  return strcmp (self->get_device (self->self, *(const guint32 *) a), self->get_device (self->self, *(const guint32 *) b));
}

/* control_flow_ops.group(): one op for each device, and one that waits for them. */
static FlowEndpoint
group (FlowGradient *g,
       GArray       *nodes)
{
  g_autoptr (GArray) gates = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 *all = (guint32 *) (gpointer) nodes->data;
  const char *first = g->maker->get_device (g->maker->self, all[0]);
  FlowEndpoint gate;
  gboolean is_one = TRUE;

  for (guint i = 1; i < nodes->len && is_one; i++)
    is_one = strcmp (first, g->maker->get_device (g->maker->self, all[i])) == 0;
  if (!is_one)
    g_array_sort_with_data (nodes, compare_devices, g->maker);
  flow_gradient_open (g, "group_deps");
  for (guint i = 0, n; !is_one && i < nodes->len && g->error == NULL; i += n)
    {
      const char *device = g->maker->get_device (g->maker->self, all[i]);

      for (n = 1; i + n < nodes->len && strcmp (device, g->maker->get_device (g->maker->self, all[i + n])) == 0; )
        n++;
      gate = add_gate (g, "NoOp", device, all + i, n);
      g_array_append_val (gates, gate.node);
    }
  {
    g_autofree char *name = g_strconcat (g->maker->get_scope (g->maker->self), "/", NULL);

    gate = is_one ? add_gate (g, name, first, all, nodes->len)
                  : add_gate (g, name, NULL, (guint32 *) (gpointer) gates->data, gates->len);
  }
  flow_gradient_leave (g);
  return gate;
}

void
_flow_builder_gate_gradients (FlowGradient *g,
                              FlowGrad     *grads,
                              guint         n)
{
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint n_there = 0;
  FlowEndpoint gate;

  for (guint i = 0; i < n; i++)
    if (grads[i].values.node != FLOW_NODE_NONE)
      {
        gboolean seen = FALSE;

        n_there++;
        for (guint k = 0; k < nodes->len && !seen; k++)
          seen = g_array_index (nodes, guint32, k) == grads[i].values.node;
        if (!seen)
          g_array_append_val (nodes, grads[i].values.node);
      }
  if (n_there < 2 || g->error != NULL)
    return;
  g_array_sort (nodes, compare_nodes);
  g->maker->enter_colocation (g->maker->self, FLOW_NODE_NONE, TRUE);
  flow_gradient_open (g, "tuple");
  gate = group (g, nodes);
  for (guint i = 0; i < n; i++)
    if (grads[i].values.node != FLOW_NODE_NONE)
      grads[i].values = wait_for (g, grads[i].values, gate.node);
  flow_gradient_leave (g);
  g->maker->leave (g->maker->self);
}
