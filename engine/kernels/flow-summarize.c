/* flow-summarize.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-summarize-private.h"

#include "flow-summarize.h"

#include <math.h>
#include <stdlib.h>

/* A message is for people: beyond this it is cut, whatever the graph asks for. */
#define MAX_TEXT (1 << 20)

void
_flow_append_escaped (GString    *text,
                      const char *bytes,
                      gsize       length)
{
  for (gsize i = 0; i < length && text->len < MAX_TEXT; i++)
    {
      guchar c = (guchar) bytes[i];

      switch (c)
        {
        case '\n':
          g_string_append (text, "\\n");
          break;
        case '\r':
          g_string_append (text, "\\r");
          break;
        case '\t':
          g_string_append (text, "\\t");
          break;
        case '"':
        case '\'':
        case '\\':
          g_string_append_c (text, '\\');
          g_string_append_c (text, (char) c);
          break;
        default:
          if (c >= 0x20 && c < 0x7f)
            g_string_append_c (text, (char) c);
          else
            g_string_append_printf (text, "\\%03o", c);
          break;
        }
    }
}

static gboolean
append_special (GString *text,
                double   value)
{
  if (isnan (value))
    g_string_append (text, signbit (value) ? "-nan" : "nan");
  else if (isinf (value))
    g_string_append (text, value > 0 ? "inf" : "-inf");
  else
    return FALSE;
  return TRUE;
}

void
_flow_append_float (GString *text,
                    float    value)
{
  char buffer[64];

  if (append_special (text, (double) value))
    return;
  g_ascii_formatd (buffer, sizeof buffer, "%.6g", (double) value);
  if (strtof (buffer, NULL) != value)
    g_ascii_formatd (buffer, sizeof buffer, "%.9g", (double) value);
  g_string_append (text, buffer);
}

void
_flow_append_double (GString *text,
                     double   value)
{
  char buffer[64];

  if (append_special (text, value))
    return;
  g_ascii_formatd (buffer, sizeof buffer, "%.15g", value);
  if (g_ascii_strtod (buffer, NULL) != value)
    g_ascii_formatd (buffer, sizeof buffer, "%.17g", value);
  g_string_append (text, buffer);
}

FlowNumberText
_flow_float_text (float value)
{
  g_autoptr (GString) text = g_string_new (NULL);
  FlowNumberText number;

  _flow_append_float (text, value);
  g_strlcpy (number.text, text->str, sizeof number.text);
  return number;
}

FlowNumberText
_flow_double_text (double value)
{
  g_autoptr (GString) text = g_string_new (NULL);
  FlowNumberText number;

  _flow_append_double (text, value);
  g_strlcpy (number.text, text->str, sizeof number.text);
  return number;
}

FlowNumberText
_flow_number_text (int    dtype,
                   double value)
{
  return dtype == FLOW_DTYPE_DOUBLE ? _flow_double_text (value) : _flow_float_text ((float) value);
}

/* TF 1.15 writes a question mark for each of these, one after the other. */
static gboolean
has_no_text (int dtype)
{
  return dtype == FLOW_DTYPE_BFLOAT16 || dtype == FLOW_DTYPE_COMPLEX64 || dtype == FLOW_DTYPE_COMPLEX128 ||
         dtype == FLOW_DTYPE_RESOURCE || dtype == FLOW_DTYPE_VARIANT;
}

static void
append_element (GString          *text,
                const FlowTensor *t,
                gint64            i)
{
  gsize length;
  const char *bytes;

  if (has_no_text (t->dtype))
    {
      g_string_append_c (text, '?');
      return;
    }

  switch ((int) t->dtype)
    {
    case FLOW_DTYPE_FLOAT:
      _flow_append_float (text, FLOW_DATA (float, t)[i]);
      break;
    case FLOW_DTYPE_HALF:
      _flow_append_float (text, flow_half_to_float (FLOW_DATA (guint16, t)[i]));
      break;
    case FLOW_DTYPE_DOUBLE:
      _flow_append_double (text, FLOW_DATA (double, t)[i]);
      break;
    case FLOW_DTYPE_STRING:
      bytes = flow_tensor_get_string (t, i, &length);
      _flow_append_escaped (text, bytes, length);
      break;
    case FLOW_DTYPE_UINT64:
      g_string_append_printf (text, "%" G_GUINT64_FORMAT, FLOW_DATA (guint64, t)[i]);
      break;
    default:
      g_string_append_printf (text, "%" G_GINT64_FORMAT, flow_tensor_get_int (t, i));
      break;
    }
}

