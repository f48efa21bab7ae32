/* flow-overview-census.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-overview-census.h"

#include <glib/gi18n.h>
#include <string.h>

#include "flow-format.h"

/* Of so many results none is what the graph is for. */
#define MAX_RESULTS 60
/* Types of ops that are named. */
#define MAX_TYPES 8

static void
count_variable (FlowCensus *self,
                FlowGraph  *graph,
                guint32     node)
{
  FlowAttr *attr = flow_graph_get_attr (graph, node, "shape");
  FlowShape *shape = attr != NULL && flow_attr_get_kind (attr) == FLOW_ATTR_SHAPE && !flow_attr_is_list (attr)
                     ? flow_attr_get_shape (attr) : NULL;
  gint64 n = 0;

  self->n_variables++;
  if (shape == NULL || !flow_shape_n_elements (shape, &n))
    self->n_unknown++;
  else
    self->n_parameters += (guint64) n;
}

/* Returns: (transfer full): a byte per node */
static guint8 *
find_read (FlowGraph *graph)
{
  guint8 *is_read = g_new0 (guint8, (gsize) flow_graph_get_n_nodes (graph) + 1);

  for (guint32 i = 0; i < flow_graph_get_n_nodes (graph); i++)
    for (guint k = 0; k < flow_graph_get_n_inputs (graph, i); k++)
      {
        FlowEndpoint source = { FLOW_NODE_NONE, 0 };

        flow_graph_get_input (graph, i, k, &source);
        if (source.node < flow_graph_get_n_nodes (graph))
          is_read[source.node] = TRUE;
      }
  return is_read;
}

static gboolean
matches_any (const char        *text,
             const char *const *parts)
{
  for (guint i = 0; parts[i] != NULL; i++)
    if (strstr (text, parts[i]) != NULL)
      return TRUE;
  return FALSE;
}

/* What a graph is for: values that are made and not read. Not those that only stand there, that are
 * written to variables, or that belong to saving, to initialisers and to gradients. */
static gboolean
is_result (FlowGraph  *graph,
           guint32     node,
           const char *type)
{
  static const char *const types[] = { "Const", "Placeholder", "Assign", "Scatter", "Apply", "Summary", "Save", "Restore",
                                       "Initialized", "ReadVariable", "Switch", "Assert", "Queue", "Iterator", "Shape", NULL };
  static const char *const names[] = { "gradients", "/Initializer/", "Initializer_", "/switch_t", "/switch_f", "/pred_id", "ssert", "/shape", NULL };
  const char *name = flow_graph_get_node_name (graph, node);

  return flow_graph_get_n_outputs (graph, node) > 0 && !flow_is_variable_type (type) && !matches_any (type, types) &&
         !matches_any (name, names) && !g_str_has_prefix (name, "save") && !g_str_has_suffix (name, "/read");
}

static void
count_types (FlowCensus *self,
             GHashTable *by_pointer)
{
  GHashTableIter iter;
  gpointer type = NULL;
  gpointer n = NULL;

  g_hash_table_iter_init (&iter, by_pointer);
  while (g_hash_table_iter_next (&iter, &type, &n))
    {
      guint so_far = GPOINTER_TO_UINT (g_hash_table_lookup (self->types, type));

      g_hash_table_insert (self->types, type, GUINT_TO_POINTER (so_far + GPOINTER_TO_UINT (n)));
    }
}

static guint
count_slashes (const char *name)
{
  guint n = 0;

  while ((name = strchr (name, '/')) != NULL)
    {
      name++;
      n++;
    }
  return n;
}

static int
compare_results (gconstpointer a,
                 gconstpointer b,
                 gpointer      graph)
{
  guint32 x = *(const guint32 *) a;
  guint32 y = *(const guint32 *) b;
  guint n = count_slashes (flow_graph_get_node_name (graph, x));
  guint m = count_slashes (flow_graph_get_node_name (graph, y));

  return n != m ? (n > m) - (n < m) : (x < y) - (x > y);
}

