/* flow-link-parcel.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-link-parcel.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Up to this it is cheaper to copy than to pass a file (a call that returns a memfd costs some 160
 * microseconds), and no message comes near a megabyte. */
#define MAX_INLINE_BYTES (64 * 1024)
#define PIECE_ALIGNMENT 64
#define HEAD_TYPE "(ta(iaxtt))"
#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)

static gsize
aligned (gsize size)
{
  return (size + PIECE_ALIGNMENT - 1) & ~(gsize) (PIECE_ALIGNMENT - 1);
}

static gsize
piece_size (const FlowTensor *tensor)
{
  if (tensor->dtype == FLOW_DTYPE_STRING)
    return (gsize) tensor->n_elements * sizeof (guint64)
           + (flow_tensor_get_n_bytes (tensor) - tensor->n_bytes);
  if (tensor->dtype == FLOW_DTYPE_RESOURCE)
    {
      gsize size = 0;

      for (gint64 i = 0; i < tensor->n_elements; i++)
        {
          const FlowHandle *handle = FLOW_DATA (FlowHandle *, tensor)[i];

          size += handle != NULL ? strlen (handle->container) + strlen (handle->name) + strlen (handle->type_name) + 3 : 3;
        }
      return size;
    }
  return tensor->dtype == FLOW_DTYPE_VARIANT ? 0 : tensor->n_bytes;
}

static guint8 *
write_text (guint8     *to,
            const char *text)
{
  gsize size = strlen (text) + 1;

  memcpy (to, text, size);
  return to + size;
}

static void
write_piece (guint8           *to,
             const FlowTensor *tensor)
{
  if (tensor->dtype == FLOW_DTYPE_STRING)
    {
      guint8 *bytes = to + (gsize) tensor->n_elements * sizeof (guint64);

      for (gint64 i = 0; i < tensor->n_elements; i++)
        {
          gsize length;
          const char *text = flow_tensor_get_string (tensor, i, &length);
          guint64 wide = length;

          memcpy (to + (gsize) i * sizeof wide, &wide, sizeof wide);
          memcpy (bytes, text, length);
          bytes += length;
        }
    }
  else if (tensor->dtype == FLOW_DTYPE_RESOURCE)
    {
      for (gint64 i = 0; i < tensor->n_elements; i++)
        {
          const FlowHandle *handle = FLOW_DATA (FlowHandle *, tensor)[i];

          to = write_text (to, handle != NULL ? handle->container : "");
          to = write_text (to, handle != NULL ? handle->name : "");
          to = write_text (to, handle != NULL ? handle->type_name : "");
        }
    }
  else if (tensor->dtype != FLOW_DTYPE_VARIANT && tensor->n_bytes > 0)
    memcpy (to, tensor->data, tensor->n_bytes);
}

static GVariant *
tensor_row (const FlowTensor *tensor,
            gsize             offset,
            gsize             size)
{
  GVariant *dims = g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, FLOW_DIMS (tensor), (gsize) FLOW_RANK (tensor), sizeof (gint64));

  return g_variant_new ("(i@axtt)", (int) tensor->dtype, dims, (guint64) offset, (guint64) size);
}

/* A memfd of @size bytes, mapped to be written. */
static int
open_memfd (gsize     size,
            guint8  **data,
            GError  **error)
{
  int fd = memfd_create ("flowstep", MFD_CLOEXEC | MFD_ALLOW_SEALING);

  if (fd < 0)
    {
      flow_error_set_from_errno (error, errno, "memfd");
      return -1;
    }
  if (ftruncate (fd, (off_t) size) != 0)
    {
      flow_error_set_from_errno (error, errno, "memfd");
      close (fd);
      return -1;
    }
  *data = mmap (NULL, MAX (size, 1), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (*data == MAP_FAILED)
    {
      flow_error_set_from_errno (error, errno, "memfd");
      close (fd);
      return -1;
    }
  return fd;
}

static gboolean
seal_memfd (int       fd,
            guint8   *data,
            gsize     size,
            GError  **error)
{
  munmap (data, MAX (size, 1));
  if (fcntl (fd, F_ADD_SEALS, SEALS) == 0)
    return TRUE;
  flow_error_set_from_errno (error, errno, "memfd");
  return FALSE;
}

int
_flow_link_seal_bytes (GBytes  *bytes,
                       GError **error)
{
  gsize size;
  gconstpointer from = g_bytes_get_data (bytes, &size);
  guint8 *data;
  int fd = open_memfd (size, &data, error);

  if (fd < 0)
    return -1;
  if (size > 0)
    memcpy (data, from, size);
  if (seal_memfd (fd, data, size, error))
    return fd;
  close (fd);
  return -1;
}

typedef struct {
  gpointer data;
  gsize size;
} Mapping;

static void
mapping_free (gpointer data)
{
  Mapping *self = data;

  munmap (self->data, self->size);
  g_free (self);
}

GBytes *
_flow_link_map_sealed (int      fd,
                       GError **error)
{
  struct stat st;
  Mapping *mapping;
  int seals = fcntl (fd, F_GET_SEALS);
  gpointer data;

  /* Without the seals the other side could take pages away while we read them. */
  if (seals < 0 || (seals & SEALS) != SEALS || fstat (fd, &st) != 0)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INTERNAL, "the engine sent a file that is not sealed");
      return NULL;
    }
  if (st.st_size == 0)
    return g_bytes_new (NULL, 0);
  data = mmap (NULL, (gsize) st.st_size, PROT_READ, MAP_SHARED, fd, 0);
  if (data == MAP_FAILED)
    {
      flow_error_set_from_errno (error, errno, "memfd");
      return NULL;
    }
  mapping = g_new (Mapping, 1);
  mapping->data = data;
  mapping->size = (gsize) st.st_size;
  return g_bytes_new_with_free_func (data, mapping->size, mapping_free, mapping);
}

