/* test-ui-views.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "flow-application.h"
#include "flow-widget-finder.h"
#include "flow-window-driver.h"

/* The views of the window over the real engine process: what they show, and what clicking in them does. */

static FlowApplication *app;

typedef struct {
  char *folder;
  FlowWindow *window;
} Fixture;

static char *
write_in (Fixture    *f,
          const char *name,
          const char *text)
{
  char *path = g_build_filename (f->folder, name, NULL);
  g_autoptr(GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  return path;
}

static void
set_up (Fixture      *f,
        gconstpointer data)
{
  f->folder = g_dir_make_tmp ("flow-views-XXXXXX", NULL);
}

static void
tear_down (Fixture      *f,
           gconstpointer data)
{
  g_autoptr(GDir) dir = NULL;
  const char *name = NULL;

  g_clear_pointer (&f->window, drive_close);
  dir = g_dir_open (f->folder, 0, NULL);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (f->folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (f->folder);
  g_free (f->folder);
}

static void
open_text (Fixture    *f,
           const char *name,
           const char *text)
{
  g_autofree char *path = write_in (f, name, text);

  f->window = flow_window_new (GTK_APPLICATION (app));
  gtk_window_present (GTK_WINDOW (f->window));
  flow_window_open (f->window, path, NULL);
  drive_settle (f->window);
}

#define FLOAT_ATTR "attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape' value { shape { } } }"

/* A step that trains w, leaves the moving average out, and beside it an op that nobody knows. */
static const char sick_graph[] =
  "graph_def {"
  " node { name: 'w' op: 'VariableV2' " FLOAT_ATTR " }"
  " node { name: 'mean' op: 'VariableV2' " FLOAT_ATTR " }"
  " node { name: 'lone' op: 'VariableV2' " FLOAT_ATTR " }"
  " node { name: 'one' op: 'Const' attr { key: 'dtype' value { type: DT_FLOAT } }"
  "   attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape { } float_val: 1 } } } }"
  " node { name: 'w/Assign' op: 'Assign' input: 'w' input: 'one' attr { key: 'T' value { type: DT_FLOAT } } }"
  " node { name: 'train' op: 'ApplyGradientDescent' input: 'w' input: 'one' input: 'one'"
  "   attr { key: 'T' value { type: DT_FLOAT } } }"
  " node { name: 'update' op: 'AssignAdd' input: 'mean' input: 'one' attr { key: 'T' value { type: DT_FLOAT } } }"
  " node { name: 'strange' op: 'NobodysOp' input: 'one' }"
  " versions { producer: 134 } }"
  "collection_def { key: 'update_ops' value { node_list { value: 'update:0' } } }"
  "collection_def { key: 'train_op' value { node_list { value: 'train' } } }"
  "collection_def { key: 'variables' value { bytes_list { value: '\\n\\003w:0\\022\\010w/Assign' value: '\\n\\006mean:0' } } }";

static void
test_findings (Fixture      *f,
               gconstpointer data)
{
  GtkWidget *view = NULL;
  GtkWidget *link = NULL;
  gboolean handled = FALSE;

  open_text (f, "sick.pbtxt", sick_graph);
  drive_activate (f->window, "show-panel", "diagnostics");
  view = find_widget (GTK_WIDGET (f->window), "FlowDiagnosticsView", NULL);
  g_assert_nonnull (view);
  g_assert_nonnull (find_label (view, "1 op of UPDATE_OPS is not run"));
  g_assert_nonnull (find_label (view, "1 node has an unknown op type"));
  g_assert_nonnull (find_label (view, "1 variable is in no collection"));
  /* The tab says how many there are. */
  g_assert_cmpuint (count_widgets (view, "GtkListBoxRow"), >, 3);
  {
    g_autofree char *badge = g_strdup_printf ("Diagnostics  %u", count_widgets (view, "GtkListBoxRow"));

    g_assert_nonnull (find_label (GTK_WIDGET (f->window), badge));
  }

  link = find_label (view, "update");
  g_assert_nonnull (link);
  g_signal_emit_by_name (link, "activate-link", "update", &handled);
  g_assert_true (handled);
  drive_settle (f->window);
  drive_assert_state (f->window, "selection", "update");
}

int
main (int    argc,
      char **argv)
{
  g_autoptr(GError) error = NULL;

  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display\n");
      return 0;
    }
  flow_kernels_register ();
  app = flow_application_new ();
  g_application_set_flags (G_APPLICATION (app), G_APPLICATION_NON_UNIQUE);
  g_assert_true (g_application_register (G_APPLICATION (app), NULL, &error));
  g_assert_no_error (error);

  g_test_add ("/ui/views/findings", Fixture, NULL, set_up, test_findings, tear_down);

  return g_test_run ();
}
