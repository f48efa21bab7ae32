/* flow-text-scan.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-text-scan-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A number longer than this is no number anybody wrote. */
#define MAX_NUMBER 400

void
_flow_text_scan_init (FlowTextScan *self,
                      const char   *text,
                      gsize         length)
{
  memset (self, 0, sizeof *self);
  self->start = text;
  self->pos = text;
  self->end = text + length;
  self->problem_code = FLOW_ERROR_DATA_LOSS;
}

void
_flow_text_scan_clear (FlowTextScan *self)
{
  g_clear_pointer (&self->problem, g_free);
}

void
_flow_text_scan_fail (FlowTextScan *self,
                      const char   *at,
                      const char   *format,
                      ...)
{
  va_list args;

  if (self->problem == NULL)
    {
      va_start (args, format);
      self->problem = g_strdup_vprintf (format, args);
      va_end (args);
      self->problem_at = at;
    }
  self->pos = self->end;
}

/* TRUE when nothing failed; else the error with line and column, both from 1. */
gboolean
_flow_text_scan_finish (FlowTextScan  *self,
                        const char    *label,
                        GError       **error)
{
  const char *line_start = self->start;
  gsize line = 1;

  if (self->problem == NULL)
    return TRUE;
  for (const char *p = self->start; p < self->problem_at; p++)
    if (*p == '\n')
      {
        line++;
        line_start = p + 1;
      }
  g_set_error (error, FLOW_ERROR, self->problem_code,
               "Can't parse %s as text proto: %" G_GSIZE_FORMAT ":%" G_GSIZE_FORMAT ": %s", label, line,
               (gsize) (self->problem_at - line_start) + 1, self->problem);
  return FALSE;
}

