/* flow-error-text.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-error-text-private.h"

#include "flow-util.h"

#include <string.h>

/* Of a longer text the end is read: there a traceback says what went wrong. */
#define MAX_TEXT_BYTES (24 * 1024)
/* Names beyond these are no help. */
#define MAX_NAMES 50
/* As much of the line as a message has room for. */
#define MAX_MESSAGE_CHARS 500
/* Words shorter than this are words. */
#define MIN_WORD_CHARS 3

#define NAME "[A-Za-z0-9_.][A-Za-z0-9_./\\\\>-]*"

/* How messages name the node in which an error happened, from 2.x down to 0.x; the first row is the surest. */
static const char *const node_patterns[] = {
  "\\[\\[\\{\\{node (?<n>" NAME ")\\}\\}(?: = (?<o>\\w+)\\[)?",
  "\\[\\[node (?<n>" NAME ")",
  "\\[\\[Node: (?<n>" NAME ") = (?<o>\\w+)\\[",
  "^Node: '(?<n>" NAME ")'",
  "Detected at node '?(?<n>" NAME ")'? defined at",
  "Caused by op u?'(?<n>" NAME ")'",
};

/* How messages name other nodes and tensors. */
static const char *const other_patterns[] = {
  "\\{\\{node (?<n>" NAME ")\\}\\}(?: = (?<o>\\w+)\\[)?",
  "for '(?<n>" NAME ")' \\(op: '(?<o>\\w+)'\\)",
  "<tf\\.(?:Operation|Tensor|Variable) u?'(?<n>" NAME "(?::\\d+)?)'",
  "Tensor\\(\"(?<n>" NAME "(?::\\d+)?)\"",
  "(?:Operation|operation|[Nn]ode|op|tensor|Tensor|variable|Variable) ['\"`](?<n>" NAME "(?::\\d+)?)['\"`]",
  "name: \"(?<n>" NAME ")\"",
  "\\b[Nn]ode (?<n>" NAME ") \\(defined at",
  "(?:passed \\S+ from|input node) (?<n>" NAME "(?::\\d+)?)",
};

/* The inputs of a node that is printed whole: = Op[attrs](a, b/read, ^c). */
#define INPUTS_PATTERN "= \\w+\\[[^\\n]*?\\]\\((?<i>[^()\\n]*)\\)"

G_DEFINE_BOXED_TYPE (FlowErrorText, flow_error_text, flow_error_text_copy, flow_error_text_free)

/* What parsing carries along. */
typedef struct {
  FlowGraph *graph;            /* nullable */
  char *text;
  FlowErrorText *out;
  GPtrArray *nodes;            /* of char*, without doubles */
  GPtrArray *missing;
} Parse;

/* --- Names --- */

static void
add_name (GPtrArray  *names,
          const char *name)
{
  if (names->len < MAX_NAMES && !g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
    g_ptr_array_add (names, g_strdup (name));
}

static guint32
find_stretch (FlowGraph  *graph,
              const char *name,
              gsize       from,
              gsize       to)
{
  g_autofree char *part = g_strndup (name + from, to - from);

  return flow_graph_find_op (graph, part);
}

/* The node behind a name that the runtime has made of its own: _retval_w_0_0 and _arg_x_0_1 around a run,
 * conv-0-TransposeNHWCToNCHW and ConstantFolding/conv by the optimizer. */
static guint32
find_behind (FlowGraph  *graph,
             const char *name)
{
  static const char *const prefixes[] = { "_retval_", "_arg_", "ConstantFolding/" };
  gsize from = 0;
  gsize to = strlen (name);
  const char *dash;
  guint32 node = FLOW_NODE_NONE;

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (name, prefixes[i]))
      {
        from = strlen (prefixes[i]);
        node = find_stretch (graph, name, from, to);
        /* The numbers of slot and place come behind: take them off one by one. */
        for (guint k = 0; k < 2 && node == FLOW_NODE_NONE; k++)
          {
            gsize end = to;

            while (end > from && g_ascii_isdigit (name[end - 1]))
              end--;
            if (end == to || end <= from + 1 || name[end - 1] != '_')
              break;
            to = end - 1;
            node = find_stretch (graph, name, from, to);
          }
      }
  dash = strchr (name + from, '-');
  if (node == FLOW_NODE_NONE && dash != NULL && dash > name + from)
    node = find_stretch (graph, name, from, (gsize) (dash - name));
  return node;
}

