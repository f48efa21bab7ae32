/* flow-record-reader.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-record-reader.h"

#include "flow-crc32c.h"

#include <string.h>

/* A record: length (8 bytes), checksum of the length (4), data, checksum of the data (4). */
#define HEADER_BYTES 12
#define FOOTER_BYTES 4

static gboolean
is_checksum_of (const guint8 *stored,
                const guint8 *data,
                gsize         size)
{
  guint32 crc;

  memcpy (&crc, stored, sizeof crc);
  return GUINT32_FROM_LE (crc) == flow_crc32c_mask (flow_crc32c (data, size));
}

/**
 * flow_record_reader_init: (skip)
 * @self: a reader
 * @data: the file; must stay while the reader is used
 * @n_bytes: its size
 *
 * Stands before the first record.
 */
void
flow_record_reader_init (FlowRecordReader *self,
                         gconstpointer     data,
                         gsize             n_bytes)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (data != NULL || n_bytes == 0);

  memset (self, 0, sizeof *self);
  self->data = data;
  self->n_bytes = n_bytes;
}

/**
 * flow_record_reader_next: (skip)
 * @self: a reader
 *
 * Reads the next record. `offset` says where it begins whatever comes of it. After %FLOW_RECORD_BAD_DATA
 * the next call reads the record behind; after the other failures it fails the same way again.
 *
 * Returns: what came of it
 */
FlowRecordStatus
flow_record_reader_next (FlowRecordReader *self)
{
  const guint8 *header = self->data + self->pos;
  gsize left = self->n_bytes - self->pos;
  guint64 length;

  self->offset = self->pos;
  self->record = NULL;
  self->size = 0;
  if (left == 0)
    return FLOW_RECORD_END;
  if (left < HEADER_BYTES)
    return FLOW_RECORD_TRUNCATED;
  if (!is_checksum_of (header + 8, header, 8))
    return FLOW_RECORD_BAD_LENGTH;
  memcpy (&length, header, sizeof length);
  length = GUINT64_FROM_LE (length);
  if (left < HEADER_BYTES + FOOTER_BYTES || length > left - HEADER_BYTES - FOOTER_BYTES)
    return FLOW_RECORD_TRUNCATED;
  self->record = header + HEADER_BYTES;
  self->size = (gsize) length;
  self->pos += HEADER_BYTES + FOOTER_BYTES + self->size;
  return is_checksum_of (self->record + self->size, self->record, self->size) ? FLOW_RECORD_READ
                                                                              : FLOW_RECORD_BAD_DATA;
}
