/* flow-layered-fit.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-layered-private.h"

#include <math.h>

/* How a group had best stand in the room it is first looked at in: a few ways to arrange it are tried, and that
 * one is taken in which the most can be read. What is left over goes to the gaps. */

/* Below this scale words cannot be read; above that one nothing is gained. */
#define ZOOM_READABLE FLOW_FIT_ZOOM_MIN
#define ZOOM_FULL 1.0
/* At which one begins to look at what is too large to be seen whole. */
#define ZOOM_LARGE 0.85
#define ZOOM_MAX FLOW_FIT_ZOOM_MAX

/* Rows are split into so many at most, and broken into so many columns. */
#define SPLITS_MAX 4
#define BANDS_MAX 4

/* The gaps are stretched so far at most, and drawn together so far. */
#define ROW_GAP_MAX 88.0
#define ROW_GAP_MIN 30.0
#define ITEM_GAP_MAX 48.0
/* So much of the room is enough. */
#define ENOUGH 0.95

/* What it is worth to fill the room, and how much of it is not tried to be bettered. */
#define WORTH_FILL 0.15
#define FILLED 0.6

/* What a way costs for being less plain than another. */
#define COST_BAND 0.035
#define COST_LANE 0.015
#define COST_SPLIT 0.02
#define COST_SHELF 0.005
#define COST_CROSSING 0.004

typedef struct {
  const FlowLayeredInput *input;
  const float *widths;
  const float *heights;
  const float *attach;
  const FlowLayeredView *view;
  GCancellable *cancellable;
  guint has_aside;             /* items that stand in no layer */
  FlowLayered *best;
  double best_score;
  double best_width;
  double best_height;
  guint64 fewest_crossings;
} Fitter;

static double
zoom_of (const Fitter *self,
         double        width,
         double        height)
{
  return MIN (self->view->across / (width + self->view->around), self->view->along / (height + self->view->around));
}

/* How much of the view there would be boxes in, were it to look at where the flow begins. */
static double
measure_seen (const Fitter          *self,
              const FlowLayered     *layered,
              const FlowArrangement *arrangement)
{
  double right = self->view->across / ZOOM_LARGE;
  double bottom = self->view->along / ZOOM_LARGE;
  double seen = 0.0;

  for (guint v = 0; v < layered->n_items; v++)
    if (arrangement->x[v] + self->widths[v] <= right && arrangement->y[v] + self->heights[v] <= bottom)
      seen += (double) self->widths[v] * self->heights[v];
  return seen / (right * bottom);
}

static double
score (Fitter                *self,
       const FlowLayered     *layered,
       const FlowArrangement *arrangement)
{
  double zoom = zoom_of (self, arrangement->width, arrangement->height);
  double across = (arrangement->width + self->view->around) / self->view->across;
  double along = (arrangement->height + self->view->around) / self->view->along;
  guint64 crossings = flow_layered_count_crossings (layered);
  double sum;

  self->fewest_crossings = MIN (self->fewest_crossings, crossings);
  if (zoom >= ZOOM_READABLE)
    sum = 1.0 + MIN (zoom, ZOOM_FULL) + WORTH_FILL * MIN (across * MIN (zoom, ZOOM_MAX), 1.0) * MIN (along * MIN (zoom, ZOOM_MAX), 1.0);
  else
    /* One goes on looking along the flow, and does not look for what is beside it. */
    sum = MIN (measure_seen (self, layered, arrangement), 0.9) * pow (MIN (1.0 / (across * ZOOM_READABLE), 1.0), 1.5);
  for (guint r = 1; r < layered->n_rows; r++)
    if (layered->rows[r].band > layered->rows[r - 1].band)
      {
        /* One row alone in a column looks lost. */
        gboolean alone = r + 1 == layered->n_rows || layered->rows[r + 1].band != layered->rows[r].band;

        sum -= COST_BAND * (alone ? 2.0 : 1.0) + COST_LANE * (layered->rows[r - 1].gap_edges - 1.0);
      }
  return sum - (layered->shape.row_width > 0.0f ? COST_SPLIT : 0.0)
         - (layered->shape.shelf_below ? COST_SHELF : 0.0)
         - COST_CROSSING * MIN (crossings - self->fewest_crossings, 30);
}

/* Returns whether it is the best so far. */
static gboolean
try_shape (Fitter                 *self,
           const FlowLayeredShape *shape)
{
  FlowLayeredInput input = *self->input;
  g_autoptr(FlowLayered) made = NULL;
  g_autoptr(FlowLayered) placed = NULL;
  FlowArrangement *arrangement;
  double sum;

  if (g_cancellable_is_cancelled (self->cancellable))
    return FALSE;
  input.shape = *shape;
  made = flow_layered_new (&input, self->cancellable);
  placed = flow_layered_replace (made, self->widths, self->heights, self->attach);
  arrangement = flow_layered_arrange (placed, self->widths, self->heights, self->attach);
  sum = score (self, placed, arrangement);
  if (self->best == NULL || sum > self->best_score + 1e-9)
    {
      g_clear_pointer (&self->best, flow_layered_unref);
      self->best = g_steal_pointer (&placed);
      self->best_score = sum;
      self->best_width = arrangement->width;
      self->best_height = arrangement->height;
      flow_arrangement_free (arrangement);
      return TRUE;
    }
  flow_arrangement_free (arrangement);
  return FALSE;
}

