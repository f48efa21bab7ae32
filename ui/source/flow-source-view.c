/* flow-source-view.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-source-view.h"

#include <glib/gi18n.h>
#include <string.h>

#include "flow-format.h"
#include "flow-sources.h"
#include "flow-variant-item.h"

/**
 * FlowSourceView:
 *
 * The script's files, line by line. Lines that made ops say how many; choosing one selects them, and an op that is
 * selected shows its line. A line is a place to stop at: before the first of its ops.
 */
struct _FlowSourceView
{
  FlowView parent_instance;

  /* owned */
  char *file;                  /* that is shown */
  GtkStringList *lines;
  GtkSingleSelection *selection;
  GHashTable *counts;          /* line -> ops it made; nullable */
  GHashTable *marks;           /* lines whose ops have breakpoints; nullable */
  guint next_line;             /* that made the op which is next; 0: none */
  GCancellable *cancellable;   /* of what is being read */
  guint wanted_line;           /* to be shown when it is read; 0: none */
  guint scroll_source;

  /* borrowed */
  GtkStack *stack;
  GtkDropDown *files;
  GtkListView *list;
  GtkLabel *ops;

  guint syncing : 1;           /* what is selected follows, and is not followed */
};

/* So many ops of a line are named below it. */
#define MAX_NAMES 24
#define SCROLL_AFTER_MS 60
/* A file larger than this is no script. */
#define MAX_BYTES (4 * 1024 * 1024)

G_DEFINE_FINAL_TYPE (FlowSourceView, flow_source_view, FLOW_TYPE_VIEW)

static FlowSources *
get_sources (FlowSourceView *self)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));

  return session != NULL ? flow_ui_session_get_sources (session) : NULL;
}

/* --- Lines --- */

/* What is at the edge of a line stops there, or no longer. */
static void
gutter_cb (GtkButton      *button,
           FlowSourceView *self)
{
  GtkListItem *item = g_object_get_data (G_OBJECT (button), "flow-item");
  g_autofree char *place = NULL;

  if (self->file == NULL || item == NULL || gtk_list_item_get_position (item) == GTK_INVALID_LIST_POSITION)
    return;
  place = g_strdup_printf ("%s:%u", self->file, gtk_list_item_get_position (item) + 1);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.break-line", "s", place);
}

static void
show_mark (FlowSourceView *self,
           GtkWidget      *mark,
           guint           line)
{
  gboolean stops = self->marks != NULL && g_hash_table_contains (self->marks, GUINT_TO_POINTER (line));
  gboolean is_next = line == self->next_line;
  g_autofree char *tooltip = g_strdup_printf (stops ? _("Do not stop at line %u") : _("Stop before the ops of line %u"), line);

  gtk_button_set_label (GTK_BUTTON (mark), is_next && stops ? "●▶" : is_next ? "▶" : stops ? "●" : "");
  gtk_widget_set_tooltip_text (mark, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (mark), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip, -1);
  if (stops)
    gtk_widget_add_css_class (mark, "flow-stops");
  else
    gtk_widget_remove_css_class (mark, "flow-stops");
}

static void
setup_row_cb (GtkListItemFactory *factory,
              GtkListItem        *item,
              FlowSourceView     *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *mark = gtk_button_new_with_label ("");
  const int widths[] = { 4, 5, -1 };

  gtk_widget_add_css_class (mark, "flat");
  gtk_widget_add_css_class (mark, "flow-gutter");
  gtk_widget_set_focusable (mark, FALSE);
  g_object_set_data (G_OBJECT (mark), "flow-item", item);
  g_signal_connect_object (mark, "clicked", G_CALLBACK (gutter_cb), self, 0);
  gtk_box_append (GTK_BOX (row), mark);
  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      GtkWidget *label = gtk_label_new (NULL);

      gtk_label_set_xalign (GTK_LABEL (label), i < 2 ? 1 : 0);
      gtk_label_set_width_chars (GTK_LABEL (label), widths[i]);
      gtk_widget_add_css_class (label, "flow-mono");
      if (i == 1)
        gtk_widget_add_css_class (label, "dim-label");
      gtk_box_append (GTK_BOX (row), label);
    }
  gtk_list_item_set_child (item, row);
}

