/* flow-slice.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-slice-private.h"

#include <errno.h>
#include <string.h>

#include "flow-util.h"

/* A whole slice, every dimension full. */
FlowSlice *
_flow_slice_new (int rank)
{
  FlowSlice *self = g_new0 (FlowSlice, 1);

  self->rank = rank;
  self->extents = g_new0 (gint64, 2 * (gsize) MAX (rank, 1));
  for (int d = 0; d < rank; d++)
    FLOW_SLICE_LENGTH (self, d) = FLOW_SLICE_FULL;
  return self;
}

void
_flow_slice_free (FlowSlice *self)
{
  if (self == NULL)
    return;
  g_free (self->extents);
  g_free (self);
}

gboolean
_flow_slice_is_full (const FlowSlice *self)
{
  for (int d = 0; d < self->rank; d++)
    if (FLOW_SLICE_LENGTH (self, d) != FLOW_SLICE_FULL)
      return FALSE;
  return TRUE;
}

/*
 * _flow_slice_read:
 * @reader: stands in a TensorSliceProto
 * @slice: (out): the slice
 *
 * Returns: FALSE if an extent is none: a negative start or length, a start without a length
 */
gboolean
_flow_slice_read (FlowProtoReader  *reader,
                  FlowSlice       **slice)
{
  g_autoptr (GArray) extents = g_array_new (FALSE, FALSE, sizeof (gint64));
  gboolean ok = TRUE;

  while (flow_proto_reader_next (reader))
    {
      FlowProtoReader sub;
      gint64 start = 0;
      gint64 length = FLOW_SLICE_FULL;
      gboolean has_length = FALSE;

      if (reader->field != 1 || !flow_proto_reader_enter (reader, &sub))
        continue;
      while (flow_proto_reader_next (&sub))
        {
          if (sub.field == 1)
            flow_proto_reader_get_int64 (&sub, &start);
          else if (sub.field == 2)
            has_length = flow_proto_reader_get_int64 (&sub, &length);
        }
      /* Two numbers whose sum leaves the range are no extent of anything. */
      if (start < 0 || (has_length && (length <= 0 || start > G_MAXINT64 - length)) || (!has_length && start != 0))
        ok = FALSE;
      if (extents->len / 2 == FLOW_SHAPE_MAX_RANK)
        return FALSE;
      g_array_append_val (extents, start);
      g_array_append_val (extents, length);
    }
  if (!ok || flow_proto_reader_failed (reader))
    return FALSE;
  *slice = _flow_slice_new ((int) extents->len / 2);
  if (extents->len > 0)
    memcpy ((*slice)->extents, extents->data, extents->len * sizeof (gint64));
  return TRUE;
}

void
_flow_slice_write (const FlowSlice *self,
                   FlowProtoWriter *writer,
                   guint32          field)
{
  flow_proto_writer_begin (writer, field);
  for (int d = 0; d < self->rank; d++)
    {
      flow_proto_writer_begin (writer, 1);
      if (FLOW_SLICE_LENGTH (self, d) != FLOW_SLICE_FULL)
        {
          flow_proto_writer_set_int (writer, 1, FLOW_SLICE_START (self, d));
          flow_proto_writer_add_int (writer, 2, FLOW_SLICE_LENGTH (self, d));
        }
      flow_proto_writer_end (writer);
    }
  flow_proto_writer_end (writer);
}

static gboolean
parse_int64 (const char *text,
             gint64     *value)
{
  char *end;

  if (*text != '-' && !g_ascii_isdigit (*text))
    return FALSE;
  errno = 0;
  *value = g_ascii_strtoll (text, &end, 10);
  return errno == 0 && end != text && *end == '\0';
}

/* The first @n of @texts that are not empty; how many there are in all. */
static guint
find_filled (char        **texts,
             const char  **filled,
             guint         n)
{
  guint n_filled = 0;

  for (guint i = 0; texts[i] != NULL; i++)
    if (*texts[i] != '\0' && n_filled++ < n)
      filled[n_filled - 1] = texts[i];
  return n_filled;
}

/*
 * _flow_slice_parse:
 * @text: such as `0,5:-`
 *
 * Returns: FALSE with TensorFlow's words if the text is no slice
 */
