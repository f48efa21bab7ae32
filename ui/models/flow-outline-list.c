/* flow-outline-list.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-outline-list.h"

/**
 * FlowOutlineList:
 *
 * A list model over the scope tree of a graph that keeps four bytes per row: rows become objects only
 * while they are looked at, so a scope with 100,000 children opens at once.
 */

/*
 * A GtkListView makes widgets for 200 rows at once, far more than can be seen: a list that is new
 * grows in slices until it is past that, so that the main loop is never kept for long.
 */
#define FIRST_ROWS 40
#define SLICE_ROWS 24
#define WIDGET_ROWS 260
#define SLICE_MS 12

/* An entry is the index of a node or, with this bit, of a scope. */
#define SCOPE_BIT 0x80000000u

struct _FlowOutlineItem
{
  GObject parent_instance;

  guint32 node;
  guint32 scope;
  gboolean is_hit;
};

G_DEFINE_FINAL_TYPE (FlowOutlineItem, flow_outline_item, G_TYPE_OBJECT)

static void
flow_outline_item_class_init (FlowOutlineItemClass *klass)
{
}

static void
flow_outline_item_init (FlowOutlineItem *self)
{
}

/* Returns: the node, which for a scope is the one that bears its name; %FLOW_NODE_NONE if none does. */
guint32
flow_outline_item_get_node (FlowOutlineItem *self)
{
  g_return_val_if_fail (FLOW_IS_OUTLINE_ITEM (self), FLOW_NODE_NONE);

  return self->node;
}

guint32
flow_outline_item_get_scope (FlowOutlineItem *self)
{
  g_return_val_if_fail (FLOW_IS_OUTLINE_ITEM (self), FLOW_SCOPE_NONE);

  return self->scope;
}

/* Whether it stands in a list of hits and so shows its whole name. */
gboolean
flow_outline_item_is_hit (FlowOutlineItem *self)
{
  g_return_val_if_fail (FLOW_IS_OUTLINE_ITEM (self), FALSE);

  return self->is_hit;
}

struct _FlowOutlineList
{
  GObject parent_instance;

  guint32 *entries;
  guint n_entries;
  guint n_shown;             /* of them: grows to n_entries */
  guint grow_source;
  gboolean is_hits;

  /* Of a scope: until somebody asks for its rows. A tree asks each scope in view whether it has any. */
  FlowUiSession *session;
  guint32 scope;
};

static void fill (FlowOutlineList *self);

static GType
flow_outline_list_get_item_type (GListModel *model)
{
  return FLOW_TYPE_OUTLINE_ITEM;
}

static guint
flow_outline_list_get_n_items (GListModel *model)
{
  FlowOutlineList *self = FLOW_OUTLINE_LIST (model);

  fill (self);
  return self->n_shown;
}

static gpointer
flow_outline_list_get_item (GListModel *model,
                            guint       position)
{
  FlowOutlineList *self = FLOW_OUTLINE_LIST (model);
  FlowOutlineItem *item = NULL;
  guint32 entry = 0;

  fill (self);
  if (position >= self->n_shown)
    return NULL;
  entry = self->entries[position];
  item = g_object_new (FLOW_TYPE_OUTLINE_ITEM, NULL);
  item->node = (entry & SCOPE_BIT) != 0 ? FLOW_NODE_NONE : entry;
  item->scope = (entry & SCOPE_BIT) != 0 ? entry & ~SCOPE_BIT : FLOW_SCOPE_NONE;
  item->is_hit = self->is_hits;
  return item;
}

static void
list_model_iface_init (GListModelInterface *iface)
{
  iface->get_item_type = flow_outline_list_get_item_type;
  iface->get_n_items = flow_outline_list_get_n_items;
  iface->get_item = flow_outline_list_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (FlowOutlineList, flow_outline_list, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_iface_init))

static void
show_rows (FlowOutlineList *self,
           guint            n)
{
  guint old = self->n_shown;

  self->n_shown = MIN (n, self->n_entries);
  if (self->n_shown > old)
    g_list_model_items_changed (G_LIST_MODEL (self), old, 0, self->n_shown - old);
}

static gboolean
grow_cb (gpointer data)
{
  FlowOutlineList *self = FLOW_OUTLINE_LIST (data);

  if (self->n_shown + SLICE_ROWS >= MIN (self->n_entries, WIDGET_ROWS))
    {
      self->grow_source = 0;
      show_rows (self, self->n_entries);
      return G_SOURCE_REMOVE;
    }
  show_rows (self, self->n_shown + SLICE_ROWS);
  return G_SOURCE_CONTINUE;
}

/* The entries are there: the first of them are rows now, the others soon. */
static void
begin_rows (FlowOutlineList *self)
{
  self->n_shown = MIN (self->n_entries, FIRST_ROWS);
  if (self->n_shown < self->n_entries)
    self->grow_source = g_timeout_add (SLICE_MS, grow_cb, self);
}

