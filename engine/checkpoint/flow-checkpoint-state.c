/* flow-checkpoint-state.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-checkpoint-state.h"

#include <string.h>

#include "flow-util.h"

/* A state file of a million checkpoints is 100 MB. */
#define MAX_STATE_BYTES ((gsize) 256 << 20)

G_DEFINE_BOXED_TYPE (FlowCheckpointState, flow_checkpoint_state, flow_checkpoint_state_copy,
                     flow_checkpoint_state_free)

/**
 * flow_checkpoint_state_new:
 * @model_checkpoint_path: the newest checkpoint's prefix
 * @all_model_checkpoint_paths: (nullable) (array zero-terminated=1): all that are kept, oldest first;
 *   %NULL for the newest alone
 *
 * Returns: (transfer full): a state
 */
FlowCheckpointState *
flow_checkpoint_state_new (const char        *model_checkpoint_path,
                           const char *const *all_model_checkpoint_paths)
{
  FlowCheckpointState *self;
  const char *const newest[] = { model_checkpoint_path, NULL };

  g_return_val_if_fail (model_checkpoint_path != NULL, NULL);

  self = g_new0 (FlowCheckpointState, 1);
  self->model_checkpoint_path = g_strdup (model_checkpoint_path);
  self->all_model_checkpoint_paths =
    g_strdupv ((char **) (all_model_checkpoint_paths != NULL ? all_model_checkpoint_paths : newest));
  return self;
}

/**
 * flow_checkpoint_state_copy:
 * @self: a state
 *
 * Returns: (transfer full): a copy
 */
FlowCheckpointState *
flow_checkpoint_state_copy (const FlowCheckpointState *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return flow_checkpoint_state_new (self->model_checkpoint_path,
                                    (const char *const *) self->all_model_checkpoint_paths);
}

/**
 * flow_checkpoint_state_free:
 * @self: (transfer full) (nullable): a state
 */
void
flow_checkpoint_state_free (FlowCheckpointState *self)
{
  if (self == NULL)
    return;
  g_free (self->model_checkpoint_path);
  g_strfreev (self->all_model_checkpoint_paths);
  g_free (self);
}

typedef struct {
  const char *pos;
  const char *end;
  guint line;
} Scanner;

static void
skip_blanks (Scanner *s)
{
  for (; s->pos < s->end; s->pos++)
    {
      if (*s->pos == '#')
        while (s->pos + 1 < s->end && s->pos[1] != '\n')
          s->pos++;
      else if (*s->pos == '\n')
        s->line++;
      else if (!g_ascii_isspace (*s->pos) && *s->pos != ';' && *s->pos != ',')
        return;
    }
}

static gboolean
scan_escape (Scanner *s,
             GString *text)
{
  static const char letters[] = "abfnrtv\\'\"?";
  static const char values[] = "\a\b\f\n\r\t\v\\'\"?";
  const char *at;
  guint value = 0;
  int digits = 0;

  if (s->pos >= s->end)
    return FALSE;
  if (*s->pos >= '0' && *s->pos <= '7')
    {
      for (; digits < 3 && s->pos < s->end && *s->pos >= '0' && *s->pos <= '7'; digits++)
        value = value * 8 + (guint) (*s->pos++ - '0');
      g_string_append_c (text, (char) value);
      return TRUE;
    }
  if (*s->pos == 'x' || *s->pos == 'X')
    {
      s->pos++;
      for (; digits < 2 && s->pos < s->end && g_ascii_isxdigit (*s->pos); digits++)
        value = value * 16 + (guint) g_ascii_xdigit_value (*s->pos++);
      g_string_append_c (text, (char) value);
      return digits > 0;
    }
  at = *s->pos != '\0' ? strchr (letters, *s->pos) : NULL;
  if (at == NULL)
    return FALSE;
  g_string_append_c (text, values[at - letters]);
  s->pos++;
  return TRUE;
}

/* Strings that stand next to each other are one. */
static gboolean
scan_string (Scanner *s,
             GString *text)
{
  gboolean any = FALSE;

  while (s->pos < s->end && (*s->pos == '"' || *s->pos == '\''))
    {
      char quote = *s->pos++;

      for (; s->pos < s->end && *s->pos != quote;)
        {
          if (*s->pos == '\n')
            return FALSE;
          if (*s->pos != '\\')
            {
              g_string_append_c (text, *s->pos++);
              continue;
            }
          s->pos++;
          if (!scan_escape (s, text))
            return FALSE;
        }
      if (s->pos >= s->end)
        return FALSE;
      s->pos++;
      any = TRUE;
      skip_blanks (s);
    }
  return any;
}

static gboolean
state_error (const Scanner  *s,
             const char     *what,
             GError        **error)
{
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, "line %u: %s", s->line, what);
  return FALSE;
}