/* Notes a name; the first that the graph has is where to go. */
static gboolean
take_name (Parse      *parse,
           const char *name)
{
  guint32 node;

  if (name == NULL || *name == '\0')
    return FALSE;
  if (parse->graph == NULL)
    {
      add_name (parse->missing, name);
      return FALSE;
    }
  node = flow_graph_find_op (parse->graph, name);
  if (node == FLOW_NODE_NONE)
    {
      /* An output that is not there still names its node. */
      const char *colon = strrchr (name, ':');

      if (colon != NULL)
        node = find_stretch (parse->graph, name, 0, (gsize) (colon - name));
    }
  if (node == FLOW_NODE_NONE)
    node = find_behind (parse->graph, name);
  if (node != FLOW_NODE_NONE)
    {
      const char *found = flow_graph_get_node_name (parse->graph, node);

      add_name (parse->nodes, found);
      if (parse->out->place == NULL)
        parse->out->place = g_strdup (found);
      return TRUE;
    }
  if (flow_graph_find_scope (parse->graph, name) != FLOW_SCOPE_NONE)
    {
      if (parse->out->place == NULL)
        parse->out->place = g_strdup (name);
      return TRUE;
    }
  add_name (parse->missing, name);
  return FALSE;
}

/* --- Patterns --- */

/* Compiled once: the texts are our own, so a failure is our bug. */
static GRegex *
get_regex (const char *pattern)
{
  static GMutex mutex;         /* guards regexes */
  static GHashTable *regexes = NULL;
  GRegex *regex;

  g_mutex_lock (&mutex);
  if (regexes == NULL)
    regexes = g_hash_table_new (g_str_hash, g_str_equal);
  regex = g_hash_table_lookup (regexes, pattern);
  if (regex == NULL)
    {
      g_autoptr (GError) error = NULL;

      regex = g_regex_new (pattern, G_REGEX_MULTILINE | G_REGEX_OPTIMIZE, 0, &error);
      if (regex == NULL)
        g_critical ("pattern of an error text: %s", error->message);
      else
        g_hash_table_insert (regexes, (gpointer) pattern, regex);
    }
  g_mutex_unlock (&mutex);
  return regex;
}

/* A group's text; groups of one meaning in several places are numbered: n, n2, n3. */
static char *
fetch_group (GMatchInfo *match,
             const char *group)
{
  char *text = g_match_info_fetch_named (match, group);

  for (guint i = 2; i <= 4 && (text == NULL || *text == '\0'); i++)
    {
      g_autofree char *numbered = g_strdup_printf ("%s%u", group, i);

      g_free (text);
      text = g_match_info_fetch_named (match, numbered);
    }
  if (text != NULL && *text == '\0')
    g_clear_pointer (&text, g_free);
  return text;
}

/* Names end in no full stop, though sentences do. */
static void
trim_name (char *name)
{
  gsize length = name != NULL ? strlen (name) : 0;

  while (length > 1 && strchr (".,;:/", name[length - 1]) != NULL)
    name[--length] = '\0';
}

static char *
fetch_name (GMatchInfo *match,
            const char *group)
{
  char *name = fetch_group (match, group);

  trim_name (name);
  return name;
}

