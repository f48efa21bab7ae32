/* flow-dynamic-message.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Messages of declared types, read from bytes or text and written in the order that the official libraries write.
 */

#include "config.h"

#include "flow-descriptor-private.h"
#include "flow-text-scan-private.h"

#include <string.h>

/* A value costs much more here than in bytes: what holds more of them is refused. */
#define MAX_VALUES (1 << 24)

typedef struct _Message Message;

/* One value of a field. */
typedef struct {
  const FlowFieldDescriptor *field;
  guint order;                 /* as it came: sorting keeps it */
  guint64 bits;                /* of numbers, as they are on the wire, zigzags too */
  GBytes *bytes;               /* of strings */
  Message *message;            /* of messages and groups */
} Value;

struct _Message
{
  const FlowDescriptor *type;
  GArray *values;              /* of Value: those of repeated fields */
  GArray *singles;             /* likewise, of fields that have but one: looked through each time one comes */
  GByteArray *unknown;         /* fields that the type does not have, as they came; nullable */
};

typedef struct {
  FlowTextScan scan;           /* of text */
  guint n_values;
} Reading;

static void message_free (Message *self);

static void
value_clear (gpointer data)
{
  Value *value = data;

  g_clear_pointer (&value->bytes, g_bytes_unref);
  g_clear_pointer (&value->message, message_free);
}

static Message *
message_new (const FlowDescriptor *type)
{
  Message *self = g_new0 (Message, 1);

  self->type = type;
  self->values = g_array_new (FALSE, TRUE, sizeof (Value));
  self->singles = g_array_new (FALSE, TRUE, sizeof (Value));
  g_array_set_clear_func (self->values, value_clear);
  g_array_set_clear_func (self->singles, value_clear);
  return self;
}

static void
message_free (Message *self)
{
  g_array_unref (self->values);
  g_array_unref (self->singles);
  g_clear_pointer (&self->unknown, g_byte_array_unref);
  g_free (self);
}

static Value *
find_value (const Message             *self,
            const FlowFieldDescriptor *field)
{
  for (guint i = 0; i < self->singles->len; i++)
    if (g_array_index (self->singles, Value, i).field == field)
      return &g_array_index (self->singles, Value, i);
  return NULL;
}

/* Of the fields of a oneof the last that is set counts. */
static void
drop_rivals (Message                   *self,
             const FlowFieldDescriptor *field)
{
  for (guint i = self->singles->len; i-- > 0 && field->oneof >= 0;)
    if (g_array_index (self->singles, Value, i).field->oneof == field->oneof)
      g_array_remove_index (self->singles, i);
}

/* Room for a value of @field: a new one, or that which it has already, where it has but one. */
static Value *
add_value (Reading                   *reading,
           Message                   *self,
           const FlowFieldDescriptor *field)
{
  GArray *values = field->is_repeated ? self->values : self->singles;
  Value made = { .field = field, .order = values->len };
  Value *known = field->is_repeated ? NULL : find_value (self, field);

  if (known != NULL)
    return known;
  if (reading->n_values++ >= MAX_VALUES)
    return NULL;
  if (!field->is_repeated)
    drop_rivals (self, field);
  g_array_append_val (values, made);
  return &g_array_index (values, Value, values->len - 1);
}

static gboolean
has_message (const FlowFieldDescriptor *field)
{
  return field->type == FLOW_FIELD_MESSAGE || field->type == FLOW_FIELD_GROUP;
}

static FlowWireType
wire_of (FlowFieldType type)
{
  switch (type)
    {
    case FLOW_FIELD_DOUBLE:
    case FLOW_FIELD_FIXED64:
    case FLOW_FIELD_SFIXED64:
      return FLOW_WIRE_FIXED64;
    case FLOW_FIELD_FLOAT:
    case FLOW_FIELD_FIXED32:
    case FLOW_FIELD_SFIXED32:
      return FLOW_WIRE_FIXED32;
    case FLOW_FIELD_STRING:
    case FLOW_FIELD_BYTES:
    case FLOW_FIELD_MESSAGE:
      return FLOW_WIRE_BYTES;
    case FLOW_FIELD_GROUP:
      return FLOW_WIRE_GROUP;
    default:
      return FLOW_WIRE_VARINT;
    }
}

/* --- from bytes --------------------------------------------------------------------------------------------------- */