/* The strings of types are the graph's. May be called on any thread while nothing changes @graph. */
FlowCensus *
flow_census_take (FlowGraph *graph)
{
  FlowCensus *self = g_new0 (FlowCensus, 1);
  g_autofree guint8 *is_read = find_read (graph);
  /* Nodes of a type mostly share its name: they are counted by where that lies, and then by what it says. */
  g_autoptr(GHashTable) by_pointer = g_hash_table_new (NULL, NULL);

  self->inputs = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->results = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->types = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint32 i = 0; i < flow_graph_get_n_nodes (graph); i++)
    {
      const char *type = flow_graph_get_node_type (graph, i);
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (by_pointer, type));

      g_hash_table_insert (by_pointer, (gpointer) type, GUINT_TO_POINTER (n + 1));
      if (type[0] == 'V' && flow_is_variable_type (type))
        count_variable (self, graph, i);
      else if (type[0] == 'P' && g_str_has_prefix (type, "Placeholder"))
        g_array_append_val (self->inputs, i);
      else if (!is_read[i] && self->results->len <= MAX_RESULTS && is_result (graph, i, type))
        g_array_append_val (self->results, i);
    }
  count_types (self, by_pointer);
  if (self->results->len > MAX_RESULTS)
    g_array_set_size (self->results, 0);
  /* What the whole is for stands outermost, and mostly last. */
  g_array_sort_with_data (self->results, compare_results, graph);
  return self;
}

/* --- of a scope ------------------------------------------------------------------------------------- */

static gboolean
is_inside (FlowGraph *graph,
           guint32    node,
           guint32    scope)
{
  guint depth = flow_graph_get_scope_depth (graph, scope);
  guint32 at = flow_graph_get_node_scope (graph, node);

  while (flow_graph_get_scope_depth (graph, at) > depth)
    at = flow_graph_get_scope_parent (graph, at);
  return at == scope || flow_graph_get_scope_own_node (graph, scope) == node;
}

static void
add_once (GArray       *endpoints,
          GHashTable   *seen,
          FlowEndpoint  endpoint)
{
  gint64 key = (gint64) endpoint.node << 32 | (guint32) endpoint.slot;

  if (g_hash_table_contains (seen, &key))
    return;
  g_hash_table_add (seen, g_memdup2 (&key, sizeof key));
  g_array_append_val (endpoints, endpoint);
}

static void
count_member (FlowCensus *self,
              FlowGraph  *graph,
              guint32     node,
              guint32     scope,
              GHashTable *seen,
              GArray     *for_gradients)
{
  const char *type = flow_graph_get_node_type (graph, node);
  gboolean is_variable = flow_is_variable_type (type) && flow_graph_get_n_outputs (graph, node) > 0;
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (self->types, type));

  g_hash_table_insert (self->types, (gpointer) type, GUINT_TO_POINTER (n + 1));
  for (guint i = 0; i < flow_graph_get_n_inputs (graph, node); i++)
    {
      FlowEndpoint source = { FLOW_NODE_NONE, 0 };

      flow_graph_get_input (graph, node, i, &source);
      if (source.node < flow_graph_get_n_nodes (graph) && source.slot >= 0
          && (guint) source.slot < flow_graph_get_n_outputs (graph, source.node) && !is_inside (graph, source.node, scope))
        add_once (self->entering, seen, source);
    }
  /* A variable is named as one. */
  for (guint i = 0; !is_variable && i < flow_graph_get_n_out_edges (graph, node); i++)
    {
      FlowEndpoint output = { node, 0 };
      guint32 reader = FLOW_NODE_NONE;
      gint32 input = 0;

      flow_graph_get_out_edge (graph, node, i, &output.slot, &reader, &input);
      if (output.slot < 0 || (guint) output.slot >= flow_graph_get_n_outputs (graph, node) || is_inside (graph, reader, scope))
        continue;
      /* What only gradients read is not what the scope is for: nearly all of it is read by them. */
      if (strstr (flow_graph_get_node_name (graph, reader), "gradients") == NULL)
        add_once (self->leaving, seen, output);
      else
        g_array_append_val (for_gradients, output);
    }
  /* Nor is what the scope is for read by anybody, mostly. */
  if (flow_graph_get_n_out_edges (graph, node) == 0 && is_result (graph, node, type))
    {
      FlowEndpoint result = { node, 0 };

      add_once (self->leaving, seen, result);
    }
  if (is_variable)
    {
      FlowEndpoint variable = { node, 0 };

      count_variable (self, graph, node);
      g_array_append_val (self->variables, variable);
    }
}

