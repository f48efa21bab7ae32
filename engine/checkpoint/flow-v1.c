/* flow-v1.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-checkpoint-private.h"

#include <fnmatch.h>
#include <string.h>

#include "flow-util.h"

/* What one tensor of the list takes beside its name, roughly. */
#define ENTRY_OVERHEAD 256

struct _FlowV1
{
  char *pattern;
  GPtrArray *paths;
  FlowTable *table;      /* the one read last */
  guint table_index;
};

typedef struct {
  FlowV1 *v1;
  GHashTable *by_name;   /* -> FlowStored, borrowed from @tensors */
  GPtrArray *tensors;
  gsize listing_bytes;
} OpenJob;

static gboolean
has_wildcards (const char *pattern)
{
  return strpbrk (pattern, "*?[") != NULL;
}

/* The files of a pattern, sorted; a name without wildcards is its own pattern. */
static GPtrArray *
match_files (const char *pattern)
{
  g_autofree char *folder = g_path_get_dirname (pattern);
  g_autofree char *base = g_path_get_basename (pattern);
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  GDir *dir;
  const char *name;

  if (g_file_test (pattern, G_FILE_TEST_EXISTS) && !g_file_test (pattern, G_FILE_TEST_IS_DIR))
    {
      g_ptr_array_add (paths, g_strdup (pattern));
      return paths;
    }
  if (!has_wildcards (base) || (dir = g_dir_open (folder, 0, NULL)) == NULL)
    return paths;
  while ((name = g_dir_read_name (dir)) != NULL && paths->len <= FLOW_CHECKPOINT_MAX_SHARDS)
    if (fnmatch (base, name, FNM_PATHNAME) == 0)
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_dir_close (dir);
  g_ptr_array_sort (paths, flow_compare_texts);
  return paths;
}

gboolean
_flow_v1_any_file (const char *pattern)
{
  g_autoptr (GPtrArray) paths = match_files (pattern);

  return paths->len > 0;
}

/* TF 1.15: a folder that is not there is another mistake than a file that is not in its folder, or is a folder. */
gboolean
_flow_v1_refuse_absent (const char  *pattern,
                        GError     **error)
{
  g_autofree char *folder = g_path_get_dirname (pattern);

  FLOW_REQUIRE (!g_file_test (pattern, G_FILE_TEST_IS_DIR), error, DATA_LOSS,
                "Unable to open table file %s: Failed precondition: %s; Is a directory: perhaps your file is in a "
                "different file format and you need to use a different restore operator?", pattern, pattern);
  FLOW_REQUIRE (g_file_test (folder, G_FILE_TEST_EXISTS), error, INVALID_ARGUMENT,
                "Unsuccessful TensorSliceReader constructor: Failed to get matching files on %s: Not found: %s; No such "
                "file or directory", pattern, folder);
  FLOW_REQUIRE (FALSE, error, NOT_FOUND,
                "Unsuccessful TensorSliceReader constructor: Failed to find any matching files for %s", pattern);
  return FALSE;
}

void
_flow_v1_free (FlowV1 *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->table, _flow_table_free);
  g_ptr_array_unref (self->paths);
  g_free (self->pattern);
  g_free (self);
}

gint64
_flow_v1_get_n_shards (FlowV1 *self)
{
  return self->paths->len;
}

static FlowTable *
open_table (FlowV1  *self,
            guint    file,
            GError **error)
{
  const char *path = g_ptr_array_index (self->paths, file);
  g_autoptr (GError) problem = NULL;

  if (self->table != NULL && self->table_index == file)
    return self->table;
  g_clear_pointer (&self->table, _flow_table_free);
  self->table = _flow_table_open (path, &problem);
  self->table_index = file;
  if (self->table != NULL)
    return self->table;
  if (problem->code == FLOW_ERROR_DATA_LOSS)
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS,
                 "Unable to open table file %s: Data loss: %s: perhaps your file is in a different file format and you "
                 "need to use a different restore operator?", path, problem->message);
  else
    g_propagate_error (error, g_steal_pointer (&problem));
  return NULL;
}

