/* flow-outline.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-outline.h"

#include "flow-outline-list.h"
#include "flow-outline-row.h"
#include "flow-search.h"
#include "flow-tab-stop.h"

/**
 * FlowOutline:
 *
 * The graph as a tree of name scopes, or the hits of a search. It is kept in step with the canvas: it
 * is the canvas's keyboard and screen-reader path as well.
 */
struct _FlowOutline
{
  FlowView parent_instance;

  /* template */
  GtkStack *stack;
  GtkListView *list;
  GtkWidget *similar;

  /* owned */
  GtkTreeListModel *tree;
  GtkSingleSelection *selection;
  FlowSearch *search;
  char *text;
  GListModel *coming;       /* what is shown in the next turn of the main loop */

  guint coming_source;
  gboolean selecting;       /* we change the selection ourselves */
};

/* So many rows change without anybody noticing. */
#define ROWS_AT_ONCE 48

enum {
  SIGNAL_SCOPE_TOGGLED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FlowOutline, flow_outline, FLOW_TYPE_VIEW)

static FlowOutlineItem *
dup_item (gpointer object)
{
  if (GTK_IS_TREE_LIST_ROW (object))
    return FLOW_OUTLINE_ITEM (gtk_tree_list_row_get_item (GTK_TREE_LIST_ROW (object)));
  return g_object_ref (FLOW_OUTLINE_ITEM (object));
}

/* --- Rows --- */

static void
setup_row_cb (GtkSignalListItemFactory *factory,
              GtkListItem              *list_item,
              FlowOutline              *self)
{
  GtkWidget *expander = gtk_tree_expander_new ();

  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander),
                               flow_outline_row_new (flow_view_get_session (FLOW_VIEW (self))));
  gtk_list_item_set_child (list_item, expander);
}

static void
bind_row_cb (GtkSignalListItemFactory *factory,
             GtkListItem              *list_item,
             FlowOutline              *self)
{
  gpointer object = gtk_list_item_get_item (list_item);
  g_autoptr(FlowOutlineItem) item = dup_item (object);
  GtkTreeExpander *expander = GTK_TREE_EXPANDER (gtk_list_item_get_child (list_item));

  gtk_tree_expander_set_list_row (expander, GTK_IS_TREE_LIST_ROW (object) ? object : NULL);
  flow_outline_row_bind (FLOW_OUTLINE_ROW (gtk_tree_expander_get_child (expander)), item);
}

static void
unbind_row_cb (GtkSignalListItemFactory *factory,
               GtkListItem              *list_item,
               FlowOutline              *self)
{
  GtkTreeExpander *expander = GTK_TREE_EXPANDER (gtk_list_item_get_child (list_item));

  gtk_tree_expander_set_list_row (expander, NULL);
  flow_outline_row_unbind (FLOW_OUTLINE_ROW (gtk_tree_expander_get_child (expander)));
}

/* --- Model --- */

static GListModel *
create_children_cb (gpointer object,
                    gpointer data)
{
  FlowOutline *self = data;
  guint32 scope = flow_outline_item_get_scope (object);

  if (scope == FLOW_SCOPE_NONE)
    return NULL;
  return G_LIST_MODEL (flow_outline_list_new_children (flow_view_get_session (FLOW_VIEW (self)),
                                                       scope));
}

static void
selected_cb (GtkSingleSelection *selection,
             GParamSpec         *pspec,
             FlowOutline        *self)
{
  gpointer object = gtk_single_selection_get_selected_item (selection);
  g_autoptr(FlowOutlineItem) item = NULL;

  if (self->selecting || object == NULL)
    return;
  item = dup_item (object);
  self->selecting = TRUE;
  flow_ui_session_select (flow_view_get_session (FLOW_VIEW (self)),
                          flow_outline_item_get_node (item), flow_outline_item_get_scope (item));
  self->selecting = FALSE;
}

/* One selection for good: only the model in it changes. */
static void
ensure_selection (FlowOutline *self)
{
  if (self->selection != NULL)
    return;
  self->selection = gtk_single_selection_new (NULL);
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  g_signal_connect_object (self->selection, "notify::selected", G_CALLBACK (selected_cb), self, 0);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
}

static void
set_model (FlowOutline *self,
           GListModel  *model)
{
  ensure_selection (self);
  self->selecting = TRUE;
  gtk_single_selection_set_model (self->selection, model);
  self->selecting = FALSE;
}

static void
scroll_to (FlowOutline *self,
           guint        position)
{
  gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", position);
}

/*
 * Opens the scopes above a scope. Returns: (transfer full) (nullable): the row of the innermost; without
 * @open, of the innermost that can be seen.
 */
