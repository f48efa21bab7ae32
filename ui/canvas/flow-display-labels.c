/* flow-display-labels.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-display-private.h"

#include <math.h>

#include "flow-layout.h"

/* Where the words on wires stand: beside their own wire, inside their group and below its header, and on no
 * box, no other wire and no other words. The wires that carry the most choose first; what finds no room is
 * left out, for what it says can be had by pointing at the wire. */

#define NONE G_MAXUINT32
/* Instead of a wire: where a value may come to stand. */
#define VALUE (G_MAXUINT32 - 1)

/* From the wire to its words. */
#define LABEL_GAP 7.0f
#define LABEL_ABOVE 3.0f
/* From words to other words, to boxes and to other wires. */
#define BETWEEN_X 7.0f
#define BETWEEN_Y 2.0f
#define BESIDE_BOX 2.0f
#define BESIDE_WIRE 3.0f

/* On the foot of a card stands its value while it runs. */
#define VALUE_WIDTH 110.0f
#define VALUE_BELOW 13.0f

/* In a layer with more boxes or wires labels are left out: finding room would cost more than they tell. */
#define LABELS_BOXES_MAX 600
#define LABELS_WIRES_MAX 1200

/* Pieces of wires are so long. */
#define PIECE 12.0f
#define PIECES_MAX 96

#define CELL 64.0f
#define CELLS_MAX 160

typedef struct {
  float x0;
  float y0;
  float x1;
  float y1;
} Rect;

typedef struct {
  Rect rect;
  guint32 wire;                /* whose piece it is; VALUE; NONE: nothing may stand on it */
  guint32 seen;                /* the last question it was an answer to */
} Obstacle;

typedef struct {
  guint32 obstacle;
  guint32 next;
} Link;

/* What stands in one layer, found by place. */
typedef struct {
  Rect room;
  float cell_x;
  float cell_y;
  guint n_columns;
  guint n_rows;
  guint32 *cells;              /* first link of each, NONE */
  GArray *obstacles;
  GArray *links;
  guint32 question;
} Ground;

static float
measure_label (const FlowScene *scene,
               const char      *text)
{
  float width = 0.0f;

  for (const char *p = text; *p != '\0'; p++)
    {
      guchar c = *p;

      /* Beyond ASCII there is little but the sign between the numbers of a shape, as wide as a plus. */
      width += c < 0x80 ? scene->metrics.subtitle[c]
               : c >= 0xc0 ? scene->metrics.subtitle['+'] : 0.0f;
    }
  return width;
}

static void
ground_init (Ground *self,
             Rect    room)
{
  *self = (Ground) { .room = room };
  self->n_columns = (guint) CLAMP (ceilf ((room.x1 - room.x0) / CELL), 1.0f, CELLS_MAX);
  self->n_rows = (guint) CLAMP (ceilf ((room.y1 - room.y0) / CELL), 1.0f, CELLS_MAX);
  self->cell_x = MAX ((room.x1 - room.x0) / self->n_columns, 1.0f);
  self->cell_y = MAX ((room.y1 - room.y0) / self->n_rows, 1.0f);
  self->cells = g_new (guint32, self->n_columns * self->n_rows);
  for (guint i = 0; i < self->n_columns * self->n_rows; i++)
    self->cells[i] = NONE;
  self->obstacles = g_array_new (FALSE, FALSE, sizeof (Obstacle));
  self->links = g_array_new (FALSE, FALSE, sizeof (Link));
}

static void
ground_clear (Ground *self)
{
  g_free (self->cells);
  g_array_unref (self->obstacles);
  g_array_unref (self->links);
}

static guint
cell_of (float at,
         float from,
         float cell,
         guint n)
{
  return (guint) CLAMP (floorf ((at - from) / cell), 0.0f, n - 1.0f);
}

static void
add_obstacle (Ground *self,
              Rect    rect,
              guint32 wire)
{
  Obstacle obstacle = { rect, wire, 0 };
  guint right = cell_of (rect.x1, self->room.x0, self->cell_x, self->n_columns);
  guint bottom = cell_of (rect.y1, self->room.y0, self->cell_y, self->n_rows);

  for (guint row = cell_of (rect.y0, self->room.y0, self->cell_y, self->n_rows); row <= bottom; row++)
    for (guint column = cell_of (rect.x0, self->room.x0, self->cell_x, self->n_columns); column <= right; column++)
      {
        guint32 *first = &self->cells[row * self->n_columns + column];
        Link link = { self->obstacles->len, *first };

        *first = self->links->len;
        g_array_append_val (self->links, link);
      }
  g_array_append_val (self->obstacles, obstacle);
}

