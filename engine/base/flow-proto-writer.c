/* flow-proto-writer.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-proto-writer.h"

#include <string.h>

/* Most messages that are written are small; a graph grows from here by doubling. */
#define FIRST_ALLOCATION 256
/* A length is put where it belongs once it is known: until then one byte waits for it, enough for
 * the most common lengths. */
#define LENGTH_GAP 1

/**
 * flow_proto_writer_init: (skip)
 * @self: a writer, uninitialised
 *
 * Starts an empty message.
 */
void
flow_proto_writer_init (FlowProtoWriter *self)
{
  g_return_if_fail (self != NULL);

  self->data = NULL;
  self->size = 0;
  self->allocated = 0;
  self->failed = FALSE;
  self->depth = 0;
}

/**
 * flow_proto_writer_clear: (skip)
 * @self: a writer
 *
 * Throws away what was written.
 */
void
flow_proto_writer_clear (FlowProtoWriter *self)
{
  g_clear_pointer (&self->data, g_free);
  flow_proto_writer_init (self);
}

/**
 * flow_proto_writer_finish: (skip)
 * @self: a writer; afterwards empty
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the message; %NULL with `FLOW_ERROR_RESOURCE_EXHAUSTED` if
 *   memory failed or the message is beyond the format's 2 GiB
 */
GBytes *
flow_proto_writer_finish (FlowProtoWriter  *self,
                          GError          **error)
{
  GBytes *bytes;

  g_return_val_if_fail (self->depth == 0, NULL);

  if (self->failed || self->size > FLOW_PROTO_MAX_SIZE)
    {
      if (self->failed)
        g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED,
                     "no memory for a message of %" G_GSIZE_FORMAT " bytes", self->size);
      else
        g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED,
                     "a message of %" G_GSIZE_FORMAT " bytes is beyond the format's limit of 2 GiB",
                     self->size);
      flow_proto_writer_clear (self);
      return NULL;
    }
  bytes = g_bytes_new_take (g_steal_pointer (&self->data), self->size);
  flow_proto_writer_init (self);
  return bytes;
}

static gboolean
grow (FlowProtoWriter *self,
      gsize            n_bytes)
{
  gsize wanted;
  gsize doubled;
  guint8 *data;

  if (self->failed)
    return FALSE;
  if (G_LIKELY (self->allocated - self->size >= n_bytes))
    return TRUE;
  if (!g_size_checked_add (&wanted, self->size, n_bytes))
    {
      self->failed = TRUE;
      return FALSE;
    }
  doubled = self->allocated <= G_MAXSIZE / 2 ? self->allocated * 2 : wanted;
  wanted = MAX (MAX (wanted, doubled), FIRST_ALLOCATION);
  data = g_try_realloc (self->data, wanted);
  if (data == NULL)
    {
      self->failed = TRUE;
      return FALSE;
    }
  self->data = data;
  self->allocated = wanted;
  return TRUE;
}

/**
 * flow_proto_varint_size: (skip)
 * @value: a number
 *
 * Returns: how many bytes it takes as a varint, 1 to 10
 */
gsize
flow_proto_varint_size (guint64 value)
{
  gsize size = 1;

  for (; value >= 0x80; value >>= 7)
    size++;
  return size;
}

static gsize
put_varint (guint8  *where,
            guint64  value)
{
  gsize n = 0;

  for (; value >= 0x80; value >>= 7)
    where[n++] = (guint8) (value | 0x80);
  where[n++] = (guint8) value;
  return n;
}

/**
 * flow_proto_writer_append_varint: (skip)
 * @self: a writer
 * @value: a number
 *
 * Appends a bare varint: an element of a packed field that the caller builds itself.
 */
void
flow_proto_writer_append_varint (FlowProtoWriter *self,
                                 guint64          value)
{
  if (grow (self, 10))
    self->size += put_varint (self->data + self->size, value);
}

/**
 * flow_proto_writer_append_tag: (skip)
 * @self: a writer
 * @field: number of a field
 * @wire: what follows
 *
 * Appends a bare tag: of a field whose value the caller appends, of a group's begin or end.
 */
void
flow_proto_writer_append_tag (FlowProtoWriter *self,
                              guint32          field,
                              FlowWireType     wire)
{
  flow_proto_writer_append_varint (self, (guint64) field << 3 | wire);
}

/**
 * flow_proto_writer_append_number: (skip)
 * @self: a writer
 * @wire: how it stands there: a varint, or 32 or 64 bits
 * @bits: the number as it stands there
 *
 * Appends a bare number: what follows a tag, or an element of a packed field that the caller builds itself.
 */
