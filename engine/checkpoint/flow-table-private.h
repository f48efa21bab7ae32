/* flow-table-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-budget.h"

G_BEGIN_DECLS

/* Ours: keys are tensor names (hostile-inputs, section 6). */
#define FLOW_TABLE_MAX_KEY 65536

/* Files that are read a piece at a time. */
typedef struct {
  char *path;
  int fd;
  guint64 size;
} FlowFile;

gboolean _flow_file_open  (FlowFile    *self,
                           const char  *path,
                           GError     **error);
void     _flow_file_close (FlowFile    *self);
gboolean _flow_file_read  (FlowFile    *self,
                           guint64      offset,
                           gpointer     into,
                           gsize        n,
                           GError     **error);

/**
 * FlowTable: (skip)
 *
 * An open table file (sorted string table): its index in memory, its blocks read and checked one at a
 * time. May be used from one thread at a time.
 */
typedef struct _FlowTable FlowTable;

/* Returns FALSE to go no further; key and value live as long as the call. */
typedef gboolean (*FlowTableFunc) (const guint8  *key,
                                   gsize          key_length,
                                   const guint8  *value,
                                   gsize          value_length,
                                   gpointer       data,
                                   GError       **error);

FlowTable *_flow_table_open    (const char     *path,
                                GError        **error);
void       _flow_table_free    (FlowTable      *self);
gboolean   _flow_table_foreach (FlowTable      *self,
                                FlowTableFunc   func,
                                gpointer        data,
                                GError        **error);
gboolean   _flow_table_lookup  (FlowTable      *self,
                                gconstpointer   key,
                                gsize           key_length,
                                FlowBudget     *budget,
                                GBytes        **value,
                                GError        **error);
int        _flow_key_compare   (gconstpointer   a,
                                gsize           a_length,
                                gconstpointer   b,
                                gsize           b_length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowTable, _flow_table_free)

G_END_DECLS
