/* flow-candidates-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-random-private.h"

G_BEGIN_DECLS

/* What the candidate samplers share: classes are drawn one by one, and the more likely ones are expected
 * more often. @data is the sampler's own. */
typedef struct {
  gint64 range;
  gint64 (*draw)        (gconstpointer data, FlowPhiloxStream *stream);
  float  (*probability) (gconstpointer data, gint64 value);
  gconstpointer data;
} FlowSampler;

/* Numbers below n, each as likely as its weight: a table of aliases. */
typedef struct {
  gint32 n;
  float *own;                  /* the share of each number's bucket that is its own */
  gint32 *alias;               /* whose the rest is */
} FlowAliases;

gboolean _flow_aliases_init      (FlowAliases *self, const float *weights, gint32 n, GError **error);
gint64   _flow_aliases_draw      (const FlowAliases *self, FlowPhiloxStream *stream);
void     _flow_aliases_clear     (FlowAliases *self);

/* TF: SimplePhilox::Uniform and Uniform64: what would favour the small values is drawn again. */
gint64   _flow_draw_below        (FlowPhiloxStream *stream, guint32 n);
gint64   _flow_draw_below_64     (FlowPhiloxStream *stream, guint64 n);
gboolean _flow_candidates_infer  (FlowInferContext *c, GError **error);
/* Fills all three outputs. */
gboolean _flow_candidates_run    (FlowKernelContext *c, const FlowSampler *sampler, GError **error);

#define FLOW_SAMPLER_OUTPUTS                                                                  \
  "sampled_candidates: int64; true_expected_count: float; sampled_expected_count: float"
#define FLOW_SAMPLER_ATTRS "num_true: int >= 1; num_sampled: int >= 1; unique: bool; "
#define FLOW_SAMPLER_SEEDS "seed: int = 0; seed2: int = 0"
#define FLOW_SAMPLER_FLAGS (FLOW_OP_STATEFUL | FLOW_OP_RANDOM)

G_END_DECLS
