/* flow-tensor-text.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-tensor-text.h"

#include <math.h>
#include <string.h>

#include "flow-util.h"
#include "flow-variant.h"

#include "flow-number-text-private.h"
#include "flow-tensor-load-private.h"

/* Whoever asks for text reads it: no more elements than this are ever written, whatever the shape
 * (two by two by two by ... is not made shorter by showing edges). */
#define MAX_SHOWN 20000

/* A string of a stranger in the middle of a table. */
#define MAX_STRING_CHARS 200

/* How the floating numbers of one array are written, all alike. */
typedef struct {
  FlowDType dtype;
  int precision;
  gboolean scientific;
  gboolean always_sign;  /* the imaginary part of complex numbers */
  int pad_left;
  int pad_right;
  int exp_width;
} FloatStyle;

typedef struct {
  const FlowTensor *tensor;
  FlowTextOptions options;
  gboolean elided;
  GArray *shown;         /* flat indices of what will be written, in order */
  GPtrArray *words;      /* their texts */
  guint next;
} TextJob;

static double
part_at (const FlowTensor *self,
         gint64            i,
         int               part)
{
  double value = 0;

  if (self->dtype == FLOW_DTYPE_COMPLEX64)
    return ((const float *) self->data)[2 * i + part];
  if (self->dtype == FLOW_DTYPE_COMPLEX128)
    return ((const double *) self->data)[2 * i + part];
  _flow_tensor_load_doubles (self, i, i + 1, &value);
  return value;
}

static FlowDType
part_dtype (FlowDType dtype)
{
  return dtype == FLOW_DTYPE_COMPLEX64 ? FLOW_DTYPE_FLOAT
         : dtype == FLOW_DTYPE_COMPLEX128 ? FLOW_DTYPE_DOUBLE
                                          : dtype;
}

static void
append_string (GString          *text,
               const FlowTensor *self,
               gint64            i)
{
  gsize length;
  const char *bytes = flow_tensor_get_string (self, i, &length);
  g_autofree char *shown = flow_escape_display (bytes, (gssize) length, MAX_STRING_CHARS);

  g_string_append (text, shown);
}

static void
append_handle (GString          *text,
               const FlowHandle *handle)
{
  g_autofree char *name = NULL;

  if (handle == NULL)
    {
      g_string_append (text, "<none>");
      return;
    }
  name = flow_escape_display (handle->name != NULL ? handle->name : "", -1, MAX_STRING_CHARS);
  g_string_append_printf (text, "<%s %s>", handle->type_name != NULL ? handle->type_name : "resource", name);
}

static void
append_variant (GString     *text,
                FlowVariant *variant)
{
  g_autofree char *what = NULL;

  if (variant == NULL)
    {
      g_string_append (text, "<none>");
      return;
    }
  what = flow_variant_describe (variant);
  g_string_append_printf (text, "<%s %s>", flow_variant_get_type_name (variant), what);
}

static void
append_element (GString          *text,
                const FlowTensor *self,
                gint64            i)
{
  if (flow_dtype_is_floating (self->dtype))
    {
      _flow_number_append_repr (text, self->dtype, part_at (self, i, 0));
      return;
    }
  if (flow_dtype_is_complex (self->dtype))
    {
      double im = part_at (self, i, 1);

      g_string_append_c (text, '(');
      _flow_number_append_repr (text, self->dtype, part_at (self, i, 0));
      if (!signbit (im) || isnan (im))
        g_string_append_c (text, '+');
      _flow_number_append_repr (text, self->dtype, im);
      g_string_append (text, "j)");
      return;
    }
  switch ((int) self->dtype)
    {
    case FLOW_DTYPE_BOOL:
      g_string_append (text, ((const guint8 *) self->data)[i] != 0 ? "True" : "False");
      return;
    case FLOW_DTYPE_STRING:
      append_string (text, self, i);
      return;
    case FLOW_DTYPE_RESOURCE:
      append_handle (text, ((FlowHandle *const *) self->data)[i]);
      return;
    case FLOW_DTYPE_VARIANT:
      append_variant (text, flow_tensor_get_variant (self, i));
      return;
    case FLOW_DTYPE_UINT64:
      g_string_append_printf (text, "%" G_GUINT64_FORMAT, ((const guint64 *) self->data)[i]);
      return;
    case FLOW_DTYPE_INT64:
      g_string_append_printf (text, "%" G_GINT64_FORMAT, ((const gint64 *) self->data)[i]);
      return;
    default:
      /* Every other integer is exact as a double. */
      g_string_append_printf (text, "%" G_GINT64_FORMAT, (gint64) part_at (self, i, 0));
    }
}

