/* flow-tensor-slice.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-tensor-slice.h"

#include <math.h>
#include <string.h>

#include "flow-format.h"

/**
 * FlowTensorSlice:
 *
 * A tensor cut down to two dimensions: which dimension runs down, which runs across, and where the
 * others stand. Written as numpy does: `[0, :, :, 7]`. Nothing is copied.
 */
struct _FlowTensorSlice
{
  GObject parent_instance;

  /* owned */
  const FlowTensor *tensor;
  FlowTensorStats *stats;
  gint64 *fixed;             /* per dimension; -1 where it is shown */
  gint64 *strides;

  int rank;
  int row_dim;               /* -1: one row */
  int column_dim;            /* -1: one column */
};

/* How much of a string element a cell shows. */
#define MAX_STRING_CHARS 60

enum {
  SIGNAL_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FlowTensorSlice, flow_tensor_slice, G_TYPE_OBJECT)

static void
flow_tensor_slice_finalize (GObject *object)
{
  FlowTensorSlice *self = FLOW_TENSOR_SLICE (object);

  g_clear_pointer (&self->tensor, flow_tensor_unref);
  g_clear_pointer (&self->stats, flow_tensor_stats_unref);
  g_free (self->fixed);
  g_free (self->strides);

  G_OBJECT_CLASS (flow_tensor_slice_parent_class)->finalize (object);
}

static void
flow_tensor_slice_class_init (FlowTensorSliceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = flow_tensor_slice_finalize;

  signals[SIGNAL_CHANGED] =
    g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 0);
}

static void
flow_tensor_slice_init (FlowTensorSlice *self)
{
}

/*
 * Which two dimensions to show first: the picture of an image batch (NHWC) or of a convolution's
 * filter (HWIO), else the last two.
 */
static void
choose_dims (FlowTensorSlice *self)
{
  int rank = self->rank;

  self->row_dim = rank >= 1 ? rank - 2 : -1;
  self->column_dim = rank >= 1 ? rank - 1 : -1;
  if (rank == 1)
    {
      self->row_dim = 0;
      self->column_dim = -1;
    }
  if (rank == 4)
    {
      gint64 d0 = flow_tensor_get_dim (self->tensor, 0);
      gint64 d1 = flow_tensor_get_dim (self->tensor, 1);
      gint64 d2 = flow_tensor_get_dim (self->tensor, 2);

      if (d0 == d1 && d0 <= 11 && d0 > 1)
        {
          self->row_dim = 0;
          self->column_dim = 1;
        }
      else if (d1 == d2)
        {
          self->row_dim = 1;
          self->column_dim = 2;
        }
    }
}

/* @stats: with a histogram of %FLOW_HISTOGRAM_BINS bins */
FlowTensorSlice *
flow_tensor_slice_new (const FlowTensor *tensor,
                       FlowTensorStats  *stats)
{
  FlowTensorSlice *self = g_object_new (FLOW_TYPE_TENSOR_SLICE, NULL);
  gint64 stride = 1;

  self->tensor = flow_tensor_ref (tensor);
  self->stats = flow_tensor_stats_ref (stats);
  self->rank = MAX (0, flow_tensor_get_rank (tensor));
  self->fixed = g_new0 (gint64, MAX (1, self->rank));
  self->strides = g_new0 (gint64, MAX (1, self->rank));
  /* The tensor exists, so the product of its dimensions fits. */
  for (int i = self->rank - 1; i >= 0; i--)
    {
      self->strides[i] = stride;
      stride *= MAX (1, flow_tensor_get_dim (tensor, i));
    }
  choose_dims (self);
  return self;
}

const FlowTensor *
flow_tensor_slice_get_tensor (FlowTensorSlice *self)
{
  g_return_val_if_fail (FLOW_IS_TENSOR_SLICE (self), NULL);

  return self->tensor;
}

FlowTensorStats *
flow_tensor_slice_get_stats (FlowTensorSlice *self)
{
  g_return_val_if_fail (FLOW_IS_TENSOR_SLICE (self), NULL);

  return self->stats;
}