static gboolean
parse_field (Scanner              *s,
             FlowCheckpointState  *self,
             GPtrArray            *all,
             GError              **error)
{
  g_autofree char *name = NULL;
  g_autoptr (GString) value = g_string_new (NULL);
  const char *start = s->pos;

  while (s->pos < s->end && (g_ascii_isalnum (*s->pos) || *s->pos == '_'))
    s->pos++;
  name = g_strndup (start, (gsize) (s->pos - start));
  skip_blanks (s);
  if (*name == '\0' || s->pos >= s->end || *s->pos != ':')
    return state_error (s, "a field name and a colon are expected", error);
  s->pos++;
  skip_blanks (s);

  /* The two times of newer writers. */
  if (strcmp (name, "all_model_checkpoint_timestamps") == 0 || strcmp (name, "last_preserved_timestamp") == 0)
    {
      while (s->pos < s->end && strchr ("+-.[]eE", *s->pos) == NULL && !g_ascii_isalnum (*s->pos))
        return state_error (s, "a number is expected", error);
      while (s->pos < s->end && !g_ascii_isspace (*s->pos) && *s->pos != '\0')
        s->pos++;
      return TRUE;
    }
  if (strcmp (name, "model_checkpoint_path") != 0 && strcmp (name, "all_model_checkpoint_paths") != 0)
    return state_error (s, "Message type \"tensorflow.CheckpointState\" has no field of this name", error);
  if (!scan_string (s, value))
    return state_error (s, "a string is expected, closed on its line", error);
  if (strlen (value->str) != value->len)
    return state_error (s, "a path with a zero byte", error);
  if (name[0] == 'm')
    flow_set_str (&self->model_checkpoint_path, value->str);
  else
    g_ptr_array_add (all, g_strdup (value->str));
  return TRUE;
}

/**
 * flow_checkpoint_state_parse:
 * @text: the contents of a `checkpoint` file
 * @length: its bytes, -1 up to the first 00
 * @error: where to put an error
 *
 * Returns: (transfer full): what it says; %NULL with %FLOW_ERROR_DATA_LOSS and the line if it is damaged
 */
FlowCheckpointState *
flow_checkpoint_state_parse (const char  *text,
                             gssize       length,
                             GError     **error)
{
  g_autoptr (FlowCheckpointState) self = NULL;
  g_autoptr (GPtrArray) all = NULL;
  Scanner s;

  g_return_val_if_fail (text != NULL || length == 0, NULL);

  self = g_new0 (FlowCheckpointState, 1);
  self->model_checkpoint_path = g_strdup ("");
  all = g_ptr_array_new_with_free_func (g_free);
  s.pos = text;
  s.end = text + (length < 0 ? (gssize) strlen (text) : length);
  s.line = 1;
  for (skip_blanks (&s); s.pos < s.end; skip_blanks (&s))
    if (!parse_field (&s, self, all, error))
      return NULL;
  g_ptr_array_add (all, NULL);
  self->all_model_checkpoint_paths = (char **) g_ptr_array_free (g_steal_pointer (&all), FALSE);
  return g_steal_pointer (&self);
}

/**
 * flow_checkpoint_state_load:
 * @path: a `checkpoint` file
 * @error: where to put an error
 *
 * Returns: (transfer full): what it says; %NULL as flow_checkpoint_state_parse(), or with the system's
 *   error
 */
FlowCheckpointState *
flow_checkpoint_state_load (const char  *path,
                            GError     **error)
{
  g_autoptr (GBytes) bytes = NULL;
  FlowCheckpointState *self;
  gsize n;
  const char *text;

  g_return_val_if_fail (path != NULL, NULL);

  bytes = flow_read_file (path, MAX_STATE_BYTES, error);
  if (bytes == NULL)
    return NULL;
  text = g_bytes_get_data (bytes, &n);
  self = flow_checkpoint_state_parse (text, (gssize) n, error);
  if (self == NULL)
    g_prefix_error (error, "%s: ", path);
  return self;
}

/**
 * flow_checkpoint_state_save:
 * @self: a state
 * @path: where to write it
 * @error: where to put an error
 *
 * Writes as TensorFlow does: the newest, then all. The file is replaced whole.
 *
 * Returns: whether it was written; else the system's error
 */
gboolean
flow_checkpoint_state_save (const FlowCheckpointState  *self,
                            const char                 *path,
                            GError                    **error)
{
  g_autoptr (GString) text = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *newest = NULL;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  newest = flow_escape_bytes (self->model_checkpoint_path, -1);
  text = g_string_new (NULL);
  g_string_append_printf (text, "model_checkpoint_path: \"%s\"\n", newest);
  for (guint i = 0; self->all_model_checkpoint_paths[i] != NULL; i++)
    {
      g_autofree char *escaped = flow_escape_bytes (self->all_model_checkpoint_paths[i], -1);

      g_string_append_printf (text, "all_model_checkpoint_paths: \"%s\"\n", escaped);
    }
  bytes = g_string_free_to_bytes (g_steal_pointer (&text));
  return flow_write_file_safely (path, bytes, error);
}
