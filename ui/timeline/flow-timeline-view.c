/* flow-timeline-view.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-timeline-view.h"

#include <glib/gi18n.h>

#include "flow-event-list.h"
#include "flow-format.h"
#include "flow-history-button.h"
#include "flow-tab-stop.h"
#include "flow-table.h"

/**
 * FlowTimelineView:
 *
 * What was executed, in order, and a scrubber to go back and forth in it.
 */
struct _FlowTimelineView
{
  FlowView parent_instance;

  /* template */
  GtkLabel *position;
  GtkScale *scrubber;
  GtkAdjustment *adjustment;
  FlowHistoryButton *history;
  GtkColumnView *table;

  /* owned */
  FlowEventList *events;

  guint64 shown_position;
  guint scroll_tick;
  guint scroll_frames;
};

G_DEFINE_FINAL_TYPE (FlowTimelineView, flow_timeline_view, FLOW_TYPE_VIEW)

static FlowGraph *
get_graph (gpointer data)
{
  return flow_ui_session_get_graph (flow_view_get_session (FLOW_VIEW (data)));
}

static guint32
row_node (GVariant *row,
          gpointer  data)
{
  gint64 node = flow_lookup_int (row, "node", FLOW_NODE_NONE);
  FlowGraph *graph = get_graph (data);

  return graph != NULL && node >= 0 && node < flow_graph_get_n_nodes (graph) ? (guint32) node
                                                                             : FLOW_NODE_NONE;
}

static char *
number_text (GVariant *row,
             gpointer  data)
{
  return flow_format_count ((guint64) flow_lookup_int (row, "position", 0) + 1);
}

static char *
node_text (GVariant *row,
           gpointer  data)
{
  guint32 node = row_node (row, data);

  return node != FLOW_NODE_NONE ? g_strdup (flow_graph_get_node_name (get_graph (data), node))
                                : g_strdup ("…");
}

static char *
type_text (GVariant *row,
           gpointer  data)
{
  guint32 node = row_node (row, data);

  return node != FLOW_NODE_NONE ? g_strdup (flow_graph_get_node_type (get_graph (data), node)) : NULL;
}

static char *
run_text (GVariant *row,
          gpointer  data)
{
  const char *run = flow_lookup_string (row, "run");
  gint64 i = flow_lookup_int (row, "i", 0);

  if (run == NULL)
    return NULL;
  return i > 0 ? g_strdup_printf ("%s · %" G_GINT64_FORMAT, run, i) : g_strdup (run);
}

static char *
iteration_text (GVariant *row,
                gpointer  data)
{
  gint64 iteration = flow_lookup_int (row, "iteration", 0);

  if (flow_lookup_bool (row, "dead"))
    return g_strdup (_("dead"));
  return iteration > 0 ? g_strdup_printf ("%" G_GINT64_FORMAT, iteration) : NULL;
}

static char *
time_text (GVariant *row,
           gpointer  data)
{
  gint64 ns = flow_lookup_int (row, "ns", -1);

  return ns >= 0 ? flow_format_duration ((guint64) ns) : NULL;
}

static char *
bytes_text (GVariant *row,
            gpointer  data)
{
  gint64 bytes = flow_lookup_int (row, "bytes", -1);

  return bytes >= 0 ? flow_format_bytes ((guint64) bytes) : NULL;
}

/* What lies in the future of the position at hand is pale. */
static const char *
row_css (GVariant *row,
         gpointer  data)
{
  FlowTimelineView *self = data;
  guint64 position = (guint64) flow_lookup_int (row, "position", 0);

  if (position + 1 == self->shown_position)
    return "flow-now";
  return position >= self->shown_position ? "dim-label" : NULL;
}

static void
scroll_to_now (FlowTimelineView *self)
{
  if (self->shown_position > 0)
    flow_table_scroll_to (self->table, (guint) MIN (self->shown_position - 1, G_MAXUINT32 - 1));
}

/* A list that was just shown has no rows before its second frame. */
static gboolean
scroll_tick_cb (GtkWidget     *widget,
                GdkFrameClock *clock,
                gpointer       data)
{
  FlowTimelineView *self = FLOW_TIMELINE_VIEW (widget);

  if (++self->scroll_frames < 3)
    return G_SOURCE_CONTINUE;
  self->scroll_tick = 0;
  scroll_to_now (self);
  return G_SOURCE_REMOVE;
}

static void
queue_scroll (FlowTimelineView *self)
{
  self->scroll_frames = 0;
  if (self->scroll_tick == 0)
    self->scroll_tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), scroll_tick_cb, NULL, NULL);
}

static void
refresh_marks (FlowTimelineView *self,
               guint64           old,
               guint64           now)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->events));
  guint64 first = MIN (old, now);
  guint64 last = MAX (old, now);

  /* Rows whose mark changes; a long jump redraws what is in view by its scroll. */
  if (last - first > 400)
    first = last - 400;
  if (first > 0)
    first--;
  for (guint64 i = first; i < MIN (last, n); i++)
    {
      g_autoptr(GObject) item = g_list_model_get_item (G_LIST_MODEL (self->events), (guint) i);

      g_object_notify (item, "value");
    }
}