static void
take_matches (Parse      *parse,
              const char *pattern)
{
  g_autoptr (GMatchInfo) match = NULL;
  GRegex *regex = get_regex (pattern);
  guint n = 0;

  if (regex == NULL)
    return;
  for (g_regex_match (regex, parse->text, 0, &match); g_match_info_matches (match) && n < MAX_NAMES; n++)
    {
      g_autofree char *name = fetch_name (match, "n");
      g_autofree char *type = fetch_group (match, "o");

      take_name (parse, name);
      if (parse->out->op_type == NULL)
        parse->out->op_type = g_steal_pointer (&type);
      g_match_info_next (match, NULL);
    }
}

static void
take_inputs (Parse *parse)
{
  g_autoptr (GMatchInfo) match = NULL;
  GRegex *regex = get_regex (INPUTS_PATTERN);

  if (regex == NULL || !g_regex_match (regex, parse->text, 0, &match))
    return;
  for (guint n = 0; g_match_info_matches (match) && n < MAX_NAMES; n++)
    {
      g_autofree char *list = g_match_info_fetch_named (match, "i");
      g_auto (GStrv) names = g_strsplit (list, ",", MAX_NAMES);

      for (guint i = 0; names[i] != NULL; i++)
        take_name (parse, g_strstrip (names[i]));
      g_match_info_next (match, NULL);
    }
}

/* --- The known errors --- */

/* Puts into @form what the groups of a match say: {n} in quotes where it is a name, {x} as it is, and
 * {x:more} gives more where x is not empty. */
static char *
fill_form (const char *form,
           GMatchInfo *match)
{
  GString *text = g_string_new (NULL);

  for (const char *p = form; *p != '\0'; p++)
    {
      const char *end = *p == '{' ? strchr (p, '}') : NULL;
      char group[2] = { *p == '{' ? p[1] : '\0', '\0' };
      g_autofree char *value = NULL;

      if (end == NULL || (p + 2 != end && p[2] != ':'))
        {
          g_string_append_c (text, *p);
          continue;
        }
      value = strchr ("xys", group[0]) != NULL ? fetch_group (match, group) : fetch_name (match, group);
      if (p[2] == ':')
        g_string_append_len (text, p + 3, value != NULL ? end - p - 3 : 0);
      else if (value != NULL && strchr ("xys", group[0]) != NULL)
        g_string_append (text, value);
      else if (value != NULL)
        g_string_append_printf (text, "“%s”", value);
      else
        g_string_append (text, "it");
      p = end;
    }
  return g_string_free (text, FALSE);
}

/* The whole line that @position lies in, on one line for a person. */
static char *
dup_line (const char *text,
          gsize       position)
{
  const char *begin = text + position;
  const char *end;

  while (begin > text && begin[-1] != '\n')
    begin--;
  end = strchr (text + position, '\n');
  if (end == NULL)
    end = text + strlen (text);
  while (begin < end && g_ascii_isspace (*begin))
    begin++;
  return flow_escape_display (begin, end - begin, MAX_MESSAGE_CHARS);
}

/* Fills in what a match of @row says; its names are taken when it is their turn. */
static void
take_row (Parse              *parse,
          const FlowErrorRow *row,
          GMatchInfo         *match)
{
  FlowErrorText *out = parse->out;
  int begin = 0;

  g_match_info_fetch_pos (match, 0, &begin, NULL);
  out->id = row->id;
  out->code = row->code;
  out->message = dup_line (parse->text, (gsize) begin);
  out->tensor = fetch_name (match, "t");
  out->variable = fetch_name (match, "v");
  out->key = fetch_name (match, "k");
  out->file = fetch_name (match, "f");
  out->op_type = fetch_group (match, "o");
  out->meaning = fill_form (row->meaning, match);
  out->advice = fill_form (row->advice, match);
}

static const FlowErrorRow *
find_row (Parse       *parse,
          GMatchInfo **match)
{
  for (guint i = 0; i < _flow_n_error_rows; i++)
    {
      GRegex *regex = get_regex (_flow_error_rows[i].pattern);

      if (regex != NULL && g_regex_match (regex, parse->text, 0, match))
        return &_flow_error_rows[i];
      g_clear_pointer (match, g_match_info_unref);
    }
  return NULL;
}

