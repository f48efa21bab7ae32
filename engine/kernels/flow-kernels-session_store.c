/* flow-kernels-session_store.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tensors that stay in the session under a handle, mutexes, and old names of queues.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-iterator-private.h"
#include "flow-queue-private.h"
#include "flow-step-private.h"
#include "flow-string-private.h"
#include "flow-variant.h"

#include <string.h>

/* --- tensors of the session ----------------------------------------------------------------------------------- */

typedef struct {
  FlowResource parent;
  gint64 n_made;
  GPtrArray *handles;          /* of char * */
  GPtrArray *tensors;
} Store;

typedef struct {
  gint64 n_made;
  GPtrArray *handles;
  GPtrArray *tensors;
} SavedStore;

static void
unref_tensor (gpointer tensor)
{
  flow_tensor_unref (tensor);
}

static SavedStore
copy_store (gint64     n_made,
            GPtrArray *handles,
            GPtrArray *tensors)
{
  SavedStore copy = { n_made, g_ptr_array_new_with_free_func (g_free), g_ptr_array_new_with_free_func (unref_tensor) };

  for (guint i = 0; i < handles->len; i++)
    {
      g_ptr_array_add (copy.handles, g_strdup (handles->pdata[i]));
      g_ptr_array_add (copy.tensors, flow_tensor_ref (tensors->pdata[i]));
    }
  return copy;
}

static void
store_finalize (FlowResource *resource)
{
  Store *self = (Store *) resource;

  g_ptr_array_unref (self->handles);
  g_ptr_array_unref (self->tensors);
}

static gpointer
store_save (FlowResource *resource)
{
  Store *self = (Store *) resource;
  SavedStore *saved = g_new (SavedStore, 1);

  *saved = copy_store (self->n_made, self->handles, self->tensors);
  return saved;
}

static void
store_restore (FlowResource  *resource,
               gconstpointer  data)
{
  Store *self = (Store *) resource;
  const SavedStore *saved = data;
  SavedStore copy = copy_store (saved->n_made, saved->handles, saved->tensors);

  store_finalize (resource);
  self->n_made = copy.n_made;
  self->handles = copy.handles;
  self->tensors = copy.tensors;
}

static void
saved_store_free (gpointer data)
{
  SavedStore *saved = data;

  g_ptr_array_unref (saved->handles);
  g_ptr_array_unref (saved->tensors);
  g_free (saved);
}

static gsize
saved_store_bytes (gconstpointer data)
{
  return sizeof (SavedStore) + ((const SavedStore *) data)->handles->len * 2 * sizeof (gpointer);
}

static void
store_visit (FlowResource        *resource,
             FlowResourceVisitor  visitor,
             gpointer             data)
{
  Store *self = (Store *) resource;
  g_autoptr (FlowTensor) n = flow_tensor_new_int64 (self->n_made);

  visitor ("made", n, data);
  for (guint i = 0; i < self->handles->len; i++)
    visitor (self->handles->pdata[i], self->tensors->pdata[i], data);
}

static char *
store_describe (FlowResource *resource)
{
  return g_strdup_printf ("%u tensors", ((Store *) resource)->handles->len);
}

static const FlowResourceClass store_class = {
  .type_name = "SessionState",
  .finalize = store_finalize,
  .save = store_save,
  .restore = store_restore,
  .saved_free = saved_store_free,
  .saved_bytes = saved_store_bytes,
  .visit = store_visit,
  .describe = store_describe,
};

static Store *
find_store (FlowKernelContext *c,
            GError           **error)
{
  Store *self = flow_kernel_lookup (c, "localhost", "_session_state", &store_class, NULL);

  if (self != NULL)
    return self;
  self = flow_resource_alloc (&store_class, sizeof (Store), "localhost", "_session_state");
  self->handles = g_ptr_array_new_with_free_func (g_free);
  self->tensors = g_ptr_array_new_with_free_func (unref_tensor);
  if (!flow_kernel_publish (c, self, error))
    g_clear_pointer (&self, flow_resource_unref);
  return self;
}

