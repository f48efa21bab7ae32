/* flow-debug-runs.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-debug-core-private.h"

#include "flow-checkpoint.h"
#include "flow-tensor-compare.h"
#include "flow-util.h"

#include <string.h>

/* --- opening -------------------------------------------------------------------------------------- */

static void
print_cb (const char *stream,
          const char *text,
          gpointer    data)
{
  FlowDebugCore *core = data;

  core->owner_funcs->logged (core->owner, core->stepper != NULL ? flow_stepper_get_position (core->stepper) : 0, text);
}

static void
progress_cb (double      fraction,
             const char *message,
             gpointer    data)
{
  FlowDebugCore *core = data;

  core->owner_funcs->progress (core->owner, fraction, message);
}

/* A new session over the open graph, with the runs of core->file. */
static void
make_session (FlowDebugCore *core,
              char         **allow)
{
  g_clear_pointer (&core->stepper, flow_stepper_free);
  g_clear_object (&core->session);
  core->session = flow_session_new (core->graph, core->budget);
  flow_session_set_folder (core->session, core->file->folder);
  for (guint i = 0; allow != NULL && allow[i] != NULL; i++)
    flow_session_allow_folder (core->session, allow[i]);
  flow_session_set_print (core->session, print_cb, core, NULL);
}

static gboolean poll_cb (gpointer data);

