/* flow-window-bookmarks.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-window-view.h"

#include <glib/gi18n.h>

/*
 * Bookmarks: what is open, selected and in view, what the canvas is coloured by, and where the run stands, under a
 * note of one's own. Ctrl+1 to Ctrl+9 go to the first nine.
 */

#define BOOKMARKS_MAX 200
#define KEYS_MAX 9

static FlowBookmark *
get_bookmark (FlowWindow *window,
              int         number)
{
  FlowViewDoc *doc = _flow_window_get_view_doc (window);

  return number >= 1 && (guint) number <= doc->bookmarks->len ? doc->bookmarks->pdata[number - 1] : NULL;
}

/* --- making and going ------------------------------------------------------------------------------ */

/* What it is called until a person says so. */
static char *
make_note (FlowWindow *window)
{
  const FlowDebugState *state = flow_ui_session_get_state (window->session);
  g_autofree char *selected = flow_ui_session_dup_selected_name (window->session);
  const char *place = selected != NULL ? selected : _("the whole graph");

  if (state != NULL && state->run != NULL && state->run[0] != '\0' && state->position >= state->run_start)
    return g_strdup_printf (_("%s · %s, step %u"), place, state->run, (guint) (state->position - state->run_start));
  return g_strdup (place);
}

/* The parameter is a note; empty: what is selected and where the run stands. */
void
_flow_window_add_bookmark (FlowWindow *window,
                           GVariant   *parameter)
{
  FlowViewDoc *doc = _flow_window_get_view_doc (window);
  const FlowDebugState *state = flow_ui_session_get_state (window->session);
  const char *text = g_variant_get_string (parameter, NULL);
  g_autofree char *made = make_note (window);
  g_autofree char *said = NULL;
  g_autoptr(GVariant) colour_by = g_action_group_get_action_state (G_ACTION_GROUP (window), "colour-by");
  FlowBookmark *bookmark = NULL;

  if (doc->bookmarks->len >= BOOKMARKS_MAX)
    {
      _flow_window_toast (window, _("There are too many bookmarks: remove one first"));
      return;
    }
  bookmark = flow_bookmark_new (text[0] != '\0' ? text : made);
  bookmark->select = flow_ui_session_dup_selected_name (window->session);
  g_strfreev (bookmark->open);
  bookmark->open = flow_canvas_dup_open_scopes (window->canvas);
  flow_canvas_get_view (window->canvas, &bookmark->x, &bookmark->y, &bookmark->zoom);
  if (state != NULL && state->run != NULL && state->run[0] != '\0')
    {
      bookmark->run = g_strdup (state->run);
      bookmark->position = (gint64) state->position;
    }
  bookmark->colour_by = colour_by != NULL ? g_variant_dup_string (colour_by, NULL) : NULL;
  g_ptr_array_add (doc->bookmarks, bookmark);
  _flow_window_view_changed (window);
  said = doc->bookmarks->len <= KEYS_MAX
           ? g_strdup_printf (_("Bookmarked: Ctrl+%u comes back here"), doc->bookmarks->len) : g_strdup (_("Bookmarked"));
  _flow_window_toast (window, said);
}

static void
select_name (FlowWindow *window,
             const char *name)
{
  FlowGraph *graph = flow_ui_session_get_graph (window->session);
  guint32 node = name != NULL ? flow_graph_find_node (graph, name) : FLOW_NODE_NONE;
  guint32 scope = name != NULL && node == FLOW_NODE_NONE ? flow_graph_find_scope (graph, name) : FLOW_SCOPE_NONE;

  /* The view that was kept is what counts: nothing else is opened and nothing flown to. */
  window->syncing = TRUE;
  flow_ui_session_select (window->session, node, scope);
  if (scope != FLOW_SCOPE_NONE)
    flow_canvas_select_scope (window->canvas, scope);
  else
    flow_canvas_select_node (window->canvas, node);
  window->syncing = FALSE;
}

/* The parameter is its number, from 1. */
void
_flow_window_go_to_bookmark (FlowWindow *window,
                             GVariant   *parameter)
{
  const FlowBookmark *bookmark = get_bookmark (window, g_variant_get_int32 (parameter));
  const FlowDebugState *state = flow_ui_session_get_state (window->session);

  if (bookmark == NULL)
    {
      _flow_window_toast (window, _("There is no such bookmark"));
      return;
    }
  select_name (window, bookmark->select);
  if (bookmark->colour_by != NULL)
    g_action_group_activate_action (G_ACTION_GROUP (window), "colour-by", g_variant_new_string (bookmark->colour_by));
  flow_canvas_set_open_scopes (window->canvas, (const char *const *) bookmark->open);
  flow_canvas_set_view (window->canvas, bookmark->x, bookmark->y, bookmark->zoom);
  if (bookmark->position < 0 || (state != NULL && state->position == (guint64) bookmark->position))
    return;
  if (!flow_ui_session_travel (window->session, (guint64) bookmark->position))
    {
      g_autofree char *text = g_strdup_printf (_("This session has not been at step %" G_GINT64_FORMAT " yet: run it to there"),
                                               bookmark->position);

      _flow_window_toast (window, text);
    }
}

