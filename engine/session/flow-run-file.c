/* flow-run-file.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-run-file.h"

#include "flow-util.h"

#include <json-glib/json-glib.h>
#include <string.h>

/* Larger than any list of runs that a person or a program writes. */
#define MAX_RUN_FILE_BYTES (64u << 20)
#define MAX_REPEAT 1000000000

G_DEFINE_BOXED_TYPE (FlowRunEntry, flow_run_entry, flow_run_entry_copy, flow_run_entry_free)
G_DEFINE_BOXED_TYPE (FlowRunFile, flow_run_file, flow_run_file_copy, flow_run_file_free)

/* --- entries ---------------------------------------------------------------------------------- */

/**
 * flow_run_entry_new:
 * @name: what it is called
 *
 * Returns: (transfer full): an entry that happens once and asks for nothing yet
 */
FlowRunEntry *
flow_run_entry_new (const char *name)
{
  FlowRunEntry *self = g_new0 (FlowRunEntry, 1);

  self->name = g_strdup (name);
  self->repeat = 1;
  self->fetches = g_new0 (char *, 1);
  self->targets = g_new0 (char *, 1);
  self->feed_names = g_new0 (char *, 1);
  self->feeds = g_new0 (char *, 1);
  return self;
}

/**
 * flow_run_entry_copy:
 * @self: an entry
 *
 * Returns: (transfer full): a copy
 */
FlowRunEntry *
flow_run_entry_copy (const FlowRunEntry *self)
{
  FlowRunEntry *copy = g_memdup2 (self, sizeof *self);

  copy->name = g_strdup (self->name);
  copy->fetches = g_strdupv (self->fetches);
  copy->targets = g_strdupv (self->targets);
  copy->feed_names = g_strdupv (self->feed_names);
  copy->feeds = g_strdupv (self->feeds);
  copy->expect_error = g_strdup (self->expect_error);
  copy->restore = g_strdup (self->restore);
  copy->map_new = g_strdupv (self->map_new);
  copy->map_old = g_strdupv (self->map_old);
  copy->only = g_strdupv (self->only);
  return copy;
}

/**
 * flow_run_entry_free:
 * @self: (transfer full) (nullable): an entry
 */
void
flow_run_entry_free (FlowRunEntry *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_strfreev (self->fetches);
  g_strfreev (self->targets);
  g_strfreev (self->feed_names);
  g_strfreev (self->feeds);
  g_free (self->expect_error);
  g_free (self->restore);
  g_strfreev (self->map_new);
  g_strfreev (self->map_old);
  g_strfreev (self->only);
  g_free (self);
}

static void
strv_append (char     ***strv,
             const char *text)
{
  guint n = g_strv_length (*strv);

  *strv = g_renew (char *, *strv, n + 2);
  (*strv)[n] = g_strdup (text);
  (*strv)[n + 1] = NULL;
}

/**
 * flow_run_entry_set_feed:
 * @self: an entry
 * @tensor: the tensor fed
 * @json: (nullable): its feed, %NULL for no feed
 */
void
flow_run_entry_set_feed (FlowRunEntry *self,
                         const char   *tensor,
                         const char   *json)
{
  for (guint i = 0; self->feed_names[i] != NULL; i++)
    if (strcmp (self->feed_names[i], tensor) == 0)
      {
        if (json != NULL)
          {
            flow_set_str (&self->feeds[i], json);
            return;
          }
        g_free (self->feed_names[i]);
        g_free (self->feeds[i]);
        for (; self->feed_names[i] != NULL; i++)
          {
            self->feed_names[i] = self->feed_names[i + 1];
            self->feeds[i] = self->feeds[i + 1];
          }
        return;
      }
  if (json == NULL)
    return;
  strv_append (&self->feed_names, tensor);
  strv_append (&self->feeds, json);
}

/**
 * flow_run_entry_add_fetch:
 * @self: an entry
 * @tensor: a tensor wanted
 */
void
flow_run_entry_add_fetch (FlowRunEntry *self,
                          const char   *tensor)
{
  strv_append (&self->fetches, tensor);
}

/**
 * flow_run_entry_add_target:
 * @self: an entry
 * @node: an op to run
 */
void
flow_run_entry_add_target (FlowRunEntry *self,
                           const char   *node)
{
  strv_append (&self->targets, node);
}

/* --- reading ---------------------------------------------------------------------------------- */

