/* flow-kernels-nn_lstm.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Long short-term memory, a step or a whole sequence in one op, with gradients.
 */

#include "config.h"

#include "flow-nn-cell-private.h"

/* Values that a step gives, in the order of the outputs. */
enum {
  STEP_I,
  STEP_CS,
  STEP_F,
  STEP_O,
  STEP_CI,
  STEP_CO,
  STEP_H,
  N_STEP
};

/* Inputs, counted from x: those of the sequence ops have the length before them. */
enum {
  IN_X,
  IN_CS_PREV,
  IN_H_PREV,
  IN_W,
  IN_WCI,
  IN_WCF,
  IN_WCO,
  IN_B,
  N_IN
};

/* One op's numbers, widened to float. */
typedef struct {
  gint64 batch;
  gint64 n_in;
  gint64 n_cell;
  gint64 n_steps;              /* 1 for a single cell */
  gint64 n_run;                /* steps to run */
  float forget_bias;
  float clip;
  gboolean peephole;
  gboolean sequence;
  FlowRelease release;
  gboolean half;               /* rounded to it after each operation */
  int gates[4];                /* where i, ci, f, o stand among the four gates */
  FlowTensor *in[N_IN];
  float *step[N_STEP];         /* [steps][batch][cell] */
  float *xh;                   /* [batch][in + cell] */
  float *bar;                  /* [batch][4 cell] */
} Lstm;

static gboolean
is_sequence (const FlowOpSignature *signature)
{
  return g_str_has_prefix (signature->name, "BlockLSTM");
}

static const float *
input (const Lstm *self,
       int         i)
{
  return self->in[i]->data;
}

