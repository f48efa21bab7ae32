/* flow-scene-edges.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-scene-private.h"

#include <string.h>

/* Metaedges, extraction of hubs, and the ports and boundary lines of an open group. */

#define NONE G_MAXUINT32

/* A group with fewer items keeps its hubs. */
#define EXTRACT_MIN 15

/* The root sets its training and saving aside from so many items on. */
#define MACHINERY_MIN 8

/* Degrees up to this never make a hub. */
#define HUB_MIN 4

/* Ports at one side of a group; the rest share the last one. */
#define PORTS_MAX 12

/* A port that feeds more children, or a child at more ports, is drawn as a stub. */
#define BOUNDARY_MAX 4

/* --- metaedges --------------------------------------------------------------------------------- */

typedef struct {
  guint32 parent;
  FlowItem from;
  FlowItem to;
} MetaKey;

/* Open addressing: one array of metaedge numbers. */
typedef struct {
  guint32 *slots;
  guint mask;
  guint n;
} MetaTable;

static guint
meta_hash (const MetaKey *key)
{
  guint64 mixed = _flow_scene_mix (((guint64) key->from << 32) | key->to);

  return (guint) (mixed ^ _flow_scene_mix (key->parent) * 3);
}

static void
meta_table_grow (MetaTable *table,
                 FlowScene *self)
{
  guint size = (table->mask + 1) * 2;
  guint32 *slots = g_new (guint32, size);

  memset (slots, 0xff, sizeof *slots * size);
  for (guint m = 0; m < self->metas->len; m++)
    {
      const FlowMetaedge *meta = flow_scene_meta (self, m);
      MetaKey key = { meta->parent, meta->from, meta->to };
      guint i = meta_hash (&key) & (size - 1);

      while (slots[i] != NONE)
        i = (i + 1) & (size - 1);
      slots[i] = m;
    }
  g_free (table->slots);
  table->slots = slots;
  table->mask = size - 1;
}

static guint32
meta_table_get (MetaTable     *table,
                FlowScene     *self,
                const MetaKey *key)
{
  guint i = meta_hash (key) & table->mask;
  FlowMetaedge meta = { .parent = key->parent, .from = key->from, .to = key->to,
                        .first_edge = NONE, .last_edge = NONE };

  for (; table->slots[i] != NONE; i = (i + 1) & table->mask)
    {
      const FlowMetaedge *known = flow_scene_meta (self, table->slots[i]);

      if (known->parent == key->parent && known->from == key->from && known->to == key->to)
        return table->slots[i];
    }
  table->slots[i] = self->metas->len;
  g_array_append_val (self->metas, meta);
  g_array_append_val (flow_scene_group (self, key->parent)->metas, table->slots[i]);
  if (++table->n * 2 > table->mask)
    {
      meta_table_grow (table, self);
      return self->metas->len - 1;
    }
  return table->slots[i];
}

static gboolean
is_ref_edge (const FlowScene *self,
             guint32          e)
{
  guint n_outputs = flow_graph_get_n_outputs (self->graph, self->edge_source[e]);

  return self->edge_slot[e] >= 0 && (guint) self->edge_slot[e] < n_outputs
         && flow_dtype_is_ref (flow_graph_get_output_dtype (self->graph, self->edge_source[e],
                                                            self->edge_slot[e]));
}

/* Lifts both ends until they are children of one group. */
static gboolean
lift_edge (const FlowScene *self,
           guint32          e,
           MetaKey         *key)
{
  FlowItem a = self->edge_source[e];
  FlowItem b = self->edge_target[e];
  guint32 parent_a = self->op_group[a];
  guint32 parent_b = self->op_group[b];

  if ((self->op_flags[a] & FLOW_OP_EMBEDDED) != 0 || (self->op_flags[b] & FLOW_OP_EMBEDDED) != 0)
    return FALSE;
  while (parent_a != parent_b)
    {
      if (flow_scene_group (self, parent_a)->depth >= flow_scene_group (self, parent_b)->depth)
        {
          a = flow_item_of_group (parent_a);
          parent_a = flow_scene_group (self, parent_a)->parent;
        }
      else
        {
          b = flow_item_of_group (parent_b);
          parent_b = flow_scene_group (self, parent_b)->parent;
        }
    }
  *key = (MetaKey) { parent_a, a, b };
  return a != b;
}

