/* flow-proto-reader.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-proto-reader.h"

#include <string.h>

/* A varint of a 64-bit number has at most ten bytes of seven bits; a tag is a 32-bit number. */
#define MAX_VARINT_BYTES 10

static const char truncated[] = "the data ends in the middle of a field";
static const char bad_varint[] = "a number is longer than 10 bytes";

/**
 * flow_proto_read_varint: (skip)
 * @pos: (inout): where to read; moved behind the number
 * @end: first byte that may not be read
 * @value: (out): the number
 *
 * Reads one base-128 number, as protobuf and the table format write them.
 *
 * Returns: %FALSE if the bytes end inside the number or it has more than ten bytes; @pos then
 *   stands where it stood
 */
gboolean
flow_proto_read_varint (const guint8 **pos,
                        const guint8  *end,
                        guint64       *value)
{
  const guint8 *p = *pos;
  guint64 result = 0;

  if (G_LIKELY (p < end && *p < 0x80))
    {
      *value = *p;
      *pos = p + 1;
      return TRUE;
    }
  for (guint i = 0; i < MAX_VARINT_BYTES && p < end; i++)
    {
      guint8 byte = *p++;

      result |= (guint64) (byte & 0x7f) << (7 * i);
      if (byte < 0x80)
        {
          *value = result;
          *pos = p;
          return TRUE;
        }
    }
  return FALSE;
}

static void
fail_at (FlowProtoReader *self,
         const guint8    *where,
         const char      *problem)
{
  if (self->source->problem == NULL)
    {
      self->source->problem = problem;
      self->source->problem_offset = (gsize) (where - self->source->base);
    }
  self->pos = self->end;
}

static gboolean
read_varint (FlowProtoReader *self,
             const guint8   **pos,
             const guint8    *end,
             guint64         *value)
{
  if (flow_proto_read_varint (pos, end, value))
    return TRUE;
  fail_at (self, *pos, end - *pos >= MAX_VARINT_BYTES ? bad_varint : truncated);
  return FALSE;
}

static gboolean
read_tag (FlowProtoReader *self,
          guint32         *field,
          FlowWireType    *wire)
{
  const guint8 *start = self->pos;
  guint64 tag;

  if (!read_varint (self, &self->pos, self->end, &tag))
    return FALSE;
  if (tag > G_MAXUINT32 || (tag >> 3) == 0)
    {
      fail_at (self, start, tag > G_MAXUINT32 ? "a field number is out of range" : "field number 0");
      return FALSE;
    }
  if ((tag & 7) > FLOW_WIRE_FIXED32)
    {
      fail_at (self, start, "an unknown wire type");
      return FALSE;
    }
  *field = (guint32) (tag >> 3);
  *wire = (FlowWireType) (tag & 7);
  return TRUE;
}

/* Moves over the payload of a field that is no group and notes it. */
static gboolean
read_payload (FlowProtoReader *self,
              FlowWireType     wire)
{
  const guint8 *start = self->pos;
  gsize left = (gsize) (self->end - start);
  guint32 fixed32;
  guint64 length;

  switch (wire)
    {
    case FLOW_WIRE_VARINT:
      return read_varint (self, &self->pos, self->end, &self->value);

    case FLOW_WIRE_FIXED64:
      if (left < sizeof self->value)
        break;
      memcpy (&self->value, start, sizeof self->value);
      self->value = GUINT64_FROM_LE (self->value);
      self->pos = start + sizeof self->value;
      return TRUE;

    case FLOW_WIRE_FIXED32:
      if (left < sizeof fixed32)
        break;
      memcpy (&fixed32, start, sizeof fixed32);
      self->value = GUINT32_FROM_LE (fixed32);
      self->pos = start + sizeof fixed32;
      return TRUE;

    case FLOW_WIRE_BYTES:
      if (!read_varint (self, &self->pos, self->end, &length))
        return FALSE;
      if (length > (gsize) (self->end - self->pos))
        {
          fail_at (self, start, length > FLOW_PROTO_MAX_SIZE ? "a length is beyond the format's 2 GiB"
                                                             : "a length reaches past the end");
          return FALSE;
        }
      self->data = self->pos;
      self->size = (gsize) length;
      self->pos += length;
      return TRUE;

    case FLOW_WIRE_GROUP:
    case FLOW_WIRE_GROUP_END:
    default:
      fail_at (self, self->tag, "a group ends that did not begin");
      return FALSE;
    }
  fail_at (self, start, truncated);
  return FALSE;
}

