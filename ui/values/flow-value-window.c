/* flow-value-window.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-value-window.h"

#include <glib/gi18n.h>
#include <string.h>

#include "flow-compare-pane.h"
#include "flow-moment-bar.h"
#include "flow-tooltip.h"
#include "flow-value-view.h"

/**
 * FlowValueWindow:
 *
 * A value in a window of its own: as large as one likes, followed from step to step, compared with what it
 * was at another moment, saved and copied.
 */
struct _FlowValueWindow
{
  AdwWindow parent_instance;

  /* owned */
  FlowUiSession *session;
  GtkFileChooserNative *chooser;
  char *ref;

  /* borrowed */
  FlowValueView *view;
  GtkWidget *paned;
  FlowComparePane *compare;
  FlowMomentBar *moments;      /* nullable: of what has no moments of its own */
  GtkToggleButton *compare_button;
  AdwToastOverlay *toasts;
};

G_DEFINE_FINAL_TYPE (FlowValueWindow, flow_value_window, ADW_TYPE_WINDOW)

static void
toast (FlowValueWindow *self,
       const char      *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  if (self->toasts != NULL)
    adw_toast_overlay_add_toast (self->toasts, adw_toast_new (escaped));
}

/* --- Saving and copying --- */

static void
saved_cb (GObject           *owner,
          FlowDebuggerReply *reply,
          const GError      *error,
          gpointer           data)
{
  toast (FLOW_VALUE_WINDOW (owner), error != NULL ? error->message : _("Saved"));
}

/* The engine writes what is large; the picture is the window's own. */
static void
save_to (FlowValueWindow *self,
         const char      *path)
{
  g_autoptr(GError) error = NULL;

  if (!g_str_has_suffix (path, ".png"))
    flow_ui_session_command (self->session, NULL, "SaveValue", g_variant_new ("(ss)", self->ref, path), NULL,
                             self, saved_cb, NULL);
  else
    toast (self, flow_value_view_save_png (self->view, path, &error) ? _("Saved") : error->message);
}

static void
response_cb (GtkFileChooserNative *chooser,
             int                   response,
             FlowValueWindow      *self)
{
  g_autoptr(GFile) file = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  gtk_native_dialog_hide (GTK_NATIVE_DIALOG (chooser));
  if (file != NULL && g_file_peek_path (file) != NULL)
    save_to (self, g_file_peek_path (file));
}