/* numpy's rule: an exponent for all when one is very large, very small, or they are far apart. */
static void
choose_style (FloatStyle *style,
              TextJob    *job,
              int         part)
{
  double max = 0;
  double min = INFINITY;
  int places = 0;
  gboolean finite = FALSE;
  gboolean negative_inf = style->always_sign;
  gboolean strange = FALSE;

  for (guint k = 0; k < job->shown->len; k++)
    {
      double v = part_at (job->tensor, g_array_index (job->shown, gint64, k), part);
      double a = fabs (v);

      if (!isfinite (v))
        {
          strange = TRUE;
          negative_inf |= isinf (v) && v < 0;
          continue;
        }
      finite = TRUE;
      if (a != 0)
        {
          max = MAX (max, a);
          min = MIN (min, a);
        }
    }
  style->scientific = max >= 1e8 || (max > 0 && (min < 1e-4 || max / min > 1000));

  for (guint k = 0; finite && k < job->shown->len; k++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      double v = part_at (job->tensor, g_array_index (job->shown, gint64, k), part);
      const char *dot;
      const char *e;

      if (!isfinite (v))
        continue;
      if (style->always_sign && !signbit (v))
        g_string_append_c (text, '+');
      _flow_digits_append (text, style->dtype, v, style->precision, style->scientific);
      dot = strchr (text->str, '.');
      e = strchr (text->str, 'e');
      style->pad_left = MAX (style->pad_left, (int) (dot - text->str));
      places = MAX (places, (int) ((e != NULL ? (gsize) (e - text->str) : text->len) - (dot - text->str) - 1));
      if (e != NULL)
        style->exp_width = MAX (style->exp_width, (int) strlen (e) - 2);
    }
  if (style->scientific)
    {
      style->precision = places;
      style->pad_right = style->exp_width + 2 + places;
    }
  else
    {
      style->pad_right = places;
    }
  if (strange)
    {
      style->pad_left = MAX (style->pad_left, 3 - (style->pad_right + 1));
      style->pad_left = MAX (style->pad_left, 3 + (negative_inf ? 1 : 0) - (style->pad_right + 1));
    }
}

/* With an exponent numpy gives every number as many digits as the longest one needs, exact ones. */
static void
append_scientific (GString          *word,
                   const FloatStyle *style,
                   double            v)
{
  char format[12];
  char digits[64];
  char *e;

  g_snprintf (format, sizeof format, "%%.%de", CLAMP (style->precision, 0, 20));
  g_ascii_formatd (digits, sizeof digits, format, v);
  e = strchr (digits, 'e');
  g_string_append_len (word, digits, e - digits);
  if (style->precision == 0)
    g_string_append_c (word, '.');
  g_string_append_len (word, e, 2);
  for (int i = (int) strlen (e) - 2; i < style->exp_width; i++)
    g_string_append_c (word, '0');
  g_string_append (word, e + 2);
}

static void
append_styled (GString          *text,
               const FloatStyle *style,
               double            v)
{
  g_autoptr (GString) word = g_string_new (NULL);
  const char *dot;

  if (!isfinite (v))
    {
      const char *name = isnan (v) ? (style->always_sign ? "+nan" : "nan")
                         : v < 0   ? "-inf"
                                   : (style->always_sign ? "+inf" : "inf");
      g_string_append_printf (text, "%*s", style->pad_left + style->pad_right + 1, name);
      return;
    }
  if (style->always_sign && !signbit (v))
    g_string_append_c (word, '+');
  if (style->scientific)
    {
      append_scientific (word, style, v);
      g_string_append_printf (text, "%*s", style->pad_left - (int) (strchr (word->str, '.') - word->str), "");
      g_string_append (text, word->str);
      return;
    }
  _flow_digits_append (word, style->dtype, v, style->precision, FALSE);
  dot = strchr (word->str, '.');
  g_string_append_printf (text, "%*s", style->pad_left - (int) (dot - word->str), "");
  g_string_append (text, word->str);
  g_string_append_printf (text, "%*s", style->pad_right - (int) (word->len - (gsize) (dot - word->str) - 1), "");
}

