/* flow-sparse-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the ops on sparse tensors share. A sparse tensor is three dense ones: indices (n x rank), values (n) and
 * the dense shape (rank). Nothing in them is trusted.
 */

#pragma once

#include "flow-kernel.h"

G_BEGIN_DECLS

/* A sparse tensor of three inputs, checked: every index lies within the shape. */
typedef struct {
  gint64 n;
  int rank;
  const gint64 *indices;
  FlowTensor *values;
  const gint64 *dims;
  FlowTensor *shape;
} FlowSparse;

gboolean _flow_read_sparse      (FlowKernelContext *c,
                                 guint              first,
                                 FlowSparse        *out,
                                 GError           **error);
int      _flow_compare_indices  (const gint64      *a,
                                 const gint64      *b,
                                 int                rank);
/* One step of a merge: which of the two comes next, -1 a, 1 b, 0 both. */
int      _flow_sparse_next      (const FlowSparse  *a,
                                 gint64             i,
                                 const FlowSparse  *b,
                                 gint64             j);
/* Which dimensions go in a reduction along @axes. */
gboolean _flow_sparse_axes      (const FlowTensor  *axes,
                                 int                rank,
                                 gboolean          *reduced,
                                 GError           **error);
/* Numbers of any dtype: integers exactly (modulo 2^64), the rest in double. */
void     _flow_put_double       (FlowTensor        *tensor,
                                 gint64             i,
                                 double             value);
void     _flow_put_int          (FlowTensor        *tensor,
                                 gint64             i,
                                 gint64             value);
void     _flow_add_cell         (FlowTensor        *out,
                                 gint64             i,
                                 FlowTensor        *from,
                                 gint64             j);
/* One cell of any dtype into one that holds nothing yet; strings, handles and variants are referenced. */
void     _flow_copy_cell        (FlowTensor        *to,
                                 gint64             i,
                                 const FlowTensor  *from,
                                 gint64             k);

G_END_DECLS
