/* flow-session-checkpoint.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-run-list.h"
#include "flow-session-private.h"

#include "flow-bundle-writer.h"
#include "flow-checkpoint.h"
#include "flow-collection.h"

#include <errno.h>
#include <string.h>

/* Restoring by variable name, without the graph's own ops: also for graphs that came without a Saver. */

/**
 * flow_restored_free: (skip)
 * @self: (transfer full) (nullable): what was restored
 */
void
flow_restored_free (FlowRestored *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_clear_pointer (&self->before, flow_tensor_unref);
  g_clear_pointer (&self->after, flow_tensor_unref);
  g_free (self);
}

static const char *
stored_name (const char        *name,
             const char *const *map_new,
             const char *const *map_old)
{
  for (guint i = 0; map_new != NULL && map_new[i] != NULL; i++)
    if (strcmp (map_new[i], name) == 0)
      return map_old[i];
  return name;
}

/* Names of the graph's variables, each once, in the order of their nodes. */
static GPtrArray *
list_names (FlowSession *self)
{
  FlowGraph *graph = flow_session_get_graph (self);
  g_autoptr(GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  for (guint32 node = 0; node < flow_graph_get_n_nodes (graph); node++)
    {
      g_autofree char *name = NULL;

      if (!flow_session_is_variable_node (self, node))
        continue;
      name = flow_session_get_variable_name (self, node);
      if (g_hash_table_contains (seen, name))
        continue;
      g_hash_table_add (seen, name);
      g_ptr_array_add (names, g_steal_pointer (&name));
    }
  return names;
}

/* A part of a partitioned variable stands in a checkpoint under the whole's name. */
typedef struct {
  char *full_name;
  char *spec;
} Part;

static void
part_free (gpointer data)
{
  Part *self = data;

  g_free (self->full_name);
  g_free (self->spec);
  g_free (self);
}

/* Names of the variables that are parts, with which part they are: collections say it. */
static GHashTable *
list_parts (FlowSession *self)
{
  FlowGraph *graph = flow_session_get_graph (self);
  GHashTable *parts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, part_free);

  for (guint i = 0; i < flow_graph_get_n_collections (graph); i++)
    {
      GPtrArray *items = flow_graph_get_collection (graph, flow_graph_get_collection_key (graph, i));

      for (guint k = 0; k < items->len; k++)
        {
          const FlowCollectionItem *item = g_ptr_array_index (items, k);
          const char *tensor = item->kind == FLOW_COLLECTION_VARIABLE ? flow_collection_item_get_text (item, "variable_name")
                                                                      : NULL;
          Part part = { NULL, NULL };

          if (tensor == NULL)
            continue;
          part.spec = flow_collection_item_dup_slice (item, &part.full_name);
          if (part.spec != NULL)
            g_hash_table_insert (parts, g_strndup (tensor, strcspn (tensor, ":")), g_memdup2 (&part, sizeof part));
        }
    }
  return parts;
}

static gboolean
is_asked_for (const char        *name,
              const char *const *map_new,
              const char *const *only)
{
  return (only != NULL && g_strv_contains (only, name)) || (map_new != NULL && g_strv_contains (map_new, name));
}

static FlowRestored *
read_one (FlowSession    *self,
          FlowCheckpoint *checkpoint,
          const char     *name,
          const char     *stored,
          const char     *spec,
          GError        **error)
{
  FlowTensor *value = flow_checkpoint_read_slice (checkpoint, stored, spec, flow_session_get_budget (self), error);
  FlowRestored *restored = NULL;

  if (value == NULL)
    return NULL;
  restored = g_new0 (FlowRestored, 1);
  restored->name = g_strdup (name);
  restored->before = flow_session_dup_variable (self, name);
  restored->after = value;
  return restored;
}

/* Whether each value fits its variable: all that do not are named, in the words of the op that restores. */
static gboolean
check_fit (FlowSession *self,
           GPtrArray   *read,
           GError     **error)
{
  g_autoptr(GString) problems = g_string_new (NULL);

  for (guint i = 0; i < read->len; i++)
    {
      FlowRestored *one = g_ptr_array_index (read, i);
      g_autoptr(GError) problem = NULL;

      if (!_flow_session_fits_variable (self, one->name, one->after, &problem))
        g_string_append_printf (problems, "%s%s", problems->len > 0 ? "\n" : "", problem->message);
    }
  FLOW_REQUIRE (problems->len == 0, error, INVALID_ARGUMENT, "%s", problems->str);
  return TRUE;
}

