/* flow-kernels-nn_gru.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * One step of a gated recurrent unit, with its gradient.
 */

#include "config.h"

#include "flow-nn-cell-private.h"

typedef struct {
  FlowRelease release;
  gint64 batch;
  gint64 n_in;
  gint64 n_cell;
  const float *x;
  const float *h_prev;
  const float *w_ru;
  const float *w_c;
  const float *b_ru;
  const float *b_c;
  float *xh;                   /* [batch][in + cell] */
  float *bar;                  /* [batch][2 cell], or as xh */
} Gru;

static void
gru_clear (Gru *self)
{
  g_clear_pointer (&self->xh, g_free);
  g_clear_pointer (&self->bar, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Gru, gru_clear)

static gboolean
gru_init (Gru                *self,
          FlowKernelContext  *c,
          GError            **error)
{
  static const char *const names[] = { "x", "h_prev", "w_ru", "w_c", "b_ru", "b_c" };
  static const int ranks[] = { 2, 2, 2, 2, 1, 1 };
  gint64 n_work;
  gint64 n;

  for (guint i = 0; i < 6; i++)
    if (!flow_cell_require_rank (flow_kernel_input (c, i), ranks[i], names[i], error))
      return FALSE;
  self->release = flow_kernel_release (c);
  self->batch = FLOW_DIMS (flow_kernel_input (c, 0))[0];
  self->n_in = FLOW_DIMS (flow_kernel_input (c, 0))[1];
  self->n_cell = FLOW_DIMS (flow_kernel_input (c, 1))[1];
  n = self->n_cell;
  if (!flow_cell_require_dim (flow_kernel_input (c, 1), 0, self->batch, "h_prev.dims(0) != batch_size", error) ||
      !flow_cell_require_dim (flow_kernel_input (c, 2), 0, self->n_in + n, "w_ru.dim_size(0) != input_size + cell_size",
                              error) ||
      !flow_cell_require_dim (flow_kernel_input (c, 2), 1, 2 * n, "w_ru.dim_size(1) != cell_size * 2", error) ||
      !flow_cell_require_dim (flow_kernel_input (c, 3), 0, self->n_in + n, "w_c.dim_size(0) != input_size + cell_size",
                              error) ||
      !flow_cell_require_dim (flow_kernel_input (c, 3), 1, n, "w_c.dim_size(1) != cell_size", error) ||
      !flow_cell_require_dim (flow_kernel_input (c, 4), 0, 2 * n, "b_ru.dim_size(0) != cell_size * 2", error) ||
      !flow_cell_require_dim (flow_kernel_input (c, 5), 0, n, "b_c.dim_size(0) != cell_size", error))
    return FALSE;
  self->x = flow_kernel_input (c, 0)->data;
  self->h_prev = flow_kernel_input (c, 1)->data;
  self->w_ru = flow_kernel_input (c, 2)->data;
  self->w_c = flow_kernel_input (c, 3)->data;
  self->b_ru = flow_kernel_input (c, 4)->data;
  self->b_c = flow_kernel_input (c, 5)->data;
  FLOW_REQUIRE (flow_mul_int64 (self->batch, self->n_in + 2 * n + 1, &n_work) && n_work < G_MAXINT32, error,
                RESOURCE_EXHAUSTED, "OOM when running a GRU");
  self->xh = g_try_new (float, (gsize) n_work + 1);
  self->bar = g_try_new (float, (gsize) n_work + 1);
  FLOW_REQUIRE (self->xh != NULL && self->bar != NULL, error, RESOURCE_EXHAUSTED, "OOM when running a GRU");
  return TRUE;
}

/* --- Forward ------------------------------------------------------------------------------------------- */

static gboolean
infer_forward (FlowInferContext  *c,
               GError           **error)
{
  g_autoptr (FlowShape) h = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 1), 2, &h, error))
    return FALSE;
  for (guint i = 0; i < 4; i++)
    flow_infer_set_output (c, i, h);
  return TRUE;
}