/* As the official libraries keep it: 32 bits of what is of 32, all but 0 is true. */
static guint64
narrow (FlowFieldType type,
        guint64       bits)
{
  switch (type)
    {
    case FLOW_FIELD_BOOL:
      return bits != 0;
    case FLOW_FIELD_INT32:
    case FLOW_FIELD_ENUM:
      return (guint64) (gint64) (gint32) (guint32) bits;
    case FLOW_FIELD_UINT32:
    case FLOW_FIELD_SINT32:
      return (guint32) bits;
    default:
      return bits;
    }
}

static void
keep_unknown (Message      *self,
              const guint8 *data,
              gsize         size)
{
  if (self->unknown == NULL)
    self->unknown = g_byte_array_new ();
  g_byte_array_append (self->unknown, data, (guint) size);
}

/* FALSE: no room. An enum's number that the file does not know is an unknown field, before proto3. */
static gboolean
add_number (Reading                   *reading,
            Message                   *self,
            const FlowFieldDescriptor *field,
            guint64                    bits)
{
  Value *value;

  bits = narrow (field->type, bits);
  if (field->type == FLOW_FIELD_ENUM && !field->enumeration->is_proto3
      && _flow_enum_by_number (field->enumeration, (gint32) bits) == NULL)
    {
      FlowProtoWriter w;
      g_autoptr (GBytes) bytes = NULL;

      flow_proto_writer_init (&w);
      flow_proto_writer_add_int (&w, field->number, (gint64) bits);
      bytes = flow_proto_writer_finish (&w, NULL);
      if (bytes != NULL)
        keep_unknown (self, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
      return bytes != NULL;
    }
  value = add_value (reading, self, field);
  if (value != NULL)
    value->bits = bits;
  return value != NULL;
}

/* A field of numbers that came as one. */
static gboolean
read_packed (Reading                   *reading,
             Message                   *self,
             const FlowFieldDescriptor *field,
             FlowProtoReader           *r)
{
  const guint8 *pos = r->data;
  const guint8 *end = r->data + r->size;
  const FlowWireType wire = wire_of (field->type);

  while (pos < end)
    {
      guint64 bits = 0;

      if (wire == FLOW_WIRE_VARINT)
        {
          if (!flow_proto_read_varint (&pos, end, &bits))
            return FALSE;
        }
      else
        {
          const gsize size = wire == FLOW_WIRE_FIXED64 ? 8 : 4;

          if ((gsize) (end - pos) < size)
            return FALSE;
          memcpy (&bits, pos, size);
          bits = GUINT64_FROM_LE (bits);
          pos += size;
        }
      if (!add_number (reading, self, field, bits))
        return FALSE;
    }
  return TRUE;
}

static gboolean read_binary (Reading         *reading,
                             Message         *self,
                             FlowProtoReader *r);

static gboolean
read_binary_field (Reading                   *reading,
                   Message                   *self,
                   const FlowFieldDescriptor *field,
                   FlowProtoReader           *r)
{
  Value *value;
  FlowProtoReader sub;

  if (r->wire != FLOW_WIRE_BYTES && r->wire != FLOW_WIRE_GROUP)
    return add_number (reading, self, field, r->value);
  if (r->wire == FLOW_WIRE_BYTES && wire_of (field->type) != FLOW_WIRE_BYTES)
    return read_packed (reading, self, field, r);
  if ((value = add_value (reading, self, field)) == NULL)
    return FALSE;
  if (!has_message (field))
    {
      g_clear_pointer (&value->bytes, g_bytes_unref);
      value->bytes = g_bytes_new (r->data, r->size);
      return field->type != FLOW_FIELD_STRING || !self->type->is_proto3 || flow_proto_is_utf8 (r->data, r->size);
    }
  /* Messages of one field that come in parts are merged. */
  if (value->message == NULL)
    value->message = message_new (field->message);
  if (r->wire == FLOW_WIRE_GROUP && r->depth < FLOW_PROTO_MAX_DEPTH)
    flow_proto_reader_init_part (&sub, r->data, r->data, r->size, r->depth + 1);
  else if (!flow_proto_reader_enter (r, &sub))
    return FALSE;
  return read_binary (reading, value->message, &sub);
}

/* Whether @field can be read from what stands at @r. */
static gboolean
is_wire_of (const FlowFieldDescriptor *field,
            const FlowProtoReader     *r)
{
  const FlowWireType wire = wire_of (field->type);

  return wire == r->wire || (field->is_repeated && r->wire == FLOW_WIRE_BYTES && wire != FLOW_WIRE_GROUP);
}

static gboolean
read_binary (Reading         *reading,
             Message         *self,
             FlowProtoReader *r)
{
  while (flow_proto_reader_next (r))
    {
      const FlowFieldDescriptor *field = _flow_descriptor_by_number (self->type, r->field);

      if (field == NULL || !is_wire_of (field, r))
        keep_unknown (self, r->tag, (gsize) (r->pos - r->tag));
      else if (!read_binary_field (reading, self, field, r))
        return FALSE;
    }
  return !flow_proto_reader_failed (r);
}

/* --- from text ---------------------------------------------------------------------------------------------------- */

static gboolean read_text (Reading *reading,
                           Message *self,
                           char     closing,
                           guint    depth);

static gboolean
read_text_integer (Reading             *reading,
                   FlowFieldType        type,
                   guint64             *bits)
{
  gboolean is_signed = type != FLOW_FIELD_UINT32 && type != FLOW_FIELD_UINT64 && type != FLOW_FIELD_FIXED32 &&
                       type != FLOW_FIELD_FIXED64 && type != FLOW_FIELD_BOOL;
  gboolean is_64 = type == FLOW_FIELD_INT64 || type == FLOW_FIELD_UINT64 || type == FLOW_FIELD_FIXED64 ||
                   type == FLOW_FIELD_SFIXED64 || type == FLOW_FIELD_SINT64;
  guint64 limit = is_64 ? (is_signed ? (guint64) G_MAXINT64 : G_MAXUINT64) : is_signed ? G_MAXINT32 : G_MAXUINT32;
  gboolean negative = FALSE;
  guint64 magnitude;

  if (!_flow_text_scan_integer (&reading->scan, &negative, &magnitude))
    return FALSE;
  if (type == FLOW_FIELD_BOOL)
    limit = 1;
  if ((negative && !is_signed) || magnitude > limit + (negative ? 1 : 0))
    return FALSE;
  *bits = negative ? 0 - magnitude : magnitude;
  /* What is zigzagged or fixed is so when it is written. */
  if (type == FLOW_FIELD_SINT32)
    *bits = (guint32) (*bits << 1) ^ (negative ? G_MAXUINT32 : 0);
  else if (type == FLOW_FIELD_SINT64)
    *bits = (*bits << 1) ^ (negative ? G_MAXUINT64 : 0);
  return TRUE;
}

static gboolean
read_text_word (Reading                   *reading,
                const FlowFieldDescriptor *field,
                guint64                   *bits)
{
  static const char *const words[] = { "false", "true", "f", "t", "False", "True" };
  FlowTextWord word;

  if (!_flow_text_scan_word (&reading->scan, &word))
    return FALSE;
  if (field->type == FLOW_FIELD_ENUM)
    {
      const FlowEnumDescriptorValue *value = _flow_enum_by_name (field->enumeration, word.text, word.length);

      if (value != NULL)
        *bits = (guint64) (gint64) value->number;
      return value != NULL;
    }
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strlen (words[i]) == word.length && memcmp (words[i], word.text, word.length) == 0)
      {
        *bits = i % 2;
        return TRUE;
      }
  return FALSE;
}

