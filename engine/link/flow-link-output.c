/* flow-link-output.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-link-output.h"

#include <string.h>

/* Read at once, and told at once: a script that prints in a loop fills the pipe and waits, not the window. */
#define CHUNK 16384
#define PAUSE_MS 20
/* A line without an end (a prompt, a bar that grows) is told when nothing more comes for this long. */
#define FLUSH_MS 200
/* So much is kept to say why a script ended. */
#define KEEP 4096
#define TAIL_LINES 3

struct _FlowLinkOutput
{
  FlowDebugger *debugger;      /* borrowed: it owns this */
  GInputStream *stream;
  GCancellable *cancellable;
  GString *pending;            /* the line that has no end yet */
  gboolean after_return;       /* the last byte was a carriage return: a line feed after it ends no other line */
  GString *last;               /* what was told last */
  guint read_source;
  guint flush_source;
};

static void read_more (FlowLinkOutput *self);

static void
tell (FlowLinkOutput *self,
      gsize           length)
{
  g_autofree char *text = g_strndup (self->pending->str, length);

  g_string_erase (self->pending, 0, (gssize) length);
  /* The end of a line is its own; blanks and empty lines before it are the script's. */
  if (g_str_has_suffix (text, "\n"))
    text[length - 1] = '\0';
  g_string_append (self->last, text);
  g_string_append_c (self->last, '\n');
  if (self->last->len > KEEP)
    g_string_erase (self->last, 0, (gssize) (self->last->len - KEEP));
  flow_debugger_emit_logged (self->debugger, G_MAXUINT64, text);
}

static gboolean
flush_cb (gpointer data)
{
  FlowLinkOutput *self = data;

  self->flush_source = 0;
  tell (self, self->pending->len);
  return G_SOURCE_REMOVE;
}

static gboolean
read_cb (gpointer data)
{
  FlowLinkOutput *self = data;

  self->read_source = 0;
  read_more (self);
  return G_SOURCE_REMOVE;
}

static void
take (FlowLinkOutput *self,
      GBytes         *bytes)
{
  gsize size = 0;
  const char *data = g_bytes_get_data (bytes, &size);
  const char *end = NULL;

  /* Zero bytes are no text; a line that is written over ends as any other does. */
  for (gsize i = 0; i < size; i++)
    {
      if (data[i] != '\n' || !self->after_return)
        g_string_append_c (self->pending, data[i] == '\0' ? ' ' : data[i] == '\r' ? '\n' : data[i]);
      self->after_return = data[i] == '\r';
    }
  end = strrchr (self->pending->str, '\n');
  if (end != NULL)
    tell (self, (gsize) (end - self->pending->str) + 1);
  else if (self->pending->len > CHUNK)
    tell (self, self->pending->len);
  g_clear_handle_id (&self->flush_source, g_source_remove);
  if (self->pending->len > 0)
    self->flush_source = g_timeout_add (FLUSH_MS, flush_cb, self);
}

static void
read_done_cb (GObject      *source,
              GAsyncResult *result,
              gpointer      data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_input_stream_read_bytes_finish (G_INPUT_STREAM (source), result, &error);
  FlowLinkOutput *self = data;

  /* Then there is no self any more. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (bytes == NULL || g_bytes_get_size (bytes) == 0)
    {
      if (self->pending->len > 0)
        tell (self, self->pending->len);
      g_clear_handle_id (&self->flush_source, g_source_remove);
      return;
    }
  take (self, bytes);
  self->read_source = g_timeout_add (g_bytes_get_size (bytes) == CHUNK ? PAUSE_MS : 0, read_cb, self);
}

static void
read_more (FlowLinkOutput *self)
{
  g_input_stream_read_bytes_async (self->stream, CHUNK, G_PRIORITY_DEFAULT, self->cancellable, read_done_cb, self);
}

FlowLinkOutput *
_flow_link_output_new (FlowDebugger *debugger,
                       GInputStream *stream)
{
  FlowLinkOutput *self = g_new0 (FlowLinkOutput, 1);

  self->debugger = debugger;
  self->stream = g_object_ref (stream);
  self->cancellable = g_cancellable_new ();
  self->pending = g_string_new (NULL);
  self->last = g_string_new (NULL);
  read_more (self);
  return self;
}

char *
_flow_link_output_dup_tail (FlowLinkOutput *self)
{
  char buffer[KEEP];
  gssize n = 0;
  const char *start = NULL;
  guint lines = 0;

  while ((n = g_pollable_input_stream_read_nonblocking (G_POLLABLE_INPUT_STREAM (self->stream), buffer, sizeof buffer, NULL,
                                                        NULL)) > 0)
    {
      g_autoptr (GBytes) bytes = g_bytes_new (buffer, (gsize) n);

      take (self, bytes);
    }
  if (self->pending->len > 0)
    tell (self, self->pending->len);
  g_clear_handle_id (&self->flush_source, g_source_remove);
  start = self->last->str + self->last->len;
  while (start > self->last->str && lines <= TAIL_LINES)
    lines += *--start == '\n' ? 1 : 0;
  return g_strstrip (g_utf8_make_valid (start, -1));
}

void
_flow_link_output_free (FlowLinkOutput *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_handle_id (&self->read_source, g_source_remove);
  g_clear_handle_id (&self->flush_source, g_source_remove);
  g_object_unref (self->cancellable);
  g_object_unref (self->stream);
  g_string_free (self->pending, TRUE);
  g_string_free (self->last, TRUE);
  g_free (self);
}