static void
lstm_clear (Lstm *self)
{
  for (int i = 0; i < N_IN; i++)
    g_clear_pointer (&self->in[i], flow_tensor_unref);
  g_clear_pointer (&self->xh, g_free);
  g_clear_pointer (&self->bar, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Lstm, lstm_clear)

/* --- Checks -------------------------------------------------------------------------------------------- */

static const char *const names[] = { "x", "cs_prev", "h_prev", "w", "wci", "wcf", "wco", "b" };
static const int ranks[] = { 2, 2, 2, 2, 1, 1, 1, 1 };

static gboolean
check_ranks (const Lstm         *self,
             FlowTensor *const  *in,
             int                 first,
             int                 last,
             GError            **error)
{
  for (int i = first; i <= last; i++)
    if (!flow_cell_require_rank (in[i], ranks[i] + (i == IN_X && self->sequence), names[i], error))
      return FALSE;
  return TRUE;
}

/* What is left where TF has looked at less than it reads. */
static gboolean
check_all (const Lstm         *self,
           FlowTensor *const  *in,
           GError            **error)
{
  const gint64 n = self->n_cell;

  if (!check_ranks (self, in, IN_CS_PREV, IN_B, error) ||
      !flow_cell_require_dim (in[IN_CS_PREV], 0, self->batch, "cs_prev.dims(0) != batch_size", error) ||
      !flow_cell_require_dim (in[IN_CS_PREV], 1, n, "cs_prev.dims(1) != cell_size", error) ||
      !flow_cell_require_dim (in[IN_H_PREV], 0, self->batch, "h_prev.dims(0) != batch_size", error) ||
      !flow_cell_require_dim (in[IN_H_PREV], 1, n, "h_prev.dims(1) != cell_size", error) ||
      !flow_cell_require_dim (in[IN_W], 1, n * 4, "w.dim_size(1) != cell_size * 4", error) ||
      !flow_cell_require_dim (in[IN_B], 0, n * 4, "b.dim_size(0) != cell_size * 4", error))
    return FALSE;
  for (int i = IN_WCI; i <= IN_WCO && self->peephole; i++)
    if (!flow_cell_require_dim (in[i], 0, n, "peephole.dim_size(0) != cell_size", error))
      return FALSE;
  return TRUE;
}

/* One step: no ranks are looked at but those that the shape function has. */
static gboolean
check_cell (Lstm               *self,
            FlowTensor *const  *in,
            GError            **error)
{
  gint64 n;

  if (!check_ranks (self, in, IN_X, IN_CS_PREV, error))
    return FALSE;
  n = self->n_cell = FLOW_DIMS (in[IN_CS_PREV])[1];
  return flow_cell_require_dim (in[IN_CS_PREV], 0, self->batch, "cs_prev.dims(0) != batch_size", error) &&
         flow_cell_require_dim (in[IN_H_PREV], 0, self->batch, "h_prev.dims(0) != batch_size", error) &&
         flow_cell_require_dim (in[IN_H_PREV], 1, n, "h_prev.dims(1) != cell_size", error) &&
         flow_cell_require_dim (in[IN_W], 0, self->n_in + n, "w.dim_size(0) != input_size + cell_size", error) &&
         flow_cell_require_dim (in[IN_W], 1, n * 4, "w.dim_size(1) != cell_size * 4", error) &&
         flow_cell_require_dim (in[IN_B], 0, n * 4, "b.dim_size(0) != cell_size * 4", error);
}

/* A sequence: each input by itself, the peephole's also where there is none. */
static gboolean
check_sequence (Lstm               *self,
                FlowTensor *const  *in,
                GError            **error)
{
  static const char *const words[] = { "wci.dim_size(0) != cell_size", "wcf.dim_size(0) != cell_size",
                                       "wco.dim_size(0) != cell_size" };
  gint64 n;

  if (!check_ranks (self, in, IN_CS_PREV, IN_CS_PREV, error) ||
      !flow_cell_require_dim (in[IN_CS_PREV], 0, self->batch, "cs_prev.dims(0) != batch_size", error))
    return FALSE;
  n = self->n_cell = FLOW_DIMS (in[IN_CS_PREV])[1];
  if (!check_ranks (self, in, IN_H_PREV, IN_H_PREV, error) ||
      !flow_cell_require_dim (in[IN_H_PREV], 0, self->batch, "h_prev.dims(0) != batch_size", error) ||
      !flow_cell_require_dim (in[IN_H_PREV], 1, n, "h_prev.dims(1) != cell_size", error) ||
      !check_ranks (self, in, IN_W, IN_W, error) ||
      !flow_cell_require_dim (in[IN_W], 0, self->n_in + n, "w.dim_size(0) != input_size + cell_size", error) ||
      !flow_cell_require_dim (in[IN_W], 1, n * 4, "w.dim_size(1) != cell_size * 4", error))
    return FALSE;
  for (int i = IN_WCI; i <= IN_WCO; i++)
    if (!check_ranks (self, in, i, i, error) || !flow_cell_require_dim (in[i], 0, n, words[i - IN_WCI], error))
      return FALSE;
  return check_ranks (self, in, IN_B, IN_B, error) &&
         flow_cell_require_dim (in[IN_B], 0, n * 4, "b.dim_size(0) != cell_size * 4", error);
}

/* The gradient of a sequence looks at the weights alone, and without steps reads nothing else. */
static gboolean
check_sequence_grad (Lstm               *self,
                     FlowTensor *const  *in,
                     GError            **error)
{
  gint64 rows;
  gint64 n;

  if (!check_ranks (self, in, IN_W, IN_W, error) || !check_ranks (self, in, IN_B, IN_B, error))
    return FALSE;
  rows = FLOW_DIMS (in[IN_W])[0];
  n = self->n_cell = FLOW_DIMS (in[IN_W])[1] / 4;
  FLOW_REQUIRE (self->n_in + n == rows, error, INVALID_ARGUMENT, "w matrix rows don't match: %" G_GINT64_FORMAT " vs. %"
                G_GINT64_FORMAT, self->n_in + n, rows);
  FLOW_REQUIRE (FLOW_DIMS (in[IN_B])[0] / 4 == n, error, INVALID_ARGUMENT, "w and b cell_size don't match: %"
                G_GINT64_FORMAT " vs. %" G_GINT64_FORMAT, n, FLOW_DIMS (in[IN_B])[0]);
  return TRUE;
}

/* The steps' values and gradients of a cell. TF: says i of f. */
static gboolean
check_cell_grad (const Lstm         *self,
                 FlowKernelContext  *c,
                 GError            **error)
{
  static const char *const words[][2] = {
    { "i.dim_size(0) != batch_size", "i.dim_size(1) != cell_size" },
    { "cs.dim_size(0) != batch_size", "cs.dim_size(1) != cell_size" },
    { "f.dim_size(0) != batch_size", "i.dim_size(1) != cell_size" },
    { "o.dim_size(0) != batch_size", "o.dim_size(1) != cell_size" },
    { "ci.dim_size(0) != batch_size", "ci.dim_size(1) != cell_size" },
    { "co.dim_size(0) != batch_size", "co.dim_size(1) != cell_size" },
    { "cs_grad_tensor.dims(0) != batch_size", "cs_grad_tensor.dims(1) != cell_size" },
    { "h_grad_tensor.dims(0) != batch_size", "h_grad_tensor.dims(1) != cell_size" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      const FlowTensor *t = flow_kernel_input (c, N_IN + i);

      if (!flow_cell_require_dim (t, 0, self->batch, words[i][0], error) ||
          !flow_cell_require_dim (t, 1, self->n_cell, words[i][1], error))
        return FALSE;
    }
  return TRUE;
}

/* The steps to run. */
static gboolean
read_length (Lstm               *self,
             const FlowTensor   *length,
             GError            **error)
{
  FLOW_REQUIRE (length->n_elements == 1, error, INVALID_ARGUMENT, "seq_len_max must be a scalar");
  self->n_run = CLAMP (*FLOW_DATA (gint64, length), 0, self->n_steps);
  return TRUE;
}

/* Reads what all four ops have in common. */
static gboolean
lstm_init (Lstm               *self,
           FlowKernelContext  *c,
           GError            **error)
{
  const gboolean v2 = g_str_has_suffix (c->signature->name, "V2");
  const gboolean grad = strstr (c->signature->name, "Grad") != NULL;
  FlowTensor *in[N_IN];
  gint64 n_work;

  self->sequence = is_sequence (c->signature);
  for (guint i = 0; i < N_IN; i++)
    in[i] = flow_kernel_input (c, i + self->sequence);
  if (!check_ranks (self, in, IN_X, IN_X, error))
    return FALSE;
  self->n_steps = self->sequence ? FLOW_DIMS (in[IN_X])[0] : 1;
  self->release = flow_kernel_release (c);
  self->batch = FLOW_DIMS (in[IN_X])[self->sequence];
  self->n_in = FLOW_DIMS (in[IN_X])[self->sequence + 1];
  self->peephole = flow_kernel_attr_bool (c, "use_peephole");
  self->half = in[IN_X]->dtype == FLOW_DTYPE_HALF;
  memcpy (self->gates, v2 ? (int[]) { 0, 2, 1, 3 } : (int[]) { 0, 1, 2, 3 }, sizeof self->gates);
  if (!(!self->sequence ? check_cell (self, in, error) : grad ? check_sequence_grad (self, in, error)
        : check_sequence (self, in, error)))
    return FALSE;
  self->n_run = self->n_steps;
  if (self->sequence && !read_length (self, flow_kernel_input (c, 0), error))
    return FALSE;
  if (self->sequence && grad && self->n_run == 0)
    return TRUE;
  if ((grad && !self->sequence && !check_cell_grad (self, c, error)) || !check_all (self, in, error))
    return FALSE;
  for (guint i = 0; i < N_IN; i++)
    if ((self->in[i] = flow_nn_widen (c, in[i], error)) == NULL)
      return FALSE;
  FLOW_REQUIRE (flow_mul_int64 (self->batch, self->n_in + 4 * self->n_cell + 1, &n_work) && n_work < G_MAXINT32, error,
                RESOURCE_EXHAUSTED, "OOM when running an LSTM");
  self->xh = g_try_new (float, (gsize) n_work + 1);
  self->bar = g_try_new (float, (gsize) n_work + 1);
  FLOW_REQUIRE (self->xh != NULL && self->bar != NULL, error, RESOURCE_EXHAUSTED, "OOM when running an LSTM");
  return TRUE;
}

/* What came before step @t: the op's input, or the step before. */
static const float *
before (const Lstm *self,
        int         value,
        gint64      t)
{
  if (t == 0)
    return input (self, value == STEP_CS ? IN_CS_PREV : IN_H_PREV);
  return self->step[value] + (t - 1) * self->batch * self->n_cell;
}

/* --- Forward ---------------------------------------------------------------------------------------------- */

/* TF: half precision is rounded after each operation. */
#define R(x) (half ? flow_round_half (x) : (x))

static inline float
sigmoid (float          x,
         const gboolean half)
{
  return half ? R (1 / R (1 + R (expf (-x)))) : flow_cell_sigmoid (x);
}

/* @half is known where this is compiled. */
static inline void
run_gates_in (Lstm           *self,
              gint64          t,
              const gboolean  half)
{
  const gint64 n = self->n_cell;
  const float *b = input (self, IN_B);
  const float *wci = input (self, IN_WCI);
  const float *wcf = input (self, IN_WCF);
  const float *wco = input (self, IN_WCO);
  const float *cs_prev = before (self, STEP_CS, t);
  const gint64 at = t * self->batch * n;

  for (gint64 row = 0; row < self->batch; row++)
    for (gint64 k = 0; k < n; k++)
      {
        const float *bar = self->bar + row * 4 * n;
        const float old = cs_prev[row * n + k];
        const gint64 cell = at + row * n + k;
        float gate[4];
        float cs;

        for (int g = 0; g < 4; g++)
          gate[g] = R (bar[self->gates[g] * n + k] + b[self->gates[g] * n + k]);
        gate[2] = R (gate[2] + R (self->forget_bias));
        if (self->peephole)
          {
            gate[0] = R (gate[0] + R (old * wci[k]));
            gate[2] = R (gate[2] + R (old * wcf[k]));
          }
        self->step[STEP_I][cell] = sigmoid (gate[0], half);
        self->step[STEP_CI][cell] = R (tanhf (gate[1]));
        self->step[STEP_F][cell] = sigmoid (gate[2], half);
        cs = R (R (self->step[STEP_CI][cell] * self->step[STEP_I][cell]) + R (self->step[STEP_F][cell] * old));
        /* What is not a number stays so. */
        if (self->clip > 0)
          cs = cs < -self->clip ? -self->clip : cs > self->clip ? self->clip : cs;
        self->step[STEP_CS][cell] = cs;
        self->step[STEP_CO][cell] = R (tanhf (cs));
        self->step[STEP_O][cell] = sigmoid (self->peephole ? R (gate[3] + R (cs * wco[k])) : gate[3], half);
        self->step[STEP_H][cell] = R (self->step[STEP_O][cell] * self->step[STEP_CO][cell]);
      }
}

static void
run_gates (Lstm   *self,
           gint64  t)
{
  if (self->half)
    run_gates_in (self, t, TRUE);
  else
    run_gates_in (self, t, FALSE);
}

static gboolean
run_steps (Lstm               *self,
           FlowKernelContext  *c,
           GError            **error)
{
  const gint64 n_xh = self->n_in + self->n_cell;

  for (gint64 t = 0; t < self->n_run; t++)
    {
      if (g_cancellable_set_error_if_cancelled (c->cancellable, error))
        return FALSE;
      flow_cell_concat (input (self, IN_X) + t * self->batch * self->n_in, self->n_in, before (self, STEP_H, t),
                        self->n_cell, self->batch, self->xh);
      if (!flow_cell_gemm (self->release, self->xh, FALSE, input (self, IN_W), FALSE, self->bar, self->batch, 4 * self->n_cell, n_xh,
                           FALSE, self->half, error))
        return FALSE;
      run_gates (self, t);
    }
  return TRUE;
}

static gboolean
forward_compute (FlowKernelContext  *c,
                 GError            **error)
{
  g_auto (Lstm) self = { 0 };
  FlowTensor *work[N_STEP] = { NULL };
  FlowTensor *out[N_STEP];
  gboolean ok = TRUE;
  gint64 dims[3];

  if (!lstm_init (&self, c, error))
    return FALSE;
  self.clip = flow_kernel_attr_float (c, "cell_clip");
  if (flow_op_signature_find_attr (c->signature, "forget_bias") != NULL)
    self.forget_bias = flow_kernel_attr_float (c, "forget_bias");
  memcpy (dims, (gint64[]) { self.n_steps, self.batch, self.n_cell }, sizeof dims);
  for (guint i = 0; i < N_STEP && ok; i++)
    {
      const gboolean sequence = is_sequence (c->signature);

      out[i] = flow_kernel_allocate_dims (c, i, sequence ? 3 : 2, sequence ? dims : dims + 1, error);
      work[i] = out[i] == NULL ? NULL : out[i]->dtype == FLOW_DTYPE_FLOAT ? flow_tensor_ref (out[i])
                : flow_kernel_allocate_temp (c, FLOW_DTYPE_FLOAT, out[i]->shape, error);
      ok = work[i] != NULL;
      if (!ok)
        break;
      self.step[i] = work[i]->data;
      /* The steps that are not run. */
      if (work[i]->n_bytes > 0)
        memset (work[i]->data, 0, work[i]->n_bytes);
    }
  ok = ok && (out[0]->n_elements == 0 || run_steps (&self, c, error));
  for (guint i = 0; i < N_STEP; i++)
    {
      if (ok && work[i] != out[i])
        flow_nn_narrow (work[i]->data, out[i]);
      g_clear_pointer (&work[i], flow_tensor_unref);
    }
  return ok;
}

/* --- Backward ------------------------------------------------------------------------------------------------ */

/* Gradients, in float: [batch][cell] where nothing else is said. */
typedef struct {
  const float *cs_grad;        /* of this step */
  const float *h_grad;
  float *cs_prev_grad;
  float *gates;                /* [batch][4 cell] */
  float *wci_grad;             /* [cell], summed; NULL without peephole */
  float *wcf_grad;
  float *wco_grad;
} StepGrad;

static inline void
run_gates_back_in (const Lstm     *self,
                   const StepGrad *g,
                   gint64          t,
                   const gboolean  half)
{
  const gint64 n = self->n_cell;
  const float *cs_prev = before (self, STEP_CS, t);

  for (gint64 row = 0; row < self->batch; row++)
    for (gint64 k = 0; k < n; k++)
      {
        const gint64 at = row * n + k;
        const gint64 cell = t * self->batch * n + at;
        const float i = self->step[STEP_I][cell];
        const float f = self->step[STEP_F][cell];
        const float o = self->step[STEP_O][cell];
        const float ci = self->step[STEP_CI][cell];
        const float co = self->step[STEP_CO][cell];
        const float d_o = R (R (R (o * R (1 - o)) * g->h_grad[at]) * co);
        const float d_h = R (R (R (R (1 - R (co * co)) * g->h_grad[at]) * o) + g->cs_grad[at]);
        const float d_cs = self->peephole ? R (d_h + R (d_o * input (self, IN_WCO)[k])) : d_h;
        const float d_ci = R (R (R (1 - R (ci * ci)) * d_cs) * i);
        const float d_f = R (R (R (f * R (1 - f)) * d_cs) * cs_prev[at]);
        const float d_i = R (R (R (i * R (1 - i)) * d_cs) * ci);
        float *gates = g->gates + row * 4 * n + k;

        gates[self->gates[0] * n] = d_i;
        gates[self->gates[1] * n] = d_ci;
        gates[self->gates[2] * n] = d_f;
        gates[self->gates[3] * n] = d_o;
        g->cs_prev_grad[at] = R (d_cs * f);
        if (!self->peephole)
          continue;
        g->cs_prev_grad[at] = R (R (g->cs_prev_grad[at] + R (d_i * input (self, IN_WCI)[k])) +
                                 R (d_f * input (self, IN_WCF)[k]));
        g->wci_grad[k] = R (g->wci_grad[k] + R (d_i * cs_prev[at]));
        g->wcf_grad[k] = R (g->wcf_grad[k] + R (d_f * cs_prev[at]));
        g->wco_grad[k] = R (g->wco_grad[k] + R (d_o * self->step[STEP_CS][cell]));
      }
}

static void
run_gates_back (const Lstm     *self,
                const StepGrad *g,
                gint64          t)
{
  if (self->half)
    run_gates_back_in (self, g, t, TRUE);
  else
    run_gates_back_in (self, g, t, FALSE);
}

/* The outputs of a gradient op: float ones to compute into, brought into place at the end. */
typedef struct {
  FlowKernelContext *c;
  FlowTensor *work[8];
} Outputs;

static void
outputs_clear (Outputs *self)
{
  for (int i = 0; i < 8; i++)
    g_clear_pointer (&self->work[i], flow_tensor_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Outputs, outputs_clear)

/* As zeros. */
static gboolean
outputs_add (Outputs           *self,
             guint              i,
             const FlowShape   *shape,
             GError           **error)
{
  FlowTensor *out = flow_kernel_allocate (self->c, i, shape, error);

  if (out == NULL)
    return FALSE;
  self->work[i] = out->dtype == FLOW_DTYPE_FLOAT ? flow_tensor_ref (out)
                  : flow_kernel_allocate_temp (self->c, FLOW_DTYPE_FLOAT, shape, error);
  if (self->work[i] != NULL && self->work[i]->n_bytes > 0)
    memset (self->work[i]->data, 0, self->work[i]->n_bytes);
  return self->work[i] != NULL;
}

static void
outputs_finish (Outputs *self)
{
  for (guint i = 0; i < self->c->n_outputs; i++)
    if (self->work[i] != self->c->outputs[i].tensor)
      flow_nn_narrow (self->work[i]->data, self->c->outputs[i].tensor);
}

/* The steps' values and the two gradients that come in, widened; @first is the input of STEP_I. */
static gboolean
read_steps (Lstm               *self,
            FlowKernelContext  *c,
            guint               first,
            gboolean            with_h,
            FlowTensor         *held[N_STEP + 2],
            GError            **error)
{
  const gint64 n_elements = self->n_steps * self->batch * self->n_cell;
  const guint n = N_STEP + 2;

  for (guint i = 0; i < n; i++)
    {
      FlowTensor *t;

      if (i == STEP_H && !with_h)
        continue;
      t = flow_kernel_input (c, first + i - (i > STEP_H && !with_h));
      FLOW_REQUIRE (t->n_elements == n_elements, error, INVALID_ARGUMENT,
                    "a value of the forward pass has %" G_GINT64_FORMAT " elements, %" G_GINT64_FORMAT " expected",
                    t->n_elements, n_elements);
      if ((held[i] = flow_nn_widen (c, t, error)) == NULL)
        return FALSE;
      if (i < N_STEP)
        self->step[i] = held[i]->data;
    }
  return TRUE;
}

static void
release_steps (FlowTensor **held)
{
  for (int i = 0; i < N_STEP + 2; i++)
    g_clear_pointer (&held[i], flow_tensor_unref);
}

static gboolean
run_cell_back (Lstm               *self,
               FlowKernelContext  *c,
               FlowTensor *const  *held,
               GError            **error)
{
  g_auto (Outputs) out = { c, { NULL } };
  g_autoptr (FlowShape) gates = flow_shape_new_matrix (self->batch, 4 * self->n_cell);
  StepGrad g;

  if (!outputs_add (&out, 0, flow_kernel_input (c, IN_CS_PREV)->shape, error) || !outputs_add (&out, 1, gates, error))
    return FALSE;
  for (guint i = 0; i < 3; i++)
    if (!outputs_add (&out, 2 + i, flow_kernel_input (c, IN_WCI + i)->shape, error))
      return FALSE;
  g = (StepGrad) { held[N_STEP]->data, held[N_STEP + 1]->data, out.work[0]->data, out.work[1]->data, out.work[2]->data,
                   out.work[3]->data, out.work[4]->data };
  run_gates_back (self, &g, 0);
  outputs_finish (&out);
  return TRUE;
}

static gboolean
cell_backward_compute (FlowKernelContext  *c,
                       GError            **error)
{
  g_auto (Lstm) self = { 0 };
  FlowTensor *held[N_STEP + 2] = { NULL };
  gboolean ok = lstm_init (&self, c, error) && read_steps (&self, c, N_IN, FALSE, held, error) &&
                run_cell_back (&self, c, held, error);

  release_steps (held);
  return ok;
}

/* One step back: the gates' gradient gives those of the weights and of what came in. */
static gboolean
step_back (Lstm      *self,
           Outputs   *out,
           StepGrad  *g,
           gint64     t,
           float     *xh_grad,
           GError   **error)
{
  const gint64 n = self->n_cell;
  const gint64 n_xh = self->n_in + n;
  float *x_grad = FLOW_WRITABLE (float, out->work[0]) + t * self->batch * self->n_in;
  float *h_prev_grad = out->work[2]->data;
  float *b_grad = out->work[7]->data;

  run_gates_back (self, g, t);
  flow_cell_concat (input (self, IN_X) + t * self->batch * self->n_in, self->n_in, before (self, STEP_H, t), n, self->batch,
                    self->xh);
  if (!flow_cell_gemm (self->release, g->gates, FALSE, input (self, IN_W), TRUE, xh_grad, self->batch, n_xh, 4 * n, FALSE, self->half,
                       error) ||
      !flow_cell_gemm (self->release, self->xh, TRUE, g->gates, FALSE, out->work[3]->data, n_xh, 4 * n, self->batch, TRUE,
                       self->half, error))
    return FALSE;
  for (gint64 row = 0; row < self->batch; row++)
    {
      memcpy (x_grad + row * self->n_in, xh_grad + row * n_xh, (gsize) self->n_in * sizeof (float));
      memcpy (h_prev_grad + row * n, xh_grad + row * n_xh + self->n_in, (gsize) n * sizeof (float));
      for (gint64 k = 0; k < 4 * n; k++)
        b_grad[k] += g->gates[row * 4 * n + k];
    }
  return TRUE;
}

static gboolean
run_sequence_back (Lstm               *self,
                   FlowKernelContext  *c,
                   FlowTensor *const  *held,
                   GError            **error)
{
  static const guint like[] = { IN_X, IN_CS_PREV, IN_H_PREV, IN_W, IN_WCI, IN_WCF, IN_WCO, IN_B };
  const gint64 n = self->batch * self->n_cell;
  g_auto (Outputs) out = { c, { NULL } };
  g_autofree float *cs_grad = g_try_new (float, (gsize) n + 1);
  g_autofree float *h_grad = g_try_new (float, (gsize) n + 1);
  g_autofree float *xh_grad = g_try_new (float, (gsize) (n + self->batch * self->n_in) + 1);
  StepGrad g;

  FLOW_REQUIRE (cs_grad != NULL && h_grad != NULL && xh_grad != NULL, error, RESOURCE_EXHAUSTED,
                "OOM when running an LSTM");
  for (guint i = 0; i < 8; i++)
    if (!outputs_add (&out, i, flow_kernel_input (c, like[i] + 1)->shape, error))
      return FALSE;
  g = (StepGrad) { cs_grad, h_grad, out.work[1]->data, self->bar, out.work[4]->data, out.work[5]->data,
                   out.work[6]->data };
  for (gint64 t = self->n_run; t-- > 0 && n > 0;)
    {
      if (g_cancellable_set_error_if_cancelled (c->cancellable, error))
        return FALSE;
      for (gint64 k = 0; k < n; k++)
        {
          cs_grad[k] = FLOW_DATA (float, held[N_STEP])[t * n + k] + FLOW_DATA (float, out.work[1])[k];
          h_grad[k] = FLOW_DATA (float, held[N_STEP + 1])[t * n + k] + FLOW_DATA (float, out.work[2])[k];
        }
      if (!step_back (self, &out, &g, t, xh_grad, error))
        return FALSE;
    }
  outputs_finish (&out);
  return TRUE;
}

static gboolean
sequence_backward_compute (FlowKernelContext  *c,
                           GError            **error)
{
  g_auto (Lstm) self = { 0 };
  FlowTensor *held[N_STEP + 2] = { NULL };
  gboolean ok = lstm_init (&self, c, error) &&
                (self.n_run == 0 || read_steps (&self, c, N_IN + 1, TRUE, held, error)) &&
                run_sequence_back (&self, c, held, error);

  release_steps (held);
  return ok;
}

/* --- Shapes ----------------------------------------------------------------------------------------------------- */

static gboolean
infer_forward (FlowInferContext  *c,
               GError           **error)
{
  const gboolean sequence = is_sequence (c->signature);
  g_autoptr (FlowShape) x = NULL;
  g_autoptr (FlowShape) cs = NULL;
  g_autoptr (FlowShape) out = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, sequence), sequence ? 3 : 2, &x, error) ||
      !flow_infer_with_rank (c, flow_infer_input (c, 1u + sequence), 2, &cs, error))
    return FALSE;
  out = sequence ? flow_shape_new (3, (gint64[]) { flow_shape_get_dim (x, 0), flow_shape_get_dim (x, 1),
                                                   flow_shape_get_dim (cs, 1) })
                 : flow_shape_new_matrix (flow_shape_get_dim (x, 0), flow_shape_get_dim (cs, 1));
  for (guint i = 0; i < N_STEP; i++)
    flow_infer_set_output (c, i, out);
  return TRUE;
}