/* The parameter is `NUMBER=NOTE`. */
void
_flow_window_note_bookmark (FlowWindow *window,
                            GVariant   *parameter)
{
  const char *text = g_variant_get_string (parameter, NULL);
  char *note = NULL;
  gint64 number = g_ascii_strtoll (text, &note, 10);
  FlowBookmark *bookmark = number <= G_MAXINT ? get_bookmark (window, (int) number) : NULL;

  if (bookmark == NULL || *note != '=' || g_strcmp0 (bookmark->note, note + 1) == 0)
    return;
  g_free (bookmark->note);
  bookmark->note = g_strdup (note + 1);
  _flow_window_view_changed (window);
}

void
_flow_window_remove_bookmark (FlowWindow *window,
                              GVariant   *parameter)
{
  int number = g_variant_get_int32 (parameter);

  if (get_bookmark (window, number) == NULL)
    return;
  g_ptr_array_remove_index (_flow_window_get_view_doc (window)->bookmarks, (guint) number - 1);
  _flow_window_view_changed (window);
}

void
_flow_window_bookmarks (FlowWindow *window,
                        GVariant   *parameter)
{
  gtk_menu_button_popup (window->bookmarks_button);
}

/* --- the list -------------------------------------------------------------------------------------- */

static void
noted_cb (GtkEditableLabel *label,
          GParamSpec       *pspec,
          FlowWindow       *window)
{
  guint number = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (label), "flow-number"));
  g_autofree char *text = NULL;

  if (gtk_editable_label_get_editing (label) || window->closed)
    return;
  text = g_strdup_printf ("%u=%s", number, gtk_editable_get_text (GTK_EDITABLE (label)));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.note-bookmark", "s", text);
}

static GtkWidget *
create_button (const char *icon,
               const char *action,
               guint       number,
               const char *tooltip)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip, -1);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "i", (int) number);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  return button;
}

static GtkWidget *
create_row (FlowWindow         *window,
            const FlowBookmark *bookmark,
            guint               number)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *note = gtk_editable_label_new (bookmark->note);
  g_autofree char *text = g_strdup_printf ("%u", number);
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, "dim-label");
  gtk_label_set_width_chars (GTK_LABEL (label), 2);
  gtk_box_append (GTK_BOX (row), label);
  g_object_set_data (G_OBJECT (note), "flow-number", GUINT_TO_POINTER (number));
  gtk_editable_set_max_width_chars (GTK_EDITABLE (note), 44);
  gtk_widget_set_hexpand (note, TRUE);
  gtk_widget_set_tooltip_text (note, _("Click to write a note"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (note), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Note"), -1);
  g_signal_connect_object (note, "notify::editing", G_CALLBACK (noted_cb), window, 0);
  gtk_box_append (GTK_BOX (row), note);
  gtk_box_append (GTK_BOX (row), create_button ("go-jump-symbolic", "win.go-to-bookmark", number, _("Go there")));
  gtk_box_append (GTK_BOX (row), create_button ("user-trash-symbolic", "win.remove-bookmark", number, _("Remove")));
  return row;
}

/* Fills the list anew. */
void
_flow_window_show_bookmarks (FlowWindow *window)
{
  FlowViewDoc *doc = _flow_window_get_view_doc (window);
  GtkWidget *child = NULL;

  while ((child = gtk_widget_get_first_child (window->bookmarks_list)) != NULL)
    gtk_box_remove (GTK_BOX (window->bookmarks_list), child);
  for (guint i = 0; i < doc->bookmarks->len; i++)
    gtk_box_append (GTK_BOX (window->bookmarks_list), create_row (window, doc->bookmarks->pdata[i], i + 1));
  if (doc->bookmarks->len == 0)
    {
      GtkWidget *label = gtk_label_new (_("Nothing is bookmarked in this graph."));

      gtk_widget_add_css_class (label, "dim-label");
      gtk_box_append (GTK_BOX (window->bookmarks_list), label);
    }
}

void
_flow_window_init_bookmarks (FlowWindow *window)
{
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *button = gtk_button_new_with_label (_("Bookmark This View"));

  window->bookmarks_list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), 420);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), window->bookmarks_list);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", "");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.bookmark");
  gtk_widget_set_tooltip_text (button, _("Keep what is open, selected and in view, and where the run stands (Ctrl+D)"));
  gtk_box_append (GTK_BOX (box), scroller);
  gtk_box_append (GTK_BOX (box), button);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  gtk_menu_button_set_popover (window->bookmarks_button, popover);
  _flow_window_show_bookmarks (window);
}

/* For win.state. */
void
_flow_window_add_bookmarks_state (FlowWindow  *window,
                                  JsonBuilder *builder)
{
  FlowViewDoc *doc = _flow_window_get_view_doc (window);

  json_builder_set_member_name (builder, "bookmarks");
  json_builder_begin_array (builder);
  for (guint i = 0; i < doc->bookmarks->len; i++)
    json_builder_add_string_value (builder, ((FlowBookmark *) doc->bookmarks->pdata[i])->note);
  json_builder_end_array (builder);
}
