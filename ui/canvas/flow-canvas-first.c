/* flow-canvas-first.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-canvas-private.h"

/* What of a graph is open when it is first looked at: where all of it leaves room, as many of the scopes that
 * the data goes through as can be seen open and still be read. One after the other is tried, on the worker; the
 * first picture comes when there is no more to try. The same graph in the same view gives the same picture. */

/* A graph that is seen whole at this scale leaves room; with what is opened it is to be seen at that one. */
#define ZOOM_ROOM 1.15
#define ZOOM_OPEN 1.0

/* Of scopes: so many are tried, of so many boxes; larger graphs leave no room. */
#define TRIALS_MAX 12
#define SCOPE_ITEMS_MAX 24
#define GRAPH_ITEMS_MAX 60

/* Scopes within scopes that are opened because nothing stands beside them. */
#define ALONE_DEPTH_MAX 6
#define BESIDE_MAX 2

/* Between two ops that a script makes there is seldom so long. */
#define REST_MS 400

struct _FlowFirstLook {
  GArray *candidates;          /* guint32: groups, outside in */
  guint n_tried;
  guint32 trial;               /* FLOW_GROUP_NONE */
  guint too_large;             /* what has so many boxes found no room */
  FlowLayout *best;            /* nullable */
};

static void
first_look_free (FlowFirstLook *look)
{
  g_array_unref (look->candidates);
  flow_layout_free (look->best);
  g_free (look);
}

/* What has no line says nothing by being open, and of what is set aside nobody asked. */
static void
add_candidates (FlowCanvas    *self,
                FlowFirstLook *look,
                guint32        g)
{
  const FlowSceneGroup *group = flow_scene_group (self->scene, g);

  for (guint i = 0; i < group->items->len; i++)
    {
      FlowItem item = g_array_index (group->items, FlowItem, i);
      guint32 child = flow_item_is_group (item) ? flow_item_get_group (item) : FLOW_GROUP_NONE;

      if (child == FLOW_GROUP_NONE || g_array_index (group->places, guint8, i) != FLOW_LAYERED_FLOW
          || flow_scene_group (self->scene, child)->kind == FLOW_GROUP_SERIES
          || flow_scene_group (self->scene, child)->items->len > SCOPE_ITEMS_MAX)
        continue;
      g_array_append_val (look->candidates, child);
    }
}

/**
 * _flow_canvas_fit_layout:
 *
 * A layout that nobody has seen yet is arranged for the view.
 */
void
_flow_canvas_fit_layout (FlowCanvas *self,
                         FlowLayout *layout)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self));
  int height = gtk_widget_get_height (GTK_WIDGET (self));

  if (width > 0 && height > 0)
    flow_layout_fit (layout, (float) ((width - 2 * FLOW_VIEW_BORDER) / self->text_scale),
                     (float) ((height - FLOW_VIEW_BORDER) / self->text_scale - FLOW_VIEW_FOOT));
}

/* Who wants something else than a first look gets it. */
void
_flow_canvas_stop_first_look (FlowCanvas *self)
{
  FlowFirstLook *look = g_steal_pointer (&self->first_look);

  if (look == NULL)
    return;
  if (look->trial != FLOW_GROUP_NONE)
    flow_scene_group (self->scene, look->trial)->is_open = FALSE;
  first_look_free (look);
}

void
_flow_canvas_start_first_look (FlowCanvas *self)
{
  FlowFirstLook *look;

  self->fit_when_laid_out = TRUE;
  self->flow_open = self->direction == FLOW_CANVAS_AS_IT_FITS;
  _flow_canvas_lay_out (self, FLOW_ITEM_NONE, FALSE);
  look = g_new0 (FlowFirstLook, 1);
  look->candidates = g_array_new (FALSE, FALSE, sizeof (guint32));
  look->trial = FLOW_GROUP_NONE;
  look->too_large = G_MAXUINT;
  self->first_look = look;
}

/* The next to be tried; FALSE: there is none. */
static gboolean
try_next (FlowCanvas    *self,
          FlowFirstLook *look)
{
  while (look->n_tried < look->candidates->len
         && flow_scene_group (self->scene, g_array_index (look->candidates, guint32, look->n_tried))->items->len
            >= look->too_large)
    g_array_remove_index (look->candidates, look->n_tried);
  if (look->n_tried >= MIN (look->candidates->len, TRIALS_MAX))
    return FALSE;
  look->trial = g_array_index (look->candidates, guint32, look->n_tried++);
  flow_scene_group (self->scene, look->trial)->is_open = TRUE;
  self->first_look = NULL;
  _flow_canvas_lay_out (self, FLOW_ITEM_NONE, FALSE);
  self->first_look = look;
  return TRUE;
}

