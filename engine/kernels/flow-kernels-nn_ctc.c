/* flow-kernels-nn_ctc.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-nn-ctc-private.h"

#include <string.h>

/* Connectionist temporal classification (Graves): the loss and its gradient, and greedy decoding. The
 * last class is the blank. Sums of probabilities are kept as logarithms, in double. */

/* --- Checks ------------------------------------------------------------------------------------------ */

gboolean
flow_ctc_check_classes (const FlowTensor  *inputs,
                        GError           **error)
{
  FLOW_REQUIRE (FLOW_DIMS (inputs)[2] > 0 && FLOW_DIMS (inputs)[2] <= G_MAXINT32, error, INVALID_ARGUMENT,
                "num_classes must be in [1, 2147483647], got %" G_GINT64_FORMAT, FLOW_DIMS (inputs)[2]);
  return TRUE;
}

static gboolean
check_lengths (const FlowTensor  *inputs,
               const FlowTensor  *lengths,
               int                code,
               GError           **error)
{
  for (gint64 b = 0; b < lengths->n_elements; b++)
    if (FLOW_DATA (gint32, lengths)[b] > FLOW_DIMS (inputs)[0])
      {
        g_set_error (error, FLOW_ERROR, code, "sequence_length(%" G_GINT64_FORMAT ") <= %" G_GINT64_FORMAT, b,
                     FLOW_DIMS (inputs)[0]);
        return FALSE;
      }
  return TRUE;
}

gboolean
flow_ctc_check_sequence (FlowKernelContext  *c,
                         guint               input,
                         gboolean            is_loss,
                         GError            **error)
{
  FlowTensor *inputs = flow_kernel_input (c, 0);
  FlowTensor *lengths = flow_kernel_input (c, input);
  int code = is_loss ? FLOW_ERROR_INVALID_ARGUMENT : FLOW_ERROR_FAILED_PRECONDITION;

  FLOW_REQUIRE (FLOW_RANK (inputs) == 3, error, INVALID_ARGUMENT, "inputs is not a 3-Tensor");
  FLOW_REQUIRE (is_loss || FLOW_DIMS (inputs)[0] > 0, error, INVALID_ARGUMENT, "max_time is 0");
  FLOW_REQUIRE (FLOW_RANK (lengths) == 1, error, INVALID_ARGUMENT, "sequence_length is not a vector");
  if (FLOW_DIMS (inputs)[1] != lengths->n_elements)
    {
      g_set_error (error, FLOW_ERROR, code,
                   "len(sequence_length) != batch_size.  len(sequence_length):  %" G_GINT64_FORMAT " batch_size: %"
                   G_GINT64_FORMAT, lengths->n_elements, FLOW_DIMS (inputs)[1]);
      return FALSE;
    }
  return is_loss || check_lengths (inputs, lengths, code, error);
}

typedef struct {
  gint64 first;                /* into the values */
  gint64 n;
} Labels;

/* TF: SparseTensor::IndicesValid: sorted, in bounds, none twice. Fills the labels of each sequence. */
static gboolean
group_labels (const FlowTensor  *indices,
              gint64             n_batch,
              Labels            *labels,
              GError           **error)
{
  gint64 n = FLOW_DIMS (indices)[0];
  gint64 width = 0;

  for (gint64 i = 0; i < n; i++)
    width = MAX (width, (gint64) ((guint64) FLOW_DATA (gint64, indices)[2 * i + 1] + 1));
  for (gint64 i = 0; i < n; i++)
    {
      const gint64 *at = FLOW_DATA (gint64, indices) + 2 * i;
      const gint64 *before = at - 2;

      FLOW_REQUIRE (at[0] >= 0 && at[0] < n_batch && at[1] >= 0, error, INVALID_ARGUMENT,
                    "label SparseTensor is not valid: indices[%" G_GINT64_FORMAT "] = [%" G_GINT64_FORMAT ",%"
                    G_GINT64_FORMAT "] is out of bounds: need 0 <= index < [%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT "]",
                    i, at[0], at[1], n_batch, width);
      FLOW_REQUIRE (i == 0 || before[0] < at[0] || (before[0] == at[0] && before[1] <= at[1]), error, INVALID_ARGUMENT,
                    "label SparseTensor is not valid: indices[%" G_GINT64_FORMAT "] = [%" G_GINT64_FORMAT ",%"
                    G_GINT64_FORMAT "] is out of order. Many sparse ops require sorted indices.\n"
                    "    Use `tf.sparse.reorder` to create a correctly ordered copy.\n\n", i, at[0], at[1]);
      FLOW_REQUIRE (i == 0 || before[0] < at[0] || before[1] < at[1], error, INVALID_ARGUMENT,
                    "label SparseTensor is not valid: indices[%" G_GINT64_FORMAT "] = [%" G_GINT64_FORMAT ",%"
                    G_GINT64_FORMAT "] is repeated", i, at[0], at[1]);
      if (labels[at[0]].n++ == 0)
        labels[at[0]].first = i;
    }
  return TRUE;
}

