/* flow-nn-norm-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-nn-private.h"

G_BEGIN_DECLS

/* An image seen as outer x channels x inner; inner is 1 where the channels come last. */
typedef struct {
  gint64 outer;
  gint64 channels;
  gint64 inner;
} FlowChannels;

typedef enum {
  FLOW_CHANNEL_SUM,            /* of x */
  FLOW_CHANNEL_SQUARES,        /* of (x - mean)^2 */
  FLOW_CHANNEL_GRADIENT,       /* of dy, and of dy * (x - mean) */
} FlowChannelSum;

/* out = dy * .dy + (x - .mean) * .x + .add, each a number per channel; .dy NULL: no dy. */
typedef struct {
  const float *dy;
  const float *mean;
  const float *x;
  const float *add;
} FlowChannelScale;

FlowChannels flow_channels_of    (const FlowShape *shape, gboolean channels_first);
gboolean     flow_channels_sum   (FlowKernelContext *c, const FlowChannels *layout, FlowChannelSum kind,
                                  const float *x, const float *dy, const double *mean, double *sums,
                                  GError **error);
void         flow_channels_scale (const FlowChannels *layout, const float *x, const float *dy,
                                  const FlowChannelScale *scale, float *out);
/* The same where the channels come last and there is at least one row. */
gboolean     flow_norm_last_moments  (FlowKernelContext *c, const FlowChannels *layout, const float *x,
                                      float *mean, float *variance, GError **error);
void         flow_norm_last_apply    (FlowKernelContext *c, const FlowChannels *layout, const float *x,
                                      const float *mean, const float *variance, float epsilon,
                                      const float *scale, const float *offset, float *factors, float *y);
gboolean     flow_norm_last_gradient (FlowKernelContext *c, const FlowChannels *layout, gboolean training,
                                      float epsilon, const float *dy, const float *x, float *dx,
                                      float *scale_backprop, float *offset_backprop, GError **error);

G_END_DECLS
