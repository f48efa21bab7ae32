/* flow-application.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-application.h"

#include <glib/gi18n.h>
#include <sys/stat.h>
#include <unistd.h>

#include "flow-canvas-renderer.h"
#include "flow-palette.h"
#include "flow-preferences.h"
#include "flow-window.h"

/**
 * FlowApplication:
 *
 * Windows, keys, styles, and what the command line asks for.
 */
struct _FlowApplication
{
  AdwApplication parent_instance;

  /* owned */
  GtkCssProvider *palette;
};

G_DEFINE_FINAL_TYPE (FlowApplication, flow_application, ADW_TYPE_APPLICATION)

/* All keys of the window in one table; the shortcuts window shows the same. */
static const struct {
  const char *action;
  const char *accels[4];
} accels[] = {
  { "app.open('')", { "<Control>o" } },
  { "app.new-window", { "<Control>n" } },
  { "app.preferences", { "<Control>comma" } },
  { "app.shortcuts", { "<Control>question", "<Control>F1" } },
  { "app.quit", { "<Control>q" } },
  { "window.close", { "<Control>w" } },
  { "win.run", { "F5" } },
  { "win.stop", { "<Shift>F5" } },
  { "win.pause", { "<Control>Pause", "Pause" } },
  { "win.restart", { "<Shift><Control>r" } },
  { "win.step-over", { "F10", "F7" } },
  { "win.step-into", { "F11", "F8" } },
  { "win.step-out", { "<Shift>F11", "<Shift>F8" } },
  { "win.step-op", { "<Control>F11" } },
  { "win.step-back", { "<Alt>F11" } },
  { "win.continue-back", { "<Shift><Control>F5" } },
  { "win.step-over-back", { "<Shift><Control>F10" } },
  { "win.step-into-back", { "<Shift><Control>F11" } },
  { "win.run-to('')", { "<Control>F10" } },
  { "win.reload", { "<Shift><Control>o" } },
  { "win.next-iteration", { "<Control>i" } },
  { "win.previous-iteration", { "<Shift><Control>i" } },
  { "win.next-bad-value", { "<Control>F5" } },
  { "win.recompute", { "<Shift><Control>y" } },
  { "win.next-of-type('')", { "<Shift><Control>t" } },
  { "win.toggle-breakpoint('')", { "F9" } },
  { "win.breakpoint-properties", { "<Control>F9" } },
  { "win.watch('')", { "<Shift>F9" } },
  { "win.node-menu", { "Menu", "<Shift>F10" } },
  { "win.pin", { "<Shift><Control>e" } },
  { "win.compare", { "<Control>e" } },
  { "win.choose-checkpoint", { "<Control>r" } },
  { "win.save-checkpoint", { "<Control>s" } },
  { "win.find", { "<Control>f" } },
  { "win.go-to('')", { "<Control>l" } },
  { "win.show-panel('timeline')", { "<Control>j" } },
  { "win.back", { "<Alt>Left" } },
  { "win.forward", { "<Alt>Right" } },
  { "win.trace('ancestors')", { "<Control>bracketleft" } },
  { "win.trace('descendants')", { "<Control>bracketright" } },
  { "win.path-start('')", { "<Shift><Control>p" } },
  { "win.paths('')", { "<Control>p" } },
  { "win.gradients('')", { "<Shift><Control>g" } },
  { "win.solo('')", { "<Shift><Control>s" } },
  { "win.isolate('')", { "<Shift><Control>h" } },
  { "win.hide('')", { "<Control>h" } },
  { "win.show-all", { "<Control>BackSpace" } },
  { "win.bookmark('')", { "<Control>d" } },
  { "win.bookmarks", { "<Control>b" } },
  { "win.go-to-bookmark(1)", { "<Control>1" } },
  { "win.go-to-bookmark(2)", { "<Control>2" } },
  { "win.go-to-bookmark(3)", { "<Control>3" } },
  { "win.go-to-bookmark(4)", { "<Control>4" } },
  { "win.go-to-bookmark(5)", { "<Control>5" } },
  { "win.go-to-bookmark(6)", { "<Control>6" } },
  { "win.go-to-bookmark(7)", { "<Control>7" } },
  { "win.go-to-bookmark(8)", { "<Control>8" } },
  { "win.go-to-bookmark(9)", { "<Control>9" } },
  { "win.colour-menu", { "<Control>k" } },
  { "win.expand-depth('0')", { "<Control><Alt>0" } },
  { "win.expand-depth('1')", { "<Control><Alt>1" } },
  { "win.expand-depth('2')", { "<Control><Alt>2" } },
  { "win.expand-depth('3')", { "<Control><Alt>3" } },
  { "win.expand-depth('4')", { "<Control><Alt>4" } },
  { "win.fold-series('')", { "<Shift><Control>f" } },
  { "win.move-aside('')", { "<Shift><Control>m" } },
  { "win.move-back('')", { "<Shift><Control>b" } },
  { "win.zoom-in", { "<Control>plus", "<Control>equal", "<Control>KP_Add" } },
  { "win.zoom-out", { "<Control>minus", "<Control>KP_Subtract" } },
  { "win.zoom-reset", { "<Control>0", "<Control>KP_0" } },
  { "win.show-panel('variables')", { "<Alt>2" } },
  { "win.show-panel('watch')", { "<Alt>3" } },
  { "win.show-panel('breakpoints')", { "<Alt>4" } },
  { "win.show-panel('checkpoint')", { "<Alt>5" } },
  { "win.show-panel('diagnostics')", { "<Alt>6" } },
  { "win.show-panel('console')", { "<Alt>7" } },
  { "win.show-panel('script')", { "<Alt>8" } },
  { "win.show-panel('source')", { "<Alt>9" } },
};