void
_flow_scene_build_edges (FlowScene *self)
{
  MetaTable table = { NULL, 2047, 0 };

  g_array_set_size (self->metas, 0);
  for (guint g = 0; g < self->groups->len; g++)
    g_array_set_size (flow_scene_group (self, g)->metas, 0);
  table.slots = g_new (guint32, table.mask + 1);
  memset (table.slots, 0xff, sizeof (guint32) * (table.mask + 1));
  for (guint32 e = 0; e < self->n_edges; e++)
    {
      MetaKey key;
      FlowMetaedge *meta;
      guint32 m;

      self->edge_next[e] = NONE;
      if (self->edge_source[e] >= self->n_ops || !lift_edge (self, e, &key))
        continue;
      m = meta_table_get (&table, self, &key);
      meta = flow_scene_meta (self, m);
      if (self->edge_slot[e] == FLOW_SLOT_CONTROL)
        meta->n_control++;
      else if (is_ref_edge (self, e))
        meta->n_ref++;
      else
        meta->n_data++;
      if (meta->first_edge == NONE)
        meta->first_edge = e;
      else
        self->edge_next[meta->last_edge] = e;
      meta->last_edge = e;
    }
  g_free (table.slots);
}

/* --- extraction -------------------------------------------------------------------------------- */

typedef struct {
  guint32 in;
  guint32 out;
  guint32 in_control;
  guint32 out_control;
} Degree;

static int
compare_guint32 (gconstpointer a,
                 gconstpointer b)
{
  guint32 x = *(const guint32 *) a;
  guint32 y = *(const guint32 *) b;

  return x < y ? -1 : x > y;
}

/* The degree beyond which an item is a hub. */
static guint32
hub_threshold (const guint32 *degrees,
               guint          n,
               guint          factor)
{
  g_autofree guint32 *sorted = g_memdup2 (degrees, sizeof (guint32) * n);
  guint32 q1;
  guint32 q3;

  qsort (sorted, n, sizeof *sorted, compare_guint32);
  q1 = sorted[n / 4];
  q3 = sorted[3 * n / 4];
  return MAX (q3 + factor * (q3 - q1), HUB_MIN);
}

static guint
place_of_item (GHashTable *places,
               FlowItem    item)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (places, GUINT_TO_POINTER (item))) - 1;
}

/* Whether a control edge of it is that of an UPDATE_OPS member. */
static gboolean
is_update (const FlowScene    *self,
           const FlowMetaedge *meta)
{
  if (meta->n_control == 0)
    return FALSE;
  for (guint32 e = meta->first_edge; e != NONE; e = self->edge_next[e])
    if (self->edge_slot[e] == FLOW_SLOT_CONTROL
        && (self->op_flags[self->edge_source[e]] & FLOW_OP_UPDATE) != 0)
      return TRUE;
  return FALSE;
}

static gboolean
is_control_only (const FlowMetaedge *meta)
{
  return meta->n_data + meta->n_ref == 0;
}

/* What trains and saves touches every variable: aside it leaves the model itself to be seen. */
static gboolean
is_machinery (const FlowScene *self,
              FlowItem         item)
{
  const FlowSceneGroup *group;

  if (!flow_item_is_group (item))
    return FALSE;
  group = flow_scene_group (self, flow_item_get_group (item));
  if (group->parent != FLOW_GROUP_ROOT)
    return FALSE;
  if (2 * group->family_ops[FLOW_OP_FAMILY_GRADIENT] > group->n_ops)
    return TRUE;
  for (guint i = 0; i < group->items->len; i++)
    {
      FlowItem child = g_array_index (group->items, FlowItem, i);
      const char *type = flow_item_is_group (child) ? ""
                         : flow_graph_get_node_type (self->graph, child);

      if (g_str_has_prefix (type, "Save") || g_str_has_prefix (type, "Restore"))
        return TRUE;
    }
  return FALSE;
}

