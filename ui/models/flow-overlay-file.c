/* flow-overlay-file.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-overlay-file.h"

#include <glib/gi18n.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

/*
 * Three forms, told apart by what is in the file:
 *
 *   rules   blue   type:MatMul            = products of matrices
 *           A colour (or `hide`, `aside`, `back`), what it is about as one writes it in the search box, and after ` = ` what
 *           the legend calls it. `#` begins a comment.
 *   CSV     node,ms,bytes                 a column of numbers is something to colour by; commas,
 *           conv1/Conv2D,1.5,4096         semicolons or tabs
 *   JSON    {"conv1/Conv2D": 1.5}, {"ms": {"conv1/Conv2D": 1.5}} or
 *           [{"node": "conv1/Conv2D", "ms": 1.5}]
 *
 * What is wrong is said with its line.
 */

#define MAX_BYTES (64 * 1024 * 1024)
#define MAX_COLUMNS 64
#define MAX_RULES 200
/* The parser of JSON goes down with what is nested. */
#define MAX_NESTING 16

static const struct {
  const char *word;
  guint hue;
  FlowRuleKind kind;
} verbs[] = {
  { "blue", 0, FLOW_RULE_COLOURS }, { "gold", 1, FLOW_RULE_COLOURS }, { "purple", 2, FLOW_RULE_COLOURS },
  { "cyan", 3, FLOW_RULE_COLOURS }, { "pink", 4, FLOW_RULE_COLOURS }, { "brown", 5, FLOW_RULE_COLOURS },
  { "slate", 6, FLOW_RULE_COLOURS }, { "grey", 7, FLOW_RULE_COLOURS },
  { "hide", 0, FLOW_RULE_HIDES }, { "aside", 0, FLOW_RULE_ASIDE }, { "back", 0, FLOW_RULE_BACK },
};

static void
rule_clear (gpointer data)
{
  FlowRule *rule = data;

  g_free (rule->query);
  g_free (rule->label);
}

static void
column_free (gpointer data)
{
  FlowOverlayColumn *column = data;

  g_free (column->title);
  g_ptr_array_unref (column->names);
  g_array_unref (column->values);
  g_free (column);
}

static FlowOverlayFile *
file_new (const char *path)
{
  FlowOverlayFile *self = g_new0 (FlowOverlayFile, 1);

  self->path = g_strdup (path);
  self->rules = g_array_new (FALSE, TRUE, sizeof (FlowRule));
  g_array_set_clear_func (self->rules, rule_clear);
  self->columns = g_ptr_array_new_with_free_func (column_free);
  return self;
}

void
flow_overlay_file_free (FlowOverlayFile *self)
{
  if (self == NULL)
    return;
  g_free (self->path);
  g_array_unref (self->rules);
  g_ptr_array_unref (self->columns);
  g_free (self);
}

static FlowOverlayColumn *
add_column (FlowOverlayFile *self,
            const char      *title)
{
  FlowOverlayColumn *column = g_new0 (FlowOverlayColumn, 1);

  column->title = g_strdup (title);
  column->names = g_ptr_array_new_with_free_func (g_free);
  column->values = g_array_new (FALSE, FALSE, sizeof (double));
  g_ptr_array_add (self->columns, column);
  return column;
}

/* A tensor's or control input's name is its node's, a scope may end in a slash. */
static void
add_value (FlowOverlayColumn *column,
           const char        *name,
           double             value)
{
  g_autofree char *node = g_strstrip (g_strdup (name[0] == '^' ? name + 1 : name));
  char *colon = strrchr (node, ':');
  gsize length = 0;

  if (colon != NULL && colon[1] != '\0' && strspn (colon + 1, "0123456789") == strlen (colon + 1))
    *colon = '\0';
  length = strlen (node);
  if (length > 1 && node[length - 1] == '/')
    node[length - 1] = '\0';
  g_ptr_array_add (column->names, g_steal_pointer (&node));
  g_array_append_val (column->values, value);
}

/* --- rules ---------------------------------------------------------------------------------------- */

