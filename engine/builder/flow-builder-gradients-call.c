/* flow-builder-gradients-call.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder-private.h"

#include <string.h>

/* Gradients of ops that call a function of the graph's library: one SymbolicGradient of the function each. */

static gboolean
is_partitioned (const char *type)
{
  return strcmp (type, "PartitionedCall") == 0 || strcmp (type, "StatefulPartitionedCall") == 0;
}

static const char *
function_of (FlowGradient *g)
{
  const char *type = g->maker->get_type (g->maker->self, g->node);
  FlowAttr *func = is_partitioned (type) ? flow_gradient_attr (g, "f") : NULL;

  return func != NULL ? flow_attr_get_func_name (func) : type;
}

static void
append_dtype (GArray *dtypes,
              int     dtype)
{
  g_array_append_val (dtypes, dtype);
}

static FlowAttr *
take_types (GArray *dtypes)
{
  FlowAttr *attr = flow_attr_new_type_list ((const int *) (gpointer) dtypes->data, dtypes->len);

  g_array_unref (dtypes);
  return attr;
}

/* TF: what came back to the outputs is dense, and is there for each of them. */
static void
rule_call (FlowGradient *g)
{
  FlowBuilder *self = g->maker->self;
  guint32 node = g->node;
  FlowBuilder *owner = _flow_builder_owner_of (self, &node);
  FlowAttrList *attrs = flow_attr_list_new ();
  guint n = g->n_inputs + g->n_outputs;
  g_autofree FlowEndpoint *inputs = g_new (FlowEndpoint, n + 1);
  GArray *types_in = g_array_new (FALSE, FALSE, sizeof (int));
  GArray *types_out = g_array_new (FALSE, FALSE, sizeof (int));
  FlowAttrList *own = flow_builder_get_node_attrs (owner, node);
  FlowAttrList *given = flow_attr_list_new ();
  FlowEndpoint made;

  for (guint i = 0; i < g->n_inputs; i++)
    {
      inputs[i] = flow_gradient_x (g, i);
      append_dtype (types_in, flow_gradient_dtype (g, inputs[i]));
      /* TF: not the dtype of the variable. */
      append_dtype (types_out, flow_gradient_dtype (g, inputs[i]) == FLOW_DTYPE_RESOURCE ? FLOW_DTYPE_FLOAT
                                                                                       : flow_gradient_dtype (g, inputs[i]));
    }
  for (guint i = 0; i < g->n_outputs; i++)
    {
      inputs[g->n_inputs + i] = flow_gradient_dy (g, i);
      append_dtype (types_in, flow_gradient_dtype (g, inputs[g->n_inputs + i]));
    }
  flow_attr_list_take (attrs, "Tin", take_types (types_in));
  flow_attr_list_take (attrs, "Tout", take_types (types_out));
  for (guint i = 0; i < flow_attr_list_get_length (own); i++)
    flow_attr_list_set (given, flow_attr_list_get_name (own, i), flow_attr_list_get_value (own, i));
  flow_attr_list_take (attrs, "f", flow_attr_new_func (function_of (g), given));
  made = flow_gradient_add (g, "SymbolicGradient", NULL, attrs, n, inputs);
  for (guint i = 0; i < g->n_inputs && g->error == NULL; i++)
    flow_gradient_set (g, i, (FlowEndpoint) { made.node, (gint32) i });
}

/* Whether that node of @source calls a function of its graph's library; what does not come back to its outputs is zeros. */
gboolean
_flow_builder_find_call_rule (FlowBuilder      *source,
                              guint32           node,
                              FlowGradientFunc *rule)
{
  const char *type = flow_builder_get_node_type (source, node);

  if (!is_partitioned (type) && (source->library == NULL || flow_graph_find_function (source->library, type) == NULL))
    return FALSE;
  *rule = rule_call;
  return TRUE;
}

gboolean
_flow_builder_is_call_rule (FlowGradientFunc rule)
{
  return rule == rule_call;
}
