/* flow-builder.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder-private.h"

#include <string.h>

/**
 * FlowBuilder:
 *
 * A graph in the making, with the rules by which TensorFlow's Python makes one: names that do not
 * collide, scopes, control dependencies, colocation, devices, and shapes inferred as nodes are added.
 *
 * It keeps nodes of its own, since a graph in the making changes in ways that a #FlowGraph does not:
 * a loop's back edge and control inputs come later than the node. flow_builder_get_graph() hands out
 * what there is, as a session is sent what was added since the last run.
 */
G_DEFINE_FINAL_TYPE (FlowBuilder, flow_builder, G_TYPE_OBJECT)

static void
controller_free (gpointer data)
{
  FlowController *self = data;

  g_array_unref (self->nodes);
  g_hash_table_unref (self->made);
  g_free (self);
}

static void
chain_free (gpointer data)
{
  FlowChain *self = data;

  g_free (self->type);
  g_free (self->name);
  if (self->value != NULL)
    flow_attr_unref (self->value);
  g_free (self);
}

static void
context_free (gpointer data)
{
  _flow_context_free (data);
}

static void
tensor_free (gpointer data)
{
  if (data != NULL)
    flow_tensor_unref (data);
}

static void
node_free (gpointer data)
{
  _flow_build_node_free (data);
}

static void
flow_builder_init (FlowBuilder *self)
{
  self->nodes = g_ptr_array_new_with_free_func (node_free);
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  self->names_in_use = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->frames = _flow_builder_new_frames ();
  self->now.name_scope = g_strdup ("");
  self->now.container = g_strdup ("");
  self->threads = _flow_builder_new_threads ();
  self->producer = FLOW_BUILDER_PRODUCER;
  self->controllers = g_ptr_array_new_with_free_func (controller_free);
  self->chains = g_ptr_array_new_with_free_func (chain_free);
  self->contexts = g_ptr_array_new_with_free_func (context_free);
  _flow_builder_init_maker (self);
  self->gradient_types = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->constants = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, tensor_free);
}

static void
flow_builder_finalize_object (GObject *object)
{
  FlowBuilder *self = FLOW_BUILDER (object);

  flow_builder_commit (self);
  g_hash_table_unref (self->by_name);
  g_hash_table_unref (self->names_in_use);
  g_hash_table_unref (self->constants);
  g_hash_table_unref (self->gradient_types);
  if (self->gradient_notify != NULL)
    self->gradient_notify (self->gradient_data);
  flow_builder_set_source (self, NULL, NULL, NULL, NULL);
  g_hash_table_unref (self->maker.memo);
  g_array_unref (self->frames);
  _flow_surroundings_clear (&self->now);
  g_hash_table_unref (self->threads);
  g_free (self->common);
  g_ptr_array_unref (self->controllers);
  g_ptr_array_unref (self->chains);
  g_ptr_array_unref (self->contexts);
  g_ptr_array_unref (self->nodes);
  g_clear_object (&self->graph);
  g_clear_object (&self->library);
  G_OBJECT_CLASS (flow_builder_parent_class)->finalize (object);
}

static void
flow_builder_class_init (FlowBuilderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = flow_builder_finalize_object;
}

/**
 * flow_builder_new:
 *
 * Returns: (transfer full): an empty graph in the making
 */
FlowBuilder *
flow_builder_new (void)
{
  return g_object_new (FLOW_TYPE_BUILDER, NULL);
}

/* --- Names --- */

gboolean
_flow_builder_is_valid_name (const char *text,
                             gboolean    at_root)
{
  if (at_root && !g_ascii_isalnum (*text) && *text != '.')
    return FALSE;
  for (const char *c = text; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && strchr ("_.-/", *c) == NULL)
      return FALSE;
  return TRUE;
}

static int
count_of (FlowBuilder *self,
          const char  *key)
{
  return GPOINTER_TO_INT (g_hash_table_lookup (self->names_in_use, key));
}

static void
count_name (FlowBuilder *self,
            const char  *key,
            int          before,
            int          count)
{
  if (self->mark != NULL)
    _flow_builder_note_name (self, key, before);
  g_hash_table_insert (self->names_in_use, g_strdup (key), GINT_TO_POINTER (count));
}

