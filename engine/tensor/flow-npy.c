/* flow-npy.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-npy.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "flow-util.h"

#include "flow-npy-private.h"

static const char magic[6] = { '\x93', 'N', 'U', 'M', 'P', 'Y' };

/* numpy pads its headers so that the elements are aligned to this. */
#define HEADER_ALIGNMENT 64

/* A header is a few dozen bytes and up to 20 a dimension. */
#define MAX_HEADER_BYTES 65536

typedef struct {
  char kind;             /* as in descr: f i u b c S U V */
  gboolean swapped;
  gint64 width;          /* bytes of an element as it lies */
  FlowDType dtype;
  gboolean fortran_order;
  FlowShape *shape;
} Header;

static const struct {
  FlowDType dtype;
  const char *descr;
} descrs[] = {
  { FLOW_DTYPE_FLOAT, "<f4" },
  { FLOW_DTYPE_DOUBLE, "<f8" },
  { FLOW_DTYPE_INT32, "<i4" },
  { FLOW_DTYPE_UINT8, "|u1" },
  { FLOW_DTYPE_INT16, "<i2" },
  { FLOW_DTYPE_INT8, "|i1" },
  { FLOW_DTYPE_COMPLEX64, "<c8" },
  { FLOW_DTYPE_INT64, "<i8" },
  { FLOW_DTYPE_BOOL, "|b1" },
  { FLOW_DTYPE_UINT16, "<u2" },
  { FLOW_DTYPE_COMPLEX128, "<c16" },
  { FLOW_DTYPE_HALF, "<f2" },
  { FLOW_DTYPE_UINT32, "<u4" },
  { FLOW_DTYPE_UINT64, "<u8" },
  /* What has no numpy dtype stands as its bits; these rows come last: reading finds the first. */
  { FLOW_DTYPE_BFLOAT16, "<u2" },
  { FLOW_DTYPE_QINT8, "|i1" },
  { FLOW_DTYPE_QUINT8, "|u1" },
  { FLOW_DTYPE_QINT16, "<i2" },
  { FLOW_DTYPE_QUINT16, "<u2" },
  { FLOW_DTYPE_QINT32, "<i4" },
};

/*
 * _flow_npy_descr:
 *
 * Returns: numpy's dtype text for the elements as they lie in memory; NULL where they are pointers
 */
const char *
_flow_npy_descr (FlowDType dtype)
{
  for (guint i = 0; i < G_N_ELEMENTS (descrs); i++)
    if (descrs[i].dtype == dtype)
      return descrs[i].descr;
  return NULL;
}