static Rect
inflate (Rect  rect,
         float x,
         float y)
{
  return (Rect) { rect.x0 - x, rect.y0 - y, rect.x1 + x, rect.y1 + y };
}

/* How words of a wire would stand there: 0 free, 1 on their own wire or in a value's place, 2 not at all. */
static guint
ask (Ground     *self,
     const Rect *rect,
     guint32     wire)
{
  guint right = cell_of (rect->x1, self->room.x0, self->cell_x, self->n_columns);
  guint bottom = cell_of (rect->y1, self->room.y0, self->cell_y, self->n_rows);
  guint answer = 0;

  if (rect->x0 < self->room.x0 || rect->x1 > self->room.x1 || rect->y0 < self->room.y0 || rect->y1 > self->room.y1)
    return 2;
  self->question++;
  for (guint row = cell_of (rect->y0, self->room.y0, self->cell_y, self->n_rows); row <= bottom; row++)
    for (guint column = cell_of (rect->x0, self->room.x0, self->cell_x, self->n_columns); column <= right; column++)
      for (guint32 i = self->cells[row * self->n_columns + column]; i != NONE;
           i = g_array_index (self->links, Link, i).next)
        {
          Obstacle *obstacle = &g_array_index (self->obstacles, Obstacle,
                                               g_array_index (self->links, Link, i).obstacle);

          if (obstacle->seen == self->question)
            continue;
          obstacle->seen = self->question;
          if (rect->x0 >= obstacle->rect.x1 || obstacle->rect.x0 >= rect->x1
              || rect->y0 >= obstacle->rect.y1 || obstacle->rect.y0 >= rect->y1)
            continue;
          if (obstacle->wire != wire && obstacle->wire != VALUE)
            return 2;
          answer = 1;
        }
  return answer;
}

/* --- what stands there ------------------------------------------------------------------------------ */

static void
add_wire (Ground            *self,
          const FlowDisplay *display,
          guint32            w)
{
  const FlowWire *wire = &display->wires[w];
  const float *points = display->points + 2 * wire->first_point;
  float half = BESIDE_WIRE + wire->width / 2.0f;

  for (guint s = 0; s + 3 < wire->n_points; s += 3)
    {
      const float *p = points + 2 * s;
      float length = hypotf (p[2] - p[0], p[3] - p[1]) + hypotf (p[4] - p[2], p[5] - p[3])
                     + hypotf (p[6] - p[4], p[7] - p[5]);
      guint n = (guint) CLAMP (ceilf (length / PIECE), 1.0f, PIECES_MAX);
      float x0 = p[0];
      float y0 = p[1];

      for (guint i = 1; i <= n; i++)
        {
          float x1 = 0.0f;
          float y1 = 0.0f;
          Rect rect;

          _flow_display_cubic_at (p, (float) i / n, &x1, &y1);
          rect = (Rect) { MIN (x0, x1), MIN (y0, y1), MAX (x0, x1), MAX (y0, y1) };
          add_obstacle (self, inflate (rect, half, half), w);
          x0 = x1;
          y0 = y1;
        }
    }
}

static void
add_box (Ground        *self,
         const FlowBox *box)
{
  /* Behind a card that stands for many the others show. */
  float behind = box->kind == FLOW_BOX_SERIES ? 6.0f : box->kind == FLOW_BOX_GROUP ? 3.0f : 0.0f;
  Rect rect = { box->x, box->y, box->x + box->width + behind, box->y + box->height + behind };

  add_obstacle (self, inflate (rect, BESIDE_BOX, BESIDE_BOX), NONE);
  if (box->kind == FLOW_BOX_OP)
    {
      float middle = (flow_box_card_x (box) + rect.x1) / 2.0f;

      add_obstacle (self, (Rect) { middle - VALUE_WIDTH / 2.0f, rect.y1, middle + VALUE_WIDTH / 2.0f, rect.y1 + VALUE_BELOW },
                    VALUE);
    }
}

