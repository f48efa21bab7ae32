/* flow-display.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-display-private.h"

#include <math.h>
#include <string.h>

#define NONE G_MAXUINT32

typedef struct {
  FlowDisplay *display;
  FlowScene *scene;
  const FlowLayout *layout;
  GArray *boxes;
  GArray *wires;
  GArray *stubs;
  GArray *points;
} Builder;

static const char *
keep (Builder    *self,
      const char *text)
{
  return g_string_chunk_insert_const (self->display->strings, text);
}

static void
fill_shares (FlowBox              *box,
             const FlowSceneGroup *group)
{
  for (guint f = 0; f < FLOW_N_FAMILIES; f++)
    box->share[f] = (guint64) group->family_ops[f] * 255 / MAX (group->n_ops, 1);
}

static guint8
control_of (const FlowScene *scene,
            guint32          group)
{
  const FlowControlFrame *frame = flow_scene_frame_of_group (scene, group);

  return frame != NULL ? frame->kind : FLOW_CONTROL_GRAPH;
}

static void
add_frame (Builder              *self,
           const FlowLayoutNode *node,
           guint32               layer)
{
  const FlowSceneGroup *group = flow_scene_group (self->scene, node->group);
  g_autofree char *count = g_strdup_printf (group->n_ops == 1 ? "%u op" : "%u ops", group->n_ops);
  FlowBox box = {
    .x = node->x, .y = node->y, .width = node->width, .height = node->height,
    .item = flow_item_of_group (node->group), .layer = layer, .n_ops = group->n_ops,
    .kind = FLOW_BOX_FRAME, .family = group->family, .is_fallback = node->layered->is_fallback,
    .depth = group->depth,
    .title = keep (self, group->label), .subtitle = keep (self, count),
    .control = control_of (self->scene, node->group),
  };

  fill_shares (&box, group);
  g_array_append_val (self->boxes, box);
}

static void
add_boxes (Builder              *self,
           const FlowLayoutNode *node,
           guint32               layer)
{
  const FlowSceneGroup *group = flow_scene_group (self->scene, node->group);

  for (guint i = 0; i < node->n_items; i++)
    {
      FlowItem item = g_array_index (group->items, FlowItem, i);
      FlowBox box = {
        .x = node->x + node->item_x[i], .y = node->y + node->item_y[i],
        .width = node->item_width[i], .height = node->item_height[i],
        .item = item, .layer = layer, .n_ops = 1, .kind = FLOW_BOX_OP,
      };

      if (node->child[i] != NONE)
        continue;
      box.title = keep (self, group->item_title[i]);
      box.subtitle = keep (self, group->item_subtitle[i]);
      if (flow_item_is_group (item))
        {
          const FlowSceneGroup *child = flow_scene_group (self->scene, flow_item_get_group (item));

          box.kind = child->kind == FLOW_GROUP_SERIES ? FLOW_BOX_SERIES : FLOW_BOX_GROUP;
          box.family = child->family;
          box.n_ops = child->n_ops;
          box.control = control_of (self->scene, flow_item_get_group (item));
          fill_shares (&box, child);
        }
      else
        {
          guint n = self->scene->annotation_first[item + 1] - self->scene->annotation_first[item];

          box.family = self->scene->op_family[item];
          box.n_annotations = MIN (n, FLOW_ANNOTATIONS_MAX + 1);
        }
      g_array_append_val (self->boxes, box);
    }
}

void
_flow_display_cubic_at (const float *p,
                        float        t,
                        float       *x,
                        float       *y)
{
  float u = 1.0f - t;

  *x = u * u * u * p[0] + 3 * u * u * t * p[2] + 3 * u * t * t * p[4] + t * t * t * p[6];
  *y = u * u * u * p[1] + 3 * u * u * t * p[3] + 3 * u * t * t * p[5] + t * t * t * p[7];
}

/* A wire that ends at an open child goes on inside; then its head stands there. */
static gboolean
goes_on (const Builder        *self,
         const FlowLayoutNode *node,
         guint                 k)
{
  guint32 to = node->line_to[k];
  const FlowLayoutNode *child;

  if (to >= node->n_items)
    return TRUE;
  if (node->child[to] == NONE)
    return FALSE;
  child = &self->layout->nodes[node->child[to]];
  for (guint i = 0; i < child->n_lines; i++)
    if (child->line_from[i] != NONE && child->line_from[i] >= child->n_items
        && child->port_line[child->line_from[i] - child->n_items] == k)
      return TRUE;
  return FALSE;
}

