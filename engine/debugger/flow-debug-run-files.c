/* flow-debug-run-files.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-debug-core-private.h"

#include "flow-json.h"
#include "flow-util.h"

#include <json-glib/json-glib.h>

#include <string.h>

/* The run files beside a graph, as a person finds them in the folder. */

/*
 * Every run file beside a graph that names it is offered; the first by name gives its runs at first.
 * Returns: (transfer full): their absolute paths, sorted
 */
char **
_flow_debug_find_run_files (const char *graph_path)
{
  g_autofree char *full = g_canonicalize_filename (graph_path, NULL);
  g_autofree char *folder = g_path_get_dirname (full);
  g_autoptr(GDir) dir = g_dir_open (folder, 0, NULL);
  GPtrArray *found = g_ptr_array_new ();
  const char *name = NULL;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autoptr(FlowRunFile) file = NULL;
      g_autofree char *graph = NULL;

      if (!g_str_has_suffix (name, ".run.json"))
        continue;
      file = flow_run_file_load (path, NULL);
      graph = file != NULL ? flow_run_file_resolve (file, file->graph) : NULL;
      if (g_strcmp0 (graph, full) == 0)
        g_ptr_array_add (found, g_steal_pointer (&path));
    }
  g_ptr_array_sort (found, flow_compare_texts);
  g_ptr_array_add (found, NULL);
  return (char **) g_ptr_array_free (found, FALSE);
}

FlowDebuggerReply *
_flow_core_list_run_files (FlowDebugCore *core,
                           GVariant      *arguments,
                           GPtrArray     *tensors,
                           GError       **error)
{
  g_auto(GStrv) paths = NULL;
  GVariantBuilder builder;
  gboolean listed = FALSE;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  paths = _flow_debug_find_run_files (core->graph_path);
  listed = core->last_path != NULL && g_strv_contains ((const char *const *) paths, core->last_path);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(sb)"));
  /* One from another folder is offered for as long as its runs are the ones at hand. */
  if (core->last_path != NULL && !listed)
    g_variant_builder_add (&builder, "(sb)", core->last_path, TRUE);
  for (guint i = 0; paths[i] != NULL; i++)
    g_variant_builder_add (&builder, "(sb)", paths[i], g_strcmp0 (paths[i], core->last_path) == 0);
  return _flow_reply (g_variant_new ("(@a(sb))", g_variant_builder_end (&builder)));
}

/* What is saved: the file's runs and one's own, not those that stand in the graph's signatures. */
static FlowRunFile *
create_file (FlowDebugCore *core)
{
  FlowRunFile *file = flow_run_file_copy (core->file);
  GStrvBuilder *breakpoints = g_strv_builder_new ();

  for (guint i = file->entries->len; i > 0; i--)
    if (strcmp (g_ptr_array_index (core->sources, i - 1), "signature") == 0)
      g_ptr_array_remove_index (file->entries, i - 1);
  for (guint i = 0; i < core->breakpoints->len; i++)
    g_strv_builder_add (breakpoints, ((FlowBreakpoint *) g_ptr_array_index (core->breakpoints, i))->text);
  g_strfreev (file->breakpoints);
  file->breakpoints = g_strv_builder_end (breakpoints);
  g_strv_builder_unref (breakpoints);
  return file;
}

FlowDebuggerReply *
_flow_core_save_run_file (FlowDebugCore *core,
                          GVariant      *arguments,
                          GPtrArray     *tensors,
                          GError       **error)
{
  const char *path = NULL;
  g_autofree char *full = NULL;
  g_autofree char *folder = NULL;
  g_autoptr(FlowRunFile) file = NULL;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  g_variant_get (arguments, "(&s)", &path);
  full = g_canonicalize_filename (path, NULL);
  folder = g_path_get_dirname (full);
  file = create_file (core);
  flow_run_file_move_to (file, folder);
  if (!flow_run_file_save (file, full, error))
    return NULL;
  for (guint i = 0; i < core->sources->len; i++)
    if (strcmp (g_ptr_array_index (core->sources, i), "own") == 0)
      core->sources->pdata[i] = (gpointer) g_intern_static_string ("file");
  g_free (core->last_path);
  core->last_path = g_steal_pointer (&full);
  _flow_debug_core_news (core, FLOW_CORE_RUNS);
  return _flow_reply (NULL);
}

/* --- what a window keeps with the runs -------------------------------------------------------------- */

FlowDebuggerReply *
_flow_core_window_data (FlowDebugCore *core,
                        GVariant      *arguments,
                        GPtrArray     *tensors,
                        GError       **error)
{
  const char *json = core->file != NULL ? core->file->window : NULL;

  return _flow_reply (g_variant_new ("(s)", json != NULL ? json : ""));
}

/* Goes into the run file when the runs are saved. */
FlowDebuggerReply *
_flow_core_set_window_data (FlowDebugCore *core,
                            GVariant      *arguments,
                            GPtrArray     *tensors,
                            GError       **error)
{
  const char *json = NULL;
  g_autoptr(JsonNode) node = NULL;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  g_variant_get (arguments, "(&s)", &json);
  if (json[0] != '\0' && flow_json_check (json, -1, FLOW_JSON_MAX_DEPTH, NULL))
    node = json_from_string (json, NULL);
  FLOW_REQUIRE (json[0] == '\0' || (node != NULL && JSON_NODE_HOLDS_OBJECT (node)), error, INVALID_ARGUMENT,
                "what a window keeps is a JSON object");
  flow_set_str (&core->file->window, json[0] != '\0' ? json : NULL);
  return _flow_reply (NULL);
}