static FlowPlaceWish
get_wish (GHashTable *wished,
          FlowItem    item)
{
  return wished != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (wished, GUINT_TO_POINTER (item))) : FLOW_WISH_NONE;
}

/* @wished: (nullable): what a person wants of an item goes before every rule, and moves nothing else */
static void
extract_group (FlowScene  *self,
               guint32     g,
               GHashTable *wished)
{
  FlowSceneGroup *group = flow_scene_group (self, g);
  guint n = group->items->len;
  guint8 *place = (guint8 *) (gpointer) group->places->data;
  g_autofree Degree *degree = g_new0 (Degree, (gsize) n + 1);
  g_autofree guint32 *in = g_new0 (guint32, (gsize) n + 1);
  g_autofree guint32 *out = g_new0 (guint32, (gsize) n + 1);
  g_autofree guint32 *kept = g_new0 (guint32, (gsize) n + 1);
  g_autofree guint32 *lost = g_new0 (guint32, (gsize) n + 1);
  g_autoptr(GHashTable) places = g_hash_table_new (NULL, NULL);
  guint32 in_threshold;
  guint32 out_threshold;

  for (guint i = 0; i < n; i++)
    g_hash_table_insert (places, GUINT_TO_POINTER (g_array_index (group->items, FlowItem, i)),
                         GUINT_TO_POINTER (i + 1));
  for (guint k = 0; k < group->metas->len; k++)
    {
      const FlowMetaedge *meta = flow_scene_meta (self, g_array_index (group->metas, guint32, k));
      Degree *from = &degree[place_of_item (places, meta->from)];
      Degree *to = &degree[place_of_item (places, meta->to)];

      if (is_control_only (meta))
        {
          from->out_control++;
          to->in_control++;
        }
      else
        {
          from->out++;
          to->in++;
        }
    }
  for (guint i = 0; i < n; i++)
    {
      in[i] = degree[i].in > 0 ? degree[i].in : degree[i].in_control;
      out[i] = degree[i].out > 0 ? degree[i].out : degree[i].out_control;
    }
  in_threshold = hub_threshold (in, n, 1);
  out_threshold = hub_threshold (out, n, 4);
  for (guint i = 0; i < n; i++)
    {
      FlowItem item = g_array_index (group->items, FlowItem, i);
      gboolean is_no_op = !flow_item_is_group (item)
                          && strcmp (flow_graph_get_node_type (self->graph, item), "NoOp") == 0;

      if (item == group->own_op || get_wish (wished, item) == FLOW_WISH_BACK)
        continue;
      if (get_wish (wished, item) == FLOW_WISH_ASIDE || (n >= MACHINERY_MIN && is_machinery (self, item)))
        {
          place[i] = FLOW_LAYERED_SHELF;
          continue;
        }
      if (n < EXTRACT_MIN)
        continue;
      if (is_no_op || in[i] > in_threshold || out[i] > out_threshold)
        place[i] = FLOW_LAYERED_SHELF;
    }
  for (guint k = 0; k < group->metas->len; k++)
    {
      FlowMetaedge *meta = flow_scene_meta (self, g_array_index (group->metas, guint32, k));
      guint a = place_of_item (places, meta->from);
      guint b = place_of_item (places, meta->to);

      if (place[a] == FLOW_LAYERED_SHELF || place[b] == FLOW_LAYERED_SHELF
          || (n >= EXTRACT_MIN && is_control_only (meta) && !is_update (self, meta)
              && get_wish (wished, meta->from) != FLOW_WISH_BACK && get_wish (wished, meta->to) != FLOW_WISH_BACK
              && (degree[a].in_control + degree[a].out_control > HUB_MIN
                  || degree[b].in_control + degree[b].out_control > HUB_MIN)))
        {
          meta->flags |= FLOW_META_STUB;
          /* Who stood beside what was put aside stays. */
          lost[a] += get_wish (wished, meta->to) != FLOW_WISH_ASIDE;
          lost[b] += get_wish (wished, meta->from) != FLOW_WISH_ASIDE;
        }
      else
        {
          kept[a]++;
          kept[b]++;
        }
    }
  /* What has no line left keeps the shelf company. */
  for (guint i = 0; i < n; i++)
    if (kept[i] == 0 && lost[i] > 0 && g_array_index (group->items, FlowItem, i) != group->own_op
        && get_wish (wished, g_array_index (group->items, FlowItem, i)) != FLOW_WISH_BACK)
      place[i] = FLOW_LAYERED_SHELF;
}

