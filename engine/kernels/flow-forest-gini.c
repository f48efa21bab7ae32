/* flow-forest-gini.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * The leaf of a growing tree, of classes: how many went which way, how good that is, and which candidates are not worth
 * keeping.
 */

#include "config.h"

#include "flow-forest-slot-private.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* --- counts of classes ----------------------------------------------------------------------------------------------- */

static void
add_to (FlowIntMap *map,
        gint32      label,
        float       weight)
{
  _flow_int_map_set (map, label, _flow_int_map_get (map, label) + weight);
}

/* TF: where only some classes are tracked, the lightest gives its place and its weight to one that is new. */
static gboolean
find_lightest (const FlowForestSlot *self,
               const FlowIntMap     *map,
               gint32               *label,
               float                *weight)
{
  gint32 at = -1;
  gint32 key;
  float value;
  gboolean found = FALSE;

  *weight = FLT_MAX;
  if (_flow_int_map_size (map) < (guint) MAX (self->params->n_tracked, 0))
    return FALSE;
  while (_flow_int_map_next (map, &at, &key, &value))
    if (value < *weight)
      {
        *weight = value;
        *label = key;
        found = TRUE;
      }
  return found;
}

static void
track (const FlowForestSlot *self,
       FlowIntMap           *map,
       gint32                label,
       float                 weight)
{
  gint32 lightest;
  float least;

  if (_flow_int_map_has (map, label) || !find_lightest (self, map, &lightest, &least))
    {
      add_to (map, label, weight);
      return;
    }
  _flow_int_map_remove (map, lightest);
  _flow_int_map_set (map, label, least + weight);
}

/* TF: every weight may be too much by that of the lightest: half of it is taken away, and shared by all classes. */
static float
tracked_weight (const FlowForestSlot *self,
                const FlowIntMap     *map,
                gint32                label)
{
  gint32 lightest;
  float least = 0;
  float weight;

  if (!find_lightest (self, map, &lightest, &least))
    least = 0;
  weight = (float) (least / 2.0 * self->params->n_tracked / (float) self->params->n_outputs);
  if (_flow_int_map_has (map, label))
    weight = (float) (weight + (_flow_int_map_get (map, label) - least / 2.0));
  return weight;
}

float
_flow_forest_slot_left_count (const FlowForestSlot *self,
                              guint                 split,
                              gint32                label)
{
  return _flow_forest_slot_tracks_some (self) ? tracked_weight (self, self->left->pdata[split], label)
                                              : _flow_int_map_get (self->left->pdata[split], label);
}

static float
right_count (const FlowForestSlot *self,
             guint                 split,
             gint32                label)
{
  if (_flow_forest_slot_tracks_some (self))
    return tracked_weight (self, self->right->pdata[split], label);
  return _flow_int_map_get (self->totals, label) - _flow_forest_slot_left_count (self, split, label);
}

gboolean
_flow_forest_slot_is_pure (const FlowForestSlot *self)
{
  return (self->params->stats_type == FLOW_FOREST_STATS_DENSE ? self->n_seen : _flow_int_map_size (self->totals)) <= 1;
}

void
_flow_forest_slot_count_total (FlowForestSlot *self,
                               gint32          label,
                               float           weight)
{
  if (_flow_forest_slot_tracks_some (self))
    {
      if (_flow_forest_slot_is_pure (self))
        _flow_int_map_set (self->totals, label, 0);
      return;
    }
  self->n_seen += _flow_int_map_get (self->totals, label) == 0 && weight > 0;
  add_to (self->totals, label, weight);
}

static void
update_score (float *sum,
              float *square,
              float  old,
              float  weight)
{
  const float now = old + weight;

  *sum += weight;
  *square = *square - old * old + now * now;
}

void
_flow_forest_slot_count (FlowForestSlot *self,
                         guint           i,
                         gboolean        left,
                         gint32          label,
                         float           weight)
{
  FlowForestScore *score = &g_array_index (self->scores, FlowForestScore, i);

  if (self->params->keeps_scores && left)
    update_score (&score->left_sum, &score->left_square, _flow_forest_slot_left_count (self, i, label), weight);
  else if (self->params->keeps_scores)
    update_score (&score->right_sum, &score->right_square, right_count (self, i, label), weight);
  if (_flow_forest_slot_tracks_some (self))
    track (self, left ? self->left->pdata[i] : self->right->pdata[i], label, weight);
  else if (left)
    add_to (self->left->pdata[i], label, weight);
}

/* --- how good a candidate is ----------------------------------------------------------------------------------------- */

/* Gini's impurity, as if each class had been there once more. */
static float
weighted_gini (float sum,
               float square,
               int   n_classes)
{
  const float smoothed = (float) n_classes + sum;

  return sum * (float) (1.0 - (double) ((square + 2 * sum + (float) n_classes) / (smoothed * smoothed)));
}

static void
score_label (const FlowForestSlot *self,
             guint                 split,
             gint32                label,
             FlowForestScore      *score)
{
  const float left = _flow_forest_slot_left_count (self, split, label);
  const float right = right_count (self, split, label);

  score->left_sum += left;
  score->left_square += left * left;
  score->right_sum += right;
  score->right_square += right * right;
}

static void
score_tracked (const FlowForestSlot *self,
               const FlowIntMap     *map,
               float                *sum,
               float                *square)
{
  const int n = self->params->n_tracked;
  gint32 lightest;
  gint32 at = -1;
  gint32 label;
  float least;
  float weight;

  while (_flow_int_map_next (map, &at, &label, &weight))
    {
      const float share = tracked_weight (self, map, label);

      *sum += weight;
      *square += share * share;
    }
  if (!find_lightest (self, map, &lightest, &least))
    least = 0;
  weight = (float) (least / 2.0 * n / (float) self->params->n_outputs);
  *square += (float) (self->params->n_outputs - n) * weight * weight;
}