static void
header_clear (Header *self)
{
  g_clear_pointer (&self->shape, flow_shape_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Header, header_clear)

static void
skip_blanks (const char **p)
{
  while (**p == ' ' || **p == '\n' || **p == '\t')
    (*p)++;
}

static gboolean
parse_quoted (const char **p,
              char       **text)
{
  char quote = **p;
  const char *end;

  if (quote != '\'' && quote != '"')
    return FALSE;
  end = strchr (*p + 1, quote);
  if (end == NULL)
    return FALSE;
  *text = g_strndup (*p + 1, (gsize) (end - *p - 1));
  *p = end + 1;
  return TRUE;
}

static gboolean
parse_shape (const char **p,
             FlowShape  **shape)
{
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  int rank = 0;

  if (*(*p)++ != '(')
    return FALSE;
  for (;;)
    {
      char *end;

      skip_blanks (p);
      if (**p == ')')
        break;
      if (!g_ascii_isdigit (**p) || rank == FLOW_SHAPE_MAX_RANK)
        return FALSE;
      errno = 0;
      dims[rank++] = g_ascii_strtoll (*p, &end, 10);
      if (errno != 0)
        return FALSE;
      *p = end;
      /* Python 2 wrote (3L, 4L). */
      if (**p == 'L')
        (*p)++;
      skip_blanks (p);
      if (**p == ',')
        (*p)++;
      else if (**p != ')')
        return FALSE;
    }
  (*p)++;
  g_clear_pointer (shape, flow_shape_unref);
  *shape = flow_shape_new (rank, dims);
  return TRUE;
}

static gboolean
parse_descr (const char  *descr,
             Header      *header,
             GError     **error)
{
  char order = descr[0];
  char *end = NULL;

  FLOW_REQUIRE (strchr ("<>|=", order) != NULL && order != '\0' && descr[1] != '\0', error, INVALID_ARGUMENT,
                "descr is not a valid dtype descriptor: '%s'", descr);
  header->kind = descr[1];
  FLOW_REQUIRE (header->kind != 'O', error, UNIMPLEMENTED,
                "Object arrays cannot be loaded when allow_pickle=False");
  header->width = g_ascii_isdigit (descr[2]) ? g_ascii_strtoll (descr + 2, &end, 10) : -1;
  FLOW_REQUIRE (end != NULL && *end == '\0' && header->width >= 0 && header->width <= G_MAXINT32, error,
                INVALID_ARGUMENT, "descr is not a valid dtype descriptor: '%s'", descr);
  header->swapped = order == '>';
  if (header->kind == 'S' || header->kind == 'U')
    {
      header->dtype = FLOW_DTYPE_STRING;
      if (header->kind == 'U')
        header->width *= 4;
      return TRUE;
    }
  /* How numpy names the bfloat16 that TensorFlow registers with it. */
  if (header->kind == 'V' && header->width == 2)
    {
      header->dtype = FLOW_DTYPE_BFLOAT16;
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (descrs); i++)
    if (strcmp (descrs[i].descr + 1, descr + 1) == 0)
      {
        header->dtype = descrs[i].dtype;
        return TRUE;
      }
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_UNIMPLEMENTED, "arrays of numpy's dtype '%s' cannot be read", descr);
  return FALSE;
}

/* A Python dict of three known keys, in any order. */
static gboolean
parse_header (const char  *text,
              Header      *header,
              GError     **error)
{
  const char *p = text;
  gboolean seen_descr = FALSE;
  gboolean seen_order = FALSE;

  skip_blanks (&p);
  FLOW_REQUIRE (*p++ == '{', error, DATA_LOSS, "Cannot parse header: no dictionary");
  for (;;)
    {
      g_autofree char *key = NULL;

      skip_blanks (&p);
      if (*p == '}')
        break;
      FLOW_REQUIRE (parse_quoted (&p, &key), error, DATA_LOSS, "Cannot parse header: no key");
      skip_blanks (&p);
      FLOW_REQUIRE (*p++ == ':', error, DATA_LOSS, "Cannot parse header: no value of '%s'", key);
      skip_blanks (&p);
      if (strcmp (key, "descr") == 0)
        {
          g_autofree char *descr = NULL;

          FLOW_REQUIRE (*p != '[', error, UNIMPLEMENTED, "arrays of records cannot be read");
          FLOW_REQUIRE (parse_quoted (&p, &descr), error, DATA_LOSS, "Cannot parse header: descr");
          if (!parse_descr (descr, header, error))
            return FALSE;
          seen_descr = TRUE;
        }
      else if (strcmp (key, "fortran_order") == 0)
        {
          header->fortran_order = g_str_has_prefix (p, "True");
          FLOW_REQUIRE (header->fortran_order || g_str_has_prefix (p, "False"), error, DATA_LOSS,
                        "Cannot parse header: fortran_order");
          p += header->fortran_order ? 4 : 5;
          seen_order = TRUE;
        }
      else if (strcmp (key, "shape") == 0)
        {
          FLOW_REQUIRE (parse_shape (&p, &header->shape), error, DATA_LOSS, "shape is not valid in the header");
        }
      else
        {
          FLOW_REQUIRE (FALSE, error, DATA_LOSS, "Header does not contain the correct keys: '%s'", key);
        }
      skip_blanks (&p);
      if (*p == ',')
        p++;
    }
  FLOW_REQUIRE (seen_descr && seen_order && header->shape != NULL, error, DATA_LOSS,
                "Header does not contain the correct keys");
  return TRUE;
}

