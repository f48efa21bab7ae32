/* flow-text-reader.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-text-proto.h"

#include "flow-text-scan-private.h"

#include <string.h>

/* The type of an extended Any begins like this. */
#define TYPE_PREFIX "tensorflow."

/* A field that was read: its payload lies in the scratch buffer, without tag and length. */
typedef struct {
  const FlowProtoField *field;
  gsize offset;
  gsize size;
  guint index;                 /* in the order of the text: sorting keeps it */
} Record;

/* Text is turned into the message's bytes, in the order that the official libraries write, so that
 * one reader serves both. Messages are built inside out: a message's fields are collected in
 * @scratch and @records, above those of the messages around it, then written in order to @sorted
 * and put back as one payload. */
typedef struct {
  FlowTextScan scan;
  FlowProtoWriter scratch;
  FlowProtoWriter sorted;
  GArray *records;
  gsize max_records;
  guint depth;
} TextReader;

static gboolean read_message (TextReader             *self,
                              const FlowProtoMessage *message,
                              char                    closing,
                              gboolean                is_map_entry);

/* --- Fields in the order of the text --- */

static gboolean
add_record (TextReader           *self,
            const FlowProtoField *field,
            gsize                 offset)
{
  Record record = { field, offset, self->scratch.size - offset, self->records->len };

  if (self->records->len >= self->max_records || self->scratch.failed)
    {
      self->scan.problem_code = FLOW_ERROR_RESOURCE_EXHAUSTED;
      _flow_text_scan_fail (&self->scan, self->scan.pos, "reading it takes more than the memory budget");
      return FALSE;
    }
  g_array_append_val (self->records, record);
  return TRUE;
}

static gboolean
read_bool (TextReader *self)
{
  static const char *const names[] = { "false", "true", "False", "True", "f", "t" };
  FlowTextWord word;
  gboolean negative;
  guint64 number;
  const char *at;

  _flow_text_scan_peek (&self->scan);
  at = self->scan.pos;
  if (at < self->scan.end && g_ascii_isdigit (*at))
    {
      if (!_flow_text_scan_integer (&self->scan, &negative, &number))
        return FALSE;
      if (number > 1)
        {
          _flow_text_scan_fail (&self->scan, at, "Integer out of range (%" G_GUINT64_FORMAT ")", number);
          return FALSE;
        }
      flow_proto_writer_append_varint (&self->scratch, number);
      return TRUE;
    }
  if (!_flow_text_scan_word (&self->scan, &word))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strlen (names[i]) == word.length && memcmp (names[i], word.text, word.length) == 0)
      {
        flow_proto_writer_append_varint (&self->scratch, i & 1);
        return TRUE;
      }
  _flow_text_scan_fail (&self->scan, at, "Invalid value for boolean field: \"%.*s\".",
                        (int) MIN (word.length, 40), word.text);
  return FALSE;
}

static gboolean
read_enum (TextReader           *self,
           const FlowProtoField *field)
{
  FlowTextWord word;
  gboolean negative;
  guint64 magnitude;
  int number;
  char c = _flow_text_scan_peek (&self->scan);
  const char *at = self->scan.pos;

  if (c == '-' || g_ascii_isdigit (c))
    {
      if (!_flow_text_scan_integer (&self->scan, &negative, &magnitude))
        return FALSE;
      if (magnitude > (guint64) G_MAXINT32 + negative)
        {
          _flow_text_scan_fail (&self->scan, at, "Integer out of range (%" G_GUINT64_FORMAT ")", magnitude);
          return FALSE;
        }
      flow_proto_writer_append_varint (&self->scratch, negative ? -magnitude : magnitude);
      return TRUE;
    }
  if (!_flow_text_scan_word (&self->scan, &word))
    return FALSE;
  if (!_flow_proto_enum_value_number (field->ref, word.text, word.length, &number))
    {
      _flow_text_scan_fail (&self->scan, at, "Unknown enumeration value of \"%.*s\" for field \"%s\".",
                            (int) MIN (word.length, 80), word.text, field->name);
      return FALSE;
    }
  flow_proto_writer_append_varint (&self->scratch, (guint64) (gint64) number);
  return TRUE;
}

