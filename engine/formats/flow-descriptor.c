/* flow-descriptor.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Messages that somebody else's .proto files declare, read from a FileDescriptorSet.
 */

#include "config.h"

#include "flow-descriptor-private.h"

#include "flow-text-scan-private.h"

#include <string.h>

/* Fields of descriptor.proto. */
enum { SET_FILE = 1 };
enum { FILE_PACKAGE = 2, FILE_MESSAGE = 4, FILE_ENUM = 5, FILE_EXTENSION = 7, FILE_SYNTAX = 12 };
enum { MESSAGE_NAME = 1, MESSAGE_FIELD = 2, MESSAGE_NESTED = 3, MESSAGE_ENUM = 4, MESSAGE_EXTENSION = 6, MESSAGE_OPTIONS = 7 };
enum { MESSAGE_OPTION_MAP_ENTRY = 7 };
enum { FIELD_NAME = 1, FIELD_EXTENDEE = 2, FIELD_NUMBER = 3, FIELD_LABEL = 4, FIELD_TYPE = 5, FIELD_TYPE_NAME = 6,
       FIELD_DEFAULT = 7, FIELD_OPTIONS = 8, FIELD_ONEOF = 9 };
enum { FIELD_OPTION_PACKED = 2 };
enum { ENUM_NAME = 1, ENUM_VALUE = 2 };
enum { LABEL_REQUIRED = 2, LABEL_REPEATED = 3 };

/* What is made of a file may be much larger than it, for names are kept whole: no file that describes messages comes near. */
#define MAX_NAME 1024
#define MAX_BYTES (64u << 20)

/* An extension, until its message is found. */
typedef struct {
  FlowFieldDescriptor *field;
  char *extendee;
  char *scope;
} Extension;

struct _FlowDescriptorPool
{
  GHashTable *messages;        /* full name -> FlowDescriptor */
  GHashTable *enums;           /* full name -> FlowEnumDescriptor */
  GPtrArray *extensions;       /* of Extension */
  gsize n_bytes;               /* about what it takes */
};

/* --- memory ------------------------------------------------------------------------------------------------------ */

static void
field_free (gpointer data)
{
  FlowFieldDescriptor *self = data;

  g_free (self->name);
  g_free (self->full_name);
  g_free (self->type_name);
  g_free (self->default_text);
  g_free (self);
}

static void
message_free (gpointer data)
{
  FlowDescriptor *self = data;

  g_free (self->name);
  g_ptr_array_unref (self->fields);
  g_ptr_array_unref (self->extensions);
  g_free (self);
}

static void
enum_free (gpointer data)
{
  FlowEnumDescriptor *self = data;

  for (guint i = 0; i < self->values->len; i++)
    g_free (g_array_index (self->values, FlowEnumDescriptorValue, i).name);
  g_array_unref (self->values);
  g_free (self->name);
  g_free (self);
}

static void
extension_free (gpointer data)
{
  Extension *self = data;

  field_free (self->field);
  g_free (self->extendee);
  g_free (self->scope);
  g_free (self);
}

/**
 * flow_descriptor_pool_free: (skip)
 * @self: (transfer full): a pool; its messages go with it
 */
