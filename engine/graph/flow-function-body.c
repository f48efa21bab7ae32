/* flow-function-body.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-function-private.h"

#include "flow-graph-private.h"

#include <string.h>

/* From a FunctionDef to nodes: arguments become _Arg nodes, placeholders in attrs what the call says,
 * and inputs, which a function spells `node:output:index`, what a graph spells `node:slot`. */

/* An argument or a body node: where its outputs begin. */
typedef struct {
  char *name;                  /* in the graph that is made */
  const FlowOpSignature *signature; /* NULL: an argument */
  FlowAttrList *attrs;
  guint *firsts;               /* where each of its output arguments begins; one more for the end */
  guint found;                 /* the output argument that was asked for last: the next one is near */
  guint first_arg;             /* of an argument: index of its first _Arg node */
  guint n_args;
} Source;

typedef struct {
  FlowGraph *library;
  FlowGraph *graph;
  const FlowFunction *function;
  FlowBodyFlags flags;
  FlowAttrList *attrs;
  const char *prefix;
  GHashTable *sources;         /* name in the function -> Source */
  GPtrArray *arg_names;        /* of char *: one an _Arg node */
  GArray *defs;                /* of FlowNodeDef */
  GPtrArray *inputs;           /* of char **, beside defs */
  GPtrArray *def_names;        /* of char *, beside defs */
} Maker;

static void
source_free (gpointer data)
{
  Source *self = data;

  g_free (self->name);
  g_free (self->firsts);
  g_clear_pointer (&self->attrs, flow_attr_list_unref);
  g_free (self);
}

static FlowAttrList *substitute_list (Maker        *self,
                                      FlowAttrList *attrs,
                                      GError      **error);

/* Nesting is as deep as the file's, which is bounded. */
static FlowAttr *
substitute (Maker    *self,
            FlowAttr *attr,
            GError  **error)
{
  if (flow_attr_is_list (attr))
    {
      gsize n = flow_attr_get_length (attr);
      g_autofree FlowAttr **items = g_new0 (FlowAttr *, n + 1);
      FlowAttr *made = NULL;
      gboolean same = TRUE;
      gsize done = 0;

      for (; done < n; done++)
        {
          items[done] = substitute (self, flow_attr_get_item (attr, done), error);
          if (items[done] == NULL)
            break;
          same = same && items[done] == flow_attr_get_item (attr, done);
        }
      if (done == n && !same)
        return flow_attr_new_list (flow_attr_get_kind (items[0]), items, n);
      if (done == n)
        made = flow_attr_ref (attr);
      for (gsize i = 0; i < done; i++)
        flow_attr_unref (items[i]);
      return made;
    }
  if (flow_attr_get_kind (attr) == FLOW_ATTR_PLACEHOLDER)
    {
      const char *name = flow_attr_get_func_name (attr);
      FlowAttr *value = flow_attr_list_get (self->attrs, name);

      if (value != NULL)
        return flow_attr_ref (value);
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "Failed to bind all placeholders in %s: no attr %s", self->function->name, name);
      return NULL;
    }
  if (flow_attr_get_kind (attr) == FLOW_ATTR_FUNC && flow_attr_get_func_attrs (attr) != NULL)
    {
      g_autoptr (FlowAttrList) attrs = substitute_list (self, flow_attr_get_func_attrs (attr), error);

      return attrs != NULL ? flow_attr_new_func (flow_attr_get_func_name (attr), g_steal_pointer (&attrs)) : NULL;
    }
  return flow_attr_ref (attr);
}

static FlowAttrList *
substitute_list (Maker        *self,
                 FlowAttrList *attrs,
                 GError      **error)
{
  g_autoptr (FlowAttrList) made = flow_attr_list_new ();

  for (guint i = 0; attrs != NULL && i < flow_attr_list_get_length (attrs); i++)
    {
      g_autoptr (FlowAttr) value = substitute (self, flow_attr_list_get_value (attrs, i), error);

      if (value == NULL)
        return NULL;
      flow_attr_list_set (made, flow_attr_list_get_name (attrs, i), value);
    }
  return g_steal_pointer (&made);
}

