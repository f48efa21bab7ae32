/* flow-colour-modes.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-colour-modes.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "flow-format.h"

/* What a graph can be coloured by: from what the graph says, or from what the engine said of a run. */

/* --- data types ----------------------------------------------------------------------------------- */

/* A few letters for those that are met most; others are written out. */
static const char *
dtype_tag (const char *name)
{
  static const char *const tags[][2] = {
    { "float32", "f32" }, { "float64", "f64" }, { "float16", "f16" }, { "bfloat16", "bf16" }, { "int8", "i8" },
    { "int16", "i16" }, { "int32", "i32" }, { "int64", "i64" }, { "uint8", "u8" }, { "uint16", "u16" },
    { "uint32", "u32" }, { "uint64", "u64" }, { "string", "str" }, { "complex64", "c64" }, { "complex128", "c128" },
    { "resource", "res" }, { "variant", "var" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (tags); i++)
    if (strcmp (tags[i][0], name) == 0)
      return tags[i][1];
  return name;
}

/* What is met in every graph has its colour in every graph. */
static FlowColor
dtype_color (const char *name,
             guint       n_others)
{
  static const char *const first[] = { "float32", "int32", "string", "bool", "int64", "resource", "float64" };

  for (guint i = 0; i < G_N_ELEMENTS (first); i++)
    if (strcmp (first[i], name) == 0)
      return flow_colouring_hue (i);
  return flow_colouring_hue (7 + n_others);
}

/**
 * flow_colours_of_dtypes:
 *
 * Returns: (transfer full): the data type of each op's first output
 */
FlowColouring *
flow_colours_of_dtypes (FlowGraph *graph)
{
  guint n = flow_graph_get_n_nodes (graph);
  FlowColouring *self = flow_colouring_new_classes (n);
  g_autoptr(GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  guint n_others = 0;

  for (guint32 i = 0; i < n; i++)
    {
      const char *name = NULL;
      gpointer klass = NULL;

      if (flow_graph_get_n_outputs (graph, i) == 0)
        continue;
      name = flow_dtype_name (flow_dtype_base (flow_graph_get_output_dtype (graph, i, 0)));
      if (!g_hash_table_lookup_extended (known, name, NULL, &klass))
        {
          FlowColor color = dtype_color (name, n_others);

          n_others += color == flow_colouring_hue (7 + n_others);
          klass = GUINT_TO_POINTER (flow_colouring_add_class (self, color, dtype_tag (name), name));
          g_hash_table_insert (known, (gpointer) name, klass);
        }
      flow_colouring_set_class (self, i, (guint8) GPOINTER_TO_UINT (klass));
    }
  return self;
}

/* --- devices -------------------------------------------------------------------------------------- */

/* `/job:w/task:1/device:GPU:0` is G0: of what kind and which; `/gpu:0` and "/device:GPU:*" likewise. */
static char *
device_tag (const char *device)
{
  g_auto(GStrv) parts = g_strsplit (device, "/", -1);
  g_autofree char *task = NULL;
  char kind = '?';
  char *index = NULL;
  char *tag = NULL;

  for (guint i = 0; parts[i] != NULL; i++)
    {
      const char *part = parts[i];

      if (g_ascii_strncasecmp (part, "task:", 5) == 0)
        task = g_strdup (part + 5);
      if (g_ascii_strncasecmp (part, "device:", 7) == 0)
        part += 7;
      else if (g_ascii_strncasecmp (part, "cpu:", 4) != 0 && g_ascii_strncasecmp (part, "gpu:", 4) != 0)
        continue;
      kind = g_ascii_toupper (part[0]);
      g_free (index);
      index = g_strdup (strchr (part, ':') != NULL ? strchr (part, ':') + 1 : "");
    }
  /* Tasks are told apart only where there are more than the first. */
  if (task != NULL && strcmp (task, "0") != 0)
    tag = g_strdup_printf ("t%s %c%s", task, kind, index != NULL ? index : "");
  else
    tag = g_strdup_printf ("%c%s", kind, index != NULL ? index : "");
  g_free (index);
  return tag;
}

/**
 * flow_colours_of_devices:
 *
 * Returns: (transfer full): the device that each op was given; one that was given none has no colour
 */
FlowColouring *
flow_colours_of_devices (FlowGraph *graph)
{
  guint n = flow_graph_get_n_nodes (graph);
  FlowColouring *self = flow_colouring_new_classes (n);
  g_autoptr(GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr(GPtrArray) names = g_ptr_array_new ();

  for (guint32 i = 0; i < n; i++)
    {
      const char *device = flow_graph_get_node_device (graph, i);

      if (device != NULL && device[0] != '\0' && g_hash_table_add (known, (gpointer) device))
        g_ptr_array_add (names, (gpointer) device);
    }
  /* In the order of their names, so that the same device has the same colour whatever op comes first. */
  g_ptr_array_sort (names, flow_compare_texts);
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *tag = device_tag (names->pdata[i]);
      guint8 klass = flow_colouring_add_class (self, flow_colouring_hue (i), tag, names->pdata[i]);

      g_hash_table_insert (known, names->pdata[i], GUINT_TO_POINTER (klass));
    }
  for (guint32 i = 0; i < n; i++)
    {
      const char *device = flow_graph_get_node_device (graph, i);

      if (device != NULL && device[0] != '\0')
        flow_colouring_set_class (self, i, (guint8) GPOINTER_TO_UINT (g_hash_table_lookup (known, device)));
    }
  return self;
}

/* --- a run ---------------------------------------------------------------------------------------- */

/**
 * flow_colours_of_states:
 * @states: (nullable): a FlowNodeState per node
 *
 * Returns: (transfer full): how far each op is; what is not in the run has no colour
 */
FlowColouring *
flow_colours_of_states (FlowGraph *graph,
                        GBytes    *states)
{
  static const struct {
    FlowNodeState state;
    FlowColor color;
    gboolean has_tag;            /* for those whose colour others have as well */
  } shown[] = {
    { FLOW_NODE_DONE, FLOW_COLOR_DONE, FALSE }, { FLOW_NODE_FED, FLOW_COLOR_DONE, TRUE },
    { FLOW_NODE_STALE, FLOW_COLOR_CONTROL, TRUE }, { FLOW_NODE_NEXT, FLOW_COLOR_NEXT, FALSE },
    { FLOW_NODE_READY, FLOW_COLOR_READY, FALSE }, { FLOW_NODE_WAITING, FLOW_COLOR_NEXT, TRUE },
    { FLOW_NODE_PENDING, FLOW_COLOR_PENDING, FALSE }, { FLOW_NODE_DEAD, FLOW_COLOR_DEAD, TRUE },
    { FLOW_NODE_FAILED, FLOW_COLOR_FAILED, TRUE },
  };
  guint n = flow_graph_get_n_nodes (graph);
  FlowColouring *self = flow_colouring_new_classes (n);
  gsize n_states = 0;
  const guint8 *bytes = states != NULL ? g_bytes_get_data (states, &n_states) : NULL;
  guint8 class_of[FLOW_NODE_STALE + 1];

  memset (class_of, FLOW_COLOUR_NONE, sizeof class_of);
  for (guint i = 0; i < G_N_ELEMENTS (shown); i++)
    {
      const char *title = flow_node_state_title (shown[i].state);

      class_of[shown[i].state] = flow_colouring_add_class (self, shown[i].color, shown[i].has_tag ? title : NULL, title);
    }
  for (guint32 i = 0; i < MIN (n, n_states); i++)
    if (bytes[i] <= FLOW_NODE_STALE)
      flow_colouring_set_class (self, i, class_of[bytes[i]]);
  return self;
}

/**
 * flow_colours_of_stale:
 * @states: (nullable): a FlowNodeState per node
 * @overrides: (nullable): the engine's answer to Overrides
 *
 * Returns: (transfer full): what was replaced, what was computed from what is no more, and what holds
 */
FlowColouring *
flow_colours_of_stale (FlowGraph *graph,
                       GBytes    *states,
                       GVariant  *overrides)
{
  guint n = flow_graph_get_n_nodes (graph);
  FlowColouring *self = flow_colouring_new_classes (n);
  guint8 edited = flow_colouring_add_class (self, FLOW_COLOR_READY, _("replaced"), _("replaced"));
  guint8 stale = flow_colouring_add_class (self, FLOW_COLOR_NEXT, "~", _("stale: from what was replaced since"));
  guint8 holds = flow_colouring_add_class (self, FLOW_COLOR_DONE, NULL, _("as computed"));
  gsize n_states = 0;
  const guint8 *bytes = states != NULL ? g_bytes_get_data (states, &n_states) : NULL;
  g_autoptr(GVariant) names = NULL;

  for (guint32 i = 0; i < MIN (n, n_states); i++)
    if (bytes[i] == FLOW_NODE_STALE)
      flow_colouring_set_class (self, i, stale);
    else if (bytes[i] == FLOW_NODE_DONE || bytes[i] == FLOW_NODE_FED)
      flow_colouring_set_class (self, i, holds);
  if (overrides == NULL || !g_variant_is_of_type (overrides, G_VARIANT_TYPE ("(as)")))
    return self;
  names = g_variant_get_child_value (overrides, 0);
  for (gsize i = 0; i < g_variant_n_children (names); i++)
    {
      const char *name = NULL;
      guint32 node = FLOW_NODE_NONE;

      g_variant_get_child (names, i, "&s", &name);
      node = flow_graph_find_op (graph, name);
      if (node != FLOW_NODE_NONE)
        flow_colouring_set_class (self, node, edited);
    }
  return self;
}

static char *
format_time (double ns)
{
  return flow_format_duration ((guint64) MAX (ns, 0.0));
}

static char *
format_bytes (double bytes)
{
  return flow_format_bytes ((guint64) MAX (bytes, 0.0));
}

/* @column: of (uttt) */
static FlowColouring *
of_costs (FlowGraph        *graph,
          GVariant         *costs,
          guint             column,
          FlowAmountFormat  format)
{
  guint n = flow_graph_get_n_nodes (graph);
  FlowColouring *self = flow_colouring_new_amounts (FLOW_COLOURING_SUM, n, format);
  g_autoptr(GVariant) rows = NULL;

  if (costs != NULL && g_variant_is_of_type (costs, G_VARIANT_TYPE ("(a(uttt))")))
    rows = g_variant_get_child_value (costs, 0);
  for (gsize i = 0; rows != NULL && i < g_variant_n_children (rows); i++)
    {
      guint32 node = 0;
      guint64 amounts[3] = { 0, 0, 0 };

      g_variant_get_child (rows, i, "(uttt)", &node, &amounts[0], &amounts[1], &amounts[2]);
      flow_colouring_set_amount (self, node, (double) amounts[column]);
    }
  flow_colouring_seal (self);
  return self;
}

/**
 * flow_colours_of_times:
 * @costs: (nullable): the engine's answer to Costs
 */
FlowColouring *
flow_colours_of_times (FlowGraph *graph,
                       GVariant  *costs)
{
  return of_costs (graph, costs, 1, format_time);
}

/**
 * flow_colours_of_bytes:
 * @costs: (nullable): the engine's answer to Costs
 */
FlowColouring *
flow_colours_of_bytes (FlowGraph *graph,
                       GVariant  *costs)
{
  return of_costs (graph, costs, 2, format_bytes);
}

/**
 * flow_colours_of_health:
 * @health: (nullable): the engine's answer to Health
 */
FlowColouring *
flow_colours_of_health (FlowGraph *graph,
                        GVariant  *health)
{
  static const struct {
    FlowValueHealth health;
    FlowColor color;
    const char *tag;
    const char *label;
  } shown[] = {
    { FLOW_HEALTH_NAN, FLOW_COLOR_FAILED, "NaN", N_("has a NaN") },
    { FLOW_HEALTH_INF, FLOW_COLOR_NEXT, "Inf", N_("has an infinity") },
    { FLOW_HEALTH_ZERO, FLOW_COLOR_READY, "0", N_("nothing but zeros") },
    { FLOW_HEALTH_DENORMAL, FLOW_COLOR_CONTROL, "tiny", N_("has denormal numbers") },
    { FLOW_HEALTH_SOUND, FLOW_COLOR_DONE, NULL, N_("sound") },
    { FLOW_HEALTH_NOT_LOOKED_AT, FLOW_COLOR_PENDING, "?", N_("too large to look at") },
  };
  guint n = flow_graph_get_n_nodes (graph);
  FlowColouring *self = flow_colouring_new_classes (n);
  guint8 class_of[FLOW_HEALTH_NAN + 1];
  g_autoptr(GVariant) rows = NULL;

  memset (class_of, FLOW_COLOUR_NONE, sizeof class_of);
  for (guint i = 0; i < G_N_ELEMENTS (shown); i++)
    class_of[shown[i].health] = flow_colouring_add_class (self, shown[i].color, shown[i].tag, _(shown[i].label));
  if (health != NULL && g_variant_is_of_type (health, G_VARIANT_TYPE ("(a(uy))")))
    rows = g_variant_get_child_value (health, 0);
  for (gsize i = 0; rows != NULL && i < g_variant_n_children (rows); i++)
    {
      guint32 node = 0;
      guint8 what = 0;

      g_variant_get_child (rows, i, "(uy)", &node, &what);
      if (what < G_N_ELEMENTS (class_of))
        flow_colouring_set_class (self, node, class_of[what]);
    }
  return self;
}

/* --- a file --------------------------------------------------------------------------------------- */

/**
 * flow_colours_of_column:
 * @n_unknown: (out): names that are neither a node nor a scope of this graph
 *
 * Returns: (transfer full): the numbers of a person's file; a group has the greatest of its ops, or its own
 */
FlowColouring *
flow_colours_of_column (FlowGraph               *graph,
                        const FlowOverlayColumn *column,
                        guint                   *n_unknown)
{
  FlowColouring *self = flow_colouring_new_amounts (FLOW_COLOURING_GREATEST, flow_graph_get_n_nodes (graph),
                                                    flow_format_number_compact);

  *n_unknown = 0;
  for (guint i = 0; i < column->names->len; i++)
    {
      const char *name = column->names->pdata[i];
      double value = g_array_index (column->values, double, i);
      guint32 node = flow_graph_find_node (graph, name);
      guint32 scope = flow_graph_find_scope (graph, name);

      if (node != FLOW_NODE_NONE)
        flow_colouring_set_amount (self, node, value);
      if (scope != FLOW_SCOPE_NONE)
        flow_colouring_set_scope_amount (self, name, value);
      if (node == FLOW_NODE_NONE && scope == FLOW_SCOPE_NONE)
        (*n_unknown)++;
    }
  flow_colouring_seal (self);
  return self;
}
