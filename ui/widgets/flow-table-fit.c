/* flow-table-fit.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-table-fit.h"

/*
 * Columns as wide as what stands in them. While all fit, each has that width and the last one takes
 * the rest; when they do not, that column gives way in which the fewest cells are cut for the room that
 * is won: a column of numbers with one long one among them before names that are all long. Before that
 * goes a column that the table can do without. What a person has dragged stays as it is.
 */

/* Beside the text: what the style gives a cell on both sides, and a hair for rounding. */
#define CELL_PADDING 16
/* A head has as much, and the arrow that says how rows are sorted. */
#define HEAD_PADDING 20
/* A text longer than that is for its tooltip. */
#define WIDEST 560
#define NARROWEST 44
/* Words that are a little shorter than others may be wider: so many are measured at a time. */
#define MAX_TEXTS 24
/* So many cells tell what stands in a column; after them only longer words are taken up, so that nothing
 * jumps from step to step. */
#define MAX_SAMPLES 96
/* Widths that differ by less are one. */
#define LEVEL_STEP 4
/* A cell that is cut is one; one that is cut to nothing is so much more. */
#define CUT_DEEP 2.0
/* Half a number says nothing. */
#define WHOLE_WEIGHT 2.5
/* Of a name, and of the head of a column, in cells; a head is as good as so much of all cells. */
#define NAME_WEIGHT 2.0
#define HEAD_WEIGHT 0.6

/* Cells that need so much. */
typedef struct {
  int width;
  guint n;
} Level;

typedef struct {
  GtkColumnViewColumn *column; /* the table has it */
  GHashTable *texts;           /* char -> cells: not measured yet */
  GArray *levels;              /* Level, by width */
  guint n_samples;
  glong longest_chars;
  FlowTableFitFlags flags;
  int width;                   /* where it is not ours to say: a picture, or a person dragged it */
  gboolean keeps;
  gboolean is_optional;        /* goes before anything is cut */
  gboolean is_whole;           /* gives way after everything else */
  gboolean has_gone;
} FitColumn;

/* What a column is given, while it is being found out. */
typedef struct {
  const FitColumn *column;     /* NULL: not ours to say */
  int head;
  int width;
} Want;

typedef struct {
  GtkColumnView *table;        /* has this */
  GPtrArray *columns;          /* FitColumn */
  guint source;
  gboolean is_fitting;
} Fit;

static void
fit_column_free (gpointer data)
{
  FitColumn *self = data;

  g_hash_table_unref (self->texts);
  g_array_unref (self->levels);
  g_free (self);
}

static void
fit_free (gpointer data)
{
  Fit *self = data;

  g_clear_handle_id (&self->source, g_source_remove);
  g_ptr_array_unref (self->columns);
  g_free (self);
}

static int
measure (Fit        *self,
         const char *text,
         gboolean    monospace,
         double      scale)
{
  g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self->table), text);
  PangoFontDescription *font =
    pango_font_description_copy (pango_context_get_font_description (pango_layout_get_context (layout)));
  int width = 0;

  pango_font_description_set_size (font, (int) (pango_font_description_get_size (font) * scale));
  if (monospace)
    pango_font_description_set_family (font, "monospace");
  pango_layout_set_font_description (layout, font);
  pango_font_description_free (font);
  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

static void
add_level (FitColumn *column,
           int        width,
           guint      n)
{
  guint i = 0;

  width = (width + LEVEL_STEP - 1) / LEVEL_STEP * LEVEL_STEP;
  while (i < column->levels->len && g_array_index (column->levels, Level, i).width < width)
    i++;
  if (i < column->levels->len && g_array_index (column->levels, Level, i).width == width)
    g_array_index (column->levels, Level, i).n += n;
  else
    g_array_insert_val (column->levels, i, ((Level) { width, n }));
}