/* Entries of the file follow one another; all others begin when they are asked for. */
static gboolean
make_stepper (FlowDebugCore *core,
              GError       **error)
{
  g_autoptr(FlowRunFile) flowing = flow_run_file_copy (core->file);
  FlowRunList *list = NULL;
  GHashTableIter policies;
  gpointer scope = NULL;
  gpointer policy = NULL;

  g_clear_pointer (&core->stepper, flow_stepper_free);
  for (guint i = flowing->entries->len; i > 0; i--)
    if (strcmp (g_ptr_array_index (core->sources, i - 1), "file") != 0)
      g_ptr_array_remove_index (flowing->entries, i - 1);
  core->stepper = flow_stepper_new (core->session, flowing);
  flow_stepper_set_poll (core->stepper, poll_cb, core);
  if (core->history_limit > 0)
    flow_stepper_set_limit (core->stepper, core->history_limit);
  g_hash_table_iter_init (&policies, core->policies);
  while (g_hash_table_iter_next (&policies, &scope, &policy))
    flow_stepper_set_policy (core->stepper, scope, (FlowKeepPolicy) GPOINTER_TO_UINT (policy));
  list = flow_stepper_get_list (core->stepper);
  flow_run_list_set_cancellable (list, core->cancellable);
  for (guint i = 0; i < core->file->entries->len; i++)
    if (strcmp (g_ptr_array_index (core->sources, i), "file") != 0)
      flow_run_list_set_entry (list, g_ptr_array_index (core->file->entries, i), FALSE);
  for (guint i = 0; core->file->override_names[i] != NULL; i++)
    {
      g_autoptr(FlowTensor) value = NULL;
      FlowEndpoint endpoint = { 0 };
      int dtype = 0;

      if (!flow_graph_parse_endpoint (core->graph, core->file->override_names[i], &endpoint, error)
          || endpoint.slot < 0)
        return FALSE;
      dtype = flow_dtype_base (flow_graph_get_output_dtype (core->graph, endpoint.node, (guint) endpoint.slot));
      value = _flow_debug_core_make_value (core, core->file->override_names[i], dtype, core->file->overrides[i], error);
      if (value == NULL || !flow_run_list_set_override (list, endpoint.node, endpoint.slot, value, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
poll_cb (gpointer data)
{
  FlowDebugCore *core = data;

  return core->owner_funcs->poll (core->owner);
}

static void
add_entry (FlowDebugCore *core,
           FlowRunEntry  *entry,
           const char    *source)
{
  g_ptr_array_add (core->file->entries, entry);
  g_ptr_array_add (core->sources, (gpointer) g_intern_string (source));
}

/* A signature is a run: its inputs are fed zeros until somebody says better. */
static void
add_signatures (FlowDebugCore *core)
{
  GPtrArray *signatures = flow_model_get_signatures (core->model);

  for (guint i = 0; signatures != NULL && i < signatures->len; i++)
    {
      const FlowSignature *signature = g_ptr_array_index (signatures, i);
      FlowRunEntry *entry = NULL;

      if (_flow_debug_core_find_entry (core, signature->key) >= 0)
        continue;
      entry = flow_run_entry_new (signature->key);
      for (guint j = 0; j < signature->outputs->len; j++)
        flow_run_entry_add_fetch (entry, ((FlowTensorInfo *) g_ptr_array_index (signature->outputs, j))->name);
      for (guint j = 0; j < signature->inputs->len; j++)
        {
          const FlowTensorInfo *info = g_ptr_array_index (signature->inputs, j);
          GString *json = g_string_new (info->dtype == FLOW_DTYPE_STRING ? "{\"value\":[\"\"]" : "{\"zeros\":[");

          for (int d = 0; info->dtype != FLOW_DTYPE_STRING && info->shape != NULL && d < info->shape->rank; d++)
            g_string_append_printf (json, "%s%" G_GINT64_FORMAT, d > 0 ? "," : "", MAX (info->shape->dims[d], 1));
          g_string_append (json, info->dtype == FLOW_DTYPE_STRING ? "}" : "]}");
          flow_run_entry_set_feed (entry, info->name, json->str);
          g_string_free (json, TRUE);
        }
      add_entry (core, entry, "signature");
    }
}

static void
take_file (FlowDebugCore *core,
           FlowRunFile   *file)
{
  g_clear_pointer (&core->file, flow_run_file_free);
  core->file = file;
  g_ptr_array_set_size (core->sources, 0);
  for (guint i = 0; i < file->entries->len; i++)
    g_ptr_array_add (core->sources, (gpointer) g_intern_static_string ("file"));
  g_clear_pointer (&core->last_path, g_free);
  core->last_path = file->path != NULL ? g_canonicalize_filename (file->path, NULL) : NULL;
}

static void
reset_stop (FlowDebugCore *core)
{
  _flow_debug_core_set_stop (core, FLOW_DEBUG_IDLE, FLOW_STOP_NONE, NULL);
  _flow_debug_core_forget_stale (core);
  _flow_debug_core_forget_moments (core);
}

static void
take_breakpoints (FlowDebugCore *core)
{
  for (guint i = 0; core->file->breakpoints[i] != NULL; i++)
    {
      FlowBreakpoint *breakpoint = _flow_breakpoint_parse (core->file->breakpoints[i], NULL);

      if (breakpoint == NULL)
        continue;
      breakpoint->id = core->next_breakpoint++;
      g_ptr_array_add (core->breakpoints, breakpoint);
    }
}

static FlowModel *
load_model (FlowDebugCore *core,
            const char    *path,
            GVariant      *options,
            FlowBudget    *budget,
            GError       **error)
{
  g_auto(GStrv) tags = NULL;
  g_autofree char *joined = NULL;
  FlowLoadOptions load = { .budget = budget, .progress = progress_cb, .progress_data = core };
  FlowModel *model = NULL;

  if (g_variant_lookup (options, "tags", "^as", &tags) && tags[0] != NULL)
    joined = g_strjoinv (",", tags);
  load.tags = joined;
  core->owner_funcs->progress (core->owner, 0, "Opening");
  model = flow_model_load_file (path, &load, error);
  core->owner_funcs->progress (core->owner, -1, "");
  return model;
}

/* A checkpoint is no graph, but the graph it was saved with stands beside it as a rule: PREFIX.meta. Then
 * @graph_path becomes that, and @prefix what is to be restored. */
static FlowModel *
load_graph (FlowDebugCore  *core,
            GVariant       *options,
            FlowBudget     *budget,
            char          **graph_path,
            char          **prefix,
            GError        **error)
{
  g_autoptr(GError) failure = NULL;
  FlowModel *model = load_model (core, *graph_path, options, budget, &failure);
  g_autofree char *found = NULL;
  g_autofree char *meta = NULL;

  if (model != NULL)
    return model;
  found = flow_checkpoint_resolve (*graph_path, NULL, NULL);
  meta = found != NULL ? g_strconcat (found, ".meta", NULL) : NULL;
  if (meta == NULL || !g_file_test (meta, G_FILE_TEST_IS_REGULAR))
    {
      if (found != NULL)
        g_prefix_error (&failure, "there is no %s: open the graph, and restore this into it. ", meta);
      g_propagate_error (error, g_steal_pointer (&failure));
      return NULL;
    }
  model = load_model (core, meta, options, budget, error);
  g_free (*graph_path);
  *graph_path = g_steal_pointer (&meta);
  *prefix = g_steal_pointer (&found);
  return model;
}

/* As TensorFlow's loader: a SavedModel comes with the values of its variables. */
static gboolean
restore_saved_model (FlowDebugCore *core,
                     GError       **error)
{
  g_autofree char *prefix = flow_model_get_variables_prefix (core->model);

  if (prefix == NULL || !flow_checkpoint_is_checkpoint (prefix))
    return TRUE;
  return flow_session_restore_checkpoint (core->session, prefix, NULL, NULL, NULL, NULL, error);
}

static GVariant *
problems_variant (FlowModel *model)
{
  GPtrArray *problems = flow_model_get_problems (model);
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; problems != NULL && i < problems->len; i++)
    {
      const FlowProblem *problem = g_ptr_array_index (problems, i);
      GVariantBuilder row;

      g_variant_builder_init (&row, G_VARIANT_TYPE ("a{sv}"));
      g_variant_builder_add (&row, "{sv}", "severity", g_variant_new_uint32 ((guint32) problem->severity));
      g_variant_builder_add (&row, "{sv}", "code", g_variant_new_int32 (problem->code));
      g_variant_builder_add (&row, "{sv}", "node", g_variant_new_string (problem->node != NULL ? problem->node : ""));
      g_variant_builder_add (&row, "{sv}", "field", g_variant_new_string (problem->field != NULL ? problem->field : ""));
      g_variant_builder_add (&row, "{sv}", "offset", g_variant_new_int64 (problem->offset));
      g_variant_builder_add (&row, "{sv}", "text", g_variant_new_string (problem->text));
      g_variant_builder_add_value (&builder, g_variant_builder_end (&row));
    }
  return g_variant_builder_end (&builder);
}

FlowDebuggerReply *
_flow_core_open (FlowDebugCore *core,
                 GVariant      *arguments,
                 GPtrArray     *tensors,
                 GError       **error)
{
  const char *path = NULL;
  g_autoptr(GVariant) options = NULL;
  g_autoptr(FlowRunFile) file = NULL;
  g_autoptr(FlowModel) model = NULL;
  g_autoptr(FlowBudget) budget = flow_budget_new (flow_budget_default_limit ());
  g_autofree char *graph_path = NULL;
  g_autofree char *prefix = NULL;
  g_auto(GStrv) allow = NULL;
  const char *checkpoint = NULL;
  gboolean ok = FALSE;
  GVariantBuilder info;

  g_variant_get (arguments, "(&s@a{sv})", &path, &options);
  if (flow_run_file_looks_like (path) || g_str_has_suffix (path, ".run.json"))
    {
      file = flow_run_file_load (path, error);
      if (file == NULL)
        return NULL;
      graph_path = flow_run_file_resolve (file, file->graph);
    }
  else
    graph_path = g_canonicalize_filename (path, NULL);
  model = load_graph (core, options, budget, &graph_path, &prefix, error);
  if (model == NULL)
    return NULL;
  if (file == NULL)
    {
      g_auto(GStrv) beside = _flow_debug_find_run_files (graph_path);

      file = beside[0] != NULL ? flow_run_file_load (beside[0], NULL) : NULL;
    }
  if (file == NULL)
    {
      g_autofree char *folder = g_path_get_dirname (graph_path);

      file = flow_run_file_new (folder);
      file->graph = g_path_get_basename (graph_path);
    }
  g_clear_pointer (&core->stepper, flow_stepper_free);
  g_clear_object (&core->session);
  g_set_object (&core->model, model);
  g_set_object (&core->graph, flow_model_get_graph (model));
  g_hash_table_remove_all (core->policies);
  g_clear_pointer (&core->budget, flow_budget_unref);
  core->budget = g_steal_pointer (&budget);
  g_clear_pointer (&core->chosen, g_free);
  g_free (core->graph_path);
  g_clear_object (&core->events);
  core->events_size = 0;
  core->graph_path = g_strdup (graph_path);
  take_file (core, g_steal_pointer (&file));
  g_ptr_array_set_size (core->breakpoints, 0);
  take_breakpoints (core);
  add_signatures (core);
  g_variant_lookup (options, "allow", "^as", &allow);
  reset_stop (core);
  make_session (core, allow);
  ok = make_stepper (core, error);
  if (!g_variant_lookup (options, "checkpoint", "&s", &checkpoint))
    checkpoint = prefix;
  if (ok && checkpoint == NULL)
    ok = restore_saved_model (core, error);
  _flow_debug_core_news (core, FLOW_CORE_GRAPH);
  _flow_debug_core_news (core, FLOW_CORE_RUNS);
  _flow_debug_core_news (core, FLOW_CORE_BREAKPOINTS);
  _flow_debug_core_news (core, FLOW_CORE_CHANGED);
  /* The graph is open; that is told even if what should happen to it fails. */
  if (!ok
      || (checkpoint != NULL && *checkpoint != '\0'
          && !flow_session_restore_checkpoint (core->session, checkpoint, NULL, NULL, NULL, NULL, error)))
    return NULL;
  _flow_debug_core_news (core, FLOW_CORE_CHANGED);
  g_variant_builder_init (&info, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (&info, "{sv}", "kind", g_variant_new_string (flow_model_get_kind_name (model)));
  g_variant_builder_add (&info, "{sv}", "path", g_variant_new_string (graph_path));
  g_variant_builder_add (&info, "{sv}", "opened", g_variant_new_string (prefix != NULL ? graph_path : path));
  g_variant_builder_add (&info, "{sv}", "run_file", g_variant_new_string (core->last_path != NULL ? core->last_path : ""));
  g_variant_builder_add (&info, "{sv}", "nodes", g_variant_new_uint32 (flow_graph_get_n_nodes (core->graph)));
  g_variant_builder_add (&info, "{sv}", "problems", problems_variant (model));
  return _flow_reply (g_variant_new ("(@a{sv})", g_variant_builder_end (&info)));
}

/* --- runs ------------------------------------------------------------------------------------------- */

/* How often the run of that name came to its end, and how the last time. */
static void
add_outcome (FlowDebugCore   *core,
             const char      *name,
             GVariantBuilder *row)
{
  FlowRunList *list = core->stepper != NULL ? flow_stepper_get_list (core->stepper) : NULL;
  guint n_ended = 0;
  gboolean failed = FALSE;

  for (guint i = 0; list != NULL && i < flow_run_list_get_n_runs (list); i++)
    {
      const FlowListedRun *run = flow_run_list_get_run (list, i);

      if (run == NULL || !run->ended || g_strcmp0 (run->def->name, name) != 0)
        continue;
      n_ended++;
      failed = run->error != NULL && !run->error_expected;
    }
  g_variant_builder_add (row, "{sv}", "ended", g_variant_new_uint32 (n_ended));
  g_variant_builder_add (row, "{sv}", "failed", g_variant_new_boolean (failed));
}

FlowDebuggerReply *
_flow_core_list_runs (FlowDebugCore *core,
                      GVariant      *arguments,
                      GPtrArray     *tensors,
                      GError       **error)
{
  GVariantBuilder builder;
  gboolean from_file = FALSE;
  guint n_of_file = 0;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; core->file != NULL && i < core->file->entries->len; i++)
    {
      const FlowRunEntry *entry = g_ptr_array_index (core->file->entries, i);
      GVariantBuilder row;
      GVariantBuilder feeds;

      g_variant_builder_init (&row, G_VARIANT_TYPE ("a{sv}"));
      g_variant_builder_init (&feeds, G_VARIANT_TYPE ("a{ss}"));
      for (guint k = 0; entry->feed_names[k] != NULL; k++)
        g_variant_builder_add (&feeds, "{ss}", entry->feed_names[k], entry->feeds[k]);
      g_variant_builder_add (&row, "{sv}", "name", g_variant_new_string (entry->name));
      g_variant_builder_add (&row, "{sv}", "source", g_variant_new_string (g_ptr_array_index (core->sources, i)));
      /* Of the runs of a file, what stands before them gives variables their values. */
      from_file = g_strcmp0 (g_ptr_array_index (core->sources, i), "file") == 0;
      g_variant_builder_add (&row, "{sv}", "follows", g_variant_new_boolean (from_file && (n_of_file > 0 || core->file->checkpoint != NULL)));
      n_of_file += from_file;
      g_variant_builder_add (&row, "{sv}", "fetches", g_variant_new_strv ((const char *const *) entry->fetches, -1));
      g_variant_builder_add (&row, "{sv}", "targets", g_variant_new_strv ((const char *const *) entry->targets, -1));
      g_variant_builder_add (&row, "{sv}", "feeds", g_variant_builder_end (&feeds));
      g_variant_builder_add (&row, "{sv}", "repeat", g_variant_new_uint32 (entry->repeat));
      g_variant_builder_add (&row, "{sv}", "restore", g_variant_new_string (entry->restore != NULL ? entry->restore : ""));
      add_outcome (core, entry->name, &row);
      g_variant_builder_add (&row, "{sv}", "chosen", g_variant_new_boolean (g_strcmp0 (entry->name, core->chosen) == 0));
      g_variant_builder_add_value (&builder, g_variant_builder_end (&row));
    }
  return _flow_reply (g_variant_new ("(@aa{sv})", g_variant_builder_end (&builder)));
}

FlowDebuggerReply *
_flow_core_load_run_file (FlowDebugCore *core,
                          GVariant      *arguments,
                          GPtrArray     *tensors,
                          GError       **error)
{
  const char *path = NULL;
  FlowRunFile *file = NULL;
  g_autofree char *graph = NULL;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  g_variant_get (arguments, "(&s)", &path);
  file = flow_run_file_load (path, error);
  if (file == NULL)
    return NULL;
  graph = flow_run_file_resolve (file, file->graph);
  if (strcmp (graph, core->graph_path) != 0)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "%s is of another graph, %s", path, graph);
      flow_run_file_free (file);
      return NULL;
    }
  g_clear_pointer (&core->chosen, g_free);
  take_file (core, file);
  take_breakpoints (core);
  add_signatures (core);
  reset_stop (core);
  make_session (core, NULL);
  if (!make_stepper (core, error))
    return NULL;
  _flow_debug_core_news (core, FLOW_CORE_RUNS);
  _flow_debug_core_news (core, FLOW_CORE_BREAKPOINTS);
  _flow_debug_core_news (core, FLOW_CORE_CHANGED);
  return _flow_reply (NULL);
}

FlowDebuggerReply *
_flow_core_set_run (FlowDebugCore *core,
                    GVariant      *arguments,
                    GPtrArray     *tensors,
                    GError       **error)
{
  const char *json = NULL;
  g_autoptr(FlowRunEntry) entry = NULL;
  int found = 0;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  g_variant_get (arguments, "(&s)", &json);
  entry = flow_run_entry_from_json (json, error);
  if (entry == NULL)
    return NULL;
  if (entry->name == NULL)
    entry->name = g_strdup ("run");
  found = _flow_debug_core_find_entry (core, entry->name);
  flow_run_list_set_entry (flow_stepper_get_list (core->stepper), entry, FALSE);
  if (found >= 0)
    {
      flow_run_entry_free (g_ptr_array_index (core->file->entries, (guint) found));
      core->file->entries->pdata[found] = g_steal_pointer (&entry);
      core->sources->pdata[found] = (gpointer) g_intern_static_string ("own");
    }
  else
    add_entry (core, g_steal_pointer (&entry), "own");
  _flow_debug_core_news (core, FLOW_CORE_RUNS);
  return _flow_reply (NULL);
}

static void
add_strv (GVariantBuilder *builder,
          const char      *key,
          char           **strv)
{
  g_variant_builder_add (builder, "{sv}", key, g_variant_new_strv ((const char *const *) strv, -1));
}

/* What Session.run would say of the feeds: shapes that do not fit, placeholders without a feed. */
static char **
list_warnings (FlowDebugCore      *core,
               const FlowRunEntry *entry,
               FlowPlan           *plan)
{
  g_autoptr(FlowFeeder) feeder = flow_feeder_new (core->file->folder, core->budget);
  GPtrArray *warnings = g_ptr_array_new ();

  for (guint k = 0; entry->feed_names[k] != NULL; k++)
    {
      FlowEndpoint endpoint = { 0 };
      g_autoptr(FlowTensor) value = NULL;
      g_autoptr(GError) error = NULL;
      char *warning = NULL;

      if (!flow_graph_parse_endpoint (core->graph, entry->feed_names[k], &endpoint, NULL) || endpoint.slot < 0)
        continue;
      value = flow_feeder_make (feeder, entry->feed_names[k],
                                flow_dtype_base (flow_graph_get_output_dtype (core->graph, endpoint.node,
                                                                              (guint) endpoint.slot)),
                                entry->feeds[k], 0, &error);
      /* What was fed before is known when the run begins. */
      if (g_error_matches (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION))
        continue;
      warning = value != NULL ? flow_feed_shape_warning (core->graph, entry->feed_names[k], value)
                              : g_strdup (error->message);
      if (warning != NULL)
        g_ptr_array_add (warnings, warning);
    }
  for (guint i = 0; i < flow_plan_get_n_items (plan); i++)
    {
      guint32 node = flow_plan_get_node (plan, i);

      if ((flow_graph_get_node_flags (core->graph, node) & FLOW_OP_PLACEHOLDER) != 0)
        g_ptr_array_add (warnings, g_strdup_printf ("You must feed a value for placeholder tensor '%s'",
                                                    flow_graph_get_node_name (core->graph, node)));
    }
  g_ptr_array_add (warnings, NULL);
  return (char **) g_ptr_array_free (warnings, FALSE);
}

static GVariant *
plan_variant (FlowDebugCore      *core,
              const FlowRunEntry *entry,
              FlowPlan           *plan)
{
  g_auto(GStrv) executed = NULL;
  g_auto(GStrv) skipped = NULL;
  g_auto(GStrv) uninitialized = flow_session_list_uninitialized (core->session, plan);
  g_auto(GStrv) warnings = list_warnings (core, entry, plan);
  GVariantBuilder builder;
  GVariantBuilder nodes;
  GVariantBuilder fed;

  flow_plan_list_update_ops (plan, &executed, &skipped);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_init (&nodes, G_VARIANT_TYPE ("au"));
  g_variant_builder_init (&fed, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i < flow_plan_get_n_items (plan); i++)
    g_variant_builder_add (&nodes, "u", flow_plan_get_node (plan, i));
  for (guint i = 0; flow_plan_get_feed (plan, i) != NULL; i++)
    g_variant_builder_add (&fed, "s", flow_plan_get_feed (plan, i));
  g_variant_builder_add (&builder, "{sv}", "nodes", g_variant_builder_end (&nodes));
  g_variant_builder_add (&builder, "{sv}", "pruned",
                         g_variant_new_uint32 (flow_graph_get_n_nodes (core->graph) - flow_plan_get_n_items (plan)));
  g_variant_builder_add (&builder, "{sv}", "fed", g_variant_builder_end (&fed));
  add_strv (&builder, "update_ops_executed", executed);
  add_strv (&builder, "update_ops_skipped", skipped);
  add_strv (&builder, "uninitialized", uninitialized);
  /* When that was so. */
  g_variant_builder_add (&builder, "{sv}", "position",
                         g_variant_new_uint64 (core->stepper != NULL ? flow_stepper_get_position (core->stepper) : 0));
  g_variant_builder_add (&builder, "{sv}", "begun", g_variant_new_boolean (core->status != FLOW_DEBUG_IDLE));
  g_variant_builder_add (&builder, "{sv}", "hits",
                         g_variant_new_uint64 (flow_session_get_plan_hits (core->session,
                                                                           (const char *const *) entry->feed_names,
                                                                           (const char *const *) entry->fetches,
                                                                           (const char *const *) entry->targets)));
  add_strv (&builder, "warnings", warnings);
  return g_variant_builder_end (&builder);
}

static GVariant *
plan_of_entry (FlowDebugCore *core,
               const char    *name,
               GError       **error)
{
  int found = _flow_debug_core_find_entry (core, name);
  const FlowRunEntry *entry = NULL;
  g_autoptr(FlowPlan) plan = NULL;

  FLOW_REQUIRE (found >= 0, error, NOT_FOUND, "there is no run %s", name);
  entry = g_ptr_array_index (core->file->entries, (guint) found);
  if (entry->restore != NULL)
    {
      GVariantBuilder builder;

      g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{sv}"));
      g_variant_builder_add (&builder, "{sv}", "restore", g_variant_new_string (entry->restore));
      return g_variant_builder_end (&builder);
    }
  plan = flow_session_get_plan (core->session, (const char *const *) entry->feed_names,
                                (const char *const *) entry->fetches, (const char *const *) entry->targets, NULL, error);
  return plan != NULL ? plan_variant (core, entry, plan) : NULL;
}

FlowDebuggerReply *
_flow_core_choose_run (FlowDebugCore *core,
                       GVariant      *arguments,
                       GPtrArray     *tensors,
                       GError       **error)
{
  const char *name = NULL;
  GVariant *plan = NULL;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  g_variant_get (arguments, "(&s)", &name);
  plan = plan_of_entry (core, name, error);
  if (plan == NULL)
    return NULL;
  flow_set_str (&core->chosen, name);
  _flow_debug_core_news (core, FLOW_CORE_RUNS);
  _flow_debug_core_news (core, FLOW_CORE_CHANGED);
  return _flow_reply (g_variant_new ("(@a{sv})", plan));
}

FlowDebuggerReply *
_flow_core_plan (FlowDebugCore *core,
                 GVariant      *arguments,
                 GPtrArray     *tensors,
                 GError       **error)
{
  const char *name = NULL;
  GVariant *plan = NULL;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  g_variant_get (arguments, "(&s)", &name);
  plan = plan_of_entry (core, *name != '\0' ? name : core->chosen != NULL ? core->chosen : "", error);
  return plan != NULL ? _flow_reply (g_variant_new ("(@a{sv})", plan)) : NULL;
}

/* The plan of a run; NULL without an error: it is not known, or only restores. */
static FlowPlan *
plan_of_run (FlowDebugCore *core,
             const char    *name)
{
  int entry = _flow_debug_core_find_entry (core, name);
  const FlowRunEntry *def = entry >= 0 ? g_ptr_array_index (core->file->entries, (guint) entry) : NULL;

  if (def == NULL || def->restore != NULL)
    return NULL;
  return flow_session_get_plan (core->session, (const char *const *) def->feed_names,
                                (const char *const *) def->fetches, (const char *const *) def->targets, NULL, NULL);
}

FlowDebuggerReply *
_flow_core_diagnose (FlowDebugCore *core,
                     GVariant      *arguments,
                     GPtrArray     *tensors,
                     GError       **error)
{
  const char *name = NULL;
  g_autoptr(FlowPlan) plan = NULL;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  FLOW_REQUIRE (core->diagnosis != NULL, error, UNIMPLEMENTED, "this debugger finds nothing wrong by itself");
  g_variant_get (arguments, "(&s)", &name);
  if (*name == '\0')
    name = core->chosen;
  plan = plan_of_run (core, name);
  return _flow_reply (g_variant_new ("(@aa{sv})", core->diagnosis (core->graph, plan, name != NULL ? name : "")));
}

FlowDebuggerReply *
_flow_core_explain (FlowDebugCore *core,
                    GVariant      *arguments,
                    GPtrArray     *tensors,
                    GError       **error)
{
  guint32 node = 0;
  g_autoptr(FlowPlan) plan = NULL;
  g_auto(GStrv) chain = NULL;
  g_autofree char *reason = NULL;
  gboolean in = FALSE;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  g_variant_get (arguments, "(u)", &node);
  plan = _flow_debug_core_plan (core, error);
  if (plan == NULL)
    return NULL;
  chain = flow_prune_explain (flow_plan_get_prune (plan), node, &in, &reason);
  return _flow_reply (g_variant_new ("(b@ass)", in, g_variant_new_strv ((const char *const *) chain, -1), reason));
}

FlowDebuggerReply *
_flow_core_set_history_limit (FlowDebugCore *core,
                              GVariant      *arguments,
                              GPtrArray     *tensors,
                              GError       **error)
{
  guint64 limit = 0;

  g_variant_get (arguments, "(t)", &limit);
  core->history_limit = limit;
  if (core->stepper != NULL)
    flow_stepper_set_limit (core->stepper, limit);
  _flow_debug_core_news (core, FLOW_CORE_CHANGED);
  return _flow_reply (NULL);
}

static const char *const policy_names[] = { "keep-all", "keep-stats", "keep-none" };

/* What the history keeps of a scope's ops. */
FlowDebuggerReply *
_flow_core_set_policy (FlowDebugCore *core,
                       GVariant      *arguments,
                       GPtrArray     *tensors,
                       GError       **error)
{
  const char *scope = NULL;
  const char *word = NULL;
  g_autofree char *path = NULL;
  guint policy = 0;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  g_variant_get (arguments, "(&s&s)", &scope, &word);
  path = g_strdup (scope);
  if (g_str_has_suffix (path, "/"))
    path[strlen (path) - 1] = '\0';
  while (policy < G_N_ELEMENTS (policy_names) && strcmp (policy_names[policy], word) != 0)
    policy++;
  FLOW_REQUIRE (policy < G_N_ELEMENTS (policy_names), error, INVALID_ARGUMENT,
                "keep-all, keep-stats or keep-none is wanted, not \"%s\"", word);
  g_hash_table_insert (core->policies, g_strdup (path), GUINT_TO_POINTER (policy));
  flow_stepper_set_policy (core->stepper, path, (FlowKeepPolicy) policy);
  _flow_debug_core_news (core, FLOW_CORE_CHANGED);
  return _flow_reply (NULL);
}

FlowDebuggerReply *
_flow_core_policies (FlowDebugCore *core,
                     GVariant      *arguments,
                     GPtrArray     *tensors,
                     GError       **error)
{
  GHashTableIter iter;
  gpointer scope = NULL;
  gpointer policy = NULL;
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{ss}"));
  g_hash_table_iter_init (&iter, core->policies);
  while (g_hash_table_iter_next (&iter, &scope, &policy))
    g_variant_builder_add (&builder, "{ss}", (const char *) scope, policy_names[GPOINTER_TO_UINT (policy)]);
  return _flow_reply (g_variant_new ("(@a{ss})", g_variant_builder_end (&builder)));
}

/* --- breakpoints ------------------------------------------------------------------------------------ */

FlowDebuggerReply *
_flow_core_list_breakpoints (FlowDebugCore *core,
                             GVariant      *arguments,
                             GPtrArray     *tensors,
                             GError       **error)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < core->breakpoints->len; i++)
    {
      const FlowBreakpoint *breakpoint = g_ptr_array_index (core->breakpoints, i);
      guint32 node = FLOW_NODE_NONE;
      GVariantBuilder row;

      if (core->graph != NULL && (breakpoint->subject == FLOW_BREAK_NODE || breakpoint->subject == FLOW_BREAK_WATCH))
        node = flow_graph_find_node (core->graph, breakpoint->name);
      g_variant_builder_init (&row, G_VARIANT_TYPE ("a{sv}"));
      g_variant_builder_add (&row, "{sv}", "id", g_variant_new_uint32 (breakpoint->id));
      g_variant_builder_add (&row, "{sv}", "text", g_variant_new_string (breakpoint->text));
      g_variant_builder_add (&row, "{sv}", "enabled", g_variant_new_boolean (breakpoint->enabled));
      g_variant_builder_add (&row, "{sv}", "hits", g_variant_new_uint64 (breakpoint->hits));
      g_variant_builder_add (&row, "{sv}", "node", g_variant_new_uint32 (node));
      g_variant_builder_add_value (&builder, g_variant_builder_end (&row));
    }
  return _flow_reply (g_variant_new ("(@aa{sv})", g_variant_builder_end (&builder)));
}

