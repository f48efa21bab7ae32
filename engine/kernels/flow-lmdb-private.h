/* flow-lmdb-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Keys and values of an LMDB file, in its order. The file is a tree of pages that refer to one another by number;
 * here each page is read and checked before it is believed, since the file may come from anywhere.
 */

#pragma once

#include "flow-kernel.h"

G_BEGIN_DECLS

typedef struct _FlowLmdb FlowLmdb;

/* @path is the file or the folder that it is in, @name what errors call it. */
FlowLmdb *_flow_lmdb_open (const char  *path,
                           const char  *name,
                           GError     **error);
void      _flow_lmdb_free (FlowLmdb    *self);
/* Entry @nth and no error, or NULL as @key at the end. Quick where the one before was asked for last. */
gboolean  _flow_lmdb_read (FlowLmdb    *self,
                           gint64       nth,
                           FlowBudget  *budget,
                           GBytes     **key,
                           GBytes     **value,
                           GError     **error);

G_END_DECLS
