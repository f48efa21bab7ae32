/* flow-canvas-select.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-canvas-private.h"
#include "flow-canvas-render-private.h"

#include <string.h>

/* What is selected and what is open. */

/**
 * _flow_canvas_item_node:
 *
 * Returns: the node an item is, for a group its own op; %FLOW_NODE_NONE
 */
guint32
_flow_canvas_item_node (FlowCanvas *self,
                        FlowItem    item)
{
  if (item == FLOW_ITEM_NONE || self->scene == NULL)
    return FLOW_NODE_NONE;
  if (flow_item_is_group (item))
    return flow_scene_group (self->scene, flow_item_get_group (item))->own_op;
  return item;
}

/* What a screen reader says of the selection; the outline is the list that it walks. */
static void
describe_selection (FlowCanvas *self)
{
  const char *name = "";
  const char *type = "";
  g_autofree char *text = NULL;

  if (self->scene != NULL && self->selected_node < self->scene->n_ops)
    {
      name = flow_graph_get_node_name (self->graph, self->selected_node);
      type = flow_graph_get_node_type (self->graph, self->selected_node);
    }
  else if (self->scene != NULL && flow_item_is_group (self->selected))
    {
      name = flow_scene_group (self->scene, flow_item_get_group (self->selected))->key;
      type = "scope";
    }
  text = g_strdup_printf ("%s %s", name, type);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text,
                                  -1);
}

void
_flow_canvas_select_item (FlowCanvas *self,
                          FlowItem    item,
                          guint32     node)
{
  if (self->selected == item && self->selected_node == node)
    return;
  self->selected = item;
  self->selected_node = node;
  describe_selection (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, _flow_canvas_signals[FLOW_CANVAS_SIGNAL_SELECTION_CHANGED], 0,
                 flow_canvas_get_selected_node (self), flow_canvas_get_selected_scope (self));
}

/**
 * _flow_canvas_toggle_item:
 *
 * Opens or closes a group; its header stays where it is on the screen.
 */
void
_flow_canvas_toggle_item (FlowCanvas *self,
                          FlowItem    item)
{
  FlowSceneGroup *group;

  if (self->scene == NULL || !flow_item_is_group (item))
    return;
  group = flow_scene_group (self->scene, flow_item_get_group (item));
  if (flow_item_get_group (item) == FLOW_GROUP_ROOT)
    return;
  group->is_open = !group->is_open;
  _flow_canvas_queue_layout (self, item);
}

/* Opens what is around an item. */
static gboolean
open_around (FlowCanvas *self,
             FlowItem    item)
{
  gboolean opened = FALSE;

  for (guint32 g = flow_scene_parent_of (self->scene, item); g != FLOW_GROUP_NONE;
       g = flow_scene_group (self->scene, g)->parent)
    {
      FlowSceneGroup *group = flow_scene_group (self->scene, g);

      opened = opened || !group->is_open;
      group->is_open = TRUE;
    }
  return opened;
}

static void
reveal_item (FlowCanvas *self,
             FlowItem    item)
{
  const FlowBox *box;

  if (item == FLOW_ITEM_NONE)
    return;
  if (open_around (self, item))
    {
      self->reveal_item = item;
      self->reveal_zoom = FLOW_ZOOM_READABLE * self->text_scale;
      _flow_canvas_queue_layout (self, FLOW_ITEM_NONE);
      return;
    }
  box = _flow_canvas_is_current (self) && self->layout_done == self->layout_generation
        ? flow_display_find_box (self->display, item) : NULL;
  if (box != NULL)
    _flow_canvas_show_box (self, box, FLOW_ZOOM_READABLE * self->text_scale);
  else
    {
      self->reveal_item = item;
      self->reveal_zoom = FLOW_ZOOM_READABLE * self->text_scale;
    }
}

/**
 * flow_canvas_select_node:
 * @node: a node, or %FLOW_NODE_NONE
 *
 * Selects without opening anything: the nearest box that can be seen is lit.
 */
void
flow_canvas_select_node (FlowCanvas *self,
                         guint32     node)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  if (self->scene == NULL || node >= self->scene->n_ops)
    _flow_canvas_select_item (self, FLOW_ITEM_NONE, FLOW_NODE_NONE);
  else
    _flow_canvas_select_item (self, flow_scene_item_of_op (self->scene, node), node);
}

/**
 * flow_canvas_select_scope:
 * @scope: a scope, or %FLOW_SCOPE_NONE
 */
void
flow_canvas_select_scope (FlowCanvas *self,
                          guint32     scope)
{
  FlowItem item = FLOW_ITEM_NONE;

  g_return_if_fail (FLOW_IS_CANVAS (self));

  if (self->scene != NULL && scope < self->scene->n_scopes && scope != FLOW_SCOPE_ROOT)
    item = self->scene->scope_item[scope];
  _flow_canvas_select_item (self, item, item == FLOW_ITEM_NONE || flow_item_is_group (item)
                                        ? FLOW_NODE_NONE : item);
}

/**
 * flow_canvas_reveal_node:
 * @node: a node
 *
 * Selects it, opens what is around it and brings it into sight.
 */