static void
bind_row_cb (GtkListItemFactory *factory,
             GtkListItem        *item,
             FlowSourceView     *self)
{
  GtkWidget *mark = gtk_widget_get_first_child (gtk_list_item_get_child (item));
  GtkWidget *count = gtk_widget_get_next_sibling (mark);
  GtkWidget *number = gtk_widget_get_next_sibling (count);
  GtkWidget *text = gtk_widget_get_next_sibling (number);
  guint line = gtk_list_item_get_position (item) + 1;
  guint n = self->counts != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (self->counts, GUINT_TO_POINTER (line))) : 0;
  g_autofree char *figure = g_strdup_printf ("%u", line);
  g_autofree char *made = n > 0 ? g_strdup_printf ("%u", n) : g_strdup ("");
  g_autofree char *tooltip = n > 0 ? g_strdup_printf (ngettext ("Line %u made %u op", "Line %u made %u ops", n), line, n) : NULL;

  show_mark (self, mark, line);
  gtk_label_set_text (GTK_LABEL (count), made);
  gtk_label_set_text (GTK_LABEL (number), figure);
  gtk_label_set_text (GTK_LABEL (text), gtk_string_object_get_string (gtk_list_item_get_item (item)));
  gtk_widget_set_tooltip_text (gtk_list_item_get_child (item), tooltip);
  if (n > 0)
    gtk_widget_add_css_class (count, "accent");
  else
    gtk_widget_remove_css_class (count, "accent");
}

static guint
get_line (FlowSourceView *self)
{
  guint position = self->selection != NULL ? gtk_single_selection_get_selected (self->selection)
                                           : GTK_INVALID_LIST_POSITION;

  return position != GTK_INVALID_LIST_POSITION ? position + 1 : 0;
}

static gboolean
scroll_cb (gpointer data)
{
  FlowSourceView *self = data;
  guint line = get_line (self);

  self->scroll_source = 0;
  if (line > 0)
    gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", line - 1);
  return G_SOURCE_REMOVE;
}

static void
set_line (FlowSourceView *self,
          guint           line)
{
  if (line == 0 || line > g_list_model_get_n_items (G_LIST_MODEL (self->lines)))
    return;
  self->syncing = TRUE;
  gtk_single_selection_set_selected (self->selection, line - 1);
  self->syncing = FALSE;
  /* A list that has just got its rows, or has just come into view, does not know how high they are. */
  if (self->scroll_source == 0)
    self->scroll_source = g_timeout_add (SCROLL_AFTER_MS, scroll_cb, self);
}

/* The ops of the line that is chosen, by name. */
static void
show_ops (FlowSourceView *self)
{
  FlowSources *sources = get_sources (self);
  FlowGraph *graph = flow_ui_session_get_graph (flow_view_get_session (FLOW_VIEW (self)));
  g_autoptr(GArray) nodes = NULL;
  g_autoptr(GString) markup = g_string_new (NULL);

  if (sources == NULL || self->file == NULL || get_line (self) == 0)
    {
      gtk_widget_set_visible (GTK_WIDGET (self->ops), FALSE);
      return;
    }
  nodes = flow_sources_list_nodes (sources, self->file, get_line (self));
  for (guint i = 0; i < MIN (nodes->len, MAX_NAMES); i++)
    {
      guint32 node = g_array_index (nodes, guint32, i);
      g_autofree char *name = node < flow_graph_get_n_nodes (graph)
                                ? g_markup_escape_text (flow_graph_get_node_name (graph, node), -1) : NULL;

      if (name != NULL)
        g_string_append_printf (markup, "%s<a href=\"%s\">%s</a>", i > 0 ? "  " : "", name, name);
    }
  if (nodes->len > MAX_NAMES)
    g_string_append_printf (markup, _("  and %u more"), nodes->len - MAX_NAMES);
  gtk_label_set_markup (self->ops, markup->str);
  gtk_widget_set_visible (GTK_WIDGET (self->ops), nodes->len > 0);
}

