/* flow-render.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether the command line asks for a picture and so for no window and no display. */
gboolean flow_render_is_wanted (int    argc,
                                char **argv);
int      flow_render_main      (int    argc,
                                char **argv);

G_END_DECLS
