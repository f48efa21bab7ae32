/* flow-forest-slot.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * The leaf of a growing tree: candidates, examples, and which candidate is the best. What it counts of classes is in
 * flow-forest-gini.c.
 */

#include "config.h"

#include "flow-forest-slot-private.h"

#include "flow-array-private.h"

#include <float.h>

/* --- what there is --------------------------------------------------------------------------------------------------- */

gboolean
_flow_forest_slot_check (const FlowForestParams  *params,
                         gint32                   depth,
                         GError                 **error)
{
  const float dominate = _flow_forest_param_resolve (&params->dominate, depth);
  const gboolean is_known = params->stats_type >= 0 && params->stats_type <= FLOW_FOREST_STATS_FIXED && params->stats_type != 3;

  /* TF: ends itself where it does not know or does not find something. */
  FLOW_REQUIRE (params->collection_type == 0, error, INVALID_ARGUMENT, "Unknown split collection operator: %d",
                params->collection_type);
  FLOW_REQUIRE (is_known, error, INVALID_ARGUMENT, "Unknown grow stats type: %d", params->stats_type);
  FLOW_REQUIRE (params->n_splits.curve != FLOW_FOREST_UNSET && params->split_after.curve != FLOW_FOREST_UNSET, error,
                INVALID_ARGUMENT, "unknown parameter type");
  if (params->stats_type == FLOW_FOREST_STATS_REGRESSION)
    return TRUE;
  FLOW_REQUIRE (params->finish_type == FLOW_FOREST_FINISH_BASIC ||
                (params->dominate.curve != FLOW_FOREST_UNSET && params->min_samples.curve != FLOW_FOREST_UNSET), error,
                INVALID_ARGUMENT, "dominate_fraction and min_split_samples required for early-finish strategy.");
  FLOW_REQUIRE (params->finish_type == FLOW_FOREST_FINISH_BASIC || (dominate > 0 && dominate <= 1), error, INVALID_ARGUMENT,
                "Invalid dominate fraction %g", (double) dominate);
  FLOW_REQUIRE (params->finish_type == FLOW_FOREST_FINISH_BASIC ||
                _flow_forest_param_resolve (&params->check_every, depth) >= 1, error, INVALID_ARGUMENT,
                "check_every_steps must be positive");
  return TRUE;
}

/* Whole, as C++ makes it of a float, where that has a sense. */
static gint32
resolve (const FlowForestParam *param,
         gint32                 depth)
{
  const float number = _flow_forest_param_resolve (param, depth);

  return number >= -2147483648.0f && number < 2147483648.0f ? (gint32) number : G_MAXINT32;
}

static gint32
twice (gint32 n)
{
  return (gint32) CLAMP (2 * (gint64) n, G_MININT32, G_MAXINT32);
}

static FlowForestPlan
make_plan (const FlowForestParams *params,
           gint32                  depth)
{
  FlowForestPlan plan = { resolve (&params->n_splits, depth), resolve (&params->split_after, depth) };

  plan.min_samples = plan.split_after;
  plan.check_every = twice (plan.split_after);
  plan.prune_every = twice (plan.split_after);
  plan.dominate = _flow_forest_param_resolve (&params->dominate, depth);
  if (params->finish_type != FLOW_FOREST_FINISH_BASIC)
    {
      plan.min_samples = resolve (&params->min_samples, depth);
      plan.check_every = resolve (&params->check_every, depth);
    }
  if (params->prune_type != FLOW_FOREST_PRUNE_NONE)
    plan.prune_every = resolve (&params->prune_every, depth);
  return plan;
}

static void
map_free (gpointer map)
{
  _flow_int_map_free (map);
}

static void
split_unref (gpointer split)
{
  _flow_forest_split_unref (split);
}

static GArray *
new_floats (guint n)
{
  GArray *floats = g_array_new (FALSE, TRUE, sizeof (float));

  g_array_set_size (floats, n);
  return floats;
}