static gboolean
get_handle_compute (FlowKernelContext *c,
                    GError           **error)
{
  Store *store = find_store (c, error);
  char *handle;

  if (store == NULL)
    return FALSE;
  flow_kernel_will_write (c, store);
  handle = g_strdup_printf ("%s;%" G_GINT64_FORMAT ";" FLOW_ITERATOR_DEVICE, c->node_name, store->n_made++);
  g_ptr_array_add (store->handles, handle);
  g_ptr_array_add (store->tensors, flow_tensor_ref (flow_kernel_input (c, 0)));
  if (c->output_dtypes[0] == FLOW_DTYPE_RESOURCE)
    {
      g_autoptr (FlowHandle) named = flow_handle_new ("TensorHandle", handle, "TensorHandle", FLOW_DTYPE_INVALID, NULL);

      flow_kernel_take_output (c, 0, flow_tensor_new_handle (named));
    }
  else
    {
      flow_kernel_take_output (c, 0, flow_tensor_new_string (handle, -1));
    }
  flow_kernel_wrote (c, store);
  flow_resource_unref (store);
  return TRUE;
}

/* The store and the place in it of the handle in input 0; a new reference. @words have a %s for a handle
 * that is not there. */
static Store *
find_handle (FlowKernelContext *c,
             const char        *words,
             guint             *at,
             GError           **error)
{
  const FlowTensor *tensor = flow_kernel_input (c, 0);
  g_autofree char *handle = NULL;
  Store *store;
  Text text;

  if (tensor->n_elements != 1)
    {
      _flow_refuse_shapes (error, tensor, NULL, "The handle must be a scalar, but had shape: %s");
      return NULL;
    }
  text = text_at (tensor, 0);
  handle = g_strndup (text.length > 0 ? text.bytes : "", text.length);
  store = find_store (c, error);
  for (*at = 0; store != NULL && *at < store->handles->len; (*at)++)
    if (strcmp (store->handles->pdata[*at], handle) == 0)
      return store;
  if (store != NULL)
    {
      _flow_refuse (error, words, handle);
      flow_resource_unref (store);
    }
  return NULL;
}

static gboolean
get_tensor_compute (FlowKernelContext *c,
                    GError           **error)
{
  guint at;
  Store *store = find_handle (c, "The tensor with handle '%s' is not in the session store.", &at, error);
  gboolean ok = TRUE;

  if (store == NULL)
    return FALSE;
  if (((FlowTensor *) store->tensors->pdata[at])->dtype == (FlowDType) flow_dtype_base (c->output_dtypes[0]))
    flow_kernel_set_output (c, 0, store->tensors->pdata[at]);
  else
    ok = _flow_refuse (error, "The tensor of the handle is of type %s, not %s",
                       flow_dtype_string (((FlowTensor *) store->tensors->pdata[at])->dtype),
                       flow_dtype_string (c->output_dtypes[0]));
  flow_resource_unref (store);
  return ok;
}

static gboolean
delete_tensor_compute (FlowKernelContext *c,
                       GError           **error)
{
  guint at;
  Store *store = find_handle (c, "Failed to delete a tensor with handle '%s' in the session store.", &at, error);

  if (store == NULL)
    return FALSE;
  flow_kernel_will_write (c, store);
  g_ptr_array_remove_index (store->handles, at);
  g_ptr_array_remove_index (store->tensors, at);
  flow_kernel_wrote (c, store);
  flow_resource_unref (store);
  return TRUE;
}

/* --- a queue by its old name ------------------------------------------------------------------------------------- */

static gboolean
fake_queue_infer (FlowInferContext *c,
                  GError          **error)
{
  flow_infer_take_output (c, 0, flow_shape_new_vector (2));
  return TRUE;
}

static gboolean
fake_queue_compute (FlowKernelContext *c,
                    GError           **error)
{
  FlowQueue *queue = flow_kernel_lookup_handle (c, 0, &_flow_queue_class, error);
  gboolean ok;

  if (queue == NULL)
    return FALSE;
  ok = _flow_put_handle (c, 0, &queue->parent, NULL, FLOW_DTYPE_INVALID, NULL, error);
  flow_resource_unref (queue);
  return ok;
}

/* --- mutexes -------------------------------------------------------------------------------------------------- */

typedef struct {
  FlowResource parent;
  char *holder;                /* nullable: the run that holds it */
} Mutex;

static void
mutex_finalize (FlowResource *resource)
{
  g_free (((Mutex *) resource)->holder);
}

static gpointer
mutex_save (FlowResource *resource)
{
  char **saved = g_new (char *, 1);

  *saved = g_strdup (((Mutex *) resource)->holder);
  return saved;
}

static void
mutex_restore (FlowResource  *resource,
               gconstpointer  saved)
{
  flow_set_str (&((Mutex *) resource)->holder, *(char *const *) saved);
}