static void
line_chosen_cb (FlowSourceView *self)
{
  g_autofree char *place = NULL;

  show_ops (self);
  place = flow_source_view_dup_line (self);
  if (!self->syncing && place != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.select-line", "s", place);
}

static void
activate_cb (GtkListView    *list,
             guint           position,
             FlowSourceView *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.break-line", "s", "");
}

static gboolean
link_cb (GtkLabel       *label,
         const char     *name,
         FlowSourceView *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.select", "s", name);
  return TRUE;
}

/* --- Files --- */

static void
take_text (FlowSourceView *self,
           const char     *text)
{
  g_auto(GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    g_strchomp (lines[i]);
  self->syncing = TRUE;
  gtk_string_list_splice (self->lines, 0, g_list_model_get_n_items (G_LIST_MODEL (self->lines)),
                          (const char *const *) lines);
  self->syncing = FALSE;
  set_line (self, self->wanted_line);
  show_ops (self);
}

static void
read_cb (GObject      *object,
         GAsyncResult *result,
         gpointer      data)
{
  g_autoptr(FlowSourceView) self = data;
  g_autoptr(GError) error = NULL;
  g_autofree char *bytes = NULL;
  g_autofree char *text = NULL;
  gsize length = 0;

  if (!g_file_load_contents_finish (G_FILE (object), result, &bytes, &length, NULL, &error))
    {
      if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) && self->lines != NULL)
        take_text (self, error->message);
      return;
    }
  text = g_utf8_make_valid (bytes, (gssize) MIN (length, MAX_BYTES));
  if (self->lines != NULL)
    take_text (self, text);
}

static void
count_lines (FlowSourceView *self)
{
  FlowSources *sources = get_sources (self);

  g_clear_pointer (&self->counts, g_hash_table_unref);
  if (sources != NULL && self->file != NULL)
    self->counts = flow_sources_count_lines (sources, self->file);
}

/* The line of @node in the file that is shown, 0 where it was made elsewhere. */
static guint
line_of (FlowSourceView *self,
         FlowSources    *sources,
         guint32         node)
{
  const char *file = NULL;
  guint line = 0;

  if (node == FLOW_NODE_NONE || !flow_sources_get_frame (sources, node, 0, &file, &line, NULL)
      || g_strcmp0 (file, self->file) != 0)
    return 0;
  return line;
}

static void
mark_matches (FlowSourceView *self,
              FlowSources    *sources,
              const char     *pattern)
{
  FlowGraph *graph = flow_ui_session_get_graph (flow_view_get_session (FLOW_VIEW (self)));
  g_autoptr(GRegex) regex = g_regex_new (pattern, G_REGEX_OPTIMIZE, 0, NULL);

  for (guint32 node = 0; regex != NULL && graph != NULL && node < flow_graph_get_n_nodes (graph); node++)
    {
      guint line = line_of (self, sources, node);

      if (line > 0 && g_regex_match (regex, flow_graph_get_node_name (graph, node), 0, NULL))
        g_hash_table_add (self->marks, GUINT_TO_POINTER (line));
    }
}

/* Which lines stop: those of the ops that have breakpoints. */
static void
mark_lines (FlowSourceView *self)
{
  FlowSources *sources = get_sources (self);
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  GListModel *model = flow_ui_session_get_breakpoints (session);
  const FlowDebugState *state = flow_ui_session_get_state (session);

  g_clear_pointer (&self->marks, g_hash_table_unref);
  self->marks = g_hash_table_new (NULL, NULL);
  self->next_line = 0;
  if (sources == NULL || self->file == NULL)
    return;
  if (state != NULL)
    self->next_line = line_of (self, sources, state->next_node);
  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr(FlowVariantItem) item = g_list_model_get_item (model, i);
      GVariant *row = flow_variant_item_get_value (item);
      const char *text = flow_lookup_string (row, "text");
      const char *match = text != NULL ? strstr (text, "match:") : NULL;
      gint64 node = flow_lookup_int (row, "node", -1);

      if (node >= 0 && line_of (self, sources, (guint32) node) > 0)
        g_hash_table_add (self->marks, GUINT_TO_POINTER (line_of (self, sources, (guint32) node)));
      else if (match != NULL)
        mark_matches (self, sources, match + strlen ("match:"));
    }
}

static void
load_file (FlowSourceView *self,
           const char     *path)
{
  g_autoptr(GFile) file = g_file_new_for_path (path);

  g_free (self->file);
  self->file = g_strdup (path);
  count_lines (self);
  mark_lines (self);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  g_file_load_contents_async (file, self->cancellable, read_cb, g_object_ref (self));
}

static void
select_file (FlowSourceView *self,
             const char     *path)
{
  GListModel *model = gtk_drop_down_get_model (self->files);

  for (guint i = 0; model != NULL && i < g_list_model_get_n_items (model); i++)
    if (g_strcmp0 (gtk_string_list_get_string (GTK_STRING_LIST (model), i), path) == 0 &&
        gtk_drop_down_get_selected (self->files) != i)
      {
        self->syncing = TRUE;
        gtk_drop_down_set_selected (self->files, i);
        self->syncing = FALSE;
      }
}

