/* flow-window-menu.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <glib/gi18n.h>

#include "flow-format.h"
#include "flow-window-focus.h"
#include "flow-window-private.h"

/*
 * The menu of a node or scope, on canvas and outline: what a person can do with what is selected. A
 * secondary click selects first; the Menu key and Shift+F10 open it for the selection.
 */

static void
append (GMenu      *menu,
        const char *label,
        const char *action,
        const char *target)
{
  g_autoptr(GMenuItem) item = g_menu_item_new (label, NULL);

  if (target != NULL)
    g_menu_item_set_action_and_target (item, action, "s", target);
  else
    g_menu_item_set_detailed_action (item, action);
  g_menu_append_item (menu, item);
}

/* Of a variable who writes it: forwards, backwards, and whenever it happens. */
static void
append_variable (FlowWindow *self,
                 GMenu      *run,
                 GMenu      *stops,
                 const char *name)
{
  FlowGraph *graph = flow_ui_session_get_graph (self->session);
  const char *type = flow_graph_get_node_type (graph, flow_ui_session_get_selected_node (self->session));
  g_autofree char *written = g_strdup_printf ("watch:%s", name);
  g_autofree char *unchanged = g_strdup_printf ("watch:%s if unchanged", name);

  if (!flow_is_variable_type (type))
    return;
  append (run, _("Run to Its Next Write"), "win.next-write", name);
  append (run, _("Back to Its Last Write"), "win.last-write", name);
  append (stops, _("Stop When It Is Written"), "win.toggle-breakpoint", written);
  append (stops, _("Stop When a Run Leaves It Unchanged"), "win.toggle-breakpoint", unchanged);
}

/* What the history keeps of a scope. */
static void
append_policies (GMenu      *menu,
                 const char *scope)
{
  g_autoptr(GMenu) policies = g_menu_new ();
  g_autofree char *all = g_strdup_printf ("%s=keep-all", scope);
  g_autofree char *stats = g_strdup_printf ("%s=keep-stats", scope);
  g_autofree char *none = g_strdup_printf ("%s=keep-none", scope);

  append (policies, _("Values"), "win.set-policy", all);
  append (policies, _("Statistics Only"), "win.set-policy", stats);
  append (policies, _("Nothing"), "win.set-policy", none);
  g_menu_append_submenu (menu, _("Keep in the History"), G_MENU_MODEL (policies));
}

/* The numbered repeats it is one of; @name %NULL: a series is selected, which has no name. */
static void
append_series (FlowWindow *self,
               GMenu      *menu,
               const char *name)
{
  gboolean is_folded = FALSE;
  g_autofree char *key = flow_canvas_dup_series (self->canvas, name, &is_folded);

  if (key != NULL)
    append (menu, is_folded ? _("Unfold the Series") : _("Fold into a Series"), "win.fold-series", name != NULL ? name : key);
}

/* What else of the graph belongs to it, and what is to be seen. */
static void
append_focus (FlowWindow *self,
              GMenu      *menu,
              const char *name)
{
  FlowGraph *graph = flow_ui_session_get_graph (self->session);
  g_autoptr(GMenu) trace = g_menu_new ();
  const char *start = _flow_window_get_path_start (self);

  if (flow_ui_session_get_selected_node (self->session) != FLOW_NODE_NONE)
    {
      append (trace, _("What It Depends on"), "win.trace", "ancestors");
      append (trace, _("What Depends on It"), "win.trace", "descendants");
      append (trace, _("What It Is Joined to"), "win.solo", name);
      append (trace, _("It and Its Gradient"), "win.gradients", name);
      append (trace, _("Paths Begin Here"), "win.path-start", name);
      if (start != NULL && g_strcmp0 (start, name) != 0)
        {
          g_autofree char *label = g_strdup_printf (_("Paths from “%s” to Here"), start);

          append (trace, label, "win.paths", "");
        }
      g_menu_append_submenu (menu, _("Trace"), G_MENU_MODEL (trace));
    }
  if (flow_canvas_is_aside (self->canvas, name))
    append (menu, _("Put into the Graph"), "win.move-back", name);
  else
    append (menu, _("Put Aside"), "win.move-aside", name);
  append_series (self, menu, name);
  if (flow_graph_find_scope (graph, name) != FLOW_SCOPE_NONE)
    append (menu, _("Look at It Alone"), "win.isolate", name);
  append (menu, _("Hide"), "win.hide", name);
  append (menu, _("Show All Again"), "win.show-all", NULL);
}