static FlowWindow *
get_window (FlowApplication *self)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (self));

  return FLOW_IS_WINDOW (window) ? FLOW_WINDOW (window) : NULL;
}

/* A window without a file is used; else there is a new one. */
static void
open_path (FlowApplication *self,
           const char      *path,
           FlowOpenPlan    *plan)
{
  FlowWindow *window = get_window (self);

  if (window == NULL || !flow_window_is_empty (window))
    window = flow_window_new (GTK_APPLICATION (self));
  gtk_window_present (GTK_WINDOW (window));
  flow_window_open (window, path, plan);
}

/* --- Actions --- */

static void
response_cb (GtkFileChooserNative *chooser,
             int                   response,
             FlowApplication      *self)
{
  g_autoptr(GFile) file = NULL;
  g_autofree char *path = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  if (file != NULL)
    path = g_file_get_path (file);
  gtk_native_dialog_destroy (GTK_NATIVE_DIALOG (chooser));
  g_object_unref (chooser);
  if (path != NULL)
    open_path (self, path, NULL);
}

static void
choose_file (FlowApplication *self)
{
  GtkFileChooserNative *chooser =
    gtk_file_chooser_native_new (_("Open a Graph, Run File or Script"), GTK_WINDOW (get_window (self)),
                                 GTK_FILE_CHOOSER_ACTION_OPEN, _("_Open"), _("_Cancel"));
  g_autoptr(GtkFileFilter) graphs = gtk_file_filter_new ();
  g_autoptr(GtkFileFilter) all = gtk_file_filter_new ();
  static const char *const patterns[] = {
    "*.meta", "*.pb", "*.pbtxt", "*.run.json", "*.meta.gz", "*.meta.xz", "*.pb.gz", "*.pb.xz",
    "*tfevents*", "*.pbtxt.gz", "*.pbtxt.xz", "*.py",
  };

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  gtk_file_filter_set_name (graphs, _("Graphs, run files and scripts"));
  for (guint i = 0; i < G_N_ELEMENTS (patterns); i++)
    gtk_file_filter_add_pattern (graphs, patterns[i]);
  gtk_file_filter_set_name (all, _("All files"));
  gtk_file_filter_add_pattern (all, "*");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (chooser), graphs);
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (chooser), all);
  g_signal_connect_object (chooser, "response", G_CALLBACK (response_cb), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
open_cb (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       data)
{
  FlowApplication *self = FLOW_APPLICATION (data);
  const char *path = g_variant_get_string (parameter, NULL);

  if (path[0] == '\0')
    choose_file (self);
  else
    open_path (self, path, NULL);
}

static void
new_window_cb (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       data)
{
  gtk_window_present (GTK_WINDOW (flow_window_new (GTK_APPLICATION (data))));
}

static void
preferences_cb (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       data)
{
  GtkWidget *window = flow_preferences_new ();

  gtk_window_set_transient_for (GTK_WINDOW (window), GTK_WINDOW (get_window (data)));
  gtk_window_present (GTK_WINDOW (window));
}

static void
shortcuts_cb (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  g_autoptr(GtkBuilder) builder =
    gtk_builder_new_from_resource ("/org/flowstep/Flowstep/app/shortcuts.ui");
  GtkWindow *window = GTK_WINDOW (gtk_builder_get_object (builder, "shortcuts"));

  gtk_window_set_transient_for (window, GTK_WINDOW (get_window (data)));
  gtk_window_present (window);
}

static void
about_cb (GSimpleAction *action,
          GVariant      *parameter,
          gpointer       data)
{
  static const char *const developers[] = { "The Flowstep developers", NULL };

  adw_show_about_window (GTK_WINDOW (get_window (data)),
                         "application-name", "Flowstep",
                         "application-icon", "org.flowstep.Flowstep",
                         "version", PACKAGE_VERSION,
                         "developer-name", "The Flowstep developers",
                         "developers", developers,
                         "copyright", "© 2026 The Flowstep developers",
                         "license-type", GTK_LICENSE_APACHE_2_0,
                         "comments", _("A visual debugger for TensorFlow-1 graphs"),
                         NULL);
}

static void
quit_cb (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       data)
{
  GList *windows = g_list_copy (gtk_application_get_windows (GTK_APPLICATION (data)));

  for (GList *l = windows; l != NULL; l = l->next)
    gtk_window_close (l->data);
  g_list_free (windows);
}

static void
init_actions (FlowApplication *self)
{
  static const GActionEntry entries[] = {
    { "open", open_cb, "s", NULL, NULL, { 0 } },
    { "open-recent", open_cb, "s", NULL, NULL, { 0 } },
    { "new-window", new_window_cb, NULL, NULL, NULL, { 0 } },
    { "preferences", preferences_cb, NULL, NULL, NULL, { 0 } },
    { "shortcuts", shortcuts_cb, NULL, NULL, NULL, { 0 } },
    { "about", about_cb, NULL, NULL, NULL, { 0 } },
    { "quit", quit_cb, NULL, NULL, NULL, { 0 } },
  };
  /* Attaching to scripts and clusters is not there yet: the actions say so by being off. */
  static const char *const off[] = { "attach", "connect" };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  for (guint i = 0; i < G_N_ELEMENTS (off); i++)
    {
      g_autoptr(GSimpleAction) action = g_simple_action_new (off[i], NULL);

      g_simple_action_set_enabled (action, FALSE);
      g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (action));
    }
  for (guint i = 0; i < G_N_ELEMENTS (accels); i++)
    gtk_application_set_accels_for_action (GTK_APPLICATION (self), accels[i].action,
                                           (const char *const *) accels[i].accels);
}