/* What the call says, and the signature's defaults where it says nothing. */
static FlowAttrList *
bind_attrs (const FlowFunction *function,
            FlowAttrList       *attrs)
{
  FlowAttrList *bound = flow_attr_list_new ();

  for (guint i = 0; attrs != NULL && i < flow_attr_list_get_length (attrs); i++)
    flow_attr_list_set (bound, flow_attr_list_get_name (attrs, i), flow_attr_list_get_value (attrs, i));
  for (guint i = 0; i < function->signature->n_attrs; i++)
    {
      const FlowAttrDef *def = &function->signature->attrs[i];

      if (def->default_value != NULL && flow_attr_list_get (bound, def->name) == NULL)
        flow_attr_list_set (bound, def->name, def->default_value);
    }
  return bound;
}

static void
add_def (Maker        *self,
         const char   *name,
         const char   *op,
         const char   *device,
         char        **inputs,
         FlowAttrList *attrs)
{
  char *copy = g_strdup (name);
  FlowNodeDef def = {
    .name = copy,
    .name_length = strlen (copy),
    .op = op,
    .device = device,
    .inputs = (const char *const *) inputs,
    .n_inputs = inputs != NULL ? g_strv_length (inputs) : 0,
    .attrs = attrs,
    .offset = -1,
  };

  g_ptr_array_add (self->def_names, copy);
  g_ptr_array_add (self->inputs, inputs != NULL ? inputs : g_new0 (char *, 1));
  g_array_append_val (self->defs, def);
}

static gboolean
add_source (Maker       *self,
            const char  *name,
            Source      *source,
            GError     **error)
{
  if (g_hash_table_contains (self->sources, name))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Duplicated node name in function %s: %s",
                   self->function->name, name);
      source_free (source);
      return FALSE;
    }
  g_hash_table_insert (self->sources, g_strdup (name), source);
  return TRUE;
}

static gboolean
add_arg (Maker             *self,
         const FlowArgDef  *arg,
         const char        *arg_name,
         GError           **error)
{
  g_autoptr (GArray) dtypes = g_array_new (FALSE, FALSE, sizeof (int));
  Source *source = NULL;

  if (!flow_op_signature_expand (self->function->signature, arg, 1, self->attrs, dtypes, error))
    return FALSE;
  source = g_new0 (Source, 1);
  source->first_arg = self->arg_names->len;
  source->n_args = dtypes->len;
  if (!add_source (self, arg_name, source, error))
    return FALSE;
  for (guint i = 0; i < dtypes->len; i++)
    {
      g_autofree char *name = dtypes->len > 1 ? g_strdup_printf ("%s/%s_%u", self->prefix, arg_name, i)
                                              : g_strdup_printf ("%s/%s", self->prefix, arg_name);
      g_autoptr (FlowAttrList) attrs = flow_attr_list_new ();
      g_autoptr (FlowAttr) dtype = flow_attr_new_type (g_array_index (dtypes, int, i));
      g_autoptr (FlowAttr) index = flow_attr_new_int ((gint64) self->arg_names->len);

      flow_attr_list_set (attrs, "T", dtype);
      flow_attr_list_set (attrs, "index", index);
      add_def (self, name, "_Arg", NULL, NULL, g_steal_pointer (&attrs));
      g_ptr_array_add (self->arg_names, g_strdup (name));
    }
  return TRUE;
}

/* Once a node: a reader of one output of many is not to count them all. */
static gboolean
number_outputs (Source  *source,
                GError **error)
{
  const FlowOpSignature *signature = source->signature;
  g_autoptr (GArray) dtypes = g_array_new (FALSE, FALSE, sizeof (int));

  source->firsts = g_new0 (guint, signature->n_outputs + 1);
  for (guint i = 0; i < signature->n_outputs; i++)
    {
      if (!flow_op_signature_expand (signature, &signature->outputs[i], 1, source->attrs, dtypes, error))
        return FALSE;
      source->firsts[i + 1] = dtypes->len;
    }
  return TRUE;
}