static gboolean
refuse (GError    **error,
        const char *where,
        const char *what)
{
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "%s %s", where, what);
  return FALSE;
}

/* Every key must be known: a slip of the pen is not to run something else in silence. */
static gboolean
check_keys (JsonObject         *object,
            const char         *where,
            const char *const  *known,
            GError            **error)
{
  g_autoptr(GList) members = json_object_get_members (object);

  for (GList *l = members; l != NULL; l = l->next)
    if (!g_strv_contains (known, l->data))
      {
        g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "%s has an unknown key \"%s\"", where,
                     (const char *) l->data);
        return FALSE;
      }
  return TRUE;
}

static gboolean
is_string (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING;
}

static gboolean
read_string (JsonObject  *object,
             const char  *where,
             const char  *key,
             char       **out,
             GError     **error)
{
  JsonNode *node = json_object_get_member (object, key);
  g_autofree char *what = NULL;

  if (node == NULL)
    return TRUE;
  if (is_string (node))
    {
      flow_set_str (out, json_node_get_string (node));
      return TRUE;
    }
  what = g_strdup_printf ("has a \"%s\" that is no text", key);
  return refuse (error, where, what);
}

static gboolean
read_strings (JsonObject  *object,
              const char  *where,
              const char  *key,
              char      ***out,
              GError     **error)
{
  JsonNode *node = json_object_get_member (object, key);
  g_autofree char *what = NULL;
  JsonArray *array = NULL;
  gboolean ok = node != NULL && JSON_NODE_HOLDS_ARRAY (node);

  if (node == NULL)
    return TRUE;
  if (ok)
    array = json_node_get_array (node);
  for (guint i = 0; ok && i < json_array_get_length (array); i++)
    ok = is_string (json_array_get_element (array, i));
  if (!ok)
    {
      what = g_strdup_printf ("has a \"%s\" that is no list of texts", key);
      return refuse (error, where, what);
    }
  g_strfreev (*out);
  *out = g_new0 (char *, json_array_get_length (array) + 1);
  for (guint i = 0; i < json_array_get_length (array); i++)
    (*out)[i] = g_strdup (json_array_get_string_element (array, i));
  return TRUE;
}

static gboolean
read_int (JsonObject  *object,
          const char  *where,
          const char  *key,
          gint64       least,
          gint64       most,
          gint64      *out,
          GError     **error)
{
  JsonNode *node = json_object_get_member (object, key);
  g_autofree char *what = NULL;

  if (node == NULL)
    return TRUE;
  if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_INT64
      && json_node_get_int (node) >= least && json_node_get_int (node) <= most)
    {
      *out = json_node_get_int (node);
      return TRUE;
    }
  what = g_strdup_printf ("has a \"%s\" that is no whole number of at least %" G_GINT64_FORMAT, key, least);
  return refuse (error, where, what);
}

static gboolean
read_bool (JsonObject  *object,
           const char  *where,
           const char  *key,
           gboolean    *out,
           GError     **error)
{
  JsonNode *node = json_object_get_member (object, key);
  g_autofree char *what = NULL;

  if (node == NULL)
    return TRUE;
  if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_BOOLEAN)
    {
      *out = json_node_get_boolean (node);
      return TRUE;
    }
  what = g_strdup_printf ("has a \"%s\" that is neither true nor false", key);
  return refuse (error, where, what);
}

static JsonObject *
read_object (JsonObject  *object,
             const char  *where,
             const char  *key,
             GError     **error)
{
  JsonNode *node = json_object_get_member (object, key);
  g_autofree char *what = NULL;

  if (node != NULL && JSON_NODE_HOLDS_OBJECT (node))
    return json_node_get_object (node);
  what = g_strdup_printf ("has a \"%s\" that is no object", key);
  refuse (error, where, what);
  return NULL;
}

/* Names and values of an object: the values as JSON text, or with @plain as the texts they are. */
static gboolean
read_pairs (JsonObject  *object,
            const char  *where,
            const char  *key,
            gboolean     plain,
            char      ***names,
            char      ***values,
            GError     **error)
{
  JsonObject *pairs = NULL;
  g_autoptr(GList) members = NULL;
  guint n = 0;

  if (!json_object_has_member (object, key))
    return TRUE;
  pairs = read_object (object, where, key, error);
  if (pairs == NULL)
    return FALSE;
  members = json_object_get_members (pairs);
  g_strfreev (*names);
  g_strfreev (*values);
  *names = g_new0 (char *, g_list_length (members) + 1);
  *values = g_new0 (char *, g_list_length (members) + 1);
  for (GList *l = members; l != NULL; l = l->next, n++)
    {
      JsonNode *node = json_object_get_member (pairs, l->data);

      (*names)[n] = g_strdup (l->data);
      if (plain && !is_string (node))
        return refuse (error, where, "has a map whose values are no texts");
      (*values)[n] = plain ? g_strdup (json_node_get_string (node)) : json_to_string (node, FALSE);
    }
  return TRUE;
}