/* The sizes of the style: see .flow-table in the style sheet. Returns: whether all were measured */
static gboolean
measure_texts (Fit       *self,
               FitColumn *column)
{
  gboolean monospace = (column->flags & FLOW_TABLE_FIT_MONOSPACE) != 0;
  guint n_measured = 0;
  GHashTableIter iter;
  gpointer text = NULL;
  gpointer n = NULL;

  g_hash_table_iter_init (&iter, column->texts);
  while (n_measured < MAX_TEXTS && g_hash_table_iter_next (&iter, &text, &n))
    {
      int width = measure (self, text, monospace, monospace ? 0.9 : 0.92) + CELL_PADDING;

      add_level (column, CLAMP (width, NARROWEST, WIDEST), GPOINTER_TO_UINT (n));
      g_hash_table_iter_remove (&iter);
      n_measured++;
    }
  return g_hash_table_size (column->texts) == 0;
}

/* --- giving way ------------------------------------------------------------------------------------- */

/* What one that needs @needs loses at @width, in cells. */
static double
cost_of_cut (int width,
             int needs)
{
  return width >= needs ? 0.0 : 1.0 + CUT_DEEP * (needs - width) / needs;
}

/* What the column loses at that width, in shares of its cells. */
static double
cost_of_width (const Want *want,
               int         width)
{
  const GArray *levels = want->column->levels;
  double cost = 0.0;
  double n = 0.0;

  for (guint i = 0; i < levels->len; i++)
    {
      const Level *level = &g_array_index (levels, Level, i);

      n += level->n;
      cost += level->n * cost_of_cut (width, level->width);
    }
  cost = n > 0.0 ? cost / n : 0.0;
  return (want->column->is_whole ? WHOLE_WEIGHT : (want->column->flags & FLOW_TABLE_FIT_WIDE) != 0 ? NAME_WEIGHT : 1.0) * cost
         + HEAD_WEIGHT * cost_of_cut (width, want->head);
}

/* The width it had best give way to, and what that costs for each pixel won. */
static double
find_way (const Want *want,
          int        *width)
{
  const GArray *levels = want->column->levels;
  double now = cost_of_width (want, want->width);
  double best = G_MAXDOUBLE;

  for (guint i = 0; i <= levels->len + 1; i++)
    {
      int to = i == 0 ? NARROWEST : i == 1 ? want->head : g_array_index (levels, Level, i - 2).width;
      double cost;

      if (to >= want->width || to < NARROWEST)
        continue;
      cost = (cost_of_width (want, to) - now) / (want->width - to);
      if (cost < best)
        {
          best = cost;
          *width = to;
        }
    }
  return best;
}

/* Until all together have @available, or nothing gives way any more. */
static void
give_way (Want  *wants,
          guint  n,
          int    available)
{
  for (;;)
    {
      int excess = -available;
      double best = G_MAXDOUBLE;
      guint who = n;
      int to = 0;

      for (guint i = 0; i < n; i++)
        {
          int width = 0;
          double cost = G_MAXDOUBLE;

          if (wants[i].column == NULL)
            continue;
          excess += wants[i].width;
          cost = find_way (&wants[i], &width);
          if (cost < best)
            {
              best = cost;
              who = i;
              to = width;
            }
        }
      if (excess <= 0 || who == n)
        return;
      wants[who].width = MAX (to, wants[who].width - excess);
    }
}

/* What is left goes to the last column, or to the last one that has no figures: with columns that are
 * narrower than the table GTK 4.8 believes it was scrolled too far, and draws the glow of that. */
static FitColumn *
find_last (Fit *self)
{
  FitColumn *last = NULL;

  for (guint i = 0; i < self->columns->len; i++)
    {
      FitColumn *column = g_ptr_array_index (self->columns, i);

      if (gtk_column_view_column_get_visible (column->column) && (last == NULL || (column->flags & FLOW_TABLE_FIT_NUMBER) == 0))
        last = column;
    }
  return last;
}

static void
set_width (Fit       *self,
           FitColumn *column,
           int        width)
{
  self->is_fitting = TRUE;
  gtk_column_view_column_set_fixed_width (column->column, width);
  self->is_fitting = FALSE;
}

static int
get_available (Fit *self)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (self->table));

  return adjustment != NULL ? (int) gtk_adjustment_get_page_size (adjustment) : 0;
}

static void queue_fit (Fit *self);