static void
flow_outline_list_finalize (GObject *object)
{
  g_clear_handle_id (&FLOW_OUTLINE_LIST (object)->grow_source, g_source_remove);
  g_clear_object (&FLOW_OUTLINE_LIST (object)->session);
  g_free (FLOW_OUTLINE_LIST (object)->entries);

  G_OBJECT_CLASS (flow_outline_list_parent_class)->finalize (object);
}

static void
flow_outline_list_class_init (FlowOutlineListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = flow_outline_list_finalize;
}

static void
flow_outline_list_init (FlowOutlineList *self)
{
}

typedef struct {
  guint32 entry;
  guint32 first;
} SortEntry;

static int
compare_first (gconstpointer a,
               gconstpointer b)
{
  const SortEntry *x = a;
  const SortEntry *y = b;

  return x->first < y->first ? -1 : x->first > y->first;
}

static void
add_children (FlowOutlineList *self,
              FlowUiSession   *session,
              guint32          scope)
{
  FlowGraph *graph = flow_ui_session_get_graph (session);
  FlowScopeStates *states = flow_ui_session_get_scope_states (session);
  guint n_scopes = flow_graph_get_n_child_scopes (graph, scope);
  guint n_nodes = flow_graph_get_n_scope_nodes (graph, scope);
  g_autofree SortEntry *sorted = g_new (SortEntry, MAX (1, n_scopes + n_nodes));
  g_autoptr(GHashTable) own = g_hash_table_new (NULL, NULL);
  guint n = 0;

  for (guint i = 0; i < n_scopes; i++)
    {
      guint32 child = flow_graph_get_child_scope (graph, scope, i);
      guint32 own_node = flow_graph_get_scope_own_node (graph, child);

      sorted[n].entry = child | SCOPE_BIT;
      sorted[n].first = flow_scope_states_get_first (states, child);
      if (own_node != FLOW_NODE_NONE)
        {
          /* The variable `v` and its scope `v/` are one row: the node stands first inside. */
          sorted[n].first = MIN (sorted[n].first, own_node);
          if (flow_graph_get_node_scope (graph, own_node) == scope)
            g_hash_table_add (own, GUINT_TO_POINTER (own_node + 1));
        }
      n++;
    }
  for (guint i = 0; i < n_nodes; i++)
    {
      guint32 node = flow_graph_get_scope_node (graph, scope, i);

      if (g_hash_table_contains (own, GUINT_TO_POINTER (node + 1)))
        continue;
      sorted[n].entry = node;
      sorted[n].first = node;
      n++;
    }
  qsort (sorted, n, sizeof (SortEntry), compare_first);
  {
    guint32 own_node = scope != FLOW_SCOPE_ROOT ? flow_graph_get_scope_own_node (graph, scope)
                                                : FLOW_NODE_NONE;
    gboolean lead = own_node != FLOW_NODE_NONE &&
                    flow_graph_get_node_scope (graph, own_node) != scope;

    self->entries = g_new (guint32, MAX (1, n + 1));
    if (lead)
      self->entries[self->n_entries++] = own_node;
    for (guint i = 0; i < n; i++)
      self->entries[self->n_entries++] = sorted[i].entry;
  }
}

/* Children of a scope in the order of the file: a scope stands where its first node does. */
static void
fill (FlowOutlineList *self)
{
  g_autoptr(FlowUiSession) session = g_steal_pointer (&self->session);
  guint32 scope = self->scope;

  if (session != NULL)
    {
      add_children (self, session, scope);
      begin_rows (self);
    }
}

FlowOutlineList *
flow_outline_list_new_children (FlowUiSession *session,
                                guint32        scope)
{
  FlowOutlineList *self = g_object_new (FLOW_TYPE_OUTLINE_LIST, NULL);

  self->session = g_object_ref (session);
  self->scope = scope;
  return self;
}

FlowOutlineList *
flow_outline_list_new_hits (const guint32 *nodes,
                            guint          n_nodes)
{
  FlowOutlineList *self = g_object_new (FLOW_TYPE_OUTLINE_LIST, NULL);

  self->entries = g_memdup2 (nodes, sizeof (guint32) * MAX (1, n_nodes));
  self->n_entries = n_nodes;
  self->is_hits = TRUE;
  begin_rows (self);
  return self;
}

/* Returns: whether the node (or the scope) is a row; @position says which. */
gboolean
flow_outline_list_find (FlowOutlineList *self,
                        guint32          node,
                        guint32          scope,
                        guint           *position)
{
  guint32 wanted = node != FLOW_NODE_NONE ? node : scope | SCOPE_BIT;

  g_return_val_if_fail (FLOW_IS_OUTLINE_LIST (self), FALSE);

  fill (self);
  for (guint i = 0; i < self->n_entries; i++)
    if (self->entries[i] == wanted)
      {
        /* Whoever looks for a row wants to see it. */
        if (i >= self->n_shown)
          show_rows (self, i + 1);
        *position = i;
        return TRUE;
      }
  return FALSE;
}
