/* flow-nn-ctc-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-nn-private.h"

#include <math.h>

G_BEGIN_DECLS

/* The sum of two probabilities given as logarithms. TF: what the smaller adds is a float, of whatever dtype they are. */
static inline double
flow_ctc_log_add (double a,
                  double b)
{
  if (a == -INFINITY)
    return b;
  if (b == -INFINITY)
    return a;
  return a > b ? a + (double) log1pf (expf ((float) (b - a))) : b + (double) log1pf (expf ((float) (a - b)));
}

/* inputs (input 0: steps x batch x classes) against the lengths in input @input. */
gboolean flow_ctc_check_sequence (FlowKernelContext *c, guint input, gboolean is_loss, GError **error);
gboolean flow_ctc_check_classes  (const FlowTensor *inputs, GError **error);
gboolean flow_ctc_infer_decoder  (FlowInferContext *c, guint n_paths, GError **error);
gboolean flow_ctc_set_decoded    (FlowKernelContext *c, guint path, guint n_paths, GArray **sequences,
                                  gint64 n_batch, GError **error);

G_END_DECLS