static void
flow_timeline_view_refresh (FlowView *view)
{
  FlowTimelineView *self = FLOW_TIMELINE_VIEW (view);
  const FlowDebugState *state = flow_ui_session_get_state (flow_view_get_session (view));
  guint64 old = self->shown_position;
  g_autofree char *at = NULL;
  g_autofree char *of = NULL;
  g_autofree char *text = NULL;

  if (state == NULL || self->events == NULL)
    return;
  self->shown_position = state->position;
  flow_event_list_set_n_events (self->events, MAX (state->n_events, state->position));
  gtk_adjustment_set_upper (self->adjustment, (double) MAX (state->n_events, state->position));
  gtk_adjustment_set_value (self->adjustment, (double) state->position);
  at = flow_format_count (state->position);
  of = flow_format_count (MAX (state->n_events, state->position));
  text = g_strdup_printf (_("%s of %s"), at, of);
  gtk_label_set_text (self->position, text);
  if (old != self->shown_position)
    {
      refresh_marks (self, old, self->shown_position);
      scroll_to_now (self);
      queue_scroll (self);
    }
}

static gboolean
change_value_cb (FlowTimelineView *self,
                 GtkScrollType     scroll,
                 double            value,
                 GtkRange         *range)
{
  double upper = gtk_adjustment_get_upper (self->adjustment);
  gint64 position = (gint64) (CLAMP (value, 0, upper) + 0.5);

  if ((guint64) position != self->shown_position)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.go-to-event", "i", (gint32) position);
  return FALSE;
}

static void
activate_cb (FlowTimelineView *self,
             guint             position,
             GtkColumnView    *table)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.go-to-event", "i", (gint32) position + 1);
}

static void
selected_cb (GtkSingleSelection *selection,
             GParamSpec         *pspec,
             FlowTimelineView   *self)
{
  GVariant *row = flow_table_get_selected (self->table);
  guint32 node = row != NULL ? row_node (row, self) : FLOW_NODE_NONE;

  if (node != FLOW_NODE_NONE)
    flow_ui_session_select (flow_view_get_session (FLOW_VIEW (self)), node, FLOW_SCOPE_NONE);
}

static void
flow_timeline_view_setup (FlowView *view)
{
  FlowTimelineView *self = FLOW_TIMELINE_VIEW (view);
  const FlowTableColumn columns[] = {
    { _("#"), number_text, row_css, NULL, 70, 0, TRUE },
    { _("Run"), run_text, row_css, NULL, 120, 0, FALSE },
    { _("Op"), node_text, row_css, NULL, -1, 0, TRUE },
    { _("Type"), type_text, row_css, NULL, 170, 0, FALSE },
    { _("Iteration"), iteration_text, row_css, NULL, 80, 0, FALSE },
    { _("Time"), time_text, row_css, NULL, 90, 0, FALSE },
    { _("Memory"), bytes_text, row_css, NULL, 100, 0, FALSE },
  };
  GtkSingleSelection *selection = NULL;

  if (self->events != NULL)
    return;
  self->events = flow_event_list_new (flow_view_get_session (view));
  flow_view_set_session (FLOW_VIEW (self->history), flow_view_get_session (view));
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    flow_table_add_column (self->table, &columns[i], self);
  selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->events)));
  gtk_single_selection_set_autoselect (selection, FALSE);
  gtk_single_selection_set_can_unselect (selection, TRUE);
  g_signal_connect_object (selection, "notify::selected", G_CALLBACK (selected_cb), self, 0);
  gtk_column_view_set_model (self->table, GTK_SELECTION_MODEL (selection));
  g_object_unref (selection);
}

static void
flow_timeline_view_graph_changed (FlowView *view)
{
  FlowTimelineView *self = FLOW_TIMELINE_VIEW (view);

  if (self->events != NULL)
    flow_event_list_forget (self->events);
  self->shown_position = 0;
}

static void
flow_timeline_view_dispose (GObject *object)
{
  FlowTimelineView *self = FLOW_TIMELINE_VIEW (object);

  if (self->table != NULL)
    gtk_column_view_set_model (self->table, NULL);
  g_clear_object (&self->events);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), FLOW_TYPE_TIMELINE_VIEW);

  G_OBJECT_CLASS (flow_timeline_view_parent_class)->dispose (object);
}

static void
flow_timeline_view_class_init (FlowTimelineViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  FlowViewClass *view_class = FLOW_VIEW_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = flow_timeline_view_dispose;
  view_class->setup = flow_timeline_view_setup;
  view_class->graph_changed = flow_timeline_view_graph_changed;
  view_class->refresh = flow_timeline_view_refresh;

  g_type_ensure (FLOW_TYPE_HISTORY_BUTTON);
  g_type_ensure (FLOW_TYPE_TAB_STOP);
  gtk_widget_class_set_template_from_resource (
    widget_class, "/org/flowstep/Flowstep/ui/timeline/flow-timeline-view.ui");
  gtk_widget_class_bind_template_child (widget_class, FlowTimelineView, position);
  gtk_widget_class_bind_template_child (widget_class, FlowTimelineView, scrubber);
  gtk_widget_class_bind_template_child (widget_class, FlowTimelineView, adjustment);
  gtk_widget_class_bind_template_child (widget_class, FlowTimelineView, history);
  gtk_widget_class_bind_template_child (widget_class, FlowTimelineView, table);
  gtk_widget_class_bind_template_callback (widget_class, change_value_cb);
  gtk_widget_class_bind_template_callback (widget_class, activate_cb);
}

static void
flow_timeline_view_init (FlowTimelineView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
