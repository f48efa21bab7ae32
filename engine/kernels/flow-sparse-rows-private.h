/* flow-sparse-rows-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sparse tensors one by one and put together: what serialises them and keeps them in maps.
 */

#pragma once

#include "flow-sparse-private.h"

G_BEGIN_DECLS

/* The three tensors of one sparse tensor. */
typedef struct {
  FlowTensor *indices;
  FlowTensor *values;
  FlowTensor *shape;
} FlowSparseRow;

void     _flow_sparse_row_clear  (FlowSparseRow       *row);
/* Inputs @first to @first + 2 as they are, after TensorFlow's checks of their ranks. */
gboolean _flow_sparse_row_read   (FlowKernelContext   *c,
                                  guint                first,
                                  FlowSparseRow       *row,
                                  GError             **error);
/* The rows of the first dimension, each a sparse tensor of one dimension less: an array of FlowSparseRow. */
GArray  *_flow_sparse_rows_split (FlowKernelContext   *c,
                                  guint                first,
                                  GError             **error);
/* Checks what came back as sparse tensor @i of @dtype; @what names it: "serialized_sparse[%d, %d]" has the place. Of
 * variants TensorFlow looks at the columns before it looks at the dtype. */
gboolean _flow_sparse_row_check  (const FlowSparseRow *row,
                                  gint64               i,
                                  int                  dtype,
                                  const char          *what,
                                  gboolean             are_variants,
                                  GError             **error);
/* Whether all have one rank; TensorFlow's words of it have @what, "rank" or "shape", and count @n_lead dimensions more. */
gboolean _flow_sparse_rows_check_ranks (const GArray  *rows,
                                  const char          *what,
                                  gint64               n_lead,
                                  GError             **error);
/* Rows of one rank as one sparse tensor with @n_lead more dimensions in front, in outputs 0 to 2. */
gboolean _flow_sparse_rows_join  (FlowKernelContext   *c,
                                  const GArray        *rows,
                                  int                  n_lead,
                                  const gint64        *lead,
                                  GError             **error);

G_END_DECLS
