/* flow-checkpoint.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-checkpoint.h"

#include <string.h>

#include "flow-checkpoint-private.h"

/**
 * FlowCheckpoint:
 *
 * An open checkpoint of either kind: the list of its tensors is in memory, their values are read and
 * checked against their checksums when asked for. May be used from any thread.
 */
struct _FlowCheckpoint
{
  GObject parent_instance;

  FlowCheckpointKind kind;
  char *prefix;
  FlowBundle *bundle;
  FlowV1 *v1;
  GPtrArray *tensors;    /* of FlowStored, sorted by name */
  GHashTable *by_name;   /* borrowed from @tensors */
  GPtrArray *problems;   /* NULL-terminated */
  GMutex lock;           /* guards the open files of @bundle and @v1 */
};

G_DEFINE_FINAL_TYPE (FlowCheckpoint, flow_checkpoint, G_TYPE_OBJECT)

G_DEFINE_BOXED_TYPE (FlowCheckpointTensor, flow_checkpoint_tensor, flow_checkpoint_tensor_ref,
                     flow_checkpoint_tensor_unref)

/**
 * flow_checkpoint_tensor_ref:
 * @self: what a checkpoint says of a tensor
 *
 * Returns: (transfer full): @self
 */
FlowCheckpointTensor *
flow_checkpoint_tensor_ref (FlowCheckpointTensor *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * flow_checkpoint_tensor_unref:
 * @self: (transfer full): what a checkpoint says of a tensor
 */
void
flow_checkpoint_tensor_unref (FlowCheckpointTensor *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_clear_pointer (&self->shape, flow_shape_unref);
  g_strfreev (self->slices);
  g_free (self->name);
  g_free (self->problem);
  g_free (self);
}

static void
flow_checkpoint_finalize (GObject *object)
{
  FlowCheckpoint *self = FLOW_CHECKPOINT (object);

  g_clear_pointer (&self->bundle, _flow_bundle_free);
  g_clear_pointer (&self->v1, _flow_v1_free);
  g_hash_table_unref (self->by_name);
  g_ptr_array_unref (self->tensors);
  g_ptr_array_unref (self->problems);
  g_mutex_clear (&self->lock);
  g_free (self->prefix);

  G_OBJECT_CLASS (flow_checkpoint_parent_class)->finalize (object);
}

static void
flow_checkpoint_class_init (FlowCheckpointClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = flow_checkpoint_finalize;
}

static void
flow_checkpoint_init (FlowCheckpoint *self)
{
  g_mutex_init (&self->lock);
  self->tensors = g_ptr_array_new_with_free_func ((GDestroyNotify) _flow_stored_free);
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  self->problems = g_ptr_array_new_with_free_func (g_free);
}

static gint
compare_stored (gconstpointer a,
                gconstpointer b)
{
  const FlowStored *x = *(const FlowStored *const *) a;
  const FlowStored *y = *(const FlowStored *const *) b;

  return strcmp (x->info->name, y->info->name);
}

static FlowCheckpoint *
open_location (const FlowLocation  *location,
               GError             **error)
{
  g_autoptr (FlowCheckpoint) self = g_object_new (FLOW_TYPE_CHECKPOINT, NULL);

  self->kind = location->kind;
  self->prefix = g_strdup (location->prefix);
  if (self->kind == FLOW_CHECKPOINT_BUNDLE)
    self->bundle = _flow_bundle_open (location->index_path, location->prefix, self->tensors, self->problems, error);
  else
    self->v1 = _flow_v1_open (location->prefix, self->tensors, self->problems, error);
  if (self->bundle == NULL && self->v1 == NULL)
    return NULL;

  g_ptr_array_sort (self->tensors, compare_stored);
  for (guint i = 0; i < self->tensors->len; i++)
    {
      FlowStored *stored = g_ptr_array_index (self->tensors, i);

      g_hash_table_insert (self->by_name, stored->info->name, stored);
    }
  g_ptr_array_add (self->problems, NULL);
  return g_steal_pointer (&self);
}

/* TF: of files that contradict each other no tensor is read, whichever is asked for. To be looked at they open. */
static FlowCheckpoint *
open_to_read (const FlowLocation  *location,
              GError             **error)
{
  g_autoptr (FlowCheckpoint) self = open_location (location, error);

  for (guint i = 0; self != NULL && self->kind == FLOW_CHECKPOINT_V1 && i < self->tensors->len; i++)
    {
      const FlowStored *stored = g_ptr_array_index (self->tensors, i);

      if (stored->info->problem == NULL || stored->problem_code != FLOW_ERROR_INTERNAL)
        continue;
      g_set_error_literal (error, FLOW_ERROR, stored->problem_code, stored->info->problem);
      return NULL;
    }
  return g_steal_pointer (&self);
}

/**
 * flow_checkpoint_open:
 * @path: whatever a person points at: a prefix, an index, a data file, a state file, a folder, a V1
 *   file
 * @error: where to put an error
 *
 * Opens the checkpoint that flow_checkpoint_resolve() finds: a path that is a regular file is that
 * file. Reads the list of tensors, no values. Damaged entries become problems and leave the others
 * readable.
 *
 * Returns: (transfer full): the checkpoint; %NULL with %FLOW_ERROR_NOT_FOUND if there is none there,
 *   %FLOW_ERROR_DATA_LOSS if it is damaged, %FLOW_ERROR_PERMISSION_DENIED if a state file leads
 *   elsewhere, %FLOW_ERROR_RESOURCE_EXHAUSTED if its list of tensors is beyond reason
 */
FlowCheckpoint *
flow_checkpoint_open (const char  *path,
                      GError     **error)
{
  g_auto (FlowLocation) location = { 0 };

  g_return_val_if_fail (path != NULL, NULL);

  if (!_flow_location_resolve (&location, path, error))
    return NULL;
  return open_location (&location, error);
}

/**
 * flow_checkpoint_open_to_restore:
 * @path: whatever a person points at
 * @error: where to put an error
 *
 * Opens as flow_checkpoint_open(), but where there are both a V1 file of this name and a bundle of this
 * prefix takes the bundle, as TensorFlow does when it restores. The V1 file is then `PATH:v1`.
 *
 * Returns: (transfer full): the checkpoint; %NULL as flow_checkpoint_open()
 */
FlowCheckpoint *
flow_checkpoint_open_to_restore (const char  *path,
                                 GError     **error)
{
  g_autofree char *index_path = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  if (g_str_has_suffix (path, ":v1") && !g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_autofree char *file = g_strndup (path, strlen (path) - strlen (":v1"));

      return flow_checkpoint_open_v1 (file, error);
    }
  index_path = g_strconcat (path, ".index", NULL);
  if (g_file_test (index_path, G_FILE_TEST_IS_REGULAR) && !g_file_test (path, G_FILE_TEST_IS_DIR))
    return flow_checkpoint_open_prefix (path, error);
  return flow_checkpoint_open (path, error);
}

/**
 * flow_checkpoint_open_prefix:
 * @prefix: what a Saver was given to restore
 * @error: where to put an error
 *
 * Opens as the op RestoreV2 does: the bundle if there is `PREFIX.index`, else the V1 checkpoint.
 *
 * Returns: (transfer full): the checkpoint; %NULL as flow_checkpoint_open()
 */
FlowCheckpoint *
flow_checkpoint_open_prefix (const char  *prefix,
                             GError     **error)
{
  g_auto (FlowLocation) location = { 0 };

  g_return_val_if_fail (prefix != NULL, NULL);

  if (!_flow_location_from_prefix (&location, prefix, error))
    return NULL;
  return open_to_read (&location, error);
}

/**
 * flow_checkpoint_open_v1:
 * @pattern: a file, or a pattern of files with `?` and `*`
 * @error: where to put an error
 *
 * Opens as the op Restore does.
 *
 * Returns: (transfer full): the checkpoint; %NULL as flow_checkpoint_open(), and with %FLOW_ERROR_INTERNAL where files
 *   contradict each other
 */
FlowCheckpoint *
flow_checkpoint_open_v1 (const char  *pattern,
                         GError     **error)
{
  FlowLocation location = { FLOW_CHECKPOINT_V1, (char *) pattern, NULL };

  g_return_val_if_fail (pattern != NULL, NULL);

  return open_to_read (&location, error);
}

/**
 * flow_checkpoint_resolve:
 * @path: whatever a person points at
 * @kind: (out) (optional): which kind it is
 * @error: where to put an error
 *
 * Says which checkpoint a path means. Kinds are told by content, not by name.
 *
 * Returns: (transfer full): the prefix of a bundle, or the file or pattern of a V1 checkpoint; %NULL as
 *   flow_checkpoint_open()
 */
char *
flow_checkpoint_resolve (const char          *path,
                         FlowCheckpointKind  *kind,
                         GError             **error)
{
  g_auto (FlowLocation) location = { 0 };

  g_return_val_if_fail (path != NULL, NULL);

  if (!_flow_location_resolve (&location, path, error))
    return NULL;
  if (kind != NULL)
    *kind = location.kind;
  return g_steal_pointer (&location.prefix);
}

/**
 * flow_checkpoint_is_checkpoint:
 * @path: any path
 *
 * Returns: whether flow_checkpoint_open() has something to open there, damaged or not
 */
gboolean
flow_checkpoint_is_checkpoint (const char *path)
{
  g_auto (FlowLocation) location = { 0 };

  g_return_val_if_fail (path != NULL, FALSE);

  return _flow_location_resolve (&location, path, NULL);
}

/**
 * flow_checkpoint_get_kind:
 * @self: a checkpoint
 *
 * Returns: its kind
 */
FlowCheckpointKind
flow_checkpoint_get_kind (FlowCheckpoint *self)
{
  g_return_val_if_fail (FLOW_IS_CHECKPOINT (self), FLOW_CHECKPOINT_BUNDLE);

  return self->kind;
}

/**
 * flow_checkpoint_get_prefix:
 * @self: a checkpoint
 *
 * Returns: (transfer none): the prefix of a bundle, the file or pattern of a V1 checkpoint
 */
const char *
flow_checkpoint_get_prefix (FlowCheckpoint *self)
{
  g_return_val_if_fail (FLOW_IS_CHECKPOINT (self), NULL);

  return self->prefix;
}

/**
 * flow_checkpoint_get_n_shards:
 * @self: a checkpoint
 *
 * Returns: in how many files its values are
 */
gint64
flow_checkpoint_get_n_shards (FlowCheckpoint *self)
{
  g_return_val_if_fail (FLOW_IS_CHECKPOINT (self), 0);

  return self->bundle != NULL ? _flow_bundle_get_n_shards (self->bundle) : _flow_v1_get_n_shards (self->v1);
}

/**
 * flow_checkpoint_get_n_tensors:
 * @self: a checkpoint
 *
 * Returns: how many tensors it has; a partitioned one counts once
 */
guint
flow_checkpoint_get_n_tensors (FlowCheckpoint *self)
{
  g_return_val_if_fail (FLOW_IS_CHECKPOINT (self), 0);

  return self->tensors->len;
}

/**
 * flow_checkpoint_get_tensor:
 * @self: a checkpoint
 * @i: from 0 to the number of tensors less one
 *
 * Returns: (transfer none): one of its tensors, in order of their names
 */
FlowCheckpointTensor *
flow_checkpoint_get_tensor (FlowCheckpoint *self,
                            guint           i)
{
  g_return_val_if_fail (FLOW_IS_CHECKPOINT (self), NULL);
  g_return_val_if_fail (i < self->tensors->len, NULL);

  return ((FlowStored *) g_ptr_array_index (self->tensors, i))->info;
}

/**
 * flow_checkpoint_find:
 * @self: a checkpoint
 * @name: a key
 *
 * Returns: (transfer none) (nullable): the tensor of that name
 */
FlowCheckpointTensor *
flow_checkpoint_find (FlowCheckpoint *self,
                      const char     *name)
{
  FlowStored *stored;

  g_return_val_if_fail (FLOW_IS_CHECKPOINT (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  stored = g_hash_table_lookup (self->by_name, name);
  return stored != NULL ? stored->info : NULL;
}

/**
 * flow_checkpoint_get_problems:
 * @self: a checkpoint
 *
 * Returns: (transfer none) (array zero-terminated=1): what is wrong with single tensors
 */
const char *const *
flow_checkpoint_get_problems (FlowCheckpoint *self)
{
  g_return_val_if_fail (FLOW_IS_CHECKPOINT (self), NULL);

  return (const char *const *) self->problems->pdata;
}

static FlowTensor *
read_part (FlowCheckpoint    *self,
           const FlowStored  *stored,
           guint              i,
           FlowBudget        *budget,
           GError           **error)
{
  if (self->bundle != NULL)
    return _flow_bundle_read_part (self->bundle, stored, i, budget, error);
  return _flow_v1_read_part (self->v1, stored, i, budget, error);
}

/* What is asked for, put together of the stored parts that have some of it. Parts never overlap
 * (checked when the checkpoint was opened), so the count says whether they leave a hole. */
static FlowTensor *
assemble (FlowCheckpoint    *self,
          const FlowStored  *stored,
          const FlowSlice   *wanted,
          const FlowShape   *shape,
          FlowBudget        *budget,
          GError           **error)
{
  const FlowCheckpointTensor *info = stored->info;
  g_autoptr (FlowTensor) result = NULL;
  gint64 n = 0;
  gint64 n_copied = 0;
  gint64 n_stored = 0;

  flow_shape_n_elements (shape, &n);
  for (guint i = 0; i < stored->slices->len; i++)
    {
      g_autoptr (FlowShape) part = _flow_slice_shape (g_ptr_array_index (stored->slices, i), info->shape, error);
      gint64 n_part;

      if (part == NULL)
        return NULL;
      if (flow_shape_n_elements (part, &n_part))
        n_stored += n_part;
    }
  /* Before memory is asked for: a shape of terabytes with one small part cannot be whole. */
  if (n <= n_stored)
    {
      result = flow_tensor_new (info->dtype, shape, budget, error);
      if (result == NULL)
        return NULL;
      for (guint i = 0; i < stored->slices->len; i++)
        {
          const FlowSlice *slice = g_ptr_array_index (stored->slices, i);
          g_autoptr (FlowTensor) part = NULL;

          if (!_flow_slice_overlap (info->shape, slice, wanted) && n > 0)
            continue;
          part = read_part (self, stored, i, budget, error);
          if (part == NULL)
            return NULL;
          n_copied += _flow_slice_copy (info->shape, slice, part, wanted, result);
        }
    }
  if (n_copied == n)
    return g_steal_pointer (&result);
  {
    g_autofree char *text = _flow_slice_to_string (wanted);

    if (self->v1 != NULL)
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Error copying slice data: tensor %s, slice %s",
                   info->name, text);
    else
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "Does not have sufficient slices for partitioned tensor %s to restore in slice_spec: %s",
                   info->name, text);
  }
  return NULL;
}

static const FlowStored *
lookup (FlowCheckpoint  *self,
        const char      *name,
        GError         **error)
{
  const FlowStored *stored = g_hash_table_lookup (self->by_name, name);

  if (stored == NULL)
    {
      if (self->kind == FLOW_CHECKPOINT_BUNDLE)
        g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "Key %s not found in checkpoint", name);
      else
        g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "Tensor name \"%s\" not found in checkpoint files %s",
                     name, self->prefix);
      return NULL;
    }
  if (stored->info->problem != NULL)
    {
      g_set_error_literal (error, FLOW_ERROR, stored->problem_code, stored->info->problem);
      return NULL;
    }
  return stored;
}