static int
find_verb (const char *word)
{
  for (guint i = 0; i < G_N_ELEMENTS (verbs); i++)
    if (g_ascii_strcasecmp (word, verbs[i].word) == 0)
      return (int) i;
  return -1;
}

static char *
list_verbs (void)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (verbs); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", verbs[i].word);
  return g_string_free (text, FALSE);
}

/* Words that the search would not understand, and a bad expression it would take for plain text. */
static gboolean
check_query (const char  *query,
             guint        line,
             GError     **error)
{
  g_auto(GStrv) words = g_strsplit_set (query, " \t", -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      const char *colon = strchr (words[i], ':');
      const char *text = colon != NULL ? colon + 1 : words[i];
      g_autoptr(GRegex) regex = NULL;
      g_autoptr(GError) local = NULL;

      if (strpbrk (text, "*+?[](){}|^$\\") == NULL)
        continue;
      regex = g_regex_new (text, G_REGEX_CASELESS, 0, &local);
      if (regex != NULL)
        continue;
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   _("Line %u: “%s” is no regular expression: %s"), line, text, local->message);
      return FALSE;
    }
  return TRUE;
}

static gboolean
parse_rule (FlowOverlayFile  *self,
            char             *text,
            guint             line,
            GError          **error)
{
  char *rest = text + strcspn (text, " \t");
  char *label = NULL;
  FlowRule rule = { FLOW_RULE_COLOURS, 0, NULL, NULL };
  int verb = -1;

  if (*rest != '\0')
    *rest++ = '\0';
  verb = find_verb (text);
  if (verb < 0)
    {
      g_autofree char *known = list_verbs ();

      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   _("Line %u: “%s” is no colour; a rule begins with one of %s"),
                   line, text, known);
      return FALSE;
    }
  label = strstr (rest, " = ");
  if (label != NULL)
    {
      *label = '\0';
      label += strlen (" = ");
    }
  rest = g_strstrip (rest);
  if (*rest == '\0')
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   _("Line %u: behind “%s” it must say which nodes are meant, as in the search box"), line, text);
      return FALSE;
    }
  if (self->rules->len >= MAX_RULES)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, _("Line %u: there are more than %d rules"), line,
                   MAX_RULES);
      return FALSE;
    }
  if (!check_query (rest, line, error))
    return FALSE;
  rule.kind = verbs[verb].kind;
  rule.hue = verbs[verb].hue;
  rule.query = g_strdup (rest);
  rule.label = g_strdup (label != NULL && *g_strstrip (label) != '\0' ? label : rest);
  g_array_append_val (self->rules, rule);
  return TRUE;
}

static gboolean
parse_rules (FlowOverlayFile  *self,
             char            **lines,
             GError          **error)
{
  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *text = g_strstrip (lines[i]);

      if (*text != '\0' && *text != '#' && !parse_rule (self, text, i + 1, error))
        return FALSE;
    }
  return TRUE;
}

/* --- CSV ------------------------------------------------------------------------------------------ */

/* Returns: (transfer full): the cells of a line; a quote in quotes is written twice */
static GPtrArray *
split_cells (const char *line,
             char        separator)
{
  GPtrArray *cells = g_ptr_array_new_with_free_func (g_free);
  GString *cell = g_string_new (NULL);
  gboolean quoted = FALSE;

  for (const char *p = line; *p != '\0'; p++)
    {
      if (*p == '"' && quoted && p[1] == '"')
        g_string_append_c (cell, *p++);
      else if (*p == '"')
        quoted = !quoted;
      else if (*p == separator && !quoted)
        {
          g_ptr_array_add (cells, g_strstrip (g_strdup (cell->str)));
          g_string_set_size (cell, 0);
        }
      else
        g_string_append_c (cell, *p);
    }
  g_ptr_array_add (cells, g_strstrip (g_strdup (cell->str)));
  g_string_free (cell, TRUE);
  return cells;
}

static gboolean
parse_number (const char *text,
              double     *value)
{
  char *end = NULL;

  *value = g_ascii_strtod (text, &end);
  return end != text && *end == '\0';
}

