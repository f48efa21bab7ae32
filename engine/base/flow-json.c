/* flow-json.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-json.h"

#include <string.h>

/**
 * flow_json_check_depth:
 * @text: what is to be read as JSON
 * @length: its length, -1 if it ends with a zero byte
 * @max_depth: how deep objects and lists may stand in each other, usually %FLOW_JSON_MAX_DEPTH
 * @error: where to put an error
 *
 * To be asked before json-glib reads what a stranger may have written: that reads by recursion without an end, so that
 * a file of brackets would end the process.
 *
 * Returns: %FALSE with %FLOW_ERROR_INVALID_ARGUMENT where it is nested deeper, or where json-glib would read what is no
 *   JSON: comments and single quotes, behind which brackets would not be seen
 */
gboolean
flow_json_check_depth (const char  *text,
                       gssize       length,
                       guint        max_depth,
                       GError     **error)
{
  gsize n = length >= 0 ? (gsize) length : strlen (text);
  gboolean quoted = FALSE;
  guint depth = 0;

  g_return_val_if_fail (text != NULL, FALSE);

  for (gsize i = 0; i < n; i++)
    {
      char c = text[i];

      if (quoted && c == '\\')
        i++;
      else if (c == '"')
        quoted = !quoted;
      else if (quoted)
        continue;
      else if (c == '}' || c == ']')
        depth -= depth > 0;
      else if (c == '{' || c == '[')
        FLOW_REQUIRE (++depth <= max_depth, error, INVALID_ARGUMENT, "no JSON: nested more than %u deep", max_depth);
      else
        FLOW_REQUIRE (c != '\'' && c != '/' && c != '#', error, INVALID_ARGUMENT, "no JSON: a %c outside of texts", c);
    }
  return TRUE;
}
