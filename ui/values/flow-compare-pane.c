/* flow-compare-pane.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-compare-pane.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "flow-format.h"
#include "flow-table.h"
#include "flow-tooltip.h"
#include "flow-variant-rows.h"

/**
 * FlowComparePane:
 *
 * A value beside what it was at another moment: within which tolerance, how far apart, and the elements that
 * are furthest, each a place to go. Emits `compared` with the other value and the tolerance, and
 * `element-activated`.
 */
struct _FlowComparePane
{
  AdwBin parent_instance;

  /* owned */
  FlowUiSession *session;
  GListStore *rows;
  GStrv choices;             /* references, beside the rows of the drop-down */
  char *ref;
  char *chosen;              /* a reference */
  char *wanted;              /* a moment asked for before the list was there */

  /* borrowed */
  GtkDropDown *moments;
  GtkEntry *position;
  GtkEntry *tolerances[3];
  GtkLabel *summary;
  GtkColumnView *table;

  gboolean filling;
};

/* Moments of a tensor's own history that are offered. */
#define MAX_POSITIONS 40
#define MAX_WORST 500

enum {
  SIGNAL_COMPARED,
  SIGNAL_ELEMENT_ACTIVATED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static const char *const tolerance_keys[] = { "abs", "rel", "ulp" };

G_DEFINE_FINAL_TYPE (FlowComparePane, flow_compare_pane, ADW_TYPE_BIN)

/* --- Which value --- */

static gboolean
is_variable (FlowComparePane *self)
{
  FlowGraph *graph = flow_ui_session_get_graph (self->session);
  FlowEndpoint endpoint = { FLOW_NODE_NONE, 0 };

  if (g_str_has_prefix (self->ref, "var:"))
    return TRUE;
  if (graph == NULL || !flow_graph_parse_endpoint (graph, self->ref, &endpoint, NULL))
    return FALSE;
  return flow_is_variable_type (flow_graph_get_node_type (graph, endpoint.node));
}

static char *
variable_name (FlowComparePane *self)
{
  const char *name = g_str_has_prefix (self->ref, "var:") ? self->ref + strlen ("var:") : self->ref;

  return g_strndup (name, strcspn (name, ":@"));
}

/* The reference of this value at a moment; NULL where a tensor has none. */
static char *
ref_at (FlowComparePane *self,
        const char      *moment)
{
  /* No moment of this value but another value. */
  if (g_str_has_prefix (moment, "file:") && strchr (moment, '#') != NULL)
    return g_strdup (moment);
  if (is_variable (self))
    {
      g_autofree char *name = variable_name (self);

      return g_strdup_printf ("var:%s@%s", name, moment);
    }
  if (self->ref[0] == '=')
    return NULL;
  if (g_str_has_prefix (moment, "pin-") || g_ascii_isdigit (moment[0]))
    return g_strdup_printf ("%.*s@%s", (int) strcspn (self->ref, "@"), self->ref, moment);
  return NULL;
}

/* --- The answer --- */

static char *
index_text (GVariant *row,
            gpointer  data)
{
  return g_strdup (flow_lookup_string (row, "index"));
}

static char *
cell_text (GVariant *row,
           gpointer  data)
{
  return g_strdup (flow_lookup_string (row, data));
}

static char *
difference_text (GVariant *row,
                 gpointer  data)
{
  return flow_format_number_compact (flow_lookup_double (row, "difference", NAN));
}

static const char *
difference_css (GVariant *row,
                gpointer  data)
{
  return "flow-delta";
}

/* `[3, 0, 5]` of an element in row-major order. */
static char *
describe_index (gint64        element,
                const gint64 *dims,
                gsize         rank)
{
  g_autofree gint64 *at = g_new0 (gint64, rank + 1);
  GString *text = g_string_new ("[");

  for (gsize i = rank; i > 0; i--)
    {
      at[i - 1] = element % MAX (1, dims[i - 1]);
      element /= MAX (1, dims[i - 1]);
    }
  for (gsize i = 0; i < rank; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? ", " : "", at[i]);
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

static void
fill_rows (FlowComparePane *self,
           GVariant        *dict)
{
  g_autoptr(GVariant) worst = g_variant_lookup_value (dict, "worst", G_VARIANT_TYPE ("a(xssd)"));
  g_autoptr(GVariant) shape = g_variant_lookup_value (dict, "shape", G_VARIANT_TYPE ("ax"));
  g_autoptr(GVariant) rows = NULL;
  gsize rank = 0;
  const gint64 *dims = shape != NULL ? g_variant_get_fixed_array (shape, &rank, sizeof (gint64)) : NULL;
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (gsize i = 0; worst != NULL && i < g_variant_n_children (worst); i++)
    {
      gint64 element = 0;
      const char *a = NULL;
      const char *b = NULL;
      double difference = 0;
      g_autofree char *index = NULL;

      g_variant_get_child (worst, i, "(x&s&sd)", &element, &a, &b, &difference);
      index = describe_index (element, dims, rank);
      g_variant_builder_open (&builder, G_VARIANT_TYPE ("a{sv}"));
      g_variant_builder_add (&builder, "{sv}", "index", g_variant_new_string (index));
      g_variant_builder_add (&builder, "{sv}", "element", g_variant_new_int64 (element));
      g_variant_builder_add (&builder, "{sv}", "a", g_variant_new_string (a));
      g_variant_builder_add (&builder, "{sv}", "b", g_variant_new_string (b));
      g_variant_builder_add (&builder, "{sv}", "difference", g_variant_new_double (difference));
      g_variant_builder_close (&builder);
    }
  rows = g_variant_ref_sink (g_variant_builder_end (&builder));
  flow_variant_store_update (self->rows, rows, "index");
}

static char *
describe_difference (GVariant *dict)
{
  g_autofree char *over = flow_format_count ((guint64) flow_lookup_int (dict, "n_over", 0));
  g_autofree char *n = flow_format_count ((guint64) flow_lookup_int (dict, "n_elements", 0));
  g_autofree char *abs = flow_format_number (flow_lookup_double (dict, "max_abs", 0));
  g_autofree char *rel = flow_format_number (flow_lookup_double (dict, "max_rel", 0));

  if (!flow_lookup_bool (dict, "same_shape"))
    return g_strdup (_("The two have different shapes"));
  if (flow_lookup_bool (dict, "equal_bits"))
    return g_strdup_printf (_("Equal: all %s elements, bit for bit"), n);
  return g_strdup_printf (_("%s of %s elements differ by more than is let pass\nmax |Δ| %s  max rel. Δ %s  max ulp %"
                            G_GINT64_FORMAT),
                          over, n, abs, rel, flow_lookup_int (dict, "max_ulp", 0));
}

static double
tolerance (FlowComparePane *self,
           guint            i)
{
  return MAX (0, g_ascii_strtod (gtk_editable_get_text (GTK_EDITABLE (self->tolerances[i])), NULL));
}

static void
compared_cb (GObject           *owner,
             FlowDebuggerReply *reply,
             const GError      *error,
             gpointer           data)
{
  FlowComparePane *self = FLOW_COMPARE_PANE (owner);
  FlowTolerance let_pass = { tolerance (self, 0), tolerance (self, 1), (guint64) tolerance (self, 2) };
  g_autoptr(GVariant) dict = NULL;
  g_autofree char *text = NULL;

  if (error != NULL)
    {
      gtk_label_set_text (self->summary, error->message);
      g_list_store_remove_all (self->rows);
      g_signal_emit (self, signals[SIGNAL_COMPARED], 0, NULL, &let_pass);
      return;
    }
  if (!g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(a{sv})")))
    return;
  dict = g_variant_get_child_value (reply->value, 0);
  text = describe_difference (dict);
  gtk_label_set_text (self->summary, text);
  fill_rows (self, dict);
  g_signal_emit (self, signals[SIGNAL_COMPARED], 0,
                 flow_lookup_bool (dict, "same_shape") ? self->chosen : NULL, &let_pass);
}

static void
compare (FlowComparePane *self)
{
  GVariantBuilder builder;

  if (self->chosen == NULL)
    return;
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (&builder, "{sv}", "abs", g_variant_new_double (tolerance (self, 0)));
  g_variant_builder_add (&builder, "{sv}", "rel", g_variant_new_double (tolerance (self, 1)));
  g_variant_builder_add (&builder, "{sv}", "ulp", g_variant_new_uint64 ((guint64) tolerance (self, 2)));
  g_variant_builder_add (&builder, "{sv}", "worst", g_variant_new_uint32 (MAX_WORST));
  flow_ui_session_query (self->session, self, "compare", "CompareValues",
                         g_variant_new ("(ss@a{sv})", self->ref, self->chosen,
                                        g_variant_builder_end (&builder)),
                         compared_cb, NULL);
}

/* --- Choosing a moment --- */

static void
chosen_cb (FlowComparePane *self)
{
  guint i = gtk_drop_down_get_selected (self->moments);

  if (self->filling || self->choices == NULL || i >= g_strv_length (self->choices))
    return;
  g_free (self->chosen);
  self->chosen = g_strdup (self->choices[i]);
  compare (self);
}

static void
select_wanted (FlowComparePane *self)
{
  guint found = GTK_INVALID_LIST_POSITION;
  g_autofree char *suffix = self->wanted != NULL ? g_strconcat ("@", self->wanted, NULL) : NULL;
  /* The last of them, which is found last. */
  gboolean is_last_restore = g_strcmp0 (self->wanted, "before-restore") == 0;

  for (guint i = 0; self->choices != NULL && self->choices[i] != NULL; i++)
    if (suffix != NULL ? g_str_has_suffix (self->choices[i], suffix) ||
                           (is_last_restore && strstr (self->choices[i], "@before-restore-") != NULL)
                       : g_strcmp0 (self->choices[i], self->chosen) == 0)
      found = i;
  /* Asked for by another name: "the last restore" is none of those that are listed. */
  if (found == GTK_INVALID_LIST_POSITION && self->wanted != NULL)
    {
      g_free (self->chosen);
      self->chosen = ref_at (self, self->wanted);
      gtk_editable_set_text (GTK_EDITABLE (self->position), self->chosen != NULL ? self->chosen : "");
    }
  else if (found == GTK_INVALID_LIST_POSITION && self->chosen == NULL && self->choices != NULL &&
      self->choices[0] != NULL)
    found = 0;
  g_clear_pointer (&self->wanted, g_free);
  self->filling = TRUE;
  gtk_drop_down_set_selected (self->moments, found);
  self->filling = FALSE;
  if (found != GTK_INVALID_LIST_POSITION)
    chosen_cb (self);
  else
    compare (self);
}

static void
add_choice (GPtrArray     *choices,
            GtkStringList *titles,
            char          *ref,
            const char    *title)
{
  if (ref == NULL)
    return;
  g_ptr_array_add (choices, ref);
  gtk_string_list_append (titles, title);
}

static void
set_choices (FlowComparePane *self,
             GPtrArray       *choices,
             GtkStringList   *titles)
{
  g_ptr_array_add (choices, NULL);
  g_strfreev (self->choices);
  self->choices = (GStrv) g_ptr_array_free (choices, FALSE);
  self->filling = TRUE;
  gtk_drop_down_set_model (self->moments, G_LIST_MODEL (titles));
  self->filling = FALSE;
  select_wanted (self);
}

/* A tensor's own past: each value it had is a moment too. */
static void
history_cb (GObject           *owner,
            FlowDebuggerReply *reply,
            const GError      *error,
            gpointer           data)
{
  FlowComparePane *self = FLOW_COMPARE_PANE (owner);
  g_autoptr(GVariant) points = NULL;
  GtkStringList *titles = GTK_STRING_LIST (gtk_drop_down_get_model (self->moments));
  GPtrArray *choices = g_ptr_array_new ();
  GtkStringList *all = gtk_string_list_new (NULL);
  gsize n = 0;

  for (guint i = 0; self->choices != NULL && self->choices[i] != NULL; i++)
    add_choice (choices, all, g_strdup (self->choices[i]), gtk_string_list_get_string (titles, i));
  if (reply != NULL && g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(a(txd))")))
    {
      points = g_variant_get_child_value (reply->value, 0);
      n = g_variant_n_children (points);
    }
  for (gsize i = n; i > 0 && n - i < MAX_POSITIONS; i--)
    {
      guint64 position = 0;
      gint64 iteration = 0;
      double mean = 0;
      g_autofree char *moment = NULL;
      g_autofree char *title = NULL;

      g_variant_get_child (points, i - 1, "(txd)", &position, &iteration, &mean);
      moment = g_strdup_printf ("%" G_GUINT64_FORMAT, position + 1);
      title = iteration > 0 ? g_strdup_printf (_("after op %s, iteration %" G_GINT64_FORMAT), moment, iteration)
                            : g_strdup_printf (_("after op %s"), moment);
      add_choice (choices, all, ref_at (self, moment), title);
    }
  set_choices (self, choices, all);
  g_object_unref (all);
}

static void
moments_cb (GObject           *owner,
            FlowDebuggerReply *reply,
            const GError      *error,
            gpointer           data)
{
  FlowComparePane *self = FLOW_COMPARE_PANE (owner);
  g_autoptr(GVariant) rows = NULL;
  GPtrArray *choices = NULL;
  GtkStringList *titles = NULL;

  if (reply == NULL || !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(aa{sv})")))
    return;
  rows = g_variant_get_child_value (reply->value, 0);
  choices = g_ptr_array_new ();
  titles = gtk_string_list_new (NULL);
  for (gsize i = 0; i < g_variant_n_children (rows); i++)
    {
      g_autoptr(GVariant) row = g_variant_get_child_value (rows, i);
      const char *id = flow_lookup_string (row, "id");

      if (id != NULL && strcmp (id, "now") != 0)
        add_choice (choices, titles, ref_at (self, id), flow_lookup_string (row, "title"));
    }
  if (is_variable (self))
    {
      set_choices (self, choices, titles);
    }
  else
    {
      g_ptr_array_add (choices, NULL);
      g_strfreev (self->choices);
      self->choices = (GStrv) g_ptr_array_free (choices, FALSE);
      self->filling = TRUE;
      gtk_drop_down_set_model (self->moments, G_LIST_MODEL (titles));
      self->filling = FALSE;
      flow_ui_session_query (self->session, self, "history", "History", g_variant_new ("(s)", self->ref),
                             history_cb, NULL);
    }
  g_object_unref (titles);
}

/* The run has moved: other moments, and the value is another one. */
void
flow_compare_pane_refresh (FlowComparePane *self)
{
  g_return_if_fail (FLOW_IS_COMPARE_PANE (self));

  flow_ui_session_query (self->session, self, "moments", "Moments", NULL, moments_cb, NULL);
}

/* @moment: an id of the debugger's method Moments */
void
flow_compare_pane_choose (FlowComparePane *self,
                          const char      *moment)
{
  g_return_if_fail (FLOW_IS_COMPARE_PANE (self));

  g_free (self->wanted);
  self->wanted = g_strdup (moment);
  flow_compare_pane_refresh (self);
}

/* Any value there is: another tensor, one in a checkpoint, a position. */
static void
typed_cb (FlowComparePane *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->position));
  char *end = NULL;

  if (text[0] == '\0')
    return;
  g_ascii_strtoull (text, &end, 10);
  g_free (self->chosen);
  self->chosen = *end == '\0' && g_ascii_isdigit (text[0]) ? ref_at (self, text) : g_strdup (text);
  self->filling = TRUE;
  gtk_drop_down_set_selected (self->moments, GTK_INVALID_LIST_POSITION);
  self->filling = FALSE;
  compare (self);
}

static void
row_activated_cb (FlowComparePane *self)
{
  GVariant *row = flow_table_get_selected (self->table);

  if (row != NULL)
    g_signal_emit (self, signals[SIGNAL_ELEMENT_ACTIVATED], 0, flow_lookup_int (row, "element", -1));
}

static void
row_selected_cb (GtkSingleSelection *selection,
                 GParamSpec         *pspec,
                 FlowComparePane    *self)
{
  row_activated_cb (self);
}

/* --- Object --- */

static void
flow_compare_pane_dispose (GObject *object)
{
  FlowComparePane *self = FLOW_COMPARE_PANE (object);

  if (self->table != NULL)
    gtk_column_view_set_model (self->table, NULL);
  self->table = NULL;
  g_clear_object (&self->session);
  g_clear_object (&self->rows);

  G_OBJECT_CLASS (flow_compare_pane_parent_class)->dispose (object);
}

static void
flow_compare_pane_finalize (GObject *object)
{
  FlowComparePane *self = FLOW_COMPARE_PANE (object);

  g_strfreev (self->choices);
  g_free (self->ref);
  g_free (self->chosen);
  g_free (self->wanted);

  G_OBJECT_CLASS (flow_compare_pane_parent_class)->finalize (object);
}

static void
flow_compare_pane_class_init (FlowComparePaneClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = flow_compare_pane_dispose;
  G_OBJECT_CLASS (klass)->finalize = flow_compare_pane_finalize;

  signals[SIGNAL_COMPARED] =
    g_signal_new ("compared", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_POINTER);
  signals[SIGNAL_ELEMENT_ACTIVATED] =
    g_signal_new ("element-activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, G_TYPE_INT64);
}

static void
append_labelled (GtkBox     *box,
                 const char *title,
                 GtkWidget  *widget,
                 const char *tooltip)
{
  GtkWidget *label = gtk_label_new (title);

  gtk_widget_add_css_class (label, "dim-label");
  flow_tooltip_set (widget, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip, -1);
  gtk_box_append (box, label);
  gtk_box_append (box, widget);
}

static GtkWidget *
create_bar (FlowComparePane *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *first = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *second = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  const char *const titles[] = { _("abs"), _("rel"), _("ulp") };
  const char *const tips[] = { _("Absolute difference that is let pass"),
                               _("Difference that is let pass, as a part of the other value's magnitude"),
                               _("Representable numbers in between that are let pass") };

  self->moments = GTK_DROP_DOWN (gtk_drop_down_new (NULL, NULL));
  gtk_widget_set_hexpand (GTK_WIDGET (self->moments), TRUE);
  g_signal_connect_object (self->moments, "notify::selected", G_CALLBACK (chosen_cb), self, G_CONNECT_SWAPPED);
  append_labelled (GTK_BOX (first), _("With"), GTK_WIDGET (self->moments), _("What it is compared with"));
  self->position = GTK_ENTRY (gtk_entry_new ());
  gtk_entry_set_placeholder_text (self->position, _("or a position, a tensor, file:PREFIX#NAME"));
  gtk_editable_set_width_chars (GTK_EDITABLE (self->position), 24);
  g_signal_connect_object (self->position, "activate", G_CALLBACK (typed_cb), self, G_CONNECT_SWAPPED);
  flow_tooltip_set (GTK_WIDGET (self->position), _("A position (ops executed), another tensor such as a/b:0@12, or "
                                                   "file:PREFIX#NAME in a checkpoint"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->position), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Any other value"), -1);
  gtk_box_append (GTK_BOX (first), GTK_WIDGET (self->position));
  for (guint i = 0; i < G_N_ELEMENTS (self->tolerances); i++)
    {
      self->tolerances[i] = GTK_ENTRY (gtk_entry_new ());
      gtk_editable_set_text (GTK_EDITABLE (self->tolerances[i]), "0");
      gtk_editable_set_width_chars (GTK_EDITABLE (self->tolerances[i]), 7);
      gtk_editable_set_max_width_chars (GTK_EDITABLE (self->tolerances[i]), 7);
      gtk_widget_set_name (GTK_WIDGET (self->tolerances[i]), tolerance_keys[i]);
      g_signal_connect_object (self->tolerances[i], "changed", G_CALLBACK (compare), self, G_CONNECT_SWAPPED);
      append_labelled (GTK_BOX (second), titles[i], GTK_WIDGET (self->tolerances[i]), tips[i]);
    }
  gtk_box_append (GTK_BOX (box), first);
  gtk_box_append (GTK_BOX (box), second);
  return box;
}

static void
flow_compare_pane_init (FlowComparePane *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *scroller = NULL;
  const FlowTableColumn columns[] = {
    { _("Element"), index_text, NULL, "element", -1, 0, TRUE },
    { _("Now"), cell_text, NULL, NULL, 120, 1, TRUE },
    { _("Other"), cell_text, NULL, NULL, 120, 1, TRUE },
    { _("|Δ|"), difference_text, difference_css, "difference", 100, 1, TRUE },
  };
  const gpointer data[] = { NULL, (gpointer) "a", (gpointer) "b", NULL };

  self->rows = g_list_store_new (FLOW_TYPE_VARIANT_ITEM);
  self->summary = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->summary, 0);
  gtk_label_set_wrap (self->summary, TRUE);
  gtk_label_set_selectable (self->summary, TRUE);
  gtk_widget_set_focusable (GTK_WIDGET (self->summary), FALSE);
  gtk_widget_add_css_class (GTK_WIDGET (self->summary), "flow-stats");
  self->table = flow_table_new (self->rows, columns, data, G_N_ELEMENTS (columns));
  scroller = flow_table_scrolled (self->table, _("Elements that differ most"));
  g_signal_connect_object (gtk_column_view_get_model (self->table), "notify::selected",
                           G_CALLBACK (row_selected_cb), self, 0);
  g_signal_connect_object (self->table, "activate", G_CALLBACK (row_activated_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_set_size_request (scroller, -1, 140);
  gtk_box_append (GTK_BOX (box), create_bar (self));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->summary));
  gtk_box_append (GTK_BOX (box), scroller);
  adw_bin_set_child (ADW_BIN (self), box);
}

GtkWidget *
flow_compare_pane_new (FlowUiSession *session,
                       const char    *ref)
{
  FlowComparePane *self = g_object_new (FLOW_TYPE_COMPARE_PANE, NULL);

  self->session = g_object_ref (session);
  self->ref = g_strdup (ref);
  return GTK_WIDGET (self);
}