static GtkTreeListRow *
open_scope_row (FlowOutline *self,
                guint32      scope,
                gboolean     open)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  FlowGraph *graph = flow_ui_session_get_graph (session);
  g_autoptr(GArray) path = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr(GtkTreeListRow) row = NULL;
  GListModel *children = gtk_tree_list_model_get_model (self->tree);

  for (guint32 s = scope; s != FLOW_SCOPE_ROOT && s != FLOW_SCOPE_NONE;
       s = flow_graph_get_scope_parent (graph, s))
    g_array_prepend_val (path, s);
  for (guint i = 0; i < path->len; i++)
    {
      guint position = 0;
      GtkTreeListRow *child = NULL;

      if (!FLOW_IS_OUTLINE_LIST (children) ||
          !flow_outline_list_find (FLOW_OUTLINE_LIST (children), FLOW_NODE_NONE,
                                   g_array_index (path, guint32, i), &position))
        return NULL;
      child = row == NULL ? gtk_tree_list_model_get_child_row (self->tree, position)
                          : gtk_tree_list_row_get_child_row (row, position);
      if (child == NULL)
        return NULL;
      g_clear_object (&row);
      row = child;
      if (i + 1 < path->len && open)
        gtk_tree_list_row_set_expanded (row, TRUE);
      if (!gtk_tree_list_row_get_expanded (row))
        break;
      children = gtk_tree_list_row_get_children (row);
    }
  return g_steal_pointer (&row);
}

/* The scope under which a node's row stands: that of its name, where there is one. */
static guint32
row_scope_of_node (FlowGraph *graph,
                   guint32    node)
{
  guint32 own = flow_graph_find_scope (graph, flow_graph_get_node_name (graph, node));

  return own != FLOW_SCOPE_NONE ? own : flow_graph_get_node_scope (graph, node);
}

static GtkTreeListRow *
open_row (FlowOutline *self,
          guint32      node,
          guint32      scope,
          gboolean     open)
{
  FlowGraph *graph = flow_ui_session_get_graph (flow_view_get_session (FLOW_VIEW (self)));
  guint32 parent = FLOW_SCOPE_ROOT;
  g_autoptr(GtkTreeListRow) parent_row = NULL;
  GListModel *children = NULL;
  guint position = 0;

  if (node == FLOW_NODE_NONE)
    return scope == FLOW_SCOPE_ROOT ? NULL : open_scope_row (self, scope, open);
  parent = row_scope_of_node (graph, node);
  if (parent != FLOW_SCOPE_ROOT)
    {
      parent_row = open_scope_row (self, parent, open);
      if (parent_row == NULL)
        return NULL;
      if (open)
        gtk_tree_list_row_set_expanded (parent_row, TRUE);
      else if (!gtk_tree_list_row_get_expanded (parent_row))
        return g_steal_pointer (&parent_row);
      children = gtk_tree_list_row_get_children (parent_row);
    }
  else
    {
      children = gtk_tree_list_model_get_model (self->tree);
    }
  if (!FLOW_IS_OUTLINE_LIST (children) ||
      !flow_outline_list_find (FLOW_OUTLINE_LIST (children), node, FLOW_SCOPE_NONE, &position))
    return NULL;
  return parent_row != NULL ? gtk_tree_list_row_get_child_row (parent_row, position)
                            : gtk_tree_list_model_get_child_row (self->tree, position);
}

static void
follow_selection (FlowOutline *self)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  guint32 node = flow_ui_session_get_selected_node (session);
  guint32 scope = flow_ui_session_get_selected_scope (session);
  g_autoptr(GtkTreeListRow) row = NULL;
  guint position = GTK_INVALID_LIST_POSITION;

  if (self->selecting || self->selection == NULL)
    return;
  /* Rows that open move the selected one: that is nobody's choice. */
  self->selecting = TRUE;
  if (self->text != NULL)
    {
      GListModel *hits = gtk_single_selection_get_model (self->selection);

      if (node == FLOW_NODE_NONE || !FLOW_IS_OUTLINE_LIST (hits) ||
          !flow_outline_list_find (FLOW_OUTLINE_LIST (hits), node, FLOW_SCOPE_NONE, &position))
        position = GTK_INVALID_LIST_POSITION;
    }
  else if (self->tree != NULL && (node != FLOW_NODE_NONE || scope != FLOW_SCOPE_NONE))
    {
      row = open_row (self, node, scope, !flow_ui_session_is_following (session));
      if (row != NULL)
        position = gtk_tree_list_row_get_position (row);
    }
  gtk_single_selection_set_selected (self->selection, position);
  self->selecting = FALSE;
  if (position != GTK_INVALID_LIST_POSITION)
    scroll_to (self, position);
}