void
flow_proto_writer_append_number (FlowProtoWriter *self,
                                 FlowWireType     wire,
                                 guint64          bits)
{
  guint64 little = GUINT64_TO_LE (bits);

  g_return_if_fail (wire == FLOW_WIRE_VARINT || wire == FLOW_WIRE_FIXED64 || wire == FLOW_WIRE_FIXED32);

  if (wire == FLOW_WIRE_VARINT)
    flow_proto_writer_append_varint (self, bits);
  else
    flow_proto_writer_append (self, &little, wire == FLOW_WIRE_FIXED64 ? 8 : 4);
}

/**
 * flow_proto_writer_append: (skip)
 * @self: a writer
 * @data: (array length=size): bytes
 * @size: their number
 *
 * Appends bytes as they are: fields that are encoded already.
 */
void
flow_proto_writer_append (FlowProtoWriter *self,
                          gconstpointer    data,
                          gsize            size)
{
  if (size > 0 && grow (self, size))
    {
      memcpy (self->data + self->size, data, size);
      self->size += size;
    }
}

static void
put_tag (FlowProtoWriter *self,
         guint32          field,
         FlowWireType     wire)
{
  g_assert (field > 0);
  flow_proto_writer_append_varint (self, (guint64) field << 3 | wire);
}

/**
 * flow_proto_writer_begin: (skip)
 * @self: a writer
 * @field: number of a message field
 *
 * Starts a message inside the message; what follows goes into it until flow_proto_writer_end().
 */
void
flow_proto_writer_begin (FlowProtoWriter *self,
                         guint32          field)
{
  /* Nobody could read it back: deeper ones are counted, so that begin and end still pair, and fail. */
  if (self->depth >= G_N_ELEMENTS (self->begins))
    {
      self->failed = TRUE;
      self->depth++;
      return;
    }
  self->tags[self->depth] = self->size;
  put_tag (self, field, FLOW_WIRE_BYTES);
  if (grow (self, LENGTH_GAP))
    self->size += LENGTH_GAP;
  self->begins[self->depth++] = self->size;
}

/**
 * flow_proto_writer_end: (skip)
 * @self: a writer
 *
 * Ends the message that the last flow_proto_writer_begin() started. An empty one is written too:
 * that it is there is information.
 */
void
flow_proto_writer_end (FlowProtoWriter *self)
{
  gsize begin;
  gsize length;
  gsize extra;

  g_return_if_fail (self->depth > 0);

  self->depth--;
  if (self->failed)
    return;
  begin = self->begins[self->depth];
  length = self->size - begin;
  extra = flow_proto_varint_size (length) - LENGTH_GAP;
  if (extra > 0)
    {
      if (!grow (self, extra))
        return;
      memmove (self->data + begin + extra, self->data + begin, length);
      self->size += extra;
    }
  put_varint (self->data + begin - LENGTH_GAP, length);
}

/**
 * flow_proto_writer_end_or_drop: (skip)
 * @self: a writer
 *
 * Ends a message as flow_proto_writer_end() does, but takes it back if nothing is in it.
 */
void
flow_proto_writer_end_or_drop (FlowProtoWriter *self)
{
  g_return_if_fail (self->depth > 0);

  if (self->failed || self->size > self->begins[self->depth - 1])
    {
      flow_proto_writer_end (self);
      return;
    }
  self->size = self->tags[--self->depth];
}

/**
 * flow_proto_writer_add_int: (skip)
 * @self: a writer
 * @field: number of an int32, int64, uint32, uint64, bool or enum field
 * @value: its value; negative ones take ten bytes, as the format wants
 *
 * Writes a number.
 */
void
flow_proto_writer_add_int (FlowProtoWriter *self,
                           guint32          field,
                           gint64           value)
{
  put_tag (self, field, FLOW_WIRE_VARINT);
  flow_proto_writer_append_varint (self, (guint64) value);
}

/**
 * flow_proto_writer_set_int: (skip)
 * @self: a writer
 * @field: number of an int32, int64, uint32, uint64, bool or enum field
 * @value: its value
 *
 * Writes a number unless it is 0.
 */
void
flow_proto_writer_set_int (FlowProtoWriter *self,
                           guint32          field,
                           gint64           value)
{
  if (value != 0)
    flow_proto_writer_add_int (self, field, value);
}

/**
 * flow_proto_writer_add_fixed32: (skip)
 * @self: a writer
 * @field: number of a fixed32 or float field
 * @value: its bits
 *
 * Writes four bytes.
 */
void
flow_proto_writer_add_fixed32 (FlowProtoWriter *self,
                               guint32          field,
                               guint32          value)
{
  guint32 le = GUINT32_TO_LE (value);

  put_tag (self, field, FLOW_WIRE_FIXED32);
  flow_proto_writer_append (self, &le, sizeof le);
}

