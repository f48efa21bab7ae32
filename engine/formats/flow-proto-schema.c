/* flow-proto-schema.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-proto-schema-private.h"

#include "flow-text-proto.h"

#include <string.h>

/* A message by its name without the package, NULL if it is none of ours. */
const FlowProtoMessage *
_flow_proto_message_lookup (const char *name)
{
  for (guint i = 0; i < FLOW_N_MESSAGES; i++)
    if (strcmp (flow_proto_messages[i].name, name) == 0)
      return &flow_proto_messages[i];
  return NULL;
}

const FlowProtoField *
_flow_proto_message_by_number (const FlowProtoMessage *self,
                               guint32                 number)
{
  for (guint i = 0; i < self->n_fields; i++)
    if (self->fields[i].number == number)
      return &self->fields[i];
  return NULL;
}

const FlowProtoField *
_flow_proto_message_by_name (const FlowProtoMessage *self,
                             const char             *name,
                             gsize                   length)
{
  for (guint i = 0; i < self->n_fields; i++)
    if (strncmp (self->fields[i].name, name, length) == 0 && self->fields[i].name[length] == '\0')
      return &self->fields[i];
  return NULL;
}

/* NULL for a number without a name, which proto3 keeps as a number. */
const char *
_flow_proto_enum_value_name (FlowProtoEnumId id,
                             int             number)
{
  const FlowProtoEnum *self = &flow_proto_enums[id];

  for (guint i = 0; i < self->n_values; i++)
    if (self->values[i].number == number)
      return self->values[i].name;
  return NULL;
}

gboolean
_flow_proto_enum_value_number (FlowProtoEnumId  id,
                               const char      *name,
                               gsize            length,
                               int             *number)
{
  const FlowProtoEnum *self = &flow_proto_enums[id];

  for (guint i = 0; i < self->n_values; i++)
    if (strncmp (self->values[i].name, name, length) == 0 && self->values[i].name[length] == '\0')
      {
        *number = self->values[i].number;
        return TRUE;
      }
  return FALSE;
}

FlowWireType
_flow_proto_type_wire (FlowProtoType type)
{
  switch (type)
    {
    case FLOW_PROTO_DOUBLE:
    case FLOW_PROTO_FIXED64:
      return FLOW_WIRE_FIXED64;
    case FLOW_PROTO_FLOAT:
    case FLOW_PROTO_FIXED32:
      return FLOW_WIRE_FIXED32;
    case FLOW_PROTO_STRING:
    case FLOW_PROTO_BYTES:
    case FLOW_PROTO_MESSAGE:
      return FLOW_WIRE_BYTES;
    case FLOW_PROTO_INT32:
    case FLOW_PROTO_INT64:
    case FLOW_PROTO_UINT32:
    case FLOW_PROTO_UINT64:
    case FLOW_PROTO_SINT64:
    case FLOW_PROTO_BOOL:
    case FLOW_PROTO_ENUM:
    default:
      return FLOW_WIRE_VARINT;
    }
}

/* The first string of a message under that number: the name of a node, the key of a map entry. */
static char *
first_string (const guint8 *data,
              gsize         size,
              guint32       number)
{
  FlowProtoReader r;

  flow_proto_reader_init (&r, data, size);
  while (flow_proto_reader_next (&r))
    if (r.field == number && r.wire == FLOW_WIRE_BYTES)
      return g_utf8_make_valid ((const char *) r.data, (gssize) MIN (r.size, 200));
  return NULL;
}

static gboolean
has_field_name (const FlowProtoMessage *message)
{
  const FlowProtoField *first = _flow_proto_message_by_number (message, 1);

  return first != NULL && first->type == FLOW_PROTO_STRING && g_str_equal (first->name, "name");
}

/* Where @offset stands in a message, for people: `node[17] "conv/w" .attr["value"].tensor`. Works on
 * damaged bytes as far as they are sound; NULL when it is not inside a field we know. */
