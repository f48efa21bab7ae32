/* flow-layout.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-layout.h"

#include <math.h>
#include <string.h>

/* The tree of open groups: each laid out by itself, sizes from the leaves up, corners from the root
 * down. */

#define NONE FLOW_GROUP_NONE

/* Beside the label a header shows counts and a chevron. */
#define HEADER_EXTRA 110.0f

/* Data flows down, as one reads, unless another direction is worth so much more. */
#define RIVAL_GAIN_MIN 0.08

static void
fill_node (FlowScene      *scene,
           FlowLayoutNode *node,
           guint32         g,
           gboolean        tidy)
{
  FlowSceneGroup *group;
  g_autoptr(GHashTable) places = g_hash_table_new (NULL, NULL);

  flow_scene_prepare_group (scene, g);
  group = flow_scene_group (scene, g);
  node->group = g;
  node->n_items = group->items->len;
  node->n_ports = group->ports->len;
  node->n_lines = group->lines->len;
  if (group->layered != NULL && !tidy)
    node->layered = flow_layered_ref (group->layered);
  else
    node->input = flow_scene_make_input (scene, g);
  node->closed_width = g_memdup2 (group->item_width, sizeof (float) * (node->n_items + 1));
  node->closed_height = g_memdup2 (group->item_height, sizeof (float) * (node->n_items + 1));
  node->child = g_new (guint32, (gsize) node->n_items + 1);
  for (guint i = 0; i < node->n_items; i++)
    {
      node->child[i] = NONE;
      g_hash_table_insert (places, GUINT_TO_POINTER (g_array_index (group->items, FlowItem, i)),
                           GUINT_TO_POINTER (i + 1));
    }
  node->line_from = g_new (guint32, (gsize) node->n_lines + 1);
  node->line_to = g_new (guint32, (gsize) node->n_lines + 1);
  for (guint k = 0; k < node->n_lines; k++)
    {
      const FlowLine *line = &g_array_index (group->lines, FlowLine, k);

      node->line_from[k] = node->line_to[k] = NONE;
      if ((line->flags & FLOW_META_STUB) != 0)
        continue;
      node->line_from[k] = line->from == FLOW_ITEM_NONE ? node->n_items + line->port
        : GPOINTER_TO_UINT (g_hash_table_lookup (places, GUINT_TO_POINTER (line->from))) - 1;
      node->line_to[k] = line->to == FLOW_ITEM_NONE ? node->n_items + line->port
        : GPOINTER_TO_UINT (g_hash_table_lookup (places, GUINT_TO_POINTER (line->to))) - 1;
    }
  node->port_line = g_new (guint32, (gsize) node->n_ports + 1);
  node->port_out = g_new (guint8, (gsize) node->n_ports + 1);
  for (guint p = 0; p < node->n_ports; p++)
    {
      node->port_line[p] = g_array_index (group->ports, FlowPort, p).parent_link;
      node->port_out[p] = g_array_index (group->ports, FlowPort, p).out;
    }
  if (g != FLOW_GROUP_ROOT)
    {
      for (const char *p = group->label; *p != '\0'; p++)
        node->header_width += scene->metrics.title[(guchar) *p & 0x7f];
      node->header_width = MIN (node->header_width, 320.0f) + HEADER_EXTRA;
    }
}

/**
 * flow_layout_new:
 * @scene: the scene
 * @tidy: forget the rows and orders that open groups have
 *
 * A snapshot of what is open, on the main thread.
 *
 * Returns: (transfer full): give it to flow_layout_run()
 */