/**
 * flow_builder_unique_name:
 * @self: a builder
 * @name: the name asked for, within the current name scope
 * @mark_as_used: whether the answer counts as taken from now on
 *
 * TensorFlow's rule: the first to ask gets the name, the next ones `_1`, `_2`, ...; upper and lower
 * case count as equal, names of ops and of scopes too.
 *
 * Returns: (transfer full): the whole name
 */
char *
flow_builder_unique_name (FlowBuilder *self,
                          const char  *name,
                          gboolean     mark_as_used)
{
  g_autofree char *full = NULL;
  g_autofree char *key = NULL;
  g_autofree char *candidate = NULL;
  int i;

  g_return_val_if_fail (FLOW_IS_BUILDER (self) && name != NULL, NULL);

  full = *self->now.name_scope != '\0' ? g_strconcat (self->now.name_scope, "/", name, NULL) : g_strdup (name);
  key = g_utf8_strdown (full, -1);
  i = count_of (self, key);
  if (mark_as_used)
    count_name (self, key, i, i + 1);
  if (i == 0)
    return g_steal_pointer (&full);
  do
    {
      g_free (candidate);
      candidate = g_strdup_printf ("%s_%d", key, i++);
    }
  while (g_hash_table_contains (self->names_in_use, candidate));
  if (mark_as_used)
    count_name (self, candidate, 0, 1);
  return g_strdup_printf ("%s_%d", full, i - 1);
}

/* --- What stands around the next op --- */

static void
enter (FlowBuilder   *self,
       FlowScopeKind  kind)
{
  FlowSurroundings saved = self->now;

  g_array_append_val (self->frames, saved);
  self->now.kind = kind;
  self->now.name_scope = g_strdup (saved.name_scope);
  self->now.container = g_strdup (saved.container);
  self->now.clears = FALSE;
}

/**
 * flow_builder_leave:
 * @self: a builder
 *
 * Goes back to what stood before the last flow_builder_enter_name_scope() or other enter.
 */
void
flow_builder_leave (FlowBuilder *self)
{
  FlowSurroundings left;
  FlowSurroundings *outer;

  g_return_if_fail (FLOW_IS_BUILDER (self) && self->frames->len > 0);

  left = self->now;
  outer = &g_array_index (self->frames, FlowSurroundings, self->frames->len - 1);
  self->now = *outer;
  outer->name_scope = NULL;
  outer->container = NULL;
  g_array_set_size (self->frames, self->frames->len - 1);
  /* What another thread entered meanwhile stays. */
  if (left.kind != FLOW_SCOPE_CONTROLS)
    self->now.controllers = left.controllers;
  if (left.kind != FLOW_SCOPE_PLACES)
    {
      self->now.devices = left.devices;
      self->now.colocations = left.colocations;
    }
  if (left.kind != FLOW_SCOPE_ATTRS)
    self->now.attrs = left.attrs;
  if (left.kind != FLOW_SCOPE_CONTAINER)
    {
      char *container = self->now.container;

      self->now.container = left.container;
      left.container = container;
    }
  if (!left.clears)
    self->now.context = left.context;
  _flow_surroundings_clear (&left);
}

/**
 * flow_builder_get_depth:
 * @self: a builder
 *
 * Returns: how many enters have not been left
 */
guint
flow_builder_get_depth (FlowBuilder *self)
{
  g_return_val_if_fail (FLOW_IS_BUILDER (self), 0);

  return self->frames->len;
}

/**
 * flow_builder_enter_name_scope:
 * @self: a builder
 * @name: (nullable): a name; with a slash at its end exactly that scope, %NULL or "" the root
 * @error: where to put an error
 *
 * Returns: (transfer full): the scope with a slash at its end, "" for the root; %NULL with
 *   %FLOW_ERROR_INVALID_ARGUMENT, and then nothing was entered
 */
