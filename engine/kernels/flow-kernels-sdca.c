/* flow-kernels-sdca.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Stochastic dual coordinate ascent for linear models: each example has a dual variable, which is moved to
 * where it is best while those of the others stay.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-candidates-private.h"
#include "flow-string-hash-private.h"
#include "flow-string-private.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Newton's method is that good after so few. */
#define NEWTON_STEPS 10

/* --- losses --------------------------------------------------------------------------------------------------- */

/* What the best dual hangs on: of one example the logit, its squared norm over l2 times how many take part, and
 * its weight. */
typedef struct {
  double label;
  double dual;
  double wx;
  double norm;
  double weight;
} Dual;

typedef struct {
  const char *name;
  double (*update)     (const Dual *d);
  double (*primal)     (double wx, double label, double weight);
  double (*dual)       (double dual, double label, double weight);
  double (*slope)      (double wx, double label);
  double smoothness;
  gboolean is_binary;          /* labels are 0 and 1, and count as -1 and 1 */
} Loss;

static double
logistic_update (const Dual *d)
{
  const double factor = d->norm * d->weight;
  double x = 0;

  for (guint i = 0; i < NEWTON_STEPS; i++)
    {
      const double t = tanh (x);
      const double value = -2 * d->label * x - d->wx - factor * (0.5 * (1 + t) / d->label - d->dual);
      const double slope = -2 * d->label - factor * (1 - t * t) * 0.5 / d->label;

      x -= value / slope;
    }
  return 0.5 * (1 + tanh (x)) / d->label;
}

static double
logistic_primal (double wx,
                 double label,
                 double weight)
{
  const double margin = label * wx;

  return (margin > 0 ? log1p (exp (-margin)) : log1p (exp (margin)) - margin) * weight;
}

static double
logistic_dual (double dual,
               double label,
               double weight)
{
  const double a = dual * label;
  const double log_a = a > 0 ? log (a) : 0;
  const double log_rest = 1 - a > 0 ? log (1 - a) : 0;

  return (a * log_a + (1 - a) * log_rest) * weight;
}

static double
logistic_slope (double wx,
                double label)
{
  const double e = exp (-fabs (label * wx));

  return -(label * wx > 0 ? e / (1 + e) : 1 / (1 + e)) * label;
}

static double
squared_update (const Dual *d)
{
  return d->dual + (d->label - d->dual - d->wx) / (1 + d->norm * d->weight);
}

static double
squared_primal (double wx,
                double label,
                double weight)
{
  return (wx - label) * (wx - label) * weight * 0.5;
}

static double
squared_dual (double dual,
              double label,
              double weight)
{
  return dual * (0.5 * dual - label) * weight;
}

static double
squared_slope (double wx,
               double label)
{
  return wx - label;
}

/* Of a class: between 0 and the label. */
static double
keep_within (double dual,
             double label)
{
  if (label * dual < 0)
    return 0;
  return label * dual > 1 ? label : dual;
}

static double
hinge_update (const Dual *d)
{
  return keep_within (d->dual + (d->label - d->wx) / (d->norm * d->weight), d->label);
}

static double
hinge_primal (double wx,
              double label,
              double weight)
{
  return MAX (0.0, 1 - label * wx) * weight;
}

static double
hinge_dual (double dual,
            double label,
            double weight)
{
  const double a = dual * label;

  return a < 0 || a > 1 ? DBL_MAX : -a * weight;
}

static double
hinge_slope (double wx,
             double label)
{
  return label * wx < 1 ? -label : 0;
}

static double
smooth_hinge_update (const Dual *d)
{
  return keep_within (d->dual + (d->label - d->wx - d->dual) / (d->norm * d->weight + 1), d->label);
}

static double
smooth_hinge_primal (double wx,
                     double label,
                     double weight)
{
  const double margin = label * wx;

  if (margin >= 1)
    return 0;
  return margin <= 0 ? (1 - margin - 0.5) * weight : (1 - margin) * (1 - margin) * weight * 0.5;
}

static double
smooth_hinge_dual (double dual,
                   double label,
                   double weight)
{
  const double a = dual * label;

  return a < 0 || a > 1 ? DBL_MAX : (-a + 0.5 * dual * dual) * weight;
}