static char *
join_labels (const gint32 *values,
             gint64        n,
             gint64        step)
{
  GString *text = g_string_new (NULL);

  for (gint64 i = 0; i < n && i < 1000; i++)
    g_string_append_printf (text, "%s%d", i > 0 ? "," : "", values[i * step]);
  return g_string_free (text, FALSE);
}

/* --- One sequence ------------------------------------------------------------------------------------ */

typedef struct {
  FlowKernelContext *c;
  const FlowTensor *inputs;
  FlowTensor *loss;
  FlowTensor *gradient;
  gint64 n_classes;
  gboolean collapse;
  gboolean merge;
  gboolean ignore_longer;
} Ctc;

/* The labels with a blank before, between and after them. */
static gboolean
make_path (const Ctc     *self,
           const gint32  *values,
           const Labels  *labels,
           gint64         b,
           gint64         n_steps,
           GArray        *path,
           GError       **error)
{
  const gint32 *v = values + labels->first;
  gint32 blank = (gint32) self->n_classes - 1;
  gboolean ended = FALSE;
  gint64 n = 0;

  FLOW_REQUIRE (labels->n > 0, error, INVALID_ARGUMENT, "Labels length is zero in batch %" G_GINT64_FORMAT, b);
  g_array_set_size (path, 0);
  for (gint64 i = 0; i < labels->n; i++)
    {
      g_autofree char *all = NULL;
      g_autofree char *seen = NULL;

      if (self->collapse && i > 0 && v[i] == v[i - 1])
        continue;
      if (v[i] >= blank)
        {
          ended = TRUE;
          continue;
        }
      if (!ended)
        {
          g_array_append_val (path, blank);
          g_array_append_val (path, v[i]);
          n++;
          continue;
        }
      all = join_labels (v, labels->n, 1);
      seen = join_labels ((const gint32 *) (gconstpointer) path->data + 1, n, 2);
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "Saw a non-null label (index >= num_classes - 1) following a null label, batch: %" G_GINT64_FORMAT
                   " num_classes: %" G_GINT64_FORMAT " labels: %s labels seen so far: %s", b, self->n_classes, all, seen);
      return FALSE;
    }
  for (gint64 i = 0; i < n; i++)
    if (g_array_index (path, gint32, 2 * i + 1) < 0)
      {
        g_autofree char *seen = join_labels ((const gint32 *) (gconstpointer) path->data + 1, n, 2);

        g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                     "All labels must be nonnegative integers, batch: %" G_GINT64_FORMAT " labels: %s", b, seen);
        return FALSE;
      }
  g_array_append_val (path, blank);
  /* TF: all that were given, those left out above too. */
  FLOW_REQUIRE (self->ignore_longer || labels->n <= n_steps, error, INVALID_ARGUMENT,
                "Not enough time for target transition sequence (required: %" G_GINT64_FORMAT ", available: %"
                G_GINT64_FORMAT ")%" G_GINT64_FORMAT "You can turn this error into a warning by using the flag "
                "ignore_longer_outputs_than_inputs", labels->n, n_steps, b);
  return TRUE;
}