typedef struct {
  GString *text;
  const FlowTensor *tensor;
  gint64 limit;
  gint64 next;
} Printer;

/* As TensorFlow writes it: brackets around all dims but the first and the last, and cut where the
 * elements end. The rank is at most 254, and so is the depth. */
static void
print_dim (Printer *p,
           int      dim)
{
  gint64 n = FLOW_DIMS (p->tensor)[dim];

  if (p->next >= p->limit)
    return;
  for (gint64 i = 0; i < n; i++)
    {
      if (dim == FLOW_RANK (p->tensor) - 1)
        {
          if (p->next >= p->limit)
            {
              if (dim != 0)
                g_string_append (p->text, "...");
              return;
            }
          if (i > 0)
            g_string_append_c (p->text, ' ');
          append_element (p->text, p->tensor, p->next++);
          if (p->text->len >= MAX_TEXT)
            p->limit = p->next;
        }
      else
        {
          gboolean open = p->next < p->limit;

          if (!open)
            return;
          g_string_append_c (p->text, '[');
          print_dim (p, dim + 1);
          g_string_append_c (p->text, ']');
        }
    }
}

void
_flow_summarize (GString          *text,
                 const FlowTensor *tensor,
                 gint64            max_entries)
{
  gint64 n = tensor->n_elements;
  Printer p = { text, tensor, max_entries < 0 ? n : MIN (max_entries, n), 0 };

  if (FLOW_RANK (tensor) == 0 || has_no_text (tensor->dtype))
    {
      for (; p.next < p.limit && text->len < MAX_TEXT; p.next++)
        {
          if (p.next > 0)
            g_string_append_c (text, ' ');
          append_element (text, tensor, p.next);
        }
    }
  else
    {
      print_dim (&p, 0);
    }
  if (n > p.limit)
    g_string_append (text, "...");
}

/**
 * flow_tensor_summarize: (skip)
 * @self: a tensor
 * @max_entries: how many elements at most; negative: all
 *
 * Returns: (transfer full): its elements as TensorFlow's Tensor::SummarizeValue writes them
 */
char *
flow_tensor_summarize (const FlowTensor *self,
                       gint64            max_entries)
{
  GString *text = g_string_new (NULL);

  _flow_summarize (text, self, max_entries);
  return g_string_free (text, FALSE);
}

/* --- the second version ------------------------------------------------------------------------------------ */

/* What goes between two neighbours of dim @dim: lines between rows, empty ones between matrices. */
static void
append_spacing (GString *text,
                int      dim,
                int      rank)
{
  if (dim == rank - 1)
    {
      g_string_append_c (text, ' ');
      return;
    }
  for (int k = 0; k < rank - dim - 1; k++)
    g_string_append_c (text, '\n');
  for (int k = 0; k <= dim; k++)
    g_string_append_c (text, ' ');
}

static void
append_quoted (GString          *text,
               const FlowTensor *t,
               gint64            i)
{
  if (t->dtype == FLOW_DTYPE_STRING)
    g_string_append_c (text, '"');
  append_element (text, t, i);
  if (t->dtype == FLOW_DTYPE_STRING)
    g_string_append_c (text, '"');
}

static void
print_dim_v2 (GString          *text,
              const FlowTensor *t,
              gint64            ends,
              int               dim,
              gint64            first)
{
  int rank = FLOW_RANK (t);
  gint64 n = dim < rank ? FLOW_DIMS (t)[dim] : 0;
  gint64 step = 1;

  if (dim == rank)
    {
      append_quoted (text, t, first);
      return;
    }
  for (int k = dim + 1; k < rank; k++)
    step *= FLOW_DIMS (t)[k];
  g_string_append_c (text, '[');
  for (gint64 i = 0; i < n && text->len < MAX_TEXT; i++)
    {
      if (i == ends && n - ends > ends)
        {
          append_spacing (text, dim, rank);
          g_string_append (text, "...");
          i = n - ends;
          if (i == n)
            break;
        }
      if (i > 0)
        append_spacing (text, dim, rank);
      print_dim_v2 (text, t, ends, dim + 1, first + i * step);
    }
  g_string_append_c (text, ']');
}

void
_flow_summarize_v2 (GString          *text,
                    const FlowTensor *tensor,
                    gint64            ends)
{
  /* TF: the one element of a scalar is left out like others where none are asked for. */
  if (FLOW_RANK (tensor) == 0 && ends == 0)
    g_string_append (text, "...");
  else
    print_dim_v2 (text, tensor, ends < 0 ? tensor->n_elements : MIN (ends, tensor->n_elements), 0, 0);
}