/* The groups in which an item has been wished somewhere. */
static GHashTable *
find_wished_groups (const FlowScene *self,
                    GHashTable      *wished)
{
  GHashTable *groups = g_hash_table_new (NULL, NULL);
  GHashTableIter iter;
  gpointer item = NULL;

  g_hash_table_iter_init (&iter, wished);
  while (g_hash_table_iter_next (&iter, &item, NULL))
    g_hash_table_add (groups, GUINT_TO_POINTER (flow_scene_parent_of (self, GPOINTER_TO_UINT (item))));
  return groups;
}

static void
mark_loops (FlowScene *self)
{
  for (guint m = 0; m < self->metas->len; m++)
    {
      FlowMetaedge *meta = flow_scene_meta (self, m);
      guint32 e = meta->first_edge;

      while (e != NONE && (flow_op_registry_get_flags (
                             flow_graph_get_node_type (self->graph, self->edge_source[e]))
                           & FLOW_OP_NEXT_ITERATION) != 0)
        e = self->edge_next[e];
      if (e == NONE)
        meta->flags |= FLOW_META_BACK;
    }
}

/*
 * _flow_scene_extract:
 *
 * Says of every item whether it stands in the layers or aside, and of every metaedge whether it is
 * drawn as a line.
 */
void
_flow_scene_extract (FlowScene *self)
{
  g_autoptr(GHashTable) wished = _flow_scene_find_wished (self);
  g_autoptr(GHashTable) groups = wished != NULL ? find_wished_groups (self, wished) : NULL;

  for (guint m = 0; m < self->metas->len; m++)
    flow_scene_meta (self, m)->flags = 0;
  for (guint g = 0; g < self->groups->len; g++)
    {
      FlowSceneGroup *group = flow_scene_group (self, g);

      g_array_set_size (group->places, 0);
      g_array_set_size (group->places, group->items->len);
      if (group->kind == FLOW_GROUP_SERIES)
        memset (group->places->data, FLOW_LAYERED_GRID, group->items->len);
      else if (group->items->len >= EXTRACT_MIN
               || (g == FLOW_GROUP_ROOT && group->items->len >= MACHINERY_MIN)
               || (groups != NULL && g_hash_table_contains (groups, GUINT_TO_POINTER (g))))
        extract_group (self, g, wished);
      else
        continue;
      if (group->kind == FLOW_GROUP_SERIES)
        for (guint k = 0; k < group->metas->len; k++)
          flow_scene_meta (self, g_array_index (group->metas, guint32, k))->flags |= FLOW_META_STUB;
    }
  mark_loops (self);
}

/* --- ports and lines ---------------------------------------------------------------------------- */

/* A line of the parent that ends at the group, and what it carries. */
typedef struct {
  gboolean out;
  FlowItem far;
  guint32 parent_link;
  guint32 meta;
  guint8 flags;
  const guint32 *edges;
  guint n_edges;
} OuterLine;

