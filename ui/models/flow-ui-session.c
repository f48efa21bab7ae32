/* flow-ui-session.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-ui-session.h"

#include <glib/gi18n.h>

#include "flow-format.h"
#include "flow-ui-session-private.h"
#include "flow-variant-item.h"
#include "flow-variant-rows.h"

/**
 * FlowUiSession:
 *
 * What all views of a window share: the debugger it drives, where that stands, what is selected,
 * which run is chosen. Views speak to each other only through it, and nothing in it waits: the
 * debugger is a process of its own.
 */

/* A movement that is done within this time leaves buttons as they are: no flicker on each step. */
#define BUSY_AFTER_MS 150
/* While running at full speed views are refreshed this often. */
#define REFRESH_MS 80

guint _flow_ui_session_signals[FLOW_UI_N_SIGNALS];

G_DEFINE_FINAL_TYPE (FlowUiSession, flow_ui_session, G_TYPE_OBJECT)

static void
emit (FlowUiSession *self,
      guint          signal)
{
  g_signal_emit (self, _flow_ui_session_signals[signal], 0);
}

/* --- Where the debugger stands --- */

static void
node_states_cb (GObject           *owner,
                FlowDebuggerReply *reply,
                const GError      *error,
                gpointer           data)
{
  FlowUiSession *self = FLOW_UI_SESSION (owner);
  g_autoptr(GVariant) bytes = NULL;

  if (reply == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(ay)")))
    return;
  bytes = g_variant_get_child_value (reply->value, 0);
  g_clear_pointer (&self->node_states, g_bytes_unref);
  /* Without a run no node is in it or out of it. */
  if (self->chosen_run != NULL || (self->state != NULL && self->state->run != NULL))
    self->node_states = g_variant_get_data_as_bytes (bytes);
  if (self->scope_states != NULL)
    flow_scope_states_update (self->scope_states, self->node_states);
  emit (self, FLOW_UI_SIGNAL_NODE_STATES_CHANGED);
}

void
_flow_ui_session_ask_node_states (FlowUiSession *self)
{
  if (self->graph != NULL)
    flow_ui_session_query (self, self, "node-states", "NodeStates", NULL, node_states_cb, NULL);
}

static void
take_state (FlowUiSession *self)
{
  g_clear_pointer (&self->state, flow_debug_state_free);
  if (self->debugger != NULL)
    self->state = flow_debugger_dup_state (self->debugger);
}

static gboolean
refresh_cb (gpointer data)
{
  FlowUiSession *self = FLOW_UI_SESSION (data);

  self->state_source = 0;
  take_state (self);
  emit (self, FLOW_UI_SIGNAL_STATE_CHANGED);
  _flow_ui_session_ask_node_states (self);
  return G_SOURCE_REMOVE;
}

/* Tells the views now, or soon when a run goes on at full speed. */
void
_flow_ui_session_state_changed (FlowUiSession *self)
{
  take_state (self);
  if (self->state != NULL && self->state->status == FLOW_DEBUG_RUNNING)
    {
      if (self->state_source == 0)
        self->state_source = g_timeout_add (REFRESH_MS, refresh_cb, self);
      return;
    }
  g_clear_handle_id (&self->state_source, g_source_remove);
  refresh_cb (self);
}

/* Whether there is anything new to ask for; figures of memory alone are no reason. */
static gboolean
state_differs (const FlowDebugState *a,
               const FlowDebugState *b)
{
  if (a == NULL || b == NULL)
    return a != b;
  return a->status != b->status || a->reason != b->reason || a->position != b->position ||
         a->n_events != b->n_events || a->next_node != b->next_node ||
         a->n_planned != b->n_planned || a->iteration_of_run != b->iteration_of_run ||
         a->iteration != b->iteration || a->visit != b->visit ||
         g_strcmp0 (a->run, b->run) != 0 || g_strcmp0 (a->frame, b->frame) != 0 ||
         g_strcmp0 (a->message, b->message) != 0;
}

static void
debugger_changed_cb (FlowDebugger  *debugger,
                     FlowUiSession *self)
{
  g_autoptr(FlowDebugState) now = flow_debugger_dup_state (debugger);

  if (state_differs (self->state, now))
    _flow_ui_session_state_changed (self);
}

static void
debugger_stopped_cb (FlowDebugger   *debugger,
                     FlowDebugState *state,
                     FlowUiSession  *self)
{
  _flow_ui_session_state_changed (self);
  /* At the start of a run: what it reads may have got its values meanwhile. */
  if (state->n_done == 0)
    _flow_ui_session_ask_plan (self);
  emit (self, FLOW_UI_SIGNAL_STOPPED);
}

/* --- Graph --- */

static char *
item_node_name (const FlowCollectionItem *item)
{
  const char *name = item->name;
  const char *colon = NULL;

  if (name == NULL || name[0] == '\0')
    return NULL;
  if (name[0] == '^')
    name++;
  colon = strrchr (name, ':');
  return colon != NULL ? g_strndup (name, colon - name) : g_strdup (name);
}

static void
index_collections (FlowUiSession *self)
{
  guint n = flow_graph_get_n_collections (self->graph);

  self->collections_of = g_hash_table_new_full (NULL, NULL, NULL,
                                                (GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; i < n; i++)
    {
      const char *key = flow_graph_get_collection_key (self->graph, i);
      GPtrArray *items = flow_graph_get_collection (self->graph, key);

      for (guint j = 0; items != NULL && j < items->len; j++)
        {
          g_autofree char *name = item_node_name (g_ptr_array_index (items, j));
          guint32 node = name != NULL ? flow_graph_find_node (self->graph, name) : FLOW_NODE_NONE;
          GPtrArray *keys = NULL;

          if (node == FLOW_NODE_NONE)
            continue;
          keys = g_hash_table_lookup (self->collections_of, GUINT_TO_POINTER (node + 1));
          if (keys == NULL)
            {
              keys = g_ptr_array_new_with_free_func (g_free);
              g_hash_table_insert (self->collections_of, GUINT_TO_POINTER (node + 1), keys);
            }
          if (keys->len == 0 || g_strcmp0 (g_ptr_array_index (keys, keys->len - 1), key) != 0)
            g_ptr_array_add (keys, g_strdup (key));
        }
    }
}

static void
sources_cb (GObject           *owner,
            FlowDebuggerReply *reply,
            const GError      *error,
            gpointer           data)
{
  FlowUiSession *self = FLOW_UI_SESSION (owner);
  g_autoptr(GVariant) boxed = NULL;
  g_autoptr(GVariant) value = NULL;
  FlowSources *sources = NULL;

  if (reply == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(v)")))
    return;
  boxed = g_variant_get_child_value (reply->value, 0);
  value = g_variant_get_variant (boxed);
  sources = flow_sources_new (value);
  /* What is shown stays until there is something else. */
  if (sources == NULL)
    return;
  g_clear_pointer (&self->sources, flow_sources_free);
  self->sources = sources;
  emit (self, FLOW_UI_SIGNAL_SOURCES_CHANGED);
}

static void
ask_sources (FlowUiSession *self)
{
  if (flow_ui_session_is_script (self))
    flow_ui_session_query (self, self, "sources", "ScriptSources", NULL, sources_cb, NULL);
  else if (self->sources != NULL)
    {
      g_clear_pointer (&self->sources, flow_sources_free);
      emit (self, FLOW_UI_SIGNAL_SOURCES_CHANGED);
    }
}

/* Returns: (nullable): where a script made the ops of the graph. */
FlowSources *
flow_ui_session_get_sources (FlowUiSession *self)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), NULL);

  return self->sources;
}

