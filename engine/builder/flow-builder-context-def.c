/* flow-builder-context-def.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder-private.h"

#include "flow-proto-writer.h"

#include <string.h>

/* Branches and loops as collections keep them: CondContextDef, WhileContextDef, the inner ones inside. */

/* Inner contexts stand in their own messages; TensorFlow's own nest a handful. */
#define MAX_NESTED 32

enum {
  CONTROL_COND = 1, CONTROL_WHILE = 2,
  VALUES_VALUES = 1, VALUES_EXTERNAL = 2,
  COND_NAME = 1, COND_PRED = 2, COND_PIVOT = 3, COND_BRANCH = 4, COND_VALUES = 5, COND_NESTED = 6,
  WHILE_NAME = 1, WHILE_PARALLEL = 2, WHILE_BACK_PROP = 3, WHILE_SWAP = 4, WHILE_PIVOT = 5, WHILE_PIVOT_PRED = 6,
  WHILE_PIVOT_BODY = 7, WHILE_EXITS = 8, WHILE_VALUES = 9, WHILE_ENTERS = 10, WHILE_MAXIMUM = 11, WHILE_NESTED = 12,
};

/* --- Out --- */

/* @name without @scope and the slashes after it. */
static char *
strip_scope (const char *name,
             const char *scope)
{
  gsize length = scope != NULL ? strlen (scope) : 0;
  const char *rest;

  if (length > 0 && scope[length - 1] == '/')
    length--;
  if (length == 0 || strncmp (name, scope, length) != 0 || name[length] != '/')
    return g_strdup (name);
  for (rest = name + length; *rest == '/'; )
    rest++;
  return g_strdup (rest);
}

static char *
output_text (FlowBuilder  *self,
             FlowEndpoint  at,
             const char   *scope)
{
  g_autofree char *name = g_strdup_printf ("%s:%d", _flow_builder_node (self, at.node)->name, at.slot);

  return strip_scope (name, scope);
}

static void
put_output (FlowProtoWriter *w,
            guint32          field,
            FlowBuilder     *self,
            FlowEndpoint     at,
            const char      *scope)
{
  g_autofree char *text = at.node != FLOW_NODE_NONE ? output_text (self, at, scope) : NULL;

  if (text != NULL)
    flow_proto_writer_add_string (w, field, text);
}

static FlowEndpoint
endpoint_of (const gint64 *key)
{
  return FLOW_ENDPOINT ((guint64) *key);
}

static void
put_values (FlowProtoWriter *w,
            guint32          field,
            FlowBuilder     *self,
            FlowContext     *context,
            const char      *scope)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) external = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  GHashTableIter iter;
  gpointer key;
  gpointer inside;

  g_hash_table_iter_init (&iter, context->values);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_ptr_array_add (values, output_text (self, endpoint_of (key), scope));
  g_hash_table_iter_init (&iter, context->external);
  while (g_hash_table_iter_next (&iter, &key, &inside))
    {
      char *text = output_text (self, endpoint_of (key), scope);

      g_ptr_array_add (keys, text);
      g_hash_table_replace (external, text, output_text (self, *(FlowEndpoint *) inside, scope));
    }
  g_ptr_array_sort (values, flow_compare_texts);
  g_ptr_array_sort (keys, flow_compare_texts);
  flow_proto_writer_begin (w, field);
  for (guint i = 0; i < values->len; i++)
    flow_proto_writer_add_string (w, VALUES_VALUES, g_ptr_array_index (values, i));
  for (guint i = 0; i < keys->len; i++)
    {
      flow_proto_writer_begin (w, VALUES_EXTERNAL);
      flow_proto_writer_add_string (w, 1, g_ptr_array_index (keys, i));
      flow_proto_writer_add_string (w, 2, g_hash_table_lookup (external, g_ptr_array_index (keys, i)));
      flow_proto_writer_end (w);
    }
  flow_proto_writer_end (w);
}

static void put_context (FlowProtoWriter *w, FlowBuilder *self, FlowContext *context, const char *scope);

/* TensorFlow strips a scope from the outermost one alone. */
static void
put_nested (FlowProtoWriter *w,
            guint32          field,
            FlowBuilder     *self,
            FlowContext     *context)
{
  for (guint i = 0; i < context->nested->len; i++)
    {
      FlowContext *nested = g_ptr_array_index (context->nested, i);

      flow_proto_writer_begin (w, field);
      flow_proto_writer_begin (w, nested->is_while ? CONTROL_WHILE : CONTROL_COND);
      put_context (w, self, nested, NULL);
      flow_proto_writer_end (w);
      flow_proto_writer_end (w);
    }
}

