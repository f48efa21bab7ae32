/* flow-npz.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-npz.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "flow-npy.h"
#include "flow-util.h"

#include "flow-npy-private.h"

#define END_SIGNATURE 0x06054b50u
#define END64_SIGNATURE 0x06064b50u
#define END64_LOCATOR_SIGNATURE 0x07064b50u
#define ENTRY_SIGNATURE 0x02014b50u
#define LOCAL_SIGNATURE 0x04034b50u

#define END_BYTES 22
#define ENTRY_BYTES 46
#define LOCAL_BYTES 30

/* The end record may be followed by a comment of 64 KiB. */
#define MAX_TAIL (END_BYTES + 65535)

/* A directory of arrays, not of a file system. */
#define MAX_DIRECTORY_BYTES (256u << 20)

typedef struct {
  guint64 offset;        /* of the local header */
  guint64 stored;
  guint64 size;
  guint32 crc;
  guint16 method;
  guint16 flags;
} Member;

struct _FlowNpz
{
  gatomicrefcount ref_count;
  char *path;
  int fd;
  guint64 size;
  GHashTable *members;   /* name without .npy -> Member */
  GPtrArray *names;      /* in the file's order, borrowed from @members' keys */
};

static void
npz_free (FlowNpz *self)
{
  if (self->fd >= 0)
    close (self->fd);
  g_ptr_array_unref (self->names);
  g_hash_table_unref (self->members);
  g_free (self->path);
  g_free (self);
}

/**
 * flow_npz_ref:
 * @self: an open file
 *
 * Returns: (transfer full): @self
 */
