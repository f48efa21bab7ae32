/* flow-kernels-nn_loss.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-nn-private.h"
#include "flow-sum-private.h"
#include "flow-vector-math-private.h"

#include <math.h>
#include <string.h>

/* Softmax and the cross entropies on it, row by row. Half precision is computed in float. */

typedef struct {
  gint64 rows;
  gint64 classes;
  gconstpointer logits;
  gconstpointer labels;
  gint64 logits_row_stride;    /* 0 where a single row serves all */
  gint64 logits_stride;        /* 0 where a single column serves all */
  gint64 labels_row_stride;
  gint64 labels_stride;
  gpointer loss;
  gpointer out;
  float *terms;                /* as many as out; float only */
  float *sums;                 /* of each row, and their logarithms behind them; float only */
  FlowRelease release;
  const FlowVectorMath *math;  /* of the release */
} Job;

static Job
job_of (FlowKernelContext *c)
{
  const FlowRelease release = flow_kernel_release (c);

  return (Job) { .release = release, .math = &flow_vector_math[release] };
}

/* max and sum of exp (x - max) of a row; the exponentials stay in @out. */
#define ROW_LOOPS(name, real, EXP, LOG)                                                       \
  static inline real                                                                          \
  row_max_##name (const real *x, gint64 stride, gint64 n)                                     \
  {                                                                                           \
    real max = x[0];                                                                          \
                                                                                              \
    for (gint64 i = 1; i < n; i++)                                                            \
      max = x[i * stride] > max ? x[i * stride] : max;                                        \
    return max;                                                                               \
  }                                                                                           \
                                                                                              \
  static inline double                                                                        \
  exp_row_##name (const real *x, gint64 stride, gint64 n, real max, real *out)                \
  {                                                                                           \
    double sum = 0;                                                                           \
                                                                                              \
    for (gint64 i = 0; i < n; i++)                                                            \
      {                                                                                       \
        out[i] = EXP (x[i * stride] - max);                                                   \
        sum += (double) out[i];                                                               \
      }                                                                                       \
    return sum;                                                                               \
  }                                                                                           \
                                                                                              \
  static void                                                                                 \
  softmax_##name (gint64 begin, gint64 end, gpointer data)                                    \
  {                                                                                           \
    const Job *job = data;                                                                    \
    const gint64 n = job->classes;                                                            \
                                                                                              \
    for (gint64 row = begin; row < end; row++)                                                \
      {                                                                                       \
        const real *x = (const real *) job->logits + row * n;                                 \
        real *out = (real *) job->out + row * n;                                              \
        const real scale = (real) (1 / exp_row_##name (x, 1, n, row_max_##name (x, 1, n), out)); \
                                                                                              \
        for (gint64 i = 0; i < n; i++)                                                        \
          out[i] *= scale;                                                                    \
      }                                                                                       \
  }                                                                                           \
                                                                                              \
  static void                                                                                 \
  log_softmax_##name (gint64 begin, gint64 end, gpointer data)                                \
  {                                                                                           \
    const Job *job = data;                                                                    \
    const gint64 n = job->classes;                                                            \
                                                                                              \
    for (gint64 row = begin; row < end; row++)                                                \
      {                                                                                       \
        const real *x = (const real *) job->logits + row * n;                                 \
        real *out = (real *) job->out + row * n;                                              \
        const real max = row_max_##name (x, 1, n);                                            \
        double sum = 0;                                                                       \
                                                                                              \
        for (gint64 i = 0; i < n; i++)                                                        \
          sum += (double) EXP (x[i] - max);                                                   \
        sum = log (sum);                                                                      \
        for (gint64 i = 0; i < n; i++)                                                        \
          out[i] = x[i] - max - (real) sum;                                                   \
      }                                                                                       \
  }                                                                                           \
                                                                                              \
  static void                                                                                 \
  xent_##name (gint64 begin, gint64 end, gpointer data)                                       \
  {                                                                                           \
    const Job *job = data;                                                                    \
    const gint64 n = job->classes;                                                            \
                                                                                              \
    for (gint64 row = begin; row < end; row++)                                                \
      {                                                                                       \
        const real *x = (const real *) job->logits + row * job->logits_row_stride;            \
        const real *label = (const real *) job->labels + row * job->labels_row_stride;        \
        real *out = (real *) job->out + row * n;                                              \
        const real max = row_max_##name (x, job->logits_stride, n);                           \
        const double sum = exp_row_##name (x, job->logits_stride, n, max, out);               \
        const real log_sum = (real) log (sum);                                                \
        const real scale = (real) (1 / sum);                                                  \
        double loss = 0;                                                                      \
                                                                                              \
        for (gint64 i = 0; i < n; i++)                                                        \
          {                                                                                   \
            const real y = label[i * job->labels_stride];                                     \
                                                                                              \
            loss += (double) (y * (log_sum - (x[i * job->logits_stride] - max)));             \
            out[i] = out[i] * scale - y;                                                      \
          }                                                                                   \
        ((real *) job->loss)[row] = (real) loss;                                              \
      }                                                                                       \
  }                                                                                           \
                                                                                              \
  static void                                                                                 \
  sparse_xent_##name (gint64 begin, gint64 end, gpointer data)                                \
  {                                                                                           \
    const Job *job = data;                                                                    \
    const gint64 n = job->classes;                                                            \
                                                                                              \
    for (gint64 row = begin; row < end; row++)                                                \
      {                                                                                       \
        const real *x = (const real *) job->logits + row * n;                                 \
        real *out = (real *) job->out + row * n;                                              \
        const gint64 label = job->labels_stride == 4 ? ((const gint32 *) job->labels)[row]    \
                                                     : ((const gint64 *) job->labels)[row];   \
        const real max = row_max_##name (x, 1, n);                                            \
        const real at_label = x[label] - max;                                                 \
        const double sum = exp_row_##name (x, 1, n, max, out);                                \
        const real scale = (real) (1 / sum);                                                  \
                                                                                              \
        ((real *) job->loss)[row] = (real) log (sum) - at_label;                              \
        for (gint64 i = 0; i < n; i++)                                                        \
          out[i] *= scale;                                                                    \
        out[label] -= 1;                                                                      \
      }                                                                                       \
  }

ROW_LOOPS (double, double, exp, log)

/* --- float: in the steps and the order of TensorFlow, to the last bit ------------------------------ */

static void
shift_rows (gint64   begin,
            gint64   end,
            gpointer data)
{
  const Job *job = data;
  const gint64 n = job->classes;

  for (gint64 row = begin; row < end; row++)
    {
      const float *x = (const float *) job->logits + row * job->logits_row_stride;
      float *out = (float *) job->out + row * n;
      float max = x[0];

      for (gint64 i = 1; i < n; i++)
        max = x[i * job->logits_stride] > max ? x[i * job->logits_stride] : max;
      for (gint64 i = 0; i < n; i++)
        out[i] = x[i * job->logits_stride] - max;
    }
}

/* The exponentials of all cells as of one long row: units are vectors. */
static void
exp_cells (gint64   begin,
           gint64   end,
           gpointer data)
{
  const Job *job = data;
  gint64 from = begin * FLOW_VECTOR_WIDTH;
  gint64 to = MIN (end * FLOW_VECTOR_WIDTH, job->rows * job->classes);
  float *out = job->out;

  job->math->exp (out + from, out + from, to - from);
}

static void
sum_rows (gint64   begin,
          gint64   end,
          gpointer data)
{
  const Job *job = data;

  for (gint64 row = begin; row < end; row++)
    job->sums[row] = flow_sum_float (job->release, (const float *) job->out + row * job->classes, job->classes);
}

static void
sum_exp_rows (gint64   begin,
              gint64   end,
              gpointer data)
{
  const Job *job = data;
  const gint64 n = job->classes;

  for (gint64 row = begin; row < end; row++)
    {
      job->math->exp ((const float *) job->out + row * n, job->terms + row * n, n);
      job->sums[row] = flow_sum_float (job->release, job->terms + row * n, n);
    }
}

static void
scale_rows (gint64   begin,
            gint64   end,
            gpointer data)
{
  const Job *job = data;

  for (gint64 row = begin; row < end; row++)
    for (gint64 i = 0; i < job->classes; i++)
      ((float *) job->out)[row * job->classes + i] *= job->sums[row];
}

static void
lower_rows (gint64   begin,
            gint64   end,
            gpointer data)
{
  const Job *job = data;

  for (gint64 row = begin; row < end; row++)
    for (gint64 i = 0; i < job->classes; i++)
      ((float *) job->out)[row * job->classes + i] -= job->sums[row];
}

static void
loss_rows (gint64   begin,
           gint64   end,
           gpointer data)
{
  const Job *job = data;
  const gint64 n = job->classes;

  for (gint64 row = begin; row < end; row++)
    {
      const float *label = (const float *) job->labels + row * job->labels_row_stride;
      const float *shifted = (const float *) job->out + row * n;
      float *terms = job->terms + row * n;

      for (gint64 i = 0; i < n; i++)
        terms[i] = label[i * job->labels_stride] * (job->sums[job->rows + row] - shifted[i]);
      ((float *) job->loss)[row] = flow_sum_float (job->release, terms, n);
    }
}

static void
backprop_rows (gint64   begin,
               gint64   end,
               gpointer data)
{
  const Job *job = data;

  for (gint64 row = begin; row < end; row++)
    {
      const float *label = (const float *) job->labels + row * job->labels_row_stride;
      float *out = (float *) job->out + row * job->classes;

      for (gint64 i = 0; i < job->classes; i++)
        out[i] = out[i] / job->sums[row] - label[i * job->labels_stride];
    }
}

static gint64
label_of (const Job *job,
          gint64     row)
{
  return job->labels_stride == 4 ? ((const gint32 *) job->labels)[row] : ((const gint64 *) job->labels)[row];
}

static void
sparse_loss_rows (gint64   begin,
                  gint64   end,
                  gpointer data)
{
  const Job *job = data;

  for (gint64 row = begin; row < end; row++)
    ((float *) job->loss)[row] = logf (job->sums[row]) -
                                 ((const float *) job->out)[row * job->classes + label_of (job, row)];
}

static void
sparse_backprop_rows (gint64   begin,
                      gint64   end,
                      gpointer data)
{
  const Job *job = data;

  for (gint64 row = begin; row < end; row++)
    {
      float *out = (float *) job->out + row * job->classes;

      for (gint64 i = 0; i < job->classes; i++)
        out[i] /= job->sums[row];
      out[label_of (job, row)] -= 1;
    }
}

static void
each_row (Job           *job,
          FlowRangeFunc  func)
{
  flow_parallel_for (job->rows, 1 + 2048 / job->classes, func, job);
}

static void
each_vector (Job           *job,
             FlowRangeFunc  func)
{
  flow_parallel_for (FLOW_VECTORS (job->rows * job->classes), 2048 / FLOW_VECTOR_WIDTH,
                     func, job);
}

static void
softmax_float (Job *job)
{
  each_row (job, shift_rows);
  each_vector (job, exp_cells);
  each_row (job, sum_rows);
  job->math->reciprocal (job->sums, job->sums, job->rows);
  each_row (job, scale_rows);
}

static void
log_softmax_float (Job *job)
{
  each_row (job, shift_rows);
  each_row (job, sum_exp_rows);
  job->math->log (job->sums, job->sums, job->rows);
  each_row (job, lower_rows);
}

static void
xent_float (Job *job)
{
  each_row (job, shift_rows);
  each_row (job, sum_exp_rows);
  job->math->log (job->sums, job->sums + job->rows, job->rows);
  each_row (job, loss_rows);
  each_vector (job, exp_cells);
  each_row (job, backprop_rows);
}

static void
sparse_xent_float (Job *job)
{
  each_row (job, shift_rows);
  each_row (job, sum_exp_rows);
  each_row (job, sparse_loss_rows);
  each_vector (job, exp_cells);
  each_row (job, sparse_backprop_rows);
}

static gboolean
run_rows (FlowKernelContext  *c,
          Job                *job,
          FlowDType           dtype,
          void              (*float_func) (Job *job),
          FlowRangeFunc       double_func,
          GError            **error)
{
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (FlowTensor) temp = NULL;

  if (job->rows == 0 || job->classes == 0)
    return TRUE;
  if (dtype == FLOW_DTYPE_DOUBLE)
    {
      each_row (job, double_func);
      return TRUE;
    }
  shape = flow_shape_new_matrix (job->rows, job->classes + 2);
  temp = flow_kernel_allocate_temp (c, FLOW_DTYPE_FLOAT, shape, error);
  if (temp == NULL)
    return FALSE;
  job->terms = temp->data;
  job->sums = job->terms + job->rows * job->classes;
  float_func (job);
  return TRUE;
}

/* The tensor to compute into: the output itself, or its float form for half precision. */
static FlowTensor *
working_output (FlowKernelContext  *c,
                FlowTensor         *out,
                GError            **error)
{
  if (out->dtype != FLOW_DTYPE_HALF && out->dtype != FLOW_DTYPE_BFLOAT16)
    return flow_tensor_ref (out);
  return flow_kernel_allocate_temp (c, FLOW_DTYPE_FLOAT, out->shape, error);
}

static gboolean
infer_softmax (FlowInferContext  *c,
               GError           **error)
{
  g_autoptr (FlowShape) shape = NULL;

  if (c->running)
    {
      g_autofree char *text = flow_shape_to_string (flow_infer_input (c, 0));

      FLOW_REQUIRE (flow_infer_input (c, 0)->rank >= 1, error, INVALID_ARGUMENT,
                    "logits must have >= 1 dimension, got %s", text);
    }
  if (!flow_infer_with_rank_at_least (c, flow_infer_input (c, 0), 1, &shape, error))
    return FALSE;
  flow_infer_take_output (c, 0, g_steal_pointer (&shape));
  return TRUE;
}

static gboolean
run_softmax (FlowKernelContext  *c,
             void              (*float_func) (Job *job),
             FlowRangeFunc       double_func,
             GError            **error)
{
  FlowTensor *logits = flow_kernel_input (c, 0);
  FlowTensor *out = flow_kernel_forward_or_allocate (c, 0, 0, logits->shape, error);
  g_autoptr (FlowTensor) wide = NULL;
  g_autoptr (FlowTensor) work = NULL;
  Job job = job_of (c);

  if (out == NULL || (wide = flow_nn_widen (c, logits, error)) == NULL)
    return FALSE;
  /* A float copy of half logits is written over: each cell is read before it is written. */
  work = wide == logits ? flow_tensor_ref (out) : flow_tensor_ref (wide);
  job.classes = FLOW_DIMS (logits)[FLOW_RANK (logits) - 1];
  job.rows = job.classes > 0 ? logits->n_elements / job.classes : 0;
  job.logits = wide->data;
  job.out = work->data;
  job.logits_row_stride = job.classes;
  job.logits_stride = 1;
  if (!run_rows (c, &job, wide->dtype, float_func, double_func, error))
    return FALSE;
  if (wide != logits)
    flow_nn_narrow (work->data, out);
  return TRUE;
}

static gboolean
softmax_compute (FlowKernelContext  *c,
                 GError            **error)
{
  return run_softmax (c, softmax_float, softmax_double, error);
}

static gboolean
log_softmax_compute (FlowKernelContext  *c,
                     GError            **error)
{
  return run_softmax (c, log_softmax_float, log_softmax_double, error);
}

static gint64
softmax_flops (FlowInferContext *c)
{
  gint64 n = flow_nn_flops_input (c);

  return n < 0 ? -1 : 5 * n;
}

/* TF: two matrices are of one shape, and a size that one of them tells is both's; others may broadcast to one. */
static gboolean
merge_or_broadcast (FlowInferContext  *c,
                    const FlowShape   *logits,
                    const FlowShape   *labels,
                    FlowShape        **matrix,
                    GError           **error)
{
  g_autoptr (FlowShape) first = NULL;
  g_autoptr (FlowShape) both = NULL;

  if (flow_infer_with_rank (c, logits, 2, &first, NULL) && flow_infer_merge (c, first, labels, matrix, NULL))
    return TRUE;
  if (!flow_infer_broadcast (c, logits, labels, &both, error))
    return FALSE;
  FLOW_REQUIRE (both->rank != FLOW_RANK_UNKNOWN, error, INVALID_ARGUMENT,
                "Shape must be broadcasted with rank 2, but is rank is unknown.");
  FLOW_REQUIRE (both->rank == 2, error, INVALID_ARGUMENT, "Shape must be broadcasted with rank 2, but is rank %d", both->rank);
  *matrix = g_steal_pointer (&both);
  return TRUE;
}

static gboolean
infer_xent (FlowInferContext  *c,
            GError           **error)
{
  const FlowShape *logits = flow_infer_input (c, 0);
  const FlowShape *labels = flow_infer_input (c, 1);
  g_autoptr (FlowShape) both = NULL;
  g_autoptr (FlowShape) matrix = NULL;

  if (c->running)
    {
      g_autofree char *logits_text = flow_shape_to_string (logits);
      g_autofree char *labels_text = flow_shape_to_string (labels);

      FLOW_REQUIRE (flow_infer_broadcast (c, logits, labels, &both, NULL), error, INVALID_ARGUMENT,
                    "logits and labels must be broadcastable: logits_size=%s labels_size=%s", logits_text,
                    labels_text);
      FLOW_REQUIRE (both->rank == 2, error, INVALID_ARGUMENT,
                    "logits and labels must be either 2-dimensional, or broadcasted to be 2-dimensional");
      matrix = flow_shape_ref (both);
    }
  else if (!merge_or_broadcast (c, logits, labels, &matrix, error))
    return FALSE;
  flow_infer_take_output (c, 0, flow_shape_new_vector (flow_shape_get_dim (matrix, 0)));
  flow_infer_take_output (c, 1, g_steal_pointer (&matrix));
  return TRUE;
}

static void
broadcast_strides (const FlowTensor *tensor,
                   gint64           *row_stride,
                   gint64           *stride)
{
  int rank = FLOW_RANK (tensor);
  gint64 columns = rank > 0 ? FLOW_DIMS (tensor)[rank - 1] : 1;
  gint64 rows = rank > 1 ? FLOW_DIMS (tensor)[0] : 1;

  *row_stride = rows > 1 ? columns : 0;
  *stride = columns > 1 ? 1 : 0;
}

static gboolean
xent_compute (FlowKernelContext  *c,
              GError            **error)
{
  g_autoptr (FlowTensor) logits = flow_nn_widen (c, flow_kernel_input (c, 0), error);
  g_autoptr (FlowTensor) labels = NULL;
  g_autoptr (FlowTensor) loss = NULL;
  g_autoptr (FlowTensor) backprop = NULL;
  FlowTensor *loss_out;
  FlowTensor *backprop_out;
  Job job = job_of (c);

  if (logits == NULL || (labels = flow_nn_widen (c, flow_kernel_input (c, 1), error)) == NULL ||
      (loss_out = flow_kernel_allocate_inferred (c, 0, error)) == NULL ||
      (backprop_out = flow_kernel_allocate_inferred (c, 1, error)) == NULL ||
      (loss = working_output (c, loss_out, error)) == NULL ||
      (backprop = working_output (c, backprop_out, error)) == NULL)
    return FALSE;
  job.rows = FLOW_DIMS (backprop)[0];
  job.classes = FLOW_DIMS (backprop)[1];
  broadcast_strides (logits, &job.logits_row_stride, &job.logits_stride);
  broadcast_strides (labels, &job.labels_row_stride, &job.labels_stride);
  job.logits = logits->data;
  job.labels = labels->data;
  job.loss = loss->data;
  job.out = backprop->data;
  /* TF: the loss of no classes is an empty sum. */
  if (job.classes == 0 && loss->n_bytes > 0)
    memset (loss->data, 0, loss->n_bytes);
  if (!run_rows (c, &job, logits->dtype, xent_float, xent_double, error))
    return FALSE;
  if (loss != loss_out)
    {
      flow_nn_narrow (loss->data, loss_out);
      flow_nn_narrow (backprop->data, backprop_out);
    }
  return TRUE;
}

static gboolean
infer_sparse_xent (FlowInferContext  *c,
                   GError           **error)
{
  const FlowShape *in_features = flow_infer_input (c, 0);
  const FlowShape *in_labels = flow_infer_input (c, 1);
  g_autoptr (FlowShape) features = NULL;
  g_autoptr (FlowShape) labels = NULL;
  gint64 batch;

  if (c->running)
    {
      g_autofree char *features_text = flow_shape_to_string (in_features);
      g_autofree char *labels_text = flow_shape_to_string (in_labels);

      FLOW_REQUIRE (in_features->rank == 2, error, INVALID_ARGUMENT, "logits must be 2-D, but got shape %s",
                    features_text);
      FLOW_REQUIRE (in_labels->rank == 1, error, INVALID_ARGUMENT, "labels must be 1-D, but got shape %s",
                    labels_text);
      FLOW_REQUIRE (in_features->dims[0] == in_labels->dims[0], error, INVALID_ARGUMENT,
                    "logits and labels must have the same first dimension, got logits shape %s and labels shape %s",
                    features_text, labels_text);
      FLOW_REQUIRE (in_features->dims[1] > 0, error, INVALID_ARGUMENT,
                    "Must have at least one class, but got logits shape %s", features_text);
    }
  if (!flow_infer_with_rank (c, in_features, 2, &features, error) ||
      !flow_infer_with_rank (c, in_labels, 1, &labels, error) ||
      !flow_infer_merge_dim (c, flow_shape_get_dim (features, 0), flow_shape_get_dim (labels, 0), &batch, error))
    return FALSE;
  flow_infer_take_output (c, 0, flow_shape_new_vector (batch));
  flow_infer_take_output (c, 1, flow_shape_new_matrix (batch, flow_shape_get_dim (features, 1)));
  return TRUE;
}

static gboolean
check_labels (const FlowTensor  *labels,
              gint64             classes,
              GError           **error)
{
  gint64 least = 0;
  gint64 greatest = -1;
  g_autoptr (GString) all = NULL;

  for (gint64 i = 0; i < labels->n_elements; i++)
    {
      gint64 label = flow_tensor_get_int (labels, i);

      least = MIN (least, label);
      greatest = MAX (greatest, label);
    }
  if (G_LIKELY (least >= 0 && greatest < classes))
    return TRUE;
  all = g_string_new (NULL);
  for (gint64 j = 0; j < labels->n_elements && j < 1000; j++)
    g_string_append_printf (all, "%s%" G_GINT64_FORMAT, j > 0 ? " " : "", flow_tensor_get_int (labels, j));
  /* TF: the least if that is negative, else the greatest, not the first that is wrong. */
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
               "Received a label value of %" G_GINT64_FORMAT " which is outside the valid range of [0, %"
               G_GINT64_FORMAT ").  Label values: %s", least < 0 ? least : greatest, classes, all->str);
  return FALSE;
}

