/* flow-gradient-body.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-function-private.h"

#include "flow-graph-private.h"

#include <string.h>

/* The gradient of a function: its own nodes, and backwards from what it returns a SymbolicGradient for each of them,
 * as TensorFlow's SymbolicGradientBuilder adds them. Those are instantiated in their turn when they execute: by the
 * library, by a rule, or, of functions that are called, like this. */

typedef struct {
  FlowFunctionBody *body;
  FlowGraph *graph;
  const char *prefix;
  guint n_forward;             /* nodes of the function itself */
  guint8 *is_reached;          /* node -> an argument leads to it */
  guint *pending;              /* node -> how many of those that read it have not come back to it yet */
  GArray *ready;               /* of guint32: nodes that all came back to, in the order in which they did */
  GPtrArray **grads;           /* output -> names of what came back to it; NULL where nothing did */
  guint *first_output;         /* node -> index of its first output in grads */
  GArray *defs;                /* of FlowNodeDef */
  GHashTable *names;           /* of what was added */
} Builder;

static void
free_strings (gpointer data)
{
  g_strfreev (data);
}

static char *
unique_name (Builder    *self,
             const char *base,
             const char *suffix)
{
  char *name = g_strdup_printf ("%s%s", base, suffix);

  for (guint i = 1; flow_graph_find_node (self->graph, name) != FLOW_NODE_NONE || g_hash_table_contains (self->names, name); i++)
    {
      g_free (name);
      name = g_strdup_printf ("%s%s_%u", base, suffix, i);
    }
  g_hash_table_add (self->names, name);
  return name;
}

/* Takes @inputs and @attrs; the name is owned by the builder. */
static const char *
add_node (Builder      *self,
          const char   *base,
          const char   *suffix,
          const char   *op,
          char        **inputs,
          FlowAttrList *attrs)
{
  char *name = unique_name (self, base, suffix);
  FlowNodeDef def = {
    .name = name,
    .name_length = strlen (name),
    .op = op,
    .inputs = (const char *const *) inputs,
    .n_inputs = g_strv_length (inputs),
    .attrs = attrs,
    .offset = -1,
  };

  g_array_append_val (self->defs, def);
  return name;
}

static void
set_type (FlowAttrList *attrs,
          const char   *name,
          int           dtype)
{
  g_autoptr (FlowAttr) value = flow_attr_new_type (dtype);

  flow_attr_list_set (attrs, name, value);
}

static int
dtype_of (Builder *self,
          guint32  node,
          guint    slot)
{
  return flow_dtype_base (flow_graph_get_output_dtype (self->graph, node, slot));
}

static GPtrArray **
grads_of (Builder *self,
          guint32  node,
          guint    slot)
{
  return &self->grads[self->first_output[node] + slot];
}

/* @grad comes back to what an edge starts from, or, from an op without a gradient, NULL. */
static void
come_back (Builder      *self,
           FlowEndpoint  source,
           const char   *grad)
{
  if (source.node == FLOW_NODE_NONE || !self->is_reached[source.node])
    return;
  if (grad != NULL)
    {
      GPtrArray **grads = grads_of (self, source.node, (guint) source.slot);

      if (*grads == NULL)
        *grads = g_ptr_array_new_with_free_func (g_free);
      g_ptr_array_add (*grads, g_strdup (grad));
    }
  if (--self->pending[source.node] == 0)
    g_array_append_val (self->ready, source.node);
}

/* TF: what nothing comes back to has a gradient of zeros; of a variable, of what it holds. */
static char *
add_zeros (Builder *self,
           guint32  node,
           guint    slot)
{
  int dtype = dtype_of (self, node, slot);
  const char *base = flow_graph_get_node_name (self->graph, node);
  char *inputs[] = { flow_graph_endpoint_to_string (self->graph, node, (int) slot), NULL };
  FlowAttrList *attrs = flow_attr_list_new ();
  const char *zeros = NULL;

  if (dtype == FLOW_DTYPE_RESOURCE)
    {
      FlowAttrList *read_attrs = flow_attr_list_new ();

      dtype = FLOW_DTYPE_FLOAT;
      set_type (read_attrs, "dtype", dtype);
      inputs[0] = g_strdup (add_node (self, base, "_read", "ReadVariableOp", g_strdupv (inputs), read_attrs));
    }
  set_type (attrs, "T", dtype);
  zeros = add_node (self, base, "_zeros", "ZerosLike", g_strdupv (inputs), attrs);
  g_free (inputs[0]);
  return g_strdup (zeros);
}

