/* flow-nn-conv-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-nn-private.h"

G_BEGIN_DECLS

/* A convolution over up to three spatial dimensions (two: the first has size 1). Images lie as
 * batch, depth, rows, columns, channels; filters as depth, rows, columns, in, out. */
typedef struct {
  FlowDType dtype;             /* float or double */
  gboolean half;               /* of float, whose numbers and sums are rounded to halves */
  gint64 batch;
  gint64 in_channels;
  gint64 out_channels;
  FlowWindow window[3];
  FlowRelease release;         /* of float sums */
} FlowConv;

/* Output positions of one image, and elements of the patch of input under one of them. */
static inline gint64
flow_conv_output_positions (const FlowConv *self)
{
  return self->window[0].output * self->window[1].output * self->window[2].output;
}

static inline gint64
flow_conv_input_positions (const FlowConv *self)
{
  return self->window[0].input * self->window[1].input * self->window[2].input;
}

static inline gint64
flow_conv_patch_size (const FlowConv *self)
{
  return self->window[0].filter * self->window[1].filter * self->window[2].filter * self->in_channels;
}

gboolean flow_conv_gemm_forward         (FlowKernelContext *c, const FlowConv *conv, gconstpointer input,
                                         gconstpointer filter, gpointer output, GError **error);
gboolean flow_conv_gemm_backward_input  (FlowKernelContext *c, const FlowConv *conv, gconstpointer filter,
                                         gconstpointer out_backprop, gpointer in_backprop, GError **error);
gboolean flow_conv_gemm_backward_filter (FlowKernelContext *c, const FlowConv *conv, gconstpointer input,
                                         gconstpointer out_backprop, gpointer filter_backprop, GError **error);

/* batch x channels x inner to batch x inner x channels. */
gboolean flow_nn_channels_last          (FlowKernelContext *c, const FlowTensor *from, FlowTensor **to,
                                         GError **error);
/* And back, into @to whose shape has the channels first. */
void     flow_nn_channels_first         (const FlowTensor *from, FlowTensor *to);

G_END_DECLS
