/* flow-reduce-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-kernel.h"

G_BEGIN_DECLS

/**
 * FlowReduceOps: (skip)
 * @acc_size: bytes of one accumulator
 * @init: sets @n accumulators to what folding nothing gives
 * @row: folds @n cells into one accumulator
 * @column: folds cell i into accumulator i
 * @rows: folds each of @n_rows rows of @n cells into an output cell; may be %NULL
 * @merge: folds accumulator i of @other into i of @acc
 * @finish: turns accumulators into output cells; @count cells went into each
 *
 * How cells of one dtype are folded together.
 */
typedef struct {
  gsize acc_size;
  void (*init)   (gpointer acc, gint64 n);
  void (*row)    (gconstpointer x, gint64 n, gpointer acc);
  void (*column) (gconstpointer x, gint64 n, gpointer acc);
  void (*merge)  (gpointer acc, gconstpointer other, gint64 n);
  void (*finish) (gconstpointer acc, gpointer out, gint64 n, gint64 count);
  void (*rows)   (gconstpointer x, gint64 n_rows, gint64 n, gpointer out);
} FlowReduceOps;

/* The shape of what input 0 leaves when the axes that input 1 names are folded, or kept as 1 by keep_dims. */
gboolean _flow_reduce_infer (FlowInferContext *c,
                             GError          **error);

/* Folds @in over the dims marked in @reduced into @out, which has the elements of the kept dims. half
 * and bfloat16 go through the float @ops. */
gboolean flow_reduce_run (FlowKernelContext   *c,
                          const FlowTensor    *in,
                          const gboolean      *reduced,
                          const FlowReduceOps *ops,
                          FlowTensor          *out,
                          GError             **error);

G_END_DECLS