static gboolean
read_integer (TextReader           *self,
              const FlowProtoField *field)
{
  gboolean is_32 = field->type == FLOW_PROTO_INT32 || field->type == FLOW_PROTO_UINT32 ||
                   field->type == FLOW_PROTO_FIXED32;
  gboolean is_signed = field->type == FLOW_PROTO_INT32 || field->type == FLOW_PROTO_INT64 ||
                       field->type == FLOW_PROTO_SINT64;
  guint64 max = is_signed ? (is_32 ? G_MAXINT32 : G_MAXINT64) : (is_32 ? G_MAXUINT32 : G_MAXUINT64);
  gboolean negative;
  guint64 value;
  guint32 bits;
  const char *at;

  _flow_text_scan_peek (&self->scan);
  at = self->scan.pos;
  if (!_flow_text_scan_integer (&self->scan, &negative, &value))
    return FALSE;
  if ((negative && !is_signed && value > 0) || value > max + (negative && is_signed))
    {
      _flow_text_scan_fail (&self->scan, at, "Integer out of range (%s%" G_GUINT64_FORMAT ")",
                            negative ? "-" : "", value);
      return FALSE;
    }
  if (negative)
    value = -value;
  switch (field->type)
    {
    case FLOW_PROTO_SINT64:
      flow_proto_writer_append_varint (&self->scratch, (value << 1) ^ (guint64) ((gint64) value >> 63));
      break;
    case FLOW_PROTO_FIXED32:
      bits = GUINT32_TO_LE ((guint32) value);
      flow_proto_writer_append (&self->scratch, &bits, sizeof bits);
      break;
    case FLOW_PROTO_FIXED64:
      value = GUINT64_TO_LE (value);
      flow_proto_writer_append (&self->scratch, &value, sizeof value);
      break;
    default:
      flow_proto_writer_append_varint (&self->scratch, value);
      break;
    }
  return TRUE;
}

static gboolean
read_scalar (TextReader           *self,
             const FlowProtoField *field)
{
  gsize offset = self->scratch.size;
  const char *at;
  double real;
  float single;

  switch (field->type)
    {
    case FLOW_PROTO_BOOL:
      if (!read_bool (self))
        return FALSE;
      break;
    case FLOW_PROTO_ENUM:
      if (!read_enum (self, field))
        return FALSE;
      break;
    case FLOW_PROTO_FLOAT:
      if (!_flow_text_scan_float (&self->scan, &real))
        return FALSE;
      single = _flow_double_to_float (real);
      flow_proto_writer_append (&self->scratch, &single, sizeof single);
      break;
    case FLOW_PROTO_DOUBLE:
      if (!_flow_text_scan_float (&self->scan, &real))
        return FALSE;
      flow_proto_writer_append (&self->scratch, &real, sizeof real);
      break;
    case FLOW_PROTO_STRING:
    case FLOW_PROTO_BYTES:
      _flow_text_scan_peek (&self->scan);
      at = self->scan.pos;
      if (!_flow_text_scan_string (&self->scan, &self->scratch))
        return FALSE;
      if (field->type == FLOW_PROTO_STRING && !self->scratch.failed && self->scratch.size > offset &&
          !flow_proto_is_utf8 (self->scratch.data + offset, self->scratch.size - offset))
        {
          _flow_text_scan_fail (&self->scan, at, "String field \"%s\" is not valid UTF-8.", field->name);
          return FALSE;
        }
      break;
    default:
      if (!read_integer (self, field))
        return FALSE;
      break;
    }
  return add_record (self, field, offset);
}