/* Names first, so that inputs may point forward. */
static gboolean
add_node (Maker                   *self,
          const FlowFunctionNode  *node,
          GError                 **error)
{
  Source *source = NULL;
  g_autoptr (FlowAttrList) attrs = substitute_list (self, node->attrs, error);
  const FlowOpSignature *signature = NULL;

  if (attrs == NULL)
    return FALSE;
  signature = _flow_graph_find_definition (self->graph, node->op, attrs);
  if (signature == NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND,
                   "Op type not registered '%s' in binary running on %s. Make sure the Op and Kernel are registered "
                   "in the binary running in this process.", node->op, g_get_host_name ());
      return FALSE;
    }
  source = g_new0 (Source, 1);
  source->name = g_strdup_printf ("%s/%s", self->prefix, node->name);
  source->signature = signature;
  source->attrs = g_steal_pointer (&attrs);
  return add_source (self, node->name, source, error) && number_outputs (source, error);
}

static gboolean
not_found (const char  *input,
           const char  *reader,
           GError     **error)
{
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "input %s is not found: {{node %s}}", input, reader);
  return FALSE;
}

/* A decimal number, or -1. */
static gint64
parse_index (const char *text)
{
  if (*text == '\0' || strlen (text) > 9 || strspn (text, "0123456789") != strlen (text))
    return -1;
  return g_ascii_strtoll (text, NULL, 10);
}

/* The outputs that `arg`, `arg:i`, `node:output` or `node:output:i` stands for, as a graph spells them. */
static gboolean
resolve (Maker       *self,
         const char  *input,
         const char  *reader,
         GPtrArray   *out,
         GError     **error)
{
  g_auto (GStrv) parts = g_strsplit (input, ":", 4);
  guint n_parts = g_strv_length (parts);
  Source *source = n_parts > 0 ? g_hash_table_lookup (self->sources, parts[0]) : NULL;
  guint first = 0;
  guint count = 0;
  gboolean is_rule = (self->flags & FLOW_BODY_RULE) != 0;
  guint index_part = source != NULL && source->signature != NULL && !is_rule ? 2 : 1;

  if (source == NULL || n_parts > index_part + 1 || (source->signature != NULL && n_parts < index_part))
    return not_found (input, reader, error);
  if (source->signature == NULL)
    count = source->n_args;
  else if (is_rule)
    count = source->firsts[source->signature->n_outputs];
  else
    {
      guint n = source->signature->n_outputs;
      guint tried = 0;

      for (; tried < n && strcmp (source->signature->outputs[source->found].name, parts[1]) != 0; tried++)
        source->found = (source->found + 1) % n;
      if (tried == n)
        return not_found (input, reader, error);
      first = source->firsts[source->found];
      count = source->firsts[source->found + 1] - first;
    }
  if (n_parts == index_part + 1)
    {
      gint64 index = parse_index (parts[index_part]);

      if (index < 0 || index >= count)
        return not_found (input, reader, error);
      first += (guint) index;
      count = 1;
    }
  for (guint i = 0; i < count; i++)
    if (source->signature == NULL)
      g_ptr_array_add (out, g_strdup (g_ptr_array_index (self->arg_names, source->first_arg + first + i)));
    else
      g_ptr_array_add (out, g_strdup_printf ("%s:%u", source->name, first + i));
  return TRUE;
}

