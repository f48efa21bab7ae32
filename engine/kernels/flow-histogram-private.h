/* flow-histogram-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-proto-writer.h"

G_BEGIN_DECLS

/* How often values are in each of TensorFlow's intervals: positive limits from 1e-12, each a tenth larger, below 1e20. */
#define FLOW_HISTOGRAM_LIMITS 800

typedef struct {
  int n;                       /* buckets */
  double limits[2 * FLOW_HISTOGRAM_LIMITS + 3];
  double counts[2 * FLOW_HISTOGRAM_LIMITS + 3];
  double min;
  double max;
  double num;
  double sum;
  double squares;
} FlowHistogram;

void _flow_histogram_init  (FlowHistogram       *self);
void _flow_histogram_add   (FlowHistogram       *self,
                            double               value);
/* As a HistogramProto, field @field. */
void _flow_histogram_write (const FlowHistogram *self,
                            FlowProtoWriter     *w,
                            guint32              field);

G_END_DECLS
