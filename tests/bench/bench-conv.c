/* bench-conv.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-dnnl.h"

#include <stdlib.h>

/* Convolutions of well-known networks by both paths: GFLOP/s of the matrix path and of oneDNN, their
 * ratio, and which of them the kernels take. Channels last. */

typedef struct {
  const char *name;
  gint64 batch;
  gint64 size;
  gint64 in_channels;
  gint64 filter;
  gint64 out_channels;
  gint64 stride;
} Layer;

static const Layer layers[] = {
  { "lenet 1", 64, 28, 1, 5, 32, 1 },
  { "lenet 2", 64, 14, 32, 5, 64, 1 },
  { "cifar 7x7/2", 64, 32, 3, 7, 32, 2 },
  { "resnet stem", 8, 224, 3, 7, 64, 2 },
  { "resnet 56 3x3", 8, 56, 64, 3, 64, 1 },
  { "resnet 56 1x1 up", 8, 56, 64, 1, 256, 1 },
  { "resnet 28 3x3", 8, 28, 128, 3, 128, 1 },
  { "resnet 28 1x1/2", 8, 56, 256, 1, 512, 2 },
  { "resnet 14 3x3", 8, 14, 256, 3, 256, 1 },
  { "resnet 7 3x3", 8, 7, 512, 3, 512, 1 },
  { "resnet8 16", 32, 32, 16, 3, 16, 1 },
  { "go 19x19", 32, 19, 2, 5, 16, 1 },
  { "small 8x8", 4, 8, 4, 3, 8, 1 },
};

static const char *const roles[] = { "forward", "input", "filter" };

typedef struct {
  FlowKernelContext *context;
  FlowConv conv;
  FlowTensor *input;
  FlowTensor *filter;
  FlowTensor *output;
} Case;

static FlowTensor *
new_tensor (FlowBudget *budget,
            gint64      n)
{
  g_autoptr (FlowShape) shape = flow_shape_new_vector (n);
  FlowTensor *tensor = flow_tensor_new (FLOW_DTYPE_FLOAT, shape, budget, NULL);

  for (gint64 i = 0; i < n; i++)
    FLOW_WRITABLE (float, tensor)[i] = (float) (i * 7919 % 1000) / 500 - 1;
  return tensor;
}

static gboolean
run_gemm (Case         *x,
          FlowDnnlRole  role)
{
  if (role == FLOW_DNNL_OUTPUT)
    return flow_conv_gemm_forward (x->context, &x->conv, x->input->data, x->filter->data, x->output->data, NULL);
  if (role == FLOW_DNNL_INPUT)
    return flow_conv_gemm_backward_input (x->context, &x->conv, x->filter->data, x->output->data, x->input->data, NULL);
  return flow_conv_gemm_backward_filter (x->context, &x->conv, x->input->data, x->output->data, x->filter->data, NULL);
}

static gboolean
run_dnnl (Case         *x,
          FlowDnnlRole  role)
{
  gboolean done = FALSE;

  return flow_dnnl_convolution (x->context, &x->conv, 2, FALSE, role, x->input->data, x->filter->data, x->output->data,
                                &done, NULL) && done;
}

/* The best of several runs, in seconds; negative where the path does not serve the layer. */
static double
measure (Case         *x,
         FlowDnnlRole  role,
         gboolean    (*run) (Case *, FlowDnnlRole))
{
  double best = G_MAXDOUBLE;
  gint64 until = g_get_monotonic_time () + 300000;

  if (!run (x, role))
    return -1;
  do
    {
      gint64 start = g_get_monotonic_time ();

      run (x, role);
      best = MIN (best, (double) (g_get_monotonic_time () - start) / 1e6);
    }
  while (g_get_monotonic_time () < until);
  return best;
}

static void
bench_layer (FlowKernelContext *context,
             const Layer       *layer)
{
  Case x = { .context = context };
  double flops;

  x.conv = (FlowConv) {
    .dtype = FLOW_DTYPE_FLOAT,
    .batch = layer->batch,
    .in_channels = layer->in_channels,
    .out_channels = layer->out_channels,
  };
  flow_window_init (&x.conv.window[0], 1, 1, 1, 1, FLOW_PADDING_VALID, NULL);
  for (int i = 1; i < 3; i++)
    flow_window_init (&x.conv.window[i], layer->size, layer->filter, 1, layer->stride, FLOW_PADDING_SAME, NULL);
  x.input = new_tensor (context->budget, layer->batch * flow_conv_input_positions (&x.conv) * layer->in_channels);
  x.filter = new_tensor (context->budget, flow_conv_patch_size (&x.conv) * layer->out_channels);
  x.output = new_tensor (context->budget, layer->batch * flow_conv_output_positions (&x.conv) * layer->out_channels);
  flops = 2.0 * (double) (layer->batch * flow_conv_output_positions (&x.conv) * layer->out_channels) *
          (double) flow_conv_patch_size (&x.conv);
  for (FlowDnnlRole role = FLOW_DNNL_OUTPUT; role <= FLOW_DNNL_FILTER; role++)
    {
      double gemm = measure (&x, role, run_gemm);
      double dnnl = measure (&x, role, run_dnnl);

      if (dnnl < 0)
        g_print ("%-18s %-8s gemm %8.2f GFLOP/s\n", layer->name, roles[role], flops / gemm / 1e9);
      else
        g_print ("%-18s %-8s gemm %8.2f GFLOP/s  oneDNN %8.2f GFLOP/s  ratio %6.2f  taken: %s\n", layer->name,
                 roles[role], flops / gemm / 1e9, flops / dnnl / 1e9, gemm / dnnl,
                 flow_dnnl_is_worth (&x.conv, role) ? "oneDNN" : "gemm");
    }
  flow_tensor_unref (x.input);
  flow_tensor_unref (x.filter);
  flow_tensor_unref (x.output);
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (FlowBudget) budget = flow_budget_new (G_GUINT64_CONSTANT (4) << 30);
  FlowKernelContext context = { .budget = budget };

  g_print ("%u threads\n", flow_parallel_get_n_threads ());
  for (guint i = 0; i < G_N_ELEMENTS (layers); i++)
    bench_layer (&context, &layers[i]);
  return 0;
}