/**
 * flow_proto_writer_add_fixed64: (skip)
 * @self: a writer
 * @field: number of a fixed64 or double field
 * @value: its bits
 *
 * Writes eight bytes.
 */
void
flow_proto_writer_add_fixed64 (FlowProtoWriter *self,
                               guint32          field,
                               guint64          value)
{
  guint64 le = GUINT64_TO_LE (value);

  put_tag (self, field, FLOW_WIRE_FIXED64);
  flow_proto_writer_append (self, &le, sizeof le);
}

/**
 * flow_proto_writer_add_float: (skip)
 * @self: a writer
 * @field: number of a float field
 * @value: its value
 *
 * Writes a float, bit for bit.
 */
void
flow_proto_writer_add_float (FlowProtoWriter *self,
                             guint32          field,
                             float            value)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  flow_proto_writer_add_fixed32 (self, field, bits);
}

/**
 * flow_proto_writer_set_float: (skip)
 * @self: a writer
 * @field: number of a float field
 * @value: its value
 *
 * Writes a float unless it is +0; -0 is written, as the C++ library does.
 */
void
flow_proto_writer_set_float (FlowProtoWriter *self,
                             guint32          field,
                             float            value)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  if (bits != 0)
    flow_proto_writer_add_fixed32 (self, field, bits);
}

/**
 * flow_proto_writer_add_double: (skip)
 * @self: a writer
 * @field: number of a double field
 * @value: its value
 *
 * Writes a double, bit for bit.
 */
void
flow_proto_writer_add_double (FlowProtoWriter *self,
                              guint32          field,
                              double           value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  flow_proto_writer_add_fixed64 (self, field, bits);
}

/**
 * flow_proto_writer_set_double: (skip)
 * @self: a writer
 * @field: number of a double field
 * @value: its value
 *
 * Writes a double unless it is +0.
 */
void
flow_proto_writer_set_double (FlowProtoWriter *self,
                              guint32          field,
                              double           value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  if (bits != 0)
    flow_proto_writer_add_fixed64 (self, field, bits);
}

/**
 * flow_proto_writer_add_bytes: (skip)
 * @self: a writer
 * @field: number of a string, bytes or message field
 * @data: (array length=size): its bytes; of a message the encoded ones
 * @size: their number
 *
 * Writes bytes.
 */
void
flow_proto_writer_add_bytes (FlowProtoWriter *self,
                             guint32          field,
                             gconstpointer    data,
                             gsize            size)
{
  put_tag (self, field, FLOW_WIRE_BYTES);
  flow_proto_writer_append_varint (self, size);
  flow_proto_writer_append (self, data, size);
}

/**
 * flow_proto_writer_set_bytes: (skip)
 * @self: a writer
 * @field: number of a string or bytes field
 * @data: (array length=size): its bytes
 * @size: their number
 *
 * Writes bytes unless there are none.
 */
void
flow_proto_writer_set_bytes (FlowProtoWriter *self,
                             guint32          field,
                             gconstpointer    data,
                             gsize            size)
{
  if (size > 0)
    flow_proto_writer_add_bytes (self, field, data, size);
}

/**
 * flow_proto_writer_add_string: (skip)
 * @self: a writer
 * @field: number of a string field
 * @text: UTF-8
 *
 * Writes a string.
 */
void
flow_proto_writer_add_string (FlowProtoWriter *self,
                              guint32          field,
                              const char      *text)
{
  flow_proto_writer_add_bytes (self, field, text, strlen (text));
}

/**
 * flow_proto_writer_set_string: (skip)
 * @self: a writer
 * @field: number of a string field
 * @text: (nullable): UTF-8
 *
 * Writes a string unless it is empty.
 */
void
flow_proto_writer_set_string (FlowProtoWriter *self,
                              guint32          field,
                              const char      *text)
{
  if (text != NULL && *text != '\0')
    flow_proto_writer_add_string (self, field, text);
}

/**
 * flow_proto_writer_add_packed_ints: (skip)
 * @self: a writer
 * @field: number of a repeated int32, int64, bool or enum field
 * @values: (array length=n_values): the values
 * @n_values: their number; for 0 nothing is written
 *
 * Writes all values of a repeated field, packed.
 */
void
flow_proto_writer_add_packed_ints (FlowProtoWriter *self,
                                   guint32          field,
                                   const gint64    *values,
                                   gsize            n_values)
{
  if (n_values == 0)
    return;
  flow_proto_writer_begin (self, field);
  for (gsize i = 0; i < n_values; i++)
    flow_proto_writer_append_varint (self, (guint64) values[i]);
  flow_proto_writer_end (self);
}