static gboolean
forward (Gru     *self,
         float   *r,
         float   *u,
         float   *candidate,
         float   *h,
         GError **error)
{
  const gint64 n = self->n_cell;
  const gint64 n_xh = self->n_in + n;

  flow_cell_concat (self->x, self->n_in, self->h_prev, n, self->batch, self->xh);
  if (!flow_cell_gemm (self->release, self->xh, FALSE, self->w_ru, FALSE, self->bar, self->batch, 2 * n, n_xh, FALSE, FALSE, error))
    return FALSE;
  for (gint64 row = 0; row < self->batch; row++)
    for (gint64 k = 0; k < n; k++)
      {
        const float *bar = self->bar + row * 2 * n;

        r[row * n + k] = flow_cell_sigmoid (bar[k] + self->b_ru[k]);
        u[row * n + k] = flow_cell_sigmoid (bar[n + k] + self->b_ru[n + k]);
        self->xh[row * n_xh + self->n_in + k] = self->h_prev[row * n + k] * r[row * n + k];
      }
  if (!flow_cell_gemm (self->release, self->xh, FALSE, self->w_c, FALSE, candidate, self->batch, n, n_xh, FALSE, FALSE, error))
    return FALSE;
  for (gint64 i = 0; i < self->batch * n; i++)
    {
      candidate[i] = tanhf (candidate[i] + self->b_c[i % n]);
      h[i] = u[i] * (self->h_prev[i] - candidate[i]) + candidate[i];
    }
  return TRUE;
}

static gboolean
forward_compute (FlowKernelContext  *c,
                 GError            **error)
{
  g_auto (Gru) self = { 0 };
  FlowTensor *out[4];

  if (!gru_init (&self, c, error))
    return FALSE;
  for (guint i = 0; i < 4; i++)
    if ((out[i] = flow_kernel_allocate (c, i, flow_kernel_input (c, 1)->shape, error)) == NULL)
      return FALSE;
  return out[0]->n_elements == 0 || forward (&self, out[0]->data, out[1]->data, out[2]->data, out[3]->data, error);
}

/* --- Backward -------------------------------------------------------------------------------------------- */

static gboolean
infer_backward (FlowInferContext  *c,
                GError           **error)
{
  g_autoptr (FlowShape) h = NULL;
  gint64 n;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 1), 2, &h, error))
    return FALSE;
  n = flow_shape_get_dim (h, 1);
  flow_infer_set_output (c, 0, flow_infer_input (c, 0));
  flow_infer_set_output (c, 1, h);
  flow_infer_set_output (c, 2, h);
  flow_infer_take_output (c, 3, flow_shape_new_matrix (flow_shape_get_dim (h, 0), n >= 0 ? 2 * n : FLOW_DIM_UNKNOWN));
  return TRUE;
}

/* From the gradient of h those of the two gates' and the candidate's sums, and of what came in. */
static gboolean
backward (Gru                *self,
          FlowKernelContext  *c,
          GError            **error)
{
  const gint64 n = self->n_cell;
  const gint64 n_xh = self->n_in + n;
  const float *r = flow_kernel_input (c, 6)->data;
  const float *u = flow_kernel_input (c, 7)->data;
  const float *candidate = flow_kernel_input (c, 8)->data;
  const float *d_h = flow_kernel_input (c, 9)->data;
  float *d_x = c->outputs[0].tensor->data;
  float *d_h_prev = c->outputs[1].tensor->data;
  float *d_c_bar = c->outputs[2].tensor->data;
  float *d_ru_bar = c->outputs[3].tensor->data;

  for (gint64 i = 0; i < self->batch * n; i++)
    {
      d_c_bar[i] = d_h[i] * (1 - u[i]) * (1 - candidate[i] * candidate[i]);
      d_ru_bar[i / n * 2 * n + n + i % n] = d_h[i] * (self->h_prev[i] - candidate[i]) * u[i] * (1 - u[i]);
    }
  if (!flow_cell_gemm (self->release, d_c_bar, FALSE, self->w_c, TRUE, self->xh, self->batch, n_xh, n, FALSE, FALSE, error))
    return FALSE;
  for (gint64 i = 0; i < self->batch * n; i++)
    d_ru_bar[i / n * 2 * n + i % n] = self->xh[i / n * n_xh + self->n_in + i % n] * self->h_prev[i] * r[i] * (1 - r[i]);
  if (!flow_cell_gemm (self->release, d_ru_bar, FALSE, self->w_ru, TRUE, self->bar, self->batch, n_xh, 2 * n, FALSE, FALSE, error))
    return FALSE;
  for (gint64 i = 0; i < self->batch * self->n_in; i++)
    {
      const gint64 at = i / self->n_in * n_xh + i % self->n_in;

      d_x[i] = self->xh[at] + self->bar[at];
    }
  for (gint64 i = 0; i < self->batch * n; i++)
    {
      const gint64 at = i / n * n_xh + self->n_in + i % n;

      d_h_prev[i] = self->bar[at] + self->xh[at] * r[i] + d_h[i] * u[i];
    }
  return TRUE;
}