static void
save_cb (GtkWidget  *widget,
         const char *action,
         GVariant   *parameter)
{
  FlowValueWindow *self = FLOW_VALUE_WINDOW (widget);
  const char *end = g_variant_get_string (parameter, NULL);
  g_autofree char *name = g_strconcat (self->ref, end, NULL);

  /* A whole path is where to, without asking: for scripts and tests. */
  if (g_path_is_absolute (end))
    {
      save_to (self, end);
      return;
    }
  g_strdelimit (name, "/:@#", '_');
  g_clear_object (&self->chooser);
  self->chooser = gtk_file_chooser_native_new (_("Save the Value"), GTK_WINDOW (self),
                                               GTK_FILE_CHOOSER_ACTION_SAVE, _("_Save"),
                                               _("_Cancel"));
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (self->chooser), name);
  g_signal_connect_object (self->chooser, "response", G_CALLBACK (response_cb), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

static void
mode_cb (GtkWidget  *widget,
         const char *action,
         GVariant   *parameter)
{
  flow_value_view_set_mode (FLOW_VALUE_WINDOW (widget)->view, g_variant_get_string (parameter, NULL));
}

static void
copy_cb (GtkWidget  *widget,
         const char *action,
         GVariant   *parameter)
{
  FlowValueWindow *self = FLOW_VALUE_WINDOW (widget);
  g_autofree char *text = flow_value_view_dup_text (self->view);

  if (text == NULL)
    {
      toast (self, _("Too large for the clipboard: save it instead"));
      return;
    }
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  toast (self, _("The slice is in the clipboard"));
}

/* --- Moments --- */

static void
show_value (FlowValueWindow *self)
{
  flow_value_view_show (self->view, self->session,
                        self->moments != NULL ? flow_moment_bar_get_ref (self->moments) : self->ref);
}

/* "next", "previous", "now", or a number from 1. */
static void
moment_cb (GtkWidget  *widget,
           const char *action,
           GVariant   *parameter)
{
  FlowValueWindow *self = FLOW_VALUE_WINDOW (widget);
  const char *word = g_variant_get_string (parameter, NULL);

  if (self->moments == NULL)
    return;
  if (strcmp (word, "next") == 0 || strcmp (word, "previous") == 0)
    flow_moment_bar_go (self->moments, *word == 'n' ? 1 : -1);
  else
    flow_moment_bar_choose (self->moments, word);
}

/* --- Comparing --- */

static void
compared_cb (FlowValueWindow *self,
             const char      *ref,
             FlowTolerance   *tolerance,
             FlowComparePane *pane)
{
  flow_value_view_set_other (self->view, ref, tolerance);
}

static void
element_activated_cb (FlowValueWindow *self,
                      gint64           element,
                      FlowComparePane *pane)
{
  flow_value_view_show_element (self->view, element);
}

static void
open_compare (FlowValueWindow *self,
              const char      *moment)
{
  if (self->compare == NULL)
    {
      self->compare = FLOW_COMPARE_PANE (flow_compare_pane_new (self->session, self->ref));
      gtk_widget_add_css_class (GTK_WIDGET (self->compare), "flow-value-large");
      g_signal_connect_object (self->compare, "compared", G_CALLBACK (compared_cb), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (self->compare, "element-activated", G_CALLBACK (element_activated_cb), self,
                               G_CONNECT_SWAPPED);
      gtk_paned_set_end_child (GTK_PANED (self->paned), GTK_WIDGET (self->compare));
    }
  gtk_widget_set_visible (GTK_WIDGET (self->compare), TRUE);
  if (moment != NULL)
    flow_compare_pane_choose (self->compare, moment);
  else
    flow_compare_pane_refresh (self->compare);
}

static void
compare_toggled_cb (FlowValueWindow *self)
{
  if (gtk_toggle_button_get_active (self->compare_button))
    {
      open_compare (self, NULL);
      return;
    }
  if (self->compare != NULL)
    gtk_widget_set_visible (GTK_WIDGET (self->compare), FALSE);
  flow_value_view_set_other (self->view, NULL, NULL);
}

/* Opens beside the value what it was at @moment, an id of the debugger's method Moments. */
void
flow_value_window_compare (FlowValueWindow *self,
                           const char      *moment)
{
  g_return_if_fail (FLOW_IS_VALUE_WINDOW (self));

  gtk_toggle_button_set_active (self->compare_button, TRUE);
  open_compare (self, moment);
}

/* --- Object --- */

static void
state_changed_cb (FlowValueWindow *self)
{
  show_value (self);
  if (self->moments != NULL)
    flow_moment_bar_refresh (self->moments);
}

/* Another value is shown: it is compared anew. */
static void
shown_cb (FlowValueWindow *self)
{
  if (self->compare != NULL && gtk_widget_get_visible (GTK_WIDGET (self->compare)))
    flow_compare_pane_refresh (self->compare);
}

static void
flow_value_window_dispose (GObject *object)
{
  FlowValueWindow *self = FLOW_VALUE_WINDOW (object);

  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_object (&self->session);
  g_clear_object (&self->chooser);
  g_clear_pointer (&self->ref, g_free);
  self->toasts = NULL;
  self->compare = NULL;

  G_OBJECT_CLASS (flow_value_window_parent_class)->dispose (object);
}

static void
flow_value_window_class_init (FlowValueWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = flow_value_window_dispose;
  gtk_widget_class_install_action (widget_class, "value.save", "s", save_cb);
  gtk_widget_class_install_action (widget_class, "value.copy", NULL, copy_cb);
  gtk_widget_class_install_action (widget_class, "value.mode", "s", mode_cb);
  gtk_widget_class_install_action (widget_class, "value.moment", "s", moment_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Up, GDK_ALT_MASK, "value.moment", "s", "previous");
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Down, GDK_ALT_MASK, "value.moment", "s", "next");
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK | GDK_SHIFT_MASK, "value.copy",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_s, GDK_CONTROL_MASK, "value.save", "s", ".npy");
}