static void
file_chosen_cb (FlowSourceView *self)
{
  GtkStringObject *chosen = gtk_drop_down_get_selected_item (self->files);

  if (self->syncing || chosen == NULL)
    return;
  self->wanted_line = 0;
  load_file (self, gtk_string_object_get_string (chosen));
}

static void
list_files (FlowSourceView *self,
            FlowSources    *sources)
{
  g_auto(GStrv) paths = flow_sources_list_files (sources);
  GListModel *old = gtk_drop_down_get_model (self->files);
  gboolean same = old != NULL && g_list_model_get_n_items (old) == g_strv_length (paths);
  g_autoptr(GtkStringList) model = NULL;

  for (guint i = 0; same && paths[i] != NULL; i++)
    same = g_strcmp0 (gtk_string_list_get_string (GTK_STRING_LIST (old), i), paths[i]) == 0;
  if (same)
    return;
  model = gtk_string_list_new ((const char *const *) paths);
  self->syncing = TRUE;
  gtk_drop_down_set_model (self->files, G_LIST_MODEL (model));
  self->syncing = FALSE;
  if (self->file != NULL)
    select_file (self, self->file);
}

/* --- With the session --- */

static void
follow_selection (FlowSourceView *self)
{
  FlowUiSession *session = flow_view_get_session (FLOW_VIEW (self));
  FlowSources *sources = get_sources (self);
  guint32 node = flow_ui_session_get_selected_node (session);
  const char *file = NULL;
  guint line = 0;

  if (sources == NULL || node == FLOW_NODE_NONE || !flow_sources_get_frame (sources, node, 0, &file, &line, NULL))
    return;
  /* The line that was chosen, or one that called, stands as it is. */
  if (g_strcmp0 (file, self->file) == 0 && get_line (self) > 0)
    {
      g_autoptr(GArray) nodes = flow_sources_list_nodes (sources, file, get_line (self));

      for (guint i = 0; i < nodes->len; i++)
        if (g_array_index (nodes, guint32, i) == node)
          return;
    }
  flow_source_view_show (self, file, line);
}

static void
flow_source_view_refresh (FlowView *view)
{
  FlowSourceView *self = FLOW_SOURCE_VIEW (view);
  FlowSources *sources = get_sources (self);
  g_auto(GStrv) paths = sources != NULL ? flow_sources_list_files (sources) : NULL;
  guint line = get_line (self);

  gtk_stack_set_visible_child_name (self->stack, paths != NULL && paths[0] != NULL ? "lines" : "none");
  if (paths == NULL || paths[0] == NULL)
    return;
  list_files (self, sources);
  if (self->file == NULL)
    {
      load_file (self, paths[0]);
      select_file (self, paths[0]);
      follow_selection (self);
      return;
    }
  count_lines (self);
  mark_lines (self);
  /* Each row that is in view is bound anew. */
  self->syncing = TRUE;
  gtk_list_view_set_model (self->list, NULL);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
  self->syncing = FALSE;
  set_line (self, line);
  show_ops (self);
}

static void
flow_source_view_selection_changed (FlowView *view)
{
  follow_selection (FLOW_SOURCE_VIEW (view));
}

/* Rows that are in view are marked anew, and stay where they are. */
static void
update_marks (FlowView *view)
{
  FlowSourceView *self = FLOW_SOURCE_VIEW (view);

  if (self->file == NULL)
    return;
  mark_lines (self);
  for (GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (self->list)); row != NULL; row = gtk_widget_get_next_sibling (row))
    {
      GtkWidget *box = gtk_widget_get_first_child (row);
      GtkWidget *mark = box != NULL ? gtk_widget_get_first_child (box) : NULL;
      GtkListItem *item = mark != NULL ? g_object_get_data (G_OBJECT (mark), "flow-item") : NULL;

      if (item != NULL && gtk_list_item_get_position (item) != GTK_INVALID_LIST_POSITION)
        show_mark (self, mark, gtk_list_item_get_position (item) + 1);
    }
}

static void
sources_changed_cb (FlowUiSession  *session,
                    FlowSourceView *self)
{
  GtkWidget *stack = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_STACK);

  if (stack != NULL)
    gtk_stack_page_set_visible (gtk_stack_get_page (GTK_STACK (stack), GTK_WIDGET (self)),
                                flow_ui_session_get_sources (session) != NULL);
  flow_view_queue_refresh (FLOW_VIEW (self));
}