gint64
flow_tensor_slice_get_n_rows (FlowTensorSlice *self)
{
  g_return_val_if_fail (FLOW_IS_TENSOR_SLICE (self), 0);

  if (flow_tensor_get_n_elements (self->tensor) == 0)
    return 0;
  return self->row_dim >= 0 ? flow_tensor_get_dim (self->tensor, self->row_dim) : 1;
}

gint64
flow_tensor_slice_get_n_columns (FlowTensorSlice *self)
{
  g_return_val_if_fail (FLOW_IS_TENSOR_SLICE (self), 0);

  if (flow_tensor_get_n_elements (self->tensor) == 0)
    return 0;
  return self->column_dim >= 0 ? flow_tensor_get_dim (self->tensor, self->column_dim) : 1;
}

/* Returns: the index of an element in the tensor, row-major */
gint64
flow_tensor_slice_get_element (FlowTensorSlice *self,
                               gint64           row,
                               gint64           column)
{
  gint64 element = 0;

  for (int i = 0; i < self->rank; i++)
    {
      gint64 at = i == self->row_dim ? row : i == self->column_dim ? column : self->fixed[i];

      element += at * self->strides[i];
    }
  return element;
}

gboolean
flow_tensor_slice_is_number (FlowTensorSlice *self)
{
  FlowDType dtype = flow_tensor_get_dtype (self->tensor);

  return dtype == FLOW_DTYPE_BOOL || flow_dtype_is_number (dtype);
}

/* Returns: the element as a number, NaN where it is none */
double
flow_tensor_slice_get_double (FlowTensorSlice *self,
                              gint64           row,
                              gint64           column)
{
  if (!flow_tensor_slice_is_number (self))
    return NAN;
  return flow_tensor_get_double (self->tensor, flow_tensor_slice_get_element (self, row, column));
}

static char *
complex_to_string (const FlowTensor *tensor,
                   gint64            element)
{
  double real = 0;
  double imaginary = 0;
  g_autofree char *a = NULL;
  g_autofree char *b = NULL;

  if (flow_tensor_get_dtype (tensor) == FLOW_DTYPE_COMPLEX64)
    {
      const float *data = flow_tensor_get_data (tensor);

      real = data[2 * element];
      imaginary = data[2 * element + 1];
    }
  else
    {
      const double *data = flow_tensor_get_data (tensor);

      real = data[2 * element];
      imaginary = data[2 * element + 1];
    }
  a = flow_format_number (real);
  b = flow_format_number (fabs (imaginary));
  return g_strdup_printf ("%s%s%sj", a, imaginary < 0 ? "−" : "+", b);
}

/* Returns: (transfer full): one element in words, for a cell or a scalar */
char *
flow_tensor_element_to_string (const FlowTensor *tensor,
                               gint64            element)
{
  FlowDType dtype = flow_tensor_get_dtype (tensor);

  if (dtype == FLOW_DTYPE_STRING)
    {
      gsize length = 0;
      const char *bytes = flow_tensor_get_string (tensor, element, &length);
      g_autofree char *text = flow_escape_display (bytes, (gssize) length, MAX_STRING_CHARS);

      return g_strdup_printf ("“%s”", text);
    }
  if (dtype == FLOW_DTYPE_BOOL)
    return g_strdup (flow_tensor_get_int (tensor, element) != 0 ? "True" : "False");
  if (flow_dtype_is_complex (dtype))
    return complex_to_string (tensor, element);
  if (dtype == FLOW_DTYPE_UINT64)
    return g_strdup_printf ("%" G_GUINT64_FORMAT, (guint64) flow_tensor_get_int (tensor, element));
  if (flow_dtype_is_integer (dtype))
    return g_strdup_printf ("%" G_GINT64_FORMAT, flow_tensor_get_int (tensor, element));
  if (flow_dtype_is_number (dtype))
    return flow_format_number (flow_tensor_get_double (tensor, element));
  return g_strdup (flow_dtype_name (dtype));
}