static void
write_all (guint8    *to,
           GVariant  *value,
           GPtrArray *tensors)
{
  gsize offset = aligned (g_variant_get_size (value));

  g_variant_store (value, to);
  for (guint i = 0; tensors != NULL && i < tensors->len; i++)
    {
      write_piece (to + offset, tensors->pdata[i]);
      offset += aligned (piece_size (tensors->pdata[i]));
    }
}

gboolean
_flow_link_parcel_pack (GVariant        *value,
                        GPtrArray       *tensors,
                        FlowLinkParcel  *parcel,
                        GError         **error)
{
  g_autoptr (GVariant) boxed = g_variant_ref_sink (g_variant_new_variant (value));
  gsize value_size = g_variant_get_size (boxed);
  gsize total = aligned (value_size);
  GVariantBuilder rows;
  guint8 *data;

  memset (parcel, 0, sizeof *parcel);
  g_variant_builder_init (&rows, G_VARIANT_TYPE ("a(iaxtt)"));
  for (guint i = 0; tensors != NULL && i < tensors->len; i++)
    {
      gsize size = piece_size (tensors->pdata[i]);

      g_variant_builder_add_value (&rows, tensor_row (tensors->pdata[i], total, size));
      total += aligned (size);
    }
  parcel->head = g_variant_ref_sink (g_variant_new ("(ta(iaxtt))", (guint64) value_size, &rows));
  if (total <= MAX_INLINE_BYTES)
    {
      data = g_malloc0 (MAX (total, 1));
      write_all (data, boxed, tensors);
      parcel->inline_bytes = g_variant_ref_sink (g_variant_new_from_data (G_VARIANT_TYPE_BYTESTRING, data, total, TRUE, g_free, data));
      return TRUE;
    }
  else
    {
      int fd = open_memfd (total, &data, error);

      if (fd < 0)
        goto fail;
      write_all (data, boxed, tensors);
      if (!seal_memfd (fd, data, total, error))
        {
          close (fd);
          goto fail;
        }
      parcel->fds = g_unix_fd_list_new_from_array (&fd, 1);
      parcel->inline_bytes = g_variant_ref_sink (g_variant_new_array (G_VARIANT_TYPE_BYTE, NULL, 0));
      return TRUE;
    }

fail:
  _flow_link_parcel_clear (parcel);
  return FALSE;
}

void
_flow_link_parcel_clear (FlowLinkParcel *parcel)
{
  g_clear_pointer (&parcel->head, g_variant_unref);
  g_clear_pointer (&parcel->inline_bytes, g_variant_unref);
  g_clear_object (&parcel->fds);
}

static FlowTensor *
read_strings (const FlowShape  *shape,
              GBytes           *piece,
              GError          **error)
{
  g_autoptr (FlowTensor) tensor = NULL;
  gsize size;
  const guint8 *data = g_bytes_get_data (piece, &size);
  gint64 n;
  gsize at;

  if (!flow_shape_n_elements (shape, &n) || (guint64) n > size / sizeof (guint64))
    goto fail;
  tensor = flow_tensor_new (FLOW_DTYPE_STRING, shape, NULL, error);
  if (tensor == NULL)
    return NULL;
  at = (gsize) n * sizeof (guint64);
  for (gint64 i = 0; i < n; i++)
    {
      guint64 length;

      memcpy (&length, data + (gsize) i * sizeof length, sizeof length);
      if (length > size - at)
        goto fail;
      flow_tensor_take_string (tensor, i, g_bytes_new (data + at, (gsize) length));
      at += (gsize) length;
    }
  return g_steal_pointer (&tensor);

fail:
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INTERNAL, "a string tensor of a parcel is damaged");
  return NULL;
}

