/* flow-value-editor.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-value-editor.h"

#include "flow-format.h"
#include "flow-tooltip.h"

#include <glib/gi18n.h>

/**
 * FlowValueEditor:
 *
 * Replaces the value of a tensor by a SPEC: a number, a nested list, a feed as JSON, or a .npy or .npz
 * file. The run goes on with it; taking it back gives the computed value again.
 */
struct _FlowValueEditor
{
  AdwWindow parent_instance;

  /* owned */
  FlowUiSession *session;
  GtkFileChooserNative *chooser;
  char *tensor;

  /* borrowed */
  GtkWidget *entry;
  GtkWidget *problem;
  GtkWidget *type;
};

G_DEFINE_FINAL_TYPE (FlowValueEditor, flow_value_editor, ADW_TYPE_WINDOW)

static void
answer_cb (GObject           *owner,
           FlowDebuggerReply *reply,
           const GError      *error,
           gpointer           data)
{
  FlowValueEditor *self = FLOW_VALUE_EDITOR (owner);

  if (self->session == NULL)
    return;
  if (error != NULL)
    {
      gtk_label_set_text (GTK_LABEL (self->problem), error->message);
      gtk_widget_set_visible (self->problem, TRUE);
      return;
    }
  flow_ui_session_values_written (self->session);
  gtk_window_destroy (GTK_WINDOW (self));
}

static void
set_override (FlowValueEditor *self,
              const char      *spec)
{
  flow_ui_session_command (self->session, NULL, "Override",
                           g_variant_new ("(ss)", self->tensor, spec), NULL, self, answer_cb,
                           NULL);
}

static void
replace_cb (FlowValueEditor *self)
{
  g_autofree char *spec = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry))));

  if (spec[0] != '\0')
    set_override (self, spec);
}

static void
take_back_cb (FlowValueEditor *self)
{
  set_override (self, "");
}

static void
response_cb (GtkFileChooserNative *chooser,
             int                   response,
             FlowValueEditor      *self)
{
  g_autoptr(GFile) file = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  gtk_native_dialog_hide (GTK_NATIVE_DIALOG (chooser));
  if (file != NULL && g_file_peek_path (file) != NULL)
    gtk_editable_set_text (GTK_EDITABLE (self->entry), g_file_peek_path (file));
}

static void
browse_cb (FlowValueEditor *self)
{
  g_clear_object (&self->chooser);
  self->chooser = gtk_file_chooser_native_new (_("Choose a Value"), GTK_WINDOW (self),
                                               GTK_FILE_CHOOSER_ACTION_OPEN, _("_Choose"),
                                               _("_Cancel"));
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
  g_signal_connect_object (self->chooser, "response", G_CALLBACK (response_cb), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

static void
flow_value_editor_dispose (GObject *object)
{
  FlowValueEditor *self = FLOW_VALUE_EDITOR (object);

  g_clear_object (&self->session);
  g_clear_object (&self->chooser);
  g_clear_pointer (&self->tensor, g_free);

  G_OBJECT_CLASS (flow_value_editor_parent_class)->dispose (object);
}

static void
flow_value_editor_class_init (FlowValueEditorClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = flow_value_editor_dispose;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0,
                                       "window.close", NULL);
}

/* --- The value as it is --- */

/* What is small enough to be changed as text. */
#define MAX_EDITED_ELEMENTS 64

/* One dimension of a value, as a feed's JSON has it. */
static void
append_nested (GString          *text,
               const FlowTensor *value,
               int               axis,
               gint64           *element)
{
  if (axis == flow_shape_get_rank (value->shape))
    {
      g_autofree char *word = flow_tensor_element_text (value, (*element)++);
      gboolean is_quoted = strspn (word, "+-.0123456789e") != strlen (word);

      if (value->dtype == FLOW_DTYPE_BOOL)
        g_string_append (text, g_str_equal (word, "True") ? "true" : "false");
      else
        g_string_append_printf (text, is_quoted ? "\"%s\"" : "%s", word);
      return;
    }
  g_string_append_c (text, '[');
  for (gint64 i = 0; i < flow_shape_get_dim (value->shape, axis); i++)
    {
      g_string_append (text, i > 0 ? ", " : "");
      append_nested (text, value, axis + 1, element);
    }
  g_string_append_c (text, ']');
}

static void
value_cb (GObject           *owner,
          FlowDebuggerReply *reply,
          const GError      *error,
          gpointer           data)
{
  FlowValueEditor *self = FLOW_VALUE_EDITOR (owner);
  g_autoptr(GString) text = g_string_new (NULL);
  const FlowTensor *value = NULL;
  gint64 element = 0;

  if (self->session == NULL || reply == NULL || reply->tensors == NULL || reply->tensors->len == 0
      || gtk_entry_get_text_length (GTK_ENTRY (self->entry)) > 0)
    return;
  value = g_ptr_array_index (reply->tensors, 0);
  append_nested (text, value, 0, &element);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text->str);
  gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
}

/* What it is now, and what the graph says of it where it is not that: a wrong feed shows what was wanted. */
static char *
describe_type (FlowValueEditor *self,
               GVariant        *info)
{
  FlowGraph *graph = flow_ui_session_get_graph (self->session);
  g_autoptr(GVariant) dims = g_variant_lookup_value (info, "shape", G_VARIANT_TYPE ("ax"));
  g_autoptr(FlowShape) shape = NULL;
  g_autofree char *type = flow_format_type (info);
  g_autofree char *declared = NULL;
  FlowShape *of_graph = NULL;
  FlowEndpoint at;
  const gint64 *values = NULL;
  gsize rank = 0;

  if (graph == NULL || dims == NULL || !flow_graph_parse_endpoint (graph, self->tensor, &at, NULL)
      || at.slot == FLOW_SLOT_CONTROL)
    return g_steal_pointer (&type);
  values = g_variant_get_fixed_array (dims, &rank, sizeof *values);
  if (rank > FLOW_SHAPE_MAX_RANK)
    return g_steal_pointer (&type);
  shape = flow_shape_new ((int) rank, values);
  of_graph = flow_graph_get_output_shape (graph, at.node, (guint) at.slot);
  if (flow_shape_is_compatible (shape, of_graph))
    return g_steal_pointer (&type);
  declared = flow_format_dims (of_graph);
  return g_strdup_printf (_("%s · the graph says %s"), type, declared);
}