static gboolean
is_space (char c)
{
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static gboolean
is_word (char c)
{
  return g_ascii_isalnum (c) || c == '_';
}

char
_flow_text_scan_peek (FlowTextScan *self)
{
  const char *p = self->pos;

  while (p < self->end && (is_space (*p) || *p == '#'))
    if (*p == '#')
      {
        const char *newline = memchr (p, '\n', (gsize) (self->end - p));

        p = newline != NULL ? newline : self->end;
      }
    else
      p++;
  self->pos = p;
  if (p == self->end)
    return '\0';
  if (*p == '\0')
    {
      _flow_text_scan_fail (self, p, "Invalid control character: 00");
      return '\0';
    }
  return *p;
}

gboolean
_flow_text_scan_accept (FlowTextScan *self,
                        char          c)
{
  if (_flow_text_scan_peek (self) != c)
    return FALSE;
  self->pos++;
  return TRUE;
}

/* What stands here, for messages. */
static char *
describe (FlowTextScan *self)
{
  const char *p = self->pos;

  if (p == self->end)
    return g_strdup ("the end");
  while (p < self->end && is_word (*p) && p - self->pos < 40)
    p++;
  if (p == self->pos)
    p++;
  return flow_escape_display (self->pos, p - self->pos, 40);
}

gboolean
_flow_text_scan_expect (FlowTextScan *self,
                        char          c)
{
  g_autofree char *found = NULL;

  if (_flow_text_scan_accept (self, c))
    return TRUE;
  if (self->problem == NULL)
    {
      found = describe (self);
      _flow_text_scan_fail (self, self->pos, "Expected \"%c\", found \"%s\".", c, found);
    }
  return FALSE;
}

gboolean
_flow_text_scan_word (FlowTextScan *self,
                      FlowTextWord *word)
{
  char c = _flow_text_scan_peek (self);
  const char *p = self->pos;
  g_autofree char *found = NULL;

  if (!is_word (c) || g_ascii_isdigit (c))
    {
      if (self->problem == NULL)
        {
          found = describe (self);
          _flow_text_scan_fail (self, self->pos, "Expected identifier, found \"%s\".", found);
        }
      return FALSE;
    }
  while (p < self->end && is_word (*p))
    p++;
  word->text = self->pos;
  word->length = (gsize) (p - self->pos);
  self->pos = p;
  return TRUE;
}

static int
digit_value (char c)
{
  return g_ascii_isxdigit (c) ? g_ascii_xdigit_value (c) : 99;
}

gboolean
_flow_text_scan_integer (FlowTextScan *self,
                         gboolean     *negative,
                         guint64      *magnitude)
{
  const char *at;
  const char *p;
  int base = 10;
  guint64 value = 0;
  gboolean overflow = FALSE;

  *negative = _flow_text_scan_accept (self, '-');
  _flow_text_scan_peek (self);
  at = p = self->pos;
  if (p < self->end && *p == '0' && p + 1 < self->end)
    {
      if (p[1] == 'x' || p[1] == 'X')
        {
          base = 16;
          p += 2;
        }
      else if (g_ascii_isdigit (p[1]))
        {
          base = 8;
          p++;
        }
    }
  if (p == self->end || digit_value (*p) >= base)
    {
      g_autofree char *found = describe (self);

      _flow_text_scan_fail (self, at, "Expected integer, got: %s", found);
      return FALSE;
    }
  for (; p < self->end && digit_value (*p) < base; p++)
    overflow |= __builtin_mul_overflow (value, (guint64) base, &value) ||
                __builtin_add_overflow (value, (guint64) digit_value (*p), &value);
  if (p < self->end && (is_word (*p) || *p == '.'))
    {
      _flow_text_scan_fail (self, at, "Expected integer, got: %.*s", (int) MIN (p - at + 1, 40), at);
      return FALSE;
    }
  if (overflow)
    {
      _flow_text_scan_fail (self, at, "Integer out of range (%.*s)", (int) MIN (p - at, 40), at);
      return FALSE;
    }
  *magnitude = value;
  self->pos = p;
  return TRUE;
}

gboolean
_flow_text_scan_float (FlowTextScan *self,
                       double       *value)
{
  static const char *const names[] = { "inf", "infinity", "nan" };
  char number[MAX_NUMBER + 1];
  gboolean negative = _flow_text_scan_accept (self, '-');
  const char *p;
  char *stop = NULL;
  gsize length;

  _flow_text_scan_peek (self);
  p = self->pos;
  while (p < self->end && (is_word (*p) || *p == '.' ||
                           ((*p == '+' || *p == '-') && p > self->pos && (p[-1] == 'e' || p[-1] == 'E'))))
    p++;
  length = (gsize) (p - self->pos);
  if (length == 0 || length > MAX_NUMBER)
    {
      g_autofree char *found = describe (self);

      _flow_text_scan_fail (self, self->pos, "Expected double, got: %s", found);
      return FALSE;
    }
  memcpy (number, self->pos, length);
  number[length] = '\0';
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_ascii_strcasecmp (number, names[i]) == 0)
      {
        *value = i == 2 ? NAN : INFINITY;
        stop = number + length;
      }
  /* strtod() reads more than the text format has: hexadecimal floats, names of its own. */
  if (stop == NULL && (g_ascii_isdigit (number[0]) || number[0] == '.') && strpbrk (number, "xX") == NULL)
    {
      *value = g_ascii_strtod (number, &stop);
      if (*stop == 'f' || *stop == 'F')
        stop++;
    }
  if (stop == NULL || *stop != '\0')
    {
      _flow_text_scan_fail (self, self->pos, "Expected double, got: %.40s", number);
      return FALSE;
    }
  if (negative)
    *value = -*value;
  self->pos = p;
  return TRUE;
}

/* \ooo, \xhh, \uhhhh, \Uhhhhhhhh: @p stands behind the letter or at the first octal digit. */
static const char *
scan_code (const char *p,
           const char *end,
           int         base,
           int         min,
           int         max,
           guint32    *code)
{
  int n = 0;

  *code = 0;
  for (; n < max && p < end && digit_value (*p) < base; n++)
    *code = *code * (guint32) base + (guint32) digit_value (*p++);
  return n >= min ? p : NULL;
}