/* The sum of all that came back; NULL where nothing did, and, as in TensorFlow, for what is true or false. */
static char *
sum_of (Builder *self,
        guint32  node,
        guint    slot)
{
  GPtrArray *grads = *grads_of (self, node, slot);
  FlowAttrList *attrs = NULL;
  g_autoptr (FlowAttr) n = NULL;
  GStrvBuilder *builder = NULL;
  char **inputs = NULL;

  if (grads == NULL || dtype_of (self, node, slot) == FLOW_DTYPE_BOOL)
    return NULL;
  if (grads->len == 1)
    return g_strdup (g_ptr_array_index (grads, 0));
  builder = g_strv_builder_new ();
  for (guint i = 0; i < grads->len; i++)
    g_strv_builder_add (builder, g_ptr_array_index (grads, i));
  inputs = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);
  attrs = flow_attr_list_new ();
  n = flow_attr_new_int (grads->len);
  flow_attr_list_set (attrs, "N", n);
  set_type (attrs, "T", dtype_of (self, node, slot));
  return g_strdup (add_node (self, flow_graph_get_node_name (self->graph, node), "_sum", "AddN", inputs, attrs));
}

static void
mark_reached (Builder *self)
{
  const guint32 *order = flow_graph_peek_order (self->graph);

  for (guint i = 0; i < self->body->n_args; i++)
    self->is_reached[self->body->args[i]] = 1;
  for (guint i = 0; i < self->n_forward; i++)
    {
      guint n_data = 0;
      const FlowEndpoint *inputs = flow_graph_peek_inputs (self->graph, order[i], &n_data, NULL);

      for (guint k = 0; k < n_data; k++)
        if (inputs[k].node != FLOW_NODE_NONE)
          {
            self->is_reached[order[i]] |= self->is_reached[inputs[k].node];
            self->pending[inputs[k].node]++;
          }
    }
}

/* The op as a function: its name, and its attrs with the definition's defaults. */
static FlowAttr *
func_of (Builder *self,
         guint32  node)
{
  const FlowOpSignature *signature = flow_graph_get_signature (self->graph, node);
  FlowAttrList *given = flow_graph_get_node_attrs (self->graph, node);
  FlowAttrList *attrs = flow_attr_list_new ();

  for (guint i = 0; i < flow_attr_list_get_length (given); i++)
    if (*flow_attr_list_get_name (given, i) != '_')
      flow_attr_list_set (attrs, flow_attr_list_get_name (given, i), flow_attr_list_get_value (given, i));
  for (guint i = 0; i < signature->n_attrs; i++)
    if (signature->attrs[i].default_value != NULL && flow_attr_list_get (attrs, signature->attrs[i].name) == NULL)
      flow_attr_list_set (attrs, signature->attrs[i].name, signature->attrs[i].default_value);
  return flow_attr_new_func (flow_graph_get_node_type (self->graph, node), attrs);
}

static FlowAttr *
type_list (GArray *dtypes)
{
  return flow_attr_new_type_list ((const int *) (gpointer) dtypes->data, dtypes->len);
}

