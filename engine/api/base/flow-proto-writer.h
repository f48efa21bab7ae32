/* flow-proto-writer.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-proto-reader.h"

G_BEGIN_DECLS

#ifndef __GI_SCANNER__

/**
 * FlowProtoWriter: (skip)
 *
 * Writes one protobuf message into a buffer that grows. It lives on the stack; memory that cannot
 * be had makes it fail quietly, and flow_proto_writer_finish() says so.
 *
 * Functions named `set_` write a singular proto3 field and leave out its default; those named
 * `add_` always write, as members of a oneof and elements of a repeated field need it. Entries of a
 * map are messages; the caller writes them sorted by key.
 */
typedef struct {
  /*< private >*/
  guint8 *data;
  gsize size;
  gsize allocated;
  gboolean failed;
  guint depth;
  gsize tags[FLOW_PROTO_MAX_DEPTH + 2];
  gsize begins[FLOW_PROTO_MAX_DEPTH + 2];
} FlowProtoWriter;

FLOW_API void     flow_proto_writer_init       (FlowProtoWriter  *self);
FLOW_API void     flow_proto_writer_clear      (FlowProtoWriter  *self);
FLOW_API GBytes  *flow_proto_writer_finish     (FlowProtoWriter  *self,
                                                GError          **error);
FLOW_API void     flow_proto_writer_begin      (FlowProtoWriter  *self,
                                                guint32           field);
FLOW_API void     flow_proto_writer_end        (FlowProtoWriter  *self);
FLOW_API void     flow_proto_writer_end_or_drop (FlowProtoWriter *self);
FLOW_API void     flow_proto_writer_set_int    (FlowProtoWriter  *self,
                                                guint32           field,
                                                gint64            value);
FLOW_API void     flow_proto_writer_set_float  (FlowProtoWriter  *self,
                                                guint32           field,
                                                float             value);
FLOW_API void     flow_proto_writer_set_double (FlowProtoWriter  *self,
                                                guint32           field,
                                                double            value);
FLOW_API void     flow_proto_writer_set_string (FlowProtoWriter  *self,
                                                guint32           field,
                                                const char       *text);
FLOW_API void     flow_proto_writer_set_bytes  (FlowProtoWriter  *self,
                                                guint32           field,
                                                gconstpointer     data,
                                                gsize             size);
FLOW_API void     flow_proto_writer_add_int    (FlowProtoWriter  *self,
                                                guint32           field,
                                                gint64            value);
FLOW_API void     flow_proto_writer_add_float  (FlowProtoWriter  *self,
                                                guint32           field,
                                                float             value);
FLOW_API void     flow_proto_writer_add_double (FlowProtoWriter  *self,
                                                guint32           field,
                                                double            value);
FLOW_API void     flow_proto_writer_add_fixed32 (FlowProtoWriter *self,
                                                guint32           field,
                                                guint32           value);
FLOW_API void     flow_proto_writer_add_fixed64 (FlowProtoWriter *self,
                                                guint32           field,
                                                guint64           value);
FLOW_API void     flow_proto_writer_add_string (FlowProtoWriter  *self,
                                                guint32           field,
                                                const char       *text);
FLOW_API void     flow_proto_writer_add_bytes  (FlowProtoWriter  *self,
                                                guint32           field,
                                                gconstpointer     data,
                                                gsize             size);
FLOW_API void     flow_proto_writer_add_packed_ints (FlowProtoWriter *self,
                                                guint32           field,
                                                const gint64     *values,
                                                gsize             n_values);
FLOW_API void     flow_proto_writer_append     (FlowProtoWriter  *self,
                                                gconstpointer     data,
                                                gsize             size);
FLOW_API void     flow_proto_writer_append_varint (FlowProtoWriter *self,
                                                guint64           value);
FLOW_API void     flow_proto_writer_append_tag (FlowProtoWriter  *self,
                                                guint32           field,
                                                FlowWireType      wire);
FLOW_API void     flow_proto_writer_append_number (FlowProtoWriter *self,
                                                FlowWireType      wire,
                                                guint64           bits);
FLOW_API gsize    flow_proto_varint_size       (guint64           value);

#endif /* __GI_SCANNER__ */

G_END_DECLS
