/* flow-scene-text.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-scene-private.h"

#include <math.h>
#include <string.h>

/* Labels and sizes of the items of a group. No Pango: advances come from a table. */

/* Sizes of the boxes (canvas, section 6). */
#define CARD_HEIGHT 40.0f
#define CARD_MARGIN 44.0f
#define CARD_WIDTH_MIN 104.0f
#define CARD_WIDTH_MAX 220.0f
#define GROUP_HEIGHT 44.0f
#define GROUP_HEIGHT_MAX 72.0f

/* Side marks stand in this margin left of a card. */
#define ANNOTATION_MARGIN 12.0f

/* What a character outside ASCII takes, in widths of a capital. */
#define WIDE 1.2f

static float
measure (const float *advances,
         const char  *text)
{
  float width = 0.0f;

  for (const char *p = text; *p != '\0'; p++)
    {
      guchar c = *p;

      if (c < 0x80)
        width += advances[c];
      else if (c >= 0xc0)
        width += advances['M'] * WIDE;
    }
  return width;
}

/**
 * flow_scene_dup_shape_text:
 *
 * Returns: (transfer full) (nullable): "32×28×28×1", "scalar", %NULL for an unknown rank
 */
char *
flow_scene_dup_shape_text (const FlowScene *self,
                           guint32          op,
                           guint            slot)
{
  FlowShape *shape;
  int rank;
  GString *text;
  gboolean any_known = FALSE;

  if (slot >= flow_graph_get_n_outputs (self->graph, op))
    return NULL;
  shape = flow_graph_get_output_shape (self->graph, op, slot);
  rank = flow_shape_get_rank (shape);
  if (rank == FLOW_RANK_UNKNOWN)
    return NULL;
  if (rank == 0)
    return g_strdup ("scalar");
  text = g_string_new (NULL);
  for (int i = 0; i < MIN (rank, 8); i++)
    {
      gint64 dim = flow_shape_get_dim (shape, i);

      if (i > 0)
        g_string_append (text, "×");
      if (dim < 0)
        g_string_append_c (text, '?');
      else
        g_string_append_printf (text, "%" G_GINT64_FORMAT, dim);
      any_known = any_known || dim >= 0;
    }
  if (rank > 8)
    g_string_append (text, "×…");
  /* A vector of unknown length: a lone question mark tells nothing. */
  return g_string_free (text, rank == 1 && !any_known);
}

/* "Type · shape"; the type is left out where the name says it. */
static const char *
make_op_subtitle (FlowScene  *self,
                  guint32     op,
                  const char *title)
{
  const char *type = flow_graph_get_node_type (self->graph, op);
  g_autofree char *shape = flow_scene_dup_shape_text (self, op, 0);
  gsize length = strlen (type);
  gboolean named = strncmp (title, type, length) == 0
                   && (title[length] == '\0' || title[length] == '_');
  g_autofree char *text = NULL;

  /* What a run must not forget is worth more than its shape. */
  if ((self->op_flags[op] & FLOW_OP_UPDATE) != 0)
    {
      text = g_strdup_printf ("%s · in UPDATE_OPS", type);
      return g_string_chunk_insert_const (self->strings, text);
    }
  if (shape == NULL)
    return g_string_chunk_insert_const (self->strings, type);
  if (named)
    return g_string_chunk_insert_const (self->strings, shape);
  text = g_strdup_printf ("%s · %s", type, shape);
  return g_string_chunk_insert_const (self->strings, text);
}

static const char *
make_op_title (FlowScene            *self,
               const FlowSceneGroup *group,
               guint32               op)
{
  const char *name = flow_graph_get_node_name (self->graph, op);
  guint32 scope = FLOW_SCOPE_NONE;
  gsize length = 0;

  if (op == group->own_op)
    {
      g_autofree char *own = g_strdup_printf ("(%s)", flow_graph_get_node_leaf (self->graph, op));

      return g_string_chunk_insert_const (self->strings, own);
    }
  for (const FlowSceneGroup *g = group; scope == FLOW_SCOPE_NONE;
       g = flow_scene_group (self, g->parent))
    scope = g->scope;
  if (scope != FLOW_SCOPE_ROOT)
    length = strlen (flow_graph_get_scope_path (self->graph, scope)) + 1;
  return strlen (name) > length ? name + length : name;
}