/* The tick, and what is written beside it where there is room. */
static void
add_stub (Ground            *self,
          const FlowDisplay *display,
          const FlowScene   *scene,
          FlowStub          *stub)
{
  gboolean sideways = display->direction == FLOW_FLOW_RIGHT;
  float along = FLOW_STUB_LENGTH * ((stub->out != 0) == (sideways || display->direction == FLOW_FLOW_DOWN) ? 1.0f : -1.0f);
  float x = stub->x + (sideways ? along : 0.0f);
  float y = stub->y + (sideways ? 0.0f : along);
  Rect tick = { MIN (stub->x, x), MIN (stub->y, y), MAX (stub->x, x), MAX (stub->y, y) };

  if (stub->is_update)
    {
      float width = measure_label (scene, stub->label);
      Rect words = { x - (sideways ? 0.0f : width + 6.0f), y - FLOW_LABEL_HEIGHT / 2.0f, 0.0f, y + FLOW_LABEL_HEIGHT / 2.0f };

      words.x1 = words.x0 + width;
      /* Its own box is near: what is asked is whether another one is. */
      words = inflate (words, 0.0f, -2.0f);
      stub->is_named = ask (self, &words, NONE - 2) <= 1;
      if (stub->is_named)
        add_obstacle (self, inflate (words, BETWEEN_X, BETWEEN_Y), NONE);
    }
  add_obstacle (self, inflate (tick, 3.0f, 3.0f), NONE);
}

/* --- the words --------------------------------------------------------------------------------------- */

static Rect
label_rect (const FlowDisplay *display,
            float              x,
            float              y,
            float              width,
            guint              side)
{
  Rect rect = { x + LABEL_GAP, y - FLOW_LABEL_HEIGHT / 2.0f, 0.0f, 0.0f };

  if (display->direction == FLOW_FLOW_RIGHT || side == 2)
    {
      rect.x0 = x - width / 2.0f;
      rect.y0 = side == 1 ? y + LABEL_ABOVE : y - FLOW_LABEL_HEIGHT - LABEL_ABOVE;
    }
  else if (side == 1)
    rect.x0 = x - LABEL_GAP - width;
  rect.x1 = rect.x0 + width;
  rect.y1 = rect.y0 + FLOW_LABEL_HEIGHT;
  return rect;
}

/* Along the wire from its beginning, right of it, left of it or above. */
static gboolean
find_room (Ground            *self,
           const FlowDisplay *display,
           guint32            w,
           float              width,
           guint              at_worst,
           Rect              *found)
{
  static const float where[] = { 0.5f, 0.38f, 0.62f, 0.25f, 0.75f, 0.12f, 0.88f };
  const FlowWire *wire = &display->wires[w];
  const float *points = display->points + 2 * wire->first_point;

  for (guint s = 0; s + 3 < wire->n_points; s += 3)
    for (guint i = 0; i < G_N_ELEMENTS (where); i++)
      for (guint side = 0; side < 3; side++)
        {
          float x = 0.0f;
          float y = 0.0f;

          _flow_display_cubic_at (points + 2 * s, where[i], &x, &y);
          *found = label_rect (display, x, y, width, side);
          if (ask (self, found, w) <= at_worst)
            return TRUE;
        }
  return FALSE;
}

typedef struct {
  guint32 wire;
  guint32 weight;
  char *label;
} Wish;

static int
compare_wishes (gconstpointer a,
                gconstpointer b)
{
  const Wish *x = a;
  const Wish *y = b;

  if (x->weight != y->weight)
    return x->weight > y->weight ? -1 : 1;
  return x->wire < y->wire ? -1 : x->wire > y->wire;
}