FlowForestSlot *
_flow_forest_slot_new (const FlowForestParams *params,
                       gint32                  depth)
{
  FlowForestSlot *self = g_new0 (FlowForestSlot, 1);
  const guint n = params->stats_type == FLOW_FOREST_STATS_REGRESSION ? (guint) params->n_outputs : 0;

  g_atomic_ref_count_init (&self->ref_count);
  self->params = params;
  self->plan = make_plan (params, depth);
  self->depth = depth;
  self->finish_epoch = params->finish_type == FLOW_FOREST_FINISH_BASIC ? 1 : self->plan.min_samples / self->plan.check_every;
  self->prune_epoch = 1;
  self->splits = g_ptr_array_new_with_free_func (split_unref);
  self->tests = g_ptr_array_new_with_free_func (split_unref);
  self->totals = _flow_int_map_new ();
  self->left = g_ptr_array_new_with_free_func (map_free);
  self->right = g_ptr_array_new_with_free_func (map_free);
  self->scores = g_array_new (FALSE, TRUE, sizeof (FlowForestScore));
  self->half = _flow_int_map_new ();
  self->sums = new_floats (0);
  self->squares = new_floats (0);
  self->counts = new_floats (0);
  self->total_sums = new_floats (n);
  self->total_squares = new_floats (n);
  return self;
}

