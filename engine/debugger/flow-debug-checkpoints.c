/* flow-debug-checkpoints.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-debug-core-private.h"

#include "flow-checkpoint.h"
#include "flow-checkpoint-match.h"
#include "flow-util.h"

#include <string.h>

/* Restoring with comparison, and what a checkpoint or a Saver leaves out. */

static char *
type_text (int              dtype,
           const FlowShape *shape)
{
  g_autofree char *dims = shape != NULL ? flow_shape_to_string (shape) : g_strdup ("");

  return g_strdup_printf ("%s %s", flow_dtype_name (dtype), dims);
}

/* What a variable wants. The shape of an old `Variable` of rank 0 says nothing. */
static FlowShape *
declared_shape (FlowDebugCore *core,
                guint32        node)
{
  FlowAttr *attr = flow_graph_get_attr (core->graph, node, "shape");
  FlowShape *shape = attr != NULL ? flow_attr_get_shape (attr) : NULL;

  if (shape != NULL && flow_shape_get_rank (shape) == 0
      && strcmp (flow_graph_get_node_type (core->graph, node), "Variable") == 0)
    return NULL;
  return shape;
}

static FlowCheckpointMatch *
match_variables (FlowDebugCore  *core,
                 FlowCheckpoint *checkpoint)
{
  g_autoptr(GArray) nodes = _flow_debug_core_list_variable_nodes (core);
  g_auto(GStrv) names = g_new0 (char *, nodes->len + 1);
  g_autofree int *dtypes = g_new0 (int, nodes->len + 1);
  g_autofree FlowShape **shapes = g_new0 (FlowShape *, nodes->len + 1);

  for (guint i = 0; i < nodes->len; i++)
    {
      guint32 node = g_array_index (nodes, guint32, i);
      FlowAttr *dtype = flow_graph_get_attr (core->graph, node, "dtype");

      names[i] = flow_session_get_variable_name (core->session, node);
      dtypes[i] = dtype != NULL ? flow_attr_get_dtype (dtype) : FLOW_DTYPE_INVALID;
      shapes[i] = declared_shape (core, node);
    }
  return flow_checkpoint_match (checkpoint, (const char *const *) names, dtypes, shapes, nodes->len);
}