char *
flow_tensor_slice_dup_text (FlowTensorSlice *self,
                            gint64           row,
                            gint64           column)
{
  return flow_tensor_element_to_string (self->tensor,
                                        flow_tensor_slice_get_element (self, row, column));
}

/* Returns: (transfer full): where a cell is in the tensor: `[0, 3, 5, 7]` */
char *
flow_tensor_slice_dup_index (FlowTensorSlice *self,
                             gint64           row,
                             gint64           column)
{
  GString *text = g_string_new ("[");

  for (int i = 0; i < self->rank; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? ", " : "",
                            i == self->row_dim ? row
                                               : i == self->column_dim ? column : self->fixed[i]);
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

/* Returns: (transfer full): `[0, :, :, 7]` */
char *
flow_tensor_slice_to_string (FlowTensorSlice *self)
{
  GString *text = g_string_new ("[");

  for (int i = 0; i < self->rank; i++)
    {
      if (i > 0)
        g_string_append (text, ", ");
      if (i == self->row_dim || i == self->column_dim)
        g_string_append_c (text, ':');
      else
        g_string_append_printf (text, "%" G_GINT64_FORMAT, self->fixed[i]);
    }
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

/**
 * flow_tensor_slice_parse:
 * @text: `[0, :, :, 7]`, brackets optional; at most two colons; -1 is the last
 *
 * Returns: whether it was understood; then `changed` is emitted
 */
gboolean
flow_tensor_slice_parse (FlowTensorSlice *self,
                         const char      *text)
{
  g_autofree char *copy = g_strdup (text);
  g_auto(GStrv) words = NULL;
  g_autofree gint64 *fixed = g_new0 (gint64, MAX (1, self->rank));
  int shown[2] = { -1, -1 };
  int n_shown = 0;

  g_strdelimit (copy, "[]", ' ');
  words = g_strsplit (g_strstrip (copy), ",", -1);
  if (self->rank == 0 || (int) g_strv_length (words) != self->rank)
    return FALSE;
  for (int i = 0; i < self->rank; i++)
    {
      const char *word = g_strstrip (words[i]);
      gint64 dim = flow_tensor_get_dim (self->tensor, i);
      char *end = NULL;

      if (strcmp (word, ":") == 0)
        {
          if (n_shown == 2)
            return FALSE;
          shown[n_shown++] = i;
          continue;
        }
      fixed[i] = g_ascii_strtoll (word, &end, 10);
      if (end == word || *end != '\0')
        return FALSE;
      if (fixed[i] < 0)
        fixed[i] += dim;
      if (fixed[i] < 0 || fixed[i] >= dim)
        return FALSE;
    }
  self->row_dim = shown[0];
  self->column_dim = shown[1];
  memcpy (self->fixed, fixed, sizeof (gint64) * self->rank);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  return TRUE;
}

/* --- Statistics --- */

static void
summarize_worker (GTask        *task,
                  gpointer      source,
                  gpointer      task_data,
                  GCancellable *cancellable)
{
  g_task_return_pointer (task, flow_tensor_stats_new (task_data, FLOW_HISTOGRAM_BINS),
                         (GDestroyNotify) flow_tensor_stats_unref);
}

static void
unref_tensor (gpointer data)
{
  flow_tensor_unref (data);
}

/* Looks at every element, on a worker thread. */
void
flow_tensor_summarize_async (const FlowTensor    *tensor,
                             GCancellable        *cancellable,
                             GAsyncReadyCallback  callback,
                             gpointer             data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, data);

  g_task_set_source_tag (task, flow_tensor_summarize_async);
  g_task_set_task_data (task, flow_tensor_ref (tensor), unref_tensor);
  g_task_run_in_thread (task, summarize_worker);
}

/* Returns: (transfer full) */
FlowTensorStats *
flow_tensor_summarize_finish (GAsyncResult  *result,
                              GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