FlowDebuggerReply *
_flow_core_add_breakpoint (FlowDebugCore *core,
                           GVariant      *arguments,
                           GPtrArray     *tensors,
                           GError       **error)
{
  const char *text = NULL;
  FlowBreakpoint *breakpoint = NULL;

  g_variant_get (arguments, "(&s)", &text);
  breakpoint = _flow_breakpoint_parse (text, error);
  if (breakpoint == NULL)
    return NULL;
  breakpoint->id = core->next_breakpoint++;
  g_ptr_array_add (core->breakpoints, breakpoint);
  _flow_debug_core_news (core, FLOW_CORE_BREAKPOINTS);
  return _flow_reply (g_variant_new ("(u)", breakpoint->id));
}

static FlowBreakpoint *
find_breakpoint (FlowDebugCore *core,
                 guint          id,
                 GError       **error)
{
  for (guint i = 0; i < core->breakpoints->len; i++)
    if (((FlowBreakpoint *) g_ptr_array_index (core->breakpoints, i))->id == id)
      return g_ptr_array_index (core->breakpoints, i);
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "there is no breakpoint %u", id);
  return NULL;
}

FlowDebuggerReply *
_flow_core_remove_breakpoint (FlowDebugCore *core,
                              GVariant      *arguments,
                              GPtrArray     *tensors,
                              GError       **error)
{
  guint id = 0;
  FlowBreakpoint *breakpoint = NULL;

  g_variant_get (arguments, "(u)", &id);
  breakpoint = find_breakpoint (core, id, error);
  if (breakpoint == NULL)
    return NULL;
  g_ptr_array_remove (core->breakpoints, breakpoint);
  _flow_debug_core_news (core, FLOW_CORE_BREAKPOINTS);
  return _flow_reply (NULL);
}

FlowDebuggerReply *
_flow_core_enable_breakpoint (FlowDebugCore *core,
                              GVariant      *arguments,
                              GPtrArray     *tensors,
                              GError       **error)
{
  guint id = 0;
  gboolean enabled = FALSE;
  FlowBreakpoint *breakpoint = NULL;

  g_variant_get (arguments, "(ub)", &id, &enabled);
  breakpoint = find_breakpoint (core, id, error);
  if (breakpoint == NULL)
    return NULL;
  breakpoint->enabled = enabled;
  _flow_debug_core_news (core, FLOW_CORE_BREAKPOINTS);
  return _flow_reply (NULL);
}