static void
put_branch (FlowProtoWriter *w,
            FlowBuilder     *self,
            FlowContext     *context,
            const char      *scope)
{
  g_autofree char *name = strip_scope (context->name, scope);

  flow_proto_writer_set_string (w, COND_NAME, name);
  put_output (w, COND_PRED, self, context->pred, scope);
  put_output (w, COND_PIVOT, self, context->pivot, scope);
  flow_proto_writer_set_int (w, COND_BRANCH, context->branch);
  put_values (w, COND_VALUES, self, context, scope);
  put_nested (w, COND_NESTED, self, context);
}

static void
put_loop (FlowProtoWriter *w,
          FlowBuilder     *self,
          FlowContext     *context,
          const char      *scope)
{
  g_autofree char *name = strip_scope (context->name, scope);

  flow_proto_writer_set_string (w, WHILE_NAME, name);
  flow_proto_writer_set_int (w, WHILE_PARALLEL, context->parallel_iterations);
  flow_proto_writer_set_int (w, WHILE_BACK_PROP, context->back_prop);
  flow_proto_writer_set_int (w, WHILE_SWAP, context->swap_memory);
  put_output (w, WHILE_PIVOT, self, context->pivot, scope);
  put_output (w, WHILE_PIVOT_PRED, self, context->pivot_for_pred, scope);
  put_output (w, WHILE_PIVOT_BODY, self, context->pivot_for_body, scope);
  for (guint i = 0; i < context->exits->len; i++)
    put_output (w, WHILE_EXITS, self, g_array_index (context->exits, FlowEndpoint, i), scope);
  put_values (w, WHILE_VALUES, self, context, scope);
  for (guint i = 0; i < context->enters->len; i++)
    put_output (w, WHILE_ENTERS, self, g_array_index (context->enters, FlowEndpoint, i), scope);
  put_output (w, WHILE_MAXIMUM, self, context->maximum_iterations, scope);
  put_nested (w, WHILE_NESTED, self, context);
}

static void
put_context (FlowProtoWriter *w,
             FlowBuilder     *self,
             FlowContext     *context,
             const char      *scope)
{
  if (context->is_while)
    put_loop (w, self, context, scope);
  else
    put_branch (w, self, context, scope);
}

/**
 * flow_builder_context_to_bytes:
 * @self: a builder
 * @context: a branch or a loop
 * @export_scope: (nullable): a name scope that names lose
 * @error: where to put an error
 *
 * Returns: (transfer full): a CondContextDef or a WhileContextDef with all contexts inside
 */
GBytes *
flow_builder_context_to_bytes (FlowBuilder  *self,
                               guint         context,
                               const char   *export_scope,
                               GError      **error)
{
  FlowProtoWriter w;
  GBytes *bytes;

  g_return_val_if_fail (FLOW_IS_BUILDER (self) && context > 0 && context <= self->contexts->len, NULL);

  flow_proto_writer_init (&w);
  put_context (&w, self, g_ptr_array_index (self->contexts, context - 1), export_scope);
  bytes = flow_proto_writer_finish (&w, error);
  flow_proto_writer_clear (&w);
  return bytes;
}

/* --- In --- */

typedef struct {
  FlowBuilder *builder;
  const char *scope;
  guint depth;
  GError *error;
} Import;

static FlowContext *read_context (Import *self, FlowProtoReader *r, gboolean is_while);

static char *
prepend_scope (Import     *self,
               const char *name)
{
  if (self->scope == NULL || *self->scope == '\0')
    return g_strdup (name);
  return g_strconcat (self->scope, g_str_has_suffix (self->scope, "/") ? "" : "/", name, NULL);
}