static void
saved_mutex_free (gpointer saved)
{
  g_free (*(char **) saved);
  g_free (saved);
}

static gsize
saved_mutex_bytes (gconstpointer saved)
{
  return sizeof (char *);
}

static void
mutex_visit (FlowResource        *resource,
             FlowResourceVisitor  visitor,
             gpointer             data)
{
  g_autoptr (FlowTensor) locked = flow_tensor_new_bool (((Mutex *) resource)->holder != NULL);

  visitor ("locked", locked, data);
}

static char *
mutex_describe (FlowResource *resource)
{
  return g_strdup (((Mutex *) resource)->holder != NULL ? "locked" : "free");
}

static const FlowResourceClass mutex_class = {
  .type_name = "N10tensorflow12_GLOBAL__N_15MutexE",
  .finalize = mutex_finalize,
  .save = mutex_save,
  .restore = mutex_restore,
  .saved_free = saved_mutex_free,
  .saved_bytes = saved_mutex_bytes,
  .visit = mutex_visit,
  .describe = mutex_describe,
};

static gpointer
nothing_save (FlowResource *resource)
{
  return NULL;
}

static void
nothing_restore (FlowResource  *resource,
                 gconstpointer  saved)
{
}

static char *
held_describe (FlowResource *resource)
{
  return g_strdup ("locked");
}

/* Stands in the container of a run for as long as the run has a mutex, and goes with the run: a run that fails
 * leaves nothing locked. */
static const FlowResourceClass held_class = {
  .type_name = "Mutex::Held",
  .save = nothing_save,
  .restore = nothing_restore,
  .saved_free = g_free,
  .describe = held_describe,
};

/* What the run named @holder has of @mutex: a new reference, or NULL. */
static FlowResource *
find_held (FlowKernelContext *c,
           Mutex             *mutex,
           const char        *holder)
{
  g_autofree char *name = g_strdup_printf ("%s/%s", mutex->parent.container, mutex->parent.name);

  return holder != NULL ? flow_kernel_lookup (c, holder, name, &held_class, NULL) : NULL;
}

/* What a lock is: the name of its mutex. */
#define FLOW_TYPE_LOCK (_flow_lock_get_type ())
G_DECLARE_FINAL_TYPE (FlowLock, _flow_lock, FLOW, LOCK, FlowVariant)

struct _FlowLock
{
  FlowVariant parent_instance;
  char *container;
  char *name;
};

G_DEFINE_FINAL_TYPE (FlowLock, _flow_lock, FLOW_TYPE_VARIANT)

static void
_flow_lock_finalize (GObject *object)
{
  g_free (FLOW_LOCK (object)->container);
  g_free (FLOW_LOCK (object)->name);
  G_OBJECT_CLASS (_flow_lock_parent_class)->finalize (object);
}

static char *
lock_describe (FlowVariant *variant)
{
  return g_strdup_printf ("lock of %s", FLOW_LOCK (variant)->name);
}

static void
_flow_lock_class_init (FlowLockClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = _flow_lock_finalize;
  FLOW_VARIANT_CLASS (klass)->type_name = "(anonymous namespace)::Mutex::LockReleaser";
  FLOW_VARIANT_CLASS (klass)->describe = lock_describe;
}

static void
_flow_lock_init (FlowLock *self)
{
}

static gpointer
make_mutex (G_GNUC_UNUSED FlowKernelContext *c,
            const FlowResourceClass         *klass,
            const char                      *container,
            const char                      *name)
{
  return flow_resource_alloc (klass, sizeof (Mutex), container, name);
}

static gboolean
mutex_compute (FlowKernelContext  *c,
               GError            **error)
{
  return _flow_put_placed (c, &mutex_class, make_mutex, error);
}

static gboolean
hold (FlowKernelContext  *c,
      Mutex              *mutex,
      GError            **error)
{
  const char *run = c->host->step_container (c->host_data);
  g_autofree char *name = g_strdup_printf ("%s/%s", mutex->parent.container, mutex->parent.name);
  FlowResource *held = flow_resource_alloc (&held_class, sizeof (FlowResource), run, name);
  gboolean ok = flow_kernel_publish (c, held, error);

  flow_resource_unref (held);
  if (!ok)
    return FALSE;
  flow_kernel_will_write (c, mutex);
  flow_set_str (&mutex->holder, run);
  flow_kernel_wrote (c, mutex);
  return TRUE;
}

/* TF: a lock that nobody consumes is free again with its last tensor: at once where nothing reads it, else here with
 * its run, as a run's values are. */