static gboolean
sparse_xent_compute (FlowKernelContext  *c,
                     GError            **error)
{
  FlowTensor *labels = flow_kernel_input (c, 1);
  g_autoptr (FlowTensor) logits = NULL;
  g_autoptr (FlowTensor) loss = NULL;
  g_autoptr (FlowTensor) backprop = NULL;
  FlowTensor *loss_out;
  FlowTensor *backprop_out;
  Job job = job_of (c);

  if (!check_labels (labels, FLOW_DIMS (flow_kernel_input (c, 0))[1], error) ||
      (logits = flow_nn_widen (c, flow_kernel_input (c, 0), error)) == NULL ||
      (loss_out = flow_kernel_allocate_inferred (c, 0, error)) == NULL ||
      (backprop_out = flow_kernel_allocate_inferred (c, 1, error)) == NULL ||
      (loss = working_output (c, loss_out, error)) == NULL ||
      (backprop = working_output (c, backprop_out, error)) == NULL)
    return FALSE;
  job.rows = FLOW_DIMS (logits)[0];
  job.classes = FLOW_DIMS (logits)[1];
  job.logits = logits->data;
  job.labels = labels->data;
  job.labels_stride = labels->dtype == FLOW_DTYPE_INT32 ? 4 : 8;
  job.loss = loss->data;
  job.out = backprop->data;
  job.logits_row_stride = job.classes;
  job.logits_stride = 1;
  if (!run_rows (c, &job, logits->dtype, sparse_xent_float, sparse_xent_double, error))
    return FALSE;
  if (loss != loss_out)
    {
      flow_nn_narrow (loss->data, loss_out);
      flow_nn_narrow (backprop->data, backprop_out);
    }
  return TRUE;
}