/* TF: all files agree on what a tensor is. */
static void
note_other_whole (FlowStored      *stored,
                  const FlowShape *shape,
                  gint64           dtype)
{
  FlowCheckpointTensor *info = stored->info;
  g_autofree char *existing = flow_shape_to_string (info->shape);
  g_autofree char *other = flow_shape_to_string (shape);

  if (info->problem != NULL)
    return;
  if (!flow_shape_equal (shape, info->shape))
    _flow_stored_set_problem (stored, "Incompatible tensor shapes detected for tensor %s: existing = %s, new = %s", info->name,
                              existing, other);
  else if (dtype > 0 && dtype < FLOW_N_DTYPES && dtype != (gint64) info->dtype)
    _flow_stored_set_problem (stored, "Incompatible tensor types detected for tensor %s: existing = %s, new = %s", info->name,
                              flow_dtype_string (info->dtype), flow_dtype_string ((int) dtype));
  if (info->problem != NULL)
    stored->problem_code = FLOW_ERROR_INTERNAL;
}

/* A SavedSliceMeta: a tensor, or more parts of one that another file has parts of, too. */
static gboolean
add_tensor (OpenJob          *job,
            guint             file,
            FlowProtoReader  *reader,
            GError          **error)
{
  g_autofree char *name = NULL;
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (GPtrArray) slices = g_ptr_array_new_with_free_func ((GDestroyNotify) _flow_slice_free);
  gboolean bad_shape = FALSE;
  gboolean bad_slice = FALSE;
  gint64 dtype = 0;
  FlowStored *stored;

  while (flow_proto_reader_next (reader))
    {
      FlowProtoReader sub;
      FlowSlice *slice = NULL;

      if (reader->field == 1)
        {
          g_clear_pointer (&name, g_free);
          flow_proto_reader_dup_string (reader, &name);
        }
      else if (reader->field == 3)
        {
          flow_proto_reader_get_int64 (reader, &dtype);
        }
      else if (reader->field == 2 && flow_proto_reader_enter (reader, &sub))
        {
          g_clear_pointer (&shape, flow_shape_unref);
          shape = _flow_read_shape (&sub);
          bad_shape = shape == NULL;
        }
      else if (reader->field == 4 && flow_proto_reader_enter (reader, &sub))
        {
          if (_flow_slice_read (&sub, &slice))
            g_ptr_array_add (slices, slice);
          else
            bad_slice = TRUE;
          job->listing_bytes += reader->size * 4;
        }
    }
  if (flow_proto_reader_failed (reader))
    return FALSE;
  FLOW_REQUIRE (name != NULL && *name != '\0', error, DATA_LOSS, "%s: a saved tensor has no name", job->v1->pattern);
  job->listing_bytes += strlen (name) + ENTRY_OVERHEAD;
  FLOW_REQUIRE (job->listing_bytes <= FLOW_CHECKPOINT_MAX_LISTING, error, RESOURCE_EXHAUSTED,
                "%s: the list of tensors is over its limit of %" G_GSIZE_FORMAT " bytes", job->v1->pattern,
                FLOW_CHECKPOINT_MAX_LISTING);
  if (shape == NULL && !bad_shape)
    shape = flow_shape_new_scalar ();

  stored = g_hash_table_lookup (job->by_name, name);
  if (stored == NULL)
    {
      stored = _flow_stored_new (name);
      stored->files = g_array_new (FALSE, FALSE, sizeof (guint));
      if (dtype > 0 && dtype < FLOW_N_DTYPES)
        stored->info->dtype = (FlowDType) dtype;
      stored->info->shape = shape != NULL ? flow_shape_ref (shape) : NULL;
      g_ptr_array_add (job->tensors, stored);
      g_hash_table_insert (job->by_name, stored->info->name, stored);
    }
  else if (shape != NULL && stored->info->shape != NULL)
    {
      note_other_whole (stored, shape, dtype);
    }
  if (dtype <= 0 || dtype >= FLOW_N_DTYPES)
    _flow_stored_set_problem (stored, "Invalid tensor dtype: %s; dtype %" G_GINT64_FORMAT, name, dtype);
  if (bad_shape)
    _flow_stored_set_problem (stored, "Invalid tensor shape: %s", name);
  if (bad_slice || slices->len == 0)
    _flow_stored_set_problem (stored, "Invalid slice of tensor %s", name);
  for (guint i = 0; i < slices->len; i++)
    {
      _flow_stored_add_slice (stored, g_ptr_array_index (slices, i));
      g_array_append_val (stored->files, file);
    }
  g_ptr_array_set_free_func (slices, NULL);
  return TRUE;
}