static void
make_float_words (TextJob *job)
{
  gboolean is_complex = flow_dtype_is_complex (job->tensor->dtype);
  FlowDType dtype = part_dtype (job->tensor->dtype);
  FloatStyle real = { .dtype = dtype, .precision = job->options.precision };
  FloatStyle imag = { .dtype = dtype, .precision = job->options.precision, .always_sign = TRUE };

  choose_style (&real, job, 0);
  if (is_complex)
    choose_style (&imag, job, 1);
  for (guint k = 0; k < job->shown->len; k++)
    {
      GString *word = g_string_new (NULL);
      gint64 i = g_array_index (job->shown, gint64, k);

      append_styled (word, &real, part_at (job->tensor, i, 0));
      if (is_complex)
        {
          gsize end;
          gsize spaces;

          append_styled (word, &imag, part_at (job->tensor, i, 1));
          /* The j stands at the number; what pads it follows. */
          for (end = word->len; end > 0 && word->str[end - 1] == ' '; end--)
            ;
          spaces = word->len - end;
          g_string_insert_c (word, (gssize) (word->len - spaces), 'j');
        }
      g_ptr_array_add (job->words, g_string_free (word, FALSE));
    }
}

static void
make_other_words (TextJob *job)
{
  gboolean quoted = job->tensor->dtype == FLOW_DTYPE_STRING;
  gboolean padded = job->tensor->dtype == FLOW_DTYPE_BOOL || flow_dtype_is_number (job->tensor->dtype)
                    || flow_dtype_is_quantized (job->tensor->dtype);
  gsize width = 0;

  for (guint k = 0; k < job->shown->len; k++)
    {
      GString *word = g_string_new (quoted ? "b'" : NULL);

      append_element (word, job->tensor, g_array_index (job->shown, gint64, k));
      if (quoted)
        g_string_append_c (word, '\'');
      width = MAX (width, word->len);
      g_ptr_array_add (job->words, g_string_free (word, FALSE));
    }
  for (guint k = 0; padded && k < job->words->len; k++)
    {
      char *word = g_ptr_array_index (job->words, k);

      g_ptr_array_index (job->words, k) = g_strdup_printf ("%*s", (int) width, word);
      g_free (word);
    }
}

/* Which indices of a dimension are shown: all, or both edges. */
static gboolean
is_cut (const TextJob *job,
        int            axis)
{
  return job->elided && FLOW_DIMS (job->tensor)[axis] > 2 * (gint64) job->options.edge_items;
}

static gboolean
gather (TextJob *job,
        int      axis,
        gint64   at)
{
  gint64 dim;
  gint64 edge = job->options.edge_items;

  if (axis == FLOW_RANK (job->tensor))
    {
      g_array_append_val (job->shown, at);
      return job->shown->len <= MAX_SHOWN;
    }
  dim = FLOW_DIMS (job->tensor)[axis];
  for (gint64 i = 0; i < dim; i++)
    {
      if (is_cut (job, axis) && i == edge)
        i = dim - edge;
      if (i < dim && !gather (job, axis + 1, at * dim + i))
        return FALSE;
    }
  return TRUE;
}

static void
extend_line (GString    *text,
             GString    *line,
             const char *word,
             int         width,
             gsize       indent)
{
  if (line->len > indent && g_utf8_strlen (line->str, -1) + g_utf8_strlen (word, -1) > width)
    {
      while (line->len > 0 && line->str[line->len - 1] == ' ')
        g_string_truncate (line, line->len - 1);
      g_string_append (text, line->str);
      g_string_append_c (text, '\n');
      g_string_truncate (line, 0);
      for (gsize i = 0; i < indent; i++)
        g_string_append_c (line, ' ');
    }
  g_string_append (line, word);
}

static void
write_row (TextJob *job,
           GString *text,
           int      axis,
           int      width)
{
  g_autoptr (GString) line = g_string_new (NULL);
  gint64 dim = FLOW_DIMS (job->tensor)[axis];
  gint64 edge = job->options.edge_items;
  gsize indent = (gsize) axis + 1;

  for (gsize i = 0; i < indent; i++)
    g_string_append_c (line, ' ');
  for (gint64 i = 0; i < dim; i++)
    {
      if (is_cut (job, axis) && i == edge)
        {
          extend_line (text, line, "...", width - 1, indent);
          g_string_append_c (line, ' ');
          i = dim - edge;
        }
      if (i >= dim)
        break;
      extend_line (text, line, g_ptr_array_index (job->words, job->next++), width - 1, indent);
      if (i < dim - 1)
        g_string_append_c (line, ' ');
    }
  g_string_append (text, line->str);
}