void
_flow_ui_session_forget_graph (FlowUiSession *self)
{
  g_clear_object (&self->graph);
  g_clear_pointer (&self->scope_states, flow_scope_states_free);
  g_clear_pointer (&self->node_states, g_bytes_unref);
  g_clear_pointer (&self->collections_of, g_hash_table_unref);
  g_clear_pointer (&self->plan, g_variant_unref);
  self->selected_node = FLOW_NODE_NONE;
  self->selected_scope = FLOW_SCOPE_NONE;
}

void
_flow_ui_session_set_graph (FlowUiSession *self,
                            FlowGraph     *graph)
{
  guint32 node = self->selected_node;
  guint32 scope = self->selected_scope;
  gboolean same = graph == self->graph;

  g_object_ref (graph);
  _flow_ui_session_forget_graph (self);
  self->graph = graph;
  self->scope_states = flow_scope_states_new (graph);
  index_collections (self);
  /* A graph that grew keeps its indices: what was selected still is. */
  if (same)
    {
      self->selected_node = node;
      self->selected_scope = scope;
    }
  else
    {
      g_array_set_size (self->places, 0);
      self->place = 0;
      self->timeline++;
    }
  emit (self, FLOW_UI_SIGNAL_GRAPH_CHANGED);
  _flow_ui_session_ask_node_states (self);
  ask_sources (self);
}