static gboolean
lock_compute (FlowKernelContext *c,
              GError           **error)
{
  Mutex *mutex = flow_kernel_lookup_handle (c, 0, &mutex_class, error);
  FlowResource *held;
  g_autoptr (FlowLock) lock = NULL;
  gboolean ok;

  if (mutex == NULL)
    return FALSE;
  held = find_held (c, mutex, mutex->holder);
  if (held != NULL)
    ok = flow_kernel_wait (c, held, "mutex %s: it is locked", mutex->parent.name);
  else
    {
      ok = c->is_unread || hold (c, mutex, error);
      if (ok)
        {
          lock = g_object_new (FLOW_TYPE_LOCK, NULL);
          lock->container = g_strdup (mutex->parent.container);
          lock->name = g_strdup (mutex->parent.name);
          flow_kernel_take_output (c, 0, flow_tensor_new_variant (FLOW_VARIANT (lock)));
        }
    }
  g_clear_pointer (&held, flow_resource_unref);
  flow_resource_unref (mutex);
  return ok;
}

static gboolean
consume_lock_compute (FlowKernelContext *c,
                      GError           **error)
{
  const FlowTensor *tensor = flow_kernel_input (c, 0);
  FlowVariant *variant = tensor->n_elements == 1 ? flow_tensor_get_variant (tensor, 0) : NULL;
  Mutex *mutex;
  FlowResource *held;
  gboolean ok;

  if (variant == NULL || !FLOW_IS_LOCK (variant))
    {
      g_autofree char *text = variant != NULL ? flow_variant_describe (variant) : g_strdup ("");

      return _flow_refuse (error, "Expected input to contain a SharedLockReleaser object, but saw variant: 'Variant<type: %s "
                           "value: %s>'", variant != NULL ? flow_variant_get_type_name (variant) : "(no type)", text);
    }
  mutex = flow_kernel_lookup (c, FLOW_LOCK (variant)->container, FLOW_LOCK (variant)->name, &mutex_class, error);
  if (mutex == NULL)
    return FALSE;
  held = find_held (c, mutex, c->host->step_container (c->host_data));
  ok = held == NULL || flow_kernel_remove (c, held, error);
  if (ok && held != NULL)
    {
      flow_kernel_will_write (c, mutex);
      g_clear_pointer (&mutex->holder, g_free);
      flow_kernel_wrote (c, mutex);
    }
  g_clear_pointer (&held, flow_resource_unref);
  flow_resource_unref (mutex);
  return ok;
}

static const FlowOpDef ops[] = {
  {
    .name = "GetSessionHandle",
    .inputs = "value: T",
    .outputs = "handle: string",
    .attrs = "T: type",
    .summary = "Keeps a tensor in the session and gives its handle",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, get_handle_compute }, { NULL } },
  },
  {
    .name = "GetSessionHandleV2",
    .inputs = "value: T",
    .outputs = "handle: resource",
    .attrs = "T: type",
    .summary = "Keeps a tensor in the session and gives its handle",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, get_handle_compute }, { NULL } },
  },
  {
    .name = "GetSessionTensor",
    .inputs = "handle: string",
    .outputs = "value: dtype",
    .attrs = "dtype: type",
    .summary = "The tensor of a handle",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unknown_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, get_tensor_compute }, { NULL } },
  },
  {
    .name = "DeleteSessionTensor",
    .inputs = "handle: string",
    .summary = "Lets the tensor of a handle go",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, delete_tensor_compute }, { NULL } },
  },
  {
    .name = "FakeQueue",
    .inputs = "resource: resource",
    .outputs = "handle: Ref(string)",
    .summary = "A queue's name of the old kind",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = fake_queue_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, fake_queue_compute }, { NULL } },
  },
  {
    .name = "MutexV2",
    .outputs = "resource: resource",
    .attrs = "container: string = \"\"; shared_name: string = \"\"",
    .summary = "A mutex",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, mutex_compute, _flow_place_construct_by_node, _flow_place_destruct }, { NULL } },
  },
  {
    .name = "MutexLock",
    .inputs = "mutex: resource",
    .outputs = "mutex_lock: variant",
    .summary = "Locks a mutex; waits while it is locked",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, lock_compute }, { NULL } },
  },
  {
    .name = "ConsumeMutexLock",
    .inputs = "mutex_lock: variant",
    .summary = "Frees a mutex",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, consume_lock_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (session_store, ops)