static GVariant *
describe_clash (const FlowMatchItem *item)
{
  g_autofree char *mine = type_text (item->graph_dtype, item->graph_shape);
  g_autofree char *stored = type_text (item->file_dtype, item->file_shape);
  GVariantBuilder row;

  g_variant_builder_init (&row, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (&row, "{sv}", "name", g_variant_new_string (item->name));
  g_variant_builder_add (&row, "{sv}", "graph", g_variant_new_string (mine));
  g_variant_builder_add (&row, "{sv}", "file", g_variant_new_string (stored));
  return g_variant_builder_end (&row);
}

static void
add_names (GVariantBuilder     *builder,
           const char          *key,
           FlowCheckpointMatch *match,
           FlowMatchKind        kind)
{
  GVariantBuilder names;

  g_variant_builder_init (&names, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i < flow_checkpoint_match_get_n_items (match); i++)
    {
      const FlowMatchItem *item = flow_checkpoint_match_get_item (match, i);

      if (item->kind == kind)
        g_variant_builder_add (&names, "s", item->name);
    }
  g_variant_builder_add (builder, "{sv}", key, g_variant_builder_end (&names));
}

FlowDebuggerReply *
_flow_core_match_checkpoint (FlowDebugCore *core,
                             GVariant      *arguments,
                             GPtrArray     *tensors,
                             GError       **error)
{
  const char *prefix = NULL;
  g_autoptr(FlowCheckpoint) checkpoint = NULL;
  g_autoptr(FlowCheckpointMatch) match = NULL;
  GVariantBuilder builder;
  GVariantBuilder clashes;
  GVariantBuilder nearest;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  g_variant_get (arguments, "(&s)", &prefix);
  checkpoint = flow_checkpoint_open_to_restore (prefix, error);
  if (checkpoint == NULL)
    return NULL;
  match = match_variables (core, checkpoint);
  g_variant_builder_init (&clashes, G_VARIANT_TYPE ("aa{sv}"));
  g_variant_builder_init (&nearest, G_VARIANT_TYPE ("a{ss}"));
  for (guint i = 0; i < flow_checkpoint_match_get_n_items (match); i++)
    {
      const FlowMatchItem *item = flow_checkpoint_match_get_item (match, i);

      if (item->kind == FLOW_MATCH_CLASH)
        g_variant_builder_add_value (&clashes, describe_clash (item));
      else if (item->kind == FLOW_MATCH_ONLY_GRAPH && item->nearest[0] != NULL)
        g_variant_builder_add (&nearest, "{ss}", item->name, item->nearest[0]);
    }
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{sv}"));
  add_names (&builder, "matched", match, FLOW_MATCH_MATCHED);
  add_names (&builder, "only_graph", match, FLOW_MATCH_ONLY_GRAPH);
  add_names (&builder, "only_file", match, FLOW_MATCH_ONLY_FILE);
  g_variant_builder_add (&builder, "{sv}", "clashes", g_variant_builder_end (&clashes));
  g_variant_builder_add (&builder, "{sv}", "nearest", g_variant_builder_end (&nearest));
  return _flow_reply (g_variant_new ("(@a{sv})", g_variant_builder_end (&builder)));
}

static GVariant *
describe_restored (const FlowRestored *restored)
{
  FlowTolerance exact = { 0, 0, 0 };
  GVariantBuilder row;
  GVariantBuilder stats;

  g_variant_builder_init (&row, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (&row, "{sv}", "name", g_variant_new_string (restored->name));
  g_variant_builder_init (&stats, G_VARIANT_TYPE ("a{sv}"));
  _flow_add_stats (&stats, restored->after);
  g_variant_builder_add (&row, "{sv}", "after", g_variant_builder_end (&stats));
  g_variant_builder_add (&row, "{sv}", "dtype", g_variant_new_string (flow_dtype_name (restored->after->dtype)));
  _flow_add_shape (&row, restored->after->shape);
  g_variant_builder_add (&row, "{sv}", "uninitialized_before", g_variant_new_boolean (restored->before == NULL));
  if (restored->before != NULL)
    {
      g_autoptr(FlowTensorDiff) diff = flow_tensor_compare (restored->after, restored->before, &exact);

      g_variant_builder_init (&stats, G_VARIANT_TYPE ("a{sv}"));
      _flow_add_stats (&stats, restored->before);
      g_variant_builder_add (&row, "{sv}", "before", g_variant_builder_end (&stats));
      g_variant_builder_add (&row, "{sv}", "max_abs", g_variant_new_double (diff->max_abs));
      g_variant_builder_add (&row, "{sv}", "max_rel", g_variant_new_double (diff->max_rel));
      g_variant_builder_add (&row, "{sv}", "changed", g_variant_new_int64 (diff->n_changed));
    }
  else
    g_variant_builder_add (&row, "{sv}", "changed", g_variant_new_int64 (restored->after->n_elements));
  return g_variant_builder_end (&row);
}

/* Restores that lie ahead of where the session stands belong to a story that is told anew. */
static FlowCoreRestore *
note_restore (FlowDebugCore *core,
              const char    *prefix)
{
  FlowCoreRestore *note = g_new0 (FlowCoreRestore, 1);

  note->prefix = g_strdup (prefix);
  note->position = flow_stepper_get_position (core->stepper);
  note->before = _flow_value_table_new ();
  note->after = _flow_value_table_new ();
  return note;
}

FlowDebuggerReply *
_flow_core_restore_checkpoint (FlowDebugCore *core,
                               GVariant      *arguments,
                               GPtrArray     *tensors,
                               GError       **error)
{
  const char *prefix = NULL;
  g_autoptr(GVariantIter) map = NULL;
  g_autofree const char **only = NULL;
  g_autoptr(GPtrArray) map_new = g_ptr_array_new ();
  g_autoptr(GPtrArray) map_old = g_ptr_array_new ();
  g_autoptr(GPtrArray) restored = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_restored_free);
  const char *from = NULL;
  const char *to = NULL;
  FlowCoreRestore *note = NULL;
  GVariantBuilder builder;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  g_variant_get (arguments, "(&sa{ss}^a&s)", &prefix, &map, &only);
  while (g_variant_iter_next (map, "{&s&s}", &to, &from))
    {
      g_ptr_array_add (map_new, (gpointer) to);
      g_ptr_array_add (map_old, (gpointer) from);
    }
  g_ptr_array_add (map_new, NULL);
  g_ptr_array_add (map_old, NULL);
  if (!flow_session_restore_checkpoint (core->session, prefix, (const char *const *) map_new->pdata,
                                        (const char *const *) map_old->pdata, only != NULL && only[0] != NULL ? only : NULL,
                                        restored, error))
    return NULL;
  g_ptr_array_add (core->restores, note_restore (core, prefix));
  note = g_ptr_array_index (core->restores, core->restores->len - 1);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < restored->len; i++)
    {
      FlowRestored *one = g_ptr_array_index (restored, i);

      if (one->before != NULL)
        g_hash_table_insert (note->before, g_strdup (one->name), flow_tensor_ref (one->before));
      g_hash_table_insert (note->after, g_strdup (one->name), flow_tensor_ref (one->after));
      flow_stepper_set_variable (core->stepper, one->name, one->after, NULL);
      g_variant_builder_add_value (&builder, describe_restored (one));
    }
  _flow_debug_core_news (core, FLOW_CORE_CHANGED);
  return _flow_reply (g_variant_new ("(@aa{sv})", g_variant_builder_end (&builder)));
}