static void
write_axis (TextJob *job,
            GString *text,
            int      axis,
            int      width)
{
  int rank = FLOW_RANK (job->tensor);
  gint64 dim = FLOW_DIMS (job->tensor)[axis];
  gint64 edge = job->options.edge_items;
  g_autoptr (GString) inner = g_string_new (NULL);

  if (axis == rank - 1)
    {
      write_row (job, inner, axis, width);
      /* The bracket stands where the last blank of the indent was. */
      g_string_append_c (text, '[');
      g_string_append (text, inner->str + axis + 1);
      g_string_append_c (text, ']');
      return;
    }

  g_string_append_c (text, '[');
  for (gint64 i = 0; i < dim; i++)
    {
      if (i > 0)
        {
          for (int k = axis; k < rank - 1; k++)
            g_string_append_c (text, '\n');
          for (int k = 0; k <= axis; k++)
            g_string_append_c (text, ' ');
        }
      if (is_cut (job, axis) && i == edge)
        {
          g_string_append (text, "...");
          i = dim - edge - 1;
          continue;
        }
      write_axis (job, text, axis + 1, width - 1);
    }
  g_string_append_c (text, ']');
}

/**
 * flow_tensor_element_text:
 * @self: a tensor
 * @i: a flat index, from 0 to the number of elements less one
 *
 * One element as a person writes it: the fewest digits that tell which number of its dtype it is
 * (`0.1`, `1e-07`), `True`, `(1.0-2.0j)`; strings with what cannot be shown escaped and cut after
 * 200 characters; resources by type and name.
 *
 * Returns: (transfer full): the text
 */
char *
flow_tensor_element_text (const FlowTensor *self,
                          gint64            i)
{
  GString *text;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (i >= 0 && i < self->n_elements, NULL);

  text = g_string_new (NULL);
  append_element (text, self, i);
  return g_string_free (text, FALSE);
}

/**
 * flow_tensor_summary:
 * @self: a tensor
 *
 * Returns: (transfer full): dtype and shape, and the value of a scalar: `float32 [2,3]`,
 *   `int64 [] = 7`
 */
char *
flow_tensor_summary (const FlowTensor *self)
{
  g_autofree char *shape = NULL;
  g_autofree char *value = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  shape = flow_shape_to_string (self->shape);
  if (FLOW_RANK (self) != 0)
    return g_strdup_printf ("%s %s", flow_dtype_name (self->dtype), shape);
  value = flow_tensor_element_text (self, 0);
  return g_strdup_printf ("%s %s = %s", flow_dtype_name (self->dtype), shape, value);
}

/**
 * flow_tensor_to_text:
 * @self: a tensor
 * @options: (nullable): how; %NULL for numpy's own defaults
 *
 * Writes a tensor as numpy's str() writes an array: brackets, columns, edges only when it is large,
 * an exponent when the numbers are far apart. Strings stand as `b'...'`.
 *
 * Returns: (transfer full): the text, without a line end
 */
char *
flow_tensor_to_text (const FlowTensor      *self,
                     const FlowTextOptions *options)
{
  static const FlowTextOptions defaults = FLOW_TEXT_OPTIONS_INIT;
  g_autoptr (GArray) shown = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  TextJob job = { .tensor = self, .shown = shown, .words = words };
  GString *text;

  g_return_val_if_fail (self != NULL, NULL);

  job.options = options != NULL ? *options : defaults;
  job.options.edge_items = MAX (job.options.edge_items, 1);
  if (self->n_elements == 0)
    return g_strdup ("[]");
  if (FLOW_RANK (self) == 0 && self->dtype != FLOW_DTYPE_STRING)
    return flow_tensor_element_text (self, 0);

  job.elided = self->n_elements > job.options.threshold;
  if (!gather (&job, 0, 0))
    return flow_tensor_summary (self);
  if (flow_dtype_is_floating (self->dtype) || flow_dtype_is_complex (self->dtype))
    make_float_words (&job);
  else
    make_other_words (&job);

  if (FLOW_RANK (self) == 0)
    return g_strdup (g_ptr_array_index (words, 0));
  text = g_string_new (NULL);
  write_axis (&job, text, 0, job.options.line_width);
  return g_string_free (text, FALSE);
}
