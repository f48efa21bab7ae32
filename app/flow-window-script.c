/* flow-window-script.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "flow-window-private.h"

/*
 * A script in the window: its process is the engine, its runs stop as the person says, its lines and ops know each other.
 */

/* Returns: (nullable): what a script is started with, for flow_ui_session_open() */
GVariant *
_flow_window_script_options (FlowOpenPlan *plan)
{
  GVariantDict options;

  if (plan == NULL || plan->argv == NULL)
    return NULL;
  g_variant_dict_init (&options, NULL);
  g_variant_dict_insert (&options, "argv", "^as", plan->argv);
  if (plan->cwd != NULL)
    g_variant_dict_insert (&options, "cwd", "s", plan->cwd);
  return g_variant_dict_end (&options);
}

/* A script runs from when it is open; what it prints is in view. */
void
_flow_window_script_opened (FlowWindow *self)
{
  if (!flow_ui_session_is_script (self->session))
    return;
  _flow_window_show_panel (self, "console");
  flow_ui_session_move (self->session, FLOW_MOVE_RUN, NULL);
}