FlowDebuggerReply *
_flow_core_save_checkpoint (FlowDebugCore *core,
                            GVariant      *arguments,
                            GPtrArray     *tensors,
                            GError       **error)
{
  const char *prefix = NULL;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  g_variant_get (arguments, "(&s)", &prefix);
  if (!flow_session_save_checkpoint (core->session, prefix, error))
    return NULL;
  return _flow_reply (NULL);
}

/* --- savers ------------------------------------------------------------------------------------------- */

/* The names that an op saves: its constant of tensor names. NULL when they are not constant. */
static FlowTensor *
dup_saved_names (FlowDebugCore *core,
                 guint32        node)
{
  FlowEndpoint source = { 0 };
  FlowAttr *value = NULL;

  if (flow_graph_get_n_inputs (core->graph, node) < 2)
    return NULL;
  flow_graph_get_input (core->graph, node, 1, &source);
  value = flow_graph_get_attr (core->graph, source.node, "value");
  return value != NULL ? flow_attr_dup_tensor (value, NULL) : NULL;
}

static gboolean
is_save (const char *type)
{
  return strcmp (type, "SaveV2") == 0 || strcmp (type, "Save") == 0 || strcmp (type, "SaveSlices") == 0;
}

/* Reads and copies that stand between a variable and what saves it. */
#define MAX_PASSED 8

/* The variable whose value comes in there, or #FLOW_NODE_NONE. */
static guint32
find_saved_variable (FlowDebugCore *core,
                     guint32        node,
                     guint          input)
{
  FlowEndpoint source = { 0 };

  flow_graph_get_input (core->graph, node, input, &source);
  for (guint i = 0; i < MAX_PASSED && source.slot >= 0; i++)
    {
      if (flow_session_is_variable_node (core->session, source.node))
        return source.node;
      if (flow_graph_get_n_inputs (core->graph, source.node) == 0)
        return FLOW_NODE_NONE;
      flow_graph_get_input (core->graph, source.node, 0, &source);
    }
  return FLOW_NODE_NONE;
}

/* What is saved, whatever its name is in the file: a Saver may rename, and parts of a variable share a name. */
static GHashTable *
find_saved_variables (FlowDebugCore *core,
                      guint32        node)
{
  GHashTable *saved = g_hash_table_new (NULL, NULL);

  for (guint i = 2; i < flow_graph_get_n_inputs (core->graph, node); i++)
    g_hash_table_add (saved, GUINT_TO_POINTER (find_saved_variable (core, node, i)));
  return saved;
}

static GVariant *
describe_saver (FlowDebugCore *core,
                guint32        node,
                GArray        *variables)
{
  g_autoptr(FlowTensor) names = dup_saved_names (core, node);
  g_autoptr(GHashTable) saved = find_saved_variables (core, node);
  GVariantBuilder row;
  GVariantBuilder in;
  GVariantBuilder out;

  g_variant_builder_init (&row, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_init (&in, G_VARIANT_TYPE ("as"));
  g_variant_builder_init (&out, G_VARIANT_TYPE ("as"));
  for (gint64 i = 0; names != NULL && names->dtype == FLOW_DTYPE_STRING && i < names->n_elements; i++)
    {
      gsize length = 0;
      const char *text = flow_tensor_get_string (names, i, &length);
      g_autofree char *name = g_utf8_make_valid (text, (gssize) length);

      g_variant_builder_add (&in, "s", name);
    }
  for (guint i = 0; i < variables->len; i++)
    {
      guint32 variable = g_array_index (variables, guint32, i);
      g_autofree char *name = flow_session_get_variable_name (core->session, variable);

      if (!g_hash_table_contains (saved, GUINT_TO_POINTER (variable)))
        g_variant_builder_add (&out, "s", name);
    }
  g_variant_builder_add (&row, "{sv}", "name", g_variant_new_string (flow_graph_get_node_name (core->graph, node)));
  g_variant_builder_add (&row, "{sv}", "node", g_variant_new_uint32 (node));
  g_variant_builder_add (&row, "{sv}", "known", g_variant_new_boolean (names != NULL));
  g_variant_builder_add (&row, "{sv}", "saved", g_variant_builder_end (&in));
  g_variant_builder_add (&row, "{sv}", "left_out", g_variant_builder_end (&out));
  return g_variant_builder_end (&row);
}

/* Per op that saves: the names it saves and the variables of the graph that it leaves out. */
FlowDebuggerReply *
_flow_core_savers (FlowDebugCore *core,
                   GVariant      *arguments,
                   GPtrArray     *tensors,
                   GError       **error)
{
  g_autoptr(GArray) variables = NULL;
  GVariantBuilder builder;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  variables = _flow_debug_core_list_variable_nodes (core);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (guint32 node = 0; node < flow_graph_get_n_nodes (core->graph); node++)
    if (is_save (flow_graph_get_node_type (core->graph, node)))
      g_variant_builder_add_value (&builder, describe_saver (core, node, variables));
  return _flow_reply (g_variant_new ("(@aa{sv})", g_variant_builder_end (&builder)));
}
