/* flow-window-bodies.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <glib/gi18n.h>

#include <string.h>

#include "flow-format.h"
#include "flow-variant-item.h"
#include "flow-window-private.h"

/*
 * Bodies of functions opened in place. The session's graph has no nodes for them; the canvas is given a copy of
 * it that grows by the nodes of each body that is opened, under the names that the engine gives them when it calls:
 * names of nodes are what both sides know. Nodes before `n_own` are the session's, by the same indices.
 */

/* A body of more nodes is not drawn inside of another graph. */
#define MAX_BODY_NODES 20000

/* --- A copy that can grow --- */

typedef struct {
  GArray *defs;                /* FlowNodeDef */
  GPtrArray *inputs;           /* of char** */
} Copier;

static void
copy_node (Copier     *self,
           FlowGraph  *graph,
           guint32     node,
           const char *op,
           char      **inputs)
{
  FlowNodeDef def = { .op = op, .offset = -1 };

  def.name = flow_graph_get_node_name (graph, node);
  def.name_length = strlen (def.name);
  def.device = flow_graph_get_node_device (graph, node);
  def.inputs = (const char *const *) inputs;
  def.n_inputs = g_strv_length (inputs);
  def.attrs = flow_graph_get_node_attrs (graph, node);
  g_ptr_array_add (self->inputs, inputs);
  g_array_append_val (self->defs, def);
}

static char **
dup_inputs (FlowGraph *graph,
            guint32    node)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < flow_graph_get_n_inputs (graph, node); i++)
    {
      FlowEndpoint source = { FLOW_NODE_NONE, 0 };
      g_autofree char *text = NULL;

      flow_graph_get_input (graph, node, i, &source);
      if (source.node == FLOW_NODE_NONE)
        continue;
      text = flow_graph_endpoint_to_string (graph, source.node, source.slot);
      g_strv_builder_add (builder, text);
    }
  for (guint i = 0; i < flow_graph_get_n_control_inputs (graph, node); i++)
    {
      guint32 source = flow_graph_get_control_input (graph, node, i);
      g_autofree char *text = NULL;

      if (source == FLOW_NODE_NONE)
        continue;
      text = g_strconcat ("^", flow_graph_get_node_name (graph, source), NULL);
      g_strv_builder_add (builder, text);
    }
  return g_strv_builder_end (builder);
}

static void
import_copies (Copier    *self,
               FlowGraph *to)
{
  g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_problem_free);
  g_autoptr(GError) error = NULL;

  /* What is not sound is drawn all the same. */
  if (!flow_graph_import (to, (const FlowNodeDef *) (gpointer) self->defs->data, self->defs->len, problems, &error))
    g_debug ("bodies are not drawn: %s", error->message);
  g_array_unref (self->defs);
  g_ptr_array_unref (self->inputs);
}

static void
copier_init (Copier *self)
{
  self->defs = g_array_new (FALSE, TRUE, sizeof (FlowNodeDef));
  self->inputs = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
}

static gboolean
has_functions (FlowGraph *graph)
{
  if (graph == NULL || flow_graph_get_n_functions (graph) == 0)
    return FALSE;
  for (guint32 i = 0; i < flow_graph_get_n_nodes (graph); i++)
    if ((flow_graph_get_node_flags (graph, i) & FLOW_OP_FUNCTION) != 0)
      return TRUE;
  return FALSE;
}

static void
copy_nodes (FlowWindow *self,
            FlowGraph  *graph,
            guint32     first)
{
  Copier copier;

  copier_init (&copier);
  for (guint32 i = first; i < flow_graph_get_n_nodes (graph); i++)
    copy_node (&copier, graph, i, flow_graph_get_node_type (graph, i), dup_inputs (graph, i));
  import_copies (&copier, self->view_graph);
}

/* A script makes graphs while one looks at them: as long as no body stands behind its nodes, the copy grows too. */
static gboolean
grow_copy (FlowWindow *self,
           FlowGraph  *graph)
{
  if (self->view_graph == NULL || graph == NULL || graph != self->view_of)
    return FALSE;
  if (flow_graph_get_n_nodes (graph) == self->n_own)
    return TRUE;
  if (g_hash_table_size (self->bodies) > 0)
    return FALSE;
  copy_nodes (self, graph, self->n_own);
  self->n_own = flow_graph_get_n_nodes (graph);
  return flow_graph_get_n_nodes (self->view_graph) == self->n_own;
}