/* The sign that is in the first line most often parts the cells. */
static char
find_separator (const char *line)
{
  const char signs[] = { ',', ';', '\t' };
  guint counts[3] = { 0, 0, 0 };
  guint best = 0;

  for (const char *p = line; *p != '\0'; p++)
    for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
      counts[i] += *p == signs[i];
  for (guint i = 1; i < G_N_ELEMENTS (signs); i++)
    if (counts[i] > counts[best])
      best = i;
  return counts[best] > 0 ? signs[best] : '\0';
}

/* The first line: titles, or numbers already. */
static gboolean
begin_columns (FlowOverlayFile  *self,
               const GPtrArray  *cells,
               guint             line,
               gboolean         *is_header,
               GError          **error)
{
  double value = 0.0;

  *is_header = FALSE;
  if (cells->len < 2 || cells->len > MAX_COLUMNS + 1)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   cells->len < 2 ? _("Line %u: a name and at least one number are expected, parted by commas")
                                  : _("Line %u: there are too many columns"), line);
      return FALSE;
    }
  for (guint i = 1; i < cells->len; i++)
    *is_header = *is_header || (*(char *) cells->pdata[i] != '\0' && !parse_number (cells->pdata[i], &value));
  for (guint i = 1; i < cells->len; i++)
    {
      const char *cell = cells->pdata[i];
      g_autofree char *title = *is_header && *cell != '\0' ? g_strdup (cell)
                               : cells->len == 2 ? g_path_get_basename (self->path) : g_strdup_printf ("%u", i);

      add_column (self, title);
    }
  return TRUE;
}

static gboolean
parse_row (FlowOverlayFile  *self,
           const GPtrArray  *cells,
           guint             line,
           GError          **error)
{
  if (cells->len != self->columns->len + 1)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   _("Line %u has %u cells, the first line has %u"), line, cells->len, self->columns->len + 1);
      return FALSE;
    }
  for (guint i = 1; i < cells->len; i++)
    {
      const char *cell = cells->pdata[i];
      double value = 0.0;

      if (*cell == '\0')
        continue;
      if (!parse_number (cell, &value))
        {
          g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, _("Line %u: “%s” is no number"), line, cell);
          return FALSE;
        }
      add_value (self->columns->pdata[i - 1], cells->pdata[0], value);
    }
  return TRUE;
}

static gboolean
parse_csv (FlowOverlayFile  *self,
           char            **lines,
           GError          **error)
{
  char separator = '\0';

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autoptr(GPtrArray) cells = NULL;
      gboolean is_header = FALSE;

      if (*g_strstrip (lines[i]) == '\0' || *lines[i] == '#')
        continue;
      if (self->columns->len == 0)
        separator = find_separator (lines[i]);
      cells = split_cells (lines[i], separator);
      if (self->columns->len == 0 && !begin_columns (self, cells, i + 1, &is_header, error))
        return FALSE;
      if (!is_header && !parse_row (self, cells, i + 1, error))
        return FALSE;
    }
  return TRUE;
}

/* --- JSON ----------------------------------------------------------------------------------------- */

/* NaN and the infinities are written as strings, as everywhere in our JSON. */
static gboolean
get_number (JsonNode *node,
            double   *value)
{
  if (!JSON_NODE_HOLDS_VALUE (node))
    return FALSE;
  if (json_node_get_value_type (node) == G_TYPE_STRING)
    return parse_number (json_node_get_string (node), value);
  if (json_node_get_value_type (node) != G_TYPE_INT64 && json_node_get_value_type (node) != G_TYPE_DOUBLE)
    return FALSE;
  *value = json_node_get_double (node);
  return TRUE;
}

static gboolean
fill_column (FlowOverlayColumn  *column,
             JsonObject         *object,
             GError            **error)
{
  JsonObjectIter iter;
  const char *name = NULL;
  JsonNode *node = NULL;
  double value = 0.0;

  json_object_iter_init (&iter, object);
  while (json_object_iter_next (&iter, &name, &node))
    {
      if (JSON_NODE_HOLDS_NULL (node))
        continue;
      if (!get_number (node, &value))
        {
          g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, _("What stands at “%s” is no number"), name);
          return FALSE;
        }
      add_value (column, name, value);
    }
  return TRUE;
}