/* An output by its name in the file; FLOW_NO_ENDPOINT with an error when it @must be there. */
static FlowEndpoint
find_output (Import     *self,
             const char *text,
             gboolean    must)
{
  g_autofree char *name = prepend_scope (self, text);
  char *colon = strrchr (name, ':');
  gint64 slot = 0;
  guint32 node;

  if (colon != NULL && g_ascii_string_to_signed (colon + 1, 10, 0, G_MAXINT32, &slot, NULL))
    *colon = '\0';
  node = flow_builder_find_node (self->builder, name);
  if (node != FLOW_NODE_NONE && slot < _flow_builder_node (self->builder, node)->n_outputs)
    return (FlowEndpoint) { node, (gint32) slot };
  if (must && self->error == NULL)
    g_set_error (&self->error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "The name '%s:%d' refers to a Tensor which does not exist. "
                 "The operation, '%s', does not exist in the graph.", name, (int) slot, name);
  return FLOW_NO_ENDPOINT;
}

static FlowEndpoint
read_output (Import          *self,
             FlowProtoReader *r)
{
  g_autofree char *text = NULL;

  if (!flow_proto_reader_dup_string (r, &text))
    return FLOW_NO_ENDPOINT;
  return find_output (self, text, TRUE);
}

static void
read_outputs (Import          *self,
              FlowProtoReader *r,
              GArray          *outputs)
{
  FlowEndpoint at = read_output (self, r);

  if (at.node != FLOW_NODE_NONE)
    g_array_append_val (outputs, at);
}

static void
read_external (Import          *self,
               FlowProtoReader *r,
               FlowContext     *context)
{
  g_autofree char *key = NULL;
  g_autofree char *value = NULL;
  FlowEndpoint inside;
  FlowEndpoint outside;

  while (flow_proto_reader_next (r))
    if (r->field == 1)
      flow_proto_reader_dup_string (r, &key);
    else if (r->field == 2)
      flow_proto_reader_dup_string (r, &value);
  if (key == NULL || value == NULL)
    return;
  inside = find_output (self, value, TRUE);
  outside = find_output (self, key, FALSE);
  if (inside.node != FLOW_NODE_NONE && outside.node != FLOW_NODE_NONE)
    _flow_context_set_external (context, outside, inside);
}

static void
read_values (Import          *self,
             FlowProtoReader *r,
             FlowContext     *context)
{
  g_autofree char *text = NULL;
  FlowProtoReader sub;

  while (flow_proto_reader_next (r))
    if (r->field == VALUES_VALUES && flow_proto_reader_dup_string (r, &text))
      {
        FlowEndpoint at = find_output (self, text, FALSE);

        if (at.node != FLOW_NODE_NONE)
          _flow_context_note (context, at);
        g_clear_pointer (&text, g_free);
      }
    else if (r->field == VALUES_EXTERNAL && flow_proto_reader_enter (r, &sub))
      read_external (self, &sub, context);
}

/* What is known inside and does not stand for something outside was made inside. */
static void
own_nodes (Import      *self,
           FlowContext *context)
{
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, context->values);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      FlowEndpoint at = endpoint_of (key);

      if (!g_hash_table_contains (context->external, key))
        _flow_builder_node (self->builder, at.node)->context = context;
      if (context->is_while && self->scope != NULL && _flow_builder_is_type (self->builder, at.node, FLOW_OP_ENTER))
        {
          g_autoptr (FlowAttr) frame = flow_attr_new_string (context->name, -1);

          flow_builder_set_attr (self->builder, at.node, "frame_name", frame);
        }
    }
}

static void
read_nested (Import          *self,
             FlowProtoReader *r,
             FlowContext     *context)
{
  FlowProtoReader sub;

  if (self->depth >= MAX_NESTED)
    {
      flow_proto_reader_fail (r, "contexts are nested too deeply");
      return;
    }
  self->depth++;
  _flow_context_enter (self->builder, context);
  while (flow_proto_reader_next (r))
    if ((r->field == CONTROL_COND || r->field == CONTROL_WHILE) && flow_proto_reader_enter (r, &sub))
      read_context (self, &sub, r->field == CONTROL_WHILE);
  _flow_context_exit (self->builder, context);
  self->depth--;
}

static void
read_name (Import          *self,
           FlowProtoReader *r,
           FlowContext     *context)
{
  g_autofree char *text = NULL;

  if (!flow_proto_reader_dup_string (r, &text))
    return;
  g_free (context->name);
  context->name = prepend_scope (self, text);
}