/* Log probabilities of the classes at each step of sequence @b. */
static void
log_softmax (const Ctc *self,
             gint64     b,
             gint64     n_steps,
             double    *log_y)
{
  for (gint64 t = 0; t < n_steps; t++)
    {
      gint64 row = (t * FLOW_DIMS (self->inputs)[1] + b) * self->n_classes;
      double *y = log_y + t * self->n_classes;
      double max = -INFINITY;
      double sum = 0;

      for (gint64 k = 0; k < self->n_classes; k++)
        {
          y[k] = flow_tensor_get_double (self->inputs, row + k);
          max = MAX (max, y[k]);
        }
      for (gint64 k = 0; k < self->n_classes; k++)
        sum += exp (y[k] - max);
      for (gint64 k = 0; k < self->n_classes; k++)
        y[k] = y[k] - max - log (sum);
    }
}

/* Whether the path may step over the blank between two labels. */
static inline gboolean
may_skip (const Ctc    *self,
          const gint32 *path,
          gint64        from,
          gint64        to)
{
  return path[from] != self->n_classes - 1 && path[to] != self->n_classes - 1 &&
         !(self->merge && path[from] == path[to]);
}

static void
forward_variables (const Ctc    *self,
                   const gint32 *path,
                   gint64        n,
                   gint64        n_steps,
                   const double *log_y,
                   double       *alpha)
{
  gint32 blank = (gint32) self->n_classes - 1;

  for (gint64 i = 0; i < n * n_steps; i++)
    alpha[i] = -INFINITY;
  alpha[0] = log_y[blank];
  if (n > 1)
    alpha[1] = log_y[path[1]];
  for (gint64 t = 1; t < n_steps; t++)
    for (gint64 u = MAX (0, n - 2 * (n_steps - t)); u < MIN (n, 2 * (t + 1)); u++)
      {
        const double *before = alpha + (t - 1) * n;
        double sum = self->merge || path[u] == blank ? before[u] : -INFINITY;

        if (u > 0)
          sum = flow_ctc_log_add (sum, before[u - 1]);
        if (u > 1 && may_skip (self, path, u - 2, u))
          sum = flow_ctc_log_add (sum, before[u - 2]);
        alpha[t * n + u] = log_y[t * self->n_classes + path[u]] + sum;
      }
}

static void
backward_variables (const Ctc    *self,
                    const gint32 *path,
                    gint64        n,
                    gint64        n_steps,
                    const double *log_y,
                    double       *beta)
{
  gint32 blank = (gint32) self->n_classes - 1;

  for (gint64 i = 0; i < n * n_steps; i++)
    beta[i] = -INFINITY;
  /* TF: without labels there is a blank alone, and the place before it is that of the step before. */
  for (gint64 i = MAX (0, n_steps * n - 2); i < n_steps * n; i++)
    beta[i] = 0;
  for (gint64 t = n_steps - 2; t >= 0; t--)
    for (gint64 u = MAX (0, n - 2 * (n_steps - t)); u < MIN (n, 2 * (t + 1)); u++)
      {
        const double *after = beta + (t + 1) * n;
        const double *y = log_y + (t + 1) * self->n_classes;
        double sum = beta[t * n + u];

        if (self->merge || path[u] == blank)
          sum = flow_ctc_log_add (sum, after[u] + y[path[u]]);
        if (u + 1 < n)
          sum = flow_ctc_log_add (sum, after[u + 1] + y[path[u + 1]]);
        if (u + 2 < n && may_skip (self, path, u, u + 2))
          sum = flow_ctc_log_add (sum, after[u + 2] + y[path[u + 2]]);
        beta[t * n + u] = sum;
      }
}

static void
store (FlowTensor *out,
       gint64      i,
       double      value)
{
  if (out->dtype == FLOW_DTYPE_DOUBLE)
    FLOW_WRITABLE (double, out)[i] = value;
  else
    FLOW_WRITABLE (float, out)[i] = (float) value;
}