static void
debugger_graph_changed_cb (FlowDebugger  *debugger,
                           FlowUiSession *self)
{
  FlowGraph *graph = flow_debugger_get_graph (debugger);

  if (graph != NULL && self->opening_path == NULL && self->arriving == NULL)
    _flow_ui_session_set_graph (self, graph);
}

/* --- Runs and breakpoints --- */

static void
breakpoints_cb (GObject           *owner,
                FlowDebuggerReply *reply,
                const GError      *error,
                gpointer           data)
{
  FlowUiSession *self = FLOW_UI_SESSION (owner);
  g_autoptr(GVariant) rows = NULL;

  if (reply == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(aa{sv})")))
    return;
  rows = g_variant_get_child_value (reply->value, 0);
  flow_variant_store_update (self->breakpoints, rows, "id");
  emit (self, FLOW_UI_SIGNAL_NODE_STATES_CHANGED);
}

void
_flow_ui_session_ask_breakpoints (FlowUiSession *self)
{
  flow_ui_session_query (self, self, "breakpoints", "ListBreakpoints", NULL, breakpoints_cb, NULL);
}

static void
debugger_runs_changed_cb (FlowDebugger  *debugger,
                          FlowUiSession *self)
{
  _flow_ui_session_ask_runs (self);
}

static void
debugger_breakpoints_changed_cb (FlowDebugger  *debugger,
                                 FlowUiSession *self)
{
  _flow_ui_session_ask_breakpoints (self);
}

static void
debugger_progress_cb (FlowDebugger  *debugger,
                      double         fraction,
                      const char    *message,
                      FlowUiSession *self)
{
  g_signal_emit (self, _flow_ui_session_signals[FLOW_UI_SIGNAL_PROGRESS], 0, fraction, message);
}

static void
debugger_logged_cb (FlowDebugger  *debugger,
                    guint64        position,
                    const char    *text,
                    FlowUiSession *self)
{
  g_signal_emit (self, _flow_ui_session_signals[FLOW_UI_SIGNAL_LOGGED], 0, position, text);
}

static void
debugger_ended_cb (FlowDebugger  *debugger,
                   const char    *text,
                   FlowUiSession *self)
{
  _flow_ui_session_clear_moves (self);
  take_state (self);
  emit (self, FLOW_UI_SIGNAL_STATE_CHANGED);
  g_signal_emit (self, _flow_ui_session_signals[FLOW_UI_SIGNAL_ENDED], 0, text);
}

/* --- The debugger itself --- */

void
_flow_ui_session_forget_arrived (FlowUiSession *self)
{
  if (self->arriving == NULL)
    return;
  g_clear_object (&self->arriving);
  g_clear_pointer (&self->arriving_info, g_variant_unref);
  g_clear_pointer (&self->arriving_path, g_free);
  flow_ui_session_release_pending (self);
}

void
_flow_ui_session_drop_debugger (FlowUiSession *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  _flow_ui_session_clear_moves (self);
  if (self->debugger != NULL)
    g_signal_handlers_disconnect_by_data (self->debugger, self);
  g_clear_object (&self->debugger);
  _flow_ui_session_forget_arrived (self);
}

gboolean
_flow_ui_session_make_debugger (FlowUiSession *self)
{
  g_autoptr(GError) error = NULL;
  FlowDebugger *debugger = self->factory (self->factory_data, &error);

  self->cancellable = g_cancellable_new ();
  if (debugger == NULL)
    {
      flow_ui_session_report (self, _("The engine did not start"), error);
      return FALSE;
    }
  self->debugger = debugger;
  g_signal_connect_object (debugger, "changed", G_CALLBACK (debugger_changed_cb), self, 0);
  g_signal_connect_object (debugger, "stopped", G_CALLBACK (debugger_stopped_cb), self, 0);
  g_signal_connect_object (debugger, "graph-changed", G_CALLBACK (debugger_graph_changed_cb),
                           self, 0);
  g_signal_connect_object (debugger, "runs-changed", G_CALLBACK (debugger_runs_changed_cb),
                           self, 0);
  g_signal_connect_object (debugger, "breakpoints-changed",
                           G_CALLBACK (debugger_breakpoints_changed_cb), self, 0);
  g_signal_connect_object (debugger, "progress", G_CALLBACK (debugger_progress_cb), self, 0);
  g_signal_connect_object (debugger, "logged", G_CALLBACK (debugger_logged_cb), self, 0);
  g_signal_connect_object (debugger, "ended", G_CALLBACK (debugger_ended_cb), self, 0);
  take_state (self);
  return TRUE;
}

/* --- Choosing --- */

void
flow_ui_session_toggle_watch (FlowUiSession *self,
                              const char    *tensor)
{
  GListModel *model = NULL;
  GVariantDict row;

  g_return_if_fail (FLOW_IS_UI_SESSION (self));
  g_return_if_fail (tensor != NULL);

  model = G_LIST_MODEL (self->watches);
  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr(FlowVariantItem) item = g_list_model_get_item (model, i);

      if (g_strcmp0 (flow_variant_item_get_string (item, "tensor"), tensor) == 0)
        {
          g_list_store_remove (self->watches, i);
          return;
        }
    }
  g_variant_dict_init (&row, NULL);
  g_variant_dict_insert (&row, "tensor", "s", tensor);
  {
    g_autoptr(FlowVariantItem) item = flow_variant_item_new (g_variant_dict_end (&row));

    g_list_store_append (self->watches, item);
  }
}

