/* flow-reader-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-kernel.h"

G_BEGIN_DECLS

typedef enum {
  FLOW_READER_WHOLE_FILE,
  FLOW_READER_TEXT_LINE,
  FLOW_READER_FIXED_LENGTH,
  FLOW_READER_TF_RECORD,
  FLOW_READER_IDENTITY,
  FLOW_READER_LMDB,
  FLOW_N_READERS
} FlowReaderKind;

typedef struct {
  gint64 header_bytes;         /* of fixed length records; of text: lines to leave out */
  gint64 record_bytes;
  gint64 footer_bytes;
  gint64 hop_bytes;
  const char *compression;     /* "", "ZLIB" or "GZIP" */
} FlowReaderOptions;

typedef struct _FlowReader FlowReader;

extern const FlowResourceClass _flow_reader_class;

FlowReader *_flow_reader_new             (const char              *container,
                                          const char              *name,
                                          const char              *node_name,
                                          FlowReaderKind           kind,
                                          const FlowReaderOptions *options);
gboolean    _flow_reader_is_busy         (FlowReader              *self);
/* Takes up the file named @work. All that write need will_write() before. */
gboolean    _flow_reader_start           (FlowReader              *self,
                                          FlowKernelContext       *c,
                                          GBytes                  *work,
                                          GError                 **error);
/* The next record of the file that is being read; with *@key NULL there was none: the file is done.
 * *@done says that this one was its last. */
gboolean    _flow_reader_next            (FlowReader              *self,
                                          FlowKernelContext       *c,
                                          GBytes                 **key,
                                          GBytes                 **value,
                                          gboolean                *done,
                                          GError                 **error);
void        _flow_reader_reset           (FlowReader              *self);
gint64      _flow_reader_count_records   (FlowReader              *self);
gint64      _flow_reader_count_finished  (FlowReader              *self);
GBytes     *_flow_reader_serialize       (FlowReader              *self,
                                          GError                 **error);
/* Checks @state, and with @write takes it over. */
gboolean    _flow_reader_restore         (FlowReader              *self,
                                          gconstpointer            state,
                                          gsize                    length,
                                          gboolean                 write,
                                          GError                 **error);

G_END_DECLS
