/* flow-proto-reader.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-error.h"

G_BEGIN_DECLS

#ifndef __GI_SCANNER__

/* Messages inside messages; TensorFlow's own parsers stop there too. */
#define FLOW_PROTO_MAX_DEPTH 100
/* The format's own limit for one message. */
#define FLOW_PROTO_MAX_SIZE ((gsize) G_MAXINT32)

/**
 * FlowWireType: (skip)
 *
 * How a field lies on the wire.
 */
typedef enum {
  FLOW_WIRE_VARINT = 0,
  FLOW_WIRE_FIXED64 = 1,
  FLOW_WIRE_BYTES = 2,
  FLOW_WIRE_GROUP = 3,
  FLOW_WIRE_GROUP_END = 4,
  FLOW_WIRE_FIXED32 = 5,
} FlowWireType;

/* What a reader and the readers of its sub-messages share: where byte 0 is, and the first failure. */
typedef struct {
  const guint8 *base;
  const char *problem;         /* static text, NULL while all is well */
  gsize problem_offset;
} FlowProtoSource;

/**
 * FlowProtoReader: (skip)
 * @field: number of the field the reader stands at
 * @wire: its #FlowWireType
 * @value: its value, when it is a varint or fixed
 * @data: its payload, when it is bytes or a group
 * @size: length of @data in bytes
 *
 * A pull reader over one protobuf message: no copies, no allocations. It lives on the stack:
 *
 *     flow_proto_reader_init (&r, data, size);
 *     while (flow_proto_reader_next (&r))
 *       switch (r.field)
 *         {
 *         case 1: flow_proto_reader_get_int64 (&r, &step); break;
 *         case 2: if (flow_proto_reader_enter (&r, &sub)) read_value (&sub); break;
 *         }
 *     if (!flow_proto_reader_finish (&r, "file", error)) ...
 *
 * A failure anywhere below ends every loop; it is kept with its byte offset in the outermost bytes.
 * As in the official parsers a field of an unexpected wire type is an unknown field: getters then
 * return %FALSE and change nothing.
 */
typedef struct {
  guint32 field;
  FlowWireType wire;
  guint64 value;
  const guint8 *data;
  gsize size;
  /*< private >*/
  const guint8 *tag;           /* where the field begins */
  const guint8 *pos;
  const guint8 *end;
  const guint8 *each;          /* inside a packed field, or NULL before its first value */
  guint depth;
  FlowProtoSource *source;
  FlowProtoSource own;
} FlowProtoReader;

FLOW_API void        flow_proto_reader_init         (FlowProtoReader   *self,
                                                     gconstpointer      data,
                                                     gsize              size);
FLOW_API void        flow_proto_reader_init_part    (FlowProtoReader   *self,
                                                     gconstpointer      base,
                                                     gconstpointer      data,
                                                     gsize              size,
                                                     guint              depth);
FLOW_API gboolean    flow_proto_reader_next         (FlowProtoReader   *self);
FLOW_API gboolean    flow_proto_reader_enter        (FlowProtoReader   *self,
                                                     FlowProtoReader   *sub);
FLOW_API gboolean    flow_proto_reader_get_int64    (FlowProtoReader   *self,
                                                     gint64            *value);
FLOW_API gboolean    flow_proto_reader_get_int32    (FlowProtoReader   *self,
                                                     int               *value);
FLOW_API gboolean    flow_proto_reader_get_uint64   (FlowProtoReader   *self,
                                                     guint64           *value);
FLOW_API gboolean    flow_proto_reader_get_bool     (FlowProtoReader   *self,
                                                     gboolean          *value);
FLOW_API gboolean    flow_proto_reader_get_float    (FlowProtoReader   *self,
                                                     float             *value);
FLOW_API gboolean    flow_proto_reader_get_double   (FlowProtoReader   *self,
                                                     double            *value);
FLOW_API gboolean    flow_proto_reader_get_fixed32  (FlowProtoReader   *self,
                                                     guint32           *value);
FLOW_API gboolean    flow_proto_reader_get_fixed64  (FlowProtoReader   *self,
                                                     guint64           *value);
FLOW_API gboolean    flow_proto_reader_get_bytes    (FlowProtoReader   *self,
                                                     const guint8     **data,
                                                     gsize             *size);
FLOW_API gboolean    flow_proto_reader_get_string   (FlowProtoReader   *self,
                                                     const char       **text,
                                                     gsize             *length);
FLOW_API gboolean    flow_proto_reader_dup_string   (FlowProtoReader   *self,
                                                     char             **text);
FLOW_API gboolean    flow_proto_reader_each_varint  (FlowProtoReader   *self,
                                                     guint64           *value);
FLOW_API gboolean    flow_proto_reader_each_float   (FlowProtoReader   *self,
                                                     float             *value);
FLOW_API gboolean    flow_proto_reader_each_double  (FlowProtoReader   *self,
                                                     double            *value);
FLOW_API void        flow_proto_reader_fail         (FlowProtoReader   *self,
                                                     const char        *problem);
FLOW_API gboolean    flow_proto_reader_failed       (FlowProtoReader   *self);
FLOW_API gsize       flow_proto_reader_get_offset   (FlowProtoReader   *self);
FLOW_API gboolean    flow_proto_reader_finish       (FlowProtoReader   *self,
                                                     const char        *what,
                                                     GError           **error);
FLOW_API gboolean    flow_proto_is_utf8             (const guint8      *data,
                                                     gsize              size);
FLOW_API gboolean    flow_proto_read_varint         (const guint8     **pos,
                                                     const guint8      *end,
                                                     guint64           *value);

#endif /* __GI_SCANNER__ */

G_END_DECLS