static gboolean
read_meta (OpenJob  *job,
           guint     file,
           GError  **error)
{
  const char *path = g_ptr_array_index (job->v1->paths, file);
  FlowTable *table = open_table (job->v1, file, error);
  g_autoptr (GBytes) value = NULL;
  FlowProtoReader reader;
  gboolean seen = FALSE;
  gsize size;
  gconstpointer data;

  if (table == NULL || !_flow_table_lookup (table, "", 0, NULL, &value, error))
    return FALSE;
  if (value != NULL)
    {
      data = g_bytes_get_data (value, &size);
      flow_proto_reader_init (&reader, data, size);
      while (flow_proto_reader_next (&reader))
        {
          FlowProtoReader meta;

          if (reader.field != 1 || !flow_proto_reader_enter (&reader, &meta))
            continue;
          while (flow_proto_reader_next (&meta))
            {
              FlowProtoReader sub;

              if (!(meta.field == 1 || meta.field == 2) || !flow_proto_reader_enter (&meta, &sub))
                continue;
              if (meta.field == 2 ? !_flow_check_versions (&sub, error)
                                  : !add_tensor (job, file, &sub, error) && !flow_proto_reader_failed (&sub))
                return FALSE;
            }
        }
      /* TF asks for no more: an index of another kind of checkpoint is one without tensors. */
      seen = !flow_proto_reader_failed (&reader);
    }
  FLOW_REQUIRE (seen, error, DATA_LOSS,
                "Failed to find the saved tensor slices at the beginning of the checkpoint file: %s", path);
  return TRUE;
}

/* A tensor in one piece is shown as such. */
static void
finish_tensor (FlowStored *stored,
               GPtrArray  *problems)
{
  FlowCheckpointTensor *info = stored->info;
  gint64 n = 0;

  if (info->problem == NULL)
    _flow_stored_check_slices (stored);
  if (info->shape == NULL)
    info->shape = flow_shape_new_unknown ();
  if (info->n_slices == 1 && _flow_slice_is_full (g_ptr_array_index (stored->slices, 0)))
    {
      info->n_slices = 0;
      info->shard = g_array_index (stored->files, guint, 0);
    }
  if (info->problem == NULL && info->dtype != FLOW_DTYPE_STRING && flow_shape_n_elements (info->shape, &n)
      && flow_mul_int64 (n, (gint64) flow_dtype_size (info->dtype), &n))
    info->size = n;
  if (info->problem != NULL)
    g_ptr_array_add (problems, g_strdup (info->problem));
}

/*
 * _flow_v1_open:
 * @pattern: a file, or a pattern of the files of a checkpoint in several
 * @tensors: where the tensors are added, of FlowStored, in the order of the files
 * @problems: where texts are added about what is wrong and does not keep the rest from being read
 */