/* --- Style --- */

static void
load_palette (FlowApplication *self)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  gboolean dark = adw_style_manager_get_dark (manager);

  gtk_css_provider_load_from_data (self->palette,
                                   flow_palette_get_css (dark ? FLOW_THEME_DARK
                                                              : FLOW_THEME_LIGHT), -1);
}

static void
flow_application_startup (GApplication *application)
{
  FlowApplication *self = FLOW_APPLICATION (application);
  AdwStyleManager *manager = NULL;

  G_APPLICATION_CLASS (flow_application_parent_class)->startup (application);

  flow_canvas_choose_renderer (gdk_display_get_default ());
  manager = adw_style_manager_get_default ();
  self->palette = gtk_css_provider_new ();
  gtk_style_context_add_provider_for_display (gdk_display_get_default (),
                                              GTK_STYLE_PROVIDER (self->palette),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION - 1);
  g_signal_connect_object (manager, "notify::dark", G_CALLBACK (load_palette), self,
                           G_CONNECT_SWAPPED);
  load_palette (self);
  flow_preferences_apply_color_scheme ();
  gtk_window_set_default_icon_name ("org.flowstep.Flowstep");
  init_actions (self);
}

static void
flow_application_activate (GApplication *application)
{
  FlowApplication *self = FLOW_APPLICATION (application);
  FlowWindow *window = get_window (self);

  if (window == NULL)
    window = flow_window_new (GTK_APPLICATION (self));
  gtk_window_present (GTK_WINDOW (window));
}

/* --- Command line --- */

static char **
lookup_list (GVariantDict *options,
             const char   *key)
{
  char **list = NULL;

  g_variant_dict_lookup (options, key, "^as", &list);
  return list;
}

/* A file or a pipe behind standard input is meant for the script; a terminal is not: the window has a line for that. */
static gboolean
stdin_has_something (void)
{
  struct stat about;

  return fstat (STDIN_FILENO, &about) == 0 && (S_ISREG (about.st_mode) || S_ISFIFO (about.st_mode));
}

static FlowOpenPlan *
make_plan (GVariantDict *options)
{
  FlowOpenPlan *plan = g_new0 (FlowOpenPlan, 1);

  g_variant_dict_lookup (options, "run", "s", &plan->run);
  g_variant_dict_lookup (options, "select", "s", &plan->select);
  g_variant_dict_lookup (options, "start", "b", &plan->start);
  g_variant_dict_lookup (options, "python2", "b", &plan->python2);
  plan->expand = lookup_list (options, "expand");
  plan->breakpoints = lookup_list (options, "break");
  return plan;
}

