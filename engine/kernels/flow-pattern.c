/* flow-pattern.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What TensorFlow's regular expressions may say, and its words where they may not. The library that matches here takes
 * more (it looks ahead and back), and says other words.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-string-private.h"

#include <string.h>

#define MAX_REPEAT 1000

typedef struct {
  const char *begin;
  const char *end;
  const char *at;
  const char *last_repeat;     /* nullable: where the repetition before this began */
  gboolean has_argument;       /* there is something to repeat */
  int depth;
  char *failure;               /* nullable */
} Scan;

static gboolean
fail (Scan       *self,
      const char *words,
      const char *from,
      const char *to)
{
  self->failure = from != NULL ? g_strdup_printf ("%s: %.*s", words, (int) MIN (to - from, 200), from) : g_strdup (words);
  return FALSE;
}

static gboolean
is_at (const Scan *self,
       const char *text)
{
  gsize n = strlen (text);

  return (gsize) (self->end - self->at) >= n && memcmp (self->at, text, n) == 0;
}

/* A backslash and what belongs to it. */
static gboolean
scan_escape (Scan *self)
{
  const char *from = self->at++;

  if (self->at == self->end)
    return fail (self, "trailing \\", NULL, NULL);
  if (*self->at == 'Q')
    {
      const char *stop = g_strstr_len (self->at, self->end - self->at, "\\E");

      self->at = stop != NULL ? stop + 2 : self->end;
      return TRUE;
    }
  /* A back reference is none of its words; \12 is a character. */
  if ((*self->at >= '1' && *self->at <= '7' && (self->at + 1 == self->end || self->at[1] < '0' || self->at[1] > '7'))
      || *self->at == '8' || *self->at == '9' || (g_ascii_isalpha (*self->at) && strchr ("dDsSwWbBAzCpPnrtfvaxE", *self->at) == NULL))
    return fail (self, "invalid escape sequence", from, self->at + 1);
  self->at++;
  return TRUE;
}

static gboolean
scan_class (Scan *self)
{
  const char *from = self->at++;
  gboolean first = TRUE;

  if (self->at < self->end && *self->at == '^')
    self->at++;
  for (; self->at < self->end && (*self->at != ']' || first); first = FALSE)
    {
      const char *low = self->at;

      if (is_at (self, "[:"))
        {
          const char *stop = g_strstr_len (self->at, self->end - self->at, ":]");

          if (stop != NULL)
            {
              self->at = stop + 2;
              continue;
            }
        }
      if (*self->at == '\\')
        {
          if (!scan_escape (self))
            return FALSE;
        }
      else
        self->at++;
      if (self->end - self->at >= 2 && self->at[0] == '-' && self->at[1] != ']' && self->at[1] != '\\' && *low != '\\')
        {
          self->at += 2;
          if ((guchar) *low < 0x80 && (guchar) self->at[-1] < 0x80 && low[0] > self->at[-1])
            return fail (self, "invalid character class range", low, self->at);
        }
    }
  if (self->at == self->end)
    return fail (self, "missing ]", from, self->end);
  self->at++;
  return TRUE;
}

/* What stands between "(?" and the group's inside. */
static gboolean
scan_flags (Scan *self)
{
  const char *from = self->at;

  if (is_at (self, "(?P<"))
    {
      const char *stop = memchr (self->at, '>', (gsize) (self->end - self->at));

      if (stop == NULL)
        return fail (self, "invalid named capture group", from, self->end);
      for (const char *c = from + 4; c < stop; c++)
        if (!g_ascii_isalnum (*c) && *c != '_')
          return fail (self, "invalid named capture group", from, stop + 1);
      if (stop == from + 4)
        return fail (self, "invalid named capture group", from, stop + 1);
      self->at = stop + 1;
      return TRUE;
    }
  for (self->at += 2; self->at < self->end; self->at++)
    {
      if (*self->at == ':')
        {
          self->at++;
          return TRUE;
        }
      if (*self->at == ')')
        return TRUE;
      if (strchr ("imsU-", *self->at) == NULL)
        return fail (self, "invalid perl operator", from, self->at + 1);
    }
  return fail (self, "invalid perl operator", from, self->end);
}

/* Finds "{n}", "{n,}" or "{n,m}"; anything else is text. */
static gboolean
is_counted (Scan    *self,
            guint64 *low,
            guint64 *high,
            char   **stop)
{
  if (self->end - self->at < 3 || !g_ascii_isdigit (self->at[1]))
    return FALSE;
  *low = *high = g_ascii_strtoull (self->at + 1, stop, 10);
  if (*stop < self->end && **stop == ',')
    {
      (*stop)++;
      if (*stop < self->end && g_ascii_isdigit (**stop))
        *high = g_ascii_strtoull (*stop, stop, 10);
    }
  if (*stop >= self->end || **stop != '}')
    return FALSE;
  (*stop)++;
  return TRUE;
}

static gboolean
scan_repeat (Scan       *self,
             const char *stop)
{
  const char *from = self->at;

  if (!self->has_argument)
    return fail (self, "no argument for repetition operator", from, stop);
  if (stop < self->end && *stop == '?')
    stop++;
  if (self->last_repeat != NULL)
    return fail (self, "bad repetition operator", self->last_repeat, stop);
  self->last_repeat = from;
  self->at = stop;
  return TRUE;
}

static gboolean
scan_one (Scan *self)
{
  guint64 low = 0;
  guint64 high = 0;
  char *stop = NULL;

  switch (*self->at)
    {
    case '*':
    case '+':
    case '?':
      return scan_repeat (self, self->at + 1);
    case '{':
      if (!is_counted (self, &low, &high, &stop))
        break;
      if (low > MAX_REPEAT || high > MAX_REPEAT || high < low)
        return fail (self, "invalid repetition size", self->at, stop);
      return scan_repeat (self, stop);
    case '(':
      self->depth++;
      self->has_argument = FALSE;
      self->last_repeat = NULL;
      if (is_at (self, "(?"))
        return scan_flags (self);
      self->at++;
      return TRUE;
    case ')':
      if (self->depth-- == 0)
        return fail (self, "missing )", self->begin, self->end);
      break;
    case '[':
      self->has_argument = TRUE;
      self->last_repeat = NULL;
      return scan_class (self);
    case '\\':
      self->has_argument = TRUE;
      self->last_repeat = NULL;
      return scan_escape (self);
    case '|':
      self->at++;
      self->has_argument = FALSE;
      self->last_repeat = NULL;
      return TRUE;
    default:
      break;
    }
  self->at++;
  self->has_argument = TRUE;
  self->last_repeat = NULL;
  return TRUE;
}

gboolean
_flow_pattern_check (const char  *source,
                     gsize        length,
                     GError     **error)
{
  g_autofree char *text = g_strndup (source, length);
  Scan scan = { .begin = text, .end = text + length, .at = text };

  while (scan.at < scan.end && scan_one (&scan))
    ;
  if (scan.failure == NULL && scan.depth > 0)
    fail (&scan, "missing )", scan.begin, scan.end);
  if (scan.failure == NULL)
    return TRUE;
  _flow_refuse (error, "Invalid pattern: %.*s, error: %s", (int) MIN (length, 200), source, scan.failure);
  g_free (scan.failure);
  return FALSE;
}
