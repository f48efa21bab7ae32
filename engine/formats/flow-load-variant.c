/* flow-load-variant.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-formats-private.h"

#include <string.h>

/* What a value takes in a GVariant, containers and keys included. */
#define VALUE_COST 128

static GVariant *
text_variant (const guint8 *data,
              gsize         size)
{
  g_autofree char *text = NULL;

  if (g_utf8_validate_len ((const char *) data, size, NULL))
    text = g_strndup ((const char *) data, size);
  else
    text = flow_escape_bytes ((const char *) data, (gssize) size);
  return g_variant_new_take_string (g_steal_pointer (&text));
}

static gint64
varint_value (const FlowProtoField *field,
              guint64               number)
{
  switch (field->type)
    {
    case FLOW_PROTO_INT32:
    case FLOW_PROTO_ENUM:
      return (gint32) (guint32) number;
    case FLOW_PROTO_UINT32:
      return (guint32) number;
    case FLOW_PROTO_SINT64:
      return (gint64) (number >> 1) ^ -(gint64) (number & 1);
    default:
      return (gint64) number;
    }
}

static GVariant *
number_variant (const FlowProtoField *field,
                guint64               number)
{
  const char *name;

  if (field->type == FLOW_PROTO_BOOL)
    return g_variant_new_boolean (number != 0);
  if (field->type == FLOW_PROTO_ENUM)
    {
      name = _flow_proto_enum_value_name (field->ref, (int) varint_value (field, number));
      if (name != NULL)
        return g_variant_new_string (name);
    }
  return g_variant_new_int64 (varint_value (field, number));
}

/* All values of one occurrence of a field, each as a variant of its own. */
static void
load_values (FlowLoad             *self,
             FlowProtoReader      *r,
             const FlowProtoField *field,
             GPtrArray            *values)
{
  FlowProtoReader sub;
  GVariant *value;
  guint64 number;
  float single;
  double real;

  switch (field->type)
    {
    case FLOW_PROTO_MESSAGE:
      if (!flow_proto_reader_enter (r, &sub))
        break;
      value = _flow_load_variant (self, flow_proto_field_message (field), &sub);
      if (value != NULL)
        g_ptr_array_add (values, value);
      break;

    case FLOW_PROTO_STRING:
    case FLOW_PROTO_BYTES:
      if (r->wire == FLOW_WIRE_BYTES && _flow_load_charge (self, r, VALUE_COST + r->size))
        g_ptr_array_add (values, g_variant_ref_sink (text_variant (r->data, r->size)));
      break;

    case FLOW_PROTO_FLOAT:
      while (flow_proto_reader_each_float (r, &single) && _flow_load_charge (self, r, VALUE_COST))
        g_ptr_array_add (values, g_variant_ref_sink (g_variant_new_double (single)));
      break;

    case FLOW_PROTO_DOUBLE:
      while (flow_proto_reader_each_double (r, &real) && _flow_load_charge (self, r, VALUE_COST))
        g_ptr_array_add (values, g_variant_ref_sink (g_variant_new_double (real)));
      break;

    case FLOW_PROTO_FIXED32:
    case FLOW_PROTO_FIXED64:
      if (r->wire == _flow_proto_type_wire (field->type))
        g_ptr_array_add (values, g_variant_ref_sink (g_variant_new_int64 ((gint64) r->value)));
      break;

    default:
      while (flow_proto_reader_each_varint (r, &number) && _flow_load_charge (self, r, VALUE_COST))
        g_ptr_array_add (values, g_variant_ref_sink (number_variant (field, number)));
      break;
    }
}

static void
unref_values (gpointer values)
{
  if (values != NULL)
    g_ptr_array_unref (values);
}

/* A map as a dictionary; keys that are numbers become their text. */
static GVariant *
map_variant (GPtrArray *entries)
{
  g_autoptr (GVariantDict) dict = g_variant_dict_new (NULL);

  for (guint i = 0; i < entries->len; i++)
    {
      g_autoptr (GVariant) key = g_variant_lookup_value (entries->pdata[i], "key", NULL);
      g_autoptr (GVariant) value = g_variant_lookup_value (entries->pdata[i], "value", NULL);
      g_autofree char *text = NULL;

      if (value == NULL)
        value = g_variant_ref_sink (g_variant_new_string (""));
      if (key == NULL)
        text = g_strdup ("");
      else if (g_variant_is_of_type (key, G_VARIANT_TYPE_STRING))
        text = g_variant_dup_string (key, NULL);
      else
        text = g_variant_print (key, FALSE);
      g_variant_dict_insert_value (dict, text, value);
    }
  return g_variant_dict_end (dict);
}