static void
add_wires (Builder              *self,
           const FlowLayoutNode *node,
           guint32               layer)
{
  const FlowSceneGroup *group = flow_scene_group (self->scene, node->group);

  for (guint k = 0; k < node->n_lines; k++)
    {
      const FlowLine *line = &g_array_index (group->lines, FlowLine, k);
      guint data = line->n_data + line->n_ref;
      FlowWire wire = {
        .first_point = self->points->len / 2,
        .n_points = node->line_first[k + 1] - node->line_first[k],
        .x0 = G_MAXFLOAT, .y0 = G_MAXFLOAT, .x1 = -G_MAXFLOAT, .y1 = -G_MAXFLOAT,
        .from = line->from, .to = line->to, .layer = layer, .line = k, .meta = line->meta,
        .width = data > 1 ? MIN (1.2f + 0.5f * log2f (data), 4.5f) : 1.2f,
      };

      if (wire.n_points == 0)
        continue;
      if (data == 0)
        wire.flags |= FLOW_WIRE_CONTROL;
      else if (line->n_data == 0)
        wire.flags |= FLOW_WIRE_REF;
      if ((line->flags & FLOW_META_UPDATE) != 0 && data == 0)
        wire.flags |= FLOW_WIRE_UPDATE;
      if ((line->flags & FLOW_META_BACK) != 0)
        wire.flags |= FLOW_WIRE_BACK;
      if (!goes_on (self, node, k))
        wire.flags |= FLOW_WIRE_HEAD;
      for (guint32 i = node->line_first[k]; i < node->line_first[k + 1]; i++)
        {
          float point[2] = { node->x + node->points[2 * i], node->y + node->points[2 * i + 1] };

          wire.x0 = MIN (wire.x0, point[0]);
          wire.y0 = MIN (wire.y0, point[1]);
          wire.x1 = MAX (wire.x1, point[0]);
          wire.y1 = MAX (wire.y1, point[1]);
          g_array_append_vals (self->points, point, 2);
        }
      g_array_append_val (self->wires, wire);
    }
}

typedef struct {
  FlowItem item;
  FlowItem other;
  guint8 out;
  guint8 is_update;
} StubEnd;

static int
compare_stub_ends (gconstpointer a,
                   gconstpointer b)
{
  const StubEnd *x = a;
  const StubEnd *y = b;

  if (x->item != y->item)
    return x->item < y->item ? -1 : 1;
  return x->out < y->out ? -1 : x->out > y->out;
}

static const char *
short_name (const FlowScene *scene,
            FlowItem         item)
{
  if (flow_item_is_group (item))
    return flow_scene_group (scene, flow_item_get_group (item))->label;
  return flow_graph_get_node_leaf (scene->graph, item);
}