static FlowTensor *
read_handles (const FlowShape  *shape,
              GBytes           *piece,
              GError          **error)
{
  g_autoptr (FlowTensor) tensor = NULL;
  gsize size;
  const char *data = g_bytes_get_data (piece, &size);
  gsize at = 0;
  gint64 n;

  if (!flow_shape_n_elements (shape, &n) || (guint64) n > size / 3)
    goto fail;
  tensor = flow_tensor_new (FLOW_DTYPE_RESOURCE, shape, NULL, error);
  if (tensor == NULL)
    return NULL;
  for (gint64 i = 0; i < n; i++)
    {
      const char *texts[3];

      for (int k = 0; k < 3; k++)
        {
          const char *end = at < size ? memchr (data + at, 0, size - at) : NULL;

          if (end == NULL)
            goto fail;
          texts[k] = data + at;
          at = (gsize) (end - data) + 1;
        }
      ((FlowHandle **) tensor->data)[i] = flow_handle_new (texts[0], texts[1], texts[2], FLOW_DTYPE_INVALID, NULL);
    }
  return g_steal_pointer (&tensor);

fail:
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INTERNAL, "a resource tensor of a parcel is damaged");
  return NULL;
}

static FlowTensor *
read_tensor (GVariant  *row,
             GBytes    *blob,
             GError   **error)
{
  g_autoptr (GVariant) dims = g_variant_get_child_value (row, 1);
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (GBytes) piece = NULL;
  gsize rank;
  const gint64 *sizes = g_variant_get_fixed_array (dims, &rank, sizeof (gint64));
  guint64 offset;
  guint64 size;
  int dtype;

  g_variant_get_child (row, 0, "i", &dtype);
  g_variant_get_child (row, 2, "t", &offset);
  g_variant_get_child (row, 3, "t", &size);
  if (rank > FLOW_SHAPE_MAX_RANK || offset > g_bytes_get_size (blob) || size > g_bytes_get_size (blob) - offset)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INTERNAL, "a tensor of a parcel is damaged");
      return NULL;
    }
  shape = flow_shape_new ((int) rank, sizes);
  piece = g_bytes_new_from_bytes (blob, (gsize) offset, (gsize) size);
  if (dtype == FLOW_DTYPE_STRING)
    return read_strings (shape, piece, error);
  if (dtype == FLOW_DTYPE_RESOURCE)
    return read_handles (shape, piece, error);
  if (dtype == FLOW_DTYPE_VARIANT)
    return flow_tensor_new (FLOW_DTYPE_VARIANT, shape, NULL, error);
  return flow_tensor_new_from_bytes ((FlowDType) dtype, shape, piece, error);
}

gboolean
_flow_link_parcel_unpack (GVariant     *head,
                          GVariant     *inline_bytes,
                          GUnixFDList  *fds,
                          GVariant    **value,
                          GPtrArray   **tensors,
                          GError      **error)
{
  g_autoptr (GBytes) blob = NULL;
  g_autoptr (GBytes) value_bytes = NULL;
  g_autoptr (GVariant) rows = NULL;
  g_autoptr (GVariant) boxed = NULL;
  g_autoptr (GPtrArray) list = NULL;
  guint64 value_size;

  if (fds != NULL && g_unix_fd_list_get_length (fds) > 0)
    blob = _flow_link_map_sealed (g_unix_fd_list_peek_fds (fds, NULL)[0], error);
  else
    blob = g_variant_get_data_as_bytes (inline_bytes);
  if (blob == NULL)
    return FALSE;
  g_variant_get_child (head, 0, "t", &value_size);
  FLOW_REQUIRE (value_size <= g_bytes_get_size (blob), error, INTERNAL, "a parcel is shorter than it says");
  value_bytes = g_bytes_new_from_bytes (blob, 0, (gsize) value_size);
  boxed = g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE_VARIANT, value_bytes, FALSE));
  rows = g_variant_get_child_value (head, 1);
  list = g_ptr_array_new_with_free_func ((GDestroyNotify) (void (*) (void)) flow_tensor_unref);
  for (gsize i = 0; i < g_variant_n_children (rows); i++)
    {
      g_autoptr (GVariant) row = g_variant_get_child_value (rows, i);
      FlowTensor *tensor = read_tensor (row, blob, error);

      if (tensor == NULL)
        return FALSE;
      g_ptr_array_add (list, tensor);
    }
  *value = g_variant_get_variant (boxed);
  *tensors = g_steal_pointer (&list);
  return TRUE;
}
