/* flow-canvas-renderer.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-canvas-renderer.h"

#include <epoxy/gl.h>
#include <malloc.h>
#include <string.h>

/* Frames of a large canvas take and give back images of this order; kept, they cost no page faults. */
#define KEEP_BYTES (64 * 1024 * 1024)

static gboolean
is_software (const char *renderer)
{
  return strstr (renderer, "llvmpipe") != NULL || strstr (renderer, "softpipe") != NULL
         || strstr (renderer, "swrast") != NULL || strstr (renderer, "Software") != NULL;
}

/**
 * flow_canvas_choose_renderer:
 * @display: the display
 *
 * GTK draws with OpenGL even where that is done in software, which presents the whole window for
 * every change: cairo is several times faster there. To be called before the first window; what the
 * environment says in GSK_RENDERER is left alone.
 */
void
flow_canvas_choose_renderer (GdkDisplay *display)
{
  g_autoptr(GdkGLContext) context = NULL;
  const char *renderer;

  mallopt (M_TRIM_THRESHOLD, KEEP_BYTES);
  mallopt (M_MMAP_THRESHOLD, KEEP_BYTES);
  if (g_getenv ("GSK_RENDERER") != NULL)
    return;
  context = gdk_display_create_gl_context (display, NULL);
  if (context == NULL || !gdk_gl_context_realize (context, NULL))
    return;
  gdk_gl_context_make_current (context);
  renderer = (const char *) glGetString (GL_RENDERER);
  if (renderer != NULL && is_software (renderer))
    {
      g_debug ("OpenGL is done in software (%s): drawing with cairo", renderer);
      g_setenv ("GSK_RENDERER", "cairo", TRUE);
    }
  gdk_gl_context_clear_current ();
}