/* What a column would like to have. */
static Want
make_want (Fit       *self,
           FitColumn *column)
{
  Want want = { column, 0, 0 };

  if (column->keeps)
    return (Want) { NULL, 0, column->width };
  if (!measure_texts (self, column))
    queue_fit (self);
  want.head = MAX (measure (self, gtk_column_view_column_get_title (column->column), FALSE, 1.0) + HEAD_PADDING, NARROWEST);
  want.width = want.head;
  if (column->levels->len > 0)
    want.width = MAX (want.head, g_array_index (column->levels, Level, column->levels->len - 1).width);
  return want;
}

/* What the table can do without goes where all together are too wide, and comes back where they are not. */
static void
show_optional (Fit *self,
               int  available)
{
  int wanted = 0;

  for (guint i = 0; i < self->columns->len; i++)
    {
      FitColumn *column = g_ptr_array_index (self->columns, i);

      if (gtk_column_view_column_get_visible (column->column) || column->has_gone)
        wanted += make_want (self, column).width;
    }
  for (guint i = 0; i < self->columns->len; i++)
    {
      FitColumn *column = g_ptr_array_index (self->columns, i);
      gboolean goes = column->is_optional && wanted > available;

      if (goes)
        wanted -= make_want (self, column).width;
      if (goes == column->has_gone || (goes && !gtk_column_view_column_get_visible (column->column)))
        continue;
      column->has_gone = goes;
      self->is_fitting = TRUE;
      gtk_column_view_column_set_visible (column->column, !goes);
      self->is_fitting = FALSE;
    }
}

static gboolean
fit_cb (gpointer data)
{
  Fit *self = data;
  int available = get_available (self);
  int left = available;
  guint n = self->columns->len;
  g_autofree Want *wants = g_new0 (Want, n + 1);
  FitColumn *last = find_last (self);
  int given = 0;

  self->source = 0;
  if (available < 2 * NARROWEST)
    return G_SOURCE_REMOVE;
  show_optional (self, available);
  for (guint i = 0; i < n; i++)
    {
      FitColumn *column = g_ptr_array_index (self->columns, i);

      if (!gtk_column_view_column_get_visible (column->column))
        continue;
      wants[i] = make_want (self, column);
      if (column->keeps)
        left -= column->width;
    }
  give_way (wants, n, left);
  for (guint i = 0; i < n; i++)
    {
      FitColumn *column = g_ptr_array_index (self->columns, i);

      if (!gtk_column_view_column_get_visible (column->column))
        continue;
      given += wants[i].width;
      if (column != last)
        set_width (self, column, wants[i].width);
    }
  for (guint i = 0; last != NULL && i < n; i++)
    if (g_ptr_array_index (self->columns, i) == last)
      set_width (self, last, wants[i].width + MAX (available - given, 0));
  return G_SOURCE_REMOVE;
}

static void
queue_fit (Fit *self)
{
  /* Before the next frame is laid out, after what is being filled in now. */
  if (self->source == 0)
    self->source = g_idle_add_full (G_PRIORITY_HIGH_IDLE, fit_cb, self, NULL);
}

static Fit *get_fit (GtkColumnView *table);

static void
fixed_width_cb (GtkColumnViewColumn *column,
                GParamSpec          *pspec,
                GtkColumnView       *table)
{
  Fit *self = get_fit (table);

  for (guint i = 0; i < self->columns->len && !self->is_fitting; i++)
    {
      FitColumn *fit_column = g_ptr_array_index (self->columns, i);

      if (fit_column->column == column && gtk_column_view_column_get_fixed_width (column) > 0)
        {
          fit_column->keeps = TRUE;
          fit_column->width = MAX (gtk_column_view_column_get_fixed_width (column), NARROWEST);
          queue_fit (self);
        }
    }
}

static void
page_size_cb (GtkColumnView *table)
{
  if (!get_fit (table)->is_fitting)
    queue_fit (get_fit (table));
}

static void
adjustment_cb (GtkColumnView *table)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (table));

  if (adjustment == NULL)
    return;
  g_signal_connect_object (adjustment, "notify::page-size", G_CALLBACK (page_size_cb), table, G_CONNECT_SWAPPED);
  page_size_cb (table);
}