void
flow_descriptor_pool_free (FlowDescriptorPool *self)
{
  g_return_if_fail (self != NULL);

  g_hash_table_unref (self->messages);
  g_hash_table_unref (self->enums);
  g_ptr_array_unref (self->extensions);
  g_free (self);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* A string field in place of what was there. */
static void
read_text (FlowProtoReader  *r,
           char            **to)
{
  g_autofree char *old = *to;

  *to = NULL;
  flow_proto_reader_dup_string (r, to);
}

/* Whether there is room for one more of what is in @scope. */
static gboolean
may_add (FlowDescriptorPool *self,
         const char         *scope)
{
  gsize length;

  if (self->n_bytes >= MAX_BYTES)
    return FALSE;
  length = strlen (scope);
  self->n_bytes += length > MAX_NAME ? MAX_BYTES : sizeof (FlowFieldDescriptor) + length;
  return self->n_bytes < MAX_BYTES;
}

static char *
join_name (const char *scope,
           const char *name)
{
  return *scope == '\0' ? g_strdup (name) : g_strconcat (scope, ".", name, NULL);
}

static void
read_field_options (FlowProtoReader     *r,
                    FlowFieldDescriptor *field)
{
  FlowProtoReader sub;

  if (flow_proto_reader_enter (r, &sub))
    while (flow_proto_reader_next (&sub))
      if (sub.field == FIELD_OPTION_PACKED)
        flow_proto_reader_get_bool (&sub, &field->is_packed);
}

/* @extendee is what an extension extends; NULL without. */
static FlowFieldDescriptor *
read_field (FlowProtoReader  *r,
            const char       *scope,
            gboolean          is_proto3,
            char            **extendee)
{
  FlowFieldDescriptor *field = g_new0 (FlowFieldDescriptor, 1);
  const guint8 *bytes;
  gsize size;
  int value;

  field->oneof = -1;
  while (flow_proto_reader_next (r))
    switch (r->field)
      {
      case FIELD_NAME: read_text (r, &field->name); break;
      case FIELD_EXTENDEE: read_text (r, extendee); break;
      case FIELD_NUMBER:
        if (flow_proto_reader_get_int32 (r, &value))
          field->number = (guint32) MAX (value, 0);
        break;
      case FIELD_LABEL:
        if (flow_proto_reader_get_int32 (r, &value))
          {
            field->is_repeated = value == LABEL_REPEATED;
            field->is_required = value == LABEL_REQUIRED;
          }
        break;
      case FIELD_TYPE:
        if (flow_proto_reader_get_int32 (r, &value) && value >= FLOW_FIELD_DOUBLE && value <= FLOW_FIELD_SINT64)
          field->type = (FlowFieldType) value;
        break;
      case FIELD_TYPE_NAME: read_text (r, &field->type_name); break;
      case FIELD_DEFAULT:
        if (flow_proto_reader_get_bytes (r, &bytes, &size))
          {
            g_free (field->default_text);
            field->default_text = g_strndup ((const char *) bytes, size);
            field->default_length = size;
          }
        break;
      case FIELD_OPTIONS: read_field_options (r, field); break;
      case FIELD_ONEOF: flow_proto_reader_get_int32 (r, &field->oneof); break;
      }
  field->name = field->name != NULL ? field->name : g_strdup ("");
  field->full_name = join_name (scope, field->name);
  field->is_packed_by_default = is_proto3;
  return field;
}

static void
read_enum (FlowDescriptorPool *self,
           FlowProtoReader    *r,
           const char         *scope,
           gboolean            is_proto3)
{
  FlowEnumDescriptor *made = g_new0 (FlowEnumDescriptor, 1);
  g_autofree char *name = NULL;
  FlowProtoReader sub;

  made->values = g_array_new (FALSE, TRUE, sizeof (FlowEnumDescriptorValue));
  made->is_proto3 = is_proto3;
  while (flow_proto_reader_next (r))
    if (r->field == ENUM_NAME)
      {
        read_text (r, &name);
      }
    else if (r->field == ENUM_VALUE && may_add (self, scope) && flow_proto_reader_enter (r, &sub))
      {
        FlowEnumDescriptorValue value = { NULL, 0 };

        while (flow_proto_reader_next (&sub))
          if (sub.field == 1)
            read_text (&sub, &value.name);
          else if (sub.field == 2)
            flow_proto_reader_get_int32 (&sub, &value.number);
        value.name = value.name != NULL ? value.name : g_strdup ("");
        g_array_append_val (made->values, value);
      }
  made->name = join_name (scope, name != NULL ? name : "");
  g_hash_table_replace (self->enums, made->name, made);
}

static void
read_extension (FlowDescriptorPool *self,
                FlowProtoReader    *r,
                const char         *scope,
                gboolean            is_proto3)
{
  Extension *extension = g_new0 (Extension, 1);

  extension->field = read_field (r, scope, is_proto3, &extension->extendee);
  extension->scope = g_strdup (scope);
  g_ptr_array_add (self->extensions, extension);
}

/* The name of a message or file may stand anywhere in it: it is looked for first. */
static char *
find_text (const FlowProtoReader *r,
           guint32                field)
{
  FlowProtoReader look = *r;
  char *text = NULL;

  while (flow_proto_reader_next (&look))
    if (look.field == field)
      read_text (&look, &text);
  return text != NULL ? text : g_strdup ("");
}

static void
read_message (FlowDescriptorPool *self,
              FlowProtoReader    *r,
              const char         *scope,
              gboolean            is_proto3)
{
  g_autofree char *name = find_text (r, MESSAGE_NAME);
  FlowDescriptor *message = g_new0 (FlowDescriptor, 1);
  FlowProtoReader sub;

  message->name = join_name (scope, name);
  message->is_proto3 = is_proto3;
  message->fields = g_ptr_array_new_with_free_func (field_free);
  message->extensions = g_ptr_array_new ();
  while (flow_proto_reader_next (r))
    {
      if (r->field < MESSAGE_FIELD || r->field > MESSAGE_OPTIONS || !may_add (self, message->name)
          || !flow_proto_reader_enter (r, &sub))
        continue;
      switch (r->field)
        {
        case MESSAGE_FIELD:
          {
            g_autofree char *nobody = NULL;

            g_ptr_array_add (message->fields, read_field (&sub, message->name, is_proto3, &nobody));
          }
          break;
        case MESSAGE_NESTED: read_message (self, &sub, message->name, is_proto3); break;
        case MESSAGE_ENUM: read_enum (self, &sub, message->name, is_proto3); break;
        case MESSAGE_EXTENSION: read_extension (self, &sub, message->name, is_proto3); break;
        case MESSAGE_OPTIONS:
          while (flow_proto_reader_next (&sub))
            if (sub.field == MESSAGE_OPTION_MAP_ENTRY)
              flow_proto_reader_get_bool (&sub, &message->is_map_entry);
          break;
        }
    }
  g_hash_table_replace (self->messages, message->name, message);
}

static void
read_file (FlowDescriptorPool *self,
           FlowProtoReader    *r)
{
  g_autofree char *package = find_text (r, FILE_PACKAGE);
  g_autofree char *syntax = find_text (r, FILE_SYNTAX);
  gboolean is_proto3 = strcmp (syntax, "proto3") == 0;
  FlowProtoReader sub;

  while (may_add (self, package) && flow_proto_reader_next (r))
    if (r->field == FILE_MESSAGE && flow_proto_reader_enter (r, &sub))
      read_message (self, &sub, package, is_proto3);
    else if (r->field == FILE_ENUM && flow_proto_reader_enter (r, &sub))
      read_enum (self, &sub, package, is_proto3);
    else if (r->field == FILE_EXTENSION && flow_proto_reader_enter (r, &sub))
      read_extension (self, &sub, package, is_proto3);
}

/* --- names -------------------------------------------------------------------------------------------------------- */

/* What @name means in @scope: the innermost scope that has it, unless it begins with a dot. */
static gpointer
resolve (GHashTable *table,
         const char *scope,
         const char *name)
{
  g_autofree char *around = g_strdup (scope);

  if (name == NULL || strlen (name) > MAX_NAME)
    return NULL;
  if (*name == '.')
    return g_hash_table_lookup (table, name + 1);
  while (TRUE)
    {
      g_autofree char *full = join_name (around, name);
      gpointer found = g_hash_table_lookup (table, full);
      char *dot = strrchr (around, '.');

      if (found != NULL || *around == '\0')
        return found;
      *(dot != NULL ? dot : around) = '\0';
    }
}

/* The default of bytes stands in the file with escapes. */
static void
unescape_default (FlowFieldDescriptor *field)
{
  g_autofree char *quoted = g_strconcat ("\"", field->default_text, "\"", NULL);
  g_autoptr (GBytes) bytes = NULL;
  FlowProtoWriter out;
  FlowTextScan scan;

  flow_proto_writer_init (&out);
  _flow_text_scan_init (&scan, quoted, strlen (quoted));
  _flow_text_scan_string (&scan, &out);
  bytes = flow_proto_writer_finish (&out, NULL);
  if (bytes != NULL && scan.problem == NULL)
    {
      g_free (field->default_text);
      field->default_length = g_bytes_get_size (bytes);
      field->default_text = g_strndup (g_bytes_get_data (bytes, NULL), field->default_length);
    }
  _flow_text_scan_clear (&scan);
}

static gboolean
resolve_field (FlowDescriptorPool  *self,
               FlowFieldDescriptor *field,
               const char          *scope)
{
  if (field->type == FLOW_FIELD_ENUM || field->type == 0)
    field->enumeration = resolve (self->enums, scope, field->type_name);
  if (field->enumeration == NULL && (field->type == FLOW_FIELD_MESSAGE || field->type == FLOW_FIELD_GROUP || field->type == 0))
    field->message = resolve (self->messages, scope, field->type_name);
  if (field->type == 0)
    field->type = field->enumeration != NULL ? FLOW_FIELD_ENUM : FLOW_FIELD_MESSAGE;
  if (field->type == FLOW_FIELD_BYTES && field->default_text != NULL)
    unescape_default (field);
  if (field->type == FLOW_FIELD_ENUM)
    return field->enumeration != NULL && field->enumeration->values->len > 0;
  return field->message != NULL || (field->type != FLOW_FIELD_MESSAGE && field->type != FLOW_FIELD_GROUP);
}

static gboolean
resolve_all (FlowDescriptorPool *self)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->messages);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      FlowDescriptor *message = value;

      for (guint i = 0; i < message->fields->len; i++)
        if (!resolve_field (self, message->fields->pdata[i], message->name))
          return FALSE;
    }
  for (guint i = 0; i < self->extensions->len; i++)
    {
      const Extension *extension = self->extensions->pdata[i];
      FlowDescriptor *message = resolve (self->messages, extension->scope, extension->extendee);

      if (message == NULL || !resolve_field (self, extension->field, extension->scope))
        return FALSE;
      g_ptr_array_add (message->extensions, extension->field);
    }
  return TRUE;
}

