/* flow-window-driver.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-window-driver.h"

static FlowApplication *app;

gboolean
drive_begin (int    *argc,
             char ***argv)
{
  g_autoptr(GError) error = NULL;

  g_test_init (argc, argv, NULL);
  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display\n");
      return FALSE;
    }
  flow_kernels_register ();
  app = flow_application_new ();
  g_application_set_flags (G_APPLICATION (app), G_APPLICATION_NON_UNIQUE);
  g_assert_true (g_application_register (G_APPLICATION (app), NULL, &error));
  g_assert_no_error (error);
  return TRUE;
}

FlowApplication *
drive_get_app (void)
{
  return app;
}

FlowWindow *
drive_open (const char *path)
{
  FlowWindow *window = flow_window_new (GTK_APPLICATION (app));

  gtk_window_present (GTK_WINDOW (window));
  if (path != NULL)
    flow_window_open (window, path, NULL);
  drive_settle (window);
  return window;
}

JsonObject *
drive_dup_state (FlowWindow *window)
{
  g_autoptr(GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (window), "state");
  g_autoptr(JsonNode) node = json_from_string (g_variant_get_string (state, NULL), NULL);

  g_assert_nonnull (node);
  return json_node_dup_object (node);
}

const char *
drive_state_text (JsonObject *state,
                  const char *key)
{
  g_assert_true (json_object_has_member (state, key));
  return json_object_get_string_member_with_default (state, key, NULL);
}

gint64
drive_state_number (FlowWindow *window,
                    const char *key)
{
  g_autoptr(JsonObject) state = drive_dup_state (window);

  return json_object_get_int_member (state, key);
}

void
drive_settle (FlowWindow *window)
{
  gint64 end = g_get_monotonic_time () + 120 * G_USEC_PER_SEC;
  guint quiet = 0;

  while (quiet < 3 && g_get_monotonic_time () < end)
    {
      g_autoptr(JsonObject) state = NULL;

      for (guint i = 0; i < 50 && g_main_context_iteration (NULL, FALSE); i++)
        ;
      g_usleep (2000);
      state = drive_dup_state (window);
      quiet = json_object_get_int_member_with_default (state, "pending", 1) == 0 ? quiet + 1 : 0;
    }
  g_assert_cmpuint (quiet, ==, 3);
}

void
drive_activate (FlowWindow *window,
                const char *action,
                const char *parameter)
{
  g_assert_true (g_action_group_get_action_enabled (G_ACTION_GROUP (window), action));
  g_action_group_activate_action (G_ACTION_GROUP (window), action,
                                  parameter != NULL ? g_variant_new_string (parameter) : NULL);
  drive_settle (window);
}

void
drive_assert_state (FlowWindow *window,
                    const char *key,
                    const char *expected)
{
  g_autoptr(JsonObject) state = drive_dup_state (window);

  g_assert_cmpstr (drive_state_text (state, key), ==, expected);
}

void
drive_assert_position (FlowWindow *window,
                       gint64      expected)
{
  g_assert_cmpint (drive_state_number (window, "position"), ==, expected);
}

void
drive_close (FlowWindow *window)
{
  gtk_window_destroy (GTK_WINDOW (window));
  while (g_main_context_iteration (NULL, FALSE))
    ;
}
