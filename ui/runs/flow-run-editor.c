/* flow-run-editor.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-run-editor.h"

#include <glib/gi18n.h>
#include <json-glib/json-glib.h>

#include "flow-format.h"
#include "flow-tooltip.h"
#include "flow-variant-item.h"

/**
 * FlowRunEditor:
 *
 * A run as Session.run has it: fetches, targets, feeds. What is written here is what a run file holds.
 */
struct _FlowRunEditor
{
  AdwWindow parent_instance;

  /* template */
  GtkLabel *problem;
  AdwEntryRow *name;
  AdwEntryRow *fetches;
  AdwEntryRow *targets;
  AdwEntryRow *repeat;
  AdwPreferencesGroup *feeds;

  /* owned */
  FlowUiSession *session;
  GPtrArray *rows;           /* FeedRow */
};

typedef struct {
  GtkWidget *row;
  GtkWidget *tensor;
  GtkWidget *spec;
} FeedRow;

G_DEFINE_FINAL_TYPE (FlowRunEditor, flow_run_editor, ADW_TYPE_WINDOW)

static const char *
get_text (gpointer editable)
{
  return gtk_editable_get_text (GTK_EDITABLE (editable));
}

/* --- Feeds --- */

static void
remove_feed_cb (GtkButton     *button,
                FlowRunEditor *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    {
      FeedRow *row = g_ptr_array_index (self->rows, i);

      if (!gtk_widget_is_ancestor (GTK_WIDGET (button), row->row))
        continue;
      adw_preferences_group_remove (self->feeds, row->row);
      g_ptr_array_remove_index (self->rows, i);
      return;
    }
}

/* What a feed can be made of without writing it; `%s` stands for the tensor's shape. */
static const struct {
  const char *label;
  const char *spec;
} makers[] = {
  { N_("Zeros"), "{\"zeros\": %s}" },
  { N_("Ones"), "{\"ones\": %s}" },
  { N_("Random, Normal"), "{\"normal\": [0, 1], \"shape\": %s, \"seed\": 1}" },
  { N_("Random, in a Range"), "{\"uniform\": [0, 1], \"shape\": %s, \"seed\": 1}" },
  { N_("As in the Last Run"), "{\"previous\": true}" },
};

/* The shape that the tensor is fed with, 1 for what the graph leaves open. */
static char *
dup_shape (FlowRunEditor *self,
           const char    *tensor)
{
  FlowGraph *graph = flow_ui_session_get_graph (self->session);
  FlowEndpoint endpoint = { FLOW_NODE_NONE, 0 };
  FlowShape *shape = NULL;
  GString *text = g_string_new ("[");

  if (graph != NULL && flow_graph_parse_endpoint (graph, tensor, &endpoint, NULL) && endpoint.slot >= 0
      && (guint) endpoint.slot < flow_graph_get_n_outputs (graph, endpoint.node))
    shape = flow_graph_get_output_shape (graph, endpoint.node, endpoint.slot);
  for (int i = 0; shape != NULL && i < flow_shape_get_rank (shape); i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? ", " : "", MAX (flow_shape_get_dim (shape, i), 1));
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

/* The row that a button of it, or of its popover, is in. */
static FeedRow *
find_row (FlowRunEditor *self,
          GtkWidget     *widget)
{
  for (guint i = 0; i < self->rows->len; i++)
    {
      FeedRow *row = g_ptr_array_index (self->rows, i);

      if (gtk_widget_is_ancestor (widget, row->row))
        return row;
    }
  return NULL;
}

static void
close_popover (GtkWidget *button)
{
  gtk_popover_popdown (GTK_POPOVER (gtk_widget_get_ancestor (button, GTK_TYPE_POPOVER)));
}

static void
make_feed_cb (GtkButton     *button,
              FlowRunEditor *self)
{
  FeedRow *row = find_row (self, GTK_WIDGET (button));
  guint i = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "flow-maker"));
  g_autofree char *shape = NULL;
  g_auto(GStrv) parts = NULL;
  g_autofree char *spec = NULL;

  if (row == NULL)
    return;
  shape = dup_shape (self, get_text (row->tensor));
  parts = g_strsplit (makers[i].spec, "%s", 2);
  spec = g_strjoinv (shape, parts);
  gtk_editable_set_text (GTK_EDITABLE (row->spec), spec);
  close_popover (GTK_WIDGET (button));
  gtk_widget_grab_focus (row->spec);
}

