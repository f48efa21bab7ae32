/* flow-json.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Whether bytes are JSON, told without recursion and without memory; and what json-glib writes that is none.
 */

#include "config.h"

#include "flow-json.h"

#include <string.h>

typedef struct {
  const char *at;
  const char *end;
  guint line;
  GError **error;
} Scan;

static gboolean
refuse (Scan       *self,
        const char *expected)
{
  g_set_error (self->error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "%s expected in line %u", expected, self->line);
  return FALSE;
}

/* The byte that comes next, 0 where there is none. */
static char
peek (const Scan *self)
{
  return self->at < self->end ? *self->at : '\0';
}

static gboolean
skip (Scan *self,
      char  c)
{
  if (peek (self) != c)
    return FALSE;
  self->at++;
  return TRUE;
}

static void
skip_space (Scan *self)
{
  for (; self->at < self->end && strchr (" \t\r\n", *self->at) != NULL && *self->at != '\0'; self->at++)
    self->line += *self->at == '\n';
}

static gboolean
skip_escape (Scan *self)
{
  char c = peek (self);

  if (c == '\0' || strchr ("\"\\/bfnrtu", c) == NULL)
    return refuse (self, "a letter that may stand behind a backslash");
  self->at++;
  for (int i = 0; c == 'u' && i < 4; i++, self->at++)
    if (!g_ascii_isxdigit (peek (self)))
      return refuse (self, "a number of four hexadecimal digits");
  return TRUE;
}

static gboolean
skip_text (Scan *self)
{
  if (!skip (self, '"'))
    return refuse (self, "a text in double quotes");
  while (!skip (self, '"'))
    {
      char c = peek (self);

      if (self->at >= self->end || (c >= 0 && c < ' '))
        return refuse (self, "the end of a text");
      self->at++;
      if (c == '\\' && !skip_escape (self))
        return FALSE;
    }
  return TRUE;
}

static gboolean
skip_digits (Scan *self)
{
  const char *first = self->at;

  while (g_ascii_isdigit (peek (self)))
    self->at++;
  return self->at > first || refuse (self, "a digit");
}

/* People write .5 and 5. as well, which json-glib reads. */
static gboolean
skip_number (Scan *self)
{
  const char *first;

  skip (self, '-');
  first = self->at;
  if (peek (self) != '.' && !skip (self, '0') && !skip_digits (self))
    return FALSE;
  if (skip (self, '.') && (self->at - first == 1 || g_ascii_isdigit (peek (self))) && !skip_digits (self))
    return FALSE;
  if (!skip (self, 'e') && !skip (self, 'E'))
    return TRUE;
  if (!skip (self, '+'))
    skip (self, '-');
  return skip_digits (self);
}

/* A value that is neither an object nor a list. */
static gboolean
skip_plain (Scan *self)
{
  static const char *const words[] = { "true", "false", "null" };

  if (peek (self) == '"')
    return skip_text (self);
  if (peek (self) == '-' || peek (self) == '.' || g_ascii_isdigit (peek (self)))
    return skip_number (self);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if ((gsize) (self->end - self->at) >= strlen (words[i]) && memcmp (self->at, words[i], strlen (words[i])) == 0)
      {
        self->at += strlen (words[i]);
        return TRUE;
      }
  return refuse (self, "a value");
}

/* What stands before a value in an object. */
static gboolean
skip_key (Scan *self)
{
  skip_space (self);
  if (!skip_text (self))
    return FALSE;
  skip_space (self);
  return skip (self, ':') || refuse (self, "a colon");
}

/**
 * flow_json_check:
 * @text: what is to be read as JSON
 * @length: its length, -1 if it ends with a zero byte
 * @max_depth: how deep objects and lists may stand in each other, usually %FLOW_JSON_MAX_DEPTH
 * @error: where to put an error
 *
 * To be asked before json-glib reads what a stranger may have written: that reads by recursion, so that a file of
 * brackets would end the process, and does not give back all memory when it refuses something.
 *
 * Returns: whether it is one value as RFC 8259 has it, but for numbers like .5 and 5.; %FALSE with %FLOW_ERROR_INVALID_ARGUMENT
 */
gboolean
flow_json_check (const char  *text,
                 gssize       length,
                 guint        max_depth,
                 GError     **error)
{
  g_autofree char *closing = g_malloc (max_depth + 1);
  Scan scan = { text, text + (length >= 0 ? (gsize) length : strlen (text)), 1, error };
  guint depth = 0;

  for (;;)
    {
      skip_space (&scan);
      if (peek (&scan) == '{' || peek (&scan) == '[')
        {
          FLOW_REQUIRE (depth < max_depth, error, INVALID_ARGUMENT, "nested more than %u deep", max_depth);
          closing[depth++] = *scan.at++ == '{' ? '}' : ']';
          skip_space (&scan);
          if (peek (&scan) != closing[depth - 1])
            {
              if (closing[depth - 1] == '}' && !skip_key (&scan))
                return FALSE;
              continue;
            }
        }
      else if (!skip_plain (&scan))
        return FALSE;
      for (skip_space (&scan); depth > 0 && skip (&scan, closing[depth - 1]); skip_space (&scan))
        depth--;
      if (depth == 0)
        return scan.at == scan.end || refuse (&scan, "nothing more");
      if (!skip (&scan, ','))
        return refuse (&scan, closing[depth - 1] == '}' ? "a comma or a brace" : "a comma or a bracket");
      if (closing[depth - 1] == '}' && !skip_key (&scan))
        return FALSE;
    }
}

/* --- what json-glib writes ---------------------------------------------------------------------- */

static gboolean
is_number_char (char c)
{
  return g_ascii_isdigit (c) || c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E';
}

/**
 * flow_json_mend_numbers: (skip)
 * @json: (transfer full): JSON text as json-glib writes it
 *
 * Takes away what json-glib 1.6 puts behind a number that has an exponent and no fraction: it writes
 * 1e20 as `1e+20.0`, which nobody can read, itself included. The text is changed in place.
 *
 * Returns: (transfer full): @json
 */
char *
flow_json_mend_numbers (char *json)
{
  char *to = json;
  const char *from = json;
  gboolean in_string = FALSE;

  g_return_val_if_fail (json != NULL, NULL);

  while (*from != '\0')
    {
      gsize n = 1;

      if (in_string)
        {
          if (*from == '\\' && from[1] != '\0')
            n = 2;
          in_string = *from != '"';
        }
      else if (*from == '"')
        in_string = TRUE;
      else if (g_ascii_isdigit (*from))
        while (is_number_char (from[n]))
          n++;
      memmove (to, from, n);
      from += n;
      to += n;
      if (n > 3 && to[-1] == '0' && to[-2] == '.' && memchr (to - n, 'e', n) != NULL)
        to -= 2;
    }
  *to = '\0';
  return json;
}