static int
flow_application_command_line (GApplication            *application,
                               GApplicationCommandLine *command_line)
{
  FlowApplication *self = FLOW_APPLICATION (application);
  GVariantDict *options = g_application_command_line_get_options_dict (command_line);
  g_auto(GStrv) files = NULL;

  g_variant_dict_lookup (options, G_OPTION_REMAINING, "^aay", &files);
  if (files == NULL || files[0] == NULL)
    {
      g_application_activate (application);
      return 0;
    }
  for (guint i = 0; files[i] != NULL; i++)
    {
      g_autoptr(GFile) file = g_application_command_line_create_file_for_arg (command_line,
                                                                              files[i]);
      FlowOpenPlan *plan = NULL;

      if (g_file_peek_path (file) == NULL)
        continue;
      plan = make_plan (options);
      /* All that stands behind a script is given to it. */
      if (flow_ui_session_is_script_path (files[i]))
        {
          plan->argv = g_strdupv (files + i + 1);
          plan->cwd = g_strdup (g_application_command_line_get_cwd (command_line));
          plan->reads_stdin = !g_application_command_line_get_is_remote (command_line) && stdin_has_something ();
        }
      open_path (self, g_file_peek_path (file), plan);
      if (plan->argv != NULL)
        break;
    }
  return 0;
}

/* What stands behind a script is the script's, also what looks like an option: a "--" before it says so. */
static gboolean
flow_application_local_command_line (GApplication   *application,
                                     char         ***arguments,
                                     int            *status)
{
  static const char *const with_value[] = { "--run", "--select", "--expand", "--break", "--render", "--size", NULL };
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();
  char **args = *arguments;
  gboolean done = FALSE;

  for (guint i = 0; args[i] != NULL; i++)
    {
      gboolean is_value = i > 0 && g_strv_contains (with_value, args[i - 1]);

      done = done || g_strcmp0 (args[i], "--") == 0;
      if (i > 0 && !done && !is_value && args[i][0] != '-' && flow_ui_session_is_script_path (args[i]))
        {
          g_strv_builder_add (builder, "--");
          done = TRUE;
        }
      g_strv_builder_add (builder, args[i]);
    }
  g_strfreev (args);
  *arguments = g_strv_builder_end (builder);
  return G_APPLICATION_CLASS (flow_application_parent_class)->local_command_line (application, arguments, status);
}

static void
flow_application_finalize (GObject *object)
{
  g_clear_object (&FLOW_APPLICATION (object)->palette);

  G_OBJECT_CLASS (flow_application_parent_class)->finalize (object);
}

static void
flow_application_class_init (FlowApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = flow_application_finalize;
  application_class->startup = flow_application_startup;
  application_class->activate = flow_application_activate;
  application_class->command_line = flow_application_command_line;
  application_class->local_command_line = flow_application_local_command_line;
}

static void
flow_application_init (FlowApplication *self)
{
  static const GOptionEntry options[] = {
    { "run", 0, 0, G_OPTION_ARG_STRING, NULL, N_("Choose this run"), N_("NAME") },
    { "select", 0, 0, G_OPTION_ARG_STRING, NULL, N_("Select this node or scope"), N_("NODE") },
    { "expand", 0, 0, G_OPTION_ARG_STRING_ARRAY, NULL, N_("Open this scope, or all scopes so many names deep (may be repeated)"),
      N_("SCOPE|DEPTH") },
    { "break", 0, 0, G_OPTION_ARG_STRING_ARRAY, NULL, N_("Set a breakpoint (may be repeated)"),
      N_("EXPR") },
    { "start", 0, 0, G_OPTION_ARG_NONE, NULL, N_("Start the chosen run, before its first op"),
      NULL },
    { "python2", 0, 0, G_OPTION_ARG_NONE, NULL, N_("The script is in the language of Python 2"), NULL },
    { "render", 0, 0, G_OPTION_ARG_FILENAME, NULL,
      N_("Draw the canvas into this .png, .svg or .pdf and end"), N_("OUT") },
    { "size", 0, 0, G_OPTION_ARG_STRING, NULL, N_("Size of the picture"), N_("WxH") },
    { "high-contrast", 0, 0, G_OPTION_ARG_NONE, NULL, N_("Draw with high contrast"), NULL },
    { "dark", 0, 0, G_OPTION_ARG_NONE, NULL, N_("Draw with dark colours"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL, NULL, N_("[FILE… | SCRIPT.py [ARG…]]") },
    { NULL }
  };

  g_application_add_main_option_entries (G_APPLICATION (self), options);
  g_application_set_option_context_summary (
    G_APPLICATION (self), _("A visual debugger for TensorFlow-1 graphs"));
}

FlowApplication *
flow_application_new (void)
{
  return g_object_new (FLOW_TYPE_APPLICATION,
                       "application-id", "org.flowstep.Flowstep",
                       "flags", G_APPLICATION_HANDLES_COMMAND_LINE,
                       "resource-base-path", "/org/flowstep/Flowstep",
                       NULL);
}
