/* flow-resources.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-session-private.h"

#include "flow-resources-private.h"
#include "flow-script-call-private.h"

#include <stdlib.h>
#include <string.h>

/* --- the table -------------------------------------------------------------------------------- */

static void
unref_resource (gpointer data)
{
  flow_resource_unref (data);
}

FlowResources *
_flow_resources_new (void)
{
  FlowResources *self = g_new0 (FlowResources, 1);

  self->table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, unref_resource);
  self->containers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->saved = g_ptr_array_new ();
  self->seeds = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->state_handles = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->allowed = g_ptr_array_new_with_free_func (g_free);
  self->seed = (guint64) g_random_int () << 32 | g_random_int ();
  return self;
}

void
_flow_resources_free (FlowResources *self)
{
  g_hash_table_unref (self->table);
  g_hash_table_unref (self->containers);
  g_ptr_array_unref (self->saved);
  g_hash_table_unref (self->seeds);
  g_hash_table_unref (self->state_handles);
  g_ptr_array_unref (self->allowed);
  g_free (self->folder);
  if (self->script_notify != NULL)
    self->script_notify (self->script_data);
  if (self->print_notify != NULL)
    self->print_notify (self->print_data);
  g_free (self);
}

static char *
make_key (const char              *container,
          const char              *name,
          const FlowResourceClass *klass)
{
  if (container == NULL || *container == '\0')
    container = FLOW_DEFAULT_CONTAINER;
  return g_strdup_printf ("%s\n%s\n%s", container, klass->type_name, name);
}

static void
undo_insert (gpointer owner,
             gpointer data)
{
  FlowResources *self = owner;
  FlowResource *resource = data;
  g_autofree char *key = make_key (resource->container, resource->name, resource->klass);

  g_hash_table_remove (self->table, key);
}

static void
undo_remove (gpointer owner,
             gpointer data)
{
  FlowResources *self = owner;
  FlowResource *resource = data;

  g_hash_table_insert (self->table, make_key (resource->container, resource->name, resource->klass),
                       flow_resource_ref (resource));
}

void
_flow_resources_insert (FlowResources *self,
                        FlowResource  *resource,
                        FlowUndo      *undo)
{
  g_hash_table_insert (self->table, make_key (resource->container, resource->name, resource->klass),
                       flow_resource_ref (resource));
  /* TF: a container stays when the last thing in it goes. */
  g_hash_table_add (self->containers, g_strdup (resource->container));
  if (undo != NULL)
    flow_undo_call (undo, undo_insert, self, flow_resource_ref (resource), unref_resource);
}

static void
take_out (FlowResources *self,
          FlowResource  *resource,
          FlowUndo      *undo)
{
  g_autofree char *key = make_key (resource->container, resource->name, resource->klass);

  if (undo != NULL)
    flow_undo_call (undo, undo_remove, self, flow_resource_ref (resource), unref_resource);
  /* What waits for it is tried again. */
  resource->version++;
  g_hash_table_remove (self->table, key);
}

static int
compare_resources (gconstpointer a,
                   gconstpointer b)
{
  const FlowResource *x = *(FlowResource *const *) a;
  const FlowResource *y = *(FlowResource *const *) b;
  int order = strcmp (x->container, y->container);

  if (order == 0)
    order = strcmp (x->name, y->name);
  return order != 0 ? order : strcmp (x->klass->type_name, y->klass->type_name);
}

/**
 * flow_session_list_resources: (skip)
 * @self: a session
 *
 * Returns: (transfer full): everything that ops keep, by container and name; references
 */
GPtrArray *
flow_session_list_resources (FlowSession *self)
{
  FlowResources *resources = _flow_session_get_resources (self);
  GPtrArray *list = g_ptr_array_new_with_free_func (unref_resource);
  GHashTableIter iter;
  gpointer value = NULL;

  g_hash_table_iter_init (&iter, resources->table);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    g_ptr_array_add (list, flow_resource_ref (value));
  g_ptr_array_sort (list, compare_resources);
  return list;
}

/**
 * flow_session_find_variable: (skip)
 * @self: a session
 * @name: a variable's name
 *
 * Returns: (transfer none) (nullable): it, if the session has it yet
 */
FlowVariable *
flow_session_find_variable (FlowSession *self,
                            const char  *name)
{
  FlowResources *resources = _flow_session_get_resources (self);
  g_autofree char *key = make_key (FLOW_DEFAULT_CONTAINER, name, &flow_variable_class);
  FlowVariable *found = g_hash_table_lookup (resources->table, key);
  GHashTableIter iter;
  gpointer value = NULL;

  if (found != NULL)
    return found;
  g_hash_table_iter_init (&iter, resources->table);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      FlowResource *resource = value;

      if (resource->klass == &flow_variable_class && strcmp (resource->name, name) == 0)
        return value;
    }
  return NULL;
}