static gboolean
read_submessage (TextReader           *self,
                 const FlowProtoField *field)
{
  gsize offset = self->scratch.size;
  char opening = _flow_text_scan_peek (&self->scan);

  if (opening != '<' && !_flow_text_scan_expect (&self->scan, '{'))
    return FALSE;
  if (opening == '<')
    self->scan.pos++;
  if (!read_message (self, flow_proto_field_message (field), opening == '<' ? '>' : '}',
                     (field->flags & FLOW_PROTO_MAP) != 0))
    return FALSE;
  return add_record (self, field, offset);
}

static gboolean
read_value (TextReader           *self,
            const FlowProtoField *field)
{
  return field->type == FLOW_PROTO_MESSAGE ? read_submessage (self, field) : read_scalar (self, field);
}

/* [a, b, c] */
static gboolean
read_list (TextReader           *self,
           const FlowProtoField *field)
{
  if ((field->flags & FLOW_PROTO_REPEATED) == 0)
    {
      _flow_text_scan_fail (&self->scan, self->scan.pos, "Field \"%s\" is not repeated, it takes no list.",
                            field->name);
      return FALSE;
    }
  self->scan.pos++;
  if (_flow_text_scan_accept (&self->scan, ']'))
    return TRUE;
  do
    if (!read_value (self, field))
      return FALSE;
  while (_flow_text_scan_accept (&self->scan, ','));
  return _flow_text_scan_expect (&self->scan, ']');
}

/* Inside an Any: [type.googleapis.com/tensorflow.AssetFileDef] { ... } stands for its two fields. */
static gboolean
read_expanded_any (TextReader             *self,
                   const FlowProtoMessage *any)
{
  const char *start = ++self->scan.pos;
  const char *closing = memchr (start, ']', (gsize) (self->scan.end - start));
  g_autofree char *type_url = NULL;
  const FlowProtoMessage *message = NULL;
  const char *name;
  gsize offset;
  char opening;

  if (closing == NULL || closing == start)
    {
      _flow_text_scan_fail (&self->scan, start, "Expected the type of an Any.");
      return FALSE;
    }
  type_url = g_strstrip (g_strndup (start, (gsize) (closing - start)));
  name = strrchr (type_url, '/');
  if (name != NULL && g_str_has_prefix (name + 1, TYPE_PREFIX))
    message = _flow_proto_message_lookup (name + 1 + strlen (TYPE_PREFIX));
  if (message == NULL)
    {
      _flow_text_scan_fail (&self->scan, start, "Could not find type \"%s\" stored in google.protobuf.Any.",
                            type_url);
      return FALSE;
    }
  self->scan.pos = closing + 1;
  offset = self->scratch.size;
  flow_proto_writer_append (&self->scratch, type_url, strlen (type_url));
  if (!add_record (self, &any->fields[0], offset))
    return FALSE;
  _flow_text_scan_accept (&self->scan, ':');
  opening = _flow_text_scan_peek (&self->scan);
  if (opening != '<' && opening != '{')
    return _flow_text_scan_expect (&self->scan, '{');
  self->scan.pos++;
  offset = self->scratch.size;
  return read_message (self, message, opening == '<' ? '>' : '}', FALSE) &&
         add_record (self, &any->fields[1], offset);
}

static gboolean
read_field (TextReader             *self,
            const FlowProtoMessage *message)
{
  const FlowProtoField *field;
  FlowTextWord name;
  gboolean has_colon;

  if (_flow_text_scan_peek (&self->scan) == '[' && message == &flow_proto_messages[FLOW_MESSAGE_ANY])
    return read_expanded_any (self, message);
  if (!_flow_text_scan_word (&self->scan, &name))
    return FALSE;
  field = _flow_proto_message_by_name (message, name.text, name.length);
  if (field == NULL)
    {
      _flow_text_scan_fail (&self->scan, name.text, "Message type \"tensorflow.%s\" has no field named \"%.*s\".",
                            message->name, (int) MIN (name.length, 80), name.text);
      return FALSE;
    }
  has_colon = _flow_text_scan_accept (&self->scan, ':');
  if (!has_colon && field->type != FLOW_PROTO_MESSAGE)
    return _flow_text_scan_expect (&self->scan, ':');
  if (_flow_text_scan_peek (&self->scan) == '[' ? !read_list (self, field) : !read_value (self, field))
    return FALSE;
  if (!_flow_text_scan_accept (&self->scan, ','))
    _flow_text_scan_accept (&self->scan, ';');
  return TRUE;
}

