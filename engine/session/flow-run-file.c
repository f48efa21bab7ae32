/* flow-run-file.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-run-file.h"

#include "flow-json.h"
#include "flow-util.h"

#include <json-glib/json-glib.h>
#include <string.h>

/* Larger than any list of runs that a person or a program writes. */
#define MAX_RUN_FILE_BYTES (64u << 20)

G_DEFINE_BOXED_TYPE (FlowRunFile, flow_run_file, flow_run_file_copy, flow_run_file_free)

/**
 * flow_run_file_new:
 * @folder: (nullable): what its paths are relative to; %NULL is the working folder
 *
 * Returns: (transfer full): a run file without runs
 */
FlowRunFile *
flow_run_file_new (const char *folder)
{
  FlowRunFile *self = g_new0 (FlowRunFile, 1);

  self->folder = g_canonicalize_filename (folder != NULL ? folder : ".", NULL);
  self->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_run_entry_free);
  self->soft_placement = TRUE;
  self->override_names = g_new0 (char *, 1);
  self->overrides = g_new0 (char *, 1);
  self->breakpoints = g_new0 (char *, 1);
  return self;
}

/**
 * flow_run_file_copy:
 * @self: a run file
 *
 * Returns: (transfer full): a copy
 */
FlowRunFile *
flow_run_file_copy (const FlowRunFile *self)
{
  FlowRunFile *copy = g_memdup2 (self, sizeof *self);

  copy->path = g_strdup (self->path);
  copy->folder = g_strdup (self->folder);
  copy->graph = g_strdup (self->graph);
  copy->checkpoint = g_strdup (self->checkpoint);
  copy->override_names = g_strdupv (self->override_names);
  copy->overrides = g_strdupv (self->overrides);
  copy->breakpoints = g_strdupv (self->breakpoints);
  copy->window = g_strdup (self->window);
  copy->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_run_entry_free);
  for (guint i = 0; i < self->entries->len; i++)
    g_ptr_array_add (copy->entries, flow_run_entry_copy (g_ptr_array_index (self->entries, i)));
  return copy;
}

/**
 * flow_run_file_free:
 * @self: (transfer full) (nullable): a run file
 */
void
flow_run_file_free (FlowRunFile *self)
{
  if (self == NULL)
    return;
  g_free (self->path);
  g_free (self->folder);
  g_free (self->graph);
  g_free (self->checkpoint);
  g_strfreev (self->override_names);
  g_strfreev (self->overrides);
  g_strfreev (self->breakpoints);
  g_free (self->window);
  g_ptr_array_unref (self->entries);
  g_free (self);
}

/**
 * flow_run_file_load:
 * @path: a run file
 * @error: return location
 *
 * Returns: (transfer full): the run file, %NULL on error
 */
FlowRunFile *
flow_run_file_load (const char *path,
                    GError    **error)
{
  g_autoptr(GBytes) bytes = flow_read_file (path, MAX_RUN_FILE_BYTES, error);
  g_autofree char *folder = g_path_get_dirname (path);
  FlowRunFile *self = NULL;
  gsize size = 0;
  const char *text = NULL;

  if (bytes == NULL)
    return NULL;
  text = g_bytes_get_data (bytes, &size);
  self = flow_run_file_parse (text != NULL ? text : "", (gssize) size, folder, error);
  if (self != NULL)
    self->path = g_strdup (path);
  return self;
}

/**
 * flow_run_file_looks_like:
 * @path: a file
 *
 * Returns: whether its content is a run file's: a JSON object that names a graph
 */