static void
count_edge (const FlowScene *self,
            FlowLine        *line,
            guint32          e)
{
  if (self->edge_slot[e] == FLOW_SLOT_CONTROL)
    line->n_control++;
  else if (is_ref_edge (self, e))
    line->n_ref++;
  else
    line->n_data++;
  if (self->edge_slot[e] == FLOW_SLOT_CONTROL
      && (self->op_flags[self->edge_source[e]] & FLOW_OP_UPDATE) != 0)
    line->flags |= FLOW_META_UPDATE;
}

/* The line of a metaedge, or of its control edges from UPDATE_OPS alone, which get their own: they
 * are what makes moving averages move, and easily forgotten. */
static void
add_metaedge_line (FlowScene      *self,
                   FlowSceneGroup *group,
                   guint32         m,
                   gboolean        split,
                   gboolean        updates)
{
  const FlowMetaedge *meta = flow_scene_meta (self, m);
  FlowLine line = { .from = meta->from, .to = meta->to, .port = FLOW_GROUP_NONE, .meta = m,
                    .flags = meta->flags, .first_edge = group->line_edges->len };

  for (guint32 e = meta->first_edge; e != NONE; e = self->edge_next[e])
    {
      gboolean is_control_update = self->edge_slot[e] == FLOW_SLOT_CONTROL
                                   && (self->op_flags[self->edge_source[e]] & FLOW_OP_UPDATE) != 0;

      if (split && is_control_update != updates)
        continue;
      count_edge (self, &line, e);
      g_array_append_val (group->line_edges, e);
    }
  line.n_edges = group->line_edges->len - line.first_edge;
  g_array_append_val (group->lines, line);
}

static void
add_metaedge_lines (FlowScene      *self,
                    FlowSceneGroup *group)
{
  for (guint k = 0; k < group->metas->len; k++)
    {
      guint32 m = g_array_index (group->metas, guint32, k);
      const FlowMetaedge *meta = flow_scene_meta (self, m);
      gboolean split = meta->n_data + meta->n_ref > 0 && is_update (self, meta);

      add_metaedge_line (self, group, m, split, FALSE);
      if (split)
        add_metaedge_line (self, group, m, TRUE, TRUE);
    }
}

/* The parent's lines that end at this group, in the order of the parent's. */
static GArray *
collect_outer_lines (FlowScene *self,
                     guint32    g)
{
  const FlowSceneGroup *group = flow_scene_group (self, g);
  GArray *outer = g_array_new (FALSE, FALSE, sizeof (OuterLine));
  const FlowSceneGroup *parent;
  FlowItem item = flow_item_of_group (g);

  if (group->parent == FLOW_GROUP_NONE)
    return outer;
  parent = flow_scene_group (self, group->parent);
  for (guint k = 0; k < parent->lines->len; k++)
    {
      const FlowLine *line = &g_array_index (parent->lines, FlowLine, k);
      OuterLine found = {
        .out = line->from == item, .far = line->from == item ? line->to : line->from,
        .parent_link = k, .meta = line->meta, .flags = line->flags,
        .edges = &g_array_index (parent->line_edges, guint32, line->first_edge),
        .n_edges = line->n_edges,
      };

      if ((line->from == item || line->to == item) && (line->flags & FLOW_META_STUB) == 0)
        g_array_append_val (outer, found);
    }
  return outer;
}

static int
compare_boundary (gconstpointer a,
                  gconstpointer b)
{
  const guint64 x = *(const guint64 *) a;
  const guint64 y = *(const guint64 *) b;

  return x < y ? -1 : x > y;
}