static double
smooth_hinge_slope (double wx,
                    double label)
{
  if (label * wx >= 1)
    return 0;
  return label * wx <= 0 ? -label : wx - label;
}

static double
poisson_update (const Dual *d)
{
  const double rest = d->label - d->dual;
  const double factor = d->norm * d->weight;
  double x = rest > 0 ? log (rest) : 0;

  for (guint i = 0; i < NEWTON_STEPS; i++)
    {
      const double e = exp (x);

      x -= (x - d->wx - factor * (rest - e)) / (1 + factor * e);
    }
  return d->label - exp (x);
}

static double
poisson_primal (double wx,
                double label,
                double weight)
{
  return (exp (wx) - wx * label) * weight;
}

static double
poisson_dual (double dual,
              double label,
              double weight)
{
  const double rest = label - dual;

  if (rest == 0)
    return 0;
  return rest < 0 ? DBL_MAX : rest * (log (rest) - 1) * weight;
}

static double
poisson_slope (double wx,
               double label)
{
  return exp (wx) - label;
}

static const Loss losses[] = {
  { "logistic_loss", logistic_update, logistic_primal, logistic_dual, logistic_slope, 4, TRUE },
  { "squared_loss", squared_update, squared_primal, squared_dual, squared_slope, 1, FALSE },
  { "hinge_loss", hinge_update, hinge_primal, hinge_dual, hinge_slope, 0, TRUE },
  { "smooth_hinge_loss", smooth_hinge_update, smooth_hinge_primal, smooth_hinge_dual, smooth_hinge_slope, 1, TRUE },
  { "poisson_loss", poisson_update, poisson_primal, poisson_dual, poisson_slope, 1, FALSE },
};

static gboolean
convert_label (const Loss  *loss,
               float       *label,
               GError     **error)
{
  if (loss->is_binary)
    {
      FLOW_REQUIRE (*label == 0 || *label == 1, error, INVALID_ARGUMENT,
                    "Only labels of 0.0 or 1.0 are supported right now. Found example with label: %g", (double) *label);
      *label = *label == 0 ? -1 : 1;
      return TRUE;
    }
  FLOW_REQUIRE (loss->update != poisson_update || !(*label < 0), error, INVALID_ARGUMENT,
                "Only non-negative labels can be used with the Poisson log loss. Found example with label: %g",
                (double) *label);
  return TRUE;
}

/* --- features and weights ------------------------------------------------------------------------------------- */

/* A group of sparse features. Those of example i are entries [starts[i], starts[i + 1]). */
typedef struct {
  const gint64 *features;
  gint64 *starts;
  gint64 *places;              /* where each entry's weight stands */
  const float *values;         /* nullable: all are one */
  const float *nominal;
  float *delta;
} Sparse;

typedef struct {
  const float *rows;
  gint64 n;
  gint64 n_weights;
  const float *nominal;
  float *delta;
} Dense;

typedef struct {
  const Loss *loss;
  float l2;
  double shrinkage;
  int n_partitions;
  gint64 n_examples;
  const float *weights;
  const float *labels;
  guint n_sparse;
  Sparse *sparse;
  guint n_dense;
  Dense *dense;
  double *norms;               /* squared, of each example */
  float *state;                /* four numbers for each */
  int *order;
} Sdca;

static void
sdca_clear (Sdca *self)
{
  for (guint i = 0; self->sparse != NULL && i < self->n_sparse; i++)
    {
      g_free (self->sparse[i].starts);
      g_free (self->sparse[i].places);
    }
  g_free (self->sparse);
  g_free (self->dense);
  g_free (self->norms);
  g_free (self->order);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sdca, sdca_clear)

static int
compare_ids (gconstpointer a,
             gconstpointer b)
{
  const gint64 *x = a;
  const gint64 *y = b;

  if (x[0] != y[0])
    return x[0] < y[0] ? -1 : 1;
  return x[1] < y[1] ? -1 : x[1] > y[1];
}

