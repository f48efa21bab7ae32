/* flow-tween.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-tween.h"

#include <string.h>

#define NONE G_MAXUINT32

/* Microseconds (canvas, section 7). Where hundreds of boxes move, each frame costs more and the eye can follow none
 * of them: the way is shorter, and what would be over within three frames is no motion at all. */
#define DURATION_US 200000
#define DURATION_LEAST_US 50000
#define BOXES_FOLLOWED 150

struct _FlowTween
{
  FlowDisplay *to;
  FlowDisplay *now;            /* a copy of @to whose places are those of this moment */
  guint32 *from_box;           /* per box of @to: its place in the old picture, NONE */
  guint32 *from_wire;
  FlowBox *from_boxes;
  float *from_points;
  guint32 *from_first;         /* per old wire */
  guint8 *is_new;              /* per layer: opened now, or inside such a one */
  guint32 *root;               /* per new layer: the layer whose frame carries it */
  double progress;
};

static guint64
wire_key (const FlowDisplay *display,
          const FlowWire    *wire)
{
  return ((guint64) display->layers[wire->layer].group << 32) | wire->line;
}

static void
match_boxes (FlowTween         *self,
             const FlowDisplay *from)
{
  for (guint i = 0; i < self->to->n_boxes; i++)
    {
      const FlowBox *old = flow_display_find_box (from, self->to->boxes[i].item);

      self->from_box[i] = old != NULL ? (guint32) (old - from->boxes) : NONE;
    }
}

static void
match_wires (FlowTween         *self,
             const FlowDisplay *from)
{
  g_autoptr(GHashTable) places = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  for (guint i = 0; i < from->n_wires; i++)
    {
      guint64 *key = g_new (guint64, 1);

      *key = wire_key (from, &from->wires[i]);
      self->from_first[i] = from->wires[i].first_point;
      g_hash_table_replace (places, key, GUINT_TO_POINTER (i + 1));
    }
  for (guint i = 0; i < self->to->n_wires; i++)
    {
      guint64 key = wire_key (self->to, &self->to->wires[i]);
      guint old = GPOINTER_TO_UINT (g_hash_table_lookup (places, &key));

      self->from_wire[i] = old > 0 && from->wires[old - 1].n_points == self->to->wires[i].n_points
                           ? old - 1 : NONE;
    }
}

/* A layer is new when its frame was a closed box, or was not there. Layers stand parents first. */
static void
find_new_layers (FlowTween         *self,
                 const FlowDisplay *from)
{
  for (guint l = 1; l < self->to->n_layers; l++)
    {
      guint32 frame = self->to->layers[l].frame;
      guint32 old = self->from_box[frame];

      self->root[l] = NONE;
      if (old == NONE || from->boxes[old].kind != FLOW_BOX_FRAME)
        self->is_new[l] = 1;
      if (self->is_new[l])
        self->root[l] = old != NONE ? l : NONE;
    }
  /* A frame that was not there hangs on the nearest one around it that was. */
  for (guint l = 1; l < self->to->n_layers; l++)
    if (self->is_new[l] && self->root[l] == NONE)
      for (guint k = l; k-- > 1;)
        {
          const FlowBox *inner = &self->to->boxes[self->to->layers[l].frame];
          const FlowBox *outer = &self->to->boxes[self->to->layers[k].frame];

          if (self->is_new[k] && inner->x >= outer->x && inner->y >= outer->y
              && inner->x + inner->width <= outer->x + outer->width
              && inner->y + inner->height <= outer->y + outer->height)
            {
              self->root[l] = self->root[k];
              break;
            }
        }
}

/**
 * flow_tween_new:
 * @from: the picture that is shown
 * @to: the one to come
 */
FlowTween *
flow_tween_new (FlowDisplay *from,
                FlowDisplay *to)
{
  FlowTween *self = g_new0 (FlowTween, 1);
  guint n_points = 0;
  guint n_from = 0;

  self->to = flow_display_ref (to);
  for (guint i = 0; i < to->n_wires; i++)
    n_points = MAX (n_points, to->wires[i].first_point + to->wires[i].n_points);
  for (guint i = 0; i < from->n_wires; i++)
    n_from = MAX (n_from, from->wires[i].first_point + from->wires[i].n_points);
  self->now = g_memdup2 (to, sizeof *to);
  g_atomic_ref_count_init (&self->now->ref_count);
  self->now->layers = g_memdup2 (to->layers, sizeof *to->layers * (to->n_layers + 1));
  self->now->boxes = g_memdup2 (to->boxes, sizeof *to->boxes * MAX (to->n_boxes, 1));
  self->now->wires = g_memdup2 (to->wires, sizeof *to->wires * (gsize) to->n_wires);
  self->now->stubs = g_memdup2 (to->stubs, sizeof *to->stubs * (gsize) to->n_stubs);
  self->now->points = g_memdup2 (to->points, sizeof (float) * 2 * (gsize) n_points);
  self->now->strings = g_string_chunk_new (16);
  self->now->box_of = g_hash_table_ref (to->box_of);
  self->from_boxes = g_memdup2 (from->boxes, sizeof *from->boxes * MAX (from->n_boxes, 1));
  self->from_points = g_memdup2 (from->points, sizeof (float) * 2 * (gsize) n_from);
  self->from_first = g_new0 (guint32, (gsize) from->n_wires + 1);
  self->from_box = g_new (guint32, (gsize) to->n_boxes + 1);
  self->from_wire = g_new (guint32, (gsize) to->n_wires + 1);
  self->is_new = g_new0 (guint8, (gsize) to->n_layers + 1);
  self->root = g_new0 (guint32, (gsize) to->n_layers + 1);
  match_boxes (self, from);
  match_wires (self, from);
  find_new_layers (self, from);
  for (guint l = 0; l < to->n_layers; l++)
    if (self->is_new[l])
      {
        self->now->layers[l].n_boxes = 0;
        self->now->layers[l].n_wires = 0;
        self->now->layers[l].n_stubs = 0;
      }
  flow_tween_set (self, 0.0);
  return self;
}