static void
flow_source_view_setup (FlowView *view)
{
  g_signal_connect_object (flow_view_get_session (view), "sources-changed", G_CALLBACK (sources_changed_cb), view, 0);
}

void
flow_source_view_show (FlowSourceView *self,
                       const char     *file,
                       guint           line)
{
  g_return_if_fail (FLOW_IS_SOURCE_VIEW (self));

  self->wanted_line = line;
  if (g_strcmp0 (file, self->file) != 0)
    {
      load_file (self, file);
      select_file (self, file);
      return;
    }
  set_line (self, line);
}

char *
flow_source_view_dup_line (FlowSourceView *self)
{
  g_return_val_if_fail (FLOW_IS_SOURCE_VIEW (self), NULL);

  return self->file != NULL && get_line (self) > 0 ? g_strdup_printf ("%s:%u", self->file, get_line (self)) : NULL;
}

static void
flow_source_view_dispose (GObject *object)
{
  FlowSourceView *self = FLOW_SOURCE_VIEW (object);

  g_clear_handle_id (&self->scroll_source, g_source_remove);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->lines);
  g_clear_object (&self->selection);
  g_clear_pointer (&self->counts, g_hash_table_unref);
  g_clear_pointer (&self->marks, g_hash_table_unref);
  g_clear_pointer (&self->file, g_free);
  adw_bin_set_child (ADW_BIN (self), NULL);

  G_OBJECT_CLASS (flow_source_view_parent_class)->dispose (object);
}

static void
flow_source_view_class_init (FlowSourceViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = flow_source_view_dispose;
  FLOW_VIEW_CLASS (klass)->setup = flow_source_view_setup;
  FLOW_VIEW_CLASS (klass)->refresh = flow_source_view_refresh;
  FLOW_VIEW_CLASS (klass)->node_states_changed = update_marks;
  FLOW_VIEW_CLASS (klass)->selection_changed = flow_source_view_selection_changed;
}

static GtkWidget *
make_bar (FlowSourceView *self)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *stop = gtk_button_new_with_mnemonic (_("_Break at Line"));

  self->files = GTK_DROP_DOWN (gtk_drop_down_new (NULL, NULL));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->files), _("File of the script"));
  g_signal_connect_object (self->files, "notify::selected-item", G_CALLBACK (file_chosen_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_set_tooltip_text (stop, _("Stop before the ops of the chosen line, or no longer (Enter)"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (stop), "win.break-line");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (stop), "s", "");
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->files));
  gtk_box_append (GTK_BOX (bar), stop);
  gtk_widget_add_css_class (bar, "flow-entry-bar");
  return bar;
}

static void
flow_source_view_init (FlowSourceView *self)
{
  GtkWidget *note = gtk_label_new (_("The script has made no op yet"));
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  self->lines = gtk_string_list_new (NULL);
  self->selection = gtk_single_selection_new (G_LIST_MODEL (g_object_ref (self->lines)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  g_signal_connect_object (self->selection, "notify::selected", G_CALLBACK (line_chosen_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (factory, "setup", G_CALLBACK (setup_row_cb), self, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind_row_cb), self, 0);
  self->list = GTK_LIST_VIEW (gtk_list_view_new (g_object_ref (GTK_SELECTION_MODEL (self->selection)), factory));
  g_signal_connect_object (self->list, "activate", G_CALLBACK (activate_cb), self, 0);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Lines of the script"), -1);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "flow-source");
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->list));
  gtk_widget_set_vexpand (scroller, TRUE);
  self->ops = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->ops, TRUE);
  gtk_label_set_xalign (self->ops, 0);
  gtk_label_set_lines (self->ops, 3);
  gtk_label_set_ellipsize (self->ops, PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (GTK_WIDGET (self->ops), "flow-entry-bar");
  gtk_widget_set_visible (GTK_WIDGET (self->ops), FALSE);
  g_signal_connect_object (self->ops, "activate-link", G_CALLBACK (link_cb), self, 0);
  gtk_box_append (GTK_BOX (box), make_bar (self));
  gtk_box_append (GTK_BOX (box), scroller);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->ops));
  gtk_widget_add_css_class (note, "dim-label");
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_stack_add_named (self->stack, note, "none");
  gtk_stack_add_named (self->stack, box, "lines");
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->stack));
}