static void
write_gradient (const Ctc    *self,
                gint64        b,
                const gint32 *path,
                gint64        n,
                gint64        n_steps,
                const double *log_y,
                const double *alpha,
                const double *beta,
                double        log_p,
                double       *sums)
{
  for (gint64 t = 0; t < n_steps; t++)
    {
      gint64 row = (t * FLOW_DIMS (self->inputs)[1] + b) * self->n_classes;

      for (gint64 k = 0; k < self->n_classes; k++)
        sums[k] = -INFINITY;
      for (gint64 u = 0; u < n; u++)
        sums[path[u]] = flow_ctc_log_add (sums[path[u]], alpha[t * n + u] + beta[t * n + u]);
      /* TF: where no path leads to the labels, the probabilities themselves. */
      for (gint64 k = 0; k < self->n_classes; k++)
        store (self->gradient, row + k,
               exp (log_y[t * self->n_classes + k]) - (log_p == -INFINITY ? 0 : exp (sums[k] - log_p)));
    }
}

static gboolean
compute_sequence (const Ctc     *self,
                  gint64         b,
                  const gint32  *path,
                  gint64         n,
                  gint64         n_steps,
                  GError       **error)
{
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (FlowTensor) memory = NULL;
  double *log_y;
  double *alpha;
  double *beta;
  double log_p = -INFINITY;

  shape = flow_shape_new_matrix (n_steps, self->n_classes + 2 * n);
  if ((memory = flow_kernel_allocate_temp (self->c, FLOW_DTYPE_DOUBLE, shape, error)) == NULL)
    return FALSE;
  log_y = memory->data;
  alpha = log_y + n_steps * self->n_classes;
  beta = alpha + n_steps * n;
  log_softmax (self, b, n_steps, log_y);
  forward_variables (self, path, n, n_steps, log_y, alpha);
  backward_variables (self, path, n, n_steps, log_y, beta);
  for (gint64 u = 0; u < n; u++)
    log_p = flow_ctc_log_add (log_p, alpha[u] + beta[u]);
  store (self->loss, b, -log_p);
  {
    g_autoptr (FlowShape) row_shape = flow_shape_new_vector (self->n_classes);
    g_autoptr (FlowTensor) sums = flow_kernel_allocate_temp (self->c, FLOW_DTYPE_DOUBLE, row_shape, error);

    if (sums == NULL)
      return FALSE;
    write_gradient (self, b, path, n, n_steps, log_y, alpha, beta, log_p, sums->data);
  }
  return TRUE;
}

/* --- CTCLoss ----------------------------------------------------------------------------------------- */

static gboolean
infer_loss (FlowInferContext  *c,
            GError           **error)
{
  static const int ranks[] = { 3, 2, 1, 1 };
  g_autoptr (FlowShape) inputs = NULL;
  gint64 batch;

  if (c->running)
    {
      FLOW_REQUIRE (flow_infer_input (c, 0)->rank == 3, error, INVALID_ARGUMENT, "inputs is not a 3-Tensor");
      FLOW_REQUIRE (flow_infer_input (c, 3)->rank == 1, error, INVALID_ARGUMENT, "sequence_length is not a vector");
      FLOW_REQUIRE (flow_infer_input (c, 1)->rank == 2, error, INVALID_ARGUMENT, "labels_indices is not a matrix");
      FLOW_REQUIRE (flow_infer_input (c, 2)->rank == 1, error, INVALID_ARGUMENT, "labels_values is not a vector");
    }
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 3, &inputs, error))
    return FALSE;
  for (guint i = 1; i < 4; i++)
    {
      g_autoptr (FlowShape) ranked = NULL;

      if (!flow_infer_with_rank (c, flow_infer_input (c, i), ranks[i], &ranked, error))
        return FALSE;
    }
  batch = flow_shape_get_dim (inputs, 1);
  if (!c->running && flow_infer_input (c, 3)->rank == 1 &&
      !flow_infer_merge_dim (c, batch, flow_infer_input (c, 3)->dims[0], &batch, error))
    return FALSE;
  flow_infer_take_output (c, 0, flow_shape_new_vector (batch));
  flow_infer_take_output (c, 1, g_steal_pointer (&inputs));
  return TRUE;
}