/* Very large scopes are counted so far. */
#define MAX_MEMBERS 50000

/*
 * flow_census_take_scope:
 *
 * Returns: (transfer full): of the ops in @scope and in the scopes in it: how many of which type, what crosses the
 *   scope's border, its variables
 */
FlowCensus *
flow_census_take_scope (FlowGraph *graph,
                        guint32    scope)
{
  FlowCensus *self = g_new0 (FlowCensus, 1);
  g_autoptr(GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr(GArray) scopes = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr(GArray) for_gradients = g_array_new (FALSE, FALSE, sizeof (FlowEndpoint));
  guint n = 0;

  self->inputs = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->results = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->types = g_hash_table_new (g_str_hash, g_str_equal);
  self->entering = g_array_new (FALSE, FALSE, sizeof (FlowEndpoint));
  self->leaving = g_array_new (FALSE, FALSE, sizeof (FlowEndpoint));
  self->variables = g_array_new (FALSE, FALSE, sizeof (FlowEndpoint));
  g_array_append_val (scopes, scope);
  if (flow_graph_get_scope_own_node (graph, scope) != FLOW_NODE_NONE)
    count_member (self, graph, flow_graph_get_scope_own_node (graph, scope), scope, seen, for_gradients);
  for (guint s = 0; s < scopes->len && n < MAX_MEMBERS; s++)
    {
      guint32 at = g_array_index (scopes, guint32, s);

      for (guint i = 0; i < flow_graph_get_n_scope_nodes (graph, at) && n < MAX_MEMBERS; i++, n++)
        count_member (self, graph, flow_graph_get_scope_node (graph, at, i), scope, seen,
                      for_gradients);
      for (guint i = 0; i < flow_graph_get_n_child_scopes (graph, at); i++)
        {
          guint32 child = flow_graph_get_child_scope (graph, at, i);

          g_array_append_val (scopes, child);
        }
    }
  for (guint i = 0; i < for_gradients->len; i++)
    add_once (self->leaving, seen, g_array_index (for_gradients, FlowEndpoint, i));
  return self;
}

void
flow_census_free (FlowCensus *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->inputs);
  g_array_unref (self->results);
  g_hash_table_unref (self->types);
  g_clear_pointer (&self->entering, g_array_unref);
  g_clear_pointer (&self->leaving, g_array_unref);
  g_clear_pointer (&self->variables, g_array_unref);
  g_free (self);
}

static int
compare_types (gconstpointer a,
               gconstpointer b,
               gpointer      data)
{
  const char *x = *(const char *const *) a;
  const char *y = *(const char *const *) b;
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (data, x));
  guint m = GPOINTER_TO_UINT (g_hash_table_lookup (data, y));

  return n != m ? (n < m ? 1 : -1) : strcmp (x, y);
}

/* Returns: (transfer full): the types there are, the most frequent first */
char *
flow_census_describe_types (const FlowCensus *self)
{
  guint n = 0;
  g_autofree gpointer *types = g_hash_table_get_keys_as_array (self->types, &n);
  GString *line = g_string_new (NULL);

  g_qsort_with_data (types, (int) n, sizeof *types, compare_types, self->types);
  for (guint i = 0; i < MIN (n, MAX_TYPES); i++)
    {
      g_autofree char *count = flow_format_count (GPOINTER_TO_UINT (g_hash_table_lookup (self->types, types[i])));

      /* A count stays on the line of its type. */
      g_string_append_printf (line, "%s%s\u00a0×%s", i > 0 ? " · " : "", (const char *) types[i], count);
    }
  if (n > MAX_TYPES)
    g_string_append_printf (line, ngettext (" · %u other type", " · %u other types", n - MAX_TYPES), n - MAX_TYPES);
  return g_string_free (line, FALSE);
}