static gboolean
read_options (FlowRunEntry *self,
              JsonObject   *object,
              const char   *where,
              GError      **error)
{
  static const char *const known[] = { "trace", "timeout_ms", NULL };
  JsonObject *options = NULL;

  if (!json_object_has_member (object, "options"))
    return TRUE;
  options = read_object (object, where, "options", error);
  return options != NULL && check_keys (options, where, known, error)
         && read_bool (options, where, "trace", &self->trace, error)
         && read_int (options, where, "timeout_ms", 0, G_MAXINT64 / 1000, &self->timeout_ms, error);
}

static FlowRunEntry *
entry_from_object (JsonObject *object,
                   const char *where,
                   GError    **error)
{
  static const char *const run_keys[] = {
    "name", "repeat", "fetches", "targets", "feeds", "expect_error", "options", NULL,
  };
  static const char *const restore_keys[] = { "name", "restore", "map", "only", NULL };
  g_autoptr(FlowRunEntry) self = flow_run_entry_new (NULL);
  gboolean restores = json_object_has_member (object, "restore");
  gint64 repeat = 1;

  if (!check_keys (object, where, restores ? restore_keys : run_keys, error)
      || !read_string (object, where, "name", &self->name, error)
      || !read_string (object, where, "restore", &self->restore, error)
      || !read_string (object, where, "expect_error", &self->expect_error, error)
      || !read_int (object, where, "repeat", 1, MAX_REPEAT, &repeat, error)
      || !read_strings (object, where, "fetches", &self->fetches, error)
      || !read_strings (object, where, "targets", &self->targets, error)
      || !read_strings (object, where, "only", &self->only, error)
      || !read_pairs (object, where, "feeds", FALSE, &self->feed_names, &self->feeds, error)
      || !read_pairs (object, where, "map", TRUE, &self->map_new, &self->map_old, error)
      || !read_options (self, object, where, error))
    return NULL;
  self->repeat = (guint) repeat;
  if (self->expect_error != NULL && flow_error_code_from_name (self->expect_error) <= 0)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "%s expects an error \"%s\" that is no code", where,
                   self->expect_error);
      return NULL;
    }
  return g_steal_pointer (&self);
}

static JsonObject *
parse_object (JsonParser *parser,
              const char *json,
              gssize      length,
              GError    **error)
{
  g_autoptr(GError) local = NULL;
  JsonNode *root = NULL;

  if (!json_parser_load_from_data (parser, json, length, &local))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "no JSON: %s", local->message);
      return NULL;
    }
  root = json_parser_get_root (parser);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    {
      g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "no JSON object");
      return NULL;
    }
  return json_node_get_object (root);
}

/**
 * flow_run_entry_from_json:
 * @json: an entry as it stands in a run file
 * @error: return location
 *
 * Returns: (transfer full): the entry, %NULL with `FLOW_ERROR_INVALID_ARGUMENT` saying what is wrong
 */
FlowRunEntry *
flow_run_entry_from_json (const char *json,
                          GError    **error)
{
  g_autoptr(JsonParser) parser = json_parser_new ();
  JsonObject *object = parse_object (parser, json, -1, error);

  return object != NULL ? entry_from_object (object, "the run", error) : NULL;
}

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

static gboolean
read_entries (FlowRunFile *self,
              JsonObject  *object,
              GError     **error)
{
  JsonNode *runs = json_object_get_member (object, "runs");
  JsonArray *array = NULL;

  if (runs == NULL)
    return TRUE;
  if (!JSON_NODE_HOLDS_ARRAY (runs))
    return refuse (error, "the run file", "has \"runs\" that are no list");
  array = json_node_get_array (runs);
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *node = json_array_get_element (array, i);
      g_autofree char *where = g_strdup_printf ("runs[%u]", i);
      FlowRunEntry *entry = NULL;

      if (!JSON_NODE_HOLDS_OBJECT (node))
        return refuse (error, where, "is no object");
      entry = entry_from_object (json_node_get_object (node), where, error);
      if (entry == NULL)
        return FALSE;
      if (entry->name == NULL)
        entry->name = entry->restore != NULL ? g_strdup_printf ("restore%u", i) : g_strdup_printf ("run%u", i);
      g_ptr_array_add (self->entries, entry);
    }
  return TRUE;
}