/**
 * flow_descriptor_pool_new: (skip)
 * @set: a serialized FileDescriptorSet
 * @error: where to put an error
 *
 * Returns: (transfer full) (nullable): the messages that the files declare; sets %FLOW_ERROR_INVALID_ARGUMENT where the
 * bytes are none, or speak of types that are not among them, %FLOW_ERROR_RESOURCE_EXHAUSTED where they declare too much
 */
FlowDescriptorPool *
flow_descriptor_pool_new (GBytes  *set,
                          GError **error)
{
  g_autoptr (FlowDescriptorPool) self = g_new0 (FlowDescriptorPool, 1);
  FlowProtoReader r;
  FlowProtoReader sub;

  g_return_val_if_fail (set != NULL, NULL);

  self->messages = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, message_free);
  self->enums = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, enum_free);
  self->extensions = g_ptr_array_new_with_free_func (extension_free);
  flow_proto_reader_init (&r, g_bytes_get_data (set, NULL), g_bytes_get_size (set));
  while (flow_proto_reader_next (&r))
    if (r.field == SET_FILE && flow_proto_reader_enter (&r, &sub))
      read_file (self, &sub);
  if (flow_proto_reader_failed (&r))
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                 "Source does not represent serialized file descriptor set proto.");
  else if (self->n_bytes >= MAX_BYTES)
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "FileDescriptorSet declares too much, or in names that are "
                 "too long");
  else if (!resolve_all (self))
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                 "Failed to load FileDescriptorProto: it speaks of types that are not there");
  else
    return g_steal_pointer (&self);
  return NULL;
}