char *
flow_builder_enter_name_scope (FlowBuilder  *self,
                               const char   *name,
                               GError      **error)
{
  char *scope;

  g_return_val_if_fail (FLOW_IS_BUILDER (self), NULL);

  if (name == NULL)
    name = "";
  FLOW_REQUIRE (*name == '\0' || _flow_builder_is_valid_name (name, *self->now.name_scope == '\0'), error,
                INVALID_ARGUMENT, "'%s' is not a valid scope name", name);
  if (*name == '\0')
    scope = g_strdup ("");
  else if (g_str_has_suffix (name, "/"))
    scope = g_strndup (name, strlen (name) - 1);
  else
    scope = flow_builder_unique_name (self, name, TRUE);
  enter (self, FLOW_SCOPE_NAME);
  g_free (self->now.name_scope);
  self->now.name_scope = scope;
  return *scope == '\0' ? g_strdup ("") : g_strconcat (scope, "/", NULL);
}

/**
 * flow_builder_get_name_scope:
 * @self: a builder
 *
 * Returns: (transfer none): the current name scope without a slash at its end
 */
const char *
flow_builder_get_name_scope (FlowBuilder *self)
{
  g_return_val_if_fail (FLOW_IS_BUILDER (self), NULL);

  return self->now.name_scope;
}

static gboolean
is_held (const FlowController *controller,
         guint32               node)
{
  for (; controller != NULL; controller = controller->outer)
    for (guint i = 0; i < controller->nodes->len; i++)
      if (g_array_index (controller->nodes, guint32, i) == node)
        return TRUE;
  return FALSE;
}

/**
 * flow_builder_enter_control_dependencies:
 * @self: a builder
 * @nodes: (array length=n_nodes): nodes
 * @n_nodes: how many
 *
 * Ops made from now on run after @nodes, unless they read what was made inside.
 */
void
flow_builder_enter_control_dependencies (FlowBuilder   *self,
                                         const guint32 *nodes,
                                         gsize          n_nodes)
{
  FlowController *controller;

  g_return_if_fail (FLOW_IS_BUILDER (self));

  enter (self, FLOW_SCOPE_CONTROLS);
  controller = g_new0 (FlowController, 1);
  controller->nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  controller->made = g_hash_table_new (NULL, NULL);
  for (gsize i = 0; i < n_nodes; i++)
    if (nodes[i] < self->nodes->len && !is_held (self->now.controllers, nodes[i]) && !is_held (controller, nodes[i]))
      g_array_append_val (controller->nodes, nodes[i]);
  controller->outer = self->now.controllers;
  self->now.controllers = controller;
  g_ptr_array_add (self->controllers, controller);
}

/**
 * flow_builder_clear_control_dependencies:
 * @self: a builder
 *
 * `control_dependencies (None)`: until it is left, ops wait for nothing that was asked for outside, and are
 * made outside of all branches and loops.
 */
void
flow_builder_clear_control_dependencies (FlowBuilder *self)
{
  g_return_if_fail (FLOW_IS_BUILDER (self));

  enter (self, FLOW_SCOPE_CONTROLS);
  self->now.controllers = NULL;
  self->now.context = NULL;
  self->now.clears = TRUE;
}

/**
 * flow_builder_enter_init_scope:
 * @self: a builder
 *
 * Keeps the name scope; ops made until it is left wait for nothing.
 */
void
flow_builder_enter_init_scope (FlowBuilder *self)
{
  flow_builder_clear_control_dependencies (self);
}

/**
 * flow_builder_list_control_dependencies:
 * @self: a builder
 * @n_nodes: (out): how many there are
 *
 * Returns: (array length=n_nodes) (transfer full): the nodes that an op without inputs would wait for
 */
guint32 *
flow_builder_list_control_dependencies (FlowBuilder *self,
                                        gsize       *n_nodes)
{
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (FlowController *c = self->now.controllers; c != NULL; c = c->outer)
    g_array_prepend_vals (nodes, c->nodes->data, c->nodes->len);
  *n_nodes = nodes->len;
  return (guint32 *) (gpointer) g_array_free (nodes, FALSE);
}

static FlowChain *
chain_new (FlowBuilder    *self,
           FlowChain      *outer,
           const char     *type,
           const char     *name,
           const FlowAttr *value)
{
  FlowChain *link = g_new0 (FlowChain, 1);

  link->outer = outer;
  link->node = FLOW_NODE_NONE;
  link->type = g_strdup (type);
  link->name = g_strdup (name);
  link->value = value != NULL ? flow_attr_ref (value) : NULL;
  g_ptr_array_add (self->chains, link);
  return link;
}