FlowNpz *
flow_npz_ref (FlowNpz *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * flow_npz_unref:
 * @self: (transfer full): an open file
 */
void
flow_npz_unref (FlowNpz *self)
{
  g_return_if_fail (self != NULL);

  if (g_atomic_ref_count_dec (&self->ref_count))
    npz_free (self);
}

G_DEFINE_BOXED_TYPE (FlowNpz, flow_npz, flow_npz_ref, flow_npz_unref)

static guint64
get_number (const guint8 *p,
            int           n_bytes)
{
  guint64 value = 0;

  for (int i = n_bytes - 1; i >= 0; i--)
    value = value << 8 | p[i];
  return value;
}

static gboolean
read_at (FlowNpz  *self,
         guint64   offset,
         gpointer  into,
         gsize     n,
         GError  **error)
{
  FlowByteSource source;
  gboolean ok;

  FLOW_REQUIRE (offset <= self->size && n <= self->size - offset, error, DATA_LOSS,
                "%s: %" G_GSIZE_FORMAT " bytes at %" G_GUINT64_FORMAT " are past the end of the file",
                self->path, n, offset);
  _flow_byte_source_init_fd (&source, self->fd, offset, n);
  ok = _flow_byte_source_read (&source, into, n, error);
  _flow_byte_source_clear (&source);
  return ok;
}

/* Where the directory is. With more than 4 GiB or 65535 members the old record is full of ones and a
 * wider one stands before it. */
static gboolean
find_directory (FlowNpz  *self,
                guint64  *offset,
                guint64  *n_bytes,
                GError  **error)
{
  gsize tail = (gsize) MIN (self->size, MAX_TAIL);
  g_autofree guint8 *bytes = g_malloc (MAX (tail, 1));
  gssize at;
  guint64 end_offset;

  if (!read_at (self, self->size - tail, bytes, tail, error))
    return FALSE;
  for (at = (gssize) tail - END_BYTES; at >= 0; at--)
    if (get_number (bytes + at, 4) == END_SIGNATURE)
      break;
  FLOW_REQUIRE (at >= 0, error, DATA_LOSS, "%s: File is not a zip file", self->path);

  *n_bytes = get_number (bytes + at + 12, 4);
  *offset = get_number (bytes + at + 16, 4);
  end_offset = self->size - tail + (gsize) at;
  if (end_offset >= 20)
    {
      guint8 locator[20];
      guint8 wide[56];

      if (!read_at (self, end_offset - 20, locator, sizeof locator, error))
        return FALSE;
      if (get_number (locator, 4) == END64_LOCATOR_SIGNATURE)
        {
          if (!read_at (self, get_number (locator + 8, 8), wide, sizeof wide, error))
            return FALSE;
          FLOW_REQUIRE (get_number (wide, 4) == END64_SIGNATURE, error, DATA_LOSS,
                        "%s: the zip64 record is damaged", self->path);
          *n_bytes = get_number (wide + 40, 8);
          *offset = get_number (wide + 48, 8);
        }
    }
  FLOW_REQUIRE (*offset <= self->size && *n_bytes <= self->size - *offset, error, DATA_LOSS,
                "%s: the zip directory is past the end of the file", self->path);
  FLOW_REQUIRE (*n_bytes <= MAX_DIRECTORY_BYTES, error, RESOURCE_EXHAUSTED,
                "%s: a zip directory of %" G_GUINT64_FORMAT " bytes", self->path, *n_bytes);
  return TRUE;
}

/* The extra field holds, in this order, whichever of the three is all ones in the entry. */
static gboolean
widen (Member       *member,
       const guint8 *extra,
       gsize         n)
{
  gboolean need_size = member->size == G_MAXUINT32;
  gboolean need_stored = member->stored == G_MAXUINT32;
  gboolean need_offset = member->offset == G_MAXUINT32;

  while (n >= 4)
    {
      gsize id = (gsize) get_number (extra, 2);
      gsize length = (gsize) get_number (extra + 2, 2);
      const guint8 *p = extra + 4;
      gsize needed = 8 * ((gsize) need_size + need_stored + need_offset);

      if (length > n - 4)
        return FALSE;
      if (id == 1)
        {
          if (length < needed)
            return FALSE;
          if (need_size)
            {
              member->size = get_number (p, 8);
              p += 8;
            }
          if (need_stored)
            {
              member->stored = get_number (p, 8);
              p += 8;
            }
          if (need_offset)
            member->offset = get_number (p, 8);
          return TRUE;
        }
      extra += 4 + length;
      n -= 4 + length;
    }
  return !need_size && !need_stored && !need_offset;
}

static gboolean
read_directory (FlowNpz  *self,
                GError  **error)
{
  g_autofree guint8 *bytes = NULL;
  guint64 offset;
  guint64 n_bytes;
  gsize at = 0;

  if (!find_directory (self, &offset, &n_bytes, error))
    return FALSE;
  bytes = g_try_malloc ((gsize) MAX (n_bytes, 1));
  FLOW_REQUIRE (bytes != NULL, error, RESOURCE_EXHAUSTED, "%s: no memory for the zip directory", self->path);
  if (!read_at (self, offset, bytes, (gsize) n_bytes, error))
    return FALSE;

  while (n_bytes - at >= ENTRY_BYTES && get_number (bytes + at, 4) == ENTRY_SIGNATURE)
    {
      const guint8 *p = bytes + at;
      gsize name_length = (gsize) get_number (p + 28, 2);
      gsize extra_length = (gsize) get_number (p + 30, 2);
      gsize comment_length = (gsize) get_number (p + 32, 2);
      gsize whole = ENTRY_BYTES + name_length + extra_length + comment_length;
      Member member = {
        .offset = get_number (p + 42, 4),
        .stored = get_number (p + 20, 4),
        .size = get_number (p + 24, 4),
        .crc = (guint32) get_number (p + 16, 4),
        .method = (guint16) get_number (p + 10, 2),
        .flags = (guint16) get_number (p + 8, 2),
      };
      char *name;

      FLOW_REQUIRE (whole <= n_bytes - at
                    && widen (&member, p + ENTRY_BYTES + name_length, extra_length)
                    && memchr (p + ENTRY_BYTES, '\0', name_length) == NULL,
                    error, DATA_LOSS, "%s: the zip directory is damaged", self->path);
      name = g_strndup ((const char *) p + ENTRY_BYTES, name_length);
      if (g_str_has_suffix (name, ".npy"))
        name[name_length - 4] = '\0';
      /* The last of one name counts, as for Python's zipfile. */
      if (!g_hash_table_contains (self->members, name))
        g_ptr_array_add (self->names, name);
      else
        {
          gpointer old = NULL;
          g_hash_table_lookup_extended (self->members, name, &old, NULL);
          g_free (name);
          name = g_strdup (old);
        }
      g_hash_table_insert (self->members, name, g_memdup2 (&member, sizeof member));
      at += whole;
    }
  FLOW_REQUIRE (at == n_bytes, error, DATA_LOSS, "%s: the zip directory is damaged", self->path);
  return TRUE;
}

/**
 * flow_npz_open:
 * @path: a `.npz` file
 * @error: where to put an error
 *
 * Reads the directory of the file alone.
 *
 * Returns: (transfer full): the open file; %NULL with %FLOW_ERROR_DATA_LOSS if it is no zip file or
 *   damaged, or the system's error
 */
FlowNpz *
flow_npz_open (const char  *path,
               GError     **error)
{
  g_autoptr (FlowNpz) self = NULL;
  struct stat st;

  g_return_val_if_fail (path != NULL, NULL);

  self = g_new0 (FlowNpz, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->path = g_strdup (path);
  self->members = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->names = g_ptr_array_new ();
  self->fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (self->fd < 0 || fstat (self->fd, &st) != 0)
    {
      flow_error_set_from_errno (error, errno, path);
      return NULL;
    }
  if (!S_ISREG (st.st_mode))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION, "%s; not a regular file", path);
      return NULL;
    }
  self->size = (guint64) st.st_size;
  if (!read_directory (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

static FlowTensor *
read_member (FlowNpz     *self,
             const char  *name,
             FlowBudget  *budget,
             GError     **error)
{
  const Member *member = g_hash_table_lookup (self->members, name);
  FlowByteSource source;
  FlowTensor *tensor = NULL;
  guint8 local[LOCAL_BYTES];
  guint64 start;

  if (member == NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "%s is not a file in the archive %s", name, self->path);
      return NULL;
    }
  if ((member->method != 0 && member->method != 8) || (member->flags & 1) != 0)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_UNIMPLEMENTED,
                   "%s: member %s is encrypted or compressed with method %u", self->path, name, member->method);
      return NULL;
    }
  if (!read_at (self, member->offset, local, sizeof local, error))
    return NULL;
  start = member->offset + LOCAL_BYTES + get_number (local + 26, 2) + get_number (local + 28, 2);
  if (get_number (local, 4) != LOCAL_SIGNATURE || start > self->size || member->stored > self->size - start
      || (member->method == 0 && member->stored != member->size))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, "%s: member %s is damaged", self->path, name);
      return NULL;
    }

  _flow_byte_source_init_fd (&source, self->fd, start, member->stored);
  if (member->method == 0 || _flow_byte_source_inflate (&source, member->size, error))
    tensor = _flow_npy_read_source (&source, budget, error);
  if (tensor == NULL)
    {
      g_prefix_error (error, "%s: member %s: ", self->path, name);
    }
  /* The CRC is over all bytes; where the array ends before them nothing can be said. */
  else if (source.left == 0 && source.crc != member->crc)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, "%s: Bad CRC-32 for file '%s.npy'", self->path, name);
      g_clear_pointer (&tensor, flow_tensor_unref);
    }
  _flow_byte_source_clear (&source);
  return tensor;
}