/* Groups have no length: their fields are walked until the matching end. No TensorFlow message has
 * them, but the official parsers skip unknown ones. */
static gboolean
skip_group (FlowProtoReader *self,
            guint32          field)
{
  guint32 open[FLOW_PROTO_MAX_DEPTH];
  guint n_open = 0;
  const guint8 *start = self->pos;
  const guint8 *last = self->pos;

  open[n_open++] = field;
  while (n_open > 0)
    {
      guint32 inner;
      FlowWireType wire;

      if (self->pos == self->end)
        {
          fail_at (self, self->tag, "a group does not end");
          return FALSE;
        }
      last = self->pos;
      if (!read_tag (self, &inner, &wire))
        return FALSE;
      if (wire == FLOW_WIRE_GROUP)
        {
          if (self->depth + n_open >= FLOW_PROTO_MAX_DEPTH)
            {
              fail_at (self, last, "messages are nested deeper than 100 levels");
              return FALSE;
            }
          open[n_open++] = inner;
        }
      else if (wire == FLOW_WIRE_GROUP_END)
        {
          if (open[--n_open] != inner)
            {
              fail_at (self, last, "a group ends that did not begin");
              return FALSE;
            }
        }
      else if (!read_payload (self, wire))
        return FALSE;
    }
  self->data = start;
  self->size = (gsize) (last - start);
  return TRUE;
}

/**
 * flow_proto_reader_init: (skip)
 * @self: a reader, uninitialised
 * @data: (array length=size): the bytes of one message; they must outlive the reader
 * @size: their number
 *
 * Starts reading a message. Offsets of failures count from @data. The reader may not be copied.
 */
void
flow_proto_reader_init (FlowProtoReader *self,
                        gconstpointer    data,
                        gsize            size)
{
  flow_proto_reader_init_part (self, data, data, size, 0);
}

/**
 * flow_proto_reader_init_part: (skip)
 * @self: a reader, uninitialised
 * @base: where offsets count from, at or before @data
 * @data: (array length=size): the bytes of one message
 * @size: their number
 * @depth: how many messages it stands in
 *
 * Starts reading a message that is a part of larger bytes and was kept as a span, so that failures
 * name offsets in the larger bytes and nesting keeps counting.
 */
void
flow_proto_reader_init_part (FlowProtoReader *self,
                             gconstpointer    base,
                             gconstpointer    data,
                             gsize            size,
                             guint            depth)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (data != NULL || size == 0);

  memset (self, 0, sizeof *self);
  self->own.base = base;
  self->source = &self->own;
  self->pos = data;
  self->end = self->pos + size;
  self->tag = self->pos;
  self->depth = depth;
}

/**
 * flow_proto_reader_next: (skip)
 * @self: a reader
 *
 * Moves to the next field, over whatever was not read of the present one.
 *
 * Returns: %FALSE at the end of the message or after a failure: flow_proto_reader_finish() tells
 */
gboolean
flow_proto_reader_next (FlowProtoReader *self)
{
  if (self->pos == self->end)
    return FALSE;
  if (G_UNLIKELY (self->source->problem != NULL))
    {
      self->pos = self->end;
      return FALSE;
    }

  self->tag = self->pos;
  self->each = NULL;
  if (!read_tag (self, &self->field, &self->wire))
    return FALSE;
  if (G_UNLIKELY (self->wire == FLOW_WIRE_GROUP))
    return skip_group (self, self->field);
  return read_payload (self, self->wire);
}