gboolean
flow_run_file_looks_like (const char *path)
{
  g_autoptr(GBytes) bytes = NULL;
  g_autoptr(JsonParser) parser = json_parser_new ();
  JsonNode *root = NULL;
  const char *text = NULL;
  gsize size = 0;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return FALSE;
  bytes = flow_read_file (path, MAX_RUN_FILE_BYTES, NULL);
  if (bytes == NULL)
    return FALSE;
  text = g_bytes_get_data (bytes, &size);
  for (gsize i = 0; i < size; i++)
    if (!g_ascii_isspace (text[i]))
      {
        if (text[i] != '{')
          return FALSE;
        break;
      }
  if (size == 0 || !flow_json_check (text, (gssize) size, FLOW_JSON_MAX_DEPTH, NULL)
      || !json_parser_load_from_data (parser, text, (gssize) size, NULL))
    return FALSE;
  root = json_parser_get_root (parser);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return FALSE;
  return json_object_has_member (json_node_get_object (root), "graph")
         || json_object_has_member (json_node_get_object (root), "runs");
}

/**
 * flow_run_file_resolve:
 * @self: a run file
 * @path: a path as it stands in the file
 *
 * Returns: (transfer full): the path, absolute
 */
char *
flow_run_file_resolve (const FlowRunFile *self,
                       const char        *path)
{
  return g_canonicalize_filename (path, self->folder);
}

/* A path that means in @folder what @path means in the file's: relative where the folder holds it. */
static char *
follow_path (const FlowRunFile *self,
             const char        *folder,
             const char        *path)
{
  g_autofree char *full = flow_run_file_resolve (self, path);
  gsize length = strlen (folder);

  if (g_path_is_absolute (path))
    return g_strdup (path);
  if (strncmp (full, folder, length) == 0 && full[length] == G_DIR_SEPARATOR)
    return g_strdup (full + length + 1);
  return g_steal_pointer (&full);
}

static void
move_path (const FlowRunFile *self,
           const char        *folder,
           char             **path)
{
  g_autofree char *moved = *path != NULL ? follow_path (self, folder, *path) : NULL;

  if (moved != NULL)
    flow_set_str (path, moved);
}

static void
move_feed (const FlowRunFile *self,
           const char        *folder,
           char             **json)
{
  static const char *const keys[] = { "npy", "npz" };
  g_autoptr(JsonNode) node = json_from_string (*json, NULL);
  JsonObject *object = NULL;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return;
  object = json_node_get_object (node);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      const char *path = json_object_get_string_member_with_default (object, keys[i], NULL);
      g_autofree char *moved = path != NULL ? follow_path (self, folder, path) : NULL;

      if (moved != NULL)
        json_object_set_string_member (object, keys[i], moved);
    }
  g_free (*json);
  *json = flow_json_mend_numbers (json_to_string (node, FALSE));
}

/**
 * flow_run_file_move_to:
 * @self: a run file
 * @folder: an absolute folder
 *
 * Makes @folder what the file's paths are relative to. Every path goes on to mean the same file: it stays
 * relative where @folder holds what it names, and is absolute elsewhere.
 */
void
flow_run_file_move_to (FlowRunFile *self,
                       const char  *folder)
{
  if (strcmp (folder, self->folder) == 0)
    return;
  move_path (self, folder, &self->graph);
  move_path (self, folder, &self->checkpoint);
  for (guint i = 0; i < self->entries->len; i++)
    {
      FlowRunEntry *entry = g_ptr_array_index (self->entries, i);

      move_path (self, folder, &entry->restore);
      for (guint k = 0; entry->feeds[k] != NULL; k++)
        move_feed (self, folder, &entry->feeds[k]);
    }
  for (guint i = 0; self->overrides[i] != NULL; i++)
    move_feed (self, folder, &self->overrides[i]);
  flow_set_str (&self->folder, folder);
}

/**
 * flow_run_file_save:
 * @self: a run file
 * @path: where to
 * @error: return location
 *
 * Writes it whole or not at all.
 *
 * Returns: whether it was written
 */
gboolean
flow_run_file_save (const FlowRunFile *self,
                    const char        *path,
                    GError           **error)
{
  g_autofree char *json = flow_run_file_to_json (self);
  char *text = g_strconcat (json, "\n", NULL);
  g_autoptr(GBytes) bytes = g_bytes_new_take (text, strlen (text));

  return flow_write_file_safely (path, bytes, error);
}