static void
add_gradient (Builder *self,
              guint32  node)
{
  guint n_inputs = flow_graph_get_n_inputs (self->graph, node);
  guint n_outputs = flow_graph_get_n_outputs (self->graph, node);
  const FlowEndpoint *sources = flow_graph_peek_inputs (self->graph, node, NULL, NULL);
  FlowAttrList *attrs = flow_attr_list_new ();
  g_autoptr (GArray) dtypes = g_array_new (FALSE, FALSE, sizeof (int));
  g_autoptr (FlowAttr) func = func_of (self, node);
  g_autoptr (FlowAttr) types_out = NULL;
  g_autoptr (FlowAttr) types_in = NULL;
  char **inputs = g_new0 (char *, n_inputs + n_outputs + 1);
  const char *name = NULL;

  for (guint i = 0; i < n_inputs; i++)
    {
      int dtype = dtype_of (self, sources[i].node, (guint) sources[i].slot);

      inputs[i] = flow_graph_endpoint_to_string (self->graph, sources[i].node, sources[i].slot);
      g_array_append_val (dtypes, dtype);
    }
  types_out = type_list (dtypes);
  for (guint i = 0; i < n_outputs; i++)
    {
      int dtype = dtype_of (self, node, i);

      inputs[n_inputs + i] = sum_of (self, node, i);
      if (inputs[n_inputs + i] == NULL)
        inputs[n_inputs + i] = add_zeros (self, node, i);
      g_array_append_val (dtypes, dtype);
    }
  types_in = type_list (dtypes);
  flow_attr_list_set (attrs, "Tin", types_in);
  flow_attr_list_set (attrs, "Tout", types_out);
  flow_attr_list_set (attrs, "f", func);
  name = add_node (self, flow_graph_get_node_name (self->graph, node), "_grad", "SymbolicGradient", inputs, attrs);
  for (guint i = 0; i < n_inputs; i++)
    {
      g_autofree char *grad = g_strdup_printf ("%s:%u", name, i);

      come_back (self, sources[i], grad);
    }
}

/* TF: a node has its turn when all that read it have come back to it, be it with nothing but zeros. What is read by
 * something that leads to no result never has, and those before it get no more than came from elsewhere. */
static void
add_gradients (Builder *self)
{
  for (guint i = 0; i < self->ready->len; i++)
    {
      guint32 node = g_array_index (self->ready, guint32, i);
      guint n_data = 0;
      const FlowEndpoint *sources = flow_graph_peek_inputs (self->graph, node, &n_data, NULL);

      if (node < self->body->n_args)
        continue;
      if (!_flow_gradient_is_zero (flow_graph_get_node_type (self->graph, node)))
        add_gradient (self, node);
      else
        for (guint k = 0; k < n_data; k++)
          come_back (self, sources[k], NULL);
    }
}

/* The body gives what has come back to the function's own arguments. */
static gboolean
finish (Builder  *self,
        guint     n_args,
        GError  **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  FlowFunctionBody *body = self->body;

  for (guint i = 0; i < n_args; i++)
    {
      char *grad = sum_of (self, body->args[i], 0);

      g_ptr_array_add (names, grad != NULL ? grad : add_zeros (self, body->args[i], 0));
    }
  if (!flow_graph_import (self->graph, (const FlowNodeDef *) (gpointer) self->defs->data, self->defs->len, NULL, error))
    return FALSE;
  g_free (body->rets);
  body->n_rets = n_args;
  body->rets = g_new0 (FlowEndpoint, MAX (n_args, 1));
  for (guint i = 0; i < n_args; i++)
    if (!flow_graph_parse_endpoint (self->graph, g_ptr_array_index (names, i), &body->rets[i], error))
      return FALSE;
  return TRUE;
}

static void
begin (Builder *self,
       guint    n_args)
{
  guint n_outputs = 0;
  guint n_grads = self->body->n_args - n_args;

  self->n_forward = flow_graph_get_n_nodes (self->graph);
  self->is_reached = g_new0 (guint8, self->n_forward + 1);
  self->pending = g_new0 (guint, self->n_forward + 1);
  self->ready = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->first_output = g_new0 (guint, self->n_forward + 1);
  for (guint32 i = 0; i < self->n_forward; i++)
    {
      self->first_output[i] = n_outputs;
      n_outputs += flow_graph_get_n_outputs (self->graph, i);
    }
  self->first_output[self->n_forward] = n_outputs;
  self->grads = g_new0 (GPtrArray *, n_outputs + 1);
  self->defs = g_array_new (FALSE, TRUE, sizeof (FlowNodeDef));
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  mark_reached (self);
  for (guint i = 0; i < n_grads; i++)
    self->pending[self->body->rets[i].node]++;
  for (guint i = 0; i < n_grads; i++)
    come_back (self, self->body->rets[i], flow_graph_get_node_name (self->graph, self->body->args[n_args + i]));
}