gboolean
_flow_slice_parse (const char  *text,
                   FlowSlice  **slice,
                   GError     **error)
{
  g_auto (GStrv) items = g_strsplit (text, ":", -1);
  g_autoptr (FlowSlice) self = NULL;
  guint rank = 0;

  for (guint i = 0; items[i] != NULL; i++)
    rank += items[i][0] != '\0';
  FLOW_REQUIRE (rank <= FLOW_SHAPE_MAX_RANK, error, INVALID_ARGUMENT, "A slice of %u dimensions: string = %s", rank,
                text);
  self = _flow_slice_new ((int) rank);
  for (guint i = 0, d = 0; items[i] != NULL; i++)
    {
      const char *pair[2];
      gint64 start;
      gint64 length;

      if (items[i][0] == '\0')
        continue;
      if (strcmp (items[i], "-") != 0)
        {
          g_auto (GStrv) numbers = g_strsplit (items[i], ",", -1);

          FLOW_REQUIRE (find_filled (numbers, pair, 2) == 2 && parse_int64 (pair[0], &start) && parse_int64 (pair[1], &length),
                        error, INVALID_ARGUMENT, "Expected a pair of numbers or '-' but got '%s': string = %s", items[i],
                        text);
          FLOW_REQUIRE (start >= 0 && length > 0, error, INVALID_ARGUMENT,
                        "Expected non-negative start and positive length but got start = %" G_GINT64_FORMAT
                        ", length = %" G_GINT64_FORMAT ": string = %s", start, length, text);
          FLOW_SLICE_START (self, d) = start;
          FLOW_SLICE_LENGTH (self, d) = length;
        }
      d++;
    }
  *slice = g_steal_pointer (&self);
  return TRUE;
}

/* The form that _flow_slice_parse() reads. */
char *
_flow_slice_to_string (const FlowSlice *self)
{
  GString *text = g_string_new (NULL);

  for (int d = 0; d < self->rank; d++)
    {
      if (d > 0)
        g_string_append_c (text, ':');
      if (FLOW_SLICE_LENGTH (self, d) == FLOW_SLICE_FULL)
        g_string_append_c (text, '-');
      else
        g_string_append_printf (text, "%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT, FLOW_SLICE_START (self, d),
                                FLOW_SLICE_LENGTH (self, d));
    }
  return g_string_free (text, FALSE);
}

/*
 * _flow_slice_shape:
 * @whole: the fully known shape of the tensor that this is a part of
 *
 * Returns: (transfer full): the shape of the part; NULL with TensorFlow's words if it is none of @whole
 */
FlowShape *
_flow_slice_shape (const FlowSlice  *self,
                   const FlowShape  *whole,
                   GError          **error)
{
  g_autofree char *shape_text = NULL;
  g_autofree char *slice_text = NULL;
  gint64 dims[FLOW_SHAPE_MAX_RANK];

  if (self->rank != whole->rank)
    {
      shape_text = flow_shape_to_string (whole);
      slice_text = _flow_slice_to_string (self);
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INTERNAL, "Mismatching ranks: shape = %s, slice = %s", shape_text,
                   slice_text);
      return NULL;
    }
  for (int d = 0; d < self->rank; d++)
    {
      gint64 start = FLOW_SLICE_START (self, d);
      gint64 length = FLOW_SLICE_LENGTH (self, d);

      dims[d] = length == FLOW_SLICE_FULL ? whole->dims[d] : length;
      if (length == FLOW_SLICE_FULL || (start <= whole->dims[d] && length <= whole->dims[d] - start))
        continue;
      shape_text = flow_shape_to_string (whole);
      slice_text = _flow_slice_to_string (self);
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INTERNAL,
                   "Extent in dimension %d out of bounds: shape = %s, slice = %s", d, shape_text, slice_text);
      return NULL;
    }
  return flow_shape_new (self->rank, dims);
}

/*
 * _flow_slice_parse_spec:
 * @spec: a shape_and_slices element of Save and Restore ops, `10 9 0,5:-`; not empty
 * @shape: (out): the shape of the whole tensor
 * @slice: (out): the part
 * @slice_shape: (out): the shape of the part
 *
 * Returns: FALSE with TensorFlow's words
 */