static gboolean
read_session (FlowRunFile *self,
              JsonObject  *object,
              GError     **error)
{
  static const char *const known[] = { "cse", "seed", "threads", "soft_placement", NULL };
  JsonObject *session = NULL;
  gint64 seed = 0;
  gint64 threads = 0;

  if (!json_object_has_member (object, "session"))
    return TRUE;
  session = read_object (object, "the run file", "session", error);
  if (session == NULL || !check_keys (session, "\"session\"", known, error)
      || !read_bool (session, "\"session\"", "cse", &self->cse, error)
      || !read_bool (session, "\"session\"", "soft_placement", &self->soft_placement, error)
      || !read_int (session, "\"session\"", "seed", G_MININT64, G_MAXINT64, &seed, error)
      || !read_int (session, "\"session\"", "threads", 0, 4096, &threads, error))
    return FALSE;
  self->has_seed = json_object_has_member (session, "seed");
  self->seed = (guint64) seed;
  self->threads = (guint) threads;
  return TRUE;
}

/**
 * flow_run_file_parse:
 * @json: a run file's text
 * @length: its length, -1 if it ends with a zero byte
 * @folder: (nullable): what its paths are relative to
 * @error: return location
 *
 * Returns: (transfer full): the run file, %NULL with `FLOW_ERROR_INVALID_ARGUMENT` saying what is wrong;
 *   keys that nobody knows are wrong
 */