static gboolean
resolve_control (Maker       *self,
                 const char  *name,
                 const char  *reader,
                 GPtrArray   *out,
                 GError     **error)
{
  const Source *source = g_hash_table_lookup (self->sources, name);

  if (source == NULL)
    return not_found (name, reader, error);
  for (guint i = 0; source->signature == NULL && i < source->n_args; i++)
    g_ptr_array_add (out, g_strdup_printf ("^%s", (char *) g_ptr_array_index (self->arg_names, source->first_arg + i)));
  if (source->signature != NULL)
    g_ptr_array_add (out, g_strdup_printf ("^%s", source->name));
  return TRUE;
}

static gboolean
connect_node (Maker                   *self,
              const FlowFunctionNode  *node,
              GError                 **error)
{
  const Source *source = g_hash_table_lookup (self->sources, node->name);
  g_autoptr (GPtrArray) inputs = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; node->inputs != NULL && node->inputs[i] != NULL; i++)
    {
      const char *input = node->inputs[i];

      if (*input == '^' ? !resolve_control (self, input + 1, node->name, inputs, error)
                        : !resolve (self, input, node->name, inputs, error))
        return FALSE;
    }
  g_ptr_array_add (inputs, NULL);
  add_def (self, source->name, node->op, node->device, (char **) g_ptr_array_free (g_steal_pointer (&inputs), FALSE),
           flow_attr_list_ref (source->attrs));
  return TRUE;
}

static gboolean
make_nodes (Maker   *self,
            GError **error)
{
  const FlowFunction *function = self->function;

  for (guint i = 0; i < function->signature->n_inputs; i++)
    if (!add_arg (self, &function->signature->inputs[i], function->signature->inputs[i].name, error))
      return FALSE;
  for (guint i = 0; (self->flags & FLOW_BODY_WITH_GRADIENTS) != 0 && i < function->signature->n_outputs; i++)
    {
      g_autofree char *name = g_strdup_printf ("grad_ys_%s", function->signature->outputs[i].name);

      if (!add_arg (self, &function->signature->outputs[i], name, error))
        return FALSE;
    }
  for (guint i = 0; i < function->nodes->len; i++)
    if (!add_node (self, g_ptr_array_index (function->nodes, i), error))
      return FALSE;
  for (guint i = 0; i < function->nodes->len; i++)
    if (!connect_node (self, g_ptr_array_index (function->nodes, i), error))
      return FALSE;
  return flow_graph_import (self->graph, (const FlowNodeDef *) (gpointer) self->defs->data, self->defs->len, NULL, error);
}

/* What each output of the function is. */
static gboolean
find_rets (Maker             *self,
           FlowFunctionBody  *body,
           GError           **error)
{
  const FlowOpSignature *signature = self->function->signature;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < signature->n_outputs; i++)
    {
      const char *ret = g_hash_table_lookup (self->function->ret, signature->outputs[i].name);
      g_autoptr (GArray) dtypes = g_array_new (FALSE, FALSE, sizeof (int));
      guint before = names->len;

      FLOW_REQUIRE (ret != NULL, error, INVALID_ARGUMENT, "Return %s missing.", signature->outputs[i].name);
      if (!flow_op_signature_expand (signature, &signature->outputs[i], 1, self->attrs, dtypes, error)
          || !resolve (self, ret, signature->outputs[i].name, names, error))
        return FALSE;
      FLOW_REQUIRE (names->len - before == dtypes->len, error, INVALID_ARGUMENT,
                    "Expected %u outputs for %s, but %s gives %u", dtypes->len, signature->outputs[i].name, ret,
                    names->len - before);
      for (guint k = 0; k < dtypes->len; k++)
        {
          FlowEndpoint ret_source = { 0 };
          int have = FLOW_DTYPE_INVALID;

          if (!flow_graph_parse_endpoint (self->graph, g_ptr_array_index (names, before + k), &ret_source, error))
            return FALSE;
          have = flow_graph_get_output_dtype (self->graph, ret_source.node, (guint) ret_source.slot);
          FLOW_REQUIRE ((int) flow_dtype_base (have) == g_array_index (dtypes, int, k), error, INVALID_ARGUMENT,
                        "Invalid ret types %s : %s vs. %s", signature->outputs[i].name,
                        flow_dtype_string (g_array_index (dtypes, int, k)), flow_dtype_string (have));
        }
    }
  body->n_rets = names->len;
  body->rets = g_new0 (FlowEndpoint, MAX (names->len, 1));
  for (guint i = 0; i < names->len; i++)
    flow_graph_parse_endpoint (self->graph, g_ptr_array_index (names, i), &body->rets[i], NULL);
  return TRUE;
}