static gboolean
read_header (FlowByteSource  *source,
             Header          *header,
             GError         **error)
{
  guint8 start[8];
  guint8 length[4] = { 0 };
  gsize n;
  g_autofree char *text = NULL;

  if (!_flow_byte_source_read (source, start, sizeof start, error))
    return FALSE;
  FLOW_REQUIRE (memcmp (start, magic, sizeof magic) == 0, error, DATA_LOSS,
                "the magic string is not correct; expected '\\x93NUMPY'");
  FLOW_REQUIRE (start[6] >= 1 && start[6] <= 3, error, UNIMPLEMENTED,
                "we only support format version (1,0), (2,0), and (3,0), not (%u,%u)", start[6], start[7]);
  if (!_flow_byte_source_read (source, length, start[6] == 1 ? 2 : 4, error))
    return FALSE;
  n = length[0] | (gsize) length[1] << 8 | (gsize) length[2] << 16 | (gsize) length[3] << 24;
  FLOW_REQUIRE (n <= MAX_HEADER_BYTES, error, DATA_LOSS, "a header of %" G_GSIZE_FORMAT " bytes", n);
  text = g_malloc0 (n + 1);
  return _flow_byte_source_read (source, text, n, error) && parse_header (text, header, error);
}

static void
swap_cells (guint8 *cells,
            gsize   n_bytes,
            gsize   width)
{
  for (gsize at = 0; at + width <= n_bytes; at += width)
    for (gsize i = 0; i < width / 2; i++)
      {
        guint8 byte = cells[at + i];

        cells[at + i] = cells[at + width - 1 - i];
        cells[at + width - 1 - i] = byte;
      }
}

/* Column-major cells to row-major. Goes through the result in order and keeps the place in the
 * source up to date like a counter. */
static void
transpose_cells (const guint8    *from,
                 guint8          *to,
                 gsize            width,
                 const FlowShape *shape,
                 gint64           n_elements)
{
  gint64 index[FLOW_SHAPE_MAX_RANK] = { 0 };
  gint64 strides[FLOW_SHAPE_MAX_RANK];
  gint64 stride = 1;
  gint64 at = 0;

  for (int d = 0; d < shape->rank; d++)
    {
      strides[d] = stride;
      stride *= shape->dims[d];
    }
  for (gint64 i = 0; i < n_elements; i++)
    {
      memcpy (to + (gsize) i * width, from + (gsize) at * width, width);
      for (int d = shape->rank - 1; d >= 0; d--)
        {
          at += strides[d];
          if (++index[d] < shape->dims[d])
            break;
          at -= strides[d] * shape->dims[d];
          index[d] = 0;
        }
    }
}

/* Fixed-width cells padded with zeros at the end, of bytes or of UTF-32. */
static GBytes *
string_of_cell (const guint8  *cell,
                const Header  *header,
                GError       **error)
{
  gsize n = (gsize) header->width;
  GString *text;

  if (header->kind == 'S')
    {
      while (n > 0 && cell[n - 1] == 0)
        n--;
      return g_bytes_new (cell, n);
    }
  text = g_string_new (NULL);
  while (n > 0 && cell[n - 1] == 0 && cell[n - 2] == 0 && cell[n - 3] == 0 && cell[n - 4] == 0)
    n -= 4;
  for (gsize i = 0; i < n; i += 4)
    {
      guint32 c;

      memcpy (&c, cell + i, sizeof c);
      if (header->swapped)
        c = GUINT32_SWAP_LE_BE (c);
      if (!g_unichar_validate (c))
        {
          g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, "a text has the code point %#x, which is none", c);
          g_string_free (text, TRUE);
          return NULL;
        }
      g_string_append_unichar (text, c);
    }
  return g_string_free_to_bytes (text);
}

