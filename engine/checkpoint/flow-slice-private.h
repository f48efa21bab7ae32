/* flow-slice-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-proto-reader.h"
#include "flow-proto-writer.h"
#include "flow-tensor.h"

G_BEGIN_DECLS

#define FLOW_SLICE_FULL ((gint64) -1)

/* A part of a tensor: per dimension a start and a length, or all of it (start 0, length -1). */
typedef struct {
  int rank;
  gint64 *extents;       /* start, length, start, length, ... */
} FlowSlice;

#define FLOW_SLICE_START(slice, d) ((slice)->extents[2 * (d)])
#define FLOW_SLICE_LENGTH(slice, d) ((slice)->extents[2 * (d) + 1])

FlowSlice *_flow_slice_new        (int               rank);
void       _flow_slice_free       (FlowSlice        *self);
gboolean   _flow_slice_is_full    (const FlowSlice  *self);
gboolean   _flow_slice_read       (FlowProtoReader  *reader,
                                   FlowSlice       **slice);
void       _flow_slice_write      (const FlowSlice  *self,
                                   FlowProtoWriter  *writer,
                                   guint32           field);
gboolean   _flow_slice_parse      (const char       *text,
                                   FlowSlice       **slice,
                                   GError          **error);
char      *_flow_slice_to_string  (const FlowSlice  *self);
FlowShape *_flow_slice_shape      (const FlowSlice  *self,
                                   const FlowShape  *whole,
                                   GError          **error);
GBytes    *_flow_slice_encode_key (const char       *name,
                                   const FlowSlice  *self);
gboolean   _flow_slice_parse_spec (const char       *spec,
                                   FlowShape       **shape,
                                   FlowSlice       **slice,
                                   FlowShape       **slice_shape,
                                   GError          **error);
gboolean   _flow_slice_refuse     (const char       *spec,
                                   const FlowTensor *tensor,
                                   GError          **error);

gint64     _flow_slice_copy       (const FlowShape  *whole,
                                   const FlowSlice  *from_slice,
                                   const FlowTensor *from,
                                   const FlowSlice  *to_slice,
                                   FlowTensor       *to);
gboolean   _flow_slice_overlap    (const FlowShape  *whole,
                                   const FlowSlice  *a,
                                   const FlowSlice  *b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowSlice, _flow_slice_free)

G_END_DECLS