/**
 * flow_proto_reader_enter: (skip)
 * @self: a reader at a field
 * @sub: (out caller-allocates): a reader for the message in it
 *
 * Returns: %FALSE if the field is no message on the wire, or is nested too deep (a failure)
 */
gboolean
flow_proto_reader_enter (FlowProtoReader *self,
                         FlowProtoReader *sub)
{
  if (self->wire != FLOW_WIRE_BYTES)
    return FALSE;
  if (self->depth + 1 > FLOW_PROTO_MAX_DEPTH)
    {
      fail_at (self, self->tag, "messages are nested deeper than 100 levels");
      return FALSE;
    }
  sub->field = 0;
  sub->wire = FLOW_WIRE_VARINT;
  sub->value = 0;
  sub->data = NULL;
  sub->size = 0;
  sub->tag = self->data;
  sub->pos = self->data;
  sub->end = self->data + self->size;
  sub->each = NULL;
  sub->depth = self->depth + 1;
  sub->source = self->source;
  return TRUE;
}

/**
 * flow_proto_reader_get_uint64: (skip)
 * @self: a reader at a field
 * @value: (out): a uint64, or any other varint as its bits
 *
 * Returns: %FALSE if the field is no varint; @value then stays
 */
gboolean
flow_proto_reader_get_uint64 (FlowProtoReader *self,
                              guint64         *value)
{
  if (self->wire != FLOW_WIRE_VARINT)
    return FALSE;
  *value = self->value;
  return TRUE;
}

/**
 * flow_proto_reader_get_int64: (skip)
 * @self: a reader at a field
 * @value: (out): an int64
 *
 * Returns: %FALSE if the field is no varint; @value then stays
 */
gboolean
flow_proto_reader_get_int64 (FlowProtoReader *self,
                             gint64          *value)
{
  if (self->wire != FLOW_WIRE_VARINT)
    return FALSE;
  *value = (gint64) self->value;
  return TRUE;
}

/**
 * flow_proto_reader_get_int32: (skip)
 * @self: a reader at a field
 * @value: (out): an int32 or an enum; the upper 32 bits on the wire are ignored, as protobuf does
 *
 * Returns: %FALSE if the field is no varint; @value then stays
 */
gboolean
flow_proto_reader_get_int32 (FlowProtoReader *self,
                             int             *value)
{
  if (self->wire != FLOW_WIRE_VARINT)
    return FALSE;
  *value = (int) (gint32) (guint32) self->value;
  return TRUE;
}

/**
 * flow_proto_reader_get_bool: (skip)
 * @self: a reader at a field
 * @value: (out): a bool
 *
 * Returns: %FALSE if the field is no varint; @value then stays
 */
gboolean
flow_proto_reader_get_bool (FlowProtoReader *self,
                            gboolean        *value)
{
  if (self->wire != FLOW_WIRE_VARINT)
    return FALSE;
  *value = self->value != 0;
  return TRUE;
}

/**
 * flow_proto_reader_get_fixed32: (skip)
 * @self: a reader at a field
 * @value: (out): a fixed32
 *
 * Returns: %FALSE if the field has not four bytes on the wire; @value then stays
 */
gboolean
flow_proto_reader_get_fixed32 (FlowProtoReader *self,
                               guint32         *value)
{
  if (self->wire != FLOW_WIRE_FIXED32)
    return FALSE;
  *value = (guint32) self->value;
  return TRUE;
}

/**
 * flow_proto_reader_get_fixed64: (skip)
 * @self: a reader at a field
 * @value: (out): a fixed64
 *
 * Returns: %FALSE if the field has not eight bytes on the wire; @value then stays
 */
gboolean
flow_proto_reader_get_fixed64 (FlowProtoReader *self,
                               guint64         *value)
{
  if (self->wire != FLOW_WIRE_FIXED64)
    return FALSE;
  *value = self->value;
  return TRUE;
}

/**
 * flow_proto_reader_get_float: (skip)
 * @self: a reader at a field
 * @value: (out): a float, its bits unchanged
 *
 * Returns: %FALSE if the field has not four bytes on the wire; @value then stays
 */