/* The boundary lines of one outer line: its edges by the child they end at. */
static void
add_boundary_lines (FlowScene       *self,
                    guint32          g,
                    const OuterLine *outer,
                    guint32          port)
{
  FlowSceneGroup *group = flow_scene_group (self, g);
  g_autofree guint64 *sorted = g_new (guint64, (gsize) outer->n_edges + 1);
  guint n = 0;

  for (guint i = 0; i < outer->n_edges; i++)
    {
      guint32 e = outer->edges[i];
      guint32 op = outer->out ? self->edge_source[e] : self->edge_target[e];
      FlowItem child = flow_scene_child_of (self, g, op);

      if (child != FLOW_ITEM_NONE)
        sorted[n++] = ((guint64) child << 32) | e;
    }
  qsort (sorted, n, sizeof *sorted, compare_boundary);
  for (guint i = 0; i < n;)
    {
      FlowItem child = sorted[i] >> 32;
      FlowLine line = { .from = outer->out ? child : FLOW_ITEM_NONE,
                        .to = outer->out ? FLOW_ITEM_NONE : child,
                        .port = port, .meta = outer->meta,
                        .flags = outer->flags & FLOW_META_BACK,
                        .first_edge = group->line_edges->len };

      for (; i < n && sorted[i] >> 32 == child; i++)
        {
          guint32 e = (guint32) sorted[i];

          count_edge (self, &line, e);
          g_array_append_val (group->line_edges, e);
        }
      line.n_edges = group->line_edges->len - line.first_edge;
      g_array_append_val (group->lines, line);
    }
}

static void
add_ports (FlowScene *self,
           guint32    g)
{
  g_autoptr(GArray) outer = collect_outer_lines (self, g);
  FlowSceneGroup *group = flow_scene_group (self, g);

  for (guint out = 0; out < 2; out++)
    {
      guint n_ports = 0;

      for (guint i = 0; i < outer->len; i++)
        {
          const OuterLine *line = &g_array_index (outer, OuterLine, i);
          FlowPort port = { .out = out, .far = line->far, .parent_link = line->parent_link,
                            .n_edges = line->n_edges };
          guint32 number = group->ports->len;

          if (line->out != (gboolean) out)
            continue;
          if (n_ports < PORTS_MAX)
            {
              g_array_append_val (group->ports, port);
              n_ports++;
            }
          else
            {
              /* One port for all the rest. */
              number--;
              g_array_index (group->ports, FlowPort, number).n_edges += line->n_edges;
            }
          add_boundary_lines (self, g, line, number);
        }
    }
}

/* A port that fans out widely, or a child that many ports feed, says so by a stub. */
static void
thin_boundary (FlowSceneGroup *group)
{
  g_autofree guint32 *at_port = g_new0 (guint32, (gsize) group->ports->len + 1);
  g_autoptr(GHashTable) at_child = g_hash_table_new (NULL, NULL);

  for (guint k = 0; k < group->lines->len; k++)
    {
      const FlowLine *line = &g_array_index (group->lines, FlowLine, k);
      FlowItem child = line->from == FLOW_ITEM_NONE ? line->to : line->from;
      guint count;

      if (line->port == FLOW_GROUP_NONE)
        continue;
      at_port[line->port]++;
      count = GPOINTER_TO_UINT (g_hash_table_lookup (at_child, GUINT_TO_POINTER (child)));
      g_hash_table_insert (at_child, GUINT_TO_POINTER (child), GUINT_TO_POINTER (count + 1));
    }
  for (guint k = 0; k < group->lines->len; k++)
    {
      FlowLine *line = &g_array_index (group->lines, FlowLine, k);
      FlowItem child = line->from == FLOW_ITEM_NONE ? line->to : line->from;

      if (line->port != FLOW_GROUP_NONE
          && (at_port[line->port] > BOUNDARY_MAX
              || GPOINTER_TO_UINT (g_hash_table_lookup (at_child, GUINT_TO_POINTER (child)))
                 > BOUNDARY_MAX))
        line->flags |= FLOW_META_STUB;
    }
}