/* --- Object --- */

static void
flow_ui_session_dispose (GObject *object)
{
  FlowUiSession *self = FLOW_UI_SESSION (object);

  g_clear_handle_id (&self->state_source, g_source_remove);
  _flow_ui_session_drop_debugger (self);
  _flow_ui_session_forget_graph (self);
  g_clear_pointer (&self->state, flow_debug_state_free);
  g_clear_pointer (&self->info, g_variant_unref);
  g_clear_pointer (&self->open_options, g_variant_unref);
  g_clear_object (&self->runs);
  g_clear_object (&self->breakpoints);
  g_clear_object (&self->watches);
  g_clear_object (&self->open_cancellable);

  G_OBJECT_CLASS (flow_ui_session_parent_class)->dispose (object);
}

static void
flow_ui_session_finalize (GObject *object)
{
  FlowUiSession *self = FLOW_UI_SESSION (object);

  g_clear_pointer (&self->sources, flow_sources_free);
  g_array_unref (self->places);
  g_free (self->path);
  g_free (self->opening_path);
  g_free (self->chosen_run);
  g_free (self->planned_run);
  g_free (self->resume_run);
  g_clear_pointer (&self->run_files, g_variant_unref);

  G_OBJECT_CLASS (flow_ui_session_parent_class)->finalize (object);
}