gboolean
flow_proto_reader_get_float (FlowProtoReader *self,
                             float           *value)
{
  guint32 bits;

  if (!flow_proto_reader_get_fixed32 (self, &bits))
    return FALSE;
  memcpy (value, &bits, sizeof bits);
  return TRUE;
}

/**
 * flow_proto_reader_get_double: (skip)
 * @self: a reader at a field
 * @value: (out): a double, its bits unchanged
 *
 * Returns: %FALSE if the field has not eight bytes on the wire; @value then stays
 */
gboolean
flow_proto_reader_get_double (FlowProtoReader *self,
                              double          *value)
{
  if (self->wire != FLOW_WIRE_FIXED64)
    return FALSE;
  memcpy (value, &self->value, sizeof self->value);
  return TRUE;
}

/**
 * flow_proto_reader_get_bytes: (skip)
 * @self: a reader at a field
 * @data: (out) (array length=size): the bytes where they lie
 * @size: (out): their number
 *
 * Returns: %FALSE if the field is not bytes on the wire; @data and @size then stay
 */
gboolean
flow_proto_reader_get_bytes (FlowProtoReader *self,
                             const guint8   **data,
                             gsize           *size)
{
  if (self->wire != FLOW_WIRE_BYTES)
    return FALSE;
  *data = self->data;
  *size = self->size;
  return TRUE;
}

/**
 * flow_proto_is_utf8: (skip)
 * @data: (array length=size): bytes
 * @size: their number
 *
 * Returns: whether they may be a protobuf string; unlike for g_utf8_validate_len() a 00 byte is a
 *   character like others
 */
gboolean
flow_proto_is_utf8 (const guint8 *data,
                    gsize         size)
{
  const guint8 *end = data + size;

  while (data < end)
    {
      const guint8 *zero = memchr (data, 0, (gsize) (end - data));
      const guint8 *stop = zero != NULL ? zero : end;

      if (!g_utf8_validate_len ((const char *) data, (gsize) (stop - data), NULL))
        return FALSE;
      data = zero != NULL ? zero + 1 : end;
    }
  return TRUE;
}

/**
 * flow_proto_reader_get_string: (skip)
 * @self: a reader at a field
 * @text: (out) (array length=length): the text where it lies, without a 00 byte behind it
 * @length: (out): its length in bytes; a 00 byte may stand inside
 *
 * Returns: %FALSE if the field is not bytes on the wire, or is not UTF-8 (a failure, as in the
 *   official parsers)
 */
gboolean
flow_proto_reader_get_string (FlowProtoReader *self,
                              const char     **text,
                              gsize           *length)
{
  if (self->wire != FLOW_WIRE_BYTES)
    return FALSE;
  if (!flow_proto_is_utf8 (self->data, self->size))
    {
      fail_at (self, self->tag, "a string is not valid UTF-8");
      return FALSE;
    }
  *text = (const char *) self->data;
  *length = self->size;
  return TRUE;
}

/**
 * flow_proto_reader_dup_string: (skip)
 * @self: a reader at a field
 * @text: (inout): a string of the caller's own, replaced
 *
 * Copies a string that has to live on as a C string. One with a 00 byte inside is a failure: cut
 * short it would be another name.
 *
 * Returns: %FALSE if the field is no string; @text then stays
 */
gboolean
flow_proto_reader_dup_string (FlowProtoReader *self,
                              char           **text)
{
  const char *start;
  gsize length;

  if (!flow_proto_reader_get_string (self, &start, &length))
    return FALSE;
  if (memchr (start, 0, length) != NULL)
    {
      fail_at (self, self->tag, "a name has a 00 byte");
      return FALSE;
    }
  g_free (*text);
  *text = g_strndup (start, length);
  return TRUE;
}

/**
 * flow_proto_reader_each_varint: (skip)
 * @self: a reader at a repeated field
 * @value: (out): the next of its numbers
 *
 * Gives the numbers of a repeated varint field one by one, be it packed or not.
 *
 * Returns: %FALSE after the last
 */