/* What is to come is there now. */
static void
show_coming (FlowOutline *self)
{
  g_autoptr(GListModel) model = g_steal_pointer (&self->coming);

  g_clear_handle_id (&self->coming_source, g_source_remove);
  if (model == NULL)
    return;
  set_model (self, model);
  gtk_widget_set_visible (self->similar,
                          self->search != NULL && flow_search_is_similar (self->search));
  gtk_stack_set_visible_child_name (self->stack,
                                    self->text != NULL && g_list_model_get_n_items (model) == 0
                                      ? "none" : "list");
  follow_selection (self);
}

static gboolean
coming_cb (gpointer data)
{
  FlowOutline *self = data;

  self->coming_source = 0;
  show_coming (self);
  return G_SOURCE_REMOVE;
}

/*
 * A GtkListView has widgets for 200 rows, of which 40 can be seen. To take them down and to put others up
 * takes longer than anybody should wait, so each has a turn of the main loop; no frame is drawn between.
 */
static void
show_model (FlowOutline *self,
            GListModel  *taken)
{
  ensure_selection (self);
  g_set_object (&self->coming, taken);
  g_object_unref (taken);
  if (g_list_model_get_n_items (G_LIST_MODEL (self->selection)) <= ROWS_AT_ONCE)
    {
      show_coming (self);
      return;
    }
  set_model (self, NULL);
  g_clear_handle_id (&self->coming_source, g_source_remove);
  self->coming_source = g_idle_add_full (G_PRIORITY_HIGH_IDLE, coming_cb, self, NULL);
}

static void
show_tree (FlowOutline *self)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));

  g_clear_object (&self->tree);
  g_clear_object (&self->coming);
  if (session == NULL || flow_ui_session_get_graph (session) == NULL)
    {
      set_model (self, NULL);
      gtk_stack_set_visible_child_name (self->stack, "empty");
      return;
    }
  self->tree = gtk_tree_list_model_new (
    G_LIST_MODEL (flow_outline_list_new_children (session, FLOW_SCOPE_ROOT)),
    FALSE, FALSE, create_children_cb, self, NULL);
  show_model (self, g_object_ref (G_LIST_MODEL (self->tree)));
}

/* --- Search --- */

static void
found_cb (const guint32 *hits,
          guint          n_hits,
          gpointer       data)
{
  FlowOutline *self = data;

  show_model (self, G_LIST_MODEL (flow_outline_list_new_hits (hits, n_hits)));
}

/**
 * flow_outline_set_search:
 * @text: (nullable): what to look for; empty shows the tree
 */
void
flow_outline_set_search (FlowOutline *self,
                         const char  *text)
{
  FlowUiSession *session = NULL;

  g_return_if_fail (FLOW_IS_OUTLINE (self));

  session = flow_view_get_session (FLOW_VIEW (self));
  g_clear_pointer (&self->search, flow_search_cancel);
  g_clear_pointer (&self->text, g_free);
  if (session == NULL || flow_ui_session_get_graph (session) == NULL)
    return;
  if (text == NULL || text[0] == '\0')
    {
      show_tree (self);
      return;
    }
  self->text = g_strdup (text);
  self->search = flow_search_start (session, text, found_cb, self);
}

/* Selects the next (1) or previous (-1) row: of the hits while searching. */
void
flow_outline_next_hit (FlowOutline *self,
                       int          direction)
{
  guint n = 0;
  guint position = 0;

  g_return_if_fail (FLOW_IS_OUTLINE (self));

  if (self->selection == NULL)
    return;
  show_coming (self);
  n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));
  if (n == 0)
    return;
  position = gtk_single_selection_get_selected (self->selection);
  if (position == GTK_INVALID_LIST_POSITION)
    position = direction > 0 ? 0 : n - 1;
  else
    position = (position + n + direction) % n;
  gtk_single_selection_set_selected (self->selection, position);
  scroll_to (self, position);
}

void
flow_outline_expand_scope (FlowOutline *self,
                           guint32      scope,
                           gboolean     expanded)
{
  g_autoptr(GtkTreeListRow) row = NULL;

  g_return_if_fail (FLOW_IS_OUTLINE (self));

  if (self->tree == NULL || self->text != NULL || scope == FLOW_SCOPE_ROOT ||
      scope == FLOW_SCOPE_NONE)
    return;
  self->selecting = TRUE;
  row = open_scope_row (self, scope, TRUE);
  if (row != NULL)
    gtk_tree_list_row_set_expanded (row, expanded);
  self->selecting = FALSE;
}