/* "InvalidArgumentError" of Python, "Invalid argument: " of 1.x, "INVALID_ARGUMENT: " of 2.x. */
static int
find_code (const char *text)
{
  for (int code = 1; code <= FLOW_ERROR_UNAUTHENTICATED; code++)
    {
      const char *name = flow_error_code_name (code);
      const char *title = flow_error_code_title (code);
      g_autofree char *spelled = g_strdup_printf ("%s: ", name);
      g_autofree char *prose = g_strdup_printf ("%s: ", title);
      g_autoptr (GString) class_name = g_string_new (NULL);

      for (const char *p = name; *p != '\0'; p++)
        if (*p != '_')
          g_string_append_c (class_name, p == name || p[-1] == '_' ? *p : g_ascii_tolower (*p));
      g_string_append (class_name, "Error");
      if (strstr (text, class_name->str) != NULL || strstr (text, spelled) != NULL || strstr (text, prose) != NULL)
        return code;
    }
  return 0;
}

/* --- Any text --- */

/* Last of all: words that happen to be names. Those with a scope or an output are surely meant as such. */
static void
take_words (Parse *parse)
{
  g_auto (GStrv) words = g_strsplit_set (parse->text, " \t\n'\"`{}[](),;=<>", -1);

  if (parse->graph == NULL)
    return;
  for (guint pass = 0; pass < 2 && parse->out->place == NULL; pass++)
    for (guint i = 0; words[i] != NULL && parse->out->place == NULL; i++)
      {
        trim_name (words[i]);
        if ((strpbrk (words[i], "/:") != NULL) != (pass == 0) || strlen (words[i]) < MIN_WORD_CHARS)
          continue;
        if (flow_graph_find_op (parse->graph, words[i]) != FLOW_NODE_NONE ||
            flow_graph_find_scope (parse->graph, words[i]) != FLOW_SCOPE_NONE)
          take_name (parse, words[i]);
      }
}

static char *
prepare (const char *text)
{
  gsize length = strlen (text);

  if (length > MAX_TEXT_BYTES)
    text += length - MAX_TEXT_BYTES;
  return g_utf8_make_valid (text, -1);
}

/* The first line that is not part of a traceback. */
static char *
dup_first_line (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    if (lines[i][0] != '\0' && !g_ascii_isspace (lines[i][0]) && !g_str_has_prefix (lines[i], "Traceback"))
      return flow_escape_display (lines[i], -1, MAX_MESSAGE_CHARS);
  return flow_escape_display (text, -1, MAX_MESSAGE_CHARS);
}

static void
take_row_names (Parse *parse)
{
  FlowErrorText *out = parse->out;

  take_name (parse, out->variable);
  take_name (parse, out->tensor);
  if (out->key != NULL && parse->graph != NULL && flow_graph_find_op (parse->graph, out->key) != FLOW_NODE_NONE)
    {
      take_name (parse, out->key);
      if (out->variable == NULL)
        out->variable = g_strdup (out->key);
    }
}

/* Of an op that writes a variable by reference, the variable. */
static void
find_written_variable (Parse *parse)
{
  FlowErrorText *out = parse->out;
  FlowEndpoint source = { FLOW_NODE_NONE, 0 };
  guint32 node;

  if (out->variable != NULL || out->place == NULL || parse->graph == NULL)
    return;
  if (g_strcmp0 (out->id, "assign-shape") != 0 && g_strcmp0 (out->id, "update-shape") != 0)
    return;
  node = flow_graph_find_node (parse->graph, out->place);
  if (node == FLOW_NODE_NONE || flow_graph_get_n_inputs (parse->graph, node) == 0)
    return;
  flow_graph_get_input (parse->graph, node, 0, &source);
  if (source.node == FLOW_NODE_NONE)
    return;
  out->variable = g_strdup (flow_graph_get_node_name (parse->graph, source.node));
  add_name (parse->nodes, out->variable);
}

