/* flow-kernels-random_sampled.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-nn-private.h"
#include "flow-array-private.h"
#include "flow-random-private.h"
#include "flow-summarize-private.h"

#include <math.h>

/* Random numbers whose distribution is an input. Each output of gamma and Poisson has a stretch of the
 * generator of its own, so that any split of the work gives the same numbers. */

static inline double
draw_normal (FlowDraw *self)
{
  if (self->n_normals == 0)
    {
      guint32 x[4];

      flow_philox_next (&self->generator, x);
      flow_random_normals_double (x[0], x[1], x[2], x[3], self->normals);
      self->n_normals = 2;
    }
  return self->normals[--self->n_normals];
}

static inline FlowDraw
draw_at (const FlowPhilox *generator,
         gint64            output)
{
  FlowDraw draw = { .generator = *generator };

  flow_philox_skip (&draw.generator, (guint64) output * FLOW_RANDOM_RESERVED);
  return draw;
}

/* --- Multinomial ------------------------------------------------------------------------------------- */

static gboolean
infer_multinomial (FlowInferContext  *c,
                   GError           **error)
{
  g_autoptr (FlowShape) logits = NULL;
  g_autoptr (FlowShape) scalar = NULL;
  gint64 n_samples = FLOW_DIM_UNKNOWN;

  if (c->running)
    {
      g_autofree char *logits_text = flow_shape_to_string (flow_infer_input (c, 0));
      g_autofree char *samples_text = flow_shape_to_string (flow_infer_input (c, 1));

      FLOW_REQUIRE (flow_infer_input (c, 0)->rank == 2, error, INVALID_ARGUMENT,
                    "logits should be a matrix, got shape %s", logits_text);
      FLOW_REQUIRE (flow_infer_input (c, 1)->rank == 0, error, INVALID_ARGUMENT,
                    "num_samples should be a scalar, got shape %s", samples_text);
    }
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 2, &logits, error) ||
      !flow_infer_with_rank (c, flow_infer_input (c, 1), 0, &scalar, error))
    return FALSE;
  if (flow_infer_scalar_value (c, 1, &n_samples))
    FLOW_REQUIRE (n_samples >= 0, error, INVALID_ARGUMENT,
                  c->running ? "num_samples should be nonnegative, got %" G_GINT64_FORMAT
                             : "Dimension size, given by scalar input 1, must be non-negative but is %" G_GINT64_FORMAT,
                  n_samples);
  if (c->running)
    FLOW_REQUIRE (logits->dims[1] > 0, error, INVALID_ARGUMENT,
                  "num_classes should be positive, got %" G_GINT64_FORMAT, logits->dims[1]);
  flow_infer_take_output (c, 0, flow_shape_new_matrix (flow_shape_get_dim (logits, 0), n_samples));
  return TRUE;
}

/* The running sums of exp (logit - greatest) of a row; what is not finite has no weight. */
static double
accumulate (const FlowTensor *logits,
            gint64            row,
            gint64            n_classes,
            double           *sums)
{
  double max = -G_MAXDOUBLE;
  double total = 0;

  for (gint64 i = 0; i < n_classes; i++)
    {
      sums[i] = flow_tensor_get_double (logits, row * n_classes + i);
      if (isfinite (sums[i]))
        max = MAX (max, sums[i]);
    }
  for (gint64 i = 0; i < n_classes; i++)
    {
      if (isfinite (sums[i]))
        total += exp (sums[i] - max);
      sums[i] = total;
    }
  return total;
}

