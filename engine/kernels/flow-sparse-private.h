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

/* A sparse tensor of three inputs whose sizes agree; the indices may be anything. */
typedef struct {
  gint64 n;
  int rank;
  const gint64 *indices;
  FlowTensor *values;
  const gint64 *dims;
  FlowTensor *shape;
} FlowSparse;

/* Numbers as they are, negative ones too: "[3,-2]". */
char    *_flow_sparse_spell       (int               rank,
                                   const gint64     *numbers);
/* What TensorFlow checks when it makes a SparseTensor, in its words; @shape is a vector. */
gboolean _flow_sparse_make        (FlowTensor       *indices,
                                   FlowTensor       *values,
                                   FlowTensor       *shape,
                                   FlowSparse       *out,
                                   GError          **error);
/* No dimension is negative. */
gboolean _flow_sparse_check_dims  (const FlowTensor *shape,
                                   GError          **error);
/* Every index lies within the shape, they rise, and none is there twice. */
gboolean _flow_sparse_check_order (const FlowSparse *sparse,
                                   GError          **error);
int      _flow_compare_indices  (const gint64      *a,
                                 const gint64      *b,
                                 int                rank);
/* Inputs 0 to 2 and 3 to 5 for a merge; @is_sum: SparseAdd has words of its own. */
gboolean _flow_sparse_read_pair   (FlowKernelContext *c,
                                   gboolean           is_sum,
                                   FlowSparse        *a,
                                   FlowSparse        *b,
                                   GError           **error);
/* Inputs 0 to 2 and the axes in input 3 of a reduction; what @reduced says must stay inside of a dense result. */
gboolean _flow_sparse_read_reduced (FlowKernelContext *c,
                                    FlowSparse        *out,
                                    gboolean          *reduced,
                                    GError           **error);
/* The dense result of a reduction: known where the shape and the axes are. */
gboolean _flow_sparse_infer_reduced (FlowInferContext *c,
                                     GError          **error);
/* All indices along the dimensions that @reduced (nullable) does not name lie within the shape. */
gboolean _flow_sparse_check_bounds (const FlowSparse  *sparse,
                                    const gboolean    *reduced,
                                    GError           **error);
/* One step of a merge: which of the two comes next, -1 a, 1 b, 0 both. */
int      _flow_sparse_next      (const FlowSparse  *a,
                                 gint64             i,
                                 const FlowSparse  *b,
                                 gint64             j);
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