static gboolean
read_text_number (Reading                   *reading,
                  const FlowFieldDescriptor *field,
                  guint64                   *bits)
{
  char next = _flow_text_scan_peek (&reading->scan);
  double number;

  if (field->type == FLOW_FIELD_DOUBLE || field->type == FLOW_FIELD_FLOAT)
    {
      if (!_flow_text_scan_float (&reading->scan, &number))
        return FALSE;
      if (field->type == FLOW_FIELD_FLOAT)
        {
          const float single = _flow_double_to_float (number);
          guint32 narrow_bits;

          memcpy (&narrow_bits, &single, sizeof narrow_bits);
          *bits = narrow_bits;
        }
      else
        {
          memcpy (bits, &number, sizeof *bits);
        }
      return TRUE;
    }
  if ((field->type == FLOW_FIELD_BOOL || field->type == FLOW_FIELD_ENUM) && (g_ascii_isalpha (next) || next == '_'))
    return read_text_word (reading, field, bits);
  if (!read_text_integer (reading, field->type, bits))
    return FALSE;
  return field->type != FLOW_FIELD_ENUM || field->enumeration->is_proto3 ||
         _flow_enum_by_number (field->enumeration, (gint32) *bits) != NULL;
}

static gboolean
read_text_value (Reading                   *reading,
                 Message                   *self,
                 const FlowFieldDescriptor *field,
                 guint                      depth)
{
  /* A second value of a field that has one is an error in text. */
  Value *value = !field->is_repeated && find_value (self, field) != NULL ? NULL : add_value (reading, self, field);

  if (value == NULL)
    return FALSE;
  if (has_message (field))
    {
      Message *message = message_new (field->message);
      char closing;

      value->message = message;
      if (_flow_text_scan_accept (&reading->scan, '{'))
        closing = '}';
      else if (_flow_text_scan_accept (&reading->scan, '<'))
        closing = '>';
      else
        return FALSE;
      return depth < FLOW_PROTO_MAX_DEPTH && read_text (reading, message, closing, depth + 1);
    }
  if (field->type == FLOW_FIELD_STRING || field->type == FLOW_FIELD_BYTES)
    {
      FlowProtoWriter text;
      gboolean ok;

      flow_proto_writer_init (&text);
      ok = _flow_text_scan_string (&reading->scan, &text);
      value->bytes = flow_proto_writer_finish (&text, NULL);
      return ok && value->bytes != NULL;
    }
  return read_text_number (reading, field, &value->bits);
}