static gboolean
sample_classes (FlowKernelContext  *c,
                const FlowPhilox   *generator,
                FlowTensor         *out,
                GError            **error)
{
  FlowTensor *logits = flow_kernel_input (c, 0);
  gint64 n_classes = FLOW_DIMS (logits)[1];
  gint64 n_samples = FLOW_DIMS (out)[1];
  g_autoptr (FlowShape) shape = flow_shape_new_vector (n_classes);
  g_autoptr (FlowTensor) sums = flow_kernel_allocate_temp (c, FLOW_DTYPE_DOUBLE, shape, error);
  FlowPhiloxStream stream;

  if (sums == NULL)
    return FALSE;
  /* One stream through all rows, as TensorFlow draws where one thread does them all. */
  flow_philox_stream_init (&stream, generator);
  for (gint64 row = 0; row < FLOW_DIMS (logits)[0]; row++)
    {
      const double *s = sums->data;
      double total = accumulate (logits, row, n_classes, sums->data);

      for (gint64 i = 0; i < n_samples; i++)
        {
          guint32 x0 = flow_philox_stream_next (&stream);
          guint32 x1 = flow_philox_stream_next (&stream);
          double wanted = flow_random_to_double (x0, x1) * total;
          gint64 low = 0;
          gint64 high = n_classes;

          while (low < high)
            {
              gint64 middle = low + (high - low) / 2;

              if (s[middle] > wanted)
                high = middle;
              else
                low = middle + 1;
            }
          flow_random_store (out, row * n_samples + i, (double) low);
        }
    }
  return TRUE;
}

static gboolean
multinomial_compute (FlowKernelContext  *c,
                     GError            **error)
{
  FlowTensor *out = flow_kernel_allocate_inferred (c, 0, error);
  FlowPhilox generator;
  gint64 per_row;

  if (out == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  /* TF sets aside for groups of four, twice on the CPU: doubles take two numbers. */
  per_row = (FLOW_DIMS (out)[1] + 3) / 4 * 4 * 2;
  if (!flow_random_reserve (c, (guint64) (FLOW_DIMS (out)[0] * per_row) * FLOW_RANDOM_RESERVED, &generator, error))
    return FALSE;
  return sample_classes (c, &generator, out, error);
}

static gboolean
stateless_multinomial_compute (FlowKernelContext  *c,
                               GError            **error)
{
  FlowPhilox generator;
  FlowTensor *out;

  if (!flow_random_from_seed (flow_kernel_input (c, 2), &generator, error) ||
      (out = flow_kernel_allocate_inferred (c, 0, error)) == NULL)
    return FALSE;
  return out->n_elements == 0 || sample_classes (c, &generator, out, error);
}

/* --- Gamma and Poisson ------------------------------------------------------------------------------- */

/* The shape that input 0 spells, followed by the shape of the parameters in input 1. */
static gboolean
infer_parameterized (FlowInferContext  *c,
                     GError           **error)
{
  g_autoptr (FlowShape) first = NULL;
  FlowShape *all = NULL;

  if (c->running && flow_infer_input_value (c, 0) != NULL)
    {
      if ((first = flow_kernel_shape_from_tensor (flow_infer_input_value (c, 0), error)) == NULL)
        return FALSE;
    }
  else if (!flow_infer_shape_from_value (c, 0, &first, error))
    return FALSE;
  if (!flow_infer_concatenate (c, first, flow_infer_input (c, 1), &all, error))
    return FALSE;
  flow_infer_take_output (c, 0, all);
  return TRUE;
}

/* TF: RandomGamma tells of the whole tensor where it is no vector. */
static gboolean
check_vector (const FlowTensor  *spelled,
              GError           **error)
{
  g_autofree char *shape = flow_shape_to_string (spelled->shape);
  g_autoptr (GString) values = g_string_new (NULL);

  if (FLOW_RANK (spelled) == 1)
    return TRUE;
  _flow_summarize (values, spelled, 3);
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
               "shape must be a vector of {int32,int64}, got shape: Tensor<type: %s shape: %s values: %s>",
               flow_dtype_string (spelled->dtype), shape, values->str);
  return FALSE;
}

static gboolean
gamma_infer (FlowInferContext  *c,
             GError           **error)
{
  const FlowTensor *spelled = c->running ? flow_infer_input_value (c, 0) : NULL;

  return (spelled == NULL || check_vector (spelled, error)) && infer_parameterized (c, error);
}

typedef struct {
  FlowPhilox generator;
  const FlowTensor *parameters;
  FlowTensor *out;
  gint64 n_samples;            /* per parameter */
  double greatest;             /* what an output can hold */
} Job;