/* Gives the canvas the graph at hand, or of one with functions a copy that can show their bodies. */
void
_flow_window_fill_canvas (FlowWindow *self)
{
  FlowGraph *graph = flow_ui_session_get_graph (self->session);

  if (grow_copy (self, graph))
    return;
  self->view_of = graph;
  g_clear_object (&self->view_graph);
  g_hash_table_remove_all (self->bodies);
  self->body_nodes_n = 0;
  self->n_own = graph != NULL ? flow_graph_get_n_nodes (graph) : 0;
  if (has_functions (graph))
    {
      self->view_graph = flow_graph_new ();
      copy_nodes (self, graph, 0);
      if (flow_graph_get_n_nodes (self->view_graph) != self->n_own)
        g_clear_object (&self->view_graph);
    }
  flow_canvas_set_graph (self->canvas, self->view_graph != NULL ? self->view_graph : graph);
}

/* --- Opening --- */

/* How the engine calls a body after the op that calls: attr `then_branch` is PREFIX/then. */
static char *
make_prefix (FlowWindow *self,
             const char *name,
             const char *label)
{
  FlowGraph *graph = flow_ui_session_get_graph (self->session);
  gboolean has_label = label[0] != '\0';
  char *prefix = has_label ? g_strdup_printf ("%s/%s", name, label) : g_strdup (name);

  for (guint i = 0; flow_graph_find_scope (graph, prefix) != FLOW_SCOPE_NONE; i++)
    {
      g_free (prefix);
      if (i == 0 && !has_label)
        prefix = g_strdup_printf ("%s/call", name);
      else
        prefix = g_strdup_printf ("%s/%s_%u", name, has_label ? label : "call", i + 1);
    }
  return prefix;
}

/* A body's arguments read what the op that calls reads: the last of its inputs, in their order. */
static char **
dup_argument_input (FlowWindow *self,
                    guint32     caller,
                    guint       n_args,
                    guint       arg)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();
  guint n = flow_graph_get_n_inputs (self->view_graph, caller);

  if (n_args <= n)
    {
      FlowEndpoint source = { FLOW_NODE_NONE, 0 };
      g_autofree char *text = NULL;

      flow_graph_get_input (self->view_graph, caller, n - n_args + arg, &source);
      if (source.node != FLOW_NODE_NONE)
        {
          text = flow_graph_endpoint_to_string (self->view_graph, source.node, source.slot);
          g_strv_builder_add (builder, text);
        }
    }
  return g_strv_builder_end (builder);
}

static gboolean
is_argument (const FlowFunctionBody *body,
             guint32                 node,
             guint                  *arg)
{
  for (*arg = 0; *arg < body->n_args; (*arg)++)
    if (body->args[*arg] == node)
      return TRUE;
  return FALSE;
}

static gboolean
add_body (FlowWindow     *self,
          guint32         caller,
          const FlowAttr *func,
          const char     *label,
          GError        **error)
{
  FlowGraph *library = flow_ui_session_get_graph (self->session);
  g_autofree char *prefix = make_prefix (self, flow_graph_get_node_name (self->view_graph, caller), label);
  gboolean is_gradient = g_strcmp0 (flow_graph_get_node_type (self->view_graph, caller), "SymbolicGradient") == 0;
  g_autoptr(FlowFunctionBody) body = NULL;
  Copier copier;

  if (g_hash_table_contains (self->bodies, prefix))
    return TRUE;
  body = is_gradient ? flow_gradient_body_new (library, func, prefix, error)
                     : flow_function_body_new (library, func, prefix, error);
  if (body == NULL)
    return FALSE;
  if (self->body_nodes_n + flow_graph_get_n_nodes (body->graph) > MAX_BODY_NODES)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, _("The bodies that are open have too many ops"));
      return FALSE;
    }
  self->body_nodes_n += flow_graph_get_n_nodes (body->graph);
  copier_init (&copier);
  for (guint32 i = 0; i < flow_graph_get_n_nodes (body->graph); i++)
    {
      guint arg = 0;

      if (is_argument (body, i, &arg))
        copy_node (&copier, body->graph, i, "Argument", dup_argument_input (self, caller, body->n_args, arg));
      else
        copy_node (&copier, body->graph, i, flow_graph_get_node_type (body->graph, i), dup_inputs (body->graph, i));
    }
  import_copies (&copier, self->view_graph);
  g_hash_table_add (self->bodies, g_steal_pointer (&prefix));
  return TRUE;
}