/* KEY#len and KEY#data to one tensor of strings. */
static FlowTensor *
join_strings (FlowNpz     *self,
              const char  *key,
              FlowBudget  *budget,
              GError     **error)
{
  g_autofree char *len_name = g_strconcat (key, "#len", NULL);
  g_autofree char *data_name = g_strconcat (key, "#data", NULL);
  g_autoptr (FlowTensor) lengths = read_member (self, len_name, budget, error);
  g_autoptr (FlowTensor) data = NULL;
  g_autoptr (FlowTensor) result = NULL;
  g_autoptr (GBytes) all = NULL;
  gsize at = 0;

  if (lengths == NULL)
    return NULL;
  data = read_member (self, data_name, budget, error);
  if (data == NULL)
    return NULL;
  if (lengths->dtype != FLOW_DTYPE_INT64 || data->dtype != FLOW_DTYPE_UINT8)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "%s: %s#len must be int64 and %s#data uint8", self->path, key, key);
      return NULL;
    }
  result = flow_tensor_new (FLOW_DTYPE_STRING, lengths->shape, budget, error);
  if (result == NULL)
    return NULL;
  all = flow_tensor_dup_bytes (data);
  for (gint64 i = 0; i < result->n_elements; i++)
    {
      gint64 length = ((const gint64 *) lengths->data)[i];

      if (length < 0 || (guint64) length > data->n_bytes - at)
        {
          g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS,
                       "%s: %s#len has lengths that %s#data does not hold", self->path, key, key);
          return NULL;
        }
      if (length > 0)
        flow_tensor_take_string (result, i, g_bytes_new ((const guint8 *) data->data + at, (gsize) length));
      at += (gsize) length;
    }
  return g_steal_pointer (&result);
}

