/* script-fixture.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "script-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

static void
logged_cb (FlowDebugger  *debugger,
           guint64        position,
           const char    *text,
           ScriptFixture *f)
{
  if (position == G_MAXUINT64)
    g_string_append_printf (f->printed, "%s\n", text);
}

static void
stopped_cb (FlowDebugger   *debugger,
            FlowDebugState *state,
            ScriptFixture  *f)
{
  f->n_stops++;
}

static void
ended_cb (FlowDebugger  *debugger,
          const char    *text,
          ScriptFixture *f)
{
  g_string_append (f->ended, text);
}

void
script_set_up (ScriptFixture *f,
               gconstpointer  data)
{
  f->folder = g_dir_make_tmp ("flow-script-XXXXXX", NULL);
  f->printed = g_string_new (NULL);
  f->ended = g_string_new (NULL);
  f->debugger = flow_link_debugger_new (FLOW_ENGINE_PATH);
  g_signal_connect (f->debugger, "logged", G_CALLBACK (logged_cb), f);
  g_signal_connect (f->debugger, "stopped", G_CALLBACK (stopped_cb), f);
  g_signal_connect (f->debugger, "ended", G_CALLBACK (ended_cb), f);
}

void
script_tear_down (ScriptFixture *f,
                  gconstpointer  data)
{
  g_autofree char *path = g_build_filename (f->folder, "script.py", NULL);

  g_signal_handlers_disconnect_by_data (f->debugger, f);
  g_object_unref (f->debugger);
  g_unlink (path);
  g_rmdir (f->folder);
  g_free (f->folder);
  g_string_free (f->printed, TRUE);
  g_string_free (f->ended, TRUE);
}

GVariant *
script_call (ScriptFixture *f,
             const char    *method,
             GVariant      *arguments)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowDebuggerReply) reply = flow_debugger_call_sync (f->debugger, method, arguments, NULL, NULL, &error);

  g_assert_no_error (error);
  return g_variant_ref (reply->value);
}

void
script_open (ScriptFixture *f,
             const char    *text)
{
  g_autofree char *path = g_build_filename (f->folder, "script.py", NULL);
  const char *argv[] = { "--rate", "0.5", NULL };
  g_autoptr (GVariant) answer = NULL;
  GVariantDict options;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_variant_dict_init (&options, NULL);
  g_variant_dict_insert (&options, "argv", "^as", argv);
  g_variant_dict_insert (&options, "python2", "b", f->python2);
  answer = script_call (f, "Open", g_variant_new ("(s@a{sv})", path, g_variant_dict_end (&options)));
}

FlowDebugState *
script_move (ScriptFixture *f,
             FlowMovement   movement,
             const char    *argument)
{
  g_autoptr (GVariant) answer = script_call (f, "Move", g_variant_new ("(us)", (guint) movement, argument));
  g_autoptr (GVariant) state = g_variant_get_child_value (answer, 0);

  return flow_debug_state_from_variant (state);
}

/* What was printed comes over a pipe, beside the answers. */
void
script_wait_for_text (ScriptFixture *f,
                      const char    *text)
{
  gint64 until = g_get_monotonic_time () + 10 * G_TIME_SPAN_SECOND;

  while (strstr (f->printed->str, text) == NULL && g_get_monotonic_time () < until)
    {
      while (g_main_context_iteration (NULL, FALSE))
        ;
      g_usleep (2000);
    }
  if (strstr (f->printed->str, text) == NULL)
    g_error ("\"%s\" was not printed, but:\n%s", text, f->printed->str);
}

void
script_assert_stop (FlowDebugState  *state,
                    FlowDebugStatus  status,
                    FlowStopReason   reason)
{
  if (state->status != status || state->reason != reason)
    g_error ("%s, %s: %s", flow_debug_status_name (state->status), flow_stop_reason_name (state->reason),
             state->message != NULL ? state->message : "");
}

char *
script_evaluate (ScriptFixture *f,
                 const char    *text)
{
  g_autoptr (GVariant) answer = script_call (f, "ScriptConsole", g_variant_new ("(s)", text));
  char *output = NULL;

  g_variant_get (answer, "(s)", &output);
  return output;
}

/* Where it leads is of no interest. */
void
script_move_and_forget (ScriptFixture *f,
                        FlowMovement   movement)
{
  g_autoptr (FlowDebugState) state = script_move (f, movement, "");

  g_assert_nonnull (state);
}
