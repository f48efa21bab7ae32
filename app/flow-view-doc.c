/* flow-view-doc.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-view-doc.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

/* What is wrong in what was kept is left out: nobody is to lose a graph over a bookmark. */

#define MAX_BOOKMARKS 200
#define MAX_LIST 10000

FlowBookmark *
flow_bookmark_new (const char *note)
{
  FlowBookmark *self = g_new0 (FlowBookmark, 1);

  self->note = g_strdup (note);
  self->open = g_new0 (char *, 1);
  self->zoom = 1.0;
  self->position = -1;
  return self;
}

void
flow_bookmark_free (FlowBookmark *self)
{
  if (self == NULL)
    return;
  g_free (self->note);
  g_free (self->select);
  g_strfreev (self->open);
  g_free (self->run);
  g_free (self->colour_by);
  g_free (self);
}

FlowViewDoc *
flow_view_doc_new (void)
{
  FlowViewDoc *self = g_new0 (FlowViewDoc, 1);

  self->bookmarks = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_bookmark_free);
  self->hidden = g_new0 (char *, 1);
  self->wishes = flow_scene_wishes_new ();
  return self;
}

void
flow_view_doc_free (FlowViewDoc *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->bookmarks);
  g_strfreev (self->hidden);
  flow_scene_wishes_free (self->wishes);
  g_free (self->direction);
  g_free (self);
}

gboolean
flow_view_doc_is_empty (const FlowViewDoc *self)
{
  return self->bookmarks->len == 0 && self->hidden[0] == NULL && self->direction == NULL
         && flow_scene_wishes_is_empty (self->wishes);
}

/* Returns: whether it was not hidden yet. */
gboolean
flow_view_doc_hide (FlowViewDoc *self,
                    const char  *name)
{
  guint n = g_strv_length (self->hidden);

  if (n >= MAX_LIST || g_strv_contains ((const char *const *) self->hidden, name))
    return FALSE;
  self->hidden = g_renew (char *, self->hidden, n + 2);
  self->hidden[n] = g_strdup (name);
  self->hidden[n + 1] = NULL;
  return TRUE;
}

/* Returns: whether anything was hidden. */
gboolean
flow_view_doc_unhide_all (FlowViewDoc *self)
{
  gboolean any = self->hidden[0] != NULL;

  g_strfreev (self->hidden);
  self->hidden = g_new0 (char *, 1);
  return any;
}

/* --- reading -------------------------------------------------------------------------------------- */

static const char *
get_text (JsonObject *object,
          const char *key)
{
  JsonNode *node = json_object_get_member (object, key);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
           ? json_node_get_string (node) : NULL;
}

static double
get_number (JsonObject *object,
            const char *key,
            double      fallback)
{
  JsonNode *node = json_object_get_member (object, key);
  double value = fallback;

  if (node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) != G_TYPE_STRING)
    value = json_node_get_double (node);
  return isfinite (value) ? value : fallback;
}

static char **
dup_list (JsonObject *object,
          const char *key)
{
  JsonNode *node = json_object_get_member (object, key);
  JsonArray *array = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; array != NULL && i < MIN (json_array_get_length (array), MAX_LIST); i++)
    {
      JsonNode *entry = json_array_get_element (array, i);

      if (JSON_NODE_HOLDS_VALUE (entry) && json_node_get_value_type (entry) == G_TYPE_STRING)
        g_strv_builder_add (builder, json_node_get_string (entry));
    }
  return g_strv_builder_end (builder);
}

static FlowBookmark *
parse_bookmark (JsonObject *object)
{
  const char *note = get_text (object, "note");
  FlowBookmark *self = flow_bookmark_new (note != NULL ? note : "");

  self->select = g_strdup (get_text (object, "select"));
  g_strfreev (self->open);
  self->open = dup_list (object, "open");
  self->x = CLAMP (get_number (object, "x", 0.0), -1e7, 1e7);
  self->y = CLAMP (get_number (object, "y", 0.0), -1e7, 1e7);
  self->zoom = CLAMP (get_number (object, "zoom", 1.0), 1e-3, 1e3);
  self->run = g_strdup (get_text (object, "run"));
  self->position = (gint64) CLAMP (get_number (object, "position", -1.0), -1.0, 9e15);
  self->colour_by = g_strdup (get_text (object, "colour_by"));
  return self;
}

static void
parse_wishes (JsonObject *object,
              const char *key,
              GHashTable *table,
              guint       wish)
{
  g_auto(GStrv) names = dup_list (object, key);

  for (guint i = 0; names[i] != NULL; i++)
    g_hash_table_insert (table, g_strdup (names[i]), GUINT_TO_POINTER (wish));
}

static void
parse_arrangement (JsonObject      *object,
                   FlowSceneWishes *wishes)
{
  wishes->flat = get_number (object, "series", 1.0) == 0.0;
  wishes->whole = get_number (object, "sections", 1.0) == 0.0;
  parse_wishes (object, "folded", wishes->series, FLOW_WISH_FOLDED);
  parse_wishes (object, "flat", wishes->series, FLOW_WISH_FLAT);
  parse_wishes (object, "aside", wishes->places, FLOW_WISH_ASIDE);
  parse_wishes (object, "back", wishes->places, FLOW_WISH_BACK);
}

