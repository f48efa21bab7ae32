/* flow-dnnl.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-dnnl.h"

#ifdef HAVE_DNNL

#include <dnnl.h>
#include <string.h>

/* Convolutions by oneDNN. Whatever it refuses (or would do by its slow reference code) is left to the
 * matrix path: *done stays FALSE. Its primitives are cached by the library itself. */

#define FEW_CHANNELS 8
/* Multiplications below which finding the primitive costs more than the work (tens of microseconds). */
#define SMALL_PRODUCTS 5e5

enum { ARG_SRC, ARG_WEIGHTS, ARG_DST, N_ARGS };

typedef struct {
  FlowKernelContext *c;
  dnnl_engine_t engine;
  dnnl_stream_t stream;
  dnnl_primitive_attr_t attr;
  dnnl_primitive_desc_t hint;
  dnnl_primitive_desc_t desc;
  dnnl_primitive_t primitive;
  FlowTensor *temps[N_ARGS + 1];
  dnnl_memory_t user[N_ARGS];
  dnnl_memory_t own[N_ARGS];
  dnnl_memory_t scratchpad;
} Run;

/* The CPU has no state of ours; one engine serves the process. */
static dnnl_engine_t
cpu_engine (void)
{
  static gsize once = 0;
  static dnnl_engine_t engine = NULL;

  if (g_once_init_enter (&once))
    {
      if (dnnl_engine_create (&engine, dnnl_cpu, 0) != dnnl_success)
        engine = NULL;
      g_once_init_leave (&once, 1);
    }
  return engine;
}