/* Feature ids, sorted, each with its place; of an id that is there twice the last place counts. */
static gint64 *
sort_ids (const FlowTensor *ids)
{
  const gint64 n = ids->n_elements;
  gint64 *pairs = g_try_new (gint64, 2 * (gsize) n + 2);

  for (gint64 i = 0; pairs != NULL && i < n; i++)
    {
      pairs[2 * i] = FLOW_DATA (gint64, ids)[i];
      pairs[2 * i + 1] = i;
    }
  if (pairs != NULL)
    qsort (pairs, (gsize) n, 2 * sizeof (gint64), compare_ids);
  return pairs;
}

static gint64
find_place (const gint64 *pairs,
            gint64        n,
            gint64        id)
{
  gint64 low = 0;
  gint64 high = n;

  while (low < high)
    {
      const gint64 middle = (low + high) / 2;

      if (pairs[2 * middle] <= id)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 && pairs[2 * low - 2] == id ? pairs[2 * low - 1] : -1;
}

/* Entries belong to examples in order; the first that does not fit ends what is read. */
static gboolean
read_entries (Sparse            *group,
              const FlowTensor  *examples,
              const FlowTensor  *features,
              const FlowTensor  *ids,
              gint64             n_weights,
              gint64             n_examples,
              GError           **error)
{
  g_autofree gint64 *pairs = sort_ids (ids);
  gint64 at = 0;

  FLOW_REQUIRE (pairs != NULL, error, RESOURCE_EXHAUSTED, "OOM when reading features");
  for (gint64 i = 0; i < n_examples; i++)
    {
      group->starts[i] = at;
      for (; at < examples->n_elements && FLOW_DATA (gint64, examples)[at] == i; at++)
        {
          const gint64 id = at < features->n_elements ? group->features[at] : 0;

          FLOW_REQUIRE (at < features->n_elements, error, INVALID_ARGUMENT,
                        "Found mismatched example_indices and feature_indices: %" G_GINT64_FORMAT " vs %" G_GINT64_FORMAT,
                        examples->n_elements, features->n_elements);
          group->places[at] = find_place (pairs, ids->n_elements, id);
          FLOW_REQUIRE (group->places[at] >= 0 && group->places[at] < n_weights, error, INVALID_ARGUMENT,
                        "Found sparse feature indices out of valid range: %" G_GINT64_FORMAT, id);
        }
    }
  group->starts[n_examples] = at;
  return TRUE;
}

static gboolean
read_sparse (FlowKernelContext  *c,
             Sdca               *self,
             guint               i,
             guint               n_with_values,
             GError            **error)
{
  Sparse *group = &self->sparse[i];
  const FlowTensor *examples = flow_kernel_input (c, i);
  const FlowTensor *features = flow_kernel_input (c, self->n_sparse + i);
  const guint first = 2 * self->n_sparse + n_with_values + self->n_dense + 2;
  const FlowTensor *weights = flow_kernel_input (c, first + self->n_sparse + i);
  FlowTensor *delta = flow_kernel_allocate (c, 1 + i, weights->shape, error);

  if (delta == NULL)
    return FALSE;
  memset (delta->data, 0, (gsize) delta->n_elements * sizeof (float));
  group->features = features->data;
  group->nominal = weights->data;
  group->delta = delta->data;
  group->starts = g_try_new (gint64, (gsize) self->n_examples + 1);
  group->places = g_try_new (gint64, (gsize) examples->n_elements + 1);
  FLOW_REQUIRE (group->starts != NULL && group->places != NULL, error, RESOURCE_EXHAUSTED, "OOM when reading features");
  if (!read_entries (group, examples, features, flow_kernel_input (c, first + i), weights->n_elements, self->n_examples,
                     error))
    return FALSE;
  if (i < n_with_values)
    {
      const FlowTensor *values = flow_kernel_input (c, 2 * self->n_sparse + i);

      group->values = values->data;
      FLOW_REQUIRE (values->n_elements >= group->starts[self->n_examples], error, INVALID_ARGUMENT,
                    "Expected a value for each of %" G_GINT64_FORMAT " sparse features, got %" G_GINT64_FORMAT,
                    group->starts[self->n_examples], values->n_elements);
    }
  return TRUE;
}

static gboolean
read_dense (FlowKernelContext  *c,
            Sdca               *self,
            guint               i,
            guint               n_with_values,
            GError            **error)
{
  Dense *group = &self->dense[i];
  const FlowTensor *rows = flow_kernel_input (c, 2 * self->n_sparse + n_with_values + i);
  const FlowTensor *weights = flow_kernel_input (c, 4 * self->n_sparse + n_with_values + self->n_dense + 2 + i);
  FlowTensor *delta = flow_kernel_allocate (c, 1 + self->n_sparse + i, weights->shape, error);

  if (delta == NULL)
    return FALSE;
  memset (delta->data, 0, (gsize) delta->n_elements * sizeof (float));
  FLOW_REQUIRE (FLOW_RANK (rows) == 2, error, INVALID_ARGUMENT,
                "Dense features at index %u must be rank 2 but is rank %d", i, FLOW_RANK (rows));
  FLOW_REQUIRE (FLOW_DIMS (rows)[0] >= self->n_examples, error, INVALID_ARGUMENT,
                "Dense features at index %u must have a row for each of %" G_GINT64_FORMAT " examples, got %"
                G_GINT64_FORMAT, i, self->n_examples, FLOW_DIMS (rows)[0]);
  FLOW_REQUIRE (FLOW_DIMS (rows)[1] > 0 && FLOW_DIMS (rows)[1] <= weights->n_elements, error, INVALID_ARGUMENT,
                "More dense features than we have parameters for: %" G_GINT64_FORMAT, FLOW_DIMS (rows)[1]);
  FLOW_REQUIRE (FLOW_DIMS (rows)[1] == weights->n_elements, error, INVALID_ARGUMENT,
                "Dense features at index %u have %" G_GINT64_FORMAT " columns for %" G_GINT64_FORMAT " parameters", i,
                FLOW_DIMS (rows)[1], weights->n_elements);
  *group = (Dense) { rows->data, FLOW_DIMS (rows)[1], weights->n_elements, weights->data, delta->data };
  return TRUE;
}

/* The squared norm of an example; a feature that it has twice is refused. */
static gboolean
measure_example (Sdca    *self,
                 gint64   example,
                 GError **error)
{
  double norm = 0;

  for (guint j = 0; j < self->n_sparse; j++)
    {
      const Sparse *group = &self->sparse[j];
      const gint64 n = group->starts[example + 1] - group->starts[example];
      g_autoptr (GHashTable) seen = n > 1 ? g_hash_table_new (g_int64_hash, g_int64_equal) : NULL;

      for (gint64 k = group->starts[example]; k < group->starts[example + 1]; k++)
        {
          const double value = group->values != NULL ? (double) group->values[k] : 1.0;

          FLOW_REQUIRE (seen == NULL || g_hash_table_add (seen, (gpointer) &group->features[k]), error, INVALID_ARGUMENT,
                        "Duplicate index in sparse vector.");
          norm += value * value;
        }
    }
  for (guint j = 0; j < self->n_dense; j++)
    {
      const float *row = self->dense[j].rows + example * self->dense[j].n;
      float sum = 0;

      for (gint64 k = 0; k < self->dense[j].n; k++)
        sum += row[k] * row[k];
      norm += (double) sum;
    }
  self->norms[example] = norm;
  return TRUE;
}

/* --- one example ---------------------------------------------------------------------------------------------- */

static double
shrink (const Sdca *self,
        double      weight)
{
  const double rest = fabs (weight) - self->shrinkage;

  return rest > 0 ? copysign (rest, weight) : 0;
}

/* TF: numbers of dense groups are single ones. */
static float
shrink_float (float weight,
              float shrinkage)
{
  const float rest = fabsf (weight) - shrinkage;
  const float sign = weight > 0 ? 1 : weight < 0 ? -1 : weight;

  return sign * (rest > 0 ? rest : 0);
}

/* The logits of an example by the weights that were given, and by those that are there now. */
static void
compute_logits (const Sdca *self,
                gint64      example,
                double     *before,
                double     *now)
{
  *before = *now = 0;
  for (guint j = 0; j < self->n_sparse; j++)
    {
      const Sparse *group = &self->sparse[j];

      for (gint64 k = group->starts[example]; k < group->starts[example + 1]; k++)
        {
          const double value = group->values != NULL ? (double) group->values[k] : 1.0;
          const float weight = group->nominal[group->places[k]];
          const float moved = weight + group->delta[group->places[k]] * (float) self->n_partitions;

          *before += value * shrink (self, (double) weight);
          *now += value * shrink (self, (double) moved);
        }
    }
  for (guint j = 0; j < self->n_dense; j++)
    {
      const Dense *group = &self->dense[j];
      const float *row = group->rows + example * group->n;
      float sum[2] = { 0, 0 };

      for (gint64 k = 0; k < group->n; k++)
        {
          const float moved = group->nominal[k] + group->delta[k] * (float) self->n_partitions;

          sum[0] += row[k] * shrink_float (group->nominal[k], (float) self->shrinkage);
          sum[1] += row[k] * shrink_float (moved, (float) self->shrinkage);
        }
      *before += (double) sum[0];
      *now += (double) sum[1];
    }
}

static void
move_weights (Sdca   *self,
              gint64  example,
              double  by)
{
  for (guint j = 0; j < self->n_sparse; j++)
    {
      Sparse *group = &self->sparse[j];

      for (gint64 k = group->starts[example]; k < group->starts[example + 1]; k++)
        {
          float *delta = &group->delta[group->places[k]];

          *delta = (float) ((double) *delta + (group->values != NULL ? (double) group->values[k] : 1.0) * by);
        }
    }
  for (guint j = 0; j < self->n_dense; j++)
    for (gint64 k = 0; k < self->dense[j].n; k++)
      self->dense[j].delta[k] += self->dense[j].rows[example * self->dense[j].n + k] * (float) by;
}

static gboolean
train_example (Sdca    *self,
               gint64   example,
               GError **error)
{
  float *state = self->state + 4 * example;
  float label = self->labels[example];
  double before;
  double now;
  Dual d;
  double dual;

  if (!convert_label (self->loss, &label, error))
    return FALSE;
  compute_logits (self, example, &before, &now);
  d = (Dual) { (double) label, (double) state[0], now,
               self->n_partitions * (self->norms[example] / (double) self->l2), (double) self->weights[example] };
  dual = self->loss->update (&d);
  move_weights (self, example, (dual - d.dual) * d.weight / (double) self->l2);
  state[0] = (float) dual;
  state[1] = (float) self->loss->primal (before, d.label, d.weight);
  state[2] = (float) self->loss->dual (d.dual, d.label, d.weight);
  state[3] = self->weights[example];
  return TRUE;
}

/* --- the order of examples ------------------------------------------------------------------------------------ */

/* TF: shuffles anew with a seed of chance; here it is the session's, so that a step taken again is the same. */
static void
shuffle_order (Sdca             *self,
               FlowPhiloxStream *stream)
{
  for (gint64 i = 0; i < self->n_examples; i++)
    self->order[i] = (int) i;
  for (gint64 i = self->n_examples - 1; i > 0; i--)
    {
      const gint64 k = _flow_draw_below (stream, (guint32) i + 1);
      const int swap = self->order[i];

      self->order[i] = self->order[k];
      self->order[k] = swap;
    }
}

/* As likely as there is much to be gained; what was drawn already is drawn again ten times less likely. TF: where
 * draws fail too often, the rest of the order is the first example. */
static gboolean
draw_order (Sdca             *self,
            FlowPhiloxStream *stream,
            GError          **error)
{
  g_autofree float *chances = g_try_new (float, (gsize) self->n_examples + 1);
  g_autofree int *counts = g_try_new0 (int, (gsize) self->n_examples + 1);
  FlowAliases aliases = { 0 };
  FlowPhiloxStream fixed;
  FlowPhilox generator;
  gint64 n = 0;

  FLOW_REQUIRE (chances != NULL && counts != NULL, error, RESOURCE_EXHAUSTED, "OOM when choosing examples");
  for (gint64 i = 0; i < self->n_examples; i++)
    {
      float label = self->labels[i];
      double before;
      double now;

      if (!convert_label (self->loss, &label, error))
        return FALSE;
      compute_logits (self, i, &before, &now);
      chances[i] = (float) ((double) self->weights[i]
                            * sqrt (self->norms[i] + (double) self->l2 * self->loss->smoothness)
                            * fabs ((double) self->state[4 * i] + self->loss->slope (now, (double) label)));
      self->order[i] = 0;
    }
  if (!_flow_aliases_init (&aliases, chances, (gint32) self->n_examples, error))
    {
      _flow_aliases_clear (&aliases);
      return FALSE;
    }
  flow_philox_init (&generator, 0, 0);
  flow_philox_stream_init (&fixed, &generator);
  for (gint64 failed = 0; n < self->n_examples && failed < self->n_examples;)
    {
      const gint64 i = _flow_aliases_draw (&aliases, &fixed);

      if ((double) flow_random_to_float (flow_philox_stream_next (stream)) > pow (0.1, counts[i]))
        {
          failed++;
          continue;
        }
      counts[i]++;
      self->order[n++] = (int) i;
    }
  _flow_aliases_clear (&aliases);
  return TRUE;
}

static gboolean
choose_order (FlowKernelContext  *c,
              Sdca               *self,
              GError            **error)
{
  FlowAttr *adaptive = flow_kernel_attr (c, "adaptative");
  FlowPhiloxStream stream;
  FlowPhilox generator;
  guint64 seed[2];

  if (adaptive == NULL)
    adaptive = flow_kernel_attr (c, "adaptive");
  self->order = g_try_new (int, (gsize) self->n_examples + 1);
  FLOW_REQUIRE (self->order != NULL, error, RESOURCE_EXHAUSTED, "OOM when choosing examples");
  c->host->draw_seed (c->host_data, c->node_name, seed);
  flow_philox_init (&generator, seed[0], seed[1]);
  flow_philox_stream_init (&stream, &generator);
  if (adaptive != NULL && flow_attr_get_bool (adaptive) && self->n_examples > 0)
    return draw_order (self, &stream, error);
  shuffle_order (self, &stream);
  return TRUE;
}

/* --- the op --------------------------------------------------------------------------------------------------- */

static gboolean
check_attrs (FlowKernelContext  *c,
             Sdca               *self,
             GError            **error)
{
  const gint64 n_sparse = flow_kernel_attr_int (c, "num_sparse_features");
  const gint64 n_dense = flow_kernel_attr_int (c, "num_dense_features");
  const float l1 = flow_kernel_attr_float (c, "l1");

  FLOW_REQUIRE (n_sparse + n_dense > 0, error, INVALID_ARGUMENT, "Requires at least one feature to train.");
  FLOW_REQUIRE (flow_kernel_attr_int (c, "num_sparse_features_with_values") <= n_sparse, error, INVALID_ARGUMENT,
                "There are values for more groups of sparse features than there are");
  self->n_sparse = (guint) n_sparse;
  self->n_dense = (guint) n_dense;
  self->l2 = flow_kernel_attr_float (c, "l2");
  self->shrinkage = (double) (l1 / self->l2);
  self->n_partitions = (int) MIN (flow_kernel_attr_int (c, "num_loss_partitions"), G_MAXINT32);
  for (guint i = 0; i < G_N_ELEMENTS (losses); i++)
    if (strcmp (losses[i].name, flow_kernel_attr_string (c, "loss_type")) == 0)
      self->loss = &losses[i];
  FLOW_REQUIRE (self->loss != NULL, error, INVALID_ARGUMENT, "Unsupported loss type: %s",
                flow_kernel_attr_string (c, "loss_type"));
  return TRUE;
}

static gboolean
read_examples (FlowKernelContext  *c,
               Sdca               *self,
               GError            **error)
{
  const guint n_with_values = (guint) flow_kernel_attr_int (c, "num_sparse_features_with_values");
  const guint first = 2 * self->n_sparse + n_with_values + self->n_dense;
  const FlowTensor *weights = flow_kernel_input (c, first);
  const FlowTensor *labels = flow_kernel_input (c, first + 1);

  self->n_examples = weights->n_elements;
  self->weights = weights->data;
  self->labels = labels->data;
  FLOW_REQUIRE (self->n_examples < G_MAXINT32, error, INVALID_ARGUMENT,
                "Too many examples in a mini-batch: %" G_GINT64_FORMAT " > %d", self->n_examples, G_MAXINT32);
  FLOW_REQUIRE (labels->n_elements == self->n_examples, error, INVALID_ARGUMENT,
                "Expected %" G_GINT64_FORMAT " example labels but got %" G_GINT64_FORMAT, self->n_examples,
                labels->n_elements);
  self->sparse = g_new0 (Sparse, self->n_sparse + 1);
  self->dense = g_new0 (Dense, self->n_dense + 1);
  self->norms = g_try_new0 (double, (gsize) self->n_examples + 1);
  FLOW_REQUIRE (self->norms != NULL, error, RESOURCE_EXHAUSTED, "OOM when reading examples");
  for (guint i = 0; i < self->n_sparse; i++)
    if (!read_sparse (c, self, i, n_with_values, error))
      return FALSE;
  for (guint i = 0; i < self->n_dense; i++)
    if (!read_dense (c, self, i, n_with_values, error))
      return FALSE;
  for (gint64 i = 0; i < self->n_examples; i++)
    if (!measure_example (self, i, error))
      return FALSE;
  return TRUE;
}

static gboolean
sdca_compute (FlowKernelContext  *c,
              GError            **error)
{
  const FlowTensor *state = flow_kernel_input (c, c->n_inputs - 1);
  g_auto (Sdca) self = { 0 };
  FlowTensor *out;

  if (!check_attrs (c, &self, error) || !read_examples (c, &self, error))
    return FALSE;
  if (FLOW_RANK (state) != 2 || FLOW_DIMS (state)[0] != self.n_examples || FLOW_DIMS (state)[1] != 4)
    {
      g_autofree char *text = flow_tensor_shape_text (state);

      return _flow_refuse (error, "Expected shape [%" G_GINT64_FORMAT ",4] for example_state_data, got %s",
                           self.n_examples, text);
    }
  out = flow_kernel_allocate (c, 0, state->shape, error);
  if (out == NULL)
    return FALSE;
  memcpy (out->data, state->data, (gsize) state->n_elements * sizeof (float));
  self.state = out->data;
  if (!choose_order (c, &self, error))
    return FALSE;
  for (gint64 i = 0; i < self.n_examples; i++)
    if (!train_example (&self, self.order[i], error)
        || ((i & 0xff) == 0 && g_cancellable_set_error_if_cancelled (c->cancellable, error)))
      return FALSE;
  return TRUE;
}

static gboolean
sdca_infer (FlowInferContext  *c,
            GError           **error)
{
  const guint n = c->n_outputs - 1;

  /* The weights, sparse and dense, stand before the last input. */
  for (guint i = 0; i < n; i++)
    flow_infer_set_output (c, 1 + i, flow_infer_input (c, c->n_inputs - 1 - n + i));
  flow_infer_take_output (c, 0, flow_shape_new_matrix (FLOW_DIM_UNKNOWN, 4));
  return TRUE;
}

/* --- SdcaShrinkL1 --------------------------------------------------------------------------------------------- */

static gboolean
shrink_compute (FlowKernelContext  *c,
                GError            **error)
{
  const float shrinkage = flow_kernel_attr_float (c, "l1") / flow_kernel_attr_float (c, "l2");

  for (guint i = 0; i < c->n_inputs; i++)
    if (!_flow_variable_require (flow_kernel_input_ref (c, i), error))
      return FALSE;
  for (guint i = 0; i < c->n_inputs; i++)
    {
      FlowVariable *variable = flow_kernel_input_ref (c, i);
      FlowTensor *value;

      flow_kernel_will_write (c, variable);
      value = flow_variable_own_value (variable, FALSE, c->budget, error);
      if (value == NULL)
        return FALSE;
      for (gint64 k = 0; k < value->n_elements; k++)
        FLOW_WRITABLE (float, value)[k] = shrink_float (FLOW_DATA (float, value)[k], shrinkage);
      flow_kernel_wrote (c, variable);
    }
  return TRUE;
}

/* --- SdcaFprint ----------------------------------------------------------------------------------------------- */

static gboolean
fprint_infer (FlowInferContext  *c,
              GError           **error)
{
  g_autoptr (FlowShape) shape = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 1, &shape, error))
    return FALSE;
  flow_infer_take_output (c, 0, flow_shape_new_matrix (flow_shape_get_dim (shape, 0), 2));
  return TRUE;
}