gboolean
_flow_slice_parse_spec (const char  *spec,
                        FlowShape  **shape,
                        FlowSlice  **slice,
                        FlowShape  **slice_shape,
                        GError     **error)
{
  g_auto (GStrv) words = g_strsplit (spec, " ", -1);
  g_autoptr (FlowShape) whole = NULL;
  g_autoptr (FlowSlice) part = NULL;
  guint n = g_strv_length (words);
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  gint64 n_elements;

  FLOW_REQUIRE (n >= 2, error, INVALID_ARGUMENT, "Need least two elements in shape_and_slice specification: %s", spec);
  FLOW_REQUIRE (n - 1 <= FLOW_SHAPE_MAX_RANK, error, INVALID_ARGUMENT,
                "Too many dimensions in shape_and_slice: %s", spec);
  if (!_flow_slice_parse (words[n - 1], &part, error))
    return FALSE;
  for (guint i = 0; i + 1 < n; i++)
    {
      FLOW_REQUIRE (parse_int64 (words[i], &dims[i]), error, INVALID_ARGUMENT,
                    "Non numerical dimension in shape_and_slice: %s", spec);
      FLOW_REQUIRE (dims[i] >= 0, error, INVALID_ARGUMENT, "Negative dimension in shape_and_slice: %s", spec);
    }
  whole = flow_shape_new ((int) n - 1, dims);
  FLOW_REQUIRE (flow_shape_n_elements (whole, &n_elements), error, INVALID_ARGUMENT,
                "Too many elements in shape_and_slice: %s", spec);
  *slice_shape = _flow_slice_shape (part, whole, error);
  if (*slice_shape == NULL)
    return FALSE;
  *shape = g_steal_pointer (&whole);
  *slice = g_steal_pointer (&part);
  return TRUE;
}

/* Fails: @spec is no part of @tensor's shape. */
gboolean
_flow_slice_refuse (const char        *spec,
                    const FlowTensor  *tensor,
                    GError           **error)
{
  g_autofree char *text = flow_shape_to_string (tensor->shape);

  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
               "Slice in shape_and_slice specification does not match the shape of the tensor to  save: %s, tensor: %s", spec,
               text);
  return FALSE;
}

/* A number as its length and its bytes, highest first: sorts as the numbers do. */
static void
encode_number (GByteArray *key,
               guint64     value)
{
  guint8 bytes[9];
  guint8 n = 0;

  for (guint64 rest = value; rest > 0; rest >>= 8)
    n++;
  bytes[0] = n;
  for (int i = 0; i < n; i++)
    bytes[1 + i] = (guint8) (value >> (8 * (n - 1 - i)));
  g_byte_array_append (key, bytes, 1u + n);
}

static void
encode_string (GByteArray *key,
               const char *text)
{
  static const guint8 terminator[2] = { 0x00, 0x01 };
  static const guint8 escaped_ff[2] = { 0xff, 0x00 };

  for (const guint8 *p = (const guint8 *) text; *p != 0; p++)
    g_byte_array_append (key, *p == 0xff ? escaped_ff : p, *p == 0xff ? 2 : 1);
  g_byte_array_append (key, terminator, 2);
}

/* Two's complement in as few bytes as leave room for a header of as many one bits. */
static void
encode_signed (GByteArray *key,
               gint64      value)
{
  static const guint8 headers[11][2] = {
    { 0, 0 }, { 0x80, 0 }, { 0xc0, 0 }, { 0xe0, 0 }, { 0xf0, 0 }, { 0xf8, 0 },
    { 0xfc, 0 }, { 0xfe, 0 }, { 0xff, 0 }, { 0xff, 0x80 }, { 0xff, 0xc0 },
  };
  guint8 bytes[10];
  int n = 1;

  while (n < 10 && 7 * n - 1 < 63
         && (value < -((gint64) 1 << (7 * n - 1)) || value >= (gint64) 1 << (7 * n - 1)))
    n++;
  for (int i = 0; i < n; i++)
    {
      int shift = 8 * (n - 1 - i);

      bytes[i] = (guint8) (value >> MIN (shift, 63));
    }
  bytes[0] ^= headers[n][0];
  if (n > 1)
    bytes[1] ^= headers[n][1];
  g_byte_array_append (key, bytes, (guint) n);
}

/*
 * _flow_slice_encode_key:
 * @name: the tensor's name
 *
 * Returns: (transfer full): the key under which a part of a tensor stands
 */
GBytes *
_flow_slice_encode_key (const char      *name,
                        const FlowSlice *self)
{
  GByteArray *key = g_byte_array_new ();

  encode_number (key, 0);
  encode_string (key, name);
  encode_number (key, (guint64) self->rank);
  for (int d = 0; d < self->rank; d++)
    {
      encode_signed (key, FLOW_SLICE_START (self, d));
      encode_signed (key, FLOW_SLICE_LENGTH (self, d));
    }
  return g_byte_array_free_to_bytes (key);
}