char *
_flow_proto_locate (const FlowProtoMessage *message,
                    const guint8           *data,
                    gsize                   size,
                    gsize                   offset)
{
  GString *path = g_string_new (NULL);
  gboolean found = TRUE;

  for (guint depth = 0; found && depth <= FLOW_PROTO_MAX_DEPTH; depth++)
    {
      g_autofree guint *counts = g_new0 (guint, message->n_fields + 1);
      const FlowProtoField *field = NULL;
      FlowProtoReader r;

      found = FALSE;
      flow_proto_reader_init (&r, data, size);
      while (flow_proto_reader_next (&r))
        {
          gsize end = (gsize) (r.pos - data);

          field = _flow_proto_message_by_number (message, r.field);
          if (field != NULL)
            counts[field - message->fields]++;
          if (offset < end)
            break;
          field = NULL;
        }
      /* A field whose own length is damaged: the reader stands at its tag. */
      if (field == NULL && flow_proto_reader_failed (&r) && r.field != 0)
        field = _flow_proto_message_by_number (message, r.field);
      if (field == NULL)
        break;

      if (path->len > 0)
        g_string_append_c (path, '.');
      g_string_append (path, field->name);
      if (flow_proto_reader_failed (&r) || field->type != FLOW_PROTO_MESSAGE ||
          r.wire != FLOW_WIRE_BYTES)
        {
          if ((field->flags & FLOW_PROTO_REPEATED) != 0 && field->type == FLOW_PROTO_MESSAGE)
            g_string_append_printf (path, "[%u]", counts[field - message->fields]);
          break;
        }
      if ((field->flags & FLOW_PROTO_MAP) != 0)
        {
          g_autofree char *key = first_string (r.data, r.size, 1);

          g_string_append_printf (path, "[%s]", key != NULL ? key : "");
        }
      else if ((field->flags & FLOW_PROTO_REPEATED) != 0)
        g_string_append_printf (path, "[%u]", counts[field - message->fields] - 1);
      message = flow_proto_field_message (field);
      if (has_field_name (message))
        {
          g_autofree char *name = first_string (r.data, r.size, 1);

          if (name != NULL)
            g_string_append_printf (path, " '%s' ", name);
        }
      offset -= MIN (offset, (gsize) (r.data - data));
      data = r.data;
      size = r.size;
      found = TRUE;
    }
  return g_string_free (path, path->len == 0);
}

/**
 * flow_proto_describe:
 * @message: the name of a message without its package, as "GraphDef"
 *
 * What a message is made of, for bindings that read and write messages: one line a field with name,
 * number, type, flags (1 repeated, 2 a map), oneof (0 none) and what it refers to, divided by tabs.
 * A type is "double", "float", "varint", "sint", "fixed32", "fixed64", "bool", "string", "bytes",
 * "enum" or "message".
 *
 * Returns: (transfer full) (nullable): the text, %NULL for a message we do not know
 */
char *
flow_proto_describe (const char *message)
{
  static const char *const types[] = { "double", "float", "varint", "varint", "varint", "varint", "sint", "fixed32",
                                       "fixed64", "bool", "string", "bytes", "enum", "message" };
  const FlowProtoMessage *self = _flow_proto_message_lookup (message);
  g_autoptr (GString) text = NULL;

  if (self == NULL)
    return NULL;
  text = g_string_new (NULL);
  for (guint i = 0; i < self->n_fields; i++)
    {
      const FlowProtoField *field = &self->fields[i];
      const char *ref = field->type == FLOW_PROTO_MESSAGE ? flow_proto_messages[field->ref].name
                        : field->type == FLOW_PROTO_ENUM ? flow_proto_enums[field->ref].name : "";

      g_string_append_printf (text, "%s\t%u\t%s\t%u\t%u\t%s\n", field->name, field->number, types[field->type],
                              field->flags, field->oneof, ref);
    }
  return g_strdup (text->str);
}