static void
read_branch_field (Import          *self,
                   FlowProtoReader *r,
                   FlowContext     *context,
                   GPtrArray       *nested)
{
  FlowProtoReader sub;
  int branch = 0;

  switch (r->field)
    {
    case COND_NAME: read_name (self, r, context); break;
    case COND_PRED: context->pred = read_output (self, r); break;
    case COND_PIVOT: context->pivot = read_output (self, r); break;
    case COND_BRANCH: flow_proto_reader_get_int32 (r, &branch); context->branch = branch != 0; break;
    case COND_VALUES: if (flow_proto_reader_enter (r, &sub)) read_values (self, &sub, context); break;
    case COND_NESTED: if (flow_proto_reader_enter (r, &sub)) g_ptr_array_add (nested, g_memdup2 (&sub, sizeof sub)); break;
    default: break;
    }
}

static void
read_loop_field (Import          *self,
                 FlowProtoReader *r,
                 FlowContext     *context,
                 GPtrArray       *nested)
{
  FlowProtoReader sub;

  switch (r->field)
    {
    case WHILE_NAME: read_name (self, r, context); break;
    case WHILE_PARALLEL: flow_proto_reader_get_int64 (r, &context->parallel_iterations); break;
    case WHILE_BACK_PROP: flow_proto_reader_get_bool (r, &context->back_prop); break;
    case WHILE_SWAP: flow_proto_reader_get_bool (r, &context->swap_memory); break;
    case WHILE_PIVOT: context->pivot = read_output (self, r); break;
    case WHILE_PIVOT_PRED: context->pivot_for_pred = read_output (self, r); break;
    case WHILE_PIVOT_BODY: context->pivot_for_body = read_output (self, r); break;
    case WHILE_EXITS: read_outputs (self, r, context->exits); break;
    case WHILE_VALUES: if (flow_proto_reader_enter (r, &sub)) read_values (self, &sub, context); break;
    case WHILE_ENTERS: read_outputs (self, r, context->enters); break;
    case WHILE_MAXIMUM: context->maximum_iterations = read_output (self, r); break;
    case WHILE_NESTED: if (flow_proto_reader_enter (r, &sub)) g_ptr_array_add (nested, g_memdup2 (&sub, sizeof sub)); break;
    default: break;
    }
}

static FlowContext *
read_context (Import          *self,
              FlowProtoReader *r,
              gboolean         is_while)
{
  g_autoptr (GPtrArray) nested = g_ptr_array_new_with_free_func (g_free);
  FlowContext *context = _flow_context_new (self->builder, "", is_while);

  if (!is_while)
    g_free (flow_builder_unique_name (self->builder, "cond_text", TRUE));
  context->parallel_iterations = 10;
  while (flow_proto_reader_next (r))
    if (is_while)
      read_loop_field (self, r, context, nested);
    else
      read_branch_field (self, r, context, nested);
  context->parallel_iterations = MAX (context->parallel_iterations, 1);
  if (self->error == NULL
      && (context->pivot.node == FLOW_NODE_NONE || (!is_while && context->pred.node == FLOW_NODE_NONE)
          || (is_while && context->pivot_for_pred.node == FLOW_NODE_NONE)))
    flow_proto_reader_fail (r, "a context without its pivot");
  own_nodes (self, context);
  for (guint i = 0; i < nested->len && self->error == NULL; i++)
    read_nested (self, g_ptr_array_index (nested, i), context);
  return context;
}

/**
 * flow_builder_import_context:
 * @self: a builder
 * @definition: a CondContextDef or a WhileContextDef
 * @is_loop: which of the two
 * @import_scope: (nullable): the name scope that the nodes it names were imported into
 * @error: where to put an error
 *
 * Returns: the branch or loop; 0 with %FLOW_ERROR_NOT_FOUND when a node it names is not there,
 *   %FLOW_ERROR_DATA_LOSS when it cannot be read
 */
guint
flow_builder_import_context (FlowBuilder  *self,
                             GBytes       *definition,
                             gboolean      is_loop,
                             const char   *import_scope,
                             GError      **error)
{
  Import import = { .builder = self, .scope = import_scope };
  FlowProtoReader r;
  FlowContext *context;
  gconstpointer data;
  gsize size;

  g_return_val_if_fail (FLOW_IS_BUILDER (self) && definition != NULL, 0);

  data = g_bytes_get_data (definition, &size);
  flow_proto_reader_init (&r, data, size);
  context = read_context (&import, &r, is_loop);
  if (import.error != NULL)
    {
      g_propagate_error (error, import.error);
      return 0;
    }
  return flow_proto_reader_finish (&r, "control flow context", error) ? context->id : 0;
}
