/* flow-text-writer.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-text-proto.h"

#include "flow-text-scan-private.h"

#include <math.h>
#include <string.h>

/* Significant digits: a double needs 17 at most, a float 9; the official printer starts floats at 6. */
#define DOUBLE_DIGITS 17
#define FLOAT_MIN_DIGITS 6
#define FLOAT_DIGITS 9

typedef struct {
  FlowProtoWriter out;         /* used as a buffer of text */
  guint indent;
} TextWriter;

/* An occurrence of a field on the wire. */
typedef struct {
  const FlowProtoField *field;
  const guint8 *data;
  gsize size;
  guint64 value;
  FlowWireType wire;
  guint index;
} Occurrence;

static gboolean write_fields (TextWriter             *self,
                              const FlowProtoMessage *message,
                              FlowProtoReader        *reader);

static void
put (TextWriter *self,
     const char *text)
{
  flow_proto_writer_append (&self->out, text, strlen (text));
}

static void
put_name (TextWriter           *self,
          const FlowProtoField *field)
{
  for (guint i = 0; i < self->indent; i++)
    put (self, "  ");
  put (self, field->name);
}

/* The shortest decimal that reads back as the same double, written as Python does: "1.0", "1e-05". */
static void
put_double (TextWriter *self,
            double      value)
{
  char digits[32];
  char text[64];
  char *exponent_at;
  int exponent;
  int n_digits = 0;

  if (!isfinite (value))
    {
      put (self, isnan (value) ? "nan" : value > 0 ? "inf" : "-inf");
      return;
    }
  for (int precision = 0; precision < DOUBLE_DIGITS; precision++)
    {
      char format[8];

      g_snprintf (format, sizeof format, "%%.%de", precision);
      g_ascii_formatd (digits, sizeof digits, format, value);
      n_digits = precision + 1;
      if (g_ascii_strtod (digits, NULL) == value)
        break;
    }
  exponent_at = strchr (digits, 'e');
  exponent = (int) g_ascii_strtoll (exponent_at + 1, NULL, 10);
  if (exponent < -4 || exponent >= 16)
    {
      *exponent_at = '\0';
      g_snprintf (text, sizeof text, "%se%c%02d", digits, exponent < 0 ? '-' : '+', ABS (exponent));
    }
  else
    {
      char format[8];

      g_snprintf (format, sizeof format, "%%.%df", MAX (n_digits - 1 - exponent, 1));
      g_ascii_formatd (text, sizeof text, format, value);
    }
  put (self, text);
}

/* A float by the fewest digits, six at least, that read back as the same float. */
static void
put_float (TextWriter *self,
           float       value)
{
  char text[32];
  double shortest = value;

  if (isfinite (value))
    for (int precision = FLOAT_MIN_DIGITS; precision <= FLOAT_DIGITS; precision++)
      {
        char format[8];

        g_snprintf (format, sizeof format, "%%.%dg", precision);
        g_ascii_formatd (text, sizeof text, format, value);
        shortest = g_ascii_strtod (text, NULL);
        if (_flow_double_to_float (shortest) == value)
          break;
      }
  put_double (self, shortest);
}

static void
put_number (TextWriter           *self,
            const FlowProtoField *field,
            guint64               value)
{
  const char *name;
  char text[32];
  float single;
  double real;
  guint32 bits = (guint32) value;

  switch (field->type)
    {
    case FLOW_PROTO_BOOL:
      put (self, value != 0 ? "true" : "false");
      return;
    case FLOW_PROTO_FLOAT:
      memcpy (&single, &bits, sizeof single);
      put_float (self, single);
      return;
    case FLOW_PROTO_DOUBLE:
      memcpy (&real, &value, sizeof real);
      put_double (self, real);
      return;
    case FLOW_PROTO_ENUM:
      name = _flow_proto_enum_value_name (field->ref, (int) (gint32) bits);
      if (name != NULL)
        {
          put (self, name);
          return;
        }
      g_snprintf (text, sizeof text, "%d", (int) (gint32) bits);
      break;
    case FLOW_PROTO_INT32:
      g_snprintf (text, sizeof text, "%d", (int) (gint32) bits);
      break;
    case FLOW_PROTO_UINT32:
    case FLOW_PROTO_FIXED32:
      g_snprintf (text, sizeof text, "%u", bits);
      break;
    case FLOW_PROTO_UINT64:
    case FLOW_PROTO_FIXED64:
      g_snprintf (text, sizeof text, "%" G_GUINT64_FORMAT, value);
      break;
    case FLOW_PROTO_SINT64:
      g_snprintf (text, sizeof text, "%" G_GINT64_FORMAT, (gint64) (value >> 1) ^ -(gint64) (value & 1));
      break;
    default:
      g_snprintf (text, sizeof text, "%" G_GINT64_FORMAT, (gint64) value);
      break;
    }
  put (self, text);
}