static void
run_clear (Run *run)
{
  for (int i = 0; i < N_ARGS; i++)
    {
      if (run->own[i] != NULL && run->own[i] != run->user[i])
        dnnl_memory_destroy (run->own[i]);
      if (run->user[i] != NULL)
        dnnl_memory_destroy (run->user[i]);
    }
  if (run->scratchpad != NULL)
    dnnl_memory_destroy (run->scratchpad);
  if (run->primitive != NULL)
    dnnl_primitive_destroy (run->primitive);
  if (run->desc != NULL)
    dnnl_primitive_desc_destroy (run->desc);
  if (run->hint != NULL)
    dnnl_primitive_desc_destroy (run->hint);
  if (run->attr != NULL)
    dnnl_primitive_attr_destroy (run->attr);
  if (run->stream != NULL)
    dnnl_stream_destroy (run->stream);
  for (int i = 0; i <= N_ARGS; i++)
    g_clear_pointer (&run->temps[i], flow_tensor_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

static void
describe (const FlowConv     *conv,
          int                 n_spatial,
          gboolean            channels_first,
          dnnl_memory_desc_t  plain[N_ARGS],
          dnnl_memory_desc_t  any[N_ARGS])
{
  const FlowWindow *w = conv->window + 3 - n_spatial;
  dnnl_dims_t dims[N_ARGS];
  dnnl_format_tag_t tags[N_ARGS];

  dims[ARG_SRC][0] = dims[ARG_DST][0] = conv->batch;
  dims[ARG_SRC][1] = dims[ARG_WEIGHTS][1] = conv->in_channels;
  dims[ARG_DST][1] = dims[ARG_WEIGHTS][0] = conv->out_channels;
  for (int i = 0; i < n_spatial; i++)
    {
      dims[ARG_SRC][2 + i] = w[i].input;
      dims[ARG_WEIGHTS][2 + i] = w[i].filter;
      dims[ARG_DST][2 + i] = w[i].output;
    }
  if (n_spatial == 2)
    {
      tags[ARG_SRC] = tags[ARG_DST] = channels_first ? dnnl_nchw : dnnl_nhwc;
      tags[ARG_WEIGHTS] = dnnl_hwio;
    }
  else
    {
      tags[ARG_SRC] = tags[ARG_DST] = channels_first ? dnnl_ncdhw : dnnl_ndhwc;
      tags[ARG_WEIGHTS] = dnnl_dhwio;
    }
  for (int i = 0; i < N_ARGS; i++)
    {
      dnnl_memory_desc_init_by_tag (&plain[i], n_spatial + 2, dims[i], dnnl_f32, tags[i]);
      dnnl_memory_desc_init_by_tag (&any[i], n_spatial + 2, dims[i], dnnl_f32, dnnl_format_tag_any);
    }
}

static gboolean
make_desc (Run                      *run,
           const FlowConv           *conv,
           int                       n_spatial,
           FlowDnnlRole              role,
           const dnnl_memory_desc_t *md)
{
  const FlowWindow *w = conv->window + 3 - n_spatial;
  dnnl_dims_t strides;
  dnnl_dims_t dilates;
  dnnl_dims_t before;
  dnnl_dims_t after;
  dnnl_convolution_desc_t desc;
  const dnnl_memory_desc_t *src = &md[ARG_SRC];
  const dnnl_memory_desc_t *weights = &md[ARG_WEIGHTS];
  const dnnl_memory_desc_t *dst = &md[ARG_DST];

  for (int i = 0; i < n_spatial; i++)
    {
      strides[i] = w[i].stride;
      dilates[i] = w[i].dilation - 1;
      before[i] = w[i].pad_before;
      after[i] = w[i].pad_after;
    }
  if (dnnl_dilated_convolution_forward_desc_init (&desc, role == FLOW_DNNL_OUTPUT ? dnnl_forward_inference
                                                  : dnnl_forward_training,
                                                  dnnl_convolution_direct, src, weights, NULL, dst, strides, dilates,
                                                  before, after) != dnnl_success ||
      dnnl_primitive_desc_create (&run->hint, &desc, run->attr, run->engine, NULL) != dnnl_success)
    return FALSE;
  if (role == FLOW_DNNL_OUTPUT)
    {
      run->desc = g_steal_pointer (&run->hint);
      return TRUE;
    }
  if (role == FLOW_DNNL_INPUT)
    {
      if (dnnl_dilated_convolution_backward_data_desc_init (&desc, dnnl_convolution_direct, src, weights, dst, strides,
                                                            dilates, before, after) != dnnl_success)
        return FALSE;
    }
  else if (dnnl_dilated_convolution_backward_weights_desc_init (&desc, dnnl_convolution_direct, src, weights, NULL,
                                                                dst, strides, dilates, before, after) != dnnl_success)
    return FALSE;
  return dnnl_primitive_desc_create (&run->desc, &desc, run->attr, run->engine, run->hint) == dnnl_success;
}

static gboolean
is_reference (dnnl_primitive_desc_t desc)
{
  const char *name = NULL;

  if (dnnl_primitive_desc_query (desc, dnnl_query_impl_info_str, 0, &name) != dnnl_success || name == NULL)
    return TRUE;
  return strncmp (name, "jit", 3) != 0 && strncmp (name, "brgconv", 7) != 0 && strncmp (name, "brg", 3) != 0;
}

/* Memory that the library wants, counted in the budget like any temporary. */
static gboolean
allocate (Run                       *run,
          int                        slot,
          const dnnl_memory_desc_t  *md,
          dnnl_memory_t             *memory,
          GError                   **error)
{
  g_autoptr (FlowShape) shape = flow_shape_new_vector ((gint64) dnnl_memory_desc_get_size (md));

  if (run->temps[slot] == NULL)
    run->temps[slot] = flow_kernel_allocate_temp (run->c, FLOW_DTYPE_UINT8, shape, error);
  return run->temps[slot] != NULL &&
         dnnl_memory_create (memory, md, run->engine, run->temps[slot]->data) == dnnl_success;
}

static gboolean
reorder (Run           *run,
         dnnl_memory_t  from,
         dnnl_memory_t  to)
{
  const dnnl_memory_desc_t *from_md;
  const dnnl_memory_desc_t *to_md;
  dnnl_primitive_desc_t desc = NULL;
  dnnl_primitive_t primitive = NULL;
  dnnl_exec_arg_t args[] = { { DNNL_ARG_FROM, from }, { DNNL_ARG_TO, to } };
  gboolean ok;

  dnnl_memory_get_memory_desc (from, &from_md);
  dnnl_memory_get_memory_desc (to, &to_md);
  ok = dnnl_reorder_primitive_desc_create (&desc, from_md, run->engine, to_md, run->engine, NULL) == dnnl_success &&
       dnnl_primitive_create (&primitive, desc) == dnnl_success &&
       dnnl_primitive_execute (primitive, run->stream, G_N_ELEMENTS (args), args) == dnnl_success;
  if (primitive != NULL)
    dnnl_primitive_destroy (primitive);
  if (desc != NULL)
    dnnl_primitive_desc_destroy (desc);
  return ok;
}

/* The memories of the three parts in the library's own layouts; inputs are brought there. */
static gboolean
bind (Run                       *run,
      FlowDnnlRole               role,
      const dnnl_memory_desc_t  *plain,
      gpointer                  *data,
      GError                   **error)
{
  static const dnnl_query_t queries[3][N_ARGS] = {
    [FLOW_DNNL_OUTPUT] = { dnnl_query_src_md, dnnl_query_weights_md, dnnl_query_dst_md },
    [FLOW_DNNL_INPUT] = { dnnl_query_diff_src_md, dnnl_query_weights_md, dnnl_query_diff_dst_md },
    [FLOW_DNNL_FILTER] = { dnnl_query_src_md, dnnl_query_diff_weights_md, dnnl_query_diff_dst_md },
  };
  const int result = role == FLOW_DNNL_OUTPUT ? ARG_DST : role == FLOW_DNNL_INPUT ? ARG_SRC : ARG_WEIGHTS;

  for (int i = 0; i < N_ARGS; i++)
    {
      const dnnl_memory_desc_t *md = dnnl_primitive_desc_query_md (run->desc, queries[role][i], 0);

      if (md == NULL || dnnl_memory_create (&run->user[i], &plain[i], run->engine, data[i]) != dnnl_success)
        return FALSE;
      if (dnnl_memory_desc_equal (md, &plain[i]))
        run->own[i] = run->user[i];
      else if (!allocate (run, i, md, &run->own[i], error))
        return FALSE;
      if (i != result && run->own[i] != run->user[i] && !reorder (run, run->user[i], run->own[i]))
        return FALSE;
    }
  return allocate (run, N_ARGS, dnnl_primitive_desc_query_md (run->desc, dnnl_query_scratchpad_md, 0),
                   &run->scratchpad, error);
}

static gboolean
execute (Run          *run,
         FlowDnnlRole  role)
{
  static const int args_of[3][N_ARGS] = {
    [FLOW_DNNL_OUTPUT] = { DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST },
    [FLOW_DNNL_INPUT] = { DNNL_ARG_DIFF_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DIFF_DST },
    [FLOW_DNNL_FILTER] = { DNNL_ARG_SRC, DNNL_ARG_DIFF_WEIGHTS, DNNL_ARG_DIFF_DST },
  };
  const int result = role == FLOW_DNNL_OUTPUT ? ARG_DST : role == FLOW_DNNL_INPUT ? ARG_SRC : ARG_WEIGHTS;
  dnnl_exec_arg_t args[N_ARGS + 1];

  for (int i = 0; i < N_ARGS; i++)
    args[i] = (dnnl_exec_arg_t) { args_of[role][i], run->own[i] };
  args[N_ARGS] = (dnnl_exec_arg_t) { DNNL_ARG_SCRATCHPAD, run->scratchpad };
  if (dnnl_primitive_create (&run->primitive, run->desc) != dnnl_success ||
      dnnl_primitive_execute (run->primitive, run->stream, N_ARGS + 1, args) != dnnl_success)
    return FALSE;
  if (run->own[result] != run->user[result] && !reorder (run, run->own[result], run->user[result]))
    return FALSE;
  return dnnl_stream_wait (run->stream) == dnnl_success;
}

gboolean
flow_dnnl_convolution (FlowKernelContext  *c,
                       const FlowConv     *conv,
                       int                 n_spatial,
                       gboolean            channels_first,
                       FlowDnnlRole        role,
                       gpointer            input,
                       gpointer            filter,
                       gpointer            output,
                       gboolean           *done,
                       GError            **error)
{
  g_auto (Run) run = { .c = c, .engine = cpu_engine () };
  gpointer data[N_ARGS] = { input, filter, output };
  dnnl_memory_desc_t plain[N_ARGS];
  dnnl_memory_desc_t wanted[N_ARGS];
  g_autoptr (GError) local = NULL;

  *done = FALSE;
  if (run.engine == NULL || conv->batch * flow_conv_input_positions (conv) * conv->in_channels == 0 ||
      flow_conv_patch_size (conv) == 0 || flow_conv_output_positions (conv) * conv->out_channels == 0)
    return TRUE;

  flow_parallel_bind_libraries ();
  describe (conv, n_spatial, channels_first, plain, wanted);
  /* Channels last stays as it is; channels first goes through the library's blocked layouts. */
  if (!channels_first)
    {
      wanted[ARG_SRC] = plain[ARG_SRC];
      wanted[ARG_DST] = plain[ARG_DST];
    }
  if (dnnl_stream_create (&run.stream, run.engine, dnnl_stream_default_flags) != dnnl_success ||
      dnnl_primitive_attr_create (&run.attr) != dnnl_success ||
      dnnl_primitive_attr_set_scratchpad_mode (run.attr, dnnl_scratchpad_mode_user) != dnnl_success ||
      !make_desc (&run, conv, n_spatial, role, wanted) || is_reference (run.desc))
    return TRUE;
  if (!bind (&run, role, plain, data, &local))
    {
      if (local == NULL)
        return TRUE;
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  *done = execute (&run, role);
  return TRUE;
}

gboolean
flow_dnnl_is_worth (const FlowConv *conv,
                    FlowDnnlRole    role)
{
  /* The gradient for an image of few channels is slower by its blocked layouts than by patches. */
  if (role == FLOW_DNNL_INPUT && conv->in_channels < FEW_CHANNELS)
    return FALSE;
  return (double) (conv->batch * flow_conv_output_positions (conv)) * (double) conv->out_channels *
         (double) flow_conv_patch_size (conv) >= SMALL_PRODUCTS;
}

#else

gboolean
flow_dnnl_is_worth (const FlowConv *conv,
                    FlowDnnlRole    role)
{
  return FALSE;
}

gboolean
flow_dnnl_convolution (FlowKernelContext  *c,
                       const FlowConv     *conv,
                       int                 n_spatial,
                       gboolean            channels_first,
                       FlowDnnlRole        role,
                       gpointer            input,
                       gpointer            filter,
                       gpointer            output,
                       gboolean           *done,
                       GError            **error)
{
  *done = FALSE;
  return TRUE;
}

#endif