static gboolean
check_loss (FlowKernelContext  *c,
            GError            **error)
{
  FlowTensor *indices = flow_kernel_input (c, 1);
  FlowTensor *values = flow_kernel_input (c, 2);
  FlowTensor *lengths = flow_kernel_input (c, 3);
  g_autofree char *indices_text = flow_shape_to_string (indices->shape);
  g_autofree char *values_text = flow_shape_to_string (values->shape);

  if (!flow_ctc_check_sequence (c, 3, TRUE, error))
    return FALSE;
  FLOW_REQUIRE (FLOW_DIMS (indices)[0] == values->n_elements, error, INVALID_ARGUMENT,
                "labels_indices and labels_values must contain the same number of rows, but saw shapes: %s vs. %s",
                indices_text, values_text);
  FLOW_REQUIRE (lengths->n_elements > 0, error, INVALID_ARGUMENT, "batch_size must not be 0");
  FLOW_REQUIRE (FLOW_DIMS (indices)[1] == 2, error, INVALID_ARGUMENT, "Order length must be SparseTensor rank.");
  return TRUE;
}

/* What TensorFlow looks at when the labels are in order. */
static gboolean
check_times (FlowKernelContext  *c,
             GError            **error)
{
  FlowTensor *inputs = flow_kernel_input (c, 0);
  FlowTensor *lengths = flow_kernel_input (c, 3);

  if (!check_lengths (inputs, lengths, FLOW_ERROR_INVALID_ARGUMENT, error))
    return FALSE;
  FLOW_REQUIRE (FLOW_DIMS (inputs)[0] > 0, error, INVALID_ARGUMENT, "Max time or first dimension of input cannot be 0.");
  for (gint64 b = 0; b < lengths->n_elements; b++)
    FLOW_REQUIRE (FLOW_DATA (gint32, lengths)[b] >= 0, error, INVALID_ARGUMENT, "seq_len(%" G_GINT64_FORMAT ") < 0", b);
  return TRUE;
}

static gboolean
loss_compute (FlowKernelContext  *c,
              GError            **error)
{
  FlowTensor *inputs = flow_kernel_input (c, 0);
  FlowTensor *values = flow_kernel_input (c, 2);
  FlowTensor *lengths = flow_kernel_input (c, 3);
  g_autofree Labels *labels = NULL;
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (gint32));
  Ctc self = { .c = c, .inputs = inputs };

  if (!check_loss (c, error))
    return FALSE;
  labels = g_try_new0 (Labels, MAX (lengths->n_elements, 1));
  FLOW_REQUIRE (labels != NULL, error, RESOURCE_EXHAUSTED, "OOM when grouping the labels");
  if (!group_labels (flow_kernel_input (c, 1), lengths->n_elements, labels, error) || !check_times (c, error) ||
      (self.loss = flow_kernel_allocate_inferred (c, 0, error)) == NULL ||
      (self.gradient = flow_kernel_allocate_inferred (c, 1, error)) == NULL)
    return FALSE;
  if (self.loss->n_bytes > 0)
    memset (self.loss->data, 0, self.loss->n_bytes);
  if (self.gradient->n_bytes > 0)
    memset (self.gradient->data, 0, self.gradient->n_bytes);
  self.n_classes = FLOW_DIMS (inputs)[2];
  self.collapse = flow_kernel_attr_bool (c, "preprocess_collapse_repeated");
  self.merge = flow_kernel_attr_bool (c, "ctc_merge_repeated");
  self.ignore_longer = flow_kernel_attr_bool (c, "ignore_longer_outputs_than_inputs");
  /* TF: looks at all labels first. */
  for (gint64 b = 0; b < lengths->n_elements; b++)
    if (!make_path (&self, FLOW_DATA (gint32, values), &labels[b], b, FLOW_DATA (gint32, lengths)[b], path, error))
      return FALSE;
  for (gint64 b = 0; b < lengths->n_elements; b++)
    {
      gint64 n_steps = FLOW_DATA (gint32, lengths)[b];

      /* Longer labels than steps, where that is ignored, and nothing at all: loss and gradient 0. */
      if (!make_path (&self, FLOW_DATA (gint32, values), &labels[b], b, n_steps, path, error) ||
          (labels[b].n <= n_steps && (!flow_ctc_check_classes (inputs, error) ||
                                      !compute_sequence (&self, b, (const gint32 *) path->data, path->len, n_steps, error))))
        return FALSE;
    }
  return TRUE;
}