static void
flow_ui_session_class_init (FlowUiSessionClass *klass)
{
  static const struct {
    guint signal;
    const char *name;
  } plain[] = {
    { FLOW_UI_SIGNAL_OPENED, "opened" },
    { FLOW_UI_SIGNAL_GRAPH_CHANGED, "graph-changed" },
    { FLOW_UI_SIGNAL_STATE_CHANGED, "state-changed" },
    { FLOW_UI_SIGNAL_NODE_STATES_CHANGED, "node-states-changed" },
    { FLOW_UI_SIGNAL_SELECTION_CHANGED, "selection-changed" },
    { FLOW_UI_SIGNAL_PLAN_CHANGED, "plan-changed" },
    { FLOW_UI_SIGNAL_STOPPED, "stopped" },
    { FLOW_UI_SIGNAL_PENDING_CHANGED, "pending-changed" },
  };
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  object_class->dispose = flow_ui_session_dispose;
  object_class->finalize = flow_ui_session_finalize;

  for (guint i = 0; i < G_N_ELEMENTS (plain); i++)
    _flow_ui_session_signals[plain[i].signal] =
      g_signal_new (plain[i].name, type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  _flow_ui_session_signals[FLOW_UI_SIGNAL_FAILED] =
    g_signal_new ("failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_ERROR);
  _flow_ui_session_signals[FLOW_UI_SIGNAL_PROGRESS] =
    g_signal_new ("progress", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_STRING);
  _flow_ui_session_signals[FLOW_UI_SIGNAL_LOGGED] =
    g_signal_new ("logged", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 2, G_TYPE_UINT64, G_TYPE_STRING);
  _flow_ui_session_signals[FLOW_UI_SIGNAL_SOURCES_CHANGED] =
    g_signal_new ("sources-changed", FLOW_TYPE_UI_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  _flow_ui_session_signals[FLOW_UI_SIGNAL_ENDED] =
    g_signal_new ("ended", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
flow_ui_session_init (FlowUiSession *self)
{
  self->runs = g_list_store_new (FLOW_TYPE_VARIANT_ITEM);
  self->breakpoints = g_list_store_new (FLOW_TYPE_VARIANT_ITEM);
  self->watches = g_list_store_new (FLOW_TYPE_VARIANT_ITEM);
  self->places = g_array_new (FALSE, FALSE, sizeof (FlowPlace));
  self->selected_node = FLOW_NODE_NONE;
  self->selected_scope = FLOW_SCOPE_NONE;
  g_queue_init (&self->moves);
}

/* @factory makes the debugger when the first file is opened, and again after an engine ended. */
FlowUiSession *
flow_ui_session_new (FlowDebuggerFactory factory,
                     gpointer            data)
{
  FlowUiSession *self = g_object_new (FLOW_TYPE_UI_SESSION, NULL);

  self->factory = factory;
  self->factory_data = data;
  return self;
}

FlowDebugger *
flow_ui_session_get_debugger (FlowUiSession *self)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), NULL);

  return self->debugger;
}

/* Returns: (nullable) (transfer none): the graph that is shown. */
FlowGraph *
flow_ui_session_get_graph (FlowUiSession *self)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), NULL);

  return self->graph;
}

/* Returns: (nullable): where the debugger stood when it last said so. */
const FlowDebugState *
flow_ui_session_get_state (FlowUiSession *self)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), NULL);

  return self->state;
}

const char *
flow_ui_session_get_path (FlowUiSession *self)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), NULL);

  return self->path;
}

GVariant *
flow_ui_session_get_info (FlowUiSession *self)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), NULL);

  return self->info;
}

/* Whether the plan says how the session stands now: what it finds uninitialized, say. Before a run begins and at its
 * start the session is at the same place, and between them a checkpoint may have been restored. */
static gboolean
is_plan_fresh (FlowUiSession *self)
{
  return self->plan != NULL && self->state != NULL
         && flow_lookup_int (self->plan, "position", -1) == (gint64) self->state->position
         && flow_lookup_bool (self->plan, "begun") == (self->state->status != FLOW_DEBUG_IDLE);
}

