/* flowstep-app.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <flowstep.h>
#include <glib/gi18n.h>
#include <locale.h>
#include <string.h>

#include "flow-application.h"
#include "flow-render.h"

/* What stands behind a script is the script's: options of its own are not ours. */
static char **
protect_script_args (int    *argc,
                     char  **argv)
{
  g_autoptr(GPtrArray) args = g_ptr_array_new ();
  gboolean is_marked = FALSE;

  for (int i = 0; i < *argc; i++)
    {
      if (i > 0 && !is_marked && (strcmp (argv[i], "--") == 0 || (g_str_has_suffix (argv[i], ".py") && argv[i][0] != '-')))
        {
          if (strcmp (argv[i], "--") != 0)
            g_ptr_array_add (args, g_strdup ("--"));
          is_marked = TRUE;
        }
      g_ptr_array_add (args, g_strdup (argv[i]));
    }
  *argc = (int) args->len;
  g_ptr_array_add (args, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&args), FALSE);
}

int
main (int    argc,
      char **argv)
{
  g_autoptr(FlowApplication) app = NULL;
  g_auto(GStrv) args = NULL;

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
  args = protect_script_args (&argc, argv);
  return g_application_run (G_APPLICATION (app), argc, args);
}