static gboolean
fprint_compute (FlowKernelContext  *c,
                GError            **error)
{
  const FlowTensor *input = flow_kernel_input (c, 0);
  FlowTensor *out;

  if (!flow_is_vector (input))
    return _flow_refuse_shapes (error, input, NULL, "Input must be a vector, got shape %s");
  out = flow_kernel_allocate_dims (c, 0, 2, (gint64[]) { input->n_elements, 2 }, error);
  if (out == NULL)
    return FALSE;
  for (gint64 i = 0; i < input->n_elements; i++)
    {
      const Text text = text_at (input, i);
      guint64 words[2];

      _flow_hash_farm_128 (text.bytes, text.length, words);
      /* TF: 0 and 1 are left to tables of hashes. */
      FLOW_WRITABLE (guint64, out)[2 * i] = words[0] >= 2 ? words[0] : words[0] - 2;
      FLOW_WRITABLE (guint64, out)[2 * i + 1] = words[1];
    }
  return TRUE;
}

#define SDCA_INPUTS                                                                                                       \
  "sparse_example_indices: num_sparse_features * int64; sparse_feature_indices: num_sparse_features * int64; "            \
  "sparse_feature_values: num_sparse_features_with_values * float; dense_features: num_dense_features * float; "         \
  "example_weights: float; example_labels: float; sparse_indices: num_sparse_features * int64; sparse_weights: "          \
  "num_sparse_features * float; dense_weights: num_dense_features * float; example_state_data: float"