static FlowTensor *
read_whole (FlowCheckpoint    *self,
            const FlowStored  *stored,
            FlowBudget        *budget,
            GError           **error)
{
  g_autoptr (FlowSlice) full = NULL;

  if (stored->slices == NULL)
    return _flow_bundle_read_whole (self->bundle, stored, budget, error);
  if (stored->slices->len == 1 && _flow_slice_is_full (g_ptr_array_index (stored->slices, 0)))
    return read_part (self, stored, 0, budget, error);
  full = _flow_slice_new (stored->info->shape->rank);
  return assemble (self, stored, full, stored->info->shape, budget, error);
}

/**
 * flow_checkpoint_read:
 * @self: a checkpoint
 * @name: a key
 * @budget: (nullable): what to ask for the memory
 * @error: where to put an error
 *
 * Reads a whole tensor, put together of its parts where it is stored in parts. Its checksum is checked
 * on the very bytes that are returned.
 *
 * Returns: (transfer full): the tensor; %NULL with %FLOW_ERROR_NOT_FOUND if there is no such key,
 *   %FLOW_ERROR_DATA_LOSS if it is damaged, %FLOW_ERROR_RESOURCE_EXHAUSTED if it does not fit the budget,
 *   or the system's error
 */
FlowTensor *
flow_checkpoint_read (FlowCheckpoint  *self,
                      const char      *name,
                      FlowBudget      *budget,
                      GError         **error)
{
  const FlowStored *stored;
  FlowTensor *tensor;

  g_return_val_if_fail (FLOW_IS_CHECKPOINT (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  stored = lookup (self, name, error);
  if (stored == NULL)
    return NULL;
  g_mutex_lock (&self->lock);
  tensor = read_whole (self, stored, budget, error);
  g_mutex_unlock (&self->lock);
  return tensor;
}

/* In the words of the op for each kind. */
static gboolean
check_whole_shape (FlowCheckpoint    *self,
                   const FlowStored  *stored,
                   const FlowShape   *whole,
                   GError           **error)
{
  g_autofree char *asked = NULL;
  g_autofree char *is = NULL;

  if (flow_shape_equal (whole, stored->info->shape))
    return TRUE;
  asked = flow_shape_to_string (whole);
  is = flow_shape_to_string (stored->info->shape);
  if (self->kind == FLOW_CHECKPOINT_BUNDLE)
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                 "tensor_name = %s; shape in shape_and_slice spec %s does not match the shape stored in checkpoint: %s",
                 stored->info->name, asked, is);
  else
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                 "Shape in shape_and_slice spec does not match the shape in the save file: %s, save file shape: %s",
                 asked, is);
  return FALSE;
}