static void
npy_response_cb (GtkFileChooserNative *chooser,
                 int                   response,
                 GtkWidget            *entry)
{
  g_autoptr(GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser)) : NULL;
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

  if (path != NULL)
    {
      g_autoptr(JsonBuilder) builder = json_builder_new ();
      g_autoptr(JsonNode) root = NULL;
      g_autofree char *spec = NULL;

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "npy");
      json_builder_add_string_value (builder, path);
      json_builder_end_object (builder);
      root = json_builder_get_root (builder);
      spec = flow_json_mend_numbers (json_to_string (root, FALSE));
      gtk_editable_set_text (GTK_EDITABLE (entry), spec);
    }
  gtk_native_dialog_destroy (GTK_NATIVE_DIALOG (chooser));
  g_object_unref (chooser);
}

static void
load_npy_cb (GtkButton     *button,
             FlowRunEditor *self)
{
  FeedRow *row = find_row (self, GTK_WIDGET (button));
  GtkFileChooserNative *chooser = NULL;
  g_autoptr(GtkFileFilter) filter = gtk_file_filter_new ();

  if (row == NULL)
    return;
  close_popover (GTK_WIDGET (button));
  chooser = gtk_file_chooser_native_new (_("A Value to Feed"), GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_OPEN, _("_Feed"),
                                         _("_Cancel"));
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  gtk_file_filter_set_name (filter, _("Arrays of numpy"));
  gtk_file_filter_add_pattern (filter, "*.npy");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (chooser), filter);
  g_signal_connect_object (chooser, "response", G_CALLBACK (npy_response_cb), row->spec, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static GtkWidget *
add_maker (GtkWidget  *box,
           const char *label)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_widget_add_css_class (button, "flat");
  gtk_label_set_xalign (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (button))), 0);
  gtk_box_append (GTK_BOX (box), button);
  return button;
}

/* A button that fills in what is fed. */
static GtkWidget *
make_maker_button (FlowRunEditor *self)
{
  GtkWidget *menu = gtk_menu_button_new ();
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  g_signal_connect_object (add_maker (box, _("Load a .npy…")), "clicked", G_CALLBACK (load_npy_cb), self, 0);
  for (guint i = 0; i < G_N_ELEMENTS (makers); i++)
    {
      GtkWidget *button = add_maker (box, _(makers[i].label));

      g_object_set_data (G_OBJECT (button), "flow-maker", GUINT_TO_POINTER (i));
      g_signal_connect_object (button, "clicked", G_CALLBACK (make_feed_cb), self, 0);
    }
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (menu), popover);
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (menu), "document-new-symbolic");
  gtk_widget_add_css_class (menu, "flat");
  gtk_widget_set_tooltip_text (menu, _("Load or make what is fed"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (menu), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Load or make what is fed"), -1);
  return menu;
}

static void
add_feed (FlowRunEditor *self,
          const char    *tensor,
          const char    *spec)
{
  FeedRow *row = g_new0 (FeedRow, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *remove = gtk_button_new_from_icon_name ("list-remove-symbolic");

  row->row = adw_preferences_row_new ();
  row->tensor = gtk_entry_new ();
  row->spec = gtk_entry_new ();
  gtk_editable_set_text (GTK_EDITABLE (row->tensor), tensor);
  gtk_editable_set_text (GTK_EDITABLE (row->spec), spec);
  gtk_entry_set_placeholder_text (GTK_ENTRY (row->tensor), _("x:0"));
  gtk_entry_set_placeholder_text (GTK_ENTRY (row->spec), "{\"zeros\": [1, 784]}");
  gtk_accessible_update_property (GTK_ACCESSIBLE (row->tensor), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Tensor that is fed"), -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row->spec), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("What it is fed"), -1);
  gtk_widget_set_hexpand (row->spec, TRUE);
  gtk_widget_add_css_class (row->tensor, "flow-mono");
  gtk_widget_add_css_class (row->spec, "flow-mono");
  gtk_widget_add_css_class (remove, "flat");
  flow_tooltip_set (remove, _("Remove this feed"));
  g_signal_connect_object (remove, "clicked", G_CALLBACK (remove_feed_cb), self, 0);
  gtk_widget_add_css_class (box, "flow-feed-row");
  gtk_box_append (GTK_BOX (box), row->tensor);
  gtk_box_append (GTK_BOX (box), row->spec);
  gtk_box_append (GTK_BOX (box), make_maker_button (self));
  gtk_box_append (GTK_BOX (box), remove);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row->row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row->row), FALSE);
  adw_preferences_group_add (self->feeds, row->row);
  g_ptr_array_add (self->rows, row);
}

static void
add_feed_cb (FlowRunEditor *self)
{
  FeedRow *row = NULL;

  add_feed (self, "", "");
  row = g_ptr_array_index (self->rows, self->rows->len - 1);
  gtk_widget_grab_focus (row->tensor);
}

/* --- To JSON --- */

static void
add_names (JsonBuilder *builder,
           const char  *key,
           const char  *text)
{
  g_auto(GStrv) words = g_strsplit_set (text, ", \t\n", -1);

  json_builder_set_member_name (builder, key);
  json_builder_begin_array (builder);
  for (guint i = 0; words[i] != NULL; i++)
    if (words[i][0] != '\0')
      json_builder_add_string_value (builder, words[i]);
  json_builder_end_array (builder);
}

/* A number or list stands for {"value": ...}, as in a run file's feeds. */
static gboolean
add_spec (JsonBuilder  *builder,
          const char   *text,
          GError      **error)
{
  g_autoptr(JsonNode) node = NULL;

  if (!flow_json_check (text, -1, FLOW_JSON_MAX_DEPTH, error))
    return FALSE;
  node = json_from_string (text, error);
  if (node == NULL)
    return FALSE;
  if (JSON_NODE_HOLDS_OBJECT (node))
    {
      json_builder_add_value (builder, g_steal_pointer (&node));
      return TRUE;
    }
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "value");
  json_builder_add_value (builder, g_steal_pointer (&node));
  json_builder_end_object (builder);
  return TRUE;
}

