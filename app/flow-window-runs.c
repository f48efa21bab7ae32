/* flow-window-runs.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <glib/gi18n.h>

#include "flow-format.h"
#include "flow-variant-item.h"
#include "flow-window-private.h"
#include "flow-window-view.h"

/* Runs and their files: the menu in the header bar, opening, saving, and never losing one. */

/* --- The menu --- */

/* Returns: (transfer full): @text for a menu, where an underscore in a name is no mnemonic */
static char *
escape_label (const char *text)
{
  g_auto(GStrv) parts = g_strsplit (text, "_", -1);

  return g_strjoinv ("__", parts);
}

static GMenuModel *
create_file_menu (FlowWindow *self)
{
  GVariant *files = flow_ui_session_get_run_files (self->session);
  GMenu *menu = g_menu_new ();

  for (gsize i = 0; files != NULL && g_variant_n_children (files) > 1 && i < g_variant_n_children (files); i++)
    {
      const char *path = NULL;
      gboolean loaded = FALSE;
      g_autofree char *name = NULL;
      g_autofree char *label = NULL;
      g_autoptr(GMenuItem) item = NULL;

      g_variant_get_child (files, i, "(&sb)", &path, &loaded);
      name = g_filename_display_basename (path);
      label = escape_label (name);
      item = g_menu_item_new (label, NULL);
      g_menu_item_set_action_and_target (item, "win.load-run-file", "s", path);
      g_menu_append_item (menu, item);
    }
  return G_MENU_MODEL (menu);
}

static void
create_run_menu_cb (GtkMenuButton *button,
                    gpointer       data)
{
  FlowWindow *self = FLOW_WINDOW (data);
  GListModel *runs = flow_ui_session_get_runs (self->session);
  g_autoptr(GMenu) menu = g_menu_new ();
  g_autoptr(GMenu) list = g_menu_new ();
  g_autoptr(GMenu) edit = g_menu_new ();
  g_autoptr(GMenuModel) files = create_file_menu (self);

  for (guint i = 0; i < g_list_model_get_n_items (runs); i++)
    {
      g_autoptr(FlowVariantItem) run = g_list_model_get_item (runs, i);
      const char *name = flow_variant_item_get_string (run, "name");
      g_autofree char *label = NULL;
      g_autoptr(GMenuItem) item = NULL;

      if (name == NULL)
        continue;
      label = escape_label (name);
      item = g_menu_item_new (label, NULL);
      g_menu_item_set_action_and_target (item, "win.choose-run", "s", name);
      g_menu_append_item (list, item);
    }
  g_menu_append (edit, _("New Run…"), "win.new-run");
  g_menu_append (edit, _("Edit Run…"), "win.edit-run");
  g_menu_append (edit, _("Save the Runs…"), "win.save-run-file('')");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (list));
  g_menu_append_section (menu, _("Run Files"), files);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (edit));
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

/* The menu is made when it is opened: of a graph with many runs it takes longer than a person should wait
 * for the graph. */
void
_flow_window_init_run_menu (FlowWindow *self)
{
  gtk_menu_button_set_create_popup_func (self->run_chooser, create_run_menu_cb, self, NULL);
}

/* --- Saving --- */

/* What happens once the runs are safe, or the person does not want them: a file is loaded, or with a
 * path of NULL the window closes. */
typedef struct {
  FlowWindow *window;
  char *load;
} Next;

static void
next_free (gpointer data,
           GClosure *closure)
{
  Next *next = data;

  g_free (next->load);
  g_free (next);
}

static gboolean
close_cb (gpointer data)
{
  gtk_window_close (data);
  return G_SOURCE_REMOVE;
}

/* Its bookmarks come with it. */
static void
take_run_file (FlowWindow *self,
               const char *path)
{
  flow_ui_session_load_run_file (self->session, path);
  _flow_window_read_view (self);
}

static void
do_next (FlowWindow *self,
         const char *load)
{
  if (load != NULL)
    {
      take_run_file (self, load);
      return;
    }
  self->runs_dropped = TRUE;
  /* Not before the dialog that asked is gone: it goes with the window, and not in the middle of its answer. */
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, close_cb, g_object_ref (self), g_object_unref);
}

static void
saved_cb (GObject           *owner,
          FlowDebuggerReply *reply,
          const GError      *error,
          gpointer           data)
{
  FlowWindow *self = FLOW_WINDOW (owner);
  g_autofree char *load = g_steal_pointer (&self->load_when_saved);
  gboolean closes = self->close_when_saved;

  self->close_when_saved = FALSE;
  if (error != NULL)
    return;
  _flow_window_toast (self, _("Runs saved"));
  if (load != NULL || closes)
    do_next (self, load);
}

