/* flowstep-app.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <flowstep.h>
#include <glib/gi18n.h>
#include <locale.h>

#include "flow-application.h"
#include "flow-render.h"

int
main (int    argc,
      char **argv)
{
  g_autoptr(FlowApplication) app = NULL;

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, PACKAGE_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  g_set_application_name ("Flowstep");
  /* The inspector says what an op is and whether it can be run; nothing is run here. */
  flow_kernels_register ();
  if (flow_render_is_wanted (argc, argv))
    return flow_render_main (argc, argv);
  app = flow_application_new ();
  return g_application_run (G_APPLICATION (app), argc, argv);
}