/* A name, or a full one in brackets; groups go by the name of their type. */
static const FlowFieldDescriptor *
read_text_name (Reading       *reading,
                const Message *self)
{
  FlowTextWord word;

  if (_flow_text_scan_accept (&reading->scan, '['))
    {
      g_autoptr (GString) name = g_string_new (NULL);

      do
        {
          if (!_flow_text_scan_word (&reading->scan, &word))
            return NULL;
          g_string_append_len (name, word.text, (gssize) word.length);
          if (_flow_text_scan_peek (&reading->scan) == '.')
            g_string_append_c (name, '.');
        }
      while (_flow_text_scan_accept (&reading->scan, '.'));
      return _flow_text_scan_expect (&reading->scan, ']') ? flow_descriptor_find_extension (self->type, name->str) : NULL;
    }
  if (!_flow_text_scan_word (&reading->scan, &word))
    return NULL;
  for (guint i = 0; i < self->type->fields->len; i++)
    {
      const FlowFieldDescriptor *field = self->type->fields->pdata[i];
      const char *name = field->name;

      if (field->type == FLOW_FIELD_GROUP)
        name = strrchr (field->message->name, '.') != NULL ? strrchr (field->message->name, '.') + 1 : field->message->name;
      if (strlen (name) == word.length && memcmp (name, word.text, word.length) == 0)
        return field;
    }
  return NULL;
}

static gboolean
read_text_field (Reading *reading,
                 Message *self,
                 guint    depth)
{
  const FlowFieldDescriptor *field = read_text_name (reading, self);
  gboolean has_colon;

  if (field == NULL)
    return FALSE;
  has_colon = _flow_text_scan_accept (&reading->scan, ':');
  if (!has_colon && !has_message (field))
    return FALSE;
  if (field->is_repeated && _flow_text_scan_accept (&reading->scan, '['))
    {
      if (_flow_text_scan_accept (&reading->scan, ']'))
        return TRUE;
      do
        if (!read_text_value (reading, self, field, depth))
          return FALSE;
      while (_flow_text_scan_accept (&reading->scan, ','));
      return _flow_text_scan_expect (&reading->scan, ']');
    }
  return read_text_value (reading, self, field, depth);
}

/* Up to @closing, or the end where it is 0. */
static gboolean
read_text (Reading *reading,
           Message *self,
           char     closing,
           guint    depth)
{
  while (_flow_text_scan_peek (&reading->scan) != closing)
    {
      if (!read_text_field (reading, self, depth))
        return FALSE;
      if (!_flow_text_scan_accept (&reading->scan, ';'))
        _flow_text_scan_accept (&reading->scan, ',');
    }
  return closing == '\0' || _flow_text_scan_accept (&reading->scan, closing);
}

/* --- to bytes ----------------------------------------------------------------------------------------------------- */