static const char *
make_group_subtitle (FlowScene            *self,
                     guint32               g)
{
  const FlowSceneGroup *group = flow_scene_group (self, g);
  const FlowControlFrame *frame = flow_scene_frame_of_group (self, g);
  g_autofree char *text = NULL;

  if (group->own_op != FLOW_NODE_NONE
      && (self->op_flags[group->own_op] & FLOW_OP_UPDATE) != 0)
    return make_op_subtitle (self, group->own_op, "");
  if (group->own_op != FLOW_NODE_NONE
      && strstr (flow_graph_get_node_type (self->graph, group->own_op), "Var") != NULL)
    return make_op_subtitle (self, group->own_op, "");
  if (frame != NULL)
    text = g_strdup_printf (group->n_ops == 1 ? "%s · %u op" : "%s · %u ops",
                            frame->kind == FLOW_CONTROL_LOOP ? "loop" : frame->kind == FLOW_CONTROL_TRUE ? "if true" : "if false",
                            group->n_ops);
  else
    text = g_strdup_printf (group->n_ops == 1 ? "%u op" : "%u ops", group->n_ops);
  return g_string_chunk_insert_const (self->strings, text);
}

static guint
count_annotations (const FlowScene *self,
                   guint32          op)
{
  return self->annotation_first[op + 1] - self->annotation_first[op];
}

static void
measure_item (FlowScene      *self,
              FlowSceneGroup *group,
              guint           i)
{
  FlowItem item = g_array_index (group->items, FlowItem, i);
  float width;

  if (flow_item_is_group (item))
    {
      const FlowSceneGroup *child = flow_scene_group (self, flow_item_get_group (item));
      float height = GROUP_HEIGHT + 4.0f * (log2f (MAX (child->n_ops, 1)) - 3.0f);

      group->item_title[i] = child->label;
      group->item_subtitle[i] = make_group_subtitle (self, flow_item_get_group (item));
      group->item_height[i] = roundf (CLAMP (height, GROUP_HEIGHT, GROUP_HEIGHT_MAX));
    }
  else
    {
      group->item_title[i] = make_op_title (self, group, item);
      group->item_subtitle[i] = make_op_subtitle (self, item, group->item_title[i]);
      group->item_height[i] = CARD_HEIGHT;
    }
  width = MAX (measure (self->metrics.title, group->item_title[i]),
               measure (self->metrics.subtitle, group->item_subtitle[i]));
  group->item_width[i] = ceilf (CLAMP (width + CARD_MARGIN, CARD_WIDTH_MIN, CARD_WIDTH_MAX) / 2.0f)
                         * 2.0f;
  if (!flow_item_is_group (item) && count_annotations (self, item) > 0)
    group->item_width[i] += ANNOTATION_MARGIN;
}

/**
 * flow_scene_prepare_group:
 * @group: a group
 *
 * Fills ports, lines, labels and sizes of the group, and of those around it, once.
 */
void
flow_scene_prepare_group (FlowScene *self,
                          guint32    g)
{
  g_autoptr(GArray) path = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (; g != FLOW_GROUP_NONE && !flow_scene_group (self, g)->has_lines;
       g = flow_scene_group (self, g)->parent)
    g_array_append_val (path, g);
  for (guint i = path->len; i-- > 0;)
    {
      FlowSceneGroup *group = flow_scene_group (self, g_array_index (path, guint32, i));
      guint n = group->items->len;

      group->item_width = g_new0 (float, (gsize) n + 1);
      group->item_height = g_new0 (float, (gsize) n + 1);
      group->item_title = g_new0 (const char *, (gsize) n + 1);
      group->item_subtitle = g_new0 (const char *, (gsize) n + 1);
      for (guint k = 0; k < n; k++)
        measure_item (self, group, k);
      _flow_scene_prepare_lines (self, g_array_index (path, guint32, i));
      group->has_lines = TRUE;
    }
}

/**
 * flow_scene_dup_line_label:
 *
 * Returns: (transfer full) (nullable): the shape of what flows, "n tensors", or what a control edge
 *   of UPDATE_OPS does
 */
char *
flow_scene_dup_line_label (const FlowScene *self,
                           guint32          g,
                           const FlowLine  *line)
{
  const FlowSceneGroup *group = flow_scene_group (self, g);
  const guint32 *edges = &g_array_index (group->line_edges, guint32, line->first_edge);
  guint32 source = FLOW_NODE_NONE;
  gint32 slot = 0;
  gboolean same = TRUE;

  for (guint i = 0; i < line->n_edges; i++)
    {
      guint32 e = edges[i];

      if (self->edge_slot[e] == FLOW_SLOT_CONTROL)
        continue;
      if (source == FLOW_NODE_NONE)
        {
          source = self->edge_source[e];
          slot = self->edge_slot[e];
        }
      else if (source != self->edge_source[e] || slot != self->edge_slot[e])
        same = FALSE;
    }
  if (source != FLOW_NODE_NONE)
    return same ? flow_scene_dup_shape_text (self, source, slot)
           : g_strdup_printf ("%u tensors", line->n_data + line->n_ref);
  if ((line->flags & FLOW_META_UPDATE) != 0 && line->n_edges > 0)
    return g_strdup_printf ("control: UPDATE_OPS before %s",
                            flow_graph_get_node_leaf (self->graph, self->edge_target[edges[0]]));
  return NULL;
}