static GVariant *
field_variant (const FlowProtoField *field,
               GPtrArray            *values)
{
  if ((field->flags & FLOW_PROTO_MAP) != 0)
    return map_variant (values);
  if ((field->flags & FLOW_PROTO_REPEATED) == 0)
    return values->pdata[values->len - 1];
  /* An enum list may mix names with numbers that have none. */
  for (guint i = 1; i < values->len; i++)
    if (!g_variant_is_of_type (values->pdata[i], g_variant_get_type (values->pdata[0])))
      {
        GVariantBuilder builder;

        g_variant_builder_init (&builder, G_VARIANT_TYPE ("av"));
        for (guint k = 0; k < values->len; k++)
          g_variant_builder_add (&builder, "v", values->pdata[k]);
        return g_variant_builder_end (&builder);
      }
  return g_variant_new_array (NULL, (GVariant **) values->pdata, values->len);
}

/* The message inside a google.protobuf.Any whose type we know, in place of its bytes. */
static GVariant *
any_variant (FlowLoad        *self,
             FlowProtoReader *r)
{
  const FlowProtoMessage *message = NULL;
  g_autofree char *type_url = NULL;
  GVariantBuilder builder;
  const guint8 *data = NULL;
  gsize size = 0;

  while (flow_proto_reader_next (r))
    if (r->field == 1)
      flow_proto_reader_dup_string (r, &type_url);
    else if (r->field == 2)
      flow_proto_reader_get_bytes (r, &data, &size);
  if (flow_proto_reader_failed (r))
    return NULL;
  if (type_url != NULL)
    {
      const char *name = strrchr (type_url, '/');

      name = name != NULL ? name + 1 : type_url;
      if (g_str_has_prefix (name, "tensorflow."))
        message = _flow_proto_message_lookup (name + strlen ("tensorflow."));
    }

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  if (type_url != NULL)
    g_variant_builder_add (&builder, "{sv}", "type_url", g_variant_new_string (type_url));
  if (message != NULL && data != NULL && r->depth + 1 < FLOW_PROTO_MAX_DEPTH)
    {
      FlowProtoReader inner;
      GVariant *value;

      flow_proto_reader_init_part (&inner, self->base, data, size, r->depth + 1);
      value = _flow_load_variant (self, message, &inner);
      if (value != NULL)
        {
          g_variant_builder_add (&builder, "{sv}", "value", value);
          g_variant_unref (value);
        }
      else if (self->error != NULL)
        flow_proto_reader_fail (r, "the message is refused");
      else
        g_variant_builder_add (&builder, "{sv}", "value", text_variant (data, size));
    }
  else if (data != NULL && _flow_load_charge (self, r, size))
    g_variant_builder_add (&builder, "{sv}", "value", text_variant (data, size));
  return g_variant_ref_sink (g_variant_builder_end (&builder));
}

/* Decodes any message of the schema to a dictionary in the order of its field numbers; what is not
 * on the wire is not in it. NULL when @reader failed. */
GVariant *
_flow_load_variant (FlowLoad               *self,
                    const FlowProtoMessage *message,
                    FlowProtoReader        *reader)
{
  g_autoptr (GPtrArray) fields = NULL;
  GVariantBuilder builder;

  if (message == &flow_proto_messages[FLOW_MESSAGE_ANY])
    return any_variant (self, reader);
  if (!_flow_load_charge (self, reader, VALUE_COST + message->n_fields * sizeof (gpointer)))
    return NULL;
  fields = g_ptr_array_new_with_free_func (unref_values);
  g_ptr_array_set_size (fields, (int) message->n_fields);
  while (flow_proto_reader_next (reader))
    {
      const FlowProtoField *field = _flow_proto_message_by_number (message, reader->field);
      GPtrArray **values;

      if (field == NULL)
        continue;
      values = (GPtrArray **) &fields->pdata[field - message->fields];
      if (*values == NULL)
        *values = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
      load_values (self, reader, field, *values);
    }
  if (flow_proto_reader_failed (reader))
    return NULL;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  for (guint i = 0; i < message->n_fields; i++)
    {
      GPtrArray *values = fields->pdata[i];

      if (values != NULL && values->len > 0)
        g_variant_builder_add (&builder, "{sv}", message->fields[i].name,
                               field_variant (&message->fields[i], values));
    }
  return g_variant_ref_sink (g_variant_builder_end (&builder));
}
