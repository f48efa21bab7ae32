/* flow-npy-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-tensor.h"

#include <zlib.h>

G_BEGIN_DECLS

/* Bytes one after the other: from memory, a file, or a deflated part of a file. */
typedef struct {
  GBytes *bytes;         /* nullable, borrowed */
  int fd;                /* where there are no @bytes */
  guint64 offset;        /* of the next byte of what is stored */
  guint64 stored_left;
  guint64 left;          /* bytes still to come out */
  gboolean deflated;
  z_stream stream;
  guint8 *window;        /* compressed bytes just read */
  guint32 crc;           /* of what came out */
} FlowByteSource;

void        _flow_byte_source_init_bytes (FlowByteSource  *self,
                                          GBytes          *bytes);
void        _flow_byte_source_init_fd    (FlowByteSource  *self,
                                          int              fd,
                                          guint64          offset,
                                          guint64          size);
gboolean    _flow_byte_source_inflate    (FlowByteSource  *self,
                                          guint64          size,
                                          GError         **error);
void        _flow_byte_source_clear      (FlowByteSource  *self);
gboolean    _flow_byte_source_read       (FlowByteSource  *self,
                                          gpointer         into,
                                          gsize            n,
                                          GError         **error);

FlowTensor *_flow_npy_read_source        (FlowByteSource  *source,
                                          FlowBudget      *budget,
                                          GError         **error);
GBytes     *_flow_npy_make_header        (const char      *descr,
                                          const FlowShape *shape);
const char *_flow_npy_descr              (FlowDType        dtype);

G_END_DECLS