/* Selects the row at a point of the outline, if there is one. */
void
flow_outline_select_at (FlowOutline *self,
                        double       x,
                        double       y)
{
  GtkWidget *widget = NULL;

  g_return_if_fail (FLOW_IS_OUTLINE (self));

  widget = gtk_widget_pick (GTK_WIDGET (self), x, y, GTK_PICK_DEFAULT);
  while (widget != NULL && !GTK_IS_TREE_EXPANDER (widget) && widget != GTK_WIDGET (self))
    {
      GtkWidget *child = gtk_widget_get_first_child (widget);

      /* The row itself was hit, beside what it holds. */
      widget = GTK_IS_TREE_EXPANDER (child) ? child : gtk_widget_get_parent (widget);
    }
  if (GTK_IS_TREE_EXPANDER (widget))
    {
      GtkWidget *row = gtk_tree_expander_get_child (GTK_TREE_EXPANDER (widget));
      FlowOutlineItem *item = flow_outline_row_get_item (FLOW_OUTLINE_ROW (row));

      if (item != NULL)
        flow_ui_session_select (flow_view_get_session (FLOW_VIEW (self)),
                                flow_outline_item_get_node (item),
                                flow_outline_item_get_scope (item));
    }
}

void
flow_outline_collapse_all (FlowOutline *self)
{
  g_return_if_fail (FLOW_IS_OUTLINE (self));

  if (self->text == NULL)
    show_tree (self);
}

static void
activate_cb (GtkListView *list,
             guint        position,
             FlowOutline *self)
{
  g_autoptr(GObject) object = g_list_model_get_item (G_LIST_MODEL (self->selection), position);
  g_autoptr(FlowOutlineItem) item = dup_item (object);
  guint32 scope = flow_outline_item_get_scope (item);

  if (GTK_IS_TREE_LIST_ROW (object) && scope != FLOW_SCOPE_NONE)
    {
      gboolean expanded = gtk_tree_list_row_get_expanded (GTK_TREE_LIST_ROW (object));

      gtk_tree_list_row_set_expanded (GTK_TREE_LIST_ROW (object), !expanded);
      g_signal_emit (self, signals[SIGNAL_SCOPE_TOGGLED], 0, scope, !expanded);
    }
  else
    {
      gtk_widget_activate_action (GTK_WIDGET (self), "win.zoom-selection", NULL);
    }
}

static void
flow_outline_graph_changed (FlowView *view)
{
  FlowOutline *self = FLOW_OUTLINE (view);

  if (self->text != NULL)
    {
      g_autofree char *text = g_strdup (self->text);

      flow_outline_set_search (self, text);
    }
  else
    {
      show_tree (self);
    }
}

static void
flow_outline_selection_changed (FlowView *view)
{
  follow_selection (FLOW_OUTLINE (view));
}

static void
flow_outline_dispose (GObject *object)
{
  FlowOutline *self = FLOW_OUTLINE (object);

  g_clear_pointer (&self->search, flow_search_cancel);
  g_clear_pointer (&self->text, g_free);
  g_clear_handle_id (&self->coming_source, g_source_remove);
  g_clear_object (&self->coming);
  if (self->list != NULL)
    gtk_list_view_set_model (self->list, NULL);
  g_clear_object (&self->tree);
  g_clear_object (&self->selection);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), FLOW_TYPE_OUTLINE);

  G_OBJECT_CLASS (flow_outline_parent_class)->dispose (object);
}

static void
flow_outline_class_init (FlowOutlineClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  FlowViewClass *view_class = FLOW_VIEW_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = flow_outline_dispose;
  view_class->graph_changed = flow_outline_graph_changed;
  view_class->selection_changed = flow_outline_selection_changed;

  signals[SIGNAL_SCOPE_TOGGLED] =
    g_signal_new ("scope-toggled", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                  NULL, G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_BOOLEAN);

  g_type_ensure (FLOW_TYPE_TAB_STOP);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/flowstep/Flowstep/ui/outline/flow-outline.ui");
  gtk_widget_class_bind_template_child (widget_class, FlowOutline, stack);
  gtk_widget_class_bind_template_child (widget_class, FlowOutline, list);
  gtk_widget_class_bind_template_child (widget_class, FlowOutline, similar);
}

static void
flow_outline_init (FlowOutline *self)
{
  g_autoptr(GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (factory, "setup", G_CALLBACK (setup_row_cb), self, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind_row_cb), self, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (unbind_row_cb), self, 0);
  gtk_list_view_set_factory (self->list, factory);
  g_signal_connect_object (self->list, "activate", G_CALLBACK (activate_cb), self, 0);
  gtk_stack_set_visible_child_name (self->stack, "empty");
}
