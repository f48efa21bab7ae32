/* flow-message.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-message-private.h"

#include "flow-array-private.h"

#include <string.h>

#define BYTES_PREFIX "bytes://"
/* No description of messages is longer. */
#define MAX_SOURCE (64 << 20)

/* --- where messages are described -------------------------------------------------------------------------------- */

/* What a node holds itself is read once. */
typedef struct {
  FlowDescriptorPool *pool;    /* nullable: the node names a file */
} Source;

void
_flow_message_source_destruct (gpointer data)
{
  Source *self = data;

  g_clear_pointer (&self->pool, flow_descriptor_pool_free);
  g_free (self);
}

gpointer
_flow_message_source_construct (FlowKernelConstruction  *c,
                                GError                 **error)
{
  gsize length;
  const char *text = flow_attr_get_string (flow_construction_attr (c, "descriptor_source"), &length);
  const gsize prefix = strlen (BYTES_PREFIX);
  Source *self = g_new0 (Source, 1);

  if (length >= prefix && length <= MAX_SOURCE && memcmp (text, BYTES_PREFIX, prefix) == 0)
    {
      g_autoptr (GBytes) bytes = g_bytes_new (text + prefix, length - prefix);

      self->pool = flow_descriptor_pool_new (bytes, error);
      if (self->pool == NULL)
        g_clear_pointer (&self, _flow_message_source_destruct);
    }
  return self;
}

static FlowDescriptorPool *
read_pool (FlowKernelContext  *c,
           const char         *name,
           GError            **error)
{
  g_autofree char *path = flow_kernel_find_file (c, name, FLOW_PATH_READ, error);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (FlowDescriptorPool) pool = NULL;

  if (path == NULL)
    return NULL;
  bytes = flow_read_file (path, MAX_SOURCE, NULL);
  if (bytes == NULL)
    {
      _flow_refuse (error, "Source does not represent serialized file descriptor set proto.");
      return NULL;
    }
  pool = flow_descriptor_pool_new (bytes, NULL);
  if (pool == NULL)
    _flow_refuse (error, "descriptor_source contains invalid FileDescriptorSet: %s", name);
  return g_steal_pointer (&pool);
}

const FlowDescriptor *
_flow_message_find (FlowKernelContext   *c,
                    FlowDescriptorPool **own,
                    GError             **error)
{
  const Source *source = flow_kernel_data (c);
  const char *name = flow_kernel_attr_string (c, "descriptor_source");
  const char *type = flow_kernel_attr_string (c, "message_type");
  const FlowDescriptor *message;

  /* TF: its own messages; which are linked into it no file says. */
  if (source->pool == NULL && (*name == '\0' || strcmp (name, "local://") == 0))
    {
      _flow_refuse (error, "No descriptor found for message type %s", type);
      return NULL;
    }
  if (source->pool == NULL && (*own = read_pool (c, name, error)) == NULL)
    return NULL;
  message = flow_descriptor_pool_find (source->pool != NULL ? source->pool : *own, type);
  if (message == NULL)
    _flow_refuse (error, "No descriptor found for message type %s", type);
  return message;
}

/* --- fields and dtypes ------------------------------------------------------------------------------------------- */

const FlowFieldTypeInfo _flow_field_types[] = {
  [FLOW_FIELD_DOUBLE] = { FLOW_WIRE_FIXED64, 5, "double", { FLOW_DTYPE_DOUBLE } },
  [FLOW_FIELD_FLOAT] = { FLOW_WIRE_FIXED32, 6, "float", { FLOW_DTYPE_FLOAT, FLOW_DTYPE_DOUBLE } },
  [FLOW_FIELD_INT64] = { FLOW_WIRE_VARINT, 2, "int64", { FLOW_DTYPE_INT64 } },
  [FLOW_FIELD_UINT64] = { FLOW_WIRE_VARINT, 4, "uint64", { FLOW_DTYPE_UINT64 } },
  [FLOW_FIELD_INT32] = { FLOW_WIRE_VARINT, 1, "int32", { FLOW_DTYPE_INT32, FLOW_DTYPE_INT64 } },
  [FLOW_FIELD_FIXED64] = { FLOW_WIRE_FIXED64, 4, "fixed64", { FLOW_DTYPE_UINT64 } },
  [FLOW_FIELD_FIXED32] = { FLOW_WIRE_FIXED32, 3, "fixed32", { FLOW_DTYPE_UINT32, FLOW_DTYPE_UINT64 } },
  [FLOW_FIELD_BOOL] = { FLOW_WIRE_VARINT, 7, "bool", { FLOW_DTYPE_BOOL } },
  [FLOW_FIELD_STRING] = { FLOW_WIRE_BYTES, 9, "string", { FLOW_DTYPE_STRING } },
  [FLOW_FIELD_GROUP] = { FLOW_WIRE_GROUP, 10, "group", { FLOW_DTYPE_STRING } },
  [FLOW_FIELD_MESSAGE] = { FLOW_WIRE_BYTES, 10, "message", { FLOW_DTYPE_STRING } },
  [FLOW_FIELD_BYTES] = { FLOW_WIRE_BYTES, 9, "bytes", { FLOW_DTYPE_STRING } },
  [FLOW_FIELD_UINT32] = { FLOW_WIRE_VARINT, 3, "uint32", { FLOW_DTYPE_UINT32, FLOW_DTYPE_UINT64 } },
  [FLOW_FIELD_ENUM] = { FLOW_WIRE_VARINT, 8, "enum", { FLOW_DTYPE_INT32 } },
  [FLOW_FIELD_SFIXED32] = { FLOW_WIRE_FIXED32, 1, "sfixed32", { FLOW_DTYPE_INT32, FLOW_DTYPE_INT64 } },
  [FLOW_FIELD_SFIXED64] = { FLOW_WIRE_FIXED64, 2, "sfixed64", { FLOW_DTYPE_INT64 } },
  [FLOW_FIELD_SINT32] = { FLOW_WIRE_VARINT, 1, "sint32", { FLOW_DTYPE_INT32, FLOW_DTYPE_INT64 } },
  [FLOW_FIELD_SINT64] = { FLOW_WIRE_VARINT, 2, "sint64", { FLOW_DTYPE_INT64 } },
};

gboolean
_flow_field_is_compatible (FlowFieldType type,
                           int           dtype)
{
  return dtype != FLOW_DTYPE_INVALID && (_flow_field_types[type].dtypes[0] == dtype || _flow_field_types[type].dtypes[1] == dtype);
}