FlowForestSlot *
_flow_forest_slot_ref (FlowForestSlot *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
_flow_forest_slot_unref (FlowForestSlot *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_ptr_array_unref (self->splits);
  g_ptr_array_unref (self->tests);
  _flow_int_map_free (self->totals);
  g_ptr_array_unref (self->left);
  g_ptr_array_unref (self->right);
  g_array_unref (self->scores);
  _flow_int_map_free (self->half);
  g_array_unref (self->sums);
  g_array_unref (self->squares);
  g_array_unref (self->counts);
  g_array_unref (self->total_sums);
  g_array_unref (self->total_squares);
  g_free (self);
}

static gpointer
copy_map (gconstpointer map,
          gpointer      data)
{
  return _flow_int_map_copy (map);
}

static gpointer
copy_split (gconstpointer split,
            gpointer      data)
{
  return _flow_forest_split_ref ((FlowForestSplit *) (gpointer) split);
}

FlowForestSlot *
_flow_forest_slot_copy (const FlowForestSlot *self)
{
  FlowForestSlot *copy = g_memdup2 (self, sizeof *self);

  g_atomic_ref_count_init (&copy->ref_count);
  copy->splits = g_ptr_array_copy (self->splits, copy_split, NULL);
  copy->tests = g_ptr_array_copy (self->tests, copy_split, NULL);
  copy->totals = _flow_int_map_copy (self->totals);
  copy->left = g_ptr_array_copy (self->left, copy_map, NULL);
  copy->right = g_ptr_array_copy (self->right, copy_map, NULL);
  copy->scores = g_array_copy (self->scores);
  copy->half = _flow_int_map_copy (self->half);
  copy->sums = g_array_copy (self->sums);
  copy->squares = g_array_copy (self->squares);
  copy->counts = g_array_copy (self->counts);
  copy->total_sums = g_array_copy (self->total_sums);
  copy->total_squares = g_array_copy (self->total_squares);
  return copy;
}

gsize
_flow_forest_slot_bytes (const FlowForestSlot *self)
{
  gsize n = sizeof *self + self->splits->len * sizeof (FlowForestSplit);

  for (guint i = 0; i < self->left->len; i++)
    n += 16 * _flow_int_map_size (self->left->pdata[i]);
  return n + sizeof (float) * 2 * (self->sums->len + self->total_sums->len);
}

/* --- candidates ------------------------------------------------------------------------------------------------------ */

gboolean
_flow_forest_slot_is_initialized (const FlowForestSlot *self)
{
  return self->weight_sum > 0 ||
         ((gint64) self->splits->len == self->plan.n_splits && _flow_int_map_size (self->half) == 0);
}

gboolean
_flow_forest_slot_is_finished (const FlowForestSlot *self)
{
  const gboolean has_enough = self->weight_sum >= (float) self->plan.split_after;

  return _flow_forest_slot_has_numbers (self) ? has_enough : (has_enough && !_flow_forest_slot_is_pure (self)) || self->finishes;
}

gboolean
_flow_forest_slot_add_candidate (FlowForestSlot  *self,
                                 FlowForestSplit *split)
{
  const guint n = (guint) self->params->n_outputs;

  if ((gint64) self->splits->len >= self->plan.n_splits)
    return FALSE;
  g_ptr_array_add (self->splits, _flow_forest_split_ref (split));
  g_ptr_array_add (self->tests, _flow_forest_split_ref (split));
  if (_flow_forest_slot_has_numbers (self))
    {
      g_array_set_size (self->sums, self->sums->len + n);
      g_array_set_size (self->squares, self->squares->len + n);
      g_array_set_size (self->counts, self->counts->len + 1);
      return TRUE;
    }
  g_array_set_size (self->scores, self->scores->len + 1);
  g_ptr_array_add (self->left, _flow_int_map_new ());
  if (_flow_forest_slot_tracks_some (self))
    g_ptr_array_add (self->right, _flow_int_map_new ());
  return TRUE;
}

/* Thresholds move half way to the first example of another class. */
static gboolean
average_splits (FlowForestSlot          *self,
                const FlowForestData    *data,
                gint64                   example,
                gint32                   label,
                GError                 **error)
{
  g_autoptr (FlowIntMap) before = _flow_int_map_copy (self->half);
  gint32 at = -1;
  gint32 i;
  float first;

  while (_flow_int_map_next (before, &at, &i, &first))
    {
      FlowForestSplit *old = i < (gint32) self->splits->len ? self->splits->pdata[i] : NULL;
      FlowForestSplit *moved;
      float value;

      if ((gint32) first == label)
        continue;
      _flow_int_map_remove (self->half, i);
      if (old == NULL || old->test != FLOW_FOREST_INEQUALITY)
        continue;
      if (!_flow_forest_data_value (data, example, old->feature, &value, error))
        return FALSE;
      moved = _flow_forest_split_new (FLOW_FOREST_INEQUALITY);
      moved->feature = old->feature;
      moved->order = old->order;
      moved->threshold = (FlowForestValue) { (old->threshold.number + value) / 2, TRUE };
      self->splits->pdata[i] = moved;
      _flow_forest_split_unref (old);
    }
  return TRUE;
}

gboolean
_flow_forest_slot_add_split (FlowForestSlot          *self,
                             FlowForestSplit         *split,
                             const FlowForestData    *data,
                             const FlowForestTarget  *target,
                             gint64                   example,
                             GError                 **error)
{
  const gboolean is_new = _flow_forest_slot_add_candidate (self, split);
  gint32 label;

  if (_flow_forest_slot_has_numbers (self) || !self->params->averages)
    return TRUE;
  if (!_flow_forest_target_class (target, example, self->params->n_outputs, &label, error))
    return FALSE;
  if (is_new && (split->test == FLOW_FOREST_INEQUALITY || split->test == FLOW_FOREST_OBLIQUE))
    _flow_int_map_set (self->half, (gint32) self->splits->len - 1, (float) label);
  return average_splits (self, data, example, label, error);
}

/* --- examples -------------------------------------------------------------------------------------------------------- */

static void
add_numbers (FlowForestSlot          *self,
             guint                    i,
             const FlowForestTarget  *target,
             gint64                   example)
{
  const gint32 n = self->params->n_outputs;

  for (gint32 k = 0; k < n; k++)
    {
      const float number = _flow_forest_target_number (target, example, k);

      g_array_index (self->sums, float, i * (guint) n + (guint) k) += number;
      g_array_index (self->squares, float, i * (guint) n + (guint) k) += number * number;
    }
  g_array_index (self->counts, float, i)++;
}

gboolean
_flow_forest_slot_add_example (FlowForestSlot          *self,
                               const FlowForestData    *data,
                               const FlowForestTarget  *target,
                               gint64                   example,
                               GError                 **error)
{
  const float weight = _flow_forest_target_weight (target, example);
  gint32 label = 0;

  if (!_flow_forest_slot_has_numbers (self) && !_flow_forest_target_class (target, example, self->params->n_outputs, &label, error))
    return FALSE;
  for (guint i = 0; i < self->tests->len; i++)
    {
      gboolean left;

      if (!_flow_forest_decide (self->tests->pdata[i], data, example, &left, error))
        return FALSE;
      if (!_flow_forest_slot_has_numbers (self))
        _flow_forest_slot_count (self, i, left, label, weight);
      else if (left)
        add_numbers (self, i, target, example);
    }
  if (_flow_forest_slot_has_numbers (self))
    {
      for (gint32 k = 0; k < self->params->n_outputs; k++)
        {
          const float number = _flow_forest_target_number (target, example, k);

          g_array_index (self->total_sums, float, k) += number;
          g_array_index (self->total_squares, float, k) += number * number;
        }
      self->weight_sum += 1;
      return TRUE;
    }
  _flow_forest_slot_count_total (self, label, weight);
  self->weight_sum += weight;
  _flow_forest_slot_check_finish (self);
  _flow_forest_slot_check_prune (self);
  return TRUE;
}

/* --- the best -------------------------------------------------------------------------------------------------------- */

static void
append_number (GArray *values,
               float   number)
{
  const FlowForestValue value = { number, TRUE };

  g_array_append_val (values, value);
}

static void
append_pair (GArray *pairs,
             gint32  label,
             float   weight)
{
  const FlowForestPair pair = { label, { weight, TRUE } };

  g_array_append_val (pairs, pair);
}

static void
list_map (const FlowIntMap *map,
          GArray           *pairs)
{
  gint32 at = -1;
  gint32 label;
  float weight;

  while (_flow_int_map_next (map, &at, &label, &weight))
    append_pair (pairs, label, weight);
}

static void
list_sparse (const FlowForestSlot *self,
             guint                 split,
             FlowForestLeaf        leaves[2])
{
  const FlowIntMap *left = self->left->pdata[split];
  gint32 at = -1;
  gint32 label;
  float total;

  for (guint i = 0; i < 2; i++)
    {
      leaves[i].kind = FLOW_FOREST_SPARSE_LEAF;
      leaves[i].sparse = g_array_new (FALSE, TRUE, sizeof (FlowForestPair));
    }
  if (_flow_forest_slot_tracks_some (self))
    {
      list_map (left, leaves[0].sparse);
      list_map (self->right->pdata[split], leaves[1].sparse);
      return;
    }
  while (_flow_int_map_next (self->totals, &at, &label, &total))
    {
      const float rest = total - _flow_int_map_get (left, label);

      if (_flow_int_map_has (left, label))
        append_pair (leaves[0].sparse, label, _flow_int_map_get (left, label));
      if (!_flow_int_map_has (left, label) || rest > 0)
        append_pair (leaves[1].sparse, label, rest);
    }
}

static void
list_dense (const FlowForestSlot *self,
            guint                 split,
            FlowForestLeaf        leaves[2])
{
  const gboolean of_numbers = _flow_forest_slot_has_numbers (self);
  const gint32 n = self->params->n_outputs;

  for (guint i = 0; i < 2; i++)
    {
      leaves[i].kind = FLOW_FOREST_DENSE_LEAF;
      leaves[i].dense = g_array_new (FALSE, TRUE, sizeof (FlowForestValue));
    }
  for (gint32 k = 0; k < n; k++)
    {
      const float left = of_numbers ? g_array_index (self->sums, float, split * (guint) n + (guint) k)
                                    : _flow_forest_slot_left_count (self, split, k);
      const float total = of_numbers ? g_array_index (self->total_sums, float, k) : _flow_int_map_get (self->totals, k);

      append_number (leaves[0].dense, left);
      append_number (leaves[1].dense, total - left);
    }
}

/* What is left of the variance on both sides. */
static float
split_variance (const FlowForestSlot *self,
                guint                 split)
{
  const guint n = (guint) self->params->n_outputs;
  const float n_left = g_array_index (self->counts, float, split);
  const float n_right = self->weight_sum - n_left;
  float variance = 0;

  for (guint k = 0; k < n; k++)
    {
      const float sum = g_array_index (self->sums, float, split * n + k);
      const float square = g_array_index (self->squares, float, split * n + k);
      const float left = sum / n_left;
      const float right = (g_array_index (self->total_sums, float, k) - sum) / n_right;

      variance += square / n_left - left * left;
      variance += (g_array_index (self->total_squares, float, k) - square) / n_right - right * right;
    }
  return variance;
}

gboolean
_flow_forest_slot_find_best (const FlowForestSlot *self,
                             FlowForestBest       *best)
{
  float least = FLT_MAX;
  gint64 found = -1;

  for (guint i = 0; i < self->splits->len; i++)
    {
      FlowForestScore sides = { 0 };
      float score;

      if (_flow_forest_slot_has_numbers (self))
        {
          sides.left_sum = g_array_index (self->counts, float, i);
          sides.right_sum = self->weight_sum - sides.left_sum;
        }
      score = _flow_forest_slot_has_numbers (self) ? split_variance (self, i) : _flow_forest_slot_score (self, i, &sides);
      if (sides.left_sum > 0 && sides.right_sum > 0 && score < least)
        {
          least = score;
          found = i;
          best->weights[0] = sides.left_sum;
          best->weights[1] = sides.right_sum;
        }
    }
  if (found < 0)
    return FALSE;
  best->split = _flow_forest_split_ref (self->splits->pdata[found]);
  if (self->params->stats_type == FLOW_FOREST_STATS_DENSE || _flow_forest_slot_has_numbers (self))
    list_dense (self, (guint) found, best->leaves);
  else
    list_sparse (self, (guint) found, best->leaves);
  return TRUE;
}

void
_flow_forest_best_clear (FlowForestBest *self)
{
  g_clear_pointer (&self->split, _flow_forest_split_unref);
  for (guint i = 0; i < 2; i++)
    _flow_forest_leaf_clear (&self->leaves[i]);
}