void
flow_tween_free (FlowTween *self)
{
  if (self == NULL)
    return;
  flow_display_unref (self->now);
  flow_display_unref (self->to);
  g_free (self->from_box);
  g_free (self->from_wire);
  g_free (self->from_boxes);
  g_free (self->from_points);
  g_free (self->from_first);
  g_free (self->is_new);
  g_free (self->root);
  g_free (self);
}

/**
 * flow_tween_get_duration:
 *
 * Returns: microseconds that the way takes: the fewer, the more there is to move; 0: the new picture is to be there
 *   at once
 */
gint64
flow_tween_get_duration (FlowTween *self)
{
  guint n_moving = 0;
  gint64 duration = DURATION_US;

  for (guint i = 0; i < self->to->n_boxes; i++)
    {
      const FlowBox *to = &self->to->boxes[i];
      const FlowBox *from = self->from_box[i] != NONE ? &self->from_boxes[self->from_box[i]] : NULL;

      n_moving += from == NULL || from->x != to->x || from->y != to->y || from->width != to->width
                  || from->height != to->height;
    }
  if (n_moving > BOXES_FOLLOWED)
    duration = duration * BOXES_FOLLOWED / n_moving;
  return n_moving == 0 || duration < DURATION_LEAST_US ? 0 : duration;
}

static float
mix (float  a,
     float  b,
     double t)
{
  return a + (b - a) * (float) t;
}

/**
 * flow_tween_set:
 * @progress: 0: the old places, 1: the new ones
 */
void
flow_tween_set (FlowTween *self,
                double     progress)
{
  self->progress = progress;
  for (guint i = 0; i < self->to->n_boxes; i++)
    {
      const FlowBox *to = &self->to->boxes[i];
      FlowBox *now = &self->now->boxes[i];

      if (self->from_box[i] != NONE)
        {
          const FlowBox *from = &self->from_boxes[self->from_box[i]];

          now->x = mix (from->x, to->x, progress);
          now->y = mix (from->y, to->y, progress);
          now->width = mix (from->width, to->width, progress);
          now->height = mix (from->height, to->height, progress);
        }
      else if (self->is_new[to->layer] && self->root[to->layer] != NONE)
        {
          guint32 frame = self->to->layers[self->root[to->layer]].frame;

          /* Carried by the frame around it, which stands before it. */
          now->x = to->x + self->now->boxes[frame].x - self->to->boxes[frame].x;
          now->y = to->y + self->now->boxes[frame].y - self->to->boxes[frame].y;
        }
    }
  for (guint i = 0; i < self->to->n_wires; i++)
    {
      const FlowWire *wire = &self->to->wires[i];

      if (self->from_wire[i] == NONE)
        continue;
      for (guint k = 0; k < 2 * wire->n_points; k++)
        self->now->points[2 * wire->first_point + k]
          = mix (self->from_points[2 * self->from_first[self->from_wire[i]] + k],
                 self->to->points[2 * wire->first_point + k], progress);
      self->now->wires[i].x0 = -G_MAXFLOAT;
      self->now->wires[i].y0 = -G_MAXFLOAT;
      self->now->wires[i].x1 = G_MAXFLOAT;
      self->now->wires[i].y1 = G_MAXFLOAT;
      self->now->wires[i].label = progress < 1.0 ? NULL : wire->label;
    }
}

/**
 * flow_tween_find_box:
 *
 * Returns: (nullable): where the item is at this moment
 */
const FlowBox *
flow_tween_find_box (FlowTween *self,
                     FlowItem   item)
{
  return flow_display_find_box (self->now, item);
}

/**
 * flow_tween_get_display:
 *
 * Returns: (transfer none): the picture of this moment, what is new left out; a new animation may
 *   start from it
 */
FlowDisplay *
flow_tween_get_display (FlowTween *self)
{
  return self->now;
}

void
flow_tween_paint (FlowTween               *self,
                  FlowPainter             *painter,
                  cairo_t                 *cr,
                  const guint8            *dims,
                  const cairo_rectangle_t *clip,
                  double                   scale)
{
  flow_painter_paint (painter, cr, self->now, dims, clip, scale);
  for (guint l = 1; l < self->to->n_layers; l++)
    {
      const FlowBox *now = &self->now->boxes[self->to->layers[l].frame];
      const FlowBox *to = &self->to->boxes[self->to->layers[l].frame];
      FlowDisplay part = *self->to;
      FlowDisplayLayer layers[2];
      FlowDisplayLayer root = self->to->layers[0];
      cairo_rectangle_t inner;

      if (!self->is_new[l])
        continue;
      /* The layer alone, moved with its frame and cut off by it. */
      root.n_boxes = root.n_wires = root.n_stubs = 0;
      layers[0] = self->to->layers[l];
      layers[1] = root;
      part.layers = layers;
      part.n_layers = 1;
      inner = (cairo_rectangle_t) { clip->x - now->x + to->x, clip->y - now->y + to->y,
                                    clip->width, clip->height };
      cairo_save (cr);
      cairo_rectangle (cr, now->x, now->y, now->width, now->height);
      cairo_clip (cr);
      cairo_translate (cr, now->x - to->x, now->y - to->y);
      cairo_push_group (cr);
      flow_painter_paint (painter, cr, &part, dims, &inner, scale);
      cairo_pop_group_to_source (cr);
      cairo_paint_with_alpha (cr, self->progress);
      cairo_restore (cr);
    }
}
