/* flow-stream-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What reader ops and datasets read files with: from any place on, packed or not.
 */

#pragma once

#include "flow-kernel.h"

G_BEGIN_DECLS

typedef struct _FlowStream FlowStream;

/* @path is the file to open, @name what errors call it; @compression "", "ZLIB" or "GZIP". */
FlowStream *_flow_stream_open        (const char  *path,
                                      const char  *name,
                                      const char  *compression,
                                      FlowBudget  *budget,
                                      GError     **error);
void        _flow_stream_free        (FlowStream  *self);
/* Places count unpacked bytes. */
gint64      _flow_stream_tell        (FlowStream  *self);
/* FALSE without an error where the file ends before @offset. */
gboolean    _flow_stream_seek        (FlowStream  *self,
                                      gint64       offset,
                                      GError     **error);
/* How many bytes of a file that is not packed come after this place; -1 unknown. */
gint64      _flow_stream_count_left  (FlowStream  *self);
/* NULL with an error; fewer than @n bytes only at the end. */
GBytes     *_flow_stream_read        (FlowStream  *self,
                                      gsize        n,
                                      GError     **error);
/* The next byte; -1 at the end, -2 with an error. */
int         _flow_stream_get_byte    (FlowStream  *self,
                                      GError     **error);
/* One line without its end. NULL without an error at the end of the file. TensorFlow has two readers of
 * lines: one leaves out a carriage return before the newline, the other all that there are. */
GBytes     *_flow_stream_read_line   (FlowStream  *self,
                                      GError     **error);
GBytes     *_flow_stream_read_plain_line (FlowStream *self,
                                      GError     **error);
/* The payload of one TFRecord, both checksums checked. NULL without an error at the end, also of
 * a file that ends inside a record's length. */
GBytes     *_flow_stream_read_record (FlowStream  *self,
                                      GError     **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowStream, _flow_stream_free)

G_END_DECLS