/* Both of fully checked extents: start and length of what two parts share in one dimension. */
static gboolean
intersect (const FlowShape *whole,
           const FlowSlice *a,
           const FlowSlice *b,
           int              d,
           gint64          *start,
           gint64          *length)
{
  gint64 dim = whole->dims[d];
  gint64 a_start = FLOW_SLICE_START (a, d);
  gint64 b_start = FLOW_SLICE_START (b, d);
  gint64 a_end = FLOW_SLICE_LENGTH (a, d) == FLOW_SLICE_FULL ? dim : a_start + FLOW_SLICE_LENGTH (a, d);
  gint64 b_end = FLOW_SLICE_LENGTH (b, d) == FLOW_SLICE_FULL ? dim : b_start + FLOW_SLICE_LENGTH (b, d);

  *start = MAX (a_start, b_start);
  *length = MIN (a_end, b_end) - *start;
  return *length > 0;
}

gboolean
_flow_slice_overlap (const FlowShape *whole,
                     const FlowSlice *a,
                     const FlowSlice *b)
{
  for (int d = 0; d < whole->rank; d++)
    {
      gint64 start;
      gint64 length;

      if (!intersect (whole, a, b, d, &start, &length))
        return FALSE;
    }
  return TRUE;
}

static void
copy_cells (const FlowTensor *from,
            gint64            from_at,
            FlowTensor       *to,
            gint64            to_at,
            gint64            n)
{
  gsize size = flow_dtype_size (from->dtype);

  if (from->dtype != FLOW_DTYPE_STRING)
    {
      memcpy ((guint8 *) to->data + (gsize) to_at * size, (const guint8 *) from->data + (gsize) from_at * size,
              (gsize) n * size);
      return;
    }
  for (gint64 i = 0; i < n; i++)
    {
      GBytes *cell = ((GBytes *const *) from->data)[from_at + i];

      if (cell != NULL)
        flow_tensor_take_string (to, to_at + i, g_bytes_ref (cell));
    }
}

/*
 * _flow_slice_copy:
 * @whole: the shape of the tensor of which both are parts
 * @from_slice: which part @from is
 * @from: a tensor of that part's shape
 * @to_slice: which part @to is
 * @to: a tensor of that part's shape and @from's dtype, to be written
 *
 * Copies what the two parts have in common.
 *
 * Returns: how many elements that was
 */
gint64
_flow_slice_copy (const FlowShape  *whole,
                  const FlowSlice  *from_slice,
                  const FlowTensor *from,
                  const FlowSlice  *to_slice,
                  FlowTensor       *to)
{
  int rank = whole->rank;
  gint64 lengths[FLOW_SHAPE_MAX_RANK];
  gint64 index[FLOW_SHAPE_MAX_RANK] = { 0 };
  gint64 from_strides[FLOW_SHAPE_MAX_RANK];
  gint64 to_strides[FLOW_SHAPE_MAX_RANK];
  gint64 from_stride = 1;
  gint64 to_stride = 1;
  gint64 from_at = 0;
  gint64 to_at = 0;
  gint64 total = 0;

  if (rank == 0)
    {
      copy_cells (from, 0, to, 0, 1);
      return 1;
    }
  for (int d = rank - 1; d >= 0; d--)
    {
      gint64 start;

      if (!intersect (whole, from_slice, to_slice, d, &start, &lengths[d]))
        return 0;
      from_strides[d] = from_stride;
      to_strides[d] = to_stride;
      from_at += (start - FLOW_SLICE_START (from_slice, d)) * from_stride;
      to_at += (start - FLOW_SLICE_START (to_slice, d)) * to_stride;
      from_stride *= FLOW_DIMS (from)[d];
      to_stride *= FLOW_DIMS (to)[d];
    }
  for (;;)
    {
      int d;

      copy_cells (from, from_at, to, to_at, lengths[rank - 1]);
      total += lengths[rank - 1];
      for (d = rank - 2; d >= 0; d--)
        {
          from_at += from_strides[d];
          to_at += to_strides[d];
          if (++index[d] < lengths[d])
            break;
          from_at -= from_strides[d] * lengths[d];
          to_at -= to_strides[d] * lengths[d];
          index[d] = 0;
        }
      if (d < 0)
        return total;
    }
}
