/* flow-lookup-table-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-kernel.h"

G_BEGIN_DECLS

/* What a table holds; never changed once made, so that a saved state costs one reference. */
typedef struct {
  gatomicrefcount ref_count;
  FlowTensor *keys;            /* [n]; of a dense table its buckets: [n, elements of a key] */
  FlowTensor *values;          /* [n], and a row's own dims; of a dense table [n, elements of a value] */
  GHashTable *rows;            /* bytes of a key -> its row + 1; NULL in a dense table */
  gint64 n_entries;            /* of a dense table: buckets that are neither free nor marked as removed */
} FlowTableContents;

typedef struct {
  FlowResource parent;
  FlowDType key_dtype;
  FlowDType value_dtype;
  gboolean is_mutable;
  FlowShape *value_shape;      /* of one value: a scalar, or a vector */
  gint64 width;                /* its elements */
  FlowTensor *empty_key;       /* nullable; of a dense table: the key that marks free buckets */
  FlowTensor *deleted_key;     /* and the one that marks what was removed */
  gint64 n_buckets;            /* of a dense table when it is new */
  float max_load;
  FlowTableContents *contents; /* nullable: not initialised */
} FlowTable;

extern const FlowResourceClass _flow_table_class;

FlowTable         *_flow_table_new          (const char        *container,
                                             const char        *name,
                                             FlowDType          key_dtype,
                                             FlowDType          value_dtype,
                                             gboolean           is_mutable,
                                             const FlowShape   *value_shape);
gint64             _flow_table_get_size     (FlowTable         *self);
/* The row of key @i of @keys, -1 if it is not there, FLOW_TABLE_IS_FULL where a dense one has no free bucket to tell. */
#define FLOW_TABLE_IS_FULL -2
gint64             _flow_table_find         (FlowTable         *self,
                                             const FlowTensor  *keys,
                                             gint64             i);
/* What the table would hold with these rows added, or in place of all (@fresh). Two values for one key:
 * the last stays in a mutable table, the others refuse it. */
FlowTableContents *_flow_table_with_rows    (FlowTable         *self,
                                             const FlowTensor  *keys,
                                             const FlowTensor  *values,
                                             gboolean           fresh,
                                             FlowBudget        *budget,
                                             GError           **error);
/* What the table would hold without these keys. */
FlowTableContents *_flow_table_without_keys (FlowTable         *self,
                                             const FlowTensor  *keys,
                                             FlowBudget        *budget,
                                             GError           **error);
/* Whether cell @i of @a and cell @k of @b are one key. */
gboolean           _flow_table_same_key     (const FlowTensor  *a,
                                             gint64             i,
                                             const FlowTensor  *b,
                                             gint64             k);
void               _flow_table_contents_unref (FlowTableContents *contents);
/* Takes @contents; the caller has told the host. */
void               _flow_table_take         (FlowTable         *self,
                                             FlowTableContents *contents);

/* --- tables in buckets (those with an empty key) ----------------------------------------------------------------- */

/* Whether keys of @width elements are alike. */
gboolean           _flow_keys_are_same      (const FlowTensor  *a,
                                             gint64             i,
                                             const FlowTensor  *b,
                                             gint64             k,
                                             gint64             width);
/* Its two marks are no keys. */
gboolean           _flow_dense_check_keys   (FlowTable         *self,
                                             const FlowTensor  *keys,
                                             GError           **error);
gboolean           _flow_dense_check_buckets (gint64            n,
                                             GError           **error);
gint64             _flow_dense_find         (FlowTable         *self,
                                             const FlowTensor  *keys,
                                             gint64             i);
FlowTableContents *_flow_dense_with_rows    (FlowTable         *self,
                                             const FlowTensor  *keys,
                                             const FlowTensor  *values,
                                             FlowBudget        *budget,
                                             GError           **error);
/* Buckets as another table gave them out. */
FlowTableContents *_flow_dense_from_buckets (FlowTable         *self,
                                             FlowTensor        *keys,
                                             FlowTensor        *values,
                                             GError           **error);
/* There must be contents. */
FlowTableContents *_flow_dense_without_keys (FlowTable         *self,
                                             const FlowTensor  *keys,
                                             FlowBudget        *budget,
                                             GError           **error);
/* Keys and values as they lie in the buckets, free ones with them. */
gboolean           _flow_dense_put_buckets  (FlowTable         *self,
                                             FlowKernelContext *c,
                                             GError           **error);

/* --- ops ---------------------------------------------------------------------------------------------------------- */

typedef gboolean (*FlowTableFunc) (FlowKernelContext *c, FlowTable *table, GError **error);

/* Calls @func with the table of the handle that is the first input. */
gboolean           _flow_with_table         (FlowKernelContext *c,
                                             FlowTableFunc      func,
                                             GError           **error);
/* Adds rows to the table, or puts them in place of all (@fresh), with the host's knowledge. */
gboolean           _flow_table_fill         (FlowKernelContext *c,
                                             FlowTable         *table,
                                             const FlowTensor  *keys,
                                             const FlowTensor  *values,
                                             gboolean           fresh,
                                             GError           **error);

G_END_DECLS