static GtkWidget *
create_save_menu (void)
{
  GtkWidget *button = gtk_menu_button_new ();
  g_autoptr(GMenu) menu = g_menu_new ();

  g_menu_append (menu, _("Save as .npy…"), "value.save('.npy')");
  g_menu_append (menu, _("Save as .npz…"), "value.save('.npz')");
  g_menu_append (menu, _("Save as .csv…"), "value.save('.csv')");
  g_menu_append (menu, _("Save the Picture as .png…"), "value.save('.png')");
  g_menu_append (menu, _("Copy the Slice"), "value.copy");
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "document-save-symbolic");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  flow_tooltip_set (button, _("Save or copy the value"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Save or copy the value"), -1);
  return button;
}

static void
flow_value_window_init (FlowValueWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *header = adw_header_bar_new ();

  self->view = FLOW_VALUE_VIEW (flow_value_view_new ());
  self->toasts = ADW_TOAST_OVERLAY (adw_toast_overlay_new ());
  self->paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  self->compare_button = GTK_TOGGLE_BUTTON (gtk_toggle_button_new_with_mnemonic (_("C_ompare")));
  flow_value_view_set_large (self->view);
  flow_tooltip_set (GTK_WIDGET (self->compare_button), _("Compare with another moment"));
  g_signal_connect_object (self->compare_button, "toggled", G_CALLBACK (compare_toggled_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "shown", G_CALLBACK (shown_cb), self, G_CONNECT_SWAPPED);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), create_save_menu ());
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), GTK_WIDGET (self->compare_button));
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "flow-value-large");
  gtk_widget_set_vexpand (GTK_WIDGET (self->view), TRUE);
  gtk_paned_set_start_child (GTK_PANED (self->paned), GTK_WIDGET (self->view));
  gtk_paned_set_shrink_start_child (GTK_PANED (self->paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (self->paned), FALSE);
  adw_toast_overlay_set_child (self->toasts, self->paned);
  gtk_widget_set_vexpand (GTK_WIDGET (self->toasts), TRUE);
  gtk_box_append (GTK_BOX (box), header);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->toasts));
  adw_window_set_content (ADW_WINDOW (self), box);
  gtk_window_set_default_size (GTK_WINDOW (self), 900, 720);
}

/* What a step makes anew, or a run changes. */
static void
add_moments (FlowValueWindow *self)
{
  GtkWidget *box = gtk_widget_get_parent (GTK_WIDGET (self->toasts));

  if (self->ref[0] == '=' || strpbrk (self->ref, "@#") != NULL)
    return;
  self->moments = FLOW_MOMENT_BAR (flow_moment_bar_new (self->session, self->ref));
  g_signal_connect_object (self->moments, "chosen", G_CALLBACK (show_value), self, G_CONNECT_SWAPPED);
  gtk_box_insert_child_after (GTK_BOX (box), GTK_WIDGET (self->moments),
                              gtk_widget_get_prev_sibling (GTK_WIDGET (self->toasts)));
}

GtkWidget *
flow_value_window_new (FlowUiSession *session,
                       const char    *ref)
{
  FlowValueWindow *self = g_object_new (FLOW_TYPE_VALUE_WINDOW, "title", ref, NULL);

  self->session = g_object_ref (session);
  self->ref = g_strdup (ref);
  add_moments (self);
  g_signal_connect_object (session, "state-changed", G_CALLBACK (state_changed_cb), self,
                           G_CONNECT_SWAPPED);
  state_changed_cb (self);
  return GTK_WIDGET (self);
}
