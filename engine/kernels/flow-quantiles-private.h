/* flow-quantiles-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Quantiles of a stream of weighted numbers, within an error that is chosen: summaries of blocks, merged in pairs
 * and made shorter, level by level.
 */

#pragma once

#include "flow-error.h"

G_BEGIN_DECLS

/* A number of the stream, how much it weighs, and how much at least and at most is not above it. */
typedef struct {
  float value;
  float weight;
  float min_rank;
  float max_rank;
} FlowQuantile;

typedef struct {
  double epsilon;
  gint64 block_size;
  gint64 buffer_size;
  GArray *buffer;              /* of FlowQuantile, ranks not set */
  GPtrArray *levels;           /* of GArray of FlowQuantile; NULL: empty */
} FlowQuantiles;

gboolean _flow_quantiles_init  (FlowQuantiles        *self,
                                double                epsilon,
                                gint64                max_elements,
                                GError              **error);
void     _flow_quantiles_clear (FlowQuantiles        *self);
void     _flow_quantiles_copy  (FlowQuantiles        *self,
                                const FlowQuantiles  *from);
void     _flow_quantiles_push  (FlowQuantiles        *self,
                                float                 value,
                                float                 weight);
/* A summary made elsewhere. */
void     _flow_quantiles_push_summary (FlowQuantiles      *self,
                                const FlowQuantile   *entries,
                                gsize                 n);
/* All there is, as one summary; the stream is empty then. */
GArray  *_flow_quantiles_finish (FlowQuantiles       *self);
/* Of float: about @n values of the summary that divide it, or exactly @n + 1. */
GArray  *_flow_quantiles_boundaries (const GArray    *summary,
                                gint64                n);
GArray  *_flow_quantiles_even  (const GArray         *summary,
                                gint64                n);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FlowQuantiles, _flow_quantiles_clear)

G_END_DECLS