FlowV1 *
_flow_v1_open (const char  *pattern,
               GPtrArray   *tensors,
               GPtrArray   *problems,
               GError     **error)
{
  g_autoptr (FlowV1) self = g_new0 (FlowV1, 1);
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);
  OpenJob job = { self, by_name, tensors, 0 };

  self->pattern = g_strdup (pattern);
  self->paths = match_files (pattern);
  if (self->paths->len == 0)
    {
      _flow_v1_refuse_absent (pattern, error);
      return NULL;
    }
  for (guint i = 0; i < self->paths->len; i++)
    if (!read_meta (&job, i, error))
      return NULL;
  for (guint i = 0; i < tensors->len; i++)
    finish_tensor (g_ptr_array_index (tensors, i), problems);
  return g_steal_pointer (&self);
}

#define STORE_CASE(DTYPE, type) \
    case FLOW_DTYPE_##DTYPE: ((type *) tensor->data)[i] = (type) value; break;

static void
store_number (FlowTensor *tensor,
              gint64      i,
              guint64     value)
{
  switch ((int) tensor->dtype)
    {
    STORE_CASE (INT32, gint32)
    STORE_CASE (QINT32, gint32)
    STORE_CASE (UINT8, guint8)
    STORE_CASE (QUINT8, guint8)
    STORE_CASE (INT16, gint16)
    STORE_CASE (QINT16, gint16)
    STORE_CASE (INT8, gint8)
    STORE_CASE (QINT8, gint8)
    STORE_CASE (INT64, gint64)
    STORE_CASE (UINT16, guint16)
    STORE_CASE (QUINT16, guint16)
    STORE_CASE (UINT32, guint32)
    STORE_CASE (UINT64, guint64)
    STORE_CASE (HALF, guint16)
    STORE_CASE (BFLOAT16, guint16)
    case FLOW_DTYPE_BOOL: ((guint8 *) tensor->data)[i] = value != 0; break;
    default: break;
    }
}

/* Which field of TensorProto holds the values of a dtype; 0 for dtypes that are not saved. */
guint32
_flow_v1_value_field (FlowDType dtype)
{
  switch ((int) dtype)
    {
    case FLOW_DTYPE_FLOAT: return 5;
    case FLOW_DTYPE_DOUBLE: return 6;
    case FLOW_DTYPE_STRING: return 8;
    case FLOW_DTYPE_COMPLEX64: return 9;
    case FLOW_DTYPE_INT64: return 10;
    case FLOW_DTYPE_BOOL: return 11;
    case FLOW_DTYPE_COMPLEX128: return 12;
    case FLOW_DTYPE_HALF:
    case FLOW_DTYPE_BFLOAT16: return 13;
    case FLOW_DTYPE_UINT32: return 16;
    case FLOW_DTYPE_UINT64: return 17;
    case FLOW_DTYPE_RESOURCE:
    case FLOW_DTYPE_VARIANT: return 0;
    default: return 7;
    }
}

/* The values of a TensorProto that has nothing but the typed array. Returns how many there were; more
 * than fit are counted, not stored. */
static gint64
read_values (FlowProtoReader *reader,
             FlowTensor      *tensor)
{
  FlowDType dtype = tensor->dtype;
  guint32 field = _flow_v1_value_field (dtype);
  gint64 n = 0;
  gint64 limit = tensor->n_elements * (flow_dtype_is_complex (dtype) ? 2 : 1);

  while (flow_proto_reader_next (reader))
    {
      guint64 value;
      float f;
      double d;
      const guint8 *bytes;
      gsize length;

      if (reader->field != field)
        continue;
      if (dtype == FLOW_DTYPE_FLOAT || dtype == FLOW_DTYPE_COMPLEX64)
        {
          for (; flow_proto_reader_each_float (reader, &f); n++)
            if (n < limit)
              ((float *) tensor->data)[n] = f;
        }
      else if (dtype == FLOW_DTYPE_DOUBLE || dtype == FLOW_DTYPE_COMPLEX128)
        {
          for (; flow_proto_reader_each_double (reader, &d); n++)
            if (n < limit)
              ((double *) tensor->data)[n] = d;
        }
      else if (dtype == FLOW_DTYPE_STRING)
        {
          if (!flow_proto_reader_get_bytes (reader, &bytes, &length))
            continue;
          if (n < limit && length > 0)
            flow_tensor_take_string (tensor, n, g_bytes_new (bytes, length));
          n++;
        }
      else
        {
          for (; flow_proto_reader_each_varint (reader, &value); n++)
            if (n < limit)
              store_number (tensor, n, value);
        }
    }
  return flow_dtype_is_complex (dtype) ? n / 2 : n;
}