static void
save_to (FlowWindow *self,
         const char *path)
{
  flow_ui_session_command (self->session, _("The runs could not be saved"), "SaveRunFile", g_variant_new ("(s)", path),
                           NULL, self, saved_cb, NULL);
}

/* The file whose runs are at hand, if there is one. */
static const char *
get_loaded_file (FlowWindow *self)
{
  GVariant *files = flow_ui_session_get_run_files (self->session);

  for (gsize i = 0; files != NULL && i < g_variant_n_children (files); i++)
    {
      const char *path = NULL;
      gboolean loaded = FALSE;

      g_variant_get_child (files, i, "(&sb)", &path, &loaded);
      if (loaded)
        return path;
    }
  return NULL;
}

static void
save_response_cb (GtkFileChooserNative *chooser,
                  int                   response,
                  FlowWindow           *self)
{
  g_autofree char *path = _flow_window_take_path (self, response);

  if (path != NULL)
    {
      save_to (self, path);
      return;
    }
  g_clear_pointer (&self->load_when_saved, g_free);
  self->close_when_saved = FALSE;
}

/* @path: where to; empty asks */
void
_flow_window_save_run_file (FlowWindow *self,
                            const char *path)
{
  const char *loaded = get_loaded_file (self);
  const char *graph = flow_lookup_string (flow_ui_session_get_info (self->session), "path");
  g_autofree char *base = NULL;
  g_autofree char *name = NULL;
  char *dot = NULL;

  if (path[0] != '\0')
    {
      save_to (self, path);
      return;
    }
  base = g_path_get_basename (loaded != NULL ? loaded : graph != NULL ? graph : "runs");
  dot = loaded == NULL ? strchr (base, '.') : NULL;
  if (dot != NULL && dot != base)
    *dot = '\0';
  name = loaded != NULL ? g_strdup (base) : g_strconcat (base, ".run.json", NULL);
  _flow_window_choose_path (self, _("Save the Runs"), GTK_FILE_CHOOSER_ACTION_SAVE, _("_Save"), name,
                            G_CALLBACK (save_response_cb));
}

/* --- Loading --- */

static void
load_response_cb (GtkFileChooserNative *chooser,
                  int                   response,
                  FlowWindow           *self)
{
  g_autofree char *path = _flow_window_take_path (self, response);

  if (path != NULL)
    _flow_window_load_run_file (self, path);
}

/* @path: which; empty asks */
void
_flow_window_load_run_file (FlowWindow *self,
                            const char *path)
{
  if (path[0] == '\0')
    _flow_window_choose_path (self, _("Open a Run File"), GTK_FILE_CHOOSER_ACTION_OPEN, _("_Open"), NULL,
                              G_CALLBACK (load_response_cb));
  else if (!_flow_window_ask_about_runs (self, path))
    take_run_file (self, path);
}

static void
unsaved_response_cb (AdwMessageDialog *dialog,
                     const char       *response,
                     Next             *next)
{
  const char *loaded = get_loaded_file (next->window);

  if (g_strcmp0 (response, "discard") == 0)
    {
      do_next (next->window, next->load);
      return;
    }
  if (g_strcmp0 (response, "save") != 0)
    return;
  g_free (next->window->load_when_saved);
  next->window->load_when_saved = g_strdup (next->load);
  next->window->close_when_saved = next->load == NULL;
  _flow_window_save_run_file (next->window, loaded != NULL ? loaded : "");
}

/*
 * Runs that stand in no file are not dropped without a question.
 * @load: (nullable): the run file that is to take their place, %NULL if the window is to close
 *
 * Returns: whether the person was asked; then what was wanted happens after the answer
 */
gboolean
_flow_window_ask_about_runs (FlowWindow *self,
                             const char *load)
{
  GtkWidget *dialog = NULL;
  Next *next = NULL;

  if (self->runs_dropped || self->engine_ended || !flow_ui_session_has_unsaved_runs (self->session))
    return FALSE;
  dialog = adw_message_dialog_new (GTK_WINDOW (self), _("Save the Runs?"),
                                   _("Runs that you made or changed here are in no file yet."));
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _("_Cancel"), "discard", _("_Discard"),
                                    "save", _("_Save"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "discard", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "save", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "save");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  next = g_new0 (Next, 1);
  next->window = self;
  next->load = g_strdup (load);
  /* The dialog is modal to the window and goes with it, so that the window outlives the answer. */
  g_signal_connect_data (dialog, "response", G_CALLBACK (unsaved_response_cb), next, next_free, 0);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (dialog), TRUE);
  gtk_window_present (GTK_WINDOW (dialog));
  return TRUE;
}