/* --- Fields in the order of the wire --- */

/* The key of a map entry that is written already: 0a LENGTH BYTES or 08 VARINT. */
static int
compare_map_keys (const guint8 *a,
                  gsize         a_size,
                  const guint8 *b,
                  gsize         b_size)
{
  FlowProtoReader x;
  FlowProtoReader y;
  int order;

  flow_proto_reader_init (&x, a, a_size);
  flow_proto_reader_init (&y, b, b_size);
  if (!flow_proto_reader_next (&x) || !flow_proto_reader_next (&y))
    return 0;
  if (x.wire == FLOW_WIRE_VARINT)
    return (x.value > y.value) - (x.value < y.value);
  order = memcmp (x.data, y.data, MIN (x.size, y.size));
  return order != 0 ? order : (x.size > y.size) - (x.size < y.size);
}

static int
compare_records (gconstpointer a,
                 gconstpointer b,
                 gpointer      data)
{
  const Record *x = a;
  const Record *y = b;
  const guint8 *bytes = data;
  int order = 0;

  if (x->field->number != y->field->number)
    return x->field->number < y->field->number ? -1 : 1;
  if ((x->field->flags & FLOW_PROTO_MAP) != 0)
    order = compare_map_keys (bytes + x->offset, x->size, bytes + y->offset, y->size);
  if (order != 0)
    return order;
  return (x->index > y->index) - (x->index < y->index);
}

/* Of each oneof the last member counts: the records of others lose their field. */
static void
drop_oneof_losers (Record *records,
                   guint   n,
                   guint   oneof)
{
  const FlowProtoField *last = NULL;

  for (guint i = n; i-- > 0;)
    {
      if (records[i].field == NULL || records[i].field->oneof != oneof)
        continue;
      if (last == NULL)
        last = records[i].field;
      else if (records[i].field != last)
        records[i].field = NULL;
    }
}

static gboolean
needs_sorting (const Record *records,
               guint         n)
{
  for (guint i = 1; i < n; i++)
    if (records[i - 1].field->number > records[i].field->number ||
        (records[i].field->flags & FLOW_PROTO_MAP) != 0)
      return TRUE;
  return FALSE;
}

static gboolean
is_default (const guint8 *data,
            gsize         size,
            FlowWireType  wire)
{
  if (wire == FLOW_WIRE_BYTES)
    return size == 0;
  for (gsize i = 0; i < size; i++)
    if (data[i] != 0)
      return FALSE;
  return TRUE;
}

static void
write_payload (FlowProtoWriter *out,
               guint32          number,
               FlowWireType     wire,
               const guint8    *data,
               gsize            size)
{
  flow_proto_writer_append_varint (out, (guint64) number << 3 | wire);
  if (wire == FLOW_WIRE_BYTES)
    flow_proto_writer_append_varint (out, size);
  flow_proto_writer_append (out, data, size);
}

/* A singular message that was given several times. Bytes of messages one after the other are the
 * merged message; printing and reading that once puts its fields into order. */
static void
write_merged (TextReader   *self,
              const Record *records,
              guint         n)
{
  const FlowProtoField *field = records[0].field;
  const char *message = flow_proto_field_message (field)->name;
  FlowProtoWriter joined;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GBytes) text = NULL;
  g_autoptr (GBytes) merged = NULL;
  gconstpointer data;
  gsize size;

  flow_proto_writer_init (&joined);
  for (guint i = 0; i < n; i++)
    flow_proto_writer_append (&joined, self->scratch.data + records[i].offset, records[i].size);
  bytes = flow_proto_writer_finish (&joined, NULL);
  if (bytes != NULL)
    text = flow_proto_to_text (message, bytes, "", NULL);
  if (text != NULL)
    merged = flow_text_to_proto (message, text, "", NULL);
  if (merged == NULL)
    {
      self->sorted.failed = TRUE;
      return;
    }
  data = g_bytes_get_data (merged, &size);
  write_payload (&self->sorted, field->number, FLOW_WIRE_BYTES, data, size);
}