void
_flow_session_clear_container (FlowSession *self,
                               const char  *container)
{
  g_autoptr(GPtrArray) all = flow_session_list_resources (self);

  for (guint i = 0; i < all->len; i++)
    {
      FlowResource *resource = g_ptr_array_index (all, i);

      if (strcmp (resource->container, container) == 0)
        take_out (_flow_session_get_resources (self), resource, flow_session_get_undo (self));
    }
  g_hash_table_remove (_flow_session_get_resources (self)->containers, container);
}

/* What functions keep by @whole, "NAME#N" or "NAME#N/MORE", takes the place of what they kept by another N. */
void
_flow_session_begin_state (FlowSession *self,
                           const char  *whole)
{
  FlowResources *resources = _flow_session_get_resources (self);
  const char *mark = strrchr (whole, '#');
  const char *end = mark != NULL ? strchr (mark, '/') : NULL;
  g_autofree char *handle = end != NULL ? g_strndup (whole, (gsize) (end - whole)) : g_strdup (whole);
  g_autofree char *name = mark != NULL ? g_strndup (whole, (gsize) (mark - whole)) : g_strdup (whole);
  const char *old = g_hash_table_lookup (resources->state_handles, name);
  g_autoptr (GPtrArray) all = NULL;
  g_autofree char *own = NULL;
  g_autofree char *others = NULL;

  if (g_strcmp0 (old, handle) == 0)
    return;
  own = g_strconcat (handle, "/", NULL);
  others = g_strconcat (name, "#", NULL);
  all = old != NULL ? flow_session_list_resources (self) : NULL;
  for (guint i = 0; all != NULL && i < all->len; i++)
    {
      FlowResource *resource = g_ptr_array_index (all, i);

      if (g_str_has_prefix (resource->name, others) && !g_str_has_prefix (resource->name, own))
        take_out (resources, resource, flow_session_get_undo (self));
    }
  g_hash_table_insert (resources->state_handles, g_steal_pointer (&name), g_steal_pointer (&handle));
}

void
_flow_session_begin_step (FlowSession *self)
{
  g_ptr_array_set_size (_flow_session_get_resources (self)->saved, 0);
}

/* --- what kernels ask of the session ---------------------------------------------------------- */

static FlowResources *
resources_of (gpointer data)
{
  FlowRun *run = data;

  return _flow_session_get_resources (run->session);
}

static FlowUndo *
undo_of (gpointer data)
{
  FlowRun *run = data;

  return flow_session_get_undo (run->session);
}

static FlowResource *
host_lookup (gpointer                  data,
             const char               *container,
             const char               *name,
             const FlowResourceClass  *klass,
             GError                  **error)
{
  FlowResources *self = resources_of (data);
  g_autofree char *key = make_key (container, name, klass);
  FlowResource *found = g_hash_table_lookup (self->table, key);

  /* The key has the type's name, and each class has its own. */
  if (found != NULL)
    return flow_resource_ref (found);
  if (container == NULL || *container == '\0')
    container = FLOW_DEFAULT_CONTAINER;
  if (g_hash_table_contains (self->containers, container))
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "Resource %s/%s/%s does not exist.", container, name,
                 klass->type_name);
  else
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND,
                 "Container %s does not exist. (Could not find resource: %s/%s)", container, container, name);
  return NULL;
}

static gboolean
host_publish (gpointer       data,
              FlowResource  *resource,
              GError       **error)
{
  FlowResources *self = resources_of (data);
  g_autofree char *key = make_key (resource->container, resource->name, resource->klass);

  FLOW_REQUIRE (!g_hash_table_contains (self->table, key), error, ALREADY_EXISTS, "Resource %s/%s/%s",
                *resource->container != '\0' ? resource->container : FLOW_DEFAULT_CONTAINER, resource->name,
                resource->klass->type_name);
  _flow_resources_insert (self, resource, undo_of (data));
  return TRUE;
}

static gboolean
host_remove (gpointer       data,
             FlowResource  *resource,
             GError       **error)
{
  FlowResources *self = resources_of (data);
  g_autofree char *key = make_key (resource->container, resource->name, resource->klass);

  FLOW_REQUIRE (g_hash_table_lookup (self->table, key) == resource, error, NOT_FOUND,
                "Resource %s/%s/%s does not exist.",
                *resource->container != '\0' ? resource->container : FLOW_DEFAULT_CONTAINER, resource->name,
                resource->klass->type_name);
  take_out (self, resource, undo_of (data));
  return TRUE;
}