/* TF: what is stateful, control flow and what the function names so executes although nothing reads it. */
static gboolean
find_effects (Maker             *self,
              FlowFunctionBody  *body,
              GError           **error)
{
  static const guint always = FLOW_OP_STATEFUL | FLOW_OP_SWITCH | FLOW_OP_MERGE | FLOW_OP_ENTER | FLOW_OP_EXIT
                              | FLOW_OP_NEXT_ITERATION | FLOW_OP_LOOP_COND;
  g_autoptr (GHashTable) named = g_hash_table_new (NULL, NULL);
  GHashTableIter iter;
  gpointer value = NULL;
  guint n = flow_graph_get_n_nodes (self->graph);

  g_hash_table_iter_init (&iter, self->function->control_ret);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const Source *source = g_hash_table_lookup (self->sources, value);

      FLOW_REQUIRE (source != NULL, error, INVALID_ARGUMENT, "Control return %s is not found", (const char *) value);
      if (source->signature != NULL)
        g_hash_table_add (named, GUINT_TO_POINTER (flow_graph_find_node (self->graph, source->name)));
    }
  body->effects = g_new0 (guint32, MAX (n, 1));
  for (guint32 i = body->n_args; i < n; i++)
    if (g_hash_table_contains (named, GUINT_TO_POINTER (i)))
      body->effects[body->n_effects++] = i;
  body->n_named = body->n_effects;
  for (guint32 i = body->n_args; i < n; i++)
    if ((flow_graph_get_node_flags (self->graph, i) & always) != 0 && !g_hash_table_contains (named, GUINT_TO_POINTER (i)))
      body->effects[body->n_effects++] = i;
  return TRUE;
}

static void
maker_clear (Maker *self)
{
  for (guint i = 0; i < self->defs->len; i++)
    flow_attr_list_unref (g_array_index (self->defs, FlowNodeDef, i).attrs);
  g_array_unref (self->defs);
  g_ptr_array_unref (self->inputs);
  g_ptr_array_unref (self->def_names);
  g_ptr_array_unref (self->arg_names);
  g_hash_table_unref (self->sources);
  g_clear_pointer (&self->attrs, flow_attr_list_unref);
}

static void
free_strings (gpointer data)
{
  g_strfreev (data);
}

FlowFunctionBody *
_flow_function_body_make (FlowGraph           *library,
                          const FlowFunction  *function,
                          const FlowAttr      *func,
                          const char          *prefix,
                          FlowBodyFlags        flags,
                          GError             **error)
{
  g_autoptr (FlowFunctionBody) body = g_new0 (FlowFunctionBody, 1);
  gboolean ok = FALSE;
  Maker self = { .prefix = prefix, .flags = flags };

  g_atomic_ref_count_init (&body->ref_count);
  body->graph = flow_graph_new ();
  body->graph->library = library->library != NULL ? library->library : library;
  flow_graph_set_versions (body->graph, flow_graph_get_producer (library), flow_graph_get_min_consumer (library), NULL, 0);
  body->func = flow_attr_ref (func);
  body->name_offset = (guint) strlen (prefix) + 1;
  self.library = library;
  self.graph = body->graph;
  self.function = function;
  self.attrs = bind_attrs (function, flow_attr_get_func_attrs (func));
  self.sources = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, source_free);
  self.arg_names = g_ptr_array_new_with_free_func (g_free);
  self.defs = g_array_new (FALSE, FALSE, sizeof (FlowNodeDef));
  self.inputs = g_ptr_array_new_with_free_func (free_strings);
  self.def_names = g_ptr_array_new_with_free_func (g_free);
  ok = make_nodes (&self, error);
  body->n_args = self.arg_names->len;
  body->args = g_new0 (guint32, MAX (body->n_args, 1));
  /* They were the first to be imported. */
  for (guint i = 0; i < body->n_args; i++)
    body->args[i] = i;
  ok = ok && find_rets (&self, body, error) && find_effects (&self, body, error);
  maker_clear (&self);
  return ok ? g_steal_pointer (&body) : NULL;
}