/**
 * flow_session_restore_checkpoint: (skip)
 * @self: a session
 * @prefix: a checkpoint, by its prefix or any of its files
 * @map_new: (nullable): names in the graph
 * @map_old: (nullable): beside them, names in the checkpoint
 * @only: (nullable): the variables to restore; %NULL for all that the checkpoint has
 * @restored: (nullable): gets a #FlowRestored for each
 * @error: return location
 *
 * Reads everything, and sees that it fits, before it assigns anything: all or nothing. Undoable. What was asked
 * for by name and is not there, or is of another dtype or shape, fails in TensorFlow's words; other variables
 * that the checkpoint lacks stay as they are.
 *
 * Returns: whether all was restored
 */
gboolean
flow_session_restore_checkpoint (FlowSession       *self,
                                 const char        *prefix,
                                 const char *const *map_new,
                                 const char *const *map_old,
                                 const char *const *only,
                                 GPtrArray         *restored,
                                 GError           **error)
{
  g_autoptr(FlowCheckpoint) checkpoint = flow_checkpoint_open_to_restore (prefix, error);
  g_autoptr(GPtrArray) names = NULL;
  g_autoptr(GPtrArray) read = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_restored_free);
  g_autoptr(GHashTable) parts = NULL;

  if (checkpoint == NULL)
    return FALSE;
  parts = list_parts (self);
  names = list_names (self);
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      const char *stored = stored_name (name, map_new, map_old);
      FlowCheckpointTensor *found = NULL;
      FlowRestored *one = NULL;
      const Part *part = g_hash_table_lookup (parts, name);
      const char *spec = NULL;

      if (only != NULL && only[0] != NULL && !g_strv_contains (only, name))
        continue;
      found = flow_checkpoint_find (checkpoint, stored);
      if (found == NULL && part != NULL && strcmp (stored, name) == 0)
        {
          stored = part->full_name;
          spec = part->spec;
          found = flow_checkpoint_find (checkpoint, stored);
        }
      if (found == NULL && !is_asked_for (name, map_new, only))
        continue;
      FLOW_REQUIRE (found != NULL, error, NOT_FOUND, "Key %s not found in checkpoint", stored);
      one = read_one (self, checkpoint, name, stored, spec, error);
      if (one == NULL)
        return FALSE;
      g_ptr_array_add (read, one);
    }
  for (guint i = 0; only != NULL && only[i] != NULL; i++)
    FLOW_REQUIRE (flow_session_find_variable_node (self, only[i]) != FLOW_NODE_NONE, error, NOT_FOUND,
                  "The graph has no variable %s", only[i]);
  if (!check_fit (self, read, error))
    return FALSE;
  for (guint i = 0; i < read->len; i++)
    {
      FlowRestored *one = g_ptr_array_index (read, i);

      if (!flow_session_set_variable (self, one->name, one->after, error))
        return FALSE;
    }
  _flow_session_set_restored_from (self, prefix);
  while (restored != NULL && read->len > 0)
    g_ptr_array_add (restored, g_ptr_array_steal_index (read, 0));
  return TRUE;
}

/**
 * flow_session_save_checkpoint: (skip)
 * @self: a session
 * @prefix: what the names of its files begin with
 * @error: return location
 *
 * Saves every variable that has a value, by name: whole or not at all.
 *
 * Returns: whether it was saved
 */
gboolean
flow_session_save_checkpoint (FlowSession *self,
                              const char  *prefix,
                              GError     **error)
{
  g_autoptr(FlowBundleWriter) writer = NULL;
  g_auto(GStrv) names = flow_session_list_variables (self);
  g_autoptr(GHashTable) parts = NULL;

  /* Who names a folder means files in it: those that begin with its name would stand beside it, or be hidden. */
  if (g_str_has_suffix (prefix, "/") || g_file_test (prefix, G_FILE_TEST_IS_DIR))
    {
      flow_error_set_from_errno (error, EISDIR, prefix);
      return FALSE;
    }
  writer = flow_bundle_writer_new (prefix, error);
  if (writer == NULL)
    return FALSE;
  parts = list_parts (self);
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr(FlowTensor) value = flow_session_dup_variable (self, names[i]);
      const Part *part = g_hash_table_lookup (parts, names[i]);

      if (value != NULL
          && !flow_bundle_writer_add_slice (writer, part != NULL ? part->full_name : names[i],
                                            part != NULL ? part->spec : NULL, value, error))
        return FALSE;
    }
  return flow_bundle_writer_finish (writer, error);
}
