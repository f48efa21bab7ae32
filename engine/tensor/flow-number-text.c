/* flow-number-text.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-number-text-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All through g_ascii_: a desktop's locale may have a comma for a decimal point. */

static int
max_digits (FlowDType dtype)
{
  switch ((int) dtype)
    {
    case FLOW_DTYPE_HALF:
      return 5;
    case FLOW_DTYPE_BFLOAT16:
      return 4;
    case FLOW_DTYPE_FLOAT:
    case FLOW_DTYPE_COMPLEX64:
      return 9;
    default:
      return 17;
    }
}

static gboolean
reads_back (FlowDType   dtype,
            const char *text,
            double      value)
{
  double read = g_ascii_strtod (text, NULL);

  switch ((int) dtype)
    {
    case FLOW_DTYPE_HALF:
      return flow_half_to_float (flow_half_from_float ((float) read)) == value;
    case FLOW_DTYPE_BFLOAT16:
      return flow_bfloat16_to_float (flow_bfloat16_from_float ((float) read)) == value;
    case FLOW_DTYPE_FLOAT:
    case FLOW_DTYPE_COMPLEX64:
      return (float) read == (float) value;
    default:
      return read == value;
    }
}

/*
 * _flow_digits_shortest:
 * @self: (out): the digits
 * @dtype: the dtype that @value came from: it says how many digits tell its numbers apart
 * @value: a finite number
 */
void
_flow_digits_shortest (FlowDigits *self,
                       FlowDType   dtype,
                       double      value)
{
  char text[40];
  const char *p = text;
  int low = 1;
  int high = max_digits (dtype);

  /* More digits never read back worse, so the fewest can be searched by halving. */
  while (low < high)
    {
      char format[8];
      int middle = (low + high) / 2;

      g_snprintf (format, sizeof format, "%%.%de", middle - 1);
      g_ascii_formatd (text, sizeof text, format, value);
      if (reads_back (dtype, text, value))
        high = middle;
      else
        low = middle + 1;
    }
  {
    char format[8];

    g_snprintf (format, sizeof format, "%%.%de", low - 1);
    g_ascii_formatd (text, sizeof text, format, value);
  }

  self->negative = *p == '-';
  if (self->negative)
    p++;
  self->n_digits = 0;
  for (; *p != '\0' && *p != 'e'; p++)
    if (g_ascii_isdigit (*p) && self->n_digits < (int) sizeof self->digits)
      self->digits[self->n_digits++] = *p;
  self->exponent = *p == 'e' ? atoi (p + 1) : 0;
  while (self->n_digits > 1 && self->digits[self->n_digits - 1] == '0')
    self->n_digits--;
}

/* Digits beyond @precision places are rounded from the number itself, not from its digits: rounding
 * twice could go wrong. */
static void
append_rounded (GString  *text,
                double    value,
                int       precision,
                gboolean  scientific)
{
  char format[12];
  char buffer[512];
  char *exponent;
  char *end;

  g_snprintf (format, sizeof format, scientific ? "%%.%de" : "%%.%df", precision);
  g_ascii_formatd (buffer, sizeof buffer, format, value);
  exponent = strchr (buffer, 'e');
  end = exponent != NULL ? exponent : buffer + strlen (buffer);
  while (end > buffer && end[-1] == '0')
    end--;
  if (strchr (buffer, '.') == NULL)
    {
      /* Precision 0. */
      end = exponent != NULL ? exponent : buffer + strlen (buffer);
      g_string_append_len (text, buffer, end - buffer);
      g_string_append_c (text, '.');
    }
  else
    g_string_append_len (text, buffer, end - buffer);
  if (exponent != NULL)
    g_string_append (text, exponent);
}

static void
append_positional (GString          *text,
                   const FlowDigits *d)
{
  if (d->exponent < 0)
    {
      g_string_append (text, "0.");
      for (int i = -1; i > d->exponent; i--)
        g_string_append_c (text, '0');
      g_string_append_len (text, d->digits, d->n_digits);
      return;
    }
  for (int i = 0; i <= d->exponent; i++)
    g_string_append_c (text, i < d->n_digits ? d->digits[i] : '0');
  g_string_append_c (text, '.');
  if (d->n_digits > d->exponent + 1)
    g_string_append_len (text, d->digits + d->exponent + 1, d->n_digits - d->exponent - 1);
}

/*
 * _flow_digits_append:
 * @text: where to append
 * @dtype: the dtype that @value came from
 * @value: a finite number
 * @precision: digits after the point at most, -1 for no limit
 * @scientific: with an exponent
 *
 * The fewest digits that tell the number, a point always, no zeros after it: `1.`, `0.25`, `1.e-07`.
 */
void
_flow_digits_append (GString   *text,
                     FlowDType  dtype,
                     double     value,
                     int        precision,
                     gboolean   scientific)
{
  FlowDigits d;
  int places;

  _flow_digits_shortest (&d, dtype, value);
  if (value == 0)
    d.exponent = 0;
  places = scientific ? d.n_digits - 1 : d.n_digits - 1 - d.exponent;
  if (precision >= 0 && places > precision)
    {
      append_rounded (text, value, precision, scientific);
      return;
    }

  if (d.negative)
    g_string_append_c (text, '-');
  if (!scientific)
    {
      if (value == 0)
        g_string_append (text, "0.");
      else
        append_positional (text, &d);
      return;
    }
  g_string_append_c (text, d.digits[0]);
  g_string_append_c (text, '.');
  g_string_append_len (text, d.digits + 1, d.n_digits - 1);
  g_string_append_printf (text, "e%c%02d", d.exponent < 0 ? '-' : '+', abs (d.exponent));
}

/*
 * _flow_number_append_repr:
 * @text: where to append
 * @dtype: the floating or complex dtype that @value came from
 * @value: any number
 *
 * As Python's repr(): `1.0`, `0.1`, `1e-07`, `nan`, `-inf`.
 */
void
_flow_number_append_repr (GString   *text,
                          FlowDType  dtype,
                          double     value)
{
  double a = fabs (value);
  gboolean scientific = a != 0 && (a < 1e-4 || a >= 1e16);
  char *dot;
  gsize start = text->len;

  if (isnan (value))
    {
      g_string_append (text, "nan");
      return;
    }
  if (isinf (value))
    {
      g_string_append (text, value < 0 ? "-inf" : "inf");
      return;
    }
  _flow_digits_append (text, dtype, value, -1, scientific);
  if (!scientific && text->str[text->len - 1] == '.')
    g_string_append_c (text, '0');
  else if (scientific && (dot = strstr (text->str + start, ".e")) != NULL)
    g_string_erase (text, dot - text->str, 1);
}