/* Lines that are not drawn leave a tick at both ends, one for all at a side of a box. */
static void
add_stubs (Builder              *self,
           const FlowLayoutNode *node)
{
  const FlowSceneGroup *group = flow_scene_group (self->scene, node->group);
  g_autoptr(GArray) ends = g_array_new (FALSE, FALSE, sizeof (StubEnd));
  g_autoptr(GHashTable) place = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < node->n_items; i++)
    g_hash_table_insert (place, GUINT_TO_POINTER (g_array_index (group->items, FlowItem, i)),
                         GUINT_TO_POINTER (i + 1));
  for (guint k = 0; k < node->n_lines; k++)
    {
      const FlowLine *line = &g_array_index (group->lines, FlowLine, k);
      guint8 is_update = (line->flags & FLOW_META_UPDATE) != 0 && line->port == FLOW_GROUP_NONE;
      StubEnd from = { line->from, line->to, 1, is_update };
      StubEnd to = { line->to, line->from, 0, is_update };

      if (node->line_first[k + 1] != node->line_first[k] || line->from == line->to)
        continue;
      if (line->from != FLOW_ITEM_NONE)
        g_array_append_val (ends, from);
      if (line->to != FLOW_ITEM_NONE)
        g_array_append_val (ends, to);
    }
  g_array_sort (ends, compare_stub_ends);
  for (guint i = 0; i < ends->len;)
    {
      const StubEnd *end = &g_array_index (ends, StubEnd, i);
      guint at = GPOINTER_TO_UINT (g_hash_table_lookup (place, GUINT_TO_POINTER (end->item))) - 1;
      FlowStub stub = { .out = end->out, .item = end->item };
      g_autofree char *label = NULL;

      for (; i < ends->len && g_array_index (ends, StubEnd, i).item == end->item
             && g_array_index (ends, StubEnd, i).out == end->out; i++)
        {
          stub.n_edges++;
          stub.is_update |= g_array_index (ends, StubEnd, i).is_update;
        }
      /* An open child's own header stands where its tick would. */
      if (at >= node->n_items || node->child[at] != NONE)
        continue;
      if (stub.is_update)
        label = g_strdup ("UPDATE_OPS");
      else if (stub.n_edges > 1 || end->other == FLOW_ITEM_NONE)
        label = g_strdup_printf (stub.out ? "%u out" : "%u in", stub.n_edges);
      else
        label = g_strdup (short_name (self->scene, end->other));
      stub.label = keep (self, label);
      if (self->layout->direction == FLOW_FLOW_RIGHT)
        {
          stub.x = node->x + node->item_x[at] + (stub.out ? node->item_width[at] : 0.0f);
          stub.y = node->y + node->item_y[at] + node->item_height[at] - 8.0f;
        }
      else
        {
          gboolean below = (stub.out != 0) == (self->layout->direction == FLOW_FLOW_DOWN);

          stub.x = node->x + node->item_x[at] + node->item_width[at] - 14.0f;
          stub.y = node->y + node->item_y[at] + (below ? node->item_height[at] : 0.0f);
        }
      g_array_append_val (self->stubs, stub);
    }
}

/**
 * flow_display_new:
 * @scene: the scene
 * @layout: a layout of it that has run
 * @edge_labels: whether wires carry shapes
 *
 * On the main thread, in time linear in what is open.
 */