static gboolean
infer_cell_backward (FlowInferContext  *c,
                     GError           **error)
{
  g_autoptr (FlowShape) cs = NULL;
  gint64 n;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, IN_CS_PREV), 2, &cs, error))
    return FALSE;
  n = flow_shape_get_dim (cs, 1);
  flow_infer_set_output (c, 0, cs);
  flow_infer_take_output (c, 1, flow_shape_new_matrix (flow_shape_get_dim (cs, 0), n >= 0 ? 4 * n : FLOW_DIM_UNKNOWN));
  for (guint i = 2; i < 5; i++)
    flow_infer_take_output (c, i, flow_shape_new_vector (n));
  return TRUE;
}

static gboolean
infer_sequence_backward (FlowInferContext  *c,
                         GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  for (guint i = 0; i < 8; i++)
    flow_infer_set_output (c, i, flow_infer_input (c, i + 1));
  return TRUE;
}

/* --- the table ----------------------------------------------------------------------------------------------------- */

static const FlowKernelDef forward_kernels[] = { { "T: float half", forward_compute }, { NULL } };
static const FlowKernelDef cell_backward_kernels[] = { { "T: float half", cell_backward_compute }, { NULL } };
static const FlowKernelDef sequence_backward_kernels[] = { { "T: float half", sequence_backward_compute }, { NULL } };