static void
host_will_write (gpointer      data,
                 FlowResource *resource)
{
  FlowResources *self = resources_of (data);
  FlowUndo *undo = undo_of (data);

  if (undo == NULL || g_ptr_array_find (self->saved, resource, NULL))
    return;
  flow_undo_resource (undo, resource);
  g_ptr_array_add (self->saved, resource);
}

static void
host_wrote (gpointer      data,
            FlowResource *resource)
{
  resource->version++;
}

static const char *
host_step_container (gpointer data)
{
  FlowRun *run = data;

  return run->step_container;
}

/* SplitMix64: every node's seed follows from the session's, in whatever order they are drawn. */
static guint64
mix (guint64 x)
{
  x += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return x ^ (x >> 31);
}

static void
host_draw_seed (gpointer    data,
                const char *node_name,
                guint64     seed[2])
{
  FlowResources *self = resources_of (data);
  guint64 *drawn = g_hash_table_lookup (self->seeds, node_name);

  if (drawn == NULL)
    {
      guint64 x = self->seed;

      drawn = g_new (guint64, 2);
      for (const char *p = node_name; *p != '\0'; p++)
        x = mix (x ^ (guchar) *p);
      drawn[0] = mix (x);
      drawn[1] = mix (drawn[0]);
      g_hash_table_insert (self->seeds, g_strdup (node_name), drawn);
    }
  seed[0] = drawn[0];
  seed[1] = drawn[1];
}

/* Links resolved as far as the path exists; what does not exist yet is judged by where it would lie. */
static char *
resolve_links (const char *path)
{
  g_autofree char *head = g_strdup (path);
  g_autofree char *tail = g_strdup ("");

  for (;;)
    {
      char *real = realpath (head, NULL);
      g_autofree char *name = NULL;
      char *parent = NULL;
      char *longer = NULL;

      if (real != NULL)
        {
          char *whole = *tail != '\0' ? g_build_filename (real, tail, NULL) : g_strdup (real);

          free (real);
          return whole;
        }
      if (strcmp (head, "/") == 0)
        return g_strdup (path);
      name = g_path_get_basename (head);
      parent = g_path_get_dirname (head);
      longer = *tail != '\0' ? g_build_filename (name, tail, NULL) : g_strdup (name);
      g_free (head);
      head = parent;
      g_free (tail);
      tail = longer;
    }
}

static gboolean
lies_in (const char *path,
         const char *folder)
{
  g_autofree char *real = folder != NULL ? resolve_links (folder) : NULL;
  gsize length = real != NULL ? strlen (real) : 0;

  return real != NULL && strncmp (path, real, length) == 0
         && (path[length] == '/' || path[length] == '\0' || strcmp (real, "/") == 0);
}

static char *
host_resolve_path (gpointer         data,
                   const char      *path,
                   FlowPathAccess   access,
                   GError         **error)
{
  FlowResources *self = resources_of (data);
  g_autofree char *full = g_canonicalize_filename (path, self->folder);
  g_autofree char *real = resolve_links (full);
  gboolean allowed = lies_in (real, self->folder);

  for (guint i = 0; !allowed && i < self->allowed->len; i++)
    allowed = lies_in (real, g_ptr_array_index (self->allowed, i));
  if (allowed)
    return g_steal_pointer (&full);
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_PERMISSION_DENIED,
               "%s; %s outside of the folders that this graph may touch", path,
               access == FLOW_PATH_WRITE ? "written" : "read");
  return NULL;
}

static void
host_print (gpointer    data,
            const char *stream,
            const char *text)
{
  FlowResources *self = resources_of (data);

  if (self->print != NULL)
    self->print (stream, text, self->print_data);
}

static gboolean
host_has_function (gpointer    data,
                   const char *name)
{
  FlowRun *run = data;

  return flow_graph_find_function (flow_session_get_graph (run->session), name) != NULL;
}

static int
host_count_returns (gpointer    data,
                    const char *name)
{
  FlowRun *run = data;
  const FlowFunction *function = flow_graph_find_function (flow_session_get_graph (run->session), name);

  return function != NULL ? (int) function->signature->n_outputs : -1;
}

/* TF: what may be in a function whose dataset is saved though it counts as stateful: datasets, reading tables, asserting. */
static gboolean
keeps_nothing (const char *op)
{
  return strstr (op, "Dataset") != NULL || g_str_has_prefix (op, "LookupTable") || g_str_equal (op, "Assert");
}

