/* flow-run-file-json.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Run files as text: what stands in one, read and written.
 */

#include "config.h"

#include "flow-run-file.h"

#include "flow-json.h"
#include "flow-util.h"

#include <json-glib/json-glib.h>

#define MAX_REPEAT 1000000000

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
      (*values)[n] = plain ? g_strdup (json_node_get_string (node))
                     : flow_json_mend_numbers (json_to_string (node, FALSE));
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

  if (!flow_json_check (json, length, FLOW_JSON_MAX_DEPTH, &local)
      || !json_parser_load_from_data (parser, json, length, &local))
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
      self->window = flow_json_mend_numbers (json_to_string (json_object_get_member (object, "window"), FALSE));
    }
  if (self->graph == NULL)
    {
      refuse (error, "the run file", "names no \"graph\"");
      return NULL;
    }
  return g_steal_pointer (&self);
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
  return flow_json_mend_numbers (json_to_string (root, FALSE));
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
  return flow_json_mend_numbers (json_to_string (root, TRUE));
}