static const FlowFunction *
find_function (FlowGraph       *library,
               const FlowAttr  *func,
               GError         **error)
{
  const FlowFunction *function = flow_graph_find_function (library, flow_attr_get_func_name (func));

  if (function == NULL)
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "Function %s is not defined.", flow_attr_get_func_name (func));
  return function;
}

/**
 * flow_function_body_new: (skip)
 * @library: the graph whose library has the function; borrowed, it has to outlive the body
 * @func: an attr that names a function, with the attrs to make it with
 * @prefix: what the names of the body's nodes begin with; a '/' follows
 * @error: return location
 *
 * Makes the nodes of a function, as TensorFlow's InstantiateFunction does. What they call is not looked at.
 *
 * Sets `FLOW_ERROR_NOT_FOUND` for a function or op type that is not there, `FLOW_ERROR_INVALID_ARGUMENT`
 * for a body that is wrong, in TensorFlow's words.
 *
 * Returns: (transfer full): the body, %NULL on error
 */
FlowFunctionBody *
flow_function_body_new (FlowGraph       *library,
                        const FlowAttr  *func,
                        const char      *prefix,
                        GError         **error)
{
  const FlowFunction *function = NULL;

  g_return_val_if_fail (FLOW_IS_GRAPH (library) && func != NULL && prefix != NULL, NULL);

  function = find_function (library, func, error);
  return function != NULL ? _flow_function_body_make (library, function, func, prefix, 0, error) : NULL;
}

/**
 * flow_function_body_new_on_devices: (skip)
 * @library: the graph whose library has the function; borrowed, it has to outlive the body
 * @func: an attr that names a function, with the attrs to make it with
 * @prefix: what the names of the body's nodes begin with; a '/' follows
 * @error: return location
 *
 * As flow_function_body_new(), of a function that may run on several devices: TensorFlow does not run those of its nodes
 * that have no effect and that nothing but control edges holds.
 *
 * Returns: (transfer full): the body, %NULL on error
 */
FlowFunctionBody *
flow_function_body_new_on_devices (FlowGraph       *library,
                                   const FlowAttr  *func,
                                   const char      *prefix,
                                   GError         **error)
{
  const FlowFunction *function = NULL;
  g_autoptr (GPtrArray) kept = NULL;
  FlowFunction rewritten;

  g_return_val_if_fail (FLOW_IS_GRAPH (library) && func != NULL && prefix != NULL, NULL);

  function = find_function (library, func, error);
  if (function == NULL)
    return NULL;
  kept = _flow_function_list_kept (function);
  rewritten = *function;
  rewritten.nodes = kept;
  return _flow_function_body_make (library, &rewritten, func, prefix, 0, error);
}

/**
 * flow_function_body_ref: (skip)
 * @self: a body
 *
 * Returns: (transfer full): @self
 */
FlowFunctionBody *
flow_function_body_ref (FlowFunctionBody *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * flow_function_body_unref: (skip)
 * @self: (transfer full): a body
 */
void
flow_function_body_unref (FlowFunctionBody *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_clear_object (&self->graph);
  g_clear_pointer (&self->func, flow_attr_unref);
  g_free (self->args);
  g_free (self->rets);
  g_free (self->effects);
  g_free (self);
}