static void
write_number (TextWriter           *self,
              const FlowProtoField *field,
              guint64               value)
{
  put_name (self, field);
  put (self, ": ");
  put_number (self, field, value);
  put (self, "\n");
}

static void
write_text (TextWriter           *self,
            const FlowProtoField *field,
            const guint8         *data,
            gsize                 size)
{
  gsize begin = 0;

  put_name (self, field);
  put (self, ": \"");
  /* In pieces: a constant of 100 MB should not be escaped as one. */
  for (; begin < size; begin += 4096)
    {
      g_autofree char *piece = flow_escape_bytes ((const char *) data + begin,
                                                  (gssize) MIN (size - begin, 4096));

      put (self, piece);
    }
  put (self, "\"\n");
}

/* The numbers of a packed field; FALSE with a failure of @reader's. */
static void
write_packed (TextWriter       *self,
              const Occurrence *o,
              FlowProtoReader  *reader)
{
  FlowWireType wire = _flow_proto_type_wire (o->field->type);
  const guint8 *pos = o->data;
  const guint8 *end = o->data + o->size;
  guint64 value;
  gsize width = wire == FLOW_WIRE_FIXED32 ? 4 : 8;

  while (pos < end)
    {
      if (wire == FLOW_WIRE_VARINT)
        {
          if (!flow_proto_read_varint (&pos, end, &value))
            {
              flow_proto_reader_fail (reader, "a packed field is damaged");
              return;
            }
        }
      else
        {
          if ((gsize) (end - pos) < width)
            {
              flow_proto_reader_fail (reader, "a packed field is damaged");
              return;
            }
          value = 0;
          memcpy (&value, pos, width);
          pos += width;
        }
      write_number (self, o->field, value);
    }
}

static gboolean
is_default (const Occurrence *o)
{
  return o->wire == FLOW_WIRE_BYTES ? o->size == 0 : o->value == 0;
}

static void
write_message (TextWriter       *self,
               const Occurrence *o,
               FlowProtoReader  *reader)
{
  const FlowProtoField *field = o->field;
  FlowProtoReader sub;

  put_name (self, field);
  put (self, " {\n");
  self->indent++;
  /* The span is entered through a reader that stands at it, so that depth and failures count. */
  reader->wire = FLOW_WIRE_BYTES;
  reader->data = o->data;
  reader->size = o->size;
  if (flow_proto_reader_enter (reader, &sub))
    write_fields (self, flow_proto_field_message (field), &sub);
  self->indent--;
  for (guint i = 0; i < self->indent; i++)
    put (self, "  ");
  put (self, "}\n");
}

/* A singular message that comes in @n pieces: their bytes one after the other are the merged one. */
static void
write_merged (TextWriter       *self,
              const Occurrence *pieces,
              guint             n,
              FlowProtoReader  *reader)
{
  Occurrence merged = pieces[0];
  FlowProtoWriter joined;
  g_autoptr (GBytes) bytes = NULL;

  flow_proto_writer_init (&joined);
  for (guint i = 0; i < n; i++)
    flow_proto_writer_append (&joined, pieces[i].data, pieces[i].size);
  bytes = flow_proto_writer_finish (&joined, NULL);
  if (bytes == NULL)
    {
      self->out.failed = TRUE;
      return;
    }
  merged.data = g_bytes_get_data (bytes, &merged.size);
  write_message (self, &merged, reader);
}

static void
write_occurrence (TextWriter       *self,
                  const Occurrence *o,
                  FlowProtoReader  *reader)
{
  const FlowProtoField *field = o->field;

  if ((field->flags & FLOW_PROTO_REPEATED) == 0 && field->oneof == 0 &&
      field->type != FLOW_PROTO_MESSAGE && is_default (o))
    return;
  if (field->type == FLOW_PROTO_MESSAGE)
    write_message (self, o, reader);
  else if (field->type == FLOW_PROTO_STRING || field->type == FLOW_PROTO_BYTES)
    write_text (self, field, o->data, o->size);
  else if (o->wire == FLOW_WIRE_BYTES)
    write_packed (self, o, reader);
  else
    write_number (self, field, o->value);
}

static gboolean
wire_fits (const FlowProtoField *field,
           FlowWireType          wire)
{
  return wire == _flow_proto_type_wire (field->type) ||
         (wire == FLOW_WIRE_BYTES && flow_proto_field_is_packed (field));
}

/* The key of a map entry. */
static void
get_key (const Occurrence *o,
         FlowProtoReader  *key)
{
  flow_proto_reader_init (key, o->data, o->size);
  while (flow_proto_reader_next (key))
    if (key->field == 1)
      return;
  key->field = 0;
  key->size = 0;
  key->value = 0;
}