/* {"node": 1.5}, or columns of such by their titles. */
static gboolean
parse_object (FlowOverlayFile  *self,
              JsonObject       *object,
              GError          **error)
{
  JsonObjectIter iter;
  const char *name = NULL;
  JsonNode *node = NULL;
  gboolean has_columns = FALSE;

  json_object_iter_init (&iter, object);
  while (json_object_iter_next (&iter, &name, &node))
    has_columns = has_columns || JSON_NODE_HOLDS_OBJECT (node);
  if (!has_columns)
    {
      g_autofree char *title = g_path_get_basename (self->path);

      return fill_column (add_column (self, title), object, error);
    }
  json_object_iter_init (&iter, object);
  while (json_object_iter_next (&iter, &name, &node))
    {
      if (!JSON_NODE_HOLDS_OBJECT (node) || self->columns->len >= MAX_COLUMNS)
        {
          g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                       JSON_NODE_HOLDS_OBJECT (node) ? _("“%s” is one column too many")
                                                     : _("What stands at “%s” is not names and numbers, as the others are"),
                       name);
          return FALSE;
        }
      if (!fill_column (add_column (self, name), json_node_get_object (node), error))
        return FALSE;
    }
  return TRUE;
}

static FlowOverlayColumn *
get_column (FlowOverlayFile *self,
            GHashTable      *known,
            const char      *title)
{
  FlowOverlayColumn *column = g_hash_table_lookup (known, title);

  if (column != NULL || self->columns->len >= MAX_COLUMNS)
    return column;
  column = add_column (self, title);
  g_hash_table_insert (known, column->title, column);
  return column;
}

/* [{"node": "a/b", "ms": 1.5}]: what else stands in a row and is a number is a column. */
static gboolean
parse_rows (FlowOverlayFile  *self,
            JsonArray        *rows,
            GError          **error)
{
  g_autoptr(GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < json_array_get_length (rows); i++)
    {
      JsonNode *row = json_array_get_element (rows, i);
      JsonObject *object = JSON_NODE_HOLDS_OBJECT (row) ? json_node_get_object (row) : NULL;
      JsonNode *node = object != NULL ? json_object_get_member (object, "node") : NULL;
      JsonObjectIter iter;
      const char *title = NULL;
      JsonNode *cell = NULL;
      double value = 0.0;

      if (node == NULL && object != NULL)
        node = json_object_get_member (object, "name");
      if (node == NULL || !JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_STRING)
        {
          g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                       _("Entry %u of the list has no “node” that names what its numbers are about"), i + 1);
          return FALSE;
        }
      json_object_iter_init (&iter, object);
      while (json_object_iter_next (&iter, &title, &cell))
        {
          FlowOverlayColumn *column = cell != node && get_number (cell, &value) ? get_column (self, known, title) : NULL;

          if (column != NULL)
            add_value (column, json_node_get_string (node), value);
        }
    }
  return TRUE;
}

static gboolean
parse_json (FlowOverlayFile  *self,
            const char       *text,
            gsize             length,
            GError          **error)
{
  g_autoptr(JsonParser) parser = json_parser_new ();
  g_autoptr(GError) local = NULL;
  JsonNode *root = NULL;

  if (!flow_json_check (text, (gssize) length, MAX_NESTING, &local)
      || !json_parser_load_from_data (parser, text, (gssize) length, &local))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, _("This is no JSON: %s"), local->message);
      return FALSE;
    }
  root = json_parser_get_root (parser);
  if (root != NULL && JSON_NODE_HOLDS_OBJECT (root))
    return parse_object (self, json_node_get_object (root), error);
  if (root != NULL && JSON_NODE_HOLDS_ARRAY (root))
    return parse_rows (self, json_node_get_array (root), error);
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, _("An object of names and numbers is expected"));
  return FALSE;
}

/* --- all of it ------------------------------------------------------------------------------------ */