FlowLayout *
flow_layout_new (FlowScene *scene,
                 gboolean   tidy)
{
  FlowLayout *self = g_new0 (FlowLayout, 1);
  g_autoptr(GArray) nodes = g_array_new (FALSE, TRUE, sizeof (FlowLayoutNode));
  FlowLayoutNode root = { .group = FLOW_GROUP_ROOT, .parent = NONE };

  self->direction = scene->direction;
  g_array_append_val (nodes, root);
  for (guint i = 0; i < nodes->len; i++)
    {
      guint32 g = g_array_index (nodes, FlowLayoutNode, i).group;
      const FlowSceneGroup *group;

      fill_node (scene, &g_array_index (nodes, FlowLayoutNode, i), g, tidy);
      group = flow_scene_group (scene, g);
      for (guint k = 0; k < group->items->len; k++)
        {
          FlowItem item = g_array_index (group->items, FlowItem, k);
          FlowLayoutNode node = { .parent = i, .parent_item = k };

          if (!flow_item_is_group (item)
              || !flow_scene_group (scene, flow_item_get_group (item))->is_open)
            continue;
          node.group = flow_item_get_group (item);
          g_array_index (nodes, FlowLayoutNode, i).child[k] = nodes->len;
          g_array_append_val (nodes, node);
        }
    }
  self->n_nodes = nodes->len;
  self->nodes = g_memdup2 (nodes->data, sizeof (FlowLayoutNode) * nodes->len);
  return self;
}

void
flow_layout_free (FlowLayout *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_nodes; i++)
    {
      FlowLayoutNode *node = &self->nodes[i];

      flow_layered_input_free (node->input);
      g_clear_pointer (&node->layered, flow_layered_unref);
      g_free (node->closed_width);
      g_free (node->closed_height);
      g_free (node->child);
      g_free (node->line_from);
      g_free (node->line_to);
      g_free (node->port_line);
      g_free (node->port_out);
      g_free (node->item_x);
      g_free (node->item_y);
      g_free (node->item_width);
      g_free (node->item_height);
      g_free (node->line_first);
      g_free (node->points);
      g_free (node->port_offset);
    }
  g_free (self->nodes);
  flow_layout_free (self->rival);
  g_free (self);
}

/* Sizes across and along the flow of all items and ports, with the open children's own. */
static void
get_sizes (const FlowLayout     *self,
           const FlowLayoutNode *node,
           gboolean              closed,
           float                *across,
           float                *along)
{
  gboolean sideways = self->direction == FLOW_FLOW_RIGHT;

  for (guint i = 0; i < node->n_items; i++)
    {
      float width = node->closed_width[i];
      float height = node->closed_height[i];

      if (!closed && node->child[i] != NONE)
        {
          width = self->nodes[node->child[i]].width;
          height = self->nodes[node->child[i]].height;
        }
      across[i] = sideways ? height : width;
      along[i] = sideways ? width : height;
    }
  for (guint p = 0; p < node->n_ports; p++)
    across[node->n_items + p] = along[node->n_items + p] = 0.0f;
}

/* Orders a new group's ports by where their far ends stand in the group around. */
static void
order_ports (FlowLayout     *self,
             FlowLayoutNode *node)
{
  const FlowLayoutNode *parent = &self->nodes[node->parent];
  guint n = parent->n_items + parent->n_ports;
  g_autofree float *across = g_new0 (float, (gsize) n + 1);
  g_autofree float *along = g_new0 (float, (gsize) n + 1);
  g_autoptr(FlowArrangement) arrangement = NULL;

  if (node->n_ports < 2)
    return;
  get_sizes (self, parent, TRUE, across, along);
  arrangement = flow_layered_arrange (parent->layered, across, along, NULL);
  node->input->key = g_new0 (float, (gsize) node->n_items + node->n_ports + 1);
  for (guint p = 0; p < node->n_ports; p++)
    {
      guint32 line = node->port_line[p];
      guint32 far = node->port_out[p] ? parent->line_to[line] : parent->line_from[line];

      if (far != NONE)
        node->input->key[node->n_items + p] = arrangement->x[far] + across[far] / 2.0f;
    }
}