/* Marsaglia and Tsang's method, with TF's treatment of alpha below 1. */
static double
sample_gamma (FlowDraw   *draw,
              double  alpha)
{
  const gboolean below_one = alpha < 1;
  const double d = alpha + (below_one ? 2.0 / 3 : -1.0 / 3);
  const double scale = 1.0 / 3 / sqrt (d);

  if (alpha == 1)
    return -log1p (-flow_draw_uniform (draw));
  for (;;)
    {
      const double x = draw_normal (draw);
      double v = 1 + scale * x;
      double u;

      if (v <= 0)
        continue;
      v = v * v * v;
      u = flow_draw_uniform (draw);
      if (u < 1 - 0.0331 * (x * x) * (x * x) || log (u) < 0.5 * x * x + d * (1 - v + log (v)))
        return below_one ? d * v * pow (flow_draw_uniform (draw), 1 / alpha) : d * v;
    }
}

static void
fill_gamma (gint64   begin,
            gint64   end,
            gpointer data)
{
  const Job *job = data;
  const gint64 n = job->parameters->n_elements;

  for (gint64 i = begin; i < end; i++)
    {
      FlowDraw draw = draw_at (&job->generator, i);
      gint64 parameter = i / job->n_samples;

      flow_random_store (job->out, i % job->n_samples * n + parameter,
             sample_gamma (&draw, flow_tensor_get_double (job->parameters, parameter)));
    }
}

/* Knuth's products of uniforms. A rate that is no number gives none. */
static double
sample_small_poisson (FlowDraw   *draw,
                      double  rate,
                      double  greatest)
{
  const double limit = exp (-rate);
  double product = 1;
  double x = 0;

  for (;;)
    {
      product *= flow_draw_uniform (draw);
      if (product <= limit && x <= greatest)
        return x;
      x += 1;
    }
}

/* Hörmann's transformed rejection, for rates from 10 on. */
static double
sample_large_poisson (FlowDraw   *draw,
                      double  rate,
                      double  greatest)
{
  const double log_rate = log (rate);
  const double b = 0.931 + 2.53 * sqrt (rate);
  const double a = -0.059 + 0.02483 * b;
  const double inv_alpha = 1.1239 + 1.1328 / (b - 3.4);

  for (;;)
    {
      const double u = flow_draw_uniform (draw) - 0.5;
      const double v = flow_draw_uniform (draw);
      const double u_shifted = 0.5 - fabs (u);
      const double k = floor ((2 * a / u_shifted + b) * u + rate + 0.43);
      double s;
      double t;

      if (k > greatest)
        continue;
      if (u_shifted >= 0.07 && v <= 0.9277 - 3.6224 / (b - 2))
        return k;
      if (k < 0 || (u_shifted < 0.013 && v > u_shifted))
        continue;
      s = log (v * inv_alpha / (a / (u_shifted * u_shifted) + b));
      t = -rate + k * log_rate - lgamma (k + 1);
      if (s <= t)
        return k;
    }
}

static void
fill_poisson (gint64   begin,
              gint64   end,
              gpointer data)
{
  const Job *job = data;
  const gint64 n = job->parameters->n_elements;

  for (gint64 i = begin; i < end; i++)
    {
      FlowDraw draw = draw_at (&job->generator, i);
      gint64 parameter = i / job->n_samples;
      double rate = flow_tensor_get_double (job->parameters, parameter);

      flow_random_store (job->out, i % job->n_samples * n + parameter,
             rate < 10 ? sample_small_poisson (&draw, rate, job->greatest)
                       : sample_large_poisson (&draw, rate, job->greatest));
    }
}

static gboolean
ends_with (const FlowShape *shape,
           const FlowShape *end)
{
  return shape->rank >= end->rank
         && memcmp (shape->dims + shape->rank - end->rank, end->dims, (gsize) end->rank * sizeof (gint64)) == 0;
}

/* Drawn by a generator that is kept, the parameters in input 1; or by one that the seed in input 1 makes, the
 * parameters in input 2. */
