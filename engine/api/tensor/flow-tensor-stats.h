/* flow-tensor-stats.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-tensor.h"

G_BEGIN_DECLS

/**
 * FlowTensorStats:
 * @dtype: of the tensor
 * @is_number: whether the dtype has numbers; if not, only @n_elements means anything
 * @n_elements: elements in all
 * @n_finite: elements that are neither NaN nor infinite
 * @n_nan: NaNs
 * @n_pos_inf: positive infinities
 * @n_neg_inf: negative infinities
 * @n_zero: zeros, -0 among them
 * @n_negative: elements below zero, -inf among them
 * @n_positive: elements above zero, inf among them
 * @n_denormal: elements that are not zero and below the dtype's smallest normal number
 * @min: the smallest finite value; NaN when there is none
 * @max: the largest finite value; NaN when there is none
 * @mean: the mean of the finite values; NaN when there is none
 * @std: their standard deviation (divided by n, as numpy's); NaN when there is none
 * @min_index: flat index of the first smallest finite value, -1 when there is none
 * @max_index: flat index of the first largest finite value, -1 when there is none
 * @nan_index: flat index of the first NaN, -1 when there is none
 * @inf_index: flat index of the first infinity, -1 when there is none
 * @n_bins: number of bins of the histogram, 0 without one
 * @bins: (array length=n_bins): how many finite values lie in each bin
 * @low: where the first bin begins
 * @high: where the last bin ends
 *
 * What one look at a tensor tells. Bool counts as 0 and 1, quantised dtypes as their stored
 * integers, complex numbers as their magnitudes.
 */
typedef struct _FlowTensorStats FlowTensorStats;

struct _FlowTensorStats
{
  FlowDType dtype;
  gboolean is_number;
  gint64 n_elements;
  gint64 n_finite;
  gint64 n_nan;
  gint64 n_pos_inf;
  gint64 n_neg_inf;
  gint64 n_zero;
  gint64 n_negative;
  gint64 n_positive;
  gint64 n_denormal;
  double min;
  double max;
  double mean;
  double std;
  gint64 min_index;
  gint64 max_index;
  gint64 nan_index;
  gint64 inf_index;
  guint n_bins;
  gint64 *bins;
  double low;
  double high;
  /*< private >*/
  gatomicrefcount ref_count;
};

/* More bins than pixels serve nobody. */
#define FLOW_TENSOR_STATS_MAX_BINS 4096

#define FLOW_TYPE_TENSOR_STATS (flow_tensor_stats_get_type ())

FLOW_API GType            flow_tensor_stats_get_type  (void);
FLOW_API FlowTensorStats *flow_tensor_stats_new       (const FlowTensor      *tensor,
                                                       guint                  n_bins);
FLOW_API FlowTensorStats *flow_tensor_stats_ref       (FlowTensorStats       *self);
FLOW_API void             flow_tensor_stats_unref     (FlowTensorStats       *self);
FLOW_API gint64           flow_tensor_stats_get_n_inf (const FlowTensorStats *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowTensorStats, flow_tensor_stats_unref)

G_END_DECLS