/* Where lines that end at open children must end: at the children's ports. */
static float *
find_attachments (const FlowLayout     *self,
                  const FlowLayoutNode *node)
{
  float *attach = g_new (float, 2 * (gsize) node->n_lines + 1);

  for (guint k = 0; k < 2 * node->n_lines; k++)
    attach[k] = NAN;
  for (guint i = 0; i < node->n_items; i++)
    if (node->child[i] != NONE)
      {
        const FlowLayoutNode *child = &self->nodes[node->child[i]];

        for (guint p = 0; p < child->n_ports; p++)
          attach[2 * child->port_line[p] + (child->port_out[p] ? 0 : 1)] = child->port_offset[p];
      }
  /* What shares a port with others has none of its own: it ends at the last port of its side. */
  for (guint k = 0; k < node->n_lines; k++)
    for (guint end = 0; end < 2; end++)
      {
        guint32 item = end == 0 ? node->line_from[k] : node->line_to[k];
        const FlowLayoutNode *child;

        if (item == NONE || item >= node->n_items || node->child[item] == NONE
            || !isnan (attach[2 * k + end]))
          continue;
        child = &self->nodes[node->child[item]];
        for (guint p = 0; p < child->n_ports; p++)
          if (child->port_out[p] == (end == 0))
            attach[2 * k + end] = child->port_offset[p];
      }
  return attach;
}

/* From across and along the flow to x and y inside the group's border. */
static void
turn (const FlowLayout *self,
      float             top,
      float             left,
      float             content_along,
      float             across,
      float             along,
      float            *x,
      float            *y)
{
  switch (self->direction)
    {
    case FLOW_FLOW_RIGHT:
      *x = left + along;
      *y = top + across;
      break;
    case FLOW_FLOW_UP:
      *x = left + across;
      *y = top + content_along - along;
      break;
    case FLOW_FLOW_DOWN:
    default:
      *x = left + across;
      *y = top + along;
    }
}

/* The line on to the border, past whatever of the group stands beside it. */
static void
add_border_end (GArray  *points,
                guint    first,
                gboolean at_start,
                float    border,
                gboolean sideways)
{
  float *data = (float *) (gpointer) points->data;
  guint n = points->len;
  float inner[2] = { at_start ? data[first] : data[n - 2],
                     at_start ? data[first + 1] : data[n - 1] };
  float outer[2] = { sideways ? border : inner[0], sideways ? inner[1] : border };
  float step[2] = { (outer[0] - inner[0]) / 3.0f, (outer[1] - inner[1]) / 3.0f };

  if (at_start)
    {
      float run[6] = { outer[0], outer[1], outer[0] - step[0], outer[1] - step[1],
                       inner[0] + step[0], inner[1] + step[1] };

      g_array_insert_vals (points, first, run, 6);
    }
  else
    {
      float run[6] = { inner[0] + step[0], inner[1] + step[1], outer[0] - step[0],
                       outer[1] - step[1], outer[0], outer[1] };

      g_array_append_vals (points, run, 6);
    }
}

static void
turn_lines (FlowLayout            *self,
            FlowLayoutNode        *node,
            const FlowArrangement *arrangement,
            float                  top,
            float                  left,
            float                  content_along)
{
  gboolean sideways = self->direction == FLOW_FLOW_RIGHT;
  gboolean up = self->direction == FLOW_FLOW_UP;
  float end_in = up ? node->height : 0.0f;
  float end_out = up ? 0.0f : sideways ? node->width : node->height;
  GArray *points = g_array_new (FALSE, FALSE, sizeof (float));

  node->line_first = g_new0 (guint32, (gsize) node->n_lines + 2);
  for (guint k = 0; k < node->n_lines; k++)
    {
      guint first = points->len;

      node->line_first[k] = first / 2;
      for (guint32 i = arrangement->edge_first[k]; i < arrangement->edge_first[k + 1]; i++)
        {
          float point[2];

          turn (self, top, left, content_along, arrangement->points[2 * i],
                arrangement->points[2 * i + 1], &point[0], &point[1]);
          g_array_append_vals (points, point, 2);
        }
      if (points->len == first || node->parent == NONE)
        continue;
      if (node->line_from[k] >= node->n_items && node->line_from[k] != NONE)
        add_border_end (points, first, TRUE, end_in, sideways);
      if (node->line_to[k] >= node->n_items && node->line_to[k] != NONE)
        add_border_end (points, first, FALSE, end_out, sideways);
    }
  node->line_first[node->n_lines] = points->len / 2;
  node->points = (float *) (gpointer) g_array_free (points, FALSE);
}