static gboolean
run (FlowKernelContext  *c,
     FlowRangeFunc       func,
     double              greatest,
     gboolean            is_stateless,
     GError            **error)
{
  FlowTensor *parameters = flow_kernel_input (c, is_stateless ? 2 : 1);
  Job job = { .parameters = parameters, .greatest = greatest };

  if (is_stateless && !flow_random_from_seed (flow_kernel_input (c, 1), &job.generator, error))
    return FALSE;
  job.out = flow_kernel_allocate_inferred (c, 0, error);
  if (job.out == NULL)
    return FALSE;
  if (job.out->n_elements == 0)
    return TRUE;
  if (is_stateless && !ends_with (job.out->shape, parameters->shape))
    return _flow_refuse (error, "Shape passed in must end with broadcasted shape.");
  job.n_samples = job.out->n_elements / parameters->n_elements;
  if (!is_stateless
      && !flow_random_reserve (c, (guint64) job.out->n_elements * FLOW_RANDOM_RESERVED, &job.generator, error))
    return FALSE;
  flow_parallel_for (job.out->n_elements, 1024, func, &job);
  return TRUE;
}

/* Whether the shape in input 0 has a cell. */
static gboolean
asks_for_samples (FlowKernelContext *c)
{
  FlowTensor *shape = flow_kernel_input (c, 0);

  for (gint64 i = 0; i < shape->n_elements; i++)
    if (flow_tensor_get_int (shape, i) == 0)
      return FALSE;
  return TRUE;
}

static gboolean
gamma_compute (FlowKernelContext  *c,
               GError            **error)
{
  return run (c, fill_gamma, 0, FALSE, error);
}

static gboolean
stateless_gamma_compute (FlowKernelContext  *c,
                         GError            **error)
{
  return run (c, fill_gamma, 0, TRUE, error);
}

static gboolean
draw_poisson (FlowKernelContext  *c,
              gboolean            is_stateless,
              GError            **error)
{
  FlowTensor *rate = flow_kernel_input (c, is_stateless ? 2 : 1);
  int dtype = c->output_dtypes[0];
  double greatest = dtype == FLOW_DTYPE_INT32 ? G_MAXINT32 : dtype == FLOW_DTYPE_INT64 ? 0x1p63 - 1024 :
                    dtype == FLOW_DTYPE_HALF ? 65504 : dtype == FLOW_DTYPE_FLOAT ? (double) G_MAXFLOAT : G_MAXDOUBLE;

  /* TensorFlow never ends on these: a rate beyond what the outputs hold is drawn again for ever. One below zero gives
   * zeros, an infinite one what is no number. */
  for (gint64 i = 0; i < rate->n_elements && asks_for_samples (c); i++)
    {
      double x = flow_tensor_get_double (rate, i);

      FLOW_REQUIRE (x <= greatest || isinf (x), error, INVALID_ARGUMENT, "rate must be at most %g, got %g", greatest, x);
    }
  return run (c, fill_poisson, greatest, is_stateless, error);
}

static gboolean
poisson_compute (FlowKernelContext  *c,
                 GError            **error)
{
  return draw_poisson (c, FALSE, error);
}

static gboolean
stateless_poisson_compute (FlowKernelContext  *c,
                           GError            **error)
{
  return draw_poisson (c, TRUE, error);
}

static const FlowKernelDef multinomial_kernels[] = {
  { "T: double float half; output_dtype: int32 int64", multinomial_compute },
  { NULL },
};
static const FlowKernelDef stateless_multinomial_kernels[] = {
  { "T: double float half; output_dtype: int32 int64", stateless_multinomial_compute },
  { NULL },
};
static const FlowKernelDef gamma_kernels[] = { { "T: double float half", gamma_compute }, { NULL } };
static const FlowKernelDef poisson_kernels[] = { { "dtype: double float half", poisson_compute }, { NULL } };
static const FlowKernelDef poisson_v2_kernels[] = {
  { "R: double float half int32 int64; dtype: double float half int32 int64", poisson_compute },
  { NULL },
};