/* All records of one field, from @begin on; returns where the next field begins. */
static guint
write_field (TextReader   *self,
             const Record *records,
             guint         begin,
             guint         n,
             gboolean      is_map_entry)
{
  const FlowProtoField *field = records[begin].field;
  FlowWireType wire = _flow_proto_type_wire (field->type);
  const guint8 *bytes = self->scratch.data;
  guint end = begin;
  gsize total = 0;

  while (end < n && records[end].field == field)
    total += records[end++].size;
  if (flow_proto_field_is_packed (field))
    {
      flow_proto_writer_append_varint (&self->sorted, (guint64) field->number << 3 | FLOW_WIRE_BYTES);
      flow_proto_writer_append_varint (&self->sorted, total);
      for (guint i = begin; i < end; i++)
        flow_proto_writer_append (&self->sorted, bytes + records[i].offset, records[i].size);
    }
  else if ((field->flags & FLOW_PROTO_REPEATED) != 0)
    {
      for (guint i = begin; i < end; i++)
        {
          /* Of a map key that comes twice the last value counts. */
          if ((field->flags & FLOW_PROTO_MAP) != 0 && i + 1 < end &&
              compare_map_keys (bytes + records[i].offset, records[i].size, bytes + records[i + 1].offset,
                                records[i + 1].size) == 0)
            continue;
          write_payload (&self->sorted, field->number, wire, bytes + records[i].offset, records[i].size);
        }
    }
  else if (field->type == FLOW_PROTO_MESSAGE && end - begin > 1)
    write_merged (self, records + begin, end - begin);
  else
    {
      const Record *last = &records[end - 1];

      if (field->oneof != 0 || is_map_entry || field->type == FLOW_PROTO_MESSAGE ||
          !is_default (bytes + last->offset, last->size, wire))
        write_payload (&self->sorted, field->number, wire, bytes + last->offset, last->size);
    }
  return end;
}

/* Map entries always say key and value. */
static void
add_entry_defaults (TextReader             *self,
                    const FlowProtoMessage *message,
                    guint                   first)
{
  for (guint f = 0; f < message->n_fields; f++)
    {
      gboolean found = FALSE;
      gsize offset = self->scratch.size;
      FlowWireType wire = _flow_proto_type_wire (message->fields[f].type);
      guint8 zeros[8] = { 0 };

      for (guint i = first; i < self->records->len; i++)
        found |= g_array_index (self->records, Record, i).field == &message->fields[f];
      if (found)
        continue;
      if (wire != FLOW_WIRE_BYTES)
        flow_proto_writer_append (&self->scratch, zeros,
                                  wire == FLOW_WIRE_VARINT ? 1 : wire == FLOW_WIRE_FIXED32 ? 4 : 8);
      add_record (self, &message->fields[f], offset);
    }
}

/* Replaces the records from @first on and their payloads by the message they make. */
static void
close_message (TextReader             *self,
               const FlowProtoMessage *message,
               guint                   first,
               gsize                   offset,
               gboolean                is_map_entry)
{
  Record *records;
  guint n;

  if (is_map_entry)
    add_entry_defaults (self, message, first);
  if (self->scratch.failed)
    return;
  records = &g_array_index (self->records, Record, first);
  n = self->records->len - first;
  if (message->n_fields > 1 && n > 1)
    {
      guint kept = 0;
      guint n_oneofs = 0;

      for (guint i = 0; i < message->n_fields; i++)
        n_oneofs = MAX (n_oneofs, message->fields[i].oneof);
      for (guint oneof = 1; oneof <= n_oneofs; oneof++)
        drop_oneof_losers (records, n, oneof);
      for (guint i = 0; i < n; i++)
        if (records[i].field != NULL)
          records[kept++] = records[i];
      n = kept;
      if (needs_sorting (records, n))
        g_qsort_with_data (records, (int) n, sizeof *records, compare_records, self->scratch.data);
    }
  self->sorted.size = 0;
  for (guint i = 0; i < n;)
    i = write_field (self, records, i, n, is_map_entry);
  self->scratch.failed |= self->sorted.failed;
  g_array_set_size (self->records, first);
  self->scratch.size = offset;
  flow_proto_writer_append (&self->scratch, self->sorted.data, self->sorted.size);
}