static const FlowKernelDef softmax_kernels[] = { { "T: double float half", softmax_compute }, { NULL } };
static const FlowKernelDef log_softmax_kernels[] = { { "T: double float half", log_softmax_compute }, { NULL } };
static const FlowKernelDef xent_kernels[] = { { "T: double float half", xent_compute }, { NULL } };
static const FlowKernelDef sparse_xent_kernels[] = {
  { "T: double float half; Tlabels: int32 int64", sparse_xent_compute },
  { NULL },
};

static const FlowOpDef ops[] = {
  {
    .name = "LogSoftmax",
    .inputs = "logits: T",
    .outputs = "logsoftmax: T",
    .attrs = "T: " FLOW_FLOAT_TYPES,
    .summary = "Logarithm of the softmax along the last dimension",
    .family = FLOW_OP_FAMILY_MATH,
    .infer = infer_softmax,
    .kernels = log_softmax_kernels,
  },
  {
    .name = "Softmax",
    .inputs = "logits: T",
    .outputs = "softmax: T",
    .attrs = "T: " FLOW_FLOAT_TYPES,
    .summary = "Probabilities from logits along the last dimension",
    .family = FLOW_OP_FAMILY_MATH,
    .infer = infer_softmax,
    .kernels = softmax_kernels,
    .flops = softmax_flops,
  },
  {
    .name = "SoftmaxCrossEntropyWithLogits",
    .inputs = "features: T; labels: T",
    .outputs = "loss: T; backprop: T",
    .attrs = "T: " FLOW_FLOAT_TYPES,
    .summary = "Cross entropy between labels and softmax(logits), and its gradient",
    .family = FLOW_OP_FAMILY_MATH,
    .infer = infer_xent,
    .kernels = xent_kernels,
  },
  {
    .name = "SparseSoftmaxCrossEntropyWithLogits",
    .inputs = "features: T; labels: Tlabels",
    .outputs = "loss: T; backprop: T",
    .attrs = "T: " FLOW_FLOAT_TYPES "; Tlabels: {int32, int64} = DT_INT64",
    .summary = "Cross entropy between class numbers and softmax(logits), and its gradient",
    .family = FLOW_OP_FAMILY_MATH,
    .infer = infer_sparse_xent,
    .kernels = sparse_xent_kernels,
  },
};

FLOW_DEFINE_OP_FAMILY (nn_loss, ops)