FlowDisplay *
flow_display_new (FlowScene        *scene,
                  const FlowLayout *layout,
                  gboolean          edge_labels)
{
  static guint64 serial = 0;
  FlowDisplay *self = g_new0 (FlowDisplay, 1);
  Builder builder = { .display = self, .scene = scene, .layout = layout };

  g_atomic_ref_count_init (&self->ref_count);
  self->serial = ++serial;
  self->direction = layout->direction;
  self->width = layout->width;
  self->height = layout->height;
  self->strings = g_string_chunk_new (4096);
  self->n_layers = layout->n_nodes;
  self->layers = g_new0 (FlowDisplayLayer, (gsize) layout->n_nodes + 1);
  builder.boxes = g_array_new (FALSE, FALSE, sizeof (FlowBox));
  builder.wires = g_array_new (FALSE, FALSE, sizeof (FlowWire));
  builder.stubs = g_array_new (FALSE, FALSE, sizeof (FlowStub));
  builder.points = g_array_new (FALSE, FALSE, sizeof (float));
  for (guint i = 0; i < layout->n_nodes; i++)
    {
      const FlowLayoutNode *node = &layout->nodes[i];
      FlowDisplayLayer *layer = &self->layers[i];

      layer->group = node->group;
      layer->depth = flow_scene_group (scene, node->group)->depth;
      layer->frame = builder.boxes->len;
      add_frame (&builder, node, i);
      layer->first_box = builder.boxes->len;
      add_boxes (&builder, node, i);
      layer->n_boxes = builder.boxes->len - layer->first_box;
      layer->first_wire = builder.wires->len;
      add_wires (&builder, node, i);
      layer->n_wires = builder.wires->len - layer->first_wire;
      layer->first_stub = builder.stubs->len;
      add_stubs (&builder, node);
      layer->n_stubs = builder.stubs->len - layer->first_stub;
    }
  self->n_boxes = builder.boxes->len;
  self->n_wires = builder.wires->len;
  self->n_stubs = builder.stubs->len;
  self->boxes = (FlowBox *) (gpointer) g_array_free (builder.boxes, FALSE);
  self->wires = (FlowWire *) (gpointer) g_array_free (builder.wires, FALSE);
  self->stubs = (FlowStub *) (gpointer) g_array_free (builder.stubs, FALSE);
  self->points = (float *) (gpointer) g_array_free (builder.points, FALSE);
  self->box_of = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < self->n_boxes; i++)
    g_hash_table_insert (self->box_of, GUINT_TO_POINTER (self->boxes[i].item),
                         GUINT_TO_POINTER (i + 1));
  if (edge_labels)
    _flow_display_add_labels (self, scene);
  return self;
}

FlowDisplay *
flow_display_ref (FlowDisplay *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
flow_display_unref (FlowDisplay *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->layers);
  g_free (self->boxes);
  g_free (self->wires);
  g_free (self->stubs);
  g_free (self->points);
  g_string_chunk_free (self->strings);
  g_hash_table_unref (self->box_of);
  g_free (self);
}

/**
 * flow_display_find_box:
 *
 * Returns: (nullable): the box of an item that is visible
 */
const FlowBox *
flow_display_find_box (const FlowDisplay *self,
                       FlowItem           item)
{
  guint i = GPOINTER_TO_UINT (g_hash_table_lookup (self->box_of, GUINT_TO_POINTER (item)));

  return i > 0 ? &self->boxes[i - 1] : NULL;
}

/**
 * flow_display_box_at:
 * @tolerance: how near a box may be when none is hit
 *
 * Returns: (nullable): the innermost box there; the frame of the root is none
 */
const FlowBox *
flow_display_box_at (const FlowDisplay *self,
                     double             x,
                     double             y,
                     double             tolerance)
{
  const FlowBox *frame = NULL;
  const FlowBox *nearest = NULL;
  double best = tolerance;

  for (guint i = 1; i < self->n_boxes; i++)
    {
      const FlowBox *box = &self->boxes[i];
      double dx = MAX (MAX (box->x - x, x - box->x - box->width), 0.0);
      double dy = MAX (MAX (box->y - y, y - box->y - box->height), 0.0);

      if (box->kind == FLOW_BOX_FRAME)
        {
          /* Parents come before children: the last is the innermost. */
          if (dx == 0.0 && dy == 0.0)
            frame = box;
        }
      else if (dx == 0.0 && dy == 0.0)
        return box;
      else if (dx + dy < best)
        {
          best = dx + dy;
          nearest = box;
        }
    }
  return nearest != NULL ? nearest : frame;
}

/**
 * flow_display_wire_at:
 *
 * Returns: (nullable): the thickest wire within @tolerance
 */
