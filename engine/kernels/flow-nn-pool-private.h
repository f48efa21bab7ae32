/* flow-nn-pool-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-nn-private.h"

G_BEGIN_DECLS

/* Pooling over up to three spatial dimensions of batch x depth x rows x columns x channels. Where the
 * channels come first, each image of each channel counts as an image of one channel. */
typedef struct {
  FlowDType dtype;
  gint64 batch;
  gint64 channels;
  FlowWindow window[3];
  gboolean batch_in_index;     /* argmax counts from the first image, else from its own */

  gconstpointer input;
  gconstpointer output;        /* what the pooling gave, for gradients that need it */
  gconstpointer gradient;
  const gint64 *argmax_in;
  gpointer result;
  gint64 *argmax;
} FlowPool;

static inline gint64
flow_pool_input_size (const FlowPool *self)
{
  return self->window[0].input * self->window[1].input * self->window[2].input * self->channels;
}

static inline gint64
flow_pool_output_size (const FlowPool *self)
{
  return self->window[0].output * self->window[1].output * self->window[2].output * self->channels;
}

void flow_pool_max            (FlowPool *self);
void flow_pool_max_argmax     (FlowPool *self);
void flow_pool_max_grad       (FlowPool *self);
void flow_pool_max_grad_ties  (FlowPool *self);
void flow_pool_max_grad_grad  (FlowPool *self);
void flow_pool_max_depth      (FlowPool *self, gint64 depth_window);
void flow_pool_scatter        (FlowPool *self);
void flow_pool_average        (FlowPool *self);
void flow_pool_average_grad   (FlowPool *self);

G_END_DECLS