/**
 * _flow_canvas_look_on:
 * @layout: (transfer full): what was laid out
 *
 * Returns: (transfer full) (nullable): the layout to be shown; %NULL: another one is under way
 */
FlowLayout *
_flow_canvas_look_on (FlowCanvas *self,
                      FlowLayout *layout)
{
  FlowFirstLook *look = self->first_look;
  FlowLayout *best;
  double zoom = flow_layout_get_zoom (layout, layout->view_width, layout->view_height);

  if (look == NULL)
    return layout;
  if (layout->view_width <= 0.0f)
    {
      _flow_canvas_stop_first_look (self);
      if (gtk_widget_get_width (GTK_WIDGET (self)) <= 0)
        return layout;
      /* The view had no size yet when that was begun. */
      flow_layout_free (layout);
      _flow_canvas_start_first_look (self);
      return NULL;
    }
  if (look->best == NULL)
    {
      look->best = layout;
      if (zoom >= ZOOM_ROOM && layout->nodes[0].n_items <= GRAPH_ITEMS_MAX)
        for (guint i = 0; i < layout->n_nodes; i++)
          add_candidates (self, look, layout->nodes[i].group);
    }
  else if (zoom >= ZOOM_OPEN)
    {
      flow_layout_free (look->best);
      look->best = layout;
      add_candidates (self, look, look->trial);
    }
  else
    {
      look->too_large = flow_scene_group (self->scene, look->trial)->items->len;
      flow_scene_group (self->scene, look->trial)->is_open = FALSE;
      flow_layout_free (layout);
    }
  look->trial = FLOW_GROUP_NONE;
  if (try_next (self, look))
    return NULL;
  best = g_steal_pointer (&look->best);
  self->first_look = NULL;
  first_look_free (look);
  return best;
}

/* The one scope of the group that data goes through, where little else is there: an initializer, a saver. */
static guint32
find_alone (FlowCanvas *self,
            guint32     g)
{
  const FlowSceneGroup *group;
  guint32 alone = FLOW_GROUP_NONE;

  flow_scene_prepare_group (self->scene, g);
  group = flow_scene_group (self->scene, g);
  if (group->items->len > BESIDE_MAX + 1)
    return FLOW_GROUP_NONE;
  for (guint i = 0; i < group->items->len; i++)
    {
      FlowItem item = g_array_index (group->items, FlowItem, i);

      if (!flow_item_is_group (item)
          || (group->items->len > 1 && g_array_index (group->places, guint8, i) != FLOW_LAYERED_FLOW))
        continue;
      if (alone != FLOW_GROUP_NONE)
        return FLOW_GROUP_NONE;
      alone = flow_item_get_group (item);
    }
  return alone;
}

/* A graph that is one scope says nothing while that is closed. */
static void
open_what_stands_alone (FlowCanvas *self)
{
  guint32 g = find_alone (self, FLOW_GROUP_ROOT);

  for (guint depth = 0; depth < ALONE_DEPTH_MAX && g != FLOW_GROUP_NONE; depth++)
    {
      flow_scene_group (self->scene, g)->is_open = TRUE;
      g = find_alone (self, g);
    }
}

/**
 * _flow_canvas_look_anew:
 *
 * A first look that owes nothing to what is open now.
 */
void
_flow_canvas_look_anew (FlowCanvas *self)
{
  for (guint g = 1; g < self->scene->groups->len; g++)
    flow_scene_group (self->scene, g)->is_open = FALSE;
  open_what_stands_alone (self);
  _flow_canvas_start_first_look (self);
}

static gboolean
rest_cb (gpointer data)
{
  FlowCanvas *self = data;

  self->rest_source = 0;
  if (!self->is_touched && self->scene != NULL)
    _flow_canvas_look_anew (self);
  return G_SOURCE_REMOVE;
}

/**
 * _flow_canvas_look_when_grown:
 *
 * What a script builds is shown as it comes; when it rests, and nobody has begun to look around in it,
 * it is looked at as a file with all of it would be.
 */
void
_flow_canvas_look_when_grown (FlowCanvas *self)
{
  g_clear_handle_id (&self->rest_source, g_source_remove);
  if (!self->is_touched)
    self->rest_source = g_timeout_add (REST_MS, rest_cb, self);
}