void
flow_canvas_reveal_node (FlowCanvas *self,
                         guint32     node)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  if (self->scene == NULL || node >= self->scene->n_ops)
    return;
  flow_canvas_select_node (self, node);
  reveal_item (self, self->selected);
}

/**
 * flow_canvas_reveal_scope:
 * @scope: a scope
 *
 * Likewise for a scope; the scope itself is not opened.
 */
void
flow_canvas_reveal_scope (FlowCanvas *self,
                          guint32     scope)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  if (self->scene == NULL || scope >= self->scene->n_scopes)
    return;
  flow_canvas_select_scope (self, scope);
  reveal_item (self, self->selected);
}

/**
 * flow_canvas_get_selected_node:
 *
 * Returns: the selected node, or %FLOW_NODE_NONE
 */
guint32
flow_canvas_get_selected_node (FlowCanvas *self)
{
  g_return_val_if_fail (FLOW_IS_CANVAS (self), FLOW_NODE_NONE);

  return self->selected_node;
}

/**
 * flow_canvas_get_selected_scope:
 *
 * Returns: the selected scope, or %FLOW_SCOPE_NONE
 */
guint32
flow_canvas_get_selected_scope (FlowCanvas *self)
{
  g_return_val_if_fail (FLOW_IS_CANVAS (self), FLOW_SCOPE_NONE);

  if (self->scene == NULL || self->selected_node != FLOW_NODE_NONE)
    return FLOW_SCOPE_NONE;
  return flow_scene_scope_of_item (self->scene, self->selected);
}

guint32
flow_canvas_get_hovered_node (FlowCanvas *self)
{
  g_return_val_if_fail (FLOW_IS_CANVAS (self), FLOW_NODE_NONE);

  return self->hovered == FLOW_ITEM_NONE || flow_item_is_group (self->hovered)
         ? FLOW_NODE_NONE : self->hovered;
}

guint32
flow_canvas_get_hovered_scope (FlowCanvas *self)
{
  g_return_val_if_fail (FLOW_IS_CANVAS (self), FLOW_SCOPE_NONE);

  if (self->scene == NULL)
    return FLOW_SCOPE_NONE;
  return flow_scene_scope_of_item (self->scene, self->hovered);
}

/**
 * flow_canvas_expand:
 * @path: a scope's path, or a series' key as flow_canvas_dup_open_scopes() gives it
 *
 * Opens it and what is around it.
 *
 * Returns: whether there is such a scope; one that is drawn as its only child has nothing to open
 */
gboolean
flow_canvas_expand (FlowCanvas *self,
                    const char *path)
{
  guint32 scope;

  g_return_val_if_fail (FLOW_IS_CANVAS (self), FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  if (self->scene == NULL)
    return FALSE;
  if (_flow_scene_open_key (self->scene, path))
    {
      guint32 group = flow_scene_find_key (self->scene, path);

      _flow_canvas_queue_layout (self, flow_item_of_group (group));
      return TRUE;
    }
  scope = flow_graph_find_scope (self->graph, path);
  if (scope == FLOW_SCOPE_NONE || scope >= self->scene->n_scopes)
    return FALSE;
  if (self->scene->scope_item[scope] != FLOW_ITEM_NONE
      && open_around (self, self->scene->scope_item[scope]))
    _flow_canvas_queue_layout (self, FLOW_ITEM_NONE);
  return TRUE;
}

/**
 * flow_canvas_collapse:
 * @path: as for flow_canvas_expand()
 *
 * Returns: whether there is such a scope
 */
gboolean
flow_canvas_collapse (FlowCanvas *self,
                      const char *path)
{
  guint32 group;

  g_return_val_if_fail (FLOW_IS_CANVAS (self), FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  if (self->scene == NULL)
    return FALSE;
  group = flow_scene_find_key (self->scene, path);
  if (group == FLOW_GROUP_NONE || group == FLOW_GROUP_ROOT)
    return flow_graph_find_scope (self->graph, path) != FLOW_SCOPE_NONE;
  if (flow_scene_group (self->scene, group)->is_open)
    {
      flow_scene_group (self->scene, group)->is_open = FALSE;
      _flow_canvas_queue_layout (self, flow_item_of_group (group));
    }
  return TRUE;
}

/**
 * flow_canvas_expand_all:
 *
 * Opens every scope; series stay folded.
 */
void
flow_canvas_expand_all (FlowCanvas *self)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  if (self->scene == NULL)
    return;
  for (guint g = 0; g < self->scene->groups->len; g++)
    {
      FlowSceneGroup *group = flow_scene_group (self->scene, g);

      if (group->kind != FLOW_GROUP_SERIES)
        group->is_open = TRUE;
    }
  _flow_canvas_queue_layout (self, _flow_canvas_find_outermost (self));
}

/**
 * flow_canvas_expand_listed:
 * @paths: (nullable): scopes; a number opens all scopes so many names deep
 */
void
flow_canvas_expand_listed (FlowCanvas        *self,
                           const char *const *paths)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  if (self->scene == NULL || paths == NULL || paths[0] == NULL)
    return;
  _flow_scene_open_listed (self->scene, paths);
  _flow_canvas_queue_layout (self, _flow_canvas_find_outermost (self));
}