/**
 * flow_view_doc_parse:
 * @json: what flow_view_doc_to_json() gave, or anything
 *
 * Returns: (transfer full): what can be understood of it
 */
FlowViewDoc *
flow_view_doc_parse (const char *json)
{
  FlowViewDoc *self = flow_view_doc_new ();
  g_autoptr(JsonNode) root = flow_json_check (json, -1, FLOW_JSON_MAX_DEPTH, NULL) ? json_from_string (json, NULL) : NULL;
  JsonNode *bookmarks = NULL;
  JsonArray *array = NULL;

  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return self;
  g_strfreev (self->hidden);
  self->hidden = dup_list (json_node_get_object (root), "hidden");
  parse_arrangement (json_node_get_object (root), self->wishes);
  self->direction = g_strdup (get_text (json_node_get_object (root), "direction"));
  bookmarks = json_object_get_member (json_node_get_object (root), "bookmarks");
  array = bookmarks != NULL && JSON_NODE_HOLDS_ARRAY (bookmarks) ? json_node_get_array (bookmarks) : NULL;
  for (guint i = 0; array != NULL && i < MIN (json_array_get_length (array), MAX_BOOKMARKS); i++)
    {
      JsonNode *node = json_array_get_element (array, i);

      if (JSON_NODE_HOLDS_OBJECT (node))
        g_ptr_array_add (self->bookmarks, parse_bookmark (json_node_get_object (node)));
    }
  return self;
}

/* --- writing -------------------------------------------------------------------------------------- */

static void
add_text (JsonBuilder *builder,
          const char  *key,
          const char  *value)
{
  if (value == NULL)
    return;
  json_builder_set_member_name (builder, key);
  json_builder_add_string_value (builder, value);
}

static void
add_number (JsonBuilder *builder,
            const char  *key,
            double       value)
{
  json_builder_set_member_name (builder, key);
  json_builder_add_double_value (builder, value);
}

static void
add_list (JsonBuilder *builder,
          const char  *key,
          char       **values)
{
  if (values == NULL || values[0] == NULL)
    return;
  json_builder_set_member_name (builder, key);
  json_builder_begin_array (builder);
  for (guint i = 0; values[i] != NULL; i++)
    json_builder_add_string_value (builder, values[i]);
  json_builder_end_array (builder);
}

static void
add_bookmark (JsonBuilder        *builder,
              const FlowBookmark *bookmark)
{
  json_builder_begin_object (builder);
  add_text (builder, "note", bookmark->note);
  add_text (builder, "select", bookmark->select);
  add_list (builder, "open", bookmark->open);
  add_number (builder, "x", bookmark->x);
  add_number (builder, "y", bookmark->y);
  add_number (builder, "zoom", bookmark->zoom);
  add_text (builder, "run", bookmark->run);
  if (bookmark->position >= 0)
    {
      json_builder_set_member_name (builder, "position");
      json_builder_add_int_value (builder, bookmark->position);
    }
  add_text (builder, "colour_by", bookmark->colour_by);
  json_builder_end_object (builder);
}

static void
add_wishes (JsonBuilder *builder,
            const char  *key,
            GHashTable  *table,
            guint        wish)
{
  g_autoptr(GPtrArray) names = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer name = NULL;
  gpointer value = NULL;

  g_hash_table_iter_init (&iter, table);
  while (g_hash_table_iter_next (&iter, &name, &value))
    if (GPOINTER_TO_UINT (value) == wish)
      g_ptr_array_add (names, name);
  /* The same view is the same file. */
  g_ptr_array_sort (names, flow_compare_texts);
  g_ptr_array_add (names, NULL);
  add_list (builder, key, (char **) names->pdata);
}

static void
add_arrangement (JsonBuilder           *builder,
                 const FlowSceneWishes *wishes)
{
  if (wishes->flat)
    add_number (builder, "series", 0.0);
  if (wishes->whole)
    add_number (builder, "sections", 0.0);
  add_wishes (builder, "folded", wishes->series, FLOW_WISH_FOLDED);
  add_wishes (builder, "flat", wishes->series, FLOW_WISH_FLAT);
  add_wishes (builder, "aside", wishes->places, FLOW_WISH_ASIDE);
  add_wishes (builder, "back", wishes->places, FLOW_WISH_BACK);
}

/**
 * flow_view_doc_to_json:
 *
 * Returns: (transfer full): an object
 */
char *
flow_view_doc_to_json (const FlowViewDoc *self)
{
  g_autoptr(JsonBuilder) builder = json_builder_new ();
  g_autoptr(JsonNode) root = NULL;

  json_builder_begin_object (builder);
  if (self->bookmarks->len > 0)
    {
      json_builder_set_member_name (builder, "bookmarks");
      json_builder_begin_array (builder);
      for (guint i = 0; i < self->bookmarks->len; i++)
        add_bookmark (builder, self->bookmarks->pdata[i]);
      json_builder_end_array (builder);
    }
  add_list (builder, "hidden", self->hidden);
  add_arrangement (builder, self->wishes);
  add_text (builder, "direction", self->direction);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return flow_json_mend_numbers (json_to_string (root, FALSE));
}