static void
described_cb (GObject           *owner,
              FlowDebuggerReply *reply,
              const GError      *error,
              gpointer           data)
{
  FlowValueEditor *self = FLOW_VALUE_EDITOR (owner);
  g_autoptr(GVariant) info = NULL;
  g_autofree char *type = NULL;
  const char *dtype = NULL;
  gint64 n = 0;

  if (self->session == NULL || reply == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(a{sv})")))
    return;
  info = g_variant_get_child_value (reply->value, 0);
  type = describe_type (self, info);
  dtype = flow_lookup_string (info, "dtype");
  n = flow_lookup_int (info, "n_elements", 0);
  gtk_label_set_text (GTK_LABEL (self->type), type);
  if (g_strcmp0 (flow_lookup_string (info, "state"), "value") == 0 && flow_lookup_has (info, "nan") && n > 0
      && n <= MAX_EDITED_ELEMENTS && !g_str_has_prefix (dtype, "complex"))
    flow_ui_session_query (self->session, self, "edited-value", "GetValue",
                           g_variant_new ("(st)", self->tensor, G_MAXUINT64), value_cb, NULL);
}

static GtkWidget *
create_body (FlowValueEditor *self,
             const char      *tensor)
{
  GtkWidget *body = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *browse = gtk_button_new_from_icon_name ("document-open-symbolic");
  GtkWidget *name = gtk_label_new (tensor);
  GtkWidget *hint = gtk_label_new (_("0.5    [[1, 2], [3, 4]]    {\"zeros\": [32, 784]}    "
                                     "{\"normal\": [0, 1], \"shape\": [10]}    value.npy    "
                                     "feeds.npz#x:0"));

  self->entry = gtk_entry_new ();
  self->problem = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_add_css_class (name, "heading");
  self->type = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->type), 0);
  gtk_widget_add_css_class (self->type, "dim-label");
  gtk_widget_add_css_class (self->type, "flow-small");
  gtk_widget_set_hexpand (self->entry, TRUE);
  gtk_widget_add_css_class (self->entry, "flow-mono");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("New value"), -1);
  flow_tooltip_set (browse, _("Choose a .npy or .npz file"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (browse), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Choose a file"), -1);
  gtk_label_set_xalign (GTK_LABEL (hint), 0);
  gtk_label_set_wrap (GTK_LABEL (hint), TRUE);
  gtk_widget_add_css_class (hint, "dim-label");
  gtk_widget_add_css_class (hint, "flow-small");
  gtk_label_set_xalign (GTK_LABEL (self->problem), 0);
  gtk_label_set_wrap (GTK_LABEL (self->problem), TRUE);
  gtk_widget_add_css_class (self->problem, "error");
  gtk_widget_set_visible (self->problem, FALSE);
  g_signal_connect_object (self->entry, "activate", G_CALLBACK (replace_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (browse, "clicked", G_CALLBACK (browse_cb), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (line), self->entry);
  gtk_box_append (GTK_BOX (line), browse);
  gtk_box_append (GTK_BOX (body), name);
  gtk_box_append (GTK_BOX (body), self->type);
  gtk_box_append (GTK_BOX (body), line);
  gtk_box_append (GTK_BOX (body), hint);
  gtk_box_append (GTK_BOX (body), self->problem);
  gtk_widget_add_css_class (body, "flow-dialog");
  return body;
}

static void
flow_value_editor_init (FlowValueEditor *self)
{
  gtk_window_set_modal (GTK_WINDOW (self), TRUE);
  gtk_window_set_default_size (GTK_WINDOW (self), 520, -1);
  gtk_window_set_title (GTK_WINDOW (self), _("Replace the Value"));
}

GtkWidget *
flow_value_editor_new (FlowUiSession *session,
                       const char    *tensor)
{
  FlowValueEditor *self = g_object_new (FLOW_TYPE_VALUE_EDITOR, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *back = gtk_button_new_with_mnemonic (_("_Take Back"));
  GtkWidget *apply = gtk_button_new_with_mnemonic (_("_Replace"));

  self->session = g_object_ref (session);
  self->tensor = g_strdup (tensor);
  flow_tooltip_set (back, _("Use the computed value again"));
  flow_tooltip_set (apply, _("Go on with this value"));
  gtk_widget_add_css_class (apply, "suggested-action");
  g_signal_connect_object (back, "clicked", G_CALLBACK (take_back_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (apply, "clicked", G_CALLBACK (replace_cb), self, G_CONNECT_SWAPPED);
  adw_header_bar_set_show_start_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), back);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), apply);
  gtk_box_append (GTK_BOX (box), header);
  gtk_box_append (GTK_BOX (box), create_body (self, tensor));
  adw_window_set_content (ADW_WINDOW (self), box);
  gtk_window_set_focus (GTK_WINDOW (self), self->entry);
  flow_ui_session_query (session, self, "edited-type", "Describe", g_variant_new ("(su)", tensor, 0), described_cb, NULL);
  return GTK_WIDGET (self);
}