/**
 * flow_canvas_expand_to_depth:
 * @depth: how many names deep scopes are open; 0 closes all
 */
void
flow_canvas_expand_to_depth (FlowCanvas *self,
                             guint       depth)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  if (self->scene == NULL)
    return;
  flow_scene_open_to_depth (self->scene, depth);
  _flow_canvas_queue_layout (self, _flow_canvas_find_outermost (self));
}

/* @name: (nullable): of a node or scope, or the key of a series; %NULL: what is selected on the canvas */
static FlowItem
find_named (FlowCanvas *self,
            const char *name)
{
  guint32 node;
  guint32 group;

  if (self->scene == NULL)
    return FLOW_ITEM_NONE;
  if (name == NULL || name[0] == '\0')
    return self->selected;
  group = flow_scene_find_key (self->scene, name);
  if (group != FLOW_GROUP_NONE && group != FLOW_GROUP_ROOT)
    return flow_item_of_group (group);
  node = flow_graph_find_op (self->graph, name);
  return node < self->scene->n_ops ? flow_scene_item_of_op (self->scene, node) : FLOW_ITEM_NONE;
}

/**
 * flow_canvas_select_hovered:
 *
 * Selects what the pointer is on, also what has no name, as a series.
 */
void
flow_canvas_select_hovered (FlowCanvas *self)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  if (self->hovered != FLOW_ITEM_NONE)
    _flow_canvas_select_item (self, self->hovered, _flow_canvas_item_node (self, self->hovered));
}

/**
 * flow_canvas_dup_series:
 * @name: (nullable): as for the item that is asked about; %NULL: what is selected on the canvas
 * @is_folded: (out): whether the series is one box
 *
 * Returns: (transfer full) (nullable): the key of the series that it is, or is or could be in
 */
char *
flow_canvas_dup_series (FlowCanvas *self,
                        const char *name,
                        gboolean   *is_folded)
{
  FlowItem item;

  g_return_val_if_fail (FLOW_IS_CANVAS (self), NULL);

  item = find_named (self, name);
  return item != FLOW_ITEM_NONE ? flow_scene_dup_series_key (self->scene, item, is_folded) : NULL;
}

/**
 * flow_canvas_is_aside:
 * @name: of a node or scope
 *
 * Returns: whether it stands beside the drawing
 */
gboolean
flow_canvas_is_aside (FlowCanvas *self,
                      const char *name)
{
  FlowItem item;
  guint32 parent;

  g_return_val_if_fail (FLOW_IS_CANVAS (self), FALSE);

  item = find_named (self, name);
  parent = item != FLOW_ITEM_NONE ? flow_scene_parent_of (self->scene, item) : FLOW_GROUP_NONE;
  for (guint i = 0; parent != FLOW_GROUP_NONE && i < flow_scene_group (self->scene, parent)->items->len; i++)
    if (g_array_index (flow_scene_group (self->scene, parent)->items, FlowItem, i) == item)
      return g_array_index (flow_scene_group (self->scene, parent)->places, guint8, i) == FLOW_LAYERED_SHELF;
  return FALSE;
}

void
flow_canvas_collapse_all (FlowCanvas *self)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  if (self->scene == NULL)
    return;
  for (guint g = 1; g < self->scene->groups->len; g++)
    flow_scene_group (self->scene, g)->is_open = FALSE;
  _flow_canvas_queue_layout (self, _flow_canvas_find_outermost (self));
}

/**
 * flow_canvas_set_open_scopes:
 * @paths: (nullable) (array zero-terminated=1): what is to be open, and nothing else
 */
void
flow_canvas_set_open_scopes (FlowCanvas         *self,
                             const char * const *paths)
{
  g_return_if_fail (FLOW_IS_CANVAS (self));

  if (self->scene == NULL)
    return;
  for (guint g = 1; g < self->scene->groups->len; g++)
    flow_scene_group (self->scene, g)->is_open = FALSE;
  for (guint i = 0; paths != NULL && paths[i] != NULL; i++)
    {
      guint32 group = flow_scene_find_key (self->scene, paths[i]);

      if (group != FLOW_GROUP_NONE)
        flow_scene_group (self->scene, group)->is_open = TRUE;
    }
  _flow_canvas_queue_layout (self, FLOW_ITEM_NONE);
}

/**
 * flow_canvas_dup_open_scopes:
 *
 * Returns: (transfer full): what is open and can be seen, outside in
 */
char **
flow_canvas_dup_open_scopes (FlowCanvas *self)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();

  g_return_val_if_fail (FLOW_IS_CANVAS (self), NULL);

  for (guint g = 1; self->scene != NULL && g < self->scene->groups->len; g++)
    {
      const FlowSceneGroup *group = flow_scene_group (self->scene, g);

      if (group->is_open
          && flow_scene_visible_item (self->scene, flow_item_of_group (g)) == flow_item_of_group (g))
        g_strv_builder_add (builder, group->key);
    }
  return g_strv_builder_end (builder);
}