static char *
to_json (FlowRunEditor  *self,
         GError        **error)
{
  g_autoptr(JsonBuilder) builder = json_builder_new ();
  g_autoptr(JsonNode) root = NULL;
  gint64 repeat = g_ascii_strtoll (get_text (self->repeat), NULL, 10);

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "name");
  json_builder_add_string_value (builder, get_text (self->name));
  if (repeat > 1)
    {
      json_builder_set_member_name (builder, "repeat");
      json_builder_add_int_value (builder, repeat);
    }
  add_names (builder, "fetches", get_text (self->fetches));
  add_names (builder, "targets", get_text (self->targets));
  json_builder_set_member_name (builder, "feeds");
  json_builder_begin_object (builder);
  for (guint i = 0; i < self->rows->len; i++)
    {
      FeedRow *row = g_ptr_array_index (self->rows, i);

      if (get_text (row->tensor)[0] == '\0')
        continue;
      json_builder_set_member_name (builder, get_text (row->tensor));
      if (!add_spec (builder, get_text (row->spec), error))
        {
          g_prefix_error (error, "%s: ", get_text (row->tensor));
          return NULL;
        }
    }
  json_builder_end_object (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return flow_json_mend_numbers (json_to_string (root, FALSE));
}

static void
show_problem (FlowRunEditor *self,
              const GError  *error)
{
  gtk_label_set_text (self->problem, error->message);
  gtk_widget_set_visible (GTK_WIDGET (self->problem), TRUE);
}

static void
set_cb (GObject           *owner,
        FlowDebuggerReply *reply,
        const GError      *error,
        gpointer           data)
{
  FlowRunEditor *self = FLOW_RUN_EDITOR (owner);
  g_autofree char *name = NULL;

  if (self->session == NULL)
    return;
  if (error != NULL)
    {
      show_problem (self, error);
      return;
    }
  name = g_strdup (get_text (self->name));
  flow_ui_session_choose_run (self->session, name);
  gtk_window_destroy (GTK_WINDOW (self));
}

static void
apply_cb (FlowRunEditor *self)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *json = to_json (self, &error);

  if (json == NULL)
    {
      show_problem (self, error);
      return;
    }
  flow_ui_session_command (self->session, NULL, "SetRun", g_variant_new ("(s)", json), NULL, self,
                           set_cb, NULL);
}

/* --- Filling --- */

static void
fill_from_row (FlowRunEditor *self,
               GVariant      *row)
{
  g_auto(GStrv) fetches = flow_lookup_strv (row, "fetches");
  g_auto(GStrv) targets = flow_lookup_strv (row, "targets");
  g_autofree char *fetch_text = g_strjoinv (", ", fetches);
  g_autofree char *target_text = g_strjoinv (", ", targets);
  g_autofree char *repeat = g_strdup_printf ("%d", (int) flow_lookup_int (row, "repeat", 1));
  g_autoptr(GVariant) feeds = g_variant_lookup_value (row, "feeds", G_VARIANT_TYPE ("a{ss}"));

  gtk_editable_set_text (GTK_EDITABLE (self->name), flow_lookup_string (row, "name"));
  gtk_editable_set_text (GTK_EDITABLE (self->fetches), fetch_text);
  gtk_editable_set_text (GTK_EDITABLE (self->targets), target_text);
  gtk_editable_set_text (GTK_EDITABLE (self->repeat), repeat);
  for (gsize i = 0; feeds != NULL && i < g_variant_n_children (feeds); i++)
    {
      const char *tensor = NULL;
      const char *spec = NULL;

      g_variant_get_child (feeds, i, "{&s&s}", &tensor, &spec);
      add_feed (self, tensor, spec);
    }
}