/* --- looking ------------------------------------------------------------------------------------------------------ */

/**
 * flow_descriptor_pool_find: (skip)
 * @self: a pool
 * @name: the name of a message with its package
 *
 * Returns: (nullable): the message, the pool's own
 */
const FlowDescriptor *
flow_descriptor_pool_find (const FlowDescriptorPool *self,
                           const char               *name)
{
  g_return_val_if_fail (self != NULL && name != NULL, NULL);

  return g_hash_table_lookup (self->messages, name);
}

const FlowFieldDescriptor *
_flow_descriptor_by_number (const FlowDescriptor *self,
                            guint32               number)
{
  const GPtrArray *lists[] = { self->fields, self->extensions };

  for (guint k = 0; k < G_N_ELEMENTS (lists); k++)
    for (guint i = 0; i < lists[k]->len; i++)
      if (((const FlowFieldDescriptor *) lists[k]->pdata[i])->number == number)
        return lists[k]->pdata[i];
  return NULL;
}

const FlowFieldDescriptor *
_flow_descriptor_by_name (const FlowDescriptor *self,
                          const char           *name,
                          gsize                 length)
{
  for (guint i = 0; i < self->fields->len; i++)
    {
      const FlowFieldDescriptor *field = self->fields->pdata[i];

      if (strlen (field->name) == length && memcmp (field->name, name, length) == 0)
        return field;
    }
  return NULL;
}