/**
 * flow_builder_enter_colocation:
 * @self: a builder
 * @node: the op to be with, %FLOW_NODE_NONE for none
 * @ignore_existing: whether colocations outside count no more
 *
 * Ops made until it is left are placed with @node: they share its colocation groups, and devices asked
 * for outside do not count.
 */
void
flow_builder_enter_colocation (FlowBuilder *self,
                               guint32      node,
                               gboolean     ignore_existing)
{
  g_return_if_fail (FLOW_IS_BUILDER (self));

  enter (self, FLOW_SCOPE_PLACES);
  self->now.devices = NULL;
  if (ignore_existing)
    self->now.colocations = NULL;
  if (node < self->nodes->len || (self->source != NULL && _flow_node_is_foreign (node)))
    {
      self->now.colocations = chain_new (self, self->now.colocations, NULL, NULL, NULL);
      self->now.colocations->node = node;
    }
}

/**
 * flow_builder_enter_device:
 * @self: a builder
 * @device: (nullable): a device, or %NULL: those asked for outside do not count
 * @error: where to put an error
 *
 * Returns: %FALSE with %FLOW_ERROR_INVALID_ARGUMENT when that is no device, and nothing was entered
 */
gboolean
flow_builder_enter_device (FlowBuilder  *self,
                           const char   *device,
                           GError      **error)
{
  g_autofree char *canonical = NULL;

  g_return_val_if_fail (FLOW_IS_BUILDER (self), FALSE);

  if (device != NULL)
    {
      canonical = _flow_builder_canonical_device (device, error);
      if (canonical == NULL)
        return FALSE;
    }
  enter (self, FLOW_SCOPE_PLACES);
  self->now.devices = chain_new (self, self->now.devices, NULL, canonical, NULL);
  return TRUE;
}

/**
 * flow_builder_enter_attr:
 * @self: a builder
 * @name: an attr
 * @value: (nullable): its value; %NULL: not set from outside
 *
 * Ops made until it is left get the attr unless they have it already.
 */
void
flow_builder_enter_attr (FlowBuilder    *self,
                         const char     *name,
                         const FlowAttr *value)
{
  flow_builder_enter_op_attr (self, NULL, name, value);
}

/**
 * flow_builder_enter_op_attr:
 * @self: a builder
 * @type: (nullable): which op type, %NULL for any
 * @name: an attr
 * @value: (nullable): its value; %NULL: not set from outside
 *
 * As flow_builder_enter_attr(), for ops of one type: `gradient_override_map` and the like.
 */
void
flow_builder_enter_op_attr (FlowBuilder    *self,
                            const char     *type,
                            const char     *name,
                            const FlowAttr *value)
{
  g_return_if_fail (FLOW_IS_BUILDER (self) && name != NULL);

  enter (self, FLOW_SCOPE_ATTRS);
  self->now.attrs = chain_new (self, self->now.attrs, type, name, value);
}

/**
 * flow_builder_enter_container:
 * @self: a builder
 * @container: the container of stateful ops made until it is left
 */
void
flow_builder_enter_container (FlowBuilder *self,
                              const char  *container)
{
  g_return_if_fail (FLOW_IS_BUILDER (self) && container != NULL);

  enter (self, FLOW_SCOPE_CONTAINER);
  g_free (self->now.container);
  self->now.container = g_strdup (container);
}

/**
 * flow_builder_finalize:
 * @self: a builder
 *
 * From now on nothing can be added.
 */
void
flow_builder_finalize (FlowBuilder *self)
{
  g_return_if_fail (FLOW_IS_BUILDER (self));

  self->finalized = TRUE;
}

/**
 * flow_builder_unfinalize:
 * @self: a builder
 *
 * Undoes flow_builder_finalize().
 */
void
flow_builder_unfinalize (FlowBuilder *self)
{
  g_return_if_fail (FLOW_IS_BUILDER (self));

  self->finalized = FALSE;
}

/**
 * flow_builder_is_finalized:
 * @self: a builder
 *
 * Returns: whether nothing can be added
 */
gboolean
flow_builder_is_finalized (FlowBuilder *self)
{
  g_return_val_if_fail (FLOW_IS_BUILDER (self), FALSE);

  return self->finalized;
}