const FlowWire *
flow_display_wire_at (const FlowDisplay *self,
                      double             x,
                      double             y,
                      double             tolerance)
{
  const FlowWire *best = NULL;

  for (guint i = 0; i < self->n_wires; i++)
    {
      const FlowWire *wire = &self->wires[i];
      const float *points = self->points + 2 * wire->first_point;
      gboolean hit = FALSE;

      if (x < wire->x0 - tolerance || x > wire->x1 + tolerance
          || y < wire->y0 - tolerance || y > wire->y1 + tolerance)
        continue;
      for (guint s = 0; s + 3 < wire->n_points && !hit; s += 3)
        {
          float ax = points[2 * s];
          float ay = points[2 * s + 1];

          for (guint step = 1; step <= 8 && !hit; step++)
            {
              float bx = 0.0f;
              float by = 0.0f;
              double dx;
              double dy;
              double t;

              _flow_display_cubic_at (points + 2 * s, step / 8.0f, &bx, &by);
              dx = bx - ax;
              dy = by - ay;
              t = dx * dx + dy * dy > 0.0
                  ? CLAMP (((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy), 0.0, 1.0) : 0.0;
              hit = hypot (ax + t * dx - x, ay + t * dy - y) <= tolerance;
              ax = bx;
              ay = by;
            }
        }
      if (hit && (best == NULL || wire->width >= best->width))
        best = wire;
    }
  return best;
}

/* The least that any op of a group is dimmed: per group, those without ops fully. */
static guint8 *
focus_groups (const FlowScene *scene,
              const guint8    *focus,
              gsize            n)
{
  guint n_groups = scene->groups->len;
  guint8 *least = g_malloc (n_groups);

  memset (least, FLOW_DIM_HIDDEN, n_groups);
  for (guint32 op = 0; op < scene->n_ops; op++)
    {
      guint8 dim = op < n ? MIN (focus[op], FLOW_DIM_HIDDEN) : 0;

      for (guint32 g = scene->op_group[op]; g != FLOW_GROUP_NONE && least[g] > dim; g = flow_scene_group (scene, g)->parent)
        least[g] = dim;
    }
  return least;
}

/**
 * flow_display_dup_dims:
 * @focus: (nullable): a byte per node: 0 as it is, %FLOW_DIM_PALE or %FLOW_DIM_HIDDEN
 *
 * Returns: (transfer full) (nullable): per box, how much it is dimmed: what is not in the run is pale; %NULL when
 *   there is neither a run nor a focus
 */
guint8 *
flow_display_dup_dims (const FlowDisplay *self,
                       const FlowScene   *scene,
                       GBytes            *focus)
{
  gsize n = 0;
  const guint8 *bytes = focus != NULL ? g_bytes_get_data (focus, &n) : NULL;
  g_autofree guint8 *least = bytes != NULL ? focus_groups (scene, bytes, n) : NULL;
  /* Who looks at what belongs together does not ask what is in the run. */
  gboolean by_run = scene->has_states && (n == 0 || memchr (bytes, FLOW_DIM_PALE, n) == NULL);
  guint8 *dims;

  if (!scene->has_states && bytes == NULL)
    return NULL;
  dims = g_new0 (guint8, (gsize) self->n_boxes + 1);
  dims[0] = scene->has_states;
  for (guint i = 1; i < self->n_boxes; i++)
    {
      FlowItem item = self->boxes[i].item;

      if (flow_item_is_group (item))
        {
          const FlowSceneGroup *group = flow_scene_group (scene, flow_item_get_group (item));

          if (by_run)
            dims[i] = group->state_ops[FLOW_NODE_NOT_IN_RUN] == group->n_ops;
          if (least != NULL)
            dims[i] = MAX (dims[i], least[flow_item_get_group (item)]);
        }
      else
        {
          if (by_run)
            dims[i] = scene->op_state[item] == FLOW_NODE_NOT_IN_RUN;
          if (item < n)
            dims[i] = MAX (dims[i], MIN (bytes[item], FLOW_DIM_HIDDEN));
        }
    }
  return dims;
}
