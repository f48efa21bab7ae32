/* flow-scene-frames.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-scene-private.h"

#include <string.h>

/* Loops and arms of conditions as boxes. A name scope whose ops all belong to one loop or arm is that box
 * itself; where a scope holds other ops too, those of the loop or arm get a group of their own inside it. */

/* One item is no box. */
#define FRAME_MIN 2

#define NONE G_MAXUINT32

/* With more items it is closed until somebody wants to see it. */
#define OPEN_MAX 40

/* A group's frame while it is found out: not known, as it has no ops of its own that say. */
#define UNKNOWN G_MAXUINT32

static guint32
join (const FlowScene *self,
      guint32          a,
      guint32          b)
{
  return a == UNKNOWN ? b : b == UNKNOWN ? a : flow_control_flow_join (self->control, a, b);
}

/* What all ops of a group have in common, inside out. Groups come after those around them. */
static void
find_group_frames (FlowScene *self)
{
  for (guint g = 0; g < self->groups->len; g++)
    flow_scene_group (self, g)->frame = UNKNOWN;
  for (guint32 op = 0; op < self->n_ops; op++)
    if ((self->op_flags[op] & FLOW_OP_EMBEDDED) == 0)
      {
        FlowSceneGroup *group = flow_scene_group (self, self->op_group[op]);

        group->frame = join (self, group->frame, self->control->frame_of[op]);
      }
  for (guint g = self->groups->len; g-- > 1;)
    {
      const FlowSceneGroup *group = flow_scene_group (self, g);
      FlowSceneGroup *parent = flow_scene_group (self, group->parent);

      parent->frame = join (self, parent->frame, group->frame);
    }
  flow_scene_group (self, FLOW_GROUP_ROOT)->frame = FLOW_CONTROL_ROOT;
  for (guint g = 0; g < self->groups->len; g++)
    if (flow_scene_group (self, g)->frame == UNKNOWN)
      flow_scene_group (self, g)->frame = FLOW_CONTROL_ROOT;
}

static guint32
frame_of_item (const FlowScene *self,
               FlowItem         item)
{
  return flow_item_is_group (item) ? flow_scene_group (self, flow_item_get_group (item))->frame
                                   : self->control->frame_of[item];
}

/* The frame directly inside @outer that @frame is in; %FLOW_CONTROL_ROOT: it is in none. */
static guint32
frame_below (const FlowScene *self,
             guint32          frame,
             guint32          outer)
{
  const FlowControlFrame *frames = self->control->frames;

  if (!flow_control_flow_is_in (self->control, frame, outer))
    return FLOW_CONTROL_ROOT;
  while (frames[frame].depth > frames[outer].depth + 1)
    frame = frames[frame].parent;
  return frame != outer ? frame : FLOW_CONTROL_ROOT;
}

/* A loop is called as its frame; an arm after what its condition is, in the box around it. */
static const char *
make_label (FlowScene              *self,
            const FlowControlFrame *frame)
{
  const char *leaf = strrchr (frame->name, '/');
  g_autofree char *text = NULL;

  if (frame->kind == FLOW_CONTROL_LOOP)
    return g_string_chunk_insert_const (self->strings, frame->name);
  text = g_strdup_printf (frame->kind == FLOW_CONTROL_TRUE ? "if %s" : "if not %s", leaf != NULL ? leaf + 1 : frame->name);
  return g_string_chunk_insert_const (self->strings, text);
}

static guint32
add_frame_group (FlowScene *self,
                 guint32    parent,
                 guint32    frame)
{
  const FlowControlFrame *control = &self->control->frames[frame];
  guint32 g = _flow_scene_add_group (self, FLOW_GROUP_FRAME, parent);
  FlowSceneGroup *group = flow_scene_group (self, g);
  g_autofree char *key = g_strdup_printf ("%s#%s%s", flow_scene_group (self, parent)->key,
                                          control->kind == FLOW_CONTROL_LOOP ? "loop:"
                                          : control->kind == FLOW_CONTROL_TRUE ? "if:" : "else:", control->name);

  group->frame = frame;
  group->label = make_label (self, control);
  group->key = g_string_chunk_insert_const (self->strings, key);
  return g;
}

