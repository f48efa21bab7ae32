/* flow-tensor-compare.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-tensor.h"

G_BEGIN_DECLS

/**
 * FlowTolerance:
 * @abs: absolute difference that is let pass
 * @rel: the same, as a part of the second value's magnitude
 * @ulp: the same, in units in the last place (floating dtypes only)
 *
 * An element pair is within the tolerance if `|a - b| <= abs + rel * |b|` (numpy.allclose's rule) or
 * the two are at most @ulp representable numbers apart. All zeros asks for equal values; -0 equals
 * 0, NaN equals NaN.
 */
typedef struct {
  double abs;
  double rel;
  guint64 ulp;
} FlowTolerance;

/**
 * FlowTensorDiff:
 * @same_dtype: whether the dtypes are the same
 * @same_shape: whether the shapes are the same; if not, nothing else was compared
 * @equal_bits: whether dtype, shape and every element's bits are the same
 * @within: whether shape and every element are within the tolerance
 * @n_elements: pairs compared
 * @n_changed: pairs that are not the same bits (with different dtypes: not the same value)
 * @n_over: pairs outside the tolerance
 * @n_nan: pairs of which exactly one is NaN
 * @max_abs: the largest absolute difference of two numbers; infinite where exactly one is infinite
 *   or the signs of two infinities differ
 * @max_rel: the largest `|a - b| / |b|` (infinite where b alone is 0)
 * @max_ulp: the largest distance in representable numbers, of floating dtypes; 0 for others
 * @worst_index: flat index of the worst pair, -1 when no pair differs: the first of which one is
 *   NaN, else the first with @max_abs; for dtypes without numbers the first that differs
 *
 * What differs between two tensors. Complex numbers are compared by the magnitude of their
 * difference, and in ulp by the worse of their parts.
 */
typedef struct _FlowTensorDiff FlowTensorDiff;

struct _FlowTensorDiff
{
  gboolean same_dtype;
  gboolean same_shape;
  gboolean equal_bits;
  gboolean within;
  gint64 n_elements;
  gint64 n_changed;
  gint64 n_over;
  gint64 n_nan;
  double max_abs;
  double max_rel;
  guint64 max_ulp;
  gint64 worst_index;
};

#define FLOW_TYPE_TENSOR_DIFF (flow_tensor_diff_get_type ())

FLOW_API GType           flow_tensor_diff_get_type (void);
FLOW_API FlowTensorDiff *flow_tensor_compare       (const FlowTensor     *a,
                                                    const FlowTensor     *b,
                                                    const FlowTolerance  *tolerance);
FLOW_API FlowTensorDiff *flow_tensor_diff_copy     (const FlowTensorDiff *self);
FLOW_API void            flow_tensor_diff_free     (FlowTensorDiff       *self);
FLOW_API guint64         flow_float_ulp_distance   (float                 a,
                                                    float                 b);
FLOW_API guint64         flow_double_ulp_distance  (double                a,
                                                    double                b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowTensorDiff, flow_tensor_diff_free)

G_END_DECLS