static gboolean
add_attr_bodies (FlowWindow     *self,
                 guint32         caller,
                 const char     *name,
                 const FlowAttr *attr,
                 GError        **error)
{
  g_autofree char *label = NULL;

  if (flow_attr_is_list (attr))
    {
      for (gsize i = 0; i < flow_attr_get_length (attr); i++)
        {
          g_autofree char *branch = g_strdup_printf ("branch%" G_GSIZE_FORMAT, i);

          if (!add_body (self, caller, flow_attr_get_item (attr, i), branch, error))
            return FALSE;
        }
      return TRUE;
    }
  /* The engine calls the branches of an If after what they are, and the only function of a call after nothing. */
  label = g_str_has_suffix (name, "_branch") ? g_strndup (name, strlen (name) - strlen ("_branch"))
          : g_strcmp0 (name, "f") == 0 ? g_strdup ("") : g_strdup (name);
  return add_body (self, caller, attr, label, error);
}

/* All bodies that a node of the view may call. */
static gboolean
add_bodies (FlowWindow  *self,
            guint32      caller,
            GError     **error)
{
  FlowGraph *library = flow_ui_session_get_graph (self->session);
  const char *type = flow_graph_get_node_type (self->view_graph, caller);
  FlowAttrList *attrs = flow_graph_get_node_attrs (self->view_graph, caller);
  gboolean any = FALSE;

  if (flow_graph_find_function (library, type) != NULL)
    {
      g_autoptr(FlowAttr) func = flow_attr_new_func (type, flow_attr_list_ref (attrs));

      return add_body (self, caller, func, "", error);
    }
  for (guint i = 0; i < flow_attr_list_get_length (attrs); i++)
    {
      const FlowAttr *attr = flow_attr_list_get_value (attrs, i);

      if (flow_attr_get_kind (attr) != FLOW_ATTR_FUNC)
        continue;
      any = TRUE;
      if (!add_attr_bodies (self, caller, flow_attr_list_get_name (attrs, i), attr, error))
        return FALSE;
    }
  if (!any)
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, _("%s calls no function"),
                 flow_graph_get_node_name (self->view_graph, caller));
  return any;
}

/* --- States and values of their ops --- */