float
_flow_forest_slot_score (const FlowForestSlot *self,
                         guint                 split,
                         FlowForestScore      *score)
{
  const int n = self->params->n_outputs;
  gint32 at = -1;
  gint32 label;

  *score = (FlowForestScore) { 0 };
  if (self->params->keeps_scores)
    *score = g_array_index (self->scores, FlowForestScore, split);
  else if (_flow_forest_slot_tracks_some (self))
    {
      score_tracked (self, self->left->pdata[split], &score->left_sum, &score->left_square);
      score_tracked (self, self->right->pdata[split], &score->right_sum, &score->right_square);
    }
  else if (self->params->stats_type == FLOW_FOREST_STATS_DENSE)
    for (gint32 i = 0; i < n; i++)
      score_label (self, split, i, score);
  else
    while (_flow_int_map_next (self->totals, &at, &label, NULL))
      score_label (self, split, label, score);
  return weighted_gini (score->left_sum, score->left_square, n) + weighted_gini (score->right_sum, score->right_square, n);
}

/* --- dropping and finishing early ------------------------------------------------------------------------------------ */

/* TF: classes alone; candidates that numbers have stay. */
static void
remove_candidate (FlowForestSlot *self,
                  guint           i)
{
  g_ptr_array_remove_index (self->splits, i);
  g_ptr_array_remove_index (self->tests, i);
  g_array_remove_index (self->scores, i);
  g_ptr_array_remove_index (self->left, i);
  if (_flow_forest_slot_tracks_some (self))
    g_ptr_array_remove_index (self->right, i);
}

static gint
compare_last (gconstpointer a,
              gconstpointer b)
{
  return *(const guint *) a < *(const guint *) b ? 1 : -1;
}

/* TF: the worst so far, of which the best gives its place to one that is worse. */
static void
prune_worst (FlowForestSlot *self,
             guint           n)
{
  g_autofree float *scores = g_new (float, self->splits->len);
  g_autofree guint *worst = g_new (guint, n);
  FlowForestScore score;

  for (guint i = 0; i < self->splits->len; i++)
    {
      guint least = 0;

      scores[i] = _flow_forest_slot_score (self, i, &score);
      if (i < n)
        {
          worst[i] = i;
          continue;
        }
      for (guint k = 1; k < n; k++)
        if (scores[worst[k]] < scores[worst[least]] ||
            (scores[worst[k]] == scores[worst[least]] && worst[k] < worst[least]))
          least = k;
      if (scores[worst[least]] < scores[i])
        worst[least] = i;
    }
  qsort (worst, n, sizeof (guint), compare_last);
  for (guint i = 0; i < n; i++)
    remove_candidate (self, worst[i]);
}

/* Those that are worse than the best by more than chance would make them. */
static void
prune_hoeffding (FlowForestSlot *self)
{
  const float half_log = (float) (0.5 * log (1.0 / (1.0 - (double) self->plan.dominate)));
  const float range = (float) (self->weight_sum * (1.0 - 1.0 / (double) self->params->n_outputs));
  const float bound = range * sqrtf (half_log / self->weight_sum);
  g_autofree float *scores = g_new (float, self->splits->len);
  float best = FLT_MAX;
  FlowForestScore score;

  for (guint i = 0; i < self->splits->len; i++)
    {
      scores[i] = _flow_forest_slot_score (self, i, &score);
      best = MIN (best, scores[i]);
    }
  for (guint i = self->splits->len; i-- > 0;)
    if (scores[i] - best > bound)
      remove_candidate (self, i);
}

void
_flow_forest_slot_check_prune (FlowForestSlot *self)
{
  static const double fractions[] = { 0, 0.5, 0.25, 0.1 };
  guint n;

  if (self->params->prune_type == FLOW_FOREST_PRUNE_NONE || _flow_forest_slot_is_finished (self) ||
      self->weight_sum < (float) (gint32) ((guint32) self->prune_epoch * (guint32) self->plan.prune_every))
    return;
  self->prune_epoch++;
  if (self->params->prune_type == FLOW_FOREST_PRUNE_HOEFFDING)
    {
      prune_hoeffding (self);
      return;
    }
  if (self->params->prune_type < 0 || self->params->prune_type > FLOW_FOREST_PRUNE_TENTH)
    return;
  n = (guint) ((float) self->splits->len * (float) fractions[self->params->prune_type]);
  if (n > 0)
    prune_worst (self, n);
}

/* TF: also has a way of sampling, whose answer is always that nothing is certain yet. */
void
_flow_forest_slot_check_finish (FlowForestSlot *self)
{
  float best = FLT_MAX;
  float second = FLT_MAX;
  FlowForestScore score;
  float range;

  if (self->weight_sum < (float) self->plan.min_samples ||
      self->weight_sum < (float) (gint32) ((guint32) self->finish_epoch * (guint32) self->plan.check_every))
    return;
  self->finish_epoch++;
  if (self->params->finish_type != FLOW_FOREST_FINISH_HOEFFDING)
    return;
  for (guint i = 0; i < self->splits->len; i++)
    {
      const float x = _flow_forest_slot_score (self, i, &score);

      if (x < best)
        {
          second = best;
          best = x;
        }
      else if (x < second)
        {
          second = x;
        }
    }
  range = (float) (0.25 * self->params->n_outputs * self->weight_sum);
  self->finishes = second - best > (float) (range * sqrt (log (1.0 / (1.0 - (double) self->plan.dominate))
                                                          / (2.0 * self->weight_sum)));
}