static char **
end_names (GPtrArray *names)
{
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

/**
 * flow_error_text_parse:
 * @graph: (nullable): the graph to find names in
 * @text: what a program printed: a message, or a whole traceback around it; any bytes
 *
 * Understands the errors of TensorFlow 0.x to 2.x: which node, tensor, variable or checkpoint key they are
 * about, and what is to be done. A name alone is understood too: `a/b`, `a/b:0`, `^a/b` or a scope.
 *
 * Returns: (transfer full): what could be read from it; what it does not say is %NULL
 */
FlowErrorText *
flow_error_text_parse (FlowGraph  *graph,
                       const char *text)
{
  g_autoptr (FlowErrorText) out = NULL;
  g_autoptr (GMatchInfo) match = NULL;
  g_autofree char *valid = NULL;
  const FlowErrorRow *row;
  Parse parse;

  g_return_val_if_fail (graph == NULL || FLOW_IS_GRAPH (graph), NULL);
  g_return_val_if_fail (text != NULL, NULL);

  valid = g_strstrip (prepare (text));
  out = g_new0 (FlowErrorText, 1);
  parse = (Parse) { graph, valid, out, g_ptr_array_new_with_free_func (g_free),
                    g_ptr_array_new_with_free_func (g_free) };

  row = find_row (&parse, &match);
  if (row != NULL)
    take_row (&parse, row, match);
  else
    out->message = dup_first_line (valid);
  if (out->code == 0)
    out->code = find_code (valid);
  if (row == NULL && graph != NULL && strpbrk (valid, " \t\n") == NULL)
    take_name (&parse, valid);
  for (guint i = 0; i < G_N_ELEMENTS (node_patterns); i++)
    take_matches (&parse, node_patterns[i]);
  if (row != NULL)
    {
      g_autofree char *node = fetch_name (match, "n");

      take_name (&parse, node);
    }
  take_row_names (&parse);
  for (guint i = 0; i < G_N_ELEMENTS (other_patterns); i++)
    take_matches (&parse, other_patterns[i]);
  take_inputs (&parse);
  if (out->place == NULL)
    take_words (&parse);
  find_written_variable (&parse);
  out->nodes = end_names (parse.nodes);
  out->missing = end_names (parse.missing);
  return g_steal_pointer (&out);
}

/**
 * flow_error_text_copy:
 * @self: what an error says
 *
 * Returns: (transfer full): a copy
 */
FlowErrorText *
flow_error_text_copy (const FlowErrorText *self)
{
  FlowErrorText *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = g_new0 (FlowErrorText, 1);
  copy->id = self->id;
  copy->code = self->code;
  copy->message = g_strdup (self->message);
  copy->place = g_strdup (self->place);
  copy->nodes = g_strdupv (self->nodes);
  copy->missing = g_strdupv (self->missing);
  copy->op_type = g_strdup (self->op_type);
  copy->tensor = g_strdup (self->tensor);
  copy->variable = g_strdup (self->variable);
  copy->key = g_strdup (self->key);
  copy->file = g_strdup (self->file);
  copy->meaning = g_strdup (self->meaning);
  copy->advice = g_strdup (self->advice);
  return copy;
}

/**
 * flow_error_text_free:
 * @self: (transfer full): what an error says
 */
void
flow_error_text_free (FlowErrorText *self)
{
  g_free (self->message);
  g_free (self->place);
  g_strfreev (self->nodes);
  g_strfreev (self->missing);
  g_free (self->op_type);
  g_free (self->tensor);
  g_free (self->variable);
  g_free (self->key);
  g_free (self->file);
  g_free (self->meaning);
  g_free (self->advice);
  g_free (self);
}