/* A new run of what is selected, with an empty feed for each placeholder of a small graph. */
static void
fill_new (FlowRunEditor *self)
{
  FlowGraph *graph = flow_ui_session_get_graph (self->session);
  guint32 node = flow_ui_session_get_selected_node (self->session);
  GListModel *runs = flow_ui_session_get_runs (self->session);
  g_autofree char *name = g_strdup_printf (_("run %u"), g_list_model_get_n_items (runs) + 1);
  g_autofree char *fetch = NULL;
  guint n_feeds = 0;

  gtk_editable_set_text (GTK_EDITABLE (self->name), name);
  gtk_editable_set_text (GTK_EDITABLE (self->repeat), "1");
  if (graph == NULL)
    return;
  if (node != FLOW_NODE_NONE && flow_graph_get_n_outputs (graph, node) > 0)
    {
      fetch = g_strconcat (flow_graph_get_node_name (graph, node), ":0", NULL);
      gtk_editable_set_text (GTK_EDITABLE (self->fetches), fetch);
    }
  else if (node != FLOW_NODE_NONE)
    {
      gtk_editable_set_text (GTK_EDITABLE (self->targets), flow_graph_get_node_name (graph, node));
    }
  for (guint32 i = 0; i < flow_graph_get_n_nodes (graph) && n_feeds < 12; i++)
    {
      g_autofree char *tensor = NULL;

      if (g_strcmp0 (flow_graph_get_node_type (graph, i), "Placeholder") != 0)
        continue;
      tensor = g_strconcat (flow_graph_get_node_name (graph, i), ":0", NULL);
      add_feed (self, tensor, "");
      n_feeds++;
    }
}

static void
flow_run_editor_dispose (GObject *object)
{
  FlowRunEditor *self = FLOW_RUN_EDITOR (object);

  g_clear_object (&self->session);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  gtk_widget_dispose_template (GTK_WIDGET (self), FLOW_TYPE_RUN_EDITOR);

  G_OBJECT_CLASS (flow_run_editor_parent_class)->dispose (object);
}

static void
flow_run_editor_class_init (FlowRunEditorClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = flow_run_editor_dispose;

  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  gtk_widget_class_set_template_from_resource (
    widget_class, "/org/flowstep/Flowstep/ui/runs/flow-run-editor.ui");
  gtk_widget_class_bind_template_child (widget_class, FlowRunEditor, problem);
  gtk_widget_class_bind_template_child (widget_class, FlowRunEditor, name);
  gtk_widget_class_bind_template_child (widget_class, FlowRunEditor, fetches);
  gtk_widget_class_bind_template_child (widget_class, FlowRunEditor, targets);
  gtk_widget_class_bind_template_child (widget_class, FlowRunEditor, repeat);
  gtk_widget_class_bind_template_child (widget_class, FlowRunEditor, feeds);
  gtk_widget_class_bind_template_callback (widget_class, apply_cb);
  gtk_widget_class_bind_template_callback (widget_class, add_feed_cb);
}

static void
flow_run_editor_init (FlowRunEditor *self)
{
  self->rows = g_ptr_array_new_with_free_func (g_free);
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* @name: (nullable): the run to edit; %NULL makes a new one of what is selected */
GtkWidget *
flow_run_editor_new (FlowUiSession *session,
                     const char    *name)
{
  FlowRunEditor *self = g_object_new (FLOW_TYPE_RUN_EDITOR, NULL);
  GListModel *runs = flow_ui_session_get_runs (session);

  self->session = g_object_ref (session);
  for (guint i = 0; name != NULL && i < g_list_model_get_n_items (runs); i++)
    {
      g_autoptr(FlowVariantItem) item = g_list_model_get_item (runs, i);

      if (g_strcmp0 (flow_variant_item_get_string (item, "name"), name) != 0)
        continue;
      fill_from_row (self, flow_variant_item_get_value (item));
      return GTK_WIDGET (self);
    }
  fill_new (self);
  return GTK_WIDGET (self);
}

void
flow_run_editor_focus_feeds (FlowRunEditor *self)
{
  FeedRow *row = NULL;

  g_return_if_fail (FLOW_IS_RUN_EDITOR (self));

  if (self->rows->len == 0)
    return;
  row = g_ptr_array_index (self->rows, 0);
  gtk_window_set_focus (GTK_WINDOW (self), row->spec);
}