/**
 * flow_descriptor_find_field: (skip)
 * @self: a message
 * @name: the name of one of its fields
 *
 * Returns: (nullable): the field
 */
const FlowFieldDescriptor *
flow_descriptor_find_field (const FlowDescriptor *self,
                            const char           *name)
{
  g_return_val_if_fail (self != NULL && name != NULL, NULL);

  return _flow_descriptor_by_name (self, name, strlen (name));
}

/**
 * flow_descriptor_find_extension: (skip)
 * @self: a message
 * @full_name: the name of an extension of it, with its package
 *
 * Returns: (nullable): the field
 */
const FlowFieldDescriptor *
flow_descriptor_find_extension (const FlowDescriptor *self,
                                const char           *full_name)
{
  g_return_val_if_fail (self != NULL && full_name != NULL, NULL);

  for (guint i = 0; i < self->extensions->len; i++)
    if (strcmp (((const FlowFieldDescriptor *) self->extensions->pdata[i])->full_name, full_name) == 0)
      return self->extensions->pdata[i];
  return NULL;
}

const FlowEnumDescriptorValue *
_flow_enum_by_name (const FlowEnumDescriptor *self,
                    const char               *name,
                    gsize                     length)
{
  for (guint i = 0; i < self->values->len; i++)
    {
      const FlowEnumDescriptorValue *value = &g_array_index (self->values, FlowEnumDescriptorValue, i);

      if (strlen (value->name) == length && memcmp (value->name, name, length) == 0)
        return value;
    }
  return NULL;
}

const FlowEnumDescriptorValue *
_flow_enum_by_number (const FlowEnumDescriptor *self,
                      gint32                    number)
{
  for (guint i = 0; i < self->values->len; i++)
    if (g_array_index (self->values, FlowEnumDescriptorValue, i).number == number)
      return &g_array_index (self->values, FlowEnumDescriptorValue, i);
  return NULL;
}

/**
 * flow_field_get_default_enum: (skip)
 * @self: a field of an enum
 *
 * Returns: the number that it has where nobody sets it: that of its default, else of the enum's first value
 */
gint32
flow_field_get_default_enum (const FlowFieldDescriptor *self)
{
  const FlowEnumDescriptorValue *value = NULL;

  g_return_val_if_fail (self != NULL && self->enumeration != NULL, 0);

  if (self->default_text != NULL)
    value = _flow_enum_by_name (self->enumeration, self->default_text, self->default_length);
  return value != NULL ? value->number : g_array_index (self->enumeration->values, FlowEnumDescriptorValue, 0).number;
}