/* --- Decoding ---------------------------------------------------------------------------------------- */

static gboolean
infer_greedy (FlowInferContext  *c,
              GError           **error)
{
  return flow_ctc_infer_decoder (c, 1, error);
}

/* Shapes of a decoder that gives @n_paths label sequences for each input sequence. */
gboolean
flow_ctc_infer_decoder (FlowInferContext  *c,
                        guint              n_paths,
                        GError           **error)
{
  g_autoptr (FlowShape) inputs = NULL;
  g_autoptr (FlowShape) lengths = NULL;
  gint64 batch;

  if (c->running)
    {
      FLOW_REQUIRE (flow_infer_input (c, 0)->rank == 3, error, INVALID_ARGUMENT, "inputs is not a 3-Tensor");
      FLOW_REQUIRE (flow_infer_input (c, 1)->rank == 1, error, INVALID_ARGUMENT, "sequence_length is not a vector");
    }
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 3, &inputs, error) ||
      !flow_infer_with_rank (c, flow_infer_input (c, 1), 1, &lengths, error))
    return FALSE;
  batch = flow_shape_get_dim (inputs, 1);
  if (!c->running && !flow_infer_merge_dim (c, batch, flow_shape_get_dim (lengths, 0), &batch, error))
    return FALSE;
  for (guint i = 0; i < n_paths; i++)
    {
      flow_infer_take_output (c, i, flow_shape_new_matrix (FLOW_DIM_UNKNOWN, 2));
      flow_infer_take_output (c, n_paths + i, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
      flow_infer_take_output (c, 2 * n_paths + i, flow_shape_new_vector (2));
    }
  flow_infer_take_output (c, 3 * n_paths, flow_shape_new_matrix (batch, n_paths));
  return TRUE;
}

/**
 * flow_ctc_set_decoded:
 * @c: a context
 * @path: which of @n_paths
 * @n_paths: how many the op gives
 * @sequences: (array length=n_batch): the labels of each input sequence, arrays of gint64
 * @n_batch: how many input sequences there are
 * @error: where to put an error
 *
 * Sets the three outputs that hold the decoded labels as a sparse tensor.
 */
gboolean
flow_ctc_set_decoded (FlowKernelContext  *c,
                      guint               path,
                      guint               n_paths,
                      GArray            **sequences,
                      gint64              n_batch,
                      GError            **error)
{
  g_autoptr (FlowShape) indices_shape = NULL;
  g_autoptr (FlowShape) values_shape = NULL;
  g_autoptr (FlowShape) two = flow_shape_new_vector (2);
  FlowTensor *indices;
  FlowTensor *values;
  FlowTensor *shape;
  gint64 total = 0;
  gint64 longest = 0;
  gint64 n = 0;

  for (gint64 b = 0; b < n_batch; b++)
    {
      total += sequences[b]->len;
      longest = MAX (longest, (gint64) sequences[b]->len);
    }
  indices_shape = flow_shape_new_matrix (total, 2);
  values_shape = flow_shape_new_vector (total);
  if ((indices = flow_kernel_allocate (c, path, indices_shape, error)) == NULL ||
      (values = flow_kernel_allocate (c, n_paths + path, values_shape, error)) == NULL ||
      (shape = flow_kernel_allocate (c, 2 * n_paths + path, two, error)) == NULL)
    return FALSE;
  for (gint64 b = 0; b < n_batch; b++)
    for (guint i = 0; i < sequences[b]->len; i++, n++)
      {
        FLOW_WRITABLE (gint64, indices)[2 * n] = b;
        FLOW_WRITABLE (gint64, indices)[2 * n + 1] = i;
        FLOW_WRITABLE (gint64, values)[n] = g_array_index (sequences[b], gint64, i);
      }
  FLOW_WRITABLE (gint64, shape)[0] = n_batch;
  FLOW_WRITABLE (gint64, shape)[1] = longest;
  return TRUE;
}