static int
compare_keys (const Occurrence *a,
              const Occurrence *b)
{
  FlowProtoReader x;
  FlowProtoReader y;
  int order;

  get_key (a, &x);
  get_key (b, &y);
  if (flow_proto_field_message (a->field)->fields[0].type != FLOW_PROTO_STRING)
    return (x.value > y.value) - (x.value < y.value);
  order = memcmp (x.size > 0 ? x.data : (const guint8 *) "", y.size > 0 ? y.data : (const guint8 *) "",
                  MIN (x.size, y.size));
  return order != 0 ? order : (x.size > y.size) - (x.size < y.size);
}

static int
compare_occurrences (gconstpointer a,
                     gconstpointer b)
{
  const Occurrence *x = a;
  const Occurrence *y = b;
  int order = 0;

  if (x->field != y->field)
    return x->field->number < y->field->number ? -1 : 1;
  if ((x->field->flags & FLOW_PROTO_MAP) != 0)
    order = compare_keys (x, y);
  return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

/* Of a singular scalar the last counts, of a oneof the last member, of a map key the last entry. */
static gboolean
is_overruled (const Occurrence *all,
              guint             i,
              guint             n,
              const guint      *last_of_oneof)
{
  const FlowProtoField *field = all[i].field;

  if (field->oneof != 0 && field->number != last_of_oneof[field->oneof])
    return TRUE;
  if (i + 1 == n || all[i + 1].field != field || field->type == FLOW_PROTO_MESSAGE)
    return i + 1 < n && all[i + 1].field == field && (field->flags & FLOW_PROTO_MAP) != 0 &&
           compare_keys (&all[i], &all[i + 1]) == 0;
  return (field->flags & FLOW_PROTO_REPEATED) == 0;
}

static gboolean
write_fields (TextWriter             *self,
              const FlowProtoMessage *message,
              FlowProtoReader        *reader)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Occurrence));
  guint last_of_oneof[256] = { 0 };

  while (flow_proto_reader_next (reader))
    {
      const FlowProtoField *field = _flow_proto_message_by_number (message, reader->field);
      Occurrence o = { field, reader->data, reader->size, reader->value, reader->wire, all->len };

      if (field == NULL || !wire_fits (field, reader->wire))
        continue;
      if (field->type == FLOW_PROTO_STRING && !flow_proto_is_utf8 (reader->data, reader->size))
        flow_proto_reader_fail (reader, "a string is not valid UTF-8");
      last_of_oneof[field->oneof] = field->number;
      g_array_append_val (all, o);
    }
  if (flow_proto_reader_failed (reader))
    return FALSE;
  g_array_sort (all, compare_occurrences);
  for (guint i = 0; i < all->len && !flow_proto_reader_failed (reader) && !self->out.failed; i++)
    {
      const Occurrence *o = &g_array_index (all, Occurrence, i);
      guint n = 1;

      if (is_overruled ((const Occurrence *) (gpointer) all->data, i, all->len, last_of_oneof))
        continue;
      if (o->field->type == FLOW_PROTO_MESSAGE && (o->field->flags & FLOW_PROTO_REPEATED) == 0)
        while (i + n < all->len && o[n].field == o->field)
          n++;
      if (n > 1)
        write_merged (self, o, n, reader);
      else
        write_occurrence (self, o, reader);
      i += n - 1;
    }
  return !flow_proto_reader_failed (reader);
}

/**
 * flow_proto_to_text:
 * @message: the message's name without the package, such as `GraphDef`
 * @encoded: its bytes
 * @label: what to call it in messages: a file name
 * @error: return location
 *
 * Writes protobuf's text format as Python's printer does: a field a line, two blanks a level, fields
 * by number, maps by key, defaults left out. Fields that the schema does not have are left out too.
 *
 * Returns: (transfer full) (nullable): ASCII text; %NULL with `FLOW_ERROR_DATA_LOSS` for damaged bytes,
 *   `FLOW_ERROR_RESOURCE_EXHAUSTED` for a text beyond 2 GiB
 */
GBytes *
flow_proto_to_text (const char  *message,
                    GBytes      *encoded,
                    const char  *label,
                    GError     **error)
{
  const FlowProtoMessage *type = _flow_proto_message_lookup (message);
  TextWriter self = { .indent = 0 };
  FlowProtoReader reader;
  gsize size;
  gconstpointer data;

  g_return_val_if_fail (type != NULL && encoded != NULL && label != NULL, NULL);

  data = g_bytes_get_data (encoded, &size);
  flow_proto_writer_init (&self.out);
  flow_proto_reader_init (&reader, data, size);
  write_fields (&self, type, &reader);
  if (!flow_proto_reader_finish (&reader, label, error))
    {
      flow_proto_writer_clear (&self.out);
      return NULL;
    }
  return flow_proto_writer_finish (&self.out, error);
}