#define SDCA_OUTPUTS                                                                                                      \
  "out_example_state_data: float; out_delta_sparse_weights: num_sparse_features * float; out_delta_dense_weights: "       \
  "num_dense_features * float"
#define SDCA_ATTRS(adaptive)                                                                                              \
  "loss_type: {\"logistic_loss\", \"squared_loss\", \"hinge_loss\", \"smooth_hinge_loss\", \"poisson_loss\"}; " adaptive  \
  ": bool = false; num_sparse_features: int >= 0; num_sparse_features_with_values: int >= 0; num_dense_features: int >= " \
  "0; l1: float; l2: float; num_loss_partitions: int >= 1; num_inner_iterations: int >= 1"

static const FlowOpDef ops[] = {
  { .name = "SdcaOptimizer", .inputs = SDCA_INPUTS, .outputs = SDCA_OUTPUTS, .attrs = SDCA_ATTRS ("adaptative"),
    .summary = "One pass over examples that moves the weights of a linear model", .flags = FLOW_OP_RANDOM,
    .family = FLOW_OP_FAMILY_MATH, .infer = sdca_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, sdca_compute }, { NULL } } },
  { .name = "SdcaOptimizerV2", .inputs = SDCA_INPUTS, .outputs = SDCA_OUTPUTS, .attrs = SDCA_ATTRS ("adaptive"),
    .summary = "One pass over examples that moves the weights of a linear model", .flags = FLOW_OP_RANDOM,
    .family = FLOW_OP_FAMILY_MATH, .infer = sdca_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, sdca_compute }, { NULL } } },
  { .name = "SdcaShrinkL1", .inputs = "weights: Ref(num_features * float)",
    .attrs = "num_features: int >= 0; l1: float; l2: float", .summary = "Weights drawn towards zero, and to it",
    .family = FLOW_OP_FAMILY_STATE, .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, shrink_compute }, { NULL } } },
  { .name = "SdcaFprint", .inputs = "input: string", .outputs = "output: int64",
    .summary = "Two numbers that tell a string from others", .family = FLOW_OP_FAMILY_MATH, .infer = fprint_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, fprint_compute }, { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (sdca, ops)