static gboolean
read_strings (FlowByteSource  *source,
              const Header    *header,
              FlowTensor      *tensor,
              FlowBudget      *budget,
              GError         **error)
{
  gint64 total;
  guint8 *cells;
  gboolean ok;

  FLOW_REQUIRE (flow_mul_int64 (tensor->n_elements, header->width, &total) && (guint64) total <= source->left,
                error, DATA_LOSS, "the array is cut off");
  FLOW_REQUIRE (budget == NULL || flow_budget_reserve (budget, (gsize) total), error, RESOURCE_EXHAUSTED,
                "OOM when reading %" G_GINT64_FORMAT " bytes of text", total);
  cells = g_try_malloc ((gsize) MAX (total, 1));
  ok = cells != NULL && _flow_byte_source_read (source, cells, (gsize) total, error);
  if (cells == NULL)
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "no memory for %" G_GINT64_FORMAT " bytes", total);
  for (gint64 i = 0; ok && i < tensor->n_elements; i++)
    {
      GBytes *text = string_of_cell (cells + i * header->width, header, error);

      ok = text != NULL;
      if (ok)
        flow_tensor_take_string (tensor, i, text);
    }
  g_free (cells);
  if (budget != NULL)
    flow_budget_release (budget, (gsize) total);
  return ok;
}

static FlowTensor *
reorder (FlowTensor  *tensor,
         FlowBudget  *budget,
         GError     **error)
{
  g_autoptr (FlowTensor) from = tensor;
  FlowTensor *to = flow_tensor_copy (from, budget, error);

  if (to == NULL)
    return NULL;
  if (from->dtype != FLOW_DTYPE_STRING)
    {
      transpose_cells (from->data, to->data, flow_dtype_size (from->dtype), from->shape, from->n_elements);
      return to;
    }
  /* The copies of the pointers already count; they only change places. */
  {
    g_autofree gpointer *cells = g_memdup2 (to->data, to->n_bytes);

    transpose_cells ((const guint8 *) cells, to->data, sizeof (gpointer), from->shape, from->n_elements);
  }
  return to;
}

FlowTensor *
_flow_npy_read_source (FlowByteSource  *source,
                       FlowBudget      *budget,
                       GError         **error)
{
  g_auto (Header) header = { 0 };
  g_autoptr (FlowTensor) tensor = NULL;
  gint64 n;
  gint64 n_bytes;

  if (!read_header (source, &header, error))
    return NULL;
  /* Against what is there, before anything is allocated for a claim. */
  if (!flow_shape_n_elements (header.shape, &n) || !flow_mul_int64 (n, header.width, &n_bytes)
      || (guint64) n_bytes > source->left)
    {
      g_autofree char *shape = flow_shape_to_string (header.shape);

      g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS,
                   "the array is cut off: a shape of %s needs more than the %" G_GUINT64_FORMAT " bytes there are",
                   shape, source->left);
      return NULL;
    }
  /* Strings of no width take no bytes of the file, whatever their number. */
  if (header.width == 0 && n > G_MAXINT32)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "%" G_GINT64_FORMAT " empty strings", n);
      return NULL;
    }

  tensor = flow_tensor_new (header.dtype, header.shape, budget, error);
  if (tensor == NULL)
    return NULL;
  if (header.dtype == FLOW_DTYPE_STRING)
    {
      if (!read_strings (source, &header, tensor, budget, error))
        return NULL;
    }
  else
    {
      if (!_flow_byte_source_read (source, tensor->data, tensor->n_bytes, error))
        return NULL;
      if (header.swapped)
        swap_cells (tensor->data, tensor->n_bytes, (gsize) header.width / (header.kind == 'c' ? 2 : 1));
      if (header.dtype == FLOW_DTYPE_BOOL)
        for (gint64 i = 0; i < tensor->n_elements; i++)
          ((guint8 *) tensor->data)[i] = ((guint8 *) tensor->data)[i] != 0;
    }
  if (header.fortran_order && header.shape->rank > 1)
    return reorder (g_steal_pointer (&tensor), budget, error);
  return g_steal_pointer (&tensor);
}