/* The outermost group, as it fills the view best. */
static FlowLayered *
fit_root (const FlowLayout     *self,
          const FlowLayoutNode *node,
          const float          *across,
          const float          *along,
          const float          *attach,
          GCancellable         *cancellable)
{
  gboolean sideways = self->direction == FLOW_FLOW_RIGHT;
  FlowLayeredView view = { sideways ? self->view_height : self->view_width,
                           sideways ? self->view_width : self->view_height, 2.0 * FLOW_ROOT_PADDING };

  return flow_layered_new_fitted (node->input, across, along, attach, &view, cancellable);
}

static void
arrange_node (FlowLayout     *self,
              FlowLayoutNode *node,
              GCancellable   *cancellable)
{
  guint n = node->n_items + node->n_ports;
  g_autofree float *across = g_new0 (float, (gsize) n + 1);
  g_autofree float *along = g_new0 (float, (gsize) n + 1);
  g_autofree float *attach = find_attachments (self, node);
  g_autoptr(FlowArrangement) arrangement = NULL;
  gboolean is_root = node->parent == NONE;
  gboolean sideways = self->direction == FLOW_FLOW_RIGHT;
  float padding = is_root ? FLOW_ROOT_PADDING : FLOW_GROUP_PADDING;
  float top = is_root ? padding : FLOW_GROUP_HEADER;
  float left = padding;
  float content_width;
  float content_height;
  float content_along;

  get_sizes (self, node, FALSE, across, along);
  if (node->is_new)
    {
      FlowLayered *placed = is_root && self->view_width > 0.0f
                            ? fit_root (self, node, across, along, attach, cancellable)
                            : flow_layered_replace (node->layered, across, along, attach);

      flow_layered_unref (node->layered);
      node->layered = placed;
    }
  arrangement = flow_layered_arrange (node->layered, across, along, attach);
  content_width = sideways ? arrangement->height : arrangement->width;
  content_height = sideways ? arrangement->width : arrangement->height;
  content_along = arrangement->height;
  node->width = content_width + 2.0f * padding;
  node->height = content_height + top + padding;
  if (node->header_width > node->width)
    {
      left += floorf ((node->header_width - node->width) / 2.0f);
      node->width = node->header_width;
    }
  node->item_x = g_new0 (float, (gsize) node->n_items + 1);
  node->item_y = g_new0 (float, (gsize) node->n_items + 1);
  node->item_width = g_new0 (float, (gsize) node->n_items + 1);
  node->item_height = g_new0 (float, (gsize) node->n_items + 1);
  for (guint i = 0; i < node->n_items; i++)
    {
      float x0;
      float y0;
      float x1;
      float y1;

      turn (self, top, left, content_along, arrangement->x[i], arrangement->y[i], &x0, &y0);
      turn (self, top, left, content_along, arrangement->x[i] + across[i],
            arrangement->y[i] + along[i], &x1, &y1);
      node->item_x[i] = MIN (x0, x1);
      node->item_y[i] = MIN (y0, y1);
      node->item_width[i] = fabsf (x1 - x0);
      node->item_height[i] = fabsf (y1 - y0);
    }
  node->port_offset = g_new0 (float, (gsize) node->n_ports + 1);
  for (guint p = 0; p < node->n_ports; p++)
    node->port_offset[p] = (sideways ? top : left) + arrangement->x[node->n_items + p];
  turn_lines (self, node, arrangement, top, left, content_along);
}

/**
 * flow_layout_fit:
 * @view_width: what is seen at scale 1
 * @view_height: likewise
 *
 * To be called before it runs: what has no rows yet is arranged so that it fills the view.
 */