static void
stub_shelved (FlowSceneGroup *group)
{
  g_autoptr(GHashTable) aside = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < group->items->len; i++)
    if (g_array_index (group->places, guint8, i) != FLOW_LAYERED_FLOW)
      g_hash_table_add (aside, GUINT_TO_POINTER (g_array_index (group->items, FlowItem, i)));
  for (guint k = 0; k < group->lines->len; k++)
    {
      FlowLine *line = &g_array_index (group->lines, FlowLine, k);

      if (g_hash_table_contains (aside, GUINT_TO_POINTER (line->from))
          || g_hash_table_contains (aside, GUINT_TO_POINTER (line->to)))
        line->flags |= FLOW_META_STUB;
    }
}

/*
 * _flow_scene_prepare_lines:
 * @g: a group whose parent is prepared
 */
void
_flow_scene_prepare_lines (FlowScene *self,
                           guint32    g)
{
  FlowSceneGroup *group = flow_scene_group (self, g);

  group->ports = g_array_new (FALSE, FALSE, sizeof (FlowPort));
  group->lines = g_array_new (FALSE, FALSE, sizeof (FlowLine));
  group->line_edges = g_array_new (FALSE, FALSE, sizeof (guint32));
  add_metaedge_lines (self, group);
  add_ports (self, g);
  thin_boundary (group);
  stub_shelved (group);
}

/**
 * flow_scene_make_input:
 * @group: prepared
 *
 * The snapshot that layout works on: items, then ports; an edge per line that is drawn.
 *
 * Returns: (transfer full): edges are numbered as the lines are; a stub is a self loop
 */
FlowLayeredInput *
flow_scene_make_input (FlowScene *self,
                       guint32    g)
{
  const FlowSceneGroup *group = flow_scene_group (self, g);
  guint n_items = group->items->len;
  FlowLayeredInput *input = flow_layered_input_new (n_items + group->ports->len,
                                                    group->lines->len);
  g_autoptr(GHashTable) places = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < n_items; i++)
    {
      gboolean sideways = self->direction == FLOW_FLOW_RIGHT;

      input->width[i] = sideways ? group->item_height[i] : group->item_width[i];
      input->height[i] = sideways ? group->item_width[i] : group->item_height[i];
      input->place[i] = g_array_index (group->places, guint8, i);
      g_hash_table_insert (places, GUINT_TO_POINTER (g_array_index (group->items, FlowItem, i)),
                           GUINT_TO_POINTER (i + 1));
    }
  /* Labels stand along the lines that go sideways. */
  if (g == FLOW_GROUP_ROOT)
    input->shape = self->shape;
  if (input->shape.row_gap <= 0.0f)
    input->shape.row_gap = self->direction == FLOW_FLOW_RIGHT ? FLOW_ROW_GAP_SIDEWAYS : 0.0f;
  for (guint p = 0; p < group->ports->len; p++)
    input->place[n_items + p] = g_array_index (group->ports, FlowPort, p).out
                                ? FLOW_LAYERED_PORT_OUT : FLOW_LAYERED_PORT_IN;
  for (guint k = 0; k < group->lines->len; k++)
    {
      const FlowLine *line = &g_array_index (group->lines, FlowLine, k);
      guint data = line->n_data + line->n_ref;
      FlowLayeredEdge *edge = &input->edges[k];

      if ((line->flags & FLOW_META_STUB) != 0)
        continue;
      edge->from = line->from == FLOW_ITEM_NONE ? n_items + line->port
                   : place_of_item (places, line->from);
      edge->to = line->to == FLOW_ITEM_NONE ? n_items + line->port
                 : place_of_item (places, line->to);
      /* 2 x (1 + min (3, log2 data)), control alone 1; a loop's way back weighs nothing beside it */
      edge->weight = data == 0 ? 1 : 2 * (1 + MIN (3, g_bit_storage (data) - 1));
      edge->is_back = (line->flags & FLOW_META_BACK) != 0 && line->port == FLOW_GROUP_NONE;
      if (edge->is_back)
        edge->weight = 1;
    }
  return input;
}