static GMenuModel *
create_menu (FlowWindow *self)
{
  FlowGraph *graph = flow_ui_session_get_graph (self->session);
  g_autofree char *name = flow_ui_session_dup_selected_name (self->session);
  GMenu *menu = g_menu_new ();
  g_autoptr(GMenu) run = g_menu_new ();
  g_autoptr(GMenu) look = g_menu_new ();
  g_autoptr(GMenu) stops = g_menu_new ();
  g_autoptr(GMenu) edit = g_menu_new ();
  g_autoptr(GMenu) focus = g_menu_new ();

  if (name == NULL && graph != NULL)
    append_series (self, menu, NULL);
  if (name == NULL || graph == NULL)
    return G_MENU_MODEL (menu);
  if (flow_ui_session_get_selected_node (self->session) != FLOW_NODE_NONE)
    {
      append (run, _("Run to This Op"), "win.run-to", name);
      append (run, _("Run to the Next Op of This Type"), "win.next-of-type",
              flow_graph_get_node_type (graph, flow_ui_session_get_selected_node (self->session)));
      append (stops, _("Watch Its Value"), "win.watch", name);
      append (look, _("Show the Value…"), "win.show-value", name);
      append (look, _("Replace the Value…"), "win.edit-value", name);
      append (look, _("Where From"), "win.origin", name);
      if ((flow_graph_get_node_flags (graph, flow_ui_session_get_selected_node (self->session)) & FLOW_OP_FUNCTION) != 0)
        append (look, _("Open the Body"), "win.open-body", name);
      if (flow_ui_session_get_node_state (self->session, flow_ui_session_get_selected_node (self->session)) ==
          FLOW_NODE_READY)
        append (run, _("Run This Op Next"), "win.run-next", name);
      append_variable (self, run, stops, name);
    }
  else
    {
      append_policies (look, name);
    }
  append (stops, _("Toggle Breakpoint"), "win.toggle-breakpoint", name);
  append (stops, _("Breakpoint with a Condition…"), "win.breakpoint-properties", NULL);
  if (flow_graph_find_scope (graph, name) != FLOW_SCOPE_NONE)
    {
      append (look, _("Open the Scope"), "win.expand", name);
      append (look, _("Close the Scope"), "win.collapse", name);
    }
  append (look, _("Fit the Selection"), "win.zoom-selection", NULL);
  append (look, _("Show Where the Run Stands"), "win.show-next", NULL);
  if (flow_ui_session_is_script (self->session))
    append (look, _("Show Its Line"), "win.show-line", "");
  append (edit, _("Clone into Scope…"), "win.clone-scope", "");
  if (flow_ui_session_get_selected_node (self->session) != FLOW_NODE_NONE)
    append (edit, _("Add Gradients and an Optimizer…"), "win.add-optimizer", "");
  append_focus (self, focus, name);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (run));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (stops));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (look));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (focus));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (edit));
  return G_MENU_MODEL (menu);
}

/*
 * Takes the context menu away, if there is one. GTK 4.8 looks half a second after the pointer came over a menu
 * for a tooltip in it, while the widget lives and without asking whether its surface does; whoever still holds
 * the widget then, the menu is disposed of here.
 */
void
_flow_window_drop_menu (FlowWindow *self)
{
  GtkWidget *menu = g_steal_pointer (&self->menu);

  if (menu == NULL)
    return;
  g_object_ref (menu);
  gtk_widget_unparent (menu);
  g_object_run_dispose (G_OBJECT (menu));
  g_object_unref (menu);
}

static void
open_menu (FlowWindow *self,
           GtkWidget  *over,
           double      x,
           double      y)
{
  g_autoptr(GMenuModel) menu = create_menu (self);
  /* Not a stack: when it goes it takes every child for a page. */
  GtkWidget *parent = gtk_widget_get_parent (self->header);

  if (g_menu_model_get_n_items (menu) == 0)
    return;
  _flow_window_drop_menu (self);
  self->menu = gtk_popover_menu_new_from_model (menu);
  gtk_widget_set_parent (self->menu, parent);
  gtk_widget_translate_coordinates (over, parent, x, y, &x, &y);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu),
                               &(GdkRectangle) { (int) x, (int) y, 1, 1 });
  gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
  gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void
pressed_cb (GtkGestureClick *gesture,
            int              n_press,
            double           x,
            double           y,
            FlowWindow      *self)
{
  GtkWidget *widget = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));

  if (widget == GTK_WIDGET (self->canvas))
    {
      guint32 node = flow_canvas_get_hovered_node (self->canvas);
      guint32 scope = flow_canvas_get_hovered_scope (self->canvas);

      if (node != FLOW_NODE_NONE || scope != FLOW_SCOPE_NONE)
        flow_ui_session_select (self->session, node, scope);
      else
        flow_canvas_select_hovered (self->canvas);
    }
  else if (widget == GTK_WIDGET (self->outline))
    {
      flow_outline_select_at (self->outline, x, y);
    }
  else if (!flow_variables_view_select_at (self->variables, x, y))
    {
      return;
    }
  open_menu (self, widget, x, y);
}

static void
add_gesture (FlowWindow *self,
             GtkWidget  *widget)
{
  GtkGesture *gesture = gtk_gesture_click_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (gesture), GDK_BUTTON_SECONDARY);
  g_signal_connect_object (gesture, "pressed", G_CALLBACK (pressed_cb), self, 0);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (gesture));
}

/* For the Menu key: over the middle of what has the focus. */
void
_flow_window_open_menu (FlowWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  if (focus == NULL || !gtk_widget_is_ancestor (focus, GTK_WIDGET (self->pages)))
    focus = GTK_WIDGET (self->canvas);
  open_menu (self, focus, gtk_widget_get_width (focus) / 2, gtk_widget_get_height (focus) / 2);
}

void
_flow_window_init_menu (FlowWindow *self)
{
  add_gesture (self, GTK_WIDGET (self->canvas));
  add_gesture (self, GTK_WIDGET (self->outline));
  add_gesture (self, GTK_WIDGET (self->variables));
}