#define CELL_INPUTS "x: T; cs_prev: T; h_prev: T; w: T; wci: T; wcf: T; wco: T; b: T"
#define STEP_OUTPUTS "i: T; cs: T; f: T; o: T; ci: T; co: T; h: T"
#define SEQUENCE_GRADS                                                                        \
  "x_grad: T; cs_prev_grad: T; h_prev_grad: T; w_grad: T; wci_grad: T; wcf_grad: T; wco_grad: T; b_grad: T"
#define TYPE "T: {half, float}"

static const FlowOpDef ops[] = {
  { .name = "BlockLSTM", .inputs = "seq_len_max: int64; " CELL_INPUTS, .outputs = STEP_OUTPUTS,
    .attrs = "forget_bias: float = 1.0; cell_clip: float = 3.0; use_peephole: bool = false; " TYPE,
    .summary = "An LSTM over a whole sequence", .family = FLOW_OP_FAMILY_LINEAR, .infer = infer_forward,
    .kernels = forward_kernels },
  { .name = "BlockLSTMGrad", .inputs = "seq_len_max: int64; " CELL_INPUTS "; " STEP_OUTPUTS "; cs_grad: T; h_grad: T",
    .outputs = SEQUENCE_GRADS, .attrs = "use_peephole: bool; " TYPE, .summary = "Gradients of BlockLSTM",
    .family = FLOW_OP_FAMILY_GRADIENT, .infer = infer_sequence_backward, .kernels = sequence_backward_kernels },
  { .name = "BlockLSTMGradV2", .inputs = "seq_len_max: int64; " CELL_INPUTS "; " STEP_OUTPUTS "; cs_grad: T; h_grad: T",
    .outputs = SEQUENCE_GRADS, .attrs = "use_peephole: bool; " TYPE, .summary = "Gradients of BlockLSTMV2",
    .family = FLOW_OP_FAMILY_GRADIENT, .infer = infer_sequence_backward, .kernels = sequence_backward_kernels },
  { .name = "BlockLSTMV2", .inputs = "seq_len_max: int64; " CELL_INPUTS, .outputs = STEP_OUTPUTS,
    .attrs = "cell_clip: float = 0.0; use_peephole: bool = false; " TYPE,
    .summary = "An LSTM over a whole sequence, gates in Keras' order", .family = FLOW_OP_FAMILY_LINEAR,
    .infer = infer_forward, .kernels = forward_kernels },
  { .name = "LSTMBlockCell", .inputs = CELL_INPUTS, .outputs = STEP_OUTPUTS,
    .attrs = "forget_bias: float = 1.0; cell_clip: float = 3.0; use_peephole: bool = false; " TYPE,
    .summary = "One step of an LSTM", .family = FLOW_OP_FAMILY_LINEAR, .infer = infer_forward,
    .kernels = forward_kernels },
  { .name = "LSTMBlockCellGrad",
    .inputs = CELL_INPUTS "; i: T; cs: T; f: T; o: T; ci: T; co: T; cs_grad: T; h_grad: T",
    .outputs = "cs_prev_grad: T; dicfo: T; wci_grad: T; wcf_grad: T; wco_grad: T", .attrs = "use_peephole: bool; " TYPE,
    .summary = "Gradients of LSTMBlockCell", .family = FLOW_OP_FAMILY_GRADIENT, .infer = infer_cell_backward,
    .kernels = cell_backward_kernels },
};

FLOW_DEFINE_OP_FAMILY (nn_lstm, ops)
