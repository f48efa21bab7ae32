/* flow-graph-text.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "flow-graph-text.h"

#include <string.h>

static FlowAttr *
parse_value (const char *text)
{
  gsize length = strlen (text);
  int dtype = flow_dtype_from_string (text);

  if (dtype != FLOW_DTYPE_INVALID)
    return flow_attr_new_type (dtype);
  if (strcmp (text, "true") == 0 || strcmp (text, "false") == 0)
    return flow_attr_new_bool (text[0] == 't');
  if (length >= 2 && text[0] == '\'')
    return flow_attr_new_string (text + 1, (gssize) length - 2);
  if (strcmp (text, "()") == 0 || strcmp (text, "?") == 0 || strchr (text, 'x') != NULL)
    {
      g_autoptr (FlowShape) shape = NULL;
      g_auto (GStrv) dims = g_strsplit (text, "x", -1);

      if (text[0] == '(')
        shape = flow_shape_new_scalar ();
      else if (strcmp (text, "?") == 0)
        shape = flow_shape_new_unknown ();
      else
        {
          shape = flow_shape_new_of_rank ((int) g_strv_length (dims));
          for (int i = 0; dims[i] != NULL; i++)
            shape->dims[i] = dims[i][0] == '?' ? -1 : g_ascii_strtoll (dims[i], NULL, 10);
        }
      return flow_attr_new_shape (shape);
    }
  return flow_attr_new_int (g_ascii_strtoll (text, NULL, 10));
}

static char **
split_list (char *text)
{
  char **parts = g_strsplit (text, ",", -1);
  guint n = 0;

  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_strstrip (parts[i]);
      if (*parts[i] == '\0')
        g_free (parts[i]);
      else
        parts[n++] = parts[i];
    }
  parts[n] = NULL;
  return parts;
}

typedef struct {
  FlowNodeDef def;
  char *name;
  char *op;
  char **inputs;
} Line;

static void
line_clear (gpointer data)
{
  Line *line = data;

  g_free (line->name);
  g_free (line->op);
  g_strfreev (line->inputs);
  flow_attr_list_unref (line->def.attrs);
}

static void
parse_line (char *text,
            Line *line)
{
  char *equals = strchr (text, '=');
  char *open = strchr (equals, '(');
  char *close = strchr (open, ')');
  char *attrs = strchr (close, '[');

  *equals = *open = *close = '\0';
  line->name = g_strdup (g_strstrip (text));
  line->op = g_strdup (g_strstrip (equals + 1));
  line->inputs = split_list (open + 1);
  line->def.attrs = flow_attr_list_new ();
  if (attrs != NULL)
    {
      g_auto (GStrv) pairs = NULL;

      *strrchr (attrs, ']') = '\0';
      pairs = split_list (attrs + 1);
      for (guint i = 0; pairs[i] != NULL; i++)
        {
          char *sign = strchr (pairs[i], '=');
          g_autoptr (FlowAttr) value = NULL;

          *sign = '\0';
          value = parse_value (sign + 1);
          flow_attr_list_set (line->def.attrs, pairs[i], value);
        }
    }
  line->def.name = line->name;
  line->def.name_length = strlen (line->name);
  line->def.op = line->op;
  line->def.inputs = (const char *const *) line->inputs;
  line->def.n_inputs = g_strv_length (line->inputs);
  line->def.offset = -1;
}

gboolean
flow_graph_add_text (FlowGraph   *graph,
                     const char  *text,
                     GPtrArray   *problems,
                     GError     **error)
{
  g_auto (GStrv) rows = g_strsplit (text, "\n", -1);
  g_autoptr (GArray) lines = g_array_new (FALSE, TRUE, sizeof (Line));
  g_autoptr (GArray) defs = g_array_new (FALSE, TRUE, sizeof (FlowNodeDef));

  g_array_set_clear_func (lines, line_clear);
  for (guint i = 0; rows[i] != NULL; i++)
    {
      Line line = { 0 };

      if (strchr (rows[i], '=') == NULL)
        continue;
      parse_line (rows[i], &line);
      g_array_append_val (lines, line);
    }
  for (guint i = 0; i < lines->len; i++)
    g_array_append_val (defs, g_array_index (lines, Line, i).def);
  return flow_graph_import (graph, (const FlowNodeDef *) (gpointer) defs->data, defs->len, problems, error);
}

FlowGraph *
flow_graph_from_text (const char  *text,
                      GPtrArray   *problems,
                      GError     **error)
{
  g_autoptr (FlowGraph) graph = flow_graph_new ();

  return flow_graph_add_text (graph, text, problems, error) ? g_steal_pointer (&graph) : NULL;
}