/**
 * flow_npy_read:
 * @bytes: the contents of a `.npy` file
 * @budget: (nullable): what to ask for the memory
 * @error: where to put an error
 *
 * Reads numpy's format 1 to 3: any byte order, row- or column-major. Arrays of bytes (`S`) and of
 * text (`U`, as UTF-8) become strings; `V2` is bfloat16.
 *
 * Returns: (transfer full): the array; %NULL with %FLOW_ERROR_DATA_LOSS if it is damaged,
 *   %FLOW_ERROR_UNIMPLEMENTED for dtypes that tensors do not have, among them pickled objects,
 *   %FLOW_ERROR_RESOURCE_EXHAUSTED if it does not fit the budget
 */
FlowTensor *
flow_npy_read (GBytes      *bytes,
               FlowBudget  *budget,
               GError     **error)
{
  FlowByteSource source;
  FlowTensor *tensor;

  g_return_val_if_fail (bytes != NULL, NULL);

  _flow_byte_source_init_bytes (&source, bytes);
  tensor = _flow_npy_read_source (&source, budget, error);
  _flow_byte_source_clear (&source);
  return tensor;
}

/**
 * flow_npy_load:
 * @path: a `.npy` file
 * @budget: (nullable): what to ask for the memory
 * @error: where to put an error
 *
 * Reads a file straight into the tensor's memory.
 *
 * Returns: (transfer full): the array; %NULL as flow_npy_read(), or with the system's error
 */
FlowTensor *
flow_npy_load (const char  *path,
               FlowBudget  *budget,
               GError     **error)
{
  FlowByteSource source;
  FlowTensor *tensor = NULL;
  struct stat st;
  int fd;

  g_return_val_if_fail (path != NULL, NULL);

  /* O_NONBLOCK: a FIFO under that name must not make us wait. */
  fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0 || fstat (fd, &st) != 0)
    {
      flow_error_set_from_errno (error, errno, path);
    }
  else if (!S_ISREG (st.st_mode))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION, "%s; not a regular file", path);
    }
  else
    {
      _flow_byte_source_init_fd (&source, fd, 0, (guint64) st.st_size);
      tensor = _flow_npy_read_source (&source, budget, error);
      if (tensor == NULL)
        g_prefix_error (error, "%s: ", path);
      _flow_byte_source_clear (&source);
    }
  if (fd >= 0)
    close (fd);
  return tensor;
}

/*
 * _flow_npy_make_header:
 *
 * Returns: (transfer full): all that stands before the elements, as numpy itself writes it
 */
GBytes *
_flow_npy_make_header (const char      *descr,
                       const FlowShape *shape)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GByteArray *bytes = g_byte_array_new ();
  guint8 version[2] = { 1, 0 };
  guint8 length[4];
  gsize length_bytes = 2;
  gsize n;

  g_string_append_printf (text, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
  for (int d = 0; d < shape->rank; d++)
    g_string_append_printf (text, d > 0 ? ", %" G_GINT64_FORMAT : "%" G_GINT64_FORMAT, shape->dims[d]);
  g_string_append (text, shape->rank == 1 ? ",), }" : "), }");
  if (text->len > G_MAXUINT16 - HEADER_ALIGNMENT)
    {
      version[0] = 2;
      length_bytes = 4;
    }
  while ((sizeof magic + 2 + length_bytes + text->len + 1) % HEADER_ALIGNMENT != 0)
    g_string_append_c (text, ' ');
  g_string_append_c (text, '\n');

  n = text->len;
  for (gsize i = 0; i < length_bytes; i++)
    length[i] = (guint8) (n >> (8 * i));
  g_byte_array_append (bytes, (const guint8 *) magic, sizeof magic);
  g_byte_array_append (bytes, version, 2);
  g_byte_array_append (bytes, length, (guint) length_bytes);
  g_byte_array_append (bytes, (const guint8 *) text->str, (guint) n);
  return g_byte_array_free_to_bytes (bytes);
}