static GArray *
list_wishes (const FlowDisplay      *self,
             const FlowScene        *scene,
             const FlowDisplayLayer *layer)
{
  const FlowSceneGroup *group = flow_scene_group (scene, layer->group);
  GArray *wishes = g_array_new (FALSE, FALSE, sizeof (Wish));

  for (guint32 w = layer->first_wire; w < layer->first_wire + layer->n_wires; w++)
    {
      const FlowLine *line = &g_array_index (group->lines, FlowLine, self->wires[w].line);
      Wish wish = { w, line->n_data + line->n_ref, NULL };

      /* The piece outside says it already. */
      if (line->port != FLOW_GROUP_NONE)
        continue;
      wish.label = flow_scene_dup_line_label (scene, layer->group, line);
      /* What an UPDATE_OPS edge does is said wherever it can be. */
      if ((self->wires[w].flags & FLOW_WIRE_UPDATE) != 0)
        wish.weight = G_MAXUINT32;
      if (wish.label != NULL)
        g_array_append_val (wishes, wish);
    }
  g_array_sort (wishes, compare_wishes);
  return wishes;
}

static void
label_layer (FlowDisplay            *self,
             FlowScene              *scene,
             const FlowDisplayLayer *layer,
             const guint32          *inner,
             guint                   n_inner)
{
  const FlowBox *frame = &self->boxes[layer->frame];
  gboolean is_root = layer->group == FLOW_GROUP_ROOT;
  Rect room = { frame->x + 3.0f, frame->y + (is_root ? 2.0f : FLOW_GROUP_HEADER - 2.0f),
                frame->x + frame->width - 3.0f, frame->y + frame->height - 2.0f };
  g_autoptr(GArray) wishes = NULL;
  Ground ground;

  ground_init (&ground, room);
  for (guint i = layer->first_box; i < layer->first_box + layer->n_boxes; i++)
    add_box (&ground, &self->boxes[i]);
  for (guint i = 0; i < n_inner; i++)
    add_box (&ground, &self->boxes[self->layers[inner[i]].frame]);
  for (guint i = layer->first_stub; i < layer->first_stub + layer->n_stubs; i++)
    add_stub (&ground, self, scene, &self->stubs[i]);
  for (guint32 w = layer->first_wire; w < layer->first_wire + layer->n_wires; w++)
    add_wire (&ground, self, w);
  wishes = list_wishes (self, scene, layer);
  for (guint i = 0; i < wishes->len; i++)
    {
      Wish *wish = &g_array_index (wishes, Wish, i);
      FlowWire *wire = &self->wires[wish->wire];
      float width = measure_label (scene, wish->label);
      Rect rect;

      if (find_room (&ground, self, wish->wire, width, 0, &rect) || find_room (&ground, self, wish->wire, width, 1, &rect))
        {
          wire->label = g_string_chunk_insert_const (self->strings, wish->label);
          wire->label_x = rect.x0;
          wire->label_y = rect.y0;
          add_obstacle (&ground, inflate (rect, BETWEEN_X, BETWEEN_Y), NONE);
        }
      g_free (wish->label);
    }
  ground_clear (&ground);
}

/*
 * _flow_display_add_labels:
 *
 * Everything else stands already.
 */
void
_flow_display_add_labels (FlowDisplay *self,
                          FlowScene   *scene)
{
  g_autofree guint32 *first = g_new0 (guint32, (gsize) self->n_layers + 2);
  g_autofree guint32 *inner = g_new0 (guint32, (gsize) self->n_layers + 1);
  g_autofree guint32 *parent = g_new0 (guint32, (gsize) self->n_layers + 1);
  g_autoptr(GHashTable) layer_of = g_hash_table_new (NULL, NULL);

  for (guint l = 0; l < self->n_layers; l++)
    g_hash_table_insert (layer_of, GUINT_TO_POINTER (self->layers[l].group), GUINT_TO_POINTER (l));
  for (guint l = 1; l < self->n_layers; l++)
    {
      guint32 group = flow_scene_group (scene, self->layers[l].group)->parent;

      parent[l] = GPOINTER_TO_UINT (g_hash_table_lookup (layer_of, GUINT_TO_POINTER (group)));
      first[parent[l] + 2]++;
    }
  for (guint l = 1; l <= self->n_layers; l++)
    first[l + 1] += first[l];
  for (guint l = 1; l < self->n_layers; l++)
    inner[first[parent[l] + 1]++] = l;
  for (guint l = 0; l < self->n_layers; l++)
    {
      const FlowDisplayLayer *layer = &self->layers[l];

      if (layer->n_boxes <= LABELS_BOXES_MAX && layer->n_wires <= LABELS_WIRES_MAX)
        label_layer (self, scene, layer, inner + first[l], first[l + 1] - first[l]);
    }
}
