/* flow-example.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-example-private.h"
#include "flow-summarize-private.h"

#include "flow-proto-reader.h"
#include "flow-util.h"

#include <string.h>

/* Feature: bytes_list 1, float_list 2, int64_list 3; each with `value` 1. */
static const FlowDType list_dtypes[] = { FLOW_DTYPE_INVALID, FLOW_DTYPE_STRING, FLOW_DTYPE_FLOAT, FLOW_DTYPE_INT64 };

struct _FlowExampleKeys
{
  GHashTable *indices;         /* GBytes -> index + 1 */
};

FlowExampleKeys *
_flow_example_keys_new (void)
{
  FlowExampleKeys *self = g_new0 (FlowExampleKeys, 1);

  self->indices = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  return self;
}

void
_flow_example_keys_free (FlowExampleKeys *self)
{
  g_hash_table_unref (self->indices);
  g_free (self);
}

gboolean
_flow_example_keys_add (FlowExampleKeys *self,
                        const char      *key,
                        gsize            length,
                        guint            index)
{
  return g_hash_table_insert (self->indices, g_bytes_new (key, length), GUINT_TO_POINTER (index + 1));
}

static void
read_entry (FlowExampleKeys *self,
            FlowProtoReader *entry,
            FlowFeatureSpan *spans)
{
  const guint8 *key = (const guint8 *) "";
  const guint8 *feature = (const guint8 *) "";
  gsize key_size = 0;
  gsize feature_size = 0;
  g_autoptr (GBytes) name = NULL;
  guint index;

  while (flow_proto_reader_next (entry))
    {
      if (entry->field == 1)
        flow_proto_reader_get_bytes (entry, &key, &key_size);
      else if (entry->field == 2)
        flow_proto_reader_get_bytes (entry, &feature, &feature_size);
    }
  name = g_bytes_new_static (key, key_size);
  index = GPOINTER_TO_UINT (g_hash_table_lookup (self->indices, name));
  if (index == 0)
    return;
  spans[index - 1].data = feature;
  spans[index - 1].size = feature_size;
}

/* TF passes over fields that it does not know, and minds no length that reaches beyond the end. */
static gboolean
ends_in_unknown_bytes (const FlowProtoReader *reader,
                       guint                  field,
                       const guint8          *end)
{
  const guint8 *p = reader->tag;

  if (reader->wire != FLOW_WIRE_BYTES || reader->field == field)
    return FALSE;
  /* Its tag, then its length. */
  for (guint i = 0; i < 2; i++)
    {
      const guint8 *begin = p;

      while (p < end && (*p & 0x80) != 0)
        p++;
      if (p == end || p - begin >= 10)
        return FALSE;
      p++;
    }
  return TRUE;
}

/* The entries of the map in @field of the message. */
static gboolean
find_entries (FlowExampleKeys *self,
              const char      *serialized,
              gsize            size,
              guint            field,
              FlowFeatureSpan *spans)
{
  FlowProtoReader example;
  FlowProtoReader features;
  FlowProtoReader entry;

  flow_proto_reader_init (&example, serialized, size);
  while (flow_proto_reader_next (&example))
    {
      if (example.field != field || !flow_proto_reader_enter (&example, &features))
        continue;
      while (flow_proto_reader_next (&features))
        if (features.field == 1 && flow_proto_reader_enter (&features, &entry))
          read_entry (self, &entry, spans);
    }
  return !flow_proto_reader_failed (&example)
         || ends_in_unknown_bytes (&example, field, (const guint8 *) serialized + size);
}

gboolean
_flow_example_find (FlowExampleKeys *self,
                    const char      *serialized,
                    gsize            size,
                    FlowFeatureSpan *spans)
{
  return find_entries (self, serialized, size, 1, spans);
}

gboolean
_flow_example_find_lists (FlowExampleKeys *self,
                          const char      *serialized,
                          gsize            size,
                          FlowFeatureSpan *spans)
{
  return find_entries (self, serialized, size, 2, spans);
}

gboolean
_flow_feature_list_next (FlowProtoReader *list,
                         FlowFeatureSpan *feature)
{
  while (flow_proto_reader_next (list))
    if (list->field == 1)
      {
        feature->data = (const guint8 *) "";
        feature->size = 0;
        flow_proto_reader_get_bytes (list, &feature->data, &feature->size);
        return TRUE;
      }
  return FALSE;
}

/* The list that is set; of several the last, as in any oneof. */
static gboolean
open_list (const FlowFeatureSpan *span,
           FlowProtoReader       *feature,
           FlowProtoReader       *list,
           FlowDType             *dtype)
{
  const guint8 *data = NULL;
  gsize size = 0;

  *dtype = FLOW_DTYPE_INVALID;
  flow_proto_reader_init (feature, span->data, span->size);
  while (flow_proto_reader_next (feature))
    if (feature->field >= 1 && feature->field <= 3)
      {
        *dtype = list_dtypes[feature->field];
        flow_proto_reader_get_bytes (feature, &data, &size);
      }
  if (flow_proto_reader_failed (feature))
    return FALSE;
  flow_proto_reader_init (list, data, size);
  return TRUE;
}