static int
compare_values (gconstpointer a,
                gconstpointer b)
{
  const Value *x = a;
  const Value *y = b;

  if (x->field->number != y->field->number)
    return x->field->number < y->field->number ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

/* Every required field is there, in all messages below too. */
static gboolean
is_complete (const Message *self)
{
  for (guint i = 0; i < self->type->fields->len; i++)
    {
      const FlowFieldDescriptor *field = self->type->fields->pdata[i];

      if (field->is_required && find_value (self, field) == NULL)
        return FALSE;
    }
  for (guint i = 0; i < self->values->len + self->singles->len; i++)
    {
      const Message *below = i < self->values->len ? g_array_index (self->values, Value, i).message
                             : g_array_index (self->singles, Value, i - self->values->len).message;

      if (below != NULL && !is_complete (below))
        return FALSE;
    }
  return TRUE;
}

static void write_message (FlowProtoWriter *w,
                           Message         *self);

static void
write_value (FlowProtoWriter *w,
             const Value     *value)
{
  const guint32 number = value->field->number;

  if (value->field->type == FLOW_FIELD_GROUP)
    {
      flow_proto_writer_append_tag (w, number, FLOW_WIRE_GROUP);
      write_message (w, value->message);
      flow_proto_writer_append_tag (w, number, FLOW_WIRE_GROUP_END);
    }
  else if (value->message != NULL)
    {
      flow_proto_writer_begin (w, number);
      write_message (w, value->message);
      flow_proto_writer_end (w);
    }
  else if (value->bytes != NULL)
    {
      flow_proto_writer_add_bytes (w, number, g_bytes_get_data (value->bytes, NULL), g_bytes_get_size (value->bytes));
    }
  else
    {
      const FlowWireType wire = wire_of (value->field->type);

      flow_proto_writer_append_tag (w, number, wire);
      flow_proto_writer_append_number (w, wire, value->bits);
    }
}

/* proto3: what has its default is not there, but in a oneof. */
static gboolean
is_left_out (const Message *self,
             const Value   *value)
{
  return self->type->is_proto3 && !value->field->is_repeated && value->field->oneof < 0 && value->message == NULL &&
         (value->bytes != NULL ? g_bytes_get_size (value->bytes) == 0 : value->bits == 0);
}

static void
write_message (FlowProtoWriter *w,
               Message         *self)
{
  /* All together now; what they own goes along. */
  if (self->singles->len > 0)
    {
      g_array_append_vals (self->values, self->singles->data, self->singles->len);
      memset (self->singles->data, 0, (gsize) self->singles->len * sizeof (Value));
      g_array_set_size (self->singles, 0);
    }
  g_array_sort (self->values, compare_values);
  for (guint i = 0; i < self->values->len; i++)
    {
      const Value *value = &g_array_index (self->values, Value, i);
      const FlowFieldDescriptor *field = value->field;
      gboolean is_number = value->bytes == NULL && value->message == NULL;

      if (field->is_repeated && is_number && (field->is_packed || field->is_packed_by_default))
        {
          flow_proto_writer_begin (w, field->number);
          for (; i < self->values->len && g_array_index (self->values, Value, i).field == field; i++)
            flow_proto_writer_append_number (w, wire_of (field->type), g_array_index (self->values, Value, i).bits);
          flow_proto_writer_end (w);
          i--;
        }
      else if (!is_left_out (self, value))
        {
          write_value (w, value);
        }
    }
  if (self->unknown != NULL)
    flow_proto_writer_append (w, self->unknown->data, self->unknown->len);
}

/* Takes @self; NULL where it was not @ok or a required field is missing. */
static GBytes *
finish (Message  *self,
        gboolean  ok)
{
  GBytes *bytes = NULL;

  if (ok && is_complete (self))
    {
      FlowProtoWriter w;

      flow_proto_writer_init (&w);
      write_message (&w, self);
      bytes = flow_proto_writer_finish (&w, NULL);
    }
  message_free (self);
  return bytes;
}

/**
 * flow_descriptor_read_binary: (skip)
 * @self: a message
 * @data: (array length=size): its bytes, as anybody wrote them
 * @size: how many
 *
 * Returns: (transfer full) (nullable): the same message in the bytes that the official libraries write; %NULL where
 * @data is none
 */
GBytes *
flow_descriptor_read_binary (const FlowDescriptor *self,
                             gconstpointer         data,
                             gsize                 size)
{
  Message *message;
  Reading reading = { 0 };
  FlowProtoReader r;

  g_return_val_if_fail (self != NULL && (data != NULL || size == 0), NULL);

  /* The official libraries count bytes in an int. */
  if (size > G_MAXINT32)
    return NULL;
  message = message_new (self);
  flow_proto_reader_init (&r, data, size);
  return finish (message, read_binary (&reading, message, &r));
}

/**
 * flow_descriptor_read_text: (skip)
 * @self: a message
 * @text: (array length=length): it in protobuf's text format
 * @length: how many bytes
 *
 * Returns: (transfer full) (nullable): its bytes; %NULL where @text is no such message
 */
GBytes *
flow_descriptor_read_text (const FlowDescriptor *self,
                           const char           *text,
                           gsize                 length)
{
  Message *message;
  Reading reading = { 0 };
  gboolean ok;

  g_return_val_if_fail (self != NULL && (text != NULL || length == 0), NULL);

  message = message_new (self);
  _flow_text_scan_init (&reading.scan, text != NULL ? text : "", length);
  ok = read_text (&reading, message, '\0', 0) && reading.scan.problem == NULL && reading.scan.pos == reading.scan.end;
  _flow_text_scan_clear (&reading.scan);
  return finish (message, ok);
}