static void
body_states_cb (GObject           *owner,
                FlowDebuggerReply *reply,
                const GError      *error,
                gpointer           data)
{
  FlowWindow *self = FLOW_WINDOW (owner);
  GBytes *own = flow_ui_session_get_node_states (self->session);
  g_autoptr(GVariant) rows = NULL;
  g_autoptr(GBytes) all = NULL;
  guint8 *states = NULL;
  guint n = self->view_graph != NULL ? flow_graph_get_n_nodes (self->view_graph) : 0;
  gsize n_own = 0;
  const guint8 *bytes = own != NULL ? g_bytes_get_data (own, &n_own) : NULL;

  if (self->closed || n == 0 || reply == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(a(yu))")))
    return;
  rows = g_variant_get_child_value (reply->value, 0);
  states = g_malloc0 (n);
  if (bytes != NULL)
    memcpy (states, bytes, MIN (n_own, self->n_own));
  g_array_set_size (self->body_indices, 0);
  for (gsize i = 0; i < g_variant_n_children (rows) && self->n_own + i < n; i++)
    {
      guint32 index = FLOW_NODE_NONE;

      g_variant_get_child (rows, i, "(yu)", &states[self->n_own + i], &index);
      g_array_append_val (self->body_indices, index);
    }
  all = g_bytes_new_take (states, n);
  flow_canvas_set_node_states (self->canvas, all);
  _flow_window_queue_values (self);
}

/* A graph is not first seen pale: what initialises is the first run in many a list, it fetches nothing, and nearly all
 * of the graph is not in it. Once it is chosen, or has begun, it shows what it executes as every run does. */
static gboolean
is_run_shown (FlowWindow *self)
{
  const FlowDebugState *state = flow_ui_session_get_state (self->session);
  const char *chosen = flow_ui_session_get_chosen_run (self->session);
  GListModel *runs = flow_ui_session_get_runs (self->session);

  if (self->run_was_chosen || flow_ui_session_is_script (self->session)
      || (state != NULL && state->status != FLOW_DEBUG_IDLE && state->status != FLOW_DEBUG_EMPTY))
    return TRUE;
  for (guint i = 0; i < g_list_model_get_n_items (runs); i++)
    {
      g_autoptr(FlowVariantItem) item = g_list_model_get_item (runs, i);
      g_auto(GStrv) fetches = NULL;

      if (g_strcmp0 (flow_variant_item_get_string (item, "name"), chosen) != 0)
        continue;
      fetches = flow_lookup_strv (flow_variant_item_get_value (item), "fetches");
      return fetches != NULL && fetches[0] != NULL;
    }
  return TRUE;
}

/* The states of all that the canvas shows. */
void
_flow_window_show_node_states (FlowWindow *self)
{
  guint n = self->view_graph != NULL ? flow_graph_get_n_nodes (self->view_graph) : 0;
  g_autoptr(GPtrArray) names = NULL;

  if (!is_run_shown (self))
    {
      flow_canvas_set_node_states (self->canvas, NULL);
      return;
    }
  if (n <= self->n_own || flow_ui_session_get_node_states (self->session) == NULL)
    {
      flow_canvas_set_node_states (self->canvas, flow_ui_session_get_node_states (self->session));
      return;
    }
  names = g_ptr_array_new ();
  for (guint32 i = self->n_own; i < n; i++)
    g_ptr_array_add (names, (gpointer) flow_graph_get_node_name (self->view_graph, i));
  flow_ui_session_query (self->session, self, "body-states", "BodyStates",
                         g_variant_new ("(@as)", g_variant_new_strv ((const char *const *) names->pdata, names->len)),
                         body_states_cb, NULL);
}

/* By which index the engine knows a node of the canvas; FLOW_NODE_NONE: by none. */
guint32
_flow_window_engine_node (FlowWindow *self,
                          guint32     node)
{
  if (self->view_graph == NULL || node < self->n_own)
    return node;
  return node - self->n_own < self->body_indices->len ? g_array_index (self->body_indices, guint32, node - self->n_own)
                                                      : FLOW_NODE_NONE;
}

guint32
_flow_window_canvas_node (FlowWindow *self,
                          guint32     node)
{
  for (guint i = 0; self->view_graph != NULL && (node & FLOW_NODE_BODY) != 0 && i < self->body_indices->len; i++)
    if (g_array_index (self->body_indices, guint32, i) == node)
      return self->n_own + i;
  return node;
}

/* --- Places --- */

/* Returns: the node of the session's graph through which one of the canvas is reached; and its name as it is */
guint32
_flow_window_outer_node (FlowWindow  *self,
                         guint32      node,
                         const char **name)
{
  FlowGraph *graph = flow_ui_session_get_graph (self->session);
  g_autofree char *path = NULL;

  *name = NULL;
  if (self->view_graph == NULL || node < self->n_own || node >= flow_graph_get_n_nodes (self->view_graph))
    return node;
  *name = flow_graph_get_node_name (self->view_graph, node);
  path = g_strdup (*name);
  for (char *slash = strrchr (path, '/'); slash != NULL; slash = strrchr (path, '/'))
    {
      guint32 outer = FLOW_NODE_NONE;

      *slash = '\0';
      outer = flow_graph_find_node (graph, path);
      if (outer < self->n_own)
        return outer;
    }
  return FLOW_NODE_NONE;
}

/* The next op as the canvas has it: in a body, which is opened for it. */
guint32
_flow_window_next_on_canvas (FlowWindow           *self,
                             const FlowDebugState *state)
{
  guint32 found = FLOW_NODE_NONE;

  if (self->view_graph == NULL || state->op == NULL)
    return state->next_node;
  for (const char *slash = strchr (state->op, '/'); slash != NULL; slash = strchr (slash + 1, '/'))
    {
      g_autofree char *caller = g_strndup (state->op, slash - state->op);
      guint32 node = flow_graph_find_node (self->view_graph, caller);

      if (node != FLOW_NODE_NONE && !g_hash_table_contains (self->bodies, caller) &&
          flow_graph_find_node (self->view_graph, state->op) == FLOW_NODE_NONE && add_bodies (self, node, NULL))
        {
          flow_canvas_take_growth (self->canvas);
          flow_canvas_expand (self->canvas, caller);
        }
    }
  found = flow_graph_find_node (self->view_graph, state->op);
  return found != FLOW_NODE_NONE ? found : state->next_node;
}

/* The parameter is an op that calls a function; empty: the selected one. */
void
_flow_window_open_body (FlowWindow *self,
                        GVariant   *parameter)
{
  const char *text = g_variant_get_string (parameter, NULL);
  g_autofree char *selected = flow_ui_session_dup_selected_name (self->session);
  const char *name = text[0] != '\0' ? text : selected;
  guint32 node = FLOW_NODE_NONE;
  g_autoptr(GError) error = NULL;

  if (self->view_graph != NULL && name != NULL)
    node = flow_graph_find_node (self->view_graph, name);
  if (node == FLOW_NODE_NONE)
    {
      _flow_window_toast (self, _("This op calls no function that the file has"));
      return;
    }
  if (!add_bodies (self, node, &error))
    {
      _flow_window_show_error (self, _("The body could not be opened"), error);
      return;
    }
  flow_canvas_take_growth (self->canvas);
  flow_canvas_expand (self->canvas, name);
  _flow_window_show_node_states (self);
}
