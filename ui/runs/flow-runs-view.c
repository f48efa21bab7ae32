/* flow-runs-view.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-runs-view.h"

#include <glib/gi18n.h>

#include "flow-format.h"
#include "flow-tooltip.h"
#include "flow-variant-item.h"

/**
 * FlowRunsView:
 *
 * The runs at hand: those of run files, those made of signatures, one's own. Choosing one marks on the
 * canvas what it executes.
 */
struct _FlowRunsView
{
  FlowView parent_instance;

  /* template */
  GtkDropDown *files;
  GtkListBox *list;

  /* state */
  gboolean syncing;            /* the list of files is being filled */
};

G_DEFINE_FINAL_TYPE (FlowRunsView, flow_runs_view, FLOW_TYPE_VIEW)

static char *
join (char      **names,
      const char *title)
{
  g_autofree char *joined = g_strjoinv (", ", names);

  return names[0] != NULL ? g_strdup_printf ("%s %s", title, joined) : NULL;
}

static void
append_line (GtkWidget  *box,
             const char *text)
{
  GtkWidget *label = NULL;

  if (text == NULL || text[0] == '\0')
    return;
  label = gtk_label_new (text);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  flow_tooltip_set (label, text);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (label, "flow-small");
  gtk_box_append (GTK_BOX (box), label);
}

static char *
describe_feeds (GVariant *row)
{
  g_autoptr(GVariant) feeds = g_variant_lookup_value (row, "feeds", G_VARIANT_TYPE ("a{ss}"));
  GString *text = NULL;
  gsize n = feeds != NULL ? g_variant_n_children (feeds) : 0;

  if (n == 0)
    return NULL;
  text = g_string_new (_("feeds"));
  for (gsize i = 0; i < n; i++)
    {
      const char *tensor = NULL;
      const char *spec = NULL;

      g_variant_get_child (feeds, i, "{&s&s}", &tensor, &spec);
      g_string_append_printf (text, "%s %s", i > 0 ? "," : "", tensor);
    }
  return g_string_free (text, FALSE);
}

static GtkWidget *
create_row_cb (gpointer object,
               gpointer data)
{
  FlowRunsView *self = data;
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  GVariant *row = flow_variant_item_get_value (object);
  const char *name = flow_lookup_string (row, "name");
  const char *restore = flow_lookup_string (row, "restore");
  gint64 repeat = flow_lookup_int (row, "repeat", 1);
  gboolean chosen = g_strcmp0 (name, flow_ui_session_get_chosen_run (session)) == 0;
  g_auto(GStrv) fetches = flow_lookup_strv (row, "fetches");
  g_auto(GStrv) targets = flow_lookup_strv (row, "targets");
  g_autofree char *fetch_text = join (fetches, _("fetches"));
  g_autofree char *target_text = join (targets, _("runs"));
  g_autofree char *feed_text = describe_feeds (row);
  g_autofree char *title = repeat > 1 ? g_strdup_printf ("%s ×%d", name, (int) repeat)
                                      : g_strdup (name);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 1);
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *label = gtk_label_new (title);
  GtkWidget *list_row = gtk_list_box_row_new ();

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, "heading");
  gtk_box_append (GTK_BOX (head), label);
  if (chosen)
    {
      GtkWidget *check = gtk_image_new_from_icon_name ("object-select-symbolic");

      flow_tooltip_set (check, _("Chosen"));
      gtk_box_append (GTK_BOX (head), check);
    }
  gtk_box_append (GTK_BOX (box), head);
  if (restore != NULL && restore[0] != '\0')
    {
      g_autofree char *text = g_strdup_printf (_("restores %s"), restore);

      append_line (box, text);
    }
  append_line (box, fetch_text);
  append_line (box, target_text);
  append_line (box, feed_text);
  gtk_widget_add_css_class (box, "flow-run-row");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (list_row), box);
  g_object_set_data_full (G_OBJECT (list_row), "flow-run", g_strdup (name), g_free);
  gtk_accessible_update_property (GTK_ACCESSIBLE (list_row), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                  -1);
  return list_row;
}

static void
row_activated_cb (FlowRunsView  *self,
                  GtkListBoxRow *row,
                  GtkListBox    *list)
{
  const char *name = g_object_get_data (G_OBJECT (row), "flow-run");

  if (name != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.choose-run", "s", name);
}

static void
file_selected_cb (FlowRunsView *self)
{
  GVariant *files = self->syncing ? NULL : flow_ui_session_get_run_files (flow_view_get_session (FLOW_VIEW (self)));
  guint selected = gtk_drop_down_get_selected (self->files);
  const char *path = NULL;
  gboolean loaded = FALSE;

  if (files == NULL || selected >= g_variant_n_children (files))
    return;
  g_variant_get_child (files, selected, "(&sb)", &path, &loaded);
  if (!loaded)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.load-run-file", "s", path);
}

/* One run file needs no choice. */
static void
show_files (FlowRunsView *self)
{
  GVariant *files = flow_ui_session_get_run_files (flow_view_get_session (FLOW_VIEW (self)));
  gsize n = files != NULL ? g_variant_n_children (files) : 0;
  g_autoptr(GtkStringList) names = gtk_string_list_new (NULL);
  guint at = GTK_INVALID_LIST_POSITION;

  for (gsize i = 0; i < n; i++)
    {
      const char *path = NULL;
      gboolean loaded = FALSE;

      g_variant_get_child (files, i, "(&sb)", &path, &loaded);
      gtk_string_list_take (names, g_filename_display_basename (path));
      if (loaded)
        at = (guint) i;
    }
  self->syncing = TRUE;
  gtk_drop_down_set_model (self->files, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->files, at);
  self->syncing = FALSE;
  gtk_widget_set_visible (GTK_WIDGET (self->files), n > 1);
}

static void
rebuild (FlowView *view)
{
  FlowRunsView *self = FLOW_RUNS_VIEW (view);

  show_files (self);

  gtk_list_box_bind_model (self->list, flow_ui_session_get_runs (flow_view_get_session (view)),
                           create_row_cb, self, NULL);
}

static void
flow_runs_view_dispose (GObject *object)
{
  FlowRunsView *self = FLOW_RUNS_VIEW (object);

  if (self->list != NULL)
    gtk_list_box_bind_model (self->list, NULL, NULL, NULL, NULL);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), FLOW_TYPE_RUNS_VIEW);

  G_OBJECT_CLASS (flow_runs_view_parent_class)->dispose (object);
}

static void
flow_runs_view_class_init (FlowRunsViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = flow_runs_view_dispose;
  FLOW_VIEW_CLASS (klass)->setup = rebuild;
  FLOW_VIEW_CLASS (klass)->plan_changed = rebuild;

  gtk_widget_class_set_template_from_resource (
    widget_class, "/org/flowstep/Flowstep/ui/runs/flow-runs-view.ui");
  gtk_widget_class_bind_template_child (widget_class, FlowRunsView, files);
  gtk_widget_class_bind_template_child (widget_class, FlowRunsView, list);
  gtk_widget_class_bind_template_callback (widget_class, file_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, row_activated_cb);
}

static void
flow_runs_view_init (FlowRunsView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