static const char *
scan_escape (FlowTextScan    *self,
             const char      *p,
             FlowProtoWriter *out)
{
  static const char letters[] = "abfnrtv?\\'\"";
  static const char values[] = "\a\b\f\n\r\t\v?\\'\"";
  const char *at = p - 1;
  const char *letter;
  guint32 code;
  char utf8[6];
  guint8 byte;
  int digits;

  if (p == self->end)
    {
      _flow_text_scan_fail (self, at, "String literal is not terminated.");
      return NULL;
    }
  letter = *p != '\0' ? strchr (letters, *p) : NULL;
  if (letter != NULL)
    {
      flow_proto_writer_append (out, &values[letter - letters], 1);
      return p + 1;
    }
  if (*p == 'u' || *p == 'U')
    {
      digits = *p == 'u' ? 4 : 8;
      p = scan_code (p + 1, self->end, 16, digits, digits, &code);
      if (p == NULL || code > 0x10ffff)
        {
          _flow_text_scan_fail (self, at, "Expected %d hex digits of a character for \\%c.", digits,
                                digits == 4 ? 'u' : 'U');
          return NULL;
        }
      flow_proto_writer_append (out, utf8, (gsize) g_unichar_to_utf8 (code, utf8));
      return p;
    }
  if (*p == 'x' || *p == 'X')
    p = scan_code (p + 1, self->end, 16, 1, 2, &code);
  else
    p = scan_code (p, self->end, 8, 1, 3, &code);
  if (p == NULL)
    {
      _flow_text_scan_fail (self, at, "Invalid escape sequence in string literal.");
      return NULL;
    }
  byte = (guint8) code;
  flow_proto_writer_append (out, &byte, 1);
  return p;
}

static gboolean
scan_quoted (FlowTextScan    *self,
             FlowProtoWriter *out)
{
  const char *at = self->pos;
  char quote = *self->pos;
  const char *p = self->pos + 1;

  for (;;)
    {
      const char *plain = p;

      while (p < self->end && *p != quote && *p != '\\' && *p != '\n')
        p++;
      flow_proto_writer_append (out, plain, (gsize) (p - plain));
      if (p == self->end)
        {
          _flow_text_scan_fail (self, at, "String literal is not terminated.");
          return FALSE;
        }
      if (*p == '\n')
        {
          _flow_text_scan_fail (self, p, "String literals cannot cross line boundaries.");
          return FALSE;
        }
      if (*p == quote)
        break;
      p = scan_escape (self, p + 1, out);
      if (p == NULL)
        return FALSE;
    }
  self->pos = p + 1;
  return TRUE;
}

gboolean
_flow_text_scan_string (FlowTextScan    *self,
                        FlowProtoWriter *out)
{
  char c = _flow_text_scan_peek (self);

  if (c != '"' && c != '\'')
    {
      g_autofree char *found = describe (self);

      _flow_text_scan_fail (self, self->pos, "Expected string, got: %s", found);
      return FALSE;
    }
  for (; c == '"' || c == '\''; c = _flow_text_scan_peek (self))
    if (!scan_quoted (self, out))
      return FALSE;
  return TRUE;
}

/* A double that a float cannot hold becomes infinite: written out, since the cast itself is
 * undefined then. The limit is halfway from the largest float to what would follow it. */
float
_flow_double_to_float (double value)
{
  const double limit = 0x1.ffffffp127;

  if (isnan (value))
    return NAN;
  if (fabs (value) > limit)
    return value > 0 ? INFINITY : -INFINITY;
  if (fabs (value) > (double) FLT_MAX)
    return value > 0 ? FLT_MAX : -FLT_MAX;
  return (float) value;
}
