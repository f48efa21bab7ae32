/* flow-linalg-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What linear algebra shares: matrices in the two innermost dimensions, one by one.
 */

#pragma once

#include "flow-kernel.h"
#include "flow-lapack-private.h"

#include <complex.h>

G_BEGIN_DECLS

typedef struct {
  const FlowLapack *lapack;
  FlowDType dtype;
  gsize element;               /* bytes */
  int m;
  int n;
  gint64 count;                /* matrices in the batch */
} FlowMatrices;

/* Shapes. A matrix, a square one (@words if it is none), an output that nobody wants, the batch dims of @matrix with up
 * to two more. */
/* What TensorFlow looks at first: that inputs 0 to @n are batches of matrices, of one rank and the same outer
 * dims. Nothing while shapes are only inferred. */
gboolean     _flow_linalg_check_batches (FlowInferContext  *c,
                                         guint              n,
                                         GError           **error);
gboolean       _flow_linalg_matrix_input  (FlowInferContext   *c,
                                           guint               i,
                                           FlowShape         **out,
                                           GError            **error);
gboolean       _flow_linalg_square_input  (FlowInferContext   *c,
                                           guint               i,
                                           const char         *words,
                                           FlowShape         **out,
                                           GError            **error);
gboolean       _flow_linalg_square_infer  (FlowInferContext   *c,
                                           GError            **error);
void           _flow_linalg_take_unwanted (FlowInferContext   *c,
                                           guint               i);
FlowShape     *_flow_linalg_batch_with    (const FlowShape    *matrix,
                                           int                 n_more,
                                           gint64              first,
                                           gint64              second);
gint64         _flow_linalg_rows_of       (const FlowShape    *matrix);
gint64         _flow_linalg_columns_of    (const FlowShape    *matrix);

/* Matrices. */
void           _flow_linalg_batch_of      (FlowTensor         *tensor,
                                           FlowMatrices       *batch);
/* Work space of @count elements; NULL if there is none. */
gpointer       _flow_linalg_scratch       (FlowKernelContext  *c,
                                           FlowDType           dtype,
                                           gint64              count,
                                           FlowTensor        **owner,
                                           GError            **error);
/* Row-major to column-major or back: @rows x @columns as the reader of @from sees it. */
void           _flow_linalg_transpose     (gconstpointer       from,
                                           gpointer            to,
                                           gint64              rows,
                                           gint64              columns,
                                           gsize               element);
void           _flow_linalg_conjugate     (gpointer            data,
                                           gint64              count,
                                           FlowDType           dtype);
double complex _flow_linalg_get_element   (gconstpointer       data,
                                           gint64              i,
                                           FlowDType           dtype);
void           _flow_linalg_set_element   (gpointer            data,
                                           gint64              i,
                                           FlowDType           dtype,
                                           double complex      value);
FlowDType      _flow_linalg_real_dtype    (FlowDType           dtype);
gboolean       _flow_linalg_check_info    (int                 info,
                                           GError            **error);

G_END_DECLS