/* The dtype that KEY#dtype names: text (numpy's U or S) or its bytes. */
static gboolean
apply_dtype (FlowNpz      *self,
             const char   *key,
             FlowTensor  **tensor,
             GError      **error)
{
  g_autofree char *name = g_strconcat (key, "#dtype", NULL);
  g_autoptr (FlowTensor) text = NULL;
  g_autoptr (FlowTensor) plain = g_steal_pointer (tensor);
  g_autofree char *dtype_name = NULL;
  const char *bytes;
  gsize length = 0;
  int dtype;

  if (!g_hash_table_contains (self->members, name))
    {
      *tensor = g_steal_pointer (&plain);
      return TRUE;
    }
  text = read_member (self, name, NULL, error);
  if (text == NULL)
    return FALSE;
  FLOW_REQUIRE ((text->dtype == FLOW_DTYPE_STRING && text->n_elements == 1) || text->dtype == FLOW_DTYPE_UINT8,
                error, INVALID_ARGUMENT, "%s: %s must be a text", self->path, name);
  if (text->dtype == FLOW_DTYPE_STRING)
    {
      bytes = flow_tensor_get_string (text, 0, &length);
    }
  else
    {
      bytes = text->data;
      length = text->n_bytes;
    }
  dtype_name = g_strndup (bytes, length);
  dtype = flow_dtype_from_string (dtype_name);
  FLOW_REQUIRE (flow_dtype_is_valid (dtype) && !flow_dtype_is_ref (dtype) && _flow_npy_descr ((FlowDType) dtype) != NULL
                && flow_dtype_size (dtype) == flow_dtype_size (plain->dtype) && plain->dtype != FLOW_DTYPE_STRING,
                error, INVALID_ARGUMENT, "%s: %s names no dtype for elements of %s", self->path, name,
                flow_dtype_name (plain->dtype));
  *tensor = flow_tensor_bitcast (plain, (FlowDType) dtype, plain->shape, error);
  return *tensor != NULL;
}

/**
 * flow_npz_read:
 * @self: an open file
 * @key: the key of an array, as flow_npz_list_keys() gives it
 * @budget: (nullable): what to ask for the memory
 * @error: where to put an error
 *
 * Reads one array and checks its CRC. The two members `KEY#len` and `KEY#data` make a tensor of
 * strings, `KEY#dtype` says which dtype bits are of.
 *
 * Returns: (transfer full): the array; %NULL with %FLOW_ERROR_NOT_FOUND if there is no such key, or
 *   as flow_npy_read()
 */
FlowTensor *
flow_npz_read (FlowNpz     *self,
               const char  *key,
               FlowBudget  *budget,
               GError     **error)
{
  FlowTensor *tensor;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (key != NULL, NULL);

  if (!g_hash_table_contains (self->members, key) && flow_npz_has_key (self, key))
    return join_strings (self, key, budget, error);
  tensor = read_member (self, key, budget, error);
  if (tensor == NULL || !apply_dtype (self, key, &tensor, error))
    return NULL;
  return tensor;
}

/**
 * flow_npz_has_key:
 * @self: an open file
 * @key: a key
 *
 * Returns: whether flow_npz_read() would find an array of that key
 */
gboolean
flow_npz_has_key (FlowNpz    *self,
                  const char *key)
{
  g_autofree char *len_name = NULL;
  g_autofree char *data_name = NULL;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (key != NULL, FALSE);

  len_name = g_strconcat (key, "#len", NULL);
  data_name = g_strconcat (key, "#data", NULL);
  return g_hash_table_contains (self->members, key)
         || (g_hash_table_contains (self->members, len_name) && g_hash_table_contains (self->members, data_name));
}

/**
 * flow_npz_list_keys:
 * @self: an open file
 *
 * Returns: (transfer full) (array zero-terminated=1): the keys in the order of the file, a tensor of
 *   strings once and without what is only an addition to another key
 */
char **
flow_npz_list_keys (FlowNpz *self)
{
  GPtrArray *keys;

  g_return_val_if_fail (self != NULL, NULL);

  keys = g_ptr_array_new ();
  for (guint i = 0; i < self->names->len; i++)
    {
      const char *name = g_ptr_array_index (self->names, i);
      const char *mark = strrchr (name, '#');
      g_autofree char *base = mark != NULL ? g_strndup (name, (gsize) (mark - name)) : NULL;

      if (mark != NULL && strcmp (mark, "#dtype") == 0 && g_hash_table_contains (self->members, base))
        continue;
      if (mark != NULL && strcmp (mark, "#data") == 0 && flow_npz_has_key (self, base))
        continue;
      if (mark != NULL && strcmp (mark, "#len") == 0 && flow_npz_has_key (self, base))
        g_ptr_array_add (keys, g_steal_pointer (&base));
      else
        g_ptr_array_add (keys, g_strdup (name));
    }
  g_ptr_array_add (keys, NULL);
  return (char **) g_ptr_array_free (keys, FALSE);
}