/* Of the items of @g those in the frame @below go to a group of their own; its number, or NONE. */
static guint32
take_items (FlowScene *self,
            guint32    g,
            guint32    below)
{
  guint32 outer = flow_scene_group (self, g)->frame;
  guint32 taken = NONE;
  guint n = 0;
  GArray *items = flow_scene_group (self, g)->items;

  for (guint i = 0; i < items->len; i++)
    n += frame_below (self, frame_of_item (self, g_array_index (items, FlowItem, i)), outer) == below;
  if (n < FRAME_MIN)
    return NONE;
  taken = add_frame_group (self, g, below);
  for (guint i = 0; i < items->len;)
    {
      FlowItem item = g_array_index (items, FlowItem, i);
      FlowSceneGroup *group = flow_scene_group (self, taken);
      guint32 first = flow_item_is_group (item) ? flow_scene_group (self, flow_item_get_group (item))->first_op : item;

      if (frame_below (self, frame_of_item (self, item), outer) != below)
        {
          i++;
          continue;
        }
      g_array_append_val (group->items, item);
      group->first_op = MIN (group->first_op, first);
      if (flow_item_is_group (item))
        flow_scene_group (self, flow_item_get_group (item))->parent = taken;
      else
        self->op_group[item] = taken;
      g_array_remove_index (items, i);
    }
  return taken;
}

/* The frames directly inside the group's, in the order of their first items. */
static GArray *
list_below (const FlowScene *self,
            guint32          g)
{
  const FlowSceneGroup *group = flow_scene_group (self, g);
  GArray *list = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; i < group->items->len; i++)
    {
      guint32 below = frame_below (self, frame_of_item (self, g_array_index (group->items, FlowItem, i)), group->frame);
      gboolean known = below == FLOW_CONTROL_ROOT;

      for (guint k = 0; k < list->len && !known; k++)
        known = g_array_index (list, guint32, k) == below;
      if (!known)
        g_array_append_val (list, below);
    }
  return list;
}

/* Side marks stand where what they belong to stands. */
static void
move_embedded (FlowScene *self)
{
  for (guint32 op = 0; op < self->n_ops; op++)
    {
      FlowItem at = FLOW_ITEM_NONE;

      if ((self->op_flags[op] & FLOW_OP_EMBEDDED) == 0)
        continue;
      at = flow_scene_item_of_op (self, op);
      if (!flow_item_is_group (at) && at != FLOW_ITEM_NONE
          && flow_scene_group (self, self->op_group[at])->kind == FLOW_GROUP_FRAME
          && flow_scene_group (self, self->op_group[at])->parent == self->op_group[op])
        self->op_group[op] = self->op_group[at];
    }
}

/* Between the making of groups from scopes and all that asks what is in a group. */
void
_flow_scene_build_frames (FlowScene *self)
{
  guint n_scopes = self->groups->len;

  self->control = flow_control_flow_new (self->graph);
  if (self->control->n_frames < 2)
    return;
  find_group_frames (self);
  /* Groups that are made on the way are looked at in their turn: a loop in a loop is a box in a box. */
  for (guint32 g = 0; g < self->groups->len; g++)
    {
      g_autoptr (GArray) below = list_below (self, g);
      gboolean any = FALSE;

      for (guint i = 0; i < below->len; i++)
        {
          guint32 taken = take_items (self, g, g_array_index (below, guint32, i));

          if (taken != NONE)
            {
              FlowItem item = flow_item_of_group (taken);

              g_array_append_val (flow_scene_group (self, g)->items, item);
              any = TRUE;
            }
        }
      if (any)
        _flow_scene_sort_items (self, g);
    }
  if (self->groups->len > n_scopes)
    move_embedded (self);
  /* Whoever opens what is around sees the arms at once. */
  for (guint32 g = n_scopes; g < self->groups->len; g++)
    flow_scene_group (self, g)->is_open = flow_scene_group (self, g)->items->len <= OPEN_MAX;
}

/**
 * flow_scene_frame_of_group:
 * @group: a group
 *
 * Returns: (transfer none) (nullable): the loop or arm that the group is the box of
 */
const FlowControlFrame *
flow_scene_frame_of_group (const FlowScene *self,
                           guint32          group)
{
  const FlowSceneGroup *at = flow_scene_group (self, group);

  if (self->control == NULL || at->frame >= self->control->n_frames || at->frame == FLOW_CONTROL_ROOT
      || at->kind == FLOW_GROUP_SERIES || at->kind == FLOW_GROUP_SECTION)
    return NULL;
  if (at->parent != FLOW_GROUP_NONE && flow_scene_group (self, at->parent)->frame == at->frame)
    return NULL;
  return &self->control->frames[at->frame];
}