FlowDType
_flow_feature_dtype (const FlowFeatureSpan *span,
                     gboolean              *damaged)
{
  FlowProtoReader feature;
  FlowProtoReader list;
  FlowDType dtype;

  *damaged = span->data != NULL && !open_list (span, &feature, &list, &dtype);
  return span->data != NULL && !*damaged ? dtype : FLOW_DTYPE_INVALID;
}

typedef struct {
  FlowTensor *tensor;          /* NULL: only count */
  gint64 at;
  gint64 end;
  gint64 count;
} Sink;

static void
take_bytes (Sink            *sink,
            FlowProtoReader *list)
{
  const guint8 *data;
  gsize size;

  if (!flow_proto_reader_get_bytes (list, &data, &size))
    return;
  sink->count++;
  if (sink->tensor != NULL && sink->at < sink->end)
    flow_tensor_take_string (sink->tensor, sink->at++, g_bytes_new (data, size));
}

static void
take_floats (Sink            *sink,
             FlowProtoReader *list)
{
  float value;

  while (flow_proto_reader_each_float (list, &value))
    {
      sink->count++;
      if (sink->tensor != NULL && sink->at < sink->end)
        FLOW_WRITABLE (float, sink->tensor)[sink->at++] = value;
    }
}

static void
take_ints (Sink            *sink,
           FlowProtoReader *list)
{
  guint64 value;

  while (flow_proto_reader_each_varint (list, &value))
    {
      sink->count++;
      if (sink->tensor != NULL && sink->at < sink->end)
        FLOW_WRITABLE (gint64, sink->tensor)[sink->at++] = (gint64) value;
    }
}

static gboolean
walk_values (const FlowFeatureSpan *span,
             Sink                  *sink)
{
  FlowProtoReader feature;
  FlowProtoReader list;
  FlowDType dtype;

  if (span->data == NULL)
    return TRUE;
  if (!open_list (span, &feature, &list, &dtype))
    return FALSE;
  while (flow_proto_reader_next (&list))
    {
      if (list.field != 1)
        continue;
      if (dtype == FLOW_DTYPE_STRING)
        take_bytes (sink, &list);
      else if (dtype == FLOW_DTYPE_FLOAT)
        take_floats (sink, &list);
      else
        take_ints (sink, &list);
    }
  return !flow_proto_reader_failed (&list);
}

gint64
_flow_feature_count (const FlowFeatureSpan *span)
{
  Sink sink = { 0 };

  return walk_values (span, &sink) ? sink.count : -1;
}

void
_flow_feature_read (const FlowFeatureSpan *span,
                    FlowTensor            *tensor,
                    gint64                 at,
                    gint64                 count)
{
  Sink sink = { .tensor = tensor, .at = at, .end = MIN (at + count, tensor->n_elements) };

  walk_values (span, &sink);
}

static void
append_value (const FlowTensor *values,
              gint64            i,
              GString          *text)
{
  gsize length = 0;

  g_string_append (text, "  value: ");
  if (values->dtype == FLOW_DTYPE_STRING)
    {
      const char *bytes = flow_tensor_get_string (values, i, &length);
      g_autofree char *escaped = flow_escape_bytes (bytes, (gssize) length);

      g_string_append_printf (text, "\"%s\"", escaped);
    }
  else if (values->dtype == FLOW_DTYPE_FLOAT)
    {
      _flow_append_float (text, FLOW_DATA (float, values)[i]);
    }
  else
    {
      g_string_append_printf (text, "%" G_GINT64_FORMAT, FLOW_DATA (gint64, values)[i]);
    }
  g_string_append_c (text, '\n');
}

void
_flow_feature_append_text (const FlowFeatureSpan *span,
                           GString               *text)
{
  gboolean damaged = FALSE;
  FlowDType dtype = _flow_feature_dtype (span, &damaged);
  gint64 count = damaged || dtype == FLOW_DTYPE_INVALID ? -1 : _flow_feature_count (span);
  g_autoptr (FlowShape) shape = count >= 0 ? flow_shape_new_vector (count) : NULL;
  g_autoptr (FlowTensor) values = shape != NULL ? flow_tensor_new (dtype, shape, NULL, NULL) : NULL;

  if (values == NULL)
    return;
  _flow_feature_read (span, values, 0, count);
  g_string_append_printf (text, "%s_list {\n",
                          dtype == FLOW_DTYPE_STRING ? "bytes" : dtype == FLOW_DTYPE_FLOAT ? "float" : "int64");
  for (gint64 i = 0; i < count; i++)
    append_value (values, i, text);
  g_string_append (text, "}\n");
}