/**
 * flow_checkpoint_read_slice:
 * @self: a checkpoint
 * @name: a key
 * @spec: (nullable): a `shape_and_slice` as Save and Restore ops have it, `10 9 0,5:-`; empty or %NULL
 *   for the whole tensor
 * @budget: (nullable): what to ask for the memory
 * @error: where to put an error
 *
 * Reads a part of a tensor, be it stored whole or in parts.
 *
 * Returns: (transfer full): a tensor of the part's shape; %NULL as flow_checkpoint_read(), or with
 *   %FLOW_ERROR_INVALID_ARGUMENT or %FLOW_ERROR_INTERNAL in TensorFlow's words if @spec is none or not
 *   one of this tensor
 */
FlowTensor *
flow_checkpoint_read_slice (FlowCheckpoint  *self,
                            const char      *name,
                            const char      *spec,
                            FlowBudget      *budget,
                            GError         **error)
{
  const FlowStored *stored;
  g_autoptr (FlowShape) whole = NULL;
  g_autoptr (FlowSlice) slice = NULL;
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (FlowTensor) tensor = NULL;

  g_return_val_if_fail (FLOW_IS_CHECKPOINT (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  if (spec == NULL || *spec == '\0')
    return flow_checkpoint_read (self, name, budget, error);
  stored = lookup (self, name, error);
  if (stored == NULL || !_flow_slice_parse_spec (spec, &whole, &slice, &shape, error)
      || !check_whole_shape (self, stored, whole, error))
    return NULL;

  g_mutex_lock (&self->lock);
  if (_flow_slice_is_full (slice))
    {
      tensor = read_whole (self, stored, budget, error);
    }
  else if (stored->slices != NULL)
    {
      tensor = assemble (self, stored, slice, shape, budget, error);
    }
  else
    {
      g_autoptr (FlowSlice) full = _flow_slice_new (whole->rank);
      g_autoptr (FlowTensor) all = _flow_bundle_read_whole (self->bundle, stored, budget, error);

      if (all != NULL)
        tensor = flow_tensor_new (all->dtype, shape, budget, error);
      if (tensor != NULL)
        _flow_slice_copy (whole, full, all, slice, tensor);
    }
  g_mutex_unlock (&self->lock);
  return g_steal_pointer (&tensor);
}

/**
 * flow_checkpoint_parse_spec: (skip)
 * @spec: a `shape_and_slice` as Save and Restore ops have it, `10 9 0,5:-`; not empty
 * @whole: (out) (optional): the shape of the whole tensor
 * @error: where to put an error
 *
 * Returns: (transfer full): the shape of the part; %NULL with %FLOW_ERROR_INVALID_ARGUMENT or
 *   %FLOW_ERROR_INTERNAL in TensorFlow's words if @spec is none
 */
FlowShape *
flow_checkpoint_parse_spec (const char  *spec,
                            FlowShape  **whole,
                            GError     **error)
{
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (FlowSlice) slice = NULL;
  FlowShape *slice_shape = NULL;

  g_return_val_if_fail (spec != NULL, NULL);

  if (!_flow_slice_parse_spec (spec, &shape, &slice, &slice_shape, error))
    return NULL;
  if (whole != NULL)
    *whole = g_steal_pointer (&shape);
  return slice_shape;
}