static void
builder_clear (Builder *self)
{
  for (guint i = 0; i < self->first_output[self->n_forward]; i++)
    g_clear_pointer (&self->grads[i], g_ptr_array_unref);
  for (guint i = 0; i < self->defs->len; i++)
    {
      FlowNodeDef *def = &g_array_index (self->defs, FlowNodeDef, i);

      free_strings ((gpointer) def->inputs);
      flow_attr_list_unref (def->attrs);
    }
  g_array_unref (self->defs);
  g_hash_table_unref (self->names);
  g_free (self->grads);
  g_free (self->first_output);
  g_free (self->is_reached);
  g_free (self->pending);
  g_array_unref (self->ready);
}

static FlowFunctionBody *
gradient_of_function (FlowGraph           *library,
                      const FlowFunction  *function,
                      const FlowAttr      *func,
                      const char          *prefix,
                      GError             **error)
{
  g_autoptr (FlowFunctionBody) body = _flow_function_body_make (library, function, func, prefix, FLOW_BODY_WITH_GRADIENTS,
                                                                error);
  Builder self = { .body = body, .prefix = prefix };
  gboolean ok = FALSE;
  guint n_args = 0;

  if (body == NULL)
    return NULL;
  n_args = body->n_args - body->n_rets;
  self.graph = body->graph;
  begin (&self, n_args);
  add_gradients (&self);
  ok = finish (&self, n_args, error);
  builder_clear (&self);
  return ok ? g_steal_pointer (&body) : NULL;
}

/**
 * flow_gradient_body_new: (skip)
 * @library: the graph whose library has the function; borrowed, it has to outlive the body
 * @func: an attr that names a function or an op type, with the attrs to make it with
 * @prefix: what the names of the body's nodes begin with; a '/' follows
 * @error: return location
 *
 * Makes the gradient that TensorFlow's SymbolicGradient runs: the one that the library names for the function, else
 * one made from the function's body, or for an op type the rule that TensorFlow 1.15 has for it.
 *
 * Sets `FLOW_ERROR_NOT_FOUND` "No gradient defined for op: X" and others in TensorFlow's words.
 *
 * Returns: (transfer full): a body that takes the function's arguments and the gradients of what it returns, and
 *   returns the gradients of the arguments; %NULL on error
 */
FlowFunctionBody *
flow_gradient_body_new (FlowGraph       *library,
                        const FlowAttr  *func,
                        const char      *prefix,
                        GError         **error)
{
  const char *name = flow_attr_get_func_name (func);
  const FlowFunction *function = flow_graph_find_function (library, name);
  FlowFunctionBody *body = NULL;
  FlowFunction *rule = NULL;

  g_return_val_if_fail (FLOW_IS_GRAPH (library) && prefix != NULL, NULL);

  if (strcmp (name, "SymbolicGradient") == 0)
    {
      g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Can't take gradient of SymbolicGradient");
      return NULL;
    }
  if (function != NULL && function->gradient != NULL && *function->gradient != '\0')
    {
      FlowAttrList *attrs = flow_attr_get_func_attrs (func);
      g_autoptr (FlowAttr) custom = flow_attr_new_func (function->gradient, attrs != NULL ? flow_attr_list_ref (attrs) : NULL);

      body = flow_function_body_new (library, custom, prefix, error);
      /* It goes by what was asked for. */
      if (body != NULL)
        {
          flow_attr_unref (body->func);
          body->func = flow_attr_ref (func);
        }
      return body;
    }
  if (function != NULL)
    return gradient_of_function (library, function, func, prefix, error);
  rule = _flow_gradient_rule_new (name, flow_attr_get_func_attrs (func), error);
  if (rule == NULL)
    return NULL;
  body = _flow_function_body_make (library, rule, func, prefix, FLOW_BODY_RULE, error);
  flow_function_free (rule);
  return body;
}