/* Reads fields up to @closing (0: the end of the text) and leaves the message's bytes at the end of
 * the scratch buffer. */
static gboolean
read_message (TextReader             *self,
              const FlowProtoMessage *message,
              char                    closing,
              gboolean                is_map_entry)
{
  guint first = self->records->len;
  gsize offset = self->scratch.size;
  const char *opened_at = self->scan.pos;

  if (self->depth >= FLOW_PROTO_MAX_DEPTH)
    {
      _flow_text_scan_fail (&self->scan, self->scan.pos, "messages are nested deeper than %d levels",
                            FLOW_PROTO_MAX_DEPTH);
      return FALSE;
    }
  self->depth++;
  for (;;)
    {
      char c = _flow_text_scan_peek (&self->scan);

      if (self->scan.problem != NULL)
        return FALSE;
      if (c == closing)
        break;
      if (c == '\0')
        {
          _flow_text_scan_fail (&self->scan, opened_at, "Expected \"%c\", found the end.", closing);
          return FALSE;
        }
      if (!read_field (self, message))
        return FALSE;
    }
  if (closing != '\0')
    self->scan.pos++;
  self->depth--;
  close_message (self, message, first, offset, is_map_entry);
  return TRUE;
}

/**
 * flow_text_to_proto:
 * @message: the message's name without the package, such as `GraphDef`
 * @text: protobuf text
 * @label: what to call it in messages: a file name
 * @error: return location
 *
 * Reads protobuf's text format: all forms of values, escapes, lists, maps and expanded Any. As the
 * readers of TensorFlow's Python do, a singular field that comes twice is merged. The result is in
 * the order the official libraries write: fields by number, maps by key, numbers packed, defaults left
 * out.
 *
 * Returns: (transfer full) (nullable): the message's bytes; %NULL with `FLOW_ERROR_DATA_LOSS` "Can't
 *   parse ... as text proto", line and column, or `FLOW_ERROR_RESOURCE_EXHAUSTED`
 */
GBytes *
flow_text_to_proto (const char  *message,
                    GBytes      *text,
                    const char  *label,
                    GError     **error)
{
  const FlowProtoMessage *type = _flow_proto_message_lookup (message);
  TextReader self;
  gsize length;
  const char *data;
  GBytes *bytes = NULL;

  g_return_val_if_fail (type != NULL && text != NULL && label != NULL, NULL);

  data = g_bytes_get_data (text, &length);
  memset (&self, 0, sizeof self);
  _flow_text_scan_init (&self.scan, data != NULL ? data : "", length);
  flow_proto_writer_init (&self.scratch);
  flow_proto_writer_init (&self.sorted);
  self.records = g_array_new (FALSE, FALSE, sizeof (Record));
  self.max_records = (gsize) (MIN (flow_budget_default_limit () / 2 / sizeof (Record), G_MAXINT / sizeof (Record)));
  read_message (&self, type, '\0', FALSE);
  if (_flow_text_scan_finish (&self.scan, label, error))
    bytes = flow_proto_writer_finish (&self.scratch, error);
  flow_proto_writer_clear (&self.scratch);
  flow_proto_writer_clear (&self.sorted);
  g_array_unref (self.records);
  _flow_text_scan_clear (&self.scan);
  return bytes;
}