static GBytes *
write_strings (const FlowTensor  *tensor,
               GError           **error)
{
  g_autoptr (GBytes) header = NULL;
  g_autofree char *descr = NULL;
  gsize width = 1;
  gsize total;
  gsize start;
  guint8 *bytes;

  for (gint64 i = 0; i < tensor->n_elements; i++)
    {
      gsize length;
      const char *text = flow_tensor_get_string (tensor, i, &length);

      if (length > 0 && text[length - 1] == '\0')
        {
          g_set_error (error, FLOW_ERROR, FLOW_ERROR_UNIMPLEMENTED,
                       "a string that ends in a zero byte does not survive .npy; use .npz");
          return NULL;
        }
      width = MAX (width, length);
    }
  descr = g_strdup_printf ("|S%" G_GSIZE_FORMAT, width);
  header = _flow_npy_make_header (descr, tensor->shape);
  start = g_bytes_get_size (header);
  bytes = NULL;
  if (width <= G_MAXINT32 && g_size_checked_mul (&total, width, (gsize) tensor->n_elements)
      && g_size_checked_add (&total, total, start))
    bytes = g_try_malloc0 (total);
  if (bytes == NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED,
                   "strings of up to %" G_GSIZE_FORMAT " bytes are too long for .npy; use .npz", width);
      return NULL;
    }
  memcpy (bytes, g_bytes_get_data (header, NULL), start);
  for (gint64 i = 0; i < tensor->n_elements; i++)
    {
      gsize length;
      const char *text = flow_tensor_get_string (tensor, i, &length);

      if (length > 0)
        memcpy (bytes + start + (gsize) i * width, text, length);
    }
  return g_bytes_new_take (bytes, total);
}

/**
 * flow_npy_write:
 * @tensor: a tensor
 * @error: where to put an error
 *
 * Gives the contents of a `.npy` file. Strings become numpy's fixed-width bytes; bfloat16 and
 * quantised dtypes their bits.
 *
 * Returns: (transfer full): the bytes; %NULL with %FLOW_ERROR_UNIMPLEMENTED for resources and
 *   variants, and for strings that numpy would cut
 */
GBytes *
flow_npy_write (const FlowTensor  *tensor,
                GError           **error)
{
  g_autoptr (GBytes) header = NULL;
  const char *descr;
  gsize start;
  guint8 *bytes;

  g_return_val_if_fail (tensor != NULL, NULL);

  if (tensor->dtype == FLOW_DTYPE_STRING)
    return write_strings (tensor, error);
  descr = _flow_npy_descr (tensor->dtype);
  if (descr == NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_UNIMPLEMENTED, "a tensor of type %s cannot be written as .npy",
                   flow_dtype_string (tensor->dtype));
      return NULL;
    }
  header = _flow_npy_make_header (descr, tensor->shape);
  start = g_bytes_get_size (header);
  bytes = g_try_malloc (start + tensor->n_bytes);
  if (bytes == NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "no memory for %" G_GSIZE_FORMAT " bytes",
                   tensor->n_bytes);
      return NULL;
    }
  memcpy (bytes, g_bytes_get_data (header, NULL), start);
  if (tensor->n_bytes > 0)
    memcpy (bytes + start, tensor->data, tensor->n_bytes);
  return g_bytes_new_take (bytes, start + tensor->n_bytes);
}

/**
 * flow_npy_save:
 * @tensor: a tensor
 * @path: where to
 * @error: where to put an error
 *
 * Writes a `.npy` file: whole, or what stood there stays.
 *
 * Returns: whether it was written; else as flow_npy_write(), or the system's error
 */
gboolean
flow_npy_save (const FlowTensor  *tensor,
               const char        *path,
               GError           **error)
{
  g_autoptr (GBytes) bytes = NULL;

  g_return_val_if_fail (tensor != NULL, FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  bytes = flow_npy_write (tensor, error);
  return bytes != NULL && flow_write_file_safely (path, bytes, error);
}