FlowRunFile *
flow_run_file_parse (const char *json,
                     gssize      length,
                     const char *folder,
                     GError    **error)
{
  static const char *const known[] = {
    "graph", "checkpoint", "runs", "session", "overrides", "breakpoints", "window", NULL,
  };
  g_autoptr(FlowRunFile) self = flow_run_file_new (folder);
  g_autoptr(JsonParser) parser = json_parser_new ();
  JsonObject *object = parse_object (parser, json, length, error);

  if (object == NULL || !check_keys (object, "the run file", known, error)
      || !read_string (object, "the run file", "graph", &self->graph, error)
      || !read_string (object, "the run file", "checkpoint", &self->checkpoint, error)
      || !read_entries (self, object, error) || !read_session (self, object, error)
      || !read_pairs (object, "the run file", "overrides", FALSE, &self->override_names, &self->overrides, error)
      || !read_strings (object, "the run file", "breakpoints", &self->breakpoints, error))
    return NULL;
  /* Kept as it is: what is in it is the window's business. */
  if (json_object_has_member (object, "window"))
    {
      if (read_object (object, "the run file", "window", error) == NULL)
        return NULL;
      self->window = json_to_string (json_object_get_member (object, "window"), FALSE);
    }
  if (self->graph == NULL)
    {
      refuse (error, "the run file", "names no \"graph\"");
      return NULL;
    }
  return g_steal_pointer (&self);
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
  if (size == 0 || !json_parser_load_from_data (parser, text, (gssize) size, NULL)
      || !JSON_NODE_HOLDS_OBJECT (json_parser_get_root (parser)))
    return FALSE;
  return json_object_has_member (json_node_get_object (json_parser_get_root (parser)), "graph")
         || json_object_has_member (json_node_get_object (json_parser_get_root (parser)), "runs");
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
    if (is_string (json_object_get_member (object, keys[i])))
      {
        g_autofree char *moved = follow_path (self, folder, json_object_get_string_member (object, keys[i]));

        json_object_set_string_member (object, keys[i], moved);
      }
  g_free (*json);
  *json = json_to_string (node, FALSE);
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

/* --- writing ---------------------------------------------------------------------------------- */

static void
write_strings (JsonBuilder *builder,
               const char  *key,
               char       **strings)
{
  if (strings == NULL || strings[0] == NULL)
    return;
  json_builder_set_member_name (builder, key);
  json_builder_begin_array (builder);
  for (guint i = 0; strings[i] != NULL; i++)
    json_builder_add_string_value (builder, strings[i]);
  json_builder_end_array (builder);
}

static void
write_pairs (JsonBuilder *builder,
             const char  *key,
             gboolean     plain,
             char       **names,
             char       **values)
{
  if (names == NULL || names[0] == NULL)
    return;
  json_builder_set_member_name (builder, key);
  json_builder_begin_object (builder);
  for (guint i = 0; names[i] != NULL; i++)
    {
      json_builder_set_member_name (builder, names[i]);
      if (plain)
        json_builder_add_string_value (builder, values[i]);
      else
        json_builder_add_value (builder, json_from_string (values[i], NULL));
    }
  json_builder_end_object (builder);
}

static void
write_text (JsonBuilder *builder,
            const char  *key,
            const char  *text)
{
  if (text == NULL)
    return;
  json_builder_set_member_name (builder, key);
  json_builder_add_string_value (builder, text);
}

static void
write_entry (JsonBuilder        *builder,
             const FlowRunEntry *entry)
{
  json_builder_begin_object (builder);
  write_text (builder, "name", entry->name);
  write_text (builder, "restore", entry->restore);
  write_pairs (builder, "map", TRUE, entry->map_new, entry->map_old);
  write_strings (builder, "only", entry->only);
  if (entry->repeat != 1)
    {
      json_builder_set_member_name (builder, "repeat");
      json_builder_add_int_value (builder, entry->repeat);
    }
  write_strings (builder, "fetches", entry->fetches);
  write_strings (builder, "targets", entry->targets);
  write_pairs (builder, "feeds", FALSE, entry->feed_names, entry->feeds);
  write_text (builder, "expect_error", entry->expect_error);
  if (entry->trace || entry->timeout_ms > 0)
    {
      json_builder_set_member_name (builder, "options");
      json_builder_begin_object (builder);
      if (entry->trace)
        {
          json_builder_set_member_name (builder, "trace");
          json_builder_add_boolean_value (builder, TRUE);
        }
      if (entry->timeout_ms > 0)
        {
          json_builder_set_member_name (builder, "timeout_ms");
          json_builder_add_int_value (builder, entry->timeout_ms);
        }
      json_builder_end_object (builder);
    }
  json_builder_end_object (builder);
}

/**
 * flow_run_entry_to_json:
 * @self: an entry
 *
 * Returns: (transfer full): the entry as it stands in a run file
 */
char *
flow_run_entry_to_json (const FlowRunEntry *self)
{
  g_autoptr(JsonBuilder) builder = json_builder_new ();
  g_autoptr(JsonNode) root = NULL;

  write_entry (builder, self);
  root = json_builder_get_root (builder);
  return json_to_string (root, FALSE);
}

static void
write_session (JsonBuilder       *builder,
               const FlowRunFile *self)
{
  if (!self->has_seed && self->threads == 0 && !self->cse && self->soft_placement)
    return;
  json_builder_set_member_name (builder, "session");
  json_builder_begin_object (builder);
  if (self->has_seed)
    {
      json_builder_set_member_name (builder, "seed");
      json_builder_add_int_value (builder, (gint64) self->seed);
    }
  if (self->threads != 0)
    {
      json_builder_set_member_name (builder, "threads");
      json_builder_add_int_value (builder, self->threads);
    }
  if (self->cse)
    {
      json_builder_set_member_name (builder, "cse");
      json_builder_add_boolean_value (builder, TRUE);
    }
  if (!self->soft_placement)
    {
      json_builder_set_member_name (builder, "soft_placement");
      json_builder_add_boolean_value (builder, FALSE);
    }
  json_builder_end_object (builder);
}

/**
 * flow_run_file_to_json:
 * @self: a run file
 *
 * Returns: (transfer full): its text
 */
char *
flow_run_file_to_json (const FlowRunFile *self)
{
  g_autoptr(JsonBuilder) builder = json_builder_new ();
  g_autoptr(JsonNode) root = NULL;

  json_builder_begin_object (builder);
  write_text (builder, "graph", self->graph);
  write_text (builder, "checkpoint", self->checkpoint);
  json_builder_set_member_name (builder, "runs");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->entries->len; i++)
    write_entry (builder, g_ptr_array_index (self->entries, i));
  json_builder_end_array (builder);
  write_session (builder, self);
  write_pairs (builder, "overrides", FALSE, self->override_names, self->overrides);
  write_strings (builder, "breakpoints", self->breakpoints);
  if (self->window != NULL)
    {
      json_builder_set_member_name (builder, "window");
      json_builder_add_value (builder, json_from_string (self->window, NULL));
    }
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return json_to_string (root, TRUE);
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