/* The widest row of the layers. */
static double
measure_rows (const FlowLayered *layered)
{
  double widest = 0.0;

  for (guint p = 0; p < layered->n_parts; p++)
    for (guint r = layered->parts[p].first_row; r < layered->parts[p].first_row + layered->parts[p].n_rows; r++)
      {
        double width = 0.0;

        if (layered->parts[p].n_columns > 0)
          continue;
        for (guint32 i = layered->rows[r].first; i < layered->rows[r].first + layered->rows[r].count; i++)
          if (layered->order[i] < layered->n_items)
            width += layered->entry_width[layered->order[i]] + FLOW_GAP_ITEMS;
        widest = MAX (widest, width);
      }
  return widest;
}

/* With what stands beside the layers at the right of them, and below them. */
static void
try_both (Fitter           *self,
          FlowLayeredShape  shape)
{
  for (guint below = 0; below <= self->has_aside; below++)
    {
      shape.shelf_below = below;
      try_shape (self, &shape);
    }
}

static void
try_splits (Fitter           *self,
            FlowLayeredShape  shape)
{
  double widest = measure_rows (self->best);
  double room = self->view->across / ZOOM_READABLE;

  for (guint n = 2; n <= SPLITS_MAX; n++)
    {
      /* A little more than its share, for boxes are not equally wide. */
      shape.row_width = MIN (widest / n + 60.0, room);
      try_both (self, shape);
    }
}

static void
try_bands (Fitter           *self,
           FlowLayeredShape  shape,
           double            length)
{
  static const double more[] = { 1.0, 1.15, 1.3, 1.5 };

  for (guint n = 2; n <= BANDS_MAX; n++)
    for (guint i = 0; i < G_N_ELEMENTS (more); i++)
      {
        shape.band_length = length / n * more[i];
        try_both (self, shape);
      }
}

/* What the view has left over: to the gaps between rows, then to those between boxes. */
static void
stretch (Fitter *self)
{
  FlowLayeredShape shape = self->best->shape;
  double zoom = MIN (zoom_of (self, self->best_width, self->best_height), 1.1);
  double room = ENOUGH * self->view->along / zoom - self->view->around;
  double was = self->best_height;
  double gap = shape.row_gap;

  if (self->best->is_fallback || zoom < ZOOM_READABLE)
    return;
  for (guint step = 0; step < 4; step++)
    {
      Fitter trial = *self;

      shape.row_gap = MIN (gap + (MAX (ROW_GAP_MAX, gap) - gap) * (4 - step) / 4.0, MAX (ROW_GAP_MAX, gap));
      trial.best = NULL;
      try_shape (&trial, &shape);
      if (trial.best != NULL && trial.best_height <= MAX (room, was) && trial.best_width <= self->best_width + 1.0)
        {
          flow_layered_unref (self->best);
          *self = trial;
          break;
        }
      g_clear_pointer (&trial.best, flow_layered_unref);
      shape.row_gap = gap;
    }
}

/**
 * flow_layered_new_fitted:
 * @input: as for flow_layered_new(); what its shape says is where trying begins
 * @widths: the items' present widths
 * @heights: likewise
 * @attach: (nullable): as for flow_layered_arrange()
 * @view: the room
 *
 * The same input in the same room gives the same bytes.
 *
 * Returns: (transfer full): the structure, placed for the present sizes; its shape says how it stands
 */
FlowLayered *
flow_layered_new_fitted (const FlowLayeredInput *input,
                         const float            *widths,
                         const float            *heights,
                         const float            *attach,
                         const FlowLayeredView  *view,
                         GCancellable           *cancellable)
{
  Fitter self = { .input = input, .widths = widths, .heights = heights, .attach = attach, .view = view,
                  .cancellable = cancellable, .fewest_crossings = G_MAXUINT64 };
  FlowLayeredShape shape = input->shape;
  double zoom;

  shape.aspect = CLAMP (view->across / MAX (view->along, 1.0), 0.4, 4.0);
  try_shape (&self, &shape);
  if (self.best == NULL)
    return flow_layered_new (input, cancellable);
  zoom = zoom_of (&self, self.best_width, self.best_height);
  if ((zoom < ZOOM_FULL || self.best_score < 2.0 + FILLED * WORTH_FILL) && !self.best->is_fallback)
    {
      double height = self.best_height;

      for (guint v = 0; v < self.best->n_items; v++)
        if (self.best->place[v] == FLOW_LAYERED_GRID || self.best->place[v] == FLOW_LAYERED_SHELF)
          self.has_aside = 1;
      try_both (&self, shape);
      if (input->n_items <= FLOW_FIT_ITEMS_TRIED)
        {
          try_splits (&self, shape);
          try_bands (&self, shape, height);
        }
      if (shape.row_gap <= 0.0f && zoom_of (&self, self.best_width, self.best_height) < ZOOM_FULL)
        {
          shape = self.best->shape;
          shape.row_gap = ROW_GAP_MIN;
          try_shape (&self, &shape);
        }
    }
  if (input->n_items <= FLOW_FIT_ITEMS_TRIED)
    stretch (&self);
  self.best->score = self.best_score;
  return self.best;
}