static const char *find_stateful (FlowGraph *graph, const char *name, GHashTable *seen);

static const char *
find_stateful_in_attrs (FlowGraph    *graph,
                        FlowAttrList *attrs,
                        GHashTable   *seen)
{
  const char *found = NULL;

  for (guint i = 0; found == NULL && attrs != NULL && i < flow_attr_list_get_length (attrs); i++)
    {
      FlowAttr *attr = flow_attr_list_get_value (attrs, i);

      if (flow_attr_get_kind (attr) == FLOW_ATTR_FUNC)
        found = find_stateful (graph, flow_attr_get_func_name (attr), seen);
    }
  return found;
}

static const char *
find_stateful (FlowGraph  *graph,
               const char *name,
               GHashTable *seen)
{
  const FlowFunction *function = flow_graph_find_function (graph, name);

  if (function == NULL || !g_hash_table_add (seen, (gpointer) name))
    return NULL;
  for (guint i = 0; i < function->nodes->len; i++)
    {
      const FlowFunctionNode *node = function->nodes->pdata[i];
      const FlowOpSignature *op = flow_op_registry_lookup (node->op);
      const char *found;

      if (op != NULL && (op->flags & FLOW_OP_STATEFUL) != 0 && !keeps_nothing (node->op))
        return node->op;
      found = op == NULL ? find_stateful (graph, node->op, seen) : find_stateful_in_attrs (graph, node->attrs, seen);
      if (found != NULL)
        return found;
    }
  return NULL;
}

static const char *
host_find_stateful (gpointer    data,
                    const char *name)
{
  FlowRun *run = data;
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  return find_stateful (flow_session_get_graph (run->session), name, seen);
}

static gboolean
host_has_script (gpointer data)
{
  return resources_of (data)->script != NULL;
}

static GPtrArray *
host_call_script (gpointer            data,
                  FlowKernelContext  *c,
                  const char         *token,
                  GError            **error)
{
  FlowResources *self = resources_of (data);
  g_autoptr (FlowScriptCall) call = _flow_script_call_new (c, token);

  self->script (call, self->script_data);
  return _flow_script_call_take_outputs (call, error);
}

const FlowKernelHost _flow_session_host = {
  .lookup = host_lookup,
  .publish = host_publish,
  .remove = host_remove,
  .will_write = host_will_write,
  .wrote = host_wrote,
  .step_container = host_step_container,
  .draw_seed = host_draw_seed,
  .call_function = _flow_run_call_function,
  .has_function = host_has_function,
  .count_returns = host_count_returns,
  .find_stateful = host_find_stateful,
  .resolve_path = host_resolve_path,
  .print = host_print,
  .has_script = host_has_script,
  .call_script = host_call_script,
};

/* --- policy ----------------------------------------------------------------------------------- */

/**
 * flow_session_set_folder:
 * @self: a session
 * @path: a folder
 *
 * File names inside the graph are relative to it, and its ops may touch it.
 */
void
flow_session_set_folder (FlowSession *self,
                         const char  *path)
{
  FlowResources *resources = _flow_session_get_resources (self);

  g_free (resources->folder);
  resources->folder = path != NULL ? g_canonicalize_filename (path, NULL) : NULL;
}

/**
 * flow_session_get_folder:
 * @self: a session
 *
 * Returns: (transfer none) (nullable): what flow_session_set_folder() said, absolute
 */
const char *
flow_session_get_folder (FlowSession *self)
{
  return _flow_session_get_resources (self)->folder;
}

/**
 * flow_session_allow_folder:
 * @self: a session
 * @path: a folder that ops of the graph may touch as well
 */
void
flow_session_allow_folder (FlowSession *self,
                           const char  *path)
{
  g_ptr_array_add (_flow_session_get_resources (self)->allowed, g_canonicalize_filename (path, NULL));
}

/**
 * flow_session_set_seed:
 * @self: a session that has drawn none yet
 * @seed: what the seeds that the graph leaves open follow from
 */
void
flow_session_set_seed (FlowSession *self,
                       guint64      seed)
{
  _flow_session_get_resources (self)->seed = seed;
}

/**
 * flow_session_set_print:
 * @self: a session
 * @func: (nullable) (scope notified) (closure data) (destroy notify): gets what ops print, on the thread
 *   that runs them; %NULL: it is dropped
 * @data: given to @func
 * @notify: (nullable): frees @data
 */