void
flow_layout_fit (FlowLayout *self,
                 float       view_width,
                 float       view_height)
{
  self->view_width = MAX (view_width, 1.0f);
  self->view_height = MAX (view_height, 1.0f);
  if (self->nodes[0].input != NULL)
    self->nodes[0].input->shape = (FlowLayeredShape) {
      .row_gap = self->direction == FLOW_FLOW_RIGHT ? FLOW_ROW_GAP_SIDEWAYS : 0.0f
    };
}

/**
 * flow_layout_let_choose:
 * @scene: that it was made of
 * @other: where the data might flow to instead
 *
 * To be called after flow_layout_fit(): when it runs, both directions are tried in that view, and it becomes the one
 * in which more can be read. Of very many boxes no picture can be read; they stay as they are.
 */
void
flow_layout_let_choose (FlowLayout    *self,
                        FlowScene     *scene,
                        FlowDirection  other)
{
  if (self->nodes[0].n_items > FLOW_FIT_ITEMS_TRIED || self->view_width <= 0.0f)
    return;
  scene->direction = other;
  self->rival = flow_layout_new (scene, TRUE);
  scene->direction = self->direction;
  flow_layout_fit (self->rival, self->view_width, self->view_height);
}

/**
 * flow_layout_get_zoom:
 *
 * Returns: the scale at which such a view sees all of it
 */
double
flow_layout_get_zoom (const FlowLayout *self,
                      float             view_width,
                      float             view_height)
{
  return MIN (view_width / MAX (self->width, 1.0f), view_height / MAX (self->height, 1.0f));
}

static void
run_one (FlowLayout   *self,
         GCancellable *cancellable)
{
  for (guint i = 0; i < self->n_nodes; i++)
    {
      FlowLayoutNode *node = &self->nodes[i];

      if (node->layered != NULL)
        continue;
      if (node->parent != NONE)
        order_ports (self, node);
      node->layered = flow_layered_new (node->input, cancellable);
      node->is_new = TRUE;
    }
  for (guint i = self->n_nodes; i-- > 0;)
    arrange_node (self, &self->nodes[i], cancellable);
  for (guint i = 1; i < self->n_nodes; i++)
    {
      FlowLayoutNode *node = &self->nodes[i];
      const FlowLayoutNode *parent = &self->nodes[node->parent];

      node->x = parent->x + parent->item_x[node->parent_item];
      node->y = parent->y + parent->item_y[node->parent_item];
    }
  self->width = self->nodes[0].width;
  self->height = self->nodes[0].height;
}

/**
 * flow_layout_run:
 * @cancellable: (nullable): polled by the layers; what is cancelled is a grid
 *
 * Lays out what has no layout yet, finds sizes, corners and lines of everything. On any thread; the
 * snapshot is all it reads.
 */
void
flow_layout_run (FlowLayout   *self,
                 GCancellable *cancellable)
{
  FlowLayout *rival = g_steal_pointer (&self->rival);

  run_one (self, cancellable);
  if (rival == NULL)
    return;
  run_one (rival, cancellable);
  if (rival->nodes[0].layered->score > self->nodes[0].layered->score + RIVAL_GAIN_MIN)
    {
      FlowLayout better = *rival;

      better.generation = self->generation;
      *rival = *self;
      *self = better;
    }
  flow_layout_free (rival);
}

/**
 * flow_layout_commit:
 *
 * Keeps the new structures: from now on they are data.
 */
void
flow_layout_commit (FlowLayout *self,
                    FlowScene  *scene)
{
  for (guint i = 0; i < self->n_nodes; i++)
    {
      FlowLayoutNode *node = &self->nodes[i];
      FlowSceneGroup *group = flow_scene_group (scene, node->group);

      if (!node->is_new)
        continue;
      g_clear_pointer (&group->layered, flow_layered_unref);
      group->layered = flow_layered_ref (node->layered);
      /* What is added later finds the drawing as it was. */
      if (node->parent == NONE)
        {
          scene->shape = node->layered->shape;
          scene->direction = self->direction;
        }
    }
}