static Fit *
get_fit (GtkColumnView *table)
{
  Fit *self = g_object_get_data (G_OBJECT (table), "flow-fit");

  if (self != NULL)
    return self;
  self = g_new0 (Fit, 1);
  self->table = table;
  self->columns = g_ptr_array_new_with_free_func (fit_column_free);
  g_object_set_data_full (G_OBJECT (table), "flow-fit", self, fit_free);
  g_signal_connect (table, "notify::hadjustment", G_CALLBACK (adjustment_cb), NULL);
  adjustment_cb (table);
  return self;
}

static FitColumn *
add_column (GtkColumnView       *table,
            GtkColumnViewColumn *view_column)
{
  FitColumn *column = g_new0 (FitColumn, 1);

  column->column = view_column;
  column->texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  column->levels = g_array_new (FALSE, FALSE, sizeof (Level));
  g_ptr_array_add (get_fit (table)->columns, column);
  return column;
}

/*
 * flow_table_fit_column:
 *
 * From now on the column is as wide as what flow_table_fit_text() says stands in it.
 */
void
flow_table_fit_column (GtkColumnView       *table,
                       GtkColumnViewColumn *view_column,
                       FlowTableFitFlags    flags)
{
  FitColumn *column = add_column (table, view_column);

  column->flags = flags;
  g_signal_connect_object (view_column, "notify::fixed-width", G_CALLBACK (fixed_width_cb), table, 0);
  g_signal_connect_object (view_column, "notify::visible", G_CALLBACK (page_size_cb), table, G_CONNECT_SWAPPED);
  page_size_cb (table);
}

static FitColumn *
find_column (Fit                 *self,
             GtkColumnViewColumn *view_column)
{
  for (guint i = 0; i < self->columns->len; i++)
    {
      FitColumn *column = g_ptr_array_index (self->columns, i);

      if (column->column == view_column)
        return column;
    }
  return NULL;
}

/* A column that the table can do without: it is not shown where others would be cut for it. */
void
flow_table_fit_optional (GtkColumnView       *table,
                         GtkColumnViewColumn *view_column)
{
  FitColumn *column = find_column (get_fit (table), view_column);

  g_return_if_fail (column != NULL);

  column->is_optional = TRUE;
  queue_fit (get_fit (table));
}

/* A column of values, which say nothing when they are cut: others give way first. */
void
flow_table_fit_whole (GtkColumnView       *table,
                      GtkColumnViewColumn *view_column)
{
  FitColumn *column = find_column (get_fit (table), view_column);

  g_return_if_fail (column != NULL);

  column->is_whole = TRUE;
  queue_fit (get_fit (table));
}

/* A column whose width is its own business: the others leave it that much. */
void
flow_table_fit_around (GtkColumnView       *table,
                       GtkColumnViewColumn *view_column)
{
  FitColumn *column = add_column (table, view_column);

  column->keeps = TRUE;
  column->width = MAX (gtk_column_view_column_get_fixed_width (view_column), NARROWEST);
  g_signal_connect_object (view_column, "notify::visible", G_CALLBACK (page_size_cb), table, G_CONNECT_SWAPPED);
  page_size_cb (table);
}

/* What a cell says now. */
void
flow_table_fit_text (GtkColumnView       *table,
                     GtkColumnViewColumn *view_column,
                     const char          *text)
{
  Fit *self = get_fit (table);
  glong chars = g_utf8_strlen (text, WIDEST);

  for (guint i = 0; i < self->columns->len; i++)
    {
      FitColumn *column = g_ptr_array_index (self->columns, i);

      if (column->column != view_column)
        continue;
      if (column->n_samples >= MAX_SAMPLES && (chars <= column->longest_chars || g_hash_table_size (column->texts) >= MAX_TEXTS))
        return;
      column->n_samples++;
      column->longest_chars = MAX (column->longest_chars, chars);
      g_hash_table_insert (column->texts, g_strdup (text),
                           GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (column->texts, text)) + 1));
      queue_fit (self);
    }
}