/* The most likely class at each step. */
static double
decode_greedily (const FlowTensor *inputs,
                 gint64            b,
                 gint64            n_steps,
                 gboolean          merge,
                 GArray           *labels)
{
  gint64 n_classes = FLOW_DIMS (inputs)[2];
  gint64 previous = -1;
  double score = 0;

  for (gint64 t = 0; t < n_steps; t++)
    {
      gint64 row = (t * FLOW_DIMS (inputs)[1] + b) * n_classes;
      gint64 best = 0;

      for (gint64 k = 1; k < n_classes; k++)
        if (flow_tensor_get_double (inputs, row + k) > flow_tensor_get_double (inputs, row + best))
          best = k;
      score -= flow_tensor_get_double (inputs, row + best);
      if (best != n_classes - 1 && !(merge && best == previous))
        g_array_append_val (labels, best);
      previous = best;
    }
  return score;
}

static gboolean
greedy_compute (FlowKernelContext  *c,
                GError            **error)
{
  FlowTensor *inputs = flow_kernel_input (c, 0);
  FlowTensor *lengths = flow_kernel_input (c, 1);
  gboolean merge = flow_kernel_attr_bool (c, "merge_repeated");
  g_autoptr (GPtrArray) sequences = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  FlowTensor *scores;

  if (!flow_ctc_check_sequence (c, 1, FALSE, error) || !flow_ctc_check_classes (flow_kernel_input (c, 0), error) ||
      (scores = flow_kernel_allocate_inferred (c, 3, error)) == NULL)
    return FALSE;
  for (gint64 b = 0; b < lengths->n_elements; b++)
    {
      GArray *labels = g_array_new (FALSE, FALSE, sizeof (gint64));

      g_ptr_array_add (sequences, labels);
      store (scores, b, decode_greedily (inputs, b, FLOW_DATA (gint32, lengths)[b], merge, labels));
    }
  return flow_ctc_set_decoded (c, 0, 1, (GArray **) sequences->pdata, lengths->n_elements, error);
}

static const FlowKernelDef loss_kernels[] = { { "T: double float", loss_compute }, { NULL } };
static const FlowKernelDef greedy_kernels[] = { { "T: double float", greedy_compute }, { NULL } };

static const FlowOpDef ops[] = {
  {
    .name = "CTCGreedyDecoder",
    .inputs = "inputs: T; sequence_length: int32",
    .outputs = "decoded_indices: int64; decoded_values: int64; decoded_shape: int64; log_probability: T",
    .attrs = "merge_repeated: bool = false; T: {float, double} = DT_FLOAT",
    .summary = "Labels from the most likely class at each step",
    .infer = infer_greedy,
    .kernels = greedy_kernels,
  },
  {
    .name = "CTCLoss",
    .inputs = "inputs: T; labels_indices: int64; labels_values: int32; sequence_length: int32",
    .outputs = "loss: T; gradient: T",
    .attrs = "preprocess_collapse_repeated: bool = false; ctc_merge_repeated: bool = true; "
             "ignore_longer_outputs_than_inputs: bool = false; T: {float, double} = DT_FLOAT",
    .summary = "Loss of label sequences whose alignment is not known",
    .family = FLOW_OP_FAMILY_MATH,
    .infer = infer_loss,
    .kernels = loss_kernels,
  },
};

FLOW_DEFINE_OP_FAMILY (nn_ctc, ops)