/* Whether the chosen run is one of a file's, and the file's checkpoint or other runs stand before it. */
gboolean
flow_ui_session_is_in_file (FlowUiSession *self)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), FALSE);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->runs)); i++)
    {
      g_autoptr(FlowVariantItem) item = g_list_model_get_item (G_LIST_MODEL (self->runs), i);

      if (g_strcmp0 (flow_variant_item_get_string (item, "name"), self->chosen_run) == 0)
        return flow_lookup_bool (flow_variant_item_get_value (item), "follows");
    }
  return FALSE;
}

/*
 * The variables that the chosen run reads and that have no value, where that is sure: before a run of a file
 * begins, what stands before it may yet give them one.
 *
 * Returns: (transfer full) (nullable)
 */
char **
flow_ui_session_dup_uninitialized (FlowUiSession *self)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), NULL);

  if (!is_plan_fresh (self)
      || (self->state->status == FLOW_DEBUG_IDLE && flow_ui_session_is_in_file (self)))
    return NULL;
  return flow_lookup_strv (self->plan, "uninitialized");
}

/* Whether the engine process is a script's. */
gboolean
flow_ui_session_is_script (FlowUiSession *self)
{
  const char *kind = NULL;

  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), FALSE);

  return self->info != NULL && g_variant_lookup (self->info, "kind", "&s", &kind) && g_strcmp0 (kind, "script") == 0;
}

gboolean
flow_ui_session_is_script_path (const char *path)
{
  return g_str_has_suffix (path, ".py");
}

GBytes *
flow_ui_session_get_node_states (FlowUiSession *self)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), NULL);

  return self->node_states;
}

guint8
flow_ui_session_get_node_state (FlowUiSession *self,
                                guint32        node)
{
  gsize size = 0;
  const guint8 *states = NULL;

  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), FLOW_NODE_PENDING);

  if (self->node_states == NULL)
    return FLOW_NODE_PENDING;
  states = g_bytes_get_data (self->node_states, &size);
  return node < size ? states[node] : FLOW_NODE_NOT_IN_RUN;
}

FlowScopeStates *
flow_ui_session_get_scope_states (FlowUiSession *self)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), NULL);

  return self->scope_states;
}

GListModel *
flow_ui_session_get_breakpoints (FlowUiSession *self)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), NULL);

  return G_LIST_MODEL (self->breakpoints);
}

GListModel *
flow_ui_session_get_watches (FlowUiSession *self)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), NULL);

  return G_LIST_MODEL (self->watches);
}

/* Returns: (nullable) (element-type utf8): keys of the collections that name @node. */
GPtrArray *
flow_ui_session_get_node_collections (FlowUiSession *self,
                                      guint32        node)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), NULL);

  if (self->collections_of == NULL)
    return NULL;
  return g_hash_table_lookup (self->collections_of, GUINT_TO_POINTER (node + 1));
}

/* Tells the window that something a person asked for did not work. */
void
flow_ui_session_report (FlowUiSession *self,
                        const char    *title,
                        const GError  *error)
{
  g_return_if_fail (FLOW_IS_UI_SESSION (self));

  g_signal_emit (self, _flow_ui_session_signals[FLOW_UI_SIGNAL_FAILED], 0, title, error);
}

guint
flow_ui_session_get_pending (FlowUiSession *self)
{
  g_return_val_if_fail (FLOW_IS_UI_SESSION (self), 0);

  return self->pending;
}

/* What is under way counts as pending work in `win.state`: questions, movements, layouts. */
void
flow_ui_session_hold_pending (FlowUiSession *self)
{
  g_return_if_fail (FLOW_IS_UI_SESSION (self));

  self->pending++;
  emit (self, FLOW_UI_SIGNAL_PENDING_CHANGED);
}

void
flow_ui_session_release_pending (FlowUiSession *self)
{
  g_return_if_fail (FLOW_IS_UI_SESSION (self));
  g_return_if_fail (self->pending > 0);

  self->pending--;
  emit (self, FLOW_UI_SIGNAL_PENDING_CHANGED);
}