static gboolean
backward_compute (FlowKernelContext  *c,
                  GError            **error)
{
  static const char *const names[] = { "r", "u", "c", "d_h" };
  g_auto (Gru) self = { 0 };
  const FlowShape *h;

  if (!gru_init (&self, c, error))
    return FALSE;
  h = flow_kernel_input (c, 1)->shape;
  for (guint i = 0; i < 4; i++)
    {
      const FlowTensor *t = flow_kernel_input (c, 6 + i);
      g_autofree char *batch = g_strdup_printf ("%s.dims(0) != batch_size", names[i]);
      g_autofree char *cell = g_strdup_printf ("%s.dims(1) != cell_size", names[i]);

      if (!flow_cell_require_dim (t, 0, self.batch, batch, error) ||
          !flow_cell_require_dim (t, 1, self.n_cell, cell, error) ||
          !flow_cell_require_rank (t, 2, names[i], error))
        return FALSE;
    }
  if (flow_kernel_allocate (c, 0, flow_kernel_input (c, 0)->shape, error) == NULL ||
      flow_kernel_allocate (c, 1, h, error) == NULL || flow_kernel_allocate (c, 2, h, error) == NULL ||
      flow_kernel_allocate_dims (c, 3, 2, (gint64[]) { self.batch, 2 * self.n_cell }, error) == NULL)
    return FALSE;
  if (self.n_cell == 0 && self.n_in > 0 && self.batch > 0)
    memset (c->outputs[0].tensor->data, 0, c->outputs[0].tensor->n_bytes);
  return self.batch == 0 || self.n_cell == 0 || backward (&self, c, error);
}

static const FlowKernelDef forward_kernels[] = { { "T: float", forward_compute }, { NULL } };
static const FlowKernelDef backward_kernels[] = { { "T: float", backward_compute }, { NULL } };

#define INPUTS "x: T; h_prev: T; w_ru: T; w_c: T; b_ru: T; b_c: T"

static const FlowOpDef ops[] = {
  { .name = "GRUBlockCell", .inputs = INPUTS, .outputs = "r: T; u: T; c: T; h: T", .attrs = "T: {float}",
    .summary = "One step of a gated recurrent unit", .family = FLOW_OP_FAMILY_LINEAR, .infer = infer_forward,
    .kernels = forward_kernels },
  { .name = "GRUBlockCellGrad", .inputs = INPUTS "; r: T; u: T; c: T; d_h: T",
    .outputs = "d_x: T; d_h_prev: T; d_c_bar: T; d_r_bar_u_bar: T", .attrs = "T: {float}",
    .summary = "Gradients of GRUBlockCell", .family = FLOW_OP_FAMILY_GRADIENT, .infer = infer_backward,
    .kernels = backward_kernels },
};

FLOW_DEFINE_OP_FAMILY (nn_gru, ops)