gboolean
flow_proto_reader_each_varint (FlowProtoReader *self,
                               guint64         *value)
{
  const guint8 *end = self->data + self->size;

  if (self->wire == FLOW_WIRE_VARINT)
    {
      if (self->each != NULL)
        return FALSE;
      self->each = self->pos;
      *value = self->value;
      return TRUE;
    }
  if (self->wire != FLOW_WIRE_BYTES)
    return FALSE;
  if (self->each == NULL)
    self->each = self->data;
  return self->each < end && read_varint (self, &self->each, end, value);
}

/* The same for numbers of a fixed size. */
static gboolean
each_fixed (FlowProtoReader *self,
            FlowWireType     wire,
            gpointer         value,
            gsize            size)
{
  if (self->wire == wire)
    {
      guint32 bits32 = (guint32) self->value;

      if (self->each != NULL)
        return FALSE;
      self->each = self->pos;
      memcpy (value, size == sizeof bits32 ? (gconstpointer) &bits32 : &self->value, size);
      return TRUE;
    }
  if (self->wire != FLOW_WIRE_BYTES)
    return FALSE;
  if (self->each == NULL)
    self->each = self->data;
  if (self->each == self->data + self->size)
    return FALSE;
  if ((gsize) (self->data + self->size - self->each) < size)
    {
      fail_at (self, self->each, truncated);
      return FALSE;
    }
  memcpy (value, self->each, size);
  self->each += size;
  return TRUE;
}

/**
 * flow_proto_reader_each_float: (skip)
 * @self: a reader at a repeated field
 * @value: (out): the next of its numbers
 *
 * Gives the numbers of a repeated float field one by one, be it packed or not.
 *
 * Returns: %FALSE after the last
 */
gboolean
flow_proto_reader_each_float (FlowProtoReader *self,
                              float           *value)
{
  return each_fixed (self, FLOW_WIRE_FIXED32, value, sizeof *value);
}

/**
 * flow_proto_reader_each_double: (skip)
 * @self: a reader at a repeated field
 * @value: (out): the next of its numbers
 *
 * Gives the numbers of a repeated double field one by one, be it packed or not.
 *
 * Returns: %FALSE after the last
 */
gboolean
flow_proto_reader_each_double (FlowProtoReader *self,
                               double          *value)
{
  return each_fixed (self, FLOW_WIRE_FIXED64, value, sizeof *value);
}

/**
 * flow_proto_reader_fail: (skip)
 * @self: a reader at a field
 * @problem: static text: what is wrong with the field
 *
 * Makes reading fail at the present field; the first failure stays.
 */
void
flow_proto_reader_fail (FlowProtoReader *self,
                        const char      *problem)
{
  fail_at (self, self->tag, problem);
}

/**
 * flow_proto_reader_failed: (skip)
 * @self: a reader
 *
 * Returns: whether it, the reader it came from, or any made from that has failed
 */
gboolean
flow_proto_reader_failed (FlowProtoReader *self)
{
  return self->source->problem != NULL;
}

/**
 * flow_proto_reader_get_offset: (skip)
 * @self: a reader
 *
 * Returns: where the present field begins, counted from the first byte of the outermost message;
 *   after a failure, where that is
 */
gsize
flow_proto_reader_get_offset (FlowProtoReader *self)
{
  if (self->source->problem != NULL)
    return self->source->problem_offset;
  return (gsize) (self->tag - self->source->base);
}

/**
 * flow_proto_reader_finish: (skip)
 * @self: a reader
 * @what: what was read, for the message: a file name, a field
 * @error: return location
 *
 * Returns: %TRUE if nothing failed; else sets `FLOW_ERROR_DATA_LOSS` with TensorFlow's words, what
 *   is wrong and at which byte
 */
gboolean
flow_proto_reader_finish (FlowProtoReader *self,
                          const char      *what,
                          GError         **error)
{
  if (self->source->problem == NULL)
    return TRUE;
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS,
               "Can't parse %s as binary proto: %s, at byte %" G_GSIZE_FORMAT,
               what, self->source->problem, self->source->problem_offset);
  return FALSE;
}