void
flow_session_set_print (FlowSession    *self,
                        FlowPrintFunc   func,
                        gpointer        data,
                        GDestroyNotify  notify)
{
  FlowResources *resources = _flow_session_get_resources (self);

  if (resources->print_notify != NULL)
    resources->print_notify (resources->print_data);
  resources->print = func;
  resources->print_data = data;
  resources->print_notify = notify;
}

/**
 * flow_session_set_script:
 * @self: a session
 * @func: (nullable) (scope notified) (closure data) (destroy notify): runs functions of the script that
 *   made the graph; %NULL: nobody can, and PyFunc is UNIMPLEMENTED
 * @data: given to @func
 * @notify: (nullable): frees @data
 *
 * The door through which PyFunc, PyFuncStateless and EagerPyFunc reach their interpreter. @func is
 * called on the thread that runs ops, which waits for it.
 */
void
flow_session_set_script (FlowSession    *self,
                         FlowScriptFunc  func,
                         gpointer        data,
                         GDestroyNotify  notify)
{
  FlowResources *resources = _flow_session_get_resources (self);

  if (resources->script_notify != NULL)
    resources->script_notify (resources->script_data);
  resources->script = func;
  resources->script_data = data;
  resources->script_notify = notify;
}

/* --- snapshots -------------------------------------------------------------------------------- */

typedef struct {
  FlowResource *resource;
  gpointer saved;
  guint64 version;
  FlowTensor *value;           /* of variables */
} Saved;

struct _FlowSessionSnapshot
{
  GArray *saved;               /* of Saved */
  guint64 next_step;
};

static void
saved_clear (gpointer data)
{
  Saved *saved = data;

  saved->resource->klass->saved_free (saved->saved);
  g_clear_pointer (&saved->value, flow_tensor_unref);
  flow_resource_unref (saved->resource);
}

/**
 * flow_session_take_snapshot: (skip)
 * @self: a session between runs
 *
 * Returns: (transfer full): all that it owns, as references
 */
FlowSessionSnapshot *
flow_session_take_snapshot (FlowSession *self)
{
  FlowSessionSnapshot *snapshot = g_new0 (FlowSessionSnapshot, 1);
  g_autoptr(GPtrArray) all = flow_session_list_resources (self);

  snapshot->saved = g_array_new (FALSE, FALSE, sizeof (Saved));
  g_array_set_clear_func (snapshot->saved, saved_clear);
  snapshot->next_step = _flow_session_get_next_step (self);
  for (guint i = 0; i < all->len; i++)
    {
      FlowResource *resource = g_ptr_array_index (all, i);
      Saved saved = { flow_resource_ref (resource), resource->klass->save (resource), resource->version, NULL };

      if (resource->klass == &flow_variable_class && ((FlowVariable *) resource)->value != NULL)
        saved.value = flow_tensor_ref (((FlowVariable *) resource)->value);
      g_array_append_val (snapshot->saved, saved);
    }
  return snapshot;
}

/**
 * flow_session_restore_snapshot: (skip)
 * @self: a session between runs
 * @snapshot: what it is to own again; may be restored many times
 */
void
flow_session_restore_snapshot (FlowSession               *self,
                               const FlowSessionSnapshot *snapshot)
{
  FlowResources *resources = _flow_session_get_resources (self);

  _flow_session_set_next_step (self, snapshot->next_step);
  g_hash_table_remove_all (resources->table);
  for (guint i = 0; i < snapshot->saved->len; i++)
    {
      const Saved *saved = &g_array_index (snapshot->saved, Saved, i);

      saved->resource->klass->restore (saved->resource, saved->saved);
      saved->resource->version = saved->version;
      _flow_resources_insert (resources, saved->resource, NULL);
    }
}

/**
 * flow_session_snapshot_dup_variable: (skip)
 * @snapshot: a snapshot
 * @name: a variable's name
 *
 * Returns: (transfer full) (nullable): its value then
 */
FlowTensor *
flow_session_snapshot_dup_variable (const FlowSessionSnapshot *snapshot,
                                    const char                *name)
{
  for (guint i = 0; i < snapshot->saved->len; i++)
    {
      const Saved *saved = &g_array_index (snapshot->saved, Saved, i);

      if (saved->value != NULL && strcmp (saved->resource->name, name) == 0)
        return flow_tensor_ref (saved->value);
    }
  return NULL;
}

/**
 * flow_session_snapshot_free: (skip)
 * @snapshot: (transfer full) (nullable): a snapshot
 */
void
flow_session_snapshot_free (FlowSessionSnapshot *snapshot)
{
  if (snapshot == NULL)
    return;
  g_array_unref (snapshot->saved);
  g_free (snapshot);
}