static gboolean
read_slice_value (GBytes            *value,
                  const FlowStored  *stored,
                  FlowTensor        *tensor,
                  GError           **error)
{
  FlowProtoReader reader;
  gint64 n = -1;
  gsize size;
  gconstpointer data = g_bytes_get_data (value, &size);
  const char *name = stored->info->name;
  gboolean other_name = FALSE;

  flow_proto_reader_init (&reader, data, size);
  while (flow_proto_reader_next (&reader))
    {
      FlowProtoReader slice;

      if (reader.field != 2 || !flow_proto_reader_enter (&reader, &slice))
        continue;
      while (flow_proto_reader_next (&slice))
        {
          FlowProtoReader sub;
          const char *text;
          gsize length;

          if (slice.field == 1 && flow_proto_reader_get_string (&slice, &text, &length))
            other_name |= length != strlen (name) || memcmp (text, name, length) != 0;
          else if (slice.field == 3 && flow_proto_reader_enter (&slice, &sub))
            n = read_values (&sub, tensor);
        }
    }
  FLOW_REQUIRE (!flow_proto_reader_failed (&reader) && !other_name, error, DATA_LOSS,
                "Unable to parse the saved slice of tensor %s", name);
  /* An empty tensor's value may be left out. */
  FLOW_REQUIRE (n == tensor->n_elements || (n < 0 && tensor->n_elements == 0), error, DATA_LOSS,
                "The saved slice of tensor %s has %" G_GINT64_FORMAT " values, %" G_GINT64_FORMAT " are expected", name,
                MAX (n, 0), tensor->n_elements);
  return TRUE;
}

/* Part @i of a tensor, of that part's shape. */
FlowTensor *
_flow_v1_read_part (FlowV1            *self,
                    const FlowStored  *stored,
                    guint              i,
                    FlowBudget        *budget,
                    GError           **error)
{
  const FlowSlice *slice = g_ptr_array_index (stored->slices, i);
  FlowTable *table = open_table (self, g_array_index (stored->files, guint, i), error);
  g_autoptr (GBytes) key = _flow_slice_encode_key (stored->info->name, slice);
  g_autoptr (GBytes) value = NULL;
  g_autoptr (FlowShape) shape = _flow_slice_shape (slice, stored->info->shape, error);
  g_autoptr (FlowTensor) tensor = NULL;
  gint64 n = 0;

  if (table == NULL || shape == NULL
      || !_flow_table_lookup (table, g_bytes_get_data (key, NULL), g_bytes_get_size (key), budget, &value, error))
    return NULL;
  if (value == NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, "Failed to seek to the record for tensor %s, slice %s",
                   stored->info->name, stored->info->slices[i]);
      return NULL;
    }
  if (_flow_v1_value_field (stored->info->dtype) == 0)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_UNIMPLEMENTED,
                   "Reading a tensor of type %s from a checkpoint: %s", flow_dtype_string (stored->info->dtype),
                   stored->info->name);
      return NULL;
    }
  /* Each value takes a byte at least: a shape cannot make us allocate more than is there. */
  if (!flow_shape_n_elements (shape, &n) || (guint64) n > g_bytes_get_size (value))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS,
                   "The saved slice of tensor %s is too short for its shape", stored->info->name);
      return NULL;
    }
  tensor = flow_tensor_new (stored->info->dtype, shape, budget, error);
  if (tensor == NULL || !read_slice_value (value, stored, tensor, error))
    return NULL;
  return g_steal_pointer (&tensor);
}
