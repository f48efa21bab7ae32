/* flow-record-reader.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-error.h"

G_BEGIN_DECLS

#ifndef __GI_SCANNER__

/**
 * FlowRecordStatus: (skip)
 * @FLOW_RECORD_READ: a record was read
 * @FLOW_RECORD_END: the file ends where a record does
 * @FLOW_RECORD_TRUNCATED: the file ends inside a record; there is nothing behind it
 * @FLOW_RECORD_BAD_LENGTH: the length is damaged: where the next record begins is not known
 * @FLOW_RECORD_BAD_DATA: the data are damaged; the reader stands behind them and can go on
 */
typedef enum {
  FLOW_RECORD_READ,
  FLOW_RECORD_END,
  FLOW_RECORD_TRUNCATED,
  FLOW_RECORD_BAD_LENGTH,
  FLOW_RECORD_BAD_DATA,
} FlowRecordStatus;

/**
 * FlowRecordReader: (skip)
 * @record: the data of the record that was read last
 * @size: their number of bytes
 * @offset: where that record begins in the file
 *
 * Goes through the records of a TFRecord or event file that lies in memory. It lives on the stack and
 * copies nothing.
 */
typedef struct {
  const guint8 *record;
  gsize size;
  gsize offset;
  /*< private >*/
  const guint8 *data;
  gsize n_bytes;
  gsize pos;
} FlowRecordReader;

FLOW_API void             flow_record_reader_init (FlowRecordReader *self,
                                                   gconstpointer     data,
                                                   gsize             n_bytes);
FLOW_API FlowRecordStatus flow_record_reader_next (FlowRecordReader *self);

#endif /* __GI_SCANNER__ */

G_END_DECLS