/* TF: shapes end with those of the parameters, and only the kernel looks whether they do. */
static gboolean
infer_stateless (FlowInferContext  *c,
                 GError           **error)
{
  g_autoptr (FlowShape) seed = NULL;
  g_autoptr (FlowShape) two = flow_shape_new_vector (2);
  g_autoptr (FlowShape) merged = NULL;

  if (!c->running && (!flow_infer_with_rank (c, flow_infer_input (c, 1), 1, &seed, error)
                      || !flow_infer_merge (c, seed, two, &merged, error)))
    return FALSE;
  return flow_random_infer_shape (c, error);
}

#define SEEDS "seed: int = 0; seed2: int = 0; "
#define FLAGS (FLOW_OP_STATEFUL | FLOW_OP_RANDOM)

static const FlowOpDef ops[] = {
  {
    .name = "Multinomial",
    .inputs = "logits: T; num_samples: int32",
    .outputs = "output: output_dtype",
    .attrs = SEEDS "T: " FLOW_REAL_TYPES "; output_dtype: {int32, int64} = DT_INT64",
    .summary = "Draws classes by their logits",
    .flags = FLAGS,
    .infer = infer_multinomial,
    .kernels = multinomial_kernels,
  },
  {
    .name = "RandomGamma",
    .inputs = "shape: S; alpha: T",
    .outputs = "output: T",
    .attrs = SEEDS "S: {int32, int64}; T: {half, float, double}",
    .summary = "Gamma distributed numbers for each alpha",
    .flags = FLAGS,
    .infer = gamma_infer,
    .kernels = gamma_kernels,
  },
  {
    .name = "RandomPoisson",
    .inputs = "shape: S; rate: dtype",
    .outputs = "output: dtype",
    .attrs = SEEDS "S: {int32, int64}; dtype: {half, float, double}",
    .summary = "Poisson distributed numbers for each rate (before V2)",
    .flags = FLAGS,
    .infer = infer_parameterized,
    .kernels = poisson_kernels,
  },
  {
    .name = "RandomPoissonV2",
    .inputs = "shape: S; rate: R",
    .outputs = "output: dtype",
    .attrs = SEEDS "S: {int32, int64}; R: {half, float, double, int32, int64} = DT_DOUBLE; "
             "dtype: {half, float, double, int32, int64} = DT_INT64",
    .summary = "Poisson distributed numbers for each rate",
    .flags = FLAGS,
    .infer = infer_parameterized,
    .kernels = poisson_v2_kernels,
  },
  {
    .name = "StatelessMultinomial",
    .inputs = "logits: T; num_samples: int32; seed: Tseed",
    .outputs = "output: output_dtype",
    .attrs = "T: " FLOW_REAL_TYPES "; Tseed: {int32, int64} = DT_INT64; output_dtype: {int32, int64} = DT_INT64",
    .summary = "Draws classes by their logits and the seed",
    .infer = infer_multinomial,
    .kernels = stateless_multinomial_kernels,
  },
  {
    .name = "StatelessRandomGammaV2",
    .inputs = "shape: T; seed: Tseed; alpha: dtype",
    .outputs = "output: dtype",
    .attrs = "dtype: {half, float, double}; T: {int32, int64}; Tseed: {int32, int64} = DT_INT64",
    .summary = "Gamma distributed numbers that follow from the seed",
    .infer = infer_stateless,
    .kernels = (const FlowKernelDef[]) { { "dtype: double float half", stateless_gamma_compute }, { NULL } },
  },
  {
    .name = "StatelessRandomPoisson",
    .inputs = "shape: T; seed: Tseed; lam: Rtype",
    .outputs = "output: dtype",
    .attrs = "Rtype: {half, float, double, int32, int64}; dtype: {half, float, double, int32, int64}; T: {int32, int64}; "
             "Tseed: {int32, int64} = DT_INT64",
    .summary = "Poisson distributed numbers that follow from the seed",
    .infer = infer_stateless,
    .kernels = (const FlowKernelDef[]) {
      { "Rtype: double float half int32 int64; dtype: double float half int32 int64", stateless_poisson_compute },
      { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (random_sampled, ops)