/* The first word of the first line that says anything is a verb, and no sign of a table follows it. */
static gboolean
looks_like_rules (const char  *path,
                  char       **lines)
{
  if (g_str_has_suffix (path, ".rules"))
    return TRUE;
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *text = lines[i] + strspn (lines[i], " \t");
      g_autofree char *word = g_strndup (text, strcspn (text, " \t"));

      if (*text != '\0' && *text != '#' && *text != '\r')
        return find_verb (word) >= 0;
    }
  return FALSE;
}

/**
 * flow_overlay_file_parse:
 * @path: what the file is called; it is not opened
 * @text: (array length=length): what is in it
 * @error: in words that a person can mend the file by
 *
 * Returns: (transfer full) (nullable): the rules, or the columns, that are in it
 */
FlowOverlayFile *
flow_overlay_file_parse (const char  *path,
                         const char  *text,
                         gsize        length,
                         GError     **error)
{
  g_autoptr(FlowOverlayFile) self = file_new (path);
  g_auto(GStrv) lines = NULL;
  const char *begin = text;
  gsize blank = 0;
  gboolean done = FALSE;
  guint n_values = 0;

  if (length > MAX_BYTES || !g_utf8_validate_len (text, length, NULL))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   length > MAX_BYTES ? _("The file is too large") : _("The file is no text in UTF-8"));
      return NULL;
    }
  if (length >= 3 && memcmp (text, "\xEF\xBB\xBF", 3) == 0)
    begin += 3;
  length -= (gsize) (begin - text);
  while (blank < length && g_ascii_isspace (begin[blank]))
    blank++;
  if (blank < length && (begin[blank] == '{' || begin[blank] == '['))
    {
      done = parse_json (self, begin + blank, length - blank, error);
    }
  else
    {
      g_autofree char *copy = g_strndup (begin, length);

      lines = g_strsplit (copy, "\n", -1);
      done = looks_like_rules (path, lines) ? parse_rules (self, lines, error) : parse_csv (self, lines, error);
    }
  if (!done)
    return NULL;
  for (guint i = 0; i < self->columns->len; i++)
    n_values += ((FlowOverlayColumn *) self->columns->pdata[i])->values->len;
  if (self->rules->len == 0 && n_values == 0)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   _("There is neither a rule nor a name with a number in it"));
      return NULL;
    }
  return g_steal_pointer (&self);
}

static void
load_worker (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  const char *path = data;
  g_autoptr(GFile) file = g_file_new_for_path (path);
  g_autoptr(GFileInfo) info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_SIZE "," G_FILE_ATTRIBUTE_STANDARD_TYPE,
                                                 G_FILE_QUERY_INFO_NONE, cancellable, NULL);
  g_autofree char *text = NULL;
  gsize length = 0;
  FlowOverlayFile *self = NULL;
  GError *error = NULL;

  if (info != NULL && g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR)
    g_set_error (&error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, _("This is no file"));
  else if (info != NULL && g_file_info_get_size (info) > MAX_BYTES)
    g_set_error (&error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, _("The file is too large"));
  else if (g_file_load_contents (file, cancellable, &text, &length, NULL, &error))
    self = flow_overlay_file_parse (path, text, length, &error);
  if (self != NULL)
    {
      g_task_return_pointer (task, self, (GDestroyNotify) flow_overlay_file_free);
    }
  else
    {
      g_autofree char *name = g_path_get_basename (path);

      g_prefix_error (&error, "%s: ", name);
      g_task_return_error (task, error);
    }
}

/**
 * flow_overlay_file_load_async:
 *
 * Reads and parses on another thread.
 */
void
flow_overlay_file_load_async (const char          *path,
                              GCancellable        *cancellable,
                              GAsyncReadyCallback  callback,
                              gpointer             data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, data);

  g_task_set_source_tag (task, flow_overlay_file_load_async);
  g_task_set_task_data (task, g_strdup (path), g_free);
  g_task_run_in_thread (task, load_worker);
}

FlowOverlayFile *
flow_overlay_file_load_finish (GAsyncResult  *result,
                               GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
